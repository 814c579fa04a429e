//! The soft step of Box2D v3 (TGS-soft): short substeps, one Gauss–Seidel sweep each over soft constraints, and a relax
//! sweep that removes the correction velocity.
//!
//! ```text
//! per substep η = h/n:
//!   v ← v + η M⁻¹F ,  warm start
//!   sweep with   Δλ = −s_m K⁻¹(J v + b) − s_i λ ,     b = r g
//!   q ← q + η v
//!   sweep with b = 0, s_m = 1, s_i = 0 at the new pose                                     (relax)
//! after the last: restitution, J v⁺ = −e J v of the step's start
//!
//! ω = 2π f ,   a = ω/(2ζ + ηω) = r ,   s_i = 1/(1 + ηω(2ζ + ηω)) ,   s_m = 1 − s_i
//! ```
//!
//! f in Hz, at most a quarter of the substeps' rate; ζ the damping ratio; r in 1/s. This is the implicit Euler step of a
//! damped oscillator of frequency f between the two bodies: with k = ω²/K, d = 2ζω/K it is the spring row of
//! `model/spring.rs`, since c = 1/(η(ηk + d)) = K s_i/s_m. One such row alone, from rest, makes
//! ġ⁺ = s_m(−r g) and g⁺ = (1 − s_m r η) g; relaxed, ġ = 0 afterwards, and the error decays like that for ever.
//! Under a steady load F a row sags by K F/ω², relaxed or not and however short η: each biased sweep hands back s_i λ, which
//! the spring has to hold. A body on one contact below its centre has K = 1/m and sags by g/ω². A box of width w and height s on
//! two corners has K = (1 + 3w²/(w² + s²))/m at each, because a push there turns it, too, and half of the weight on each:
//! it sags by ½(1 + 3w²/(w² + s²)) g/ω², 1.25 g/ω² if it is a square, 1.7 g/ω² if it is twice as wide as high, and 2 g/ω² if it
//! is flat. Only f raises the accuracy, and η bounds f. A relaxed substep
//! takes back s_m r η ≈ ω²η² of an error as η → 0: at a fixed f more substeps correct *more slowly*, at the rate ω²η.
//! Speculative contacts (φ > 0) have b = φ/η, rigid; overlapping ones push at most 3 m/s. Non-holonomic rows N v⁺ = v₀(t+η) are
//! rigid in both sweeps: with no error to draw back, s_i λ would be nothing but a leak. The relax sweep has N(q⁺), so that a
//! single one is kept to rounding; unrelaxed, N stays behind the pose by a substep.
//!
//! [Catto, Solver2D and Box2D v3]. Box2D has one softness for joints (60 Hz, ζ = 2) and one for contacts
//! (30 Hz, ζ = 10; twice the frequency against static bodies); we have one for both, at the joints' values. Departures:
//! the gap is evaluated exactly at every substep where Box2D moves the anchors of the step's start; contacts slide and
//! turn with it; friction takes part in both sweeps, as in Solver2D; contacts are found once a step.
//! The method's solver plays no part; the law of impact is Newton's, and Poisson's is refused.
//! **Energy.** One constraint alone is stable at every f: an implicit spring loses energy. Several that share bodies are not: one sweep is not
//! their solution, and the rest of it is fed back by the next substep's s_i λ and r g. The linearised substep of a chain of a weld and two
//! hinges of 0.25 m disks has the spectral radius 0.993 at 300 Hz, η = 1.4e-4 s and unrelaxed, 1.11 at the limit of 1811 Hz, where
//! 3 kJ become 4e8 J (`driftlab stability`). Promised is that energy does not grow where that map says 'stable'.
//! **Work of the correction.** Over a substep the impulses of a joint do ½ λᵀ(J(q⁺) v⁺ + J(q) v), nothing where both
//! rates are zero; contacts and limits count while they overlap, without what an impact loses. Relaxed, it is the net of
//! both sweeps; unrelaxed, it also holds ½ η λᵀk, the turning of the joint, which is of first order in η.

use super::languages::{CFM, ERP, HALF_LIFE, erp_cfm, half_life, share_of, spring_of};
use super::motion::Motion;
use super::parts::in_substeps;
use super::sequential::Sequence;
use super::swept::{Scales, Source, Swept, Target};
use super::{Language, Level, Restitution, Scheme, SchemeInfo, Step};
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::report::StepError;
use std::f64::consts::TAU;

pub(super) struct Soft;

/// Largest speed at which an overlap is pushed apart, m/s [Box2D v3: `contactSpeed`].
const MAX_PUSH: f64 = 3.0;
/// Largest frequency of a soft constraint in substep rates [Box2D v3].
const NYQUIST_SHARE: f64 = 0.25;

