//! The memory of a step: what the world gives the stage, what the stage leaves to the world, and the figures measured there.
//!
//! A scheme works on copies of the world's pose and velocity; only [`Workspace::commit`] writes them back,
//! so that a step that fails leaves the world as it was.

use super::Method;
use super::gate::{Gate, overlap};
use super::kept::Kept;
use super::ledger::{ContactEntry, Ledger};
use super::manifold::SavedStates;
use super::nonholonomic::{Quadrature, nonholonomic_error};
use super::posing::Problem;
use super::sequential::Sequence;
use super::stage::{Outcome, Stage};
use super::touching::Begun;
use crate::constraint::{Delassus, Row, Rows, Touches};
use crate::detect::{Contact, Detector, Reach, nearest_point};
use crate::lcp::Uniqueness;
use crate::math::{cross, largest};
use crate::model::joint::Unit;
use crate::model::{Body, BodyKind, ContactState, Frame, JointKind, Pose, Repulsion, World};
use crate::report::{StepReport, UnitErrors};
use glam::{DVec2, DVec3};

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
    /// q before a correction.
    pub(super) kept: Vec<DVec3>,
    /// Joint rows at a trial pose.
    pub(super) arrival: Rows,
    /// Unilateral rows there.
    pub(super) arrival_touches: Touches,
    /// Impulses of the soft rows in the first half of a step.
    pub(super) soft_impulse: Vec<f64>,
    pub(super) saved: SavedStates,
    /// The impulses of the step so far; those of the last step that was made, with all its parts.
    pub(super) ledger: Ledger,
    pub(super) done: Ledger,
    /// Parts of the present step that have been made, and how long they are together, s.
    parts: usize,
    elapsed: f64,
    /// v when the step began, and h M⁻¹F of its parts.
    pub(super) began: Vec<DVec3>,
    pub(super) external_change: Vec<DVec3>,
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
    /// How every unilateral row began an explicit step; empty in the other schemes.
    pub(super) begun: Vec<Begun>,
    pub(super) problem: Problem,
    /// What the sequential schemes sweep over.
    pub(super) sequence: Sequence,
}

impl Workspace {
    /// One that also keeps a copy of each step's last problem of the dynamics, so that [`Workspace::uniqueness`] has an answer and
    /// step reports carry it. Steps come to the same bits as without, and take longer.
    pub fn examining_uniqueness() -> Self {
        let mut workspace = Self::default();
        workspace.problem.kept = Kept::asked();
        workspace
    }

    /// What other solutions the problem of the last step's dynamics has, of schemes with several the last of them, in m/s at every
    /// level; nothing where none is kept: before a step, under schemes that sweep, and in a workspace that does not examine.
    ///
    /// Joints without contacts, limits or motors: the equations that depend on others, as the factorisation counts them.
    pub fn uniqueness(&self) -> Option<Uniqueness> {
        self.problem.kept.uniqueness()
    }

    /// Begins a step, of one part or several.
    pub(crate) fn begin_step(&mut self) {
        (self.parts, self.elapsed) = (0, 0.0);
        self.problem.kept.begin_step();
    }

