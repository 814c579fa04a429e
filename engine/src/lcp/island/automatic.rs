//! The solver `auto`: the attempts of `policy.rs` on one island, one after the other.
//!
//! The first attempt that ends with a solution ends the island. A proof that there is none is followed by the least
//! violation. Every attempt is in the trail.
//!
//! Where friction acts, the first attempt is newton from the warm start. Bodies at rest end there, where their problem is not
//! recognised before: λ of the step before still solves it, and newton's first measurement says so. Only large islands of which no impulse is
//! known are first tried as equations.

use super::entry::{Choice, IslandSolver};
use super::policy::{ATTEMPTS, Attempt, DENSE, Guard, LAST_STEPS, Method, POLISH, SOUGHT};
use super::workspace::{Island, IslandWorkspace};
use super::yielding::Yielding;
use crate::lcp::bodies::homotopy::{Goal, Homotopy, PathEffort};
use crate::lcp::bodies::interior::{Interior, InteriorEffort};
use crate::lcp::bodies::newton::{Least, Newton, NewtonEffort};
use crate::lcp::bodies::space::BodySpace;
use crate::lcp::delassus::dantzig::DantzigMemory;
use crate::lcp::delassus::equations::Equations;
use crate::lcp::delassus::{dantzig, lemke};
use crate::lcp::dense;
use crate::lcp::info::{ACCEPTED, PivotLimit, SolverInfo};
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::MixedProblem;
use crate::lcp::mixed::trail::{self, Ending, Start, Trail};
use crate::lcp::mixed::{Acceptance, certificate};
use crate::parameter::Values;

/// The entry in the table of solvers.
pub(super) static INFO: SolverInfo = SolverInfo {
    key: "auto",
    name: "Automatic",
    summary: "Chooses for each group of bodies and reports who solved: sparse LDLᵀ for joints alone, else Newton; where \
              Newton takes many steps, Dantzig in small groups, homotopy or interior point in large ones.",
    source: "driftlab",
    parameters: &[],
};

/// The policy as a solver.
pub(super) struct Automatic {
    /// Index of an attempt that is not made.
    left_out: Option<usize>,
}

/// All attempts.
pub(super) static AUTOMATIC: Automatic = Automatic { left_out: None };

/// For each attempt, the policy without it: what it is worth shows where it is missing.
pub(super) static LESS_ONE: [Automatic; ATTEMPTS.len()] = {
    let mut all = [const { Automatic { left_out: None } }; ATTEMPTS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index].left_out = Some(index);
        index += 1;
    }
    all
};

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
        Policy::new(problem, workspace).walk(self.left_out)
    }

    fn choice(&self) -> Choice {
        Choice::ByProblem
    }
}

/// The policy at work on one island.
pub(super) struct Policy<'w> {
    pub(super) problem: &'w MixedProblem,
    pub(super) acceptance: &'w Acceptance,
    /// The warm start; behind a method that was made to its end what that has left; then the solution.
    pub(super) lambda: &'w mut Vec<f64>,
    pub(super) spare: &'w mut Vec<f64>,
    equations: &'w mut Equations,
    dantzig: &'w mut DantzigMemory,
    pub(super) space: &'w mut BodySpace,
    pub(super) newton: &'w mut Newton,
    pub(super) homotopy: &'w mut Homotopy,
    pub(super) interior: &'w mut Interior,
    pub(super) trail: &'w mut Trail,
    pub(super) tolerance: f64,
    linear: bool,
    friction: bool,
    /// Whether it is proved that there is no solution.
    pub(super) proved: bool,
    /// The least violation of the rows on any central path, whatever the friction.
    violation: f64,
    entered: bool,
    /// Whether a method has been made to its end: λ is then the best so far, and no longer the warm start.
    ended: bool,
}

/// What an attempt came to.
pub(super) enum Made {
    /// A solution, with the iterations behind it that polished it.
    Solved(Solved, usize),
    /// None, and the error that would say why, where the method was made to its end.
    Left(trail::Attempt, Option<MixedError>),
    /// The proof that there is none.
    Proved(trail::Attempt, Least),
    /// None, and no other attempt can find one.
    Failed(MixedError),
}

impl<'w> Policy<'w> {
    fn new(problem: &'w MixedProblem, workspace: &'w mut IslandWorkspace) -> Self {
        let IslandWorkspace { island, kept, dantzig, spare, trail, .. } = workspace;
        let IslandWorkspace { space, newton, homotopy, interior, .. } = workspace;
        let Island { acceptance, lambda, .. } = island;
        let tolerance = acceptance.tolerance(ACCEPTED);
        let friction = problem.rows.iter().any(|row| row.law.normal().is_some());
        Self {
            problem,
            acceptance,
            lambda,
            spare,
            equations: &mut kept.equations,
            dantzig,
            space,
            newton,
            homotopy,
            interior,
            trail,
            tolerance,
            linear: problem.is_linear(),
            friction,
            proved: false,
            violation: f64::INFINITY,
            entered: false,
            ended: false,
        }
    }

