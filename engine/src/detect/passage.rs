//! Whether one of two pieces has passed through the other within a step: in at one side, and out at another or nearer to it.
//!
//! Followed are the middle of a piece and the points half way to its corners, on the straight way from where they were to where they are,
//! seen from the other piece; where it turns, on several straight ways. A piece that only grazes a corner does not bring them there. Two
//! that overlap or touch when the step begins pass nothing, and who ends inside of the body that he enters, nearer to where he came in, will be
//! pushed back.

use super::solid::nearest_on_segment;
use crate::math::Rotation;
use crate::model::{Body, Core, Frame, Piece};
use glam::{DVec2, DVec3};

/// Largest turn of a straight way, rad.
const TURN: f64 = 0.1;
/// Most straight ways of a step.
const MOST_WAYS: f64 = 64.0;

/// A piece of a body, with where that was and by how much it has moved.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a> {
    pub body: &'a Body,
    pub piece: &'a Piece,
    pub start: &'a Frame,
    pub by: DVec3,
}

/// Whether one has passed through the other.
pub(super) fn passes(one: Moved<'_>, other: Moved<'_>) -> bool {
    let turn = (one.by.z - other.by.z).abs().max(other.by.z.abs());
    let ways = (turn / TURN).ceil().clamp(1.0, MOST_WAYS);
    inner_points(one.piece).into_iter().any(|point| {
        let at = |way: f64| {
            let share = way / ways;
            let place = |moved: &Moved<'_>| {
                let by = share * moved.by;
                let rotation = Rotation::from_angle(moved.start.angle + by.z);
                (rotation, by.truncate())
            };
            let ((own, shift), (rotation, by)) = (place(&one), place(&other));
            let apart = one.start.position - other.start.position + (shift - by);
            rotation.inverse_apply(apart + own.apply(point))
        };
        let places = (0..=ways as usize).map(|way| at(way as f64));
        let lands_beside = |p: DVec2| other.body.pieces().iter().any(|piece| holds(piece, p));
        crosses(other.piece, places, lands_beside)
    })
}

/// The middle of a piece, and the points half way to its corners.
fn inner_points(piece: &Piece) -> Vec<DVec2> {
    match piece {
        Piece::Core(core) => {
            let middle = core.vertices.iter().sum::<DVec2>() / core.vertices.len() as f64;
            let halves = core.vertices.iter().map(|corner| 0.5 * (middle + *corner));
            let halves = halves.filter(|_| core.vertices.len() > 1);
            std::iter::once(middle).chain(halves).collect()
        }
        Piece::Ellipse(ellipse) => vec![ellipse.center],
        Piece::HalfPlane { .. } => Vec::new(),
    }
}

/// Whether a point that is at `places`, one after the other, passes through `piece`.
fn crosses(
    piece: &Piece,
    mut places: impl Iterator<Item = DVec2>,
    lands_beside: impl Fn(DVec2) -> bool,
) -> bool {
    let Some(start) = places.next() else { return false };
    if holds(piece, start) {
        return false;
    }
    let (mut last, mut entered, mut out) = (start, false, false);
    for place in places {
        if let Some([from, to]) = stretch(piece, last, place) {
            entered |= from > 0.0;
            out |= entered && to < 1.0;
        }
        last = place;
    }
    if out {
        return !lands_beside(last);
    }
    entered && holds(piece, last) && outward(piece, last).dot(last - start) > 0.0
}

/// Whether `p` lies inside of `piece`.
fn holds(piece: &Piece, p: DVec2) -> bool {
    match piece {
        Piece::Core(core) if core.vertices.len() > 2 => heights(core, p).all(|(height, _)| height < 0.0),
        Piece::Core(core) => (p - skeleton(core, p)).length() < core.radius,
        Piece::Ellipse(_) => {
            stretch(piece, p, p + DVec2::X).is_some_and(|[from, to]| from < 0.0 && to > 0.0)
        }
        Piece::HalfPlane { normal, offset } => normal.dot(p) < *offset,
    }
}

/// The direction in which the surface of `piece` is nearest to the point `p` inside.
fn outward(piece: &Piece, p: DVec2) -> DVec2 {
    match piece {
        Piece::Core(core) if core.vertices.len() > 2 => {
            let highest = heights(core, p).max_by(|(one, _), (other, _)| one.total_cmp(other));
            highest.map_or(DVec2::ZERO, |(_, normal)| normal)
        }
        Piece::Core(core) => p - skeleton(core, p),
        Piece::Ellipse(ellipse) => p - ellipse.center,
        Piece::HalfPlane { normal, .. } => *normal,
    }
}

fn heights(core: &Core, p: DVec2) -> impl Iterator<Item = (f64, DVec2)> {
    core.vertices.iter().zip(&core.normals).map(move |(corner, normal)| (normal.dot(p - *corner), *normal))
}

/// The point between the vertices of a circle, capsule or link that is nearest to `p`.
fn skeleton(core: &Core, p: DVec2) -> DVec2 {
    let (a, b) = (core.vertices[0], core.vertices[core.vertices.len() - 1]);
    nearest_on_segment(a, b, p)
}

/// Between which shares of the straight way from `p` to `q` the line through them is inside of `piece`; a line is crossed at one share.
fn stretch(piece: &Piece, p: DVec2, q: DVec2) -> Option<[f64; 2]> {
    let way = q - p;
    let inside = match piece {
        Piece::Core(core) if core.vertices.len() > 2 => {
            let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
            for (height, normal) in heights(core, p) {
                let slope = normal.dot(way);
                if slope == 0.0 {
                    to = if height >= 0.0 { f64::NEG_INFINITY } else { to };
                } else if slope > 0.0 {
                    to = to.min(-height / slope);
                } else {
                    from = from.max(-height / slope);
                }
            }
            [from, to]
        }
        Piece::Core(core) => {
            let (a, b) = (core.vertices[0], core.vertices[core.vertices.len() - 1]);
            let ends = [a, b].into_iter().filter_map(|end| disk(end - p, way, core.radius));
            // In the middle a capsule is crossed where its line is.
            let middle = Some(way.perp_dot(b - a)).filter(|turn| *turn != 0.0).and_then(|turn| {
                let (share, along) = ((a - p).perp_dot(b - a) / turn, (a - p).perp_dot(way) / turn);
                (0.0..=1.0).contains(&along).then_some([share, share])
            });
            ends.chain(middle).reduce(|[low, high], [from, to]| [low.min(from), high.max(to)])?
        }
        Piece::Ellipse(ellipse) => {
            // Stretched to a unit circle.
            let unit =
                |d: DVec2| DVec2::new(d.dot(ellipse.axis), d.dot(ellipse.axis.perp())) / ellipse.semi_axes;
            disk(unit(ellipse.center - p), unit(way), 1.0)?
        }
        Piece::HalfPlane { .. } => return None,
    };
    let [from, to] = inside;
    (from <= to && from <= 1.0 && to >= 0.0).then_some(inside)
}

/// Between which shares of `way` it is inside of a disk whose centre lies at `arm` from its start.
fn disk(arm: DVec2, way: DVec2, radius: f64) -> Option<[f64; 2]> {
    let squared = way.length_squared();
    let away = way.perp_dot(arm) / squared.sqrt();
    let half = (radius - away) * (radius + away) / squared;
    (half > 0.0).then(|| {
        let (middle, half) = (way.dot(arm) / squared, half.sqrt());
        [middle - half, middle + half]
    })
}
