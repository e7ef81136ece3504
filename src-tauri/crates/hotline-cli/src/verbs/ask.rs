//! Asking: one call that returns when a person has answered, through losses of the hub in between.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use hotline_core::wire::result::Pending;
use hotline_core::wire::{AskUserRequest, AskUserResponse, AskedAction, Kind};
use hotline_core::words::fill;
use serde_json::{Value, json};

use super::choices::Written;
use super::question::Question;
use crate::client::{Connection, Incoming};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::watch::{Wake, Watch};
use crate::{show, surface};

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

/// Why an ask was taken back, for the history.
const WITHDRAWN: &str = "withdrawn by the asker";
/// How long taking it back may take.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long a connection has to last to count as the hub being back.
const STEADY: Duration = Duration::from_secs(2);

#[derive(Args)]
pub(crate) struct Yesno {
    #[command(flatten)]
    question: Question,
    /// Which answer is preselected: yes or no
    #[arg(long, value_name = "ANSWER", allow_hyphen_values = true)]
    default: Option<String>,
}

#[derive(Args)]
pub(crate) struct ChoiceOf {
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
pub(crate) struct Text {
    #[command(flatten)]
    question: Question,
    /// What the field is filled with at first
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    default: Option<String>,
}

#[derive(Args)]
pub(crate) struct ConfirmCommand {
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
    let ask = Ask { params, key, path: hub.path().to_owned(), reconnect: question.reconnect, watch, out };
    match ask.until_it_ends(hub)? {
        Ending::Response(json) => tell(&json, &ask.path, question, out),
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
    let texts = &out.words().ht;
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
            let because = |reason: String| fill(texts.cancelled_because, &[("reason", &show::line(&reason))]);
            out.complain(&reason.map_or_else(|| texts.cancelled.to_owned(), because));
            Ok(Exit::Cancelled)
        }
        (AskedAction::Timeout, _) => {
            let time = out.time(question.timeout().unwrap_or_default());
            out.complain(&fill(texts.timed_out, &[("time", &time)]));
            Ok(Exit::TimedOut)
        }
    }
}

/// How waiting ended.
enum Ending {
    /// With a response, as JSON.
    Response(String),
    /// With a signal; the ask is taken back.
    Signal(u8),
    /// Nobody reads our stdout any more; the ask is taken back.
    Unheard,
}

/// An ask that has to come to an end.
struct Ask<'a> {
    params: Value,
    key: String,
    path: PathBuf,
    reconnect: Duration,
    watch: Watch,
    out: &'a Out,
}

impl Ask<'_> {
    /// Asks, and asks again under the same key whenever the hub is lost.
    fn until_it_ends(&self, mut hub: Connection) -> Result<Ending, Problem> {
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
                Ok(hub) => hub,
                Err(ending) => return Ok(ending),
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
            match self.watch.wait(Some(hub.fd()), None) {
                Wake::Readable => hub.receive()?,
                Wake::Signal(signal) => {
                    self.withdraw(Some(hub));
                    return Ok(Ending::Signal(signal));
                }
                Wake::ReaderGone => {
                    self.withdraw(Some(hub));
                    return Ok(Ending::Unheard);
                }
                Wake::Elapsed => {}
            }
        }
    }

    /// Looks for the hub, less and less often, until it has been away for too long.
    fn find_again(&self, since: Instant) -> Result<Result<Connection, Ending>, Problem> {
        let out = self.out;
        let left = || self.reconnect.saturating_sub(since.elapsed());
        if !left().is_zero() {
            out.remark(&fill(out.words().ht.hub_away, &[("time", &out.time(left()))]));
        }
        let mut pause = Duration::from_millis(50);
        while !left().is_zero() {
            match self.watch.wait(None, Some(pause.min(left()))) {
                Wake::Elapsed | Wake::Readable => {}
                Wake::Signal(signal) => {
                    self.withdraw(None);
                    return Ok(Err(Ending::Signal(signal)));
                }
                Wake::ReaderGone => {
                    self.withdraw(None);
                    return Ok(Err(Ending::Unheard));
                }
            }
            if let Ok(hub) = Connection::open_at(&self.path, FAREWELL) {
                out.remark(out.words().ht.hub_back);
                return Ok(Ok(hub));
            }
            pause = (pause * 2).min(Duration::from_secs(2));
        }
        Err(Problem::Gone(self.reconnect))
    }

    /// Takes the ask back: behind itself on its own connection, else on a fresh one.
    ///
    /// Where the hub cannot be reached the ask ends by itself, since nobody comes back for it.
    fn withdraw(&self, hub: Option<&mut Connection>) {
        let params = json!({ "idempotency_key": self.key, "reason": WITHDRAWN });
        let cancel = |hub: &mut Connection| hub.call_within("agent.ask_cancel", &params, FAREWELL);
        if let None | Some(Err(Problem::Lost(_))) = hub.map(cancel)
            && let Ok(mut hub) = Connection::open_at(&self.path, FAREWELL)
        {
            let _ = cancel(&mut hub);
        }
    }

    /// Names the ask that waits: the newest with our content.
    fn say_what_waits(&self, pending: &str) {
        let Ok(Pending { pending }) = serde_json::from_str(pending) else { return };
        let is_ours = |request: &&AskUserRequest| {
            request.kind.word() == self.params["kind"] && request.title == self.params["title"]
        };
        if let Some(request) = pending.iter().rfind(is_ours) {
            let id = show::line(&request.request_id);
            self.out.remark(&fill(self.out.words().ht.waiting, &[("id", &id)]));
        }
    }
}

/// 128 random bits in hexadecimal.
fn random_key() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("ht-{:032x}", u128::from_be_bytes(bytes)))
}
