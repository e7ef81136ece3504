//! Asks as lines for a person. Everything that others wrote goes through `display` on its way.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use hotline_core::display::{self, Context};
use hotline_core::wire::{AskRecord, AskUserRequest, AskUserResponse, AskedAction, By, Channel, Kind};
use hotline_core::words::{self, Language, fill};

/// Most lines of a body in a list.
const EXCERPT: usize = 3;
/// Most characters of one of them.
const EXCERPT_WIDTH: usize = 160;

/// Milliseconds since the epoch.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// One line of somebody's text.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    display::show(text, Context::Line)
}

/// A length of time in words, a begun second counted whole.
pub(crate) fn time(time: Duration, language: Language) -> String {
    words::duration(time.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX), language)
}

/// How long ago a time in milliseconds was.
fn ago(at: u64, language: Language) -> String {
    words::ago(now().saturating_sub(at) / 1000, language)
}

/// An ask in a list: its title, what and who it is, and the beginning of its body.
pub(crate) fn ask(request: &AskUserRequest, language: Language) -> String {
    let texts = language.words();
    let mut shown =
        format!("{}  {}\n    {}", line(&request.request_id), line(&request.title), about(request, language));
    if request.is_unsafe == Some(true) {
        shown += &format!("\n    {}", texts.ask.danger);
    }
    for row in excerpt(request.body.as_deref().unwrap_or_default(), language) {
        shown += &format!("\n    │ {row}");
    }
    for choice in request.choices.iter().flatten() {
        shown += &match choice.label == choice.id {
            true => format!("\n    · {}", line(&choice.id)),
            false => format!("\n    · {}: {}", line(&choice.id), line(&choice.label)),
        };
    }
    shown
}

/// An ask in the history: the same, and how it ended.
pub(crate) fn record(record: &AskRecord, language: Language) -> String {
    let texts = language.words();
    let outcome = match &record.response {
        None => texts.common.waiting.to_owned(),
        Some(response) => outcome(response, record.by.as_ref(), record.resolved_at, language),
    };
    let missed = record.response.as_ref().is_some_and(|response| response.action == AskedAction::Ok)
        && record.delivered_at.is_none();
    let missed = if missed { format!(" · {}", texts.history.not_received) } else { String::new() };
    format!("{}\n    → {outcome}{missed}", ask(&record.request, language))
}

/// Kind, asker, surface and age.
pub(crate) fn about(request: &AskUserRequest, language: Language) -> String {
    let texts = &language.words().common;
    let kind = match request.kind {
        Kind::YesNo => texts.yes_or_no,
        Kind::Choice => texts.choice,
        Kind::Text => texts.text,
        Kind::ConfirmCommand => texts.command,
    };
    // What an agent calls itself stands in quotation marks: nobody checked it.
    let agent = request.agent_id.as_deref().map(|agent| fill(texts.quoted, &[("text", &line(agent))]));
    let place = [Some(kind.to_owned()), agent, Some(line(&request.surface_id).into_owned())];
    let age = Some(ago(request.created_at, language));
    place.into_iter().chain([age]).flatten().collect::<Vec<_>>().join(" · ")
}

/// How an ask ended, in a sentence without a full stop.
pub(crate) fn outcome(
    response: &AskUserResponse,
    by: Option<&By>,
    at: Option<u64>,
    language: Language,
) -> String {
    let texts = &language.words().common;
    let by = by.map(|by| {
        let how = match by.channel {
            Channel::Modal => texts.in_window,
            Channel::Cli => texts.with_ht,
            Channel::Web => texts.on_mirror,
            Channel::Telegram => texts.by_telegram,
            Channel::System => texts.by_hub,
        };
        (how, line(&by.who))
    });
    let when = at.map_or_else(|| texts.just_now.to_owned(), |at| ago(at, language));
    let value = excerpt(response.value.as_deref().unwrap_or_default(), language).join(" ");
    match (response.action, by) {
        (AskedAction::Ok, None) => format!("{} {value}", texts.answered),
        (AskedAction::Ok, Some((how, who))) => {
            fill(texts.answered_by, &[("how", &how), ("who", &who), ("when", &when), ("value", &value)])
        }
        (AskedAction::Timeout, _) => texts.timed_out.to_owned(),
        (AskedAction::Cancel, by) => {
            let cancelled = by.map_or_else(
                || texts.cancelled.to_owned(),
                |(how, who)| fill(texts.cancelled_by, &[("how", &how), ("who", &who), ("when", &when)]),
            );
            match response.reason.as_deref().filter(|reason| !reason.is_empty()) {
                Some(reason) => format!("{cancelled} ({})", line(reason)),
                None => cancelled,
            }
        }
    }
}

/// The first lines of a text, each cut, and how many lines it has if there are more.
fn excerpt(text: &str, language: Language) -> Vec<String> {
    let shown = display::show(text, Context::Block);
    let all = shown.lines().count();
    let cut = |row: &str| match row.char_indices().nth(EXCERPT_WIDTH) {
        Some((at, _)) => format!("{}…", &row[..at]),
        None => row.to_owned(),
    };
    let mut rows: Vec<String> = shown.lines().take(EXCERPT).map(cut).collect();
    if all > EXCERPT {
        let lines = language.plural(language.words().ask.lines, all as u64);
        rows.push(format!("… {}", fill(lines, &[("n", &all)])));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> AskUserRequest {
        AskUserRequest {
            request_id: "req:3".into(),
            surface_id: "term:pts/3".into(),
            agent_id: Some("claude:1\u{1b}[2K".into()),
            kind: Kind::ConfirmCommand,
            title: "Run \u{202e}it\u{9b}31m?".into(),
            body: Some("one\ntwo\u{7}\nthree\nfour\n".into()),
            choices: None,
            default: None,
            timeout_ms: None,
            is_unsafe: Some(true),
            created_at: now(),
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let shown = ask(&request(), Language::English);
        assert!(!shown.contains(|c: char| c != '\n' && display::is_hidden(c)), "{shown:?}");
        assert!(shown.contains("Run ⟦U+202E⟧it⟦U+009B⟧31m?"), "{shown}");
        assert!(shown.contains("“claude:1⟦U+001B⟧[2K”"), "{shown}");
        assert!(shown.contains("This will execute on your machine"), "{shown}");
        assert!(shown.ends_with("… 4 lines"), "{shown}");
    }

    #[test]
    fn an_answer_is_told_with_who_gave_it_and_whether_it_arrived() {
        let response = AskUserResponse {
            request_id: "req:3".into(),
            action: AskedAction::Ok,
            value: Some("run".into()),
            reason: None,
        };
        let by = By { channel: Channel::Telegram, who: "@mireille".into() };
        let record = AskRecord {
            request: request(),
            response: Some(response),
            resolved_at: Some(now()),
            by: Some(by),
            delivered_at: None,
        };
        let shown = super::record(&record, Language::English);
        let told = "→ Answered by Telegram (@mireille) just now: run · Not received";
        assert!(shown.ends_with(told), "{shown}");
    }
}
