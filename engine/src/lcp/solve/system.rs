//! Equations alone, solved as one system by one factorisation.
//!
//! ```text
//! A λ = r ,     A = J W Jᵀ + diag(c) ,     r = −(J v* + b)
//! ```
//!
//! No islands are made: the factorisation itself keeps apart what no row connects. Rows that depend on others share the load, and
//! rows in conflict are solved in the least-squares sense (`direct/delassus.rs`). If the problem consists of chains of hinges
//! alone, it is solved from their levers (`direct/hinge_chain.rs`).

use crate::lcp::direct::delassus::Accuracy;
use crate::lcp::direct::equations;
use crate::lcp::info::ACCEPTED;
use crate::lcp::islands::island_memory::MixedWorkspace;
use crate::lcp::islands::reading::IslandReading;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{MixedError, MixedOutcome};
use crate::lcp::problem::trail::{Ending, Trail};
use crate::math::largest;
use glam::DVec3;

/// Refinements over the bodies end at a residual of `REFINED` times the right-hand side, with one that leaves more than
/// `STAGNATION` times the residual before, or after `MOST_REFINEMENTS`.
const REFINED: f64 = 4.0 * f64::EPSILON;
const STAGNATION: f64 = 0.5;
const MOST_REFINEMENTS: usize = 8;

