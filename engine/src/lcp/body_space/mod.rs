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
mod graph;
pub(in crate::lcp) mod pgs;
mod pieces;
mod rows;
#[cfg(test)]
mod tests;

use crate::lcp::info::ROUNDED;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::problem::{MixedProblem, residual, within};
use crate::math::largest;
use glam::DVec3;

pub(crate) use graph::Graph;
pub(crate) use rows::{BodyRow, Limit, Piece};

/// Bodies are nearly at rest where at most so many times what rounding leaves of the terms of v is left: a thousand layers leave it as often. What
/// moves faster may roll or glide, which no impulse ends: disks do by 1e-10 m/s for long.
const LAYERS: f64 = 1000.0;

/// An island's problem with the present λ. Lists by place have the order of `rows`.
#[derive(Debug, Default)]
pub(crate) struct BodySpace {
    /// H and its pattern, the present island's.
    pub graph: Graph,
    chain: gather::FrictionOfNormals,
    /// Every normal followed by the friction it limits.
    pub rows: Vec<BodyRow>,
    /// By place: the largest term of w at λ = 0, as far as the row reaches.
    term: Vec<f64>,
    /// By place: λ and w.
    pub lambda: Vec<f64>,
    pub w: Vec<f64>,
    /// v of the present λ, and λ by row of the problem.
    v: Vec<DVec3>,
    sourced: Vec<f64>,
    /// What counts as solved.
    pub acceptance: Acceptance,
    /// λ by place with the least residual, and that.
    pub best: Vec<f64>,
    pub residual: f64,
}

impl BodySpace {
    /// Takes up the bodies of an island; [`BodySpace::begin`] takes up its rows and λ.
    pub fn enter(&mut self, problem: &MixedProblem, acceptance: &Acceptance) {
        self.acceptance = *acceptance;
        self.graph.fit(problem);
    }

    /// Takes up `problem`, of the same bodies and rows as the one entered, with λ, by row of the problem, as the best so far.
    pub fn begin(&mut self, problem: &MixedProblem, lambda: &[f64]) {
        let Self { graph, chain, rows, term, sourced, best, .. } = self;
        gather::gather(problem, graph, rows, chain);
        term.clear();
        term.extend(rows.iter().map(|place| {
            let row = &problem.rows[place.source as usize];
            let (a, b) = (row.ja.dot(problem.free[row.a]), row.jb.dot(problem.free[row.b]));
            let (term, reach) = ((a.abs() + b.abs()).max(row.bias.abs()), row.reach(place.diagonal));
            // What is out of reach is not rounded: the row is at its bound.
            if (a + b + row.bias).abs() > reach { within(term, reach) } else { term }
        }));
        // Written before it is read.
        sourced.resize(problem.rows.len(), 0.0);
        best.clear();
        best.extend(rows.iter().map(|row| lambda[row.source as usize]));
        self.w.clear();
        self.w.resize(self.rows.len(), 0.0);
        self.residual = f64::INFINITY;
        self.recall();
    }

    /// λ ← the best.
    pub fn recall(&mut self) {
        self.lambda.clone_from(&self.best);
    }

    /// v and w of the present λ, and its residual; where it is less than the best's, λ becomes the best.
    ///
    /// On the problem as posed, not on Ĵ: at absurd mass ratios the two differ by their rounding.
    pub fn measure(&mut self, problem: &MixedProblem) -> f64 {
        write(&self.rows, &self.lambda, &mut self.sourced);
        let Self { rows, lambda, w, v, sourced, .. } = self;
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

    /// By how much the velocities of the λ measured last miss what the rows ask of them, whatever the friction.
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
    pub fn creeps(&mut self, problem: &MixedProblem) -> bool {
        if !problem.rests {
            return false;
        }
        write(&self.rows, &self.best, &mut self.sourced);
        let (left, rounding) = (self.share_left(problem), ROUNDED * f64::EPSILON);
        left > rounding && left <= LAYERS * rounding
    }

    /// [`MixedProblem::share_left`] of the λ measured last.
    pub fn share_left(&mut self, problem: &MixedProblem) -> f64 {
        problem.share_left(&self.sourced, &mut self.v)
    }

    /// What rounding leaves of the best's residual: ε times the largest term of any w.
    pub fn rounding(&self) -> f64 {
        let terms = self.rows.iter().zip(&self.term).zip(&self.best);
        f64::EPSILON * largest(terms.map(|((row, term), lambda)| term.max((row.diagonal * lambda).abs())))
    }

    /// `tolerance`, or what rounding of the impulses leaves where that is more and no failure.
    pub fn allowed(&self, tolerance: f64) -> f64 {
        self.acceptance.with_rounding(tolerance, self.rounding())
    }

    /// The best λ by row of the problem.
    pub fn write_best(&self, lambda: &mut [f64]) {
        write(&self.rows, &self.best, lambda);
    }

    /// The present one.
    pub fn write_present(&self, lambda: &mut [f64]) {
        write(&self.rows, &self.lambda, lambda);
    }
}

/// What is by place, by row of the problem.
fn write(rows: &[BodyRow], by_place: &[f64], by_row: &mut [f64]) {
    for (row, x) in rows.iter().zip(by_place) {
        by_row[row.source as usize] = *x;
    }
}
