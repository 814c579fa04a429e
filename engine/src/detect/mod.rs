//! Collision detection: which features of which bodies may touch, and their gaps φ(q).
//!
//! The gap is not a by-product here but the constraint function itself: φ is the distance where two pieces are apart,
//! and minus the smallest translation that parts them where they overlap [Anitescu & Hart 2004, eq. 4.38]. A contact
//! names two features; [`Contact::gap`] gives φ, ∂φ/∂q and the velocity-product term of these at any pose, so a scheme
//! can take Newton steps on a contact without detecting again.
//!
//! 1. `contact_graph`: who may collide with whom, the pairs whose bounding boxes come within reach (the tree is
//!    `parry2d-f64`'s), how many there may be, and what is kept of each; `shapes`: the pieces at the bodies' poses.
//! 2. `pair`: the contacts of two pieces. `rounded`, `normal` for ellipses, and for half planes `pair` itself: which
//!    features touch, one or two contacts per pair of convex pieces; the smaller φ of the two is the pair's signed distance.
//! 3. `gap`: φ, J, k. `feature` and `normal` are its geometry.
//! 4. `fast`: pairs that could meet and part again between one look and the next, and which have passed through each
//!    other; `meeting`: those that meet, and their contacts.
//!
//! `space` answers questions about the shapes of a world: ray casts, boxes, nearest points.
//!
//! A piece of a decomposed polygon, a link of a polyline and a shape that lies flush against another one of its body,
//! or against a body that stands beside it (`seams`, `hiding`), are not touched through their seams (see
//! [`crate::model::Seam`]): their contact is dropped where a neighbour is nearer, and in overlap they are left through
//! the surface of the whole. φ is then the gap to that surface, and may be deeper than the piece's own. A piece that
//! lies inside of the whole on all sides is not touched at all. A polyline is touched on the side on which the other
//! piece is (`polyline`).

mod contact_graph;
mod crowd;
mod fast;
mod feature;
mod gap;
mod hiding;
mod meeting;
mod nearest;
mod normal;
mod pair;
mod polyline;
mod rounded;
mod seams;
mod shapes;
mod solid;
mod space;

pub use contact_graph::Reach;
pub(crate) use contact_graph::{Candidate, any_may_collide};
pub use crowd::{Crowd, Crowded, MOST_CONTACTS, MOST_PAIRS};
pub use feature::Feature;
pub use gap::{Contact, Gap};
pub use nearest::{distance_to, nearest_point, pick};
pub use space::{Nearest, RayHit, Space};

use crate::math::largest;
use crate::model::{Frame, World};
use contact_graph::{Broad, Filter, Slots};
use fast::{Fast, Way, width};
use glam::DVec3;
use pair::{PiecePair, margin, repeats};
use shapes::{Leaf, Shapes};

/// Finds contacts. What it keeps from call to call, the contact graph, is an economy and never an influence: a used one finds
/// the same contacts as a fresh one, to the bit, and allocates nothing as long as the world keeps its pieces and has no more
/// contacts than before.
///
/// Kept are the pairs that may come within reach, and their possible contacts with their gaps until a body moves
/// (`contact_graph`). The end of a step looks as far as its beginning did, so that the next step finds there what it needs.
#[derive(Debug, Default)]
pub struct Detector {
    filter: Filter,
    shapes: Shapes,
    broad: Broad,
    slots: Slots,
    /// The last reach that was not zero.
    far: Reach,
    /// The contacts within the last reach, by their places in `slots`, sorted by their identities.
    found: Vec<u32>,
    /// That reach, as long as the same world is read.
    within: Option<Reach>,
    /// Those at seams.
    at_seams: Vec<u32>,
    /// Whether a contact was left out because a neighbouring piece gives it, too.
    repeated: bool,
    /// The limit that was exceeded since the world was last read, if any.
    crowd: Option<Crowd>,
}

impl Detector {
    /// Contacts within `reach`, sorted by their identities, into `contacts`. `frames[i]` is the pose and the velocity
    /// of body i at which they are wanted. Where there are too many, which [`Detector::crowd`] says, it finds none.
    pub fn detect(&mut self, world: &World, frames: &[Frame], reach: &Reach, contacts: &mut Vec<Contact>) {
        self.read(world);
        self.find(world, frames, reach);
        contacts.clear();
        contacts.extend(self.found().map(|found| found.contact));
    }

    /// Finds the contacts as [`Detector::detect`] does, and writes the gap of each at `frames` into `gaps`.
    pub fn detect_gaps(
        &mut self,
        world: &World,
        frames: &[Frame],
        reach: &Reach,
        (contacts, gaps): (&mut Vec<Contact>, &mut Vec<Gap>),
    ) {
        self.detect(world, frames, reach, contacts);
        gaps.clear();
        gaps.extend(self.found().map(|found| found.gap));
    }

