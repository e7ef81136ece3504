//! The words and rules of Hotline: what is asked, what may answer, what crosses a process boundary.
//!
//! Nothing here does I/O, reads a clock, draws a random number, waits or locks; time arrives as a
//! parameter. Read in this order:
//!
//! - [`wire`]: every type and method that crosses a process boundary, and how a line becomes a call;
//! - [`frame`]: bytes into lines;
//! - [`queue`]: asks waiting for a person, and the only place that decides how one ends;
//! - [`place`]: where the socket is; [`proc_stat`]: what Linux says of a process;
//! - [`display`]: agents' text made safe to show;
//! - [`words`]: what the app itself says, in English and French.

pub mod display;
pub mod frame;
pub mod place;
pub mod proc_stat;
pub mod queue;
pub mod wire;
pub mod words;
