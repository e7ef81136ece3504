//! What crosses a process boundary: types, methods, errors, and the way from a line to a call.
//!
//! A line is read in three steps: `envelope` finds the id, the dialect and the method; `method` knows every
//! method's members and their limits, and `fields` checks them; [`call`] turns them into a [`Call`]. `ask`,
//! [`event`], [`result`] and `error` hold the types that travel; [`reply`] writes answers and events in the
//! dialect that was spoken.

mod ask;
pub mod call;
mod envelope;
mod error;
pub mod event;
mod fields;
mod method;
mod raw;
pub mod reply;
pub mod result;
mod schema;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;
mod word;

pub use ask::{
    AskRecord, AskUserRequest, AskUserResponse, AskedAction, By, Channel, Choice, Kind, NewAsk, request_id,
    request_number,
};
pub use call::Call;
pub use envelope::{Dialect, Refused, Request};
pub use error::{CallError, ErrorKind};
pub use event::EventChannel;
pub use method::MAX_TEXT;
pub use schema::capabilities;

/// The version of the wire contract, as `system.version` reports it.
pub const PROTOCOL: u32 = 1;
