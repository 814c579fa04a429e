//! The search for a second velocity: an island solved in other ways.
//!
//! 1. Lemke's method, without a warm start.
//! 2. Newton's method, the homotopy and the interior point from λ = 0, and the first two from [`STARTS`] other λ: contacts that
//!    press with up to [`HARD`] times the impulses that would stop them, with friction anywhere within its bounds.
//! 3. Where the combinations of the rows' states are few, all of them,
//!
//! ```text
//! unilateral  λ = 0 or w = 0 ,   bounded  λ = l, w = 0 or λ = u ,   friction  λ_t = −μ λ_n, w = 0 or λ_t = μ λ_n
//! ```
//!
//! each a linear system, solved in the least-squares sense where it is singular. A contact with friction has four states, so
//! that four or five contacts are the most. All solutions of regular systems are then found.

use super::Island;
use crate::experiment::dense::{Dense, Singular};
use crate::experiment::opened::matrix::delassus;
use crate::internal::largest;
use crate::lcp::{Law, MixedProblem, MixedWorkspace, Solver};

/// Most rows of an island that is searched: a search solves it dozens of times, dense by Lemke's method.
const MOST_ROWS: usize = 50;
/// Number of starts with contacts that press. The search proves nothing where it finds nothing, so that more starts are
/// only more cost.
const STARTS: usize = 16;
/// Largest impulse of a start, in multiples of the impulse that stops its row alone: in a pile a contact carries those
/// of several others.
const HARD: f64 = 8.0;
/// Most combinations of states, times the cube of the rows, that are all tried: as many multiplications take a few milliseconds.
const MOST_WORK: usize = 1_500_000;
/// Velocities nearer than this share of the problem's speed are the same: a thousand times the residual that counts as solved.
const SAME: f64 = 1e-6;
/// Velocities are also the same if they are nearer than this multiple of their residual, which an ill-conditioned A
/// amplifies by the root of its condition: by 1e5 where that is 1e10.
const AMPLIFIED: f64 = 1e5;

/// Returns the largest distance of another solution's velocity from that of the island's own; zero if all are the same,
/// `None` if the island is too large.
pub(super) fn search(island: &Island) -> Option<f64> {
    let problem = &island.problem;
    let n = problem.rows.len();
    if n > MOST_ROWS {
        return None;
    }
    let own = island.acceptance.at_most(problem.residual(&island.lambda));
    let mut search = Search { island, own, apart: 0.0 };
    let mut workspace = MixedWorkspace::default();
    let cold = vec![0.0; n];
    let keys = ["newton", "homotopy", "interior", "lemke"];
    keys.iter().for_each(|key| search.solve(key, &cold, &mut workspace));
    for number in 1..=STARTS {
        let start = pressing(problem, number);
        keys[..2].iter().for_each(|key| search.solve(key, &start, &mut workspace));
    }
    let work = combinations(problem).and_then(|count| count.checked_mul(n.pow(3)));
    if work.is_some_and(|work| work <= MOST_WORK) {
        search.try_all_states();
    }
    Some(search.apart)
}

struct Search<'a> {
    island: &'a Island,
    /// The residual of the island's own solution, as a share of the problem's speed.
    own: f64,
    /// The largest distance so far.
    apart: f64,
}

impl Search<'_> {
    fn solve(&mut self, key: &str, start: &[f64], workspace: &mut MixedWorkspace) {
        let (mut lambda, mut v) = (start.to_vec(), Vec::new());
        let Some(solver) = Solver::by_key(key) else { return };
        if solver.solve_mixed(&self.island.problem, &mut lambda, &mut v, workspace).is_ok() {
            self.consider(&lambda);
        }
    }

    /// Compares `lambda`, if it is a solution.
    fn consider(&mut self, lambda: &[f64]) {
        let Island { problem, acceptance, .. } = self.island;
        let residual = problem.residual(lambda);
        if !residual.is_finite() || !self.island.admits(lambda, residual) {
            return;
        }
        let mut v = Vec::new();
        problem.velocity(lambda, &mut v);
        let apart = problem.largest_difference(&v, &self.island.v);
        let residual = self.own.max(acceptance.at_most(residual));
        if apart > self.apart && apart > SAME.max(AMPLIFIED * residual) * acceptance.speed() {
            self.apart = apart;
        }
    }

    /// Solves every combination of states.
    fn try_all_states(&mut self) {
        let problem = &self.island.problem;
        let n = problem.rows.len();
        // A = J W Jᵀ + c and q = J v* + b.
        let mut a = Dense::zeros(n, n);
        for (j, column) in delassus(problem).iter().enumerate() {
            column.iter().for_each(|&(i, x)| a[(i, j)] = x);
        }
        let q: Vec<f64> = problem.rows.iter().map(|row| row.rate(&problem.free) + row.bias).collect();
        let counts: Vec<usize> = problem.rows.iter().map(|row| states(row.law)).collect();
        let mut state = vec![0; n];
        loop {
            // Without a normal impulse friction has one state.
            let normal = |i: usize| problem.rows[i].law.normal();
            let again =
                (0..n).any(|i| state[i] > 0 && normal(i).is_some_and(|n| state[n] == 0 && counts[n] == 2));
            if !again && let Some(lambda) = solve_states(problem, &a, &q, &state) {
                self.consider(&lambda);
            }
            let Some(next) = (0..n).find(|&i| state[i] + 1 < counts[i]) else { return };
            state[..next].fill(0);
            state[next] += 1;
        }
    }
}

