//! Semismooth Newton on a proximal iteration: exact, warm-started, sparse over the bodies.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`, Coulomb friction as posed.
//!
//! **Outer iteration** (method of multipliers, κ without unit, ρᵢ = κ/Aᵢᵢ): λ_{k+1} = Π(λ_k − ρ w(λ_{k+1})).
//! It multiplies the error along an eigenvector of the scaled Delassus matrix of eigenvalue σ by 1/(1 + κσ),
//! and leaves dependent rows, σ = 0, as they were: redundant contacts are no special case.
//!
//! **Inner iteration**: with u = W^(−1/2)(v − v_k), Δ(u) as in `body_space/rows.rs`, find the zero of
//!
//! ```text
//! F(u) = u − Ĵᵀ Δ(u) ,   H = I + Ĵᵀ D Ĵ ,   H du = −F ,   u ← u + t du
//! D: ρ̃ on free rows, 0 on held ones, ±μ ρ̃_n from the normal to the friction row where a contact slides
//! ```
//!
//! F is piecewise linear; once the states (`LinearPiece`) repeat, the step is exact. H is a matrix of 3×3 blocks over
//! the movable bodies (`math/block_lu.rs`): contacts at two points cost no more than at one. Everything is
//! written in increments from λ_k, whose v_k and w_k are computed afresh, so each outer iteration is also one of
//! iterative refinement, and the solution is accurate to rounding, not to the tolerance.
//!
//! **Globalisation**: sliding makes H unsymmetric and the inner problem non-convex. Where no step along du
//! shrinks |F|, the outer iteration is abandoned and κ falls: the smaller κ, the nearer H is to I, and the nearer an outer
//! iteration to one of projected gradients, which hardly ever fails:
//!
//! | Newton's steps of an outer iteration | the residual, as a share of the one before | κ |
//! |---|---|---|
//! | found the zero of F | at most 0.02 | as it is: the residual falls fast |
//! | found it within 3 factorisations | more | × 100 |
//! | found it within 10 | more | × 3 |
//! | took more | more | as it is |
//! | found it, one of the 2 behind a failure | more | as it is |
//! | did not find it | | × 0.1, λ as it was |
//!
//! **Classes**: without friction every feasible problem. With friction there is no proof of convergence.
//!
//! **Failure**: a residual above the tolerance is [`MixedError::NotConverged`]; or, where a certificate proves that no
//! velocity satisfies the rows, the solution returned violates them least (`relax.rs`).
//!
//! Source: [Alart & Curnier 1991] (Newton on the projected equations); [Rockafellar 1976] (proximal point).
//!
//! Departures: one ρ per row, and a κ that grows until the residual falls fast; the derivative of the moving
//! bound is kept; the solution is taken to rounding.

pub mod fixed_active_set;
pub mod relax;

use crate::lcp::body_space::{BodySpace, Limit, LinearPiece};
use crate::lcp::info::{ACCEPTED, ROUNDED_SUM, SolverInfo, TOLERANCE};
use crate::lcp::problem::mixed::{MixedProblem, positive};
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::lcp::problem::trail::Ending;
use crate::math::add;

pub(crate) use relax::{LeastViolation, without_friction};

/// The method's entry in the table.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "newton",
    name: "Newton",
    summary: "Semismooth Newton with multipliers over the bodies, warm-started; exact for large sparse groups of \
              contacts.",
    source: "Alart & Curnier 1991; Rockafellar 1976",
    parameters: &[TOLERANCE],
};

