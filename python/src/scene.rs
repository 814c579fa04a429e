//! Scenes: read, written, and set up for a run.

use crate::errors::{scene_error, value, wrong};
use crate::options::{self, Options, named, parameters};
use crate::steps::Steps;
use driftlab::experiment::choice::{self, Choice};
use driftlab::experiment::{contradiction, label};
use driftlab::import;
use driftlab::method::Stabilizer;
use driftlab::peers;
use driftlab::scene::{self, catalogue, nearest};
use driftlab::schemes::TABLE;
use driftlab::{lcp, model::World};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A scene: a world, and how to step it. A scene does not change; `under` makes another one.
///
/// SI units, radians, y up. The format of files is described in docs/SCENES.md.
#[pyclass(frozen, module = "driftlab")]
#[derive(Clone)]
pub struct Scene {
    /// The library's scene.
    pub inner: scene::Scene,
}

#[pymethods]
impl Scene {
    /// The shipped scene of that name; `scenes()` lists them.
    #[staticmethod]
    fn shipped(py: Python<'_>, name: &str) -> PyResult<Self> {
        let known = || catalogue::entries().iter().map(|entry| entry.key);
        let entry = catalogue::find(name).ok_or_else(|| {
            let meant =
                nearest(name, known()).map_or_else(String::new, |own| format!(" (did you mean '{own}'?)"));
            value(format!("no shipped scene is named '{name}'{meant}"))
        })?;
        parsed(py, entry.text, Some(name))
    }

