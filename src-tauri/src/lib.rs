//! The desktop window: puts the parts of the app together and runs it.

use tauri::webview::NewWindowResponse;
use tauri::{App, Context, Url, WebviewUrl, WebviewWindowBuilder};

/// Runs the app until its last window is closed.
///
/// # Errors
/// When a window or its page cannot be made.
pub fn run() -> tauri::Result<()> {
    tauri::Builder::default()
        .setup(|app| {
            open_home(app)?;
            Ok(())
        })
        .run(context())
}

/// What was compiled in: the configuration, the capabilities, the page and the icon.
fn context() -> Context {
    tauri::generate_context!()
}

/// Opens the Home window. It shows the app's own page and leads nowhere else.
fn open_home(app: &App) -> tauri::Result<()> {
    WebviewWindowBuilder::new(app, "home", WebviewUrl::default())
        .title("Hotline")
        .inner_size(1180.0, 720.0)
        .min_inner_size(720.0, 480.0)
        .on_navigation(is_own)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    Ok(())
}

/// Tells whether an address is the app's own page: Tauri's scheme, or on Windows its host; while the page
/// is worked on, Vite's server.
fn is_own(url: &Url) -> bool {
    match (url.scheme(), url.host_str()) {
        ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => true,
        ("http", Some("localhost")) => tauri::is_dev() && url.port() == Some(5173),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn the_window_shows_no_page_but_its_own() {
        let own = |address: &str| is_own(&address.parse().unwrap());
        assert!(own("tauri://localhost/index.html"));
        for other in [
            "https://evil.example/",
            "http://localhost:8080/",
            "https://tauri.localhost.evil.example/",
            "file:///etc/passwd",
            "data:text/html,x",
            "about:blank",
        ] {
            assert!(!own(other), "{other}");
        }
    }

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
    }

    #[test]
    fn no_capability_reaches_a_remote_page() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/capabilities")).unwrap();
        let files: Vec<_> =
            files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        assert!(!files.is_empty());
        for file in files {
            let capability: Value = serde_json::from_str(&file).unwrap();
            assert_eq!(capability["remote"], Value::Null, "{file}");
            assert!(!capability["windows"].to_string().contains("\"*\""), "{file}");
            assert!(!capability["permissions"].to_string().contains('*'), "{file}");
        }
    }
}
