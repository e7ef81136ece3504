//! Running a command takes two steps, by script and by hand.

use serde_json::json;

use crate::harness::{Desk, Running, Terminal};

const COMMAND: [&str; 5] = ["confirm-command", "--title", "Clean up?", "--body", "rm -rf build"];

#[test]
fn a_script_acknowledges_and_then_answers() {
    let desk = Desk::new();
    let script = "
        ht ask confirm-command --title 'Clean up?' --body 'rm -rf build' > out & asker=$!
        until ht ask pending --json | grep -q req:1; do :; done
        ht ask ack req:1
        ht ask answer req:1 run
        wait $asker
        cat out";
    let ended = desk.sh(script);
    assert_eq!(ended.outcome(), (0, "run\n"), "{ended:?}");
    assert_eq!(ended.stderr, "");
}

#[test]
fn without_an_acknowledgement_a_script_is_told_the_first_step() {
    let desk = Desk::new();
    let (mut asker, id) = desk.ask(&COMMAND);
    let ended = desk.ht(&["ask", "answer", &id, "run"]);
    assert_eq!(ended.outcome(), (1, ""));
    let expected = "req:1 is a command and takes two steps.\n\
        Call ht ask ack req:1 first, then ht ask answer req:1 run within 2 min.\n";
    assert_eq!(ended.stderr, expected);
    assert!(asker.is_running());
    for misfit in ["yes", "", "RUN", "run "] {
        assert_eq!(desk.ht(&["ask", "answer", &id, misfit]).outcome(), (1, ""), "{misfit:?}");
    }
    assert_eq!(desk.ids(), [id]);
}

#[test]
fn a_client_that_knows_only_answers_passes_the_gate_with_ack() {
    let desk = Desk::new();
    let (asker, id) = desk.ask(&COMMAND);
    let acked = desk.ht(&["ask", "answer", &id, "ack", "--json"]);
    assert_eq!(acked.outcome(), (0, "{\"resolved\":false,\"acked\":true}\n"));
    assert_eq!(desk.ht(&["ask", "answer", &id, "run"]).outcome(), (0, ""));
    assert_eq!(asker.end().outcome(), (0, "run\n"));
}

#[test]
fn only_a_command_is_acknowledged() {
    let desk = Desk::new();
    let (_asker, id) = desk.ask(&["yesno", "--title", "T"]);
    let ended = desk.ht(&["ask", "ack", &id]);
    assert_eq!(ended.outcome(), (1, ""));
    assert!(ended.stderr.contains("only a confirm-command is acknowledged"), "{ended:?}");
}

#[test]
fn an_asker_does_not_approve_its_own_command() {
    let mut desk = Desk::new();
    // The test itself asks, so every `ht` it starts is a child of the asker.
    let ask = |desk: &Desk| {
        let mut wire = desk.connect();
        wire.request(
            "agent.ask_user",
            &json!({ "surface_id": "s", "kind": "confirm-command", "title": "T" }),
        );
        crate::harness::wait_for("the ask is pending", || !desk.ids().is_empty());
        wire
    };
    let wire = ask(&desk);
    for step in [&["ask", "ack", "1"][..], &["ask", "answer", "1", "run"], &["ask", "answer", "1", "ack"]] {
        let ended = desk.ht(step);
        assert_eq!(ended.outcome(), (1, ""), "{step:?}");
        assert!(ended.stderr.contains("self_answer = \"allow\""), "{ended:?}");
    }
    drop(wire);
    desk.stop();
    desk.settings("self_answer = \"allow\"\n");
    desk.start();
    let mut wire = ask(&desk);
    let id = desk.ids().remove(0);
    assert_eq!(desk.ht(&["ask", "ack", &id]).outcome(), (0, ""));
    assert_eq!(desk.ht(&["ask", "answer", &id, "run"]).outcome(), (0, ""));
    assert_eq!(wire.json()["result"]["value"], "run");
}

/// A command that waits, and a person at a terminal who is about to approve it.
fn at_a_terminal(desk: &Desk, asked: &[&str]) -> (Running, Terminal) {
    let (asker, id) = desk.ask(asked);
    let person = desk.terminal(&["ask", "answer", &id, "run"]);
    person.shows("Type ack and press Enter. Anything else does nothing.");
    (asker, person)
}

/// [`at_a_terminal`], once for each text that is about to be typed; all at once, since each waits for quiet first.
fn at_terminals<'a>(desk: &Desk, typed: &[&'a str]) -> Vec<(&'a str, Running, String, Terminal)> {
    let begin = |typed: &&'a str| {
        let (asker, id) = desk.ask(&COMMAND);
        let person = desk.terminal(&["ask", "answer", &id, "run"]);
        (*typed, asker, id, person)
    };
    let waiting: Vec<_> = typed.iter().map(begin).collect();
    for (.., person) in &waiting {
        person.shows("Type ack and press Enter.");
    }
    waiting
}

