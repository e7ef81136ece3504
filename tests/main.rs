//! The real `ht` against a real hub, end to end. Every test has a desk of its own and waits for things, never for time.
//!
//! - [`harness`]: the desk: a home, a socket, a hub, `ht`, a terminal;
//! - [`ht`]: what each verb prints and how it ends;
//! - [`approve`]: running a command takes two steps, by script and by hand;
//! - [`withdraw`]: the asker goes away, or the hub does;
//! - [`peer`]: a bare connection, of this process or of a program of its own;
//! - [`socket`]: the socket surface: framing, dialects, endings, events, pressure, and the seed through `nc`;
//! - [`asks`]: the rules of an ask over the wire: kinds, gate, keys, races;
//! - [`restart`]: `kill -9`, a clean end, and what waits through both;
//! - [`store`]: a damaged, foreign, newer or held store, and a long one;
//! - [`places`]: the folders and the socket: modes, locks, what is in the way;
//! - [`root`]: what only root can try: other users, a full disk;
//! - [`fixtures`]: one example of every call, reply, error and event, replayed;
//! - [`tidy`]: the repository's own rules.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that cannot go on says so by failing, and one that fails says what it saw"
)]

mod approve;
mod asks;
mod fixtures;
mod harness;
mod ht;
mod peer;
mod places;
mod restart;
mod root;
mod socket;
mod store;
mod tidy;
mod withdraw;

/// Whether the long part is wanted too: `HOTLINE_LONG=1`, as `make soak` sets it.
fn is_long() -> bool {
    std::env::var_os("HOTLINE_LONG").is_some_and(|long| long == "1")
}
