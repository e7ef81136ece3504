//! Who follows what: events numbered per subscription, and the present instead of a gap.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use hotline_core::wire::EventChannel;
use hotline_core::wire::reply::write_event;

use crate::call::{ReplyTo, push_list};

/// One `events.subscribe`.
struct Subscription {
    to: Rc<ReplyTo>,
    channels: Vec<EventChannel>,
    seq: Cell<u64>,
}

/// All of them.
#[derive(Default)]
pub(super) struct Subscriptions(Vec<Subscription>);

impl Subscriptions {
    pub(super) fn add(&mut self, to: Rc<ReplyTo>, channels: Vec<EventChannel>) {
        to.connection.subscribed.set(true);
        self.0.push(Subscription { to, channels, seq: Cell::new(0) });
    }

    /// Forgets those of a connection that ended.
    pub(super) fn forget(&mut self, connection: u64) {
        self.0.retain(|subscription| subscription.to.connection.number != connection);
    }

    /// Writes one event to everybody who follows its channel; `touched` hears of each.
    pub(super) fn tell(&self, channel: EventChannel, payload: &[u8], touched: impl Fn(&Rc<ReplyTo>)) {
        for subscription in self.0.iter().filter(|subscription| subscription.channels.contains(&channel)) {
            let connection = &subscription.to.connection;
            if connection.lags.get() || connection.is_behind() {
                connection.lags.set(true);
                continue;
            }
            subscription.write(channel, payload);
            touched(&subscription.to);
        }
    }

    /// Writes the present to a connection that fell behind.
    pub(super) fn tell_snapshots(&self, connection: u64, pending: &[Arc<[u8]>]) {
        self.0
            .iter()
            .filter(|one| one.to.connection.number == connection)
            .for_each(|one| one.snapshot(pending));
    }

    /// Writes the present to the subscription that was added last.
    pub(super) fn tell_newest_snapshot(&self, pending: &[Arc<[u8]>]) {
        self.0.iter().last().into_iter().for_each(|newest| newest.snapshot(pending));
    }
}

impl Subscription {
    fn snapshot(&self, pending: &[Arc<[u8]>]) {
        if self.channels.contains(&EventChannel::AskUserEvent) {
            let mut payload = b"\"kind\":\"snapshot\",\"pending\":".to_vec();
            push_list(&mut payload, pending.iter());
            self.write(EventChannel::AskUserEvent, &payload);
        }
    }

    fn write(&self, channel: EventChannel, payload: &[u8]) {
        self.seq.set(self.seq.get() + 1);
        let ReplyTo { connection, dialect, id, silent: _ } = &*self.to;
        connection
            .push(None, |out| write_event(out, *dialect, id.as_deref(), channel, self.seq.get(), payload));
    }
}
