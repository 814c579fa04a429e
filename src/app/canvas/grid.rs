//! The grid, which follows the zoom in steps of 1, 2, 5, and the scale bar.

use super::Picture;
use crate::workbench::text::format;
use egui_macroquad::egui::emath::GuiRounding;
use egui_macroquad::egui::{Align2, FontId, Pos2, Rect, Stroke, pos2, vec2};

/// Grid lines per major one.
const MAJOR: i64 = 5;
/// Width of a grid line, pixels of the screen.
const LINE: f32 = 1.0;
/// Longest scale bar, points.
const BAR: f64 = 160.0;
/// Distance of the scale bar from the canvas's corner, points.
const INSET: f32 = 22.0;

pub(super) fn lines(picture: &Picture<'_>) {
    let Picture { painter, rect, camera, palette } = picture;
    let pixels = painter.pixels_per_point();
    let step = camera.grid_step();
    let [low, high] = camera.visible(*rect);
    let range = |low: f64, high: f64| (low / step).ceil() as i64..=(high / step).floor() as i64;
    let color = |i: i64| match i {
        0 => palette.axis,
        i if i % MAJOR == 0 => palette.grid_major,
        _ => palette.grid,
    };
    // Fine lines first, so that coarse ones and the axes lie above them.
    for rank in [palette.grid, palette.grid_major, palette.axis] {
        let stroke = Stroke::new(LINE / pixels, rank);
        for i in range(low.x, high.x).filter(|i| color(*i) == rank) {
            let x = picture.at(glam::DVec2::new(i as f64 * step, 0.0)).x;
            painter.vline(x.round_to_pixel_center(pixels), rect.y_range(), stroke);
        }
        for i in range(low.y, high.y).filter(|i| color(*i) == rank) {
            let y = picture.at(glam::DVec2::new(0.0, i as f64 * step)).y;
            painter.hline(rect.x_range(), y.round_to_pixel_center(pixels), stroke);
        }
    }
}

/// The scale bar, unless the canvas is so low that it would lie on one of the texts.
pub(super) fn scale_bar(picture: &Picture<'_>, texts: &[Rect]) {
    let Picture { painter, rect, camera, palette } = picture;
    let metres = format::round_down(BAR / camera.scale);
    let length = camera.length(metres);
    let pixels = painter.pixels_per_point();
    let left = (rect.left_bottom() + vec2(INSET, -INSET)).round_to_pixel_center(pixels);
    let right = pos2(left.x + length, left.y);
    let middle = left.lerp(right, 0.5) - vec2(0.0, 5.0);
    let font = FontId::proportional(12.0);
    let text = painter.layout_no_wrap(format::length(metres), font, palette.text);
    let place = Align2::CENTER_BOTTOM.anchor_size(middle, text.size());
    if texts.iter().any(|other| other.y_range().intersects(place.y_range())) {
        return;
    }
    let stroke = Stroke::new(1.5, palette.text.gamma_multiply(0.8));
    painter.line_segment([left, right], stroke);
    for end in [left, right] {
        let tick = |dy: f32| Pos2::new(end.x, end.y + dy);
        painter.line_segment([tick(-4.0), tick(4.0)], stroke);
    }
    painter.galley(place.min, text, palette.text);
}
