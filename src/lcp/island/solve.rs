//! From a mixed problem to its solution: islands, the choice of a solver for each, the judgement of the whole.

use super::entry::Promise;
use super::reading::IslandReading;
use super::solvers::Solver;
use super::split::Island;
use super::workspace::MixedWorkspace;
use super::yielding::{Met, Yielding};
use crate::lcp::delassus::equations::Equations;
use crate::lcp::info::{ACCEPTED, accepted_share};
use crate::lcp::mixed::acceptance::{Acceptance, RowMeasure, larger};
use crate::lcp::mixed::outcome::{MixedError, MixedOutcome, Solved};
use crate::lcp::mixed::problem::{Law, MixedProblem, MixedRow, residual};
use crate::lcp::mixed::trail::{Attempt, Ending};
use crate::math::largest;
use glam::DVec3;

/// The judgement of an island's λ.
struct Judged {
    /// maxᵢ |r̂ᵢ|/ŝ, 0 where the problem is proved to have no solution.
    relative: f64,
    /// At least maxᵢ |r̂ᵢ|/ŝ, whatever is proved.
    left: f64,
    /// Whether equations contradict each other.
    conflict: bool,
    /// ‖r‖∞ on the problem as posed, with v of it in the workspace; none where the problem was changed or λ has been since.
    posed: Option<f64>,
}

