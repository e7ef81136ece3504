//! Nobody answers by accident: real keys and clicks of a person who is busy with something else.

use std::process::{Child, Stdio};

use crate::driver::Driver;
use crate::stage::{Asking, Stage, pause, wait_for};

/// How often each accident is tried.
fn rounds() -> usize {
    if std::env::var_os("HOTLINE_LONG").is_some() { 200 } else { KINDS.len() }
}

/// How long a hand has to rest before an act of it counts, in ms.
const QUIET: f64 = 400.0;

/// A kind that one act answers: how it is asked, its answer, and the control of that.
struct Kind {
    ask: &'static [&'static str],
    answer: &'static str,
    control: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { ask: &["yesno"], answer: "yes", control: "[data-answer=yes]" },
    Kind {
        ask: &["choice", "--choices", "main,dev:Development"],
        answer: "main",
        control: "[data-answer=main]",
    },
    Kind { ask: &["text", "--default", "a default"], answer: "a default", control: "[data-answer=send]" },
];

/// Which window has the focus, and the person's hands, while asks come.
#[derive(Clone, Copy)]
enum Focus {
    /// It shows a command that nobody acknowledges; the asker takes that back as the ask of the round comes, which
    /// so appears in its place, in a window with the focus.
    AskWindow,
    /// It shows nothing.
    Home,
}

/// A person at one window, round after round.
struct Person {
    stage: Stage,
    driver: Driver,
    focus: Focus,
    kept: Option<Asking>,
}

impl Person {
    fn at(focus: Focus) -> Self {
        let (mut stage, page) = match focus {
            Focus::Home => (Stage::with_home(), "home"),
            Focus::AskWindow => (Stage::with_editor().0, "ask"),
        };
        let driver = stage.driver();
        wait_for("the page is there", || driver.turn_to(page));
        let mut person = Self { stage, driver, focus, kept: None };
        person.rests();
        if matches!(focus, Focus::AskWindow) {
            person.comes_forward();
        }
        person
    }

    /// Gives the Ask window the focus, by a click that answers nothing.
    fn comes_forward(&self) {
        let heading = self.stage.place(&self.driver, ".ask [data-focus=heading]");
        self.stage.click(heading);
        wait_for("the Ask window has the focus", || self.stage.active().ends_with("? · Hotline"));
    }

    /// The window as it is between rounds.
    fn rests(&mut self) {
        if matches!(self.focus, Focus::AskWindow) {
            self.kept = Some(self.stage.ask(&["confirm-command", "--title", "Stays", "--body", "true"]));
        }
    }

    /// An ask comes into the window.
    fn is_asked(&mut self, kind: &Kind, title: &str) -> Asking {
        let asking = self.stage.ask(&[kind.ask, &["--title", title]].concat());
        if let Some(kept) = self.kept.take() {
            cancel(&self.stage, kept);
        }
        asking
    }

    fn sees(&self, title: &str) {
        wait_for(&format!("{title} is shown"), || {
            let text = self.driver.run("return document.querySelector('.ask')?.innerText ?? ''");
            text.as_str().is_some_and(|text| text.contains(title) && text.contains("pid"))
        });
    }

    /// Notes in the page from now on when a pointer was pressed.
    fn counts_presses(&self) {
        self.driver.run(
            "if (!window.presses) addEventListener('pointerdown', (event) => presses.push(event.timeStamp), true); \
             window.presses = []",
        );
    }

    /// The longest time between two presses, in ms.
    fn longest_rest(&self) -> f64 {
        let rest =
            self.driver.run("return Math.max(...presses.slice(1).map((at, before) => at - presses[before]))");
        rest.as_f64().expect("the page heard more than one press")
    }

    /// Ends a round that does not count.
    fn starts_over(&mut self, mut asking: Asking) {
        self.rests();
        if asking.waits() {
            cancel(&self.stage, asking);
        }
        if self.kept.is_some() {
            self.sees("Stays");
        }
    }

    /// Ends a round: the ask is there, before a person whose hands are on it, and waits.
    #[track_caller]
    fn answered_nothing(&mut self, mut asking: Asking, title: &str, what: &str) {
        self.sees(title);
        assert_eq!(self.driver.run("return document.hasFocus()"), true);
        assert!(asking.waits(), "{what} answered {title}");
        assert!(self.stage.pending().contains(&asking.id), "{what} answered {title}");
        self.rests();
        cancel(&self.stage, asking);
        match self.kept {
            Some(_) => self.sees("Stays"),
            None => wait_for("nothing is shown", || {
                self.driver.run("return document.querySelector('.ask') === null") == true
            }),
        }
    }
}

fn cancel(stage: &Stage, asking: Asking) {
    assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
    asking.status();
}

