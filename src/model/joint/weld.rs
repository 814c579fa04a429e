//! Weld: two points coincide and the bodies keep their relative angle.
//!
//! ```text
//! g  = (d, θ_b − θ_a − θ₀)                                3 rows, m, m, rad
//! ġ, J, k of the first two rows as for the hinge;
//! ġ₃ = ω_b − ω_a,  J₃ = [0 0 −1 | 0 0 1],  k₃ = 0
//! ```

use super::arms::Arms;
use super::hinge::coincidence;
use super::{Equation, Unit};
use crate::model::body::Frame;
use glam::{DVec2, DVec3};

/// Two bodies move as one.
#[derive(Clone, Debug, PartialEq)]
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

/// The row g = θ_b − θ_a − θ₀, also used by the slider.
#[inline]
pub(super) fn equal_angles(reference_angle: f64, a: &Frame, b: &Frame) -> Equation {
    Equation {
        g: b.angle - a.angle - reference_angle,
        ja: DVec3::new(0.0, 0.0, -1.0),
        jb: DVec3::new(0.0, 0.0, 1.0),
        k: 0.0,
        unit: Unit::Radian,
    }
}
