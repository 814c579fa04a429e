//! How far is looked for contacts, by the distance or by the motion of the pieces.

use super::pair::Pair;
use super::shapes::Leaf;
use crate::model::{Frame, Piece};

/// Which contacts are found: those with φ ≤ max(distance, travel · u), where u = |v_a − v_b| + |ω_a| R_a + |ω_b| R_b
/// bounds the speed at which the two pieces approach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// ε̂, m.
    pub distance: f64,
    /// s; 0 looks at the distance alone.
    pub travel: f64,
}

impl Reach {
    /// What is within either.
    pub(super) fn or(&self, other: &Self) -> Self {
        Self { distance: self.distance.max(other.distance), travel: self.travel.max(other.travel) }
    }
}

/// The pair's reach, m.
#[inline]
pub(super) fn margin(reach: &Reach, leaves: [&Leaf; 2], frames: &[Frame]) -> f64 {
    if reach.travel == 0.0 {
        return reach.distance.max(0.0);
    }
    let [a, b] = leaves.map(|leaf| &frames[leaf.body as usize]);
    let apart = || (a.position - b.position).length();
    // Points of a half plane that are farther from its body's centre than all points of the other body do not matter.
    let [r_a, r_b] = [leaves[0].radius, leaves[1].radius];
    let r_a = if r_a.is_finite() { r_a } else { apart() + r_b };
    let r_b = if r_b.is_finite() { r_b } else { apart() + r_a };
    let speed = (a.linear - b.linear).length() + a.angular.abs() * r_a + b.angular.abs() * r_b;
    reach.distance.max(reach.travel * speed)
}

impl Pair<'_> {
    /// Whether one piece is a half plane from which the other is farther than `margin`, m, and than what rounding could change.
    pub(super) fn is_above(&self, margin: f64) -> bool {
        /// Share of the lengths involved that rounding stays far below.
        const ROUNDED: f64 = 1e-9;
        let above = |plane: usize| {
            if self.leaves[plane].radius.is_finite() {
                return false;
            }
            let Piece::HalfPlane { normal, offset } = self.piece(plane) else { return false };
            let (ground, body) = (self.frame(plane), self.frame(1 - plane));
            let apart = body.position - ground.position;
            let height = ground.rotation.apply(*normal).dot(apart) - offset - self.leaves[1 - plane].radius;
            let lengths = body.position.length() + ground.position.length() + offset.abs() + height.abs();
            height > margin + ROUNDED * lengths
        };
        above(0) || above(1)
    }
}
