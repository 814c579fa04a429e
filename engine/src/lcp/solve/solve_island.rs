//! One island from its extraction to its judged λ.
//!
//! Whatever a solver says, its λ is judged here, by the residual on the problem as posed; v* + W Jᵀλ of that judgement, with
//! bodies at rest where rounding alone moves them, is the velocity that the solve returns.
//!
//! **Redundant equations.** Where equations stand beside other rows, some may depend on the others. These are left out while the
//! island is solved, and take their share of the load afterwards. Contacts alone, and equations alone, do not need this.
//!
//! ```text
//! J = Σ cₖ Jₖ ,   w = Σ cₖ wₖ :   λ of such a row is free, and the pseudo-inverse shares the load
//! ```

use super::solvers::Solver;
use crate::lcp::auto::regularized;
use crate::lcp::info::{ACCEPTED, accepted_share};
use crate::lcp::islands::island_memory::{Island, IslandSlot, IslandWorkspace, MixedWorkspace};
use crate::lcp::newton::NewtonEffort;
use crate::lcp::problem::acceptance::larger;
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use crate::lcp::problem::solution::{IslandOutcome, Judgement, MixedError, Solved};
use crate::lcp::problem::trail::{Attempt, Ending, Start};
use crate::math::largest;

/// Newton's steps that take equations to rounding, where a larger residual would look like a conflict: a step leaves 1/κ of an
/// equation's residual, so that two reach rounding; several that gain nothing show that it is a conflict.
const REFINED: NewtonEffort = NewtonEffort { kappa: 1e8, factorisations: 20, stall: 5 };

/// Solves island `index` of `problem`, split in `whole`, in `workspace`; its outcome is written into `slot`. `lambda` is the warm
/// start of all rows.
pub(crate) fn solve_island(
    solver: &Solver,
    problem: &MixedProblem,
    lambda: &[f64],
    whole: &MixedWorkspace,
    index: usize,
    slot: &mut IslandSlot,
    workspace: &mut IslandWorkspace,
) {
    let islands = &whole.islands;
    // Neither the island nor its warm start has changed.
    if whole.recalls && slot.holds(islands, index, problem, lambda) {
        return;
    }
    workspace.swap_with(slot); // the factors, λ and v that this island left
    islands.extract(problem, index, &mut slot.problem); // as a problem of its own
    workspace.island.begin(&slot.problem, islands, index, lambda); // its share of the warm start, its speed ŝ
    slot.warm.clone_from(&workspace.island.lambda); // what a later step has to equal to the bit, as the problem
    workspace.island.effort = whole.effort;
    slot.outcome = solve_with_redundant_rows_aside(solver, &slot.problem, whole.yields, workspace);
    workspace.swap_with(slot);
}

/// Solves an island; where equations stand beside other rows, after [`reduce`]. Returns `None` where that fails.
fn solve_with_redundant_rows_aside(
    solver: &Solver,
    problem: &MixedProblem,
    yields: bool,
    memory: &mut IslandWorkspace,
) -> Option<Result<IslandOutcome, MixedError>> {
    // In other islands no equation can depend on others, or equations share the load anyway.
    let equation = |row: &MixedRow| row.law == Law::Equation;
    let mixes_equations = solver.factorises_equations()
        && problem.rows.iter().any(equation)
        && !problem.rows.iter().all(equation);
    if !mixes_equations {
        return Some(IslandSolve { solver, problem, reduced: false, yields, memory }.solve_and_judge());
    }
    let mut own = std::mem::take(&mut memory.island.problem);
    own.copy_from(problem);
    let reduced = reduce(&mut own, memory);
    let solve = |()| IslandSolve { solver, problem: &own, reduced: true, yields, memory }.solve_and_judge();
    let outcome = reduced.map(solve).ok();
    memory.island.problem = own;
    outcome
}

