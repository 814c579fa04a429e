//! A link of a polyline as a part of the whole.
//!
//! A line has no inside, so a convex piece that overlaps one of its links may be pushed out on either side. Both sides are sides of the
//! whole polyline: the piece is on the same one for all links around it, and that is asked of the link that is nearest to its middle. Where
//! the polyline bends away from the piece, its links there are faces of one convex solid, from which the smallest translation that parts
//! the two leads: along the normal of one link, whose contact it is, or from a joint. The other links have no contact of their own.
//!
//! ```text
//!      ┌─────────────────┐            The box is on the left side of both links, since its middle is nearest to the first one. The
//!      │        ·        │            second link's right side is nearest to the box's upper right corner, and faces away.
//! ─────┼─────────────╲───┘
//!      └ ─ ─ ─ ─ ─ ─ ─╲ ┘
//!        link i        ╲ link i + 1
//! ```
//!
//! Everything is in the axes of the polyline's body. Side 0 of a link is on the right of the way along the polyline, side 1 on the left.

use super::solid::nearest_on_segment;
use crate::model::{Core, Frame, Piece};
use glam::DVec2;

/// Sine of the angle below which a joint is straight.
const STRAIGHT: f64 = 1e-12;

/// What comes near a polyline: a convex piece.
pub(super) trait Convex {
    /// Its middle, in the world, and the radius around that in which it lies, m.
    fn extent(&self) -> (DVec2, f64);
    /// The least n·(x − p) over its points x, m.
    fn lowest(&self, n: DVec2, p: DVec2) -> f64;
}

/// A link of a polyline that others continue, and the side of it on which a convex piece is.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pieces: &'a [Piece],
    frame: &'a Frame,
    own: u32,
    core: &'a Core,
    /// The side that the piece can touch.
    pub side: usize,
    /// The middle of the piece and its radius, m.
    middle: DVec2,
    radius: f64,
}

impl<'a> Link<'a> {
    /// None of a piece that is no such link.
    pub fn of(pieces: &'a [Piece], own: u32, frame: &'a Frame, piece: &impl Convex) -> Option<Self> {
        let core = core(pieces, own)?;
        core.seam.as_ref()?.links.iter().flatten().next()?;
        let (middle, radius) = piece.extent();
        let middle = frame.rotation.inverse_apply(middle - frame.position);
        let mut link = Self { pieces, frame, own, core, side: 0, middle, radius };
        link.side = link.side_of(piece);
        Some(link)
    }

    /// The links behind one end of this one, in their order, as far as they reach within `radius`, m, of the middle of the piece.
    fn beyond(self, end: usize, radius: f64) -> impl Iterator<Item = (u32, &'a Core)> {
        let Self { pieces, own, middle, core: first, .. } = self;
        let mut at = first;
        std::iter::from_fn(move || {
            let next = at.seam.as_ref()?.links[end].filter(|next| *next != own)?;
            at = core(pieces, next)?;
            (distance(at, middle) <= radius).then_some((next, at))
        })
    }

    /// The side of the nearest link: where its end is nearest, the side on which the joint is convex, and otherwise that of the smaller
    /// translation out of the polyline.
    fn side_of(&self, piece: &impl Convex) -> usize {
        let mut nearest = *self;
        let mut least = distance(self.core, self.middle);
        let radius = self.radius.max(least);
        for (own, core) in [0, 1].into_iter().flat_map(|end| self.beyond(end, radius)) {
            let distance = distance(core, self.middle);
            if distance < least {
                (nearest, least) = (Self { own, core, ..*self }, distance);
            }
        }
        let [a, b] = nearest.core.ends();
        let along = (self.middle - a).dot(b - a);
        let end = usize::from(along > 0.0);
        let at_end = along <= 0.0 || along >= (b - a).length_squared();
        let bend = bend(nearest.core, end);
        if at_end && bend.abs() > STRAIGHT {
            return usize::from(bend < 0.0);
        }
        let [right, left] = [0, 1].map(|side| {
            let link = Self { side, ..nearest };
            let own = link.separation(link.core, piece);
            link.convex_neighbours().map(|core| link.separation(core, piece)).fold(own, f64::max)
        });
        usize::from(left > right)
    }

    /// The separation along the normal of a link.
    fn separation(&self, link: &Core, piece: &impl Convex) -> f64 {
        let (Frame { rotation, position, .. }, side) = (*self.frame, self.side);
        piece.lowest(rotation.apply(link.normals[side]), position + rotation.apply(link.vertices[side]))
    }

    /// The links around that make one convex solid with this one on its side.
    fn convex_neighbours(self) -> impl Iterator<Item = &'a Core> {
        let Self { side, core, radius, .. } = self;
        [0, 1].into_iter().flat_map(move |end| {
            // By how much the normal turns from link to link where they bend away from the piece.
            let sense = if (side == 0) == (end == 1) { 1.0 } else { -1.0 };
            let first = core.normals[side];
            let mut before = first;
            self.beyond(end, radius).map(|(_, next)| next).take_while(move |next| {
                let normal = next.normals[side];
                let turns = |from: DVec2| sense * from.perp_dot(normal) >= -STRAIGHT;
                let folded = before.dot(normal) < 0.0 && before.perp_dot(normal).abs() <= STRAIGHT;
                let convex = turns(before) && turns(first) && !folded;
                before = normal;
                convex
            })
        })
    }

    /// Whether a joint or end of this link can be touched on the side on which the piece is.
    pub fn opens_vertex(&self, vertex: usize) -> bool {
        let bend = bend(self.core, vertex);
        bend.abs() <= STRAIGHT || usize::from(bend < 0.0) == self.side
    }

    /// Whether another link parts the two by a smaller translation than `separation`, m, by more than the `tolerance`.
    pub fn yields(&self, separation: f64, tolerance: f64, piece: &impl Convex) -> bool {
        self.convex_neighbours().any(|other| self.separation(other, piece) > separation + tolerance)
    }

    /// Whether the link at the other side of a joint lies more against the direction `n`, in the world; of two that do alike, the one that
    /// comes first counter-clockwise around the solid.
    pub fn leaves_joint(&self, vertex: usize, n: DVec2) -> bool {
        let Self { pieces, side, core: own, .. } = *self;
        let seam = own.seam.as_ref();
        let Some(next) = seam.and_then(|seam| core(pieces, seam.links[vertex]?)) else { return false };
        let n = self.frame.rotation.inverse_apply(n);
        let [own, other] = [own, next].map(|link| n.dot(link.normals[side]));
        other < own || other == own && vertex == side
    }
}

fn core(pieces: &[Piece], index: u32) -> Option<&Core> {
    match pieces.get(index as usize) {
        Some(Piece::Core(core)) => Some(core),
        _ => None,
    }
}

fn distance(link: &Core, p: DVec2) -> f64 {
    let [a, b] = link.ends();
    (p - nearest_on_segment(a, b, p)).length()
}

/// The sine by which the polyline turns left at a vertex of a link; 0 at its end.
fn bend(link: &Core, vertex: usize) -> f64 {
    let cone = link.seam.as_ref().and_then(|seam| seam.cones[vertex]);
    cone.map_or(0.0, |[arriving, leaving]| arriving.perp_dot(leaving))
}
