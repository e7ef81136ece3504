//! An ask and its ending, as the seed page `agent.*` spells them.

use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};

use super::reply::{push_json, push_texts};
use super::word::words;

words! {
    /// What kind of answer an ask wants.
    pub enum Kind {
        /// `yes` or `no`.
        YesNo = "yesno",
        /// The id of one of the offered choices.
        Choice = "choice",
        /// Any text that is not empty.
        Text = "text",
        /// `run`, after a fresh acknowledgement.
        ConfirmCommand = "confirm-command",
    }
}

/// One of the answers that a choice offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choice {
    /// What the asker gets; 1–200 characters, unique in its ask.
    pub id: String,
    /// What the person reads; up to 500 characters, the id where the asker gave none.
    pub label: String,
}

/// An ask as its asker sent it, checked, before the queue gave it a number: an [`AskUserRequest`] without
/// its first and its last member, in the same order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAsk {
    /// See [`AskUserRequest::surface_id`].
    pub surface_id: SmolStr,
    /// See [`AskUserRequest::agent_id`].
    pub agent_id: Option<SmolStr>,
    /// See [`AskUserRequest::kind`].
    pub kind: Kind,
    /// See [`AskUserRequest::title`].
    pub title: String,
    /// See [`AskUserRequest::body`].
    pub body: Option<String>,
    /// See [`AskUserRequest::choices`].
    pub choices: Option<Vec<Choice>>,
    /// See [`AskUserRequest::default`].
    pub default: Option<String>,
    /// See [`AskUserRequest::timeout_ms`].
    pub timeout_ms: Option<u64>,
    /// See [`AskUserRequest::is_unsafe`].
    pub is_unsafe: Option<bool>,
}

impl NewAsk {
    /// Appends its wire form, an [`AskUserRequest`], once the queue has given a number and the time.
    pub fn push_request(&self, out: &mut Vec<u8>, number: u64, created_at: u64) {
        out.extend_from_slice(b"{\"request_id\":\"req:");
        push_json(out, &number);
        out.push(b'"');
        push_texts(
            out,
            &[
                ("surface_id", Some(&self.surface_id)),
                ("agent_id", self.agent_id.as_deref()),
                ("kind", Some(self.kind.word())),
                ("title", Some(&self.title)),
                ("body", self.body.as_deref()),
            ],
        );
        if let Some(choices) = &self.choices {
            out.extend_from_slice(b",\"choices\":");
            push_json(out, choices);
        }
        push_texts(out, &[("default", self.default.as_deref())]);
        if let Some(timeout) = self.timeout_ms {
            out.extend_from_slice(b",\"timeout_ms\":");
            push_json(out, &timeout);
        }
        if let Some(is_unsafe) = self.is_unsafe {
            out.extend_from_slice(b",\"unsafe\":");
            push_json(out, &is_unsafe);
        }
        out.extend_from_slice(b",\"created_at\":");
        push_json(out, &created_at);
        out.push(b'}');
    }

    /// What [`Self::push_request`] appends, as a value.
    #[cfg(test)]
    pub(crate) fn into_request(self, number: u64, created_at: u64) -> AskUserRequest {
        AskUserRequest {
            request_id: request_id(number),
            surface_id: self.surface_id,
            agent_id: self.agent_id,
            kind: self.kind,
            title: self.title,
            body: self.body,
            choices: self.choices,
            default: self.default,
            timeout_ms: self.timeout_ms,
            is_unsafe: self.is_unsafe,
            created_at,
        }
    }
}

/// A waiting ask, exactly the seed's members; absent ones are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskUserRequest {
    /// `req:N`; N counts up and is never reused.
    pub request_id: SmolStr,
    /// The pane, terminal or other place that asked; 1–200 characters.
    pub surface_id: SmolStr,
    /// What the agent calls itself: a label, never an identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agent_id: Option<SmolStr>,
    /// What kind of answer is wanted.
    pub kind: Kind,
    /// One line, 1–500 characters.
    pub title: String,
    /// Plain text of at most 256 KiB, byte for byte; a confirm-command's command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub body: Option<String>,
    /// What a choice offers, in the asker's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub choices: Option<Vec<Choice>>,
    /// The answer to preselect or prefill; never submitted by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub default: Option<String>,
    /// Milliseconds until the ask ends as `timeout`; 0 or absent waits for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub timeout_ms: Option<u64>,
    /// The asker's word that the command is destructive; a sent `false` is kept.
    #[serde(default, rename = "unsafe", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub is_unsafe: Option<bool>,
    /// Milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number"))]
    pub created_at: u64,
}

