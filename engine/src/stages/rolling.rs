//! Rolling resistance: two bodies that are pressed together by λ_n resist turning against each other with at most c_r λ_n.
//!
//! ```text
//! |λ_r| ≤ c_r λ_n   against   ω_b − ω_a
//! ```
//!
//! In a problem it is a row with fixed bounds, those of the normal multipliers of the last solve, at first of the warm start; the
//! problem is solved again until the multipliers found are those of the bounds. A problem whose bounds still change by more than
//! the accuracy of a solution counts as approximate.

use crate::lcp::{ACCEPTED, Law, MixedOutcome, MixedRow};

/// How often a problem with rolling resistance is solved anew.
const SOLVES: usize = 16;
/// Share of a bound by which it may change without another solve.
const ACCURACY: f64 = 1e-12;

/// The rows of rolling resistance of a problem, each with the normal row of its contact and c_r, m.
#[derive(Debug, Default)]
pub(crate) struct Rolls {
    all: Vec<(usize, usize, f64)>,
    /// How often the present problem has been solved anew.
    solves: usize,
}

impl Rolls {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// Adds row number `row` of the contact with that normal row.
    pub fn push(&mut self, row: usize, normal: usize, lever: f64) {
        self.all.push((row, normal, lever));
    }

    /// The rows by their numbers.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.all.iter().map(|(row, ..)| *row)
    }

    /// Bounds each row by c_r λ_n. Returns the largest change of a bound as a share of it.
    pub fn bound(&self, rows: &mut [MixedRow], lambda: &[f64]) -> f64 {
        let mut changed: f64 = 0.0;
        for &(row, normal, lever) in &self.all {
            let most = lever * lambda[normal].max(0.0);
            if let Law::Bounded { lower, upper } = &mut rows[row].law {
                let larger = most.max(*upper);
                changed = changed.max(if larger > 0.0 { (most - *upper).abs() / larger } else { 0.0 });
                (*lower, *upper) = (-most, most);
            }
        }
        changed
    }

    /// Bounds each row by the λ found; whether that has changed a bound, so that the problem has to be solved again. What
    /// changes beyond the accuracy of a solution after the last solve is noted in its outcome.
    pub fn bind(&mut self, rows: &mut [MixedRow], lambda: &[f64], outcome: &mut MixedOutcome) -> bool {
        let changed = self.bound(rows, lambda);
        let again = changed > ACCURACY && self.solves < SOLVES;
        self.solves = if again { self.solves + 1 } else { 0 };
        if !again && changed > ACCEPTED {
            outcome.approximate = outcome.approximate.max(1);
            outcome.approximate_residual = outcome.approximate_residual.max(changed);
        }
        again
    }
}
