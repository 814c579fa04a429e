//! One scheme on one case.

use super::departure::{delay, distance};
use super::{Case, motion};
use driftlab::experiment::internal::Trajectory;
use driftlab::experiment::internal::larger;
use driftlab::experiment::label;
use driftlab::method::{Instability, Method, Stabilizer};
use driftlab::scene::Scene;

/// One scheme on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The scheme as the command line spells it.
    pub scheme: String,
    /// Under which parameters it is unstable at the case's time step.
    pub instability: Option<Instability>,
    /// Its figures, or why it could not step to the end.
    pub figures: Result<CaseFigures, String>,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseFigures {
    /// Largest joint or contact error of the run, m (rad where a joint holds an angle).
    pub constraint_error: f64,
    /// Largest distance of a body from where the reference has it, m; absent where the reference fails.
    pub position_error: Option<f64>,
    /// Largest departure of the energy from its start, J.
    pub energy_drift: f64,
    /// Energy that the correction put in over the run, J.
    pub correction_work: f64,
    /// How late the motion is, s; negative where it is early.
    pub phase_error: Option<f64>,
}

impl Cell {
    pub(super) fn of(
        scene: &Scene,
        case: &Case,
        scheme: Stabilizer,
        reference: Option<&Trajectory>,
    ) -> Self {
        let run = motion(scene, case, &scheme, case.time_step);
        let summary = &run.summary;
        let figures = match &run.failure {
            Some(failure) => Err(format!("fails at {:.3} s: {failure}", summary.time)),
            None => Ok(CaseFigures {
                constraint_error: larger(summary.joint_error.largest, summary.contact_error.largest),
                position_error: reference.map(|reference| distance(reference, &run)),
                energy_drift: summary.energy.largest_drift,
                correction_work: summary.correction_work,
                phase_error: reference.and_then(|reference| delay(reference, &run, &scene.world)),
            }),
        };
        let label = label(&scheme);
        Self { scheme: label, instability: Method::new(scheme).instability(case.time_step), figures }
    }
}
