//! Contacts that keep their anchors: the points of both bodies at which they met when the contact was found, and the normal there.
//!
//! ```text
//! at q₀, where the contact was found:   x_a + r_a = x_b + r_b ,  n ,  φ₀
//! at q, where a step begins:            φ = φ₀ + n·(x_b + R_b r_b − x_a − R_a r_a) ,    R = R(θ − θ₀)
//! within the step:                      φ + n·(Δx_b + R(Δθ_b) r_b − r_b − Δx_a − R(Δθ_a) r_a + r_a)
//! J_n v = n·(v_b + ω_b × r_b − v_a − ω_a × r_a) ,   J_t likewise with t = perp(n)
//! ```
//!
//! r_a, r_b and n keep their directions in the world, and J with them, until the bodies have moved against each other
//! [Box2D 3.2.0: `b2CollideTask`, `b2PrepareContacts`]. With d their way in the axes of a, δ their turn and ρ the larger
//! radius of the two pieces about their bodies' centres, zero of a fixed body, the contact is found anew at
//!
//! ```text
//! |d| + ρ |sin δ| ≥ the recycling distance ,    or where a body has turned by cos (θ − θ₀) ≤ 0.98
//! ```
//!
//! Detection says which contacts there are, and only where they are is kept.

use crate::constraint::{Condition, Constraint};
use crate::detect::{Contact, Gap};
use crate::math::Rotation;
use crate::model::joint::{Equation, Unit};
use crate::model::{BodyKind, ContactId, Frame, Memory, World};
use crate::stages::motion::Motion;
use crate::stages::sequential_constraint::MOST;
use crate::stages::sweeps::Sequence;
use glam::{DVec2, DVec3};

/// Cosine of the largest turn [Box2D 3.2.0: `B2_CONTACT_RECYCLE_COS_ANGLE`].
const TURNED: f64 = 0.98;

/// The anchors of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Anchors {
    normal: DVec2,
    /// r_a and r_b, m, and θ₀ of both bodies, rad.
    arms: [DVec2; 2],
    angles: [f64; 2],
    /// φ₀, m.
    gap: f64,
    /// q of the bodies when the step began, and φ there.
    start: [DVec3; 2],
    start_gap: f64,
}

/// How many numbers of [`Anchors`] outlast a step.
const KEPT: usize = 9;

impl Anchors {
    /// Those of a contact that is found with this gap at the poses q.
    fn found(gap: &Gap, q: [DVec3; 2]) -> Self {
        let arms = q.map(|q| gap.point - q.truncate());
        let (angles, start_gap) = (q.map(|q| q.z), gap.phi);
        Self { normal: gap.normal, arms, angles, gap: gap.phi, start: q, start_gap }
    }

    /// Those of the last step, at the poses q with which this one begins.
    fn kept(numbers: &[f64], q: [DVec3; 2]) -> Option<Self> {
        let &[nx, ny, ax, ay, bx, by, of_a, of_b, gap] = numbers else { return None };
        let [normal, a, b] = [[nx, ny], [ax, ay], [bx, by]].map(DVec2::from_array);
        let (arms, angles) = ([a, b], [of_a, of_b]);
        let [end_a, end_b] =
            [0, 1].map(|side| Rotation::from_angle(q[side].z - angles[side]).apply(arms[side]));
        let start_gap = gap + normal.dot((q[1] - q[0]).truncate() + (end_b - end_a));
        Some(Self { normal, arms, angles, gap, start: q, start_gap })
    }

    fn numbers(&self) -> [f64; KEPT] {
        let Self { normal, arms: [a, b], angles: [of_a, of_b], gap, .. } = *self;
        [normal.x, normal.y, a.x, a.y, b.x, b.y, of_a, of_b, gap]
    }

    /// Whether the bodies, of which the larger piece has this radius, have moved by less than `distance`, m, at the step's start.
    fn hold(&self, radius: f64, distance: f64) -> bool {
        let [a, b] = [0, 1].map(|side| self.start[side].z - self.angles[side]);
        let between = (self.start[1] - self.start[0]).truncate();
        let moved = Rotation::from_angle(a).inverse_apply(between) - (self.arms[0] - self.arms[1]);
        let turned = libm::cos(a).min(libm::cos(b));
        turned > TURNED && moved.length() + radius * libm::sin(b - a).abs() < distance
    }

    /// Half way between the two anchors at the step's start, m.
    fn point(&self) -> DVec2 {
        let ends = [0, 1].map(|side| {
            let turned = Rotation::from_angle(self.start[side].z - self.angles[side]);
            self.start[side].truncate() + turned.apply(self.arms[side])
        });
        0.5 * (ends[0] + ends[1])
    }

    /// The normal and the tangential row at the step's start.
    pub fn rows(&self) -> [Equation; 2] {
        [(self.normal, self.start_gap), (self.normal.perp(), 0.0)].map(|(along, g)| {
            let [ja, jb] = self.arms.map(|arm| along.extend(arm.perp_dot(along)));
            Equation { g, ja: -ja, jb, k: 0.0, unit: Unit::Metre }
        })
    }

