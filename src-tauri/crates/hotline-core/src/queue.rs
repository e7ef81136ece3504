//! Asks waiting for a person, and the only place that decides how one ends.
//!
//! A value without I/O: each call takes the time and returns what it caused. Calls are staged until
//! [`Queue::commit`]; [`Queue::rollback`] undoes them when what they decided could not be written
//! down (acknowledgements, which are never written down, stay). The caller writes, commits, and only then shows or replies.

mod entry;
mod gate;
mod journal;
mod keys;
mod outcome;
mod restart;
mod surfaces;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use entry::{Check, Entry, Slot, Slots};
pub use gate::{ACK_LASTS_MS, Lineage, Process, Who};
use journal::Undo;
use keys::Keys;
pub use keys::{KEY_LASTS_MS, replay};
pub use outcome::{Asked, Asker, Ended, HungUp, Ticket, Tickets};
pub use restart::Restored;
use smol_str::SmolStr;
use surfaces::Surfaces;

use crate::wire::{
    AskUserResponse, AskedAction, By, CallError, Channel, ErrorKind, Kind, NewAsk, request_id, request_number,
};

/// Most asks that wait at once.
pub const MAX_PENDING: usize = 100_000;
/// Most asks that wait on one connection.
pub const MAX_PENDING_PER_ASKER: usize = 10_000;
/// Most bytes of waiting asks, as JSON.
pub const MAX_PENDING_BYTES: usize = 64 << 20;
/// Bytes from which a buffer is given back rather than kept.
const LARGE: usize = 4096;

/// The same moment on two clocks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Since the machine started, time asleep included: what deadlines are counted on.
    pub boot: u64,
    /// Since the epoch: what people read, and what survives a restart.
    pub wall: u64,
}

/// The rules that the person may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether a process may approve its own command.
    pub self_answer: bool,
    /// How long a keyed ask waits for its asker to come back, in milliseconds.
    pub away_ms: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { self_answer: false, away_ms: 60_000 }
    }
}

/// The asks that wait.
pub struct Queue {
    rules: Rules,
    next: u64,
    slots: Slots,
    by_number: BTreeMap<u64, Slot>,
    surfaces: Surfaces,
    /// `(boot time, number)` of every timeout and every away limit.
    deadlines: BTreeSet<(u64, u64)>,
    keys: Keys,
    acks: HashMap<u64, Vec<gate::Ack>>,
    bytes: usize,
    journal: Vec<Undo>,
    /// Where asks are serialised.
    scratch: Vec<u8>,
}

