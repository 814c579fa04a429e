//! The runs at equal cost: the switch with its budget, and error over cost, a point for each run with the way that it has come.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::drawn;
use super::field::{Numbers, Scale, number};
use crate::app::model::plotted::rgb;
use crate::app::runs::comparison::{Budget, CostPoint, EqualCost};
use crate::app::runs::live_run::LiveRun;
use crate::app::text::format;
use crate::figure::{Axis, Chart, Curve, Dash, Ends, Level, LevelAxis, Mark, Named, Shape};
use egui_macroquad::egui::{Ui, Vec2, vec2};
use egui_plot::PlotBounds;

/// Width of the picture, points, and its largest share of the panel.
const WIDTH: f32 = 350.0;
const SHARE: f32 = 0.5;
/// Room that the field and the button beside the switch need, points.
const CONTROLS: f32 = 250.0;
/// Size of the budget's field, points.
const FIELD: Vec2 = vec2(84.0, 20.0);
/// Smallest and largest budget that can be typed, s.
const BUDGETS: [f64; 2] = [1e-7, 1.0];
/// Least extent of the axes, and the room beside the points, decades.
const EXTENT: [f64; 2] = [0.6, 2.0];
const MARGIN: f64 = 0.12;
/// Room for the names right of the points, as a multiple of the extent of the points.
const NAMES: f64 = 1.1;
/// Radius of a point, and width of its trail, points.
const POINT: u32 = 4;
const TRAIL: f32 = 1.5;
/// Opacity of a trail.
const FAINT: f32 = 0.45;

/// The switch, and while it is on the budget.
pub(super) fn switch(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let comparison = model.comparison();
    let cost = comparison.equal_cost();
    let hint = "Each run makes as many steps of h/k as take the same time per frame, chosen once from the times measured so far. \
                Errors are then compared at one price.";
    let alone = "Put another scheme beside this run first.";
    let several = comparison.charged().count() > 1;
    ui.add_enabled_ui(several || cost.is_some(), |ui| {
        let switch = ui.selectable_label(cost.is_some(), "Equal cost");
        if switch.on_hover_text(hint).on_disabled_hover_text(alone).clicked() {
            intents.push(Intent::EqualCost(if cost.is_some() { None } else { Some(Budget::Slowest) }));
        }
    });
    let Some(cost) = cost.filter(|_| ui.available_width() > CONTROLS) else { return };
    let mut budget = cost.budget();
    let numbers = Numbers {
        range: BUDGETS,
        scale: Scale::Logarithmic,
        width: FIELD.x,
        write: Box::new(|seconds| format!("{} per frame", format::duration(format::to_digits(seconds, 3)))),
        read: Box::new(|text| format::seconds(text.trim_end_matches("per frame").trim())),
    };
    let hint =
        "What a frame of each run may cost: k is chosen so that k steps come nearest to it. Drag or type.";
    let place = vec2(FIELD.x + 40.0, FIELD.y);
    ui.allocate_ui(place, |ui| number(ui, numbers, &mut budget, hint));
    if budget != cost.budget() {
        intents.push(Intent::EqualCost(Some(Budget::Seconds(budget))));
    }
    let again = "Chooses k anew from the times measured since then, for the slowest run's single step.";
    if ui.button("Measure again").on_hover_text(again).clicked() {
        intents.push(Intent::EqualCost(Some(Budget::Slowest)));
    }
}

/// The width of the picture in a panel of that width, points.
pub(super) fn width(panel: f32) -> f32 {
    WIDTH.min(SHARE * panel)
}

/// Error over cost.
pub(super) fn picture(ui: &mut Ui, model: &Model, cost: &EqualCost) {
    let chart = chart(model, cost);
    let [x, y] = chart.ranges();
    drawn::plot("equal cost", &chart, model.view.palette()).show(ui, |plot| {
        plot.set_plot_bounds(PlotBounds::from_min_max([x[0], y[0]], [x[1], y[1]]));
        drawn::levels(plot, &chart, x[1]);
        drawn::curves(plot, &chart);
        let points = chart.curves.iter().filter(|curve| curve.mark.is_some());
        let end =
            |curve: &Curve| Some((drawn::end(&chart, curve)?, curve.color, format!("   {}", curve.label)));
        let ends = points.filter_map(end).collect();
        drawn::names(plot, ends);
    });
}

/// Each run's way and its last point, and the budget.
fn chart(model: &Model, cost: &EqualCost) -> Chart {
    let unit = model.run().report().joint_error_unit.symbol();
    let since = format::significant(cost.since(), 4);
    let x = Axis::logarithmic(format!("µs per frame, from t = {since} s on")).plain();
    let y = Axis::logarithmic(format!("error in {unit}"));
    let trails = model.comparison().charged().map(|(id, run)| (run, cost.trail(id)));
    let curves: Vec<Curve> =
        trails.flat_map(|(run, trail)| way(model, cost, run, trail)).flatten().collect();
    let points = || curves.iter().flat_map(Curve::points);
    let [left, right] = extent(points().map(|point| x.place(point[0])), EXTENT[0]);
    let [low, high] = extent(points().map(|point| y.place(point[1])), EXTENT[1]);
    let (wide, tall) = (right - left, high - low);
    let x = x.ending(Ends::At([left - MARGIN * wide, right + NAMES * wide]));
    let y = y.ending(Ends::At([low - MARGIN * tall, high + MARGIN * tall]));
    let color = rgb(model.view.palette().weak);
    let budget = Level { axis: LevelAxis::X, color, ..Level::across("", micro(cost.budget())) };
    Chart { title: String::new(), x, y, curves, levels: vec![budget] }
}

/// The way that a run has come, and the point where it is.
fn way(model: &Model, cost: &EqualCost, run: &LiveRun, trail: &[CostPoint]) -> Option<[Curve; 2]> {
    let steps = cost.steps(run.time_step());
    let part = if steps == 1 { "h".to_owned() } else { format!("h/{steps}") };
    let seconds = format::to_digits(run.step_seconds() * steps as f64, 3);
    let name = run.method().stabilizer.info().short;
    let points: Vec<[f64; 2]> = trail.iter().map(|point| [micro(point.cost), point.error]).collect();
    let last = vec![vec![*points.last()?]];
    let way = Curve {
        label: format!("{name} {part}, {}", format::duration(seconds)),
        named: Named::Nowhere,
        parts: vec![points],
        color: rgb(model.view.palette().scheme(run.scheme_index())),
        opacity: FAINT,
        width: TRAIL,
        dash: Dash::Solid,
        mark: None,
    };
    let mark = Some(Mark { radius: POINT, shape: Shape::Ring });
    let point = Curve { parts: last, opacity: 1.0, mark, named: Named::End, ..way.clone() };
    Some([way, point])
}

/// A time in µs.
fn micro(seconds: f64) -> f64 {
    (1e6 * seconds).max(1e-3)
}

/// Smallest and largest of the values, at least so far apart.
fn extent(values: impl Iterator<Item = f64>, least: f64) -> [f64; 2] {
    let ends = [f64::INFINITY, f64::NEG_INFINITY];
    let [low, high] = values.fold(ends, |[low, high], value| [low.min(value), high.max(value)]);
    if low > high {
        return [0.0, least];
    }
    let spare = 0.5 * (least - (high - low)).max(0.0);
    [low - spare, high + spare]
}
