//! The mouse's push: a disk that fades towards its edge like the force, with its reach and strength.

use super::Picture;
use crate::model::Repulsion;
use crate::workbench::editor::Mode;
use crate::workbench::model::Model;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::text::format;
use egui_macroquad::egui::{FontId, Mesh, Rect, Shape, Stroke, vec2};
use std::f32::consts::TAU;

/// Corners of the circle.
const CORNERS: u32 = 64;
/// Opacity at the cursor; it fades to zero at the edge.
const CENTER: f32 = 0.34;
/// Radius of the cross at the cursor, points.
const CROSS: f32 = 5.0;

/// Draws the push that acts, or that would act at the cursor while its reach is being set.
pub(super) fn paint(picture: &Picture<'_>, model: &Model) {
    let run = model.run();
    let held = || {
        model.hand.hold == Hold::Push || model.hand.hover.setting_reach || model.build.mode == Mode::Push
    };
    let at_cursor = || model.hand.hover.cursor.filter(|_| held()).map(|at| run.push.at(at));
    let in_the_middle = || model.hand.sizing.then(|| run.push.at(model.sight.camera.center));
    if let Some(push) = run.world().repulsion().or_else(at_cursor).or_else(in_the_middle) {
        disk(picture, &push);
    }
}

fn disk(picture: &Picture<'_>, push: &Repulsion) {
    let Picture { painter, palette, .. } = picture;
    let (at, radius) = (picture.at(push.center), picture.camera.length(push.radius));
    let color = palette.push;
    let mut mesh = Mesh::default();
    mesh.colored_vertex(at, color.gamma_multiply(CENTER));
    for i in 0..CORNERS {
        let (sin, cos) = (TAU * i as f32 / CORNERS as f32).sin_cos();
        mesh.colored_vertex(at + radius * vec2(cos, sin), color.gamma_multiply(0.0));
        mesh.add_triangle(0, 1 + i, 1 + (i + 1) % CORNERS);
    }
    painter.add(Shape::mesh(mesh));
    painter.circle_stroke(at, radius, Stroke::new(1.2, color.gamma_multiply(0.7)));
    for arm in [vec2(CROSS, 0.0), vec2(0.0, CROSS)] {
        painter.line_segment([at - arm, at + arm], Stroke::new(1.4, color));
    }
    let text = format!("{}   r = {}", format::force(push.strength), format::length(push.radius));
    let text = painter.layout_no_wrap(text, FontId::proportional(12.5), palette.text);
    let place = Rect::from_min_size(at + vec2(14.0, -14.0 - text.size().y), text.size());
    // Moved back into the picture at its edges.
    let room = picture.rect.shrink2(vec2(6.0, 3.0));
    let place =
        place.translate(vec2((room.right() - place.right()).min(0.0), (room.top() - place.top()).max(0.0)));
    painter.rect_filled(place.expand2(vec2(6.0, 3.0)), 4.0, palette.background.gamma_multiply(0.8));
    painter.galley(place.min, text, palette.text);
}
