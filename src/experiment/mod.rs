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

mod attempts;
pub mod converge;
mod dense;
mod diagnosis;
mod duration;
mod error_curve;
#[cfg(feature = "figures")]
#[doc(hidden)]
pub mod internal;
pub mod judge;
pub mod opened;
mod plot;
pub mod poses;
mod reason;
pub mod recording;
mod run;
mod springs;
pub mod stability;
pub mod sweep;
mod uniqueness;
mod units;

pub use attempts::{AttemptCount, AttemptFigures, AttemptSummary, LongestTrail};
pub use diagnosis::advice::{advice, by_impulses, remedy};
pub use diagnosis::apart::Apart;
pub use diagnosis::blow_up::Bounds;
pub use diagnosis::gain::{Coarse, Corrected, Gain, Touching};
#[cfg(feature = "window")]
pub(crate) use diagnosis::gain::{GainJudge, is_held};
pub use diagnosis::passages::Passages;
pub use diagnosis::start::{Contradiction, contradiction};
pub use diagnosis::trial::{Past, Trial, Tried};
pub use diagnosis::unsolved::UnsolvedStep;
pub use duration::{DEFAULT_DURATION, steps_for};
pub use error_curve::ErrorCurve;
pub use error_curve::measure::Measure;
pub use opened::dat::{dat_of_problem, first_problem, is_dat, problem_of_dat};
pub use opened::problem_line::{ProblemLine, problem_line};
#[cfg(feature = "window")]
pub(crate) use opened::words::name_of;
pub use plot::curves::error_chart;
#[cfg(feature = "figures")]
pub use plot::map::{Map, Shading, check_axes, draw_map};
#[cfg(feature = "window")]
pub(crate) use plot::outline;
#[cfg(feature = "figures")]
pub use plot::ruler::MapError;
pub use reason::reason;
pub use run::Run;
pub use run::broken::Broken;
pub use run::choice;
pub use run::extreme::Extreme;
pub use run::impulses::{ImpulseRecorder, ImpulseRow, impulse_rows};
pub use run::record::{CsvRecorder, TraceRecorder};
pub use run::summary::{Energies, Summary};
pub use run::verdict::Verdict;
pub use springs::{SpringPhase, joint_phases, spring_phases};
pub use sweep::axis::{Axis, Grid, Scale};
pub use sweep::compare::{ComparedState, Curve, compare, label};
pub use sweep::study::{SCENE_PARAMETERS, Study, describe};
pub use uniqueness::{Uniqueness, UniquenessSummary, uniqueness};
pub use units::{errors_in, joint_units, rate, rates_in};
