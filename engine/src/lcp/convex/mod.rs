//! Convex problems of a step: bodies whose rows yield, each by a potential of its own velocity.
//!
//! ```text
//! v⁺ = argmin ½ (v − v*)ᵀ M (v − v*) + Σ ℓ(w) ,   w = J v + b ,   λ = −∂ℓ/∂w
//! M (v⁺ − v*) = Σ Jᵀ λ(w⁺)                                                              the condition of the minimum
//! ```
//!
//! ℓ is convex and λ(w) continuous (`potential.rs`), so that there is one solution, whatever the rows demand. MuJoCo's
//! constraints [Todorov 2014] and SAP's [Castro, Permenter & Han 2022] are such problems.
//!
//! **Newton's method** in u = M^½ (v − v*), with Ĵ = J M^(−½) and the matrix of `body_space`:
//!
//! ```text
//! (I + Σ Ĵᵀ G Ĵ) p = −(u − Σ Ĵᵀ λ) ,   G = −∂λ/∂w ,   u ← u + α p
//! ```
//!
//! α is the root of the slope φ′(α) along p, found to 1e-12 of φ′(0) between bounds: φ′ is monotone. Where λ(w) is piecewise
//! linear, as everywhere but at sliding contacts with rolling resistance, the method ends after finitely many pieces.
//! w changes by α Ĵ p, too: taken from u, it would have the rounding of v, which −w/R enlarges where a row yields little.
//! It ends where p changes no row's velocity by more than 1e-12 of the problem's speed (`problem/acceptance.rs`).
//!
//! **Residual.** λ belongs to the w of the last u, and v⁺ = v* + M⁻¹Jᵀλ to λ. The residual is the largest |J (v⁺ − v)| of a row,
//! v the velocity of u: by how much a row misses the velocity from which its impulse follows.

pub mod potential;

pub(crate) use potential::{Contact, ContactLaw, HuntCrossley, Potential};

use super::body_space::rows::gather;
use super::body_space::{BodyRow, Graph};
use super::problem::Acceptance;
use super::problem::mixed::MixedProblem;
use crate::math::largest;
use glam::DVec3;
use potential::{MOST, Response};

/// Most steps of Newton's method.
const MOST_STEPS: usize = 100;
/// Most evaluations of the slope in one line search.
const MOST_SLOPES: usize = 60;
/// Share of the problem's speed by which the last step may change a row's velocity, and share of φ′(0) that a line search leaves.
const ACCURACY: f64 = 1e-12;

/// A convex problem with the memory to solve it.
#[derive(Debug, Default)]
pub(crate) struct Convex {
    /// The potentials, each of one row or of the rows of a contact; every row of the problem belongs to one.
    pub potentials: Vec<Potential>,
    /// Velocities of the bodies at the start of the step.
    pub start: Vec<DVec3>,
    graph: Graph,
    rows: Vec<BodyRow>,
    /// By row: unit of the row, w at u = 0, w, and Ĵ p.
    units: Vec<f64>,
    free: Vec<f64>,
    w: Vec<f64>,
    rates: Vec<f64>,
    /// By body that moves, and one for all that do not: u, p, and u − Σ Ĵᵀ λ.
    u: Vec<[f64; 3]>,
    p: Vec<[f64; 3]>,
    gradient: Vec<[f64; 3]>,
    /// By row: J (v⁺ − v), in the row's unit.
    pub left: Vec<f64>,
}

impl Convex {
    /// Solves `problem`, whose rows have their b in `bias` and their R in `compliance`, from the velocities `start`. Writes λ,
    /// and what is left into [`Convex::left`]. Returns the number of steps; `None` where numbers are not finite.
    pub fn solve(&mut self, problem: &MixedProblem, start: &[DVec3], lambda: &mut [f64]) -> Option<usize> {
        self.load(problem, start);
        let speed = Acceptance::of(problem).speed();
        let mut steps = 0;
        while steps < MOST_STEPS {
            steps += 1;
            self.find_step()?;
            let change = largest(self.rates.iter().zip(&self.units).map(|(rate, unit)| rate * unit));
            let is_last = change <= ACCURACY * speed;
            let share = if is_last { Some(1.0) } else { self.search() };
            let Some(share) = share else { break };
            self.advance(share);
            if is_last {
                break;
            }
        }
        self.finish(lambda);
        largest(lambda.iter().chain(&self.left).copied()).is_finite().then_some(steps)
    }

    fn load(&mut self, problem: &MixedProblem, start: &[DVec3]) {
        self.graph.fit(problem);
        gather(problem, &mut self.graph, &mut self.rows);
        let Self { rows, units, free, w, rates, u, p, gradient, left, .. } = self;
        let MixedProblem { inverse_mass, free: unmoved, rows: posed, .. } = problem;
        let moving = inverse_mass.iter().zip(unmoved.iter().zip(start)).filter(|(w, _)| **w != DVec3::ZERO);
        u.clear();
        u.extend(moving.map(|(w, (free, start))| {
            let change = *start - *free;
            [(change.x, w.x), (change.y, w.y), (change.z, w.z)]
                .map(|(change, w)| if w > 0.0 { change / w.sqrt() } else { 0.0 })
        }));
        u.push([0.0; 3]);
        for list in [p, gradient] {
            list.clear();
            list.resize(u.len(), [0.0; 3]);
        }
        free.clear();
        free.extend(posed.iter().map(|row| row.rate(unmoved) + row.bias));
        units.clear();
        units.extend(posed.iter().map(|row| row.unit(inverse_mass)));
        w.clear();
        w.extend(rows.iter().zip(&*free).map(|(row, free)| row.rate(u) + free));
        rates.clear();
        rates.resize(rows.len(), 0.0);
        left.clear();
        left.resize(rows.len(), 0.0);
    }

