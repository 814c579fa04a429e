//! What a neighbouring piece hides of an edge or a vertex: the geometry of `seams`, in the axes of the body whose seams
//! are sought.
//!
//! An edge p + s t with the outward normal n, 0 ≤ s ≤ L, is hidden where the points just outside of it lie in the
//! neighbour: for a polygon of corners c_k and normals m_k where m_k·(p + s t − c_k) ≤ 0 for all k. An edge of the
//! neighbour along the same line hides it face to face (m_k·n < 0) and hides nothing back to back, where both are surface.
//!
//! A vertex has around it the directions in which material begins: those of its own two edges, and those of every
//! neighbour that it touches, two of a corner and three of the middle of an edge, ±t and −m. Something in the direction
//! m of it touches it where m·d ≤ 0 for all of them. If they all lie within less than half a turn, their outermost two
//! say so; else nothing touches there but the edges.

use super::solid::{Line, nearest_on_edges, nearest_on_segment};
use crate::model::{Core, Piece, Seam};
use glam::DVec2;

/// Sine of the angle below which two directions are one.
const ROUNDED_ANGLE: f64 = 1e-6;
/// Shorter stretches between two neighbours are none, in tolerances: each end is rounded, and each neighbour may be off by one.
const SLIT: f64 = 4.0;

/// A piece beside another in the other's axes, its points placed and its directions turned: a half plane as a core of
/// one point of its line, nothing of an ellipse, which has neither corners nor edges.
pub(super) fn placed(
    piece: &Piece,
    place: impl Fn(DVec2) -> DVec2,
    turn: impl Fn(DVec2) -> DVec2,
) -> Option<Core> {
    let (vertices, normals, radius) = match piece {
        Piece::Core(Core { vertices, normals, radius, .. }) => {
            let vertices = vertices.iter().map(|p| place(*p)).collect();
            (vertices, normals.iter().map(|m| turn(*m)).collect(), *radius)
        }
        Piece::HalfPlane { normal, offset } => {
            ([place(*offset * *normal)].into(), [turn(*normal)].into(), 0.0)
        }
        Piece::Ellipse(_) => return None,
    };
    Some(Core { vertices, normals, radius, seam: None })
}

/// The stretch that `other` hides of the edge along `line` of a `length`, m.
fn hides(other: &Core, line: &Line, length: f64, tolerance: f64) -> Option<[f64; 2]> {
    let outward = -line.along.perp();
    // Along a side. Face to face it may touch; back to back it has to lie below.
    let beside = |m: DVec2, height: f64, slope: f64| {
        let most = if m.dot(outward) < 0.0 { tolerance } else { -tolerance };
        (slope.abs() * length <= tolerance).then_some(height > most)
    };
    // A half plane is one point with a normal.
    let [low, high] = match (other.normals.len(), other.radius) {
        (2, 0.0) => return None, // a link of a polyline
        (1, _) => line.within(&other.vertices, &other.normals, beside)?,
        _ => line.within_core(other, beside)?,
    };
    let (low, high) = (low.max(0.0), high.min(length));
    (high - low > tolerance).then_some([low, high])
}

