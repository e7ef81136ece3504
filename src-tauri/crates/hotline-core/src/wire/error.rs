//! Why a call was refused: a stable word, its JSON-RPC code, and a sentence for a person.

use std::fmt;

use super::word::words;

words! {
    /// The stable word of an error, in `code` (plain) and `data.kind` (JSON-RPC 2.0).
    ///
    /// Clients match on it, never on the message.
    pub enum ErrorKind {
        /// The line is not one JSON object.
        ParseError = "parse_error",
        /// The object is not a request.
        InvalidRequest = "invalid_request",
        /// No method has that name.
        MethodNotFound = "method_not_found",
        /// A member of `params`, or an answer, does not fit.
        InvalidParams = "invalid_params",
        /// The hub failed; the log says why.
        Internal = "internal",
        /// A line or a text is over its limit.
        TooLarge = "too_large",
        /// The thing named does not exist.
        NotFound = "not_found",
        /// A command runs only after a fresh acknowledgement.
        AckRequired = "ack_required",
        /// The asker may not approve its own command.
        SelfAnswer = "self_answer",
        /// The idempotency key belongs to another ask, or its `run` already went out.
        IdempotencyConflict = "idempotency_conflict",
        /// Too much is waiting.
        QueueFull = "queue_full",
        /// This caller may not call this.
        Forbidden = "forbidden",
        /// What was decided could not be written down, so it did not happen.
        StorageUnavailable = "storage_unavailable",
        /// The hub is ending.
        ShuttingDown = "shutting_down",
    }
}

impl ErrorKind {
    /// The number in JSON-RPC 2.0's `error.code`.
    pub const fn code(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal => -32603,
            Self::TooLarge => -32010,
            Self::NotFound => -32011,
            Self::AckRequired => -32012,
            Self::SelfAnswer => -32013,
            Self::IdempotencyConflict => -32014,
            Self::QueueFull => -32015,
            Self::Forbidden => -32016,
            Self::StorageUnavailable => -32017,
            Self::ShuttingDown => -32018,
        }
    }
}

/// A refused call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    /// The stable word.
    pub kind: ErrorKind,
    /// An English sentence: what was wrong, what is expected.
    pub message: String,
    /// The member at fault, where there is one.
    pub param: Option<&'static str>,
}

impl CallError {
    /// An error that no single member caused.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), param: None }
    }

    /// An `invalid_params` about one member.
    pub fn param(name: &'static str, message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::InvalidParams, message: message.into(), param: Some(name) }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}
