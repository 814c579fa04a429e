//! Anitescu & Hart's constraint stabilization in one linear problem.
//!
//! ```text
//! joints     J v⁺ + c + γ g/h = 0 ,            0 < γ ≤ 1             [Anitescu & Hart 2004, eq. 2.12]
//! contacts   0 ≤ J_n v⁺ + γ φ/h ⊥ λ_n ≥ 0      with their friction   [eq. 2.10]
//! ```
//!
//! c is the part of J v⁺ that comes from bodies on a prescribed path. The engine adds no c, since its v⁺ contains these bodies.
//!
//! γ = 1 linearises g(q⁺) = 0 at the start of the step. For a feasible start and constant h the
//! infeasibility stays below C ‖v⁺‖² h² [theorem 4.1]: second order, and zero at rest. For joints
//! this is velocity-level Baumgarte with α = γ/h; the two differ in what their parameter holds fixed when h
//! changes. Their pendulum obeys Θ⁺ = (1 − γ) Θ + h² |v⁺|² exactly, Θ = r² − L².
//! (5.60) of the paper carries −Θ/h where (2.10) has +Θ/h; the latter is right.

use crate::method::linearisation::{AxisQuantity, Operation, StabilityAxis, TIME_STEPS};
use crate::method::parametrizations::{HALF_LIFE, Language, half_life, share_of};
use crate::method::{Method, Scheme, SchemeInfo};
use crate::parameter::{Parameter, Values, logarithmic};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::step_in_progress::Step;

/// γ, the share of the error that a step removes.
#[doc(hidden)]
pub const GAMMA: Parameter = logarithmic("gamma", "corrected share", "γ", "", [1e-6, 1.0], 1.0).meaning(
    "Share of the error that one step takes back: g⁺ = (1 − γ) g plus what the step's curvature adds.",
);

/// Range of γ in the stability map.
const SHOWN: [f64; 2] = [1e-3, 1.0];

const INFO: SchemeInfo = SchemeInfo {
    key: "anitescu_hart",
    name: "Anitescu & Hart",
    short: "Anitescu & Hart",
    equation: "J v⁺ + c + γ g/h = 0",
    summary: "Linearises the constraint at the end of the step, in the same solve as the dynamics.",
    source: "Anitescu & Hart 2004, eqs. 2.10 and 2.12",
    parameters: &[GAMMA],
    languages: &[
        Language {
            name: "α",
            meaning: "Baumgarte's at the velocity level: the rate at which the error decays, α = γ/h.",
            parameters: &[logarithmic("alpha", "decay rate", "α", "s⁻¹", [0.0, 1e12], 1000.0).meaning(
                "The velocity-level Baumgarte constant that does the same at the present time step.",
            )],
            in_files: false,
            to_native: |ours, h| vec![ours[0] * h],
            from_native: |native, h| vec![native[0] / h],
        },
        Language {
            name: "half-life",
            meaning: "Time in which the error halves, h ln 2/(−ln(1 − γ)); 0 where one step takes back all of it.",
            parameters: &[HALF_LIFE],
            in_files: false,
            to_native: |ours, h| vec![share_of(ours[0], h)],
            from_native: |native, h| vec![half_life(native[0], h)],
        },
    ],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { operations, stability_plane, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let rate = step.values().of(&GAMMA) / step.length();
    step.evaluate(GapTerm::Travelling); // g, J and k at q; φ, J_n and J_t of contacts; limits, motors
    step.swing(); // springs of free bodies at q + ½h v
    step.kick(); // v* = v + h M⁻¹F
    step.solve(|row| rate * row.g)?; // J v⁺ + γ g/h = 0, 0 ≤ J_n v⁺ + γ φ/h ⊥ λ_n ≥ 0
    step.drift(); // q⁺ = q + h v⁺, angles too
    Ok(())
}

fn operations(method: &Method, h: f64) -> Vec<Operation> {
    let gamma = method.stabilizer.values.of(&GAMMA);
    vec![Operation::Impulses { rate: gamma / h, gap: GapTerm::Travelling, turning: false }]
}

fn stability_plane(_: &Values, _: f64) -> Option<[StabilityAxis; 2]> {
    Some([(AxisQuantity::Parameter(&GAMMA), SHOWN), TIME_STEPS])
}
