//! The table of all solvers of a step's problem, a solver with its parameters, and the entries of the solvers that consist of one
//! method: a few lines that call it. The methods themselves know neither the workspace nor these entries.

use crate::lcp::auto::automatic::{self, Policy};
use crate::lcp::auto::policy::TABLEAU;
use crate::lcp::auto::regularized::softened;
use crate::lcp::dense;
use crate::lcp::direct::equations;
use crate::lcp::homotopy::PathEffort;
use crate::lcp::info::{SolverInfo, accepted_share};
use crate::lcp::interior::{InteriorEffort, KAPPA};
use crate::lcp::islands::island_memory::{Island, IslandWorkspace};
use crate::lcp::newton::NewtonEffort;
use crate::lcp::pivoting;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::lcp::{homotopy, interior, newton, nncg, pgs};
use crate::parameter::Values;
use std::fmt;

/// Solves the problem, that of the island in the workspace: its λ, the warm start, becomes the solution. After an error λ is
/// undefined.
type Solve = fn(&Solver, &MixedProblem, &mut IslandWorkspace) -> SolveResult;

/// A solver of one island of a step's problem: name, source, parameters; and how it solves.
type Entry = (&'static SolverInfo, Solve);

/// The solvers that a step can use, in the order of every list.
static TABLE: [Entry; 7] = [
    (&automatic::INFO, |own, problem, workspace| Policy::new(problem, workspace).walk(own.without)),
    (&equations::INFO, ldlt),
    (&dense::lemke::INFO, lemke),
    (&pgs::INFO, pgs),
    (&newton::INFO, newton),
    (&homotopy::INFO, homotopy),
    (&interior::INFO, interior),
];

/// The methods of the solver `auto`.
static METHODS: [&SolverInfo; 6] =
    [&equations::INFO, &newton::INFO, &homotopy::INFO, &interior::INFO, &nncg::INFO, &dense::lemke::INFO];

/// The solvers that a step can use, each with its default parameters.
pub fn solvers() -> impl Iterator<Item = Solver> {
    TABLE.iter().map(Solver::of)
}

/// A solver with its parameters.
#[derive(Clone)]
pub struct Solver {
    entry: &'static Entry,
    /// The method that `auto` leaves out.
    without: Option<&'static SolverInfo>,
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
        METHODS.iter().map(|method| (method.key, Self { without: Some(method), ..Self::default() }))
    }

    /// Whether it chooses the method itself, by the problem.
    pub fn is_automatic(&self) -> bool {
        self.is(&automatic::INFO)
    }

    /// Whether it takes equations alone, without contacts, limits and motors.
    pub fn takes_equations_alone(&self) -> bool {
        self.is(&equations::INFO)
    }

    /// Whether a system of equations is left to the factorisation. It is by every solver but `pgs`, which only sweeps over the
    /// rows, redundant equations included, and promises no residual. All others promise a residual that counts as solved, or the
    /// least violation of a problem that is proved to have no solution.
    pub fn factorises_equations(&self) -> bool {
        !self.is(&pgs::INFO)
    }

    /// Key of the solver to which this one leaves a system of equations.
    pub(crate) fn solves_equations(&self) -> &'static str {
        if self.factorises_equations() { equations::INFO.key } else { self.info().key }
    }

    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.entry.0
    }

    fn is(&self, info: &SolverInfo) -> bool {
        std::ptr::eq(self.info(), info)
    }

    /// Solves `problem`, that of the island in `workspace`: its λ, the warm start, becomes the solution.
    ///
    /// # Errors
    /// Why there is no solution. λ is then undefined.
    pub(crate) fn solve(&self, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
        (self.entry.1)(self, problem, workspace)
    }

    /// Returns the largest ‖r‖∞ at which the island counts as solved.
    fn tolerance(&self, workspace: &IslandWorkspace) -> f64 {
        workspace.island.acceptance.tolerance(accepted_share(&self.values))
    }

    /// The key of the method that `auto` leaves out.
    pub(super) fn left_out(&self) -> Option<&'static str> {
        self.without.map(|method| method.key)
    }

    fn of(entry: &'static Entry) -> Self {
        Self { entry, without: None, values: Values::defaults(entry.0.parameters) }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::of(&TABLE[0])
    }
}

