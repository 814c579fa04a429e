//! Back to the constraint manifold: corrections of position and velocity, and Newton's method.
//!
//! ```text
//! Position:  W⁻¹ dp = Jᵀλ ,  g + J dp = 0 ,  q ← q + dp                   [Cline & Pai 2003, eqs. 13 and 14]
//! Velocity:  M dv = Jᵀλ ,    J (v + dv) + c = 0
//! ```
//!
//! λ in kg m and kg m/s. In the plane G = J, so dp is added to q as it stands. Newton's method repeats the
//! position correction with J and g evaluated anew until rounding stops it.

use super::ledger::Ledger;
use super::stage::Stage;
use crate::math::largest;
use crate::report::StepError;
use glam::DVec3;

/// Most Newton iterations of one attempt.
const MAX_ITERATIONS: usize = 40;
/// Largest |g| that counts as on the manifold, m or rad, for coordinates of size 1 and below.
pub(super) const MANIFOLD_TOLERANCE: f64 = 1e-12;
/// An iteration that leaves more than this share of the error has stagnated.
const STAGNATION: f64 = 0.5;
/// Most halvings of a correction that does not reduce the error.
const MAX_BACKTRACKS: usize = 6;
/// Most times that a step is halved before it fails: 2¹⁰ parts.
const MAX_DEPTH: usize = 10;

/// What measures the length of a position correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// dpᵀ M dp: the least kinetic energy [Cline & Pai 2003, eq. 14].
    Mass,
    /// dpᵀ dp [Cline & Pai 2003, eqs. 12 and 13].
    Identity,
}

