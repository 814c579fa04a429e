//! Times per step, by a clock that the caller passes, and error against cost.

use super::{Case, Comparison, schemes};
use crate::experiment::plot::canvas::PlotError;
use crate::experiment::reproduction::axis::{Axis, Reach};
use crate::experiment::reproduction::chart::{Chart, Curve, Stroke};
use crate::experiment::reproduction::{Document, Scale, method, stepped};
use crate::experiment::run::Run;
use crate::experiment::steps_for;
use crate::experiment::sweep::compare::label;
use crate::method::Stabilizer;
use crate::scene::Scene;

/// Number of runs, of which the fastest counts: other work of the machine can only add time.
const REPEATS: usize = 3;

/// Time per step of each scheme at each of the time steps of [`Case::steps`], µs; absent where a run fails.
pub type Timing = Vec<Vec<Option<f64>>>;

/// Times all schemes on a case; `clock` returns seconds since an arbitrary moment.
pub fn time_per_step(case: &Case, scene: &Scene, clock: &dyn Fn() -> f64) -> Timing {
    let of = |scheme: Stabilizer| case.steps().map(|h| timed(scene, &scheme, h, clock)).to_vec();
    schemes(case).map(of).collect()
}

fn timed(scene: &Scene, scheme: &Stabilizer, h: f64, clock: &dyn Fn() -> f64) -> Option<f64> {
    let scene = stepped(scene, h);
    let steps = steps_for(&scene.settings, None);
    let mut fastest = f64::INFINITY;
    for _ in 0..REPEATS {
        let mut run = Run::under(&scene, method(&scene.settings, scheme), steps);
        let start = clock();
        if run.by_ref().any(|report| report.is_err()) {
            return None;
        }
        fastest = fastest.min((clock() - start) * 1e6 / steps as f64);
    }
    Some(fastest)
}

/// The error of position against the cost of a simulated second, a curve for each scheme while h varies. A step costs
/// nearly the same whatever its length, so that the cost is time per step over h.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn work_precision(comparison: &Comparison, timing: &Timing) -> Result<Vec<Document>, PlotError> {
    let case = comparison.case;
    let curve = |(index, scheme): (usize, Stabilizer)| {
        let of = comparison.precision[index].iter().zip(&timing[index]).zip(case.steps());
        let points = of.filter_map(|((error, us), h)| Some(((*us)? / h * 1e-6, (*error)?))).collect();
        Curve { label: label(&scheme), points, stroke: Stroke::Marked, color: index }
    };
    let chart = Chart {
        title: format!(
            "{}: work and precision, h from {} to {} s",
            case.name,
            rounded(case.steps()[0]),
            rounded(case.steps()[3])
        ),
        x: Axis {
            label: "computing time per simulated second / (s/s)".to_owned(),
            scale: Scale::Logarithmic,
            reach: Reach::Decades,
        },
        y: Axis {
            label: "largest position error / m".to_owned(),
            scale: Scale::Logarithmic,
            reach: Reach::Decades,
        },
        curves: schemes(case).enumerate().map(curve).collect(),
        levels: Vec::new(),
    };
    Ok(chart.documents(&format!("work-precision-{}", case.id))?.to_vec())
}

fn rounded(h: f64) -> f64 {
    (h * 1e6).round() / 1e6
}
