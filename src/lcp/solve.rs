//! From a mixed problem to its solution: islands, the choice of a solver for each, the judgement of the whole.

use super::body_space::BodySpace;
use super::boxed;
use super::equations::Equations;
use super::homotopy::{self, Effort as Paths, Homotopy};
use super::interior::{Effort as Centring, Interior};
use super::islands::{Island, Islands};
use super::mixed::{Law, MixedError, MixedOutcome, MixedProblem, MixedRow};
use super::newton::{self, Effort, Newton};
use super::pivoting;
use super::problem::ACCEPTED;
use super::{AUTO, LDLT, Solver, TOLERANCE, dantzig, lemke, pgs};
use crate::math::largest;
use crate::parameter::Values;
use glam::DVec3;

/// Newton's steps before another method is called, with friction and without: what comes next takes 10 to 40 factorisations.
const WHILE_IT_GETS_ON: [Effort; 2] = [
    Effort { factorisations: 20, stall: 3, ..Effort::FULL },
    Effort { factorisations: 40, stall: 7, ..Effort::FULL },
];
/// Paths before the interior point is called: those that end mostly do so soon.
const WHILE_THEY_END: Paths =
    Paths { first: 200, pieces: 600, failures: 2, persistent: false, ..Paths::FULL };
/// The central path up to its first fold, and few of Newton's steps there: the piecewise linear path from there takes less.
const WHILE_IT_CENTRES: Centring =
    Centring { factorisations: 1, crossover: Effort { factorisations: 10, ..Centring::FULL.crossover } };
/// Paths from where the central path ended.
const FROM_INSIDE: Paths = Paths { kappa: 1e4, first: 200, pieces: 2000, failures: 8, persistent: true };
/// Paths from the warm start again, by another κ.
const ANOTHER_WAY: Paths = Paths { kappa: 1e3, ..Paths::FULL };
/// Paths at the end of a solution, for what is left of the residual.
const AT_THE_END: Paths = Paths { kappa: 1e7, first: 60, pieces: 200, failures: 4, persistent: true };
/// A residual above this share of the problem's speed may be one that no λ gets rid of.
const FAR: f64 = 1e-3;
/// Most rows of an island in which Dantzig's method comes before the interior point: 50 contacts.
const SMALL: usize = 100;
/// Most rows of an island for which Lemke's method is tried after Newton's: 200 contacts.
const DENSE: usize = 400;

/// Memory of the solvers of mixed problems: buffers and symbolic factors, kept while the rows' pattern stays. A
/// used one gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    islands: Islands,
    island: Island,
    /// By island.
    equations: Vec<Equations>,
    space: BodySpace,
    newton: Newton,
    homotopy: Homotopy,
    interior: Interior,
    /// λ for a method whose failure must leave the warm start.
    spare: Vec<f64>,
    rhs: Vec<f64>,
    v: Vec<DVec3>,
}

/// What solving one island came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    pub solver: &'static str,
    pub iterations: usize,
    pub infeasible: bool,
    pub dependent: usize,
}

/// Up to which residual an island's solution is accepted: `tolerance` (1 + ‖J v* + b‖∞).
pub(super) fn accepted(problem: &MixedProblem, tolerance: f64) -> f64 {
    tolerance * (1.0 + speed(problem))
}

