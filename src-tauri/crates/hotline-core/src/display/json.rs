//! JSON for a terminal: the same value, without a character that a terminal would obey or hide.

use std::{borrow::Cow, fmt::Write};

use super::is_hidden;

/// Rewrites a valid JSON text so that a terminal may print it: hidden characters become `\uXXXX`.
///
/// serde writes DEL, C1 and bidi controls as they are. A raw control cannot stand inside a JSON string, so tab
/// and carriage return are white space between tokens and become spaces; line breaks stay.
pub fn json_for_terminal(json: &str) -> Cow<'_, str> {
    let obeyed = |c| c != '\n' && is_hidden(c);
    if !json.contains(obeyed) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        match c {
            '\t' | '\r' => safe.push(' '),
            _ if obeyed(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(safe, "\\u{unit:04x}").expect("a String takes every write");
                }
            }
            _ => safe.push(c),
        }
    }
    Cow::Owned(safe)
}
