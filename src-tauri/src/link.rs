//! A connection of ours to the hub, in the words of the socket: requests out, replies and events back.

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hotline_core::frame::MAX_LINE;
use hotline_core::wire::ErrorKind;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// How long the hub may leave a request unread before it counts as out of reach.
const TAKES: Duration = Duration::from_secs(5);

/// A result, as the JSON that the hub sent.
pub(crate) type Reply = Result<String, Refusal>;

/// Hears each event of a subscription, as JSON.
pub(crate) type Hear = Arc<dyn Fn(String) + Send + Sync>;

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The hub's stable word, or `unreachable`.
    pub(crate) kind: String,
    /// A sentence for a person.
    pub(crate) message: String,
    /// The parameter at fault, where there is one.
    pub(crate) param: Option<String>,
}

impl Refusal {
    /// The hub could not be asked: nothing was done, or nothing is known of it.
    pub(crate) fn unreachable() -> Self {
        Self { kind: "unreachable".into(), message: "The hub does not answer.".into(), param: None }
    }

    /// A call that does not fit.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::InvalidParams.word().into(), message: message.into(), param: None }
    }

    /// Reads the error of a reply, in either dialect.
    fn of(error: &Value, code: Option<&str>) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let kind = text(&error["data"]["kind"]).or_else(|| code.map(str::to_owned));
        let message = text(&error["message"]).or_else(|| text(error));
        Self {
            kind: kind.unwrap_or_else(|| ErrorKind::Internal.word().into()),
            message: message.unwrap_or_default(),
            param: text(&error["data"]["param"]),
        }
    }
}

/// An open connection; it ends with the value.
pub(crate) struct Link {
    out: Mutex<UnixStream>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    last: u64,
    calls: HashMap<u64, oneshot::Sender<Reply>>,
    follows: HashMap<u64, Hear>,
    is_over: bool,
}

/// A line of the hub.
#[derive(Deserialize)]
struct Line<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    error: Option<Value>,
    code: Option<String>,
}

impl Link {
    /// Takes the hub's end; its lines are read on a thread of their own, `name`.
    pub(crate) fn open(stream: UnixStream, name: &str) -> io::Result<Self> {
        stream.set_write_timeout(Some(TAKES))?;
        let lines = BufReader::new(stream.try_clone()?);
        let state = Arc::<Mutex<State>>::default();
        let theirs = Arc::clone(&state);
        std::thread::Builder::new().name(name.into()).spawn(move || read(lines, &theirs))?;
        Ok(Self { out: Mutex::new(stream), state })
    }

    /// Whether it has ended.
    pub(crate) fn is_over(&self) -> bool {
        lock(&self.state).is_over
    }

    /// Makes one call.
    pub(crate) async fn call(&self, method: &str, params: &Value) -> Reply {
        // The dialect of 2.0 also names the parameter that was wrong.
        let call = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.request(call, None)?.await.unwrap_or_else(|_| Err(Refusal::unreachable()))
    }

    /// Follows channels; the reply comes before the first event.
    pub(crate) async fn follow(&self, channels: &[String], hear: Hear) -> Reply {
        self.ask_to_follow(channels, hear)?.await.unwrap_or_else(|_| Err(Refusal::unreachable()))
    }

    /// [`Self::follow`], without waiting for the reply.
    pub(crate) fn ask_to_follow(
        &self,
        channels: &[String],
        hear: Hear,
    ) -> Result<oneshot::Receiver<Reply>, Refusal> {
        // The plain dialect hands over whole events, with their channel and number.
        let follow =
            |id: u64| json!({ "id": id, "method": "events.subscribe", "params": { "channels": channels } });
        self.request(follow, Some(hear))
    }

    fn request(
        &self,
        write: impl FnOnce(u64) -> Value,
        hear: Option<Hear>,
    ) -> Result<oneshot::Receiver<Reply>, Refusal> {
        let (sender, receiver) = oneshot::channel();
        let mut state = lock(&self.state);
        if state.is_over {
            return Err(Refusal::unreachable());
        }
        state.last += 1;
        let id = state.last;
        let mut line = write(id).to_string();
        if line.len() > MAX_LINE {
            // The hub would close the connection, and with it end everything else that waits on it.
            let message = format!("The text is too long: at most {MAX_LINE} bytes fit in one call.");
            return Err(Refusal { kind: ErrorKind::TooLarge.word().into(), message, param: None });
        }
        state.calls.insert(id, sender);
        if let Some(hear) = hear {
            state.follows.insert(id, hear);
        }
        drop(state);
        line.push('\n');
        let mut out = lock(&self.out);
        if out.write_all(line.as_bytes()).is_err() {
            // Half a line may be out: nothing more can be said on this connection.
            let _ = out.shutdown(Shutdown::Both);
            return Err(Refusal::unreachable());
        }
        Ok(receiver)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = lock(&self.out).shutdown(Shutdown::Both);
    }
}

