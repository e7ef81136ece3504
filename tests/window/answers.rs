//! Each kind of ask answered by pointer alone and by keyboard alone, with real input; `ht` prints the answer.

use serde_json::{Value, json};

use crate::driver::Driver;
use crate::stage::{Asking, Stage, pause, wait_for, wait_for_some};

/// A stage on which Home has the focus, and a driver at it.
fn in_home() -> (Stage, Driver) {
    let mut stage = Stage::with_home();
    let driver = stage.driver();
    wait_for("Home is there", || driver.turn_to("home"));
    (stage, driver)
}

/// A stage on which the Ask window shows an ask, and a driver at it.
fn in_ask_window(ask: &[&str]) -> (Stage, Driver, Asking) {
    let (mut stage, _editor) = Stage::with_editor();
    let asking = stage.ask(ask);
    stage.shows(1);
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    wait_for("it shows the ask", || driver.run("return !!document.querySelector('.ask')") == true);
    // The first click only brings the window forward.
    let heading = stage.place(&driver, ".ask [data-focus=heading]");
    stage.click(heading);
    wait_for("it has the focus", || stage.active() == "1 ? · Hotline");
    (stage, driver, asking)
}

/// Moves the focus to a thing by Tab alone.
#[track_caller]
fn tab_to(stage: &Stage, driver: &Driver, selector: &str) {
    let script = format!("return document.activeElement?.matches({}) ?? false", Value::from(selector));
    for _ in 0..40 {
        if driver.run(&script) == true {
            return;
        }
        stage.keys(&["Tab"]);
        pause(60);
    }
    panic!("Tab does not reach {selector}: {}", driver.run("return document.activeElement?.outerHTML"));
}

/// Presses Enter on an armed control that takes Space alone, and waits until the page says so.
#[track_caller]
fn enter_does_nothing(stage: &Stage, driver: &Driver) {
    stage.armed(driver);
    stage.keys(&["Return"]);
    wait_for("the page says that Enter does nothing", || {
        let hint = driver.run("return document.querySelector('.ask .hint').innerText");
        hint.as_str().is_some_and(|hint| hint.contains("press Space"))
    });
}

#[test]
fn a_click_that_brings_the_window_forward_answers_nothing() {
    let (mut stage, _editor) = Stage::with_editor();
    let mut asking = stage.ask(&["yesno", "--title", "Run install?"]);
    stage.shows(1);
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    let yes = stage.place(&driver, "[data-answer=yes]");
    stage.click(yes);
    wait_for("it has the focus", || stage.active() == "1 ? · Hotline");
    stage.armed(&driver);
    assert!(asking.waits());
    stage.press(&driver, "[data-answer=yes]");
    assert_eq!(asking.answer(), "yes");
}

#[test]
fn yes_or_no_by_pointer() {
    let (stage, driver, asking) = in_ask_window(&["yesno", "--title", "Run install?"]);
    stage.press(&driver, "[data-answer=no]");
    assert_eq!(asking.answer(), "no");
}

#[test]
fn yes_or_no_by_keyboard() {
    let (stage, driver) = in_home();
    let asking = stage.ask(&["yesno", "--title", "Run install?"]);
    wait_for("Home shows it", || driver.run("return !!document.querySelector('.ask')") == true);
    tab_to(&stage, &driver, "[data-answer=yes]");
    stage.armed(&driver);
    stage.keys(&["Return"]);
    assert_eq!(asking.answer(), "yes");
}

#[test]
fn a_choice_by_pointer_and_by_keyboard() {
    let ask = ["choice", "--title", "Which branch?", "--choices", "main,dev:Development"];
    let (stage, driver, asking) = in_ask_window(&ask);
    stage.press(&driver, "[data-answer=dev]");
    assert_eq!(asking.answer(), "dev");
    drop((stage, driver));

    let (stage, driver) = in_home();
    let asking = stage.ask(&ask);
    wait_for("Home shows it", || driver.run("return !!document.querySelector('.ask')") == true);
    tab_to(&stage, &driver, "[data-answer=main]");
    stage.keys(&["2"]);
    wait_for("a digit moves the focus", || {
        driver.run("return document.activeElement?.dataset.answer ?? null") == json!("dev")
    });
    stage.armed(&driver);
    stage.keys(&["Return"]);
    assert_eq!(asking.answer(), "dev");
}