/// Initial κ: smooth enough for a cold start, and the load of ten layers (1/σ = 1e3) still passes in one outer iteration.
const FIRST_KAPPA: f64 = 1e4;
/// Largest κ: beyond it rounding of H, ε κ = 0.02, spoils more than an iteration gains.
const LAST_KAPPA: f64 = 1e14;
/// A residual that falls to less than this share falls fast: six such iterations take it from 1 to below 1e-9.
const SLOW: f64 = 0.02;
/// Factor of κ where Newton's steps fail, a decade, as it grows by one or two; and the number of outer iterations for which κ
/// then does not grow, so as not to fail again at once.
const BACK_OFF: f64 = 0.1;
const REST: usize = 2;
/// Below this an outer iteration leaves more than 1/(1 + κσ) = 0.999 of the error even for σ = 1, and gains nothing.
const LEAST_KAPPA: f64 = 1e-3;
/// At the largest κ an outer iteration that leaves more than this share gains nothing. One may be an accident of rounding; this
/// many end the method.
const STUCK: f64 = 0.9;
const MOST_STUCK: usize = 3;
/// The residual of an infeasible island's moved rows, as a share of the violation: four digits of a violation are more than
/// anybody reads.
const RELAXED_SHARE: f64 = 1e-4;
/// Most outer iterations, more than the factorisations, since some take none. It is never reached; it bounds the loop.
const MAX_OUTER: usize = 2000;
/// No outer iteration starts after so many factorisations: a struck pyramid takes 200 to 700.
const MAX_FACTORISATIONS: usize = 1500;
/// Most Newton steps in one outer iteration: four times the number after which κ still grows; longer sequences are cycles.
const MAX_INNER: usize = 40;
/// The residual that ends the method, in units of ε times the largest term of w: w is a sum of six products.
const ROUNDED_RESIDUAL: f64 = 6.0;
/// Once the residual counts as solved, an outer iteration that leaves more than this share, not even a bit gained, has stagnated.
const STAGNATION: f64 = 0.5;

/// Shortest step before the search gives up, four halvings: each costs a pass over the rows, and a smaller κ is a better remedy
/// than a shorter step.
const SHORTEST_STEP: f64 = 1.0 / 16.0;
/// A step t has to shrink |F| by this share of t: Armijo's rule, so small that it refuses rounding alone.
const DECREASE: f64 = 1e-3;

/// The effort after which the method gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewtonEffort {
    /// Initial κ.
    pub kappa: f64,
    /// Number of factorisations after which no outer iteration starts.
    pub factorisations: usize,
    /// Number of factorisations without halving the residual after which none starts.
    pub stall: usize,
}

impl NewtonEffort {
    /// The effort of the method by itself.
    pub const FULL: Self =
        Self { kappa: FIRST_KAPPA, factorisations: MAX_FACTORISATIONS, stall: usize::MAX / 2 };

    /// In words.
    pub fn words(&self) -> String {
        let Self { factorisations, stall, .. } = *self;
        if stall < Self::FULL.stall {
            format!("{factorisations} factorisations, at most {stall} in which the residual does not halve")
        } else {
            format!("{factorisations} factorisations")
        }
    }
}

/// Buffers and state of the method.
#[derive(Debug, Default)]
pub(crate) struct Newton {
    /// By place: Δ and the state at u; the states and κ that H was factorised for.
    step: Vec<f64>,
    /// By place: ρ̃.
    stiffness: Vec<f64>,
    states: Vec<LinearPiece>,
    factored: Vec<LinearPiece>,
    factored_kappa: f64,
    /// Factorisations of the last attempt, and why it ended without a solution.
    pub factorisations: usize,
    pub ending: Ending,
    /// By movable body, and one entry for all that do not move.
    u: Vec<[f64; 3]>,
    f: Vec<[f64; 3]>,
    du: Vec<[f64; 3]>,
    trial: Vec<[f64; 3]>,
}

