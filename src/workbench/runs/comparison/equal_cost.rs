//! Equal cost: every run makes as many steps of a frame as take the same time, so that errors are compared at one price.
//!
//! A frame is the main run's time step H at the moment when this begins. A run whose step takes c makes k steps of H/k
//! in it, with the whole number k for which k c is nearest to the budget. The k are chosen once, and again when a
//! person asks for it, and are the runs' time steps: what a run does from there on depends on no clock. While it lasts,
//! the main run advances by whole frames, at whose ends all runs are at the same time.

use super::{Comparison, Fork, ForkId, Role, since};
use crate::scene::window::Charged;
use crate::workbench::runs::history::Channel;
use crate::workbench::runs::live_run::{LiveRun, Setting, TIME_STEP_RANGE};

/// Steps of a frame at most.
const MOST_STEPS: f64 = 256.0;
/// Points of a trail at most; then every second one is left out.
const MOST_POINTS: usize = 512;

/// What a frame of each run may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// What the slowest run needs for a single step.
    Slowest,
    /// Processor time, s.
    Seconds(f64),
}

/// The runs at equal cost.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualCost {
    /// Length of a frame, s of simulation time.
    frame: f64,
    /// Processor time of a frame that all runs come near to, s.
    budget: f64,
    /// From when on errors are compared, s of simulation time.
    since: f64,
    /// Number of steps of the main run when its first frame began.
    first: u64,
    /// The runs' time steps before, to which they return, s.
    before: Vec<(Option<ForkId>, f64)>,
    /// Where each run has been, oldest first.
    trails: Vec<(Option<ForkId>, Vec<CostPoint>)>,
}

/// What a run costs, and what it has lost by then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostPoint {
    /// Simulation time, s.
    pub time: f64,
    /// Processor time of a frame, s.
    pub cost: f64,
    /// The largest error until then, m or rad.
    pub error: f64,
}

impl EqualCost {
    /// Processor time of a frame that all runs come near to, s.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// The steps that a run with steps of `h` seconds makes in a frame.
    pub fn steps(&self, h: f64) -> u64 {
        (self.frame / h).round().max(1.0) as u64
    }

    /// From when on errors are compared, s.
    pub fn since(&self) -> f64 {
        self.since
    }

    /// Where a run has been.
    pub fn trail(&self, fork: Option<ForkId>) -> &[CostPoint] {
        self.trails.iter().find(|(own, _)| *own == fork).map_or(&[], |(_, trail)| trail)
    }

    /// Whether both make the same of the runs.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.frame, self.budget, self.since) == (other.frame, other.budget, other.since)
    }
}

/// The number of steps of a frame whose cost is nearest to the budget: of `cost` s each, at least 1.
pub fn nearest(cost: f64, budget: f64) -> u64 {
    (budget / cost).clamp(1.0, MOST_STEPS).round() as u64
}

impl Comparison {
    /// The runs at equal cost, if they are.
    pub fn equal_cost(&self) -> Option<&EqualCost> {
        self.cost.as_ref()
    }

    /// Whether a run's time step is chosen by its cost: references keep theirs, and trajectories have none.
    pub fn is_charged(fork: &Fork) -> bool {
        fork.role == Role::Beside
    }

    /// The main run, and those beside it whose time steps are chosen by their cost.
    pub fn charged(&self) -> impl Iterator<Item = (Option<ForkId>, &LiveRun)> {
        let forks = self.forks.iter().filter(|fork| Self::is_charged(fork));
        [(None, &self.main)].into_iter().chain(forks.map(|fork| (Some(fork.id), fork.run())))
    }

    /// Gives the runs time steps at which a frame of each costs the same, by the times that their steps have taken so
    /// far. Returns whether all of them have made a step.
    pub fn equalise(&mut self, budget: Budget) -> bool {
        let measured: Vec<_> =
            self.charged().map(|(id, run)| (id, run.step_seconds(), run.time_step())).collect();
        if measured.iter().any(|(_, cost, _)| *cost <= 0.0) {
            return false;
        }
        let budget = match budget {
            Budget::Seconds(seconds) => seconds,
            Budget::Slowest => measured.iter().map(|(_, cost, _)| *cost).fold(0.0, f64::max),
        };
        let steps = measured.iter().map(|(id, _, h)| (*id, *h)).collect();
        let (frame, before) = match self.cost.take() {
            Some(EqualCost { frame, before, .. }) => (frame, before),
            None => (self.main.time_step(), steps),
        };
        for (id, cost, _) in measured {
            let most = (frame / TIME_STEP_RANGE[0]).max(1.0) as u64;
            let steps = nearest(cost, budget).min(most);
            self.set_step(id, frame / steps as f64);
        }
        let (since, first) = (self.main.world().time(), self.main.world().steps());
        self.cost = Some(EqualCost { frame, budget, since, first, before, trails: Vec::new() });
        true
    }

