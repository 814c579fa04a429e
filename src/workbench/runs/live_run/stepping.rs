//! Beginning steps, and taking over the engine's answers.

use super::LiveRun;
use super::gain::is_driven;
use super::hand::{IDLE, MouseHand, give};
use crate::experiment::judge::ActedStep;
use crate::experiment::{Gain, GainJudge};
use crate::model::World;
use crate::report::{ConstraintId, StepReport};
use crate::workbench::editor::item::{self, Item};
use crate::workbench::engine::{Answer, Job, StepFailure};
use crate::workbench::runs::checkpoints::State;
use crate::workbench::runs::clock::LONGEST_FRAME;
use crate::workbench::runs::failure::{Doubt, Failure};
use crate::workbench::runs::force_balance::Account;
use crate::workbench::runs::history::{Mark, Worked};
use crate::workbench::runs::player::Player;
use crate::workbench::runs::recorder::Recorder;
use crate::workbench::text::prose::capitalised;
use crate::workbench::watched::Watched;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The engine's present job.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a run has one at a time")]
pub(crate) enum Task {
    /// New steps of `h` seconds that are due as time passes.
    Play {
        /// Their number.
        steps: u64,
        /// s.
        h: f64,
    },
    /// A new step that was asked for by hand.
    ByHand,
    /// New steps that lead to the time of the other runs.
    Follow {
        /// Their number.
        steps: u64,
    },
    /// Recorded steps, made again up to a recorded state.
    Along {
        /// Number of steps of that state.
        to: u64,
        /// Work of the corrections before the first of them, J.
        worked: Worked,
        /// What had been found of energy from nothing by then.
        gains: GainJudge,
    },
}

/// Part of a step by which two runs' times may differ and still count as the same.
pub(crate) const SLACK: f64 = 1e-3;

/// The number of whole steps of `h` seconds that fit into `time`, s.
pub(crate) fn whole_steps(time: f64, h: f64) -> u64 {
    // A negative number becomes zero.
    (time / h + SLACK).floor() as u64
}

impl LiveRun {
    /// Takes note of what has changed, and returns the number of steps that are due in a frame of `elapsed` real seconds: none
    /// while this run or another one that it is compared with is still `waiting` for earlier ones.
    pub(crate) fn due(&mut self, player: &Player, elapsed: f64, waiting: bool) -> u64 {
        if self.recording_is_stale() {
            return 0;
        }
        // A key may have changed the method since the last frame; the mark comes before the steps on which the change acts.
        self.note_changes();
        self.note_hand();
        self.making.pace.pass(player, elapsed);
        let h = self.run.time_step;
        if waiting || self.is_stepping() {
            self.making.pace.forgive(LONGEST_FRAME * player.speed, h);
            return 0;
        }
        self.making.pace.take(h)
    }

    /// Puts `steps` of the steps off that were due.
    pub(crate) fn put_off(&mut self, steps: u64) {
        self.making.pace.give_back(steps, self.run.time_step);
    }

    /// Begins the steps that are due: new ones, or those recorded after a past state.
    pub(crate) fn play(&mut self, due: u64) {
        if self.is_in_the_past() {
            self.go_along(due);
        } else {
            self.begin(due, Task::Play { steps: due, h: self.run.time_step });
        }
    }

    /// Begins the steps that are lacking until `time`, s, recorded ones or new ones; returns whether any are.
    pub(crate) fn follow(&mut self, time: f64) -> bool {
        let lacking = whole_steps(time - self.run.world.time(), self.run.time_step);
        if lacking > 0 && !self.is_stepping() {
            match self.steps_behind() {
                0 => self.begin(lacking, Task::Follow { steps: lacking }),
                recorded => self.travel(self.run.world.steps() + lacking.min(recorded)),
            }
        }
        lacking > 0
    }

    /// As [`LiveRun::follow`], moved by that hand instead of the present one.
    pub(crate) fn follow_with(&mut self, time: f64, hand: MouseHand) -> bool {
        let present = self.hand();
        give(&mut self.run.world, hand);
        let lacks = self.follow(time);
        give(&mut self.run.world, present);
        lacks
    }

    /// The simulation time after the steps that are being made, s.
    pub(crate) fn destination(&self) -> f64 {
        let (time, steps) = (self.run.world.time(), self.run.world.steps());
        let h = self.run.time_step;
        match self.making.task {
            None => time,
            Some(Task::Play { steps, .. } | Task::Follow { steps }) => time + steps as f64 * h,
            Some(Task::ByHand) => time + h,
            Some(Task::Along { to, .. }) => match self.record.states.at_or_before(to) {
                // Steps that have been made since the kept state may have brought the run beyond it.
                Some(from) if from.world.steps() >= steps || to < steps => {
                    from.world.time() + (to - from.world.steps()) as f64 * from.time_step
                }
                _ => time + to.saturating_sub(steps) as f64 * h,
            },
        }
    }

