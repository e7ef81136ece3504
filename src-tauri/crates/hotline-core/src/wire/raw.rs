//! JSON read no further than its members and entries: what they hold stays as it was sent.
//!
//! Every request goes through here, so what nearly all of them are made of, strings without escapes, is read
//! in place; serde_json reads the rest.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::error::{CallError, ErrorKind};

/// Deepest nesting of arrays and objects inside one member.
const MAX_DEPTH: usize = 64;
/// As many members as any call has; so few are compared each with each.
pub(super) const FEW: usize = 12;

/// The members of one object in the order they were sent, names decoded and values not.
#[derive(Debug, Default)]
pub(super) struct Raw<'a>(pub(super) Vec<(Cow<'a, str>, Sent<'a>)>);

/// A value as it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent<'a> {
    /// The text of a string that has no escapes.
    Text(&'a str),
    /// Anything else, as JSON.
    Json(&'a str),
}

/// Why text is not read as an object.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is no JSON.
    NotJson,
    /// It is another value.
    NotAnObject,
}

impl<'a> Raw<'a> {
    /// The members of `json`, which is an object.
    pub(super) fn parse(json: &'a str, whose: &str) -> Result<Self, CallError> {
        let mut members = Self::default();
        let read = read(json, |scan, name| members.add(name, scan));
        read.map(|()| members).map_err(|unread| match unread {
            Unread::NotJson => unreadable(),
            Unread::NotAnObject => {
                CallError::new(ErrorKind::InvalidParams, format!("{whose} must be an object."))
            }
        })
    }

    fn add(&mut self, name: Cow<'a, str>, scan: &mut Scan<'a>) -> Result<(), NotJson> {
        self.0.push((name, scan.sent()?));
        Ok(())
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

/// Reads text that is one object and nothing else; `member` gets each name and reads its value.
pub(super) fn read<'a>(
    text: &'a str,
    member: impl FnMut(&mut Scan<'a>, Cow<'a, str>) -> Result<(), NotJson>,
) -> Result<(), Unread> {
    let mut scan = Scan { text, at: 0 };
    scan.skip_space();
    if !scan.is_at(b'{') {
        let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
        return Err(if is_json { Unread::NotAnObject } else { Unread::NotJson });
    }
    scan.object(member).map_err(|NotJson| Unread::NotJson)?;
    scan.skip_space();
    if scan.at == text.len() { Ok(()) } else { Err(Unread::NotJson) }
}

/// How many bytes from the first on stand for themselves in a JSON string: no quote, backslash or control
/// character is among them. Looks at eight bytes at once.
pub(super) fn plain(text: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    // The top bit of every byte that is below `least`, up to 0x80. A borrow makes more of them, but only
    // beyond the first; and the first is what is looked for.
    let below = |word: u64, least: u64| word.wrapping_sub(ONES * least) & !word & TOPS;
    let is = |word: u64, byte: u8| below(word ^ (ONES * u64::from(byte)), 1);

    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let ends = is(word, b'"') | is(word, b'\\') | below(word, 0x20);
        if ends != 0 {
            return at * 8 + ends.trailing_zeros() as usize / 8;
        }
    }
    let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    words.len() * 8 + rest.iter().position(ends).unwrap_or(rest.len())
}

/// Here stands no JSON.
pub(super) struct NotJson;

