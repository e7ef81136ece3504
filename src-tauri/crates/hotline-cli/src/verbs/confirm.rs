//! Approving a command at a terminal: the whole command, then two words typed by hand.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use hotline_core::display::{self, Context, Suspicion};
use hotline_core::wire::result::{Acked, AskerFacts};
use hotline_core::wire::{AskUserRequest, ErrorKind};
use hotline_core::words::{self, Language, fill};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush};
use serde_json::json;

use super::outcome::{not_waiting, report, waiting};
use crate::client::Connection;
use crate::exit::{Exit, Problem};
use crate::out::Out;
use crate::show;

/// What is typed at the first step, the same in every language: it is the name of the step.
const FIRST_WORD: &str = "ack";
/// What is typed at the second.
const SECOND_WORD: &str = "run";
/// No key may come for this long before a prompt is shown (`ui.md`, quiet time).
const QUIET: Duration = Duration::from_millis(400);
/// The same for an unsafe command.
const UNSAFE_QUIET: Duration = Duration::from_millis(700);
/// Somebody who types for so long before a prompt does not look at the screen.
const RESTLESS: Duration = Duration::from_secs(30);

/// Whether a person can read and type here.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Shows the command, takes both steps, and sends nothing unless both words were typed.
pub(super) fn both_steps(id: &str, json: bool, hub: &mut Connection, out: &Out) -> Result<Exit, Problem> {
    let texts = out.words();
    let Some(request) = waiting(id, hub)? else {
        return Ok(not_waiting(id, hub, out));
    };
    // Facts are for the eye: a hub that has none shows the command all the same.
    let facts: AskerFacts = hub.get("agent.ask_asker", &json!({ "request_id": id })).unwrap_or_default();
    out.complain(&sheet(&request, &facts, out.language));

    out.complain(texts.ask.step_one);
    if !is_typed(FIRST_WORD, &request, out) {
        out.complain(texts.ht.nothing_sent);
        return Ok(Exit::NothingDone);
    }
    let result = hub.call("agent.ask_ack", &json!({ "request_id": id }))?;
    let Acked { acked } = hub.read(&result)?;
    if !acked {
        return Ok(not_waiting(id, hub, out));
    }

    out.complain(texts.ht.step_two);
    if !is_typed(SECOND_WORD, &request, out) {
        out.complain(texts.ht.nothing_sent);
        return Ok(Exit::NothingDone);
    }
    match hub.call("agent.ask_answer", &json!({ "request_id": id, "value": SECOND_WORD })) {
        Ok(result) => report(&result, id, json, hub, out),
        Err(Problem::Refused(refusal)) if refusal.is(ErrorKind::AckRequired) => {
            out.complain(texts.ask.expired);
            Ok(Exit::NothingDone)
        }
        Err(problem) => Err(problem),
    }
}

/// Everything that the person has to see: who asks, what is odd, and every line of the command with its number.
fn sheet(request: &AskUserRequest, facts: &AskerFacts, language: Language) -> String {
    let texts = &language.words().ask;
    let command = request.command();
    let mut rows = vec![
        String::new(),
        format!("{}  {}", show::line(&request.request_id), show::line(&request.title)),
        show::about(request, language),
    ];
    rows.extend(known(facts, language));
    if request.is_unsafe == Some(true) {
        rows.push(format!("⚠ {}", texts.danger));
    }
    let hidden = display::hidden(command, Context::Block) + display::hidden(&request.title, Context::Line);
    if hidden > 0 {
        let text = language.plural(texts.hidden, hidden as u64);
        rows.push(fill(text, &[("n", &hidden), ("mark", &"⟦U+…⟧")]));
    }
    let suspects = display::suspicious_tokens(command);
    for (why, text) in [
        (Suspicion::MixedAlphabets, texts.mixed_alphabets),
        (Suspicion::RightToLeft, language.words().ht.right_to_left),
    ] {
        let found = suspects.iter().filter(|suspect| suspect.why == why).count();
        if found > 0 {
            rows.push(fill(language.plural(text, found as u64), &[("n", &found)]));
        }
    }
    rows.push(String::new());
    let shown = display::show(command, Context::Block);
    // A line break at the very end begins no line of its own.
    let shown = shown.strip_suffix('\n').unwrap_or(&shown);
    let width = shown.split('\n').count().to_string().len();
    let numbered = shown.split('\n').enumerate();
    rows.extend(numbered.map(|(at, row)| format!("{:>width$} │ {row}", at + 1)));
    rows.push(String::new());
    rows.join("\n")
}