    /// Finds p and Ĵ p at the present u.
    fn find_step(&mut self) -> Option<()> {
        let Self { potentials, graph, rows, w, u, p, gradient, rates, .. } = self;
        graph.lu.set_identity();
        gradient.copy_from_slice(u);
        for own in potentials.iter() {
            let first = own.first();
            let Response { lambda, slope } = own.respond(rows, &w[first..]);
            for (i, row) in rows[first..first + own.rows()].iter().enumerate() {
                row.push(-lambda[i], gradient);
                if own.rows() == 1 {
                    if slope[0][0] > 0.0 {
                        graph.add_row(row, slope[0][0]);
                    }
                    continue;
                }
                // Ĵᵢᵀ Σ Gᵢⱼ Ĵⱼ
                let mut y = [[0.0; 3]; 2];
                for (j, other) in rows[first..first + own.rows()].iter().enumerate() {
                    for (end, of_end) in y.iter_mut().enumerate() {
                        for (axis, own) in of_end.iter_mut().enumerate() {
                            *own += slope[i][j] * other.j[end][axis];
                        }
                    }
                }
                if slope[i] != [0.0; MOST] {
                    graph.add(row, 1.0, y);
                }
            }
        }
        let moving = graph.movable;
        gradient[moving] = [0.0; 3];
        for (p, gradient) in p.iter_mut().zip(&*gradient) {
            *p = gradient.map(|own| -own);
        }
        if !graph.lu.factor() {
            return None;
        }
        graph.lu.solve(&mut p[..moving]);
        for (rate, row) in rates.iter_mut().zip(&*rows) {
            *rate = row.rate(p);
        }
        Some(())
    }

    /// φ′ and φ″ at α along p.
    fn slope(&self, alpha: f64) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (u, p) in self.u.iter().zip(&self.p) {
            for (u, p) in u.iter().zip(p) {
                sums[0] += p * (u + alpha * p);
                sums[1] += p * p;
            }
        }
        for own in &self.potentials {
            let (first, count) = (own.first(), own.rows());
            let mut w = [0.0; MOST];
            let rates = &self.rates[first..first + count];
            for ((w, start), rate) in w.iter_mut().zip(&self.w[first..]).zip(rates) {
                *w = start + alpha * rate;
            }
            let Response { lambda, slope } = own.respond(&self.rows, &w);
            for (i, rate) in rates.iter().enumerate() {
                sums[0] -= rate * lambda[i];
                sums[1] += rate * rates.iter().zip(slope[i]).map(|(other, g)| g * other).sum::<f64>();
            }
        }
        sums
    }

    /// The α > 0 with φ′(α) = 0; `None` where p leads nowhere because of rounding.
    fn search(&self) -> Option<f64> {
        let [first, _] = self.slope(0.0);
        if first.is_nan() || first >= 0.0 {
            return None;
        }
        let (mut low, mut high, mut alpha) = (0.0, f64::INFINITY, 1.0);
        for _ in 0..MOST_SLOPES {
            let [slope, curvature] = self.slope(alpha);
            if slope.is_nan() || slope.abs() <= -ACCURACY * first {
                break;
            }
            if slope < 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let next = alpha - slope / curvature;
            let inside = next > low && next < high;
            alpha = match (inside, high.is_finite()) {
                (true, _) => next,
                (false, true) => 0.5 * (low + high),
                (false, false) => 2.0 * alpha,
            };
            if high - low <= f64::EPSILON * high {
                break;
            }
        }
        Some(alpha)
    }

    fn advance(&mut self, alpha: f64) {
        let Self { rates, w, u, p, .. } = self;
        for (u, p) in u.iter_mut().zip(&*p) {
            for (u, p) in u.iter_mut().zip(p) {
                *u += alpha * p;
            }
        }
        for (w, rate) in w.iter_mut().zip(&*rates) {
            *w += alpha * rate;
        }
    }

    /// λ at the present w, and what it leaves.
    fn finish(&mut self, lambda: &mut [f64]) {
        let Self { potentials, rows, w, u, gradient, left, .. } = self;
        gradient.copy_from_slice(u);
        for own in potentials.iter() {
            let first = own.first();
            let found = own.respond(rows, &w[first..]).lambda;
            for (i, row) in rows[first..first + own.rows()].iter().enumerate() {
                lambda[first + i] = found[i];
                row.push(-found[i], gradient);
            }
        }
        gradient[self.graph.movable] = [0.0; 3];
        for (left, row) in left.iter_mut().zip(&*rows) {
            *left = row.rate(gradient);
        }
    }
}
