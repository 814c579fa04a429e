//! The tableau on which Lemke and Dantzig pivot, of which only a block is kept.
//!
//! ```text
//! w − M z − d z₀ = q          initial basis w; d z₀ only where a covering variable is asked for
//! x_B + T x_N = q̄             after any sequence of exchanges; T = B⁻¹N, q̄ = B⁻¹q
//! ```
//!
//! Let U be the basic ones of z and z₀, E the rows whose w is nonbasic, G = [M, d]_EU and H = G⁻¹ (`inverse.rs`).
//! For an entering variable with the column a in [M, d], or −eₖ for wₖ, the column of T is
//!
//! ```text
//! T_U = H a_E ,   T_i = −(aᵢ − [M, d]_iU T_U) for basic wᵢ ,   0 = a_E − G T_U
//! ```
//!
//! and an exchange updates H. The cost of both is that of the block and of the entries of M, not n²: half of a contact
//! problem's w stay basic. The last equation checks every column: where it fails, or q̄ has drifted,
//! `Tableau::refresh` computes H from the problem's numbers, without accumulated rounding.
//!
//! Every variable of the basis has a row; one that enters takes the row of the one that leaves.
//!
//! Source: the revised simplex method with the basis inverse, on the block alone as in the condensed tableaux of
//! [Cottle, Pang & Stone 1992, §2.3 and §4.1].

use crate::lcp::dense::inverse::Inverse;
use crate::lcp::dense::lu::Lu;
use crate::lcp::dense::problem::{LcpError, LcpProblem, Solution, Variable};
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::info::ACCEPTED;
use crate::math::{self, largest};

/// A column whose residual exceeds this, relative to its largest entry, is refined: a sum of some hundred terms rounds to less.
const ROUNDED_COLUMN: f64 = 1e-13;
/// Residual of a column or of q̄, relative to its largest entry, above which H is computed afresh: a thousand times
/// what refinement leaves, and still below the smallest rate that decides a pivot (`dantzig.rs`).
const DRIFT: f64 = 1e-10;
/// Exchanges after which q̄ is computed from H and the problem's q: each adds a rounding, and the product costs as much
/// as one exchange.
const STALE: usize = 32;

/// A column of T.
pub(in crate::lcp) struct Column {
    /// Entries by row.
    pub entries: Vec<f64>,
    /// T_U by position in the block.
    block: Vec<f64>,
    /// a − [M, d] T_U of all equations.
    rest: Vec<f64>,
}

pub(in crate::lcp) struct Tableau<'p> {
    problem: &'p Scaled,
    /// d, empty without z₀.
    covering: Vec<f64>,
    inverse: Inverse,
    /// By row: q̄, and the basic variables.
    pub rhs: Vec<f64>,
    pub basic: Vec<Variable>,
    /// The row of each basic variable, in the order w, z, z₀; none for a nonbasic one.
    rows: Vec<Option<u32>>,
    /// Exchanges since H was last computed from the problem's numbers, and since q̄ was.
    pub exchanges: usize,
    stale: usize,
}

impl<'p> Tableau<'p> {
    /// The initial tableau: w basic, z and z₀ nonbasic; `covering` is d, empty without z₀.
    pub fn new(problem: &'p Scaled, covering: Vec<f64>) -> Self {
        let n = problem.n();
        let mut rows = vec![None; 2 * n + 1];
        (0..n).for_each(|i| rows[i] = Some(i as u32));
        Self {
            problem,
            covering,
            inverse: Inverse::new(n, n + 1),
            rhs: problem.q.clone(),
            basic: (0..n).map(Variable::W).collect(),
            rows,
            exchanges: 0,
            stale: 0,
        }
    }

    fn n(&self) -> usize {
        self.problem.n()
    }

    fn id(&self, variable: Variable) -> usize {
        match variable {
            Variable::W(k) => k,
            Variable::Z(k) => self.n() + k,
            Variable::Covering => 2 * self.n(),
        }
    }

