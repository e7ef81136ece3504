//! The command line: what can be said to `ht`, one file for each verb.

mod answer;
mod ask;
mod choices;
mod confirm;
mod events;
mod history;
mod notify;
mod outcome;
mod pending;
mod question;
mod system;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use hotline_core::display::{self, Context};

use crate::exit::{Exit, Problem};
use crate::out::Out;

/// Ask the person at this machine, and answer agents that ask.
#[derive(Parser)]
#[command(name = "ht", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Ht {
    #[command(subcommand)]
    verb: Verb,
}

impl Ht {
    /// Does what was said.
    pub(crate) fn run(self, out: &Out) -> Result<Exit, Problem> {
        self.verb.run(out)
    }
}

const EXAMPLES: &str = "\
Examples:
  ht ask yesno --title \"Run the install?\"
  ht ask pending
  ht ask answer req:3 yes
  ht notify \"The build is green\"

The socket is $HT_SOCKET_PATH, else the running hub's usual place.";

#[derive(Subcommand)]
enum Verb {
    /// Ask a person, or answer what others ask
    #[command(subcommand, after_help = ask::EXIT_CODES)]
    Ask(AskVerb),
    /// Tell the person something that needs no answer
    Notify(notify::Notify),
    /// Follow what happens, until Ctrl-C
    Events(events::Events),
    /// Say PONG if a hub is running
    Ping(system::Ping),
    /// Print the versions of ht and of the hub
    Version(system::Version),
    /// Print the completion script of a shell
    ///
    /// Example: ht completions bash > ~/.local/share/bash-completion/completions/ht
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Subcommand)]
enum AskVerb {
    /// Ask for yes or no
    ///
    /// Example: ht ask yesno --title "Run the install?" --default no
    #[command(after_help = ask::EXIT_CODES)]
    Yesno(ask::Yesno),
    /// Ask for one of several choices
    ///
    /// Example: ht ask choice --title "Which branch?" --choices main,dev:Development
    #[command(after_help = ask::EXIT_CODES)]
    Choice(ask::ChoiceOf),
    /// Ask for any text
    ///
    /// Example: ht ask text --title "Commit message?" --default "Fix the build"
    #[command(after_help = ask::EXIT_CODES)]
    Text(ask::Text),
    /// Ask whether a command may run; takes two steps to say yes
    ///
    /// Prints "run" and ends with 0 only after a person approved; ht itself runs nothing.
    ///
    /// Example: ht ask confirm-command --title "Clean up?" --body "rm -rf build" --unsafe
    #[command(after_help = ask::EXIT_CODES)]
    ConfirmCommand(ask::ConfirmCommand),
    /// List what waits for an answer, oldest first
    Pending(pending::Pending),
    /// Say that a command was read: the first step, valid for 2 min
    ///
    /// Example: ht ask ack req:3 && ht ask answer req:3 run
    Ack(answer::Ack),
    /// Answer what another asks
    ///
    /// Example: ht ask answer req:3 yes
    ///
    /// A command takes two steps: "ht ask ack ID", then "ht ask answer ID run". On a terminal, answering
    /// "run" alone shows the command and asks for both.
    #[command(after_help = answer::EXIT_CODES)]
    Answer(answer::Answer),
    /// End an ask without an answer
    ///
    /// Example: ht ask cancel req:3 --reason "not today"
    #[command(after_help = answer::EXIT_CODES)]
    Cancel(answer::Cancel),
    /// List asks and how they ended, newest first
    History(history::History),
}

impl Verb {
    fn run(self, out: &Out) -> Result<Exit, Problem> {
        match self {
            Self::Ask(verb) => verb.run(out),
            Self::Notify(notify) => notify.run(out),
            Self::Events(events) => events.run(out),
            Self::Ping(ping) => ping.run(out),
            Self::Version(version) => version.run(out),
            Self::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Ht::command(), "ht", &mut script);
                out.line(String::from_utf8_lossy(&script).trim_end())?;
                Ok(Exit::Done)
            }
        }
    }
}

