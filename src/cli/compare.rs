//! `driftlab compare`: a scene under several stabilizers, as a table, a CSV file and a figure.

use super::arguments::CompareArguments;
use super::failure::Failure;
use super::files::{self, Sink, any_standard};
use super::interrupt::{Interrupt, Reached};
use super::open;
use super::options::Posing;
use super::output::{aligned, complain, is_read, json, tell};
use super::progress::Progress;
use super::unsolved::{attempts, problem};
use super::values::format_of;
use super::warnings::{gained, passed, warn_of_instability};
use crate::experiment::{
    ComparedState, CsvRecorder, Curve, Measure, Summary, UnsolvedStep, advice, compare, error_chart, label,
    rates_in, reason,
};
use crate::figure::draw;
use crate::method::{Method, SchemeInfo};
use crate::numbers::four_digits;
use crate::peers;
use crate::report::StepError;
use crate::scene::{Scene, shown};
use crate::schemes::TABLE;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let steps = arguments.stepping.apply(&mut scene)?;
    let (methods, left_out) = possible(methods(arguments, &scene)?, &scene)?;
    warn_of_instability(&methods, scene.settings.time_step);
    let named = (!arguments.stabilizers.is_empty()).then_some("--stabilizers");
    arguments.stepping.posing.check(&methods, &scene, named)?;
    complain(&arguments.stepping.posing.solver_notes(&methods, &scene.world));
    let outputs = [("--csv", &arguments.csv), ("--plot", &arguments.plot)];
    files::guard(&source, &outputs)?;
    let standard = any_standard(&outputs);
    let interrupt = Interrupt::watch()?;
    let name = scene.name.clone();
    let rows = Reached::new(Rows::create(arguments.csv.clone())?, &interrupt, move |rows: Rows, signal| {
        let kept = rows.finish();
        complain(&[format!("{}: {signal} in the middle of a step", shown(&name))]);
        kept.map_or_else(|failure| _ = failure.report(), |()| ());
    });
    let mut times = vec![StepTimes::default(); methods.len()];
    let mut progress = Progress::new(steps.saturating_mul(methods.len() as u64));
    let mut last = Instant::now();
    let mut wrong = None;
    let curves = compare(&scene, &methods, steps, |row| {
        let step_us = (!row.is_initial).then(|| last.elapsed().as_secs_f64() * 1e6);
        if let Some(time) = step_us {
            times[row.method].add(time);
            progress.advance();
        }
        wrong = rows.with(|rows| rows.add(&row, step_us)).err();
        last = Instant::now();
        let go_on = wrong.is_none() && interrupt.come().is_none() && is_read();
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    progress.finish();
    // A file that could not be written is removed with its rows.
    let rows = rows.take();
    wrong.map_or(Ok(()), Err)?;
    rows.finish()?;
    if let Some(path) = &arguments.plot {
        let format = format_of(path).map_err(Failure::wrong)?;
        let chart = error_chart(&scene.name, &curves, &scene.references);
        let picture = draw(&chart, format, 1)
            .map_err(|error| Failure::wrong(format!("{}: {error}", path.display())))?;
        files::write(path, &picture)?;
    }
    if arguments.json {
        let made = curves.iter().map(|curve| Row::Made(Box::new(Outcome::new(curve, &scene, steps))));
        let rows: Vec<_> = made.chain(left_out.iter().map(Row::LeftOut)).collect();
        tell(&(json(&rows)? + "\n"), standard)?;
    } else {
        let details = if arguments.verbose { details(&curves, &scene) } else { String::new() };
        let lacking: String = left_out.iter().map(LeftOut::lines).collect();
        tell(&(table(&curves, &times, steps, &left_out) + &lacking + &details), standard)?;
    }
    if let Some((status, signal)) = interrupt.come() {
        let (reached, all) = (curves.len(), methods.len());
        let made = curves.last().map_or(0, |curve| curve.summary.steps);
        let name = shown(&scene.name);
        let line = format!("{name}: {signal} in run {reached} of {all}, after {made} of {steps} steps");
        return Err(Failure::Interrupted(status, line));
    }
    verdict(&curves, &scene)
}

/// What went wrong in the runs: those that stopped, and those whose numbers have lost their meaning on the way.
fn verdict(curves: &[Curve], scene: &Scene) -> Result<(), Failure> {
    let line = |curve: &Curve| match (&curve.failure, curve.summary.blow_up) {
        (Some(error), _) => Some(format!(
            "{}: after {:.6} s: {}",
            curve.label,
            curve.summary.time,
            stopped(error, curve, scene)
        )),
        (None, Some(blow_up)) => Some(format!("{}: {blow_up}", curve.label)),
        (None, None) => None,
    };
    let lines: Vec<_> = curves.iter().filter_map(line).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let lines = lines.join("\n");
    let stopped = curves.iter().any(|curve| curve.failure.is_some());
    Err(if stopped { Failure::Numerical(lines) } else { Failure::BlownUp(lines) })
}

fn methods(arguments: &CompareArguments, scene: &Scene) -> Result<Vec<Method>, Failure> {
    let posing = &arguments.stepping.posing;
    let method = |text: &String| posing.method(scene, "--stabilizers", Some(text));
    named_or_all(&arguments.stabilizers, posing).iter().map(method).collect()
}

/// An engine that cannot have the scene, and is left out of the table.
#[derive(Clone, Debug, Serialize)]
struct LeftOut {
    stabilizer: String,
    /// What it lacks, a sentence each.
    lacks: Vec<String>,
}

impl LeftOut {
    fn lines(&self) -> String {
        let line = |lacks: &String| format!("left out  {}: {lacks}\n", self.stabilizer);
        self.lacks.iter().map(line).collect()
    }
}

/// The methods that can step the scene, and the engines that cannot.
fn possible(methods: Vec<Method>, scene: &Scene) -> Result<(Vec<Method>, Vec<LeftOut>), Failure> {
    let (mut own, mut left_out) = (Vec::new(), Vec::new());
    for method in methods {
        match peers::check(&method, &scene.world, scene.settings.time_step) {
            Ok(()) => own.push(method),
            Err(lacks) => left_out.push(LeftOut { stabilizer: label(&method.stabilizer), lacks }),
        }
    }
    if own.is_empty() {
        let lines = left_out.iter().flat_map(|own| own.lacks.clone()).collect();
        return Err(Failure::Wrong(lines));
    }
    Ok((own, left_out))
}

/// The named schemes, or all schemes of ours; with `--level`, all that exist at that level.
pub(super) fn named_or_all<'a>(named: &'a [String], posing: &Posing) -> Cow<'a, [String]> {
    if !named.is_empty() {
        return Cow::Borrowed(named);
    }
    let has = |info: &SchemeInfo| posing.level.is_none_or(|level| info.levels.contains(&level));
    let all = TABLE.iter().map(|scheme| scheme.info()).filter(|info| has(info));
    all.map(|info| info.key.to_owned()).collect()
}

