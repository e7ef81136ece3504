//! What may be asked, and which answers fit which kind.

use serde_json::{Value, json};

use crate::harness::Desk;
use crate::peer::{Peer, question, with};

#[test]
fn q_05_06_a_misfit_answer_is_an_error_and_the_ask_stays() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    let misfits: [(&str, Vec<Value>, &str); 4] = [
        (
            "yesno",
            vec![
                "maybe".into(),
                "yes ".into(),
                "YES".into(),
                "".into(),
                1.into(),
                true.into(),
                json!(["yes"]),
            ],
            "yes",
        ),
        (
            "choice",
            vec![
                "-1".into(),
                "99".into(),
                "1".into(),
                "First".into(),
                "".into(),
                0.into(),
                json!([0, 1]),
                json!({ "id": "a" }),
            ],
            "a",
        ),
        ("text", vec!["".into(), true.into(), 5.into(), json!(["x"])], " \n"),
        (
            "confirm-command",
            vec!["".into(), "\n".into(), "yes".into(), "Run".into(), "run ".into(), true.into()],
            "",
        ),
    ];
    for (kind, misfits, fit) in misfits {
        asker.ask(kind, &question(kind));
        let id = person.waits_for_one();
        for value in misfits {
            let answer = json!({ "request_id": id, "value": value });
            assert_eq!(person.refusal("agent.ask_answer", &answer), "invalid_params", "{kind}: {value}");
            assert_eq!(person.waits_for_one(), id);
        }
        for value in [
            json!({ "request_id": id }),
            json!({ "request_id": id, "value": null }),
            json!({ "value": "yes" }),
        ] {
            assert_eq!(person.refusal("agent.ask_answer", &value), "invalid_params", "{value}");
        }
        if fit.is_empty() {
            assert_eq!(person.get("agent.ask_cancel", &json!({ "request_id": id }))["resolved"], true);
            assert_eq!(asker.json()["result"]["action"], "cancel");
        } else {
            assert!(person.answers(&id, fit));
            assert_eq!(asker.json()["result"]["value"], fit);
        }
    }
}

#[test]
fn only_a_command_is_acknowledged_and_ack_is_a_text_like_any_other() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    asker.ask("1", &question("text"));
    let id = person.waits_for_one();
    assert_eq!(person.refusal("agent.ask_ack", &json!({ "request_id": id })), "invalid_params");
    assert_eq!(person.get("agent.ask_ack", &json!({ "request_id": "req:9" })), json!({ "acked": false }));
    assert_eq!(
        person.get("agent.ask_answer", &json!({ "request_id": id, "value": "ack" })),
        json!({ "resolved": true })
    );
    assert_eq!(asker.json()["result"]["value"], "ack");
}

#[test]
fn what_is_asked_is_checked_strictly() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let (yesno, choice, text) = (question("yesno"), question("choice"), question("text"));
    let long = |count: usize| "x".repeat(count);
    let choices =
        |count: usize| -> Value { (0..count).map(|at| json!({ "id": format!("c{at}") })).collect() };
    let wrong = [
        with(&yesno, "surface_id", ""),
        with(&yesno, "surface_id", long(201)),
        with(&yesno, "surface_id", Value::Null),
        with(&yesno, "surface_id", 3),
        with(&yesno, "kind", "yes-no"),
        with(&yesno, "kind", "YesNo"),
        with(&yesno, "title", ""),
        with(&yesno, "title", " \u{a0} "),
        with(&yesno, "title", long(501)),
        with(&yesno, "title", "two\nlines"),
        with(&yesno, "title", "tab\t"),
        with(&yesno, "title", "nul\u{0}"),
        with(&yesno, "title", "esc\u{1b}[2K"),
        with(&yesno, "title", "c1\u{9b}31m"),
        with(&yesno, "title", "separator\u{2028}"),
        with(&yesno, "body", 5),
        with(&yesno, "agent_id", long(201)),
        with(&yesno, "agent_id", "x\n2026 APPROVED by human"),
        with(&yesno, "agent_id", "System"),
        with(&yesno, "default", "maybe"),
        with(&yesno, "unsafe", "true"),
        with(&yesno, "unsafe", 1),
        with(&yesno, "idempotency_key", ""),
        with(&yesno, "idempotency_key", long(129)),
        with(&yesno, "choices", json!([{ "id": "a" }])),
        with(&text, "choices", "a,b"),
        with(&choice, "choices", json!([])),
        with(&choice, "choices", Value::Null),
        with(&choice, "choices", choices(201)),
        with(&choice, "choices", json!(["a"])),
        with(&choice, "choices", json!([{ "id": "" }])),
        with(&choice, "choices", json!([{ "label": "a" }])),
        with(&choice, "choices", json!([{ "id": "a", "value": "b" }])),
        with(&choice, "choices", json!([{ "id": "a" }, { "id": "a" }])),
        with(&choice, "choices", json!([{ "id": "a" }, { "id": "b", "label": " a " }])),
        with(&choice, "choices", json!([{ "id": "a", "label": long(501) }])),
        with(&choice, "default", "First"),
        with(&question("confirm-command"), "default", "run"),
    ];
    for params in wrong {
        let refused = person.try_call("agent.ask_user", &params);
        let (kind, message) = refused.expect_err("it does not fit");
        assert_eq!(kind, "invalid_params", "{params}");
        assert!(message.ends_with('.') || message.ends_with('?'), "a sentence: {message}");
        for foreign in ["serde", "Some(", "expected", "line 1", "column"] {
            assert!(!message.contains(foreign), "{message}");
        }
    }
    assert!(person.pending().is_empty());
}

