//! The basis of a drive: which λ move freely, which rows have w = 0, and the inverse of their system.
//!
//! ```text
//! G_EU x_U = r_E ,   G_ij = A_ij + s_j A_it        t the friction of j
//! Δλ_j = x_j ,   Δλ_t = s_j x_j + x_t              x_t only where t is in U as well
//! ```
//!
//! Between drives U = E are the clamped rows. s_j = ±μ where t slides: λ_t follows λ_j and its column is part of
//! j's. Where t is clamped s_j is any number, and x_t what λ_t has beyond it; so a row that begins or ceases to slide
//! changes one row or one column of G at a time.

use crate::lcp::delassus::rows::Rows;
use crate::lcp::linear::inverse::Inverse;
use crate::math::largest;

/// A pivot below this, in the equilibrated rows, is rounding.
const TINY_PIVOT: f64 = 1e-12;
/// A direction that moves rows of E by more than this, relative to its largest entry, is refined.
const ROUNDED: f64 = 1e-13;
/// The same before the inverse is computed afresh.
const DRIFT: f64 = 1e-9;

/// A variable that enters the basis or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// λ of a row, or what it has beyond s λ_n; in U while basic.
    Lambda(usize),
    /// w of a row; the row is in E while it is not basic.
    Rate(usize),
}

/// What moves with the entering variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Direction {
    /// Δλ.
    pub lambda: Vec<f64>,
    /// Δw, zero for the rows of E but for the one that enters.
    pub w: Vec<f64>,
    x: Vec<f64>,
    step: Vec<f64>,
}

/// Memory of a basis, used again by the next one.
#[derive(Debug, Default)]
pub(super) struct BasisMemory {
    inverse: Inverse,
    /// s by normal row.
    slope: Vec<f64>,
    /// A column of G by row, a row of G by position, d and v of the change that these make (`linear/inverse.rs`).
    column: Vec<f64>,
    row: Vec<(usize, f64)>,
    d: Vec<f64>,
    v: Vec<f64>,
    sliding: SlidingColumns,
}

/// The unknowns whose column contains that of friction, while G is computed.
#[derive(Debug, Default)]
struct SlidingColumns {
    /// By column: position of the unknown, its friction row.
    of: Vec<(usize, usize)>,
    /// The columns by their friction row, and these rows in that order.
    order: Vec<usize>,
    ascending: Vec<usize>,
    /// A row of A there.
    entries: Vec<f64>,
}

pub(super) struct Basis<'m> {
    rows: &'m Rows,
    memory: &'m mut BasisMemory,
    /// Changes since the inverse was last computed from A.
    changes: usize,
}

impl<'m> Basis<'m> {
    /// No row is clamped, none slides.
    pub fn new(rows: &'m Rows, memory: &'m mut BasisMemory) -> Self {
        let n = rows.len();
        memory.inverse.reset(n, n);
        memory.slope.clear();
        memory.slope.resize(n, 0.0);
        Self { rows, memory, changes: 0 }
    }

    /// y ← y + factor · column of x_j.
    fn add(&self, j: usize, factor: f64, y: &mut [f64]) {
        add(self.rows, &self.memory.slope, j, factor, y);
    }

    /// Writes G_iU by position.
    fn read_row(&mut self, i: usize) {
        let BasisMemory { inverse, slope, row, .. } = &mut *self.memory;
        row.clear();
        for (j, a) in self.rows.a.row(i).iter().filter(|(_, a)| *a != 0.0) {
            row.extend(inverse.unknown(j).map(|p| (p, a)));
            // A_ij of a friction row j is part of its normal row's column.
            if let Some(n) = self.rows.normal[j]
                && let Some(p) = inverse.unknown(n)
                && slope[n] != 0.0
            {
                row.push((p, a * slope[n]));
            }
        }
    }

