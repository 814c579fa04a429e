//! What is watched: a body, a joint, a spring or a contact, in all runs.

use super::Model;
use crate::scene::window::{KINDS, READINGS, Watch};
use crate::workbench::watched::{Reading, Watchable};

impl Model {
    /// What is watched, if the world still has it.
    pub fn watched(&self) -> Option<Watchable> {
        self.runs.watched.filter(|watched| watched.exists(self.run().world()))
    }

    /// Lets all runs record what is watched from now on.
    pub(crate) fn watch(&mut self) {
        let watched = self.watched();
        self.runs.comparison.watch(watched, &self.runs.stepping);
    }

    /// What is watched, as a file says it.
    pub(super) fn watch_in_files(&self) -> Option<Watch> {
        let (watched, world) = (self.watched()?, self.run().world());
        let readings = watched.readings(world);
        let named = |place: usize| READINGS.into_iter().find(|key| *key == readings[place].key);
        let (kind, places) = match watched {
            Watchable::Body(id) => (0, [world.index_of(id)?, 0]),
            Watchable::Joint(id) => (1, [world.joint_ids().binary_search(&id).ok()?, 0]),
            Watchable::Spring(id) => (2, [world.spring_ids().binary_search(&id).ok()?, 0]),
            Watchable::Contact([a, b]) => (3, [world.index_of(a)?, world.index_of(b)?]),
            Watchable::Pair([a, b]) => (4, [world.index_of(a)?, world.index_of(b)?]),
        };
        let reading = named(self.shown.plot.reading(readings))?;
        Some(Watch {
            kind: KINDS[kind],
            places,
            reading,
            over: self.shown.plot.over(readings).and_then(named),
        })
    }

    /// Watches what a file says, which has been checked against its world.
    pub(super) fn take_watch(&mut self, watch: Option<Watch>) {
        let Some(Watch { kind, places: [a, b], reading, over }) = watch else { return };
        let world = self.run().world();
        let body = |place| world.id_of(place);
        let watched = match KINDS.iter().position(|own| *own == kind) {
            Some(0) => body(a).map(Watchable::Body),
            Some(1) => world.joint_ids().get(a).map(|id| Watchable::Joint(*id)),
            Some(2) => world.spring_ids().get(a).map(|id| Watchable::Spring(*id)),
            Some(3) => body(a).zip(body(b)).map(|(a, b)| Watchable::Contact([a, b])),
            _ => body(a).zip(body(b)).map(|(a, b)| Watchable::Pair([a, b])),
        };
        let Some(watched) = watched else { return };
        let readings = watched.readings(world);
        let place = |key: &str| readings.iter().position(|own: &Reading| own.key == key);
        let (reading, over) = (place(reading), over.and_then(place));
        self.runs.watched = Some(watched);
        self.shown.plot.reading = reading.unwrap_or(self.shown.plot.reading);
        self.shown.plot.phase = over;
    }
}
