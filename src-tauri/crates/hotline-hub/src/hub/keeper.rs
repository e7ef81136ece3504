//! Holds the store, lends it to one tick at a time, and to a helper thread that folds its log in.
//!
//! A checkpoint takes long enough to be felt, so it never runs on the ask path's thread: ticks wait for the
//! store meanwhile, and everything that needs none goes on.

use std::cell::{Cell, RefCell, RefMut};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use tokio::sync::{Notify, oneshot};

use crate::store::{Store, Write};

/// How long after the last write the log is folded in.
const IDLE: Duration = Duration::from_secs(2);

/// A checkpoint to make.
struct Errand {
    store: Store,
    floor: u64,
    back: oneshot::Sender<Store>,
}

/// Makes checkpoints on a thread of its own until the keeper is gone.
fn helper() -> Result<mpsc::Sender<Errand>> {
    let (sender, errands) = mpsc::channel::<Errand>();
    let work = move || {
        for Errand { mut store, floor, back } in errands {
            if let Err(error) = store.checkpoint(floor) {
                tracing::warn!(%error, "the store's log could not be folded in; tried again later");
            }
            let _ = back.send(store);
        }
    };
    std::thread::Builder::new().name("checkpoint".into()).spawn(work)?;
    Ok(sender)
}

/// The store, or its absence.
pub(super) struct Keeper {
    /// None while the helper has it.
    store: RefCell<Option<Store>>,
    is_back: Notify,
    helper: mpsc::Sender<Errand>,
    wrote: Notify,
    writes: Cell<u64>,
}

impl Keeper {
    pub(super) fn new(store: Store) -> Result<Self> {
        Ok(Self {
            store: RefCell::new(Some(store)),
            is_back: Notify::new(),
            helper: helper()?,
            wrote: Notify::new(),
            writes: Cell::new(0),
        })
    }

    /// The store, once the helper does not have it.
    pub(super) async fn store(&self) -> RefMut<'_, Store> {
        loop {
            if let Ok(store) = RefMut::filter_map(self.store.borrow_mut(), Option::as_mut) {
                return store;
            }
            self.is_back.notified().await;
            // Whoever else waits for it.
            self.is_back.notify_one();
        }
    }

    /// Whether it is all written down. What is not is in the log, and did not happen.
    pub(super) fn write(&self, store: &mut Store, writes: &[Write]) -> bool {
        let written = store.write(writes);
        if let Err(error) = &written {
            tracing::error!(%error, "the store cannot be written");
        } else if !writes.is_empty() {
            self.writes.set(self.writes.get() + 1);
            self.wrote.notify_one();
        }
        written.is_ok()
    }

    /// Folds the log in; `floor` is where a start has to look from.
    pub(super) async fn checkpoint(&self, floor: u64) -> Result<()> {
        let Some(store) = self.store.borrow_mut().take() else { return Ok(()) };
        let (back, returned) = oneshot::channel();
        let sent = self.helper.send(Errand { store, floor, back });
        sent.map_err(|_| anyhow!("the checkpoint thread is gone"))?;
        let store = returned.await.context("the checkpoint thread failed, and the store with it")?;
        *self.store.borrow_mut() = Some(store);
        self.is_back.notify_one();
        Ok(())
    }

    /// Waits until something was written and then nothing for a while; an idle hub never wakes.
    pub(super) async fn is_idle(&self) {
        self.wrote.notified().await;
        loop {
            let before = self.writes.get();
            tokio::time::sleep(IDLE).await;
            if self.writes.get() == before {
                return;
            }
        }
    }
}
