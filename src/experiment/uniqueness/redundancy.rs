//! The polyhedron of impulses that give one velocity: its dimension, and how wide it is.
//!
//! ```text
//! λ + Δ ,   B Δ = W'^{1/2}Jᵀ Δ = 0 ,   bounds aₖΔ ≥ −sₖ ,   sₖ ≥ 0 the slack of a bound at λ
//! ```
//!
//! Columns of B are the rows whose λ may change; friction that slides is part of its normal row's column. W' is W at unit masses,
//! so that the rank is a matter of geometry as in `lcp/direct/delassus.rs`. |x| is the impulse on a body's centre of
//! mass by λ, or for a row that only turns bodies its torque over the radius of gyration: in N s however a row is
//! scaled. Z spans the null space of B, by the singular values.
//!
//! λ of a pivoting method is a vertex: many rows are at a bound with w = 0 and may leave it in some directions only. The bounds
//! active at λ, G z ≥ 0 with Δ = Z z, define a cone. Bounds that no direction of the cone leaves reduce the dimension of Z by
//! their rank. They are found by projecting onto the cone the sum d of the directions of the bounds that have not been left yet,
//!
//! ```text
//! p = d + Gᵀs ,   0 ≤ s ⊥ G Gᵀs + G d ≥ 0          p·d = |p|²: as long as one can be left, p ≠ 0 leaves one
//! ```
//!
//! which is a semidefinite problem for Lemke's method. The p together lead into the polyhedron's inside; from there its width
//! is measured along every row's own direction, projected.

use super::{Island, Uniqueness};
use crate::experiment::dense::{Dense, Singular};
use crate::internal::{largest, unit_metric};
use crate::lcp::{Law, LcpProblem, MixedProblem, MixedRow, complementarity};
use crate::parameter::Values;
use glam::DVec3;

/// Most columns of which a decomposition is made: a fraction of a second.
const MOST_COLUMNS: usize = 300;
/// Singular values up to this, of columns of length 1, are zero: what drift of a joint leaves.
const DEPENDENT: f64 = 1e-6;
/// w up to this share of the problem's speed is zero; the accepted residual is a tenth of it.
const RESTS: f64 = 1e-8;
/// A slack up to this share of the largest impulse counts as zero, like w up to [`RESTS`].
const AT_BOUND: f64 = 1e-8;
/// Directions up to this length, of 1, are rounding: they are roots of sums of squares, which round at 1e-15.
const NOTHING: f64 = 1e-7;

/// aₖΔ + sₖ ≥ 0 over at most two columns.
struct Bound {
    slack: f64,
    terms: [(usize, f64); 2],
}

impl Bound {
    fn along(&self, y: &[f64]) -> f64 {
        self.terms.iter().map(|&(at, factor)| factor * y[at]).sum()
    }
}

/// The rows that may change.
#[derive(Default)]
struct Columns {
    /// Column of each row and Δλ of the row for 1 of the column.
    of_row: Vec<Option<(usize, f64)>>,
    /// |x| for λ = 1, by row.
    size: Vec<f64>,
    count: usize,
    bounds: Vec<Bound>,
    /// Largest |x|, N s.
    top: f64,
}

/// Examines the polyhedron about the solution of `island`: its dimension and width. The island is unexamined where it
/// is too large for more than a lower bound of the dimension.
pub(super) fn exchange(island: &Island) -> Uniqueness {
    let problem = &island.problem;
    let mut unit = Vec::new();
    unit_metric(problem.rows.iter(), &problem.inverse_mass, &mut unit);
    let mut columns = Columns::new(island, &unit);
    if columns.count > MOST_COLUMNS {
        // Columns without a bound in their way, less the equations on them.
        let mut held = vec![false; columns.count];
        let met = columns.bounds.iter().filter(|bound| bound.slack == 0.0);
        met.flat_map(|bound| bound.terms).for_each(|(at, factor)| held[at] |= factor != 0.0);
        let movable = unit.iter().filter(|w| w.x > 0.0).count();
        let free = held.iter().filter(|held| !**held).count();
        let directions = free.saturating_sub(3 * movable);
        return Uniqueness { directions, unexamined: 1, ..Uniqueness::default() };
    }
    let none = Uniqueness::default();
    if columns.count == 0 {
        return none;
    }
    let b = columns.matrix(problem, &unit);
    let Some(z) = Singular::of(&b).map(|b| b.null_space(DEPENDENT)) else {
        return Uniqueness::unexamined();
    };
    if z.ncols() == 0 {
        return none;
    }
    let Some((inside, kept)) = columns.cone(&z) else { return Uniqueness::unexamined() };
    let Some(d) = Singular::of(&kept).map(|kept| kept.null_space(NOTHING)) else {
        return Uniqueness::unexamined();
    };
    let directions = d.ncols();
    if directions == 0 {
        return none;
    }
    columns.advance(&apply(&z, &inside));
    let exchange = columns.width(&(&z * &d), problem.rows.len());
    Uniqueness { directions, exchange, ..none }
}

