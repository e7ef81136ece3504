//! A turn: staged calls decided one after the other, and what they cause.

use std::rc::Rc;
use std::sync::Arc;

use hotline_core::queue::{self, Asked, Asker, Ended, HungUp, Now, Process, Queue, Ticket};
use hotline_core::wire::call::{HistoryQuery, Named};
use hotline_core::wire::result::{self, AskerFacts};
use hotline_core::wire::{
    AskUserRequest, AskUserResponse, AskedAction, By, Call, CallError, ErrorKind, EventChannel, Kind, NewAsk,
};

use smol_str::SmolStr;

use super::{Json, ReplyTo, json, unreadable};
use crate::hub::Desk;
use crate::process;
use crate::socket::Connection;
use crate::store::{Store, Write};

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

impl Batch {
    /// Empties it for another tick; its room is kept where that is for no more than `most` things.
    pub(crate) fn clear(&mut self, most: usize) {
        let rooms =
            [self.writes.capacity(), self.says.capacity(), self.tickets.capacity(), self.left.capacity()];
        if rooms.into_iter().any(|room| room > most) {
            *self = Self::default();
        }
        self.writes.clear();
        self.says.clear();
        self.tickets.clear();
        self.left.clear();
    }
}

/// Something to tell.
pub(crate) enum Says {
    /// The result or error of a call.
    Reply(Rc<ReplyTo>, Result<Json, CallError>),
    /// A stored response, to an asker that came back for it; `runs` where it is a command's.
    Replay { to: Rc<ReplyTo>, number: u64, response: AskUserResponse, runs: bool },
    /// A new ask, to the subscribers.
    Shown(Arc<[u8]>),
    /// How an ask ended, to its askers and the subscribers.
    Ended(Rc<Ended>),
    /// What waits, to whoever asked for it; looked up when it is told, so that a list is held only once.
    Pending(Rc<ReplyTo>, Option<SmolStr>),
    /// The start of a subscription.
    Subscribed(Rc<ReplyTo>, Vec<EventChannel>),
    /// A search of the history, which goes on between ticks.
    LookBack(Rc<ReplyTo>, HistoryQuery),
}

/// Decides calls on the queue and gathers what they cause.
pub(crate) struct Turn<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) queue: &'a mut Queue,
    pub(crate) store: &'a Store,
    pub(crate) now: Now,
    pub(crate) batch: &'a mut Batch,
}

