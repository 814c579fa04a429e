//! What is left by a solver that sweeps over the rows of a step and promises no residual.

use super::summary::Summary;
use crate::lcp::ACCEPTED;
use crate::numbers::shortest;

/// Key of the parameter by which such a solver ends.
const TOLERANCE: &str = "tolerance";

impl Summary {
    /// Whether the solver sweeps and promises no residual.
    pub(crate) fn sweeps(&self) -> bool {
        !self.method().solver.factorises_equations()
    }

    /// The share of a problem's speed at which the solver may end its sweeps.
    pub(crate) fn tolerance(&self) -> f64 {
        self.method().solver.values.get(TOLERANCE).unwrap_or(ACCEPTED)
    }

    /// What the solver has left where it promises no residual, in words; nothing where it has solved every step.
    pub fn unsolved(&self) -> Option<String> {
        let share = self.relative_residual.filter(|_| self.unsolved_steps > 0)?;
        let (steps, solver, tolerance) =
            (self.unsolved_steps, self.method().solver.info().key, self.tolerance());
        let failed = if share <= tolerance { "has not solved them" } else { "has not converged" };
        let judged = if tolerance.to_bits() == ACCEPTED.to_bits() {
            format!("{ACCEPTED:e} counts as solved")
        } else {
            format!("its tolerance is set to {}, {ACCEPTED:e} counts as solved", shortest(tolerance))
        };
        let left = match share {
            share if !share.is_finite() => "a share of the speed that overflows".to_owned(),
            share if share >= 1e-2 => format!("up to {share:.4} of the speed"),
            share => format!("up to {share:.3e} of the speed"),
        };
        Some(format!("{steps} steps: {solver} {failed}, it left {left} ({judged})"))
    }
}
