//! The windows: Home and the Ask window; what they show, when they are shown, and who has the focus.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{
    AppHandle, LogicalSize, Manager as _, PhysicalPosition, Url, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder, WindowEvent, Wry,
};

use crate::link::{Refusal, lock};
use crate::preferences::Stand;
use crate::shell::Shell;
use crate::{own, platform, quit};

/// The window with everything.
pub(crate) const HOME: &str = "home";
/// The small window for asks that belong to no pane.
pub(crate) const ASK: &str = "ask";

/// The Ask window's width and its height before its page has spoken, in CSS pixels.
const ASK_SIZE: LogicalSize<f64> = LogicalSize::new(560.0, 340.0);
/// The least that the Ask window may be.
const ASK_LEAST: LogicalSize<f64> = LogicalSize::new(360.0, 160.0);
/// How long the Ask window's page may change its mind about its height.
const SETTLES: Duration = Duration::from_millis(60);
/// How much of the screen's height the Ask window takes at most.
const ASK_TALLEST: f64 = 0.8;
/// How far from the screen's corner the Ask window first is, in CSS pixels.
const MARGIN: f64 = 24.0;

/// How long a window has to have been shown before its place is believed.
const STANDS: Duration = Duration::from_secs(1);
/// By how many pixels a window manager's frame may shift a window.
const FRAME: u32 = 40;

/// Runs something on the thread that windows belong to; nothing happens once the app ends.
pub(crate) fn on_main(app: &AppHandle, run: impl FnOnce(&AppHandle) + Send + 'static) {
    let inside = app.clone();
    if let Err(error) = app.run_on_main_thread(move || run(&inside)) {
        tracing::debug!(%error, "the app has no loop any more");
    }
}

/// Opens Home, or raises it.
pub(crate) fn open_home(app: &AppHandle) {
    if let Some(home) = app.get_webview_window(HOME) {
        return platform::raise(&home);
    }
    let built = builder(app, HOME).inner_size(1180.0, 720.0).min_inner_size(720.0, 480.0).build();
    match built {
        Ok(home) => made(app, &home),
        Err(error) => tracing::error!(%error, "Home could not be opened"),
    }
}

/// Makes the Ask window, hidden: it is there when it is needed.
pub(crate) fn make_ask(app: &AppHandle) -> tauri::Result<()> {
    let on_top = lock(&app.state::<Shell>().preferences).choices.ask_on_top;
    let ask = builder(app, ASK)
        .inner_size(ASK_SIZE.width, ASK_SIZE.height)
        .min_inner_size(ASK_LEAST.width, ASK_LEAST.height)
        .always_on_top(on_top)
        .visible(false)
        .focused(false)
        .build()?;
    platform::show_without_focus(&ask);
    made(app, &ask);
    Ok(())
}

/// An ask came: shows the Ask window where it was last, without the focus. While its page shows nothing yet, that
/// page shows it, by saying how high it has to be.
pub(crate) fn ask_came(app: &AppHandle) {
    let shell = app.state::<Shell>();
    shell.is_put_away.store(false, Ordering::Relaxed);
    if shell.fit(ASK).is_some_and(|height| height > 0.0) {
        show_ask(app);
    }
}

/// Shows the Ask window whose page says nothing although something waits: better an odd window than none.
pub(crate) fn show_silent_ask(app: &AppHandle) {
    let shell = app.state::<Shell>();
    if shell.count() > 0 && shell.fit(ASK).is_none() {
        show_ask(app);
    }
}

/// Shows the Ask window, but not where the person closed it, nor over Home while that has the focus: it shows asks too.
fn show_ask(app: &AppHandle) {
    let Some(ask) = app.get_webview_window(ASK) else { return };
    let is_put_away = app.state::<Shell>().is_put_away.load(Ordering::Relaxed);
    let is_in_home = app.get_webview_window(HOME).is_some_and(|home| is_shown(&home) && has_focus(&home));
    if !is_put_away && !is_in_home && !is_shown(&ask) {
        show(app, &ask);
    }
}

/// Shows the Ask window with the focus, at one ask or at the oldest: the person asked for it.
pub(crate) fn open_ask(app: &AppHandle, request_id: Option<&str>) {
    let shell = app.state::<Shell>();
    let waiting = lock(&shell.waiting);
    let asked = waiting.values().find(|asked| request_id.is_none_or(|id| asked.request_id == id));
    let Some(id) = asked.map(|asked| asked.request_id.clone()) else {
        // It was answered meanwhile: Home shows how it ended.
        drop(waiting);
        return open_home(app);
    };
    drop(waiting);
    let Some(ask) = app.get_webview_window(ASK) else { return };
    shell.is_put_away.store(false, Ordering::Relaxed);
    shell.tell(ASK, &own::open_event(&id));
    if !is_shown(&ask) {
        place(app, &ask);
    }
    platform::raise(&ask);
}

