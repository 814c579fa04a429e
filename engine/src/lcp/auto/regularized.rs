//! The last resort of the solver `auto`: all rows yield a little.
//!
//! **Problem**: the mixed problem with a compliance on every row but friction,
//!
//! ```text
//! w = J v + (c + C) λ + b ,   Cᵢ = Aᵢᵢ/κ
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
//! **It violates the rows least.** Without friction its solution is the minimum of ½‖v − v*‖²_M + ½ κ Σ (wᵢ⁻)²/Aᵢᵢ, so
//! that for κ → ∞ the velocity is the one of least violation in the norm Σ wᵢ²/Aᵢᵢ, weighted by the rows' effective
//! masses, and of these the nearest to v*. With friction there is no such principle: the result solves exactly,
//! Coulomb's law included, the problem whose b is moved by the violation.
//!
//! **A problem with a solution** is solved but for C λ, a share of 1/κ, and Newton's method finds the solution from there. Where
//! there is none, λ tends with κ to κ times Farkas' certificate (`problem/certificate.rs`), and C λ to the violation [Rockafellar
//! 1976].
//!
//! **Bounded**: a velocity changes by at most `LARGEST_CHANGE` times the problem's speed, which is what its constraints ask
//! for; where rows that nearly contradict each other would need more, κ falls. With κ → 0 rows cease to push, and only given
//! impulses are left: those of motors, and of rebounds by Poisson's law. If these change a velocity by more, their change
//! replaces the speed.
//!
//! **Failure**: only for rows that slide in a given direction, and overflow. Where rounding spoils every κ, sweeps take over.

use super::policy::TABLEAU;
use crate::lcp::dense;
use crate::lcp::info::ACCEPTED;
use crate::lcp::interior::{self, InteriorEffort, KAPPA as FIRST_KAPPA, YIELDED};
use crate::lcp::islands::island_memory::IslandWorkspace;
use crate::lcp::newton::{self, NewtonEffort};
use crate::lcp::pgs;
use crate::lcp::pivoting::branches::{AT_THE_END, Search, search};
use crate::lcp::pivoting::lemke;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::certificate;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use crate::lcp::problem::solution::MixedError;
use crate::lcp::problem::trail::{Attempt, Ending};
use crate::parameter::Values;

/// Values of κ, each tried where the one before gives no solution within the bound. The violation is underestimated by a share of
/// 1/κ, and rounding is ε κ of the problem's speed. The first one is that of `interior/infeasibility.rs`, at which λ is a
/// certificate to the digits that its check asks for.
const KAPPA: [f64; 11] = [FIRST_KAPPA, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, LEAST_KAPPA];
const LEAST_KAPPA: f64 = 1e-3;
/// With rows that slide in a given direction a smaller κ would be a spring in place of a contact.
const LEAST_SLIDING_KAPPA: f64 = 1e4;
/// Largest change of a body's velocity, in units of the problem's speed or, if that is larger, of the change by given impulses:
/// ten times what is asked for counts as an explosion.
pub(crate) const LARGEST_CHANGE: f64 = 10.0;
/// Residual, as a share of the problem's speed, below which Newton's method takes over: most states are then those of the
/// solution.
const NEAR: f64 = 1e-2;

