//! Which bodies never collide: the two bodies of a joint, unless it allows them to; bodies that both stand still or
//! follow prescribed motions; bodies that do not collide at all; bodies of one negative group.

use crate::model::{Body, Piece, Revision, World};
use std::sync::Arc;

/// Whether any two bodies of `world` may collide, wherever they come to be.
pub(crate) fn any_may_collide(world: &World) -> bool {
    let mut filter = Filter::default();
    filter.read(world);
    let colliders: Vec<_> = world
        .bodies()
        .iter()
        .enumerate()
        .filter(|(_, body)| body.collides && !body.pieces().is_empty())
        .collect();
    colliders.iter().enumerate().any(|(place, (a, _))| {
        colliders[place + 1..].iter().any(|(b, _)| filter.passes(world, *a as u32, *b as u32))
    })
}

/// Who may collide with whom, as last read.
#[derive(Debug, Default)]
pub(super) struct Filter {
    revision: Revision,
    /// By body: what decides about it.
    bodies: Vec<Collider>,
    /// The bodies of each joint, lower one first, and whether it lets them collide.
    joints: Vec<([u32; 2], bool)>,
    /// (lower body, higher body), sorted.
    exempt: Vec<[u32; 2]>,
    /// Pairs that some joint between them lets collide, sorted.
    allowed: Vec<[u32; 2]>,
}

/// The properties that decide with whom a body collides.
#[derive(Debug)]
struct Collider {
    /// Held, so that no other pieces can take its address.
    pieces: Arc<[Piece]>,
    dynamic: bool,
    collides: bool,
    group: i32,
}

impl Collider {
    fn of(body: &Body) -> Self {
        let Body { collides, group, .. } = *body;
        Self { pieces: body.shared_pieces().clone(), dynamic: body.is_dynamic(), collides, group }
    }

    fn is_of(&self, body: &Body) -> bool {
        Arc::ptr_eq(&self.pieces, body.shared_pieces())
            && self.dynamic == body.is_dynamic()
            && self.collides == body.collides
            && self.group == body.group
    }
}

impl Filter {
    /// Reads `world`; whether its pieces, or who may collide with whom, are others than before.
    pub fn read(&mut self, world: &World) -> bool {
        if !self.revision.update(world) {
            return false;
        }
        let joints = || {
            world.joints().iter().map(|joint| {
                let [a, b] = joint.bodies;
                ([a.min(b) as u32, a.max(b) as u32], joint.collide_connected)
            })
        };
        let same_bodies = self.bodies.len() == world.bodies().len()
            && self.bodies.iter().zip(world.bodies()).all(|(known, body)| known.is_of(body));
        if same_bodies && self.joints.iter().copied().eq(joints()) {
            return false;
        }
        self.bodies.clear();
        self.bodies.extend(world.bodies().iter().map(Collider::of));
        self.joints.clear();
        self.joints.extend(joints());
        let pairs = |list: &mut Vec<[u32; 2]>, collide: bool| {
            list.clear();
            list.extend(
                self.joints.iter().filter(|(_, collides)| *collides == collide).map(|(pair, _)| *pair),
            );
            list.sort_unstable();
        };
        pairs(&mut self.exempt, false);
        pairs(&mut self.allowed, true);
        true
    }

    /// Whether all that may collide with body `b` may collide with body `a`, too; both collide with something.
    pub fn screens(&self, a: u32, b: u32) -> bool {
        let group = |body: u32| self.bodies[body as usize].group;
        let sorted = |one: u32, other: u32| [one.min(other), one.max(other)];
        let exempt = |pair: [u32; 2]| {
            self.exempt.binary_search(&pair).is_ok() && self.allowed.binary_search(&pair).is_err()
        };
        let partners = self.exempt.iter().filter_map(|&[low, high]| match a {
            _ if a == low => Some(high),
            _ if a == high => Some(low),
            _ => None,
        });
        (group(a) >= 0 || group(a) == group(b))
            && partners.into_iter().all(|other| !exempt(sorted(a, other)) || exempt(sorted(b, other)))
    }

    /// Whether bodies a < b may collide.
    pub fn passes(&self, world: &World, a: u32, b: u32) -> bool {
        let (first, second) = (&world.bodies()[a as usize], &world.bodies()[b as usize]);
        a != b
            && (first.is_dynamic() || second.is_dynamic())
            && first.collides
            && second.collides
            && (first.group >= 0 || first.group != second.group)
            && (self.exempt.binary_search(&[a, b]).is_err() || self.allowed.binary_search(&[a, b]).is_ok())
    }
}
