//! The running world: how it is stepped, stopped, taken back and changed. No drawing, no window.

use super::clock::{Clock, LONGEST_FRAME};
use super::format::{duration, significant};
use super::history::{History, Mark};
use super::snapshots::{Snapshot, Snapshots};
use crate::experiment::{joint_units, reason};
use crate::lcp::Solver;
use crate::model::World;
use crate::model::joint::Unit;
use crate::report::{StepError, StepReport};
use crate::scene::Scene;
use crate::stabilizer::{Integrator, Level, Method, Stabilizer, TABLE, Workspace};
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
    history: History,
    report: StepReport,
    failure: Option<String>,
    clock: Clock,
    snapshots: Snapshots,
    workspace: Workspace,
    step_seconds: f64,
    rate: f64,
    remembered: Vec<Stabilizer>,
    noted: (Method, f64),
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
            history: History::default(),
            report: StepReport::default(),
            failure: None,
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
        self.failure.as_deref()
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
        if !self.playing {
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
        self.note_changes();
        self.remember_state();
        self.step_as_set();
    }

    /// Makes one step by the present method.
    fn step_as_set(&mut self) -> bool {
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
                true
            }
            Err(error) => {
                self.failure = Some(reason(&error, &self.world));
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
            let outcome = step(&mut self.world, &method, h, &mut self.workspace);
            if !self.take_in(outcome) {
                break;
            }
        }
        // The hand that pulled in that moment is no longer there.
        self.world.grab = None;
        // What is set differently now acts from here on, and is marked here.
        self.noted = (method, h);
    }

    /// Switches to another scheme, from the present state. Each scheme keeps the parameters it had last.
    pub fn set_scheme(&mut self, index: usize) {
        let Some(scheme) = TABLE.get(index) else { return };
        let key = scheme.info().key;
        if key == self.method.stabilizer.info().key {
            return;
        }
        let present = self.method.stabilizer.clone();
        self.remembered.retain(|old| old.info().key != present.info().key);
        self.remembered.push(present);
        let remembered = self.remembered.iter().find(|old| old.info().key == key).cloned();
        self.set_stabilizer(remembered.unwrap_or_else(|| Stabilizer::from(*scheme)));
    }

    /// Switches to `stabilizer`, keeping level, integrator, solver and contact rules where the scheme has them.
    pub fn set_stabilizer(&mut self, stabilizer: Stabilizer) {
        let (level, integrator) = (self.method.level, self.method.integrator);
        let (solver, contact) = (self.method.solver.clone(), self.method.contact);
        let natural = Method { solver, contact, ..Method::new(stabilizer) };
        self.method = natural.clone().at_level(level, integrator).unwrap_or(natural);
    }

    /// Index of the present scheme in the table.
    pub fn scheme_index(&self) -> usize {
        let key = self.method.stabilizer.info().key;
        TABLE.iter().position(|scheme| scheme.info().key == key).unwrap_or(0)
    }

    /// Moves `by` places along the table of schemes, round and round.
    pub fn cycle_scheme(&mut self, by: isize) {
        let count = TABLE.len() as isize;
        self.set_scheme((self.scheme_index() as isize + by).rem_euclid(count) as usize);
    }

    /// Poses the constraints at another level, if the scheme has it.
    pub fn set_level(&mut self, level: Level) {
        if let Some(method) = self.method.clone().at_level(level, self.method.integrator) {
            self.method = method;
        }
    }

    /// Chooses how accelerations become motion.
    pub fn set_integrator(&mut self, integrator: Integrator) {
        self.method.integrator = integrator;
    }

    /// Chooses who solves the algebraic problem.
    pub fn set_solver(&mut self, solver: Solver) {
        self.method.solver = solver;
    }

    /// Notes that something happened, as a mark in the plots.
    pub fn mark(&mut self, subject: &str, label: String) {
        self.history.mark(Mark { time: self.world.time, subject: subject.to_owned(), label });
    }

    /// Compares method and time step with what they were at the last call and marks what is different.
    pub fn note_changes(&mut self) {
        if self.noted.0 == self.method && self.noted.1 == self.time_step {
            return;
        }
        let (old, h) = std::mem::replace(&mut self.noted, (self.method.clone(), self.time_step));
        let (was, is) = (&old.stabilizer, self.method.stabilizer.clone());
        if was.info().key != is.info().key {
            self.mark("scheme", is.info().name.to_owned());
        } else {
            let pairs = was.values.iter().zip(is.values.iter());
            for (_, (parameter, value)) in pairs.filter(|((_, was), (_, is))| was != is) {
                let number = parameter.word(value).map_or_else(|| significant(value, 3), str::to_owned);
                let label = format!("{} = {number} {}", parameter.symbol, parameter.unit);
                self.mark(parameter.key, label.trim_end().to_owned());
            }
        }
        if h != self.time_step {
            self.mark("h", format!("h = {}", duration(self.time_step)));
        }
        if old.level != self.method.level {
            self.mark("level", self.method.level.key().to_owned());
        }
        if old.integrator != self.method.integrator {
            self.mark("integrator", self.method.integrator.key().to_owned());
        }
    }

    /// The present state as a scene that can be saved.
    pub fn to_scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        scene.world = self.world.clone();
        scene.world.grab = None;
        scene.settings.method = self.method.clone();
        scene.settings.time_step = self.time_step;
        scene
    }
}
