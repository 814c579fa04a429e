//! Collision detection: which features of which bodies may touch, and their gaps φ(q).
//!
//! The gap is not a by-product here but the constraint function itself: φ is the distance where two pieces are apart,
//! and minus the smallest translation that parts them where they overlap [Anitescu & Hart 2004, eq. 4.38]. A contact
//! names two features; [`Contact::gap`] gives φ, ∂φ/∂q and the velocity-product term of these at any pose, so a scheme
//! can take Newton steps on a contact without detecting again.
//!
//! 1. `filter`: who may collide with whom.
//! 2. `contact_graph`: the pairs whose bounding boxes come within reach (the tree is `parry2d-f64`'s), how many there may be, and what is
//!    kept of each; `shapes`: the pieces at the bodies' poses.
//! 3. `pair`: the contacts of two pieces. `rounded`, `curve`, and for half planes `pair` itself: which features touch, one or two contacts per
//!    pair of convex pieces; the smaller φ of the two is the pair's signed distance.
//! 4. `gap`: φ, J, k. `feature` and `normal` are its geometry.
//! 5. `fast`: pairs that could meet and part again between one look and the next; `meeting`: those that do, and their contacts; `passage`:
//!    which have passed through each other.
//!
//! `space` answers questions about the shapes of a world: ray casts, boxes, nearest points.
//!
//! A piece of a decomposed polygon, a link of a polyline and a shape that lies flush against another one of its body, or against a body
//! that stands beside it (`seams`, `hiding`), are not touched through their seams (see [`crate::model::Seam`]): their contact is dropped
//! where a neighbour is nearer, and in overlap they are left through the surface of the whole. φ is then the gap to that surface, and may
//! be deeper than the piece's own. A piece that lies inside of the whole on all sides is not touched at all.

mod contact_graph;
mod curve;
mod fast;
mod feature;
mod filter;
mod gap;
mod hiding;
mod meeting;
mod nearest;
mod normal;
mod pair;
mod passage;
mod rounded;
mod seams;
mod shapes;
mod space;

pub(crate) use contact_graph::Candidate;
pub use contact_graph::{Crowd, Crowded, MOST_CONTACTS, MOST_PAIRS, Reach};
pub use feature::Feature;
pub(crate) use filter::any_may_collide;
pub use gap::{Contact, Gap};
pub use nearest::nearest_point;
pub use space::{Nearest, RayHit, Space};

use crate::math::largest;
use crate::model::{Frame, World};
use contact_graph::{Broad, Found, LISTS, Slots};
use fast::{Fast, width};
use filter::Filter;
use glam::DVec3;
use meeting::Meetings;
use pair::{PiecePair, SeamContact, margin};
use passage::{Moved, has_passed};
use seams::Stands;
use shapes::{Change, Leaf, Shapes};

/// Finds contacts. What it keeps from call to call, the contact graph, is an economy and never an influence: a used one finds
/// the same contacts as a fresh one, to the bit, and allocates nothing as long as the world keeps its pieces and has no more
/// contacts than before.
///
/// Kept are the pairs that may come within reach, and their possible contacts with their gaps until a body moves
/// (`contact_graph`); and the list of contacts, while every pair gives it the same ones. The end of a step looks as far as its beginning
/// did, so that the next step finds there what it needs.
#[derive(Debug, Default)]
pub struct Detector {
    filter: Filter,
    stands: Stands,
    shapes: Shapes,
    broad: Broad,
    slots: Slots,
    /// The list and the reach of the last call whose reach was not zero.
    far: (Use, Reach),
    /// The points of the present two bodies' contacts, to find coincident ones.
    places: Vec<SeamContact>,
    fast: Fast,
    meetings: Meetings,
    lists: [List; LISTS],
    /// The limit that was exceeded since the world was last read, if any.
    crowd: Option<Crowd>,
}

/// What a list of contacts is for. Dynamics and corrections of positions look with different reaches; each has a list of its own, so that
/// neither discards the other's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Use {
    #[default]
    Dynamics,
    Positions,
}

