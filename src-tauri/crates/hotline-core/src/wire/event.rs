//! What subscribers hear.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::ask::{AskUserRequest, AskUserResponse, By};
use super::word::words;

words! {
    /// A stream of events that can be followed.
    pub enum EventChannel {
        /// Asks shown and resolved.
        AskUserEvent = "askUserEvent",
        /// Panes and workspaces.
        AgentEvent = "agentEvent",
        /// The agents' mail.
        MeshEvent = "meshEvent",
        /// What `notification.create` told.
        NotificationEvent = "notificationEvent",
    }
}

/// An event as a subscriber reads it, told apart by `channel`; its `seq` is passed over.
///
/// The channels of panes and mail carry nothing yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "channel", rename_all = "camelCase")]
pub enum Event {
    /// Asks shown and resolved.
    AskUserEvent(AskUserEvent),
    /// What `notification.create` told.
    NotificationEvent(NotificationEvent),
}

/// The payload of `askUserEvent`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum AskUserEvent {
    /// An ask landed in the queue.
    Shown {
        /// The ask.
        request: AskUserRequest,
    },
    /// An ask ended.
    Resolved {
        /// Which one.
        request_id: SmolStr,
        /// How.
        response: AskUserResponse,
        /// By whom.
        by: By,
    },
    /// Everything that waits, oldest first.
    Snapshot {
        /// The asks.
        pending: Vec<AskUserRequest>,
    },
}

words! {
    /// How serious a notification is.
    #[derive(Default)]
    pub enum Level {
        /// Good to know.
        #[default]
        Info = "info",
        /// Something worked.
        Success = "success",
        /// Something needs a look.
        Warn = "warn",
        /// Something failed.
        Error = "error",
    }
}

/// The payload of `notificationEvent`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum NotificationEvent {
    /// Somebody called `notification.create`.
    Created {
        /// `notification:N`, counted since the hub started.
        id: String,
        /// One line.
        title: String,
        /// Plain text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        body: Option<String>,
        /// How serious it is.
        level: Level,
        /// The place it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        surface_id: Option<SmolStr>,
    },
}
