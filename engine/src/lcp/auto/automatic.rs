//! The solver `auto`: the rules of `policy.rs` on one island, one after the other.
//!
//! The first attempt that ends with a solution ends the island. A proof that there is none is followed by the least
//! violation (`infeasible.rs`). Every attempt is in the trail.
//!
//! The first attempt is newton from the warm start: for bodies at rest λ of the step before still solves the problem, and
//! newton's first measurement shows it. Only large islands of which no impulse is known are first tried as equations.

use super::policy::{CROWD, DENSE, Guard, LAST_STEPS, Method, POLISH, RULES, Rule, SMALL, SOUGHT};
use crate::lcp::body_space::BodySpace;
use crate::lcp::dense;
use crate::lcp::direct::equations;
use crate::lcp::direct::equations::Equations;
use crate::lcp::homotopy::{Homotopy, PathEffort, ResidualGoal};
use crate::lcp::info::{ACCEPTED, SolverInfo};
use crate::lcp::interior::{Interior, InteriorEffort};
use crate::lcp::islands::workspace::{Island, IslandSolver, IslandWorkspace};
use crate::lcp::newton::{LeastViolation, Newton, NewtonEffort};
use crate::lcp::pivoting::branches::{self, ON_THE_WAY};
use crate::lcp::pivoting::lemke;
use crate::lcp::pivoting::state_enumeration::Enumeration;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{MixedError, Solved};
use crate::lcp::problem::trail;
use crate::lcp::problem::trail::{Attempt, Ending, Start, Trail};
use crate::lcp::problem::{Acceptance, certificate};
use crate::lcp::{homotopy, interior, newton};
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

/// The policy as a solver, with all its methods or without one, so that the worth of each method can be measured.
pub(crate) struct Automatic {
    without: Option<&'static SolverInfo>,
}

/// All methods.
pub(crate) static AUTOMATIC: Automatic = Automatic { without: None };

/// For each method, the policy without it.
pub(crate) static LESS_ONE: [Automatic; 5] = [
    Automatic { without: Some(&equations::INFO) },
    Automatic { without: Some(&newton::INFO) },
    Automatic { without: Some(&homotopy::INFO) },
    Automatic { without: Some(&interior::INFO) },
    Automatic { without: Some(&dense::lemke::INFO) },
];

impl Automatic {
    /// Key of the method that is left out.
    pub fn lacks(&self) -> Option<&'static str> {
        self.without.map(|method| method.key)
    }
}

impl IslandSolver for Automatic {
    fn info(&self) -> &'static SolverInfo {
        &INFO
    }

    fn solve(
        &self,
        _: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError> {
        Policy::new(problem, workspace).walk(self.without)
    }
}

/// The policy at work on one island.
pub(crate) struct Policy<'w> {
    pub(crate) problem: &'w MixedProblem,
    pub(crate) acceptance: &'w Acceptance,
    /// The warm start; after a method that ran to its end, the λ it left; at last the solution.
    pub(crate) lambda: &'w mut Vec<f64>,
    pub(crate) spare: &'w mut Vec<f64>,
    equations: &'w mut Equations,
    pub(crate) space: &'w mut BodySpace,
    pub(crate) newton: &'w mut Newton,
    pub(crate) homotopy: &'w mut Homotopy,
    pub(crate) interior: &'w mut Interior,
    pub(crate) trail: &'w mut Trail,
    /// Largest ‖r‖∞ at which the island counts as solved.
    pub(crate) tolerance: f64,
    /// Whether there is friction.
    friction: bool,
    /// The least violation of the rows on any central path, whatever the friction.
    violation: f64,
    /// Whether `space` holds the island already.
    entered: bool,
    /// Whether a method has run to its end: λ is then the best so far, and no longer the warm start.
    ended: bool,
}

/// The outcome of an attempt.
pub(crate) enum AttemptOutcome {
    /// A solution, and the number of iterations that polished it afterwards.
    Solved(Solved, usize),
    /// No solution; if the method ran to its end, the error that says why.
    Left(Attempt, Option<MixedError>),
    /// The proof that there is none.
    Infeasible(Attempt, LeastViolation),
    /// No solution, and no other attempt can find one.
    Failed(MixedError),
}

