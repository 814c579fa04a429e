//! Experiments on scenes: running them, recording what happens, comparing schemes, drawing the curves.
//!
//! Nothing here reads a clock or touches a file: recorders write to any [`std::io::Write`], and where a time
//! per step is wanted the caller brings the clock.
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

mod axis;
mod canvas;
mod compare;
pub mod comparison;
pub mod converge;
pub mod figures;
mod impulses;
mod map;
mod measure;
mod picture;
mod plot;
mod record;
mod ruler;
pub mod stability;
mod study;
mod summary;
pub mod sweep;
mod trajectory;
mod uniqueness;
mod units;

pub use axis::{Axis, Grid, Scale};
pub use canvas::{Format, PlotError};
pub use compare::{Curve, compare, label};
pub use impulses::ImpulseRecorder;
pub use map::{Map, MapError, Shading, check_axes, draw_map};
pub use measure::Measure;
pub use plot::plot;
pub use record::{CsvRecorder, TraceRecorder};
pub use study::{SCENE_PARAMETERS, Study, describe};
pub use summary::{Energies, Extreme, Summary, Verdict};
pub use uniqueness::UniquenessSummary;
pub use units::{errors_in, joint_units, rate, rates_in};

use crate::model::World;
use crate::report::{ConstraintImpulse, StepError, StepReport};
use crate::scene::{Interaction, Scene, Settings};
use crate::stabilizer::{Method, Workspace};
use crate::step::{measure, step};
use glam::DVec3;

/// Why a step was not made, with bodies by their names instead of their places in the list.
pub fn reason(error: &StepError, world: &World) -> String {
    let text = error.to_string();
    let StepError::NotFinite { body: index } = error else { return text };
    match world.bodies().get(*index) {
        Some(body) if !body.name.is_empty() => {
            text.replacen(&format!("body {index}"), &format!("body '{}'", body.name), 1)
        }
        _ => text,
    }
}

/// How long a run lasts where neither the scene nor the user says it, s.
pub const DEFAULT_DURATION: f64 = 10.0;

/// The number of steps that cover `duration` (s), or else the scene's own duration.
pub fn steps_for(settings: &Settings, duration: Option<f64>) -> u64 {
    /// A duration that is a multiple of the step to rounding gets no step more, in steps.
    const ROUNDING: f64 = 1e-6;
    let duration = duration.or(settings.duration).unwrap_or(DEFAULT_DURATION);
    (duration / settings.time_step - ROUNDING).ceil().max(0.0) as u64
}

/// A scene in motion: an iterator over the reports of its steps. Before each of them the scene's recorded pointer acts.
///
/// It ends after the given number of steps, or with the first step that fails.
pub struct Run {
    world: World,
    method: Method,
    time_step: f64,
    remaining: u64,
    interaction: Option<Interaction>,
    workspace: Workspace,
    initial: StepReport,
}

impl Run {
    /// The scene as it stands, to be stepped `steps` times by its own settings.
    pub fn new(scene: &Scene, steps: u64) -> Self {
        Self::under(scene, scene.settings.method.clone(), steps)
    }

    /// The scene as it stands, to be stepped `steps` times by `method`.
    pub fn under(scene: &Scene, method: Method, steps: u64) -> Self {
        let world = scene.world.clone();
        let mut workspace = Workspace::default();
        let initial = measure(&world, &method, &mut workspace);
        let time_step = scene.settings.time_step;
        let interaction = scene.interaction.clone();
        Self { world, method, time_step, remaining: steps, interaction, workspace, initial }
    }

    /// The same run, whose reports also say what other solutions each step's problem has.
    pub fn examining_uniqueness(mut self) -> Self {
        self.workspace = Workspace::examining_uniqueness();
        self
    }

    /// The figures before the first step: row 0.
    pub fn initial(&self) -> &StepReport {
        &self.initial
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The method that it is stepped by.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The time step, s.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// The impulses of the last step that was made; none before the first.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.workspace.impulses()
    }

    /// What these impulses and the external forces leave of each body's change of momentum in that step: (N s, N s, N m s).
    pub fn momentum_residuals(&self) -> Vec<DVec3> {
        self.workspace.momentum_residuals()
    }
}

impl Iterator for Run {
    type Item = Result<StepReport, StepError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        if let Some(interaction) = &self.interaction {
            interaction.apply(&mut self.world, self.time_step);
        }
        let report = step(&mut self.world, &self.method, self.time_step, &mut self.workspace);
        if report.is_err() {
            self.remaining = 0;
        }
        Some(report)
    }
}
