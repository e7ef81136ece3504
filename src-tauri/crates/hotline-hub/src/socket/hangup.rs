//! Tells a hang-up from a half-close: one kernel queue that watches every asker for nothing but its end.
//!
//! `shutdown(SHUT_WR)` only ends what the peer sends; it may still read its answer. A close, or the death of
//! the process, ends both ways, which epoll reports as `EPOLLHUP` to a watch with an empty mask. A child
//! that inherited the descriptor would hide that, so the asking process is watched too.

use std::io;
use std::rc::Rc;

use crate::hub::Desk;

#[cfg(target_os = "linux")]
mod platform {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::io;
    use std::os::fd::OwnedFd;

    use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    use tokio::io::unix::AsyncFd;

    use crate::readiness;
    use crate::socket::Connection;

    /// Marks a process's number in the queue apart from a connection's.
    const PROCESS: u64 = 1 << 63;

    /// What ended.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) enum Gone {
        /// The connection of that number.
        Connection(u64),
        /// The process of that pid.
        Process(u32),
    }

    /// The watch on all askers.
    pub(crate) struct HangUps {
        queue: AsyncFd<OwnedFd>,
        processes: RefCell<HashMap<u32, Watched>>,
    }

    /// A process that is watched, and for how many of its connections.
    struct Watched {
        pidfd: OwnedFd,
        connections: usize,
    }

    impl HangUps {
        pub(crate) fn new() -> io::Result<Self> {
            let queue = epoll::create(CreateFlags::CLOEXEC)?;
            Ok(Self { queue: readiness::to_read(queue)?, processes: RefCell::default() })
        }

        /// Watches a connection; done once for each, and ended by closing it. Its end is reported once.
        pub(crate) fn watch(&self, connection: &Connection) -> io::Result<()> {
            let data = EventData::new_u64(connection.number);
            epoll::add(self.queue.get_ref(), connection.stream(), data, EventFlags::ONESHOT)?;
            Ok(())
        }

        /// Watches a process for one of its connections. One that has ended already is an error.
        pub(crate) fn watch_process(&self, pid: u32) -> io::Result<()> {
            let mut processes = self.processes.borrow_mut();
            if let Some(watched) = processes.get_mut(&pid) {
                watched.connections += 1;
                return Ok(());
            }
            let raw = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::NotFound)?;
            let pidfd = pidfd_open(raw, PidfdFlags::empty())?;
            let data = EventData::new_u64(PROCESS | u64::from(pid));
            epoll::add(self.queue.get_ref(), &pidfd, data, EventFlags::IN | EventFlags::ONESHOT)?;
            processes.insert(pid, Watched { pidfd, connections: 1 });
            Ok(())
        }

        /// One connection of a process less is watched; the last ends the watch on the process.
        pub(crate) fn forget_process(&self, pid: u32) {
            let mut processes = self.processes.borrow_mut();
            let Some(watched) = processes.get_mut(&pid) else { return };
            watched.connections -= 1;
            if watched.connections == 0
                && let Some(watched) = processes.remove(&pid)
            {
                let _ = epoll::delete(self.queue.get_ref(), watched.pidfd);
            }
        }

        /// Waits for the next ends.
        pub(crate) async fn next(&self) -> io::Result<Vec<Gone>> {
            let zero = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
            loop {
                let mut guard = self.queue.readable().await?;
                let mut events = Vec::with_capacity(64);
                let buffer = rustix::buffer::spare_capacity(&mut events);
                epoll::wait(self.queue.get_ref(), buffer, Some(&zero))?;
                if events.is_empty() {
                    guard.clear_ready();
                    continue;
                }
                let gone = |event: &epoll::Event| {
                    let data = event.data.u64();
                    match u32::try_from(data & !PROCESS) {
                        Ok(pid) if data & PROCESS != 0 => {
                            self.processes.borrow_mut().remove(&pid);
                            Gone::Process(pid)
                        }
                        _ => Gone::Connection(data),
                    }
                };
                return Ok(events.iter().map(gone).collect());
            }
        }
    }
}

/// Elsewhere a hang-up shows when a reply cannot be written; the README says so.
#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;

    use crate::readiness;
    use crate::socket::Connection;

    #[derive(Debug, PartialEq, Eq)]
    pub(crate) enum Gone {
        Connection(u64),
        Process(u32),
    }

    pub(crate) struct HangUps;

    impl HangUps {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn watch(&self, _connection: &Connection) -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn watch_process(&self, _pid: u32) -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn forget_process(&self, _pid: u32) {}

        pub(crate) async fn next(&self) -> io::Result<Vec<Gone>> {
            std::future::pending().await
        }
    }
}

pub(crate) use platform::{Gone, HangUps};

/// Tells the desk of every hang-up, until the task is dropped.
pub(crate) async fn run(desk: Rc<Desk>) -> io::Result<()> {
    loop {
        for gone in desk.hang_ups().next().await? {
            match gone {
                Gone::Connection(number) => desk.hung_up(number),
                Gone::Process(pid) => desk.process_ended(pid),
            }
        }
    }
}