    /// Makes the attempts whose guards hold until one of them ends it.
    fn walk(mut self, left_out: Option<usize>) -> Result<Solved, MixedError> {
        let mut failed = MixedError::NotFinite;
        for (index, attempt) in ATTEMPTS.iter().enumerate() {
            if left_out == Some(index) || !self.holds(attempt.when) {
                continue;
            }
            match self.make(attempt) {
                Made::Solved(solved, polish) => return Ok(self.solved(attempt.from, solved, polish)),
                Made::Left(left, error) => {
                    self.trail.add(left);
                    failed = error.unwrap_or(failed);
                }
                Made::Proved(proof, least) => {
                    self.trail.add(proof);
                    return self.violate(&least);
                }
                Made::Failed(error) => return Err(error),
            }
        }
        Err(failed)
    }

    fn holds(&self, guard: Guard) -> bool {
        match guard {
            Guard::Crowded(rows) => self.rows_per_body() >= rows,
            Guard::NotCrowded(rows) => self.rows_per_body() < rows,
            Guard::EquationsAlone => self.linear,
            Guard::Friction => self.friction,
            Guard::NoFriction => !self.friction,
            Guard::RowsUpTo(most) => self.problem.rows.len() <= most,
            Guard::RowsAbove(few) => self.problem.rows.len() > few,
            Guard::ColdAbove(few) => {
                let cold = self.lambda.iter().all(|lambda| *lambda == 0.0);
                self.problem.rows.len() > few && self.friction && cold
            }
            Guard::FrictionUnproved => self.friction && !self.proved,
            Guard::NoFrictionOrProved => !self.friction || self.proved,
            Guard::Unproved => !self.proved,
            Guard::ProvedOrAbove(share) => {
                let far = || self.space.residual.min(self.violation) > share * self.problem.free_speed();
                self.proved || far() && !certificate::is_feasible_at_rest(self.problem)
            }
        }
    }

    fn rows_per_body(&self) -> usize {
        self.problem.rows.len() / self.problem.weight.len().max(1)
    }

    fn make(&mut self, attempt: &Attempt) -> Made {
        match attempt.by {
            Method::Ldlt => self.ldlt(),
            Method::Sticking => self.sticking(attempt),
            Method::Newton(effort) => self.newton(attempt, effort),
            Method::NewtonToTheEnd => self.newton_to_the_end(attempt),
            Method::Dantzig => self.dantzig(attempt),
            Method::Homotopy(effort) => self.homotopy(attempt, effort),
            Method::Interior(effort) => self.interior(attempt, effort),
            Method::Proof => self.proof(attempt),
            Method::Lemke => self.lemke(attempt),
            Method::Yielding => self.yielding_to_the_end(attempt),
        }
    }

    /// Notes who has solved the island; the iterations are those of the whole trail.
    pub(super) fn solved(&mut self, from: Start, solved: Solved, polish: usize) -> Solved {
        self.trail.add(trail::Attempt {
            solver: solved.solver,
            from,
            iterations: solved.iterations + polish,
            residual: None,
            ending: if solved.infeasible { Ending::LeastViolation } else { Ending::Solved },
        });
        Solved { iterations: self.trail.iterations(), ..solved }
    }

    /// What an attempt over the bodies has left: the residual of its best λ.
    pub(super) fn left(&self, attempt: &Attempt, iterations: usize, ending: Ending) -> trail::Attempt {
        let residual = trail::known(self.acceptance.at_most(self.space.residual));
        trail::Attempt { solver: attempt.by.info().key, from: attempt.from, iterations, residual, ending }
    }

    /// The same of a pivoting method, which says itself what it has left.
    fn left_by(&self, attempt: &Attempt, error: &MixedError) -> trail::Attempt {
        let residual = match *error {
            MixedError::NotConverged { residual, .. } => trail::known(self.acceptance.at_most(residual)),
            _ => None,
        };
        let (iterations, ending) = (error.iterations(), error.ending());
        trail::Attempt { solver: attempt.by.info().key, from: attempt.from, iterations, residual, ending }
    }

