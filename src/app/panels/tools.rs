//! The mouse's tools: reach and strength of the push.

use super::parameters::{Numbers, Scale, VALUE_WIDTH, control, row};
use super::{section, weak};
use crate::app::keys::keys_of;
use crate::app::theme::Coloured;
use crate::platform::Host;
use crate::workbench::command::Command;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::stage::push::Push;
use crate::workbench::text::format;
use egui_macroquad::egui::Ui;

const RADIUS: &str = "How far the push reaches from the cursor, m  (Ctrl + wheel). The force falls off linearly and is \
                      zero there: F = S (1 − s/R), as in Cline & Pai's rectangle demo.";
const STRENGTH: &str = "Force S of the push at the cursor, N  (wheel while pushing).";

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Mouse", |ui| {
        let palette = model.view.palette();
        let text = if model.run().recorder().replays() {
            let keys = keys_of(Host::HERE, Command::Replay).unwrap_or("Replay");
            format!("A recorded pointer moves the bodies; {keys} takes over.")
        } else {
            "Drag a body to pull it; hold beside bodies, or with Shift, to push.".to_owned()
        };
        ui.label(weak(text, palette.weak));
        // A recording has one reach.
        let recording = model.run().recorder().take().is_some();
        let mut push = model.run().push;
        let (radii, strengths) = (push.radius_range(), push.strength_range());
        let Push { radius, strength, .. } = &mut push;
        let mut moved = false;
        ui.add_enabled_ui(!recording, |ui| {
            let numbers = numbers(radii, format::length, format::metres);
            moved = row(ui, "push reach", RADIUS, |ui| control(ui, numbers, radius, RADIUS)).dragged();
        });
        let numbers = numbers(strengths, format::force, format::newtons);
        row(ui, "strength", STRENGTH, |ui| control(ui, numbers, strength, STRENGTH));
        if push != model.run().push {
            intents.push(Intent::Push(push));
        }
        if moved != model.hand.sizing {
            intents.push(Intent::Sizing(moved));
        }
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
