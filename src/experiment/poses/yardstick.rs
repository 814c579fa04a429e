//! A motion that another program has computed, beside the scene's own run, by the same figures.

use super::{Poses, Velocities};
use crate::experiment::reason;
use crate::experiment::run::Run;
use crate::experiment::run::extreme::Extreme;
use crate::experiment::run::summary::Energies;
use crate::experiment::units::larger;
use crate::model::World;
use crate::report::StepReport;
use crate::scene::Scene;
use glam::DVec2;
use serde::Serialize;

/// Share of a step by which the end of a table may exceed a whole number of steps of the scene: rounding.
const ROUNDING: f64 = 1e-6;

/// A figure at its largest, at the end, and on average over the samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Averaged {
    /// The largest value and the last one.
    #[serde(flatten)]
    pub extreme: Extreme,
    /// The mean of all samples.
    pub mean: f64,
}

/// The figures of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MotionFigures {
    /// States that were measured, the first one included.
    pub samples: u64,
    /// Time of the first of them, s.
    pub from: f64,
    /// Time of the last, s.
    pub to: f64,
    /// Largest |g| over the joint rows.
    pub joint_error: Averaged,
    /// Largest overlap of the contacts, m.
    pub contact_error: Averaged,
    /// Largest |J v + c| over the joint rows.
    pub velocity_error: Averaged,
    /// Kinetic and potential energy, J.
    pub energy: Energies,
    #[serde(skip)]
    largest_kinetic: f64,
}

/// The figures of a table of poses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TheirMotion {
    /// Where the velocities, and with them kinetic energy and velocity error, come from.
    pub velocities: Velocities,
    /// The figures.
    #[serde(flatten)]
    pub figures: MotionFigures,
}

/// How far a body is from where it is in the scene's own run: the distance of the centres of mass at the times of the samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Apart {
    /// Its name.
    pub body: String,
    /// The largest distance, and the last, m.
    #[serde(flatten)]
    pub distance: Extreme,
}

/// A table of poses and the scene's own run, measured alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The table.
    pub trajectory: TheirMotion,
    /// The scene's own run from the same start, up to the last sample.
    pub own: MotionFigures,
    /// The distances of the dynamic bodies, in the order of the scene.
    pub apart: Vec<Apart>,
    /// Why the own run ended early, if it did; distances are those until then.
    pub failure: Option<String>,
}

impl Averaged {
    fn new(value: f64, unit: &'static str, time: f64) -> Self {
        Self { extreme: Extreme::new(value, unit, time), mean: value }
    }

    /// Takes in a further value, so that there are `count` of them.
    fn add(&mut self, value: f64, unit: &'static str, time: f64, count: u64) {
        self.extreme.add(value, unit, time);
        self.mean += (value - self.mean) / count as f64;
    }
}

impl MotionFigures {
    /// Begins with the figures of the first state.
    pub fn new(report: &StepReport) -> Self {
        let (time, energy) = (report.time, report.total_energy());
        Self {
            samples: 1,
            from: time,
            to: time,
            joint_error: Averaged::new(report.joint_error, report.joint_error_unit.symbol(), time),
            contact_error: Averaged::new(report.contact_error, "m", time),
            velocity_error: Averaged::new(
                report.velocity_error,
                crate::experiment::rate(report.velocity_error_unit),
                time,
            ),
            energy: Energies { initial: energy, last: energy, largest_drift: 0.0, relative_drift: None },
            largest_kinetic: report.kinetic_energy,
        }
    }

    /// Takes in the figures of the next state.
    pub fn add(&mut self, report: &StepReport) {
        let time = report.time;
        self.samples += 1;
        self.to = time;
        let count = self.samples;
        self.joint_error.add(report.joint_error, report.joint_error_unit.symbol(), time, count);
        self.contact_error.add(report.contact_error, "m", time, count);
        let rate = crate::experiment::rate(report.velocity_error_unit);
        self.velocity_error.add(report.velocity_error, rate, time, count);
        self.largest_kinetic = larger(self.largest_kinetic, report.kinetic_energy);
        let Energies { initial, last, largest_drift, relative_drift } = &mut self.energy;
        *last = report.total_energy();
        *largest_drift = larger(*largest_drift, (*last - *initial).abs());
        *relative_drift = Some(*largest_drift / self.largest_kinetic).filter(|share| share.is_finite());
    }
}

impl Measured {
    /// Measures `poses` in the world of `scene`, and beside them a run of the scene by its own settings; `sample` is
    /// told the figures of each sample. Between two steps the own run is interpolated linearly to the time of a sample.
    ///
    /// # Errors
    /// An error of `sample`.
    pub fn of<E>(
        poses: &Poses,
        scene: &Scene,
        mut sample: impl FnMut(&StepReport) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut figures: Option<MotionFigures> = None;
        for report in poses.reports(&scene.world, &scene.settings.method) {
            sample(&report)?;
            match &mut figures {
                None => figures = Some(MotionFigures::new(&report)),
                Some(figures) => figures.add(&report),
            }
        }
        let h = scene.settings.time_step;
        let until = poses.span()[1];
        let steps = ((until - scene.world.time()) / h - ROUNDING).ceil().max(0.0) as u64;
        let mut run = Run::new(scene, steps);
        let mut own = MotionFigures::new(run.initial());
        let mut apart = Distances::new(poses, run.world());
        let mut failure = None;
        apart.compare(run.world());
        while let Some(report) = run.next() {
            match report {
                Ok(report) => {
                    own.add(&report);
                    apart.compare(run.world());
                }
                Err(error) => failure = Some(reason(&error, run.world())),
            }
        }
        let figures = figures.unwrap_or(own);
        let trajectory = TheirMotion { velocities: poses.velocities(), figures };
        Ok(Self { trajectory, own, apart: apart.found, failure })
    }
}

/// The distances of a table's bodies from those of a run, sample by sample.
struct Distances<'p> {
    poses: &'p Poses,
    /// The next sample to be compared.
    next: usize,
    /// Time of the run's last state, s, and where its bodies were.
    before: (f64, Vec<DVec2>),
    found: Vec<Apart>,
}

impl<'p> Distances<'p> {
    fn new(poses: &'p Poses, world: &World) -> Self {
        Self { poses, next: 0, before: (world.time(), centres(world)), found: Vec::new() }
    }

    /// The run has come to `world`: compares the samples up to its time.
    fn compare(&mut self, world: &World) {
        let (from, then) = &self.before;
        let (to, now) = (world.time(), centres(world));
        let slack = ROUNDING * (to - from);
        while let Some(time) = self.poses.times().get(self.next).filter(|time| **time <= to + slack) {
            let share = if to > *from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
            for (place, (index, theirs)) in self.poses.centres(self.next, world).enumerate() {
                let moved =
                    if share == 1.0 { DVec2::ZERO } else { (1.0 - share) * (then[index] - now[index]) };
                let distance = theirs.distance(now[index] + moved);
                match self.found.get_mut(place) {
                    Some(apart) => apart.distance.add(distance, "m", *time),
                    None => self.found.push(Apart {
                        body: world.bodies()[index].name.clone(),
                        distance: Extreme::new(distance, "m", *time),
                    }),
                }
            }
            self.next += 1;
        }
        self.before = (to, now);
    }
}

fn centres(world: &World) -> Vec<DVec2> {
    world.bodies().iter().map(|body| body.pose.position).collect()
}
