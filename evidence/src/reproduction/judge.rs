//! Published statements against what was computed: the number that a reference takes from its runs, and the verdict.

use super::Figure;
use super::modes;
use super::recording::{RecordedStep, Recording, Runs, tolerant};
use crate::document::method;
use driftlab::experiment::Run;
use driftlab::experiment::internal::{larger, stepped};
use driftlab::method::Stabilizer;
use driftlab::model::Body;
use driftlab::scene::{Bound, Quantity, Reference, Scene, Take};

/// Steps from which [`Take::Rate`] is taken, at most.
const RATE_STEPS: u64 = 400;
/// Range of the error, relative to the first one, in which growth is measured: below it is rounding, above it the
/// motion is no longer linear.
const LINEAR: [f64; 2] = [1e-6, 1e7];
/// How far a factor per step may exceed 1 in a stable run: roots of measured ratios are rounded.
const RATE_ROUNDING: f64 = 1e-8;
/// Time steps between which a stability limit is sought, s.
const LIMITS: [f64; 2] = [1e-4, 1e4];
/// Bisections of their logarithms: to 1e-12 of the limit.
const BISECTIONS: usize = 46;

/// The verdict on a published statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// The number is reproduced.
    Reproduced,
    /// The number is reproduced under an assumption about something that the source leaves open.
    Assuming(String),
    /// The number is not reproduced, with the reason where one is known.
    NotReproduced(String),
}

/// A published statement beside what was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The figure's id.
    pub figure: &'static str,
    /// Paper and figure.
    pub source: &'static str,
    /// What it states.
    pub text: String,
    /// What the number should be.
    pub bound: Bound,
    /// To which relative deviation, where the source says it more precisely than a printed curve.
    pub within: Option<f64>,
    /// What it is, if it could be computed.
    pub measured: Option<f64>,
    /// The unit of both; empty for a pure number.
    pub unit: &'static str,
    /// The verdict.
    pub judgement: Judgement,
}

/// Judges all references of the scene that belong to the figure.
pub(crate) fn statements(figure: &Figure, runs: &mut Runs<'_>) -> Vec<Statement> {
    let scene = runs.scene;
    let own = scene.references.iter().filter(|reference| reference.figure.as_deref() == Some(figure.id));
    own.map(|reference| judge(figure, runs, reference)).collect()
}

fn judge(figure: &Figure, runs: &mut Runs<'_>, reference: &Reference) -> Statement {
    let own = reference.stabilizer.clone().unwrap_or(runs.scene.settings.method.stabilizer.clone());
    let mut number = |scheme: &Stabilizer| number(runs, reference, scheme);
    let measured = number(&own).and_then(|value| match &reference.ratio_to {
        None => Ok(value),
        Some(other) => Ok(value / number(other)?),
    });
    let judgement = match (&measured, &reference.assumption) {
        (Err(reason), _) => Judgement::NotReproduced(reason.clone()),
        (Ok(value), _) if !reference.holds(*value) => {
            Judgement::NotReproduced(reference.remark.clone().unwrap_or_default())
        }
        (Ok(_), Some(assumption)) => Judgement::Assuming(assumption.clone()),
        (Ok(_), None) => Judgement::Reproduced,
    };
    Statement {
        figure: figure.id,
        source: figure.source,
        text: reference.label.clone(),
        bound: reference.bound,
        within: reference.within,
        measured: measured.ok(),
        unit: unit(runs, reference, &own),
        judgement,
    }
}

/// The number that the reference takes under one scheme.
fn number(runs: &mut Runs<'_>, reference: &Reference, scheme: &Stabilizer) -> Result<f64, String> {
    let h = reference.time_step.unwrap_or(runs.time_step());
    let (quantity, tolerance) = (reference.quantity, reference.contact_tolerance);
    if modes::is_about(quantity) {
        return of_modes(runs.scene, reference, scheme, h);
    }
    let named = |body: &Body| Some(&body.name) == reference.body.as_ref();
    let body = runs.scene.world.bodies().iter().position(named);
    match reference.take {
        Take::Rate => Ok(rate(&tolerant(runs.scene, tolerance), scheme, quantity, h)),
        Take::StabilityLimit => Ok(stability_limit(&tolerant(runs.scene, tolerance), scheme, quantity)),
        Take::Order | Take::OrderAtEnd => {
            let of = if reference.take == Take::Order { Take::Largest } else { Take::Last };
            let mut number = |h| taken(runs.within(tolerance, scheme, h), reference, body, of);
            Ok((number(h)? / number(h / 2.0)?).log2())
        }
        take => taken(runs.within(tolerance, scheme, h), reference, body, take),
    }
}

/// The number that a reference takes from the modes of small motions, which need no run.
fn of_modes(scene: &Scene, reference: &Reference, scheme: &Stabilizer, h: f64) -> Result<f64, String> {
    let number = |h| modes::number(scene, scheme, reference.quantity, h);
    match reference.take {
        Take::Largest | Take::Least | Take::First | Take::Last => number(h),
        Take::Order | Take::OrderAtEnd => Ok((number(h)? / number(h / 2.0)?).log2()),
        take => Err(format!("{} has no '{}'", reference.quantity.key(), take.key())),
    }
}

