//! The multibody community's benchmarks: the library of González and others, and Andrews' squeezer of the test set for IVP solvers.
//!
//! The error of a run is the library's own [González, Dopico, Lugrís & Cuadrado 2006]: at n times t_j, in m variables y_i,
//!
//! ```text
//! e_i(t_j) = |y_i(t_j) − ŷ_i(t_j)|/max(|ŷ_i(t_j)|, y_min) ,     error = √( 1/(n m) Σ_j Σ_i e_i(t_j)² )
//! ```
//!
//! with ŷ the true motion (`truth.rs`) and y_min = 10⁻³. A solution of low precision may err by 10⁻¹, one of high precision by 10⁻³.
//! The squeezer has one time, the end. Nothing here reads a clock: a caller that wants times passes one.

pub(in crate::experiment) mod extrapolation;
mod page;
mod truth;

pub use page::{csv, markdown};

use super::reproduction::{FigureError, stepped};
use super::run::Run;
use crate::internal::Rotation;
use crate::method::{Integrator, Level, Method};
use crate::model::World;
use crate::scene::{Scene, catalogue, stabilizer_from};
use glam::DVec2;

/// y_min: below this a variable's error is measured as a share of it.
const THRESHOLD: f64 = 1e-3;
/// The largest error of a solution of low and of high precision.
pub const ALLOWED: [f64; 2] = [1e-1, 1e-3];

/// A benchmark.
#[derive(Debug)]
pub struct Benchmark {
    /// Key of the shipped scene.
    pub scene: &'static str,
    /// Its name on the page.
    pub name: &'static str,
    /// Number of times at which the motion is compared, and the time between two of them, s.
    samples: usize,
    span: f64,
    /// The compared variables of a world.
    observed: fn(&World) -> Option<Vec<f64>>,
    /// Their true values, at the start and after each span.
    truth: fn(usize, f64) -> Vec<Vec<f64>>,
    /// Numbers of steps in a span.
    counts: &'static [u32],
    /// What has been published, and where.
    pub published: &'static str,
}

