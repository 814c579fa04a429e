//! From a mixed problem to its solution: islands, the choice of a solver for each, the judgement of the whole.

use super::acceptance::{Acceptance, larger};
use super::body_space::BodySpace;
use super::boxed;
use super::equations::Equations;
use super::homotopy::{self, Effort as Paths, Homotopy};
use super::interior::{Effort as Centring, Interior, KAPPA, YIELDED};
use super::islands::{Island, Islands};
use super::mixed::{Law, MixedError, MixedOutcome, MixedProblem, MixedRow};
use super::newton::{self, Effort, Least, Newton};
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
/// Paths aim at this share of what is accepted.
const AIMED: f64 = 0.1;
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
    /// By island: its equations, and all of them where some depend on others.
    equations: Vec<Equations>,
    redundancy: Vec<Equations>,
    space: BodySpace,
    newton: Newton,
    homotopy: Homotopy,
    interior: Interior,
    /// λ for a method whose failure must leave the warm start.
    spare: Vec<f64>,
    rhs: Vec<f64>,
    v: Vec<DVec3>,
    residuals: Vec<f64>,
}

/// The methods over the bodies.
struct Methods<'a> {
    newton: &'a mut Newton,
    homotopy: &'a mut Homotopy,
    interior: &'a mut Interior,
}

/// What an island's λ is worth.
struct Judged {
    relative: f64,
    /// Whether equations contradict each other.
    conflict: bool,
}