/// Hides the Ask window and remembers where it was.
pub(crate) fn hide_ask(app: &AppHandle) {
    let Some(ask) = app.get_webview_window(ASK).filter(is_shown) else { return };
    if let Ok(size) = ask.inner_size() {
        follow_person(app, &ask, size.height);
    }
    warn("hide the Ask window", ask.hide());
}

/// The Ask window's page says how high it has to be; done once it has not changed its mind for a moment, so that
/// the window comes up as it stays, and so that each change starts from where the one before has ended.
pub(crate) fn wish(app: &AppHandle, height: f64) {
    let shell = app.state::<Shell>();
    shell.set_fit(ASK, height);
    let wish = shell.wishes.fetch_add(1, Ordering::Relaxed) + 1;
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SETTLES).await;
        if app.state::<Shell>().wishes.load(Ordering::Relaxed) == wish {
            on_main(&app, move |app| fit_ask(app, height));
        }
    });
}

/// Makes the Ask window that high, its foot where it was, and shows it; at 0 it hides.
fn fit_ask(app: &AppHandle, height: f64) {
    let Some(ask) = app.get_webview_window(ASK) else { return };
    if height <= 0.0 {
        return hide_ask(app);
    }
    let scale = ask.scale_factor().unwrap_or(1.0);
    let screen = ask.current_monitor().ok().flatten().map(|screen| screen.work_area().size.height);
    let tallest = screen.map_or(f64::MAX, |height| f64::from(height) / scale * ASK_TALLEST);
    let Ok(before) = ask.inner_size() else { return };
    let height = height.clamp(ASK_LEAST.height, tallest.max(ASK_LEAST.height));
    let after = LogicalSize::new(f64::from(before.width) / scale, height).to_physical::<u32>(scale);
    if after.height != before.height {
        follow_person(app, &ask, before.height);
        warn("size the Ask window", ask.set_size(after));
        if let Some(place) = stand(app, &ask).filter(|_| is_shown(&ask)) {
            let top = (place.foot - after.height.cast_signed()).max(0);
            warn("move the Ask window", ask.set_position(PhysicalPosition::new(place.left, top)));
        }
    }
    show_ask(app);
}

/// Every window's title begins with the count: a task bar cuts the end.
pub(crate) fn retitle(app: &AppHandle) {
    let title = match app.state::<Shell>().count() {
        0 => "Hotline".to_owned(),
        count => format!("{count} ? · Hotline"),
    };
    for window in app.webview_windows().values() {
        if window.title().is_ok_and(|now| now != title) {
            warn("name a window", window.set_title(&title));
        }
    }
}

/// Keeps the Ask window above others, or not, as the person chose.
pub(crate) fn keep_on_top(app: &AppHandle) {
    let on_top = lock(&app.state::<Shell>().preferences).choices.ask_on_top;
    if let Some(ask) = app.get_webview_window(ASK) {
        warn("keep the Ask window above", ask.set_always_on_top(on_top));
    }
}

/// Whether the person looks at asks already: one of our windows has the focus.
pub(crate) fn is_in_view(app: &AppHandle) -> bool {
    app.webview_windows().values().any(|window| is_shown(window) && has_focus(window))
}

/// Refuses a command from anything but a page of ours in a window of ours.
pub(crate) fn require_own_page(window: &WebviewWindow) -> Result<(), Refusal> {
    let is_own_window = [HOME, ASK].contains(&window.label());
    if is_own_window && window.url().is_ok_and(|url| is_own(&url)) {
        return Ok(());
    }
    let message = "Only the app's own pages may call this.".to_owned();
    Err(Refusal { kind: "forbidden".into(), message, param: None })
}

/// A window that shows the app's own page and leads nowhere else.
fn builder<'a>(app: &'a AppHandle, label: &str) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    WebviewWindowBuilder::new(app, label, WebviewUrl::App(format!("index.html#{label}").into()))
        .title("Hotline")
        .on_navigation(is_own)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .on_page_load(|window, load| {
            // Whatever the page before had open is over, acknowledgements in its hands included.
            if load.event() == PageLoadEvent::Started {
                window.state::<Shell>().forget(window.label());
            }
        })
}

