//! How long the interior point goes on.

use super::STRETCH;
use crate::lcp::bodies::newton::NewtonEffort;
use std::fmt;

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) struct InteriorEffort {
    /// No stretch of the path begins after so many.
    pub factorisations: usize,
    /// Newton's steps at the end.
    pub crossover: NewtonEffort,
    /// Whether all rows yield (`least.rs`), and λ is wanted to rounding.
    pub yields: bool,
    /// At the start, the impulse of a row as a multiple of what it would take alone, and its speed as a multiple of its bodies' largest |w|.
    pub impulse: f64,
    pub speed: f64,
}

impl InteriorEffort {
    /// To the end: a struck pyramid takes 20 to 60 factorisations.
    pub const FULL: Self = Self {
        factorisations: 120,
        crossover: NewtonEffort { kappa: 1e2, factorisations: 60, stall: 12 },
        yields: false,
        impulse: 1.0,
        speed: 1.0,
    };
}

impl fmt::Display for InteriorEffort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stretches, newton) = (self.factorisations, self.crossover.factorisations);
        if stretches < STRETCH {
            write!(f, "the central path up to its first fold, then {newton} factorisations of newton")
        } else {
            write!(f, "{stretches} factorisations, then {newton} of newton")
        }
    }
}
