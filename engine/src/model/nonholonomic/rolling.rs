//! Rolling: a disk touches the surface of another body with a point that does not slip.
//!
//! The disk b has the radius ρ about its centre of mass; n is the unit normal of the surface of body a towards the
//! disk, t = −n^⊥ the tangent (to the right where n is up). With d from a's centre of mass to the disk's, the
//! contact point p = x_b − ρ n lies at the arm c = d − ρ n of body a. The material points there have the same
//! velocity along t; since n^⊥ = −t and c×t = −n·c,
//! ```text
//! e = t·(v_b + ω_b (−ρ n)^⊥) − t·(v_a + ω_a c^⊥)
//!   = t·(v_b − v_a) + ρ ω_b + ω_a n·c                      1 row, m/s
//! N = [ −t, n·c | t, ρ ] ,   n·c = n·d − ρ ,   v₀ = 0
//! ```
//! On a fixed line that is t·v + ρ ω = 0. With ṅ = −ψ̇ t, ṫ = ψ̇ n (ψ̇ the rate at which the normal turns),
//! ```text
//! (N v)_q v = ψ̇ n·(v_b − v_a) + ω_a (n·d)˙
//! straight: n fixed in a,  ψ̇ = ω_a ,              (n·d)˙ = n·ḋ − ψ̇ t·d
//! round:    n = D/|D| from the centre of the surface at the arm s of a,  D = d − s ,  Ḋ = ḋ − ω_a s^⊥ ,
//!           ψ̇ = −t·Ḋ/|D| ,                         (n·d)˙ = n·ḋ − ψ̇ t·d
//! ```
//! The equation is imposed whether the disk touches or not: a contact or a joint must keep the disk on the surface.
//! Along a straight line the constraint could be integrated to one on x + ρ θ, but is not.

use super::velocity_equation;
use crate::model::body::Frame;
use crate::model::error::{ModelError, finite_vector, positive};
use crate::model::joint::Equation;
use glam::DVec2;

/// The surface that a disk rolls on, as it is fixed in its body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Surface {
    /// A line; its unit normal towards the disk, in the body's frame.
    Straight(DVec2),
    /// The outside of a circle; its centre relative to the centre of mass, in the body's frame, m.
    Round(DVec2),
}

/// A disk, body b, that rolls on body a without slipping.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rolling {
    /// Radius of the disk about its centre of mass, m.
    pub radius: f64,
    /// The surface on which it rolls.
    pub surface: Surface,
}

impl Rolling {
    #[inline]
    pub(super) fn equation(&self, a: &Frame, b: &Frame) -> Equation {
        let d = b.position - a.position;
        let d_dot = b.linear - a.linear;
        let (n, turning) = match self.surface {
            Surface::Straight(normal) => (a.rotation.apply(normal), a.angular),
            Surface::Round(center) => {
                let s = a.rotation.apply(center);
                let (away, distance) = ((d - s).normalize_or(DVec2::Y), (d - s).length());
                let tangential = -away.perp().dot(d_dot - a.angular * s.perp());
                (away, if distance > 0.0 { -tangential / distance } else { 0.0 })
            }
        };
        let t = -n.perp();
        let lever = n.dot(d) - self.radius;
        let widening = n.dot(d_dot) - turning * t.dot(d);
        let k = turning * n.dot(d_dot) + a.angular * widening;
        velocity_equation((-t).extend(lever), t.extend(self.radius), k)
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        positive("radius", self.radius)?;
        match self.surface {
            Surface::Straight(normal) => positive("length of normal", normal.length()),
            Surface::Round(center) => finite_vector("center of the surface", center),
        }
    }
}
