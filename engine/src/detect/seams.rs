//! Seams between shapes: where flush shapes of one body, or of bodies that stand side by side, make one surface.
//!
//! Material that keeps its place relative to a piece is part of the piece's surroundings: the other shapes of its body,
//! of whatever kind, and, where its body is fixed or kinematic and does not turn, the shapes of all bodies that move
//! like it. What a level is tiled with behaves as the whole would. Of a piece
//!
//! - an edge cannot be touched on the stretches that lie against or inside of that material;
//! - a vertex can be touched from the directions from which it is the nearest point of the whole, its own corner and
//!   all material around it taken together. On a straight seam, in an inner corner, in the middle of a neighbour's edge
//!   and inside of a neighbour that is none: what touches there touches the edges beside it.
//!
//! So a contact has no normal that points into a neighbour or that a flush one covers; `hiding` has the geometry. Flush
//! is what is closer than [`FLUSH`], whatever its sizes and however it is turned. A wider gap or step is real, and its
//! corners catch what meets them.
//!
//! Circles, capsules and half planes hide what lies in or against them, and hide nothing of themselves: they have no
//! corners to trip over. Ellipses take no part, nor do two polylines that cross. A body hides another one's corners
//! only where all that collide with the latter collide with the former, too.

use super::crowd::{Crowded, MOST_EDGES, MOST_PAIRS};
use super::hiding;
use super::solid::aabb;
use crate::math::Rotation;
use crate::model::{Body, BodyKind, Core, Filter, Motion, Piece, Seam};
use glam::DVec2;
use parry2d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::collections::BTreeMap;

/// Largest distance of two surfaces that are one, in half diagonals of the two pieces.
const FLUSH: f64 = 1e-9;
/// Rounding of a place, in units of ε times its coordinates: a sum of rotated coordinates.
const ROUNDED_PLACE: f64 = 8.0;

/// Which limit was exceeded, and what was counted: pairs of bodies, by index, with their numbers.
pub(super) type Beside = (Crowded, usize, Vec<([u32; 2], usize)>);

/// Where a body stands that forces do not move and that does not turn, relative to all that move like it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    /// How it moves: at a velocity, m/s, or to and fro about the origin.
    course: (DVec2, Motion),
    at: DVec2,
    angle: f64,
}

impl Stand {
    /// None of a body that forces or profiles move, or that turns.
    pub fn of(body: &Body) -> Option<Self> {
        let (at, velocity) = (body.pose.position, body.velocity);
        let (course, at) = match body.kind() {
            BodyKind::Dynamic => return None,
            BodyKind::Fixed => ((DVec2::ZERO, Motion::ConstantVelocity), at),
            BodyKind::Kinematic(_) if velocity.angular != 0.0 || !body.pose_profiles.is_empty() => {
                return None;
            }
            BodyKind::Kinematic(own @ Motion::ConstantVelocity) => ((velocity.linear, own), at),
            BodyKind::Kinematic(Motion::Sine { center, amplitude, frequency }) => {
                ((DVec2::ZERO, Motion::Sine { center: DVec2::ZERO, amplitude, frequency }), center)
            }
        };
        Some(Self { course, at, angle: body.pose.angle })
    }

    /// The numbers of the course, the same bits for equal ones.
    fn course_bits(&self) -> [u64; 8] {
        let (velocity, motion) = self.course;
        let [kind, center, amplitude, frequency] = match motion {
            Motion::ConstantVelocity => [DVec2::ZERO; 4],
            Motion::Sine { center, amplitude, frequency } => {
                [DVec2::ONE, center, amplitude, DVec2::splat(frequency)]
            }
        };
        let numbers =
            [velocity.x, velocity.y, kind.x, center.x, center.y, amplitude.x, amplitude.y, frequency.x];
        // Without −0.
        numbers.map(|number| (number + 0.0).to_bits())
    }
}

/// A piece among all that keep their places relative to it.
struct Placed<'a> {
    piece: &'a Piece,
    leaf: usize,
    body: u32,
    filter: Filter,
    /// Pieces of different groups move relative to each other.
    group: usize,
    rotation: Rotation,
    at: DVec2,
    low: DVec2,
    high: DVec2,
}

