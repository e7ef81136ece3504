//! A stage of its own for one test: a screen, a window manager, a bus, folders, the app and `ht`.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::driver::Driver;

/// How long anything may take. Only reached when something is broken, or the machine very busy.
const PATIENCE: Duration = Duration::from_secs(30);
/// The app under test.
const APP: &str = env!("CARGO_BIN_EXE_hotline");
/// Debian's own, which knows D-Bus and GTK.
const PYTHON: &str = "/usr/bin/python3";

/// Waits until there is something.
#[track_caller]
pub(crate) fn wait_for_some<T>(why: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain: {why}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until `condition` holds; `why` says what did not happen.
#[track_caller]
pub(crate) fn wait_for(why: &str, mut condition: impl FnMut() -> bool) {
    wait_for_some(why, || condition().then_some(()));
}

/// Lets time pass where time is what the test is about.
pub(crate) fn pause(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

/// `ht`, built once from the same sources with the same profile.
fn ht() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let beside = Path::new(APP).parent().unwrap();
        let profile = match beside.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            other => other,
        };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "hotline-cli", "--package", "hotline-hub", "--bins"])
            .args(["--profile", profile, "--target-dir"])
            .arg(beside.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(built.success(), "ht does not build");
        beside.join("ht")
    })
}

/// One test's desktop. Everything on it ends with the value.
pub(crate) struct Stage {
    folder: TempDir,
    display: String,
    inspector: u16,
    variables: Vec<(String, String)>,
    /// In the order in which they were started.
    running: Vec<Child>,
    app: Option<Child>,
    /// One stage at a time, where the time is short.
    _alone: Option<MutexGuard<'static, ()>>,
}