impl MixedWorkspace {
    /// Solves a problem whose rows are all equations. λ and the velocity v* + W Jᵀλ are written; the residual is ‖A λ − r‖∞ in
    /// m/s, NaN where it is not computed. No bound is promised: [`MixedWorkspace::judge_system`] says whether it is small enough.
    ///
    /// # Errors
    /// [`MixedError::NotFinite`] if an entry of A is not finite.
    pub(crate) fn solve_system(
        &mut self,
        problem: &MixedProblem,
        accuracy: Accuracy,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Result<MixedOutcome, MixedError> {
        self.readings.clear(); // after a failure there is nothing to read
        self.left.clear();
        let residual = match self.hinges.solve(problem, accuracy, lambda, v) {
            Some(residual) => residual,
            None => self.solve_rows(problem, accuracy, lambda, v)?,
        };
        self.is_system = true;
        let solver = equations::INFO.key;
        let trail = Trail::of(solver, 1);
        self.readings.push(IslandReading {
            rows: problem.rows.len(),
            solver,
            trail,
            infeasible: false,
            // The measure is computed when it is read.
            acceptance: Acceptance::default(),
        });
        let dependent_rows = if self.hinges.solved { 0 } else { self.system.dependent_rows() };
        Ok(MixedOutcome {
            residual,
            iterations: 1,
            solver,
            dependent_rows,
            trail,
            ..MixedOutcome::default() // no island, none infeasible, no conflict
        })
    }

    /// Solves any rows by one factorisation of A. Returns the residual.
    fn solve_rows(
        &mut self,
        problem: &MixedProblem,
        accuracy: Accuracy,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Result<f64, MixedError> {
        let Self { system, rhs, left, .. } = self;
        let MixedProblem { inverse_mass, rows, .. } = problem;
        rhs.clear();
        // In corrections v* is zero: J v* is ±0 then, and could change only the sign of a b that is zero.
        let mut speeds = true;
        let at_rest = problem.free.iter().all(|v| *v == DVec3::ZERO);
        rhs.extend(rows.iter().map(|row| {
            speeds &= row.is_speed();
            if at_rest && row.bias != 0.0 { -row.bias } else { -(row.rate(&problem.free) + row.bias) }
        }));
        system.factor(rows.len(), |i| &rows[i], inverse_mass).ok_or(MixedError::NotFinite)?;
        lambda.clear();
        lambda.resize(rows.len(), 0.0);
        let residual = system.solve_to(accuracy, rhs, lambda);
        problem.velocity(lambda, v);
        if accuracy == Accuracy::Refined && system.points {
            return Ok(self.refine_over_bodies(problem, lambda, v));
        }
        if speeds || accuracy == Accuracy::Once {
            return Ok(residual);
        }
        left.resize(rows.len(), 0.0);
        system.left(left);
        left.iter_mut().zip(rows).for_each(|(left, row)| *left *= row.unit(inverse_mass));
        Ok(largest(left.iter().copied()))
    }

    /// Refines λ by the residual of the rows themselves, and v by each refinement: in A the masses lose digits beside the inertia
    /// of bodies that are nearly points, and in r × λ the torque on such a body does. Returns ‖J v + c λ + b‖∞, m/s.
    fn refine_over_bodies(&mut self, problem: &MixedProblem, lambda: &mut [f64], v: &mut [DVec3]) -> f64 {
        let Self { system, rhs, left, .. } = self;
        let enough = REFINED * largest(rhs.iter().copied());
        left.resize(lambda.len(), 0.0);
        let mut change = vec![0.0; lambda.len()];
        let mut last = f64::INFINITY;
        for refinements in 0..=MOST_REFINEMENTS {
            left.iter_mut().enumerate().for_each(|(i, left)| *left = -problem.w(i, v, lambda));
            let residual = largest(left.iter().copied());
            let stagnates = residual > STAGNATION * last || refinements == MOST_REFINEMENTS;
            last = residual;
            if residual <= enough || stagnates {
                break;
            }
            system.solve(left, &mut change);
            for (row, (lambda, change)) in problem.rows.iter().zip(lambda.iter_mut().zip(&change)) {
                *lambda += change;
                row.push(*change, &problem.inverse_mass, v);
            }
        }
        left.iter_mut().zip(&problem.rows).for_each(|(left, row)| *left *= row.unit(&problem.inverse_mass));
        largest(left.iter().copied())
    }

    /// Judges `outcome`, what `solve_system` has found for `problem`: a residual that is not small is a conflict where rows
    /// depend on each other, counted as a problem without a solution, and a failure where they do not.
    ///
    /// # Errors
    /// [`MixedError::NotConverged`].
    pub(crate) fn judge_system(
        &mut self,
        problem: &MixedProblem,
        lambda: &[f64],
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        let MixedProblem { inverse_mass, rows, .. } = problem;
        let residual = outcome.residual;
        let relative_residual = if self.hinges.solved {
            self.hinges.shares.of(residual)
        } else {
            Acceptance::share_of_rows(residual, rows.iter().zip(self.rhs.iter().copied()), inverse_mass)
        };
        if relative_residual <= ACCEPTED {
            outcome.relative_residual = relative_residual;
            return Ok(());
        }
        let measure = Acceptance::of(problem);
        let expected = measure.tolerance(ACCEPTED);
        let row_by_row = measure.relative(inverse_mass, rows.iter().zip(self.left.iter().copied()));
        if !self.left.is_empty() && row_by_row <= ACCEPTED {
            outcome.relative_residual = row_by_row;
            return Ok(());
        }
        if outcome.dependent_rows > 0 && residual > expected {
            self.readings.iter_mut().for_each(|system| system.infeasible = true);
            (outcome.infeasible, outcome.conflict) = (1, true);
            return Ok(());
        }
        if !measure.admits(problem, lambda, residual, ACCEPTED) {
            let MixedOutcome { solver, iterations, .. } = *outcome;
            return Err(MixedError::NotConverged { solver, residual, expected, iterations });
        }
        // Below `expected` the residual is rounding, that of impulses which light bodies pass on included.
        outcome.relative_residual = if residual <= expected { 0.0 } else { relative_residual };
        if outcome.relative_residual > ACCEPTED {
            outcome.unproved = 1;
            outcome.trail.left(Ending::Nearly);
            outcome.trail.judge(relative_residual);
            self.readings.iter_mut().for_each(|system| system.trail = outcome.trail);
        }
        Ok(())
    }

    /// Solves A λ = `rhs` with the factors of the last `solve_system`; returns ‖A λ − rhs‖∞.
    pub(crate) fn solve_system_again(&mut self, rhs: &[f64], lambda: &mut Vec<f64>) -> f64 {
        lambda.clear();
        lambda.resize(rhs.len(), 0.0);
        if self.hinges.solved {
            return self.hinges.solve_again(rhs, lambda);
        }
        self.system.solve(rhs, lambda)
    }
}
