//! Baumgarte stabilization at the acceleration level: the error becomes a damped oscillator.
//!
//! ```text
//! g̈ + 2α ġ + β² g = 0                                                [Baumgarte 1972; Hong et al., eq. 12]
//! A λ + J M⁻¹F + k + 2α (J v + c) + β² g = 0                          [Hong et al., eq. 13; Drake]
//! A λ + N M⁻¹F + (N v)_q v − v̇₀ + 2α e + β² ∫e dt = 0                 [Hong et al., eq. 34]
//! ```
//!
//! The last line is a non-holonomic row's, e = N v − v₀(t); `integral` says how its integral is summed up (see
//! `stages/nonholonomic.rs`). Hong et al. take α = 1/(2h), β = 1/h, i.e. αh = ½, βh = 1.
//!
//! α, β in 1/s, λ in N. Undamped angular frequency ω₀ = β, damping ratio ζ = α/β \[Drake\]. Cline & Pai (9)
//! write the same with α ġ + β g: their α is our 2α, their β our β².
//!
//! With semi-implicit Euler the linearised error is stable if and only if αh ≤ 1 and (βh)² + 4αh ≤ 4: the
//! 2 × 2 matrix [1 − h²β², h(1 − 2αh); −hβ², 1 − 2αh] has trace 2 − h²β² − 2αh and determinant 1 − 2αh
//! (from Hong et al., eq. 22). Hong's text gives Δt ≤ 0.83 for α = β = 10; that is 0.0828.
//!
//! **Defaults** are α = β = 50, critical damping, and at most Hong's pair, α = 1/(2h), β = 1/h: there both eigenvalues are 0,
//! critical damping of the discrete error, which is gone after two steps. Up to it no error changes its sign.
//!
//! **Stability under each integrator.** Only αh and βh count. Along the ray β = t α the step is stable up to αh = a*(t), which is
//! the condition |λ| ≤ 1 of a 2 × 2 matrix, 1 ± trace + determinant ≥ 0 and determinant ≤ 1, solved for a = αh, with b = βh = t
//! a:
//!
//! ```text
//! semi-implicit Euler   b² + 4a = 4                                         a* = 2/(1 + √(1 + t²))
//! explicit Euler        t ≥ 1, complex:  b² = 2a                            a* = 2/t²
//!                       t < 1, real:     b² = 4a − 4, the smaller root      a* = 2/(1 + √(1 − t²))
//! Runge–Kutta           t < 1, real:     the faster root at −2.785 294      a* = 2.785 294/(1 + √(1 − t²))
//!                       t ≥ 1, complex:  |R(z)| = 1, R = 1 + z + z²/2 + z³/6 + z⁴/24, by bisection along the ray
//! ```

use crate::method::linearisation::{AxisQuantity, Operation, StabilityAxis, StabilityBoundary};
use crate::method::parametrizations::{CFM, ERP, HALF_LIFE, Language, erp_cfm, spring_of};
use crate::method::{Method, Scheme, SchemeInfo};
use crate::parameter::{Parameter, Values, choice, logarithmic};
use crate::report::StepError;
use crate::rules::{Integrator, Level};
use crate::stages::acceleration::{Oscillator, integrate};
use crate::stages::nonholonomic::Quadrature;
use crate::stages::step_in_progress::Step;
use std::f64::consts::LN_2;

const ALPHA: Parameter = logarithmic("alpha", "half damping", "α", "s⁻¹", [0.0, 1e6], 50.0)
    .meaning("Half the damping of the error: g̈ + 2α ġ + β² g = 0. The default is at most 1/(2h).");

/// β, the undamped angular frequency of the error.
#[doc(hidden)]
pub const BETA: Parameter = logarithmic("beta", "frequency", "β", "s⁻¹", [0.0, 1e6], 50.0).meaning(
    "Undamped angular frequency of the error. α = β is critical damping. The default is at most 1/h.",
);

