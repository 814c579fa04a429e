//! A step's problem judged without the engine: its matrix written out, the residual and the speed by their definitions,
//! the rows that theory promises a solution for, and, where a solver gives up, every combination of states.

use driftlab::lcp::{Law, MixedProblem};
use glam::DVec3;

/// Rows at most, and combinations at most, for which all are tried.
const ROWS: usize = 16;
const COMBINATIONS: usize = 20_000;
/// A pivot below this share of the first is zero.
const SINGULAR: f64 = 1e-11;
/// A combination is a solution if its residual is below this share of the speed: a hundredth of what is asked of a solver.
const FOUND: f64 = 1e-11;
/// Impulses of a solution that a solver can be asked to find, in units of the problem's speed.
const WITHIN_REACH: f64 = 1e4;

/// What trying every combination came to.
#[derive(Clone, Copy, PartialEq)]
pub enum Tried {
    Solution,
    NoSolution,
    TooMany,
}

/// A problem as a matrix: w = A λ + r.
pub struct Judge<'p> {
    problem: &'p MixedProblem,
    a: Vec<f64>,
    r: Vec<f64>,
    /// 1/√(Aᵢᵢ μᵢ), without compliance.
    shares: Vec<f64>,
}

impl<'p> Judge<'p> {
    pub fn new(problem: &'p MixedProblem) -> Self {
        let MixedProblem { inverse_mass, free, rows, .. } = problem;
        let n = rows.len();
        // J of a row on a body.
        let on = |i: usize, body: usize| {
            let of = |own: usize, j: DVec3| if own == body { j } else { DVec3::ZERO };
            of(rows[i].a, rows[i].ja) + of(rows[i].b, rows[i].jb)
        };
        let product = |i: usize, k: usize| {
            (0..inverse_mass.len())
                .map(|body| on(i, body).dot(inverse_mass[body] * on(k, body)))
                .sum::<f64>()
        };
        let mobilities: Vec<f64> = (0..n).map(|i| product(i, i)).collect();
        let mut a: Vec<f64> = (0..n * n).map(|at| product(at / n, at % n)).collect();
        (0..n).for_each(|i| a[i * n + i] += rows[i].compliance);
        let r = (0..n).map(|i| rows[i].rate(free) + rows[i].bias).collect();
        let share = |i: usize| {
            let bodies = [(rows[i].a, rows[i].ja), (rows[i].b, rows[i].jb)];
            let moved = bodies.iter().filter(|(_, j)| *j != DVec3::ZERO);
            let reduced: f64 = moved.map(|(body, _)| inverse_mass[*body].x).sum();
            if mobilities[i] > 0.0 && reduced > 0.0 { (reduced / mobilities[i]).sqrt() } else { 1.0 }
        };
        let shares = (0..n).map(share).collect();
        Self { problem, a, r, shares }
    }

    fn n(&self) -> usize {
        self.r.len()
    }

