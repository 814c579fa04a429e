//! `driftlab stability`: the spectral radius of the constraint error over one or more parameters.

use super::arguments::{Posing, StabilityArguments};
use super::failure::Failure;
use super::files;
use super::map::{check_values, completed, grid, write_map, write_rows};
use super::open;
use super::output::{figure, print};
use crate::experiment::stability::{Linear, Model, SOFT_PARAMETERS, Soft, largest_stable_beta};
use crate::experiment::{
    Axis, Grid, Map, Run, SCENE_PARAMETERS, Scale, Shading, Study, describe as describe_scheme, reason,
    steps_for,
};
use crate::parameter::Values;
use crate::scene::Scene;
use crate::stabilizer::{Integrator, Level};

/// Name of Box2D's soft constraints, which are no scheme of the table but can be analysed.
const SOFT: &str = "soft";
/// Up to this many multiplications the eigenvalues are computed at every point; beyond, they are left out.
const EFFORT: f64 = 1e12;
/// Above 1 by less than this, ρ is 1 with rounding.
const ROUNDING: f64 = 1e-9;
/// ρ at the dark and at the bright end of the colours.
const SHADES: (f64, f64) = (0.0, 2.0);
/// Points of the exact boundary.
const CURVE_POINTS: u32 = 2000;

/// What the parameters belong to.
enum Subject {
    Scheme(Box<Study>),
    Soft { values: Values, time_step: f64 },
}

/// A point of the map.
struct Point {
    radius: Option<f64>,
    closed: f64,
    stable: bool,
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
    scene.settings.time_step = arguments.dt.unwrap_or(scene.settings.time_step);
    let subject = Subject::of(arguments, &grid, &mut scene)?;
    check_values(&grid, |settings| subject.model(settings).map(drop))?;
    files::guard(&source, &[("--csv", csv), ("--plot", plot)])?;
    let linear = Linear::of(&scene.world, &scene.settings.method)
        .map_err(|error| Failure::Numerical(format!("{}: {error}", scene.name)))?;
    if linear.rank() == 0 {
        return Err(Failure::wrong(format!(
            "{}: no joint and no contact to be stable (expected a scene with one, or --at a time when it has)",
            arguments.scene
        )));
    }
    let points = points(&subject, &grid, &linear)?;
    write_rows(csv.as_deref(), &rows(&grid, &points))?;
    if let Some(path) = plot {
        let title = format!("{}: {}", scene.name, subject.name(&grid));
        let curves = boundary(&subject, &grid);
        let values = points.iter().map(|point| point.radius.or(Some(point.closed))).collect();
        let label = "spectral radius ρ";
        let shading = Shading::Between(SHADES.0, SHADES.1);
        write_map(path, &Map { title: &title, axes: grid.axes(), values, label, shading, curves })?;
    }
    match csv {
        Some(_) => Ok(print(&describe(&linear, &points))?),
        None => Ok(()),
    }
}

/// Brings the scene to `time`, s, by its own scheme.
fn advance(scene: &mut Scene, time: f64) -> Result<(), Failure> {
    let steps = steps_for(&scene.settings, Some(time));
    let mut run = Run::new(scene, steps);
    let failed = run.by_ref().find_map(Result::err);
    scene.world = run.world().clone();
    match failed {
        None => Ok(()),
        Some(error) => {
            let (at, why) = (scene.world.time, reason(&error, &scene.world));
            Err(Failure::Numerical(format!("{}: after {at:.6} s: {why}", scene.name)))
        }
    }
}

