//! Rounds of the proximal iteration with a fixed active set: for a pile's first step, and for its last digits.
//!
//! With every row kept on its piece an outer iteration (a round) is linear, and one factorisation serves all rounds:
//!
//! ```text
//! (I + Ĵᵀ D Ĵ) u = −Ĵᵀ D w_k ,   λ_{k+1} = λ_k − D (w_k + Ĵ u)
//! ```
//!
//! **The first step** of a pile. Contacts between bodies that fall alike have λ = 0 and w = 0, where Π(λ − ρ w) has a kink.
//! Newton's steps take such a contact to be open until the layer below it has been stopped, and so solve a pile layer by layer,
//! with a factorisation for each. If the pile rests, its contacts stick: so all rows that do not separate are taken as equations.
//! Of the λ with w = 0 the rounds find the least in the norm Σ λᵢ²/ρ̃ᵢ. If λ_n ≥ 0 and friction lies within the cones, it is a
//! solution. If not, it mostly fails in few rows, 190 of the 40,000 of 5,050 boxes in a pyramid, and is a better start for
//! Newton's steps than λ = 0.
//!
//! **The last digits**. Newton's steps end where no w is more than rounding. In a pile of n layers these remainders add up n
//! times, and a round at κ = 1e4 leaves the share 1/(1 + κσ) of them, where σ may be 1e-5: the pile creeps, and the problem
//! changes with every step. Where bodies are nearly at rest, rounds at a large κ on the pieces of the solution take their
//! velocities to rounding.
//!
//! **Units**: λ in N s or N m s, w in m/s or rad/s, u in √J, ρ̃ = κ/Aᵢᵢ in kg or kg m²; κ and σ, an eigenvalue of the scaled
//! Delassus matrix, have none.
//!
//! Source: [Rockafellar 1976] (the proximal iteration of `newton/mod.rs`, with rows on given pieces).

use super::{Newton, ROUNDED_RESIDUAL, STAGNATION};
use crate::lcp::body_space::{BodySpace, Limit, LinearPiece};
use crate::lcp::info::ROUNDED_SUM;
use crate::lcp::problem::trail::Ending;
use crate::math::add;

/// κ of the rounds: the load passes through a hundred layers, σ = 1e-5, within few rounds.
const KAPPA: f64 = 1e9;
/// Friction's ρ̃ in a first step, as a share of the ρ̃ that κ gives: less than 1, so that normals carry the load where they can.
/// Factorisations, or pieces of a path, for pyramids of 10, 20, 30, 40 and 70 layers: 2, 4, 7, 11, 54 with a share of 0.3; 2, 2,
/// 7, 9, 14 with 0.1; 2, 2, 7, 8, 10 with 0.05. With 0.01 normal impulses of 100 layers become negative, and nothing is gained
/// there.
const FRICTION: f64 = 0.05;
/// Most rounds of a first step. Each is a solution with the same factors, and the first that does not halve the residual ends
/// them anyway.
const ROUNDS: usize = 12;
/// Rounds to bring bodies to rest: the first puts friction that is nearly at its bound onto it, the others gain the digits.
const SETTLING: usize = 4;

impl Newton {
    /// Tries the rows of `space` that do not separate as equations, from its λ; returns whether that gives a solution. The best λ
    /// stays in `space`.
    pub fn stick(&mut self, space: &mut BodySpace, tolerance: f64) -> bool {
        self.begin(space);
        let mut last = space.measure();
        self.ending = Ending::Stalled;
        self.hold(space);
        if !self.factor(space, KAPPA) {
            return false;
        }
        for round in 0..ROUNDS {
            self.trace(space);
            add(&mut space.lambda, 1.0, &self.step);
            let residual = space.measure();
            // Written so that NaN ends the loop. The first round finds the load, the others its digits.
            let falls = round == 0 || residual <= STAGNATION * last;
            if residual <= ROUNDED_RESIDUAL * space.rounding() || !falls {
                break;
            }
            last = residual;
        }
        space.residual <= space.allowed(tolerance)
    }

    /// Reduces the velocities of bodies that the best λ leaves nearly at rest to rounding; λ of the least velocities becomes the
    /// best.
    pub fn bring_to_rest(&mut self, space: &mut BodySpace) {
        space.recall();
        self.begin(space);
        space.measure();
        self.set_stiffness(space, KAPPA);
        for (i, row) in space.rows.iter().enumerate() {
            self.states[i] = row.piece(space.lambda[i], row.bounds(&space.lambda));
        }
        if !self.factor(space, KAPPA) {
            return;
        }
        let first = space.share_left();
        let mut least = first;
        for _ in 0..SETTLING {
            self.trace(space);
            space.advance(&self.states, &self.step);
            let left = space.measure();
            let share = space.share_left();
            if share < least && left <= ROUNDED_SUM * space.rounding() {
                least = share;
                space.best.clone_from(&space.lambda);
                space.residual = left;
            } else if least < first {
                break;
            }
        }
    }

    /// Sets the states and ρ̃ of all rows: free are those that do not separate, and their friction.
    fn hold(&mut self, space: &BodySpace) {
        let rounding = ROUNDED_SUM * space.rounding();
        self.set_stiffness(space, KAPPA);
        for (i, row) in space.rows.iter().enumerate() {
            self.states[i] = match row.limit {
                Limit::Between(lower, upper) if lower < upper => {
                    let parts =
                        lower == 0.0 && space.w[i] > rounding || upper == 0.0 && space.w[i] < -rounding;
                    if parts { LinearPiece::Lower } else { LinearPiece::Free }
                }
                Limit::Coulomb { normal, coefficient } if coefficient > 0.0 => {
                    self.stiffness[i] *= FRICTION;
                    self.states[normal as usize]
                }
                _ => LinearPiece::Lower,
            };
        }
    }

    /// Computes Δ of every row on its piece, −D (w + Ĵ u) of the file's head: −ρ̃ (w + Ĵ u) on free rows, ±μ Δ_n where friction
    /// slides.
    fn trace(&mut self, space: &mut BodySpace) {
        let BodySpace { graph, rows, w, .. } = space;
        let Self { states, stiffness, step, u, .. } = self;
        let fill = |u: &[[f64; 3]], step: &mut [f64]| {
            for (i, row) in rows.iter().enumerate() {
                step[i] = match row.limit.slope(states[i]) {
                    Some((normal, slope)) => slope * step[normal],
                    None if states[i] == LinearPiece::Free => -stiffness[i] * (w[i] + row.rate(u)),
                    None => 0.0,
                };
            }
        };
        u.fill([0.0; 3]);
        fill(u, step);
        for (row, step) in rows.iter().zip(step.iter()) {
            row.push(*step, u);
        }
        graph.lu.solve(u);
        fill(u, step);
    }
}
