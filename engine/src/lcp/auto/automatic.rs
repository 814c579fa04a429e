//! The solver `auto`: the rules of `policy.rs` on one island, one after the other.
//!
//! The first attempt that ends with a solution ends the island. A proof that there is none is followed by the least
//! violation. Every attempt is in the trail.
//!
//! Where the effort is bounded, the bounded rules come first in large islands, and the last of them accepts as
//! approximate what leaves little enough.

use super::dissipative::dissipate;
use super::policy::{
    AFFORDABLE, AttemptMethod, BOUNDED_RULES, CLOSE, CROWD, DENSE, Guard, LAST_STEPS, LOOSE, POLISH, RULES,
    Rule, SMALL, SOUGHT, SWEEPS, SWEEPS_NEARBY, SWEEPS_WITHOUT_FRICTION, TABLEAU, is_even,
};
use super::regularized::LARGEST_CHANGE;
use crate::lcp::body_space::BodySpace;
use crate::lcp::dense;
use crate::lcp::direct::equations::Equations;
use crate::lcp::homotopy::{Homotopy, PathEffort};
use crate::lcp::info::{ACCEPTED, Effort, SolverInfo};
use crate::lcp::interior::{Interior, InteriorEffort};
use crate::lcp::islands::island_memory::{Island, IslandWorkspace};
use crate::lcp::newton::{self, LeastViolation, Newton, NewtonEffort};
use crate::lcp::nncg::Nncg;
use crate::lcp::pivoting::branches::{ON_THE_WAY, Search, search};
use crate::lcp::pivoting::lemke;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::lcp::problem::trail::{self, Attempt, Ending, Start, Trail};
use crate::lcp::problem::{Acceptance, certificate};
use crate::parameter::Values;

/// The entry in the table of solvers.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "auto",
    name: "Automatic",
    summary: "Chooses for each group of bodies and reports who solved: sparse LDLᵀ for joints alone, else Newton; where \
              Newton takes many steps, homotopy or interior point.",
    source: "driftlab",
    parameters: &[],
};

/// The policy at work on one island.
pub(crate) struct Policy<'w> {
    problem: &'w MixedProblem,
    acceptance: &'w Acceptance,
    /// The warm start; after a method that ran to its end, the λ it left; at last the solution.
    lambda: &'w mut Vec<f64>,
    spare: &'w mut Vec<f64>,
    equations: &'w mut Equations,
    space: &'w mut BodySpace,
    newton: &'w mut Newton,
    homotopy: &'w mut Homotopy,
    interior: &'w mut Interior,
    nncg: &'w mut Nncg,
    trail: &'w mut Trail,
    /// Largest ‖r‖∞ at which the island counts as solved.
    tolerance: f64,
    effort: Effort,
    /// The residual of the warm start as a share of the problem's speed, at most; zero where it is not asked.
    warm: f64,
    /// Whether there is friction.
    friction: bool,
    /// Whether sweeps were made.
    swept: bool,
    /// The least violation of the rows on any central path, whatever the friction.
    violation: f64,
    /// Whether `space` holds the island already.
    entered: bool,
    /// Whether a method has run to its end: λ is then the best so far, and no longer the warm start.
    ended: bool,
}

/// The outcome of an attempt.
enum AttemptOutcome {
    /// A solution, which is not in the trail yet.
    Solved(Solved),
    /// No solution; if the method ran to its end, the error that says why.
    Left(Attempt, Option<MixedError>),
    /// The end of the island's solve, with all attempts in the trail: what is accepted without being a solution, or why no other
    /// attempt can find one.
    Ended(SolveResult),
}

impl<'w> Policy<'w> {
    /// The policy for `problem`, that of the island in `workspace`.
    pub fn new(problem: &'w MixedProblem, workspace: &'w mut IslandWorkspace) -> Self {
        let Island { acceptance, lambda, effort, trail, equations, .. } = &mut workspace.island;
        let mut policy = Self {
            problem,
            acceptance,
            lambda,
            spare: &mut workspace.spare,
            equations,
            space: &mut workspace.space,
            newton: &mut workspace.newton,
            homotopy: &mut workspace.homotopy,
            interior: &mut workspace.interior,
            nncg: &mut workspace.nncg,
            trail,
            tolerance: acceptance.tolerance(ACCEPTED), // 1e-9 of the problem's speed
            effort: *effort,
            warm: 0.0,
            friction: problem.rows.iter().any(|row| row.law.normal().is_some()),
            swept: false,
            violation: f64::INFINITY,
            entered: false,
            ended: false,
        };
        let is_large = problem.rows.len() > TABLEAU && policy.friction && policy.is_sparse();
        if policy.is_bounded() || is_large && !policy.is_cold() {
            policy.warm = acceptance.at_most(problem.residual(policy.lambda));
        }
        policy
    }