    /// The runs at equal cost for a file.
    pub fn charged_in_files(&self) -> Option<Charged> {
        let EqualCost { frame, budget, before, .. } = self.cost.as_ref()?;
        let of = |id| before.iter().find(|(own, _)| *own == id).map_or(*frame, |(_, h)| *h);
        let before = self.charged().map(|(id, _)| of(id)).collect();
        Some(Charged { frame: *frame, budget: *budget, before })
    }

    /// The runs go on at equal cost as a file says, at the time steps that they have.
    pub fn resume_equal_cost(&mut self, charged: Charged) {
        let Charged { frame, budget, before } = charged;
        let before = self.charged().map(|(id, _)| id).zip(before).collect();
        let (since, first) = (self.main.world().time(), self.main.world().steps());
        self.cost = Some(EqualCost { frame, budget, since, first, before, trails: Vec::new() });
    }

    /// Gives the runs the time steps back that they had before.
    pub fn end_equal_cost(&mut self) {
        let Some(EqualCost { before, frame, .. }) = self.cost.take() else { return };
        let late: Vec<_> = self.charged().map(|(id, _)| id).collect();
        for id in late {
            // A run that came later was forked from one of the others.
            let h = before.iter().find(|(own, _)| *own == id).map_or(frame, |(_, h)| *h);
            self.set_step(id, h);
        }
    }

    fn set_step(&mut self, id: Option<ForkId>, h: f64) {
        let fork = self.forks.iter_mut().find(|fork| Some(fork.id) == id);
        let run = fork.map_or(&mut self.main, |fork| fork.run_mut());
        run.choose(Setting::TimeStep(h));
    }

    /// As many of the `due` steps of the main run as lead to the end of a frame; the others stay due.
    pub(super) fn whole_frames(&mut self, due: u64) -> u64 {
        let Some(cost) = &self.cost else { return due };
        let begun = self.begun(cost);
        let steps = cost.steps(self.main.time_step());
        let whole = ((begun + due) / steps * steps).saturating_sub(begun);
        self.main.put_off(due - whole);
        whole
    }

    /// The steps of the main run that lead to the end of the present frame, or of the next one.
    pub(super) fn to_the_next_frame(&self) -> u64 {
        self.cost.as_ref().map_or(1, |cost| cost.steps(self.main.time_step()) - self.begun(cost))
    }

    /// The steps that the main run has made of the present frame.
    fn begun(&self, cost: &EqualCost) -> u64 {
        let (now, steps) = (self.main.world().steps(), cost.steps(self.main.time_step()));
        if now >= cost.first { (now - cost.first) % steps } else { 0 }
    }

    /// The main run's time step has become `factor` times as long, and the others' with it.
    pub(super) fn scale_frame(&mut self, factor: f64) {
        if let Some(cost) = &mut self.cost {
            cost.frame *= factor;
            cost.before.iter_mut().for_each(|(_, h)| *h *= factor);
        }
    }

    /// The main run has changed places with a fork.
    pub(super) fn exchange_cost(&mut self, fork: ForkId) {
        let now = self.main.world().steps();
        let Some(cost) = &mut self.cost else { return };
        let exchanged = |id: Option<ForkId>| match id {
            None => Some(fork),
            Some(own) if own == fork => None,
            other => other,
        };
        cost.before.iter_mut().for_each(|(id, _)| *id = exchanged(*id));
        cost.trails.iter_mut().for_each(|(id, _)| *id = exchanged(*id));
        cost.first = now;
    }

    /// All runs begin again.
    pub(super) fn restart_cost(&mut self) {
        if let Some(cost) = &mut self.cost {
            (cost.since, cost.first) = (self.main.world().time(), self.main.world().steps());
            cost.trails.clear();
        }
    }

    /// Takes note of what the runs cost and have lost by now.
    pub(super) fn trace_cost(&mut self) {
        let Some(mut cost) = self.cost.take() else { return };
        let since = since(self).max(cost.since);
        let jointed = !self.main.world().joints().is_empty();
        let channel = if jointed { Channel::JointError } else { Channel::ContactError };
        for (id, run) in self.charged() {
            let place = cost.trails.iter().position(|(own, _)| *own == id).unwrap_or_else(|| {
                cost.trails.push((id, Vec::new()));
                cost.trails.len() - 1
            });
            let trail = &mut cost.trails[place].1;
            let (now, from) = (run.world().time(), trail.last().map_or(since, |last| last.time));
            if now <= from || run.is_in_the_past() {
                continue;
            }
            let largest = run.history().largest(channel, [from, now]);
            let error = trail.last().map_or(largest, |last| largest.max(last.error));
            let seconds = run.step_seconds() * (cost.frame / run.time_step()).round();
            trail.push(CostPoint { time: now, cost: seconds, error });
            if trail.len() > MOST_POINTS {
                let mut place = 0;
                trail.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
            }
        }
        self.cost = Some(cost);
    }
}
