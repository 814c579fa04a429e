//! Springs between two bodies.

use serde::Serialize;

/// A spring with a damper: a force −k (r − r₀) − d ṙ along the line between two points, or, with a rest angle, a torque
/// −k (θ_b − θ_a − θ₀) − d (ω_b − ω_a). Its anchors are in the coordinates of its bodies, from their origins.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spring {
    /// The names of body a and body b.
    pub bodies: [String; 2],
    /// The point on body a; of a torsional spring where it is drawn.
    pub anchor_a: [f64; 2],
    /// The point on body b.
    pub anchor_b: [f64; 2],
    /// k, N/m; N m/rad of a torsional spring.
    pub stiffness: f64,
    /// d, N s/m; N m s/rad of a torsional spring.
    pub damping: f64,
    /// r₀, m; the distance as placed without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_length: Option<f64>,
    /// θ₀ of a torsional spring, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_angle: Option<f64>,
}

impl Spring {
    /// A spring without damping between two points, of the stiffness k, N/m, and the length at rest, m.
    pub fn new(
        a: &str,
        b: &str,
        anchor_a: [f64; 2],
        anchor_b: [f64; 2],
        stiffness: f64,
        rest_length: f64,
    ) -> Self {
        let rest_length = Some(rest_length);
        Spring { anchor_a, anchor_b, rest_length, ..Spring::between(a, b, stiffness) }
    }

    /// A torsional spring without damping, of the stiffness k, N m/rad, and the angle θ_b − θ_a at rest, rad.
    pub fn torsional(a: &str, b: &str, stiffness: f64, rest_angle: f64) -> Self {
        Spring { rest_angle: Some(rest_angle), ..Spring::between(a, b, stiffness) }
    }

    fn between(a: &str, b: &str, stiffness: f64) -> Self {
        Spring { bodies: [a.to_owned(), b.to_owned()], stiffness, ..Spring::default() }
    }

    /// Gives it a damper, N s/m or N m s/rad.
    #[must_use]
    pub fn damped(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }
}
