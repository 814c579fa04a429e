//! Dantzig's method for contacts with friction and for bounded rows: rows are satisfied one at a time.
//!
//! **Problem**: the mixed problem of `mixed/problem.rs`, its equations eliminated: w = A λ + q over the other rows, A dense,
//! symmetric and positive semidefinite.
//!
//! **Invariant**: the rows met so far are satisfied. Each is clamped (w = 0, λ within its bounds), at a lower
//! (w ≥ 0) or upper bound (w ≤ 0), slides at ±μ λ_n, or idles (w = 0 already, λ as it is). A row i that is not
//! satisfied is *driven*: λᵢ moves against wᵢ and drags the others along,
//!
//! ```text
//! Δλ_S = ±μ Δλ_n of the sliding rows ,   A_CC Δλ_C + A_CS Δλ_S = −A_Ci Δλᵢ ,   Δw = A Δλ
//! ```
//!
//! until wᵢ = 0, λᵢ meets its bound, or another row has to change its status: then it does, and its complement
//! enters next (`active_set.rs`, `event.rs`). The system of the clamped rows is kept as an inverse that each event changes by one row or
//! column (`basis.rs`).
//!
//! **Classes**: without friction every solvable problem. With it the matrix of the states is neither symmetric
//! nor semidefinite: the rows met so far may have several solutions, and a drive may lead back to where λᵢ began, at
//! another of them. Then the rows are driven in another order (`order.rs`).
//!
//! **Failure**: [`MixedError::NotApplicable`] where no order ends, with the reason of the first,
//! [`MixedError::Ray`] where nothing stops a row, with its certificate if friction takes no part;
//! [`MixedError::NotConverged`] where rounding has spoilt the result. The answer is judged by the residual of the problem as
//! given.
//!
//! Source: [Baraff 1994, §4 and §5]; [Cottle & Dantzig 1968]; [Cottle, Pang & Stone 1992, §4.3], the asymmetric
//! version of the principal pivoting method.
//!
//! Departures:
//! 1. Baraff's dynamic friction keeps its direction; here a sliding row may stick again and turn round, so that
//!    Coulomb's law holds at the end.
//! 2. Baraff exchanges rows of the clamped set in pairs, which needs a principal pivot each; here single variables are
//!    exchanged as in the asymmetric version, whose pivots are the rates that the events have met, and the clamped set
//!    is square again when a drive ends.
//! 3. Rows that depend on clamped ones idle instead of entering a singular system.
//! 4. The normal rows are driven first, then friction; Baraff goes contact by contact.
//! 5. Where the states of the warm start solve the problem as they are, nothing is driven (`warm.rs`).
//! 6. Ties are taken within rounding and broken by the size of the pivot; where degenerate changes of state lead
//!    nowhere, by a perturbed q, whose final states are solved for q itself.

mod active_set;
mod basis;
mod event;
mod order;
mod point;

use super::warm::{self, GuessedBasis};
use crate::lcp::delassus::equations::Equations;
use crate::lcp::delassus::rows::Rows;
use crate::lcp::dense;
use crate::lcp::info::{ACCEPTED, PivotLimit};
use crate::lcp::mixed::acceptance::Acceptance;
use crate::lcp::mixed::certificate;
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::problem::{Law, MixedProblem};
use crate::math::largest;
use active_set::{ActiveSet, AttemptMemory};
use glam::DVec3;
use order::Order;

/// The order of the rows in one attempt, and the perturbation.
struct Attempt {
    order: Order,
    /// q is moved upwards by up to this share of the largest, which tells ties apart; the answer is that of q itself.
    spread: f64,
}

/// The attempts, each made where the one before has failed.
const ATTEMPTS: [Attempt; 6] = [
    Attempt { order: Order::Normals, spread: 0.0 },
    Attempt { order: Order::Violated, spread: 0.0 },
    Attempt { order: Order::Contacts, spread: 0.0 },
    Attempt { order: Order::Contacts, spread: 1e-6 },
    Attempt { order: Order::Slipping, spread: 1e-6 },
    Attempt { order: Order::Slipping, spread: 0.0 },
];
/// Events per row of the problem that an attempt may take; after more, another order is more likely to end.
const EVENTS_PER_ROW: usize = 8;

/// Memory of the method, used again by the next solve.
#[derive(Debug, Default)]
pub(in crate::lcp) struct DantzigMemory {
    rows: Rows,
    guessed: GuessedBasis,
    attempt: AttemptMemory,
    v: Vec<DVec3>,
}

