//! What is watched, in the past: recorded steps are made again, the newest first, and read.
//!
//! The kept states and the methods of the steps after them determine every recorded step to the bit, so that what was
//! not watched when they were made can be read off them later. That happens beside the run, in an engine of its own.

use super::LiveRun;
use crate::experiment::Run;
use crate::peers;
use crate::workbench::engine::{Engine, Job, Stepper, Stepping};
use crate::workbench::runs::checkpoints::{Hand, State};
use crate::workbench::runs::history::History;
use crate::workbench::watched::Watched;
use std::sync::Arc;

/// Kept states whose following steps are made again in one go.
const STRETCH: usize = 32;

/// The steps that are yet to be read.
#[derive(Default)]
pub(super) struct Recall {
    /// The number of steps of the state up to which the past is lacking; unknown until the run stands still or makes
    /// steps that are read.
    below: Option<u64>,
    /// The engine, the steps that it is asked for, and the state from which they begin.
    under_way: Option<(Box<dyn Engine>, u64, u64)>,
}

impl Recall {
    /// Steps from that state on are read as they are made.
    pub(super) fn begins_at(&mut self, steps: u64) {
        self.below.get_or_insert(steps);
    }
}

impl LiveRun {
    /// Whether past steps are being made again.
    pub(crate) fn is_recalling(&self) -> bool {
        self.record.recall.is_some()
    }

    /// The record is another one, or something else is watched: its past is read anew.
    pub(super) fn recall_anew(&mut self) {
        self.record.history.watch_anew();
        if let Some(branch) = &mut self.record.branch {
            branch.forget_watched();
        }
        let reads = self.record.watched.is_some() && self.played.is_none();
        self.record.recall = reads.then(Recall::default);
    }

    /// Takes in steps of the past that have been made again, and has earlier ones made.
    pub(crate) fn recall(&mut self, stepping: &Stepping) {
        let (Some(mut recall), Some(subject)) = (self.record.recall.take(), self.record.watched) else {
            return;
        };
        if recall.below.is_none() && self.making.task.is_none() {
            recall.below = Some(self.record.states.last().unwrap_or(0).max(self.run.world.steps()));
        }
        let Some(below) = recall.below else {
            self.record.recall = Some(recall);
            return;
        };
        if let Some((mut engine, left, first)) = recall.under_way.take() {
            match engine.answer() {
                None => recall.under_way = Some((engine, left, first)),
                Some(answer) => {
                    read_in(&mut self.record.history, &answer.reports, &answer.watched);
                    let left = left - answer.reports.len() as u64;
                    match answer.run {
                        Some(run) if left > 0 && answer.failure.is_none() => {
                            engine.begin(Job { run, steps: left, watched: Some(subject), by_phase: false });
                            recall.under_way = Some((engine, left, first));
                        }
                        _ => recall.below = Some(first),
                    }
                }
            }
        } else {
            let earlier = self.record.states.newest_first().filter(|state| state.world.steps() < below);
            // Another engine goes back only where the run itself does, so that its past is not read.
            let earlier = earlier.take_while(|state| !peers::makes(&state.method));
            let plan: Vec<State> = earlier.take(STRETCH).cloned().collect();
            // The oldest state is all that is left.
            let Some(first) = plan.last() else { return };
            let (from, steps) = (first.world.steps(), below - first.world.steps());
            self.record.history.recall(first.world.time(), Watched::of(&first.world, subject));
            let mut run = Run::new(&self.scene, 0);
            run.go_to(first.world.clone(), first.report);
            let mut engine = stepping.clone().by(self.again(plan)).engine();
            engine.begin(Job { run, steps, watched: Some(subject), by_phase: false });
            recall.under_way = Some((engine, steps, from));
        }
        self.record.recall = Some(recall);
    }

    /// Makes recorded steps again: from each of these states on with the method and the hand of that time.
    fn again(&self, plan: Vec<State>) -> Stepper {
        let recorded = self.recorded();
        Arc::new(move |run: &mut Run| {
            let steps = run.world().steps();
            if let Some(state) = plan.iter().find(|state| state.world.steps() == steps) {
                run.go_to(state.world.clone(), state.report);
                (run.method, run.time_step) = (state.method.clone(), state.time_step);
                run.pointer = match state.hand {
                    Hand::Mouse => None,
                    Hand::Recording => recorded.clone(),
                };
            }
            run.advance()
        })
    }
}

fn read_in(history: &mut History, reports: &[crate::report::StepReport], watched: &[Watched]) {
    for (report, readings) in reports.iter().zip(watched) {
        history.recall(report.time, *readings);
    }
}
