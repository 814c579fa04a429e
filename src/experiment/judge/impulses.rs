//! What acted in a step, by cause: the impulses of a line on the bodies of a world.
//!
//! A contact's impulse p = p_n n + p_t t acts on body b at its point x, with the moment (x − c_b) × p + L, and on body a with
//! the opposite. Where the line states the impulses on both bodies, those count, and the normal with which they acted is
//! found from them: n = (p_n F + p_t perp F)/|F|² of the impulse F on b, since a line may state point and normal of another
//! moment. Friction is the part p_t t at x, and the moment L.
//!
//! Of bodies that cannot move a line needs to say nothing. What acts on those with a prescribed motion is completed by the
//! opposite of what acts on the other body.

use super::moment::{Moment, Sight};
use crate::experiment::recording::Stretch;
use crate::model::{JointId, NonholonomicId, NonholonomicKind, SpringId, World};
use crate::report::ConstraintId;
use driftlab_probe::format::{Acted, Contact, Impulse, Part, Step};
use glam::{DVec2, DVec3};

/// Who acted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cause {
    /// All parts of a joint that have no entry of their own.
    Joint(JointId),
    Spring(SpringId),
    /// A velocity constraint; whether it prescribes a velocity.
    Nonholonomic(NonholonomicId, bool),
    Suspension(JointId),
    Motor(JointId),
    Friction(JointId),
    Lower(JointId),
    Upper(JointId),
    Hand,
    Contact,
}

impl Cause {
    /// The constraint whose rows act; none of contacts, which are found by their points, and of the hand.
    pub fn rows(self) -> Option<ConstraintId> {
        Some(match self {
            Self::Joint(id) => ConstraintId::Joint(id),
            Self::Spring(id) => ConstraintId::Spring(id),
            Self::Nonholonomic(id, _) => ConstraintId::Nonholonomic(id),
            Self::Suspension(id) => ConstraintId::Suspension(id),
            Self::Motor(id) => ConstraintId::Motor(id),
            Self::Friction(id) => ConstraintId::Friction(id),
            Self::Lower(id) => ConstraintId::LowerLimit(id),
            Self::Upper(id) => ConstraintId::UpperLimit(id),
            Self::Hand | Self::Contact => return None,
        })
    }
}

/// An impulse by its cause.
#[derive(Clone, Debug)]
pub(super) struct Push {
    pub cause: Cause,
    /// On each of its bodies, by their indices: N s, N s, N m s about the centre of mass.
    pub on: Vec<(usize, DVec3)>,
    /// Along the joint's coordinate, N s or N m s.
    pub along: Option<f64>,
}

/// A contact of a line whose impulse is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressed {
    /// Indices of body a and body b.
    pub bodies: [usize; 2],
    /// p_n, p_t, N s, and L, N m s.
    pub impulse: [f64; 3],
    /// The point of each body at which it acts, m.
    pub points: [DVec2; 2],
    /// From a to b, as the impulse acted.
    pub normal: DVec2,
    /// As the line states it, m.
    pub gap: Option<f64>,
    /// What of it friction exerts on a and b.
    pub friction_on: [DVec3; 2],
    /// μ, e, and the speed of the surfaces along −t, m/s: of the line or of the scene; none where the scene does not see them
    /// touch.
    pub friction: Option<f64>,
    pub restitution: Option<f64>,
    pub speed: f64,
}

/// The impulses of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Acting {
    pub pushes: Vec<Push>,
    pub pressed: Vec<Pressed>,
    /// External impulses, by body; none where the line does not state them.
    pub external: Option<Vec<DVec3>>,
    /// Bodies of which not every impulse is known.
    pub unknown: Vec<bool>,
    /// Whether the line states what joints did, and what contacts did.
    pub acted_known: bool,
    pub contacts_known: bool,
}

/// t = (n_y, −n_x).
pub(super) fn tangent(normal: DVec2) -> DVec2 {
    -normal.perp()
}

/// What is read together: who is there, and the step's beginning; the moment of the contacts' poses, and what our own detection
/// sees there.
pub(super) struct Scenery<'a> {
    pub stretch: &'a Stretch,
    pub begin: &'a Moment,
    pub contacts_at: &'a Moment,
    pub sight: &'a Sight,
}

