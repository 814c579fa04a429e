//! The error plot: errors over time on a logarithmic axis, with the scene's published levels.

use super::super::theme::Palette;
use super::curves;
use super::time_axis::{Frame, above_the_foot};
use crate::scene::{Bound, Quantity};
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::runs::history::Channel;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::{ERRORS, PlotView, concerned, error_axis};
use egui_macroquad::egui::{Align2, Rect, RichText, Stroke, Ui, Vec2, vec2};
use egui_plot::{
    GridInput, GridMark, HLine, LineStyle, MarkerShape, PlotPoint, PlotPoints, PlotUi, Points, Polygon,
    Text,
};

/// Lowest value that is drawn, m; smaller errors, as by rounding, are drawn here.
const FLOOR: f64 = 1e-16;
/// Errors below this, m, are rounding of lengths of about a metre.
const ROUNDING: f64 = 1e-13;
/// Highest value that is drawn, m; larger errors of a diverged world are drawn here.
const CEILING: f64 = 1e6;
/// Size of the name of the band of rounding, points.
const NAME: Vec2 = vec2(58.0, 14.0);
/// Least number of decades that the axis spans.
const DECADES: f64 = 3.0;
/// One in this many values may lie below the axis, since errors start from zero in the first few steps.
const FEWEST: usize = 60;
/// Size of the mark of an approximate step, points.
const APPROXIMATE: f32 = 3.0;
/// Room above and below the curves, decades.
const MARGIN: f64 = 0.7;

