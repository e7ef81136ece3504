//! The heart of the ask path: calls are staged, a tick decides and commits them together, and only then is
//! anything shown or told.

use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use hotline_core::queue::Now;
use hotline_core::wire::reply;
use hotline_core::wire::{Call, EventChannel};

use super::{Desk, history};
use crate::call::{self, Batch, ReplyTo, Says, Turn};
use crate::clock;
use crate::socket::Connection;
use crate::store::{Store, Write};

/// How long to wait before trying again what could not be written.
const RETRY: Duration = Duration::from_secs(1);
/// How long replies may take to reach their readers at the end.
const FLUSH: Duration = Duration::from_secs(2);

/// A call that came so soon after the last tick makes another one likely.
const SOON: Duration = Duration::from_micros(50);
/// How often to look for that one, some microsecond each.
const LOOKS: usize = 16;

/// A buffer with room for more than this is not kept for the next tick.
const MUCH: usize = 512;

/// Something that the next tick decides.
pub(super) enum Work {
    Call(Rc<ReplyTo>, Call),
    /// Everything that this connection waits for.
    HangUp(Rc<Connection>),
    /// Whatever ran out of time.
    Expire,
    ShutDown,
}

impl Desk {
    /// Leaves a call to the next tick.
    pub(crate) fn stage(&self, to: Rc<ReplyTo>, call: Call) {
        self.stage_work(Work::Call(to, call));
    }

    pub(super) fn stage_work(&self, work: Work) {
        self.staged.borrow_mut().push(work);
        self.wake.notify_one();
    }

    /// Decides everything that is staged, writes it down in one commit, then tells.
    ///
    /// An error where it cannot be told whether something was written: then nothing is told, and the hub ends.
    fn tick(self: &Rc<Self>, store: &mut Store) -> Result<()> {
        let mut staged = std::mem::take(&mut *self.staged.borrow_mut());
        let now = clock::now();
        self.queue.borrow_mut().forget_old_keys(now);
        if self.queue.borrow().next_deadline().is_some_and(|when| when <= now.boot) {
            staged.insert(0, Work::Expire);
        }
        let mut batch = std::mem::take(&mut *self.spare.borrow_mut());
        self.decide(&staged, store, now, &mut batch);
        let looks_back = |work: &Work| matches!(work, Work::Call(_, Call::History(_)));
        let delivered = self.deliveries.due(staged.iter().any(looks_back));
        batch.writes.extend(delivered.iter().copied().map(Write::Delivered));
        if self.keeper.write(store, &batch.writes)? {
            self.release(&mut batch);
            self.keep_room(staged, batch);
        } else {
            self.undo(&batch);
            // Known as delivered while each call is decided anew.
            self.deliveries.put_back(delivered);
            self.one_by_one(staged, store, now)?;
            self.write_deliveries(store)?;
        }
        self.set_alarm();
        Ok(())
    }

    /// Writes down every delivery, in a commit of their own; what cannot be written is kept for later.
    fn write_deliveries(&self, store: &mut Store) -> Result<()> {
        let delivered = self.deliveries.take();
        let writes: Vec<Write> = delivered.iter().copied().map(Write::Delivered).collect();
        if !self.keeper.write(store, &writes)? {
            self.deliveries.put_back(delivered);
        }
        Ok(())
    }

    /// The buffers of a tick serve the next one too.
    fn keep_room(&self, mut staged: Vec<Work>, mut batch: Batch) {
        staged.clear();
        let mut slot = self.staged.borrow_mut();
        if slot.is_empty() && staged.capacity() <= MUCH {
            *slot = staged;
        }
        batch.clear(MUCH);
        *self.spare.borrow_mut() = batch;
    }

    /// After a failed commit: each call by itself, so that one that cannot be written takes no other with it.
    fn one_by_one(self: &Rc<Self>, staged: Vec<Work>, store: &mut Store, now: Now) -> Result<()> {
        for work in staged {
            let mut batch = Batch::default();
            self.decide(std::slice::from_ref(&work), store, now, &mut batch);
            if self.keeper.write(store, &batch.writes)? {
                self.release(&mut batch);
                continue;
            }
            self.undo(&batch);
            match work {
                Work::Call(to, _) => {
                    self.reply(&to, &Err(call::unavailable()));
                    to.connection.flush(self);
                }
                // What is overdue is tried again with the next tick, and the alarm sees to one.
                Work::Expire => {}
                // Nobody waits for a word on these, but they must not be forgotten.
                Work::HangUp(_) | Work::ShutDown => {
                    let desk = Rc::clone(self);
                    tokio::task::spawn_local(async move {
                        tokio::time::sleep(RETRY).await;
                        desk.stage_work(work);
                    });
                }
            }
        }
        Ok(())
    }

