//! A run in the window: its present state, its recorded states and figures, the pointer that acts on it, and the engine that
//! makes its steps. This module draws nothing.
//!
//! What is shown is always a finished state. Steps are begun here and made by the [`Engine`]; their answers are collected
//! frame by frame.

mod blow_up;
mod branch;
mod cursor;
mod forking;
mod gain;
mod hand;
mod moment;
mod playing_back;
mod recall;
mod recording;
mod retelling;
mod settings;
mod solved;
mod stepping;

pub use crate::workbench::runs::setting::Setting;
pub use branch::Branch;
pub use forking::Origin;
pub(crate) use hand::IDLE;
pub use hand::MouseHand;
pub(crate) use moment::RunMoment;
pub use recording::Recorded;
pub use retelling::{RecordedSteps, Retelling, Told};
pub use settings::TIME_STEP_RANGE;
pub(crate) use settings::name_of;
pub use solved::Solved;

use super::checkpoints::States;
use super::failure::{Doubt, Failure};
use super::force_balance::Account;
use super::history::{History, Mark, Worked};
use super::played::Played;
use super::player::{Pace, Player};
use super::recorder::Recorder;
use crate::experiment::{Bounds, Gain, GainJudge, Run, joint_units};
use crate::method::{Effort, Method, Stabilizer};
use crate::model::World;
use crate::model::joint::Unit;
use crate::report::StepReport;
use crate::scene::Scene;
use crate::workbench::engine::{Engine, PHASES, Stepping};
use crate::workbench::runs::arrow_scale::Typical;
use crate::workbench::runs::choices::Choices;
use crate::workbench::stage::framing;
use crate::workbench::stage::push::Push;
use crate::workbench::stage::trail::Trail;
use crate::workbench::watched::{Watchable, Watched};
use std::sync::Arc;
use stepping::Task;

/// Simulated time for which the warning about a step with doubtful figures stays, s.
const SAID_FOR: f64 = 0.5;

/// Share of the requested speed below which the machine counts as too slow.
const KEEPS_UP: f64 = 0.97;

/// A scene in motion, as the window holds it.
pub struct LiveRun {
    /// The scene as it was loaded.
    pub scene: Scene,
    /// The stabilizer that it was loaded with: the scene's texts are about it.
    pub opened_with: Stabilizer,
    /// How the mouse pushes.
    pub push: Push,
    /// The present state, and the method by which it is stepped on.
    run: Run,
    recorder: Recorder,
    units: Vec<Unit>,
    /// Size of the scene at its start, m.
    extent: f64,
    /// What is played back in the place of steps.
    played: Option<Played>,
    /// What is kept of its steps, and what is read off them.
    record: Record,
    /// The steps that are being made, and by whom.
    making: Making,
    /// What is judged of the run: errors, energy from nothing, failures.
    judged: Judged,
    /// What a person does to the run.
    acts: Acts,
}

/// What is kept of its steps, and what is read off them.
struct Record {
    history: History,
    states: States,
    /// The state from which the run began.
    origin: Origin,
    /// How often a recorded future was left, and the last one.
    cuts: u64,
    branch: Option<Branch>,
    /// The lines of what is recorded.
    lines: moment::Lines,
    /// Work of the corrections up to the present state, J.
    worked: Worked,
    /// The body whose figures are recorded, by its index.
    watched: Option<Watchable>,
    /// The reading of its past, while some is lacking.
    recall: Option<recall::Recall>,
    /// The forces of the step that led to the present state, if they are known.
    account: Option<Arc<Account>>,
    typical: Typical,
    trail: Trail,
}

/// The steps that are being made, and by whom.
struct Making {
    engine: Box<dyn Engine>,
    /// The engine's present job.
    task: Option<Task>,
    /// How long it has been under way, s of the window's time.
    under_way: f64,
    /// Steps asked for by hand and not yet begun.
    by_hand: u64,
    pace: Pace,
    /// Whether somebody looks at the problems of the steps, and the newest one.
    watches_solves: bool,
    solved: Option<Solved>,
}

/// What is judged of the run: errors, energy from nothing, failures.
struct Judged {
    /// Errors of a size that the scene itself has, m or rad.
    ordinary: f64,
    /// What energies and errors have to do with the scene at all.
    bounds: Bounds,
    /// Method and time step when they were last compared.
    noted: (Method, f64),
    /// The number of steps of the last state that a person edited or moved bodies in.
    edited: Option<u64>,
    /// Looks for energy from nothing: since the start, or since a person last changed something or let go.
    gains: GainJudge,
    failure: Option<Failure>,
    /// Whether a remedy for it is still to be sought.
    lacks_cure: bool,
    /// The press of the mouse button during which it stopped, s of the window's time; none if no button was down.
    stopped_in: Option<f64>,
    /// What has broken and is not told yet.
    broke: Option<String>,
    /// The last doubt, and when, s.
    doubt: Option<(Doubt, f64)>,
}

