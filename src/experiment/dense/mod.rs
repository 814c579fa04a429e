//! Small dense matrices for the analyses beside the step, which need null spaces and pseudo-inverses, and eigenvalues
//! for stability maps (`stability/eigenvalues.rs`).
//!
//! Two libraries were measured as alternatives to this file, `singular.rs` and those eigenvalues (some 450 lines):
//!
//! - these files: 599 ms (all)
//! - nalgebra 0.35: 694 ms (33: its Schur form does not converge on the others; singular values of a matrix of ones are
//!   wrong)
//! - faer 0.24: 175 ms (all)
//!
//! Large maps take about twice as long as with faer; a cold build of the program with faer's tree takes more than half as long
//! again.

mod singular;
#[cfg(test)]
mod tests;

pub(crate) use singular::Singular;

use std::ops::{Add, Index, IndexMut, Mul, Sub};

/// A matrix of any shape, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Dense {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// The identity of size n.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| if i == j { 1.0 } else { 0.0 })
    }

    /// The matrix whose entry in row i and column j is `entry(i, j)`.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let mut matrix = Self::zeros(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                matrix[(i, j)] = entry(i, j);
            }
        }
        matrix
    }

    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.columns
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// One row, mutable.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// Rows and columns exchanged.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    fn combined(&self, other: &Self, with: impl Fn(f64, f64) -> f64) -> Self {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns), "matrices of one shape");
        let entries = self.entries.iter().zip(&other.entries).map(|(a, b)| with(*a, *b)).collect();
        Self { entries, ..*self }
    }
}

impl Index<(usize, usize)> for Dense {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        debug_assert!(j < self.columns);
        &self.entries[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        debug_assert!(j < self.columns);
        &mut self.entries[i * self.columns + j]
    }
}

impl Add for &Dense {
    type Output = Dense;

    fn add(self, other: Self) -> Dense {
        self.combined(other, |a, b| a + b)
    }
}

impl Sub for &Dense {
    type Output = Dense;

    fn sub(self, other: Self) -> Dense {
        self.combined(other, |a, b| a - b)
    }
}

impl Mul<f64> for &Dense {
    type Output = Dense;

    fn mul(self, factor: f64) -> Dense {
        let entries = self.entries.iter().map(|a| a * factor).collect();
        Dense { entries, ..*self }
    }
}

impl Mul for &Dense {
    type Output = Dense;

    fn mul(self, other: Self) -> Dense {
        assert_eq!(self.columns, other.rows, "matrices that can be multiplied");
        let mut product = Dense::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            let into = &mut product.entries[i * other.columns..(i + 1) * other.columns];
            for (k, a) in self.row(i).iter().enumerate().filter(|(_, a)| **a != 0.0) {
                into.iter_mut().zip(other.row(k)).for_each(|(sum, b)| *sum += a * b);
            }
        }
        product
    }
}
