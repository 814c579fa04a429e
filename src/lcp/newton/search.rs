//! The inner iteration: F, its generalised derivative, and the step length.

use super::{INNER_SHARE, MAX_INNER, Newton};
use crate::lcp::body_space::{BodySpace, Limit, State};

/// Shortest step before the search gives up.
const SHORTEST_STEP: f64 = 1.0 / 16.0;
/// A step t has to shrink |F| by this share of t.
const DECREASE: f64 = 1e-3;

impl Newton {
    /// Newton's steps at fixed λ_k; false if they do not reach the zero of F.
    pub(super) fn inner(&mut self, space: &mut BodySpace, kappa: f64) -> bool {
        self.u.fill([0.0; 3]);
        let mut size = self.evaluate(space, kappa);
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
            match self.shrink(space, kappa, size) {
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
    fn evaluate(&mut self, space: &BodySpace, kappa: f64) -> f64 {
        let Self { pull, step, states, u, f, .. } = self;
        let BodySpace { rows, lambda, w, .. } = space;
        for (i, row) in rows.iter().enumerate() {
            pull[i] = -row.stiffness(kappa) * (w[i] + row.rate(u));
            match row.limit {
                Limit::Between(lower, upper) => {
                    (step[i], states[i]) = project(lambda[i], pull[i], lower, upper);
                }
                Limit::Coulomb { normal, coefficient, .. } => {
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
                Limit::Dragged { normal, coefficient, .. } => {
                    let normal = normal as usize;
                    let pressing = lambda[normal] + step[normal];
                    let pressing = if pressing > 0.0 { pressing } else { 0.0 };
                    step[i] = coefficient * pressing - lambda[i];
                    states[i] = if pressing > 0.0 { State::SlidingUpper } else { State::Upper };
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
    fn factor(&mut self, space: &mut BodySpace, kappa: f64) -> bool {
        if self.factored_kappa == kappa && self.factored == self.states {
            return true;
        }
        self.factored.copy_from_slice(&self.states);
        self.factored_kappa = kappa;
        self.factorisations += 1;
        let BodySpace { graph, rows, .. } = space;
        graph.lu.set_identity();
        for (row, state) in rows.iter().zip(&self.states) {
            let own = row.stiffness(kappa);
            let sign = match state {
                State::Free => {
                    graph.add(row, own, row.j, row.j);
                    continue;
                }
                State::SlidingUpper => 1.0,
                State::SlidingLower => -1.0,
                State::Lower | State::Upper => continue,
            };
            let (normal, coefficient) = match row.limit {
                Limit::Coulomb { normal, coefficient, same_bodies: true } => (normal, sign * coefficient),
                Limit::Dragged { normal, coefficient, same_bodies: true } => (normal, coefficient),
                _ => continue,
            };
            let across = &rows[normal as usize];
            graph.add(row, coefficient * across.stiffness(kappa), row.j, across.j);
        }
        let sound = graph.lu.factor();
        if !sound {
            self.factored_kappa = 0.0;
        }
        sound
    }

    /// The longest of the steps 1, ½, ¼ … along du that shrinks |F|; returns |F| there and t.
    fn shrink(&mut self, space: &BodySpace, kappa: f64, size: f64) -> Option<(f64, f64)> {
        self.trial.copy_from_slice(&self.u);
        let mut t = 1.0;
        while t >= SHORTEST_STEP {
            self.place_at(t);
            let next = self.evaluate(space, kappa);
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

pub(super) fn norm(x: &[[f64; 3]]) -> f64 {
    x.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}
