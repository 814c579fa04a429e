//! The contact graph: for every pair of pieces that may come within reach, the features that may touch, with their gaps.
//!
//! **Pairs**, the broad phase: those pieces are paired whose bounding boxes, enlarged by their reach, may overlap.
//!
//! Every piece has a box with a margin around what it reaches. As long as it stays inside, its pairs are the same;
//! where it leaves, it gets a new box, and the tree of boxes (`parry2d-f64`'s) says which others that meets. The pairs
//! are therefore more than those within reach, by an amount that depends on what was before; whoever uses them tests
//! the boxes themselves, so that what is found does not. Half planes have no box: they are paired with every piece that moves.
//!
//! A contact takes some 2 kB in a step: the detector's own features and gap, its two rows, the solver's. Where shapes
//! lie on one another their number is the square of that of the shapes, so contacts and pairs are counted while they
//! are found, and the search ends at a limit.
//!
//! **Who never collides**: the two bodies of a joint, unless it allows them to; bodies that both stand still or follow
//! prescribed motions; bodies that do not collide at all; shapes whose filters say so ([`crate::model::Filter`]).
//!
//! **Contacts.** What has been found on a pair depends on the poses and velocities of its two bodies and on how far was
//! looked. It is kept and serves every call that looks no farther, until one of the bodies has changed. So the contacts
//! of the end of a step, which the report measures, are those with which the next step begins.

use super::crowd::{Crowd, Crowded, MOST_LOOKS, MOST_PAIRS};
use super::gap::{Contact, Gap};
use super::seams::Stand;
use super::shapes::{Leaf, Shapes};
use super::solid::aabb;
use crate::model::{self, Body, Frame, Joint, JointKind, Piece, Revision, World};
use glam::DVec2;
use parry2d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Which contacts are found: those with φ ≤ max(distance, travel · u), where u = |v_a − v_b| + |ω_a| R_a + |ω_b| R_b
/// bounds the speed at which the two pieces approach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// The distance up to which contacts are found at any speed, m.
    pub distance: f64,
    /// s; 0 looks at the distance alone.
    pub travel: f64,
}

/// Most contacts of a pair of convex pieces.
pub(super) const MOST: usize = 2;

/// Two pieces that may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Indices of the pieces, the first one smaller, and of their bodies.
    pub leaves: [u32; 2],
    pub bodies: [u32; 2],
    /// Where its contacts are, once it has had any.
    slot: Option<u32>,
    /// Number of its contacts.
    pub count: u32,
    /// Contacts with gaps up to here have been looked for, m; NaN where nothing is known at the present poses and velocities.
    pub margin: f64,
    /// Nothing touches with a smaller gap, m.
    pub separation: f64,
}

/// A contact that is possible at the present pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub contact: Contact,
    pub gap: Gap,
    /// Whether it is within a reach of zero.
    pub touches: bool,
}

impl Link {
    /// A pair of pieces on which nothing has been looked for yet.
    pub fn new(leaves: [u32; 2], bodies: [u32; 2]) -> Self {
        Self { leaves, bodies, slot: None, count: 0, margin: f64::NAN, separation: f64::NEG_INFINITY }
    }

    /// Where its contacts are among all of [`Slots`].
    pub fn places(&self) -> Range<usize> {
        let first = self.slot.map_or(0, |slot| slot as usize * MOST);
        first..first + self.count as usize
    }
}

/// The contacts of the pairs on which some have been found.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// In slots of [`MOST`].
    pub all: Vec<Candidate>,
    /// Slots whose pair no longer exists.
    free: Vec<u32>,
}

impl Slots {
    /// Adds a contact to those of a link, in the order of their identities.
    pub fn push(&mut self, link: &mut Link, candidate: Candidate) {
        if link.slot.is_none() {
            link.slot = self.free.pop().or_else(|| {
                let slots = self.all.len() / MOST;
                self.all.extend([candidate; MOST]);
                self.free.reserve(slots + 1);
                Some(slots as u32)
            });
        }
        let place = link.places().end;
        self.all[place] = candidate;
        link.count += 1;
        self.all[link.places()].sort_unstable_by_key(|candidate| candidate.contact.id);
    }
}

