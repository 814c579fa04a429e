//! The figures of the last step, each with its unit.

use super::super::format;
use super::super::plot_view::concerned;
use super::super::simulation::Simulation;
use super::section;
use crate::experiment::{rate, rates_in};
use egui_macroquad::egui::{Align2, FontId, Sense, Ui, WidgetInfo, WidgetType, vec2};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 19.0;

/// A figure: its name, its value, what it means.
type Figure = (&'static str, Option<String>, &'static str);

fn live(value: f64, unit: &str) -> Option<String> {
    Some(format!("{} {unit}", format::live(value)))
}

pub(super) fn show(ui: &mut Ui, simulation: &Simulation) {
    section(ui, "Figures of the step", true, |ui| {
        let mut all = errors(simulation);
        all.extend(energies(simulation));
        table(ui, all);
    });
}

/// What the last step asked of the solver, and how it was answered.
pub(super) fn solver(ui: &mut Ui, simulation: &Simulation) {
    let report = simulation.report();
    let count = |value: usize| Some(value.to_string());
    let some = |value: usize| (value > 0).then(|| value.to_string());
    // The solve is of all rows together.
    let residual = rates_in(simulation.units());
    let rows = vec![
        (
            "solved by",
            Some(report.solver.to_owned()),
            "Who solved the last step; of its largest island, if they differ.",
        ),
        ("rows", count(report.rows), "Scalar rows in the problem."),
        (
            "contacts",
            count(report.contacts),
            "Contact points in the problem, the active ones that do not touch too.",
        ),
        (
            "islands",
            some(report.islands),
            "Groups of bodies that no row connects: each is a problem of its own.",
        ),
        (
            "without a solution",
            some(report.infeasible),
            "Islands whose problem has none, with proof: they are met with the least violation.",
        ),
        (
            "dependent rows",
            some(report.dependent_rows),
            "Rows that the others already say: redundant or conflicting.",
        ),
        (
            "iterations",
            count(report.solver_iterations),
            "Systems solved, pivots or iterations, as the solver counts.",
        ),
        (
            "residual",
            live(report.residual, &residual),
            "Natural residual of the problem as posed: w of an equation, min(λ, w) of a contact, in units of w.",
        ),
        (
            "substeps",
            count(report.substeps),
            "Parts that the step was cut into, because Newton's method needed smaller ones.",
        ),
        (
            "time per step",
            Some(format::duration(simulation.step_seconds())),
            "Real time that a step takes on this machine, smoothed.",
        ),
    ];
    table(ui, rows);
}

fn errors(simulation: &Simulation) -> Vec<Figure> {
    let report = simulation.report();
    let (unit, rate) = (report.joint_error_unit.symbol(), rate(report.velocity_error_unit));
    let [jointed, _, touching, ..] = concerned(&simulation.scene.world);
    let joints: [Figure; 3] = [
        ("joint error", live(report.joint_error, unit), "Largest |g| over the joint rows after the step."),
        (
            "before correction",
            report.joint_error_before.and_then(|error| live(error, unit)),
            "The same before the scheme moved the bodies back.",
        ),
        ("velocity error", live(report.velocity_error, rate), "Largest |J v + c| over the joint rows."),
    ];
    let contacts: [Figure; 2] = [
        (
            "contact error",
            live(report.contact_error, "m"),
            "Largest max(0, −φ) over the contacts after the step: the deepest penetration.",
        ),
        (
            "before correction",
            report.contact_error_before.and_then(|error| live(error, "m")),
            "The same before the scheme moved the bodies apart.",
        ),
    ];
    let joints = joints.into_iter().filter(|_| jointed);
    joints.chain(contacts.into_iter().filter(|_| touching)).collect()
}

fn energies(simulation: &Simulation) -> Vec<Figure> {
    let report = simulation.report();
    vec![
        ("total energy", live(report.total_energy(), "J"), "Kinetic and potential energy together."),
        ("kinetic energy", live(report.kinetic_energy, "J"), "Σ ½ m v² + ½ I ω²."),
        (
            "work of corrections",
            live(simulation.history().work(), "J"),
            "Energy that the stabilization has put in since the start (negative: taken out).",
        ),
    ]
}

fn table(ui: &mut Ui, figures: Vec<Figure>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let shown = figures.into_iter().filter_map(|(name, value, hint)| Some((name, value?, hint)));
    for (index, (name, value, hint)) in shown.enumerate() {
        row(ui, index, name, &value, hint);
    }
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
