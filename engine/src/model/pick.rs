//! Which body lies under a point or next to it, for the mouse and for recorded pointers.

use super::body::Body;
use super::shape::{Placement, Shape};
use super::world::World;
use crate::math::Rotation;
use glam::DVec2;

impl Body {
    /// Distance of the world point `at` (m) from the body's shapes and its centre of mass, m: zero inside a shape. From an
    /// ellipse it is measured towards its centre, where it is at least the distance.
    pub fn distance_to(&self, at: DVec2) -> f64 {
        let local = self.point_in_body(at);
        let shapes = self.shapes().iter().map(|placed| placed.distance_to(local));
        shapes.fold(at.distance(self.pose.position), f64::min)
    }
}

impl Placement {
    /// Distance of a point of the body's frame (m) from the shape, m.
    fn distance_to(&self, point: DVec2) -> f64 {
        let p = Rotation::from_angle(self.angle).inverse_apply(point - self.offset);
        match &self.shape {
            Shape::Circle { radius } => (p.length() - radius).max(0.0),
            Shape::Box { size } => (p.abs() - 0.5 * *size).max(DVec2::ZERO).length(),
            Shape::Ellipse { semi_axes } => {
                // The outline is crossed at p/s.
                let s = (p / *semi_axes).length();
                if s > 1.0 { p.length() * (1.0 - 1.0 / s) } else { 0.0 }
            }
            Shape::Capsule { length, radius } => {
                let end = DVec2::new(0.5 * length, 0.0);
                (distance_to_segment(p, -end, end) - radius).max(0.0)
            }
            Shape::Polygon { vertices } if inside(vertices, p) => 0.0,
            Shape::Polygon { vertices } => {
                let next = vertices.iter().cycle().skip(1);
                nearest(vertices.iter().zip(next).map(|(a, b)| distance_to_segment(p, *a, *b)))
            }
            Shape::HalfPlane { normal, offset } => (normal.normalize_or_zero().dot(p) - offset).max(0.0),
            Shape::Polyline { points } => {
                nearest(points.windows(2).map(|s| distance_to_segment(p, s[0], s[1])))
            }
        }
    }
}

impl World {
    /// The dynamic body under the world point `at` (m); of several, the last in the list, which is drawn on top. If
    /// there is none, the nearest dynamic body within `reach`, m, since a body may be too thin to be hit.
    pub fn pick(&self, at: DVec2, reach: f64) -> Option<usize> {
        let movable = self.bodies().iter().enumerate().rev().filter(|(_, body)| body.is_dynamic());
        let distances = movable.map(|(index, body)| (index, body.distance_to(at)));
        // `min_by` keeps the first of equal distances, which is the last body of the list.
        let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.filter(|(_, distance)| *distance <= reach).map(|(index, _)| index)
    }
}

fn nearest(distances: impl Iterator<Item = f64>) -> f64 {
    distances.fold(f64::INFINITY, f64::min)
}

/// Even–odd rule: a ray to the right crosses the outline an odd number of times.
fn inside(outline: &[DVec2], p: DVec2) -> bool {
    let n = outline.len();
    let crosses = |i: &usize| {
        let (a, b) = (outline[*i], outline[(i + 1) % n]);
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    (0..n).filter(crosses).count() % 2 == 1
}

/// Distance of `p` from the segment between `a` and `b`, m.
fn distance_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let ab = b - a;
    let along = ((p - a).dot(ab) / ab.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (p - a - along * ab).length()
}