impl Solver {
    /// Solves a mixed problem.
    ///
    /// `lambda`, by row, is the warm start and becomes the solution; of another length than the rows', or where
    /// not finite, it counts as zero. `v` becomes the velocity that the solution gives. The result depends on
    /// the problem, the solver and the warm start alone.
    ///
    /// # Errors
    /// [`MixedError`]; `lambda` and `v` are then to be thrown away.
    pub fn solve_mixed(
        &self,
        problem: &MixedProblem,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
        workspace: &mut MixedWorkspace,
    ) -> Result<MixedOutcome, MixedError> {
        workspace.readings.clear();
        workspace.forget_failure();
        workspace.is_system = false;
        if !is_finite(problem) {
            return Err(MixedError::NotFinite);
        }
        if lambda.len() != problem.rows.len() {
            lambda.clear();
            lambda.resize(problem.rows.len(), 0.0);
        }
        lambda.iter_mut().filter(|lambda| !lambda.is_finite()).for_each(|lambda| *lambda = 0.0);
        workspace.islands.split(problem);
        let islands = workspace.islands.len();
        if workspace.equations.len() < islands {
            workspace.equations.resize_with(islands, Equations::default);
            workspace.redundancy.resize_with(islands, Equations::default);
        }
        let mut outcome = MixedOutcome { solver: self.info().key, islands, ..MixedOutcome::default() };
        outcome.infeasible = usize::from(!loose(problem, workspace.islands.loose(), lambda));
        let (mut largest_island, mut settled) = (0, true);
        v.clone_from(&problem.free);
        for index in 0..islands {
            workspace.islands.extract(problem, index, lambda, &mut workspace.island);
            let reduced = self.reduce(index, workspace)?;
            workspace.trail.clear();
            let solved = self.entry().solve(&self.values, index, workspace);
            let judged = solved.and_then(|solved| Ok((solved, self.judge(index, &solved, workspace)?)));
            let mut unproved = false;
            let judged = judged.or_else(|error| {
                if !(workspace.yields && self.is_automatic() && error.leaves_room_to_yield()) {
                    return Err(error);
                }
                let (yielding, lambda) = Yielding::of(index, workspace);
                let met = yielding.least(lambda).map_err(|proof| proof.unwrap_or(error))?;
                unproved = met.unproved;
                workspace.trail.add(met.attempt());
                Ok((met.solved, self.judge_met(&met, workspace)?))
            });
            if judged.is_err() {
                workspace.keep_failure();
            }
            let rows = &workspace.island.rows;
            let (solved, judged) = judged.map_err(|error| in_whole(error, rows, problem.rows.len()))?;
            outcome.relative_residual = larger(outcome.relative_residual, judged.relative);
            for (&row, x) in rows.iter().zip(&workspace.island.lambda) {
                lambda[row as usize] = *x;
            }
            if workspace.trail.attempts().is_empty() {
                let Solved { solver, iterations, infeasible, .. } = solved;
                let from = self.entry().start();
                let ending = if infeasible { Ending::LeastViolation } else { Ending::Solved };
                workspace.trail.add(Attempt { solver, from, iterations, residual: None, ending });
            }
            workspace.trail.judge(judged.left);
            if workspace.trail.is_longer_than(&outcome.trail) {
                outcome.trail = workspace.trail;
            }
            outcome.iterations += solved.iterations;
            outcome.infeasible += usize::from(solved.infeasible || judged.conflict);
            outcome.unproved += usize::from(unproved);
            outcome.dependent_rows += solved.dependent;
            workspace.readings.push(IslandReading {
                rows: rows.len(),
                solver: solved.solver,
                trail: workspace.trail,
                infeasible: solved.infeasible || judged.conflict,
                acceptance: workspace.island.acceptance,
            });
            if rows.len() > largest_island {
                largest_island = rows.len();
                outcome.solver = solved.solver;
            }
            match judged.posed {
                Some(posed) if !reduced => {
                    outcome.residual = larger(outcome.residual, posed);
                    for (&body, x) in workspace.islands.bodies_of(index).iter().zip(&workspace.v) {
                        if problem.weight[body as usize] != DVec3::ZERO {
                            v[body as usize] = *x;
                        }
                    }
                }
                _ => settled = false,
            }
        }
        if settled {
            let loose = workspace.islands.loose().iter();
            let loose = largest(loose.map(|&i| problem.row_residual(i as usize, v, lambda)));
            outcome.residual = larger(outcome.residual, loose);
        } else {
            problem.velocity(lambda, v);
            outcome.residual = largest((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        }
        if outcome.residual.is_finite() {
            Ok(outcome)
        } else {
            workspace.readings.clear();
            Err(MixedError::NotFinite)
        }
    }

    /// Where equations of the island depend on others, leaves these out; and where they contradict each other beyond what counts
    /// as solved, moves their b to what can be met, the least-squares solution of the equations alone.
    ///
    /// After some drift such equations no longer depend on each other exactly, and enormous impulses would meet them all; left
    /// out, they are met as far as the drift goes, and [`Solver::judge`] says whether that is a conflict.
    /// Returns whether it has looked for such equations, which may have changed the problem.
    fn reduce(&self, index: usize, workspace: &mut MixedWorkspace) -> Result<bool, MixedError> {
        let MixedWorkspace { island: Island { problem, acceptance, violation, .. }, redundancy, .. } =
            workspace;
        let equation = |row: &MixedRow| row.law == Law::Equation;
        let sweeps = self.entry().promise() == Promise::Sweeps;
        if sweeps || problem.is_linear() || !problem.rows.iter().any(equation) {
            return Ok(false);
        }
        let equations = &mut redundancy[index];
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
    fn judge_met(&self, met: &Met, workspace: &mut MixedWorkspace) -> Result<Judged, MixedError> {
        let told = Solved { infeasible: true, ..met.solved };
        // The index is that of equations that share a load, which is left as it is where rows are violated.
        let judged = self.judge(0, &told, workspace)?;
        let relative = if met.solved.infeasible { 0.0 } else { judged.left };
        Ok(Judged { relative, posed: None, ..judged })
    }

    /// Judges the island's λ by its residual on the problem as posed, whatever its solver says: it has to be small enough, unless the
    /// problem is proved to have no solution. Sweeps promise nothing, so that their residual is only measured.
    fn judge(
        &self,
        index: usize,
        solved: &Solved,
        workspace: &mut MixedWorkspace,
    ) -> Result<Judged, MixedError> {
        let MixedWorkspace { island, v, residuals, redundancy, .. } = workspace;
        let Island { problem, acceptance, measures, violation, lambda, .. } = island;
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
        let relative = acceptance.relative_of_all(measures, residuals);
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
        redundancy[index].share(problem, lambda);
        Ok(Judged { relative, left, conflict, posed: None })
    }
}

/// Sets λ of rows that act on no movable body, which only a compliance can satisfy; returns whether all of them are satisfied.
fn loose(problem: &MixedProblem, rows: &[u32], lambda: &mut [f64]) -> bool {
    if rows.is_empty() {
        return true;
    }
    let tolerance = Acceptance::of(problem).tolerance(ACCEPTED);
    let friction = |i: &&u32| problem.rows[**i as usize].law.normal().is_some();
    let mut hold = true;
    for &i in rows.iter().filter(|i| !friction(i)).chain(rows.iter().filter(friction)) {
        let (i, row) = (i as usize, &problem.rows[i as usize]);
        let [lower, upper] = problem.bounds(i, lambda);
        let unbounded =
            if row.compliance > 0.0 { -(row.rate(&problem.free) + row.bias) / row.compliance } else { 0.0 };
        lambda[i] = unbounded.max(lower).min(upper);
        hold &= problem.row_residual(i, &problem.free, lambda).abs() <= tolerance;
    }
    hold
}

fn is_finite(problem: &MixedProblem) -> bool {
    let number = |row: &MixedRow| {
        row.ja.is_finite()
            && row.jb.is_finite()
            && row.bias.is_finite()
            && row.compliance.is_finite()
            && match row.law {
                Law::Bounded { lower, upper } => lower <= upper,
                Law::Friction { coefficient, .. } | Law::Sliding { coefficient, .. } => {
                    coefficient.is_finite()
                }
                _ => true,
            }
    };
    problem.weight.iter().chain(&problem.free).all(|x| x.is_finite()) && problem.rows.iter().all(number)
}

/// A ray of an island as one of the whole problem.
fn in_whole(error: MixedError, rows: &[u32], count: usize) -> MixedError {
    match error {
        MixedError::Ray { solver, pivots, direction, infeasible } => {
            let mut whole = vec![0.0; count];
            for (&row, x) in rows.iter().zip(direction) {
                whole[row as usize] = x;
            }
            MixedError::Ray { solver, pivots, direction: whole, infeasible }
        }
        other => other,
    }
}