const ZETA: Parameter = logarithmic("zeta", "damping ratio", "ζ", "", [0.0, 1e3], 1.0)
    .meaning("Damping ratio of the error: α = ζ ω₀; 1 is critical [Drake; Box2D's soft constraints].");

/// In the order of the words of `integral`.
const QUADRATURES: [Quadrature; 3] = [Quadrature::Present, Quadrature::Late, Quadrature::Off];

const INTEGRAL: Parameter = choice("integral", "error integral", "∫e dt", &["present", "late", "off"])
    .meaning("Of non-holonomic rows alone: their integral is used with the present error in it (present: dead-beat at αh = ½, βh = 1), \
              one step late (late: there it oscillates for ever), or left out (off).");

/// Range of αh and βh in the stability map.
const SHOWN: [f64; 2] = [1e-3, 10.0];
/// The boundary has points at slopes β/α from 10⁻⁵ to 10⁵, the same number per decade.
const BOUNDARY_DECADES: f64 = 5.0;
const BOUNDARY_POINTS: u32 = 400;

impl From<&Values> for Oscillator {
    fn from(values: &Values) -> Self {
        let integral = QUADRATURES[values.of(&INTEGRAL) as usize];
        Self { alpha: values.of(&ALPHA), beta: values.of(&BETA), integral }
    }
}

