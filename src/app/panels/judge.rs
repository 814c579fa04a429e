//! The judge: the figures of the recording that is played back, from the numbers of its file alone.

use crate::app::theme::Coloured;
use crate::experiment::judge::words::words;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::played::Judgement;
use crate::workbench::text::format;
use egui_macroquad::egui::{Grid, RichText, ScrollArea, Ui};

/// Space between label and value, and between rows, points.
const SPACING: [f32; 2] = [18.0, 3.0];
/// Width of the two columns of figures from which on they stand beside each other, points.
const BESIDE: f32 = 900.0;

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let Some((judgement, name)) = model.judged().zip(model.judged_name()) else {
        let text = "Nothing to judge: open a recording of an engine (docs/RECORDING.md), or drop it onto the window.";
        ui.label(RichText::new(text).color(palette.weak));
        return;
    };
    let Judgement { steps: [done, steps], ended, judged } = &judgement;
    ui.horizontal_wrapped(|ui| {
        let worst = [("joint error", judged.joint_error), ("penetration", judged.penetration)];
        for (what, figure) in worst {
            let Some(figure) = figure.filter(|figure| figure.largest > 0.0) else { continue };
            let hint = "Goes to the step at which it is largest. A copy there goes on by a scheme of ours.";
            let text = format!("largest {what}, at {}", format::duration(figure.at));
            if ui.button(text).on_hover_text(hint).clicked() {
                intents.push(Intent::Seek(figure.at));
            }
        }
        if done < steps && ended.is_none() {
            ui.label(RichText::new(format!("judged so far: {done} of {steps} steps")).color(palette.weak));
        }
        if let Some(problem) = ended {
            ui.label(RichText::new(format!("{problem}: what follows is not judged")).color(palette.error));
        }
    });
    let rows = words(name, judged);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let half = rows.len().div_ceil(2);
        if ui.available_width() < BESIDE {
            table(ui, "judged", &rows, palette.text);
        } else {
            ui.columns(2, |columns| {
                table(&mut columns[0], "judged", &rows[..half], palette.text);
                table(&mut columns[1], "judged beside", &rows[half..], palette.text);
            });
        }
    });
}

fn table(ui: &mut Ui, id: &str, rows: &[(String, String)], strong: egui_macroquad::egui::Color32) {
    Grid::new(id).num_columns(2).spacing(SPACING).striped(true).show(ui, |ui| {
        for (label, value) in rows {
            ui.label(label);
            ui.label(RichText::new(value).color(strong));
            ui.end_row();
        }
    });
}
