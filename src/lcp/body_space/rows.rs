//! Rows over the movable bodies: scaled to the kinetic-energy norm, normals before the friction they limit.
//!
//! With u = W^(−1/2) (v − v_k) and Ĵ = J W^(1/2), a row's step away from λ_k is
//!
//! ```text
//! Δ = Π(λ_k + y) − λ_k ,   y = −ρ̃ (w_k + Ĵ u) ,   ρ̃ = ρ / (1 + ρ c) ,   ρ = κ / Aᵢᵢ
//! ```
//!
//! which is λ_k ← Π(λ_k − ρ w) with the compliance c taken implicitly. κ has no unit.

use super::graph::{FIXED, Graph};
use crate::lcp::mixed::{Law, MixedProblem};
use glam::DVec3;

/// Which piece of Π a row is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lcp) enum State {
    /// At a lower bound that does not move.
    #[default]
    Lower,
    /// At an upper bound that does not move.
    Upper,
    /// Between its bounds: λ follows w.
    Free,
    /// Friction at −μ λ_n, which follows the normal row.
    SlidingLower,
    /// Friction at +μ λ_n.
    SlidingUpper,
}

/// What limits λ.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) enum Limit {
    /// [l, u].
    Between(f64, f64),
    /// ±μ λ_n with the place of the normal row; whether both rows act on the same bodies.
    Coulomb { normal: u32, coefficient: f64, same_bodies: bool },
    /// Held at the signed coefficient times λ_n.
    Dragged { normal: u32, coefficient: f64, same_bodies: bool },
}

#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) struct Row {
    /// Index in the problem.
    pub source: u32,
    /// Movable bodies.
    pub ends: [u32; 2],
    /// Ĵ.
    pub j: [[f64; 3]; 2],
    /// Aᵢᵢ.
    pub diagonal: f64,
    pub compliance: f64,
    pub limit: Limit,
}

impl Row {
    /// Ĵ u.
    #[inline]
    pub fn rate(&self, u: &[[f64; 3]]) -> f64 {
        let mut rate = 0.0;
        for (body, j) in self.ends.iter().zip(&self.j) {
            if let Some(u) = u.get(*body as usize) {
                rate += j[0] * u[0] + j[1] * u[1] + j[2] * u[2];
            }
        }
        rate
    }

    /// u ← u + Ĵᵀ x.
    #[inline]
    pub fn push(&self, x: f64, u: &mut [[f64; 3]]) {
        for (body, j) in self.ends.iter().zip(&self.j) {
            if let Some(u) = u.get_mut(*body as usize) {
                for k in 0..3 {
                    u[k] += j[k] * x;
                }
            }
        }
    }

    /// u ← u + |Ĵᵀ x|.
    pub fn push_magnitude(&self, x: f64, u: &mut [[f64; 3]]) {
        for (body, j) in self.ends.iter().zip(&self.j) {
            if let Some(u) = u.get_mut(*body as usize) {
                for k in 0..3 {
                    u[k] += (j[k] * x).abs();
                }
            }
        }
    }

    /// ρ̃.
    #[inline]
    pub fn stiffness(&self, kappa: f64) -> f64 {
        match self.diagonal > 0.0 {
            true => kappa / (self.diagonal + kappa * self.compliance),
            false => 0.0,
        }
    }
}

/// Fills `rows` from `problem`: all but friction first, each in the problem's order.
pub(in crate::lcp) fn gather(
    problem: &MixedProblem,
    graph: &Graph,
    place: &mut Vec<u32>,
    rows: &mut Vec<Row>,
) {
    rows.clear();
    place.clear();
    place.resize(problem.rows.len(), 0);
    for friction in [false, true] {
        for (i, row) in problem.rows.iter().enumerate() {
            if row.law.normal().is_some() != friction {
                continue;
            }
            let limit = match row.law {
                Law::Equation => Limit::Between(f64::NEG_INFINITY, f64::INFINITY),
                Law::Unilateral => Limit::Between(0.0, f64::INFINITY),
                Law::Bounded { lower, upper } => Limit::Between(lower, upper),
                Law::Friction { normal, coefficient } => Limit::Coulomb {
                    normal: place[normal],
                    coefficient,
                    same_bodies: graph.ends(normal) == graph.ends(i),
                },
                Law::Sliding { normal, coefficient } => Limit::Dragged {
                    normal: place[normal],
                    coefficient,
                    same_bodies: graph.ends(normal) == graph.ends(i),
                },
            };
            place[i] = rows.len() as u32;
            let ends = graph.ends(i);
            let scaled = |j: DVec3, body: usize, end: u32| match end {
                FIXED => [0.0; 3],
                _ => {
                    let w = problem.weight[body];
                    [j.x * w.x.sqrt(), j.y * w.y.sqrt(), j.z * w.z.sqrt()]
                }
            };
            rows.push(Row {
                source: i as u32,
                ends,
                j: [scaled(row.ja, row.a, ends[0]), scaled(row.jb, row.b, ends[1])],
                diagonal: row.diagonal(&problem.weight),
                compliance: row.compliance,
                limit,
            });
        }
    }
}