const INFO: SchemeInfo = SchemeInfo {
    key: "baumgarte_acceleration",
    name: "Baumgarte, acceleration level",
    short: "Baumgarte, acc.",
    equation: "g̈ + 2α ġ + β² g = 0",
    summary: "Lets the error behave like a damped oscillator, by forces.",
    source: "Baumgarte 1972; Hong et al., eqs. 12–13 and 34; Drake, constraint stabilization",
    levels: &[Level::Acceleration],
    parameters: &[ALPHA, BETA, INTEGRAL],
    per_step: &[0.5, 1.0], // αh = ½, βh = 1: Hong's dead-beat pair
    languages: &[
        Language {
            name: "ω₀, ζ",
            meaning: "Drake's: the error as an oscillator of undamped angular frequency ω₀ and damping ratio ζ.",
            parameters: &[
                logarithmic("omega0", "frequency", "ω₀", "rad/s", [0.0, 1e6], 50.0)
                    .meaning("Undamped angular frequency of the error: β = ω₀ [Drake]."),
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
                logarithmic("hertz", "frequency", "f", "Hz", [0.0, 1e6], 8.0)
                    .meaning("Undamped frequency of the error, ω₀/2π, as in Box2D's soft constraints."),
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
                logarithmic("alpha_h", "damping per step", "αh", "", [0.0, 1e3], 0.05)
                    .meaning("Stable for αh ≤ 1 and (βh)² + 4αh ≤ 4."),
                logarithmic("beta_h", "phase per step", "βh", "", [0.0, 1e3], 0.05)
                    .meaning("Stable for αh ≤ 1 and (βh)² + 4αh ≤ 4. αh = ½, βh = 1 is dead-beat."),
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
    ..SchemeInfo::COMMON
};

/// Decay rate of the slowest part of g̈ + 2ζβ ġ + β² g = 0 as a share of β: ζ if it oscillates; otherwise that of the slower of
/// the real roots, ζ − √(ζ² − 1), without cancellation.
fn slowest(zeta: f64) -> f64 {
    if zeta <= 1.0 { zeta } else { 1.0 / (zeta + (zeta * zeta - 1.0).sqrt()) }
}

fn damping_ratio(native: &[f64]) -> f64 {
    if native[1] > 0.0 { native[0] / native[1] } else { 0.0 }
}

pub(crate) static SCHEME: Scheme = Scheme {
    largest_stable_step,
    operations,
    stability_plane,
    stability_boundary,
    ..Scheme::new(INFO, advance)
};

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let oscillator = step.values().into();
    integrate(step, oscillator) // g̈ + 2α ġ + β² g = 0
}

fn largest_stable_step(values: &Values, integrator: Integrator) -> f64 {
    let Oscillator { alpha, beta, .. } = values.into();
    let [a, b] = stable_ray(beta / alpha, integrator);
    match alpha > beta {
        true => a / alpha,
        false if beta > 0.0 => b / beta,
        false => f64::INFINITY,
    }
}

fn operations(method: &Method, _: f64) -> Vec<Operation> {
    vec![Operation::Forces((&method.stabilizer.values).into())]
}

fn stability_plane(_: &Values, h: f64) -> Option<[StabilityAxis; 2]> {
    let shown = SHOWN.map(|share| share * (1.0 / h));
    Some([&ALPHA, &BETA].map(|own| (AxisQuantity::Parameter(own), shown)))
}

/// The boundary from small β/α to large.
fn stability_boundary(_: &Values, integrator: Integrator, h: f64) -> Option<StabilityBoundary> {
    let name = match integrator {
        Integrator::SemiImplicitEuler => "(βh)² + 4αh = 4",
        Integrator::ExplicitEuler => "(βh)² = 2αh, (βh)² = 4αh − 4",
        Integrator::Rk4 => "|R(z)| = 1",
    };
    let share = |i: u32| 2.0 * f64::from(i) / f64::from(BOUNDARY_POINTS) - 1.0;
    let ray = |i: u32| stable_ray(libm::pow(10.0, BOUNDARY_DECADES * share(i)), integrator);
    let points = (0..=BOUNDARY_POINTS).map(|i| ray(i).map(|x| x / h)).collect();
    Some(StabilityBoundary { name, points })
}

/// The real z < 0 with R(z) = 1: the root of z³ + 4z² + 12z + 24 = 0 [Hairer & Wanner, section IV.2].
const RK4_REAL: f64 = 2.785_293_563_405_282;
/// Bisections of the boundary of Runge–Kutta: to rounding.
const BISECTIONS: usize = 60;
/// No step of Runge–Kutta is stable with a βh above this; its boundary on the imaginary axis is 2√2.
const RK4_MOST: f64 = 4.0;

/// The largest stable αh and βh along the ray of slope `t` = β/α under an integrator; t = ∞ for α = 0.
fn stable_ray(t: f64, integrator: Integrator) -> [f64; 2] {
    let slope = |a: f64| [a, t * a];
    match integrator {
        // With b in place of a for large t: b = 2/(1/t + √(1/t² + 1)).
        Integrator::SemiImplicitEuler => {
            let b = 2.0 / (1.0 / t + libm::hypot(1.0 / t, 1.0));
            if t > 1.0 { [b / t, b] } else { slope(2.0 / (1.0 + libm::hypot(1.0, t))) }
        }
        Integrator::ExplicitEuler if t >= 1.0 => [2.0 / t / t, 2.0 / t],
        Integrator::ExplicitEuler => slope(2.0 / (1.0 + (1.0 - t * t).sqrt())),
        Integrator::Rk4 if t < 1.0 => slope(RK4_REAL / (1.0 + (1.0 - t * t).sqrt())),
        Integrator::Rk4 => {
            let (mut low, mut high) = (0.0, RK4_MOST);
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (low + high);
                // z = βh (−1/t ± i √(1 − 1/t²)), the complex roots of z² + 2αh z + (βh)² = 0.
                let z = [-middle / t, middle * (1.0 - 1.0 / (t * t)).sqrt()];
                if amplified(z) > 1.0 { high = middle } else { low = middle }
            }
            [low / t, low]
        }
    }
}

/// |R(z)| of classical Runge–Kutta, by Horner's rule: 1 + z (1 + z/2 (1 + z/3 (1 + z/4))).
fn amplified([re, im]: [f64; 2]) -> f64 {
    let [x, y] = [4.0, 3.0, 2.0, 1.0]
        .into_iter()
        .fold([1.0, 0.0], |[x, y], n| [1.0 + (re * x - im * y) / n, (re * y + im * x) / n]);
    libm::hypot(x, y)
}