impl<'a> Placed<'a> {
    fn new(
        piece: &'a Piece,
        (leaf, body, filter): (usize, u32, Filter),
        group: usize,
        stand: Option<Stand>,
    ) -> Option<Self> {
        let (at, angle) = stand.map_or((DVec2::ZERO, 0.0), |stand| (stand.at, stand.angle));
        let rotation = Rotation::from_angle(angle);
        let (low, high) = match piece {
            Piece::Core(core) => {
                let places = core.vertices.iter().map(|p| at + rotation.apply(*p));
                places.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| {
                    (low.min(p - core.radius), high.max(p + core.radius))
                })
            }
            Piece::HalfPlane { .. } => (DVec2::NEG_INFINITY, DVec2::INFINITY),
            Piece::Ellipse(_) => return None,
        };
        Some(Self { piece, leaf, body, filter, group, rotation, at, low, high })
    }

    /// Whether it has corners and edges that others may hide.
    fn has_corners(&self) -> bool {
        matches!(self.piece, Piece::Core(core) if core.radius == 0.0 && !core.normals.is_empty())
    }

    /// How many edges it has, a curve one.
    fn edges(&self) -> usize {
        match self.piece {
            Piece::Core(core) => core.vertices.len(),
            Piece::Ellipse(_) | Piece::HalfPlane { .. } => 1,
        }
    }

    /// What its places are known to, and what two of its size may be apart and flush, m.
    fn tolerance(&self) -> f64 {
        if !self.low.is_finite() {
            return 0.0;
        }
        let largest = self.low.abs().max(self.high.abs()).max_element();
        0.5 * FLUSH * (self.high - self.low).length() + ROUNDED_PLACE * f64::EPSILON * largest
    }

    /// Describes the `other` piece in the axes of this piece's body.
    fn neighbour(&self, other: &Self) -> Option<Core> {
        if self.body == other.body {
            return hiding::placed(other.piece, |p| p, |m| m);
        }
        let turn = |m: DVec2| self.rotation.inverse_apply(other.rotation.apply(m));
        let apart = self.rotation.inverse_apply(other.at - self.at);
        hiding::placed(other.piece, |p| apart + turn(p), turn)
    }
}

/// The seams of `pieces`, each given by its body and its number there, that are more than those within their shapes, and whose
/// they are. `screens` says whether all that joints let collide with the second body may collide with the first one, too.
///
/// # Errors
/// More than [`MOST_PAIRS`] pairs of pieces beside each other, or more than [`MOST_EDGES`] pairs of their edges.
pub(super) fn find(
    bodies: &[Body],
    screens: impl Fn(u32, u32) -> bool,
    pieces: &[[u32; 2]],
) -> Result<Vec<(usize, Seam)>, Beside> {
    let placed = place(bodies, pieces);
    let mut pairs = neighbours(&placed, |of, other| {
        other.filter.covers(&of.filter) && (of.body == other.body || screens(other.body, of.body))
    })?;
    pairs.sort_unstable();
    let mut seams = Vec::new();
    for of_one in pairs.chunk_by(|[one, _], [other, _]| one == other) {
        let own = &placed[of_one[0][0]];
        let Piece::Core(core) = own.piece else { continue };
        let beside = of_one.iter().filter_map(|[_, other]| {
            let other = &placed[*other];
            Some((own.neighbour(other)?, own.tolerance() + other.tolerance()))
        });
        seams.extend(hiding::seam(core, &beside.collect::<Vec<_>>()).map(|seam| (own.leaf, seam)));
    }
    Ok(seams)
}