    /// Copies the world's pose and velocity onto the stage, for a step or one of its parts.
    pub(crate) fn begin<'a>(&'a mut self, world: &'a World, method: &'a Method, h: f64) -> Stage<'a> {
        let bodies = world.bodies();
        self.q.clear();
        self.q.extend(bodies.iter().map(|body| body.pose.coordinates()));
        self.v.clear();
        self.v.extend((0..bodies.len()).map(|index| world.velocity_of(index)));
        self.inverse_mass.clear();
        self.inverse_mass.extend(bodies.iter().map(|body| body.inverse_mass()));
        match self.parts {
            0 => self.ledger.begin(world),
            _ => self.ledger.copy_from(&self.done),
        }
        self.integrals.clear();
        for constraint in world.nonholonomic() {
            self.integrals.extend_from_slice(&constraint.integral[..constraint.kind.rows()]);
        }
        self.begun.clear();
        self.gather_external_forces(world);
        let outcome =
            Outcome { substeps: 1, solver: method.solver.solves_equations(), ..Outcome::default() };
        let (time, due) = (world.time, world.time + h);
        let (gate, quadrature) = (Gate::default(), Quadrature::default());
        Stage { world, ws: self, time, h, due, quadrature, method, gate, outcome }
    }

    /// Writes the stage's state into the world, after a step or a part of `h`.
    pub(crate) fn commit(&mut self, world: &mut World, h: f64) {
        self.account(world, h);
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
        for (joint, impulse) in world.joints_mut().iter_mut().zip(self.done.joints()) {
            joint.force = impulse.multipliers.map(|lambda| lambda / self.elapsed);
        }
        self.remember_contacts(world);
        self.remember_integrals(world);
    }

    /// Closes the ledger of the part, before the world takes the new state.
    fn account(&mut self, world: &World, h: f64) {
        if self.parts == 0 {
            self.began.clear();
            self.began.extend((0..world.bodies().len()).map(|index| world.velocity_of(index)));
            self.external_change.clear();
            self.external_change.resize(self.began.len(), DVec3::ZERO);
        }
        for (sum, a) in self.external_change.iter_mut().zip(&self.external) {
            *sum += h * *a;
        }
        self.parts += 1;
        self.elapsed += h;
        std::mem::swap(&mut self.ledger, &mut self.done);
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

    /// The step's contacts with the impulses that acted, where they are now.
    fn remember_contacts(&self, world: &mut World) {
        let mut contacts = std::mem::take(world.contacts_mut());
        contacts.clear();
        contacts.extend(self.done.contacts().map(
            |&ContactEntry { contact, friction, impulse, .. }| {
                let [a, b] = contact.bodies().map(|body| Frame::new(self.q[body], self.v[body]));
                let gap = contact.gap(world.bodies(), &a, &b);
                let (id, point, normal, gap) = (contact.id, gap.point, gap.normal, gap.phi);
                let [along, across, _] = impulse.multipliers;
                ContactState { id, point, normal, gap, friction, impulse: [along, across] }
            },
        ));
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

    /// The fastest motion that the joints' forces hold a body to, rad/s, at the rows as evaluated (see [`StepReport`]).
    ///
    /// A force F that pulls at the arm r turns a body back with the stiffness F·r: ω² = |Σ F·r|/I is the frequency of a link that
    /// swings about its centre in a taut chain, 12 T/(m L) of a bar. A rod of length ℓ holds the mass at its end by F/ℓ:
    /// ω² = Σ |F|/(m ℓ).
    fn fastest_rate(&mut self, world: &World) -> f64 {
        let Self { rows, scratch, .. } = self;
        scratch.clear();
        scratch.resize(world.bodies().len(), DVec3::ZERO);
        let frames = rows.frames();
        let mut rest = rows.joints();
        for joint in world.joints() {
            let (own, after) = rest.split_at(joint.kind.rows().min(rest.len()));
            rest = after;
            let force = |j: fn(&Row) -> DVec3| -> DVec2 {
                own.iter().zip(joint.force).map(|(row, force)| force * j(row).truncate()).sum()
            };
            let (on_a, on_b) = (force(|row| row.ja), force(|row| row.jb));
            let rod = match &joint.kind {
                JointKind::Distance(rod) => on_b.length() / rod.length,
                _ => 0.0,
            };
            for ((body, force), anchor) in
                joint.bodies.into_iter().zip([on_a, on_b]).zip(joint.kind.anchors())
            {
                let arm = frames[body].rotation.apply(anchor);
                scratch[body] += DVec3::new(force.dot(arm), rod, 0.0);
            }
        }
        let squares = scratch.iter().zip(world.bodies()).map(|(stiffness, body)| {
            let w = body.inverse_mass();
            (stiffness.x * w.z).abs() + stiffness.y * w.x
        });
        largest(squares).sqrt()
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
            relative_residual: outcome.relative_residual,
            damped_corrections: outcome.damped,
            correction_left: outcome.correction_left,
            fastest_rate: self.fastest_rate(world),
            trail: outcome.trail,
            substeps: outcome.substeps,
            islands: outcome.islands,
            infeasible: outcome.infeasible,
            solver: outcome.solver,
            uniqueness: None,
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