/// Keeps a person's hands going beside the test.
fn beside(stage: &Stage, program: &str, arguments: &[&str]) -> Child {
    stage.command(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Rounds in each of which a script types while an ask comes.
fn typing(focus: Focus, script: &str) {
    let mut person = Person::at(focus);
    for round in 0..rounds() {
        let title = format!("Round {round}?");
        let mut typist = beside(&person.stage, "sh", &["-c", script]);
        pause(200 + 90 * (round as u64 % 7));
        let asking = person.is_asked(&KINDS[round % KINDS.len()], &title);
        assert!(typist.wait().unwrap().success());
        person.answered_nothing(asking, &title, "typing");
    }
}

/// At 40 ms a key.
const LINES: &str =
    "for i in 1 2 3 4 5 6; do xdotool type --delay 40 'ls -la src' && xdotool key --delay 40 Return; done";
const LINES_APART: &str = "xdotool type --delay 40 'ls' && xdotool key Return && sleep 4 && \
    xdotool type --delay 40 'ls' && xdotool key --delay 40 Return";

#[test]
fn typing_lines_into_home_answers_nothing() {
    typing(Focus::Home, LINES);
}

#[test]
fn typing_lines_into_the_ask_window_answers_nothing() {
    typing(Focus::AskWindow, LINES);
}

#[test]
fn a_line_after_a_pause_of_four_seconds_answers_nothing_in_home() {
    typing(Focus::Home, LINES_APART);
}

#[test]
fn a_line_after_a_pause_of_four_seconds_answers_nothing_in_the_ask_window() {
    typing(Focus::AskWindow, LINES_APART);
}

fn holding(focus: Focus) {
    let mut person = Person::at(focus);
    for round in 0..rounds() {
        let title = format!("Round {round}?");
        let key = if round % 2 == 0 { "Return" } else { "space" };
        person.stage.output("xdotool", &["keydown", key]);
        let asking = person.is_asked(&KINDS[round % KINDS.len()], &title);
        person.sees(&title);
        // Well beyond every clock.
        pause(2000);
        person.stage.output("xdotool", &["keyup", key]);
        person.answered_nothing(asking, &title, "a key held from before");
    }
}

#[test]
fn a_key_held_from_before_answers_nothing_in_home() {
    holding(Focus::Home);
}

#[test]
fn a_key_held_from_before_answers_nothing_in_the_ask_window() {
    holding(Focus::AskWindow);
}

fn clicking(focus: Focus) {
    let mut person = Person::at(focus);
    let places = KINDS.each_ref().map(|kind| {
        let asking = person.is_asked(kind, "Where is it?");
        person.sees("Where is it?");
        let place = person.stage.place(&person.driver, kind.control);
        person.answered_nothing(asking, "Where is it?", "looking");
        place
    });
    let (mut round, mut too_slow) = (0, 0);
    while round < rounds() {
        let title = format!("Round {round}?");
        person.stage.move_to(places[round % KINDS.len()]);
        person.counts_presses();
        let mut clicker =
            beside(&person.stage, "xdotool", &["click", "--repeat", "28", "--delay", "125", "1"]);
        pause(300);
        let asking = person.is_asked(&KINDS[round % KINDS.len()], &title);
        assert!(clicker.wait().unwrap().success());
        let rest = person.longest_rest();
        if rest < QUIET {
            person.answered_nothing(asking, &title, "clicking where the button will be");
            round += 1;
        } else {
            // A busy machine held the hand up, and whoever clicks after a rest means it.
            too_slow += 1;
            assert!(too_slow <= 3 + rounds() / 10, "this machine does not click eight times a second");
            println!("a hand that rested for {rest} ms clicks again");
            person.starts_over(asking);
        }
    }
}

#[test]
fn clicking_eight_times_a_second_where_the_button_will_be_answers_nothing_in_home() {
    clicking(Focus::Home);
}

#[test]
fn clicking_eight_times_a_second_where_the_button_will_be_answers_nothing_in_the_ask_window() {
    clicking(Focus::AskWindow);
}

fn clicking_three_times(focus: Focus) {
    let mut person = Person::at(focus);
    for round in 0..rounds() {
        let kind = &KINDS[round % KINDS.len()];
        let titles = [0, 1, 2].map(|n| format!("Round {round}, {n}?"));
        let first = person.is_asked(kind, &titles[0]);
        let second = person.is_asked(kind, &titles[1]);
        let third = person.is_asked(kind, &titles[2]);
        wait_for("all three are listed", || {
            person.driver.run("return document.querySelectorAll('[data-row]').length") == 3
        });
        person.sees(&titles[0]);
        person.stage.aim(&person.driver, kind.control);
        person.stage.output("xdotool", &["click", "--repeat", "3", "--delay", "90", "1"]);
        assert_eq!(first.answer(), kind.answer);
        person.sees(&titles[1]);
        person.stage.armed(&person.driver);
        cancel(&person.stage, third);
        person.answered_nothing(second, &titles[1], "a triple click");
    }
}

#[test]
fn a_triple_click_on_the_first_of_three_answers_one_in_home() {
    clicking_three_times(Focus::Home);
}

#[test]
fn a_triple_click_on_the_first_of_three_answers_one_in_the_ask_window() {
    clicking_three_times(Focus::AskWindow);
}
