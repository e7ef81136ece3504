//! States that an ask and the pages pass through, and how asks end.

use serde_json::{Value, json};

use super::{
    CHOICE, Look, TEXT, UNSAFE, YES_NO, answer, ask, at_ask_window, at_home, cancel, come_forward, sees,
};
use crate::driver::Driver;
use crate::stage::{Asking, Stage, wait_for};

/// The Ask window on the way through an ask.
pub(super) fn on_the_way(look: &Look) {
    let (mut stage, _editor) = Stage::with_editor();
    let driver = at_ask_window(&mut stage, look);

    let long: Vec<_> = (1..=40).map(|n| format!("psql -f migrations/{n:03}.sql staging")).collect();
    let long = ["confirm-command", "--title", "Migrate the database", "--body", &long.join("\n"), "--unsafe"];
    let asking = shown(&stage, &driver, &long);
    look.take(&stage, &driver, "ask-read-on");
    gone(&stage, asking);

    let many: Vec<_> = (1..=12).map(|n| format!("release/{n}.0")).collect();
    let many = ["choice", "--title", "Which release shall I patch?", "--choices", &many.join(",")];
    let asking = shown(&stage, &driver, &many);
    look.take(&stage, &driver, "ask-many-choices");
    gone(&stage, asking);

    let asking = shown(&stage, &driver, &["text", "--title", "What is the new module called?"]);
    stage.press(&driver, "[data-answer=send]");
    reads(&driver, ".ask .sheet", &["Write an answer", "Écrivez une réponse"]);
    look.take(&stage, &driver, "ask-empty-text");
    gone(&stage, asking);

    let asking = shown(&stage, &driver, YES_NO);
    stage.aim(&driver, "[data-answer=yes]");
    // A key just before makes it one.
    stage.keys(&["x"]);
    stage.output("xdotool", &["click", "1"]);
    reads(&driver, ".ask .hint", &["Too early", "Trop tôt"]);
    look.take(&stage, &driver, "ask-too-early");
    gone(&stage, asking);

    let asking = shown(&stage, &driver, YES_NO);
    // The hub lives in the app itself: out of reach is how a call that fails looks to the page.
    driver.run(
        "const real = window.fetch; window.fetch = (url, given) => String(given?.body).includes('agent.ask_answer') \
         ? Promise.resolve(new Response('\"out of reach\"', \
         { headers: { 'Tauri-Response': 'error', 'Content-Type': 'application/json' } })) \
         : real(url, given); return 0",
    );
    stage.press(&driver, "[data-answer=yes]");
    reads(&driver, ".ask", &["does not answer", "ne répond pas"]);
    stage.armed(&driver);
    look.take(&stage, &driver, "ask-no-hub");
    gone(&stage, asking);
}

/// How an ask ended, as somebody sees it who looked at it meanwhile.
pub(super) fn endings(look: &Look) {
    let (mut stage, _editor) = Stage::with_editor();
    let driver = at_ask_window(&mut stage, look);

    let asking = shown(&stage, &driver, YES_NO);
    stage.press(&driver, "[data-answer=yes]");
    asking.status();
    told(look, &stage, &driver, "ended-answered");

    let asking = shown(&stage, &driver, YES_NO);
    answer(&stage, asking, "yes");
    told(look, &stage, &driver, "ended-answered-elsewhere");

    let asking = shown(&stage, &driver, YES_NO);
    cancel(&stage, asking);
    told(look, &stage, &driver, "ended-cancelled-elsewhere");

    let asking = ask(&stage, &[YES_NO, &["--timeout", "30000"]].concat());
    sees(&driver, YES_NO);
    look.take(&stage, &driver, "ask-seconds-left");
    gone(&stage, asking);

    let _asking = ask(&stage, &[YES_NO, &["--timeout", "2000"]].concat());
    told(look, &stage, &driver, "ended-timed-out");

    drop(shown(&stage, &driver, YES_NO));
    told(look, &stage, &driver, "ended-withdrawn");
}

