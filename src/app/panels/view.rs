//! What the canvas shows.

use super::super::view::{MAGNIFICATIONS, View};
use super::parameters::row;
use super::section;
use egui_macroquad::egui::Ui;

pub(super) fn show(ui: &mut Ui, view: &mut View) {
    section(ui, "View", true, |ui| {
        let View { magnification, grid, joints, velocities, centers, dark } = view;
        row(ui, "joint gaps", "Joint gaps are drawn this many times larger than they are.", |ui| {
            for factor in MAGNIFICATIONS {
                ui.selectable_value(magnification, factor, format!("×{factor}"));
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(grid, "grid");
            ui.checkbox(joints, "joints");
            ui.checkbox(velocities, "velocities").on_hover_text("An arrow spans 0.1 s of motion.");
            ui.checkbox(centers, "centres of mass");
            ui.checkbox(dark, "dark");
        });
    });
}
