//! Piecewise linear homotopy over the bodies: Lemke's idea from an advanced start, for contacts with Coulomb friction.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`, with Coulomb friction as posed.
//!
//! **Outer iteration**: that of `newton/`, λ_{k+1} = Π(λ_k − ρ w(λ_{k+1})), so that dependent rows are no special case.
//!
//! **Inner iteration**: instead of Newton's steps, which may cycle, a path leads to the zero of F. λ_k is first put on the bounds
//! that it is nearest to; rates ŵ are chosen for which it is the solution at t = 1, and t reduces them to zero:
//!
//! ```text
//! F(u, t) = u − Ĵᵀ Δ(u, t) ,   Δ = Π(λ_k − ρ̃ (w_k − t ŵ + Ĵ u)) − λ_k ,   F(0, 1) = 0 ,   t: 1 → 0
//! ŵᵢ = wᵢ on free rows, 2 wᵢ on held ones that wᵢ would free, else 0
//! ```
//!
//! F is piecewise linear, and so is the path (`path.rs`); t may grow on the way, where Newton's steps would cycle. At the
//! end of a piece one row changes its state: a pivot, which changes H by a matrix of rank one. Near a solution ŵ is
//! small and the path short. In a struck pile the speeds decay geometrically from body to body; a path resolves these
//! layers pivot by pivot, each at the cost of a seventh of a factorisation.
//!
//! **κ** decides how far an outer iteration goes: it multiplies the error along an eigenvector of the scaled Delassus matrix of
//! eigenvalue σ by 1/(1 + κσ), but the larger κ, the longer and the more folded the path. It is large at first, and then
//!
//! | the path | the residual, as a share of the one before | κ |
//! |---|---|---|
//! | ended | at most 0.05 | as it is: the residual falls fast |
//! | ended, 5 pieces or fewer | more | × 100 |
//! | ended, 6 to 40 pieces | more | × 10 |
//! | ended, 41 to 80 pieces | more | × 3 |
//! | ended, more pieces | more | as it is: a larger κ would make the path longer still |
//! | ended, one of the 2 behind a failure | more | as it is |
//! | ended, and κ would be one that failed | larger than before that path | 0.3 × the κ that failed |
//! | was lost, too long, or left more than 1000 times the residual | | × 0.1, λ goes back to where the path began |
//!
//! Which path ends can hardly be predicted, so another κ is another chance. At the end Newton's steps take the solution to
//! rounding.
//!
//! **Classes**: with friction there is no proof; a path may be long, or lead away for good.
//!
//! **Failure**: `MixedError::NotConverged`, a problem without a solution included.
//!
//! Sources: [Katzenelson 1965] (the path over the pieces, one by one); [Eaves 1976]; [Dirkse & Ferris 1995] (Lemke's
//! pivots from the point at hand); [Sherman & Morrison 1950].

pub mod breakpoints;
pub mod path;
pub mod updates;
#[cfg(test)]
mod updates_tests;

use crate::lcp::body_space::{BodySpace, Limit, LinearPiece};
use crate::lcp::info::{SolverInfo, TOLERANCE};
use crate::lcp::newton::{Newton, NewtonEffort};
use crate::lcp::problem::trail::Ending;
use breakpoints::Breakpoints;
use updates::Updates;

/// The method's entry in the table.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "homotopy",
    name: "Homotopy",
    summary: "Pivots from the warm start's states along a piecewise linear path over the bodies; exact, and goes on where \
              Newton's steps cycle.",
    source: "Katzenelson 1965; Eaves 1976; Dirkse & Ferris 1995",
    parameters: &[TOLERANCE],
};

/// Least and largest κ: below the least, an outer iteration leaves 0.999 of the error and more; beyond the largest, forty updates
/// of H lose more than the seven digits that ε κ leaves.
const LEAST_KAPPA: f64 = 1e-3;
const LAST_KAPPA: f64 = 1e9;
/// Factor of κ after a path that failed, as in `newton/`, and the number of outer iterations for which κ then does not grow.
const BACK_OFF: f64 = 0.1;
const REST: usize = 2;
/// While the residual is no smaller than before a failure, κ stays below the one that failed, by half a decade.
const SHORT_OF_FAILED: f64 = 0.3;
/// A residual that falls to less than this share falls fast enough: seven paths then come from 1 to below 1e-9.
const SLOW: f64 = 0.05;
/// A path that ends with more than this multiple of the residual has failed: what is gained by a good path is lost again.
const LOST: f64 = 1e3;
/// Once the residual is small enough, the iteration stops after this many outer iterations that gain less than a tenth each.
const STAGNATION: f64 = 0.9;
const MOST_IDLE: usize = 3;
/// Most pieces of a path: those that end mostly do so within 200 (`lcp/auto/policy.rs`).
const MOST_PIECES: usize = 300;
/// In islands of at most this many rows no path is given up for its pace: a whole one takes 2 ms there.
const MANY_ROWS: usize = 400;
/// Most outer iterations: as many as paths may fail in the largest effort.
const MAX_OUTER: usize = 60;
/// The residual that ends the method, in units of ε times the largest term of w, as in `newton/`.
const ROUNDED_RESIDUAL: f64 = 6.0;

