//! The trail: which solvers were tried on an island, from where, for how long, and how each attempt ended.

use super::super::weak;
use super::Page;
use crate::lcp::Ending;
use crate::workbench::text::format;
use crate::workbench::view_state::solve_view::SolveView;
use egui_macroquad::egui::Ui;

/// The trail of the marked row's island; without one, the longest of all islands.
pub(super) fn show(ui: &mut Ui, page: &Page<'_>, view: &SolveView) {
    let opened = page.opened();
    let key = view.hovered.or(view.chosen);
    let own = key.and_then(|key| key.find(opened)).and_then(|i| opened.rows()[i].island);
    let Some((trail, rows)) =
        own.map(|island| (island.trail, island.rows)).or_else(|| opened.longest_trail())
    else {
        return;
    };
    let whose = match (own.is_some(), opened.blocks().len()) {
        (_, 0 | 1) => "Solvers tried".to_owned(),
        (true, _) => format!("Solvers tried on its island, {rows} rows"),
        (false, _) => format!("Solvers tried on the hardest island, {rows} rows"),
    };
    ui.label(weak(whose, page.palette.text));
    for (number, attempt) in trail.attempts().iter().enumerate() {
        let (solver, ending) = (attempt.solver, attempt.ending.words());
        let mut text = match (attempt.ending, attempt.iterations) {
            // The replay under 'Pivots' starts from zero and takes pivots all the same.
            (Ending::Solved, 0) => {
                format!("{}. {solver}: its start is the solution already", number + 1)
            }
            (_, iterations) => format!("{}. {solver}: {ending} after {iterations}", number + 1),
        };
        if let Some(residual) = attempt.residual {
            text += &format!(", residual {}", format::significant(residual, 2));
        }
        let hint = format!(
            "From {}. The residual is a share of the problem's speed; at most 10⁻⁹ is solved.",
            attempt.from.words()
        );
        ui.label(weak(text, page.palette.weak)).on_hover_text(hint);
    }
    if opened.is_linear() {
        let text = "All rows are equations: one factorisation solves them, without pivots.";
        ui.label(weak(text, page.palette.weak));
    }
    ui.add_space(4.0);
}
