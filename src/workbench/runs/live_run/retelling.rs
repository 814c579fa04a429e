//! The recorded steps of a run made again, beside it, and written as a recording.
//!
//! The kept states, with the methods, hands and edits of that time, determine every recorded step to the bit
//! ([`States`](crate::workbench::runs::checkpoints::States)), and with it every impulse, which no state keeps.

use super::LiveRun;
use super::hand::{IDLE, give};
use super::settings::name_of;
use crate::experiment::Run;
use crate::experiment::recording::RunRecorder;
use crate::scene::{Interaction, Scene};
use crate::workbench::engine::{Engine, Job, StepFailure, Stepper, Stepping};
use crate::workbench::runs::checkpoints::{Hand, State};
use crate::workbench::text::format::{duration, significant};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Changes of the method that a recording names at most, one sentence each.
const MOST_NAMED: usize = 20;

/// The recorded steps of a run, as far as they can be made again.
#[derive(Clone, Debug)]
pub struct RecordedSteps {
    scene: Box<Scene>,
    /// The recorded pointer, where one moved the bodies.
    pointer: Option<Arc<Interaction>>,
    states: Vec<Arc<State>>,
    /// Number of steps of the last state.
    until: u64,
    /// Whether they begin where the run began.
    pub is_whole: bool,
}

impl PartialEq for RecordedSteps {
    fn eq(&self, other: &Self) -> bool {
        let pairs = self.states.iter().zip(&other.states);
        self.until == other.until
            && self.states.len() == other.states.len()
            && pairs.into_iter().all(|(own, other)| Arc::ptr_eq(own, other))
    }
}

impl RecordedSteps {
    /// How many steps they are.
    pub fn count(&self) -> u64 {
        self.states.first().map_or(0, |first| self.until.saturating_sub(first.world.steps()))
    }

    /// When the first of them begins, s.
    pub fn begins(&self) -> f64 {
        self.states.first().map_or(0.0, |first| first.world.time())
    }

    /// From when on which method made the steps: what the recording's first line cannot tell.
    fn methods(&self) -> Vec<String> {
        let pairs = self.states.iter().zip(self.states.iter().skip(1));
        let changed =
            pairs.filter(|(a, b)| a.method != b.method || a.time_step != b.time_step).map(|(_, b)| {
                let (scheme, h) = (name_of(&b.method.stabilizer), duration(b.time_step));
                let from = significant(b.world.time(), 5);
                format!("from {from} s on the steps are made by {scheme}, each of {h}")
            });
        let mut all: Vec<String> = changed.collect();
        let beyond = all.len().saturating_sub(MOST_NAMED);
        if beyond > 0 {
            all.truncate(MOST_NAMED);
            all.push(format!("{beyond} later changes of the method"));
        }
        all
    }
}

impl LiveRun {
    /// The recorded steps up to the present state; none of what is played back.
    pub(crate) fn recorded_steps(&mut self) -> Option<RecordedSteps> {
        if self.played.is_some() {
            return None;
        }
        // While steps are being made, the state that they begin from is kept with the hand that acts on them.
        if self.making.task.is_none() && !self.is_in_the_past() {
            self.keep_state();
        }
        let until = self.run.world.steps();
        let mut states = self.record.states.up_to(until);
        let begun = states.first().is_some_and(|first| first.world.time() <= self.record.origin.time);
        let pairs = states.iter().zip(states.iter().skip(1)).enumerate();
        let untold = pairs.filter(|(_, (before, now))| {
            now.edited && !RunRecorder::<Vec<u8>>::can_tell(&before.world, &now.world, &self.scene)
        });
        let from = untold.map(|(place, _)| place + 1).next_back().unwrap_or(0);
        states.drain(..from);
        let is_whole = begun && from == 0;
        Some(RecordedSteps {
            scene: Box::new(self.scene.clone()),
            pointer: self.recorded(),
            states,
            until,
            is_whole,
        })
    }
}

/// Recorded steps that are being made again and written.
pub struct Retelling<W: Write + Send + 'static> {
    engine: Box<dyn Engine>,
    teller: Arc<Mutex<Teller<W>>>,
    all: u64,
    left: u64,
}

/// How far a retelling has come.
pub enum Told<W> {
    /// Such a share of the steps has been written.
    Share(f64),
    /// All of them have been, to here.
    Whole(W),
    /// Why they cannot be written.
    Failed(String),
}