#[test]
fn a_text_by_pointer_and_by_keyboard() {
    let (stage, driver, asking) = in_ask_window(&["text", "--title", "Which name?", "--default", "main"]);
    stage.press(&driver, "[data-answer=send]");
    assert_eq!(asking.answer(), "main");
    drop((stage, driver));

    let (stage, driver) = in_home();
    let asking = stage.ask(&["text", "--title", "Which name?"]);
    wait_for("Home shows it", || driver.run("return !!document.querySelector('.ask textarea')") == true);
    tab_to(&stage, &driver, ".ask textarea");
    stage.types("two words", 40);
    stage.keys(&["shift+Return"]);
    stage.types("and a line", 40);
    stage.armed(&driver);
    stage.keys(&["Return"]);
    assert_eq!(asking.answer(), "two words\nand a line");
}

#[test]
fn a_command_takes_two_acts_by_pointer() {
    let ask = ["confirm-command", "--title", "Clean the build", "--body", "rm -rf build", "--unsafe"];
    let (stage, driver, mut asking) = in_ask_window(&ask);
    stage.picture("unsafe-command");
    stage.press(&driver, "[data-answer=ack]");
    wait_for("the second step", || {
        driver.run("return !!document.querySelector('[data-answer=run]')") == true
    });
    assert!(asking.waits());
    stage.press(&driver, "[data-answer=run]");
    assert_eq!(asking.answer(), "run");
}

#[test]
fn a_command_takes_two_acts_by_keyboard_and_enter_does_neither() {
    let (stage, driver) = in_home();
    let mut asking = stage.ask(&["confirm-command", "--title", "Clean the build", "--body", "rm -rf build"]);
    wait_for("Home shows it", || driver.run("return !!document.querySelector('[data-answer=ack]')") == true);
    tab_to(&stage, &driver, "[data-answer=ack]");
    enter_does_nothing(&stage, &driver);
    assert_eq!(
        driver.run("return !!document.querySelector('[data-answer=run]')"),
        false,
        "Enter acknowledges nothing"
    );
    stage.armed(&driver);
    stage.keys(&["space"]);
    wait_for("the second step", || {
        driver.run("return !!document.querySelector('[data-answer=run]')") == true
    });
    tab_to(&stage, &driver, "[data-answer=run]");
    enter_does_nothing(&stage, &driver);
    assert!(asking.waits(), "Enter runs nothing");
    stage.armed(&driver);
    stage.keys(&["space"]);
    assert_eq!(asking.answer(), "run");
}

#[test]
fn somebody_elses_answer_is_named() {
    let (stage, driver, asking) = in_ask_window(&["yesno", "--title", "Who is faster?"]);
    pause(700);
    assert!(stage.ht(&["ask", "answer", &asking.id, "yes"]).status.success());
    assert_eq!(asking.answer(), "yes");
    let said = wait_for_some("the page says who", || {
        let text = driver.run("return document.querySelector('.strip')?.innerText ?? ''");
        text.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    });
    assert!(said.contains("with ht"), "{said}");
    stage.picture("answered-elsewhere");
    stage.shows(0);
}

#[test]
fn later_puts_an_ask_away_and_the_next_one_still_comes() {
    let (stage, driver, mut asking) = in_ask_window(&["yesno", "--title", "Not now?"]);
    stage.press(&driver, "[data-answer=later]");
    stage.shows(0);
    assert_eq!(stage.active(), "Editor");
    assert!(asking.waits());
    let second = stage.ask(&["yesno", "--title", "But this?"]);
    stage.shows(1);
    wait_for("it is shown", || driver.run("return document.body.innerText.includes('But this?')") == true);
    stage.press(&driver, "[data-answer=yes]");
    assert_eq!(second.answer(), "yes");
    assert!(asking.waits());
    assert_eq!(stage.pending(), [asking.id.clone()]);
}

#[test]
fn the_window_is_as_high_as_its_ask_and_no_higher_than_the_screen_allows() {
    let body = "a line of text\n".repeat(200);
    let (stage, _driver, _asking) = in_ask_window(&["yesno", "--title", "Long?", "--body", &body]);
    wait_for("it has grown", || stage.windows()[0].1[3] > 700);
    let [_, y, width, height] = stage.windows()[0].1;
    assert!(height <= 800 && y >= 0 && y + height <= 1000 && width == 560, "{:?}", stage.windows());
    stage.picture("long-body");
}

#[test]
fn a_short_ask_is_wholly_on_the_screen_from_the_first() {
    let (stage, driver, _asking) = in_ask_window(&["yesno", "--title", "Short?"]);
    pause(500);
    let [_, y, _, height] = stage.windows()[0].1;
    assert!(y + height <= 1000, "{:?}", stage.windows());
    let fits = "const f = document.querySelector('.ask footer').getBoundingClientRect(); return f.bottom <= innerHeight";
    assert_eq!(driver.run(fits), json!(true));
}
