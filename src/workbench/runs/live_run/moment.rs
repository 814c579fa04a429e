//! A moment of a run: all that a person can change about it, to which undoing goes back; and edits, which make the next one.
//!
//! A run that returns to a moment keeps what it has recorded before it. That is known by *lines*: the record is a
//! sequence of lines, each from a number of steps on, and another one begins wherever a recorded future is left. A
//! record with the same lines before a moment leads to it. If neither the present record nor the future that was left
//! last does, the record begins anew at the moment.

use super::LiveRun;
use super::hand::{IDLE, give};
use crate::experiment::{Bounds, joint_units};
use crate::method::Method;
use crate::model::World;
use crate::model::joint::Unit;
use crate::scene::Scene;
use crate::workbench::editor::edit::Edit;
use crate::workbench::editor::item::Item;
use crate::workbench::engine::Stepping;
use crate::workbench::runs::checkpoints::State;
use crate::workbench::runs::choices::Choices;
use crate::workbench::runs::played::Played;
use crate::workbench::runs::recorder::Recorder;
use crate::workbench::stage::framing;
use crate::workbench::stage::trail::Trail;
use std::sync::Arc;

/// The lines of a record, each with the number of steps of the state from which on it is recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Vec<(Arc<()>, u64)>);

impl Lines {
    /// Another line begins at the state of that number of steps.
    pub fn branch_off(&mut self, steps: u64) {
        self.0.retain(|(_, from)| *from < steps);
        self.0.push((Arc::new(()), steps));
    }

    /// A record that begins at the state of that number of steps.
    pub fn begin(&mut self, steps: u64) {
        self.0 = vec![(Arc::new(()), steps)];
    }

    /// Whether both lead to the same state of that number of steps.
    fn meet(&self, other: &Self, steps: u64) -> bool {
        let [mut own, mut others] =
            [self, other].map(|lines| lines.0.iter().filter(|(_, from)| *from < steps));
        loop {
            match (own.next(), others.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1 => {}
                _ => return false,
            }
        }
    }
}

/// A moment of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunMoment {
    scene: Scene,
    state: State,
    lines: Lines,
    touched: bool,
    recorder: Recorder,
    measure: Measure,
    played: Option<Played>,
    choices: Choices,
}

/// The sizes of a world, against which errors and energies are large or small.
#[derive(Clone, Debug)]
struct Measure {
    units: Vec<Unit>,
    ordinary: f64,
    bounds: Bounds,
    extent: f64,
}

impl RunMoment {
    /// Whether nothing has changed between them.
    pub fn is_like(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.world == b.world
            && a.method == b.method
            && a.time_step == b.time_step
            && self.scene == other.scene
    }

    /// Simulation time, s.
    pub fn time(&self) -> f64 {
        self.state.world.time()
    }

    /// World, method and time step, s.
    pub fn stepping(&self) -> (&World, &Method, f64) {
        (&self.state.world, &self.state.method, self.state.time_step)
    }

    /// Rough size, bytes.
    pub fn size(&self) -> usize {
        // The scene's start is another world.
        2 * self.state.size()
    }

    /// A run that can return to it.
    pub fn run(&self, stepping: &Stepping) -> LiveRun {
        let run = LiveRun::new(self.scene.clone(), stepping);
        match &self.played {
            Some(played) => LiveRun::playing_back(&run, played.clone(), stepping),
            None => run,
        }
    }
}

impl LiveRun {
    /// The present moment.
    pub(crate) fn moment(&self) -> RunMoment {
        let mut state = self.state();
        // Undoing does not bring back what the mouse did to bodies.
        if self.recorder == Recorder::Live {
            give(&mut state.world, IDLE);
        }
        RunMoment {
            scene: self.scene.clone(),
            state,
            lines: self.record.lines.clone(),
            touched: self.acts.touched,
            played: self.played.clone(),
            choices: self.acts.choices.clone(),
            measure: Measure {
                units: self.units.clone(),
                ordinary: self.judged.ordinary,
                bounds: self.judged.bounds,
                extent: self.extent,
            },
            recorder: match &self.recorder {
                Recorder::Recording(_) => Recorder::Live,
                other => other.clone(),
            },
        }
    }

