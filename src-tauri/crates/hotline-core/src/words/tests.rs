//! Both languages say the same things, and say them well.

use std::collections::BTreeSet;

use super::*;
use crate::display::is_hidden;

const LANGUAGES: [Language; 2] = [Language::English, Language::French];

/// Every text with its key, the forms of a plural apart.
fn texts(language: Language) -> Vec<(String, &'static str)> {
    let groups = typescript::groups(language).into_iter();
    let entries = groups.flat_map(|(group, entries)| entries.into_iter().map(move |entry| (group, entry)));
    entries
        .flat_map(|(group, (key, entry))| {
            entry.forms().into_iter().map(move |text| (format!("{group}.{key}"), text))
        })
        .collect()
}

fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).map(|place| place.split_once('}').expect("a place is closed").0).collect()
}

#[test]
fn both_languages_and_both_forms_use_the_same_places() {
    let english = typescript::groups(Language::English).into_iter().flat_map(|(_, entries)| entries);
    let french = typescript::groups(Language::French).into_iter().flat_map(|(_, entries)| entries);
    for ((key, english), (_, french)) in english.zip(french) {
        let forms = [english.forms(), french.forms()].concat();
        for form in &forms {
            assert_eq!(places(form), places(forms[0]), "{key}: {form}");
        }
        if forms.len() > 2 {
            assert!(places(forms[0]).contains("n"), "{key} does not show its number");
        }
    }
}

#[test]
fn no_text_shouts_begs_boasts_or_doubts() {
    let never = [
        "!",
        "please",
        "successfully",
        "are you sure",
        "veuillez",
        "s’il vous plaît",
        "avec succès",
        "êtes-vous sûr",
    ];
    for (key, text) in LANGUAGES.into_iter().flat_map(texts) {
        let lower = text.to_lowercase();
        assert!(!never.iter().any(|word| lower.contains(word)), "{key}: {text}");
    }
}

#[test]
fn typography_is_the_printers_not_the_keyboards() {
    for (key, text) in LANGUAGES.into_iter().flat_map(texts) {
        let keyboard = ["'", "\"", "...", "  "];
        assert!(!keyboard.iter().any(|sign| text.contains(sign)), "{key}: {text}");
        assert_eq!(text.trim(), text, "{key}");
        assert!(!text.is_empty(), "{key}");
        assert!(!text.contains(|c| is_hidden(c) && c != '\u{202f}'), "{key}: {text:?}");
    }
    assert!(texts(Language::English).iter().all(|(_, text)| !text.contains('\u{202f}')));
}

#[test]
fn french_sets_a_narrow_space_before_high_punctuation_and_inside_quotes() {
    for (key, text) in texts(Language::French) {
        for (at, sign) in text.match_indices([';', ':', '!', '?', '»']) {
            assert!(text[..at].ends_with('\u{202f}'), "{key}: {text:?} before {sign}");
        }
        for (at, sign) in text.match_indices('«') {
            assert!(text[at + sign.len()..].starts_with('\u{202f}'), "{key}: {text:?} after {sign}");
        }
        assert!(!text.contains(['“', '”']), "{key}: {text}");
    }
}

#[test]
fn buttons_and_sentences_stay_short() {
    for (key, text) in LANGUAGES.into_iter().flat_map(texts) {
        assert!(text.chars().count() <= 120, "{key}: {text}");
    }
}

#[test]
fn two_minutes_are_what_an_acknowledgement_lasts() {
    let said = LANGUAGES.map(|language| language.words().ask.expired);
    assert!(said[0].starts_with("Two minutes passed.") && said[1].starts_with("Deux minutes ont passé."));
    assert_eq!(crate::queue::ACK_LASTS_MS, 120_000);
}

#[test]
fn the_locale_chooses_the_language() {
    for locale in ["fr", "fr_FR.UTF-8", "fr-CA", "FR", "fr:en", "fr@euro"] {
        assert_eq!(Language::from_locale(locale), Language::French, "{locale}");
    }
    for locale in ["", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "en:fr", "de_DE", "frr", "français"] {
        assert_eq!(Language::from_locale(locale), Language::English, "{locale}");
    }
}

#[test]
fn nought_is_singular_in_french_only() {
    let count =
        |language: Language, n: u64| fill(language.plural(language.words().ask.lines, n), &[("n", &n)]);
    assert_eq!([0, 1, 2].map(|n| count(Language::English, n)), ["0 lines", "1 line", "2 lines"]);
    assert_eq!([0, 1, 2].map(|n| count(Language::French, n)), ["0 ligne", "1 ligne", "2 lignes"]);
}

#[test]
fn ages_are_said_in_their_largest_unit() {
    let english = |seconds| ago(seconds, Language::English);
    let french = |seconds| ago(seconds, Language::French);
    assert_eq!([0, 1, 59, 60].map(english), ["just now", "1 s ago", "59 s ago", "1 min ago"]);
    assert_eq!([3599, 3600, 86_399, 172_800].map(english), ["59 min ago", "1 h ago", "23 h ago", "2 d ago"]);
    assert_eq!(
        [0, 18, 150, 172_800].map(french),
        ["à l’instant", "il y a 18 s", "il y a 2 min", "il y a 2 j"]
    );
    assert_eq!([0, 9, 581, 3723].map(clock), ["0:00", "0:09", "9:41", "1:02:03"]);
    assert!(!ago(u64::MAX, Language::French).is_empty());
}

#[test]
fn filling_takes_values_as_they_are() {
    assert_eq!(fill("{n} of {total}", &[("n", &1), ("total", &3)]), "1 of 3");
    assert_eq!(fill("{a}{b}", &[("a", &"{b}"), ("b", &"x")]), "{b}x");
    assert_eq!(fill("{missing} {", &[("n", &1)]), "{missing} {");
}

#[test]
fn a_whole_sentence_reads_well_in_both_languages() {
    let sentence = |language: Language| {
        let words = &language.words().common;
        let (how, when, value) = (words.by_telegram, ago(2, language), words.yes);
        fill(words.answered_by, &[("how", &how), ("who", &"@mireille"), ("when", &when), ("value", &value)])
    };
    assert_eq!(sentence(Language::English), "Answered by Telegram (@mireille) 2 s ago: Yes");
    assert_eq!(sentence(Language::French), "Répondu par Telegram (@mireille) il y a 2 s\u{202f}: Oui");
}
