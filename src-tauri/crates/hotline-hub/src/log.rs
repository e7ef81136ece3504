//! The log: to standard error, and to a file a day in the state folder, kept for a week.
//!
//! Neither holds the text of an ask, an answer or a secret.

use std::path::Path;

use anyhow::{Context as _, Result};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::MakeWriterExt as _;

use crate::folders;

/// Days that a log file is kept.
const KEPT: usize = 7;

/// Starts logging at `level` (`error`, `warn`, `info`, `debug`, `trace`) into `folder`.
pub fn start(folder: &Path, level: &str) -> Result<()> {
    folders::private(folder.parent().unwrap_or(folder))?;
    folders::private(folder)?;
    let file = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("hotline")
        .filename_suffix("log")
        .max_log_files(KEPT)
        .build(folder)
        .with_context(|| format!("cannot write a log into {}", folder.display()))?;
    // The appender locks only itself, and a log line is rare: no thread for it.
    let file = std::sync::Mutex::new(file);
    let filter =
        EnvFilter::try_new(format!("hotline_hub={level},hotlined={level},hotline_window={level},warn"))
            .with_context(|| format!("{level} is no log level.\nUse error, warn, info, debug or trace."))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        // It would complain on standard error, and a complaint that cannot be printed is a panic.
        .log_internal_errors(false)
        .with_writer(std::io::stderr.and(file))
        .try_init()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    std::panic::set_hook(Box::new(|panic| {
        // Where, not what: the words of a panic may hold the text of an ask.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a part of the program panicked");
    }));
    Ok(())
}