fn taken(run: &Recording, reference: &Reference, body: Option<usize>, take: Take) -> Result<f64, String> {
    let window: Vec<(f64, f64)> = window(run, reference, body)?;
    let nothing = || format!("{} is not available under {:?}", reference.quantity.key(), run.stabilizer);
    let no_zero = || format!("{} does not pass through zero", reference.quantity.key());
    let (Some((start, first)), Some((end, last))) = (window.first(), window.last()) else {
        return Err(nothing());
    };
    let largest = |part: &dyn Fn(f64) -> bool| {
        let values = window.iter().filter(|(time, _)| part(*time)).map(|(_, value)| *value);
        values.fold(f64::NEG_INFINITY, larger)
    };
    let middle = 0.5 * (start + end);
    Ok(match take {
        Take::First => *first,
        Take::Last => *last,
        Take::Least => window.iter().fold(f64::INFINITY, |least, (_, value)| least.min(*value)),
        Take::ZeroAt => zeros(&window, |a, b| (a <= 0.0) != (b <= 0.0)).next().ok_or_else(no_zero)?,
        Take::Period => {
            let mut upwards = zeros(&window, |a, b| a <= 0.0 && b > 0.0);
            let first = upwards.next().ok_or_else(no_zero)?;
            let (count, last) = upwards.fold((0, first), |(count, _), time| (count + 1, time));
            if count == 0 {
                return Err(format!("{} passes upwards through zero once", reference.quantity.key()));
            }
            (last - first) / f64::from(count)
        }
        Take::Growth => largest(&|time| time > middle) / largest(&|time| time <= middle),
        _ => largest(&|_| true),
    })
}

/// The times at which a value passes through zero, by linear interpolation between two steps, where `passes` says of both values.
fn zeros(window: &[(f64, f64)], passes: impl Fn(f64, f64) -> bool) -> impl Iterator<Item = f64> {
    let pairs = window.windows(2).map(|pair| [pair[0], pair[1]]);
    let passing = pairs.filter(move |[(_, a), (_, b)]| passes(*a, *b));
    passing.map(|[(t, a), (u, b)]| t + (u - t) * a / (a - b))
}

/// Times and values of the steps in the reference's window, of the body with that index where the quantity is one
/// body's; an error if the run failed before the window's end.
fn window(run: &Recording, reference: &Reference, body: Option<usize>) -> Result<Vec<(f64, f64)>, String> {
    let end = run.rows.last().map_or(0.0, |row| row.time);
    if let Some(failure) = &run.failure
        && reference.to.is_none_or(|to| to > end)
    {
        return Err(format!("fails at {end:.3} s: {failure}"));
    }
    let steps = run.rows.iter().skip(1).filter(|row| reference.covers(row.time));
    let value = |row: &RecordedStep| match (reference.quantity, body) {
        (Quantity::BodyAngle, Some(index)) => row.poses.get(index).map(|pose| pose.z),
        (Quantity::BodyHeight, Some(index)) => row.poses.get(index).map(|pose| pose.y),
        (quantity, _) => row.value(quantity),
    };
    Ok(steps.filter_map(|row| Some((row.time, value(row)?))).collect())
}

/// Factor per step by which the quantity grows while it is neither rounding nor large, over the later half of those
/// steps, in which other modes have decayed; 0 if the quantity vanishes at once, infinite if the run fails at once.
///
/// An error obeys a recurrence of second order, so that two consecutive errors are its state: their norm grows by the
/// factor even where a single error passes through zero.
pub(crate) fn rate(scene: &Scene, scheme: &Stabilizer, quantity: Quantity, h: f64) -> f64 {
    let scene = stepped(scene, h);
    let mut run = Run::under(&scene, method(&scene.settings, scheme), RATE_STEPS);
    let first = quantity.of(run.initial()).unwrap_or_default().abs();
    let mut last = first;
    let mut states = Vec::new();
    let mut beyond = None;
    for report in &mut run {
        let value = report.ok().and_then(|report| quantity.of(&report)).map_or(f64::INFINITY, f64::abs);
        let state = last.hypot(value);
        if !(LINEAR[0] * first..=LINEAR[1] * first).contains(&state) {
            beyond = Some(state);
            break;
        }
        states.push(state);
        last = value;
    }
    let (end, middle) = (states.len().saturating_sub(1), states.len() / 2);
    match beyond {
        // Too few steps to tell modes apart.
        Some(state) if end <= middle => {
            if state < first {
                0.0
            } else {
                state / first
            }
        }
        _ => (states[end] / states[middle]).powf(1.0 / (end - middle) as f64),
    }
}

/// Bisects for the time step beyond which errors grow; returns the upper end of the range if there is none.
fn stability_limit(scene: &Scene, scheme: &Stabilizer, quantity: Quantity) -> f64 {
    let stable = |h: f64| rate(scene, scheme, quantity, h) <= 1.0 + RATE_ROUNDING;
    let [mut low, mut high] = LIMITS;
    if stable(high) {
        return high;
    }
    for _ in 0..BISECTIONS {
        let middle = (low * high).sqrt();
        *(if stable(middle) { &mut low } else { &mut high }) = middle;
    }
    low
}

fn unit(runs: &mut Runs<'_>, reference: &Reference, scheme: &Stabilizer) -> &'static str {
    match (reference.take, reference.ratio_to.is_some()) {
        (Take::StabilityLimit | Take::ZeroAt | Take::Period, false) => "s",
        (Take::Growth | Take::Rate | Take::Order | Take::OrderAtEnd, _) | (_, true) => "",
        _ if modes::is_about(reference.quantity) => reference.quantity.unit(),
        _ => {
            let h = reference.time_step.unwrap_or(runs.time_step());
            quantity_unit(reference.quantity, runs.within(reference.contact_tolerance, scheme, h))
        }
    }
}

/// The unit of a quantity in a run: for a joint error, that of the joint with the largest error.
pub(crate) fn quantity_unit(quantity: Quantity, run: &Recording) -> &'static str {
    match quantity {
        Quantity::JointError | Quantity::JointErrorBefore | Quantity::CriticalDecay => run.joint_unit,
        _ => quantity.unit(),
    }
}
