//! One island from its extraction to its judged λ.

use super::came::{Came, Failed, Judged};
use super::entry::Promise;
use super::solvers::Solver;
use super::split::{Island, Islands};
use super::workspace::{IslandWorkspace, Place};
use super::yielding::{Met, Yielding};
use crate::lcp::bodies::newton::NewtonEffort;
use crate::lcp::info::{ACCEPTED, accepted_share};
use crate::lcp::mixed::acceptance::RowMeasure;
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::{Law, MixedProblem, MixedRow, residual};
use crate::lcp::mixed::trail::{Attempt, Ending};
use crate::math::largest;

/// Newton's steps that take equations to rounding, where more than rounding would look like a conflict: a step leaves 1/κ of what an
/// equation lacks.
const REFINED: NewtonEffort = NewtonEffort { kappa: 1e8, factorisations: 20, stall: 5 };

/// A problem as it was split, with the warm start of its rows.
pub(super) struct Posed<'a> {
    pub problem: &'a MixedProblem,
    pub islands: &'a Islands,
    pub lambda: &'a [f64],
    /// Whether `auto` may leave rows violated without a proof.
    pub yields: bool,
}

impl Solver {
    /// Solves island `index` in `workspace`; what came of it is written into its place.
    pub(super) fn solve_island(
        &self,
        posed: &Posed<'_>,
        index: usize,
        place: &mut Place,
        workspace: &mut IslandWorkspace,
    ) {
        workspace.exchange(place);
        let Posed { problem, islands, lambda, yields } = *posed;
        let came = if islands.is_whole() && !self.may_reduce(problem) {
            workspace.island.begin(problem, islands.rows_of(index), lambda);
            self.solve_posed(problem, false, yields, workspace)
        } else {
            islands.extract(problem, index, lambda, &mut workspace.island);
            let mut own = std::mem::take(&mut workspace.island.problem);
            let reduced = self.reduce(&mut own, workspace);
            let came = reduced
                .map_err(|error| Failed { error, tried: false })
                .and_then(|reduced| self.solve_posed(&own, reduced, yields, workspace));
            workspace.island.problem = own;
            came
        };
        workspace.exchange(place);
        (place.trail, place.acceptance) = (workspace.trail, workspace.island.acceptance);
        place.came = Some(came);
    }

    fn solve_posed(
        &self,
        problem: &MixedProblem,
        reduced: bool,
        yields: bool,
        workspace: &mut IslandWorkspace,
    ) -> Result<Came, Failed> {
        workspace.trail.clear();
        let solved = self.entry().solve(&self.values, problem, workspace);
        let judged = solved.and_then(|solved| Ok((solved, self.judge(problem, &solved, workspace)?)));
        let mut unproved = false;
        let judged = judged.or_else(|error| {
            if !(yields && self.is_automatic() && error.leaves_room_to_yield()) {
                return Err(error);
            }
            let (yielding, lambda) = Yielding::of(problem, workspace);
            let met = yielding.least(lambda).map_err(|proof| proof.unwrap_or(error))?;
            unproved = met.unproved;
            workspace.trail.add(met.attempt());
            Ok((met.solved, self.judge_met(problem, &met, workspace)?))
        });
        let (solved, mut judged) = judged.map_err(|error| Failed { error, tried: true })?;
        if workspace.trail.attempts().is_empty() {
            let Solved { solver, iterations, infeasible, .. } = solved;
            let from = self.entry().start();
            let ending = if infeasible { Ending::LeastViolation } else { Ending::Solved };
            workspace.trail.add(Attempt { solver, from, iterations, residual: None, ending });
        }
        workspace.trail.judge(judged.left);
        if reduced {
            judged.posed = None;
        }
        Ok(Came { solved, judged, unproved })
    }

    /// Whether there may be equations that depend on others, beside other rows.
    fn may_reduce(&self, problem: &MixedProblem) -> bool {
        let equation = |row: &MixedRow| row.law == Law::Equation;
        self.entry().promise() != Promise::Sweeps
            && problem.rows.iter().any(equation)
            && !problem.rows.iter().all(equation)
    }

