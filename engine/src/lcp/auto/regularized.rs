//! The last resort of the solver `auto`: regularises all rows, then removes the regularisation by the method of multipliers.
//!
//! **Problem**: the mixed problem with a compliance C on every row but friction, and an offset that compensates it,
//!
//! ```text
//! w = J v + (c + C) λ + b − C λₖ ,   Cᵢ = Aᵢᵢ/κ ,   λ₀ = 0 , λₖ₊₁ the solution
//! ```
//!
//! **It always has a solution, and Lemke's method finds it**, where friction has the law |λ_t| ≤ μ λ_n, even if rows contradict
//! each other. In the plain form of `pivoting/polyhedral.rs`, z = (λ, s, β, γ) ≥ 0, the terms of γ and s cancel but for μ λ_n γ ≥
//! 0:
//!
//! ```text
//! zᵀM z = λᵀ(J W Jᵀ + C) λ + Σ μ λ_n γ ≥ 0                                        M is copositive
//! zᵀM z = 0  ⇒  λ_i = 0 of every row with C_i > 0 ,  and M z ≥ 0  ⇒  μ λ_n − β₁ − β₂ ≥ 0  ⇒  β = 0
//!            ⇒  z = (0, s, 0, γ) ,  zᵀq = Σ (u − l) s ≥ 0
//! ```
//!
//! and for a copositive M with zᵀq ≥ 0 on all these z the method ends at a solution [Anitescu & Potra 1997; Cottle, Pang & Stone
//! 1992, 4.4.13]. Rows that slide in a given direction (λ_t = s λ_n, the acceleration level) make J W Jᵀ unsymmetric, and the
//! theorem does not hold for them: see `MixedError::Ray`.
//!
//! **A problem with a solution is solved**: the iteration is the method of multipliers [Rockafellar 1976]. Where the problem has
//! a solution λₖ tends to it, and Newton's method takes over near it. The result is judged like that of any other method.
//!
//! **A problem without one is solved with the least violation.** Without friction each step is the minimum of ½‖v − v*‖²_M + ½ κ
//! Σ (wᵢ⁻)²/Aᵢᵢ, so that for κ → ∞ the velocity is the one of least violation in the norm Σ wᵢ²/Aᵢᵢ, weighted by the rows'
//! effective masses, and of these the nearest to v*; the steps Δλ tend to Farkas' certificate (`problem/certificate.rs`), and C
//! Δλ to that violation. With friction there is no such principle: the result solves exactly, Coulomb's law included, the problem
//! whose b is moved by the violation.
//!
//! **Bounded**: a velocity changes by at most [`LARGEST_CHANGE`] times the problem's speed, which is what its constraints ask
//! for; where rows that nearly contradict each other would need more, κ falls. With κ → 0 rows cease to push, and only given
//! impulses are left: those of motors, and of rebounds by Poisson's law. If these change a velocity by more, their change
//! replaces the speed.
//!
//! **Failure**: only for rows that slide in a given direction, and overflow. Where rounding spoils every κ, sweeps take over.

use super::policy::TABLEAU;
use crate::lcp::body_space::{BodySpace, pgs};
use crate::lcp::dense;
use crate::lcp::info::ACCEPTED;
use crate::lcp::interior::{Interior, InteriorEffort, YIELDED};
use crate::lcp::islands::island_memory::{Island, IslandWorkspace};
use crate::lcp::newton::{Newton, NewtonEffort};
use crate::lcp::pivoting::branches;
use crate::lcp::pivoting::branches::{AT_THE_END, Effort, ON_THE_WAY};
use crate::lcp::pivoting::lemke;
use crate::lcp::pivoting::state_enumeration::Enumeration;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::certificate;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use crate::lcp::problem::solution::{MixedError, Solved};
use crate::lcp::problem::trail::{Attempt, Ending, Start};
use crate::parameter::Values;

