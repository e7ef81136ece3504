//! `hotlined`: the hub without a window, for servers, SSH and tests.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use hotline_hub::settings::Settings;
use hotline_hub::socket::Busy;
use hotline_hub::{Config, Hub, folders, log};
use signal_hook::consts::{SIGINT, SIGTERM};

/// The Hotline hub without a window: agents ask through its socket, `ht` answers.
///
/// Prints one line when it is ready, `ready socket=PATH mirror=off`, and ends cleanly on SIGTERM.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// Where to listen [default: hotline/hotline.sock in the runtime folder]
    #[arg(long, value_name = "PATH", env = "HT_SOCKET_PATH", hide_env_values = true)]
    socket: Option<PathBuf>,
    /// Where asks are kept
    #[arg(long, value_name = "DIR", env = "HOTLINE_DATA_DIR", hide_env_values = true)]
    data_dir: Option<PathBuf>,
    /// The settings file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The web mirror's address; this version has none, so only off
    #[arg(long, value_name = "off", value_parser = ["off"], default_value = "off")]
    mirror: String,
    /// error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = ["error", "warn", "info", "debug", "trace"])]
    log: String,
}

/// Exit statuses of sysexits.h that this program uses.
const EX_USAGE: u8 = 64;
const EX_SOFTWARE: u8 = 70;
const EX_TEMPFAIL: u8 = 75;

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(EX_USAGE) } else { ExitCode::SUCCESS };
        }
    };
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "hotlined: {error:#}");
            ExitCode::from(if error.is::<Busy>() { EX_TEMPFAIL } else { EX_SOFTWARE })
        }
    }
}

fn run(options: Options) -> Result<()> {
    // Everything that is made from here on is the person's alone.
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let state = folders::state()?;
    log::start(&state.join("log"), &options.log)?;
    let settings_file = match options.config {
        Some(file) => file,
        None => folders::config()?.join("settings.toml"),
    };
    let (settings, problems) = Settings::read(&settings_file, &state.join("settings.last-good.toml"));
    for problem in problems {
        tracing::warn!("{problem}");
    }
    let hub = Hub::start(&Config {
        socket: options.socket.map_or_else(folders::socket, Ok)?,
        data_dir: options.data_dir.map_or_else(folders::data, Ok)?,
        rules: settings.rules(),
    })?;

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
