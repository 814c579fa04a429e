//! How a scene is to be stepped: the arguments of `Scene.under`, with the meaning and the errors of the command line's options.

use crate::errors::{value, wrong};
use driftlab::experiment::{SCENE_PARAMETERS, Study, reason, steps_for};
use driftlab::method::{Effort, Integrator, Level, Method};
use driftlab::report::StepError;
use driftlab::scene::{
    Scene, Settings, no_effort, no_integrator, no_such_level, solver_from, stabilizer_from,
};
use driftlab::step::make_consistent;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Most steps into which a duration may be divided: eleven days at a microsecond per step.
const MOST_STEPS: u64 = 1_000_000_000_000;

/// The options by name; those that are absent leave the scene's own.
#[derive(Default)]
pub struct Options<'a> {
    pub scheme: Option<&'a str>,
    pub h: Option<f64>,
    pub level: Option<&'a str>,
    pub integrator: Option<&'a str>,
    pub solver: Option<&'a str>,
    pub effort: Option<&'a str>,
    pub consistent: bool,
    /// Parameters of the scheme or of the scene, each with its value as the command line spells it.
    pub parameters: Vec<(String, String)>,
}

/// Keyword arguments as parameters: numbers in the shortest decimal that reads back to the same bits.
pub fn parameters(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let spelled = |(key, own): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let text = match own.extract::<f64>() {
            Ok(number) => format!("{number}"),
            Err(_) => own.str()?.to_string(),
        };
        Ok((key.extract()?, text))
    };
    given.iter().map(spelled).collect()
}

impl Options<'_> {
    /// The scene as the options say.
    pub fn apply(&self, scene: &Scene) -> PyResult<Scene> {
        let mut scene = scene.clone();
        if let Some(h) = self.h {
            scene.settings.set_time_step(positive("h", h)?);
        }
        let method = &mut scene.settings.method;
        if let Some(text) = self.solver {
            method.solver = solver_from(text).map_err(wrong("solver"))?;
        }
        let integrators = Integrator::ALL.map(|own| (own.key(), own));
        let integrator = named("integrator", self.integrator, &integrators)?;
        method.integrator = integrator.unwrap_or(method.integrator);
        let efforts = Effort::ALL.map(|own| (own.key(), own));
        let effort = named("effort", self.effort, &efforts)?;
        method.effort = effort.unwrap_or(method.effort);
        if self.consistent {
            let fitted = make_consistent(&mut scene.world);
            fitted.map_err(|error| wrong("consistent")(reason(&error, &scene.world)))?;
        }
        let mut scene = self.with_scheme(scene)?;
        let levels = Level::ALL.map(|own| (own.key(), own));
        let level = named("level", self.level, &levels)?;
        let method = &mut scene.settings.method;
        let own = method.stabilizer.info().levels;
        match level {
            Some(level) if !own.contains(&level) => {
                return Err(wrong("level")(no_such_level(method, level)));
            }
            Some(level) => method.level = level,
            None if !own.contains(&method.level) => method.level = own[0],
            None => {}
        }
        if integrator.is_some() && method.level != Level::Acceleration {
            return Err(wrong("integrator")(no_integrator(method)));
        }
        if effort == Some(Effort::Bounded) && !method.is_bounded() {
            return Err(wrong("effort")(no_effort(method)));
        }
        self.check(&scene.settings.method, &scene)?;
        Ok(scene)
    }

    /// The scene under the scheme that is named, or its own, with the parameters set.
    fn with_scheme(&self, mut scene: Scene) -> PyResult<Scene> {
        let mut given: Vec<_> =
            self.parameters.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        if let Some(text) = self.scheme {
            let h = scene.settings.time_step;
            let key = text.split(',').next().unwrap_or_default();
            let mut base = scene.clone();
            base.settings.method.stabilizer = stabilizer_from(key, h).map_err(wrong("scheme"))?;
            let study = Study::new(base, None);
            let keys = study.keys();
            if given.iter().any(|(key, _)| !keys.contains(key)) {
                return Err(study.at(&given).map_or_else(value, |_| value("unknown parameter")));
            }
            let is_of_scene = |key: &str| SCENE_PARAMETERS.iter().any(|(name, _)| *name == key);
            let own = given.iter().filter(|(key, _)| !is_of_scene(key));
            let text = own.fold(text.to_owned(), |text, (key, value)| format!("{text},{key}={value}"));
            scene.settings.method.stabilizer = stabilizer_from(&text, h).map_err(wrong("scheme"))?;
            given.retain(|(key, _)| is_of_scene(key));
        }
        Study::new(scene, None).at(&given).map_err(value)
    }

    /// Refuses a world with which the method cannot make its first step.
    fn check(&self, method: &Method, scene: &Scene) -> PyResult<()> {
        let (world, h) = (&scene.world, scene.settings.time_step);
        let refused = method.check(world).and_then(|()| method.check_crowd(world, h));
        refused.map_err(|error| {
            let place = match error {
                StepError::Unsuitable { .. } => "solver",
                StepError::Crowded(_) => "bodies",
                _ => "scheme",
            };
            wrong(place)(reason(&error, world))
        })
    }
}

/// The number of steps that is asked for: as a number, as a time in s, or as the scene's duration.
pub fn steps(settings: &Settings, steps: Option<u64>, time: Option<f64>) -> PyResult<u64> {
    match (steps, time) {
        (Some(_), Some(_)) => Err(value("steps and time: expected one of the two")),
        (Some(steps), None) => Ok(steps),
        (None, time) => {
            let place = if time.is_some() { "time" } else { "settings.duration" };
            let time = time.map(|time| positive("time", time)).transpose()?;
            match steps_for(settings, time) {
                steps if steps <= MOST_STEPS => Ok(steps),
                _ => Err(wrong(place)(format!(
                    "more than {MOST_STEPS:e} steps of {} s (expected a shorter time, or steps)",
                    settings.time_step
                ))),
            }
        }
    }
}

/// A number above 0.
fn positive(argument: &str, number: f64) -> PyResult<f64> {
    if number.is_finite() && number > 0.0 {
        Ok(number)
    } else {
        Err(wrong(argument)(format!("expected a number greater than 0, found {number}")))
    }
}

fn named<T: Copy>(argument: &str, text: Option<&str>, all: &[(&str, T)]) -> PyResult<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    let keys: Vec<_> = all.iter().map(|(key, _)| *key).collect();
    let found = all.iter().find(|(key, _)| *key == text);
    let expected = || wrong(argument)(format!("expected {}, found '{text}'", keys.join(", ")));
    found.map(|(_, own)| Some(*own)).ok_or_else(expected)
}
