//! The one implementation of safe text, checked over every scalar and at random.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn line(text: &str) -> String {
    show(text, Context::Line).into_owned()
}

fn block(text: &str) -> String {
    show(text, Context::Block).into_owned()
}

/// Reads a text back from what is shown; written apart from `show`, so that it can contradict it.
fn unshow(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some((plain, escape)) = rest.split_once(OPEN) {
        let (label, after) = escape.split_once(CLOSE).expect("an escape is closed");
        let (what, count) = label.split_once('×').unwrap_or((label, "1"));
        let scalar = match what {
            "space" => ' ',
            "tab" => '\t',
            "newline" => '\n',
            code => {
                let code = u32::from_str_radix(&code[2..], 16).expect("hexadecimal");
                char::from_u32(code).expect("a scalar")
            }
        };
        text.push_str(plain);
        text.extend(iter::repeat_n(scalar, count.parse().expect("a count")));
        rest = after;
    }
    text + rest
}

/// The characters that the rules name, listed apart from `is_hidden`.
fn named_by_the_rules(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || c.is_whitespace()
        || matches!(u32::from(c),
            0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164
            | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffc | 0xe_0000..=0xe_0fff | 0xf_0000..=0x10_ffff)
        || u32::from(c) % 0x1_0000 >= 0xfffe
}

fn assert_safe(text: &str, context: Context) {
    let shown = show(text, context);
    let kept = |c| c == '\n' && context == Context::Block;
    let hidden: Vec<char> = shown.chars().filter(|c| named_by_the_rules(*c) && !kept(*c)).collect();
    assert!(hidden.is_empty(), "{text:?} is shown with {hidden:?}");
    assert!(!shown.contains(&" ".repeat(21)), "{text:?} is shown with a long run of spaces");
    let tall = |blanks: &str| blanks.matches('\n').count() > 20;
    assert!(!shown.split(|c| c != ' ' && c != '\n').any(tall), "{text:?} is shown with many blank lines");
    assert_eq!(unshow(&shown), text);
}

#[test]
fn every_scalar_is_shown_safely_and_can_be_read_back() {
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    for some in all.chunks(256) {
        let text: String = some.iter().flat_map(|c| [*c, 'a']).collect();
        assert_safe(&text, Context::Block);
    }
}

#[test]
fn ordinary_text_is_untouched_and_not_copied() {
    for text in
        ["", "Run install?", "Où ça ? « là »", "日本語のテスト", "मर्यादा", "မြွှေ့", "שלום", "👍🏽 🇫🇷", "e\u{301}"]
    {
        assert!(matches!(show(text, Context::Block), Cow::Borrowed(_)), "{text}");
        assert_eq!(hidden(text, Context::Block), 0);
    }
    assert_eq!(block("set -e\n    make\n\nls"), "set -e\n    make\n\nls");
}

#[test]
fn reordering_and_invisible_characters_are_named() {
    assert_eq!(line("rm \u{202e}~ fr-"), "rm ⟦U+202E⟧~ fr-");
    assert_eq!(line("ls\u{200b}\u{feff}"), "ls⟦U+200B⟧⟦U+FEFF⟧");
    assert_eq!(line("\u{3164}\u{e0041}"), "⟦U+3164⟧⟦U+E0041⟧");
    assert_eq!(
        line("\u{1b}[2K\u{9b}31m\u{8}\u{8}\r\u{7}"),
        "⟦U+001B⟧[2K⟦U+009B⟧31m⟦U+0008×2⟧⟦U+000D⟧⟦U+0007⟧"
    );
    assert_eq!(line("👩\u{200d}💻 ❤\u{fe0f}"), "👩⟦U+200D⟧💻 ❤⟦U+FE0F⟧");
}

