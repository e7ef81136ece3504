//! The members of a JSON object, read strictly: no duplicates, no unknown names, no coercion.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::error::{CallError, ErrorKind};
use super::method::{Member, Object, Shape};
use super::raw::{self, FEW, Raw, Sent, decode};
use super::word::nearest;
use crate::display::quoted;

/// The members of a method's `params`, or of one entry in them, checked against their table.
pub(super) struct Fields<'a> {
    whose: Cow<'static, str>,
    /// What was sent; `null` counts as absent.
    sent: SmallVec<[(&'static Member, Sent<'a>); FEW]>,
}

impl<'a> Fields<'a> {
    /// Checks what was sent (nothing counts as `{}`), refusing names that stand twice or are not in `table`.
    pub(super) fn of(
        raw: Option<&Raw<'a>>,
        whose: Cow<'static, str>,
        table: Object,
    ) -> Result<Self, CallError> {
        let mut sent: SmallVec<[(&'static Member, Sent<'a>); FEW]> = SmallVec::new();
        if let Some(twice) = raw.and_then(Raw::duplicate) {
            let message = format!("{whose} has the member {} twice.", quoted(twice));
            return Err(CallError::new(ErrorKind::InvalidParams, message));
        }
        for &(ref name, value) in raw.into_iter().flat_map(|raw| &raw.0) {
            let Some(member) = table.members().find(|member| member.name == name) else {
                return Err(unknown(&whose, name, table));
            };
            if value != Sent::Json("null") {
                sent.push((member, value));
            }
        }
        let is_sent = |name| sent.iter().any(|(member, _)| member.name == name);
        let missing = table.members().find(|member| member.required && !is_sent(member.name));
        if let Some(member) = missing {
            let message = format!("{whose} needs {}: {}.", quoted(member.name), expected(&member.shape));
            return Err(CallError::param(member.name, message));
        }
        Ok(Self { whose, sent })
    }

    /// A string member, checked against its shape.
    pub(super) fn string(&self, name: &str) -> Result<Option<Cow<'a, str>>, CallError> {
        let Some((member, sent)) = self.member(name) else { return Ok(None) };
        let text = match sent {
            Sent::Text(text) => Cow::Borrowed(text),
            Sent::Json(json) if json.starts_with('"') => decode(json)?,
            Sent::Json(_) => return Err(self.misfit(member)),
        };
        check(&text, &member.shape).map_err(|(kind, problem)| self.problem(member, kind, &problem))?;
        Ok(Some(text))
    }

    /// A string member that the table requires.
    pub(super) fn required<T: From<Cow<'a, str>>>(&self, name: &str) -> Result<T, CallError> {
        Ok(self.optional(name)?.expect("the table requires this member"))
    }

    /// A string member that may be absent.
    pub(super) fn optional<T: From<Cow<'a, str>>>(&self, name: &str) -> Result<Option<T>, CallError> {
        Ok(self.string(name)?.map(T::from))
    }

    /// A whole-number member.
    pub(super) fn whole(&self, name: &str) -> Result<Option<u64>, CallError> {
        let Some((member, json)) = self.json(name)? else { return Ok(None) };
        let Shape::Whole { min, max } = member.shape else {
            unreachable!("{name} is no whole number in its table")
        };
        let number = json.bytes().all(|b| b.is_ascii_digit()).then(|| json.parse::<u64>().ok()).flatten();
        match number {
            Some(number) if (min..=max).contains(&number) => Ok(Some(number)),
            _ => Err(self.misfit(member)),
        }
    }

    /// A true-or-false member.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, CallError> {
        match self.json(name)? {
            None => Ok(None),
            Some((_, "true")) => Ok(Some(true)),
            Some((_, "false")) => Ok(Some(false)),
            Some((member, _)) => Err(self.misfit(member)),
        }
    }

    /// The undecoded entries of an array member.
    pub(super) fn list(&self, name: &str) -> Result<Option<Vec<&'a str>>, CallError> {
        let Some((member, json)) = self.json(name)? else { return Ok(None) };
        let Shape::List { min, max, .. } = member.shape else {
            unreachable!("{name} is no list in its table")
        };
        if !json.starts_with('[') {
            return Err(self.misfit(member));
        }
        let entries = raw::entries(json)?;
        if !(min..=max).contains(&entries.len()) {
            return Err(self.misfit(member));
        }
        Ok(Some(entries))
    }

    /// An `invalid_params` that says what `member` should look like.
    fn misfit(&self, member: &'static Member) -> CallError {
        self.problem(member, ErrorKind::InvalidParams, &must_be(&member.shape))
    }

    /// An error about `member` of this object.
    pub(super) fn refuse(&self, name: &'static str, problem: &str) -> CallError {
        CallError::param(name, format!("{}: {} {problem}.", self.whose, quoted(name)))
    }

    fn problem(&self, member: &'static Member, kind: ErrorKind, problem: &str) -> CallError {
        CallError { kind, ..self.refuse(member.name, problem) }
    }

    /// A member that is no string.
    fn json(&self, name: &str) -> Result<Option<(&'static Member, &'a str)>, CallError> {
        match self.member(name) {
            Some((member, Sent::Text(_))) => Err(self.misfit(member)),
            Some((member, Sent::Json(json))) => Ok(Some((member, json))),
            None => Ok(None),
        }
    }

    fn member(&self, name: &str) -> Option<(&'static Member, Sent<'a>)> {
        self.sent.iter().find(|(member, _)| member.name == name).copied()
    }
}