/// Whether any two bodies of `world` may collide, wherever they come to be.
pub(crate) fn any_may_collide(world: &World) -> bool {
    let mut filter = Filter::default();
    filter.read(world);
    let collides = |body: &Body| body.collides && !body.pieces().is_empty();
    let colliding = || (0_u32..).zip(world.bodies()).filter(|(_, body)| collides(body));
    // Bodies of the same filters: how many there are, and with how many of each such class they may collide, but for joints.
    let mut classes = BTreeMap::new();
    for (_, body) in colliding() {
        *classes.entry(filters(body)).or_insert(0) += 1;
    }
    let pass = |one: &[model::Filter], other: &[model::Filter]| {
        one.iter().any(|own| other.iter().any(|other| own.passes(other)))
    };
    let mut exempt = vec![0; world.bodies().len()];
    for &[a, b] in &filter.exempt {
        let [one, other] = [a, b].map(|body| &world.bodies()[body as usize]);
        if a != b && collides(one) && collides(other) && pass(&filters(one), &filters(other)) {
            exempt[a as usize] += 1;
            exempt[b as usize] += 1;
        }
    }
    let mut partners = BTreeMap::new();
    for own in classes.keys() {
        let with = |(other, count): (&Vec<model::Filter>, &usize)| {
            if pass(own, other) { count - usize::from(own == other) } else { 0 }
        };
        partners.insert(own, classes.iter().map(with).sum::<usize>());
    }
    colliding().any(|(index, body)| {
        let most = partners.get(&filters(body)).copied().unwrap_or(0);
        body.is_dynamic() && most > exempt[index as usize]
    })
}

