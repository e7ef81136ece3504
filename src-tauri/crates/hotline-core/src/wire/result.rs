//! What calls return, apart from the asks themselves.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::ask::{AskRecord, AskUserRequest};
use super::event::EventChannel;

/// `agent.ask_pending`: what waits, oldest first. The hub writes it with [`super::reply::pending`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The asks.
    pub pending: Vec<AskUserRequest>,
}

/// `agent.ask_asker`: what the kernel says of the process that waits. Everything is absent that is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskerFacts {
    /// The process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Its program's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The process that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_pid: Option<u32>,
    /// That one's program's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_program: Option<String>,
    /// The folder it runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Its terminal, as `pts/3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
    /// Nobody waits now; when the ask is given up, in milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away_until: Option<u64>,
}

/// `agent.ask_ack`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acked {
    /// Whether the first step is done; false where the id is not waiting.
    pub acked: bool,
}

/// `agent.ask_answer` and `agent.ask_cancel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    /// Whether this call ended the ask; false where somebody was faster or the id never was.
    pub resolved: bool,
    /// With the value `ack` on a confirm-command: whether the first step is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acked: Option<bool>,
}

/// `agent.ask_history`: newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The asks and how they ended.
    pub entries: Vec<AskRecord>,
}

/// `events.subscribe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscribed {
    /// The channels that follow.
    pub subscribed: Vec<EventChannel>,
}

/// `notification.create`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notified {
    /// `notification:N`.
    pub id: String,
}

/// `system.version`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The program.
    pub name: Cow<'static, str>,
    /// Its version.
    pub version: Cow<'static, str>,
    /// The contract's version.
    pub protocol: u32,
}

/// `system.identify`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The caller's pane; null outside panes.
    pub surface_id: Option<String>,
    /// That pane's workspace; null outside panes.
    pub workspace_id: Option<String>,
    /// The hub's socket.
    pub socket_path: String,
}
