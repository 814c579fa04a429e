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
    /// That of the cone, with De Saxcé's term |w_t| of the outer iteration: a convex problem.
    Associated,
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
                Friction::Associated => self.descend(kappa),
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
        let Self { rows, lambda, w, pull, step, states, u, f, .. } = self;
        for (i, row) in rows.iter().enumerate() {
            let stiffness = row.stiffness(kappa);
            pull[i] = -stiffness * (w[i] + row.rate(u));
            match (row.limit, friction) {
                (Limit::Between(lower, upper), _) => {
                    (step[i], states[i]) = project(lambda[i], pull[i], lower, upper);
                }
                (Limit::Coulomb { normal, coefficient, .. }, Friction::Moving) => {
                    let normal = normal as usize;
                    let most = coefficient * (lambda[normal] + step[normal]);
                    let most = if most > 0.0 { most } else { 0.0 };
                    (step[i], states[i]) = project(lambda[i], pull[i], -most, most);
                    states[i] = match states[i] {
                        State::Lower if most > 0.0 => State::SlidingLower,
                        State::Upper if most > 0.0 => State::SlidingUpper,
                        state => state,
                    };
                }
                (Limit::Coulomb { normal, coefficient, .. }, Friction::Associated) => {
                    let normal = normal as usize;
                    let across = rows[normal].stiffness(kappa);
                    // De Saxcé's term at λ_k.
                    let shift = coefficient * w[i].abs() * across;
                    let steps = [pull[normal] - shift, pull[i]];
                    let start = [lambda[normal], lambda[i]];
                    let found = project_on_cone(start, steps, [across, stiffness], coefficient);
                    ([step[normal], step[i]], [states[normal], states[i]]) = found;
                }
            }
        }
        f.copy_from_slice(u);
        for (row, &step) in rows.iter().zip(&*step) {
            if step != 0.0 {
                row.push(-step, f);
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
            let own = row.stiffness(kappa);
            let sign = match state {
                State::Free => {
                    add(graph, row, own, row.j, row.j);
                    continue;
                }
                State::SlidingUpper => 1.0,
                State::SlidingLower => -1.0,
                State::Lower | State::Upper | State::Edge => continue,
            };
            let Limit::Coulomb { normal, coefficient, same_bodies: true } = row.limit else { continue };
            let (across, on_edge) =
                (&self.rows[normal as usize], self.states[normal as usize] == State::Edge);
            let stiffness = across.stiffness(kappa);
            if on_edge {
                // The projection onto the direction (1, ±μ) in the metric of the stiffnesses.
                let tilt = sign * coefficient;
                let j = [0, 1].map(|end| [0, 1, 2].map(|k| across.j[end][k] + tilt * row.j[end][k]));
                let edge = stiffness * own / (own + coefficient * coefficient * stiffness);
                add(graph, row, edge, j, j);
            } else {
                add(graph, row, sign * coefficient * stiffness, row.j, across.j);
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
            size = self.evaluate(kappa, Friction::Associated);
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

/// H ← H + factor xᵀ y over the bodies of `row`.
#[inline]
fn add(graph: &mut Graph, row: &Row, factor: f64, x: [[f64; 3]; 2], y: [[f64; 3]; 2]) {
    let [a, b] = row.ends;
    if a != FIXED {
        graph.lu.add_diagonal(a as usize, factor, x[0], y[0]);
    }
    if b != FIXED {
        graph.lu.add_diagonal(b as usize, factor, x[1], y[1]);
    }
    if a != FIXED && b != FIXED {
        graph.lu.add_pair(graph.slot(row.source as usize), factor, x, y);
    }
}

/// Π(λ + y) − λ for an interval, and the piece of Π it lies on.
#[inline]
fn project(lambda: f64, y: f64, lower: f64, upper: f64) -> (f64, State) {
    let (below, above) = (lower - lambda, upper - lambda);
    if y <= below {
        (below, State::Lower)
    } else if y >= above {
        (above, State::Upper)
    } else {
        (y, State::Free)
    }
}

/// Π(λ + y) − λ for the cone |λ_t| ≤ μ λ_n in the metric 1/ρ̃, with the pieces of both rows.
#[inline]
fn project_on_cone(lambda: [f64; 2], y: [f64; 2], stiffness: [f64; 2], mu: f64) -> ([f64; 2], [State; 2]) {
    let at = [lambda[0] + y[0], lambda[1] + y[1]];
    if at[1].abs() <= mu * at[0] {
        return (y, [State::Free; 2]);
    }
    let tilt = mu.copysign(at[1]);
    // (1, tilt) · at in the metric, over its own length.
    let [across, along] = stiffness;
    let normal = (along * at[0] + tilt * across * at[1]) / (along + mu * mu * across);
    if normal > 0.0 {
        let sliding = if tilt > 0.0 { State::SlidingUpper } else { State::SlidingLower };
        ([normal - lambda[0], tilt * normal - lambda[1]], [State::Edge, sliding])
    } else {
        ([-lambda[0], -lambda[1]], [State::Lower; 2])
    }
}

pub(super) fn norm(x: &[[f64; 3]]) -> f64 {
    x.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

fn dot(x: &[[f64; 3]], y: &[[f64; 3]]) -> f64 {
    x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| x * y).sum()
}
