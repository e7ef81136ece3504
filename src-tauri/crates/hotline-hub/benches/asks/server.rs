//! A server under measurement: the hub or the floor, in a process and a home of its own.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::process::{Resource, getrlimit, setrlimit};
use tempfile::TempDir;

use crate::floor;
use crate::peer::Peer;

/// A running server; it ends with this value.
pub(crate) struct Server {
    child: Child,
    socket: PathBuf,
    _folders: Vec<TempDir>,
}

impl Server {
    /// The real `hotlined` with an empty store, on the disk that the build is on.
    pub(crate) fn hub() -> Result<Self> {
        let home = tempfile::Builder::new().prefix("bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        // A socket's path has to be short.
        let run = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let socket = run.path().join("s");
        let mut hub = Command::new(env!("CARGO_BIN_EXE_hotlined"));
        hub.env_clear().env("HOME", home.path()).arg("--data-dir").arg(home.path().join("data"));
        hub.arg("--socket").arg(&socket);
        Self::start(hub, socket, vec![home, run])
    }

    /// The line echo.
    pub(crate) fn floor() -> Result<Self> {
        let run = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let socket = run.path().join("s");
        let mut floor = Command::new(std::env::current_exe()?);
        floor.env_clear().arg(floor::ARGUMENT).arg(&socket);
        Self::start(floor, socket, vec![run])
    }

    fn start(mut command: Command, socket: PathBuf, folders: Vec<TempDir>) -> Result<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut ready = String::new();
        let out = child.stdout.take().context("its output is piped")?;
        BufReader::new(out).read_line(&mut ready)?;
        anyhow::ensure!(ready.starts_with("ready"), "the server did not start");
        Ok(Self { child, socket, _folders: folders })
    }

    pub(crate) fn connect(&self) -> Result<Peer> {
        Ok(Peer::new(UnixStream::connect(&self.socket)?))
    }

    /// What all its threads have used of the processors.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let used = self.threads("schedstat", |text| text.split(' ').next()?.parse().ok())?;
        Ok(Duration::from_nanos(used))
    }

    /// How often its threads were woken, or nearly so: how often they went to sleep.
    pub(crate) fn sleeps(&self) -> Result<u64> {
        self.threads("status", |text| field(text, "voluntary_ctxt_switches:"))
    }

    /// Its memory in bytes: what is resident, and the same with shared pages counted in parts.
    pub(crate) fn memory(&self) -> Result<(u64, u64)> {
        let text = fs::read_to_string(self.proc("smaps_rollup"))?;
        let bytes = |name| field(&text, name).map(|kib| kib * 1024).context("smaps_rollup has this line");
        Ok((bytes("Rss:")?, bytes("Pss:")?))
    }

    fn threads(&self, file: &str, read: impl Fn(&str) -> Option<u64>) -> Result<u64> {
        let mut sum = 0;
        for thread in fs::read_dir(self.proc("task"))? {
            let text = fs::read_to_string(thread?.path().join(file))?;
            sum += read(&text).with_context(|| format!("{file} of a thread cannot be read"))?;
        }
        Ok(sum)
    }

    fn proc(&self, file: &str) -> PathBuf {
        Path::new("/proc").join(self.child.id().to_string()).join(file)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The number in the line that begins with `name`.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_ascii_whitespace().next()?.parse().ok()
}

/// As many open files as this process may have; the servers inherit it.
pub(crate) fn allow_many_files() -> Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}

/// How many connections this process can hold beside what else it has open.
pub(crate) fn most_connections() -> usize {
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(100)
}