/// Contacts within some reach.
#[derive(Debug, Default)]
struct List {
    /// Sorted by their identities.
    found: Vec<Found>,
    /// Whether a contact was left out because a neighbouring piece gives it, too.
    repeated: bool,
    /// The reach within which it was found, and the number of changes of poses and velocities until then.
    reach: Option<(Reach, u64)>,
    /// Whether a pair that gave a contact has been removed.
    torn: bool,
    /// Whether the list has changed since the caller last copied it, and the number of changes until then.
    changed: bool,
    taken: u64,
}

/// The changes since the caller last copied the contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News<'a> {
    /// Whether the list has other contacts.
    pub list: bool,
    /// Whether any body has moved or changed its velocity, and with it the gaps of its contacts.
    pub any: bool,
    taken: u64,
    changes: &'a [Change],
}

impl News<'_> {
    /// Whether body `index` has moved or changed its velocity.
    pub fn of(&self, index: usize) -> bool {
        self.changes[index].at > self.taken
    }
}

impl Detector {
    /// Contacts within `reach`, sorted by their identities, into `contacts`. `frames[i]` is the pose and the velocity
    /// of body i at which they are wanted. Where there are too many, which [`Detector::crowd`] says, it finds none.
    pub fn detect(&mut self, world: &World, frames: &[Frame], reach: &Reach, contacts: &mut Vec<Contact>) {
        self.read(world);
        self.find(world, frames, Use::Dynamics, reach);
        contacts.clear();
        contacts.extend(self.found(Use::Dynamics).map(|found| found.contact));
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
        gaps.extend(self.found(Use::Dynamics).map(|found| found.gap));
    }

    /// The limit that the last call of [`Detector::detect`] exceeded, if any.
    pub fn crowd(&self) -> Option<Crowd> {
        self.crowd
    }

    /// The limit that the contacts within `reach` of `world` at its present state exceed, if any. Nothing is looked for in a world with too few
    /// pieces for that.
    pub fn crowd_of(&mut self, world: &World, reach: &Reach) -> Option<Crowd> {
        self.read(world);
        if self.may_be_crowded() {
            let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
            self.find(world, &frames, Use::Dynamics, reach);
        }
        self.crowd
    }

    /// Whether the world that was read has pieces enough that there may be too many pairs of them somewhere.
    pub(crate) fn may_be_crowded(&self) -> bool {
        self.shapes.leaves.len().pow(2) / 2 > MOST_CONTACTS / contact_graph::MOST
    }

    /// Gives all memory back after too many contacts were found, and finds nothing until a world is read.
    fn give_up(&mut self, crowd: Crowd) {
        *self = Self { crowd: Some(crowd), ..Self::default() };
        self.lists.iter_mut().for_each(|list| list.changed = true);
    }

    /// Reads the pieces of `world`, and who may collide with whom, if these have changed since they were last read.
    pub(crate) fn read(&mut self, world: &World) {
        self.crowd = None;
        let Self { filter, stands, shapes, .. } = self;
        if filter.read(world) | stands.read(world) {
            shapes.take_up((world.bodies(), world.body_ids()), &stands.all, |a, b| filter.screens(a, b));
            self.broad.forget();
            self.lists.iter_mut().for_each(|list| list.reach = None);
        }
    }

    /// The contacts last found for `purpose`, sorted by their identities.
    pub(crate) fn found(&self, purpose: Use) -> impl ExactSizeIterator<Item = &Candidate> {
        self.lists[purpose as usize].found.iter().map(|found| self.slots.of(found))
    }

    /// Updates `contacts`, a copy of the contacts found for `purpose`, to their present state; copies all of them if `anew` is set or the list
    /// has changed.
    pub(crate) fn take_over(&self, purpose: Use, anew: bool, contacts: &mut Vec<Contact>) {
        let (news, found) = (self.news(purpose), self.found(purpose).map(|found| found.contact));
        if news.list || anew {
            contacts.clear();
            contacts.extend(found);
        } else if news.any {
            // The features are unchanged; their normals may have turned.
            contacts.iter_mut().zip(found).for_each(|(own, found)| *own = found);
        }
    }

    /// The contacts last found within the reach of the dynamics, in which the next step will look.
    pub(crate) fn found_far(&self) -> impl ExactSizeIterator<Item = &Candidate> {
        self.found(self.far.0)
    }

