//! The real `ht` against a real hub, end to end. Every test has a desk of its own and waits for things, never for time.
//!
//! - [`harness`]: the desk: a home, a socket, a hub, `ht`, a terminal;
//! - [`ht`]: what each verb prints and how it ends;
//! - [`approve`]: running a command takes two steps, by script and by hand;
//! - [`withdraw`]: the asker goes away, or the hub does.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that cannot go on says so by failing, and one that fails says what it saw"
)]

mod approve;
mod harness;
mod ht;
mod withdraw;
