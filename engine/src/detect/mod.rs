//! Collision detection: which features of which bodies may touch, and their gaps φ(q).
//!
//! The gap is not a by-product here but the constraint function itself: φ is the distance where two pieces are apart,
//! and minus the smallest translation that parts them where they overlap [Anitescu & Hart 2004, eq. 4.38]. A contact
//! names two features; [`Contact::gap`] gives φ, ∂φ/∂q and the velocity-product term of these at any pose, so a scheme
//! can take Newton steps on a contact without detecting again.
//!
//! 1. `filter`: who may collide with whom.
//! 2. `broad`: whose bounding boxes come within reach (the tree is `parry2d-f64`'s); `graph`: what is kept of each pair;
//!    `shapes`: the pieces at the bodies' poses.
//! 3. `rounded`, `curve`, and for half planes here: which features touch, one or two contacts per pair of convex pieces; the
//!    smaller φ of the two is the pair's signed distance. `places`: those that two pieces of one shape give alike.
//! 4. `gap`: φ, J, k. `feature` and `normal` are its geometry.
//!
//! A piece of a decomposed polygon and a link of a polyline are not touched through their seams (see
//! [`crate::model::Seam`]): their contact is dropped where a neighbour is nearer, and in overlap they are left through
//! the surface of the whole shape. φ is then the gap to that surface, and may be deeper than the piece's own.
//! Shapes of a compound body have no seams.

mod broad;
mod curve;
mod feature;
mod filter;
mod gap;
mod graph;
mod nearest;
mod normal;
mod places;
mod reach;
mod rounded;
mod shapes;

pub use feature::Feature;
pub use gap::{Contact, Gap};
pub use nearest::nearest_point;
pub use reach::Reach;

use crate::model::{Body, ContactId, Frame, Piece, World};
use broad::Broad;
use feature::{Profile, Surface};
use filter::Filter;
use glam::DVec2;
use graph::{Candidate, Link, Slots};
use places::Place;
use reach::margin;
use rounded::Posed;
use shapes::{Leaf, Shapes};

/// Finds contacts. What it keeps from call to call, the contact graph, is an economy and never an influence: a used one finds
/// the same contacts as a fresh one, to the bit, and allocates nothing as long as the world keeps its pieces and has no more
/// contacts than before.
///
/// Kept are the pairs that may come within reach (`broad`), and their possible contacts with their gaps until a body moves
/// (`graph`). The end of a step looks as far as its beginning did, so that the next step finds there what it needs.
#[derive(Debug, Default)]
pub struct Detector {
    filter: Filter,
    shapes: Shapes,
    broad: Broad,
    slots: Slots,
    /// How far the last call looked that was asked for more than what touches.
    far: Reach,
    /// Where the contacts of the present two bodies are, to find coincident ones.
    places: Vec<Place>,
    /// What is found, before it is sorted.
    found: Vec<Found>,
}

/// A contact within reach: where its slot is.
#[derive(Clone, Copy, Debug)]
struct Found {
    id: ContactId,
    slot: u32,
    which: u32,
}

impl Detector {
    /// Contacts within `reach`, sorted by their identities, into `contacts`. `frames[i]` is the pose and the velocity
    /// of body i at which they are wanted.
    pub fn detect(&mut self, world: &World, frames: &[Frame], reach: &Reach, contacts: &mut Vec<Contact>) {
        self.read(world);
        self.find(world, frames, reach);
        contacts.clear();
        contacts.extend(self.found.iter().map(|found| self.slots.of(found).contact));
    }

    /// Takes up the pieces of `world`, and who may collide with whom, where these have become others.
    pub(crate) fn read(&mut self, world: &World) {
        if self.filter.read(world) {
            self.shapes.take_up(world.bodies());
            self.broad.forget();
        }
    }

    /// The same with the gap of every contact at `frames`, into `gaps`.
    pub fn detect_gaps(
        &mut self,
        world: &World,
        frames: &[Frame],
        reach: &Reach,
        found: (&mut Vec<Contact>, &mut Vec<Gap>),
    ) {
        self.read(world);
        self.detect_gaps_of_read(world, frames, reach, found);
    }

