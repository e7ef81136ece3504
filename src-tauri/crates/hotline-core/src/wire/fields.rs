//! The members of a JSON object, read strictly: no duplicates, no unknown names, no coercion.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{CallError, ErrorKind};
use super::method::{Member, Shape};
use crate::display::{Context, show};

/// Deepest nesting of arrays and objects inside one member.
const MAX_DEPTH: usize = 64;

/// A JSON string, borrowed from the line where it has no escapes.
pub(super) struct Str<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reads;
        impl<'de> Visitor<'de> for Reads {
            type Value = Str<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Reads)
    }
}

/// The members of one object in the order they were sent, undecoded.
pub(super) struct Raw<'a>(pub(super) Vec<(Cow<'a, str>, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reads;
        impl<'de> Visitor<'de> for Reads {
            type Value = Raw<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some(Str(name)) = map.next_key()? {
                    members.push((name, map.next_value::<&'de RawValue>()?.get()));
                }
                Ok(Raw(members))
            }
        }
        deserializer.deserialize_map(Reads)
    }
}

impl<'a> Raw<'a> {
    /// The members of `json`, which is an object without duplicate names.
    pub(super) fn parse(json: &'a str, whose: &str) -> Result<Self, CallError> {
        let raw: Self = serde_json::from_str(json).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => {
                CallError::new(ErrorKind::InvalidParams, format!("{whose} must be an object."))
            }
            _ => unreadable(),
        })?;
        if let Some(twice) = raw.duplicate() {
            let message = format!("{whose} has the member {} twice.", quoted(twice));
            return Err(CallError::new(ErrorKind::InvalidParams, message));
        }
        Ok(raw)
    }

    /// A name that stands more than once, compared after its escapes are decoded.
    pub(super) fn duplicate(&self) -> Option<&str> {
        let names = |upto| self.0[..upto].iter().map(|(name, _)| name);
        let found = (1..self.0.len()).find(|&at| names(at).any(|name| *name == self.0[at].0))?;
        Some(&self.0[found].0)
    }
}

/// The members of a method's `params`, or of one entry in them, checked against their table.
pub(super) struct Fields<'a> {
    whose: Cow<'static, str>,
    table: &'static [Member],
    /// In the table's order; `null` counts as absent.
    values: Vec<Option<&'a str>>,
}

impl<'a> Fields<'a> {
    /// Reads `json` (absent and `null` count as `{}`), refusing names that are not in `table`.
    pub(super) fn parse(
        json: Option<&'a str>,
        whose: Cow<'static, str>,
        table: &'static [Member],
    ) -> Result<Self, CallError> {
        let mut values = vec![None; table.len()];
        let raw = match json {
            None | Some("null") => Raw(Vec::new()),
            Some(json) => Raw::parse(json, &whose)?,
        };
        for (name, value) in raw.0 {
            let Some(at) = table.iter().position(|member| member.name == name) else {
                return Err(unknown(&whose, &name, table));
            };
            if value != "null" {
                values[at] = Some(value);
            }
        }
        let missing = table.iter().zip(&values).find(|(member, value)| member.required && value.is_none());
        if let Some((member, _)) = missing {
            let message = format!("{whose} needs {}: {}.", quoted(member.name), expected(&member.shape));
            return Err(CallError::param(member.name, message));
        }
        Ok(Self { whose, table, values })
    }

