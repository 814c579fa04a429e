//! The bottom panel: its tabs, the quantities shown, and the part of the run.

use super::super::theme::Palette;
use super::{compare, counts, is_dragged, judge, over_time, solve, tour, watch};
use crate::app::theme::Coloured;
use crate::model::joint::Unit;
use crate::platform::pictures::PICTURES;
use crate::workbench::file_kind::FileKind;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::text::format;
use crate::workbench::view_state::edge::Edge;
use crate::workbench::view_state::plot_view::{
    COUNTS, ENERGIES, ERRORS, PlotView, Quantity, SPANS, Tab, concerned, worked,
};
use crate::workbench::view_state::solve_view::SolvePart;
use egui_macroquad::egui::{self, RichText, TextStyle, Ui};

/// Height of the panel at the start, and its least and largest one, points.
const HEIGHT: f32 = 218.0;
const HEIGHTS: [f32; 2] = [110.0, 700.0];
/// Largest share of the room below the bar with the scene's name: the canvas and the line of time need the rest.
const SHARE: f32 = 0.45;
/// Room that the button for files and the choice of the span need, points: behind the quantities with its name.
const SPANS_WIDTH: f32 = 192.0;
const NAMED_SPANS_WIDTH: f32 = 236.0;
/// Room for a quantity's checkbox and its line, without its name, points.
const CHECKBOX_WIDTH: f32 = 34.0;
/// Room that the menus need which stand for them where there is less, points.
const MENUS_WIDTH: f32 = 190.0;
/// Room that the parts of a problem need, points.
const PARTS_WIDTH: f32 = 150.0;
/// Width of a panel below which its tabs stand closer, points.
const NARROW: f32 = 520.0;
/// Space between the quantities, the button for files and the spans, points.
const CLOSE: f32 = 4.0;
/// Space between a button's text and its sides where room is short, points.
const NARROW_PADDING: f32 = 4.0;
/// Size of the numbers on the axes, points.
const NUMBERS: f32 = 12.0;

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let mut view = model.shown.plot.clone();
    let frame = egui::Frame::side_top_panel(&ctx.style()).inner_margin(egui::Margin::symmetric(10, 6));
    let [least, most] = HEIGHTS;
    let most = (SHARE * ctx.available_rect().height()).clamp(least, most);
    let height = model.layout.sizes[Edge::Plot as usize].map_or(HEIGHT, f32::from);
    let shown = egui::TopBottomPanel::bottom(Edge::Plot.part())
        .resizable(true)
        .default_height(height.min(most))
        .height_range(least..=most)
        .frame(frame)
        .show(ctx, |ui| {
            // A panel is as high as what it holds: without this it would shrink where there is nothing to show yet.
            ui.set_min_height(ui.available_height());
            let palette = model.view.palette();
            tour::mark(ui.ctx(), model, ["plot", ""], ui.max_rect());
            header(ui, &mut view, model, intents);
            ui.visuals_mut().override_text_color = Some(palette.weak);
            ui.style_mut().text_styles.insert(TextStyle::Body, egui::FontId::proportional(NUMBERS));
            chosen(ui, &mut view, model, intents);
        });
    if is_dragged(ctx, Edge::Plot) {
        intents.push(Intent::Resize(Edge::Plot, shown.response.rect.height()));
    }
    if view != model.shown.plot {
        intents.push(Intent::Plot(view));
    }
}

/// The tabs, their names, and what tours call them.
pub(super) const TABS: [(Tab, &str, &str); 6] = [
    (Tab::Errors, "Errors", "errors"),
    (Tab::Energy, "Energy", "energy"),
    (Tab::Watch, "Watch", "watch"),
    (Tab::Solver, "Solve", "solve"),
    (Tab::Compare, "Compare", "compare"),
    (Tab::Judge, "Judge", "judge"),
];

/// The plot or table of the chosen tab.
pub(super) fn chosen(ui: &mut Ui, view: &mut PlotView, model: &Model, intents: &mut Intents) {
    let mut enter = None;
    match view.tab {
        Tab::Errors | Tab::Energy => enter = over_time::show(ui, view, model),
        Tab::Solver if model.shown.solve.part != SolvePart::Sizes => solve::show(ui, model, intents),
        Tab::Solver => enter = counts::show(ui, view, model),
        Tab::Watch => enter = watch::show(ui, view, model),
        Tab::Compare => compare::show(ui, model, intents),
        Tab::Judge => judge::show(ui, view, model, intents),
    }
    intents.extend(enter.map(|[begun, time]| Intent::Enter { begun, time }));
}

fn header(ui: &mut Ui, view: &mut PlotView, model: &Model, intents: &mut Intents) {
    let rows = ui.horizontal(|ui| {
        if ui.available_width() < NARROW {
            ui.spacing_mut().item_spacing.x = 3.0;
            ui.spacing_mut().button_padding.x = NARROW_PADDING;
        }
        // There is something to be judged where a recording is played back.
        let is_there = |tab: Tab| tab != Tab::Judge || view.tab == tab || model.judged().is_some();
        for (tab, name, key) in TABS.into_iter().filter(|(tab, ..)| is_there(*tab)).collect::<Vec<_>>() {
            let label = ui.selectable_value(&mut view.tab, tab, name);
            tour::mark(ui.ctx(), model, [key, ""], label.rect);
        }
        ui.separator();
        // In a narrow window the parts of a problem and the quantities have rows of their own.
        let parts = view.tab == Tab::Solver;
        let parts_below = parts && ui.available_width() < PARTS_WIDTH;
        if parts && !parts_below {
            solve::header(ui, model, intents);
        }
        let over_time = !parts || model.shown.solve.part == SolvePart::Sizes;
        let narrow = !matches!(view.tab, Tab::Compare | Tab::Judge) && ui.available_width() < MENUS_WIDTH;
        let below = over_time && (parts_below || narrow);
        if over_time && !below {
            quantities(ui, view, model, intents);
        }
        [parts_below, below]
    });
    let [parts, below] = rows.inner;
    if parts {
        ui.horizontal(|ui| solve::header(ui, model, intents));
    }
    if below {
        ui.horizontal(|ui| quantities(ui, view, model, intents));
    }
}

