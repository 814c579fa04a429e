//! The description of a solver for lists and files, and the parameters that several solvers share.

use crate::parameter::{Parameter, Values, integer, logarithmic, words};

/// Largest relative residual of an accepted solution, and of a proof that there is none:
/// ‖min(z, w)‖∞ / ‖q‖∞ of a dense problem, the residual over the problem's
/// speed for a step's problem.
pub const ACCEPTED: f64 = 1e-9;
/// Rounding of a sum, in units of ε times its largest term: a body of a pile has a dozen rows, and each of a dozen terms
/// is rounded by up to ε as a product, and by up to ε in the sum.
pub(in crate::lcp) const ROUNDED_SUM: f64 = 24.0;

/// How much work the solver `auto` may put into an island of a step's problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effort {
    /// As much as a solution takes.
    #[default]
    Exact,
    /// In islands of more than 100 rows without joints a bounded number of operations. Where these leave at most a
    /// tenth of the problem's speed, the island counts as approximate, with the residual that is left; where they leave
    /// more, it is solved.
    Bounded,
}

words!(Effort { Exact: "exact", Bounded: "bounded" });

/// The description of a solver.
#[derive(Debug)]
#[non_exhaustive]
pub struct SolverInfo {
    /// Name in scene files and on the command line.
    pub key: &'static str,
    /// Name shown to the user.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The literature it follows.
    pub source: &'static str,
    /// Its tunable numbers.
    pub parameters: &'static [Parameter],
}

/// The parameter that limits the pivots of a pivoting method.
pub(super) const PIVOTS_PER_ROW: Parameter = Parameter {
    meaning: "Pivots allowed, per row of the problem; paths of more than a few are rare, exponential ones exist.",
    ..integer("pivots_per_row", "pivots per row", "", [1.0, 1e6], 100.0)
};

/// The parameter that says when a residual is small enough.
pub(super) const TOLERANCE: Parameter = Parameter {
    meaning: "Largest residual that counts as solved, as a share of the problem's speed: the largest |J v* + b| of its rows, in m/s.",
    ..logarithmic("tolerance", "tolerance", "", "", [1e-14, 1.0], ACCEPTED)
};

/// Returns the share of a problem's speed up to which `values` let a residual count as solved.
pub(super) fn accepted_share(values: &Values) -> f64 {
    values.get(TOLERANCE.key).unwrap_or(ACCEPTED)
}

/// Returns the pivots that a problem of `n` rows may take, by `values`.
pub(super) fn pivot_limit(values: &Values, n: usize) -> usize {
    let per_row = values.get(PIVOTS_PER_ROW.key).unwrap_or(PIVOTS_PER_ROW.default);
    (per_row as usize).saturating_mul(n.max(1))
}
