//! What a window asks about itself and the app: its height, the settings, a file to write. None of it is the hub's,
//! and no other surface could be asked.

use serde_json::{Map, Value, json};
use tauri::{AppHandle, Manager as _, WebviewWindow};
use tauri_plugin_autostart::ManagerExt as _;

use crate::link::{Hear, Refusal, Reply, lock};
use crate::shell::Shell;
use crate::{platform, tray, windows};

/// The channel on which a page hears of its window and the app.
pub(crate) const CHANNEL: &str = "windowEvent";

/// Answers a call that is about the window or the app; none where it is the hub's to answer.
pub(crate) async fn call(
    window: &WebviewWindow,
    shell: &Shell,
    method: &str,
    params: &Value,
) -> Option<Reply> {
    let app = window.app_handle();
    Some(match method {
        "settings.get" => Ok(settings(app, shell)),
        "settings.set" => set(app, shell, params),
        "window.fit" => fit(window, params),
        "window.save" => save(window, params).await,
        _ => return None,
    })
}

/// Lets a page hear: what it missed and the settings, then all that follows.
pub(crate) fn follow(window: &WebviewWindow, shell: &Shell, hear: &Hear) {
    hear(settings_event(window.app_handle(), shell));
    let missed = shell.hear_own(window.label(), Hear::clone(hear));
    missed.into_iter().for_each(|event| hear(event));
}

/// The person wants to see this ask.
pub(crate) fn open_event(request_id: &str) -> String {
    json!({ "channel": CHANNEL, "kind": "open", "request_id": request_id }).to_string()
}

fn settings_event(app: &AppHandle, shell: &Shell) -> String {
    format!("{{\"channel\":\"{CHANNEL}\",\"kind\":\"settings\",\"settings\":{}}}", settings(app, shell))
}

fn settings(app: &AppHandle, shell: &Shell) -> String {
    let mut members = lock(&shell.preferences).shown();
    let starts = app.autolaunch().is_enabled().unwrap_or(false);
    members.insert("start_at_login".into(), starts.into());
    Value::Object(members).to_string()
}

fn set(app: &AppHandle, shell: &Shell, params: &Value) -> Reply {
    let mut changed = members(params)?.clone();
    let starts = match changed.remove("start_at_login") {
        None => None,
        Some(Value::Bool(starts)) => Some(starts),
        Some(_) => return Err(Refusal::invalid("settings.set: \"start_at_login\" must be true or false.")),
    };
    if changed.contains_key("ask_place") {
        return Err(Refusal::invalid("settings.set: unknown member \"ask_place\"."));
    }
    let set = lock(&shell.preferences).set(&changed);
    set.map_err(|error| Refusal::invalid(format!("settings.set: {error}.")))?;
    if let Some(starts) = starts {
        start_at_login(app, starts);
    }
    told(app, shell);
    Ok(settings(app, shell))
}

/// Switches whether the app starts with the person's session.
pub(crate) fn start_at_login(app: &AppHandle, starts: bool) {
    let autolaunch = app.autolaunch();
    let switched = if starts { autolaunch.enable() } else { autolaunch.disable() };
    if let Err(error) = switched {
        tracing::warn!(%error, "starting at login could not be switched");
    }
}

/// The settings changed: windows, tray and pages follow.
pub(crate) fn told(app: &AppHandle, shell: &Shell) {
    shell.tell_all(&settings_event(app, shell));
    windows::on_main(app, |app| {
        windows::keep_on_top(app);
        tray::refresh(app);
    });
}

fn fit(window: &WebviewWindow, params: &Value) -> Reply {
    let height = members(params)?.get("height").and_then(Value::as_f64);
    let height = height.filter(|height| (0.0..=100_000.0).contains(height));
    let height =
        height.ok_or_else(|| Refusal::invalid("window.fit: \"height\" must be a number of pixels."))?;
    if window.label() == windows::ASK {
        windows::wish(window.app_handle(), height);
    }
    Ok("null".to_owned())
}

async fn save(window: &WebviewWindow, params: &Value) -> Reply {
    let text = |name: &str| {
        members(params)?
            .get(name)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .ok_or_else(|| Refusal::invalid(format!("window.save: \"{name}\" must be a string.")))
    };
    let (name, text) = (text("name")?, text("text")?);
    let (sender, chosen) = tokio::sync::oneshot::channel();
    let label = window.label().to_owned();
    windows::on_main(window.app_handle(), move |app| {
        platform::choose_file(app.get_webview_window(&label).as_ref(), &name, move |path| {
            let _ = sender.send(path);
        });
    });
    let Ok(Some(path)) = chosen.await else { return Ok("{}".to_owned()) };
    match std::fs::write(&path, text) {
        Ok(()) => Ok(json!({ "path": path.to_string_lossy() }).to_string()),
        Err(error) => {
            let message = format!("{} could not be written: {error}.", path.display());
            Err(Refusal { kind: "storage_unavailable".into(), message, param: None })
        }
    }
}

fn members(params: &Value) -> Result<&Map<String, Value>, Refusal> {
    params.as_object().ok_or_else(|| Refusal::invalid("\"params\" must be an object."))
}