    /// The largest overlap −φ of pieces that overlap at `frames`, m, zero where none do; `None` where there are too many
    /// contacts.
    pub fn overlap(&mut self, world: &World, frames: &[Frame]) -> Option<f64> {
        self.read(world);
        self.find(world, frames, &Reach::default());
        let touching = self.found().filter(|found| found.touches);
        self.crowd.is_none().then(|| largest(touching.map(|found| found.gap.phi)))
    }

    /// The limit that the last call of [`Detector::detect`] exceeded, if any.
    pub fn crowd(&self) -> Option<Crowd> {
        self.crowd
    }

    /// The limit that the contacts within `reach` of `world` at its present state exceed, if any.
    pub fn crowd_of(&mut self, world: &World, reach: &Reach) -> Option<Crowd> {
        self.read(world);
        let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
        self.find(world, &frames, reach);
        self.crowd
    }

    /// Whether the world that was read has pieces enough that there may be too many pairs of them somewhere.
    pub(crate) fn may_be_crowded(&self) -> bool {
        self.shapes.leaves.len().pow(2) / 2 > MOST_CONTACTS / contact_graph::MOST
    }

    /// Gives all memory back after too many contacts were found, and finds nothing until a world is read.
    fn give_up(&mut self, crowd: Crowd) {
        *self = Self { crowd: Some(crowd), ..Self::default() };
    }

    /// Reads the pieces of `world`, and who may collide with whom, if these have changed since they were last read.
    pub(crate) fn read(&mut self, world: &World) {
        self.crowd = None;
        let Self { filter, shapes, .. } = self;
        if filter.read(world) {
            let taken_up = shapes.take_up(world.bodies(), world.body_ids(), |a, b| filter.screens(a, b));
            if let Err((of, limit, counted)) = taken_up {
                return self.give_up(Crowd::weighed(of, limit, counted, world));
            }
            self.broad.forget();
            self.within = None;
        }
    }

    /// The contacts last found, sorted by their identities.
    pub(crate) fn found(&self) -> impl Iterator<Item = &Candidate> {
        self.found.iter().map(|place| &self.slots.all[*place as usize])
    }

    /// Finds the contacts that touch, and those that the next step will ask for; returns the largest overlap −φ of the
    /// former, m, and NaN if there are too many.
    pub(crate) fn find_overlap(&mut self, world: &World, frames: &[Frame]) -> f64 {
        let far = self.far;
        self.find(world, frames, &far);
        if self.repeated {
            // Two pieces may give one contact twice, and the listed one of them may not touch.
            self.find(world, frames, &Reach::default());
        }
        if self.crowd.is_some() {
            return f64::NAN;
        }
        largest(self.found().filter(|found| found.touches).map(|found| found.gap.phi))
    }

    /// Finds the contacts within `reach` at the poses of `frames`, in a world whose pieces have been read.
    pub(crate) fn find(&mut self, world: &World, frames: &[Frame], reach: &Reach) {
        let Self { filter, shapes, broad, slots, far, found, within, .. } = self;
        if shapes.leaves.is_empty() {
            found.clear();
            return;
        }
        let bodies = world.bodies();
        let changed = shapes.place(bodies, frames); // vertices, normals and boxes of moved bodies in world axes
        if *reach != Reach::default() {
            *far = *reach;
        }
        if within.replace(*reach) == Some(*reach) && !changed {
            return;
        }
        // As far as any call of the step: what the report finds serves the beginning of the next step.
        let passes = |first: &Leaf, second: &Leaf| filter.passes(world, first, second);
        if let Err(crowd) = broad.update(shapes, slots, (world, frames), far, &passes) {
            return self.give_up(crowd);
        }
        found.clear();
        for link in &mut broad.links {
            if link.bodies.iter().any(|body| shapes.changed[*body as usize]) {
                link.margin = f64::NAN;
            }
            let leaves = link.leaves.map(|leaf| &shapes.leaves[leaf as usize]);
            let own = margin(reach, leaves, frames);
            // The boxes' distance along the axis along which they are farther apart.
            let apart = (leaves[0].low - leaves[1].high).max(leaves[1].low - leaves[0].high).max_element();
            if apart <= own {
                let known = link.margin >= own;
                if !known {
                    let frames_of = link.bodies.map(|body| &frames[body as usize]);
                    let pair = PiecePair { bodies, frames: frames_of, leaves };
                    pair.look(shapes, own.max(margin(far, leaves, frames)), link, slots);
                }
                let meets = apart.max(link.separation) <= 0.0;
                for place in link.places() {
                    let candidate = &mut slots.all[place];
                    let (phi, parted) = (candidate.gap.phi, candidate.gap.phi > 0.0);
                    candidate.touches = meets && !parted;
                    // Written so that NaN is kept.
                    let beyond = link.separation > own || phi > own;
                    if !beyond {
                        found.push(place as u32);
                    }
                }
            }
            if found.len() > MOST_CONTACTS {
                let counted = found.iter().map(|place| slots.all[*place as usize].contact.indices);
                let counted = counted.collect();
                return self.give_up(Crowd::new(Crowded::Contacts, MOST_CONTACTS, counted, world));
            }
        }
        self.leave_out_repeated();
        let id = |place: &u32| self.slots.all[*place as usize].contact.id;
        if !self.found.is_sorted_by_key(id) {
            self.found.sort_unstable_by_key(id);
        }
    }

