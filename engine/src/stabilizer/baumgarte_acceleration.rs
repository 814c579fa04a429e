//! Baumgarte stabilization at the acceleration level: the error becomes a damped oscillator.
//!
//! ```text
//! g̈ + 2α ġ + β² g = 0                                                [Baumgarte 1972; Hong et al., eq. 12]
//! A λ + J M⁻¹F + k + 2α (J v + c) + β² g = 0                          [Hong et al., eq. 13; Drake]
//! A λ + N M⁻¹F + (N v)_q v − v̇₀ + 2α e + β² ∫e dt = 0                 [Hong et al., eq. 34]
//! ```
//!
//! The last line is a non-holonomic row's, e = N v − v₀(t); `integral` says how its integral is summed up (see
//! nonholonomic.rs). Hong et al. take α = 1/(2h), β = 1/h, i.e. αh = ½, βh = 1.
//!
//! α, β in 1/s, λ in N. Undamped angular frequency ω₀ = β, damping ratio ζ = α/β [Drake]. Cline & Pai (9)
//! write the same with α ġ + β g: their α is our 2α, their β our β².
//!
//! With semi-implicit Euler the linearised error is stable if and only if αh ≤ 1 and (βh)² + 4αh ≤ 4: the
//! 2 × 2 matrix [1 − h²β², h(1 − 2αh); −hβ², 1 − 2αh] has trace 2 − h²β² − 2αh and determinant 1 − 2αh
//! (from Hong et al., eq. 22). Hong's text gives Δt ≤ 0.83 for α = β = 10; that is 0.0828.

use super::acceleration::{Oscillator, integrate};
use super::languages::{CFM, ERP, HALF_LIFE, erp_cfm, spring_of};
use super::nonholonomic::Quadrature;
use super::{Language, Level, Scheme, SchemeInfo, Step};
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::report::StepError;
use std::f64::consts::LN_2;

pub(super) struct BaumgarteAcceleration;

const ALPHA: Parameter = Parameter {
    key: "alpha",
    name: "half damping",
    symbol: "α",
    unit: "s⁻¹",
    minimum: 0.0,
    maximum: 1e6,
    default: 50.0,
    kind: ParameterKind::Logarithmic,
    meaning: "Half the damping of the error: g̈ + 2α ġ + β² g = 0.",
};

/// β of its feedback.
pub const BETA: Parameter = Parameter {
    key: "beta",
    name: "frequency",
    symbol: "β",
    meaning: "Undamped angular frequency of the error. α = β is critical damping.",
    ..ALPHA
};

const ZETA: Parameter = Parameter {
    key: "zeta",
    name: "damping ratio",
    symbol: "ζ",
    unit: "",
    minimum: 0.0,
    maximum: 1e3,
    default: 1.0,
    kind: ParameterKind::Logarithmic,
    meaning: "Damping ratio of the error: α = ζ ω₀; 1 is critical [Drake; Box2D's soft constraints].",
};

/// The words of the `integral` parameter, in the order of [`QUADRATURES`].
const INTEGRAL_WORDS: &[&str] = &["present", "late", "off"];
const QUADRATURES: [Quadrature; 3] = [Quadrature::Present, Quadrature::Late, Quadrature::Off];

const INTEGRAL: Parameter = Parameter {
    key: "integral",
    name: "error integral",
    symbol: "∫e dt",
    unit: "",
    minimum: 0.0,
    maximum: 2.0,
    default: 0.0,
    kind: ParameterKind::Choice(INTEGRAL_WORDS),
    meaning: "Of non-holonomic rows alone: their integral is used with the present error in it (present: \
              dead-beat at αh = ½, βh = 1), one step late (late: there it oscillates for ever), or left out \
              (off).",
};

impl From<&Values> for Oscillator {
    fn from(values: &Values) -> Self {
        let integral = QUADRATURES[values.of(&INTEGRAL) as usize];
        Self { alpha: values.of(&ALPHA), beta: values.of(&BETA), integral }
    }
}