/// The rows of `--csv`, written as they are reached.
struct Rows(Option<(PathBuf, CsvRecorder<Sink>)>);

impl Rows {
    fn create(path: Option<PathBuf>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(None)) };
        let sink = Sink::create(&path).map_err(|error| Failure::file(&path, &error))?;
        let recorder =
            CsvRecorder::labelled(sink, "stabilizer").map_err(|error| Failure::csv(&path, &error))?;
        Ok(Self(Some((path, recorder))))
    }

    fn add(&mut self, row: &ComparedState<'_>, step_us: Option<f64>) -> Result<(), Failure> {
        let Some((path, recorder)) = &mut self.0 else { return Ok(()) };
        let added = recorder.add_labelled(row.label, row.report, step_us);
        added.map_err(|error| Failure::csv(path, &error))
    }

    fn finish(self) -> Result<(), Failure> {
        let Some((path, recorder)) = self.0 else { return Ok(()) };
        recorder.into_inner().and_then(Sink::finish).map_err(|error| Failure::file(&path, &error))
    }
}

/// Computing times of a run's steps, µs: of a long run a part at equal distances, so that its memory is bounded.
#[derive(Clone, Debug)]
struct StepTimes {
    kept: Vec<f64>,
    /// Every so many steps one is kept.
    pitch: u64,
    seen: u64,
}

impl Default for StepTimes {
    fn default() -> Self {
        Self { kept: Vec::new(), pitch: 1, seen: 0 }
    }
}

impl StepTimes {
    fn add(&mut self, time: f64) {
        /// Times kept at most: 512 kB, and a median that is exact for runs of up to as many steps.
        const MOST: usize = 1 << 16;
        if self.seen.is_multiple_of(self.pitch) {
            if self.kept.len() == MOST {
                self.kept = self.kept.iter().step_by(2).copied().collect();
                self.pitch *= 2;
            }
            if self.seen.is_multiple_of(self.pitch) {
                self.kept.push(time);
            }
        }
        self.seen += 1;
    }

