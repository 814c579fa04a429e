//! Experiments on scenes: running them, recording what happens, comparing schemes, drawing the curves.
//!
//! Nothing here reads a clock or touches a file: recorders write to any [`std::io::Write`], and a caller that wants
//! the time per step passes a clock.
//!
//! ```
//! use driftlab::experiment::{Run, Summary};
//! use driftlab::scene::catalogue;
//!
//! let scene = catalogue::find("single-pendulum").unwrap().scene().unwrap();
//! let mut run = Run::new(&scene, 100);
//! let mut summary = Summary::new(&scene, run.initial());
//! for report in &mut run {
//!     summary.add(&report.unwrap());
//! }
//! assert_eq!(summary.steps, 100);
//! assert!(summary.joint_error.largest < 0.01);
//! ```

pub mod converge;
mod dense;
mod diagnosis;
#[cfg(feature = "figures")]
#[doc(hidden)]
pub mod internal;
pub mod opened;
mod plot;
pub mod poses;
mod run;
mod springs;
pub mod stability;
pub mod sweep;
mod uniqueness;

pub use diagnosis::advice::{advice, by_impulses, remedy};
pub use diagnosis::apart::Apart;
pub use diagnosis::blow_up::Bounds;
pub use diagnosis::gain::{Coarse, Corrected, Gain, Touching};
#[cfg(feature = "window")]
pub(crate) use diagnosis::gain::{GainJudge, is_held};
pub use diagnosis::passages::Passages;
#[cfg(feature = "window")]
pub(crate) use diagnosis::passages::name_of;
pub use diagnosis::start::{Contradiction, contradiction};
pub use diagnosis::trial::{Past, Trial, Tried};
pub use diagnosis::unsolved::UnsolvedStep;
pub use opened::problem_line::{ProblemLine, problem_line};
pub use plot::curves::error_chart;
pub use plot::error_curve::ErrorCurve;
#[cfg(feature = "figures")]
pub use plot::map::{Map, Shading, check_axes, draw_map};
pub use plot::measure::Measure;
#[cfg(feature = "window")]
pub(crate) use plot::outline;
#[cfg(feature = "figures")]
pub use plot::ruler::MapError;
pub use run::Run;
pub use run::attempts::{AttemptCount, AttemptFigures, AttemptSummary, LongestTrail};
pub use run::choice;
pub use run::extreme::Extreme;
pub use run::impulses::{ImpulseRecorder, ImpulseRow, impulse_rows};
pub use run::record::{CsvRecorder, TraceRecorder};
pub use run::summary::{Energies, Summary};
pub use run::units::{errors_in, joint_units, rate, rates_in};
pub use run::verdict::Verdict;
pub use springs::{SpringPhase, spring_phases};
pub use sweep::axis::{Axis, Grid, Scale};
pub use sweep::compare::{ComparedState, Curve, compare, label};
pub use sweep::study::{SCENE_PARAMETERS, Study, describe};
pub use uniqueness::{Uniqueness, UniquenessSummary, uniqueness};

use crate::model::{BodyId, World};
use crate::report::StepError;
use crate::scene::{Settings, shown};

/// Why a step failed, with bodies by their names instead of their ids.
pub fn reason(error: &StepError, world: &World) -> String {
    let body = |id: BodyId| match world.body(id) {
        Some(body) if !body.name.is_empty() => format!("'{}'", shown(&body.name)),
        _ => format!("body {id}"),
    };
    match error {
        StepError::Contact(error, Some(unsolved)) => return unsolved.sentence(error, body),
        StepError::Crowded(crowd) => return crowd.words(body),
        _ => {}
    }
    let ids: &[BodyId] = match error {
        StepError::NotFinite { body, .. } => std::slice::from_ref(body),
        StepError::Infeasible { bodies: Some(bodies), .. }
        | StepError::NotConverged { bodies: Some(bodies), .. } => bodies,
        _ => &[],
    };
    // The last first: a name may look like another index, and the text ends with the last one.
    ids.iter().rev().fold(error.to_string(), |text, id| {
        let number = format!("body {id}");
        match (world.body(*id), text.rfind(&number)) {
            (Some(body), Some(at)) if !body.name.is_empty() => {
                let (before, after) = (&text[..at], &text[at + number.len()..]);
                format!("{before}body '{}'{after}", shown(&body.name))
            }
            _ => text,
        }
    })
}

/// Default duration of a run, if neither the scene nor the user states one, s.
pub const DEFAULT_DURATION: f64 = 10.0;

/// The number of steps that cover `duration` (s), or else the scene's own duration.
pub fn steps_for(settings: &Settings, duration: Option<f64>) -> u64 {
    /// In steps: a duration that exceeds a multiple of the step by no more than this, which is rounding, gets no
    /// additional step.
    const ROUNDING: f64 = 1e-6;
    let duration = duration.or(settings.duration).unwrap_or(DEFAULT_DURATION);
    (duration / settings.time_step - ROUNDING).ceil().max(0.0) as u64
}
