//! Takes the pictures of the documentation on the real app, where `HOTLINE_SHOTS` names a folder: `make screenshots`.

use serde_json::json;

use crate::driver::Driver;
use crate::stage::{Asking, Stage, pause, wait_for};

const COMMAND: &str = "rm -rf build\nfind . -name '*.o' -delete\ngit clean -fdx vendor";

#[test]
fn pictures_of_every_state_in_both_themes_and_languages() {
    if std::env::var_os("HOTLINE_SHOTS").is_none() {
        return;
    }
    for theme in ["light", "dark"] {
        for language in ["en", "fr"] {
            let look = format!("{theme}-{language}");
            home(&look, theme, language);
            ask_window(&look, theme, language);
        }
    }
}

fn choose(driver: &Driver, theme: &str, language: &str) {
    let chosen = json!({ "method": "settings.set", "params": { "theme": theme, "language": language } });
    let set = driver.invoke("call", &chosen);
    assert_eq!(set["ok"]["theme"], theme, "{set}");
}

fn cancel(stage: &Stage, asking: Asking) {
    assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
    asking.status();
}

fn home(look: &str, theme: &str, language: &str) {
    let mut stage = Stage::with_home();
    let driver = stage.driver();
    wait_for("Home is there", || driver.turn_to("home"));
    choose(&driver, theme, language);
    pause(700);
    stage.picture_of_window(0, &format!("first-run-{look}"));
    let first = stage.ask(&[
        "confirm-command",
        "--title",
        "Clean the build folder",
        "--body",
        COMMAND,
        "--unsafe",
        "--agent-id",
        "claude:1",
    ]);
    let second = stage.ask(&[
        "choice",
        "--title",
        "Which branch shall I rebase onto?",
        "--choices",
        "main,dev:Development,release/2.1",
        "--agent-id",
        "codex",
    ]);
    let third = stage.ask(&["text", "--title", "What is the new module called?", "--agent-id", "claude:1"]);
    pause(2500);
    stage.picture_of_window(0, &format!("home-{look}"));
    for asking in [first, second, third] {
        cancel(&stage, asking);
    }
    for page in ["history", "settings"] {
        driver.run(&format!("document.querySelector('nav .{page}').click()"));
        pause(900);
        stage.picture_of_window(0, &format!("{page}-{look}"));
    }
}

fn ask_window(look: &str, theme: &str, language: &str) {
    let (mut stage, _editor) = Stage::with_editor();
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    choose(&driver, theme, language);
    let hidden = "rm \u{202e}~ fr-\u{202c} # looks harmless";
    let asks: [(&str, &[&str]); 6] = [
        (
            "yesno",
            &[
                "yesno",
                "--title",
                "Run the migration on the staging database?",
                "--body",
                "It takes about a minute.\nNothing else may write meanwhile.",
            ],
        ),
        (
            "choice",
            &[
                "choice",
                "--title",
                "Which branch shall I rebase onto?",
                "--choices",
                "main,dev:Development,release/2.1",
            ],
        ),
        ("text", &["text", "--title", "What is the new module called?", "--default", "parser"]),
        ("command", &["confirm-command", "--title", "Install the dependencies", "--body", "npm ci"]),
        ("unsafe", &["confirm-command", "--title", "Clean the build folder", "--body", COMMAND, "--unsafe"]),
        ("hidden", &["confirm-command", "--title", "Remove a file", "--body", hidden, "--timeout", "600000"]),
    ];
    for (name, ask) in asks {
        let asking = stage.ask(&[ask, &["--agent-id", "claude:1"]].concat());
        stage.shows(1);
        pause(1800);
        stage.picture_of_window(0, &format!("ask-{name}-{look}"));
        if name == "unsafe" {
            stage.press(&driver, "[data-answer=ack]");
            pause(1800);
            stage.picture_of_window(0, &format!("ask-{name}-step-two-{look}"));
        }
        cancel(&stage, asking);
    }
    let several: Vec<_> = asks[..3].iter().map(|(_, ask)| stage.ask(ask)).collect();
    pause(1800);
    stage.picture_of_window(0, &format!("ask-several-{look}"));
    for asking in several {
        cancel(&stage, asking);
    }
}
