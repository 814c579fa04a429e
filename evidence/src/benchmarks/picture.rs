//! The picture of the benchmarks: the error of every method over its computing time, a panel for each benchmark.

use super::{Benchmark, Code, MethodOutcomes, Outcome};
use driftlab::figure::canvas::{Format, PlotError};
use driftlab::figure::{Axis, Chart, Curve, Page};

/// Width and height, and width of the legend, px.
const SIZE: (u32, u32) = (1860, 1240);
const LEGEND: u32 = 420;
/// An error above this says only that the motion is lost; it is drawn here.
const LOST: f64 = 1e2;

type Results<'r> = &'r [(&'static Benchmark, Vec<MethodOutcomes>)];

/// Draws the four panels with one legend.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw(results: Results<'_>, format: Format) -> Result<Vec<u8>, PlotError> {
    let heading =
        "The multibody community's benchmarks: error over computing time, both of the whole run".to_owned();
    let charts: Vec<Chart> = results.iter().map(|(benchmark, lines)| chart(benchmark, lines)).collect();
    // The legend of the benchmark with the most curves serves all.
    let listed = (0..charts.len()).max_by_key(|index| charts[*index].curves.len()).unwrap_or(0);
    Page { heading, size: SIZE, columns: 2, charts, legend: LEGEND, listed }.draw(format, 1)
}

fn chart(benchmark: &Benchmark, lines: &[MethodOutcomes]) -> Chart {
    let method = |(index, line): (usize, &MethodOutcomes)| {
        Curve::marked(index, line.name.to_owned(), line.outcomes.iter().filter_map(point))
    };
    let code = |(index, code): (usize, &Code)| {
        let points = code.points.iter().map(|(_, error, cost)| (1e3 * cost, *error));
        let label = format!("{}, on {}", code.name, super::MACHINE);
        Curve::line(lines.len() + index, label, points).dashed()
    };
    let (methods, codes) = (lines.iter().enumerate(), benchmark.codes.iter().enumerate());
    Chart {
        title: benchmark.name.to_owned(),
        x: Axis::logarithmic("computing time / ms"),
        y: Axis::logarithmic("the benchmark's error"),
        curves: methods.map(method).chain(codes.map(code)).collect(),
        levels: Vec::new(),
    }
}

/// The point of one run; none where it failed.
fn point(outcome: &Outcome) -> Option<(f64, f64)> {
    let error = outcome.error.filter(|error| *error > 0.0)?;
    (outcome.cost > 0.0).then(|| (1e3 * outcome.cost, error.min(LOST)))
}
