//! Two rounded cores: which features touch.
//!
//! Overlapping, the smallest translation that parts two convex polygons is along an edge normal of one of them
//! (their Minkowski difference has no other edges), so φ is the largest separation over all edge normals. Apart, φ
//! is the distance of the nearest features, found among all vertices and edges: the pieces have few. The rounding
//! reduces either by r_a + r_b.
//!
//! A contact between an edge and nearly parallel edge gets two points, the ends of the stretch where they face each
//! other. Each end is a *vertex* of one of the two, facing the *edge* of the other:
//!
//! ```text
//!              w ───────────── u          incident edge of the other core
//!        0 ═══════════════ 1              reference edge
//!              ↑           ↑
//!       w against the      1 against the
//!       reference edge     incident edge
//! ```
//!
//! so that each is a gap function of its own, which can be evaluated at any pose, and no point is clipped out of an
//! edge. The smaller φ of the two is the signed distance.

use super::feature::{Feature, PlacedCore};
use super::normal;
use super::polyline::{Convex, Link};
use glam::DVec2;

/// Sine of the angle up to which two edges are parallel enough to bear on each other at both ends.
const PARALLEL: f64 = 0.25;
/// Distance, relative to an edge's length, by which a vertex may lie beyond the edge's end and still face it. Boxes
/// of the same width, stacked, must not change their features by rounding.
const ALIGNED: f64 = 1e-8;

/// An edge of one core with the vertex of the other that is lowest above it.
#[derive(Clone, Copy)]
struct Axis {
    /// Which core the edge belongs to.
    side: usize,
    edge: usize,
    vertex: usize,
    separation: f64,
}

/// The nearest features of two cores that are apart.
enum Nearest {
    Vertices(usize, usize),
    Edge(Axis),
}

