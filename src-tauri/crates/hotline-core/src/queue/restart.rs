//! From one run of the hub to the next: what ends with it, what waits on, what a start has to look at.

use std::sync::Arc;

use super::entry::{Check, Entry, Slot};
use super::gate::Process;
use super::journal::Undo;
use super::{Ended, Now, Queue, system};
use crate::wire::{AskUserRequest, AskedAction, request_number};

/// A waiting ask read back from the store.
#[derive(Clone, Debug)]
pub struct Restored {
    /// What was asked.
    pub request: AskUserRequest,
    /// Its idempotency key.
    pub key: Option<Arc<str>>,
    /// Of a command: the processes that ever waited for it.
    pub askers: Vec<Process>,
}

impl Queue {
    /// The hub ends: asks without a key end with it, those with one stay for its next start.
    pub fn shut_down(&mut self, now: Now) -> Vec<Ended> {
        let unkeyed = |(_, &slot): (&u64, &Slot)| self.slots[slot].key.is_none().then_some(slot);
        let unkeyed: Vec<Slot> = self.by_number.iter().filter_map(unkeyed).collect();
        let reason = || Some("hub shutting down".to_owned());
        let end =
            |slot| self.end(slot, AskedAction::Cancel, None, reason(), system("hub shutting down"), now);
        unkeyed.into_iter().map(end).collect()
    }

    /// Takes back what waited when the hub last ran, oldest first; what cannot wait on ends.
    pub fn restore(&mut self, asks: Vec<Restored>, now: Now) -> Vec<Ended> {
        let mut ended = Vec::new();
        for ask in asks {
            let request = &ask.request;
            let Some(number) = request_number(&request.request_id) else { continue };
            let waited = now.wall.saturating_sub(request.created_at);
            let left = request.timeout_ms.filter(|&ms| ms > 0).map(|ms| ms.saturating_sub(waited));
            let keyed = ask.key.is_some();
            let surface_id = request.surface_id.clone();
            let check = Check::new(request.kind, request.choices.as_deref());
            let json = serde_json::to_vec(request).expect("an ask always serialises into memory");
            let mut entry = Entry::new(number, check, json.into(), ask.key);
            entry.timeout_at = left.map(|ms| now.boot.saturating_add(ms));
            ask.askers.into_iter().for_each(|asker| entry.remember(Some(asker)));
            let slot = self.insert(entry, &surface_id);
            self.journal.push(Undo::Asked(slot));
            if keyed {
                self.set_away(slot, Some(now.boot.saturating_add(self.rules.away_ms)));
            } else {
                let reason = Some("hub restarted".into());
                ended.push(self.end(slot, AskedAction::Cancel, None, reason, system("hub restarted"), now));
            }
        }
        ended.extend(self.expire(now));
        ended
    }

    /// Remembers keys that were settled before a restart, as `(wall time, key, number)`, oldest first.
    pub fn restore_keys(&mut self, keys: Vec<(u64, Arc<str>, u64)>) {
        for (at, key, number) in keys {
            self.keys.insert(&key, number);
            self.keys.settle(key, at);
        }
    }

    /// The oldest ask that a restart has to look at: nothing before it waits or has a key in use.
    pub fn floor(&self) -> u64 {
        let oldest = self.by_number.keys().next().copied().unwrap_or(self.next);
        self.keys.oldest_settled().map_or(oldest, |keyed| keyed.min(oldest))
    }
}
