//! Whether the states of a warm start solve a mixed problem as they are.
//!
//! A contact at rest has from step to step the same states: which contacts bear, which stick and which slide. They
//! fix a complementary basis of the problem,
//!
//! ```text
//! bearing, sticking, between bounds    w = 0
//! sliding                              λ = ±μ λ_n
//! at a bound, without force            λ = the bound
//! ```
//!
//! one linear system. A row belongs where the projection of the residual has it: at a bound if λ − w lies beyond it.
//! If the system's solution satisfies the problem to rounding, it is one at which a pivoting method may end, and no path
//! has to be walked. Otherwise it is discarded.
//!
//! The system is factorised in the order of the rows, without exchanges, so that the band of a stack stays a band;
//! rows that depend on those before them keep their λ. It is judged by the residual of the problem as given.

use crate::lcp::delassus::equations::Equations;
use crate::lcp::delassus::rows::Rows;
use crate::lcp::linear::lu::Lu;
use crate::lcp::mixed::acceptance::Acceptance;
use crate::lcp::mixed::problem::MixedProblem;
use glam::DVec3;

/// A residual of up to this share of the problem's speed is rounding.
const ROUNDING: f64 = 1e-12;
/// λ nearer to a bound than this share of its own size is at it.
const AT_BOUND: f64 = 1e-9;
/// A pivot below this, in the equilibrated rows, belongs to a row that depends on others.
const DEPENDENT: f64 = 1e-9;
/// Most corrections of λ; the second leaves rounding, the third is for bad condition.
const CORRECTIONS: usize = 3;

/// Whether `lambda`, the warm start, solves the problem to rounding already; `v` is memory.
pub(in crate::lcp) fn is_solution(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    lambda: &[f64],
    v: &mut Vec<DVec3>,
) -> bool {
    lambda.iter().any(|x| *x != 0.0) && problem.residual_in(lambda, v) <= acceptance.tolerance(ROUNDING)
}

/// Makes `lambda`, the warm start, the solution that its states give; false if they give none, and `lambda` is as it
/// was. `equations` are factorised, no row is sliding by law.
pub(in crate::lcp) fn solves(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    equations: &mut Equations,
    rows: &Rows,
    basis: &mut GuessedBasis,
    lambda: &mut [f64],
) -> bool {
    if lambda.iter().all(|x| *x == 0.0) {
        return false;
    }
    basis.guess(rows, lambda);
    basis.solve(rows);
    let GuessedBasis { lambda: scaled, found, v, .. } = basis;
    found.resize(lambda.len(), 0.0);
    rows.unscaled(scaled, found);
    equations.complete(problem, found, v);
    let met = is_solution(problem, acceptance, found, v);
    if met {
        lambda.copy_from_slice(found);
    }
    met
}

/// What the warm start says about every row, in memory that the next problem uses again.
#[derive(Debug, Default)]
pub(in crate::lcp) struct GuessedBasis {
    /// λ, at its bound where it is fixed.
    lambda: Vec<f64>,
    /// Rows with w = 0, in the order of the problem.
    free: Vec<usize>,
    /// λ_t / λ_n of the friction that slides, by normal row; zero where none does.
    slope: Vec<f64>,
    /// By row its place among the free ones.
    place: Vec<Option<usize>>,
    lu: Lu,
    w: Vec<f64>,
    /// w of the free rows, and the step of their λ that removes it.
    rest: Vec<f64>,
    step: Vec<f64>,
    /// λ by row of the problem, and the velocity that it gives.
    found: Vec<f64>,
    v: Vec<DVec3>,
}

impl GuessedBasis {
    fn guess(&mut self, rows: &Rows, warm: &[f64]) {
        let Self { lambda, free, slope, w, .. } = self;
        let n = rows.len();
        free.clear();
        slope.clear();
        slope.resize(n, 0.0);
        rows.scaled(warm, lambda);
        rows.rates(&rows.q, lambda, w);
        // Normal rows stand before friction rows: their λ is settled first.
        for at in 0..n {
            let [lower, upper] = rows.bounds(at, lambda);
            let near = AT_BOUND * rows.normal[at].map_or(lambda[at], |n| lambda[n]).abs();
            // A row at its bound leaves it where w has the sign that pushes λ off.
            let target = lambda[at] - w[at];
            let (low, high) = (target <= lower + near, target >= upper - near);
            match (rows.normal[at], low, high) {
                (Some(n), false, true) => slope[n] = rows.coefficient[at],
                (Some(n), true, false) => slope[n] = -rows.coefficient[at],
                (_, false, false) => free.push(at),
                (_, true, _) => lambda[at] = lower,
                (_, false, true) => lambda[at] = upper,
            }
        }
        free.sort_unstable_by_key(|&at| rows.index[at]);
    }

    /// λ of the free rows from w = 0, and of those that slide along.
    fn solve(&mut self, rows: &Rows) {
        let Self { free, slope, place, lu, .. } = self;
        let k = free.len();
        place.clear();
        place.resize(rows.len(), None);
        free.iter().enumerate().for_each(|(p, &j)| place[j] = Some(p));
        lu.factor_in_order(k, DEPENDENT, |g| {
            g.resize(k * k, 0.0);
            for (p, &i) in free.iter().enumerate() {
                let line = &mut g[p * k..(p + 1) * k];
                for (j, a) in rows.a.row(i).iter() {
                    if let Some(q) = place[j] {
                        line[q] += a;
                    }
                    // The column of friction that slides is part of its normal row's.
                    if let Some(n) = rows.normal[j]
                        && let Some(q) = place[n]
                    {
                        line[q] += slope[n] * a;
                    }
                }
            }
        });
        for _ in 0..CORRECTIONS {
            self.drag(rows);
            let Self { lambda, free, lu, w, rest, step, .. } = self;
            rows.rates(&rows.q, lambda, w);
            rest.clear();
            rest.extend(free.iter().map(|&i| w[i]));
            lu.solve(rest, 1, step);
            for (&j, x) in free.iter().zip(&*step) {
                lambda[j] -= x;
            }
        }
        self.drag(rows);
    }

    /// λ_t = ±μ λ_n of friction that slides.
    fn drag(&mut self, rows: &Rows) {
        for (n, t) in rows.friction.iter().enumerate() {
            if let (Some(t), true) = (*t, self.slope[n] != 0.0) {
                self.lambda[t] = self.slope[n] * self.lambda[n];
            }
        }
    }
}