/// What a person does to the run.
#[derive(Default)]
struct Acts {
    choices: Choices,
    /// When the present press of the mouse button began, and the one in which the last change was made, s of the window's time.
    gesture: Option<f64>,
    changed_in: Option<f64>,
    /// Whether a person has acted on the run since the scene's start, so that the method from there does not lead to this state.
    touched: bool,
}

impl LiveRun {
    /// A simulation of `scene` from its start.
    pub fn new(scene: Scene, stepping: &Stepping) -> Self {
        // The window does not count steps beforehand.
        let run = Run::new(&scene, 0);
        let mut simulation = Self {
            push: Push::suited(&scene.world),
            recorder: Recorder::of(scene.interaction.as_ref()),
            units: joint_units(&scene.world),
            extent: framing::extent(&scene.world),
            played: None,
            record: Record {
                history: History::default(),
                states: States::default(),
                origin: Origin::default(),
                cuts: 0,
                branch: None,
                lines: moment::Lines::default(),
                worked: Worked::default(),
                watched: None,
                recall: None,
                account: None,
                typical: Typical::default(),
                trail: Trail::default(),
            },
            making: Making {
                engine: stepping.engine(),
                task: None,
                under_way: 0.0,
                by_hand: 0,
                pace: Pace::default(),
                watches_solves: false,
                solved: None,
            },
            judged: Judged {
                ordinary: blow_up::ordinary_error(&scene.world, &joint_units(&scene.world)),
                bounds: Bounds::of(&scene, run.initial(), false),
                noted: (scene.settings.method.clone(), scene.settings.time_step),
                edited: None,
                gains: GainJudge::new(&scene.world, run.initial(), run.time_step()),
                failure: None,
                lacks_cure: false,
                stopped_in: None,
                broke: None,
                doubt: None,
            },
            acts: Acts::default(),
            opened_with: scene.settings.method.stabilizer.clone(),
            run,
            scene,
        };
        simulation.bound_effort();
        simulation.begin_record();
        simulation
    }

    /// The effort with which the scene begins: bounded where it does not say how much `auto` may make, as a hand on the
    /// mouse feels the longest step.
    pub fn first_effort(&self) -> Effort {
        let settings = &self.scene.settings;
        if settings.states_effort { settings.method.effort } else { Effort::Bounded }
    }

    fn bound_effort(&mut self) {
        let effort = self.first_effort();
        (self.run.method.effort, self.judged.noted.0.effort) = (effort, effort);
    }

    fn begin_record(&mut self) {
        self.acts.touched = self.run.world.steps() != self.scene.world.steps();
        self.record.history = History::default();
        self.record.recall = None;
        self.record.states.clear();
        self.set_branch(None);
        self.record.lines.begin(self.run.world.steps());
        (self.record.account, self.judged.edited) = (None, None);
        self.record.trail = Trail::default();
        self.record.trail.keep(&self.run.world);
        self.making.pace.restart();
        self.record.worked = Worked::default();
        self.judged.failure = None;
        self.judged.doubt = None;
        self.making.solved = None;
        self.run.forget_solve();
        self.run.forget_elsewhere();
        self.run.remeasure();
        self.judge_anew();
        self.record.history.push_with(self.run.report(), self.watched_now());
        self.record.history.begin_scheme(self.run.world.time(), self.scheme_index());
        self.record.origin =
            Origin { time: self.run.world.time(), energy: self.run.report().total_energy() };
    }

    /// The scene's start again, under the present method.
    pub fn restart(&mut self) {
        self.abandon();
        self.run.world = self.scene.world.clone();
        if let Some(played) = &self.played {
            played.begin(&mut self.run.world);
        }
        self.begin_record();
    }

    /// Replaces the engine; a step that is being made is abandoned.
    pub fn move_to(&mut self, stepping: &Stepping) {
        self.abandon();
        self.making.engine = match &self.played {
            Some(played) => played.stepping(stepping).engine(),
            None => stepping.engine(),
        };
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.run.world
    }

    /// How it is stepped.
    pub fn method(&self) -> &Method {
        &self.run.method
    }

    /// Length of a step, s.
    pub fn time_step(&self) -> f64 {
        self.run.time_step
    }

    /// Figures of the last step, or of the initial state.
    pub fn report(&self) -> &StepReport {
        self.run.report()
    }

