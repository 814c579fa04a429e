//! One path: from t = 1 to t = 0 over the pieces of Π.
//!
//! On a piece F is linear, and u and y move along straight lines:
//!
//! ```text
//! H du/dt = Ĵᵀ ∂Δ/∂t ,   ∂Δ/∂t = ρ̃ ŵ on free rows, ±μ ρ̃_n ŵ_n where a contact slides, else 0
//! yᵢ = λᵢ − ρ̃ᵢ (wᵢ − t ŵᵢ + Ĵᵢ u) ,   dyᵢ/dt = ρ̃ᵢ (ŵᵢ − Ĵᵢ du/dt)
//! ```
//!
//! **Pivot.** The first y that reaches the end of its piece is a pivot: one row begins or ceases to follow its y. Its Δ is the
//! same in both pieces there, so that F is continuous and the path goes on; but the derivatives change, H by p qᵀ and ∂F/∂t by −γ
//! p:
//!
//! ```text
//! a contact closes (+) or opens (−)   p = Ĵ_n + s μ Ĵ_t ,   q = ± ρ̃_n Ĵ_n ,                     γ = ± ρ̃_n ŵ_n
//! it sticks (+) or slides (−)         p = Ĵ_t ,    q = ± (ρ̃_t Ĵ_t − s μ ρ̃_n Ĵ_n) ,  γ = ± (ρ̃_t ŵ_t − s μ ρ̃_n ŵ_n)
//! ```
//!
//! with s = ±1 the side on which the friction slides. The new tangent solves (H + p qᵀ) τ' = H τ + γ p, so that with z = H⁻¹ p
//! and α = 1 + q·z (`updates.rs`)
//!
//! ```text
//! τ' = τ + θ z ,   θ = (γ − q·τ)/α ,   dyᵢ/dt ← dyᵢ/dt − ρ̃ᵢ θ Ĵᵢ z
//! ```
//!
//! t keeps its sense where det H keeps its sign (α > 0) and turns back where it does not.
//!
//! `breakpoints.rs` finds that y. H is factorised afresh after `MOST_UPDATES` pivots, and u then put back on the path.

use super::Homotopy;
use super::breakpoints::{Lag, PieceEnd};
use super::updates::along;
use crate::lcp::body_space::{BodyRow, BodySpace, Limit, LinearPiece};
use crate::lcp::problem::mixed::positive;
use crate::math::add;

/// Pivots between factorisations: a solution with as many changes costs as much as new factors.
const MOST_UPDATES: usize = 40;
/// Largest t, twenty times the length of the whole path: a path that has turned back that far does not return within its pieces.
const LARGEST_T: f64 = 20.0;

impl Homotopy {
    /// Follows the path from the present states over at most `most` pieces; returns whether it reached t = 0, where Δ and the
    /// states are then taken. From `trial` pieces on it is given up if at its pace so far it would not get there.
    pub(crate) fn follow(&mut self, space: &mut BodySpace, [most, trial]: [usize; 2]) -> bool {
        let (mut t, mut falls, mut outset, mut crossed) = (1.0, true, None, None);
        let mut lag = Lag::default();
        let (start, end) = (self.pieces, self.pieces + most);
        self.u.fill([0.0; 3]);
        self.breakpoints.enter(&self.states);
        loop {
            if outset.is_none() || self.updates.q.len() >= MOST_UPDATES {
                if !self.renew(space, t) {
                    return false;
                }
                lag = Lag::default();
                let oriented = space.graph.lu.is_oriented();
                falls = *outset.get_or_insert(oriented) == oriented;
            }
            let made = self.pieces - start;
            let hopeless = made >= trial && (1.0 - t) * (most as f64) < made as f64;
            if self.pieces >= end || hopeless {
                return false;
            }
            self.pieces += 1;
            let sense = if falls { -1.0 } else { 1.0 };
            let pivot = self.next_pivot(&space.rows, lag, sense, crossed);
            if falls && pivot.length >= t {
                self.arrive(space, t);
                return true;
            }
            let length = sense * pivot.length;
            t += length;
            if t > LARGEST_T || t.is_nan() {
                return false;
            }
            add(self.u.as_flattened_mut(), length, self.tangent.as_flattened());
            let (place, alpha, turn) = self.cross(space, pivot, length);
            lag = Lag { length, turn };
            crossed = Some(place);
            falls ^= alpha < 0.0;
        }
    }

