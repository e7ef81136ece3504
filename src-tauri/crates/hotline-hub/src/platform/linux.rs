//! Linux: the boot-time clock and its alarm, hang-ups by epoll, processes by `/proc`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use hotline_core::proc_stat::ProcStat;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime,
    timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;

use super::Gone;
use crate::readiness;
use crate::socket::Connection;

/// The clock that counts time asleep.
pub(crate) fn boot_time() -> Timespec {
    clock_gettime(ClockId::Boottime)
}

/// A process, from its `stat` file; none where it has ended or may not be looked at.
pub(crate) fn stat(pid: u32) -> Option<ProcStat> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // A zombie is gone: its parents no longer say anything about who calls.
    ProcStat::parse(&String::from_utf8_lossy(&text)).filter(|stat| !stat.is_zombie)
}

/// The executable of a process.
pub(crate) fn executable(pid: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/exe")).ok()
}

/// The folder that a process runs in.
pub(crate) fn folder(pid: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/cwd")).ok()
}

/// A timer on the boot-time clock: it also goes off for a deadline that passed in suspend.
pub(crate) struct Alarm(AsyncFd<OwnedFd>);

impl Alarm {
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = timerfd_create(TimerfdClockId::Boottime, flags)?;
        Ok(Self(readiness::to_read(timer)?))
    }

    /// Goes off at that boot time, in milliseconds; never for none.
    pub(crate) fn set(&self, when: Option<u64>) -> io::Result<()> {
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        let value = when.map_or(zero, |ms| {
            // Zero would disarm it, so the past is one nanosecond after the start.
            let nanos = i64::try_from(ms % 1000).unwrap_or_default() * 1_000_000;
            Timespec { tv_sec: i64::try_from(ms / 1000).unwrap_or(i64::MAX), tv_nsec: nanos.max(1) }
        });
        let spec = Itimerspec { it_interval: zero, it_value: value };
        timerfd_settime(self.0.get_ref(), TimerfdTimerFlags::ABSTIME, &spec)?;
        Ok(())
    }

    /// Waits until it goes off.
    pub(crate) async fn rings(&self) -> io::Result<()> {
        let mut guard = self.0.readable().await?;
        let mut count = [0; 8];
        let _ = rustix::io::read(self.0.get_ref(), &mut count);
        guard.clear_ready();
        Ok(())
    }
}

/// Marks a process's number in the queue apart from a connection's.
const PROCESS: u64 = 1 << 63;

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
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
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
