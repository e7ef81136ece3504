//! Idempotency keys: who may come back to which ask, for how long, and what they are told.

use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::fixtures;
use crate::harness::{Desk, let_time_pass, wait_for};
use crate::peer::{Peer, question, with};
use crate::store::{database, sqlite};

#[test]
fn the_same_key_with_the_same_content_joins_and_both_get_the_answer() {
    let desk = Desk::new();
    let params = with(&question("choice"), "idempotency_key", "k");
    let (mut one, mut two, mut person) = (Peer::agent(&desk), Peer::agent(&desk), Peer::person(&desk));
    one.ask("one", &params);
    person.waits_for(1);
    two.ask("two", &params);
    assert!(two.is_quiet());
    let id = person.waits_for_one();
    // One of two leaving changes nothing.
    let mut three = Peer::agent(&desk);
    three.ask("three", &params);
    assert!(three.is_quiet());
    three.hang_up();
    assert!(person.answers(&id, "a"));
    let response = json!({ "request_id": id, "action": "ok", "value": "a" });
    assert_eq!(one.json(), json!({ "id": "one", "result": response }));
    assert_eq!(two.json(), json!({ "id": "two", "result": response }));
    one.ask("later", &params);
    assert_eq!(one.json(), json!({ "id": "later", "result": response }));
    assert_eq!(person.newest(), id);
}

#[test]
fn another_content_under_the_same_key_is_a_conflict_waiting_or_over() {
    let desk = Desk::new();
    let params = with(&question("yesno"), "idempotency_key", "k");
    let (mut asker, mut person) = (Peer::agent(&desk), Peer::person(&desk));
    asker.ask("1", &params);
    let id = person.waits_for_one();
    for over in [false, true] {
        for (name, value) in [
            ("title", json!("Other?")),
            ("surface_id", json!("x")),
            ("unsafe", json!(false)),
            ("timeout_ms", json!(5)),
            ("kind", json!("text")),
        ] {
            asker.ask("2", &with(&params, name, value));
            fixtures::assert_is_example(&asker.json(), "idempotency_conflict");
        }
        if !over {
            assert!(person.answers(&id, "no"));
            assert_eq!(asker.json()["result"]["value"], "no");
        }
    }
    assert_eq!(person.newest(), id);
}

#[test]
fn within_one_packet_a_key_means_the_same_as_over_many() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let ask = |id: u32, title: &str| {
        let params = with(&with(&question("yesno"), "idempotency_key", "k"), "title", title);
        format!("{}\n", json!({ "id": id, "method": "agent.ask_user", "params": params }))
    };
    let cancel = json!({ "id": 2, "method": "agent.ask_cancel", "params": { "idempotency_key": "k" } });
    asker.send(format!("{}{cancel}\n{}{}", ask(1, "one"), ask(3, "another"), ask(4, "one")));
    let mut replies: Vec<_> = (0..4).map(|_| asker.json()).collect();
    replies.sort_by_key(|reply| reply["id"].as_u64());
    let response = json!({ "request_id": "req:1", "action": "cancel" });
    assert_eq!(replies[0]["result"], response);
    assert_eq!(replies[1]["result"], json!({ "resolved": true }));
    assert_eq!(replies[2]["code"], "idempotency_conflict", "{}", replies[2]);
    assert_eq!(replies[3]["result"], response);
}

#[test]
fn a_keyed_ask_waits_for_its_asker_to_come_back_and_not_for_ever() {
    let mut desk = Desk::without_hub();
    desk.settings("asker_away_seconds = 1\n");
    desk.start();
    let params = with(&question("yesno"), "idempotency_key", "k");
    let mut person = Peer::person(&desk);
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &params);
    let id = person.waits_for_one();
    asker.hang_up();
    let mut back = Peer::agent(&desk);
    back.ask("2", &params);
    assert!(back.is_quiet());
    assert_eq!(person.waits_for_one(), id);
    back.hang_up();
    person.waits_for(0);
    let record = person.record(&id);
    assert_eq!(record["response"]["reason"], "asker disconnected");
    let waited = record["resolved_at"].as_u64().unwrap() - record["created_at"].as_u64().unwrap();
    assert!(waited >= 1000, "{waited} ms");
    // Who comes later than that is told how it ended.
    let mut late = Peer::agent(&desk);
    late.ask("3", &params);
    assert_eq!(
        late.json()["result"],
        json!({ "request_id": id, "action": "cancel", "reason": "asker disconnected" })
    );
}

#[test]
fn a_keyed_ask_is_cancelled_by_its_key() {
    let desk = Desk::new();
    let (mut asker, mut person) = (Peer::agent(&desk), Peer::person(&desk));
    asker.ask("1", &with(&question("text"), "idempotency_key", "k"));
    person.waits_for(1);
    for wrong in
        [json!({}), json!({ "request_id": "req:1", "idempotency_key": "k" }), json!({ "reason": "x" })]
    {
        assert_eq!(person.refusal("agent.ask_cancel", &wrong), "invalid_params", "{wrong}");
    }
    let cancel = |key: &str| json!({ "idempotency_key": key, "reason": "gave up" });
    assert_eq!(person.get("agent.ask_cancel", &cancel("other")), json!({ "resolved": false }));
    assert_eq!(person.get("agent.ask_cancel", &cancel("k")), json!({ "resolved": true }));
    assert_eq!(
        asker.json()["result"],
        json!({ "request_id": "req:1", "action": "cancel", "reason": "gave up" })
    );
    assert_eq!(person.get("agent.ask_cancel", &cancel("k")), json!({ "resolved": false }));
}

#[test]
fn a_run_that_was_delivered_uses_its_key_up() {
    let desk = Desk::new();
    let params = with(&question("confirm-command"), "idempotency_key", "k");
    let mut person = Peer::person(&desk);
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &params);
    let id = person.waits_for_one();
    person.get("agent.ask_ack", &json!({ "request_id": id }));
    assert!(person.answers(&id, "run"));
    assert_eq!(asker.json()["result"]["value"], "run");
    for _ in 0..3 {
        let mut again = Peer::agent(&desk);
        again.ask("2", &params);
        fixtures::assert_is_example(&again.json(), "idempotency_conflict");
    }
    wait_for("the delivery is written down", || person.record(&id)["delivered_at"].is_u64());
    assert_eq!(person.newest(), id);
}

#[test]
fn a_key_that_was_settled_a_day_ago_asks_anew_though_the_hub_ran_all_the_while() {
    let mut desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    let params = |key: &str| with(&question("yesno"), "idempotency_key", key);
    for key in ["nightly", "hourly"] {
        asker.ask("1", &params(key));
        let id = person.waits_for_one();
        assert!(person.answers(&id, "yes"));
        asker.json();
    }
    assert!(desk.stop().success());
    // A second before the day is over the hub still takes the key back.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let nearly_a_day = now + Duration::from_secs(1) - Duration::from_secs(24 * 60 * 60);
    let settled = format!("UPDATE endings SET ended_at = {} WHERE ask = 1;", nearly_a_day.as_millis());
    sqlite(&database(&desk), &settled);
    desk.start();
    let_time_pass("the rest of the day", Duration::from_millis(1100));
    let mut asker = Peer::agent(&desk);
    asker.ask("2", &params("hourly"));
    assert_eq!(asker.json()["result"]["request_id"], "req:2");
    asker.ask("3", &params("nightly"));
    // On the same connection: yesterday's answer would come first.
    assert_eq!(asker.waits_for_one(), "req:3");
}
