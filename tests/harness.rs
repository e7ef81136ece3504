//! A hermetic desk: a home, a socket and a hub of its own, and `ht` run as a person or an agent would.
//!
//! Nothing of the machine's user is read or written. Everything waits for something that can be seen, with
//! a limit that only a broken hub reaches.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take. Only reached when something is broken, or the machine very busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until `condition` holds; `why` says what did not happen.
#[track_caller]
pub(crate) fn wait_for(why: &str, mut condition: impl FnMut() -> bool) {
    wait_for_some(why, || condition().then_some(()));
}

/// Waits until there is something.
#[track_caller]
pub(crate) fn wait_for_some<T>(why: &str, find: impl FnMut() -> Option<T>) -> T {
    wait_or_tell(|| why.to_owned(), find)
}

/// [`wait_for_some`], where what did not happen is only known in the end.
#[track_caller]
fn wait_or_tell<T>(why: impl Fn() -> String, mut find: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain: {}", why());
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sleeps: only where the time itself is what is tested, or that nothing happens in it.
pub(crate) fn let_time_pass(why: &str, time: Duration) {
    println!("{time:?} pass: {why}");
    thread::sleep(time);
}

/// Asserts that something was quick. The bound itself counts in the long part, which has the machine to itself;
/// a busy machine is allowed ten times as much, which a hub that waits for something wrong takes all the same.
#[track_caller]
pub(crate) fn assert_quick(what: &str, took: Duration, bound: Duration) {
    let bound = if crate::is_long() { bound } else { bound * 10 };
    assert!(took < bound, "{what} took {took:?}, not less than {bound:?}");
}

/// Runs tests that take something special, or says that they did not run; the last line counts them.
///
/// Each runs by itself, so that one that fails hides no other.
#[track_caller]
pub(crate) fn rows(take: &str, is_there: bool, rows: &[(&str, fn())]) {
    // Past the capture of a passing test's output: it has to be seen.
    let say = |line: String| drop(writeln!(std::io::stderr(), "{line}"));
    let mut failed = Vec::new();
    for (name, row) in rows {
        if !is_there {
            say(format!("NOT RUN (takes {take}): {name}"));
        } else if std::panic::catch_unwind(row).is_err() {
            failed.push(name);
        }
    }
    let run = if is_there { rows.len() } else { 0 };
    say(format!("rows that take {take}: {run} run, {} NOT RUN", rows.len() - run));
    assert!(failed.is_empty(), "{failed:?}");
}

/// The program under test.
pub(crate) const HT: &str = env!("CARGO_BIN_EXE_ht");

/// The hub, built once from the same sources with the same profile, so that it is never stale.
pub(crate) fn hotlined() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let beside = Path::new(HT).parent().unwrap();
        let profile = match beside.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            other => other,
        };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "hotline-hub", "--bin", "hotlined"])
            .args(["--profile", profile, "--target-dir"])
            .arg(beside.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(built.success(), "the hub does not build");
        beside.join("hotlined")
    })
}

/// One person's machine: folders, and a hub while it runs.
pub(crate) struct Desk {
    folder: TempDir,
    hub: Option<Child>,
    /// Added to the environment of everything that runs here.
    variables: Vec<(String, String)>,
}

impl Desk {
    /// A desk with a running hub.
    pub(crate) fn new() -> Self {
        let mut desk = Self::without_hub();
        desk.start();
        desk
    }

    /// A desk at which nobody listens.
    pub(crate) fn without_hub() -> Self {
        // Below /tmp whatever TMPDIR says: a socket's path has to be short.
        let folder = tempfile::Builder::new().prefix("desk-").tempdir_in("/tmp").unwrap();
        for name in ["home", "config", "data", "state", "cache", "run", "work"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(folder.path().join("run"), private).unwrap();
        Self { folder, hub: None, variables: Vec::new() }
    }

    /// Sets a variable for everything that is started from now on.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// A path below the desk's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The hub's socket.
    pub(crate) fn socket(&self) -> PathBuf {
        self.path("run/hotline/hotline.sock")
    }

    /// Writes the settings file; the hub reads it when it starts.
    pub(crate) fn settings(&self, toml: &str) {
        fs::create_dir_all(self.path("config/hotline")).unwrap();
        fs::write(self.path("config/hotline/settings.toml"), toml).unwrap();
    }

    /// Starts the hub and waits until it says that it is ready.
    pub(crate) fn start(&mut self) {
        self.start_with(&[]);
    }

    /// [`Self::start`], with more arguments.
    pub(crate) fn start_with(&mut self, arguments: &[&str]) {
        let log = File::options().create(true).append(true).open(self.path("hotlined.log")).unwrap();
        let mut command = self.command(hotlined());
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut hub = command.spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(hub.stdout.take().unwrap());
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        self.hub = Some(hub);
        let ready = lines.recv_timeout(PATIENCE).unwrap_or_default();
        let expected = format!("ready socket={} mirror=off", self.socket().display());
        assert_eq!(ready, expected, "the hub is not ready\n{}", self.log());
    }

    /// Ends the hub as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        let mut hub = self.hub.take().unwrap();
        hub.kill().unwrap();
        hub.wait().unwrap();
    }

