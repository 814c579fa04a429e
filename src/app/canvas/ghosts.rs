//! The runs beside the main one: the bodies that move as outlines over its picture, each run in its scheme's colour.

use super::{Picture, joints};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::outline;
use egui_macroquad::egui::{Color32, Pos2, Shape, Stroke};

/// Width of a ghost's outlines, points.
const OUTLINE: f32 = 1.6;

/// The colour of a run's bodies: that of its scheme while runs are compared, otherwise none.
pub(super) fn tint(picture: &Picture<'_>, model: &Model, run: &LiveRun) -> Option<Color32> {
    let compares = model.comparison().present().next().is_some();
    compares.then(|| picture.palette.scheme(run.scheme_index()))
}

pub(super) fn paint(picture: &Picture<'_>, model: &Model) {
    for fork in model.comparison().present() {
        let run = fork.run();
        let color = picture.palette.scheme(run.scheme_index());
        outlines(picture, run, Stroke::new(OUTLINE, color));
        joints::errors(picture, run.world(), 1.0, run.extent());
        joints::links(picture, run.world(), color);
    }
}

/// The outlines of the bodies that move.
fn outlines(picture: &Picture<'_>, run: &LiveRun, stroke: Stroke) {
    for body in run.world().bodies().iter().filter(|body| body.is_dynamic()) {
        for placed in body.shapes() {
            let on_screen = |points: Vec<glam::DVec2>| -> Vec<Pos2> {
                points.into_iter().map(|point| picture.at(body.point_in_world(point))).collect()
            };
            let closed = on_screen(outline::closed(placed));
            if !closed.is_empty() {
                picture.painter.add(Shape::closed_line(closed, stroke));
            }
            let open = on_screen(outline::open(placed));
            if !open.is_empty() {
                picture.painter.add(Shape::line(open, stroke));
            }
        }
    }
}
