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
//! **Globalisation**: sliding makes H unsymmetric and the inner problem non-convex. Where the step along du does
//! not shrink |F|, nothing of it is taken and κ falls: the smaller κ, the nearer H is to I, and the nearer an outer
//! iteration to one of projected gradients, which hardly ever fails. After two that succeed κ grows again, the
//! faster the fewer factorisations they took.
//!
//! **Classes**: without friction every feasible problem. With friction there is no proof of convergence.
//!
//! **Failure**: a residual above the tolerance is [`MixedError::NotConverged`]; or, where a certificate proves that no
//! velocity meets the rows, what is returned violates them least (`relax.rs`).
//!
//! Source: [Alart & Curnier 1991] (Newton on the projected equations); [Rockafellar 1976] (proximal point).
//!
//! Departures: one ρ per row, and a κ that grows until the residual falls fast; the derivative of the moving
//! bound is kept; the answer is taken to rounding.

mod graph;
mod relax;
mod rows;
mod search;

use super::mixed::{MixedError, MixedProblem, MixedRow};
use super::solve::Solved;
use super::{SolverInfo, TOLERANCE};
use crate::math::largest;
use glam::DVec3;
use graph::Graph;
use rows::{Limit, Row, State};

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
const LAST_KAPPA: f64 = 1e14;
/// A residual that falls to less than this share falls fast.
const SLOW: f64 = 0.02;
/// κ shrinks by this where Newton's steps fail, and then rests for some outer iterations.
const BACK_OFF: f64 = 0.1;
const REST: usize = 2;
/// Below this an outer iteration gains nothing.
const LEAST_KAPPA: f64 = 1e-3;
/// At the last κ an outer iteration that leaves more than this share gains nothing; this many end it.
const STUCK: f64 = 0.9;
const PATIENCE: usize = 3;
/// The residual of an infeasible island's moved rows, as a share of the violation.
const RELAXED_SHARE: f64 = 1e-4;
/// Most outer iterations.
const MAX_OUTER: usize = 600;
/// No outer iteration starts after so many factorisations: a struck pyramid takes 200 to 700.
const MAX_FACTORISATIONS: usize = 1500;
/// Most Newton steps in one of them.
const MAX_INNER: usize = 40;
/// An inner iteration ends when |F| is this share of |u|.
const INNER_SHARE: f64 = 1e-9;
/// Rounding of w, in units of ε times its largest term: what a warm start may have, and what is aimed at.
const ROUNDED_WARM: f64 = 24.0;
const ROUNDED: f64 = 6.0;
/// Rounding above this times the tolerance is no excuse: λ has diverged. At a mass ratio of 10¹² it is 10⁵.
const LARGEST_ROUNDING: f64 = 1e5;
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
        let solved = self.attempt(problem, &mut graph, tolerance, lambda);
        self.graphs[index] = graph;
        solved
    }

    fn attempt(
        &mut self,
        problem: &MixedProblem,
        graph: &mut Graph,
        tolerance: f64,
        lambda: &mut [f64],
    ) -> Result<Solved, MixedError> {
        self.begin(problem, graph, lambda);
        let mut residual = self.iterate(problem, graph, tolerance);
        let mut iterations = self.factorisations;
        let mut infeasible = false;
        let rounded = ROUNDED_WARM * rounding(problem, &self.best);
        let mut expected = tolerance.max(rounded.min(tolerance * LARGEST_ROUNDING));
        // Written so that NaN is no success.
        let solved = residual <= expected;
        if !solved && let Some(relaxed) = self.relaxed(problem, graph) {
            iterations += self.factorisations;
            infeasible = true;
            if let Some(least) = relaxed.lambda {
                lambda.copy_from_slice(&least);
                return Ok(Solved { solver: INFO.key, iterations, infeasible, dependent: 0 });
            }
            self.begin(&relaxed.moved, graph, lambda);
            residual = self.iterate(&relaxed.moved, graph, tolerance);
            iterations += self.factorisations;
            expected = tolerance.max(RELAXED_SHARE * relaxed.violation);
        }
        lambda.copy_from_slice(&self.best);
        match residual <= expected {
            true => Ok(Solved { solver: INFO.key, iterations, infeasible, dependent: 0 }),
            false => Err(MixedError::NotConverged { solver: INFO.key, residual, expected, iterations }),
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
        if best <= ROUNDED_WARM * rounding(problem, &self.best) {
            return best;
        }
        let (mut last, mut wait, mut stuck) = (best, 0, 0);
        for _ in 0..MAX_OUTER {
            if self.factorisations > MAX_FACTORISATIONS {
                break;
            }
            self.noise = self.rounding_of_f();
            let before = self.factorisations;
            if !self.inner(graph, kappa) {
                kappa *= BACK_OFF;
                wait = REST;
                if kappa < LEAST_KAPPA {
                    break;
                }
                continue;
            }
            self.advance();
            let residual = self.measure(problem);
            if residual < best || best.is_nan() {
                best = residual;
                self.best.copy_from_slice(&self.sourced);
            }
            if best <= ROUNDED * rounding(problem, &self.best) || residual.is_nan() {
                break;
            }
            if residual > STAGNATION * last && best <= tolerance {
                break;
            }
            if wait > 0 {
                wait -= 1;
            } else if residual > SLOW * last {
                kappa = (kappa * growth(self.factorisations - before)).min(LAST_KAPPA);
            }
            stuck = if residual > STUCK * last && kappa >= LAST_KAPPA { stuck + 1 } else { 0 };
            if stuck >= PATIENCE {
                break;
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
                Limit::Dragged { normal, coefficient, .. } => {
                    coefficient * self.lambda[normal as usize].max(0.0)
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

/// What κ is multiplied by after an outer iteration that took so many factorisations.
fn growth(factorisations: usize) -> f64 {
    match factorisations {
        0..=3 => 100.0,
        4..=10 => 3.0,
        _ => 1.0,
    }
}

/// ε times the largest term of any w: what rounding leaves of a residual.
fn rounding(problem: &MixedProblem, lambda: &[f64]) -> f64 {
    let term = |(row, lambda): (&MixedRow, &f64)| {
        let free = row.ja.dot(problem.free[row.a]).abs() + row.jb.dot(problem.free[row.b]).abs();
        free.max(row.bias.abs()).max((row.diagonal(&problem.weight) * lambda).abs())
    };
    f64::EPSILON * largest(problem.rows.iter().zip(lambda).map(term))
}
