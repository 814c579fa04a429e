//! What a neighbouring piece hides of an edge or a vertex: the geometry of `seams`, in the axes of the body whose seams are sought.
//!
//! An edge p + s t with the outward normal n, 0 ≤ s ≤ L, is hidden where the points just outside of it lie in the neighbour: for a polygon
//! of corners c_k and normals m_k where m_k·(p + s t − c_k) ≤ 0 for all k. An edge of the neighbour along the same line hides it face to
//! face (m_k·n < 0) and hides nothing back to back, where both are surface.
//!
//! A vertex has around it the directions in which material begins: those of its own two edges, and those of every neighbour that it
//! touches, two of a corner and three of the middle of an edge, ±t and −m. Something in the direction m of it touches it where m·d ≤ 0
//! for all of them. If they all lie within less than half a turn, their outermost two say so; else nothing touches there but the edges.

use crate::model::{Cone, Core, Piece, Seam, Side};
use glam::DVec2;

/// Sine of the angle below which two directions are one.
const ROUNDED_ANGLE: f64 = 1e-6;
/// Shorter stretches between two neighbours are none, in tolerances: each end is rounded, and each neighbour may be off by one.
const SLIT: f64 = 4.0;

/// A piece beside another, in the other's axes.
pub(super) enum Neighbour {
    /// A convex polygon, or a half plane with one point of its line; no rounding.
    Solid { corners: Vec<DVec2>, normals: Vec<DVec2> },
    /// A link of a polyline.
    Line([DVec2; 2]),
    /// All points within a radius of a segment, or of a point twice.
    Round { ends: [DVec2; 2], radius: f64 },
}

/// An edge from a point along a unit vector, with its length, m.
struct Edge {
    start: DVec2,
    along: DVec2,
    length: f64,
}

impl Neighbour {
    /// `piece` with its points placed and its directions turned; none of an ellipse, which has neither corners nor edges.
    pub fn of(
        piece: &Piece,
        place: impl Fn(DVec2) -> DVec2,
        turn: impl Fn(DVec2) -> DVec2,
    ) -> Option<Self> {
        match piece {
            Piece::Core(core) => {
                let corners: Vec<_> = core.vertices.iter().map(|p| place(*p)).collect();
                let ends = [corners[0], corners[corners.len() - 1]];
                Some(match (corners.len(), core.radius) {
                    (3.., _) => {
                        let normals = core.normals.iter().map(|m| turn(*m)).collect();
                        Self::Solid { corners, normals }
                    }
                    (_, 0.0) => Self::Line(ends),
                    (_, radius) => Self::Round { ends, radius },
                })
            }
            Piece::HalfPlane { normal, offset } => {
                Some(Self::Solid { corners: vec![place(*offset * *normal)], normals: vec![turn(*normal)] })
            }
            Piece::Ellipse(_) => None,
        }
    }

    /// The stretch of `edge` that it hides.
    fn hides(&self, edge: &Edge, tolerance: f64) -> Option<[f64; 2]> {
        let [low, high] = match self {
            Self::Solid { corners, normals } => within(corners, normals, edge, tolerance)?,
            Self::Line(_) => return None,
            Self::Round { ends: [a, b], radius } => {
                let middle = (*b - *a).try_normalize().and_then(|u| {
                    let side = *radius * u.perp();
                    let corners = [*a - side, *b - side, *b + side, *a + side];
                    within(&corners, &[-u.perp(), u, u.perp(), -u], edge, tolerance)
                });
                let caps = [*a, *b].map(|center| chord(center, *radius, edge));
                let parts = caps.into_iter().chain([middle]).flatten();
                parts.reduce(|[low, high], [from, to]| [low.min(from), high.max(to)])?
            }
        };
        let (low, high) = (low.max(0.0), high.min(edge.length));
        (high - low > tolerance).then_some([low, high])
    }

    /// Adds the directions in which its material begins at `p`, none where it does not reach there; whether `p` lies inside of it.
    fn surrounds(&self, p: DVec2, tolerance: f64, directions: &mut Vec<DVec2>) -> bool {
        match self {
            Self::Solid { corners, normals } => {
                let height = |k: usize| normals[k].dot(p - corners[k]);
                if (0..normals.len()).any(|k| height(k) > tolerance) {
                    return false;
                }
                let on = |k: usize| height(k) >= -tolerance;
                let Some(first) = (0..normals.len()).find(|k| on(*k)) else { return true };
                let before = |k: usize| (k + normals.len() - 1) % normals.len();
                match (0..normals.len()).find(|k| normals.len() > 2 && on(*k) && on(before(*k))) {
                    Some(corner) => {
                        directions.extend([normals[corner].perp(), -normals[before(corner)].perp()])
                    }
                    None => directions.extend(face(normals[first])),
                }
            }
            Self::Line([a, b]) => {
                let along = (*b - *a).normalize_or_zero();
                if (p - *a).length() <= tolerance {
                    directions.push(along);
                } else if (p - *b).length() <= tolerance {
                    directions.push(-along);
                } else if (p - nearest_on_segment(*a, *b, p)).length() <= tolerance {
                    directions.extend([along, -along]);
                }
            }
            Self::Round { ends: [a, b], radius } => {
                let arm = p - nearest_on_segment(*a, *b, p);
                let height = arm.length() - radius;
                if height < -tolerance {
                    return true;
                }
                if height <= tolerance {
                    directions.extend(face(arm.normalize_or_zero()));
                }
            }
        }
        false
    }
}

/// The directions of the material below a surface with the outward normal `m`.
fn face(m: DVec2) -> [DVec2; 3] {
    [m.perp(), -m.perp(), -m]
}

