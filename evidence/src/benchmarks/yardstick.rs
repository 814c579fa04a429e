//! The benchmarks with their true motions, and the error of a run beside them.

use super::codes::{Code, OF_THE_TEST_SET};
use super::truth::{four_bars, pendulum, squeezer};
use driftlab::model::World;
use driftlab_engine::internal::Rotation;
use glam::DVec2;

/// y_min: below this a variable's error is measured as a share of it.
const THRESHOLD: f64 = 1e-3;

/// A benchmark.
#[derive(Debug)]
pub struct Benchmark {
    /// Key of the shipped scene.
    pub scene: &'static str,
    /// Its name on the page.
    pub name: &'static str,
    /// Number of times at which the motion is compared, and the time between two of them, s.
    pub(super) samples: usize,
    pub(super) span: f64,
    /// The compared variables of a world.
    observed: fn(&World) -> Option<Vec<f64>>,
    /// Their true values, at the start and after each span.
    truth: fn(usize, f64) -> Vec<Vec<f64>>,
    /// Numbers of steps in a span.
    pub(super) counts: &'static [u32],
    /// What has been published, and where.
    pub published: &'static str,
    /// Published codes beside which the methods are drawn.
    pub codes: &'static [Code],
}

/// All of them.
pub const BENCHMARKS: [Benchmark; 4] = [
    Benchmark {
        scene: "iftomm-a01-pendulum",
        name: "A01, simple pendulum, 10 s",
        samples: 400,
        span: 0.025,
        observed: |world| body(world, "mass").map(|(at, ..)| at.to_array().to_vec()),
        truth: pendulum,
        counts: &[1, 2, 5, 10, 25, 50, 100],
        published: "OpenSim 3.2 on an Intel Core i5-4570 at 3.2 GHz: 0.637 s",
        codes: &[],
    },
    Benchmark {
        scene: "iftomm-a02-two-windows",
        name: "A02, two four-bar windows, 10 s",
        samples: 200,
        span: 0.05,
        observed: upper_end,
        truth: |samples, span| four_bars(2, samples, span),
        counts: &[2, 5, 10, 25, 50, 100, 250],
        published: "OpenSim 3.2 on an Intel Core i5-4570 at 3.2 GHz: 0.455 s",
        codes: &[],
    },
    Benchmark {
        scene: "iftomm-a02-forty-windows",
        name: "A02, forty four-bar windows, 20 s",
        samples: 400,
        span: 0.05,
        observed: upper_end,
        truth: |samples, span| four_bars(40, samples, span),
        counts: &[2, 5, 10, 25, 50],
        published: "no time that we could read",
        codes: &[],
    },
    Benchmark {
        scene: "andrews-squeezer",
        name: "A03, Andrews' squeezer, 0.03 s",
        samples: 1,
        span: 0.03,
        observed: |world| {
            let names = ["K1", "K2", "K3", "K4", "K5", "K6", "K7"];
            names.into_iter().map(|name| body(world, name).map(|(_, angle, ..)| angle)).collect()
        },
        truth: squeezer,
        counts: &[300, 600, 1500, 3000, 6000, 15000, 30000],
        published: "no time of the library's that we could read; two published codes, run by us, stand below the table",
        codes: OF_THE_TEST_SET,
    },
];

/// Position (m), angle (rad) and velocities (m/s, rad/s) of a body.
fn body(world: &World, name: &str) -> Option<(DVec2, f64, DVec2, f64)> {
    let body = world.bodies().iter().find(|body| body.name == name)?;
    Some((body.pose.position, body.pose.angle, body.velocity.linear, body.velocity.angular))
}

/// Position and velocity of B₀, the upper end of the first leg.
fn upper_end(world: &World) -> Option<Vec<f64>> {
    let (at, angle, linear, angular) = body(world, "leg 0")?;
    let arm = Rotation::from_angle(angle).apply(DVec2::new(0.0, 0.5));
    let (at, rate) = (at + arm, linear + angular * arm.perp());
    Some(vec![at.x, at.y, rate.x, rate.y])
}

/// A benchmark with its true motion, beside which runs are measured.
#[derive(Debug)]
pub(crate) struct Yardstick {
    pub(super) benchmark: &'static Benchmark,
    truth: Vec<Vec<f64>>,
}

impl Yardstick {
    /// The yardstick of the scene with that key, if it is a benchmark's.
    pub fn of_scene(key: &str) -> Option<Self> {
        BENCHMARKS.iter().find(|benchmark| benchmark.scene == key).map(Self::of)
    }

    pub(super) fn of(benchmark: &'static Benchmark) -> Self {
        Self { benchmark, truth: (benchmark.truth)(benchmark.samples, benchmark.span) }
    }

    /// A measurement of a run from its start.
    pub fn measurement(&self) -> Measurement<'_> {
        Measurement { yardstick: self, taken: 0, sum: 0.0 }
    }
}

/// The error of a run so far.
#[derive(Debug)]
pub(crate) struct Measurement<'y> {
    yardstick: &'y Yardstick,
    taken: usize,
    sum: f64,
}

impl Measurement<'_> {
    /// Compares `world`, if its time is the next one at which the motion is compared.
    pub fn take(&mut self, world: &World) {
        let Benchmark { samples, span, observed, .. } = *self.yardstick.benchmark;
        let due = (self.taken + 1) as f64 * span;
        // Times are sums of time steps.
        if self.taken == samples || (world.time() - due).abs() > 1e-9 * due {
            return;
        }
        self.taken += 1;
        let truth = &self.yardstick.truth[self.taken];
        let Some(values) = observed(world) else { return };
        let share = |(value, truth): (f64, &f64)| ((value - truth) / truth.abs().max(THRESHOLD)).powi(2);
        self.sum += values.into_iter().zip(truth).map(share).sum::<f64>() / truth.len() as f64;
    }

    /// The error over the times so far; `None` before the first.
    pub fn error(&self) -> Option<f64> {
        (self.taken > 0).then(|| (self.sum / self.taken as f64).sqrt())
    }
}
