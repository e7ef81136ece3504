//! Who may approve a command, and the two steps that it takes.

use smol_str::{SmolStr, format_smolstr};

use super::{Now, Rules};
use crate::wire::{CallError, Channel, ErrorKind};

/// How long an acknowledgement opens the gate, in milliseconds (`protocol.md` §3.2).
pub const ACK_LASTS_MS: u64 = 120_000;

/// A process as the kernel knows it; the start time tells it from a later one with the same pid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its pid.
    pub pid: u32,
    /// Its start, in clock ticks since boot.
    pub start: u64,
    /// Its session, named by the session leader's pid.
    pub session: u32,
}

/// Where an acknowledgement or answer comes from, as far as the kernel tells.
#[derive(Clone, Copy, Debug)]
pub enum Lineage<'a> {
    /// A view of ours, such as the dialog: no process stands behind it.
    View,
    /// A process, then its parent, and so on up.
    Processes {
        /// From the caller upwards; never empty.
        processes: &'a [Process],
        /// Whether one of them runs in an agent's pane.
        in_agent_pane: bool,
    },
    /// A process that could not be looked at; it is trusted with no command.
    Unknown,
}

/// Who acts: the door, the person, and what the kernel says.
#[derive(Clone, Copy, Debug)]
pub struct Who<'a> {
    /// The door.
    pub channel: Channel,
    /// The person at that door.
    pub person: &'a str,
    /// The view that the person looks at, empty where the door has none: both steps have to come from one.
    pub view: &'a str,
    /// The process behind it.
    pub lineage: Lineage<'a>,
}

/// A person said at this door that a command was read.
pub(super) struct Ack {
    channel: Channel,
    person: Box<str>,
    view: Box<str>,
    at: u64,
}

impl Ack {
    pub(super) fn new(who: &Who<'_>, now: Now) -> Self {
        Self { channel: who.channel, person: who.person.into(), view: who.view.into(), at: now.boot }
    }

    pub(super) fn is_by(&self, who: &Who<'_>) -> bool {
        (self.channel, &*self.person, &*self.view) == (who.channel, who.person, who.view)
    }
}

/// Refuses an act on a command by a process that asked for it, by a child of one, or from an agent's pane.
pub(super) fn not_by_its_asker(rules: Rules, askers: &[Process], who: &Who<'_>) -> Result<(), CallError> {
    if rules.self_answer {
        return Ok(());
    }
    let problem = match who.lineage {
        Lineage::View => return Ok(()),
        Lineage::Unknown => "The process that called could not be identified",
        Lineage::Processes { in_agent_pane: true, .. } => "This call comes from an agent's pane",
        Lineage::Processes { processes, in_agent_pane: false } => {
            let same = |one: &Process, other: &Process| (one.pid, one.start) == (other.pid, other.start);
            if !processes.iter().any(|process| askers.iter().any(|asker| same(asker, process))) {
                return Ok(());
            }
            "This call comes from the process that asked, or from a child of it"
        }
    };
    let message = format!(
        "{problem}, and no agent approves its own command. Answer it in the app or from another terminal; \
         the setting self_answer = \"allow\" lifts this."
    );
    Err(CallError::new(ErrorKind::SelfAnswer, message))
}

/// Requires a fresh acknowledgement by the same person at the same door.
pub(super) fn is_open(acks: &[Ack], request_id: &str, who: &Who<'_>, now: Now) -> Result<(), CallError> {
    let fresh = |ack: &Ack| ack.is_by(who) && now.boot.saturating_sub(ack.at) <= ACK_LASTS_MS;
    if acks.iter().any(fresh) {
        return Ok(());
    }
    let message = format!(
        "{request_id} runs a command, so it takes two steps: acknowledge it with agent.ask_ack, then answer \
         run within {} minutes.",
        ACK_LASTS_MS / 60_000
    );
    Err(CallError::new(ErrorKind::AckRequired, message))
}

/// The person's name for the history, marked where the answer came from the asker's own session.
pub(super) fn named(askers: &[Process], who: &Who<'_>) -> SmolStr {
    let own_session = match who.lineage {
        Lineage::Processes { processes: [caller, ..], .. } => {
            askers.iter().any(|asker| asker.session == caller.session)
        }
        Lineage::Processes { .. } | Lineage::View | Lineage::Unknown => false,
    };
    match own_session {
        true => format_smolstr!("{} (in the asker's own terminal session)", who.person),
        false => who.person.into(),
    }
}
