//! Takes the pictures of the documentation on the real app: `make screenshots`.

mod states;

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::driver::Driver;
use crate::stage::{Asking, Stage, wait_for};

const COMMAND: &str = "rm -rf build\nfind . -name '*.o' -delete\ngit clean -fdx vendor";
const YES_NO: &[&str] = &[
    "yesno",
    "--title",
    "Run the migration on the staging database?",
    "--body",
    "It takes about a minute.\nNothing else may write meanwhile.",
];
const CHOICE: &[&str] = &[
    "choice",
    "--title",
    "Which branch shall I rebase onto?",
    "--choices",
    "main,dev:Development,release/2.1",
];
const TEXT: &[&str] = &["text", "--title", "What is the new module called?", "--default", "parser"];
const SAFE: &[&str] = &["confirm-command", "--title", "Install the dependencies", "--body", "npm ci"];
const UNSAFE: &[&str] =
    &["confirm-command", "--title", "Clean the build folder", "--body", COMMAND, "--unsafe"];
const HIDDEN: &[&str] = &[
    "confirm-command",
    "--title",
    "Remove a file",
    "--body",
    "rm \u{202e}~ fr-\u{202c} # looks harmless",
    "--timeout",
    "600000",
];

#[test]
#[ignore = "make screenshots takes them"]
fn pictures_of_every_state_in_both_themes_and_languages() {
    assert!(std::env::var_os("HOTLINE_SHOTS").is_some(), "HOTLINE_SHOTS names the folder for the pictures");
    for (theme, language) in [("light", "en"), ("dark", "fr")] {
        let look = Look { theme, language };
        states::on_the_way(&look);
        states::endings(&look);
        states::pages(&look);
    }
    for theme in ["light", "dark"] {
        for language in ["en", "fr"] {
            let look = Look { theme, language };
            home(&look);
            ask_window(&look);
        }
    }
    let look = Look { theme: "light", language: "fr" };
    narrow(&look);
    zoomed(&look);
    desktop(&look);
}

struct Look {
    theme: &'static str,
    language: &'static str,
}

impl Look {
    fn choose(&self, driver: &Driver) {
        let Self { theme, language } = self;
        let chosen = json!({ "theme": theme, "language": language });
        let set = driver.invoke("call", &json!({ "method": "settings.set", "params": chosen }));
        assert_eq!(set["ok"]["theme"], *theme, "{set}");
        wait_for("the page looks like that", || {
            driver.run("const e = document.documentElement; return [e.dataset.theme, e.lang]")
                == json!([theme, language])
        });
    }

    /// Takes a picture of the app's only window, once that shows what its page holds now.
    fn take(&self, stage: &Stage, driver: &Driver, name: &str) {
        stage.shows(1);
        driver.run_async(
            "const done = arguments[arguments.length - 1]; \
             requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
        );
        stage.still_picture(&["-window", &stage.windows()[0].0], &self.name(name));
    }

    fn name(&self, what: &str) -> String {
        format!("{what}-{}-{}", self.theme, self.language)
    }
}

/// Asks as an agent of that name would, from the folder of its work.
fn ask(stage: &Stage, ask: &[&str]) -> Asking {
    let agent = stage.path("claude");
    if !agent.exists() {
        fs::copy("/bin/sh", &agent).unwrap();
        fs::create_dir(stage.path("checkout")).unwrap();
    }
    let mut command: Command = stage.command(agent);
    // A shell that has something left to do stays, and is who asks.
    command.args(["-c", "ht ask \"$@\"; exit $?", "claude"]).current_dir(stage.path("checkout"));
    stage.ask_by(command, &[ask, &["--agent-id", "claude:1"]].concat())
}

/// Waits until an ask is shown whole, with what is known of who asks.
fn sees(driver: &Driver, ask: &[&str]) {
    wait_for("the ask is shown", || {
        let text = driver.run("return document.querySelector('.ask')?.innerText ?? ''");
        text.as_str().is_some_and(|text| text.contains(ask[2]) && text.contains("pid"))
    });
}

fn cancel(stage: &Stage, asking: Asking) {
    assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
    asking.status();
}

fn answer(stage: &Stage, asking: Asking, value: &str) {
    assert!(stage.ht(&["ask", "answer", &asking.id, value]).status.success());
    asking.status();
}

fn at_home(stage: &mut Stage, look: &Look) -> Driver {
    let driver = stage.driver();
    wait_for("Home is there", || driver.turn_to("home"));
    look.choose(&driver);
    driver
}

fn home(look: &Look) {
    let mut stage = Stage::with_home();
    let driver = at_home(&mut stage, look);
    wait_for("the first page is there", || driver.run("return !!document.querySelector('ol')") == true);
    look.take(&stage, &driver, "first-run");
    let asked = [UNSAFE, CHOICE, TEXT].map(|what| ask(&stage, what));
    sees(&driver, UNSAFE);
    stage.armed(&driver);
    look.take(&stage, &driver, "home");
    let [command, choice, text] = asked;
    cancel(&stage, command);
    answer(&stage, choice, "dev");
    answer(&stage, text, "parser");
    let yes = ask(&stage, YES_NO);
    answer(&stage, yes, "yes");
    for (page, there) in [("history", "table"), ("settings", "[role=switch]")] {
        driver.run(&format!("document.querySelector('nav .{page}').click()"));
        let there = format!("return !!document.querySelector({})", Value::from(there));
        wait_for("the page is there", || driver.run(&there) == true);
        look.take(&stage, &driver, page);
    }
}

