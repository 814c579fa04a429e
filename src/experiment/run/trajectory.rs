//! A motion sampled at given times, whatever its time step, and the distance between two such motions.

use super::Run;
use super::summary::Summary;
use crate::experiment::reason;
use crate::internal::largest;
use crate::method::Method;
use crate::report::{StepError, StepReport};
use crate::scene::Scene;
use glam::DVec3;

/// Motions with a lower mean speed count as rest, for which no delay is defined, m/s.
const MOVING: f64 = 1e-6;

/// Poses and velocities of the dynamic bodies, and the energy of the world, at one time.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
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

/// A run, sampled at multiples of one interval.
pub(crate) struct Trajectory {
    /// The initial state and those at the multiples.
    pub samples: Vec<Sample>,
    /// m, m and I of each dynamic body.
    masses: Vec<DVec3>,
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
        let mass = |body: &crate::model::Body| {
            let p = body.mass_properties();
            DVec3::new(p.mass, p.mass, p.inertia)
        };
        let masses = scene.world.bodies().iter().filter(|body| body.is_dynamic()).map(mass).collect();
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
        Self { samples, masses, summary, failure }
    }

    /// The trajectory, or none if the run failed.
    pub fn whole(self) -> Option<Self> {
        self.failure.is_none().then_some(self)
    }

    /// Pairs of samples at the same times; `other` may have every second one only.
    pub fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Sample, &'a Sample)> {
        let stride = ((self.samples.len() - 1) / (other.samples.len() - 1).max(1)).max(1);
        self.samples.iter().step_by(stride).zip(&other.samples)
    }

    /// The largest distance between the places of a body in the two, m.
    pub fn distance(&self, other: &Self) -> f64 {
        let apart = |(a, b): (&Sample, &Sample)| {
            largest(a.q.iter().zip(&b.q).map(|(a, b)| (*a - *b).truncate().length()))
        };
        largest(self.pairs(other).map(apart))
    }

    /// How late `other` is, s (negative: early): the τ that brings q(t) − τ v(t) of this one closest to it in the metric
    /// of the mass, in the least-squares sense over the run: τ = −Σ vᵀM δq / Σ vᵀM v.
    pub fn delay(&self, other: &Self) -> Option<f64> {
        let (mut along, mut squared) = (0.0, 0.0);
        for (own, other) in self.pairs(other) {
            for (index, mass) in self.masses.iter().enumerate() {
                let momentum = *mass * own.v[index];
                along += momentum.dot(other.q[index] - own.q[index]);
                squared += momentum.dot(own.v[index]);
            }
        }
        let masses: f64 = self.samples.len() as f64 * self.masses.iter().map(|mass| mass.x).sum::<f64>();
        (squared > MOVING * MOVING * masses).then(|| -along / squared)
    }
}
