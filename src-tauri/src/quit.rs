//! Ending the app: what still waits is named first.

use hotline_core::words::fill;
use tauri::{AppHandle, Manager as _};

use crate::link::lock;
use crate::shell::Shell;
use crate::{platform, tray, windows};

/// The person wants to end the app: at once where nothing waits, else after they said so knowing what does.
pub(crate) fn asked(app: &AppHandle) {
    let shell = app.state::<Shell>();
    let count = shell.count() as u64;
    if count == 0 {
        return app.exit(0);
    }
    let language = lock(&shell.preferences).language();
    let words = &language.words().tray;
    let text = fill(language.plural(words.quit_waiting, count), &[("n", &count)]);
    let quits = app.clone();
    platform::ask(words.quit, &text, words.quit_now, words.stay, move || quits.exit(0));
}

/// A window is being closed: whether it has to stay, because it is the last thing to be seen of the app.
///
/// With a tray the app lives on in it. Without one, closing the last window ends the app.
pub(crate) fn keeps_open(app: &AppHandle, closing: &str) -> bool {
    let others = app.webview_windows();
    let others = others.iter().any(|(label, window)| label != closing && windows::is_shown(window));
    if others || tray::is_seen(app) {
        return false;
    }
    asked(app);
    true
}
