//! One line in, one request out: its id, its dialect, its method, its params still undecoded.

use std::borrow::Cow;

use serde_json::error::Category;

use super::error::{CallError, ErrorKind};
use super::raw::{Raw, decode, unreadable};
use crate::display::quoted;

/// How a client speaks, told apart per request by the member `"jsonrpc": "2.0"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The seeds': `{"id","method","params"}`, errors as a string and a word.
    Plain,
    /// JSON-RPC 2.0.
    Rpc,
}

/// A request whose params are not decoded yet.
#[derive(Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// How to reply.
    pub dialect: Dialect,
    /// The id's own bytes, a JSON string or number; none where it was absent or null.
    pub id: Option<&'a str>,
    /// Whether no reply is wanted (JSON-RPC 2.0 without an `id`).
    pub is_notification: bool,
    /// The method's name.
    pub method: Cow<'a, str>,
    /// The params' own bytes.
    pub params: Option<&'a str>,
}

/// A line that is no request, with what is known for the reply.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused<'a> {
    /// How to reply.
    pub dialect: Dialect,
    /// The id, where one was readable.
    pub id: Option<&'a str>,
    /// What was wrong.
    pub error: CallError,
}

impl<'a> Request<'a> {
    /// Reads one line.
    pub fn parse(line: &'a [u8]) -> Result<Self, Refused<'a>> {
        let plain = |error| Refused { dialect: Dialect::Plain, id: None, error };
        let text = std::str::from_utf8(line).map_err(|_| plain(unreadable()))?.trim_ascii();
        let raw: Raw<'a> = serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data if text.starts_with('[') => Refused {
                dialect: Dialect::Rpc,
                id: None,
                error: invalid("Batches are not taken; send one object per line."),
            },
            Category::Data => plain(invalid("A request is one JSON object.")),
            Category::Syntax | Category::Eof | Category::Io => plain(unreadable()),
        })?;
        Self::of(&raw)
    }

    fn of(raw: &Raw<'a>) -> Result<Self, Refused<'a>> {
        let member = |name: &str| raw.0.iter().find(|(known, _)| known == name).map(|(_, json)| *json);
        let dialect = if member("jsonrpc") == Some("\"2.0\"") { Dialect::Rpc } else { Dialect::Plain };
        let twice = raw.duplicate();
        let id = if twice.is_some() { None } else { member("id").filter(|json| *json != "null") };
        let known_id = id.filter(|json| is_id(json));
        let refuse = |error| Refused { dialect, id: known_id, error };

        if let Some(twice) = twice {
            return Err(refuse(invalid(&format!("The request has the member {} twice.", quoted(twice)))));
        }
        if id.is_some() && known_id.is_none() {
            return Err(refuse(invalid("\"id\" must be a string or a number.")));
        }
        if known_id.is_some_and(|id| id.starts_with('"') && decode(id).is_err()) {
            return Err(Refused { dialect, id: None, error: unreadable() });
        }
        const KNOWN: [&str; 4] = ["id", "method", "params", "jsonrpc"];
        if let Some((name, _)) = raw.0.iter().find(|(name, _)| !KNOWN.contains(&name.as_ref())) {
            let message =
                format!("A request has no member {}; it takes id, method and params.", quoted(name));
            return Err(refuse(invalid(&message)));
        }
        if dialect == Dialect::Plain && member("jsonrpc").is_some() {
            return Err(refuse(invalid("\"jsonrpc\" must be \"2.0\" where it is given.")));
        }
        let method = match member("method") {
            Some(json) if json.starts_with('"') => decode(json).map_err(refuse)?,
            _ => return Err(refuse(invalid("\"method\" must be a string."))),
        };
        let params = member("params");
        if params.is_some_and(|json| !json.starts_with('{') && json != "null") {
            let message = "\"params\" must be an object.";
            return Err(refuse(CallError::new(ErrorKind::InvalidParams, message)));
        }
        let is_notification = dialect == Dialect::Rpc && member("id").is_none();
        Ok(Self { dialect, id, is_notification, method, params })
    }
}

fn is_id(json: &str) -> bool {
    json.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit())
}

fn invalid(message: &str) -> CallError {
    CallError::new(ErrorKind::InvalidRequest, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &[u8]) -> Option<ErrorKind> {
        Request::parse(line).err().map(|refused| refused.error.kind)
    }

    #[test]
    fn ids_are_kept_to_the_byte() {
        for id in ["1", "\"q1\"", "1.0", "9007199254740993", "18446744073709551616", "-1e3", "\"\\u0041\""] {
            let line = format!("{{\"id\":{id},\"method\":\"system.ping\"}}");
            assert_eq!(Request::parse(line.as_bytes()).unwrap().id, Some(id));
        }
        let line = br#"{"id":null,"method":"system.ping"}"#;
        assert_eq!(Request::parse(line).unwrap().id, None);
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        for line in [
            &b"{\"id\":1,\"method\":\"\xff\"}"[..],
            b"{\"id\":1,\"method\":\"\xc0\xaf\"}",
            b"\xef\xbb\xbf{\"id\":1,\"method\":\"system.ping\"}",
            br#"{"id":1,"method":"\ud800"}"#,
            br#"{"id":"\udc00","method":"system.ping"}"#,
            b"{\"id\":1,\"method\":\"a\x01b\"}",
            br#"{"id":NaN,"method":"system.ping"}"#,
            br#"{"id":1,"method":"system.ping"} {"id":2,"method":"system.ping"}"#,
            b"{\"id\":1,\"method\":\"system.ping\"}\0\0",
            br#"{"id":1,"met"#,
            b"hello",
        ] {
            assert_eq!(kind(line), Some(ErrorKind::ParseError), "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn what_is_json_but_no_request_is_invalid() {
        for line in [
            &br#"[{"id":1,"method":"system.ping"}]"#[..],
            br#"[1,"agent.ask_user",{}]"#,
            br#""system.ping""#,
            br#"{"id":1,"id":2,"method":"system.ping"}"#,
            br#"{"id":1,"method":"system.ping","m\u0065thod":"agent.ask_user"}"#,
            br#"{"id":{},"method":"system.ping"}"#,
            br#"{"id":true,"method":"system.ping"}"#,
            br#"{"id":1}"#,
            br#"{"id":1,"method":5}"#,
            br#"{"id":1,"method":"system.ping","approved":true}"#,
            br#"{"id":1,"jsonrpc":"1.0","method":"system.ping"}"#,
        ] {
            assert_eq!(kind(line), Some(ErrorKind::InvalidRequest), "{}", String::from_utf8_lossy(line));
        }
        assert_eq!(kind(br#"{"id":1,"method":"system.ping","params":[1]}"#), Some(ErrorKind::InvalidParams));
    }

    #[test]
    fn the_dialect_is_told_per_request() {
        let rpc = Request::parse(br#"{"jsonrpc":"2.0","method":"system.ping"}"#).unwrap();
        assert_eq!((rpc.dialect, rpc.is_notification), (Dialect::Rpc, true));
        let plain = Request::parse(br#"{"method":"system.ping"}"#).unwrap();
        assert_eq!((plain.dialect, plain.is_notification), (Dialect::Plain, false));
    }
}
