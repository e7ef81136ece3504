//! Writes the catalogue as TypeScript, for the window and the mirror.

use std::{fs, path::Path};

use super::{Language, Plural, Words};
use crate::display::json_for_terminal;

const HEAD: &str = r#"// Generated from src/words of hotline-core; edit it there.
// `UPDATE=1 cargo test -p hotline-core words` writes it anew.

export type Language = "en" | "fr";

/** A text that depends on a number, which it shows as {n}. French counts 0 as one. */
export type Plural = { one: string; many: string };
"#;

/// A text of the catalogue, whichever its shape.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    Text(&'static str),
    Plural(Plural),
}

impl From<&'static str> for Entry {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl From<Plural> for Entry {
    fn from(plural: Plural) -> Self {
        Self::Plural(plural)
    }
}

impl Entry {
    /// The one or two texts of it.
    pub(super) fn forms(self) -> Vec<&'static str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Plural(Plural { one, many }) => vec![one, many],
        }
    }
}

/// Every group with its name and its texts.
pub(super) fn groups(language: Language) -> [(&'static str, Vec<(&'static str, Entry)>); 7] {
    let Words { common, ask, home, history, settings, tray, ht } = language.words();
    [
        ("common", common.entries()),
        ("ask", ask.entries()),
        ("home", home.entries()),
        ("history", history.entries()),
        ("settings", settings.entries()),
        ("tray", tray.entries()),
        ("ht", ht.entries()),
    ]
}

fn typescript() -> String {
    let kind = |entry| match entry {
        Entry::Text(_) => "string".to_owned(),
        Entry::Plural(_) => "Plural".to_owned(),
    };
    let value = |entry| match entry {
        Entry::Text(text) => quoted(text),
        Entry::Plural(Plural { one, many }) => format!("{{ one: {}, many: {} }}", quoted(one), quoted(many)),
    };
    let shape = object(Language::English, 1, ";", kind);
    let english = object(Language::English, 2, ",", value);
    let french = object(Language::French, 2, ",", value);
    format!(
        "{HEAD}\nexport type Words = {{\n{shape}}};\n\n// prettier-ignore\n\
         export const words: Record<Language, Words> = {{\n  en: {{\n{english}  }},\n  fr: {{\n{french}  }},\n}};\n"
    )
}

/// The members of the groups that browsers need, indented so many steps.
fn object(language: Language, depth: usize, end: &str, show: impl Fn(Entry) -> String) -> String {
    let pad = "  ".repeat(depth);
    let group = |(name, entries): (&str, Vec<(&str, Entry)>)| {
        let rows: String = entries
            .into_iter()
            .map(|(key, e)| format!("{pad}  {}: {}{end}\n", camel(key), show(e)))
            .collect();
        format!("{pad}{name}: {{\n{rows}{pad}}}{end}\n")
    };
    groups(language).into_iter().filter(|(name, _)| *name != "ht").map(group).collect()
}

/// A string literal, its narrow spaces escaped so that they can be seen.
fn quoted(text: &str) -> String {
    json_for_terminal(&serde_json::to_string(text).expect("a string is JSON")).into_owned()
}

fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| camel + &word[..1].to_uppercase() + &word[1..])
}

#[test]
fn the_committed_typescript_is_what_the_catalogue_gives() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/lib/words.ts");
    let wanted = typescript();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &wanted).expect("words.ts can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == wanted,
        "ui/src/lib/words.ts is not up to date: UPDATE=1 cargo test -p hotline-core words"
    );
}
