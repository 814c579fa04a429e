//! The error plot: errors over time on a logarithmic axis, with the scene's published levels.

use super::super::format;
use super::super::history::Channel;
use super::super::plot_view::{ERRORS, PlotView, concerned, error_axis};
use super::super::simulation::Simulation;
use super::super::theme::Palette;
use super::time_axis::Frame;
use crate::scene::{Bound, Quantity};
use egui_macroquad::egui::{RichText, Ui};
use egui_plot::{GridInput, GridMark, HLine, LineStyle, PlotPoint, PlotUi, Text};

/// Lowest value that is drawn, m; smaller errors, as by rounding, are drawn here.
const FLOOR: f64 = 1e-16;
/// Highest value that is drawn, m; larger errors of a diverged world are drawn here.
const CEILING: f64 = 1e6;
/// Least number of decades that the axis spans.
const DECADES: f64 = 3.0;
/// One in this many values may lie below the axis, since errors start from zero in the first few steps.
const FEWEST: usize = 60;
/// Room above and below the curves, decades.
const MARGIN: f64 = 0.7;

pub(super) fn show(ui: &mut Ui, view: &mut PlotView, simulation: &Simulation, palette: &Palette) {
    let Some(frame) = Frame::new(ui, view, simulation, palette) else { return };
    let concerned = concerned(&simulation.scene.world);
    let shown: [bool; ERRORS.len()] = std::array::from_fn(|i| view.errors[i] && concerned[i]);
    let levels = levels(simulation);
    let range = range(&frame, &shown, &levels);
    let units = simulation.units();
    let label = error_axis(&shown, units);
    let response = frame
        .plot("errors", &label)
        .y_axis_formatter(|mark, _| decade(mark.value))
        .y_grid_spacer(decades)
        .label_formatter(|name, point| {
            let value = format::significant(10f64.powf(point.y), 3);
            let unit = ERRORS.iter().find(|q| q.name == name).map(|q| q.unit(units)).unwrap_or_default();
            let heading = if name.is_empty() { String::new() } else { format!("{name}\n") };
            format!("{heading}{value} {unit}\nt = {} s", format::significant(point.x, 4))
        })
        .show(ui, |plot| {
            frame.bounds(plot, range);
            for (label, level) in &levels {
                reference(plot, &frame, label, *level);
            }
            for ((quantity, shown), color) in ERRORS.iter().zip(shown).zip(palette.lines) {
                if shown {
                    frame.line(plot, quantity, color, logarithm);
                }
            }
            frame.marks(plot, range[1]);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
}

fn logarithm(error: f64) -> f64 {
    error.clamp(FLOOR, CEILING).log10()
}

/// The scene's published levels that this plot can show, with their labels, m.
fn levels(simulation: &Simulation) -> Vec<(String, f64)> {
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
    plot.hline(line.style(LineStyle::dashed_loose()).allow_hover(false));
    let text = RichText::new(label).size(11.0).color(color);
    let place = PlotPoint::new(frame.window[1], y);
    let anchor = egui_macroquad::egui::Align2::RIGHT_BOTTOM;
    plot.text(Text::new("", place, text).color(color).anchor(anchor).allow_hover(false));
}

/// Lowest and highest decade to show: those of the shown curves and levels.
fn range(frame: &Frame<'_>, shown: &[bool], levels: &[(String, f64)]) -> [f64; 2] {
    let history = frame.simulation.history();
    let channels = ERRORS.iter().zip(shown).filter(|(_, shown)| **shown).map(|(q, _)| q.channel);
    let curves =
        channels.flat_map(|channel: Channel| history.decimate(channel, frame.window, frame.columns));
    let values = curves.flatten().flat_map(|column| [column.low, column.high]);
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
    let step = ((high - low) / 6.0).ceil().max(1.0);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}

/// The power of ten of a whole mark.
fn decade(exponent: f64) -> String {
    format::power(exponent.round() as i32)
}
