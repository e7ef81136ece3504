//! Words of the wire: enums that spell each word once, and what a misspelt name was meant to be.

/// Declares an enum whose variants are one word each, so that serde, the store, schemas and TypeScript agree.
///
/// It gets `ALL` and `WORDS` in the order written, `word()` and `from_word()`.
macro_rules! words {
    ($(#[$on_enum:meta])* pub enum $name:ident { $($(#[$on_variant:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$on_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum $name {
            $($(#[$on_variant])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every one, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// The word of each, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word on the wire and in the store.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The one of exactly that word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

pub(super) use words;

/// How alike two names have to be, from 0 to 1: one or two letters amiss, but not only a prefix shared.
const ALIKE: f64 = 0.6;
/// Longer names, in bytes, are nobody's slip; comparing them would take memory by their length.
const LONGEST: usize = 64;

/// The name among `known` that `name` was most likely meant to be.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |known| (strsim::normalized_damerau_levenshtein(name, known), known);
    let known = known.filter(|_| name.len() <= LONGEST).map(alike);
    let (how_much, nearest) = known.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (how_much >= ALIKE).then_some(nearest)
}