impl<'w> Policy<'w> {
    fn new(problem: &'w MixedProblem, workspace: &'w mut IslandWorkspace) -> Self {
        let IslandWorkspace { island, kept, spare, trail, space, newton, homotopy, interior, .. } =
            workspace;
        let Island { acceptance, lambda, .. } = island;
        Self {
            problem,
            acceptance,
            lambda,
            spare,
            equations: &mut kept.equations,
            space,
            newton,
            homotopy,
            interior,
            trail,
            tolerance: acceptance.tolerance(ACCEPTED),
            friction: problem.rows.iter().any(|row| row.law.normal().is_some()),
            violation: f64::INFINITY,
            entered: false,
            ended: false,
        }
    }

    /// Makes the attempts whose guards hold until one of them ends the island; leaves out the method `without`.
    fn walk(mut self, without: Option<&'static SolverInfo>) -> Result<Solved, MixedError> {
        let mut failed = MixedError::NotFinite;
        for rule in &RULES {
            let is_left_out = without.is_some_and(|method| std::ptr::eq(method, rule.by.info()));
            if is_left_out || !self.holds(rule.when) {
                continue;
            }
            match self.make(rule) {
                AttemptOutcome::Solved(solved, polish) => return Ok(self.solved(rule.from, solved, polish)),
                AttemptOutcome::Left(left, error) => {
                    self.trail.add(left);
                    failed = error.unwrap_or(failed);
                }
                AttemptOutcome::Infeasible(proof, least) => {
                    self.trail.add(proof);
                    return self.violate(&least);
                }
                AttemptOutcome::Failed(error) => return Err(error),
            }
        }
        Err(failed)
    }

    fn holds(&self, guard: Guard) -> bool {
        let rows = &self.problem.rows;
        match guard {
            Guard::Any => true,
            Guard::EquationsAlone => self.problem.is_linear(),
            Guard::Friction => self.friction && self.is_sparse(),
            Guard::Sparse => self.is_sparse(),
            Guard::SparseAbove(few) => rows.len() > few && self.is_sparse(),
            Guard::RowsUpTo(most) => rows.len() <= most,
            Guard::RowsAbove(few) => rows.len() > few,
            Guard::Far(share) => {
                self.space.residual.min(self.violation) > share * self.problem.free_speed()
                    && !certificate::is_feasible_at_rest(self.problem)
            }
        }
    }

    fn make(&mut self, rule: &Rule) -> AttemptOutcome {
        match rule.by {
            Method::Ldlt => self.ldlt(),
            Method::Newton(effort) => self.newton(rule, effort),
            Method::NewtonToTheEnd => self.newton_to_the_end(rule),
            Method::Homotopy(effort) => self.homotopy(rule, effort),
            Method::Interior(effort) => self.interior(rule, effort),
            Method::Proof => self.proof(rule),
            Method::Lemke => self.lemke(rule),
        }
    }

    /// Adds the attempt that solved the island to the trail; returns the iterations of the whole trail.
    pub(crate) fn solved(&mut self, from: Start, solved: Solved, polish: usize) -> Solved {
        self.trail.add(Attempt {
            solver: solved.solver,
            from,
            iterations: solved.iterations + polish,
            residual: None,
            ending: if solved.infeasible { Ending::LeastViolation } else { Ending::Solved },
        });
        Solved { iterations: self.trail.iterations(), ..solved }
    }

    /// Describes an attempt over the bodies that found no solution, with the residual of its best λ.
    pub(crate) fn left(&self, rule: &Rule, iterations: usize, ending: Ending) -> Attempt {
        let residual = trail::known(self.acceptance.at_most(self.space.residual));
        Attempt { solver: rule.by.info().key, from: rule.from, iterations, residual, ending }
    }

    /// Describes an attempt of a pivoting method, whose error says which residual is left.
    fn left_by(&self, rule: &Rule, error: &MixedError) -> Attempt {
        let residual = match *error {
            MixedError::NotConverged { residual, .. } => trail::known(self.acceptance.at_most(residual)),
            _ => None,
        };
        let (iterations, ending) = (error.iterations(), error.ending());
        Attempt { solver: rule.by.info().key, from: rule.from, iterations, residual, ending }
    }

    /// Sets λ of the methods over the bodies to the attempt's start.
    fn start(&mut self, from: Start) {
        if !self.entered {
            self.space.enter(self.problem, self.acceptance);
            self.entered = true;
            if from == Start::Best {
                // No attempt has entered the island before.
                self.space.begin(self.problem, self.lambda);
            }
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
            Ok(solved) => AttemptOutcome::Solved(solved, 0),
            Err(error) => AttemptOutcome::Failed(error),
        }
    }

