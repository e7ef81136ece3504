//! Waits on one direction of a descriptor: half the wake-ups of tokio's own streams, which always watch both.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor that stays the same and open as long as its owner: what [`AsyncFd`] needs, and cannot ask of any type.
pub(crate) trait Steady: AsRawFd {}
impl Steady for OwnedFd {}
impl Steady for UnixStream {}

/// Watches for something to read.
pub(crate) fn to_read<T: Steady>(descriptor: T) -> io::Result<AsyncFd<T>> {
    watch(descriptor, Interest::READABLE)
}

/// Watches for room to write.
pub(crate) fn to_write<T: Steady>(descriptor: T) -> io::Result<AsyncFd<T>> {
    watch(descriptor, Interest::WRITABLE)
}

#[expect(deprecated, reason = "its successor is unsafe for want of the bound that `Steady` is")]
fn watch<T: Steady>(descriptor: T, interest: Interest) -> io::Result<AsyncFd<T>> {
    AsyncFd::with_interest(descriptor, interest)
}
