//! The two streams: values and lists for scripts on stdout, sentences for people on stderr.

use std::io::{self, IsTerminal, Write};

use hotline_core::display::{self, Context};
use hotline_core::words::{Language, Words};

use crate::exit::Problem;

/// Where `ht` prints, and in which language.
pub(crate) struct Out {
    /// Of the sentences.
    pub(crate) language: Language,
    /// Whether stdout is a terminal: nothing that it would obey may reach it.
    stdout_is_terminal: bool,
    /// Whether somebody reads along on stderr.
    pub(crate) stderr_is_terminal: bool,
}

impl Out {
    /// The streams of this process; the language is the first locale variable's that is set.
    pub(crate) fn new() -> Self {
        let locales =
            ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
        let locale = locales.into_iter().find(|locale| !locale.is_empty()).unwrap_or_default();
        Self {
            language: Language::from_locale(&locale),
            stdout_is_terminal: io::stdout().is_terminal(),
            stderr_is_terminal: io::stderr().is_terminal(),
        }
    }

    /// The texts of the language.
    pub(crate) fn words(&self) -> &'static Words {
        self.language.words()
    }

    /// Prints an answer and a line break: exactly for a script, made safe on a terminal.
    pub(crate) fn value(&self, value: &str) -> Result<(), Problem> {
        match self.stdout_is_terminal {
            true => self.line(&display::show(value, Context::Block)),
            false => self.line(value),
        }
    }

    /// Prints a result of the wire on a line: exactly for a script, escaped on a terminal.
    pub(crate) fn json(&self, json: &str) -> Result<(), Problem> {
        match self.stdout_is_terminal {
            true => self.line(&display::json_for_terminal(json)),
            false => self.line(json),
        }
    }

    /// Prints lines that are clean already on stdout.
    pub(crate) fn line(&self, text: &str) -> Result<(), Problem> {
        let mut stdout = io::stdout().lock();
        let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
        written.map_err(|_| Problem::Output)
    }

    /// Says something on stderr that matters to every reader.
    pub(crate) fn complain(&self, sentence: &str) {
        // Where stderr is closed too, nobody is left to be told.
        let _ = writeln!(io::stderr().lock(), "{sentence}");
    }

    /// Says something on stderr that only a person at a terminal wants to know.
    pub(crate) fn remark(&self, sentence: &str) {
        if self.stderr_is_terminal {
            self.complain(sentence);
        }
    }

    /// Starts a line on stderr that the person ends.
    pub(crate) fn prompt(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
    }
}
