//! The tab 'Solve': the last step's problem as a matrix and a row per constraint, the solvers that were tried on it, and its
//! solution pivot by pivot.

mod file;
mod matrix;
mod replay;
mod rows;
mod trail;

use super::super::canvas::linked;
use super::super::theme::Palette;
use super::{figures, weak};
use crate::app::theme::Coloured;
use crate::experiment::opened::OpenedProblem;
use crate::model::World;
use crate::report::ConstraintId;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::Solved;
use crate::workbench::view_state::solve_view::{RowKey, SolvePart, SolveView};
use egui_macroquad::egui::{Align, Label, Layout, Rect, ScrollArea, Ui, UiBuilder};

/// Width of the figures and the trail beside the matrix, points.
const FIGURES: f32 = 176.0;
/// Distance between the parts, points.
const GAP: f32 = 10.0;
/// Least width of the table, points.
const LEAST_TABLE: f32 = 100.0;
/// Least room for the words about the step, points.
const LEAST_HEADING: f32 = 60.0;
/// Room that the buttons of the step's problem need, and that of all three, points.
const BUTTONS: [f32; 2] = [190.0, 300.0];

const SAVE: &str = "Writes w = M z + q with a dense M, one line of JSON that `driftlab lcp` reads: equations eliminated, friction as \
                    two directions and a cone; where all rows are equations λ = z⁺ − z⁻. Each unknown bears the name of its row.";

const OPEN: &str = "Solves a problem w = M z + q from a file, by Lemke's method: a line of JSON as `driftlab lcp` reads it, or Siconos' plain \
                    text (n, M row by row, q).";
const CLOSE: &str = "Shows the problem of the last step again.";

/// The choice of the part, and the buttons by which the problem leaves the window.
pub(super) fn header(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let mut view = model.shown.solve;
    for (part, name, hint) in [
        (SolvePart::Rows, "Rows", "The matrix A and a row for each scalar constraint."),
        (SolvePart::Pivots, "Pivots", "Lemke's and Dantzig's methods on this problem, pivot by pivot."),
        (SolvePart::Sizes, "Sizes", "Rows, contacts, islands and iterations over time."),
    ] {
        ui.selectable_value(&mut view.part, part, name).on_hover_text(hint);
    }
    if view != model.shown.solve {
        intents.push(Intent::Solve(view));
    }
    if view.part == SolvePart::Sizes {
        ui.separator();
        return;
    }
    let palette = model.view.palette();
    if ui.available_width() > LEAST_HEADING {
        ui.add(Label::new(weak(heading(model), palette.weak)).truncate());
    }
    let room = ui.available_width();
    if room < BUTTONS[0] {
        return;
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let shown = model.shown.problem.is_some();
        let (name, hint) = if shown { ("Close problem", CLOSE) } else { ("Open problem", OPEN) };
        if (room >= BUTTONS[1] || shown) && ui.button(name).on_hover_text(hint).clicked() {
            intents.push(Intent::Problem(!shown));
        }
        let known = model.run().solved().is_some();
        ui.add_enabled_ui(known, |ui| {
            if ui.button("Copy").on_hover_text("The same line to the clipboard.").clicked() {
                match model.exported_problem() {
                    Ok(text) => ui.ctx().copy_text(text),
                    // The dialog's intent says why.
                    Err(_) => intents.push(Intent::SaveProblem),
                }
            }
            if ui.button("Save problem").on_hover_text(SAVE).clicked() {
                intents.push(Intent::SaveProblem);
            }
        });
    });
}

/// Which step's problem is shown.
fn heading(model: &Model) -> String {
    let Some(solved) = model.run().solved() else { return String::new() };
    let (step, now) = (solved.step, model.run().world().steps());
    match solved.opened.rows().len() {
        _ if step != now => format!("problem of step {step}; the canvas shows the state after step {now}"),
        1 => format!("step {step}: 1 row"),
        rows => format!("step {step}: {rows} rows"),
    }
}