#[test]
fn by_hand_both_words_are_typed_under_the_whole_command() {
    let desk = Desk::new();
    let body = (1..=40).map(|n| format!("step {n}")).collect::<Vec<_>>().join("\n");
    let (asker, mut person) =
        at_a_terminal(&desk, &["confirm-command", "--title", "Clean up?", "--body", &body]);
    let sheet = person.screen();
    assert!(
        sheet.contains("req:1  Clean up?") && sheet.contains("Step 1 of 2. Nothing runs yet."),
        "{sheet}"
    );
    assert!(sheet.contains(" 1 │ step 1\r\n") && sheet.contains("40 │ step 40\r\n"), "{sheet}");
    assert!(sheet.contains(&format!("Program · ht {}", asker.child.id())), "{sheet}");
    assert!(!sheet.contains("This will execute on your machine"), "{sheet}");
    person.types("ack\n");
    person.shows("Step 2 of 2. The command runs after this.");
    person.shows("Type run and press Enter. Anything else does nothing.");
    assert_eq!(desk.ids(), ["req:1"], "the first word alone resolves nothing");
    person.types("run\n");
    let (code, screen) = person.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(asker.end().outcome(), (0, "run\n"));
}

#[test]
fn danger_and_hidden_characters_are_told_before_the_first_step() {
    let desk = Desk::new();
    let (_asker, person) = at_a_terminal(
        &desk,
        &[
            "confirm-command",
            "--unsafe",
            "--title",
            "T",
            "--body",
            "rm \u{202e}~ fr-\u{1b}[2K",
            "--agent",
            "x\u{ad}y",
        ],
    );
    let sheet = person.screen();
    assert!(sheet.contains("This will execute on your machine"), "{sheet}");
    assert!(sheet.contains("2 hidden characters are made visible as ⟦U+…⟧"), "{sheet}");
    assert!(sheet.contains("1 │ rm ⟦U+202E⟧~ fr-⟦U+001B⟧[2K\r\n"), "{sheet}");
    assert!(sheet.contains("“x⟦U+00AD⟧y”") && !sheet.contains('\u{1b}'), "{sheet:?}");
}

#[test]
fn anything_but_the_word_sends_nothing_and_ends_with_4() {
    let desk = Desk::new();
    let typed = ["\n", "yes\n", "run\n", "ACK\n", " ack\n", "ack \n", "\u{4}", "ack\u{4}\u{4}"];
    for (typed, mut asker, id, mut person) in at_terminals(&desk, &typed) {
        person.types(typed);
        let (code, screen) = person.end();
        assert_eq!(code, Some(4), "{typed:?}: {screen}");
        assert!(screen.contains("Nothing was sent."), "{typed:?}: {screen}");
        assert!(asker.is_running(), "{typed:?}");
        assert_eq!(desk.ht(&["ask", "answer", &id, "run"]).outcome(), (1, ""), "{typed:?} acknowledged it");
    }
    assert_eq!(desk.ids().len(), typed.len());
}

#[test]
fn anything_but_run_at_the_second_step_leaves_it_waiting() {
    let desk = Desk::new();
    let typed = ["\n", "ack\n", "yes\n", "\u{4}"];
    let mut waiting = at_terminals(&desk, &typed);
    waiting.iter_mut().for_each(|(.., person)| person.types("ack\n"));
    for (typed, mut asker, id, mut person) in waiting {
        person.shows("Type run and press Enter.");
        person.types(typed);
        let (code, screen) = person.end();
        assert_eq!(code, Some(4), "{typed:?}: {screen}");
        assert!(asker.is_running(), "{typed:?}");
        assert!(desk.ids().contains(&id), "{typed:?}");
    }
}

#[test]
fn what_was_typed_or_pasted_ahead_answers_nothing() {
    let desk = Desk::new();
    let (_asker, id) = desk.ask(&COMMAND);
    let mut person = desk.terminal(&["ask", "answer", &id, "run"]);
    person.types("ack\nrun\n");
    person.shows("Type ack and press Enter.");
    // Both words at once: the second one was typed before its prompt.
    person.types("ack\nrun\n");
    person.shows("Type run and press Enter.");
    assert_eq!(desk.ids(), [id]);
    person.types("\n");
    assert_eq!(person.end().0, Some(4));
}

#[test]
fn a_command_that_ends_meanwhile_is_not_answered() {
    let desk = Desk::new();
    let (asker, mut person) = at_a_terminal(&desk, &COMMAND);
    desk.ht(&["ask", "cancel", "1", "--reason", "never mind"]);
    assert_eq!(asker.end().code, Some(3));
    person.types("ack\n");
    let (code, screen) = person.end();
    assert_eq!(code, Some(1), "{screen}");
    assert!(screen.contains("req:1 is not waiting any more. Cancelled with ht ("), "{screen}");
}

#[test]
fn the_prompts_are_french_where_the_locale_is() {
    let mut desk = Desk::new();
    let (_asker, id) = desk.ask(&COMMAND);
    desk.set("LC_ALL", "fr_CA.UTF-8");
    let mut person = desk.terminal(&["ask", "answer", &id, "run"]);
    person.shows("Étape 1 sur 2. Rien ne s’exécute encore.");
    person.shows("Tapez ack puis appuyez sur Entrée.");
    person.types("\n");
    let (code, screen) = person.end();
    assert_eq!(code, Some(4));
    assert!(screen.contains("Rien n’a été envoyé."), "{screen}");
}
