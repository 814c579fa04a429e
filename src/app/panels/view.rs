//! What the canvas shows.

use super::parameters::{Numbers, Scale, control, row};
use super::section;
use crate::app::keys::tooltip;
use crate::workbench::command::Command;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::text::format;
use crate::workbench::view_state::layers::{ARROWS, MAGNIFICATIONS, View};
use crate::workbench::view_state::text_size::TextSize;
use egui_macroquad::egui::{ComboBox, Grid, TextEdit, Ui, WidgetInfo, WidgetType};

/// What presenting is.
const PRESENT: &str =
    "Only stage, plot and one slider, in large type, on the full screen. All keys work; Esc leads back.";
/// Width of a written factor, points.
const FACTOR_WIDTH: f32 = 58.0;

/// A checkbox: what it switches, its name, its tooltip.
type Switch<'a> = (&'a mut bool, &'static str, &'static str);

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let mut view = model.view;
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
        follow,
        unloaded,
        dark,
        still,
    } = &mut view;
    section(ui, "Errors", |ui| {
        let hint = "Joint gaps and penetrations are drawn this many times larger than they are.";
        row(ui, "gaps", hint, |ui| {
            // Closer, so that all of them fit into the narrowest panel.
            ui.spacing_mut().button_padding.x = 5.0;
            ui.spacing_mut().item_spacing.x = 4.0;
            for factor in MAGNIFICATIONS {
                ui.selectable_value(magnification, factor, format!("×{factor}")).on_hover_text(hint);
            }
        });
    });
    section(ui, "Joints and motion", |ui| {
        switches(
            ui,
            "motion",
            [
                (joints, "joints", "Hinges, rods, welds, springs, and the gaps between their anchors."),
                (velocities, "velocities", "Of the centres of mass; an arrow spans 0.1 s of motion."),
                (centers, "centres of mass", "A cross that turns with the body."),
                (joint_forces, "joint forces", "On the second body of each joint."),
                (
                    trails,
                    "trails",
                    "Where the centres of mass have been; of a selected body, the point that was clicked.",
                ),
                (outlines, "outlines", "The bodies at regular moments of the past."),
                (boxes, "bounding boxes", "The boxes in which contacts are looked for."),
                (
                    islands,
                    "islands",
                    "Bodies that joints, springs or contacts connect have one colour: each island is solved by itself.",
                ),
            ],
        );
    });
    section(ui, "Contacts", |ui| {
        switches(
            ui,
            "contacts",
            [
                (contacts, "contact points", "Sticking, sliding, or not touching; penetrations in red."),
                (normals, "normals", "The direction in which contacts push, from body a to body b."),
                (
                    impulses,
                    "impulses",
                    "(λ_n n + λ_t t)/h on body b over the last step. The 90th percentile is as long as a body; of more than 100, the \
                     largest of each neighbourhood are drawn.",
                ),
                (
                    cones,
                    "friction cones",
                    "|λ_t| ≤ μ λ_n: half angle atan μ, height λ_n/h. The arrow of a sliding contact lies on the edge. Of more than 12, \
                     those near the pointer are drawn.",
                ),
            ],
        );
        let numbers = Numbers {
            range: ARROWS,
            scale: Scale::Logarithmic,
            width: FACTOR_WIDTH,
            write: Box::new(|x| format!("× {}", format::significant(x, 2))),
            read: Box::new(|text| text.trim_start_matches(['×', ' ']).parse().ok()),
        };
        let hint = "Length of the arrows of forces.";
        row(ui, "arrows", hint, |ui| control(ui, numbers, arrows, hint));
    });
    section(ui, "Picture", |ui| {
        switches(
            ui,
            "picture",
            [
                (grid, "grid", "Lines of a round distance, and the bar that says which."),
                (
                    unloaded,
                    "ρ without load",
                    "The stability map leaves out the load and the motion of the present state: the closed form of one constraint.",
                ),
                (follow, "follow", "The view moves with the middle of the bodies."),
                (dark, "dark", "Light colours suit bright rooms and printed pages."),
                (
                    still,
                    "less motion",
                    "Nothing moves but the scene: panels, axes and assembled bodies are at once where they belong.",
                ),
            ],
        );
    });
    section(ui, "Window", |ui| {
        text_size(ui, model.layout.text_size, intents);
        page(ui, model, intents);
        for (name, said, command, open) in [
            ("panel", "This panel. Its key brings it back.", Command::TogglePanel, model.layout.panel_open),
            (
                "plots",
                "The plots under the picture. Their key brings them back.",
                Command::TogglePlot,
                model.layout.plot_open,
            ),
            ("present", PRESENT, Command::Present, model.layout.presenting),
        ] {
            let mut shown = open;
            if ui.checkbox(&mut shown, name).on_hover_text(tooltip(said, command)).clicked() {
                intents.push(Intent::Command(command));
            }
        }
    });
    if view != model.view {
        intents.push(Intent::View(view));
    }
}

/// The sizes of text, one of them chosen.
fn text_size(ui: &mut Ui, present: TextSize, intents: &mut Intents) {
    let name = |size: TextSize| format!("{} %", size.percent());
    let hint = "Size of the text and of all that goes with it (Ctrl+ +, Ctrl+ −, Ctrl+0).";
    row(ui, "text size", hint, |ui| {
        ComboBox::from_id_salt("text size").selected_text(name(present)).show_ui(ui, |ui| {
            for size in TextSize::all() {
                if ui.selectable_label(size == present, name(size)).clicked() {
                    intents.push(Intent::TextSize(size));
                }
            }
        });
    });
}

/// The page that copied links lead to, as a field to write in.
fn page(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let hint = "The address of the page with the sandbox that copied links lead to: your own, if you publish one. Empty: the program's.";
    // An address needs the whole width.
    ui.label("links lead to").on_hover_text(hint);
    let id = ui.id().with("page");
    let mut text = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| model.page().to_owned());
    let field = TextEdit::singleline(&mut text).desired_width(f32::INFINITY);
    let field = ui.add(field).on_hover_text(hint);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "links lead to"));
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
    } else if field.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        intents.push(Intent::Page(text));
    }
}

/// Checkboxes in two columns of equal width.
fn switches<const N: usize>(ui: &mut Ui, id: &str, switches: [Switch<'_>; N]) {
    let width = 0.5 * (ui.available_width() - ui.spacing().item_spacing.x);
    Grid::new(id).num_columns(2).min_col_width(width).show(ui, |ui| {
        for (index, (on, name, hint)) in switches.into_iter().enumerate() {
            ui.checkbox(on, name).on_hover_text(hint);
            if index % 2 == 1 {
                ui.end_row();
            }
        }
    });
}
