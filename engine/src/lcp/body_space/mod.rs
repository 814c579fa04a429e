//! A mixed problem over its movable bodies: rows scaled to the kinetic-energy norm, λ with its w and residual, and the
//! sparse matrix of 3×3 blocks that both Newton's method and the interior point factorise,
//!
//! ```text
//! H = I + Σ fᵢ Ĵᵢᵀ Kᵢ ,   Ĵ = J W^(1/2) ,  Kᵢ a combination of the rows of one contact
//! ```
//!
//! H has a block for every pair of bodies that touch: contacts at two points cost no more than at one, and the
//! Delassus matrix, which would have one for every pair of contacts of a body, is never formed.

mod gather;
pub(in crate::lcp) mod pgs;
mod rows;

use crate::lcp::info::ROUNDED_SUM;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::{MixedProblem, residual, within};
use crate::math::largest;
use glam::DVec3;

pub(crate) use gather::Graph;
pub(crate) use rows::{BodyRow, Limit, Piece};

/// Bodies are nearly at rest if v is at most this many times the rounding of its terms: a thousand layers leave the rounding of
/// each. Faster bodies may roll or glide, which no impulse ends: disks do so at 1e-10 m/s for long.
const LAYERS: f64 = 1000.0;

/// An island's problem with the present λ. A row's *place* is its index in `rows`; lists by place have that order.
#[derive(Debug, Default)]
pub(crate) struct BodySpace {
    /// The problem as posed.
    problem: MixedProblem,
    /// H of the present island and its pattern.
    pub graph: Graph,
    /// The rows, every normal followed by the friction it limits.
    pub rows: Vec<BodyRow>,
    /// By place: the largest term of w at λ = 0, at most the row's reach (`MixedRow::reach`).
    term: Vec<f64>,
    /// By place: λ and w.
    pub lambda: Vec<f64>,
    pub w: Vec<f64>,
    /// v of the present λ, and λ by row of the problem.
    v: Vec<DVec3>,
    pub sourced: Vec<f64>,
    /// The measure by which λ counts as solved.
    pub acceptance: Acceptance,
    /// λ by place with the least residual so far, and that residual.
    pub best: Vec<f64>,
    pub residual: f64,
}

impl BodySpace {
    /// Loads `problem`, that of an island, with λ, by row of the problem, as the best so far.
    pub fn enter(&mut self, problem: &MixedProblem, acceptance: &Acceptance, lambda: &[f64]) {
        self.acceptance = *acceptance;
        self.graph.fit(problem); // which blocks of H exist: one of 3×3 for each movable body, and one for each pair that rows join
        self.begin(problem, lambda);
    }

    /// Loads `problem`, of the same bodies and rows as the one entered, with λ, by row of the problem, as the best so far.
    pub fn begin(&mut self, problem: &MixedProblem, lambda: &[f64]) {
        self.problem.copy_from(problem);
        let Self { graph, rows, term, sourced, best, .. } = self;
        gather::gather(problem, graph, rows); // Ĵ = J W^½, each normal row followed by its friction
        term.clear();
        term.extend(rows.iter().map(|place| {
            let row = &problem.rows[place.source as usize];
            let (a, b) = (row.ja.dot(problem.free[row.a]), row.jb.dot(problem.free[row.b]));
            let (term, reach) = ((a.abs() + b.abs()).max(row.bias.abs()), row.reach(place.diagonal));
            // Beyond its reach the row is at its bound, and nothing is rounded.
            if (a + b + row.bias).abs() > reach { within(term, reach) } else { term }
        }));
        // Every entry is written before it is read.
        sourced.resize(problem.rows.len(), 0.0);
        best.clear();
        best.extend(rows.iter().map(|row| lambda[row.source as usize]));
        self.w.clear();
        self.w.resize(self.rows.len(), 0.0);
        self.residual = f64::INFINITY;
        self.recall();
    }

    /// Sets λ to the best so far.
    pub fn recall(&mut self) {
        self.lambda.clone_from(&self.best);
    }

    /// Computes v, w and the residual of the present λ; if the residual is the least so far, λ becomes the best. Returns the
    /// residual.
    ///
    /// It measures the problem as posed, not Ĵ: at extreme mass ratios the two differ by their rounding.
    pub fn measure(&mut self) -> f64 {
        write(&self.rows, &self.lambda, &mut self.sourced);
        let Self { problem, rows, lambda, w, v, sourced, .. } = self;
        problem.velocity(sourced, v);
        let left = largest(rows.iter().enumerate().map(|(i, row)| {
            w[i] = problem.w(row.source as usize, v, sourced);
            residual(row.diagonal, lambda[i], w[i], row.bounds(lambda))
        }));
        if left < self.residual {
            self.residual = left;
            self.best.copy_from_slice(&self.lambda);
        }
        left
    }