    fn decide(&self, staged: &[Work], store: &Store, now: Now, batch: &mut Batch) {
        let mut queue = self.queue.borrow_mut();
        let mut turn = Turn { desk: self, queue: &mut queue, store, now, batch };
        for work in staged {
            match work {
                Work::Call(to, call) => turn.call(to, call),
                Work::HangUp(connection) => turn.hang_up(connection),
                Work::Expire => turn.expire(),
                Work::ShutDown => turn.shut_down(),
            }
        }
    }

    fn undo(&self, batch: &Batch) {
        self.queue.borrow_mut().rollback();
        for &ticket in &batch.tickets {
            self.forget(ticket);
        }
    }

    fn release(self: &Rc<Self>, batch: &mut Batch) {
        self.queue.borrow_mut().commit();
        for ticket in batch.left.drain(..) {
            self.forget(ticket).connection.paid();
        }
        // The present that a subscriber gets first already holds this batch, so its events are not for it.
        let mut subscribed = Vec::new();
        for says in batch.says.drain(..) {
            match says {
                Says::Reply(to, reply) => self.reply(&to, &reply),
                Says::Replay { to, number, response, runs } => {
                    if runs {
                        self.deliveries.expect_run(number);
                    }
                    self.respond(&to, number, &response);
                }
                Says::Shown(request) if self.is_followed(EventChannel::AskUserEvent) => {
                    self.tell(EventChannel::AskUserEvent, &reply::shown(&request));
                }
                Says::Shown(_) => {}
                Says::Ended(ended) => {
                    if ended.runs && !ended.tickets.is_empty() {
                        self.deliveries.expect_run(ended.number);
                    }
                    for &ticket in &ended.tickets {
                        let to = self.forget(ticket);
                        self.respond(&to, ended.number, &ended.response);
                    }
                    if self.is_followed(EventChannel::AskUserEvent) {
                        self.tell(EventChannel::AskUserEvent, &reply::resolved(&ended.response, &ended.by));
                    }
                }
                Says::Pending(to, _) if to.connection.is_closed() => to.connection.paid(),
                Says::Pending(to, surface_id) => {
                    let queue = self.queue.borrow();
                    self.reply_with(&to, |out| match &surface_id {
                        Some(surface_id) => reply::push_pending(out, queue.pending_on(surface_id)),
                        None => reply::push_pending(out, queue.pending()),
                    });
                }
                Says::Subscribed(to, channels) => subscribed.push((to, channels)),
                Says::LookBack(to, query) => {
                    if !self.searches.add(Rc::clone(&to), query) {
                        self.reply(&to, &Err(history::too_many()));
                    }
                }
            }
        }
        for (to, channels) in subscribed {
            self.subscribe(&to, channels);
        }
        self.flush();
    }

    /// Looks for calls for a moment before the thread may sleep. Calls that follow each other closely, as those
    /// of a script that answers, would spend more time on waking it than on themselves.
    async fn stay_awake(&self) {
        for _ in 0..LOOKS {
            tokio::task::yield_now().await;
            if !self.staged.borrow().is_empty() {
                return;
            }
        }
    }

    fn set_alarm(&self) {
        let next = self.queue.borrow().next_deadline();
        let next = next.map(|when| {
            // What could not be written down is due already; trying again at once would spin.
            let soonest = clock::now().boot + 1;
            if when < soonest { soonest + 1000 } else { when }
        });
        if self.alarm_at.replace(next) != next
            && let Err(error) = self.alarm.set(next)
        {
            tracing::error!(%error, "the alarm for timeouts cannot be set");
        }
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
        let floor = self.queue.borrow().floor();
        let mut store = self.keeper.store().await;
        self.write_deliveries(&mut store)?;
        store.checkpoint(floor, true)?;
        Ok(())
    }
}

/// Runs the ticks.
pub(super) async fn run(desk: Rc<Desk>) -> Result<()> {
    let mut ticked = Instant::now();
    loop {
        desk.wake.notified().await;
        let came_soon = ticked.elapsed() < SOON;
        let wants_checkpoint = {
            let mut store = desk.keeper.store().await;
            desk.tick(&mut store)?;
            store.wants_checkpoint()
        };
        if wants_checkpoint {
            let floor = desk.queue.borrow().floor();
            desk.keeper.checkpoint(floor, false).await?;
        }
        ticked = Instant::now();
        if came_soon {
            desk.stay_awake().await;
        }
    }
}

/// Wakes the ticks for what runs out of time.
pub(super) async fn alarms(desk: Rc<Desk>) -> Result<()> {
    loop {
        desk.alarm.rings().await?;
        desk.alarm_at.set(None);
        desk.wake.notify_one();
    }
}

/// Writes down the last deliveries and folds the log in whenever nothing happened for a while.
pub(super) async fn tidies_when_idle(desk: Rc<Desk>) -> Result<()> {
    loop {
        desk.keeper.is_idle().await;
        desk.deliveries.make_due();
        desk.wake.notify_one();
        tokio::task::yield_now().await;
        if desk.keeper.store().await.is_dirty() {
            let floor = desk.queue.borrow().floor();
            desk.keeper.checkpoint(floor, true).await?;
        }
    }
}
