//! The plot of what is watched, in all runs: a reading over time, or over another one.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::time_axis::Frame;
use super::{drawn, over_time};
use crate::app::runs::watched::{Reading, Watchable};
use crate::app::view_state::plot_view::PlotView;
use crate::model::BodyId;
use egui_macroquad::egui::{RichText, ScrollArea, Ui};
use egui_plot::PlotBounds;

/// Greatest height of the list of what can be watched, points.
const LIST: f32 = 320.0;
/// Width of a name in it, points.
const NAME_WIDTH: f32 = 190.0;

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
pub(super) fn show(ui: &mut Ui, view: &mut PlotView, model: &Model) -> Option<[f64; 2]> {
    let readings = model.readings();
    if readings.is_empty() {
        ui.centered_and_justified(|ui| {
            ui.label("Click a body, a joint, a spring or a contact: it is plotted here, its past included.")
        });
        return None;
    }
    if view.over(readings).is_none() {
        return over_time::show(ui, view, model);
    }
    // One reading over another, step by step.
    let palette = model.view.palette();
    let chart = Frame::new(ui, view, model.comparison(), palette)?.plotted(view, readings).chart;
    let [across, up] = chart.ranges();
    drawn::plot("phase", &chart, palette).show(ui, |plot| {
        plot.set_plot_bounds(PlotBounds::from_min_max([across[0], up[0]], [across[1], up[1]]));
        drawn::curves(plot, &chart);
    });
    None
}
