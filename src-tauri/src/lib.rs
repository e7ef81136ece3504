//! The desktop window: puts the parts of the app together and runs it. Read this first.
//!
//! - [`shell`]: what the app holds: the hub, each window's connection to it, what waits;
//! - [`commands`] and [`link`]: the bridge from a page to the hub; [`own`]: what only the window can be asked;
//! - [`windows`]: Home and the Ask window; [`tray`], [`notify`], [`quit`]: the rest that a person sees;
//! - [`waiting`]: follows the hub for all of these; [`preferences`]: what was chosen in the window;
//! - [`platform`]: what each system does in its own way, one file a system.

mod commands;
mod link;
mod notify;
mod own;
mod platform;
mod preferences;
mod quit;
mod shell;
#[cfg(test)]
mod tests;
mod tray;
mod waiting;
mod windows;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use hotline_core::words::fill;

use hotline_hub::start::{self, EX_SOFTWARE, EX_TEMPFAIL, EX_UNAVAILABLE, Options};
use hotline_hub::{Busy, Hub, folders};
use preferences::Preferences;
use shell::Shell;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tauri::{AppHandle, Context, Manager as _, RunEvent};
use tauri_plugin_window_state::StateFlags;

/// Opens no window at the start: what the system is told when the app is to start with the session.
const BACKGROUND: &str = "--background";

/// Hotline: agents ask, you answer. The hub with its windows; a second start raises the first.
#[derive(Parser)]
#[command(name = "hotline", version, max_term_width = 100)]
pub struct Program {
    #[command(flatten)]
    options: Options,
    /// Open no window; wait in the tray
    #[arg(long)]
    background: bool,
}

/// Runs the app until the person quits.
pub fn run(program: Program) -> ExitCode {
    if !platform::has_display() {
        let message = "hotline: no display can be opened, so there is nowhere to show a window. hotlined runs without one.";
        let _ = writeln!(std::io::stderr(), "{message}");
        return ExitCode::from(EX_UNAVAILABLE);
    }
    let app = tauri::Builder::default()
        // First, so that a second start ends here, before it touches anything.
        .plugin(tauri_plugin_single_instance::init(|app, arguments, _folder| {
            if !arguments.iter().any(|argument| argument == BACKGROUND) {
                windows::on_main(app, windows::open_home);
            }
        }))
        .plugin(tauri_plugin_autostart::Builder::new().app_name("Hotline").arg(BACKGROUND).build())
        .plugin(tauri_plugin_notification::init())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
                .with_denylist(&[windows::ASK])
                .build(),
        )
        .invoke_handler(tauri::generate_handler![commands::call, commands::subscribe])
        .setup(move |app| {
            match start::start(&program.options) {
                Ok(hub) => open(app.handle(), hub, program.background)?,
                Err(error) => say_why_not(app.handle(), &error),
            }
            Ok(())
        })
        .build(context());
    let app = match app {
        Ok(app) => app,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "hotline: {error}");
            return ExitCode::from(EX_SOFTWARE);
        }
    };
    let handle = app.handle().clone();
    let status = app.run_return(|app, event| match event {
        // Windows come and go; the app ends when it is told to.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => windows::hide_ask(app),
        _ => {}
    });
    let ended = handle.try_state::<Shell>().map_or(Ok(()), |shell| shell.end());
    match ended {
        Ok(()) => ExitCode::from(u8::try_from(status).unwrap_or(EX_SOFTWARE)),
        Err(error) => ExitCode::from(start::failed("hotline", &error)),
    }
}

/// The hub runs: opens everything around it.
fn open(app: &AppHandle, hub: Hub, in_background: bool) -> Result<()> {
    let handle = app.clone();
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if signals.forever().next().is_some() {
            handle.exit(0);
        }
    })?;
    app.manage(Shell::new(hub, Preferences::read(&folders::config()?)));
    tray::make(app);
    windows::make_ask(app).context("the Ask window could not be made")?;
    if !in_background {
        windows::open_home(app);
    }
    // Kept with the app: what it tells ends with it.
    app.manage(waiting::follow(app, &app.state::<Shell>())?);
    Ok(())
}

/// The hub did not start: says so where the person looks, and ends.
fn say_why_not(app: &AppHandle, error: &anyhow::Error) {
    let status = start::failed("hotline", error);
    let language = Preferences::read(&folders::config().unwrap_or_default()).language();
    let words = language.words();
    let (title, text) = match error.downcast_ref::<Busy>() {
        Some(busy) => {
            let pid = busy.owner.trim_start_matches("pid ");
            (fill(words.tray.other_hub, &[("pid", &pid)]), words.tray.other_hub_hint.to_owned())
        }
        None => (words.tray.not_started.to_owned(), format!("{error:#}")),
    };
    let quits = app.clone();
    platform::tell(&title, &text, words.common.close, move || quits.exit(status.into()));
    debug_assert!(status == EX_TEMPFAIL || status == EX_SOFTWARE);
}

/// What was compiled in: the configuration, the capabilities, the page and the icon.
fn context() -> Context {
    tauri::generate_context!()
}
