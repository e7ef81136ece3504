//! What each verb prints and how it ends.

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Desk, HT, Running, wait_for};

#[test]
fn a_yes_or_no_waits_for_its_answer_and_prints_it() {
    let desk = Desk::new();
    for answer in ["yes", "no"] {
        let (mut asker, id) = desk.ask(&["yesno", "--title", "Run the install?"]);
        assert!(asker.is_running());
        assert_eq!(asker.stdout(), "");
        assert_eq!(desk.ht(&["ask", "answer", &id, answer]).outcome(), (0, ""));
        let ended = asker.end();
        assert_eq!(ended.outcome(), (0, format!("{answer}\n").as_str()));
        assert_eq!(ended.stderr, "", "no notice where nobody watches");
    }
}

#[test]
fn a_choice_prints_the_id_and_shows_the_label() {
    let desk = Desk::new();
    let (asker, id) = desk.ask(&[
        "choice",
        "--title",
        "Branch?",
        "--choices",
        "main,dev:Development",
        "--choice",
        "x=a, b:c",
    ]);
    let choices = json!([
        { "id": "main", "label": "main" }, { "id": "dev", "label": "Development" }, { "id": "x", "label": "a, b:c" }
    ]);
    assert_eq!(desk.pending()[0]["choices"], choices);
    let misfit = desk.ht(&["ask", "answer", &id, "Development"]);
    assert_eq!(misfit.outcome(), (1, ""));
    assert!(misfit.stderr.contains("\"main\", \"dev\", \"x\""), "{misfit:?}");
    assert_eq!(desk.ht(&["ask", "answer", &id, "dev"]).outcome(), (0, ""));
    assert_eq!(asker.end().outcome(), (0, "dev\n"));
}

#[test]
fn a_text_arrives_to_the_byte() {
    let desk = Desk::new();
    for text in ["  two\nlines \u{1b}[31m\u{202e}é ", "-rf", "--json", "7"] {
        let (asker, id) = desk.ask(&["text", "--title", "Message?", "--default", "-x"]);
        assert_eq!(desk.pending()[0]["default"], "-x");
        assert_eq!(desk.ht(&["ask", "answer", &id, "--", text]).outcome(), (0, ""));
        assert_eq!(asker.end().outcome(), (0, format!("{text}\n").as_str()));
    }
    let (_asker, id) = desk.ask(&["text", "--title", "Message?"]);
    assert_eq!(desk.ht(&["ask", "answer", &id, ""]).outcome(), (1, ""));
    assert_eq!(desk.ids(), [id]);
}

#[test]
fn a_cancelled_ask_ends_with_3_and_its_reason_on_stderr() {
    let desk = Desk::new();
    let (asker, id) = desk.ask(&["yesno", "--title", "T"]);
    assert_eq!(desk.ht(&["ask", "cancel", &id, "--reason", "not\u{1b}[2K today"]).outcome(), (0, ""));
    let ended = asker.end();
    assert_eq!(ended.outcome(), (3, ""));
    assert_eq!(ended.stderr, "Cancelled: not⟦U+001B⟧[2K today\n");

    let (asker, id) = desk.ask(&["yesno", "--title", "T", "--json"]);
    assert_eq!(desk.ht(&["ask", "cancel", &id]).outcome(), (0, ""));
    let ended = asker.end();
    assert_eq!(ended.outcome(), (3, "{\"request_id\":\"req:2\",\"action\":\"cancel\"}\n"));
    assert_eq!(ended.stderr, "Cancelled.\n");
}

#[test]
fn an_ask_that_times_out_ends_with_2_whatever_its_default() {
    let desk = Desk::new();
    let ended = desk.ht(&["ask", "yesno", "--title", "T", "--default", "yes", "--timeout", "50"]);
    assert_eq!(ended.outcome(), (2, ""));
    assert_eq!(ended.stderr, "Timed out: nobody answered within 1 s.\n");
    let ended = desk.ht(&["ask", "text", "--title", "T", "--timeout", "50", "--json"]);
    let response: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.code, &response["action"]), (Some(2), &json!("timeout")));
}

