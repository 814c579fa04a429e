//! Builders of bodies and constraints. Points and directions are given in the world and resolved when the item is
//! added.

mod body;
mod constraints_between;

pub use body::BodyBuilder;
pub use constraints_between::{JointBuilder, NonholonomicBuilder, SpringBuilder};

use super::body::Body;
use glam::DVec2;

/// The two points that a constraint joins.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Anchors {
    /// Points in the world as the bodies stand when the constraint is added, m.
    World([DVec2; 2]),
    /// Points in the bodies' frames, in which their shapes are placed, m.
    Body([DVec2; 2]),
}

impl Anchors {
    /// Relative to the centres of mass, in the bodies' axes, m.
    fn resolve(self, bodies: [&Body; 2]) -> [DVec2; 2] {
        let [a, b] = bodies;
        match self {
            Self::World([on_a, on_b]) => [a.anchor_at(on_a), b.anchor_at(on_b)],
            Self::Body([on_a, on_b]) => {
                [on_a - a.mass_properties().center, on_b - b.mass_properties().center]
            }
        }
    }
}

/// Distance in the world of two anchors that are given relative to the centres of mass, m.
fn distance(anchors: [DVec2; 2], bodies: [&Body; 2]) -> f64 {
    let [a, b] = [0, 1].map(|end| {
        let Body { pose, .. } = bodies[end];
        pose.position + crate::math::Rotation::from_angle(pose.angle).apply(anchors[end])
    });
    a.distance(b)
}
