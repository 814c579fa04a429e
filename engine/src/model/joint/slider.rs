//! Slider: a point of body b stays on an axis fixed in body a, and the bodies keep their relative angle.
//!
//! Along a unit vector u that turns with body a, w = u^⊥, so that u̇ = ω_a w and ẇ = −ω_a u:
//! ```text
//! x  = u·d                                                1 row, m
//! ẋ  = u·ḋ + ω_a w·d
//! J  = [ −u, −r_a×u + w·d | u, r_b×u ]
//! k  = u·(−ω_b² r_b + ω_a² r_a) + 2 ω_a w·ḋ − ω_a² u·d
//! ```
//! The axis is t = R_a t₀. g₁ is x along its normal t^⊥, g₂ = θ_b − θ_a − θ₀ (1 row, rad) is in `hinge.rs`, and the
//! free coordinate is x along t.

use super::hinge::{Arms, equal_angles};
use super::{Equation, Unit};
use crate::model::body::Frame;
use glam::DVec2;

/// One body slides along an axis of the other without turning.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let rail = world.add_body(Body::fixed())?;
/// let cart = world.add_body(Body::dynamic().shape(Shape::rectangle(1.0, 0.5)).velocity([2.0, 0.0]))?;
/// world.add_joint(Joint::slider(rail, cart, [1.0, 0.0]).limits(-5.0, 5.0))?;
/// step(&mut world, &Method::projection(), 0.5, &mut Workspace::default())?;
/// assert_eq!(world[cart].pose.position, DVec2::X); // it does not fall
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slider {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// Unit vector of the axis in the frame of body a.
    pub axis: DVec2,
    /// The angle θ_b − θ_a that is kept, rad.
    pub reference_angle: f64,
}

impl Slider {
    #[inline]
    pub(super) fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        emit(self.along(a.rotation.apply(self.axis).perp(), a, b));
        emit(equal_angles(self.reference_angle, a, b));
    }

    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        self.along(a.rotation.apply(self.axis), a, b)
    }

    /// The displacement along a unit vector that turns with body a.
    #[inline]
    pub(super) fn along(&self, u: DVec2, a: &Frame, b: &Frame) -> Equation {
        let Arms { r_a, r_b, d, d_dot, centripetal } = Arms::new(self.anchors, a, b);
        let w = u.perp();
        let rate = a.angular;
        Equation {
            g: u.dot(d),
            ja: (-u).extend(-r_a.perp_dot(u) + w.dot(d)),
            jb: u.extend(r_b.perp_dot(u)),
            k: u.dot(centripetal) + 2.0 * rate * w.dot(d_dot) - rate * rate * u.dot(d),
            unit: Unit::Metre,
        }
    }
}
