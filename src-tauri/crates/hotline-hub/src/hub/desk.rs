//! The ask path's state, on its own thread: its connections, what each is owed, and how they are told.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use anyhow::Result;
use hotline_core::queue::{Queue, Ticket};
use hotline_core::wire::reply::{push_response, write_error, write_result};
use hotline_core::wire::result::Subscribed;
use hotline_core::wire::{AskUserResponse, CallError, EventChannel};
use tokio::sync::Notify;

use super::deliveries::Deliveries;
use super::history::Searches;
use super::keeper::Keeper;
use super::subscriptions::Subscriptions;
use super::tick::Work;
use super::waiting::WaitingCalls;
use crate::call::{self, Batch, Json, ReplyTo};
use crate::caller::Caller;
use crate::clock;
use crate::platform::{Alarm, HangUps};
use crate::socket::Connection;
use crate::store::Store;

/// The thread's state. Borrows are short and never held across an await.
pub(crate) struct Desk {
    pub(super) queue: RefCell<Queue>,
    pub(super) keeper: Keeper,
    pub(super) waiting: WaitingCalls,
    pub(super) searches: Searches,
    pub(super) staged: RefCell<Vec<Work>>,
    /// An empty batch, for its room.
    pub(super) spare: RefCell<Batch>,
    /// Wakes the ticks.
    pub(super) wake: Notify,
    pub(super) connections: RefCell<HashMap<u64, Rc<Connection>>>,
    next_connection: Cell<u64>,
    touched: RefCell<Vec<Rc<Connection>>>,
    subscriptions: RefCell<Subscriptions>,
    pub(super) deliveries: Deliveries,
    hang_ups: HangUps,
    pub(super) alarm: Alarm,
    pub(super) alarm_at: Cell<Option<u64>>,
    scratch: RefCell<Box<[u8]>>,
    socket_path: String,
    person: String,
    notifications: Cell<u64>,
    pub(super) stopping: Cell<bool>,
}

impl Desk {
    pub(super) fn new(queue: Queue, store: Store, socket: &Path, person: String) -> Result<Self> {
        Ok(Self {
            queue: RefCell::new(queue),
            keeper: Keeper::new(store)?,
            waiting: WaitingCalls::default(),
            searches: Searches::default(),
            staged: RefCell::default(),
            spare: RefCell::default(),
            wake: Notify::new(),
            connections: RefCell::default(),
            next_connection: Cell::new(1),
            touched: RefCell::default(),
            subscriptions: RefCell::default(),
            deliveries: Deliveries::default(),
            hang_ups: HangUps::new()?,
            alarm: Alarm::new()?,
            alarm_at: Cell::new(None),
            scratch: RefCell::new(vec![0; 64 << 10].into_boxed_slice()),
            socket_path: socket.to_string_lossy().into_owned(),
            person,
            notifications: Cell::new(0),
            stopping: Cell::new(false),
        })
    }

    pub(crate) fn socket_path(&self) -> &str {
        &self.socket_path
    }

    /// The person on the socket: the user who owns it.
    pub(crate) fn person(&self) -> &str {
        &self.person
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.get()
    }

    pub(crate) fn hang_ups(&self) -> &HangUps {
        &self.hang_ups
    }

