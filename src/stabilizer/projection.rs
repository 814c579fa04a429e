//! Projection: an ordinary step, then Newton's method to the manifold, in position and in velocity.
//!
//! ```text
//! J v* + c = 0 ,  q* = q + h v*
//! q⁺: min ½ (q⁺ − q*)ᵀ M (q⁺ − q*)  subject to  g(q⁺) = 0            [after Hairer, Lubich & Wanner, IV.4]
//! v⁺: min ½ (v⁺ − v*)ᵀ M (v⁺ − v*)  subject to  J(q⁺) v⁺ + c = 0
//! ```
//!
//! The position minimum is approached by Gauss–Newton steps in the mass metric, J and g anew each time, until
//! rounding stops them (below 1e-12 of the scene's extent). A correction that does not reduce the error
//! is halved; a step that cannot be brought back so is made in two halves, and so on.
//!
//! **Work of the correction.** The change of energy from (q*, v*) to (q⁺, v⁺), less that of impacts: where bodies touch at q⁺ and
//! w = J v* < 0, the second projection stops them, and the bodies lose ½ λ (J v⁺ + w) = ½ λ w by physics. (A rebound is left to the
//! next step, which knows its law.) What a lasting contact turns in the step is such a w, too, and counts as an impact;
//! what a joint turns is taken out by the projection here, and by the dynamics of the next step under `none`.

use super::{Level, Method, Scheme, SchemeInfo, Stage};
use crate::report::StepError;

pub(super) struct Projection;

static INFO: SchemeInfo = SchemeInfo {
    key: "projection",
    name: "Projection",
    equation: "g(q⁺) = 0 ,  J(q⁺) v⁺ + c = 0",
    summary: "Newton's method to the constraint manifold after every step, in position and velocity.",
    source: "Hairer, Lubich & Wanner 2006, IV.4; Ascher & Petzold 1998, ch. 10",
    levels: &[Level::Velocity],
    parameters: &[],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for Projection {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, _: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        stage.in_parts(project)
    }
}

fn project(stage: &mut Stage<'_>) -> Result<(), StepError> {
    stage.uncorrected_step()?;
    let energy = stage.potential_energy() + stage.kinetic_energy();
    stage.evaluate_positions();
    stage.note_errors_before();
    stage.project_positions()?;
    stage.prescribe_velocity(stage.h);
    let impacts = stage.project_velocities()?;
    stage.outcome.correction_work += stage.potential_energy() + stage.kinetic_energy() - energy - impacts;
    Ok(())
}
