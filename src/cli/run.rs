//! `driftlab run`: a scene without a window.

use super::arguments::RunArguments;
use super::failure::Failure;
use super::files::{self, Sink, any_standard};
use super::interrupt::Interrupt;
use super::open;
use super::output::{aligned, complain, figure, json, tell};
use super::progress::Progress;
use super::uniqueness::other_solutions;
use super::unsolved::{attempts, problem};
use super::warnings::{beforehand, warnings};
use crate::experiment::{
    Corrected, CsvRecorder, Extreme, ImpulseRecorder, Past, Run, Summary, TraceRecorder, Tried,
    UnsolvedStep, Verdict, advice, reason,
};
use crate::lcp::ACCEPTED;
use crate::report::StepReport;
use crate::scene::shown;
use serde::Serialize;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let steps = arguments.stepping.prepare(&mut scene, arguments.stabilizer.as_deref())?;
    let RunArguments { csv, trace, impulses, save, .. } = arguments;
    let outputs = [("--csv", csv), ("--trace", trace), ("--impulses", impulses), ("--save", save)];
    files::guard(&source, &outputs)?;
    let standard = any_standard(&outputs);
    let interrupt = Interrupt::watch()?;
    let mut record = Files::create(arguments)?;
    let mut run = Run::new(&scene, steps);
    complain(&beforehand(&arguments.stepping.posing, &scene));
    let mut summary = Summary::new(&scene, run.initial());
    record.add(run.initial(), &run, None)?;
    let (mut past, mut tried) = (Past::new(run.world()), None);
    summary.blow_up.map_or(Ok(()), |blow_up| record.comment(&blow_up))?;
    let mut progress = Progress::new(steps);
    let (mut failure, mut unsolved) = (None, None);
    while interrupt.come().is_none() {
        let start = Instant::now();
        let Some(report) = run.next() else { break };
        let microseconds = start.elapsed().as_secs_f64() * 1e6;
        match report {
            Ok(report) => {
                let before = summary.blow_up;
                summary.add(&report);
                if let Some(found) = arguments.uniqueness.then(|| run.uniqueness()).flatten() {
                    summary.add_uniqueness(&found);
                }
                if summary.is_doubtful() {
                    tried.get_or_insert_with(|| past.search(run.method(), run.time_step()));
                } else {
                    past.add(run.world());
                }
                record.add(&report, &run, Some(microseconds))?;
                if let (None, Some(blow_up)) = (before, summary.blow_up) {
                    record.comment(&blow_up)?;
                }
                progress.advance();
            }
            Err(error) => {
                // A solver that was asked for has its own remedy; where there is none, what has been tried is told.
                let search = || past.search(run.method(), run.time_step());
                let advice = if run.method().solver.is_automatic() {
                    let before =
                        summary.blow_up.map(|own| format!(". The run had blown up at step {}", own.step));
                    format!("{}. {}.", before.unwrap_or_default(), tried.get_or_insert_with(search))
                } else {
                    advice(&error, run.method(), summary.blow_up.as_ref())
                };
                let text = reason(&error, run.world()) + &advice;
                record.comment(&format!("step {} failed: {text}", summary.steps + 1))?;
                unsolved = UnsolvedStep::of(&error, run.world());
                failure = Some(text);
            }
        }
    }
    progress.finish();
    record.finish()?;
    if let Some(path) = &arguments.save {
        (scene.world, scene.beginning) = (run.world().clone(), Some(summary.beginning()));
        // The runs beside have stayed behind.
        scene.window = None;
        let text = scene.saved().map_err(|problems| {
            Failure::Wrong(problems.iter().map(|own| format!("{}: {own}", path.display())).collect())
        })?;
        files::write(path, text.as_bytes())?;
    }
    if arguments.json {
        let advice = tried.as_ref().map(Tried::to_string);
        tell(
            &(json(&Outcome { summary: &summary, failure: failure.clone(), unsolved, advice })? + "\n"),
            standard,
        )?;
    } else {
        let stopped = failure.as_ref().map(|text| format!("step {}: {text}", summary.steps + 1));
        let mut rows = describe(&summary, arguments.uniqueness, stopped, tried.as_ref());
        if arguments.verbose {
            let more = attempts(&summary).into_iter().chain(unsolved.iter().flat_map(problem));
            rows.extend(more.map(|(label, value)| (label.to_owned(), value)));
        }
        tell(&aligned(&rows), standard)?;
    }
    if let (None, Some((status, signal))) = (&failure, interrupt.come()) {
        let (made, time, name) = (summary.steps, summary.time, shown(&scene.name));
        let line = format!("{name}: {signal} after {made} of {steps} steps, {time:.6} s");
        return Err(Failure::Interrupted(status, line));
    }
    match failure {
        None => match summary.blow_up {
            None => Ok(()),
            Some(blow_up) => Err(Failure::BlownUp(format!("{}: {blow_up}", scene.name))),
        },
        Some(error) => {
            let (step, time) = (summary.steps + 1, summary.time);
            let name = shown(&scene.name);
            Err(Failure::Numerical(format!("{name}: step {step} after {time:.6} s: {error}")))
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    failure: Option<String>,
    /// The problem at which the run ended, if it was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsolved: Option<UnsolvedStep>,
    /// What was tried for a run that gains energy, or has blown up, and what of it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// The files that a run writes step by step.
struct Files {
    csv: Option<(PathBuf, CsvRecorder<Sink>)>,
    trace: Option<(PathBuf, TraceRecorder<Sink>)>,
    impulses: Option<(PathBuf, ImpulseRecorder<Sink>)>,
}

impl Files {
    fn create(arguments: &RunArguments) -> Result<Self, Failure> {
        Ok(Self {
            csv: recorder(arguments.csv.as_deref(), CsvRecorder::new)?,
            trace: recorder(arguments.trace.as_deref(), TraceRecorder::new)?,
            impulses: recorder(arguments.impulses.as_deref(), ImpulseRecorder::new)?,
        })
    }

    fn add(&mut self, report: &StepReport, run: &Run, step_us: Option<f64>) -> Result<(), Failure> {
        if let Some((path, csv)) = &mut self.csv {
            csv.add(report, step_us).map_err(|error| Failure::csv(path, &error))?;
        }
        if let Some((path, trace)) = &mut self.trace {
            trace.add(run.world()).map_err(|error| Failure::csv(path, &error))?;
        }
        if let Some((path, impulses)) = &mut self.impulses {
            impulses.add(run).map_err(|error| Failure::csv(path, &error))?;
        }
        Ok(())
    }

    /// Says in the error curve what has happened after its last row.
    fn comment(&mut self, text: &impl Display) -> Result<(), Failure> {
        if let Some((path, csv)) = &mut self.csv {
            csv.comment(text).map_err(|error| Failure::csv(path, &error))?;
        }
        Ok(())
    }

    /// Puts the files in their places.
    fn finish(self) -> Result<(), Failure> {
        fn put(path: &Path, sink: io::Result<Sink>) -> Result<(), Failure> {
            sink.and_then(Sink::finish).map_err(|error| Failure::file(path, &error))
        }
        let Self { csv, trace, impulses } = self;
        csv.map_or(Ok(()), |(path, own)| put(&path, own.into_inner()))?;
        trace.map_or(Ok(()), |(path, own)| put(&path, own.into_inner()))?;
        impulses.map_or(Ok(()), |(path, own)| put(&path, own.into_inner()))
    }
}

/// A recorder into a new file if a path is given, with that path for error messages.
fn recorder<R>(
    path: Option<&Path>,
    new: fn(Sink) -> csv::Result<R>,
) -> Result<Option<(PathBuf, R)>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let sink = Sink::create(path).map_err(|error| Failure::file(path, &error))?;
    let recorder = new(sink).map_err(|error| Failure::csv(path, &error))?;
    Ok(Some((path.to_owned(), recorder)))
}

/// The summary as rows of label and value.
fn describe(
    summary: &Summary,
    uniqueness: bool,
    stopped: Option<String>,
    tried: Option<&Tried>,
) -> Vec<(String, String)> {
    let method = summary.method();
    let level = match method.level {
        crate::method::Level::Velocity => method.level.key().to_owned(),
        crate::method::Level::Acceleration => {
            format!("{}, {}", method.level.key(), method.integrator.key())
        }
    };
    let extreme = |e: &Extreme| {
        let (largest, at, last) = (figure(e.largest), figure(e.at), figure(e.last));
        format!("{largest} {} at {at} s, {last} {} at the end", e.unit, e.last_unit)
    };
    let energy = &summary.energy;
    let mut rows = vec![
        ("scene", summary.scene.clone()),
        ("stabilizer", format!("{:?}", method.stabilizer)),
        ("level", level),
        ("time", format!("{} s, {} steps of {} s", figure(summary.time), summary.steps, summary.time_step)),
    ];
    let mut errors = |label, error: &Extreme, before: &Option<Extreme>| {
        rows.push((label, extreme(error)));
        rows.extend(before.iter().map(|before| ("  before correction", extreme(before))));
    };
    if summary.joints > 0 || !summary.has_contacts() {
        errors("largest joint error", &summary.joint_error, &summary.joint_error_before);
    }
    if summary.has_contacts() {
        errors("largest contact error", &summary.contact_error, &summary.contact_error_before);
    }
    rows.push(("largest velocity error", extreme(&summary.velocity_error)));
    rows.extend(summary.nonholonomic_error.iter().map(|own| ("largest non-holonomic error", extreme(own))));
    rows.extend([
        ("energy", format!("{} J to {} J", figure(energy.initial), figure(energy.last))),
        (
            "largest energy drift",
            match energy.relative_drift {
                None => format!("{} J", figure(energy.largest_drift)),
                Some(relative) => format!(
                    "{} J, {} of the largest kinetic energy",
                    figure(energy.largest_drift),
                    figure(relative)
                ),
            },
        ),
        ("work of the correction", work(summary)),
        ("bodies", summary.bodies.to_string()),
        ("contacts", format!("{} at most", summary.contacts)),
        ("rows", format!("{}, of which {} dependent", summary.rows, summary.dependent_rows)),
        ("solver", format!("{}, largest residual {}", solvers(summary), residual(summary))),
    ]);
    if summary.infeasible_steps > 0 {
        rows.push(("without a solution", format!("{} steps: least violation", summary.infeasible_steps)));
    }
    if summary.nearly_solved_steps > 0 {
        let steps = summary.nearly_solved_steps;
        let left = share_left(summary.relative_residual.unwrap_or_default());
        let text = format!("{steps} steps: {left} is left, {ACCEPTED:e} of it counts as solved");
        rows.push(("nearly solved", text));
    }
    if let Some(left) = summary.approximate_residual {
        let (steps, left) = (summary.approximate_steps, share_left(left));
        rows.push(("approximate", format!("{steps} steps: the effort is bounded, and {left} is left")));
    }
    // A step is among those only where it has an island with a violation.
    let steps = summary.unproved_steps.saturating_sub(summary.nearly_solved_steps);
    if steps > 0 {
        rows.push((
            "no solution found",
            format!("{steps} steps: met as far as possible; that none exists is not proved"),
        ));
    }
    rows.extend(warnings(summary));
    // Where the run has stopped, the reason says it.
    rows.extend(tried.filter(|_| stopped.is_none()).map(|tried| ("advice", tried.to_string())));
    rows.extend(stopped.map(|text| ("stopped", text)));
    if uniqueness {
        rows.extend(other_solutions(summary));
    }
    let mut rows: Vec<_> = rows.into_iter().map(|(label, value)| (label.to_owned(), value)).collect();
    rows.extend(summary.references.iter().map(|verdict| (verdict.label.clone(), judge(verdict))));
    rows
}

/// The work of the corrections over the run, and what it has added to the energy of a scene that nothing drives.
fn work(summary: &Summary) -> String {
    let work = format!("{} J", figure(summary.correction_work));
    let Some(Corrected { gain, added, share, at }) = summary.corrected else { return work };
    let [gain, added, at] = [gain, added, at].map(figure);
    let share = share.map_or_else(String::new, |share| {
        format!(", {} % of the largest kinetic energy", figure(100.0 * share))
    });
    format!(
        "{work}; at {at} s the energy is {gain} J above its start, of which corrections have added {added} J{share}"
    )
}

/// The largest residual, and its ratio to the problem's speed.
fn residual(summary: &Summary) -> String {
    let residual = figure(summary.residual);
    match summary.relative_residual {
        Some(share) if share.is_finite() => format!("{residual}, {} of the speed", figure(share)),
        Some(_) => format!("{residual}, a share of the speed that overflows"),
        None => residual,
    }
}

/// A part of the problem's speed that was left, in words.
fn share_left(share: f64) -> String {
    if share.is_finite() {
        format!("up to {} of the speed", figure(share))
    } else {
        "a share of the speed that overflows".to_owned()
    }
}

/// The solvers that solved a problem, in the order of their first solve; before the first step, the chosen solver.
fn solvers(summary: &Summary) -> String {
    if summary.solvers.is_empty() { summary.solver.to_owned() } else { summary.solvers.join(", ") }
}

fn judge(verdict: &Verdict) -> String {
    let Verdict { quantity, bound, expected, measured, holds, .. } = verdict;
    let expected = format!("{quantity} {} {}", bound.replace('_', " "), figure(*expected));
    match (measured, holds) {
        (Some(measured), Some(true)) => format!("{expected}: holds, {}", figure(*measured)),
        (Some(measured), _) => format!("{expected}: fails, {}", figure(*measured)),
        (None, _) => format!("{expected}: not reached"),
    }
}
