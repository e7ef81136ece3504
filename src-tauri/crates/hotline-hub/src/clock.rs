//! The two clocks, and one alarm that counts time asleep.

use std::time::{SystemTime, UNIX_EPOCH};

use hotline_core::queue::Now;

/// This moment on both clocks.
pub(crate) fn now() -> Now {
    Now { boot: platform::boot_ms(), wall: wall_ms() }
}

/// Milliseconds since the epoch.
pub(crate) fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn ms(time: rustix::time::Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    seconds * 1000 + u64::try_from(time.tv_nsec).unwrap_or_default() / 1_000_000
}

pub(crate) use platform::Alarm;

#[cfg(target_os = "linux")]
mod platform {
    use std::io;
    use std::os::fd::OwnedFd;

    use rustix::time::{
        ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime,
        timerfd_create, timerfd_settime,
    };

    use tokio::io::unix::AsyncFd;

    use crate::readiness;

    pub(super) fn boot_ms() -> u64 {
        super::ms(clock_gettime(ClockId::Boottime))
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
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::time::Duration;

    use tokio::sync::watch;

    /// On macOS the monotonic clock counts time asleep.
    pub(super) fn boot_ms() -> u64 {
        super::ms(rustix::time::clock_gettime(rustix::time::ClockId::Monotonic))
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
                let left = when.saturating_sub(boot_ms());
                if left == 0 {
                    self.0.send_replace(None);
                    return Ok(());
                }
                let nap = tokio::time::sleep(Duration::from_millis(left.min(1000)));
                tokio::select! { () = nap => {}, _ = changes.changed() => {} }
            }
        }
    }
}
