//! Which fast pairs meet within a step, and by which features.
//!
//! **When.** Conservative advancement [Mirtich 1996]: from a pose with the gap φ along n nothing touches for another
//! φ/(n·(Δx_a − Δx_b) + |Δθ_a| R_a + |Δθ_b| R_b) of the step. A pair that misses each other has no contact, however fast it is, so that
//! nothing is stopped in the air. The features that meet are the contact, with their gap at the beginning of the step.
//!
//! **In which order.** A body that meets something is stopped or turned there. What lies behind, it would only have met on its old way: the
//! way is bent, for those who come later, along all that was met before or touches to begin with, Δx ← Δx − n (n·Δx). Who is met on the bent
//! way, as the second wall of a corner is, is met. Who is not gets a late contact, which rebounds from nothing, so that no impact goes
//! through a wall, and stops whoever comes as far in spite of all.

use super::fast::{Fast, width};
use super::feature::Feature;
use super::gap::Contact;
use super::graph::Candidate;
use super::pair::{Corners, Pair};
use super::shapes::{Leaf, Shapes, place_core};
use crate::math::Rotation;
use crate::model::{ContactId, Frame, Piece, Seam, World};
use glam::{DVec2, DVec3};

/// Most advances until a pair counts as meeting where it is; each leaves a fraction of the gap.
const ROUNDS: usize = 50;
/// Gap at which two pieces meet, in widths of the thinner one, where the reach of contacts is not larger.
const MET: f64 = 1e-3;

/// Memory for the meetings of a step.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    hits: Vec<Hit>,
    obstacles: Vec<Obstacle>,
}

/// A pair that meets on its straight way.
#[derive(Clone, Copy, Debug)]
struct Hit {
    pair: [u32; 2],
    share: f64,
}

/// Something in the way of a body, in the direction `normal`, from a share of the step on.
#[derive(Clone, Copy, Debug)]
struct Obstacle {
    body: u32,
    /// The other one's body and piece.
    other: [u32; 2],
    share: f64,
    normal: DVec2,
}

impl Meetings {
    /// Begins with what touches already.
    pub fn begin<'a>(&mut self, touching: impl Iterator<Item = &'a Candidate>) {
        self.obstacles.clear();
        for Candidate { contact: Contact { id, .. }, gap, .. } in touching {
            self.add(id.bodies, id.pieces, 0.0, gap.normal);
        }
    }

    fn add(&mut self, bodies: [u32; 2], pieces: [u32; 2], share: f64, normal: DVec2) {
        let [a, b] = [0, 1].map(|side| [bodies[side], pieces[side]]);
        self.obstacles.push(Obstacle { body: bodies[0], other: b, share, normal });
        self.obstacles.push(Obstacle { body: bodies[1], other: a, share, normal: -normal });
    }

    /// What `body` moves by behind the obstacles before `share`, without `other`, and from when on; nothing where there are none.
    fn bend(
        &self,
        (body, other): (u32, [u32; 2]),
        share: f64,
        by: impl Fn(usize) -> DVec3,
    ) -> Option<(f64, DVec3)> {
        let ahead = |obstacle: &&Obstacle| {
            obstacle.body == body && obstacle.other != other && obstacle.share <= share
        };
        let (mut bent, mut from) = (by(body as usize), f64::INFINITY);
        for Obstacle { other: [other, _], share, normal, .. } in self.obstacles.iter().filter(ahead) {
            let closing = normal.dot((bent - by(*other as usize)).truncate());
            if closing > 0.0 {
                bent -= (closing * *normal).extend(0.0);
                from = from.min(*share);
            }
        }
        from.is_finite().then_some((from, bent))
    }
}

impl Fast {
    /// Makes `contacts` those of the listed pairs that are farther apart than `distance`, m, and meet on the way.
    pub fn meet(
        &mut self,
        shapes: &Shapes,
        (world, frames): (&World, &[Frame]),
        by: impl Fn(usize) -> DVec3 + Copy,
        distance: f64,
    ) {
        self.meetings.hits.clear();
        let at = |pair: [u32; 2]| {
            let leaves = pair.map(|leaf| &shapes.leaves[leaf as usize]);
            let bodies = leaves.map(|leaf| leaf.body as usize);
            (leaves, Way { starts: bodies.map(|body| frames[body]), by: bodies.map(by) })
        };
        for index in 0..self.pairs.len() {
            let (leaves, way) = at(self.pairs[index]);
            if let Some(share) = self.advance(world, leaves, &way, distance) {
                self.meetings.hits.push(Hit { pair: self.pairs[index], share });
            }
        }
        let order =
            |one: &Hit, other: &Hit| one.share.total_cmp(&other.share).then(one.pair.cmp(&other.pair));
        self.meetings.hits.sort_unstable_by(order);
        for index in 0..self.meetings.hits.len() {
            let Hit { pair, share } = self.meetings.hits[index];
            let (leaves, way) = at(pair);
            let [a, b] = leaves.map(|leaf| [leaf.body, leaf.piece]);
            let bends = [(a, b), (b, a)].map(|(own, other)| self.meetings.bend((own[0], other), share, by));
            let from = bends.iter().flatten().map(|(from, _)| *from).fold(f64::INFINITY, f64::min);
            let bent = from.is_finite().then(|| {
                let moved = [0, 1].map(|side| bends[side].map_or(way.by[side], |(_, by)| by));
                Way { starts: way.at(from), by: moved.map(|by| (1.0 - from) * by) }
            });
            let on_the_bent = bent.and_then(|bent| {
                let rest = self.advance(world, leaves, &bent, f64::NEG_INFINITY)?;
                Some((from + rest * (1.0 - from), bent.at(rest)))
            });
            let late = from.is_finite() && on_the_bent.is_none();
            let (share, poses) = on_the_bent.unwrap_or_else(|| (share, way.at(share)));
            let near = self.near(leaves, distance);
            let first = self.contacts.len();
            self.emit(shapes, world, (leaves, [&way.starts, &poses]), near, late);
            if let Some(Contact { id, .. }) = self.contacts.get(first)
                && !late
            {
                let (bodies, pieces) = (id.bodies, id.pieces);
                let (_, normal, _) = self.contacts[first].place(world.bodies(), &poses[0], &poses[1]);
                self.meetings.add(bodies, pieces, share, normal);
            }
        }
        self.contacts.sort_unstable_by_key(|contact| contact.id);
    }

