//! `ht`: ask a person from a shell, and answer from another.
//!
//! [`verbs`] has one file for each command; they talk to the hub through [`client`] and to the person and
//! the script through [`out`]. How a run ends is an [`exit::Exit`]; why it failed, an [`exit::Problem`].

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
        Ok(ht) => match ht.verb.run(&out) {
            Ok(exit) => exit.into(),
            Err(problem) => {
                out.complain(&problem.sentence(&out));
                problem.exit().into()
            }
        },
        Err(usage) => verbs::explain(&usage, &out).into(),
    }
}
