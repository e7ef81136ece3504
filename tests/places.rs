//! Where a hub lives (catalogue LIFE): who may be there, who was there first, who may look in.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Desk, Running, hotlined, wait_for};
use crate::peer::{Peer, question, with};
use crate::store::{fill, second, set_mode};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn db_06_everything_that_is_kept_is_the_persons_alone() {
    // A umask that hides nothing is the hub's to narrow.
    let mut desk = Desk::new();
    fill(&desk, 2);
    desk.kill();
    let mut command = desk.command("sh");
    command.arg("-c").arg("umask 000; exec \"$0\" \"$@\"").arg(hotlined());
    fs::remove_dir_all(desk.path("data/hotline")).unwrap();
    fs::remove_dir_all(desk.path("run/hotline")).unwrap();
    fs::remove_dir_all(desk.path("state/hotline")).unwrap();
    let _hub = Running::spawn(command);
    wait_for("the hub listens", || desk.socket().exists() && UnixStream::connect(desk.socket()).is_ok());
    fill(&desk, 2);
    let mut seen = 0;
    let mut folders = vec![desk.path("data/hotline"), desk.path("run/hotline"), desk.path("state/hotline")];
    while let Some(folder) = folders.pop() {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            assert_eq!(mode(&path), 0o600, "{}", path.display());
            assert_eq!(fs::symlink_metadata(&path).unwrap().uid(), rustix::process::geteuid().as_raw());
            seen += 1;
        }
    }
    assert!(seen >= 6, "database, log of it, locks, socket, log: {seen}");
}

#[test]
fn life_01_a_stale_socket_is_replaced() {
    let mut desk = Desk::new();
    desk.kill();
    assert!(desk.socket().exists(), "kill -9 leaves it");
    assert!(UnixStream::connect(desk.socket()).is_err());
    desk.start();
    assert!(Peer::person(&desk).is_quiet());
}

#[test]
fn life_02_a_second_hub_is_told_who_is_there_and_harms_nothing() {
    let desk = Desk::new();
    let pid = format!("pid {}", desk.hub_pid());
    let other_data = desk.path("other-data").display().to_string();
    let other_socket = desk.path("run/other/hotline.sock").display().to_string();
    fs::create_dir(desk.path("run/other")).unwrap();
    set_mode(&desk.path("run/other"), 0o700);
    for arguments in [&[][..], &["--data-dir", &other_data], &["--socket", &other_socket]] {
        let busy = second(&desk, arguments);
        assert_eq!((busy.code, busy.stdout.as_str()), (Some(75), ""), "{arguments:?} {}", busy.stderr);
        assert!(busy.stderr.contains(&pid), "{arguments:?} {}", busy.stderr);
        assert!(Peer::person(&desk).is_quiet());
    }
    assert!(desk.socket().exists());
}

#[test]
fn life_05_a_folder_of_others_or_open_to_them_is_refused_or_closed() {
    let socket = |desk: &Desk, folder: &str| desk.path(folder).join("hotline.sock").display().to_string();
    let desk = Desk::without_hub();
    let loose = |name: &str, mode: u32| {
        fs::create_dir_all(desk.path(name)).unwrap();
        set_mode(&desk.path(name), mode);
    };
    loose("loose", 0o777);
    loose("sticky", 0o1777);
    loose("group", 0o770);
    fs::write(desk.path("file"), "").unwrap();
    symlink(desk.path("run"), desk.path("link")).unwrap();
    for folder in ["loose", "sticky", "group", "file", "link"] {
        let refused = second(&desk, &["--socket", &socket(&desk, folder)]);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(70), ""), "{folder}: {}", refused.stderr);
        assert!(!desk.path(folder).join("hotline.sock").exists());
    }
    // A data folder is held to the same.
    let refused = second(&desk, &["--data-dir", &desk.path("loose").display().to_string()]);
    assert_eq!(refused.code, Some(70), "{}", refused.stderr);
    // What is at the socket's place and no socket is not removed.
    fs::create_dir(desk.path("run/hotline")).unwrap();
    set_mode(&desk.path("run/hotline"), 0o700);
    fs::write(desk.socket(), "a letter").unwrap();
    let refused = second(&desk, &[]);
    assert_eq!(refused.code, Some(70), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(desk.socket()).unwrap(), "a letter");
    fs::remove_file(desk.socket()).unwrap();
    // The folder that is named after us is ours to close, or to make.
    let mut desk = desk;
    set_mode(&desk.path("run/hotline"), 0o755);
    desk.start();
    assert_eq!(mode(&desk.path("run/hotline")), 0o700);
    assert!(desk.stop().success());
    fs::remove_dir_all(desk.path("run/hotline")).unwrap();
    desk.start();
    assert_eq!((mode(&desk.path("run/hotline")), mode(&desk.socket())), (0o700, 0o600));
}

