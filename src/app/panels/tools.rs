//! The mouse's tools: how far the push reaches and how strong it is.

use super::super::format;
use super::super::model::Model;
use super::super::push::Push;
use super::super::tape::Tape;
use super::parameters::{Numbers, Scale, VALUE_WIDTH, control, row};
use super::{section, weak};
use egui_macroquad::egui::Ui;

const RADIUS: &str = "How far the push reaches from the cursor, m  (Ctrl + wheel). The force falls off linearly and is \
                      zero there: F = S (1 − s/R), as in Cline & Pai's rectangle demo.";
const STRENGTH: &str = "Force S of the push at the cursor, N  (wheel while pushing).";

pub(super) fn show(ui: &mut Ui, model: &mut Model) {
    section(ui, "Mouse", true, |ui| {
        let palette = model.view.palette();
        let text = match model.simulation.tape() {
            Tape::Replay => "A recorded pointer has the world; Ctrl+P takes over.",
            Tape::Live | Tape::Recording(_) => {
                "Drag a body to pull it; hold beside bodies, or with Shift, to push."
            }
        };
        ui.label(weak(text, palette.weak));
        // A recording has one reach.
        let recording = matches!(model.simulation.tape(), Tape::Recording(_));
        let push = &mut model.simulation.push;
        let (radii, strengths) = (push.radius_range(), push.strength_range());
        let Push { radius, strength, .. } = push;
        let mut moved = false;
        ui.add_enabled_ui(!recording, |ui| {
            let numbers = numbers(radii, format::length, format::metres);
            moved = row(ui, "push reach", RADIUS, |ui| control(ui, numbers, radius, RADIUS)).dragged();
        });
        let numbers = numbers(strengths, format::force, format::newtons);
        row(ui, "strength", STRENGTH, |ui| control(ui, numbers, strength, STRENGTH));
        model.sizing = moved;
    });
}

fn numbers(range: [f64; 2], write: fn(f64) -> String, read: fn(&str) -> Option<f64>) -> Numbers<'static> {
    Numbers {
        range,
        scale: Scale::Logarithmic,
        width: VALUE_WIDTH,
        write: Box::new(write),
        read: Box::new(read),
    }
}
