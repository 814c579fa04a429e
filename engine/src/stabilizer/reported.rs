//! The rows at the end of a step, evaluated for its report. The next step finds them where they are.

use super::constraints::Constraints;
use super::held::Held;
use super::motion::Motion;
use crate::model::World;

impl Constraints {
    /// Joints and limits in `world`, for a report on it, and the largest overlap of a contact there, m. The contacts stay as they are.
    pub fn evaluate_report(&mut self, world: &World, motion: &Motion, held: &mut Held) -> f64 {
        self.rows.evaluate_joints(world, &motion.q, &motion.v);
        held.measure(&self.rows, world, &motion.v);
        self.touches.evaluate_bounds(world, self.rows.frames(), &motion.v);
        self.detector.find_overlap(world, self.rows.frames())
    }
}