/// The choice of what is shown of which part of the run.
fn quantities(ui: &mut Ui, view: &mut PlotView, model: &Model, intents: &mut Intents) {
    let (simulation, palette) = (model.run(), model.view.palette());
    let units = simulation.units();
    let (all, shown, offered): (&[Quantity], &mut [bool], &[bool]) = match view.tab {
        Tab::Errors => (&ERRORS, &mut view.errors, &concerned(&simulation.scene.world)),
        Tab::Energy => (&ENERGIES, &mut view.energies, &worked(&simulation.scene.world)),
        Tab::Solver => (&COUNTS, &mut view.counts, &[true; COUNTS.len()]),
        Tab::Watch => {
            watch::header(ui, view, model, intents);
            if ui.available_width() < SPANS_WIDTH {
                span_menu(ui, view);
                return save(ui, intents);
            }
            save(ui, intents);
            return ui
                .with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    spans(ui, view, SPANS.iter().rev())
                })
                .inner;
        }
        Tab::Compare => return compare::header(ui, model, intents),
        Tab::Judge => return judge::header(ui, view),
    };
    let font = TextStyle::Body.resolve(ui.style());
    let room = |quantity: &Quantity| {
        let name = quantity.name.to_owned();
        let name = ui.fonts(|fonts| fonts.layout_no_wrap(name, font.clone(), palette.text));
        CHECKBOX_WIDTH + name.size().x
    };
    let rooms =
        all.iter().zip(offered).filter(|(_, offered)| **offered).map(|(quantity, _)| room(quantity));
    if ui.available_width() < NAMED_SPANS_WIDTH + rooms.sum::<f32>() {
        // Where there is no room, both open on a click.
        ui.menu_button("lines", |ui| choose(ui, all, shown, offered, units, palette));
        span_menu(ui, view);
        save(ui, intents);
        return;
    }
    ui.spacing_mut().item_spacing.x = CLOSE;
    choose(ui, all, shown, offered, units, palette);
    save(ui, intents);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.horizontal(|ui| {
            // From right to left: 'last: 1 s 5 s 20 s all'.
            spans(ui, view, SPANS.iter().rev());
            let text = if view.held.is_some() { "held:" } else { "last:" };
            ui.label(RichText::new(text).color(palette.weak));
        });
    });
}

/// The files that the plot can be saved as.
fn save(ui: &mut Ui, intents: &mut Intents) {
    let padding = std::mem::replace(&mut ui.spacing_mut().button_padding.x, NARROW_PADDING);
    let button = ui.menu_button("Save", |ui| {
        let pictures = [FileKind::Drawing, FileKind::Picture].into_iter();
        let pictures = pictures.filter(|kind| PICTURES.contains(&kind.extension()));
        for kind in std::iter::once(FileKind::Table).chain(pictures) {
            let text = match kind {
                FileKind::Table => "Table of all recorded steps (CSV)",
                FileKind::Drawing => "Picture of this plot (SVG)",
                _ => "Picture of this plot (PNG)",
            };
            if ui.button(text).clicked() {
                intents.push(Intent::SavePlot(kind));
                ui.close_menu();
            }
        }
    });
    ui.spacing_mut().button_padding.x = padding;
    button.response.on_hover_text("Save this plot: its figures, or a picture");
}

/// The choice of the span where there is little room.
fn span_menu(ui: &mut Ui, view: &mut PlotView) {
    let text = view.span.map_or("all".to_owned(), format::duration);
    ui.menu_button(format!("last {text}"), |ui| spans(ui, view, SPANS.iter()));
}

/// The lengths of time that the plot can follow.
fn spans<'a>(ui: &mut Ui, view: &mut PlotView, spans: impl Iterator<Item = &'a Option<f64>>) {
    for &span in spans {
        let text = span.map_or("all".to_owned(), format::duration);
        let here = view.span == span && view.held.is_none();
        if ui.selectable_label(here, text).clicked() {
            view.span = span;
            view.reset();
        }
    }
}

fn choose(
    ui: &mut Ui,
    all: &[Quantity],
    shown: &mut [bool],
    offered: &[bool],
    units: &[Unit],
    palette: &Palette,
) {
    let rows = all.iter().zip(shown).zip(offered);
    for ((quantity, shown), _) in rows.filter(|(_, offered)| **offered) {
        let text = format!("{} {}", quantity.stroke.sign(), quantity.name);
        let text = RichText::new(text).color(if *shown { palette.text } else { palette.weak });
        let unit = quantity.unit(units);
        let unit = if unit.is_empty() { unit } else { format!(" [{unit}]") };
        ui.checkbox(shown, text).on_hover_text(format!("{}{unit}", quantity.meaning));
    }
}
