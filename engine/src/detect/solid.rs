//! Which stretch of a line lies inside of a piece, in the axes in which both are given: `hiding` asks what a neighbour
//! covers of an edge, `space` where a ray comes in, `fast` whether a way leads through.
//!
//! x = p + t u with |u| = 1 is inside of a polygon of corners c_k and normals m_k where m_k·(p + t u − c_k) ≤ 0 for all
//! k, inside of a disk between the roots of a square, of a capsule in the hull of its two caps and the box between them, of a
//! rounded polygon in the hull of what it crosses of the sharp one and of a capsule along each edge.

use crate::model::{Core, Ellipse, Piece};
use glam::DVec2;
use parry2d_f64::bounding_volume::Aabb;
use parry2d_f64::math::Vector;

/// A line from a point along a unit vector.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub start: DVec2,
    pub along: DVec2,
}

impl Line {
    /// The stretch within a polygon of these corners and outward normals. `beside` says of a side, from its normal, the
    /// height of the line's start above it and the line's slope, whether the line is outside of it all along; nothing
    /// where the line crosses it.
    pub fn within(
        &self,
        corners: &[DVec2],
        normals: &[DVec2],
        beside: impl Fn(DVec2, f64, f64) -> Option<bool>,
    ) -> Option<[f64; 2]> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (c, m) in corners.iter().zip(normals) {
            let (height, slope) = (m.dot(self.start - *c), m.dot(self.along));
            match beside(*m, height, slope) {
                Some(true) => return None,
                Some(false) => {}
                None if slope > 0.0 => high = high.min(-height / slope),
                None => low = low.max(-height / slope),
            }
        }
        (low <= high).then_some([low, high])
    }

    /// The stretch within a disk.
    fn chord(&self, center: DVec2, radius: f64) -> Option<[f64; 2]> {
        let arm = center - self.start;
        let (middle, away) = (self.along.dot(arm), self.along.perp_dot(arm));
        let squared = (radius - away) * (radius + away);
        (squared > 0.0).then(|| [middle - squared.sqrt(), middle + squared.sqrt()])
    }

    /// The stretch within a radius of a segment, which is crossed at a point if it has none.
    pub fn round(
        &self,
        [a, b]: [DVec2; 2],
        radius: f64,
        beside: impl Fn(DVec2, f64, f64) -> Option<bool>,
    ) -> Option<[f64; 2]> {
        let middle = (b - a).try_normalize().and_then(|u| {
            let side = radius * u.perp();
            // The two sides of a segment without radius begin at one point, so that rounding does not part them.
            let back = if radius > 0.0 { b } else { a };
            self.within(&[a - side, b - side, back + side, a + side], &[-u.perp(), u, u.perp(), -u], beside)
        });
        let caps = [a, b].map(|center| self.chord(center, radius));
        let parts = caps.into_iter().chain([middle]).flatten();
        parts.reduce(|[low, high], [from, to]| [low.min(from), high.max(to)])
    }

    /// The stretch within a core with its rounding.
    pub fn within_core(
        &self,
        core: &Core,
        beside: impl Fn(DVec2, f64, f64) -> Option<bool> + Copy,
    ) -> Option<[f64; 2]> {
        let Core { vertices, normals, radius, .. } = core;
        if vertices.len() < 3 {
            return self.round(core.ends(), *radius, beside);
        }
        let sharp = self.within(vertices, normals, beside);
        if *radius == 0.0 {
            return sharp;
        }
        let next = vertices.iter().cycle().skip(1);
        let edges = vertices.iter().zip(next).filter_map(|(a, b)| self.round([*a, *b], *radius, beside));
        sharp.into_iter().chain(edges).reduce(|[low, high], [from, to]| [low.min(from), high.max(to)])
    }

    /// The stretch within a piece, m; none where it misses it.
    pub fn inside(&self, piece: &Piece) -> Option<[f64; 2]> {
        let beside = |_, height: f64, slope: f64| (slope == 0.0).then_some(height > 0.0);
        match piece {
            Piece::Core(core) => self.within_core(core, beside),
            Piece::Ellipse(Ellipse { center, axis, semi_axes }) => {
                // Stretched to a unit circle.
                let unit = |d: DVec2| DVec2::new(d.dot(*axis), d.dot(axis.perp())) / *semi_axes;
                let (start, along) = (unit(self.start - *center), unit(self.along));
                let scale = along.length();
                let ends = Self { start, along: along / scale }.chord(DVec2::ZERO, 1.0)?;
                Some(ends.map(|t| t / scale))
            }
            Piece::HalfPlane { normal, offset } => self.within(&[*offset * *normal], &[*normal], beside),
        }
    }
}

/// The point of the segment from `a` to `b` nearest to `p`.
pub(super) fn nearest_on_segment(a: DVec2, b: DVec2, p: DVec2) -> DVec2 {
    let squared = (b - a).length_squared();
    if squared > 0.0 { a + ((p - a).dot(b - a) / squared).clamp(0.0, 1.0) * (b - a) } else { a }
}

/// The point of a core's edges, or of the one point that it has, nearest to `p`.
pub(super) fn nearest_on_edges(core: &Core, p: DVec2) -> DVec2 {
    let count = core.vertices.len();
    // The two edges of a segment are one.
    let edges = if count == 2 { 1 } else { count };
    let feet = (0..edges).map(|i| nearest_on_segment(core.vertices[i], core.vertices[(i + 1) % count], p));
    let nearest = feet.min_by(|one, other| one.distance_squared(p).total_cmp(&other.distance_squared(p)));
    nearest.unwrap_or(core.vertices[0])
}

/// The box between two corners.
pub(super) fn aabb(low: DVec2, high: DVec2) -> Aabb {
    Aabb::new(Vector::new(low.x, low.y), Vector::new(high.x, high.y))
}
