//! From a mixed problem to its solution: islands, the choice of a solver for each, the judgement of the whole.

use super::acceptance::{Acceptance, larger};
use super::automatic::automatic;
use super::body_space::BodySpace;
use super::boxed;
use super::equations::Equations;
use super::homotopy::{self, Homotopy};
use super::interior::{Effort as Centring, Interior};
use super::islands::{Island, Islands};
use super::mixed::{Law, MixedError, MixedOutcome, MixedProblem, MixedRow};
use super::newton::{self, Newton};
use super::pivoting;
use super::problem::ACCEPTED;
use super::trail::{Ending, Trail};
use super::{AUTO, LDLT, Solver, TOLERANCE, dantzig, lemke, pgs};
use crate::math::largest;
use glam::DVec3;

/// Memory of the solvers of mixed problems: buffers and symbolic factors, kept while the rows' pattern stays. A
/// used one gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    pub(super) islands: Islands,
    pub(super) island: Island,
    /// By island: its equations, and all of them where some depend on others.
    pub(super) equations: Vec<Equations>,
    pub(super) redundancy: Vec<Equations>,
    pub(super) space: BodySpace,
    pub(super) newton: Newton,
    pub(super) homotopy: Homotopy,
    pub(super) interior: Interior,
    /// λ for a method whose failure must leave the warm start.
    pub(super) spare: Vec<f64>,
    pub(super) rhs: Vec<f64>,
    pub(super) v: Vec<DVec3>,
    pub(super) residuals: Vec<f64>,
    /// Of the present island.
    pub(super) trail: Trail,
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
pub(super) fn speed(problem: &MixedProblem) -> f64 {
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
            workspace.trail.clear();
            let solved = self.solve_island(index, workspace);
            let judged = solved.and_then(|solved| Ok((solved, self.judge(index, &solved, workspace)?)));
            let rows = &workspace.island.rows;
            let (solved, judged) = judged.map_err(|error| in_whole(error, rows, problem.rows.len()))?;
            outcome.relative_residual = larger(outcome.relative_residual, judged.relative);
            for (&row, x) in rows.iter().zip(&workspace.island.lambda) {
                lambda[row as usize] = *x;
            }
            if workspace.trail.attempts().is_empty() {
                let ending = if solved.infeasible { Ending::LeastViolation } else { Ending::Solved };
                workspace.trail.add(solved.solver, solved.iterations, ending);
            }
            outcome.trail = outcome.trail.longer(workspace.trail);
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
