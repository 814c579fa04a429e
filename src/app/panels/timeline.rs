//! The bar between canvas and plot: play, step, record, the line of time, speed.
//!
//! The line spans the recorded history of the main run. Marks stand where a person changed something, thin lines above it where
//! other runs were forked, triangles where something was changed that can be undone (grey: redone), a grey line below
//! it where a future was left: a click enters it again. Dragging along the line shows the past of all runs.

use super::field::number;
use super::parameters::{Numbers, Scale, control};
use super::{runs, tour};
use crate::app::keys::tooltip;
use crate::app::theme::Coloured;
use crate::workbench::command::Command;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::history::Mark;
use crate::workbench::runs::live_run::{Branch, LiveRun};
use crate::workbench::runs::player::SPEED_RANGE;
use crate::workbench::text::format;
use egui_macroquad::egui::{
    self, Align, Color32, Layout, Rect, Response, RichText, Sense, Stroke, Ui, pos2, vec2,
};

/// Height of the bar, points.
const HEIGHT: f32 = 34.0;
/// Width of the speed's slider with the written speed, and of the latter, points.
const SPEED_WIDTH: f32 = 144.0;
const SPEED_NUMBER: f32 = 66.0;
/// Size of a button, points.
const BUTTON: [f32; 2] = [30.0, 24.0];
/// Least width of the line of time, points.
const LINE_WIDTH: f32 = 76.0;
/// Width of the written time, points.
const TIME_WIDTH: f32 = 104.0;
/// Width of the button that replays, points.
const REPLAY_WIDTH: f32 = 64.0;
/// Thickness of the line, radius of the handle, points.
const LINE: f32 = 4.0;
const HANDLE: f32 = 6.5;
/// Height of a mark above and below the line, points.
const MARK: f32 = 7.0;
/// Distance of the line of a future that was left from the line of time, points.
const BRANCH: f32 = 8.0;
/// Distance of the lines of other runs, points.
const ROW: f32 = 2.5;
/// Distance within which a mark is named, points.
const NEAR: f32 = 5.0;
/// Size of the sign of a change that can be undone or redone, points.
const CHANGE: f32 = 4.0;
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
                    // Where the bar is narrow the speed is a number alone, and the time is read on the canvas.
                    let room = ui.available_width() - LINE_WIDTH;
                    let slides = room > TIME_WIDTH + SPEED_WIDTH;
                    if slides || room > TIME_WIDTH + SPEED_NUMBER {
                        time(ui, model);
                    }
                    speed(ui, slides, model, intents);
                    line(ui, model, intents);
                });
            });
        },
    );
}

fn transport(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let playing = model.runs.player.playing;
    let play = if playing { "⏸" } else { "▶" };
    for (sign, name, command, hint) in [
        (play, if playing { "Pause" } else { "Play" }, Command::TogglePlay, "Play or pause  (Space)"),
        ("−1", "Step back", Command::StepBack, "One step back  (←; ten: Shift+←)"),
        ("+1", "Step", Command::StepForward, "One step  (→; ten: Shift+→)"),
        ("⟲", "Restart", Command::Restart, "From the scene's start, all runs  (R)"),
    ] {
        let button = ui.add_sized(BUTTON, egui::Button::new(RichText::new(sign).size(14.0)));
        // The sign is for the eyes; a screen reader and the tests want the word.
        button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
        let key = match command {
            Command::TogglePlay => "play",
            Command::Restart => "restart",
            _ => name,
        };
        tour::mark(ui.ctx(), model, [key, ""], button.rect);
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
    let said = "Restarts the scene and records what the mouse does to bodies, step by step; the recording is saved with the \
                scene";
    let button = ui.add_sized(BUTTON, egui::Button::new(RichText::new(sign).size(14.0).color(color)));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    if button.on_hover_text(tooltip(said, Command::Record)).clicked() {
        intents.push(Intent::Command(Command::Record));
    }
    let can_replay = !recording && model.run().scene.interaction.is_some();
    // The line of time comes first where a canvas is narrow and there is nothing to replay.
    if !can_replay && ui.available_width() < REPLAY_WIDTH + LINE_WIDTH + TIME_WIDTH + SPEED_NUMBER {
        return;
    }
    let replay = egui::SelectableLabel::new(replaying, "Replay");
    let said = "Plays the recorded pointer from the scene's start, under whatever scheme is set; the mouse then moves only the \
                view";
    let hint = tooltip(said, Command::Replay);
    let none = "Nothing is recorded in this scene yet.";
    if ui.add_enabled(can_replay, replay).on_hover_text(hint).on_disabled_hover_text(none).clicked() {
        intents.push(Intent::Command(Command::Replay));
    }
}

fn time(ui: &mut Ui, model: &Model) {
    let (rect, response) = ui.allocate_exact_size(vec2(TIME_WIDTH, HEIGHT - 8.0), Sense::hover());
    let text = format!("t = {:.3} s", model.run().world().time());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
    let font = egui::FontId::proportional(13.0);
    ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, text, font, model.view.palette().text);
}

