//! Two pieces whose boxes are near: which of their features may touch, with their gaps, and which of these are within reach.

use super::contact_graph::{self, Candidate, Reach, Slots};
use super::feature::{Feature, PlacedCore, Surface};
use super::gap::Contact;
use super::normal;
use super::polyline::{Convex, Link};
use super::rounded;
use super::shapes::{Leaf, Shapes};
use crate::model::{Body, ContactId, Frame, Piece};
use glam::DVec2;

/// Two pieces that may touch.
pub(super) struct PiecePair<'a> {
    pub bodies: &'a [Body],
    pub frames: [&'a Frame; 2],
    pub leaves: [&'a Leaf; 2],
}

impl<'a> PiecePair<'a> {
    pub fn piece(&self, side: usize) -> &'a Piece {
        self.leaves[side].of(self.bodies)
    }

    /// Length below which positions differ by rounding only, m.
    fn tolerance(&self) -> f64 {
        const ROUNDED: f64 = 1e-12;
        let size = |side: usize| {
            let radius = self.leaves[side].radius;
            let away = 1e-3 * self.frames[side].position.abs().max_element();
            away + if radius.is_finite() { radius } else { 0.0 }
        };
        ROUNDED * (size(0) + size(1))
    }

    /// The one surface of a half plane or an ellipse.
    fn surface(&self, side: usize) -> Surface {
        let frame = self.frames[side];
        Surface::of(self.piece(side), Feature::Curve, frame.rotation, frame.position)
    }

    /// Looks for contacts with gaps up to `margin`, m, into `link` and its slot.
    pub fn look(&self, shapes: &Shapes, margin: f64, link: &mut contact_graph::Link, slots: &mut Slots) {
        (link.margin, link.count) = (margin, 0);
        link.separation = self.touch(shapes, Some(DVec2::ZERO), margin, |features, normal| {
            let contact = contact(self.leaves, features, normal, false);
            let gap = contact.gap(self.bodies, self.frames[0], self.frames[1]);
            slots.push(link, Candidate { contact, gap, touches: false });
        });
    }

    /// Emits the features that may touch with a gap of at most `margin`; of a half plane and a polygon the two lowest vertices,
    /// whatever their gap. Returns the separation of two cores, which is not more than any gap found, and −∞ of other
    /// pairs. `moved` is the displacement of body b relative to body a since the step began, m, which seams count with;
    /// with none, each piece is as if it were alone.
    pub fn touch(
        &self,
        shapes: &Shapes,
        moved: Option<DVec2>,
        margin: f64,
        mut emit: impl FnMut([Feature; 2], DVec2),
    ) -> f64 {
        let posed = |side: usize| {
            let Piece::Core(core) = self.piece(side) else { return None };
            let Leaf { first, seam, .. } = *self.leaves[side];
            let (way, seam) = (moved.unwrap_or_default(), seam.map(|seam| &shapes.seams[seam as usize]));
            Some(PlacedCore {
                core,
                vertices: &shapes.vertices[first..first + core.vertices.len()],
                normals: &shapes.normals[first..first + core.normals.len()],
                rotation: self.frames[side].rotation,
                back: if side == 0 { -way } else { way },
                seam: moved.and(seam.or(core.seam.as_ref())),
            })
        };
        let tolerance = self.tolerance();
        match (posed(0), posed(1)) {
            (Some(a), Some(b)) => {
                let link = |side: usize, other: &PlacedCore<'_>| self.link(side, other);
                return rounded::touch([a, b], link, tolerance, margin, emit);
            }
            (Some(core), None) => {
                self.touch_core(&core, 1, tolerance, |feature, other, m| emit([feature, other], m))
            }
            (None, Some(core)) => {
                self.touch_core(&core, 0, tolerance, |feature, other, m| emit([other, feature], -m))
            }
            (None, None) => match (self.surface(0), self.surface(1)) {
                (Surface::Face(_, normal), _) => emit([Feature::Edge(0), Feature::Curve], normal),
                (_, Surface::Face(_, normal)) => emit([Feature::Curve, Feature::Edge(0)], -normal),
                (Surface::Profile(a), Surface::Profile(b)) => {
                    emit([Feature::Curve, Feature::Curve], normal::with_curve(&a, &b, tolerance));
                }
            },
        }
        f64::NEG_INFINITY
    }

    /// The piece on `side` as a part of its polyline, which `other` is near, if it is one.
    fn link(&self, side: usize, other: &impl Convex) -> Option<Link<'a>> {
        let leaf = self.leaves[side];
        Link::of(self.bodies[leaf.body as usize].pieces(), leaf.piece, self.frames[side], other)
    }

    /// A core against the half plane or ellipse on `side`; emits the core's feature, the other's, and the normal from
    /// the core.
    fn touch_core(
        &self,
        core: &PlacedCore,
        side: usize,
        tolerance: f64,
        mut emit: impl FnMut(Feature, Feature, DVec2),
    ) {
        match self.surface(side) {
            Surface::Face(_, normal) => {
                touch_half_plane(normal, core, |vertex| emit(vertex, Feature::Edge(0), -normal));
            }
            Surface::Profile(ellipse) => {
                let link = core.seam.and_then(|_| self.link(1 - side, &ellipse));
                let touching = normal::with_core((core, link.as_ref()), &ellipse, tolerance);
                touching.into_iter().for_each(|(feature, m)| emit(feature, Feature::Curve, m));
            }
        }
    }
}

