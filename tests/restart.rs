//! `kill -9` of the hub, a clean end, and what waits through both (`protocol.md` §3.4, LIFE-10).

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fixtures;
use crate::harness::{Desk, Running, assert_quick, let_time_pass, wait_for};
use crate::is_long;
use crate::peer::{Peer, question, with};
use crate::store::{database, sqlite};

#[test]
fn twenty_asks_wait_through_kill_9_and_each_gets_its_answer_once() {
    let mut desk = Desk::new();
    let rounds = if is_long() { 100 } else { 5 };
    for round in 1..=rounds {
        let titles: Vec<String> = (1..=20).map(|at| format!("Round {round}, question {at}?")).collect();
        let ask = |title: &String| desk.spawn_ht(&["ask", "text", "--title", title, "--reconnect", "60"]);
        let mut waiting: HashMap<String, Running> = titles.iter().map(|t| (t.clone(), ask(t))).collect();
        let before = desk.connect().waits_for(20);
        desk.restart();
        // The asks are there at once, with their numbers; their askers come back by themselves.
        let mut person = Peer::person(&desk);
        assert_eq!(person.waits_for(20), before);
        let pending = person.pending();
        for ask in &pending {
            let id = ask["request_id"].as_str().unwrap();
            let title = ask["title"].as_str().unwrap();
            assert!(person.answers(id, &format!("answer to {title}")), "{id}");
            assert!(!person.answers(id, "a second answer"), "{id}");
        }
        for title in &titles {
            let heard = waiting.remove(title).unwrap().end();
            assert_eq!(heard.outcome(), (0, format!("answer to {title}\n").as_str()), "{heard:?}");
        }
        for ask in &pending {
            let record = person.record(ask["request_id"].as_str().unwrap());
            assert_eq!(record["response"]["value"], format!("answer to {}", ask["title"].as_str().unwrap()));
        }
        let history = person.get("agent.ask_history", &json!({ "limit": 500 }));
        assert_eq!(history["entries"].as_array().unwrap().len(), (20 * round).min(500));
        person.waits_for(0);
    }
}

#[test]
fn without_a_key_an_ask_ends_with_the_hub() {
    let mut desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("yesno"));
    let id = Peer::person(&desk).waits_for_one();
    desk.restart();
    let mut person = Peer::person(&desk);
    assert!(person.pending().is_empty());
    let record = person.record(&id);
    assert_eq!(
        record["response"],
        json!({ "request_id": id, "action": "cancel", "reason": "hub restarted" })
    );
    assert_eq!(record["by"], json!({ "channel": "system", "who": "hub restarted" }));
    assert!(!person.answers(&id, "yes"));
    assert_eq!(asker.line(), None, "an answer that nobody gave");
}

#[test]
fn numbers_go_on_after_a_restart() {
    let mut desk = Desk::new();
    for number in 1..=4 {
        let mut asker = Peer::agent(&desk);
        asker.ask("1", &question("yesno"));
        assert_eq!(Peer::person(&desk).waits_for_one(), format!("req:{number}"));
        match number % 2 {
            0 => desk.restart(),
            _ => {
                desk.stop();
                desk.start();
            }
        }
    }
}

#[test]
fn a_timeout_counts_on_while_the_hub_is_down_and_never_starts_anew() {
    let mut desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    for (key, timeout) in [("short", 400), ("long", 600_000)] {
        let params = with(&question("yesno"), "idempotency_key", key);
        asker.ask(key, &with(&params, "timeout_ms", timeout));
    }
    let mut person = Peer::person(&desk);
    wait_for("both were asked", || person.newest() == "req:2");
    desk.kill();
    let_time_pass("the short one's time is over", Duration::from_millis(450));
    desk.start();
    // Over before anything else could be said about it.
    let mut person = Peer::person(&desk);
    assert!(!person.answers("req:1", "yes"));
    let record = person.record("req:1");
    assert_eq!(record["response"], json!({ "request_id": "req:1", "action": "timeout" }));
    assert_eq!(person.waits_for_one(), "req:2");
    let mut back = Peer::agent(&desk);
    back.ask("1", &with(&with(&question("yesno"), "idempotency_key", "short"), "timeout_ms", 400));
    assert_eq!(back.json()["result"]["action"], "timeout");
}

