//! Convex cores: a *core* with a radius r ≥ 0 is all points within r of the convex hull of its vertices.
//!
//! | shape | vertices | r |
//! |---|---|---|
//! | circle | 1 | its radius |
//! | capsule | 2 | its radius |
//! | link of a polyline | 2 | 0 |
//! | box | 4, counter-clockwise | 0 |
//! | convex polygon | n ≥ 3, counter-clockwise | its radius, or 0 |
//!
//! ```text
//!          edge 2                       edge 1
//!       3─────────2                0 ───────────── 1        edge i runs from vertex i to vertex i + 1 (mod n),
//!  edge 3         edge 1                edge 0              its outward normal on the right hand of it:
//!       0─────────1                                         a core of two vertices has two edges, one for
//!          edge 0                                           each side
//! ```
//!
//! The cores of one shape may have *seams* between them, at which no other body can touch them. The seams between
//! different shapes are found by `detect/seams.rs`.

use glam::DVec2;

/// All points within `radius` of the convex hull of the vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    /// One vertex, two, or a convex polygon in counter-clockwise order, m.
    pub vertices: Box<[DVec2]>,
    /// Outward unit normal of the edge from vertex i to vertex i + 1; none for a single vertex.
    pub normals: Box<[DVec2]>,
    /// r ≥ 0, m.
    pub radius: f64,
    /// The seam to other pieces of the same shape, if there are any.
    pub seam: Option<Seam>,
}

/// Which parts of a core's edges and vertices neighbouring pieces leave open, so that they can be touched from outside
/// the whole shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// By edge, the open stretches, each given by the distances of its two ends from the edge's first vertex, m:
    /// [`Seam::OPEN`] where nothing is hidden, none where the edge lies inside the whole shape.
    pub sides: Box<[Box<[[f64; 2]]>]>,
    /// By vertex, the directions from which it is the nearest point of the whole shape: those m with m·d₀ ≥ 0 ≥ m·d₁,
    /// where d₀ and d₁ are the unit directions of the edges that arrive at the vertex and leave it. [`Seam::FREE`]
    /// where it is all those from which it is the nearest point of its own piece, none where it is reflex.
    pub cones: Box<[Option<[DVec2; 2]>]>,
    /// Of a link of a polyline, the numbers of the pieces that continue it before its first vertex and behind its second one.
    pub links: [Option<u32>; 2],
}

/// Sine of the angle by which a direction may leave the cone of a vertex, so that rounding opens no gap between
/// neighbouring cones.
const ROUNDED: f64 = 1e-6;

impl Core {
    /// A core without seams, with its normals.
    pub fn new(vertices: Vec<DVec2>, radius: f64) -> Self {
        let n = vertices.len();
        let edges = if n < 2 { 0 } else { n };
        let normals = (0..edges).map(|i| outward(vertices[i], vertices[(i + 1) % n])).collect();
        Self { vertices: vertices.into(), normals, radius, seam: None }
    }

    /// The first vertex and the last one.
    pub fn ends(&self) -> [DVec2; 2] {
        [self.vertices[0], self.vertices[self.vertices.len() - 1]]
    }

    /// Whether edge `i` can be touched from outside the whole shape.
    #[inline]
    pub fn exposes_edge(&self, i: usize) -> bool {
        self.seam.as_ref().is_none_or(|seam| !seam.sides[i].is_empty())
    }
}

impl Seam {
    /// An edge of which nothing is hidden.
    pub const OPEN: [[f64; 2]; 1] = [[f64::NEG_INFINITY, f64::INFINITY]];
    /// All directions: m·0 is 0.
    pub const FREE: [DVec2; 2] = [DVec2::ZERO; 2];

    /// Whether edge `i` can be touched by something that faces a stretch of it, given by the distances of the stretch's two ends
    /// from the edge's first vertex, m.
    pub fn exposes_stretch(&self, i: usize, [from, to]: [f64; 2]) -> bool {
        // A stretch of length zero touches an open one if it lies on it or at its end.
        self.sides[i].iter().any(|[low, high]| {
            let shared = to.min(*high) - from.max(*low);
            shared > 0.0 || from == to && shared == 0.0
        })
    }

    /// Whether vertex `j` can be touched by something that lies in the direction `m` (unit, body axes) of it.
    pub fn exposes_vertex(&self, j: usize, m: DVec2) -> bool {
        self.cones[j]
            .is_some_and(|[arriving, leaving]| m.dot(arriving) >= -ROUNDED && m.dot(leaving) <= ROUNDED)
    }

    /// Whether the outline turns at vertex `j`, or ends there.
    pub fn is_corner(&self, j: usize) -> bool {
        self.cones[j].is_some_and(|cone| cone == Self::FREE || cone[0].perp_dot(cone[1]).abs() > ROUNDED)
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
    -(edge / edge.length()).perp()
}
