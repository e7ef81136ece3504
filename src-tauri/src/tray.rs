//! The tray: how many asks wait, the first of them, and what the app can be told from there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use hotline_core::words::{Language, fill};
use tauri::image::Image;
use tauri::menu::{CheckMenuItem, IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager as _, Wry};
use tauri_plugin_autostart::ManagerExt as _;

use crate::link::lock;
use crate::preferences::now_ms;
use crate::shell::Shell;
use crate::waiting::Asked;
use crate::{own, platform, quit, windows};

/// Names the icon to the system.
const ID: &str = "main";
/// How many asks the menu names.
const NAMED: usize = 5;
/// How much of an ask's title the menu shows, in characters.
const LONGEST: usize = 60;
/// An hour, in milliseconds.
const HOUR: u64 = 3_600_000;

/// The tray as it was drawn last.
pub(crate) struct Tray {
    /// Whether the system's library for it is there.
    is_made: bool,
    host: platform::TrayHost,
    drawn: Mutex<Option<Drawn>>,
}

/// All that the tray shows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Drawn {
    count: usize,
    first: Vec<Asked>,
    is_paused: bool,
    starts_at_login: bool,
    language: Language,
}

/// Puts the icon up, where the system can show one.
pub(crate) fn make(app: &AppHandle) {
    // The library is loaded at run time; where it is missing, loading panics.
    let made = catch_unwind(AssertUnwindSafe(|| {
        TrayIconBuilder::with_id(ID)
            .icon(tauri::include_image!("../icons/tray-44.png"))
            .icon_as_template(true)
            .on_menu_event(|app, event| clicked(app, event.id().as_ref()))
            .menu(&Menu::new(app)?)
            .build(app)
    }));
    let is_made = match made {
        Ok(Ok(_)) => true,
        Ok(Err(error)) => {
            tracing::warn!(%error, "there is no tray icon");
            false
        }
        Err(_) => {
            tracing::warn!("there is no tray icon: the system's library for it is missing");
            false
        }
    };
    app.manage(Tray { is_made, host: platform::TrayHost::watch(), drawn: Mutex::default() });
    refresh(app);
}

/// Whether the person can see the icon: something on this desktop shows such icons.
pub(crate) fn is_seen(app: &AppHandle) -> bool {
    app.try_state::<Tray>().is_some_and(|tray| tray.is_made && tray.host.is_there())
}

/// Draws the tray as things stand, if that is another picture than before.
pub(crate) fn refresh(app: &AppHandle) {
    let Some(tray) = app.try_state::<Tray>().filter(|tray| tray.is_made) else { return };
    let now = look(app);
    let before = lock(&tray.drawn).replace(now.clone());
    if before.as_ref() == Some(&now) {
        return;
    }
    if let Err(error) = draw(app, &now, before.as_ref()) {
        tracing::warn!(%error, "the tray could not be drawn");
    }
}

fn look(app: &AppHandle) -> Drawn {
    let shell = app.state::<Shell>();
    let waiting = lock(&shell.waiting);
    let preferences = lock(&shell.preferences);
    Drawn {
        count: waiting.len(),
        first: waiting.values().take(NAMED).cloned().collect(),
        is_paused: preferences.is_paused(),
        starts_at_login: app.autolaunch().is_enabled().unwrap_or(false),
        language: preferences.language(),
    }
}

fn draw(app: &AppHandle, now: &Drawn, before: Option<&Drawn>) -> tauri::Result<()> {
    let Some(icon) = app.tray_by_id(ID) else { return Ok(()) };
    icon.set_menu(Some(menu(app, now)?))?;
    if before.is_none_or(|before| before.count != now.count) {
        icon.set_tooltip(Some(count_line(now)))?;
        icon.set_title((now.count > 0).then(|| now.count.to_string()))?;
    }
    if before.is_none_or(|before| (before.count > 0) != (now.count > 0)) {
        icon.set_icon(Some(picture(now.count > 0)))?;
        icon.set_icon_as_template(true)?;
    }
    Ok(())
}

