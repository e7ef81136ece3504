//! Holds the store, lends it to one tick at a time, and to a helper thread that folds its log in.
//!
//! A checkpoint takes long enough to be felt, so it never runs on the ask path's thread: ticks wait for the
//! store meanwhile, and everything that needs none goes on.

use std::cell::{Cell, RefCell, RefMut};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use tokio::sync::{Notify, oneshot};

use crate::store::{NotWritten, Store, Write};

/// How long after the last write the log is folded in.
const IDLE: Duration = Duration::from_secs(2);

/// A checkpoint to make.
struct Errand {
    store: Store,
    floor: u64,
    empties: bool,
    back: oneshot::Sender<Store>,
}

/// Makes checkpoints on a thread of its own until the keeper is gone.
fn helper() -> Result<mpsc::Sender<Errand>> {
    let (sender, errands) = mpsc::channel::<Errand>();
    let work = move || {
        for Errand { mut store, floor, empties, back } in errands {
            if let Err(error) = store.checkpoint(floor, empties) {
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
            // Nothing runs between the look and this, so no return of the store is missed; and a return
            // wakes only those who wait, so none is left over to be taken for a later one.
            self.is_back.notified().await;
        }
    }

    /// Whether it is all written down. What is not did not happen, and the log says why.
    ///
    /// An error where even that is not sure: what failed might come back with the next start.
    pub(super) fn write(&self, store: &mut Store, writes: &[Write]) -> Result<bool> {
        match store.write(writes) {
            Ok(()) if writes.is_empty() => {}
            Ok(()) => {
                self.writes.set(self.writes.get() + 1);
                self.wrote.notify_one();
            }
            Err(NotWritten { error, is_sure: true }) => {
                tracing::error!(%error, "the store cannot be written");
                return Ok(false);
            }
            Err(NotWritten { error, is_sure: false }) => {
                return Err(anyhow!(error).context("the store failed in the middle of a write"));
            }
        }
        Ok(true)
    }

    /// Folds the log in, and `empties` it; `floor` is where a start has to look from.
    pub(super) async fn checkpoint(&self, floor: u64, empties: bool) -> Result<()> {
        let Some(store) = self.store.borrow_mut().take() else { return Ok(()) };
        let (back, returned) = oneshot::channel();
        let sent = self.helper.send(Errand { store, floor, empties, back });
        sent.map_err(|_| anyhow!("the checkpoint thread is gone"))?;
        let store = returned.await.context("the checkpoint thread failed, and the store with it")?;
        *self.store.borrow_mut() = Some(store);
        self.is_back.notify_waiters();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store;

    async fn checkpoints_that_nobody_waits_for_and_one_that_somebody_does(keeper: &Keeper) {
        keeper.checkpoint(1, true).await.unwrap();
        keeper.checkpoint(1, true).await.unwrap();
        // The first has the store by the time that the second looks for it.
        let looks = async { keeper.store().await.is_dirty() };
        let (folded, is_dirty) = tokio::join!(keeper.checkpoint(1, true), looks);
        folded.unwrap();
        assert!(!is_dirty);
    }

    #[test]
    fn the_store_comes_back_to_whoever_waits_for_it_after_checkpoints_that_nobody_waited_for() {
        // On a thread of its own: what spins ends no test.
        let (done, is_done) = mpsc::channel();
        std::thread::spawn(move || {
            let folder = tempfile::tempdir().unwrap();
            let keeper = Keeper::new(store::open(folder.path()).unwrap().0).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            for _ in 0..10 {
                runtime.block_on(checkpoints_that_nobody_waits_for_and_one_that_somebody_does(&keeper));
            }
            done.send(()).unwrap();
        });
        is_done.recv_timeout(Duration::from_secs(30)).unwrap();
    }
}