    /// ŝ, m/s, but at least what rounding of the velocities leaves.
    fn speed(&self) -> f64 {
        let own = |i: usize| self.shares[i] * self.r[i].abs();
        let rounding = |i: usize| {
            let row = &self.problem.rows[i];
            let of = |j: DVec3, v: DVec3| (j.abs()).dot(v.abs());
            let terms = of(row.ja, self.problem.free[row.a]) + of(row.jb, self.problem.free[row.b]);
            1e9 * 24.0 * f64::EPSILON * self.shares[i] * (terms + row.bias.abs())
        };
        (0..self.n()).map(|i| own(i).max(rounding(i))).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Largest over smallest mass of what moves.
    fn mass_ratio(&self) -> f64 {
        let inverse_masses = || self.problem.inverse_mass.iter().map(|w| w.x).filter(|w| *w > 0.0);
        inverse_masses().fold(0.0, f64::max) / inverse_masses().fold(f64::INFINITY, f64::min)
    }

    /// maxᵢ |r̂ᵢ|/ŝ of λ, less what summing w in another order than the solver's may differ by.
    pub fn left(&self, lambda: &[f64]) -> f64 {
        let n = self.n();
        let residual = |i: usize| {
            let terms = || (0..n).map(|k| self.a[i * n + k] * lambda[k]);
            let rounding = 4.0 * f64::EPSILON * terms().map(f64::abs).sum::<f64>();
            let w = self.r[i] + terms().sum::<f64>();
            let w = w.signum() * (w.abs() - rounding).max(0.0);
            let d = self.a[i * n + i];
            let bound = |normal: usize, mu: f64| mu * lambda[normal].max(0.0);
            let [lower, upper] = match self.problem.rows[i].law {
                Law::Equation => return w,
                Law::Unilateral => [0.0, f64::INFINITY],
                Law::Bounded { lower, upper } => [lower, upper],
                Law::Friction { normal, coefficient } => {
                    [-bound(normal, coefficient), bound(normal, coefficient)]
                }
                Law::Sliding { normal, coefficient } => [bound(normal, coefficient); 2],
            };
            if d == 0.0 {
                // Nothing acts on it: finite bounds always hold.
                return if upper.is_finite() { 0.0 } else { w.min(0.0) };
            }
            w.min(d * (lambda[i] - lower)).max(d * (lambda[i] - upper))
        };
        (0..n).map(|i| self.shares[i] * residual(i).abs()).fold(0.0, f64::max) / self.speed()
    }

    /// What may be left of a solved problem: 1e-9, and where masses differ much, the rounding of the impulses that
    /// light bodies pass on.
    pub fn accepted(&self) -> f64 {
        (240.0 * f64::EPSILON * self.mass_ratio()).clamp(1.01e-9, 1e-3)
    }

    /// Whether theory promises a solution: standing still meets every row that may press or pull without bound, so that no
    /// combination of impulses that cancel each other can drive the rows apart [Anitescu & Potra 1997; Cottle, Pang &
    /// Stone 1992, §4.4].
    pub fn is_promised(&self) -> bool {
        (0..self.n()).all(|i| {
            let row = &self.problem.rows[i];
            let moves = self.a[i * self.n() + i] > 0.0;
            let met = match row.law {
                Law::Equation => row.bias == 0.0 || row.compliance > 0.0,
                Law::Unilateral => row.bias >= 0.0,
                Law::Bounded { .. } | Law::Friction { .. } => true,
                Law::Sliding { .. } => false,
            };
            met && (moves || row.bias == 0.0)
        })
    }

    /// Whether equations nearly depend on each other: elimination without exchange of rows, in rows of length one at
    /// unit masses, meets a pivot that is neither zero nor clearly above it. Methods that eliminate the equations lose
    /// the digits between.
    pub fn nearly_dependent(&self) -> bool {
        const CLEAR: f64 = 1e-3;
        const ZERO: f64 = 1e-13;
        let MixedProblem { inverse_mass, rows, .. } = self.problem;
        let mut basis: Vec<Vec<f64>> = Vec::new();
        rows.iter().filter(|row| row.law == Law::Equation && row.compliance == 0.0).any(|row| {
            let mut x = vec![0.0; 3 * inverse_mass.len()];
            for (body, j) in [(row.a, row.ja), (row.b, row.jb)] {
                if inverse_mass[body] != DVec3::ZERO {
                    for (at, j) in j.to_array().into_iter().enumerate() {
                        x[3 * body + at] += j;
                    }
                }
            }
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            let size = dot(&x, &x);
            for own in &basis {
                let share = dot(own, &x);
                x.iter_mut().zip(own).for_each(|(x, y)| *x -= share * y);
            }
            let left = dot(&x, &x);
            if left > ZERO * ZERO * size {
                let length = left.sqrt();
                basis.push(x.iter().map(|x| x / length).collect());
            }
            left > ZERO * ZERO * size && left < CLEAR * size
        })
    }

    /// Whether there is friction.
    pub fn has_friction(&self) -> bool {
        self.problem.rows.iter().any(|row| row.law.normal().is_some())
    }

    /// Whether a combination of states is a solution within reach.
    pub fn by_trying(&self) -> Tried {
        let count = |law: Law| match law {
            Law::Equation | Law::Sliding { .. } => 1,
            Law::Unilateral => 2,
            Law::Bounded { .. } | Law::Friction { .. } => 3,
        };
        let states: Vec<usize> = self.problem.rows.iter().map(|row| count(row.law)).collect();
        let combinations = states.iter().try_fold(1_usize, |all, own| all.checked_mul(*own));
        let Some(combinations) = combinations.filter(|all| *all <= COMBINATIONS && self.n() <= ROWS) else {
            return Tried::TooMany;
        };
        let is_solution = |combination: usize| {
            let mut left = combination;
            let chosen: Vec<usize> = states
                .iter()
                .map(|own| {
                    let state = left % own;
                    left /= own;
                    state
                })
                .collect();
            let Some(lambda) = self.of_states(&chosen) else { return false };
            let reach = WITHIN_REACH * self.speed();
            let within = |i: usize| self.shares[i] * self.a[i * self.n() + i] * lambda[i].abs() <= reach;
            (0..self.n()).all(within) && self.left(&lambda) <= FOUND
        };
        if (0..combinations).any(is_solution) { Tried::Solution } else { Tried::NoSolution }
    }

    /// λ of a combination: state 0 of a row is active, w = 0; the others are at a bound. None for one that another stands for.
    fn of_states(&self, states: &[usize]) -> Option<Vec<f64>> {
        let n = self.n();
        // λᵢ = constant + slope · λ of the normal row, of rows at a bound.
        let mut tied: Vec<Option<(f64, f64, usize)>> = vec![None; n];
        for (i, row) in self.problem.rows.iter().enumerate() {
            tied[i] = match (row.law, states[i]) {
                (Law::Unilateral, 1) => Some((0.0, 0.0, i)),
                (Law::Bounded { lower, .. }, 1) => Some((lower, 0.0, i)),
                (Law::Bounded { upper, .. }, 2) => Some((upper, 0.0, i)),
                (Law::Friction { normal, .. }, state) if states[normal] == 1 => {
                    if state > 0 {
                        return None;
                    }
                    Some((0.0, 0.0, i))
                }
                (Law::Friction { normal, coefficient }, 1) => Some((0.0, coefficient, normal)),
                (Law::Friction { normal, coefficient }, 2) => Some((0.0, -coefficient, normal)),
                (Law::Sliding { normal, coefficient }, _) => Some((0.0, coefficient, normal)),
                _ => None,
            };
        }
        let active: Vec<usize> = (0..n).filter(|&i| tied[i].is_none()).collect();
        let m = active.len();
        let mut system = vec![vec![0.0; m + 1]; m];
        for (at, &i) in active.iter().enumerate() {
            let mut right = -self.r[i];
            for k in 0..n {
                let a = self.a[i * n + k];
                match tied[k] {
                    None => system[at][active.binary_search(&k).ok()?] += a,
                    Some((constant, slope, normal)) => {
                        right -= a * constant;
                        if slope != 0.0 {
                            system[at][active.binary_search(&normal).ok()?] += a * slope;
                        }
                    }
                }
            }
            system[at][m] = right;
        }
        let x = basic(&mut system);
        let mut lambda = vec![0.0; n];
        active.iter().zip(&x).for_each(|(&i, &x)| lambda[i] = x);
        for i in 0..n {
            if let Some((constant, slope, normal)) = tied[i] {
                lambda[i] = constant + if slope == 0.0 { 0.0 } else { slope * lambda[normal] };
            }
        }
        Some(lambda)
    }
}

/// A basic solution of a square system with its right-hand side in the last column, by elimination with complete
/// pivoting, dependent unknowns zero; whether it solves the system, the residual of the problem tells.
fn basic(system: &mut [Vec<f64>]) -> Vec<f64> {
    let m = system.len();
    let mut columns: Vec<usize> = (0..m).collect();
    let (mut rank, mut first) = (m, 0.0);
    for step in 0..m {
        let places = (step..m).flat_map(|i| (step..m).map(move |k| (i, k)));
        let size = |&(i, k): &(usize, usize)| system[i][columns[k]].abs();
        let Some((i, k)) = places.max_by(|one, other| size(one).total_cmp(&size(other))) else { break };
        let pivot = system[i][columns[k]];
        if step == 0 {
            first = pivot.abs();
        }
        if pivot.abs() <= SINGULAR * first {
            rank = step;
            break;
        }
        system.swap(step, i);
        columns.swap(step, k);
        let (above, below) = system.split_at_mut(step + 1);
        for row in below {
            let factor = row[columns[step]] / above[step][columns[step]];
            row.iter_mut().zip(&above[step]).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let mut x = vec![0.0; m];
    for step in (0..rank).rev() {
        let known: f64 = (step + 1..rank).map(|k| system[step][columns[k]] * x[columns[k]]).sum();
        x[columns[step]] = (system[step][m] - known) / system[step][columns[step]];
    }
    x
}
