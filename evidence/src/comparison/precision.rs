//! Times per step, by a clock that the caller passes, and error against cost.

use super::{Case, Comparison, schemes};
use crate::document::{Document, method, significant};
use driftlab::experiment::Run;
use driftlab::experiment::internal::stepped;
use driftlab::experiment::label;
use driftlab::experiment::steps_for;
use driftlab::figure::canvas::PlotError;
use driftlab::figure::{Axis, Chart, Curve};
use driftlab::method::Stabilizer;
use driftlab::scene::Scene;

/// Most runs, of which the fastest counts: other work of the machine can only add time.
const REPEATS: usize = 3;
/// Time after which a run is not repeated, s: over thousands of steps other work is a small share.
const ENOUGH: f64 = 0.05;

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
    let begun = clock();
    for _ in 0..REPEATS {
        let mut run = Run::under(&scene, method(&scene.settings, scheme), steps);
        let start = clock();
        if run.by_ref().any(|report| report.is_err()) {
            return None;
        }
        fastest = fastest.min((clock() - start) * 1e6 / steps as f64);
        if clock() - begun > ENOUGH {
            break;
        }
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
        let points = of.filter_map(|((error, us), h)| Some(((*us)? / h * 1e-6, (*error)?)));
        Curve::marked(index, label(&scheme), points)
    };
    let chart = Chart {
        title: format!(
            "{}: work and precision, h from {} to {} s",
            case.name,
            rounded(case.steps()[0]),
            rounded(case.steps()[3])
        ),
        x: Axis::logarithmic("computing time per simulated second / (s/s)"),
        y: Axis::logarithmic("largest position error / m"),
        curves: schemes(case).enumerate().map(curve).collect(),
        levels: Vec::new(),
    };
    Ok(Document::of_chart(&chart, &format!("work-precision-{}", case.id))?.to_vec())
}

/// The page 'at equal cost': the error of every scheme at the time step at which a simulated second costs as much under
/// all of them, the median of what it costs at the cases' own time steps. Between the time steps tried it is
/// interpolated, log of the error over log of the cost; a scheme that none of them brings to that cost has no error there.
pub fn equal_cost(all: &[(&Comparison, &Timing)]) -> String {
    let mut page = EQUAL_COST.to_owned();
    for (comparison, timing) in all {
        let case = comparison.case;
        let costs =
            |index: usize| timing[index].iter().zip(case.steps()).map(|(us, h)| us.map(|us| us / h * 1e-6));
        let mut own: Vec<f64> = (0..timing.len()).filter_map(|index| costs(index).nth(1)?).collect();
        own.sort_by(f64::total_cmp);
        let Some(budget) = own.get(own.len() / 2).copied() else { continue };
        page += &format!(
            "\n## {}\n\nA simulated second costs {} ms.\n\n| scheme | h / ms | position error / m |\n|---|---:|---:|\n",
            case.name,
            significant(1e3 * budget)
        );
        let mut rows: Vec<(f64, String)> = Vec::new();
        for (index, scheme) in schemes(case).enumerate() {
            let points: Vec<[f64; 3]> = costs(index)
                .zip(&comparison.precision[index])
                .zip(case.steps())
                .filter_map(|((cost, error), h)| Some([cost?, (*error)?, h]))
                .collect();
            let found = points.windows(2).find_map(|pair| between(budget, pair[0], pair[1]));
            let (order, shown) = match found {
                Some([error, h]) => (error, format!("{} | {}", significant(1e3 * h), significant(error))),
                None => (f64::INFINITY, "– | –".to_owned()),
            };
            rows.push((order, format!("| `{}` | {shown} |\n", label(&scheme))));
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.iter().for_each(|(_, row)| page += row);
    }
    page
}

/// Error and time step at the cost `budget` between two runs `[cost, error, h]`.
fn between(
    budget: f64,
    [cheap, coarse, long]: [f64; 3],
    [dear, fine, short]: [f64; 3],
) -> Option<[f64; 2]> {
    let share = (budget / cheap).ln() / (dear / cheap).ln();
    let on = |a: f64, b: f64| (a.ln() + share * (b / a).ln()).exp();
    (0.0..=1.0).contains(&share).then(|| [on(coarse, fine), on(long, short)])
}

const EQUAL_COST: &str = "\
# At equal cost

Written by `driftlab-evidence figures`, whose machine it depends on: the largest position error of every scheme at the time step at which a simulated second costs the same computing time,
the median of what it costs at the case's own time step. The best is first; – where the time steps tried, two octaves, do not reach that cost. The problems are those of
[comparison.md](comparison.md); `work-precision-*.svg` shows the whole curves. The schemes that imitate engines are timed as this program steps them; what Box2D itself takes stands in
[PERFORMANCE.md](../../docs/PERFORMANCE.md#the-imitations).
";

fn rounded(h: f64) -> f64 {
    (h * 1e6).round() / 1e6
}
