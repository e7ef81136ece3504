//! Why a call was refused: a stable word, its JSON-RPC code, and a sentence for a person.

use std::fmt;

/// The stable word of an error; clients match on it, never on the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The line is not one JSON object.
    ParseError,
    /// The object is not a request.
    InvalidRequest,
    /// No method has that name.
    MethodNotFound,
    /// A member of `params`, or an answer, does not fit.
    InvalidParams,
    /// The hub failed; the log says why.
    Internal,
    /// A line or a text is over its limit.
    TooLarge,
    /// The thing named does not exist.
    NotFound,
    /// A command runs only after a fresh acknowledgement.
    AckRequired,
    /// The asker may not approve its own command.
    SelfAnswer,
    /// The idempotency key belongs to another ask, or its `run` already went out.
    IdempotencyConflict,
    /// Too much is waiting.
    QueueFull,
    /// This caller may not call this.
    Forbidden,
    /// What was decided could not be written down, so it did not happen.
    StorageUnavailable,
    /// The hub is ending.
    ShuttingDown,
}

impl ErrorKind {
    /// Every kind, in the contract's order.
    pub const ALL: [Self; 14] = [
        Self::ParseError,
        Self::InvalidRequest,
        Self::MethodNotFound,
        Self::InvalidParams,
        Self::Internal,
        Self::TooLarge,
        Self::NotFound,
        Self::AckRequired,
        Self::SelfAnswer,
        Self::IdempotencyConflict,
        Self::QueueFull,
        Self::Forbidden,
        Self::StorageUnavailable,
        Self::ShuttingDown,
    ];

    /// The word in `code` (plain) and `data.kind` (JSON-RPC 2.0).
    pub const fn word(self) -> &'static str {
        match self {
            Self::ParseError => "parse_error",
            Self::InvalidRequest => "invalid_request",
            Self::MethodNotFound => "method_not_found",
            Self::InvalidParams => "invalid_params",
            Self::Internal => "internal",
            Self::TooLarge => "too_large",
            Self::NotFound => "not_found",
            Self::AckRequired => "ack_required",
            Self::SelfAnswer => "self_answer",
            Self::IdempotencyConflict => "idempotency_conflict",
            Self::QueueFull => "queue_full",
            Self::Forbidden => "forbidden",
            Self::StorageUnavailable => "storage_unavailable",
            Self::ShuttingDown => "shutting_down",
        }
    }

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