/// Newton's steps at the end, which take the solution to rounding.
const FINISH: NewtonEffort = NewtonEffort { kappa: 1e8, factorisations: 8, stall: 3 };

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEffort {
    /// Initial κ.
    pub kappa: f64,
    /// Most pieces of the first path, and of all.
    pub first: usize,
    pub pieces: usize,
    /// Most paths that may fail, and whether the first may.
    pub failures: usize,
    pub persistent: bool,
    /// Number of pieces from which on the first path is given up if at its pace so far it would be too long.
    pub trial: usize,
}

impl PathEffort {
    /// The effort of the method by itself.
    pub const FULL: Self = Self {
        kappa: 1e6,
        first: MOST_PIECES,
        pieces: 4000,
        failures: 20,
        persistent: true,
        trial: usize::MAX,
    };

    /// In words.
    pub fn words(&self) -> String {
        let Self { kappa, first, pieces, failures, persistent, trial } = *self;
        let lost =
            if persistent { format!("{failures} paths are lost") } else { "a path is lost".to_owned() };
        let pace = if trial < Self::FULL.trial {
            format!(
                "; with more than {MANY_ROWS} rows the first is given up from {trial} pieces on if its pace is too slow"
            )
        } else {
            String::new()
        };
        format!(
            "{pieces} pieces, {first} of them in the first path, κ = {kappa:e} at first; until {lost}{pace}"
        )
    }
}

/// Buffers and state of the method.
#[derive(Debug, Default)]
pub(crate) struct Homotopy {
    /// By place: ρ̃, states, ŵ, y, dy/dt and Δ, and λ before the path.
    stiffness: Vec<f64>,
    states: Vec<LinearPiece>,
    held: Vec<f64>,
    y: Vec<f64>,
    rate: Vec<f64>,
    step: Vec<f64>,
    before: Vec<f64>,
    /// By movable body, and one entry for all that do not move: u, du/dt and the right-hand side for H.
    u: Vec<[f64; 3]>,
    tangent: Vec<[f64; 3]>,
    z: Vec<[f64; 3]>,
    updates: Updates,
    breakpoints: Breakpoints,
    pieces: usize,
    factorisations: usize,
    /// Why the last attempt ended without a solution.
    pub ending: Ending,
}

impl Homotopy {
    /// Iterates from the λ of `space` until the residual is at most `sought`, or no longer falls; returns whether the residual is
    /// then at most `tolerance`. The best λ stays in `space`.
    pub fn improve(
        &mut self,
        space: &mut BodySpace,
        newton: &mut Newton,
        [sought, tolerance]: [f64; 2],
        effort: PathEffort,
    ) -> bool {
        self.begin(space);
        self.ending = Ending::OutOfIterations;
        let PathEffort { mut kappa, .. } = effort;
        let (mut failures, mut idle, mut wait, mut failed) = (0, 0, 0, (f64::INFINITY, 0.0));
        let mut last = space.measure();
        for outer in 0..MAX_OUTER {
            let done = space.residual <= sought.max(ROUNDED_RESIDUAL * space.rounding());
            if done || self.pieces >= effort.pieces || kappa < LEAST_KAPPA {
                self.ending = if kappa < LEAST_KAPPA { Ending::PathLost } else { Ending::OutOfIterations };
                break;
            }
            let most = if outer == 0 { effort.first } else { MOST_PIECES };
            let from = self.pieces;
            let first = outer == 0 && space.rows.len() > MANY_ROWS;
            let trial = if first { effort.trial } else { usize::MAX };
            match self.outer(space, kappa, [most.min(effort.pieces - from), trial]) {
                Some(residual) if residual <= LOST * last => {
                    if residual > STAGNATION * last && space.residual <= tolerance {
                        idle += 1;
                        if idle >= MOST_IDLE {
                            self.ending = Ending::Stalled;
                            break;
                        }
                    }
                    if wait > 0 {
                        wait -= 1;
                    } else if residual > SLOW * last {
                        kappa = (kappa * growth(self.pieces - from)).min(LAST_KAPPA);
                    }
                    if kappa >= failed.0 && residual > failed.1 {
                        kappa = SHORT_OF_FAILED * failed.0;
                    }
                    last = residual;
                }
                _ => {
                    failures += 1;
                    let over = failures >= effort.failures || (outer == 0 && !effort.persistent);
                    if over || (failures > 1 && space.residual <= tolerance) {
                        self.ending = Ending::PathLost;
                        break;
                    }
                    failed = (kappa, last);
                    kappa *= BACK_OFF;
                    wait = REST;
                    space.lambda.clone_from(&self.before);
                    space.measure();
                }
            }
        }
        // Written so that NaN is no success.
        let solved = space.residual <= space.allowed(tolerance);
        if solved {
            space.recall();
            newton.improve(space, tolerance, FINISH);
            self.factorisations += newton.factorisations;
        }
        solved
    }