    /// Factorises H for the present states, puts u on the path and computes the tangent; false where H is singular.
    fn renew(&mut self, space: &mut BodySpace, t: f64) -> bool {
        self.updates.clear();
        self.factorisations += 1;
        space.assemble_h(&self.states, &self.stiffness);
        if !space.graph.lu.factor() {
            return false;
        }
        let Self { u, tangent, z, held, states, stiffness, step, y, rate, .. } = self;
        let BodySpace { rows, lambda, w, graph, .. } = space;
        z.copy_from_slice(u);
        tangent.fill([0.0; 3]);
        for (i, row) in rows.iter().enumerate() {
            let pulled = |i: usize, step: f64| match states[i] {
                LinearPiece::Free => (lambda[i] + step, stiffness[i] * held[i]),
                _ => (lambda[i] + step, 0.0),
            };
            let (target, drift) = match (row.limit, states[i]) {
                (Limit::Between(..) | Limit::Coulomb { .. }, LinearPiece::Free) => {
                    pulled(i, -stiffness[i] * (w[i] - t * held[i] + row.rate(u)))
                }
                (Limit::Between(lower, _), LinearPiece::Lower) => (lower, 0.0),
                (Limit::Between(_, upper), _) => (upper, 0.0),
                (limit, state) => match limit.slope(state) {
                    Some((normal, slope)) => {
                        let (target, drift) = pulled(normal, step[normal]);
                        (slope * target, slope * drift)
                    }
                    None => (0.0, 0.0),
                },
            };
            step[i] = target - lambda[i];
            row.push(-step[i], z);
            row.push(drift, tangent);
        }
        graph.lu.solve(z);
        graph.lu.solve(tangent);
        add(u.as_flattened_mut(), -1.0, z.as_flattened());
        for (i, row) in rows.iter().enumerate() {
            y[i] = lambda[i] - stiffness[i] * (w[i] - t * held[i] + row.rate(u));
            rate[i] = stiffness[i] * (held[i] - row.rate(tangent));
        }
        true
    }

    /// Enters the next piece after a step in t by `length`: changes states, factors and tangent. Returns the row that changed, α
    /// and the turn θ of the tangent in units of z.
    fn cross(&mut self, space: &mut BodySpace, pivot: PieceEnd, length: f64) -> (usize, f64, f64) {
        let rows = &space.rows;
        let (place, to) = self.one_by_one(rows, pivot, length);
        self.z.fill([0.0; 3]);
        let q = match rows[place].limit {
            Limit::Coulomb { normal, .. } => {
                rows[place].push(1.0, &mut self.z);
                let sliding = if to == LinearPiece::Free { self.states[place] } else { to };
                let sign = if to == LinearPiece::Free { 1.0 } else { -1.0 };
                self.states[place] = to;
                let normal = normal as usize;
                let (_, slope) = rows[place].limit.slope(sliding).unwrap_or_default();
                [(place, sign * self.stiffness[place]), (normal, -sign * slope * self.stiffness[normal])]
            }
            _ => {
                rows[place].push(1.0, &mut self.z);
                self.states[place] = to;
                if let Some((at, row)) = friction_of(rows, place) {
                    let slides = match (row.limit, to) {
                        (Limit::Dragged { .. }, _) => LinearPiece::SlidingUpper,
                        (_, LinearPiece::Free) => self.sliding(at, length),
                        _ => self.states[at],
                    };
                    let (_, slope) = row.limit.slope(slides).unwrap_or_default();
                    row.push(slope, &mut self.z);
                    self.states[at] = if to == LinearPiece::Free { slides } else { LinearPiece::Lower };
                }
                let sign = if to == LinearPiece::Free { 1.0 } else { -1.0 };
                [(place, sign * self.stiffness[place]), (place, 0.0)]
            }
        };
        self.breakpoints.change(place, &self.states);
        let gamma: f64 = q.iter().map(|(place, f)| f * self.held[*place]).sum();
        self.updates.solve(&mut space.graph.lu, rows, &mut self.z);
        let alpha = self.updates.push(rows, &self.z, q);
        let turn = (gamma - along(&q, rows, &self.tangent)) / alpha;
        add(self.tangent.as_flattened_mut(), turn, self.z.as_flattened());
        (place, alpha, turn)
    }

    /// Returns y of a row after a step in t by `length`.
    fn y_after(&self, place: usize, length: f64) -> f64 {
        self.y[place] + length * self.rate[place]
    }

    /// Returns the sense in which friction slides whose λ_n is zero, after a step in t by `length`.
    fn sliding(&self, place: usize, length: f64) -> LinearPiece {
        if self.y_after(place, length) < 0.0 {
            LinearPiece::SlidingLower
        } else {
            LinearPiece::SlidingUpper
        }
    }

    /// Returns the row and piece of the pivot, or of one before it at the same t: where a contact opens, friction that sticks
    /// slides first.
    fn one_by_one(&self, rows: &[BodyRow], pivot: PieceEnd, length: f64) -> (usize, LinearPiece) {
        let PieceEnd { place, to, .. } = pivot;
        if to != LinearPiece::Lower {
            return (place, to);
        }
        match friction_of(rows, place) {
            Some((at, _)) if self.states[at] == LinearPiece::Free => (at, self.sliding(at, length)),
            _ => (place, to),
        }
    }

    /// Computes Δ at t = 0, which lies a step `t` ahead.
    fn arrive(&mut self, space: &BodySpace, t: f64) {
        let BodySpace { rows, lambda, .. } = space;
        for (i, row) in rows.iter().enumerate() {
            let target = match (row.limit, self.states[i]) {
                (Limit::Between(..) | Limit::Coulomb { .. }, LinearPiece::Free) => self.y_after(i, -t),
                (Limit::Between(lower, _), LinearPiece::Lower) => lower,
                (Limit::Between(_, upper), _) => upper,
                (limit, state) => {
                    let (normal, slope) = limit.slope(state).unwrap_or_default();
                    slope * positive(lambda[normal] + self.step[normal])
                }
            };
            self.step[i] = target - lambda[i];
        }
    }
}

/// The friction row of the normal at `place`.
fn friction_of(rows: &[BodyRow], place: usize) -> Option<(usize, &BodyRow)> {
    rows.get(place + 1).filter(|row| row.is_friction()).map(|row| (place + 1, row))
}
