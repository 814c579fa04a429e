//! Split impulses: sequential impulses for the velocity, and Baumgarte on a pseudo-velocity that is thrown away, as
//! in Bullet.
//!
//! ```text
//! v ← v + h M⁻¹F ,  warm start,  k sweeps over  J v⁺ + c = 0 ,  0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  |λ_t| ≤ μ λ_n
//! u = M⁻¹Jᵀπ ,      k sweeps over  J u + β g/h = 0 ,  0 ≤ J_n u + b_u ⊥ π_n ≥ 0 ,   u = 0 before
//! q ← q + h (v⁺ + u)
//! ```
//!
//! g, φ and J at the start of the step, β the share of the error that a step takes back (Bullet's `erp2`). b_u = β φ/h
//! where bodies overlap, and φ/h + J v⁺ where they do not: the correction of others must not push them together.
//! b as in `none` with free travel: 0 where bodies touch, φ/h where they may close, e φ̇ at an impact (Newton's law; Poisson's is refused).
//! Non-holonomic rows N v⁺ = v₀(t+h) are in the sweeps over v, not in those over u: there is no g to take back.
//!
//! [Coumans, Bullet: `m_splitImpulse`, erp2 = 0.2, 10 iterations]. Departures: Bullet splits contacts alone and leaves
//! joints their bias in the velocity; we split both, since the point is to compare the two ways. No overlap is
//! too small to be split (`m_splitImpulsePenetrationThreshold` is −4 cm), and the blocks are `sequential.rs`'s. Linearised and
//! converged, g⁺ = (1 − β) g + O(h²). The method's solver plays no part. The work of the correction is the
//! potential energy that h u gains.

use super::block::MOST;
use super::line::{Aim, Line};
use super::workspace::Workspace;
use super::{Level, Method, Restitution, Scheme, SchemeInfo, Stage};
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::report::StepError;
use glam::DVec3;

pub(super) struct SplitImpulse;

static INFO: SchemeInfo = SchemeInfo {
    key: "split_impulse",
    name: "Split impulses (Bullet)",
    equation: "J v⁺ = 0 ,  J u + β g/h = 0 ,  q⁺ = q + h (v⁺ + u)",
    summary: "Corrects positions by a pseudo-velocity beside the velocity, which never feels it.",
    source: "Coumans, Bullet Physics (split impulse)",
    levels: &[Level::Velocity],
    parameters: &[
        Parameter {
            key: "iterations",
            symbol: "k",
            unit: "",
            minimum: 1.0,
            maximum: 10_000.0,
            default: 10.0,
            kind: ParameterKind::Integer,
            meaning: "Sweeps over the velocities, and as many over the pseudo-velocities. Bullet: 10.",
        },
        Parameter {
            key: "beta",
            symbol: "β",
            unit: "",
            minimum: 0.0,
            maximum: 2.0,
            default: 0.2,
            kind: ParameterKind::Linear,
            meaning: "Share of the error that a step takes back: g⁺ = (1 − β) g, linearised. Bullet: 0.2.",
        },
    ],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for SplitImpulse {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, method: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        let sweeps = method.stabilizer.value("iterations") as usize;
        stage.step_velocities_in_sequence(sweeps);
        stage.sweep_pseudo_velocities(method.stabilizer.value("beta"), sweeps);
        stage.drift();
        stage.note_sequence_errors();
        stage.shift_by_pseudo_velocities();
        Ok(())
    }

    fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton
    }

    fn remark(&self, values: &Values, h: f64) -> Option<String> {
        let beta = values.get("beta")?;
        Some(match beta {
            0.0 => "β = 0: nothing is corrected".to_owned(),
            b if b < 1.0 => format!(
                "decays to 1/e in {:.1} steps, like Baumgarte with α = {:.3} 1/s",
                -1.0 / libm::log1p(-b),
                b / h
            ),
            1.0 => "β = 1: the linearised error is gone after one step".to_owned(),
            b if b < 2.0 => format!("β = {b:.3}: overshoots, the error changes sign each step"),
            _ => "β = 2: on the stability limit".to_owned(),
        })
    }
}

impl Stage<'_> {
    /// u into the scratch vector.
    fn sweep_pseudo_velocities(&mut self, beta: f64, sweeps: usize) {
        let rate = beta / self.h;
        let h = self.h;
        let Workspace { sequence, inverse_mass, v, scratch, .. } = &mut *self.ws;
        scratch.clear();
        scratch.resize(v.len(), DVec3::ZERO);
        sequence.keep_constraints_alone();
        sequence.aim_constraints(|line: &Line| {
            let phi = line.block.g[0];
            if line.source.is_unilateral() && phi >= 0.0 {
                return Some(Aim::rigid([phi / h + line.block.rates(v)[0]; MOST]));
            }
            Some(Aim::rigid(line.block.g.map(|g| rate * g)))
        });
        for _ in 0..sweeps {
            sequence.sweep(inverse_mass, scratch);
        }
        self.outcome.iterations += sweeps;
    }

    /// The errors after v⁺ alone.
    fn note_sequence_errors(&mut self) {
        // The pseudo-velocities wait in the scratch vector, which this leaves alone.
        self.evaluate_positions();
        self.note_errors_before();
    }

    fn shift_by_pseudo_velocities(&mut self) {
        let (h, energy) = (self.h, self.potential_energy());
        let Workspace { q, scratch, inverse_mass, .. } = &mut *self.ws;
        for ((q, u), w) in q.iter_mut().zip(scratch.iter()).zip(inverse_mass.iter()) {
            if w.x > 0.0 {
                *q += h * *u;
            }
        }
        self.outcome.correction_work += self.potential_energy() - energy;
    }
}