    /// φ at the poses q within the step.
    pub fn gap_at(&self, q: [DVec3; 2]) -> f64 {
        let [a, b] = [0, 1].map(|side| {
            let (moved, arm) = (q[side] - self.start[side], self.arms[side]);
            moved.truncate() + (Rotation::from_angle(moved.z).apply(arm) - arm)
        });
        self.start_gap + self.normal.dot(b - a)
    }
}

/// How many numbers are remembered of a constraint: λ/η of its rows, and a contact's anchors.
pub(crate) const REMEMBERED: usize = MOST + KEPT;

/// λ/η and the anchors of a contact of the last step.
type Kept<'a> = (&'a [f64], Anchors);

/// The contact of the last step that the one `found` with this gap at the poses q continues, if its anchors hold. It is
/// the one with the same identity, or else the nearest within `distance` between the same two pieces that is neither among those
/// found nor `taken`: where boxes of one width lie on one another, the vertices of the one and of the other take turns.
fn continued<'a>(
    (found, gap): (&Contact, &Gap),
    same: &[Contact],
    memory: &'a Memory,
    (q, radius, distance): ([DVec3; 2], f64, f64),
    taken: &mut Vec<ContactId>,
) -> Option<Kept<'a>> {
    let last = || {
        memory.contacts_between(found.id.pair()).filter_map(|(id, numbers)| {
            let (forces, numbers) = numbers.split_at_checked(MOST)?;
            Some((id, (forces, Anchors::kept(numbers, q)?)))
        })
    };
    let own = last().find(|(id, _)| *id == found.id).or_else(|| {
        let is_gone = |id: &ContactId| !same.iter().any(|other| other.id == *id) && !taken.contains(id);
        let apart = |(_, anchors): &Kept<'_>| anchors.point().distance(gap.point);
        let gone = last().filter(|(id, kept)| is_gone(id) && apart(kept) < distance);
        gone.min_by(|(_, one), (_, other)| apart(one).total_cmp(&apart(other)))
    });
    let (id, kept) = own?;
    taken.push(id);
    kept.1.hold(radius, distance).then_some(kept)
}

/// The largest distance of a point of one piece of a contact from the centre of its body, m; zero of a fixed body, which does
/// not turn.
fn radius(world: &World, contact: &Contact, side: usize) -> f64 {
    let body = &world.bodies()[contact.bodies()[side]];
    if body.kind() == BodyKind::Fixed {
        0.0
    } else {
        body.pieces()[contact.id.pieces[side] as usize].bounding_radius()
    }
}

/// Whether the sweeps start from the last substep's λ of such a constraint.
fn is_warm(source: Constraint) -> bool {
    matches!(source.condition(), Condition::Position | Condition::Speed | Condition::Unilateral)
}

impl Sequence {
    /// Gives the contacts that were found at the step's start their anchors: those of the last step, where `memory` has them
    /// and the bodies have moved by less than `distance`, m, and new ones elsewhere. λ of joints, motors, contacts and limits
    /// starts from what is remembered, for substeps of `h`.
    pub fn recall(
        &mut self,
        memory: Option<&Memory>,
        (world, contacts, motion): (&World, &[Contact], &Motion),
        (distance, h): (f64, f64),
    ) {
        for own in self.constraints.iter_mut().filter(|own| is_warm(own.source)) {
            if let Some(numbers) = own.source.id(world, contacts).and_then(|id| memory?.of(id)) {
                own.start_from(numbers, h);
            }
        }
        let mut all = self.constraints.iter_mut().filter(|own| own.source.is_contact());
        let mut taken = Vec::new();
        for same in contacts.chunk_by(|one, next| one.id.pair() == next.id.pair()) {
            let q = same[0].bodies().map(|body| motion.q[body]);
            let [a, b] = q.map(|q| Frame::new(q, DVec3::ZERO));
            let radius = (0..2).map(|side| radius(world, &same[0], side)).fold(0.0, f64::max);
            taken.clear();
            for (contact, own) in same.iter().zip(&mut all) {
                let gap = contact.gap(world.bodies(), &a, &b);
                let limits = (q, radius, distance);
                let kept =
                    memory.and_then(|memory| continued((contact, &gap), same, memory, limits, &mut taken));
                let anchors = kept.map_or_else(
                    || Anchors::found(&gap, q),
                    |(forces, anchors)| {
                        own.start_from(forces, h);
                        anchors
                    },
                );
                own.anchor(anchors, &motion.v);
            }
        }
    }

    /// Remembers λ/η of the last substep, of `h`, and the anchors.
    pub fn remember(&self, memory: &mut Memory, (world, contacts): (&World, &[Contact]), h: f64) {
        for own in self.constraints.iter().filter(|own| is_warm(own.source)) {
            let Some(id) = own.source.id(world, contacts) else { continue };
            let mut numbers = [0.0; REMEMBERED];
            let (forces, kept) = numbers.split_at_mut(MOST);
            forces.copy_from_slice(&own.lambda.map(|lambda| lambda / h));
            if let Some(anchors) = &own.anchors {
                kept.copy_from_slice(&anchors.numbers());
            }
            memory.put(id, &numbers);
        }
    }
}
