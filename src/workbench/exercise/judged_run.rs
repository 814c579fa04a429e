//! A run that is judged: its steps from the start to its end, and the figures of them.

use super::tally::Tally;
use super::{Criterion, Quantity};
use crate::experiment::{Bounds, Run, reason};
use crate::model::World;
use crate::workbench::link::Opened;

/// Most steps of an attempt.
const MOST_STEPS: f64 = 200_000.0;
/// Most rows times iterations of an attempt: whoever marks is not kept waiting by a certificate.
const MOST_COST: f64 = 1e9;

/// How an attempt has ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// With the last step.
    Whole,
    /// Because the run blew up, or a step could not be made; why.
    Broken(String),
}

/// A run on the way to its end, and its figures.
pub(super) struct JudgedRun {
    run: Run,
    tally: Tally,
    bounds: Bounds,
    steps: u64,
    made: u64,
    end: Option<End>,
}

impl JudgedRun {
    /// The run of what a link opens, for so long, s.
    pub(super) fn new(opened: &Opened, duration: f64) -> Result<Self, String> {
        let (method, h) = &opened.main;
        let steps = (duration / h).round();
        if steps > MOST_STEPS {
            return Err(format!("more than {MOST_STEPS} steps of {h} s"));
        }
        let mut scene = opened.scene.clone();
        scene.settings.time_step = *h;
        let run = Run::under(&scene, method.clone(), steps as u64);
        let (tally, bounds) = (Tally::new(&run, steps as u64), Bounds::of(&scene, run.initial(), false));
        Ok(Self { run, tally, bounds, steps: steps as u64, made: 0, end: None })
    }

    /// Its present state.
    pub(super) fn world(&self) -> &World {
        self.run.world()
    }

    /// Steps made.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// How it has ended, if it has.
    pub(super) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Makes a step, unless the run has ended; whether one was made.
    pub(super) fn advance(&mut self) -> bool {
        if self.end.is_some() {
            return false;
        }
        match self.run.advance() {
            Ok(report) => {
                self.made += 1;
                self.tally.add(&report, self.run.world());
                if let Some(blown) = self.bounds.judge(&report) {
                    self.end = Some(End::Broken(format!("the run has {blown}")));
                } else if self.tally.cost() > MOST_COST {
                    self.end = Some(End::Broken(format!("more than {MOST_COST:e} rows × iterations")));
                } else if self.made >= self.steps {
                    self.end = Some(End::Whole);
                }
                true
            }
            Err(error) => {
                let why = reason(&error, self.run.world());
                self.end = Some(End::Broken(format!("step {} cannot be made: {why}", self.made + 1)));
                false
            }
        }
    }

    pub(super) fn figure(&self, quantity: &Quantity) -> Option<f64> {
        self.tally.of(quantity, self.run.world())
    }

    /// Makes all steps; whether the run came to its end with what `holds`.
    pub(super) fn holds(mut self, holds: Option<&Criterion>) -> bool {
        while self.advance() {}
        let fits = |own: &Criterion| self.figure(&own.quantity).is_some_and(|x| own.limits.hold(x));
        self.end == Some(End::Whole) && holds.is_none_or(fits)
    }
}
