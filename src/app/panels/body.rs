//! The card of the selected body: pose, velocity, mass, and every force on it with the m a that they add up to.

use super::super::theme::Palette;
use super::layers::CARD;
use super::{card_placement, weak};
use crate::app::screen::OnScreen;
use crate::app::text::elided::elided;
use crate::app::theme::Coloured;
use crate::experiment::name_of;
use crate::model::{Body, World};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::force_balance::{Account, Force, Source, sum};
use crate::workbench::text::format;
use egui_macroquad::egui::{
    self, Align, Align2, Color32, Id, Layout, Pos2, RichText, ScrollArea, Sense, Ui, Vec2, pos2, vec2,
};
use glam::DVec3;

/// Width of a name and of a number, points.
const NAME: f32 = 134.0;
const NUMBER: f32 = 66.0;
/// Width of the card inside its margins, points.
const WIDTH: f32 = NAME + 3.0 * NUMBER;
/// Height of a row, points.
const ROW: f32 = 17.0;
/// Magnitudes between which a number is written without a power of ten.
const SMALL: f64 = 1e-2;
const LARGE: f64 = 1e4;
/// Rows of forces; of more, the smallest are summed up in the last row.
const ROWS: usize = 8;
/// Size of a number and of the mark of a force's colour, points.
const TEXT: f32 = 12.0;
const DOT: f32 = 3.5;
/// Name of the card's area.
pub(super) const AREA: &str = "body card";
/// Distance of the texts from the left edge, points: room for the mark.
const INDENT: f32 = 12.0;
/// Height of the canvas that the scrolled part leaves to the card's head, margins and surroundings, and its least height, points.
const AROUND: f32 = 140.0;
const LEAST: f32 = 4.0 * ROW;

/// The card, in the corner of the canvas where fewest bodies are, while a body is selected.
pub(super) fn card(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let Some(index) = model.selected_body() else { return };
    let world = model.run().world();
    let Some(body) = world.bodies().get(index) else { return };
    let palette = model.view.palette();
    let id = Id::new(AREA);
    let size = ctx.memory(|memory| memory.area_rect(id)).map_or(Vec2::ZERO, |rect| rect.size());
    let (pivot, corner) =
        card_placement::corner(ctx, model, id, Id::new(model.hand.selected.map(|it| it.body)), size);
    intents.extend(card_placement::slide(ctx, id).map(|way| Intent::Slide(way.into())));
    egui::Area::new(id).order(CARD).pivot(pivot).fixed_pos(corner).show(ctx, |ui| {
        // The rows of the first step come later: the card grows with them.
        ui.set_max_height(model.canvas().height());
        egui::Frame::NONE
            .fill(palette.panel)
            .stroke(egui::Stroke::new(1.0, palette.axis))
            .corner_radius(6.0)
            .inner_margin(10.0)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(4.0, 1.0);
                head(
                    ui,
                    &model.hand.selected.map_or_else(String::new, |own| name_of(world, own.body)),
                    intents,
                );
                // On a low canvas the card scrolls instead of covering what lies below.
                let room = (model.canvas().height() - AROUND).max(LEAST);
                ScrollArea::vertical().max_height(room).show(ui, |ui| {
                    ui.set_width(WIDTH);
                    state(ui, world, index, body, palette);
                    ui.separator();
                    forces(ui, model.run().account(), world, index, palette);
                });
            });
    });
}

fn head(ui: &mut Ui, name: &str, intents: &mut Intents) {
    ui.horizontal(|ui| {
        ui.set_width(WIDTH);
        ui.add_space(INDENT);
        ui.label(RichText::new(name).strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.small_button("✖").on_hover_text("Close  (Esc, or a click beside the bodies)");
            close.widget_info(|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Close the body's card")
            });
            if close.clicked() {
                intents.push(Intent::Select(None));
            }
        });
    });
}

/// What the body is and where it stands.
fn state(ui: &mut Ui, world: &World, index: usize, body: &Body, palette: &Palette) {
    let (pose, velocity) = (body.pose.coordinates(), world.velocity_of(index));
    title(ui, "", ["x", "y", "rotation"], palette);
    row(ui, "pose (m, rad)", pose, palette.text);
    row(ui, "velocity (m/s, rad/s)", velocity, palette.text);
    if body.is_dynamic() {
        let mass = body.mass_properties();
        let text = format!(
            "mass {} kg,  moment of inertia {} kg m²",
            format::significant(mass.mass, 4),
            format::significant(mass.inertia, 4)
        );
        note(ui, text, palette);
    } else {
        note(ui, "Forces do not move it.", palette);
    }
}