impl Scenery<'_> {
    fn world(&self) -> &World {
        &self.stretch.world
    }

    /// The index of a body by its number in the recording.
    pub fn index(&self, number: usize) -> Option<usize> {
        self.stretch.bodies.get(number).copied().flatten().and_then(|id| self.world().index_of(id))
    }

    /// Everything that acted.
    pub fn acting(&self, step: &Step) -> Acting {
        let bodies = self.world().bodies().len();
        let mut own = Acting {
            unknown: vec![false; bodies],
            acted_known: step.acted.is_some(),
            contacts_known: step.contacts.is_some(),
            ..Acting::default()
        };
        step.acted.iter().flatten().for_each(|acted| self.take_acted(acted, &mut own));
        step.contacts.iter().flatten().for_each(|contact| self.take_contact(contact, &mut own));
        if !step.hand.is_empty() {
            let on = self.listed(&step.hand);
            own.pushes.push(Push { cause: Cause::Hand, on, along: None });
        }
        own.external = step.external.as_ref().map(|all| {
            let mut sums = vec![DVec3::ZERO; bodies];
            self.listed(all).into_iter().for_each(|(body, on)| sums[body] += on);
            sums
        });
        own
    }

    /// Impulses by the world's indices.
    fn listed(&self, on: &[Impulse]) -> Vec<(usize, DVec3)> {
        let own = |Impulse(body, x, y, l): &Impulse| Some((self.index(*body)?, DVec3::new(*x, *y, *l)));
        on.iter().filter_map(own).collect()
    }

    fn take_acted(&self, acted: &Acted, own: &mut Acting) {
        let world = self.world();
        let Some((cause, constraint, all)) = self.cause(acted) else { return };
        let mut on = self.listed(&acted.on);
        if on.is_empty() {
            on = match (acted.along, constraint) {
                (Some(along), Some(constraint)) => self.along_row(constraint, along),
                _ => None,
            }
            .unwrap_or_default();
            // An entry that states how far the joint is open, and no more, leaves its impulse open.
            let is_reading = acted.linear.is_some() || acted.angular.is_some();
            let is_unknown = acted.along.map_or(is_reading, |along| along != 0.0);
            if on.is_empty() && is_unknown {
                all.iter().for_each(|&body| own.unknown[body] = true);
                return;
            }
        }
        self.complete(&mut on, &all, world);
        own.pushes.push(Push { cause, on, along: acted.along });
    }

    /// Who acted, as a row names him where it is one row, and his bodies.
    fn cause(&self, acted: &Acted) -> Option<(Cause, Option<ConstraintId>, Vec<usize>)> {
        let world = self.world();
        if let Some(number) = acted.joint {
            let id = self.stretch.joints.get(number).copied().flatten()?;
            let all = world.joint(id)?.all_bodies().collect();
            return Some(match acted.part {
                None => (Cause::Joint(id), None, all),
                Some(Part::Motor) => (Cause::Motor(id), Some(ConstraintId::Motor(id)), all),
                Some(Part::Friction) => (Cause::Friction(id), Some(ConstraintId::Friction(id)), all),
                Some(Part::LowerLimit) => (Cause::Lower(id), Some(ConstraintId::LowerLimit(id)), all),
                Some(Part::UpperLimit) => (Cause::Upper(id), Some(ConstraintId::UpperLimit(id)), all),
                Some(Part::Suspension) => (Cause::Suspension(id), Some(ConstraintId::Suspension(id)), all),
            });
        }
        if let Some(number) = acted.spring {
            let id = self.stretch.springs.get(number).copied().flatten()?;
            return Some((Cause::Spring(id), None, world.spring(id)?.bodies().to_vec()));
        }
        let id = self.stretch.nonholonomic.get(acted.nonholonomic?).copied().flatten()?;
        let place = world.nonholonomic_ids().binary_search(&id).ok()?;
        let constraint = &world.nonholonomic()[place];
        let is_driven = matches!(constraint.kind, NonholonomicKind::PrescribedVelocity(_));
        Some((Cause::Nonholonomic(id, is_driven), None, constraint.bodies().to_vec()))
    }

    /// Jᵀλ of an impulse along a joint's coordinate; an upper limit's row points the other way.
    fn along_row(&self, constraint: ConstraintId, along: f64) -> Option<Vec<(usize, DVec3)>> {
        let row = self.begin.rows.iter().find(|own| own.constraint == constraint)?;
        let sign = if matches!(constraint, ConstraintId::UpperLimit(_)) { -along } else { along };
        Some(row.row.arms().map(|(body, j)| (body, sign * j)).collect())
    }

    /// Adds what acts on a body with a prescribed motion, where a constraint of two bodies says it of the other alone.
    fn complete(&self, on: &mut Vec<(usize, DVec3)>, all: &[usize], world: &World) {
        let [a, b] = all[..] else { return };
        for (own, other) in [(a, b), (b, a)] {
            let is_missing = own != other
                && !world.bodies()[own].is_dynamic()
                && on.iter().all(|(body, _)| *body != own)
                && on.iter().any(|(body, _)| *body == other);
            if is_missing {
                let sum: DVec3 = on.iter().filter(|(body, _)| *body == other).map(|(_, on)| *on).sum();
                let arm = (self.begin.q[other] - self.begin.q[own]).truncate();
                let moment = sum.z + arm.perp_dot(sum.truncate());
                on.push((own, -sum.truncate().extend(moment)));
            }
        }
    }

    fn take_contact(&self, contact: &Contact, own: &mut Acting) {
        let [Some(a), Some(b)] = contact.bodies.map(|body| self.index(body)) else { return };
        let (point, normal) = (DVec2::from_array(contact.point), DVec2::from_array(contact.normal));
        let normal = normal.normalize_or_zero();
        let points = [contact.point_a.map_or(point, DVec2::from_array), point];
        let arms =
            [(a, points[0]), (b, points[1])].map(|(body, at)| at - self.contacts_at.q[body].truncate());
        let at_point = |[p_n, p_t, l]: [f64; 3]| {
            let p = p_n * normal + p_t * tangent(normal);
            [-p.extend(arms[0].perp_dot(p) + l), p.extend(arms[1].perp_dot(p) + l)]
        };
        let mut on = self.listed(&contact.on);
        let impulse = match (contact.impulse, on.is_empty()) {
            (Some(impulse), true) => {
                let [on_a, on_b] = at_point(impulse);
                on = vec![(a, on_a), (b, on_b)];
                impulse
            }
            (Some(impulse), false) => impulse,
            (None, false) => {
                let sum = |of: usize| -> Option<DVec2> {
                    let own = on.iter().filter(|(own, _)| *own == of).map(|(_, on)| on.truncate());
                    own.reduce(|sum, on| sum + on)
                };
                let p = sum(b).or(sum(a).map(|on_a| -on_a)).unwrap_or_default();
                [p.dot(normal), p.dot(tangent(normal)), 0.0]
            }
            (None, true) => {
                own.unknown[a] = true;
                own.unknown[b] = true;
                return;
            }
        };
        self.complete(&mut on, &[a, b], self.world());
        let seen = self.sight.nearest([a, b], point).map(|(_, seen)| seen);
        let begun = [0, 1].map(|side: usize| self.arms_at_begin(side, [a, b], points[side], arms[side]));
        let (normal, friction_on) = friction(impulse, normal, begun, [a, b], &on);
        own.pressed.push(Pressed {
            bodies: [a, b],
            impulse,
            points,
            normal,
            gap: contact.gap,
            friction_on,
            friction: contact.friction.or(seen.map(|seen| seen.friction)),
            restitution: seen.map(|seen| seen.restitution),
            speed: seen.map_or(0.0, |seen| seen.speed),
        });
        own.pushes.push(Push { cause: Cause::Contact, on, along: None });
    }
}

