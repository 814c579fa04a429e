//! A run whose errors grow without bound: stopped while there is still something to see, and what can be done about it.
//!
//! The run also stops where the energy has left all that the scene can exchange (`experiment/diagnosis/blow_up.rs`).
//! An unstable scheme multiplies its error in every step, so that bodies leave the picture within a few frames. The run stops as
//! soon as the error passes a hundred scene sizes, goes back to the last state in which the bodies still lie near each other,
//! and forgets the steps beyond it: made again, they would be the same.

use super::LiveRun;
use super::gain::is_driven;
use crate::model::World;
use crate::model::joint::Unit;
use crate::report::StepReport;
use crate::scene::BLOWN_UP;
use crate::workbench::engine::StepFailure;
use crate::workbench::runs::checkpoints::State;
use crate::workbench::runs::failure::Failure;
use crate::workbench::runs::player::SPEED_RANGE;
use crate::workbench::runs::remedy::{FailedRun, cure};
use crate::workbench::stage::framing;

/// Error, in sizes of the scene, beyond which a run has blown up.
const LOST: f64 = 100.0;
/// Error, in sizes of the scene, up to which the bodies still make a picture.
const VISIBLE: f64 = 0.5;
/// Error, in sizes of the scene, from which on slow motion shows it grow.
const BEGINNING: f64 = 1e-3;
/// Real seconds that slow motion takes up to the end.
const SLOW_SECONDS: f64 = 5.0;
/// Smallest and largest number of steps that it shows.
const SLOW_STEPS: u64 = 40;
const SLOW_STEPS_MOST: u64 = 1000;
/// Factor by which an error has to exceed an earlier one before it has grown.
const GROWN: f64 = 2.0;

/// The largest error that is an ordinary length of the scene: in each of the units in which its joints err.
pub(crate) fn ordinary_error(world: &World, units: &[Unit]) -> f64 {
    let size = framing::size(world);
    let of = |unit: &Unit| match unit {
        Unit::Metre => size,
        Unit::SquareMetre => size * size,
        // Joints err by at most a few turns before their positions err, too.
        Unit::Radian => 1.0,
    };
    let largest = units.iter().map(of).fold(size, f64::max);
    if largest > 0.0 { largest } else { f64::INFINITY }
}

fn error(report: &StepReport) -> f64 {
    let error = report.joint_error.max(report.contact_error);
    if error.is_nan() { f64::INFINITY } else { error }
}

/// By what it is noticed that a run has blown up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grown {
    Error,
    Energy,
}

impl LiveRun {
    /// What has grown, where new steps, and the failure in which they ended, are those of a run that blows up.
    pub(crate) fn blown_up(&self, reports: &[StepReport], failure: Option<&StepFailure>) -> Option<Grown> {
        let beyond = |sizes: f64| move |report: &StepReport| error(report) > sizes * self.judged.ordinary;
        let before = self.record.states.newest_first().next().map(|state| &state.report);
        let ended = failure.is_some() && reports.last().or(before).is_some_and(beyond(1.0));
        let energy =
            |report: &StepReport| self.judged.bounds.judge(report).is_some_and(|beyond| beyond.unit == "J");
        let meaningless = |report: &StepReport| self.judged.bounds.judge(report).is_some();
        let grown = reports.iter().find_map(|report| match beyond(LOST)(report) {
            true => Some(Grown::Error),
            false if energy(report) => Some(Grown::Energy),
            false => meaningless(report).then_some(Grown::Error),
        });
        grown.or(ended.then_some(Grown::Error))
    }

