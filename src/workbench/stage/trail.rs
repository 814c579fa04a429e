//! Where the bodies have been: their poses and velocities in the last frames, in bounded memory.

use crate::model::World;
use glam::DVec3;
use std::collections::VecDeque;

/// Most frames that are kept: ten seconds.
const FRAMES: usize = 600;
/// Fewest frames that are kept, however many bodies there are.
const FEWEST: usize = 30;
/// Memory for poses, bytes.
const MEMORY: usize = 4 << 20;

/// The poses of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// Steps made until then.
    pub steps: u64,
    /// Simulation time, s.
    pub time: f64,
    /// (x, y, angle) of each body's centre of mass: m, m, rad.
    pub poses: Vec<DVec3>,
    /// Their rates: m/s, m/s, rad/s.
    pub velocities: Vec<DVec3>,
}

/// The poses of the last frames, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    kept: VecDeque<Past>,
}

impl Trail {
    /// Keeps the poses of a state, and discards those of the same step and of later ones.
    pub fn keep(&mut self, world: &World) {
        let poses: Vec<DVec3> = world.bodies().iter().map(|body| body.pose.coordinates()).collect();
        // Bodies are told apart by their index.
        let fits = |past: &Past| past.steps < world.steps() && past.poses.len() == poses.len();
        while self.kept.back().is_some_and(|last| !fits(last)) {
            self.kept.pop_back();
        }
        let velocities = (0..poses.len()).map(|index| world.velocity_of(index)).collect();
        let room = (MEMORY / (2 * size_of_val(poses.as_slice())).max(1)).clamp(FEWEST, FRAMES);
        while self.kept.len() >= room {
            self.kept.pop_front();
        }
        self.kept.push_back(Past { steps: world.steps(), time: world.time(), poses, velocities });
    }

    /// The frames before the present state of `world`, newest first.
    pub fn before<'a>(&'a self, world: &'a World) -> impl Iterator<Item = &'a Past> {
        self.kept.iter().rev().filter(|past| past.steps < world.steps())
    }
}
