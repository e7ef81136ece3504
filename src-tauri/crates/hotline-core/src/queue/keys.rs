//! Idempotency keys: what lets an asker come back to its ask, and to its answer.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::wire::{AskUserRequest, AskUserResponse, AskedAction, CallError, ErrorKind, Kind, NewAsk};

/// How long a settled key is remembered, in milliseconds (`protocol.md` §3.4).
pub const KEY_LASTS_MS: u64 = 24 * 60 * 60 * 1000;

/// Every key that waits or was settled within [`KEY_LASTS_MS`].
#[derive(Default)]
pub(super) struct Keys {
    numbers: HashMap<Arc<str>, u64>,
    /// Settled keys with their wall time, oldest first.
    settled: VecDeque<(u64, Arc<str>)>,
}

impl Keys {
    /// The ask that a key named.
    pub(super) fn get(&self, key: &str) -> Option<u64> {
        self.numbers.get(key).copied()
    }

    /// A new ask has this key.
    pub(super) fn insert(&mut self, key: &Arc<str>, number: u64) {
        self.numbers.insert(Arc::clone(key), number);
    }

    /// The ask of this key never was.
    pub(super) fn remove(&mut self, key: &str) {
        self.numbers.remove(key);
    }

    /// The ask of this key ended.
    pub(super) fn settle(&mut self, key: Arc<str>, at: u64) {
        self.settled.push_back((at, key));
    }

    /// The ask that ended last waits again.
    pub(super) fn unsettle(&mut self) {
        self.settled.pop_back();
    }

    /// Forgets the keys that were settled long enough before this wall time.
    pub(super) fn forget_old(&mut self, wall: u64) {
        while self.settled.front().is_some_and(|(at, _)| at.saturating_add(KEY_LASTS_MS) <= wall) {
            if let Some((_, key)) = self.settled.pop_front() {
                self.numbers.remove(&key);
            }
        }
    }

    /// The oldest ask whose key was settled and is remembered.
    pub(super) fn oldest_settled(&self) -> Option<u64> {
        self.settled.iter().filter_map(|(_, key)| self.get(key)).min()
    }
}

/// Whether an asker may have the response of a settled ask: it has to ask the same again.
///
/// A `run` goes out once: after that the key is used up.
pub fn replay(
    new: &NewAsk,
    stored: &AskUserRequest,
    response: &AskUserResponse,
    is_used_up: bool,
) -> Result<(), CallError> {
    same(&stored.content(), new)?;
    let is_run = stored.kind == Kind::ConfirmCommand && response.action == AskedAction::Ok;
    if is_run && is_used_up {
        let message = "The run under this idempotency_key went out already: ask again with a new key.";
        return Err(conflict(message));
    }
    Ok(())
}

/// Refuses another question under a key that is taken.
pub(super) fn same(stored: &NewAsk, new: &NewAsk) -> Result<(), CallError> {
    // No timeout and a timeout of 0 say the same.
    let waits = |ask: &NewAsk| NewAsk { timeout_ms: ask.timeout_ms.filter(|&ms| ms > 0), ..ask.clone() };
    if waits(stored) == waits(new) {
        return Ok(());
    }
    Err(conflict("Its idempotency_key belongs to another ask: use a new key for a new question."))
}

fn conflict(message: &str) -> CallError {
    CallError {
        kind: ErrorKind::IdempotencyConflict,
        message: message.into(),
        param: Some("idempotency_key"),
    }
}
