//! Problems without a solution, by the interior point: the proof, and the least violation.
//!
//! Friction left out, the rows are given a compliance that is a small share of their own Aᵢᵢ,
//!
//! ```text
//! 0 ≤ λ ⊥ w + c λ ≥ 0 ,   cᵢ = Aᵢᵢ / κ
//! ```
//!
//! which always has one solution, without folds on the way. Where the problem itself has none, λ tends with κ to κ times
//! a direction y with Jᵀy = 0, Farkas' certificate (`problem/certificate.rs`), and the violation c λ to the least in the norm
//! Σ wᵢ²/Aᵢᵢ [Rockafellar 1976]. Newton's method reaches it in proximal steps (`newton/relax.rs`), but fails on hundreds of disks
//! pressed together.

use super::{Interior, InteriorEffort};
use crate::lcp::body_space::BodySpace;
use crate::lcp::newton::{LeastViolation, Newton, without_friction};
use crate::lcp::problem::certificate;
use crate::lcp::problem::mixed::MixedProblem;

/// κ: the error of the violation, and the residual of Jᵀy, is a share of 1/κ.
pub(crate) const KAPPA: f64 = 1e8;
/// Residual of the regularised problem, as a share of the problem's speed: its impulses are up to κ times those that the speed
/// needs, and rounding leaves ε κ of that.
pub(crate) const YIELDED: f64 = 1e-7;

impl Interior {
    /// Returns the least violation, where it is proved that there is no solution.
    ///
    /// # Errors
    /// Without a proof, a lower bound of the change of velocity in any solution, m/s ([`certificate::least_change`]).
    pub fn least(
        &mut self,
        problem: &MixedProblem,
        space: &mut BodySpace,
        newton: &mut Newton,
    ) -> Result<LeastViolation, f64> {
        let speed = problem.free_speed();
        let mut yielding = without_friction(problem);
        // Impulses of the size that a violation of all of `speed` would give.
        let mut lambda = Vec::with_capacity(problem.rows.len());
        for row in &mut yielding.rows {
            let diagonal = row.diagonal(&problem.inverse_mass);
            row.compliance += diagonal / KAPPA;
            lambda.push(if diagonal > 0.0 { KAPPA * speed / diagonal } else { 0.0 });
        }
        space.begin(&yielding, &lambda);
        let effort = InteriorEffort { yields: true, ..InteriorEffort::FULL };
        self.solve(space, newton, YIELDED * speed, effort).map_err(|_| 0.0)?;
        space.write_best(&mut lambda);
        if !certificate::proves(problem, &lambda) {
            return Err(certificate::least_change(problem, &lambda));
        }
        let rows = yielding.rows.iter().zip(&problem.rows).zip(&lambda);
        let violation = rows.map(|((soft, row), x)| (soft.compliance - row.compliance) * x).collect();
        Ok(LeastViolation { violation, lambda })
    }
}
