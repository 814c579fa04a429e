//! Tours: their list in the panel, and the present step in the bar above the canvas, where it lies over nothing. The control that a
//! step asks to use glows, and an arrow leads to it.

use super::super::intent::{Intent, Intents};
use super::super::model::{Model, Progress};
use super::{section, weak};
use crate::app::model::tours::{Ask, Tour, TourStep};
use crate::app::text::prose::prose;
use egui_macroquad::egui::{
    self, Align, Color32, Context, CornerRadius, FontId, Id, LayerId, Layout, Order, Pos2, Rect, RichText,
    Stroke, StrokeKind, Ui, UiBuilder, Vec2, vec2,
};

/// Size of the text, points.
const TEXT: f32 = 13.0;
/// Width of the buttons beside the text, points.
const BUTTONS_WIDTH: f32 = 132.0;
/// Distance of text and buttons, points.
const GAP: f32 = 14.0;
/// Height of the two rows of buttons, points.
const BUTTONS_HEIGHT: f32 = 52.0;
/// Where a frame keeps the place of the control that glows, and that of the request.
const CONTROL: &str = "control of the tour";
const REQUEST: &str = "request of the tour";
/// Signs before a request, and before what was seen.
const ASKED: &str = "→ ";
const DONE: &str = "✔ ";
/// Width of the glow's rings, and how far they stand off, points; their opacity, from the control outwards.
const RING: f32 = 2.0;
const RINGS: [f32; 3] = [0.95, 0.45, 0.18];
/// Size of the arrow's head, and its distance from the control, points.
const HEAD: f32 = 9.0;
const CLEARANCE: f32 = 9.0;
/// Opacity of the arrow, which may cross bodies and curves.
const ARROW: f32 = 0.75;

pub(super) fn list(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Tours", |ui| {
        for (index, tour) in model.tours.iter().enumerate() {
            let here = model.progress.is_some_and(|progress| progress.tour == index);
            if ui.selectable_label(here, &tour.name).clicked() {
                intents.push(Intent::Tour { tour: index, step: 0 });
            }
        }
    });
}

/// The step of a tour that is being taken.
pub(super) struct Present<'a> {
    tour: &'a Tour,
    progress: Progress,
}

impl Present<'_> {
    /// The tour's name.
    pub(super) fn name(&self) -> &str {
        &self.tour.name
    }
}

/// The step that is being taken, if any.
pub(super) fn present(model: &Model) -> Option<Present<'_>> {
    let progress = model.progress?;
    let tour = model.tours.get(progress.tour)?;
    (progress.step < tour.steps.len()).then_some(Present { tour, progress })
}

/// Height of the step in a bar of `width` points: that of the tour's longest step, so that nothing jumps between steps.
pub(super) fn height(ctx: &Context, step: &Present<'_>, width: f32) -> f32 {
    let room = width - BUTTONS_WIDTH - GAP;
    let font = FontId::proportional(TEXT);
    let height =
        |text: String| ctx.fonts(|fonts| fonts.layout(text, font.clone(), Color32::WHITE, room).size().y);
    let whole = |step: &TourStep| {
        let below = step.ask.iter().map(|ask| {
            let gap = ctx.style().spacing.item_spacing.y;
            gap + height(request(ask)).max(height(seen(ask)))
        });
        height(prose(&step.text)) + below.sum::<f32>()
    };
    step.tour.steps.iter().map(whole).fold(BUTTONS_HEIGHT, f32::max)
}

/// What a step asks for, as it is written.
fn request(ask: &Ask) -> String {
    format!("{ASKED}{}", prose(&ask.text))
}

/// What has been seen when it is done, as it is written.
fn seen(ask: &Ask) -> String {
    format!("{DONE}{}", prose(&ask.seen))
}

/// Notes where a control is drawn, if the present step of a tour asks to use it. `kind` and `key` are those of [`Ask::control`]; a
/// control without a key has an empty one.
pub(super) fn mark(ctx: &Context, model: &Model, [kind, key]: [&str; 2], rect: Rect) {
    let control = model.asked().map(|ask| ask.control.as_str());
    let named = control.and_then(|control| control.strip_prefix(kind)).map(str::trim_start);
    if named == Some(key) {
        note(ctx, CONTROL, rect);
    }
}

/// Keeps a place for the rest of this frame.
fn note(ctx: &Context, name: &str, rect: Rect) {
    let frame = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(Id::new(name), (frame, rect)));
}

/// A place that was kept in this frame or the one before.
fn noted(ctx: &Context, name: &str) -> Option<Rect> {
    let kept = ctx.data(|data| data.get_temp::<(u64, Rect)>(Id::new(name)));
    kept.filter(|(frame, _)| frame + 1 >= ctx.cumulative_pass_nr()).map(|(_, rect)| rect)
}

