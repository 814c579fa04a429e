//! A motion sampled at the same times whatever its time step, and how far two of them are apart.

use crate::experiment::figures::{method, stepped};
use crate::experiment::{Run, reason, steps_for};
use crate::math::largest;
use crate::model::World;
use crate::report::StepReport;
use crate::scene::Scene;
use crate::stabilizer::Stabilizer;
use glam::DVec3;

/// Motions slower than this in the mean are rest, in which nothing can be late, m/s.
const MOVING: f64 = 1e-6;

/// Poses and velocities of the dynamic bodies at one time.
#[derive(Clone, Debug)]
struct Sample {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
}

impl Sample {
    fn of(world: &World) -> Self {
        let bodies = || world.bodies().iter().filter(|body| body.is_dynamic());
        Self {
            q: bodies().map(|body| body.pose.coordinates()).collect(),
            v: bodies().map(|body| body.velocity.coordinates()).collect(),
        }
    }
}

/// A run, sampled at multiples of one interval.
pub(super) struct Trajectory {
    samples: Vec<Sample>,
    /// m, m and I of each dynamic body.
    masses: Vec<DVec3>,
    /// Reports of all steps, the initial state first.
    pub reports: Vec<StepReport>,
    /// Why it ended early, if it did.
    pub failure: Option<String>,
}

impl Trajectory {
    /// Steps by `h` s for `duration` s and keeps the state every `interval` s, or every step where h is longer.
    pub fn of(scene: &Scene, scheme: &Stabilizer, h: f64, duration: f64, interval: f64) -> Self {
        let scene = stepped(scene, h);
        let mut run =
            Run::under(&scene, method(&scene.settings, scheme), steps_for(&scene.settings, Some(duration)));
        let stride = (interval / h).round().max(1.0) as u64;
        let mass = |body: &crate::model::Body| {
            let p = body.mass_properties();
            DVec3::new(p.mass, p.mass, p.inertia)
        };
        let masses = scene.world.bodies().iter().filter(|body| body.is_dynamic()).map(mass).collect();
        let mut samples = vec![Sample::of(run.world())];
        let (mut reports, mut failure) = (vec![*run.initial()], None);
        while let Some(report) = run.next() {
            match report {
                Ok(report) => {
                    reports.push(report);
                    if (reports.len() as u64 - 1).is_multiple_of(stride) {
                        samples.push(Sample::of(run.world()));
                    }
                }
                Err(error) => failure = Some(reason(&error, run.world())),
            }
        }
        Self { samples, masses, reports, failure }
    }

    /// The trajectory, if the run did not fail.
    pub fn whole(self) -> Option<Self> {
        self.failure.is_none().then_some(self)
    }

    /// Pairs of samples at the same times; `other` may have every second one only.
    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Sample, &'a Sample)> {
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
