//! Lockstep: all runs at the same simulation time, each with its own time step.
//!
//! A round leads from the main run's time t to t + n h. A run with another time step makes as many whole steps as fit; it is then
//! behind by less than one of its own steps. A run that was faster than another in a round waits for it. Where a step
//! of the main run fails, or it goes back because it has blown up, the others return to its time and forget what they
//! have computed beyond it.

use super::Comparison;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::runs::player::Player;
use std::ops::ControlFlow;

/// Steps in a frame of a run that approaches a time: the curves grow while one waits.
const STEPS_OF_A_FRAME: f64 = 100.0;

impl Comparison {
    /// A frame of `elapsed` real seconds: takes over the steps that are finished and begins those that are due. Breaks if a step
    /// of the main run failed; a fork whose step failed stays behind.
    pub fn advance(&mut self, player: &Player, elapsed: f64) -> ControlFlow<()> {
        self.main.wait(elapsed);
        self.forks.iter_mut().for_each(|fork| fork.run_mut().wait(elapsed));
        self.collect()?;
        let waiting = self.is_stepping() || self.catch_up();
        if player.playing {
            let cuts = self.main.cuts();
            let due = self.main.due(player, elapsed, waiting);
            self.follow_cut(cuts);
            let due = self.whole_frames(due);
            if due > 0 {
                self.main.play(due);
                self.round();
            }
        }
        let ended = self.collect();
        self.trace_cost();
        self.main.observe(player, elapsed);
        ended
    }

    /// Asks for one step of the main run, at equal cost for the rest of a frame, and for as many of the others as lead
    /// to the same time.
    pub fn step_once(&mut self) -> ControlFlow<()> {
        let cuts = self.main.cuts();
        let mut steps = 0..self.to_the_next_frame();
        let ended = steps.try_for_each(|_| self.main.step_once());
        self.follow_cut(cuts);
        if ended.is_break() {
            self.fall_back();
            return ended;
        }
        self.round();
        self.collect()
    }

    /// Goes on towards `time`, s, in all runs, by as many steps as a frame shows; returns whether the main run is not yet there.
    pub fn approach(&mut self, time: f64) -> bool {
        if self.is_stepping() {
            return true;
        }
        let by = STEPS_OF_A_FRAME * self.main.time_step();
        let goes = self.main.follow(time.min(self.main.world().time() + by));
        if goes {
            self.round();
        }
        goes
    }

    /// One step of the main run back; the others go to the same time.
    pub fn step_back(&mut self) {
        self.main.step_back();
        self.gather();
    }

    /// All runs to the recorded state at `time`, s.
    pub fn seek(&mut self, time: f64) {
        self.main.seek(time);
        self.gather();
    }

    /// Enters the future that was left at `begun`, s, in all runs that left one there, at its recorded state at `time`,
    /// s; the others go to the same time.
    pub fn enter_branch(&mut self, begun: f64, time: f64) {
        // A run with longer steps may have been behind by less than one of them.
        let left = |run: &LiveRun| {
            let since = run.branch().map(|branch| begun - branch.span()[0]);
            since.is_some_and(|since| since >= -run.time_step() && since < run.time_step())
        };
        let forks = self.forks.iter_mut().map(|fork| fork.run_mut());
        for run in [&mut self.main].into_iter().chain(forks) {
            let entered = left(run) && run.enter_branch(time);
            if !entered {
                run.seek(time);
            }
        }
    }

    /// Whether a step is being made or queued.
    pub fn is_busy(&self) -> bool {
        self.main.is_busy() || self.forks.iter().any(|fork| fork.run().is_busy())
    }

    /// A person has acted on the present state, as a result of which the main run's recorded future may have been
    /// discarded (`cuts` is the number of such events before). Forks that began later than that now begin here.
    pub fn follow_cut(&mut self, cuts: u64) {
        if cuts != self.main.cuts() {
            self.begin_later_forks_here();
        }
    }

    /// Forks that began later than the present state begin here: a person has acted on this state, so that none leads to theirs.
    pub(super) fn begin_later_forks_here(&mut self) {
        let now = self.main.world().time();
        for fork in self.forks.iter_mut().filter(|fork| !fork.exists_at(now)) {
            fork.run_mut().begin_again_at(&self.main);
        }
    }

    /// Whether a step is being made.
    pub fn is_stepping(&self) -> bool {
        self.main.is_stepping() || self.forks.iter().any(|fork| fork.run().is_stepping())
    }

    fn collect(&mut self) -> ControlFlow<()> {
        for fork in &mut self.forks {
            // Its banner shows the failure.
            let _stopped = fork.run_mut().collect();
        }
        let ended = self.main.collect();
        if ended.is_break() {
            self.fall_back();
        }
        ended
    }

    /// The main run has stopped, at the last state that it has reached or, blown up, at the last one that can be seen: the others
    /// stop there as well.
    fn fall_back(&mut self) {
        let time = self.main.destination();
        for fork in &mut self.forks {
            fork.run_mut().fall_back(time);
        }
    }

    /// The forks go where the main run goes, moved by the same hand.
    fn round(&mut self) {
        let until = self.main.destination();
        let (hand, pointer) = (self.main.hand(), self.main.recorder().recorded());
        self.hand = hand;
        for fork in
            self.forks.iter_mut().filter(|fork| fork.exists_at(until) && fork.run().failure().is_none())
        {
            // The mark comes before the steps on which the change acts.
            fork.run_mut().note_changes();
            fork.run_mut().obey(Some(hand), pointer.clone());
            fork.run_mut().follow(until);
        }
    }

    /// Lets the runs that are behind make the steps that they lack; returns whether there are any.
    fn catch_up(&mut self) -> bool {
        let now = self.main.world().time();
        let goes = |fork: &&mut super::Fork| fork.exists_at(now) && fork.run().failure().is_none();
        let mut latest = now;
        if !self.main.is_in_the_past() {
            let times = self.forks.iter_mut().filter(goes).map(|fork| fork.run().world().time());
            latest = times.fold(now, f64::max);
        }
        // The forks have made these steps with the hand of the round; the main run's hand may have moved since, and the
        // body that it held may have been removed or fixed.
        let (grab, push, keys) = self.hand;
        let moves = |body| self.main.world().body(body).is_some_and(|body| body.is_dynamic());
        let grab = grab.filter(|grab| moves(grab.body));
        let main_lacks = self.main.failure().is_none() && self.main.follow_with(latest, (grab, push, keys));
        let lacks = |fork: &mut super::Fork| fork.run_mut().follow(latest);
        self.forks.iter_mut().filter(goes).map(lacks).fold(main_lacks, |any, lacks| any | lacks)
    }

    /// The cursor of the main run has moved: the others follow it back.
    fn gather(&mut self) {
        let time = self.main.destination();
        for fork in &mut self.forks {
            fork.run_mut().seek(time);
        }
    }
}
