//! The runs at equal cost: the switch with its budget, and error over cost, a point for each run with the way that it has come.

use super::field::{Numbers, Scale, number};
use super::names::apart;
use crate::app::theme::Coloured;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::comparison::{Budget, CostPoint, EqualCost};
use crate::workbench::text::format;
use egui_macroquad::egui::{Align2, Color32, Rangef, RichText, Ui, Vec2, vec2};
use egui_plot::{
    AxisHints, GridInput, GridMark, Line, MarkerShape, Plot, PlotBounds, PlotPoint, PlotPoints, Points,
    Text, VLine,
};

/// Width of the picture, points, and its largest share of the panel.
const WIDTH: f32 = 350.0;
const SHARE: f32 = 0.5;
/// Room that the field and the button beside the switch need, points.
const CONTROLS: f32 = 250.0;
/// Size of the budget's field, points.
const FIELD: Vec2 = vec2(84.0, 20.0);
/// Smallest and largest budget that can be typed, s.
const BUDGETS: [f64; 2] = [1e-7, 1.0];
/// Errors below this are drawn here, m.
const FLOOR: f64 = 1e-16;
/// Least extent of the axes, and the room beside the points, decades.
const EXTENT: [f64; 2] = [0.6, 2.0];
const MARGIN: f64 = 0.12;
/// Room for the names right of the points, as a multiple of the extent of the points.
const NAMES: f64 = 1.1;
/// Height of a name, and distances of grid lines at which they are faintest and strongest, points.
const ROW: f64 = 13.0;
const GRID_SPACING: Rangef = Rangef { min: 14.0, max: 2_400.0 };
/// Radius of a point, and width of its trail, points.
const POINT: f32 = 4.5;
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
        write: Box::new(|seconds| format!("{} per frame", format::duration(rounded(seconds)))),
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

/// To three digits.
fn rounded(seconds: f64) -> f64 {
    format!("{seconds:.2e}").parse().unwrap_or(seconds)
}

/// The width of the picture in a panel of that width, points.
pub(super) fn width(panel: f32) -> f32 {
    WIDTH.min(SHARE * panel)
}

/// Error over cost.
pub(super) fn picture(ui: &mut Ui, model: &Model, cost: &EqualCost) {
    let (comparison, palette) = (model.comparison(), model.view.palette());
    let unit = model.run().report().joint_error_unit.symbol();
    let runs: Vec<Shown<'_>> = comparison
        .charged()
        .map(|(id, run)| {
            let steps = cost.steps(run.time_step());
            let part = if steps == 1 { "h".to_owned() } else { format!("h/{steps}") };
            let seconds = run.step_seconds() * steps as f64;
            let label = run.method().stabilizer.info().short;
            Shown {
                name: format!("{label} {part}, {}", format::duration(rounded(seconds))),
                color: palette.scheme(run.scheme_index()),
                trail: cost.trail(id),
            }
        })
        .collect();
    let points = || runs.iter().flat_map(|run| run.trail.iter());
    let x = extent(points().map(|point| micro(point.cost)), EXTENT[0]);
    let y = extent(points().map(|point| logarithm(point.error)), EXTENT[1]);
    let wide = x[1] - x[0];
    let x = [x[0] - MARGIN * wide, x[1] + NAMES * wide];
    let small = |text: &str| RichText::new(text).size(12.0).color(palette.weak);
    Plot::new("equal cost")
        .custom_x_axes(vec![AxisHints::new_x()])
        .custom_y_axes(vec![AxisHints::new_y()])
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .show_background(false)
        .x_axis_formatter(|mark, _| format::significant(10f64.powf(mark.value), 2))
        .y_axis_formatter(|mark, _| format::power(mark.value.round() as i32))
        .x_grid_spacer(thirds)
        .y_grid_spacer(decades)
        .x_axis_label(small(&format!(
            "µs per frame, from t = {} s on",
            format::significant(cost.since(), 4)
        )))
        .y_axis_label(small(&format!("error in {unit}")))
        .grid_spacing(GRID_SPACING)
        .set_margin_fraction(Vec2::ZERO)
        .show(ui, |plot| {
            let margin = MARGIN * (y[1] - y[0]);
            let [low, high] = [y[0] - margin, y[1] + margin];
            plot.set_plot_bounds(PlotBounds::from_min_max([x[0], low], [x[1], high]));
            let budget = micro(cost.budget());
            plot.vline(VLine::new("", budget).color(palette.weak.gamma_multiply(0.6)).width(1.0));
            let mut ends: Vec<(&Shown<'_>, [f64; 2])> = Vec::new();
            for run in &runs {
                let place = |point: &CostPoint| [micro(point.cost), logarithm(point.error)];
                let way: Vec<[f64; 2]> = run.trail.iter().map(place).collect();
                let Some(last) = way.last().copied() else { continue };
                let faint = run.color.gamma_multiply(FAINT);
                plot.line(Line::new("", PlotPoints::from(way)).color(faint).width(TRAIL));
                let point = Points::new("", vec![last]).shape(MarkerShape::Circle);
                plot.points(point.radius(POINT).color(run.color));
                ends.push((run, last));
            }
            // Names that would overlap are moved apart, from the highest one down.
            ends.sort_by(|a, b| b.1[1].total_cmp(&a.1[1]));
            let row = (ROW * plot.transform().dvalue_dpos()[1]).abs();
            let heights: Vec<f64> = ends.iter().map(|(_, [_, y])| *y).collect();
            let places = apart(&heights, row, [low + 0.5 * row, high - 0.5 * row]);
            for ((Shown { name, color, .. }, [at, _]), height) in ends.into_iter().zip(places) {
                let text = RichText::new(format!("   {name}")).size(11.5).color(*color);
                let place = PlotPoint::new(at, height);
                plot.text(Text::new("", place, text).color(*color).anchor(Align2::LEFT_CENTER));
            }
        });
}

/// A run in the picture.
struct Shown<'a> {
    name: String,
    color: Color32,
    trail: &'a [CostPoint],
}

/// The logarithm of a time in µs.
fn micro(seconds: f64) -> f64 {
    (1e6 * seconds).max(1e-3).log10()
}

fn logarithm(error: f64) -> f64 {
    error.max(FLOOR).log10()
}

/// Smallest and largest of the values, at least so far apart.
fn extent(values: impl Iterator<Item = f64> + Clone, least: f64) -> [f64; 2] {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return [0.0, least];
    }
    let spare = 0.5 * (least - (high - low)).max(0.0);
    [low - spare, high + spare]
}

/// Marks at 1, 2 and 5 of every decade.
fn thirds(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let decades = low.floor() as i64..=high.ceil() as i64;
    let marks = decades.flat_map(|decade| [1.0f64, 2.0, 5.0].map(|digit| decade as f64 + digit.log10()));
    marks.map(|value| GridMark { value, step_size: 1.0 }).collect()
}

/// Whole decades, fewer where they would crowd.
fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = ((high - low) / 6.0).ceil().max(1.0);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}
