//! The figures of the last step, each with its unit.

use super::super::theme::Palette;
use super::section;
use crate::experiment::{rate, rates_in};
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::concerned;
use egui_macroquad::egui::{Align2, FontId, Sense, Ui, WidgetInfo, WidgetType, vec2};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 19.0;

/// A figure: its name, its value, what it means.
type Figure = (&'static str, Option<String>, &'static str);

fn live(value: f64, unit: &str) -> Option<String> {
    Some(format!("{} {unit}", format::live(value)))
}

pub(super) fn show(ui: &mut Ui, simulation: &LiveRun, palette: &Palette) {
    section(ui, "The last step", |ui| {
        let mut all = errors(simulation);
        all.extend(energies(simulation));
        table(ui, all, palette);
    });
}

/// The size of the last step's problem, and how it was solved.
pub(super) fn solver(ui: &mut Ui, simulation: &LiveRun, palette: &Palette) {
    let report = simulation.report();
    let count = |value: usize| Some(value.to_string());
    let some = |value: usize| (value > 0).then(|| value.to_string());
    // These figures are of all rows together.
    let residual = rates_in(simulation.units());
    let phases = simulation.phase_seconds().map(|parts| parts.map(format::duration));
    let [contacts, assembly, solve] = phases.map_or([None, None, None], |parts| parts.map(Some));
    let rows = vec![
        (
            "solved by",
            Some(report.solver.to_owned()),
            "Solver of the last step; that of its largest island, if they differ.",
        ),
        ("rows", count(report.rows), "Scalar rows in the problem."),
        (
            "contacts",
            count(report.contacts),
            "Contact points in the problem, including active ones that do not touch.",
        ),
        (
            "islands",
            some(report.islands),
            "Groups of bodies that are connected by rows; each is solved separately.",
        ),
        (
            "without a solution",
            some(report.infeasible),
            "Islands whose problem provably has no solution; they get the least violation instead.",
        ),
        (
            "dependent rows",
            some(report.dependent_rows),
            "Rows implied by, or in conflict with, other rows.",
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
            "Parts into which the step was divided, because Newton's method needed shorter ones.",
        ),
        (
            "time per step",
            Some(format::duration(simulation.step_seconds())),
            "Processor time of a step on this machine: the median over the last second of play.",
        ),
        ("  contacts", contacts, "Its share in which contacts are looked for."),
        ("  assembly", assembly, "Its share in which rows are evaluated, bodies moved and figures taken."),
        ("  solve", solve, "Its share in which the problem is solved, or swept over."),
    ];
    table(ui, rows, palette);
}

fn errors(simulation: &LiveRun) -> Vec<Figure> {
    let report = simulation.report();
    let (unit, rate) = (report.joint_error_unit.symbol(), rate(report.velocity_error_unit));
    let [jointed, _, touching, ..] = concerned(&simulation.scene.world);
    let joints: [Figure; 3] = [
        ("joint error", live(report.joint_error, unit), "Largest |g| over the joint rows after the step."),
        (
            "before correction",
            before(report.joint_error_before, unit),
            "Largest |g| over the joint rows before the scheme corrected the positions.",
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
            before(report.contact_error_before, "m"),
            "Largest max(0, −φ) over the contacts before the scheme corrected the positions.",
        ),
    ];
    let joints = joints.into_iter().filter(|_| jointed);
    joints.chain(contacts.into_iter().filter(|_| touching)).collect()
}

/// The error before a correction; its row stays where a scheme corrects nothing, so that the others keep their places.
fn before(error: Option<f64>, unit: &str) -> Option<String> {
    error.map_or(Some("no correction".to_owned()), |error| live(error, unit))
}

fn energies(simulation: &LiveRun) -> Vec<Figure> {
    let report = simulation.report();
    vec![
        ("total energy", live(report.total_energy(), "J"), "Kinetic and potential energy together."),
        ("kinetic energy", live(report.kinetic_energy, "J"), "Σ ½ m v² + ½ I ω²."),
        (
            "work of corrections",
            live(simulation.work(), "J"),
            "Energy that the stabilization has added since the start (negative: removed).",
        ),
        (
            "energy from nothing",
            simulation.energy_gain().and_then(|gain| live(gain.unexplained, "J")),
            "The largest gain of energy since the start, or since a hand or a change of method last acted, of what neither the scene \
             nor the time step nor the corrections explain.",
        ),
    ]
}

fn table(ui: &mut Ui, figures: Vec<Figure>, palette: &Palette) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let shown = figures.into_iter().filter_map(|(name, value, hint)| Some((name, value?, hint)));
    for (index, (name, value, hint)) in shown.enumerate() {
        row(ui, index, (name, &value), hint, palette);
    }
}

/// A name on the left, its value on the right, every other row on a faint background.
fn row(ui: &mut Ui, index: usize, (name, value): (&str, &str), hint: &str, palette: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{name} {value}")));
    if index.is_multiple_of(2) {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().faint_bg_color);
    }
    let font = FontId::proportional(12.5);
    let inner = rect.shrink2(vec2(4.0, 0.0));
    ui.painter().text(inner.left_center(), Align2::LEFT_CENTER, name, font.clone(), palette.weak);
    ui.painter().text(inner.right_center(), Align2::RIGHT_CENTER, value, font, palette.text);
    response.on_hover_text(hint);
}
