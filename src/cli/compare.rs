//! `driftlab compare`: a scene under several stabilizers, as a table, a CSV file and a figure.

use super::arguments::CompareArguments;
use super::failure::Failure;
use super::open;
use super::output::{figure, print, print_json};
use super::run::{Progress, create};
use crate::experiment::{CsvRecorder, Curve, Format, Summary, compare, plot};
use crate::scene::Scene;
use crate::stabilizer::{Method, TABLE};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let mut scene = open::open(&arguments.scene)?.parse()?;
    let steps = arguments.stepping.apply(&mut scene)?;
    let methods = methods(arguments, &scene)?;
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
        std::fs::write(path, picture).map_err(|error| Failure::file(path, &error))?;
    }
    match arguments.json {
        true => print_json(&curves.iter().map(Row::from).collect::<Vec<_>>())?,
        false => print(&table(&curves, &times))?,
    }
    let failures: Vec<_> = curves.iter().filter_map(|c| Some((c, c.failure.as_ref()?))).collect();
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failure::Numerical(
            failures
                .iter()
                .map(|(c, error)| format!("{}: after {:.6} s: {error}", c.label, c.summary.time))
                .collect::<Vec<_>>()
                .join("\n"),
        )),
    }
}

fn methods(arguments: &CompareArguments, scene: &Scene) -> Result<Vec<Method>, Failure> {
    let all: Vec<String> = TABLE.iter().map(|scheme| scheme.info().key.to_owned()).collect();
    let named = if arguments.stabilizers.is_empty() { &all } else { &arguments.stabilizers };
    let method = |text: &String| arguments.stepping.method(scene, "--stabilizers", Some(text));
    named.iter().map(method).collect()
}

/// The kind of picture that a file's name asks for.
pub(super) fn format_of(path: &Path) -> Result<Format, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(svg) if svg.eq_ignore_ascii_case("svg") => Ok(Format::Svg),
        Some(png) if png.eq_ignore_ascii_case("png") => Ok(Format::Png),
        _ => Err("expected a file name that ends in .svg or .png".to_owned()),
    }
}

fn write_csv(path: &Path, curves: &[Curve], times: &[Vec<f64>]) -> Result<(), Failure> {
    let failed = |error: csv::Error| Failure::csv(path, &error);
    let mut recorder = CsvRecorder::labelled(create(path)?, "stabilizer").map_err(failed)?;
    for (curve, times) in curves.iter().zip(times) {
        // Row 0 took no step.
        let times = std::iter::once(None).chain(times.iter().copied().map(Some));
        for (report, time) in curve.reports.iter().zip(times) {
            recorder.add_labelled(&curve.label, report, time).map_err(failed)?;
        }
    }
    recorder.flush().map_err(|error| Failure::file(path, &error))
}

/// What `--json` prints for one stabilizer.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    failure: Option<String>,
}

impl<'a> From<&'a Curve> for Row<'a> {
    fn from(curve: &'a Curve) -> Self {
        let failure = curve.failure.as_ref().map(ToString::to_string);
        Self { summary: &curve.summary, failure }
    }
}

fn table(curves: &[Curve], times: &[Vec<f64>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_BORDERS_ONLY_CONDENSED);
    table.set_header([
        "stabilizer",
        "level",
        "largest joint error\n(m or rad)",
        "joint error at end\n(m or rad)",
        "largest velocity error\n(m/s or rad/s)",
        "largest energy drift\n(J)",
        "correction work\n(J)",
        "time per step\n(µs)",
        "ended",
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
            figure(summary.joint_error.largest),
            figure(summary.joint_error.last),
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
