//! What waits.

use clap::Args;
use hotline_core::wire::{AskUserRequest, result};
use serde_json::Value;

use crate::client::{Connection, params};
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

#[derive(Args)]
pub(crate) struct Pending {
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
        let result = hub.call("agent.ask_pending", &filter(self.surface.as_deref()))?;
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

/// The asks that wait, oldest first.
pub(super) fn fetch(surface: Option<&str>, hub: &mut Connection) -> Result<Vec<AskUserRequest>, Problem> {
    let listed: result::Pending = hub.get("agent.ask_pending", &filter(surface))?;
    Ok(listed.pending)
}

fn filter(surface: Option<&str>) -> Value {
    params([("surface_id", surface.map(Value::from))])
}
