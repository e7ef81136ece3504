//! What the app holds while it runs: the hub, each window's connection to it, and what waits.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::Result;
use hotline_core::wire::Channel;
use hotline_hub::{Hub, View, start};

use crate::link::{Hear, Link, Refusal, Reply, lock};
use crate::preferences::Preferences;
use crate::waiting::Asked;

/// The app's state. Locks are held for a few lines, never across an await.
pub(crate) struct Shell {
    /// None once the app ends.
    hub: Mutex<Option<Hub>>,
    person: String,
    pages: Mutex<HashMap<String, Page>>,
    /// The asks that wait, by number: oldest first.
    pub(crate) waiting: Mutex<BTreeMap<u64, Asked>>,
    pub(crate) preferences: Mutex<Preferences>,
    /// The person closed the Ask window over what waits; it stays away until something new comes.
    pub(crate) is_put_away: AtomicBool,
    /// When the Ask window was shown last.
    pub(crate) shown_at: Mutex<Option<Instant>>,
    /// How often the Ask window's page said how high it wants to be.
    pub(crate) wishes: AtomicU64,
}

/// What a window's page has open. It goes with the page.
#[derive(Default)]
struct Page {
    link: Option<Arc<Link>>,
    follows: Vec<(Vec<String>, Hear)>,
    /// Who hears the window's own events.
    own: Vec<Hear>,
    /// Own events that came before the page could hear them.
    unheard: Vec<String>,
    /// How high it wants its window, once it said so.
    fit: Option<f64>,
}

impl Shell {
    pub(crate) fn new(hub: Hub, preferences: Preferences) -> Self {
        Self {
            hub: Mutex::new(Some(hub)),
            person: start::person(),
            pages: Mutex::default(),
            waiting: Mutex::default(),
            preferences: Mutex::new(preferences),
            is_put_away: AtomicBool::default(),
            shown_at: Mutex::default(),
            wishes: AtomicU64::default(),
        }
    }

    /// Opens a connection to the hub for a view of that name.
    pub(crate) fn connect(&self, name: &str) -> Result<Link> {
        let hub = lock(&self.hub);
        let hub = hub.as_ref().ok_or_else(|| anyhow::anyhow!("the app is ending"))?;
        let view = View { channel: Channel::Modal, person: self.person.clone(), name: name.to_owned() };
        Ok(Link::open(hub.connect(view)?, name)?)
    }

    /// The connection of a window: both steps to run a command have to come from one.
    pub(crate) fn link(&self, label: &str) -> Result<Arc<Link>, Refusal> {
        let mut pages = lock(&self.pages);
        let page = pages.entry(label.to_owned()).or_default();
        if let Some(link) = page.link.as_ref().filter(|link| !link.is_over()) {
            return Ok(Arc::clone(link));
        }
        let link = self.connect(label).map_err(|error| {
            tracing::error!(%error, label, "a window does not reach the hub");
            Refusal::unreachable()
        })?;
        let link = Arc::new(link);
        for (channels, hear) in &page.follows {
            let _ = link.ask_to_follow(channels, Arc::clone(hear));
        }
        page.link = Some(Arc::clone(&link));
        Ok(link)
    }

    /// Follows channels of the hub for a window.
    pub(crate) async fn follow(&self, label: &str, channels: Vec<String>, hear: Hear) -> Reply {
        let link = self.link(label)?;
        let reply = link.follow(&channels, Arc::clone(&hear)).await?;
        lock(&self.pages).entry(label.to_owned()).or_default().follows.push((channels, hear));
        Ok(reply)
    }

    /// The window's page went: what it had open ends, as if it had hung up.
    pub(crate) fn forget(&self, label: &str) {
        let mut pages = lock(&self.pages);
        let Some(page) = pages.get_mut(label) else { return };
        // What no page has heard yet is for the next one.
        let unheard = std::mem::take(&mut page.unheard);
        let gone = std::mem::replace(page, Page { unheard, ..Page::default() });
        drop(pages);
        drop(gone);
    }

    /// Says something of the app's own to a window's page, as soon as it hears.
    pub(crate) fn tell(&self, label: &str, event: &str) {
        let mut pages = lock(&self.pages);
        let page = pages.entry(label.to_owned()).or_default();
        if page.own.is_empty() {
            page.unheard = vec![event.to_owned()];
        }
        let own = page.own.clone();
        drop(pages);
        own.iter().for_each(|hear| hear(event.to_owned()));
    }

    /// Says something of the app's own to every page that hears.
    pub(crate) fn tell_all(&self, event: &str) {
        let own: Vec<Hear> = lock(&self.pages).values().flat_map(|page| page.own.clone()).collect();
        own.iter().for_each(|hear| hear(event.to_owned()));
    }

    /// Lets a page hear the app's own events; what came before is given back.
    pub(crate) fn hear_own(&self, label: &str, hear: Hear) -> Vec<String> {
        let mut pages = lock(&self.pages);
        let page = pages.entry(label.to_owned()).or_default();
        page.own.push(hear);
        std::mem::take(&mut page.unheard)
    }

    /// How high a window's page wants it, once it said so.
    pub(crate) fn fit(&self, label: &str) -> Option<f64> {
        lock(&self.pages).get(label).and_then(|page| page.fit)
    }

    /// See [`Self::fit`].
    pub(crate) fn set_fit(&self, label: &str, height: f64) {
        lock(&self.pages).entry(label.to_owned()).or_default().fit = Some(height);
    }

    /// How many asks wait.
    pub(crate) fn count(&self) -> usize {
        lock(&self.waiting).len()
    }

    /// Ends the hub: askers without a key are told, replies are flushed.
    pub(crate) fn end(&self) -> Result<()> {
        let Some(hub) = lock(&self.hub).take() else { return Ok(()) };
        hub.stopper().stop();
        hub.wait()
    }
}
