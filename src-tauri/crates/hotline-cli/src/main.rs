//! `ht`: ask a person from a shell, and answer from another.
//!
//! - [`verbs`]: the command line, one file for each verb;
//! - [`client`]: the hub at the other end of the socket, whose user [`peer`] asks the kernel for;
//! - [`watch`]: waiting for the hub, a signal, a reader that leaves, and time, all at once;
//! - [`surface`]: where an ask comes from, when nobody says it;
//! - [`show`]: asks as lines for a person; [`out`]: the two streams that they and the values go to;
//! - [`exit`]: how a run ends, and why it failed.

mod client;
mod exit;
mod out;
mod peer;
mod show;
mod surface;
mod verbs;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use out::Out;
use verbs::Ht;

fn main() -> ExitCode {
    let out = Out::new();
    match Ht::try_parse() {
        Ok(ht) => match ht.run(&out) {
            Ok(exit) => exit.into(),
            Err(problem) => {
                out.complain(&problem.sentence(out.language));
                problem.exit().into()
            }
        },
        Err(usage) => verbs::explain(&usage, &out).into(),
    }
}
