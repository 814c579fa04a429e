//! Hinge: a point of body a and a point of body b coincide.
//!
//! ```text
//! g  = d = (x_b + r_b) − (x_a + r_a)                      2 rows, m
//! ġ  = v_b + ω_b r_b^⊥ − v_a − ω_a r_a^⊥
//! J  = [ −1  0   r_a.y | 1  0  −r_b.y ]
//!      [  0 −1  −r_a.x | 0  1   r_b.x ]
//! k  = −ω_b² r_b + ω_a² r_a
//! ```
//!
//! Its free coordinate is x = θ_b − θ_a, ẋ = ω_b − ω_a, as in the weld's third row.

use super::arms::Arms;
use super::weld::equal_angles;
use super::{Equation, Unit};
use crate::model::body::Frame;
use glam::{DVec2, DVec3};

/// Two points coincide.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
}

impl Hinge {
    #[inline]
    pub(super) fn equations(&self, a: &Frame, b: &Frame, emit: impl FnMut(Equation)) {
        coincidence(&Arms::new(self.anchors, a, b), emit);
    }

    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        equal_angles(0.0, a, b)
    }
}

/// The two rows g = d, also used by the weld.
#[inline]
pub(super) fn coincidence(arms: &Arms, mut emit: impl FnMut(Equation)) {
    let Arms { r_a, r_b, d, centripetal, .. } = arms;
    emit(Equation {
        g: d.x,
        ja: DVec3::new(-1.0, 0.0, r_a.y),
        jb: DVec3::new(1.0, 0.0, -r_b.y),
        k: centripetal.x,
        unit: Unit::Metre,
    });
    emit(Equation {
        g: d.y,
        ja: DVec3::new(0.0, -1.0, -r_a.x),
        jb: DVec3::new(0.0, 1.0, r_b.x),
        k: centripetal.y,
        unit: Unit::Metre,
    });
}
