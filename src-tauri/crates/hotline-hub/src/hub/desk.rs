//! The ask path's state, on its own thread: calls are staged, a tick decides and commits them together, and only
//! then is anything shown or told.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::Result;
use hotline_core::queue::{HungUp, Now, Queue, Ticket};
use hotline_core::wire::call::HistoryQuery;
use hotline_core::wire::reply::{push_json, write_error, write_result};
use hotline_core::wire::{AskRecord, Call, CallError, EventChannel};
use serde::Serialize;
use slab::Slab;
use tokio::sync::{Notify, oneshot};

use super::subscriptions::Subscriptions;
use crate::call::{self, Batch, ReplyTo, Says};
use crate::clock::{self, Alarm};
use crate::socket::{Connection, HangUps};
use crate::store::{Store, Write};

/// How long after the last write the store is tidied.
const IDLE: Duration = Duration::from_secs(2);
/// How long to wait before trying again what could not be written.
const RETRY: Duration = Duration::from_secs(1);
/// How long replies may take to reach their readers at the end.
const FLUSH: Duration = Duration::from_secs(2);
/// Rows of history read at a time, so that a long search does not hold up an answer.
const SPAN: u64 = 2_000;

/// Something that the next tick decides.
enum Work {
    Call(Rc<ReplyTo>, Call),
    /// Everything that this connection waits for.
    HangUp(Rc<Connection>),
    /// Whatever ran out of time.
    Expire,
    ShutDown,
}

/// A call that waits for its ask to end.
struct Waiting {
    to: Rc<ReplyTo>,
    number: u64,
    /// Its place in the connection's own list.
    place: usize,
}

/// The result of `agent.ask_history`.
#[derive(Serialize)]
struct Entries {
    entries: Vec<AskRecord>,
}

/// A checkpoint to make.
struct Errand {
    store: Store,
    floor: u64,
    back: oneshot::Sender<Store>,
}

/// Makes checkpoints on a thread of its own until the desk is gone.
fn helper() -> Result<mpsc::Sender<Errand>> {
    let (sender, errands) = mpsc::channel::<Errand>();
    let work = move || {
        for Errand { mut store, floor, back } in errands {
            if let Err(error) = store.checkpoint(floor) {
                tracing::warn!(%error, "the store's log could not be folded in; tried again later");
            }
            let _ = back.send(store);
        }
    };
    std::thread::Builder::new().name("checkpoint".into()).spawn(work)?;
    Ok(sender)
}

/// The thread's state. Borrows are short and never held across an await.
pub(crate) struct Desk {
    queue: RefCell<Queue>,
    /// None while a helper thread checkpoints it.
    store: RefCell<Option<Store>>,
    store_is_back: Notify,
    helper: mpsc::Sender<Errand>,
    staged: RefCell<Vec<Work>>,
    wake: Notify,
    wrote: Notify,
    writes: Cell<u64>,
    waiting: RefCell<Slab<Waiting>>,
    connections: RefCell<HashMap<u64, Rc<Connection>>>,
    next_connection: Cell<u64>,
    touched: RefCell<Vec<Rc<Connection>>>,
    subscriptions: RefCell<Subscriptions>,
    /// Responses that their askers' kernels have, not written down yet.
    delivered: RefCell<Vec<Write>>,
    /// Commands answered `run` and not delivered: their delivery is written down at once.
    runs: RefCell<HashSet<u64>>,
    hang_ups: HangUps,
    alarm: Alarm,
    alarm_at: Cell<Option<u64>>,
    scratch: RefCell<Box<[u8]>>,
    socket_path: String,
    person: String,
    notifications: Cell<u64>,
    stopping: Cell<bool>,
}

