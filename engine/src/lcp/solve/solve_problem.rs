//! From a mixed problem to its solution: islands, the choice of a solver for each, the judgement of the whole.
//!
//! From the rows of a step to the steps of a method:
//!
//! | who | does |
//! |---|---|
//! | `stages/impulses.rs`, `posed_problem.rs` | poses the rows of a step as one [`MixedProblem`] |
//! | `solve_mixed` | brings the rows to m/s, and refuses numbers that are not finite |
//! | `solve_speeds` | splits the problem into islands, and gathers their outcomes |
//! | `solve_island` | cuts one island out, or takes its solution from the cache |
//! | `solve_with_redundant_rows_aside` | sets equations aside that depend on others, if there are any beside other rows |
//! | `solve_and_judge` | calls the solver, and judges its λ on the problem as posed |
//! | `auto/automatic.rs` | walks the rules of `auto`; each calls one method, such as `newton/mod.rs` |

use super::solve_island::solve_island;
use super::solvers::Solver;
use crate::lcp::info::ACCEPTED;
use crate::lcp::islands::island_memory::{IslandSlot, IslandWorkspace, MixedWorkspace};
use crate::lcp::islands::reading::IslandReading;
#[cfg(feature = "parallel")]
use crate::lcp::islands::threads::solve_side_by_side;
use crate::lcp::problem::acceptance::{Acceptance, larger};
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use crate::lcp::problem::solution::{IslandOutcome, MixedError, MixedOutcome};
use crate::math::largest;
use glam::DVec3;
use std::mem::take;

impl Solver {
    /// Solves a mixed problem.
    ///
    /// `lambda`, by row, is the warm start and becomes the solution; if its length is not the number of rows, or where
    /// it is not finite, it counts as zero. `v` becomes the velocity of the solution. The result depends on
    /// the problem, the solver and the warm start alone.
    ///
    /// # Errors
    /// [`MixedError`] of the first island that fails; `lambda` and `v` are then undefined. [`MixedError::NotApplicable`] where a
    /// friction row does not stand directly behind the normal row of its contact.
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
            let lost = |list: &[DVec3], body: usize| list.get(body).is_some_and(|x| !x.is_finite());
            let is_lost = |body: usize| lost(&problem.inverse_mass, body) || lost(&problem.free, body);
            let rows = problem.rows.iter().enumerate();
            let rows =
                rows.filter(|(_, row)| !is_row_finite(row) || row.arms().any(|(body, _)| is_lost(body)));
            workspace.keep_failed_rows(rows.map(|(i, _)| i));
            return Err(MixedError::NotFinite);
        }
        if !problem.is_in_order() {
            let reason = "a friction row does not stand behind the normal row of its contact";
            return Err(MixedError::NotApplicable { solver: self.info().key, reason });
        }
        if lambda.len() != problem.rows.len() {
            lambda.clear();
            lambda.resize(problem.rows.len(), 0.0);
        }
        lambda.iter_mut().filter(|lambda| !lambda.is_finite()).for_each(|lambda| *lambda = 0.0);
        let mut speeds = take(&mut workspace.speeds);
        // Rows that are all in m/s, as those of contacts and hinges, need no conversion.
        let solved = if speeds.converts(problem) {
            speeds.scale(lambda);
            let mut solved = self.solve_speeds(&speeds.problem, lambda, v, workspace);
            speeds.unscale(lambda);
            if let Err(MixedError::Ray { direction, .. }) = &mut solved {
                speeds.unscale(direction);
            }
            solved
        } else {
            self.solve_speeds(problem, lambda, v, workspace)
        };
        workspace.speeds = speeds;
        solved
    }

    /// Solves a finite problem whose rows are all in m/s, from a finite λ.
    fn solve_speeds(
        &self,
        problem: &MixedProblem,
        lambda: &mut [f64],
        v: &mut Vec<DVec3>,
        workspace: &mut MixedWorkspace,
    ) -> Result<MixedOutcome, MixedError> {
        // Groups of movable bodies that rows join; kept while rows join the same bodies.
        workspace.islands.split(problem);
        let islands = workspace.islands.count();
        if workspace.slots.len() < islands {
            workspace.slots.resize_with(islands, IslandSlot::default);
        }
        let mut outcome = MixedOutcome { solver: self.info().key, islands, ..MixedOutcome::default() };
        outcome.infeasible = usize::from(!loose(problem, &workspace.islands.loose, lambda));
        v.clone_from(&problem.free);
        workspace.begin_solve_by((self.info().key, self.left_out()), &self.values);
        let (mut slots, mut idle) = (take(&mut workspace.slots), take(&mut workspace.idle));
        let whole = &*workspace;
        let solve = |index: usize, slot: &mut IslandSlot, memory: &mut Box<IslandWorkspace>| {
            solve_island(self, problem, lambda, whole, index, slot, memory);
        };
        // Islands are left to this thread where one suffices: below 800 rows beside the largest island.
        #[cfg(feature = "parallel")]
        let solved = solve_side_by_side(whole, &mut slots, &mut idle, solve);
        #[cfg(not(feature = "parallel"))]
        let solved = false;
        if !solved {
            let mut memory = idle.pop().unwrap_or_default();
            let of_islands = slots[..islands].iter_mut().enumerate();
            of_islands.for_each(|(index, slot)| solve(index, slot, &mut memory));
            idle.push(memory);
        }
        (workspace.slots, workspace.idle) = (slots, idle);
        // The residual of the problem as posed, as long as that of each island is known.
        let mut posed = Some(0.0);
        for index in 0..islands {
            let of_island = gather(problem, index, lambda, v, workspace, &mut outcome)?;
            posed = posed.zip(of_island).map(|(x, y)| larger(x, y));
        }
        if let Some(largest) = workspace.readings.iter().rev().max_by_key(|island| island.rows) {
            outcome.solver = largest.solver;
        }
        let residual = |i: usize| problem.row_residual(i, v, lambda);
        outcome.residual = match posed {
            Some(posed) => {
                larger(posed, largest(workspace.islands.loose.iter().map(|&i| residual(i as usize))))
            }
            None => largest((0..lambda.len()).map(residual)),
        };
        if outcome.residual.is_finite() {
            Ok(outcome)
        } else {
            workspace.readings.clear();
            workspace.keep_failed_rows((0..lambda.len()).filter(|&i| !residual(i).is_finite()));
            Err(MixedError::NotFinite)
        }
    }
}