/// Adds the directions in which the material of `other` begins at `p`, none where it does not reach there; whether `p`
/// lies inside of it.
fn surrounds(other: &Core, p: DVec2, tolerance: f64, directions: &mut Vec<DVec2>) -> bool {
    let Core { vertices: corners, normals, radius, .. } = other;
    match (normals.len(), *radius) {
        (2, 0.0) => {
            let [a, b] = other.ends();
            let along = (b - a).normalize_or_zero();
            if (p - a).length() <= tolerance {
                directions.push(along);
            } else if (p - b).length() <= tolerance {
                directions.push(-along);
            } else if (p - nearest_on_segment(a, b, p)).length() <= tolerance {
                directions.extend([along, -along]);
            }
        }
        (_, radius) if radius > 0.0 => {
            let arm = p - nearest_on_edges(other, p);
            let height = arm.length() - radius;
            let deep =
                normals.len() > 2 && (0..normals.len()).all(|k| normals[k].dot(p - corners[k]) <= 0.0);
            if deep || height < -tolerance {
                return true;
            }
            if height <= tolerance {
                directions.extend(face(arm.normalize_or_zero()));
            }
        }
        (count, _) => {
            let height = |k: usize| normals[k].dot(p - corners[k]);
            if (0..count).any(|k| height(k) > tolerance) {
                return false;
            }
            let on = |k: usize| height(k) >= -tolerance;
            let Some(first) = (0..count).find(|k| on(*k)) else { return true };
            let before = |k: usize| (k + count - 1) % count;
            match (0..count).find(|k| count > 2 && on(*k) && on(before(*k))) {
                Some(corner) => {
                    directions.extend([normals[corner].perp(), -normals[before(corner)].perp()])
                }
                None => directions.extend(face(normals[first])),
            }
        }
    }
    false
}

/// The directions of the material below a surface with the outward normal `m`.
fn face(m: DVec2) -> [DVec2; 3] {
    [m.perp(), -m.perp(), -m]
}

/// The seams of `core` with those that it has within its shape, where `neighbours`, each with a tolerance in m, hide any more.
pub(super) fn seam(core: &Core, neighbours: &[(Core, f64)]) -> Option<Seam> {
    let (vertices, normals) = (&core.vertices, &core.normals);
    if core.radius > 0.0 || normals.is_empty() {
        return None;
    }
    let nothing_hidden = || Seam {
        sides: normals.iter().map(|_| Seam::OPEN.into()).collect(),
        cones: vertices.iter().map(|_| Some(Seam::FREE)).collect(),
        links: [None; 2],
    };
    let own = core.seam.clone().unwrap_or_else(nothing_hidden);
    let mut seam = own.clone();
    let next = |i: usize| (i + 1) % vertices.len();
    for (i, side) in seam.sides.iter_mut().enumerate().filter(|(_, side)| ***side == Seam::OPEN) {
        let line = Line { start: vertices[i], along: normals[i].perp() };
        let length = (vertices[next(i)] - vertices[i]).length();
        let hidden = neighbours.iter().filter_map(|(other, tolerance)| {
            hides(other, &line, length, *tolerance).map(|stretch| (stretch, *tolerance))
        });
        *side = open(hidden.collect(), length);
    }
    for (j, cone) in seam.cones.iter_mut().enumerate() {
        let mut directions = match *cone {
            None => continue,
            Some(cone) if cone != Seam::FREE => vec![cone[1], -cone[0]],
            _ if vertices.len() == 2 => vec![(vertices[next(j)] - vertices[j]).normalize_or_zero()],
            _ => {
                let before = (j + vertices.len() - 1) % vertices.len();
                vec![normals[j].perp(), -normals[before].perp()]
            }
        };
        let alone = outermost(&directions);
        let around =
            |(other, tolerance): &(Core, f64)| surrounds(other, vertices[j], *tolerance, &mut directions);
        // Every one of them adds its directions, until one hides all.
        let inside = neighbours.iter().any(around);
        match (inside, alone, outermost(&directions)) {
            (true, ..) => *cone = None,
            (_, Some(alone), Some(all)) if !same(alone, all) => *cone = Some([-all[1], all[0]]),
            (_, Some(_), None) => *cone = None,
            _ => {}
        }
    }
    (seam != own).then_some(seam)
}

/// The stretches that are left of an edge of the `length`, m, of which others are hidden, each known to a tolerance.
fn open(mut hidden: Vec<([f64; 2], f64)>, length: f64) -> Box<[[f64; 2]]> {
    if hidden.is_empty() {
        return Seam::OPEN.into();
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
    open.into()
}

/// The clockwise and the counter-clockwise one of the two directions between which, in less than half a turn, all lie;
/// twice the same of a single direction, none where they span half a turn or more.
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