/// Home with something put off, a draft and a countdown; the sample; what the other pages show besides.
pub(super) fn pages(look: &Look) {
    let mut stage = Stage::with_home();
    let driver = at_home(&mut stage, look);
    driver.run("document.querySelector('ol button').click()");
    wait_for("the sample is shown", || driver.run("return !!document.querySelector('.ask')") == true);
    stage.armed(&driver);
    look.take(&stage, &driver, "first-run-sample");
    stage.press(&driver, "[data-answer=yes]");
    wait_for("it is answered", || driver.run("return !!document.querySelector('.strip')") == true);
    hold(&driver);
    look.take(&stage, &driver, "first-run-answered");
    turn(&driver, "history", ".none");
    look.take(&stage, &driver, "history-empty");

    let asked = [
        ask(&stage, UNSAFE),
        ask(&stage, TEXT),
        ask(&stage, &[CHOICE, &["--timeout", "3600000"]].concat()),
        ask(&stage, YES_NO),
    ];
    turn(&driver, "needs", "[data-row]");
    sees(&driver, UNSAFE);
    stage.press(&driver, "[data-answer=later]");
    sees(&driver, TEXT);
    stage.press(&driver, ".ask textarea");
    stage.types(" and lexer", 40);
    stage.armed(&driver);
    look.take(&stage, &driver, "home-later");

    let [command, text, choice, yes] = asked;
    answer(&stage, text, "parser and lexer");
    answer(&stage, yes, "no");
    cancel(&stage, choice);
    cancel(&stage, command);
    turn(&driver, "history", "td button");
    driver.run("[...document.querySelectorAll('td button')].at(-1).click()");
    wait_for("it is open", || driver.run("return !!document.querySelector('.details')") == true);
    look.take(&stage, &driver, "history-open");
    let search = stage.place(&driver, "input[type=search]");
    stage.click(search);
    stage.types("nowhere", 40);
    wait_for("nothing is found", || driver.run("return !!document.querySelector('.none')") == true);
    look.take(&stage, &driver, "history-no-match");

    turn(&driver, "settings", "[role=switch]");
    driver.run("document.querySelector('.buttons button').click()");
    wait_for("it is paused", || {
        driver.run("return document.querySelectorAll('.buttons button').length") == 1
    });
    look.take(&stage, &driver, "settings-paused");
}

fn turn(driver: &Driver, page: &str, there: &str) {
    driver.run(&format!("document.querySelector('nav .{page}').click()"));
    let there = format!("return !!document.querySelector({})", Value::from(there));
    wait_for("the page is there", || driver.run(&there) == true);
}

/// Asks, and gives the ask the focus once it is shown.
fn shown(stage: &Stage, driver: &Driver, what: &[&str]) -> Asking {
    let asking = ask(stage, what);
    sees(driver, what);
    come_forward(stage, driver);
    asking
}

fn gone(stage: &Stage, asking: Asking) {
    cancel(stage, asking);
    stage.shows(0);
}

/// Waits until one of these words, each in its language, stands in a part of the page.
fn reads(driver: &Driver, part: &str, words: &[&str]) {
    let script = format!("return document.querySelector({})?.innerText ?? ''", json!(part));
    wait_for(words[0], || {
        let text = driver.run(&script);
        words.iter().any(|word| text.as_str().is_some_and(|text| text.contains(word)))
    });
}

/// Keeps how an ask ended in sight, as a pointer that rests on it does.
fn hold(driver: &Driver) {
    driver.run("document.querySelector('.strip').dispatchEvent(new PointerEvent('pointerenter'))");
}

/// Takes a picture of how an ask ended, and lets it go.
fn told(look: &Look, stage: &Stage, driver: &Driver, name: &str) {
    wait_for("how it ended is said", || driver.run("return !!document.querySelector('.strip')") == true);
    hold(driver);
    look.take(stage, driver, name);
    driver.run("document.querySelector('.strip button').click()");
    stage.shows(0);
}
