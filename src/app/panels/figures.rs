//! The figures of the last step, each with its unit.

use super::super::format;
use super::super::simulation::Simulation;
use super::section;
use crate::experiment::{rate, rates_in};
use egui_macroquad::egui::{Align2, FontId, Sense, Ui, WidgetInfo, WidgetType, vec2};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 19.0;

pub(super) fn show(ui: &mut Ui, simulation: &Simulation) {
    section(ui, "Figures of the step", true, |ui| {
        let report = simulation.report();
        let live = |value: f64, unit: &str| format!("{} {unit}", format::live(value));
        // The solve is of all rows together.
        let residual = rates_in(simulation.units());
        let residual = residual.as_str();
        let count = |value: usize| value.to_string();
        let (unit, rate) = (report.joint_error_unit.symbol(), rate(report.velocity_error_unit));
        let before = report.joint_error_before.map(|error| live(error, unit));
        let rows = [
            (
                "joint error",
                Some(live(report.joint_error, unit)),
                "Largest |g| over the joint rows after the step.",
            ),
            ("before correction", before, "The same before the scheme moved the bodies back."),
            (
                "velocity error",
                Some(live(report.velocity_error, rate)),
                "Largest |J v + c| over the joint rows.",
            ),
            (
                "total energy",
                Some(live(report.total_energy(), "J")),
                "Kinetic and potential energy together.",
            ),
            ("kinetic energy", Some(live(report.kinetic_energy, "J")), "Σ ½ m v² + ½ I ω²."),
            (
                "work of corrections",
                Some(live(simulation.history().work(), "J")),
                "Energy that the stabilization has put in since the start (negative: taken out).",
            ),
            ("rows", Some(count(report.rows)), "Scalar equations in the problem."),
            (
                "dependent rows",
                Some(count(report.dependent_rows)),
                "Rows that the others already say: redundant or conflicting.",
            ),
            ("solver", Some(report.solver.to_owned()), "Who solved the last step."),
            (
                "systems solved",
                Some(count(report.solver_iterations)),
                "Systems solved, pivots or iterations, as the solver counts.",
            ),
            (
                "residual",
                Some(live(report.residual, residual)),
                "‖A λ + b‖∞ of the true system in the last solve.",
            ),
            (
                "substeps",
                Some(count(report.substeps)),
                "Parts that the step was cut into, because Newton's method needed smaller ones.",
            ),
            (
                "time per step",
                Some(format::duration(simulation.step_seconds())),
                "Real time that a step takes on this machine, smoothed.",
            ),
        ];
        ui.spacing_mut().item_spacing.y = 0.0;
        let shown = rows.into_iter().filter_map(|(name, value, hint)| Some((name, value?, hint)));
        for (index, (name, value, hint)) in shown.enumerate() {
            row(ui, index, name, &value, hint);
        }
    });
}

/// A name on the left, its value on the right, every other row on a faint ground.
fn row(ui: &mut Ui, index: usize, name: &str, value: &str, hint: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{name} {value}")));
    if index.is_multiple_of(2) {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().faint_bg_color);
    }
    let font = FontId::proportional(12.5);
    let inner = rect.shrink2(vec2(4.0, 0.0));
    let (weak, strong) = (ui.visuals().weak_text_color(), ui.visuals().text_color());
    ui.painter().text(inner.left_center(), Align2::LEFT_CENTER, name, font.clone(), weak);
    ui.painter().text(inner.right_center(), Align2::RIGHT_CENTER, value, font, strong);
    response.on_hover_text(hint);
}
