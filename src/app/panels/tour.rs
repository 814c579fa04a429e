//! Tours: their list in the panel, and the present step in the bar above the canvas, where it lies over nothing: its
//! text, what it asks to predict, and what it asks to do. The control that a step asks to use glows, and an arrow leads to it.

use super::{exercise, section, weak};
use crate::app::theme::Coloured;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::library::tours::{Ask, Prediction, Tour, TourStep};
use crate::workbench::model::{Model, Progress};
use crate::workbench::text::prose::prose;
use egui_macroquad::egui::{
    self, Align, Color32, Context, CornerRadius, FontId, Id, LayerId, Layout, Order, Pos2, Rect, RichText,
    Stroke, StrokeKind, Ui, UiBuilder, Vec2, style::ScrollAnimation, vec2,
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
/// Where the step is kept to whose control a column has scrolled.
const REVEALED: &str = "revealed by the tour";
/// Controls that stand in the panel.
const IN_PANEL: [&str; 5] = ["scheme", "beside", "parameters", "time step", "map"];
/// Signs before a request, and before what was seen and was predicted rightly and wrongly.
const ASKED: &str = "→ ";
const DONE: &str = "✔ ";
const WRONG: &str = "✘ ";
/// What the answers are for.
const GUESS: &str = "What do you expect? Choose, then do what is asked, and see";
/// Height of an answer, and room behind its words, since the signs differ in width, points.
const ANSWER_HEIGHT: f32 = 20.0;
const ANSWER_ROOM: f32 = 4.0;
/// Distance of answers, and of their rows, points.
const ANSWER_GAP: [f32; 2] = [6.0, 3.0];
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
        for (index, tour) in model.library.tours.iter().enumerate() {
            let here = model.library.progress.is_some_and(|progress| progress.tour == index);
            if ui.selectable_label(here, numbered(index, tour)).clicked() {
                intents.push(Intent::Tour { tour: index, step: 0 });
            }
        }
    });
}

/// The name of a tour behind its number.
pub(super) fn numbered(index: usize, tour: &Tour) -> String {
    format!("{}. {}", index + 1, tour.name)
}

/// The step of a tour that is being taken.
pub(super) struct Present<'a> {
    tour: &'a Tour,
    progress: Progress,
}

impl Present<'_> {
    /// The tour's number and name.
    pub(super) fn name(&self) -> String {
        numbered(self.progress.tour, self.tour)
    }
}

/// The step or exercise that is being taken, if any.
pub(super) fn present(model: &Model) -> Option<Present<'_>> {
    let progress = model.library.progress?;
    let tour = model.library.tours.get(progress.tour)?;
    (progress.step < tour.places()).then_some(Present { tour, progress })
}

/// Height of the step in a bar of `width` points: that of the tour's longest step, so that nothing jumps between steps.
pub(super) fn height(ctx: &Context, step: &Present<'_>, width: f32) -> f32 {
    let room = width - BUTTONS_WIDTH - GAP;
    if step.tour.exercise_at(step.progress.step).is_some() {
        return exercise::height(ctx, step.tour, room).max(BUTTONS_HEIGHT);
    }
    let font = FontId::proportional(TEXT);
    let height =
        |text: String| ctx.fonts(|fonts| fonts.layout(text, font.clone(), Color32::WHITE, room).size().y);
    let gap = ctx.style().spacing.item_spacing.y;
    let whole = |step: &TourStep| {
        let predicted = step.predict.iter().map(|own| gap + Answers::laid(ctx, own, room).height);
        let below = step.ask.iter().map(|ask| gap + height(request(ask)).max(height(seen(ask))));
        height(prose(&step.text)) + predicted.sum::<f32>() + below.sum::<f32>()
    };
    step.tour.steps.iter().map(whole).fold(BUTTONS_HEIGHT, f32::max)
}

/// A question and its answers, one behind the other in rows of some width.
struct Answers {
    question: Rect,
    answers: Vec<Rect>,
    height: f32,
}

