//! One row of the Jacobian as the factorisations of A = J W Jᵀ read it, and when it depends on others.

use crate::lcp::mixed::problem::MixedRow;
use glam::DVec3;

/// A row with a smaller pivot depends on the rows before it: at the true masses this calls for the geometric
/// rank, at unit masses it is the rank.
///
/// Rounding leaves up to 1e-11 of dependent rows on large redundant grids, and constraints that are redundant but
/// for a relative drift of 1e-3 leave its square. Much below this value the factorisation amplifies such
/// remainders until it overflows. A row wrongly taken for dependent does no harm, since the proximal iteration
/// converges all the same.
pub(super) const DEPENDENT_PIVOT: f64 = 1e-6;

/// One row of J, between two bodies. Where one body alone takes part it is named twice, and J of the first is zero.
pub trait JacobianRow {
    /// Indices of the bodies.
    fn bodies(&self) -> [usize; 2];

    /// J of the first body or the second.
    fn side(&self, end: End) -> DVec3;
}

impl JacobianRow for MixedRow {
    fn bodies(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    fn side(&self, end: End) -> DVec3 {
        match end {
            End::First => self.ja,
            End::Second => self.jb,
        }
    }
}

/// One of a row's two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    First,
    Second,
}