/// ‖J v* + b‖∞.
fn speed(problem: &MixedProblem) -> f64 {
    largest(problem.rows.iter().map(|row| row.rate(&problem.free) + row.bias))
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
        }
        let mut outcome = MixedOutcome { solver: self.info().key, islands, ..MixedOutcome::default() };
        outcome.infeasible = usize::from(!loose(problem, workspace.islands.loose(), lambda));
        let mut largest_island = 0;
        for index in 0..islands {
            workspace.islands.extract(problem, index, lambda, &mut workspace.island);
            let solved = self.solve_island(index, workspace);
            let rows = &workspace.island.rows;
            let solved = solved.map_err(|error| in_whole(error, rows, problem.rows.len()))?;
            for (&row, x) in rows.iter().zip(&workspace.island.lambda) {
                lambda[row as usize] = *x;
            }
            outcome.iterations += solved.iterations;
            outcome.infeasible += usize::from(solved.infeasible);
            outcome.dependent_rows += solved.dependent;
            if rows.len() > largest_island {
                largest_island = rows.len();
                outcome.solver = solved.solver;
            }
        }
        problem.velocity(lambda, v);
        outcome.residual = largest((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        if outcome.residual.is_finite() { Ok(outcome) } else { Err(MixedError::NotFinite) }
    }

    fn solve_island(&self, index: usize, workspace: &mut MixedWorkspace) -> Result<Solved, MixedError> {
        let key = self.info().key;
        let linear = workspace.island.problem.is_linear();
        if key == LDLT.key || (key == AUTO.key && linear) {
            if !linear {
                let reason = "a row is no equation";
                return Err(MixedError::NotApplicable { solver: LDLT.key, reason });
            }
            return direct(index, workspace);
        }
        if key == AUTO.key {
            return automatic(index, workspace);
        }
        let MixedWorkspace { island: Island { problem, lambda, .. }, equations, space, newton, v, .. } =
            workspace;
        let equations = &mut equations[index];
        if key == pgs::INFO.key {
            let iterations = pgs::sweep(problem, &self.values, lambda, v);
            return Ok(Solved { solver: key, iterations, infeasible: false, dependent: 0 });
        }
        let tolerance = accepted(problem, self.values.get(TOLERANCE.key).unwrap_or(ACCEPTED));
        if key == lemke::INFO.key {
            return pivoting::lemke(problem, &self.values, equations, lambda);
        }
        if key == dantzig::INFO.key {
            return boxed::dantzig(problem, &self.values, equations, lambda);
        }
        if key == newton::INFO.key {
            space.enter(problem, index, lambda);
            return newton.solve(problem, space, tolerance, lambda);
        }
        space.enter(problem, index, lambda);
        if key == homotopy::INFO.key {
            let solved = workspace.homotopy.solve(problem, space, newton, tolerance);
            space.write_best(lambda);
            return solved;
        }
        let interior = &mut workspace.interior;
        let failed = match interior.solve(problem, space, newton, tolerance, Centring::FULL) {
            Ok(solved) => {
                space.write_best(lambda);
                return Ok(solved);
            }
            Err(error) => error,
        };
        let spent = interior.factorisations();
        let Some(least) = interior.least(problem, space, newton, tolerance, speed(problem)) else {
            return Err(failed);
        };
        let spent = spent + interior.factorisations();
        let solved = newton.solve_moved(problem, space, tolerance, lambda, &least)?;
        Ok(Solved { solver: key, iterations: solved.iterations + spent, ..solved })
    }
}

