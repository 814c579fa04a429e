//! A problem from a file: its solution row by row, and the pivots that led to it.

use super::super::weak;
use crate::app::theme::Palette;
use crate::workbench::model::problem::FileProblem;
use egui_macroquad::egui::{Grid, RichText, ScrollArea, Ui};

pub(super) fn show(ui: &mut Ui, problem: &FileProblem, palette: &Palette) {
    let FileProblem { title, names, replay } = problem;
    let pivots = &replay.path().pivots;
    let ended = match replay.ended() {
        Ok(solution) => format!("residual {:.1e}", solution.residual),
        Err(error) => error.to_string(),
    };
    let n = replay.problem().n();
    let head = format!(
        "{title}: {n} row{}, {} pivots of Lemke's method; {ended}",
        if n == 1 { "" } else { "s" },
        pivots.len()
    );
    ui.label(RichText::new(head).strong());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            Grid::new("problem of a file").striped(true).show(ui, |ui| {
                for title in ["", "q", "z", "w"] {
                    ui.label(weak(title, palette.weak));
                }
                ui.end_row();
                let solution = replay.ended().as_ref().ok();
                for row in 0..n {
                    let name = names.as_ref().and_then(|names| names.get(row).cloned());
                    ui.label(name.unwrap_or_else(|| format!("{}", row + 1)));
                    let z = solution.map(|solution| solution.z[row]);
                    let w = solution.map(|solution| solution.w[row]);
                    for value in [Some(replay.problem().q()[row]), z, w] {
                        ui.monospace(value.map_or_else(String::new, |value| format!("{value:.6e}")));
                    }
                    ui.end_row();
                }
            });
            ui.add_space(12.0);
            Grid::new("pivots of a file").striped(true).show(ui, |ui| {
                for title in ["pivot", "enters", "leaves", "ratio"] {
                    ui.label(weak(title, palette.weak));
                }
                ui.end_row();
                for (index, pivot) in pivots.iter().enumerate() {
                    ui.label(format!("{}", index + 1));
                    ui.label(pivot.entering.to_string());
                    ui.label(pivot.leaving.to_string());
                    ui.monospace(format!("{:.6e}", pivot.ratio));
                    ui.end_row();
                }
            });
        });
    });
}
