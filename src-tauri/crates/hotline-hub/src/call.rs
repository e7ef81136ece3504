//! The one door: a call and who makes it in, what it causes out. No transport decides anything.

use std::rc::Rc;
use std::sync::Arc;

use hotline_core::queue::{self, Asked, Asker, Ended, Now, Queue, Ticket};
use hotline_core::wire::ask::request_number;
use hotline_core::wire::call::{HistoryQuery, Named, capabilities};
use hotline_core::wire::event::NotificationEvent;
use hotline_core::wire::reply::{push_json, write_error, write_result};
use hotline_core::wire::result::{self, AskerFacts};
use hotline_core::wire::{
    AskUserResponse, By, Call, CallError, Dialect, ErrorKind, EventChannel, Kind, NewAsk, PROTOCOL, Request,
};
use serde::Serialize;

use crate::hub::Desk;
use crate::process;
use crate::socket::Connection;
use crate::store::{Store, Write};

/// Where a reply goes.
pub(crate) struct ReplyTo {
    pub(crate) connection: Rc<Connection>,
    pub(crate) dialect: Dialect,
    pub(crate) id: Option<Box<str>>,
    /// A notification of JSON-RPC 2.0 gets no reply.
    pub(crate) silent: bool,
}

/// What calls caused, in order; released once it is written down.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) writes: Vec<Write>,
    pub(crate) says: Vec<Says>,
    /// Waiting calls made by this batch, to forget if it fails.
    pub(crate) tickets: Vec<Ticket>,
    /// Waiting calls whose asker is gone, to forget if it succeeds.
    pub(crate) left: Vec<Ticket>,
}

/// Something to tell.
pub(crate) enum Says {
    /// The result or error of a call.
    Reply(Rc<ReplyTo>, Result<Vec<u8>, CallError>),
    /// A stored response, to an asker that came back for it.
    Replay(Rc<ReplyTo>, u64, AskUserResponse),
    /// A new ask, to the subscribers.
    Shown(Arc<[u8]>),
    /// How an ask ended, to its askers and the subscribers.
    Ended(Ended),
    /// The start of a subscription.
    Subscribed(Rc<ReplyTo>, Vec<EventChannel>, Vec<Arc<[u8]>>),
    /// A search of the history, which goes on between ticks.
    LookBack(Rc<ReplyTo>, HistoryQuery),
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
    let call = match desk.is_stopping() {
        true => {
            Err(CallError::new(ErrorKind::ShuttingDown, "The hub is ending. Try again when it runs again."))
        }
        false => Call::parse(&request),
    };
    let at_once = match &call {
        Err(error) => Some(Err(error.clone())),
        Ok(call) => at_once(desk, call),
    };
    match (at_once, call) {
        (Some(_), _) if request.is_notification => {}
        (Some(Ok(result)), _) => {
            connection.push(None, |out| write_result(out, request.dialect, request.id, &result));
        }
        (Some(Err(error)), _) => {
            connection.push(None, |out| write_error(out, request.dialect, request.id, &error));
        }
        (None, Ok(call)) => {
            connection.owes();
            let to = ReplyTo {
                connection: Rc::clone(connection),
                dialect: request.dialect,
                id: request.id.map(Into::into),
                silent: request.is_notification,
            };
            desk.stage(Rc::new(to), call);
        }
        (None, Err(_)) => unreachable!("an error is replied to at once"),
    }
}