fn note(ui: &mut Ui, text: impl Into<String>, palette: &Palette) {
    ui.horizontal(|ui| {
        ui.add_space(INDENT - ui.spacing().item_spacing.x);
        ui.label(weak(text, palette.weak));
    });
}

/// The forces over the last step and what they add up to.
fn forces(ui: &mut Ui, account: Option<&Account>, world: &World, index: usize, palette: &Palette) {
    title(ui, "force  (N, N m)", ["x", "y", "moment"], palette);
    let Some(account) = account else {
        note(ui, "Known after the next step.", palette);
        return;
    };
    let forces = account.forces(world, index);
    for (source, name, value) in listed(&forces) {
        let at = row(ui, &name, value, palette.text);
        if let Some(source) = source {
            let color = palette.force(source);
            ui.painter().circle_filled(at + vec2(DOT, 0.5 * ROW), DOT, color);
        }
    }
    if !world.bodies()[index].is_dynamic() {
        return;
    }
    let (sum, moved) = (sum(&forces), account.inertial_force(index));
    ui.separator();
    row(ui, "sum", sum, palette.text);
    row(ui, "m a,  I α", moved, palette.text);
    row(ui, "difference", sum - moved, palette.weak);
    if account.is_estimated {
        note(ui, "Impulses by the engine's last substep.", palette);
    }
}

/// The rows of the forces: the largest by themselves, in their order, and the others summed up.
fn listed(forces: &[Force]) -> Vec<(Option<Source>, String, DVec3)> {
    let line = |force: &Force| (Some(force.source), force.name.clone(), force.value);
    if forces.len() <= ROWS {
        return forces.iter().map(line).collect();
    }
    let mut order: Vec<usize> = (0..forces.len()).collect();
    order.sort_by(|a, b| {
        let size = |i: &usize| forces[*i].value.truncate().length();
        size(b).total_cmp(&size(a)).then(a.cmp(b))
    });
    let rest = order.split_off(ROWS - 1);
    order.sort_unstable();
    let mut lines: Vec<_> = order.into_iter().map(|index| line(&forces[index])).collect();
    let others = rest.iter().map(|index| forces[*index].value).sum();
    lines.push((None, format!("{} others", rest.len()), others));
    lines
}

/// The heads of the columns.
fn title(ui: &mut Ui, what: &str, columns: [&str; 3], palette: &Palette) {
    let at = ui.allocate_exact_size(vec2(WIDTH, ROW), Sense::hover()).0.min;
    let text = |ui: &Ui, at: Pos2, align: Align2, text: &str| {
        ui.painter().text(at, align, text, egui::FontId::proportional(11.0), palette.weak);
    };
    text(ui, at + vec2(INDENT, 0.5 * ROW), Align2::LEFT_CENTER, what);
    for (i, column) in columns.into_iter().enumerate() {
        text(ui, right(at, i), Align2::RIGHT_CENTER, column);
    }
}

/// A row of three numbers; returns its left upper corner. It keeps its place and width, whatever the numbers are.
fn row(ui: &mut Ui, name: &str, values: DVec3, color: Color32) -> Pos2 {
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, ROW), Sense::hover());
    let numbers = values.to_array().map(number);
    // The numbers are painted, so that nothing moves with their width; a screen reader and the tests want them as text.
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::WidgetType::Label, true, format!("{name}: {}", numbers.join(", ")))
    });
    let at = rect.min;
    let font = egui::FontId::proportional(TEXT);
    let name = elided(ui.painter(), name, font.clone(), color, NAME - INDENT);
    ui.painter().galley(at + vec2(INDENT, 0.5 * (ROW - name.size().y)), name, color);
    for (i, text) in numbers.into_iter().enumerate() {
        ui.painter().text(right(at, i), Align2::RIGHT_CENTER, text, font.clone(), color);
    }
    at
}

/// The right end of column `i`.
fn right(at: Pos2, i: usize) -> Pos2 {
    pos2(at.x + NAME + (i as f32 + 1.0) * NUMBER, at.y + 0.5 * ROW)
}

/// A live number: three digits, or two and a power of ten.
fn number(value: f64) -> String {
    match value.abs() {
        small if small > 0.0 && small < SMALL => format::significant(value, 2),
        large if large >= LARGE => format::significant(value, 2),
        _ => format::live(value),
    }
}
