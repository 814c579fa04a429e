//! `driftlab run`: a scene without a window.

use super::arguments::RunArguments;
use super::failure::Failure;
use super::files::{self, Sink, any_standard};
use super::interrupt::{Interrupt, Reached};
use super::open;
use super::output::{aligned, complain, is_read, json, tell};
use super::progress::Progress;
use super::uniqueness::other_solutions;
use super::unsolved::{attempts, problem};
use super::warnings::{above, beforehand, warnings};
use crate::experiment::recording::RunRecorder;
use crate::experiment::{
    Broken, Corrected, CsvRecorder, Extreme, ImpulseRecorder, Past, Run, Summary, TraceRecorder, Tried,
    UnsolvedStep, Verdict, advice, reason,
};
use crate::files::Packed;
use crate::lcp::ACCEPTED;
use crate::model::World;
use crate::numbers::four_digits;
use crate::peers;
use crate::report::{StepError, StepReport};
use crate::scene::{Scene, shown};
use serde::Serialize;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time that trials for advice may take, and the step that they are making then.
const TRIALS: Duration = Duration::from_secs(1);

/// Runs the command.
pub(super) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let steps = arguments.stepping.prepare(&mut scene, arguments.stabilizer.as_deref())?;
    let RunArguments { csv, trace, impulses, record, save, .. } = arguments;
    if impulses.is_some() && peers::makes(&scene.settings.method) {
        let text = "--impulses: another engine tells its impulses by its own names (expected --record)";
        return Err(Failure::wrong(text));
    }
    let outputs = [
        ("--csv", csv),
        ("--trace", trace),
        ("--impulses", impulses),
        ("--record", record),
        ("--save", save),
    ];
    files::guard(&source, &outputs)?;
    let standard = any_standard(&outputs);
    let interrupt = Interrupt::watch()?;
    let mut run = Run::new(&scene, steps);
    complain(&beforehand(&arguments.stepping.posing, &scene));
    let summary = Summary::new(&scene, run.initial());
    let last = arguments.save.is_some().then(|| run.world().clone());
    let mut reached = Outputs { files: Files::create(arguments, &scene, &run)?, summary, last };
    reached.files.add(run.initial(), &run, None)?;
    reached.summary.blow_up.map_or(Ok(()), |blow_up| reached.files.comment(&blow_up))?;
    let telling = Telling { arguments: arguments.clone(), scene, steps, standard };
    let late = telling.clone();
    let reached = Reached::new(reached, &interrupt, move |reached: Outputs, signal| {
        let Outputs { files, summary, last } = reached;
        let ended = files.finish().and_then(|()| last.map_or(Ok(()), |world| late.save(&summary, world)));
        let told = ended.and_then(|()| late.tell(&summary, &End::default()));
        complain(&[late.interrupted(&summary, signal)]);
        told.map_or_else(|failure| _ = failure.report(), |()| ());
    });
    let (mut past, mut is_doubtful) = (Past::new(run.world()), false);
    let mut progress = Progress::new(steps);
    let (mut end, mut wrong) = (End::default(), None::<Failure>);
    while interrupt.come().is_none() && is_read() && wrong.is_none() {
        let start = Instant::now();
        let Some(report) = run.next() else { break };
        let microseconds = start.elapsed().as_secs_f64() * 1e6;
        let taken: Result<(), Failure> = reached.with(|own| match report {
            Ok(report) => {
                is_doubtful |= own.add(&report, &mut run, microseconds, arguments)?;
                if !is_doubtful {
                    past.add(run.world());
                }
                progress.advance();
                Ok(())
            }
            Err(error) => {
                end.unsolved = UnsolvedStep::of(&error, run.world());
                end.failure = Some(own.failed(&error, &run)?);
                Ok(())
            }
        });
        wrong = taken.err();
    }
    progress.finish();
    // Files that could not be written are removed with what has been reached.
    let Outputs { files, summary, .. } = reached.take();
    wrong.map_or(Ok(()), Err)?;
    files.finish()?;
    if arguments.save.is_some() {
        telling.save(&summary, run.world().clone())?;
    }
    // A solver that was asked for has its own remedy; where there is none, what has been tried is told.
    if is_doubtful || end.failure.is_some() && run.method().solver.is_automatic() {
        let start = Instant::now();
        let goes_on = || start.elapsed() < TRIALS && interrupt.come().is_none();
        let tried = past.search(run.method(), run.time_step(), &goes_on);
        let own_remedy = !run.method().solver.is_automatic();
        end.failure
            .iter_mut()
            .filter(|_| !own_remedy)
            .for_each(|text| text.push_str(&format!(". {tried}.")));
        end.tried = Some(tried);
    }
    telling.tell(&summary, &end)?;
    if let (None, Some((status, signal))) = (&end.failure, interrupt.come()) {
        return Err(Failure::Interrupted(status, telling.interrupted(&summary, signal)));
    }
    let name = &telling.scene.name;
    match end.failure {
        None => match summary.blow_up {
            None => Ok(()),
            Some(blow_up) => Err(Failure::BlownUp(format!("{name}: {blow_up}"))),
        },
        Some(error) => {
            let (step, time) = (summary.steps + 1, summary.time);
            Err(Failure::Numerical(format!("{}: step {step} after {time:.6} s: {error}", shown(name))))
        }
    }
}