/// The contact of a feature of each of two leaves.
pub(super) fn contact(leaves: [&Leaf; 2], features: [Feature; 2], normal: DVec2, late: bool) -> Contact {
    let (bodies, pieces) = (leaves.map(|leaf| leaf.id), leaves.map(|leaf| leaf.piece));
    let id = ContactId { bodies, pieces, features: features.map(Feature::code) };
    Contact { id, indices: leaves.map(|leaf| leaf.body), normal, late }
}

/// Emits up to two vertices of the core, the lowest above the half plane whose outward normal is `normal`.
fn touch_half_plane(normal: DVec2, core: &PlacedCore, mut emit: impl FnMut(Feature)) {
    let (mut lowest, mut second) = ((0, f64::INFINITY), (0, f64::INFINITY));
    for (vertex, p) in core.vertices.iter().enumerate() {
        // True of all vertices but those at a seam.
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

/// The pair's reach, m.
#[inline]
pub(super) fn margin(reach: &Reach, leaves: [&Leaf; 2], frames: &[Frame]) -> f64 {
    if reach.travel == 0.0 {
        return reach.distance.max(0.0);
    }
    let [a, b] = leaves.map(|leaf| &frames[leaf.body as usize]);
    let apart = || (a.position - b.position).length();
    // Points of a half plane that are farther from its body's centre than all points of the other body do not matter.
    let [r_a, r_b] = [leaves[0].radius, leaves[1].radius];
    let r_a = if r_a.is_finite() { r_a } else { apart() + r_b };
    let r_b = if r_b.is_finite() { r_b } else { apart() + r_a };
    let speed = (a.linear - b.linear).length() + a.angular.abs() * r_a + b.angular.abs() * r_b;
    reach.distance.max(reach.travel * speed)
}

/// Whether one of the `others`, which neighbouring pieces of the same bodies have given, is the same contact as `own`
/// of these leaves.
pub(super) fn repeats<'a>(
    leaves: [&Leaf; 2],
    own: &Candidate,
    others: impl Iterator<Item = &'a Candidate>,
) -> bool {
    /// Distance, relative to the bodies, and sine of the angle up to which two contacts are one.
    const SAME: f64 = 1e-9;
    let radii = leaves.map(|leaf| leaf.radius).into_iter();
    let size = SAME * radii.filter(|r| r.is_finite()).sum::<f64>();
    let here = others.take_while(|other| other.contact.indices == own.contact.indices);
    let mut here =
        here.map(|other| (other.gap.point - own.gap.point, other.gap.normal.dot(own.gap.normal)));
    here.any(|(d, cosine)| d.abs().max_element() <= size && cosine > 0.0 && 1.0 - cosine <= SAME)
}