impl Queue {
    /// An empty queue whose first ask is `req:{next}`.
    pub fn new(rules: Rules, next: u64) -> Self {
        Self {
            rules,
            next,
            slots: Slots::default(),
            by_number: BTreeMap::new(),
            surfaces: Surfaces::default(),
            deadlines: BTreeSet::new(),
            keys: Keys::default(),
            acks: HashMap::new(),
            bytes: 0,
            journal: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Changes the rules for everything that comes after.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Puts an ask in the queue, or joins the one that its key names.
    pub fn ask(
        &mut self,
        new: &NewAsk,
        key: Option<&str>,
        asker: &Asker,
        now: Now,
    ) -> Result<Asked, CallError> {
        if asker.others >= MAX_PENDING_PER_ASKER {
            return Err(full(&format!("{MAX_PENDING_PER_ASKER} asks wait on this connection already")));
        }
        if let Some(number) = key.and_then(|key| self.keys.get(key)) {
            return self.rejoin(number, new, asker);
        }
        if self.by_number.len() >= MAX_PENDING {
            return Err(full(&format!("{MAX_PENDING} asks wait already")));
        }
        let number = self.next;
        let request = self.serialise(new, number, now.wall);
        if self.bytes + request.len() > MAX_PENDING_BYTES {
            return Err(full(&format!("{} MiB of asks wait already", MAX_PENDING_BYTES >> 20)));
        }
        self.next += 1;
        let check = Check::new(new.kind, new.choices.as_deref());
        let mut entry = Entry::new(number, check, Arc::clone(&request), key.map(Arc::from));
        let timeout = new.timeout_ms.filter(|&ms| ms > 0);
        entry.timeout_at = timeout.map(|ms| now.boot.saturating_add(ms));
        entry.join(asker);
        let slot = self.insert(entry, &new.surface_id);
        self.journal.push(Undo::Asked(slot));
        Ok(Asked::New(number, request))
    }

    /// Records that a person read a command; valid for [`ACK_LASTS_MS`]. False: it is not waiting.
    pub fn ack(&mut self, request_id: &str, who: &Who<'_>, now: Now) -> Result<bool, CallError> {
        let Some(slot) = self.find(request_id) else { return Ok(false) };
        let entry = &self.slots[slot];
        if entry.kind() != Kind::ConfirmCommand {
            let message =
                format!("{request_id} is a {}: only a confirm-command is acknowledged.", entry.kind().word());
            return Err(CallError::param("request_id", message));
        }
        gate::not_by_its_asker(self.rules, entry.askers(), who)?;
        let acks = self.acks.entry(entry.number).or_default();
        acks.retain(|ack| !ack.is_by(who));
        acks.push(gate::Ack::new(who, now));
        Ok(true)
    }

    /// Answers an ask. None: it is not waiting, so somebody was faster or it never was.
    pub fn answer(
        &mut self,
        request_id: &str,
        value: SmolStr,
        who: &Who<'_>,
        now: Now,
    ) -> Result<Option<Ended>, CallError> {
        let Some(slot) = self.find(request_id) else { return Ok(None) };
        let entry = &self.slots[slot];
        entry.fits(&value)?;
        if entry.kind() == Kind::ConfirmCommand {
            gate::not_by_its_asker(self.rules, entry.askers(), who)?;
            let acks = self.acks.get(&entry.number).map_or(&[][..], Vec::as_slice);
            gate::is_open(acks, request_id, who, now)?;
        }
        let by = By { channel: who.channel, who: gate::named(entry.askers(), who) };
        Ok(Some(self.end(slot, AskedAction::Ok, Some(value), None, by, now)))
    }

    /// Ends an ask without an answer. None: it is not waiting.
    pub fn cancel(&mut self, request_id: &str, reason: Option<String>, by: By, now: Now) -> Option<Ended> {
        let slot = self.find(request_id)?;
        Some(self.end(slot, AskedAction::Cancel, None, reason, by, now))
    }

    /// A waiting call went away. Without a key its ask ends with it; with one it waits a while.
    pub fn hang_up(&mut self, number: u64, ticket: Ticket, now: Now) -> HungUp {
        let Some(&slot) = self.by_number.get(&number) else { return HungUp::NotWaiting };
        let entry = &mut self.slots[slot];
        let Some(at) = entry.tickets.iter().position(|waiting| *waiting == ticket) else {
            return HungUp::NotWaiting;
        };
        entry.tickets.remove(at);
        self.journal.push(Undo::Left(slot, ticket));
        if !self.slots[slot].tickets.is_empty() {
            return HungUp::Waits;
        }
        if self.slots[slot].key.is_some() {
            let until = now.boot.saturating_add(self.rules.away_ms);
            self.set_away(slot, Some(until));
            return HungUp::Waits;
        }
        let reason = Some("asker disconnected".into());
        HungUp::Ended(self.end(slot, AskedAction::Cancel, None, reason, system("hang-up"), now))
    }

    /// Forgets the keys that were settled a day ago. The hub calls it before it decides anything.
    pub fn forget_old_keys(&mut self, now: Now) {
        self.keys.forget_old(now.wall);
    }

    /// Ends what ran out of time. The hub calls it before anything else in every tick.
    pub fn expire(&mut self, now: Now) -> Vec<Ended> {
        let mut ended = Vec::new();
        while let Some(&(when, number)) = self.deadlines.first().filter(|(when, _)| *when <= now.boot) {
            let slot = self.by_number[&number];
            let timed_out = self.slots[slot].timeout_at == Some(when);
            ended.push(if timed_out {
                self.end(slot, AskedAction::Timeout, None, None, system("timeout"), now)
            } else {
                let reason = Some("asker disconnected".into());
                self.end(slot, AskedAction::Cancel, None, reason, system("asker away"), now)
            });
        }
        ended
    }

    /// The asks that wait, as wire JSON, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &Arc<[u8]>> {
        self.by_number.values().map(|&slot| &self.slots[slot].request)
    }

    /// Those of one surface.
    pub fn pending_on(&self, surface_id: &str) -> impl Iterator<Item = &Arc<[u8]>> + use<'_> {
        self.surfaces.of(surface_id, &self.slots).map(|entry| &entry.request)
    }

