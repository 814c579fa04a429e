//! Grids of parameters: sweeps in parts, and maps of linear stability, as `driftlab sweep` and `driftlab stability` make them.

use crate::attentive::{Attention, attend};
use crate::errors::{StepError, value, wrong};
use crate::options::{parameters, spelled};
use crate::scene::Scene;
use crate::steps::Steps;
use driftlab::experiment::stability::{Linear, Model, Point, StabilityError};
use driftlab::experiment::sweep::{Head, Length, Shard, Table, merge, run_point};
use driftlab::experiment::{Axis, Grid, SCENE_PARAMETERS, Study};
use driftlab::method::Stabilizer;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The scene's parameters that enter a linearised step, without load and with it.
const OF_THE_UNLOADED: &[&str] = &["dt"];
const OF_THE_LOADED: &[&str] = &["dt", "gravity"];

fn grid(over: &[String]) -> PyResult<Grid> {
    let axes = over.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>();
    axes.and_then(Grid::new).map_err(wrong("over"))
}

/// A study of the scene as `Scene.under` makes it of the options, under the scheme that `scheme` spells, completed by
/// the first values of the axes of an alternative parameter set.
fn study(
    scene: &Bound<'_, Scene>,
    scheme: Option<String>,
    options: &Bound<'_, PyDict>,
    grid: &Grid,
) -> PyResult<Study> {
    if scheme.is_none() && options.is_empty() {
        return Ok(Study::new(scene.get().inner.clone(), None));
    }
    let whole = scheme.as_deref().map(|text| completed(text, grid));
    let posed = scene.call_method("under", (whole,), Some(options))?;
    let study = Study::new(posed.cast::<Scene>()?.get().inner.clone(), None);
    let Some(text) = scheme else { return Ok(study) };
    let keys = study.keys();
    let given = parameters(Some(options))?;
    let own: Vec<_> = given.into_iter().filter(|(key, _)| keys.contains(&key.as_str())).collect();
    Ok(Study::new(study.scene().clone(), Some(spelled(&text, &own))))
}

fn completed(text: &str, grid: &Grid) -> String {
    let key = text.split(',').next().unwrap_or_default().trim();
    let Some(info) = Stabilizer::by_key(key).map(|own| own.info()) else { return text.to_owned() };
    let native = |key: &str| info.parameters.iter().any(|own| own.key == key);
    let languages = || info.languages.iter().filter(|own| own.in_files);
    let speaks = |key: &str| languages().flat_map(|own| own.parameters).any(|own| own.key == key);
    let of_language = grid.axes().iter().filter(|axis| speaks(&axis.key) && !native(&axis.key));
    of_language.fold(text.to_owned(), |text, axis| format!("{text},{}={}", axis.key, axis.values()[0]))
}

/// Checks each value of each axis once, the other axes at their first value.
fn check(grid: &Grid, accepts: impl Fn(&[(&str, &str)]) -> Result<(), String>) -> PyResult<()> {
    let first: Vec<_> =
        grid.axes().iter().map(|axis| (axis.key.as_str(), axis.values()[0].as_str())).collect();
    for (place, axis) in grid.axes().iter().enumerate() {
        for own in axis.values() {
            let mut settings = first.clone();
            settings[place].1 = own;
            accepts(&settings).map_err(wrong("over"))?;
        }
    }
    Ok(())
}

/// A sweep of a scene over a grid, to be run in parts.
#[pyclass(frozen, module = "driftlab")]
pub struct Sweep {
    plan: Arc<Plan>,
}

struct Plan {
    study: Study,
    grid: Grid,
    length: Length,
}

impl Plan {
    fn head(&self, shard: Shard) -> Head {
        Head::new(&self.study, &self.grid, self.length, shard)
    }
}

#[pymethods]
impl Sweep {
    /// checked: every value of the grid has been accepted before, by the process that has planned the sweep.
    #[new]
    #[pyo3(signature = (scene, scheme, options, over, steps, time, *, checked=false))]
    fn new(
        scene: &Bound<'_, Scene>,
        scheme: Option<String>,
        options: &Bound<'_, PyDict>,
        over: Vec<String>,
        steps: Option<Steps>,
        time: Option<f64>,
        checked: bool,
    ) -> PyResult<Self> {
        let steps = steps.map(|own| own.0);
        let grid = grid(&over)?;
        let study = study(scene, scheme, options, &grid)?;
        if !checked {
            check(&grid, |settings| study.at(settings).map(drop))?;
        }
        // Refuses both at once, and times that are none.
        crate::options::steps(&study.scene().settings, steps, time)?;
        let length = steps.map_or(Length::Time(time), Length::Steps);
        Ok(Self { plan: Arc::new(Plan { study, grid, length }) })
    }

    /// Number of runs.
    #[getter]
    fn points(&self) -> u64 {
        self.plan.grid.points()
    }

    /// The digest that the files of this sweep's parts begin with.
    #[getter]
    fn id(&self) -> String {
        self.plan.head(Shard::WHOLE).id
    }