    /// The buffer that every read goes through.
    pub(crate) fn scratch(&self) -> RefMut<'_, Box<[u8]>> {
        self.scratch.borrow_mut()
    }

    pub(crate) fn next_notification(&self) -> String {
        self.notifications.set(self.notifications.get() + 1);
        format!("notification:{}", self.notifications.get())
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.borrow().len()
    }

    /// Takes a connection in and gives it its number.
    pub(crate) fn welcome(&self, mut connection: Connection) -> Rc<Connection> {
        connection.number = self.next_connection.get();
        self.next_connection.set(connection.number + 1);
        let connection = Rc::new(connection);
        self.connections.borrow_mut().insert(connection.number, Rc::clone(&connection));
        connection
    }

    /// Forgets a connection that was served to its end.
    pub(crate) fn farewell(&self, number: u64) {
        self.subscriptions.borrow_mut().forget(number);
        if let Some(connection) = self.connections.borrow_mut().remove(&number)
            && connection.is_watched.get()
        {
            connection.caller.pid().into_iter().for_each(|pid| self.hang_ups.forget_process(pid));
        }
    }

    /// Notices from now on when a connection or its process ends.
    pub(crate) fn watch(&self, connection: &Rc<Connection>) {
        // One that is closed may have had its farewell, and nobody would end the watch again.
        if connection.is_closed() || connection.is_watched.replace(true) {
            return;
        }
        let watched = self.hang_ups.watch(connection);
        let watch_process =
            |()| connection.caller.pid().map_or(Ok(()), |pid| self.hang_ups.watch_process(pid));
        if let Err(error) = watched.and_then(watch_process) {
            tracing::warn!(%error, caller = ?connection.caller, "an asker cannot be watched; its connection ends");
            self.hung_up(connection.number);
        }
    }

    /// A connection ended both ways: it is closed here too, and what it waits for is withdrawn.
    pub(crate) fn hung_up(&self, number: u64) {
        let connection = self.connections.borrow().get(&number).cloned();
        let Some(connection) = connection else { return };
        connection.close();
        if !connection.waiting.borrow().is_empty() {
            self.stage_work(Work::HangUp(connection));
        }
    }

    /// A process ended: so do its connections, even where a child still holds one open.
    pub(crate) fn process_ended(&self, pid: u32) {
        let of_it = |connection: &&Rc<Connection>| {
            connection.caller.pid() == Some(pid) && connection.is_watched.get()
        };
        let numbers: Vec<u64> =
            self.connections.borrow().values().filter(of_it).map(|connection| connection.number).collect();
        for number in numbers {
            self.hung_up(number);
        }
    }

    /// Tells a subscriber that had fallen behind how things stand.
    pub(crate) fn catch_up(self: &Rc<Self>, connection: &Rc<Connection>) {
        if connection.lags.replace(false) && !connection.is_closed() {
            let queue = self.queue.borrow();
            let pending: Vec<_> = queue.pending().collect();
            self.subscriptions.borrow().tell_snapshots(connection.number, &pending);
            drop(queue);
            connection.flush(self);
        }
    }

    /// Makes a waiting call of a request, and notices its asker's end from now on.
    pub(crate) fn wait(&self, to: &Rc<ReplyTo>) -> Ticket {
        self.watch(&to.connection);
        let ticket = self.waiting.add(to);
        if to.connection.is_closed() {
            // It ended while its call was staged, when it was seen to wait for nothing.
            self.stage_work(Work::HangUp(Rc::clone(&to.connection)));
        }
        ticket
    }

    /// Who waits with that ticket.
    pub(crate) fn caller_of(&self, ticket: Ticket) -> Caller {
        self.waiting.caller(ticket)
    }

    /// The ask that a waiting call waits for.
    pub(crate) fn waits_for(&self, ticket: Ticket) -> u64 {
        self.waiting.number(ticket)
    }

    pub(crate) fn set_waits_for(&self, ticket: Ticket, number: u64) {
        self.waiting.set_number(ticket, number);
    }

    /// Takes a waiting call out; its reply address comes back.
    pub(crate) fn forget(&self, ticket: Ticket) -> Rc<ReplyTo> {
        self.waiting.remove(ticket)
    }

    pub(super) fn subscribe(&self, to: &Rc<ReplyTo>, channels: Vec<EventChannel>) {
        self.reply(to, &Ok(call::json(&Subscribed { subscribed: channels.clone() })));
        self.watch(&to.connection);
        // One that ended while its call was staged has had its farewell, and nobody would forget it again.
        if !to.connection.is_closed() {
            let queue = self.queue.borrow();
            let pending: Vec<_> = queue.pending().collect();
            self.subscriptions.borrow_mut().add(Rc::clone(to), channels, &pending);
        }
    }

    /// Whether anybody follows a channel.
    pub(super) fn is_followed(&self, channel: EventChannel) -> bool {
        self.subscriptions.borrow().are_there(channel)
    }

    pub(super) fn reply(&self, to: &Rc<ReplyTo>, reply: &Result<Json, CallError>) {
        match reply {
            Ok(result) => self.reply_with(to, |out| out.extend_from_slice(result)),
            Err(error) => {
                self.push(to, None, |out| write_error(out, to.dialect, to.id.as_deref(), error));
            }
        }
    }

    /// Replies with the result that `write` appends.
    pub(super) fn reply_with(&self, to: &Rc<ReplyTo>, write: impl FnOnce(&mut Vec<u8>)) {
        self.push(to, None, |out| write_result(out, to.dialect, to.id.as_deref(), write));
    }

    pub(super) fn respond(&self, to: &Rc<ReplyTo>, number: u64, response: &AskUserResponse) {
        let write = |out: &mut Vec<u8>| push_response(out, response);
        self.push(to, Some(number), |out| write_result(out, to.dialect, to.id.as_deref(), write));
    }

    fn push(&self, to: &Rc<ReplyTo>, ask: Option<u64>, write: impl FnOnce(&mut Vec<u8>)) {
        to.connection.paid();
        if !to.silent {
            to.connection.push(ask, write);
        }
        self.touch(&to.connection);
    }

    /// Tells everybody who follows a channel; `payload` is the event's members. [`Self::flush`] sends it.
    pub(crate) fn tell(&self, channel: EventChannel, payload: &[u8]) {
        self.subscriptions.borrow().tell(channel, payload, |to| self.touch(&to.connection));
    }

    fn touch(&self, connection: &Rc<Connection>) {
        if !connection.is_touched.replace(true) {
            self.touched.borrow_mut().push(Rc::clone(connection));
        }
    }

    /// Sends what was told.
    pub(crate) fn flush(self: &Rc<Self>) {
        let mut touched = std::mem::take(&mut *self.touched.borrow_mut());
        for connection in touched.drain(..) {
            connection.is_touched.set(false);
            connection.flush(self);
        }
        // The buffer goes back for the next tick.
        let mut slot = self.touched.borrow_mut();
        if slot.is_empty() {
            *slot = touched;
        }
    }

    /// Whether a command's `run` is on its way to its asker, or there and not written down yet.
    pub(crate) fn is_going_out(&self, number: u64) -> bool {
        self.deliveries.is_going_out(number)
    }

    /// The kernel has the whole response to this ask.
    pub(crate) fn delivered(&self, number: u64) {
        if self.deliveries.add(number, clock::wall_ms()) {
            self.wake.notify_one();
        }
    }
}
