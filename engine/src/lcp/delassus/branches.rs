//! Branch and bound over the states of an island: the solution, or the proof that there is none, where `exhaustion.rs` would have too
//! many combinations to try.
//!
//! **Problem**: the plain form of `polyhedral.rs`, z ≥ 0, w = M z + q ≥ 0, zᵀw = 0.
//!
//! **A node** sets some variables to zero, one of a pair (zᵢ, wᵢ) each, and leaves the other pairs open: what is left is linear,
//!
//! ```text
//! w = M z + q ,   z ≥ 0 ,   w ≥ 0 ,   some of them 0
//! ```
//!
//! **Bound**: the dual simplex method without an objective, from the dictionary of the node above: a row x_B = r + Σ cⱼ xⱼ with r < 0 and
//! no cⱼ > 0 of a variable that may grow contradicts itself. It is computed afresh from M and q and believed as Farkas' certificates
//! are (`dense/scaled.rs`); then all combinations of states below the node are excluded.
//!
//! **Branch**: at the pair whose smaller variable is largest, with the one and then the other set to zero. Where there is none, z solves
//! the problem, and is judged by its residual.
//!
//! Sources: [Land & Doig 1960] (branch and bound); [Lemke 1954] (the dual simplex method).

use super::equations::Equations;
use super::exhaustion::{self, Exhausted, exhaust};
use super::polyhedral::Polyhedral;
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::info::ACCEPTED;
use crate::lcp::mixed::acceptance::{Acceptance, ROUNDED};
use crate::lcp::mixed::problem::MixedProblem;
use crate::math::largest;

/// Most unknowns: a node holds their square, 320 kB.
const MOST_UNKNOWNS: usize = 200;
/// How long states are tried: the work of single combinations (`exhaustion.rs`), and of branches, in entries of a dictionary that are
/// changed.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) struct Effort {
    combinations: usize,
    branches: usize,
}

/// Where a run would end: about two seconds.
pub(in crate::lcp) const AT_THE_END: Effort =
    Effort { combinations: exhaustion::AT_THE_END, branches: 1_000_000_000 };
/// Where it goes on anyway: some 20 ms.
pub(in crate::lcp) const ON_THE_WAY: Effort =
    Effort { combinations: exhaustion::ON_THE_WAY, branches: 20_000_000 };
/// Most pivots of a node, per unknown; where it takes more, rounding leads in a circle.
const PIVOTS: usize = 20;
/// In scaled units, where q is of the order of one: values above −this are no contradiction, entries below this no pivot.
const FEASIBLE: f64 = 1e-9;
const PIVOT: f64 = 1e-9;
/// Share of −yᵀq that a coefficient of a certificate may be negative by, as in `dense/scaled.rs`.
const CERTAINTY: f64 = 1e-9;

/// All combinations of states, one by one where they are few, else by branch and bound; open where that would take too long, or
/// rounding leaves one open. `near` becomes the λ of the first node that would be a solution but for rounding, if there is one.
pub(in crate::lcp) fn settle(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    effort: Effort,
    near: &mut Vec<f64>,
) -> Exhausted {
    match exhaust(problem, acceptance, effort.combinations) {
        Exhausted::Open => branch(problem, acceptance, effort.branches, near),
        settled => settled,
    }
}

fn branch(problem: &MixedProblem, acceptance: &Acceptance, most: usize, near: &mut Vec<f64>) -> Exhausted {
    let mut equations = Equations::default();
    let posed = equations.factor(problem).ok().and_then(|()| Polyhedral::new(problem, &mut equations));
    let Some(posed) = posed.filter(|posed| posed.plain.n() <= MOST_UNKNOWNS) else {
        return Exhausted::Open;
    };
    let scaled = Scaled::new(&posed.plain);
    let mut nodes = vec![Node::root(&scaled)];
    let (mut work, mut open, mut closed) = (0, false, 0);
    while let Some(mut node) = nodes.pop() {
        let found = node.settle(&scaled, &mut work);
        if work > most {
            return Exhausted::Open;
        }
        match found {
            Settled::Contradiction => closed += 1,
            Settled::Unclear => open = true,
            Settled::Feasible => match node.worst_pair() {
                Some(pair) => {
                    let mut other = node.clone();
                    other.fixed[pair] = true;
                    node.fixed[scaled.n() + pair] = true;
                    nodes.extend([other, node]);
                }
                None => {
                    let z = scaled.unscaled(&node.z());
                    let lambda = posed.multipliers(problem, &mut equations, &z);
                    if acceptance.admits(problem, &lambda, problem.residual(&lambda), ACCEPTED) {
                        return Exhausted::Solution(lambda);
                    }
                    if near.is_empty() {
                        *near = lambda;
                    }
                    open = true;
                }
            },
        }
    }
    if open { Exhausted::Open } else { Exhausted::NoSolution(closed) }
}

/// What the linear system of a node is.
enum Settled {
    Feasible,
    /// It contradicts itself, and the contradiction was checked.
    Contradiction,
    /// Rounding leaves it open.
    Unclear,
}

/// A dictionary x_B = r + C x_N of the 2 n variables z (0 to n − 1) and w (n to 2 n − 1), and which of these are zero.
#[derive(Clone)]
struct Node {
    n: usize,
    basic: Vec<usize>,
    others: Vec<usize>,
    /// r.
    values: Vec<f64>,
    /// C, by rows.
    entries: Vec<f64>,
    fixed: Vec<bool>,
}

