//! The running world: how it is stepped, stopped, taken back and changed. No drawing, no window.

use super::clock::{Clock, LONGEST_FRAME};
use super::history::{History, Mark};
use super::push::Push;
use super::snapshots::{Snapshot, Snapshots};
use super::tape::Tape;
use crate::experiment::{joint_units, reason};
use crate::model::World;
use crate::model::joint::Unit;
use crate::report::{LARGEST_PHASE, LEFT_BY_NEWTON, StepError, StepReport};
use crate::scene::Scene;
use crate::stabilizer::{Method, Stabilizer, Workspace};
use crate::step::{measure, step};
use std::time::{Duration, Instant};

/// Smallest and largest time step that the panel offers, s.
pub const TIME_STEP_RANGE: [f64; 2] = [1e-5, 0.1];
/// Smallest and largest speed, in simulated seconds per real second.
pub const SPEED_RANGE: [f64; 2] = [0.01, 10.0];
/// Real time per frame that may be spent on stepping: what is left of 1/60 s after drawing.
pub const STEPPING_BUDGET: Duration = Duration::from_millis(12);
/// Weight of the newest value in the smoothed figures.
const SMOOTHING: f64 = 0.1;
/// Below this share of the asked-for speed the machine counts as too slow.
const KEEPS_UP: f64 = 0.97;

/// What may help against a step that could not be made.
const HINT: &str = "or change scheme, parameters or h and play on";
/// The same where the contacts are at fault.
const CONTACT_HINT: &str = "or switch solver, take a smaller step, or the velocity level, and play on";
/// For this long after a step whose figures are doubtful it is still said, simulated s.
const SAID_FOR: f64 = 0.5;

/// What makes the figures of a step doubtful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Its problem has no solution: it was met with the least violation.
    Infeasible,
    /// Joints and contacts contradict each other: a correction of positions was damped.
    Damped,
    /// A correction left this share of its error.
    Unconverged(f64),
    /// The phase h ω of the fastest constrained motion, rad.
    Unresolved(f64),
}

impl Doubt {
    /// Of a step of `h`, the gravest first.
    fn of(report: &StepReport, h: f64) -> Option<Self> {
        let phase = h * report.fastest_rate;
        match report.correction_left {
            _ if report.infeasible > 0 => Some(Self::Infeasible),
            _ if report.damped_corrections > 0 => Some(Self::Damped),
            Some(left) if left > LEFT_BY_NEWTON => Some(Self::Unconverged(left)),
            _ if phase > LARGEST_PHASE => Some(Self::Unresolved(phase)),
            _ => None,
        }
    }
}

/// Why a step was not made, and what may help.
struct Failure {
    text: String,
    hint: &'static str,
}

/// A world, the method that steps it, and its record.
pub struct Simulation {
    /// The scene as it was loaded.
    pub scene: Scene,
    /// The world as it is now.
    pub world: World,
    /// How it is stepped. A change acts on the next step.
    pub method: Method,
    /// Length of a step, s. A change acts on the next step.
    pub time_step: f64,
    /// Whether time passes.
    pub playing: bool,
    /// Simulated seconds per real second.
    pub speed: f64,
    /// How the mouse pushes.
    pub push: Push,
    pub(super) tape: Tape,
    history: History,
    report: StepReport,
    failure: Option<Failure>,
    /// The last doubt, and when, s.
    doubt: Option<(Doubt, f64)>,
    clock: Clock,
    snapshots: Snapshots,
    workspace: Workspace,
    step_seconds: f64,
    rate: f64,
    pub(super) remembered: Vec<Stabilizer>,
    pub(super) noted: (Method, f64),
    units: Vec<Unit>,
}

impl Simulation {
    /// A simulation of `scene` from its start.
    pub fn new(scene: Scene, playing: bool) -> Self {
        let mut simulation = Self {
            world: scene.world.clone(),
            method: scene.settings.method.clone(),
            time_step: scene.settings.time_step,
            noted: (scene.settings.method.clone(), scene.settings.time_step),
            playing,
            speed: 1.0,
            push: Push::suited(&scene.world),
            tape: if scene.interaction.is_some() { Tape::Replay } else { Tape::Live },
            history: History::default(),
            report: StepReport::default(),
            failure: None,
            doubt: None,
            clock: Clock::default(),
            snapshots: Snapshots::default(),
            workspace: Workspace::default(),
            step_seconds: 0.0,
            rate: 1.0,
            remembered: Vec::new(),
            units: joint_units(&scene.world),
            scene,
        };
        simulation.begin_record();
        simulation
    }

    fn begin_record(&mut self) {
        self.history = History::default();
        self.snapshots.clear();
        self.clock.clear();
        self.failure = None;
        self.doubt = None;
        self.rate = 1.0;
        self.remeasure();
        self.history.push(&self.report);
    }

    /// The scene's start again, under the present method.
    pub fn restart(&mut self) {
        self.world = self.scene.world.clone();
        self.begin_record();
    }

