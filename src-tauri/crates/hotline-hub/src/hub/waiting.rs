//! Calls that wait for their ask to end: the queue knows each by its ticket.

use std::cell::RefCell;
use std::rc::Rc;

use hotline_core::queue::Ticket;
use slab::Slab;

use crate::call::ReplyTo;
use crate::caller::Caller;

/// One of them.
struct Waiting {
    to: Rc<ReplyTo>,
    number: u64,
    /// Its place in the connection's own list.
    place: usize,
}

/// All of them.
#[derive(Default)]
pub(super) struct WaitingCalls(RefCell<Slab<Waiting>>);

impl WaitingCalls {
    pub(super) fn add(&self, to: &Rc<ReplyTo>) -> Ticket {
        let mut of_connection = to.connection.waiting.borrow_mut();
        let waiting = Waiting { to: Rc::clone(to), number: 0, place: of_connection.len() };
        let ticket = u32::try_from(self.0.borrow_mut().insert(waiting)).expect("fewer calls than 2^32");
        of_connection.push(ticket);
        Ticket(ticket)
    }

    /// The ask that a call waits for.
    pub(super) fn number(&self, ticket: Ticket) -> u64 {
        self.0.borrow()[ticket.0 as usize].number
    }

    /// Who waits.
    pub(super) fn caller(&self, ticket: Ticket) -> Caller {
        self.0.borrow()[ticket.0 as usize].to.connection.caller.clone()
    }

    pub(super) fn set_number(&self, ticket: Ticket, number: u64) {
        self.0.borrow_mut()[ticket.0 as usize].number = number;
    }

    pub(super) fn remove(&self, ticket: Ticket) -> Rc<ReplyTo> {
        let mut all = self.0.borrow_mut();
        let gone = all.remove(ticket.0 as usize);
        let mut of_connection = gone.to.connection.waiting.borrow_mut();
        of_connection.swap_remove(gone.place);
        if let Some(&moved) = of_connection.get(gone.place) {
            all[moved as usize].place = gone.place;
        }
        drop(of_connection);
        gone.to
    }
}
