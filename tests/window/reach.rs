//! What assistive technology is told, and what axe-core finds in the running pages.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::driver::Driver;
use crate::stage::{Stage, pause, wait_for};

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
        pause(1200);
        assert_eq!(serious(&driver), Vec::<String>::new(), "{ask:?}");
        assert!(stage.ht(&["ask", "cancel", &asking.id]).status.success());
        asking.status();
    }
}

#[test]
fn axe_finds_nothing_serious_in_home() {
    let mut stage = Stage::with_home();
    let driver = stage.driver();
    wait_for("Home is there", || driver.turn_to("home"));
    pause(700);
    stage.picture("first-run");
    assert_eq!(serious(&driver), Vec::<String>::new(), "first run");
    let _asking = stage.ask(&["yesno", "--title", "Run install?"]);
    wait_for("it is shown", || driver.run("return !!document.querySelector('.ask')") == true);
    pause(1200);
    assert_eq!(serious(&driver), Vec::<String>::new(), "an ask");
    for page in ["history", "settings"] {
        driver.run(&format!("document.querySelector('nav .{page}').click()"));
        pause(700);
        stage.picture(page);
        assert_eq!(serious(&driver), Vec::<String>::new(), "{page}");
    }
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
