//! The asker goes away, or the hub does.

use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;

use crate::harness::{Desk, HT, Running, wait_for};

#[test]
fn a_signal_withdraws_the_ask_at_once() {
    let desk = Desk::new();
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        // The tests may run where a signal is ignored, as below nohup.
        let mut command = desk.command("env");
        command.args(["--default-signal=HUP", HT, "ask", "yesno", "--title", "T"]);
        let asker = Running::spawn(command);
        wait_for("the ask is pending", || desk.ids().len() == 1);
        asker.signal(signal);
        let ended = asker.end();
        assert_eq!((ended.outcome(), ended.stderr.as_str()), ((code, ""), ""), "{signal:?}");
        // By the time it has ended, not a moment later.
        assert_eq!(desk.ids(), Vec::<String>::new(), "{signal:?}");
        let record = desk.newest();
        assert_eq!(record["response"]["action"], "cancel");
        assert_eq!(record["response"]["reason"], "withdrawn by the asker");
    }
}

#[test]
fn an_interrupt_reaches_what_a_script_started_in_the_background() {
    let desk = Desk::new();
    // A shell without job control starts it with INT ignored.
    let script = "
        ht ask yesno --title T & asker=$!
        until ht ask pending --json | grep -q req:1; do :; done
        kill -INT $asker
        wait $asker";
    assert_eq!(desk.sh(script).outcome(), (130, ""));
    assert_eq!(desk.ids(), Vec::<String>::new());
}

#[test]
fn nohup_keeps_its_promise() {
    let desk = Desk::new();
    let mut command = desk.command("nohup");
    command.args([HT, "ask", "yesno", "--title", "T"]);
    let asker = Running::spawn(command);
    wait_for("the ask is pending", || desk.ids().len() == 1);
    asker.signal(Signal::HUP);
    desk.ht(&["ask", "answer", "1", "yes"]);
    assert_eq!(asker.end().outcome(), (0, "yes\n"));
}

#[test]
fn an_ask_whose_answer_nobody_can_read_any_more_is_withdrawn() {
    let desk = Desk::new();
    let mut command = desk.command(HT);
    command.args(["ask", "yesno", "--title", "T"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut asker = command.spawn().unwrap();
    wait_for("the ask is pending", || desk.ids().len() == 1);
    drop(asker.stdout.take());
    wait_for("the ask is withdrawn", || desk.ids().is_empty());
    assert_eq!(asker.wait().unwrap().code(), Some(74));
    assert_eq!(desk.newest()["response"]["reason"], "withdrawn by the asker");
}

#[test]
fn a_killed_asker_is_waited_for() {
    let desk = Desk::new();
    let key = ["--idempotency-key", "deploy-7"];
    let (mut asker, id) = desk.ask(&[&["yesno", "--title", "T"], &key[..]].concat());
    asker.child.kill().unwrap();
    asker.child.wait().unwrap();
    assert_eq!(desk.ids(), [id.as_str()]);
    let again = desk.spawn_ht(&[&["ask", "yesno", "--title", "T"], &key[..]].concat());
    desk.ht(&["ask", "answer", &id, "yes"]);
    assert_eq!(again.end().outcome(), (0, "yes\n"));
    // The answer is kept for whoever asks the same under the same key, and for nobody else.
    let later = desk.ht(&[&["ask", "yesno", "--title", "T", "--json"], &key[..]].concat());
    let later: Value = serde_json::from_str(&later.stdout).unwrap();
    assert_eq!((&later["request_id"], &later["value"]), (&id.into(), &"yes".into()));
    let other = desk.ht(&[&["ask", "yesno", "--title", "Other", "--surface", "s"], &key[..]].concat());
    assert_eq!(other.outcome(), (1, ""));
}

#[test]
fn an_asker_survives_the_death_of_the_hub() {
    let mut desk = Desk::new();
    let (mut asker, id) = desk.ask(&["text", "--title", "T"]);
    for _ in 0..2 {
        let before = desk.hub_pid();
        desk.restart();
        assert_ne!(desk.hub_pid(), before);
        wait_for("the ask is back", || desk.ids() == [id.as_str()]);
    }
    assert!(asker.is_running());
    desk.ht(&["ask", "answer", &id, "still here"]);
    assert_eq!(asker.end().outcome(), (0, "still here\n"));
}

#[test]
fn an_asker_survives_a_hub_that_ends_cleanly() {
    let mut desk = Desk::new();
    let (asker, id) = desk.ask(&["yesno", "--title", "T"]);
    assert_eq!(desk.stop().code(), Some(0));
    desk.start();
    desk.ht(&["ask", "answer", &id, "yes"]);
    assert_eq!(asker.end().outcome(), (0, "yes\n"));
}

#[test]
fn a_hub_that_is_gone_for_good_ends_the_wait_with_69() {
    let mut desk = Desk::new();
    for reconnect in ["0", "1"] {
        let (asker, _) = desk.ask(&["yesno", "--title", "T", "--default", "yes", "--reconnect", reconnect]);
        desk.kill();
        let ended = asker.end();
        assert_eq!(ended.outcome(), (69, ""), "{ended:?}");
        let expected = format!(
            "The hub went away and did not come back within {reconnect} s. No answer was received.\n"
        );
        assert_eq!(ended.stderr, expected);
        desk.start();
    }
}

#[test]
fn a_signal_ends_the_wait_for_a_lost_hub_too() {
    let mut desk = Desk::new();
    let asker = desk.terminal(&["ask", "yesno", "--title", "T"]);
    asker.shows("Waiting for an answer to req:1.");
    desk.kill();
    asker.shows("The hub went away. Trying again for");
    asker.signal(Signal::TERM);
    assert_eq!(asker.end().0, Some(143));
}

#[test]
fn at_a_terminal_ctrl_c_withdraws_and_says_so() {
    let desk = Desk::new();
    let mut command = desk.command("setsid");
    command.args(["--ctty", HT, "ask", "yesno", "--title", "T"]);
    let mut asker = crate::harness::Terminal::spawn(command);
    asker.shows("Waiting for an answer to req:1.");
    asker.types("\u{3}");
    let (code, screen) = asker.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("Withdrawn: nobody is asked any more."), "{screen}");
    assert_eq!(desk.ids(), Vec::<String>::new());
}
