//! Who did which work in a step: the change of the kinetic energy by its causes.
//!
//! **Work of impulses.** Since M (v⁺ − v) = h F + Σ p with the impulses p = Jᵀλ of the ledger, and v̄ = ½ (v + v⁺) the
//! mean of the velocities at the step's start and end,
//!
//! ```text
//! T⁺ − T = ½ (v⁺ − v)ᵀM (v⁺ + v) = h F·v̄ + Σ p·v̄                                                        (1)
//! ```
//!
//! holds to rounding under every scheme, whatever the parts and solves of the step. p·v̄ = λ J v̄ over *all* bodies of
//! a constraint is the power of its force, the same in every frame; what it does on bodies whose motion is prescribed
//! comes from whoever moves these.
//!
//! | work | what it is |
//! |---|---|
//! | gravity | Σ m g·(q⁺ − q): the loss of the weights' potential energy, and of that in fields |
//! | springs | the loss of ½ k s² of springs and suspensions from q to q⁺, less their damping d (s⁺ − s)²/h |
//! | applied | `StepReport::applied_work`, from q to q⁺ |
//! | motors | Σ p·v̄ of the motors: torque times angle; −Σ λ_t s of contacts whose surfaces run at s |
//! | drivers | − Σ p·v̄ over the bodies whose motion is prescribed, of all constraints; Σ p·v̄ of prescribed velocities |
//! | hand | Σ p·v̄ of the grab, and F·(q⁺ − q) of the repulsion |
//! | friction | Σ p·v̄ + λ_t s of tangential impulses, rolling resistance and joints' friction: force times sliding distance |
//! | drag | Σ p·v̄ of damping and drag, with p = M (v⁺ − v) less all other impulses |
//! | impacts | Σ p·v̄ of the normal impulses of contacts and of limits, where that is negative: ½ m (1 − e²) u² is lost |
//! | method | T⁺ − T less all of these |
//!
//! Motors, drivers, the grab and friction are terms of (1). Gravity, springs and applied forces are taken along the path of the
//! bodies, where (1) has h F·v̄: their difference is what the time step does to the energy. It is in the method's part,
//! as are the work of the joints, which is none of an ideal joint, what contacts add by pushing overlaps apart, and
//! what corrections of positions lift. The energy T + U changes by applied + motors + drivers + hand + friction +
//! damping + drag + impacts + method.

use super::ledger::Ledger;
use super::motion::Motion;
use crate::constraint::{Constraint, MOST_ROWS};
use crate::model::joint::Unit;
use crate::model::{BodyId, BodyKind, Frame, NonholonomicKind, World};
use crate::report::{ConstraintId, ConstraintImpulse, Work};
use glam::DVec3;

/// The work in a part of `h` that is taken along the path, from q of `world` to q⁺ of `motion`.
pub(super) fn along_the_path(world: &World, motion: &Motion, h: f64) -> Work {
    let mut work = Work::default();
    let gravity = world.gravity();
    for ((body, &[_, _, heavy]), q) in world.bodies().iter().zip(motion.masses()).zip(&motion.q) {
        work.gravity += heavy * gravity.dot(q.truncate() - body.pose.position);
    }
    if !world.fields().is_empty() {
        for ((body, &[mass, _, heavy]), q) in world.bodies().iter().zip(motion.masses()).zip(&motion.q) {
            if mass > 0.0 {
                let at = |position| world.field_potential_at(position);
                work.gravity += heavy * (at(body.pose.position) - at(q.truncate()));
            }
        }
    }
    for own in Constraint::compliant(world).filter(|own| *own != Constraint::Grab) {
        let [mut before, mut after] = [[(0.0, Unit::Metre); MOST_ROWS]; 2];
        for (elongations, is_after) in [(&mut before, false), (&mut after, true)] {
            let at = |body: usize| {
                let q = if is_after { motion.q[body] } else { world.bodies()[body].pose.coordinates() };
                Frame::new(q, DVec3::ZERO)
            };
            let [a, b] = own.bodies(world, &[]).map(at);
            let mut rows = elongations.iter_mut();
            own.equations(world, &[], [&a, &b], |row| {
                rows.by_ref().take(1).for_each(|s| *s = (row.g, row.unit));
            });
        }
        for ((s, unit), (after, _)) in before.into_iter().zip(after).take(own.rows(world)) {
            let Some(softness) = own.softness(world, unit) else { continue };
            let change = after - s;
            work.springs -=
                change * (0.5 * softness.stiffness * (s + after) + softness.damping * change / h);
        }
    }
    work.hand = motion.work_of_repulsion(world);
    work
}

/// Completes `work`, that along the path with that of the applied forces, by the work of the impulses of `ledger`: of a
/// step that began with the velocities `began` and ended with those of `motion`. `world` is at its end.
pub(super) fn complete(
    mut work: Work,
    applied: f64,
    (world, motion): (&World, &Motion),
    began: &[DVec3],
    ledger: &Ledger,
) -> Work {
    let mean = |body: usize| 0.5 * (began[body] + motion.v[body]);
    let kinetic =
        motion.v.iter().zip(began).zip(motion.masses()).map(|((after, before), [mass, inertia, _])| {
            let product = (*after - *before) * (*after + *before);
            0.5 * (mass * (product.x + product.y) + inertia * product.z)
        });
    let kinetic: f64 = kinetic.sum();
    let index = |id: BodyId| ledger.index_of(id);
    let power = |impulse: &ConstraintImpulse| -> f64 {
        impulse.on_each().filter_map(|(id, on)| Some(on.dot(mean(index(id)?)))).sum()
    };
    for entry in ledger.entries.iter().filter(|entry| entry.multipliers != [0.0; 3]) {
        match entry.constraint {
            ConstraintId::Motor(_) | ConstraintId::Drive(..) => work.motors += power(entry),
            ConstraintId::Friction(_) => work.friction += power(entry),
            ConstraintId::Grab => work.hand += power(entry),
            ConstraintId::LowerLimit(_) | ConstraintId::UpperLimit(_) => work.impacts += power(entry),
            ConstraintId::Nonholonomic(id) => {
                let constraint = world.nonholonomic().iter().zip(world.nonholonomic_ids());
                let mut own = constraint.filter(|(_, own)| **own == id);
                let is_driven =
                    own.any(|(own, _)| matches!(own.kind, NonholonomicKind::PrescribedVelocity(_)));
                work.drivers += if is_driven { power(entry) } else { 0.0 };
            }
            _ => {}
        }
    }
    for entry in ledger.contacts() {
        let means = entry.contact.bodies().map(mean);
        let power = |on: [DVec3; 2]| on[0].dot(means[0]) + on[1].dot(means[1]);
        let friction = power(entry.friction_on_bodies);
        let belt = entry.impulse.multipliers[1] * entry.surface_speed;
        work.friction += friction + belt;
        work.motors -= belt;
        work.impacts += power(entry.impulse.on_bodies) - friction;
    }
    work.impacts = work.impacts.min(0.0);
    let moved = |body: usize| matches!(world.bodies()[body].kind(), BodyKind::Kinematic(_));
    if (0..world.bodies().len()).any(|body| moved(body) && mean(body) != DVec3::ZERO) {
        for (id, on) in ledger.impulses().flat_map(ConstraintImpulse::on_each) {
            if let Some(body) = index(id).filter(|body| moved(*body)) {
                work.drivers -= on.dot(mean(body));
            }
        }
    }
    let Work { gravity, springs, motors, drivers, hand, friction, impacts, drag, .. } = work;
    work.method =
        kinetic - (gravity + springs + applied + motors + drivers + hand + friction + impacts + drag);
    work
}