fn read(lines: BufReader<UnixStream>, state: &Mutex<State>) {
    for line in lines.split(b'\n').map_while(Result::ok) {
        match serde_json::from_slice(&line) {
            Ok(line) => take(line, state),
            Err(error) => tracing::error!(%error, "the hub sent a line that is none"),
        }
    }
    let mut state = lock(state);
    state.is_over = true;
    // Who waits hears that nothing is known.
    state.calls.clear();
    state.follows.clear();
}

fn take(line: Line<'_>, state: &Mutex<State>) {
    let Some(id) = line.id else { return };
    if let Some(event) = line.event {
        let hear = lock(state).follows.get(&id).cloned();
        if let Some(hear) = hear {
            hear(event.get().to_owned());
        }
        return;
    }
    let Some(sender) = lock(state).calls.remove(&id) else { return };
    let reply = match (line.result, line.error) {
        (Some(result), _) => Ok(result.get().to_owned()),
        (None, Some(error)) => Err(Refusal::of(&error, line.code.as_deref())),
        (None, None) => Ok("null".to_owned()),
    };
    // The page may have gone meanwhile.
    let _ = sender.send(reply);
}

/// A lock that a panic elsewhere does not take away: what is held is whole after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// A link and its other end, read by lines.
    fn pair() -> (Link, BufReader<UnixStream>) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Link::open(ours, "test").unwrap(), BufReader::new(theirs))
    }

    fn heard(hub: &mut BufReader<UnixStream>) -> Value {
        let mut line = String::new();
        hub.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn a_result_passes_through_as_the_hub_wrote_it() {
        let (link, mut hub) = pair();
        let result = tauri::async_runtime::block_on(async {
            let call = tauri::async_runtime::spawn(async move { link.call("system.ping", &json!({})).await });
            let request = heard(&mut hub);
            assert_eq!((&request["method"], &request["jsonrpc"]), (&json!("system.ping"), &json!("2.0")));
            let reply = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"b\":1.0, \"a\":[]}}}}\n",
                request["id"]
            );
            hub.get_mut().write_all(reply.as_bytes()).unwrap();
            call.await.unwrap()
        });
        assert_eq!(result.unwrap(), "{\"b\":1.0, \"a\":[]}");
    }

    #[test]
    fn an_error_keeps_its_word_and_its_parameter_in_either_dialect() {
        let rpc = json!({ "code": -32602, "message": "No.", "data": { "kind": "invalid_params", "param": "value" } });
        let of = |kind: &str, param: Option<&str>| Refusal {
            kind: kind.into(),
            message: "No.".into(),
            param: param.map(Into::into),
        };
        assert_eq!(Refusal::of(&rpc, None), of("invalid_params", Some("value")));
        assert_eq!(Refusal::of(&json!("No."), Some("shutting_down")), of("shutting_down", None));
    }

    #[test]
    fn events_come_after_the_reply_and_in_order() {
        let (link, mut hub) = pair();
        let (sender, events) = mpsc::channel();
        let hear: Hear = Arc::new(move |event| sender.send(event).unwrap());
        let reply = link.ask_to_follow(&["askUserEvent".into()], hear).unwrap();
        let id = heard(&mut hub)["id"].clone();
        let lines = format!(
            "{{\"id\":{id},\"result\":{{}}}}\n{{\"id\":{id},\"event\":{{\"seq\":1}}}}\n{{\"id\":{id},\"event\":{{\"seq\":2}}}}\n"
        );
        hub.get_mut().write_all(lines.as_bytes()).unwrap();
        assert_eq!(reply.blocking_recv().unwrap().unwrap(), "{}");
        assert_eq!([events.recv().unwrap(), events.recv().unwrap()], ["{\"seq\":1}", "{\"seq\":2}"]);
    }

    #[test]
    fn when_the_hub_goes_whoever_waits_hears_that_nothing_is_known() {
        let (link, mut hub) = pair();
        let reply = link.request(|id| json!({ "id": id }), None).unwrap();
        heard(&mut hub);
        drop(hub);
        assert!(reply.blocking_recv().is_err());
        assert!(link.is_over());
        assert_eq!(link.request(|id| json!({ "id": id }), None).unwrap_err(), Refusal::unreachable());
    }

    #[test]
    fn a_line_that_the_hub_would_hang_up_on_is_not_sent() {
        let (link, _hub) = pair();
        let refused = link.request(|_| json!("x".repeat(MAX_LINE)), None).unwrap_err();
        assert_eq!(refused.kind, "too_large");
        assert!(!link.is_over());
    }
}