    /// Whether the rules of a bounded effort come first: in islands of more than [`SMALL`] rows on which sweeps can be made, but
    /// neither in a pile's first step, whose error would remain in the pile, nor where joints hold bodies among
    /// contacts: such heaps amplify what is left.
    fn is_bounded(&self) -> bool {
        self.effort == Effort::Bounded
            && self.problem.rows.len() > SMALL
            && !self.is_cold()
            && !self.problem.is_linear()
            && !self.has_joints()
            && Nncg::applies(self.problem)
    }

    /// Makes the attempts whose guards hold until one of them ends the island; leaves out the method `without`, so that its worth
    /// can be measured.
    pub fn walk(mut self, without: Option<&'static SolverInfo>) -> SolveResult {
        let mut failed = MixedError::NotFinite;
        let bounded: &[Rule] = if self.is_bounded() { &BOUNDED_RULES } else { &[] };
        for rule in bounded.iter().chain(&RULES) {
            let is_left_out = without.is_some_and(|method| std::ptr::eq(method, rule.by.info()));
            if is_left_out || !self.holds(rule.when) {
                continue;
            }
            match self.make(rule) {
                AttemptOutcome::Solved(solved) => return Ok(self.solved(rule.from, solved)),
                AttemptOutcome::Left(left, error) => {
                    self.trail.add(left);
                    failed = error.unwrap_or(failed);
                }
                AttemptOutcome::Ended(ended) => return ended,
            }
        }
        Err(failed)
    }

    fn holds(&self, guard: Guard) -> bool {
        let rows = &self.problem.rows;
        match guard {
            Guard::Any => true,
            Guard::EquationsAlone => self.problem.is_linear(),
            Guard::Near(share) => self.warm <= share,
            Guard::LooseAndFar(share) => {
                self.warm > share && rows.len() < LOOSE * self.problem.inverse_mass.len()
            }
            Guard::FrictionUnswept => self.friction && self.is_sparse() && !self.swept,
            Guard::Uneven => rows.len() <= AFFORDABLE && !is_even(self.problem),
            Guard::Even => rows.len() <= AFFORDABLE && is_even(self.problem),
            Guard::Sparse => self.is_sparse(),
            Guard::SparseAbove(few) => rows.len() > few && self.is_sparse(),
            Guard::RowsUpTo(most) => rows.len() <= most,
            Guard::FarUpTo(share, most) => rows.len() <= most && self.holds(Guard::Far(share)),
            Guard::Far(share) => {
                let best =
                    if self.entered { self.space.residual } else { self.problem.residual(self.lambda) };
                best.min(self.violation) > share * self.problem.free_speed()
                    && !certificate::is_feasible_at_rest(self.problem)
            }
        }
    }

    fn make(&mut self, rule: &Rule) -> AttemptOutcome {
        match rule.by {
            AttemptMethod::Ldlt => self.ldlt(),
            AttemptMethod::Newton(effort) => self.newton(rule, effort),
            AttemptMethod::NewtonToTheEnd => self.newton_to_the_end(rule),
            AttemptMethod::Homotopy(effort) => self.homotopy(rule, effort),
            AttemptMethod::Interior(effort) => self.interior(rule, effort),
            AttemptMethod::Descent(effort) => self.descent(rule, effort),
            AttemptMethod::Sweeps(most) => self.sweeps(rule, most),
            AttemptMethod::Proof => self.proof(rule),
            AttemptMethod::Lemke => self.lemke(rule),
        }
    }

    /// Adds the attempt that solved the island to the trail; returns the iterations of the whole trail.
    fn solved(&mut self, from: Start, solved: Solved) -> Solved {
        self.trail.add(Attempt {
            solver: solved.solver,
            from,
            iterations: solved.iterations,
            residual: None,
            ending: if solved.infeasible { Ending::LeastViolation } else { Ending::Solved },
        });
        Solved { iterations: self.trail.iterations(), ..solved }
    }