    /// The same in a world that has been read, and has moved since, but not become another.
    pub(crate) fn detect_gaps_of_read(
        &mut self,
        world: &World,
        frames: &[Frame],
        reach: &Reach,
        (contacts, gaps): (&mut Vec<Contact>, &mut Vec<Gap>),
    ) {
        self.find(world, frames, reach);
        contacts.clear();
        gaps.clear();
        for Candidate { contact, gap } in self.found.iter().map(|found| *self.slots.of(found)) {
            contacts.push(contact);
            gaps.push(gap);
        }
    }

    fn find(&mut self, world: &World, frames: &[Frame], reach: &Reach) {
        let Self { filter, shapes, broad, slots, far, places, found } = self;
        let bodies = world.bodies();
        found.clear();
        if shapes.leaves.is_empty() {
            return;
        }
        shapes.place(bodies, frames);
        if *reach != Reach::default() {
            *far = *reach;
        }
        // As far as any call of the step: what the report finds serves the beginning of the next step.
        let widest = reach.or(far);
        let passes = |first: &Leaf, second: &Leaf| filter.passes(world, first.body, second.body);
        if broad.update(&shapes.leaves, frames, bodies, &widest, passes) {
            slots.clear();
        }
        places.clear();
        for link in &mut broad.links {
            let leaves = link.leaves.map(|leaf| &shapes.leaves[leaf as usize]);
            link.age(leaves.map(|leaf| shapes.changes[leaf.body as usize]));
            let margin = margin(reach, leaves, frames);
            if !leaves[0].near(leaves[1], margin) {
                continue;
            }
            let pair = Pair { bodies, frames, leaves };
            if !link.knows(margin) {
                // A body has moved, or one looks farther: which features may touch, with φ, J and k.
                pair.look(shapes, margin.max(reach::margin(&widest, leaves, frames)), link, slots);
            } else if !link.rates {
                // The features and gaps found before; k at the velocity that has changed.
                pair.look_again(link, slots);
            }
            if link.separation > margin {
                continue;
            }
            let start = found.len();
            for which in 0..link.count {
                let Candidate { contact, gap } = slots.get(link.slot, which);
                // Written so that NaN is kept.
                let beyond = gap.phi > margin;
                if !beyond && !pair.repeats(gap, places) {
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

/// Two pieces whose boxes are near.
struct Pair<'a> {
    bodies: &'a [Body],
    frames: &'a [Frame],
    leaves: [&'a Leaf; 2],
}

impl<'a> Pair<'a> {
    fn piece(&self, side: usize) -> &'a Piece {
        let leaf = self.leaves[side];
        &self.bodies[leaf.body as usize].pieces()[leaf.piece as usize]
    }

    fn frame(&self, side: usize) -> &'a Frame {
        &self.frames[self.leaves[side].body as usize]
    }

    /// Length below which positions differ by rounding only, m.
    fn tolerance(&self) -> f64 {
        const ROUNDED: f64 = 1e-12;
        let size = |side: usize| {
            let radius = self.leaves[side].radius;
            let away = 1e-3 * self.frame(side).position.abs().max_element();
            away + if radius.is_finite() { radius } else { 0.0 }
        };
        ROUNDED * (size(0) + size(1))
    }

    fn curve(&self, side: usize) -> Option<Profile> {
        let frame = self.frame(side);
        match Surface::of(self.piece(side), Feature::Curve, frame.rotation, frame.position) {
            Surface::Profile(profile) => Some(profile),
            Surface::Face(_) => None,
        }
    }

    /// Looks for contacts with gaps up to `margin`, m, into `link` and its slot.
    fn look(&self, shapes: &Shapes, margin: f64, link: &mut Link, slots: &mut Slots) {
        link.begin(margin);
        if self.is_above(margin) {
            link.separation = f64::INFINITY;
            return;
        }
        let mut likely = link.likely;
        link.separation = self.touch(shapes, margin, &mut likely, |features, normal| {
            slots.push(link, self.candidate(features, normal));
        });
        link.likely = likely;
    }

    /// Evaluates the gaps of the contacts of `link` once more.
    fn look_again(&self, link: &mut Link, slots: &mut Slots) {
        for candidate in slots.of_link_mut(link) {
            candidate.gap = self.gap(&candidate.contact);
        }
        link.rates = true;
    }

    /// Emits the features that may touch with a gap of at most `margin`; returns the separation of two cores, which is not more
    /// than any gap found, and −∞ of other pairs.
    fn touch(
        &self,
        shapes: &Shapes,
        margin: f64,
        likely: &mut [u32; 2],
        mut emit: impl FnMut([Feature; 2], DVec2),
    ) -> f64 {
        let posed = |side: usize| {
            let Piece::Core(core) = self.piece(side) else { return None };
            let first = self.leaves[side].first;
            Some(Posed {
                core,
                vertices: &shapes.vertices[first..first + core.vertices.len()],
                normals: &shapes.normals[first..first + core.normals.len()],
                rotation: self.frame(side).rotation,
            })
        };
        let tolerance = self.tolerance();
        match (posed(0), posed(1)) {
            (Some(a), Some(b)) => return rounded::touch(a, b, tolerance, margin, likely, emit),
            (Some(core), None) => {
                self.touch_core(&core, 1, tolerance, |feature, other, m| emit([feature, other], m))
            }
            (None, Some(core)) => {
                self.touch_core(&core, 0, tolerance, |feature, other, m| emit([other, feature], -m))
            }
            (None, None) => match (self.piece(0), self.piece(1)) {
                (Piece::HalfPlane { normal, .. }, _) => {
                    emit([Feature::Edge(0), Feature::Curve], self.frame(0).rotation.apply(*normal));
                }
                (_, Piece::HalfPlane { normal, .. }) => {
                    emit([Feature::Curve, Feature::Edge(0)], -self.frame(1).rotation.apply(*normal));
                }
                _ => {
                    if let (Some(a), Some(b)) = (self.curve(0), self.curve(1)) {
                        emit([Feature::Curve, Feature::Curve], curve::with_curve(&a, &b, tolerance));
                    }
                }
            },
        }
        f64::NEG_INFINITY
    }

    /// A core against the half plane or ellipse on `side`; emits the core's feature, the other's, and the normal from
    /// the core.
    fn touch_core(
        &self,
        core: &Posed,
        side: usize,
        tolerance: f64,
        mut emit: impl FnMut(Feature, Feature, DVec2),
    ) {
        if let Piece::HalfPlane { normal, .. } = self.piece(side) {
            let normal = self.frame(side).rotation.apply(*normal);
            return touch_half_plane(normal, core, |vertex| emit(vertex, Feature::Edge(0), -normal));
        }
        let Some(ellipse) = self.curve(side) else { return };
        if let Some((feature, m)) = curve::with_core(core, &ellipse, tolerance) {
            emit(feature, Feature::Curve, m);
        }
    }

    /// The contact of two features, with its gap.
    fn candidate(&self, features: [Feature; 2], normal: DVec2) -> Candidate {
        let [a, b] = self.leaves;
        let (bodies, pieces) = ([a.body, b.body], [a.piece, b.piece]);
        let contact =
            Contact { id: ContactId { bodies, pieces, features: features.map(Feature::code) }, normal };
        Candidate { contact, gap: self.gap(&contact) }
    }

    fn gap(&self, contact: &Contact) -> Gap {
        contact.gap(self.bodies, self.frame(0), self.frame(1))
    }
}

/// Emits up to two vertices of the core, the lowest above the half plane whose outward normal is `normal`.
fn touch_half_plane(normal: DVec2, core: &Posed, mut emit: impl FnMut(Feature)) {
    let (mut lowest, mut second) = ((0, f64::INFINITY), (0, f64::INFINITY));
    for (vertex, p) in core.vertices.iter().enumerate() {
        if !core.exposes_vertex(vertex, -normal) {
            continue;
        }
        let height = normal.dot(*p);
        if height < lowest.1 {
            second = lowest;
            lowest = (vertex, height);
        } else if height < second.1 {
            second = (vertex, height);
        }
    }
    for (vertex, height) in [lowest, second] {
        if height.is_finite() {
            emit(Feature::Vertex(vertex));
        }
    }
}
