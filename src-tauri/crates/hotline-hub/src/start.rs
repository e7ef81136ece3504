//! How a program with a hub starts: its options, its log, its settings, and how it ends when that fails.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Parser};
use rustix::process::{Resource, Rlimit};

use crate::settings::Settings;
use crate::{Busy, Config, Hub, caller, folders, log};

/// The exit status for a wrong command line (sysexits.h).
pub const EX_USAGE: u8 = 64;
/// The exit status where a part that is needed is missing, such as a display.
pub const EX_UNAVAILABLE: u8 = 69;
/// The exit status for whatever else fails.
pub const EX_SOFTWARE: u8 = 70;
/// The exit status where another hub holds the lock.
pub const EX_TEMPFAIL: u8 = 75;

/// What every program with a hub can be told.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Where to listen [default: hotline/hotline.sock in the runtime folder]
    #[arg(long, value_name = "PATH", env = "HT_SOCKET_PATH", hide_env_values = true)]
    pub socket: Option<PathBuf>,
    /// Where asks are kept
    #[arg(long, value_name = "DIR", env = "HOTLINE_DATA_DIR", hide_env_values = true)]
    pub data_dir: Option<PathBuf>,
    /// The settings file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The web mirror's address; this version has none, so only off
    #[arg(long, value_name = "off", value_parser = ["off"], default_value = "off")]
    pub mirror: String,
    /// error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = ["error", "warn", "info", "debug", "trace"])]
    pub log: String,
}

/// Reads the command line. Where it asks for help or is wrong, that was said, and the status to end with comes back.
pub fn read_options<P: Parser>() -> Result<P, ExitCode> {
    P::try_parse().map_err(|error| {
        let _ = error.print();
        if error.use_stderr() { ExitCode::from(EX_USAGE) } else { ExitCode::SUCCESS }
    })
}

/// Starts the log, reads the settings and starts the hub.
///
/// The process's umask becomes 077 before anything is made: all of it is the person's alone.
pub fn start(options: &Options) -> Result<Hub> {
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    // Each connection takes a descriptor or two, and the usual soft limit is low.
    let files = rustix::process::getrlimit(Resource::Nofile);
    let _ = rustix::process::setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files });
    let state = folders::state()?;
    log::start(&state.join("log"), &options.log)?;
    let settings_file = match &options.config {
        Some(file) if !file.exists() => {
            bail!("{} is not there.\nName a settings file that is, or leave --config out.", file.display())
        }
        Some(file) => file.clone(),
        None => folders::config()?.join("settings.toml"),
    };
    let (settings, problems) = Settings::read(&settings_file, &state.join("settings.last-good.toml"));
    for problem in problems {
        tracing::warn!("{problem}");
    }
    Hub::start(&Config {
        socket: options.socket.clone().map_or_else(folders::socket, Ok)?,
        data_dir: options.data_dir.clone().map_or_else(folders::data, Ok)?,
        rules: settings.rules(),
    })
}

/// Who the person at this machine is, for the history.
pub fn person() -> String {
    caller::user_name(rustix::process::geteuid().as_raw())
}

/// Says on standard error why a program cannot go on, and gives the status to end with.
pub fn failed(program: &str, error: &anyhow::Error) -> u8 {
    let _ = writeln!(std::io::stderr(), "{program}: {error:#}");
    if error.is::<Busy>() { EX_TEMPFAIL } else { EX_SOFTWARE }
}
