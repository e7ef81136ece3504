//! Following what happens.

use clap::Args;
use hotline_core::display;
use hotline_core::wire::EventChannel;
use hotline_core::wire::event::{AskUserEvent, NotificationEvent};
use hotline_core::words::Language;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{Connection, Incoming, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;
use crate::watch::{Wake, Watch};

#[derive(Args)]
pub(super) struct Events {
    /// Which channels, separated by commas [default: all]
    #[arg(long, value_name = "CHANNEL,…", value_delimiter = ',')]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(EventChannel::WORDS))]
    channels: Vec<String>,
    /// Print every event as JSON, one a line
    #[arg(long)]
    json: bool,
}

impl Events {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let watch = Watch::nothing().map_err(Problem::System)?;
        let mut hub = Connection::open()?;
        let channels = (!self.channels.is_empty()).then(|| json!(self.channels));
        hub.send("events.subscribe", &params([("channels", channels)]))?;
        loop {
            while let Some(incoming) = hub.next()? {
                match incoming {
                    Incoming::Event(json) if self.json => out.json(&json)?,
                    Incoming::Event(json) => {
                        if let Some(told) = tell(&json, out.language) {
                            out.line(&told)?;
                        }
                    }
                    Incoming::Reply(_, Ok(_)) => {}
                    Incoming::Reply(_, Err(refusal)) => return Err(Problem::Refused(refusal)),
                }
            }
            match watch.wait(Some(hub.fd()), None) {
                Wake::Readable => hub.receive()?,
                // The reader has had enough, as in `ht events | head -1`.
                Wake::ReaderGone => return Ok(Exit::Done),
                Wake::Signal(_) | Wake::Elapsed => {}
            }
        }
    }
}

/// An event for a person; none where nothing happened, as in an empty snapshot.
fn tell(json: &str, language: Language) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        channel: EventChannel,
    }
    let plain = || Some(display::json_for_terminal(json).into_owned());
    let Ok(Head { channel }) = serde_json::from_str(json) else { return plain() };
    match channel {
        EventChannel::AskUserEvent => match serde_json::from_str(json) {
            Ok(AskUserEvent::Shown { request }) => Some(show::ask(&request, language)),
            Ok(AskUserEvent::Resolved { request_id, response, by }) => {
                let outcome = show::outcome(&response, Some(&by), None, language);
                Some(format!("{}  → {outcome}", show::line(&request_id)))
            }
            Ok(AskUserEvent::Snapshot { pending }) if pending.is_empty() => None,
            Ok(AskUserEvent::Snapshot { pending }) => {
                let asks: Vec<String> = pending.iter().map(|request| show::ask(request, language)).collect();
                Some(asks.join("\n"))
            }
            Err(_) => plain(),
        },
        EventChannel::NotificationEvent => match serde_json::from_str(json) {
            Ok(NotificationEvent::Created { title, body, level, .. }) => {
                let level: Value = json!(level);
                let level = level.as_str().unwrap_or_default().to_owned();
                let body = body.filter(|body| !body.is_empty());
                let body = body.map_or_else(String::new, |body| format!(" · {}", show::line(&body)));
                Some(format!("[{level}] {}{body}", show::line(&title)))
            }
            Err(_) => plain(),
        },
        EventChannel::AgentEvent | EventChannel::MeshEvent => plain(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_in_words_and_cleaned() {
        let told = |json| tell(json, Language::English).unwrap_or_default();
        let resolved = r#"{"channel":"askUserEvent","seq":2,"kind":"resolved","request_id":"req:1",
            "response":{"request_id":"req:1","action":"ok","value":"a\u001bb"},"by":{"channel":"cli","who":"me"}}"#;
        assert_eq!(told(resolved), "req:1  → Answered with ht (me) just now: a⟦U+001B⟧b");
        let notice = r#"{"channel":"notificationEvent","seq":1,"kind":"created","id":"notification:1",
            "title":"Built","level":"success"}"#;
        assert_eq!(told(notice), "[success] Built");
        let empty = r#"{"channel":"askUserEvent","seq":1,"kind":"snapshot","pending":[]}"#;
        assert_eq!(told(empty), "");
        let unknown = "{\"channel\":\"agentEvent\",\"kind\":\"\u{9b}x\"}";
        assert_eq!(told(unknown), r#"{"channel":"agentEvent","kind":"\u009bx"}"#);
    }
}
