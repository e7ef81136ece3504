//! Who follows what: events numbered per subscription, and the present instead of a gap.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use hotline_core::wire::EventChannel;
use hotline_core::wire::reply::{self, write_event};

use crate::call::ReplyTo;

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
    /// Adds one and writes the present to it first.
    pub(super) fn add(&mut self, to: Rc<ReplyTo>, channels: Vec<EventChannel>, pending: &[&Arc<[u8]>]) {
        to.connection.subscribed.set(true);
        let subscription = Subscription { to, channels, seq: Cell::new(0) };
        subscription.snapshot(pending);
        self.0.push(subscription);
    }

    /// Whether anybody follows a channel.
    pub(super) fn are_there(&self, channel: EventChannel) -> bool {
        self.0.iter().any(|subscription| subscription.channels.contains(&channel))
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
    pub(super) fn tell_snapshots(&self, connection: u64, pending: &[&Arc<[u8]>]) {
        self.0
            .iter()
            .filter(|one| one.to.connection.number == connection)
            .for_each(|one| one.snapshot(pending));
    }
}

impl Subscription {
    fn snapshot(&self, pending: &[&Arc<[u8]>]) {
        if self.channels.contains(&EventChannel::AskUserEvent) {
            self.write(EventChannel::AskUserEvent, &reply::snapshot(pending));
        }
    }

    fn write(&self, channel: EventChannel, payload: &[u8]) {
        self.seq.set(self.seq.get() + 1);
        let ReplyTo { connection, dialect, id, silent: _ } = &*self.to;
        connection
            .push(None, |out| write_event(out, *dialect, id.as_deref(), channel, self.seq.get(), payload));
    }
}
