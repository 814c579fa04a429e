//! The page of a paper: errors of position, velocity and energy against the time step, and below against computing time.

use super::{Cell, Convergence, Kind, MethodErrors};
use crate::figure::canvas::{Format, PlotError};
use crate::figure::{Axis, Chart, Curve, Ends, Level, Page};
use crate::numbers::{raised, shortest};

/// Width and height, and width of the legend, px.
const SIZE: (u32, u32) = (1860, 1040);
const LEGEND: u32 = 400;
/// What the columns show.
const SHOWN: [Kind; 3] = [Kind::Position, Kind::Velocity, Kind::Energy];
/// How far below its curve a line of the same order stands: a factor on the error.
const BELOW: f64 = 0.4;
/// A line is drawn for orders this near to a whole number.
const NEAR: f64 = 0.25;

/// What the abscissa is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Against {
    TimeStep,
    ComputingTime,
}

/// Draws the errors over the time step, with lines of the orders that are fitted, and below over the computing time.
/// Failed runs, and errors that are not numbers, have no point.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw(convergence: &Convergence, format: Format) -> Result<Vec<u8>, PlotError> {
    page(convergence).draw(format, 1)
}

/// The page of [`draw`].
fn page(convergence: &Convergence) -> Page {
    let rows = [Against::TimeStep, Against::ComputingTime];
    let all = rows.into_iter().flat_map(|against| SHOWN.map(|kind| (against, kind)));
    let charts = all.map(|(against, kind)| chart(convergence, against, kind)).collect();
    let heading = heading(convergence);
    Page { heading, size: SIZE, columns: SHOWN.len(), charts, legend: LEGEND, listed: 0 }
}

fn heading(convergence: &Convergence) -> String {
    let reference = super::spelled(&convergence.plan.reference);
    format!(
        "{}: largest errors over {} s against {reference} at 1/{} of the smallest h",
        convergence.scene,
        shortest(convergence.plan.steps.duration()),
        convergence.plan.refined
    )
}

fn chart(convergence: &Convergence, against: Against, kind: Kind) -> Chart {
    let abscissa = match against {
        Against::TimeStep => "time step h / s",
        Against::ComputingTime => "computing time / s",
    };
    let curve = |(index, line): (usize, &MethodErrors)| {
        let points = line.cells.iter().filter_map(|cell| point(against, kind, cell));
        Curve::marked(index, line.label.clone(), points)
    };
    let mut curves = Vec::new();
    if against == Against::TimeStep {
        curves.extend(guides(convergence, kind));
    }
    curves.extend(convergence.lines.iter().enumerate().map(curve));
    let resolution = convergence.resolution(kind);
    Chart {
        title: String::new(),
        x: Axis::logarithmic(abscissa).ending(Ends::Data),
        y: Axis::logarithmic(format!("{} error / {}", kind.name(), convergence.unit(kind))),
        curves,
        levels: vec![Level::across("change of the reference when its time step is doubled", resolution)],
    }
}

/// The point of one run; none where it failed, or where its error is zero, which a logarithm cannot show.
fn point(against: Against, kind: Kind, cell: &Cell) -> Option<(f64, f64)> {
    let error = cell.errors.as_ref().ok()?[kind];
    let x = match against {
        Against::TimeStep => cell.h,
        Against::ComputingTime => cell.total,
    };
    (x > 0.0 && error > 0.0).then_some((x, error))
}

/// For each whole order that is among the fitted ones a line of that slope below the lowest of its curves.
fn guides(convergence: &Convergence, kind: Kind) -> Vec<Curve> {
    let mut found: Vec<(i64, Vec<(f64, f64)>)> = Vec::new();
    for line in &convergence.lines {
        let Some(fit) = convergence.fit(line, kind) else { continue };
        let order = fit.order.round();
        if order < 1.0 || (fit.order - order).abs() > NEAR {
            continue;
        }
        let points = convergence.sound(line, kind);
        let height = |points: &[(f64, f64)]| points.last().map_or(f64::INFINITY, |point| point.1);
        match found.iter_mut().find(|(other, _)| *other == order as i64) {
            None => found.push((order as i64, points)),
            Some((_, lowest)) if height(&points) < height(lowest) => *lowest = points,
            Some(_) => {}
        }
    }
    let guide = |(order, points): (i64, Vec<(f64, f64)>)| {
        let (first, last) = (*points.first()?, *points.last()?);
        let at = |h: f64| (h, BELOW * last.1 * (h / last.0).powf(order as f64));
        let label = format!("h{}", if order == 1 { String::new() } else { raised(order as i32) });
        Some(Curve::guide(label, [at(last.0), at(first.0)]))
    };
    found.into_iter().filter_map(guide).collect()
}
