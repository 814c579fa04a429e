//! What the canvas shows.

use super::super::format;
use super::super::intent::{Intent, Intents};
use super::super::view::{ARROWS, MAGNIFICATIONS, View};
use super::parameters::{Numbers, Scale, control, row};
use super::section;
use egui_macroquad::egui::Ui;

/// Width of a written factor, points.
const FACTOR_WIDTH: f32 = 58.0;

pub(super) fn show(ui: &mut Ui, present: &View, intents: &mut Intents) {
    section(ui, "View", true, |ui| {
        let mut view = *present;
        let View {
            magnification,
            grid,
            joints,
            contacts,
            normals,
            impulses,
            cones,
            arrows,
            velocities,
            centers,
            joint_forces,
            boxes,
            islands,
            trails,
            outlines,
            dark,
        } = &mut view;
        let hint = "Joint gaps and penetrations are drawn this many times larger than they are.";
        row(ui, "gaps", hint, |ui| {
            for factor in MAGNIFICATIONS {
                ui.selectable_value(magnification, factor, format!("×{factor}"));
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(contacts, "contacts")
                .on_hover_text("Contact points: sticking, sliding, or not touching; penetrations in red.");
            ui.checkbox(normals, "normals").on_hover_text("From body a to body b.");
            ui.checkbox(impulses, "impulses").on_hover_text(
                "(λ_n n + λ_t t)/h on body b over the last step. The 90th percentile is as long as a body; of more than 100, \
                 the largest of each neighbourhood are drawn.",
            );
            ui.checkbox(cones, "friction cones").on_hover_text(
                "|λ_t| ≤ μ λ_n: half angle atan μ, height λ_n/h. The arrow of a sliding contact lies on the edge. Of more than \
                 12, those near the pointer are drawn.",
            );
        });
        let numbers = Numbers {
            range: ARROWS,
            scale: Scale::Logarithmic,
            width: FACTOR_WIDTH,
            write: Box::new(|x| format!("× {}", format::significant(x, 2))),
            read: Box::new(|text| text.trim_start_matches(['×', ' ']).parse().ok()),
        };
        let hint = "Length of the arrows of forces.";
        row(ui, "arrows", hint, |ui| control(ui, numbers, arrows, hint));
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(joints, "joints");
            ui.checkbox(velocities, "velocities").on_hover_text("An arrow spans 0.1 s of motion.");
            ui.checkbox(centers, "centres of mass");
            ui.checkbox(joint_forces, "joint forces").on_hover_text("On the second body of each joint.");
            ui.checkbox(boxes, "bounding boxes");
            ui.checkbox(islands, "islands").on_hover_text(
                "Bodies that joints, springs or contacts connect have one colour: each island is solved by itself.",
            );
            ui.checkbox(trails, "trails").on_hover_text(
                "Where the centres of mass have been; of a selected body, the point that was clicked.",
            );
            ui.checkbox(outlines, "outlines").on_hover_text("The bodies at regular moments of the past.");
            ui.checkbox(grid, "grid");
            ui.checkbox(dark, "dark");
        });
        if view != *present {
            intents.push(Intent::View(view));
        }
    });
}
