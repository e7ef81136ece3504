//! The one door: a call and who makes it in, what it causes out. No transport decides anything.

mod turn;

use std::borrow::Cow;
use std::rc::Rc;

use hotline_core::wire::event::NotificationEvent;
use hotline_core::wire::reply::{self, push_json, write_error, write_result};
use hotline_core::wire::result;
use hotline_core::wire::{
    Call, CallError, Dialect, ErrorKind, EventChannel, PROTOCOL, Request, capabilities,
};
use serde::Serialize;
use smol_str::SmolStr;
pub(crate) use turn::{Batch, Says, Turn};

use crate::hub::Desk;
use crate::socket::Connection;

/// Where a reply goes.
pub(crate) struct ReplyTo {
    pub(crate) connection: Rc<Connection>,
    pub(crate) dialect: Dialect,
    pub(crate) id: Option<SmolStr>,
    /// A notification of JSON-RPC 2.0 gets no reply.
    pub(crate) silent: bool,
}

/// Takes one line of a connection: replies at once, or stages it for the next tick.
pub(crate) fn line(desk: &Rc<Desk>, connection: &Rc<Connection>, line: &[u8]) {
    let request = match Request::parse(line) {
        Ok(request) => request,
        Err(refused) => {
            connection.push(None, |out| write_error(out, refused.dialect, refused.id, &refused.error));
            return;
        }
    };
    let refuse = |error: &CallError| {
        if !request.is_notification {
            connection.push(None, |out| write_error(out, request.dialect, request.id, error));
        }
    };
    if desk.is_stopping() {
        let message = "The hub is ending. Try again when it runs again.";
        return refuse(&CallError::new(ErrorKind::ShuttingDown, message));
    }
    let call = match Call::parse(&request) {
        Ok(call) => call,
        Err(error) => return refuse(&error),
    };
    if let Some(result) = at_once(desk, &call) {
        if !request.is_notification {
            connection.push(None, |out| {
                write_result(out, request.dialect, request.id, |out| out.extend_from_slice(&result));
            });
        }
        return;
    }
    connection.owes();
    let to = ReplyTo {
        connection: Rc::clone(connection),
        dialect: request.dialect,
        id: request.id.map(Into::into),
        silent: request.is_notification,
    };
    desk.stage(Rc::new(to), call);
}

/// The result of a call that touches neither queue nor store.
fn at_once(desk: &Rc<Desk>, call: &Call) -> Option<Json> {
    match call {
        Call::Ping => Some(b"\"PONG\"".into()),
        Call::Version => Some(json(&result::Version {
            name: "hotline".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL,
        })),
        Call::Capabilities => Some(capabilities().into()),
        // Panes come with the window; until then no caller runs in one.
        Call::Identify => Some(json(&result::Identity {
            surface_id: None,
            workspace_id: None,
            socket_path: desk.socket_path().to_owned(),
        })),
        Call::Notify { title, body, level, surface_id } => {
            let id = desk.next_notification();
            let event = NotificationEvent::Created {
                id: id.clone(),
                title: title.clone(),
                body: body.clone(),
                level: *level,
                surface_id: surface_id.clone(),
            };
            desk.tell(EventChannel::NotificationEvent, &reply::created(&event));
            desk.flush();
            Some(json(&result::Notified { id }))
        }
        Call::Ask { .. }
        | Call::Pending { .. }
        | Call::Asker { .. }
        | Call::Ack { .. }
        | Call::Answer { .. }
        | Call::Cancel { .. }
        | Call::History(_)
        | Call::Subscribe { .. } => None,
    }
}

/// The error where something could not be written.
pub(crate) fn unavailable() -> CallError {
    let message =
        "The hub could not write this down, so it did not happen. Free some disk space and try again.";
    CallError::new(ErrorKind::StorageUnavailable, message)
}

/// The error where something could not be read.
pub(crate) fn unreadable() -> CallError {
    let message =
        "The hub could not read its store; its log says why. A damaged store is mended when the hub starts.";
    CallError::new(ErrorKind::StorageUnavailable, message)
}

/// A result as JSON.
pub(crate) type Json = Cow<'static, [u8]>;

pub(crate) fn json<T: Serialize>(value: &T) -> Json {
    // Most values fit, so that the buffer need not grow step by step.
    let mut out = Vec::with_capacity(192);
    push_json(&mut out, value);
    out.into()
}
