//! Which characters are hidden, and what the common ones are called.

use std::{borrow::Cow, ops::RangeInclusive};

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Shown as nothing or as a blank though their category says letter, mark or symbol: the default-ignorable code
/// points outside `Cf`, the joiners of a few scripts, and blanks that Unicode does not count as spaces.
const UNSEEN: [RangeInclusive<char>; 18] = [
    '\u{034f}'..='\u{034f}',   // combining grapheme joiner
    '\u{115f}'..='\u{1160}',   // Hangul fillers
    '\u{17b4}'..='\u{17b5}',   // Khmer inherent vowels
    '\u{180b}'..='\u{180f}',   // Mongolian variation selectors
    '\u{2800}'..='\u{2800}',   // Braille blank
    '\u{2d7f}'..='\u{2d7f}',   // Tifinagh consonant joiner
    '\u{3164}'..='\u{3164}',   // Hangul filler
    '\u{fe00}'..='\u{fe0f}',   // variation selectors
    '\u{ffa0}'..='\u{ffa0}',   // halfwidth Hangul filler
    '\u{fffc}'..='\u{fffc}',   // object replacement
    '\u{1107f}'..='\u{1107f}', // Brahmi number joiner
    '\u{11a47}'..='\u{11a47}', // Zanabazar Square subjoiner
    '\u{11a99}'..='\u{11a99}', // Soyombo subjoiner
    '\u{13441}'..='\u{13442}', // Egyptian blanks
    '\u{16fe4}'..='\u{16fe4}', // Khitan filler
    '\u{1bc9d}'..='\u{1bc9d}', // Duployan letter selector
    '\u{1d159}'..='\u{1d159}', // musical null notehead
    '\u{e0100}'..='\u{e01ef}', // variation selectors
];

/// Whether a character leaves no mark of its own on a screen, or acts on it: every control (tab and line break
/// too), format and private-use character, every space but U+0020, every filler, joiner and selector.
///
/// A code point without a character yet (noncharacters included) counts as hidden: nobody knows what it will do.
/// Emoji sequences are no exception: their joiners and selectors are hidden characters like any other.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let hidden_kind = matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::SpaceSeparator
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    );
    hidden_kind || UNSEEN.iter().any(|range| range.contains(&c))
}

/// Whether a character is drawn onto the one before it without taking room (nonspacing and enclosing marks).
pub(super) fn is_mark(c: char) -> bool {
    c >= '\u{300}'
        && matches!(c.general_category(), GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark)
}

/// The Unicode name of a common hidden character, else empty. Of a tag it says which letter it smuggles.
pub(super) fn name(c: char) -> Cow<'static, str> {
    Cow::Borrowed(match c {
        '\u{0}' => "NULL",
        '\u{7}' => "BELL",
        '\u{8}' => "BACKSPACE",
        '\t' => "TAB",
        '\n' => "LINE FEED",
        '\r' => "CARRIAGE RETURN",
        '\u{1b}' => "ESCAPE",
        ' ' => "SPACE",
        '\u{7f}' => "DELETE",
        '\u{85}' => "NEXT LINE",
        '\u{9b}' => "CONTROL SEQUENCE INTRODUCER",
        '\u{a0}' => "NO-BREAK SPACE",
        '\u{ad}' => "SOFT HYPHEN",
        '\u{34f}' => "COMBINING GRAPHEME JOINER",
        '\u{61c}' => "ARABIC LETTER MARK",
        '\u{115f}' => "HANGUL CHOSEONG FILLER",
        '\u{1160}' => "HANGUL JUNGSEONG FILLER",
        '\u{1680}' => "OGHAM SPACE MARK",
        '\u{180e}' => "MONGOLIAN VOWEL SEPARATOR",
        '\u{2002}' => "EN SPACE",
        '\u{2003}' => "EM SPACE",
        '\u{2007}' => "FIGURE SPACE",
        '\u{2009}' => "THIN SPACE",
        '\u{200a}' => "HAIR SPACE",
        '\u{200b}' => "ZERO WIDTH SPACE",
        '\u{200c}' => "ZERO WIDTH NON-JOINER",
        '\u{200d}' => "ZERO WIDTH JOINER",
        '\u{200e}' => "LEFT-TO-RIGHT MARK",
        '\u{200f}' => "RIGHT-TO-LEFT MARK",
        '\u{2028}' => "LINE SEPARATOR",
        '\u{2029}' => "PARAGRAPH SEPARATOR",
        '\u{202a}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202b}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202c}' => "POP DIRECTIONAL FORMATTING",
        '\u{202d}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202e}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{202f}' => "NARROW NO-BREAK SPACE",
        '\u{2060}' => "WORD JOINER",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{27e6}' => "MATHEMATICAL LEFT WHITE SQUARE BRACKET",
        '\u{2800}' => "BRAILLE PATTERN BLANK",
        '\u{3000}' => "IDEOGRAPHIC SPACE",
        '\u{3164}' => "HANGUL FILLER",
        '\u{feff}' => "BYTE ORDER MARK",
        '\u{ffa0}' => "HALFWIDTH HANGUL FILLER",
        '\u{fffc}' => "OBJECT REPLACEMENT CHARACTER",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "VARIATION SELECTOR",
        '\u{e0001}' => "LANGUAGE TAG",
        '\u{e007f}' => "CANCEL TAG",
        '\u{e0020}'..='\u{e007e}' => return Cow::Owned(format!("TAG {}", smuggled(c))),
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => "PRIVATE USE",
        _ => "",
    })
}

/// The ASCII character that a tag character stands for.
fn smuggled(tag: char) -> char {
    char::from_u32(u32::from(tag) - 0xe_0000).unwrap_or('?')
}
