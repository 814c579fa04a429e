//! The soft step of Box2D v3 (TGS-soft): short substeps, one Gauss–Seidel sweep each over soft constraints, and one
//! more that takes the correction out of the velocity again.
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
//! **Work of the correction.** Over a substep the impulses of a joint do ½ λᵀ(J(q⁺) v⁺ + J(q) v), nothing where both
//! rates are zero; contacts and limits count while they overlap, without what an impact loses. Relaxed, it is the net of
//! both sweeps; unrelaxed, it also holds ½ η λᵀk, the turning of the joint, which is of first order in η.

use super::line::{Aim, Give, Line, Source};
use super::sequential::Sequence;
use super::workspace::Workspace;
use super::{Level, Method, Restitution, Scheme, SchemeInfo, Stage};
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

static INFO: SchemeInfo = SchemeInfo {
    key: "soft",
    name: "Soft step (Box2D v3)",
    equation: "Δλ = −s_m K⁻¹(J v + r g) − s_i λ ,  then once more with g = 0",
    summary: "Short substeps, one sweep each over stiff damped springs in place of joints and contacts, then one \
              that calms the velocity.",
    source: "Catto, Solver2D (2024) and Box2D v3",
    levels: &[Level::Velocity],
    parameters: &[
        Parameter {
            key: "hertz",
            symbol: "f",
            unit: "Hz",
            minimum: 0.1,
            maximum: 1e6,
            default: 60.0,
            kind: ParameterKind::Logarithmic,
            meaning: "Stiffness of joints and contacts as a frequency; at most a quarter of the substeps' rate is \
                      used. Box2D: 60 for joints, 30 for contacts.",
        },
        Parameter {
            key: "damping_ratio",
            symbol: "ζ",
            unit: "",
            minimum: 0.0,
            maximum: 100.0,
            default: 2.0,
            kind: ParameterKind::Linear,
            meaning: "Damping of joints and contacts, 1 is critical. Box2D: 2 for joints, 10 for contacts.",
        },
        Parameter {
            key: "substeps",
            symbol: "n",
            unit: "",
            minimum: 1.0,
            maximum: 1000.0,
            default: 4.0,
            kind: ParameterKind::Integer,
            meaning: "Substeps in a step, one sweep each. Box2D: 4.",
        },
        Parameter {
            key: "relax",
            symbol: "",
            unit: "",
            minimum: 0.0,
            maximum: 1.0,
            default: 0.0,
            kind: ParameterKind::Choice(RELAX_WORDS),
            meaning: "Whether a second sweep without bias takes the correction out of the velocity. Box2D: on.",
        },
    ],
    languages: &[],
    conserves_angular_momentum: false,
};

/// A soft constraint at one substep length.
#[derive(Clone, Copy)]
struct Softened {
    /// r, 1/s.
    rate: f64,
    give: Give,
}

impl Softened {
    fn new(hertz: f64, damping_ratio: f64, h: f64) -> Self {
        let omega = TAU * hertz.min(NYQUIST_SHARE / h);
        let damping = 2.0 * damping_ratio + h * omega;
        let impulse = 1.0 / (1.0 + h * omega * damping);
        Self { rate: omega / damping, give: Give { mass: 1.0 - impulse, impulse } }
    }

    fn from_values(values: &Values, h: f64) -> Option<Self> {
        Some(Self::new(values.get("hertz")?, values.get("damping_ratio")?, h))
    }

    /// With the position's bias.
    fn biased(&self, line: &Line, h: f64) -> Aim {
        if !line.source.is_unilateral() {
            return Aim { bias: line.block.g.map(|g| self.rate * g), give: self.give };
        }
        let phi = line.block.g[0];
        if phi > 0.0 {
            return Aim::rigid([phi / h; 3]);
        }
        // −3 m/s bounds contacts; a limit's rate in rad/s knows no such bound [Box2D v3].
        let push = self.rate * phi;
        let bounded = if matches!(line.source, Source::Contact(_)) { push.max(-MAX_PUSH) } else { push };
        Aim { bias: [bounded; 3], give: self.give }
    }
}

/// Without it: only what is still apart may close.
fn relaxed(line: &Line, h: f64) -> Aim {
    let travel = line.block.g[0] / h;
    Aim::rigid([if line.source.is_unilateral() && travel > 0.0 { travel } else { 0.0 }; 3])
}

impl Scheme for Soft {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, method: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        let parameters = &method.stabilizer;
        let substeps = parameters.value("substeps") as usize;
        let h = stage.h / substeps as f64;
        let soft = Softened::new(parameters.value("hertz"), parameters.value("damping_ratio"), h);
        let relaxes = parameters.value("relax") == 0.0;
        stage.in_substeps(substeps, |stage| {
            stage.kick(h);
            stage.sweep_softly(&soft);
            stage.drift();
            stage.ws.sequence.account();
            stage.evaluate_sequence();
            if relaxes {
                stage.relax();
            }
            stage.outcome.correction_work += stage.ws.sequence.work(&stage.ws.v);
        });
        let residual = stage.sequence_residual();
        stage.restitute();
        stage.finish_sequence(residual);
        Ok(())
    }

    fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton
    }

    fn remark(&self, values: &Values, h: f64) -> Option<String> {
        let h = h / values.get("substeps")?;
        let soft = Softened::from_values(values, h)?;
        let share = soft.give.mass * soft.rate * h;
        let limited = values.get("hertz")? > NYQUIST_SHARE / h;
        let limit =
            if limited { format!(" (at {:.4} Hz, the limit)", NYQUIST_SHARE / h) } else { String::new() };
        Some(format!(
            "mass scale {:.3}{limit}: a substep takes back {:.2} % of an error at rest, a step {:.1} %",
            soft.give.mass,
            100.0 * share,
            100.0 * (1.0 - (1.0 - share).powf(values.get("substeps")?))
        ))
    }
}

impl Stage<'_> {
    fn sweep_softly(&mut self, soft: &Softened) {
        let h = self.h;
        let Workspace { sequence, inverse_mass, v, .. } = &mut *self.ws;
        sequence.aim_forces(self.world, h);
        sequence.aim_constraints(|line| Some(soft.biased(line, h)));
        sequence.warm_start(inverse_mass, v);
        sequence.sweep(inverse_mass, v);
        self.outcome.iterations += 1;
    }

    /// Springs, grab and motors keep their right-hand sides: they have had their time.
    fn relax(&mut self) {
        let h = self.h;
        let Workspace { sequence, inverse_mass, v, .. } = &mut *self.ws;
        sequence.aim_constraints(|line| Some(relaxed(line, h)));
        sequence.sweep(inverse_mass, v);
        self.outcome.iterations += 1;
    }

    /// Newton's law where bodies met in this step [Box2D v3: `b2ApplyRestitution`].
    fn restitute(&mut self) {
        let threshold = self.gate.threshold;
        let Workspace { sequence: Sequence { lines }, inverse_mass, v, .. } = &mut *self.ws;
        for line in lines {
            let met = line.approach < -threshold && line.total[0] > 0.0;
            if line.restitution > 0.0 && met {
                line.rebound(inverse_mass, v);
            }
        }
    }
}
