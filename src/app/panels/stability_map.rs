//! The stability map: ρ over two parameters in colour, the exact boundary, and the point at which the run stands, to be dragged.
//!
//! All parts have fixed places and sizes, those of schemes without a map as well.

use super::super::intent::{Intent, Intents};
use super::super::map::{Field, TICKS, colour, level, shade};
use super::super::model::Model;
use super::super::theme::Palette;
use super::tour;
use crate::app::runs::live_run::Setting;
use crate::app::text::format;
use crate::app::text::format::{significant, to_digits};
use crate::experiment::stability::{Plane, PlaneAxis};
use crate::method::AxisQuantity;
use egui_macroquad::egui::{
    self, Align2, Color32, ColorImage, CursorIcon, FontId, Mesh, Painter, Pos2, Rect, Response, Sense,
    Shape, Stroke, TextureHandle, TextureOptions, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// Least and largest side of the square, points.
const SIDE: [f32; 2] = [110.0, 200.0];
/// Room that is left above it for schemes, equation, time step and two parameters while it is larger than its least,
/// and room that what stands above needs in any case, since it scrolls, points.
const ABOVE: f32 = 500.0;
const COLUMN: f32 = 200.0;
/// Room for numbers left of it and below it, points.
const LEFT: f32 = 44.0;
const BELOW: f32 = 32.0;
/// The scale of colours: distance from the square, width, and room for its numbers, points.
const SCALE_GAP: f32 = 12.0;
const SCALE_WIDTH: f32 = 10.0;
const SCALE_LABELS: f32 = 34.0;
/// Least distance of two numbers along an axis or the scale, points.
const APART: f32 = 2.0;
/// Radius of the point, points.
const POINT: f32 = 5.0;
/// Significant digits of values that are set by dragging.
const DIGITS: usize = 3;
/// Name for assistive technology, and for tests.
const NAME: &str = "stability map";

/// The side of the square at the foot of a panel whose rest is of this height, points; none where it would leave too
/// little room for what stands above.
pub(super) fn side_at_foot(height: f32) -> Option<f32> {
    let rest = height - BELOW;
    let side = (rest - ABOVE).clamp(SIDE[0], SIDE[1]);
    (rest - side >= COLUMN).then_some(side)
}

/// The map at the end of a column that scrolls.
pub(super) fn in_column(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    show(ui, SIDE[1], model, intents);
}

/// The plane of the map, or why there is none.
pub(super) fn plane(model: &Model) -> Result<Plane, &'static str> {
    let plane = Plane::of(model.edited().method(), model.edited().time_step());
    plane.and_then(|plane| model.map().refusal().map_or(Ok(plane), Err))
}

/// The map as a square of `side` points.
pub(super) fn show(ui: &mut Ui, side: f32, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let size = vec2(LEFT + side + SCALE_GAP + SCALE_WIDTH + SCALE_LABELS, side + BELOW);
    let (whole, _) = ui.allocate_exact_size(size, Sense::hover());
    let square = Rect::from_min_size(whole.min + vec2(LEFT, 0.0), vec2(side, side));
    match plane(model) {
        // Words need the width of the scale as well.
        Err(reason) => placeholder(ui, square.with_max_x(whole.right()), palette, reason),
        Ok(plane) => draw(ui, square, &plane, model, intents),
    }
}

/// The square of a scheme that has no map.
fn placeholder(ui: &Ui, square: Rect, palette: &Palette, reason: &str) {
    let frame = square.expand2(vec2(0.5, 0.5));
    ui.painter().rect_filled(frame, 4.0, palette.background);
    let font = FontId::proportional(12.5);
    let room = square.width() - 24.0;
    let text = ui.painter().layout(reason.to_owned(), font, palette.weak, room);
    let at = square.center() - 0.5 * text.size();
    ui.painter().galley(at, text, palette.weak);
    let label = ui.interact(square, ui.id().with(NAME), Sense::hover());
    label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, reason));
}

fn draw(ui: &mut Ui, square: Rect, plane: &Plane, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let (method, h) = (model.edited().method(), model.edited().time_step());
    let response = ui.interact(square, ui.id().with(NAME), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, NAME));
    tour::mark_in(ui, model, ["map", ""], square);
    let painter = ui.painter().with_clip_rect(square);
    painter.rect_filled(square, 0.0, palette.background);
    let field = model.map().field().filter(|field| same_quantities(&field.plane, plane));
    if let Some(field) = field {
        let texture = texture(ui, field);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), square, whole, Color32::WHITE);
        boundary(&painter, square, plane, field);
    }
    let present = plane.point(method, h);
    point(&painter, square, plane, present, palette.scheme(model.edited().scheme_index()));
    axes(ui.painter(), square, plane, palette);
    scale(ui.painter(), square, palette);
    steer(ui, &response, square, plane, model, intents);
    if let (Some(at), Some(field)) = (response.hover_pos(), field) {
        let shares = shares(square, at);
        let text = read_out(plane, field, shares);
        response.on_hover_cursor(CursorIcon::Crosshair).on_hover_ui_at_pointer(|ui| {
            ui.label(text);
        });
    }
}

