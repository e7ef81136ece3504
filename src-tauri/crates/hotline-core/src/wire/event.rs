//! What subscribers hear.

use serde::{Deserialize, Serialize};

use super::ask::{AskUserRequest, AskUserResponse, By};

/// A stream of events that can be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EventChannel {
    /// Asks shown and resolved.
    AskUserEvent,
    /// Panes and workspaces.
    AgentEvent,
    /// The agents' mail.
    MeshEvent,
    /// What `notification.create` told.
    NotificationEvent,
}

impl EventChannel {
    /// Every channel's name.
    pub const WORDS: &'static [&'static str] =
        &["askUserEvent", "agentEvent", "meshEvent", "notificationEvent"];
    /// Every channel, in the order of [`Self::WORDS`].
    pub const ALL: [Self; 4] =
        [Self::AskUserEvent, Self::AgentEvent, Self::MeshEvent, Self::NotificationEvent];

    /// The name on the wire.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// The channel of that exact name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.word() == word)
    }
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
        request_id: String,
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

/// How serious a notification is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    #[default]
    Info,
    /// Something worked.
    Success,
    /// Something needs a look.
    Warn,
    /// Something failed.
    Error,
}

impl Level {
    /// Every level's word.
    pub const WORDS: &'static [&'static str] = &["info", "success", "warn", "error"];

    /// The level of that exact word.
    pub fn from_word(word: &str) -> Option<Self> {
        let levels = [Self::Info, Self::Success, Self::Warn, Self::Error];
        Self::WORDS.iter().position(|known| *known == word).map(|at| levels[at])
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
        surface_id: Option<String>,
    },
}
