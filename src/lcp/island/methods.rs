//! The solvers that are one method each: a few lines that call it. The methods themselves know neither the workspace nor each
//! other's entries here.

use super::entry::{IslandSolver, Promise, Takes};
use super::workspace::MixedWorkspace;
use crate::lcp::bodies::interior::InteriorEffort;
use crate::lcp::bodies::{homotopy, interior, newton, pgs};
use crate::lcp::delassus::{self, equations};
use crate::lcp::dense;
use crate::lcp::info::{PivotLimit, SolverInfo, accepted_share};
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::trail::Start;
use crate::parameter::Values;

/// Up to which ‖r‖∞ the island counts as solved.
fn tolerance(values: &Values, workspace: &MixedWorkspace) -> f64 {
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
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        if !workspace.island.problem.is_linear() {
            let reason = "it solves equations alone, and contacts, limits and motors are none";
            return Err(MixedError::NotApplicable { solver: equations::INFO.key, reason });
        }
        let MixedWorkspace { island, equations, .. } = workspace;
        equations[index].solve_alone(&island.problem, &island.acceptance, &mut island.lambda)
    }

    fn start(&self) -> Start {
        Start::Own
    }

    fn takes(&self) -> Takes {
        Takes::Equations
    }
}

/// Lemke's method.
pub(super) struct Lemke;

impl IslandSolver for Lemke {
    fn info(&self) -> &'static SolverInfo {
        &dense::lemke::INFO
    }

    fn solve(
        &self,
        values: &Values,
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        let MixedWorkspace { island, equations, .. } = workspace;
        let equations = &mut equations[index];
        delassus::lemke::lemke(&island.problem, &island.acceptance, values, equations, &mut island.lambda)
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
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        let MixedWorkspace { island, equations, dantzig, .. } = workspace;
        delassus::dantzig::dantzig(
            &island.problem,
            &island.acceptance,
            PivotLimit::of(values),
            &mut equations[index],
            dantzig,
            &mut island.lambda,
        )
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
        _: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let MixedWorkspace { island, v, .. } = workspace;
        let iterations = pgs::sweep(&island.problem, values, tolerance, &mut island.lambda, v);
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
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let MixedWorkspace { island, space, newton, .. } = workspace;
        space.enter(&island.problem, &island.acceptance, index);
        space.begin(&island.problem, &island.lambda);
        newton.solve(&island.problem, space, tolerance, &mut island.lambda)
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
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let MixedWorkspace { island, space, newton, homotopy, .. } = workspace;
        space.enter(&island.problem, &island.acceptance, index);
        space.begin(&island.problem, &island.lambda);
        let solved = homotopy.solve(&island.problem, space, newton, tolerance);
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
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError> {
        let tolerance = tolerance(values, workspace);
        let MixedWorkspace { island, space, newton, interior, .. } = workspace;
        let (problem, lambda) = (&island.problem, &mut island.lambda);
        space.enter(problem, &island.acceptance, index);
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
