//! Writes the wire as TypeScript, for the window and the mirror, and fails where the committed file differs.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ts_rs::{Config, TS};

use super::ask::{AskRecord, AskUserRequest, AskUserResponse, AskedAction, By, Channel, Choice, Kind};
use super::error::ErrorKind;
use super::event::{AskUserEvent, EventChannel, Level, NotificationEvent};
use super::method::{METHODS, Member, Object, Shape};

const HEAD: &str = "// Generated from src/wire of hotline-core; edit it there.\n\
                    // `UPDATE=1 cargo test -p hotline-core wire` writes it anew.\n";

fn typescript() -> String {
    let config = Config::new();
    let mut out = HEAD.to_owned();
    macro_rules! declare {
        ($($type:ty),* $(,)?) => { $( writeln!(out, "\nexport {}", <$type>::decl(&config)).unwrap(); )* };
    }
    declare!(Kind, Choice, AskUserRequest, AskedAction, AskUserResponse, Channel, By, AskRecord);
    declare!(EventChannel, AskUserEvent, Level, NotificationEvent, ErrorKind);
    out.push_str("\n/** What each method takes and returns. */\nexport type Calls = {\n");
    for method in METHODS {
        let (params, result) = (object(method.params), shape(&method.result));
        writeln!(out, "  /** {} */", method.about).unwrap();
        writeln!(out, "  \"{}\": {{ params: {params}; result: {result} }};", method.name).unwrap();
    }
    out.push_str("};\n");
    out
}

fn object(object: Object) -> String {
    if let Some(name) = object.name {
        return name.into();
    }
    let member = |member: &Member| {
        let (mark, null) = if member.required { ("", "") } else { ("?", " | null") };
        format!("{}{mark}: {}{null}", member.name, shape(&member.shape))
    };
    let members: Vec<String> = object.members().map(member).collect();
    if members.is_empty() { "Record<string, never>".into() } else { format!("{{ {} }}", members.join("; ")) }
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Line { .. } | Shape::Name { .. } | Shape::Text { .. } => "string".into(),
        Shape::Word(words) if *words == Kind::WORDS => "Kind".into(),
        Shape::Word(words) if *words == EventChannel::WORDS => "EventChannel".into(),
        Shape::Word(words) if *words == Level::WORDS => "Level".into(),
        Shape::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | "),
        Shape::Whole { .. } => "number".into(),
        Shape::Flag => "boolean".into(),
        Shape::List { of, .. } => format!("{}[]", self::shape(of)),
        Shape::Object(of) => object(*of),
        Shape::Map => "Record<string, unknown>".into(),
    }
}

#[test]
fn the_committed_typescript_is_what_these_types_give() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/lib/wire.ts");
    let wanted = typescript();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "{} is stale: run `UPDATE=1 cargo test -p hotline-core wire`", file.display());
}