/// Values of κ, each tried where the one before gives no solution within the bound. The violation is underestimated by a share of
/// 1/κ, and rounding is ε κ of the problem's speed.
const KAPPA: [f64; 10] = [1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, LEAST_KAPPA];
const LEAST_KAPPA: f64 = 1e-3;
/// With rows that slide in a given direction a smaller κ would be a spring in place of a contact.
const LEAST_SLIDING_KAPPA: f64 = 1e4;
/// Largest change of a body's velocity, in units of the problem's speed or, if that is larger, of the change by given impulses:
/// ten times what is asked for counts as an explosion.
pub(crate) const LARGEST_CHANGE: f64 = 10.0;
/// Steps of the method of multipliers: at κ = 1e6 a step gains up to six digits, so that twelve are plenty. A step that does not
/// at least halve the residual shows that the problem has no solution, or that rounding has been reached.
const MULTIPLIERS: usize = 12;
const FALLING: f64 = 0.5;
/// Residual, as a share of the problem's speed, below which Newton's method takes over: most states are then those of the
/// solution.
const NEAR: f64 = 1e-2;
/// A λ whose residual is within this multiple of what counts as solved, a digit less, is accepted and reported where there is no
/// better.
const NEARLY: f64 = 10.0;
/// In islands too large for Lemke's method, the best λ of earlier attempts is accepted if its residual is at most this share of
/// the problem's speed: rows regularised by the first κ would leave as much.
const AS_NEAR: f64 = 1.0 / KAPPA[0];

/// The outcome for an island that no other attempt has solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegularizedOutcome {
    /// The solver and its iterations; infeasible where rows are violated.
    pub solved: Solved,
    /// Whether nothing proves that there is no solution.
    pub unproved: bool,
}

impl RegularizedOutcome {
    /// The attempt as the trail records it.
    pub fn attempt(&self) -> Attempt {
        let ending = match (self.solved.infeasible, self.unproved) {
            (true, true) => Ending::Yielded,
            (true, false) => Ending::LeastViolation,
            (false, true) => Ending::Nearly,
            (false, false) => Ending::Solved,
        };
        let Solved { solver, iterations, .. } = self.solved;
        Attempt { solver, from: Start::Own, iterations, residual: None, ending }
    }
}

/// An island, and the methods over the bodies that solve it where it is too large for Lemke's method.
pub(crate) struct Regularized<'w> {
    pub problem: &'w MixedProblem,
    pub acceptance: &'w Acceptance,
    pub space: &'w mut BodySpace,
    pub newton: &'w mut Newton,
    pub interior: &'w mut Interior,
    /// Pivots and factorisations so far.
    pub spent: usize,
    /// Key of the solver that has solved last.
    pub by: &'static str,
}

/// The end of the method of multipliers without a solution.
struct MultiplierStall {
    /// λ of the step with the least residual of the problem as posed, and that residual.
    last: Vec<f64>,
    residual: f64,
    /// The change of λ by the last step.
    step: Vec<f64>,
}

/// The result of the regularised iteration.
enum Approximation {
    /// The solution of the problem as posed.
    Solution(Vec<f64>),
    /// No solution: λ of the least violation, and where the method of multipliers ended.
    Least(Vec<f64>, MultiplierStall),
    /// Not even the regularised rows have a solution.
    Nothing,
}

impl<'w> Regularized<'w> {
    /// Borrows the island of `workspace`; returns its λ separately.
    pub fn of(problem: &'w MixedProblem, workspace: &'w mut IslandWorkspace) -> (Self, &'w mut Vec<f64>) {
        let IslandWorkspace { island, space, newton, interior, .. } = workspace;
        let Island { acceptance, lambda, .. } = island;
        (
            Self { problem, acceptance, space, newton, interior, spent: 0, by: dense::lemke::INFO.key },
            lambda,
        )
    }

    /// Tries the combinations of states of the island. Newton's method refines one that is a solution but for rounding.
    fn settle(&mut self, effort: Effort) -> Enumeration {
        let mut near = Vec::new();
        match branches::settle(self.problem, self.acceptance, effort, &mut near) {
            Enumeration::Open if !near.is_empty() && self.refine(&mut near).is_some() => {
                Enumeration::Solution(near)
            }
            settled => settled,
        }
    }

