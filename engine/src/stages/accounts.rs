//! The accounts of a step: sums over its solves and parts; who did which work, which is the change of the kinetic energy by its
//! causes; and the work of the stabilization.
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
//!
//! **Work of the stabilization.** A correction that is part of the dynamics puts energy into the system.
//! In impulses, the joints do the work λᵀ J (v + v⁺)/2. An ideal joint has
//! J v⁺ = 0 with the J of the step's start and, with that of its end, J v⁺ = h k (k = J̇ v: the joint has turned
//! meanwhile), with which the next step begins. The rest of the work is due to the stabilization,
//!
//! ```text
//! W = ½ λᵀ (J v⁺ + J v − h k) ,
//! ```
//!
//! the force of a joint times the gap that it closes; energy that a bias puts in and the next step takes out again
//! cancels in the sum over a run. In forces, with λ_s = −A⁻¹s the multipliers of the stabilizing part s of the
//! right-hand side and δ = h M⁻¹Jᵀλ_s, the work is T(v⁺) − T(v⁺ − δ).
//!
//! An overlapping contact (φ < 0, λ > 0) leaves at p = J v⁺ = −b. Without the gap's bias it would leave at
//! p₀ = max(0, u, −e φ̇): stopped, as fast as it separates already (u = J v − h k), or as it rebounds. A contact alone
//! has λ = (p − u)/A, and the difference of its kinetic energies, ½(p² − p₀²)/A, is
//!
//! ```text
//! W = ½ λ (p² − p₀²)/(p − u) ,
//! ```
//!
//! which is the joints' ½ λ (J v⁺ + J v − h k) where u ≥ 0 and leaves out the energy that an impact (u < 0) loses or gives back
//! by itself. A ball pushed out from rest without gravity has W = ½ m p², all its energy. Of contacts that act together each is
//! counted by its own λ, p and u. Limits are contacts here.

use super::constraints::Constraints;
use super::impulses::Solve;
use super::ledger::{ContactEntry, Ledger};
use super::motion::Motion;
use crate::constraint::{Constraint, MOST_ROWS};
use crate::detect::{Candidate, Gap};
use crate::model::joint::{Unit, length};
use crate::model::{BodyId, ContactState, Frame, JointId, JointKind, NonholonomicKind, World};
use crate::report::{ConstraintId, ConstraintImpulse, Work};
use glam::DVec3;

/// Sums over the solves and parts of a step.
#[derive(Debug, Default)]
pub(crate) struct StepTotals {
    /// The impulses of this step so far, with all its parts.
    pub ledger: Ledger,
    /// The impulses up to the last completed part, and so of the last completed step; if a later one failed, of the
    /// parts that it had completed before, if any.
    pub done: Ledger,
    /// Number of completed parts of the present step.
    parts: usize,
    /// Length of the parts whose impulses are in `done`, s.
    pub elapsed: f64,
    /// v when the last completed step began.
    pub began: Vec<DVec3>,
    /// v at the start of a step that is not completed yet.
    start: Vec<DVec3>,
    /// h M⁻¹F of the last completed step, summed over its parts, by body.
    pub free_change: Vec<DVec3>,
    /// The impulses of damping and drag in it, by damped body, N s and N m s: M (v⁺ − v) less all others.
    pub drag: Vec<(usize, DVec3)>,
    /// The work along the path, summed over the parts: of weights, springs and repulsion, and of applied forces, J.
    path: Work,
    applied: f64,
    /// J v − h k of the joint rows when the step began, and J v⁺.
    pub start_rates: Vec<f64>,
    rates: Vec<f64>,
}

impl StepTotals {
    /// Begins a step, of one part or several.
    pub fn begin_step(&mut self) {
        self.parts = 0;
    }

    /// Begins a part of the step at the velocity `v`.
    pub fn begin_part(&mut self, world: &World, v: &[DVec3]) {
        if self.parts == 0 {
            self.ledger.begin(world);
            self.start.clear();
            self.start.extend_from_slice(v);
        } else {
            self.ledger.copy_from(&self.done);
        }
    }

