//! Semismooth Newton on a proximal iteration: exact, warm-started, sparse over the bodies.
//!
//! **Problem**: the mixed problem of `mixed.rs`, Coulomb friction as posed.
//!
//! **Outer iteration** (method of multipliers, κ without unit, ρᵢ = κ/Aᵢᵢ): λ_{k+1} = Π(λ_k − ρ w(λ_{k+1})).
//! It multiplies the error along an eigenvector of the scaled Delassus matrix of eigenvalue σ by 1/(1 + κσ),
//! and leaves dependent rows, σ = 0, as they were: redundant contacts are no special case.
//!
//! **Inner iteration**: with u = W^(−1/2)(v − v_k), Δ(u) as in `rows.rs`, find the zero of
//!
//! ```text
//! F(u) = u − Ĵᵀ Δ(u) ,   H = I + Ĵᵀ D Ĵ ,   H du = −F ,   u ← u + t du
//! D: ρ̃ on free rows, 0 on held ones, ±μ ρ̃_n from the normal to the friction row where a contact slides
//! ```
//!
//! F is piecewise linear; once the states (`State`) repeat, the step is exact. H is a matrix of 3×3 blocks over
//! the movable bodies (`math/block_lu.rs`): contacts at two points cost no more than at one. Everything is
//! written in increments from λ_k, whose v_k and w_k are computed afresh, so each outer iteration is also one of
//! iterative refinement, and the answer goes to rounding, not to the tolerance.
//!
//! **Failure**: sliding makes H unsymmetric and the inner problem non-convex. Where the step along du does not
//! shrink F, the bound of friction is held at the last μ λ_n for this outer iteration: then H is symmetric,
//! F the gradient of a convex function, and the line search always succeeds. What is left is judged by
//! `MixedProblem::residual`; a residual above the tolerance is an error, or an infeasible island
//! with its certificate.
//!
//! Source: [Alart & Curnier 1991] (Newton on the projected equations); [Rockafellar 1976] (proximal point).
//!
//! Departures: the outer loop is theirs of the augmented Lagrangian, with one ρ per row, and a κ that grows
//! until the residual falls fast; the derivative of the moving bound is kept.

mod graph;
mod rows;
mod search;

use super::mixed::{MixedError, MixedProblem};
use super::solve::Solved;
use super::{SolverInfo, TOLERANCE};
use crate::math::largest;
use glam::DVec3;
use graph::Graph;
use rows::{Limit, Row, State};
use search::Friction;

/// The method's entry in the table.
pub(super) static INFO: SolverInfo = SolverInfo {
    key: "newton",
    name: "Newton",
    summary: "Semismooth Newton with multipliers over the bodies, warm-started; exact for large sparse groups of \
              contacts.",
    source: "Alart & Curnier 1991; Rockafellar 1976",
    parameters: &[TOLERANCE],
};

/// κ at first: smooth enough for a cold start.
const FIRST_KAPPA: f64 = 1e4;
/// Largest κ: beyond it rounding of H spoils more than an iteration gains.
const LAST_KAPPA: f64 = 1e10;
/// κ grows by this where an outer iteration leaves more than `SLOW` of the residual.
const GROWTH: f64 = 100.0;
const SLOW: f64 = 0.02;
/// Most outer iterations.
const MAX_OUTER: usize = 60;
/// Most Newton steps in one of them.
const MAX_INNER: usize = 40;
/// An inner iteration ends when |F| is this share of |u|.
const INNER_SHARE: f64 = 1e-9;
/// Rounding of w, in units of ε times its largest term: what a warm start may have, and what is aimed at.
const ROUNDED_WARM: f64 = 24.0;
const ROUNDED: f64 = 6.0;
/// An outer iteration that leaves more than this share near rounding has stagnated.
const STAGNATION: f64 = 0.5;

/// Memory of the method.
#[derive(Debug, Default)]
pub(super) struct Newton {
    graphs: Vec<Graph>,
    place: Vec<u32>,
    rows: Vec<Row>,
    v: Vec<DVec3>,
    /// By place: λ_k, w_k, Δ and state at u, and the states and κ that H was factorised for.
    lambda: Vec<f64>,
    w: Vec<f64>,
    step: Vec<f64>,
    pull: Vec<f64>,
    states: Vec<State>,
    factored: Vec<State>,
    factored_kappa: f64,
    factorisations: usize,
    /// What rounding leaves of F.
    noise: f64,
    /// By movable body.
    u: Vec<[f64; 3]>,
    f: Vec<[f64; 3]>,
    du: Vec<[f64; 3]>,
    trial: Vec<[f64; 3]>,
    /// λ by row of the problem, present and best.
    sourced: Vec<f64>,
    best: Vec<f64>,
}