    /// Solves the island, or violates its rows least.
    ///
    /// # Errors
    /// Rows slide in a given direction, and not even the regularised rows have a solution; if that is proved,
    /// [`MixedError::NoSolution`].
    pub fn least(mut self, lambda: &mut [f64]) -> Result<RegularizedOutcome, Option<MixedError>> {
        if self.problem.rows.len() > TABLEAU
            && self.acceptance.at_most(self.problem.residual(lambda)) <= AS_NEAR
        {
            return Ok(self.outcome(true, true));
        }
        let found = match self.approach() {
            Approximation::Solution(found) => found,
            Approximation::Least(_, near)
                if near.residual <= NEARLY * self.acceptance.tolerance(ACCEPTED) =>
            {
                lambda.copy_from_slice(&near.last);
                return Ok(self.outcome(false, true));
            }
            Approximation::Least(found, MultiplierStall { step, .. }) => {
                lambda.copy_from_slice(&found);
                let least = self.outcome(true, false);
                if certificate::proves(self.problem, &step) {
                    return Ok(least);
                }
                match self.settle(ON_THE_WAY) {
                    Enumeration::Solution(found) => found,
                    open => return Ok(RegularizedOutcome { unproved: open == Enumeration::Open, ..least }),
                }
            }
            Approximation::Nothing => match self.settle(AT_THE_END) {
                Enumeration::Solution(found) => found,
                open if !self.problem.slides() => {
                    self.spent += sweep(self.problem, lambda);
                    self.by = dense::pgs::INFO.key;
                    return Ok(self.outcome(true, open == Enumeration::Open));
                }
                Enumeration::NoSolution(combinations) => {
                    return Err(Some(MixedError::NoSolution { combinations }));
                }
                Enumeration::Open => return Err(None),
            },
        };
        lambda.copy_from_slice(&found);
        Ok(self.outcome(false, false))
    }

    /// Makes Newton's steps from λ, which becomes the solution where they find one.
    fn refine(&mut self, lambda: &mut [f64]) -> Option<Solved> {
        let Self { problem, acceptance, space, newton, .. } = self;
        space.enter(problem, acceptance, lambda);
        let solved = newton.improve(space, acceptance.tolerance(ACCEPTED), NewtonEffort::FULL);
        self.spent += self.newton.factorisations;
        self.space.write_best(lambda);
        solved
    }

    fn outcome(&self, infeasible: bool, unproved: bool) -> RegularizedOutcome {
        let solved = Solved { solver: self.by, iterations: self.spent, infeasible, dependent: 0 };
        RegularizedOutcome { solved, unproved }
    }

    fn approach(&mut self) -> Approximation {
        let problem = self.problem;
        let sliding = problem.slides();
        let mut near = None;
        let mut most = LARGEST_CHANGE * self.acceptance.speed();
        let mut bounded = false;
        for kappa in KAPPA {
            if sliding && kappa < LEAST_SLIDING_KAPPA {
                break;
            }
            let soft = softened(problem, kappa);
            let Some(first) = self.solve(&soft) else { continue };
            if near.is_none() {
                // A solution may be farther away than the least violation may lead.
                match self.multiply(soft, first.clone()) {
                    Ok(found) => return Approximation::Solution(found),
                    Err(approach) => near = Some(approach),
                }
            }
            let change = largest_change(problem, &first);
            if change > most && !bounded {
                // Impulses of motors and rebounds are no violation.
                let given = self.solve(&softened(problem, LEAST_KAPPA));
                let given = given.map_or(0.0, |given| largest_change(problem, &given));
                (most, bounded) = (most.max(LARGEST_CHANGE * given), true);
            }
            if let Some(near) = near.take_if(|_| change <= most) {
                return Approximation::Least(first, near);
            }
        }
        match near {
            Some(near) if near.residual <= NEARLY * self.acceptance.tolerance(ACCEPTED) => {
                Approximation::Least(near.last.clone(), near)
            }
            _ => Approximation::Nothing,
        }
    }

