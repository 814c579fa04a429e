//! Small multiples: each run in a pane of its own, all with the same view.

use super::super::format;
use super::super::model::Model;
use super::super::simulation::Simulation;
use super::super::theme::HEADING_FAMILY;
use super::Picture;
use egui_macroquad::egui::{Align2, FontFamily, FontId, Rect, Stroke, pos2, vec2};

/// Distance of a pane's heading from its corner, points.
const INSET: f32 = 12.0;
/// Errors below this are written with a power of ten, m.
const NANOMETRE: f64 = 1e-9;

/// A run and the part of the canvas that shows it.
pub(super) struct Pane<'a> {
    pub(super) rect: Rect,
    pub(super) run: &'a Simulation,
}

/// The panes of the canvas; a single one if the runs are shown over each other.
pub(super) fn of(model: &Model) -> Vec<Pane<'_>> {
    let forks = model.comparison().present().map(|fork| fork.run());
    let runs = [model.run()].into_iter().chain(forks);
    runs.zip(model.panes()).map(|(run, rect)| Pane { rect, run }).collect()
}

/// The scheme and its error, in the scheme's colour, underlined where its method is edited; returns the place of the name.
pub(super) fn heading(picture: &Picture<'_>, run: &Simulation, is_main: bool, edited: bool) -> Rect {
    let color = picture.palette.scheme(run.scheme_index());
    let top = picture.rect.left_top() + vec2(INSET, INSET);
    let label = run.scheme_label() + if is_main { "  (main)" } else { "" };
    let font = FontId::new(15.0, FontFamily::Name(HEADING_FAMILY.into()));
    let name = picture.painter.text(top, Align2::LEFT_TOP, label, font, color);
    if edited {
        let line = Stroke::new(1.5, color);
        picture.painter.hline(name.x_range(), name.bottom() + 0.5, line);
    }
    let report = run.report();
    let (error, unit) = if run.world().joints().is_empty() {
        (report.contact_error, "m")
    } else {
        (report.joint_error, report.joint_error_unit.symbol())
    };
    let below = pos2(top.x, name.bottom() + 2.0);
    let text = match run.failure() {
        Some(_) => "stopped: a step failed".to_owned(),
        None if unit == "m" && error >= NANOMETRE => format!("error {}", format::length(error)),
        None => format!("error {} {unit}", format::live(error)),
    };
    picture.painter.text(below, Align2::LEFT_TOP, text, FontId::proportional(13.0), picture.palette.text);
    name
}

/// Lines between the panes.
pub(super) fn separate(picture: &Picture<'_>, panes: &[Pane<'_>]) {
    let (painter, stroke) = (picture.painter, Stroke::new(1.0, picture.palette.axis));
    for Pane { rect, .. } in panes {
        painter.line_segment([rect.right_top(), rect.right_bottom()], stroke);
        painter.line_segment([rect.left_bottom(), rect.right_bottom()], stroke);
    }
}