struct CorePair<'a> {
    cores: [PlacedCore<'a>; 2],
    /// The one that is a link of a polyline, if any, with what it is a part of.
    link: Option<(usize, Link<'a>)>,
    /// Lengths that differ by less than this, m, differ by rounding only.
    tolerance: f64,
}

/// Emits up to two pairs of features whose gaps may be within `margin`, with the normal from a to b; returns the largest
/// separation over all edge normals, beyond which nothing touches: −∞ without edges. `link` describes a core as a part
/// of its polyline.
pub(super) fn touch<'a>(
    cores: [PlacedCore<'a>; 2],
    link: impl Fn(usize, &PlacedCore<'a>) -> Option<Link<'a>>,
    tolerance: f64,
    margin: f64,
    mut emit: impl FnMut([Feature; 2], DVec2),
) -> f64 {
    let [a, b] = cores;
    let mut pair = CorePair { cores, link: None, tolerance };
    let Some(best) = pair.best_axis(|_| true) else {
        let n = normal::direction(a.vertices[0], b.vertices[0], DVec2::Y);
        emit([Feature::Vertex(0), Feature::Vertex(0)], n);
        return f64::NEG_INFINITY;
    };
    let separation = best.separation - a.core.radius - b.core.radius;
    if separation > margin {
        return separation;
    }
    let seams = a.seam.is_some() || b.seam.is_some();
    if seams {
        pair.link = [0, 1].into_iter().find_map(|side| Some((side, link(side, &cores[1 - side])?)));
    }
    if pair.overlaps(&best) {
        let exposed = if seams { pair.best_axis(|axis| pair.exposed(axis)) } else { None };
        if !exposed.is_some_and(|axis| pair.yields(&axis)) {
            pair.emit_edge(&exposed.unwrap_or(best), emit);
        }
        return separation;
    }
    let nearest = if pair.faces(&best) { Nearest::Edge(best) } else { pair.nearest() };
    match nearest {
        Nearest::Edge(axis) => pair.emit_edge(&axis, emit),
        Nearest::Vertices(i, j) => {
            let n = normal::direction(a.vertices[i], b.vertices[j], pair.normal(best.side, best.edge));
            if a.exposes_vertex(i, n) && b.exposes_vertex(j, -n) {
                emit([Feature::Vertex(i), Feature::Vertex(j)], n);
            }
        }
    }
    separation
}

impl<'a> CorePair<'a> {
    /// The edge's core and the other.
    fn sides(&self, side: usize) -> (&PlacedCore<'a>, &PlacedCore<'a>) {
        (&self.cores[side], &self.cores[1 - side])
    }

    /// The normal of an edge, from a to b.
    fn normal(&self, side: usize, edge: usize) -> DVec2 {
        let outward = self.cores[side].normals[edge];
        if side == 0 { outward } else { -outward }
    }

    /// The edge normal of the largest separation among those that `accept`s; body a's, if both have one that is equal
    /// within the tolerance.
    fn best_axis(&self, accept: impl Fn(&Axis) -> bool) -> Option<Axis> {
        match (self.best_axis_of(0, &accept), self.best_axis_of(1, &accept)) {
            (Some(a), Some(b)) if b.separation > a.separation + self.tolerance => Some(b),
            (a, b) => a.or(b),
        }
    }

    /// The edge normal of the largest separation of one core, the first among equals. None without edges.
    fn best_axis_of(&self, side: usize, accept: impl Fn(&Axis) -> bool) -> Option<Axis> {
        let (face, other) = self.sides(side);
        let mut best: Option<Axis> = None;
        for (edge, n) in face.normals.iter().enumerate() {
            let (mut vertex, mut separation) = (0, f64::INFINITY);
            let foot = face.vertices[edge];
            for (j, p) in other.vertices.iter().enumerate() {
                let height = n.dot(*p - foot);
                if height < separation {
                    (vertex, separation) = (j, height);
                }
            }
            let axis = Axis { side, edge, vertex, separation };
            if best.is_some_and(|best| axis.separation <= best.separation + self.tolerance) {
                continue;
            }
            if accept(&axis) {
                best = Some(axis);
            }
        }
        best
    }

    /// Whether an edge can be touched, and the vertex if it is exposed: both on the side of a polyline on which the
    /// other core is.
    fn opens(&self, axis: &Axis) -> bool {
        let (face, other) = self.sides(axis.side);
        let is_on_side = self.link.as_ref().is_none_or(|(own, link)| {
            if *own == axis.side { link.side == axis.edge } else { link.opens_vertex(axis.vertex) }
        });
        is_on_side && face.exposes_edge(axis.edge, other.vertices)
    }

    fn exposes_vertex(&self, axis: &Axis) -> bool {
        let (face, other) = self.sides(axis.side);
        other.exposes_vertex(axis.vertex, -face.normals[axis.edge])
    }

    fn exposed(&self, axis: &Axis) -> bool {
        self.opens(axis) && self.exposes_vertex(axis)
    }

    /// Whether the contact along an axis belongs to another link of the polyline.
    fn yields(&self, axis: &Axis) -> bool {
        self.link.as_ref().is_some_and(|(own, link)| {
            let (n, piece) = (self.cores[axis.side].normals[axis.edge], &self.cores[1 - own]);
            link.yields(axis.separation, self.tolerance, piece)
                || *own != axis.side && link.leaves_joint(axis.vertex, n, self.tolerance, piece)
        })
    }

    /// Whether the cores overlap or touch. A separation of zero means that they touch, except for cores on one line.
    fn overlaps(&self, best: &Axis) -> bool {
        let flat = self.cores.iter().all(|core| core.vertices.len() <= 2);
        if !flat || best.separation.abs() > self.tolerance {
            return best.separation <= self.tolerance;
        }
        let distance = match self.nearest() {
            Nearest::Vertices(i, j) => (self.cores[1].vertices[j] - self.cores[0].vertices[i]).length(),
            Nearest::Edge(axis) => axis.separation,
        };
        distance <= self.tolerance
    }

    /// Whether the axis' vertex lies above its edge and not beyond an end.
    fn faces(&self, axis: &Axis) -> bool {
        let (face, other) = self.sides(axis.side);
        let (p, q) = (face.vertices[axis.edge], face.vertices[face.next(axis.edge)]);
        let along = (q - p).dot(other.vertices[axis.vertex] - p);
        along >= 0.0 && along <= (q - p).length_squared()
    }

    /// The nearest features, edges before vertices and body a's edges before b's among equals.
    fn nearest(&self) -> Nearest {
        let mut nearest = Nearest::Vertices(0, 0);
        let mut least = f64::INFINITY;
        for side in 0..2 {
            let (face, other) = self.sides(side);
            let edges = if face.vertices.len() == 2 { 1 } else { face.normals.len() };
            for edge in 0..edges {
                let (p, q) = (face.vertices[edge], face.vertices[face.next(edge)]);
                let squared = (q - p).length_squared();
                for (vertex, v) in other.vertices.iter().enumerate() {
                    let along = (q - p).dot(*v - p) / squared;
                    if (-ALIGNED..=1.0 + ALIGNED).contains(&along) {
                        let height = face.normals[edge].dot(*v - p);
                        // A core of two vertices has an edge on either side.
                        let edge = if edges == 1 && height < 0.0 { 1 } else { edge };
                        let tie = matches!(nearest, Nearest::Vertices(..));
                        let bar = if tie { least + self.tolerance } else { least - self.tolerance };
                        if height.abs() < bar && (edges == 1 || height >= -self.tolerance) {
                            least = height.abs();
                            nearest = Nearest::Edge(Axis { side, edge, vertex, separation: least });
                        }
                    } else {
                        let end = if along < 0.0 { edge } else { face.next(edge) };
                        let distance = (*v - face.vertices[end]).length();
                        if distance < least - self.tolerance {
                            least = distance;
                            let (i, j) = if side == 0 { (end, vertex) } else { (vertex, end) };
                            nearest = Nearest::Vertices(i, j);
                        }
                    }
                }
            }
        }
        nearest
    }

    /// The contacts of the axis' edge with the other core: the ends of the stretch that faces it.
    fn emit_edge(&self, axis: &Axis, mut emit: impl FnMut([Feature; 2], DVec2)) {
        let (face, other) = self.sides(axis.side);
        let n = face.normals[axis.edge];
        let incident = incident_edge(other, axis.vertex, n);
        let mut send = |side: usize, edge: usize, vertex: usize| {
            let contact = Axis { side, edge, vertex, separation: 0.0 };
            // The second end of a face bears where it is a corner, although the cores are closer at the first one.
            let corner = || match incident {
                _ if side != axis.side => face.is_corner(vertex, n),
                Some(edge) => vertex != axis.vertex && other.is_corner(vertex, other.normals[edge]),
                None => false,
            };
            let exposed = self.opens(&contact) && (self.exposes_vertex(&contact) || corner());
            if exposed {
                let (edge, vertex) = (Feature::Edge(edge), Feature::Vertex(vertex));
                let features = if side == 0 { [edge, vertex] } else { [vertex, edge] };
                emit(features, self.normal(side, contact.edge));
            }
            exposed
        };
        let Some(incident) = incident else {
            send(axis.side, axis.edge, axis.vertex);
            return;
        };
        let (p, q) = (face.vertices[axis.edge], face.vertices[face.next(axis.edge)]);
        let length = (q - p).length();
        let along = |vertex: usize| (vertex, (q - p).dot(other.vertices[vertex] - p) / length);
        let (u, w) = (along(incident), along(other.next(incident)));
        let (low, high) = if u.1 <= w.1 { (u, w) } else { (w, u) };
        let slack = ALIGNED * length.max(high.1 - low.1);
        let stretch = high.1.min(length) - low.1.max(0.0);
        let faces = |vertex: usize, slack: f64| face.faces(axis.edge, other.vertices[vertex], slack);
        let mut sent = false;
        if stretch > 2.0 * slack {
            let m = other.normals[incident];
            // Far apart, a tilted incident edge is nearer along its own normal than the cores are to each other.
            let bears = |vertex: usize| {
                let height = m.dot(face.vertices[vertex] - other.vertices[incident]);
                n.perp_dot(m).abs() <= PARALLEL && height >= axis.separation - self.tolerance
            };
            let [first, last] = [axis.edge, face.next(axis.edge)];
            if faces(low.0, slack) {
                sent |= send(axis.side, axis.edge, low.0);
            } else if bears(first) {
                sent |= send(1 - axis.side, incident, first);
            }
            if faces(high.0, slack) {
                sent |= send(axis.side, axis.edge, high.0);
            } else if bears(last) {
                sent |= send(1 - axis.side, incident, last);
            }
        }
        let seams = face.seam.is_some() || other.seam.is_some();
        // Beyond an end that continues in a neighbour, the line through the edge is not the shape's surface.
        if !sent && (!seams || faces(axis.vertex, 0.0)) {
            send(axis.side, axis.edge, axis.vertex);
        }
    }
}

/// The edge at `vertex` that looks most against the direction `n`.
fn incident_edge(core: &PlacedCore, vertex: usize, n: DVec2) -> Option<usize> {
    let count = core.normals.len();
    let candidates = match count {
        0 => return None,
        2 => [0, 1],
        _ => [(vertex + count - 1) % count, vertex],
    };
    let against = candidates.map(|edge| n.dot(core.normals[edge]));
    Some(if against[0] <= against[1] { candidates[0] } else { candidates[1] })
}

impl Convex for PlacedCore<'_> {
    fn extent(&self) -> (DVec2, f64) {
        let middle = self.vertices.iter().sum::<DVec2>() / self.vertices.len() as f64;
        let farthest = self.vertices.iter().map(|p| (*p - middle).length()).fold(0.0, f64::max);
        (middle, farthest + self.core.radius)
    }

    fn lowest(&self, n: DVec2, p: DVec2) -> f64 {
        self.vertices.iter().map(|q| n.dot(*q - p)).fold(f64::INFINITY, f64::min)
    }

    fn height(&self, p: DVec2, open: impl Fn(DVec2) -> bool) -> f64 {
        let edges = self.vertices.iter().zip(self.normals).filter(|(_, n)| open(-**n));
        edges.map(|(q, n)| n.dot(p - *q)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn reaches(&self, ends: [DVec2; 2]) -> bool {
        let parts = |(q, n): (&DVec2, &DVec2)| ends.iter().all(|p| n.dot(*p - *q) > self.core.radius);
        !self.vertices.iter().zip(self.normals).any(parts)
    }
}
