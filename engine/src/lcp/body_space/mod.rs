//! A mixed problem over its movable bodies: rows scaled to the kinetic-energy norm, λ with its w and residual, and the
//! sparse matrix of 3×3 blocks that both Newton's method and the interior point factorise,
//!
//! ```text
//! H = I + Σ fᵢ Ĵᵢᵀ Kᵢ ,   Ĵ = J W^(1/2) ,  Kᵢ a combination of the rows of one contact
//! ```
//!
//! H has a block for every pair of bodies that touch: contacts at two points cost no more than at one, and the
//! Delassus matrix, which would have one for every pair of contacts of a body, is never formed.

pub mod rows;

use crate::lcp::info::ROUNDED_SUM;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::{Further, MixedProblem, residual, within};
use crate::math::largest;
use glam::DVec3;

pub(crate) use rows::{BodyRow, Graph, Limit, LinearPiece};

/// Bodies are nearly at rest if v is at most this many times the rounding of its terms: a thousand layers leave the rounding of
/// each. Faster bodies may roll or glide, which no impulse ends: disks do so at 1e-10 m/s for long.
const LAYERS: f64 = 1000.0;

/// An island's problem with the present λ. A row's *place* is its index; lists by place have that order.
#[derive(Debug, Default)]
pub(crate) struct BodySpace {
    /// The problem as posed.
    problem: MixedProblem,
    /// H of the present island and its pattern.
    pub graph: Graph,
    /// The rows, in the order of the problem.
    pub rows: Vec<BodyRow>,
    /// By place: the largest term of w at λ = 0, at most the row's reach (`MixedRow::reach`).
    term: Vec<f64>,
    /// By place: λ and w; and v of the present λ.
    pub lambda: Vec<f64>,
    pub w: Vec<f64>,
    v: Vec<DVec3>,
    /// The measure by which λ counts as solved.
    pub acceptance: Acceptance,
    /// λ by place with the least residual so far, and that residual.
    pub best: Vec<f64>,
    pub residual: f64,
}

impl BodySpace {
    /// Loads `problem`, that of an island, with λ as the best so far.
    pub fn enter(&mut self, problem: &MixedProblem, acceptance: &Acceptance, lambda: &[f64]) {
        self.acceptance = *acceptance;
        self.graph.fit(problem); // which blocks of H exist: one of 3×3 for each movable body, and one for each pair that rows join
        self.begin(problem, lambda);
    }

    /// Loads `problem`, of the same bodies and rows as the one entered, with λ as the best so far.
    pub fn begin(&mut self, problem: &MixedProblem, lambda: &[f64]) {
        self.problem.copy_from(problem);
        let Self { graph, rows, term, best, .. } = self;
        rows::gather(problem, graph, rows); // Ĵ = J W^½
        term.clear();
        term.extend(rows.iter().zip(&problem.rows).map(|(place, row)| {
            let (a, b) = (row.ja.dot(problem.free[row.a]), row.jb.dot(problem.free[row.b]));
            let (mut rate, mut size) = (a + b, a.abs() + b.abs());
            for (body, j) in row.further.iter().flat_map(Further::arms) {
                let own = j.dot(problem.free[body]);
                (rate, size) = (rate + own, size + own.abs());
            }
            let (term, reach) = (size.max(row.bias.abs()), row.reach(place.diagonal));
            // Beyond its reach the row is at its bound, and nothing is rounded.
            if (rate + row.bias).abs() > reach { within(term, reach) } else { term }
        }));
        best.clear();
        best.extend_from_slice(lambda);
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
        let Self { problem, rows, lambda, w, v, .. } = self;
        problem.velocity(lambda, v);
        let left = largest(rows.iter().enumerate().map(|(i, row)| {
            w[i] = problem.w(i, v, lambda);
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
        let left = self.problem.share_left(&self.best, &mut self.v);
        let rounding = ROUNDED_SUM * f64::EPSILON;
        left > rounding && left <= LAYERS * rounding
    }

    /// Returns [`MixedProblem::share_left`] of the present λ.
    pub fn share_left(&mut self) -> f64 {
        self.problem.share_left(&self.lambda, &mut self.v)
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

    /// Writes the best λ.
    pub fn write_best(&self, lambda: &mut [f64]) {
        lambda.copy_from_slice(&self.best);
    }
}

/// Pieces of the projection Π: H for rows that are each on a given piece, and the λ that these pieces give.
impl BodySpace {
    /// H ← I + Ĵᵀ D Ĵ, D = ∂λ/∂(−w) on the given pieces for rows of the given ρ̃; both by place.
    pub fn assemble_h(&mut self, states: &[LinearPiece], stiffness: &[f64]) {
        let Self { graph, rows, .. } = self;
        graph.lu.set_identity();
        // ∂λ/∂(−w) of a row.
        let own = |i: usize| if states[i] == LinearPiece::Free { stiffness[i] } else { 0.0 };
        for (place, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_friction()) {
            match rows.get(place + 1).filter(|next| next.is_friction()) {
                Some(friction) => {
                    // The slope ∂λ_t/∂λ_n.
                    let (_, across) = friction.limit.slope(states[place + 1]).unwrap_or_default();
                    let k = [[own(place), 0.0], [across * own(place), own(place + 1)]];
                    if k != [[0.0; 2]; 2] {
                        graph.add_contact(row, friction, k);
                    }
                }
                None if own(place) > 0.0 => graph.add_row(row, own(place)),
                None => {}
            }
        }
    }

    /// λ ← λ + Δ, bounds met exactly; both by place.
    pub fn advance(&mut self, states: &[LinearPiece], step: &[f64]) {
        let Self { rows, lambda, .. } = self;
        for (i, row) in rows.iter().enumerate() {
            let (moved, [lower, upper]) = (lambda[i] + step[i], row.bounds(lambda));
            lambda[i] = match (row.limit, states[i]) {
                (Limit::Between(..), LinearPiece::Lower)
                | (Limit::Coulomb { .. }, LinearPiece::SlidingLower) => lower,
                (Limit::Between(..), LinearPiece::Upper)
                | (Limit::Coulomb { .. }, LinearPiece::SlidingUpper) => upper,
                (Limit::Between(..), _) => moved,
                (Limit::Coulomb { .. }, _) => moved.max(lower).min(upper),
                (Limit::Dragged { .. }, _) => upper,
            };
        }
    }
}