    fn newton(&mut self, rule: &Rule, [friction, without]: [NewtonEffort; 2]) -> AttemptOutcome {
        self.start(rule.from);
        let mut spent = 0;
        if self.is_cold() {
            let stuck = self.newton.stick(self.problem, self.space, self.tolerance);
            if let Some(solved) = stuck {
                return self.polished(solved);
            }
            spent = self.newton.factorisations();
            // The better of this λ and of the start λ = 0.
            self.space.write_best(self.lambda);
            self.space.begin(self.problem, self.lambda);
        }
        let effort = if self.friction { friction } else { without };
        match self.newton.improve(self.problem, self.space, self.tolerance, effort) {
            Some(solved) => self.polished(Solved { iterations: solved.iterations + spent, ..solved }),
            None => {
                let iterations = spent + self.newton.factorisations();
                AttemptOutcome::Left(self.left(rule, iterations, self.newton.ending()), None)
            }
        }
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
        self.problem.rows.len() < CROWD * self.problem.weight.len()
    }

    fn newton_to_the_end(&mut self, rule: &Rule) -> AttemptOutcome {
        self.start(rule.from);
        let effort = if self.problem.rows.len() > DENSE { LAST_STEPS } else { NewtonEffort::FULL };
        match self.newton.solve(self.problem, self.space, self.tolerance, effort, self.lambda) {
            Ok(solved) => AttemptOutcome::Solved(solved, 0),
            Err(error) => {
                self.ended = true;
                let left = self.left_by(rule, &error);
                AttemptOutcome::Left(Attempt { ending: self.newton.ending(), ..left }, Some(error))
            }
        }
    }

    fn homotopy(&mut self, rule: &Rule, effort: PathEffort) -> AttemptOutcome {
        self.start(rule.from);
        let goal = self.goal();
        match self.homotopy.improve(self.problem, self.space, self.newton, goal, effort) {
            Some(solved) => self.polished(solved),
            None => {
                self.keep_best();
                AttemptOutcome::Left(
                    self.left(rule, self.homotopy.iterations(), self.homotopy.ending()),
                    None,
                )
            }
        }
    }

    fn interior(&mut self, rule: &Rule, effort: InteriorEffort) -> AttemptOutcome {
        self.start(rule.from);
        match self.interior.solve(self.problem, self.space, self.newton, self.tolerance, effort) {
            Ok(solved) => self.polished(solved),
            Err(error) => {
                self.violation = self.violation.min(self.interior.violation());
                self.keep_best();
                AttemptOutcome::Left(self.left(rule, error.iterations(), self.interior.ending()), None)
            }
        }
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
            Ok(solved) => AttemptOutcome::Solved(solved, 0),
            Err(error) => {
                // The path may end on a ray although one of the bases of its plain problem is a solution.
                let bases = branches::settle(self.problem, self.acceptance, ON_THE_WAY, &mut Vec::new());
                if let Enumeration::Solution(lambda) = bases {
                    self.lambda.copy_from_slice(&lambda);
                    let (solver, dependent) = (rule.by.info().key, self.equations.dependent());
                    let solved =
                        Solved { solver, iterations: error.iterations(), infeasible: false, dependent };
                    return AttemptOutcome::Solved(solved, 0);
                }
                let mut left = self.left_by(rule, &error);
                if left.ending == Ending::Infeasible {
                    // Friction rows may take part in the ray, which then proves nothing.
                    left.ending = Ending::Ray;
                }
                // Only a ray says more than the residual that Newton's method left at its end.
                let says_more = matches!(error, MixedError::Ray { .. });
                AttemptOutcome::Left(left, says_more.then_some(error))
            }
        }
    }

    /// Returns the residual that paths seek, and the one that counts as solved.
    fn goal(&self) -> ResidualGoal {
        ResidualGoal { sought: SOUGHT * self.tolerance, accepted: self.tolerance }
    }

    /// Takes the best λ of `space` as the solution. Paths polish it where its residual is above the one sought, a tenth of what
    /// counts as solved, which never happens at rest. Bodies that are then nearly at rest are brought to rest.
    fn polished(&mut self, solved: Solved) -> AttemptOutcome {
        let goal = self.goal();
        let mut spent = 0;
        if self.space.residual > goal.sought {
            self.space.recall();
            let further = self.homotopy.improve(self.problem, self.space, self.newton, goal, POLISH);
            spent = further.map_or(self.homotopy.iterations(), |solved| solved.iterations);
        }
        if self.space.creeps(self.problem) {
            self.newton.settle(self.problem, self.space);
            spent += self.newton.factorisations();
        }
        self.space.write_best(self.lambda);
        AttemptOutcome::Solved(solved, spent)
    }
}
