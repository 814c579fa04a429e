//! The stage on which a scheme plays: q and v of one step, how they move, and the figures it leaves behind.

use super::Method;
use super::gate::Gate;
use super::nonholonomic::Quadrature;
use super::workspace::Workspace;
use crate::lcp::Trail;
use crate::math::largest;
use crate::model::{BodyKind, World};
use crate::report::StepError;

/// What a scheme's advance leaves for the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub(crate) joint_error_before: Option<f64>,
    pub(crate) correction_work: f64,
    pub(crate) rows: usize,
    pub(crate) dependent_rows: usize,
    pub(crate) iterations: usize,
    pub(crate) residual: f64,
    pub(crate) relative_residual: Option<f64>,
    pub(crate) damped: usize,
    pub(crate) correction_left: Option<f64>,
    pub(crate) trail: Trail,
    pub(crate) substeps: usize,
    pub(crate) contact_error_before: Option<f64>,
    pub(crate) contacts: usize,
    pub(crate) islands: usize,
    pub(crate) infeasible: usize,
    pub(crate) solver: &'static str,
}

impl Outcome {
    /// Of no step at all.
    pub(crate) fn resting(method: &Method) -> Self {
        Self { solver: method.solver.solves_equations(), ..Self::default() }
    }
}

/// One step, or part of a step, in progress.
pub struct Stage<'a> {
    pub(super) world: &'a World,
    pub(super) ws: &'a mut Workspace,
    /// Time at the start of this part, s.
    pub(super) time: f64,
    /// Length of this part, s.
    pub(super) h: f64,
    /// Time whose prescribed velocities v⁺ has to meet, s.
    pub(super) due: f64,
    /// Which errors of non-holonomic rows their integral holds when it is used.
    pub(super) quadrature: Quadrature,
    pub(super) method: &'a Method,
    /// Which unilateral rows are in the problem.
    pub(super) gate: Gate,
    pub(super) outcome: Outcome,
}

impl Stage<'_> {
    /// The figures, if the new state is finite.
    pub(crate) fn finish(self) -> Result<Outcome, StepError> {
        let integrals = self.ws.integrals.iter().all(|value| value.is_finite());
        if !(integrals && self.ws.ledger.is_finite()) {
            return Err(StepError::Factorization);
        }
        let mut states = self.ws.q.iter().zip(&self.ws.v);
        if let Some(body) = states.position(|(q, v)| !q.is_finite() || !v.is_finite()) {
            return Err(StepError::NotFinite { body });
        }
        match (self.kinetic_energy() + self.potential_energy()).is_finite() {
            true => Ok(self.outcome),
            false => Err(StepError::EnergyNotFinite),
        }
    }

    /// v ← v + h M⁻¹ F with the external forces alone: what the bodies would do unconstrained.
    pub(super) fn kick(&mut self, h: f64) {
        for ((v, w), a) in self.ws.v.iter_mut().zip(&self.ws.inverse_mass).zip(&self.ws.external) {
            if w.x > 0.0 {
                *v += h * *a;
            }
        }
    }

    /// q ← q + h v; kinematic bodies go to where they are due at the end of the part.
    pub(super) fn drift(&mut self) {
        for (q, v) in self.ws.q.iter_mut().zip(&self.ws.v) {
            *q += self.h * *v;
        }
        self.place_kinematic(self.h);
    }

    /// Puts kinematic bodies where they are due `elapsed` after the part's start (constant velocities have
    /// been integrated already).
    pub(super) fn place_kinematic(&mut self, elapsed: f64) {
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let BodyKind::Kinematic(motion @ crate::model::Motion::Sine { .. }) = body.kind() {
                let now = self.ws.q[index].truncate();
                let due = motion.position(now, now, self.time, elapsed);
                self.ws.q[index] = due.extend(self.ws.q[index].z);
            }
        }
    }

    /// Gives kinematic bodies the constant velocity that takes them where they are due after this part, so
    /// that a velocity-level step lands on the prescribed path: c of the joint rows, averaged over the step.
    pub(super) fn prescribe_mean_velocity(&mut self) {
        self.due = self.time + self.h;
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let BodyKind::Kinematic(motion) = body.kind() {
                let now = self.ws.q[index].truncate();
                let v = body.velocity;
                let due = motion.position(now, v.linear, self.time, self.h);
                self.ws.v[index] = ((due - now) / self.h).extend(v.angular);
            }
        }
    }

    /// Gives kinematic bodies their exact velocity, `elapsed` after the part's start.
    pub(super) fn prescribe_velocity(&mut self, elapsed: f64) {
        self.due = self.time + elapsed;
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let BodyKind::Kinematic(motion) = body.kind() {
                let v = body.velocity;
                let linear = motion.velocity(v.linear, self.time + elapsed);
                self.ws.v[index] = linear.extend(v.angular);
            }
        }
    }

    /// Largest |g| over the joint rows as last evaluated.
    pub(super) fn joint_error(&self) -> f64 {
        largest(self.ws.rows.joints().iter().map(|row| row.g))
    }

    /// Potential energy at the stage's pose, J.
    pub(super) fn potential_energy(&self) -> f64 {
        self.world.potential_energy_at(|index| self.ws.q[index])
    }

    /// Kinetic energy at the stage's velocity, J.
    pub(super) fn kinetic_energy(&self) -> f64 {
        let moving = self.ws.v.iter().zip(&self.ws.inverse_mass).filter(|(_, w)| w.x > 0.0);
        moving.map(|(v, w)| 0.5 * (*v * *v / *w).element_sum()).sum()
    }

    /// Notes the residual of a solve of the dynamics as a share of its problem's speed.
    pub(super) fn note_relative_residual(&mut self, relative: f64) {
        let before = self.outcome.relative_residual.unwrap_or_default();
        self.outcome.relative_residual = Some(largest([before, relative]));
    }

    /// Notes a solve in the outcome.
    pub(super) fn note_solve(&mut self, rows: usize, dependent: usize, residual: f64) {
        self.ws.problem.kept.take_equations(dependent);
        self.outcome.rows = rows;
        self.outcome.dependent_rows = dependent;
        self.outcome.residual = residual;
        self.outcome.iterations += 1;
        self.outcome.trail = self.outcome.trail.longer(Trail::of(self.outcome.solver, 1));
    }
}
