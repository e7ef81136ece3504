//! Answers and events as bytes, in the dialect that was spoken.

use serde::Serialize;

use super::ask::{AskUserResponse, By};
use super::envelope::Dialect;
use super::error::{CallError, ErrorKind};
use super::event::{EventChannel, NotificationEvent};
use super::raw::plain;

/// Appends `{"id":…,"result":…}` and a newline; `result` appends its JSON.
pub fn write_result(
    out: &mut Vec<u8>,
    dialect: Dialect,
    id: Option<&str>,
    result: impl FnOnce(&mut Vec<u8>),
) {
    open(out, dialect, id);
    out.extend_from_slice(b",\"result\":");
    result(out);
    out.extend_from_slice(b"}\n");
}

/// Appends the error reply and a newline.
pub fn write_error(out: &mut Vec<u8>, dialect: Dialect, id: Option<&str>, error: &CallError) {
    #[derive(Serialize)]
    struct Rpc<'a> {
        code: i32,
        message: &'a str,
        data: Detail,
    }
    #[derive(Serialize)]
    struct Detail {
        kind: ErrorKind,
        #[serde(skip_serializing_if = "Option::is_none")]
        param: Option<&'static str>,
    }
    open(out, dialect, id);
    out.extend_from_slice(b",\"error\":");
    match dialect {
        Dialect::Plain => {
            push_json(out, &error.message);
            out.extend_from_slice(b",\"code\":");
            push_json(out, &error.kind);
        }
        Dialect::Rpc => {
            let data = Detail { kind: error.kind, param: error.param };
            push_json(out, &Rpc { code: error.kind.code(), message: &error.message, data });
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Appends one event; `payload` is its members as JSON without the braces (`"kind":"shown",…`), as
/// [`shown`], [`resolved`], [`snapshot`] and [`created`] give them.
pub fn write_event(
    out: &mut Vec<u8>,
    dialect: Dialect,
    id: Option<&str>,
    channel: EventChannel,
    seq: u64,
    payload: &[u8],
) {
    match dialect {
        Dialect::Plain => {
            open(out, dialect, id);
            out.extend_from_slice(b",\"event\":{\"channel\":\"");
        }
        Dialect::Rpc => out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\""),
    }
    out.extend_from_slice(channel.word().as_bytes());
    out.extend_from_slice(match dialect {
        Dialect::Plain => b"\",\"seq\":".as_slice(),
        Dialect::Rpc => b"\",\"params\":{\"seq\":",
    });
    push_json(out, &seq);
    out.push(b',');
    out.extend_from_slice(payload);
    out.extend_from_slice(b"}}\n");
}

/// The payload of an [`AskUserEvent::Shown`](super::event::AskUserEvent); `request` is JSON already.
pub fn shown(request: &[u8]) -> Vec<u8> {
    [b"\"kind\":\"shown\",\"request\":", request].concat()
}

/// The payload of an [`AskUserEvent::Resolved`](super::event::AskUserEvent).
pub fn resolved(response: &AskUserResponse, by: &By) -> Vec<u8> {
    let mut out = b"\"kind\":\"resolved\",\"request_id\":".to_vec();
    push_json(&mut out, &response.request_id);
    out.extend_from_slice(b",\"response\":");
    push_json(&mut out, response);
    out.extend_from_slice(b",\"by\":");
    push_json(&mut out, by);
    out
}

/// The payload of an [`AskUserEvent::Snapshot`](super::event::AskUserEvent); each ask is JSON already.
pub fn snapshot(asks: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut out = b"\"kind\":\"snapshot\",\"pending\":".to_vec();
    push_list(&mut out, asks);
    out
}

/// The payload of a [`NotificationEvent`].
pub fn created(event: &NotificationEvent) -> Vec<u8> {
    let mut out = Vec::new();
    push_json(&mut out, event);
    out.pop();
    out.remove(0);
    out
}

/// Appends the result of `agent.ask_pending`, a [`Pending`](super::result::Pending); each ask is JSON already.
pub fn push_pending(out: &mut Vec<u8>, asks: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    out.extend_from_slice(b"{\"pending\":");
    push_list(out, asks);
    out.push(b'}');
}

fn push_list(out: &mut Vec<u8>, values: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    out.push(b'[');
    for (at, value) in values.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(value.as_ref());
    }
    out.push(b']');
}

/// Appends a text as JSON.
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) {
    if plain(text.as_bytes()) == text.len() {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        push_json(out, text);
    }
}

/// Appends `,"name":"text"` for each text that is there.
pub(super) fn push_texts(out: &mut Vec<u8>, texts: &[(&str, Option<&str>)]) {
    for (name, text) in texts {
        if let Some(text) = text {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            push_text(out, text);
        }
    }
}

