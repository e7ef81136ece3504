//! One ask in memory, and the slab that holds them all.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::gate::Process;
use super::surfaces::SurfaceSlot;
use super::{Asker, Tickets};
use crate::display::quoted;
use crate::wire::{AskUserRequest, CallError, Choice, ErrorKind, Kind, MAX_TEXT, NewAsk};

/// Most bytes in a text answer.
const MAX_ANSWER: usize = MAX_TEXT;

/// What an answer is checked against.
pub(super) enum Check {
    YesNo,
    Choice(Box<[Box<str>]>),
    Text,
    /// With every process that ever waited for it: none of them may approve it.
    Command(Vec<Process>),
}

impl Check {
    pub(super) fn new(kind: Kind, choices: Option<&[Choice]>) -> Self {
        match kind {
            Kind::YesNo => Self::YesNo,
            Kind::Choice => {
                Self::Choice(choices.into_iter().flatten().map(|choice| choice.id.as_str().into()).collect())
            }
            Kind::Text => Self::Text,
            Kind::ConfirmCommand => Self::Command(Vec::new()),
        }
    }
}

/// A waiting ask.
pub(super) struct Entry {
    pub(super) number: u64,
    /// The wire form, serialised once.
    pub(super) request: Arc<[u8]>,
    pub(super) key: Option<Arc<str>>,
    pub(super) tickets: Tickets,
    /// Boot time at which it times out.
    pub(super) timeout_at: Option<u64>,
    /// Boot time at which its absent asker is given up.
    pub(super) away_at: Option<u64>,
    pub(super) surface: SurfaceSlot,
    /// Neighbours on the same surface.
    pub(super) older: Option<Slot>,
    pub(super) newer: Option<Slot>,
    check: Check,
}

impl Entry {
    pub(super) fn new(number: u64, check: Check, request: Arc<[u8]>, key: Option<Arc<str>>) -> Self {
        Self {
            number,
            request,
            key,
            tickets: Tickets::new(),
            timeout_at: None,
            away_at: None,
            surface: SurfaceSlot::default(),
            older: None,
            newer: None,
            check,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self.check {
            Check::YesNo => Kind::YesNo,
            Check::Choice(_) => Kind::Choice,
            Check::Text => Kind::Text,
            Check::Command(_) => Kind::ConfirmCommand,
        }
    }

    /// Every process that ever waited for this command.
    pub(super) fn askers(&self) -> &[Process] {
        match &self.check {
            Check::Command(askers) => askers,
            Check::YesNo | Check::Choice(_) | Check::Text => &[],
        }
    }

    pub(super) fn join(&mut self, asker: &Asker) {
        self.tickets.push(asker.ticket);
        self.remember(asker.process);
    }

    /// Keeps a process that waited, if this is a command.
    pub(super) fn remember(&mut self, process: Option<Process>) {
        if let (Check::Command(askers), Some(process)) = (&mut self.check, process)
            && !askers.contains(&process)
        {
            askers.push(process);
        }
    }

    /// What its asker sent.
    pub(super) fn content(&self) -> NewAsk {
        let request: AskUserRequest = serde_json::from_slice(&self.request).expect("we wrote this JSON");
        request.content()
    }

    pub(super) fn deadlines(&self) -> impl Iterator<Item = u64> + use<> {
        [self.timeout_at, self.away_at].into_iter().flatten()
    }

    /// Whether `value` is an answer to this kind; the error says what would be one.
    pub(super) fn fits(&self, value: &str) -> Result<(), CallError> {
        let misfit = |message: String| Err(CallError::param("value", message));
        match &self.check {
            Check::YesNo if matches!(value, "yes" | "no") => Ok(()),
            Check::YesNo => misfit("\"value\" must be \"yes\" or \"no\".".into()),
            Check::Choice(ids) if ids.iter().any(|id| **id == *value) => Ok(()),
            Check::Choice(ids) => {
                let some: Vec<String> = ids.iter().take(12).map(|id| quoted(id)).collect();
                let more = if ids.len() > some.len() { ", …" } else { "" };
                misfit(format!("\"value\" must be the id of one of the choices: {}{more}.", some.join(", ")))
            }
            Check::Text if value.is_empty() => {
                misfit("\"value\" must not be empty: write an answer, or cancel the ask.".into())
            }
            Check::Text if value.len() > MAX_ANSWER => Err(CallError {
                kind: ErrorKind::TooLarge,
                message: format!(
                    "\"value\" is too long: {} bytes, where at most {MAX_ANSWER} fit.",
                    value.len()
                ),
                param: Some("value"),
            }),
            Check::Text => Ok(()),
            Check::Command(_) if value == "run" => Ok(()),
            Check::Command(_) => misfit("\"value\" must be \"run\", after \"ack\".".into()),
        }
    }
}

/// A place in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(std::num::NonZeroU32);

impl Slot {
    fn at(index: usize) -> Self {
        let index = u32::try_from(index + 1).ok().and_then(std::num::NonZeroU32::new);
        Self(index.expect("the queue's limit is far below 2^32"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Entries that keep their place; freed places are used again.
#[derive(Default)]
pub(super) struct Slots {
    entries: Vec<Option<Entry>>,
    free: Vec<Slot>,
}

impl Slots {
    pub(super) fn insert(&mut self, entry: Entry) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            Slot::at(self.entries.len() - 1)
        });
        self.entries[slot.index()] = Some(entry);
        slot
    }

    pub(super) fn free(&mut self, slot: Slot) -> Entry {
        self.free.push(slot);
        self.entries[slot.index()].take().expect("a slot is freed once")
    }
}

impl Index<Slot> for Slots {
    type Output = Entry;
    fn index(&self, slot: Slot) -> &Entry {
        self.entries[slot.index()].as_ref().expect("a linked slot is filled")
    }
}

impl IndexMut<Slot> for Slots {
    fn index_mut(&mut self, slot: Slot) -> &mut Entry {
        self.entries[slot.index()].as_mut().expect("a linked slot is filled")
    }
}
