//! The condensed tableau on which Lemke and Dantzig pivot.
//!
//! ```text
//! w − M z − d z₀ = q          initial basis w; d z₀ only where a covering variable is asked for
//! x_B + T x_N = q̄             after any sequence of exchanges; T = B⁻¹N, q̄ = B⁻¹q
//! ```
//!
//! Invariant: B holds the columns of the basic variables in [I, −M, −d], row i of T and q̄ belongs to
//! `basic(i)`. Only the columns of nonbasic variables are kept, so an exchange costs n² multiplications. The
//! columns of w in B⁻¹[I] are those that the lexicographic rule compares: unit vectors where w_k is basic.
//! [`Tableau::refresh`] takes B's factors from the problem's numbers and forgets what rounding has gathered.

use super::lu::{Lu, subtract};
use super::scaled::Scaled;

/// A variable of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    W(usize),
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

/// Where a variable stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Row(usize),
    Column(usize),
}

/// An indexed subtraction costs about this many plain ones.
const SPARSE: usize = 4;

pub(super) struct Tableau<'p> {
    problem: &'p Scaled,
    /// d, empty without z₀.
    covering: Vec<f64>,
    n: usize,
    columns: usize,
    t: Vec<f64>,
    rhs: Vec<f64>,
    basic: Vec<Variable>,
    nonbasic: Vec<Variable>,
    /// Of w, of z, of z₀.
    places: Vec<Place>,
    exchanges: usize,
}

impl<'p> Tableau<'p> {
    /// w basic, z nonbasic.
    pub fn new(problem: &'p Scaled) -> Self {
        Self::with(problem, Vec::new(), (0..problem.n).map(Variable::Z).collect())
    }

    /// w basic, z and z₀ nonbasic; `covering` is d.
    pub fn covered(problem: &'p Scaled, covering: Vec<f64>) -> Self {
        let nonbasic = (0..problem.n).map(Variable::Z).chain([Variable::Covering]).collect();
        Self::with(problem, covering, nonbasic)
    }

    fn with(problem: &'p Scaled, covering: Vec<f64>, nonbasic: Vec<Variable>) -> Self {
        let (n, columns) = (problem.n, nonbasic.len());
        let mut t = Vec::with_capacity(n * columns);
        for i in 0..n {
            t.extend(problem.row(i).iter().map(|x| -x));
            t.extend(covering.get(i).map(|d| -d));
        }
        let places = (0..n).map(Place::Row).chain((0..columns).map(Place::Column)).collect();
        let basic = (0..n).map(Variable::W).collect();
        Self {
            problem,
            covering,
            n,
            columns,
            t,
            rhs: problem.q.clone(),
            basic,
            nonbasic,
            places,
            exchanges: 0,
        }
    }

    fn id(&self, variable: Variable) -> usize {
        match variable {
            Variable::W(k) => k,
            Variable::Z(k) => self.n + k,
            Variable::Covering => 2 * self.n,
        }
    }

    pub fn place(&self, variable: Variable) -> Place {
        self.places[self.id(variable)]
    }

    pub fn basic(&self, row: usize) -> Variable {
        self.basic[row]
    }

    /// q̄.
    pub fn rhs(&self) -> &[f64] {
        &self.rhs
    }

    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.t[row * self.columns + column]
    }

    /// Entry (row, k) of B⁻¹.
    pub fn inverse(&self, row: usize, k: usize) -> f64 {
        match self.place(Variable::W(k)) {
            Place::Row(r) => f64::from(r == row),
            Place::Column(j) => self.entry(row, j),
        }
    }

    /// Exchanges since the tableau was last computed from the problem's numbers.
    pub fn exchanges(&self) -> usize {
        self.exchanges
    }

    /// z with the nonbasic ones zero.
    pub fn z(&self) -> Vec<f64> {
        let value = |k| match self.place(Variable::Z(k)) {
            Place::Row(row) => self.rhs[row],
            Place::Column(_) => 0.0,
        };
        (0..self.n).map(value).collect()
    }

    /// Indices of the basic z.
    pub fn basic_z(&self) -> Vec<usize> {
        (0..self.n).filter(|&k| matches!(self.place(Variable::Z(k)), Place::Row(_))).collect()
    }

    /// Exchanges the basic variable of `row` with the nonbasic one of `column`.
    pub fn exchange(&mut self, row: usize, column: usize) {
        let width = self.columns;
        let pivot = self.entry(row, column);
        let mut own = self.t[row * width..(row + 1) * width].to_vec();
        own[column] = 1.0;
        own.iter_mut().for_each(|x| *x /= pivot);
        self.rhs[row] /= pivot;
        let moved = self.rhs[row];
        // Frictional tableaux stay sparse for long: where most of the row is zero, only the rest is subtracted.
        let present: Vec<usize> = (0..width).filter(|&j| own[j] != 0.0).collect();
        let sparse = SPARSE * present.len() < width;
        for (i, line) in self.t.chunks_exact_mut(width).enumerate() {
            let factor = line[column];
            if i == row || factor == 0.0 {
                continue;
            }
            line[column] = 0.0;
            if sparse {
                present.iter().for_each(|&j| line[j] -= factor * own[j]);
            } else {
                subtract(line, factor, &own);
            }
            self.rhs[i] -= factor * moved;
        }
        self.t[row * width..(row + 1) * width].copy_from_slice(&own);
        let (left, entered) = (self.basic[row], self.nonbasic[column]);
        (self.basic[row], self.nonbasic[column]) = (entered, left);
        let (left, entered) = (self.id(left), self.id(entered));
        (self.places[left], self.places[entered]) = (Place::Column(column), Place::Row(row));
        self.exchanges += 1;
    }

    /// Column of `variable` in [I, −M, −d], written into column `at` of `into`.
    fn write_column(&self, variable: Variable, into: &mut [f64], width: usize, at: usize) {
        for i in 0..self.n {
            into[i * width + at] = match variable {
                Variable::W(k) => f64::from(i == k),
                Variable::Z(k) => -self.problem.m[i * self.n + k],
                Variable::Covering => -self.covering[i],
            };
        }
    }

    /// Computes T and q̄ from the problem's numbers; leaves them as they are where B is singular to rounding.
    pub fn refresh(&mut self) {
        self.exchanges = 0;
        let (n, width) = (self.n, self.columns + 1);
        let mut basis = vec![0.0; n * n];
        for (j, &variable) in self.basic.iter().enumerate() {
            self.write_column(variable, &mut basis, n, j);
        }
        let Some(lu) = Lu::factor(basis, n) else { return };
        let mut right = vec![0.0; n * width];
        for (j, &variable) in self.nonbasic.iter().enumerate() {
            self.write_column(variable, &mut right, width, j);
        }
        for i in 0..n {
            right[i * width + width - 1] = self.problem.q[i];
        }
        let solved = lu.solve(&right, width);
        if solved.iter().any(|x| !x.is_finite()) {
            return;
        }
        for (i, line) in solved.chunks_exact(width).enumerate() {
            self.t[i * self.columns..(i + 1) * self.columns].copy_from_slice(&line[..self.columns]);
            self.rhs[i] = line[self.columns];
        }
    }
}
