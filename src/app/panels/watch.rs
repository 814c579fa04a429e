//! The plot of what is watched, in all runs: a reading over time, or over another one.

use super::super::theme::Palette;
use super::curves;
use super::time_axis::{Frame, above_the_foot, steps};
use crate::app::theme::Coloured;
use crate::model::BodyId;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::history::Channel;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::{PlotView, Quantity};
use crate::workbench::watched::{Reading, Watchable};
use egui_macroquad::egui::{RichText, ScrollArea, Ui};
use egui_plot::{Line, Plot, PlotPoints};

/// Greatest height of the list of what can be watched, points.
const LIST: f32 = 320.0;
/// Width of a name in it, points.
const NAME_WIDTH: f32 = 190.0;
/// Least number of grid lines.
const LINES: f64 = 4.0;
/// Room above and below the curves, as a share of their range.
const MARGIN: f64 = 0.12;
/// Smallest range of an axis, as a share of the largest value on it: smaller differences are rounding.
const FLATTEST: f64 = 1e-9;
/// Width of a line of the main run and of the others in a phase plot, points.
const WIDTHS: [f32; 2] = [1.8, 1.2];

/// The choice of what is watched, of its reading, of what that is plotted over, and the button that saves them.
pub(super) fn header(ui: &mut Ui, view: &mut PlotView, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let world = model.run().world();
    let watched = model.watched();
    let name = watched.map_or("choose".to_owned(), |subject| subject.name(world));
    ui.menu_button(RichText::new(name).strong(), |ui| {
        ScrollArea::vertical().max_height(LIST).show(ui, |ui| {
            ui.set_min_width(NAME_WIDTH);
            for subject in Watchable::all(world) {
                if ui.selectable_label(watched == Some(subject), subject.name(world)).clicked() {
                    intents.push(Intent::Watch(subject));
                    ui.close_menu();
                }
            }
        });
    });
    if let Some(Watchable::Body(own) | Watchable::Pair([own, _])) = watched {
        seen_from(ui, model, own, intents);
    }
    let Some(readings) = watched.map(|subject| subject.readings(world)) else { return };
    choice(ui, readings, &readings[view.reading(readings)], |place| view.reading = place);
    ui.label(RichText::new("over").color(palette.weak));
    let over = view.over(readings).map_or("time", |place| readings[place].name);
    ui.menu_button(over, |ui| {
        let rows = std::iter::once(None).chain((0..readings.len()).map(Some));
        for place in rows {
            let name = place.map_or("time", |at| readings[at].name);
            if ui.selectable_label(view.phase == place, name).clicked() {
                view.phase = place;
                ui.close_menu();
            }
        }
    });
}

/// From where a body is seen: the fixed axes, or another body.
fn seen_from(ui: &mut Ui, model: &Model, own: BodyId, intents: &mut Intents) {
    let world = model.run().world();
    let watched = model.watched();
    ui.label(RichText::new("from").color(model.view.palette().weak));
    let others = world.body_ids().iter().filter(|id| **id != own);
    let choices: Vec<_> = std::iter::once((Watchable::Body(own), "the fixed axes".to_owned()))
        .chain(others.map(|id| (Watchable::Pair([own, *id]), Watchable::Body(*id).name(world))))
        .collect();
    let present = choices.iter().find(|(choice, _)| watched == Some(*choice));
    let name = present.map_or("the fixed axes", |(_, name)| name.as_str());
    let menu = ui.menu_button(name, |ui| {
        ScrollArea::vertical().max_height(LIST).show(ui, |ui| {
            ui.set_min_width(NAME_WIDTH);
            for (choice, name) in &choices {
                if ui.selectable_label(watched == Some(*choice), name).clicked() {
                    intents.push(Intent::Watch(*choice));
                    ui.close_menu();
                }
            }
        });
    });
    menu.response.on_hover_text("Distance, relative position, angle and velocity, as another body sees it");
}