impl AskVerb {
    fn run(self, out: &Out) -> Result<Exit, Problem> {
        match self {
            Self::Yesno(ask) => ask.run(out),
            Self::Choice(ask) => ask.run(out),
            Self::Text(ask) => ask.run(out),
            Self::ConfirmCommand(ask) => ask.run(out),
            Self::Pending(pending) => pending.run(out),
            Self::Ack(ack) => ack.run(out),
            Self::Answer(answer) => answer.run(out),
            Self::Cancel(cancel) => cancel.run(out),
            Self::History(history) => history.run(out),
        }
    }
}

/// Prints help or the version, or says what is wrong with the command line.
pub(crate) fn explain(usage: &clap::Error, out: &Out) -> Exit {
    match usage.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match usage.print() {
            Ok(()) => Exit::Done,
            Err(_) => Exit::OutputLost,
        },
        _ => {
            // It quotes what was typed, which may hold anything.
            let message = usage.render().to_string();
            out.complain(display::show(message.trim_end(), Context::Block).as_ref());
            Exit::Usage
        }
    }
}

/// `3` and `req:3` name the same ask.
fn request_id(id: &str) -> Result<String, std::convert::Infallible> {
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    Ok(if is_number { format!("req:{id}") } else { id.to_owned() })
}

#[cfg(test)]
mod tests {
    use hotline_core::words::Language;

    use super::*;

    fn kind(line: &[&str]) -> Option<ErrorKind> {
        Ht::try_parse_from(["ht"].iter().chain(line)).err().map(|error| error.kind())
    }

    #[test]
    fn the_command_line_is_consistent() {
        Ht::command().debug_assert();
    }

    #[test]
    fn values_may_begin_with_a_dash() {
        for line in [
            &["ask", "text", "--title", "--x"][..],
            &["ask", "text", "--title=-x", "--default", "-1", "--body", "--"],
            &["ask", "answer", "3", "--", "-rf"],
            &["ask", "answer", "3", "-1"],
            &["ask", "cancel", "3", "--reason", "-"],
            &["ask", "choice", "--title", "T", "--choices", "-a,-b", "--choice", "-c=-d"],
            &["notify", "--title", "-x", "--body", "-y"],
        ] {
            assert_eq!(kind(line), None, "{line:?}");
        }
    }

    #[test]
    fn options_after_the_answer_are_options() {
        let Ok(Ht { verb: Verb::Ask(AskVerb::Answer(answer)) }) =
            Ht::try_parse_from(["ht", "ask", "answer", "3", "yes", "--json"])
        else {
            panic!("it parses")
        };
        assert!(answer.json);
    }

    #[test]
    fn what_makes_no_sense_is_refused_here() {
        for line in [
            &[][..],
            &["ask"],
            &["ask", "maybe"],
            &["ask", "yesno"],
            &["ask", "choice", "--title", "T"],
            &["ask", "yesno", "--title", "T", "--choices", "a"],
            &["ask", "confirm-command", "--title", "T", "--default", "run"],
            &["ask", "yesno", "--title", "T", "--timeout", "-1"],
            &["ask", "yesno", "--title", "T", "--timeout", "9007199254740993"],
            &["ask", "yesno", "--title", "T", "--timeout", "1.5"],
            &["ask", "yesno", "--title", "T", "--body", "a", "--body-file", "b"],
            &["ask", "choice", "--title", "T", "--choices", "a,,b"],
            &["ask", "answer", "3"],
            &["ask", "history", "--limit", "0"],
            &["notify"],
            &["completions", "cobol"],
        ] {
            assert!(kind(line).is_some(), "{line:?}");
        }
    }

    #[test]
    fn the_help_says_how_long_an_acknowledgement_lasts() {
        let valid = format!("valid for {}", outcome::ack_time(Language::English));
        let mut help = Ht::command().find_subcommand_mut("ask").unwrap().clone();
        assert!(help.render_long_help().to_string().contains(&valid), "{valid}");
    }

    #[test]
    fn a_number_is_an_id() {
        let ids = ["3", "req:3", "", "x", "-3"].map(|id| request_id(id).unwrap());
        assert_eq!(ids, ["req:3", "req:3", "", "x", "-3"]);
    }
}
