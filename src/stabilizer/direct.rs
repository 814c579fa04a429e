//! Joints, non-holonomic rows, springs and the grab alone: a system of equations, solved by one factorisation.
//!
//! ```text
//! (A + C) λ = r ,     A = J W Jᵀ
//! ```
//!
//! W = M⁻¹ in the dynamics; C holds the compliances of springs and of the grab, zero for joints. λ is an impulse (N s) where r
//! is −(J v* + b), a force (N) where it is −(J a* + r). Rows that depend on others share the load, and rows in conflict are
//! met in the least-squares sense (see `lcp/delassus/matrix.rs`).

use super::motion::Motion;
use super::totals::Figures;
use crate::constraint::{Row, Rows};
use crate::lcp::{ACCEPTED, Acceptance, Delassus, MixedError};
use crate::math::largest;
use crate::model::Softness;
use crate::report::StepError;
use glam::DVec3;

/// Matrices with their factors, and the present right-hand side.
#[derive(Debug, Default)]
pub(super) struct Direct {
    /// A + C of all rows, A of those without compliance, and of the joints' alone.
    all: Delassus,
    stiff: Delassus,
    joints: Delassus,
    compliance: Vec<f64>,
    rhs: Vec<f64>,
    lambda: Vec<f64>,
    /// What λ moves, in a correction or by a part of the right-hand side.
    moved: Vec<DVec3>,
}

impl Direct {
    /// A + C of all rows, for soft rows whose force acts over `duration`.
    pub fn factor(&mut self, rows: &Rows, weight: &[DVec3], duration: f64) -> Result<(), StepError> {
        self.compliance.clear();
        self.compliance.resize(rows.equations().len(), 0.0);
        // A soft row without stiffness or damping carries no force: any compliance does, since its
        // right-hand side is zero.
        let compliance = |(row, soft): (&Row, &Softness)| soft.row(row.g, duration).map_or(1.0, |(c, _)| c);
        self.compliance.extend(rows.soft().map(compliance));
        let Self { all, compliance, .. } = self;
        let rows = rows.all();
        all.factor(rows.len(), |i| &rows[i], weight, |i| compliance[i])
            .map_err(|_| StepError::Factorization)
    }

    /// A of the rows without compliance.
    pub fn factor_stiff(&mut self, rows: &Rows, weight: &[DVec3]) -> Result<(), StepError> {
        factor_stiff(&mut self.stiff, rows.equations(), weight)
    }

    /// r = −(J v + b): `bias` of joints, `nonholonomic` of non-holonomic rows, that of springs and the grab over `duration`.
    pub fn ask_impulses(
        &mut self,
        rows: &Rows,
        v: &[DVec3],
        bias: impl Fn(&Row) -> f64,
        nonholonomic: impl Iterator<Item = [f64; 2]>,
        duration: f64,
    ) {
        self.rhs.clear();
        self.rhs.extend(rows.joints().iter().map(|row| -(row.rate(v) + bias(row))));
        self.rhs
            .extend(rows.nonholonomic().iter().zip(nonholonomic).map(|(row, [b, _])| -(row.rate(v) + b)));
        let soft = |(row, soft): (&Row, &Softness)| {
            soft.row(row.g, duration).map_or(0.0, |(_, b)| -(row.rate(v) + b))
        };
        self.rhs.extend(rows.soft().map(soft));
    }

    /// r = −(J a + k + s) of joints, with k + s = `rhs`(k, g, J v), and `nonholonomic` of non-holonomic rows; nothing else.
    pub fn ask_stiff_forces(
        &mut self,
        rows: &Rows,
        [v, a]: [&[DVec3]; 2],
        rhs: impl Fn(f64, f64, f64) -> f64,
        nonholonomic: impl Iterator<Item = [f64; 2]>,
    ) {
        self.rhs.clear();
        let joint = |row: &Row| -(row.rate(a) + row.k + rhs(0.0, row.g, row.rate(v)));
        self.rhs.extend(rows.joints().iter().map(joint));
        self.rhs
            .extend(rows.nonholonomic().iter().zip(nonholonomic).map(|(row, [r, _])| -(row.rate(a) + r)));
    }

    /// r = −(J a + `rhs`(k, g, J v)) of joints, `nonholonomic` of non-holonomic rows, and that of springs and the grab, whose rows are divided by h.
    pub fn ask_forces(
        &mut self,
        rows: &Rows,
        [v, a]: [&[DVec3]; 2],
        rhs: impl Fn(f64, f64, f64) -> f64,
        nonholonomic: impl Iterator<Item = [f64; 2]>,
        h: f64,
    ) {
        self.rhs.clear();
        let joint = |row: &Row| -(row.rate(a) + rhs(row.k, row.g, row.rate(v)));
        self.rhs.extend(rows.joints().iter().map(joint));
        self.rhs
            .extend(rows.nonholonomic().iter().zip(nonholonomic).map(|(row, [r, _])| -(row.rate(a) + r)));
        self.rhs.extend(rows.soft().map(|(row, soft)| {
            soft.row(row.g, h).map_or(0.0, |(_, b)| -(row.rate(a) + (row.rate(v) + b) / h))
        }));
    }

    /// r = −g/h of joints at another pose; nothing is asked of the other rows.
    pub fn ask_positions(&mut self, rows: &Rows, joints: &[Row], h: f64) {
        self.rhs.clear();
        self.rhs.extend(joints.iter().map(|row| -row.g / h));
        self.rhs.resize(rows.all().len(), 0.0);
    }

