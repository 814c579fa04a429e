//! A trajectory that another program has computed, as a run beside ours that is played back and not stepped.
//!
//! A step of such a run takes the bodies to where the trajectory has them at its end, interpolated for the picture. Its
//! figures are those of the samples that it passes, measured by the engine's own functions: of several samples in one
//! step the largest errors. Behind the last sample the bodies stay where they are, and there are no further figures. The impulses
//! that a recording states of the step that is shown are told as those of a step of our own.

use super::force_balance::Account;
use crate::experiment::Run;
use crate::experiment::judge::{ActedStep, Fork, Judge, Judged, NoProblem, StepProblem};
use crate::experiment::poses::{PoseProblem, Poses};
use crate::experiment::recording::{Recording, RecordingProblem};
use crate::model::{ContactState, World};
use crate::report::StepReport;
use crate::workbench::engine::{Stepper, Stepping};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Parts at most into which a step of the main run is divided, so that no step passes two samples.
const MOST_PARTS: f64 = 64.0;
/// Share of a step by which a sample may lie behind the step's end and still belong to it: times that are added up step
/// by step differ by rounding.
const SLACK: f64 = 1e-3;

/// A trajectory to be played back.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The name of its file.
    pub title: String,
    /// Its file, if it came from one.
    pub path: Option<PathBuf>,
    label: String,
    motion: Motion,
}

/// Where everything was, over time.
#[derive(Clone, Debug)]
enum Motion {
    /// A table of poses of the scene's bodies.
    Table(Arc<Poses>),
    /// A recording, which may still grow.
    Recorded(Arc<Mutex<Recorded>>),
}

/// A recording that is played back.
#[derive(Debug)]
struct Recorded {
    recording: Recording,
    /// The first line that could not be read, until it has been told.
    problem: Option<RecordingProblem>,
    verdict: Verdict,
    /// What acted in the step that was asked for last.
    acted: Option<(usize, Option<Arc<ActedStep>>)>,
}

/// What has been judged of a recording so far.
#[derive(Default)]
struct Verdict {
    judge: Option<Judge>,
    /// Steps that have been judged.
    steps: usize,
    /// The problem of the step that was asked for last.
    problem: Option<(usize, Arc<Result<StepProblem, String>>)>,
    /// Why no more can be.
    ended: Option<RecordingProblem>,
    /// The figures of so many of the steps.
    told: Option<(usize, Arc<Judged>)>,
}

impl std::fmt::Debug for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verdict").field("steps", &self.steps).finish_non_exhaustive()
    }
}

/// The figures of a recording as far as it has been judged.
#[derive(Clone)]
pub struct Judgement {
    /// Steps that have been judged, and those that there are.
    pub steps: [usize; 2],
    /// Why no more can be, if a line is wrong.
    pub ended: Option<RecordingProblem>,
    /// The figures.
    pub judged: Arc<Judged>,
}