/// The different filters of a body's pieces, sorted.
fn filters(body: &Body) -> Vec<model::Filter> {
    let mut all: Vec<_> = (0..body.pieces().len()).map(|piece| body.filter(piece as u32)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Who may collide with whom, as last read.
#[derive(Debug, Default)]
pub(super) struct Filter {
    revision: Revision,
    /// By body: what decides about it.
    bodies: Vec<Collider>,
    /// The pairs that joints keep from colliding, lower body first, sorted.
    exempt: Vec<[u32; 2]>,
    /// The same pairs in both orders, sorted.
    partners: Vec<[u32; 2]>,
}

/// What decides with whom a body collides, and which of its surface.
#[derive(Debug, PartialEq)]
struct Collider {
    pieces: Arc<[Piece]>,
    dynamic: bool,
    collides: bool,
    filters: Vec<model::Filter>,
    stand: Option<Stand>,
}

impl Collider {
    fn of(body: &Body) -> Self {
        let (pieces, dynamic) = (body.shared_pieces().clone(), body.is_dynamic());
        Self { pieces, dynamic, collides: body.collides, filters: filters(body), stand: Stand::of(body) }
    }
}

impl Filter {
    /// Reads `world`; whether its pieces, where those stand that do not move, or who may collide with whom, are others
    /// than before.
    pub fn read(&mut self, world: &World) -> bool {
        if !self.revision.update(world) {
            return false;
        }
        let bodies: Vec<_> = world.bodies().iter().map(Collider::of).collect();
        let pairs = |collide: bool| {
            // A gear connects no bodies: its joints do.
            let connects = |joint: &&Joint| !matches!(joint.kind, JointKind::Gear(_));
            let joints = world.joints().iter().filter(connects);
            let joints = joints.filter(move |joint| joint.collide_connected == collide);
            joints.map(|joint| joint.bodies.map(|body| body as u32)).map(|[a, b]| [a.min(b), a.max(b)])
        };
        let allowed: BTreeSet<_> = pairs(true).collect();
        let mut exempt: Vec<_> = pairs(false).filter(|pair| !allowed.contains(pair)).collect();
        exempt.sort_unstable();
        let same = self.bodies == bodies && self.exempt == exempt;
        self.partners = exempt.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        self.partners.sort_unstable();
        (self.bodies, self.exempt) = (bodies, exempt);
        !same
    }

    /// The bodies that joints keep from colliding with body `a`.
    fn partners_of(&self, a: u32) -> impl Iterator<Item = u32> {
        let first = self.partners.partition_point(|[of, _]| *of < a);
        self.partners[first..].iter().take_while(move |[of, _]| *of == a).map(|[_, partner]| *partner)
    }

    /// Whether joints let all collide with body `a` that they let collide with body `b`; both collide with something.
    pub fn screens(&self, a: u32, b: u32) -> bool {
        let exempt = |other: u32| self.exempt.binary_search(&[b.min(other), b.max(other)]).is_ok();
        self.partners_of(a).all(exempt)
    }

    /// Whether two pieces may collide, that of the smaller index first.
    pub fn passes(&self, world: &World, one: &Leaf, other: &Leaf) -> bool {
        let (a, b) = (one.body, other.body);
        let (first, second) = (&world.bodies()[a as usize], &world.bodies()[b as usize]);
        a != b
            && (first.is_dynamic() || second.is_dynamic())
            && first.collides
            && second.collides
            && one.filter.passes(&other.filter)
            && self.exempt.binary_search(&[a, b]).is_err()
    }
}

/// A box's margin, in radii of its piece. A larger one is left less often, and has more neighbours to be tested.
const MARGIN: f64 = 0.05;
/// Further margin, in reaches of the piece: at speed the reach is what it travels in a step.
const STEPS: f64 = 2.0;
/// Margin for pieces without size, as a share of their coordinates.
const LEAST_MARGIN: f64 = 1e-9;
/// Share of the margin that is kept for the rounding of the boxes.
const RESERVE: f64 = 0.01;
/// Where more than this share of the pieces have left their boxes, the tree is built anew.
const REBUILD: f64 = 0.25;

/// The tree, and the pairs.
#[derive(Default)]
pub(super) struct Broad {
    /// Pairs (i, j) of indices of pieces, i < j, sorted.
    pub links: Vec<Link>,
    tree: Bvh,
    workspace: BvhWorkspace,
    /// For how far they are the pairs, as long as no piece leaves its box; NaN before the first call.
    reach: Reach,
    /// By piece, with margin: low and high corner; NaN where there is none yet.
    boxes: Vec<[DVec2; 2]>,
    /// Pieces without a box.
    planes: Vec<u32>,
    /// Pieces that have left their boxes in this call, ascending.
    left: Vec<u32>,
    /// How many have since the tree was built.
    moves: usize,
}

impl Broad {
    /// Forgets all boxes, and so all pairs: other pieces follow.
    pub fn forget(&mut self) {
        self.boxes.clear();
    }

    /// Makes `links` contain all pairs that `passes` and that may come within reach. Where there are more than may be,
    /// boxes made anew at the present poses decide, as in a detector that has not been used.
    pub fn update(
        &mut self,
        shapes: &Shapes,
        slots: &mut Slots,
        (world, frames): (&World, &[Frame]),
        reach: &Reach,
        passes: &impl Fn(&Leaf, &Leaf) -> bool,
    ) -> Result<(), Crowd> {
        let Shapes { leaves, changed, .. } = shapes;
        let first_time = self.boxes.len() != leaves.len();
        if first_time {
            *slots = Slots::default();
            let reach = Reach { distance: f64::NAN, travel: f64::NAN };
            let planes = (0..).zip(leaves).filter(|(_, leaf)| !leaf.radius.is_finite());
            let planes = planes.map(|(index, _)| index).collect();
            let boxes = vec![[DVec2::NAN; 2]; leaves.len()];
            // Room for a first few pairs, which may come late.
            let links = Vec::with_capacity(leaves.len());
            *self = Self { links, reach, boxes, planes, ..Self::default() };
        }
        self.find_left(leaves, changed, frames, reach);
        if self.left.is_empty() {
            return Ok(());
        }
        let Self { links, tree, workspace, boxes, planes, left, moves, .. } = self;
        let has_left = |leaf: u32| left.binary_search(&leaf).is_ok();
        let box_of = |leaf: u32| {
            let [low, high] = boxes[leaf as usize];
            aabb(low, high)
        };
        links.retain(|link| {
            let stays = !link.leaves.iter().any(|&leaf| has_left(leaf));
            if !stays {
                slots.free.extend(link.slot);
            }
            stays
        });
        left.iter().for_each(|&leaf| tree.insert(box_of(leaf), leaf));
        *moves += left.len();
        if *moves as f64 > REBUILD * leaves.len() as f64 {
            tree.rebuild(workspace, BvhBuildStrategy::Binned);
            *moves = 0;
        }
        let mut looks = 0;
        'pieces: for &leaf in left.iter() {
            let around = box_of(leaf);
            // If both have left, the one with the smaller index finds the pair.
            let known = |other: &u32| *other == leaf || *other < leaf && has_left(*other);
            let near = tree.intersect_aabb(&around).chain(planes.iter().copied());
            for other in near {
                looks += 1;
                if looks > MOST_LOOKS {
                    let around = tree.intersect_aabb(&around).map(|other| leaves[other as usize].body);
                    let body = leaves[leaf as usize].body;
                    let counted = around.map(|other| [body.min(other), body.max(other)]).collect();
                    return Err(Crowd {
                        counted: looks,
                        ..Crowd::new(Crowded::Pairs, MOST_LOOKS, counted, world)
                    });
                }
                if known(&other) {
                    continue;
                }
                if links.len() > MOST_PAIRS {
                    break 'pieces;
                }
                let pair = [leaf.min(other), leaf.max(other)];
                let [first, second] = pair.map(|leaf| &leaves[leaf as usize]);
                if passes(first, second) {
                    links.push(Link::new(pair, [first.body, second.body]));
                }
            }
        }
        if links.len() > MOST_PAIRS {
            if !first_time {
                self.forget();
                return self.update(shapes, slots, (world, frames), reach, passes);
            }
            let counted = links.iter().map(|link| link.bodies).collect();
            return Err(Crowd::new(Crowded::Pairs, MOST_PAIRS, counted, world));
        }
        links.sort_unstable_by_key(|link| link.leaves);
        Ok(())
    }

    /// Lists the pieces that have left their boxes, and gives them new ones.
    fn find_left(&mut self, leaves: &[Leaf], changed: &[bool], frames: &[Frame], reach: &Reach) {
        let Self { boxes, left, reach: known, .. } = self;
        let same_reach = std::mem::replace(known, *reach) == *reach;
        left.clear();
        for (index, (leaf, known)) in leaves.iter().zip(boxes).enumerate() {
            if !leaf.radius.is_finite() || same_reach && !changed[leaf.body as usize] {
                continue;
            }
            let frame = &frames[leaf.body as usize];
            // Half of the pair's margin each: max(ε̂, s (u_a + u_b)) ≤ max(ε̂/2, s u_a) + max(ε̂/2, s u_b), with u a
            // piece's largest speed.
            let speed = frame.linear.length() + frame.angular.abs() * leaf.radius;
            let grow = (reach.distance / 2.0).max(reach.travel * speed);
            // Poses that are no numbers belong nowhere.
            let finite = leaf.low.is_finite() && leaf.high.is_finite();
            let [low, high] =
                if finite { [leaf.low - grow, leaf.high + grow] } else { [DVec2::ZERO, DVec2::ZERO] };
            let size = low.abs().max(high.abs()).max_element();
            let margin = MARGIN * leaf.radius + LEAST_MARGIN * size;
            let reserve = RESERVE * margin;
            let inside = (low - reserve).cmpge(known[0]).all() && (high + reserve).cmple(known[1]).all();
            if !inside {
                let margin = margin + STEPS * grow;
                *known = [low - margin, high + margin];
                left.push(index as u32);
            }
        }
    }
}

impl fmt::Debug for Broad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Broad").field("links", &self.links).finish_non_exhaustive()
    }
}