/// A place in a text of JSON.
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn is_at(&self, byte: u8) -> bool {
        self.byte() == Some(byte)
    }

    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips space, and the byte after it, which has to be this one.
    fn take(&mut self, byte: u8) -> Result<(), NotJson> {
        self.skip_space();
        let is_there = self.is_at(byte);
        self.at += 1;
        if is_there { Ok(()) } else { Err(NotJson) }
    }

    /// The members of the object that begins here.
    pub(super) fn members(&mut self) -> Result<Raw<'a>, NotJson> {
        let mut members = Raw(Vec::with_capacity(FEW));
        self.object(|scan, name| members.add(name, scan))?;
        Ok(members)
    }

    /// Reads an object; `member` gets each name and reads its value, whose first byte is next.
    fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), NotJson>,
    ) -> Result<(), NotJson> {
        self.take(b'{')?;
        self.skip_space();
        if self.is_at(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.skip_space();
            let name = match self.plain_text() {
                Some(name) => Cow::Borrowed(name),
                None => decode(self.other()?).map_err(|_| NotJson)?,
            };
            self.take(b':')?;
            self.skip_space();
            member(self, name)?;
            self.skip_space();
            if !self.is_at(b',') {
                return self.take(b'}');
            }
            self.at += 1;
        }
    }

    /// Any value.
    fn sent(&mut self) -> Result<Sent<'a>, NotJson> {
        match self.plain_text() {
            Some(text) => Ok(Sent::Text(text)),
            None => self.value().map(Sent::Json),
        }
    }

    /// Any value, as JSON.
    pub(super) fn value(&mut self) -> Result<&'a str, NotJson> {
        let start = self.at;
        let word = match self.byte() {
            Some(b'"') if self.plain_text().is_some() => return Ok(&self.text[start..self.at]),
            Some(b't') => "true",
            Some(b'f') => "false",
            Some(b'n') => "null",
            Some(b'0'..=b'9') => return self.small_number().map_or_else(|| self.other(), Ok),
            Some(_) | None => return self.other(),
        };
        if !self.text[self.at..].starts_with(word) {
            return Err(NotJson);
        }
        self.at += word.len();
        Ok(word)
    }

    /// The text of a string without escapes; none where something else stands here.
    fn plain_text(&mut self) -> Option<&'a str> {
        let text = self.text.as_bytes().get(self.at..)?.strip_prefix(b"\"")?;
        let length = plain(text);
        let start = self.at + 1;
        (text.get(length) == Some(&b'"')).then(|| {
            self.at = start + length + 1;
            &self.text[start..start + length]
        })
    }

    /// A whole number of a few digits; none where something else stands here.
    fn small_number(&mut self) -> Option<&'a str> {
        let text = &self.text.as_bytes()[self.at..];
        let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_whole = length == 1 || length > 1 && text[0] != b'0';
        let goes_on = matches!(text.get(length), Some(b'.' | b'e' | b'E'));
        (is_whole && !goes_on).then(|| {
            self.at += length;
            &self.text[self.at - length..self.at]
        })
    }

    /// What takes more than a look: other numbers, arrays, objects, strings with escapes.
    fn other(&mut self) -> Result<&'a str, NotJson> {
        let mut values = serde_json::Deserializer::from_str(&self.text[self.at..]).into_iter::<&RawValue>();
        let value = values.next().and_then(Result::ok).ok_or(NotJson)?;
        self.at += values.byte_offset();
        Ok(value.get())
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
    match json.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(text) if plain(text.as_bytes()) == text.len() => Ok(Cow::Borrowed(text)),
        Some(_) | None => serde_json::from_str(json).map(Cow::Owned).map_err(|_| unreadable()),
    }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// What serde_json makes of a text: its members, the last of a name.
    fn theirs(text: &str) -> Option<BTreeMap<String, String>> {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        Some(members.into_iter().map(|(name, value)| (name, value.get().to_owned())).collect())
    }

    fn ours(text: &str) -> Option<BTreeMap<String, String>> {
        let members = Raw::parse(text, "it").ok()?;
        let json = |sent| match sent {
            Sent::Text(text) => format!("\"{text}\""),
            Sent::Json(json) => json.to_owned(),
        };
        Some(members.0.into_iter().map(|(name, sent)| (name.into_owned(), json(sent))).collect())
    }

    /// JSON and what is nearly JSON.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"params\"",
            "\"",
            "\\",
            "\\u0041",
            "\\ud800",
            "\\n",
            "\\x",
            " ",
            "\t",
            "\n",
            "\u{b}",
            "\u{1}",
            "\u{7f}",
            "é",
            "true",
            "false",
            "null",
            "nul",
            "0",
            "-1.5e3",
            "01",
            "1e999",
            "-",
            "{\"a\":1}",
            "\"a\":",
            "\"b\": [1, {}],",
            "\"params\":{",
            "/",
        ]);
        let object = (prop::collection::vec(member(), 0..5), " {0,2}")
            .prop_map(|(members, space)| format!("{space}{{{space}{}{space}}}{space}", members.join(",")));
        prop_oneof![prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()), object]
    }

    fn member() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
            any::<f64>().prop_map(|number| serde_json::to_string(&number).unwrap()),
            Just("[1, [\"]\"], {\"}\": null}]".to_owned()),
            Just("{\"a\" : \"b\", \"c\":{}}".to_owned()),
            Just("true".to_owned()),
        ];
        let name = prop_oneof![
            Just("\"params\"".to_owned()),
            "\"[a-d\"\\\\é]{0,3}\"",
            Just("\"\\u0070\"".to_owned())
        ];
        (name, " {0,1}", value).prop_map(|(name, space, value)| format!("{name}{space}:{space}{value}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn what_is_an_object_and_what_it_holds_is_as_serde_json_says(text in text()) {
            prop_assert_eq!(ours(&text), theirs(&text));
        }
    }

    #[test]
    fn plain_text_ends_at_the_first_byte_that_does_not_stand_for_itself() {
        for length in 0..40 {
            for byte in 0..=u8::MAX {
                let mut text = vec![b'a'; 40];
                text[length] = byte;
                text[length + 1..].fill(b'"');
                let ends = matches!(byte, b'"' | b'\\') || byte < 0x20;
                assert_eq!(plain(&text), (length + usize::from(!ends)).min(40), "{byte} at {length}");
            }
        }
    }

    #[test]
    fn other_values_are_told_from_no_json() {
        for (text, unread) in [
            ("[{}]", Unread::NotAnObject),
            ("\"a\"", Unread::NotAnObject),
            ("7", Unread::NotAnObject),
            ("[1,", Unread::NotJson),
            ("hello", Unread::NotJson),
            ("", Unread::NotJson),
        ] {
            assert_eq!(read(text, |scan, _| scan.value().map(drop)), Err(unread), "{text}");
        }
    }
}
