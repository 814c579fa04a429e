//! Many more equations than their bodies have degrees of freedom: A = J W Jᵀ + diag(c) factorised over the bodies.
//!
//! ```text
//! S A S = B Bᵀ ,   B = S (J √W, √c) ,   S_ii = 1/√A_ii          n rows, d columns, d ≪ n
//! B = Q R ,   Rᵀ = Z T ,   x = (S A S)⁺ b = Q T⁻¹ T⁻ᵀ Qᵀ b
//! ```
//!
//! with R of the r rows that the rank leaves: a complete orthogonal decomposition [Golub & Van Loan 2013, §5.5.7]. Impulses are
//! those of least norm, and what contradicts is met in the least-squares sense, as by `math/ldlt.rs`. A column of B for each
//! degree of freedom, and one for each compliant row. It takes some n d² operations where A itself, dense, would take n³.
//!
//! **Rank.** Which rows depend on others is said by the matrix of unit masses, row by row as in `matrix.rs`. B keeps as many columns of
//! Q, the longest first, and those of more than a length that the proximal iteration of `math/ldlt.rs` would still keep.

use super::jacobian::{DEPENDENT_PIVOT, End, JacobianRow, unit_metric};
use crate::math::{FactorError, Order, Orthogonal, add, dot, largest};
use glam::DVec3;

/// Below this length of the rest of a column of B it is cut off: the root of the eigenvalue ε = 1e-8 of `math/ldlt.rs`.
const CUT: f64 = 1e-4;
/// The same as long as the rank of unit masses has not been reached: only rounding lies below.
const ROUNDED: f64 = 1e-12;
/// Most refinements of a solution, and the share of the rest above which another one does not help.
const REFINEMENTS: usize = 3;
const STAGNATION: f64 = 0.5;
/// A rest below this share of the right-hand side is rounding.
const REFINED: f64 = 1e-16;

/// The rows of B, each with few entries: where row i begins, and column and value of each entry.
#[derive(Debug, Default)]
struct Rows {
    start: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Rows {
    fn all(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        self.start.windows(2).map(|bounds| &self.entries[bounds[0]..bounds[1]])
    }
}

/// A over the bodies, with its factors.
#[derive(Debug, Default)]
pub(super) struct Thin {
    /// The first column of B of each body that can move.
    column: Vec<Option<u32>>,
    /// Columns of the bodies, and all.
    degrees: usize,
    columns: usize,
    diagonal: Vec<f64>,
    scale: Vec<f64>,
    b: Rows,
    /// The columns of Q, and T row by row.
    q: Vec<Vec<f64>>,
    t: Vec<Vec<f64>>,
    /// Rows that depend on others.
    surplus: Vec<u32>,
    /// Of a solve, scaled: the solution and what it leaves.
    x: Vec<f64>,
    rest: Vec<f64>,
}

impl Thin {
    /// For bodies of which these can move and have rows.
    pub fn new(moved: &[bool]) -> Self {
        let mut degrees = 0;
        let column = moved.iter().map(|moved| {
            degrees += 3 * usize::from(*moved);
            moved.then(|| degrees as u32 - 3)
        });
        let column = column.collect();
        Self { column, degrees, ..Self::default() }
    }

    /// Assembles and factorises, as [`super::matrix::Delassus::factor`].
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite.
    pub fn factor<'r, R: JacobianRow + 'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
        compliances: &[(u32, f64)],
    ) -> Result<(), FactorError> {
        let columns = self.degrees + compliances.len();
        self.columns = columns;
        let mut unit = Vec::new();
        unit_metric((0..count).map(&row), weight, &mut unit);
        let stiff: Vec<(u32, f64)> = compliances.iter().map(|(i, c)| (*i, f64::from(*c > 0.0))).collect();
        self.assemble(count, &row, &unit, &stiff)?;
        let rank = self.find_surplus();
        self.assemble(count, &row, weight, compliances)?;
        let mut dense = vec![vec![0.0; count]; columns];
        for (i, row) in self.b.all().enumerate() {
            row.iter().for_each(|&(column, value)| dense[column as usize][i] = value);
        }
        let ends = |k: usize, length: f64| length < CUT && (k >= rank || length < ROUNDED);
        let Orthogonal { q, r } = Orthogonal::of(dense, Order::LongestFirst, ends);
        self.q = q;
        self.t = Orthogonal::of(r, Order::AsGiven, |_, _| false).r;
        Ok(())
    }