/// The point of the segment from `a` to `b` nearest to `p`.
pub(super) fn nearest_on_segment(a: DVec2, b: DVec2, p: DVec2) -> DVec2 {
    let squared = (b - a).length_squared();
    if squared > 0.0 { a + ((p - a).dot(b - a) / squared).clamp(0.0, 1.0) * (b - a) } else { a }
}

/// The stretch of the line of `edge` within a polygon.
fn within(corners: &[DVec2], normals: &[DVec2], edge: &Edge, tolerance: f64) -> Option<[f64; 2]> {
    let outward = -edge.along.perp();
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (c, m) in corners.iter().zip(normals) {
        let (height, slope) = (m.dot(edge.start - *c), m.dot(edge.along));
        if slope.abs() * edge.length <= tolerance {
            // Along this side. Face to face it may touch; back to back it has to lie below.
            let most = if m.dot(outward) < 0.0 { tolerance } else { -tolerance };
            if height > most {
                return None;
            }
        } else if slope > 0.0 {
            high = high.min(-height / slope);
        } else {
            low = low.max(-height / slope);
        }
    }
    Some([low, high])
}

/// The stretch of the line of `edge` within a circle.
fn chord(center: DVec2, radius: f64, edge: &Edge) -> Option<[f64; 2]> {
    let arm = center - edge.start;
    let (middle, away) = (edge.along.dot(arm), edge.along.perp_dot(arm));
    let squared = (radius - away) * (radius + away);
    (squared > 0.0).then(|| [middle - squared.sqrt(), middle + squared.sqrt()])
}

/// The seams of `core` with those that it has within its shape, where `neighbours`, each with a tolerance in m, hide any more.
pub(super) fn seam(core: &Core, neighbours: &[(Neighbour, f64)]) -> Option<Seam> {
    let (vertices, normals) = (&core.vertices, &core.normals);
    if core.radius > 0.0 || normals.is_empty() {
        return None;
    }
    let nothing_hidden = || Seam {
        sides: normals.iter().map(|_| Side::Open).collect(),
        cones: vertices.iter().map(|_| Cone::Free).collect(),
    };
    let own = core.seam.clone().unwrap_or_else(nothing_hidden);
    let mut seam = own.clone();
    let next = |i: usize| (i + 1) % vertices.len();
    for (i, side) in seam.sides.iter_mut().enumerate().filter(|(_, side)| **side == Side::Open) {
        let edge = Edge {
            start: vertices[i],
            along: normals[i].perp(),
            length: (vertices[next(i)] - vertices[i]).length(),
        };
        let hidden = neighbours.iter().filter_map(|(other, tolerance)| {
            other.hides(&edge, *tolerance).map(|stretch| (stretch, *tolerance))
        });
        *side = open(hidden.collect(), edge.length);
    }
    for (j, cone) in seam.cones.iter_mut().enumerate() {
        let mut directions = match *cone {
            Cone::Never => continue,
            Cone::Between([arriving, leaving]) => vec![leaving, -arriving],
            Cone::Free if vertices.len() == 2 => {
                vec![(vertices[next(j)] - vertices[j]).normalize_or_zero()]
            }
            Cone::Free => {
                let before = (j + vertices.len() - 1) % vertices.len();
                vec![normals[j].perp(), -normals[before].perp()]
            }
        };
        let alone = outermost(&directions);
        let around = |(other, tolerance): &(Neighbour, f64)| {
            other.surrounds(vertices[j], *tolerance, &mut directions)
        };
        // Every one of them adds its directions, until one hides all.
        let inside = neighbours.iter().any(around);
        match (inside, alone, outermost(&directions)) {
            (true, ..) => *cone = Cone::Never,
            (_, Some(alone), Some(all)) if !same(alone, all) => *cone = Cone::Between([-all[1], all[0]]),
            (_, Some(_), None) => *cone = Cone::Never,
            _ => {}
        }
    }
    (seam != own).then_some(seam)
}

/// The stretches that are left of an edge of the `length`, m, of which others are hidden, each known to a tolerance.
fn open(mut hidden: Vec<([f64; 2], f64)>, length: f64) -> Side {
    if hidden.is_empty() {
        return Side::Open;
    }
    hidden.sort_unstable_by(|(one, _), (other, _)| one[0].total_cmp(&other[0]));
    let slit = SLIT * hidden.iter().map(|(_, tolerance)| *tolerance).fold(0.0, f64::max);
    let (mut open, mut reached) = (Vec::new(), 0.0);
    for ([from, to], _) in hidden.into_iter().chain([([length, length], 0.0)]) {
        if from - reached > slit {
            open.push([reached, from]);
        }
        reached = to.max(reached);
    }
    if open.is_empty() { Side::Internal } else { Side::Partly(open.into()) }
}

/// The clockwise and the counter-clockwise one of the two directions between which, in less than half a turn, all lie; twice the same of
/// a single direction, none where they span half a turn or more.
fn outermost(directions: &[DVec2]) -> Option<[DVec2; 2]> {
    let (first, others) = directions.split_first()?;
    others.iter().try_fold([*first; 2], |[d, e], f| {
        let (from_first, to_last) = (d.perp_dot(*f), f.perp_dot(e));
        if from_first >= -ROUNDED_ANGLE && to_last >= -ROUNDED_ANGLE && f.dot(d + e) > 0.0 {
            Some([d, e])
        } else if from_first > ROUNDED_ANGLE {
            Some([d, *f])
        } else if to_last > ROUNDED_ANGLE {
            Some([*f, e])
        } else {
            None
        }
    })
}

fn same(one: [DVec2; 2], other: [DVec2; 2]) -> bool {
    one.iter().zip(other).all(|(one, other)| (*one - other).length() <= 2.0 * ROUNDED_ANGLE)
}
