//! The Hotline hub: everything around the rules of `hotline-core` that does I/O, without a window.
//!
//! - [`hub`]: the handle, and the thread on which asks are decided, written down and told;
//! - `call`: the one door through which every surface speaks; `caller`: who does;
//! - [`socket`]: the surface for agents and `ht`;
//! - `store`: asks on disk; `process` and `clock`: what the kernel says;
//! - [`settings`], [`folders`], [`log`]: what a composition root sets up first.

mod call;
mod caller;
mod clock;
pub mod folders;
pub mod hub;
pub mod log;
mod process;
mod readiness;
pub mod settings;
pub mod socket;
mod store;

pub use caller::View;
pub use hub::{Config, Hub};