    /// Puts λ of the methods over the bodies where an attempt starts.
    fn start(&mut self, from: Start) {
        if !self.entered {
            self.space.enter(self.problem, self.acceptance);
            self.entered = true;
            if from == Start::Best {
                // Nobody has been there before.
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

    fn ldlt(&mut self) -> Made {
        match self.equations.solve_alone(self.problem, self.acceptance, self.lambda) {
            Ok(solved) => Made::Solved(solved, 0),
            Err(error) => Made::Failed(error),
        }
    }

    fn sticking(&mut self, attempt: &Attempt) -> Made {
        self.start(attempt.from);
        match self.newton.stick(self.problem, self.space, self.tolerance) {
            Some(solved) => self.polished(solved),
            None => {
                // Better or not: the best of that λ and of λ = 0, which nobody has chosen.
                self.space.write_best(self.lambda);
                Made::Left(self.left(attempt, self.newton.factorisations(), self.newton.ending()), None)
            }
        }
    }

    fn newton(&mut self, attempt: &Attempt, effort: NewtonEffort) -> Made {
        self.start(attempt.from);
        match self.newton.improve(self.problem, self.space, self.tolerance, effort) {
            Some(solved) => self.polished(solved),
            None => {
                Made::Left(self.left(attempt, self.newton.factorisations(), self.newton.ending()), None)
            }
        }
    }

    fn newton_to_the_end(&mut self, attempt: &Attempt) -> Made {
        self.start(attempt.from);
        let effort = if self.problem.rows.len() > DENSE { LAST_STEPS } else { NewtonEffort::FULL };
        match self.newton.solve(self.problem, self.space, self.tolerance, effort, self.lambda) {
            Ok(solved) => Made::Solved(solved, 0),
            Err(error) => {
                self.ended = true;
                let left = self.left_by(attempt, &error);
                Made::Left(trail::Attempt { ending: self.newton.ending(), ..left }, Some(error))
            }
        }
    }

    fn dantzig(&mut self, attempt: &Attempt) -> Made {
        // A failure leaves the warm start as it is.
        self.spare.clone_from(self.lambda);
        let Self { problem, acceptance, equations, dantzig, spare, .. } = self;
        match dantzig::dantzig(problem, acceptance, PivotLimit::DEFAULT, equations, dantzig, spare) {
            Ok(solved) => {
                self.lambda.clone_from(self.spare);
                Made::Solved(solved, 0)
            }
            Err(error) => {
                let left = self.left_by(attempt, &error);
                self.proved = left.ending == Ending::Infeasible;
                Made::Left(left, None)
            }
        }
    }

    fn homotopy(&mut self, attempt: &Attempt, effort: PathEffort) -> Made {
        self.start(attempt.from);
        let goal = self.goal();
        match self.homotopy.improve(self.problem, self.space, self.newton, goal, effort) {
            Some(solved) => self.polished(solved),
            None => {
                self.keep_best();
                Made::Left(self.left(attempt, self.homotopy.iterations(), self.homotopy.ending()), None)
            }
        }
    }

    fn interior(&mut self, attempt: &Attempt, effort: InteriorEffort) -> Made {
        self.start(attempt.from);
        match self.interior.solve(self.problem, self.space, self.newton, self.tolerance, effort) {
            Ok(solved) => self.polished(solved),
            Err(error) => {
                self.violation = self.violation.min(self.interior.violation());
                self.keep_best();
                Made::Left(self.left(attempt, error.iterations(), self.interior.ending()), None)
            }
        }
    }

    /// Behind a method that was made to its end: λ of the methods over the bodies, where it is better.
    fn keep_best(&mut self) {
        if self.ended && self.space.residual < self.problem.residual(self.lambda) {
            self.space.write_best(self.lambda);
        }
    }

    fn lemke(&mut self, attempt: &Attempt) -> Made {
        let values = Values::defaults(dense::lemke::INFO.parameters);
        match lemke::lemke(self.problem, self.acceptance, &values, self.equations, self.lambda) {
            Ok(solved) => Made::Solved(solved, 0),
            Err(error) => {
                let mut left = self.left_by(attempt, &error);
                if left.ending == Ending::Infeasible {
                    // Rows of friction may take part in this proof, which then is none.
                    left.ending = Ending::Ray;
                }
                // Beside the residual of Newton's method, made to its end, only a ray says more.
                let says_more = matches!(error, MixedError::Ray { .. });
                Made::Left(left, says_more.then_some(error))
            }
        }
    }

    fn yielding_to_the_end(&mut self, attempt: &Attempt) -> Made {
        let Self { problem, acceptance, lambda, space, newton, interior, .. } = self;
        let yielding =
            Yielding { problem, acceptance, space, newton, interior, spent: 0, by: attempt.by.info().key };
        match yielding.exact(lambda) {
            Ok(solved) => Made::Solved(solved, 0),
            Err(iterations) => {
                let left = trail::Attempt { iterations, ..self.left(attempt, 0, Ending::Stalled) };
                Made::Left(trail::Attempt { residual: None, ..left }, None)
            }
        }
    }

    /// The residual that paths seek, and the one that counts as solved.
    fn goal(&self) -> Goal {
        Goal { sought: SOUGHT * self.tolerance, accepted: self.tolerance }
    }

    /// Takes the best λ of `space` as the solution; behind it paths follow only where its residual is above the one sought, a tenth of
    /// what counts as solved: at rest never. Bodies that are then nearly at rest are brought to rest.
    fn polished(&mut self, solved: Solved) -> Made {
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
        Made::Solved(solved, spent)
    }
}