/// Solves `problem`; `lambda` becomes the solution.
pub(in crate::lcp) fn dantzig(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    pivots: PivotLimit,
    equations: &mut Equations,
    memory: &mut DantzigMemory,
    lambda: &mut [f64],
) -> Result<Solved, MixedError> {
    let solver = dense::dantzig::INFO.key;
    if problem.rows.iter().any(|row| matches!(row.law, Law::Sliding { .. })) {
        return Err(MixedError::NotApplicable { solver, reason: "friction of a given direction" });
    }
    equations.factor(problem).map_err(|_| MixedError::NotFinite)?;
    let DantzigMemory { rows, guessed, attempt, v } = memory;
    if warm::is_solution(problem, acceptance, lambda, v) {
        return Ok(Solved { solver, iterations: 0, infeasible: false, dependent: equations.dependent() });
    }
    rows.pose(problem, equations);
    if warm::solves(problem, acceptance, equations, rows, guessed, lambda) {
        return Ok(Solved { solver, iterations: 1, infeasible: false, dependent: equations.dependent() });
    }
    if !equations.rows().is_empty() {
        rows.let_held_rest(problem, acceptance.tolerance(ACCEPTED));
    }
    let limit = pivots.for_rows(rows.len());
    let (mut iterations, mut failed) = (0, None);
    for Attempt { order, spread } in &ATTEMPTS {
        let most = (EVENTS_PER_ROW * rows.len().max(EVENTS_PER_ROW)).min(limit - iterations);
        let mut active = ActiveSet::new(rows, attempt, most, *spread);
        let met = active.run(*order);
        iterations = (iterations + active.events).min(limit);
        let error = match met {
            Ok(()) => {
                rows.unscaled(active.point.lambda, lambda);
                equations.complete(problem, lambda, v);
                let (residual, expected) = (problem.residual_in(lambda, v), acceptance.tolerance(ACCEPTED));
                if acceptance.admits(problem, lambda, residual, ACCEPTED) {
                    let dependent = equations.dependent();
                    return Ok(Solved { solver, iterations, infeasible: false, dependent });
                }
                MixedError::NotConverged { solver, residual, expected, iterations }
            }
            Err(Stop::Refused(reason)) => MixedError::NotApplicable { solver, reason },
            Err(Stop::Ray(direction)) => ray(problem, equations, rows, &direction, iterations),
        };
        if matches!(error, MixedError::Ray { infeasible: true, .. }) {
            return Err(error);
        }
        failed.get_or_insert(error);
    }
    Err(failed.unwrap_or(MixedError::NotFinite))
}

/// Solves `problem` in each order from λ = 0, and hands over what each comes to, be it a solution or not; nothing where the method
/// does not apply.
pub(in crate::lcp) fn in_every_order(
    problem: &MixedProblem,
    equations: &mut Equations,
    mut found: impl FnMut(&[f64]),
) {
    let given = problem.rows.iter().any(|row| matches!(row.law, Law::Sliding { .. }));
    if given || equations.factor(problem).is_err() {
        return;
    }
    let (mut rows, mut memory) = (Rows::default(), AttemptMemory::default());
    rows.pose(problem, equations);
    let mut lambda = vec![0.0; problem.rows.len()];
    for Attempt { order, spread } in &ATTEMPTS {
        let most = EVENTS_PER_ROW * rows.len().max(EVENTS_PER_ROW);
        let mut active = ActiveSet::new(&rows, &mut memory, most, *spread);
        if active.run(*order).is_ok() {
            lambda.fill(0.0);
            rows.unscaled(active.point.lambda, &mut lambda);
            equations.complete(problem, &mut lambda, &mut Vec::new());
            found(&lambda);
        }
    }
}

/// Why a drive ended early.
enum Stop {
    Refused(&'static str),
    Ray(Vec<f64>),
}

/// The ray by row of the problem; its proof where friction takes no part.
fn ray(
    problem: &MixedProblem,
    equations: &mut Equations,
    rows: &Rows,
    dlambda: &[f64],
    pivots: usize,
) -> MixedError {
    let mut still = problem.clone();
    still.free.iter_mut().for_each(|v| *v = DVec3::ZERO);
    still.rows.iter_mut().for_each(|row| row.bias = 0.0);
    let mut direction = vec![0.0; still.rows.len()];
    rows.unscaled(dlambda, &mut direction);
    equations.complete(&still, &mut direction, &mut Vec::new());
    let top = largest(direction.iter().copied()).max(f64::MIN_POSITIVE);
    direction.iter_mut().for_each(|x| *x /= top);
    let infeasible = certificate::proves(problem, &direction);
    MixedError::Ray { solver: dense::dantzig::INFO.key, pivots, direction, infeasible }
}
