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
use super::constraints::GapTerm;
use super::languages::{HALF_LIFE, half_life, share_of};
use super::motion::Motion;
use super::sequential::Sequence;
use super::swept::{Swept, Target};
use super::{Language, Level, Restitution, Scheme, SchemeInfo, Step};
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::report::StepError;
use glam::DVec3;

pub(super) struct SplitImpulse;

const ITERATIONS: Parameter = Parameter {
    key: "iterations",
    name: "sweeps",
    symbol: "k",
    unit: "",
    minimum: 1.0,
    maximum: 10_000.0,
    default: 10.0,
    kind: ParameterKind::Integer,
    meaning: "Sweeps over the velocities, and as many over the pseudo-velocities. Bullet: 10.",
};

const BETA: Parameter = Parameter {
    key: "beta",
    name: "corrected share",
    symbol: "β",
    unit: "",
    minimum: 0.0,
    maximum: 2.0,
    default: 0.2,
    kind: ParameterKind::Linear,
    meaning: "Share of the error that a step takes back: g⁺ = (1 − β) g, linearised. Bullet: 0.2.",
};

struct Parameters {
    sweeps: usize,
    beta: f64,
}

impl From<&Values> for Parameters {
    fn from(values: &Values) -> Self {
        Self { sweeps: values.of(&ITERATIONS) as usize, beta: values.of(&BETA) }
    }
}

static INFO: SchemeInfo = SchemeInfo {
    key: "split_impulse",
    name: "Split impulses (Bullet)",
    short: "Split impulses",
    equation: "J v⁺ = 0 ,  J u + β g/h = 0 ,  q⁺ = q + h (v⁺ + u)",
    summary: "Corrects positions by a pseudo-velocity, leaving the real velocity unchanged.",
    source: "Coumans, Bullet Physics (split impulse)",
    levels: &[Level::Velocity],
    parameters: &[ITERATIONS, BETA],
    languages: &[Language {
        name: "half-life",
        meaning: "Time in which converged sweeps halve the error, h ln 2/(−ln(1 − β)); 0 for β of 1 and above.",
        parameters: &[ITERATIONS, HALF_LIFE],
        in_files: false,
        to_native: |ours, h| vec![ours[0], share_of(ours[1], h)],
        from_native: |native, h| vec![native[0], half_life(native[1], h)],
    }],
    conserves_angular_momentum: false,
};

impl Scheme for SplitImpulse {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn uses_solver(&self) -> bool {
        false
    }

    fn advance(&self, step: &mut Step<'_>) -> Result<(), StepError> {
        let Parameters { sweeps, beta } = step.span.parameters();
        let Step { span, motion, constraints, solve, totals, sequence, .. } = step;
        let world = span.world;
        motion.prescribe_mean_velocity(span); // c: v of bodies on a prescribed path, no other's
        constraints.evaluate(world, motion);
        constraints.find_contacts(span, motion, GapTerm::Touching);
        sequence.begin(span, constraints, &motion.q, 1);
        motion.kick(span.h); // v + h M⁻¹F
        sequence.pose_rigid(span, constraints); // J v⁺ + c = 0, 0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0
        let residual = sequence.solve_velocities(sweeps, &motion.inverse_mass, &mut motion.v);
        solve.figures.iterations += sweeps;
        sequence.finish(residual, constraints, totals, &mut solve.figures);
        let u = sequence.solve_pseudo_velocities(beta, sweeps, span.h, motion); // J u + β g/h = 0
        solve.figures.iterations += sweeps;
        motion.drift(span); // q + h v⁺

        constraints.evaluate_positions(span, motion);
        totals.note_errors_before(constraints);
        let energy = motion.potential_energy(world);
        for ((q, u), w) in motion.q.iter_mut().zip(u).zip(&motion.inverse_mass) {
            if w.x > 0.0 {
                *q += span.h * *u; // q⁺ = q + h (v⁺ + u)
            }
        }
        totals.corrections.work += motion.potential_energy(world) - energy;
        Ok(())
    }

    fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton
    }

    fn remark(&self, values: &Values, h: f64) -> Option<String> {
        let Parameters { beta, .. } = values.into();
        Some(match beta {
            0.0 => "β = 0: nothing is corrected".to_owned(),
            b if b < 1.0 => format!(
                "decays to 1/e in {:.1} steps, like Baumgarte with α = {:.3} s⁻¹",
                -1.0 / libm::log1p(-b),
                b / h
            ),
            1.0 => "β = 1: the linearised error is gone after one step".to_owned(),
            b if b < 2.0 => format!("β = {b:.3}: overshoots, the error changes sign each step"),
            _ => "β = 2: on the stability limit".to_owned(),
        })
    }
}

impl Sequence {
    /// u of J u + β g/h = 0, from u = 0, by so many sweeps.
    fn solve_pseudo_velocities(&mut self, beta: f64, sweeps: usize, h: f64, motion: &Motion) -> &[DVec3] {
        let rate = beta / h;
        self.keep_constraints_alone();
        self.pose_constraints(|swept: &Swept| {
            let phi = swept.block.g[0];
            if swept.source.is_unilateral() && phi >= 0.0 {
                return Some(Target::rigid([phi / h + swept.block.rates(&motion.v)[0]; MOST]));
            }
            Some(Target::rigid(swept.block.g.map(|g| rate * g)))
        });
        let mut u = std::mem::take(&mut self.pseudo);
        u.clear();
        u.resize(motion.v.len(), DVec3::ZERO);
        for _ in 0..sweeps {
            self.sweep(&motion.inverse_mass, &mut u);
        }
        self.pseudo = u;
        &self.pseudo
    }
}
