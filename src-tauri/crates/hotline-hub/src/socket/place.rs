//! The socket's path and the folder around it: private, owned by one hub, free of stale files.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::{folders, lock};

/// Longest socket path in bytes, its final NUL not counted (unix(7)).
const MAX_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

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
        folders::private(folder)?;
        let mut name = path.clone().into_os_string();
        name.push(".lock");
        let lock = lock::take(&PathBuf::from(name), &path)?;
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
