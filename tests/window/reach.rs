//! What assistive technology is told, and what axe-core finds in the running pages.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::driver::Driver;
use crate::stage::{Stage, wait_for};

/// Everything serious that axe-core finds in the page as it is.
fn serious(driver: &Driver) -> Vec<String> {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
    let axe = fs::read_to_string(axe).expect("axe-core is installed with the page");
    if driver.run("return typeof window.axe") != "object" {
        driver.run(&format!("{axe}; window.axe = axe; return null"));
    }
    let found = driver.run_async(
        "const done = arguments[arguments.length - 1]; \
         axe.run(document).then((r) => done(r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')\
         .map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' | '))), (e) => done(['' + e]))",
    );
    found.as_array().map_or_else(
        || vec![format!("axe did not run: {found}")],
        |list| list.iter().map(|one| one.as_str().unwrap_or_default().to_owned()).collect(),
    )
}

#[test]
fn axe_finds_nothing_serious_in_any_state_of_the_ask_window() {
    let (mut stage, _editor) = Stage::with_editor();
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    let asks: [&[&str]; 5] = [
        &["yesno", "--title", "Run install?", "--body", "It takes a minute."],
        &["choice", "--title", "Which branch?", "--choices", "main,dev:Development"],
        &["text", "--title", "Which name?", "--default", "main"],
        &["confirm-command", "--title", "Clean", "--body", "rm -rf build\u{200b}", "--unsafe"],
        &["yesno", "--title", "Sure?", "--unsafe", "--timeout", "600000"],
    ];
    for ask in asks {
        let asking = stage.ask(ask);
        wait_for("it is shown", || {
            driver
                .run("return document.querySelector('.ask')?.innerText ?? ''")
                .as_str()
                .is_some_and(|text| text.contains(ask[2]))
        });
        settled(&driver);
        assert_eq!(serious(&driver), Vec::<String>::new(), "{ask:?}");
        assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
        asking.status();
        wait_for("how it ended is said", || driver.run("return !!document.querySelector('.strip')") == true);
        settled(&driver);
        assert_eq!(serious(&driver), Vec::<String>::new(), "the end of {ask:?}");
    }
}

/// Waits until nothing in the page fades or moves: what is half transparent has little contrast.
fn settled(driver: &Driver) {
    wait_for("nothing moves", || driver.run("return document.getAnimations().length") == 0);
}

#[test]
fn axe_finds_nothing_serious_on_the_way_through_an_ask() {
    let (mut stage, _editor) = Stage::with_editor();
    let driver = stage.driver();
    wait_for("the Ask window is there", || driver.turn_to("ask"));
    let command = ["confirm-command", "--title", "Clean", "--body", "rm -rf build", "--unsafe"];
    let _asked = [&command[..], &["yesno", "--title", "Second?"]].map(|ask| stage.ask(ask));
    wait_for("both are there", || driver.run("return document.querySelectorAll('[data-row]').length") == 2);
    let heading = stage.place(&driver, ".ask [data-focus=heading]");
    stage.click(heading);
    let look = |state: &str| {
        settled(&driver);
        assert_eq!(serious(&driver), Vec::<String>::new(), "{state}");
    };
    look("several, unarmed");
    stage.press(&driver, "[data-answer=ack]");
    wait_for("the second step", || {
        driver.run("return !!document.querySelector('[data-answer=run]')") == true
    });
    look("the second step");
    stage.press(&driver, "[data-answer=cancel]");
    wait_for("a reason may be given", || driver.run("return !!document.querySelector('.reason')") == true);
    look("a reason");
}

#[test]
fn axe_finds_nothing_serious_in_home() {
    let mut stage = Stage::with_home();
    let driver = stage.driver();
    wait_for("Home is there", || {
        driver.turn_to("home") && driver.run("return !!document.querySelector('ol')") == true
    });
    settled(&driver);
    assert_eq!(serious(&driver), Vec::<String>::new(), "first run");
    driver.run("document.querySelector('ol button').click()");
    wait_for("the sample is shown", || driver.run("return !!document.querySelector('.ask')") == true);
    settled(&driver);
    assert_eq!(serious(&driver), Vec::<String>::new(), "the sample");
    let asking = stage.ask(&["yesno", "--title", "Run install?"]);
    wait_for("it is shown", || {
        driver.run("return document.querySelector('.ask')?.innerText.includes('Run install?')") == true
    });
    settled(&driver);
    assert_eq!(serious(&driver), Vec::<String>::new(), "an ask");
    assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
    for (page, there) in [("history", "table"), ("settings", "[role=switch]")] {
        driver.run(&format!("document.querySelector('nav .{page}').click()"));
        let there = format!("return !!document.querySelector({})", Value::from(there));
        wait_for("the page is there", || driver.run(&there) == true);
        settled(&driver);
        assert_eq!(serious(&driver), Vec::<String>::new(), "{page}");
    }
    driver.run("document.querySelector('nav .history').click()");
    wait_for("the page is there", || driver.run("return !!document.querySelector('td button')") == true);
    driver.run("document.querySelector('td button').click()");
    settled(&driver);
    assert_eq!(serious(&driver), Vec::<String>::new(), "a question of the history, open");
}

#[test]
fn the_tree_of_assistive_technology_names_every_control_and_the_dialog() {
    let (mut stage, _editor) = Stage::with_editor();
    stage.set("GTK_MODULES", "gail:atk-bridge");
    let _asking = stage.ask(&["yesno", "--title", "Run install?", "--agent-id", "claude:1"]);
    stage.shows(1);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/window/tree.py");
    let mut tree = Vec::new();
    wait_for("the tree holds the ask", || {
        let told = stage.output("/usr/bin/python3", &[script]);
        tree = serde_json::from_str::<Vec<Value>>(&told).unwrap_or_default();
        tree.iter().any(|thing| thing["name"] == "Yes")
    });
    let named =
        |role: &str, name: &str| tree.iter().any(|thing| thing["role"] == role && thing["name"] == name);
    for name in ["Yes", "No", "Cancel", "Later"] {
        assert!(named("push button", name) || named("button", name), "{name}: {tree:#?}");
    }
    let nameless: Vec<_> = tree
        .iter()
        .filter(|thing| thing["focusable"] == true && thing["showing"] == true && thing["name"] == "")
        .filter(|thing| {
            ["push button", "button", "entry", "check box", "link", "list item"]
                .contains(&thing["role"].as_str().unwrap())
        })
        .collect();
    assert_eq!(nameless, Vec::<&Value>::new());
    let dialogs: Vec<_> = tree
        .iter()
        .filter(|thing| ["alert", "dialog", "notification"].contains(&thing["role"].as_str().unwrap()))
        .collect();
    assert_eq!(dialogs.len(), 1, "{dialogs:#?}");
    assert!(dialogs[0]["name"].as_str().unwrap().contains("Run install?"), "{dialogs:#?}");
    assert_eq!(json!(tree.iter().filter(|thing| thing["name"] == "Yes").count()), 1);
}