    /// Runs the method of multipliers from `first`, which solves `soft`.
    fn multiply(&mut self, mut soft: MixedProblem, first: Vec<f64>) -> Result<Vec<f64>, MultiplierStall> {
        let (problem, acceptance) = (self.problem, self.acceptance);
        let (mut last, mut step, mut present) = (first.clone(), first.clone(), first);
        let mut residual = f64::INFINITY;
        for _ in 0..MULTIPLIERS {
            let left = problem.residual(&present);
            if acceptance.admits(problem, &present, left, ACCEPTED) {
                return Ok(present);
            }
            let fell = left <= FALLING * residual;
            if left < residual {
                (residual, last) = (left, present.clone());
            }
            if !fell {
                break;
            }
            take_back(&mut soft, problem, &present);
            let Some(next) = self.solve(&soft) else { break };
            step = next.iter().zip(&present).map(|(next, present)| next - present).collect();
            present = next;
        }
        if acceptance.at_most(residual) <= NEAR {
            let mut refined = last.clone();
            let solved = self.refine(&mut refined);
            if self.space.residual < residual {
                (residual, last) = (self.space.residual, refined);
            }
            if let Some(solved) = solved {
                self.by = solved.solver;
                return Ok(last);
            }
        }
        Err(MultiplierStall { last, residual, step })
    }

    /// Returns λ of the regularised problem: by Lemke's method, in islands too large for it by the methods over the bodies.
    fn solve(&mut self, soft: &MixedProblem) -> Option<Vec<f64>> {
        if soft.rows.len() <= TABLEAU
            && let Some((found, pivots)) = lemke::unjudged(soft)
        {
            self.spent += pivots;
            self.by = dense::lemke::INFO.key;
            return Some(found);
        }
        let Self { space, newton, interior, .. } = self;
        let tolerance = YIELDED * soft.free_speed();
        let mut lambda = vec![0.0; soft.rows.len()];
        space.enter(soft, &Acceptance::of(soft), &lambda);
        let mut solved = newton.improve(space, tolerance, NewtonEffort::FULL);
        self.spent += newton.factorisations;
        if solved.is_none() {
            space.begin(soft, &lambda);
            solved = interior.solve(space, newton, tolerance, InteriorEffort::FULL).ok();
            self.spent += interior.factorisations;
        }
        space.write_best(&mut lambda);
        self.by = solved?.solver;
        Some(lambda)
    }
}

/// Gives the rows of `soft`, which is `problem` with more compliance, the offset −C λₖ for λₖ = `lambda`.
pub(crate) fn take_back(soft: &mut MixedProblem, problem: &MixedProblem, lambda: &[f64]) {
    for ((soft, row), lambda) in soft.rows.iter_mut().zip(&problem.rows).zip(lambda) {
        soft.bias = row.bias - (soft.compliance - row.compliance) * lambda;
    }
}

/// Returns `problem` with the compliance Aᵢᵢ/κ on every row but friction. Rows that move nothing stay without λ.
pub(crate) fn softened(problem: &MixedProblem, kappa: f64) -> MixedProblem {
    let mut soft = problem.clone();
    for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
        let diagonal = row.diagonal(&problem.weight);
        if diagonal > 0.0 {
            row.compliance += diagonal / kappa;
        } else {
            row.law = Law::Bounded { lower: 0.0, upper: 0.0 };
        }
    }
    soft
}

/// Solves the rows with κ = 1 by sweeps, which divide by Aᵢᵢ alone, where rounding spoils every other method: for bodies that a
/// blow-up has carried 10⁹ m away, or masses in a ratio of 10¹³. Returns the number of sweeps.
pub(crate) fn sweep(problem: &MixedProblem, lambda: &mut [f64]) -> usize {
    lambda.fill(0.0);
    let values = Values::defaults(dense::pgs::INFO.parameters);
    let (soft, mut v) = (softened(problem, 1.0), Vec::new());
    pgs::sweep(&soft, &values, ACCEPTED * soft.free_speed(), lambda, &mut v)
}

/// Returns the largest change of a body's velocity.
pub(crate) fn largest_change(problem: &MixedProblem, lambda: &[f64]) -> f64 {
    let mut v = Vec::new();
    problem.velocity(lambda, &mut v);
    problem.largest_difference(&v, &problem.free)
}