    /// λ of all rows with the present factors; dependent rows and ‖A λ − r‖∞.
    pub fn solve(&mut self, lambda: &mut Vec<f64>) -> (usize, f64) {
        solve(&mut self.all, &self.rhs, lambda)
    }

    /// The same of the rows without compliance.
    pub fn solve_stiff(&mut self, lambda: &mut Vec<f64>) -> (usize, f64) {
        solve(&mut self.stiff, &self.rhs, lambda)
    }

    /// What the part `rhs` of all rows' right-hand side moves: M⁻¹Jᵀλ `duration`.
    pub fn moved_by(
        &mut self,
        rhs: &mut Vec<f64>,
        rows: &Rows,
        weight: &[DVec3],
        duration: f64,
    ) -> &[DVec3] {
        rhs.resize(rows.all().len(), 0.0);
        solve(&mut self.all, rhs, &mut self.lambda);
        self.moved.clear();
        self.moved.resize(weight.len(), DVec3::ZERO);
        for (row, lambda) in rows.all().iter().zip(&self.lambda) {
            row.push(duration * lambda, weight, &mut self.moved);
        }
        &self.moved
    }

    /// λ of the part `rhs` of the right-hand side of the rows without compliance.
    pub fn stiff_part(&mut self, rhs: &[f64]) -> &[f64] {
        solve(&mut self.stiff, rhs, &mut self.lambda);
        &self.lambda
    }

    /// dp of W⁻¹dp = Jᵀλ, g + J dp = 0 for joints.
    pub fn position_correction(&mut self, rows: &[Row], weight: &[DVec3]) -> Result<&[DVec3], StepError> {
        factor_stiff(&mut self.joints, rows, weight)?;
        self.rhs.clear();
        self.rhs.extend(rows.iter().map(|row| -row.g));
        solve(&mut self.joints, &self.rhs, &mut self.lambda);
        self.moved.clear();
        self.moved.resize(weight.len(), DVec3::ZERO);
        for (row, lambda) in rows.iter().zip(&self.lambda) {
            row.push(*lambda, weight, &mut self.moved);
        }
        Ok(&self.moved)
    }

    /// λ of M dv = Jᵀλ, J (v + dv) + b = 0 for joints (b = 0) and non-holonomic rows.
    pub fn velocity_correction(
        &mut self,
        rows: &Rows,
        motion: &Motion,
        nonholonomic: impl Iterator<Item = [f64; 2]>,
    ) -> Result<&[f64], StepError> {
        let v = &motion.v;
        self.factor_stiff(rows, &motion.inverse_mass)?;
        self.rhs.clear();
        self.rhs.extend(rows.joints().iter().map(|row| -row.rate(v)));
        self.rhs
            .extend(rows.nonholonomic().iter().zip(nonholonomic).map(|(row, [b, _])| -(row.rate(v) + b)));
        solve(&mut self.stiff, &self.rhs, &mut self.lambda);
        Ok(&self.lambda)
    }

    /// Judges the last solve of the dynamics, before λ has moved anything: a residual that is not small is a conflict where
    /// rows depend on each other, counted as a problem without a solution, and a failure where they do not. `given` is v* or a*.
    pub fn judge(
        &self,
        figures: &mut Figures,
        rows: &[Row],
        weight: &[DVec3],
        given: &[DVec3],
        lambda: &[f64],
    ) -> Result<(), StepError> {
        let (residual, dependent) = (figures.residual, figures.dependent_rows);
        let weights = |row: &Row| [weight[row.a], weight[row.b]];
        let asked = rows.iter().zip(&self.rhs);
        let relative = Acceptance::share_of_rows(
            residual,
            asked.clone().map(|(row, rhs)| ([row.ja, row.jb], weights(row), *rhs)),
        );
        if relative <= ACCEPTED {
            figures.note_relative_residual(relative);
            return Ok(());
        }
        let terms = asked.map(|(row, rhs)| {
            ([row.ja, row.jb], [given[row.a], given[row.b]], weights(row), -rhs - row.rate(given))
        });
        let measure = Acceptance::of_rows(terms, weight);
        let conflict = dependent > 0 && residual > measure.tolerance(ACCEPTED);
        if conflict {
            figures.infeasible = figures.infeasible.max(1);
            return Ok(());
        }
        let impulses = rows.iter().zip(lambda).map(|(row, lambda)| {
            let [a, b] = weights(row);
            (row.ja.dot(a * row.ja) + row.jb.dot(b * row.jb)) * lambda
        });
        if !measure.admits_beside(residual, largest(impulses)) {
            let (solver, expected) = (figures.solver, measure.tolerance(ACCEPTED));
            return Err(MixedError::NotConverged { solver, residual, expected, iterations: 1 }.into());
        }
        // Rounding: nothing, or of impulses that light bodies pass on.
        let rounding = residual <= measure.tolerance(ACCEPTED);
        figures.note_relative_residual(if rounding { 0.0 } else { relative });
        Ok(())
    }
}

/// A of rows without compliance.
fn factor_stiff(matrix: &mut Delassus, rows: &[Row], weight: &[DVec3]) -> Result<(), StepError> {
    matrix.factor(rows.len(), |i| &rows[i], weight, |_| 0.0).map_err(|_| StepError::Factorization)
}

/// λ of A λ = r; dependent rows and ‖A λ − r‖∞.
fn solve(matrix: &mut Delassus, rhs: &[f64], lambda: &mut Vec<f64>) -> (usize, f64) {
    lambda.clear();
    lambda.resize(rhs.len(), 0.0);
    let residual = matrix.solve(rhs, lambda);
    (matrix.dependent_rows(), residual)
}