/// The speed: a slider with its number, or the number alone.
fn speed(ui: &mut Ui, slides: bool, model: &Model, intents: &mut Intents) {
    let width = if slides { SPEED_WIDTH } else { SPEED_NUMBER };
    let place = ui.allocate_exact_size(vec2(width, HEIGHT - 8.0), Sense::hover()).0;
    let mut ui =
        ui.new_child(egui::UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)));
    let speed = Numbers {
        range: SPEED_RANGE,
        scale: Scale::Logarithmic,
        width: SPEED_NUMBER,
        write: Box::new(|x| format!("× {}", format::significant(x, 2))),
        read: Box::new(|text| text.trim_start_matches(['×', ' ']).parse().ok()),
    };
    let hint = "Speed: simulated seconds per real second. Double-click: × 1.";
    let mut asked = model.runs.player.speed;
    let number = if slides {
        control(&mut ui, speed, &mut asked, hint)
    } else {
        number(&mut ui, speed, &mut asked, hint)
    };
    let twice = ui.input(|input| input.pointer.button_double_clicked(egui::PointerButton::Primary));
    if twice && number.contains_pointer() {
        asked = 1.0;
        // The first of the clicks has opened the number's field: it is closed without its text.
        ui.memory_mut(|memory| memory.surrender_focus(number.id));
        ui.data_mut(|data| data.remove::<String>(number.id));
    }
    if asked != model.runs.player.speed {
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
        if time != model.run().world().time() {
            intents.push(Intent::Seek(time));
        }
    }
    axis.paint(ui, model);
    left(ui, &axis, model, intents);
    if let Some(at) = response.hover_pos() {
        hint(&axis, model, response, at.x);
    }
}

/// The marks of all runs, the main one's last.
fn marks(model: &Model) -> impl Iterator<Item = (&LiveRun, &Mark)> {
    let forks = model.comparison().forks().iter().map(|fork| fork.run());
    forks.chain([model.run()]).flat_map(|run| run.history().marks().map(move |mark| (run, mark)))
}

/// The futures that were left: when, and their ends, s; those left at the same moment by several runs once.
fn branches(model: &Model) -> impl Iterator<Item = [f64; 2]> {
    let forks = model.comparison().forks().iter().map(|fork| fork.run());
    let spans = [model.run()].into_iter().chain(forks).filter_map(|run| run.branch()).map(Branch::span);
    let mut distinct: Vec<[f64; 2]> = Vec::new();
    for [begun, last] in spans {
        let near = |other: &&mut [f64; 2]| (other[0] - begun).abs() < model.run().time_step();
        match distinct.iter_mut().find(near) {
            Some(same) => same[1] = same[1].max(last),
            None => distinct.push([begun, last]),
        }
    }
    distinct.into_iter()
}

