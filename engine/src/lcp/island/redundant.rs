//! Equations that depend on others, beside other rows: they stand back while an island is solved, and take their share of the load
//! afterwards. In an island without equations there is nothing to do.
//!
//! ```text
//! J = Σ cₖ Jₖ ,   w = Σ cₖ wₖ :   λ of such a row is free, and the pseudo-inverse shares the load
//! ```

use super::entry::Promise;
use super::solvers::Solver;
use super::workspace::{Island, IslandWorkspace, Judged};
use crate::lcp::bodies::newton::NewtonEffort;
use crate::lcp::info::{ACCEPTED, accepted_share};
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::{Law, MixedProblem};
use crate::math::largest;

/// Newton's steps that take equations to rounding, where more than rounding would look like a conflict: a step leaves 1/κ of what an
/// equation lacks.
const REFINED: NewtonEffort = NewtonEffort { kappa: 1e8, factorisations: 20, stall: 5 };

impl Solver {
    /// Where equations of the island depend on others, leaves these out; and where they contradict each other beyond what counts
    /// as solved, moves their b to what can be met, the least-squares solution of the equations alone.
    ///
    /// After some drift such equations no longer depend on each other exactly, and enormous impulses would meet them all; left
    /// out, they are met as far as the drift goes, and [`Solver::judge`] says whether that is a conflict.
    pub(super) fn reduce(
        &self,
        problem: &mut MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<(), MixedError> {
        let IslandWorkspace { island: Island { acceptance, violation, .. }, kept, .. } = workspace;
        let equations = &mut kept.redundancy;
        equations.factor(problem).map_err(|_| MixedError::NotFinite)?;
        equations.conflict(problem, violation);
        let of_rows = violation.iter().map(|&(i, x)| (&problem.rows[i as usize], x));
        if acceptance.relative(&problem.weight, of_rows) <= ACCEPTED {
            violation.iter_mut().for_each(|(_, x)| *x = 0.0);
        }
        for &(i, violation) in violation.iter() {
            problem.rows[i as usize].bias += violation;
        }
        for &row in equations.surplus() {
            problem.rows[row as usize].law = Law::Bounded { lower: 0.0, upper: 0.0 };
        }
        Ok(())
    }

    /// What `judged` says, a conflict, unless the equations agree with each other: then λ is refined and judged again.
    ///
    /// An equation that depends on others is left with w = Σ cₖ wₖ: with what a solver may leave of them, times |c|. That is no
    /// conflict, and it goes when the others are met to rounding. What drift has left of the dependence, (J − Σ cₖ Jₖ) v, stays.
    pub(super) fn without_false_conflict(
        &self,
        problem: &MixedProblem,
        solved: &Solved,
        judged: Judged,
        workspace: &mut IslandWorkspace,
    ) -> Judged {
        let agree = workspace.island.violation.iter().all(|(_, left)| *left == 0.0);
        if solved.infeasible || !agree || self.entry().promise() == Promise::Sweeps {
            return judged;
        }
        let IslandWorkspace { island: Island { acceptance, lambda, .. }, space, newton, .. } = workspace;
        let unrefined = lambda.clone();
        space.enter(problem, acceptance);
        space.begin(problem, lambda);
        newton.improve(problem, space, 0.0, REFINED);
        space.write_best(lambda);
        match self.judge_present(problem, solved, workspace) {
            Ok(refined) if !refined.conflict => refined,
            _ => {
                problem.velocity_or_rest(&unrefined, &mut workspace.v);
                workspace.island.lambda = unrefined;
                judged
            }
        }
    }

    /// Gives equations that stood back their share of the load; returns the residual of all rows that is left, relative to the
    /// speed. Equations that nearly depend on each other could share it at the price of the solution, whose residual is `posed`:
    /// then they do not, and nothing is returned.
    pub(super) fn share_load(
        &self,
        problem: &MixedProblem,
        posed: f64,
        workspace: &mut IslandWorkspace,
    ) -> Option<f64> {
        let IslandWorkspace { island, v, residuals, spare: unshared, kept, .. } = workspace;
        let Island { acceptance, measures, lambda, .. } = island;
        unshared.clone_from(lambda);
        kept.redundancy.share(problem, lambda);
        residuals.clear();
        problem.velocity(lambda, v);
        residuals.extend((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        let shared = largest(residuals.iter().copied());
        if shared > posed && !acceptance.admits(problem, lambda, shared, accepted_share(&self.values)) {
            lambda.clone_from(unshared);
            return None;
        }
        Some(acceptance.relative_of_all(measures, residuals))
    }
}