    /// The number of z or z₀ among the unknowns; none of w.
    fn label(&self, variable: Variable) -> Option<usize> {
        self.id(variable).checked_sub(self.n())
    }

    /// The entry of z or z₀ in a list by position in the block, zero outside of it.
    fn entry(&self, variable: Variable, by_position: &[f64]) -> f64 {
        let position = self.label(variable).and_then(|unknown| self.inverse.unknown(unknown));
        position.map_or(0.0, |position| by_position[position])
    }

    /// The row of a basic variable.
    pub fn row(&self, variable: Variable) -> Option<usize> {
        self.rows[self.id(variable)].map(|row| row as usize)
    }

    /// The basic variables with their values, by row.
    pub fn basis(&self) -> impl Iterator<Item = (Variable, f64)> {
        self.basic.iter().copied().zip(self.rhs.iter().copied())
    }

    /// Computes the column of a nonbasic variable.
    pub fn column(&mut self, entering: Variable) -> Column {
        let column = self.compute(entering);
        // Written so that NaN counts as missed.
        let met = self.missed(&column) <= DRIFT;
        if met || self.exchanges == 0 {
            return column;
        }
        self.refresh();
        self.compute(entering)
    }

    /// Returns |a_E − G T_U| relative to T_U.
    fn missed(&self, column: &Column) -> f64 {
        let missed = largest(self.inverse.equations.iter().map(|&i| column.rest[i]));
        missed / largest(column.block.iter().copied()).max(1.0)
    }

    fn compute(&self, entering: Variable) -> Column {
        let mut rest = vec![0.0; self.n()];
        match self.label(entering) {
            Some(unknown) => self.add(unknown, 1.0, &mut rest),
            None => rest[self.id(entering)] = -1.0,
        }
        let mut column = Column { entries: Vec::new(), block: vec![0.0; self.inverse.len()], rest };
        self.correct(&mut column);
        if self.missed(&column) > ROUNDED_COLUMN {
            self.correct(&mut column);
        }
        let Column { block, rest, .. } = &column;
        let entry = |&variable: &Variable| match variable {
            Variable::W(i) => -rest[i],
            unknown => self.entry(unknown, block),
        };
        column.entries = self.basic.iter().map(entry).collect();
        column
    }

    /// T_U ← T_U + H rest_E, and updates the rest.
    fn correct(&self, Column { block, rest, .. }: &mut Column) {
        let step = self.inverse.solve(rest);
        for ((&u, x), &dx) in self.inverse.unknowns.iter().zip(block).zip(&step) {
            *x += dx;
            if dx != 0.0 {
                self.add(u, -dx, rest);
            }
        }
    }

    /// y ← y + factor · column of the unknown `u` in [M, d].
    fn add(&self, u: usize, factor: f64, y: &mut [f64]) {
        if u < self.n() {
            self.problem.column(u).iter().for_each(|&(i, m)| y[i] += factor * m);
        } else {
            math::add(y, factor, &self.covering);
        }
    }

    /// Returns [M, d]_iU by position.
    fn in_block(&self, i: usize) -> Vec<(usize, f64)> {
        let z = self.problem.row(i).iter().enumerate().map(|(u, &m)| (self.inverse.unknown(u), m));
        let covering = self.covering.get(i).map(|&d| (self.inverse.unknown(self.n()), d));
        z.chain(covering).filter_map(|(at, m)| at.filter(|_| m != 0.0).map(|at| (at, m))).collect()
    }

    /// Entries of column k of B⁻¹ in `rows`, the columns of w in B⁻¹[I]; nothing where it is the unit vector of a
    /// basic wₖ.
    pub fn inverse_column(&self, k: usize, rows: &[usize]) -> Option<Vec<f64>> {
        let column = self.inverse.column(self.inverse.equation(k)?);
        let at = |u: usize| self.inverse.unknown(u).map_or(0.0, |p| column[p]);
        let entry = |&row: &usize| match self.basic[row] {
            Variable::W(i) => {
                let row = self.problem.row(i).iter().enumerate().filter(|(_, m)| **m != 0.0);
                let z = row.map(|(u, m)| m * at(u)).sum::<f64>();
                -(z + self.covering.get(i).map_or(0.0, |d| d * at(self.n())))
            }
            unknown => -self.entry(unknown, column),
        };
        Some(rows.iter().map(entry).collect())
    }