impl Columns {
    fn new(island: &Island, unit: &[DVec3]) -> Self {
        let Island { problem, lambda, v, acceptance } = island;
        let size: Vec<f64> = problem.rows.iter().map(|row| impulse_of(row, unit)).collect();
        let top = largest(size.iter().zip(lambda).map(|(size, lambda)| size * lambda));
        let resting = acceptance.tolerance(RESTS);
        let mut columns = Self { of_row: vec![None; lambda.len()], size, top, ..Self::default() };
        // Normal rows before the friction that they limit, wherever they stand.
        for friction in [false, true] {
            for (i, row) in problem.rows.iter().enumerate() {
                if row.law.normal().is_some() == friction {
                    let w = problem.w(i, v, lambda);
                    columns.add(problem, lambda, i, if w.abs() > resting { w } else { 0.0 });
                }
            }
        }
        columns
    }

    /// Row `i` with its w, zero where it rests.
    fn add(&mut self, problem: &MixedProblem, lambda: &[f64], i: usize, w: f64) {
        let row = &problem.rows[i];
        match row.law {
            Law::Friction { normal, coefficient } if w != 0.0 => {
                self.of_row[i] = self.of_row[normal].map(|(at, one)| (at, -coefficient.copysign(w) * one));
            }
            Law::Sliding { normal, coefficient } => {
                self.of_row[i] = self.of_row[normal].map(|(at, one)| (at, coefficient * one));
            }
            // A compliant row's λ follows from w = 0 and v.
            _ if row.compliance > 0.0 || self.size[i] == 0.0 => {}
            Law::Equation => {
                self.column(i);
            }
            Law::Unilateral => self.between(lambda, i, w, [0.0, f64::INFINITY]),
            Law::Bounded { lower, upper } => self.between(lambda, i, w, [lower, upper]),
            Law::Friction { normal, coefficient } => {
                let own = self.of_row[normal];
                let most = coefficient * lambda[normal].max(0.0);
                if own.is_none() && self.is_nothing(i, most) {
                    return;
                }
                let at = self.column(i);
                let (of_normal, factor) = own.unwrap_or((at, 0.0));
                for sign in [1.0, -1.0] {
                    let slack = self.slack(i, most - sign * lambda[i]);
                    let terms = [(of_normal, coefficient * factor), (at, -sign)];
                    self.bounds.push(Bound { slack, terms });
                }
            }
        }
    }

    /// A row between two bounds that are its own.
    fn between(&mut self, lambda: &[f64], i: usize, w: f64, [lower, upper]: [f64; 2]) {
        if w != 0.0 || lower == upper {
            return;
        }
        let at = self.column(i);
        for (slack, sign) in [(lambda[i] - lower, 1.0), (upper - lambda[i], -1.0)] {
            if slack.is_finite() {
                self.bounds.push(Bound { slack: self.slack(i, slack), terms: [(at, sign), (at, 0.0)] });
            }
        }
    }

    fn column(&mut self, i: usize) -> usize {
        self.of_row[i] = Some((self.count, 1.0));
        self.count += 1;
        self.count - 1
    }

    fn is_nothing(&self, i: usize, lambda: f64) -> bool {
        lambda * self.size[i] <= AT_BOUND * self.top
    }

    fn slack(&self, i: usize, slack: f64) -> f64 {
        if self.is_nothing(i, slack) { 0.0 } else { slack }
    }

    /// B, whose columns become of length 1: Δλ of a row for 1 of its column changes accordingly.
    fn matrix(&mut self, problem: &MixedProblem, unit: &[DVec3]) -> Dense {
        let mut b = Dense::zeros(3 * unit.len(), self.count);
        for (row, own) in problem.rows.iter().zip(&self.of_row) {
            let Some((at, factor)) = *own else { continue };
            for (body, j) in row.arms() {
                let w = unit[body];
                let push = DVec3::new(w.x.sqrt(), w.y.sqrt(), w.z.sqrt()) * j * factor;
                for (part, x) in push.to_array().into_iter().enumerate() {
                    b[(3 * body + part, at)] += x;
                }
            }
        }
        for at in 0..self.count {
            let length = (0..b.nrows()).map(|i| b[(i, at)] * b[(i, at)]).sum::<f64>().sqrt();
            if length > 0.0 {
                (0..b.nrows()).for_each(|i| b[(i, at)] /= length);
                let own = self.of_row.iter_mut().flatten().filter(|own| own.0 == at);
                own.for_each(|own| own.1 /= length);
                let bounds = self.bounds.iter_mut().flat_map(|bound| &mut bound.terms);
                bounds.filter(|term| term.0 == at).for_each(|term| term.1 /= length);
            }
        }
        b
    }

