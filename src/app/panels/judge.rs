//! The judge: the figures of the recording that is played back, from the numbers of its file alone.

use crate::app::theme::Coloured;
use crate::experiment::judge::words::words;
use crate::numbers::four_digits;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::played::Judgement;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::PlotView;
use egui_macroquad::egui::{self, Grid, Label, RichText, ScrollArea, Ui};

/// Space between label and value, and between rows, points.
const SPACING: [f32; 2] = [18.0, 3.0];
/// Letters of the longest value that is a figure and no sentence.
const SENTENCE: usize = 60;
/// The columns of a step's problem.
const COLUMNS: [&str; 8] = ["row", "b₀", "A_ii", "λ exact", "λ recorded", "w recorded", "residual", ""];

/// Whether the figures of the whole run are shown, or the problem of the step.
pub(super) fn header(ui: &mut Ui, view: &mut PlotView) {
    ui.selectable_value(&mut view.step, false, "Run")
        .on_hover_text("The largest of each figure over all steps.");
    let hint = "The rows of the step that is shown, posed at the state before it: their exact solution, the impulses of the recording, \
                and by how much these miss each row's law.";
    ui.selectable_value(&mut view.step, true, "Step").on_hover_text(hint);
}

pub(super) fn show(ui: &mut Ui, view: &PlotView, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let Some((judgement, name)) = model.judged().zip(model.judged_name()) else {
        let text = "Nothing to judge: open a recording of an engine (docs/RECORDING.md), or drop it onto the window.";
        ui.label(RichText::new(text).color(palette.weak));
        return;
    };
    if view.step {
        return problem(ui, model);
    }
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
        // Each figure stands in one line: the halves stand beside each other where there is room for both.
        let room = ui.available_width() - 2.0 * ui.spacing().item_spacing.x;
        if 2.0 * width(ui, &rows[..half]).max(width(ui, &rows[half..])) > room {
            table(ui, "judged", &rows, palette.text);
        } else {
            ui.columns(2, |columns| {
                table(&mut columns[0], "judged", &rows[..half], palette.text);
                table(&mut columns[1], "judged beside", &rows[half..], palette.text);
            });
        }
    });
}

/// The problem of the step that is shown, row by row.
fn problem(ui: &mut Ui, model: &Model) {
    let palette = model.view.palette();
    let Some((number, found)) = model.judged_step() else {
        ui.label(RichText::new("No step of the recording has come yet.").color(palette.weak));
        return;
    };
    let found = match &*found {
        Ok(found) => found,
        Err(why) => {
            ui.label(RichText::new(format!("Step {number} has no problem: {why}")).color(palette.weak));
            return;
        }
    };
    let rows = found.exact.rows();
    let [lost, bare] = found.unmatched;
    let mut text = format!("Step {number}, {} rows", rows.len());
    if lost > 0 {
        text += &format!(" · {lost} contacts of the recording push where there is none");
    }
    if bare > 0 {
        text += &format!(" · {bare} contacts here are none of the recording's: λ counts as 0");
    }
    ui.label(RichText::new(text).color(palette.weak));
    let height = ui.text_style_height(&egui::TextStyle::Body) + SPACING[1];
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, rows.len() + 1, |ui, shown| {
        Grid::new("step").num_columns(COLUMNS.len()).spacing(SPACING).striped(true).show(ui, |ui| {
            COLUMNS.iter().for_each(|name| _ = ui.label(*name));
            ui.end_row();
            for row in shown.filter(|row| *row < rows.len()) {
                ui.label(found.exact.name(&found.world, row));
                let numbers = [
                    Some(found.exact.given(row)),
                    Some(found.exact.entry(row, row)),
                    Some(rows[row].reading.lambda),
                    found.theirs[row],
                    Some(found.w[row]),
                    Some(found.residual[row]),
                ];
                for number in numbers {
                    let text = number.map_or("–".to_owned(), four_digits);
                    ui.label(RichText::new(text).color(palette.text));
                }
                ui.label(found.exact.state(row).words());
                ui.end_row();
            }
        });
    });
}

/// Width that a table of these rows takes if nothing is cut, points. Sentences may be cut.
fn width(ui: &Ui, rows: &[(String, String)]) -> f32 {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let of = |text: &String| {
        ui.fonts(|fonts| fonts.layout_no_wrap(text.clone(), font.clone(), egui::Color32::WHITE).size().x)
    };
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(of).fold(0.0, f32::max);
    let figures = rows.iter().filter(|(_, value)| value.chars().count() <= SENTENCE);
    let labels = widest(&mut rows.iter().map(|(label, _)| label));
    labels + SPACING[0] + widest(&mut figures.map(|(_, value)| value))
}

/// Rows of one line each; what is longer than the column is cut, and stands whole in its tooltip.
fn table(ui: &mut Ui, id: &str, rows: &[(String, String)], strong: egui::Color32) {
    let room = ui.available_width();
    Grid::new(id).num_columns(2).spacing(SPACING).striped(true).max_col_width(room).show(ui, |ui| {
        for (label, value) in rows {
            ui.add(Label::new(label).extend());
            ui.add(Label::new(RichText::new(value).color(strong)).truncate());
            ui.end_row();
        }
    });
}