static INFO: SchemeInfo = SchemeInfo {
    key: "baumgarte_acceleration",
    name: "Baumgarte, acceleration level",
    short: "Baumgarte, acc.",
    equation: "g̈ + 2α ġ + β² g = 0",
    summary: "Lets the error behave like a damped oscillator, by forces.",
    source: "Baumgarte 1972; Hong et al., eqs. 12–13 and 34; Drake, constraint stabilization",
    levels: &[Level::Acceleration],
    departures: &[],
    parameters: &[ALPHA, BETA, INTEGRAL],
    languages: &[
        Language {
            name: "ω₀, ζ",
            meaning: "Drake's: the error as an oscillator of undamped angular frequency ω₀ and damping ratio ζ.",
            parameters: &[
                Parameter {
                    key: "omega0",
                    name: "frequency",
                    symbol: "ω₀",
                    unit: "rad/s",
                    minimum: 0.0,
                    maximum: 1e6,
                    default: 50.0,
                    kind: ParameterKind::Logarithmic,
                    meaning: "Undamped angular frequency of the error: β = ω₀ [Drake].",
                },
                ZETA,
            ],
            in_files: true,
            to_native: |ours, _| vec![ours[0] * ours[1], ours[0]],
            from_native: |native, _| vec![native[1], damping_ratio(native)],
        },
        Language {
            name: "Hz, ζ",
            meaning: "Erin Catto's, for soft constraints: the undamped frequency in Hz, and the damping ratio.",
            parameters: &[
                Parameter {
                    key: "hertz",
                    name: "frequency",
                    symbol: "f",
                    unit: "Hz",
                    minimum: 0.0,
                    maximum: 1e6,
                    default: 8.0,
                    kind: ParameterKind::Logarithmic,
                    meaning: "Undamped frequency of the error, ω₀/2π, as in Box2D's soft constraints.",
                },
                ZETA,
            ],
            in_files: false,
            to_native: |ours, _| {
                let omega = std::f64::consts::TAU * ours[0];
                vec![omega * ours[1], omega]
            },
            from_native: |native, _| vec![native[1] / std::f64::consts::TAU, damping_ratio(native)],
        },
        Language {
            name: "αh, βh",
            meaning: "Hong et al.'s: both times the step, which is what stability depends on. They take ½ and 1.",
            parameters: &[
                Parameter {
                    key: "alpha_h",
                    name: "damping per step",
                    symbol: "αh",
                    unit: "",
                    minimum: 0.0,
                    maximum: 1e3,
                    default: 0.05,
                    kind: ParameterKind::Logarithmic,
                    meaning: "Stable for αh ≤ 1 and (βh)² + 4αh ≤ 4.",
                },
                Parameter {
                    key: "beta_h",
                    name: "phase per step",
                    symbol: "βh",
                    unit: "",
                    minimum: 0.0,
                    maximum: 1e3,
                    default: 0.05,
                    kind: ParameterKind::Logarithmic,
                    meaning: "Stable for αh ≤ 1 and (βh)² + 4αh ≤ 4. αh = ½, βh = 1 is dead-beat.",
                },
            ],
            in_files: false,
            to_native: |ours, h| vec![ours[0] / h, ours[1] / h],
            from_native: |native, h| vec![native[0] * h, native[1] * h],
        },
        Language {
            name: "ERP, CFM",
            meaning: "ODE's: the spring with k_p = m β² and k_d = 2 m α. ODE itself steps it implicitly.",
            parameters: &[ERP, CFM],
            in_files: false,
            // ω² = β², 2ζω = 2α.
            to_native: |ours, h| {
                let [stiffness, damping] = spring_of([ours[0], ours[1]], h);
                vec![0.5 * damping, stiffness.sqrt()]
            },
            from_native: |native, h| erp_cfm(native[1] * native[1], 2.0 * native[0], h).to_vec(),
        },
        Language {
            name: "half-life",
            meaning: "Time in which the slowest part of the error halves, and the damping ratio.",
            parameters: &[HALF_LIFE, ZETA],
            in_files: false,
            to_native: |ours, _| {
                let beta = LN_2 / ours[0] / slowest(ours[1]);
                vec![ours[1] * beta, beta]
            },
            from_native: |native, _| {
                let zeta = damping_ratio(native);
                vec![LN_2 / (native[1] * slowest(zeta)), zeta]
            },
        },
    ],
    conserves_angular_momentum: false,
};

/// Decay rate of the slowest part of g̈ + 2ζβ ġ + β² g = 0 as a share of β: ζ if it oscillates; if not, that of the slower of the real
/// roots, ζ − √(ζ² − 1), without cancellation.
fn slowest(zeta: f64) -> f64 {
    if zeta <= 1.0 { zeta } else { 1.0 / (zeta + (zeta * zeta - 1.0).sqrt()) }
}

fn damping_ratio(native: &[f64]) -> f64 {
    if native[1] > 0.0 { native[0] / native[1] } else { 0.0 }
}

impl Scheme for BaumgarteAcceleration {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, step: &mut Step<'_>) -> Result<(), StepError> {
        let oscillator: Oscillator = step.span.parameters();
        integrate(step, oscillator) // g̈ + 2α ġ + β² g = 0
    }

    fn remark(&self, values: &Values, h: f64) -> Option<String> {
        let Oscillator { alpha, beta, .. } = values.into();
        let (a, b) = (alpha * h, beta * h);
        let limit = largest_stable_step(alpha, beta);
        if a > 1.0 || b * b + 4.0 * a > 4.0 {
            return Some(format!(
                "αh = {a:.3}, βh = {b:.3}: unstable under semi-implicit Euler for h > {limit:.3e} s"
            ));
        }
        let damping = match damping_ratio(&[alpha, beta]) {
            _ if beta == 0.0 && alpha == 0.0 => "nothing is corrected".to_owned(),
            _ if beta == 0.0 => "only the velocity error is corrected".to_owned(),
            z if (z - 1.0).abs() < 1e-3 => "critically damped".to_owned(),
            z if z < 1.0 => format!("oscillates, ζ = {z:.3}"),
            z => format!("overdamped, ζ = {z:.3}"),
        };
        Some(format!("αh = {a:.3}, βh = {b:.3}: {damping}; stable up to h = {limit:.3e} s"))
    }
}

/// The h at which αh = 1 or (βh)² + 4αh = 4, whichever comes first.
fn largest_stable_step(alpha: f64, beta: f64) -> f64 {
    // (βh)² + 4αh − 4 = 0 has its positive root at h = 2/(α + √(α² + β²)), which never exceeds 1/α.
    2.0 / (alpha + libm::hypot(alpha, beta))
}
