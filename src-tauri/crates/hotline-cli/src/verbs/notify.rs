//! Telling the person something that needs no answer.

use std::path::PathBuf;

use clap::Args;
use hotline_core::wire::event::Level;
use serde_json::Value;

use super::question::read;
use crate::client::{Connection, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::surface;

#[derive(Args)]
pub(super) struct Notify {
    /// What to say, in one line
    #[arg(value_name = "TITLE", required_unless_present = "title", conflicts_with = "title")]
    said: Option<String>,
    /// The same, as an option
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    title: Option<String>,
    /// More of it
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// Take the body from a file; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "body", allow_hyphen_values = true)]
    body_file: Option<PathBuf>,
    /// How serious it is
    #[arg(long, default_value = "info")]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(Level::WORDS))]
    level: String,
    /// What it is about [default: $HT_SURFACE, else this pane]
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    surface: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Notify {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let from_file = self.body_file.as_deref().map(read).transpose()?;
        let mut hub = Connection::open()?;
        let surface = surface::pane(self.surface.as_deref(), &mut hub)?;
        let params = params([
            ("title", self.said.or(self.title).map(Value::from)),
            ("body", self.body.or(from_file).map(Value::from)),
            ("level", Some(self.level.into())),
            ("surface_id", surface.map(Value::from)),
        ]);
        let result = hub.call("notification.create", &params)?;
        if self.json {
            out.json(&result)?;
        }
        Ok(Exit::Done)
    }
}