#[test]
fn json_is_the_whole_response() {
    let desk = Desk::new();
    let (asker, id) = desk.ask(&["yesno", "--title", "T", "--json"]);
    let done = desk.ht(&["ask", "answer", &id, "no", "--json"]);
    assert_eq!(done.outcome(), (0, "{\"resolved\":true}\n"));
    let response: Value = serde_json::from_str(&asker.end().stdout).unwrap();
    assert_eq!(response, json!({ "request_id": id, "action": "ok", "value": "no" }));
}

#[test]
fn without_a_hub_everything_ends_with_69_at_once_and_a_hint() {
    let desk = Desk::without_hub();
    for verb in [
        &["ask", "yesno", "--title", "T"][..],
        &["ask", "pending"],
        &["ask", "answer", "1", "yes"],
        &["ask", "ack", "1"],
        &["ask", "cancel", "1"],
        &["ask", "history"],
        &["notify", "T"],
        &["events"],
        &["ping"],
        &["version", "--json"],
    ] {
        let ended = desk.ht(verb);
        assert_eq!(ended.outcome(), (69, ""), "{verb:?}");
        let socket = desk.socket();
        let expected = format!(
            "No hub is running at {}.\nStart it with hotlined, or open the Hotline app.\n",
            socket.display()
        );
        assert_eq!(ended.stderr, expected, "{verb:?}");
    }
}

#[test]
fn wrong_usage_ends_with_64_and_help_with_0() {
    let desk = Desk::without_hub();
    for wrong in [
        &[][..],
        &["ask"],
        &["ask", "perhaps", "--title", "T"],
        &["ask", "yesno"],
        &["ask", "choice", "--title", "T"],
        &["ask", "yesno", "--title", "T", "--timeout", "soon"],
        &["ask", "confirm-command", "--title", "T", "--default", "run"],
        &["ask", "yesno", "--title", "T", "--body-file", "/nothing/there"],
        &["ask", "answer", "1"],
        &["--evil\u{1b}[2K"],
    ] {
        let ended = desk.ht(wrong);
        assert_eq!(ended.outcome(), (64, ""), "{wrong:?}");
        assert!(!ended.stderr.is_empty() && !ended.stderr.contains('\u{1b}'), "{wrong:?}: {}", ended.stderr);
    }
    for right in [&["--help"][..], &["--version"], &["ask", "--help"], &["ask", "yesno", "-h"], &["version"]]
    {
        let ended = desk.ht(right);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{right:?}");
        assert!(!ended.stdout.is_empty(), "{right:?}");
    }
    assert!(desk.ht(&["ask", "--help"]).stdout.contains("69  no hub is running"));
}

#[test]
fn what_the_hub_refuses_ends_with_1_and_its_words() {
    let desk = Desk::new();
    for (refused, says) in [
        (&["ask", "yesno", "--title", "T", "--default", "maybe"][..], "must be \"yes\" or \"no\""),
        (&["ask", "yesno", "--title", "two\nlines"], "line break"),
        (&["ask", "yesno", "--title", "T", "--agent-id", "System"], "kept for the app"),
        (&["ask", "choice", "--title", "T", "--choices", "a,a"], "look the same"),
        (&["ask", "history", "--before", "x"], "request_id"),
    ] {
        let ended = desk.ht(refused);
        assert_eq!(ended.outcome(), (1, ""), "{refused:?}");
        assert!(ended.stderr.contains(says), "{refused:?}: {}", ended.stderr);
    }
    assert_eq!(desk.ids(), Vec::<String>::new());
}

