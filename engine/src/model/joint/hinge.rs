//! Hinge: a point of body a and a point of body b coincide. The equations of two points that coincide, and of two
//! bodies that keep their relative angle, serve the other joints, too.
//!
//! ```text
//! g  = d = (x_b + r_b) − (x_a + r_a)                      2 rows, m
//! ġ  = v_b + ω_b r_b^⊥ − v_a − ω_a r_a^⊥
//! J  = [ −1  0   r_a.y | 1  0  −r_b.y ]
//!      [  0 −1  −r_a.x | 0  1   r_b.x ]
//! k  = −ω_b² r_b + ω_a² r_a
//!
//! g  = θ_b − θ_a − θ₀                                     1 row, rad
//! ġ  = ω_b − ω_a
//! J  = [ 0  0  −1 | 0  0  1 ]
//! k  = 0
//! ```
//!
//! The free coordinate of the hinge is x = θ_b − θ_a, ẋ = ω_b − ω_a.

use super::{Equation, Unit};
use crate::model::body::Frame;
use glam::{DVec2, DVec3};

/// Two points coincide.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let wall = world.add_body(Body::fixed())?;
/// let bar = world.add_body(Body::dynamic().at([1.0, 0.0]).shape(Shape::rectangle(2.0, 0.1)))?;
/// // At a point of the world, or by anchors from the centres of mass.
/// let hinge = world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]))?;
/// assert_eq!(world[hinge].kind, JointKind::Hinge(Hinge { anchors: [DVec2::ZERO, DVec2::new(-1.0, 0.0)] }));
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hinge {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
}

impl Hinge {
    #[inline]
    pub(crate) fn equations(&self, a: &Frame, b: &Frame, emit: impl FnMut(Equation)) {
        coincidence(&Arms::new(self.anchors, a, b), emit);
    }

    /// The numbers of both rows that depend on pose and velocity, as [`Arms::rows`] gives them.
    #[inline]
    pub(crate) fn posed(&self, a: &Frame, b: &Frame) -> [[f64; 4]; 2] {
        Arms::new(self.anchors, a, b).rows()
    }

    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        equal_angles(0.0, a, b)
    }
}

/// Two anchors in world axes, with d and ḋ = ġ; `centripetal` is k of the file's head.
pub(super) struct Arms {
    pub r_a: DVec2,
    pub r_b: DVec2,
    pub d: DVec2,
    pub d_dot: DVec2,
    pub centripetal: DVec2,
}

impl Arms {
    #[inline]
    pub fn new([anchor_a, anchor_b]: [DVec2; 2], a: &Frame, b: &Frame) -> Self {
        let r_a = a.rotation.apply(anchor_a);
        let r_b = b.rotation.apply(anchor_b);
        Self {
            r_a,
            r_b,
            d: (b.position - a.position) + (r_b - r_a),
            d_dot: (b.linear - a.linear) + (b.angular * r_b.perp() - a.angular * r_a.perp()),
            centripetal: a.angular * a.angular * r_a - b.angular * b.angular * r_b,
        }
    }

    /// The numbers of x's and of y's row of d that depend on pose and velocity: g, the third columns of J at a and at b, and k.
    #[inline]
    fn rows(&self) -> [[f64; 4]; 2] {
        let Self { r_a, r_b, d, centripetal: k, .. } = self;
        [[d.x, r_a.y, -r_b.y, k.x], [d.y, -r_a.x, r_b.x, k.y]]
    }
}

/// The two rows g = d of the hinge and the weld.
#[inline]
pub(super) fn coincidence(arms: &Arms, mut emit: impl FnMut(Equation)) {
    let [[g_x, a_x, b_x, k_x], [g_y, a_y, b_y, k_y]] = arms.rows();
    let unit = Unit::Metre;
    let (ja, jb) = (DVec3::new(-1.0, 0.0, a_x), DVec3::new(1.0, 0.0, b_x));
    emit(Equation { g: g_x, ja, jb, k: k_x, unit });
    let (ja, jb) = (DVec3::new(0.0, -1.0, a_y), DVec3::new(0.0, 1.0, b_y));
    emit(Equation { g: g_y, ja, jb, k: k_y, unit });
}

/// The row g = θ_b − θ_a − θ₀ of the weld and the slider; with θ₀ = 0 the free coordinate of the hinge.
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
