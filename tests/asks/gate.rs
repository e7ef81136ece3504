//! A command runs after two steps by the same person, and never by who asked for it.

use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Desk;
use crate::peer::{Peer, kind, outcome, question};

/// `sh SCRIPT`, whose standard input and output go to the hub through `nc`.
fn shell(desk: &Desk, script: &str) -> Peer {
    let mut shell: Command = desk.command("sh");
    shell.arg("-c").arg(script).arg(desk.socket());
    Peer::child(shell)
}

#[test]
fn run_takes_an_acknowledgement_and_cannot_be_had_without() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    asker.ask("1", &question("confirm-command"));
    let id = person.waits_for_one();
    let run = json!({ "request_id": id, "value": "run" });
    assert_eq!(person.refusal("agent.ask_answer", &run), "ack_required");
    // An acknowledgement of another ask opens nothing.
    let mut other = Peer::agent(&desk);
    other.ask("2", &question("confirm-command"));
    person.waits_for(2);
    assert_eq!(person.get("agent.ask_ack", &json!({ "request_id": "req:2" })), json!({ "acked": true }));
    assert_eq!(person.refusal("agent.ask_answer", &run), "ack_required");
    // On the socket the person is the user: the two steps may come from two connections.
    assert_eq!(
        Peer::person(&desk).get("agent.ask_ack", &json!({ "request_id": id })),
        json!({ "acked": true })
    );
    assert_eq!(Peer::person(&desk).get("agent.ask_answer", &run), json!({ "resolved": true }));
    assert_eq!(asker.json()["result"], json!({ "request_id": id, "action": "ok", "value": "run" }));
    assert!(other.is_quiet());
}

#[test]
fn the_seeds_methods_alone_pass_the_gate_with_ack_and_run() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    asker.ask("1", &question("confirm-command"));
    let id = person.waits_for_one();
    let say = |value: &str| json!({ "request_id": id, "value": value });
    assert_eq!(person.get("agent.ask_answer", &say("ack")), json!({ "resolved": false, "acked": true }));
    assert_eq!(person.get("agent.ask_answer", &say("run")), json!({ "resolved": true }));
    assert_eq!(asker.json()["result"]["value"], "run");
    // Over: an acknowledgement finds nothing, and says so.
    assert_eq!(person.get("agent.ask_answer", &say("ack")), json!({ "resolved": false }));
    let who = person.record(&id)["by"]["who"].as_str().unwrap().to_owned();
    assert!(!who.is_empty());
}

#[test]
fn the_asking_process_may_not_on_any_connection() {
    let desk = Desk::new();
    let mut asker = Peer::person(&desk);
    asker.ask("1", &question("confirm-command"));
    let mut same = Peer::person(&desk);
    let id = same.waits_for_one();
    for peer in [&mut asker, &mut same] {
        for (method, params) in [
            ("agent.ask_ack", json!({ "request_id": id })),
            ("agent.ask_answer", json!({ "request_id": id, "value": "ack" })),
            ("agent.ask_answer", json!({ "request_id": id, "value": "run" })),
        ] {
            let (kind, message) = peer.try_call(method, &params).unwrap_err();
            assert_eq!(kind, "self_answer");
            assert!(message.contains("self_answer = \"allow\""), "{message}");
        }
    }
    // It may give up, though.
    assert_eq!(same.get("agent.ask_cancel", &json!({ "request_id": id })), json!({ "resolved": true }));
}

#[test]
fn a_child_and_a_grandchild_of_the_asker_may_not() {
    let desk = Desk::new();
    // This process asks, and everything that it starts is a child of it.
    let mut asker = Peer::person(&desk);
    asker.ask("1", &question("confirm-command"));
    let id = Peer::person(&desk).waits_for_one();
    let ack = format!("{}\n", json!({ "id": 1, "method": "agent.ask_ack", "params": { "request_id": id } }));
    for script in
        ["exec nc -U \"$0\"", "nc -U \"$0\"; true", "sh -c 'setsid -w nc -U \"$0\"; true' \"$0\"; true"]
    {
        let mut child = shell(&desk, script);
        child.send(&ack);
        assert_eq!(kind(outcome(&child.json())), "self_answer", "{script}");
    }
    assert_eq!(desk.ht(&["ask", "ack", &id]).code, Some(1));
    assert_eq!(desk.ht(&["ask", "answer", &id, "run"]).code, Some(1));
    assert_eq!(Peer::person(&desk).waits_for_one(), id);
}

