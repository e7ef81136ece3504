//! Raw bytes through `nc -N -U`: what the seed page shows, exactly as a script would send it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Desk, Running, assert_quick};
use crate::peer::Peer;

/// `printf BYTES | nc -N -U SOCKET`, to its end.
fn piped(desk: &Desk, bytes: &str) -> Vec<Value> {
    let mut peer = Peer::nc(desk, &["-N"]);
    peer.send(bytes);
    peer.half_close();
    let mut lines = Vec::new();
    // Every request here is replied to at once, and then the hub closes.
    for _ in bytes.lines() {
        lines.push(peer.json());
    }
    assert!(peer.is_over());
    assert!(peer.ended().success());
    lines
}

#[test]
fn the_seeds_three_examples_give_the_seeds_results() {
    let desk = Desk::new();
    let mut agent = Peer::agent(&desk);
    let question = json!({ "surface_id": "surface:3", "kind": "yesno", "title": "Run install?" });
    agent.ask("q", &question);
    agent.ask("q2", &question);
    Peer::person(&desk).waits_for(2);

    let pending = piped(
        &desk,
        "{ \"id\": \"1\", \"method\": \"agent.ask_pending\", \"params\": { \"surface_id\": \"surface:3\" } }\n",
    );
    let first = &pending[0]["result"]["pending"][0];
    let created_at = first["created_at"].as_u64().unwrap();
    assert!(created_at > 1_714_280_000_000, "{first}");
    let shown = json!({
        "request_id": "req:1", "surface_id": "surface:3", "kind": "yesno", "title": "Run install?",
        "created_at": created_at,
    });
    assert_eq!(*first, shown);

    let answered = piped(
        &desk,
        "{ \"id\": \"2\", \"method\": \"agent.ask_answer\", \"params\": { \"request_id\": \"req:1\", \"value\": \"yes\" } }\n",
    );
    assert_eq!(answered, [json!({ "id": "2", "result": { "resolved": true } })]);
    let response = json!({ "request_id": "req:1", "action": "ok", "value": "yes" });
    assert_eq!(agent.json(), json!({ "id": "q", "result": response }));

    let cancel = |id: &str| {
        format!(
            "{{ \"id\": \"3\", \"method\": \"agent.ask_cancel\", \"params\": {{ \"request_id\": \"{id}\", \"reason\": \"user is afk\" }} }}\n"
        )
    };
    let cancelled = piped(&desk, &cancel("req:2"));
    assert_eq!(cancelled, [json!({ "id": "3", "result": { "resolved": true } })]);
    let response = json!({ "request_id": "req:2", "action": "cancel", "reason": "user is afk" });
    assert_eq!(agent.json(), json!({ "id": "q2", "result": response }));

    // Idempotent on what is over and on what never was.
    for id in ["req:1", "req:2", "req:99", "nonsense"] {
        assert_eq!(piped(&desk, &cancel(id)), [json!({ "id": "3", "result": { "resolved": false } })]);
    }
}

#[test]
fn a_request_behind_a_pending_ask_in_the_same_packet_is_answered_at_once() {
    let desk = Desk::new();
    let mut agent = Peer::nc(&desk, &["-N"]);
    let ask = json!({ "id": 1, "method": "agent.ask_user",
        "params": { "surface_id": "s", "kind": "text", "title": "Name?" } });
    agent.send(format!("{ask}\n{{\"id\":2,\"method\":\"system.ping\"}}\n"));
    assert_eq!(agent.json(), json!({ "id": 2, "result": "PONG" }));
    assert!(Peer::person(&desk).answers("req:1", "Ada"));
    let response = json!({ "request_id": "req:1", "action": "ok", "value": "Ada" });
    assert_eq!(agent.json(), json!({ "id": 1, "result": response }));
}

#[test]
fn a_half_closed_asker_gets_its_answer_and_then_the_end() {
    let desk = Desk::new();
    let mut agent = Peer::nc(&desk, &["-N"]);
    agent.ask("half", &json!({ "surface_id": "s", "kind": "yesno", "title": "Go?" }));
    agent.half_close();
    let mut person = Peer::person(&desk);
    let ids = person.waits_for(1);
    // It still waits after another's whole round trip: the end of its sending is no hang-up.
    assert!(piped(&desk, "{\"id\":1,\"method\":\"system.ping\"}\n")[0]["result"] == "PONG");
    assert_eq!(person.waits_for(1), ids);
    assert!(person.answers(&ids[0], "no"));
    let response = json!({ "request_id": ids[0], "action": "ok", "value": "no" });
    assert_eq!(agent.json(), json!({ "id": "half", "result": response }));
    assert!(agent.is_over());
    assert!(agent.ended().success());
}

