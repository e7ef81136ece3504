//! What became of an ask: done, acknowledged, waiting, or over; as `answer` and `confirm` say it.

use hotline_core::queue::ACK_LASTS_MS;
use hotline_core::wire::result::{History, Pending, Resolved};
use hotline_core::wire::{AskRecord, AskUserRequest, request_id, request_number};
use hotline_core::words::{self, Language, fill};
use serde_json::json;

use crate::client::Connection;
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

/// Prints what an answer or a cancel did.
pub(super) fn report(
    result: &str,
    id: &str,
    json: bool,
    hub: &mut Connection,
    out: &Out,
) -> Result<Exit, Problem> {
    let Resolved { resolved, acked } = hub.read(result)?;
    if json {
        out.json(result)?;
    }
    Ok(match (resolved, acked) {
        (true, _) => {
            out.remark(&fill(out.words().ht.done, &[("id", &show::line(id))]));
            Exit::Done
        }
        (false, Some(true)) => acknowledged(id, out),
        (false, Some(false) | None) => not_waiting(id, hub, out),
    })
}

/// Says that the first step is done, and for how long.
pub(super) fn acknowledged(id: &str, out: &Out) -> Exit {
    let time = ack_time(out.language);
    out.remark(&fill(out.words().ht.acknowledged, &[("id", &show::line(id)), ("time", &time)]));
    Exit::Done
}

/// How long an acknowledgement is valid, in words.
pub(super) fn ack_time(language: Language) -> String {
    words::duration(ACK_LASTS_MS / 1000, language)
}

/// Says how an ask ended that does not wait, or that there never was one.
pub(super) fn not_waiting(id: &str, hub: &mut Connection, out: &Out) -> Exit {
    let texts = &out.words().ht;
    let id_shown = show::line(id);
    let ended = past(id, hub).and_then(|record| Some((record.response?, record.by, record.resolved_at)));
    out.complain(&match ended {
        Some((response, by, at)) => {
            let outcome = show::outcome(&response, by.as_ref(), at, out.language);
            fill(texts.not_waiting, &[("id", &id_shown), ("outcome", &outcome)])
        }
        None => format!("{}\n{}", fill(texts.unknown, &[("id", &id_shown)]), texts.unknown_hint),
    });
    Exit::Refused
}

/// The ask of that id in the history. An error there explains nothing, so it counts as none.
fn past(id: &str, hub: &mut Connection) -> Option<AskRecord> {
    let after = request_id(request_number(id)?.checked_add(1)?);
    let page: History = hub.get("agent.ask_history", &json!({ "limit": 1, "before": after })).ok()?;
    page.entries.into_iter().find(|record| record.request.request_id == id)
}

/// The ask of that id, if it waits.
pub(super) fn waiting(id: &str, hub: &mut Connection) -> Result<Option<AskUserRequest>, Problem> {
    let listed: Pending = hub.get("agent.ask_pending", &json!({}))?;
    Ok(listed.pending.into_iter().find(|request| request.request_id == id))
}
