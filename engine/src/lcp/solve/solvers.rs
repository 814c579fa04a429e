//! The table of all solvers of a step's problem, a solver with its parameters, and the entries of the solvers that consist of one
//! method: a few lines that call it. The methods themselves know neither the workspace nor these entries.

use crate::lcp::auto::automatic;
use crate::lcp::auto::automatic::{AUTOMATIC, LESS_ONE};
use crate::lcp::auto::policy::TABLEAU;
use crate::lcp::auto::regularized::lemke_by_multipliers;
use crate::lcp::body_space::pgs;
use crate::lcp::dense;
use crate::lcp::direct::equations;
use crate::lcp::info::{SolverInfo, accepted_share};
use crate::lcp::interior::InteriorEffort;
use crate::lcp::islands::island_memory::{Island, IslandSolver, IslandWorkspace};
use crate::lcp::newton::NewtonEffort;
use crate::lcp::pivoting;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{MixedError, Solved};
use crate::lcp::problem::trail::Start;
use crate::lcp::{homotopy, interior, newton};
use crate::parameter::Values;
use std::fmt;

/// The solvers that a step can use, in the order of every list.
static TABLE: &[&dyn IslandSolver] = &[&AUTOMATIC, &Ldlt, &Lemke, &Pgs, &Newton, &Homotopy, &Interior];

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
    /// Returns the solver with the name `key` and default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        solvers().find(|solver| solver.info().key == key)
    }

    /// Returns for each method of the solver `auto` the method's key and `auto` without it, for measuring what the method is
    /// worth.
    pub fn automatic_without() -> impl Iterator<Item = (&'static str, Self)> {
        LESS_ONE.iter().filter_map(|policy| Some((policy.lacks()?, Self::of(policy))))
    }

    /// Whether it chooses the method itself, by the problem.
    pub fn is_automatic(&self) -> bool {
        std::ptr::eq(self.info(), &automatic::INFO)
    }

    /// Whether it takes equations alone, without contacts, limits and motors.
    pub fn takes_equations_alone(&self) -> bool {
        self.entry.takes_equations_alone()
    }

    /// Whether a system of equations is left to the factorisation. It is by every solver but `pgs`, which promises no solution
    /// and sweeps over equations as over all other rows.
    pub fn factorises_equations(&self) -> bool {
        !self.entry.sweeps()
    }

    /// Key of the solver to which this one leaves a system of equations.
    pub(crate) fn solves_equations(&self) -> &'static str {
        if self.factorises_equations() { equations::INFO.key } else { self.info().key }
    }

    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.entry.info()
    }

    pub(crate) fn entry(&self) -> &'static dyn IslandSolver {
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
        std::ptr::eq(self.info(), other.info()) && self.values == other.values
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("key", &self.info().key).field("values", &self.values).finish()
    }
}

/// Returns the largest ‖r‖∞ at which the island counts as solved.
fn tolerance(values: &Values, workspace: &IslandWorkspace) -> f64 {
    workspace.island.acceptance.tolerance(accepted_share(values))
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

    fn takes_equations_alone(&self) -> bool {
        true
    }
}

/// Lemke's method; where it ends without a solution, the method of multipliers on regularised rows.
struct Lemke;

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
        pivoting::lemke::lemke(problem, acceptance, values, equations, lambda).or_else(|error| {
            // Equations that nearly hold a contact's bodies leave rounding in place of zeros in M; regularised rows avoid these.
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

/// Projected Gauss–Seidel.
struct Pgs;

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

    fn sweeps(&self) -> bool {
        true
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
struct Homotopy;

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
struct Interior;

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
        let Ok(least) = interior.least(problem, space, newton) else {
            return Err(failed);
        };
        let spent = spent + interior.factorisations();
        let solved = newton.solve_moved(problem, space, tolerance, lambda, &least)?;
        Ok(Solved { solver: interior::INFO.key, iterations: solved.iterations + spent, ..solved })
    }
}
