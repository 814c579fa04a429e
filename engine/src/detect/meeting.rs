//! Which fast pairs meet within a step, and by which features.
//!
//! **When.** Conservative advancement [Mirtich 1996]: from a pose with the gap φ along n nothing touches for another
//! φ/(n·(Δx_a − Δx_b) + |Δθ_a| R_a + |Δθ_b| R_b) of the step. A pair that misses each other has no contact, however
//! fast it is, so that nothing is stopped in the air. The features that meet are the contact, with their gap at the
//! beginning of the step.
//!
//! **In which order.** A body that meets something is stopped or turned there. What lies behind, it would only have met
//! on its old way: the way is bent, for those who come later, along all that was met before or touches to begin with,
//! Δx ← Δx − n (n·Δx). Who is met on the bent way, as the second wall of a corner is, is met. Who is not gets a late
//! contact, which rebounds from nothing, so that no impact goes through a wall, and stops whoever comes as far in spite of all.

use super::contact_graph::Candidate;
use super::fast::{Fast, Way, width};
use super::gap::Contact;
use super::pair::{PiecePair, contact};
use super::shapes::{self, Leaf, Shapes};
use crate::model::{Frame, World};
use glam::{DVec2, DVec3};

/// Most advances until a pair counts as meeting where it is; each leaves a fraction of the gap.
const ROUNDS: usize = 50;
/// Gap at which two pieces meet, in widths of the thinner one, where the reach of contacts is not larger.
const MET: f64 = 1e-3;

/// What meets in a step.
#[derive(Default)]
struct Meetings {
    obstacles: Vec<Obstacle>,
    contacts: Vec<Contact>,
}

/// Something in the way of a body, in the direction `normal`, from a share of the step on.
#[derive(Clone, Copy, Debug)]
struct Obstacle {
    body: u32,
    /// Body and piece of the partner.
    other: [u32; 2],
    share: f64,
    normal: DVec2,
}

/// The contacts of the pairs that are `fast`, farther apart than `distance`, m, and meet on the way, sorted by their identities;
/// `touching` are those of all pairs that are not.
pub(super) fn find<'a>(
    Fast { shapes: mut placed, pairs }: Fast,
    (shapes, touching): (&Shapes, impl Iterator<Item = &'a Candidate>),
    (world, frames): (&World, &[Frame]),
    by: impl Fn(usize) -> DVec3 + Copy,
    distance: f64,
) -> Vec<Contact> {
    let at = |pair: [u32; 2]| {
        let leaves = pair.map(|leaf| &shapes.leaves[leaf as usize]);
        let bodies = leaves.map(|leaf| leaf.body as usize);
        (leaves, Way { starts: bodies.map(|body| frames[body]), by: bodies.map(by) })
    };
    // The pairs that meet on their straight way, after a share of it, in this order.
    let mut hits = Vec::new();
    for pair in pairs {
        let (leaves, way) = at(pair);
        hits.extend(advance(&mut placed, world, leaves, &way, distance).map(|share| (share, pair)));
    }
    hits.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let mut meetings = Meetings::default();
    for Candidate { contact: Contact { id, indices, .. }, gap, .. } in touching {
        meetings.add(*indices, id.pieces, 0.0, gap.normal);
    }
    for (share, pair) in hits {
        let (leaves, way) = at(pair);
        meetings.meet(&mut placed, world, (leaves, way, share), by, distance);
    }
    meetings.contacts.sort_unstable_by_key(|contact| contact.id);
    meetings.contacts
}

impl Meetings {
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

    /// Adds the contacts of two pieces that meet on their straight way after a share of it.
    fn meet(
        &mut self,
        placed: &mut Shapes,
        world: &World,
        (leaves, way, straight): ([&Leaf; 2], Way, f64),
        by: impl Fn(usize) -> DVec3 + Copy,
        distance: f64,
    ) {
        let [a, b] = leaves.map(|leaf| [leaf.body, leaf.piece]);
        let bends = [(a, b), (b, a)].map(|(own, other)| self.bend((own[0], other), straight, by));
        let from = bends.iter().flatten().map(|(from, _)| *from).fold(f64::INFINITY, f64::min);
        let (mut share, mut poses, mut late) = (straight, way.at(straight), false);
        if from.is_finite() {
            let moved = [0, 1].map(|side| bends[side].map_or(way.by[side], |(_, by)| by));
            let bent = Way { starts: way.at(from), by: moved.map(|by| (1.0 - from) * by) };
            match advance(placed, world, leaves, &bent, f64::NEG_INFINITY) {
                Some(rest) => (share, poses) = (from + rest * (1.0 - from), bent.at(rest)),
                None => late = true,
            }
        }
        place(placed, world, leaves, &poses);
        let moved = |side: usize| poses[side].position - way.starts[side].position;
        let pair = PiecePair { bodies: world.bodies(), frames: [&poses[0], &poses[1]], leaves };
        let moved = moved(1) - moved(0);
        let (first, contacts) = (self.contacts.len(), &mut self.contacts);
        pair.touch(placed, Some(moved), near(leaves, distance), |features, normal| {
            contacts.push(contact(leaves, features, normal, late));
        });
        if let (Some(contact), false) = (self.contacts.get(first), late) {
            let gap = contact.gap(world.bodies(), &poses[0], &poses[1]);
            self.add(contact.indices, contact.id.pieces, share, gap.normal);
        }
    }
}

/// The gap at which two pieces meet, m.
fn near(leaves: [&Leaf; 2], distance: f64) -> f64 {
    distance.max(MET * width(leaves[0], leaves[1]))
}

/// The share of the way after which two pieces meet; nothing where they do not, or are within `distance`, m, when it begins.
fn advance(
    placed: &mut Shapes,
    world: &World,
    leaves: [&Leaf; 2],
    way: &Way,
    distance: f64,
) -> Option<f64> {
    let near = near(leaves, distance);
    let [a, b] = way.by;
    let turning = a.z.abs() * leaves[0].arm + b.z.abs() * leaves[1].arm;
    let mut at = 0.0;
    for round in 0..ROUNDS {
        let frames = way.at(at);
        place(placed, world, leaves, &frames);
        let pair = PiecePair { bodies: world.bodies(), frames: [&frames[0], &frames[1]], leaves };
        let (mut phi, mut n) = (f64::INFINITY, DVec2::ZERO);
        pair.touch(placed, None, f64::INFINITY, |features, normal| {
            let contact = contact(leaves, features, normal, false);
            let gap = contact.gap(world.bodies(), &frames[0], &frames[1]);
            if gap.phi < phi {
                (phi, n) = (gap.phi, gap.normal);
            }
        });
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

fn place(placed: &mut Shapes, world: &World, leaves: [&Leaf; 2], frames: &[Frame; 2]) {
    for (leaf, frame) in leaves.into_iter().zip(frames) {
        let (vertices, normals) = (&mut placed.vertices[leaf.first..], &mut placed.normals[leaf.first..]);
        shapes::place(leaf.of(world.bodies()), frame, vertices, normals);
    }
}
