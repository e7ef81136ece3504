//! Answering what others ask: acknowledge, answer, cancel.

use clap::Args;
use hotline_core::wire::result::{Acked, History, Resolved};
use hotline_core::wire::{AskRecord, AskUserRequest, request_number};
use hotline_core::words::{self, fill};
use serde_json::json;

use super::confirm;
use crate::client::{Connection, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0   done
  1   the hub refused, or the id is not waiting (any more)
  4   nothing was sent
  64  wrong usage
  69  no hub is running";

/// How long an acknowledgement is valid, in seconds.
const ACK_LASTS: u64 = hotline_core::queue::ACK_LASTS_MS / 1000;

#[derive(Args)]
pub(crate) struct Ack {
    /// Which ask: req:3, or 3 for short
    #[arg(value_parser = super::request_id)]
    id: String,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct Answer {
    /// Which ask: req:3, or 3 for short
    #[arg(value_parser = super::request_id)]
    id: String,
    /// yes or no, the id of a choice, any text, or run
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
pub(crate) struct Cancel {
    /// Which ask: req:3, or 3 for short
    #[arg(value_parser = super::request_id)]
    id: String,
    /// Why, for the one who asked
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Ack {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let result = hub.call("agent.ask_ack", &json!({ "request_id": self.id }))?;
        let Acked { acked } = hub.read(&result)?;
        if self.json {
            out.json(&result)?;
        }
        match acked {
            true => Ok(acknowledged(&self.id, out)),
            false => Ok(not_waiting(&self.id, &mut hub, out)),
        }
    }
}

impl Answer {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let result = hub.call("agent.ask_answer", &json!({ "request_id": self.id, "value": self.value }));
        match result {
            Ok(result) => report(&result, &self.id, self.json, &mut hub, out),
            Err(Problem::Refused(refusal)) if refusal.kind == "ack_required" => {
                if confirm::is_possible() {
                    confirm::both_steps(&self.id, self.json, &mut hub, out)
                } else {
                    let texts = &out.words().ht;
                    let about = |text| fill(text, &[("id", &show::line(&self.id))]);
                    out.complain(&format!("{}\n{}", about(texts.ack_needed), about(texts.ack_needed_hint)));
                    Ok(Exit::Refused)
                }
            }
            Err(problem) => Err(problem),
        }
    }
}

impl Cancel {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let params =
            params([("request_id", Some(self.id.as_str().into())), ("reason", self.reason.map(Into::into))]);
        let result = hub.call("agent.ask_cancel", &params)?;
        report(&result, &self.id, self.json, &mut hub, out)
    }
}

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

fn acknowledged(id: &str, out: &Out) -> Exit {
    let time = words::duration(ACK_LASTS, out.language);
    out.remark(&fill(out.words().ht.acknowledged, &[("id", &show::line(id)), ("time", &time)]));
    Exit::Done
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
        None => fill(texts.unknown, &[("id", &id_shown)]),
    });
    Exit::Refused
}

/// The ask of that id in the history. An error there explains nothing, so it counts as none.
fn past(id: &str, hub: &mut Connection) -> Option<AskRecord> {
    let after = hotline_core::wire::ask::request_id(request_number(id)?.checked_add(1)?);
    let page: History = hub.get("agent.ask_history", &json!({ "limit": 1, "before": after })).ok()?;
    page.entries.into_iter().find(|record| record.request.request_id == id)
}

/// The ask of that id, if it waits.
pub(super) fn waiting(id: &str, hub: &mut Connection) -> Result<Option<AskUserRequest>, Problem> {
    let pending = super::pending::fetch(None, hub)?;
    Ok(pending.into_iter().find(|request| request.request_id == id))
}
