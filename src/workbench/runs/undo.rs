//! What a person has changed, to be undone and redone across play: each change with the moment in which it was made.
//!
//! Undoing a change goes back to its moment; the moment that is left is kept in its place, so that redoing the change
//! returns there. A list of changes undone to its beginning gives the first state bit for bit, and redone to its end the last.

use super::comparison::{Comparison, ForkId, Moment};
use crate::method::Method;
use crate::model::World;
use crate::workbench::engine::Stepping;

/// Most changes that are kept, and most memory for their moments, bytes.
const MOST: usize = 400;
const MEMORY: usize = 64 << 20;

/// What makes two changes one: the same press of a button, or the same stroke on the stage. A point of the stability
/// map sets two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// A control, since the press at that time of the window, s.
    Control(f64),
    /// The stroke of that number.
    Stroke(u64),
}

/// A change.
#[derive(Clone, Debug)]
pub struct Change {
    /// What was done, in words.
    pub label: String,
    gesture: Option<Gesture>,
    /// The fork that changed places with the main run, if that is what was done.
    promoted: Option<ForkId>,
    /// The number of this change among those that build, if it builds.
    work: Option<u64>,
    /// The moment that undoing or redoing it leads to.
    moment: Moment,
}

impl Change {
    /// Simulation time of the moment to which undoing or redoing it leads, s.
    pub fn time(&self) -> f64 {
        self.moment.time()
    }
}

/// The last change of how a run is stepped, or of its world.
pub struct Choice<'a> {
    /// Its place in the list: the number of changes that stand once it is undone.
    pub place: usize,
    /// Whether it has built.
    pub builds: bool,
    /// The run's method at its moment.
    pub method: &'a Method,
    /// The run's time step then, s.
    pub h: f64,
    /// The run's world then.
    pub world: &'a World,
}

/// The changes that can be undone and redone.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// Changes so far that build.
    built: u64,
}

impl Undo {
    /// The changes, oldest first.
    pub fn done(&self) -> &[Change] {
        &self.done
    }

    /// The changes that were undone, the next to be redone last.
    pub fn undone(&self) -> &[Change] {
        &self.undone
    }

    /// What has been built, as a number that is the same when the same changes stand.
    pub fn work(&self) -> u64 {
        self.done.iter().rev().find_map(|change| change.work).unwrap_or(0)
    }

    /// Whether a change by this gesture belongs to the last one.
    pub fn goes_on(&self, gesture: Option<Gesture>) -> bool {
        gesture.is_some()
            && self.undone.is_empty()
            && self.done.last().is_some_and(|last| last.gesture == gesture)
    }

    /// Something was changed at that moment, by building or otherwise; what was undone before can no longer be redone.
    pub fn did(
        &mut self,
        label: String,
        gesture: Option<Gesture>,
        promoted: Option<ForkId>,
        builds: bool,
        moment: Moment,
    ) {
        self.undone.clear();
        self.built += u64::from(builds);
        let work = builds.then_some(self.built);
        self.done.push(Change { label, gesture, promoted, work, moment });
        let size = |changes: &[Change]| changes.iter().map(|change| change.moment.size()).sum::<usize>();
        while self.done.len() > 1 && (self.done.len() > MOST || size(&self.done) > MEMORY) {
            self.done.remove(0);
        }
    }

    /// The last change after which a run (none: the main one) has another method, time step or world.
    pub fn last_choice(&self, runs: &Comparison, of: Option<ForkId>) -> Option<Choice<'_>> {
        let run = runs.run(of)?;
        let mut of = of;
        let mut after = (run.method(), run.time_step());
        for (place, change) in self.done.iter().enumerate().rev() {
            // The two have exchanged their places.
            if change.promoted.is_some() && (of.is_none() || of == change.promoted) {
                of = if of.is_none() { change.promoted } else { None };
            }
            let (world, method, h) = change.moment.of(of)?;
            let builds = change.work.is_some();
            if builds || (method, h) != after {
                return Some(Choice { place, builds, method, h, world });
            }
            after = (method, h);
        }
        None
    }

    /// Undoes the last change; returns what it was.
    pub fn undo(&mut self, runs: &mut Comparison, stepping: &Stepping) -> Option<String> {
        let change = self.done.pop()?;
        let label = change.label.clone();
        self.undone.push(exchange(change, runs, stepping));
        Some(label)
    }

    /// Redoes the change that was undone last; returns what it was.
    pub fn redo(&mut self, runs: &mut Comparison, stepping: &Stepping) -> Option<String> {
        let change = self.undone.pop()?;
        let label = change.label.clone();
        self.done.push(exchange(change, runs, stepping));
        Some(label)
    }

    /// Forgets everything: another scene was opened.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Goes to the moment of a change, which keeps the one that was left.
fn exchange(change: Change, runs: &mut Comparison, stepping: &Stepping) -> Change {
    let left = runs.moment();
    if let Some(fork) = change.promoted {
        runs.promote(fork);
    }
    runs.return_to(&change.moment, stepping);
    Change { moment: left, gesture: None, ..change }
}
