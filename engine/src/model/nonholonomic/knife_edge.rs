//! Knife edge: a point of a body moves along a blade fixed in the body, never across it.
//!
//! With r the arm of the point and n = R n₀ the normal of the blade, n₀ its axis turned by +90°, so that
//! ṙ = ω r^⊥ and ṅ = ω n^⊥, and n^⊥·r^⊥ = n·r:
//! ```text
//! e         = n·(v + ω r^⊥)                                1 row, m/s
//! N         = [ n, r×n ]                                   v₀ = 0
//! (N v)_q v = ω n^⊥·v + ω² n^⊥·r^⊥ − ω² n·r = ω n^⊥·v
//! ```
//! A skate, a plough, the wheel of a trolley. It does no work: λ n·(v + ω r^⊥) = 0.

use super::velocity_equation;
use crate::model::body::Frame;
use crate::model::error::{ModelError, finite_vector, positive};
use crate::model::joint::Equation;
use glam::{DVec2, DVec3};

/// A blade fixed in a body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KnifeEdge {
    /// Where the blade is, relative to the centre of mass, in the body's frame, m.
    pub anchor: DVec2,
    /// Unit vector along the blade, in the body's frame.
    pub axis: DVec2,
}

impl KnifeEdge {
    #[inline]
    pub(super) fn equation(&self, b: &Frame) -> Equation {
        let r = b.rotation.apply(self.anchor);
        let n = b.rotation.apply(self.axis).perp();
        velocity_equation(DVec3::ZERO, n.extend(r.perp_dot(n)), b.angular * n.perp().dot(b.linear))
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("anchor of the knife edge", self.anchor)?;
        positive("length of axis", self.axis.length())
    }
}
