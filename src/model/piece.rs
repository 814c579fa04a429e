//! Convex pieces: the form in which collision detection uses a body's shapes, relative to the centre of mass.
//!
//! Circle, capsule, box, polygon and a link of a polyline are one thing, a *core* with a radius r ≥ 0: all points
//! within r of the convex hull of the core's vertices.
//!
//! | shape | vertices | r |
//! |---|---|---|
//! | circle | 1 | its radius |
//! | capsule | 2 | its radius |
//! | link of a polyline | 2 | 0 |
//! | box, convex polygon | n ≥ 3, counter-clockwise | 0 |
//!
//! ```text
//!          edge 2                       edge 1
//!       3─────────2                0 ───────────── 1        edge i runs from vertex i to vertex i + 1 (mod n),
//!  edge 3         edge 1                edge 0              its outward normal on the right hand of it:
//!       0─────────1                                         a core of two vertices has two edges, one for
//!          edge 0                                           each side
//! ```
//!
//! An ellipse or a half plane is one piece of its own kind. A concave polygon becomes several cores, see
//! [`super::decomposition`]; those and the links of a polyline have *seams* to their neighbours, at which no other
//! body can touch them.

use super::decomposition::convex_cores;
use super::error::ModelError;
use super::shape::{Placement, Shape};
use crate::math::{Rotation, perp};
use glam::DVec2;

/// A convex part of a body; coordinates are relative to the centre of mass, in the body's axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A rounded point, segment or convex polygon.
    Core(Core),
    /// An ellipse.
    Ellipse(Ellipse),
    /// All points p with normal·p ≤ offset.
    HalfPlane {
        /// Outward unit normal.
        normal: DVec2,
        /// Distance of the boundary from the centre of mass along the normal, m.
        offset: f64,
    },
}

/// All points within `radius` of the convex hull of the vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    /// One, two, or counter-clockwise and convex, m.
    pub vertices: Box<[DVec2]>,
    /// Outward unit normal of the edge from vertex i to vertex i + 1; none for a single vertex.
    pub normals: Box<[DVec2]>,
    /// r ≥ 0, m.
    pub radius: f64,
    /// Where it touches other pieces of the same shape, if it does.
    pub seam: Option<Seam>,
}

/// Which edges and vertices of a core are hidden by neighbouring pieces of the same shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Whether the edge lies inside the whole shape.
    pub internal: Box<[bool]>,
    /// The directions from which a vertex can be touched.
    pub cones: Box<[Cone]>,
}

/// The directions from which a vertex is the nearest point of the whole shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cone {
    /// All of those from which it is the nearest point of its own piece.
    Free,
    /// None: a reflex vertex.
    Never,
    /// Those m with m·d₀ ≥ 0 ≥ m·d₁, where d₀ and d₁ are the unit directions of the edges that arrive at the
    /// vertex and leave it.
    Between([DVec2; 2]),
}

/// A filled ellipse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// m.
    pub center: DVec2,
    /// Unit vector along the first semi-axis.
    pub axis: DVec2,
    /// Semi-axes, m.
    pub semi_axes: DVec2,
}

impl Core {
    /// A core without seams, with its normals.
    pub fn new(vertices: Vec<DVec2>, radius: f64) -> Self {
        let n = vertices.len();
        let edges = if n < 2 { 0 } else { n };
        let normals = (0..edges).map(|i| outward(vertices[i], vertices[(i + 1) % n])).collect();
        Self { vertices: vertices.into(), normals, radius, seam: None }
    }

    /// Whether edge `i` can be touched from outside the whole shape.
    #[inline]
    pub fn exposes_edge(&self, i: usize) -> bool {
        self.seam.as_ref().is_none_or(|seam| !seam.internal[i])
    }

    /// Whether vertex `j` can be touched by something that lies in the direction `m` (unit, body axes) of it.
    pub fn exposes_vertex(&self, j: usize, m: DVec2) -> bool {
        /// Sine of the angle by which a direction may leave the cone, so that rounding opens no gap between
        /// neighbouring cones.
        const ROUNDED: f64 = 1e-6;
        match self.seam.as_ref().map_or(Cone::Free, |seam| seam.cones[j]) {
            Cone::Free => true,
            Cone::Never => false,
            Cone::Between([arriving, leaving]) => m.dot(arriving) >= -ROUNDED && m.dot(leaving) <= ROUNDED,
        }
    }
}

