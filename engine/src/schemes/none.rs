//! No stabilization: the constraint is enforced at the level at which it is posed, and drifts below it.
//!
//! ```text
//! Velocity level:      J v⁺ + c = 0                                      [Cline & Pai 2003, eq. 7]
//! Acceleration level:  A λ + J M⁻¹F + k = 0, i.e. g̈ = 0                  [Cline & Pai 2003, eq. 4]
//! ```
//!
//! λ is an impulse (N s) at the velocity level, a force (N) at the acceleration level; c is the part of
//! J v⁺ that comes from bodies on a prescribed path: v holds their velocities, so that the engine solves J v⁺ = 0 and adds no c.
//! Equation (7), as printed, has −k_e in place of c. The largest joint error of a motion is of first
//! order in h; nothing brings it back.

use crate::method::linearisation::Operation;
use crate::method::{Method, Scheme, SchemeInfo};
use crate::report::StepError;
use crate::rules::Level;
use crate::stages::acceleration::{Oscillator, integrate};
use crate::stages::constraints::GapTerm;
use crate::stages::step_in_progress::Step;

const INFO: SchemeInfo = SchemeInfo {
    key: "none",
    name: "None",
    short: "None",
    equation: "J v⁺ + c = 0",
    summary: "Keeps the joints' velocities consistent and lets their positions drift.",
    source: "Cline & Pai 2003, eqs. 4 and 7",
    levels: &[Level::Velocity, Level::Acceleration],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme =
    Scheme { corrects_positions: false, operations, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    match step.context.level {
        Level::Velocity => step.advance_unbiased(GapTerm::Touching), // J v⁺ + c = 0, q⁺ = q + h v⁺
        Level::Acceleration => integrate(step, Oscillator::default()), // g̈ = 0
    }
}

fn operations(method: &Method, _: f64) -> Vec<Operation> {
    vec![match method.level {
        Level::Velocity => Operation::Impulses { rate: 0.0, gap: GapTerm::Touching, turning: false },
        Level::Acceleration => Operation::Forces(Oscillator::default()),
    }]
}
