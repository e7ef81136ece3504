//! Waiting for several things at once: the hub, a signal, the reader of our output going away, time.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// What ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The stream has something to read, its end included.
    Readable,
    /// A signal asks us to end.
    Signal(u8),
    /// Nobody can read our output any more.
    ReaderGone,
    /// The time is over.
    Elapsed,
}

/// Catches signals and keeps an eye on stdout.
pub(crate) struct Watch {
    caught: Arc<AtomicUsize>,
    bell: UnixStream,
    rope: UnixStream,
}

impl Watch {
    /// Catches INT, TERM and HUP from now on.
    ///
    /// A HUP that was ignored at the start stays ignored: that is what `nohup` is for. An INT is caught all
    /// the same, since a shell ignores it for everything it starts with `&`.
    pub(crate) fn signals() -> io::Result<Self> {
        let watch = Self::nothing()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            let number = usize::try_from(signal).expect("signals have positive numbers");
            flag::register_usize(signal, Arc::clone(&watch.caught), number)?;
            low_level::pipe::register(signal, watch.rope.try_clone()?)?;
        }
        Ok(watch)
    }

    /// Leaves signals as they are.
    pub(crate) fn nothing() -> io::Result<Self> {
        let (bell, rope) = UnixStream::pair()?;
        Ok(Self { caught: Arc::default(), bell, rope })
    }

    /// Waits, at most for `limit`.
    pub(crate) fn wait(&self, stream: Option<BorrowedFd<'_>>, limit: Option<Duration>) -> Wake {
        let until = limit.and_then(|limit| Instant::now().checked_add(limit));
        loop {
            if let Some(signal) = self.caught() {
                return Wake::Signal(signal);
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let stdout = io::stdout();
            // Asked for nothing, a descriptor still tells that its other end is gone.
            let mut fds = vec![
                PollFd::new(&self.bell, PollFlags::IN),
                PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::empty()),
            ];
            fds.extend(stream.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            // An error is a signal's interruption, which the next turn sees.
            let found = poll(&mut fds, timeout.as_ref()).unwrap_or(0);
            if self.caught().is_some() {
                continue;
            }
            if fds.get(2).is_some_and(|fd| !fd.revents().is_empty()) {
                return Wake::Readable;
            }
            if fds[1].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
                return Wake::ReaderGone;
            }
            if found == 0 && left.is_some_and(|left| left.is_zero()) {
                return Wake::Elapsed;
            }
        }
    }

    fn caught(&self) -> Option<u8> {
        u8::try_from(self.caught.load(Ordering::SeqCst)).ok().filter(|signal| *signal != 0)
    }
}

/// Whether this process was started with a signal ignored, where the system tells.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