    /// The variable `entering` joins the basis in place of `leaving`; false where rounding left no pivot.
    pub fn exchange(&mut self, entering: Variable, leaving: Variable) -> bool {
        let done = match (entering, leaving) {
            (Variable::Lambda(j), Variable::Lambda(k)) if j == k => return true,
            (Variable::Lambda(j), Variable::Lambda(k)) => {
                self.solve(j);
                let BasisMemory { inverse, d, .. } = &mut *self.memory;
                inverse.unknown(k).filter(|&p| is_pivot(d[p])).map(|p| inverse.replace_unknown(p, j, d))
            }
            (Variable::Lambda(j), Variable::Rate(i)) => {
                self.solve(j);
                self.read_row(i);
                let BasisMemory { inverse, column, row, d, v, .. } = &mut *self.memory;
                inverse.solve_transposed(row, v);
                let s = column[i] - row.iter().map(|&(p, g)| g * d[p]).sum::<f64>();
                is_pivot(s).then(|| inverse.grow(j, i, d, v, s))
            }
            (Variable::Rate(i), Variable::Lambda(k)) => {
                let inverse = &mut self.memory.inverse;
                let places = inverse.unknown(k).zip(inverse.equation(i));
                places.filter(|&(p, e)| is_pivot(inverse.column(e)[p])).map(|(p, e)| inverse.shrink(p, e))
            }
            (Variable::Rate(i), Variable::Rate(k)) => {
                self.read_row(k);
                let BasisMemory { inverse, row, v, .. } = &mut *self.memory;
                inverse.solve_transposed(row, v);
                inverse.equation(i).filter(|&e| is_pivot(v[e])).map(|e| inverse.replace_equation(e, k, v))
            }
        };
        self.changes += 1;
        done.is_some()
    }

    /// Writes the column of x_j, and d = H a of it.
    fn solve(&mut self, j: usize) {
        let BasisMemory { inverse, slope, column, d, .. } = &mut *self.memory;
        column.clear();
        column.resize(self.rows.len(), 0.0);
        add(self.rows, slope, j, 1.0, column);
        inverse.solve(column, d);
    }

    /// s of the normal row `j` becomes `slope`; false where rounding left no pivot.
    pub fn slide(&mut self, j: usize, slope: f64) -> bool {
        let change = slope - self.memory.slope[j];
        let place = self.memory.inverse.unknown(j);
        if let (Some(p), Some(t), true) = (place, self.rows.friction[j], change != 0.0) {
            self.solve(t);
            let BasisMemory { inverse, d, .. } = &mut *self.memory;
            d.iter_mut().for_each(|x| *x *= change);
            d[p] += 1.0;
            if !is_pivot(d[p]) {
                return false;
            }
            inverse.replace_unknown(p, j, d);
            self.changes += 1;
        }
        self.memory.slope[j] = slope;
        true
    }

    /// What moves when `entering`, which is not in the basis, grows by `size`.
    pub fn direction(&mut self, entering: Variable, size: f64, direction: &mut Direction) {
        self.compute(entering, size, direction);
        // Written so that NaN counts as missed.
        let met = self.missed(direction) <= DRIFT;
        if !met && self.changes > 0 {
            self.refresh();
            self.compute(entering, size, direction);
        }
        let Direction { lambda, w, x, .. } = direction;
        lambda.clear();
        lambda.resize(w.len(), 0.0);
        self.memory.inverse.equations().iter().for_each(|&i| w[i] = 0.0);
        match entering {
            Variable::Lambda(j) => {
                lambda[j] = size;
                if let Some(t) = self.rows.friction[j] {
                    lambda[t] = self.memory.slope[j] * size;
                }
            }
            Variable::Rate(i) => w[i] = size,
        }
        self.spread(x, lambda);
    }

