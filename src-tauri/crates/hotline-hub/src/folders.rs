//! Where settings, data and logs are, by the platform's convention (on Linux the XDG base directories).

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use hotline_core::place::socket_candidates;

/// `hotline` below `$XDG_CONFIG_HOME`.
pub fn config() -> Result<PathBuf> {
    below("XDG_CONFIG_HOME", ".config", "--config")
}

/// `hotline` below `$XDG_DATA_HOME`.
pub fn data() -> Result<PathBuf> {
    below("XDG_DATA_HOME", ".local/share", "--data-dir")
}

/// `hotline` below `$XDG_STATE_HOME`.
pub fn state() -> Result<PathBuf> {
    below("XDG_STATE_HOME", ".local/state", "XDG_STATE_HOME")
}

/// The socket that a hub makes when none is named: the first candidate whose runtime folder exists.
pub fn socket() -> Result<PathBuf> {
    let uid = rustix::process::geteuid().as_raw();
    let candidates = socket_candidates(|name| env::var_os(name), uid);
    let runtime_exists = |path: &&PathBuf| path.ancestors().nth(2).is_some_and(Path::is_dir);
    let found = candidates.iter().find(runtime_exists).or(candidates.last()).cloned();
    found.context("No place for the socket is known.\nName one with --socket, or set HOME.")
}

fn below(variable: &str, default: &str, option: &str) -> Result<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(target_os = "macos") { "Library/Application Support" } else { default };
    let base = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(folder)));
    let base =
        base.with_context(|| format!("HOME is not set, so nothing can be kept.\nSet it, or {option}."))?;
    Ok(base.join("hotline"))
}
