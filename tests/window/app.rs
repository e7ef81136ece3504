//! The app as a whole: it opens, shows what is asked, ends as it says, and comes back.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::stage::{Stage, pause, wait_for, wait_for_some};

#[test]
fn an_ask_from_a_terminal_comes_up_without_taking_the_focus() {
    let (stage, editor) = Stage::with_editor();
    assert_eq!(stage.windows().len(), 0, "nothing is shown while nothing waits");
    let asking = stage.ask(&["yesno", "--title", "Run the migration?", "--agent-id", "claude:1"]);
    stage.shows(1);
    wait_for("the title counts", || {
        stage.output("xdotool", &["search", "--onlyvisible", "--name", "1 . · Hotline"]).lines().count() == 1
    });
    stage.types("still typing", 40);
    wait_for("the editor got every key", || editor.next("text")["text"] == "still typing");
    assert_eq!(stage.active(), "Editor");
    stage.picture("ask-over-editor");
    assert!(stage.ht(&["ask", "answer", &asking.id, "no"]).status.success());
    assert_eq!(asking.answer(), "no");
    // It says for a moment how the ask ended.
    stage.shows(0);
}

#[test]
fn closed_over_what_waits_the_ask_window_comes_back_with_the_next_ask() {
    let (mut stage, _editor) = Stage::with_editor();
    let _bus = stage.python("bus.py", &["tray"]);
    let _first = stage.ask(&["yesno", "--title", "First?"]);
    stage.shows(1);
    let place = stage.windows()[0].1;
    pause(500);
    stage.close_window();
    stage.shows(0);
    pause(1000);
    assert!(stage.app_runs());
    let _second = stage.ask(&["yesno", "--title", "Second?"]);
    stage.shows(1);
    let [x, y, _, height] = stage.windows()[0].1;
    let foot = |y: i32, height: i32| y + height;
    pause(500);
    assert_eq!(x, place[0], "where it was last");
    assert!((foot(y, height) - foot(place[1], place[3])).abs() < 120, "{place:?} {:?}", stage.windows());
}

#[test]
fn home_shows_the_ask_while_it_has_the_focus_and_no_second_window_does() {
    let mut stage = Stage::with_home();
    let driver = stage.driver();
    wait_for("Home is there", || driver.turn_to("home"));
    let _asking = stage.ask(&["yesno", "--title", "In Home?"]);
    wait_for("Home shows it", || driver.run("return document.body.innerText.includes('In Home?')") == true);
    pause(500);
    assert_eq!(stage.windows().len(), 1);
    stage.picture("home-with-an-ask");
}

#[test]
fn a_second_start_raises_home_and_ends() {
    let (stage, _editor) = Stage::with_editor();
    let second = stage.app_command(&[]).output().unwrap();
    assert_eq!(second.status.code(), Some(0));
    stage.shows(1);
    wait_for("Home has the focus", || stage.active() == "Hotline");
    assert!(stage.ht(&["ping"]).status.success());
}

#[test]
fn beside_a_hub_without_a_window_it_names_its_process_and_ends_with_75() {
    let mut stage = Stage::empty();
    assert!(!stage.ht(&["ping"]).status.success());
    let mut hub = stage.command("hotlined").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("the hub answers", || stage.ht(&["ping"]).status.success());
    stage.start_app(&[]);
    let pid = hub.id().to_string();
    wait_for("a dialog names the process", || stage.active().contains(&pid));
    stage.picture("other-hub");
    stage.keys(&["Return"]);
    assert_eq!(stage.app_ends(), Some(75));
    assert!(stage.app_log().contains(&pid), "{}", stage.app_log());
    hub.kill().unwrap();
    hub.wait().unwrap();
}

