//! Who can solve an island: one trait, and one table of all that do.
//!
//! A solver of this table is a few lines that call a method; the methods themselves know neither the workspace nor each
//! other's entries here.

use super::automatic::{AUTOMATIC, LESS_ONE};
use super::workspace::MixedWorkspace;
use crate::lcp::bodies::interior::InteriorEffort;
use crate::lcp::bodies::{homotopy, interior, newton, pgs};
use crate::lcp::delassus::{self, equations};
use crate::lcp::dense;
use crate::lcp::info::{ACCEPTED, SolverInfo, TOLERANCE};
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::trail::Start;
use crate::parameter::Values;
use std::fmt;

/// What solves one island of a step's problem.
pub(super) trait IslandSolver: Sync {
    /// Name, source, parameters.
    fn info(&self) -> &'static SolverInfo;

    /// Solves the island of `workspace`, number `index` of the problem: its λ, the warm start, becomes the solution.
    ///
    /// # Errors
    /// Why there is none. λ is then to be thrown away.
    fn solve(
        &self,
        values: &Values,
        index: usize,
        workspace: &mut MixedWorkspace,
    ) -> Result<Solved, MixedError>;

    /// Which λ it starts from.
    fn start(&self) -> Start {
        Start::WarmStart
    }

    /// What it promises of the λ that it returns.
    fn promise(&self) -> Promise {
        Promise::Solution
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

/// Who chooses the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The solver is one method.
    Fixed,
    /// The solver chooses by the problem.
    ByProblem,
}

/// The solvers that a step can use, in the order of every list.
static TABLE: &[&dyn IslandSolver] =
    &[&AUTOMATIC, &Ldlt, &Lemke, &Dantzig, &Pgs, &Newton, &Homotopy, &Interior];

/// The solvers that a step can use, each with its default parameters.
pub fn solvers() -> impl Iterator<Item = Solver> {
    TABLE.iter().copied().map(Solver::of)
}

/// A solver with its parameters.
#[derive(Clone)]
pub struct Solver {
    entry: &'static dyn IslandSolver,
    /// Its tunable numbers.
    pub values: Values,
}

impl Solver {
    /// The solver of that name with default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        solvers().find(|solver| solver.info().key == key)
    }

    /// The solver `auto` without attempt number `index` of [`policy`](crate::lcp::policy), counted from zero; none where the policy has
    /// no such attempt. For measuring what an attempt is worth.
    pub fn automatic_without(index: usize) -> Option<Self> {
        LESS_ONE.get(index).map(|policy| Self::of(policy))
    }

    /// Whether it chooses the method itself, by the problem.
    pub fn is_automatic(&self) -> bool {
        self.entry.choice() == Choice::ByProblem
    }

    /// Whether a system of equations is left to the factorisation: that is how every method here that promises a solution solves
    /// one. A method that sweeps goes over equations as over all other rows.
    pub(crate) fn factorises_equations(&self) -> bool {
        self.entry.promise() == Promise::Solution
    }

    /// Key of the solver that this choice gives a system of equations to.
    pub(crate) fn solves_equations(&self) -> &'static str {
        if self.factorises_equations() { equations::INFO.key } else { self.info().key }
    }

    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.entry.info()
    }

    pub(super) fn entry(&self) -> &'static dyn IslandSolver {
        self.entry
    }

    fn of(entry: &'static dyn IslandSolver) -> Self {
        Self { entry, values: Values::defaults(entry.info().parameters) }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::of(&AUTOMATIC)
    }
}

impl PartialEq for Solver {
    fn eq(&self, other: &Self) -> bool {
        self.info().key == other.info().key && self.values == other.values
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("key", &self.info().key).field("values", &self.values).finish()
    }
}

/// The share of a problem's speed up to which a residual counts as solved.
pub(super) fn share(values: &Values) -> f64 {
    values.get(TOLERANCE.key).unwrap_or(ACCEPTED)
}

/// Up to which ‖r‖∞ the island counts as solved.
fn tolerance(values: &Values, workspace: &MixedWorkspace) -> f64 {
    workspace.island.acceptance.tolerance(share(values))
}

/// The direct solver of equations.
struct Ldlt;

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
            let reason = "a row is no equation";
            return Err(MixedError::NotApplicable { solver: equations::INFO.key, reason });
        }
        let MixedWorkspace { island, equations, rhs, .. } = workspace;
        equations[index].solve_alone(&island.problem, &island.acceptance, &mut island.lambda, rhs)
    }

    fn start(&self) -> Start {
        Start::Own
    }
}

/// Lemke's method.
struct Lemke;

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
struct Dantzig;

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
        let MixedWorkspace { island, equations, .. } = workspace;
        let equations = &mut equations[index];
        delassus::dantzig::dantzig(
            &island.problem,
            &island.acceptance,
            values,
            equations,
            &mut island.lambda,
        )
    }
}

/// Projected Gauss–Seidel.
struct Pgs;

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
struct Newton;

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
struct Homotopy;

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
struct Interior;

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
        let Some(least) = interior.least(problem, space, newton, interior::Proof::Sought) else {
            return Err(failed);
        };
        let spent = spent + interior.factorisations();
        let solved = newton.solve_moved(problem, space, tolerance, lambda, &least)?;
        Ok(Solved { solver: interior::INFO.key, iterations: solved.iterations + spent, ..solved })
    }
}
