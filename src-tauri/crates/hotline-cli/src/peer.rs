//! Who is at the other end of a socket, as far as this system tells.

use std::io;
use std::os::unix::net::UnixStream;

// Of nix and not of rustix, whose type has no room for the 0 of a process outside the namespace.
#[cfg(target_os = "linux")]
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};

/// The user that the listening process runs as.
#[cfg(target_os = "linux")]
pub(crate) fn uid(stream: &UnixStream) -> io::Result<Option<u32>> {
    Ok(Some(getsockopt(stream, PeerCredentials)?.uid()))
}

/// Unknown: that the socket's file is the user's own has to do here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn uid(_: &UnixStream) -> io::Result<Option<u32>> {
    Ok(None)
}
