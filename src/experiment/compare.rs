//! The same scene under several methods.

use super::{Run, Summary};
use crate::parameter::Parameter;
use crate::report::{StepError, StepReport};
use crate::scene::Scene;
use crate::stabilizer::{Method, Stabilizer};

/// One method's run.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The scheme as [`label`] names it.
    pub label: String,
    /// The figures of the run.
    pub summary: Summary,
    /// The reports, the initial state first.
    pub reports: Vec<StepReport>,
    /// Why the run ended early, if it did.
    pub failure: Option<StepError>,
}

/// A short spelling of a scheme that the command line reads back as the same scheme: of a scheme with many
/// parameters, only those that are not at their defaults are named.
pub fn label(stabilizer: &Stabilizer) -> String {
    const MANY: usize = 3;
    let values = || stabilizer.values.iter();
    let told = |(parameter, value): &(&'static Parameter, f64)| {
        values().count() < MANY || *value != parameter.default
    };
    let spelled = |(parameter, value): (&'static Parameter, f64)| match parameter.word(value) {
        Some(word) => format!(",{}={word}", parameter.key),
        None => format!(",{}={value}", parameter.key),
    };
    let parameters: String = values().filter(told).map(spelled).collect();
    format!("{}{parameters}", stabilizer.info().key)
}

/// Runs the scene for `steps` steps under each method, from its present state.
///
/// `observe` is told each finished step: the index of its method, and the report.
pub fn compare(
    scene: &Scene,
    methods: &[Method],
    steps: u64,
    mut observe: impl FnMut(usize, &StepReport),
) -> Vec<Curve> {
    let run = |(index, method): (usize, &Method)| {
        let mut run = Run::under(scene, method.clone(), steps);
        let mut summary = Summary::under(scene, method, run.initial());
        let mut reports = vec![*run.initial()];
        let mut failure = None;
        for report in &mut run {
            match report {
                Ok(report) => {
                    observe(index, &report);
                    summary.add(&report);
                    reports.push(report);
                }
                Err(error) => failure = Some(error),
            }
        }
        Curve { label: label(&method.stabilizer), summary, reports, failure }
    };
    methods.iter().enumerate().map(run).collect()
}
