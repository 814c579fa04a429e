//! `driftlab measure`: what another program has computed of a scene, measured as the scene's own run is.

use super::arguments::MeasureArguments;
use super::failure::Failure;
use super::files::{self, Sink, any_standard};
use super::open;
use super::options::Stepping;
use super::output::{aligned, json, tell};
use crate::app::OpenTable;
use crate::experiment::poses::{Apart, Averaged, Measured, MotionFigures, PoseProblem, Poses};
use crate::experiment::{CsvRecorder, Energies};
use crate::files::{MOST_TABLE_BYTES, read_text};
use crate::model::World;
use crate::numbers::four_digits;
use crate::scene::{Scene, Settings, shown};
use comfy_table::{CellAlignment, Table, presets};
use std::path::Path;

/// Bodies whose distances the table lists at most, the farthest ones; `--json` lists all.
const MOST_BODIES: usize = 12;

/// Runs the command.
pub(super) fn run(arguments: &MeasureArguments) -> Result<(), Failure> {
    let MeasureArguments { scene, trajectory, stabilizer, dt, posing, csv, json: as_json } = arguments;
    let source = open::open(scene)?;
    let mut scene = source.parse()?;
    let stepping = Stepping { time: None, steps: None, dt: *dt, posing: posing.clone() };
    stepping.prepare(&mut scene, stabilizer.as_deref())?;
    let outputs = [("--csv", csv)];
    files::guard(&source, &outputs)?;
    files::guard_input(Some(trajectory), "the trajectory", &outputs)?;
    let poses = read(trajectory, &scene.world)?;
    let measured = match csv {
        None => Measured::of(&poses, &scene, |_| Ok::<(), Failure>(()))?,
        Some(path) => {
            let wrong = |error: csv::Error| Failure::csv(path, &error);
            let sink = Sink::create(path).map_err(|error| Failure::file(path, &error))?;
            let mut recorder = CsvRecorder::new(sink).map_err(wrong)?;
            let measured =
                Measured::of(&poses, &scene, |report| recorder.add(report, None).map_err(wrong))?;
            let written = recorder.into_inner().and_then(Sink::finish);
            written.map_err(|error| Failure::file(path, &error))?;
            measured
        }
    };
    let standard = any_standard(&outputs);
    if *as_json {
        tell(&(json(&measured)? + "\n"), standard)?;
    } else {
        tell(&words(&measured, &scene), standard)?;
    }
    match measured.failure {
        None => Ok(()),
        Some(failure) => Err(Failure::Numerical(format!("{}: own run: {failure}", scene.name))),
    }
}

/// Reads a table of poses of the bodies of `world`.
fn read(path: &Path, world: &World) -> Result<Poses, Failure> {
    poses(path, &text(path)?, world)
}

/// The text of a table of poses of the bodies of `world` that has been checked, for the window.
pub(super) fn checked(path: &Path, world: &World) -> Result<OpenTable, Failure> {
    let text = text(path)?;
    poses(path, &text, world)?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(OpenTable { title: name.to_string_lossy().into_owned(), path: Some(path.to_owned()), text })
}

fn text(path: &Path) -> Result<String, Failure> {
    read_text(path, MOST_TABLE_BYTES).map_err(|error| Failure::file(path, &error))
}

fn poses(path: &Path, text: &str, world: &World) -> Result<Poses, Failure> {
    let line = |problem: &PoseProblem| format!("{}: {problem}", path.display());
    Poses::read(text, world).map_err(|problems| Failure::Wrong(problems.iter().map(line).collect()))
}

/// What is printed without `--json`.
fn words(measured: &Measured, scene: &Scene) -> String {
    let Measured { trajectory, own, apart, failure } = measured;
    let theirs = &trajectory.figures;
    let Settings { method, time_step: h, .. } = &scene.settings;
    let (stabilizer, jointed) = (&method.stabilizer, !scene.world.joints().is_empty());
    let span = |figures: &MotionFigures| {
        format!("{} s to {} s", four_digits(figures.from), four_digits(figures.to))
    };
    let mut rows = vec![
        ("scene", scene.name.clone()),
        ("trajectory", format!("{} samples, {}", theirs.samples, span(theirs))),
        ("velocities", trajectory.velocities.words().to_owned()),
        ("own run", format!("{stabilizer:?}, h = {h} s, {}", span(own))),
    ];
    rows.extend(failure.iter().map(|failure| ("stopped", failure.clone())));
    let rows: Vec<_> = rows.into_iter().map(|(label, value)| (label.to_owned(), value)).collect();
    format!("{}{}\n{}", aligned(&rows), errors(theirs, own, jointed), distances(apart))
}

/// The errors and energies of both, side by side; joints only where the scene has some, contacts where bodies overlap
/// or nothing else can err.
fn errors(theirs: &MotionFigures, own: &MotionFigures, jointed: bool) -> Table {
    let mut table = titled(&["", "unit", "trajectory", "own run"]);
    let mut averaged = |name: &str, a: &Averaged, b: &Averaged| {
        let Averaged { extreme: a, mean: a_mean } = a;
        let Averaged { extreme: b, mean: b_mean } = b;
        for (what, unit, a, b) in [
            (format!("largest {name}"), a.unit, a.largest, b.largest),
            ("  at".to_owned(), "s", a.at, b.at),
            (format!("mean {name}"), a.unit, *a_mean, *b_mean),
            (format!("{name} at the end"), a.last_unit, a.last, b.last),
        ] {
            table.add_row([what, unit.to_owned(), four_digits(a), four_digits(b)]);
        }
    };
    if jointed {
        averaged("joint error", &theirs.joint_error, &own.joint_error);
    }
    let overlaps = [theirs, own].iter().any(|figures| figures.contact_error.extreme.largest != 0.0);
    if overlaps || !jointed {
        averaged("overlap of contacts", &theirs.contact_error, &own.contact_error);
    }
    let [a, b] = [theirs, own].map(|figures| figures.energy);
    let share = |energy: Energies| energy.relative_drift.map_or_else(|| "–".to_owned(), four_digits);
    for (name, unit, a, b) in [
        ("change of energy", "J", four_digits(a.last - a.initial), four_digits(b.last - b.initial)),
        ("largest energy drift", "J", four_digits(a.largest_drift), four_digits(b.largest_drift)),
        ("  of the largest kinetic energy", "1", share(a), share(b)),
    ] {
        table.add_row([name.to_owned(), unit.to_owned(), a, b]);
    }
    table
}

/// The distances of the bodies that are farthest from the own run.
fn distances(apart: &[Apart]) -> String {
    let mut table = titled(&["distance from the own run", "largest (m)", "at (s)", "at the end (m)"]);
    let mut farthest: Vec<&Apart> = apart.iter().collect();
    farthest.sort_by(|a, b| b.distance.largest.total_cmp(&a.distance.largest));
    for Apart { body, distance } in farthest.iter().take(MOST_BODIES) {
        let [largest, at, last] = [distance.largest, distance.at, distance.last].map(four_digits);
        table.add_row([shown(body).into_owned(), largest, at, last]);
    }
    let more = match apart.len().saturating_sub(MOST_BODIES) {
        0 => String::new(),
        more => format!("and {more} bodies less far away, which --json lists\n"),
    };
    format!("{table}\n{more}")
}

/// A table with numbers in its last columns.
fn titled(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_BORDERS_ONLY_CONDENSED).set_header(header);
    let numbers = header.iter().position(|title| *title == "unit").map_or(1, |unit| unit + 1);
    for column in table.column_iter_mut().skip(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