impl PartialEq for Solver {
    fn eq(&self, other: &Self) -> bool {
        self.is(other.info()) && self.values == other.values && self.left_out() == other.left_out()
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("key", &self.info().key).field("values", &self.values).finish()
    }
}

/// The direct solver of equations.
fn ldlt(_: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
    if !problem.is_linear() {
        let reason = "it solves equations alone, and contacts, limits and motors are none";
        return Err(MixedError::NotApplicable { solver: equations::INFO.key, reason });
    }
    let Island { equations, acceptance, lambda, .. } = &mut workspace.island;
    equations.solve_alone(problem, acceptance, lambda)
}

/// Lemke's method; where it ends without a solution, on regularised rows, and Newton's steps from there.
fn lemke(own: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
    let Island { acceptance, lambda, equations, .. } = &mut workspace.island;
    pivoting::lemke::lemke(problem, acceptance, &own.values, equations, lambda).or_else(|error| {
        // Equations that nearly hold a contact's bodies leave rounding in place of zeros in M; regularised rows avoid these.
        let proved = matches!(error, MixedError::Ray { infeasible: true, .. });
        let open = !proved && error.leaves_room_to_yield() && problem.rows.len() <= TABLEAU;
        let soft = open.then(|| pivoting::lemke::unjudged(&softened(problem, KAPPA))).flatten();
        let (soft, pivots) = soft.ok_or(error.clone())?;
        workspace.island.lambda = soft;
        if !workspace.improve(problem, own.tolerance(workspace), NewtonEffort::FULL) {
            return Err(error);
        }
        let iterations = error.iterations() + pivots + workspace.newton.factorisations;
        let solved = Solved::by(dense::lemke::INFO.key, iterations);
        Ok(Solved { dependent: workspace.island.equations.dependent(), ..solved })
    })
}

/// Projected Gauss–Seidel.
fn pgs(own: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
    let tolerance = own.tolerance(workspace);
    let Island { lambda, v, .. } = &mut workspace.island;
    let iterations = pgs::sweep(problem, &own.values, tolerance, lambda, v);
    Ok(Solved::by(pgs::INFO.key, iterations))
}

/// Loads the island over its bodies, at its warm start; returns the largest ‖r‖∞ at which it counts as solved.
fn begin(own: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> f64 {
    let IslandWorkspace { island, space, .. } = workspace;
    space.enter(problem, &island.acceptance, &island.lambda);
    own.tolerance(workspace)
}

/// Semismooth Newton.
fn newton(own: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
    let tolerance = begin(own, problem, workspace);
    let IslandWorkspace { island, space, newton, .. } = workspace;
    newton.solve(problem, space, tolerance, NewtonEffort::FULL, &mut island.lambda)
}

/// The homotopy.
fn homotopy(own: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
    let tolerance = begin(own, problem, workspace);
    let IslandWorkspace { island, space, newton, homotopy, .. } = workspace;
    let solved = homotopy.improve(space, newton, [tolerance; 2], PathEffort::FULL);
    space.write_best(&mut island.lambda);
    let (solver, iterations, residual) = (homotopy::INFO.key, homotopy.iterations(), space.residual);
    if solved {
        Ok(Solved::by(solver, iterations))
    } else {
        Err(MixedError::NotConverged { solver, residual, expected: tolerance, iterations })
    }
}

/// The interior point; where it finds no solution, the proof that there is none, and the least violation.
fn interior(own: &Solver, problem: &MixedProblem, workspace: &mut IslandWorkspace) -> SolveResult {
    let tolerance = begin(own, problem, workspace);
    let IslandWorkspace { island: Island { lambda, .. }, space, newton, interior, .. } = workspace;
    let solved = interior.solve(space, newton, tolerance, InteriorEffort::FULL);
    if solved.is_ok() {
        space.write_best(lambda);
        return solved;
    }
    let spent = interior.factorisations;
    let Ok(least) = interior.least(problem, space, newton) else { return solved };
    let spent = spent + interior.factorisations;
    let solved = newton.solve_moved(problem, space, tolerance, lambda, &least)?;
    Ok(Solved { solver: interior::INFO.key, iterations: solved.iterations + spent, ..solved })
}
