//! Bodies on the way to where an assembly has put them: what is drawn for a moment, so that one sees where they went.

use crate::model::{BodyId, World};
use glam::DVec3;

/// Real seconds that the way takes.
const LASTS: f64 = 0.7;

/// Where bodies came from.
#[derive(Clone, Debug)]
pub struct Transit {
    from: Vec<(BodyId, DVec3)>,
    passed: f64,
}

impl Transit {
    /// From the poses of that world.
    pub fn from(world: &World) -> Self {
        let poses = world.bodies().iter().map(|body| body.pose.coordinates());
        Self { from: world.body_ids().iter().copied().zip(poses).collect(), passed: 0.0 }
    }

    /// So many real seconds pass; returns whether the bodies are still on their way.
    pub fn pass(&mut self, seconds: f64) -> bool {
        self.passed += seconds;
        self.passed < LASTS
    }

    /// `world` with its bodies on their way.
    pub fn shown(&self, world: &World) -> World {
        let part = (self.passed / LASTS).clamp(0.0, 1.0);
        // It begins and ends slowly.
        let part = part * part * (3.0 - 2.0 * part);
        let mut shown = world.clone();
        for (id, from) in &self.from {
            let Some(to) = world.body(*id).map(|body| body.pose.coordinates()) else { continue };
            let moved = shown.edit_body(*id, |body| body.pose = from.lerp(to, part).into());
            debug_assert!(moved.is_ok(), "{moved:?}");
        }
        shown
    }
}
