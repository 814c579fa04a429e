//! The inner iteration: F, its generalised derivative, and the step length.

use super::{INNER_SHARE, MAX_INNER, Newton};
use crate::lcp::body_space::{BodySpace, Limit, Piece};
use crate::lcp::problem::mixed::positive;

/// Shortest step before the search gives up, four halvings: each costs a pass over the rows, and a smaller κ is a better remedy
/// than a shorter step.
const SHORTEST_STEP: f64 = 1.0 / 16.0;
/// A step t has to shrink |F| by this share of t: Armijo's rule, so small that it refuses rounding alone.
const DECREASE: f64 = 1e-3;

impl Newton {
    /// Makes Newton's steps at fixed λ_k; false if they do not reach the zero of F.
    pub(crate) fn inner(&mut self, space: &mut BodySpace, kappa: f64) -> bool {
        self.u.fill([0.0; 3]);
        self.set_stiffness(space, kappa);
        let mut size = self.evaluate(space);
        for _ in 0..MAX_INNER {
            if size <= INNER_SHARE * norm(&self.u) + self.noise {
                return true;
            }
            if self.factorisations > self.limit || !self.factor(space, kappa) {
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
                Limit::Coulomb { normal, coefficient, .. } => {
                    let normal = normal as usize;
                    let most = positive(coefficient * (lambda[normal] + step[normal]));
                    match project(lambda[i], pull, -most, most) {
                        (step, Piece::Lower) if most > 0.0 => (step, Piece::SlidingLower),
                        (step, Piece::Upper) if most > 0.0 => (step, Piece::SlidingUpper),
                        found => found,
                    }
                }
                Limit::Dragged { normal, coefficient, .. } => {
                    let normal = normal as usize;
                    let pressing = positive(lambda[normal] + step[normal]);
                    let state = if pressing > 0.0 { Piece::SlidingUpper } else { Piece::Upper };
                    (coefficient * pressing - lambda[i], state)
                }
            };
            row.push(-step[i], f);
        }
        norm(f)
    }

    /// Sets ρ̃ of every row for κ.
    pub(crate) fn set_stiffness(&mut self, space: &BodySpace, kappa: f64) {
        if self.stiffness_kappa != kappa {
            self.stiffness_kappa = kappa;
            self.stiffness.clear();
            self.stiffness.extend(space.rows.iter().map(|row| row.stiffness(kappa)));
        }
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
            self.place_at(t);
            let next = self.evaluate(space);
            if next <= (1.0 - DECREASE * t) * size {
                return Some((next, t));
            }
            t *= 0.5;
        }
        None
    }

    /// u ← trial + t du.
    fn place_at(&mut self, t: f64) {
        for ((u, from), du) in self.u.iter_mut().zip(&self.trial).zip(&self.du) {
            for k in 0..3 {
                u[k] = from[k] + t * du[k];
            }
        }
    }
}

/// Returns Π(λ + y) − λ for an interval, and the piece of Π it lies on.
#[inline]
fn project(lambda: f64, y: f64, lower: f64, upper: f64) -> (f64, Piece) {
    let (below, above) = (lower - lambda, upper - lambda);
    if y <= below {
        (below, Piece::Lower)
    } else if y >= above {
        (above, Piece::Upper)
    } else {
        (y, Piece::Free)
    }
}

pub(crate) fn norm(x: &[[f64; 3]]) -> f64 {
    x.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}