#[test]
fn a_payload_behind_blanks_comes_back_into_sight() {
    let pushed = |blank: &str, times| block(&format!("git status{}; rm -rf ~", blank.repeat(times)));
    assert_eq!(pushed(" ", 480), "git status⟦space×480⟧; rm -rf ~");
    assert_eq!(pushed("\n", 400), "git status⟦newline×400⟧; rm -rf ~");
    assert_eq!(pushed("\t", 300), "git status⟦tab×300⟧; rm -rf ~");
    assert_eq!(pushed("\u{a0}", 5000), "git status⟦U+00A0×5000⟧; rm -rf ~");
    assert_eq!(pushed(" \n", 21), format!("git status{}; rm -rf ~", "⟦space⟧⟦newline⟧".repeat(21)));
    assert_eq!(pushed("\r\n", 21), format!("git status{}; rm -rf ~", "⟦U+000D⟧⟦newline⟧".repeat(21)));
    assert_eq!(pushed(" ", 20), format!("git status{}; rm -rf ~", " ".repeat(20)));
    assert_eq!(pushed("\n", 20), format!("git status{}; rm -rf ~", "\n".repeat(20)));
}

#[test]
fn deep_indentation_keeps_its_line_break() {
    let text = format!("if x:\n{}pass", " ".repeat(20));
    assert_eq!(block(&text), text);
    assert_eq!(block(&format!("if x:\n{}pass", " ".repeat(24))), "if x:\n⟦space×24⟧pass");
}

#[test]
fn a_line_break_breaks_the_line_only_in_a_block() {
    assert_eq!(block("a\nb"), "a\nb");
    assert_eq!(line("a\nb"), "a⟦newline⟧b");
    assert_eq!(block("a\r\nb\u{2028}c"), "a⟦U+000D⟧\nb⟦U+2028⟧c");
}

#[test]
fn an_escape_cannot_be_forged() {
    assert_eq!(line("⟦U+202E⟧"), "⟦U+27E6⟧U+202E⟧");
    assert_eq!(hidden("⟦U+202E⟧", Context::Line), 0);
}

#[test]
fn marks_pile_up_to_four_and_never_on_our_own_brackets() {
    assert_eq!(line("o\u{301}\u{302}\u{303}\u{304}"), "o\u{301}\u{302}\u{303}\u{304}");
    assert_eq!(line(&format!("o{}k", "\u{301}".repeat(30))), "o\u{301}\u{301}\u{301}\u{301}⟦U+0301×26⟧k");
    assert_eq!(line("\u{338}x"), "⟦U+0338⟧x");
    assert_eq!(line("\u{200b}\u{338}x"), "⟦U+200B⟧⟦U+0338⟧x");
    assert_eq!(block("a\n\u{338}"), "a\n⟦U+0338⟧");
}

#[test]
fn the_banner_counts_characters_and_a_run_of_blanks_once() {
    let command =
        format!("git clean -n{}; rm -rf ~\nls \u{202e}~ fr- mr\u{202c}\necho \u{200b}done", " ".repeat(480));
    assert_eq!(hidden(&command, Context::Block), 4);
    assert_eq!(hidden(&"\u{200b}".repeat(7), Context::Block), 7);
}

#[test]
fn escapes_have_labels_and_common_names() {
    let all = spans("a\u{202e}\u{e0041}\u{e000}", Context::Line);
    let [Span::Plain("a"), Span::Escape(bidi), Span::Escape(tag), Span::Escape(private)] = all[..] else {
        panic!("{all:?}");
    };
    assert_eq!((bidi.to_string().as_str(), &*bidi.name()), ("U+202E", "RIGHT-TO-LEFT OVERRIDE"));
    assert_eq!((tag.to_string().as_str(), &*tag.name()), ("U+E0041", "TAG A"));
    assert_eq!(private.name(), "PRIVATE USE");
    assert_eq!(Escape { scalar: '\u{600}', count: 2 }.name(), "");
    assert_eq!(Escape { scalar: '\u{600}', count: 2 }.to_string(), "U+0600×2");
}