impl AskUserRequest {
    /// What the asker sent, to compare a second ask under the same key with.
    pub fn content(&self) -> NewAsk {
        NewAsk {
            surface_id: self.surface_id.clone(),
            agent_id: self.agent_id.clone(),
            kind: self.kind,
            title: self.title.clone(),
            body: self.body.clone(),
            choices: self.choices.clone(),
            default: self.default.clone(),
            timeout_ms: self.timeout_ms,
            is_unsafe: self.is_unsafe,
        }
    }

    /// The command of a confirm-command: its body, or its title where it has none.
    pub fn command(&self) -> &str {
        self.body.as_deref().filter(|body| !body.is_empty()).unwrap_or(&self.title)
    }
}

/// `req:N`.
pub fn request_id(number: u64) -> SmolStr {
    format_smolstr!("req:{number}")
}

/// The N of `req:N`, written as the queue writes it; anything else names no ask.
pub fn request_number(id: &str) -> Option<u64> {
    let digits = id.strip_prefix("req:")?;
    let canonical = !digits.starts_with(['0', '+']) && digits.len() <= 19;
    canonical.then(|| digits.parse().ok()).flatten()
}

words! {
    /// How an ask ended.
    pub enum AskedAction {
        /// A person answered.
        Ok = "ok",
        /// Somebody cancelled it, or its asker went away.
        Cancel = "cancel",
        /// Its time ran out; nothing was answered for anybody.
        Timeout = "timeout",
    }
}

/// What `agent.ask_user` returns, exactly the seed's members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskUserResponse {
    /// The ask that ended.
    pub request_id: SmolStr,
    /// How it ended.
    pub action: AskedAction,
    /// The answer; only with `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<SmolStr>,
    /// Why; only with `cancel`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reason: Option<String>,
}

words! {
    /// The door that an answer came through.
    pub enum Channel {
        /// The app's own dialog.
        Modal = "modal",
        /// The local socket, as `ht` speaks it.
        Cli = "cli",
        /// The web mirror.
        Web = "web",
        /// The Telegram bridge.
        Telegram = "telegram",
        /// The hub itself: a timeout, a hang-up, a restart.
        System = "system",
    }
}

/// Who ended an ask, and through which door.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct By {
    /// The door.
    pub channel: Channel,
    /// The person or cause, in words for the history.
    pub who: SmolStr,
}

/// An ask in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskRecord {
    /// What was asked.
    #[serde(flatten)]
    pub request: AskUserRequest,
    /// How it ended; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub response: Option<AskUserResponse>,
    /// When it ended, in milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub resolved_at: Option<u64>,
    /// Who ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub by: Option<By>,
    /// When the kernel had taken the whole reply to the asker, in milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub delivered_at: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_that_is_pushed_is_that_of_the_request() {
        let least = NewAsk {
            surface_id: "a\"b".into(),
            agent_id: None,
            kind: Kind::YesNo,
            title: "é\u{202e}".into(),
            body: None,
            choices: None,
            default: None,
            timeout_ms: None,
            is_unsafe: None,
        };
        let most = NewAsk {
            agent_id: Some("builder".into()),
            kind: Kind::Choice,
            body: Some("line\n{}".into()),
            choices: Some(vec![Choice { id: "x".into(), label: "}".into() }]),
            default: Some("x".into()),
            timeout_ms: Some(0),
            is_unsafe: Some(false),
            ..least.clone()
        };
        for ask in [least, most] {
            let mut json = b"before".to_vec();
            ask.push_request(&mut json, 12, 1_700_000_000_000);
            let request = serde_json::to_vec(&ask.clone().into_request(12, 1_700_000_000_000)).unwrap();
            assert_eq!(json, [b"before", &request[..]].concat());
        }
    }
}
