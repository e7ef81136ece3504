//! The tray and the notifications, as a desktop sees them on the bus.

use std::time::Instant;

use serde_json::{Value, json};

use crate::driver::Driver;
use crate::stage::{Lines, Stage, pause, wait_for, wait_for_some};

/// The menu, once it says that so many wait.
#[track_caller]
fn menu(bus: &Lines, first: &str) -> Value {
    wait_for_some(&format!("the menu begins with {first}"), || {
        bus.tell("menu");
        let menu = bus.next("menu");
        (menu["menu"][0] == first).then_some(menu)
    })
}

#[test]
fn the_tray_counts_and_names_what_waits_and_opens_it() {
    let (mut stage, _editor) = Stage::with_editor();
    // A host that comes later is found all the same.
    let bus = stage.python("bus.py", &["tray"]);
    bus.next("registered");
    let empty = menu(&bus, "Nothing needs you");
    assert_eq!(empty["count"], "");
    let quiet = json!([
        "Nothing needs you",
        "",
        "Open Hotline",
        "",
        "Pause notifications for 1 hour",
        "Pause notifications until tomorrow",
        "Start at login",
        "",
        "Quit Hotline"
    ]);
    assert_eq!(empty["menu"], quiet);
    assert_eq!(empty["off"][0], "Nothing needs you");

    let asks: Vec<_> = (1..=6)
        .map(|n| stage.ask(&["yesno", "--title", &format!("Number {n} & _more?"), "--agent-id", "claude:1"]))
        .collect();
    let full = menu(&bus, "6 questions");
    assert_eq!(full["count"], "6");
    assert_ne!(full["icon"], empty["icon"], "a dot instead of a ring");
    assert_eq!(full["menu"][1], "claude:1 asks: Number 1 & _more?");
    assert_eq!(full["menu"][5], "claude:1 asks: Number 5 & _more?");
    assert_eq!(full["menu"][6], "Next question");

    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    bus.tell("click claude:1 asks: Number 3 & _more?");
    bus.next("clicked");
    wait_for("it has the focus", || stage.active() == "6 ? · Hotline");
    wait_for("the third is shown", || {
        driver
            .run("return document.querySelector('.ask')?.innerText ?? ''")
            .as_str()
            .is_some_and(|text| text.contains("Number 3"))
    });
    stage.picture("tray-opened-the-third");

    for asking in &asks[1..] {
        assert!(stage.ht(&["ask", "answer", &asking.id, "no"]).status.success());
    }
    let one = menu(&bus, "1 question");
    assert_eq!(one["count"], "1");
    bus.tell("click Open Hotline");
    bus.next("clicked");
    stage.shows(2);
}

#[test]
fn a_tray_of_the_old_kind_shows_the_icon() {
    let (stage, _editor) = Stage::with_editor();
    let mut tray =
        stage.command("trayer").args(["--edge", "top", "--width", "10", "--height", "24"]).spawn().unwrap();
    wait_for("the icon is docked", || {
        stage.output("xwininfo", &["-root", "-tree"]).contains("tray-icon tray app")
    });
    let _asking = stage.ask(&["yesno", "--title", "With a dot?"]);
    pause(1000);
    stage.picture("old-tray");
    tray.kill().unwrap();
    tray.wait().unwrap();
}

#[test]
fn starting_at_login_is_switched_from_the_tray() {
    let (mut stage, _editor) = Stage::with_editor();
    let bus = stage.python("bus.py", &["tray"]);
    bus.next("registered");
    menu(&bus, "Nothing needs you");
    bus.tell("click Start at login");
    bus.next("clicked");
    let entry = stage.path("home/.config/autostart/Hotline.desktop");
    wait_for("the session is told", || entry.exists());
    assert!(std::fs::read_to_string(&entry).unwrap().contains("--background"));
    wait_for("the menu is checked", || {
        menu(&bus, "Nothing needs you")["checked"] == json!(["Start at login"])
    });
    bus.tell("click Start at login");
    bus.next("clicked");
    wait_for("the session is told", || !entry.exists());
}

/// Chooses that notifications say what is asked, as the page of settings does.
fn show_content(driver: &Driver) {
    let set = driver
        .invoke("call", &json!({ "method": "settings.set", "params": { "notification_content": true } }));
    assert_eq!(set["ok"]["notification_content"], true, "{set}");
}

