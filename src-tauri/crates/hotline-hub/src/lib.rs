//! The Hotline hub: everything around the rules of `hotline-core` that does I/O, without a window.
//!
//! - `hub`: the handle, and the thread on which asks are decided, written down and told;
//! - `call`: the one door through which every surface speaks; `caller`: who does;
//! - `socket`: the surface for agents and `ht`;
//! - `store`: asks on disk; `lock`: one owner of it; `process` and `clock`: what the kernel says, through `platform`;
//! - `readiness`: waiting on one direction of a descriptor;
//! - [`settings`], [`folders`], [`log`]: what a composition root sets up first; [`start`]: does so.

mod call;
mod caller;
mod clock;
pub mod folders;
mod hub;
mod lock;
pub mod log;
mod platform;
mod process;
mod readiness;
pub mod settings;
mod socket;
pub mod start;
mod store;

pub use caller::View;
pub use hub::{Config, Hub, Stopper};
pub use lock::Busy;