/// Draws the plot; returns when the future was left that was clicked, and the clicked time, s.
pub(super) fn show(
    ui: &mut Ui,
    view: &mut PlotView,
    comparison: &Comparison,
    palette: &Palette,
) -> Option<[f64; 2]> {
    let frame = Frame::new(ui, view, comparison, palette)?;
    let simulation = comparison.main();
    let concerned = concerned(&simulation.scene.world);
    let shown: [bool; ERRORS.len()] = std::array::from_fn(|i| view.errors[i] && concerned[i]);
    let levels = levels(simulation);
    let range = frame.eased(ui, "errors", range(&frame, &shown, &levels));
    let units = simulation.units();
    let label = error_axis(&shown, units);
    let mut curves = Vec::new();
    let response = frame
        .plot("errors", &label)
        .y_axis_formatter(|mark, range| above_the_foot(mark, range, decade(mark.value)))
        .y_grid_spacer(decades)
        .show(ui, |plot| {
            frame.bounds(plot, range);
            for (label, level) in &levels {
                reference(plot, &frame, label, *level);
            }
            let mut labels = frame.marks(plot, range[1]);
            band(plot, &frame, range[0]);
            approximate(plot, &frame, range[0]);
            let mut ends = Vec::new();
            let many = shown.iter().filter(|shown| **shown).count() > 1;
            for (i, quantity) in ERRORS.iter().enumerate().filter(|(i, _)| shown[*i]) {
                for lane in &frame.lanes {
                    frame.branch(plot, &mut curves, lane, (i, quantity), logarithm);
                }
                for lane in &frame.lanes {
                    let end = frame.line(plot, &mut curves, lane, (i, quantity), logarithm);
                    let Some(mut end) = end else { continue };
                    // A single run's line of nothing but zeros needs no name; of several runs, one below the axis says so.
                    let (single, below) = (frame.lanes.len() == 1, end.point.y <= range[0]);
                    if (single && !below) || (!single && i == first(&shown)) {
                        if below {
                            end.maker += " ↓";
                        }
                        if many && frame.lanes.len() == 1 {
                            end.maker = quantity.name.to_owned();
                        }
                        ends.push(end);
                    }
                }
            }
            labels.extend(frame.names(plot, ends));
            name_of_band(plot, &frame, range[0], &labels);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
    curves::show(ui, &response.response, &response.transform, &curves, palette, |curve, exponent| {
        let unit = ERRORS[curve.quantity].unit(units);
        if exponent <= FLOOR.log10() {
            format!("less than {} {unit}", decade(FLOOR.log10()))
        } else {
            format!("{} {unit}", format::significant(10f64.powf(exponent), 3))
        }
    })
}

/// The first quantity that is shown: its lines bear the runs' names.
fn first(shown: &[bool]) -> usize {
    shown.iter().position(|shown| *shown).unwrap_or(0)
}

/// The band of errors that are mere rounding.
fn band(plot: &mut PlotUi<'_>, frame: &Frame<'_>, bottom: f64) {
    let ([from, to], top) = (frame.window, ROUNDING.log10());
    if bottom >= top {
        return;
    }
    let corners = PlotPoints::new(vec![[from, bottom], [to, bottom], [to, top], [from, top]]);
    let color = frame.palette.weak;
    let band = Polygon::new("", corners).stroke(Stroke::NONE).fill_color(color.gamma_multiply(0.09));
    plot.polygon(band);
}

/// Marks on the axis of time the steps whose solutions are approximate, in the colours of their runs' schemes.
fn approximate(plot: &mut PlotUi<'_>, frame: &Frame<'_>, bottom: f64) {
    for lane in &frame.lanes {
        let runs = lane.run.history().decimate(Channel::Approximate, frame.window, frame.columns);
        let points: Vec<[f64; 2]> = runs.iter().flatten().map(|column| [column.time, bottom]).collect();
        if !points.is_empty() {
            let color = frame.palette.scheme(lane.run.scheme_index());
            let marks = Points::new("", points).shape(MarkerShape::Up).radius(APPROXIMATE).color(color);
            plot.points(marks);
        }
    }
}

/// The name of the band: at its upper end, or at its lower one where `labels` lie there.
fn name_of_band(plot: &mut PlotUi<'_>, frame: &Frame<'_>, bottom: f64, labels: &[Rect]) {
    let (from, top, color) = (frame.window[0], ROUNDING.log10(), frame.palette.weak);
    if bottom >= top {
        return;
    }
    for (anchor, y) in [(Align2::LEFT_TOP, top), (Align2::LEFT_BOTTOM, bottom)] {
        let place = PlotPoint::new(from, y);
        let room = anchor.anchor_size(plot.screen_from_plot(place), NAME);
        if !labels.iter().any(|label| label.intersects(room)) {
            let text = RichText::new(" rounding").size(11.0).color(color);
            return plot.text(Text::new("", place, text).color(color).anchor(anchor));
        }
    }
}

fn logarithm(error: f64) -> f64 {
    error.clamp(FLOOR, CEILING).log10()
}

/// The scene's published levels that this plot can show, with their labels, m.
fn levels(simulation: &LiveRun) -> Vec<(String, f64)> {
    let stabilizer = &simulation.method().stabilizer;
    let scene = &simulation.scene;
    let ours = |quantity| {
        matches!(
            quantity,
            Quantity::JointError
                | Quantity::JointErrorBefore
                | Quantity::ContactError
                | Quantity::ContactErrorBefore
                | Quantity::VelocityError
        )
    };
    scene
        .references
        .iter()
        .filter(|reference| ours(reference.quantity) && reference.concerns(stabilizer))
        .map(|reference| {
            let sign = match reference.bound {
                Bound::AtMost(_) => "≤ ",
                Bound::AtLeast(_) => "≥ ",
                Bound::About(_) => "≈ ",
            };
            let value = reference.bound.value();
            (format!("{} ({sign}{})", reference.label, format::significant(value, 3)), value)
        })
        .collect()
}

fn reference(plot: &mut PlotUi<'_>, frame: &Frame<'_>, label: &str, level: f64) {
    let (y, color) = (logarithm(level), frame.palette.velocity);
    let line = HLine::new("", y).color(color.gamma_multiply(0.8)).width(1.0);
    plot.hline(line.style(LineStyle::dashed_loose()));
    let text = RichText::new(label).size(11.0).color(color);
    let place = PlotPoint::new(frame.window[1], y);
    let anchor = egui_macroquad::egui::Align2::RIGHT_BOTTOM;
    plot.text(Text::new("", place, text).color(color).anchor(anchor));
}

/// Lowest and highest decade to show: those of the shown curves, of the futures that were left, and of the levels.
fn range(frame: &Frame<'_>, shown: &[bool], levels: &[(String, f64)]) -> [f64; 2] {
    let channels = ERRORS.iter().zip(shown).filter(|(_, shown)| **shown).map(|(q, _)| q.channel);
    let columns = channels
        .flat_map(|channel| frame.extremes(channel).map(|(_, column)| column).chain(frame.left(channel)));
    let values = columns.flat_map(|column| [column.low, column.high]);
    let levels = levels.iter().map(|(_, level)| *level);
    let mut shown: Vec<f64> = values.chain(levels).filter(|e| *e > FLOOR).map(logarithm).collect();
    shown.sort_by(f64::total_cmp);
    let (Some(high), Some(low)) = (shown.last(), shown.get(shown.len() / FEWEST)) else {
        return [FLOOR.log10(), FLOOR.log10() + DECADES];
    };
    let spare = (DECADES - (high - low)).max(0.0);
    [low - spare - MARGIN, high + MARGIN]
}

/// One mark per decade, fewer where they would crowd.
fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    // The base step is as long as a number is high.
    let step = ((high - low) / 6.0).max(input.base_step_size).ceil().max(1.0);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}

/// The power of ten of a whole mark.
fn decade(exponent: f64) -> String {
    format::power(exponent.round() as i32)
}