    /// The changes of the contacts found for `purpose` since [`Detector::forget_news`].
    pub(crate) fn news(&self, purpose: Use) -> News<'_> {
        let List { changed: list, taken, .. } = self.lists[purpose as usize];
        News { list, any: self.shapes.stirs > taken, taken, changes: &self.shapes.changes }
    }

    /// Notes that the caller has copied the contacts found for `purpose`.
    pub(crate) fn forget_news(&mut self, purpose: Use) {
        let list = &mut self.lists[purpose as usize];
        (list.changed, list.taken) = (false, self.shapes.stirs);
    }

    /// Finds the contacts that touch, and those that the next step will ask for; returns the largest overlap −φ of the former, m, and NaN if
    /// there are too many.
    pub(crate) fn find_overlap(&mut self, world: &World, frames: &[Frame]) -> f64 {
        let (purpose, far) = self.far;
        self.find(world, frames, purpose, &far);
        if self.lists[purpose as usize].repeated {
            // Two pieces may give one contact twice, and the listed one of them may not touch.
            self.find(world, frames, purpose, &Reach::default());
        }
        if self.crowd.is_some() {
            return f64::NAN;
        }
        largest(self.found(purpose).filter(|found| found.touches).map(|found| found.gap.phi))
    }

    /// Finds the contacts within `reach` at the poses of `frames`, in a world whose pieces have been read.
    pub(crate) fn find(&mut self, world: &World, frames: &[Frame], purpose: Use, reach: &Reach) {
        let Self { filter, shapes, broad, slots, far, lists, .. } = self;
        let (bodies, own) = (world.bodies(), purpose as usize);
        if shapes.leaves.is_empty() {
            for List { found, changed, .. } in lists {
                *changed |= !found.is_empty();
                found.clear();
            }
            return;
        }
        shapes.place(bodies, frames);
        if *reach != Reach::default() {
            *far = (purpose, *reach);
        }
        let asked = Some((*reach, shapes.stirs));
        if lists[own].reach == asked && !lists[own].torn {
            return;
        }
        lists[own].reach = asked;
        // As far as any call of the step: what the report finds serves the beginning of the next step.
        let widest = reach.or(&far.1);
        let passes = |first: &Leaf, second: &Leaf| filter.passes(world, first.body, second.body);
        let lost = match broad.update(shapes, slots, (world, frames), &widest, passes) {
            Ok(lost) => lost,
            Err(crowd) => return self.give_up(crowd),
        };
        lists.iter_mut().zip(lost).for_each(|(list, lost)| list.torn |= lost);
        let mut other = std::mem::take(&mut lists[own].torn);
        let (mut contacts, mut reached) = (0, broad.links.len());
        for (index, link) in broad.links.iter_mut().enumerate() {
            let changes = link.bodies.map(|body| shapes.changes[body as usize]);
            link.age(changes);
            let leaves = link.leaves.map(|leaf| &shapes.leaves[leaf as usize]);
            let moves = changes[0].moves || changes[1].moves;
            let of =
                |reach: &Reach| if moves { margin(reach, leaves, frames) } else { reach.distance.max(0.0) };
            let margin = of(reach);
            if !link.holds(own, margin) {
                let frames = link.bodies.map(|body| &frames[body as usize]);
                let pair = PiecePair { bodies, frames, leaves };
                other |= pair.give(shapes, (own, [margin, of(&widest)]), link, slots);
            }
            contacts += link.number_given(own);
            if contacts > MOST_CONTACTS {
                reached = index + 1;
                break;
            }
        }
        if contacts > MOST_CONTACTS {
            let of_link =
                |link: &contact_graph::Link| std::iter::repeat_n(link.bodies, link.number_given(own));
            let counted = broad.links[..reached].iter().flat_map(of_link).collect();
            return self.give_up(Crowd::new(Crowded::Contacts, MOST_CONTACTS, counted, world));
        }
        if other {
            self.collect(world, frames, own);
        }
    }

    /// Collects the contacts that the pairs give to the list `own`.
    fn collect(&mut self, world: &World, frames: &[Frame], own: usize) {
        let Self { shapes, broad, slots, places, lists, .. } = self;
        let List { found, repeated, changed, .. } = &mut lists[own];
        (*changed, *repeated) = (true, false);
        places.clear();
        found.clear();
        for link in broad.links.iter().filter(|link| link.gives_any(own)) {
            let leaves = link.leaves.map(|leaf| &shapes.leaves[leaf as usize]);
            let frames = link.bodies.map(|body| &frames[body as usize]);
            let pair = PiecePair { bodies: world.bodies(), frames, leaves };
            let start = found.len();
            for which in link.given(own) {
                let Candidate { contact, gap, .. } = slots.get(link.slot, which);
                if pair.has_seams() && pair.repeats(gap, places) {
                    *repeated = true;
                } else {
                    found.push(Found { id: contact.id, slot: link.slot, which });
                }
            }
            if found.len() == start + 2 && found[start].id > found[start + 1].id {
                found.swap(start, start + 1);
            }
        }
        if !found.is_sorted_by_key(|found| found.id) {
            found.sort_unstable_by_key(|found| found.id);
        }
    }
}

