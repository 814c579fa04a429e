//! What an entry in the table of solvers does: solves one island, and says what it promises.

use super::workspace::IslandWorkspace;
use crate::lcp::info::SolverInfo;
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::MixedProblem;
use crate::lcp::mixed::trail::Start;
use crate::parameter::Values;

/// What solves one island of a step's problem.
pub(super) trait IslandSolver: Sync {
    /// Name, source, parameters.
    fn info(&self) -> &'static SolverInfo;

    /// Solves the problem of the island of `workspace`: its λ, the warm start, becomes the solution.
    ///
    /// # Errors
    /// Why there is none. λ is then to be thrown away.
    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError>;

    /// Which λ it starts from.
    fn start(&self) -> Start {
        Start::WarmStart
    }

    /// What it promises of the λ that it returns.
    fn promise(&self) -> Promise {
        Promise::Solution
    }

    /// Which rows it takes.
    fn takes(&self) -> Takes {
        Takes::All
    }

    /// Who chooses the method.
    fn choice(&self) -> Choice {
        Choice::Fixed
    }
}

/// What a solver promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// A residual that counts as solved, or the least violation of a problem that is proved to have no solution.
    Solution,
    /// Nothing: what its sweeps have come to, redundant equations and all, with the residual that is left.
    Sweeps,
}

/// Which rows a solver takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// Equations, inequalities, bounds and friction.
    All,
    /// The same, but for friction whose direction is given.
    AllButGivenDirections,
    /// Equations alone.
    Equations,
}

/// Who chooses the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The solver is one method.
    Fixed,
    /// The solver chooses by the problem.
    ByProblem,
}
