//! Which asks wait on which surface: an intrusive list each, so that one surface never pays for another.

use std::collections::HashMap;
use std::sync::Arc;

use super::entry::{Entry, Slot, Slots};

/// A surface's place; stable while an ask of it waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SurfaceSlot(u32);

struct Surface {
    /// Empty where it is free.
    name: Arc<str>,
    oldest: Option<Slot>,
    newest: Option<Slot>,
}

#[derive(Default)]
pub(super) struct Surfaces {
    by_name: HashMap<Arc<str>, SurfaceSlot>,
    surfaces: Vec<Surface>,
    free: Vec<SurfaceSlot>,
}

impl Surfaces {
    /// The asks of one surface, oldest first.
    pub(super) fn of<'a>(
        &'a self,
        name: &str,
        slots: &'a Slots,
    ) -> impl Iterator<Item = &'a Entry> + use<'a> {
        let oldest = self.by_name.get(name).and_then(|surface| self.surfaces[surface.0 as usize].oldest);
        let entry = move |slot: &Slot| slots[*slot].newer;
        std::iter::successors(oldest, entry).map(|slot| &slots[slot])
    }

    /// Puts a new ask at the end of its surface.
    pub(super) fn append(&mut self, name: &str, slot: Slot, slots: &mut Slots) {
        let place = match self.by_name.get(name) {
            Some(place) => *place,
            None => self.open(name),
        };
        let newest = self.surface(place).newest;
        let entry = &mut slots[slot];
        (entry.surface, entry.older, entry.newer) = (place, newest, None);
        self.relink(slot, slots);
    }

    /// Takes an ask out; the ask keeps its own neighbours, for [`Self::relink`].
    pub(super) fn unlink(&mut self, slot: Slot, slots: &mut Slots) {
        let (older, newer, place) = neighbours(slot, slots);
        match older {
            Some(older) => slots[older].newer = newer,
            None => self.surface(place).oldest = newer,
        }
        match newer {
            Some(newer) => slots[newer].older = older,
            None => self.surface(place).newest = older,
        }
    }

    /// Puts an ask back between the neighbours that it had.
    pub(super) fn relink(&mut self, slot: Slot, slots: &mut Slots) {
        let (older, newer, place) = neighbours(slot, slots);
        match older {
            Some(older) => slots[older].newer = Some(slot),
            None => self.surface(place).oldest = Some(slot),
        }
        match newer {
            Some(newer) => slots[newer].older = Some(slot),
            None => self.surface(place).newest = Some(slot),
        }
    }

    /// Frees a surface on which nothing waits any more.
    pub(super) fn forget_if_empty(&mut self, place: SurfaceSlot) {
        let surface = &mut self.surfaces[place.0 as usize];
        if surface.oldest.is_none() && !surface.name.is_empty() {
            let name = std::mem::take(&mut surface.name);
            self.by_name.remove(&name);
            self.free.push(place);
        }
    }

    fn open(&mut self, name: &str) -> SurfaceSlot {
        let name: Arc<str> = name.into();
        let surface = Surface { name: Arc::clone(&name), oldest: None, newest: None };
        let place = match self.free.pop() {
            Some(place) => {
                self.surfaces[place.0 as usize] = surface;
                place
            }
            None => {
                self.surfaces.push(surface);
                SurfaceSlot(u32::try_from(self.surfaces.len() - 1).expect("fewer surfaces than asks"))
            }
        };
        self.by_name.insert(name, place);
        place
    }

    fn surface(&mut self, place: SurfaceSlot) -> &mut Surface {
        &mut self.surfaces[place.0 as usize]
    }
}

fn neighbours(slot: Slot, slots: &Slots) -> (Option<Slot>, Option<Slot>, SurfaceSlot) {
    let entry = &slots[slot];
    (entry.older, entry.newer, entry.surface)
}
