//! Whether a hub is there, and which.

use clap::Args;
use hotline_core::wire::{PROTOCOL, result};
use serde_json::json;

use crate::client::Connection;
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

#[derive(Args)]
pub(super) struct Ping {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct Version {
    /// Print the hub's version as JSON
    #[arg(long)]
    json: bool,
}

impl Ping {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        let mut hub = Connection::open()?;
        let result = hub.call("system.ping", &json!({}))?;
        match self.json {
            true => out.json(&result)?,
            false => out.line(&show::line(&hub.read::<String>(&result)?))?,
        }
        Ok(Exit::Done)
    }
}

impl Version {
    pub(super) fn run(self, out: &Out) -> Result<Exit, Problem> {
        if self.json {
            let result = Connection::open()?.call("system.version", &json!({}))?;
            out.json(&result)?;
            return Ok(Exit::Done);
        }
        out.line(&format!("ht {} (protocol {PROTOCOL})", env!("CARGO_PKG_VERSION")))?;
        // Without a hub there is nothing more to say, and nothing wrong.
        if let Ok(mut connection) = Connection::open()
            && let Ok(result::Version { name, version, protocol }) =
                connection.get("system.version", &json!({}))
        {
            out.line(&format!("{} {} (protocol {protocol})", show::line(&name), show::line(&version)))?;
        }
        Ok(Exit::Done)
    }
}
