//! Answers and events as bytes, in the dialect that was spoken.

use serde::Serialize;

use super::envelope::Dialect;
use super::error::CallError;
use super::event::EventChannel;

/// Appends `{"id":…,"result":…}` and a newline; `result` is JSON already.
pub fn write_result(out: &mut Vec<u8>, dialect: Dialect, id: Option<&str>, result: &[u8]) {
    open(out, dialect, id);
    out.extend_from_slice(b",\"result\":");
    out.extend_from_slice(result);
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
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        param: Option<&'static str>,
    }
    open(out, dialect, id);
    out.extend_from_slice(b",\"error\":");
    match dialect {
        Dialect::Plain => {
            push_json(out, &error.message);
            out.extend_from_slice(b",\"code\":");
            push_json(out, error.kind.word());
        }
        Dialect::Rpc => {
            let data = Detail { kind: error.kind.word(), param: error.param };
            push_json(out, &Rpc { code: error.kind.code(), message: &error.message, data });
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Appends one event; `payload` is its members as JSON without the braces (`"kind":"shown",…`).
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