fn same_quantities(a: &Plane, b: &Plane) -> bool {
    a.axes.map(|axis| axis.quantity) == b.axes.map(|axis| axis.quantity)
}

/// Sets both quantities where the pointer presses.
fn steer(ui: &Ui, response: &Response, square: Rect, plane: &Plane, model: &Model, intents: &mut Intents) {
    let pressed = response.is_pointer_button_down_on() && ui.input(|i| i.pointer.primary_down());
    let Some(at) = response.interact_pointer_pos().filter(|_| pressed) else { return };
    let shares = shares(square, at);
    let values = [0, 1].map(|i| to_digits(plane.axes[i].at(shares[i].clamp(0.0, 1.0)), DIGITS));
    let (method, h) = (model.edited().method(), model.edited().time_step());
    let (there, step) = plane.set(method, h, values);
    if there.stabilizer != method.stabilizer {
        intents.push(Intent::Set(Setting::Stabilizer(there.stabilizer)));
    }
    if step != h {
        intents.push(Intent::Set(Setting::TimeStep(step)));
    }
}

/// Shares of both axes at a point of the screen, beyond 0 and 1 outside the square.
fn shares(square: Rect, at: Pos2) -> [f64; 2] {
    let x = (at.x - square.left()) / square.width();
    let y = (square.bottom() - at.y) / square.height();
    [f64::from(x), f64::from(y)]
}

fn place(square: Rect, [x, y]: [f64; 2]) -> Pos2 {
    pos2(square.left() + x as f32 * square.width(), square.bottom() - y as f32 * square.height())
}

/// The field as a texture, made anew when the field is another one.
fn texture(ui: &Ui, field: &Field) -> TextureHandle {
    let id = egui::Id::new(NAME);
    let key = (field.number, field.side);
    let kept = ui.data(|data| data.get_temp::<((u64, usize), TextureHandle)>(id));
    if let Some((_, texture)) = kept.filter(|(old, _)| *old == key) {
        return texture;
    }
    // The field's rows begin at the bottom, an image's at the top.
    let pixels = field.radii.chunks(field.side).rev().flatten().map(|radius| colour(*radius)).collect();
    let image = ColorImage { size: [field.side; 2], pixels };
    let texture = ui.ctx().load_texture(NAME, image, TextureOptions::LINEAR);
    ui.data_mut(|data| data.insert_temp(id, (key, texture.clone())));
    texture
}

/// The exact line ρ = 1, light on dark.
fn boundary(painter: &Painter, square: Rect, plane: &Plane, field: &Field) {
    let Some(exact) = &field.boundary else { return };
    let at = |point: &[f64; 2]| place(square, [0, 1].map(|i| plane.axes[i].share(point[i])));
    let line: Vec<Pos2> = exact.points.iter().map(at).collect();
    for (width, color) in [(3.5, Color32::from_black_alpha(160)), (1.5, Color32::WHITE)] {
        painter.add(Shape::line(line.clone(), Stroke::new(width, color)));
    }
}

/// Where the run stands; at the nearest edge, and hollow, if that lies outside.
fn point(painter: &Painter, square: Rect, plane: &Plane, values: [f64; 2], color: Color32) {
    let shares = [0, 1].map(|i| plane.axes[i].share(values[i]));
    let inside = shares.map(|share| share.clamp(0.0, 1.0));
    let margin = f64::from(POINT / square.width());
    let at = place(square, inside.map(|share| share.clamp(margin, 1.0 - margin)));
    painter.circle_filled(at, POINT + 2.0, Color32::from_black_alpha(150));
    if inside == shares {
        painter.circle_filled(at, POINT, color);
    }
    painter.circle_stroke(at, POINT, Stroke::new(1.5, Color32::WHITE));
}

