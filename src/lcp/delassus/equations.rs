//! The equations among a problem's rows, A λ = r with the matrix of `matrix.rs`, which also says which of them depend on others.

use super::matrix::Delassus;
use crate::lcp::info::{ACCEPTED, SolverInfo};
use crate::lcp::mixed::acceptance::Acceptance;
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::{Law, MixedProblem};
use crate::math::FactorError;
use glam::DVec3;

/// The direct solver of equality systems.
pub(in crate::lcp) static INFO: SolverInfo = SolverInfo {
    key: "ldlt",
    name: "Sparse LDLᵀ",
    summary: "Factorises A directly, in linear time on chains and trees; dependent rows get the consistent \
              solution.",
    source: "Baraff 1996; Davis 2006 (up-looking LDLᵀ); Amestoy, Davis & Duff 2004 (ordering)",
    parameters: &[],
};

/// A with its factors.
#[derive(Debug, Default)]
pub(in crate::lcp) struct Equations {
    /// Indices of the equations in the problem.
    rows: Vec<u32>,
    matrix: Delassus,
    /// Indices in the problem of the equations that depend on others, by the geometric rank.
    surplus: Vec<u32>,
}

impl Equations {
    /// Finds, assembles and factorises the equations of `problem`.
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite.
    pub fn factor(&mut self, problem: &MixedProblem) -> Result<(), FactorError> {
        let Self { rows, matrix, surplus } = self;
        rows.clear();
        for (i, row) in (0_u32..).zip(&problem.rows) {
            if row.law == Law::Equation {
                rows.push(i);
            }
        }
        let row = |i: usize| &problem.rows[rows[i] as usize];
        surplus.clear();
        matrix.factor(rows.len(), row, &problem.weight, |i| row(i).compliance)?;
        surplus.extend(matrix.surplus().map(|i| rows[i]));
        Ok(())
    }

    /// Indices in the problem of the equations that depend on others.
    pub fn surplus(&self) -> &[u32] {
        &self.surplus
    }

    /// Solves A x = rhs, both by equation.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) {
        self.matrix.solve(rhs, x);
    }

    /// Solves a problem of equations alone, A λ = −(J v* + b). Where they contradict each other λ is the least-squares solution.
    ///
    /// # Errors
    /// [`MixedError::NotFinite`] if an entry of A is not finite.
    pub fn solve_alone(
        &mut self,
        problem: &MixedProblem,
        acceptance: &Acceptance,
        lambda: &mut [f64],
        rhs: &mut Vec<f64>,
    ) -> Result<Solved, MixedError> {
        self.factor(problem).map_err(|_| MixedError::NotFinite)?;
        rhs.clear();
        rhs.extend(problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)));
        self.solve(rhs, lambda);
        let dependent = self.dependent();
        let infeasible = dependent > 0 && problem.residual(lambda) > acceptance.tolerance(ACCEPTED);
        Ok(Solved { solver: INFO.key, iterations: 1, infeasible, dependent })
    }

    /// What of the equations no λ can meet, whatever else pushes: b − A λ of their least-squares solution, with the row of the
    /// problem. Nothing where no equation depends on others.
    pub fn conflict(&mut self, problem: &MixedProblem, violation: &mut Vec<(u32, f64)>) {
        violation.clear();
        let Self { rows, matrix, .. } = self;
        if matrix.dependent_rows() == 0 {
            return;
        }
        let row = |i: &u32| &problem.rows[*i as usize];
        let rhs: Vec<f64> = rows.iter().map(|i| -(row(i).rate(&problem.free) + row(i).bias)).collect();
        let mut x = vec![0.0; rhs.len()];
        matrix.solve(&rhs, &mut x);
        matrix.left(&mut x);
        violation.extend(rows.iter().copied().zip(x));
    }

    /// Gives the equations among `lambda` the least multipliers with the same effect, so that redundant ones share the load.
    pub fn share(&mut self, problem: &MixedProblem, lambda: &mut [f64]) {
        let mut dv = vec![DVec3::ZERO; problem.weight.len()];
        let row = |i: &u32| &problem.rows[*i as usize];
        self.rows.iter().for_each(|i| row(i).push(lambda[*i as usize], &problem.weight, &mut dv));
        let effect = |i: &u32| row(i).rate(&dv) + row(i).compliance * lambda[*i as usize];
        let rhs: Vec<f64> = self.rows.iter().map(effect).collect();
        let mut x = vec![0.0; rhs.len()];
        self.solve(&rhs, &mut x);
        for (&i, x) in self.rows.iter().zip(&x) {
            lambda[i as usize] = *x;
        }
    }

    /// Solves the equations of `problem` for their λ with all others as they are (those of the equations start
    /// at zero); leaves the velocity in `v`.
    pub fn complete(&mut self, problem: &MixedProblem, lambda: &mut [f64], v: &mut Vec<DVec3>) {
        problem.velocity(lambda, v);
        if self.rows.is_empty() {
            return;
        }
        let rhs: Vec<f64> = self.rows.iter().map(|&i| -problem.w(i as usize, v, lambda)).collect();
        let mut x = vec![0.0; rhs.len()];
        self.solve(&rhs, &mut x);
        for (&i, x) in self.rows.iter().zip(&x) {
            lambda[i as usize] += x;
        }
        problem.velocity(lambda, v);
    }

    /// The change of velocity for λ of `row` = `size`, equations kept.
    pub fn response(&mut self, problem: &MixedProblem, row: usize, size: f64) -> Vec<DVec3> {
        let mut dv = vec![DVec3::ZERO; problem.weight.len()];
        problem.rows[row].push(size, &problem.weight, &mut dv);
        if !self.rows.is_empty() {
            let rhs: Vec<f64> = self.rows.iter().map(|&i| -problem.rows[i as usize].rate(&dv)).collect();
            let mut x = vec![0.0; rhs.len()];
            self.solve(&rhs, &mut x);
            for (&i, x) in self.rows.iter().zip(&x) {
                problem.rows[i as usize].push(*x, &problem.weight, &mut dv);
            }
        }
        dv
    }

    /// Indices of the equations in the problem.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Equations that depend on the others.
    pub fn dependent(&self) -> usize {
        self.matrix.dependent_rows()
    }
}