    /// Returns z, with nonbasic entries zero.
    pub fn z(&self) -> Vec<f64> {
        let value = |k| self.row(Variable::Z(k)).map_or(0.0, |row| self.rhs[row]);
        (0..self.n()).map(value).collect()
    }

    /// Exchanges the basic variable of `row` with the nonbasic `entering`, whose column is `column`.
    pub fn exchange(&mut self, row: usize, entering: Variable, column: &Column) {
        let (leaving, pivot) = (self.basic[row], column.entries[row]);
        let moved = self.rhs[row] / pivot;
        if moved != 0.0 {
            for (value, entry) in self.rhs.iter_mut().zip(&column.entries) {
                *value -= moved * entry;
            }
        }
        self.rhs[row] = moved;
        let (left, entered) = (self.id(leaving), self.id(entering));
        let position = |label: usize| self.inverse.unknown(label).unwrap_or_default();
        match (self.label(leaving), self.label(entering)) {
            (None, None) => {
                let v = self.inverse.solve_transposed(&self.in_block(left));
                let e = self.inverse.equation(entered).unwrap_or_default();
                self.inverse.replace_equation(e, left, &v);
            }
            (None, Some(new)) => {
                let v = self.inverse.solve_transposed(&self.in_block(left));
                self.inverse.grow(new, left, &column.block, &v, -pivot);
            }
            (Some(old), None) => {
                let e = self.inverse.equation(entered).unwrap_or_default();
                self.inverse.shrink(position(old), e);
            }
            (Some(old), Some(new)) => self.inverse.replace_unknown(position(old), new, &column.block),
        }
        self.basic[row] = entering;
        (self.rows[left], self.rows[entered]) = (None, Some(row as u32));
        self.exchanges += 1;
        self.stale += 1;
        if self.stale >= STALE {
            let refined = self.refine_rhs();
            if !refined && self.exchanges > 1 {
                self.refresh();
            }
        }
    }

    /// Computes q̄ from H and q, refined once; returns whether H was accurate enough for that.
    fn refine_rhs(&mut self) -> bool {
        self.stale = 0;
        let (z, w, missed) = self.values(1);
        // Written so that NaN counts as missed.
        let good = missed <= DRIFT * largest(z.iter().copied()).max(1.0);
        if good {
            let value = |&variable: &Variable| match variable {
                Variable::W(i) => w[i],
                unknown => self.entry(unknown, &z),
            };
            self.rhs = self.basic.iter().map(value).collect();
        }
        good
    }

    /// Returns z, with nonbasic entries zero, from H and q, refined with the problem's numbers.
    pub fn refined(&self, refinements: usize) -> Vec<f64> {
        let (values, ..) = self.values(refinements);
        (0..self.n()).map(|k| self.entry(Variable::Z(k), &values)).collect()
    }

    /// Returns −H q_E, refined; its w; and the residual of the equations before the last refinement.
    fn values(&self, refinements: usize) -> (Vec<f64>, Vec<f64>, f64) {
        let (mut z, mut w) = (vec![0.0; self.inverse.len()], self.problem.q.clone());
        let mut missed = 0.0;
        for _ in 0..=refinements {
            missed = largest(self.inverse.equations.iter().map(|&i| w[i]));
            let step = self.inverse.solve(&w);
            z.iter_mut().zip(&step).for_each(|(z, step)| *z -= step);
            w.clone_from(&self.problem.q);
            for (&u, &x) in self.inverse.unknowns.iter().zip(&z) {
                self.add(u, x, &mut w);
            }
        }
        (z, w, missed)
    }

