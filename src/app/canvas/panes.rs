//! Small multiples: each run in a pane of its own, all with the same view.

use super::super::theme::HEADING_FAMILY;
use super::Picture;
use crate::app::text::elided::elided;
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::format;
use egui_macroquad::egui::{FontFamily, FontId, Pos2, Rect, Stroke, pos2, vec2};

/// Distance of a pane's heading from its corner, points.
const INSET: f32 = 12.0;
/// Sizes of a run's name and of what is said about it, points.
const SIZES: [f32; 2] = [15.0, 13.0];
/// Distance of the legend's first line from the top, below the line of the time and that of the rate, and of its lines, points.
const LEGEND: f32 = 52.0;
const LEGEND_LINE: f32 = 22.0;
/// Errors below this are written with a power of ten, m.
const NANOMETRE: f64 = 1e-9;

/// A run and the part of the canvas that shows it.
pub(super) struct Pane<'a> {
    pub(super) rect: Rect,
    pub(super) run: &'a LiveRun,
}

/// The panes of the canvas; a single one if the runs are shown over each other.
pub(super) fn of(model: &Model) -> Vec<Pane<'_>> {
    let forks = model.comparison().present().map(|fork| fork.run());
    let runs = [model.run()].into_iter().chain(forks);
    runs.zip(model.panes()).map(|(run, rect)| Pane { rect: rect.into(), run }).collect()
}

/// The scheme and its error, in the scheme's colour, underlined where its method is edited; returns the place of the name.
pub(super) fn heading(picture: &Picture<'_>, model: &Model, run: &LiveRun) -> Rect {
    let top = picture.rect.left_top() + vec2(INSET, INSET);
    let name = named(picture, model, run, top);
    let below = pos2(top.x, name.bottom() + 2.0);
    let font = FontId::proportional(SIZES[1]);
    let color = picture.palette.text;
    let state = elided(picture.painter, state(run), font, color, picture.rect.right() - INSET - below.x);
    picture.behind(Rect::from_min_size(below, state.size()));
    picture.painter.galley(below, state, color);
    name
}

/// The runs that are drawn over each other, a line for each: name and error; returns the places of the names.
pub(super) fn legend<'a>(picture: &Picture<'_>, model: &'a Model) -> Vec<(&'a LiveRun, Rect)> {
    let forks = model.comparison().present().map(|fork| fork.run());
    let runs = [model.run()].into_iter().chain(forks);
    let lines = runs.enumerate().map(|(line, run)| {
        let left = picture.rect.left_top() + vec2(INSET, LEGEND + line as f32 * LEGEND_LINE);
        let name = named(picture, model, run, left);
        let behind = pos2(name.right() + INSET, name.center().y);
        let font = FontId::proportional(SIZES[1]);
        let color = picture.palette.text;
        let state =
            elided(picture.painter, state(run), font, color, picture.rect.right() - INSET - behind.x);
        let corner = behind - vec2(0.0, 0.5 * state.size().y);
        picture.behind(Rect::from_min_size(corner, state.size()));
        picture.painter.galley(corner, state, color);
        (run, name)
    });
    lines.collect()
}

/// The name of a run in its scheme's colour, underlined where its method is edited.
fn named(picture: &Picture<'_>, model: &Model, run: &LiveRun, at: Pos2) -> Rect {
    let color = picture.palette.scheme(run.scheme_index());
    let main = if std::ptr::eq(run, model.run()) { "  (main)" } else { "" };
    let label = model.comparison().full_label(run) + main;
    let font = FontId::new(SIZES[0], FontFamily::Name(HEADING_FAMILY.into()));
    let galley = elided(picture.painter, label, font, color, picture.rect.right() - INSET - at.x);
    let name = Rect::from_min_size(at, galley.size());
    picture.behind(name);
    picture.painter.galley(at, galley, color);
    if std::ptr::eq(run, model.edited()) {
        let line = Stroke::new(1.5, color);
        picture.painter.hline(name.x_range(), name.bottom() + 0.5, line);
    }
    name
}

/// The error of a run, or why it stands.
fn state(run: &LiveRun) -> String {
    let report = run.report();
    let (error, unit) = if run.world().joints().is_empty() {
        (report.contact_error, "m")
    } else {
        (report.joint_error, report.joint_error_unit.symbol())
    };
    let ended = run.played().is_some_and(|played| played.end() < run.world().time() - run.time_step());
    let end = run.played().filter(|_| ended).map(|played| format::significant(played.end(), 4));
    match run.failure() {
        None if ended => format!("ended at {} s", end.unwrap_or_default()),
        Some(failure) => format!("stopped: {}", failure.heading.to_lowercase()),
        None if unit == "m" && error >= NANOMETRE => format!("error {}", format::length(error)),
        None => format!("error {} {unit}", format::live(error)),
    }
}

/// Lines between the panes.
pub(super) fn separate(picture: &Picture<'_>, panes: &[Pane<'_>]) {
    let (painter, stroke) = (picture.painter, Stroke::new(1.0, picture.palette.axis));
    for Pane { rect, .. } in panes {
        painter.line_segment([rect.right_top(), rect.right_bottom()], stroke);
        painter.line_segment([rect.left_bottom(), rect.right_bottom()], stroke);
    }
}