impl Answers {
    /// Their places in a room that begins at the origin.
    fn laid(ctx: &Context, prediction: &Prediction, room: f32) -> Self {
        let size = |text: &str, room: f32| {
            let font = FontId::proportional(TEXT);
            ctx.fonts(|fonts| fonts.layout(text.to_owned(), font, Color32::WHITE, room).size())
        };
        let padding = ctx.style().spacing.button_padding.x;
        let question = size(&prose(&prediction.question), room);
        let question = Rect::from_min_size(Pos2::ZERO, vec2(question.x, question.y.max(ANSWER_HEIGHT)));
        let mut at = question.right_top() + vec2(ANSWER_GAP[0], question.height() - ANSWER_HEIGHT);
        let answers = prediction.answers.iter().map(|answer| {
            let words = size(&format!("{DONE}{}", prose(answer)), f32::INFINITY).x;
            let width = words + 2.0 * padding + ANSWER_ROOM;
            if at.x + width > room && at.x > 0.0 {
                at = Pos2::new(0.0, at.y + ANSWER_HEIGHT + ANSWER_GAP[1]);
            }
            let place = Rect::from_min_size(at, vec2(width.min(room), ANSWER_HEIGHT));
            at.x = place.right() + ANSWER_GAP[0];
            place
        });
        let answers: Vec<Rect> = answers.collect();
        let height = answers.last().map_or(question.height(), |last| last.bottom());
        Self { question, answers, height }
    }
}

/// What a person predicts: a question and its answers, of which one is chosen; once the right one has been seen, it is marked.
fn predict(ui: &mut Ui, model: &Model, prediction: &Prediction, progress: Progress, intents: &mut Intents) {
    let palette = model.view.palette();
    let Answers { question, answers, height } = Answers::laid(ui.ctx(), prediction, ui.available_width());
    let (whole, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), egui::Sense::hover());
    let corner = whole.min.to_vec2();
    // What is put into a room of its own moves nothing that follows.
    let mut ui = ui.new_child(UiBuilder::new().max_rect(whole));
    let place = UiBuilder::new().max_rect(question.translate(corner));
    ui.new_child(place.layout(Layout::left_to_right(Align::Center)))
        .add(egui::Label::new(RichText::new(prose(&prediction.question)).size(TEXT).strong()).wrap());
    for (index, (answer, place)) in prediction.answers.iter().zip(answers).enumerate() {
        let (guessed, right) = (progress.guess == Some(index), prediction.right == index);
        let (sign, color) = match (progress.done, right, guessed) {
            (true, true, _) => (DONE, palette.stick),
            (true, false, true) => (WRONG, palette.error),
            (true, false, false) => ("", palette.weak),
            (false, ..) => ("", palette.text),
        };
        let text = RichText::new(format!("{sign}{}", prose(answer))).size(TEXT).color(color);
        let button = egui::Button::new(text).selected(guessed && !progress.done).truncate();
        let sense = if progress.done { egui::Sense::hover() } else { egui::Sense::click() };
        let response = ui.put(place.translate(corner), button.sense(sense));
        let clicked = response.clicked();
        if !progress.done {
            response.on_hover_text(GUESS);
        }
        if clicked {
            intents.push(Intent::Predict(index));
        }
    }
}

/// What a step asks for, as it is written.
fn request(ask: &Ask) -> String {
    format!("{ASKED}{}", prose(&ask.text))
}

/// What has been seen when it is done, as it is written.
fn seen(ask: &Ask) -> String {
    format!("{DONE}{}", prose(&ask.seen))
}

/// Notes where a control is drawn, if the present step of a tour asks to use it. `kind` and `key` are those of
/// [`Ask::control`]; a control without a key has an empty one.
pub(super) fn mark(ctx: &Context, model: &Model, control: [&str; 2], rect: Rect) {
    mark_within(ctx, model, control, rect, Rect::EVERYTHING);
}