    fn compute(&self, entering: Variable, size: f64, direction: &mut Direction) {
        direction.w.clear();
        direction.w.resize(self.rows.len(), 0.0);
        direction.x.clear();
        direction.x.resize(self.memory.inverse.len(), 0.0);
        match entering {
            Variable::Lambda(j) => self.add(j, size, &mut direction.w),
            // What is left to be met: w_i shall come out as `size`.
            Variable::Rate(i) => direction.w[i] = -size,
        }
        self.correct(direction);
        if self.missed(direction) > ROUNDED {
            self.correct(direction);
        }
    }

    /// x ← x − H w_E, and the w that this leaves.
    fn correct(&self, Direction { w, x, step, .. }: &mut Direction) {
        self.memory.inverse.solve(w, step);
        for ((&u, x), &dx) in self.memory.inverse.unknowns().iter().zip(x).zip(&*step) {
            *x -= dx;
            if dx != 0.0 {
                self.add(u, -dx, w);
            }
        }
    }

    fn missed(&self, direction: &Direction) -> f64 {
        let missed = largest(self.memory.inverse.equations().iter().map(|&i| direction.w[i]));
        missed / largest(direction.x.iter().copied()).max(1.0)
    }

    /// λ ← λ + x of the clamped rows and of those that slide along.
    fn spread(&self, x: &[f64], lambda: &mut [f64]) {
        for (&u, &x) in self.memory.inverse.unknowns().iter().zip(x) {
            lambda[u] += x;
            if let Some(t) = self.rows.friction[u] {
                lambda[t] += self.memory.slope[u] * x;
            }
        }
    }

    /// Corrects λ so that the rows of E have w = 0, with w from A and `q`.
    pub fn settle(&mut self, q: &[f64], lambda: &mut [f64], w: &mut Vec<f64>) {
        self.rows.rates(q, lambda, w);
        for _ in 0..2 {
            let mut x = std::mem::take(&mut self.memory.d);
            self.memory.inverse.solve(w, &mut x);
            x.iter_mut().for_each(|x| *x = -*x);
            self.spread(&x, lambda);
            self.memory.d = x;
            self.rows.rates(q, lambda, w);
            let missed = largest(self.memory.inverse.equations().iter().map(|&i| w[i]));
            if missed <= DRIFT * largest(lambda.iter().chain(q).copied()) {
                return;
            }
            self.refresh();
        }
    }

    /// Computes the inverse from A; leaves it as it is where G is singular to rounding.
    pub fn refresh(&mut self) {
        self.changes = 0;
        let rows = self.rows;
        let BasisMemory { inverse, slope, sliding, .. } = &mut *self.memory;
        inverse.factor(|equations, unknowns, block| {
            let SlidingColumns { of, order, ascending, entries } = sliding;
            of.clear();
            of.extend(
                unknowns
                    .iter()
                    .enumerate()
                    .filter_map(|(place, &j)| rows.friction[j].map(|t| (place, t)))
                    .filter(|&(place, _)| slope[unknowns[place]] != 0.0),
            );
            // Friction rows need not stand in the order of their normal rows.
            order.clear();
            order.extend(0..of.len());
            order.sort_unstable_by_key(|&at| of[at].1);
            ascending.clear();
            ascending.extend(order.iter().map(|&at| of[at].1));
            for &i in equations {
                let start = block.len();
                rows.a.gather(i, unknowns, block);
                entries.clear();
                rows.a.gather(i, ascending, entries);
                for (&at, a) in order.iter().zip(&*entries) {
                    let place = of[at].0;
                    block[start + place] += slope[unknowns[place]] * a;
                }
            }
        });
    }
}

/// y ← y + factor · column of x_j, with s by normal row.
fn add(rows: &Rows, slope: &[f64], j: usize, factor: f64, y: &mut [f64]) {
    rows.a.column(j).add_to(factor, y);
    if let Some(t) = rows.friction[j]
        && slope[j] != 0.0
    {
        rows.a.column(t).add_to(factor * slope[j], y);
    }
}

fn is_pivot(x: f64) -> bool {
    x.is_finite() && x.abs() > TINY_PIVOT
}
