//! Words that may read as other words: alphabets mixed, or letters that run from right to left.
//!
//! It only warns, and it is small: the letters below are those drawn like ASCII ones in common faces, not the
//! full list of UTS #39. A word wholly in another alphabet passes unless it stands in one token with Latin
//! (`example.сом`); `rn` for `m`, `l` for `1` and accents are not looked at.

use std::{iter, ops::Range};

use super::hidden::is_mark;

/// Greek letters drawn like Latin ones. Others (`µ`, `Δ`, `π`) are used beside Latin in honest text.
const GREEK: &str = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿαγικνορυχϲϳ";
const CYRILLIC: &str = "АВЕЅІЈКМНОРСТУҮХԀԌԚԜҺӀѴаеіјкмнорстувүхѕԁһԛԝӏѵ";
const ARMENIAN: &str = "ԼՍՏՕագզհյոսցօք";

/// A word to warn about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// What is odd about it.
    pub why: Suspicion,
}

/// What is odd about a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// Latin letters and letters of another alphabet that look like Latin ones.
    MixedAlphabets,
    /// Letters that run from right to left. Only a command is worth the warning: there the order is what runs.
    RightToLeft,
}

/// Finds the words of a text to warn about, in order.
pub fn suspicious_tokens(text: &str) -> Vec<Suspect> {
    let mut suspects = Vec::new();
    for (token_at, token) in parts(text, |c| !c.is_whitespace()) {
        let latin_near = token.contains(is_latin);
        for (word_at, word) in parts(token, |c| c.is_alphanumeric() || is_mark(c)) {
            let disguised = || word.chars().all(|c| looks_latin(c) || !c.is_alphabetic());
            let why = if word.contains(is_right_to_left) {
                Suspicion::RightToLeft
            } else if latin_near && word.contains(looks_latin) && (word.contains(is_latin) || disguised()) {
                Suspicion::MixedAlphabets
            } else {
                continue;
            };
            let start = token_at + word_at;
            suspects.push(Suspect { range: start..start + word.len(), why });
        }
    }
    suspects
}

/// The longest pieces whose characters all belong, with where each begins.
fn parts(text: &str, belongs: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    iter::from_fn(move || {
        at += text[at..].find(&belongs)?;
        let (start, rest) = (at, &text[at..]);
        let len = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        at += len;
        Some((start, &rest[..len]))
    })
}

pub(super) fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
        || c.is_alphabetic() && matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

pub(super) fn looks_latin(c: char) -> bool {
    !c.is_ascii()
        && (matches!(c,
            '\u{13a0}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' // Cherokee
            | '\u{2160}'..='\u{217f}' // Roman numerals
            | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' // fullwidth
            | '\u{1d400}'..='\u{1d6a3}') // mathematical letters
            || [GREEK, CYRILLIC, ARMENIAN].iter().any(|letters| letters.contains(c)))
}

/// The blocks whose letters run from right to left, Hebrew to Arabic and their kin.
pub(super) fn is_right_to_left(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