    fn median(&self) -> Option<f64> {
        let mut sorted = self.kept.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

/// What `--json` prints for one stabilizer.
#[derive(Serialize)]
#[serde(untagged)]
enum Row<'a> {
    Made(Box<Outcome<'a>>),
    LeftOut(&'a LeftOut),
}

/// A run that was made.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    failure: Option<String>,
    /// The problem at which the run ended, if it was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsolved: Option<UnsolvedStep>,
    /// The signal that ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted: Option<String>,
}

impl<'a> Outcome<'a> {
    fn new(curve: &'a Curve, scene: &Scene, steps: u64) -> Self {
        let failure = curve.failure.as_ref().map(|error| stopped(error, curve, scene));
        let (unsolved, interrupted) = (unsolved(curve, scene), interrupted(curve, steps));
        Self { summary: &curve.summary, failure, unsolved, interrupted }
    }
}

/// Why a run has ended early, and what to try.
fn stopped(error: &StepError, curve: &Curve, scene: &Scene) -> String {
    let Summary { blow_up, .. } = &curve.summary;
    reason(error, &scene.world) + &advice(error, curve.summary.method(), blow_up.as_ref())
}

/// The problem at which a run has ended, if it was one.
fn unsolved(curve: &Curve, scene: &Scene) -> Option<UnsolvedStep> {
    let unsolved = UnsolvedStep::of(curve.failure.as_ref()?, &scene.world)?;
    let Summary { steps, time, .. } = curve.summary;
    Some(UnsolvedStep { step: unsolved.step + steps, time, ..unsolved })
}

/// The lines of `--verbose`.
fn details(curves: &[Curve], scene: &Scene) -> String {
    let rows = |curve: &Curve| {
        let found = unsolved(curve, scene);
        let rows = attempts(&curve.summary).into_iter().chain(found.iter().flat_map(problem));
        rows.map(|(label, value)| (format!("{}  {label}", curve.label), value)).collect::<Vec<_>>()
    };
    aligned(&curves.iter().flat_map(rows).collect::<Vec<_>>())
}

/// Where a signal has ended a run that was to make so many steps; nothing of a run that ended by itself.
fn interrupted(curve: &Curve, steps: u64) -> Option<String> {
    let made = curve.summary.steps;
    (curve.failure.is_none() && made < steps).then(|| format!("interrupted after {made} of {steps} steps"))
}

/// How a run ended, for the table.
fn ended(curve: &Curve, steps: u64) -> String {
    let summary = &curve.summary;
    let blown_up = summary.blow_up.map(|blow_up| format!("blown up at {} s", four_digits(blow_up.time)));
    let stopped = match curve.failure {
        Some(_) => Some(format!("failed at {} s", four_digits(summary.time))),
        None => interrupted(curve, steps),
    };
    match (stopped, blown_up) {
        (Some(stopped), Some(blown_up)) if curve.failure.is_none() => format!("{blown_up}, {stopped}"),
        (Some(text), _) | (None, Some(text)) => text,
        (None, None) if summary.unsolved_steps > 0 => {
            format!("{} steps not solved", summary.unsolved_steps)
        }
        (None, None) => "done".to_owned(),
    }
}

/// Place of the column about energy from nothing in the table: behind the work of the correction.
const GAINED: usize = 7;

fn table(curves: &[Curve], times: &[StepTimes], steps: u64, left_out: &[LeftOut]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_BORDERS_ONLY_CONDENSED);
    // All runs are of the same world.
    let units = curves.first().map(|curve| curve.summary.units()).unwrap_or_default();
    let measure = Measure::of(curves.iter().map(|curve| &curve.summary));
    let name = measure.name();
    let errors = curves.first().map(|curve| measure.unit(&curve.summary)).unwrap_or_default();
    let rates = rates_in(units);
    // Most runs gain nothing: then there is no column about it.
    let gains = curves.iter().any(|curve| curve.summary.energy_gain.is_some());
    let mut header = vec![
        "stabilizer".to_owned(),
        "level".to_owned(),
        format!("largest {name}\n({errors})"),
        format!("{name} at end\n({errors})"),
        format!("largest velocity error\n({rates})"),
        "largest energy drift\n(J)".to_owned(),
        "correction work\n(J)".to_owned(),
        "time per step\n(µs)".to_owned(),
        "ended".to_owned(),
    ];
    if gains {
        header.insert(GAINED, "energy from nothing\n(J)".to_owned());
    }
    let columns = header.len();
    table.set_header(header);
    for (curve, times) in curves.iter().zip(times) {
        let summary = &curve.summary;
        let mut row = vec![
            curve.label.clone(),
            summary.method().level.key().to_owned(),
            four_digits(measure.largest(summary)),
            four_digits(measure.last(summary)),
            four_digits(summary.velocity_error.largest),
            four_digits(summary.energy.largest_drift),
            four_digits(summary.correction_work),
            times.median().map_or_else(String::new, four_digits),
            ended(curve, steps),
        ];
        if gains {
            row.insert(
                GAINED,
                summary.energy_gain.map_or_else(String::new, |gain| four_digits(gain.unexplained)),
            );
        }
        table.add_row(row);
    }
    for own in left_out {
        let mut row = vec![String::new(); columns];
        row[0].clone_from(&own.stabilizer);
        row[columns - 1] = "left out".to_owned();
        table.add_row(row);
    }
    for column in table.column_iter_mut().take(columns - 1).skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let warnings = |curve: &Curve| {
        let summary = &curve.summary;
        let gain = summary.energy_gain.as_ref().map(|gain| gained(gain, summary));
        let line = |text| format!("warning  {}: {text}\n", curve.label);
        let passages = summary.passages.as_ref().map(passed);
        let apart = summary.apart.iter().map(ToString::to_string);
        let all = gain.into_iter().chain(passages).chain(apart).chain(summary.unsolved());
        all.map(line).collect::<String>()
    };
    let warnings: String = curves.iter().map(warnings).collect();
    format!("{table}\n{warnings}")
}
