//! `agent.ask_history`: read in slices between ticks, so that a long search holds up no answer.

use std::rc::Rc;

use hotline_core::wire::call::HistoryQuery;
use hotline_core::wire::result::History;
use hotline_core::wire::{AskRecord, CallError};

use super::Desk;
use crate::call::{self, ReplyTo};

/// Rows read at a time.
const SPAN: u64 = 2_000;

/// Replies with a part of the history.
pub(super) async fn search(desk: Rc<Desk>, to: Rc<ReplyTo>, query: HistoryQuery) {
    let found = records(&desk, &query).await;
    let reply = found.map(|entries| call::json(&History { entries }));
    desk.reply(&to, &reply);
    desk.flush();
}

async fn records(desk: &Desk, query: &HistoryQuery) -> Result<Vec<AskRecord>, CallError> {
    let mut before = call::before(query.before.as_deref())?;
    let mut records = Vec::new();
    loop {
        let slice = {
            let store = desk.keeper.store().await;
            let left = query.limit - records.len();
            store.history(before, SPAN, left, query.surface_id.as_deref(), query.agent_id.as_deref())
        };
        let slice = slice.map_err(|error| {
            tracing::error!(%error, "the history cannot be read");
            call::unreadable()
        })?;
        records.extend(slice.records);
        match slice.next_before {
            Some(next) if records.len() < query.limit => before = next,
            Some(_) | None => return Ok(records),
        }
        tokio::task::yield_now().await;
    }
}
