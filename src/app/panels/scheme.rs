//! All schemes as chips, by their origin, and the chosen one's equation, description and parameters.

use super::super::theme::{Palette, equation_font};
use super::{equation, fixed, method, parameters, runs, tour};
use crate::app::text::elided::elided;
use crate::app::theme::Coloured;
use crate::method::{Origin, SchemeInfo};
use crate::peers;
use crate::schemes::TABLE;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::comparison::Role;
use crate::workbench::runs::live_run::Setting;
use crate::workbench::text::prose::prose;
use egui_macroquad::egui::{
    self, Align2, Color32, FontId, Label, Rect, Response, RichText, Sense, Stroke, StrokeKind, TextFormat,
    Ui, UiBuilder, WidgetInfo, WidgetType, text::LayoutJob, vec2,
};

/// How many of the table's schemes have a number key.
const NUMBERED: usize = 9;
/// Columns of chips.
const COLUMNS: usize = 2;
/// Height of a chip, points, and what is left of it in a low column.
const CHIP_HEIGHT: f32 = 24.0;
const LOW_CHIP: f32 = 16.0;
/// Height of a column, without the chips, in which the time step and a slider are in sight, points.
const WITH_A_SLIDER: f32 = 190.0;
/// Size of the name of an origin, and its height, points.
const HEADING: f32 = 11.0;
const HEADING_HEIGHT: f32 = 13.0;
/// The name of the engines that make the steps themselves.
const LIVE: &str = "Engines themselves";
/// Width of a chip that stands by itself, points.
const ALONE: f32 = 190.0;
/// Distance of chips, points.
const GAP: f32 = 3.0;
/// Width of a key's number in front of the name, points.
const NUMBER_WIDTH: f32 = 20.0;
/// Room at the right end of a chip for a switch, points.
const SWITCH_WIDTH: f32 = 28.0;
/// Width of a chip's edge, which has the scheme's colour, points.
const EDGE: f32 = 1.4;
/// Share of a scheme's colour in the ground of its chip: at rest, under the pointer.
const TINTS: [f32; 2] = [0.10, 0.24];
/// Padding of the box of the equation, points.
const PADDING: f32 = 8.0;
/// Size of the description, points.
const TEXT: f32 = 12.5;
/// Height of the parameters: four sliders, a row of tabs, and two lines of what a tab means, points. More scroll.
const PARAMETERS_HEIGHT: f32 = 176.0;
/// Heights of a column, without the chips, in which two sliders are in sight beneath the equation, and beneath equation and
/// description, points. In a lower one these texts stand beneath the sliders.
const WITH_EQUATION: f32 = 238.0;
const WITH_DESCRIPTION: f32 = 312.0;

/// The schemes, and all about the chosen one, in a column that shows `height` points of it.
pub(super) fn show(ui: &mut Ui, height: f32, model: &Model, intents: &mut Intents) {
    runs::show(ui, "Scheme", model, intents);
    let sizes = sizes(height);
    chips(ui, sizes, model, intents);
    ui.add_space(2.0);
    let [above, described_above] =
        [WITH_EQUATION, WITH_DESCRIPTION].map(|least| height - chips_height(sizes) >= least);
    if above {
        present(ui, model);
    }
    if described_above {
        describe(ui, model);
    }
    method::time_step(ui, model, intents);
    fixed::place(ui, PARAMETERS_HEIGHT, |ui| {
        fixed::column(ui, "parameters", |ui| parameters::show(ui, model, intents));
    });
    if !above {
        present(ui, model);
    }
    if !described_above {
        describe(ui, model);
    }
}

/// The schemes of each group beneath its name, in chips of the height `chip` and names of the height `heading`, points.
fn chips(ui: &mut Ui, sizes: Sizes, model: &Model, intents: &mut Intents) {
    let Sizes { chip, heading: high } = sizes;
    let pitch = vec2((ui.available_width() + GAP) / COLUMNS as f32, chip + GAP);
    let size = vec2(ui.available_width(), chips_height(sizes));
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut top = place.min;
    for Group { name, places } in groups() {
        let heading = Rect::from_min_size(top, vec2(size.x, high));
        if high > 0.0 {
            let text = RichText::new(name).size(HEADING).color(model.view.palette().weak);
            ui.new_child(UiBuilder::new().max_rect(heading)).label(text);
        }
        top.y = heading.bottom();
        let rows = rows_of(&places);
        for (at, index) in places.into_iter().enumerate() {
            // Down the first column, then down the second: the order of the number keys.
            let corner = top + vec2((at / rows) as f32, (at % rows) as f32) * pitch;
            whole(ui, Rect::from_min_size(corner, pitch - vec2(GAP, GAP)), index, model, intents);
        }
        top.y += rows as f32 * pitch.y;
    }
}

