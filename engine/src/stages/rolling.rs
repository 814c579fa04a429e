//! Rolling resistance: two bodies that are pressed together by λ_n resist turning against each other with at most c_r λ_n.
//!
//! ```text
//! |λ_r| ≤ c_r λ_n   against   ω_b − ω_a
//! ```
//!
//! In a problem it is a row with fixed bounds, those of the normal multipliers of the last solve, at first of the warm start; the
//! problem is solved again until the multipliers found are those of the bounds.

use crate::lcp::{Law, MixedRow};

/// How often a problem with rolling resistance is solved anew.
pub(super) const SOLVES: usize = 16;
/// Share of a bound by which it may change without another solve.
const ACCURACY: f64 = 1e-12;

/// The rows of rolling resistance of a problem, each with the normal row of its contact and c_r, m.
#[derive(Debug, Default)]
pub(crate) struct Rolls(Vec<(usize, usize, f64)>);

impl Rolls {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds row number `row` of the contact with that normal row.
    pub fn push(&mut self, row: usize, normal: usize, lever: f64) {
        self.0.push((row, normal, lever));
    }

    /// The rows by their numbers.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|(row, ..)| *row)
    }

    /// Bounds each row by c_r λ_n; whether that has changed a bound.
    pub fn bound(&self, rows: &mut [MixedRow], lambda: &[f64]) -> bool {
        let mut changed = false;
        for &(row, normal, lever) in &self.0 {
            let most = lever * lambda[normal].max(0.0);
            if let Law::Bounded { lower, upper } = &mut rows[row].law {
                changed |= (most - *upper).abs() > ACCURACY * most.max(*upper);
                (*lower, *upper) = (-most, most);
            }
        }
        changed
    }
}
