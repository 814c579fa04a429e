//! Playing a recording back: its states as worlds, at its own times and between them.
//!
//! Between two lines poses and velocities are interpolated linearly, to be drawn; errors and energies are those of the lines
//! alone.

use super::{Recording, RecordingProblem};
use crate::model::{Pose, Velocity, World};
use std::ops::Range;

impl Recording {
    /// Times of the beginning and of the last step, s.
    pub fn span(&self) -> [f64; 2] {
        let begin = self.scene().world.time();
        [begin, self.times().last().copied().unwrap_or(begin)]
    }

    /// The shortest time between two lines, s; none of a single one.
    pub fn shortest_interval(&self) -> Option<f64> {
        let intervals = self.times().windows(2).map(|pair| pair[1] - pair[0]);
        intervals.filter(|interval| *interval > 0.0).min_by(f64::total_cmp)
    }

    /// The steps that end after `from` and up to `to`, s.
    pub fn between(&self, from: f64, to: f64) -> Range<usize> {
        let first = self.times().partition_point(|time| *time <= from);
        first..self.times().partition_point(|time| *time <= to).max(first)
    }

    /// The world after a step, with its clock at the step's time; contacts are not part of it.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn world(&mut self, place: usize) -> Result<World, Vec<RecordingProblem>> {
        let before = match place.checked_sub(1) {
            Some(before) => Some(self.step(before)?.0),
            None => None,
        };
        let (step, stretch) = self.step(place)?;
        let mut stretch = stretch.clone();
        // Somebody who came with this line was not there before, and began where the scene of that moment has him.
        let before = before.filter(|_| stretch.first < place);
        stretch.place(&step, before.as_ref());
        Ok(stretch.world)
    }

    /// The world at a time, s, interpolated between the steps before and after it; before the first one the world of the first
    /// line, behind the last one that of the last.
    ///
    /// # Errors
    /// What is wrong with one of the lines.
    pub fn world_at(&mut self, time: f64) -> Result<World, Vec<RecordingProblem>> {
        let after = self.times().partition_point(|own| *own <= time);
        let mut world = match after.checked_sub(1) {
            Some(before) => self.world(before)?,
            None => self.scene().world.clone(),
        };
        if after < self.times().len() {
            let to = self.world(after)?;
            let [from, until] = [world.time(), to.time()];
            let share = if until > from { ((time - from) / (until - from)).clamp(0.0, 1.0) } else { 0.0 };
            // Where somebody comes or goes, the state before holds until then.
            let both = to.body_ids().iter().filter_map(|id| Some((*id, world.body(*id)?, to.body(*id)?)));
            let moved: Vec<_> = both
                .map(|(id, a, b)| {
                    let q = a.pose.coordinates().lerp(b.pose.coordinates(), share);
                    let v = a.velocity.coordinates().lerp(b.velocity.coordinates(), share);
                    let pose = Pose { position: q.truncate(), angle: q.z };
                    (id, pose, Velocity { linear: v.truncate(), angular: v.z })
                })
                .collect();
            if moved.len() == world.bodies().len() && world.bodies().len() == to.bodies().len() {
                // Both states are finite, and so is what lies between them.
                let _placed = world.place_bodies(&moved);
            }
        }
        let _set = world.set_time(time);
        Ok(world)
    }
}