    /// A direction into the cone's inside, and the bounds that no direction leaves, both in z.
    fn cone(&self, z: &Dense) -> Option<(Vec<f64>, Dense)> {
        let k = z.ncols();
        let mut g: Vec<Vec<f64>> = Vec::new();
        for bound in self.bounds.iter().filter(|bound| bound.slack == 0.0) {
            let own: Vec<f64> =
                (0..k).map(|j| bound.terms.iter().map(|&(at, x)| x * z[(at, j)]).sum()).collect();
            let size = libm::hypot(bound.terms[0].1, bound.terms[1].1);
            let length = dot(&own, &own).sqrt();
            // A bound that does not change along the null space takes nothing away.
            if length > NOTHING * size {
                g.push(own.into_iter().map(|x| x / length).collect());
            }
        }
        let gram: Vec<f64> = g.iter().flat_map(|a| g.iter().map(|b| dot(a, b))).collect();
        let lemke = complementarity("lemke")?;
        let values = Values::defaults(lemke.info().parameters);
        let mut kept: Vec<usize> = (0..g.len()).collect();
        let mut inside = vec![0.0; k];
        while !kept.is_empty() {
            let mut p = vec![0.0; k];
            kept.iter().for_each(|&j| add(&mut p, 1.0, &g[j]));
            let length = dot(&p, &p).sqrt();
            let q = g.iter().map(|a| dot(a, &p)).collect();
            let problem = LcpProblem::new(gram.clone(), q).ok()?;
            let s = lemke.solve(&problem, &values).ok()?.z;
            g.iter().zip(&s).for_each(|(a, s)| add(&mut p, *s, a));
            let left = dot(&p, &p).sqrt();
            if left <= NOTHING * length.max(1.0) {
                break;
            }
            add(&mut inside, 1.0 / left, &p);
            let before = kept.len();
            kept.retain(|&j| dot(&g[j], &p) <= NOTHING * left);
            if kept.len() == before {
                break;
            }
        }
        Some((inside, Dense::from_fn(kept.len(), k, |i, j| g[kept[i]][j])))
    }

    /// Moves λ half the way to the next bound along `y`, or by the largest impulse where there is none.
    fn advance(&mut self, y: &[f64]) {
        let length = self.change(y);
        if length == 0.0 {
            return;
        }
        let most = self.reach(y, 1.0);
        let by = match (most.is_finite(), self.top > 0.0) {
            (true, _) => 0.5 * most,
            (false, true) => self.top / length,
            (false, false) => 1.0 / length,
        };
        for bound in &mut self.bounds {
            bound.slack = (bound.slack + by * bound.along(y)).max(0.0);
        }
    }

    /// How far λ can go along ±`y`.
    fn reach(&self, y: &[f64], sign: f64) -> f64 {
        let nothing = NOTHING * dot(y, y).sqrt();
        let mut reach = f64::INFINITY;
        for bound in &self.bounds {
            let rate = sign * bound.along(y);
            let size = libm::hypot(bound.terms[0].1, bound.terms[1].1);
            if rate < -nothing * size {
                reach = reach.min(bound.slack / -rate);
            }
        }
        reach
    }

    /// Largest |Δx| of a row along `y`, N s.
    fn change(&self, y: &[f64]) -> f64 {
        let of_row =
            |(own, size): (&Option<(usize, f64)>, &f64)| own.map_or(0.0, |(at, f)| f * y[at] * size);
        largest(self.of_row.iter().zip(&self.size).map(of_row))
    }

    /// Largest change between two bounds along the projection of a column onto the span of `basis`, over the largest impulse.
    fn width(&self, basis: &Dense, rows: usize) -> f64 {
        let mut widest = 0.0_f64;
        for at in 0..self.count.min(rows) {
            let own: Vec<f64> = (0..basis.ncols()).map(|j| basis[(at, j)]).collect();
            if dot(&own, &own).sqrt() <= NOTHING {
                continue;
            }
            let y = apply(basis, &own);
            widest = widest.max((self.reach(&y, 1.0) + self.reach(&y, -1.0)) * self.change(&y));
        }
        if widest > 0.0 { widest / self.top } else { 0.0 }
    }
}

/// |x| for λ = 1 of a row: the larger of its bodies'.
fn impulse_of(row: &MixedRow, unit: &[DVec3]) -> f64 {
    let ends = || row.arms().map(|(body, j)| (j, unit[body])).filter(|(_, w)| w.x > 0.0);
    match largest(ends().map(|(j, _)| j.truncate().length())) {
        0.0 => largest(ends().map(|(j, w)| w.z.sqrt() * j.z)),
        pushed => pushed,
    }
}

fn apply(z: &Dense, x: &[f64]) -> Vec<f64> {
    (0..z.nrows()).map(|i| x.iter().enumerate().map(|(j, x)| z[(i, j)] * x).sum()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x ← x + factor dx.
fn add(x: &mut [f64], factor: f64, dx: &[f64]) {
    x.iter_mut().zip(dx).for_each(|(x, dx)| *x += factor * dx);
}