#[test]
fn an_id_that_does_not_wait_ends_with_1_and_how_it_ended() {
    let desk = Desk::new();
    let (asker, id) = desk.ask(&["yesno", "--title", "T"]);
    assert_eq!(id, "req:1");
    assert_eq!(desk.ht(&["ask", "answer", "1", "yes"]).outcome(), (0, ""), "3 is short for req:3");
    asker.end();
    for late in [&["ask", "answer", "1", "no"][..], &["ask", "cancel", "req:1"], &["ask", "ack", "1"]] {
        let ended = desk.ht(late);
        assert_eq!(ended.outcome(), (1, ""), "{late:?}");
        assert!(ended.stderr.starts_with("req:1 is not waiting any more. Answered with ht ("), "{ended:?}");
        assert!(ended.stderr.ends_with(": yes\n"), "{ended:?}");
    }
    for unknown in ["99", "req:99", "hello"] {
        let ended = desk.ht(&["ask", "answer", unknown, "no"]);
        assert_eq!(ended.outcome(), (1, ""), "{unknown}");
        assert!(ended.stderr.starts_with("No question has the id "), "{ended:?}");
        assert!(ended.stderr.ends_with("\nht ask pending lists what waits.\n"), "{ended:?}");
    }
    let json = desk.ht(&["ask", "cancel", "99", "--json"]);
    assert_eq!(json.outcome(), (1, "{\"resolved\":false}\n"));
}

#[test]
fn pending_lists_the_oldest_first_by_surface_and_exactly() {
    let desk = Desk::new();
    let nothing = desk.ht(&["ask", "pending"]);
    assert_eq!((nothing.outcome(), nothing.stderr.as_str()), ((0, ""), ""));
    let (_one, _) = desk.ask(&["yesno", "--title", "One?", "--surface", "a", "--agent", "claude:1"]);
    let (_two, _) = desk.ask(&[
        "confirm-command",
        "--title",
        "Two?",
        "--surface",
        "b",
        "--body",
        "1\n2\n3\n4\n5",
        "--unsafe",
    ]);
    let both = desk.ht(&["ask", "pending"]);
    let shown = "req:1  One?\n    Yes or no · “claude:1” · a · ";
    assert!(both.code == Some(0) && both.stdout.starts_with(shown), "{both:?}");
    assert!(both.stdout.contains("\n    This will execute on your machine\n    │ 1\n"), "{both:?}");
    assert!(both.stdout.ends_with("    │ 3\n    │ … 5 lines\n"), "{both:?}");
    let second = desk.ht(&["ask", "pending", "--surface", "b"]);
    assert!(second.stdout.starts_with("req:2  Two?"), "{second:?}");
    let exact: Value = serde_json::from_str(&desk.ht(&["ask", "pending", "--json"]).stdout).unwrap();
    assert_eq!(exact, json!({ "pending": desk.pending() }));
    assert_eq!(exact["pending"][1]["unsafe"], true);
}

#[test]
fn history_tells_how_asks_ended() {
    let desk = Desk::new();
    let (asker, id) = desk.ask(&["yesno", "--title", "One?", "--agent", "claude:1"]);
    desk.ht(&["ask", "answer", &id, "no"]);
    asker.end();
    wait_for("the delivery is recorded", || desk.newest().get("delivered_at").is_some());
    desk.ht(&["ask", "text", "--title", "Two?", "--timeout", "1"]);
    let told = desk.ht(&["ask", "history"]);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!((lines[0], lines[3]), ("req:2  Two?", "req:1  One?"), "{told:?}");
    assert_eq!(lines[2], "    → Timed out");
    assert!(lines[5].starts_with("    → Answered with ht (") && lines[5].ends_with(": no"), "{told:?}");
    let of_claude = desk.ht(&["ask", "history", "--agent-id", "claude:1", "--json"]);
    let of_claude: Value = serde_json::from_str(&of_claude.stdout).unwrap();
    assert_eq!(of_claude["entries"].as_array().unwrap().len(), 1);
    let before = desk.ht(&["ask", "history", "--before", "2", "--limit", "1", "--json"]);
    let before: Value = serde_json::from_str(&before.stdout).unwrap();
    assert_eq!(before["entries"][0]["request_id"], "req:1");
}

