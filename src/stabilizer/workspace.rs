//! The memory of a step: what the world gives the stage, what the stage leaves to the world, and the figures measured there.
//!
//! A scheme works on copies of the world's pose and velocity; only [`Workspace::commit`] writes them back,
//! so that a step that fails leaves the world as it was.

use super::Method;
use super::gate::{Gate, overlap};
use super::manifold::SavedStates;
use super::nonholonomic::{Quadrature, nonholonomic_error};
use super::posing::Problem;
use super::sequential::Sequence;
use super::stage::{Outcome, Stage};
use super::touching::Acted;
use crate::constraint::{Delassus, Rows, Touches};
use crate::detect::{Contact, Detector, Reach, nearest_point};
use crate::math::{cross, largest};
use crate::model::joint::Unit;
use crate::model::{Body, BodyKind, ContactState, Frame, Pose, Repulsion, World};
use crate::report::{StepReport, UnitErrors};
use glam::DVec3;

/// Memory that steps reuse: poses, rows, matrices with their symbolic factors. It holds no state.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) q: Vec<DVec3>,
    pub(super) v: Vec<DVec3>,
    /// Accelerations, at the acceleration level.
    pub(super) a: Vec<DVec3>,
    pub(super) inverse_mass: Vec<DVec3>,
    pub(super) rows: Rows,
    /// A of all rows, of those without compliance, and of the joint rows alone.
    pub(super) dynamics: Delassus,
    pub(super) equations: Delassus,
    pub(super) joints: Delassus,
    pub(super) compliance: Vec<f64>,
    pub(super) rhs: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    /// Right-hand side and multipliers of the stabilizing terms alone.
    pub(super) bias: Vec<f64>,
    pub(super) bias_lambda: Vec<f64>,
    /// J v − h k of the joint rows at the start of a velocity-level step.
    pub(super) start_rate: Vec<f64>,
    /// What an explicit step starts from and sums up.
    pub(super) start: [Vec<DVec3>; 2],
    pub(super) slopes: [Vec<DVec3>; 2],
    /// The identity metric.
    pub(super) identity: Vec<DVec3>,
    pub(super) scratch: Vec<DVec3>,
    /// Joint rows at a trial pose.
    pub(super) arrival: Rows,
    /// Unilateral rows there.
    pub(super) arrival_touches: Touches,
    /// Impulses of the soft rows in the first half of a step.
    pub(super) soft_impulse: Vec<f64>,
    pub(super) saved: SavedStates,
    /// Σ of the joint rows' impulses over the step, N s.
    pub(super) impulse: Vec<f64>,
    /// What stands beside N v⁺ or N a in the non-holonomic rows, and the stabilizing part of it.
    pub(super) held: Vec<f64>,
    pub(super) held_bias: Vec<f64>,
    /// ∫ e dt of those rows for the world to keep, and what of it this step uses, m.
    pub(super) integrals: Vec<f64>,
    pub(super) memory: Vec<f64>,
    /// M⁻¹ times the external forces: weight and the mouse's repulsion.
    pub(super) external: Vec<DVec3>,
    /// Contacts at the rows' poses, in the order of their identities, and their rows with limits and motors.
    pub(super) detector: Detector,
    pub(super) contacts: Vec<Contact>,
    pub(super) touches: Touches,
    pub(super) problem: Problem,
    /// What the sequential schemes sweep over.
    pub(super) sequence: Sequence,
    /// Σ of impulses before a solve that may have to be made again.
    pub(super) before: Vec<f64>,
    /// The contacts of the last dynamics solve, for the world's memory.
    pub(super) acted: Vec<Acted>,
}

