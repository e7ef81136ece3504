//! Who waits for an ask, and what the queue's calls cause.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Process;
use crate::wire::{AskUserResponse, By};

/// Names one waiting call at its transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u32);

/// Some of them, nearly always one.
pub type Tickets = SmallVec<[Ticket; 2]>;

/// Who waits for the response.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    /// Where to send it.
    pub ticket: Ticket,
    /// How many asks wait on the same connection already.
    pub others: usize,
    /// The asking process, where the kernel named one.
    pub process: Option<Process>,
}

/// What [`Queue::ask`] did.
#[derive(Debug)]
pub enum Asked {
    /// A new ask waits; this is its wire form.
    New(u64, Arc<[u8]>),
    /// The key's ask waits already; the asker joined it.
    Joined(u64),
    /// The key's ask has ended; its record holds the response. Pass it to [`replay`].
    Settled(u64),
}

/// How an ask ended, and whom to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The N of `req:N`.
    pub number: u64,
    /// What the askers hear.
    pub response: AskUserResponse,
    /// Who ended it.
    pub by: By,
    /// When, in milliseconds since the epoch.
    pub at: u64,
    /// The calls that wait for it.
    pub tickets: Tickets,
    /// Whether a command runs because of it.
    pub runs: bool,
}

/// What [`Queue::hang_up`] did.
#[derive(Debug, PartialEq, Eq)]
pub enum HungUp {
    /// That call was not waiting: its ask ended before.
    NotWaiting,
    /// The ask waits on, for its other askers or for this one to come back.
    Waits,
    /// The ask ended with its asker.
    Ended(Ended),
}
