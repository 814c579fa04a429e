//! The outcome of an island: its solution with the judgement of it, or the failure.

use crate::lcp::problem::solution::{MixedError, Solved};

/// The outcome of a solved island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IslandOutcome {
    pub solved: Solved,
    pub judged: Judgement,
    /// Whether nothing proves that there is no solution although rows are violated.
    pub unproved: bool,
    /// Whether the effort was bounded and did not lead to a solution.
    pub approximate: bool,
}

/// Why an island has no outcome.
#[derive(Clone, Debug)]
pub(crate) struct IslandFailure {
    pub error: MixedError,
    /// Whether a solver was called at all.
    pub tried: bool,
}

/// The judgement of an island's λ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// maxᵢ |r̂ᵢ|/ŝ, 0 where the problem is proved to have no solution.
    pub relative: f64,
    /// An upper bound of maxᵢ |r̂ᵢ|/ŝ, even where infeasibility is proved.
    pub left: f64,
    /// Whether equations contradict each other.
    pub conflict: bool,
    /// ‖r‖∞ on the problem as posed; `None` where the problem was changed, or λ has changed since.
    pub posed: Option<f64>,
}