impl Newton {
    /// Solves the problem that `space` holds from its λ, the warm start, with the given effort; `lambda` becomes the best found.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        space: &mut BodySpace,
        tolerance: f64,
        effort: NewtonEffort,
        lambda: &mut [f64],
    ) -> SolveResult {
        let solved = self.improve(space, tolerance, effort);
        let iterations = self.factorisations;
        if solved {
            space.write_best(lambda);
            return Ok(Solved::by(INFO.key, iterations));
        }
        let (residual, expected) = (space.residual, space.allowed(tolerance));
        let mut best = vec![0.0; lambda.len()];
        space.write_best(&mut best);
        if let Some(least) = self.least(problem, space) {
            let spent = iterations + self.factorisations;
            let solved = self.solve_moved(problem, space, tolerance, lambda, &least)?;
            return Ok(Solved { iterations: solved.iterations + spent, ..solved });
        }
        lambda.copy_from_slice(&best);
        Err(MixedError::NotConverged { solver: INFO.key, residual, expected, iterations })
    }

    /// Iterates from the λ of `space` with the given effort; returns whether it finds a solution. The best λ stays in `space`.
    pub fn improve(&mut self, space: &mut BodySpace, tolerance: f64, effort: NewtonEffort) -> bool {
        self.begin(space);
        self.ending = self.iterate(space, tolerance, effort);
        // Written so that NaN does not count as solved.
        space.residual <= space.allowed(tolerance)
    }

    fn begin(&mut self, space: &BodySpace) {
        let (rows, bodies) = (space.rows.len(), space.graph.movable);
        self.step.clear();
        self.step.resize(rows, 0.0);
        for list in [&mut self.states, &mut self.factored] {
            list.clear();
            list.resize(rows, LinearPiece::Lower);
        }
        for list in [&mut self.u, &mut self.f, &mut self.du, &mut self.trial] {
            list.clear();
            list.resize(bodies + 1, [0.0; 3]);
        }
        self.factored_kappa = 0.0;
        self.factorisations = 0;
    }

    fn iterate(&mut self, space: &mut BodySpace, tolerance: f64, effort: NewtonEffort) -> Ending {
        let mut kappa = effort.kappa;
        let (mut goal, mut reached) = (f64::INFINITY, 0);
        // ‖r‖∞ of the warm start on the problem as posed. Where that is rounding, 24 ε of the largest |J v*|, |b| or Aᵢᵢ|λᵢ| of
        // all rows, nothing is factorised: this is the case at rest, where the problem is to the bit that of the step before. An
        // iterate has to be better: 6 ε.
        let mut last = space.measure();
        if last <= ROUNDED_SUM * space.rounding() {
            return Ending::Solved;
        }
        let (mut wait, mut stuck) = (0, 0);
        for _ in 0..MAX_OUTER {
            if space.residual <= 0.5 * goal {
                (goal, reached) = (space.residual, self.factorisations);
            }
            let limit = effort.factorisations.min(reached + effort.stall);
            if self.factorisations > limit {
                let spent = self.factorisations > effort.factorisations;
                return if spent { Ending::OutOfIterations } else { Ending::Stalled };
            }
            let before = self.factorisations;
            if !self.inner(space, kappa, limit) {
                kappa *= BACK_OFF;
                wait = REST;
                if kappa < LEAST_KAPPA {
                    return Ending::Stalled;
                }
                continue;
            }
            space.advance(&self.states, &self.step);
            let residual = space.measure();
            if space.residual <= ROUNDED_RESIDUAL * space.rounding() {
                return Ending::Solved;
            }
            if residual.is_nan() {
                return Ending::Inaccurate;
            }
            if residual > STAGNATION * last && space.residual <= tolerance {
                return Ending::Solved;
            }
            if wait > 0 {
                wait -= 1;
            } else if residual > SLOW * last {
                kappa = (kappa * growth(self.factorisations - before)).min(LAST_KAPPA);
            }
            stuck = if residual > STUCK * last && kappa >= LAST_KAPPA { stuck + 1 } else { 0 };
            if stuck >= MOST_STUCK {
                return Ending::Stalled;
            }
            last = residual;
        }
        Ending::OutOfIterations
    }

    /// Returns the rounding of F: ε |Ĵᵀ λ|, the terms by magnitude.
    fn rounding_of_f(&mut self, space: &BodySpace) -> f64 {
        self.f.fill([0.0; 3]);
        for (row, lambda) in space.rows.iter().zip(&space.lambda) {
            row.push_magnitude(*lambda, &mut self.f);
        }
        f64::EPSILON * norm(&self.f)
    }

    /// Makes Newton's steps at fixed λ_k, none once more than `limit` factorisations are made; false if they do not
    /// reach the zero of F.
    pub(crate) fn inner(&mut self, space: &mut BodySpace, kappa: f64, limit: usize) -> bool {
        let noise = self.rounding_of_f(space);
        self.u.fill([0.0; 3]);
        self.set_stiffness(space, kappa);
        let mut size = self.evaluate(space);
        for _ in 0..MAX_INNER {
            // The next outer iteration begins with a fresh residual anyway.
            if size <= ACCEPTED * norm(&self.u) + noise {
                return true;
            }
            if self.factorisations > limit || !self.factor(space, kappa) {
                return false;
            }
            for (du, f) in self.du.iter_mut().zip(&self.f) {
                *du = f.map(|x| -x);
            }
            space.graph.lu.solve(&mut self.du);
            match self.shrink(space, size) {
                Some((next, t)) => {
                    size = next;
                    if t == 1.0 && self.states == self.factored {
                        return true;
                    }
                }
                None => return false,
            }
        }
        false
    }

    /// Computes Δ, the states and F at u; returns |F|.
    fn evaluate(&mut self, space: &BodySpace) -> f64 {
        let Self { stiffness, step, states, u, f, .. } = self;
        let BodySpace { rows, lambda, w, .. } = space;
        f.copy_from_slice(u);
        for (i, row) in rows.iter().enumerate() {
            let pull = -stiffness[i] * (w[i] + row.rate(u));
            (step[i], states[i]) = match row.limit {
                Limit::Between(lower, upper) => project(lambda[i], pull, lower, upper),
                Limit::Coulomb { normal, coefficient } => {
                    let normal = normal as usize;
                    let most = positive(coefficient * (lambda[normal] + step[normal]));
                    match project(lambda[i], pull, -most, most) {
                        (step, LinearPiece::Lower) if most > 0.0 => (step, LinearPiece::SlidingLower),
                        (step, LinearPiece::Upper) if most > 0.0 => (step, LinearPiece::SlidingUpper),
                        found => found,
                    }
                }
                Limit::Dragged { normal, coefficient } => {
                    let normal = normal as usize;
                    let pressing = positive(lambda[normal] + step[normal]);
                    let state = if pressing > 0.0 { LinearPiece::SlidingUpper } else { LinearPiece::Upper };
                    (coefficient * pressing - lambda[i], state)
                }
            };
            row.push(-step[i], f);
        }
        norm(f)
    }

    /// Sets ρ̃ of every row for κ.
    pub(crate) fn set_stiffness(&mut self, space: &BodySpace, kappa: f64) {
        self.stiffness.clear();
        self.stiffness.extend(space.rows.iter().map(|row| row.stiffness(kappa)));
    }

    /// Factorises H for the present states, unless the factors are those of these states.
    pub(crate) fn factor(&mut self, space: &mut BodySpace, kappa: f64) -> bool {
        if self.factored_kappa == kappa && self.factored == self.states {
            return true;
        }
        self.factored.copy_from_slice(&self.states);
        self.factored_kappa = kappa;
        self.factorisations += 1;
        space.assemble_h(&self.states, &self.stiffness);
        let sound = space.graph.lu.factor();
        if !sound {
            self.factored_kappa = 0.0;
        }
        sound
    }

    /// Takes the longest of the steps 1, ½, ¼ … along du that shrinks |F|; returns |F| there and t.
    fn shrink(&mut self, space: &BodySpace, size: f64) -> Option<(f64, f64)> {
        self.trial.copy_from_slice(&self.u);
        let mut t = 1.0;
        while t >= SHORTEST_STEP {
            self.u.copy_from_slice(&self.trial);
            add(self.u.as_flattened_mut(), t, self.du.as_flattened());
            let next = self.evaluate(space);
            if next <= (1.0 - DECREASE * t) * size {
                return Some((next, t));
            }
            t *= 0.5;
        }
        None
    }
}

/// Returns the factor of κ after an outer iteration with this number of factorisations.
fn growth(factorisations: usize) -> f64 {
    match factorisations {
        0..=3 => 100.0,
        4..=10 => 3.0,
        _ => 1.0,
    }
}

/// Returns Π(λ + y) − λ for an interval, and the piece of Π it lies on.
#[inline]
fn project(lambda: f64, y: f64, lower: f64, upper: f64) -> (f64, LinearPiece) {
    let (below, above) = (lower - lambda, upper - lambda);
    if y <= below {
        (below, LinearPiece::Lower)
    } else if y >= above {
        (above, LinearPiece::Upper)
    } else {
        (y, LinearPiece::Free)
    }
}

pub(crate) fn norm(x: &[[f64; 3]]) -> f64 {
    x.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}
