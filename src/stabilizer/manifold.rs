//! Back to the constraint manifold: corrections of position and velocity, and Newton's method.
//!
//! ```text
//! Position:  W⁻¹ dp = Jᵀλ ,  g + J dp = 0 ,  q ← q + dp                   [Cline & Pai 2003, eqs. 13 and 14]
//! Velocity:  M dv = Jᵀλ ,    J (v + dv) + c = 0
//! ```
//!
//! λ in kg m and kg m/s. In the plane G = J, so dp is added to q as it stands. Newton's method repeats the
//! position correction with J and g evaluated anew until rounding stops it.

use super::gate::overlap;
use super::ledger::Ledger;
use super::stage::Stage;
use crate::constraint::Row;
use crate::math::largest;
use crate::model::Piece;
use crate::model::joint::Unit;
use crate::report::StepError;
use glam::{DVec2, DVec3};
use std::f64::consts::PI;

/// Most Newton iterations of one attempt.
const MAX_ITERATIONS: usize = 40;
/// Largest error that counts as on the manifold, as a share of [`Stage::extent`].
const MANIFOLD_TOLERANCE: f64 = 1e-12;
/// κ of damped corrections, one after the other where the one before makes matters worse.
const DAMPING: [f64; 4] = [1e4, 1e2, 1.0, 1e-2];
/// Rounding of a gap or a joint's error, in units of ε times the extent.
const ROUNDED_GAP: f64 = 4.0;
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
    /// rotation (rad) at most `bound`, and in any case at most the scene's size and half a turn: the whole correction is scaled
    /// down to that. Rows and contacts are then evaluated where it leads.
    ///
    /// Joints and contacts that contradict each other, as those of two overlapping bodies that a weld holds, have a solution of
    /// the linearised problem far away, or none, and going there makes matters worse. Where a correction with contacts would
    /// raise Σ g²/Aᵢᵢ, damped least-squares steps are tried instead, down to none: such errors end where that sum is least.
    pub(super) fn correct_positions(&mut self, metric: Metric, bound: f64) -> Result<(), StepError> {
        let conflicts = !self.ws.touches.all().is_empty();
        self.weigh_positions(metric);
        let (before, error) = (self.misfit(metric), self.position_error());
        self.ws.kept.clone_from(&self.ws.q);
        self.position_correction(metric, None)?;
        self.shift_within(bound);
        // What rises within rounding is no conflict.
        if !conflicts || error <= self.tolerance() || self.misfit(metric) <= before {
            self.note_what_is_left(error);
            return Ok(());
        }
        let (mut damping, damped) = (DAMPING.into_iter(), self.outcome.damped + 1);
        while self.misfit(metric) > before {
            self.ws.q.clone_from(&self.ws.kept);
            self.evaluate_positions();
            self.outcome.damped = damped;
            let Some(kappa) = damping.next() else { break };
            self.position_correction(metric, Some(kappa))?;
            self.shift_within(bound);
        }
        Ok(())
    }

    /// Notes the share of `error`, unless that was rounding, that a correction has left.
    fn note_what_is_left(&mut self, error: f64) {
        if error > self.tolerance() {
            let left = self.position_error() / error;
            let most = self.outcome.correction_left.unwrap_or_default();
            self.outcome.correction_left = Some(most.max(left));
        }
    }

    /// Adds the correction in the scratch vector, as far as the bounds allow.
    fn shift_within(&mut self, bound: f64) {
        let [far, turn] = self.longest_correction();
        let share = (bound.min(self.size()) / far).min(bound.min(PI) / turn);
        // Where nothing is corrected 0/0 leaves the other bound.
        self.shift_positions(if share < 1.0 { share } else { 1.0 });
        self.evaluate_positions();
    }

    /// Σ g²/Aᵢᵢ over joints and overlaps as evaluated.
    fn misfit(&self, metric: Metric) -> f64 {
        let weight = match metric {
            Metric::Mass => &self.ws.inverse_mass,
            Metric::Identity => &self.ws.identity,
        };
        let term = |row: &Row, g: f64| {
            let mobility = row.ja.dot(weight[row.a] * row.ja) + row.jb.dot(weight[row.b] * row.jb);
            if mobility > 0.0 { g * g / mobility } else { 0.0 }
        };
        let joints = self.ws.rows.joints().iter().map(|row| term(row, row.g));
        joints.chain(self.ws.touches.all().iter().map(|touch| term(&touch.row, overlap(touch)))).sum()
    }

    /// The longest translation (m) and rotation (rad) of the correction in the scratch vector.
    fn longest_correction(&self) -> [f64; 2] {
        let moves = self.ws.scratch.iter();
        [largest(moves.clone().map(|dp| dp.truncate().length())), largest(moves.map(|dp| dp.z))]
    }

    /// The scene's size, m: the diagonal of the box of its bodies' centres and what they reach beyond them.
    fn size(&self) -> f64 {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for q in &self.ws.q {
            (low, high) = (low.min(q.truncate()), high.max(q.truncate()));
        }
        let reach = self.world.bodies().iter().flat_map(|body| body.pieces()).map(Piece::bounding_radius);
        let widest = reach.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
        let levers = self.ws.rows.joints().iter().filter(|row| row.unit == Unit::Metre);
        let lever = largest(levers.map(|row| row.ja.z.abs().max(row.jb.z.abs())));
        let size = (high - low).length() + 2.0 * widest.max(lever);
        // A point alone has no size to be bounded by.
        if size > 0.0 { size } else { f64::INFINITY }
    }

    /// Sets the identity metric up where it is asked for.
    fn weigh_positions(&mut self, metric: Metric) {
        if metric == Metric::Identity {
            let ws = &mut *self.ws;
            let one = |w: &DVec3| if w.x > 0.0 { DVec3::ONE } else { DVec3::ZERO };
            ws.identity.clear();
            ws.identity.extend(ws.inverse_mass.iter().map(one));
        }
    }

    /// dp into the scratch vector, damped by κ.
    fn position_correction(&mut self, metric: Metric, kappa: Option<f64>) -> Result<(), StepError> {
        if !self.ws.touches.all().is_empty() {
            return self.solve_touching_positions(metric, kappa);
        }
        let ws = &mut *self.ws;
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
            self.position_correction(Metric::Mass, None)?;
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

    /// The length that rounding in g is proportional to, m: the largest coordinate of a body's centre of mass or lever of a row,
    /// times the largest angle, whose rounding swings what hangs on it.
    pub(super) fn extent(&self) -> f64 {
        let places = self.ws.q.iter().map(|q| q.truncate().abs().max_element());
        let in_metres = self.ws.rows.joints().iter().filter(|row| row.unit == Unit::Metre);
        let levers = in_metres.chain(self.ws.touches.contacts().iter().map(|touch| &touch.row));
        self.turns() * largest(places.chain(levers.map(|row| row.ja.z.abs().max(row.jb.z.abs()))))
    }

    /// The largest angle of a body, rad, at least 1.
    fn turns(&self) -> f64 {
        largest(self.ws.q.iter().map(|q| q.z)).max(1.0)
    }

    /// Largest |g| of `rows` as a length, m, where the extent is `extent`: an error in rad counts as the length that it is worth
    /// there, one in m² as the length whose square grows by it.
    pub(super) fn length_of_errors(&self, rows: &[Row], extent: f64) -> f64 {
        let turns = self.turns();
        largest(rows.iter().map(|row| match row.unit {
            Unit::Metre => row.g,
            Unit::Radian => row.g * extent / turns,
            Unit::SquareMetre if extent > 0.0 => row.g / extent,
            Unit::SquareMetre => row.g,
        }))
    }

    /// What rounding leaves of any g, m.
    pub(super) fn rounded_gap(&self) -> f64 {
        ROUNDED_GAP * f64::EPSILON * self.extent()
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
        saved.ledger.copy_from(&self.ws.ledger);
        let (outcome, time, h) = (self.outcome, self.time, self.h);
        let mut result = attempt(self);
        if depth > 0 && result.as_ref().is_err_and(StepError::calls_for_smaller_parts) {
            self.ws.q.clone_from(&saved.q);
            self.ws.v.clone_from(&saved.v);
            self.ws.ledger.copy_from(&saved.ledger);
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
