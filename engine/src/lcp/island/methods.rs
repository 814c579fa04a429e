//! The solvers that are one method each: a few lines that call it. The methods themselves know neither the workspace nor each
//! other's entries here.

use super::entry::{IslandSolver, Promise, Takes};
use super::policy::TABLEAU;
use super::softened::lemke_by_multipliers;
use super::workspace::{Island, IslandWorkspace};
use crate::lcp::bodies::interior::InteriorEffort;
use crate::lcp::bodies::newton::NewtonEffort;
use crate::lcp::bodies::{homotopy, interior, newton, pgs};
use crate::lcp::delassus::{self, equations};
use crate::lcp::dense;
use crate::lcp::info::{PivotLimit, SolverInfo, accepted_share};
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::MixedProblem;
use crate::lcp::mixed::trail::Start;
use crate::parameter::Values;

/// Up to which ‖r‖∞ the island counts as solved.
fn tolerance(values: &Values, workspace: &IslandWorkspace) -> f64 {
    workspace.island.acceptance.tolerance(accepted_share(values))
}

/// The direct solver of equations.
pub(super) struct Ldlt;

impl IslandSolver for Ldlt {
    fn info(&self) -> &'static SolverInfo {
        &equations::INFO
    }

    fn solve(
        &self,
        _: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        if !problem.is_linear() {
            let reason = "it solves equations alone, and contacts, limits and motors are none";
            return Err(MixedError::NotApplicable { solver: equations::INFO.key, reason });
        }
        let IslandWorkspace { island, kept, .. } = workspace;
        kept.equations.solve_alone(problem, &island.acceptance, &mut island.lambda)
    }

    fn start(&self) -> Start {
        Start::Own
    }

    fn takes(&self) -> Takes {
        Takes::Equations
    }
}

/// Lemke's method; where it ends without a solution, the same on rows that yield, and less with each step.
pub(super) struct Lemke;

impl IslandSolver for Lemke {
    fn info(&self) -> &'static SolverInfo {
        &dense::lemke::INFO
    }

    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        let IslandWorkspace { island, kept, .. } = workspace;
        let equations = &mut kept.equations;
        let Island { acceptance, lambda, .. } = island;
        delassus::lemke::lemke(problem, acceptance, values, equations, lambda).or_else(|error| {
            // Equations that nearly hold what a contact pushes leave rounding in place of zeros; rows that yield have none.
            let proved = matches!(error, MixedError::Ray { infeasible: true, .. });
            let open = !proved && error.leaves_room_to_yield() && problem.rows.len() <= TABLEAU;
            let (found, pivots) =
                open.then(|| lemke_by_multipliers(problem, acceptance)).flatten().ok_or(error.clone())?;
            lambda.copy_from_slice(&found);
            let iterations = error.iterations() + pivots;
            Ok(Solved {
                solver: dense::lemke::INFO.key,
                iterations,
                infeasible: false,
                dependent: equations.dependent(),
            })
        })
    }
}

/// Dantzig's method.
pub(super) struct Dantzig;

impl IslandSolver for Dantzig {
    fn info(&self) -> &'static SolverInfo {
        &dense::dantzig::INFO
    }

    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        let IslandWorkspace { island, kept, dantzig, .. } = workspace;
        delassus::dantzig::dantzig(
            problem,
            &island.acceptance,
            PivotLimit::of(values),
            &mut kept.equations,
            dantzig,
            &mut island.lambda,
        )
    }

    fn takes(&self) -> Takes {
        Takes::AllButGivenDirections
    }
}

/// Projected Gauss–Seidel.
pub(super) struct Pgs;

impl IslandSolver for Pgs {
    fn info(&self) -> &'static SolverInfo {
        &dense::pgs::INFO
    }

    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let IslandWorkspace { island, v, .. } = workspace;
        let iterations = pgs::sweep(problem, values, tolerance, &mut island.lambda, v);
        Ok(Solved { solver: dense::pgs::INFO.key, iterations, infeasible: false, dependent: 0 })
    }

    fn promise(&self) -> Promise {
        Promise::Sweeps
    }
}

/// Semismooth Newton.
pub(super) struct Newton;

impl IslandSolver for Newton {
    fn info(&self) -> &'static SolverInfo {
        &newton::INFO
    }

    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let IslandWorkspace { island, space, newton, .. } = workspace;
        space.enter(problem, &island.acceptance);
        space.begin(problem, &island.lambda);
        newton.solve(problem, space, tolerance, NewtonEffort::FULL, &mut island.lambda)
    }
}

/// The homotopy.
pub(super) struct Homotopy;

impl IslandSolver for Homotopy {
    fn info(&self) -> &'static SolverInfo {
        &homotopy::INFO
    }

    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let IslandWorkspace { island, space, newton, homotopy, .. } = workspace;
        space.enter(problem, &island.acceptance);
        space.begin(problem, &island.lambda);
        let solved = homotopy.solve(problem, space, newton, tolerance);
        space.write_best(&mut island.lambda);
        solved
    }
}

/// The interior point; where it finds no solution, the proof that there is none, and the least violation.
pub(super) struct Interior;

impl IslandSolver for Interior {
    fn info(&self) -> &'static SolverInfo {
        &interior::INFO
    }

    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let IslandWorkspace { island, space, newton, interior, .. } = workspace;
        let lambda = &mut island.lambda;
        space.enter(problem, &island.acceptance);
        space.begin(problem, lambda);
        let failed = match interior.solve(problem, space, newton, tolerance, InteriorEffort::FULL) {
            Ok(solved) => {
                space.write_best(lambda);
                return Ok(solved);
            }
            Err(error) => error,
        };
        let spent = interior.factorisations();
        let Ok(least) = interior.least(problem, space, newton, interior::Proof::Sought) else {
            return Err(failed);
        };
        let spent = spent + interior.factorisations();
        let solved = newton.solve_moved(problem, space, tolerance, lambda, &least)?;
        Ok(Solved { solver: interior::INFO.key, iterations: solved.iterations + spent, ..solved })
    }
}
