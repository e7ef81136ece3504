//! Two dialects, told apart per request, and ids that come back to the byte.

use serde_json::{Value, json};

use crate::harness::Desk;
use crate::peer::{Peer, kind, outcome};

#[test]
fn sock_08_ids_are_echoed_to_the_byte_in_both_dialects() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    for id in [
        "1",
        "\"q1\"",
        "1.0",
        "-0",
        "1e400",
        "9007199254740993",
        "12345678901234567890",
        "18446744073709551616",
        "\"\\u00e9\\n\"",
        "\"\"",
    ] {
        peer.send(format!("{{\"id\":{id},\"method\":\"system.ping\"}}\n"));
        assert_eq!(peer.line().unwrap(), format!("{{\"id\":{id},\"result\":\"PONG\"}}"));
        peer.send(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"system.ping\"}}\n"));
        assert_eq!(peer.line().unwrap(), format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":\"PONG\"}}"));
        // Errors, replies that are staged, and events carry it too.
        peer.send(format!("{{\"id\":{id},\"method\":\"agent.ask_pending\",\"params\":{{\"x\":1}}}}\n"));
        assert!(peer.line().unwrap().starts_with(&format!("{{\"id\":{id},\"error\":")));
        peer.send(format!("{{\"id\":{id},\"method\":\"agent.ask_pending\"}}\n"));
        assert_eq!(peer.line().unwrap(), format!("{{\"id\":{id},\"result\":{{\"pending\":[]}}}}"));
    }
    let mut follower = Peer::person(&desk);
    follower
        .send("{\"id\":1.50,\"method\":\"events.subscribe\",\"params\":{\"channels\":[\"askUserEvent\"]}}\n");
    assert!(follower.line().unwrap().starts_with("{\"id\":1.50,\"result\":"));
    assert!(
        follower
            .line()
            .unwrap()
            .starts_with("{\"id\":1.50,\"event\":{\"channel\":\"askUserEvent\",\"seq\":1,")
    );
}

#[test]
fn an_id_is_a_string_or_a_number_and_null_or_none_comes_back_as_null() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    for id in ["true", "{}", "[1]"] {
        peer.send(format!("{{\"id\":{id},\"method\":\"system.ping\"}}\n"));
        let refused = peer.json();
        assert_eq!(
            (&refused["id"], kind(outcome(&refused)).as_str()),
            (&Value::Null, "invalid_request"),
            "{id}"
        );
    }
    for line in ["{\"id\":null,\"method\":\"system.ping\"}\n", "{\"method\":\"system.ping\"}\n"] {
        peer.send(line);
        assert_eq!(peer.line().unwrap(), "{\"id\":null,\"result\":\"PONG\"}");
    }
}

#[test]
fn each_request_is_answered_in_its_own_dialect() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    peer.send("{\"id\":1,\"method\":\"agent.ask_cancel\",\"params\":{}}\n");
    let plain = peer.json();
    assert_eq!((plain["id"].clone(), plain["code"].clone()), (json!(1), json!("invalid_params")));
    assert!(plain["error"].is_string(), "{plain}");
    peer.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"agent.ask_answer\",\"params\":{\"request_id\":\"req:1\"}}\n");
    let rpc = peer.json();
    assert_eq!((&rpc["jsonrpc"], &rpc["error"]["code"]), (&json!("2.0"), &json!(-32602)), "{rpc}");
    assert_eq!(rpc["error"]["data"], json!({ "kind": "invalid_params", "param": "value" }));
    assert!(rpc.get("code").is_none());
    peer.send("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"system.ping\"}\n");
    assert_eq!(kind(outcome(&peer.json())), "invalid_request");
}

#[test]
fn a_notification_of_json_rpc_acts_and_gets_no_reply() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    for line in [
        "{\"jsonrpc\":\"2.0\",\"method\":\"system.ping\"}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"no.such\"}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"agent.ask_cancel\",\"params\":{\"request_id\":\"req:1\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notification.create\",\"params\":{\"title\":\"t\"}}\n",
    ] {
        peer.send(line);
        assert!(peer.is_quiet(), "{line}");
    }
    assert_eq!(peer.get("notification.create", &json!({ "title": "t" }))["id"], "notification:2");
}

#[test]
fn events_in_json_rpc_are_notifications_named_after_their_channel() {
    let desk = Desk::new();
    let mut follower = Peer::person(&desk);
    follower.send("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"events.subscribe\",\"params\":{\"channels\":[\"askUserEvent\"]}}\n");
    assert_eq!(
        follower.json(),
        json!({ "jsonrpc": "2.0", "id": 4, "result": { "subscribed": ["askUserEvent"] } })
    );
    let snapshot = json!({ "jsonrpc": "2.0", "method": "askUserEvent",
        "params": { "seq": 1, "kind": "snapshot", "pending": [] } });
    assert_eq!(follower.json(), snapshot);
}

#[test]
fn sock_15_a_method_is_its_exact_name_and_a_near_miss_gets_a_hint() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    for name in ["Agent.Ask_User", "agent.ask_user ", "agent.ask_user\u{0}", "__proto__", "", "agent"] {
        assert_eq!(peer.refusal(name, &json!({})), "method_not_found", "{name}");
    }
    let (_, message) = peer.try_call("agent.ask_usr", &json!({})).unwrap_err();
    assert!(message.contains("\"agent.ask_user\"?"), "{message}");
    // A long name comes back cut, and a control character in it escaped.
    let (_, message) = peer.try_call(&format!("\u{1b}[2K{}", "m".repeat(900_000)), &json!({})).unwrap_err();
    assert!(message.len() < 300 && !message.contains('\u{1b}'), "{message}");
    assert!(desk.log().len() < 4000 && !desk.log().contains('\u{1b}'));
}

#[test]
fn g_04_an_unknown_member_is_refused_and_the_nearest_is_named() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    let ask = json!({ "surface_id": "s", "kind": "confirm-command", "title": "t" });
    for (name, value) in [
        ("approved", json!(true)),
        ("approval", json!({ "state": "ok" })),
        ("safe", json!(true)),
        ("_scope", json!("operator")),
        ("Title", json!("t")),
    ] {
        let mut params = ask.clone();
        params[name] = value;
        let (kind, message) = peer.try_call("agent.ask_user", &params).unwrap_err();
        assert_eq!(kind, "invalid_params");
        assert!(message.contains(&format!("\"{name}\"")), "{message}");
    }
    let (_, message) =
        peer.try_call("agent.ask_answer", &json!({ "request_id": "req:1", "valeu": "yes" })).unwrap_err();
    assert!(message.ends_with("did you mean \"value\"?"), "{message}");
    // The request itself takes no other member either, and params only an object.
    peer.send("{\"id\":1,\"method\":\"system.ping\",\"approved\":true}\n");
    assert_eq!(kind(outcome(&peer.json())), "invalid_request");
    for params in ["[]", "\"x\"", "1", "false"] {
        peer.send(format!("{{\"id\":1,\"method\":\"system.ping\",\"params\":{params}}}\n"));
        assert_eq!(kind(outcome(&peer.json())), "invalid_params", "{params}");
    }
    for params in ["null", "{}"] {
        peer.send(format!("{{\"id\":1,\"method\":\"system.ping\",\"params\":{params}}}\n"));
        assert_eq!(outcome(&peer.json()), Ok(json!("PONG")), "{params}");
    }
    assert!(peer.pending().is_empty());
}