/// By the difficulty and the size of an island: Newton's method while it gets on; for what it leaves Dantzig's in small
/// islands; with friction paths from the warm start, while they end; then the interior point, which far from a solution
/// also looks for the proof that there is none; paths from where that ended and again from the warm start; Newton's to its
/// end, with a proof of its own; Lemke's at last.
///
/// Newton's comes first at every size: where the states of the step before hold, or nearly, it takes the least time
/// (`benches/solvers.rs`). Where a few dozen contacts change, a path is the shortest way; the interior point does not
/// care how many do. In a pile that is struck each of them fails on a tenth of the problems, and hardly two on the same.
fn automatic(index: usize, workspace: &mut MixedWorkspace) -> Result<Solved, MixedError> {
    let MixedWorkspace {
        island: Island { problem, lambda, .. },
        equations,
        space,
        newton,
        homotopy,
        interior,
        spare,
        ..
    } = workspace;
    let equations = &mut equations[index];
    let tolerance = accepted(problem, ACCEPTED);
    let aims = [ACCEPTED, tolerance];
    let rubs = problem.rows.iter().any(|row| row.law.normal().is_some());
    let mut spent = 0;
    let whole =
        |solved: Solved, spent: usize| Ok(Solved { iterations: solved.iterations + spent, ..solved });
    space.enter(problem, index, lambda);
    let [with_friction, without] = WHILE_IT_GETS_ON;
    if let Some(solved) =
        newton.improve(problem, space, tolerance, if rubs { with_friction } else { without })
    {
        return whole(solved, to_the_end(problem, space, homotopy, newton, aims, lambda));
    }
    spent += newton.factorisations();
    if problem.rows.len() <= SMALL {
        spare.clone_from(lambda);
        let values = Values::defaults(dantzig::INFO.parameters);
        match boxed::dantzig(problem, &values, equations, spare) {
            Ok(solved) => {
                lambda.clone_from(spare);
                return whole(solved, spent);
            }
            Err(error) => spent += error.iterations(),
        }
    }
    if rubs {
        space.recall();
        if let Some(solved) = homotopy.improve(problem, space, newton, aims, WHILE_THEY_END) {
            return whole(solved, spent + to_the_end(problem, space, homotopy, newton, aims, lambda));
        }
        spent += homotopy.iterations();
        space.begin(problem, lambda);
    }
    match interior.solve(problem, space, newton, tolerance, WHILE_IT_CENTRES) {
        Ok(solved) => {
            return whole(solved, spent + to_the_end(problem, space, homotopy, newton, aims, lambda));
        }
        Err(error) => spent += error.iterations(),
    }
    if space.residual > FAR * speed(problem) {
        spare.clone_from(lambda);
        space.write_best(spare);
        let least = interior.least(problem, space, newton, tolerance, speed(problem));
        spent += interior.factorisations();
        if let Some(least) = least {
            return newton
                .solve_moved(problem, space, tolerance, lambda, &least)
                .and_then(|solved| whole(solved, spent));
        }
        space.begin(problem, spare);
    }
    if rubs {
        space.recall();
        for from_warm_start in [false, true] {
            if from_warm_start {
                space.begin(problem, lambda);
            }
            let effort = if from_warm_start { ANOTHER_WAY } else { FROM_INSIDE };
            if let Some(solved) = homotopy.improve(problem, space, newton, aims, effort) {
                return whole(solved, spent + to_the_end(problem, space, homotopy, newton, aims, lambda));
            }
            spent += homotopy.iterations();
        }
    }
    space.begin(problem, lambda);
    let by_newton = match newton.solve(problem, space, tolerance, lambda) {
        Ok(solved) => return whole(solved, spent),
        Err(error) => error,
    };
    if problem.rows.len() > DENSE {
        return Err(by_newton);
    }
    spent += by_newton.iterations();
    let values = Values::defaults(lemke::INFO.parameters);
    match pivoting::lemke(problem, &values, equations, lambda) {
        Ok(solved) => whole(solved, spent),
        // A ray says more than a residual.
        Err(ray @ MixedError::Ray { .. }) => Err(ray),
        Err(_) => Err(by_newton),
    }
}

/// Paths from the solution in `space`, as long as its residual is above the first of `aims`; `lambda` becomes the best.
/// Returns what they took.
fn to_the_end(
    problem: &MixedProblem,
    space: &mut BodySpace,
    homotopy: &mut Homotopy,
    newton: &mut Newton,
    aims: [f64; 2],
    lambda: &mut [f64],
) -> usize {
    let mut spent = 0;
    if space.residual > aims[0] {
        space.recall();
        let further = homotopy.improve(problem, space, newton, aims, AT_THE_END);
        spent = further.map_or(homotopy.iterations(), |solved| solved.iterations);
    }
    space.write_best(lambda);
    spent
}

/// Equations alone: A λ = −(J v* + b), at once.
fn direct(index: usize, workspace: &mut MixedWorkspace) -> Result<Solved, MixedError> {
    let MixedWorkspace { island: Island { problem, lambda, .. }, equations, rhs, .. } = workspace;
    let equations = &mut equations[index];
    equations.factor(problem).map_err(|_| MixedError::NotFinite)?;
    rhs.clear();
    rhs.extend(problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)));
    equations.solve(rhs, lambda);
    let dependent = equations.dependent();
    let conflict = dependent > 0 && problem.residual(lambda) > accepted(problem, ACCEPTED);
    Ok(Solved { solver: LDLT.key, iterations: 1, infeasible: conflict, dependent })
}

/// Rows that act on nothing that moves: only a compliance can meet them. Whether all of them hold.
fn loose(problem: &MixedProblem, rows: &[u32], lambda: &mut [f64]) -> bool {
    let friction = |i: &&u32| problem.rows[**i as usize].law.normal().is_some();
    let mut hold = true;
    for &i in rows.iter().filter(|i| !friction(i)).chain(rows.iter().filter(friction)) {
        let (i, row) = (i as usize, &problem.rows[i as usize]);
        let [lower, upper] = problem.bounds(i, lambda);
        let aim =
            if row.compliance > 0.0 { -(row.rate(&problem.free) + row.bias) / row.compliance } else { 0.0 };
        lambda[i] = aim.max(lower).min(upper);
        hold &= problem.row_residual(i, &problem.free, lambda).abs() <= accepted(problem, ACCEPTED);
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