/// What solving one island came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    pub solver: &'static str,
    pub iterations: usize,
    pub infeasible: bool,
    pub dependent: usize,
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
            workspace.redundancy.resize_with(islands, Equations::default);
        }
        let mut outcome = MixedOutcome { solver: self.info().key, islands, ..MixedOutcome::default() };
        outcome.infeasible = usize::from(!loose(problem, workspace.islands.loose(), lambda));
        let mut largest_island = 0;
        for index in 0..islands {
            workspace.islands.extract(problem, index, lambda, &mut workspace.island);
            self.reduce(index, workspace)?;
            let solved = self.solve_island(index, workspace);
            let judged = solved.and_then(|solved| Ok((solved, self.judge(index, &solved, workspace)?)));
            let rows = &workspace.island.rows;
            let (solved, judged) = judged.map_err(|error| in_whole(error, rows, problem.rows.len()))?;
            outcome.relative_residual = larger(outcome.relative_residual, judged.relative);
            for (&row, x) in rows.iter().zip(&workspace.island.lambda) {
                lambda[row as usize] = *x;
            }
            outcome.iterations += solved.iterations;
            outcome.infeasible += usize::from(solved.infeasible || judged.conflict);
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

    /// Where equations of the island depend on others, leaves these out; and where they contradict each other beyond what counts
    /// as solved, moves their b to what can be met, the least-squares solution of the equations alone.
    ///
    /// After some drift such equations no longer depend on each other exactly, and enormous impulses would meet them all; left
    /// out, they are met as far as the drift goes, and [`Solver::judge`] says whether that is a conflict.
    fn reduce(&self, index: usize, workspace: &mut MixedWorkspace) -> Result<(), MixedError> {
        let MixedWorkspace { island: Island { problem, acceptance, violation, .. }, redundancy, .. } =
            workspace;
        let equation = |row: &MixedRow| row.law == Law::Equation;
        let sweeps = self.info().key == pgs::INFO.key;
        if sweeps || problem.is_linear() || !problem.rows.iter().any(equation) {
            return Ok(());
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
        Ok(())
    }

    /// The residual of the island's λ on its problem as posed. The last word on every solution: what a solver calls one is no
    /// other unless it is small enough, or the problem is proved to have none. Sweeps, which promise nothing, are measured alone.
    fn judge(
        &self,
        index: usize,
        solved: &Solved,
        workspace: &mut MixedWorkspace,
    ) -> Result<Judged, MixedError> {
        let MixedWorkspace { island, v, residuals, redundancy, .. } = workspace;
        let Island { problem, acceptance, violation, lambda, .. } = island;
        problem.velocity(lambda, v);
        residuals.clear();
        residuals.extend((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
        let posed = largest(residuals.iter().copied());
        // Of equations in conflict, what they are violated by as they were given.
        let violated =
            || violation.iter().map(|&(i, x)| (i as usize, problem.w(i as usize, v, lambda) - x));
        let of_rows = violated().map(|(i, w)| (&problem.rows[i], w));
        let conflict = acceptance.relative(&problem.weight, of_rows) > ACCEPTED;
        if !posed.is_finite() {
            return Err(MixedError::NotFinite);
        }
        let relative =
            acceptance.relative(&problem.weight, problem.rows.iter().zip(residuals.iter().copied()));
        if self.info().key == pgs::INFO.key {
            return Ok(Judged { relative, conflict });
        }
        if solved.infeasible {
            return Ok(Judged { relative: 0.0, conflict });
        }
        if !acceptance.admits(problem, lambda, posed, self.share()) {
            let (Solved { solver, iterations, .. }, expected) =
                (*solved, acceptance.tolerance(self.share()));
            return Err(MixedError::NotConverged { solver, residual: posed, expected, iterations });
        }
        if violation.is_empty() || conflict {
            return Ok(Judged { relative, conflict });
        }
        redundancy[index].share(problem, lambda);
        Ok(Judged { relative, conflict })
    }

    /// The share of a problem's speed up to which this choice of a solver accepts a residual.
    fn share(&self) -> f64 {
        self.values.get(TOLERANCE.key).unwrap_or(ACCEPTED)
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
        let MixedWorkspace { island, equations, space, newton, v, .. } = workspace;
        let equations = &mut equations[index];
        let Island { problem, acceptance, lambda, .. } = island;
        let tolerance = acceptance.tolerance(self.share());
        if key == pgs::INFO.key {
            let iterations = pgs::sweep(problem, &self.values, tolerance, lambda, v);
            return Ok(Solved { solver: key, iterations, infeasible: false, dependent: 0 });
        }
        if key == lemke::INFO.key {
            return pivoting::lemke(problem, acceptance, &self.values, equations, lambda);
        }
        if key == dantzig::INFO.key {
            return boxed::dantzig(problem, acceptance, &self.values, equations, lambda);
        }
        space.enter(problem, acceptance, index, lambda);
        if key == newton::INFO.key {
            return newton.solve(problem, space, tolerance, lambda);
        }
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
        let Some(least) = interior.least(problem, space, newton, speed(problem), false) else {
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
        island: Island { problem, acceptance, lambda, .. },
        equations,
        space,
        newton,
        homotopy,
        interior,
        spare,
        ..
    } = workspace;
    let equations = &mut equations[index];
    let tolerance = acceptance.tolerance(ACCEPTED);
    let aims = [AIMED * tolerance, tolerance];
    let rubs = problem.rows.iter().any(|row| row.law.normal().is_some());
    let (mut spent, mut proved) = (0, false);
    let whole =
        |solved: Solved, spent: usize| Ok(Solved { iterations: solved.iterations + spent, ..solved });
    space.enter(problem, acceptance, index, lambda);
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
        match boxed::dantzig(problem, acceptance, &values, equations, spare) {
            Ok(solved) => {
                lambda.clone_from(spare);
                return whole(solved, spent);
            }
            Err(error) => {
                spent += error.iterations();
                proved = matches!(error, MixedError::Ray { infeasible: true, .. });
            }
        }
    }
    if rubs && !proved {
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
    if proved || space.residual > FAR * speed(problem) {
        spare.clone_from(lambda);
        space.write_best(spare);
        let least = interior.least(problem, space, newton, speed(problem), proved);
        spent += interior.factorisations();
        if let Some(least) = least {
            let methods = Methods { newton, homotopy, interior };
            return violate(problem, space, methods, tolerance, &least, lambda)
                .and_then(|solved| whole(solved, spent));
        }
        space.begin(problem, spare);
    }
    if rubs && !proved {
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
    spent += by_newton.iterations();
    let mut failed = by_newton;
    if problem.rows.len() <= DENSE {
        let values = Values::defaults(lemke::INFO.parameters);
        match pivoting::lemke(problem, acceptance, &values, equations, lambda) {
            Ok(solved) => return whole(solved, spent),
            Err(error) => {
                spent += error.iterations();
                // A ray says more than a residual.
                if matches!(error, MixedError::Ray { .. }) {
                    failed = error;
                }
            }
        }
    }
    // Nearly a contradiction: proved only now that nothing else has helped.
    space.begin(problem, lambda);
    let least = interior.least(problem, space, newton, speed(problem), proved).ok_or(failed)?;
    violate(problem, space, Methods { newton, homotopy, interior }, tolerance, &least, lambda)
        .and_then(|solved| whole(solved, spent))
}

/// Meets a problem without a solution with the least violation.
fn violate(
    problem: &MixedProblem,
    space: &mut BodySpace,
    methods: Methods<'_>,
    tolerance: f64,
    least: &Least,
    lambda: &mut [f64],
) -> Result<Solved, MixedError> {
    match methods.newton.solve_moved(problem, space, tolerance, lambda, least) {
        Ok(solved) => Ok(solved),
        Err(error) => {
            let spent = error.iterations();
            let solved = yielding(problem, space, methods, least, lambda).ok_or(error)?;
            Ok(Solved { iterations: solved.iterations + spent, ..solved })
        }
    }
}

/// A problem without a solution, or with none but by enormous impulses, with all rows yielding a little: the compliance Aᵢᵢ/κ of
/// `interior/least.rs`, with friction. What the rows are then violated by is cᵢ λᵢ.
fn yielding(
    problem: &MixedProblem,
    space: &mut BodySpace,
    Methods { newton, homotopy, interior }: Methods<'_>,
    least: &Least,
    lambda: &mut [f64],
) -> Option<Solved> {
    let mut soft = problem.clone();
    for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
        row.compliance += row.diagonal(&problem.weight) / KAPPA;
    }
    let tolerance = YIELDED * speed(problem);
    space.begin(&soft, &least.lambda);
    let solved = newton.improve(&soft, space, tolerance, Effort::FULL).or_else(|| {
        space.begin(&soft, &least.lambda);
        homotopy.improve(&soft, space, newton, [tolerance; 2], Paths::FULL)
    });
    let solved = solved.or_else(|| {
        space.begin(&soft, &least.lambda);
        interior.solve(&soft, space, newton, tolerance, Centring::FULL).ok()
    })?;
    space.write_best(lambda);
    Some(Solved { infeasible: true, ..solved })
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
    let MixedWorkspace { island: Island { problem, acceptance, lambda, .. }, equations, rhs, .. } =
        workspace;
    let equations = &mut equations[index];
    equations.factor(problem).map_err(|_| MixedError::NotFinite)?;
    rhs.clear();
    rhs.extend(problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)));
    equations.solve(rhs, lambda);
    let dependent = equations.dependent();
    let conflict = dependent > 0 && problem.residual(lambda) > acceptance.tolerance(ACCEPTED);
    Ok(Solved { solver: LDLT.key, iterations: 1, infeasible: conflict, dependent })
}

/// λ of rows that act on nothing that moves: only a compliance can meet them. Whether all of them hold.
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
        let aim =
            if row.compliance > 0.0 { -(row.rate(&problem.free) + row.bias) / row.compliance } else { 0.0 };
        lambda[i] = aim.max(lower).min(upper);
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
