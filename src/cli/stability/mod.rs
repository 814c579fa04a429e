//! `driftlab stability`: the spectral radius of a linearised step over one or more parameters.
//!
//! It linearises the full step about the current loaded state, or with `--unloaded` the constraint error alone, without
//! load or motion.

mod boundary;
mod extent;
mod points;

use super::arguments::StabilityArguments;
use super::failure::Failure;
use super::files;
use super::map::{check_values, completed, grid, write_map, write_rows};
use super::open::{self, wrong_option};
use super::options::Posing;
use super::output::{complain, print};
use crate::experiment::choice::few_steps;
use crate::experiment::stability::{Linear, Model, SOFT_PARAMETERS, Soft, modes};
use crate::experiment::{
    Grid, Map, Run, SCENE_PARAMETERS, Shading, Study, describe as describe_scheme, reason,
};
use crate::files::is_standard;
use crate::method::{Level, Method, Operation};
use crate::parameter::Values;
use crate::scene::{Scene, shown};
use extent::Extent;
use points::{Case, Form, describe, points, table};

/// ρ at the dark and at the bright end of the colour scale.
const SHADES: (f64, f64) = (0.0, 2.0);
/// The scene's parameters that can be varied under `--unloaded`, in addition to the scheme's.
const OF_THE_UNLOADED: &[&str] = &["dt"];
/// The scene's parameters that can be varied for the loaded step.
const OF_THE_LOADED: &[&str] = &["dt", "gravity"];

/// What is analysed: a scheme or Box2D's soft constraints, with their parameters.
enum Subject {
    Scheme(Box<Study>),
    Soft { values: Values, time_step: f64 },
}

/// Runs the command.
pub(super) fn run(arguments: &StabilityArguments) -> Result<(), Failure> {
    let StabilityArguments { csv, plot, .. } = arguments;
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let grid = grid(&arguments.over, plot.as_deref())?;
    if let Some(time) = arguments.at {
        advance(&mut scene, time)?;
    }
    scene.settings.set_time_step(arguments.dt.unwrap_or(scene.settings.time_step));
    let subject = Subject::of(arguments, &grid, &mut scene)?;
    let varied = if arguments.unloaded { OF_THE_UNLOADED } else { OF_THE_LOADED };
    check_values(&grid, |settings| subject.case(settings, varied).map(drop))?;
    files::guard(&source, &[("--csv", csv), ("--plot", plot)])?;
    let [rows, coordinates] = Linear::size(&scene.world, &scene.settings.method);
    let others = !scene.world.nonholonomic().is_empty() || !scene.world.springs().is_empty();
    let is_scheme = matches!(subject, Subject::Scheme(_));
    if rows == 0 && !(others && !arguments.unloaded && is_scheme) {
        return Err(Failure::wrong(format!(
            "{}: no joint and no contact to be stable (expected a scene with one, or --at a time when it has)",
            arguments.scene
        )));
    }
    let extent = Extent { rows, coordinates, points: grid.points(), large: arguments.large };
    let closed_form_alone = is_scheme && arguments.unloaded && !extent.affordable();
    if !closed_form_alone {
        extent.refuse(is_scheme)?;
        complain(&extent.notice().map(|text| format!("stability: {text}")).into_iter().collect::<Vec<_>>());
    }
    let linear = || {
        Linear::of(&scene.world, &scene.settings.method)
            .map_err(|error| Failure::Numerical(format!("{}: {error}", shown(&scene.name))))
    };
    let linear = if closed_form_alone { None } else { Some(linear()?) };
    let form = match &linear {
        Some(linear) if is_scheme && !arguments.unloaded => Form::Loaded(linear),
        linear => Form::Unloaded(linear.as_ref()),
    };
    let points = points(form, &grid, |settings| subject.case(settings, varied))?;
    write_rows(csv.as_deref(), &table(form, &grid, &points))?;
    if let Some(path) = plot {
        let title = format!("{}: {}", scene.name, subject.name(&grid));
        let settings = match &subject {
            Subject::Scheme(study) => Some(&study.scene().settings),
            Subject::Soft { .. } => None,
        };
        let curves = boundary::curves(settings, &grid);
        let values = points.iter().map(|point| Some(point.deciding())).collect();
        let label = "spectral radius ρ";
        let shading = Shading::Between(SHADES.0, SHADES.1);
        write_map(path, &Map { title: &title, axes: grid.axes(), values, label, shading, curves })?;
    }
    match csv {
        Some(path) if !is_standard(path) => {
            // A state in motion has no modes, and says so above.
            let modes = modes(&scene.world).unwrap_or_default();
            Ok(print(&describe(form, &extent, &points, &modes))?)
        }
        _ => Ok(()),
    }
}

