//! Pictures of curves: quantities over time, or one number of each run against its time step; and their CSV.

use super::judge::{quantity_unit, rate};
use super::modes;
use super::recording::Runs;
use super::{Figure, Line};
use crate::document::{Document, FigureError};
use driftlab::experiment::label;
use driftlab::figure::{Axis, Chart, Curve, Ends, Level, LevelAxis, Scale, color, csv};
use driftlab::method::Stabilizer;
use driftlab::numbers::shortest;
use driftlab::scene::{Bound, Quantity, Reference, Take};
use driftlab_engine::internal::largest;

/// Quantities over time.
pub(crate) fn over_time(
    figure: &Figure,
    runs: &mut Runs<'_>,
    lines: &[Line],
    scale: Scale,
) -> Result<Vec<Document>, FigureError> {
    let head = ["stabilizer", "time_step", "step", "time", "quantity", "value"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    let mut curves = Vec::new();
    let h = runs.time_step();
    let mut unit = "";
    for (index, (scheme, quantity)) in lines.iter().enumerate() {
        let scheme = runs.scheme(scheme)?;
        let tolerance = runs.tolerance(figure, &scheme, *quantity);
        let run = runs.within(tolerance, &scheme, h);
        unit = quantity_unit(*quantity, run);
        let name = named(&scheme, tolerance);
        let mut points = Vec::new();
        for (step, row) in run.rows.iter().enumerate() {
            let Some(value) = row.value(*quantity) else { continue };
            points.push((row.time, value));
            let (time, value) = (shortest(row.time), shortest(value));
            let (step, key) = (step.to_string(), quantity.key().to_owned());
            table.push(vec![name.clone(), shortest(h), step, time, key, value]);
        }
        let mut label = called(&name, *quantity, lines);
        if run.failure.is_some() {
            label += &format!(" (fails at {:.3} s)", run.rows.last().map_or(0.0, |row| row.time));
        }
        // On a logarithmic axis curves cross decades within a few pixels, where gaps would make them unreadable.
        let curve = Curve::line(index, label, points);
        curves.push(if scale == Scale::Linear && index % 2 == 1 { curve.dashed() } else { curve });
    }
    let levels = levels(figure, runs, lines);
    let chart = Chart {
        title: figure.title.to_owned(),
        x: Axis::linear("time t / s").ending(Ends::Exact),
        y: Axis::new(axis(lines, unit), scale),
        curves,
        levels,
    };
    finish(figure, &chart, table)
}

/// One number of each run against its time step, both on logarithmic axes.
pub(crate) fn over_step(
    figure: &Figure,
    runs: &mut Runs<'_>,
    lines: &[Line],
    steps: &[f64],
    take: Take,
) -> Result<Vec<Document>, FigureError> {
    let mut table = vec![["stabilizer", "time_step", "quantity", take.key()].map(str::to_owned).to_vec()];
    let mut curves = Vec::new();
    let mut unit = "";
    for (index, (scheme, quantity)) in lines.iter().enumerate() {
        let scheme = runs.scheme(scheme)?;
        let name = label(&scheme);
        let mut points = Vec::new();
        for h in steps {
            let value = match take {
                _ if modes::is_about(*quantity) => {
                    modes::number(runs.scene, &scheme, *quantity, *h).unwrap_or(f64::NAN)
                }
                Take::Rate => rate(runs.scene, &scheme, *quantity, *h),
                _ => {
                    let run = runs.of(&scheme, *h);
                    unit = quantity_unit(*quantity, run);
                    let values = run.rows.iter().filter_map(|row| row.value(*quantity));
                    if run.failure.is_some() { f64::NAN } else { largest(values) }
                }
            };
            points.push((*h, value));
            table.push(vec![name.clone(), shortest(*h), quantity.key().to_owned(), shortest(value)]);
        }
        curves.push(Curve::marked(index, called(&name, *quantity, lines), points));
    }
    let label = match take {
        Take::Rate => "factor of the error per step".to_owned(),
        _ if lines.iter().all(|line| modes::is_about(line.1)) => axis(lines, unit),
        _ => format!("largest {}", axis(lines, unit)),
    };
    let levels = match take {
        Take::Rate => stated_rates(figure, runs, lines),
        _ => Vec::new(),
    };
    let chart = Chart {
        title: figure.title.to_owned(),
        x: Axis::logarithmic("time step h / s"),
        y: Axis::logarithmic(label),
        curves,
        levels,
    };
    finish(figure, &chart, table)
}

fn finish(figure: &Figure, chart: &Chart, table: Vec<Vec<String>>) -> Result<Vec<Document>, FigureError> {
    let bytes = csv(table).into_bytes();
    let mut documents = vec![Document { name: format!("{}.csv", figure.id), bytes }];
    documents.extend(Document::of_chart(chart, figure.id)?);
    Ok(documents)
}

/// The scheme as the command line spells it, with the contact tolerance where it is not the scene's.
fn named(scheme: &Stabilizer, tolerance: Option<f64>) -> String {
    let tolerance =
        tolerance.map_or_else(String::new, |m| format!(", contact tolerance {} m", shortest(m)));
    label(scheme) + &tolerance
}

/// The scheme, and the quantity where the curves are of several.
fn called(scheme: &str, quantity: Quantity, lines: &[Line]) -> String {
    match quantity {
        _ if lines.iter().all(|line| line.1 == quantity) => scheme.to_owned(),
        Quantity::JointErrorBefore => format!("{scheme}, before it corrects"),
        Quantity::JointError => scheme.to_owned(),
        Quantity::CriticalDecay => format!("g(0) {}", words(quantity)),
        _ => format!("{scheme}: {}", words(quantity)),
    }
}

/// A quantity in words.
fn words(quantity: Quantity) -> String {
    match quantity {
        Quantity::JointErrorBefore => "joint error before the correction".to_owned(),
        Quantity::ContactErrorBefore => "overlap before the correction".to_owned(),
        Quantity::JointError => "joint error max |g|".to_owned(),
        Quantity::ContactError => "overlap max(0, −φ)".to_owned(),
        Quantity::ContactImpulse => "largest normal impulse h λ".to_owned(),
        Quantity::CriticalDecay => "e^(−ω₀t)(1 + ω₀t)".to_owned(),
        Quantity::MotionError => "error of the mode |ln μ/h − λ|/|λ|".to_owned(),
        Quantity::DecayError => "departure from e^(−ω₀t)(1 + ω₀t)".to_owned(),
        other => other.key().replace('_', " "),
    }
}

fn axis(lines: &[Line], unit: &str) -> String {
    let shown = |quantity| lines.iter().any(|line| line.1 == quantity);
    if shown(Quantity::JointError) && shown(Quantity::NonholonomicError) {
        return "max |g| / m,  max |N v − v₀| / (m/s)".to_owned();
    }
    let first = lines.first().map_or(Quantity::JointError, |line| line.1);
    let quantity = match (first, lines.iter().all(|line| line.1 == first)) {
        (Quantity::JointErrorBefore | Quantity::CriticalDecay, false) => words(Quantity::JointError),
        _ => words(first),
    };
    if unit.is_empty() { quantity } else { format!("{quantity} / {unit}") }
}

/// The published levels of the quantities that are drawn.
fn levels(figure: &Figure, runs: &Runs<'_>, lines: &[Line]) -> Vec<Level> {
    let drawn = |reference: &&Reference| {
        let is_line = matches!(reference.take, Take::Largest | Take::Last) && reference.ratio_to.is_none();
        is_line && reference.figure.as_deref() == Some(figure.id) && reference.time_step.is_none()
    };
    let references = runs.scene.references.iter().filter(drawn);
    let level = |reference: &Reference| {
        let of = |(scheme, quantity): &Line| {
            let same =
                runs.scheme(scheme).is_ok_and(|scheme| reference.stabilizer.as_ref() == Some(&scheme));
            *quantity == reference.quantity && (same || reference.stabilizer.is_none())
        };
        let line = lines.iter().position(of)?;
        let mut level = Level::across(&reference.label, reference.bound.value());
        level.over = [reference.from, reference.to];
        level.color = reference.stabilizer.as_ref().map_or(level.color, |_| color(line));
        Some(level)
    };
    references.filter_map(level).collect()
}

/// The published factors per step, the published limits of stability, and the line where it ends.
fn stated_rates(figure: &Figure, runs: &Runs<'_>, lines: &[Line]) -> Vec<Level> {
    let own = |reference: &&Reference| reference.figure.as_deref() == Some(figure.id);
    let level = |reference: &Reference| {
        let of = |(scheme, _): &Line| {
            runs.scheme(scheme).is_ok_and(|scheme| reference.stabilizer.as_ref() == Some(&scheme))
        };
        let axis = match (reference.take, reference.bound) {
            (Take::StabilityLimit, Bound::About(_)) => LevelAxis::X,
            (Take::Rate, Bound::About(_)) => LevelAxis::Y,
            _ => return None,
        };
        let level = Level::across(&reference.label, reference.bound.value());
        let color = lines.iter().position(of).map_or(level.color, color);
        Some(Level { axis, color, ..level })
    };
    let mut levels: Vec<Level> = runs.scene.references.iter().filter(own).filter_map(level).collect();
    levels.push(Level::across("a factor of 1: stable below", 1.0));
    levels
}