/// The pieces of all groups, each group by the left ends of its boxes.
fn place<'a>(bodies: &'a [Body], pieces: &[[u32; 2]]) -> Vec<Placed<'a>> {
    let mut courses = BTreeMap::new();
    let mut placed: Vec<_> = pieces
        .iter()
        .enumerate()
        .filter_map(|(index, &[body, piece])| {
            let stand = Stand::of(&bodies[body as usize]);
            let group = match &stand {
                // A group of its own, after those of all courses, of which there are at most as many as bodies.
                None => bodies.len() + body as usize,
                Some(stand) => {
                    let next = courses.len();
                    *courses.entry(stand.course_bits()).or_insert(next)
                }
            };
            let filter = bodies[body as usize].filter(piece);
            let piece = &bodies[body as usize].pieces()[piece as usize];
            Placed::new(piece, (index, body, filter), group, stand)
        })
        .collect();
    placed.sort_by(|one, other| one.group.cmp(&other.group).then(one.low.x.total_cmp(&other.low.x)));
    placed
}

/// Pairs of pieces, each with one whose boxes touch and that may hide some of it.
///
/// # Errors
/// As [`find`].
fn neighbours(
    placed: &[Placed<'_>],
    may_hide: impl Fn(&Placed<'_>, &Placed<'_>) -> bool,
) -> Result<Vec<[usize; 2]>, Beside> {
    let (mut pairs, mut looked, mut first, mut edges) = (Vec::<[usize; 2]>::new(), Vec::new(), 0, 0);
    let edges_of = |[of, by]: [usize; 2]| placed[of].edges() * placed[by].edges();
    for group in placed.chunk_by(|one, other| one.group == other.group) {
        // Most bodies are alone.
        let near = if group.len() > 1 { Near::of(group) } else { Near::default() };
        for (i, one) in group.iter().enumerate() {
            looked.clear();
            near.later(group, i, |j| looked.push(j));
            for &j in &looked {
                let other = &group[j];
                let ways = [([i, j], one, other), ([j, i], other, one)];
                for ([of, by], ..) in
                    ways.into_iter().filter(|(_, of, by)| of.has_corners() && may_hide(of, by))
                {
                    let pair = [first + of, first + by];
                    edges += edges_of(pair);
                    pairs.push(pair);
                }
            }
            let bodies = |pair: &[usize; 2]| {
                let [a, b] = pair.map(|index| placed[index].body);
                [a.min(b), a.max(b)]
            };
            if pairs.len() > MOST_PAIRS {
                let counted = pairs.iter().map(|pair| (bodies(pair), 1)).collect();
                return Err((Crowded::Pairs, MOST_PAIRS, counted));
            }
            if edges > MOST_EDGES {
                let counted = pairs.iter().map(|pair| (bodies(pair), edges_of(*pair))).collect();
                return Err((Crowded::Edges, MOST_EDGES, counted));
            }
        }
        first += group.len();
    }
    Ok(pairs)
}

/// The boxes of a group, those of half planes apart.
#[derive(Default)]
struct Near {
    tree: Bvh,
    unbounded: Vec<usize>,
    tolerance: f64,
}

impl Near {
    fn of(group: &[Placed<'_>]) -> Self {
        let (mut tree, mut unbounded) = (Bvh::new(), Vec::new());
        for (index, placed) in group.iter().enumerate() {
            if placed.low.is_finite() && placed.high.is_finite() {
                tree.insert(aabb(placed.low, placed.high), index as u32);
            } else {
                unbounded.push(index);
            }
        }
        tree.rebuild(&mut BvhWorkspace::default(), BvhBuildStrategy::Binned);
        let tolerance = group.iter().map(Placed::tolerance).fold(0.0, f64::max);
        Self { tree, unbounded, tolerance }
    }

    /// Calls `found` with each piece behind the `i`-th whose box touches that one's.
    fn later(&self, group: &[Placed<'_>], i: usize, mut found: impl FnMut(usize)) {
        let one = &group[i];
        let touches = |j: &usize| {
            let other = &group[*j];
            let apart = (other.low - one.high).max(one.low - other.high).max_element();
            *j > i && apart <= one.tolerance() + other.tolerance()
        };
        if self.unbounded.contains(&i) {
            return (i + 1..group.len()).filter(touches).for_each(found);
        }
        let grow = one.tolerance() + self.tolerance;
        let around = aabb(one.low - grow, one.high + grow);
        let boxed = self.tree.intersect_aabb(&around).map(|index| index as usize);
        boxed.chain(self.unbounded.iter().copied()).filter(touches).for_each(&mut found);
    }
}