    /// Returns the largest violation of a row's velocity condition by the λ measured last; friction does not count.
    pub fn violation(&self) -> f64 {
        largest(self.rows.iter().zip(&self.w).map(|(row, w)| match row.limit {
            Limit::Between(lower, upper) => {
                let short = if upper.is_infinite() { -w } else { 0.0 };
                short.max(if lower.is_infinite() { *w } else { 0.0 })
            }
            Limit::Coulomb { .. } | Limit::Dragged { .. } => 0.0,
        }))
    }

    /// Whether the best λ leaves the bodies nearly at rest, but not to rounding.
    pub fn creeps(&mut self) -> bool {
        if !self.problem.rests {
            return false;
        }
        write(&self.rows, &self.best, &mut self.sourced);
        let (left, rounding) = (self.share_left(), ROUNDED_SUM * f64::EPSILON);
        left > rounding && left <= LAYERS * rounding
    }

    /// Returns [`MixedProblem::share_left`] of the λ measured last.
    pub fn share_left(&mut self) -> f64 {
        self.problem.share_left(&self.sourced, &mut self.v)
    }

    /// Returns the rounding of the best residual: ε times the largest term of any w.
    pub fn rounding(&self) -> f64 {
        let terms = self.rows.iter().zip(&self.term).zip(&self.best);
        f64::EPSILON * largest(terms.map(|((row, term), lambda)| term.max((row.diagonal * lambda).abs())))
    }

    /// Returns `tolerance`, or the rounding of the impulses where that is larger and counts as no failure.
    pub fn allowed(&self, tolerance: f64) -> f64 {
        self.acceptance.with_rounding(tolerance, self.rounding())
    }

    /// Writes the best λ by row of the problem.
    pub fn write_best(&self, lambda: &mut [f64]) {
        write(&self.rows, &self.best, lambda);
    }
}

/// Reorders numbers by place into numbers by row of the problem.
fn write(rows: &[BodyRow], by_place: &[f64], by_row: &mut [f64]) {
    for (row, x) in rows.iter().zip(by_place) {
        by_row[row.source as usize] = *x;
    }
}

/// Pieces of the projection Π: H for rows that are each on a given piece, and the λ that these pieces give.
impl BodySpace {
    /// H ← I + Ĵᵀ D Ĵ, D = ∂λ/∂(−w) on the given pieces for rows of the given ρ̃; both by place.
    pub fn assemble_h(&mut self, states: &[Piece], stiffness: &[f64]) {
        let Self { graph, rows, .. } = self;
        graph.lu.set_identity();
        // ∂λ/∂(−w) of a row, and the slope ∂λ_t/∂λ_n of friction.
        let own = |i: usize| if states[i] == Piece::Free { stiffness[i] } else { 0.0 };
        let across = |i: usize| match rows[i].limit.slope(states[i]) {
            Some((_, slope)) if rows[i].is_local => slope,
            _ => 0.0,
        };
        let mut next = 0;
        while let Some(row) = rows.get(next) {
            let place = next;
            next += 1;
            match (row.limit, rows.get(next)) {
                (_, Some(friction)) if friction.is_of(place) => {
                    let k = [[own(place), 0.0], [across(next) * own(place), own(next)]];
                    if k != [[0.0; 2]; 2] {
                        graph.add_contact(row, friction, k);
                    }
                    next += 1;
                }
                (Limit::Coulomb { normal, .. } | Limit::Dragged { normal, .. }, _)
                    if across(place) != 0.0 =>
                {
                    let normal = normal as usize;
                    graph.add(row, across(place) * own(normal), rows[normal].j);
                }
                _ if own(place) > 0.0 => graph.add(row, own(place), row.j),
                _ => {}
            }
        }
    }

    /// λ ← λ + Δ, bounds met exactly; both by place.
    pub fn advance(&mut self, states: &[Piece], step: &[f64]) {
        let Self { rows, lambda, .. } = self;
        for (i, row) in rows.iter().enumerate() {
            let (moved, [lower, upper]) = (lambda[i] + step[i], row.bounds(lambda));
            lambda[i] = match (row.limit, states[i]) {
                (Limit::Between(..), Piece::Lower) | (Limit::Coulomb { .. }, Piece::SlidingLower) => lower,
                (Limit::Between(..), Piece::Upper) | (Limit::Coulomb { .. }, Piece::SlidingUpper) => upper,
                (Limit::Between(..), _) => moved,
                (Limit::Coulomb { .. }, _) => moved.max(lower).min(upper),
                (Limit::Dragged { .. }, _) => upper,
            };
        }
    }
}