/// The same, of a control in a column that scrolls.
pub(super) fn mark_in(ui: &Ui, model: &Model, control: [&str; 2], rect: Rect) {
    mark_within(ui.ctx(), model, control, rect, ui.clip_rect());
}

fn mark_within(ctx: &Context, model: &Model, [kind, key]: [&str; 2], rect: Rect, clip: Rect) {
    let control = model.library.asked().map(|ask| ask.control.as_str());
    let named = control.and_then(|control| control.strip_prefix(kind)).map(str::trim_start);
    if named == Some(key) {
        let step = model.library.progress.map(|progress| [progress.tour, progress.step]);
        note(ctx, CONTROL, Noted { frame: ctx.cumulative_pass_nr(), rect, clip, step });
    }
}

/// Notes where the panel opens, if what the tour asks to use is in it.
pub(super) fn mark_way(ui: &Ui, model: &Model, rect: Rect) {
    let Some(ask) = model.library.asked() else { return };
    let kind = IN_PANEL.into_iter().find(|kind| ask.control.starts_with(kind));
    if let Some(kind) = kind {
        let key = ask.control.strip_prefix(kind).unwrap_or_default().trim_start();
        mark_in(ui, model, [kind, key], rect);
    }
}

/// A place on the screen.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Noted {
    frame: u64,
    rect: Rect,
    /// The part of the screen that shows what is there.
    clip: Rect,
    /// The step of the tour that it belongs to.
    step: Option<[usize; 2]>,
}

/// Keeps a place for the rest of this frame.
fn note(ctx: &Context, name: &str, noted: Noted) {
    ctx.data_mut(|data| data.insert_temp(Id::new(name), noted));
}

/// A place that was kept in this frame or the one before.
fn noted(ctx: &Context, name: &str) -> Option<Noted> {
    let kept = ctx.data(|data| data.get_temp::<Noted>(Id::new(name)));
    kept.filter(|kept| kept.frame + 1 >= ctx.cumulative_pass_nr())
}

/// The control that a tour points at, as it is known so far in this frame.
pub(super) fn pointed_at(ctx: &Context) -> Option<Noted> {
    noted(ctx, CONTROL)
}

/// Scrolls a column that shows `place` to the control that the tour points at, if it is one that the column has drawn
/// since `before`; once for a step, so that a person can scroll away from it.
pub(super) fn reveal(ui: &Ui, place: Rect, before: Option<Noted>) {
    let ctx = ui.ctx();
    let Some(control) = pointed_at(ctx).filter(|control| Some(*control) != before) else { return };
    let id = Id::new(REVEALED);
    if ctx.data(|data| data.get_temp::<[usize; 2]>(id)) == control.step {
        return;
    }
    let [shown, control_at] = [place, control.rect].map(|rect| rect.y_range());
    let fits = control_at.span() <= shown.span();
    let is_shown = shown.contains(control_at.min) && shown.contains(control_at.max);
    if !is_shown {
        ui.scroll_to_rect_animation(control.rect, Some(Align::Center), ScrollAnimation::none());
        ctx.request_repaint();
    }
    // Of columns in each other the outer one, which is asked last, shows it.
    let in_sight = is_shown && control.clip.expand(1.0).contains_rect(control.rect);
    if let Some(step) = control.step.filter(|_| in_sight || !fits) {
        ctx.data_mut(|data| data.insert_temp(id, step));
    }
}

/// Where the control is that the present step of a tour asks to use, if all of it is in sight.
pub fn control_in_sight(ctx: &Context) -> Option<Rect> {
    let control = noted(ctx, CONTROL)?;
    control.clip.expand(1.0).contains_rect(control.rect).then_some(control.rect)
}