    /// How many asks wait.
    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    /// The next boot time at which [`Self::expire`] has something to end.
    pub fn next_deadline(&self) -> Option<u64> {
        self.deadlines.first().map(|(when, _)| *when)
    }

    /// Whether the ask waits and is a command, so that who answers matters.
    pub fn is_command(&self, request_id: &str) -> bool {
        self.find(request_id).is_some_and(|slot| self.slots[slot].kind() == Kind::ConfirmCommand)
    }

    /// The calls that wait for an ask, and where none does, the boot time at which it is given up.
    pub fn waiting_for(&self, request_id: &str) -> (&[Ticket], Option<u64>) {
        self.find(request_id)
            .map_or((&[], None), |slot| (&self.slots[slot].tickets, self.slots[slot].away_at))
    }

    /// The id of the ask that a key named, waiting or settled.
    pub fn id_of_key(&self, key: &str) -> Option<SmolStr> {
        self.keys.get(key).map(request_id)
    }

    fn serialise(&mut self, new: &NewAsk, number: u64, created_at: u64) -> Arc<[u8]> {
        self.scratch.clear();
        new.push_request(&mut self.scratch, number, created_at);
        let json = self.scratch.as_slice().into();
        if self.scratch.capacity() > LARGE {
            self.scratch = Vec::new();
        }
        json
    }

    fn find(&self, id: &str) -> Option<Slot> {
        self.by_number.get(&request_number(id)?).copied()
    }

    fn rejoin(&mut self, number: u64, new: &NewAsk, asker: &Asker) -> Result<Asked, CallError> {
        let Some(&slot) = self.by_number.get(&number) else { return Ok(Asked::Settled(number)) };
        keys::same(&self.slots[slot].content(), new)?;
        self.set_away(slot, None);
        self.slots[slot].join(asker);
        self.journal.push(Undo::Joined(slot, asker.ticket));
        Ok(Asked::Joined(number))
    }

    fn insert(&mut self, entry: Entry, surface_id: &str) -> Slot {
        if let Some(key) = &entry.key {
            self.keys.insert(key, entry.number);
        }
        let number = entry.number;
        let slot = self.slots.insert(entry);
        self.surfaces.append(surface_id, slot, &mut self.slots);
        self.count_in(slot);
        self.next = self.next.max(number + 1);
        slot
    }

    fn end(
        &mut self,
        slot: Slot,
        action: AskedAction,
        value: Option<SmolStr>,
        reason: Option<String>,
        by: By,
        now: Now,
    ) -> Ended {
        self.unlink(slot);
        let entry = &self.slots[slot];
        let settled = entry.key.clone().map(|key| self.keys.settle(key, now.wall)).is_some();
        self.journal.push(Undo::Ended { slot, settled });
        Ended {
            number: entry.number,
            response: AskUserResponse { request_id: request_id(entry.number), action, value, reason },
            by,
            at: now.wall,
            tickets: entry.tickets.clone(),
            runs: entry.kind() == Kind::ConfirmCommand && action == AskedAction::Ok,
        }
    }

    fn set_away(&mut self, slot: Slot, until: Option<u64>) {
        let before = self.slots[slot].away_at;
        if before != until {
            self.journal.push(Undo::Away(slot, before));
            self.change_away(slot, until);
        }
    }

    fn change_away(&mut self, slot: Slot, until: Option<u64>) {
        let number = self.slots[slot].number;
        let keep = self.slots[slot].timeout_at;
        let before = std::mem::replace(&mut self.slots[slot].away_at, until);
        if let Some(when) = before.filter(|_| before != keep) {
            self.deadlines.remove(&(when, number));
        }
        if let Some(when) = until {
            self.deadlines.insert((when, number));
        }
    }

    fn count_in(&mut self, slot: Slot) {
        let entry = &self.slots[slot];
        self.by_number.insert(entry.number, slot);
        self.bytes += entry.request.len();
        self.deadlines.extend(entry.deadlines().map(|when| (when, entry.number)));
    }
}

fn system(who: &str) -> By {
    By { channel: Channel::System, who: who.into() }
}

fn full(what: &str) -> CallError {
    CallError::new(ErrorKind::QueueFull, format!("The queue is full: {what}. Answer or cancel some first."))
}
