//! JSON read no further than its members and entries: what they hold stays as it was sent.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{CallError, ErrorKind};
use crate::display::quoted;

/// Deepest nesting of arrays and objects inside one member.
const MAX_DEPTH: usize = 64;
/// As many members as any request has; so few are compared each with each, without memory.
const FEW: usize = 16;

/// A JSON string, borrowed from the line where it has no escapes.
struct Str<'a>(Cow<'a, str>);

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
        let mut names = self.0.iter().map(|(name, _)| name.as_ref());
        if self.0.len() > FEW {
            let mut seen = HashSet::with_capacity(self.0.len());
            return names.find(|name| !seen.insert(*name));
        }
        let before = |at: usize| self.0[..at].iter().map(|(name, _)| name.as_ref());
        names.enumerate().find(|(at, name)| before(*at).any(|one| one == *name)).map(|(_, name)| name)
    }
}

/// The entries of a JSON array, undecoded.
pub(super) fn entries(json: &str) -> Result<Vec<&str>, CallError> {
    if depth(json) > MAX_DEPTH {
        return Err(CallError::new(ErrorKind::ParseError, "The line is nested too deeply."));
    }
    let entries: Vec<&RawValue> = serde_json::from_str(json).map_err(|_| unreadable())?;
    Ok(entries.into_iter().map(RawValue::get).collect())
}

/// Decodes a JSON string; a lone surrogate or a broken escape makes the whole line unreadable.
pub(super) fn decode(json: &str) -> Result<Cow<'_, str>, CallError> {
    serde_json::from_str::<Str<'_>>(json).map(|text| text.0).map_err(|_| unreadable())
}

/// The error for a line that is not JSON.
pub(super) fn unreadable() -> CallError {
    CallError::new(ErrorKind::ParseError, "The line is not one valid JSON object in UTF-8.")
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
