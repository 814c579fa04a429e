//! Motor joint: drives body b to a pose relative to body a, with a bounded force and torque; it has no equation.
//!
//! With e₁, e₂ the axes of body a, d from the anchor of a to that of b, and `slider.rs` for J and k of a displacement along an
//! axis:
//!
//! ```text
//! x₁ = e₁·d − o₁ ,  x₂ = e₂·d − o₂ ,  x₃ = θ_b − θ_a − θ₀                 3 rows, each of them a motor's that holds 0 (`Servo`):
//! fᵢ = −kᵢ xᵢ − dᵢ ẋᵢ ,  |f₁|, |f₂| ≤ F_max ,  |f₃| ≤ τ_max ,   kᵢ = mᵢ ω² ,  dᵢ = 2 ζ mᵢ ω ,   1/mᵢ = Jᵢ M⁻¹Jᵢᵀ
//! ```
//!
//! With ω = 0 there is no pose to hold, and its rows are friction between the bodies: ẋᵢ = 0 as far as the bounds suffice. ẋ₁,
//! ẋ₂ are the velocity of the anchor of b against the point of body a that lies there, so that linear and angular momentum are
//! kept.
//!
//! [Box2D: `b2MotorJoint` and, for ω = 0, `b2FrictionJoint`, which bound |(f₁, f₂)| instead. The latter measures the velocity of
//! b against that of the anchor of a, wherever this is.]

use super::Equation;
use super::hinge::equal_angles;
use super::slider::Slider;
use crate::model::body::Frame;
use glam::DVec2;

/// Number of its rows.
pub const DRIVES: usize = 3;

/// Drives body b to a pose in body a.
///
/// ```
/// use driftlab::model::joint::PoseMotor;
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, 0.0]);
/// let frame = world.add_body(Body::fixed())?;
/// let plate = world.add_body(Body::dynamic().mass_and_inertia(1.0, 0.1))?;
/// let mover = PoseMotor { offset: DVec2::new(1.0, 0.5), angle: 0.3, frequency: 5.0, ..PoseMotor::default() };
/// world.add_joint(Joint::between([frame, plate], JointKind::PoseMotor(mover)))?;
/// for _ in 0..2000 {
///     step(&mut world, &Method::implicit(), 1e-3, &mut Workspace::default())?;
/// }
/// assert!((world[plate].pose.position - DVec2::new(1.0, 0.5)).length() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PoseMotor {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// o, where the anchor of b is to be from that of a, in the axes of body a, m.
    pub offset: DVec2,
    /// θ₀, the angle θ_b − θ_a that is to be, rad.
    pub angle: f64,
    /// Natural frequency, Hz, not negative: 0 holds no pose but the bodies against each other, as friction does.
    pub frequency: f64,
    /// ζ, not negative.
    pub damping_ratio: f64,
    /// F_max, N.
    pub max_force: f64,
    /// τ_max, N m.
    pub max_torque: f64,
}

/// At the anchors and angle 0, critically damped at 1 Hz, with at most 100 N and 100 N m.
impl Default for PoseMotor {
    fn default() -> Self {
        Self {
            anchors: [DVec2::ZERO; 2],
            offset: DVec2::ZERO,
            angle: 0.0,
            frequency: 1.0,
            damping_ratio: 1.0,
            max_force: 100.0,
            max_torque: 100.0,
        }
    }
}

impl PoseMotor {
    /// xᵢ of row `drive`, with its derivatives.
    pub fn coordinate(&self, drive: usize, a: &Frame, b: &Frame) -> Equation {
        let along = |axis: DVec2, target: f64| {
            let slider = Slider { anchors: self.anchors, axis, reference_angle: 0.0 };
            let x = slider.coordinate(a, b);
            Equation { g: x.g - target, ..x }
        };
        match drive {
            0 => along(DVec2::X, self.offset.x),
            1 => along(DVec2::Y, self.offset.y),
            _ => equal_angles(self.angle, a, b),
        }
    }

    /// Whether it holds a pose; else its rows are friction.
    pub fn holds_pose(&self) -> bool {
        self.frequency > 0.0
    }

    /// The bound of row `drive`, N or N m.
    pub fn bound(&self, drive: usize) -> f64 {
        if drive < 2 { self.max_force } else { self.max_torque }
    }
}
