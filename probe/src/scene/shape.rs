//! Outlines of bodies.

use serde::Serialize;

use super::is_zero;

/// An outline in a body's coordinates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Outline {
    /// A disk about the shape's middle.
    Circle {
        /// m.
        radius: f64,
    },
    /// A rectangle about the shape's middle.
    Box {
        /// Width and height, m.
        size: [f64; 2],
    },
    /// A stadium along the x axis about the shape's middle.
    Capsule {
        /// Distance of the middles of its two ends, m.
        length: f64,
        /// m.
        radius: f64,
    },
    /// A simple polygon, which is convex where it is rounded.
    Polygon {
        /// Its corners, m.
        vertices: Vec<[f64; 2]>,
        /// By how much it is rounded outwards, m; 0 leaves it sharp.
        #[serde(skip_serializing_if = "is_zero")]
        radius: f64,
    },
    /// Everything below a line, of a body that cannot be pushed.
    HalfPlane {
        /// Unit normal that points out of it.
        normal: [f64; 2],
    },
    /// A line of segments, of a body that cannot be pushed.
    Polyline {
        /// Its points, m; closed if the last one is the first one.
        points: Vec<[f64; 2]>,
    },
}

/// An outline with its place on the body and its surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    /// What it looks like.
    #[serde(flatten)]
    pub outline: Outline,
    /// Its middle in the body's coordinates, m; of a half-plane a point of its boundary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<[f64; 2]>,
    /// Its angle there, rad.
    #[serde(skip_serializing_if = "is_zero")]
    pub angle: f64,
    /// Coefficient of friction, combined with that of the other shape as √(μ_a μ_b).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Coefficient of restitution, of which the larger one of two shapes holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
}

impl Shape {
    /// The outline at an offset, m, and an angle, rad, in the body's coordinates.
    pub fn at(outline: Outline, x: f64, y: f64, angle: f64) -> Self {
        Shape { offset: Some([x, y]), angle, ..Shape::from(outline) }
    }

    /// Gives it a coefficient of friction and one of restitution.
    #[must_use]
    pub fn surface(mut self, friction: f64, restitution: f64) -> Self {
        self.friction = Some(friction);
        self.restitution = Some(restitution);
        self
    }
}

impl From<Outline> for Shape {
    fn from(outline: Outline) -> Self {
        Shape { outline, offset: None, angle: 0.0, friction: None, restitution: None }
    }
}
