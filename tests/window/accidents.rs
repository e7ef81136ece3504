//! Nobody answers by accident: real keys and clicks of a person who is busy with something else.

use std::process::{Child, Stdio};

use crate::driver::Driver;
use crate::stage::{Asking, Stage, pause, wait_for};

/// How often each accident is tried.
fn rounds() -> usize {
    if std::env::var_os("HOTLINE_LONG").is_some() { 200 } else { 8 }
}

/// The kinds that one act answers, in turn.
fn ask(stage: &Stage, round: usize) -> Asking {
    let title = format!("Round {round}?");
    match round % 3 {
        0 => stage.ask(&["yesno", "--title", &title]),
        1 => stage.ask(&["choice", "--title", &title, "--choices", "main,dev:Development"]),
        _ => stage.ask(&["text", "--title", &title, "--default", "a default"]),
    }
}

/// Where the person's hands are while the ask comes.
#[derive(Clone, Copy)]
enum Focus {
    AskWindow,
    Home,
}

/// A stage with the focus there: an ask that is put off has brought the Ask window up once.
fn stage_with(focus: Focus) -> (Stage, Driver, Option<Asking>) {
    match focus {
        Focus::Home => {
            let mut stage = Stage::with_home();
            let driver = stage.driver();
            wait_for("Home is there", || driver.turn_to("home"));
            (stage, driver, None)
        }
        Focus::AskWindow => {
            let mut stage = Stage::empty();
            stage.start_app(&["--background"]);
            // A command that nobody acknowledges keeps the window open, and in the focus.
            let kept = stage.ask(&["confirm-command", "--title", "Stays", "--body", "true"]);
            stage.shows(1);
            let driver = stage.driver();
            wait_for("the Ask window is there", || driver.turn_to("ask"));
            wait_for("it shows the ask", || {
                driver.run("return !!document.querySelector('.ask h2, .ask h1')") == true
            });
            let [x, y, width, _] = stage.windows()[0].1;
            stage.click((x + width / 2, y - 8));
            pause(400);
            (stage, driver, Some(kept))
        }
    }
}

/// Ends a round: the ask must still wait, whatever was pressed.
#[track_caller]
fn still_waits(stage: &Stage, mut asking: Asking, what: &str) {
    assert!(asking.waits(), "{what} answered {}", asking.id);
    assert!(stage.pending().contains(&asking.id), "{what} answered {}", asking.id);
    assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
    asking.status();
    pause(300);
}

/// Keeps a program going beside the test.
fn beside(stage: &Stage, program: &str, arguments: &[&str]) -> Child {
    stage.command(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn typing_lines(focus: Focus) {
    let (stage, _driver, _kept) = stage_with(focus);
    for round in 0..rounds() {
        let script = "for i in 1 2 3 4 5 6; do xdotool type --delay 40 'ls -la src'; xdotool key --delay 40 Return; done";
        let mut typist = beside(&stage, "sh", &["-c", script]);
        pause(200 + 90 * (round as u64 % 7));
        let asking = ask(&stage, round);
        typist.wait().unwrap();
        still_waits(&stage, asking, "typing lines");
    }
}

#[test]
fn typing_lines_into_home_answers_nothing() {
    typing_lines(Focus::Home);
}

#[test]
fn typing_lines_into_the_ask_window_answers_nothing() {
    typing_lines(Focus::AskWindow);
}

#[test]
fn a_line_after_a_pause_of_four_seconds_answers_nothing() {
    let (stage, _driver, _kept) = stage_with(Focus::Home);
    for round in 0..rounds().div_ceil(2) {
        let mut typist = beside(
            &stage,
            "sh",
            &[
                "-c",
                "xdotool type --delay 40 'ls'; xdotool key Return; sleep 4; xdotool type --delay 40 'ls'; xdotool key --delay 40 Return",
            ],
        );
        pause(700);
        let asking = ask(&stage, round);
        typist.wait().unwrap();
        still_waits(&stage, asking, "a line after a pause");
    }
}

#[test]
fn a_key_held_from_before_answers_nothing() {
    for focus in [Focus::Home, Focus::AskWindow] {
        let (stage, _driver, _kept) = stage_with(focus);
        for round in 0..rounds() {
            let key = if round % 2 == 0 { "Return" } else { "space" };
            stage.output("xdotool", &["keydown", key]);
            let asking = ask(&stage, round);
            pause(2600);
            stage.output("xdotool", &["keyup", key]);
            pause(200);
            still_waits(&stage, asking, "a key held from before");
        }
    }
}

#[test]
fn clicking_eight_times_a_second_where_the_button_will_be_answers_nothing() {
    let (stage, driver, _kept) = stage_with(Focus::Home);
    let shown = stage.ask(&["yesno", "--title", "Where is it?"]);
    wait_for("it is shown", || driver.run("return !!document.querySelector('[data-answer=yes]')") == true);
    pause(500);
    let at = stage.place(&driver, "[data-answer=yes]");
    assert!(stage.ht(&["ask", "cancel", &shown.id]).status.success());
    for round in 0..rounds() {
        stage.move_to(at);
        let mut clicker = beside(&stage, "xdotool", &["click", "--repeat", "24", "--delay", "125", "1"]);
        pause(300);
        let asking = stage.ask(&["yesno", "--title", &format!("Round {round}?")]);
        clicker.wait().unwrap();
        still_waits(&stage, asking, "clicking where the button will be");
    }
}

#[test]
fn a_triple_click_on_the_first_of_three_answers_one() {
    let (stage, driver, _kept) = stage_with(Focus::Home);
    for round in 0..rounds() {
        let mut three: Vec<Asking> =
            (0..3).map(|n| stage.ask(&["yesno", "--title", &format!("Round {round}, {n}?")])).collect();
        wait_for("the first is shown", || {
            driver
                .run("return document.querySelector('.ask')?.innerText ?? ''")
                .as_str()
                .is_some_and(|text| text.contains(&format!("Round {round}, 0?")))
        });
        stage.aim(&driver, "[data-answer=yes]");
        stage.output("xdotool", &["click", "--repeat", "3", "--delay", "90", "1"]);
        let first = three.remove(0);
        assert_eq!(first.answer(), "yes");
        pause(1200);
        for asking in three {
            still_waits(&stage, asking, "a triple click");
        }
        wait_for("nothing is left", || {
            driver.run("return document.querySelector('.ask, .strip') === null") == true
        });
    }
}
