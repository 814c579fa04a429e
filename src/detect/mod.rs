//! Collision detection: which features of which bodies may touch, and their gaps φ(q).
//!
//! The gap is not a by-product here but the constraint function itself: φ is the distance where two pieces are apart,
//! and minus the smallest translation that parts them where they overlap [Anitescu & Hart 2004, eq. 4.38]. A contact
//! names two features; [`Contact::gap`] gives φ, ∂φ/∂q and the velocity-product term of these at any pose, so a scheme
//! can take Newton steps on a contact without detecting again.
//!
//! 1. `filter`: who may collide with whom.
//! 2. `broad`: whose bounding boxes come within reach (the tree is `parry2d-f64`'s).
//! 3. `rounded`, `curve`, `half_plane`: which features touch, one or two contacts per pair of convex pieces; the
//!    smaller φ of the two is the pair's signed distance.
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
mod half_plane;
mod nearest;
mod normal;
mod rounded;

pub use feature::Feature;
pub use gap::{Contact, Gap};
pub use nearest::nearest_point;

use crate::model::{Body, ContactId, Frame, Piece, World};
use broad::{Broad, Leaf};
use feature::{Profile, Surface};
use filter::Filter;
use glam::DVec2;
use rounded::Posed;

/// Which contacts are found: those with φ ≤ max(distance, travel · u), where u = |v_a − v_b| + |ω_a| R_a + |ω_b| R_b
/// bounds the speed at which the two pieces approach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// ε̂, m.
    pub distance: f64,
    /// s; 0 looks at the distance alone.
    pub travel: f64,
}

/// Finds contacts. It holds memory only: a used one finds the same contacts as a fresh one, and allocates nothing as
/// long as the world keeps its pieces and has no more contacts than before.
#[derive(Debug, Default)]
pub struct Detector {
    filter: Filter,
    broad: Broad,
    leaves: Vec<Leaf>,
    vertices: Vec<DVec2>,
    normals: Vec<DVec2>,
    /// Where the contacts of the present two bodies are, to find coincident ones.
    places: Vec<Place>,
}

/// A contact's point and normal, and its bodies.
#[derive(Clone, Copy, Debug)]
struct Place {
    bodies: [u32; 2],
    point: DVec2,
    normal: DVec2,
}

impl Detector {
    /// Contacts within `reach`, sorted by their identities, into `contacts`. `frames[i]` is the pose and the velocity
    /// of body i at which they are wanted.
    pub fn detect(&mut self, world: &World, frames: &[Frame], reach: &Reach, contacts: &mut Vec<Contact>) {
        contacts.clear();
        self.places.clear();
        self.filter.read(world);
        self.place(world.bodies(), frames);
        let Self { filter, broad, leaves, vertices, normals, places } = self;
        let passes = |first: &Leaf, second: &Leaf| filter.passes(world, first.body, second.body);
        for [i, j] in broad.pairs(leaves, frames, world.bodies(), reach, passes) {
            let [a, b] = [&leaves[*i as usize], &leaves[*j as usize]];
            let margin = margin(reach, [a, b], frames);
            if a.near(b, margin) {
                let pair = Pair { bodies: world.bodies(), frames, leaves: [a, b], margin };
                pair.touch(vertices, normals, places, contacts);
            }
        }
        contacts.sort_unstable_by_key(|contact| contact.id);
    }

    /// Fills the leaves, and the vertices and normals of cores in world axes.
    fn place(&mut self, bodies: &[Body], frames: &[Frame]) {
        self.leaves.clear();
        self.vertices.clear();
        self.normals.clear();
        for (index, (body, frame)) in bodies.iter().zip(frames).enumerate() {
            if !body.collides {
                continue;
            }
            for (piece_index, piece) in body.pieces().iter().enumerate() {
                let first = self.vertices.len();
                if let Piece::Core(core) = piece {
                    self.vertices
                        .extend(core.vertices.iter().map(|p| frame.position + frame.rotation.apply(*p)));
                    self.normals.extend(core.normals.iter().map(|n| frame.rotation.apply(*n)));
                    // One slot per vertex in both lists: a single vertex has no normal.
                    self.normals.resize(self.vertices.len(), DVec2::ZERO);
                }
                let (low, high) = broad::bounds(piece, &self.vertices[first..], frame);
                let (body, piece_index, radius) =
                    (index as u32, piece_index as u32, piece.bounding_radius());
                self.leaves.push(Leaf { body, piece: piece_index, first, low, high, radius });
            }
        }
    }
}

