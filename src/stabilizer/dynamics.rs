//! The velocity-level problem that most schemes share, in impulses or in forces.
//!
//! ```text
//! Impulses:  v* = v + h M⁻¹F,   (A + C) λ = −(J v* + b),          v⁺ = v* + M⁻¹Jᵀλ
//! Forces:    a* = M⁻¹F,         (A + C) λ = −(J a* + r),          a  = a* + M⁻¹Jᵀλ
//! ```
//!
//! C holds the compliances of springs and of the grab (see `model/spring.rs`), zero for joints.
//!
//! **Work of the correction.** The stabilizing part of the right-hand side, solved for alone, gives the
//! multipliers λ_s that stabilization added. With δ = M⁻¹Jᵀλ_s the energy it put in is the change of kinetic
//! energy T(v⁺) − T(v⁺ − δ).

use super::stage::Stage;
use crate::constraint::Row;
use crate::report::StepError;
use glam::DVec3;

impl Stage<'_> {
    /// A velocity-level step: gravity's kick, the impulse solve with `bias(g)` in joint rows, the drift.
    pub(super) fn velocity_step(&mut self, bias: impl Fn(f64) -> f64) -> Result<(), StepError> {
        self.prescribe_mean_velocity();
        self.evaluate_rows();
        self.kick(self.h);
        self.solve_impulses(self.h, |row| bias(row.g), |row| bias(row.g))?;
        self.drift();
        Ok(())
    }

    /// Evaluates all rows at the stage's pose and velocity.
    pub(super) fn evaluate_rows(&mut self) {
        let ws = &mut *self.ws;
        ws.rows.evaluate(self.world, &ws.q, &ws.v);
    }

    /// Solves J v⁺ + b = 0 for joint rows and J v⁺ + c λ + b = 0 for soft rows of a force acting over
    /// `duration`, and adds the impulses to v. `bias` is b of a joint row, of which `stabilizing` is the part
    /// whose work is reported.
    pub(super) fn solve_impulses(
        &mut self,
        duration: f64,
        bias: impl Fn(&Row) -> f64,
        stabilizing: impl Fn(&Row) -> f64,
    ) -> Result<(), StepError> {
        let limit = self.world.grab.map_or(f64::INFINITY, |grab| grab.max_force * duration);
        self.factor_rows(duration)?;
        self.impulse_rhs(duration, &bias);
        self.solve_rows();
        if self.grab_multiplier() > limit {
            let pull = limit * self.ws.rows.grab_direction();
            self.push_grab(pull);
            self.ws.rows.release_grab();
            self.factor_rows(duration)?;
            self.impulse_rhs(duration, &bias);
            self.solve_rows();
            self.note_pull(pull);
        }
        let ws = &mut *self.ws;
        ws.bias.clear();
        ws.bias.extend(ws.rows.joints().iter().map(|row| -stabilizing(row)));
        for (row, lambda) in ws.rows.all().iter().zip(&ws.lambda) {
            row.push(*lambda, &ws.inverse_mass, &mut ws.v);
        }
        for (sum, lambda) in ws.impulse.iter_mut().zip(&ws.lambda) {
            *sum += lambda;
        }
        self.outcome.correction_work += self.work_of_bias(1.0);
        Ok(())
    }

    /// A + C, factorised for soft rows whose force acts over `duration`.
    pub(super) fn factor_rows(&mut self, duration: f64) -> Result<(), StepError> {
        let ws = &mut *self.ws;
        ws.compliance.clear();
        ws.compliance.resize(ws.rows.joints().len(), 0.0);
        // A soft row without stiffness or damping carries no force: any compliance does, since its
        // right-hand side is zero.
        let compliance = |(row, soft): (&Row, &crate::model::Softness)| {
            soft.row(row.g, duration).map_or(1.0, |(c, _)| c)
        };
        ws.compliance.extend(ws.rows.soft().map(compliance));
        ws.dynamics
            .factor(ws.rows.all(), &ws.inverse_mass, &ws.compliance)
            .map_err(|_| StepError::Factorization)
    }

    fn impulse_rhs(&mut self, duration: f64, bias: &impl Fn(&Row) -> f64) {
        let ws = &mut *self.ws;
        let v = &ws.v;
        ws.rhs.clear();
        ws.rhs.extend(ws.rows.joints().iter().map(|row| -(row.rate(v) + bias(row))));
        ws.rhs.extend(
            ws.rows
                .soft()
                .map(|(row, soft)| soft.row(row.g, duration).map_or(0.0, |(_, b)| -(row.rate(v) + b))),
        );
    }

    /// λ from the right-hand side in `rhs`, with the present factors.
    pub(super) fn solve_rows(&mut self) {
        let ws = &mut *self.ws;
        ws.lambda.clear();
        ws.lambda.resize(ws.rhs.len(), 0.0);
        let residual = ws.dynamics.solve(&ws.rhs, &mut ws.lambda);
        let (rows, dependent) = (ws.rhs.len(), ws.dynamics.dependent_rows());
        self.note_solve(rows, dependent, residual);
    }

    /// Magnitude of the grab's multiplier in the last solve.
    pub(super) fn grab_multiplier(&self) -> f64 {
        match self.ws.rows.grab_start() {
            Some(start) => self.ws.lambda[start].hypot(self.ws.lambda[start + 1]),
            None => 0.0,
        }
    }

    /// The grab's multipliers are its limited pull: whoever reads `lambda` finds the force that acted.
    fn note_pull(&mut self, pull: glam::DVec2) {
        if let Some(start) = self.ws.rows.grab_start() {
            (self.ws.lambda[start], self.ws.lambda[start + 1]) = (pull.x, pull.y);
        }
    }

    fn push_grab(&mut self, pull: glam::DVec2) {
        let ws = &mut *self.ws;
        if let Some(start) = ws.rows.grab_start() {
            let rows = &ws.rows.all()[start..];
            for (row, pull) in rows.iter().zip([pull.x, pull.y]) {
                row.push(pull, &ws.inverse_mass, &mut ws.v);
            }
        }
    }

    /// Energy that the stabilizing part of the right-hand side, in `bias`, put in: its multipliers, times
    /// `factor`, are the last impulses that made v.
    pub(super) fn work_of_bias(&mut self, factor: f64) -> f64 {
        let ws = &mut *self.ws;
        if ws.bias.iter().all(|b| *b == 0.0) {
            return 0.0;
        }
        ws.bias.resize(ws.rows.all().len(), 0.0);
        ws.bias_lambda.clear();
        ws.bias_lambda.resize(ws.bias.len(), 0.0);
        ws.dynamics.solve(&ws.bias, &mut ws.bias_lambda);
        ws.scratch.clear();
        ws.scratch.resize(ws.v.len(), DVec3::ZERO);
        for (row, lambda) in ws.rows.all().iter().zip(&ws.bias_lambda) {
            row.push(factor * lambda, &ws.inverse_mass, &mut ws.scratch);
        }
        let mut work = 0.0;
        for ((delta, v), w) in ws.scratch.iter().zip(&ws.v).zip(&ws.inverse_mass) {
            if w.x > 0.0 {
                work += (*delta * (*v - 0.5 * *delta) / *w).element_sum();
            }
        }
        work
    }
}
