//! Baumgarte stabilization at the velocity level: the velocity is steered against the position error.
//!
//! ```text
//! J v⁺ + c + α g = 0                                                 [Cline & Pai 2003, section IV-A]
//! ```
//!
//! g at the start of the step (m or rad), α in 1/s, λ an impulse (N s). Linearised, g⁺ = (1 − αh) g:
//! αh < 1 decays, αh = 1 is dead-beat (and is Anitescu & Hart's scheme with γ = 1), 1 < αh ≤ 2 changes sign
//! every step, αh > 2 diverges. Cline & Pai write α as a bare number; their 50, 200 and 2000 at h = 0.001 s
//! are αh = 0.05, 0.2 and 2.

use crate::method::linearisation::{AxisQuantity, Operation, StabilityAxis, StabilityBoundary, TIME_STEPS};
use crate::method::parametrizations::{ERP, HALF_LIFE, Language};
use crate::method::{Method, Scheme, SchemeInfo};
use crate::parameter::{Parameter, Values, logarithmic};
use crate::report::StepError;
use crate::rules::Integrator;
use crate::stages::constraints::GapTerm;
use crate::stages::step_in_progress::Step;
use std::f64::consts::LN_2;

const ALPHA: Parameter = logarithmic("alpha", "decay rate", "α", "s⁻¹", [0.0, 1e6], 50.0)
    .meaning("Rate at which the joint error decays: g⁺ = (1 − αh) g per step. Cline & Pai try 50, 200 and 2000. The default is at most \
              1/h.");

/// Range of α in the stability map, 1/s.
const SHOWN: [f64; 2] = [1.0, 1e5];
/// Points of the line αh = 2, the same number per decade.
const BOUNDARY_POINTS: u32 = 100;

const INFO: SchemeInfo = SchemeInfo {
    key: "baumgarte_velocity",
    name: "Baumgarte, velocity level",
    short: "Baumgarte, vel.",
    synonyms: &["baumgarte", "erp"],
    equation: "J v⁺ + c + α g = 0",
    summary: "Steers the velocity against the position error, which decays at the rate α.",
    source: "Cline & Pai 2003, section IV-A; after Baumgarte 1972",
    parameters: &[ALPHA],
    per_step: &[1.0], // αh = 1: a step removes the whole error, and no more
    languages: &[
        Language {
            name: "αh",
            meaning: "Erin Catto's factor β of Baumgarte's term β g/h: the share of the error that one step takes back.",
            parameters: &[logarithmic("alpha_h", "share per step", "αh", "", [0.0, 1e3], 0.05)
                .meaning("Share of the error that one step takes back. Stable up to 2.")],
            in_files: false,
            to_native: |ours, h| vec![ours[0] / h],
            from_native: |native, h| vec![native[0] * h],
        },
        Language {
            name: "ERP",
            meaning: "ODE's error reduction parameter at CFM = 0, J v⁺ + (ERP/h) g = 0: ERP = αh.",
            parameters: &[Parameter { maximum: 2.0, ..ERP }],
            in_files: false,
            to_native: |ours, h| vec![ours[0] / h],
            from_native: |native, h| vec![native[0] * h],
        },
        Language {
            name: "half-life",
            meaning: "Time in which the error halves, ln 2/α, for steps that are short beside it.",
            parameters: &[HALF_LIFE],
            in_files: false,
            to_native: |ours, _| vec![LN_2 / ours[0]],
            from_native: |native, _| vec![LN_2 / native[0]],
        },
    ],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme {
    largest_stable_step,
    operations,
    stability_plane,
    stability_boundary,
    ..Scheme::new(INFO, advance)
};

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let alpha = step.values().of(&ALPHA);
    step.evaluate(GapTerm::Touching); // g, J and k at q; φ, J_n and J_t of contacts; limits, motors
    step.swing(); // springs of free bodies at q + ½h v
    step.kick(); // v* = v + h M⁻¹F
    step.solve(|row| alpha * row.g)?; // J v⁺ + c + α g = 0
    step.drift(); // q⁺ = q + h v⁺, angles too
    Ok(())
}

/// |1 − αh| = 1.
fn largest_stable_step(values: &Values, _: Integrator) -> f64 {
    let alpha = values.of(&ALPHA);
    2.0 / alpha
}

fn operations(method: &Method, _: f64) -> Vec<Operation> {
    let alpha = method.stabilizer.values.of(&ALPHA);
    vec![Operation::Impulses { rate: alpha, gap: GapTerm::Touching, turning: false }]
}

fn stability_plane(_: &Values, _: f64) -> Option<[StabilityAxis; 2]> {
    Some([(AxisQuantity::Parameter(&ALPHA), SHOWN), TIME_STEPS])
}

fn stability_boundary(_: &Values, _: Integrator, _: f64) -> Option<StabilityBoundary> {
    let (_, [shortest, longest]) = TIME_STEPS;
    let [low, high] = [SHOWN[0].max(2.0 / longest), SHOWN[1].min(2.0 / shortest)];
    let alpha = |i: u32| low * libm::pow(high / low, f64::from(i) / f64::from(BOUNDARY_POINTS));
    let points = (0..=BOUNDARY_POINTS).map(alpha).map(|alpha| [alpha, 2.0 / alpha]).collect();
    Some(StabilityBoundary { name: "αh = 2", points })
}