fn at_ask_window(stage: &mut Stage, look: &Look) -> Driver {
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    look.choose(&driver);
    driver
}

/// Gives the Ask window the focus, and waits until the ask takes answers.
fn come_forward(stage: &Stage, driver: &Driver) {
    let heading = stage.place(driver, ".ask [data-focus=heading]");
    stage.click(heading);
    stage.armed(driver);
}

fn ask_window(look: &Look) {
    let (mut stage, _editor) = Stage::with_editor();
    let driver = at_ask_window(&mut stage, look);
    let kinds =
        [("yesno", YES_NO), ("choice", CHOICE), ("text", TEXT), ("command", SAFE), ("hidden", HIDDEN)];
    for (name, what) in kinds {
        let asking = ask(&stage, what);
        sees(&driver, what);
        come_forward(&stage, &driver);
        look.take(&stage, &driver, &format!("ask-{name}"));
        cancel(&stage, asking);
        stage.shows(0);
    }

    let asking = ask(&stage, UNSAFE);
    sees(&driver, UNSAFE);
    look.take(&stage, &driver, "ask-unarmed");
    come_forward(&stage, &driver);
    look.take(&stage, &driver, "ask-unsafe");
    stage.press(&driver, "[data-answer=ack]");
    wait_for("the second step", || {
        driver.run("return !!document.querySelector('[data-step=\"2\"]')") == true
    });
    stage.armed(&driver);
    look.take(&stage, &driver, "ask-unsafe-step-two");
    cancel(&stage, asking);
    stage.shows(0);

    let several = [YES_NO, CHOICE, TEXT].map(|what| ask(&stage, what));
    sees(&driver, YES_NO);
    come_forward(&stage, &driver);
    look.take(&stage, &driver, "ask-several");
    stage.press(&driver, "[data-answer=cancel]");
    wait_for("a reason may be given", || driver.run("return !!document.querySelector('.reason')") == true);
    stage.armed(&driver);
    look.take(&stage, &driver, "ask-reason");
    for asking in several {
        cancel(&stage, asking);
    }
}

/// The least size of Home.
fn narrow(look: &Look) {
    let mut stage = Stage::with_home();
    let driver = at_home(&mut stage, look);
    let (window, _) = stage.windows().remove(0);
    stage.output("xdotool", &["windowsize", &window, "720", "480"]);
    wait_for("it is that small", || driver.run("return [innerWidth, innerHeight]") == json!([720, 480]));
    look.take(&stage, &driver, "narrow-first-run");
    let _asked = [UNSAFE, CHOICE, TEXT].map(|what| ask(&stage, what));
    wait_for("they are listed", || driver.run("return document.querySelectorAll('[data-row]').length") == 3);
    look.take(&stage, &driver, "narrow-home");
    let row = stage.place(&driver, "[data-row]");
    stage.click(row);
    sees(&driver, UNSAFE);
    look.take(&stage, &driver, "narrow-ask");
}

/// At 200 %: half as many CSS pixels on the same screen.
fn zoomed(look: &Look) {
    let mut stage = Stage::empty();
    stage.set("GDK_SCALE", "2");
    stage.start_app(&["--background"]);
    let driver = at_ask_window(&mut stage, look);
    let asking = ask(&stage, UNSAFE);
    sees(&driver, UNSAFE);
    look.take(&stage, &driver, "zoomed-ask");
    cancel(&stage, asking);
    stage.shows(0);
    assert!(stage.app_command(&[]).status().unwrap().success());
    wait_for("Home is there", || driver.turn_to("home"));
    look.take(&stage, &driver, "zoomed-first-run");
    let _asked = [UNSAFE, CHOICE, TEXT].map(|what| ask(&stage, what));
    wait_for("they are listed", || driver.run("return document.querySelectorAll('[data-row]').length") == 3);
    look.take(&stage, &driver, "zoomed-home");
}

/// The tray with its menu, and a notification.
fn desktop(look: &Look) {
    let (mut stage, _editor) = Stage::with_editor();
    at_ask_window(&mut stage, look);
    // A screen that shows nothing else is a quiet grey, not black.
    stage.output("display", &["-window", "root", "-size", "1600x1000", "xc:#d8d8dc"]);
    stage.start_with_log("dunst", &[]);
    stage.start_with_log("trayer", &["--edge", "top", "--width", "10", "--height", "24"]);
    let icon = || {
        let tree = stage.output("xwininfo", &["-root", "-tree"]);
        let line = tree.lines().find(|line| line.contains("tray-icon tray app"))?;
        line.split_whitespace().next().map(str::to_owned)
    };
    wait_for("the icon is docked", || icon().is_some());
    let _asked = [UNSAFE, CHOICE, TEXT].map(|what| ask(&stage, what));
    let shown = |class: &str| stage.output("xdotool", &["search", "--onlyvisible", "--class", class]);
    wait_for("a notification is shown", || !shown("Dunst").is_empty());
    stage.still_picture(&["-window", shown("Dunst").lines().next().unwrap()], &look.name("notification"));
    stage.output("xdotool", &["mousemove", "--window", &icon().unwrap(), "8", "8", "click", "3"]);
    stage.still_picture(&["-window", "root", "-crop", "440x290+715+0", "+repage"], &look.name("tray"));
}
