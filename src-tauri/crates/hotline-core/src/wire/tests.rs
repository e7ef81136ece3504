//! Parameters read strictly, one sentence per rule.

use super::call::{HistoryQuery, Named};
use super::method::{Object, Shape};
use super::*;

fn parse(method: &str, params: &str) -> Result<Call, CallError> {
    let line = format!("{{\"id\":1,\"method\":\"{method}\",\"params\":{params}}}");
    Call::parse(&Request::parse(line.as_bytes()).map_err(|refused| refused.error)?)
}

fn ask(members: &str) -> Result<Call, CallError> {
    parse("agent.ask_user", &format!("{{\"surface_id\":\"s\",\"title\":\"T\",{members}}}"))
}

#[track_caller]
fn refused(result: Result<Call, CallError>, kind: ErrorKind, says: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(says), "{error} should say {says:?}");
}

#[test]
fn an_ask_keeps_every_byte_and_null_is_absent() {
    let Ok(Call::Ask { ask, key }) = ask(
        r#""kind":"choice","body":"a\r\n\u202e\t","agent_id":null,"choices":[{"id":"a"},{"id":"b","label":""},{"id":"c","label":"See"}],"default":"b","unsafe":false,"timeout_ms":0,"idempotency_key":"k""#,
    ) else {
        panic!("it is fine")
    };
    assert_eq!(key.as_deref(), Some("k"));
    assert_eq!(
        (ask.body.as_deref(), ask.agent_id, ask.is_unsafe),
        (Some("a\r\n\u{202e}\t"), None, Some(false))
    );
    let labels: Vec<_> = ask.choices.iter().flatten().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["a", "b", "See"]);
}

