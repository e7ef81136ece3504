//! Native notifications: at most one per ask, and never on the way of an ask.
//!
//! A thread of its own shows them, so that a daemon that is absent or hangs costs nobody anything.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use hotline_core::display::{Context, show};
use hotline_core::words::{Language, fill};
use tauri::{AppHandle, Manager as _};
use tauri_plugin_notification::NotificationExt as _;

use crate::link::lock;
use crate::shell::Shell;
use crate::waiting::Asked;
use crate::{platform, windows};

/// How many notes may wait to be shown; more are left out, since the tray counts them all.
const QUEUE: usize = 8;
/// How many notes are shown within [`BURST`]; more would only cover one another.
const MOST: usize = 5;
/// See [`MOST`].
const BURST: Duration = Duration::from_secs(10);
/// How long a daemon that did not answer is left alone.
const REST: Duration = Duration::from_secs(30);
/// How much of a text is shown, in characters.
const LONGEST: usize = 160;

/// The name of the extra by which a click finds its ask.
const ASK: &str = "ask";

/// Something to notify of; its texts are safe to show.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Note {
    title: String,
    body: Option<String>,
    /// The ask that a click opens.
    request_id: Option<String>,
}

impl Note {
    /// An ask came. What is asked is in it only where the person chose that, and a command's text never.
    pub(crate) fn of_ask(app: &AppHandle, asked: &Asked) -> Self {
        let shell = app.state::<Shell>();
        let preferences = lock(&shell.preferences);
        let language = preferences.language();
        let title = match preferences.choices.notification_content {
            true => asked.says(language),
            false => fill(language.words().tray.asks_something, &[("who", &asked.who)]),
        };
        Self { title: cut(&title), body: None, request_id: Some(asked.request_id.clone()) }
    }

    /// Somebody called `notification.create`.
    pub(crate) fn of_notification(title: &str, body: Option<&str>) -> Self {
        let body = body.map(|body| markup(&cut(&show(body, Context::Block))));
        Self { title: cut(&show(title, Context::Line)), body, request_id: None }
    }
}

impl Asked {
    /// Who asks what, in a sentence.
    pub(crate) fn says(&self, language: Language) -> String {
        let words = &language.words().tray;
        match &self.title {
            Some(title) => fill(words.asks, &[("who", &self.who), ("title", title)]),
            None => fill(words.asks_command, &[("who", &self.who)]),
        }
    }
}

/// Starts the thread, and opens the ask whose notification is clicked.
pub(crate) fn start(app: &AppHandle) -> Result<SyncSender<Note>> {
    let clicked = app.clone();
    app.notification().on_action(move |action| {
        let extra = action.notification().and_then(|notification| notification.extra().get(ASK).cloned());
        let id = extra.and_then(|id| id.as_str().map(str::to_owned));
        windows::on_main(&clicked, move |app| match &id {
            Some(id) => windows::open_ask(app, Some(id)),
            None => windows::open_home(app),
        });
    })?;
    let (sender, notes) = sync_channel(QUEUE);
    let app = app.clone();
    thread::Builder::new().name("notifications".into()).spawn(move || show_all(&app, &notes))?;
    Ok(sender)
}

fn show_all(app: &AppHandle, notes: &Receiver<Note>) {
    let mut silent_until = Instant::now();
    let mut shown: Vec<Instant> = Vec::new();
    for note in notes {
        shown.retain(|at| at.elapsed() < BURST);
        let is_paused = lock(&app.state::<Shell>().preferences).is_paused();
        if is_paused || shown.len() >= MOST || Instant::now() < silent_until {
            continue;
        }
        // The plugin would wait without end for a daemon that hangs, and hold up every note after it.
        if !platform::notifications_answer() {
            tracing::info!("nothing shows notifications here");
            silent_until = Instant::now() + REST;
            continue;
        }
        shown.push(Instant::now());
        let mut builder = app.notification().builder().title(note.title);
        if let Some(body) = note.body {
            builder = builder.body(body);
        }
        if let Some(id) = note.request_id {
            builder = builder.extra(ASK, id);
        }
        if let Err(error) = builder.show() {
            tracing::warn!(%error, "a notification could not be shown");
        }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// A body as daemons take it, who read a little HTML in it.
fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_an_agent_is_plain_text_with_nothing_hidden() {
        let note = Note::of_notification("a\u{202e}b", Some("<a href=\"x\">c</a>\n&"));
        assert_eq!(note.title, "a⟦U+202E⟧b");
        assert_eq!(note.body.unwrap(), "&lt;a href=\"x\"&gt;c&lt;/a&gt;\n&amp;");
    }

    #[test]
    fn a_long_title_is_cut_for_the_screen_only() {
        assert_eq!(cut(&"x".repeat(500)).chars().count(), LONGEST + 1);
    }
}
