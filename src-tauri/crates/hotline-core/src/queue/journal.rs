//! What staged calls changed: kept by a commit, undone in reverse by a rollback.

use super::entry::Slot;
use super::{Queue, Ticket};

pub(super) enum Undo {
    /// An ask was put in.
    Asked(Slot),
    /// An ask ended; `settled` where its key went to the settled ones.
    Ended { slot: Slot, settled: bool },
    /// A call joined an ask.
    Joined(Slot, Ticket),
    /// A call left an ask.
    Left(Slot, Ticket),
    /// The away limit changed from this.
    Away(Slot, Option<u64>),
}

impl Queue {
    /// Keeps what was staged since the last commit.
    pub fn commit(&mut self) {
        let journal = std::mem::take(&mut self.journal);
        for undo in &journal {
            if let Undo::Ended { slot, .. } = undo {
                let entry = self.slots.free(*slot);
                if !self.acks.is_empty() {
                    self.acks.remove(&entry.number);
                }
                self.surfaces.forget_if_empty(entry.surface);
            }
        }
        // The buffer is kept: a tick is small, and one follows another.
        self.journal = journal;
        self.journal.clear();
    }

    /// Undoes what was staged since the last commit; numbers are not given out again.
    pub fn rollback(&mut self) {
        let mut surfaces = Vec::new();
        while let Some(undo) = self.journal.pop() {
            match undo {
                Undo::Asked(slot) => {
                    self.unlink(slot);
                    let entry = self.slots.free(slot);
                    if let Some(key) = &entry.key {
                        self.keys.remove(key);
                    }
                    surfaces.push(entry.surface);
                }
                Undo::Ended { slot, settled } => {
                    self.relink(slot);
                    if settled {
                        self.keys.unsettle();
                    }
                }
                Undo::Joined(slot, ticket) => self.slots[slot].tickets.retain(|waiting| *waiting != ticket),
                Undo::Left(slot, ticket) => self.slots[slot].tickets.push(ticket),
                Undo::Away(slot, before) => self.change_away(slot, before),
            }
        }
        // Only now: an ask that is put back may need the surface of one that is taken out.
        for surface in surfaces {
            self.surfaces.forget_if_empty(surface);
        }
    }

    /// Takes an ask out of every list; its slot keeps its place in them until the commit.
    pub(super) fn unlink(&mut self, slot: Slot) {
        let entry = &self.slots[slot];
        for when in entry.deadlines() {
            self.deadlines.remove(&(when, entry.number));
        }
        self.by_number.remove(&entry.number);
        self.bytes -= entry.request.len();
        self.surfaces.unlink(slot, &mut self.slots);
    }

    /// Undoes [`Self::unlink`]; right only in reverse order, as in Knuth's dancing links.
    fn relink(&mut self, slot: Slot) {
        self.surfaces.relink(slot, &mut self.slots);
        self.count_in(slot);
    }
}
