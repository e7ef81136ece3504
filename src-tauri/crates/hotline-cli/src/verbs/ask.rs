//! Asking: what is asked, and what is printed when a person has answered. [`wait`] is what happens in between.

mod wait;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use hotline_core::wire::{AskUserResponse, AskedAction, Kind};
use hotline_core::words::fill;
use serde_json::Value;

use super::choices::Written;
use super::question::Question;
use crate::client::Connection;
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::watch::Watch;
use crate::{show, surface};
use wait::{Ending, Waiting};

pub(super) const EXIT_CODES: &str = "\
Exit codes of asking:
  0   answered; the answer, and nothing else, is on stdout
  1   the hub refused the ask
  2   timed out
  3   cancelled; the reason is on stderr
  64  wrong usage
  69  no hub is running, or it went away for good
  74  nobody reads the answer; an ask that still waited was withdrawn
  129, 130, 143   withdrawn by HUP, INT (Ctrl-C), TERM

Without an answer the exit code is never 0.";

#[derive(Args)]
pub(super) struct Yesno {
    #[command(flatten)]
    question: Question,
    /// Which answer is preselected: yes or no
    #[arg(long, value_name = "ANSWER", allow_hyphen_values = true)]
    default: Option<String>,
}

#[derive(Args)]
pub(super) struct ChoiceOf {
    #[command(flatten)]
    question: Question,
    /// The choices, separated by commas: an id each, or id:Label
    #[arg(long, value_name = "ID[:LABEL],…", value_delimiter = ',', value_parser = Written::in_list)]
    #[arg(required_unless_present = "choice", allow_hyphen_values = true)]
    choices: Vec<Written>,
    /// One choice; repeat it for the next
    #[arg(long, value_name = "ID[=LABEL]", value_parser = Written::alone, allow_hyphen_values = true)]
    choice: Vec<Written>,
    /// Which choice is preselected: its id
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    default: Option<String>,
}

#[derive(Args)]
pub(super) struct Text {
    #[command(flatten)]
    question: Question,
    /// What the field is filled with at first
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    default: Option<String>,
}

#[derive(Args)]
pub(super) struct ConfirmCommand {
    #[command(flatten)]
    question: Question,
}

impl Yesno {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let params = self.question.params(Kind::YesNo, self.default.as_deref(), None)?;
        ask(&self.question, params, out)
    }
}

impl ChoiceOf {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let choices: Value = self.choices.iter().chain(&self.choice).map(Written::to_wire).collect();
        let params = self.question.params(Kind::Choice, self.default.as_deref(), Some(choices))?;
        ask(&self.question, params, out)
    }
}

impl Text {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let params = self.question.params(Kind::Text, self.default.as_deref(), None)?;
        ask(&self.question, params, out)
    }
}

impl ConfirmCommand {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let params = self.question.params(Kind::ConfirmCommand, None, None)?;
        ask(&self.question, params, out)
    }
}

fn ask(question: &Question, mut params: Value, out: &Out) -> Result<Exit, Problem> {
    let mut hub = Connection::open()?;
    params["surface_id"] = surface::find(question.surface.as_deref(), &mut hub)?.into();
    let key = match &question.idempotency_key {
        Some(key) => key.clone(),
        None => random_key().map_err(Problem::System)?,
    };
    params["idempotency_key"] = key.as_str().into();
    // From here on, to end is to withdraw.
    let watch = Watch::signals().map_err(Problem::System)?;
    let path = hub.path().to_owned();
    let waiting = Waiting { params, key, path: &path, reconnect: question.reconnect, watch, out };
    match waiting.until_it_ends(hub)? {
        Ending::Response(json) => tell(&json, &path, question, out),
        Ending::Signal(signal) => {
            out.remark(out.words().ht.withdrawn);
            Ok(Exit::Signal(signal))
        }
        Ending::Unheard => Err(Problem::Output),
    }
}

/// Prints how the ask ended.
fn tell(json: &str, path: &Path, question: &Question, out: &Out) -> Result<Exit, Problem> {
    let garbled = || Problem::Garbled(path.to_owned());
    let response: AskUserResponse = serde_json::from_str(json).map_err(|_| garbled())?;
    if question.json {
        out.json(json)?;
    }
    let texts = out.words();
    match (response.action, response.value) {
        (AskedAction::Ok, Some(value)) => {
            if !question.json {
                out.value(&value)?;
            }
            Ok(Exit::Done)
        }
        // An answer without a value is none.
        (AskedAction::Ok, None) => Err(garbled()),
        (AskedAction::Cancel, _) => {
            let reason = response.reason.filter(|reason| !reason.is_empty());
            out.complain(&match reason {
                Some(reason) => fill(texts.common.cancelled_because, &[("reason", &show::line(&reason))]),
                None => texts.ht.cancelled.to_owned(),
            });
            Ok(Exit::Cancelled)
        }
        (AskedAction::Timeout, _) => {
            let time = show::time(question.timeout().unwrap_or_default(), out.language);
            out.complain(&fill(texts.ht.timed_out, &[("time", &time)]));
            Ok(Exit::TimedOut)
        }
    }
}

/// 128 random bits in hexadecimal.
fn random_key() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("ht-{:032x}", u128::from_be_bytes(bytes)))
}
