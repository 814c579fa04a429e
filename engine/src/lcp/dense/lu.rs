//! Dense LU with partial pivoting, P A = L U, row by row in scalar code of a fixed order.
//!
//! Pivoting loses digits with every exchange; a basis factorised afresh from the problem's own numbers gets
//! them back. Scalar and in order, so that every build gives the same bits.

/// The factors of an n × n matrix.
pub(super) struct Lu {
    n: usize,
    /// U on and above the diagonal, L without its unit diagonal below, row by row.
    factors: Vec<f64>,
    /// Row of A that stands in row i of P A.
    order: Vec<usize>,
}

impl Lu {
    /// Factorises an n × n matrix given row by row; nothing if a pivot is zero or not finite.
    pub fn of(n: usize, mut a: Vec<f64>) -> Option<Self> {
        let mut order: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[best * n + k].abs() {
                    best = i;
                }
            }
            let pivot = a[best * n + k];
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            if best != k {
                order.swap(best, k);
                for j in 0..n {
                    a.swap(best * n + j, k * n + j);
                }
            }
            eliminate(&mut a, n, k);
        }
        Some(Self { n, factors: a, order })
    }

    /// X = A⁻¹ B for B of `columns` columns, row by row.
    pub fn solve(&self, b: &[f64], columns: usize) -> Vec<f64> {
        let n = self.n;
        let mut x = Vec::with_capacity(b.len());
        for &row in &self.order {
            x.extend_from_slice(&b[row * columns..(row + 1) * columns]);
        }
        for i in 0..n {
            let (above, below) = x.split_at_mut(i * columns);
            for k in 0..i {
                let factor = self.factors[i * n + k];
                if factor != 0.0 {
                    subtract(&mut below[..columns], factor, &above[k * columns..(k + 1) * columns]);
                }
            }
        }
        for i in (0..n).rev() {
            let (above, below) = x.split_at_mut((i + 1) * columns);
            let row = &mut above[i * columns..];
            for k in i + 1..n {
                let factor = self.factors[i * n + k];
                if factor != 0.0 {
                    let start = (k - i - 1) * columns;
                    subtract(row, factor, &below[start..start + columns]);
                }
            }
            let pivot = self.factors[i * n + i];
            row.iter_mut().for_each(|x| *x /= pivot);
        }
        x
    }
}

/// Subtracts row k from the rows below it and leaves the factors in column k.
fn eliminate(a: &mut [f64], n: usize, k: usize) {
    let (above, below) = a.split_at_mut((k + 1) * n);
    let row = &above[k * n..];
    for other in below.chunks_exact_mut(n) {
        if other[k] != 0.0 {
            let factor = other[k] / row[k];
            other[k] = factor;
            subtract(&mut other[k + 1..], factor, &row[k + 1..]);
        }
    }
}

/// y ← y − factor · x
#[inline]
pub(super) fn subtract(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= factor * x;
    }
}
