//! Small multiples: each run in a pane of its own, all with the same view.

use super::super::camera::Camera;
use super::super::format;
use super::super::model::{Arrangement, Model};
use super::super::simulation::Simulation;
use super::super::theme::HEADING_FAMILY;
use super::Picture;
use egui_macroquad::egui::{Align2, FontFamily, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};

/// Distance of a pane's heading from its corner, points.
const INSET: f32 = 14.0;
/// Height that the canvas's own heading takes above the panes' headings, points.
const HEADER: f32 = 56.0;

/// A run and the part of the canvas that shows it.
pub(super) struct Pane<'a> {
    pub(super) rect: Rect,
    pub(super) run: &'a Simulation,
}

/// The panes of the canvas; a single one if the runs are shown over each other.
pub(super) fn of(model: &Model) -> Vec<Pane<'_>> {
    let mut runs = vec![model.run()];
    if model.arrangement == Arrangement::Panes {
        runs.extend(model.comparison().present().map(|fork| fork.run()));
    }
    let rects = divide(model.canvas, runs.len());
    runs.into_iter().zip(rects).map(|(run, rect)| Pane { rect, run }).collect()
}

/// Equal parts of `canvas`, row by row: as many columns as make them most nearly square.
fn divide(canvas: Rect, count: usize) -> Vec<Rect> {
    let squareness = |columns: &usize| {
        let rows = count.div_ceil(*columns);
        let (width, height) = (canvas.width() / *columns as f32, canvas.height() / rows as f32);
        // The smaller side decides how large the picture is.
        width.min(height)
    };
    let columns = (1..=count).max_by(|a, b| squareness(a).total_cmp(&squareness(b))).unwrap_or(1);
    let rows = count.div_ceil(columns);
    let size = vec2(canvas.width() / columns as f32, canvas.height() / rows as f32);
    let corner = |i: usize| canvas.min + vec2((i % columns) as f32 * size.x, (i / columns) as f32 * size.y);
    (0..count).map(|i| Rect::from_min_size(corner(i), size)).collect()
}

/// The pane at a point of the screen, or the first one.
pub(super) fn at(panes: &[Pane<'_>], point: Pos2) -> usize {
    panes.iter().position(|pane| pane.rect.contains(point)).unwrap_or(0)
}

/// The camera that shows in `pane` what the model's camera shows in the whole canvas.
pub(super) fn camera(model: &Model, pane: Rect) -> Camera {
    let whole = model.canvas;
    let share = (pane.width() / whole.width()).min(pane.height() / whole.height());
    let share = if share.is_finite() && share > 0.0 { share } else { 1.0 };
    Camera { scale: model.camera.scale * f64::from(share), ..model.camera }
}

/// The scheme and its error, in the scheme's colour.
pub(super) fn heading(picture: &Picture<'_>, run: &Simulation) {
    let color = picture.palette.scheme(run.scheme_index());
    let top = picture.rect.left_top() + vec2(INSET, INSET + HEADER);
    let font = FontId::new(15.0, FontFamily::Name(HEADING_FAMILY.into()));
    let name = picture.painter.text(top, Align2::LEFT_TOP, run.scheme_name(), font, color);
    let report = run.report();
    let (error, unit) = if run.world().joints().is_empty() {
        (report.contact_error, "m")
    } else {
        (report.joint_error, report.joint_error_unit.symbol())
    };
    let below = pos2(top.x, name.bottom() + 2.0);
    let text = match run.failure() {
        Some(_) => "stopped: a step failed".to_owned(),
        None if unit == "m" => format!("error {}", format::length(error)),
        None => format!("error {} {unit}", format::live(error)),
    };
    picture.painter.text(below, Align2::LEFT_TOP, text, FontId::proportional(13.0), picture.palette.text);
}

/// Lines between the panes.
pub(super) fn separate(painter: &Painter, model: &Model, panes: &[Pane<'_>]) {
    let stroke = Stroke::new(1.0, model.view.palette().axis);
    for Pane { rect, .. } in panes {
        painter.line_segment([rect.right_top(), rect.right_bottom()], stroke);
        painter.line_segment([rect.left_bottom(), rect.right_bottom()], stroke);
    }
}
