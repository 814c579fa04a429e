//! A trajectory that another program has computed, as a run beside ours that is played back and not stepped.
//!
//! A step of such a run takes the bodies to where the trajectory has them at its end, interpolated for the picture. Its
//! figures are those of the samples that it passes, measured by the engine's own functions: of several samples in one
//! step the largest errors. Behind the last sample the bodies stay where they are, and there are no further figures.

use crate::experiment::Run;
use crate::experiment::poses::{PoseProblem, Poses};
use crate::model::World;
use crate::report::StepReport;
use crate::workbench::engine::{Stepper, Stepping};
use std::path::PathBuf;
use std::sync::Arc;

/// Parts at most into which a step of the main run is divided, so that no step passes two samples.
const MOST_PARTS: f64 = 64.0;
/// Share of a step by which a sample may lie behind the step's end and still belong to it: times that are added up step
/// by step differ by rounding.
const SLACK: f64 = 1e-3;

/// A trajectory to be played back.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The name of its file.
    pub title: String,
    /// Its file, if it came from one.
    pub path: Option<PathBuf>,
    poses: Arc<Poses>,
}

impl Played {
    /// Reads a table of poses of the bodies of `world`.
    ///
    /// # Errors
    /// Everything that is wrong with it, with its lines.
    pub fn read(title: &str, text: &str, world: &World) -> Result<Self, Vec<PoseProblem>> {
        Ok(Self { title: title.to_owned(), path: None, poses: Arc::new(Poses::read(text, world)?) })
    }

    /// Its poses.
    pub fn poses(&self) -> &Poses {
        &self.poses
    }

    /// The name of its file without its ending.
    pub fn name(&self) -> &str {
        self.title.rsplit_once('.').map_or(&*self.title, |(name, _)| name)
    }

    /// When its last sample was taken, s.
    pub fn end(&self) -> f64 {
        self.poses.span()[1]
    }

    /// A whole part of the main run's step `h`, s, that passes one sample at most, so that it is shown at the main run's times.
    pub(crate) fn time_step(&self, h: f64) -> f64 {
        let parts =
            self.poses.shortest_interval().map_or(1.0, |shortest| (h * (1.0 - SLACK) / shortest).ceil());
        h / parts.clamp(1.0, MOST_PARTS)
    }

    /// Steps in the same place, by which this trajectory is played back.
    pub(crate) fn stepping(&self, stepping: &Stepping) -> Stepping {
        let poses = Arc::clone(&self.poses);
        let stepper: Stepper = Arc::new(move |run: &mut Run| Ok(advance(&poses, run)));
        stepping.clone().by(stepper)
    }

    /// Takes a world to the trajectory's first sample.
    pub(crate) fn begin(&self, world: &mut World) {
        world.release_grab();
        // Contacts of a saved state are not those of the trajectory; a world without any takes all others.
        let _cleared = world.restore_contacts(Vec::new());
        self.poses.place(0, world);
    }
}

/// Takes a run one step along the poses, and measures the samples on the way.
fn advance(poses: &Poses, run: &mut Run) -> StepReport {
    let (h, from, steps) = (run.time_step(), run.world().time(), run.world().steps());
    let to = from + h;
    let mut figures = *run.report();
    let mut is_first = true;
    for sample in poses.between(from + SLACK * h, to + SLACK * h) {
        poses.place(sample, run.world_mut());
        run.world_mut().set_steps(steps + 1);
        run.remeasure();
        let measured = *run.report();
        figures = if is_first { measured } else { the_larger(figures, measured) };
        is_first = false;
    }
    let mut world = std::mem::take(run.world_mut());
    poses.place_at(to, &mut world);
    world.set_steps(steps + 1);
    run.go_to(world, figures);
    figures
}

/// The later one of two samples' figures, with the larger errors of both.
fn the_larger(earlier: StepReport, later: StepReport) -> StepReport {
    let mut figures = later;
    if earlier.joint_error > later.joint_error {
        (figures.joint_error, figures.joint_error_unit) = (earlier.joint_error, earlier.joint_error_unit);
    }
    figures.contact_error = later.contact_error.max(earlier.contact_error);
    figures.velocity_error = later.velocity_error.max(earlier.velocity_error);
    figures
}