impl Workspace {
    /// Copies the world's pose and velocity onto the stage.
    pub(crate) fn begin<'a>(&'a mut self, world: &'a World, method: &'a Method, h: f64) -> Stage<'a> {
        let bodies = world.bodies();
        self.q.clear();
        self.q.extend(bodies.iter().map(|body| body.pose.coordinates()));
        self.v.clear();
        self.v.extend((0..bodies.len()).map(|index| world.velocity_of(index)));
        self.inverse_mass.clear();
        self.inverse_mass.extend(bodies.iter().map(|body| body.inverse_mass()));
        self.impulse.clear();
        self.impulse.resize(world.joints().iter().map(|joint| joint.kind.rows()).sum(), 0.0);
        self.integrals.clear();
        for constraint in world.nonholonomic() {
            self.integrals.extend_from_slice(&constraint.integral[..constraint.kind.rows()]);
        }
        self.acted.clear();
        self.gather_external_forces(world);
        let outcome =
            Outcome { substeps: 1, solver: method.solver.solves_equations(), ..Outcome::default() };
        let (time, due) = (world.time, world.time + h);
        let (gate, quadrature) = (Gate::default(), Quadrature::default());
        Stage { world, ws: self, time, h, due, quadrature, method, gate, outcome }
    }

    /// Writes the stage's state into the world, after a step of `h`.
    pub(crate) fn commit(&self, world: &mut World, h: f64) {
        world.time += h;
        world.steps += 1;
        let time = world.time;
        for ((body, q), v) in world.bodies_mut().iter_mut().zip(&self.q).zip(&self.v) {
            match body.kind() {
                BodyKind::Fixed => {}
                BodyKind::Dynamic => {
                    body.pose = (*q).into();
                    body.velocity = (*v).into();
                }
                BodyKind::Kinematic(motion) => {
                    body.pose = (*q).into();
                    body.velocity.linear = motion.velocity(body.velocity.linear, time);
                }
            }
        }
        let mut impulses = self.impulse.iter();
        for joint in world.joints_mut() {
            let rows = joint.kind.rows();
            joint.force = [0.0; 3];
            for (force, impulse) in joint.force[..rows].iter_mut().zip(&mut impulses) {
                *force = impulse / h;
            }
        }
        self.remember_contacts(world);
        self.remember_integrals(world);
    }

    fn remember_integrals(&self, world: &mut World) {
        let mut sums = self.integrals.iter();
        for constraint in world.nonholonomic_mut() {
            let rows = constraint.kind.rows();
            for (integral, sum) in constraint.integral[..rows].iter_mut().zip(&mut sums) {
                *integral = *sum;
            }
        }
    }

    /// The contacts of the last solve, where they are now.
    fn remember_contacts(&self, world: &mut World) {
        let mut contacts = std::mem::take(world.contacts_mut());
        contacts.clear();
        contacts.extend(self.acted.iter().map(|&Acted { contact, friction, impulse }| {
            let [a, b] = contact.bodies().map(|body| Frame::new(self.q[body], self.v[body]));
            let gap = contact.gap(world.bodies(), &a, &b);
            let (id, point, normal, gap) = (contact.id, gap.point, gap.normal, gap.phi);
            ContactState { id, point, normal, gap, friction, impulse }
        }));
        *world.contacts_mut() = contacts;
    }

    /// M⁻¹ F of gravity and of the mouse's repulsion at the pose on the stage.
    fn gather_external_forces(&mut self, world: &World) {
        let gravity = world.gravity.extend(0.0);
        self.external.clear();
        self.external
            .extend(self.inverse_mass.iter().map(|w| if w.x > 0.0 { gravity } else { DVec3::ZERO }));
        let Some(repulsion) = world.repulsion else { return };
        for (index, body) in world.bodies().iter().enumerate() {
            let w = self.inverse_mass[index];
            if w.x > 0.0 {
                let frame = Frame::new(self.q[index], self.v[index]);
                self.external[index] += w * repulsive_force(&repulsion, body, &frame);
            }
        }
    }

    /// Measures errors and energies on the world's present pose, with J and g evaluated there.
    pub(crate) fn measure(&mut self, world: &World, outcome: Outcome) -> StepReport {
        let bodies = world.bodies();
        self.q.clear();
        self.q.extend(bodies.iter().map(|body| body.pose.coordinates()));
        self.v.clear();
        self.v.extend((0..bodies.len()).map(|index| world.velocity_of(index)));
        self.rows.evaluate_joints(world, &self.q, &self.v);
        self.detector.detect(world, self.rows.frames(), &Reach::default(), &mut self.contacts);
        self.touches.evaluate(world, self.rows.frames(), &self.contacts, &self.v);
        let joints = self.rows.joints();
        let errors = || joints.iter().map(|row| (row.unit, row.g));
        let violations = || self.touches.limits().iter().map(|limit| (limit.row.unit, overlap(limit)));
        let [joint_error, contact_error] = [
            largest(errors().chain(violations()).map(|(_, error)| error)),
            largest(self.touches.contacts().iter().map(overlap)),
        ];
        StepReport {
            step: world.steps,
            time: world.time,
            joint_error,
            joint_error_unit: unit_of_largest(errors().chain(violations())),
            joint_errors: UnitErrors::of(errors()),
            limit_errors: UnitErrors::of(violations()),
            joint_error_before: outcome.joint_error_before,
            contact_error,
            contact_error_before: outcome.contact_error_before,
            nonholonomic_error: nonholonomic_error(world, self.rows.nonholonomic(), &self.v),
            velocity_error: largest(joints.iter().map(|row| row.rate(&self.v))),
            velocity_error_unit: unit_of_largest(joints.iter().map(|row| (row.unit, row.rate(&self.v)))),
            kinetic_energy: world.kinetic_energy(),
            potential_energy: world.potential_energy(),
            correction_work: outcome.correction_work,
            bodies: bodies.len(),
            contacts: outcome.contacts,
            rows: outcome.rows,
            dependent_rows: outcome.dependent_rows,
            solver_iterations: outcome.iterations,
            residual: outcome.residual,
            substeps: outcome.substeps,
            islands: outcome.islands,
            infeasible: outcome.infeasible,
            solver: outcome.solver,
        }
    }
}

/// Force and torque of the mouse's repulsion on a body (see `model/repulsion.rs`), N and N m.
fn repulsive_force(repulsion: &Repulsion, body: &Body, frame: &Frame) -> DVec3 {
    let pose = Pose { position: frame.position, angle: frame.angle };
    let Some((point, distance)) = nearest_point(body, &pose, repulsion.center) else { return DVec3::ZERO };
    let (arm, size) = match distance > 0.0 {
        true => (point - repulsion.center, 1.0 - distance / repulsion.radius),
        false => (frame.position - repulsion.center, 1.0),
    };
    let push = repulsion.strength * size.max(0.0) * arm.normalize_or_zero();
    let lever = if distance > 0.0 { point - frame.position } else { repulsion.center - frame.position };
    push.extend(cross(lever, push))
}

/// Unit of the largest magnitude, of equal ones the first.
fn unit_of_largest(errors: impl Iterator<Item = (Unit, f64)>) -> Unit {
    let mut found = (f64::NEG_INFINITY, Unit::default());
    for (unit, error) in errors {
        let size = error.abs();
        if size > found.0 {
            found = (size, unit);
        }
    }
    found.1
}
