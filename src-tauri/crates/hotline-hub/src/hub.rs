//! The hub: a handle on the ask path, which runs on a thread of its own.
//!
//! That thread holds the queue, the store and the socket's connections, and nothing on it locks or waits
//! for another. Work is staged and committed in ticks (`tick`); other surfaces speak to it from their own threads.

mod deliveries;
mod desk;
mod history;
mod keeper;
mod subscriptions;
#[cfg(test)]
mod tests;
mod tick;
mod waiting;

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use anyhow::{Result, anyhow};
use hotline_core::queue::{Queue, Rules};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinSet};

pub(crate) use desk::Desk;

use crate::caller::{Caller, View};
use crate::socket::{self, Connection, Place};
use crate::store::{self, Found, Store, Write};
use crate::{caller, clock, folders, lock};

/// What a hub needs to know to start.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where its socket is.
    pub socket: PathBuf,
    /// Where its store is.
    pub data_dir: PathBuf,
    /// What the person set.
    pub rules: Rules,
}

/// A running hub. It ends when it is stopped, or with the process.
pub struct Hub {
    stopper: Stopper,
    views: UnboundedSender<(UnixStream, View)>,
    thread: JoinHandle<Result<()>>,
    socket: PathBuf,
}

/// Ends a hub from any thread.
#[derive(Clone)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends it cleanly: askers without a key are told, replies are flushed, the store is closed.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Hub {
    /// Takes the data folder and the socket, takes back what waited, and listens.
    ///
    /// The process's umask should be 077 by now: everything that is made here is the person's alone.
    pub fn start(config: &Config) -> Result<Self> {
        folders::private(&config.data_dir)?;
        let data_lock = lock::take(&config.data_dir.join("hotline.lock"), &config.data_dir)?;
        let place = Place::take(&config.socket)?;
        let (mut store, found) = store::open(&config.data_dir)?;
        let queue = take_back(&mut store, found, config.rules)?;
        let listener = place.listen()?;
        let socket = place.path().to_owned();

        let stopper = Stopper(Arc::default());
        let stopped = Arc::clone(&stopper.0);
        let (views, opened) = unbounded_channel();
        let (started, start) = mpsc::channel();
        let thread = std::thread::Builder::new().name("asks".into()).spawn(move || {
            let _data_lock = data_lock;
            let ran = run(queue, store, &place, listener, &stopped, opened, &started);
            drop(place);
            ran
        })?;
        let hub = Self { stopper, views, thread, socket };
        match start.recv() {
            Ok(()) => Ok(hub),
            Err(_) => match hub.wait() {
                Ok(()) => Err(anyhow!("the hub ended before it started")),
                Err(error) => Err(error),
            },
        }
    }

    /// The socket it listens on.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Opens a connection for a view of ours. It speaks what the socket speaks; only who calls is another.
    pub fn connect(&self, view: View) -> Result<UnixStream> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        self.views.send((ours, view)).map_err(|_| anyhow!("the hub has ended"))?;
        Ok(theirs)
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Waits until it has ended.
    pub fn wait(self) -> Result<()> {
        self.thread.join().map_err(|_| anyhow!("the hub failed; the log says why"))?
    }
}

/// The queue as it was when the hub last ran.
fn take_back(store: &mut Store, found: Found, rules: Rules) -> Result<Queue> {
    let now = clock::now();
    let mut queue = Queue::new(rules, found.next);
    queue.restore_keys(found.keys);
    let ended = queue.restore(found.pending, now);
    let writes: Vec<Write> = ended.into_iter().map(|ended| Write::Ended(ended.into())).collect();
    store.write(&writes).map_err(|failed| anyhow!(failed.error).context("cannot write to the store"))?;
    queue.commit();
    tracing::info!(waiting = queue.len(), ended = writes.len(), "took back what waited");
    Ok(queue)
}

fn run(
    queue: Queue,
    store: Store,
    place: &Place,
    listener: std::os::unix::net::UnixListener,
    stopped: &Notify,
    views: UnboundedReceiver<(UnixStream, View)>,
    started: &mpsc::Sender<()>,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async {
        let person = caller::user_name(rustix::process::geteuid().as_raw());
        let desk = Rc::new(Desk::new(queue, store, place.path(), person)?);
        let listener = tokio::net::UnixListener::from_std(listener)?;
        let mut parts = JoinSet::new();
        let accepting = parts.spawn_local(socket::run(Rc::clone(&desk), listener));
        parts.spawn_local(serve_views(Rc::clone(&desk), views));
        parts.spawn_local(socket::watch(Rc::clone(&desk)));
        parts.spawn_local(tick::run(Rc::clone(&desk)));
        parts.spawn_local(history::run(Rc::clone(&desk)));
        parts.spawn_local(tick::alarms(Rc::clone(&desk)));
        parts.spawn_local(tick::tidies_when_idle(Rc::clone(&desk)));
        let _ = started.send(());
        tokio::select! {
            () = stopped.notified() => {
                accepting.abort();
                desk.shut_down().await
            }
            // None of them ends by itself: without one of them the hub would only seem to run.
            Some(part) = parts.join_next() => Err(failed(part)),
        }
    })
}

/// What to say when a part of the hub ended. A panic is in the log with its place, without its words.
fn failed(part: Result<Result<()>, JoinError>) -> anyhow::Error {
    let why = match part {
        Ok(Ok(())) => anyhow!("it ended"),
        Ok(Err(error)) => error,
        Err(_) => anyhow!("it panicked"),
    };
    tracing::error!(%why, "a part of the hub failed; the hub ends");
    why.context("A part of the hub failed, so it ended. Start it again; its log says more.")
}

async fn serve_views(desk: Rc<Desk>, mut opened: UnboundedReceiver<(UnixStream, View)>) -> Result<()> {
    while let Some((stream, view)) = opened.recv().await {
        match Connection::open(stream, Caller::View(view)) {
            Ok(connection) => {
                let connection = desk.welcome(connection);
                tokio::task::spawn_local(socket::serve(Rc::clone(&desk), connection));
            }
            Err(error) => tracing::error!(%error, "a view could not be served"),
        }
    }
    // The handle is gone; what it started goes on until the hub is stopped.
    std::future::pending().await
}