    /// Ends the hub as `kill` does, and waits for it.
    pub(crate) fn stop(&mut self) -> ExitStatus {
        let mut hub = self.hub.take().unwrap();
        signal(&hub, Signal::TERM);
        wait_for_some("the hub ends on SIGTERM", || hub.try_wait().unwrap())
    }

    /// `kill -9`, and a new hub on the same folders.
    pub(crate) fn restart(&mut self) {
        self.kill();
        self.start();
    }

    /// The hub's pid.
    pub(crate) fn hub_pid(&self) -> u32 {
        self.hub.as_ref().unwrap().id()
    }

    /// What the hubs of this desk wrote to stderr.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("hotlined.log")).unwrap_or_default()
    }

    /// A command whose whole environment is this desk's.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let programs = Path::new(HT).parent().unwrap().display();
        command.env_clear().env("PATH", format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
        command.env("HOME", self.path("home")).env("XDG_CONFIG_HOME", self.path("config"));
        command.env("XDG_DATA_HOME", self.path("data")).env("XDG_STATE_HOME", self.path("state"));
        command.env("XDG_CACHE_HOME", self.path("cache")).env("XDG_RUNTIME_DIR", self.path("run"));
        // Named outright, so that no hub of the machine's user is found where this one is gone.
        command.env("HT_SOCKET_PATH", self.socket());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.path("work"));
        command
    }

    /// Runs `ht` to its end.
    #[track_caller]
    pub(crate) fn ht(&self, arguments: &[&str]) -> Ended {
        self.spawn_ht(arguments).end()
    }

    /// Starts `ht`.
    pub(crate) fn spawn_ht(&self, arguments: &[&str]) -> Running {
        let mut command = self.command(HT);
        command.args(arguments);
        Running::spawn(command)
    }

    /// Runs a script, in which `ht` is found, to its end.
    #[track_caller]
    pub(crate) fn sh(&self, script: &str) -> Ended {
        let mut command = self.command("sh");
        command.args(["-euc", script]);
        Running::spawn(command).end()
    }

    /// Starts `ht` at a terminal of its own.
    pub(crate) fn terminal(&self, arguments: &[&str]) -> Terminal {
        let mut command = self.command(HT);
        command.args(arguments);
        Terminal::spawn(command)
    }

    /// Starts an `ht ask …` and waits until its ask is in the queue; its id comes too.
    #[track_caller]
    pub(crate) fn ask(&self, arguments: &[&str]) -> (Running, String) {
        let before = self.ids();
        let mut running = self.spawn_ht(&[&["ask"], arguments].concat());
        let id = wait_for_some("the ask is pending", || {
            assert!(running.is_running(), "it ended at once: {}", running.stderr.text());
            self.ids().into_iter().find(|id| !before.contains(id))
        });
        (running, id)
    }

    /// The asks that wait, as the wire has them.
    #[track_caller]
    pub(crate) fn pending(&self) -> Vec<Value> {
        let result = self.connect().call("agent.ask_pending", &json!({}));
        result["result"]["pending"].as_array().unwrap_or_else(|| panic!("no list: {result}")).clone()
    }

    /// The ids of the asks that wait, oldest first.
    #[track_caller]
    pub(crate) fn ids(&self) -> Vec<String> {
        self.pending().iter().map(|ask| ask["request_id"].as_str().unwrap().to_owned()).collect()
    }

    /// The newest ask in the history.
    #[track_caller]
    pub(crate) fn newest(&self) -> Value {
        self.connect().call("agent.ask_history", &json!({ "limit": 1 }))["result"]["entries"][0].clone()
    }

    /// A connection of the test's own.
    #[track_caller]
    pub(crate) fn connect(&self) -> Wire {
        Wire::new(UnixStream::connect(self.socket()).unwrap())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some(mut hub) = self.hub.take() {
            let _ = hub.kill();
            let _ = hub.wait();
        }
        if thread::panicking() {
            eprintln!("the hub's log:\n{}", self.log());
        }
    }
}

