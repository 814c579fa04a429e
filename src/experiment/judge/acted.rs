//! What acted in a step of a recording, in the terms in which a step of our own tells it, so that both are drawn alike.
//!
//! The impulses are those of the line. A contact of another engine has neither pieces nor features: those of the same two bodies
//! are numbered, and have a feature that no piece has: none of our own detection continues them.

use super::impulses::{Cause, Scenery};
use super::length_of_step;
use super::moment::{Moment, Sight};
use super::work::{external_forces, mass};
use crate::experiment::Run;
use crate::experiment::recording::{Recording, RecordingProblem, Stretch};
use crate::internal::further_bodies;
use crate::model::{ContactId, ContactState, World};
use crate::report::{ConstraintId, ConstraintImpulse, FurtherImpulse};
use driftlab_probe::format::{Impulses, Moment as ContactsAt, Step};
use glam::DVec3;

/// The second feature of contacts that are numbered.
const NUMBERED: u32 = u32::MAX - 1;

/// What acted in a step, and what came of it.
#[derive(Clone, Debug)]
pub struct ActedStep {
    /// Length of the step, s.
    pub duration: f64,
    /// Impulses of joints, springs, velocity constraints, contacts and hands.
    pub impulses: Vec<ConstraintImpulse>,
    /// Contacts with their impulses over the step, in the order of a world.
    pub contacts: Vec<ContactState>,
    /// Impulses of weight, applied forces and all others from outside, by the world's indices: N s, N s, N m s.
    pub external: Vec<DVec3>,
    /// M (v⁺ − v), likewise.
    pub changes: Vec<DVec3>,
    /// Whether the impulses are an estimate.
    pub is_estimated: bool,
}

impl ActedStep {
    /// What acted in the step at `place`, by the ids of the world of its stretch; none of a step without length, and of a line
    /// that tells neither what joints nor what contacts did.
    ///
    /// # Errors
    /// What is wrong with the line, or the one before it.
    pub fn of(recording: &mut Recording, place: usize) -> Result<Option<Self>, Vec<RecordingProblem>> {
        let (contacts_at, usual) = (recording.contacts_at(), recording.time_step());
        let is_estimated = recording.impulses() == Impulses::Estimated;
        let line = place.checked_sub(1).map(|before| recording.step(before)).transpose()?;
        let line = line.map(|(step, _)| step);
        let (step, stretch) = recording.step(place)?;
        let (mut before, first) = (stretch.clone(), stretch.first);
        // Where somebody comes or goes, the stretch's own world is that before the line.
        line.iter().filter(|_| first < place).for_each(|line| before.place(line, None));
        let start = before.world.time();
        let h = length_of_step(&step, start, usual);
        if h.is_nan() || h <= 0.0 || step.acted.is_none() && step.contacts.is_none() {
            return Ok(None);
        }
        let mut after = before.clone();
        after.place(&step, None);
        let told = [place > 0, step.v.is_some()];
        let own = Self::between(&before, &after.world, told, contacts_at, &step, h);
        Ok(Some(Self { is_estimated, ..own }))
    }

    /// What acted in the last step of a run, which another engine has made; none of our own steps, and before the first.
    pub(crate) fn of_run(run: &Run) -> Option<Self> {
        let (line, before) = (run.line()?, Stretch::of(&run.before()?));
        let (_, contacts_at, impulses) = run.manner();
        let own = Self::between(&before, run.world(), [true; 2], contacts_at, &line, run.time_step());
        Some(Self { is_estimated: impulses == Impulses::Estimated, ..own })
    }

