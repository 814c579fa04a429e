//! Errors and orders of schemes over the time step, planned as `driftlab converge` plans them.

use crate::attentive::attend;
use crate::errors::{StepError, value, wrong};
use crate::options::Options;
use crate::scene::Scene;
use driftlab::experiment::choice::{Choice, MOST_STEPS};
use driftlab::experiment::converge::{Plan, REFERENCE, TimeSteps, converge, csv, timings_csv};
use driftlab::experiment::{DEFAULT_DURATION, reason};
use driftlab::method::{Effort, Method};
use driftlab::scene;
use pyo3::prelude::*;
use std::time::Instant;

/// The meaning of 'rk4' as a reference: the classical method of order four, without stabilization.
const RK4: &str = "none,integrator=rk4";

/// The tables of `driftlab converge --csv` and `--timings`, as text.
#[pyfunction]
#[pyo3(signature = (scene, schemes, h, time, reference, refine))]
pub fn converge_csv(
    py: Python<'_>,
    scene: &Scene,
    schemes: Vec<String>,
    h: Option<Vec<f64>>,
    time: Option<f64>,
    reference: Option<&str>,
    refine: u64,
) -> PyResult<(String, String)> {
    let mut scene = scene.inner.clone();
    if !scene.world.bodies().iter().any(|body| body.is_dynamic()) {
        return Err(value("no body of the scene is dynamic: there is no motion to compare"));
    }
    if refine < 2 || !refine.is_multiple_of(2) {
        return Err(wrong("refine")(format!("expected an even number from 2 on, found {refine}")));
    }
    let settings = &scene.settings;
    let duration = time.or(settings.duration).unwrap_or(DEFAULT_DURATION);
    let steps = match &h {
        None => TimeSteps::halving(settings.time_step, duration).map_err(wrong("time"))?,
        Some(h) => TimeSteps::dividing(h, duration).map_err(wrong("h"))?,
    };
    // One method for all time steps: with the defaults of the largest, which are stable at all of them.
    scene.settings.set_time_step(steps.interval());
    let methods = schemes.iter().map(|text| method("schemes", text, &scene)).collect::<PyResult<_>>()?;
    let reference = self::reference(reference, &scene)?;
    let plan = Plan { methods, steps, reference, refined: refine };
    if plan.total_steps() > MOST_STEPS {
        let expected = "expected a shorter time, larger time steps, or a smaller refine";
        return Err(wrong("h")(format!(
            "more than {MOST_STEPS:e} steps with those of the reference ({expected})"
        )));
    }
    let found = attend(py, move |attention| {
        let start = Instant::now();
        let clock = || start.elapsed().as_secs_f64();
        converge(&scene, plan, &clock, &mut || attention.is_given())
    })?;
    let found = found.map_err(|error| {
        StepError::new_err(format!("{error} (another reference or a larger refine may help)"))
    })?;
    let (mut table, mut timings) = (Vec::new(), Vec::new());
    csv(&mut table, &found).map_err(value)?;
    timings_csv(&mut timings, &found).map_err(value)?;
    Ok((String::from_utf8(table)?, String::from_utf8(timings)?))
}

/// The method named by a text, in which `level` and `integrator` may be among the scheme's parameters; an integrator implies the
/// acceleration level.
fn method(argument: &str, text: &str, scene: &scene::Scene) -> PyResult<Method> {
    let (scheme, choice) = Choice::beside(text)
        .map_err(|refused| wrong(argument)(format!("'{text}': {}: {}", refused.what, refused.message)))?;
    let options = Options { scheme: Some(&scheme), choice, ..Options::default() };
    let told =
        |error: PyErr| Python::attach(|py| wrong(argument)(format!("'{text}': {}", error.value(py))));
    Ok(options.apply(scene).map_err(told)?.settings.method)
}

/// The method of the reference, always exact: RATTLE, or rk4 where RATTLE does not support the scene.
fn reference(text: Option<&str>, scene: &scene::Scene) -> PyResult<Method> {
    let exact = |text: &str| {
        let own = method("reference", text, scene)?;
        let reference = Method { effort: Effort::Exact, ..own };
        let checked = reference.check(&scene.world);
        checked.map_err(|error| wrong("reference")(reason(&error, &scene.world)))?;
        Ok(reference)
    };
    match text {
        Some("rk4") => exact(RK4),
        Some(text) => exact(text),
        None => exact(REFERENCE).or_else(|_: PyErr| exact(RK4)),
    }
}
