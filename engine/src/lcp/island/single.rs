//! One island from its extraction to its judged λ.
//!
//! Whatever a solver says, its λ is judged here, by the residual on the problem as posed; v* + W Jᵀλ of that judgement, with
//! bodies at rest where rounding alone moves them, is the velocity that the solve returns. Equations beside other rows may depend on each other (`redundant.rs`); contacts alone, and a system of
//! equations, have nothing to do with that.

use super::entry::Promise;
use super::island_cache::By;
use super::solvers::Solver;
use super::split::Islands;
use super::workspace::{Came, Failed, Island, IslandWorkspace, Judged, Place};
use super::yielding::{Met, Yielding};
use crate::lcp::info::{ACCEPTED, accepted_share};
use crate::lcp::mixed::acceptance::RowMeasure;
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::{Law, MixedProblem, MixedRow, residual};
use crate::lcp::mixed::shares::larger;
use crate::lcp::mixed::trail::{Attempt, Ending};
use crate::math::largest;

/// A problem as it was split, with the warm start of its rows.
pub(super) struct Posed<'a> {
    pub problem: &'a MixedProblem,
    pub islands: &'a Islands,
    pub lambda: &'a [f64],
    /// Whether `auto` may leave rows violated without a proof.
    pub yields: bool,
    /// Whether the cache is asked.
    pub recalls: bool,
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
        let Posed { problem, islands, lambda, yields, recalls } = *posed;
        let by = By { info: self.info(), values: &self.values, yields };
        let own = (islands, index);
        // A hit: neither the island nor its warm start has changed.
        let known = if recalls { place.cache.recall(by, own, problem, lambda) } else { None };
        if let Some(came) = known {
            place.came = Some(Ok(came));
            return;
        }
        workspace.swap_with(place);
        place.cache.take(by, own, problem, lambda);
        workspace.island.begin(&place.cache.problem, islands.rows_of(index), lambda);
        let came = self.solve_reduced(&place.cache.problem, yields, workspace);
        place.cache.came = came.as_ref().ok().copied();
        workspace.swap_with(place);
        (place.trail, place.acceptance) = (workspace.trail, workspace.island.acceptance);
        place.came = Some(came);
    }

    /// Solves an island; where equations stand beside other rows, what `redundant.rs` makes of it.
    fn solve_reduced(
        &self,
        problem: &MixedProblem,
        yields: bool,
        workspace: &mut IslandWorkspace,
    ) -> Result<Came, Failed> {
        if !self.mixes_equations(problem) {
            return self.solve_posed(problem, false, yields, workspace);
        }
        let mut own = std::mem::take(&mut workspace.island.problem);
        own.copy_from(problem);
        let reduced = self.reduce(&mut own, workspace);
        let came = reduced
            .map_err(|error| Failed { error, tried: false })
            .and_then(|()| self.solve_posed(&own, true, yields, workspace));
        workspace.island.problem = own;
        came
    }

    /// Whether equations stand beside other rows, so that one may depend on others.
    fn mixes_equations(&self, problem: &MixedProblem) -> bool {
        let equation = |row: &MixedRow| row.law == Law::Equation;
        self.entry().promise() != Promise::Sweeps
            && problem.rows.iter().any(equation)
            && !problem.rows.iter().all(equation)
    }

    /// Solves the island, judges λ, and where there is no solution lets rows yield. `reduced` says whether the problem was changed.
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
            let mut met = yielding.least(lambda).map_err(|proof| proof.unwrap_or(error))?;
            let judged = self.judge_met(problem, &mut met, workspace)?;
            unproved = met.unproved;
            workspace.trail.add(met.attempt());
            Ok((met.solved, judged))
        });
        let (solved, mut judged) = judged.map_err(|error| {
            if error == MixedError::NotFinite {
                workspace.trail.overflowed();
            }
            Failed { error, tried: true }
        })?;
        if workspace.trail.attempts().is_empty() {
            let Solved { solver, iterations, infeasible, .. } = solved;
            let from = self.entry().start();
            let ending = if infeasible { Ending::LeastViolation } else { Ending::Solved };
            workspace.trail.add(Attempt { solver, from, iterations, residual: None, ending });
        }
        workspace.trail.judge(judged.left);
        if judged.relative > ACCEPTED && !solved.infeasible && !judged.conflict {
            let sweeps = self.entry().promise() == Promise::Sweeps;
            workspace.trail.left(match sweeps {
                true if judged.relative <= accepted_share(&self.values) => Ending::WithinTolerance,
                true => Ending::OutOfIterations,
                false => Ending::Nearly,
            });
            unproved |= !sweeps;
        }
        if reduced {
            judged.posed = None;
        }
        if judged.posed.is_none() {
            // λ may have become another since it was judged.
            problem.velocity_or_rest(&workspace.island.lambda, &mut workspace.v);
        }
        Ok(Came { solved, judged, unproved })
    }

    /// What is left of an island that yields: no residual is too large, and of one that is nearly solved it is told. What was called a
    /// solution and leaves more than counts as solved, rounding in the pivots of many combinations, is nearly one.
    fn judge_met(
        &self,
        problem: &MixedProblem,
        met: &mut Met,
        workspace: &mut IslandWorkspace,
    ) -> Result<Judged, MixedError> {
        // Where rows are violated, equations that share a load are left as they are.
        let told = Solved { infeasible: true, ..met.solved };
        let judged = self.judge(problem, &told, workspace)?;
        if met.solved.infeasible {
            return Ok(Judged { relative: 0.0, posed: None, ..judged });
        }
        let IslandWorkspace { island: Island { acceptance, measures, lambda, .. }, residuals, .. } =
            &*workspace;
        let posed = largest(residuals.iter().copied());
        met.unproved |= !acceptance.admits(problem, lambda, posed, accepted_share(&self.values));
        let relative = acceptance.relative_of_all(measures, residuals);
        Ok(Judged { relative, posed: None, ..judged })
    }

    /// Judges the island's λ, refined where equations would be wrongly said to be in conflict.
    fn judge(
        &self,
        problem: &MixedProblem,
        solved: &Solved,
        workspace: &mut IslandWorkspace,
    ) -> Result<Judged, MixedError> {
        let judged = self.judge_present(problem, solved, workspace)?;
        if judged.conflict {
            Ok(self.without_false_conflict(problem, solved, judged, workspace))
        } else {
            Ok(judged)
        }
    }

    /// Judges the island's λ by its residual on the problem as posed, whatever its solver says: it has to be small enough, unless the
    /// problem is proved to have no solution. Sweeps promise nothing, so that their residual is only measured.
    pub(super) fn judge_present(
        &self,
        problem: &MixedProblem,
        solved: &Solved,
        workspace: &mut IslandWorkspace,
    ) -> Result<Judged, MixedError> {
        let IslandWorkspace { island, v, residuals, .. } = workspace;
        let Island { acceptance, measures, violation, lambda, .. } = island;
        problem.velocity_or_rest(lambda, v);
        residuals.clear();
        residuals.extend(measures.iter().enumerate().map(|(i, RowMeasure { diagonal, .. })| {
            residual(*diagonal, lambda[i], problem.w(i, v, lambda), problem.bounds(i, lambda))
        }));
        let posed = largest(residuals.iter().copied());
        // Of equations in conflict, what they are violated by as they were given.
        let violated =
            || violation.iter().map(|&(i, x)| (i as usize, problem.w(i as usize, v, lambda) - x));
        let of_rows = violated().map(|(i, w)| (&problem.rows[i], w));
        let as_given = acceptance.relative(&problem.weight, of_rows);
        let conflict = as_given > ACCEPTED;
        if !posed.is_finite() {
            return Err(MixedError::NotFinite);
        }
        // Equations that stood back, or were moved, are judged as they were given.
        let relative = larger(acceptance.relative_of_all(measures, residuals), as_given);
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
        let relative =
            self.share_load(problem, posed, workspace).map_or(relative, |shared| larger(shared, as_given));
        Ok(Judged { relative, left, conflict, posed: None })
    }
}