    /// Reads a scene file. Raises SceneError with every problem of the file, and OSError if it cannot be read.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let title = path.display().to_string();
        let told = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{title}: {error}"));
        parsed(py, &std::fs::read_to_string(&path).map_err(told)?, Some(&title))
    }

    /// Converts a file of R.U.B.E., Box2D, MuJoCo or Algodoo (docs/IMPORT.md). Returns the scene and what is left out of it,
    /// pairs of a place in the file and a sentence. Raises SceneError if the file is none of these, and OSError if it cannot be
    /// read.
    #[staticmethod]
    fn import_file(py: Python<'_>, path: PathBuf) -> PyResult<(Self, Vec<(String, String)>)> {
        let title = path.display().to_string();
        let told = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{title}: {error}"));
        let bytes = std::fs::read(&path).map_err(told)?;
        let imported = py.detach(|| import::import(&bytes, None));
        let imported = imported.map_err(|problems| scene_error(py, Some(&title), &problems))?;
        Ok((Self { inner: imported.scene }, pairs(imported.left_out)))
    }

    /// The scene as MJCF, MuJoCo's XML, and what is left out of that.
    fn to_mjcf(&self) -> (String, Vec<(String, String)>) {
        let exported = import::export(&self.inner);
        (exported.text, pairs(exported.left_out))
    }

    /// Reads a scene from JSON text.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        parsed(py, text, None)
    }

    /// Reads a scene from a dictionary with the keys of a scene file; numpy numbers and arrays may be among its values.
    #[classmethod]
    fn from_dict(_class: &Bound<'_, PyType>, scene: &Bound<'_, PyDict>) -> PyResult<Self> {
        parsed(scene.py(), &keys_text(scene)?, None)
    }

    /// The scene as JSON text, with its world as it is: read again, it continues to the same bits.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The scene as a dictionary with the keys of a scene file.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.inner.to_json(),))
    }

    /// Writes a scene file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let told = |error: std::io::Error| {
            std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        };
        Ok(std::fs::write(&path, self.inner.to_json()).map_err(told)?)
    }

    /// The scene under another scheme, time step or parameters; what is not given stays as it is.
    ///
    /// scheme: 'KIND' or 'KIND,key=value,…', other parameters at their defaults; `schemes()` lists them. An engine, 'box2d' or
    /// 'rapier', needs a module with the feature `engines` (docs/PYTHON.md).
    /// h: time step, s.
    /// level: 'velocity' or 'acceleration'. integrator, at the acceleration level: 'semi_implicit_euler',
    /// 'explicit_euler' or 'rk4'. solver: 'KIND' or 'KIND,key=value,…'. effort of the solver 'auto': 'exact' or 'bounded'.
    /// consistent: changes the start velocities as little as possible so that they fit all joints and velocity constraints.
    /// Further keywords are parameters of the scheme (gamma=0.5) or of the scene (gravity, friction, restitution,
    /// active_distance, active_travel, contact_tolerance).
    #[pyo3(signature = (scheme=None, *, h=None, level=None, integrator=None, solver=None, effort=None, consistent=false, **parameters))]
    #[expect(clippy::too_many_arguments)]
    fn under(
        &self,
        scheme: Option<&str>,
        h: Option<f64>,
        level: Option<&str>,
        integrator: Option<&str>,
        solver: Option<&str>,
        effort: Option<&str>,
        consistent: bool,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let parameters = self::parameters(parameters)?;
        let choice = Choice {
            level: named(level, choice::level)?,
            integrator: named(integrator, choice::integrator)?,
            effort: named(effort, choice::effort)?,
        };
        let options = Options { scheme, h, choice, solver, consistent, parameters };
        Ok(Self { inner: options.apply(&self.inner)? })
    }

    /// The number of steps of a run: `steps`, or those of `time` (s), or those of the scene's duration.
    #[pyo3(signature = (steps=None, time=None))]
    fn count_steps(&self, steps: Option<Steps>, time: Option<f64>) -> PyResult<u64> {
        options::steps(&self.inner.settings, steps.map(|own| own.0), time)
    }

    /// What is to be said before the first step: that small errors grow under the scheme, or that the start velocities
    /// contradict the joints.
    fn warnings(&self) -> Vec<String> {
        let (settings, world) = (&self.inner.settings, &self.inner.world);
        let unstable = settings.method.instability(settings.time_step).map(|own| own.to_string());
        let contradicts = contradiction(world, &settings.method);
        let contradicts = contradicts.map(|text| format!("{text}; consistent=True makes them fit"));
        unstable.into_iter().chain(contradicts).collect()
    }

    /// Name for people.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// What is built, if the scene says so.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.inner.description.as_deref()
    }

    /// What to look at, if the scene says so.
    #[getter]
    fn observe(&self) -> Option<&str> {
        self.inner.observe.as_deref()
    }

    /// The names of the bodies, in the order of all arrays.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        body_names(&self.inner.world)
    }

    /// The kinds of the joints, in the order of all arrays.
    #[getter]
    fn joints(&self) -> Vec<&'static str> {
        self.inner.world.joints().iter().map(|joint| joint.kind.key()).collect()
    }

    /// The names of the joints, in the order of all arrays: kind and bodies, 'hinge wall – bar', with a number behind
    /// those that would have the name of another.
    #[getter]
    fn joint_names(&self) -> Vec<String> {
        joint_names(&self.inner.world)
    }

    /// Time step, s.
    #[getter]
    fn h(&self) -> f64 {
        self.inner.settings.time_step
    }

    /// Duration of a run, s, if the scene states one.
    #[getter]
    fn duration(&self) -> Option<f64> {
        self.inner.settings.duration
    }

    /// The scheme with its parameters, as `under` and the command line read it.
    #[getter]
    fn scheme(&self) -> String {
        format!("{:?}", self.inner.settings.method.stabilizer)
    }

    /// The scheme in short: of a scheme with many parameters, only those that are not at their defaults.
    #[getter]
    fn label(&self) -> String {
        label(&self.inner.settings.method.stabilizer)
    }

    /// The level at which constraints are posed.
    #[getter]
    fn level(&self) -> &'static str {
        self.inner.settings.method.level.key()
    }

    /// The integrator at the acceleration level.
    #[getter]
    fn integrator(&self) -> &'static str {
        self.inner.settings.method.integrator.key()
    }

    /// A small picture of the scene, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("driftlab._svg")?.call_method1("drawn", (slf,))
    }

    fn __repr__(&self) -> String {
        let bodies = self.inner.world.bodies().len();
        format!("<Scene '{}': {bodies} bodies, {}, h = {} s>", self.inner.name, self.scheme(), self.h())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let scene = &slf.get().inner;
        let mut keys: Value = serde_json::from_str(&scene.to_json()).map_err(value)?;
        // A parameter that nobody has set follows the time step; stated in the text, it would count as set.
        if let Some(stabilizer) = keys["settings"]["stabilizer"].as_object_mut() {
            stabilizer.retain(|key, _| !follows_step(&scene.settings.method.stabilizer, key));
        }
        Ok((slf.getattr("from_json")?.unbind(), (keys.to_string(),)))
    }
}

/// Whether the parameter `key` of a scheme has a default that changes with the time step, and nobody has set another value.
fn follows_step(stabilizer: &Stabilizer, key: &str) -> bool {
    /// s; a default that changes with the time step cannot be the same at both.
    const STEPS: [f64; 2] = [1e-9, 1e9];
    let at = |h: f64| {
        let mut other = stabilizer.clone();
        other.follow_step(h);
        other.values.get(key)
    };
    at(STEPS[0]) != at(STEPS[1])
}

/// The names of a world's bodies; those without one are called by their index.
pub fn body_names(world: &World) -> Vec<String> {
    let name =
        |(index, own): (usize, &str)| if own.is_empty() { format!("body {index}") } else { own.to_owned() };
    world.bodies().iter().map(|body| body.name.as_str()).enumerate().map(name).collect()
}