/// What a run has written and found so far.
struct Outputs {
    files: Files,
    summary: Summary,
    /// The world after the last step, where it is to be saved.
    last: Option<World>,
}

impl Outputs {
    /// Takes in a step; whether the run is in doubt.
    fn add(
        &mut self,
        report: &StepReport,
        run: &mut Run,
        microseconds: f64,
        arguments: &RunArguments,
    ) -> Result<bool, Failure> {
        let before = self.summary.blow_up;
        self.summary.add(report);
        if let Some(found) = arguments.uniqueness.then(|| run.uniqueness()).flatten() {
            self.summary.add_uniqueness(&found);
        }
        if arguments.save.is_some() {
            self.last = Some(run.world().clone());
        }
        self.files.add(report, run, Some(microseconds))?;
        for broken in Broken::of(run) {
            self.files.comment(&broken)?;
            self.files.comment_trace(&broken)?;
            self.summary.breaks.push(broken);
        }
        if let (None, Some(blow_up)) = (before, self.summary.blow_up) {
            self.files.comment(&blow_up)?;
        }
        Ok(self.summary.is_doubtful())
    }

    /// Takes in a failed step; why it failed, with what to do where that needs no trial.
    fn failed(&mut self, error: &StepError, run: &Run) -> Result<String, Failure> {
        let blow_up = self.summary.blow_up;
        let advice = if run.method().solver.is_automatic() {
            blow_up.map(|own| format!(". The run had blown up at step {}", own.step)).unwrap_or_default()
        } else {
            advice(error, run.method(), blow_up.as_ref())
        };
        let text = reason(error, run.world()) + &advice;
        self.files.comment(&format!("step {} failed: {text}", self.summary.steps + 1))?;
        Ok(text)
    }
}

/// How a run has ended.
#[derive(Default)]
struct End {
    /// Why a step failed.
    failure: Option<String>,
    /// The problem at which the run ended, if it was not solved.
    unsolved: Option<UnsolvedStep>,
    /// What was tried for a run that gains energy, or has blown up.
    tried: Option<Tried>,
}

/// How a run is told.
#[derive(Clone)]
struct Telling {
    arguments: RunArguments,
    scene: Scene,
    steps: u64,
    /// Whether rows go to standard output.
    standard: bool,
}

impl Telling {
    /// Saves the scene with `world`, if that was asked for.
    fn save(&self, summary: &Summary, world: World) -> Result<(), Failure> {
        let Some(path) = &self.arguments.save else { return Ok(()) };
        // The runs beside have stayed behind.
        let scene =
            Scene { world, beginning: Some(summary.beginning()), window: None, ..self.scene.clone() };
        let text = scene.saved().map_err(|problems| {
            Failure::Wrong(problems.iter().map(|own| format!("{}: {own}", path.display())).collect())
        })?;
        files::write(path, text.as_bytes())
    }

    /// Prints the summary.
    fn tell(&self, summary: &Summary, end: &End) -> Result<(), Failure> {
        let End { failure, unsolved, tried } = end;
        let arguments = &self.arguments;
        if arguments.json {
            let advice = tried.as_ref().map(Tried::to_string);
            let outcome =
                Outcome { summary, failure: failure.as_deref(), unsolved: unsolved.as_ref(), advice };
            tell(&(json(&outcome)? + "\n"), self.standard)?;
            return Ok(());
        }
        let stopped = failure.as_ref().map(|text| format!("step {}: {text}", summary.steps + 1));
        let mut rows = describe(summary, arguments.uniqueness, stopped, tried.as_ref());
        if arguments.verbose {
            let more = attempts(summary).into_iter().chain(unsolved.iter().flat_map(problem));
            rows.extend(more.map(|(label, value)| (label.to_owned(), value)));
        }
        Ok(tell(&aligned(&rows), self.standard)?)
    }

