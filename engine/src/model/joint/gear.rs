//! Gear: the coordinates of two joints turn, or move, in a fixed ratio.
//!
//! ```text
//! g  = x₁ + ρ x₂ − c                                      1 row, the unit of x₁
//! ġ  = ẋ₁ + ρ ẋ₂
//! J  = [ ∂x₁/∂q | ρ ∂x₂/∂q ]                              over the two bodies of each joint, up to four
//! k  = k₁ + ρ k₂
//! ```
//!
//! x is the angle θ_b − θ_a of a hinge or a wheel (rad) or the displacement along a slider or a slot (m) with its J and k, as the
//! joint has it for a motor (`hinge.rs`, `slider.rs`, `slot.rs`). Two hinges are two wheels in mesh with ρ = r₂/r₁, or on one
//! belt with −r₂/r₁; a slider and a hinge are rack and pinion, ρ in m/rad. Angles are those of the bodies, which are not
//! reduced to one turn, so that g has no jump.
//!
//! A body that both joints have is in the row once, with the sum of its two J.

use super::{Equation, JointKind};
use crate::model::body::Frame;
use crate::model::error::{ModelError, finite, fitting};
use crate::model::table::JointId;
use glam::DVec3;

/// The coordinates of two joints keep x₁ + ρ x₂ = c.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let frame = world.add_body(Body::fixed())?;
/// let wheel = |x: f64, radius: f64| Body::dynamic().at([x, 0.0]).shape(Shape::circle(radius));
/// let (small, large) = (world.add_body(wheel(0.0, 0.1))?, world.add_body(wheel(0.3, 0.2))?);
/// let first = world.add_joint(Joint::hinge(frame, small).at([0.0, 0.0]).motor(6.0, 1e4))?;
/// let second = world.add_joint(Joint::hinge(frame, large).at([0.3, 0.0]))?;
/// world.add_gear([first, second], 0.2 / 0.1)?;
/// step(&mut world, &Method::projection(), 0.01, &mut Workspace::default())?;
/// assert!((world[large].velocity.angular + 3.0).abs() < 1e-12); // half as fast, the other way round
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gear {
    pub(in crate::model) joints: [JointId; 2],
    /// The kinds of these joints, as they are in the world.
    pub(in crate::model) sides: Box<[JointKind; 2]>,
    /// ρ, not zero: m/rad where the first joint is a slider and the second a hinge, rad/m the other way round.
    pub ratio: f64,
    /// c, rad or m.
    pub constant: f64,
}

impl Gear {
    /// The two joints that it ties.
    pub fn joints(&self) -> [JointId; 2] {
        self.joints
    }

    /// The kinds of the two joints.
    pub fn sides(&self) -> &[JointKind; 2] {
        &self.sides
    }

    /// Returns the equation over the bodies of the first joint, with ∂g/∂q of those of the second.
    pub(super) fn equation(&self, [a, b, c, d]: [&Frame; 4]) -> Option<(Equation, [DVec3; 2])> {
        let [first, second] = &*self.sides;
        let (x, y) = (first.driven(a, b)?, second.driven(c, d)?);
        let (g, k) = (x.g + self.ratio * y.g - self.constant, x.k + self.ratio * y.k);
        Some((Equation { g, k, ..x }, [self.ratio * y.ja, self.ratio * y.jb]))
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite("ratio of the gear", self.ratio)?;
        fitting(self.ratio != 0.0, "ratio of the gear", "other than 0", self.ratio)?;
        finite("constant of the gear", self.constant)
    }
}
