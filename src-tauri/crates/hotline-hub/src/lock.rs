//! One owner per folder and per socket: an operating-system lock on a file beside it.
//!
//! A held lock means a live hub, a free one a stale file; nothing is ever probed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Another hub holds the lock.
#[derive(Debug, thiserror::Error)]
#[error("Another hub already runs ({owner}) and holds {}.\nUse that one, or end it first.", path.display())]
pub struct Busy {
    /// `pid N`, as far as its lock file says.
    pub owner: String,
    /// What it holds.
    pub path: PathBuf,
}

/// Takes a lock file that stands for `what`, for as long as the value lives; writes our pid into it.
pub(crate) fn take(path: &Path, what: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    let mut file = options.open(path).with_context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut pid = String::new();
            let _ = file.read_to_string(&mut pid);
            let owner = match pid.trim().parse::<u32>() {
                Ok(pid) => format!("pid {pid}"),
                Err(_) => "pid unknown".to_owned(),
            };
            return Err(Busy { owner, path: what.to_owned() }.into());
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("cannot lock {}", path.display()));
        }
    }
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())?;
    Ok(file)
}