/// Appends what `agent.ask_user` returns.
pub fn push_response(out: &mut Vec<u8>, response: &AskUserResponse) {
    out.extend_from_slice(b"{\"request_id\":");
    push_text(out, &response.request_id);
    push_texts(
        out,
        &[
            ("action", Some(response.action.word())),
            ("value", response.value.as_deref()),
            ("reason", response.reason.as_deref()),
        ],
    );
    out.push(b'}');
}

/// Appends a value of ours as JSON.
pub fn push_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("our own types always serialise into memory");
}

fn open(out: &mut Vec<u8>, dialect: Dialect, id: Option<&str>) {
    out.extend_from_slice(match dialect {
        Dialect::Plain => b"{\"id\":",
        Dialect::Rpc => b"{\"jsonrpc\":\"2.0\",\"id\":",
    });
    out.extend_from_slice(id.unwrap_or("null").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::event::{AskUserEvent, Event, Level};
    use crate::wire::result::Pending;
    use crate::wire::{AskUserRequest, AskedAction, Channel, Kind, NewAsk};

    fn json<T: Serialize>(value: &T) -> Vec<u8> {
        serde_json::to_vec(value).unwrap()
    }

    fn request(number: u64) -> AskUserRequest {
        let ask = NewAsk {
            surface_id: "a\"b".into(),
            agent_id: None,
            kind: Kind::Text,
            title: "é\u{202e}".into(),
            body: Some("line\n".into()),
            choices: None,
            default: None,
            timeout_ms: Some(0),
            is_unsafe: Some(false),
        };
        ask.into_request(number, 1_700_000_000_000)
    }

    fn every_event() -> Vec<(Event, Vec<u8>)> {
        let (one, other) = (request(1), request(2));
        let asks = [json(&one), json(&other)];
        let request_id = one.request_id.clone();
        let response = AskUserResponse {
            request_id: request_id.clone(),
            action: AskedAction::Ok,
            value: Some("\"".into()),
            reason: None,
        };
        let by = By { channel: Channel::Cli, who: "me".into() };
        let told = NotificationEvent::Created {
            id: "notification:1".into(),
            title: "Built".into(),
            body: None,
            level: Level::Success,
            surface_id: Some("s".into()),
        };
        vec![
            (Event::AskUserEvent(AskUserEvent::Shown { request: one.clone() }), shown(&asks[0])),
            (Event::AskUserEvent(AskUserEvent::Snapshot { pending: vec![] }), snapshot([[]; 0])),
            (Event::AskUserEvent(AskUserEvent::Snapshot { pending: vec![one, other] }), snapshot(&asks)),
            (Event::NotificationEvent(told.clone()), created(&told)),
            {
                let payload = resolved(&response, &by);
                (Event::AskUserEvent(AskUserEvent::Resolved { request_id, response, by }), payload)
            },
        ]
    }

    #[test]
    fn payloads_are_what_their_types_give() {
        for (event, payload) in every_event() {
            let typed = match &event {
                Event::AskUserEvent(event) => json(event),
                Event::NotificationEvent(event) => json(event),
            };
            assert_eq!([b"{", &payload[..], b"}"].concat(), typed);
        }
        for (value, reason) in [(Some("\"yes\"\n"), None), (None, Some("é")), (None, None)] {
            let (value, reason) = (value.map(Into::into), reason.map(Into::into));
            let response =
                AskUserResponse { request_id: "req:1".into(), action: AskedAction::Ok, value, reason };
            let mut out = Vec::new();
            push_response(&mut out, &response);
            assert_eq!(out, json(&response));
        }
        let list = |asks: &[Vec<u8>]| {
            let mut out = Vec::new();
            push_pending(&mut out, asks);
            out
        };
        let pending_json = list(&[json(&request(1)), json(&request(2))]);
        assert_eq!(pending_json, json(&Pending { pending: vec![request(1), request(2)] }));
        assert_eq!(list(&[]), json(&Pending { pending: vec![] }));
    }

    #[test]
    fn an_event_reads_back_in_either_dialect() {
        #[derive(serde::Deserialize)]
        struct Plain {
            event: Event,
        }
        #[derive(serde::Deserialize)]
        struct Rpc {
            method: EventChannel,
            params: serde_json::Value,
        }
        for (event, payload) in every_event() {
            let channel = match event {
                Event::AskUserEvent(_) => EventChannel::AskUserEvent,
                Event::NotificationEvent(_) => EventChannel::NotificationEvent,
            };
            let line = |dialect| {
                let mut out = Vec::new();
                write_event(&mut out, dialect, Some("7"), channel, 3, &payload);
                out
            };
            let plain: Plain = serde_json::from_slice(&line(Dialect::Plain)).unwrap();
            assert_eq!(plain.event, event);
            let mut rpc: Rpc = serde_json::from_slice(&line(Dialect::Rpc)).unwrap();
            rpc.params["channel"] = rpc.method.word().into();
            assert_eq!(serde_json::from_value::<Event>(rpc.params).unwrap(), event);
        }
    }
}
