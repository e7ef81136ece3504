//! `agent.ask_history`: read in slices between ticks, so that a long search holds up no answer.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use anyhow::Result;

use hotline_core::wire::call::HistoryQuery;
use hotline_core::wire::result::History;
use hotline_core::wire::{AskRecord, CallError, ErrorKind};
use tokio::sync::Notify;

use super::Desk;
use crate::call::{self, ReplyTo};

/// Rows read at a time.
const SPAN: u64 = 2_000;
/// Most searches that wait for their turn.
const MAX_WAITING: usize = 1_000;

/// Searches that wait for their turn: one goes on at a time, however many are asked for.
#[derive(Default)]
pub(super) struct Searches {
    waiting: RefCell<VecDeque<(Rc<ReplyTo>, HistoryQuery)>>,
    added: Notify,
}

impl Searches {
    /// Adds one; false where too many wait already.
    pub(super) fn add(&self, to: Rc<ReplyTo>, query: HistoryQuery) -> bool {
        let mut waiting = self.waiting.borrow_mut();
        let fits = waiting.len() < MAX_WAITING;
        if fits {
            waiting.push_back((to, query));
            self.added.notify_one();
        }
        fits
    }

    async fn next(&self) -> (Rc<ReplyTo>, HistoryQuery) {
        loop {
            let next = self.waiting.borrow_mut().pop_front();
            match next {
                Some((to, _)) if to.connection.is_closed() => {}
                Some(next) => return next,
                None => self.added.notified().await,
            }
        }
    }
}

/// The error where too many searches wait.
pub(super) fn too_many() -> CallError {
    let message = format!("{MAX_WAITING} searches of the history wait already. Try again in a moment.");
    CallError::new(ErrorKind::QueueFull, message)
}

/// Replies to one search after the other.
pub(super) async fn run(desk: Rc<Desk>) -> Result<()> {
    loop {
        let (to, query) = desk.searches.next().await;
        let found = records(&desk, &query).await;
        desk.reply(&to, &found.map(|entries| call::json(&History { entries })));
        desk.flush();
    }
}

async fn records(desk: &Desk, query: &HistoryQuery) -> Result<Vec<AskRecord>, CallError> {
    let mut before = query.before.unwrap_or(u64::MAX);
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