impl Turn<'_> {
    /// Decides one call.
    pub(crate) fn call(&mut self, to: &Rc<ReplyTo>, call: &Call) {
        let caller = &to.connection.caller;
        let reply = match call {
            Call::Ask { ask, key } => match self.ask(to, ask, key.as_deref()) {
                Ok(()) => return,
                Err(error) => Err(error),
            },
            Call::Pending { surface_id } => {
                self.batch.says.push(Says::Pending(Rc::clone(to), surface_id.clone()));
                return;
            }
            Call::Asker { request_id } => Ok(json(&self.asker(request_id))),
            Call::Ack { request_id } => self.ack(to, request_id).map(|acked| json(&result::Acked { acked })),
            Call::Answer { request_id, value } if value == "ack" && self.queue.is_command(request_id) => {
                let acked = self.ack(to, request_id);
                acked.map(|acked| json(&result::Resolved { resolved: false, acked: Some(acked) }))
            }
            Call::Answer { request_id, value } => {
                // Who stands behind a call matters only where it is about a command.
                let lineage = self.queue.is_command(request_id).then(|| caller.lineage()).flatten();
                let who = caller.who(self.desk.person(), lineage.as_deref());
                let answered = self.queue.answer(request_id, value.clone(), &who, self.now);
                answered.map(|ended| self.resolved(ended))
            }
            Call::Cancel { ask, reason } => {
                let id = match ask {
                    Named::Id(id) => Some(id.clone()),
                    Named::Key(key) => self.queue.id_of_key(key),
                };
                let who = caller.who(self.desk.person(), None);
                let by = By { channel: who.channel, who: who.person.into() };
                let ended = id.and_then(|id| self.queue.cancel(&id, reason.clone(), by, self.now));
                Ok(self.resolved(ended))
            }
            Call::Subscribe { channels } => {
                self.batch.says.push(Says::Subscribed(Rc::clone(to), channels.clone()));
                return;
            }
            Call::History(query) => {
                self.batch.says.push(Says::LookBack(Rc::clone(to), query.clone()));
                return;
            }
            Call::Notify { .. } | Call::Ping | Call::Version | Call::Capabilities | Call::Identify => {
                unreachable!("replied to at once")
            }
        };
        self.batch.says.push(Says::Reply(Rc::clone(to), reply));
    }

    /// Withdraws everything that a connection waits for.
    pub(crate) fn hang_up(&mut self, connection: &Connection) {
        for &ticket in connection.waiting.borrow().iter() {
            let ticket = Ticket(ticket);
            match self.queue.hang_up(self.desk.waits_for(ticket), ticket, self.now) {
                // It ended in this turn, and its ending takes the call out.
                HungUp::NotWaiting => continue,
                HungUp::Waits => {}
                HungUp::Ended(ended) => self.ended(ended),
            }
            self.batch.left.push(ticket);
        }
    }

    /// Ends what ran out of time.
    pub(crate) fn expire(&mut self) {
        self.queue.expire(self.now).into_iter().for_each(|ended| self.ended(ended));
    }

    /// Ends what cannot outlive the hub.
    pub(crate) fn shut_down(&mut self) {
        self.queue.shut_down(self.now).into_iter().for_each(|ended| self.ended(ended));
    }

    fn ask(&mut self, to: &Rc<ReplyTo>, ask: &NewAsk, key: Option<&str>) -> Result<(), CallError> {
        let caller = &to.connection.caller;
        let process = caller.process();
        if ask.kind == Kind::ConfirmCommand && caller.is_unknown() && process::KNOWN {
            let message = "The process that asks could not be identified, so nobody could tell whether it answers \
                           itself. Ask from a process that stays until the answer comes, in the same container \
                           as the hub or in one below it.";
            return Err(CallError::new(ErrorKind::Forbidden, message));
        }
        let others = to.connection.waiting.borrow().len();
        let ticket = self.desk.wait(to);
        let asked = self.queue.ask(ask, key, &Asker { ticket, others, process }, self.now);
        if let Ok(Asked::New(number, _) | Asked::Joined(number)) = &asked {
            self.desk.set_waits_for(ticket, *number);
            self.batch.tickets.push(ticket);
        } else {
            self.desk.forget(ticket);
        }
        let is_command = ask.kind == Kind::ConfirmCommand;
        let waits = |number| process.filter(|_| is_command).map(|process| Write::Waits { number, process });
        match asked? {
            Asked::New(number, request) => {
                let key = key.map(Into::into);
                self.batch.writes.push(Write::Asked { number, request: Arc::clone(&request), key });
                self.batch.writes.extend(waits(number));
                self.batch.says.push(Says::Shown(request));
            }
            Asked::Joined(number) => self.batch.writes.extend(waits(number)),
            Asked::Settled(number) => {
                let settled = self.settled(number, process)?;
                queue::replay(ask, &settled.asked, &settled.response, settled.is_used_up)?;
                let runs = is_command && settled.response.action == AskedAction::Ok;
                self.batch.writes.extend(runs.then_some(Write::HandedOut { number }));
                self.batch.says.push(Says::Replay {
                    to: Rc::clone(to),
                    number,
                    response: settled.response,
                    runs,
                });
            }
        }
        Ok(())
    }

    /// What a settled ask was and how it ended: from this very turn, or from the store.
    fn settled(&self, number: u64, back: Option<Process>) -> Result<Settled, CallError> {
        let (mut asked, mut response, mut is_going_out) = (None, None, self.desk.is_going_out(number));
        for write in &self.batch.writes {
            match write {
                Write::Asked { number: one, request, .. } if *one == number => {
                    asked = serde_json::from_slice(request).ok();
                }
                Write::Ended(one) if one.number == number => {
                    response = Some(one.response.clone());
                    is_going_out |= !one.tickets.is_empty();
                }
                Write::HandedOut { number: one } if *one == number => is_going_out = true,
                Write::Asked { .. }
                | Write::Ended(_)
                | Write::HandedOut { .. }
                | Write::Waits { .. }
                | Write::Delivered(_) => {}
            }
        }
        let stored = self.store.settled(number).map_err(|error| {
            tracing::error!(%error, number, "a settled ask could not be read");
            unreadable()
        })?;
        let mut is_used_up = is_going_out;
        if let Some(stored) = stored {
            // Handed out just before a crash it may or may not have arrived. The very process that waited
            // knows that it did not; for any other the key is used up.
            let waited = back.is_some_and(|back| stored.askers.contains(&back));
            is_used_up |= stored.record.delivered_at.is_some() || stored.was_handed_out && !waited;
            asked = asked.or(Some(stored.record.request));
            response = response.or(stored.record.response);
        }
        let (asked, response) = asked.zip(response).ok_or_else(unreadable)?;
        Ok(Settled { asked, response, is_used_up })
    }

    fn ack(&mut self, to: &ReplyTo, request_id: &str) -> Result<bool, CallError> {
        let caller = &to.connection.caller;
        let lineage = self.queue.is_command(request_id).then(|| caller.lineage()).flatten();
        self.queue.ack(request_id, &caller.who(self.desk.person(), lineage.as_deref()), self.now)
    }

    /// What is known of whoever waits for an ask.
    fn asker(&self, request_id: &str) -> AskerFacts {
        let (tickets, away_at) = self.queue.waiting_for(request_id);
        let pid = tickets.iter().find_map(|&ticket| self.desk.caller_of(ticket).pid());
        let away_until = away_at.map(|at| self.now.wall + at.saturating_sub(self.now.boot));
        AskerFacts { away_until, ..pid.map(process::facts).unwrap_or_default() }
    }

    fn resolved(&mut self, ended: Option<Ended>) -> Json {
        let resolved = ended.is_some();
        ended.into_iter().for_each(|ended| self.ended(ended));
        json(&result::Resolved { resolved, acked: None })
    }

    fn ended(&mut self, ended: Ended) {
        let ended = Rc::new(ended);
        self.batch.writes.push(Write::Ended(Rc::clone(&ended)));
        self.batch.says.push(Says::Ended(ended));
    }
}

/// An ask that has ended, for an asker that comes back.
struct Settled {
    asked: AskUserRequest,
    response: AskUserResponse,
    /// Of a `run`: whether it went out to another asker already.
    is_used_up: bool,
}
