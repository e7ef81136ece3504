//! Who calls: a process on the socket, as the kernel names it, or a view of ours that a person looks at.

use std::io;

use hotline_core::queue::{Lineage, Process, Who};
use hotline_core::wire::Channel;
use tokio::net::UnixStream;

use crate::process;

/// Who is at the other end of a connection.
#[derive(Clone, Debug)]
pub(crate) enum Caller {
    /// A process of this user on the socket.
    Process(Peer),
    /// A view, such as the window.
    View(View),
}

/// A process, as the kernel named it when it connected.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// 0 for one outside of the hub's container (SO_PEERCRED in pid_namespaces(7)).
    pub(crate) pid: u32,
    /// None where it is outside, or had ended before it could be looked at.
    pub(crate) process: Option<Process>,
}

/// A view of the hub: the door that a person uses, and who the person is there.
#[derive(Clone, Debug)]
pub struct View {
    /// The door.
    pub channel: Channel,
    /// The person, for the history.
    pub person: String,
    /// Tells this view from others: both steps to run a command have to come from one.
    pub name: String,
}

impl Peer {
    /// Who connected; none, with a line in the log, for another user's process.
    pub(crate) fn of(stream: &UnixStream) -> io::Result<Option<Self>> {
        let peer = stream.peer_cred()?;
        if peer.uid() != rustix::process::geteuid().as_raw() {
            tracing::warn!(uid = peer.uid(), "a process of another user was turned away");
            return Ok(None);
        }
        let pid = peer.pid().unwrap_or_default().cast_unsigned();
        Ok(Some(Self { pid, process: process::look(pid) }))
    }
}

impl Caller {
    /// The pid of the process, if it is one and the kernel has a number for it here.
    pub(crate) fn pid(&self) -> Option<u32> {
        match self {
            Self::Process(peer) => Some(peer.pid).filter(|pid| *pid != 0),
            Self::View(_) => None,
        }
    }

    /// The process, where it is one and is known.
    pub(crate) fn process(&self) -> Option<Process> {
        match self {
            Self::Process(peer) => peer.process,
            Self::View(_) => None,
        }
    }

    /// Whether this is a process of which nothing could be found out.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Self::Process(Peer { process: None, .. }))
    }

    /// Its parents and theirs, looked up only where it matters.
    pub(crate) fn lineage(&self) -> Option<Vec<Process>> {
        let Self::Process(peer) = self else { return None };
        // The pid may be another process's by now: the line counts only if it begins with the one that connected.
        let began = |line: &Vec<Process>| line.first().is_some_and(|first| Some(*first) == peer.process);
        process::lineage(peer.pid).filter(began)
    }

    /// What this caller is to the queue; on the socket the person is `owner`, the user whose socket it is.
    pub(crate) fn who<'a>(&'a self, owner: &'a str, lineage: Option<&'a [Process]>) -> Who<'a> {
        match (self, lineage) {
            (Self::View(view), _) => {
                Who { channel: view.channel, person: &view.person, view: &view.name, lineage: Lineage::View }
            }
            (Self::Process(_), None) => {
                Who { channel: Channel::Cli, person: owner, view: "", lineage: Lineage::Unknown }
            }
            (Self::Process(_), Some(processes)) => {
                let lineage = Lineage::Processes { processes, in_agent_pane: false };
                Who { channel: Channel::Cli, person: owner, view: "", lineage }
            }
        }
    }
}

/// The login name of a user id, or `uid N`.
pub(crate) fn user_name(uid: u32) -> String {
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| format!("uid {uid}"))
}
