//! The velocity-level problem that most schemes share, in impulses or in forces.
//!
//! ```text
//! Impulses:  v* = v + h M⁻¹F,   (A + C) λ = −(J v* + b),          v⁺ = v* + M⁻¹Jᵀλ
//! Forces:    a* = M⁻¹F,         (A + C) λ = −(J a* + r),          a  = a* + M⁻¹Jᵀλ
//! ```
//!
//! C holds the compliances of springs and of the grab (see `model/spring.rs`), zero for joints.
//!
//! **Work of the correction.** In impulses, the joints do the work λᵀ J (v + v⁺)/2. An ideal joint has
//! J v⁺ = 0 and, by the end of the step, J v = h k for what was J v = 0 before (k = J̇ v: the joint has turned
//! meanwhile). What goes beyond that is due to the stabilization,
//!
//! ```text
//! W = ½ λᵀ (J v⁺ + J v − h k) ,
//! ```
//!
//! the force of a joint times the gap that it closes; what a bias put in and the next step takes out again
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
//! which is the joints' ½ λ (J v⁺ + J v − h k) where u ≥ 0 and leaves out what an impact (u < 0) loses or gives back by itself.
//! A ball pushed out from rest without gravity has W = ½ m p², all its energy. Of contacts that act together each is
//! counted by its own λ, p and u. Limits are contacts here.

use super::gate::GapTerm;
use super::stage::Stage;
use super::touching::Acting;
use super::workspace::Workspace;
use crate::constraint::Row;
use crate::lcp::{ACCEPTED, Acceptance, MixedError};
use crate::math::largest;
use crate::report::StepError;

/// What the equations are posed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Velocity,
    Acceleration,
}

