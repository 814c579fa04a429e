//! Pairs that move farther within a step than the thinner of the two is thick: no look at one pose tells that they meet.
//!
//! ```text
//! |Δx_a − Δx_b| + |Δθ_a| R_a + |Δθ_b| R_b  >  min(d_a, d_b)
//! ```
//!
//! Δ is what a body moves within the step, R how far the corners of a piece are from the centre of mass, d the piece's
//! width; a line has none, and counts half of what crosses it. Whoever moves less is pushed back out on the side that
//! he came from: half of both widths together is no less than the smaller one, and a half plane pushes out of any depth.
//!
//! `meeting` follows them on their ways, before a step. Looked for after it is whether one of two pieces has passed
//! through the other: in at one side, and out at another or nearer to it. Followed are the middle of a piece and the
//! points half way to its corners, on the straight way from where they were to where they are, seen from the other
//! piece; where it turns, on several straight ways. A piece that only grazes a corner does not bring them there. Two
//! that overlap or touch when the step begins pass nothing, and who ends inside of the body that he enters, nearer to
//! where he came in, will be pushed back.

use super::contact_graph::Filter;
use super::nearest::of_piece;
use super::shapes::{Leaf, Shapes, place};
use super::solid::Line;
use crate::math::Rotation;
use crate::model::{Body, Frame, Piece, World};
use glam::{DVec2, DVec3};

/// Most pairs that are followed in a step; where more are as fast, a motion has long been lost.
const MOST: usize = 1 << 16;
/// Largest turn of a straight way, rad: the chord then leaves its arc by 1/800 of the radius.
const TURN: f64 = 0.1;
/// Most straight ways of a step: those of a whole turn, beyond which a piece is at the same angles again.
const MOST_WAYS: f64 = 64.0;

/// The fast pairs of a step.
pub(super) struct Fast {
    /// The shapes, to be placed anew.
    pub shapes: Shapes,
    pub pairs: Vec<[u32; 2]>,
}

impl Shapes {
    /// Whether two pieces may be fast where the bodies move by `by`. Nobody is where that is no number.
    pub fn any_fast(&self, by: impl Fn(usize) -> DVec3) -> bool {
        let (mut first, mut second) = (0.0, 0.0);
        for leaf in &self.leaves {
            let by = by(leaf.body as usize);
            let travel = by.x.abs() + by.y.abs() + by.z.abs() * leaf.arm;
            if travel > first {
                (first, second) = (travel, first);
            } else if travel > second {
                second = travel;
            }
        }
        first + second > self.thinnest && (first + second).is_finite()
    }
}

/// The width that a pair has to move by to be fast, m.
pub(super) fn width(a: &Leaf, b: &Leaf) -> f64 {
    let least = a.width.min(b.width);
    if least > 0.0 { least } else { 0.5 * a.width.max(b.width) }
}

impl Fast {
    /// The fast pairs whose paths may cross, of bodies that are at the frames of `at` and move by `by`; none where
    /// nobody is fast.
    pub fn find(
        shapes: &Shapes,
        (filter, world): (&Filter, &World),
        at: impl Fn(usize) -> Frame,
        by: impl Fn(usize) -> DVec3,
    ) -> Option<Self> {
        if !shapes.any_fast(&by) {
            return None;
        }
        let mut shapes = shapes.clone();
        let Shapes { leaves, vertices, normals, .. } = &mut shapes;
        // The boxes of what each piece sweeps over, by their left ends, with its index.
        let mut swept = Vec::new();
        for (index, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| leaf.radius.is_finite()) {
            let (frame, by) = (at(leaf.body as usize), by(leaf.body as usize));
            let piece = leaf.of(world.bodies());
            let (low, high) = place(piece, &frame, &mut vertices[leaf.first..], &mut normals[leaf.first..]);
            let turned = (by.z.abs() * leaf.arm).min(2.0 * leaf.arm);
            let (back, on) = (by.truncate().min(DVec2::ZERO), by.truncate().max(DVec2::ZERO));
            swept.push(([low + back - turned, high + on + turned], index as u32));
        }
        swept.sort_by(|([one, _], _), ([other, _], _)| one.x.total_cmp(&other.x));
        let mut pairs = Vec::new();
        'pieces: for (k, ([_, high], i)) in swept.iter().enumerate() {
            for ([low, top], j) in swept[k + 1..].iter().take_while(|([low, _], _)| low.x <= high.x) {
                let pair = [*i.min(j), *i.max(j)];
                let leaves = pair.map(|leaf| &leaves[leaf as usize]);
                let [a, b] = leaves.map(|leaf| by(leaf.body as usize));
                let relative =
                    (a - b).truncate().length() + a.z.abs() * leaves[0].arm + b.z.abs() * leaves[1].arm;
                let apart = low.y > high.y || top.y < swept[k].0[0].y;
                if !apart
                    && relative > width(leaves[0], leaves[1])
                    && filter.passes(world, leaves[0], leaves[1])
                {
                    if pairs.len() == MOST {
                        break 'pieces;
                    }
                    pairs.push(pair);
                }
            }
        }
        pairs.sort_unstable();
        Some(Self { shapes, pairs })
    }
}

/// Where two bodies are, and what they move by.
pub(super) struct Way {
    pub starts: [Frame; 2],
    pub by: [DVec3; 2],
}

impl Way {
    /// The frames after a share of it.
    pub fn at(&self, share: f64) -> [Frame; 2] {
        [0, 1].map(|side| {
            let (start, by) = (self.starts[side], share * self.by[side]);
            let angle = start.angle + by.z;
            let rotation = Rotation::from_angle(angle);
            Frame { position: start.position + by.truncate(), angle, rotation, ..start }
        })
    }

    /// Whether one of two pieces, each given with its body, passes through the other.
    pub fn passes(&self, pieces: [(&Body, &Piece); 2]) -> bool {
        [0, 1].into_iter().any(|side| {
            let [own, other] = [self.by[side].z, self.by[1 - side].z];
            let ways = ((own - other).abs().max(other.abs()) / TURN).ceil().clamp(1.0, MOST_WAYS);
            let frames: Vec<_> = (0..=ways as usize).map(|k| self.at(k as f64 / ways)).collect();
            inner_points(pieces[side].1).into_iter().any(|point| {
                let places = frames.iter().map(|frames| {
                    let [own, other] = [&frames[side], &frames[1 - side]];
                    other.rotation.inverse_apply(own.position - other.position + own.rotation.apply(point))
                });
                crosses(pieces[1 - side], places)
            })
        })
    }
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

/// Whether a point that is at `places`, one after the other, passes through `piece` of a body.
fn crosses((body, piece): (&Body, &Piece), mut places: impl Iterator<Item = DVec2>) -> bool {
    let Some(start) = places.next() else { return false };
    if of_piece(body, piece, start).1 < 0.0 {
        return false;
    }
    let (mut last, mut entered, mut out) = (start, false, false);
    for place in places {
        let (way, line) =
            (last.distance(place), Line { start: last, along: (place - last).normalize_or_zero() });
        if let Some([from, to]) = line.inside(piece).filter(|[from, to]| *from <= way && *to >= 0.0) {
            entered |= from > 0.0;
            out |= entered && to < way;
        }
        last = place;
    }
    if out {
        return !body.pieces().iter().any(|piece| of_piece(body, piece, last).1 < 0.0);
    }
    let (surface, distance) = of_piece(body, piece, last);
    entered && distance < 0.0 && (surface - last).dot(last - start) > 0.0
}