    /// What acted in the step of `h` s from `before` to `after`, of which `step` tells the impulses; whether the velocities of
    /// bodies on prescribed paths are told before and after it, and when its contacts were found.
    fn between(
        before: &Stretch,
        after: &World,
        told: [bool; 2],
        contacts_at: ContactsAt,
        step: &Step,
        h: f64,
    ) -> Self {
        let start = before.world.time();
        let (mut begin, mut end, mut sight) = (Moment::default(), Moment::default(), Sight::default());
        begin.read(&before.world, told[0]);
        end.read(after, told[1]);
        let (at, seen) = match contacts_at {
            ContactsAt::End => (&end, after),
            ContactsAt::Begin => (&begin, &before.world),
        };
        let gaps = step.contacts.iter().flatten().filter_map(|contact| contact.gap);
        sight.look(seen, at, gaps.fold(0.0, f64::max));
        let acting =
            Scenery { stretch: before, begin: &begin, contacts_at: at, sight: &sight }.acting(step);
        let world = &before.world;
        let mut impulses: Vec<ConstraintImpulse> = Vec::new();
        let mut of_contacts = Vec::new();
        for push in &acting.pushes {
            match (push.cause, push.cause.rows()) {
                (Cause::Contact, _) => of_contacts.push(&push.on),
                (_, Some(constraint)) => {
                    impulses.extend(of_constraint(world, constraint, &push.on, push.along))
                }
                (_, None) => impulses.extend(push.on.iter().filter_map(|(body, on)| {
                    let id = world.id_of(*body)?;
                    let mut own = ConstraintImpulse::none(ConstraintId::Grab, [id, id], 2);
                    own.on_bodies[1] = *on;
                    Some(own)
                })),
            }
        }
        let mut contacts: Vec<ContactState> = Vec::new();
        for (number, (own, on)) in acting.pressed.iter().zip(of_contacts).enumerate() {
            let [Some(a), Some(b)] = own.bodies.map(|body| world.id_of(body)) else { continue };
            // In a world the body that was added first is the first one.
            let (bodies, sides, sign) = if a < b {
                ([a, b], own.bodies, 1.0)
            } else {
                ([b, a], [own.bodies[1], own.bodies[0]], -1.0)
            };
            if a == b {
                continue;
            }
            let id = ContactId { bodies, pieces: [0; 2], features: [number as u32, NUMBERED] };
            // Our tangent is the one on the other side, of either order of the bodies.
            let [p_n, p_t, moment] = own.impulse;
            contacts.push(ContactState {
                id,
                point: own.points[1],
                normal: sign * own.normal,
                gap: own.gap.unwrap_or_default(),
                friction: own.friction.unwrap_or_default(),
                impulse: [p_n, -p_t],
            });
            let mut impulse = ConstraintImpulse::none(ConstraintId::Contact(id), bodies, 2);
            impulse.multipliers[..3].copy_from_slice(&[p_n, -p_t, moment]);
            impulse.on_bodies = sides.map(|body| sum_on(on, body));
            impulses.push(impulse);
        }
        contacts.sort_by_key(|own| own.id);
        let expected =
            || external_forces(world, &begin, start, h).into_iter().map(|force| h * force).collect();
        let external = acting.external.unwrap_or_else(expected);
        let bodies = 0..world.bodies().len();
        let changes = bodies.map(|body| mass(world, body) * (end.v[body] - begin.v[body])).collect();
        Self { duration: h, impulses, contacts, external, changes, is_estimated: false }
    }
}

/// What acts on a body in all.
fn sum_on(on: &[(usize, DVec3)], body: usize) -> DVec3 {
    on.iter().filter(|(own, _)| *own == body).map(|(_, on)| *on).sum()
}

/// The impulse of a constraint on its bodies; one on a single body acts on its second side.
fn of_constraint(
    world: &World,
    constraint: ConstraintId,
    on: &[(usize, DVec3)],
    along: Option<f64>,
) -> Option<ConstraintImpulse> {
    let (ends, further) = match (constraint, constraint.joint()) {
        (_, Some(id)) => {
            let joint = world.joint(id)?;
            (joint.bodies(), joint.further())
        }
        (ConstraintId::Spring(id), _) => (world.spring(id)?.bodies(), None),
        (ConstraintId::Nonholonomic(id), _) => {
            let place = world.nonholonomic_ids().binary_search(&id).ok()?;
            let bodies = world.nonholonomic()[place].bodies();
            ([*bodies.first()?, *bodies.last()?], None)
        }
        _ => return None,
    };
    let [Some(a), Some(b)] = ends.map(|body| world.id_of(body)) else { return None };
    let mut own = ConstraintImpulse::none(constraint, [a, b], 1);
    own.multipliers[0] = along.unwrap_or_default();
    own.on_bodies[1] = sum_on(on, ends[1]);
    if a != b {
        own.on_bodies[0] = sum_on(on, ends[0]);
    }
    own.further = further.and_then(|[c, d]| further_bodies([ends[0], ends[1], c, d])).and_then(|bodies| {
        let [Some(c), Some(d)] = bodies.map(|body| world.id_of(body)) else { return None };
        let mut further = FurtherImpulse::none([c, d]);
        // Where both are one body, the second side has what acts on it.
        let sides = if c == d { 1..2 } else { 0..2 };
        sides.for_each(|side| further.on_bodies[side] = sum_on(on, bodies[side]));
        Some(further)
    });
    Some(own)
}