/// Checks a string against its shape; the problem reads after the member's name.
fn check(text: &str, shape: &Shape) -> Result<(), (ErrorKind, String)> {
    let misfit = || Err((ErrorKind::InvalidParams, must_be(shape)));
    match *shape {
        Shape::Text { max } if text.len() > max => {
            Err((ErrorKind::TooLarge, format!("is too long: {} bytes, where at most {max} fit", text.len())))
        }
        Shape::Text { .. } => Ok(()),
        Shape::Word(words) if words.contains(&text) => Ok(()),
        // What nearly all of them are: printable ASCII, a character a byte.
        Shape::Line { min, max } if (min..=max).contains(&text.len()) && is_simple(text) => Ok(()),
        Shape::Name { max } if text.len() <= max && is_simple(text) => Ok(()),
        Shape::Line { .. } | Shape::Name { .. } if text.contains(breaks_a_line) => {
            let problem = format!("{}; it has a line break or another control character", must_be(shape));
            Err((ErrorKind::InvalidParams, problem))
        }
        Shape::Line { min, max } if (min..=max).contains(&text.trim().chars().count()) => Ok(()),
        Shape::Name { max } if !text.trim().is_empty() && text.chars().count() <= max => Ok(()),
        Shape::Word(_) | Shape::Line { .. } | Shape::Name { .. } => misfit(),
        Shape::Whole { .. } | Shape::Flag | Shape::List { .. } | Shape::Object(_) | Shape::Map => misfit(),
    }
}

/// Whether every byte is a printable character and space stands at neither end.
fn is_simple(text: &str) -> bool {
    let ends = [text.bytes().next(), text.bytes().next_back()];
    ends.iter().all(|end| end.is_some_and(|byte| byte != b' '))
        && text.bytes().fold(true, |simple, byte| simple & (b' '..=b'~').contains(&byte))
}

fn breaks_a_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

fn must_be(shape: &Shape) -> String {
    format!("must be {}", expected(shape))
}

/// What a shape wants, as the end of "must be …".
fn expected(shape: &Shape) -> String {
    match shape {
        Shape::Line { min: 0, max } => format!("one line of at most {max} characters"),
        Shape::Line { min, max } => format!("one line of {min} to {max} characters"),
        Shape::Name { max } => format!("one line of 1 to {max} characters"),
        Shape::Text { .. } => "a string".to_owned(),
        Shape::Word(words) => one_of(words),
        Shape::Whole { min, max } => format!("a whole number from {min} to {max}"),
        Shape::Flag => "true or false".to_owned(),
        Shape::List { of, min, max } => format!("an array of {min} to {max} entries, each {}", expected(of)),
        Shape::Object(object) => format!("an object with {}", names(*object)),
        Shape::Map => "an object".to_owned(),
    }
}

fn one_of(words: &[&str]) -> String {
    match words {
        [only] => quoted(only),
        _ => format!("one of {}", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")),
    }
}

fn unknown(whose: &str, name: &str, table: Object) -> CallError {
    let hint = match nearest(name, table.members().map(|member| member.name)) {
        Some(nearest) => format!("did you mean {}?", quoted(nearest)),
        None if table.members().next().is_none() => "it takes no members.".to_owned(),
        None => format!("it takes {}.", names(table)),
    };
    CallError::new(ErrorKind::InvalidParams, format!("{whose} has no member {}; {hint}", quoted(name)))
}

fn names(object: Object) -> String {
    object.members().map(|member| quoted(member.name)).collect::<Vec<_>>().join(", ")
}
