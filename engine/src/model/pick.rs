//! Which body lies under a point, for the mouse and for recorded pointers.

use super::body::Body;
use super::shape::{Placement, Shape};
use super::world::World;
use crate::math::Rotation;
use glam::DVec2;

impl Body {
    /// Whether the world point `at` (m) lies inside one of the body's shapes, or within `reach` (m) of a line.
    pub fn contains(&self, at: DVec2, reach: f64) -> bool {
        let local = self.point_in_body(at);
        self.shapes().iter().any(|placed| placed.contains(local, reach))
    }
}

impl Placement {
    /// Whether a point of the body's frame (m) lies inside the shape, or within `reach` (m) of a line.
    fn contains(&self, point: DVec2, reach: f64) -> bool {
        let p = Rotation::from_angle(self.angle).inverse_apply(point - self.offset);
        match &self.shape {
            Shape::Circle { radius } => p.length() <= *radius,
            Shape::Box { size } => p.abs().cmple(0.5 * *size).all(),
            Shape::Ellipse { semi_axes } => (p / *semi_axes).length() <= 1.0,
            Shape::Capsule { length, radius } => {
                let end = DVec2::new(0.5 * length, 0.0);
                distance_to_segment(p, -end, end) <= *radius
            }
            Shape::Polygon { vertices } => inside(vertices, p),
            Shape::HalfPlane { normal, offset } => normal.normalize_or_zero().dot(p) <= *offset,
            Shape::Polyline { points } => {
                points.windows(2).any(|s| distance_to_segment(p, s[0], s[1]) <= reach)
            }
        }
    }
}

impl World {
    /// The dynamic body under the world point `at` (m); of several, the last in the list, which is drawn on top. If
    /// there is none, the dynamic body with the nearest centre of mass within `reach`, m, since a body may be too
    /// small to be hit.
    pub fn pick(&self, at: DVec2, reach: f64) -> Option<usize> {
        let movable = || self.bodies().iter().enumerate().rev().filter(|(_, body)| body.is_dynamic());
        let hit = movable().find(|(_, body)| body.contains(at, reach));
        let near = || {
            movable()
                .map(|(index, body)| (index, (body.pose.position - at).length()))
                .filter(|(_, distance)| *distance <= reach)
                .min_by(|a, b| a.1.total_cmp(&b.1))
        };
        hit.map(|(index, _)| index).or_else(|| near().map(|(index, _)| index))
    }
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
