//! `hotlined`: the hub without a window, for servers, SSH and tests.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use hotline_hub::start::{self, Options};
use signal_hook::consts::{SIGINT, SIGTERM};

/// The Hotline hub without a window: agents ask through its socket, `ht` answers.
///
/// Prints one line when it is ready, `ready socket=PATH mirror=off`, and ends cleanly on SIGTERM.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Program {
    #[command(flatten)]
    options: Options,
}

fn main() -> ExitCode {
    let program: Program = match start::read_options() {
        Ok(program) => program,
        Err(status) => return status,
    };
    match run(&program.options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(start::failed("hotlined", &error)),
    }
}

fn run(options: &Options) -> Result<()> {
    let hub = start::start(options)?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let stopper = hub.stopper();
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if signals.forever().next().is_some() {
            stopper.stop();
        }
    })?;
    let mut out = std::io::stdout();
    writeln!(out, "ready socket={} mirror={}", hub.socket().display(), options.mirror)
        .and_then(|()| out.flush())
        .context("cannot say that the hub is ready")?;
    hub.wait()
}