/// The part that is chosen; the sizes over time are drawn elsewhere.
pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    ui.visuals_mut().override_text_color = None;
    // The bottom panel would otherwise shrink to what is drawn.
    ui.set_min_size(ui.available_size());
    let palette = model.view.palette();
    if let Some(problem) = &model.shown.problem {
        return file::show(ui, problem, palette);
    }
    let Some(solved) = model.run().solved() else {
        ui.label(weak(nothing(model), palette.weak));
        return;
    };
    let mut view = SolveView { hovered: None, ..model.shown.solve };
    let page = Page { solved, world: model.run().world(), palette, pointed: linked::under_cursor(model) };
    match view.part {
        SolvePart::Rows => page.rows(ui, model, &mut view),
        SolvePart::Pivots | SolvePart::Sizes if model.runs.player.playing => {
            let text = "Each step has pivots of its own: pause (Space) to follow those of one step, → for the next step.";
            ui.label(weak(text, palette.weak));
        }
        SolvePart::Pivots | SolvePart::Sizes => replay::show(ui, &page, &mut view),
    }
    view.pointed = page.pointed;
    if view != model.shown.solve {
        intents.push(Intent::Solve(view));
    }
}

/// Why there is no problem to show.
fn nothing(model: &Model) -> &'static str {
    let run = model.run();
    match run.world().steps() {
        0 => "No step has been made yet. Press Space, or → for a single step.",
        _ if !run.method().stabilizer.scheme().uses_solver => {
            "This scheme brings its own solver and poses no complementarity problem. Choose another scheme."
        }
        _ => "The last step left no problem to show: it failed, or it had no rows.",
    }
}

/// What all parts of the tab are drawn from.
struct Page<'a> {
    solved: &'a Solved,
    world: &'a World,
    palette: &'a Palette,
    /// The constraint under the pointer on the canvas.
    pointed: Option<ConstraintId>,
}

impl Page<'_> {
    fn opened(&self) -> &OpenedProblem {
        &self.solved.opened
    }

    /// Constraint and row in words.
    fn who(&self, i: usize) -> String {
        self.opened().name(self.world, i)
    }

    /// Names row `i` as briefly as a table needs it.
    fn who_briefly(&self, i: usize) -> String {
        self.opened().brief_name(self.world, i)
    }

    /// Whether the row is marked: hovered or chosen, or its constraint is under the pointer on the canvas.
    fn is_marked(&self, view: &SolveView, i: usize) -> bool {
        let row = &self.opened().rows()[i];
        let key = RowKey::from(row);
        self.pointed == Some(row.constraint) || view.hovered == Some(key) || view.chosen == Some(key)
    }

    /// Figures and trail, the matrix, the table.
    fn rows(&self, ui: &mut Ui, model: &Model, view: &mut SolveView) {
        let all = ui.available_rect_before_wrap();
        let (left, rest) = all.split_left_right_at_x(all.left() + FIGURES);
        // Where a table has no room, the matrix stands alone.
        let tabled = 0.5 * rest.width() >= LEAST_TABLE;
        let side = rest.height().min(if tabled { 0.5 * rest.width() } else { rest.width() });
        let (middle, right) = rest.split_left_right_at_x(rest.left() + side);
        // What was hovered in the frame before marks the matrix, which is drawn before the table.
        let before = SolveView { hovered: model.shown.solve.hovered, ..*view };
        within(ui, left, |ui| {
            ScrollArea::vertical().id_salt("solver").auto_shrink([false, false]).show(ui, |ui| {
                trail::show(ui, self, &before);
                figures::solver(ui, model.run(), self.palette);
            });
        });
        let clicked = within(ui, middle, |ui| matrix::of_step(ui, self, &before, view));
        let scroll = clicked.or_else(|| self.newly_pointed(model));
        if tabled {
            within(ui, right, |ui| rows::show(ui, self, scroll, view));
        }
    }

    /// The first row of a constraint on which the pointer on the canvas has just come to rest.
    fn newly_pointed(&self, model: &Model) -> Option<usize> {
        let pointed = self.pointed.filter(|pointed| model.shown.solve.pointed != Some(*pointed))?;
        let is_own = |i: &&usize| self.opened().rows()[**i].constraint == pointed;
        self.opened().order().iter().find(is_own).copied()
    }
}

/// Draws in a part of the panel.
fn within<R>(ui: &mut Ui, rect: Rect, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let rect = rect.with_max_x(rect.right() - GAP);
    ui.scope_builder(UiBuilder::new().max_rect(rect), draw).inner
}
