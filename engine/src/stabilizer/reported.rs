//! The rows at the end of a step, evaluated for its report, with which the next step begins.

use super::constraints::Constraints;
use super::held::Held;
use super::motion::Motion;
use crate::model::World;

impl Constraints {
    /// Joints and limits in `world`, for a report on it, and the largest overlap of a contact there, m. The contacts stay as they are.
    pub fn evaluate_report(&mut self, world: &World, motion: &mut Motion, held: &mut Held) -> f64 {
        motion.measured = true;
        self.rows.evaluate_joints(world, &motion.q, &motion.v);
        held.measure(&self.rows, world, &motion.v);
        self.touches.evaluate_bounds(world, self.rows.frames(), &motion.v);
        self.detector.find_overlap(world, self.rows.frames())
    }

    /// All rows, as the first thing that a step does, when q and v are still those with which it began: where these are the motion of the
    /// last report, so are the rows without compliance.
    pub fn evaluate_first(&mut self, world: &World, motion: &mut Motion) {
        if std::mem::take(&mut motion.stands) {
            self.rows.evaluate_where_they_stand(world, &motion.q, &motion.v);
        } else {
            self.evaluate(world, motion);
        }
    }
}