impl Stage<'_> {
    /// Evaluates the joint and non-holonomic rows at the present pose and velocity.
    pub(super) fn evaluate_joints(&mut self) {
        let ws = &mut *self.ws;
        ws.rows.evaluate_joints(self.world, &ws.q, &ws.v);
    }

    /// One linearised position correction from the rows and contacts as evaluated, each body's translation (m) and
    /// rotation (rad) at most `bound`: the whole correction is scaled down to that.
    pub(super) fn correct_positions(&mut self, metric: Metric, bound: f64) -> Result<(), StepError> {
        self.position_correction(metric)?;
        let size = |dp: &DVec3| dp.truncate().length().max(dp.z.abs());
        let longest = largest(self.ws.scratch.iter().map(size));
        let share = if longest > bound { bound / longest } else { 1.0 };
        self.shift_positions(share);
        Ok(())
    }

    /// dp into the scratch vector.
    fn position_correction(&mut self, metric: Metric) -> Result<(), StepError> {
        let ws = &mut *self.ws;
        if metric == Metric::Identity {
            let one = |w: &DVec3| if w.x > 0.0 { DVec3::ONE } else { DVec3::ZERO };
            ws.identity.clear();
            ws.identity.extend(ws.inverse_mass.iter().map(one));
        }
        if !ws.touches.all().is_empty() {
            return self.solve_touching_positions(metric);
        }
        let weight = match metric {
            Metric::Mass => &ws.inverse_mass,
            Metric::Identity => &ws.identity,
        };
        let rows = ws.rows.joints();
        ws.joints.factor(rows, weight, &[]).map_err(|_| StepError::Factorization)?;
        ws.rhs.clear();
        ws.rhs.extend(rows.iter().map(|row| -row.g));
        ws.lambda.clear();
        ws.lambda.resize(rows.len(), 0.0);
        ws.joints.solve(&ws.rhs, &mut ws.lambda);
        ws.scratch.clear();
        ws.scratch.resize(ws.q.len(), DVec3::ZERO);
        for (row, lambda) in rows.iter().zip(&ws.lambda) {
            row.push(*lambda, weight, &mut ws.scratch);
        }
        self.outcome.iterations += 1;
        Ok(())
    }

    fn shift_positions(&mut self, share: f64) {
        let ws = &mut *self.ws;
        for (q, dp) in ws.q.iter_mut().zip(&ws.scratch) {
            *q += share * *dp;
        }
    }

    /// Newton's method in the mass metric until |g| stagnates below [`MANIFOLD_TOLERANCE`].
    pub(super) fn project_positions(&mut self) -> Result<(), StepError> {
        self.evaluate_positions();
        let mut error = self.position_error();
        for iterations in 0..MAX_ITERATIONS {
            if error <= self.rounding() {
                return Ok(());
            }
            self.position_correction(Metric::Mass)?;
            let last = error;
            error = self.shift_with_backtracking(last);
            if self.outcome.infeasible > 0 {
                return Err(StepError::Infeasible { error });
            }
            let falling_fast = error <= STAGNATION * last;
            if !falling_fast && error <= self.tolerance() {
                return Ok(());
            }
            let falling = error < last;
            if !falling {
                return Err(self.not_converged(iterations + 1, error));
            }
        }
        Err(self.not_converged(MAX_ITERATIONS, error))
    }

    /// Adds the correction in `scratch`, or half of it, or a quarter …, until the error falls; returns the
    /// error reached. Near rounding the full correction is taken as it is.
    fn shift_with_backtracking(&mut self, last: f64) -> f64 {
        self.shift_positions(1.0);
        self.evaluate_positions();
        let mut error = self.position_error();
        let mut share = 1.0;
        for _ in 0..MAX_BACKTRACKS {
            if error < last || last <= self.tolerance() {
                break;
            }
            self.shift_positions(-0.5 * share);
            share *= 0.5;
            self.evaluate_positions();
            error = self.position_error();
        }
        error
    }

    /// Removes J v + c from the velocity, and N v − v₀, in the mass metric, at the present pose, and where bodies touch
    /// what of J v is negative. Returns the energy that this last, the impacts, put into the bodies, J (negative: took out).
    pub(super) fn project_velocities(&mut self) -> Result<f64, StepError> {
        self.evaluate_positions();
        self.pose_held_velocities();
        if !self.ws.touches.all().is_empty() {
            return self.solve_touching_velocities(self.tolerance());
        }
        let ws = &mut *self.ws;
        let rows = ws.rows.equations();
        ws.equations.factor(rows, &ws.inverse_mass, &[]).map_err(|_| StepError::Factorization)?;
        ws.rhs.clear();
        ws.rhs.extend(ws.rows.joints().iter().map(|row| -row.rate(&ws.v)));
        ws.rhs.extend(ws.rows.nonholonomic().iter().zip(&ws.held).map(|(row, b)| -(row.rate(&ws.v) + b)));
        ws.lambda.clear();
        ws.lambda.resize(rows.len(), 0.0);
        ws.equations.solve(&ws.rhs, &mut ws.lambda);
        for (row, lambda) in rows.iter().zip(&ws.lambda) {
            row.push(*lambda, &ws.inverse_mass, &mut ws.v);
        }
        ws.ledger.add_rows(rows, &ws.lambda, 1.0);
        self.outcome.iterations += 1;
        Ok(0.0)
    }

    /// Size of the coordinates, at least 1: rounding in g is proportional to it.
    pub(super) fn extent(&self) -> f64 {
        let reach = self.ws.q.iter().map(|q| q.abs().max_element());
        1.0_f64.max(largest(reach))
    }

    /// The error below which another iteration cannot help.
    pub(super) fn rounding(&self) -> f64 {
        0.5 * f64::EPSILON * self.extent()
    }

    /// The error that counts as on the manifold.
    pub(super) fn tolerance(&self) -> f64 {
        MANIFOLD_TOLERANCE * self.extent()
    }

    pub(super) fn not_converged(&self, iterations: usize, error: f64) -> StepError {
        StepError::NotConverged { iterations, error, tolerance: self.tolerance() }
    }

    /// Runs `attempt` over the step; where Newton's method does not converge, over its two halves, and so on.
    pub(super) fn in_parts(
        &mut self,
        attempt: fn(&mut Self) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.part(attempt, MAX_DEPTH)
    }

    fn part(
        &mut self,
        attempt: fn(&mut Self) -> Result<(), StepError>,
        depth: usize,
    ) -> Result<(), StepError> {
        let mut saved = std::mem::take(&mut self.ws.saved[depth]);
        saved.q.clone_from(&self.ws.q);
        saved.v.clone_from(&self.ws.v);
        saved.ledger.clone_from(&self.ws.ledger);
        let (outcome, time, h) = (self.outcome, self.time, self.h);
        let mut result = attempt(self);
        if depth > 0 && result.as_ref().is_err_and(StepError::calls_for_smaller_parts) {
            self.ws.q.clone_from(&saved.q);
            self.ws.v.clone_from(&saved.v);
            self.ws.ledger.clone_from(&saved.ledger);
            self.outcome = outcome;
            self.outcome.substeps += 1;
            self.h = h / 2.0;
            result = self.part(attempt, depth - 1).and_then(|()| {
                self.time = time + h / 2.0;
                self.h = h / 2.0;
                self.part(attempt, depth - 1)
            });
        }
        (self.time, self.h) = (time, h);
        self.ws.saved[depth] = saved;
        result
    }
}

/// A state to go back to.
#[derive(Debug, Default)]
pub(super) struct Saved {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    ledger: Ledger,
}

/// One place for every depth of halving.
pub(super) type SavedStates = [Saved; MAX_DEPTH + 1];