#[test]
fn an_ask_whose_asker_stays_away_after_a_restart_ends_by_itself() {
    let mut desk = Desk::without_hub();
    desk.settings("asker_away_seconds = 1\n");
    desk.start();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &with(&question("yesno"), "idempotency_key", "k"));
    Peer::person(&desk).waits_for(1);
    desk.restart();
    let mut person = Peer::person(&desk);
    assert_eq!(person.waits_for_one(), "req:1");
    person.waits_for(0);
    let record = person.record("req:1");
    assert_eq!(record["response"]["reason"], "asker disconnected");
    assert_eq!(record["by"]["who"], "asker away");
}

#[test]
fn an_answer_given_before_the_restart_is_told_to_the_asker_that_comes_back() {
    let mut desk = Desk::new();
    let params = with(&question("choice"), "idempotency_key", "k");
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &params);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    asker.hang_up();
    assert!(person.answers(&id, "b"));
    for _ in 0..2 {
        desk.restart();
        let mut back = Peer::agent(&desk);
        back.ask("2", &params);
        let response = json!({ "request_id": id, "action": "ok", "value": "b" });
        assert_eq!(back.json(), json!({ "id": "2", "result": response }));
    }
    assert_eq!(Peer::person(&desk).newest(), id);
}

#[test]
fn a_run_goes_out_once_even_through_restarts() {
    let mut desk = Desk::new();
    let params = with(&question("confirm-command"), "idempotency_key", "k");
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &params);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    asker.hang_up();
    // Answered while the asker is away: nobody has heard it yet.
    person.get("agent.ask_ack", &json!({ "request_id": id }));
    assert!(person.answers(&id, "run"));
    assert_eq!(person.record(&id).get("delivered_at"), None);
    desk.restart();
    let mut back = Peer::agent(&desk);
    back.ask("2", &params);
    assert_eq!(back.json()["result"]["value"], "run");
    // Behind its own answer already, and from a new connection, and after another restart.
    back.ask("3", &params);
    fixtures::assert_is_example(&back.json(), "idempotency_conflict");
    let mut person = Peer::person(&desk);
    wait_for("the delivery is written down", || person.record(&id)["delivered_at"].is_u64());
    desk.restart();
    let mut back = Peer::agent(&desk);
    back.ask("4", &params);
    fixtures::assert_is_example(&back.json(), "idempotency_conflict");
}

#[test]
fn a_run_that_went_out_just_before_a_crash_is_for_the_process_that_waited_and_for_no_other() {
    let mut desk = Desk::new();
    let params = with(&question("confirm-command"), "idempotency_key", "k");
    // One process, with a connection of its own for each line that it is told.
    let lines = "use IO::Socket::UNIX; $| = 1; while (<STDIN>) { \
                 my $hub = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die $!; syswrite $hub, $_; print scalar <$hub>; }";
    let mut perl = desk.command("perl");
    perl.args(["-e", lines]).arg(desk.socket());
    let mut asker = Peer::child(perl);
    asker.ask("1", &params);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    person.get("agent.ask_ack", &json!({ "request_id": id }));
    assert!(person.answers(&id, "run"));
    assert_eq!(asker.json()["result"]["value"], "run");
    // As if the hub had died between the answer and the note that it arrived.
    wait_for("the delivery is written down", || person.record(&id)["delivered_at"].is_u64());
    desk.kill();
    let went_out =
        sqlite(&database(&desk), "DELETE FROM deliveries; SELECT action, value, handed_out FROM endings;");
    assert_eq!(went_out, "ok|run|1\n");
    desk.start();
    let mut other = Peer::agent(&desk);
    other.ask("2", &params);
    fixtures::assert_is_example(&other.json(), "idempotency_conflict");
    asker.ask("3", &params);
    assert_eq!(asker.json()["result"]["value"], "run");
    for mut peer in [asker, other] {
        peer.ask("4", &params);
        fixtures::assert_is_example(&peer.json(), "idempotency_conflict");
    }
}

#[test]
fn an_acknowledgement_does_not_outlive_the_hub() {
    let mut desk = Desk::new();
    let params = with(&question("confirm-command"), "idempotency_key", "k");
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &params);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    person.get("agent.ask_ack", &json!({ "request_id": id }));
    desk.restart();
    let run = json!({ "request_id": id, "value": "run" });
    assert_eq!(Peer::person(&desk).refusal("agent.ask_answer", &run), "ack_required");
}

