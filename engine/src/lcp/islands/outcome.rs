//! What an island came to.

use crate::lcp::problem::outcome::{MixedError, Solved};

/// What an island came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IslandOutcome {
    pub solved: Solved,
    pub judged: Judgement,
    /// Whether nothing proves that there is no solution although rows are violated.
    pub unproved: bool,
}

/// Why an island has none.
#[derive(Clone, Debug)]
pub(crate) struct IslandFailure {
    pub error: MixedError,
    /// Whether a solver was asked at all.
    pub tried: bool,
}

/// The judgement of an island's λ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// maxᵢ |r̂ᵢ|/ŝ, 0 where the problem is proved to have no solution.
    pub relative: f64,
    /// At least maxᵢ |r̂ᵢ|/ŝ, whatever is proved.
    pub left: f64,
    /// Whether equations contradict each other.
    pub conflict: bool,
    /// ‖r‖∞ on the problem as posed; none where the problem was changed, or λ has been since.
    pub posed: Option<f64>,
}