#[test]
fn an_unknown_member_is_named_with_the_nearest_real_one() {
    refused(ask(r#""kind":"text","tittle":"x""#), ErrorKind::InvalidParams, "did you mean \"title\"?");
    refused(ask(r#""kind":"text","approved":true"#), ErrorKind::InvalidParams, "\"approved\"");
    refused(parse("system.ping", r#"{"x":1}"#), ErrorKind::InvalidParams, "takes no members");
    refused(parse("agent.ask_usr", "{}"), ErrorKind::MethodNotFound, "did you mean \"agent.ask_user\"?");
    for name in ["Agent.Ask_User", "agent.ask_user ", "agent.ask_user\\u0000", "__proto__"] {
        refused(parse(name, "{}"), ErrorKind::MethodNotFound, "No method is called");
    }
}

#[test]
fn a_duplicate_member_is_refused_wherever_it_stands() {
    for members in [
        r#""kind":"text","title":"evil""#,
        r#""kind":"text","t\u0069tle":"evil""#,
        r#""kind":"choice","choices":[{"id":"a","id":"b"}]"#,
    ] {
        refused(ask(members), ErrorKind::InvalidParams, "twice");
    }
}

#[test]
fn nothing_is_coerced() {
    for members in [
        r#""kind":"yes""#,
        r#""kind":"YesNo""#,
        r#""kind":null"#,
        r#""kind":"text","timeout_ms":"5""#,
        r#""kind":"text","timeout_ms":1.0"#,
        r#""kind":"text","timeout_ms":1e3"#,
        r#""kind":"text","timeout_ms":-1"#,
        r#""kind":"text","timeout_ms":9007199254740993"#,
        r#""kind":"text","unsafe":1"#,
        r#""kind":"text","unsafe":"true""#,
        r#""kind":"text","body":5"#,
        r#""kind":"text","choices":{}"#,
        r#""kind":"text","choices":[{"id":"a"}]"#,
        r#""kind":"choice""#,
        r#""kind":"choice","choices":[]"#,
        r#""kind":"choice","choices":["a"]"#,
        r#""kind":"choice","choices":[{"label":"a"}]"#,
        r#""kind":"choice","choices":[{"id":"a"},{"id":"a"}]"#,
        r#""kind":"choice","choices":[{"id":"a","label":"Same"},{"id":"b","label":" Same "}]"#,
        r#""kind":"choice","choices":[{"id":"a"}],"default":"b""#,
        r#""kind":"yesno","default":"maybe""#,
        r#""kind":"confirm-command","default":"run""#,
        r#""kind":"text","agent_id":"System""#,
        r#""kind":"text","agent_id":"a\u0007b""#,
        r#""kind":"text","idempotency_key":"""#,
    ] {
        refused(ask(members), ErrorKind::InvalidParams, "");
    }
}

#[test]
fn a_title_is_one_line_of_1_to_500_characters() {
    let title = |title: &str| {
        parse("agent.ask_user", &format!(r#"{{"surface_id":"s","kind":"text","title":"{title}"}}"#))
    };
    assert!(title(&"é".repeat(500)).is_ok());
    assert!(title(&format!("  {}  ", "é".repeat(500))).is_ok());
    for wrong in ["", "   ", "a\\nb", "a\\tb", "a\\u0000b", "a\\u2028b", &"x".repeat(501)] {
        refused(title(wrong), ErrorKind::InvalidParams, "one line of 1 to 500 characters");
    }
}

#[test]
fn a_body_of_256_kib_passes_and_one_byte_more_is_too_large() {
    let body = |length| ask(&format!(r#""kind":"text","body":"{}""#, "x".repeat(length)));
    assert!(body(MAX_TEXT).is_ok());
    refused(body(MAX_TEXT + 1), ErrorKind::TooLarge, "262144");
}

#[test]
fn what_is_no_text_is_a_parse_error() {
    refused(ask(r#""kind":"text","body":"\ud800""#), ErrorKind::ParseError, "JSON");
    let deep = format!(r#""kind":"choice","choices":{}{}"#, "[".repeat(200), "]".repeat(200));
    refused(ask(&deep), ErrorKind::ParseError, "deep");
}

#[test]
fn a_cancel_names_its_ask_in_exactly_one_way() {
    let cancel = |params| parse("agent.ask_cancel", params);
    assert_eq!(
        cancel(r#"{"idempotency_key":"k","reason":""}"#),
        Ok(Call::Cancel { ask: Named::Key("k".into()), reason: None })
    );
    refused(cancel("{}"), ErrorKind::InvalidParams, "exactly one");
    refused(
        cancel(r#"{"request_id":"req:1","idempotency_key":"k"}"#),
        ErrorKind::InvalidParams,
        "exactly one",
    );
}

#[test]
fn a_page_of_the_history_begins_before_a_request_id() {
    let history = |params| match parse("agent.ask_history", params) {
        Ok(Call::History(HistoryQuery { limit, before, .. })) => (limit, before),
        other => panic!("{other:?}"),
    };
    assert_eq!(history("{}"), (50, None));
    assert_eq!(history(r#"{"limit":500,"before":"req:7"}"#), (500, Some(7)));
    let refusal = parse("agent.ask_history", r#"{"before":"7"}"#);
    refused(refusal, ErrorKind::InvalidParams, "\"before\" must be a request_id such as req:7.");
}

#[test]
fn a_subscription_names_known_channels() {
    let Ok(Call::Subscribe { channels }) = parse("events.subscribe", "{}") else { panic!("it is fine") };
    assert_eq!(channels, EventChannel::ALL);
    refused(parse("events.subscribe", r#"{"channels":["x"]}"#), ErrorKind::InvalidParams, "askUserEvent");
    refused(parse("events.subscribe", r#"{"channels":[1]}"#), ErrorKind::InvalidParams, "askUserEvent");
}

#[test]
fn a_request_id_is_written_as_the_queue_writes_it() {
    assert_eq!(request_number("req:7"), Some(7));
    for wrong in ["req:07", "req:+7", "req:", "req:7 ", "REQ:7", "7", "req:99999999999999999999"] {
        assert_eq!(request_number(wrong), None, "{wrong}");
    }
}

#[test]
fn every_method_is_parsed_and_described() {
    for method in method::METHODS {
        let error = parse(method.name, "{}").err();
        assert_ne!(error.map(|error| error.kind), Some(ErrorKind::MethodNotFound), "{}", method.name);
    }
    let described: serde_json::Value = serde_json::from_slice(&capabilities()).unwrap();
    assert_eq!(described["methods"].as_object().unwrap().len(), method::METHODS.len());
    let ask = &described["methods"]["agent.ask_user"]["params"];
    assert_eq!(ask["properties"]["kind"]["enum"], serde_json::json!(Kind::WORDS));
    assert_eq!(ask["required"], serde_json::json!(["surface_id", "kind", "title"]));
}

#[test]
fn texts_say_the_limits_that_hold() {
    let member = |method: &str, name: &str| {
        let params = method::Method::named(method).unwrap().params;
        params.members().find(|member| member.name == name).unwrap()
    };
    let entries = member("agent.ask_history", "limit").about;
    assert!(entries.contains(&method::ENTRIES.to_string()), "{entries}");
    let ack = method::Method::named("agent.ask_ack").unwrap().about;
    assert!(ack.contains("two minutes") && crate::queue::ACK_LASTS_MS == 2 * 60_000, "{ack}");
}

#[test]
fn a_named_object_has_the_members_of_its_type() {
    let by = By { channel: Channel::System, who: "x".into() };
    let response = AskUserResponse {
        request_id: request_id(1),
        action: AskedAction::Cancel,
        value: Some("x".into()),
        reason: Some("x".into()),
    };
    let ask = ask(
        r#""kind":"choice","body":"x","agent_id":"a","choices":[{"id":"a"}],"default":"a","unsafe":true,"timeout_ms":5"#,
    );
    let Ok(Call::Ask { ask, key: None }) = ask else { panic!("it is fine") };
    let record = AskRecord {
        request: ask.into_request(1, 2),
        response: Some(response.clone()),
        resolved_at: Some(3),
        by: Some(by.clone()),
        delivered_at: Some(4),
    };
    let types = [
        ("AskUserRequest", serde_json::to_value(&record.request)),
        ("AskUserResponse", serde_json::to_value(&response)),
        ("By", serde_json::to_value(&by)),
        ("AskRecord", serde_json::to_value(&record)),
    ]
    .map(|(name, json)| (name, json.unwrap()));
    let mut named = Vec::new();
    for method in method::METHODS {
        objects(&Shape::Object(method.params), &mut named);
        objects(&method.result, &mut named);
    }
    assert!(types.iter().all(|(name, _)| named.iter().any(|(one, _)| one == name)), "{named:?}");
    for (name, object) in named {
        let (_, json) = types.iter().find(|(one, _)| *one == name).expect("every name is a type");
        let (mut members, mut of_type): (Vec<&str>, Vec<&str>) = (
            object.members().map(|member| member.name).collect(),
            json.as_object().unwrap().keys().map(String::as_str).collect(),
        );
        members.sort_unstable();
        of_type.sort_unstable();
        assert_eq!(members, of_type, "{name}");
    }
}

/// Every object with a name inside a shape.
fn objects(shape: &Shape, named: &mut Vec<(&'static str, Object)>) {
    match shape {
        Shape::Object(object) => {
            named.extend(object.name.map(|name| (name, *object)));
            object.members().for_each(|member| objects(&member.shape, named));
        }
        Shape::List { of, .. } => objects(of, named),
        Shape::Line { .. } | Shape::Name { .. } | Shape::Text { .. } | Shape::Word(_) => {}
        Shape::Whole { .. } | Shape::Flag | Shape::Map => {}
    }
}

#[test]
fn a_line_full_of_members_or_a_name_as_long_as_a_line_costs_little() {
    let many: Vec<String> = (0..90_000).map(|n| format!("\"{n}\":0")).collect();
    refused(parse("system.ping", &format!("{{{}}}", many.join(","))), ErrorKind::InvalidParams, "no members");
    let twice = format!("{{{},\"7\":0}}", many.join(","));
    refused(parse("system.ping", &twice), ErrorKind::InvalidParams, "\"7\" twice");
    refused(parse(&"m".repeat(1_000_000), "{}"), ErrorKind::MethodNotFound, "system.capabilities");
}
