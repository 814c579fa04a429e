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
use super::constraints::{Constraints, GapTerm};
use super::motion::Motion;
use super::sequential::Sequence;
use super::swept::{Source, clamp};
use super::{Level, Restitution, Scheme, SchemeInfo, Step};
use crate::model::World;
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::report::StepError;

pub(super) struct Ngs;

/// Largest correction of an overlap in one visit, m [Box2D 2.4: `b2_maxLinearCorrection`].
const MAX_CORRECTION: f64 = 0.2;

const VELOCITY_ITERATIONS: Parameter = Parameter {
    key: "velocity_iterations",
    name: "velocity sweeps",
    symbol: "k_v",
    unit: "",
    minimum: 1.0,
    maximum: 10_000.0,
    default: 8.0,
    kind: ParameterKind::Integer,
    meaning: "Sweeps over the velocities. Box2D 2.4: 8.",
};

const POSITION_ITERATIONS: Parameter = Parameter {
    key: "position_iterations",
    name: "position sweeps",
    symbol: "k_p",
    unit: "",
    minimum: 0.0,
    maximum: 10_000.0,
    default: 3.0,
    kind: ParameterKind::Integer,
    meaning: "Sweeps over the positions. Box2D 2.4: 3.",
};

const BETA: Parameter = Parameter {
    key: "beta",
    name: "corrected share",
    symbol: "β",
    unit: "",
    minimum: 0.0,
    maximum: 1.0,
    default: 0.2,
    kind: ParameterKind::Linear,
    meaning: "Share of an overlap that one visit corrects (joints are corrected in full). Box2D 2.4: 0.2.",
};

const SLOP: Parameter = Parameter {
    key: "slop",
    name: "slop",
    symbol: "δ",
    unit: "m",
    minimum: 0.0,
    maximum: 1.0,
    default: 0.005,
    kind: ParameterKind::Linear,
    meaning: "Overlap of contacts that is left alone. Box2D 2.4: 0.005, for bodies of 0.1 m to 10 m.",
};

struct Parameters {
    velocity_sweeps: usize,
    position_sweeps: usize,
    beta: f64,
    slop: f64,
}

impl From<&Values> for Parameters {
    fn from(values: &Values) -> Self {
        Self {
            velocity_sweeps: values.of(&VELOCITY_ITERATIONS) as usize,
            position_sweeps: values.of(&POSITION_ITERATIONS) as usize,
            beta: values.of(&BETA),
            slop: values.of(&SLOP),
        }
    }
}

static INFO: SchemeInfo = SchemeInfo {
    key: "ngs",
    name: "Sequential impulses and NGS (Box2D 2.4)",
    short: "NGS, Box2D 2",
    equation: "k_v sweeps of J v⁺ = 0 ,  k_p sweeps of q ← q − M⁻¹Jᵀ K⁻¹ g",
    summary: "A fixed number of sweeps over the velocities, then some over the positions, one constraint at a time.",
    source: "Catto, Box2D 2.4; Solver2D (2024), PGS-NGS",
    levels: &[Level::Velocity],
    parameters: &[VELOCITY_ITERATIONS, POSITION_ITERATIONS, BETA, SLOP],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for Ngs {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn uses_solver(&self) -> bool {
        false
    }

    fn advance(&self, step: &mut Step<'_>) -> Result<(), StepError> {
        let Parameters { velocity_sweeps, position_sweeps, beta, slop } = step.span.parameters();
        let Step { span, motion, constraints, solve, totals, sequence, .. } = step;
        let world = span.world;
        motion.prescribe_mean_velocity(span); // c: v of bodies on a prescribed path, no other's
        constraints.evaluate(world, motion);
        constraints.find_contacts(span, motion, GapTerm::Touching);
        sequence.begin(span, constraints, &motion.q, 1);
        motion.kick(span.h); // v + h M⁻¹F
        sequence.pose_rigid(span, constraints); // J v⁺ + c = 0, 0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0
        let residual = sequence.solve_velocities(velocity_sweeps, &motion.inverse_mass, &mut motion.v);
        solve.figures.iterations += velocity_sweeps;
        sequence.finish(residual, constraints, totals, &mut solve.figures);
        motion.drift(span); // q + h v⁺

        let energy = motion.potential_energy(world);
        constraints.evaluate_positions(span, motion);
        totals.note_errors_before(constraints);
        sequence.begin(span, constraints, &motion.q, 1);
        let overlap = |phi: f64| clamp((beta * (phi + slop)).min(0.0), MAX_CORRECTION); // C
        for _ in 0..position_sweeps {
            sweep_positions(sequence, world, constraints, motion, overlap); // q ← q − M⁻¹Jᵀ K⁻¹ g
            solve.figures.iterations += 1;
        }
        totals.corrections.work += motion.potential_energy(world) - energy;
        Ok(())
    }

    fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton
    }

    fn remark(&self, values: &Values, _: f64) -> Option<String> {
        let Parameters { beta, position_sweeps, .. } = values.into();
        let left = libm::pow(1.0 - beta, position_sweeps as f64);
        Some(format!("a step leaves {:.0} % of an overlap beyond the slop", 100.0 * left))
    }
}

/// One sweep over joints, contacts and limits; `overlap` is what a contact corrects of its φ, not positive.
fn sweep_positions(
    sequence: &mut Sequence,
    world: &World,
    constraints: &Constraints,
    motion: &mut Motion,
    overlap: impl Fn(f64) -> f64,
) {
    let Motion { q, inverse_mass, .. } = motion;
    for swept in &mut sequence.constraints {
        let unilateral = swept.source.is_unilateral();
        if !unilateral && !matches!(swept.source, Source::Joint(_)) {
            continue;
        }
        swept.evaluate(world, &constraints.contacts, q);
        let g = swept.block.g;
        let wanted = match swept.source {
            Source::Contact(_) => [-overlap(g[0]), 0.0, 0.0],
            _ if unilateral => [-g[0].min(0.0), 0.0, 0.0],
            _ => g.map(|g| -g),
        };
        let x = swept.block.solve(inverse_mass, &[0.0; MOST], wanted);
        swept.block.push(&x, inverse_mass, q);
    }
}
