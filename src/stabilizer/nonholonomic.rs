//! Non-holonomic rows in a step: what stands beside N v⁺, or N a, in each kind of scheme.
//!
//! ```text
//! velocity level     N v⁺ = v₀(t+h)                                     all schemes but those below
//! implicit           N v⁺ + h (N v)_q v = v₀(t+h)                       [Hong et al., eq. 31]
//! RATTLE, first half N v½ + ½h (N v)_q v = v₀(t+½h)                     then N(q⁺) v⁺ = v₀(t+h)
//! acceleration level N v̇ + (N v)_q v − v̇₀(t) = 0                        e as it is
//! Baumgarte          N v̇ + (N v)_q v − v̇₀(t) + 2α e + β² ∫e dt = 0      [Hong et al., eq. 34]
//! soft               N v⁺ = v₀(t+η), then N(q⁺) v⁺ = v₀(t+η)             in each substep η
//! XPBD               N(q*) (q⁺ − q) = η v₀(t+η)                          in each substep η, q* predicted (see xpbd.rs)
//! ```
//!
//! The last two, and the first line under NGS and split impulses, are met by sweeps and not solved.
//! N, e = N v − v₀(t) and (N v)_q v at the start of the step. In the first line N stays behind the pose by a step, so
//! the error after it is −h (N v)_q v: of first order, where the second line leaves second order.
//! Equation 31 takes v₀ at t + h, equation 34 v̇₀ at t; both are meant so.
//!
//! **The integral** is a sum of first order, I_n = h Σ e_k, and which k are in it when it is used decides:
//! ```text
//! present   k ≤ n      (e, I_{n−1})⁺ = [ 1 − 2αh − β²h², −β²h ; h, 1 ](e, I_{n−1})
//! late      k ≤ n − 1  (e, I_{n−1})⁺ = [ 1 − 2αh,        −β²h ; h, 1 ](e, I_{n−1})
//! ```
//! At α = 1/(2h), β = 1/h [Hong et al., section 3] the first has trace and determinant 0: the error is gone in two
//! steps. The second has trace and determinant 1, z² − z + 1 = 0: it oscillates for ever, six steps a turn. A constant
//! defect d per step gives e = d, then d_n − d_{n−1} in the first, d for ever without the integral.
//! Explicit Euler and Runge–Kutta add e once, at the start of the step, and use that sum in all stages.

use super::stage::Stage;
use super::workspace::Workspace;
use crate::constraint::Row;
use crate::math::largest;
use crate::model::World;
use crate::model::nonholonomic::Prescribed;
use glam::DVec3;

/// Which errors are in ∫ e dt when it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quadrature {
    /// The present one too.
    Present,
    /// Those of the steps before.
    Late,
    /// None: the term is left out, and the sum left as it is.
    #[default]
    Off,
}

impl Stage<'_> {
    /// N v⁺ = v₀(`due`): b of N v⁺ + b = 0, for the rows as evaluated.
    pub(super) fn pose_held_velocities(&mut self) {
        let due = self.due;
        self.hold(due, |_, prescribed, _| [-prescribed.value, 0.0]);
    }

    /// N v½ + ½h (N v)_q v = v₀(t+½h).
    pub(super) fn pose_held_midpoint(&mut self) {
        let half = 0.5 * self.h;
        self.hold(self.time + half, |row, prescribed, _| [half * row.k - prescribed.value, 0.0]);
    }

    /// N v⁺ + h (N v)_q v = v₀(t+h) over h: r of N a + r = 0.
    pub(super) fn pose_held_implicitly(&mut self) {
        let h = self.h;
        self.hold(self.time + h, |row, prescribed, rate| [row.k + (rate - prescribed.value) / h, 0.0]);
    }

    /// N a + (N v)_q v − v̇₀ + 2α e + β² I = 0, `elapsed` after the part's start; there e is added to the sum.
    pub(super) fn pose_held_accelerations(&mut self, elapsed: f64, alpha: f64, beta: f64) {
        if elapsed == 0.0 {
            self.add_up_errors();
        }
        let memory = std::mem::take(&mut self.ws.memory);
        let mut integrals = memory.iter();
        self.hold(self.time + elapsed, |row, prescribed, rate| {
            let integral = integrals.next().copied().unwrap_or_default();
            let stabilizing = 2.0 * alpha * (rate - prescribed.value) + beta * beta * integral;
            [row.k - prescribed.rate + stabilizing, stabilizing]
        });
        self.ws.memory = memory;
    }

    /// I ← I + h e, and into `memory` the I that this step uses.
    fn add_up_errors(&mut self) {
        let (quadrature, h) = (self.quadrature, self.h);
        self.hold(self.time, |_, prescribed, rate| [h * (rate - prescribed.value), 0.0]);
        let Workspace { held, memory, integrals, .. } = &mut *self.ws;
        memory.clear();
        memory.extend(held.iter().zip(integrals).map(|(added, sum)| match quadrature {
            Quadrature::Present => {
                *sum += added;
                *sum
            }
            Quadrature::Late => std::mem::replace(sum, *sum + added),
            Quadrature::Off => 0.0,
        }));
    }

    /// Evaluates v₀ and v̇₀ at the time `at`, and for each row what `demand(row, prescribed, N v)` makes of them: what
    /// stands beside N v⁺ or N a, and the stabilizing part of it.
    fn hold(&mut self, at: f64, mut demand: impl FnMut(&Row, Prescribed, f64) -> [f64; 2]) {
        let ws = &mut *self.ws;
        ws.held.clear();
        ws.held_bias.clear();
        let mut rows = ws.rows.nonholonomic().iter();
        for constraint in self.world.nonholonomic() {
            let count = constraint.kind.rows();
            for (prescribed, row) in constraint.kind.prescribed(at).into_iter().take(count).zip(&mut rows) {
                let [whole, stabilizing] = demand(row, prescribed, row.rate(&ws.v));
                ws.held.push(whole);
                ws.held_bias.push(stabilizing);
            }
        }
    }
}

/// Largest |N v − v₀(t)| of `rows` at the velocity `v`, m/s.
pub(super) fn nonholonomic_error(world: &World, rows: &[Row], v: &[DVec3]) -> f64 {
    let prescribed = world.nonholonomic().iter().flat_map(|constraint| {
        constraint.kind.prescribed(world.time).into_iter().take(constraint.kind.rows())
    });
    largest(rows.iter().zip(prescribed).map(|(row, prescribed)| row.rate(v) - prescribed.value))
}