#[test]
fn a_notification_says_who_asks_and_not_what() {
    let (mut stage, _editor) = Stage::with_editor();
    let bus = stage.python("bus.py", &["notifications"]);
    bus.next("ready");
    let _asking = stage.ask(&["yesno", "--title", "Secret?", "--body", "Secret", "--agent-id", "claude:1"]);
    let note = bus.next("title");
    assert_eq!(note["title"], "claude:1 has a question for you");
    assert!(!note.to_string().contains("Secret"), "{note}");
}

#[test]
fn an_ask_out_of_view_is_notified_of_once_and_a_click_opens_it() {
    let (mut stage, _editor) = Stage::with_editor();
    let bus = stage.python("bus.py", &["notifications"]);
    bus.next("ready");
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    show_content(&driver);
    let _first = stage.ask(&["yesno", "--title", "Run\u{202e} install?", "--agent-id", "claude:1"]);
    let note = bus.next("title");
    assert_eq!(note["title"], "claude:1 asks: Run⟦U+202E⟧ install?");
    assert_eq!((&note["body"], &note["actions"][0]), (&json!(""), &json!("default")));
    let _second = stage.ask(&["confirm-command", "--title", "rm -rf build", "--agent-id", "claude:1"]);
    let second = bus.next("title");
    assert_eq!(second["title"], "claude:1 asks to run a command", "a command's text is never in it");
    assert!(!second.to_string().contains("rm -rf"));

    stage.picture("notified");
    bus.tell(&format!("invoke {}", second["number"]));
    wait_for("it has the focus", || stage.active() == "2 ? · Hotline");
    wait_for("the second is shown", || {
        driver.run("return !!document.querySelector('[data-answer=ack]')") == true
    });
    // In view now: the next one is shown, not notified of.
    let _third = stage.ask(&["yesno", "--title", "In view?"]);
    pause(1500);
    assert_eq!(bus.rest("title"), Vec::<Value>::new());
}

#[test]
fn a_note_of_an_agent_is_shown_as_text() {
    let (mut stage, _editor) = Stage::with_editor();
    let bus = stage.python("bus.py", &["notifications"]);
    bus.next("ready");
    assert!(stage.ht(&["notify", "--title", "Done", "--body", "<b>all</b> & more"]).status.success());
    let note = bus.next("title");
    assert_eq!(
        (&note["title"], &note["body"]),
        (&json!("Done"), &json!("&lt;b&gt;all&lt;/b&gt; &amp; more"))
    );
}

#[test]
fn paused_notifications_stay_away_until_they_are_resumed() {
    let (mut stage, _editor) = Stage::with_editor();
    let bus = stage.python("bus.py", &["tray", "notifications"]);
    bus.next("registered");
    menu(&bus, "Nothing needs you");
    bus.tell("click Pause notifications for 1 hour");
    bus.next("clicked");
    wait_for("the menu offers to resume", || {
        menu(&bus, "Nothing needs you")["menu"].to_string().contains("Resume")
    });
    let _quiet = stage.ask(&["yesno", "--title", "Quiet?"]);
    pause(1500);
    assert_eq!(bus.rest("title"), Vec::<Value>::new());
    menu(&bus, "1 question");
    bus.tell("click Resume notifications");
    bus.next("clicked");
    wait_for("the menu offers to pause", || menu(&bus, "1 question")["menu"].to_string().contains("Pause"));
    let _loud = stage.ask(&["yesno", "--title", "Loud?", "--agent-id", "claude:1"]);
    assert_eq!(bus.next("title")["title"], "claude:1 has a question for you");
}

#[test]
fn a_daemon_that_hangs_costs_nobody_anything() {
    let (mut stage, _editor) = Stage::with_editor();
    let bus = stage.python("bus.py", &["hang"]);
    bus.next("ready");
    let began = Instant::now();
    let asks: Vec<_> = (0..12).map(|n| stage.ask(&["yesno", "--title", &format!("Number {n}?")])).collect();
    stage.shows(1);
    for asking in asks {
        assert!(stage.ht(&["ask", "answer", &asking.id, "yes"]).status.success());
        assert_eq!(asking.answer(), "yes");
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    bus.next("asked");
    stage.terminate_app();
    assert_eq!(stage.app_ends(), Some(0));
}
