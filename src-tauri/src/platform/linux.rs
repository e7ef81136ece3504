//! What only Linux knows: its dialogs, its tray hosts, its web view, its bus.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use gtk::glib;
use gtk::prelude::*;
use tauri::WebviewWindow;
use webkit2gtk::WebViewExt as _;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;
use zbus::blocking::connection::Builder;
use zbus::blocking::fdo::DBusProxy;
use zbus::names::BusName;

/// Who shows icons on a desktop of today.
const WATCHER: &str = "org.kde.StatusNotifierWatcher";
/// How long anybody on the bus may take to answer.
const ANSWERS: Duration = Duration::from_secs(2);
/// How often a page that crashes is loaded again within [`CRASHES_WITHIN`], before that is left to the person.
const CRASHES: u32 = 5;
/// See [`CRASHES`].
const CRASHES_WITHIN: Duration = Duration::from_secs(60);

/// Whether windows can be opened: there is a display, and it lets us in.
pub(crate) fn has_display() -> bool {
    gtk::init().is_ok()
}

/// Keeps a window that is shown from taking the focus: it comes up, and the person goes on typing elsewhere.
pub(crate) fn show_without_focus(window: &WebviewWindow) {
    match window.gtk_window() {
        Ok(window) => window.set_focus_on_map(false),
        Err(error) => tracing::warn!(%error, "the Ask window may take the focus"),
    }
}

/// Brings a window up with the focus, because the person asked for it.
pub(crate) fn raise(window: &WebviewWindow) {
    let Ok(window) = window.gtk_window() else { return };
    // The one that never takes the focus by itself takes it now.
    let takes_focus = window.gets_focus_on_map();
    window.set_focus_on_map(true);
    window.show_all();
    window.deiconify();
    window.present_with_time(now_of_display(&window));
    window.set_focus_on_map(takes_focus);
}

/// The X server's own time. With the time of the person's last act in a window of ours, which GTK would take, a
/// window manager may keep the focus where the person was later; a click on the tray or a notification is later still.
fn now_of_display(window: &impl IsA<gtk::Widget>) -> u32 {
    let surface = window.window().and_then(|window| window.downcast::<gdkx11::X11Window>().ok());
    surface.map_or(gtk::gdk::ffi::GDK_CURRENT_TIME.cast_unsigned(), |surface| {
        gdkx11::functions::x11_get_server_time(&surface)
    })
}

/// Loads a page again whose process was killed or crashed. It comes back unarmed: nothing of it was kept in there.
pub(crate) fn reload_after_crash(window: &WebviewWindow) {
    let label = window.label().to_owned();
    let hooked = window.with_webview(move |view| {
        let crashes = Cell::new((0, Instant::now()));
        view.inner().connect_web_process_terminated(move |view, reason| {
            let (count, since) = crashes.get();
            let fresh = since.elapsed() > CRASHES_WITHIN;
            let (count, since) = if fresh { (1, Instant::now()) } else { (count + 1, since) };
            crashes.set((count, since));
            tracing::warn!(label, ?reason, count, "the page's process ended");
            if count <= CRASHES {
                view.reload();
            }
        });
    });
    if let Err(error) = hooked {
        tracing::warn!(%error, "a page that crashes will stay away");
    }
}

/// Asks the person yes or no, outside all windows; `yes` runs where they chose that. Anything else is a no.
pub(crate) fn ask(title: &str, text: &str, yes: &str, no: &str, then: impl FnOnce() + 'static) {
    let buttons = [(no, gtk::ResponseType::Cancel), (yes, gtk::ResponseType::Accept)];
    let dialog = message(gtk::MessageType::Question, title, text, &buttons);
    dialog.set_default_response(gtk::ResponseType::Cancel);
    when_answered(&dialog, move |answer| {
        if answer == gtk::ResponseType::Accept {
            then();
        }
    });
}

/// Tells the person something, and goes on once they have read it.
pub(crate) fn tell(title: &str, text: &str, close: &str, then: impl FnOnce() + 'static) {
    let buttons = [(close, gtk::ResponseType::Close)];
    let dialog = message(gtk::MessageType::Error, title, text, &buttons);
    when_answered(&dialog, move |_| then());
}

fn message(
    kind: gtk::MessageType,
    title: &str,
    text: &str,
    buttons: &[(&str, gtk::ResponseType)],
) -> gtk::MessageDialog {
    let dialog = gtk::MessageDialog::new(
        None::<&gtk::Window>,
        gtk::DialogFlags::empty(),
        kind,
        gtk::ButtonsType::None,
        title,
    );
    dialog.set_title(title);
    dialog.set_secondary_text(Some(text));
    for (label, answer) in buttons {
        dialog.add_button(label, *answer);
    }
    dialog.set_position(gtk::WindowPosition::Center);
    dialog.set_keep_above(true);
    dialog.set_skip_taskbar_hint(false);
    dialog
}

