//! The socket's path and the folder around it: private, owned by one hub, free of stale files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// Longest socket path in bytes, its final NUL not counted (unix(7)).
const MAX_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Another hub holds the lock.
#[derive(Debug, thiserror::Error)]
#[error("Another hub already runs ({owner}) and holds {}.\nUse that one, or end it first.", path.display())]
pub struct Busy {
    /// `pid N`, as far as its lock file says.
    pub owner: String,
    /// What it holds.
    pub path: PathBuf,
}

/// A socket path that this process owns; its file goes with the value.
pub(crate) struct Place {
    path: PathBuf,
    _lock: File,
}

impl Place {
    /// Takes the path: makes its folder, locks it, removes a stale socket. Does not listen yet.
    pub(crate) fn take(path: &Path) -> Result<Self> {
        let path = std::path::absolute(path)?;
        if path.as_os_str().len() > MAX_PATH {
            bail!(
                "The socket's path is too long: {} bytes, where the system takes {MAX_PATH}: {}\n\
                 Choose a shorter one with --socket.",
                path.as_os_str().len(),
                path.display()
            );
        }
        let folder =
            path.parent().filter(|folder| *folder != Path::new("/")).context("a socket needs a folder")?;
        private_folder(folder)?;
        let mut name = path.clone().into_os_string();
        name.push(".lock");
        let lock = lock(&PathBuf::from(name), &path)?;
        // The lock is ours, so nobody listens there: whatever is left is stale.
        match fs::symlink_metadata(&path) {
            Ok(left) if std::os::unix::fs::FileTypeExt::is_socket(&left.file_type()) => {
                fs::remove_file(&path)?;
            }
            Ok(_) => bail!(
                "{} is there and is no socket.\nMove it away, or choose another --socket.",
                path.display()
            ),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot look at {}", path.display())),
        }
        Ok(Self { path, _lock: lock })
    }

    /// Listens. The process's umask must be 077 by now, so that the socket is 0600 from its first instant.
    pub(crate) fn listen(&self) -> Result<UnixListener> {
        let listener = UnixListener::bind(&self.path)
            .with_context(|| format!("cannot listen on {}", self.path.display()))?;
        fs::set_permissions(&self.path, fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Takes a lock file that stands for `what`, for as long as the value lives; writes our pid into it.
pub(crate) fn lock(path: &Path, what: &Path) -> Result<File> {
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

/// Makes a folder for its owner alone, or makes sure that it is one.
pub(crate) fn private_folder(folder: &Path) -> Result<()> {
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
             Close it with `chmod 700`, or choose another folder.",
            folder.display()
        );
    }
    Ok(())
}
