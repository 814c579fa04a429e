//! The outlines of shapes, and how large they look.

pub use crate::experiment::outline::{boundary, closed, open};

use crate::model::{Placement, Shape};
use glam::DVec2;

/// The size of a shape, m: the mean of its width and height; 0 for shapes without an inside.
pub fn size(placed: &Placement) -> f64 {
    let sides = match &placed.shape {
        Shape::Circle { radius } => DVec2::splat(2.0 * radius),
        Shape::Capsule { length, radius } => DVec2::new(length + 2.0 * radius, 2.0 * radius),
        Shape::Ellipse { semi_axes } => 2.0 * *semi_axes,
        Shape::Box { size } => *size,
        Shape::Polygon { vertices, radius } => {
            let low = vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let high = vertices.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            high - low + 2.0 * *radius
        }
        Shape::HalfPlane { .. } | Shape::Polyline { .. } => DVec2::ZERO,
    };
    0.5 * (sides.x + sides.y)
}