/// The words of the `relax` parameter; the first is Box2D's.
const RELAX_WORDS: &[&str] = &["on", "off"];

const HERTZ: Parameter = Parameter {
    key: "hertz",
    name: "frequency",
    symbol: "f",
    unit: "Hz",
    minimum: 0.1,
    maximum: 1e6,
    default: 60.0,
    kind: ParameterKind::Logarithmic,
    meaning: "Stiffness of joints and contacts as a frequency; at most a quarter of the substeps' rate is \
              used. Box2D: 60 for joints, 30 for contacts.",
};

const DAMPING_RATIO: Parameter = Parameter {
    key: "damping_ratio",
    name: "damping ratio",
    symbol: "ζ",
    unit: "",
    minimum: 0.0,
    maximum: 100.0,
    default: 2.0,
    kind: ParameterKind::Linear,
    meaning: "Damping of joints and contacts, 1 is critical. Box2D: 2 for joints, 10 for contacts.",
};

const SUBSTEPS: Parameter = Parameter {
    key: "substeps",
    name: "substeps",
    symbol: "n",
    unit: "",
    minimum: 1.0,
    maximum: 1000.0,
    default: 4.0,
    kind: ParameterKind::Integer,
    meaning: "Substeps in a step, one sweep each. Box2D: 4.",
};

const RELAX: Parameter = Parameter {
    key: "relax",
    name: "relax sweep",
    symbol: "",
    unit: "",
    minimum: 0.0,
    maximum: 1.0,
    default: 0.0,
    kind: ParameterKind::Choice(RELAX_WORDS),
    meaning: "Whether a second sweep without bias takes the correction out of the velocity. Box2D: on.",
};

struct Parameters {
    hertz: f64,
    damping_ratio: f64,
    substeps: usize,
    relax: Relax,
}

#[derive(PartialEq)]
enum Relax {
    On,
    Off,
}

impl From<&Values> for Parameters {
    fn from(values: &Values) -> Self {
        Self {
            hertz: values.of(&HERTZ),
            damping_ratio: values.of(&DAMPING_RATIO),
            substeps: values.of(&SUBSTEPS) as usize,
            relax: if values.of(&RELAX) == 0.0 { Relax::On } else { Relax::Off },
        }
    }
}

static INFO: SchemeInfo = SchemeInfo {
    key: "soft",
    name: "Soft step (Box2D v3)",
    short: "Soft, Box2D 3",
    equation: "Δλ = −s_m K⁻¹(J v + r g) − s_i λ ,  then once more with g = 0",
    summary: "Short substeps, one sweep each over stiff damped springs in place of joints and contacts, then a \
              relax sweep that removes the correction velocity.",
    source: "Catto, Solver2D (2024) and Box2D v3",
    levels: &[Level::Velocity],
    parameters: &[HERTZ, DAMPING_RATIO, SUBSTEPS, RELAX],
    languages: &[
        Language {
            name: "ERP, CFM",
            meaning: "ODE's, per substep: Box2D's softness is ODE's implicit spring, b = (ERP/η) g and s_i/s_m = m CFM/η.",
            parameters: &[ERP, CFM, SUBSTEPS],
            in_files: false,
            to_native: |ours, h| {
                let [stiffness, damping] = spring_of([ours[0], ours[1]], h / ours[2]);
                let omega = stiffness.sqrt();
                vec![omega / TAU, 0.5 * damping / omega, ours[2]]
            },
            from_native: |native, h| {
                let omega = TAU * native[0];
                let [erp, cfm] = erp_cfm(omega * omega, 2.0 * native[1] * omega, h / native[2]);
                vec![erp, cfm, native[2]]
            },
        },
        Language {
            name: "half-life",
            meaning: "Time in which relaxed substeps halve the error of one constraint alone, and the damping ratio.",
            parameters: &[HALF_LIFE, DAMPING_RATIO, SUBSTEPS],
            in_files: false,
            // A substep takes back S = w²/(1 + 2ζw + w²), w = ηω; solved for w.
            to_native: |ours, h| {
                let (zeta, eta) = (ours[1], h / ours[2]);
                let taken = share_of(ours[0], eta);
                let w = (zeta * taken + (zeta * zeta * taken * taken + taken * (1.0 - taken)).sqrt())
                    / (1.0 - taken);
                vec![w / (TAU * eta), zeta, ours[2]]
            },
            from_native: |native, h| {
                let (zeta, eta) = (native[1], h / native[2]);
                let w = TAU * native[0] * eta;
                vec![half_life(w * w / (1.0 + 2.0 * zeta * w + w * w), eta), zeta, native[2]]
            },
        },
    ],
    conserves_angular_momentum: false,
};