/// Where equations of the island depend on others, leaves these out; and where they contradict each other beyond what counts
/// as solved, moves their b to the nearest consistent values, by the least-squares solution of the equations alone.
///
/// After some drift such equations no longer depend on each other exactly, and enormous impulses would satisfy them all; left
/// out, they are satisfied up to the drift, and [`judge`] says whether that is a conflict.
fn reduce(problem: &mut MixedProblem, workspace: &mut IslandWorkspace) -> Result<(), MixedError> {
    let Island { acceptance, violation, redundancy, .. } = &mut workspace.island;
    redundancy.factor(problem)?;
    redundancy.conflict(problem, violation);
    let of_rows = violation.iter().map(|&(i, x)| (&problem.rows[i as usize], x));
    if acceptance.relative(&problem.inverse_mass, of_rows) <= ACCEPTED {
        violation.iter_mut().for_each(|(_, x)| *x = 0.0);
    }
    for &(i, violation) in violation.iter() {
        problem.rows[i as usize].bias += violation;
    }
    for row in redundancy.surplus() {
        problem.rows[row].law = Law::Bounded { lower: 0.0, upper: 0.0 };
    }
    Ok(())
}

/// The solve of an island.
struct IslandSolve<'a> {
    solver: &'a Solver,
    problem: &'a MixedProblem,
    /// Whether the problem was changed by [`reduce`].
    reduced: bool,
    /// Whether `auto` may leave rows violated without a proof.
    yields: bool,
    memory: &'a mut IslandWorkspace,
}

