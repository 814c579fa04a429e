//! The fields and the wind of a scene: rings and arrows at each centre, which point the way bodies are drawn or pushed; faint
//! arrows over the stage along all fields together; and streaks that drift with the wind.

use super::Picture;
use super::stroke::arrow;
use crate::model::{Field, World};
use crate::workbench::text::format;
use egui_macroquad::egui::{Align2, FontId, Pos2, Stroke, Vec2, pos2, vec2};
use glam::DVec2;

/// Radii of the rings about a centre, and inner and outer end of the arrows, points.
const RINGS: [f32; 3] = [6.0, 16.0, 27.0];
const ARROWS: [f32; 2] = [34.0, 52.0];
/// Arrows about a centre.
const COUNT: usize = 8;
/// Distance of the faint arrows over the stage, and their length, points.
const SPACING: f32 = 84.0;
const LENGTH: f32 = 16.0;
/// Distance of the streaks of the wind across it and along it, and their length, points.
const ROWS: f32 = 96.0;
const ALONG: f32 = 170.0;
const STREAK: f32 = 44.0;
/// Opacity of what covers the stage.
const FAINT: f32 = 0.35;
/// Size of the text, points.
const TEXT: f32 = 11.5;

/// Behind the bodies: the directions of the fields, and the wind.
pub(super) fn behind(picture: &Picture<'_>, world: &World) {
    let stroke = Stroke::new(1.2, picture.palette.weak.gamma_multiply(FAINT));
    if !world.fields().is_empty() {
        directions(picture, world, stroke);
    }
    if world.wind() != DVec2::ZERO {
        streaks(picture, world, stroke);
    }
}

/// The points of a lattice of that spacing over the view, which moves with the world.
fn lattice(picture: &Picture<'_>) -> impl Iterator<Item = Pos2> {
    let (view, origin) = (picture.rect, picture.at(DVec2::ZERO));
    let first = |low: f32, origin: f32| low + (origin - low).rem_euclid(SPACING);
    let count = |size: f32| (size / SPACING) as usize + 1;
    let (x, y) = (first(view.left(), origin.x), first(view.top(), origin.y));
    let (columns, rows) = (count(view.width()), count(view.height()));
    (0..rows).flat_map(move |row| {
        (0..columns).map(move |column| pos2(x + column as f32 * SPACING, y + row as f32 * SPACING))
    })
}

/// The way to which all fields together draw a body, over the stage.
fn directions(picture: &Picture<'_>, world: &World, stroke: Stroke) {
    let fields: Vec<Field> = world.fields().iter().map(|field| world.placed_field(field)).collect();
    for at in lattice(picture) {
        let place = picture.camera.to_world(picture.rect, at);
        let pull: DVec2 = fields.iter().map(|field| field.acceleration(place)).sum();
        if let Some(way) = pull.try_normalize() {
            // The screen's y points down.
            let way = LENGTH * vec2(way.x as f32, -way.y as f32);
            arrow(picture.painter, at - 0.5 * way, way, stroke);
        }
    }
}

/// Streaks along the wind, which have drifted with it since t = 0.
fn streaks(picture: &Picture<'_>, world: &World, stroke: Stroke) {
    let wind = world.wind();
    let along = vec2(wind.x as f32, -wind.y as f32).normalized();
    let across = along.rot90();
    let (view, origin) = (picture.rect, picture.at(DVec2::ZERO));
    let gone = (picture.camera.scale * wind.length() * world.time()).rem_euclid(f64::from(ALONG)) as f32;
    let (middle, reach) = (view.center(), 0.5 * view.size().length());
    let [column, row] = [along, across].map(|way| way.dot(origin - middle));
    let steps = |spacing: f32| (reach / spacing) as i32 + 1;
    for i in -steps(ROWS)..=steps(ROWS) {
        for j in -steps(ALONG)..=steps(ALONG) {
            let shift = if i % 2 == 0 { 0.0 } else { 0.5 * ALONG };
            let x = (column + gone + shift).rem_euclid(ALONG) + j as f32 * ALONG;
            let at = middle + x * along + (row.rem_euclid(ROWS) + i as f32 * ROWS) * across;
            if view.contains(at) {
                arrow(picture.painter, at, STREAK * along, stroke);
            }
        }
    }
    let text = format!("wind {} m/s", format::significant(wind.length(), 3));
    label(picture, pos2(middle.x, view.top() + 16.0), text);
}

fn label(picture: &Picture<'_>, at: Pos2, text: String) {
    let font = FontId::proportional(TEXT);
    let text = picture.painter.layout_no_wrap(text, font, picture.palette.text);
    let place = Align2::CENTER_CENTER.anchor_size(at, text.size());
    picture.behind(place);
    picture.painter.galley(place.min, text, picture.palette.text);
}

/// Above the bodies: the centres.
pub(super) fn centres(picture: &Picture<'_>, world: &World) {
    for field in world.fields() {
        centre(picture, &world.placed_field(field));
    }
}

/// Rings about a centre, and arrows to it or away from it; what repels is drawn in the colour of a push.
fn centre(picture: &Picture<'_>, field: &Field) {
    let at = picture.at(field.center);
    if !picture.rect.expand(ARROWS[1]).contains(at) {
        return;
    }
    let palette = picture.palette;
    let color = if field.strength < 0.0 { palette.push } else { palette.accent };
    for (ring, radius) in RINGS.into_iter().enumerate() {
        let fade = 1.0 - 0.28 * ring as f32;
        picture.painter.circle_stroke(at, radius, Stroke::new(1.5, color.gamma_multiply(fade)));
    }
    if field.strength == 0.0 {
        return;
    }
    let [near, far] = ARROWS;
    for i in 0..COUNT {
        let out = Vec2::angled(std::f32::consts::TAU * i as f32 / COUNT as f32);
        let (from, way) = if field.strength > 0.0 { (far, near - far) } else { (near, far - near) };
        arrow(picture.painter, at + from * out, way * out, Stroke::new(1.8, color));
    }
}