impl Desk {
    pub(super) fn new(queue: Queue, store: Store, socket: &Path, person: String) -> Result<Self> {
        Ok(Self {
            queue: RefCell::new(queue),
            store: RefCell::new(Some(store)),
            store_is_back: Notify::new(),
            helper: helper()?,
            staged: RefCell::default(),
            wake: Notify::new(),
            wrote: Notify::new(),
            writes: Cell::new(0),
            waiting: RefCell::default(),
            connections: RefCell::default(),
            next_connection: Cell::new(1),
            touched: RefCell::default(),
            subscriptions: RefCell::default(),
            delivered: RefCell::default(),
            runs: RefCell::default(),
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

    // Connections.

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
            self.hang_ups.forget_process(connection.peer.pid);
        }
    }

    /// Notices from now on when a connection or its process ends.
    pub(crate) fn watch(&self, connection: &Rc<Connection>) {
        if connection.is_watched.replace(true) {
            return;
        }
        let watched = self.hang_ups.watch(connection);
        if let Err(error) = watched.and_then(|()| self.hang_ups.watch_process(connection.peer.pid)) {
            tracing::warn!(%error, pid = connection.peer.pid, "an asker cannot be watched; its connection ends");
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
        let of_it = |connection: &&Rc<Connection>| connection.peer.pid == pid && connection.is_watched.get();
        let numbers: Vec<u64> =
            self.connections.borrow().values().filter(of_it).map(|connection| connection.number).collect();
        for number in numbers {
            self.hung_up(number);
        }
    }

    /// Tells a subscriber that had fallen behind how things stand.
    pub(crate) fn catch_up(self: &Rc<Self>, connection: &Rc<Connection>) {
        if connection.lags.replace(false) && !connection.is_closed() {
            let pending: Vec<Arc<[u8]>> = self.queue.borrow().pending(None).into_iter().cloned().collect();
            self.subscriptions.borrow().tell_snapshots(connection.number, &pending);
            connection.flush(self);
        }
    }

    // Waiting calls.

    /// Makes a waiting call of a request.
    pub(crate) fn wait(&self, to: &Rc<ReplyTo>) -> Ticket {
        self.watch(&to.connection);
        let mut of_connection = to.connection.waiting.borrow_mut();
        let waiting = Waiting { to: Rc::clone(to), number: 0, place: of_connection.len() };
        let ticket = u32::try_from(self.waiting.borrow_mut().insert(waiting)).expect("fewer calls than 2^32");
        of_connection.push(ticket);
        Ticket(ticket)
    }

    pub(crate) fn waits_for(&self, ticket: Ticket, number: u64) {
        self.waiting.borrow_mut()[ticket.0 as usize].number = number;
    }

    /// Takes a waiting call out; its reply address comes back.
    pub(crate) fn forget(&self, ticket: Ticket) -> Rc<ReplyTo> {
        let mut all = self.waiting.borrow_mut();
        let gone = all.remove(ticket.0 as usize);
        let mut of_connection = gone.to.connection.waiting.borrow_mut();
        of_connection.swap_remove(gone.place);
        if let Some(&moved) = of_connection.get(gone.place) {
            all[moved as usize].place = gone.place;
        }
        drop(of_connection);
        gone.to
    }

    // Ticks.

    /// Leaves a call to the next tick.
    pub(crate) fn stage(&self, to: Rc<ReplyTo>, call: Call) {
        self.stage_work(Work::Call(to, call));
    }

    fn stage_work(&self, work: Work) {
        self.staged.borrow_mut().push(work);
        self.wake.notify_one();
    }

    /// Decides everything that is staged, writes it down in one commit, then tells.
    fn tick(self: &Rc<Self>, store: &mut Store) {
        let mut staged = std::mem::take(&mut *self.staged.borrow_mut());
        let now = clock::now();
        if self.queue.borrow().next_deadline().is_some_and(|when| when <= now.boot) {
            staged.insert(0, Work::Expire);
        }
        let mut delivered = std::mem::take(&mut *self.delivered.borrow_mut());
        let mut batch = self.decide(&staged, store, now);
        let before = batch.writes.len();
        batch.writes.append(&mut delivered);
        if self.write(store, &batch.writes) {
            self.release(batch);
        } else {
            delivered.extend(batch.writes.drain(before..));
            self.undo(&batch);
            drop(batch);
            self.one_by_one(staged, store, now);
            if !self.write(store, &delivered) {
                self.delivered.borrow_mut().append(&mut delivered);
            }
        }
        self.set_alarm();
    }

    /// After a failed commit: each call by itself, so that one that cannot be written takes no other with it.
    fn one_by_one(self: &Rc<Self>, staged: Vec<Work>, store: &mut Store, now: Now) {
        for work in staged {
            let batch = self.decide(std::slice::from_ref(&work), store, now);
            if self.write(store, &batch.writes) {
                self.release(batch);
                continue;
            }
            self.undo(&batch);
            match work {
                Work::Call(to, _) => {
                    self.reply(&to, &Err(call::unavailable()));
                    to.connection.flush(self);
                }
                // Nobody waits for a word on these, but they must not be forgotten.
                Work::HangUp(_) | Work::Expire | Work::ShutDown => {
                    let desk = Rc::clone(self);
                    tokio::task::spawn_local(async move {
                        tokio::time::sleep(RETRY).await;
                        desk.stage_work(work);
                    });
                }
            }
        }
    }

    fn decide(&self, staged: &[Work], store: &Store, now: Now) -> Batch {
        let mut batch = Batch::default();
        let mut queue = self.queue.borrow_mut();
        for work in staged {
            match work {
                Work::Call(to, call) => call::decide(self, &mut queue, store, &mut batch, to, call, now),
                Work::HangUp(connection) => {
                    for &ticket in connection.waiting.borrow().iter() {
                        let number = self.waiting.borrow()[ticket as usize].number;
                        match queue.hang_up(number, Ticket(ticket), now) {
                            // It ended in this batch, and its ending takes the call out.
                            HungUp::NotWaiting => continue,
                            HungUp::Waits => {}
                            HungUp::Ended(ended) => call::end(&mut batch, ended, false),
                        }
                        batch.left.push(Ticket(ticket));
                    }
                }
                Work::Expire => {
                    for ended in queue.expire(now) {
                        call::end(&mut batch, ended, false);
                    }
                }
                Work::ShutDown => {
                    for ended in queue.shut_down(now) {
                        call::end(&mut batch, ended, false);
                    }
                }
            }
        }
        batch
    }

    /// Whether it is all written down. What is not is in the log, and did not happen.
    fn write(&self, store: &mut Store, writes: &[Write]) -> bool {
        let written = store.write(writes);
        if let Err(error) = &written {
            tracing::error!(%error, "the store cannot be written");
        } else if !writes.is_empty() {
            self.writes.set(self.writes.get() + 1);
            self.wrote.notify_one();
        }
        written.is_ok()
    }

    fn undo(&self, batch: &Batch) {
        self.queue.borrow_mut().rollback();
        for &ticket in &batch.tickets {
            self.forget(ticket);
        }
    }

    fn release(self: &Rc<Self>, batch: Batch) {
        self.queue.borrow_mut().commit();
        for ticket in batch.left {
            self.forget(ticket).connection.paid();
        }
        for says in batch.says {
            match says {
                Says::Reply(to, reply) => self.reply(&to, &reply),
                Says::Replay(to, number, response) => {
                    self.watch_delivery(number, &response);
                    self.respond(&to, number, &call::json(&response));
                }
                Says::Shown(request) => {
                    let payload = [b"\"kind\":\"shown\",\"request\":", &request[..]].concat();
                    self.tell(EventChannel::AskUserEvent, &payload);
                }
                Says::Ended(ended) => {
                    self.watch_delivery(ended.number, &ended.response);
                    let response = call::json(&ended.response);
                    for ticket in ended.tickets {
                        let to = self.forget(ticket);
                        self.respond(&to, ended.number, &response);
                    }
                    let mut payload = b"\"kind\":\"resolved\",\"request_id\":".to_vec();
                    push_json(&mut payload, &ended.response.request_id);
                    payload.extend_from_slice(b",\"response\":");
                    payload.extend_from_slice(&response);
                    payload.extend_from_slice(b",\"by\":");
                    push_json(&mut payload, &ended.by);
                    self.tell(EventChannel::AskUserEvent, &payload);
                }
                Says::Subscribed(to, channels, pending) => self.subscribe(&to, channels, &pending),
                Says::LookBack(to, query) => {
                    tokio::task::spawn_local(Rc::clone(self).search(to, query));
                }
            }
        }
        self.flush();
    }

    fn subscribe(&self, to: &Rc<ReplyTo>, channels: Vec<EventChannel>, pending: &[Arc<[u8]>]) {
        let words: Vec<&str> = channels.iter().map(|channel| channel.word()).collect();
        self.reply(to, &Ok(call::json(&serde_json::json!({ "subscribed": words }))));
        let asks = channels.contains(&EventChannel::AskUserEvent);
        self.watch(&to.connection);
        self.subscriptions.borrow_mut().add(Rc::clone(to), channels);
        if asks {
            self.subscriptions.borrow().tell_newest_snapshot(pending);
        }
    }

    fn reply(&self, to: &Rc<ReplyTo>, reply: &Result<Vec<u8>, CallError>) {
        to.connection.paid();
        if !to.silent {
            to.connection.push(None, |out| match reply {
                Ok(result) => write_result(out, to.dialect, to.id.as_deref(), result),
                Err(error) => write_error(out, to.dialect, to.id.as_deref(), error),
            });
        }
        self.touch(&to.connection);
    }

    fn respond(&self, to: &Rc<ReplyTo>, number: u64, response: &[u8]) {
        to.connection.paid();
        if !to.silent {
            let write = |out: &mut Vec<u8>| write_result(out, to.dialect, to.id.as_deref(), response);
            to.connection.push(Some(number), write);
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

    fn watch_delivery(&self, number: u64, response: &hotline_core::wire::AskUserResponse) {
        if response.value.as_deref() == Some("run") {
            self.runs.borrow_mut().insert(number);
        }
    }

    /// The kernel has these responses whole. Written down with the next tick; at once where something runs.
    pub(crate) fn delivered(&self, numbers: &[u64]) {
        for &number in numbers {
            self.delivered.borrow_mut().push(Write::Delivered { number, at: clock::wall_ms() });
            if self.runs.borrow_mut().remove(&number) {
                self.wake.notify_one();
            }
        }
    }

    fn set_alarm(&self) {
        let next = self.queue.borrow().next_deadline();
        // What could not be written down is due already; trying again at once would spin.
        let soonest = clock::now().boot + 1;
        let next = next.map(|when| if when < soonest { soonest + 1000 } else { when });
        if self.alarm_at.replace(next) != next
            && let Err(error) = self.alarm.set(next)
        {
            tracing::error!(%error, "the alarm for timeouts cannot be set");
        }
    }

    // History.

    /// Replies with a part of the history, read in slices between ticks.
    async fn search(self: Rc<Self>, to: Rc<ReplyTo>, query: HistoryQuery) {
        let found = self.records(&query).await;
        let reply = found.map(|entries| call::json(&Entries { entries }));
        self.reply(&to, &reply);
        self.flush();
    }

    async fn records(&self, query: &HistoryQuery) -> Result<Vec<AskRecord>, CallError> {
        let mut before = call::before(query.before.as_deref())?;
        let mut records = Vec::new();
        loop {
            let slice = {
                let store = self.store().await;
                let left = query.limit - records.len();
                store.history(before, SPAN, left, query.surface_id.as_deref(), query.agent_id.as_deref())
            };
            let slice = slice.map_err(|error| {
                tracing::error!(%error, "the history cannot be read");
                call::unavailable()
            })?;
            records.extend(slice.records);
            match slice.next_before {
                Some(next) if records.len() < query.limit => before = next,
                Some(_) | None => return Ok(records),
            }
            tokio::task::yield_now().await;
        }
    }

    /// The store, once no helper has it.
    async fn store(&self) -> RefMut<'_, Store> {
        loop {
            if let Ok(store) = RefMut::filter_map(self.store.borrow_mut(), Option::as_mut) {
                return store;
            }
            self.store_is_back.notified().await;
            // Whoever else waits for it.
            self.store_is_back.notify_one();
        }
    }

    /// Checkpoints on the helper thread; ticks wait meanwhile, and what needs no store goes on.
    async fn checkpoint(&self) {
        let Some(store) = self.store.borrow_mut().take() else { return };
        let (back, returned) = oneshot::channel();
        let errand = Errand { store, floor: self.queue.borrow().floor(), back };
        if self.helper.send(errand).is_err() {
            tracing::error!("the helper thread is gone");
        }
        match returned.await {
            Ok(store) => *self.store.borrow_mut() = Some(store),
            Err(_) => tracing::error!("the store is lost: restart the hub"),
        }
        self.store_is_back.notify_one();
    }

    /// Ends: tells askers without a key, flushes what was told, closes the store.
    pub(super) async fn shut_down(self: &Rc<Self>) -> Result<()> {
        self.stopping.set(true);
        self.stage_work(Work::ShutDown);
        let flushed = async {
            while !self.staged.borrow().is_empty()
                || self.connections.borrow().values().any(|c| c.has_unsent())
            {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        if tokio::time::timeout(FLUSH, flushed).await.is_err() {
            tracing::warn!("some readers did not take their replies in time");
        }
        let delivered = std::mem::take(&mut *self.delivered.borrow_mut());
        let floor = self.queue.borrow().floor();
        let mut store = self.store().await;
        self.write(&mut store, &delivered);
        store.checkpoint(floor)?;
        Ok(())
    }
}

/// Runs the ticks.
pub(super) async fn ticks(desk: Rc<Desk>) {
    loop {
        desk.wake.notified().await;
        let wants_checkpoint = {
            let mut store = desk.store().await;
            desk.tick(&mut store);
            store.wants_checkpoint()
        };
        if wants_checkpoint {
            desk.checkpoint().await;
        }
    }
}

/// Wakes the ticks for what runs out of time.
pub(super) async fn alarms(desk: Rc<Desk>) {
    while let Ok(()) = desk.alarm.rings().await {
        desk.alarm_at.set(None);
        desk.wake.notify_one();
    }
}

/// Tidies the store once nothing was written for a while; an idle hub never wakes.
pub(super) async fn tidies_when_idle(desk: Rc<Desk>) {
    loop {
        desk.wrote.notified().await;
        loop {
            let before = desk.writes.get();
            tokio::time::sleep(IDLE).await;
            if desk.writes.get() == before {
                break;
            }
        }
        desk.wake.notify_one();
        if desk.store().await.is_dirty() {
            desk.checkpoint().await;
        }
    }
}
