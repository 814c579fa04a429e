//! The equations among a problem's rows, A λ = r with the matrix of `delassus.rs`, which also says which of them depend on
//! others.

use super::delassus::Delassus;
use crate::lcp::info::{ACCEPTED, SolverInfo};
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use glam::DVec3;

/// The direct solver of equality systems.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "ldlt",
    name: "Sparse LDLᵀ",
    summary: "Factorises A directly, in linear time on chains and trees; dependent rows get the consistent \
              solution.",
    source: "Baraff 1996; Davis 2006 (up-looking LDLᵀ); Amestoy, Davis & Duff 2004 (ordering)",
    parameters: &[],
};

/// The equations with their factorised matrix A.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    /// Indices of the equations in the problem.
    pub rows: Vec<u32>,
    matrix: Delassus,
    /// The right-hand side and the solution of one solve, and a change of velocity.
    rhs: Vec<f64>,
    x: Vec<f64>,
    dv: Vec<DVec3>,
}

impl Equations {
    /// Finds, assembles and factorises the equations of `problem`.
    ///
    /// # Errors
    /// [`MixedError::NotFinite`] if an entry of A is not finite.
    pub fn factor(&mut self, problem: &MixedProblem) -> Result<(), MixedError> {
        let Self { rows, matrix, .. } = self;
        rows.clear();
        let equations = problem.rows.iter().enumerate().filter(|(_, row)| row.law == Law::Equation);
        rows.extend(equations.map(|(i, _)| i as u32));
        let row = |i: usize| &problem.rows[rows[i] as usize];
        matrix.factor(rows.len(), row, &problem.inverse_mass).ok_or(MixedError::NotFinite)
    }

    /// Indices in the problem of the equations that depend on others, by the geometric rank.
    pub fn surplus(&self) -> impl Iterator<Item = usize> {
        self.matrix.surplus().map(|i| self.rows[i] as usize)
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
    ) -> SolveResult {
        self.factor(problem)?;
        self.solve_each(|i| asked(problem, i));
        lambda.copy_from_slice(&self.x);
        let dependent = self.dependent();
        let infeasible = dependent > 0 && problem.residual(lambda) > acceptance.tolerance(ACCEPTED);
        Ok(Solved { solver: INFO.key, iterations: 1, infeasible, dependent })
    }

    /// Writes the part of the equations' b that no λ can satisfy, whatever other rows push: b − A λ of the least-squares
    /// solution, with the index of the row in the problem. Writes nothing where no equation depends on others.
    pub fn conflict(&mut self, problem: &MixedProblem, violation: &mut Vec<(u32, f64)>) {
        violation.clear();
        if self.dependent() == 0 {
            return;
        }
        self.solve_each(|i| asked(problem, i));
        self.matrix.left(&mut self.x);
        violation.extend(self.rows.iter().copied().zip(self.x.iter().copied()));
    }

    /// Replaces λ of the equations by the multipliers of least norm with the same effect, so that redundant ones share the load.
    pub fn share(&mut self, problem: &MixedProblem, lambda: &mut [f64]) {
        let mut dv = std::mem::take(&mut self.dv);
        dv.clear();
        dv.resize(problem.inverse_mass.len(), DVec3::ZERO);
        let row = |i: u32| &problem.rows[i as usize];
        self.rows.iter().for_each(|&i| row(i).push(lambda[i as usize], &problem.inverse_mass, &mut dv));
        self.solve_each(|i| row(i).rate(&dv) + row(i).compliance * lambda[i as usize]);
        self.dv = dv;
        for (&i, x) in self.rows.iter().zip(&self.x) {
            lambda[i as usize] = *x;
        }
    }

    /// Solves the equations of `problem` for their λ, with λ of all other rows given (λ of the equations starts at zero); leaves
    /// the velocity in `v`.
    pub fn complete(&mut self, problem: &MixedProblem, lambda: &mut [f64], v: &mut Vec<DVec3>) {
        problem.velocity(lambda, v);
        if self.rows.is_empty() {
            return;
        }
        self.satisfy(problem, lambda, v);
        problem.velocity(lambda, v);
    }

    /// Changes λ of the equations, and with it v = v* + W Jᵀλ, so that they hold, with λ of all other rows given.
    pub fn satisfy(&mut self, problem: &MixedProblem, lambda: &mut [f64], v: &mut [DVec3]) {
        if self.rows.is_empty() {
            return;
        }
        self.solve_each(|i| -problem.w(i as usize, v, lambda));
        for (&i, x) in self.rows.iter().zip(&self.x) {
            lambda[i as usize] += x;
            problem.rows[i as usize].push(*x, &problem.inverse_mass, v);
        }
    }

    /// Writes the change of velocity for λ of `row` = `size`, with the equations kept satisfied.
    pub fn response(&mut self, problem: &MixedProblem, row: usize, size: f64, dv: &mut Vec<DVec3>) {
        dv.clear();
        dv.resize(problem.inverse_mass.len(), DVec3::ZERO);
        problem.rows[row].push(size, &problem.inverse_mass, dv);
        self.solve_each(|i| -problem.rows[i as usize].rate(dv));
        for (&i, x) in self.rows.iter().zip(&self.x) {
            problem.rows[i as usize].push(*x, &problem.inverse_mass, dv);
        }
    }

    /// Solves A x = rhs, where `value(i)` is the right-hand side of the equation with index i in the problem.
    fn solve_each(&mut self, value: impl Fn(u32) -> f64) {
        let Self { rows, matrix, rhs, x, .. } = self;
        rhs.clear();
        rhs.extend(rows.iter().map(|&i| value(i)));
        x.clear();
        x.resize(rhs.len(), 0.0);
        matrix.solve(rhs, x);
    }

    /// Returns the number of equations that depend on the others.
    pub fn dependent(&self) -> usize {
        self.matrix.dependent_rows()
    }
}

/// −(J v* + b) of row `i`.
fn asked(problem: &MixedProblem, i: u32) -> f64 {
    let row = &problem.rows[i as usize];
    -(row.rate(&problem.free) + row.bias)
}
