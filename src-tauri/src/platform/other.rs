//! The same as `linux` for systems that bring all this themselves. Not tried yet: the README says what was.

use std::path::PathBuf;

use tauri::WebviewWindow;

/// Whether windows can be opened.
pub(crate) fn has_display() -> bool {
    true
}

/// These systems leave the focus where it is by themselves.
pub(crate) fn show_without_focus(_window: &WebviewWindow) {}

/// Brings a window up with the focus, because the person asked for it.
pub(crate) fn raise(window: &WebviewWindow) {
    let raised = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
    if let Err(error) = raised {
        tracing::warn!(%error, "a window could not be raised");
    }
}

/// These systems' web views load a page again by themselves.
pub(crate) fn reload_after_crash(_window: &WebviewWindow) {}

/// Asks the person yes or no; `then` runs where they chose yes. Anything else is a no.
pub(crate) fn ask(title: &str, text: &str, yes: &str, no: &str, then: impl FnOnce() + Send + 'static) {
    let buttons = rfd::MessageButtons::OkCancelCustom(yes.to_owned(), no.to_owned());
    let dialog = rfd::AsyncMessageDialog::new().set_title(title).set_description(text).set_buttons(buttons);
    let (asked, yes) = (dialog.show(), yes.to_owned());
    tauri::async_runtime::spawn(async move {
        if asked.await == rfd::MessageDialogResult::Custom(yes) {
            then();
        }
    });
}

/// Tells the person something, and goes on once they have read it.
pub(crate) fn tell(title: &str, text: &str, close: &str, then: impl FnOnce() + Send + 'static) {
    let buttons = rfd::MessageButtons::OkCustom(close.to_owned());
    let dialog = rfd::AsyncMessageDialog::new().set_title(title).set_description(text).set_buttons(buttons);
    let told = dialog.show();
    tauri::async_runtime::spawn(async move {
        told.await;
        then();
    });
}

/// Lets the person choose where to write a file.
pub(crate) fn choose_file(
    _window: Option<&WebviewWindow>,
    name: &str,
    then: impl FnOnce(Option<PathBuf>) + Send + 'static,
) {
    let chosen = rfd::AsyncFileDialog::new().set_file_name(name).save_file();
    tauri::async_runtime::spawn(async move {
        then(chosen.await.map(|file| file.path().to_owned()));
    });
}

/// A day from now, in milliseconds since the epoch.
pub(crate) fn tomorrow_ms() -> u64 {
    crate::preferences::now_ms() + 24 * 3_600_000
}

/// Whether something shows notifications, and answers.
pub(crate) fn notifications_answer() -> bool {
    true
}

/// The system's own tray.
pub(crate) struct TrayHost;

impl TrayHost {
    /// There is nothing to follow.
    pub(crate) fn watch() -> Self {
        Self
    }

    /// It is always there.
    pub(crate) fn is_there(&self) -> bool {
        true
    }
}
