//! Hinge: a point of body a and a point of body b coincide.
//!
//! ```text
//! g  = d = (x_b + r_b) − (x_a + r_a)                      2 rows, m
//! ```
//!
//! Its free coordinate is x = θ_b − θ_a, ẋ = ω_b − ω_a. J and k of both are in `rows.rs`.

use super::Equation;
use super::arms::Arms;
use super::rows::{coincidence, equal_angles};
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
    pub(super) fn equations(&self, a: &Frame, b: &Frame, emit: impl FnMut(Equation)) {
        coincidence(&Arms::new(self.anchors, a, b), emit);
    }

    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        equal_angles(0.0, a, b)
    }
}
