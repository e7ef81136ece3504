//! Where settings, data and logs are, by the platform's convention (on Linux the XDG base directories).

use std::env;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
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

/// Makes a folder for its owner alone, or makes sure that it is one.
pub(crate) fn private(folder: &Path) -> Result<()> {
    if !folder.exists() && fs::symlink_metadata(folder).is_err() {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let found =
        fs::symlink_metadata(folder).with_context(|| format!("cannot look at {}", folder.display()))?;
    let mode = found.mode() & 0o777;
    if !found.is_dir() {
        bail!(
            "{} is no folder of its own (a file or a link).\nMove it away, or choose another path.",
            folder.display()
        );
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        bail!("{} belongs to another user.\nChoose a folder of your own.", folder.display());
    }
    if mode & 0o077 == 0 {
        return Ok(());
    }
    // The folder named after us holds nothing else, so closing it is ours to do.
    if folder.file_name().is_some_and(|name| name == "hotline") {
        tracing::warn!(folder = %folder.display(), mode = format!("{mode:o}"), "the folder was open to others; closed");
        return Ok(fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?);
    }
    if mode & 0o022 != 0 {
        bail!(
            "Others may write into {} (mode {mode:o}), so they could pose as the hub.\n\
             Choose another folder, or close this one with `chmod 700`.",
            folder.display()
        );
    }
    Ok(())
}
