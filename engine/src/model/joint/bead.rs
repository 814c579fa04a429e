//! Bead: a point of body b on a curve fixed in body a, a bead on a wire if a stands still, the follower of a cam if a turns.
//!
//! With ξ = Rᵀd the place of the point in the curve's frame, R = R_a R(α), d from the curve's origin to the point, G = R ∇g, and
//! g of `curve.rs`:
//!
//! ```text
//! g(ξ) = 0                                                1 row, m
//! ġ = G·(ḋ − ω_a d^⊥)
//! J = [ −G, −(r_a + d)×G | G, r_b×G ]
//! k = G·(−ω_b² r_b + ω_a² r_a − 2 ω_a ḋ^⊥ − ω_a² d) + ξ̇ᵀ(∂²g)ξ̇ ,   ξ̇ = Rᵀ(ḋ − ω_a d^⊥)
//! ```
//!
//! A bead on both sides of a wire cannot leave it. One that the curve holds from one side can: g ≥ 0 outside or above, g ≤ 0
//! inside or below, a unilateral row as that of a limit, without friction and rebound.

use super::curve::{Curve, Level};
use super::hinge::Arms;
use super::{Equation, Unit};
use crate::math::Rotation;
use crate::model::body::Frame;
use glam::DVec2;

/// On which side of a curve a bead may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// On the curve: g = 0.
    #[default]
    On,
    /// On it, outside or above: g ≥ 0.
    Outside,
    /// On it, inside or below: g ≤ 0.
    Inside,
}

/// A point of body b on a curve of body a.
///
/// ```
/// use driftlab::model::joint::{Bead, Curve, Side};
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let wire = world.add_body(Body::fixed())?;
/// let bead = world.add_body(Body::dynamic().at([1.0, 0.0]).mass_and_inertia(1.0, 1.0))?;
/// world.add_joint(Joint::bead(wire, bead, Curve::Circle { radius: 1.0 }).anchors([0.0, 0.0], [1.0, 0.0]))?;
/// step(&mut world, &Method::rattle(), 1e-2, &mut Workspace::default())?;
/// assert!((world[bead].pose.position.length() - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bead {
    /// The curve's origin on body a, and the point of body b, relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// The curve.
    pub curve: Curve,
    /// α, the angle of the curve's first axis in the frame of body a, rad.
    pub angle: f64,
    /// On which side of the curve the point may be.
    pub side: Side,
}

impl Bead {
    /// The bounds of g where the curve acts from one side.
    pub fn bounds(&self) -> Option<[f64; 2]> {
        match self.side {
            Side::On => None,
            Side::Outside => Some([0.0, f64::INFINITY]),
            Side::Inside => Some([f64::NEG_INFINITY, 0.0]),
        }
    }

    /// g of the point with its derivatives, whichever side it is on.
    #[inline]
    pub fn equation(&self, a: &Frame, b: &Frame) -> Equation {
        let Arms { r_a, r_b, d, d_dot, centripetal } = Arms::new(self.anchors, a, b);
        let own = Rotation::from_angle(self.angle);
        let out = |own_axes: DVec2| a.rotation.apply(own.apply(own_axes));
        let into = |world_axes: DVec2| own.inverse_apply(a.rotation.inverse_apply(world_axes));
        let rate = a.angular;
        let Level { g, gradient, second } = self.curve.level(into(d), into(d_dot - rate * d.perp()));
        let normal = out(gradient);
        Equation {
            g,
            ja: (-normal).extend(-(r_a + d).perp_dot(normal)),
            jb: normal.extend(r_b.perp_dot(normal)),
            k: normal.dot(centripetal - 2.0 * rate * d_dot.perp() - rate * rate * d) + second,
            unit: Unit::Metre,
        }
    }
}