impl Scenery<'_> {
    /// The arms that a point stated for the end of the step may have had at its beginning: the same arm, as of curves; one that
    /// turns with its own body, as of a vertex of it; one that stays with the other body, as of a vertex of that.
    fn arms_at_begin(&self, side: usize, bodies: [usize; 2], point: DVec2, arm: DVec2) -> [DVec2; 3] {
        let (own, other) = (bodies[side], bodies[1 - side]);
        let [begin, then] = [self.begin, self.contacts_at].map(|moment| &moment.q);
        let turned = |body: usize, arm: DVec2| DVec2::from_angle(begin[body].z - then[body].z).rotate(arm);
        let on_other = begin[other].truncate() + turned(other, point - then[other].truncate());
        [arm, turned(own, arm), on_other - begin[own].truncate()]
    }
}

/// How far the squares of an impulse's parts and of the impulse itself may differ for the same normal to hold for all of it.
const SAME: f64 = 1e-6;

/// The normal with which an impulse acted, and what of it friction exerts on both bodies.
fn friction(
    [p_n, p_t, l]: [f64; 3],
    stated: DVec2,
    arms: [[DVec2; 3]; 2],
    bodies: [usize; 2],
    on: &[(usize, DVec3)],
) -> (DVec2, [DVec3; 2]) {
    let of = |body: usize| on.iter().find(|(own, _)| *own == body).map(|(_, on)| *on);
    let mut normal = stated;
    let [on_a, on_b] = bodies.map(of);
    let force = on_b.map(DVec3::truncate).or(on_a.map(|on| -on.truncate())).unwrap_or_default();
    let square = force.length_squared();
    let is_one = square > 0.0 && (square - p_n * p_n - p_t * p_t).abs() <= SAME * square;
    if is_one {
        normal = (p_n * force + p_t * force.perp()) / square;
    }
    let f = p_t * tangent(normal);
    let moment = |side: usize, whole: Option<DVec3>| {
        let (sign, [mut arm, ..]) = ([-1.0, 1.0][side], arms[side]);
        if let Some(whole) = whole.filter(|_| is_one) {
            // The arm across the impulse follows from its moment; that along it is of the arm that fits this one best.
            let along = force / square.sqrt();
            let across = -(sign * whole.z - l) / square.sqrt();
            let miss = |arm: &DVec2| (arm.dot(along.perp()) - across).abs();
            let best = arms[side].into_iter().min_by(|one, other| miss(one).total_cmp(&miss(other)));
            arm = best.unwrap_or(arm).dot(along) * along + across * along.perp();
        }
        sign * (arm.perp_dot(f) + l)
    };
    let [of_a, of_b] = [moment(0, on_a), moment(1, on_b)];
    (normal, [-f.extend(0.0) + DVec3::Z * of_a, f.extend(of_b)])
}
