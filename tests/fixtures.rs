//! One JSON example of every call, reply, error and event, in `fixtures/wire/`, and proof that each is true.
//!
//! A file is a scene: steps in order on a hub of their own. `as` names the connection, `person` where it is
//! absent; every other name is an agent, a process of its own. `send` is a request, or a line as it is;
//! `times` sends it more than once. `reply` is the next line that this connection gets. In a reply `<ms>`
//! stands for a time, `<text>` for a text that may change, `<any>` for anything. A step with `when` needs a
//! hub in trouble, so another test shows it.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::Desk;
use crate::peer::Peer;

/// Every kind of error, and why some have no example: nothing can cause them yet.
const KINDS: [&str; 14] = [
    "parse_error",
    "invalid_request",
    "method_not_found",
    "invalid_params",
    "internal",
    "too_large",
    "not_found",
    "ack_required",
    "self_answer",
    "idempotency_conflict",
    "queue_full",
    "forbidden",
    "storage_unavailable",
    "shutting_down",
];
const NEVER: [(&str, &str); 3] = [
    ("internal", "every failure has a kind of its own"),
    ("not_found", "agent.close comes with the panes"),
    ("forbidden", "takes an asker that the kernel does not name"),
];

struct Scene {
    name: String,
    steps: Vec<Value>,
}

fn scenes() -> Vec<Scene> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/wire");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let scene = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let steps = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Scene { name, steps }
    };
    files.into_iter().map(scene).collect()
}

/// Whether a line is the one that is expected, with its placeholders.
fn fits(line: &Value, expected: &Value) -> bool {
    match (line, expected) {
        (Value::Number(number), Value::String(mark)) if mark == "<ms>" => {
            number.as_u64().is_some_and(|ms| ms > 1_700_000_000_000)
        }
        (Value::String(text), Value::String(mark)) if mark == "<text>" => !text.is_empty(),
        (_, Value::String(mark)) if mark == "<any>" => true,
        (Value::Object(line), Value::Object(expected)) => {
            line.len() == expected.len()
                && expected.iter().all(|(name, value)| line.get(name).is_some_and(|found| fits(found, value)))
        }
        (Value::Array(line), Value::Array(expected)) => {
            line.len() == expected.len() && line.iter().zip(expected).all(|(one, other)| fits(one, other))
        }
        _ => line == expected,
    }
}

/// The kind of the error in a reply of either dialect.
fn kind_of(reply: &Value) -> Option<&str> {
    reply["code"].as_str().or(reply["error"]["data"]["kind"].as_str())
}

/// Asserts that an error looks like the example of its kind, its id apart.
#[track_caller]
pub(crate) fn assert_is_example(error: &Value, kind: &str) {
    assert_eq!(kind_of(error), Some(kind), "{error}");
    let scenes = scenes();
    let replies = scenes.iter().flat_map(|scene| &scene.steps).map(|step| &step["reply"]);
    let examples: Vec<&Value> = replies.filter(|reply| kind_of(reply) == Some(kind)).collect();
    let same = |example: &&Value| fits(&error["error"], &example["error"]);
    assert!(examples.iter().any(same), "{error} is not like {examples:?}");
}

#[test]
fn every_example_is_what_a_hub_does() {
    let desk = Desk::new();
    let schemas = Peer::person(&desk).get("system.capabilities", &json!({}))["methods"].clone();
    for Scene { name, steps } in scenes() {
        // Every file starts from the same hub: numbers begin at 1.
        let desk = Desk::new();
        let mut peers: HashMap<String, Peer> = HashMap::new();
        for (at, step) in steps.iter().enumerate().filter(|(_, step)| step.get("when").is_none()) {
            let at = format!("{name}, step {}", at + 1);
            for member in step.as_object().unwrap().keys() {
                assert!(
                    ["about", "as", "send", "times", "reply"].contains(&member.as_str()),
                    "{at}: {member}"
                );
            }
            let who = step["as"].as_str().unwrap_or("person");
            let peer = peers.entry(who.to_owned()).or_insert_with(|| match who {
                "person" => Peer::person(&desk),
                _ => Peer::agent(&desk),
            });
            if let Some(send) = step.get("send") {
                let line = send.as_str().map_or_else(|| send.to_string(), str::to_owned);
                let times = usize::try_from(step["times"].as_u64().unwrap_or(1)).unwrap();
                peer.send(format!("{line}\n").repeat(times));
                assert!(send.is_string() || at_least_refused_as_said(send, step, &schemas), "{at}: {send}");
            }
            let Some(expected) = step.get("reply") else { continue };
            let line = peer.json();
            assert!(fits(&line, expected), "{at}\n     got {line}\nexpected {expected}");
            let method = step["send"]["method"].as_str().unwrap_or_default();
            if let (Some(result), Some(schema)) = (line.get("result"), schemas.get(method)) {
                let problem = misfit(result, &schema["result"], "result");
                assert_eq!(problem, None, "{at}: {line}");
            }
        }
    }
}