    /// Returns to a moment of this run, or of another one of the same scene.
    pub(crate) fn return_to(&mut self, moment: &RunMoment) {
        self.abandon();
        if !self.is_in_the_past() {
            self.keep_state();
        }
        let RunMoment { scene, state, lines, touched, recorder, measure, choices, played: _ } =
            moment.clone();
        let (steps, time) = (state.world.steps(), state.world.time());
        (self.scene, self.acts.choices) = (scene, choices);
        if self.record.lines.meet(&lines, steps) && self.record.states.at_or_before(steps).is_some() {
            if self.record.states.last().is_some_and(|last| last > steps) {
                self.leave(steps, time, state.worked);
            }
        } else if self.left_behind(|left| left.meet(&lines, steps)) {
            self.enter_branch(time);
            self.abandon();
        } else {
            self.run.world = state.world.clone();
            self.begin_record();
        }
        self.record.history.rewind(time.next_down(), state.worked.before(&state.report));
        self.record.history.push(&state.report);
        // Neither the mouse nor a recorded pointer goes on holding what it held, which may not exist then.
        self.take_hand_away();
        (self.acts.touched, self.recorder) = (touched, recorder);
        self.stand_at(state);
        self.run.pointer = self.recorder.recorded();
        self.record.history.begin_scheme(time, self.scheme_index());
        (self.judged.failure, self.judged.doubt, self.making.solved) = (None, None, None);
        self.adopt_measure(measure);
        self.keep_state();
    }

    /// Carries out an edit of the present state; at the scene's start the scene is edited. Returns what was added.
    ///
    /// # Errors
    /// Why it is refused. The run is then as it was.
    pub(crate) fn edit(&mut self, edit: &Edit) -> Result<Vec<Item>, String> {
        if self.recorder.take().is_some() {
            return Err("The pointer is being recorded: end the recording first".to_owned());
        }
        let mut world = self.run.world.clone();
        give(&mut world, IDLE);
        let added = edit.carry_out(&mut world)?;
        let label = edit.label(if added.is_empty() { &self.run.world } else { &world });
        let begins = self.is_at_the_start();
        self.cut();
        self.abandon();
        self.run.world = world;
        self.judged.failure = None;
        if begins {
            self.scene.world = self.run.world.clone();
            self.scene.beginning = None;
            self.begin_record();
        } else {
            self.acts.touched = true;
            self.judged.edited = Some(self.run.world.steps());
            self.run.remeasure();
            self.judge_anew();
            self.record.history.push(self.run.report());
            self.mark("edit", label);
        }
        self.know_world();
        Ok(added)
    }

    /// The scene begins with the present state from now on.
    pub(crate) fn begin_here(&mut self) {
        self.abandon();
        give(&mut self.run.world, IDLE);
        (self.scene.world, self.scene.beginning) = (self.run.world.clone(), None);
        self.begin_record();
        self.know_world();
    }

    /// Whether the present state is the scene's start: what is edited there belongs to the scene.
    pub fn is_at_the_start(&self) -> bool {
        let (now, start) = (&self.run.world, &self.scene.world);
        !self.acts.touched && now.steps() == start.steps() && now.time() == start.time()
    }

    /// Takes the measure of a world that has been edited.
    fn know_world(&mut self) {
        let world = &self.run.world;
        let units = joint_units(world);
        self.adopt_measure(Measure {
            ordinary: super::blow_up::ordinary_error(world, &units),
            units,
            bounds: Bounds::new(world, self.run.report(), false),
            extent: framing::extent(world),
        });
        self.record.account = None;
    }

    fn adopt_measure(&mut self, measure: Measure) {
        Measure {
            units: self.units,
            ordinary: self.judged.ordinary,
            bounds: self.judged.bounds,
            extent: self.extent,
        } = measure;
        self.record.trail = Trail::default();
        self.record.trail.keep(&self.run.world);
    }
}