    /// A frame of `elapsed` real seconds begins.
    pub(crate) fn wait(&mut self, elapsed: f64) {
        self.making.under_way += elapsed;
    }

    /// A frame of `elapsed` real seconds ends: measures how fast simulated time passes.
    pub(crate) fn observe(&mut self, player: &Player, elapsed: f64) {
        self.making.pace.observe(player.playing, elapsed, self.run.world.time(), self.run.time_step);
    }

    /// Asks for one step.
    pub fn step_once(&mut self) -> ControlFlow<()> {
        self.making.by_hand += 1;
        self.collect()
    }

    /// Whether a step is being made.
    pub(crate) fn is_stepping(&self) -> bool {
        self.making.task.is_some()
    }

    /// Whether a step is being made or queued.
    pub fn is_busy(&self) -> bool {
        self.making.task.is_some() || self.making.by_hand > 0
    }

    /// Abandons the steps that are being made or queued.
    pub(crate) fn abandon(&mut self) {
        self.making.engine.abandon();
        self.making.task = None;
        self.making.by_hand = 0;
        self.find_elsewhere();
    }

    /// Another engine that does not come back from steps is built anew, with what it remembered at this state.
    fn find_elsewhere(&mut self) {
        if self.run.is_elsewhere_away() {
            let here = self.run.world.steps();
            let kept = self.record.states.at_or_before(here).filter(|state| state.world.steps() == here);
            let kept = kept.and_then(|state| state.elsewhere.clone());
            self.run.recall_elsewhere(kept);
        }
    }