#[test]
fn events_follow_until_the_hub_goes() {
    let mut desk = Desk::new();
    let json = desk.spawn_ht(&["events", "--channels", "askUserEvent", "--json"]);
    let told = desk.spawn_ht(&["events"]);
    wait_for("the snapshot", || json.stdout().contains("snapshot"));
    desk.ht(&["notify", "Built", "--body", "all\u{1b}[2K green", "--level", "success"]);
    wait_for("the notification", || told.stdout().contains("[success] Built · all⟦U+001B⟧[2K green\n"));
    let (asker, id) = desk.ask(&["yesno", "--title", "T"]);
    desk.ht(&["ask", "answer", &id, "yes"]);
    asker.end();
    wait_for("the ending in words", || told.stdout().contains("req:1  → Answered with ht ("));
    wait_for("the ending as JSON", || json.stdout().contains("resolved"));
    desk.kill();
    let ended = json.end();
    assert_eq!(ended.code, Some(69), "{ended:?}");
    let kinds = ended.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let kinds: Vec<Value> = kinds.map(|event| event["kind"].clone()).collect();
    assert_eq!(kinds, ["snapshot", "shown", "resolved"]);
    assert_eq!(told.end().code, Some(69));
}

#[test]
fn events_end_when_their_reader_has_had_enough() {
    let desk = Desk::new();
    let first = desk.sh("ht events --json | head -n 1");
    assert!(first.code == Some(0) && first.stdout.contains("snapshot"), "{first:?}");
}

#[test]
fn an_ask_comes_from_the_surface_that_is_named_else_set_else_its_terminal_else_its_session() {
    let mut desk = Desk::new();
    let surface = |desk: &Desk| desk.pending().last().unwrap()["surface_id"].as_str().unwrap().to_owned();
    let (_asker, _) = desk.ask(&["yesno", "--title", "T", "--surface", "mine"]);
    assert_eq!(surface(&desk), "mine");

    // In a session of its own there is no terminal, whatever the tests run at.
    let mut command = desk.command("setsid");
    command.args([HT, "ask", "yesno", "--title", "T"]);
    let asker = Running::spawn(command);
    wait_for("the second ask", || desk.ids().len() == 2);
    assert_eq!(surface(&desk), format!("session:{}", asker.child.id()));

    let mut command = desk.command("setsid");
    command.args(["--ctty", HT, "ask", "yesno", "--title", "T"]);
    let at_terminal = crate::harness::Terminal::spawn(command);
    wait_for("the third ask", || desk.ids().len() == 3);
    assert!(surface(&desk).starts_with("term:pts/"), "{}", surface(&desk));
    at_terminal.shows("Waiting for an answer to req:3. Ctrl+C withdraws the question.");

    desk.set("HT_SURFACE", "surface:7");
    let (_asker, _) = desk.ask(&["yesno", "--title", "T"]);
    assert_eq!(surface(&desk), "surface:7");
}

#[test]
fn a_body_comes_from_a_file_or_from_stdin_byte_for_byte() {
    let desk = Desk::new();
    let body = " a\r\n\tb\u{7}\n\n";
    fs::write(desk.path("work/body"), body).unwrap();
    let (_asker, _) = desk.ask(&["yesno", "--title", "T", "--body-file", "body"]);
    assert_eq!(desk.pending()[0]["body"], body);
    let piped = desk.sh("printf 'one\\ntwo\\n' | ht ask text --title T --body-file - --timeout 1; echo $?");
    assert_eq!(piped.code, Some(2), "{piped:?}");
    assert_eq!(desk.newest()["body"], "one\ntwo\n");

    fs::write(desk.path("work/latin"), b"caf\xe9").unwrap();
    let latin = desk.ht(&["ask", "yesno", "--title", "T", "--body-file", "latin"]);
    assert_eq!(latin.outcome(), (64, ""));
    let fits = "é".repeat(128 << 10);
    fs::write(desk.path("work/fits"), &fits).unwrap();
    let (_asker, _) = desk.ask(&["yesno", "--title", "T", "--body-file", "fits"]);
    assert_eq!(desk.pending().last().unwrap()["body"], fits);
    // Read in no further than the limit, which lies within a character here.
    fs::write(desk.path("work/long"), "x".to_owned() + &fits.repeat(8)).unwrap();
    for verb in [
        &["ask", "yesno", "--title", "T", "--body-file", "long"][..],
        &["notify", "T", "--body-file", "long"],
    ] {
        let long = desk.ht(verb);
        assert_eq!(long.outcome(), (1, ""), "{verb:?}");
        assert_eq!(long.stderr, "What you send is too long: at most 262144 bytes fit.\n", "{verb:?}");
    }
}