    /// Closes a part of `h`, before `world` takes the new state.
    pub fn close_part(&mut self, world: &World, motion: &Motion, h: f64) {
        if self.parts == 0 {
            (self.path, self.applied) = (Work::default(), 0.0);
            std::mem::swap(&mut self.start, &mut self.began);
            self.free_change.clear();
            self.free_change.resize(motion.v.len(), DVec3::ZERO);
        }
        for (sum, a) in self.free_change.iter_mut().zip(&motion.free_acceleration) {
            *sum += h * *a;
        }
        self.free_change.iter_mut().zip(&motion.late).for_each(|(sum, late)| *sum += *late);
        for &(body, given) in &motion.damped {
            self.free_change[body] += h * (given - motion.free_acceleration[body]);
        }
        self.path += along_the_path(world, motion, h);
        self.elapsed = if self.parts == 0 { h } else { self.elapsed + h };
        self.parts += 1;
        std::mem::swap(&mut self.ledger, &mut self.done);
    }

    /// Returns who did which work in the step up to the part just closed; `world` has taken its state.
    pub fn work(&mut self, world: &World, motion: &Motion) -> Work {
        self.applied += motion.applied_work(world);
        self.find_drag(motion);
        let drag =
            self.drag.iter().map(|&(body, impulse)| 0.5 * impulse.dot(self.began[body] + motion.v[body]));
        let path = Work { drag: 0.0 + drag.sum::<f64>(), ..self.path }; // the sum of nothing is −0
        complete(path, self.applied, (world, motion, self.elapsed), &self.began, &self.done)
    }

    /// Finds the impulses of damping and drag in the step up to the part just closed.
    fn find_drag(&mut self, motion: &Motion) {
        self.drag.clear();
        for &(body, _) in &motion.damped {
            let change = motion.v[body] - self.began[body] - self.free_change[body];
            let [mass, inertia, _] = motion.masses()[body];
            let turn = if motion.undamped[body].z > 0.0 { inertia * change.z } else { 0.0 };
            self.drag.push((body, (mass * change.truncate()).extend(turn)));
        }
        if self.drag.is_empty() {
            return;
        }
        for impulse in self.done.impulses() {
            for (id, on) in impulse.bodies.into_iter().zip(impulse.on_bodies) {
                let Some(body) = self.done.index_of(id) else { continue };
                if let Ok(at) = self.drag.binary_search_by_key(&body, |(own, _)| *own) {
                    self.drag[at].1 -= on;
                }
            }
        }
    }

    /// Writes the impulses of the joints, their motors and their limits into the world, as forces.
    pub fn write_forces(&self, world: &mut World) {
        let joints = world.joints_mut();
        for (constraint, impulse) in self.done.listed() {
            constraint.keep_force(joints, impulse.multipliers.map(|lambda| lambda / self.elapsed));
        }
    }

    /// Writes the contacts with their impulses into the world, at the new pose: where the detection for the report has found
    /// them, if it has.
    pub fn write_contacts(&self, world: &mut World, constraints: &Constraints) {
        let frames = constraints.rows.frames();
        let mut found = constraints.detector.found().peekable();
        let mut contacts = std::mem::take(world.contacts_mut());
        contacts.clear();
        contacts.extend(self.done.contacts().map(|ContactEntry { contact, friction, impulse, .. }| {
            while found.next_if(|found| found.contact.id < contact.id).is_some() {}
            let Gap { phi: gap, normal, point, .. } = match found.peek() {
                Some(Candidate { contact: own, gap, .. }) if own.is_like(contact) => *gap,
                _ => {
                    let [a, b] = contact.bodies().map(|body| &frames[body]);
                    contact.gap(world.bodies(), a, b)
                }
            };
            let [along, across, _] = impulse.multipliers;
            let (id, friction) = (contact.id, *friction);
            ContactState { id, point, normal, gap, friction, impulse: [along, across] }
        }));
        *world.contacts_mut() = contacts;
    }

    /// Notes J v − h k of the joint rows, at the velocity with which a step begins.
    pub fn note_start(&mut self, constraints: &Constraints, motion: &Motion, h: f64) {
        constraints.rows.joint_rates(&motion.v, &mut self.start_rates);
        for (rate, row) in self.start_rates.iter_mut().zip(constraints.rows.joints()) {
            *rate -= h * row.k;
        }
    }

