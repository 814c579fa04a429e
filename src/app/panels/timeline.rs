//! The bar between canvas and plot: play, step, record, the line of time, speed.
//!
//! The line spans the recorded history of the main run. Marks stand where a person changed something, thin lines above it where
//! other runs were forked, a grey line below it where a future was left. Dragging along it shows the past of all runs.

use super::super::commands::Command;
use super::super::format;
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::player::SPEED_RANGE;
use super::parameters::{Numbers, Scale, control};
use egui_macroquad::egui::{
    self, Align, Color32, Layout, Rect, Response, RichText, Sense, Stroke, Ui, pos2, vec2,
};

/// Height of the bar, points.
const HEIGHT: f32 = 34.0;
/// Width of the speed's slider with the written speed, and of the latter, points.
const SPEED_WIDTH: f32 = 132.0;
const SPEED_NUMBER: f32 = 54.0;
/// Size of a button, points.
const BUTTON: [f32; 2] = [30.0, 24.0];
/// Least width of the line of time, points.
const LINE_WIDTH: f32 = 120.0;
/// Width of the written time, points.
const TIME_WIDTH: f32 = 84.0;
/// Thickness of the line, radius of the handle, points.
const LINE: f32 = 4.0;
const HANDLE: f32 = 6.5;
/// Height of a mark above and below the line, points.
const MARK: f32 = 7.0;
/// Distance of the lines of other runs, points.
const ROW: f32 = 2.5;
/// Distance within which a mark is named, points.
const NEAR: f32 = 5.0;
/// Bytes of a megabyte.
const MEGABYTE: f64 = 1048576.0;

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let frame = egui::Frame::side_top_panel(&ctx.style()).inner_margin(egui::Margin::symmetric(8, 3));
    egui::TopBottomPanel::bottom("timeline").resizable(false).exact_height(HEIGHT).frame(frame).show(
        ctx,
        |ui| {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                transport(ui, model, intents);
                recorder(ui, model, intents);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    time(ui, model);
                    if ui.available_width() > LINE_WIDTH + SPEED_WIDTH {
                        speed(ui, model, intents);
                    }
                    line(ui, model, intents);
                });
            });
        },
    );
}

fn transport(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let playing = model.player.playing;
    let play = if playing { "⏸" } else { "▶" };
    for (sign, name, command, hint) in [
        (play, if playing { "Pause" } else { "Play" }, Command::TogglePlay, "Play or pause  (Space)"),
        ("⏮", "Step back", Command::StepBack, "One step back  (←; ten: Shift+←)"),
        ("⏭", "Step", Command::StepForward, "One step  (→; ten: Shift+→)"),
        ("⟲", "Restart", Command::Restart, "From the scene's start, all runs  (R)"),
    ] {
        let button = ui.add_sized(BUTTON, egui::Button::new(RichText::new(sign).size(14.0)));
        // The sign is for the eyes; a screen reader and the tests want the word.
        button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
        if button.on_hover_text(hint).clicked() {
            intents.push(Intent::Command(command));
        }
    }
}

/// The pointer's recorder.
fn recorder(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let recorder = model.run().recorder();
    let (recording, replaying) = (recorder.take().is_some(), recorder.replays());
    let (sign, name, color) = if recording {
        ("⏹", "Stop recording", palette.error)
    } else {
        ("⏺", "Record pointer", ui.visuals().text_color())
    };
    let hint = "Restarts the scene and records what the mouse does to bodies, step by step; the recording is saved with the \
                scene  (Ctrl+R)";
    let button = ui.add_sized(BUTTON, egui::Button::new(RichText::new(sign).size(14.0).color(color)));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    if button.on_hover_text(hint).clicked() {
        intents.push(Intent::Command(Command::Record));
    }
    let can_replay = !recording && model.run().scene.interaction.is_some();
    let replay = egui::SelectableLabel::new(replaying, "Replay");
    let hint = "Plays the recorded pointer from the scene's start, under whatever scheme is set; the mouse then moves only the \
                view  (Ctrl+P)";
    let none = "Nothing is recorded in this scene yet.";
    if ui.add_enabled(can_replay, replay).on_hover_text(hint).on_disabled_hover_text(none).clicked() {
        intents.push(Intent::Command(Command::Replay));
    }
}

fn time(ui: &mut Ui, model: &Model) {
    let (rect, response) = ui.allocate_exact_size(vec2(TIME_WIDTH, HEIGHT - 8.0), Sense::hover());
    let text = format!("t = {:.3} s", model.run().world().time);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
    let font = egui::FontId::proportional(13.0);
    ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, text, font, model.view.palette().text);
}