#[test]
fn small_talk_with_the_hub() {
    let desk = Desk::new();
    assert_eq!(desk.ht(&["ping"]).outcome(), (0, "PONG\n"));
    assert_eq!(desk.ht(&["ping", "--json"]).outcome(), (0, "\"PONG\"\n"));
    let version = desk.ht(&["version"]);
    assert!(version.stdout.lines().count() == 2 && version.stdout.starts_with("ht "), "{version:?}");
    let notified = desk.ht(&["notify", "--title", "-x", "--json"]);
    let id: Value = serde_json::from_str(&notified.stdout).unwrap();
    assert!(id["id"].as_str().unwrap().starts_with("notification:"), "{id}");
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.ht(&["completions", shell]);
        assert!(script.code == Some(0) && script.stdout.contains("confirm-command"), "{shell}");
    }
}

#[test]
fn sentences_are_french_where_the_locale_is() {
    let mut desk = Desk::new();
    desk.set("LANG", "fr_FR.UTF-8");
    let (asker, id) = desk.ask(&["yesno", "--title", "T"]);
    desk.ht(&["ask", "cancel", &id, "--reason", "pas là"]);
    assert_eq!(asker.end().stderr, "Annulée\u{202f}: pas là\n");
    assert_eq!(
        desk.ht(&["ask", "answer", "99", "x"]).stderr,
        "Aucune question ne porte l’identifiant req:99.\nht ask pending affiche ce qui est en attente.\n"
    );
    let late = desk.ht(&["ask", "answer", &id, "yes"]);
    assert!(late.stderr.starts_with("req:1 n’est plus en attente. Annulée avec ht ("), "{late:?}");
    desk.set("LC_ALL", "en_GB.UTF-8");
    assert!(desk.ht(&["ask", "answer", "99", "x"]).stderr.starts_with("No question"));
    desk.set("LC_ALL", "");
    desk.set("LC_MESSAGES", "fr");
    desk.kill();
    assert!(desk.ht(&["ping"]).stderr.starts_with("Aucun hub n’écoute sur /tmp/"));
}

#[test]
fn nothing_that_a_terminal_obeys_reaches_one() {
    let desk = Desk::new();
    let title = "\u{202e}cba\u{ad}";
    let body = "\u{1b}[2K\u{1b}]52;c;eA==\u{7}\u{9b}31m\u{8}\r";
    let (_asker, id) = desk.ask(&["text", "--title", title, "--body", body, "--default", body]);
    for verb in [&["ask", "pending"][..], &["ask", "pending", "--json"], &["ask", "history", "--json"]] {
        let (code, screen) = desk.terminal(verb).end();
        assert_eq!(code, Some(0), "{verb:?}");
        // The terminal itself turns a line break into CR LF.
        let screen = screen.replace("\r\n", "\n");
        let obeyed = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{ad}".contains(c));
        assert!(!screen.contains(obeyed), "{verb:?}: {screen:?}");
        assert!(screen.contains("⟦U+202E⟧cba") || screen.contains("\\u202ecba"), "{verb:?}: {screen}");
    }
    let asker = desk.terminal(&["ask", "text", "--title", "T"]);
    asker.shows("Waiting for an answer to req:2");
    desk.ht(&["ask", "answer", "2", "--", body]);
    let (code, screen) = asker.end();
    assert_eq!(code, Some(0));
    assert!(screen.contains("⟦U+001B⟧[2K") && !screen.contains('\u{1b}'), "{screen:?}");
    assert_eq!(desk.ids(), [id]);
}