    /// The line of a run that a signal has ended.
    fn interrupted(&self, summary: &Summary, signal: &str) -> String {
        let (made, time, name) = (summary.steps, summary.time, shown(&self.scene.name));
        format!("{name}: {signal} after {made} of {} steps, {time:.6} s", self.steps)
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    failure: Option<&'a str>,
    /// The problem at which the run ended, if it was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsolved: Option<&'a UnsolvedStep>,
    /// What was tried for a run that gains energy, or has blown up, and what of it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// The files that a run writes step by step.
struct Files {
    csv: Option<(PathBuf, CsvRecorder<Sink>)>,
    trace: Option<(PathBuf, TraceRecorder<Sink>)>,
    impulses: Option<(PathBuf, ImpulseRecorder<Sink>)>,
    record: Option<(PathBuf, RunRecorder<Packed<Sink>>)>,
}

impl Files {
    fn create(arguments: &RunArguments, scene: &Scene, run: &Run) -> Result<Self, Failure> {
        let recorded = |path: &PathBuf| -> Result<_, Failure> {
            let begun = Sink::create(path);
            let begun = begun.and_then(|sink| RunRecorder::new(Packed::of(path, sink), scene, run));
            Ok((path.clone(), begun.map_err(|error| Failure::file(path, &error))?))
        };
        Ok(Self {
            record: arguments.record.as_ref().map(recorded).transpose()?,
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
        // A recording's first line has the state before the first step.
        if let Some((path, record)) = self.record.as_mut().filter(|_| step_us.is_some()) {
            record.add(run).map_err(|error| Failure::file(path, &error))?;
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

    /// Says in the trace what has happened after its last row.
    fn comment_trace(&mut self, text: &impl Display) -> Result<(), Failure> {
        match &mut self.trace {
            Some((path, trace)) => trace.comment(text).map_err(|error| Failure::csv(path, &error)),
            None => Ok(()),
        }
    }

    /// Puts the files in their places.
    fn finish(self) -> Result<(), Failure> {
        fn put(path: &Path, sink: io::Result<Sink>) -> Result<(), Failure> {
            sink.and_then(Sink::finish).map_err(|error| Failure::file(path, &error))
        }
        let Self { csv, trace, impulses, record } = self;
        csv.map_or(Ok(()), |(path, own)| put(&path, own.into_inner()))?;
        trace.map_or(Ok(()), |(path, own)| put(&path, own.into_inner()))?;
        impulses.map_or(Ok(()), |(path, own)| put(&path, own.into_inner()))?;
        record.map_or(Ok(()), |(path, own)| put(&path, own.into_inner().unpack()))
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
        let (largest, at, last) = (four_digits(e.largest), four_digits(e.at), four_digits(e.last));
        format!("{largest} {} at {at} s, {last} {} at the end", e.unit, e.last_unit)
    };
    let energy = &summary.energy;
    let mut rows = vec![
        ("scene", summary.scene.clone()),
        ("stabilizer", format!("{:?}", method.stabilizer)),
        match &summary.engine {
            Some(engine) => ("engine", peers::named(engine)),
            None => ("level", level),
        },
        (
            "time",
            format!("{} s, {} steps of {} s", four_digits(summary.time), summary.steps, summary.time_step),
        ),
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
        ("energy", format!("{} J to {} J", four_digits(energy.initial), four_digits(energy.last))),
        (
            "largest energy drift",
            match energy.relative_drift {
                None => format!("{} J", four_digits(energy.largest_drift)),
                Some(relative) => format!(
                    "{} J, {} of the largest kinetic energy",
                    four_digits(energy.largest_drift),
                    four_digits(relative)
                ),
            },
        ),
        ("work", done(summary)),
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

/// Who did which work over the run: the change of the kinetic energy by its causes, without those that did none.
fn done(summary: &Summary) -> String {
    let mut parts = summary.work.parts().to_vec();
    parts.insert(2, ("applied forces", summary.applied_work));
    let parts = parts.iter().filter(|(name, work)| *work != 0.0 || *name == "method");
    let named = parts.map(|(name, work)| {
        let name = if *name == "method" { "the method's rest" } else { *name };
        format!("{name} {} J", four_digits(*work))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The work of the corrections over the run, and what it has added to the energy of a scene that nothing drives.
fn work(summary: &Summary) -> String {
    let work = format!("{} J", four_digits(summary.correction_work));
    let Some(Corrected { gain, added, share, at }) = summary.corrected else { return work };
    let [gain, added, at] = [gain, added, at].map(four_digits);
    let share = share.map_or_else(String::new, |share| {
        format!(", {} % of the largest kinetic energy", four_digits(100.0 * share))
    });
    format!(
        "{work}; at {at} s the energy is {gain} J above {}, of which corrections have added {added} J{share}",
        above(summary)
    )
}

/// The largest residual, and its ratio to the problem's speed.
fn residual(summary: &Summary) -> String {
    let residual = four_digits(summary.residual);
    match summary.relative_residual {
        Some(share) if share.is_finite() => format!("{residual}, {} of the speed", four_digits(share)),
        Some(_) => format!("{residual}, a share of the speed that overflows"),
        None => residual,
    }
}

/// A part of the problem's speed that was left, in words.
fn share_left(share: f64) -> String {
    if share.is_finite() {
        format!("up to {} of the speed", four_digits(share))
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
    let expected = format!("{quantity} {} {}", bound.replace('_', " "), four_digits(*expected));
    match (measured, holds) {
        (Some(measured), Some(true)) => format!("{expected}: holds, {}", four_digits(*measured)),
        (Some(measured), _) => format!("{expected}: fails, {}", four_digits(*measured)),
        (None, _) => format!("{expected}: not reached"),
    }
}