/// Schemes that stand together.
struct Group {
    name: &'static str,
    places: Vec<usize>,
}

/// The schemes of the table by their origin, then the engines that make the steps themselves, if there are any.
fn groups() -> Vec<Group> {
    let of = |origin: Origin| {
        let places = (0..TABLE.len()).filter(|place| TABLE[*place].info().origin == origin).collect();
        Group { name: origin.name(), places }
    };
    let live = peers::all().map(|(place, _)| place).filter(|place| *place > TABLE.len()).collect();
    let live = Group { name: LIVE, places: live };
    Origin::ALL.map(of).into_iter().chain([live]).filter(|group| !group.places.is_empty()).collect()
}

fn rows_of(places: &[usize]) -> usize {
    places.len().div_ceil(COLUMNS)
}

/// Rows of chips.
fn rows() -> f32 {
    groups().iter().map(|group| rows_of(&group.places)).sum::<usize>() as f32
}

/// Heights of a chip and of the name of an origin, points.
#[derive(Clone, Copy)]
struct Sizes {
    chip: f32,
    heading: f32,
}

/// The sizes in a column of the height `height`, points: as high as leaves room for a slider beneath; in a low column the names
/// of the origins are left out.
fn sizes(height: f32) -> Sizes {
    let chip = |heading: f32| {
        let free = height - WITH_A_SLIDER - chips_height(Sizes { chip: 0.0, heading });
        free / rows()
    };
    let heading = if chip(HEADING_HEIGHT) < LOW_CHIP { 0.0 } else { HEADING_HEIGHT };
    Sizes { chip: chip(heading).clamp(LOW_CHIP, CHIP_HEIGHT), heading }
}

/// Height of all chips with the names of their origins, points.
fn chips_height(Sizes { chip, heading }: Sizes) -> f32 {
    rows() * (chip + GAP) + groups().len() as f32 * heading - GAP
}

/// The chip of the scheme of that key by itself, where there is room for no other.
pub(super) fn alone(ui: &mut Ui, key: &str, model: &Model, intents: &mut Intents) {
    let Some(index) = peers::place(key) else { return };
    let (rect, _) = ui.allocate_exact_size(vec2(ALONE, CHIP_HEIGHT), Sense::hover());
    whole(ui, rect, index, model, intents);
}

/// A chip with its switch.
fn whole(ui: &mut Ui, rect: Rect, index: usize, model: &Model, intents: &mut Intents) {
    let Some(key) = peers::at(index).map(|scheme| scheme.info().key) else { return };
    tour::mark_in(ui, model, ["scheme", key], rect);
    tour::mark_in(ui, model, ["beside", key], rect.with_min_x(rect.right() - SWITCH_WIDTH));
    if chip(ui, rect, index, model).is_some_and(|chip| chip.clicked()) {
        intents.push(Intent::Set(Setting::Scheme(index)));
    }
    let end = rect.with_min_x(rect.right() - SWITCH_WIDTH);
    if beside(ui, end, index, model).is_some_and(|switch| switch.clicked()) {
        intents.push(Intent::Beside(index));
    }
}

/// The scheme at the place `index` in its colour, filled if it is the chosen one. The last [`SWITCH_WIDTH`] points are left free.
fn chip(ui: &mut Ui, rect: Rect, index: usize, model: &Model) -> Option<Response> {
    let (palette, chosen) = (model.view.palette(), model.edited().scheme_index() == index);
    let (info, color) = (peers::at(index)?.info(), palette.scheme(index));
    let key = (index < NUMBERED).then(|| (index + 1).to_string());
    let response = ui.interact(rect, ui.id().with(("scheme", index)), Sense::click());
    response.widget_info(|| {
        let name = key.iter().map(|key| format!("{key} ")).collect::<String>() + info.name;
        WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, name)
    });
    let tint = TINTS[usize::from(response.hovered())];
    let (ground, text) = if chosen {
        (color, palette.contrast(color))
    } else {
        (palette.panel.lerp_to_gamma(color, tint), palette.text)
    };
    let painter = ui.painter_at(rect);
    let edge = Stroke::new(EDGE, color);
    painter.rect(rect, 5.0, ground, edge, StrokeKind::Inside);
    let small = FontId::proportional(11.0);
    let middle = rect.left_center();
    if let Some(key) = &key {
        painter.text(middle + vec2(7.0, 0.0), Align2::LEFT_CENTER, key, small, text);
    }
    let room = rect.width() - NUMBER_WIDTH - SWITCH_WIDTH;
    let name = elided(&painter, info.short, FontId::proportional(12.5), text, room);
    painter.galley(middle + vec2(NUMBER_WIDTH, -0.5 * name.size().y), name, text);
    let hint = key.map_or_else(String::new, |key| format!("  (key {key})"));
    Some(response.on_hover_text(format!("{}{hint}\n{}\n{}", info.name, info.summary, info.equation)))
}