/// A grey line below the line of time for each future that was left; a click goes back to it.
fn left(ui: &Ui, axis: &Axis, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    for (i, [begun, last]) in branches(model).enumerate() {
        let y = axis.rect.center().y + BRANCH + ROW * i as f32;
        let [from, to] = [axis.x(begun), axis.x(last)];
        let place = Rect::from_x_y_ranges(from..=to.max(from + NEAR), y - NEAR..=axis.rect.bottom());
        // Pressing it does not move the handle.
        let response = ui.interact(place, ui.id().with(("branch", i)), Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "the future that was left")
        });
        let faint = if response.hovered() { 1.0 } else { 0.7 };
        let (width, color) =
            (if response.hovered() { 3.0 } else { 2.0 }, palette.weak.gamma_multiply(faint));
        // It leaves the line of time where it was left.
        ui.painter().vline(from, axis.rect.center().y..=y, Stroke::new(width, color));
        ui.painter().line_segment([pos2(from, y), pos2(to, y)], Stroke::new(width, color));
        if response.clicked() {
            let time = response.interact_pointer_pos().map_or(last, |at| axis.unbounded(at.x));
            intents.push(Intent::Enter { begun, time });
        }
        let hint = format!("The future that was left at t = {begun:.3} s. Click: back to it.");
        response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text_at_pointer(hint);
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
        let left = branches(model).map(|[_, last]| last).fold(recorded, f64::max);
        Self { rect, from, to: left.max(from + run.time_step()), recorded }
    }

    fn x(&self, time: f64) -> f32 {
        let share = ((time - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.rect.left() + share as f32 * self.rect.width()
    }

    fn time(&self, x: f32) -> f64 {
        self.unbounded(x).min(self.recorded)
    }

    /// The time at that place, also beyond what is recorded of the main run, s.
    fn unbounded(&self, x: f32) -> f64 {
        let share = f64::from(((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0));
        self.from + share * (self.to - self.from)
    }

    fn paint(&self, ui: &Ui, model: &Model) {
        let (painter, palette, run) = (ui.painter(), model.view.palette(), model.run());
        let y = self.rect.center().y;
        let segment = |from: f64, to: f64, y: f32, width: f32, color: Color32| {
            let ends = [pos2(self.x(from), y), pos2(self.x(to), y)];
            painter.line_segment(ends, Stroke::new(width, color));
        };
        let now = run.world().time();
        segment(self.from, self.to, y, LINE, palette.grid_major);
        segment(self.from, self.recorded, y, LINE, palette.axis);
        for (part, scheme) in run.history().schemes([self.from, now]) {
            segment(part[0], part[1], y, LINE, palette.scheme(scheme));
        }
        for (i, fork) in model.comparison().forks().iter().enumerate() {
            let color = palette.scheme(fork.run().scheme_index());
            let end = fork.run().played().map_or(self.recorded, |played| played.end().min(self.recorded));
            segment(fork.run().origin().time, end, y - LINE - ROW * i as f32, 1.5, color);
        }
        for (run, mark) in marks(model).filter(|(_, mark)| mark.time >= self.from) {
            let x = self.x(mark.time);
            let own = !std::ptr::eq(run, model.run());
            let color =
                if own { palette.scheme(run.scheme_index()) } else { palette.text.gamma_multiply(0.6) };
            painter.line_segment([pos2(x, y - MARK), pos2(x, y + MARK)], Stroke::new(1.0, color));
        }
        for (changes, color) in
            [(model.runs.undo.done(), palette.accent), (model.runs.undo.undone(), palette.weak)]
        {
            for change in changes {
                let tip = pos2(self.x(change.time()), y - LINE);
                let corners = vec![tip, tip + vec2(-CHANGE, -CHANGE), tip + vec2(CHANGE, -CHANGE)];
                painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
            }
        }
        let at = pos2(self.x(now), y);
        painter.circle_filled(at, HANDLE, palette.accent);
        painter.circle_stroke(at, HANDLE, Stroke::new(1.0, palette.background));
    }
}

/// What lies under the cursor: the time, a change that was made there, the memory of the history.
fn hint(axis: &Axis, model: &Model, response: Response, x: f32) {
    let mut text = format!("t = {:.3} s", axis.time(x));
    for (run, mark) in marks(model).filter(|(_, mark)| (axis.x(mark.time) - x).abs() <= NEAR) {
        let fork = model.comparison().forks().iter().position(|fork| std::ptr::eq(fork.run(), run));
        let whose = fork.map_or_else(String::new, |fork| format!("{}: ", runs::name(Some(fork))));
        text += &format!("\n{whose}{}", mark.label);
    }
    for change in model.runs.undo.done().iter().filter(|change| (axis.x(change.time()) - x).abs() <= NEAR) {
        text += &format!("\n{}  (Ctrl+Z undoes the last change)", change.label);
    }
    let taken = model.comparison().memory() as f64 / MEGABYTE;
    let most = model.comparison().room() as f64 / MEGABYTE;
    text += &format!(
        "\n\nDrag: the past of all runs. To act there begins another future.\nHistory: {} of {most:.0} MB.",
        format::significant(taken, 2)
    );
    response.on_hover_text_at_pointer(text);
}
