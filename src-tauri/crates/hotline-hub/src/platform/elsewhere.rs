//! Elsewhere, which so far is macOS: nothing here was compiled or run yet.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use hotline_core::proc_stat::ProcStat;
use rustix::time::{ClockId, Timespec, clock_gettime};
use tokio::sync::watch;

use super::Gone;
use crate::clock;
use crate::socket::Connection;

/// On macOS the monotonic clock counts time asleep.
pub(crate) fn boot_time() -> Timespec {
    clock_gettime(ClockId::Monotonic)
}

/// Without `/proc` nothing is known, so no caller is trusted with a command.
pub(crate) fn stat(_pid: u32) -> Option<ProcStat> {
    None
}

/// Not known here.
pub(crate) fn executable(_pid: u32) -> Option<PathBuf> {
    None
}

/// Not known here.
pub(crate) fn folder(_pid: u32) -> Option<PathBuf> {
    None
}

/// A timer that looks at the clock each second, for want of one that counts time asleep.
pub(crate) struct Alarm(watch::Sender<Option<u64>>);

impl Alarm {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(watch::Sender::new(None)))
    }

    pub(crate) fn set(&self, when: Option<u64>) -> io::Result<()> {
        self.0.send_replace(when);
        Ok(())
    }

    pub(crate) async fn rings(&self) -> io::Result<()> {
        let mut changes = self.0.subscribe();
        loop {
            let when = *changes.borrow_and_update();
            let Some(when) = when else {
                let _ = changes.changed().await;
                continue;
            };
            let left = when.saturating_sub(clock::now().boot);
            if left == 0 {
                self.0.send_replace(None);
                return Ok(());
            }
            let nap = tokio::time::sleep(Duration::from_millis(left.min(1000)));
            tokio::select! { () = nap => {}, _ = changes.changed() => {} }
        }
    }
}

/// A hang-up shows only when a reply cannot be written.
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