/// Far below the asker is still below it; where the line is too long to follow, nobody is trusted.
#[test]
fn a_descendant_however_far_below_the_asker_may_not() {
    let desk = Desk::new();
    let mut asker = Peer::person(&desk);
    asker.ask("1", &question("confirm-command"));
    let id = Peer::person(&desk).waits_for_one();
    let forks = "for (1 .. $ARGV[1]) { my $child = fork // die; if ($child) { waitpid $child, 0; exit } } \
                 exec 'nc', '-U', $ARGV[0];";
    for depth in ["60", "300"] {
        let mut perl = desk.command("perl");
        perl.args(["-e", forks]).arg(desk.socket()).arg(depth);
        let mut descendant = Peer::child(perl);
        for (method, params) in [
            ("agent.ask_ack", json!({ "request_id": id })),
            ("agent.ask_answer", json!({ "request_id": id, "value": "run" })),
        ] {
            assert_eq!(descendant.refusal(method, &params), "self_answer", "{depth} forks below: {method}");
        }
    }
    assert_eq!(Peer::person(&desk).waits_for_one(), id);
}

#[test]
fn a_sibling_in_the_same_shell_may_and_the_history_says_that_it_was_the_askers_own_session() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("confirm-command"));
    let id = Peer::person(&desk).waits_for_one();
    assert_eq!(desk.ht(&["ask", "ack", &id]).code, Some(0));
    assert_eq!(desk.ht(&["ask", "answer", &id, "run"]).code, Some(0));
    assert_eq!(asker.json()["result"]["value"], "run");
    let record = Peer::person(&desk).record(&id);
    let who = record["by"]["who"].as_str().unwrap();
    assert!(who.ends_with("(in the asker's own terminal session)"), "{record}");
}

/// A process whose parent has ended belongs to nobody any more, so the kernel no longer says whose child it
/// was. What is left is the honest record: it is marked as the asker's own session, unless it left that too.
#[test]
fn a_double_fork_in_the_askers_session_is_marked_in_the_history() {
    let desk = Desk::new();
    let mut asker = Peer::person(&desk);
    asker.ask("1", &question("confirm-command"));
    let id = Peer::person(&desk).waits_for_one();
    let say =
        |method: &str, params: Value| format!("{}\n", json!({ "id": 1, "method": method, "params": params }));
    // The shell ends at once; what it left behind waits until then, and speaks for itself.
    let script = "exec 3<&0; (while kill -0 $$ 2>/dev/null; do :; done; exec nc -U \"$0\" <&3) & exit 0";
    let mut orphan = shell(&desk, script);
    assert!(orphan.ended().success());
    orphan.send(say("agent.ask_ack", json!({ "request_id": id })));
    let acked = orphan.json();
    orphan.send(say("agent.ask_answer", json!({ "request_id": id, "value": "run" })));
    let ran = orphan.json();
    orphan.half_close();
    if acked.get("result").is_some() && ran.get("result").is_some() {
        let record = Peer::person(&desk).record(&id);
        let who = record["by"]["who"].as_str().unwrap();
        assert!(who.ends_with("(in the asker's own terminal session)"), "{record}");
    } else {
        // Where the machine's init is this process's own parent line, or a reaper above it: still a child.
        assert_eq!(kind(outcome(&acked)), "self_answer");
    }
}

#[test]
fn the_setting_lifts_it_and_every_start_warns_of_it() {
    let mut desk = Desk::without_hub();
    desk.settings("self_answer = \"allow\"\n");
    for start in 1..=2 {
        desk.start();
        let warning = "WARN hotline_hub::start";
        let says = |line: &&str| line.contains(warning) && line.contains("may approve its own command");
        assert_eq!(desk.log().lines().filter(says).count(), start, "{}", desk.log());
        let mut asker = Peer::person(&desk);
        asker.ask("1", &question("confirm-command"));
        let mut same = Peer::person(&desk);
        let id = same.waits_for_one();
        assert_eq!(same.get("agent.ask_ack", &json!({ "request_id": id })), json!({ "acked": true }));
        assert!(same.answers(&id, "run"));
        assert_eq!(asker.json()["result"]["value"], "run");
        assert!(desk.stop().success());
    }
}

#[test]
fn other_kinds_may_be_answered_by_anybody() {
    let desk = Desk::new();
    let mut asker = Peer::person(&desk);
    asker.ask("1", &question("yesno"));
    let mut same = Peer::person(&desk);
    let id = same.waits_for_one();
    assert!(same.answers(&id, "yes"));
    assert_eq!(asker.json()["result"]["value"], "yes");
}