/// Whether a request's params fit the schema of its method, unless the example is about their not fitting.
fn at_least_refused_as_said(send: &Value, step: &Value, schemas: &Value) -> bool {
    let Some(schema) = send["method"].as_str().and_then(|method| schemas.get(method)) else { return true };
    let nothing = json!({});
    let params = send.get("params").filter(|params| !params.is_null()).unwrap_or(&nothing);
    let problem = misfit(params, &schema["params"], "params");
    problem.is_none() || kind_of(&step["reply"]).is_some()
}

#[test]
fn every_method_every_error_and_every_event_has_an_example() {
    let desk = Desk::new();
    let capabilities = Peer::person(&desk).get("system.capabilities", &json!({}));
    let scenes = scenes();
    let steps = || scenes.iter().flat_map(|scene| &scene.steps);
    let shown: BTreeSet<&str> = steps()
        .filter(|step| step["reply"].get("result").is_some() || step.get("reply").is_none())
        .filter_map(|step| step["send"]["method"].as_str())
        .collect();
    for method in capabilities["methods"].as_object().unwrap().keys() {
        assert!(shown.contains(method.as_str()), "{method} has no example");
    }
    let errors: BTreeSet<&str> = steps().filter_map(|step| kind_of(&step["reply"])).collect();
    for kind in KINDS {
        let never = NEVER.iter().any(|(never, _)| *never == kind);
        assert_eq!(errors.contains(kind), !never, "{kind}");
    }
    assert!(errors.iter().all(|kind| KINDS.contains(kind)), "{errors:?}");
    let events: BTreeSet<(&str, &str)> = steps()
        .filter_map(|step| step["reply"].get("event"))
        .map(|event| (event["channel"].as_str().unwrap(), event["kind"].as_str().unwrap()))
        .collect();
    let all = [
        ("askUserEvent", "resolved"),
        ("askUserEvent", "shown"),
        ("askUserEvent", "snapshot"),
        ("notificationEvent", "created"),
    ];
    assert_eq!(events, BTreeSet::from(all));
}

/// What does not fit a schema: the part of JSON Schema that `system.capabilities` uses.
fn misfit(value: &Value, schema: &Value, at: &str) -> Option<String> {
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: a schema of type {other}"),
    };
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap()).collect(),
        kind => vec![kind.as_str().unwrap()],
    };
    if !kinds.iter().any(|kind| is(kind)) {
        return Some(format!("{at} is no {kinds:?}"));
    }
    let bound = |name: &str| schema[name].as_u64();
    let outside = |size: u64, least: &str, most: &str| {
        bound(least).is_some_and(|least| size < least) || bound(most).is_some_and(|most| size > most)
    };
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return Some(format!("{at} is none of {}", schema["enum"]));
    }
    match value {
        Value::String(text) if outside(text.chars().count() as u64, "minLength", "maxLength") => {
            Some(format!("{at} is too short or too long"))
        }
        Value::Number(number) if outside(number.as_u64().unwrap_or(u64::MAX), "minimum", "maximum") => {
            Some(format!("{at} is out of range"))
        }
        Value::Array(entries) if outside(entries.len() as u64, "minItems", "maxItems") => {
            Some(format!("{at} has {} entries", entries.len()))
        }
        Value::Array(entries) => entries
            .iter()
            .enumerate()
            .find_map(|(n, entry)| misfit(entry, &schema["items"], &format!("{at}[{n}]"))),
        Value::Object(members) => {
            let known = schema["properties"].as_object()?;
            let missing = schema["required"].as_array().into_iter().flatten();
            let missing = missing.filter_map(Value::as_str).find(|name| !members.contains_key(*name));
            if let Some(name) = missing {
                return Some(format!("{at} has no {name}"));
            }
            members.iter().find_map(|(name, value)| match known.get(name) {
                Some(schema) => misfit(value, schema, &format!("{at}.{name}")),
                None => Some(format!("{at} has {name}")),
            })
        }
        _ => None,
    }
}
