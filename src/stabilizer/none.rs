//! No stabilization: the constraint is kept at the level at which it is posed, and drifts below it.
//!
//! ```text
//! Velocity level:      J v⁺ + c = 0                                      [Cline & Pai 2003, eq. 7]
//! Acceleration level:  A λ + J M⁻¹F + k = 0, i.e. g̈ = 0                  [Cline & Pai 2003, eq. 4]
//! ```
//!
//! λ is an impulse (N s) at the velocity level, a force (N) at the acceleration level. Equation (7), as
//! printed, carries −k_e where the velocity-level c belongs. The largest joint error of a motion is of first
//! order in h; nothing ever takes it back.

use super::{Level, Method, Scheme, SchemeInfo, Stage};
use crate::report::StepError;

pub(super) struct None;

static INFO: SchemeInfo = SchemeInfo {
    key: "none",
    name: "None",
    equation: "J v⁺ + c = 0",
    summary: "Keeps the joints' velocities consistent and lets their positions drift.",
    source: "Cline & Pai 2003, eqs. 4 and 7",
    levels: &[Level::Velocity, Level::Acceleration],
    parameters: &[],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for None {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, method: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        match method.level {
            Level::Velocity => stage.uncorrected_step(),
            Level::Acceleration => stage.acceleration_step(method.integrator, 0.0, 0.0),
        }
    }
}