    /// Describes an attempt over the bodies that found no solution, with the residual of its best λ.
    fn left(&self, rule: &Rule, iterations: usize, ending: Ending) -> Attempt {
        self.left_with(rule, iterations, self.space.residual, ending)
    }

    /// Describes an attempt of a pivoting method, whose error says which residual is left.
    fn left_by(&self, rule: &Rule, error: &MixedError) -> Attempt {
        let residual =
            if let MixedError::NotConverged { residual, .. } = *error { residual } else { f64::NAN };
        self.left_with(rule, error.iterations(), residual, error.ending())
    }

    /// Describes an attempt that left ‖r‖∞ = `residual`, NaN where it has no λ to show.
    fn left_with(&self, rule: &Rule, iterations: usize, residual: f64, ending: Ending) -> Attempt {
        let residual = trail::known(self.acceptance.at_most(residual));
        Attempt { solver: rule.by.info().key, from: rule.from, iterations, residual, ending }
    }

    /// Sets λ of the methods over the bodies to the attempt's start.
    fn start(&mut self, from: Start) {
        if !self.entered {
            // No attempt has entered the island before.
            self.space.enter(self.problem, self.acceptance, self.lambda);
            self.entered = true;
            return;
        }
        match from {
            // The problem's rows, and λ as it stands.
            Start::WarmStart | Start::LastEnd => self.space.begin(self.problem, self.lambda),
            Start::Best => self.space.recall(),
            Start::Own => {}
        }
    }

    fn ldlt(&mut self) -> AttemptOutcome {
        match self.equations.solve_alone(self.problem, self.acceptance, self.lambda) {
            Ok(solved) => AttemptOutcome::Solved(solved),
            Err(error) => AttemptOutcome::Ended(Err(error)),
        }
    }

    fn newton(&mut self, rule: &Rule, [friction, without]: [NewtonEffort; 2]) -> AttemptOutcome {
        self.start(rule.from);
        let mut spent = 0;
        if self.is_cold() {
            let stuck = self.newton.stick(self.space, self.tolerance);
            spent = self.newton.factorisations;
            if stuck {
                return self.polished(rule, spent);
            }
            // The better of this λ and of the start λ = 0.
            self.space.write_best(self.lambda);
            self.space.begin(self.problem, self.lambda);
        }
        let effort = if self.friction { friction } else { without };
        let solved = self.newton.improve(self.space, self.tolerance, effort);
        let iterations = spent + self.newton.factorisations;
        if solved {
            return self.polished(rule, iterations);
        }
        AttemptOutcome::Left(self.left(rule, iterations, self.newton.ending), None)
    }

    /// Whether equations hold bodies without yielding: joints, unlike springs and a grab.
    fn has_joints(&self) -> bool {
        self.problem.rows.iter().any(|row| row.law == Law::Equation && row.compliance == 0.0)
    }

    /// Whether the island is a pile of which no impulse is known: its first step.
    fn is_cold(&self) -> bool {
        self.friction
            && self.is_sparse()
            && self.problem.rows.len() > SMALL
            && self.lambda.iter().all(|lambda| *lambda == 0.0)
    }

    /// Whether the island is not crowded.
    fn is_sparse(&self) -> bool {
        self.problem.rows.len() < CROWD * self.problem.inverse_mass.len()
    }

    fn newton_to_the_end(&mut self, rule: &Rule) -> AttemptOutcome {
        self.start(rule.from);
        let effort = if self.problem.rows.len() > DENSE { LAST_STEPS } else { NewtonEffort::FULL };
        match self.newton.solve(self.problem, self.space, self.tolerance, effort, self.lambda) {
            Ok(solved) => AttemptOutcome::Solved(solved),
            Err(error) => {
                self.ended = true;
                let left = self.left_by(rule, &error);
                AttemptOutcome::Left(Attempt { ending: self.newton.ending, ..left }, Some(error))
            }
        }
    }

    fn homotopy(&mut self, rule: &Rule, effort: PathEffort) -> AttemptOutcome {
        self.start(rule.from);
        let solved = self.homotopy.improve(self.space, self.newton, self.goal(), effort);
        let iterations = self.homotopy.iterations();
        if solved {
            return self.polished(rule, iterations);
        }
        self.keep_best();
        AttemptOutcome::Left(self.left(rule, iterations, self.homotopy.ending), None)
    }