impl Stage<'_> {
    /// A velocity-level step that corrects nothing: gravity's kick, the impulse solve, the drift.
    pub(super) fn uncorrected_step(&mut self) -> Result<(), StepError> {
        self.prescribe_mean_velocity();
        self.evaluate_rows();
        self.find_touches(GapTerm::Touching);
        self.kick(self.h);
        self.solve_impulses(self.h, |_| 0.0)?;
        self.drift();
        Ok(())
    }

    /// The same with the bias `rate` · g in joint rows and `rate` · φ in those of contacts.
    pub(super) fn biased_step(&mut self, rate: f64, term: GapTerm) -> Result<(), StepError> {
        self.prescribe_mean_velocity();
        self.evaluate_rows();
        self.find_touches(term);
        self.note_start();
        self.kick(self.h);
        self.solve_impulses(self.h, |row| rate * row.g)?;
        self.note_correction_work(1.0);
        self.drift();
        Ok(())
    }

    /// Evaluates all rows at the stage's pose and velocity; non-holonomic ones ask for N v⁺ = v₀ until told otherwise.
    pub(super) fn evaluate_rows(&mut self) {
        let ws = &mut *self.ws;
        ws.rows.evaluate(self.world, &ws.q, &ws.v);
        self.pose_held_velocities();
    }

    /// Solves J v⁺ + b = 0 for joint and non-holonomic rows and J v⁺ + c λ + b = 0 for soft rows of a force acting over
    /// `duration`, with the unilateral rows as last found, and adds the impulses to v. `bias` is b of a joint row,
    /// and of a contact's own.
    pub(super) fn solve_impulses(
        &mut self,
        duration: f64,
        bias: impl Fn(&Row) -> f64,
    ) -> Result<(), StepError> {
        let limit = self.world.grab.map_or(f64::INFINITY, |grab| grab.max_force * duration);
        if !self.ws.touches.is_empty() {
            self.solve_touching_within(limit, duration, bias)?;
            self.write_impulses(1.0, Acting::InTheDynamics);
            return Ok(());
        }
        self.factor_rows(duration)?;
        self.impulse_rhs(duration, &bias);
        self.solve_rows();
        let mut pull = None;
        if self.grab_multiplier() > limit {
            let most = limit * self.ws.rows.grab_direction();
            self.push_grab(most);
            self.ws.rows.release_grab();
            self.factor_rows(duration)?;
            self.impulse_rhs(duration, &bias);
            self.solve_rows();
            pull = Some(most);
        }
        self.judge_equations(Unknown::Velocity)?;
        let ws = &mut *self.ws;
        for (row, lambda) in ws.rows.all().iter().zip(&ws.lambda) {
            row.push(*lambda, &ws.inverse_mass, &mut ws.v);
        }
        ws.ledger.add_rows(ws.rows.all(), &ws.lambda, 1.0);
        if let Some(pull) = pull {
            self.note_pull(pull);
        }
        Ok(())
    }

    /// The mixed problem, with the grab's pull at most `limit`, N s. Its multipliers are not in the ledger yet.
    pub(super) fn solve_touching_within(
        &mut self,
        limit: f64,
        duration: f64,
        bias: impl Fn(&Row) -> f64,
    ) -> Result<(), StepError> {
        self.ws.scratch.clone_from(&self.ws.v);
        self.solve_touching_impulses(duration, &bias)?;
        if self.grab_multiplier() > limit {
            self.ws.v.clone_from(&self.ws.scratch);
            let pull = limit * self.ws.rows.grab_direction();
            self.push_grab(pull);
            self.ws.rows.release_grab();
            self.solve_touching_impulses(duration, &bias)?;
            self.note_pull(pull);
        }
        Ok(())
    }

    /// A + C, factorised for soft rows whose force acts over `duration`.
    pub(super) fn factor_rows(&mut self, duration: f64) -> Result<(), StepError> {
        let ws = &mut *self.ws;
        ws.compliance.clear();
        ws.compliance.resize(ws.rows.equations().len(), 0.0);
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
        ws.rhs.extend(ws.rows.nonholonomic().iter().zip(&ws.held).map(|(row, b)| -(row.rate(v) + b)));
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

    /// Judges the last solve of the joints' equations alone: a residual that is not small is a conflict where rows depend on each
    /// other, counted as a problem without a solution, and a failure where they do not.
    pub(super) fn judge_equations(&mut self, unknown: Unknown) -> Result<(), StepError> {
        let ws = &*self.ws;
        let v = match unknown {
            Unknown::Velocity => &ws.v,
            Unknown::Acceleration => &ws.a,
        };
        let (residual, dependent) = (self.outcome.residual, self.outcome.dependent_rows);
        let rates = ws.rows.all().iter().zip(&ws.rhs);
        let relative = Acceptance::share_of_rows(
            residual,
            rates.map(|(row, rhs)| {
                ([row.ja, row.jb], [ws.inverse_mass[row.a], ws.inverse_mass[row.b]], *rhs)
            }),
        );
        if relative <= ACCEPTED {
            self.note_relative_residual(relative);
            return Ok(());
        }
        let rows = ws.rows.all().iter().zip(&ws.rhs).map(|(row, rhs)| {
            let w = [ws.inverse_mass[row.a], ws.inverse_mass[row.b]];
            ([row.ja, row.jb], [v[row.a], v[row.b]], w, -rhs - row.rate(v))
        });
        let measure = Acceptance::of_rows(rows, &ws.inverse_mass);
        let conflict = dependent > 0 && residual > measure.tolerance(ACCEPTED);
        if conflict {
            self.outcome.infeasible = self.outcome.infeasible.max(1);
            return Ok(());
        }
        let impulses = ws.rows.all().iter().zip(&ws.lambda).map(|(row, lambda)| {
            let [a, b] = [ws.inverse_mass[row.a], ws.inverse_mass[row.b]];
            (row.ja.dot(a * row.ja) + row.jb.dot(b * row.jb)) * lambda
        });
        if !measure.admits_beside(residual, largest(impulses)) {
            let (solver, expected) = (self.outcome.solver, measure.tolerance(ACCEPTED));
            return Err(MixedError::NotConverged { solver, residual, expected, iterations: 1 }.into());
        }
        // Rounding: nothing, or of impulses that light bodies pass on.
        self.note_relative_residual(if residual <= measure.tolerance(ACCEPTED) { 0.0 } else { relative });
        Ok(())
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
            for (at, (row, pull)) in rows.iter().zip([pull.x, pull.y]).enumerate() {
                row.push(pull, &ws.inverse_mass, &mut ws.v);
                ws.ledger.add_row(start + at, row, pull);
            }
        }
    }

    /// Keeps J v − h k of the joint rows at the start of a velocity-level step.
    pub(super) fn note_start(&mut self) {
        let h = self.h;
        let ws = &mut *self.ws;
        ws.start_rate.clear();
        let (rows, v) = (ws.rows.joints().iter(), &ws.v);
        ws.start_rate.extend(rows.map(|row| row.rate(v) - h * row.k));
    }

    /// Work of the multipliers in `lambda`, which acted for `duration` (1 for impulses): see the head of this
    /// file.
    pub(super) fn note_correction_work(&mut self, duration: f64) {
        let ws = &*self.ws;
        let rows = ws.rows.joints().iter().zip(&ws.lambda).zip(&ws.start_rate);
        let work = rows.map(|((row, lambda), start)| lambda * (row.rate(&ws.v) + start));
        self.outcome.correction_work += 0.5 * duration * work.sum::<f64>();
        self.outcome.correction_work += duration * self.work_of_gaps();
    }

    /// Work of the contacts' and limits' bias per unit of time that their multipliers acted for.
    fn work_of_gaps(&mut self) -> f64 {
        let (threshold, h) = (self.gate.threshold, self.h);
        let Workspace { problem, touches, v, .. } = &mut *self.ws;
        if touches.all().is_empty() {
            return 0.0;
        }
        let work_of = |(index, lambda): (usize, &mut [f64])| {
            let touch = &touches.all()[index];
            let (left, start) = (touch.row.rate(v), touch.approach - h * touch.row.k);
            let impact =
                if touch.approach < -threshold { -touch.restitution * touch.approach } else { 0.0 };
            let ideal = impact.max(start).max(0.0);
            let pushed = touch.row.g < 0.0 && lambda[0] > 0.0 && left > ideal;
            if pushed { 0.5 * lambda[0] * (left * left - ideal * ideal) / (left - start) } else { 0.0 }
        };
        problem.touch_multipliers().map(work_of).sum()
    }
}
