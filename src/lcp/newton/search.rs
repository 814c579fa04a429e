//! The inner iteration: F, its generalised derivative, and the step length.

use super::graph::{FIXED, Graph};
use super::rows::{Limit, Row, State};
use super::{INNER_SHARE, MAX_INNER, Newton};

/// Shortest step before the search gives up.
const SHORTEST_STEP: f64 = 1.0 / 256.0;
/// A step t has to shrink |F| by this share of t.
const DECREASE: f64 = 1e-3;
/// Halvings of the interval in which a convex line search looks.
const MAX_BISECTIONS: usize = 40;
/// A convex line search ends where the slope has fallen to this share.
const SLOPE_SHARE: f64 = 0.1;

/// What the bound of friction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Friction {
    /// μ λ_n of the step at hand.
    Moving,
    /// μ λ_n of the outer iteration.
    Given,
}

impl Newton {
    /// Newton's steps at fixed λ_k; false if they do not reach the zero of F.
    pub(super) fn inner(&mut self, graph: &mut Graph, kappa: f64, friction: Friction) -> bool {
        self.u.fill([0.0; 3]);
        let mut size = self.evaluate(kappa, friction);
        for _ in 0..MAX_INNER {
            if size <= INNER_SHARE * norm(&self.u) + self.noise {
                return true;
            }
            if !self.factor(graph, kappa) {
                return false;
            }
            for (du, f) in self.du.iter_mut().zip(&self.f) {
                *du = f.map(|x| -x);
            }
            graph.lu.solve(&mut self.du);
            let found = match friction {
                Friction::Moving => self.shrink(kappa, size),
                Friction::Given => self.descend(kappa),
            };
            match found {
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

    /// Δ, the states and F at u; returns |F|.
    fn evaluate(&mut self, kappa: f64, friction: Friction) -> f64 {
        let Self { rows, lambda, w, step, states, u, f, .. } = self;
        f.copy_from_slice(u);
        for (i, row) in rows.iter().enumerate() {
            let y = -row.stiffness(kappa) * (w[i] + row.rate(u));
            let (delta, state) = project(
                row,
                lambda[i],
                y,
                |normal| match friction {
                    Friction::Moving => lambda[normal] + step[normal],
                    Friction::Given => lambda[normal],
                },
                friction,
            );
            step[i] = delta;
            states[i] = state;
            if delta != 0.0 {
                row.push(-delta, f);
            }
        }
        norm(f)
    }

    /// Factorises H for the present states, unless it is that of the factors.
    fn factor(&mut self, graph: &mut Graph, kappa: f64) -> bool {
        if self.factored_kappa == kappa && self.factored == self.states {
            return true;
        }
        self.factored.copy_from_slice(&self.states);
        self.factored_kappa = kappa;
        self.factorisations += 1;
        graph.lu.set_identity();
        for (row, state) in self.rows.iter().zip(&self.states) {
            let (other, factor) = match (state, row.limit) {
                (State::Free, _) => (row, row.stiffness(kappa)),
                (State::SlidingUpper, Limit::Coulomb { normal, coefficient, same_bodies: true }) => {
                    let normal = &self.rows[normal as usize];
                    (normal, coefficient * normal.stiffness(kappa))
                }
                (State::SlidingLower, Limit::Coulomb { normal, coefficient, same_bodies: true }) => {
                    let normal = &self.rows[normal as usize];
                    (normal, -coefficient * normal.stiffness(kappa))
                }
                _ => continue,
            };
            let [a, b] = row.ends;
            if a != FIXED {
                graph.lu.add_diagonal(a as usize, factor, row.j[0], other.j[0]);
            }
            if b != FIXED {
                graph.lu.add_diagonal(b as usize, factor, row.j[1], other.j[1]);
            }
            if a != FIXED && b != FIXED {
                graph.lu.add_pair(graph.slot(row.source as usize), factor, row.j, other.j);
            }
        }
        let sound = graph.lu.factor();
        if !sound {
            self.factored_kappa = 0.0;
        }
        sound
    }

    /// The longest of the steps 1, ½, ¼ … along du that shrinks |F|; returns |F| there and t.
    fn shrink(&mut self, kappa: f64, size: f64) -> Option<(f64, f64)> {
        self.trial.copy_from_slice(&self.u);
        let mut t = 1.0;
        while t >= SHORTEST_STEP {
            self.place_at(t);
            let next = self.evaluate(kappa, Friction::Moving);
            if next <= (1.0 - DECREASE * t) * size {
                return Some((next, t));
            }
            t *= 0.5;
        }
        None
    }

    /// The minimum along du of the convex function whose gradient is F, to a share of the slope.
    fn descend(&mut self, kappa: f64) -> Option<(f64, f64)> {
        self.trial.copy_from_slice(&self.u);
        let slope = dot(&self.f, &self.du);
        if slope.is_nan() || slope >= 0.0 {
            return None;
        }
        let (mut low, mut high, mut t) = (0.0, f64::INFINITY, 1.0);
        let mut size = f64::NAN;
        for _ in 0..MAX_BISECTIONS {
            self.place_at(t);
            size = self.evaluate(kappa, Friction::Given);
            let here = dot(&self.f, &self.du);
            if here.abs() <= SLOPE_SHARE * slope.abs() {
                break;
            }
            if here > 0.0 {
                high = t
            } else {
                low = t
            }
            t = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * t };
        }
        Some((size, t))
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

/// Π(λ + y) − λ and the piece of Π it lies on.
#[inline]
fn project(
    row: &Row,
    lambda: f64,
    y: f64,
    normal_lambda: impl Fn(usize) -> f64,
    friction: Friction,
) -> (f64, State) {
    let (lower, upper, states) = match row.limit {
        Limit::Between(lower, upper) => (lower, upper, [State::Lower, State::Upper]),
        Limit::Coulomb { normal, coefficient, .. } => {
            let most = coefficient * normal_lambda(normal as usize);
            let most = if most > 0.0 { most } else { 0.0 };
            let moves = most > 0.0 && friction == Friction::Moving;
            let states = if moves {
                [State::SlidingLower, State::SlidingUpper]
            } else {
                [State::Lower, State::Upper]
            };
            (-most, most, states)
        }
    };
    let (below, above) = (lower - lambda, upper - lambda);
    if y <= below {
        (below, states[0])
    } else if y >= above {
        (above, states[1])
    } else {
        (y, State::Free)
    }
}

pub(super) fn norm(x: &[[f64; 3]]) -> f64 {
    x.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

fn dot(x: &[[f64; 3]], y: &[[f64; 3]]) -> f64 {
    x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| x * y).sum()
}