#[test]
fn what_fits_just_so_is_kept_to_the_byte() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    let odd = "  rm \u{202e}~ fr-\u{200b}\u{e0041} <b>&amp;</b> `x` {{7*7}} é🙂 ";
    let choices: Value = (0..200).map(|at| json!({ "id": format!("{at:0200}"), "label": "" })).collect();
    let mut params = json!({
        "surface_id": "s".repeat(200), "kind": "choice", "title": odd, "body": format!("{odd}\u{0}\u{1b}[2K\r\n\t{odd}"),
        "agent_id": "claude:1", "choices": choices, "default": format!("{:0200}", 7), "timeout_ms": 0, "unsafe": false,
    });
    asker.ask("1", &params);
    let id = person.waits_for_one();
    let mut shown = person.pending().remove(0);
    assert!(shown["created_at"].as_u64().is_some());
    params["choices"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .for_each(|choice| choice["label"] = choice["id"].clone());
    params["request_id"] = id.clone().into();
    params["created_at"] = shown["created_at"].take();
    shown["created_at"] = params["created_at"].clone();
    assert_eq!(shown, params);
    assert!(person.answers(&id, &format!("{:0200}", 199)));
    let record = person.record(&id);
    assert_eq!(record["body"], params["body"]);
    // A title is measured without the blanks around it, and 500 characters may be more bytes.
    asker.ask("2", &with(&question("text"), "title", format!("  {}  ", "é".repeat(500))));
    person.waits_for(1);
}

#[test]
fn null_is_as_good_as_absent() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut params = question("text");
    for name in ["body", "agent_id", "choices", "default", "timeout_ms", "unsafe", "idempotency_key"] {
        params[name] = Value::Null;
    }
    asker.ask("1", &params);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    let mut expected = question("text");
    expected["request_id"] = id.into();
    expected["created_at"] = person.pending()[0]["created_at"].clone();
    assert_eq!(person.pending()[0], expected);
}

#[test]
fn q_15_a_timeout_answers_nothing_whatever_the_default() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    let ask = with(&with(&question("yesno"), "default", "yes"), "timeout_ms", 30);
    asker.ask("1", &ask);
    assert_eq!(asker.json()["result"], json!({ "request_id": "req:1", "action": "timeout" }));
    asker.ask("2", &with(&question("confirm-command"), "timeout_ms", 1));
    assert_eq!(asker.json()["result"], json!({ "request_id": "req:2", "action": "timeout" }));
    assert!(!person.answers("req:1", "yes"));
    let record = person.record("req:1");
    let waited = record["resolved_at"].as_u64().unwrap() - record["created_at"].as_u64().unwrap();
    assert!((28..2000).contains(&waited), "{waited} ms");
    // 0 waits for ever: longer than one that was asked after it.
    asker.ask("3", &with(&question("yesno"), "timeout_ms", 0));
    asker.ask("4", &with(&question("yesno"), "timeout_ms", 20));
    assert_eq!(asker.json()["id"], "4");
    assert_eq!(person.waits_for_one(), "req:3");
}

#[test]
fn history_pages_back_and_filters() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    for at in 1..=7 {
        let params = with(&question("text"), "surface_id", format!("surface:{}", at % 2));
        asker.ask("x", &with(&params, "agent_id", format!("agent {}", at % 3)));
        let id = person.waits_for_one();
        assert!(person.answers(&id, "done"));
        asker.json();
    }
    let mut ids = |params: Value| -> Vec<String> {
        let history = person.get("agent.ask_history", &params);
        let entries = history["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| entry["request_id"].as_str().unwrap().trim_start_matches("req:").to_owned())
            .collect()
    };
    assert_eq!(ids(json!({})), ["7", "6", "5", "4", "3", "2", "1"]);
    assert_eq!(ids(json!({ "limit": 2, "before": "req:6" })), ["5", "4"]);
    assert_eq!(ids(json!({ "surface_id": "surface:0" })), ["6", "4", "2"]);
    assert_eq!(ids(json!({ "agent_id": "agent 1", "surface_id": "surface:1" })), ["7", "1"]);
    assert_eq!(ids(json!({ "agent_id": "x' OR 1=1 --" })), Vec::<String>::new());
    assert_eq!(ids(json!({ "before": "req:9999999999" })).len(), 7);
    for wrong in [
        json!({ "limit": 0 }),
        json!({ "limit": 501 }),
        json!({ "before": "7" }),
        json!({ "before": "req:07" }),
    ] {
        assert_eq!(Peer::person(&desk).refusal("agent.ask_history", &wrong), "invalid_params", "{wrong}");
    }
}
