//! What is recorded of the body that a person watches.

use crate::experiment::Run;
use crate::model::World;

/// Number of the figures.
pub const WATCHED: usize = 7;

/// Figures of one body after a step: position of the centre of mass x, y (m), angle (rad), speed (m/s), angular velocity (rad/s), kinetic
/// energy (J), and the size of the sum of all forces on it over the step (N). What is not known is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched(pub [f64; WATCHED]);

impl Default for Watched {
    fn default() -> Self {
        Self([f64::NAN; WATCHED])
    }
}

impl Watched {
    /// Of the body of that index in a state that no step has led to.
    pub fn of(world: &World, index: usize) -> Self {
        let Some(body) = world.bodies().get(index) else { return Self::default() };
        let (pose, velocity) = (body.pose.coordinates(), world.velocity_of(index));
        let mass = body.mass_properties();
        let (speed, turning) = (velocity.truncate().length(), velocity.z);
        let energy = if body.is_dynamic() {
            0.5 * (mass.mass * speed * speed + mass.inertia * turning * turning)
        } else {
            f64::NAN
        };
        Self([pose.x, pose.y, pose.z, speed, turning, energy, f64::NAN])
    }

    /// After the step that `run` has just made.
    pub fn after(run: &Run, index: usize) -> Self {
        let mut watched = Self::of(run.world(), index);
        let change = run.momentum_changes().get(index).copied();
        // m a = M Δv / h, the sum of all forces.
        let is_moved = run.world().bodies().get(index).is_some_and(|body| body.is_dynamic());
        let force = change.filter(|_| is_moved).map(|change| change.truncate().length() / run.time_step());
        watched.0[WATCHED - 1] = force.unwrap_or(f64::NAN);
        watched
    }
}
