//! What a step writes into its world before it knows whether the world has too many contacts there, to be taken back then.

use crate::model::{Pose, Velocity, World};

/// The state of a world that a step is about to write into.
pub(super) struct Before {
    time: f64,
    steps: u64,
    bodies: Vec<(Pose, Velocity)>,
    forces: Vec<[f64; 3]>,
}

impl Before {
    /// What `world` is before it is written into.
    pub fn of(world: &World) -> Self {
        let bodies = world.bodies().iter().map(|body| (body.pose, body.velocity)).collect();
        let forces = world.joints().iter().map(|joint| joint.force).collect();
        Self { time: world.time, steps: world.steps, bodies, forces }
    }

    /// Takes back what has been written.
    pub fn restore(self, world: &mut World) {
        let Self { time, steps, bodies, forces } = self;
        (world.time, world.steps) = (time, steps);
        for (body, before) in world.bodies_mut().iter_mut().zip(bodies) {
            (body.pose, body.velocity) = before;
        }
        world.joints_mut().iter_mut().zip(forces).for_each(|(joint, force)| joint.force = force);
    }
}