    /// Whether a run from the scene's start under the present method may lead to another state than this one.
    pub fn is_touched(&self) -> bool {
        self.acts.touched || self.hand() != hand::IDLE && self.recorder == Recorder::Live
    }

    /// Work of the corrections from the start up to now, J.
    pub fn work(&self) -> f64 {
        self.record.worked.correction()
    }

    /// The energy from nothing up to the present state, if there is any.
    pub fn energy_gain(&self) -> Option<Gain> {
        self.judged.gains.largest()
    }

    /// The units in which the joints err.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The size of the scene at its start, against which errors are small or large, m.
    pub fn extent(&self) -> f64 {
        self.extent
    }

    /// Since when the present scheme makes the steps, s.
    pub fn scheme_since(&self) -> f64 {
        let parts = self.record.history.schemes([self.record.origin.time, self.run.world.time()]);
        parts.last().map_or(self.record.origin.time, |([since, _], _)| since)
    }

    /// From now on its figures are compared with those of other runs.
    pub(crate) fn part(&mut self) {
        self.record.history.part();
    }

    /// From now on, the readings of `subject` are recorded, or those of nothing; those of the recorded past are made up
    /// for, some in each call.
    pub(crate) fn watch(&mut self, subject: Option<Watchable>, stepping: &Stepping) {
        if self.record.watched != subject {
            self.record.watched = subject;
            self.recall_anew();
        }
        self.recall(stepping);
    }

    /// The readings of what is watched at present.
    fn watched_now(&self) -> Watched {
        self.record.watched.map_or(Watched::default(), |subject| Watched::of(&self.run.world, subject))
    }

    /// The record of the run.
    pub fn history(&self) -> &History {
        &self.record.history
    }

    /// The forces of the step that led to the present state; none at the start, and after the state was changed otherwise.
    pub fn account(&self) -> Option<&Account> {
        self.record.account.as_deref()
    }

    /// The typical forces of contacts and joints.
    pub fn typical(&self) -> Typical {
        self.record.typical
    }

    /// Where the bodies have been.
    pub fn trail(&self) -> &Trail {
        &self.record.trail
    }

    /// Who moves the pointer.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Why the last step could not be made.
    pub fn failure(&self) -> Option<&Failure> {
        self.judged.failure.as_ref()
    }

    /// What made the figures of a recent step doubtful.
    pub fn doubt(&self) -> Option<Doubt> {
        self.judged
            .doubt
            .filter(|(_, time)| (0.0..=SAID_FOR).contains(&(self.run.world.time() - time)))
            .map(|(doubt, _)| doubt)
    }

    /// Processor time of one step, s: the median of the last ones.
    pub fn step_seconds(&self) -> f64 {
        self.making.pace.step_seconds()
    }

    /// What its parts take of that, in the order of [`PHASES`], s; none unless somebody looks at the solver.
    pub fn phase_seconds(&self) -> Option<[f64; PHASES.len()]> {
        self.making.pace.phase_seconds()
    }

    /// Simulated seconds per real second, if the machine cannot keep up with the requested speed.
    pub fn slow_rate(&self, player: &Player) -> Option<f64> {
        // Runs that wait for each other can catch up for a moment.
        self.making.pace.slow_rate().filter(|rate| player.playing && *rate < KEEPS_UP * player.speed)
    }

    /// Since when the mouse button is down, s of the window's time; none while it is up. What is changed during one press is one
    /// change.
    pub fn note_gesture(&mut self, since: Option<f64>) {
        self.acts.gesture = since;
    }

    /// Whether the change that is being made belongs to the same press as the one before.
    fn goes_on(&self) -> bool {
        self.acts.gesture.is_some() && self.acts.gesture == self.acts.changed_in
    }

    /// What has broken since the last call, as a sentence.
    pub(crate) fn take_break(&mut self) -> Option<String> {
        self.judged.broke.take()
    }

    /// Adds a mark to the plots.
    fn mark(&mut self, subject: &str, label: String) {
        self.record
            .history
            .mark(Mark { time: self.run.world.time(), subject: subject.to_owned(), label }, self.goes_on());
    }

    /// The present state as a scene that can be saved.
    pub fn to_scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        (scene.world, scene.beginning) = (self.run.world.clone(), Some(self.judged.bounds.beginning()));
        // A recorded pointer's grab belongs to the run; the mouse's is left out.
        if !self.recorder.replays() {
            hand::give(&mut scene.world, hand::IDLE);
        }
        scene.settings.method = self.run.method.clone();
        scene.settings.states_effort = true;
        scene.settings.time_step = self.run.time_step;
        scene
    }
}
