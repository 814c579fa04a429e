//! Rounds of the proximal iteration on pieces that are known: a pile's first step, and its last digits.
//!
//! With every row kept on its piece an outer iteration is linear, and one factorisation serves all of them:
//!
//! ```text
//! (I + Ĵᵀ D Ĵ) u = −Ĵᵀ D w_k ,   λ_{k+1} = λ_k − D (w_k + Ĵ u)
//! ```
//!
//! **The first step** of a pile. At λ = 0 and w = 0, where the contacts of bodies are that fall alike, Π(λ − ρ w) has a kink. Newton's steps
//! take such a contact to be open until the layer below it has been stopped, and so take up a pile layer by layer, with a factorisation for each. If
//! the pile rests, its contacts stick: all rows that do not part are taken as equations. Of the λ that leave w = 0 the rounds find the least in the norm
//! Σ λᵢ²/ρ̃ᵢ. If it presses and lies within the cones, it is a solution. If not, it mostly fails in few rows, 190 of the 40,000 of 5,050
//! boxes in a pyramid, and is a better start for Newton's steps than λ = 0.
//!
//! **The last digits**. Newton's steps end where no w is more than rounding. In a pile of n layers what is left adds up n times, and κ = 1e4
//! takes only 1/(1 + κσ) of it away in a round, where σ may be 1e-5: the pile creeps, and every step has another problem. Where bodies are nearly at
//! rest, rounds at a large κ on the pieces of the solution take their velocities to rounding.
//!
//! **Units**: λ in N s or N m s, w in m/s or rad/s, u in √J, ρ̃ = κ/Aᵢᵢ in kg or kg m²; κ and σ, an eigenvalue of the scaled Delassus matrix, have none.
//!
//! Source: [Rockafellar 1976] (the proximal iteration of `mod.rs`, its rows on given pieces).

use super::{INFO, Newton, ROUNDED, STAGNATION};
use crate::lcp::body_space::{BodySpace, Limit, Piece};
use crate::lcp::info::ROUNDED as ROUNDED_SUM;
use crate::lcp::problem::outcome::Solved;
use crate::lcp::problem::problem::MixedProblem;
use crate::lcp::problem::trail::Ending;

/// κ: through a hundred layers, σ = 1e-5, the load passes within few rounds.
const KAPPA: f64 = 1e9;
/// In a first step, friction's ρ̃ as a share of what κ gives, so that a load goes through the normals where it can choose. Factorisations of pyramids
/// of 10, 20, 30, 40 and 70 layers, with the pieces of paths in the tallest: 2, 4, 7, 11, 54 with a share of 0.3; 2, 2, 7, 9, 14 with 0.1; 2, 2, 7,
/// 8, 10 with 0.05; with 0.01 the normals of 100 layers pull, and nothing is gained there.
const FRICTION: f64 = 0.05;
/// Most rounds of a first step: each is a solution with the same factors, and a round that does not halve the residual ends them anyway.
const ROUNDS: usize = 12;
/// Rounds to rest: the first puts friction that is nearly at its bound there, the others take the digits.
const SETTLING: usize = 4;

impl Newton {
    /// Tries the rows of `space` that do not part as equations, from its λ; what it came to if that is a solution. The best λ stays
    /// in `space`.
    pub fn stick(
        &mut self,
        problem: &MixedProblem,
        space: &mut BodySpace,
        tolerance: f64,
    ) -> Option<Solved> {
        self.begin(space);
        let mut last = space.measure(problem);
        self.ending = Ending::Stalled;
        self.hold(space);
        if !self.factor(space, KAPPA) {
            return None;
        }
        for round in 0..ROUNDS {
            self.trace(space);
            for (lambda, step) in space.lambda.iter_mut().zip(&self.step) {
                *lambda += step;
            }
            let residual = space.measure(problem);
            // Written so that NaN ends it. The first round finds the load, the others its digits.
            let falls = round == 0 || residual <= STAGNATION * last;
            if residual <= ROUNDED * space.rounding() || !falls {
                break;
            }
            last = residual;
        }
        let solved = space.residual <= space.allowed(tolerance);
        solved.then_some(Solved {
            solver: INFO.key,
            iterations: self.factorisations,
            infeasible: false,
            dependent: 0,
        })
    }

    /// Takes the velocities of bodies that the best λ leaves nearly at rest to rounding; λ of the least of them becomes the best.
    pub fn settle(&mut self, problem: &MixedProblem, space: &mut BodySpace) {
        space.recall();
        self.begin(space);
        space.measure(problem);
        self.stiffen(space, KAPPA);
        for (i, row) in space.rows.iter().enumerate() {
            self.states[i] = row.piece(space.lambda[i], row.bounds(&space.lambda));
        }
        if !self.factor(space, KAPPA) {
            return;
        }
        let first = space.share_left(problem);
        let mut least = first;
        for _ in 0..SETTLING {
            self.trace(space);
            space.advance(&self.states, &self.step);
            let left = space.measure(problem);
            let share = space.share_left(problem);
            if share < least && left <= ROUNDED_SUM * space.rounding() {
                least = share;
                space.best.clone_from(&space.lambda);
                space.residual = left;
            } else if least < first {
                break;
            }
        }
    }

    /// The states and ρ̃ of all rows: free are those that do not part, and their friction.
    fn hold(&mut self, space: &BodySpace) {
        let rounding = ROUNDED_SUM * space.rounding();
        self.stiffen(space, KAPPA);
        for (i, row) in space.rows.iter().enumerate() {
            self.states[i] = match row.limit {
                Limit::Between(lower, upper) if lower < upper => {
                    let parts =
                        lower == 0.0 && space.w[i] > rounding || upper == 0.0 && space.w[i] < -rounding;
                    if parts { Piece::Lower } else { Piece::Free }
                }
                Limit::Coulomb { normal, coefficient, .. } if coefficient > 0.0 => {
                    self.stiffness[i] *= FRICTION;
                    self.states[normal as usize]
                }
                _ => Piece::Lower,
            };
        }
        // With friction's share they are not those of κ, which the next attempt would otherwise take up.
        self.stiffness_kappa = 0.0;
    }

    /// Δ of every row on its piece, −D (w + Ĵ u) of the file's head: −ρ̃ (w + Ĵ u) on free rows, ±μ Δ_n where friction slides.
    fn trace(&mut self, space: &mut BodySpace) {
        let BodySpace { graph, rows, w, .. } = space;
        let Self { states, stiffness, step, u, .. } = self;
        let fill = |u: &[[f64; 3]], step: &mut [f64]| {
            for (i, row) in rows.iter().enumerate() {
                step[i] = match row.limit.slope(states[i]) {
                    Some((normal, slope)) => slope * step[normal],
                    None if states[i] == Piece::Free => -stiffness[i] * (w[i] + row.rate(u)),
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
