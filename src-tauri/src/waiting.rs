//! Follows the hub for the app itself: what waits, for tray, titles, Ask window and notifications.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use hotline_core::display::{Context, show};
use hotline_core::wire::event::AskUserEvent;
use hotline_core::wire::event::NotificationEvent;
use hotline_core::wire::{AskUserRequest, Kind, request_number};
use serde_json::Value;
use tauri::{AppHandle, Manager as _};

use crate::link::{Hear, Link, lock};
use crate::notify::{self, Note};
use crate::shell::Shell;
use crate::{tray, windows};

/// Tray and titles are drawn anew at most so often, however fast asks come and go.
const REST: Duration = Duration::from_millis(100);
/// How long a pause of notifications may be over before the tray says so.
const LOOKS: Duration = Duration::from_secs(5);
/// How long the Ask window may stay when nothing waits: longer than its page shows how the last one ended.
const LINGERS: Duration = Duration::from_secs(10);

/// How long the Ask window's page may take to load before the window is shown without it.
const LOADS: Duration = Duration::from_secs(4);

/// What is kept of an ask that waits; texts are safe to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) request_id: String,
    /// The name that the agent gave itself, else the place it asked from.
    pub(crate) who: String,
    /// None where the title is the command itself.
    pub(crate) title: Option<String>,
}

impl From<&AskUserRequest> for Asked {
    fn from(ask: &AskUserRequest) -> Self {
        let is_command = ask.kind == Kind::ConfirmCommand && ask.body.is_none();
        let shown = |text: &str| show(text, Context::Line).into_owned();
        Self {
            request_id: ask.request_id.to_string(),
            who: shown(ask.agent_id.as_ref().unwrap_or(&ask.surface_id)),
            title: (!is_command).then(|| shown(&ask.title)),
        }
    }
}

/// An ask with the number it is ordered by.
fn numbered(ask: &AskUserRequest) -> Option<(u64, Asked)> {
    Some((request_number(&ask.request_id)?, Asked::from(ask)))
}

/// Hears what the hub tells.
struct Follower {
    app: AppHandle,
    /// Wakes whoever draws tray and titles.
    changed: mpsc::Sender<()>,
    notes: mpsc::SyncSender<Note>,
}

/// Follows until the app ends. The link that comes back has to be kept.
pub(crate) fn follow(app: &AppHandle, shell: &Shell) -> Result<Link> {
    let (changed, changes) = mpsc::channel();
    let drawing = app.clone();
    thread::Builder::new().name("tray".into()).spawn(move || draw(&drawing, &changes))?;
    let follower = Follower { app: app.clone(), changed, notes: notify::start(app)? };
    let follower = Mutex::new(follower);
    let link = shell.connect("app")?;
    let hear: Hear = Arc::new(move |event| {
        if let Err(error) = lock(&follower).hear(&event) {
            tracing::error!(%error, "an event of the hub was not understood");
        }
    });
    let channels = ["askUserEvent".to_owned(), "notificationEvent".to_owned()];
    drop(link.ask_to_follow(&channels, hear).map_err(|refusal| anyhow::anyhow!("{}", refusal.message))?);
    Ok(link)
}

/// Draws tray and titles after changes, and once in a while for the pause of notifications that is over.
fn draw(app: &AppHandle, changes: &mpsc::Receiver<()>) {
    let (mut waited_last, mut empty_last) = (Instant::now(), Instant::now());
    loop {
        match changes.recv_timeout(LOOKS) {
            Ok(()) | Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        while changes.try_recv().is_ok() {}
        match app.state::<Shell>().count() {
            0 => empty_last = Instant::now(),
            _ => waited_last = Instant::now(),
        }
        let lingers = waited_last.elapsed() > LINGERS;
        let is_late = empty_last.elapsed() > LOADS;
        windows::on_main(app, move |app| {
            windows::retitle(app);
            tray::refresh(app);
            if lingers {
                windows::hide_ask(app);
            }
            if is_late {
                windows::show_silent_ask(app);
            }
        });
        thread::sleep(REST);
    }
}

impl Follower {
    fn hear(&self, event: &str) -> Result<()> {
        let event: Value = serde_json::from_str(event)?;
        match event["channel"].as_str() {
            Some("askUserEvent") => self.asks(serde_json::from_value(event).context("askUserEvent")?),
            Some("notificationEvent") => {
                let NotificationEvent::Created { title, body, .. } =
                    serde_json::from_value(event).context("notificationEvent")?;
                // Full is full: the thread behind it is not waited for.
                let _ = self.notes.try_send(Note::of_notification(&title, body.as_deref()));
            }
            _ => {}
        }
        Ok(())
    }

    fn asks(&self, event: AskUserEvent) {
        let shell = self.app.state::<Shell>();
        match event {
            AskUserEvent::Snapshot { pending } => {
                let waiting: BTreeMap<u64, Asked> = pending.iter().filter_map(numbered).collect();
                *lock(&shell.waiting) = waiting;
            }
            AskUserEvent::Shown { request } => {
                let Some((number, asked)) = numbered(&request) else { return };
                lock(&shell.waiting).insert(number, asked.clone());
                let notes = self.notes.clone();
                windows::on_main(&self.app, move |app| {
                    if !windows::is_in_view(app) {
                        let _ = notes.try_send(Note::of_ask(app, &asked));
                    }
                    windows::ask_came(app);
                });
            }
            AskUserEvent::Resolved { request_id, .. } => {
                // The page hides the Ask window once the ending was seen; `draw` does where no page can.
                let number = request_number(&request_id);
                number.and_then(|number| lock(&shell.waiting).remove(&number));
            }
        }
        let _ = self.changed.send(());
    }
}
