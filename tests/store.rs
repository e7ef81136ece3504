//! The store (catalogue DB): damage, strangers, newer layouts, other programs, a long history.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Desk, Ended, Running, assert_quick, hotlined};
use crate::peer::{Peer, question, with};

fn database(desk: &Desk) -> PathBuf {
    desk.path("data/hotline/hotline.db")
}

/// What `sqlite3` says to a statement; the hub must not run.
fn sqlite(file: &Path, sql: &str) -> String {
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
    assert_eq!(&bytes[16..18], [0x20, 0x00], "pages of 8192 bytes");
    let pages = bytes.len() / 8192;
    assert!(pages > 12, "{pages}");
    let middle = pages / 2 * 8192;
    bytes[middle..middle + 8192].fill(0xa5);
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
         INSERT INTO asks (id, state, value, resolved_at, channel, who, request) SELECT i, 'ok', 'yes', \
         1800000000000, 'cli', 'me', json_set(request, '$.request_id', 'req:' || i) FROM n, asks WHERE asks.id = 1;"
    );
    sqlite(&database(&desk), &many);
    let began = Instant::now();
    desk.start();
    assert_quick("a start above a long history", began.elapsed(), Duration::from_millis(1500));
    let mut person = Peer::person(&desk);
    assert_eq!(person.newest(), format!("req:{rows}"));
    // A search that finds nothing looks at every row, and nobody waits for it.
    let mut searcher = Peer::person(&desk);
    searcher.request("agent.ask_history", &json!({ "surface_id": "no such surface" }));
    let began = Instant::now();
    assert!(person.is_quiet());
    assert_quick("a ping beside a long search", began.elapsed(), Duration::from_millis(500));
    assert_eq!(searcher.json()["result"], json!({ "entries": [] }));
}
