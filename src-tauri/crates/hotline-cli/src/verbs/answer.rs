//! Answering what others ask: acknowledge, answer, cancel.

use clap::Args;
use hotline_core::wire::ErrorKind;
use hotline_core::wire::result::Acked;
use hotline_core::words::fill;
use serde_json::json;

use super::confirm;
use super::outcome::{ack_time, acknowledged, not_waiting, report};
use crate::client::{Connection, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0   done
  1   the hub refused, or the id is not waiting (any more)
  4   nothing was sent
  64  wrong usage
  69  no hub is running";

#[derive(Args)]
pub(super) struct Ack {
    /// Which ask: req:3, or 3 for short
    #[arg(value_parser = super::request_id)]
    id: String,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct Answer {
    /// Which ask: req:3, or 3 for short
    #[arg(value_parser = super::request_id)]
    id: String,
    /// yes or no, the id of a choice, any text, or run
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
pub(super) struct Cancel {
    /// Which ask: req:3, or 3 for short
    #[arg(value_parser = super::request_id)]
    id: String,
    /// Why, for the one who asked
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Ack {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let result = hub.call("agent.ask_ack", &json!({ "request_id": self.id }))?;
        let Acked { acked } = hub.read(&result)?;
        if self.json {
            out.json(&result)?;
        }
        match acked {
            true => Ok(acknowledged(&self.id, out)),
            false => Ok(not_waiting(&self.id, &mut hub, out)),
        }
    }
}

impl Answer {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let result = hub.call("agent.ask_answer", &json!({ "request_id": self.id, "value": self.value }));
        match result {
            Ok(result) => report(&result, &self.id, self.json, &mut hub, out),
            Err(Problem::Refused(refusal)) if refusal.is(ErrorKind::AckRequired) => {
                if confirm::is_possible() {
                    confirm::both_steps(&self.id, self.json, &mut hub, out)
                } else {
                    let texts = &out.words().ht;
                    let (id, time) = (show::line(&self.id), ack_time(out.language));
                    let about = |text| fill(text, &[("id", &id), ("time", &time)]);
                    out.complain(&format!("{}\n{}", about(texts.ack_needed), about(texts.ack_needed_hint)));
                    Ok(Exit::Refused)
                }
            }
            Err(problem) => Err(problem),
        }
    }
}

impl Cancel {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let params =
            params([("request_id", Some(self.id.as_str().into())), ("reason", self.reason.map(Into::into))]);
        let result = hub.call("agent.ask_cancel", &params)?;
        report(&result, &self.id, self.json, &mut hub, out)
    }
}
