//! Pieces of the projection Π: H for rows that are each on a given piece, and the λ that these pieces give.

use super::{BodySpace, Limit, Piece};
use crate::lcp::problem::mixed::positive;

impl BodySpace {
    /// H ← I + Ĵᵀ D Ĵ, D = ∂λ/∂(−w) on the given pieces for rows of the given ρ̃; both by place.
    pub fn stiffen(&mut self, states: &[Piece], stiffness: &[f64]) {
        let Self { graph, rows, .. } = self;
        graph.lu.set_identity();
        // ∂λ/∂(−w) of a row, and the slope ∂λ_t/∂λ_n of friction.
        let own = |i: usize| if states[i] == Piece::Free { stiffness[i] } else { 0.0 };
        let across = |i: usize| match rows[i].limit.slope(states[i]) {
            Some((_, slope)) if rows[i].limit.is_local() => slope,
            _ => 0.0,
        };
        let mut next = 0;
        while let Some(row) = rows.get(next) {
            let place = next;
            next += 1;
            match (row.limit, rows.get(next).map(|friction| (friction, friction.limit))) {
                (_, Some((friction, limit))) if limit.is_of(place) => {
                    let k = [[own(place), 0.0], [across(next) * own(place), own(next)]];
                    if k != [[0.0; 2]; 2] {
                        graph.add_contact(row, friction, k);
                    }
                    next += 1;
                }
                (Limit::Coulomb { normal, .. } | Limit::Dragged { normal, .. }, _)
                    if across(place) != 0.0 =>
                {
                    let normal = normal as usize;
                    graph.add(row, across(place) * own(normal), rows[normal].j);
                }
                _ if own(place) > 0.0 => graph.add(row, own(place), row.j),
                _ => {}
            }
        }
    }

    /// λ ← λ + Δ, bounds met exactly; both by place.
    pub fn advance(&mut self, states: &[Piece], step: &[f64]) {
        let Self { rows, lambda, .. } = self;
        for (i, row) in rows.iter().enumerate() {
            let moved = lambda[i] + step[i];
            lambda[i] = match row.limit {
                Limit::Between(lower, upper) => match states[i] {
                    Piece::Lower => lower,
                    Piece::Upper => upper,
                    _ => moved,
                },
                Limit::Coulomb { normal, coefficient, .. } => {
                    let most = coefficient * positive(lambda[normal as usize]);
                    match states[i] {
                        Piece::SlidingUpper => most,
                        Piece::SlidingLower => -most,
                        _ => moved.max(-most).min(most),
                    }
                }
                Limit::Dragged { normal, coefficient, .. } => {
                    coefficient * positive(lambda[normal as usize])
                }
            };
        }
    }
}
