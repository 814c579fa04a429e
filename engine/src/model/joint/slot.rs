//! Slot: a point of body b stays on an axis fixed in body a, and may turn about it: a pin in a slot. With a suspension it is a
//! wheel: a spring and a damper hold the point along the axis.
//!
//! With u = R_a u₀ the axis and w = u^⊥ its normal, d from the anchor of a to that of b, and `slider.rs` for J and k of both:
//!
//! ```text
//! g = w·d = 0                                             1 row, m
//! x = u·d                                                 free, m:     limits; the motor of a slot
//! θ = θ_b − θ_a                                           free, rad:   the motor of a wheel
//! f = −k x − c ẋ   along u                                suspension:  a compliant row (`model/spring.rs`)
//! ```
//!
//! The spring carries no force where the anchors coincide, so that a wheel under the load m g sinks by m g/k. Other engines call
//! this a line joint or a wheel joint [Box2D: `b2WheelJoint`].

use super::Equation;
use super::hinge::equal_angles;
use super::slider::Slider;
use crate::model::body::Frame;
use crate::model::spring::Softness;
use glam::{DVec2, DVec3};

/// A point of body b on an axis of body a, free to turn; sprung if it is a wheel's.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -10.0]);
/// let car = world.add_body(Body::fixed().at([0.0, 1.0]))?;
/// let wheel = world.add_body(Body::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.3)).mass_and_inertia(2.0, 0.1))?;
/// // A spring that the wheel's weight of 20 N stretches by 5 mm.
/// world.add_joint(Joint::wheel(car, wheel, [0.0, 1.0], 4000.0, 200.0))?;
/// for _ in 0..1000 {
///     step(&mut world, &Method::implicit(), 1e-3, &mut Workspace::default())?;
/// }
/// assert!((world[wheel].pose.position.y - 0.495).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slot {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// Unit vector of the axis in the frame of body a.
    pub axis: DVec2,
    /// The spring along the axis that makes it a wheel.
    pub suspension: Option<Softness>,
}

impl Slot {
    #[inline]
    pub(super) fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        emit(self.as_slider().along(a.rotation.apply(self.axis).perp(), a, b));
    }

    /// x, along the axis.
    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        self.as_slider().coordinate(a, b)
    }

    /// What the motor drives: x of a slot, θ of a wheel.
    #[inline]
    pub(super) fn driven(&self, a: &Frame, b: &Frame) -> Equation {
        if self.suspension.is_some() { equal_angles(0.0, a, b) } else { self.coordinate(a, b) }
    }

    /// The mass that the axis moves of two bodies at these frames, with the inverse masses `w` (1/m, 1/m, 1/I): 1/(J M⁻¹Jᵀ), kg.
    pub fn moved_mass(&self, [a, b]: [&Frame; 2], w: [DVec3; 2]) -> f64 {
        let x = self.coordinate(a, b);
        1.0 / (x.ja.dot(w[0] * x.ja) + x.jb.dot(w[1] * x.jb))
    }

    fn as_slider(&self) -> Slider {
        Slider { anchors: self.anchors, axis: self.axis, reference_angle: 0.0 }
    }
}