/// A raw connection: lines out, lines in.
pub(crate) struct Wire {
    pub(crate) stream: UnixStream,
    pub(crate) reader: BufReader<UnixStream>,
    calls: u64,
}

impl Wire {
    /// Over any stream.
    pub(crate) fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        Self { stream, reader, calls: 0 }
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).unwrap();
    }

    /// Sends a request in the plain dialect and returns its id.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.calls += 1;
        self.send(format!("{}\n", json!({ "id": self.calls, "method": method, "params": params })));
        self.calls
    }

    /// The next line without its end; none where the hub closed.
    #[track_caller]
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.reader.read_line(&mut line).expect("a line within the time");
        (length > 0).then(|| line.trim_end().to_owned())
    }

    /// The next line as JSON.
    #[track_caller]
    pub(crate) fn json(&mut self) -> Value {
        let line = self.line().expect("the hub keeps the connection");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"))
    }

    /// Calls a method and returns the whole reply; events and other replies before it are skipped.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        loop {
            let line = self.json();
            if line["id"] == id && line.get("event").is_none() {
                return line;
            }
        }
    }
}

/// How a program ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code; none where a signal killed it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Exit code and stdout at once.
    pub(crate) fn outcome(&self) -> (i32, &str) {
        let code = self.code.unwrap_or_else(|| panic!("killed by a signal: {self:?}"));
        (code, &self.stdout)
    }
}

/// A program that runs.
pub(crate) struct Running {
    pub(crate) child: Child,
    stdout: Collected,
    stderr: Collected,
}

impl Running {
    /// Starts a command; both outputs are collected, stdin is empty unless the command says otherwise.
    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = Collected::from(child.stdout.take().unwrap());
        let stderr = Collected::from(child.stderr.take().unwrap());
        Self { child, stdout, stderr }
    }

    /// Whether it still runs.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// What it has printed on stdout so far.
    pub(crate) fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, number: Signal) {
        signal(&self.child, number);
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn end(mut self) -> Ended {
        let status = wait_for_some("the program ends", || self.child.try_wait().unwrap());
        Ended { code: status.code(), stdout: self.stdout.all(), stderr: self.stderr.all() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program at a terminal: its three streams are one pseudo-terminal, and what it shows is collected.
pub(crate) struct Terminal {
    child: Child,
    master: File,
    screen: Collected,
}

impl Terminal {
    /// Starts a command at a new terminal.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let open = || -> OwnedFd {
            File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap().into()
        };
        let child = command.stdin(open()).stdout(open()).stderr(open()).spawn().unwrap();
        let master = File::from(master);
        let screen = Collected::from(master.try_clone().unwrap());
        Self { child, master, screen }
    }

    /// What was shown so far.
    pub(crate) fn screen(&self) -> String {
        self.screen.text()
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) {
        let why = || format!("{text:?} is not on the screen:\n{}", self.screen());
        wait_or_tell(why, || self.screen().contains(text).then_some(()));
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, number: Signal) {
        signal(&self.child, number);
    }

    /// Presses keys.
    pub(crate) fn types(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end; the exit code and everything that was shown.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let status = wait_for_some("the program at the terminal ends", || self.child.try_wait().unwrap());
        // The last slave is closed with the program, which ends the reading.
        (status.code(), self.screen.all())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything that comes out of a stream, read as it comes.
struct Collected {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    ended: Receiver<()>,
}

impl Collected {
    fn from(mut stream: impl Read + Send + 'static) -> Self {
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let (end, ended) = mpsc::channel();
        let collected = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            // A terminal's end is an error, a pipe's is nothing.
            while let Ok(length @ 1..) = stream.read(&mut chunk) {
                collected.lock().unwrap().extend_from_slice(&chunk[..length]);
            }
            drop(end);
        });
        Self { bytes, reader: Some(reader), ended }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// Waits for the stream's end, which a child that was left behind could hold back.
    #[track_caller]
    fn all(&mut self) -> String {
        let ended = self.ended.recv_timeout(PATIENCE);
        assert!(matches!(ended, Err(mpsc::RecvTimeoutError::Disconnected)), "the stream stays open");
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        self.text()
    }
}

fn signal(child: &Child, number: Signal) {
    let pid = Pid::from_child(child);
    kill_process(pid, number).unwrap();
}
