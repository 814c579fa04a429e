//! Sequential impulses with nonlinear Gauss–Seidel position correction, as in Box2D 2.4.
//!
//! ```text
//! v ← v + h M⁻¹F ,  warm start,  k_v sweeps over  J v⁺ + c = 0 ,  0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  |λ_t| ≤ μ λ_n
//! q ← q + h v⁺
//! k_p sweeps, one constraint after another, each with g and J at the pose that the last one left:
//!   joint      q ← q − M⁻¹Jᵀ K⁻¹ g
//!   contact    q ← q − M⁻¹Jᵀ K⁻¹ C ,   C = β (φ + slop) between −0.2 m and 0
//! ```
//!
//! K = J M⁻¹Jᵀ of the one constraint; β and the iterations without unit, slop in m. Post-stabilization solved
//! inexactly: neither the velocity nor the momentum of the correction outlives it, and a fixed number of sweeps
//! converges the worse, the longer the chain and the heavier what hangs from it. b is 0 where bodies touch,
//! φ/h where they may close, e φ̇ at an impact (Newton's law; Poisson's is refused). Non-holonomic rows N v⁺ = v₀(t+h) are in the sweeps over
//! the velocities; the positions know nothing of them.
//!
//! [Catto, Box2D 2.4: 8 and 3 iterations, β = 0.2, slop 5 mm, `b2_maxLinearCorrection`]. Departures: the blocks are
//! `sequential.rs`'s; limits are corrected in full, without an angular slop; Box2D 2.4 solves contact pairs as a block and
//! stops correcting at three slops. The method's solver plays no part. The work of the correction is the
//! potential energy that the position sweeps gain.

use super::block::MOST;
use super::line::{Line, Source, clamp};
use super::workspace::Workspace;
use super::{Level, Method, Restitution, Scheme, SchemeInfo, Stage};
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::report::StepError;

pub(super) struct Ngs;

/// Largest correction of an overlap in one visit, m [Box2D 2.4: `b2_maxLinearCorrection`].
const MAX_CORRECTION: f64 = 0.2;

static INFO: SchemeInfo = SchemeInfo {
    key: "ngs",
    name: "Sequential impulses and NGS (Box2D 2.4)",
    equation: "k_v sweeps of J v⁺ = 0 ,  k_p sweeps of q ← q − M⁻¹Jᵀ K⁻¹ g",
    summary: "A fixed number of sweeps over the velocities, then some over the positions, one constraint at a time.",
    source: "Catto, Box2D 2.4; Solver2D (2024), PGS-NGS",
    levels: &[Level::Velocity],
    parameters: &[
        Parameter {
            key: "velocity_iterations",
            symbol: "k_v",
            unit: "",
            minimum: 1.0,
            maximum: 10_000.0,
            default: 8.0,
            kind: ParameterKind::Integer,
            meaning: "Sweeps over the velocities. Box2D 2.4: 8.",
        },
        Parameter {
            key: "position_iterations",
            symbol: "k_p",
            unit: "",
            minimum: 0.0,
            maximum: 10_000.0,
            default: 3.0,
            kind: ParameterKind::Integer,
            meaning: "Sweeps over the positions. Box2D 2.4: 3.",
        },
        Parameter {
            key: "beta",
            symbol: "β",
            unit: "",
            minimum: 0.0,
            maximum: 1.0,
            default: 0.2,
            kind: ParameterKind::Linear,
            meaning: "Share of an overlap that one visit corrects (joints are corrected in full). Box2D 2.4: 0.2.",
        },
        Parameter {
            key: "slop",
            symbol: "δ",
            unit: "m",
            minimum: 0.0,
            maximum: 1.0,
            default: 0.005,
            kind: ParameterKind::Linear,
            meaning: "Overlap of contacts that is left alone. Box2D 2.4: 0.005, for bodies of 0.1 m to 10 m.",
        },
    ],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for Ngs {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, method: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        let parameters = &method.stabilizer;
        stage.step_velocities_in_sequence(parameters.value("velocity_iterations") as usize);
        stage.drift();

        let energy = stage.potential_energy();
        stage.evaluate_positions();
        stage.note_errors_before();
        stage.begin_sequence(1);
        let (beta, slop) = (parameters.value("beta"), parameters.value("slop"));
        for _ in 0..parameters.value("position_iterations") as usize {
            stage.sweep_positions(|line| match line.source {
                Source::Contact(_) => clamp((beta * (line.block.g[0] + slop)).min(0.0), MAX_CORRECTION),
                _ => line.block.g[0].min(0.0),
            });
        }
        stage.outcome.correction_work += stage.potential_energy() - energy;
        Ok(())
    }

    fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton
    }

    fn remark(&self, values: &Values, _: f64) -> Option<String> {
        let left = (1.0 - values.get("beta")?).powf(values.get("position_iterations")?);
        Some(format!("a step leaves {:.0} % of an overlap beyond the slop", 100.0 * left))
    }
}

impl Stage<'_> {
    /// One sweep over joints, contacts and limits; `error` is what a unilateral row corrects, not positive.
    fn sweep_positions(&mut self, error: impl Fn(&Line) -> f64) {
        let Workspace { sequence, contacts, inverse_mass, q, .. } = &mut *self.ws;
        for line in &mut sequence.lines {
            let unilateral = line.source.is_unilateral();
            if !unilateral && !matches!(line.source, Source::Joint(_)) {
                continue;
            }
            line.evaluate(self.world, contacts, q);
            let wanted = if unilateral { [-error(line), 0.0, 0.0] } else { line.block.g.map(|g| -g) };
            let x = line.block.solve(inverse_mass, &[0.0; MOST], wanted);
            line.block.push(&x, inverse_mass, q);
        }
        self.outcome.iterations += 1;
    }
}
