//! One scene under several methods.

use crate::experiment::error_curve::ErrorCurve;
use crate::experiment::run::Run;
use crate::experiment::run::summary::Summary;
use crate::method::{Method, Stabilizer};
use crate::parameter::Parameter;
use crate::report::{StepError, StepReport};
use crate::scene::Scene;
use std::ops::ControlFlow;

/// One method's run.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The scheme as [`label`] names it.
    pub label: String,
    /// The figures of the run.
    pub summary: Summary,
    /// The errors over time, thinned to what a figure shows: its memory does not grow with the run.
    pub errors: ErrorCurve,
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

/// A row of a comparison: a state that a method's run has reached.
pub struct ComparedState<'r> {
    /// The method, by its place in the list.
    pub method: usize,
    /// How [`label`] names it.
    pub label: &'r str,
    /// The figures.
    pub report: &'r StepReport,
    /// Whether it is the state before the first step.
    pub is_initial: bool,
}

/// Runs the scene for up to `steps` steps under each method, one after the other, from its present state.
///
/// `observe` is told each row as it is reached, the initial states included, and may end the comparison: the curves then
/// contain what was reached, and no curve for methods whose turn did not come.
pub fn compare(
    scene: &Scene,
    methods: &[Method],
    steps: u64,
    mut observe: impl FnMut(ComparedState<'_>) -> ControlFlow<()>,
) -> Vec<Curve> {
    let mut curves = Vec::new();
    let mut end = ControlFlow::Continue(());
    for (index, method) in methods.iter().enumerate() {
        if end.is_break() {
            break;
        }
        let label = label(&method.stabilizer);
        let mut row = |report: &StepReport, is_initial| {
            observe(ComparedState { method: index, label: &label, report, is_initial })
        };
        let mut run = Run::under(scene, method.clone(), steps);
        let mut summary = Summary::under(scene, method, run.initial());
        let mut errors = ErrorCurve::default();
        errors.add(run.initial());
        end = row(run.initial(), true);
        let mut failure = None;
        while end.is_continue() {
            match run.next() {
                None => break,
                Some(Ok(report)) => {
                    summary.add(&report);
                    errors.add(&report);
                    end = row(&report, false);
                }
                Some(Err(error)) => failure = Some(error),
            }
        }
        curves.push(Curve { label, summary, errors, failure });
    }
    curves
}
