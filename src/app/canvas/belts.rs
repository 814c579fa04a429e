//! Surfaces that run: chevrons that move along the outline with the surface.

use super::Picture;
use super::bodies::ScreenPose;
use super::stroke::kept;
use crate::model::{Body, Placement, World};
use crate::workbench::stage::outline;
use egui_macroquad::egui::{Pos2, Stroke, vec2};
use glam::DVec2;

/// Distance of the chevrons along the surface, their size, and their distance from the outline, points.
const SPACING: f32 = 26.0;
const SIZE: f32 = 4.5;
const INSIDE: f32 = 6.0;
/// Most chevrons of a shape.
const MOST: usize = 400;

/// The chevrons of all surfaces that run.
pub(super) fn paint(picture: &Picture<'_>, world: &World) {
    for body in world.bodies() {
        let place = ScreenPose::of(body);
        for placed in body.shapes() {
            let speed = placed.surface.surface_speed.unwrap_or(body.surface_speed);
            if speed != 0.0 && body.collides {
                // Along the way that a point of the surface goes where the speed is positive.
                let way = clockwise(picture, &place, body, placed);
                chevrons(picture, &way, speed, world.time());
            }
        }
    }
}

/// The outline on the screen, clockwise in the world; of a half plane the part in view, of a polyline from left to right.
fn clockwise(picture: &Picture<'_>, place: &ScreenPose, body: &Body, placed: &Placement) -> Vec<Pos2> {
    if let Some((point, normal)) = outline::boundary(placed) {
        let [at, tip] = [point, point + normal].map(|local| place.to_screen(picture, local));
        let out = (tip - at).normalized();
        let along = vec2(-out.y, out.x);
        let view = picture.rect;
        let corners = [view.left_top(), view.right_top(), view.right_bottom(), view.left_bottom()];
        let reach = corners.map(|corner| along.dot(corner - at));
        let [low, high] = [
            reach.iter().copied().fold(f32::INFINITY, f32::min),
            reach.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        ];
        if kept(&corners, |p| -out.dot(p - at)).is_empty() || !(low.is_finite() && high.is_finite()) {
            return Vec::new();
        }
        // Chevrons keep their places on the ground where the view moves.
        let low = (low / SPACING).floor() * SPACING;
        return vec![at + low * along, at + high * along];
    }
    let mut points = outline::closed(placed);
    let area: f64 = points.iter().zip(points.iter().cycle().skip(1)).map(|(p, q)| p.perp_dot(*q)).sum();
    if area > 0.0 {
        points.reverse();
    }
    points.extend(points.first().copied());
    points.extend(outline::open(placed));
    if let (true, [first, .., last]) = (area == 0.0, points.as_slice()) {
        let turned = |p: DVec2| body.point_in_world(p).x;
        if turned(*first) > turned(*last) {
            points.reverse();
        }
    }
    points.into_iter().map(|local| place.to_screen(picture, local)).collect()
}

/// Chevrons along `way`, which have gone on at `speed` for `time`.
fn chevrons(picture: &Picture<'_>, way: &[Pos2], speed: f64, time: f64) {
    let length: f32 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let count = (length / SPACING).floor();
    if !(1.0..=MOST as f32).contains(&count) {
        return;
    }
    let closed = way.first() == way.last();
    // A closed belt has a whole number of them.
    let spacing = if closed { length / count } else { SPACING };
    let gone = (picture.camera.scale * speed * time).rem_euclid(f64::from(spacing)) as f32;
    let stroke = Stroke::new(1.6, picture.palette.accent);
    let (mut next, mut before) = (gone, 0.0);
    for pair in way.windows(2) {
        let (from, edge) = (pair[0], pair[1] - pair[0]);
        let own = edge.length();
        while next <= before + own && own > 0.0 {
            let along = edge / own;
            // Clockwise in the world, the inside is to the right.
            let inwards = vec2(-along.y, along.x);
            let at = from + (next - before) * along + INSIDE * inwards;
            if picture.rect.contains(at) {
                let back = -(SIZE * speed.signum() as f32) * along;
                for side in [-SIZE, SIZE] {
                    picture.painter.line_segment([at, at + back + side * 0.9 * inwards], stroke);
                }
            }
            next += spacing;
        }
        before += own;
    }
}