#[test]
fn the_asker_of_a_command_is_still_known_after_a_restart() {
    let mut desk = Desk::new();
    let mut asker = Peer::person(&desk);
    asker.ask("1", &with(&question("confirm-command"), "idempotency_key", "k"));
    let id = Peer::person(&desk).waits_for_one();
    desk.restart();
    // This process asked, so this process may not approve, whatever connection it does it on.
    let ack = json!({ "request_id": id });
    assert_eq!(Peer::person(&desk).refusal("agent.ask_ack", &ack), "self_answer");
}

#[test]
fn whoever_joined_a_command_is_still_known_after_a_restart() {
    let mut desk = Desk::new();
    let params = with(&question("confirm-command"), "idempotency_key", "k");
    let (mut first, mut joined) = (Peer::agent(&desk), Peer::person(&desk));
    first.ask("1", &params);
    let id = Peer::person(&desk).waits_for_one();
    joined.ask("2", &params);
    assert_eq!(joined.waits_for_one(), id);
    desk.restart();
    let ack = json!({ "request_id": id });
    assert_eq!(Peer::person(&desk).refusal("agent.ask_ack", &ack), "self_answer");
    assert_eq!(Peer::agent(&desk).refusal("agent.ask_ack", &ack), "self_answer", "a child of it");
}

#[test]
fn life_10_a_clean_end_tells_askers_without_a_key_and_keeps_the_others() {
    let mut desk = Desk::new();
    let mut unkeyed = Peer::agent(&desk);
    unkeyed.ask("unkeyed", &question("yesno"));
    let mut keyed = Peer::agent(&desk);
    keyed.ask("keyed", &with(&question("yesno"), "idempotency_key", "k"));
    let mut person = Peer::person(&desk);
    let ids = person.waits_for(2);
    let mut follower = Peer::person(&desk);
    follower.get("events.subscribe", &json!({ "channels": ["askUserEvent"] }));
    let began = Instant::now();
    assert!(desk.stop().success());
    assert_quick("a clean end", began.elapsed(), Duration::from_secs(3));
    assert!(!desk.socket().exists());

    let heard = unkeyed.json();
    assert_eq!(
        (&heard["result"]["action"], &heard["result"]["reason"]),
        (&json!("cancel"), &json!("hub shutting down"))
    );
    assert_eq!(unkeyed.line(), None);
    assert_eq!(keyed.line(), None, "a keyed ask does not end with the hub");
    assert_eq!(follower.event()["kind"], "snapshot");
    assert_eq!(follower.event()["response"]["reason"], "hub shutting down");

    desk.start();
    let mut person = Peer::person(&desk);
    let kept = person.waits_for_one();
    assert!(ids.contains(&kept));
    let mut back = Peer::agent(&desk);
    back.ask("back", &with(&question("yesno"), "idempotency_key", "k"));
    assert!(back.is_quiet());
    assert!(person.answers(&kept, "yes"));
    assert_eq!(back.json()["result"]["value"], "yes");
}

#[test]
fn life_10_a_reader_that_takes_nothing_holds_the_end_up_for_two_seconds_at_most() {
    let mut desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &with(&question("text"), "body", "x".repeat(256 << 10)));
    let mut person = Peer::person(&desk);
    person.waits_for(1);
    let mut slow = Peer::person(&desk);
    slow.send("{\"id\":1,\"method\":\"agent.ask_pending\"}\n".repeat(4));
    assert!(person.is_quiet());
    let hub = desk.hub_pid();
    let began = Instant::now();
    let stopping = std::thread::scope(|scope| {
        let stop = scope.spawn(|| desk.stop());
        // Meanwhile a call is refused, in words.
        let mut refused = Value::Null;
        while !stop.is_finished() && refused.is_null() {
            let sent = person.try_send("{\"id\":\"late\",\"method\":\"system.ping\"}\n");
            let line = sent.ok().and_then(|()| person.line());
            refused = line
                .and_then(|line| serde_json::from_str(&line).ok())
                .filter(|l: &Value| l.get("error").is_some())
                .unwrap_or_default();
        }
        fixtures::assert_is_example(&refused, "shutting_down");
        stop.join().unwrap()
    });
    assert!(stopping.success(), "{hub}");
    assert_quick("an end behind a slow reader", began.elapsed(), Duration::from_secs(5));
}