    /// Where equations of the island depend on others, leaves these out; and where they contradict each other beyond what counts
    /// as solved, moves their b to what can be met, the least-squares solution of the equations alone.
    ///
    /// After some drift such equations no longer depend on each other exactly, and enormous impulses would meet them all; left
    /// out, they are met as far as the drift goes, and [`Solver::judge`] says whether that is a conflict.
    /// Returns whether it has looked for such equations, which may have changed the problem.
    fn reduce(
        &self,
        problem: &mut MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<bool, MixedError> {
        if !self.may_reduce(problem) {
            return Ok(false);
        }
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
        Ok(true)
    }

    /// What is left of an island that yields: no residual is too large, and of one that is nearly solved it is told.
    fn judge_met(
        &self,
        problem: &MixedProblem,
        met: &Met,
        workspace: &mut IslandWorkspace,
    ) -> Result<Judged, MixedError> {
        // Where rows are violated, equations that share a load are left as they are.
        let told = Solved { infeasible: true, ..met.solved };
        let judged = self.judge(problem, &told, workspace)?;
        let relative = if met.solved.infeasible { 0.0 } else { judged.left };
        Ok(Judged { relative, posed: None, ..judged })
    }

    /// Judges the island's λ ([`Solver::judge_present`]); before equations that agree with each other are said to be in conflict, λ is
    /// refined.
    ///
    /// An equation that depends on others, J = Σ cₖ Jₖ, is left with w = Σ cₖ wₖ: with what a solver may leave of them, times |c|. That
    /// is no conflict, and it goes when the others are met to rounding. What drift has left of the dependence, (J − Σ cₖ Jₖ) v, stays.
    fn judge(
        &self,
        problem: &MixedProblem,
        solved: &Solved,
        workspace: &mut IslandWorkspace,
    ) -> Result<Judged, MixedError> {
        let judged = self.judge_present(problem, solved, workspace)?;
        let agree = workspace.island.violation.iter().all(|(_, left)| *left == 0.0);
        if !judged.conflict || solved.infeasible || !agree || self.entry().promise() == Promise::Sweeps {
            return Ok(judged);
        }
        let IslandWorkspace { island: Island { acceptance, lambda, .. }, space, newton, .. } = workspace;
        let unrefined = lambda.clone();
        space.enter(problem, acceptance);
        space.begin(problem, lambda);
        newton.improve(problem, space, 0.0, REFINED);
        space.write_best(lambda);
        match self.judge_present(problem, solved, workspace) {
            Ok(refined) if !refined.conflict => Ok(refined),
            _ => {
                problem.velocity(&unrefined, &mut workspace.v);
                workspace.island.lambda = unrefined;
                Ok(judged)
            }
        }
    }

    /// Judges the island's λ by its residual on the problem as posed, whatever its solver says: it has to be small enough, unless the
    /// problem is proved to have no solution. Sweeps promise nothing, so that their residual is only measured.
    fn judge_present(
        &self,
        problem: &MixedProblem,
        solved: &Solved,
        workspace: &mut IslandWorkspace,
    ) -> Result<Judged, MixedError> {
        let IslandWorkspace { island, v, residuals, spare: unshared, kept, .. } = workspace;
        let Island { acceptance, measures, violation, lambda, .. } = island;
        problem.velocity(lambda, v);
        residuals.clear();
        residuals.extend(measures.iter().enumerate().map(|(i, RowMeasure { diagonal, .. })| {
            residual(*diagonal, lambda[i], problem.w(i, v, lambda), problem.bounds(i, lambda))
        }));
        let posed = largest(residuals.iter().copied());
        // Of equations in conflict, what they are violated by as they were given.
        let violated =
            || violation.iter().map(|&(i, x)| (i as usize, problem.w(i as usize, v, lambda) - x));
        let of_rows = violated().map(|(i, w)| (&problem.rows[i], w));
        let conflict = acceptance.relative(&problem.weight, of_rows) > ACCEPTED;
        if !posed.is_finite() {
            return Err(MixedError::NotFinite);
        }
        let mut relative = acceptance.relative_of_all(measures, residuals);
        let left = acceptance.at_most(posed);
        if self.entry().promise() == Promise::Sweeps {
            return Ok(Judged { relative, left, conflict, posed: Some(posed) });
        }
        if solved.infeasible {
            return Ok(Judged { relative: 0.0, left, conflict, posed: Some(posed) });
        }
        if !acceptance.admits(problem, lambda, posed, accepted_share(&self.values)) {
            let (Solved { solver, iterations, .. }, expected) =
                (*solved, acceptance.tolerance(accepted_share(&self.values)));
            return Err(MixedError::NotConverged { solver, residual: posed, expected, iterations });
        }
        if violation.is_empty() || conflict {
            return Ok(Judged { relative, left, conflict, posed: Some(posed) });
        }
        // Equations that nearly depend on each other may share a load at the price of the solution: then they do not.
        unshared.clone_from(lambda);
        kept.redundancy.share(problem, lambda);
        residuals.clear();
        problem.velocity(lambda, v);
        residuals.extend((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        let shared = largest(residuals.iter().copied());
        if shared > posed && !acceptance.admits(problem, lambda, shared, accepted_share(&self.values)) {
            lambda.clone_from(unshared);
        } else {
            relative = acceptance.relative_of_all(measures, residuals);
        }
        Ok(Judged { relative, left, conflict, posed: None })
    }
}
