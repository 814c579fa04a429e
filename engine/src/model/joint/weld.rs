//! Weld: two points coincide and the bodies keep their relative angle.
//!
//! ```text
//! g  = (d, θ_b − θ_a − θ₀)                                3 rows, m, m, rad
//! ```
//!
//! J and k of each row are in `hinge.rs`.

use super::Equation;
use super::hinge::{Arms, coincidence, equal_angles};
use crate::model::body::Frame;
use glam::DVec2;

/// Two bodies move as one.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let [a, b] = [0.0, 1.0].map(|x| world.add_body(Body::dynamic().at([x, 0.0]).shape(Shape::rectangle(1.0, 1.0))));
/// let weld = world.add_joint(Joint::weld(a?, b?))?;
/// assert_eq!(world[weld].kind.rows(), 3);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weld {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// The angle θ_b − θ_a that is kept, rad.
    pub reference_angle: f64,
}

impl Weld {
    #[inline]
    pub(super) fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        coincidence(&Arms::new(self.anchors, a, b), &mut emit);
        emit(equal_angles(self.reference_angle, a, b));
    }
}
