//! Hinge: a point of body a and a point of body b coincide.
//!
//! ```text
//! g  = d = (x_b + r_b) − (x_a + r_a)                      2 rows, m
//! J  = [ −1  0   r_a.y | 1  0  −r_b.y ]
//!      [  0 −1  −r_a.x | 0  1   r_b.x ]
//! k  = −ω_b² r_b + ω_a² r_a
//! ```
//!
//! Its free coordinate is x = θ_b − θ_a, ẋ = ω_b − ω_a. The code of both is in `joint/rows.rs`.

use super::Equation;
use super::rows::{Arms, coincidence, equal_angles};
use crate::model::body::Frame;
use glam::DVec2;

/// Two points coincide.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
}

impl Hinge {
    #[inline]
    pub(crate) fn equations(&self, a: &Frame, b: &Frame, emit: impl FnMut(Equation)) {
        coincidence(&Arms::new(self.anchors, a, b), emit);
    }

    /// The numbers of x's and of y's row that depend on the pose: g, the third columns of J at a and at b, and k.
    #[inline]
    pub(crate) fn posed(&self, a: &Frame, b: &Frame) -> [[f64; 4]; 2] {
        let Arms { r_a, r_b, d, centripetal: k, .. } = Arms::new(self.anchors, a, b);
        [[d.x, r_a.y, -r_b.y, k.x], [d.y, -r_a.x, r_b.x, k.y]]
    }

    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        equal_angles(0.0, a, b)
    }
}
