//! The store (catalogue DB): damage, strangers, newer layouts, other programs, a long history.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::fixtures;
use crate::harness::{Desk, Ended, Running, assert_quick, hotlined, rows, wait_for, wait_for_some};
use crate::peer::{Peer, question, with};

pub(crate) fn database(desk: &Desk) -> PathBuf {
    desk.path("data/hotline/hotline.db")
}

/// What `sqlite3` says to a statement; the hub must not run.
pub(crate) fn sqlite(file: &Path, sql: &str) -> String {
    let output = Command::new("sqlite3").arg(file).arg(sql).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs another hub to its end.
pub(crate) fn second(desk: &Desk, arguments: &[&str]) -> Ended {
    let mut command = desk.command(hotlined());
    command.args(arguments);
    Running::spawn(command).end()
}

/// Asks and answers so many texts, with 2 KiB of body each.
pub(crate) fn fill(desk: &Desk, count: usize) {
    let mut asker = Peer::agent(desk);
    let mut person = Peer::person(desk);
    for at in 0..count {
        let params = with(&question("text"), "title", format!("Question {at}"));
        asker.ask("1", &with(&params, "body", "b".repeat(2048)));
        let id = person.waits_for_one();
        assert!(person.answers(&id, &format!("answer {at}")));
        asker.json();
    }
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn aside(desk: &Desk) -> Vec<PathBuf> {
    let entries = fs::read_dir(desk.path("data/hotline")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains(".damaged-")).collect()
}

#[test]
fn a_damaged_page_is_noticed_what_can_be_read_is_kept_and_numbers_go_on_above() {
    let mut desk = Desk::new();
    fill(&desk, 60);
    assert!(desk.stop().success());
    let file = database(&desk);
    let mut bytes = fs::read(&file).unwrap();
    assert_eq!(&bytes[16..18], [0x10, 0x00], "pages of 4096 bytes");
    let pages = bytes.len() / 4096;
    assert!(pages > 12, "{pages}");
    let middle = pages / 2 * 4096;
    bytes[middle..middle + 4096].fill(0xa5);
    fs::write(&file, bytes).unwrap();

    desk.start();
    assert!(desk.log().contains("the damaged store was moved aside"), "{}", desk.log());
    assert!(!aside(&desk).is_empty());
    let mut person = Peer::person(&desk);
    let history = person.get("agent.ask_history", &json!({ "limit": 500 }));
    let kept = history["entries"].as_array().unwrap();
    assert!(kept.len() > 30 && kept.len() < 60, "{}", kept.len());
    assert!(kept.iter().all(|entry| entry["response"]["action"] == "ok"));
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("yesno"));
    let id = person.waits_for_one();
    assert!(id.trim_start_matches("req:").parse::<u64>().unwrap() > 60, "{id}");
    assert!(person.answers(&id, "yes"));
    assert_eq!(asker.json()["result"]["value"], "yes");
}

#[test]
fn a_database_cut_to_nothing_or_overwritten_is_moved_aside() {
    for (content, name) in [
        ("", "empty"),
        (
            "not a database at all, but longer than its header of 100 bytes would be, so that it can be told from one that was cut",
            "noise",
        ),
    ] {
        let mut desk = Desk::new();
        fill(&desk, 3);
        assert!(desk.stop().success());
        fs::write(database(&desk), content).unwrap();
        desk.start();
        assert!(desk.log().contains("the store is damaged"), "{name}: {}", desk.log());
        let moved = aside(&desk);
        assert_eq!(fs::read_to_string(&moved[0]).unwrap(), content, "{name}");
        let mut asker = Peer::agent(&desk);
        asker.ask("1", &question("yesno"));
        let id = Peer::person(&desk).waits_for_one();
        assert!(id.len() > "req:100000".len(), "{name}: no number is used twice: {id}");
        // The new one is whole: it opens again without a word.
        desk.restart();
        assert_eq!(desk.log().matches("the store is damaged").count(), 1, "{name}");
    }
}

/// What an interrupted recovery leaves: the damaged store aside, no store, and perhaps half of a new one.
#[test]
fn a_recovery_that_was_interrupted_goes_on_with_the_next_start() {
    for is_whole in [true, false] {
        let mut desk = Desk::new();
        fill(&desk, 10);
        let mut asker = Peer::agent(&desk);
        asker.ask("1", &with(&question("yesno"), "idempotency_key", "k"));
        let waits = Peer::person(&desk).waits_for_one();
        let (file, moved) = (database(&desk), desk.path("data/hotline/hotline.db.damaged-1800000000000"));
        if is_whole {
            assert!(desk.stop().success());
        } else {
            // Everything is in the log still, which has not been moved along.
            desk.kill();
            assert!(file.with_extension("db-wal").metadata().unwrap().len() > 0);
        }
        fs::rename(&file, &moved).unwrap();
        fs::write(file.with_extension("new"), "half of a new one").unwrap();
        desk.start();
        let mut person = Peer::person(&desk);
        for at in 1..=10 {
            let record = person.record(&format!("req:{at}"));
            assert_eq!(record["response"]["value"], format!("answer {}", at - 1));
        }
        assert_eq!(person.waits_for_one(), waits);
        let mut another = Peer::agent(&desk);
        another.ask("1", &question("yesno"));
        let id = person.waits_for(2).remove(1);
        assert!(id.len() > "req:100000".len(), "no number is used twice: {id}");
        // Once is enough: the next start finds a store, and leaves what is aside alone.
        desk.restart();
        assert_eq!(desk.log().matches("an interrupted recovery goes on").count(), 1, "{}", desk.log());
        assert_eq!(Peer::person(&desk).waits_for_one(), waits);
        assert!(moved.exists());
    }
}

#[test]
fn a_row_that_cannot_be_read_is_left_out_and_hides_no_other() {
    let mut desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    for at in 1..=5 {
        let params = with(&question("yesno"), "idempotency_key", format!("key {at}"));
        asker.ask("1", &params);
        person.waits_for(at);
    }
    for id in ["req:4", "req:5"] {
        assert!(person.answers(id, "yes"));
    }
    desk.kill();
    sqlite(
        &database(&desk),
        "UPDATE asks SET request = '{\"x' WHERE id IN (1, 4); \
         UPDATE asks SET request = CAST(x'7b22ff' AS TEXT) WHERE id = 2;",
    );
    desk.start();
    let mut person = Peer::person(&desk);
    assert_eq!(person.waits_for_one(), "req:3");
    for query in [json!({}), json!({ "surface_id": "surface:1" })] {
        let history = person.get("agent.ask_history", &query);
        let entries = history["entries"].as_array().unwrap();
        let ids: Vec<&str> = entries.iter().map(|entry| entry["request_id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["req:5", "req:3"], "{query}");
    }
    assert!(desk.log().contains("a row of the store is unreadable and is left out"), "{}", desk.log());
    assert!(person.answers("req:3", "no"));
    let mut back = Peer::agent(&desk);
    back.ask("1", &with(&question("yesno"), "idempotency_key", "key 3"));
    assert_eq!(back.json()["result"]["value"], "no");
}

#[test]
fn a_row_that_says_it_is_another_ask_is_left_out_and_ends_no_hub_and_no_look_back() {
    let mut desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    for at in 1..=5 {
        let params = with(&question("yesno"), "idempotency_key", format!("key {at}"));
        asker.ask("1", &with(&params, "timeout_ms", 600_000 + at));
        person.waits_for(at);
    }
    assert!(person.answers("req:1", "yes"));
    desk.kill();
    sqlite(
        &database(&desk),
        "UPDATE asks SET request = json_set(request, '$.request_id', 'req:1') WHERE id = 2; \
         UPDATE asks SET request = json_set(request, '$.request_id', 'req:5') WHERE id = 4; \
         UPDATE asks SET id = -1 WHERE id = 3;",
    );
    desk.start();
    let mut person = Peer::person(&desk);
    assert_eq!(person.waits_for_one(), "req:5");
    for (query, ids) in
        [(json!({}), &["req:5", "req:1"][..]), (json!({ "surface_id": "nobody asked here" }), &[])]
    {
        let history = person.get("agent.ask_history", &query);
        let entries = history["entries"].as_array().unwrap();
        let found: Vec<&str> = entries.iter().map(|entry| entry["request_id"].as_str().unwrap()).collect();
        assert_eq!(found, ids, "{query}");
    }
    assert!(person.answers("req:5", "no"));
}

#[test]
fn the_database_of_another_program_is_refused_and_not_touched() {
    let mut desk = Desk::without_hub();
    fs::create_dir_all(desk.path("data/hotline")).unwrap();
    set_mode(&desk.path("data/hotline"), 0o700);
    let file = database(&desk);
    sqlite(&file, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine');");
    let before = fs::read(&file).unwrap();
    let refused = second(&desk, &[]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(70), ""));
    assert!(refused.stderr.contains("the database of another program"), "{}", refused.stderr);
    assert_eq!(fs::read(&file).unwrap(), before);
    let names: Vec<_> =
        fs::read_dir(desk.path("data/hotline")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "the database and the lock: {names:?}");
    fs::remove_file(&file).unwrap();
    desk.start();
}

#[test]
fn a_newer_layout_is_refused_with_a_clear_word_and_kept() {
    let mut desk = Desk::new();
    fill(&desk, 1);
    assert!(desk.stop().success());
    sqlite(&database(&desk), "PRAGMA user_version = 99;");
    let refused = second(&desk, &[]);
    assert_eq!(refused.code, Some(70));
    assert!(refused.stderr.contains("written by a newer Hotline"), "{}", refused.stderr);
    assert!(aside(&desk).is_empty());
    assert_eq!(sqlite(&database(&desk), "PRAGMA user_version; SELECT count(*) FROM asks;"), "99\n1\n");
}

#[test]
fn db_09_what_looks_like_sql_is_text() {
    let desk = Desk::new();
    let odd = "x' OR 1=1; DROP TABLE asks; --";
    let (mut asker, mut person) = (Peer::agent(&desk), Peer::person(&desk));
    let mut params = with(&question("text"), "title", odd);
    for name in ["surface_id", "agent_id", "idempotency_key", "body"] {
        params[name] = odd.into();
    }
    asker.ask("1", &params);
    let id = person.waits_for_one();
    assert!(person.answers(&id, odd));
    assert_eq!(asker.json()["result"]["value"], odd);
    let found = person.get("agent.ask_history", &json!({ "surface_id": odd, "agent_id": odd }));
    assert_eq!(found["entries"][0]["response"]["value"], odd);
}

#[test]
fn db_07_no_other_program_writes_while_the_hub_runs_and_one_that_holds_the_store_is_named_a_problem() {
    let mut desk = Desk::new();
    fill(&desk, 1);
    let other = |sql: &str| Command::new("sqlite3").arg(database(&desk)).arg(sql).output().unwrap();
    let locked = other("DELETE FROM asks;");
    assert!(String::from_utf8_lossy(&locked.stderr).contains("locked"), "{locked:?}");
    assert_eq!(Peer::person(&desk).record("req:1")["response"]["value"], "answer 0");
    assert!(desk.stop().success());
    // Held by another program at the start: an error within the time that SQLite waits, not a hang.
    let mut holds = desk.command("sqlite3");
    holds.arg(database(&desk)).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut holds = holds.spawn().unwrap();
    let mut stdin = holds.stdin.take().unwrap();
    stdin.write_all(b"PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; SELECT 'held';\n").unwrap();
    let mut said = String::new();
    let mut stdout = BufReader::new(holds.stdout.take().unwrap());
    while said != "held\n" {
        said.clear();
        assert!(stdout.read_line(&mut said).unwrap() > 0);
    }
    let refused = second(&desk, &[]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(70), ""), "{}", refused.stderr);
    drop(stdin);
    holds.wait().unwrap();
    desk.start();
    assert_eq!(Peer::person(&desk).record("req:1")["response"]["value"], "answer 0");
}

#[test]
fn db_11_a_long_history_does_not_hold_up_the_start_or_a_look_back() {
    let mut desk = Desk::new();
    fill(&desk, 1);
    assert!(desk.stop().success());
    let rows = if crate::is_long() { 1_000_000 } else { 20_000 };
    let many = format!(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) \
         INSERT INTO asks (id, request) SELECT i, json_set(request, '$.request_id', 'req:' || i) FROM n, asks \
         WHERE asks.id = 1; \
         INSERT INTO endings (ask, action, value, ended_at, channel, who) SELECT id, 'ok', 'yes', 1800000000000, \
         'cli', 'me' FROM asks WHERE id > 1;"
    );
    sqlite(&database(&desk), &many);
    let began = Instant::now();
    desk.start();
    assert_quick("a start above a long history", began.elapsed(), Duration::from_millis(1500));
    let mut person = Peer::person(&desk);
    assert_eq!(person.newest(), format!("req:{rows}"));
    // A search that finds nothing looks at every row, and nobody waits for it.
    let mut searcher = Peer::person(&desk);
    let finds_nothing = json!({ "surface_id": "no such surface" });
    searcher.request("agent.ask_history", &finds_nothing);
    let searched = Instant::now();
    assert!(person.is_quiet());
    assert_quick("a ping beside a long search", searched.elapsed(), Duration::from_millis(500));
    assert_eq!(searcher.json()["result"], json!({ "entries": [] }));
    let one_search = searched.elapsed();

    // Nor beside many: they take turns, and a ping waits for a slice of one, not for a slice of each.
    for _ in 0..200 {
        searcher.request("agent.ask_history", &finds_nothing);
    }
    let ping = |_| {
        let began = Instant::now();
        assert!(person.is_quiet());
        began.elapsed()
    };
    let fastest = (0..5).map(ping).min().unwrap();
    assert!(fastest < one_search * 2, "{fastest:?} beside 200 searches of {one_search:?} each");
}

#[test]
fn a_sync_that_fails_is_tried_or_counted_as_not_run() {
    let row = "a run whose write did not reach the disk did not happen, before a restart and after";
    let sleeps = Command::new("sleep").arg("60").spawn().map(|mut sleeps| {
        let traced = traced(sleeps.id(), &[]);
        sleeps.kill().unwrap();
        sleeps.wait().unwrap();
        traced.map(|mut strace| strace.wait().unwrap())
    });
    rows("strace", sleeps.unwrap().is_some(), &[(row, a_run_that_did_not_reach_the_disk_did_not_happen)]);
}

/// `strace` on a process, once it has it; none where there is no strace or it may not.
fn traced(pid: u32, options: &[&str]) -> Option<Child> {
    let mut strace = Command::new("strace");
    strace.args(options).args(["-f", "-o", "/dev/null", "-p", &pid.to_string()]).stderr(Stdio::null());
    let mut strace = strace.spawn().ok()?;
    let is_traced = |task: fs::DirEntry| {
        let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
        status.lines().any(|line| line.strip_prefix("TracerPid:").is_some_and(|pid| pid.trim() != "0"))
    };
    let has_it = wait_for_some("strace has the process, or gives up", || {
        let mut tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
        if tasks.all(|task| is_traced(task.unwrap())) {
            return Some(true);
        }
        strace.try_wait().unwrap().map(|_| false)
    });
    has_it.then_some(strace)
}

fn a_run_that_did_not_reach_the_disk_did_not_happen() {
    let mut desk = Desk::new();
    let params = with(&question("confirm-command"), "idempotency_key", "k");
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &params);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    person.get("agent.ask_ack", &json!({ "request_id": id }));
    let failing = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"];
    let mut strace = traced(desk.hub_pid(), &failing).unwrap();
    let run = json!({ "request_id": id, "value": "run" });
    fixtures::assert_is_example(&person.call("agent.ask_answer", &run), "storage_unavailable");
    assert!(asker.is_quiet());
    assert_eq!(person.waits_for_one(), id);
    desk.kill();
    strace.wait().unwrap();

    desk.start();
    let mut person = Peer::person(&desk);
    assert_eq!(person.waits_for_one(), id);
    assert_eq!(person.record(&id).get("response"), None);
    let mut back = Peer::agent(&desk);
    back.ask("2", &params);
    assert!(back.is_quiet(), "a run that nobody gave");
    person.get("agent.ask_ack", &json!({ "request_id": id }));
    assert!(person.answers(&id, "run"));
    assert_eq!(back.json()["result"]["value"], "run");
}

#[test]
fn rests_of_the_hub_are_waited_for_in_the_long_part_or_counted_as_not_run() {
    let row = "a hub that folded its log in while nobody asked for anything still answers";
    rows("HOTLINE_LONG=1", crate::is_long(), &[(row, a_hub_that_rested_still_answers)]);
}

/// Takes the two seconds after which the hub rests, a few times.
fn a_hub_that_rested_still_answers() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let log = database(&desk).with_extension("db-wal");
    for round in 1..=3 {
        let mut asker = Peer::agent(&desk);
        asker.ask("1", &question("yesno"));
        assert_eq!(person.waits_for_one(), format!("req:{round}"));
        assert!(person.answers(&format!("req:{round}"), "yes"));
        wait_for("the log is folded in", || {
            assert!(person.pending().is_empty() && person.is_quiet());
            log.metadata().unwrap().len() == 0
        });
    }
    assert!(person.is_quiet());
}