    fn near(&self, leaves: [&Leaf; 2], distance: f64) -> f64 {
        distance.max(MET * width(leaves[0], leaves[1]))
    }

    /// The share of the way after which two pieces meet; nothing where they do not, or are within `distance`, m, when it begins.
    fn advance(&mut self, world: &World, leaves: [&Leaf; 2], way: &Way, distance: f64) -> Option<f64> {
        let near = self.near(leaves, distance);
        let [a, b] = way.by;
        let turning = a.z.abs() * leaves[0].arm + b.z.abs() * leaves[1].arm;
        let mut at = 0.0;
        for round in 0..ROUNDS {
            let frames = way.at(at);
            self.place(world, leaves, &frames);
            let pair = Pair { bodies: world.bodies(), frames: [&frames[0], &frames[1]], leaves };
            let mut nearest = (f64::INFINITY, DVec2::ZERO);
            // Each as if it were alone: how far they are apart is no matter of seams.
            pair.touch(&self.corners(None, DVec2::ZERO), f64::INFINITY, &mut [0; 2], |features, normal| {
                let contact = contact(leaves, features, normal, false);
                let (phi, n, _) = contact.place(world.bodies(), &frames[0], &frames[1]);
                if phi < nearest.0 {
                    nearest = (phi, n);
                }
            });
            let (phi, n) = nearest;
            let rate = n.dot((a - b).truncate()) + turning;
            if round == 0 && phi <= distance || rate <= 0.0 {
                return None;
            }
            if phi <= near {
                return Some(at);
            }
            at += phi / rate;
            if at > 1.0 {
                return None;
            }
        }
        Some(at)
    }

    /// Adds the contacts of two pieces that come from `starts` and are at `poses`.
    fn emit(
        &mut self,
        shapes: &Shapes,
        world: &World,
        (leaves, [starts, poses]): ([&Leaf; 2], [&[Frame; 2]; 2]),
        near: f64,
        late: bool,
    ) {
        self.place(world, leaves, poses);
        let moved = |side: usize| poses[side].position - starts[side].position;
        let pair = Pair { bodies: world.bodies(), frames: [&poses[0], &poses[1]], leaves };
        let mut contacts = std::mem::take(&mut self.contacts);
        let corners = self.corners(Some(&shapes.seams), moved(1) - moved(0));
        pair.touch(&corners, near, &mut [0; 2], |features, normal| {
            contacts.push(contact(leaves, features, normal, late));
        });
        self.contacts = contacts;
    }

    fn corners<'a>(&'a self, seams: Option<&'a [Seam]>, moved: DVec2) -> Corners<'a> {
        Corners { vertices: &self.vertices, normals: &self.normals, seams, moved }
    }

    fn place(&mut self, world: &World, leaves: [&Leaf; 2], frames: &[Frame; 2]) {
        for (leaf, frame) in leaves.into_iter().zip(frames) {
            if let Piece::Core(core) = &world.bodies()[leaf.body as usize].pieces()[leaf.piece as usize] {
                place_core(core, frame, &mut self.vertices[leaf.first..], &mut self.normals[leaf.first..]);
            }
        }
    }
}

fn contact(leaves: [&Leaf; 2], features: [Feature; 2], normal: DVec2, late: bool) -> Contact {
    let (bodies, pieces) = (leaves.map(|leaf| leaf.body), leaves.map(|leaf| leaf.piece));
    Contact { id: ContactId { bodies, pieces, features: features.map(Feature::code) }, normal, late }
}

/// Where two bodies are, and what they move by.
struct Way {
    starts: [Frame; 2],
    by: [DVec3; 2],
}

impl Way {
    /// The frames after a share of it.
    fn at(&self, share: f64) -> [Frame; 2] {
        [0, 1].map(|side| {
            let (start, by) = (self.starts[side], share * self.by[side]);
            let angle = start.angle + by.z;
            let rotation = Rotation::from_angle(angle);
            Frame { position: start.position + by.truncate(), angle, rotation, ..start }
        })
    }
}