/// The index of a body that is given by its name or its index.
pub fn body_index(world: &World, given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let count = world.bodies().len();
    if let Ok(index) = given.extract::<usize>() {
        let missing = || wrong("body")(format!("there is no body {index} (expected one of {count})"));
        return (index < count).then_some(index).ok_or_else(missing);
    }
    let name: String = given
        .extract()
        .map_err(|_| wrong("body")(format!("expected a name or an index, found {given}")))?;
    let names = body_names(world);
    names.iter().position(|own| *own == name).ok_or_else(|| {
        let meant = nearest(&name, names.iter().map(String::as_str));
        let meant = meant.map_or_else(String::new, |own| format!(" (did you mean '{own}'?)"));
        wrong("body")(format!("no body is named '{name}'{meant}"))
    })
}

/// The names of a world's joints: kind and bodies, with a number behind those that would have the name of another.
pub fn joint_names(world: &World) -> Vec<String> {
    let bodies = body_names(world);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let name = |joint: &driftlab::model::Joint| {
        let [a, b] = joint.bodies().map(|body| bodies[body].as_str());
        let name = format!("{} {a} – {b}", joint.kind.key());
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name} ({count})") }
    };
    world.joints().iter().map(name).collect()
}

/// The index of a joint that is given by its name or its index.
pub fn joint_index(world: &World, given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let count = world.joints().len();
    if let Ok(index) = given.extract::<usize>() {
        let missing = || wrong("joint")(format!("there is no joint {index} (expected one of {count})"));
        return (index < count).then_some(index).ok_or_else(missing);
    }
    let name: String = given
        .extract()
        .map_err(|_| wrong("joint")(format!("expected a name or an index, found {given}")))?;
    let names = joint_names(world);
    names.iter().position(|own| *own == name).ok_or_else(|| {
        let meant = nearest(&name, names.iter().map(String::as_str));
        let meant = meant.map_or_else(String::new, |own| format!(" (did you mean '{own}'?)"));
        wrong("joint")(format!("no joint is named '{name}'{meant}"))
    })
}

/// A dictionary of keys of a scene file as JSON; numpy numbers and arrays may be among its values.
pub fn keys_text(keys: &Bound<'_, PyDict>) -> PyResult<String> {
    let py = keys.py();
    let options = PyDict::new(py);
    options.set_item("default", py.import("driftlab._json")?.getattr("plain")?)?;
    py.import("json")?.call_method("dumps", (keys,), Some(&options))?.extract()
}

/// Places and sentences.
fn pairs(problems: Vec<scene::Problem>) -> Vec<(String, String)> {
    problems.into_iter().map(|problem| (problem.path, problem.message)).collect()
}

fn parsed(py: Python<'_>, text: &str, title: Option<&str>) -> PyResult<Scene> {
    let parsed = py.detach(|| scene::Scene::parse(text));
    parsed.map(|inner| Scene { inner }).map_err(|problems| scene_error(py, title, &problems))
}

/// The names of the shipped scenes, from the simple to the hard.
#[pyfunction]
pub fn scenes() -> Vec<&'static str> {
    catalogue::entries().iter().map(|entry| entry.key).collect()
}

/// The schemes, and the engines that this module has: key to (equation, {parameter: (default, least, largest, unit, meaning)}).
#[pyfunction]
pub fn schemes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for info in peers::all().map(|(_, scheme)| scheme.info()) {
        all.set_item(info.key, (info.equation, described(py, info.parameters)?))?;
    }
    Ok(all)
}

/// The schemes that exist at a level, or all; without the engines, which have to be named.
#[pyfunction]
#[pyo3(signature = (level))]
pub fn schemes_at(level: Option<&str>) -> PyResult<Vec<&'static str>> {
    let level = named(level, choice::level)?;
    let all = TABLE.iter().map(|scheme| scheme.info());
    let at = all.filter(|info| level.is_none_or(|own| info.levels.contains(&own)));
    Ok(at.map(|info| info.key).collect())
}

/// The solvers of a step's problem: key to (summary, {parameter: (default, least, largest, unit, meaning)}).
#[pyfunction]
pub fn solvers(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for solver in lcp::solvers() {
        let info = solver.info();
        all.set_item(info.key, (info.summary, described(py, info.parameters)?))?;
    }
    Ok(all)
}

fn described<'py>(
    py: Python<'py>,
    parameters: &[driftlab::parameter::Parameter],
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for own in parameters {
        all.set_item(own.key, (own.default, own.minimum, own.maximum, own.unit, own.meaning))?;
    }
    Ok(all)
}
