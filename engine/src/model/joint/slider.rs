//! Slider: a point of body b stays on an axis fixed in body a, and the bodies keep their relative angle.
//!
//! With the axis t = R_a t₀ and its normal n = t^⊥, so that ṫ = ω_a n and ṅ = −ω_a t:
//! ```text
//! g₁ = n·d                                                1 row, m
//! ġ₁ = n·ḋ − ω_a t·d
//! J₁ = [ −n, −r_a×n − t·d | n, r_b×n ]
//! k₁ = n·(−ω_b² r_b + ω_a² r_a) − 2 ω_a t·ḋ − ω_a² n·d
//! g₂ = θ_b − θ_a − θ₀                                     1 row, rad (`hinge.rs`)
//! ```
//!
//! The free coordinate of the slider is the displacement along the axis, with the same t and n:
//! ```text
//! x  = t·d
//! ẋ  = t·ḋ + ω_a n·d ,   J = [ −t, −r_a×t + n·d | t, r_b×t ]
//! k  = t·(−ω_b² r_b + ω_a² r_a) + 2 ω_a n·ḋ − ω_a² t·d
//! ```

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
        let Arms { r_a, r_b, d, d_dot, centripetal } = Arms::new(self.anchors, a, b);
        let t = a.rotation.apply(self.axis);
        let n = t.perp();
        let w = a.angular;
        emit(Equation {
            g: n.dot(d),
            ja: (-n).extend(-r_a.perp_dot(n) - t.dot(d)),
            jb: n.extend(r_b.perp_dot(n)),
            k: n.dot(centripetal) - 2.0 * w * t.dot(d_dot) - w * w * n.dot(d),
            unit: Unit::Metre,
        });
        emit(equal_angles(self.reference_angle, a, b));
    }

    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        let Arms { r_a, r_b, d, d_dot, centripetal } = Arms::new(self.anchors, a, b);
        let t = a.rotation.apply(self.axis);
        let n = t.perp();
        let w = a.angular;
        Equation {
            g: t.dot(d),
            ja: (-t).extend(-r_a.perp_dot(t) + n.dot(d)),
            jb: t.extend(r_b.perp_dot(t)),
            k: t.dot(centripetal) + 2.0 * w * n.dot(d_dot) - w * w * t.dot(d),
            unit: Unit::Metre,
        }
    }
}
