//! `driftlab converge`: errors and orders of schemes over the time step, as tables, CSV files and a figure.

mod table;

use super::arguments::ConvergeArguments;
use super::compare::named_or_all;
use super::failure::Failure;
use super::files::{self, Sink, any_standard};
use super::open::{self, wrong_option};
use super::options::Posing;
use super::output::{complain, json, tell};
use super::progress::Progress;
use super::values::format_of;
use super::warnings::warn_of_instability;
use crate::experiment::choice::{Choice, MOST_STEPS, Refused};
use crate::experiment::converge::{
    Convergence, Plan, REFERENCE, TimeSteps, converge, csv, draw, timings_csv,
};
use crate::experiment::{Axis, DEFAULT_DURATION};
use crate::method::{Effort, Method};
use crate::scene::Scene;
use std::path::Path;
use std::time::Instant;

/// The meaning of `--reference rk4`: the classical method of order four, without stabilization.
const RK4: &str = "none,integrator=rk4";

/// Runs the command.
pub(super) fn run(arguments: &ConvergeArguments) -> Result<(), Failure> {
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let plan = plan(arguments, &mut scene)?;
    let ConvergeArguments { csv: rows, timings, plot, .. } = arguments;
    let outputs = [("--csv", rows), ("--timings", timings), ("--plot", plot)];
    files::guard(&source, &outputs)?;
    let standard = any_standard(&outputs);
    let mut progress = Progress::new(plan.total_steps());
    let start = Instant::now();
    let convergence = converge(&scene, plan, &|| start.elapsed().as_secs_f64(), &mut || {
        progress.advance();
        true
    });
    progress.finish();
    let convergence = convergence.map_err(|failure| {
        Failure::Numerical(format!("{failure} (another --reference or a larger --refine may help)"))
    })?;
    if let Some(path) = rows {
        write_csv(path, |file| csv(file, &convergence))?;
    }
    if let Some(path) = timings {
        write_csv(path, |file| timings_csv(file, &convergence))?;
    }
    if let Some(path) = plot {
        let format = format_of(path).map_err(Failure::wrong)?;
        let picture = draw(&convergence, format)
            .map_err(|error| Failure::wrong(format!("{}: {error}", path.display())))?;
        files::write(path, &picture)?;
    }
    if arguments.json {
        tell(&(json(&table::json(&convergence))? + "\n"), standard)?;
    } else {
        tell(&table::text(&convergence), standard)?;
    }
    failures(&convergence)
}

/// The runs that the options and the scene ask for.
fn plan(arguments: &ConvergeArguments, scene: &mut Scene) -> Result<Plan, Failure> {
    let posing = &arguments.posing;
    posing.apply(&mut scene.settings.method)?;
    posing.fit(&mut scene.world)?;
    if !scene.world.bodies().iter().any(|body| body.is_dynamic()) {
        return Err(Failure::wrong("no body of the scene is dynamic: there is no motion to compare"));
    }
    let steps = time_steps(arguments, scene)?;
    // One method for all time steps: with the defaults of the largest, which are stable at all of them.
    scene.settings.set_time_step(steps.interval());
    let named = named_or_all(&arguments.schemes, posing);
    let method = |text: &String| method(posing, scene, "--schemes", text);
    let methods = named.iter().map(method).collect::<Result<Vec<_>, _>>()?;
    warn_of_instability(&methods, steps.interval());
    posing.check(&methods, scene, (!arguments.schemes.is_empty()).then_some("--schemes"))?;
    complain(&posing.solver_notes(&methods, &scene.world));
    let reference = reference(arguments.reference.as_deref(), scene)?;
    let plan = Plan { methods, steps, reference, refined: arguments.refine };
    if plan.total_steps() > MOST_STEPS {
        return Err(Failure::wrong(format!(
            "--h: more than {MOST_STEPS:e} steps with those of the reference (expected a shorter --time, larger time \
             steps, or a smaller --refine)"
        )));
    }
    Ok(plan)
}

/// The method named by a text. `level` and `integrator` may be among the scheme's parameters and override the
/// options; an integrator implies the acceleration level.
fn method(posing: &Posing, scene: &Scene, option: &'static str, text: &str) -> Result<Method, Failure> {
    let wrong =
        |refused: Refused| wrong_option(option)(format!("'{text}': {}: {}", refused.what, refused.message));
    let (scheme, own) = Choice::beside(text).map_err(wrong)?;
    let level = own.level.or(posing.level);
    let method = Posing { level, ..posing.clone() }.method(scene, option, Some(&scheme))?;
    Choice { level: None, ..own }.apply(method).map_err(wrong)
}

/// The method of the reference, with the scene's solver and contact settings, and always exact.
fn reference(text: Option<&str>, scene: &Scene) -> Result<Method, Failure> {
    let exact = Posing { effort: Some(Effort::Exact), ..Posing::default() };
    let named = |text: &str| {
        let mut reference = method(&exact, scene, "--reference", text)?;
        exact.apply(&mut reference)?;
        Ok(reference)
    };
    match text {
        Some("rk4") => named(RK4),
        Some(text) => named(text),
        None => {
            let rattle = named(REFERENCE)?;
            if rattle.check(&scene.world).is_ok() { Ok(rattle) } else { named(RK4) }
        }
    }
}

/// The time steps of `--h`, in the syntax of `--over`; by default the scene's time step, repeatedly halved.
fn time_steps(arguments: &ConvergeArguments, scene: &Scene) -> Result<TimeSteps, Failure> {
    let settings = &scene.settings;
    let duration = arguments.time.or(settings.duration).unwrap_or(DEFAULT_DURATION);
    let Some(text) = &arguments.h else {
        return TimeSteps::halving(settings.time_step, duration).map_err(wrong_option("--time"));
    };
    let wrong = wrong_option("--h");
    let expected = "expected VALUE,VALUE,… or FROM:TO:log:COUNT, in s";
    // The range is parsed as that of a parameter named h; its messages begin with that name.
    let of_range = |message: String| wrong(message.trim_start_matches("h: ").to_owned());
    let axis = Axis::parse(&format!("h={text}")).map_err(of_range)?;
    let values = axis.numbers().ok_or_else(|| wrong(format!("'{text}': {expected}")))?;
    let is_range = text.contains(':');
    let steps = if is_range { TimeSteps::near } else { TimeSteps::dividing };
    steps(&values, duration).map_err(wrong)
}

fn write_csv(path: &Path, write: impl FnOnce(&mut Sink) -> csv::Result<()>) -> Result<(), Failure> {
    files::replace(path, |file| write(file).map_err(|error| Failure::csv(path, &error)))
}

/// An error with a line for each run that did not reach its end, if there is one.
fn failures(convergence: &Convergence) -> Result<(), Failure> {
    let cells = convergence.lines.iter().flat_map(|line| line.cells.iter().map(move |cell| (line, cell)));
    let failed = cells.filter_map(|(line, cell)| {
        let failure = cell.errors.as_ref().err()?;
        Some(format!("{} at h = {} s: {failure}", line.label, cell.h))
    });
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Numerical(failed.join("\n"))) }
}
