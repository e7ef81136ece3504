//! Who is at the other end of a socket, as far as this system tells.

use std::io;
use std::os::unix::net::UnixStream;

/// The user that the listening process runs as.
#[cfg(target_os = "linux")]
pub(crate) fn uid(stream: &UnixStream) -> io::Result<Option<u32>> {
    Ok(Some(rustix::net::sockopt::socket_peercred(stream)?.uid.as_raw()))
}

/// Unknown: that the socket's file is the user's own has to do here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn uid(_: &UnixStream) -> io::Result<Option<u32>> {
    Ok(None)
}
