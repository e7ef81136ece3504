//! Ages and durations, as short as they can be said.

use super::{Language, fill};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A length of time in its largest whole unit: `18 s`, `2 min`, `5 h`, `3 d`.
pub fn duration(seconds: u64, language: Language) -> String {
    let words = &language.words().common;
    let (unit, n) = match seconds {
        0..MINUTE => (words.seconds, seconds),
        MINUTE..HOUR => (words.minutes, seconds / MINUTE),
        HOUR..DAY => (words.hours, seconds / HOUR),
        DAY.. => (words.days, seconds / DAY),
    };
    fill(unit, &[("n", &n)])
}

/// How long ago something was: `just now`, `2 min ago`, `il y a 2 min`.
pub fn ago(seconds: u64, language: Language) -> String {
    let words = &language.words().common;
    match seconds {
        0 => words.just_now.to_owned(),
        _ => fill(words.ago, &[("time", &duration(seconds, language))]),
    }
}

/// What is left of a countdown, in every language: `9:41`, `1:02:03`.
pub fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
