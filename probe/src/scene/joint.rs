//! Joints between two bodies.

use serde::Serialize;

use super::is_false;

/// A joint. Its anchors are in the coordinates of its bodies, from their origins, so that one that has drifted is told as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Joint {
    /// `hinge`, `weld`, `slider`, `slot`, `wheel`, `distance` or `rope`.
    pub joint: &'static str,
    /// The names of body a and body b.
    pub bodies: [String; 2],
    /// The point on body a.
    pub anchor_a: [f64; 2],
    /// The point on body b.
    pub anchor_b: [f64; 2],
    /// θ_b − θ_a at which a weld or a slider is closed, rad; as placed without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_angle: Option<f64>,
    /// Unit axis of a slider, a slot or a wheel in the coordinates of body a.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis_a: Option<[f64; 2]>,
    /// Length of a distance or a rope, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Smallest and largest value of the free coordinate, rad or m, or of a distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<[Option<f64>; 2]>,
    /// The value of the free coordinate that the limits count from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits_from: Option<f64>,
    /// What drives the free coordinate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor: Option<Motor>,
    /// A spring in place of its equations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub softness: Option<Softness>,
    /// Frequency of a wheel's suspension, Hz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// Damping ratio of a wheel's suspension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping_ratio: Option<f64>,
    /// Whether its bodies collide with each other.
    #[serde(skip_serializing_if = "is_false")]
    pub collide_connected: bool,
}

/// A motor: of speed and largest torque on a hinge or a wheel, of speed and largest force on a slider or a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Motor {
    /// Target speed, rad/s or m/s.
    pub speed: f64,
    /// Largest torque, N m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_torque: Option<f64>,
    /// Largest force, N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_force: Option<f64>,
}

/// A spring and a damper in place of a joint's equations g = 0: a force −k g − d ġ with k = m ω² and d = 2 ζ m ω, ω = 2π f. m is
/// that of both bodies together, 1/m = 1/m_a + 1/m_b, and 1/m = 1/m_b where a cannot move; for angles the same of their moments
/// of inertia. No lever counts: an engine that takes the mass at the joint's point, 1/m = J M⁻¹ Jᵀ, has another f for the same k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Softness {
    /// Hz.
    pub frequency: f64,
    /// 1 of critical damping.
    pub damping_ratio: f64,
}

impl Joint {
    /// A joint of that kind between two bodies, at a point in the coordinates of each of them.
    pub fn new(joint: &'static str, a: &str, b: &str, anchor_a: [f64; 2], anchor_b: [f64; 2]) -> Self {
        Joint { joint, bodies: [a.to_owned(), b.to_owned()], anchor_a, anchor_b, ..Joint::default() }
    }

    /// Two points that coincide.
    pub fn hinge(a: &str, b: &str, anchor_a: [f64; 2], anchor_b: [f64; 2]) -> Self {
        Joint::new("hinge", a, b, anchor_a, anchor_b)
    }

    /// Two points that coincide, and the angle θ_b − θ_a, rad.
    pub fn weld(a: &str, b: &str, anchor_a: [f64; 2], anchor_b: [f64; 2], reference_angle: f64) -> Self {
        Joint { reference_angle: Some(reference_angle), ..Joint::new("weld", a, b, anchor_a, anchor_b) }
    }

    /// A point of b on an axis through a point of a, and the angle θ_b − θ_a, rad.
    pub fn slider(
        a: &str,
        b: &str,
        anchor_a: [f64; 2],
        anchor_b: [f64; 2],
        axis_a: [f64; 2],
        angle: f64,
    ) -> Self {
        Joint {
            axis_a: Some(axis_a),
            reference_angle: Some(angle),
            ..Joint::new("slider", a, b, anchor_a, anchor_b)
        }
    }

    /// Two points at a distance, m.
    pub fn distance(a: &str, b: &str, anchor_a: [f64; 2], anchor_b: [f64; 2], length: f64) -> Self {
        Joint { length: Some(length), ..Joint::new("distance", a, b, anchor_a, anchor_b) }
    }
}