    /// Factorisations and pieces of the last attempt.
    pub fn iterations(&self) -> usize {
        self.factorisations + self.pieces
    }

    fn begin(&mut self, space: &BodySpace) {
        let (rows, bodies) = (space.rows.len(), space.graph.movable);
        for list in [&mut self.held, &mut self.y, &mut self.rate, &mut self.step] {
            list.clear();
            list.resize(rows, 0.0);
        }
        self.states.clear();
        self.states.resize(rows, LinearPiece::Lower);
        for list in [&mut self.u, &mut self.tangent, &mut self.z] {
            list.clear();
            list.resize(bodies + 1, [0.0; 3]);
        }
        self.updates.clear();
        self.breakpoints.begin(&space.rows);
        self.pieces = 0;
        self.factorisations = 0;
    }

    /// Makes one outer iteration; returns its residual, `None` where the path did not end.
    fn outer(&mut self, space: &mut BodySpace, kappa: f64, limits: [usize; 2]) -> Option<f64> {
        self.before.clone_from(&space.lambda);
        if self.set_states(space) {
            space.measure();
        }
        self.hold(space);
        self.stiffness.clear();
        self.stiffness.extend(space.rows.iter().map(|row| row.stiffness(kappa)));
        self.follow(space, limits).then(|| {
            space.advance(&self.states, &self.step);
            space.measure()
        })
    }

    /// Sets the states by which is nearer, the bound of λ or w = 0, and puts held λ on its bound. Returns whether any λ moved.
    fn set_states(&mut self, space: &mut BodySpace) -> bool {
        let BodySpace { rows, lambda, w, .. } = space;
        let mut moved = false;
        for (i, row) in rows.iter().enumerate() {
            // The change of λ for which w = 0.
            let free = if row.diagonal > 0.0 { w[i] / row.diagonal } else { 0.0 };
            let (x, state) = match row.limit {
                Limit::Between(lower, _) if lambda[i] - lower <= free.max(0.0) => {
                    (lower, LinearPiece::Lower)
                }
                Limit::Between(_, upper) if upper - lambda[i] <= (-free).max(0.0) => {
                    (upper, LinearPiece::Upper)
                }
                Limit::Coulomb { normal, .. } | Limit::Dragged { normal, .. }
                    if self.states[normal as usize] == LinearPiece::Lower =>
                {
                    (0.0, LinearPiece::Lower)
                }
                Limit::Coulomb { normal, coefficient } => {
                    let most = coefficient * lambda[normal as usize];
                    if most - lambda[i] <= (-free).max(0.0) {
                        (most, LinearPiece::SlidingUpper)
                    } else if most + lambda[i] <= free.max(0.0) {
                        (-most, LinearPiece::SlidingLower)
                    } else {
                        (lambda[i], LinearPiece::Free)
                    }
                }
                Limit::Dragged { normal, coefficient } => {
                    (coefficient * lambda[normal as usize], LinearPiece::SlidingUpper)
                }
                Limit::Between(..) => (lambda[i], LinearPiece::Free),
            };
            moved |= x != lambda[i];
            lambda[i] = x;
            self.states[i] = state;
        }
        moved
    }

    /// Sets ŵ, the rates for which λ would be the solution, each with the sign that its state allows.
    fn hold(&mut self, space: &BodySpace) {
        for (i, row) in space.rows.iter().enumerate() {
            let w = space.w[i];
            self.held[i] = match (row.limit, self.states[i]) {
                (Limit::Dragged { .. }, _) => 0.0,
                (_, LinearPiece::Free) => w,
                (Limit::Between(..), LinearPiece::Lower) | (_, LinearPiece::SlidingLower) => {
                    2.0 * w.min(0.0)
                }
                (_, LinearPiece::Upper | LinearPiece::SlidingUpper) => 2.0 * w.max(0.0),
                _ => 0.0,
            };
        }
    }
}

/// Returns the factor of κ after a path of `pieces` pieces.
fn growth(pieces: usize) -> f64 {
    match pieces {
        0..=5 => 100.0,
        6..=40 => 10.0,
        41..=80 => 3.0,
        _ => 1.0,
    }
}