/// Powers of ten along both axes, and what they measure.
fn axes(painter: &Painter, square: Rect, plane: &Plane, palette: &Palette) {
    let font = FontId::proportional(11.0);
    let [x, y] = &plane.axes;
    let mut last = Rect::NOTHING;
    for (value, share) in x.decades().map(|value| (value, x.share(value))) {
        let at = place(square, [share, 0.0]);
        painter.vline(at.x, at.y..=at.y + 3.0, Stroke::new(1.0, palette.weak));
        let label = (at + vec2(0.0, 4.0), Align2::CENTER_TOP, tick(value));
        number(painter, &mut last, label, font.clone(), palette);
    }
    last = Rect::NOTHING;
    for (value, share) in y.decades().map(|value| (value, y.share(value))) {
        let at = place(square, [0.0, share]);
        painter.hline(at.x - 3.0..=at.x, at.y, Stroke::new(1.0, palette.weak));
        let label = (at - vec2(5.0, 0.0), Align2::RIGHT_CENTER, tick(value));
        number(painter, &mut last, label, font.clone(), palette);
    }
    let font = FontId::proportional(12.0);
    let below = square.center_bottom() + vec2(0.0, 17.0);
    painter.text(below, Align2::CENTER_TOP, named(x), font.clone(), palette.text);
    let galley = painter.layout_no_wrap(named(y), font, palette.text);
    // Turned by a quarter, from the bottom upwards.
    let at = pos2(square.left() - LEFT, square.center().y + 0.5 * galley.size().x);
    let turned =
        egui::epaint::TextShape::new(at, galley, palette.text).with_angle(-std::f32::consts::FRAC_PI_2);
    painter.add(turned);
}

/// A number along an axis, unless it would touch the last one that was written.
fn number(
    painter: &Painter,
    last: &mut Rect,
    (at, anchor, text): (Pos2, Align2, String),
    font: FontId,
    palette: &Palette,
) {
    let galley = painter.layout_no_wrap(text, font, palette.weak);
    let place = anchor.anchor_size(at, galley.size());
    if !place.expand(APART).intersects(*last) {
        painter.galley(place.min, galley, palette.weak);
        *last = place;
    }
}

fn tick(value: f64) -> String {
    let exponent = value.log10().round() as i32;
    if (-1..=2).contains(&exponent) { significant(value, 1) } else { format::power(exponent) }
}

fn named(axis: &PlaneAxis) -> String {
    let (symbol, unit) = (axis.symbol(), axis.unit());
    if unit.is_empty() { symbol.to_owned() } else { format!("{symbol} in {unit}") }
}

/// The scale of the colours, growth above and decay below.
fn scale(painter: &Painter, square: Rect, palette: &Palette) {
    let left = square.right() + SCALE_GAP;
    let bar = Rect::from_min_size(pos2(left, square.top()), vec2(SCALE_WIDTH, square.height()));
    let height = |level: f64| bar.center().y - 0.5 * level as f32 * bar.height();
    let lines = bar.height() as usize;
    let mut colours = Mesh::default();
    for line in 0..lines {
        let level = 1.0 - (2.0 * line as f64 + 1.0) / lines as f64;
        let top = bar.top() + line as f32;
        let row = Rect::from_min_size(pos2(left, top), vec2(SCALE_WIDTH, 1.0));
        colours.add_colored_rect(row, shade(level, level > 0.0));
    }
    painter.add(Shape::mesh(colours));
    let font = FontId::proportional(11.0);
    let mut last = Rect::NOTHING;
    for radius in TICKS {
        let Some(level) = level(radius) else { continue };
        let label = (pos2(bar.right() + 4.0, height(level)), Align2::LEFT_CENTER, significant(radius, 3));
        number(painter, &mut last, label, font.clone(), palette);
    }
    painter.hline(bar.x_range(), height(0.0), Stroke::new(1.5, Color32::WHITE));
    let below = pos2(bar.center().x, bar.bottom() + 4.0);
    painter.text(below, Align2::CENTER_TOP, "ρ", FontId::proportional(12.0), palette.text);
}

/// ρ and the values under the pointer.
fn read_out(plane: &Plane, field: &Field, shares: [f64; 2]) -> String {
    let radius = field.at(shares);
    let values = [0, 1].map(|i| {
        let axis = &plane.axes[i];
        let value = axis.at(shares[i].clamp(0.0, 1.0));
        match axis.quantity {
            AxisQuantity::TimeStep => format!("h = {}", format::duration(value)),
            AxisQuantity::Parameter(own) => {
                let number = format!("{} = {}", own.symbol, significant(value, 3));
                format!("{number} {}", own.unit).trim_end().to_owned()
            }
        }
    });
    let fate = match radius {
        r if r.is_nan() => "not found".to_owned(),
        r if r > 1.0 => format!("{}: grows", significant(r, 4)),
        r => format!("{}: decays", significant(r, 4)),
    };
    let exact = field.boundary.as_ref().map(|exact| format!("\nwhite: {}, without load", exact.name));
    format!("ρ = {fate}\n{}, {}{}", values[0], values[1], exact.unwrap_or_default())
}