impl Node {
    /// w = q + M z, nothing set to zero.
    fn root(scaled: &Scaled) -> Self {
        let n = scaled.n();
        let mut entries = vec![0.0; n * n];
        for (i, row) in entries.chunks_exact_mut(n.max(1)).enumerate() {
            scaled.m.row(i).iter().for_each(|(j, x)| row[j] = x);
        }
        let (basic, others) = ((n..2 * n).collect(), (0..n).collect());
        Self { n, basic, others, values: scaled.q.clone(), entries, fixed: vec![false; 2 * n] }
    }

    /// Makes pivots until every variable has a value that it may have.
    fn settle(&mut self, scaled: &Scaled, work: &mut usize) -> Settled {
        for pivots in 0..PIVOTS * self.n.max(1) {
            // By size at first; by the least index, which ends, where that takes long.
            let Some((row, sign)) = self.violated(pivots > 4 * self.n) else { return Settled::Feasible };
            let Some(column) = self.entering(row, sign, pivots > 4 * self.n) else {
                let proved = self.is_contradiction(scaled, row, sign);
                return if proved { Settled::Contradiction } else { Settled::Unclear };
            };
            self.exchange(row, column);
            *work += self.n * self.n;
        }
        Settled::Unclear
    }

    /// A row whose value its variable may not have, and −1 where that is too large.
    fn violated(&self, by_index: bool) -> Option<(usize, f64)> {
        let excess = |row: usize| match self.fixed[self.basic[row]] {
            true => self.values[row].abs(),
            false => -self.values[row],
        };
        let wrong = (0..self.n).filter(|&row| excess(row) > FEASIBLE);
        let row = if by_index {
            wrong.min_by_key(|&row| self.basic[row])
        } else {
            wrong.max_by(|&a, &b| excess(a).total_cmp(&excess(b)))
        };
        row.map(|row| (row, if self.values[row] > 0.0 { -1.0 } else { 1.0 }))
    }

    /// The column whose variable brings the row to zero by growing.
    fn entering(&self, row: usize, sign: f64, by_index: bool) -> Option<usize> {
        let entry = |column: usize| sign * self.entries[row * self.n + column];
        let top = largest((0..self.n).map(entry)).max(1.0);
        let free =
            (0..self.n).filter(|&column| !self.fixed[self.others[column]] && entry(column) > PIVOT * top);
        if by_index {
            free.min_by_key(|&column| self.others[column])
        } else {
            free.max_by(|&a, &b| entry(a).total_cmp(&entry(b)))
        }
    }

    /// The variable of the row becomes zero, that of the column takes its place.
    fn exchange(&mut self, row: usize, column: usize) {
        let n = self.n;
        let pivot = self.entries[row * n + column];
        let mut line: Vec<f64> = self.entries[row * n..][..n].iter().map(|x| -x / pivot).collect();
        line[column] = 1.0 / pivot;
        let value = -self.values[row] / pivot;
        for i in (0..n).filter(|&i| i != row) {
            let share = self.entries[i * n + column];
            if share == 0.0 {
                continue;
            }
            self.values[i] += share * value;
            let entries = &mut self.entries[i * n..][..n];
            entries[column] = 0.0;
            entries.iter_mut().zip(&line).for_each(|(x, l)| *x += share * l);
        }
        self.entries[row * n..][..n].copy_from_slice(&line);
        self.values[row] = value;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }

    /// Whether the row, computed afresh as yᵀ(w − M z) = yᵀq, has a negative right-hand side and no negative coefficient of a variable
    /// that is not zero.
    fn is_contradiction(&self, scaled: &Scaled, row: usize, sign: f64) -> bool {
        let n = self.n;
        let mut y = vec![0.0; n];
        let terms = self.others.iter().zip(&self.entries[row * n..][..n]).map(|(&x, c)| (x, -sign * c));
        for (x, c) in terms.chain([(self.basic[row], sign)]) {
            if x >= n {
                // What is negative is so within rounding.
                y[x - n] = if self.fixed[x] { c } else { c.max(0.0) };
            }
        }
        let slope: f64 = scaled.q.iter().zip(&y).map(|(q, y)| q * y).sum();
        let terms: f64 = scaled.q.iter().zip(&y).map(|(q, y)| (q * y).abs()).sum();
        let holds = |j: usize| {
            let (mut sum, mut terms) = (0.0, 0.0);
            for (i, m) in scaled.m.column(j).iter() {
                sum += m * y[i];
                terms += (m * y[i]).abs();
            }
            sum <= -CERTAINTY * slope || sum <= ROUNDED * f64::EPSILON * terms
        };
        slope < -CERTAINTY * terms && (0..n).all(|j| self.fixed[j] || holds(j))
    }

    /// The pair of which both are positive whose smaller one is largest.
    fn worst_pair(&self) -> Option<usize> {
        let mut values = vec![0.0; 2 * self.n];
        self.basic.iter().zip(&self.values).for_each(|(&x, &value)| values[x] = value);
        let both = |&pair: &usize| {
            let (z, w) = (values[pair], values[self.n + pair]);
            if z < w { z } else { w }
        };
        let worst = (0..self.n).max_by(|a, b| both(a).total_cmp(&both(b)));
        worst.filter(|pair| both(pair) > FEASIBLE)
    }

    fn z(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.n];
        for (&x, &value) in self.basic.iter().zip(&self.values).filter(|(x, _)| **x < self.n) {
            z[x] = value.max(0.0);
        }
        z
    }
}
