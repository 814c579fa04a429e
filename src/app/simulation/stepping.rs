//! Beginning steps, and taking over the engine's answers.

use super::Simulation;
use crate::app::account::Account;
use crate::app::clock::LONGEST_FRAME;
use crate::app::engine::{Answer, Job};
use crate::app::player::Player;
use crate::app::recorder::Recorder;
use crate::app::states::State;
use crate::app::trouble::{Doubt, Failure};
use crate::report::StepReport;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The engine's present job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Task {
    /// New steps of `h` seconds that are due as time passes.
    Play {
        /// Their number.
        steps: u64,
        /// s.
        h: f64,
    },
    /// A new step that was asked for by hand.
    ByHand,
    /// Recorded steps, made again up to a recorded state.
    Along {
        /// Number of steps of that state.
        to: u64,
        /// Work of the corrections before the first of them, J.
        work: f64,
    },
}

impl Simulation {
    /// A frame of `elapsed` real seconds: takes over the steps that are finished and begins those that are due. Breaks if a
    /// step failed.
    pub fn advance(&mut self, player: &Player, elapsed: f64) -> ControlFlow<()> {
        self.collect()?;
        if player.playing {
            self.pass(player, elapsed);
            self.collect()?;
        }
        ControlFlow::Continue(())
    }

    /// Asks for one step.
    pub fn step_once(&mut self) -> ControlFlow<()> {
        self.by_hand += 1;
        self.collect()
    }

    /// Whether a step is being made or queued.
    pub fn is_busy(&self) -> bool {
        self.task.is_some() || self.by_hand > 0
    }

    /// Abandons the steps that are being made or queued.
    pub(super) fn abandon(&mut self) {
        self.engine.abandon();
        self.task = None;
        self.by_hand = 0;
    }

    fn pass(&mut self, player: &Player, elapsed: f64) {
        if self.recording_is_stale() {
            return;
        }
        // A key may have changed the method since the last frame; the mark comes before the steps on which the change acts.
        self.note_changes();
        self.note_hand();
        self.pace.pass(player.passing(elapsed));
        let h = self.run.time_step;
        if self.task.is_some() {
            return self.pace.forgive(LONGEST_FRAME * player.speed, h);
        }
        match self.pace.take(h) {
            0 => {}
            due if self.is_in_the_past() => self.go_along(due),
            steps => self.begin(steps, Task::Play { steps, h }),
        }
    }

    /// Takes over finished steps, and begins those that were asked for by hand.
    pub(super) fn collect(&mut self) -> ControlFlow<()> {
        loop {
            if let Some(answer) = self.engine.answer() {
                self.take_in(answer)?;
            } else if self.by_hand > 0 && self.task.is_none() {
                self.by_hand -= 1;
                self.begin_by_hand();
            } else {
                return ControlFlow::Continue(());
            }
        }
    }

    fn begin_by_hand(&mut self) {
        if self.recording_is_stale() {
            return;
        }
        self.note_changes();
        self.note_hand();
        if self.is_in_the_past() {
            self.travel(self.run.world.steps + 1);
        } else {
            self.begin(1, Task::ByHand);
        }
    }

    /// Keeps the present state and begins new steps from it.
    fn begin(&mut self, steps: u64, task: Task) {
        self.keep_state();
        self.run.pointer = self.recorder.pointer_from(self.run.world.time);
        self.engine.begin(Job { run: self.run.hand_over(), steps });
        self.task = Some(task);
    }

    /// Records the present state, so that the cursor can go back to it.
    pub(super) fn keep_state(&mut self) {
        self.states.keep(State {
            world: self.run.world.clone(),
            report: *self.run.report(),
            method: self.run.method.clone(),
            time_step: self.run.time_step,
            hand: self.recorder.hand(),
            work: self.work,
            account: self.account.clone(),
        });
    }

    /// Takes over the result of a job. After a failure the run is in its last finished state.
    fn take_in(&mut self, answer: Answer) -> ControlFlow<()> {
        let Some(task) = self.task.take() else { return ControlFlow::Continue(()) };
        let Answer { run, reports, trouble, seconds } = answer;
        // The mouse may have moved since the steps were begun; its present grab and push are kept.
        let hand = (self.run.world.grab, self.run.world.repulsion);
        if let Some(ahead) = run {
            if let Task::Along { work, .. } = task {
                self.work = reports.iter().fold(work, |work, report| work + report.correction_work);
                self.adopt(ahead.method.clone(), ahead.time_step);
            }
            let (h, before) = (ahead.time_step, self.run.world.time);
            self.run.take_back(ahead);
            self.note_forces(h, before, reports.is_empty() || trouble.is_some());
        }
        if self.recorder == Recorder::Live {
            (self.run.world.grab, self.run.world.repulsion) = hand;
        }
        if !reports.is_empty() {
            self.failure = None;
        }
        match task {
            Task::Along { to, .. } if trouble.is_none() && self.run.world.steps < to => self.travel(to),
            Task::Along { .. } => {}
            Task::ByHand => self.record(&reports),
            Task::Play { steps, h } => {
                self.record(&reports);
                self.pace.measured(reports.len(), seconds);
                let unmade = steps - reports.len() as u64;
                if trouble.is_none() && unmade > 0 {
                    self.pace.give_back(unmade, h);
                    self.pace.forgive(0.0, h);
                }
            }
        }
        let Some(trouble) = trouble else { return ControlFlow::Continue(()) };
        self.failure = Some(Failure::new(&trouble, &self.run.world));
        self.by_hand = 0;
        ControlFlow::Break(())
    }

    /// Notes the forces of the last step, of `h` seconds, and where the bodies are now. A step that fails leaves no account of the
    /// one before it.
    fn note_forces(&mut self, h: f64, before: f64, unknown: bool) {
        self.account = (!unknown).then(|| Arc::new(Account::of(&self.run, h)));
        if let Some(account) = &self.account {
            self.typical.follow(account, (self.run.world.time - before).max(0.0));
        }
        self.trail.keep(&self.run.world);
    }

    /// Records the figures of new steps.
    fn record(&mut self, reports: &[StepReport]) {
        for report in reports {
            self.history.push(report);
            self.work += report.correction_work;
            if let Some(doubt) = Doubt::of(report, self.run.time_step) {
                self.doubt = Some((doubt, report.time));
            }
        }
    }
}
