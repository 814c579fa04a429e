//! `driftlab compare`: a scene under several stabilizers, as a table, a CSV file and a figure.

use super::arguments::CompareArguments;
use super::failure::Failure;
use super::files;
use super::open;
use super::options::Posing;
use super::output::{figure, print, print_json};
use super::progress::Progress;
use super::values::format_of;
use crate::experiment::{CsvRecorder, Curve, Measure, Summary, compare, plot, rates_in, reason};
use crate::scene::Scene;
use crate::stabilizer::{Method, SchemeInfo, TABLE};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let steps = arguments.stepping.apply(&mut scene)?;
    let methods = methods(arguments, &scene)?;
    arguments.stepping.posing.check_integrator(&methods)?;
    files::guard(&source, &[("--csv", &arguments.csv), ("--plot", &arguments.plot)])?;
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); methods.len()];
    let mut progress = Progress::new(steps.saturating_mul(methods.len() as u64));
    let mut last = Instant::now();
    let curves = compare(&scene, &methods, steps, |method, _| {
        times[method].push(last.elapsed().as_secs_f64() * 1e6);
        progress.advance();
        last = Instant::now();
    });
    progress.finish();
    if let Some(path) = &arguments.csv {
        write_csv(path, &curves, &times)?;
    }
    if let Some(path) = &arguments.plot {
        let format = format_of(path).map_err(Failure::wrong)?;
        let picture = plot(&scene.name, &curves, &scene.references, format)
            .map_err(|error| Failure::wrong(format!("{}: {error}", path.display())))?;
        files::replace(path, |file| file.write_all(&picture).map_err(|error| Failure::file(path, &error)))?;
    }
    let row = |curve| Row::new(curve, &scene);
    if arguments.json {
        print_json(&curves.iter().map(row).collect::<Vec<_>>())?;
    } else {
        print(&table(&curves, &times))?;
    }
    let failures: Vec<_> = curves.iter().filter_map(|c| Some((c, c.failure.as_ref()?))).collect();
    if failures.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = failures
        .iter()
        .map(|(c, error)| {
            let why = reason(error, &scene.world);
            format!("{}: after {:.6} s: {why}", c.label, c.summary.time)
        })
        .collect();
    Err(Failure::Numerical(lines.join("\n")))
}

fn methods(arguments: &CompareArguments, scene: &Scene) -> Result<Vec<Method>, Failure> {
    let posing = &arguments.stepping.posing;
    let method = |text: &String| posing.method(scene, "--stabilizers", Some(text));
    named_or_all(&arguments.stabilizers, posing).iter().map(method).collect()
}

/// The named schemes, or all schemes; with `--level`, all that exist at that level.
pub(super) fn named_or_all<'a>(named: &'a [String], posing: &Posing) -> Cow<'a, [String]> {
    if !named.is_empty() {
        return Cow::Borrowed(named);
    }
    let has = |info: &SchemeInfo| posing.level.is_none_or(|level| info.levels.contains(&level));
    let all = TABLE.iter().map(|scheme| scheme.info()).filter(|info| has(info));
    all.map(|info| info.key.to_owned()).collect()
}

fn write_csv(path: &Path, curves: &[Curve], times: &[Vec<f64>]) -> Result<(), Failure> {
    let failed = |error: csv::Error| Failure::csv(path, &error);
    files::replace(path, |file| {
        let mut recorder = CsvRecorder::labelled(file, "stabilizer").map_err(failed)?;
        for (curve, times) in curves.iter().zip(times) {
            // Row 0 is the initial state and has no time per step.
            let times = std::iter::once(None).chain(times.iter().copied().map(Some));
            for (report, time) in curve.reports.iter().zip(times) {
                recorder.add_labelled(&curve.label, report, time).map_err(failed)?;
            }
        }
        recorder.flush().map_err(|error| Failure::file(path, &error))
    })
}

/// What `--json` prints for one stabilizer.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    failure: Option<String>,
}

impl<'a> Row<'a> {
    fn new(curve: &'a Curve, scene: &Scene) -> Self {
        let failure = curve.failure.as_ref().map(|error| reason(error, &scene.world));
        Self { summary: &curve.summary, failure }
    }
}

fn table(curves: &[Curve], times: &[Vec<f64>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_BORDERS_ONLY_CONDENSED);
    // All runs are of the same world.
    let units = curves.first().map(|curve| curve.summary.units()).unwrap_or_default();
    let measure = Measure::of(curves);
    let name = measure.name();
    let errors = curves.first().map(|curve| measure.unit(&curve.summary)).unwrap_or_default();
    let rates = rates_in(units);
    table.set_header([
        "stabilizer".to_owned(),
        "level".to_owned(),
        format!("largest {name}\n({errors})"),
        format!("{name} at end\n({errors})"),
        format!("largest velocity error\n({rates})"),
        "largest energy drift\n(J)".to_owned(),
        "correction work\n(J)".to_owned(),
        "time per step\n(µs)".to_owned(),
        "ended".to_owned(),
    ]);
    for (curve, times) in curves.iter().zip(times) {
        let summary = &curve.summary;
        let ended = match &curve.failure {
            None => "done".to_owned(),
            Some(_) => format!("failed at {} s", figure(summary.time)),
        };
        table.add_row([
            curve.label.clone(),
            summary.method().level.key().to_owned(),
            figure(measure.largest(summary)),
            figure(measure.last(summary)),
            figure(summary.velocity_error.largest),
            figure(summary.energy.largest_drift),
            figure(summary.correction_work),
            median(times).map_or_else(String::new, figure),
            ended,
        ]);
    }
    for column in table.column_iter_mut().skip(2).take(6) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

fn median(times: &[f64]) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