/// The result of a call that touches neither queue nor store.
fn at_once(desk: &Rc<Desk>, call: &Call) -> Option<Result<Vec<u8>, CallError>> {
    match call {
        Call::Ping => Some(Ok(b"\"PONG\"".to_vec())),
        Call::Version => Some(Ok(json(&result::Version {
            name: "hotline",
            version: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
        }))),
        Call::Capabilities => Some(Ok(capabilities())),
        // Panes come with the window; until then no caller runs in one.
        Call::Identify => Some(Ok(json(&result::Identity {
            surface_id: None,
            workspace_id: None,
            socket_path: desk.socket_path().to_owned(),
        }))),
        Call::Notify { title, body, level, surface_id } => {
            let id = desk.next_notification();
            let event = NotificationEvent::Created {
                id: id.clone(),
                title: title.clone(),
                body: body.clone(),
                level: *level,
                surface_id: surface_id.clone(),
            };
            desk.tell(EventChannel::NotificationEvent, &event_members(&event));
            desk.flush();
            Some(Ok(json(&result::Notified { id })))
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

/// Decides one staged call and adds what it causes to the batch.
pub(crate) fn decide(
    desk: &Desk,
    queue: &mut Queue,
    store: &Store,
    batch: &mut Batch,
    to: &Rc<ReplyTo>,
    call: &Call,
    now: Now,
) {
    let caller = &to.connection.caller;
    let reply = match call {
        Call::Ask { ask, key } => match asked(desk, queue, store, batch, to, ask, key.as_deref(), now) {
            Ok(()) => return,
            Err(error) => Err(error),
        },
        Call::Pending { surface_id } => Ok(pending(queue, surface_id.as_deref())),
        Call::Asker { request_id } => Ok(json(&asker(desk, queue, request_id, now))),
        Call::Ack { request_id } => {
            acked(desk, queue, to, request_id, now).map(|acked| json(&result::Acked { acked }))
        }
        Call::Answer { request_id, value } if value == "ack" && queue.is_command(request_id) => {
            let acked = acked(desk, queue, to, request_id, now);
            acked.map(|acked| json(&result::Resolved { resolved: false, acked: Some(acked) }))
        }
        Call::Answer { request_id, value } => {
            let runs = queue.is_command(request_id);
            // Who stands behind a call matters only where it is about a command.
            let line = runs.then(|| caller.line()).flatten();
            let who = caller.who(desk.person(), line.as_deref());
            let answered = queue.answer(request_id, value.clone(), &who, now);
            answered.map(|ended| resolved(batch, ended, runs))
        }
        Call::Cancel { ask, reason } => {
            let id = match ask {
                Named::Id(id) => Some(id.clone()),
                Named::Key(key) => queue.id_of_key(key),
            };
            let who = caller.who(desk.person(), None);
            let by = By { channel: who.channel, who: who.person.to_owned() };
            let ended = id.and_then(|id| queue.cancel(&id, reason.clone(), by, now));
            Ok(resolved(batch, ended, false))
        }
        Call::Subscribe { channels } => {
            let asks = channels.contains(&EventChannel::AskUserEvent);
            let pending = if asks { queue.pending(None).into_iter().cloned().collect() } else { Vec::new() };
            batch.says.push(Says::Subscribed(Rc::clone(to), channels.clone(), pending));
            return;
        }
        Call::History(query) => {
            batch.says.push(Says::LookBack(Rc::clone(to), query.clone()));
            return;
        }
        Call::Notify { .. } | Call::Ping | Call::Version | Call::Capabilities | Call::Identify => {
            unreachable!("replied to at once")
        }
    };
    batch.says.push(Says::Reply(Rc::clone(to), reply));
}

#[expect(clippy::too_many_arguments, reason = "the parts of one call; a struct would only rename them")]
fn asked(
    desk: &Desk,
    queue: &mut Queue,
    store: &Store,
    batch: &mut Batch,
    to: &Rc<ReplyTo>,
    ask: &NewAsk,
    key: Option<&str>,
    now: Now,
) -> Result<(), CallError> {
    let process = to.connection.caller.process();
    if ask.kind == Kind::ConfirmCommand && to.connection.caller.is_unknown() && process::KNOWN {
        let message =
            "The process that asks could not be identified, so nobody could tell whether it answers itself.";
        return Err(CallError::new(ErrorKind::Forbidden, message));
    }
    let others = to.connection.waiting.borrow().len();
    let ticket = desk.wait(to);
    let asker = Asker { ticket, others, process };
    let asked = queue.ask(ask.clone(), key, &asker, now);
    if let Ok(Asked::New(number, _) | Asked::Joined(number)) = &asked {
        desk.waits_for(ticket, *number);
        batch.tickets.push(ticket);
    } else {
        desk.forget(ticket);
    }
    match asked? {
        Asked::New(number, request) => {
            let asker = (ask.kind == Kind::ConfirmCommand).then_some(process).flatten();
            let key = key.map(Into::into);
            batch.writes.push(Write::Asked { number, request: Arc::clone(&request), key, asker });
            batch.says.push(Says::Shown(request));
        }
        Asked::Joined(_) => {}
        Asked::Settled(number) => {
            let (response, delivered) = settled(desk, batch, store, number)?;
            queue::replay(ask, &response.0, &response.1, delivered)?;
            batch.says.push(Says::Replay(Rc::clone(to), number, response.1));
        }
    }
    Ok(())
}

type Settled = (hotline_core::wire::AskUserRequest, AskUserResponse);

/// What a settled ask was, how it ended, and whether that was delivered: from this very batch, or from the store.
fn settled(desk: &Desk, batch: &Batch, store: &Store, number: u64) -> Result<(Settled, bool), CallError> {
    let (mut asked, mut ended) = (None, None);
    for write in &batch.writes {
        match write {
            Write::Asked { number: one, request, .. } if *one == number => {
                asked = serde_json::from_slice(request).ok();
            }
            Write::Ended { ended: one, .. } if one.number == number => ended = Some(one.response.clone()),
            Write::Asked { .. } | Write::Ended { .. } | Write::Delivered { .. } => {}
        }
    }
    let stored = store.record(number).map_err(|error| {
        tracing::error!(%error, number, "a settled ask could not be read");
        unavailable()
    })?;
    let delivered = stored.as_ref().is_some_and(|record| record.delivered_at.is_some());
    let (was, response) = match stored {
        Some(record) => (Some(record.request), record.response),
        None => (None, None),
    };
    let settled = asked.or(was).zip(ended.or(response)).ok_or_else(unavailable)?;
    Ok((settled, delivered || desk.is_delivered(number)))
}

fn acked(
    desk: &Desk,
    queue: &mut Queue,
    to: &ReplyTo,
    request_id: &str,
    now: Now,
) -> Result<bool, CallError> {
    let caller = &to.connection.caller;
    let line = queue.is_command(request_id).then(|| caller.line()).flatten();
    queue.ack(request_id, &caller.who(desk.person(), line.as_deref()), now)
}

/// What is known of whoever waits for an ask.
fn asker(desk: &Desk, queue: &Queue, request_id: &str, now: Now) -> AskerFacts {
    let (tickets, away_at) = queue.waiting_for(request_id);
    let pid = tickets.iter().find_map(|&ticket| desk.caller_of(ticket).pid());
    let away_until = away_at.map(|at| now.wall + at.saturating_sub(now.boot));
    AskerFacts { away_until, ..pid.map(process::facts).unwrap_or_default() }
}

fn resolved(batch: &mut Batch, ended: Option<Ended>, durable: bool) -> Vec<u8> {
    let resolved = ended.is_some();
    if let Some(ended) = ended {
        end(batch, ended, durable);
    }
    json(&result::Resolved { resolved, acked: None })
}

/// Adds an ending to the batch; `durable` where something runs because of it.
pub(crate) fn end(batch: &mut Batch, ended: Ended, durable: bool) {
    batch.writes.push(Write::Ended { ended: ended.clone(), durable });
    batch.says.push(Says::Ended(ended));
}

fn pending(queue: &Queue, surface_id: Option<&str>) -> Vec<u8> {
    let mut out = b"{\"pending\":".to_vec();
    push_list(&mut out, queue.pending(surface_id).into_iter());
    out.push(b'}');
    out
}

/// Appends a JSON array of values that are JSON already.
pub(crate) fn push_list<'a>(out: &mut Vec<u8>, values: impl Iterator<Item = &'a Arc<[u8]>>) {
    out.push(b'[');
    for (at, value) in values.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(value);
    }
    out.push(b']');
}

/// The id that history pages before, or everything.
pub(crate) fn before(id: Option<&str>) -> Result<u64, CallError> {
    match id {
        None => Ok(u64::MAX),
        Some(id) => request_number(id).ok_or_else(|| {
            CallError::param("before", "agent.ask_history: \"before\" must be a request_id such as req:7.")
        }),
    }
}

pub(crate) fn unavailable() -> CallError {
    let message =
        "The hub could not write this down, so it did not happen. Free some disk space and try again.";
    CallError::new(ErrorKind::StorageUnavailable, message)
}

pub(crate) fn json<T: Serialize>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    push_json(&mut out, value);
    out
}

/// An event's members without the braces around them.
fn event_members<T: Serialize>(event: &T) -> Vec<u8> {
    let json = json(event);
    json[1..json.len() - 1].to_vec()
}