/// A soft constraint at one substep length.
#[derive(Clone, Copy)]
struct Softened {
    /// r, 1/s.
    rate: f64,
    scales: Scales,
}

impl Softened {
    fn new(hertz: f64, damping_ratio: f64, h: f64) -> Self {
        let omega = TAU * hertz.min(NYQUIST_SHARE / h);
        let damping = 2.0 * damping_ratio + h * omega;
        let impulse = 1.0 / (1.0 + h * omega * damping);
        Self { rate: omega / damping, scales: Scales { mass: 1.0 - impulse, impulse } }
    }

    /// With the position's bias.
    fn biased(&self, swept: &Swept, h: f64) -> Target {
        if !swept.source.is_unilateral() {
            return Target { bias: swept.block.g.map(|g| self.rate * g), scales: self.scales };
        }
        let phi = swept.block.g[0];
        if phi > 0.0 {
            return Target::rigid([phi / h; 3]);
        }
        // −3 m/s bounds contacts; a limit's rate in rad/s knows no such bound [Box2D v3].
        let push = self.rate * phi;
        let bounded = if matches!(swept.source, Source::Contact(_)) { push.max(-MAX_PUSH) } else { push };
        Target { bias: [bounded; 3], scales: self.scales }
    }
}

/// Without it: only what is still apart may close.
fn relaxed(swept: &Swept, h: f64) -> Target {
    let travel = swept.block.g[0] / h;
    Target::rigid([if swept.source.is_unilateral() && travel > 0.0 { travel } else { 0.0 }; 3])
}

impl Scheme for Soft {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn uses_solver(&self) -> bool {
        false
    }

    fn advance(&self, step: &mut Step<'_>) -> Result<(), StepError> {
        let Parameters { hertz, damping_ratio, substeps, relax } = step.span.parameters();
        let soft = Softened::new(hertz, damping_ratio, step.span.h / substeps as f64);
        in_substeps(step, substeps, |step| {
            let Step { span, motion, constraints, solve, totals, sequence, .. } = step;
            let (world, h) = (span.world, span.h);
            motion.kick(h); // v + η M⁻¹F
            sequence.pose_forces(world, h);
            sequence.pose_constraints(|swept| Some(soft.biased(swept, h)));
            sequence.warm_start(&motion.inverse_mass, &mut motion.v);
            sequence.sweep(&motion.inverse_mass, &mut motion.v); // Δλ = −s_m K⁻¹(J v + b) − s_i λ
            solve.figures.iterations += 1;
            motion.drift(span); // q ← q + η v
            sequence.account();
            sequence.evaluate(world, &constraints.contacts, &motion.q);
            if relax == Relax::On {
                // Springs, grab and motors keep their right-hand sides: they have had their time.
                sequence.pose_constraints(|swept| Some(relaxed(swept, h)));
                sequence.sweep(&motion.inverse_mass, &mut motion.v); // b = 0, s_m = 1, s_i = 0
                solve.figures.iterations += 1;
            }
            totals.corrections.work += sequence.work(&motion.v);
        });
        let Step { motion, constraints, solve, totals, sequence, .. } = step;
        let residual = sequence.residual(&motion.inverse_mass, &motion.v);
        restitute(sequence, motion); // J v⁺ = −e J v
        sequence.finish(residual, constraints, totals, &mut solve.figures);
        Ok(())
    }

    fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton
    }

    fn remark(&self, values: &Values, h: f64) -> Option<String> {
        let Parameters { hertz, damping_ratio, substeps, .. } = values.into();
        let h = h / substeps as f64;
        let soft = Softened::new(hertz, damping_ratio, h);
        let share = soft.scales.mass * soft.rate * h;
        let limited = hertz > NYQUIST_SHARE / h;
        let limit =
            if limited { format!(" (at {:.4} Hz, the limit)", NYQUIST_SHARE / h) } else { String::new() };
        Some(format!(
            "mass scale {:.3}{limit}: a substep takes back {:.2} % of an error at rest, a step {:.1} %",
            soft.scales.mass,
            100.0 * share,
            100.0 * (1.0 - libm::pow(1.0 - share, substeps as f64))
        ))
    }
}

/// Newton's law where bodies met in this step [Box2D v3: `b2ApplyRestitution`].
fn restitute(sequence: &mut Sequence, motion: &mut Motion) {
    for swept in &mut sequence.constraints {
        let met = swept.approach < -swept.threshold && swept.total[0] > 0.0;
        if swept.restitution > 0.0 && met {
            swept.rebound(&motion.inverse_mass, &mut motion.v);
        }
    }
}
