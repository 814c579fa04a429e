//! A motion sampled at given times, whatever its time step.

use super::Run;
use super::summary::Summary;
use crate::experiment::reason;
use crate::method::Method;
use crate::report::{StepError, StepReport};
use crate::scene::Scene;
use glam::DVec3;

/// Poses and velocities of the dynamic bodies, and the energy of the world, at one time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Place of the centre of mass (m, m) and angle (rad) of each dynamic body.
    pub q: Vec<DVec3>,
    /// Velocities and angular velocity of each, m/s, m/s, rad/s.
    pub v: Vec<DVec3>,
    /// J.
    pub kinetic_energy: f64,
    /// Kinetic and potential together, J.
    pub total_energy: f64,
}

impl Sample {
    fn of(run: &Run, report: &StepReport) -> Self {
        let bodies = || run.world().bodies().iter().filter(|body| body.is_dynamic());
        Self {
            q: bodies().map(|body| body.pose.coordinates()).collect(),
            v: bodies().map(|body| body.velocity.coordinates()).collect(),
            kinetic_energy: report.kinetic_energy,
            total_energy: report.total_energy(),
        }
    }
}

/// The scene, stepped by `h` s.
pub fn stepped(scene: &Scene, h: f64) -> Scene {
    let mut scene = scene.clone();
    scene.settings.time_step = h;
    scene
}

/// A run, sampled at multiples of one interval.
pub struct Trajectory {
    /// The initial state and those at the multiples.
    pub samples: Vec<Sample>,
    /// The figures of all its steps.
    pub summary: Summary,
    /// Why it ended early, if it did.
    pub failure: Option<String>,
}

impl Trajectory {
    /// Makes `steps` steps of the scene's length and keeps the state after every `stride` of them. `next` makes a
    /// step, so that a caller can time it.
    pub fn of(
        scene: &Scene,
        method: &Method,
        steps: u64,
        stride: u64,
        mut next: impl FnMut(&mut Run) -> Option<Result<StepReport, StepError>>,
    ) -> Self {
        let mut run = Run::under(scene, method.clone(), steps);
        let mut samples = vec![Sample::of(&run, run.initial())];
        let (mut summary, mut failure) = (Summary::under(scene, method, run.initial()), None);
        while let Some(report) = next(&mut run) {
            match report {
                Ok(report) => {
                    summary.add(&report);
                    if summary.steps.is_multiple_of(stride) {
                        samples.push(Sample::of(&run, &report));
                    }
                }
                Err(error) => failure = Some(reason(&error, run.world())),
            }
        }
        Self { samples, summary, failure }
    }

    /// Pairs of samples at the same times; `other` may have every second one only.
    pub fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Sample, &'a Sample)> {
        let stride = ((self.samples.len() - 1) / (other.samples.len() - 1).max(1)).max(1);
        self.samples.iter().step_by(stride).zip(&other.samples)
    }
}
