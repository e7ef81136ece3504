//! Rows of the catalogue that only root can try: other users, a small file system. Elsewhere they are NOT RUN.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, geteuid, kill_process};
use serde_json::json;

use crate::fixtures;
use crate::harness::{Desk, HT, Running, hotlined, let_time_pass, rows, wait_for};
use crate::peer::{Peer, question, with};
use crate::socket::cpu_ms;
use crate::store::set_mode;

const ROWS: [(&str, fn()); 6] = [
    ("SOCK-28 another user's process is turned away", sock_28_another_users_process_is_turned_away),
    ("SOCK-28 another user cannot even reach the socket", sock_28_another_user_cannot_reach_the_socket),
    ("a socket of another user is refused with a clear text", a_socket_of_another_user_is_refused),
    ("LIFE-05 a folder of another user is refused", life_05_a_folder_of_another_user_is_refused),
    ("an asker and its hub may live in different containers", an_asker_and_its_hub_may_live_apart),
    ("DB-01 what a full disk cannot hold did not happen", db_01_what_a_full_disk_cannot_hold_did_not_happen),
];

#[test]
fn rows_that_take_root_are_run_or_counted_as_not_run() {
    rows("root", geteuid().is_root(), &ROWS);
}

/// The inner one has no number for the outer one's process, nor for the leader of its own session.
fn an_asker_and_its_hub_may_live_apart() {
    let inside = |desk: &Desk, program: &Path, arguments: &[&str]| {
        let mut command = desk.command("unshare");
        command.args(["--pid", "--fork", "--mount-proc", "--"]).arg(program).args(arguments);
        Running::spawn(command)
    };
    let command = ["ask", "confirm-command", "--title", "T", "--body", "true"];
    let question = ["ask", "yesno", "--title", "T"];
    let answer = |desk: &Desk, asker: Running, steps: &[&str]| {
        let id = desk.newest()["request_id"].as_str().unwrap().to_owned();
        for step in steps {
            assert_eq!(desk.ht(&["ask", "answer", &id, step]).code, Some(0));
        }
        assert_eq!(asker.end().outcome(), (0, format!("{}\n", steps.last().unwrap()).as_str()));
    };

    let desk = Desk::new();
    let asker = inside(&desk, Path::new(HT), &command);
    wait_for("the ask waits", || desk.ids().len() == 1);
    assert_eq!(desk.pending()[0]["surface_id"], "session:0");
    answer(&desk, asker, &["ack", "run"]);

    let desk = Desk::without_hub();
    let hub = inside(&desk, hotlined(), &[]);
    wait_for("the hub is ready", || hub.stdout().starts_with("ready "));
    let asker = desk.spawn_ht(&question);
    wait_for("the ask waits", || desk.ids().len() == 1);
    answer(&desk, asker, &["yes"]);
    let refused = desk.ht(&command);
    assert_eq!(refused.outcome(), (1, ""));
    assert!(refused.stderr.contains("could not be identified"), "{refused:?}");
}

/// A command as user and group `id`.
fn as_user(id: u32, desk: &Desk, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = desk.command("setpriv");
    command.args([format!("--reuid={id}"), format!("--regid={id}"), "--clear-groups".into(), "--".into()]);
    command.arg(program);
    command
}

/// A desk whose hub runs as user 65534, from a copy of the program that this user can reach.
fn foreign_desk() -> (Desk, Running) {
    let desk = Desk::without_hub();
    set_mode(&desk.path(""), 0o755);
    for name in ["home", "config", "data", "state", "cache", "run", "work"] {
        chown(desk.path(name), Some(65534), Some(65534)).unwrap();
    }
    let program = desk.path("hotlined");
    fs::copy(hotlined(), &program).unwrap();
    set_mode(&program, 0o755);
    let hub = Running::spawn(as_user(65534, &desk, &program));
    wait_for("the hub is ready", || hub.stdout().starts_with("ready "));
    (desk, hub)
}

/// `nc -U` as a user, with a line to send; what came back.
fn says(desk: &Desk, user: u32, line: &str) -> String {
    let mut nc = as_user(user, desk, "sh");
    nc.args(["-c", "printf '%s\\n' \"$1\" | nc -N -U \"$0\""]).arg(desk.socket()).arg(line);
    Running::spawn(nc).end().stdout
}

fn sock_28_another_users_process_is_turned_away() {
    let (desk, hub) = foreign_desk();
    set_mode(&desk.path("run"), 0o755);
    set_mode(&desk.path("run/hotline"), 0o755);
    set_mode(&desk.socket(), 0o777);
    let ping = "{\"id\":1,\"method\":\"system.ping\"}";
    let ask = "{\"id\":1,\"method\":\"agent.ask_user\",\"params\":{\"surface_id\":\"s\",\"kind\":\"yesno\",\"title\":\"t\"}}";
    for user in [65533, 0] {
        for line in [ping, ask, "nonsense"] {
            assert_eq!(says(&desk, user, line), "", "user {user}: {line}");
        }
    }
    assert_eq!(says(&desk, 65534, ping), "{\"id\":1,\"result\":\"PONG\"}\n");
    let history = says(&desk, 65534, "{\"id\":1,\"method\":\"agent.ask_history\"}");
    assert_eq!(history, "{\"id\":1,\"result\":{\"entries\":[]}}\n");
    let pid = Pid::from_child(&hub.child);
    kill_process(pid, Signal::TERM).unwrap();
    let log = hub.end().stderr;
    assert!(log.contains("a process of another user was turned away uid=65533"), "{log}");
}