/// Adds the outcome of island `index`, the next in order. Returns its residual on the problem as posed, if that is known.
fn gather(
    problem: &MixedProblem,
    index: usize,
    lambda: &mut [f64],
    v: &mut [DVec3],
    workspace: &mut MixedWorkspace,
    outcome: &mut MixedOutcome,
) -> Result<Option<f64>, MixedError> {
    let IslandOutcome { solved, judged, unproved } = match workspace.slots[index].outcome.clone() {
        Some(Ok(outcome)) => outcome,
        Some(Err(mut error)) => {
            let rows = workspace.islands.rows_of(index).to_vec();
            workspace.failed = (rows, workspace.slots[index].island.trail);
            if let MixedError::Ray { direction, .. } = &mut error {
                // By row of the whole problem.
                let mut whole = vec![0.0; problem.rows.len()];
                for (&row, x) in workspace.islands.rows_of(index).iter().zip(&*direction) {
                    whole[row as usize] = workspace.islands.scale_of(index) * *x;
                }
                *direction = whole;
            }
            return Err(error);
        }
        None => return Err(MixedError::NotFinite),
    };
    let MixedWorkspace { islands, slots, readings, .. } = workspace;
    let (island, rows) = (&slots[index].island, islands.rows_of(index));
    outcome.relative_residual = larger(outcome.relative_residual, judged.relative);
    for (&row, x) in rows.iter().zip(&island.lambda) {
        lambda[row as usize] = islands.scale_of(index) * *x;
    }
    if island.trail.is_longer_than(&outcome.trail) {
        outcome.trail = island.trail;
    }
    let infeasible = solved.infeasible || judged.conflict;
    outcome.iterations += solved.iterations;
    outcome.infeasible += usize::from(infeasible);
    outcome.unproved += usize::from(unproved);
    if island.trail.is_approximate() {
        outcome.approximate += 1;
        outcome.approximate_residual = larger(outcome.approximate_residual, judged.relative);
    }
    outcome.dependent_rows += solved.dependent;
    readings.push(IslandReading {
        rows: rows.len(),
        solver: solved.solver,
        trail: island.trail,
        infeasible,
        acceptance: island.acceptance,
    });
    // v of the judgement is the velocity of the solve.
    for (&body, x) in islands.bodies_of(index).iter().zip(&island.v) {
        if problem.inverse_mass[body as usize] != DVec3::ZERO {
            v[body as usize] = *x;
        }
    }
    Ok(judged.posed)
}

/// Sets λ of rows that act on no movable body, which only a compliance can satisfy; returns whether all of them are satisfied.
fn loose(problem: &MixedProblem, rows: &[u32], lambda: &mut [f64]) -> bool {
    if rows.is_empty() {
        return true;
    }
    let tolerance = Acceptance::of(problem).tolerance(ACCEPTED);
    let mut hold = true;
    for &i in rows {
        let (i, row) = (i as usize, &problem.rows[i as usize]);
        let [lower, upper] = problem.bounds(i, lambda);
        let unbounded =
            if row.compliance > 0.0 { -(row.rate(&problem.free) + row.bias) / row.compliance } else { 0.0 };
        lambda[i] = unbounded.max(lower).min(upper);
        hold &= problem.row_residual(i, &problem.free, lambda).abs() <= tolerance;
    }
    hold
}

/// Whether all numbers are finite, and all bounds in order.
fn is_finite(problem: &MixedProblem) -> bool {
    let mut bodies = problem.inverse_mass.iter().chain(&problem.free);
    bodies.all(|x| x.is_finite()) && problem.rows.iter().all(is_row_finite)
}

/// Whether the numbers of a row are finite, and its bounds in order.
fn is_row_finite(row: &MixedRow) -> bool {
    let MixedRow { bias, compliance, law, .. } = row;
    let is_law_finite = match *law {
        Law::Bounded { lower, upper } => lower <= upper,
        Law::Friction { coefficient, .. } | Law::Sliding { coefficient, .. } => coefficient.is_finite(),
        Law::Equation | Law::Unilateral => true,
    };
    is_law_finite && row.arms().all(|(_, j)| j.is_finite()) && bias.is_finite() && compliance.is_finite()
}
