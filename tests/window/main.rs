//! The real app on a screen of its own: real keys and clicks, WebKit's own driver, a bus with nobody else on it.
//!
//! - [`stage`]: the screen, the bus, the app, `ht`; [`driver`]: looks into its pages;
//! - [`app`]: opens, shows, ends, comes back; [`answers`]: each kind by pointer and by keyboard;
//! - [`accidents`]: nobody answers without meaning to; [`desktop`]: tray and notifications;
//! - [`reach`]: what a screen reader is told; [`pictures`]: those of the documentation.
//!
//! One stage at a time: clicks and clocks are real. `HOTLINE_LONG=1` makes the accidents 200 rounds each, which take
//! long, and therefore as many stages at once as the test runner has threads.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that cannot go on says so by failing, and one that fails says what it saw"
)]

mod accidents;
mod answers;
mod app;
mod desktop;
mod driver;
mod pictures;
mod reach;
mod stage;
