//! Responses that their askers' kernels have: for the history, so they are written down in one go with others.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use crate::store::{Delivered, MOST_IN_A_ROW};

/// How many deliveries share a commit.
const MANY: usize = 64;

/// Those that are not written down yet.
#[derive(Default)]
pub(super) struct Deliveries {
    rows: RefCell<Vec<Delivered>>,
    /// How many deliveries the rows hold.
    count: Cell<usize>,
    are_due: Cell<bool>,
    /// Commands answered `run` and not delivered: their delivery is written down at once.
    commands: RefCell<HashSet<u64>>,
}

impl Deliveries {
    /// A command's `run` is about to go out.
    pub(super) fn expect_run(&self, number: u64) {
        self.commands.borrow_mut().insert(number);
    }

    /// The kernel has this response whole. True where that has to be written down at once.
    pub(super) fn add(&self, number: u64, at: u64) -> bool {
        let mut rows = self.rows.borrow_mut();
        match rows.last_mut() {
            Some(row) if row.at == at && row.last + 1 == number && number - row.first < MOST_IN_A_ROW => {
                row.last = number;
            }
            Some(_) | None => rows.push(Delivered { first: number, last: number, at }),
        }
        self.count.set(self.count.get() + 1);
        let mut commands = self.commands.borrow_mut();
        let is_command = !commands.is_empty() && commands.remove(&number);
        if is_command {
            self.are_due.set(true);
        }
        is_command
    }

    /// Whether a command's `run` is on its way to its asker, or there and not written down yet.
    pub(super) fn is_going_out(&self, number: u64) -> bool {
        let of_it = |row: &Delivered| (row.first..=row.last).contains(&number);
        self.commands.borrow().contains(&number) || self.rows.borrow().iter().any(of_it)
    }

    /// Has all of them written down with the next tick.
    pub(super) fn make_due(&self) {
        self.are_due.set(true);
    }

    /// Takes those that are to be written down now: all when there are many, when they are due or somebody
    /// `looks_back`, else none.
    pub(super) fn due(&self, looks_back: bool) -> Vec<Delivered> {
        if self.are_due.take() || looks_back || self.count.get() >= MANY { self.take() } else { Vec::new() }
    }

    /// Takes them all.
    pub(super) fn take(&self) -> Vec<Delivered> {
        self.count.set(0);
        std::mem::take(&mut *self.rows.borrow_mut())
    }

    /// Puts back what could not be written.
    pub(super) fn put_back(&self, rows: Vec<Delivered>) {
        let back: u64 = rows.iter().map(|row| row.last - row.first + 1).sum();
        self.count.set(self.count.get() + back as usize);
        self.rows.borrow_mut().extend(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_on_in_one_millisecond_is_one_row_of_64_at_most() {
        let deliveries = Deliveries::default();
        (1..=70).for_each(|number| assert!(!deliveries.add(number, 5)));
        deliveries.add(71, 6);
        deliveries.add(80, 6);
        let row = |first, last, at| Delivered { first, last, at };
        let expected = [row(1, 64, 5), row(65, 70, 5), row(71, 71, 6), row(80, 80, 6)];
        assert_eq!(deliveries.due(false), expected);
        assert!(deliveries.due(true).is_empty());
    }

    #[test]
    fn a_command_is_going_out_until_its_delivery_is_written_down() {
        let deliveries = Deliveries::default();
        deliveries.expect_run(7);
        assert!(deliveries.is_going_out(7));
        assert!(deliveries.add(7, 1));
        assert!(deliveries.is_going_out(7));
        assert_eq!(deliveries.due(false).len(), 1);
        assert!(!deliveries.is_going_out(7));
    }
}