    fn interior(&mut self, rule: &Rule, effort: InteriorEffort) -> AttemptOutcome {
        self.start(rule.from);
        match self.interior.solve(self.space, self.newton, self.tolerance, effort) {
            Ok(solved) => self.polished(rule, solved.iterations),
            Err(error) => {
                self.violation = self.violation.min(self.interior.violation);
                self.keep_best();
                AttemptOutcome::Left(self.left(rule, error.iterations(), self.interior.ending), None)
            }
        }
    }

    /// Sweeps, and follows paths from their end.
    fn descent(&mut self, rule: &Rule, effort: PathEffort) -> AttemptOutcome {
        self.start(rule.from);
        self.spare.resize(self.lambda.len(), 0.0);
        self.space.write_best(self.spare);
        if !Nncg::applies(self.problem) {
            return AttemptOutcome::Left(self.left(rule, 0, Ending::Refused), None);
        }
        let (mut before, residual) = (self.space.best.clone(), self.space.residual);
        let made = self.nncg.sweep(self.problem, SWEEPS, self.spare);
        self.swept = true;
        self.space.begin(self.problem, self.spare);
        let solved = self.homotopy.improve(self.space, self.newton, self.goal(), effort);
        let iterations = made + self.homotopy.iterations();
        if solved {
            return self.polished(rule, iterations);
        }
        if residual < self.space.residual {
            std::mem::swap(&mut self.space.best, &mut before);
            self.space.residual = residual;
        }
        self.keep_best();
        AttemptOutcome::Left(self.left(rule, iterations, self.homotopy.ending), None)
    }

    /// Sweeps over the rows themselves, from whose end the equations are solved, and the other impulses are scaled
    /// until they gain no energy (`dissipative.rs`). If at most the share `most` of the speed is left, that is the
    /// solution, or approximately so.
    fn sweeps(&mut self, rule: &Rule, most: f64) -> AttemptOutcome {
        self.spare.clone_from(self.lambda);
        let (problem, nncg) = (self.problem, &mut *self.nncg);
        let iterations = match self.friction {
            false => nncg.sweep(problem, SWEEPS_WITHOUT_FRICTION, self.lambda),
            true if self.warm <= CLOSE => nncg.sweep(problem, SWEEPS_NEARBY, self.lambda),
            true => nncg.sweep_roughly(problem, SWEEPS, self.lambda),
        };
        let made = dissipate(self.problem, self.equations, self.lambda);
        let residual = if made.is_ok() { self.problem.residual(self.lambda) } else { f64::NAN };
        let left = self.acceptance.at_most(residual);
        let attempt = self.left_with(rule, iterations, residual, Ending::OutOfIterations);
        if left <= most {
            let ending = if residual <= self.tolerance { Ending::Solved } else { Ending::Approximate };
            self.trail.add(Attempt { ending, ..attempt });
            let (solver, iterations) = (attempt.solver, self.trail.iterations());
            return AttemptOutcome::Ended(Ok(Solved::by(solver, iterations)));
        }
        if left.is_finite() {
            self.ended = true;
        } else {
            self.lambda.clone_from(self.spare);
        }
        AttemptOutcome::Left(attempt, None)
    }

    /// Keeps λ of the methods over the bodies after a method that ran to its end, where it is better.
    fn keep_best(&mut self) {
        if self.ended && self.space.residual < self.problem.residual(self.lambda) {
            self.space.write_best(self.lambda);
        }
    }

    fn lemke(&mut self, rule: &Rule) -> AttemptOutcome {
        let values = Values::defaults(dense::lemke::INFO.parameters);
        match lemke::lemke(self.problem, self.acceptance, &values, self.equations, self.lambda) {
            Ok(solved) => AttemptOutcome::Solved(solved),
            Err(error) => {
                // The path may end on a ray although one of the bases of its plain problem is a solution.
                let bases = search(self.problem, self.acceptance, ON_THE_WAY);
                if let Search::Solution(lambda) = &bases {
                    self.lambda.copy_from_slice(lambda);
                    let (solver, dependent) = (rule.by.info().key, self.equations.dependent());
                    let solved =
                        Solved { solver, iterations: error.iterations(), infeasible: false, dependent };
                    return AttemptOutcome::Solved(solved);
                }
                let mut left = self.left_by(rule, &error);
                // Friction rows may take part in a ray, which then proves nothing.
                if matches!(bases, Search::NoSolution(_)) {
                    left.ending = Ending::Infeasible;
                } else if left.ending == Ending::Infeasible {
                    left.ending = Ending::Ray;
                }
                // Only a ray says more than the residual that Newton's method left at its end.
                let says_more = matches!(error, MixedError::Ray { .. });
                AttemptOutcome::Left(left, says_more.then_some(error))
            }
        }
    }