fn speed(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let place = ui.allocate_exact_size(vec2(SPEED_WIDTH, HEIGHT - 8.0), Sense::hover()).0;
    let mut ui =
        ui.new_child(egui::UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)));
    let speed = Numbers {
        range: SPEED_RANGE,
        scale: Scale::Logarithmic,
        width: SPEED_NUMBER,
        write: Box::new(|x| format!("× {}", format::significant(x, 2))),
        read: Box::new(|text| text.trim_start_matches(['×', ' ']).parse().ok()),
    };
    let hint = "Speed: simulated seconds per real second";
    let mut asked = model.player.speed;
    control(&mut ui, speed, &mut asked, hint);
    if asked != model.player.speed {
        intents.push(Intent::Speed(asked));
    }
}

/// The line of time.
fn line(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let size = vec2(ui.available_width().max(LINE_WIDTH), HEIGHT - 8.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, "history"));
    let rect = rect.shrink2(vec2(HANDLE + 4.0, 0.0));
    let axis = Axis::new(model, rect);
    if let Some(at) = response.interact_pointer_pos() {
        let time = axis.time(at.x);
        if time != model.run().world().time {
            intents.push(Intent::Seek(time));
        }
    }
    axis.paint(ui, model);
    if let Some(at) = response.hover_pos() {
        hint(&axis, model, response, at.x);
    }
}

/// The recorded time along the line.
struct Axis {
    rect: Rect,
    from: f64,
    to: f64,
    /// The end of what is recorded of the main run, s.
    recorded: f64,
}

impl Axis {
    fn new(model: &Model, rect: Rect) -> Self {
        let run = model.run();
        let [from, recorded] = run.recorded_span();
        let left = run.branch().and_then(|branch| branch.span()).map_or(recorded, |[_, last]| last);
        Self { rect, from, to: recorded.max(left).max(from + run.time_step()), recorded }
    }

    fn x(&self, time: f64) -> f32 {
        let share = ((time - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.rect.left() + share as f32 * self.rect.width()
    }

    fn time(&self, x: f32) -> f64 {
        let share = f64::from(((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0));
        (self.from + share * (self.to - self.from)).min(self.recorded)
    }

    fn paint(&self, ui: &Ui, model: &Model) {
        let (painter, palette, run) = (ui.painter(), model.view.palette(), model.run());
        let y = self.rect.center().y;
        let segment = |from: f64, to: f64, y: f32, width: f32, color: Color32| {
            let ends = [pos2(self.x(from), y), pos2(self.x(to), y)];
            painter.line_segment(ends, Stroke::new(width, color));
        };
        let now = run.world().time;
        segment(self.from, self.to, y, LINE, palette.grid_major);
        segment(self.from, self.recorded, y, LINE, palette.axis);
        for (part, scheme) in run.history().schemes([self.from, now]) {
            segment(part[0], part[1], y, LINE, palette.scheme(scheme).gamma_multiply(0.75));
        }
        if let Some([first, last]) = run.branch().and_then(|branch| branch.span()) {
            segment(first, last, y + LINE + 1.0, 1.5, palette.weak.gamma_multiply(0.7));
        }
        for (i, fork) in model.comparison().forks().iter().enumerate() {
            let color = palette.scheme(fork.run().scheme_index());
            segment(fork.run().origin().time, self.recorded, y - LINE - ROW * i as f32, 1.5, color);
        }
        for mark in run.history().marks().filter(|mark| mark.time >= self.from) {
            let x = self.x(mark.time);
            painter.line_segment(
                [pos2(x, y - MARK), pos2(x, y + MARK)],
                Stroke::new(1.0, palette.text.gamma_multiply(0.6)),
            );
        }
        let at = pos2(self.x(now), y);
        painter.circle_filled(at, HANDLE, palette.accent);
        painter.circle_stroke(at, HANDLE, Stroke::new(1.0, palette.background));
    }
}

/// What lies under the cursor: the time, a change that was made there, the memory of the history.
fn hint(axis: &Axis, model: &Model, response: Response, x: f32) {
    let run = model.run();
    let mut text = format!("t = {:.3} s", axis.time(x));
    let near = run.history().marks().filter(|mark| (axis.x(mark.time) - x).abs() <= NEAR);
    for mark in near {
        text += &format!("\n{}", mark.label);
    }
    let taken = model.comparison().memory() as f64 / MEGABYTE;
    let most = model.comparison().room() as f64 / MEGABYTE;
    text += &format!(
        "\n\nDrag: the past of all runs. To act there begins another future.\nHistory: {} of {most:.0} MB.",
        format::significant(taken, 2)
    );
    response.on_hover_text_at_pointer(text);
}