/// Brings the scene to `time`, s, by its own scheme.
fn advance(scene: &mut Scene, time: f64) -> Result<(), Failure> {
    let steps = few_steps(&scene.settings, Some(time), "").map_err(wrong_option("--at"))?;
    let mut run = Run::new(scene, steps);
    let failed = run.by_ref().find_map(Result::err);
    scene.world = run.world().clone();
    match failed {
        None => Ok(()),
        Some(error) => {
            let (at, why) = (scene.world.time(), reason(&error, &scene.world));
            Err(Failure::Numerical(format!("{}: after {at:.6} s: {why}", shown(&scene.name))))
        }
    }
}

impl Subject {
    fn of(arguments: &StabilityArguments, grid: &Grid, scene: &mut Scene) -> Result<Self, Failure> {
        let text = arguments.stabilizer.as_deref();
        let posing =
            Posing { level: arguments.level, integrator: arguments.integrator, ..Posing::default() };
        if let Some((key, parameters)) =
            text.and_then(|text| soft_constraints(text, scene.settings.time_step))
        {
            if arguments.level == Some(Level::Acceleration) || arguments.integrator.is_some() {
                return Err(Failure::wrong(format!("--level: '{key}' exists at level velocity alone")));
            }
            let values = soft_values(parameters)
                .map_err(|message| Failure::wrong(format!("--stabilizer: {message}")))?;
            return Ok(Self::Soft { values, time_step: scene.settings.time_step });
        }
        let settings = &mut scene.settings.method;
        settings.integrator = arguments.integrator.unwrap_or(settings.integrator);
        let text = completed(text, grid).or(arguments.stabilizer.clone());
        let method = posing.method(scene, "--stabilizer", text.as_deref())?;
        posing.check_integrator(std::slice::from_ref(&method))?;
        scene.settings.method = method;
        Ok(Self::Scheme(Box::new(Study::new(scene.clone(), arguments.stabilizer.clone()))))
    }

    fn name(&self, grid: &Grid) -> String {
        let varied: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).collect();
        match self {
            Self::Scheme(study) => describe_scheme(study.scene(), &varied),
            Self::Soft { .. } => "soft constraints".to_owned(),
        }
    }

    /// The case with the given parameters; of the scene's own parameters only those named in `varied` are allowed.
    fn case(&self, settings: &[(&str, &str)], varied: &[&str]) -> Result<Case, String> {
        match self {
            Self::Scheme(study) => {
                let is_idle = |key: &str| {
                    SCENE_PARAMETERS.iter().any(|(name, _)| *name == key) && !varied.contains(&key)
                };
                if let Some((key, _)) = settings.iter().find(|(key, _)| is_idle(key)) {
                    return Err(format!(
                        "'{key}' does not enter (expected {} or a parameter of the stabilizer)",
                        varied.join(", ")
                    ));
                }
                let scene = study.at(settings)?;
                let (method, h) = (&scene.settings.method, scene.settings.time_step);
                let key = method.stabilizer.info().key;
                let model =
                    Model::of(method, h).ok_or_else(|| format!("'{key}' has no linearisation here"))?;
                Ok(Case { model, h, scene: Some(scene) })
            }
            Self::Soft { values, time_step } => {
                let (mut values, mut h) = (values.clone(), *time_step);
                for (key, text) in settings {
                    match *key {
                        "dt" => h = text.parse().ok().filter(|h| *h > 0.0).ok_or("dt is not above 0")?,
                        _ => values.set_text(key, text).map_err(|error| error.to_string())?,
                    }
                }
                Ok(Case { model: Model::Soft(Soft::from_values(&values)), h, scene: None })
            }
        }
    }
}

/// The key of a scheme of soft substeps, and the text behind its comma. It is analysed as Box2D's soft constraints, which take
/// [`SOFT_PARAMETERS`] and not those of the scheme.
fn soft_constraints(text: &str, h: f64) -> Option<(&str, &str)> {
    let (key, rest) = text.split_once(',').unwrap_or((text, ""));
    let method = Method::by_key(key)?;
    let operations = (method.stabilizer.scheme().operations)(&method, h);
    matches!(operations[..], [Operation::SoftSubsteps { .. }]).then_some((key, rest))
}

fn soft_values(text: &str) -> Result<Values, String> {
    let mut values = Values::defaults(SOFT_PARAMETERS);
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (key, value) =
            part.split_once('=').ok_or_else(|| format!("expected key=value, found '{part}'"))?;
        values.set_text(key.trim(), value.trim()).map_err(|error| error.to_string())?;
    }
    Ok(values)
}