#[test]
fn what_is_no_file_at_the_settings_place_holds_nothing_up() {
    let mut desk = Desk::without_hub();
    fs::create_dir(desk.path("config/hotline")).unwrap();
    // Whoever opens a FIFO waits for a writer, which never comes.
    let made = desk.command("mkfifo").arg(desk.path("config/hotline/settings.toml")).status().unwrap();
    assert!(made.success());
    desk.start();
    assert!(desk.log().contains("settings.toml is ignored: it is no file"), "{}", desk.log());
    assert!(Peer::person(&desk).is_quiet());
}

#[test]
fn a_hub_whose_standard_error_nobody_reads_any_more_goes_on() {
    let desk = Desk::without_hub();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = desk.command(hotlined());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(writer);
    let mut hub = command.spawn().unwrap();
    wait_for("the hub listens", || UnixStream::connect(desk.socket()).is_ok());
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &with(&question("text"), "body", "x".repeat(256 << 10)));
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    // Something to warn of: a reader that takes nothing.
    let mut greedy = Peer::person(&desk);
    greedy.send("{\"id\":1,\"method\":\"agent.ask_pending\"}\n".repeat(100));
    let logs = desk.path("state/hotline/log");
    let log = || fs::read_dir(&logs).unwrap().map(|f| fs::read_to_string(f.unwrap().path()).unwrap());
    wait_for("it is in the log's file", || log().any(|text| text.contains("left over 8 MiB unread")));
    assert!(person.answers(&id, "still here"));
    assert_eq!(asker.json()["result"]["value"], "still here");
    hub.kill().unwrap();
    hub.wait().unwrap();
}

#[test]
fn a_socket_path_that_is_too_long_is_said_to_be() {
    let desk = Desk::without_hub();
    let folder = desk.path("run").join("x".repeat(90));
    let refused = second(&desk, &["--socket", &folder.join("hotline.sock").display().to_string()]);
    assert_eq!(refused.code, Some(70));
    assert!(refused.stderr.contains("too long") && refused.stderr.contains("107"), "{}", refused.stderr);
    // The longest that fits works.
    let mut desk = desk;
    let room = 107 - desk.path("run/").as_os_str().len() - "/s".len();
    let fits = desk.path("run").join("x".repeat(room)).join("s");
    assert_eq!(fits.as_os_str().len(), 107);
    desk.set("HT_SOCKET_PATH", &fits.display().to_string());
    let hub = Running::spawn(desk.command(hotlined()));
    wait_for("the hub listens", || UnixStream::connect(&fits).is_ok());
    assert_eq!(desk.ht(&["ping"]).code, Some(0));
    drop(hub);
}

#[test]
fn db_10_odd_names_of_folders_work_and_a_missing_home_is_said() {
    let desk = Desk::without_hub();
    let odd = desk.path("run").join(OsStr::from_bytes(b"a b\nc\xff'\"$x"));
    let mut command = desk.command(hotlined());
    command.arg("--data-dir").arg(&odd).arg("--socket").arg(odd.join("s"));
    let hub = Running::spawn(command);
    wait_for("the hub listens", || UnixStream::connect(odd.join("s")).is_ok());
    assert!(odd.join("hotline.db").exists());
    drop(hub);
    let mut command = Command::new(hotlined());
    command.env_clear().current_dir("/");
    let refused = Running::spawn(command).end();
    assert_eq!(refused.code, Some(70));
    assert!(refused.stderr.contains("HOME"), "{}", refused.stderr);
}