    /// Takes over finished steps, and begins those that were asked for by hand.
    pub(crate) fn collect(&mut self) -> ControlFlow<()> {
        loop {
            if let Some(answer) = self.making.engine.answer() {
                self.take_in(answer)?;
            } else if self.making.by_hand > 0 && self.making.task.is_none() {
                self.making.by_hand -= 1;
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
            self.travel(self.run.world.steps() + 1);
        } else {
            self.begin(1, Task::ByHand);
        }
    }

    /// Keeps the present state and begins new steps from it.
    fn begin(&mut self, steps: u64, task: Task) {
        self.keep_state();
        self.acts.touched |= self.recorder == Recorder::Live && self.hand() != IDLE;
        self.run.pointer = match task {
            // Other runs have made these steps with the samples that there are.
            Task::Follow { .. } => self.recorder.recorded(),
            _ => self.recorder.pointer_from(self.run.world.time()),
        };
        let watched = self.record.watched;
        if let Some(recall) = &mut self.record.recall {
            recall.begins_at(self.run.world.steps());
        }
        let by_phase = self.making.watches_solves;
        self.making.engine.begin(Job { run: self.run.hand_over(), steps, watched, by_phase });
        self.making.task = Some(task);
        self.making.under_way = 0.0;
    }

    /// Records the present state, so that the cursor can go back to it.
    pub(crate) fn keep_state(&mut self) {
        let elsewhere = self.run.keep_elsewhere();
        let state = State { elsewhere, ..self.state() };
        self.record.states.keep(state);
    }

    /// The present state, with all that determines the steps after it but for what another engine remembers.
    pub(crate) fn state(&self) -> State {
        State {
            world: self.run.world.clone(),
            report: *self.run.report(),
            method: self.run.method.clone(),
            time_step: self.run.time_step,
            hand: self.recorder.hand(),
            worked: self.record.worked,
            gains: self.judged.gains,
            account: self.record.account.clone(),
            edited: self.judged.edited == Some(self.run.world.steps()),
            elsewhere: None,
        }
    }

    /// Takes over the result of a job. After a failure the run is in its last finished state.
    fn take_in(&mut self, answer: Answer) -> ControlFlow<()> {
        let Some(task) = self.making.task.take() else { return ControlFlow::Continue(()) };
        let Answer { run, reports, watched, failure, seconds, phases } = answer;
        // The mouse may have moved since the steps were begun; its present grab and push are kept.
        let hand = self.hand();
        if let Some(ahead) = run {
            if let Task::Along { worked, gains, .. } = task {
                self.judged.gains = gains;
                self.record.worked = reports.iter().fold(worked, Worked::after);
                self.adopt(ahead.method.clone(), ahead.time_step);
            }
            let (h, before) = (ahead.time_step, self.run.world.time());
            let driven = is_driven(&ahead);
            self.run.take_back(ahead);
            if self.played.is_none() {
                self.judge(&reports, driven);
                self.open_solve();
            }
            self.note_forces(h, before, reports.is_empty() || failure.is_some());
        }
        self.find_elsewhere();
        if self.recorder == Recorder::Live {
            give(&mut self.run.world, hand);
        }
        if !reports.is_empty() {
            self.judged.failure = None;
        }
        if !matches!(task, Task::Along { .. })
            && self.played.is_none()
            && let Some(grown) = self.blown_up(&reports, failure.as_ref())
        {
            self.stop_in_sight(grown);
            return ControlFlow::Break(());
        }
        match task {
            Task::Along { to, .. } if failure.is_none() && self.run.world.steps() < to => self.travel(to),
            Task::Along { .. } => {}
            Task::ByHand => self.record(&reports, &watched),
            Task::Follow { .. } => {
                self.record(&reports, &watched);
                self.making.pace.measured(reports.len(), seconds, phases);
            }
            Task::Play { steps, h } => {
                self.record(&reports, &watched);
                self.making.pace.measured(reports.len(), seconds, phases);
                let unmade = steps - reports.len() as u64;
                if failure.is_none() && unmade > 0 {
                    self.making.pace.give_back(unmade, h);
                    self.making.pace.forgive(0.0, h);
                }
            }
        }
        let Some(failure) = failure else { return ControlFlow::Continue(()) };
        self.stop(Failure::new(&failure, &self.run.world, &self.run.method));
        // What has broken the engine is not tried again.
        self.judged.lacks_cure = matches!(failure, StepFailure::Failed(_));
        self.making.by_hand = 0;
        ControlFlow::Break(())
    }

    /// Steps have failed.
    pub(crate) fn stop(&mut self, failure: Failure) {
        self.judged.failure = Some(failure);
        self.judged.stopped_in = self.acts.gesture;
    }

    /// Notes the forces of the last step, of `h` seconds, and where the bodies are now. A step that fails leaves no
    /// account of the one before it.
    fn note_forces(&mut self, h: f64, before: f64, unknown: bool) {
        let account = match &self.played {
            _ if unknown => None,
            Some(played) => played.account(self.run.world.time(), h),
            None if self.run.is_elsewhere() => self.acted_elsewhere(),
            None => Some(Account::of(&self.run, h)),
        };
        self.record.account = account.map(Arc::new);
        if let Some(account) = &self.record.account {
            self.record.typical.follow(account, (self.run.world.time() - before).max(0.0));
        }
        self.record.trail.keep(&self.run.world);
    }

    /// What another engine tells of its last step; its contacts take the place of those that the world has.
    fn acted_elsewhere(&mut self) -> Option<Account> {
        let step = ActedStep::of_run(&self.run)?;
        let own = Account::recorded(&step);
        // They are in order, and of bodies that are there.
        let _set = self.run.world.restore_contacts(step.contacts);
        Some(own)
    }

    /// Records the figures of new steps, and those of the watched body after each of them.
    pub(crate) fn record(&mut self, reports: &[StepReport], watched: &[Watched]) {
        if self.played.is_some() {
            return self.record_samples(reports);
        }
        for (place, report) in reports.iter().enumerate() {
            self.record.history.push_with(report, watched.get(place).copied().unwrap_or_default());
            self.record.worked = self.record.worked.after(report);
            if let Some(doubt) = Doubt::of(report, self.run.time_step) {
                self.judged.doubt = Some((doubt, report.time));
            }
        }
        for (report, part) in reports.iter().filter_map(|report| Some((report, report.broke?))) {
            let what = name_of_part(&self.run.world, part);
            let more = report.broken.saturating_sub(1);
            let others = if more > 0 { format!(" and {more} more") } else { String::new() };
            let label = format!("{what}{others} broke");
            self.judged.broke = Some(capitalised(&label));
            self.record.history.mark(Mark { time: report.time, subject: label.clone(), label }, false);
        }
        // The least grave of the doubts, each beside those before it.
        for report in reports {
            if let Some(apart) = self.judged.bounds.apart(report).next()
                && self.doubt().is_none_or(|doubt| matches!(doubt, Doubt::Apart(_)))
            {
                self.judged.doubt = Some((Doubt::Apart(apart), report.time));
            }
        }
        let new = |gain: &Gain| reports.first().is_some_and(|first| gain.at >= first.time);
        let since = reports.first().map_or(f64::INFINITY, |first| first.time);
        if let Some(pushed) = self
            .judged
            .gains
            .corrected()
            .filter(|pushed| pushed.at >= since && self.judged.bounds.fit(self.run.initial()))
            && self.doubt().is_none_or(|doubt| matches!(doubt, Doubt::Apart(_) | Doubt::Pushed(_)))
        {
            self.judged.doubt = Some((Doubt::Pushed(pushed), pushed.at));
        }
        if let Some(gain) = self.energy_gain().filter(new)
            && self
                .doubt()
                .is_none_or(|doubt| matches!(doubt, Doubt::Apart(_) | Doubt::Gained(_) | Doubt::Pushed(_)))
        {
            self.judged.doubt = Some((Doubt::Gained(gain), gain.at));
        }
    }
}

/// The name of a joint, its motor or a spring.
fn name_of_part(world: &World, part: ConstraintId) -> String {
    match part {
        ConstraintId::Joint(id) => item::name(world, Item::Joint(id)),
        ConstraintId::Motor(id) => format!("motor of {}", item::name(world, Item::Joint(id))),
        ConstraintId::Spring(id) => item::name(world, Item::Spring(id)),
        _ => "part".to_owned(),
    }
}
