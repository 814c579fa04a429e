//! The multibody community's benchmarks: the library of González and others, and Andrews' squeezer of the test set for
//! IVP solvers.
//!
//! The error of a run is the library's own [González, Dopico, Lugrís & Cuadrado 2006]: at n times t_j, in m variables y_i,
//!
//! ```text
//! e_i(t_j) = |y_i(t_j) − ŷ_i(t_j)|/max(|ŷ_i(t_j)|, y_min) ,     error = √( 1/(n m) Σ_j Σ_i e_i(t_j)² )
//! ```
//!
//! with ŷ the true motion (`truth.rs`) and y_min = 10⁻³. A solution of low precision may err by 10⁻¹, one of high
//! precision by 10⁻³. The squeezer has one time, the end. Nothing here reads a clock: a caller that wants times passes one.

mod codes;
pub(crate) mod extrapolation;
mod page;
mod picture;
pub mod truth;
pub(crate) mod yardstick;

pub use codes::{Code, MACHINE};
pub use page::{csv, markdown};
pub use picture::draw;
pub use yardstick::{BENCHMARKS, Benchmark};

use crate::document::FigureError;
use driftlab::experiment::Run;
use driftlab::experiment::internal::stepped;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::World;
use driftlab::scene::{Scene, catalogue, stabilizer_from};
use yardstick::Yardstick;

/// The largest error of a solution of low and of high precision.
pub const ALLOWED: [f64; 2] = [1e-1, 1e-3];

/// A run of less than [`SHORT`] s is made so many times, and the fastest time of each of its steps counts.
const REPEATS: usize = 3;
const SHORT: f64 = 1.0;

/// A method on the page: its name, the scheme, and an integrator at the acceleration level.
const METHODS: [(&str, &str, Option<Integrator>); 20] = [
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
    ("Gear, Gupta & Leimkuhler", "ggl", None),
    ("Generalised α, ρ∞ = 0.8", "generalized_alpha", None),
    ("Direct joints, iterated contacts", "direct_iterated", None),
    ("AVBD", "avbd", None),
    ("MuJoCo's convex problem", "mujoco", None),
    ("SAP (Drake)", "sap", None),
];

/// A run of one method at one time step.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// h, s.
    pub time_step: f64,
    /// The benchmark's error; absent if the run failed.
    pub error: Option<f64>,
    /// Parts into which a step was divided on average because it could not be made whole; their time is part of the cost.
    pub parts: f64,
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

    /// The order: log of the error over log of the time step, between the two smallest time steps between which the
    /// error falls and is neither large nor rounding; `None` if there are none.
    pub fn order(&self) -> Option<f64> {
        /// Errors in which a power of h shows: a larger one is as large as the motion, a smaller one is rounding.
        const RESOLVED: std::ops::Range<f64> = 1e-9..1e-1;
        let between = |pair: &[Outcome]| {
            let (coarse, fine) = (&pair[0], &pair[1]);
            let (first, last) = (coarse.error?, fine.error?);
            let resolved = RESOLVED.contains(&first) && RESOLVED.contains(&last) && last < first;
            resolved.then(|| (first / last).ln() / (coarse.time_step / fine.time_step).ln())
        };
        self.outcomes.windows(2).rev().find_map(between)
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
    let begin = || Run::under(&scene, method.clone(), samples as u64 * u64::from(count));
    let mut measurement = yardstick.measurement();
    let (mut failure, mut parts) = (None, 0);
    let mut costs = timed(begin(), clock, |world, report| match report {
        Ok(own) => {
            measurement.take(world);
            parts += own;
        }
        Err(error) => failure = Some(error),
    });
    // Other work of the machine can only add time.
    for _ in 1..REPEATS {
        if costs.iter().sum::<f64>() < SHORT {
            let again = timed(begin(), clock, |_, _| {});
            costs.iter_mut().zip(again).for_each(|(cost, again)| *cost = cost.min(again));
        }
    }
    let error = measurement.error().filter(|error| failure.is_none() && error.is_finite());
    let (cost, parts) = (costs.iter().sum(), (parts as f64 / costs.len() as f64).max(1.0));
    Ok(Outcome { time_step, error, parts, cost, failure })
}

/// Makes a run to its end and returns what each step costs, s; `seen` sees the world behind each and the parts into
/// which it was divided, or why there is no more.
fn timed(
    mut run: Run,
    clock: &dyn Fn() -> f64,
    mut seen: impl FnMut(&World, Result<usize, String>),
) -> Vec<f64> {
    let (mut costs, mut begun) = (Vec::new(), clock());
    while let Some(report) = run.next() {
        costs.push(clock() - begun);
        seen(run.world(), report.map(|report| report.substeps).map_err(|error| error.to_string()));
        begun = clock();
    }
    costs
}