    /// Adds the work of the dynamics last solved, of which `to_impulse` λ are impulses in a step h, at the velocity v⁺.
    pub fn add_work(
        &mut self,
        solve: &mut Solve,
        constraints: &Constraints,
        motion: &Motion,
        [h, to_impulse]: [f64; 2],
    ) {
        constraints.rows.joint_rates(&motion.v, &mut self.rates);
        let rows = self.rates.iter().zip(&solve.dynamics.lambda).zip(&self.start_rates);
        let work = rows.map(|((rate, lambda), start)| lambda * (rate + start));
        solve.report.correction_work += 0.5 * to_impulse * work.sum::<f64>();
        // The bias of contacts and limits, per unit of the time that their multipliers acted for.
        let work_of = |(index, lambda): (usize, &[f64])| {
            let touch = &constraints.touches.all()[index];
            let (left, start) = (touch.row.rate(&motion.v), touch.approach - h * touch.row.k);
            let impact = if touch.approach < -touch.rebound_speed {
                -touch.restitution * touch.approach
            } else {
                0.0
            };
            let ideal = impact.max(start).max(0.0);
            let pushed = touch.row.g < 0.0 && lambda[0] > 0.0 && left > ideal;
            if pushed { 0.5 * lambda[0] * (left * left - ideal * ideal) / (left - start) } else { 0.0 }
        };
        let gaps = solve.dynamics.touch_multipliers().map(work_of).sum::<f64>();
        solve.report.correction_work += to_impulse * gaps;
    }
}

/// The work in a part of `h` that is taken along the path, from q of `world` to q⁺ of `motion`.
fn along_the_path(world: &World, motion: &Motion, h: f64) -> Work {
    let mut work = Work::default();
    let gravity = world.gravity();
    for ((body, &[mass, _, scale]), q) in world.bodies().iter().zip(motion.masses()).zip(&motion.q) {
        work.gravity += scale * mass * gravity.dot(q.truncate() - body.pose.position);
    }
    if !world.fields().is_empty() {
        for ((body, &[mass, _, scale]), q) in world.bodies().iter().zip(motion.masses()).zip(&motion.q) {
            if mass > 0.0 {
                let at = |position| world.field_potential_at(position);
                work.gravity += scale * mass * (at(body.pose.position) - at(q.truncate()));
            }
        }
        if world.has_carried_fields() {
            let before = |index: usize| world.bodies()[index].pose.coordinates();
            work.gravity += world.energy_of_carried_fields(before)
                - world.energy_of_carried_fields(|index| motion.q[index]);
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
/// step that began with the velocities `began` and ended with those of `motion`, `elapsed` seconds later. `world`
/// is at its end.
fn complete(
    mut work: Work,
    applied: f64,
    (world, motion, elapsed): (&World, &Motion, f64),
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
    // −λ c of a length that a profile drives, where J v = −c.
    let wound = |entry: &ConstraintImpulse, id: JointId| -> f64 {
        let joint = if world.joint_census().lengths { world.joint(id) } else { None };
        let terms = joint.and_then(|joint| length::terms(joint, world.time() - elapsed, elapsed));
        terms.map_or(0.0, |[_, _, c]| -entry.multipliers[0] * c)
    };
    for entry in ledger.entries.iter().filter(|entry| entry.multipliers != [0.0; 3]) {
        match entry.constraint {
            ConstraintId::Drive(id, _) if !holds_pose(world, id) => work.friction += power(entry),
            ConstraintId::Motor(_) | ConstraintId::Drive(..) => work.motors += power(entry),
            ConstraintId::Friction(_) => work.friction += power(entry),
            ConstraintId::Grab => work.hand += power(entry),
            ConstraintId::LowerLimit(_) => work.impacts += power(entry),
            ConstraintId::UpperLimit(id) => {
                let wound = wound(entry, id);
                work.drivers += wound;
                work.impacts += power(entry) - wound;
            }
            ConstraintId::Joint(id) => work.drivers += wound(entry, id),
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
    if motion.prescribed.iter().any(|&body| mean(body) != DVec3::ZERO) {
        for (id, on) in ledger.impulses().flat_map(ConstraintImpulse::on_each) {
            if let Some(body) = index(id).filter(|body| motion.prescribed.binary_search(body).is_ok()) {
                work.drivers -= on.dot(mean(body));
            }
        }
    }
    let Work { gravity, springs, motors, drivers, hand, friction, impacts, drag, .. } = work;
    work.method =
        kinetic - (gravity + springs + applied + motors + drivers + hand + friction + impacts + drag);
    work
}

/// Whether a motor joint holds a pose; its rows are friction if it does not.
fn holds_pose(world: &World, id: JointId) -> bool {
    world.joint(id).is_none_or(|joint| match &joint.kind {
        JointKind::PoseMotor(mover) => mover.holds_pose(),
        _ => true,
    })
}
