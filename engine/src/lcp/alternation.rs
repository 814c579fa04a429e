//! Alternation of a direct with an iterative solve: the equations by one factorisation, every other row by sweeps.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`, with E the equations and U all other rows.
//!
//! ```text
//! A_EE λ_E = −(b_E + A_EU λ_U)                       factorised once, v ← v + W J_Eᵀ Δλ_E
//! λᵢ ← Πᵢ(λᵢ − wᵢ/Aᵢᵢ) ,  v ← v + W Jᵢᵀ Δλᵢ          i in U one after the other, k times
//! ```
//!
//! The two are alternated n times, and the equations are solved once more at the end, so that they hold to rounding whatever
//! is left of the other rows. As λ_E is a function of λ_U alone, only λ_U has a warm start.
//!
//! **Convergence.** It is block Gauss–Seidel: without friction 1/2 λᵀA λ + bᵀλ falls in each part. Of two bodies in a hinge, the
//! light one m on a contact and the heavy one M beside it, all on one line, an alternation of k = 1 leaves the share
//! A_UE²/(A_UU A_EE) = M/(m + M) of the error: the contact has the mass of the light body alone in its Aᵢᵢ. In general that share
//! is 1 less the ratio of the contact's own mobility with the joints held to that without them.
//!
//! **Failure**: none. The residual that is left has to be measured.
//!
//! Source: block Gauss–Seidel of two subsystems [Peiret, Andrews, Kövecses, Kry & Teichmann 2019, §2, who replace it by an exact
//! interface]; row by row [Catto 2005].

use super::direct::equations::Equations;
use super::problem::mixed::{Law, MixedProblem};
use super::problem::solution::MixedError;
use glam::DVec3;

/// Buffers of the method, and the pattern of A_EE.
#[derive(Debug, Default)]
pub(crate) struct Alternation {
    equations: Equations,
    /// The rows in U on which an impulse acts, each with its Aᵢᵢ.
    swept: Vec<(usize, f64)>,
    v: Vec<DVec3>,
    /// Equations that depend on others, in the problem solved last.
    pub dependent: usize,
}

impl Alternation {
    /// Alternates `count` times from λ of the rows in U, with `sweeps` sweeps each; returns how often: less where the sweeps
    /// change nothing any more.
    ///
    /// # Errors
    /// [`MixedError::NotFinite`] if an entry of A is not finite.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        [count, sweeps]: [usize; 2],
        lambda: &mut [f64],
    ) -> Result<usize, MixedError> {
        let Self { equations, swept, v, dependent } = self;
        equations.factor(problem)?;
        *dependent = equations.dependent();
        let rows = || problem.rows.iter().enumerate();
        let others = rows().filter(|(_, row)| row.law != Law::Equation);
        swept.clear();
        swept.extend(others.map(|(i, row)| (i, row.diagonal(&problem.inverse_mass))));
        swept.retain(|(_, diagonal)| *diagonal > 0.0);
        equations.rows.iter().for_each(|&i| lambda[i as usize] = 0.0);
        equations.complete(problem, lambda, v);
        for made in 1..=count {
            let mut moved = false;
            for _ in 0..sweeps {
                for &(i, diagonal) in swept.iter() {
                    let [lower, upper] = problem.bounds(i, lambda);
                    let next = (lambda[i] - problem.w(i, v, lambda) / diagonal).max(lower).min(upper);
                    if next != lambda[i] {
                        problem.rows[i].push(next - lambda[i], &problem.inverse_mass, v);
                        lambda[i] = next;
                        moved = true;
                    }
                }
            }
            if !moved {
                return Ok(made);
            }
            equations.satisfy(problem, lambda, v);
        }
        Ok(count)
    }
}