    /// B and A's diagonal.
    fn assemble<'r, R: JacobianRow + 'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
        compliances: &[(u32, f64)],
    ) -> Result<(), FactorError> {
        let Self { column, degrees, diagonal, scale, b, .. } = self;
        b.start.clear();
        b.entries.clear();
        diagonal.clear();
        scale.clear();
        let mut compliances = (*degrees as u32..).zip(compliances).peekable();
        for i in 0..count {
            let first = b.entries.len();
            b.start.push(first);
            let (row, [one, other]) = (row(i), row(i).bodies());
            // A row of one body names it twice; only its second side acts.
            for (end, body) in [(End::First, one), (End::Second, other)] {
                let Some(column) = column[body].filter(|_| end == End::Second || one != other) else {
                    continue;
                };
                let (j, w) = (row.side(end), weight[body]);
                let values = [j.x * w.x.sqrt(), j.y * w.y.sqrt(), j.z * w.z.sqrt()];
                b.entries.extend((column..).zip(values));
            }
            if let Some((column, (_, compliance))) = compliances.next_if(|(_, (row, _))| *row as usize == i)
            {
                b.entries.push((column, compliance.sqrt()));
            }
            let own = &mut b.entries[first..];
            let square: f64 = own.iter().map(|(_, value)| value * value).sum();
            if !square.is_finite() {
                return Err(FactorError::NotFinite);
            }
            let factor = if square > 0.0 { 1.0 / square.sqrt() } else { 1.0 };
            own.iter_mut().for_each(|(_, value)| *value *= factor);
            diagonal.push(square);
            scale.push(factor);
        }
        b.start.push(b.entries.len());
        Ok(())
    }

    /// The rows of B that depend on those before them; returns the rank.
    fn find_surplus(&mut self) -> usize {
        let Self { b, surplus, columns, .. } = self;
        surplus.clear();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for (i, row) in (0_u32..).zip(b.all()) {
            let mut rest = vec![0.0; *columns];
            if basis.len() < *columns {
                row.iter().for_each(|&(column, value)| rest[column as usize] += value);
                // Twice is enough.
                for _ in 0..2 {
                    for q in &basis {
                        let along = dot(q, &rest);
                        add(&mut rest, -along, q);
                    }
                }
            }
            let pivot = dot(&rest, &rest);
            if pivot < DEPENDENT_PIVOT {
                surplus.push(i);
            } else {
                let length = pivot.sqrt();
                rest.iter_mut().for_each(|x| *x /= length);
                basis.push(rest);
            }
        }
        basis.len()
    }

    /// Solves A x = rhs; returns the residual ‖A x − rhs‖∞.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) -> f64 {
        let mut rest = std::mem::take(&mut self.rest);
        self.x.clear();
        self.x.resize(rhs.len(), 0.0);
        rest.clear();
        rest.extend(rhs.iter().zip(&self.scale).map(|(b, scale)| b * scale));
        let enough = REFINED * largest(rest.iter().copied());
        let mut last = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            // What of the rest is in the range of A.
            let mut y: Vec<f64> = self.q.iter().map(|q| dot(q, &rest)).collect();
            let size = largest(y.iter().copied());
            if size <= enough || size > STAGNATION * last {
                break;
            }
            last = size;
            self.divide(&mut y);
            self.q.iter().zip(&y).for_each(|(q, y)| add(&mut self.x, *y, q));
            rest.clear();
            rest.extend(rhs.iter().zip(&self.scale).map(|(b, scale)| b * scale));
            self.subtract_product(&mut rest);
        }
        for (x, (own, scale)) in x.iter_mut().zip(self.x.iter().zip(&self.scale)) {
            *x = own * scale;
        }
        self.rest = rest;
        largest(self.rest.iter().zip(&self.scale).map(|(rest, scale)| rest / scale))
    }

    /// y ← T⁻¹ T⁻ᵀ y
    fn divide(&self, y: &mut [f64]) {
        for (k, row) in self.t.iter().enumerate() {
            y[k] /= row[k];
            let yk = y[k];
            add(&mut y[k + 1..], -yk, &row[k + 1..]);
        }
        for (k, row) in self.t.iter().enumerate().rev() {
            y[k] = (y[k] - dot(&row[k + 1..], &y[k + 1..])) / row[k];
        }
    }

    /// rest ← rest − B Bᵀ x
    fn subtract_product(&self, rest: &mut [f64]) {
        let mut u = vec![0.0; self.columns];
        for (row, x) in self.b.all().zip(&self.x) {
            row.iter().for_each(|&(column, value)| u[column as usize] += value * x);
        }
        for (row, rest) in self.b.all().zip(rest) {
            *rest -= row.iter().map(|&(column, value)| value * u[column as usize]).sum::<f64>();
        }
    }

    /// rhs − A x of the last solve.
    pub fn left(&self, into: &mut [f64]) {
        for (left, (rest, scale)) in into.iter_mut().zip(self.rest.iter().zip(&self.scale)) {
            *left = rest / scale;
        }
    }

    /// A_ii.
    pub fn diagonal(&self, i: usize) -> f64 {
        self.diagonal[i]
    }

    /// The rows that depend on those before them.
    pub fn surplus(&self) -> &[u32] {
        &self.surplus
    }
}
