//! A mixed problem over its movable bodies: rows scaled to the kinetic-energy norm, λ with its w and residual, and the
//! sparse matrix of 3×3 blocks that both Newton's method and the interior point factorise,
//!
//! ```text
//! H = I + Σ fᵢ Ĵᵢᵀ Kᵢ ,   Ĵ = J W^(1/2) ,  Kᵢ a combination of the rows of one contact
//! ```
//!
//! H has a block for every pair of bodies that touch: contacts at two points cost no more than at one, and the
//! Delassus matrix, which would have one for every pair of contacts of a body, is never formed.

mod graph;
mod rows;

use super::mixed::MixedProblem;
use crate::math::largest;
use glam::DVec3;

pub(super) use graph::Graph;
pub(super) use rows::{Limit, Row, State};

/// An island's problem with the λ at hand.
#[derive(Debug, Default)]
pub(super) struct BodySpace {
    /// H and its pattern.
    pub graph: Graph,
    /// Of the other islands; the present one's place is empty.
    graphs: Vec<Graph>,
    present: usize,
    place: Vec<u32>,
    /// Normals before the friction they limit.
    pub rows: Vec<Row>,
    /// By place in `rows`: λ and w.
    pub lambda: Vec<f64>,
    pub w: Vec<f64>,
    v: Vec<DVec3>,
    /// λ by row of the problem, present and best, and what the best leaves.
    sourced: Vec<f64>,
    pub best: Vec<f64>,
    pub residual: f64,
}

impl BodySpace {
    /// Takes up the problem of island `index` with λ, by row of the problem, as the best so far.
    pub fn enter(&mut self, problem: &MixedProblem, index: usize, lambda: &[f64]) {
        if self.graphs.len() <= index {
            self.graphs.resize_with(index + 1, Graph::default);
        }
        std::mem::swap(&mut self.graph, &mut self.graphs[self.present]);
        std::mem::swap(&mut self.graph, &mut self.graphs[index]);
        self.present = index;
        self.graph.fit(problem);
        self.begin(problem, lambda);
    }

    /// Takes up `problem`, of the same bodies and rows as the one entered.
    pub fn begin(&mut self, problem: &MixedProblem, lambda: &[f64]) {
        rows::gather(problem, &self.graph, &mut self.place, &mut self.rows);
        for list in [&mut self.lambda, &mut self.w] {
            list.clear();
            list.resize(self.rows.len(), 0.0);
        }
        for list in [&mut self.sourced, &mut self.best] {
            list.clear();
            list.extend_from_slice(lambda);
        }
        self.residual = f64::INFINITY;
        self.recall();
    }

    /// λ ← the best.
    pub fn recall(&mut self) {
        for (own, row) in self.lambda.iter_mut().zip(&self.rows) {
            *own = self.best[row.source as usize];
        }
    }

    /// v and w of the present λ, and its residual; where it is less than the best's, λ becomes the best.
    pub fn measure(&mut self, problem: &MixedProblem) -> f64 {
        for (row, lambda) in self.rows.iter().zip(&self.lambda) {
            self.sourced[row.source as usize] = *lambda;
        }
        problem.velocity(&self.sourced, &mut self.v);
        for (w, row) in self.w.iter_mut().zip(&self.rows) {
            *w = problem.w(row.source as usize, &self.v, &self.sourced);
        }
        let residual =
            largest((0..self.rows.len()).map(|i| problem.row_residual(i, &self.v, &self.sourced)));
        if residual < self.residual {
            self.residual = residual;
            self.best.copy_from_slice(&self.sourced);
        }
        residual
    }

    /// λ by row of the problem.
    pub fn sourced(&self) -> &[f64] {
        &self.sourced
    }
}
