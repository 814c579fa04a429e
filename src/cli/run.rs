//! `driftlab run`: a scene without a window.

use super::arguments::RunArguments;
use super::failure::Failure;
use super::files::{self, Sink, any_standard};
use super::interrupt::Interrupt;
use super::open;
use super::output::{aligned, complain, figure, json, tell};
use super::progress::Progress;
use super::warnings::warnings;
use crate::detect::{Detector, Reach};
use crate::experiment::{
    Corrected, CsvRecorder, Extreme, ImpulseRecorder, Run, Summary, TraceRecorder, UnsolvedStep, Verdict,
    advice, contradiction, reason,
};
use crate::lcp::ACCEPTED;
use crate::model::World;
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
    let steps = arguments.stepping.apply(&mut scene)?;
    let stabilizer = arguments.stabilizer.as_deref();
    scene.settings.method = arguments.stepping.posing.method(&scene, "--stabilizer", stabilizer)?;
    arguments.stepping.posing.check(std::slice::from_ref(&scene.settings.method), &scene.world)?;
    let RunArguments { csv, trace, impulses, save, .. } = arguments;
    let outputs = [("--csv", csv), ("--trace", trace), ("--impulses", impulses), ("--save", save)];
    files::guard(&source, &outputs)?;
    let standard = any_standard(&outputs);
    let interrupt = Interrupt::watch()?;
    let mut record = Files::create(arguments)?;
    let mut run = Run::new(&scene, steps);
    if arguments.uniqueness {
        run = run.examining_uniqueness();
    }
    warn_of_crowds(run.world());
    let contradicts = contradiction(run.world(), run.method());
    complain(
        &contradicts
            .map(|text| format!("warning: {text}; --consistent makes them fit"))
            .into_iter()
            .collect::<Vec<_>>(),
    );
    let mut summary = Summary::new(&scene, run.initial());
    record.add(run.initial(), &run, None)?;
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
                record.add(&report, &run, Some(microseconds))?;
                if let (None, Some(blow_up)) = (before, summary.blow_up) {
                    record.comment(&blow_up)?;
                }
                progress.advance();
            }
            Err(error) => {
                let text = reason(&error, run.world()) + &advice(&error, run.method());
                record.comment(&format!("step {} failed: {text}", summary.steps + 1))?;
                unsolved = UnsolvedStep::of(&error, run.world());
                failure = Some(text);
            }
        }
    }
    progress.finish();
    record.finish()?;
    if let Some(path) = &arguments.save {
        scene.world = run.world().clone();
        files::write(path, scene.to_json().as_bytes())?;
    }
    if arguments.json {
        tell(
            &(json(&Outcome { summary: &summary, failure: failure.clone(), unsolved })? + "\n"),
            standard,
        )?;
    } else {
        let stopped = failure.as_ref().map(|text| format!("step {}: {text}", summary.steps + 1));
        tell(&describe(&summary, arguments.uniqueness, stopped), standard)?;
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

/// Says before the first step that it will take long, if bodies lie on one another: each pair of them touches.
fn warn_of_crowds(world: &World) {
    /// Contacts per body beyond which bodies must overlap: each disk of a dense packing touches six others, two boxes touch twice.
    const DENSE: usize = 20;
    let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
    let mut contacts = Vec::new();
    Detector::default().detect(world, &frames, &Reach::default(), &mut contacts);
    let (contacts, bodies) = (contacts.len(), world.bodies().len());
    if contacts > DENSE * bodies {
        let text = "the bodies lie on one another, and a step may take long (move them apart)";
        complain(&[format!("warning: {contacts} contacts of {bodies} bodies: {text}")]);
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    failure: Option<String>,
    /// Of a step whose problem was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsolved: Option<UnsolvedStep>,
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

/// The summary as text.
fn describe(summary: &Summary, uniqueness: bool, stopped: Option<String>) -> String {
    let method = summary.method();
    let level = match method.level {
        crate::stabilizer::Level::Velocity => method.level.key().to_owned(),
        crate::stabilizer::Level::Acceleration => {
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
        let left = figure(summary.relative_residual.unwrap_or_default());
        let text =
            format!("{steps} steps: up to {left} of the speed is left, {ACCEPTED:e} counts as solved");
        rows.push(("nearly solved", text));
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
    rows.extend(stopped.map(|text| ("stopped", text)));
    if uniqueness {
        rows.extend(other_solutions(summary));
    }
    let mut rows: Vec<_> = rows.into_iter().map(|(label, value)| (label.to_owned(), value)).collect();
    rows.extend(summary.references.iter().map(|verdict| (verdict.label.clone(), judge(verdict))));
    aligned(&rows)
}

/// The work of the corrections over the run, and what it has added to the energy of a scene that nothing drives.
fn work(summary: &Summary) -> String {
    let work = format!("{} J", figure(summary.correction_work));
    let Some(Corrected { gain, added, share, at }) = summary.corrected else { return work };
    let [gain, added, at, percent] = [gain, added, at, 100.0 * share].map(figure);
    format!(
        "{work}; at {at} s the energy is {gain} J above its start, of which corrections have added {added} J, {percent} % of the largest \
         kinetic energy"
    )
}

/// The largest residual, and its ratio to the problem's speed.
fn residual(summary: &Summary) -> String {
    let residual = figure(summary.residual);
    match summary.relative_residual {
        Some(share) => format!("{residual}, {} of the speed", figure(share)),
        None => residual,
    }
}

/// The lines of `--uniqueness`: which other solutions the steps have.
fn other_solutions(summary: &Summary) -> Vec<(&'static str, String)> {
    let Some(found) = &summary.uniqueness else {
        return vec![("uniqueness", "not examined: no step used a solver".to_owned())];
    };
    let impulses = match (found.impulse_steps, found.directions) {
        (0, _) => format!("0 of {} steps", found.steps),
        (steps, 1) => format!("{steps} of {} steps, 1 direction", found.steps),
        (steps, directions) => format!("{steps} of {} steps, up to {directions} directions", found.steps),
    };
    let exchange = match found.exchange {
        0.0 => String::new(),
        share if share.is_finite() => format!(", by {} of the largest or more", figure(share)),
        _ => ", without bounds".to_owned(),
    };
    let velocities = match found.first_at {
        None => format!("none found in {} steps with friction", found.searched_steps),
        Some(at) => {
            let (steps, at, apart) = (found.velocity_steps, figure(at), figure(found.apart));
            format!("{steps} steps, first at {at} s, up to {apart} m/s apart")
        }
    };
    let mut rows = vec![("impulses not unique", impulses + &exchange), ("velocity not unique", velocities)];
    if found.unsearched_steps > 0 {
        rows.push(("  too large to search", format!("friction of {} steps", found.unsearched_steps)));
    }
    if found.unexamined_steps > 0 {
        rows.push(("  lower bounds only", format!("{} steps", found.unexamined_steps)));
    }
    rows
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
