//! Gives the page what it needs to show text as this module does: tables of characters, and the cases that its
//! own walker has to pass. Both are committed, and these tests fail where they differ.

use std::fmt::Write as _;
use std::{fs, path::Path};

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use super::look_alikes::{is_latin, is_right_to_left, looks_latin};
use super::tests::nasty;
use super::*;

const HEAD: &str = "// Generated from src/display of hotline-core; edit it there.\n\
                    // `UPDATE=1 cargo test -p hotline-core display` writes it anew.\n";

/// A kind of characters: its name, what it means, and which belong to it.
type Class = (&'static str, &'static str, fn(char) -> bool);

/// The kinds of characters that the page tells apart.
const CLASSES: [Class; 8] = [
    ("hidden", "Leaves no mark of its own on a screen, or acts on it.", is_hidden),
    ("mark", "Is drawn onto the character before it.", hidden::is_mark),
    ("white", "Is white space, which parts tokens.", char::is_whitespace),
    ("alphabetic", "Is a letter.", char::is_alphabetic),
    ("alphanumeric", "Is a letter or a number.", char::is_alphanumeric),
    ("latin", "Is a Latin letter.", is_latin),
    ("looksLatin", "Is a letter of another alphabet that looks like a Latin one.", looks_latin),
    ("rightToLeft", "Is a letter that runs from right to left.", is_right_to_left),
];

/// The characters of a class as pairs of a gap and a length, in base 36; a length of one is left out.
fn ranges(belongs: fn(char) -> bool) -> String {
    let mut pairs: Vec<String> = Vec::new();
    let (mut end, mut from) = (0, None);
    for code in 0..=0x11_0000 {
        let inside = char::from_u32(code).is_some_and(belongs);
        match (inside, from) {
            (true, None) => from = Some(code),
            (false, Some(start)) => {
                let length =
                    if code - start == 1 { String::new() } else { format!(":{}", base36(code - start)) };
                pairs.push(base36(start - end) + &length);
                (end, from) = (code, None);
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    pairs.join(" ")
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).expect("a digit of base 36"));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// The named characters as rows of first and last code point and name.
fn names() -> Vec<(u32, u32, String)> {
    let mut rows: Vec<(u32, u32, String)> = Vec::new();
    for c in '\0'..=char::MAX {
        let (code, name) = (u32::from(c), hidden::name(c));
        match rows.last_mut() {
            Some((_, last, same)) if *last + 1 == code && *same == name => *last = code,
            _ if !name.is_empty() => rows.push((code, code, name.into_owned())),
            _ => {}
        }
    }
    rows
}

fn tables() -> String {
    let mut out =
        format!("{HEAD}\n/** The characters of each class as pairs of a gap and a length, in base 36. */\n");
    out.push_str("export const classes = {\n");
    for (name, about, belongs) in CLASSES {
        writeln!(out, "  /** {about} */\n  {name}: {},", json!(ranges(belongs)))
            .expect("a String takes every write");
    }
    out.push_str("};\n\n/** The first and the last of the characters that a name is for. */\n");
    out.push_str("export const names: [first: number, last: number, name: string][] = [\n");
    for (first, last, name) in names() {
        writeln!(out, "  [{first:#x}, {last:#x}, {}],", json!(name)).expect("a String takes every write");
    }
    out + "];\n"
}

/// FNV-1a of 32 bits, over what `bytes` says of every scalar in order: two walkers that agree on it agree.
fn hash(bytes: impl Fn(char) -> Vec<u8>) -> u32 {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    ('\0'..=char::MAX).flat_map(bytes).fold(0x811c_9dc5, step)
}

fn case(text: &str, context: Context) -> Value {
    let span = |span| match span {
        Span::Plain(plain) => json!(plain),
        Span::Escape(escape) => json!([escape.to_string(), escape.name()]),
    };
    // The page counts in UTF-16.
    let units = |at: usize| text[..at].encode_utf16().count();
    let suspect = |suspect: Suspect| {
        let why = match suspect.why {
            Suspicion::MixedAlphabets => "mixedAlphabets",
            Suspicion::RightToLeft => "rightToLeft",
        };
        json!([units(suspect.range.start), units(suspect.range.end), why])
    };
    json!({
        "text": text,
        "context": if context == Context::Line { "line" } else { "block" },
        "spans": spans(text, context).into_iter().map(span).collect::<Vec<_>>(),
        "hidden": hidden(text, context),
        "suspects": suspicious_tokens(text).into_iter().map(suspect).collect::<Vec<_>>(),
    })
}

fn cases() -> String {
    let chosen = [
        "",
        "Run install?",
        "set -e\n    make\n\nls",
        "日本語 👍🏽 🇫🇷 e\u{301}",
        "rm \u{202e}~ fr-",
        "ls\u{200b}\u{feff}\u{feff}",
        "\u{3164}\u{e0041}\u{e000}\u{fe0f}",
        "\u{1b}[2K\u{9b}31m\u{8}\u{8}\r\u{7}",
        "a\r\nb\u{2028}c\td",
        "⟦U+202E⟧",
        "o\u{301}\u{302}\u{303}\u{304}\u{305}",
        "\u{338}x\u{200b}\u{338}",
        "open example.сом now, ѕudo gооgle Ꭱm",
        "rm \"א\" -rf \"ב\"",
        "файл.txt Δt = 3 µs naïve html_файл ｌs 𝐫m",
        "👍 \u{1f468}\u{200d}\u{1f4bb} gооgle",
    ];
    let mut texts: Vec<String> = chosen.map(String::from).into();
    for (blank, times) in
        [(" ", 20), (" ", 480), ("\n", 20), ("\n", 400), ("\t", 300), (" \n", 21), ("\r\n", 21)]
    {
        texts.push(format!("git status{}; rm -rf ~", blank.repeat(times)));
    }
    let mut runner = TestRunner::deterministic();
    texts.extend((0..60).map(|_| nasty().new_tree(&mut runner).expect("a text").current()));
    let cases = texts.iter().flat_map(|text| [case(text, Context::Line), case(text, Context::Block)]);
    let class = |belongs: fn(char) -> bool| hash(move |c| vec![u8::from(belongs(c))]);
    let classes: Map<_, _> =
        CLASSES.into_iter().map(|(name, _, belongs)| (name.to_owned(), json!(class(belongs)))).collect();
    let names = hash(|c| hidden::name(c).bytes().chain([0]).collect());
    let rows: Vec<String> = cases.map(|case| format!("    {case}")).collect();
    let fixture = format!(
        "{{\n  \"classes\": {},\n  \"names\": {names},\n  \"cases\": [\n{}\n  ]\n}}\n",
        Value::Object(classes),
        rows.join(",\n")
    );
    json_for_terminal(&fixture).into_owned()
}

fn compare(file: &str, wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(file);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, wanted).expect("the file can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "{} is stale: UPDATE=1 cargo test -p hotline-core display", file.display());
}

#[test]
fn the_committed_tables_are_what_the_rules_give() {
    compare("ui/src/lib/display-tables.ts", &tables());
}

#[test]
fn the_committed_cases_are_what_the_rules_give() {
    compare("tests/fixtures/display.json", &cases());
}