/// The switch at the end of a chip, two overlapping outlines: a run under that scheme beside the main one.
fn beside(ui: &mut Ui, rect: Rect, index: usize, model: &Model) -> Option<Response> {
    let (palette, info) = (model.view.palette(), peers::at(index)?.info());
    let mut forks = model.comparison().forks().iter();
    let on = forks.any(|fork| fork.role == Role::Beside && fork.run().scheme_index() == index);
    let response = ui.interact(rect, ui.id().with(("beside", index)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::Checkbox, true, on, format!("compare with {}", info.name))
    });
    let color = palette.scheme(index);
    let mark = if model.edited().scheme_index() == index { palette.contrast(color) } else { color };
    let faint = if response.hovered() { 1.0 } else { 0.45 };
    let stroke = Stroke::new(1.3, mark.gamma_multiply(if on { 1.0 } else { faint }));
    let (painter, middle) = (ui.painter(), rect.center());
    let square = |by: f32| Rect::from_center_size(middle + vec2(by, by), vec2(9.0, 9.0));
    painter.rect_stroke(square(-2.0), 2.0, stroke, StrokeKind::Middle);
    if on {
        painter.rect_filled(square(2.0), 2.0, mark);
    } else {
        painter.rect_stroke(square(2.0), 2.0, stroke, StrokeKind::Middle);
    }
    let hint = if on {
        format!("Ends the comparison with {}: closes that run", info.name)
    } else {
        format!("Compare: a second run from this moment on, under {}, moved by the same hand", info.name)
    };
    Some(response.on_hover_text(hint))
}

/// The chosen scheme's name and equation, each in a place that holds the longest of the table. While runs are
/// compared the box has the colour of the run that is edited, and says which it is.
fn present(ui: &mut Ui, model: &Model) {
    let info = model.edited().method().stabilizer.info();
    let palette = model.view.palette();
    let all = || peers::all().map(|(_, scheme)| scheme.info());
    let inner = ui.available_width() - 2.0 * PADDING;
    let name = FontId::proportional(TEXT);
    let named = |run: &str, info: &SchemeInfo| format!("{run}{}", info.name);
    // The longest name of a run, so that nothing moves with the first fork.
    let names: Vec<String> = all().map(|info| named(&runs::before_scheme(Some(0)), info)).collect();
    let (compares, edited) = (!model.comparison().forks().is_empty(), runs::edited(model));
    let before = if compares { runs::before_scheme(edited) } else { String::new() };
    let edge = if compares { palette.scheme(model.edited().scheme_index()) } else { Color32::TRANSPARENT };
    let heights = [
        fixed::tallest(ui, names.iter().map(String::as_str), &name, inner),
        fixed::tallest(ui, all().map(|info| info.equation), &equation_font(), inner),
    ];
    let frame = egui::Frame::NONE.fill(palette.background).corner_radius(4.0).inner_margin(PADDING);
    frame.stroke(Stroke::new(1.0, edge)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        fixed::place(ui, heights[0], |ui| {
            ui.label(RichText::new(named(&before, info)).font(name).strong());
        });
        fixed::place(ui, heights[1], |ui| {
            equation::show(ui, info.equation, palette);
        });
    });
}

/// What the chosen scheme does, and its source, in a place that holds the longest of the table.
fn describe(ui: &mut Ui, model: &Model) {
    let info = model.edited().method().stabilizer.info();
    let (palette, width) = (model.view.palette(), ui.available_width());
    let all = peers::all().map(|(_, scheme)| scheme.info());
    let described: Vec<String> =
        all.map(|info| format!("{} {}", prose(info.summary), info.source)).collect();
    let height =
        fixed::tallest(ui, described.iter().map(String::as_str), &FontId::proportional(TEXT), width);
    fixed::place(ui, height, |ui| {
        let label = ui.add(Label::new(described_job(info, palette)).wrap());
        if !info.departures.is_empty() {
            label.on_hover_text(format!("How it departs from its source:\n{}", info.departures.join("\n")));
        }
    });
}

/// What a scheme does, and behind it, fainter, who published it.
fn described_job(info: &SchemeInfo, palette: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (text, color) in [(prose(info.summary) + " ", palette.text), (info.source.to_owned(), palette.weak)]
    {
        job.append(&text, 0.0, TextFormat::simple(FontId::proportional(TEXT), color));
    }
    job
}