/// A ring where nothing waits, a dot where something does.
fn picture(waits: bool) -> Image<'static> {
    match waits {
        false => tauri::include_image!("../icons/tray-44.png"),
        true => tauri::include_image!("../icons/tray-waiting-44.png"),
    }
}

fn count_line(now: &Drawn) -> String {
    let words = now.language.words();
    match now.count as u64 {
        0 => words.home.nothing.to_owned(),
        n => fill(now.language.plural(words.common.question, n), &[("n", &n)]),
    }
}

fn menu(app: &AppHandle, now: &Drawn) -> tauri::Result<Menu<Wry>> {
    let words = now.language.words();
    let tray = &words.tray;
    let line = || PredefinedMenuItem::separator(app);
    let item = |id: &str, text: &str| MenuItem::with_id(app, id, label(text), true, None::<&str>);
    let menu = Menu::new(app)?;
    let add = |item: &dyn IsMenuItem<Wry>| menu.append(item);

    add(&MenuItem::with_id(app, "count", count_line(now), false, None::<&str>)?)?;
    for asked in &now.first {
        add(&item(&format!("ask:{}", asked.request_id), &entry(asked, now.language))?)?;
    }
    if now.count > 0 {
        add(&item("next", tray.next)?)?;
    }
    add(&line()?)?;
    add(&item("home", tray.open)?)?;
    add(&line()?)?;
    if now.is_paused {
        add(&item("resume", tray.resume)?)?;
    } else {
        add(&item("pause-hour", tray.pause_hour)?)?;
        add(&item("pause-day", tray.pause_day)?)?;
    }
    let text = label(tray.start_at_login);
    add(&CheckMenuItem::with_id(app, "login", text, true, now.starts_at_login, None::<&str>)?)?;
    add(&line()?)?;
    add(&item("quit", tray.quit)?)?;
    Ok(menu)
}

/// An ask in the menu: who asks what, in one line that fits.
fn entry(asked: &Asked, language: Language) -> String {
    let text = asked.says(language);
    match text.char_indices().nth(LONGEST) {
        None => text,
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// A text as a menu takes it, where `&` would mark a key.
fn label(text: &str) -> String {
    text.replace('&', "&&")
}

fn clicked(app: &AppHandle, id: &str) {
    let pause = |until: Option<u64>| {
        let shell = app.state::<Shell>();
        lock(&shell.preferences).pause(until);
        own::told(app, &shell);
    };
    match id {
        "next" => windows::open_ask(app, None),
        "home" => windows::open_home(app),
        "pause-hour" => pause(Some(now_ms() + HOUR)),
        "pause-day" => pause(Some(platform::tomorrow_ms())),
        "resume" => pause(None),
        "login" => {
            let starts = app.autolaunch().is_enabled().unwrap_or(false);
            own::start_at_login(app, !starts);
            own::told(app, &app.state::<Shell>());
        }
        "quit" => quit::asked(app),
        _ => {
            if let Some(id) = id.strip_prefix("ask:") {
                windows::open_ask(app, Some(id));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(title: Option<&str>) -> Asked {
        Asked { request_id: "req:1".into(), who: "claude:1".into(), title: title.map(Into::into) }
    }

    #[test]
    fn an_entry_says_who_asks_what_in_one_line_that_fits() {
        assert_eq!(entry(&asked(Some("Run install?")), Language::English), "claude:1 asks: Run install?");
        let long = entry(&asked(Some(&"é".repeat(200))), Language::French);
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn an_entry_never_holds_a_command() {
        assert_eq!(entry(&asked(None), Language::English), "claude:1 asks to run a command");
    }

    #[test]
    fn an_ampersand_of_an_agent_marks_no_key() {
        assert_eq!(label("a & b"), "a && b");
    }
}
