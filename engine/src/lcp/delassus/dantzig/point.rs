//! A point on the path of a drive: the status of every row, with λ and w.

use crate::lcp::delassus::rows::Rows;

/// The status of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Not met yet.
    Pending,
    /// w = 0, λ within its bounds and basic.
    Clamped,
    /// λ at its lower bound, w ≥ 0.
    Lower,
    /// λ at its upper bound, w ≤ 0.
    Upper,
    /// Friction at ±μ λ_n.
    Sliding { positive: bool },
    /// Friction of a contact without force: λ = 0, any w.
    Loose,
    /// w = 0 thanks to the clamped rows, which it depends on; λ as it is and not basic.
    Idle,
}

/// The rows with their status, and the point on the path.
pub(super) struct Point<'m> {
    pub rows: &'m Rows,
    pub status: &'m mut Vec<Status>,
    pub lambda: &'m mut Vec<f64>,
    pub w: &'m mut Vec<f64>,
    /// Below this w and λ are zero.
    pub zero: f64,
}

impl Point<'_> {
    /// The state of row `at`, which is pending, if it is met as it is.
    pub fn met(&self, at: usize) -> Option<Status> {
        let [lower, upper] = self.rows.bounds(at, self.lambda);
        let (w, lambda) = (self.w[at], self.lambda[at]);
        if w >= -self.zero && lambda <= lower {
            return Some(self.at_bound(at, false));
        }
        if w <= self.zero && lambda >= upper {
            return Some(self.at_bound(at, true));
        }
        (w.abs() <= self.zero).then_some(Status::Idle)
    }

    fn at_bound(&self, at: usize, upper: bool) -> Status {
        match self.rows.normal[at] {
            Some(n) if self.lambda[n] <= 0.0 && self.status[n] != Status::Clamped => Status::Loose,
            Some(_) => Status::Sliding { positive: upper },
            None if upper => Status::Upper,
            None => Status::Lower,
        }
    }
}