#[test]
fn only_a_socket_of_ones_own_is_trusted() {
    let desk = Desk::new();
    let on = |path: &str| {
        let mut command = desk.command(HT);
        command.env("HT_SOCKET_PATH", path).arg("ping");
        Running::spawn(command).end()
    };
    let link = desk.path("link").display().to_string();
    std::os::unix::fs::symlink(desk.socket(), &link).unwrap();
    let file = desk.path("work/file").display().to_string();
    fs::write(&file, "").unwrap();
    let long = format!("/tmp/{}", "x".repeat(200));
    for (path, says) in [
        (
            link.as_str(),
            "is a symbolic link. Nothing was sent.\nName the socket that it leads to in HT_SOCKET_PATH.",
        ),
        (&file, "is not a socket.\nName the hub’s own socket in HT_SOCKET_PATH."),
        (
            &long,
            "is too long for the path of a socket.\nName a shorter one in HT_SOCKET_PATH, for the hub too.",
        ),
        ("/tmp/\u{1b}[2K", "No hub is running at /tmp/⟦U+001B⟧[2K."),
    ] {
        let ended = on(path);
        assert_eq!(ended.outcome(), (69, ""), "{path}");
        assert!(ended.stderr.contains(says), "{ended:?}");
    }
    assert_eq!(on(&desk.socket().display().to_string()).outcome(), (0, "PONG\n"));
}

#[test]
fn the_socket_is_found_without_being_named() {
    let desk = Desk::new();
    let mut command = desk.command(HT);
    command.env_remove("HT_SOCKET_PATH").arg("ping");
    assert_eq!(Running::spawn(command).end().outcome(), (0, "PONG\n"));
}

/// A hub that replies the same to every line.
fn impostor(desk: &Desk, reply: &'static [u8]) {
    fs::create_dir_all(desk.socket().parent().unwrap()).unwrap();
    let listener = UnixListener::bind(desk.socket()).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut stream = stream;
            let mut line = [0; 4096];
            let _ = std::io::Read::read(&mut stream, &mut line);
            let _ = stream.write_all(reply);
        }
    });
}

#[test]
fn a_hub_that_talks_nonsense_is_no_hub() {
    let huge: &'static [u8] = Box::leak(vec![b'['; 10 << 20].into_boxed_slice());
    for reply in [&b"\x1b[2K\n"[..], b"{\"id\":1}\n", b"{\"id\":1,\"result\":[]}\n", huge] {
        let desk = Desk::without_hub();
        impostor(&desk, reply);
        let ended = desk.ht(&["ping"]);
        assert_eq!(ended.outcome(), (69, ""), "{ended:?}");
        let says = "sent something that ht cannot read.\nTheir versions may differ: ht version shows both.\n";
        assert!(ended.stderr.ends_with(says), "{ended:?}");
    }
}

#[test]
fn a_hub_that_sends_escapes_in_an_error_drives_no_terminal() {
    let desk = Desk::without_hub();
    impostor(&desk, b"{\"id\":1,\"error\":\"\\u001b[2Kno\",\"code\":\"internal\"}\n");
    let ended = desk.ht(&["ping"]);
    assert_eq!((ended.outcome(), ended.stderr.as_str()), ((1, ""), "⟦U+001B⟧[2Kno\n"));
}

#[test]
fn an_answer_that_cannot_be_printed_is_no_success() {
    let desk = Desk::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut asker = desk
        .command(HT)
        .args(["ask", "yesno", "--title", "T"])
        .stdout(full)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the ask is pending", || desk.ids().len() == 1);
    desk.ht(&["ask", "answer", "1", "yes"]);
    assert_eq!(asker.wait().unwrap().code(), Some(74));
}