    /// Runs part number `part` of `parts`, from 1, and returns its file: the bytes of `driftlab sweep --shard part/parts`.
    fn run(&self, py: Python<'_>, part: u64, parts: u64) -> PyResult<String> {
        let shard = Shard::parse(&format!("{part}/{parts}")).map_err(wrong("part"))?;
        let plan = Arc::clone(&self.plan);
        let rows = attend(py, move |attention| {
            let indices = shard.indices(plan.grid.points()).take_while(|_| attention.is_given());
            indices.map(|index| run_point(&plan.study, &plan.grid, plan.length, index)).collect()
        })?;
        text(&Table { head: self.plan.head(shard), rows })
    }
}

fn text(table: &Table) -> PyResult<String> {
    Ok(String::from_utf8(table.to_bytes().map_err(value)?)?)
}

/// Which sweep and part a part's file is of: (id, part, parts). Raises ValueError if the file is not whole.
#[pyfunction]
pub fn part_of(text: &str) -> PyResult<(String, u64, u64)> {
    let head = Table::parse(text).map_err(value)?.head;
    Ok((head.id, head.part, head.parts))
}

/// Joins the files of all parts of a sweep to that of the whole.
#[pyfunction]
pub fn merge_parts(parts: Vec<(String, String)>) -> PyResult<String> {
    let read = |(name, text): (String, String)| {
        let table = Table::parse(&text).map_err(|error| value(format!("{name}: {error}")))?;
        Ok((name, table))
    };
    text(&merge(parts.into_iter().map(read).collect::<PyResult<_>>()?).map_err(value)?)
}

/// A point's values, the spectral radius, that of the constraint part (nan if unloaded), the closed form, and 'true',
/// 'marginal' or 'false'.
type MapRow = (Vec<String>, f64, f64, f64, &'static str);

/// The table of `driftlab stability`, row by row.
#[pyfunction]
pub fn stability_map(
    py: Python<'_>,
    scene: &Bound<'_, Scene>,
    scheme: Option<String>,
    options: &Bound<'_, PyDict>,
    over: Vec<String>,
    unloaded: bool,
) -> PyResult<Vec<MapRow>> {
    let grid = grid(&over)?;
    let study = study(scene, scheme, options, &grid)?;
    attend(py, move |attention| stability_rows(&study, &grid, unloaded, attention))?
}

fn stability_rows(
    study: &Study,
    grid: &Grid,
    unloaded: bool,
    attention: &Attention,
) -> PyResult<Vec<MapRow>> {
    let varied = if unloaded { OF_THE_UNLOADED } else { OF_THE_LOADED };
    let is_idle =
        |key: &str| SCENE_PARAMETERS.iter().any(|(name, _)| *name == key) && !varied.contains(&key);
    let case = |settings: &[(&str, &str)]| {
        if let Some((key, _)) = settings.iter().find(|(key, _)| is_idle(key)) {
            let expected = varied.join(", ");
            return Err(format!(
                "'{key}' does not enter (expected {expected} or a parameter of the stabilizer)"
            ));
        }
        let scene = study.at(settings)?;
        let method = &scene.settings.method;
        let model = Model::of(method, scene.settings.time_step);
        let model =
            model.ok_or_else(|| format!("'{}' has no linearisation here", method.stabilizer.info().key))?;
        Ok((scene, model))
    };
    check(grid, |settings| case(settings).map(drop))?;
    let own = study.scene();
    let told = |error: StabilityError| StepError::new_err(format!("{}: {error}", own.name));
    let [rows, _] = Linear::size(&own.world, &own.settings.method);
    let others = !own.world.nonholonomic().is_empty() || !own.world.springs().is_empty();
    if rows == 0 && (unloaded || !others) {
        return Err(value(format!(
            "{}: no joint and no contact to be stable (expected a scene with one)",
            own.name
        )));
    }
    let linear = Linear::of(&own.world, &own.settings.method).map_err(told)?;
    let mut rows = Vec::new();
    for index in (0..grid.points()).take_while(|_| attention.is_given()) {
        let settings = grid.at(index);
        let (scene, model) = case(&settings).map_err(wrong("over"))?;
        let h = scene.settings.time_step;
        let point = if unloaded {
            Point::unloaded(&model, h, Some(&linear))
        } else {
            Point::loaded(&model, h, &scene.world, &scene.settings.method)
        };
        let point = point.map_err(|error| {
            let hint = match error {
                StabilityError::NotThisStep | StabilityError::NoLoadedForm { .. } => {
                    " (unloaded=True linearises the constraint error alone, contacts that touch taken as equations)"
                }
                _ => "",
            };
            StepError::new_err(format!("row {index}: {error}{hint}"))
        })?;
        let values = settings.into_iter().map(|(_, own)| own.to_owned()).collect();
        let number = |radius: Option<f64>| radius.unwrap_or(f64::NAN);
        rows.push((
            values,
            number(point.radius),
            number(point.constraint),
            point.closed,
            point.verdict.key(),
        ));
    }
    Ok(rows)
}
