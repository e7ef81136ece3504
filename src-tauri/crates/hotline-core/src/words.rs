//! The catalogue: every text the app itself says, in English and French, and nowhere else.
//!
//! A group of texts is a file below, one row a key with both languages side by side, so a missing text does not
//! compile. `{name}` marks a place that `fill` fills. The words of agents and people are never translated, and
//! go through `display` *before* they are filled in. `ui/src/lib/words.ts` is generated from here (`ht` apart).
//!
//! Wording: design rules are short sentences, no exclamation mark, who and what happened, then what to do.
//! French says vous, and writes `\u{202f}` before `; : ! ?` and inside `« »`.

mod age;
mod ask;
mod common;
mod history;
mod home;
mod ht;
mod settings;
#[cfg(test)]
mod tests;
mod tray;
#[cfg(test)]
mod typescript;

use std::fmt::{Display, Write};

pub use age::{ago, clock, duration};
pub use ask::AskWords;
pub use common::CommonWords;
pub use history::HistoryWords;
pub use home::HomeWords;
pub use ht::HtWords;
pub use settings::SettingsWords;
pub use tray::TrayWords;

/// A language that the app speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Also whenever the locale is neither.
    #[default]
    English,
    /// Any French, `fr_CA` included.
    French,
}

impl Language {
    /// Reads a POSIX locale, a BCP 47 tag or a list of them: `fr_FR.UTF-8`, `fr-CA`, `fr:en`.
    pub fn from_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@', ':']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("fr") { Self::French } else { Self::English }
    }

    /// The texts of this language.
    pub fn words(self) -> &'static Words {
        match self {
            Self::English => &Words::ENGLISH,
            Self::French => &Words::FRENCH,
        }
    }

    /// The text for so many things: French counts nought as singular, English does not.
    pub fn plural(self, plural: Plural, n: u64) -> &'static str {
        let singular = match self {
            Self::English => n == 1,
            Self::French => n < 2,
        };
        if singular { plural.one } else { plural.many }
    }
}

/// A text that depends on a number, which it shows as `{n}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plural {
    /// For a single thing.
    pub one: &'static str,
    /// For several.
    pub many: &'static str,
}

/// Fills the places of a text: `fill("{n} of {total}", &[("n", &1), ("total", &3)])` is `1 of 3`.
///
/// Values are taken as they are, braces in them included; a place without a value stays visible.
pub fn fill(text: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut filled = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, place)) = rest.split_once('{') {
        filled.push_str(before);
        let value = place.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        rest = match value {
            Some((value, after)) => {
                write!(filled, "{value}").expect("a String takes every write");
                after
            }
            None => {
                filled.push('{');
                place
            }
        };
    }
    filled + rest
}

/// Every text, by where it is said.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Buttons, outcomes, ages: said in several places.
    pub common: CommonWords,
    /// The dialog of an ask.
    pub ask: AskWords,
    /// The Home window and its first run.
    pub home: HomeWords,
    /// The page of past asks.
    pub history: HistoryWords,
    /// The page of settings.
    pub settings: SettingsWords,
    /// Tray, notifications, starting and quitting.
    pub tray: TrayWords,
    /// What `ht` says to a person.
    pub ht: HtWords,
}

impl Words {
    const ENGLISH: Self = Self {
        common: CommonWords::ENGLISH,
        ask: AskWords::ENGLISH,
        home: HomeWords::ENGLISH,
        history: HistoryWords::ENGLISH,
        settings: SettingsWords::ENGLISH,
        tray: TrayWords::ENGLISH,
        ht: HtWords::ENGLISH,
    };
    const FRENCH: Self = Self {
        common: CommonWords::FRENCH,
        ask: AskWords::FRENCH,
        home: HomeWords::FRENCH,
        history: HistoryWords::FRENCH,
        settings: SettingsWords::FRENCH,
        tray: TrayWords::FRENCH,
        ht: HtWords::FRENCH,
    };
}

/// Declares a group of texts from rows `key: English, French;`, a pair in brackets being singular and plural.
macro_rules! group {
    ($(#[$about:meta])* $group:ident { $($key:ident: $english:tt, $french:tt;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $group {
            $(#[doc = $crate::words::group!(@doc $english)] pub $key: $crate::words::group!(@type $english),)+
        }

        impl $group {
            pub(super) const ENGLISH: Self = Self { $($key: $crate::words::group!(@text $english),)+ };
            pub(super) const FRENCH: Self = Self { $($key: $crate::words::group!(@text $french),)+ };

            #[cfg(test)]
            pub(super) fn entries(&self) -> Vec<(&'static str, $crate::words::typescript::Entry)> {
                vec![$((stringify!($key), self.$key.into()),)+]
            }
        }
    };
    (@doc [$one:literal, $many:literal]) => { $many };
    (@doc $text:literal) => { $text };
    (@type [$one:literal, $many:literal]) => { $crate::words::Plural };
    (@type $text:literal) => { &'static str };
    (@text [$one:literal, $many:literal]) => { $crate::words::Plural { one: $one, many: $many } };
    (@text $text:literal) => { $text };
}
use group;