/// Returns a start whose contacts press differently; the R₂ sequence fills the square of number and row evenly.
fn pressing(problem: &MixedProblem, number: usize) -> Vec<f64> {
    let share = |row: usize| {
        (number as f64 * 0.754_877_666_246_692_7 + row as f64 * 0.569_840_290_998_053_2).fract()
    };
    let speed = largest(problem.rows.iter().map(|row| row.rate(&problem.free) + row.bias));
    let mut lambda = vec![0.0; problem.rows.len()];
    for friction in [false, true] {
        for (i, row) in problem.rows.iter().enumerate() {
            let diagonal = row.diagonal(&problem.inverse_mass);
            if row.law.normal().is_some() != friction || diagonal == 0.0 {
                continue;
            }
            let hard = HARD * speed / diagonal * share(i);
            lambda[i] = match row.law {
                Law::Equation => 0.0,
                Law::Unilateral => hard,
                Law::Bounded { lower, upper } => hard.max(lower).min(upper),
                Law::Friction { normal, coefficient } => {
                    coefficient * (2.0 * share(i + 1) - 1.0) * lambda[normal]
                }
                Law::Sliding { normal, coefficient } => coefficient * lambda[normal],
            };
        }
    }
    lambda
}

/// States that a row may be in: of those with a lower bound, 0 is at it, 1 is w = 0, 2 at the upper bound.
fn states(law: Law) -> usize {
    match law {
        Law::Equation | Law::Sliding { .. } => 1,
        Law::Unilateral => 2,
        Law::Bounded { .. } | Law::Friction { .. } => 3,
    }
}

fn combinations(problem: &MixedProblem) -> Option<usize> {
    problem.rows.iter().try_fold(1_usize, |product, row| product.checked_mul(states(row.law)))
}

/// λ of the given states, whether or not it is a solution of the problem.
fn solve_states(problem: &MixedProblem, a: &Dense, q: &[f64], state: &[usize]) -> Option<Vec<f64>> {
    let n = q.len();
    let mut system = Dense::zeros(n, n);
    let mut rhs = vec![0.0; n];
    for (i, row) in problem.rows.iter().enumerate() {
        let tied = match (row.law, state[i]) {
            (Law::Equation, _) | (_, 1) => None,
            (Law::Unilateral, _) => Some((None, 0.0)),
            (Law::Bounded { lower, .. }, 0) => Some((None, lower)),
            (Law::Bounded { upper, .. }, _) => Some((None, upper)),
            (Law::Friction { normal, coefficient }, 0) => Some((Some(normal), -coefficient)),
            (Law::Friction { normal, coefficient } | Law::Sliding { normal, coefficient }, _) => {
                Some((Some(normal), coefficient))
            }
        };
        match tied {
            None => {
                (0..n).for_each(|j| system[(i, j)] = a[(i, j)]);
                rhs[i] = -q[i];
            }
            Some((normal, value)) => {
                // In units of w, as the other rows.
                let size = a[(i, i)];
                system[(i, i)] = size;
                match normal {
                    Some(normal) => system[(i, normal)] = -value * size,
                    None if value.is_finite() => rhs[i] = size * value,
                    None => return None,
                }
            }
        }
    }
    let decomposed = Singular::of(&system)?;
    let inverse = decomposed.pseudo_inverse(f64::EPSILON * n as f64 * decomposed.largest());
    Some((0..n).map(|i| rhs.iter().enumerate().map(|(j, x)| inverse[(i, j)] * x).sum()).collect())
}
