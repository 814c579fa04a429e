//! A link of a polyline as a part of the whole.
//!
//! A line has no inside, so a convex piece that overlaps one of its links may be pushed out on either side. Both sides
//! are sides of the whole polyline: the piece is on the same one for all links around it, and that is asked of the link
//! that is nearest to its middle. Where the polyline bends away from the piece, its links there are faces of one convex
//! solid, from which the smallest translation that parts the two leads: along the normal of one link, whose contact it
//! is, or from a joint. The other links have no contact of their own. In a valley, where such stretches meet, the piece
//! has to leave all of them.
//!
//! ```text
//!      ┌─────────────────┐            The box is on the left side of both links, since its middle is nearest to
//!      │        ·        │            the first one. The second link's right side is nearest to the box's upper
//! ─────┼─────────────╲───┘            right corner, and faces away.
//!      └ ─ ─ ─ ─ ─ ─ ─╲ ┘
//!        link i        ╲ link i + 1
//! ```
//!
//! Everything is in the axes of the polyline's body. Side 0 of a link is on the right of the way along the polyline,
//! side 1 on the left.

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
    /// The largest height of a point above one of its edges whose inward normal is `open`; −∞ where it has none.
    fn height(&self, p: DVec2, open: impl Fn(DVec2) -> bool) -> f64;
    /// Whether none of its edges parts it from a segment.
    fn reaches(&self, ends: [DVec2; 2]) -> bool;
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

    /// The side of the smaller translation out of the polyline, as far as it is around the piece.
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
        let [right, left] = [0, 1].map(|side| Self { side, ..nearest }.translation(piece));
        usize::from(left > right)
    }

    /// The separation on this side from all links around: of a convex stretch the largest one, of several stretches
    /// that the piece meets the least.
    fn translation(self, piece: &impl Convex) -> f64 {
        let (mut own, mut others) = (self.separation(self.core, piece), f64::INFINITY);
        for end in [0, 1] {
            let (mut before, mut stretch) = (self.core, None::<(f64, bool)>);
            for (_, next) in self.beyond(end, self.radius) {
                let mut separation = self.separation(next, piece);
                let met = |met: bool| met || self.meets(next, piece);
                if self.bends_away(end, before, next) {
                    separation = separation.max(self.distance_from_joint(next, 1 - end, piece));
                    match &mut stretch {
                        Some(stretch) => *stretch = (stretch.0.max(separation), met(stretch.1)),
                        None => own = own.max(separation),
                    }
                } else {
                    others = least(others, stretch.replace((separation, met(false))));
                }
                before = next;
            }
            others = least(others, stretch);
        }
        own.min(others)
    }

    /// Whether a link lies in the piece, in part.
    fn meets(self, link: &Core, piece: &impl Convex) -> bool {
        let Frame { rotation, position, .. } = *self.frame;
        let crossed = [0, 1].into_iter().all(|side| Self { side, ..self }.separation(link, piece) <= 0.0);
        crossed && piece.reaches(link.ends().map(|p| position + rotation.apply(p)))
    }

    /// The separation of the piece from a vertex of a link along the normals of the piece's edges.
    fn distance_from_joint(self, link: &Core, vertex: usize, piece: &impl Convex) -> f64 {
        let Frame { rotation, position, .. } = *self.frame;
        let open = |m: DVec2| {
            let m = rotation.inverse_apply(m);
            let cone = link.seam.as_ref().is_none_or(|seam| seam.exposes_vertex(vertex, m));
            // A straight joint is open on both sides.
            cone && (m.dot(link.normals[self.side]) > 0.0 || bend(link, vertex).abs() > STRAIGHT)
        };
        piece.height(position + rotation.apply(link.vertices[vertex]), open)
    }

    /// Whether the polyline bends away from the piece, or goes straight on, from one link to the next one towards an end.
    fn bends_away(self, end: usize, from: &Core, next: &Core) -> bool {
        let [from, next] = [from, next].map(|link| link.normals[self.side]);
        // By how much the normal turns where it does.
        let sense = if (self.side == 0) == (end == 1) { 1.0 } else { -1.0 };
        let turn = sense * from.perp_dot(next);
        turn > STRAIGHT || turn >= -STRAIGHT && from.dot(next) > 0.0
    }

    /// The separation along the normal of a link.
    fn separation(&self, link: &Core, piece: &impl Convex) -> f64 {
        let (Frame { rotation, position, .. }, side) = (*self.frame, self.side);
        piece.lowest(rotation.apply(link.normals[side]), position + rotation.apply(link.vertices[side]))
    }

    /// The links around that make one convex solid with this one on its side.
    fn convex_neighbours(self) -> impl Iterator<Item = &'a Core> {
        [0, 1].into_iter().flat_map(move |end| {
            let mut before = self.core;
            self.beyond(end, self.radius).map(|(_, next)| next).take_while(move |next| {
                // No more than half a turn from this link.
                let [first, normal] = [self.core, *next].map(|link| link.normals[self.side]);
                let half = self.bends_away(end, self.core, next)
                    || first.dot(normal) < 0.0 && first.perp_dot(normal).abs() <= STRAIGHT;
                let convex = half && self.bends_away(end, before, next);
                before = *next;
                convex
            })
        })
    }

    /// Whether a joint or end of this link can be touched on the side on which the piece is.
    pub fn opens_vertex(&self, vertex: usize) -> bool {
        let bend = bend(self.core, vertex);
        bend.abs() <= STRAIGHT || usize::from(bend < 0.0) == self.side
    }

    /// Whether another link, which the piece meets, parts the two by a smaller translation than `separation`, m, by
    /// more than the `tolerance`.
    pub fn yields(&self, separation: f64, tolerance: f64, piece: &impl Convex) -> bool {
        let parts = |other: &Core| self.separation(other, piece) > separation + tolerance;
        self.convex_neighbours().any(|other| parts(other) && self.meets(other, piece))
    }

    /// Whether a joint lies in the piece, so that both of its links do, and the other one lies more against the
    /// direction `n`, in the world; of two that do alike, the one that comes first counter-clockwise around the solid.
    pub fn leaves_joint(&self, vertex: usize, n: DVec2, tolerance: f64, piece: &impl Convex) -> bool {
        let Self { pieces, side, core: own, .. } = *self;
        let Frame { rotation, position, .. } = *self.frame;
        if piece.height(position + rotation.apply(own.vertices[vertex]), |_| true) > tolerance {
            return false;
        }
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

/// The smaller one of a separation and that from a stretch, if the piece meets it.
fn least(separation: f64, stretch: Option<(f64, bool)>) -> f64 {
    stretch.filter(|(_, met)| *met).map_or(separation, |(other, _)| separation.min(other))
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