impl PartialEq for Motion {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Table(own), Self::Table(other)) => own == other,
            (Self::Recorded(own), Self::Recorded(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Motion {
    /// Ends of the time that is known, s.
    fn span(&self) -> [f64; 2] {
        match self {
            Self::Table(poses) => poses.span(),
            Self::Recorded(own) => locked(own).recording.span(),
        }
    }

    fn shortest_interval(&self) -> Option<f64> {
        match self {
            Self::Table(poses) => poses.shortest_interval(),
            Self::Recorded(own) => locked(own).recording.shortest_interval(),
        }
    }

    fn between(&self, from: f64, to: f64) -> Range<usize> {
        match self {
            Self::Table(poses) => poses.between(from, to),
            Self::Recorded(own) => locked(own).recording.between(from, to),
        }
    }

    fn place(&self, sample: usize, world: &mut World) {
        match self {
            Self::Table(poses) => poses.place(sample, world),
            Self::Recorded(own) => locked(own).show(world, |recording| recording.world(sample)),
        }
    }

    fn place_at(&self, time: f64, world: &mut World) {
        match self {
            Self::Table(poses) => poses.place_at(time, world),
            Self::Recorded(own) => locked(own).show(world, |recording| recording.world_at(time)),
        }
    }
}

impl Motion {
    /// Gives a world the contacts of the step in which a time is, s. Their impulses are those of the same forces over a step of
    /// `h` seconds, in which the motion is played back.
    fn touch(&self, time: f64, h: f64, world: &mut World) {
        let Self::Recorded(own) = self else { return };
        let Some(step) = locked(own).acted(time, h) else { return };
        let share = h / step.duration;
        let contacts = step
            .contacts
            .iter()
            .map(|own| ContactState { impulse: own.impulse.map(|p| share * p), ..*own });
        // They are in order, and of bodies that are there.
        let _set = world.restore_contacts(contacts.collect());
    }
}

impl Recorded {
    /// Puts a state of the recording in the place of `world`; where it cannot be read, the world stays and the problem is kept.
    fn show(
        &mut self,
        world: &mut World,
        state: impl FnOnce(&mut Recording) -> Result<World, Vec<RecordingProblem>>,
    ) {
        match state(&mut self.recording) {
            Ok(found) => *world = found,
            Err(problems) => self.problem = self.problem.take().or(problems.into_iter().next()),
        }
    }
}

impl Recorded {
    fn judge(&mut self, states: usize) {
        let Self { recording, verdict, .. } = self;
        let judge = verdict.judge.get_or_insert_with(|| Judge::new(recording));
        let bodies = recording.scene().world.bodies().len().max(1);
        let end = recording.times().len().min(verdict.steps + states.div_ceil(bodies));
        while verdict.steps < end && verdict.ended.is_none() {
            match judge.step(recording, verdict.steps) {
                Ok(_) => verdict.steps += 1,
                Err(problems) => verdict.ended = problems.into_iter().next(),
            }
        }
    }

    /// What acted in the step in which a time is, s, or at whose end, if the world that is shown then has its bodies.
    fn acted(&mut self, time: f64, h: f64) -> Option<Arc<ActedStep>> {
        let times = self.recording.times();
        let place = times.partition_point(|own| *own < time - SLACK * h);
        let shown = times.partition_point(|own| *own <= time).saturating_sub(1);
        if place >= times.len() || time <= self.recording.span()[0] {
            return None;
        }
        if self.acted.as_ref().is_none_or(|(known, _)| *known != place) {
            let found = ActedStep::of(&mut self.recording, place).unwrap_or_else(|problems| {
                self.problem = self.problem.take().or(problems.into_iter().next());
                None
            });
            self.acted = Some((place, found.map(Arc::new)));
        }
        let mut first = |place| self.recording.step(place).ok().map(|(_, stretch)| stretch.first);
        let (own, there) = (first(place), first(shown));
        self.acted.clone().filter(|_| own.is_some() && own == there)?.1
    }

    fn step_problem(&mut self, time: f64) -> Option<(usize, Arc<Result<StepProblem, String>>)> {
        let place = Fork::place_at(&self.recording, time)?;
        if self.verdict.problem.as_ref().is_none_or(|(known, _)| *known != place) {
            let found = StepProblem::of(&mut self.recording, place, None).map_err(|why| match why {
                NoProblem::Unread(problems) => {
                    problems.first().map(ToString::to_string).unwrap_or_default()
                }
                NoProblem::NotPosed(why) => why,
            });
            self.verdict.problem = Some((place, Arc::new(found)));
        }
        self.verdict.problem.clone().map(|(place, found)| (place + 1, found))
    }

    fn judgement(&mut self) -> Option<Judgement> {
        let (steps, Self { recording, verdict, .. }) = (self.recording.times().len(), self);
        let judge = verdict.judge.as_ref()?;
        let is_over = verdict.steps == steps || verdict.ended.is_some();
        // Figures of a growing recording are taken again when it is an eighth longer, or has come to its end.
        let is_old = |(told, _): &(usize, Arc<Judged>)| {
            *told < verdict.steps && (is_over || verdict.steps - told > told / 8)
        };
        if verdict.told.as_ref().is_none_or(is_old) {
            verdict.told = Some((verdict.steps, Arc::new(judge.so_far())));
        }
        debug_assert!(recording.times().len() >= verdict.steps);
        let (_, judged) = verdict.told.clone()?;
        Some(Judgement { steps: [verdict.steps, steps], ended: verdict.ended.clone(), judged })
    }
}

/// What a recording's run is called: by its engine, and by its file, which may be another run of the same engine.
fn label_of(title: &str, engine: &str) -> String {
    let file = title.replace(".jsonl.gz", "").replace(".jsonl", "");
    if file.starts_with(engine) { file } else { format!("{engine}, {file}") }
}

fn locked(own: &Mutex<Recorded>) -> MutexGuard<'_, Recorded> {
    // A recording is whole at any time.
    own.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Played {
    /// Reads a table of poses of the bodies of `world`.
    ///
    /// # Errors
    /// Everything that is wrong with it, with its lines.
    pub fn read(title: &str, text: &str, world: &World) -> Result<Self, Vec<PoseProblem>> {
        let motion = Motion::Table(Arc::new(Poses::read(text, world)?));
        let label = title.rsplit_once('.').map_or(title, |(name, _)| name).to_owned();
        Ok(Self { title: title.to_owned(), path: None, label, motion })
    }

    /// Plays a recording back.
    pub fn recorded(title: &str, path: Option<PathBuf>, recording: Recording) -> Self {
        let label = label_of(title, &recording.engine().name);
        let motion = Motion::Recorded(Arc::new(Mutex::new(Recorded {
            recording,
            problem: None,
            verdict: Verdict::default(),
            acted: None,
        })));
        Self { title: title.to_owned(), path, label, motion }
    }

    /// Ends of the time that is known, s, and in words how much that is.
    pub fn extent(&self) -> ([f64; 2], String) {
        let span = self.motion.span();
        match &self.motion {
            Motion::Table(poses) => {
                let velocities = poses.velocities().words();
                (span, format!("{} samples, velocities {velocities}", poses.times().len()))
            }
            Motion::Recorded(own) => {
                let own = locked(own);
                let engine = own.recording.engine();
                (span, format!("{} steps of {}", own.recording.times().len(), engine.name))
            }
        }
    }

    /// Reads what has been written to a recording since then.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn extend(&self) -> Result<(), RecordingProblem> {
        match &self.motion {
            Motion::Table(_) => Ok(()),
            Motion::Recorded(own) => locked(own).recording.extend(),
        }
    }

    /// The first line of a recording that could not be read, once.
    pub(crate) fn take_problem(&self) -> Option<RecordingProblem> {
        match &self.motion {
            Motion::Table(_) => None,
            Motion::Recorded(own) => locked(own).problem.take(),
        }
    }

    /// Judges more of a recording: so many states of bodies at most.
    pub(crate) fn judge(&self, states: usize) {
        if let Motion::Recorded(own) = &self.motion {
            locked(own).judge(states);
        }
    }

    /// The figures of a recording as far as it has been judged; none of what is no recording, and before its first step.
    pub fn judgement(&self) -> Option<Judgement> {
        match &self.motion {
            Motion::Table(_) => None,
            Motion::Recorded(own) => locked(own).judgement(),
        }
    }

    /// The problem of a recording's step up to a time, s, with the step's number, from 1; or why there is none. None of what is
    /// no recording, and before its first step.
    pub fn step_problem(&self, time: f64) -> Option<(usize, Arc<Result<StepProblem, String>>)> {
        match &self.motion {
            Motion::Table(_) => None,
            Motion::Recorded(own) => locked(own).step_problem(time),
        }
    }

    /// What acted in the step of a recording that is shown at a time, s, if it says so; `h` is the step of the playback, s.
    pub(crate) fn account(&self, time: f64, h: f64) -> Option<Account> {
        match &self.motion {
            Motion::Table(_) => None,
            Motion::Recorded(own) => locked(own).acted(time, h).map(|step| Account::recorded(&step)),
        }
    }

    /// Whether it is a recording.
    pub(crate) fn is_recording(&self) -> bool {
        matches!(self.motion, Motion::Recorded(_))
    }

    /// Gives the bodies of `world` their states at a time, s.
    pub(crate) fn place_at(&self, time: f64, world: &mut World) {
        self.motion.place_at(time, world);
    }

    /// The name of its file without its ending; of a recording the engine's name and, where there is one, that of the file.
    pub fn name(&self) -> &str {
        &self.label
    }

    /// When its last sample was taken, s.
    pub fn end(&self) -> f64 {
        self.motion.span()[1]
    }

    /// A whole part of the main run's step `h`, s, that passes one sample at most, so that it is shown at the main run's times.
    pub(crate) fn time_step(&self, h: f64) -> f64 {
        let parts =
            self.motion.shortest_interval().map_or(1.0, |shortest| (h * (1.0 - SLACK) / shortest).ceil());
        h / parts.clamp(1.0, MOST_PARTS)
    }

    /// Steps in the same place, by which this trajectory is played back.
    pub(crate) fn stepping(&self, stepping: &Stepping) -> Stepping {
        let motion = self.motion.clone();
        let stepper: Stepper = Arc::new(move |run: &mut Run| Ok(advance(&motion, run)));
        stepping.clone().by(stepper)
    }

    /// Takes a world to the trajectory's first sample, or to a recording's state at the world's time.
    pub(crate) fn begin(&self, world: &mut World) {
        world.release_grab();
        // Contacts of a saved state are not those of the trajectory; a world without any takes all others.
        let _cleared = world.restore_contacts(Vec::new());
        match &self.motion {
            Motion::Table(poses) => poses.place(0, world),
            Motion::Recorded(_) => self.motion.place_at(world.time(), world),
        }
    }
}

/// Takes a run one step along its motion, and measures the samples on the way.
fn advance(motion: &Motion, run: &mut Run) -> StepReport {
    let (h, from, steps) = (run.time_step(), run.world().time(), run.world().steps());
    let to = from + h;
    let mut figures = *run.report();
    let mut is_first = true;
    for sample in motion.between(from + SLACK * h, to + SLACK * h) {
        motion.place(sample, run.world_mut());
        run.world_mut().set_steps(steps + 1);
        run.remeasure();
        let measured = *run.report();
        figures = if is_first { measured } else { the_larger(figures, measured) };
        is_first = false;
    }
    let mut world = run.world().clone();
    motion.place_at(to, &mut world);
    motion.touch(to, h, &mut world);
    // Behind the last sample the clock goes on.
    let _set = world.set_time(to);
    world.set_steps(steps + 1);
    run.go_to(world, figures);
    figures
}

/// The later one of two samples' figures, with the larger errors of both.
fn the_larger(earlier: StepReport, later: StepReport) -> StepReport {
    let mut figures = later;
    if earlier.joint_error > later.joint_error {
        (figures.joint_error, figures.joint_error_unit) = (earlier.joint_error, earlier.joint_error_unit);
    }
    figures.contact_error = later.contact_error.max(earlier.contact_error);
    figures.velocity_error = later.velocity_error.max(earlier.velocity_error);
    figures
}
