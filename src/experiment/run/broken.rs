//! What has broken in a run.

use super::Run;
use crate::experiment::opened::words::constraint_in_words;
use crate::numbers::four_digits;
use serde::Serialize;
use std::fmt;

/// A joint, motor or spring that broke.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Broken {
    /// The step at whose end it broke.
    pub step: u64,
    /// The time then, s.
    pub time: f64,
    /// What broke, in words.
    pub part: String,
    /// Where it was attached to its second body, m.
    pub at: [f64; 2],
    /// Size of its mean force over the step, N.
    pub force: f64,
    /// Size of its mean torque over the step, N m.
    pub torque: f64,
}

impl Broken {
    /// What broke at the end of the last step of `run`.
    pub fn of(run: &Run) -> Vec<Self> {
        let (world, report) = (run.world(), run.report());
        let own = |broken: &crate::step::Break| Self {
            step: report.step,
            time: report.time,
            part: constraint_in_words(world, broken.part, broken.bodies),
            at: broken.at.to_array(),
            force: broken.force,
            torque: broken.torque,
        };
        run.breaks().iter().map(own).collect()
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, time, part, at: [x, y], force, torque } = self;
        let [x, y, force_text, time] = [*x, *y, *force, *time].map(four_digits);
        write!(
            f,
            "{part} broke at the end of step {step}, at {time} s and ({x}, {y}) m, under {force_text} N"
        )?;
        if *torque > 0.0 { write!(f, " and {} N m", four_digits(*torque)) } else { Ok(()) }
    }
}