impl Stage {
    /// A desktop without anything on it.
    pub(crate) fn empty() -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = std::env::var_os("HOTLINE_LONG")
            .is_none()
            .then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner));
        let folder = tempfile::Builder::new().prefix("stage-").tempdir_in("/tmp").unwrap();
        for name in ["home", "config", "data", "state", "cache", "run", "work"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(folder.path().join("run"), private).unwrap();
        let mut stage = Self {
            folder,
            display: String::new(),
            inspector: free_port(),
            variables: Vec::new(),
            running: Vec::new(),
            app: None,
            _alone: alone,
        };
        stage.open_screen();
        stage.open_bus();
        stage.start_with_log("openbox", &[]);
        wait_for("a window manager is there", || {
            stage.output("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).contains("window id")
        });
        stage
    }

    /// A desktop with the app on it, Home open.
    pub(crate) fn with_home() -> Self {
        let mut stage = Self::empty();
        stage.start_app(&[]);
        stage.shows(1);
        stage
    }

    /// A desktop with the app in the background, and somebody else's window with the focus.
    pub(crate) fn with_editor() -> (Self, Lines) {
        let mut stage = Self::empty();
        stage.start_app(&["--background"]);
        let editor = stage.editor();
        (stage, editor)
    }

    fn open_screen(&mut self) {
        let mut screen = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(self.log("Xvfb"))
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(screen.stdout.take().unwrap()).read_line(&mut number).unwrap();
        self.running.push(screen);
        assert!(!number.trim().is_empty(), "no screen: {}", self.read_log("Xvfb"));
        self.display = format!(":{}", number.trim());
        self.set("DISPLAY", &self.display.clone());
    }

    /// A bus on which nobody is started but what serves assistive technology.
    fn open_bus(&mut self) {
        let services = self.path("services");
        fs::create_dir(&services).unwrap();
        let launcher = "[D-BUS Service]\nName=org.a11y.Bus\nExec=/usr/libexec/at-spi-bus-launcher\n";
        fs::write(services.join("org.a11y.Bus.service"), launcher).unwrap();
        let config = format!(
            "<busconfig><type>session</type><listen>unix:path={}</listen><servicedir>{}</servicedir>\
             <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
             <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
            self.path("run/bus").display(),
            services.display()
        );
        fs::write(self.path("bus.conf"), config).unwrap();
        let config = format!("--config-file={}", self.path("bus.conf").display());
        self.start_with_log("dbus-daemon", &["--nofork", &config]);
        wait_for("the bus is there", || self.path("run/bus").exists());
        let address = format!("unix:path={}", self.path("run/bus").display());
        self.set("DBUS_SESSION_BUS_ADDRESS", &address);
    }

    /// Sets a variable for everything that is started from now on.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// A path below the stage's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command whose whole environment is this stage's.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let programs = Path::new(APP).parent().unwrap().display();
        command.env_clear().env("PATH", format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
        command.env("HOME", self.path("home")).env("XDG_CONFIG_HOME", self.path("config"));
        command.env("XDG_DATA_HOME", self.path("data")).env("XDG_STATE_HOME", self.path("state"));
        command.env("XDG_CACHE_HOME", self.path("cache")).env("XDG_RUNTIME_DIR", self.path("run"));
        command.env("LANG", "C.UTF-8").env("HT_SOCKET_PATH", self.path("run/hotline/hotline.sock"));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.path("work"));
        command
    }

    /// The app, not started yet, as the driver wants it.
    pub(crate) fn app_command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(APP);
        command.args(arguments).stdin(Stdio::null());
        command.env("TAURI_WEBVIEW_AUTOMATION", "true");
        command.env("WEBKIT_INSPECTOR_SERVER", format!("127.0.0.1:{}", self.inspector));
        command
    }

    /// Starts the app and waits until its hub answers.
    pub(crate) fn start_app(&mut self, arguments: &[&str]) {
        let mut command = self.app_command(arguments);
        let app = command.stdout(self.log("app")).stderr(self.log("app")).spawn().unwrap();
        self.app = Some(app);
        wait_for("the hub answers", || self.ht(&["ping"]).status.success());
    }

    /// Ends the app as the session does.
    pub(crate) fn terminate_app(&mut self) {
        let pid = self.app.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
    }

    /// Waits until the app ends; its exit status.
    #[track_caller]
    pub(crate) fn app_ends(&mut self) -> Option<i32> {
        let mut app = self.app.take().unwrap();
        wait_for_some("the app ends", || app.try_wait().unwrap()).code()
    }

    /// Whether the app runs.
    pub(crate) fn app_runs(&mut self) -> bool {
        self.app.as_mut().is_some_and(|app| app.try_wait().unwrap().is_none())
    }

    /// What the app wrote.
    pub(crate) fn app_log(&self) -> String {
        self.read_log("app")
    }

    /// Somebody else's window, with the focus.
    pub(crate) fn editor(&mut self) -> Lines {
        let editor = self.python("editor.py", &[]);
        editor.next("ready");
        wait_for("the editor has the focus", || self.active() == "Editor");
        editor
    }

    /// Starts one of the scripts beside this file.
    pub(crate) fn python(&mut self, script: &str, arguments: &[&str]) -> Lines {
        let mut command = self.command(PYTHON);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/window").join(script);
        command
            .arg(path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(self.log(script));
        let mut child = command.spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            let parsed =
                stdout.lines().map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok());
            parsed.into_iter().try_for_each(|line: Value| sender.send(line))
        });
        let stdin = child.stdin.take().unwrap();
        self.running.push(child);
        Lines { stdin: Mutex::new(stdin), lines }
    }

    /// Runs `ht` to its end.
    pub(crate) fn ht(&self, arguments: &[&str]) -> Output {
        self.command(ht()).args(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// Starts `ht ask …` and waits until its ask is in the queue.
    #[track_caller]
    pub(crate) fn ask(&self, arguments: &[&str]) -> Asking {
        let mut command = self.command(ht());
        command.arg("ask");
        self.ask_by(command, arguments)
    }

    /// Starts a command that hands its arguments to `ht ask`, and waits until its ask is in the queue.
    #[track_caller]
    pub(crate) fn ask_by(&self, mut command: Command, arguments: &[&str]) -> Asking {
        let before = self.pending();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let id = wait_for_some("the ask is pending", || {
            self.pending().into_iter().find(|id| !before.contains(id))
        });
        Asking { child, id }
    }

    /// The ids of the asks that wait, oldest first.
    pub(crate) fn pending(&self) -> Vec<String> {
        let listed = self.ht(&["ask", "pending", "--json"]);
        let listed: Value = serde_json::from_slice(&listed.stdout).unwrap_or_default();
        let ids = listed["pending"].as_array().cloned().unwrap_or_default();
        ids.iter().map(|ask| ask["request_id"].as_str().unwrap().to_owned()).collect()
    }

    /// A driver of the app's pages.
    pub(crate) fn driver(&mut self) -> Driver {
        let port = free_port();
        let arguments = [format!("--port={port}"), format!("--target=127.0.0.1:{}", self.inspector)];
        self.start_with_log("WebKitWebDriver", &[&arguments[0], &arguments[1]]);
        wait_for("the driver listens", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
        Driver::attach(port)
    }

    /// Real keys, as xdotool names them.
    pub(crate) fn keys(&self, keys: &[&str]) {
        self.output("xdotool", &[&["key", "--delay", "40"], keys].concat());
    }

    /// Types a text with real keys.
    pub(crate) fn types(&self, text: &str, delay_ms: u32) {
        self.output("xdotool", &["type", "--delay", &delay_ms.to_string(), text]);
    }

    /// Moves the pointer and clicks.
    pub(crate) fn click(&self, at: (i32, i32)) {
        self.move_to(at);
        self.output("xdotool", &["click", "1"]);
    }

    /// Moves the pointer.
    pub(crate) fn move_to(&self, (x, y): (i32, i32)) {
        self.output("xdotool", &["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// The title of the window with the focus; empty where none has it.
    pub(crate) fn active(&self) -> String {
        self.output("xdotool", &["getactivewindow", "getwindowname"]).trim().to_owned()
    }

    /// The app's windows on the screen: id, left, top, width, height.
    pub(crate) fn windows(&self) -> Vec<(String, [i32; 4])> {
        let ids = self.output("xdotool", &["search", "--onlyvisible", "--class", "hotline"]);
        let geometry = |id: &str| {
            // Not xdotool, which counts a window's frame twice.
            let told = self.output("xwininfo", &["-id", id]);
            let number = |name: &str| {
                let line = told.lines().find_map(|line| line.trim_start().strip_prefix(name))?;
                line.trim_start_matches(':').trim().parse().ok()
            };
            let (x, y) = (number("Absolute upper-left X")?, number("Absolute upper-left Y")?);
            let (width, height) = (number("Width")?, number("Height")?);
            (width > 100).then(|| (id.to_owned(), [x, y, width, height]))
        };
        ids.lines().filter_map(geometry).collect()
    }

    /// Closes the app's first window as its button does.
    pub(crate) fn close_window(&self) {
        let id: u64 = self.windows()[0].0.parse().unwrap();
        self.output("wmctrl", &["-i", "-c", &format!("{id:#x}")]);
    }

    /// Waits until so many windows of the app are on the screen.
    #[track_caller]
    pub(crate) fn shows(&self, count: usize) {
        wait_for(&format!("{count} windows are shown"), || self.windows().len() == count);
    }

    /// Where on the screen the middle of a thing in the driver's page is, once it stays there.
    #[track_caller]
    pub(crate) fn place(&self, driver: &Driver, selector: &str) -> (i32, i32) {
        let look = || {
            let script = format!(
                "const e = document.querySelector({}); if (!e) return null; const r = e.getBoundingClientRect(); \
                 return [r.x + r.width / 2, r.y + r.height / 2, innerWidth, innerHeight]",
                Value::from(selector)
            );
            let found: Vec<f64> = serde_json::from_value(driver.run(&script)).ok()?;
            let [x, y, width, height] = found[..] else { return None };
            let same = |[_, _, w, h]: &[i32; 4]| f64::from(*w) == width && f64::from(*h) == height;
            let (_, [left, top, ..]) = self.windows().into_iter().find(|(_, place)| same(place))?;
            #[expect(clippy::cast_possible_truncation, reason = "a place on a screen")]
            Some((left + x as i32, top + y as i32))
        };
        wait_for_some(&format!("{selector} is in sight"), || {
            let first = look()?;
            pause(60);
            (look() == Some(first)).then_some(first)
        })
    }

    /// Waits until the ask in the driver's page says that it takes answers.
    #[track_caller]
    pub(crate) fn armed(&self, driver: &Driver) {
        let armed = "return !!document.querySelector('.ask[data-armed=true]')";
        wait_for("the ask takes answers", || driver.run(armed) == true);
    }

    /// Puts the pointer on a thing in the driver's page, once that stands still and the ask's clocks are over.
    #[track_caller]
    pub(crate) fn aim(&self, driver: &Driver, selector: &str) {
        wait_for(&format!("{selector} stands still"), || {
            self.armed(driver);
            let at = self.place(driver, selector);
            self.move_to(at);
            // Long enough for what came last, as who asks, to have made the window another one.
            pause(300);
            self.armed(driver);
            self.place(driver, selector) == at
        });
    }

    /// Clicks a thing in the driver's page once the ask's clocks are over.
    #[track_caller]
    pub(crate) fn press(&self, driver: &Driver, selector: &str) {
        self.aim(driver, selector);
        self.output("xdotool", &["click", "1"]);
    }

    /// Keeps a picture of the screen where `HOTLINE_SHOTS` names a folder.
    pub(crate) fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("HOTLINE_SHOTS") {
            let file = Path::new(&folder).join(format!("{name}.png"));
            self.output("import", &["-window", "root", file.to_str().unwrap()]);
        }
    }

    /// Keeps a small picture of what `import` is told to take, once that stands still.
    pub(crate) fn still_picture(&self, of: &[&str], name: &str) {
        let folder = std::env::var_os("HOTLINE_SHOTS").expect("a folder for the pictures");
        let file = Path::new(&folder).join(format!("{name}.png"));
        // Nothing in it tells when it was taken, so that the same picture is the same file.
        let small =
            ["-strip", "-define", "png:exclude-chunks=date,time", "-dither", "None", "-colors", "255"];
        // As it is first, which is quick: ages that count seconds leave little time for two that are the same.
        let raw = self.path("picture.ppm");
        let take = || {
            self.output("import", &[of, &["-depth", "8", raw.to_str().unwrap()]].concat());
            fs::read(&raw).unwrap_or_default()
        };
        wait_for(&format!("{name} stands still"), || {
            let first = take();
            pause(200);
            !first.is_empty() && take() == first
        });
        let file = format!("png8:{}", file.display());
        self.output("convert", &[&[raw.to_str().unwrap()], &small[..], &[&file]].concat());
    }

    /// What a program prints.
    pub(crate) fn output(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Starts a program that runs until the stage ends.
    pub(crate) fn start_with_log(&mut self, program: &str, arguments: &[&str]) {
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null()).stdout(self.log(program)).stderr(self.log(program));
        let child = command.spawn().unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        self.running.push(child);
    }

    fn log(&self, name: &str) -> File {
        File::options().create(true).append(true).open(self.path(&format!("{name}.log"))).unwrap()
    }

    fn read_log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if thread::panicking() {
            self.picture("failed");
            eprintln!("the app's log:\n{}", self.app_log());
        }
        for child in self.app.iter_mut().chain(self.running.iter_mut().rev()) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A script of ours: JSON lines out, words in.
pub(crate) struct Lines {
    stdin: Mutex<ChildStdin>,
    lines: Receiver<Value>,
}

impl Lines {
    /// Tells it something.
    pub(crate) fn tell(&self, line: &str) {
        writeln!(self.stdin.lock().unwrap(), "{line}").unwrap();
    }

    /// The next line that has a member of that name.
    #[track_caller]
    pub(crate) fn next(&self, member: &str) -> Value {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("waited in vain for a line with {member}"));
            assert!(line.get("problem").is_none(), "{line}");
            if line.get(member).is_some() {
                return line;
            }
        }
    }

    /// All lines with that member that are there already.
    pub(crate) fn rest(&self, member: &str) -> Vec<Value> {
        self.lines.try_iter().filter(|line| line.get(member).is_some()).collect()
    }
}

/// An `ht ask` that waits.
pub(crate) struct Asking {
    child: Child,
    /// Its ask.
    pub(crate) id: String,
}

impl Asking {
    /// Waits until it is answered: what it prints.
    #[track_caller]
    pub(crate) fn answer(mut self) -> String {
        wait_for("ht ends", || self.child.try_wait().unwrap().is_some());
        let mut told = String::new();
        std::io::Read::read_to_string(&mut self.child.stdout.take().unwrap(), &mut told).unwrap();
        told.trim_end().to_owned()
    }

    /// Whether it still waits.
    pub(crate) fn waits(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until it ends; its exit status.
    #[track_caller]
    pub(crate) fn status(mut self) -> Option<i32> {
        wait_for_some("ht ends", || self.child.try_wait().unwrap()).code()
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