/// The pair's reach, m.
fn margin(reach: &Reach, leaves: [&Leaf; 2], frames: &[Frame]) -> f64 {
    let [a, b] = leaves.map(|leaf| &frames[leaf.body as usize]);
    let apart = (a.position - b.position).length();
    // Points of a half plane that are farther from its body's centre than all points of the other body do not matter.
    let [r_a, r_b] = [leaves[0].radius, leaves[1].radius];
    let r_a = if r_a.is_finite() { r_a } else { apart + r_b };
    let r_b = if r_b.is_finite() { r_b } else { apart + r_a };
    let speed = (a.linear - b.linear).length() + a.angular.abs() * r_a + b.angular.abs() * r_b;
    reach.distance.max(reach.travel * speed)
}

/// Two pieces whose boxes are near.
struct Pair<'a> {
    bodies: &'a [Body],
    frames: &'a [Frame],
    leaves: [&'a Leaf; 2],
    margin: f64,
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

    fn touch(
        &self,
        vertices: &[DVec2],
        normals: &[DVec2],
        places: &mut Vec<Place>,
        contacts: &mut Vec<Contact>,
    ) {
        let posed = |side: usize| {
            let Piece::Core(core) = self.piece(side) else { return None };
            let first = self.leaves[side].first;
            Some(Posed {
                core,
                vertices: &vertices[first..first + core.vertices.len()],
                normals: &normals[first..first + core.normals.len()],
                rotation: self.frame(side).rotation,
            })
        };
        let mut emit =
            |features: [Feature; 2], normal: DVec2| self.keep(features, normal, places, contacts);
        let tolerance = self.tolerance();
        match (posed(0), posed(1)) {
            (Some(a), Some(b)) => rounded::touch(a, b, tolerance, self.margin, emit),
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
            return half_plane::touch(normal, core, |vertex| emit(vertex, Feature::Edge(0), -normal));
        }
        let Some(ellipse) = self.curve(side) else { return };
        if let Some((feature, m)) = curve::with_core(core, &ellipse, tolerance) {
            emit(feature, Feature::Curve, m);
        }
    }

    /// Keeps a contact within the margin, unless a neighbouring piece has given the same one.
    fn keep(
        &self,
        features: [Feature; 2],
        normal: DVec2,
        places: &mut Vec<Place>,
        contacts: &mut Vec<Contact>,
    ) {
        /// Distance, relative to the bodies, and sine of the angle up to which two contacts are one.
        const SAME: f64 = 1e-9;
        let [a, b] = self.leaves;
        let bodies = [a.body, b.body];
        let id = ContactId { bodies, pieces: [a.piece, b.piece], features: features.map(Feature::code) };
        let contact = Contact { id, normal };
        let gap = contact.gap(self.bodies, self.frame(0), self.frame(1));
        if gap.phi > self.margin {
            return;
        }
        let seams =
            [0, 1].iter().any(|side| matches!(self.piece(*side), Piece::Core(c) if c.seam.is_some()));
        if seams {
            let size =
                SAME * [a, b].map(|leaf| leaf.radius).into_iter().filter(|r| r.is_finite()).sum::<f64>();
            let here = places.iter().rev().take_while(|place| place.bodies == bodies);
            let mut here = here.map(|place| (place.point - gap.point, place.normal.dot(gap.normal)));
            if here.any(|(d, cosine)| d.abs().max_element() <= size && cosine > 0.0 && 1.0 - cosine <= SAME)
            {
                return;
            }
            places.push(Place { bodies, point: gap.point, normal: gap.normal });
        }
        contacts.push(contact);
    }
}