/// A menu of readings.
fn choice(ui: &mut Ui, readings: &[Reading], chosen: &Reading, mut choose: impl FnMut(usize)) {
    ui.menu_button(chosen.name, |ui| {
        for (place, reading) in readings.iter().enumerate() {
            let here = reading.key == chosen.key;
            if ui.selectable_label(here, reading.label()).on_hover_text(reading.meaning).clicked() {
                choose(place);
                ui.close_menu();
            }
        }
    });
}

/// Draws the plot; returns when the future was left that was clicked, and the clicked time, s.
pub(super) fn show(ui: &mut Ui, view: &mut PlotView, model: &Model, palette: &Palette) -> Option<[f64; 2]> {
    let Some(subject) = model.watched() else {
        ui.centered_and_justified(|ui| {
            ui.label("Click a body, a joint, a spring or a contact: it is plotted here, its past included.")
        });
        return None;
    };
    let readings = subject.readings(model.run().world());
    let frame = Frame::new(ui, view, model.comparison(), palette)?;
    let place = view.reading(readings);
    match view.over(readings) {
        Some(across) => {
            phase(ui, &frame, readings, [across, place]);
            None
        }
        None => over_time(ui, &frame, view, (place, &readings[place])),
    }
}

fn over_time(
    ui: &mut Ui,
    frame: &Frame<'_>,
    view: &mut PlotView,
    (place, reading): (usize, &Reading),
) -> Option<[f64; 2]> {
    let quantity = &Quantity::of_watched(place, reading);
    let columns = frame.extremes(quantity.channel).map(|(_, column)| [column.low, column.high]);
    let range = frame.eased(ui, quantity.name, range(columns));
    let mut curves = Vec::new();
    let response = frame
        .plot("watch", &reading.axis())
        .y_axis_formatter(|mark, range| above_the_foot(mark, range, format::significant(mark.value, 4)))
        .y_grid_spacer(|input| steps(input, LINES, 0.0))
        .show(ui, |plot| {
            frame.bounds(plot, range);
            let mut ends = Vec::new();
            for lane in &frame.lanes {
                frame.branch(plot, &mut curves, lane, (place, quantity), |value| value);
                ends.extend(frame.line(plot, &mut curves, lane, (place, quantity), |value| value));
            }
            if frame.lanes.len() > 1 {
                frame.names(plot, ends);
            }
            frame.marks(plot, range[1]);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
    let write =
        |_: &curves::Curve, value: f64| format!("{} {}", format::significant(value, 5), reading.unit);
    curves::show(ui, &response.response, &response.transform, &curves, frame.palette, write)
}

/// One reading over another, step by step.
fn phase(ui: &mut Ui, frame: &Frame<'_>, readings: &[Reading], places: [usize; 2]) {
    let channels = places.map(|place| Channel::WATCHED[place]);
    let [x, y] = places.map(|place| readings[place].axis());
    let label = |text: String| RichText::new(text).size(12.0).color(frame.palette.weak);
    Plot::new("phase")
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_drag(false)
        .show_background(false)
        .x_axis_label(label(x))
        .y_axis_label(label(y))
        .show(ui, |plot| {
            for (place, lane) in frame.lanes.iter().enumerate() {
                let points = lane.run.history().pairs(channels, frame.window);
                let color = frame.palette.scheme(lane.run.scheme_index());
                let is_main = place + 1 == frame.lanes.len();
                let width = WIDTHS[usize::from(!is_main)];
                plot.line(Line::new(&lane.name, PlotPoints::new(points)).color(color).width(width));
            }
        });
}

/// Lowest and highest value to show.
fn range(columns: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let ends = columns.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], column| {
        [low.min(column[0]), high.max(column[1])]
    });
    let [low, high] = ends;
    if low > high {
        return [-1.0, 1.0];
    }
    let largest = high.abs().max(low.abs());
    let least = if largest > 0.0 { FLATTEST * largest } else { 1.0 };
    let margin = MARGIN * (high - low).max(least);
    [low - margin, high + margin]
}