impl Subject {
    fn of(arguments: &StabilityArguments, grid: &Grid, scene: &mut Scene) -> Result<Self, Failure> {
        let text = arguments.stabilizer.as_deref();
        let posing =
            Posing { level: arguments.level, integrator: arguments.integrator, ..Posing::default() };
        if let Some(parameters) = text.and_then(soft_parameters) {
            if arguments.level == Some(Level::Acceleration) || arguments.integrator.is_some() {
                return Err(Failure::wrong(format!("--level: '{SOFT}' exists at level velocity alone")));
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

    /// The linearisation with the given parameters, and its time step.
    fn model(&self, settings: &[(&str, &str)]) -> Result<(Model, f64), String> {
        match self {
            Self::Scheme(study) => {
                let is_idle =
                    |key: &str| SCENE_PARAMETERS.iter().any(|(name, _)| *name == key && key != "dt");
                if let Some((key, _)) = settings.iter().find(|(key, _)| is_idle(key)) {
                    return Err(format!(
                        "'{key}' does not enter (expected dt or a parameter of the stabilizer)"
                    ));
                }
                let settings = study.at(settings)?.settings;
                let (method, h) = (&settings.method, settings.time_step);
                let key = method.stabilizer.info().key;
                let model = Model::of(method, h);
                model.map(|model| (model, h)).ok_or_else(|| format!("'{key}' has no linearisation here"))
            }
            Self::Soft { values, time_step } => {
                let (mut values, mut h) = (values.clone(), *time_step);
                for (key, text) in settings {
                    match *key {
                        "dt" => h = text.parse().ok().filter(|h| *h > 0.0).ok_or("dt is not above 0")?,
                        _ => values.set_text(key, text).map_err(|error| error.to_string())?,
                    }
                }
                Ok((Model::Soft(Soft::from_values(&values)), h))
            }
        }
    }
}

/// What follows `soft,` or nothing, if that is the scheme.
fn soft_parameters(text: &str) -> Option<&str> {
    match text.split_once(',') {
        Some((SOFT, rest)) => Some(rest),
        None if text == SOFT => Some(""),
        _ => None,
    }
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

fn points(subject: &Subject, grid: &Grid, linear: &Linear) -> Result<Vec<Point>, Failure> {
    let size = (2 * linear.coordinates() + linear.rows()) as f64;
    let affordable = size.powi(3) * grid.points() as f64 <= EFFORT;
    if let (false, Subject::Soft { .. }) = (affordable, subject) {
        let most = (EFFORT / size.powi(3)) as u64;
        return Err(Failure::wrong(format!(
            "--over: more points than this scene allows (expected {most} or fewer)"
        )));
    }
    let point = |index: u64| {
        let (model, h) = subject.model(&grid.at(index)).map_err(Failure::wrong)?;
        let block = model.block(h);
        let radius = match affordable {
            true => {
                let radius = linear.spectral_radius(&model, h);
                Some(radius.map_err(|error| Failure::Numerical(format!("row {index}: {error}")))?)
            }
            false => None,
        };
        let stable = match radius {
            Some(radius) if !model.is_decoupled() => radius <= 1.0 + ROUNDING,
            // Exact on the boundary, where rounded eigenvalues are not.
            _ => block.is_stable(),
        };
        Ok(Point { radius, closed: block.spectral_radius(), stable })
    };
    (0..grid.points()).map(point).collect()
}

fn rows(grid: &Grid, points: &[Point]) -> String {
    let keys: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).collect();
    let mut text = format!("{},spectral_radius,closed_form,stable\n", keys.join(","));
    for (index, Point { radius, closed, stable }) in (0..).zip(points) {
        grid.at(index).iter().for_each(|(_, value)| text.push_str(&format!("{value},")));
        let radius = radius.map_or_else(String::new, |radius| radius.to_string());
        text.push_str(&format!("{radius},{closed},{stable}\n"));
    }
    text
}

/// ρ = 1 across a line; in a map over α and β of semi-implicit Euler the exact boundary.
fn boundary(subject: &Subject, grid: &Grid) -> Vec<(String, Vec<(f64, f64)>)> {
    if let [axis] = grid.axes() {
        let numbers = axis.numbers().unwrap_or_default();
        return vec![("ρ = 1".to_owned(), numbers.into_iter().map(|x| (x, 1.0)).collect())];
    }
    let (Subject::Scheme(study), [first, second]) = (subject, grid.axes()) else { return Vec::new() };
    let settings = &study.scene().settings;
    let parabola = settings.method.stabilizer.info().key == "baumgarte_acceleration"
        && settings.method.integrator == Integrator::SemiImplicitEuler;
    let keys = [first.key.as_str(), second.key.as_str()];
    if !parabola || (keys != ["alpha", "beta"] && keys != ["beta", "alpha"]) {
        return Vec::new();
    }
    let alpha_first = keys[0] == "alpha";
    let h = settings.time_step;
    let [low, high] = ends(if alpha_first { first } else { second });
    let alpha = |i: u32| {
        let t = f64::from(i) / f64::from(CURVE_POINTS);
        // Half of the points by ratios for a logarithmic axis, half bunched at the tip αh = 1, where the curve is steep.
        let high = high.min(1.0 / h);
        let steep = high - (high - low) * (1.0 - t) * (1.0 - t);
        let even = if low > 0.0 { low * (high / low).powf(t) } else { low + t * (high - low) };
        [even, steep]
    };
    let mut alphas: Vec<f64> = (0..=CURVE_POINTS).flat_map(alpha).filter(|alpha| *alpha >= 0.0).collect();
    alphas.sort_by(f64::total_cmp);
    let curve = alphas.into_iter().filter_map(|alpha| Some((alpha, largest_stable_beta(alpha, h)?)));
    let placed = curve.map(|(alpha, beta)| if alpha_first { (alpha, beta) } else { (beta, alpha) });
    vec![("(βh)² + 4αh = 4".to_owned(), placed.collect())]
}

/// Smallest and largest value, and half a cell beyond, where cells are drawn to.
fn ends(axis: &Axis) -> [f64; 2] {
    let numbers = axis.numbers().unwrap_or_default();
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match axis.scale {
        Scale::Logarithmic => [low * low / high, high * high / low],
        Scale::Linear | Scale::Words => [(2.0 * low - high).max(0.0), 2.0 * high - low],
    }
}

fn describe(linear: &Linear, points: &[Point]) -> String {
    let (rank, rows, coordinates) = (linear.rank(), linear.rows(), linear.coordinates());
    let stable = points.iter().filter(|point| point.stable).count();
    let mut text = format!(
        "{rank} independent of {rows} rows over {coordinates} coordinates\n{stable} of {} points stable\n",
        points.len()
    );
    let gap = |point: &Point| Some((point.radius? - point.closed).abs());
    match points.iter().filter_map(gap).reduce(f64::max) {
        Some(gap) => {
            text.push_str(&format!("eigenvalues and closed form differ by {} at most\n", figure(gap)))
        }
        None => text.push_str("too large for the eigenvalues at every point: closed form alone\n"),
    }
    text
}