    /// Figures of the last step, or of the initial state.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// The units in which the joints err.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The record of the run.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Why the last step could not be made.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| failure.text.as_str())
    }

    /// What may help against it.
    pub fn hint(&self) -> &'static str {
        self.failure.as_ref().map_or("", |failure| failure.hint)
    }

    /// What made the figures of a step of late doubtful.
    pub fn doubt(&self) -> Option<Doubt> {
        self.doubt
            .filter(|(_, time)| (0.0..=SAID_FOR).contains(&(self.world.time - time)))
            .map(|(doubt, _)| doubt)
    }

    /// Real time of one step, smoothed, s.
    pub fn step_seconds(&self) -> f64 {
        self.step_seconds
    }

    /// Simulated seconds per real second that were reached, where the machine cannot keep up with the speed
    /// asked for.
    pub fn slow_rate(&self) -> Option<f64> {
        (self.playing && self.rate < KEEPS_UP).then_some(self.rate * self.speed)
    }

    fn remeasure(&mut self) {
        self.report = measure(&self.world, &self.method, &mut self.workspace);
    }

    /// Takes note that a person moved something while time stood still: new figures, and a mark.
    pub fn note_moved(&mut self) {
        self.remeasure();
        self.history.push(&self.report);
        self.mark("moved", "moved".to_owned());
    }

    /// Lets `elapsed` real seconds pass and makes the steps that are due, for at most `budget`; returns how
    /// many. Without a budget all of them are made.
    pub fn advance(&mut self, elapsed: f64, budget: Option<Duration>) -> usize {
        if !self.playing || self.recording_is_stale() {
            return 0;
        }
        // A key may have changed the method since the last frame: its mark stands before the steps it acts on.
        self.note_changes();
        let wanted = elapsed.min(LONGEST_FRAME) * self.speed;
        self.clock.add(wanted);
        self.remember_state();
        let start = Instant::now();
        let in_time = || budget.is_none_or(|budget| start.elapsed() <= budget);
        let mut steps = 0;
        while (steps == 0 || in_time()) && self.clock.take(self.time_step) {
            if !self.step_as_set() {
                return steps;
            }
            steps += 1;
        }
        if steps > 0 {
            let seconds = start.elapsed().as_secs_f64() / steps as f64;
            self.step_seconds += SMOOTHING * (seconds - self.step_seconds);
        }
        let late = self.clock.owed() > self.time_step;
        let kept = if late { steps as f64 * self.time_step / wanted } else { 1.0 };
        self.rate += SMOOTHING * (kept.min(1.0) - self.rate);
        self.clock.forgive(self.time_step);
        steps
    }

    /// Makes one step by hand.
    pub fn step_once(&mut self) {
        self.playing = false;
        if self.recording_is_stale() {
            return;
        }
        self.note_changes();
        self.remember_state();
        self.step_as_set();
    }

    /// Makes one step by the present method.
    fn step_as_set(&mut self) -> bool {
        self.act(self.time_step);
        let outcome = step(&mut self.world, &self.method, self.time_step, &mut self.workspace);
        self.take_in(outcome)
    }

    /// Takes in what came of a step; a failure stops the run and has left the world as it was.
    fn take_in(&mut self, outcome: Result<StepReport, StepError>) -> bool {
        match outcome {
            Ok(report) => {
                self.history.push(&report);
                self.report = report;
                self.failure = None;
                if let Some(doubt) = Doubt::of(&report, self.time_step) {
                    self.doubt = Some((doubt, report.time));
                }
                true
            }
            Err(error) => {
                let hint = match error {
                    StepError::Contact(_) => CONTACT_HINT,
                    _ => HINT,
                };
                self.failure = Some(Failure { text: reason(&error, &self.world), hint });
                self.playing = false;
                false
            }
        }
    }

    fn remember_state(&mut self) {
        self.snapshots.push(Snapshot {
            world: self.world.clone(),
            report: self.report,
            method: self.method.clone(),
            time_step: self.time_step,
            work: self.history.work(),
        });
    }

    /// Goes one step back: to the nearest remembered state, and forward again from there to the step before
    /// the present one as it was stepped then (stepping a clone gives the same bits). Method and time step
    /// stay as they are set now.
    pub fn step_back(&mut self) {
        self.playing = false;
        let now = self.world.steps;
        let Some(past) = self.snapshots.before(now) else { return };
        let (method, h) = (past.method.clone(), past.time_step);
        self.world = past.world.clone();
        self.report = past.report;
        self.failure = None;
        self.history.rewind(self.world.time, past.work);
        while self.world.steps + 1 < now {
            self.act_again(h);
            let outcome = step(&mut self.world, &method, h, &mut self.workspace);
            if !self.take_in(outcome) {
                break;
            }
        }
        // The hand that pulled in that moment is no longer there; a recorded one is.
        if self.tape == Tape::Live {
            self.take_hand_away();
        }
        // What is set differently now acts from here on, and is marked here.
        self.noted = (method, h);
    }

    /// Notes that something happened, as a mark in the plots.
    pub fn mark(&mut self, subject: &str, label: String) {
        self.history.mark(Mark { time: self.world.time, subject: subject.to_owned(), label });
    }

    /// The present state as a scene that can be saved.
    pub fn to_scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        scene.world = self.world.clone();
        // A recorded hand belongs to the run; the mouse's is a person's.
        if self.tape != Tape::Replay {
            (scene.world.grab, scene.world.repulsion) = (None, None);
        }
        scene.settings.method = self.method.clone();
        scene.settings.time_step = self.time_step;
        scene
    }
}
