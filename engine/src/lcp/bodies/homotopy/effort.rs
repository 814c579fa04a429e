//! How long the homotopy goes on, and what it seeks.

use super::{MANY_ROWS, MOST_PIECES};
use std::fmt;

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) struct PathEffort {
    /// κ at first.
    pub kappa: f64,
    /// Most pieces of the first path, and of all.
    pub first: usize,
    pub pieces: usize,
    /// Most paths that may fail, and whether the first may.
    pub failures: usize,
    pub persistent: bool,
    /// From so many pieces on, the first path is given up if at its pace so far it would be too long.
    pub trial: usize,
}

impl PathEffort {
    /// To the end.
    pub const FULL: Self = Self {
        kappa: 1e6,
        first: MOST_PIECES,
        pieces: 4000,
        failures: 20,
        persistent: true,
        trial: usize::MAX,
    };
}

impl fmt::Display for PathEffort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kappa, first, pieces, failures, persistent, trial } = self;
        let lost = if *persistent { *failures } else { 1 };
        write!(f, "{pieces} pieces, {first} of them in the first path, κ = {kappa:e} at first; ")?;
        if lost == 1 {
            write!(f, "until a path is lost")
        } else {
            write!(f, "until {lost} paths are lost")
        }?;
        if *trial < Self::FULL.trial {
            write!(
                f,
                "; with more than {MANY_ROWS} rows the first is given up from {trial} pieces on if its pace is too slow"
            )?;
        }
        Ok(())
    }
}

/// The residual of a solution.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) struct Goal {
    /// The method goes on, as long as that gains anything, until it is at most this.
    pub sought: f64,
    /// At most so much counts as solved.
    pub accepted: f64,
}