/// Where the control is that the present step of a tour asks to use, if it is in sight.
pub fn control_in_sight(ctx: &Context) -> Option<Rect> {
    noted(ctx, CONTROL)
}

/// The glow around the control that the tour asks to use, and the arrow that leads to it from the request.
pub(super) fn point(ctx: &Context, model: &Model) {
    let (Some(control), Some(request)) = (noted(ctx, CONTROL), noted(ctx, REQUEST)) else { return };
    if model.asked().is_none() {
        return;
    }
    let color = model.view.palette().accent;
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::new(CONTROL)));
    for (place, opacity) in RINGS.into_iter().enumerate() {
        let rect = control.expand(RING * place as f32);
        let stroke = Stroke::new(RING, color.gamma_multiply(opacity));
        painter.rect_stroke(rect, CornerRadius::same(5), stroke, StrokeKind::Outside);
    }
    let [from, to] = arrow(request, control);
    let along = to - from;
    if along.length() < 2.0 * HEAD {
        return;
    }
    let stroke = Stroke::new(RING, color.gamma_multiply(ARROW));
    let back = along.normalized() * HEAD;
    painter.line_segment([from, to - back], stroke);
    let side = 0.5 * back.rot90();
    painter.add(egui::Shape::convex_polygon(
        vec![to, to - back + side, to - back - side],
        color.gamma_multiply(ARROW),
        Stroke::NONE,
    ));
}

/// Where the arrow begins, under the request, and where it ends: before the nearest point of the control's edge; inside of a control
/// that is as large as the stage.
fn arrow(request: Rect, control: Rect) -> [Pos2; 2] {
    let middle = control.center();
    let begin = Pos2::new(middle.x.clamp(request.left() + HEAD, request.right()), request.bottom() + 2.0);
    let end = Pos2::new(
        begin.x.clamp(control.left(), control.right()),
        begin.y.clamp(control.top(), control.bottom()),
    );
    let away = (begin - end).normalized();
    let clear = if away == Vec2::ZERO { Vec2::ZERO } else { CLEARANCE * away };
    [begin, end + clear]
}

pub(super) fn show(ui: &mut Ui, model: &Model, present: &Present<'_>, intents: &mut Intents) {
    let Present { tour: taken, progress } = *present;
    let Progress { tour, step, .. } = progress;
    let whole = ui.max_rect();
    let (text, mut buttons) = whole.split_left_right_at_x(whole.right() - BUTTONS_WIDTH);
    let mut text = ui.new_child(UiBuilder::new().max_rect(text.with_max_x(text.right() - GAP)));
    text.label(RichText::new(prose(&taken.steps[step].text)).size(TEXT));
    if let Some(ask) = &taken.steps[step].ask {
        let palette = model.view.palette();
        let (words, color) =
            if progress.done { (seen(ask), palette.stick) } else { (request(ask), palette.accent) };
        let line = text.label(RichText::new(words).size(TEXT).color(color));
        note(ui.ctx(), REQUEST, line.rect);
    }
    buttons.max.y = buttons.min.y + BUTTONS_HEIGHT;
    let place = UiBuilder::new().max_rect(buttons).layout(Layout::top_down(Align::Max));
    let mut ui = ui.new_child(place);
    let steps = taken.steps.len();
    let size = vec2(0.5 * (BUTTONS_WIDTH - ui.spacing().item_spacing.x), 22.0);
    ui.allocate_ui_with_layout(vec2(BUTTONS_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        let back = egui::Button::new("Back").min_size(size);
        if ui.add_enabled(step > 0, back).clicked() {
            intents.push(Intent::Tour { tour, step: step.saturating_sub(1) });
        }
        let last = step + 1 == steps;
        let next = egui::Button::new(if last { "Done" } else { "Next" }).min_size(size);
        // What is asked comes first; whoever does not want to do it goes on all the same.
        let waits = taken.steps[step].ask.is_some() && !progress.done;
        if ui.add(next.selected(!waits)).clicked() {
            // A step beyond the last one ends the tour.
            intents.push(Intent::Tour { tour, step: step + 1 });
        }
    });
    ui.allocate_ui_with_layout(vec2(BUTTONS_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        let count = weak(format!("{} of {steps}", step + 1), model.view.palette().weak);
        ui.add_sized(size, egui::Label::new(count)).on_hover_text(&taken.name);
        if ui.add(egui::Button::new("Leave").min_size(size)).clicked() {
            intents.push(Intent::LeaveTour);
        }
    });
}
