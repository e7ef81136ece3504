//! Waiting for an answer, through losses of the hub, until something ends it.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use hotline_core::wire::result::Pending;
use hotline_core::wire::{AskUserRequest, Choice};
use hotline_core::words::fill;
use serde_json::{Value, json};

use crate::client::{Connection, Incoming};
use crate::exit::Problem;
use crate::out::Out;
use crate::show;
use crate::watch::{Wake, Watch};

/// Why an ask was taken back, for the history.
const WITHDRAWN: &str = "withdrawn by the asker";
/// How long taking it back may take.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long a connection has to last to count as the hub being back.
const STEADY: Duration = Duration::from_secs(2);

/// How waiting ended.
pub(super) enum Ending {
    /// With a response, as JSON.
    Response(String),
    /// With a signal; the ask is taken back.
    Signal(u8),
    /// Nobody reads our stdout any more; the ask is taken back.
    Unheard,
}

/// An ask that has to come to an end.
pub(super) struct Waiting<'a> {
    /// Of `agent.ask_user`, the key included.
    pub(super) params: Value,
    /// What lets us come back to it.
    pub(super) key: String,
    /// The hub's socket.
    pub(super) path: &'a Path,
    /// How long to look for a hub that went away.
    pub(super) reconnect: Duration,
    pub(super) watch: Watch,
    pub(super) out: &'a Out,
}

impl Waiting<'_> {
    /// Asks, and asks again under the same key whenever the hub is lost.
    pub(super) fn until_it_ends(&self, mut hub: Connection) -> Result<Ending, Problem> {
        let mut lost_at: Option<Instant> = None;
        loop {
            let began = Instant::now();
            match self.once(&mut hub) {
                Err(Problem::Lost(_)) => {}
                Err(Problem::Refused(refusal)) if refusal.is_farewell() => {}
                ended => return ended,
            }
            if began.elapsed() > STEADY {
                lost_at = None;
            }
            let since = *lost_at.get_or_insert_with(Instant::now);
            hub = match self.find_again(since)? {
                ControlFlow::Continue(hub) => hub,
                ControlFlow::Break(ending) => return Ok(ending),
            };
        }
    }

    /// Asks on one connection and waits there.
    fn once(&self, hub: &mut Connection) -> Result<Ending, Problem> {
        let id = hub.send("agent.ask_user", &self.params)?;
        // The hub names an ask only when it ends; a person who waits wants the name now.
        let listing = match self.out.stderr_is_terminal {
            true => Some(hub.send("agent.ask_pending", &json!({ "surface_id": self.params["surface_id"] }))?),
            false => None,
        };
        loop {
            while let Some(incoming) = hub.next()? {
                match incoming {
                    Incoming::Reply(replied, result) if replied == id => {
                        return result.map(Ending::Response).map_err(Problem::Refused);
                    }
                    Incoming::Reply(replied, Ok(pending)) if Some(replied) == listing => {
                        self.say_what_waits(&pending);
                    }
                    Incoming::Reply(..) | Incoming::Event(_) => {}
                }
            }
            let wake = self.watch.wait(Some(hub.fd()), None);
            if let Some(ending) = self.interrupted(wake, Some(hub)) {
                return Ok(ending);
            }
            if wake == Wake::Readable {
                hub.receive()?;
            }
        }
    }

    /// Looks for the hub, less and less often, until it has been away for too long.
    fn find_again(&self, since: Instant) -> Result<ControlFlow<Ending, Connection>, Problem> {
        let (out, texts) = (self.out, &self.out.words().ht);
        let left = || self.reconnect.saturating_sub(since.elapsed());
        if !left().is_zero() {
            out.remark(&fill(texts.hub_away, &[("time", &show::time(left(), out.language))]));
        }
        let mut pause = Duration::from_millis(50);
        while !left().is_zero() {
            let wake = self.watch.wait(None, Some(pause.min(left())));
            if let Some(ending) = self.interrupted(wake, None) {
                return Ok(ControlFlow::Break(ending));
            }
            if let Ok(hub) = Connection::open_at(self.path, FAREWELL) {
                out.remark(texts.hub_back);
                return Ok(ControlFlow::Continue(hub));
            }
            pause = (pause * 2).min(Duration::from_secs(2));
        }
        Err(Problem::Gone(self.reconnect))
    }

    /// How the wait ends where a signal or a reader that left ends it; the ask is taken back then.
    fn interrupted(&self, wake: Wake, hub: Option<&mut Connection>) -> Option<Ending> {
        let ending = match wake {
            Wake::Signal(signal) => Ending::Signal(signal),
            Wake::ReaderGone => Ending::Unheard,
            Wake::Readable | Wake::Elapsed => return None,
        };
        self.withdraw(hub);
        Some(ending)
    }

    /// Takes the ask back: behind itself on its own connection, else on a fresh one.
    ///
    /// Where the hub cannot be reached the ask ends by itself, since nobody comes back for it.
    fn withdraw(&self, hub: Option<&mut Connection>) {
        let params = json!({ "idempotency_key": self.key, "reason": WITHDRAWN });
        let cancel = |hub: &mut Connection| hub.call_within("agent.ask_cancel", &params, FAREWELL);
        if let None | Some(Err(Problem::Lost(_))) = hub.map(cancel)
            && let Ok(mut hub) = Connection::open_at(self.path, FAREWELL)
        {
            let _ = cancel(&mut hub);
        }
    }

    /// Names the ask that waits: the newest with our content.
    fn say_what_waits(&self, pending: &str) {
        let Ok(Pending { pending }) = serde_json::from_str(pending) else { return };
        if let Some(request) = pending.iter().rfind(|request| is_asked(&self.params, request)) {
            let id = show::line(&request.request_id);
            self.out.remark(&fill(self.out.words().ht.waiting, &[("id", &id)]));
        }
    }
}

/// Whether these params ask what this ask shows: its kind, title, body and choices.
fn is_asked(params: &Value, request: &AskUserRequest) -> bool {
    let offered = |choice: &Value| {
        let id = choice["id"].as_str().unwrap_or_default();
        let label = choice["label"].as_str().filter(|label| !label.is_empty()).unwrap_or(id);
        Choice { id: id.to_owned(), label: label.to_owned() }
    };
    let choices = params["choices"].as_array().map(|choices| choices.iter().map(offered).collect());
    params["kind"] == request.kind.word()
        && params["title"] == request.title
        && params["body"].as_str() == request.body.as_deref()
        && choices == request.choices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ask_is_known_by_everything_that_it_shows() {
        let params = json!({
            "kind": "choice", "title": "T", "body": "b",
            "choices": [{ "id": "a" }, { "id": "b", "label": "B" }],
        });
        let request = |body: &str, label: &str| -> AskUserRequest {
            let choices = json!([{ "id": "a", "label": "a" }, { "id": "b", "label": label }]);
            let request = json!({ "request_id": "req:1", "surface_id": "s", "kind": "choice", "title": "T",
                "body": body, "choices": choices, "created_at": 1 });
            serde_json::from_value(request).unwrap()
        };
        assert!(is_asked(&params, &request("b", "B")));
        assert!(!is_asked(&params, &request("c", "B")));
        assert!(!is_asked(&params, &request("b", "C")));
        let plain = json!({ "kind": "text", "title": "T" });
        assert!(!is_asked(&plain, &request("b", "B")));
    }
}
