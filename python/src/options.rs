//! How a scene is to be stepped: the arguments of `Scene.under`, with the meaning and the errors of the command line's options.

use crate::errors::{value, wrong};
use driftlab::experiment::choice::{Choice, Refused, can_begin, few_steps};
use driftlab::experiment::{SCENE_PARAMETERS, Study, reason};
use driftlab::method::Stabilizer;
use driftlab::peers;
use driftlab::scene::{self, Scene, Settings, solver_from};
use driftlab::step::make_consistent;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The options by name; those that are absent leave the scene's own.
#[derive(Default)]
pub struct Options<'a> {
    pub scheme: Option<&'a str>,
    pub h: Option<f64>,
    pub choice: Choice,
    pub solver: Option<&'a str>,
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
        if self.consistent {
            let fitted = make_consistent(&mut scene.world);
            fitted.map_err(|error| wrong("consistent")(reason(&error, &scene.world)))?;
        }
        let mut scene = self.with_scheme(scene)?;
        let refused = |refused: Refused| wrong(refused.what)(refused.message);
        scene.settings.method = self.choice.apply(scene.settings.method).map_err(refused)?;
        can_begin(&scene.settings.method, &scene).map_err(refused)?;
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
            base.settings.method.stabilizer = stabilizer_from(key, h)?;
            let study = Study::new(base, None);
            let keys = study.keys();
            if given.iter().any(|(key, _)| !keys.contains(key)) {
                return Err(study.at(&given).map_or_else(value, |_| value("unknown parameter")));
            }
            let text = spelled(text, &self.parameters);
            scene.settings.method.stabilizer = stabilizer_from(&text, h)?;
            given.retain(|(key, _)| is_of_scene(key));
        }
        Study::new(scene, None).at(&given).map_err(value)
    }
}

/// The scheme that `text` spells, with defaults at the time step `h`, s. The error about an engine that this module has not says
/// how to get it.
fn stabilizer_from(text: &str, h: f64) -> PyResult<Stabilizer> {
    let key = text.split(',').next().unwrap_or_default().trim();
    let told = |error| match peers::lacking(key) {
        Some(name) => format!(
            "{name} is not in this module (expected one installed by `pip install ./python --config-settings \
             build-args='--features engines'`, which steps scenes by Box2D and Rapier)"
        ),
        None => error,
    };
    scene::stabilizer_from(text, h).map_err(told).map_err(wrong("scheme"))
}

/// The text of a scheme with those of the parameters that are not the scene's.
pub fn spelled(text: &str, parameters: &[(String, String)]) -> String {
    let own = parameters.iter().filter(|(key, _)| !is_of_scene(key));
    own.fold(text.to_owned(), |text, (key, value)| format!("{text},{key}={value}"))
}

fn is_of_scene(key: &str) -> bool {
    SCENE_PARAMETERS.iter().any(|(name, _)| *name == key)
}

/// The number of steps that is asked for: as a number, as a time in s, or as the scene's duration.
pub fn steps(settings: &Settings, steps: Option<u64>, time: Option<f64>) -> PyResult<u64> {
    match (steps, time) {
        (Some(_), Some(_)) => Err(value("steps and time: expected one of the two")),
        (Some(steps), None) => Ok(steps),
        (None, time) => {
            let place = if time.is_some() { "time" } else { "settings.duration" };
            let time = time.map(|time| positive("time", time)).transpose()?;
            few_steps(settings, time, ", or steps").map_err(wrong(place))
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

/// The value of an argument by its key, by `read`.
pub fn named<T>(text: Option<&str>, read: fn(&str) -> Result<T, Refused>) -> PyResult<Option<T>> {
    let read =
        |text| read(text).map_err(|refused| wrong(refused.what)(format!("{refused}, found '{text}'")));
    text.map(read).transpose()
}
