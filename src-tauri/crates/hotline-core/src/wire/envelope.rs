//! One line in, one request out: its id, its dialect, its method, its params still undecoded.

use std::borrow::Cow;

use super::error::{CallError, ErrorKind};
use super::raw::{Raw, Unread, decode, read, unreadable};
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
#[derive(Debug)]
pub struct Request<'a> {
    /// How to reply.
    pub dialect: Dialect,
    /// The id's own bytes, a JSON string or number; none where it was absent or null.
    pub id: Option<&'a str>,
    /// Whether no reply is wanted (JSON-RPC 2.0 without an `id`).
    pub is_notification: bool,
    /// The method's name.
    pub method: Cow<'a, str>,
    /// The params' members; none where they are absent or null.
    pub(super) params: Option<Raw<'a>>,
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
        // What JSON takes for space, and no more.
        let text = std::str::from_utf8(line).map_err(|_| plain(unreadable()))?;
        let text = text.trim_matches([' ', '\t', '\n', '\r']);
        let members = Members::read(text).map_err(|unread| match unread {
            Unread::NotAnObject if text.starts_with('[') => Refused {
                dialect: Dialect::Rpc,
                id: None,
                error: invalid("Batches are not taken; send one object per line."),
            },
            Unread::NotAnObject => plain(invalid("A request is one JSON object.")),
            Unread::NotJson => plain(unreadable()),
        })?;
        Self::of(members)
    }

    fn of(members: Members<'a>) -> Result<Self, Refused<'a>> {
        let dialect = if members.jsonrpc == Some("\"2.0\"") { Dialect::Rpc } else { Dialect::Plain };
        let id = members.id.filter(|json| *json != "null" && members.twice.is_none());
        let known_id = id.filter(|json| is_id(json));
        let refuse = |error| Refused { dialect, id: known_id, error };

        if let Some(twice) = members.twice {
            return Err(refuse(invalid(&format!("The request has the member {} twice.", quoted(twice)))));
        }
        if id.is_some() && known_id.is_none() {
            return Err(refuse(invalid("\"id\" must be a string or a number.")));
        }
        if known_id.is_some_and(|id| id.starts_with('"') && decode(id).is_err()) {
            return Err(Refused { dialect, id: None, error: unreadable() });
        }
        if let Some(name) = members.unknown {
            let message =
                format!("A request has no member {}; it takes id, method and params.", quoted(&name));
            return Err(refuse(invalid(&message)));
        }
        if dialect == Dialect::Plain && members.jsonrpc.is_some() {
            return Err(refuse(invalid("\"jsonrpc\" must be \"2.0\" where it is given.")));
        }
        let method = match members.method {
            Some(json) if json.starts_with('"') => decode(json).map_err(refuse)?,
            _ => return Err(refuse(invalid("\"method\" must be a string."))),
        };
        if members.params.is_none() && members.other_params.is_some_and(|json| json != "null") {
            let message = "\"params\" must be an object.";
            return Err(refuse(CallError::new(ErrorKind::InvalidParams, message)));
        }
        let is_notification = dialect == Dialect::Rpc && members.id.is_none();
        Ok(Self { dialect, id, is_notification, method, params: members.params })
    }
}

/// What a request holds, as it was sent.
#[derive(Default)]
struct Members<'a> {
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Option<Raw<'a>>,
    /// Params that are no object.
    other_params: Option<&'a str>,
    jsonrpc: Option<&'a str>,
    /// A member that stands more than once.
    twice: Option<&'static str>,
    /// A member that no request has.
    unknown: Option<Cow<'a, str>>,
}

impl<'a> Members<'a> {
    fn read(text: &'a str) -> Result<Self, Unread> {
        let mut members = Self::default();
        read(text, |scan, name| {
            let (slot, name) = match name.as_ref() {
                "id" => (&mut members.id, "id"),
                "method" => (&mut members.method, "method"),
                "jsonrpc" => (&mut members.jsonrpc, "jsonrpc"),
                "params" if scan.is_at(b'{') => {
                    let had_some = members.params.replace(scan.members()?).is_some();
                    if had_some || members.other_params.is_some() {
                        members.twice = Some("params");
                    }
                    return Ok(());
                }
                "params" => (&mut members.other_params, "params"),
                _ => {
                    members.unknown = Some(name);
                    return scan.value().map(drop);
                }
            };
            let had_one = slot.replace(scan.value()?).is_some();
            if had_one || name == "params" && members.params.is_some() {
                members.twice = Some(name);
            }
            Ok(())
        })?;
        Ok(members)
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
            b"\x0c{\"id\":1,\"method\":\"system.ping\"}",
            b"{\"id\":1,\"method\":\"system.ping\"}\x0c",
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
            br#"{"id":1,"method":"system.ping","params":{},"params":{}}"#,
            br#"{"id":1,"method":"system.ping","params":{"a":"b"},"params":""}"#,
            br#"{"id":1,"method":"system.ping","params":null,"params":{}}"#,
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