fn sock_28_another_user_cannot_reach_the_socket() {
    let (desk, hub) = foreign_desk();
    let mut nc = as_user(65533, &desk, "nc");
    nc.args(["-N", "-U"]).arg(desk.socket());
    let refused = Running::spawn(nc).end();
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("Permission denied"), "{}", refused.stderr);
    drop(hub);
}

fn a_socket_of_another_user_is_refused() {
    let desk = Desk::new();
    chown(desk.socket(), Some(65534), None).unwrap();
    let ended = desk.ht(&["ping"]);
    assert_eq!(ended.outcome(), (69, ""));
    assert!(ended.stderr.contains("belongs to another user (uid 65534). Nothing was sent."), "{ended:?}");
    assert!(ended.stderr.contains("without sudo"), "{ended:?}");
}

fn life_05_a_folder_of_another_user_is_refused() {
    let desk = Desk::without_hub();
    for name in ["data/hotline", "run/hotline"] {
        fs::create_dir(desk.path(name)).unwrap();
        set_mode(&desk.path(name), 0o700);
        chown(desk.path(name), Some(65533), None).unwrap();
        let refused = Running::spawn(desk.command(hotlined())).end();
        assert_eq!(refused.code, Some(70), "{name}: {}", refused.stderr);
        assert!(refused.stderr.contains("belongs to another user"), "{name}: {}", refused.stderr);
        fs::remove_dir(desk.path(name)).unwrap();
    }
}

/// A file system of a megabyte, gone with the value.
struct Small(std::path::PathBuf);

impl Small {
    fn mount(at: std::path::PathBuf) -> Self {
        fs::create_dir_all(&at).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m,mode=0700", "desk"]).arg(&at).status();
        assert!(mounted.unwrap().success(), "a tmpfs");
        Self(at)
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

fn db_01_what_a_full_disk_cannot_hold_did_not_happen() {
    let mut desk = Desk::without_hub();
    let disk = Small::mount(desk.path("data/hotline"));
    desk.start();
    let (mut asker, mut command, mut person) = (Peer::agent(&desk), Peer::agent(&desk), Peer::person(&desk));
    asker.ask("waits", &question("text"));
    person.waits_for(1);
    command.ask("runs", &question("confirm-command"));
    person.waits_for(2);
    let mut brief = Peer::agent(&desk);
    brief.ask("brief", &with(&question("yesno"), "timeout_ms", 1500));
    person.waits_for(3);
    let mut leaves = Peer::agent(&desk);
    leaves.ask("leaves", &question("yesno"));
    person.waits_for(4);
    let mut follower = Peer::person(&desk);
    follower.get("events.subscribe", &json!({ "channels": ["askUserEvent"] }));
    assert_eq!(follower.event()["kind"], "snapshot");
    person.get("agent.ask_ack", &json!({ "request_id": "req:2" }));

    // Full to the last byte.
    let ballast = disk.0.join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write(&[0; 4096]).is_ok() {}
    drop(file);
    // What is in the log's last page may still fit; after these nothing does.
    let full = |person: &mut Peer| {
        let long = with(&question("text"), "body", "x".repeat(64 << 10));
        person.try_call("agent.ask_user", &long).unwrap_err().0
    };
    assert_eq!(full(&mut person), "storage_unavailable");
    let answer = |id: &str, value: &str| json!({ "request_id": id, "value": value });
    for _ in 0..3 {
        let refused = person.call("agent.ask_answer", &answer("req:2", "run"));
        fixtures::assert_is_example(&refused, "storage_unavailable");
    }
    assert_eq!(person.refusal("agent.ask_answer", &answer("req:1", "lost?")), "storage_unavailable");
    // Nobody was told anything; all of it is still there, and can be read.
    assert!(command.is_quiet() && asker.is_quiet() && follower.is_quiet());
    assert_eq!(person.get("agent.ask_history", &json!({}))["entries"].as_array().unwrap().len(), 4);
    // A time that runs out and an asker that leaves cannot be written down either; the hub keeps calm meanwhile.
    leaves.hang_up();
    let cpu = || cpu_ms(desk.hub_pid());
    let before = cpu();
    let_time_pass("its time is over, and a while more", Duration::from_millis(2500));
    let spent = cpu() - before;
    assert!(spent < 500, "{spent} ms of processor time in 2.5 s");
    assert!(person.waits_for(4).len() == 4 && brief.is_quiet());

    // Room again: everything goes on without a restart.
    fs::remove_file(&ballast).unwrap();
    assert_eq!(brief.json()["result"]["action"], "timeout");
    person.waits_for(2);
    assert_eq!(person.record("req:4")["response"]["reason"], "asker disconnected");
    assert!(person.answers("req:1", "kept"));
    assert_eq!(asker.json()["result"]["value"], "kept");
    assert!(person.answers("req:2", "run"));
    assert_eq!(command.json()["result"]["value"], "run");
    desk.restart();
    assert_eq!(Peer::person(&desk).record("req:2")["response"]["value"], "run");
    desk.kill();
}
