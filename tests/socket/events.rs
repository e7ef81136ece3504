//! Subscriptions: a snapshot first, then everything that happens, numbered without a gap.

use serde_json::{Value, json};

use crate::harness::{Desk, wait_for};
use crate::peer::{Peer, question, with};

/// What a follower knows to be waiting, from events alone.
#[derive(Default)]
struct Known {
    seq: u64,
    waiting: Vec<String>,
}

impl Known {
    /// Takes one event in; its kind.
    fn hears(&mut self, event: &Value) -> String {
        self.seq += 1;
        assert_eq!(event["seq"], self.seq, "{}", event["kind"]);
        let id = |ask: &Value| ask["request_id"].as_str().unwrap().to_owned();
        match event["kind"].as_str().unwrap() {
            "snapshot" => self.waiting = event["pending"].as_array().unwrap().iter().map(id).collect(),
            "shown" => self.waiting.push(id(&event["request"])),
            "resolved" => self.waiting.retain(|one| *one != id(event)),
            other => panic!("{other}"),
        }
        event["kind"].as_str().unwrap().to_owned()
    }
}

#[test]
fn only_the_channels_asked_for_are_followed() {
    let desk = Desk::new();
    let mut follower = Peer::person(&desk);
    let subscribed =
        follower.get("events.subscribe", &json!({ "channels": ["notificationEvent", "notificationEvent"] }));
    assert_eq!(subscribed, json!({ "subscribed": ["notificationEvent"] }));
    let mut person = Peer::person(&desk);
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("yesno"));
    person.waits_for(1);
    let told = json!({ "title": "Built", "body": "in 3 s", "level": "success", "surface_id": "surface:1" });
    person.get("notification.create", &told);
    person.get("notification.create", &json!({ "title": "Plain" }));
    let mut expected = told;
    for (name, value) in [("channel", "notificationEvent"), ("kind", "created"), ("id", "notification:1")] {
        expected[name] = value.into();
    }
    assert_eq!(follower.event(), with(&expected, "seq", 1));
    let plain = json!({ "channel": "notificationEvent", "seq": 2, "kind": "created", "id": "notification:2",
        "title": "Plain", "level": "info" });
    assert_eq!(follower.event(), plain);
    assert!(follower.is_quiet());
    for channels in [json!([]), json!(["askUserEvents"]), json!("askUserEvent"), json!([1])] {
        assert_eq!(follower.refusal("events.subscribe", &json!({ "channels": channels })), "invalid_params");
    }
}

#[test]
fn every_ending_is_told_with_who_ended_it() {
    let desk = Desk::new();
    let mut follower = Peer::person(&desk);
    follower.get("events.subscribe", &json!({ "channels": ["askUserEvent"] }));
    let mut known = Known::default();
    assert_eq!(known.hears(&follower.event()), "snapshot");
    let mut person = Peer::person(&desk);
    for (way, action, channel) in [
        ("answer", "ok", "cli"),
        ("cancel", "cancel", "cli"),
        ("timeout", "timeout", "system"),
        ("hang-up", "cancel", "system"),
    ] {
        let mut asker = Peer::agent(&desk);
        asker.ask("1", &with(&question("yesno"), "timeout_ms", u64::from(way == "timeout")));
        let shown = follower.event();
        assert_eq!(known.hears(&shown), "shown");
        let id = shown["request"]["request_id"].as_str().unwrap();
        match way {
            "answer" => assert!(person.answers(id, "no")),
            "cancel" => {
                assert_eq!(person.get("agent.ask_cancel", &json!({ "request_id": id }))["resolved"], true);
            }
            "hang-up" => asker.hang_up(),
            _ => {}
        }
        let resolved = follower.event();
        assert_eq!(known.hears(&resolved), "resolved", "{way}");
        assert_eq!(
            (&resolved["response"]["action"], &resolved["by"]["channel"]),
            (&json!(action), &json!(channel))
        );
        if channel == "system" {
            assert_eq!(resolved["by"]["who"], way);
        }
    }
    assert_eq!(known.waiting, Vec::<String>::new());
}

#[test]
fn two_subscriptions_on_one_connection_are_numbered_apart() {
    let desk = Desk::new();
    let mut follower = Peer::person(&desk);
    follower.send("{\"id\":\"a\",\"method\":\"events.subscribe\"}\n");
    follower.json();
    follower.json();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("yesno"));
    assert_eq!(follower.json()["event"]["seq"], 2);
    follower.send(
        "{\"id\":\"b\",\"method\":\"events.subscribe\",\"params\":{\"channels\":[\"askUserEvent\"]}}\n",
    );
    assert_eq!(follower.json()["id"], "b");
    let snapshot = follower.json();
    assert_eq!((&snapshot["id"], &snapshot["event"]["seq"]), (&json!("b"), &json!(1)));
    asker.ask("2", &question("yesno"));
    let seqs: Vec<(Value, Value)> = (0..2)
        .map(|_| follower.json())
        .map(|line| (line["id"].clone(), line["event"]["seq"].clone()))
        .collect();
    assert_eq!(seqs, [(json!("a"), json!(3)), (json!("b"), json!(2))]);
}

#[test]
fn one_that_lags_gets_a_new_snapshot_instead_of_a_gap() {
    let desk = Desk::new();
    let mut follower = Peer::person(&desk);
    follower.get("events.subscribe", &json!({ "channels": ["askUserEvent"] }));
    let mut person = Peer::person(&desk);
    let mut asker = Peer::agent(&desk);
    // Twelve megabytes of events, not one of them read.
    let long = with(&question("text"), "body", "x".repeat(200 << 10));
    for round in 0..60 {
        asker.ask("1", &long);
        let ids = person.waits_for(1);
        if round < 59 {
            assert!(person.answers(&ids[0], "done"));
        }
    }
    let mut known = Known::default();
    let mut kinds = Vec::new();
    wait_for("the follower knows how things stand", || {
        kinds.push(known.hears(&follower.event()));
        known.waiting == ["req:60"]
    });
    assert!(kinds.len() < 100, "it heard everything: {}", kinds.len());
    assert!(kinds[1..].contains(&"snapshot".to_owned()), "{kinds:?}");
    // And goes on from there.
    assert!(person.answers("req:60", "done"));
    wait_for("the last ending is heard", || {
        known.hears(&follower.event()) == "resolved" && known.waiting.is_empty()
    });
}

#[test]
fn q_09_a_snapshot_shows_what_a_follower_that_came_late_missed() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    for title in ["one", "two", "three"] {
        asker.ask(title, &with(&question("yesno"), "title", title));
    }
    person.waits_for(3);
    assert!(person.answers("req:2", "yes"));
    person.get("events.subscribe", &json!({ "channels": ["askUserEvent"] }));
    let snapshot = person.event();
    let titles: Vec<&Value> =
        snapshot["pending"].as_array().unwrap().iter().map(|ask| &ask["title"]).collect();
    assert_eq!(titles, ["one", "three"]);
    assert!(!person.answers("req:2", "no"));
}
