//! What a staged call changed, to undo it in reverse.

use super::Ticket;
use super::entry::Slot;

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