#[test]
fn a_killed_askers_ask_is_gone_within_a_second() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    for half_closed in [false, true] {
        let mut agent = Peer::nc(&desk, &["-N"]);
        agent.ask("1", &json!({ "surface_id": "s", "kind": "yesno", "title": "Go?" }));
        if half_closed {
            agent.half_close();
        }
        let ids = person.waits_for(1);
        let killed = Instant::now();
        agent.hang_up();
        person.waits_for(0);
        assert_quick("noticing that the asker was killed", killed.elapsed(), Duration::from_secs(1));
        let record = person.record(&ids[0]);
        let response = json!({ "request_id": ids[0], "action": "cancel", "reason": "asker disconnected" });
        assert_eq!(record["response"], response);
        assert_eq!(record["by"], json!({ "channel": "system", "who": "hang-up" }));
        assert_eq!(record.get("delivered_at"), None);
    }
}

#[test]
fn a_subscriber_gets_snapshot_shown_resolved_in_order() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let mut agent = Peer::agent(&desk);
    let text = json!({ "surface_id": "s", "kind": "text", "title": "First?" });
    agent.ask("a", &text);
    person.waits_for(1);

    let mut follower = Peer::nc(&desk, &["-N"]);
    follower.send("{\"id\":\"follow\",\"method\":\"events.subscribe\"}\n");
    // Half-closed as a pipe leaves it: a subscription goes on.
    follower.half_close();
    let all = ["askUserEvent", "agentEvent", "meshEvent", "notificationEvent"];
    assert_eq!(follower.json(), json!({ "id": "follow", "result": { "subscribed": all } }));
    agent.ask("b", &json!({ "surface_id": "s", "kind": "yesno", "title": "Second?" }));
    person.waits_for(2);
    assert!(person.answers("req:2", "no"));

    let snapshot = follower.json();
    assert_eq!(snapshot["id"], "follow");
    assert_eq!((&snapshot["event"]["kind"], &snapshot["event"]["seq"]), (&json!("snapshot"), &json!(1)));
    assert_eq!(snapshot["event"]["pending"][0]["title"], "First?");
    assert_eq!(snapshot["event"]["pending"][1], Value::Null);
    let shown = follower.event();
    assert_eq!((&shown["kind"], &shown["seq"]), (&json!("shown"), &json!(2)));
    assert_eq!(shown["request"]["request_id"], "req:2");
    let resolved = follower.event();
    assert_eq!((&resolved["kind"], &resolved["seq"]), (&json!("resolved"), &json!(3)));
    assert_eq!(resolved["request_id"], "req:2");
    assert_eq!(resolved["response"], json!({ "request_id": "req:2", "action": "ok", "value": "no" }));
    assert_eq!(resolved["by"]["channel"], "cli");
}

#[test]
fn two_commands_of_a_pipeline_ask_and_answer_without_ht() {
    let desk = Desk::new();
    let script = "printf '{\"id\":1,\"method\":\"agent.ask_user\",\"params\":{\"surface_id\":\"s\",\"kind\":\"choice\",\
                  \"title\":\"Which?\",\"choices\":[{\"id\":\"a\"},{\"id\":\"b\"}]}}\\n' | nc -N -U \"$0\"";
    let mut command = desk.command("sh");
    command.args(["-c", script]).arg(desk.socket());
    let asking = Running::spawn(command);
    let mut person = Peer::person(&desk);
    let ids = person.waits_for(1);
    assert_eq!(person.pending()[0]["choices"][1], json!({ "id": "b", "label": "b" }));
    assert!(person.answers(&ids[0], "b"));
    let heard: Value = serde_json::from_str(&asking.end().stdout).unwrap();
    assert_eq!(heard, json!({ "id": 1, "result": { "request_id": ids[0], "action": "ok", "value": "b" } }));
}