    /// A string member, checked against its shape.
    pub(super) fn string(&self, name: &str) -> Result<Option<Cow<'a, str>>, CallError> {
        let Some((member, json)) = self.member(name) else { return Ok(None) };
        if !json.starts_with('"') {
            return Err(self.misfit(member));
        }
        let text = decode(json)?;
        check(&text, &member.shape).map_err(|(kind, problem)| self.problem(member, kind, &problem))?;
        Ok(Some(text))
    }

    /// A string member that the table requires.
    pub(super) fn required(&self, name: &str) -> Result<String, CallError> {
        let text = self.string(name)?;
        Ok(text.expect("the table requires this member").into_owned())
    }

    /// A string member that may be absent.
    pub(super) fn optional(&self, name: &str) -> Result<Option<String>, CallError> {
        Ok(self.string(name)?.map(Cow::into_owned))
    }

    /// A whole-number member.
    pub(super) fn whole(&self, name: &str) -> Result<Option<u64>, CallError> {
        let Some((member, json)) = self.member(name) else { return Ok(None) };
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
        match self.member(name) {
            None => Ok(None),
            Some((_, "true")) => Ok(Some(true)),
            Some((_, "false")) => Ok(Some(false)),
            Some((member, _)) => Err(self.misfit(member)),
        }
    }

    /// The undecoded entries of an array member.
    pub(super) fn list(&self, name: &str) -> Result<Option<Vec<&'a str>>, CallError> {
        let Some((member, json)) = self.member(name) else { return Ok(None) };
        let Shape::List { min, max, .. } = member.shape else {
            unreachable!("{name} is no list in its table")
        };
        if !json.starts_with('[') {
            return Err(self.misfit(member));
        }
        if depth(json) > MAX_DEPTH {
            return Err(CallError::new(ErrorKind::ParseError, "The line is nested too deeply."));
        }
        let entries: Vec<&'a RawValue> = serde_json::from_str(json).map_err(|_| unreadable())?;
        if !(min..=max).contains(&entries.len()) {
            return Err(self.misfit(member));
        }
        Ok(Some(entries.into_iter().map(RawValue::get).collect()))
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

    fn member(&self, name: &str) -> Option<(&'static Member, &'a str)> {
        let at = self.table.iter().position(|member| member.name == name).expect("the table has this member");
        self.values[at].map(|json| (&self.table[at], json))
    }
}

/// Decodes a JSON string; a lone surrogate or a broken escape makes the whole line unreadable.
pub(super) fn decode(json: &str) -> Result<Cow<'_, str>, CallError> {
    serde_json::from_str::<Str<'_>>(json).map(|text| text.0).map_err(|_| unreadable())
}

/// The error for a line that is not JSON.
pub(super) fn unreadable() -> CallError {
    CallError::new(ErrorKind::ParseError, "The line is not one valid JSON object in UTF-8.")
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
        Shape::Object(members) => {
            let names: Vec<String> = members.iter().map(|member| quoted(member.name)).collect();
            format!("an object with {}", names.join(", "))
        }
        Shape::Map => "an object".to_owned(),
    }
}

fn one_of(words: &[&str]) -> String {
    match words {
        [only] => quoted(only),
        _ => format!("one of {}", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")),
    }
}

fn unknown(whose: &str, name: &str, table: &[Member]) -> CallError {
    let names = || table.iter().map(|member| member.name);
    let nearest = names().min_by_key(|known| strsim::damerau_levenshtein(name, known));
    let hint = match nearest {
        None => "it takes no members".to_owned(),
        Some(nearest) if strsim::normalized_damerau_levenshtein(name, nearest) >= 0.5 => {
            format!("did you mean {}?", quoted(nearest))
        }
        Some(_) => format!("it takes {}", names().map(quoted).collect::<Vec<_>>().join(", ")),
    };
    let stop = if hint.ends_with('?') { "" } else { "." };
    CallError::new(ErrorKind::InvalidParams, format!("{whose} has no member {}; {hint}{stop}", quoted(name)))
}

/// A name in quotation marks, cut and cleaned so that it can stand in a sentence.
pub(crate) fn quoted(name: &str) -> String {
    let mut shown: String = show(name, Context::Line).chars().take(60).collect();
    if shown.chars().count() == 60 {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

fn depth(json: &str) -> usize {
    let (mut deepest, mut now, mut in_string, mut escaped) = (0usize, 0usize, false, false);
    for byte in json.bytes() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'[' | b'{') => {
                now += 1;
                deepest = deepest.max(now);
            }
            (false, b']' | b'}') => now -= 1,
            _ => {}
        }
    }
    deepest
}
