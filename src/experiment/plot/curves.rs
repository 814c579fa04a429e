//! The error curves of several schemes as a figure for a paper: log₁₀ of the joint error over time, or of the
//! contact error, one line per scheme, published levels dashed.

use super::measure::Measure;
use crate::experiment::sweep::compare::Curve;
use crate::figure;
use crate::figure::{Axis, Chart, Ends, FLOOR, Level, color};
use crate::scene::Reference;
use std::collections::BTreeMap;

/// Share of the errors that may lie below the axis, so that the first steps of a run that starts exactly on
/// the manifold do not flatten the rest.
const BELOW_AXIS: f64 = 0.01;
/// Columns of which a line shows the smallest and the largest error.
const COLUMNS: usize = 1440;

/// The constraint error of `curves` ([`Measure::of`] their summaries) over time, with the `references` that concern it.
pub fn error_chart(title: &str, curves: &[Curve], references: &[Reference]) -> Chart {
    let measure = Measure::of(curves.iter().map(|curve| &curve.summary));
    let is_drawn = |level: &&Reference| level.is_level() && measure.includes(level.quantity);
    let levels: Vec<_> = references.iter().filter(is_drawn).collect();
    let unit = curves.first().map(|curve| measure.unit(&curve.summary)).unwrap_or_default();
    let unit = if unit.contains(' ') { format!("({unit})") } else { unit };
    let up = format!("largest {} {} / {unit}", measure.name(), measure.symbol());
    let up = Axis::logarithmic(up).ending(Ends::At(decades(measure, curves, &levels)));
    Chart {
        title: title.to_owned(),
        x: Axis::linear("time t / s").ending(Ends::At(times(curves))),
        y: up,
        curves: curves.iter().enumerate().map(|(index, curve)| line(measure, index, curve)).collect(),
        levels: levels.into_iter().map(|own| level(own, curves)).collect(),
    }
}

/// A scheme's curve. Every other one has gaps, through which one that coincides with it shows.
fn line(measure: Measure, index: usize, curve: &Curve) -> figure::Curve {
    let label = match &curve.failure {
        None => curve.label.clone(),
        Some(_) => format!("{} (failed at {:.3} s)", curve.label, curve.summary.time),
    };
    let line = figure::Curve::line(index, label, curve.errors.points(measure, COLUMNS));
    if index.is_multiple_of(2) { line } else { line.dashed() }
}

fn level(reference: &Reference, curves: &[Curve]) -> Level {
    let concerns = |curve: &Curve| {
        reference.stabilizer.is_some() && reference.concerns(&curve.summary.method().stabilizer)
    };
    let mut level = Level::across(&reference.label, reference.bound.value());
    level.over = [reference.from, reference.to];
    level.color = curves.iter().position(concerns).map_or(level.color, color);
    level
}

fn times(curves: &[Curve]) -> [f64; 2] {
    let times = || curves.iter().filter_map(|curve| curve.errors.times());
    let start = times().map(|[start, _]| start).fold(f64::INFINITY, f64::min);
    let end = times().map(|[_, end]| end).fold(0.0, f64::max);
    if start < end { [start, end] } else { [0.0, 1.0] }
}

/// The whole decades that contain the data.
fn decades(measure: Measure, curves: &[Curve], levels: &[&Reference]) -> [f64; 2] {
    let drawn = |error: &f64| error.is_finite() && *error > FLOOR;
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    let floor = FLOOR.log10().round() as i32;
    for (decade, count) in curves.iter().flat_map(|curve| curve.errors.decades(measure)) {
        if decade >= floor {
            *counts.entry(decade).or_default() += count;
        }
    }
    let below = (counts.values().sum::<u64>() as f64 * BELOW_AXIS) as u64;
    let low = counts.iter().scan(0, |sum, (decade, count)| {
        *sum += count;
        Some((*decade, *sum))
    });
    let low = low.into_iter().find(|(_, sum)| *sum > below).map(|(decade, _)| f64::from(decade));
    let levels = || levels.iter().map(|level| level.bound.value()).filter(drawn);
    let largest = curves.iter().filter_map(|curve| curve.errors.largest(measure)).filter(drawn);
    let low = levels().map(|level| level.log10().floor()).chain(low).fold(f64::INFINITY, f64::min);
    let high = levels().chain(largest).fold(0.0, f64::max).log10().ceil();
    if low.is_finite() && high.is_finite() { [low, high.max(low + 1.0)] } else { [FLOOR.log10(), 0.0] }
}
