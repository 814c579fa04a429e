//! Singular values of a dense matrix by one-sided Jacobi rotations, and the rank, bases and pseudo-inverse that follow from them.
//!
//! ```text
//! B V = U S :   rotate two columns of B V by the angle that makes them orthogonal, until all are
//! ```
//!
//! [Golub & Van Loan 2013, §8.6]. The columns' lengths are then the singular values, and V, a product of rotations, is
//! orthogonal to rounding whatever B is: columns of B V that vanish belong to the null space. The method is slower than
//! bidiagonalisation by a small factor, and as accurate as any.

use super::Dense;

/// Two columns whose cosine is below this are orthogonal: above the rounding of a scalar product of thousands of terms.
const ORTHOGONAL: f64 = 1e-14;
/// A column shorter than this, relative to ‖B‖, is zero but for rounding: its direction says nothing.
const VANISHED: f64 = 1e-15;
/// Most sweeps over all pairs of columns. Convergence is quadratic: ten are many.
const MAX_SWEEPS: usize = 60;

/// B V = U S, the largest singular value first.
pub struct Singular {
    values: Vec<f64>,
    /// V, columns by columns.
    right: Dense,
    /// U S, the columns of B V.
    moved: Dense,
}

impl Singular {
    /// Decomposes B; `None` if an entry is not finite.
    pub fn of(b: &Dense) -> Option<Self> {
        let (m, n) = (b.nrows(), b.ncols());
        // Each column of B V with the column of V below it, so that one rotation turns both.
        let mut columns: Vec<Vec<f64>> = (0..n)
            .map(|j| (0..m).map(|i| b[(i, j)]).chain((0..n).map(|i| f64::from(u8::from(i == j)))).collect())
            .collect();
        orthogonalise(&mut columns, m)?;
        let mut order: Vec<(f64, usize)> =
            columns.iter().enumerate().map(|(j, column)| (square(&column[..m]).sqrt(), j)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(Self {
            right: Dense::from_fn(n, n, |i, j| columns[order[j].1][m + i]),
            moved: Dense::from_fn(m, n, |i, j| columns[order[j].1][i]),
            values: order.into_iter().map(|(value, _)| value).collect(),
        })
    }

    /// The largest singular value; 0 of an empty matrix.
    pub fn largest(&self) -> f64 {
        self.values.first().copied().unwrap_or_default()
    }

    /// Number of singular values above `share`.
    pub fn rank(&self, share: f64) -> usize {
        self.values.iter().filter(|value| **value > share).count()
    }

    /// An orthonormal basis of the span of the rows of B, singular values up to `share` taken as zero.
    pub fn row_space(&self, share: f64) -> Dense {
        Dense::from_fn(self.right.nrows(), self.rank(share), |i, j| self.right[(i, j)])
    }

    /// An orthonormal basis of the x with ‖B x‖ at most `share` of ‖x‖.
    pub fn null_space(&self, share: f64) -> Dense {
        let (n, rank) = (self.right.ncols(), self.rank(share));
        Dense::from_fn(n, n - rank, |i, j| self.right[(i, rank + j)])
    }

    /// The pseudo-inverse B⁺, singular values up to `share` taken as zero.
    pub fn pseudo_inverse(&self, share: f64) -> Dense {
        let rank = self.rank(share);
        let (n, m) = (self.right.ncols(), self.moved.nrows());
        let divided = Dense::from_fn(n, rank, |i, k| self.right[(i, k)] / self.values[k]);
        let left = Dense::from_fn(rank, m, |k, j| self.moved[(j, k)] / self.values[k]);
        &divided * &left
    }
}

/// Rotates the columns until their first m entries are orthogonal; `None` if they do not become so.
fn orthogonalise(columns: &mut [Vec<f64>], m: usize) -> Option<()> {
    let whole: f64 = columns.iter().map(|column| square(&column[..m])).sum();
    if !whole.is_finite() {
        return None;
    }
    let nothing = VANISHED * VANISHED * whole;
    for _ in 0..MAX_SWEEPS {
        let mut squares: Vec<f64> = columns.iter().map(|column| square(&column[..m])).collect();
        let mut rotated = false;
        for i in 0..columns.len() {
            for j in i + 1..columns.len() {
                if squares[i] <= nothing || squares[j] <= nothing {
                    continue;
                }
                let (before, after) = columns.split_at_mut(j);
                let (x, y) = (&mut before[i], &mut after[0]);
                let product = dot(&x[..m], &y[..m]);
                if product.abs() <= ORTHOGONAL * (squares[i] * squares[j]).sqrt() {
                    continue;
                }
                let tangent = rotate(x, y, (squares[j] - squares[i]) / (2.0 * product));
                squares[i] -= tangent * product;
                squares[j] += tangent * product;
                rotated = true;
            }
        }
        if !rotated {
            return Some(());
        }
    }
    None
}

/// Turns x and y by the smaller angle θ with cot 2θ = `cotangent`, and returns tan θ.
fn rotate(x: &mut [f64], y: &mut [f64], cotangent: f64) -> f64 {
    let tangent = 1.0_f64.copysign(cotangent) / (cotangent.abs() + libm::hypot(cotangent, 1.0));
    let cosine = 1.0 / libm::hypot(tangent, 1.0);
    let sine = cosine * tangent;
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
    tangent
}

fn square(x: &[f64]) -> f64 {
    dot(x, x)
}

/// Returns x · y, in eight sums side by side, which a processor adds at once.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (x, y) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: f64 = x.remainder().iter().zip(y.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 8];
    for (x, y) in x.zip(y) {
        (0..8).for_each(|i| sums[i] += x[i] * y[i]);
    }
    sums.iter().sum::<f64>() + rest
}
