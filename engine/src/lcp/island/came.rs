//! What an island came to: the solution as judged, or why there is none.

use crate::lcp::mixed::outcome::{MixedError, Solved};

/// The judgement of an island's λ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    /// maxᵢ |r̂ᵢ|/ŝ, 0 where the problem is proved to have no solution.
    pub relative: f64,
    /// At least maxᵢ |r̂ᵢ|/ŝ, whatever is proved.
    pub left: f64,
    /// Whether equations contradict each other.
    pub conflict: bool,
    /// ‖r‖∞ on the problem as posed, with v of it in the workspace; none where the problem was changed or λ has been since.
    pub posed: Option<f64>,
}

/// What an island came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Came {
    pub solved: Solved,
    pub judged: Judged,
    /// Whether nothing proves that there is no solution although rows are violated.
    pub unproved: bool,
}

/// Why an island has none.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    pub error: MixedError,
    /// Whether a solver was asked at all.
    pub tried: bool,
}
