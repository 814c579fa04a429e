//! The mass that a spring between two points moves.

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::Frame;

/// The mass that a change of the distance of two points has along a unit vector, kg: `arms` from the centres of mass and `axis`
/// in the world, `w` the inverse masses (1/m, 1/m, 1/I); infinite where nothing can move.
pub fn mass_along(axis: DVec2, arms: [DVec2; 2], w: [DVec3; 2]) -> f64 {
    let mobility = |side: usize| {
        let lever = arms[side].perp_dot(axis);
        w[side].x + w[side].z * lever * lever
    };
    1.0 / (mobility(0) + mobility(1))
}

/// Two points of bodies in the world.
#[derive(Clone, Copy, Debug)]
pub struct Points {
    /// Arms from the centres of mass, in the world's axes, m.
    pub arms: [DVec2; 2],
    /// From the first to the second point, m.
    pub apart: DVec2,
}

impl Points {
    /// Those at anchors from the centres of mass, in the bodies' axes, of two bodies.
    pub fn of(anchors: [DVec2; 2], at: [&Frame; 2]) -> Self {
        let arms = [0, 1].map(|side| at[side].rotation.apply(anchors[side]));
        Self { arms, apart: (at[1].position - at[0].position) + (arms[1] - arms[0]) }
    }
}
