//! `make bench`: the path of an ask, measured on the real `hotlined` beside a floor.
//!
//! - [`server`]: a process under measurement, and what the kernel says about it;
//! - [`floor`]: the least such a server can do, a line echo, in a process of its own;
//! - [`peer`]: the client, one code for both;
//! - [`cycle`]: ask, learn the id, answer: with one asker and with many;
//! - [`crowd`]: many asks that wait;
//! - [`report`]: figures, bars, the table.
//!
//! A busy machine changes every figure from one moment to the next, so hub and floor are measured in short
//! pairs, one right after the other in changing order, and what counts is the median of the pairs' ratios.
//! `HOTLINE_BENCH_QUICK=1` makes fewer and shorter ones.

#[cfg(target_os = "linux")]
mod crowd;
#[cfg(target_os = "linux")]
mod cycle;
#[cfg(target_os = "linux")]
mod floor;
#[cfg(target_os = "linux")]
mod peer;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod speed;

/// Memory, processor time and wake-ups are read from `/proc`.
#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() -> anyhow::Result<std::process::ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == floor::ARGUMENT) {
        let socket = arguments.next().ok_or_else(|| anyhow::anyhow!("the floor needs a socket"))?;
        return floor::serve(socket.as_ref()).map(|()| std::process::ExitCode::SUCCESS);
    }
    let effort = if std::env::var_os("HOTLINE_BENCH_QUICK").is_some() { Effort::QUICK } else { Effort::FULL };
    server::allow_many_files()?;
    let mut report = report::Report::default();
    speed::measure(&effort, &mut report)?;
    crowd::measure(&effort, &mut report)?;
    report.finish()
}

/// How much is measured.
#[cfg(target_os = "linux")]
struct Effort {
    /// Pairs of every speed.
    pairs: usize,
    /// Round trips in one half of a pair, with one asker.
    trips: usize,
    /// Cycles in one half of a pair, over all of many askers.
    cycles: usize,
    /// Asks that wait, each on a connection of its own.
    own: usize,
    /// Asks that wait on few connections.
    shared: usize,
    /// How long an idle hub is watched, in seconds.
    idle: u64,
}

#[cfg(target_os = "linux")]
impl Effort {
    const FULL: Self = Self { pairs: 21, trips: 1000, cycles: 8000, own: 9_900, shared: 50_000, idle: 10 };
    const QUICK: Self = Self { pairs: 7, trips: 500, cycles: 3000, own: 900, shared: 10_000, idle: 3 };
}
