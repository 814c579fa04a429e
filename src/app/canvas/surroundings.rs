//! Bounding boxes: the smallest boxes about the bodies with sides along x and y.

use super::Picture;
use super::bodies::{ScreenPose, outlines};
use crate::model::World;
use crate::workbench::view_state::layers::View;
use egui_macroquad::egui::{Rect, Stroke, StrokeKind};

/// Width of a box's sides, points.
const SIDE: f32 = 1.0;

/// The boxes, if they are shown.
pub(super) fn boxes(picture: &Picture<'_>, world: &World, view: &View) {
    if !view.boxes {
        return;
    }
    let stroke = Stroke::new(SIDE, picture.palette.accent.gamma_multiply(0.5));
    for body in world.bodies() {
        let points = outlines(picture, body, &ScreenPose::of(body)).concat();
        if !points.is_empty() {
            picture.painter.rect_stroke(Rect::from_points(&points), 0.0, stroke, StrokeKind::Middle);
        }
    }
}
