//! What the pages may do, read from what was compiled in.

use serde_json::{Value, json};
use tauri::ipc::Origin;

use crate::{context, windows};

#[test]
fn the_page_may_run_only_what_was_shipped_with_it() {
    let context = context();
    let app = serde_json::to_value(&context.config().app).unwrap();
    assert_eq!(app["withGlobalTauri"], false);
    assert_eq!(app["windows"], json!([]));
    let csp = &app["security"]["csp"];
    assert_eq!(csp["default-src"], "'self'");
    assert_eq!(csp["frame-src"], "'none'");
    assert_eq!(csp["script-src"], Value::Null, "scripts fall under default-src");
    assert!(!csp.to_string().contains("unsafe-eval"));
    assert!(!csp["default-src"].to_string().contains("unsafe-inline"));
    assert_eq!(app["security"]["dangerousDisableAssetCspModification"], false);
    assert_eq!(app["security"]["assetProtocol"]["enable"], false);
}

#[test]
fn no_capability_reaches_a_remote_page() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/capabilities")).unwrap();
    let files: Vec<_> = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    assert!(!files.is_empty());
    for file in files {
        let capability: Value = serde_json::from_str(&file).unwrap();
        assert_eq!(capability["remote"], Value::Null, "{file}");
        assert!(!capability["windows"].to_string().contains("\"*\""), "{file}");
        assert_eq!(capability["permissions"], json!(["bridge"]), "{file}");
    }
}

/// Who may call the bridge, and what else a page may call: nothing.
#[test]
fn only_our_windows_reach_the_hub_and_only_through_the_bridge() {
    let mut context = context();
    let authority = context.runtime_authority_mut();
    let may = |command: &str, window: &str, origin: &Origin| {
        authority.resolve_access(command, window, window, origin).is_some()
    };
    let remote = Origin::Remote { url: "https://evil.example/".parse().unwrap() };
    for command in ["call", "subscribe"] {
        for window in [windows::HOME, windows::ASK] {
            assert!(may(command, window, &Origin::Local), "{command} {window}");
            assert!(!may(command, window, &remote), "{command} {window}");
        }
        assert!(!may(command, "other", &Origin::Local), "{command}");
    }
    for command in [
        "plugin:notification|notify",
        "plugin:autostart|enable",
        "plugin:window-state|save_window_state",
        "plugin:window|close",
        "plugin:webview|create_webview_window",
        "plugin:event|listen",
        "plugin:event|emit",
        "plugin:app|version",
        "plugin:path|resolve_directory",
    ] {
        assert!(!may(command, windows::HOME, &Origin::Local), "{command}");
    }
}