/// What the kernel says of the one who asks.
fn known(facts: &AskerFacts, language: Language) -> Vec<String> {
    let texts = &language.words().ask;
    let process = |program: &Option<String>, pid: Option<u32>| {
        let pid = pid.map(|pid| pid.to_string());
        let named = program.as_deref().map(|program| show::line(program).into_owned());
        [named, pid].into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let programs = [process(&facts.program, facts.pid), process(&facts.parent_program, facts.parent_pid)];
    let programs: Vec<String> = programs.into_iter().filter(|program| !program.is_empty()).collect();
    let fact = |name: &str, value: &str| (!value.is_empty()).then(|| format!("{name} · {value}"));
    let left = facts.away_until.map(|until| until.saturating_sub(show::now()) / 1000);
    let away = left.map(|left| fill(texts.agent_away, &[("time", &words::duration(left, language))]));
    let rows = [
        fact(texts.program, &programs.join(" ← ")),
        fact(texts.started_in, &show::line(facts.cwd.as_deref().unwrap_or_default())),
        fact(texts.terminal, &show::line(facts.terminal.as_deref().unwrap_or_default())),
        away,
    ];
    rows.into_iter().flatten().collect()
}

/// Whether the next line typed is exactly that word.
fn is_typed(word: &str, request: &AskUserRequest, out: &Out) -> bool {
    let quiet = if request.is_unsafe == Some(true) { UNSAFE_QUIET } else { QUIET };
    if !wait_for_quiet(quiet) {
        return false;
    }
    out.complain(&fill(out.words().ht.type_word, &[("word", &word)]));
    out.prompt("> ");
    read_line().is_some_and(|line| line == word.as_bytes())
}

/// Throws away what was typed before the prompt, until no key has come for a while.
fn wait_for_quiet(quiet: Duration) -> bool {
    let stdin = io::stdin();
    let began = Instant::now();
    while began.elapsed() < RESTLESS {
        if tcflush(stdin.as_fd(), QueueSelector::IFlush).is_err() {
            return false;
        }
        let limit = Timespec::try_from(quiet).ok();
        let mut fds = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)];
        match poll(&mut fds, limit.as_ref()) {
            Ok(0) => return true,
            Ok(_) if fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) => return false,
            Ok(_) | Err(_) => {}
        }
    }
    false
}

/// One line from the terminal, without its end; nothing at end of input.
///
/// Read past `std`'s buffer, so that nothing typed ahead can wait in it for the next step; several lines at
/// once, as a terminal in raw mode delivers a paste, are no line.
fn read_line() -> Option<Vec<u8>> {
    let stdin = io::stdin();
    let mut line = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let length = match rustix::io::read(stdin.as_fd(), &mut chunk) {
            Ok(0) => return None,
            Ok(length) => length,
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return None,
        };
        line.extend_from_slice(&chunk[..length]);
        if let Some(end) = line.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            return (end + 1 == line.len()).then(|| line[..end].to_vec());
        }
        if line.len() > chunk.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hotline_core::wire::Kind;

    fn command(body: Option<&str>, is_unsafe: bool) -> AskUserRequest {
        AskUserRequest {
            request_id: "req:3".into(),
            surface_id: "s".into(),
            agent_id: None,
            kind: Kind::ConfirmCommand,
            title: "Clean up?".into(),
            body: body.map(Into::into),
            choices: None,
            default: None,
            timeout_ms: None,
            is_unsafe: Some(is_unsafe),
            created_at: show::now(),
        }
    }

    fn english(request: &AskUserRequest) -> String {
        sheet(request, &AskerFacts::default(), Language::English)
    }

    #[test]
    fn what_the_kernel_says_of_the_asker_is_shown_and_cleaned() {
        let facts = AskerFacts {
            pid: Some(7),
            program: Some("ht".into()),
            parent_pid: Some(6),
            parent_program: Some("ba\u{1b}sh".into()),
            cwd: Some("/x\ny".into()),
            terminal: None,
            away_until: None,
        };
        let known = ["Program · ht 7 ← ba⟦U+001B⟧sh 6", "Started in · /x⟦newline⟧y"];
        assert_eq!(super::known(&facts, Language::English), known);
        let none = super::known(&AskerFacts::default(), Language::English);
        assert_eq!(none, Vec::<String>::new());
    }

    #[test]
    fn the_whole_command_is_shown_with_line_numbers() {
        let body: String = (1..=12).map(|n| format!("step {n}\n")).collect();
        let shown = english(&command(Some(&body), false));
        assert!(shown.contains("\n 1 │ step 1\n"), "{shown}");
        assert!(shown.ends_with("\n12 │ step 12\n"), "{shown}");
        assert!(!shown.contains("This will execute"), "{shown}");
    }

    #[test]
    fn a_command_without_a_body_is_its_title() {
        assert!(english(&command(None, false)).ends_with("\n1 │ Clean up?\n"));
    }

    #[test]
    fn what_is_dangerous_or_hidden_is_said() {
        let shown = english(&command(Some("rm \u{202e}~ fr-\u{1b}[2K"), true));
        assert!(shown.contains("This will execute on your machine"), "{shown}");
        assert!(shown.contains("2 hidden characters are made visible as ⟦U+…⟧"), "{shown}");
        assert!(shown.contains("1 │ rm ⟦U+202E⟧~ fr-⟦U+001B⟧[2K"), "{shown}");
    }
}