    /// Looks for a proof of infeasibility by the interior point. Without one, the best λ stays that of the attempt before.
    fn proof(&mut self, rule: &Rule) -> AttemptOutcome {
        self.start(rule.from);
        self.spare.clone_from(self.lambda);
        self.space.write_best(self.spare);
        let least = self.interior.least(self.problem, self.space, self.newton);
        let iterations = self.interior.factorisations;
        let left = Attempt { residual: None, ..self.left(rule, iterations, Ending::Unproved) };
        match least {
            Ok(least) => self.violate(left, &least),
            Err(change) if self.is_out_of_reach(change) => self.out_of_reach(left, change),
            Err(_) => {
                self.space.begin(self.problem, self.spare);
                AttemptOutcome::Left(left, None)
            }
        }
    }

    /// Whether newton need not run to its end in an island whose every solution changes a velocity by at least `change`, m/s: a
    /// solution would shoot hundreds of disks that do not fit through each other. In small islands trying costs nothing.
    fn is_out_of_reach(&self, change: f64) -> bool {
        self.problem.rows.len() > DENSE && change > LARGEST_CHANGE * self.acceptance.speed()
    }

    /// Returns newton's own proof that there is no solution at all, or else the error that says how far away every solution is.
    fn out_of_reach(&mut self, left: Attempt, change: f64) -> AttemptOutcome {
        let least = self.newton.least(self.problem, self.space);
        let left = Attempt { iterations: left.iterations + self.newton.factorisations, ..left };
        if let Some(least) = least {
            return self.violate(left, &least);
        }
        self.trail.add(Attempt { ending: Ending::OutOfReach, ..left });
        AttemptOutcome::Ended(Err(MixedError::OutOfReach { change, speed: self.acceptance.speed() }))
    }

    /// Solves a problem that `proof` has proved to have no solution with the least violation: each row's b is moved by its
    /// violation. Where Newton's method does not solve that with friction, the error is followed by `auto/regularized.rs`.
    fn violate(&mut self, proof: Attempt, least: &LeastViolation) -> AttemptOutcome {
        self.trail.add(Attempt { ending: Ending::Infeasible, ..proof });
        let Self { newton, problem, space, lambda, .. } = self;
        let violated = newton.solve_moved(problem, space, self.tolerance, lambda, least);
        AttemptOutcome::Ended(match violated {
            Ok(solved) => Ok(self.solved(Start::WarmStart, solved)),
            Err(error) => {
                let (solver, from, iterations) = (newton::INFO.key, Start::WarmStart, error.iterations());
                let ending = self.newton.ending;
                self.trail.add(Attempt { solver, from, iterations, residual: None, ending });
                Err(error)
            }
        })
    }

    /// Returns the residual that paths seek, and the one that counts as solved.
    fn goal(&self) -> [f64; 2] {
        [SOUGHT * self.tolerance, self.tolerance]
    }

    /// Takes the best λ of `space`, found in so many iterations, as the solution. Paths polish it where its residual is
    /// above the one sought, a tenth of what counts as solved, which never happens at rest. The velocities of bodies
    /// that are then nearly at rest are reduced to rounding.
    fn polished(&mut self, rule: &Rule, mut iterations: usize) -> AttemptOutcome {
        let goal = self.goal();
        if self.space.residual > goal[0] {
            self.space.recall();
            self.homotopy.improve(self.space, self.newton, goal, POLISH);
            iterations += self.homotopy.iterations();
        }
        if self.space.creeps() {
            // In these states once more, since what is left of velocities is larger than rounding.
            self.newton.bring_to_rest(self.space);
            iterations += self.newton.factorisations;
        }
        self.space.write_best(self.lambda);
        let solver = rule.by.info().key;
        AttemptOutcome::Solved(Solved::by(solver, iterations))
    }
}