/// Solves the island of `workspace` after `error`, or violates its rows least; its λ becomes the result. `proved` says
/// that it has no solution. Returns the attempt as the trail records it.
///
/// # Errors
/// Rows slide in a given direction, and not even the regularised rows have a solution: [`MixedError::NoSolution`] if
/// that is proved, otherwise `error`.
pub(crate) fn least(
    problem: &MixedProblem,
    workspace: &mut IslandWorkspace,
    proved: bool,
    error: MixedError,
) -> Result<Attempt, MixedError> {
    let acceptance = workspace.island.acceptance;
    let least_kappa = if problem.slides() { LEAST_SLIDING_KAPPA } else { LEAST_KAPPA };
    let solver = dense::lemke::INFO.key;
    let mut attempt = Attempt { solver, ending: Ending::Yielded, ..Attempt::default() };
    let mut given = None;
    for kappa in KAPPA.into_iter().filter(|kappa| *kappa >= least_kappa) {
        let Some(found) = solve(&softened(problem, kappa), workspace, &mut attempt) else { continue };
        if proved || certificate::proves(problem, &found) {
            attempt.ending = Ending::LeastViolation;
        }
        workspace.island.lambda.clone_from(&found);
        let is_near = acceptance.at_most(problem.residual(&found)) <= NEAR;
        if is_near && refine(problem, workspace, &mut attempt) {
            return Ok(attempt);
        }
        let change = largest_change(problem, &found);
        if change > LARGEST_CHANGE * acceptance.speed() {
            // Impulses of motors and rebounds are no violation.
            let given = *given.get_or_insert_with(|| {
                let given = solve(&softened(problem, LEAST_KAPPA), workspace, &mut attempt);
                given.map_or(0.0, |given| largest_change(problem, &given))
            });
            if change > LARGEST_CHANGE * given {
                continue;
            }
        }
        workspace.island.lambda = found;
        return Ok(attempt);
    }
    let lambda = &mut workspace.island.lambda;
    if !problem.slides() {
        attempt.iterations += sweep(problem, lambda);
        return Ok(Attempt { solver: pgs::INFO.key, ..attempt });
    }
    match search(problem, &acceptance, AT_THE_END) {
        Search::Solution(found) => {
            *lambda = found;
            Ok(Attempt { ending: Ending::Solved, ..attempt })
        }
        Search::NoSolution(combinations) => Err(MixedError::NoSolution { combinations }),
        Search::Open => Err(error),
    }
}

/// Returns λ of the regularised problem: by Lemke's method, in islands too large for it by the methods over the bodies.
/// Adds the work to `attempt`.
fn solve(soft: &MixedProblem, workspace: &mut IslandWorkspace, attempt: &mut Attempt) -> Option<Vec<f64>> {
    if soft.rows.len() <= TABLEAU
        && let Some((found, pivots)) = lemke::unjudged(soft)
    {
        attempt.iterations += pivots;
        attempt.solver = dense::lemke::INFO.key;
        return Some(found);
    }
    let IslandWorkspace { space, newton, interior, .. } = workspace;
    let tolerance = YIELDED * soft.free_speed();
    let mut lambda = vec![0.0; soft.rows.len()];
    space.enter(soft, &Acceptance::of(soft), &lambda);
    let mut solver = newton::INFO.key;
    let mut solved = newton.improve(space, tolerance, NewtonEffort::FULL);
    attempt.iterations += newton.factorisations;
    if !solved {
        space.begin(soft, &lambda);
        solver = interior::INFO.key;
        solved = interior.solve(space, newton, tolerance, InteriorEffort::FULL).is_ok();
        attempt.iterations += interior.factorisations;
    }
    space.write_best(&mut lambda);
    solved.then(|| {
        attempt.solver = solver;
        lambda
    })
}

/// Makes Newton's steps from λ of the island; returns whether they find a solution, which λ then is.
fn refine(problem: &MixedProblem, workspace: &mut IslandWorkspace, attempt: &mut Attempt) -> bool {
    let tolerance = workspace.island.acceptance.tolerance(ACCEPTED);
    let solved = workspace.improve(problem, tolerance, NewtonEffort::FULL);
    attempt.iterations += workspace.newton.factorisations;
    if solved {
        (attempt.solver, attempt.ending) = (newton::INFO.key, Ending::Solved);
    }
    solved
}

/// Returns `problem` with the compliance Aᵢᵢ/κ on every row but friction. Rows that move nothing stay without λ.
pub(crate) fn softened(problem: &MixedProblem, kappa: f64) -> MixedProblem {
    let mut soft = problem.clone();
    for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
        let diagonal = row.diagonal(&problem.inverse_mass);
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
fn sweep(problem: &MixedProblem, lambda: &mut [f64]) -> usize {
    lambda.fill(0.0);
    let values = Values::defaults(pgs::INFO.parameters);
    let (soft, mut v) = (softened(problem, 1.0), Vec::new());
    pgs::sweep(&soft, &values, ACCEPTED * soft.free_speed(), lambda, &mut v)
}

/// Returns the largest change of a body's velocity.
fn largest_change(problem: &MixedProblem, lambda: &[f64]) -> f64 {
    let mut v = Vec::new();
    problem.velocity(lambda, &mut v);
    problem.largest_difference(&v, &problem.free)
}
