//! The problem of the room's head, its variables and its residual, and the ways in which solving it can end.

use crate::lcp::info::{ACCEPTED, ROUNDED_SUM};
use crate::math::largest;
use std::fmt;
use thiserror::Error;

/// A dense problem: n rows, M row by row, q.
#[derive(Clone, Debug, PartialEq)]
pub struct LcpProblem {
    n: usize,
    m: Vec<f64>,
    q: Vec<f64>,
}

/// Invalid problem data.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemError {
    /// M is not n × n.
    #[error("M has {found} entries (expected {rows} × {rows}, a row for every entry of q)")]
    Size {
        /// Length of q.
        rows: usize,
        /// Entries of M.
        found: usize,
    },
    /// An entry of M is NaN or infinite.
    #[error("M[{row}][{column}] is not finite")]
    Matrix {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
    },
    /// An entry of q is NaN or infinite.
    #[error("q[{row}] is not finite")]
    Vector {
        /// Row, from 0.
        row: usize,
    },
}

impl LcpProblem {
    /// The problem of the n × n matrix `m`, row by row, and `q` of length n; n may be 0.
    ///
    /// # Errors
    /// Sizes that do not agree, or a number that is not finite.
    pub fn new(m: Vec<f64>, q: Vec<f64>) -> Result<Self, ProblemError> {
        let n = q.len();
        if n.checked_mul(n) != Some(m.len()) {
            return Err(ProblemError::Size { rows: n, found: m.len() });
        }
        if let Some(at) = m.iter().position(|x| !x.is_finite()) {
            return Err(ProblemError::Matrix { row: at / n, column: at % n });
        }
        if let Some(row) = q.iter().position(|x| !x.is_finite()) {
            return Err(ProblemError::Vector { row });
        }
        Ok(Self { n, m, q })
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Row `i` of M.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.m[i * self.n..(i + 1) * self.n]
    }

    /// The right-hand side.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// w = M z + q for `z` of length n.
    pub fn w(&self, z: &[f64]) -> Vec<f64> {
        let dot = |i: usize| self.row(i).iter().zip(z).map(|(m, z)| m * z).sum::<f64>();
        (0..self.n).map(|i| dot(i) + self.q[i]).collect()
    }

    /// ‖min(z, w)‖∞ with w = M z + q, NaN as soon as any of it is NaN, infinite where w overflows.
    pub fn residual(&self, z: &[f64]) -> f64 {
        // `f64::min` alone would drop a NaN, and an infinite w beside z = 0.
        let smaller = |(&z, w): (&f64, f64)| if z.is_nan() || z < w && w < f64::INFINITY { z } else { w };
        largest(z.iter().zip(self.w(z)).map(smaller))
    }

    /// Whether y proves that no z ≥ 0 has M z + q ≥ 0: y ≥ 0, Mᵀy ≤ 0 and qᵀy < 0 in the given numbers, each sum to [`ACCEPTED`]
    /// of its largest term, so that neither the units of a row nor those of a column matter.
    pub(in crate::lcp) fn is_certificate(&self, y: &[f64]) -> bool {
        let (slope, gain) = summed(self.q.iter().zip(y).map(|(q, y)| q * y));
        y.iter().all(|y| *y >= 0.0 && y.is_finite())
            && slope < -ACCEPTED * gain
            && (0..self.n).all(|j| {
                let (rate, most) = summed((0..self.n).map(|i| self.row(i)[j] * y[i]));
                rate <= ACCEPTED * most
            })
    }

    /// Whether the residual is at most [`ACCEPTED`] ‖q‖∞, or in no row more than the rounding of the terms of its w.
    pub(in crate::lcp) fn is_solved_by(&self, Solution { z, w, residual, .. }: &Solution) -> bool {
        *residual <= ACCEPTED * largest(self.q.iter().copied())
            || (0..self.n).all(|i| {
                let terms = self.row(i).iter().zip(z).map(|(entry, z)| (entry * z).abs());
                let rounded = ROUNDED_SUM * f64::EPSILON * terms.fold(self.q[i].abs(), f64::max);
                // Overflow and NaN do not count as rounding.
                w[i].is_finite() && rounded.is_finite() && z[i].min(w[i]).abs() <= rounded
            })
    }
}

/// A solution of a problem.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// z, without negative entries.
    pub z: Vec<f64>,
    /// M z + q as computed in floating point: not negative but for rounding.
    pub w: Vec<f64>,
    /// ‖min(z, w)‖∞.
    pub residual: f64,
    /// Number of exchanges of a basic variable.
    pub pivots: usize,
}

/// The reason given for sums that overflow.
const OVERFLOW: &str = "M z + q overflows";

/// How solving ends without a solution.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum LcpError {
    /// A secondary ray: the path continues without end along z + t·direction, with the covering variable z₀ growing
    /// or constant above zero.
    ///
    /// Where M is copositive-plus the problem then has no feasible point at all, and `infeasible` says so
    /// with a proof; for other matrices a ray may hide a solution.
    #[error(
        "ended on a ray after {pivots} pivots{}",
        if *infeasible { ": the problem is infeasible" } else { ": no solution found" }
    )]
    Ray {
        /// Exchanges until then.
        pivots: usize,
        /// dz ≥ 0 of the ray, its largest entry 1 unless it is zero.
        direction: Vec<f64>,
        /// Whether y = `direction` is Farkas' certificate that no z ≥ 0 has M z + q ≥ 0: y ≥ 0, qᵀy < 0, and
        /// Mᵀy ≤ 0, in the numbers as given, each sum to 1e-9 of its largest term.
        infeasible: bool,
    },
    /// The allowed number of pivots was used up without a solution.
    #[error("no end after {pivots} pivots")]
    PivotLimit {
        /// Exchanges made.
        pivots: usize,
    },
    /// The point found is no solution in floating point.
    #[error(
        "{} after {pivots} pivots",
        if residual.is_finite() { format!("rounding left a residual of {residual:e}") } else { OVERFLOW.to_owned() }
    )]
    Inaccurate {
        /// ‖min(z, w)‖∞ that remained; infinite or NaN where w = M z + q overflows.
        residual: f64,
        /// Exchanges made.
        pivots: usize,
    },
    /// The matrix lies outside the solver's classes.
    #[error("the matrix is outside the solver's classes: {reason}")]
    NotApplicable {
        /// Which property of the matrix was violated.
        reason: &'static str,
        /// Exchanges until then.
        pivots: usize,
    },
}

/// A variable of w = M z + q, to which Lemke's method adds the covering variable z₀.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// w of that row, counted from 0.
    W(usize),
    /// z of that row, counted from 0.
    Z(usize),
    /// z₀.
    Covering,
}

impl Variable {
    /// The partner, of which one of the two is zero.
    pub fn complement(self) -> Self {
        match self {
            Self::W(k) => Self::Z(k),
            Self::Z(k) => Self::W(k),
            Self::Covering => Self::Covering,
        }
    }
}

/// As the literature counts: z1 is z of the first row, z0 the covering variable.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::W(k) => write!(f, "w{}", k + 1),
            Self::Z(k) => write!(f, "z{}", k + 1),
            Self::Covering => write!(f, "z0"),
        }
    }
}

/// Returns a sum and its largest term.
fn summed(terms: impl Iterator<Item = f64>) -> (f64, f64) {
    terms.fold((0.0, 0.0), |(sum, most), term| (sum + term, most.max(term.abs())))
}