/// The unit normal on the right of the way from p to q.
fn outward(p: DVec2, q: DVec2) -> DVec2 {
    // Divided by the largest component first, so that no square underflows.
    let edge = (q - p) / (q - p).abs().max_element();
    if !edge.is_finite() {
        // The ends of a very short edge may round to one point; the normal then points away from the centre of mass.
        return p.try_normalize().unwrap_or(DVec2::Y);
    }
    // Divided, not multiplied by the reciprocal: an edge along an axis gets an exact normal.
    -perp(edge / edge.length())
}

impl Piece {
    /// The pieces of `shapes` about the centre of mass `center`.
    ///
    /// # Errors
    /// A polygon that cannot be cut into convex pieces.
    pub(super) fn of(shapes: &[Placement], center: DVec2) -> Result<Vec<Self>, ModelError> {
        let mut pieces = Vec::new();
        for placed in shapes {
            let turn = Rotation::from_angle(placed.angle);
            let place = |p: DVec2| placed.offset + turn.apply(p) - center;
            let core = |vertices: &[DVec2], radius| {
                Self::Core(Core::new(vertices.iter().map(|p| place(*p)).collect(), radius))
            };
            match &placed.shape {
                Shape::Circle { radius } => pieces.push(core(&[DVec2::ZERO], *radius)),
                Shape::Capsule { length, radius } => {
                    let end = DVec2::new(length / 2.0, 0.0);
                    pieces.push(core(&[-end, end], *radius));
                }
                Shape::Box { size } => {
                    let h = *size / 2.0;
                    pieces.push(core(&[-h, DVec2::new(h.x, -h.y), h, DVec2::new(-h.x, h.y)], 0.0));
                }
                Shape::Polygon { vertices } => {
                    let ring: Vec<DVec2> = vertices.iter().map(|p| place(*p)).collect();
                    pieces.extend(convex_cores(&ring)?.into_iter().map(Self::Core));
                }
                Shape::Polyline { points } => {
                    let points: Vec<DVec2> = points.iter().map(|p| place(*p)).collect();
                    pieces.extend(links(&points).into_iter().map(Self::Core));
                }
                Shape::Ellipse { semi_axes } => pieces.push(Self::Ellipse(Ellipse {
                    center: place(DVec2::ZERO),
                    axis: turn.apply(DVec2::X),
                    semi_axes: *semi_axes,
                })),
                Shape::HalfPlane { normal, offset } => {
                    let normal = turn.apply(normal.normalize());
                    let offset = offset + normal.dot(placed.offset - center);
                    pieces.push(Self::HalfPlane { normal, offset });
                }
            }
        }
        Ok(pieces)
    }

    /// Radius about the centre of mass of a circle that holds the piece, m; infinite for a half plane.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Core(core) => core.vertices.iter().map(|p| p.length()).fold(0.0, f64::max) + core.radius,
            Self::Ellipse(e) => e.center.length() + e.semi_axes.max_element(),
            Self::HalfPlane { .. } => f64::INFINITY,
        }
    }
}

/// The links of a polyline. A joint between two links belongs to both, and can be touched from the directions from
/// which it is nearer than either link's inside; so a body that slides along a straight line of links meets no edge.
fn links(points: &[DVec2]) -> Vec<Core> {
    let directions: Vec<DVec2> = points.windows(2).map(|p| (p[1] - p[0]).normalize_or_zero()).collect();
    let count = directions.len();
    let closed = count > 2 && points[0] == points[count];
    let joint = |before: Option<usize>, after: usize| match before {
        Some(before) => Cone::Between([directions[before], directions[after % count]]),
        None => Cone::Free,
    };
    let link = |i: usize| {
        let start = match i {
            0 => joint(closed.then_some(count - 1), 0),
            _ => joint(Some(i - 1), i),
        };
        let end = if i + 1 == count && !closed { Cone::Free } else { joint(Some(i), i + 1) };
        let seam = Seam { internal: [false; 2].into(), cones: [start, end].into() };
        Core { seam: Some(seam), ..Core::new(vec![points[i], points[i + 1]], 0.0) }
    };
    (0..count).map(link).collect()
}