impl IslandSolve<'_> {
    /// Solves the island, judges λ, and where there is no solution regularises the rows.
    fn solve_and_judge(mut self) -> Result<IslandOutcome, MixedError> {
        let (solver, problem) = (self.solver, self.problem);
        let solved = solver.solve(problem, self.memory); // the method by that name: of `auto`, `auto/automatic.rs`
        let judged = solved.and_then(|solved| Ok((solved, self.judge(&solved)?)));
        let mut unproved = false;
        let judged = judged.or_else(|error| {
            let mut attempts = self.memory.island.trail.attempts().iter();
            let proved = attempts.any(|attempt| attempt.ending == Ending::Infeasible);
            if !(solver.is_automatic() && (self.yields || proved) && error.leaves_room_to_yield()) {
                return Err(error);
            }
            let mut last = regularized::least(problem, self.memory, proved, error)?;
            let iterations = self.memory.island.trail.iterations() + last.iterations;
            let infeasible = last.ending != Ending::Solved;
            let mut solved = Solved { solver: last.solver, iterations, infeasible, dependent: 0 };
            let judged = self.judge(&solved).or_else(|_| {
                // Rounding: any residual is accepted of what is said to be violated.
                (last.ending, solved.infeasible) = (Ending::Yielded, true);
                self.judge(&solved)
            })?;
            unproved = last.ending == Ending::Yielded;
            self.memory.island.trail.add(last);
            Ok((solved, judged))
        });
        let Island { lambda, v, trail, .. } = &mut self.memory.island;
        let (solved, mut judged) = judged.inspect_err(|error| {
            if *error == MixedError::NotFinite {
                trail.left(Ending::Inaccurate);
            }
        })?;
        if trail.attempts().is_empty() {
            let Solved { solver: key, iterations, infeasible, .. } = solved;
            let ending = if infeasible { Ending::LeastViolation } else { Ending::Solved };
            let from = if solver.takes_equations_alone() { Start::Own } else { Start::WarmStart };
            trail.add(Attempt { solver: key, from, iterations, residual: None, ending });
        }
        trail.judge(judged.left);
        if judged.relative > ACCEPTED && !solved.infeasible && !judged.conflict && !trail.is_approximate() {
            let sweeps = !solver.factorises_equations();
            trail.left(match sweeps {
                true if judged.relative <= accepted_share(&solver.values) => Ending::WithinTolerance,
                true => Ending::OutOfIterations,
                false => Ending::Nearly,
            });
            unproved |= !sweeps;
        }
        if self.reduced {
            judged.posed = None;
        }
        if judged.posed.is_none() {
            // λ may have changed since it was judged.
            problem.velocity_or_rest(lambda, v);
        }
        Ok(IslandOutcome { solved, judged, unproved })
    }

    /// Judges the island's λ, refined where equations would be wrongly said to be in conflict.
    fn judge(&mut self, solved: &Solved) -> Result<Judgement, MixedError> {
        let judged = self.judge_present(solved)?;
        Ok(if judged.conflict { self.without_false_conflict(solved, judged) } else { judged })
    }

    /// Judges the island's λ by its residual on the problem as posed, whatever its solver says: it has to be small enough, unless
    /// the problem is proved to have no solution. Sweeps and approximate solutions promise nothing, so that their
    /// residual is only measured.
    fn judge_present(&mut self, solved: &Solved) -> Result<Judgement, MixedError> {
        let (solver, problem) = (self.solver, self.problem);
        let IslandWorkspace { island, residuals, .. } = &mut *self.memory;
        let Island { acceptance, violation, lambda, v, trail, .. } = island;
        problem.velocity_or_rest(lambda, v);
        residuals.clear();
        residuals.extend((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        let posed = largest(residuals.iter().copied());
        // The violation of equations in conflict, with b as given.
        let violated = violation
            .iter()
            .map(|&(i, x)| (&problem.rows[i as usize], problem.w(i as usize, v, lambda) - x));
        let as_given = acceptance.relative(&problem.inverse_mass, violated);
        let conflict = as_given > ACCEPTED;
        if !posed.is_finite() {
            return Err(MixedError::NotFinite);
        }
        // Equations that were left out, or whose b was moved, are judged as they were given.
        let relative = larger(
            acceptance.relative(&problem.inverse_mass, problem.rows.iter().zip(residuals.iter().copied())),
            as_given,
        );
        let judged = Judgement { relative, left: acceptance.at_most(posed), conflict, posed: Some(posed) };
        if !solver.factorises_equations() || trail.is_approximate() {
            return Ok(judged);
        }
        if solved.infeasible {
            return Ok(Judgement { relative: 0.0, ..judged });
        }
        if !acceptance.admits(problem, lambda, posed, accepted_share(&solver.values)) {
            let expected = acceptance.tolerance(accepted_share(&solver.values));
            let Solved { solver, iterations, .. } = *solved;
            return Err(MixedError::NotConverged { solver, residual: posed, expected, iterations });
        }
        if violation.is_empty() || conflict {
            return Ok(judged);
        }
        let relative = self.share_load(posed).map_or(relative, |shared| larger(shared, as_given));
        Ok(Judgement { relative, posed: None, ..judged })
    }

    /// Returns `judged`, a conflict, unless the equations agree with each other: then λ is refined and judged again.
    ///
    /// An equation that depends on others is left with w = Σ cₖ wₖ, the residuals that the solver leaves of them
    /// times |c|. That is no conflict, and it vanishes when the others are satisfied to rounding. The drift of the
    /// dependence, (J − Σ cₖ Jₖ) v, stays.
    fn without_false_conflict(&mut self, solved: &Solved, judged: Judgement) -> Judgement {
        let Island { lambda, violation, trail, .. } = &self.memory.island;
        let agree = violation.iter().all(|(_, left)| *left == 0.0);
        if solved.infeasible || !agree || !self.solver.factorises_equations() || trail.is_approximate() {
            return judged;
        }
        let unrefined = lambda.clone();
        self.memory.improve(self.problem, 0.0, REFINED);
        match self.judge_present(solved) {
            Ok(refined) if !refined.conflict => refined,
            _ => {
                self.problem.velocity_or_rest(&unrefined, &mut self.memory.island.v);
                self.memory.island.lambda = unrefined;
                judged
            }
        }
    }

    /// Gives equations that were left out their share of the load; returns the residual of all rows, relative to the speed.
    /// Equations that only nearly depend on each other might spoil the solution, whose residual is `posed`: then λ stays, and
    /// `None` is returned.
    fn share_load(&mut self, posed: f64) -> Option<f64> {
        let (solver, problem) = (self.solver, self.problem);
        let IslandWorkspace { island, residuals, spare: unshared, .. } = &mut *self.memory;
        let Island { acceptance, lambda, v, redundancy, .. } = island;
        unshared.clone_from(lambda);
        redundancy.share(problem, lambda);
        residuals.clear();
        problem.velocity(lambda, v);
        residuals.extend((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        let shared = largest(residuals.iter().copied());
        if shared > posed && !acceptance.admits(problem, lambda, shared, accepted_share(&solver.values)) {
            lambda.clone_from(unshared);
            return None;
        }
        Some(acceptance.relative(&problem.inverse_mass, problem.rows.iter().zip(residuals.iter().copied())))
    }
}