    /// Leaves out contacts at seams that a neighbouring piece gives, too.
    fn leave_out_repeated(&mut self) {
        let Self { shapes, slots, found, at_seams, repeated, .. } = self;
        *repeated = false;
        if !shapes.has_seams {
            return;
        }
        at_seams.clear();
        let all = found.len();
        found.retain(|place| {
            let own = &slots.all[*place as usize];
            let leaves = shapes.leaves_of(&own.contact);
            if !leaves.iter().any(|leaf| leaf.has_seam) {
                return true;
            }
            let others = at_seams.iter().rev().map(|place| &slots.all[*place as usize]);
            let repeats = repeats(leaves, own, others);
            if !repeats {
                at_seams.push(*place);
            }
            !repeats
        });
        *repeated = found.len() < all;
    }
}

/// What happens between one look and the next: contacts of those that would meet, and those that have passed through each
/// other.
impl Detector {
    /// Contacts of the pairs that are farther apart than `distance`, m, move farther in a step of `h`, at the
    /// velocities of `frames`, than the thinner one is thick, and meet on the way; sorted by their identities, in a
    /// world that has been read.
    pub(crate) fn find_fast(
        &self,
        world: &World,
        frames: &[Frame],
        [h, distance]: [f64; 2],
    ) -> Vec<Contact> {
        let by = |body: usize| {
            let Frame { linear, angular, .. } = frames[body];
            h * linear.extend(angular)
        };
        let Self { filter, shapes, .. } = self;
        let Some(fast) = Fast::find(shapes, (filter, world), |body| frames[body], by) else {
            return Vec::new();
        };
        let touching = self.found().filter(|found| found.gap.phi <= distance);
        meeting::find(fast, (shapes, touching), (world, frames), by, distance)
    }

    /// Whether any two pieces may move farther in a step of `h`, at the bodies' velocities `v`, than the thinner one is thick.
    pub(crate) fn may_be_fast(&self, v: &[DVec3], h: f64) -> bool {
        self.shapes.any_fast(|body| h * v[body])
    }

    /// Whether the two pieces of a contact that was just found move farther within `h` s, at the velocities of
    /// `frames`, than the thinner one is thick.
    pub(crate) fn is_fast(&self, contact: &Contact, frames: &[Frame], h: f64) -> bool {
        let [a, b] = self.shapes.leaves_of(contact);
        // A half plane pushes out of any depth.
        if !(a.radius.is_finite() && b.radius.is_finite()) {
            return false;
        }
        let [one, other] = contact.bodies().map(|body| &frames[body]);
        let turning = |frame: &Frame, leaf: &Leaf| frame.angular.abs() * leaf.arm;
        let speed = (one.linear - other.linear).length() + turning(one, a) + turning(other, b);
        h * speed > width(a, b)
    }

    /// Calls `passed` with the bodies of every pair of pieces that pass through each other where the bodies of `world`,
    /// which has been read, move to `poses`.
    pub(crate) fn find_passages(&self, world: &World, poses: &[DVec3], mut passed: impl FnMut([u32; 2])) {
        let Self { filter, shapes, .. } = self;
        let bodies = world.bodies();
        let by = |body: usize| poses[body] - bodies[body].pose.coordinates();
        let at = |body: usize| world.frame(body);
        let fast = Fast::find(shapes, (filter, world), at, by);
        for pair in fast.map_or(Vec::new(), |fast| fast.pairs) {
            let leaves = pair.map(|leaf| &shapes.leaves[leaf as usize]);
            let indices = leaves.map(|leaf| leaf.body as usize);
            let way = Way { starts: indices.map(at), by: indices.map(by) };
            if way.passes(leaves.map(|leaf| (&bodies[leaf.body as usize], leaf.of(bodies)))) {
                passed(leaves.map(|leaf| leaf.body));
            }
        }
    }
}
