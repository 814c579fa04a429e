//! What touches on a piece: a vertex, an edge, or the curve of an ellipse; and its support function.
//!
//! The support of a closed curve in the unit direction m is its farthest point p(m) in that direction,
//! h(m) = m·p(m). With m turning at unit rate, h' = perp(m)·p and h + h'' = ρ, the radius of curvature at p.
//! Ellipse with semi-axes a, b along x, y: h = √(a²mₓ² + b²m_y²), p = (a²mₓ, b²m_y)/h, ρ = a²b²/h³.

use crate::math::Rotation;
use crate::model::{Core, Piece, Seam};
use glam::DVec2;

/// A feature of a piece. An edge runs from vertex i to vertex i + 1 and stands for the line through them; a half
/// plane is edge 0 of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A vertex of a core with its rounding.
    Vertex(usize),
    /// An edge of a core with its rounding, or the boundary of a half plane.
    Edge(usize),
    /// The boundary of an ellipse.
    Curve,
}

impl Feature {
    /// The number in [`crate::model::ContactId`]: 2i for a vertex, 2i + 1 for an edge.
    pub(super) fn code(self) -> u32 {
        match self {
            Self::Vertex(i) => 2 * i as u32,
            Self::Edge(i) => 2 * i as u32 + 1,
            Self::Curve => u32::MAX,
        }
    }

    /// The feature with that number.
    #[inline]
    pub fn from_code(code: u32) -> Self {
        match code {
            u32::MAX => Self::Curve,
            even if even % 2 == 0 => Self::Vertex(even as usize / 2),
            odd => Self::Edge(odd as usize / 2),
        }
    }
}

/// A curve with a continuous normal, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Profile {
    /// A circle, or a point.
    Round { center: DVec2, radius: f64 },
    /// An ellipse, `axis` along its first semi-axis.
    Ellipse { center: DVec2, axis: DVec2, semi_axes: DVec2 },
}

/// The farthest point in a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    /// The point.
    pub point: DVec2,
    /// Radius of curvature there, m.
    pub curvature: f64,
}

impl Profile {
    #[inline]
    pub fn support(&self, m: DVec2) -> Support {
        match *self {
            Self::Round { center, radius } => Support { point: center + radius * m, curvature: radius },
            Self::Ellipse { center, axis, semi_axes } => {
                let along = DVec2::new(m.dot(axis), m.dot(axis.perp()));
                // By the larger semi-axis, so that the squares neither overflow nor vanish.
                let a = semi_axes.max_element();
                let s = semi_axes / a;
                let h = (s * along).length();
                let p = s * s * along / h;
                let point = center + a * (p.x * axis + p.y * axis.perp());
                Support { point, curvature: a * (s.x * s.y / h) * (s.x * s.y / h) / h }
            }
        }
    }
}

/// A feature at a pose whose centre of mass is at `at`.
pub(super) enum Surface {
    /// A line: a point of it, and its outward unit normal.
    Face(DVec2, DVec2),
    Profile(Profile),
}

impl Surface {
    /// # Panics
    /// For a feature that the piece does not have.
    #[inline(always)]
    pub fn of(piece: &Piece, feature: Feature, rotation: Rotation, at: DVec2) -> Self {
        match (piece, feature) {
            (Piece::Core(core), Feature::Vertex(i)) => Self::Profile(Profile::Round {
                center: at + rotation.apply(core.vertices[i]),
                radius: core.radius,
            }),
            (Piece::Core(core), Feature::Edge(i)) => {
                let normal = rotation.apply(core.normals[i]);
                Self::Face(at + rotation.apply(core.vertices[i]) + core.radius * normal, normal)
            }
            (Piece::HalfPlane { normal, offset }, _) => {
                let normal = rotation.apply(*normal);
                Self::Face(at + *offset * normal, normal)
            }
            (Piece::Ellipse(e), _) => Self::Profile(Profile::Ellipse {
                center: at + rotation.apply(e.center),
                axis: rotation.apply(e.axis),
                semi_axes: e.semi_axes,
            }),
            (Piece::Core(_), Feature::Curve) => unreachable!("a core has no curve"),
        }
    }
}

/// A core at a pose, in world axes.
#[derive(Clone, Copy)]
pub(super) struct PlacedCore<'a> {
    pub core: &'a Core,
    pub vertices: &'a [DVec2],
    pub normals: &'a [DVec2],
    pub rotation: Rotation,
    /// Where it touches neighbouring pieces, if it does.
    pub seam: Option<&'a Seam>,
    /// The way from where the other one is back to where it has come from within the step, m; zero where nobody has moved.
    pub back: DVec2,
}

impl PlacedCore<'_> {
    /// Whether vertex `j` can be touched by something that lies in the direction `m` of it.
    pub fn exposes_vertex(&self, j: usize, m: DVec2) -> bool {
        self.seam.is_none_or(|seam| seam.exposes_vertex(j, self.rotation.inverse_apply(m)))
    }

    /// Whether vertex `j` is a corner of the whole, and the end of a face with the normal `n`.
    pub fn is_corner(&self, j: usize, n: DVec2) -> bool {
        self.seam.is_none_or(|seam| seam.is_corner(j)) && self.exposes_vertex(j, n)
    }

    /// Whether edge `i` can be touched by a core with the vertices `other`, there or on its way.
    pub fn exposes_edge(&self, i: usize, other: &[DVec2]) -> bool {
        let Some(seam) = self.seam else { return true };
        let p = self.vertices[i];
        let along = (self.vertices[self.next(i)] - p).normalize_or_zero();
        let distances = other.iter().map(|q| along.dot(*q - p));
        let way = along.dot(self.back);
        let stretch = distances.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], s| {
            [low.min(s + way.min(0.0)), high.max(s + way.max(0.0))]
        });
        seam.exposes_stretch(i, stretch)
    }

    /// Whether a point is above or below edge `i`, by no more than `slack`, m, beyond one of its ends. In a valley,
    /// where the surface goes on upwards, a point below the edge is so beyond its end, too: at the bottom it is below
    /// both faces, and beyond the ends of both.
    pub fn faces(&self, i: usize, point: DVec2, slack: f64) -> bool {
        /// How far beyond an end, in depths: at the bottom of a valley of 28°.
        const VALLEY: f64 = 4.0;
        let (p, n, next) = (self.vertices[i], self.normals[i], self.next(i));
        let edge = self.vertices[next] - p;
        let length = edge.length();
        let along = edge.dot(point - p) / length;
        let (beyond, end) = if along < 0.0 { (-along, i) } else { (along - length, next) };
        beyond <= slack || beyond <= -VALLEY * n.dot(point - p) && !self.exposes_vertex(end, n)
    }

    pub fn next(&self, i: usize) -> usize {
        if i + 1 < self.vertices.len() { i + 1 } else { 0 }
    }
}