#[test]
fn choices_that_cannot_be_told_apart_share_their_look() {
    assert_eq!(look("Yes"), look(" Yes  "));
    assert_eq!(look("Yes"), look(&format!("{}Yes", " ".repeat(30))));
    assert_ne!(look("Yes"), look("Yes\u{200b}"));
    assert_ne!(look("Yes"), look("yes"));
}

#[test]
fn json_keeps_its_value_and_drives_no_terminal() {
    let value = Value::from("\u{1b}]52;c;x\u{7}\u{9b}31m\u{7f}\u{202e}\u{e0041}é👍\t\r\n");
    let json = serde_json::to_string(&value).expect("JSON");
    let safe = json_for_terminal(&json);
    assert_eq!(safe, r#""\u001b]52;c;x\u0007\u009b31m\u007f\u202e\udb40\udc41é👍\t\r\n""#);
    assert_eq!(serde_json::from_str::<Value>(&safe).expect("still JSON"), value);
    assert_eq!(json_for_terminal("{\r\n\t\"a\": 1 }"), "{ \n \"a\": 1 }");
    assert!(matches!(json_for_terminal("{\n  \"a\": 1\n}\n"), Cow::Borrowed(_)));
}

#[test]
fn mixed_alphabets_and_right_to_left_letters_are_flagged() {
    let flagged = |text: &str| -> Vec<(String, Suspicion)> {
        suspicious_tokens(text).into_iter().map(|s| (text[s.range].to_owned(), s.why)).collect()
    };
    let mixed = |word: &str| vec![(word.to_owned(), Suspicion::MixedAlphabets)];
    let backwards = |word: &str| (word.to_owned(), Suspicion::RightToLeft);
    assert_eq!(flagged("curl https://gооgle.com/x"), mixed("gооgle"));
    assert_eq!(flagged("open example.сом now"), mixed("сом"));
    assert_eq!(flagged("ѕudo ls"), mixed("ѕudo"));
    assert_eq!(flagged("Ꭱm x"), mixed("Ꭱm"));
    assert_eq!(flagged("ｌs 𝐫m"), [mixed("ｌs"), mixed("𝐫m")].concat());
    assert_eq!(flagged("rm \"א\" -rf \"ב\""), [backwards("א"), backwards("ב")]);
    for honest in ["файл.txt", "Δt = 3 µs", "Привет, world", "naïve œuvre", "html_файл", "日本語abc", "Ω 4k"]
    {
        assert_eq!(flagged(honest), [], "{honest}");
    }
}

/// Strings in which what matters is frequent: blanks, hidden characters, marks, brackets, any scalar.
pub(super) fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => any::<char>().prop_map(String::from),
        3 => prop::sample::select(vec!["⟦", "⟧", "U+202E", "×", "\u{202e}", "\t", "\u{301}", "\u{200d}", "a", "\n"])
            .prop_map(String::from),
        2 => (prop::sample::select(vec![" ", "\n", " \n", "\u{a0}", "\t", "\u{301}"]), 1..30_usize)
            .prop_map(|(blank, times)| blank.repeat(times)),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_shown_safely_and_can_be_read_back(text in nasty()) {
        assert_safe(&text, Context::Line);
        assert_safe(&text, Context::Block);
    }

    #[test]
    fn spans_put_together_are_the_text(text in nasty()) {
        let whole: String = spans(&text, Context::Block).into_iter().map(|span| match span {
            Span::Plain(plain) => plain.to_owned(),
            Span::Escape(escape) => escape.scalar.to_string().repeat(escape.count),
        }).collect();
        prop_assert_eq!(whole, text);
    }

    #[test]
    fn json_of_any_text_stays_the_same_value(text in nasty()) {
        let value = Value::from(text);
        let pretty = serde_json::to_string_pretty(&vec![&value]).expect("JSON");
        let safe = json_for_terminal(&pretty);
        prop_assert!(!safe.contains(|c| c != '\n' && named_by_the_rules(c)));
        prop_assert_eq!(serde_json::from_str::<Vec<Value>>(&safe).expect("still JSON"), vec![value]);
    }
}
