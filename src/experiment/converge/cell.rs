//! One method at one time step: its errors, and its times by the caller's clock.

use super::errors::Errors;
use super::steps::Pace;
use crate::experiment::run::Run;
use crate::experiment::run::trajectory::{Trajectory, stepped};
use crate::method::Method;
use crate::scene::Scene;

/// How often a short run is repeated. Its steps are the same each time, and of each step the fastest time counts:
/// other work of the machine can only add time.
const REPEATS: usize = 3;
/// A run that takes longer is made once, s: interruptions are a small share of it.
const SHORT: f64 = 1.0;

/// The results of one method at one time step.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Time step, s.
    pub h: f64,
    /// Steps of the whole run.
    pub steps: u64,
    /// Largest errors, or why and when the run failed.
    pub errors: Result<Errors, String>,
    /// Median time of a step, µs, by the caller's clock.
    pub step_us: f64,
    /// Time of all steps made, s, by the caller's clock.
    pub total: f64,
}

/// Times of the steps of a run, s.
struct Times(Vec<f64>);

impl Times {
    fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    fn median(mut self) -> f64 {
        self.0.sort_by(f64::total_cmp);
        self.0.get(self.0.len() / 2).copied().unwrap_or_default()
    }

    /// Makes a run for its times alone.
    fn of(run: &mut Run, clock: &dyn Fn() -> f64) -> Self {
        let mut times = Vec::new();
        let mut start = clock();
        while run.next().is_some() {
            times.push(clock() - start);
            start = clock();
        }
        Self(times)
    }
}

impl Cell {
    /// Runs the scene by `method` and measures it against `reference`; `observe` is told of each step.
    pub(super) fn new(
        scene: &Scene,
        method: &Method,
        pace: Pace,
        reference: &Trajectory,
        clock: &dyn Fn() -> f64,
        observe: &mut dyn FnMut() -> bool,
    ) -> Self {
        let scene = stepped(scene, pace.h);
        let mut times = Times(Vec::new());
        let motion = Trajectory::of(&scene, method, pace.steps, pace.stride, |run| {
            let start = clock();
            let report = run.next()?;
            times.0.push(clock() - start);
            observe().then_some(report)
        });
        let errors = match failure(&motion) {
            Some(failure) => Err(failure),
            None => Ok(Errors::between(reference, &motion)),
        };
        for _ in 1..REPEATS {
            if errors.is_err() || times.total() > SHORT {
                break;
            }
            let again = Times::of(&mut Run::under(&scene, method.clone(), pace.steps), clock);
            times.0.iter_mut().zip(again.0).for_each(|(time, again)| *time = time.min(again));
        }
        let total = times.total();
        Self { h: pace.h, steps: pace.steps, errors, step_us: 1e6 * times.median(), total }
    }
}

/// When and why a run ended early, if it did.
pub(super) fn failure(run: &Trajectory) -> Option<String> {
    let failure = run.failure.as_ref()?;
    Some(format!("fails at {:.6} s: {failure}", run.summary.time))
}
