//! The linear complementarity problem in the form that the pivoting methods take: z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, with a
//! matrix that may be mostly zero.

use crate::lcp::dense::problem::{LcpProblem, natural_residual};
use crate::lcp::linear::matrix::Matrix;

/// Share of a sum's largest term below which the sum may be rounding: that to which a problem counts as solved.
const CERTAINTY: f64 = 1e-9;

pub(in crate::lcp) struct Plain {
    pub m: Matrix,
    pub q: Vec<f64>,
}

impl Plain {
    /// Returns the problem, unless a number is not finite.
    pub fn new(m: Matrix, q: Vec<f64>) -> Option<Self> {
        (m.is_finite() && q.iter().all(|x| x.is_finite())).then_some(Self { m, q })
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// w = M z + q.
    pub fn w(&self, z: &[f64]) -> Vec<f64> {
        self.q.iter().enumerate().map(|(i, q)| self.m.row(i).dot(z) + q).collect()
    }

    /// Whether y proves that no z ≥ 0 has M z + q ≥ 0: y ≥ 0, Mᵀy ≤ 0 and qᵀy < 0 in the given numbers, each sum to [`CERTAINTY`]
    /// of its largest term, so that neither the units of a row nor those of a column matter.
    pub fn is_certificate(&self, y: &[f64]) -> bool {
        let (slope, gain) = summed(self.q.iter().zip(y).map(|(q, y)| q * y));
        y.iter().all(|y| *y >= 0.0 && y.is_finite())
            && slope < -CERTAINTY * gain
            && (0..self.n()).all(|j| {
                let (rate, most) = summed(self.m.column(j).iter().map(|(i, m)| m * y[i]));
                rate <= CERTAINTY * most
            })
    }

    /// ‖min(z, w)‖∞ with w = M z + q, NaN as soon as any of it is NaN.
    pub fn residual(&self, z: &[f64]) -> f64 {
        natural_residual(z, &self.w(z))
    }
}

/// Returns a sum and its largest term.
fn summed(terms: impl Iterator<Item = f64>) -> (f64, f64) {
    terms.fold((0.0, 0.0), |(sum, most), term| (sum + term, most.max(term.abs())))
}

impl From<&LcpProblem> for Plain {
    fn from(problem: &LcpProblem) -> Self {
        let rows = (0..problem.n()).map(|i| problem.row(i));
        Self { m: Matrix::from_rows(rows), q: problem.q().to_vec() }
    }
}
