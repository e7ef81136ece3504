//! What was asked, and how it ended.

use clap::Args;
use hotline_core::wire::result;
use serde_json::Value;

use crate::client::{Connection, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

#[derive(Args)]
pub(super) struct History {
    /// How many asks, at most 500
    #[arg(long, short = 'n', value_name = "N", default_value = "50")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=500))]
    limit: u64,
    /// Only asks older than this one
    #[arg(long, value_name = "ASK", value_parser = super::request_id)]
    before: Option<String>,
    /// Only what this surface asked
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    surface: Option<String>,
    /// Only what an agent of this name asked
    #[arg(long, visible_alias = "agent", value_name = "NAME", allow_hyphen_values = true)]
    agent_id: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl History {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let params = params([
            ("limit", Some(self.limit.into())),
            ("before", self.before.map(Value::from)),
            ("surface_id", self.surface.map(Value::from)),
            ("agent_id", self.agent_id.map(Value::from)),
        ]);
        let result = hub.call("agent.ask_history", &params)?;
        if self.json {
            out.json(&result)?;
            return Ok(Exit::Done);
        }
        let page: result::History = hub.read(&result)?;
        if page.entries.is_empty() {
            out.remark(out.words().history.empty);
        }
        for record in &page.entries {
            out.line(&show::record(record, out.language))?;
        }
        Ok(Exit::Done)
    }
}