/// All of them.
pub const BENCHMARKS: [Benchmark; 4] = [
    Benchmark {
        scene: "iftomm-a01-pendulum",
        name: "A01, simple pendulum, 10 s",
        samples: 400,
        span: 0.025,
        observed: |world| body(world, "mass").map(|(at, ..)| at.to_array().to_vec()),
        truth: truth::pendulum,
        counts: &[1, 2, 5, 10, 25, 50, 100],
        published: "OpenSim 3.2 on an Intel Core i5-4570 at 3.2 GHz: 0.637 s",
    },
    Benchmark {
        scene: "iftomm-a02-two-windows",
        name: "A02, two four-bar windows, 10 s",
        samples: 200,
        span: 0.05,
        observed: upper_end,
        truth: |samples, span| truth::four_bars(2, samples, span),
        counts: &[2, 5, 10, 25, 50, 100, 250],
        published: "OpenSim 3.2 on an Intel Core i5-4570 at 3.2 GHz: 0.455 s",
    },
    Benchmark {
        scene: "iftomm-a02-forty-windows",
        name: "A02, forty four-bar windows, 20 s",
        samples: 400,
        span: 0.05,
        observed: upper_end,
        truth: |samples, span| truth::four_bars(40, samples, span),
        counts: &[2, 5, 10, 25, 50],
        published: "no time that we could read",
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
        truth: truth::squeezer,
        counts: &[300, 600, 1500, 3000, 6000, 15000, 30000],
        published: "no time that we could read",
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
    benchmark: &'static Benchmark,
    truth: Vec<Vec<f64>>,
}

impl Yardstick {
    /// The yardstick of the scene with that key, if it is a benchmark's.
    pub fn of_scene(key: &str) -> Option<Self> {
        BENCHMARKS.iter().find(|benchmark| benchmark.scene == key).map(Self::of)
    }

    fn of(benchmark: &'static Benchmark) -> Self {
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

/// A method on the page: its name, the scheme, and an integrator at the acceleration level.
const METHODS: [(&str, &str, Option<Integrator>); 14] = [
    ("RATTLE", "rattle", None),
    ("None, Runge–Kutta", "none", Some(Integrator::Rk4)),
    ("Baumgarte, Runge–Kutta", "baumgarte_acceleration", Some(Integrator::Rk4)),
    ("Baumgarte, acceleration level", "baumgarte_acceleration", None),
    ("Baumgarte, velocity level", "baumgarte_velocity", None),
    ("Anitescu & Hart", "anitescu_hart", None),
    ("Implicit enforcement", "implicit", None),
    ("Post-stabilization", "post_stabilization", None),
    ("Projection", "projection", None),
    ("None", "none", None),
    ("XPBD, 10 substeps", "xpbd,substeps=10", None),
    ("NGS (Box2D 2.4)", "ngs", None),
    ("Split impulses (Bullet)", "split_impulse", None),
    ("Soft step (Box2D v3)", "soft", None),
];

/// A run of one method at one time step.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// h, s.
    pub time_step: f64,
    /// The benchmark's error; absent if the run failed.
    pub error: Option<f64>,
    /// Computing time of the run, s.
    pub cost: f64,
    /// Why it did not reach its end.
    pub failure: Option<String>,
}

/// The runs of one method, the largest time step first.
#[derive(Clone, Debug)]
pub struct MethodOutcomes {
    /// The method's name.
    pub name: &'static str,
    /// The scheme as the command line spells it.
    pub scheme: &'static str,
    /// A run for each time step.
    pub outcomes: Vec<Outcome>,
}

impl MethodOutcomes {
    /// The run with the largest time step from which on every smaller one keeps within `error`.
    pub fn within(&self, error: f64) -> Option<&Outcome> {
        let kept = |outcome: &&Outcome| outcome.error.is_some_and(|own| own <= error);
        self.outcomes.iter().rev().take_while(kept).last()
    }
}

/// Runs every method on a benchmark; `clock` returns seconds since an arbitrary moment.
///
/// # Errors
/// A scene that is not shipped, or a scheme that does not exist: a test ensures that this does not happen. A run that fails is no
/// error.
pub fn compute(
    benchmark: &'static Benchmark,
    clock: &dyn Fn() -> f64,
) -> Result<Vec<MethodOutcomes>, FigureError> {
    let key = benchmark.scene;
    let missing = || FigureError::Table(format!("no scene is named '{key}'"));
    let scene = catalogue::find(key).ok_or_else(missing)?.scene()?;
    let yardstick = Yardstick::of(benchmark);
    let mut lines = Vec::new();
    for (name, scheme, integrator) in METHODS {
        let run = |count: &u32| outcome(&scene, &yardstick, (scheme, integrator), *count, clock);
        let outcomes = benchmark.counts.iter().map(run).collect::<Result<_, _>>()?;
        lines.push(MethodOutcomes { name, scheme, outcomes });
    }
    Ok(lines)
}

fn outcome(
    scene: &Scene,
    yardstick: &Yardstick,
    (scheme, integrator): (&str, Option<Integrator>),
    count: u32,
    clock: &dyn Fn() -> f64,
) -> Result<Outcome, FigureError> {
    let Benchmark { samples, span, .. } = *yardstick.benchmark;
    let time_step = span / f64::from(count);
    let scene = stepped(scene, time_step);
    let stabilizer = stabilizer_from(scheme, time_step).map_err(FigureError::Table)?;
    let level = if integrator.is_some() { Level::Acceleration } else { stabilizer.info().levels[0] };
    let own = scene.settings.method.clone();
    let method = Method { stabilizer, level, integrator: integrator.unwrap_or_default(), ..own };
    let mut run = Run::under(&scene, method, samples as u64 * u64::from(count));
    let mut measurement = yardstick.measurement();
    let mut failure = None;
    let (mut cost, mut begun) = (0.0, clock());
    while let Some(report) = run.next() {
        cost += clock() - begun;
        match report {
            Ok(_) => measurement.take(run.world()),
            Err(error) => failure = Some(error.to_string()),
        }
        begun = clock();
    }
    let error = measurement.error().filter(|error| failure.is_none() && error.is_finite());
    Ok(Outcome { time_step, error, cost, failure })
}
