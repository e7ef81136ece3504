//! What waits.

use clap::Args;
use hotline_core::wire::result;
use serde_json::Value;

use crate::client::{Connection, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

#[derive(Args)]
pub(super) struct Pending {
    /// Only what this surface asks
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    surface: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Pending {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let result =
            hub.call("agent.ask_pending", &params([("surface_id", self.surface.map(Value::from))]))?;
        if self.json {
            out.json(&result)?;
            return Ok(Exit::Done);
        }
        let result::Pending { pending } = hub.read(&result)?;
        if pending.is_empty() {
            out.remark(out.words().ht.nothing_waits);
        }
        for request in &pending {
            out.line(&show::ask(request, out.language))?;
        }
        Ok(Exit::Done)
    }
}
