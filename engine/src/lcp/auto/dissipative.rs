//! An approximate λ that gains no energy: λ of equations exact, and all other impulses scaled until they take energy away.
//!
//! **Energy of an impulse.** With v⁺ = v* + W Jᵀλ, w = J v⁺ + c λ + b and T = ½ vᵀW⁻¹v,
//!
//! ```text
//! T⁺ − T* = ½ λᵀJ (v⁺ + v*) = λᵀw − λᵀb − λᵀc λ − ½ λᵀJ W Jᵀλ
//! ```
//!
//! Of a solution λᵢ wᵢ = 0 in equations, λᵢ wᵢ = 0 in unilateral rows, λᵢ wᵢ = −μ λ_n |wᵢ| in friction, and (λᵢ − λ⁰ᵢ)
//! wᵢ ≤ 0 in bounded rows, where λ⁰ is the impulse nearest to zero within the bounds: zero, unless an impulse is given,
//! as Poisson's law does. So
//!
//! ```text
//! (λ − λ⁰)ᵀw ≤ 0   ⇒   T⁺ − T* ≤ λ⁰ᵀw − λᵀb − λᵀc λ − ½ λᵀJ W Jᵀλ                                             (1)
//! ```
//!
//! holds for a solution. Without given impulses its right-hand side is at most ½ bᵀ(A + C)⁻¹b for every λ, so that
//! energy comes from b alone: from motors, moving bodies, and corrections, not from the method. Where b = 0, as in
//! joints and resting contacts under `none`, T never rises. Sweeps that end early leave λ for which (1) need not hold.
//!
//! **The rule.** Let v(s) be the velocity of λ(s): all rows but equations have λ⁰ + s (λ − λ⁰), and the equations are
//! solved for these by their factors. λ(s), v(s) and w(s) are then linear in s, wᵢ(s) = 0 in equations, and
//!
//! ```text
//! (λ(s) − λ⁰)ᵀw(s) = s (r + s a) ,   r = Σ (λᵢ − λ⁰ᵢ) wᵢ(0) ,   a = Σ (λᵢ − λ⁰ᵢ)(wᵢ(1) − wᵢ(0)) ≥ 0
//! s = 1 if r + a ≤ 0, else max(0, −r/a)                                                                  (1) holds
//! ```
//!
//! The sums run over all rows but equations; a is (λ − λ⁰)ᵀ(S + C)(λ − λ⁰) with the Schur complement S of the equations. λ(s) is
//! within every bound and every cone, since these are convex and contain λ and λ⁰.
//!
//! **Failure**: none. To the rounding of the factors, the equations hold, and the residual of the other rows is
//! measured afterwards.

use crate::lcp::direct::equations::Equations;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use crate::lcp::problem::solution::MixedError;

/// Makes λ, within all bounds, one that satisfies the equations and condition (1).
///
/// # Errors
/// [`MixedError::NotFinite`] if an entry of the equations' matrix is not finite.
pub(super) fn dissipate(
    problem: &MixedProblem,
    equations: &mut Equations,
    lambda: &mut [f64],
) -> Result<(), MixedError> {
    let is_other = |i: &usize| problem.rows[*i].law != Law::Equation;
    let others = || (0..problem.rows.len()).filter(is_other);
    equations.factor(problem)?;
    let (mut v, mut given_v) = (Vec::new(), Vec::new());
    equations.complete(problem, lambda, &mut v); // λ(1), v(1)
    let mut given: Vec<f64> = lambda.to_vec(); // λ⁰, in the equations λ(0)
    for i in others() {
        given[i] = match problem.rows[i].law {
            Law::Bounded { lower, upper } => 0.0_f64.max(lower).min(upper),
            _ => 0.0,
        };
    }
    equations.complete(problem, &mut given, &mut given_v); // λ(0), v(0)
    let (mut r, mut a) = (0.0, 0.0);
    for i in others() {
        let beyond = lambda[i] - given[i];
        let at_given = problem.w(i, &given_v, &given);
        r += beyond * at_given;
        a += beyond * (problem.w(i, &v, lambda) - at_given);
    }
    if r + a > 0.0 {
        let s = (-r / a).max(0.0);
        for (lambda, given) in lambda.iter_mut().zip(&given) {
            *lambda = given + s * (*lambda - given);
        }
    }
    Ok(())
}