/// What happens between one look and the next: contacts of those that would meet, and those that have passed through each other.
impl Detector {
    /// Contacts of the pairs that are farther apart than `distance`, m, move farther in a step of `h`, at the velocities of `frames`, than the
    /// thinner one is thick, and meet on the way; sorted by their identities, in a world that has been read.
    pub(crate) fn find_fast(
        &mut self,
        world: &World,
        frames: &[Frame],
        [h, distance]: [f64; 2],
    ) -> &[Contact] {
        let by = |body: usize| {
            let Frame { linear, angular, .. } = frames[body];
            h * linear.extend(angular)
        };
        let mut fast = std::mem::take(&mut self.fast);
        let mut meetings = std::mem::take(&mut self.meetings);
        fast.find(&self.shapes, &self.filter, (world, frames), by);
        let touching = self.found(Use::Dynamics).filter(|found| found.gap.phi <= distance);
        meetings.find(&mut fast, (&self.shapes, touching), (world, frames), by, distance);
        (self.fast, self.meetings) = (fast, meetings);
        &self.meetings.contacts
    }

    /// Whether the two pieces of a contact move farther within `h` s, at the velocities of `frames`, than the thinner one is thick.
    pub(crate) fn is_fast(&self, contact: &Contact, frames: &[Frame], h: f64) -> bool {
        let (bodies, pieces, shapes) = (contact.bodies(), contact.id.pieces, &self.shapes);
        let leaf = |side: usize| shapes.leaves.get(shapes.starts[bodies[side]] + pieces[side] as usize);
        let (Some(a), Some(b)) = (leaf(0), leaf(1)) else { return false };
        // A half plane pushes out of any depth.
        if !(a.radius.is_finite() && b.radius.is_finite()) {
            return false;
        }
        let [one, other] = bodies.map(|body| &frames[body]);
        let turning = |frame: &Frame, leaf: &Leaf| frame.angular.abs() * leaf.arm;
        let speed = (one.linear - other.linear).length() + turning(one, a) + turning(other, b);
        h * speed > width(a, b)
    }

    /// Calls `passed` with the bodies of every pair of pieces that pass through each other where the bodies of `world`, which has been read,
    /// move to `poses`.
    pub(crate) fn find_passages(
        &mut self,
        world: &World,
        poses: &[DVec3],
        mut passed: impl FnMut([u32; 2]),
    ) {
        let Self { filter, shapes, fast, .. } = self;
        let bodies = world.bodies();
        let by = |body: usize| poses[body] - bodies[body].pose.coordinates();
        if !shapes.any_fast(by) {
            return;
        }
        let frames: Vec<_> = (0..bodies.len()).map(|body| world.frame(body)).collect();
        fast.find(shapes, filter, (world, &frames), by);
        for pair in &fast.pairs {
            let leaves = pair.map(|leaf| &shapes.leaves[leaf as usize]);
            let [a, b] = leaves.map(|leaf| {
                let (body, index) = (&bodies[leaf.body as usize], leaf.body as usize);
                Moved {
                    body,
                    piece: &body.pieces()[leaf.piece as usize],
                    start: &frames[index],
                    by: by(index),
                }
            });
            if has_passed(a, b) {
                passed(leaves.map(|leaf| leaf.body));
            }
        }
    }
}
