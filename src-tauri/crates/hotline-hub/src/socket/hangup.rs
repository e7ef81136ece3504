//! Tells a hang-up from a half-close: one kernel queue that watches every asker for nothing but its end.
//!
//! `shutdown(SHUT_WR)` only ends what the peer sends; it may still read its answer. A close, or the death of
//! the process, ends both ways, which epoll reports as `EPOLLHUP` to a watch with an empty mask. A child
//! that inherited the descriptor would hide that, so the asking process is watched too.

use std::rc::Rc;

use anyhow::Result;

use crate::hub::Desk;
use crate::platform::Gone;

/// Tells the desk of every hang-up, until the task is dropped.
pub(crate) async fn run(desk: Rc<Desk>) -> Result<()> {
    loop {
        for gone in desk.hang_ups().next().await? {
            match gone {
                Gone::Connection(number) => desk.hung_up(number),
                Gone::Process(pid) => desk.process_ended(pid),
            }
        }
    }
}
