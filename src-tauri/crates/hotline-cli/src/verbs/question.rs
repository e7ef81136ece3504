//! What every kind of ask takes, and how it is written on the wire.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use hotline_core::wire::{Kind, MAX_TEXT};
use serde_json::Value;

use crate::client::params;
use crate::exit::Problem;

#[derive(Args)]
pub(super) struct Question {
    /// What is asked, in one line
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    title: String,
    /// More of it: any number of lines of plain text; a command to confirm
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// Take the body from a file, byte for byte; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "body", allow_hyphen_values = true)]
    body_file: Option<PathBuf>,
    /// Give up after so many milliseconds; 0 waits for ever, as does leaving it out
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=1 << 53))]
    timeout: Option<u64>,
    /// Mark it as dangerous
    #[arg(long = "unsafe")]
    is_unsafe: bool,
    /// What the asking agent calls itself, such as claude:1
    #[arg(long, visible_alias = "agent", value_name = "NAME", allow_hyphen_values = true)]
    agent_id: Option<String>,
    /// Where the ask belongs [default: $HT_SURFACE, else this pane, terminal or session]
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(super) surface: Option<String>,
    /// Print the whole result as JSON, however it ended
    #[arg(long)]
    pub(super) json: bool,
    /// How long to look for a hub that went away while waiting
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(super) reconnect: Duration,
    /// Name the ask, so that a later run with the same content comes back to it [default: a random one]
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub(super) idempotency_key: Option<String>,
}

impl Question {
    /// The params of `agent.ask_user`, all but the surface and the key.
    pub(super) fn params(
        &self,
        kind: Kind,
        default: Option<&str>,
        choices: Option<Value>,
    ) -> Result<Value, Problem> {
        let body = match (&self.body, &self.body_file) {
            (Some(body), _) => Some(body.clone()),
            (None, Some(file)) => Some(read(file)?),
            (None, None) => None,
        };
        Ok(params([
            ("kind", Some(kind.word().into())),
            ("title", Some(self.title.as_str().into())),
            ("body", body.map(Value::from)),
            ("agent_id", self.agent_id.as_deref().map(Value::from)),
            ("choices", choices),
            ("default", default.map(Value::from)),
            ("timeout_ms", self.timeout.map(Value::from)),
            ("unsafe", self.is_unsafe.then(|| true.into())),
        ]))
    }

    /// The timeout, if there is one.
    pub(super) fn timeout(&self) -> Option<Duration> {
        self.timeout.filter(|ms| *ms > 0).map(Duration::from_millis)
    }
}

/// A whole text file, or standard input.
pub(super) fn read(file: &Path) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    // One byte more than fits tells that it does not.
    let limit = MAX_TEXT as u64 + 1;
    let length = match file == Path::new("-") {
        true => io::stdin().take(limit).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    let unreadable = |why| Problem::Unreadable(file.to_owned(), why);
    if length.map_err(unreadable)? > MAX_TEXT {
        return Err(Problem::TooLong(MAX_TEXT));
    }
    String::from_utf8(bytes)
        .map_err(|why| unreadable(io::Error::new(ErrorKind::InvalidData, why.utf8_error())))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "a whole number of seconds is expected".to_owned())?;
    Ok(Duration::from_secs(seconds))
}
