//! The linear complementarity problem as the pivoting methods take it: z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, with a matrix
//! that may be mostly zero.

use crate::lcp::dense::problem::{LcpProblem, natural_residual};
use crate::lcp::linear::matrix::Matrix;

pub(in crate::lcp) struct Plain {
    pub m: Matrix,
    pub q: Vec<f64>,
}

impl Plain {
    /// The problem, unless a number is not finite.
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

    /// ‖min(z, w)‖∞ with w = M z + q, NaN as soon as any of it is NaN.
    pub fn residual(&self, z: &[f64]) -> f64 {
        natural_residual(z, &self.w(z))
    }
}

impl From<&LcpProblem> for Plain {
    fn from(problem: &LcpProblem) -> Self {
        let rows = (0..problem.n()).map(|i| problem.row(i));
        Self { m: Matrix::from_rows(rows), q: problem.q().to_vec() }
    }
}