/// What every window gets once it is there.
fn made(app: &AppHandle, window: &WebviewWindow) {
    platform::reload_after_crash(window);
    let handle = app.clone();
    let label = window.label().to_owned();
    window.on_window_event(move |event| match event {
        WindowEvent::CloseRequested { api, .. } => {
            if quit::keeps_open(&handle, &label) {
                api.prevent_close();
            } else if label == ASK {
                api.prevent_close();
                handle.state::<Shell>().is_put_away.store(true, Ordering::Relaxed);
                hide_ask(&handle);
            }
        }
        WindowEvent::Destroyed => handle.state::<Shell>().forget(&label),
        _ => {}
    });
    retitle(app);
}

fn show(app: &AppHandle, ask: &WebviewWindow) {
    place(app, ask);
    warn("show the Ask window", ask.show());
}

/// Puts the hidden Ask window where it will stand.
fn place(app: &AppHandle, ask: &WebviewWindow) {
    *lock(&app.state::<Shell>().shown_at) = Some(Instant::now());
    let (Some(place), Ok(size)) = (stand(app, ask), ask.inner_size()) else { return };
    let top = (place.foot - size.height.cast_signed()).max(0);
    warn("place the Ask window", ask.set_position(PhysicalPosition::new(place.left, top)));
}

/// Where the Ask window stands: its left edge and its foot. Its height changes with every ask, the foot does not.
fn stand(app: &AppHandle, ask: &WebviewWindow) -> Option<Stand> {
    let screens = ask.available_monitors().ok()?;
    let reaches = |place: &Stand| {
        screens.iter().any(|screen| {
            let (at, size) = (screen.position(), screen.size());
            let (right, bottom) = (at.x + size.width.cast_signed(), at.y + size.height.cast_signed());
            (at.x - 200..right - 100).contains(&place.left) && (at.y + 100..=bottom).contains(&place.foot)
        })
    };
    let last = lock(&app.state::<Shell>().preferences).choices.ask_place;
    last.filter(reaches).or_else(|| corner(ask))
}

/// Where the Ask window first stands: at the screen's lower right.
fn corner(ask: &WebviewWindow) -> Option<Stand> {
    let screen = ask.primary_monitor().ok().flatten()?;
    let area = screen.work_area();
    let (scale, from) = (screen.scale_factor(), area.position);
    let own = LogicalSize::new(ASK_SIZE.width + MARGIN, 2.0 * MARGIN).to_physical::<u32>(scale);
    Some(Stand {
        left: from.x + area.size.width.saturating_sub(own.width).cast_signed(),
        foot: from.y + area.size.height.saturating_sub(own.height).cast_signed(),
    })
}

/// Remembers where the person moved the Ask window.
///
/// Only what has stood for a while tells: a window that was just put somewhere still says where it was before.
fn follow_person(app: &AppHandle, ask: &WebviewWindow, height: u32) {
    let shell = app.state::<Shell>();
    let stood = lock(&shell.shown_at).is_some_and(|at| at.elapsed() > STANDS);
    let (true, true, Ok(at), Some(before)) = (stood, is_shown(ask), ask.outer_position(), stand(app, ask))
    else {
        return;
    };
    let now = Stand { left: at.x, foot: at.y + height.cast_signed() };
    // A frame's width is nobody's move.
    if now.left.abs_diff(before.left) > FRAME || now.foot.abs_diff(before.foot) > FRAME {
        let mut preferences = lock(&shell.preferences);
        preferences.choices.ask_place = Some(now);
        preferences.keep();
    }
}

/// Whether a window is on the screen.
pub(crate) fn is_shown(window: &WebviewWindow) -> bool {
    window.is_visible().unwrap_or(false)
}

fn has_focus(window: &WebviewWindow) -> bool {
    window.is_focused().unwrap_or(false)
}

fn warn(what: &str, done: tauri::Result<()>) {
    if let Err(error) = done {
        tracing::warn!(%error, "could not {what}");
    }
}

/// Tells whether an address is the app's own page: Tauri's scheme, or on Windows its host; while the page
/// is worked on, Vite's server.
pub(crate) fn is_own(url: &Url) -> bool {
    match (url.scheme(), url.host_str()) {
        ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => true,
        ("http", Some("localhost")) => cfg!(not(feature = "custom-protocol")) && url.port() == Some(5173),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_no_page_but_its_own() {
        let own = |address: &str| is_own(&address.parse().unwrap());
        assert!(own("tauri://localhost/index.html#ask"));
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
}
