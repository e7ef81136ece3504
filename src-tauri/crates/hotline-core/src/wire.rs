//! What crosses a process boundary: types, methods, errors, and the way from a line to a call.
//!
//! A line is read in three steps: [`envelope`] finds the id, the dialect and the method; [`method`]
//! knows every method's members and their limits; [`call`] turns checked members into a [`Call`].
//! [`ask`], [`result`], [`event`] and [`error`] hold the types that travel; [`reply`] writes answers and events
//! in the dialect that was spoken.

pub mod ask;
pub mod call;
pub mod envelope;
pub mod error;
pub mod event;
pub mod fields;
pub mod method;
pub mod reply;
pub mod result;
mod schema;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;

pub use ask::{
    AskRecord, AskUserRequest, AskUserResponse, AskedAction, By, Channel, Choice, Kind, NewAsk,
    request_number,
};
pub use call::Call;
pub use envelope::{Dialect, Request};
pub use error::{CallError, ErrorKind};
pub use event::EventChannel;

/// The version of the wire contract, as `system.version` reports it.
pub const PROTOCOL: u32 = 1;