impl Newton {
    /// Solves the problem of island `index` from the warm start `lambda`, which becomes the best found.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        index: usize,
        tolerance: f64,
        lambda: &mut [f64],
    ) -> Result<Solved, MixedError> {
        if self.graphs.len() <= index {
            self.graphs.resize_with(index + 1, Graph::default);
        }
        let mut graph = std::mem::take(&mut self.graphs[index]);
        graph.fit(problem);
        self.begin(problem, &graph, lambda);
        let residual = self.iterate(problem, &mut graph, tolerance);
        lambda.copy_from_slice(&self.best);
        self.graphs[index] = graph;
        let iterations = self.factorisations;
        match residual <= tolerance {
            true => Ok(Solved { solver: INFO.key, iterations, infeasible: false, dependent: 0 }),
            false => Err(MixedError::NotConverged {
                solver: INFO.key,
                residual,
                expected: tolerance,
                iterations,
            }),
        }
    }

    fn begin(&mut self, problem: &MixedProblem, graph: &Graph, lambda: &[f64]) {
        rows::gather(problem, graph, &mut self.place, &mut self.rows);
        let (rows, bodies) = (self.rows.len(), graph.movable());
        for list in [&mut self.lambda, &mut self.w, &mut self.step, &mut self.pull] {
            list.clear();
            list.resize(rows, 0.0);
        }
        for list in [&mut self.states, &mut self.factored] {
            list.clear();
            list.resize(rows, State::Lower);
        }
        for list in [&mut self.u, &mut self.f, &mut self.du, &mut self.trial] {
            list.clear();
            list.resize(bodies, [0.0; 3]);
        }
        self.factored_kappa = 0.0;
        self.factorisations = 0;
        self.sourced.clear();
        self.sourced.extend_from_slice(lambda);
        self.best.clear();
        self.best.extend_from_slice(lambda);
        for (own, row) in self.lambda.iter_mut().zip(&self.rows) {
            *own = lambda[row.source as usize];
        }
    }

    fn iterate(&mut self, problem: &MixedProblem, graph: &mut Graph, tolerance: f64) -> f64 {
        let mut kappa = FIRST_KAPPA;
        let mut best = self.measure(problem);
        if best <= ROUNDED_WARM * self.rounding(problem) {
            return best;
        }
        let mut last = best;
        let mut associated = true;
        for _ in 0..MAX_OUTER {
            self.noise = self.rounding_of_f();
            let moving = self.inner(graph, kappa, Friction::Moving);
            if !moving {
                if associated {
                    self.inner(graph, kappa, Friction::Associated);
                } else if kappa > 2.0 {
                    kappa *= 0.1;
                    continue;
                }
            }
            self.advance();
            let residual = self.measure(problem);
            if residual < best || best.is_nan() {
                best = residual;
                self.best.copy_from_slice(&self.sourced);
            }
            if best <= ROUNDED * self.rounding(problem) {
                break;
            }
            if residual > STAGNATION * last && best <= tolerance {
                break;
            }
            if residual.is_nan() {
                break;
            }
            if moving {
                if residual > SLOW * last {
                    kappa = (kappa * GROWTH).min(LAST_KAPPA);
                }
            } else {
                associated = associated && residual <= 0.7 * last;
            }
            last = residual;
        }
        best
    }

    /// v_k and w_k of the present λ, and its residual.
    fn measure(&mut self, problem: &MixedProblem) -> f64 {
        for (row, lambda) in self.rows.iter().zip(&self.lambda) {
            self.sourced[row.source as usize] = *lambda;
        }
        problem.velocity(&self.sourced, &mut self.v);
        for (w, row) in self.w.iter_mut().zip(&self.rows) {
            *w = problem.w(row.source as usize, &self.v, &self.sourced);
        }
        largest((0..self.rows.len()).map(|i| problem.row_residual(i, &self.v, &self.sourced)))
    }

    /// ε times the largest term of any w.
    fn rounding(&self, problem: &MixedProblem) -> f64 {
        let term = |(row, lambda): (&Row, &f64)| {
            let source = &problem.rows[row.source as usize];
            let free =
                source.ja.dot(problem.free[source.a]).abs() + source.jb.dot(problem.free[source.b]).abs();
            free.max(source.bias.abs()).max((row.diagonal * lambda).abs())
        };
        f64::EPSILON * largest(self.rows.iter().zip(&self.lambda).map(term))
    }

    /// λ_k ← λ_k + Δ, bounds met exactly.
    fn advance(&mut self) {
        for i in 0..self.rows.len() {
            let moved = self.lambda[i] + self.step[i];
            self.lambda[i] = match self.rows[i].limit {
                Limit::Between(lower, upper) => match self.states[i] {
                    State::Lower => lower,
                    State::Upper => upper,
                    _ => moved,
                },
                Limit::Coulomb { normal, coefficient, .. } => {
                    let most = coefficient * self.lambda[normal as usize].max(0.0);
                    match self.states[i] {
                        State::SlidingUpper => most,
                        State::SlidingLower => -most,
                        _ => moved.max(-most).min(most),
                    }
                }
            };
        }
    }

    /// What rounding leaves of F: ε |Ĵᵀ λ|, the terms by magnitude.
    fn rounding_of_f(&mut self) -> f64 {
        self.f.fill([0.0; 3]);
        for (row, lambda) in self.rows.iter().zip(&self.lambda) {
            row.push_magnitude(*lambda, &mut self.f);
        }
        f64::EPSILON * search::norm(&self.f)
    }
}
