//! The two clocks.

use std::time::{SystemTime, UNIX_EPOCH};

use hotline_core::queue::Now;

use crate::platform;

/// This moment on both clocks.
pub(crate) fn now() -> Now {
    let boot = platform::boot_time();
    let seconds = u64::try_from(boot.tv_sec).unwrap_or_default();
    let boot = seconds * 1000 + u64::try_from(boot.tv_nsec).unwrap_or_default() / 1_000_000;
    Now { boot, wall: wall_ms() }
}

/// Milliseconds since the epoch.
pub(crate) fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