/// Who writes the steps: it stands behind the stepper, in the engine's thread.
struct Teller<W: Write> {
    steps: RecordedSteps,
    /// The next state that was kept.
    next: usize,
    recorder: Option<RunRecorder<W>>,
    failed: Option<io::Error>,
}

impl<W: Write + Send + 'static> Retelling<W> {
    /// Begins to write `steps`.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn begin(steps: RecordedSteps, writer: W, stepping: &Stepping) -> io::Result<Self> {
        let none = || io::Error::other("nothing has been recorded");
        let first = Arc::clone(steps.states.first().ok_or_else(none)?);
        let all = steps.count();
        let mut run = Run::new(&steps.scene, 0);
        // What the hand did then is told step by step.
        let mut world = first.world.clone();
        give(&mut world, IDLE);
        run.go_to(world, first.report);
        (run.method, run.time_step) = (first.method.clone(), first.time_step);
        let recorder = RunRecorder::leaving_out(writer, &steps.scene, &run, steps.methods())?;
        let teller = Teller { steps, next: 0, recorder: Some(recorder), failed: None };
        let teller = Arc::new(Mutex::new(teller));
        let own = Arc::clone(&teller);
        let stepper: Stepper = Arc::new(move |run: &mut Run| locked(&own).step(run));
        let mut engine = stepping.clone().by(stepper).engine();
        engine.begin(Job { run, steps: all, watched: None, by_phase: false });
        Ok(Self { engine, teller, all, left: all })
    }

    /// Takes in the steps that have been written since then, and has others made.
    pub fn go_on(&mut self) -> Told<W> {
        if let Some(answer) = self.engine.answer() {
            self.left = self.left.saturating_sub(answer.reports.len() as u64);
            let mut teller = locked(&self.teller);
            if let Some(error) = teller.failed.take() {
                return Told::Failed(error.to_string());
            }
            let why = answer.failure.map(|failure| match failure {
                StepFailure::Failed(error) => error.to_string(),
                StepFailure::Broken(text) => text,
            });
            let run = match (why, answer.run) {
                (None, Some(run)) => run,
                (why, _) => return Told::Failed(why.unwrap_or_default()),
            };
            if self.left == 0 {
                return teller.end(run);
            }
            drop(teller);
            // Where there are no threads its answer is there at once, and is taken in the next frame.
            self.engine.begin(Job { run, steps: self.left, watched: None, by_phase: false });
        }
        Told::Share(1.0 - self.left as f64 / self.all.max(1) as f64)
    }
}

impl<W: Write> Teller<W> {
    /// Makes the next step as it was made then, and writes it.
    fn step(&mut self, run: &mut Run) -> Result<crate::report::StepReport, crate::report::StepError> {
        self.arrive(run);
        let report = run.advance()?;
        let written = self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.add(run));
        self.failed = self.failed.take().or(written.err());
        Ok(report)
    }

    /// Puts the run into the state that was kept after so many steps, if one was, with all that determines the steps after it.
    fn arrive(&mut self, run: &mut Run) {
        let steps = run.world().steps();
        while let Some(state) = self.steps.states.get(self.next).filter(|own| own.world.steps() <= steps) {
            let state = Arc::clone(state);
            let before = (self.next > 0 && state.edited).then(|| run.world().clone());
            self.next += 1;
            run.go_to(state.world.clone(), state.report);
            (run.method, run.time_step) = (state.method.clone(), state.time_step);
            run.pointer = match state.hand {
                Hand::Mouse => None,
                Hand::Recording => self.steps.pointer.clone(),
            };
            if let (Some(before), Some(recorder)) = (before, &mut self.recorder) {
                let written = recorder.changed(&before, run);
                self.failed = self.failed.take().or(written.err());
            }
        }
    }

    /// Writes what was changed behind the last step.
    fn end(&mut self, mut run: Run) -> Told<W> {
        self.arrive(&mut run);
        match (self.failed.take(), self.recorder.take()) {
            (None, Some(recorder)) => Told::Whole(recorder.into_inner()),
            (error, _) => Told::Failed(error.map(|error| error.to_string()).unwrap_or_default()),
        }
    }
}

fn locked<W: Write>(own: &Mutex<Teller<W>>) -> MutexGuard<'_, Teller<W>> {
    // What a panic of a step has left is not used any more: the answer tells of it.
    own.lock().unwrap_or_else(PoisonError::into_inner)
}
