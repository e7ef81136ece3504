//! Text made safe to show: what hides, reorders or drives a terminal becomes a visible escape.
//!
//! One implementation for the terminal, the window, the mirror and Telegram. It changes only what is drawn;
//! wire, store and hash keep the exact bytes. It takes the *words of others*: the app's own texts (`words`)
//! hold narrow no-break spaces on purpose and are put around the result, never through it.
//!
//! `spans` decides, everything else is built on it. The escapes lose nothing: a literal `⟦` is escaped too, so
//! the text can be read back from what is shown (tested over every scalar and on random strings).

mod hidden;
mod json;
mod look_alikes;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;

use std::{
    borrow::Cow,
    fmt::{self, Write},
    iter,
};

pub use hidden::is_hidden;
pub use json::json_for_terminal;
pub use look_alikes::{Suspect, Suspicion, suspicious_tokens};

/// Opens an escape. A literal one in the text is itself escaped, which keeps the rest unambiguous.
const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// The longest run of blanks that is shown as it is; longer ones push text out of sight.
const LONGEST_BLANK: usize = 20;

/// The most nonspacing marks one base may carry (UTS #39 §5.4 flags more than four).
const MOST_MARKS: usize = 4;

/// Where a text is shown, which decides about line breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// One line (title, choice, name): a line break is escaped.
    Line,
    /// A body or a command: a line break breaks the line.
    Block,
}

/// A piece of a text as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span<'a> {
    /// Shown as it is.
    Plain(&'a str),
    /// Shown as a small box, or between brackets.
    Escape(Escape),
}

/// A run of one character that is not shown itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape {
    /// The character.
    pub scalar: char,
    /// How often it stands there in a row, at least once.
    pub count: usize,
}

/// The label that stands in its place: `U+202E`, `tab`, or with a count `space×480`.
impl fmt::Display for Escape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scalar {
            ' ' => f.write_str("space")?,
            '\t' => f.write_str("tab")?,
            '\n' => f.write_str("newline")?,
            other => write!(f, "U+{:04X}", u32::from(other))?,
        }
        if self.count == 1 { Ok(()) } else { write!(f, "×{}", self.count) }
    }
}

impl Escape {
    /// The character's Unicode name when it is a common one, else empty: `RIGHT-TO-LEFT OVERRIDE`.
    pub fn name(self) -> Cow<'static, str> {
        hidden::name(self.scalar)
    }

    /// How many hidden characters it stands for: a run of blanks is one, a literal `⟦` none.
    fn weight(self) -> usize {
        match self.scalar {
            OPEN => 0,
            ' ' | '\n' => 1,
            _ => self.count,
        }
    }
}

/// Splits a text into what is shown as it is and what is escaped, in the order of the bytes.
pub fn spans(text: &str, context: Context) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut plain_from = 0;
    let mut marks = None; // on the last base; none where a mark would sit on something of ours
    let mut blanks = Blanks { end: 0, tall: false };
    for Run { at, scalar, count } in runs(text) {
        let kept = match scalar {
            ' ' | '\n' => {
                if at >= blanks.end {
                    blanks = Blanks::at(text, at);
                }
                let whole = count <= LONGEST_BLANK && !blanks.tall;
                if whole && (scalar == ' ' || context == Context::Block) { count } else { 0 }
            }
            OPEN => 0,
            _ if is_hidden(scalar) => 0,
            _ if hidden::is_mark(scalar) => count.min(marks.map_or(0, |n| MOST_MARKS - n)),
            _ => count,
        };
        let end = at + count * scalar.len_utf8();
        if kept < count {
            let plain_to = at + kept * scalar.len_utf8();
            if plain_from < plain_to {
                spans.push(Span::Plain(&text[plain_from..plain_to]));
            }
            spans.push(Span::Escape(Escape { scalar, count: count - kept }));
            plain_from = end;
        }
        marks = match scalar {
            _ if kept < count => None,
            '\n' => None,
            _ if hidden::is_mark(scalar) => marks.map(|n| n + count),
            _ => Some(0),
        };
    }
    if plain_from < text.len() {
        spans.push(Span::Plain(&text[plain_from..]));
    }
    spans
}

/// The text as it is shown where there are no boxes: every escape between brackets, `rm ⟦U+202E⟧~ fr-`.
pub fn show(text: &str, context: Context) -> Cow<'_, str> {
    let spans = spans(text, context);
    if let [] | [Span::Plain(_)] = spans[..] {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16 * spans.len());
    for span in spans {
        match span {
            Span::Plain(plain) => shown.push_str(plain),
            Span::Escape(escape) => {
                write!(shown, "{OPEN}{escape}{CLOSE}").expect("a String takes every write");
            }
        }
    }
    Cow::Owned(shown)
}

/// How many hidden characters `spans` makes visible, for the banner; a long run of blanks counts as one.
pub fn hidden(text: &str, context: Context) -> usize {
    let weight = |span| match span {
        Span::Plain(_) => 0,
        Span::Escape(escape) => escape.weight(),
    };
    spans(text, context).into_iter().map(weight).sum()
}

/// What the eye takes a one-line text for: escaped and trimmed. Two choices that share it are refused.
pub fn look(text: &str) -> Cow<'_, str> {
    show(text.trim_matches(' '), Context::Line)
}

/// A name in quotation marks, cleaned and cut so that it can stand in a sentence.
pub(crate) fn quoted(name: &str) -> String {
    const MOST: usize = 60;
    let shown = show(name, Context::Line);
    match shown.char_indices().nth(MOST) {
        Some((end, _)) => format!("\"{}…\"", &shown[..end]),
        None => format!("\"{shown}\""),
    }
}

/// A run of spaces, line breaks and hidden characters, mixed in any way.
struct Blanks {
    end: usize,
    /// More line breaks than `LONGEST_BLANK`: what stands between them does not keep them from pushing text away.
    tall: bool,
}

impl Blanks {
    fn at(text: &str, at: usize) -> Self {
        let rest = &text[at..];
        let end = rest.find(|c| c != ' ' && !is_hidden(c)).unwrap_or(rest.len());
        Self { end: at + end, tall: rest[..end].matches('\n').count() > LONGEST_BLANK }
    }
}

/// One character and how often it stands there in a row.
struct Run {
    at: usize,
    scalar: char,
    count: usize,
}

fn runs(text: &str) -> impl Iterator<Item = Run> {
    let mut rest = text.char_indices().peekable();
    iter::from_fn(move || {
        let (at, scalar) = rest.next()?;
        let same = iter::from_fn(|| rest.next_if(|(_, next)| *next == scalar));
        Some(Run { at, scalar, count: 1 + same.count() })
    })
}
