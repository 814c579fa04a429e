//! Play, step, back, restart, speed; the pointer's recorder.

use super::super::commands::Command;
use super::super::format;
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::player::SPEED_RANGE;
use super::parameters::{Numbers, Scale, control};
use egui_macroquad::egui::{self, RichText, Ui};

/// Width of the written speed, points.
const SPEED_WIDTH: f32 = 58.0;
/// Size of a transport button, points.
const BUTTON: [f32; 2] = [38.0, 26.0];

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    ui.horizontal(|ui| {
        let playing = model.player.playing;
        let play = if playing { "⏸" } else { "▶" };
        for (sign, name, command, hint) in [
            (play, if playing { "Pause" } else { "Play" }, Command::TogglePlay, "Play or pause  (Space)"),
            ("⏮", "Step back", Command::StepBack, "One step back  (←)"),
            ("⏭", "Step", Command::StepForward, "One step  (→ or O)"),
            ("⟲", "Restart", Command::Restart, "From the scene's start  (R)"),
        ] {
            let button = ui.add_sized(BUTTON, egui::Button::new(RichText::new(sign).size(15.0)));
            // The sign is for the eyes; a screen reader and the tests want the word.
            button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
            if button.on_hover_text(hint).clicked() {
                intents.push(Intent::Command(command));
            }
        }
        ui.add_space(4.0);
        let speed = Numbers {
            range: SPEED_RANGE,
            scale: Scale::Logarithmic,
            width: SPEED_WIDTH,
            write: Box::new(|x| format!("× {}", format::significant(x, 2))),
            read: Box::new(|text| text.trim_start_matches(['×', ' ']).parse().ok()),
        };
        let hint = "Speed: simulated seconds per real second";
        let mut asked = model.player.speed;
        control(ui, speed, &mut asked, hint);
        if asked != model.player.speed {
            intents.push(Intent::Speed(asked));
        }
    });
    recorder(ui, model, intents);
    ui.add_space(2.0);
}

/// The pointer's recorder.
fn recorder(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let recorder = model.run().recorder();
    let (recording, replaying) = (recorder.take().is_some(), recorder.replays());
    ui.horizontal(|ui| {
        let (text, color) = if recording {
            ("⏹ Stop recording", palette.error)
        } else {
            ("⏺ Record pointer", ui.visuals().text_color())
        };
        let hint = "Restarts the scene and records what the mouse does to bodies, step by step; the recording is \
                    saved with the scene  (Ctrl+R)";
        if ui.button(RichText::new(text).color(color)).on_hover_text(hint).clicked() {
            intents.push(Intent::Command(Command::Record));
        }
        let can_replay = !recording && model.run().scene.interaction.is_some();
        let replay = egui::SelectableLabel::new(replaying, "Replay");
        let hint = "Plays the recorded pointer from the scene's start, under whatever scheme is set; the mouse then \
                    moves only the view  (Ctrl+P)";
        let none = "Nothing is recorded in this scene yet.";
        let replay = ui.add_enabled(can_replay, replay).on_hover_text(hint).on_disabled_hover_text(none);
        if replay.clicked() {
            intents.push(Intent::Command(Command::Replay));
        }
    });
}