    /// Goes back to the last state whose error does not exceed a part of the scene's size, or to the last kept one if
    /// there is no such state since a person made an edit, and forgets what came after it.
    pub(crate) fn stop_in_sight(&mut self, grown: Grown) {
        let bounds = self.judged.bounds;
        let ordinary = self.judged.ordinary;
        let visible =
            |report: &StepReport| error(report) <= VISIBLE * ordinary && bounds.judge(report).is_none();
        let reached = self.run.world.steps();
        // An edit stands: the steps before it lead elsewhere.
        let last = self.record.states.newest_first().find(|state| state.edited || visible(&state.report));
        let seen = last.filter(|state| visible(&state.report));
        // The state from which the steps were begun is kept.
        let Some(state) = seen.or(self.record.states.newest_first().next()).cloned() else { return };
        let chosen = (self.run.method.clone(), self.run.time_step);
        let phase = self.phase_before(state.world.steps());
        self.abandon();
        self.record.states.cut(state.world.steps());
        self.record.lines.branch_off(state.world.steps());
        let branch = self.record.branch.take().filter(|branch| branch.begins_by(state.world.steps()));
        self.set_branch(branch);
        self.record.history.rewind(state.world.time(), state.worked);
        self.stand_at(state);
        self.run.pointer = self.recorder.recorded();
        // Fewer steps than a frame has lie between two states that are kept. The mouse may hold now what it did not
        // hold then, and these steps last.
        while self.run.world.steps() < reached {
            let (world, report) = (self.run.world.clone(), *self.run.report());
            match self.run.advance() {
                Ok(next) if visible(&next) => {
                    self.judge(&[next], is_driven(&self.run));
                    self.record(&[next], &[]);
                }
                _ => {
                    self.run.go_to(world, report);
                    break;
                }
            }
        }
        (self.run.method, self.run.time_step) = chosen;
        self.judged.doubt = None;
        let what = match grown {
            Grown::Energy => {
                format!("The energy changed by more than {BLOWN_UP:.0e} times what the scene can exchange")
            }
            Grown::Error => format!("The error grew beyond {LOST:.0} times the size of the scene"),
        };
        self.stop(Failure::blown_up(&self.run.method, self.run.time_step, &what, phase));
        self.judged.lacks_cure = true;
    }

    /// Whether the run has stopped, and a remedy for that is still to be sought.
    pub(crate) fn lacks_cure(&self) -> bool {
        self.judged.lacks_cure && self.judged.failure.is_some()
    }

    /// Seeks a remedy that holds from the state to which one goes back: `before` the last change, or the scene's start.
    pub(crate) fn seek_cure(&mut self, before: Option<&World>) {
        let world = before.unwrap_or(&self.scene.world);
        let (method, h) = (&self.run.method, self.run.time_step);
        let found = cure(&FailedRun { world, method, h, rate: self.run.report().fastest_rate });
        self.judged.lacks_cure = false;
        if let Some(failure) = &mut self.judged.failure {
            failure.cure = found;
        }
    }

    /// The largest phase h ω of the fastest motion in the recorded states up to that number of steps, from the beginning of the
    /// error's growth on, rad.
    fn phase_before(&self, steps: u64) -> f64 {
        let phase = |state: &State| state.time_step * state.report.fastest_rate;
        let grown = self.record.states.newest_first().skip_while(|state| state.world.steps() > steps);
        grown
            .take_while(|state| error(&state.report) > BEGINNING * self.judged.ordinary)
            .map(phase)
            .fold(0.0, f64::max)
    }

    /// Time from which on, and speed at which, the steps up to the present state can be watched: from the last moment
    /// at which the error was still small, or what it had been before.
    pub fn slow_motion(&self) -> Option<(f64, f64)> {
        let (time, steps) = (self.run.world.time(), self.run.world.steps());
        let early = |state: &&State| state.world.steps() + SLOW_STEPS <= steps;
        let recent = |state: &&State| state.world.steps() + SLOW_STEPS_MOST >= steps;
        let window = || self.record.states.newest_first().take_while(recent);
        let oldest = window().last().or(self.record.states.newest_first().next())?;
        let small = (BEGINNING * self.judged.ordinary).max(GROWN * error(&oldest.report));
        let from = window().filter(early).find(|state| error(&state.report) <= small);
        let from = from.unwrap_or(oldest).world.time();
        let speed = ((time - from) / SLOW_SECONDS).clamp(SPEED_RANGE[0], 1.0);
        (from < time).then_some((from, speed))
    }
}
