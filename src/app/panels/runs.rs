//! Which run the panel edits: a chip for the main one and for each fork, in the colour of its scheme and with its name
//! where there is room.

use super::heading;
use crate::app::text::elided::elided;
use crate::app::theme::Coloured;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::comparison::{ForkId, Role};
use crate::workbench::runs::live_run::LiveRun;
use egui_macroquad::egui::{
    Align2, FontId, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// Height of the row and of a chip, points.
const ROW: f32 = 24.0;
const CHIP: f32 = 20.0;
/// Width of the word before the chips, and its distance from the heading, points.
const WORD: f32 = 34.0;
const APART: f32 = 8.0;
/// Largest width of a chip, width from which on it bears the name of its scheme instead of the run's, and distance of
/// chips, points.
const WIDEST: f32 = 124.0;
const NAMED: f32 = 64.0;
const GAP: f32 = 4.0;
/// Distance of a name from its chip's sides, points.
const PADDING: f32 = 3.0;
/// Share of a scheme's colour in the ground of a chip that is not chosen: at rest, under the pointer.
const TINTS: [f32; 2] = [0.12, 0.28];

/// Index of the edited fork among the forks; none for the main run.
pub(super) fn edited(model: &Model) -> Option<usize> {
    let id = model.edited_fork()?.id;
    model.comparison().forks().iter().position(|fork| fork.id == id)
}

/// What stands before the name of a run's scheme: 'main · ', or 'run 1 · ' of the fork with index 0.
pub(super) fn before_scheme(fork: Option<usize>) -> String {
    format!("{} · ", name(fork))
}

/// The name of a run: 'main', or 'run 1' of the fork with index 0.
pub(super) fn name(fork: Option<usize>) -> String {
    fork.map_or_else(|| "main".to_owned(), |index| format!("run {}", index + 1))
}

/// A heading and, while there is more than one run, the choice of the run that is edited; as high with it as without it.
pub(super) fn show(ui: &mut Ui, title: &str, model: &Model, intents: &mut Intents) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let place = egui_macroquad::egui::UiBuilder::new().max_rect(row);
    let title = ui.new_child(place).label(heading(title)).rect;
    let forks = model.comparison().forks();
    let editable = || forks.iter().filter(|fork| fork.role != Role::Trajectory);
    if editable().next().is_none() {
        return;
    }
    let edited = model.edited_fork().map(|fork| fork.id);
    let mut right = row.right();
    let count = 1 + editable().count();
    let width = ((row.right() - title.right() - APART - WORD) / count as f32 - GAP).min(WIDEST);
    let places = forks.iter().enumerate().filter(|(_, fork)| fork.role != Role::Trajectory);
    let beside = places.map(|(place, fork)| (Some((place, fork.id)), fork.run()));
    let runs: Vec<_> = [(None, model.run())].into_iter().chain(beside).collect();
    for (fork, run) in runs.into_iter().rev() {
        let rect = Rect::from_min_size(pos2(right - width, row.top()), vec2(width, CHIP));
        right -= width + GAP;
        let (place, fork): (Option<usize>, Option<ForkId>) = fork.unzip();
        if chip(ui, rect, place, run, edited == fork, model).clicked() {
            intents.push(Intent::Edit(fork));
        }
    }
    let (font, weak) = (FontId::proportional(12.0), model.view.palette().weak);
    ui.painter().text(pos2(right, row.top() + 0.5 * CHIP), Align2::RIGHT_CENTER, "Edit:", font, weak);
}

fn chip(
    ui: &mut Ui,
    rect: Rect,
    fork: Option<usize>,
    run: &LiveRun,
    chosen: bool,
    model: &Model,
) -> Response {
    let palette = model.view.palette();
    let color = palette.scheme(run.scheme_index());
    let response = ui.interact(rect, ui.id().with(("edit", fork)), Sense::click());
    let name = name(fork);
    let label = format!("edit {name}");
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &label));
    let (ground, text) = if chosen {
        (color, palette.contrast(color))
    } else {
        (palette.panel.lerp_to_gamma(color, TINTS[usize::from(response.hovered())]), palette.text)
    };
    let edge = Stroke::new(1.0, color);
    ui.painter().rect(rect, 5.0, ground, edge, StrokeKind::Inside);
    let sign = match fork {
        _ if rect.width() >= NAMED => model.comparison().label(run),
        None => name.clone(),
        Some(index) => (index + 1).to_string(),
    };
    let sign = elided(ui.painter(), sign, FontId::proportional(11.5), text, rect.width() - 2.0 * PADDING);
    ui.painter().galley(rect.center() - 0.5 * sign.size(), sign, text);
    response.on_hover_text(format!("Shows and edits the parameters of {name}: {}", run.scheme_name()))
}
