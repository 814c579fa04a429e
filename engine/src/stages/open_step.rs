//! The operations on a step that a scheme of another crate may call, under the feature `unstable-schemes`; any version may change
//! it.
//!
//! A step of the velocity level, read from top to bottom:
//!
//! ```text
//! step.evaluate(gap)       g, J and k of joints at q; φ and J_n of contacts; limits, motors
//! step.kick()              v* = v + h M⁻¹F
//! step.solve(|row| b)?     J v⁺ + b = 0 ,  0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  friction, limits, motors, springs, the grab
//! step.drift()             q⁺ = q + h v⁺
//! ```
//!
//! One that returns to the constraint manifold moves first, and solves at the new pose:
//!
//! ```text
//! step.drift()             q* = q + h v
//! step.project_positions() M dq = Jᵀμ ,  g(q* + dq) = 0
//! step.evaluate(gap)       g, J and k at q⁺
//! ```
//!
//! In place of the solve a scheme may push along single rows of joints by impulses of its own. Either way the impulses are in the
//! report.

use super::constraints::GapTerm;
use super::corrections::project_positions;
use super::impulses::Impulses;
use crate::constraint::Row;
use crate::model::World;
use crate::parameter::Values;
use crate::report::StepError;
use crate::stages::step_in_progress::Step;
use glam::DVec3;

impl Step<'_> {
    /// h, s.
    pub fn length(&self) -> f64 {
        self.context.h
    }

    /// The scheme's parameters.
    pub fn values(&self) -> &Values {
        self.context.settings.values
    }

    /// The world as it was when the step began.
    pub fn world(&self) -> &World {
        self.context.world
    }

    /// Evaluates all rows at the present pose, that at which the step began unless the scheme has moved the bodies, and finds the
    /// contacts there.
    pub fn evaluate(&mut self, gap: GapTerm) {
        self.motion.prescribe_mean_velocity(&self.context);
        self.constraints.evaluate(self.context.world, self.motion);
        self.constraints.find_contacts(&self.context, self.motion, gap);
        self.totals.note_start(self.constraints, self.motion, self.context.h);
    }

    /// The rows of joints as evaluated, in the order of the joints.
    pub fn joints(&self) -> &[Row] {
        self.constraints.rows.joints()
    }

    /// v of every body: x and y in m/s, the angle in rad/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.motion.v
    }

    /// The diagonal of M⁻¹, 1/kg and 1/(kg m²), by body; zero where forces do not move a body.
    pub fn inverse_masses(&self) -> &[DVec3] {
        &self.motion.inverse_mass
    }

    /// v ← v + h M⁻¹F with the weight and the mouse's repulsion.
    pub fn kick(&mut self) {
        self.motion.kick(self.context.h);
    }

    /// v ← v + M⁻¹Jᵀλ along the row of that index among [`Step::joints`], λ in N s or N m s.
    pub fn push(&mut self, index: usize, lambda: f64) {
        if let Some(row) = self.constraints.rows.joints().get(index) {
            row.push(lambda, &self.motion.inverse_mass, &mut self.motion.v);
            self.totals.ledger.add_row(index, row, lambda);
        }
    }

    /// v ← v⁺ of J v⁺ + b = 0 in joints, and of every other row as the head of this file says; `bias` gives b of a joint's or
    /// contact's row.
    ///
    /// # Errors
    /// A problem that the method's solver does not solve.
    pub fn solve(&mut self, bias: impl Fn(&Row) -> f64) -> Result<(), StepError> {
        let Self { context, motion, constraints, solve, totals, .. } = self;
        let impulses = solve.impulses(context, constraints, motion, Impulses::over(context, bias))?;
        totals.add(&impulses, constraints, 1.0);
        motion.v.copy_from_slice(impulses.unknown);
        totals.add_work(&impulses, constraints, motion, [context.h, 1.0]);
        Ok(())
    }

    /// q ← q + dq with M dq = Jᵀμ and g(q + dq) = 0 in joints, φ(q + dq) ≥ 0 in contacts and limits: Newton's method in the mass metric
    /// until rounding stops it. The change of potential energy is in the report, as work of the correction.
    ///
    /// # Errors
    /// [`StepError::NotConverged`], or [`StepError::Infeasible`] where no pose satisfies all rows.
    pub fn project_positions(&mut self) -> Result<(), StepError> {
        let energy = self.motion.potential_energy(self.context.world);
        self.constraints.evaluate_positions(&self.context, self.motion);
        self.totals.note_errors_before(self.constraints);
        self.solve.corrected.clear();
        project_positions(self)?;
        self.totals.corrections.work += self.motion.potential_energy(self.context.world) - energy;
        Ok(())
    }

    /// q⁺ = q + h v⁺; bodies on a prescribed path move to their position at the end of the step.
    pub fn drift(&mut self) {
        self.motion.drift(&self.context);
    }
}