/// The glow around the control that the tour asks to use, and the arrow that leads to it from the request.
pub(super) fn point(ctx: &Context, model: &Model) {
    let (Some(control), Some(request)) = (noted(ctx, CONTROL), noted(ctx, REQUEST)) else { return };
    let (control, request) = (control.rect.intersect(control.clip), request.rect);
    if model.library.asked().is_none() || !control.is_positive() {
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

/// Where the arrow begins, under the request, and where it ends: before the nearest point of the control's edge; inside
/// of a control that is as large as the stage.
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
    let whole = ui.max_rect();
    let (text, mut buttons) = whole.split_left_right_at_x(whole.right() - BUTTONS_WIDTH);
    let mut text = ui.new_child(UiBuilder::new().max_rect(text.with_max_x(text.right() - GAP)));
    match taken.steps.get(progress.step) {
        Some(step) => words(&mut text, model, step, progress, intents),
        None => exercise::show(&mut text, model, taken, progress, intents),
    }
    buttons.max.y = buttons.min.y + BUTTONS_HEIGHT;
    let place = UiBuilder::new().max_rect(buttons).layout(Layout::top_down(Align::Max));
    ways(&mut ui.new_child(place), model, present, intents);
}

/// What a step says, asks to predict, and asks for.
fn words(ui: &mut Ui, model: &Model, step: &TourStep, progress: Progress, intents: &mut Intents) {
    ui.label(RichText::new(prose(&step.text)).size(TEXT));
    if let Some(prediction) = &step.predict {
        predict(ui, model, prediction, progress, intents);
    }
    if let Some(ask) = &step.ask {
        let palette = model.view.palette();
        let (words, color) =
            if progress.done { (seen(ask), palette.stick) } else { (request(ask), palette.accent) };
        let line = ui.label(RichText::new(words).size(TEXT).color(color));
        let frame = ui.ctx().cumulative_pass_nr();
        note(ui.ctx(), REQUEST, Noted { frame, rect: line.rect, clip: Rect::EVERYTHING, step: None });
    }
}

/// The ways on, back and out.
fn ways(ui: &mut Ui, model: &Model, present: &Present<'_>, intents: &mut Intents) {
    let Present { tour: taken, progress } = *present;
    let Progress { tour, step, .. } = progress;
    let places = taken.places();
    let size = vec2(0.5 * (BUTTONS_WIDTH - ui.spacing().item_spacing.x), 22.0);
    ui.allocate_ui_with_layout(vec2(BUTTONS_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        let back = egui::Button::new("Back").min_size(size);
        if ui.add_enabled(step > 0, back).clicked() {
            intents.push(Intent::Tour { tour, step: step.saturating_sub(1) });
        }
        let last = step + 1 == places;
        let next = egui::Button::new(if last { "Done" } else { "Next" }).min_size(size);
        let follower = model.library.tours.get(tour + 1).filter(|_| last);
        let hint = follower.map(|follower| format!("On to tour {}", numbered(tour + 1, follower)));
        let exercises = (step + 1 == taken.steps.len() && !last).then(|| "On to the exercises".to_owned());
        // What is asked comes first; whoever does not want to do it goes on all the same.
        let waits = taken.steps.get(step).is_some_and(|step| step.ask.is_some()) && !progress.done;
        let mut next = ui.add(next.selected(!waits));
        if let Some(hint) = hint.or(exercises) {
            next = next.on_hover_text(hint);
        }
        if next.clicked() {
            // After the last step the next tour begins; a step beyond the last one of all ends them.
            let [tour, step] = if follower.is_some() { [tour + 1, 0] } else { [tour, step + 1] };
            intents.push(Intent::Tour { tour, step });
        }
    });
    ui.allocate_ui_with_layout(vec2(BUTTONS_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        let count = weak(format!("{} of {places}", step + 1), model.view.palette().weak);
        ui.add_sized(size, egui::Label::new(count)).on_hover_text(&taken.name);
        if ui.add(egui::Button::new("Leave").min_size(size)).clicked() {
            intents.push(Intent::LeaveTour);
        }
    });
}