fn when_answered(dialog: &gtk::MessageDialog, then: impl FnOnce(gtk::ResponseType) + 'static) {
    let then = Cell::new(Some(then));
    dialog.connect_response(move |dialog, answer| {
        dialog.close();
        if let Some(then) = then.take() {
            then(answer);
        }
    });
    dialog.show_all();
    dialog.present();
}

/// Lets the person choose where to write a file.
pub(crate) fn choose_file(
    window: Option<&WebviewWindow>,
    name: &str,
    then: impl FnOnce(Option<PathBuf>) + 'static,
) {
    let parent = window.and_then(|window| window.gtk_window().ok());
    let chooser =
        gtk::FileChooserNative::new(None, parent.as_ref(), gtk::FileChooserAction::Save, None, None);
    chooser.set_current_name(name);
    chooser.set_do_overwrite_confirmation(true);
    // The chooser lives as long as somebody holds it: this closure does, until it was answered.
    let held = Rc::new(RefCell::new(Some(chooser.clone())));
    let then = Cell::new(Some(then));
    chooser.connect_response(move |chooser, answer| {
        let path = (answer == gtk::ResponseType::Accept).then(|| chooser.filename()).flatten();
        held.take();
        if let Some(then) = then.take() {
            then(path);
        }
    });
    chooser.show();
}

/// The next morning at six, in milliseconds since the epoch: a pause from late in the evening lasts the night.
pub(crate) fn tomorrow_ms() -> u64 {
    let tomorrow = || {
        let day = glib::DateTime::now_local()?.add_days(1)?;
        let morning = glib::DateTime::from_local(day.year(), day.month(), day.day_of_month(), 6, 0, 0.0)?;
        Ok::<_, glib::BoolError>(morning.to_unix())
    };
    match tomorrow() {
        Ok(seconds) => u64::try_from(seconds).unwrap_or_default() * 1000,
        Err(_) => crate::preferences::now_ms() + 24 * 3_600_000,
    }
}

/// Whether something shows notifications, and answers. May take [`ANSWERS`].
pub(crate) fn notifications_answer() -> bool {
    let answer = || {
        let bus = Builder::session()?.method_timeout(ANSWERS).build()?;
        let name = "org.freedesktop.Notifications";
        bus.call_method(Some(name), "/org/freedesktop/Notifications", Some(name), "GetServerInformation", &())
    };
    answer().is_ok()
}

/// Whether something on this desktop shows tray icons.
pub(crate) struct TrayHost {
    has_watcher: Arc<AtomicBool>,
}

impl TrayHost {
    /// Follows who comes and goes on the bus, on a thread of its own.
    pub(crate) fn watch() -> Self {
        let has_watcher = Arc::<AtomicBool>::default();
        let seen = Arc::clone(&has_watcher);
        let followed = thread::Builder::new().name("tray-host".into()).spawn(move || {
            if let Err(error) = follow_watcher(&seen) {
                tracing::info!(%error, "no session bus tells of a tray");
            }
            seen.store(false, Ordering::Relaxed);
        });
        if let Err(error) = followed {
            tracing::warn!(%error, "tray hosts cannot be followed");
        }
        Self { has_watcher }
    }

    /// Whether one is there now: on the bus, or as X knew it before.
    pub(crate) fn is_there(&self) -> bool {
        self.has_watcher.load(Ordering::Relaxed) || has_x_tray()
    }
}

fn follow_watcher(seen: &AtomicBool) -> zbus::Result<()> {
    let bus = Builder::session()?.method_timeout(ANSWERS).build()?;
    let proxy = DBusProxy::new(&bus)?;
    let changes = proxy.receive_name_owner_changed_with_args(&[(0, WATCHER)])?;
    seen.store(proxy.name_has_owner(BusName::try_from(WATCHER)?)?, Ordering::Relaxed);
    for change in changes {
        seen.store(change.args()?.new_owner().is_some(), Ordering::Relaxed);
    }
    Ok(())
}

/// Whether an X program owns the selection of system trays.
fn has_x_tray() -> bool {
    if env::var_os("DISPLAY").is_none() {
        return false;
    }
    let owner = || {
        let (x, screen) = x11rb::connect(None).ok()?;
        let name = format!("_NET_SYSTEM_TRAY_S{screen}");
        let atom = x.intern_atom(false, name.as_bytes()).ok()?.reply().ok()?.atom;
        let owner = x.get_selection_owner(atom).ok()?.reply().ok()?.owner;
        x.flush().ok()?;
        Some(owner)
    };
    owner().is_some_and(|owner| owner != x11rb::NONE)
}