    /// Computes H and q̄ from the problem's numbers; leaves them as they are where G is singular to rounding.
    pub fn refresh(&mut self) {
        self.exchanges = 0;
        let Self { problem, covering, inverse, .. } = self;
        let done = inverse.factor(|equations, unknowns| {
            let mut block = Vec::with_capacity(equations.len() * unknowns.len());
            // z₀ has the greatest label.
            let covered = unknowns.last() == Some(&problem.n());
            let z = &unknowns[..unknowns.len() - usize::from(covered)];
            for &i in equations {
                block.extend(z.iter().map(|&u| problem.row(i)[u]));
                block.extend(covering.get(i).filter(|_| covered));
            }
            block
        });
        if done {
            self.refine_rhs();
        }
    }
}

/// Most refinements of the final system; the first brings rounding level, the others are for bad condition.
const REFINEMENTS: usize = 3;

/// Residual, relative to ‖q‖∞, that is rounding: no other factorisation would leave less.
const ROUNDING: f64 = 1e-14;

/// Returns the solution that belongs to the tableau's basis.
pub(super) fn solution(
    problem: &LcpProblem,
    scaled: &Scaled,
    tableau: &Tableau,
    pivots: usize,
) -> Result<Solution, LcpError> {
    let mut best = Judged::of(scaled, &tableau.refined(REFINEMENTS));
    if best.residual.is_nan() || best.residual > ROUNDING {
        best = best.or(Judged::of(scaled, &tableau.z()));
        if let Some(z) = solved(scaled, tableau) {
            best = best.or(Judged::of(scaled, &z));
        }
    }
    let z = scaled.unscaled(&best.z);
    let (w, residual) = (problem.w(&z), problem.residual(&z));
    if best.residual <= ACCEPTED || best.is_rounding {
        Ok(Solution { z, w, residual, pivots })
    } else {
        Err(LcpError::Inaccurate { residual, pivots })
    }
}

/// Returns z = 0, w = q, for a q without negative entries.
pub(super) fn at_rest(problem: &LcpProblem) -> Solution {
    Solution { z: vec![0.0; problem.n()], w: problem.q().to_vec(), residual: 0.0, pivots: 0 }
}

/// A solution of the scaled problem, with its residual there, in which units do not count.
struct Judged {
    z: Vec<f64>,
    residual: f64,
    is_rounding: bool,
}

impl Judged {
    fn of(scaled: &Scaled, z: &[f64]) -> Self {
        // A basic variable of a degenerate solution is zero but for rounding.
        let z: Vec<_> = z.iter().map(|&z| if z < 0.0 { 0.0 } else { z }).collect();
        let (residual, is_rounding) = scaled.residual(&z);
        Self { z, residual, is_rounding }
    }

    /// The one with the smaller residual; a NaN counts as worse.
    fn or(self, other: Self) -> Self {
        if other.residual <= self.residual || self.residual.is_nan() { other } else { self }
    }
}

fn solved(scaled: &Scaled, tableau: &Tableau) -> Option<Vec<f64>> {
    let is_basic = |&k: &usize| tableau.row(Variable::Z(k)).is_some();
    let alpha: Vec<usize> = (0..scaled.n()).filter(is_basic).collect();
    let n = alpha.len();
    let mut block = Vec::with_capacity(n * n);
    alpha.iter().for_each(|&i| block.extend(alpha.iter().map(|&k| scaled.row(i)[k])));
    let lu = Lu::of(n, block.clone())?;
    let mut x = vec![0.0; n];
    for _ in 0..=REFINEMENTS {
        // r = −q − M x
        let mut r: Vec<f64> = alpha.iter().map(|&i| -scaled.q[i]).collect();
        for (r, row) in r.iter_mut().zip(block.chunks_exact(n.max(1))) {
            *r -= row.iter().zip(&x).map(|(m, x)| m * x).sum::<f64>();
        }
        let step = lu.solve(&r, 1);
        if step.iter().any(|x| !x.is_finite()) {
            return None;
        }
        math::add(&mut x, 1.0, &step);
    }
    let mut z = vec![0.0; scaled.n()];
    alpha.iter().zip(&x).for_each(|(&k, &x)| z[k] = x);
    Some(z)
}
