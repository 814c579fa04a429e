//! Non-holonomic rows in a step: the terms added to N v⁺, or N a, in each kind of scheme. They are posed in `impulses.rs`,
//! `corrections.rs`, `acceleration.rs` and `schemes/implicit.rs`; by sweeps in `sequential_constraint.rs` and `schemes/xpbd.rs`.
//!
//! ```text
//! velocity level     N v⁺ = v₀(t+h)                                     all schemes but those below
//! implicit           N v⁺ + h (N v)_q v = v₀(t+h)                       [Hong et al., eq. 31]
//! RATTLE, first half N v½ + ½h (N v)_q v = v₀(t+½h)                     then N(q⁺) v⁺ = v₀(t+h)
//! acceleration level N v̇ + (N v)_q v − v̇₀(t) = 0                        e as it is
//! Baumgarte          N v̇ + (N v)_q v − v̇₀(t) + 2α e + β² ∫e dt = 0      [Hong et al., eq. 34]
//! soft               N v⁺ = v₀(t+η), then N(q⁺) v⁺ = v₀(t+η)             in each substep η
//! XPBD               N(q*) (q⁺ − q) = η v₀(t+η)                          in each substep η, q* predicted (`schemes/xpbd.rs`)
//! ```
//!
//! The last two, and the first line under NGS and split impulses, are satisfied by sweeps instead of a solve.
//! N, e = N v − v₀(t) and (N v)_q v at the start of the step. In the first line N stays behind the pose by a step, so
//! the error after it is −h (N v)_q v: of first order, where the second line leaves second order.
//! Equation 31 takes v₀ at t + h, equation 34 v̇₀ at t; both are as printed.
//!
//! **The integral** is a sum of first order, I_n = h Σ e_k, and which k are in it when it is used decides:
//! ```text
//! present   k ≤ n      (e, I_{n−1})⁺ = [ 1 − 2αh − β²h², −β²h ; h, 1 ](e, I_{n−1})
//! late      k ≤ n − 1  (e, I_{n−1})⁺ = [ 1 − 2αh,        −β²h ; h, 1 ](e, I_{n−1})
//! ```
//! At α = 1/(2h), β = 1/h [Hong et al., section 3] the first has trace and determinant 0: the error is gone in two
//! steps. The second has trace and determinant 1, z² − z + 1 = 0: it oscillates for ever with a period of six steps. A constant
//! defect d per step gives e = d, then d_n − d_{n−1} in the first, d for ever without the integral.
//! Explicit Euler and Runge–Kutta add e once, at the start of the step, and use that sum in all stages.

pub(crate) use super::terms::Quadrature;
use crate::constraint::Row;
use crate::model::nonholonomic::Prescribed;
use crate::model::{Nonholonomic, World};
use glam::DVec3;

/// v₀ and v̇₀ of each non-holonomic row of `world` at the time `t`.
pub(crate) fn prescribed(world: &World, t: f64) -> impl Iterator<Item = Prescribed> + '_ {
    let of = move |constraint: &Nonholonomic| {
        constraint.kind.prescribed(t).into_iter().take(constraint.kind.rows())
    };
    world.nonholonomic().iter().flat_map(of)
}

/// ∫ e dt of the non-holonomic rows.
#[derive(Debug, Default)]
pub(crate) struct Integrals {
    /// I of each row, which the world keeps, m; none if the step has added no error.
    pub sums: Vec<f64>,
    /// The part of I that the present step uses, m.
    pub used: Vec<f64>,
}

impl Integrals {
    /// I ← I + h e, with e = N v − v₀(t) and the I of `world`.
    pub fn add_errors(
        &mut self,
        quadrature: Quadrature,
        world: &World,
        [t, h]: [f64; 2],
        rows: &[Row],
        v: &[DVec3],
    ) {
        let added =
            prescribed(world, t).zip(rows).map(|(prescribed, row)| h * (row.rate(v) - prescribed.value));
        let before = world.nonholonomic().iter().flat_map(|own| &own.integral[..own.kind.rows()]);
        self.sums.clear();
        self.used.clear();
        for (before, added) in before.zip(added) {
            self.sums.push(if quadrature == Quadrature::Off { *before } else { before + added });
            self.used.push(match quadrature {
                Quadrature::Present => before + added,
                Quadrature::Late => *before,
                Quadrature::Off => 0.0,
            });
        }
    }

    /// Writes the sums into the world.
    pub fn write(&self, world: &mut World) {
        let mut sums = self.sums.iter();
        for constraint in world.nonholonomic_mut() {
            let rows = constraint.kind.rows();
            for (integral, sum) in constraint.integral[..rows].iter_mut().zip(&mut sums) {
                *integral = *sum;
            }
        }
    }

    /// Whether every sum is finite.
    pub fn is_finite(&self) -> bool {
        self.sums.iter().all(|value| value.is_finite())
    }
}