#[test]
fn without_a_display_it_says_so_in_a_sentence() {
    let stage = Stage::empty();
    let ended = stage.app_command(&[]).env_remove("DISPLAY").output().unwrap();
    assert_eq!(ended.status.code(), Some(69));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("no display can be opened"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn without_a_bus_it_works_all_the_same() {
    let mut stage = Stage::empty();
    stage.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
    stage.start_app(&["--background"]);
    let asking = stage.ask(&["yesno", "--title", "Without a bus?"]);
    stage.shows(1);
    assert!(stage.ht(&["ask", "answer", &asking.id, "yes"]).status.success());
    assert_eq!(asking.answer(), "yes");
}

#[test]
fn closing_the_last_window_without_a_tray_ends_the_app() {
    let mut stage = Stage::with_home();
    stage.close_window();
    assert_eq!(stage.app_ends(), Some(0));
    assert!(!stage.path("run/hotline/hotline.sock").exists());
}

#[test]
fn with_a_tray_the_app_lives_on_without_windows() {
    let mut stage = Stage::empty();
    let _bus = stage.python("bus.py", &["tray"]);
    stage.start_app(&[]);
    stage.shows(1);
    pause(500);
    stage.close_window();
    stage.shows(0);
    pause(500);
    assert!(stage.app_runs());
    assert!(stage.ht(&["ping"]).status.success());
}

#[test]
fn quitting_with_asks_pending_says_how_many_wait() {
    let mut stage = Stage::empty();
    let bus = stage.python("bus.py", &["tray"]);
    stage.start_app(&["--background"]);
    bus.next("registered");
    let first = stage.ask(&["yesno", "--title", "First?"]);
    let _second = stage.ask(&["yesno", "--title", "Second?"]);
    let quit = |stage: &Stage| {
        bus.tell("click Quit Hotline");
        bus.next("clicked");
        wait_for("a dialog asks", || stage.active() == "Quit Hotline");
        pause(300);
    };
    quit(&stage);
    let seen = wait_for_some("the dialog says how many wait", || {
        let tree = tree(&mut stage);
        tree.contains("2 questions still wait. Agents without a key are told it was cancelled.")
            .then_some(tree)
    });
    assert!(seen.contains("Stay"));
    stage.picture("quit-with-two");
    // The first focus is on staying; Escape and the window's button mean it too.
    stage.keys(&["Return"]);
    pause(700);
    assert!(stage.app_runs());
    assert_eq!(stage.pending().len(), 2);
    quit(&stage);
    stage.keys(&["Escape"]);
    pause(700);
    assert!(stage.app_runs());
    quit(&stage);
    stage.keys(&["alt+q"]);
    stage.keys(&["Tab", "Return"]);
    assert_eq!(stage.app_ends(), Some(0));
    // `ht` asks with a key: its ask waits for the next hub.
    stage.start_app(&["--background"]);
    assert!(stage.pending().contains(&first.id));
}

fn tree(stage: &mut Stage) -> String {
    stage.output("/usr/bin/python3", &[concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/window/tree.py")])
}

#[test]
fn a_session_that_ends_ends_the_app_cleanly() {
    let mut stage = Stage::with_home();
    stage.terminate_app();
    assert_eq!(stage.app_ends(), Some(0));
    assert!(!stage.path("run/hotline/hotline.sock").exists());
}

#[test]
fn a_page_whose_process_is_killed_comes_back_with_the_ask_and_the_draft() {
    let (mut stage, _editor) = Stage::with_editor();
    let mut asking = stage.ask(&["text", "--title", "Which name?"]);
    stage.shows(1);
    let driver = stage.driver();
    wait_for("the ask is there", || {
        driver.turn_to("ask") && driver.run("return !!document.querySelector('textarea')") == true
    });
    let field = stage.place(&driver, "textarea");
    stage.click(field);
    wait_for("the field has the focus", || {
        driver.run("return document.hasFocus() && document.activeElement.matches('textarea')") == true
    });
    stage.types("half a na", 40);
    wait_for("the draft is there", || {
        driver.run("return document.querySelector('textarea').value") == "half a na"
    });
    pause(500);
    drop(driver);
    let killed = stage.output("pgrep", &["-f", "WebKitWebProcess"]);
    let mine: Vec<&str> = killed.lines().filter(|pid| belongs(&stage, pid)).collect();
    assert!(!mine.is_empty(), "the page has a process");
    for pid in mine {
        assert!(std::process::Command::new("kill").args(["-9", pid]).status().unwrap().success());
    }
    let driver = wait_for_some("the page is back", || {
        pause(500);
        let driver = stage.driver();
        driver.turn_to("ask").then_some(driver)
    });
    wait_for("the draft is back", || {
        driver.run("return document.querySelector('textarea')?.value ?? null") == json!("half a na")
    });
    assert!(asking.waits());
    stage.picture("after-a-crash");
    stage.press(&driver, "[data-answer=send]");
    assert_eq!(asking.answer(), "half a na");
}

/// Whether a process has this stage's screen in its environment.
fn belongs(stage: &Stage, pid: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let folder = stage.path("run").display().to_string();
    String::from_utf8_lossy(&environment).contains(&folder)
}

#[test]
fn a_page_leads_nowhere_and_reaches_nothing_but_the_bridge() {
    let mut stage = Stage::with_home();
    let driver = stage.driver();
    wait_for("Home is there", || driver.turn_to("home"));
    driver.run("location.href = 'https://evil.example/'");
    driver.run("window.open('https://evil.example/')");
    driver.run(
        "const f = document.createElement('iframe'); f.src = 'tauri://localhost/'; document.body.append(f)",
    );
    pause(700);
    assert!(driver.turn_to("home"), "the page is still ours");
    assert_eq!(stage.windows().len(), 1);
    assert_eq!(
        driver.run("return document.querySelector('iframe').contentDocument?.body?.childElementCount ?? 0"),
        0
    );
    assert_eq!(driver.run("return typeof window.__TAURI__"), "undefined");
    let call =
        |method: &str, params: Value| driver.invoke("call", &json!({ "method": method, "params": params }));
    assert_eq!(call("system.ping", json!({}))["ok"], "PONG");
    let unknown = call("agent.nonsense", json!({}));
    assert_eq!(unknown["no"]["kind"], "method_not_found", "{unknown}");
    let wrong = call("agent.ask_answer", json!({ "request_id": "req:1", "value": "x", "more": 1 }));
    assert_eq!(wrong["no"]["kind"], "invalid_params", "{wrong}");
    for command in
        ["plugin:window|close", "plugin:event|emit", "plugin:autostart|enable", "plugin:notification|notify"]
    {
        let refused = driver.invoke(command, &json!({}));
        assert!(refused["no"].to_string().contains("not allowed"), "{command}: {refused}");
    }
}
