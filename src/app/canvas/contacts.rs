//! Contacts: where bodies touch, along which normal, with which impulse, and how far they overlap.
//!
//! The impulse over the last step, λ_n n + λ_t t on body b, is an arrow from the contact point. The friction cone
//! |λ_t| ≤ μ λ_n starts there with its axis along n and the height λ_n. A sliding contact, coloured as such by its slip
//! velocity, has its arrow on the cone's edge.
//!
//! The length of arrows is proportional to the impulse over m g h of the heaviest body, with a smaller factor if many bodies
//! can stand on each other. The scale depends on the scene alone, so that it does not change during the motion.

use super::super::outline;
use super::super::push::{gravity, largest_weight, total_weight};
use super::super::view::View;
use super::Picture;
use super::stroke::arrow;
use crate::model::{ContactState, World};
use egui_macroquad::egui::{Mesh, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::DVec2;

/// Radius of a contact point, points.
const POINT: f32 = 2.4;
/// Largest radius of a contact point, as a share of the heaviest body's size.
const POINT_SHARE: f32 = 0.07;
/// Length of a normal, points.
const NORMAL: f32 = 14.0;
/// Length of the arrow of m g h of the heaviest body: share of its size, within bounds in points.
const WEIGHT_SHARE: f32 = 0.8;
const WEIGHT_LENGTHS: [f32; 2] = [12.0, 70.0];
/// Longest arrow, points; the impulse of an impact can be a thousand times m g h.
const LONGEST: f32 = 150.0;
/// Arrows shorter than this are left out, points.
const SHORTEST: f32 = 1.5;
/// Slip speed above which a contact is drawn as sliding, in units of g h: far above rounding, far below what can be seen.
const SLIDING: f64 = 1e-5;
/// Opacity of a cone.
const CONE: f32 = 0.15;
/// Largest half width of a cone, points; with large friction it would be far wider.
const WIDEST: f32 = 220.0;
/// Overlaps shorter than this, in points, are not drawn.
const VISIBLE: f32 = 0.75;
/// Width of an overlap's line and half the length of the bars at its ends, points.
const OVERLAP: f32 = 2.0;
const BAR: f32 = 4.0;

/// Scales by which contacts are drawn.
struct Measure {
    /// Points per N s.
    per_impulse: f64,
    /// Radius of a point.
    point: f32,
    /// Speed above which a contact slides, m/s.
    sliding: f64,
}

impl Measure {
    fn new(picture: &Picture<'_>, world: &World, view: &View, time_step: f64) -> Self {
        let size = picture.camera.length(heaviest_size(world));
        let [least, most] = WEIGHT_LENGTHS;
        let weight = (WEIGHT_SHARE * size).clamp(least, most);
        let crowd = (total_weight(world) / largest_weight(world)).max(1.0).cbrt();
        let per_impulse = view.arrows * f64::from(weight) / (crowd * largest_weight(world) * time_step);
        let sliding = SLIDING * gravity(world) * time_step;
        Self { per_impulse, point: (POINT_SHARE * size).clamp(1.0, POINT), sliding }
    }
}

/// Size of the heaviest body that moves, m.
fn heaviest_size(world: &World) -> f64 {
    let moving = world.bodies().iter().filter(|body| body.is_dynamic());
    let heaviest = moving.max_by(|a, b| a.mass_properties().mass.total_cmp(&b.mass_properties().mass));
    let extent = |placed| {
        let points = outline::closed(placed);
        let low = points.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = points.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        if points.is_empty() { 0.0 } else { (high - low).min_element() }
    };
    heaviest.map_or(0.0, |body| body.shapes().iter().map(extent).fold(0.0, f64::max))
}

pub(super) fn paint(picture: &Picture<'_>, world: &World, view: &View, time_step: f64) {
    let measure = Measure::new(picture, world, view, time_step);
    let near = picture.rect.expand(LONGEST);
    let seen: Vec<Touch<'_>> = world
        .contacts()
        .iter()
        .map(|contact| Touch::new(picture, world, contact, &measure))
        .filter(|touch| near.contains(touch.at))
        .collect();
    if view.cones {
        cones(picture, &seen);
    }
    let Picture { painter, palette, .. } = picture;
    for touch in &seen {
        let color = if touch.slides { palette.slide } else { palette.stick };
        if view.normals {
            let stroke = Stroke::new(1.0, palette.text.gamma_multiply(0.7));
            painter.line_segment([touch.at, touch.at + NORMAL * touch.normal], stroke);
        }
        if view.impulses && touch.impulse.length() > SHORTEST {
            arrow(painter, touch.at, touch.impulse, Stroke::new(1.6, color));
        }
    }
    if view.contacts {
        points(picture, &seen, measure.point);
        for touch in &seen {
            overlap(picture, touch, view.magnification);
        }
    }
}

/// A contact on the screen.
struct Touch<'a> {
    contact: &'a ContactState,
    at: Pos2,
    normal: Vec2,
    /// λ_n n + λ_t t, points, cut off where it is too long.
    impulse: Vec2,
    /// λ_n, points, cut off with the impulse.
    height: f32,
    slides: bool,
}

impl<'a> Touch<'a> {
    fn new(picture: &Picture<'_>, world: &World, contact: &'a ContactState, measure: &Measure) -> Self {
        let normal = vec2(contact.normal.x as f32, -contact.normal.y as f32);
        // A quarter counter-clockwise in the world, where y points up.
        let tangent = vec2(normal.y, -normal.x);
        let [along, across] = contact.impulse.map(|impulse| (measure.per_impulse * impulse) as f32);
        let impulse = along * normal + across * tangent;
        let length = impulse.length();
        let cut = if length > LONGEST { LONGEST / length } else { 1.0 };
        Self {
            contact,
            at: picture.at(contact.point),
            normal,
            impulse: cut * impulse,
            height: cut * along,
            slides: slip(world, contact).abs() > measure.sliding,
        }
    }

    fn carries(&self) -> bool {
        self.contact.impulse[0] > 0.0
    }
}

/// How fast body b's point moves past body a's along the tangent, m/s.
fn slip(world: &World, contact: &ContactState) -> f64 {
    let [a, b] = contact.id.bodies.map(|index| {
        let frame = world.frame(index as usize);
        frame.velocity_at(contact.point - frame.position)
    });
    contact.normal.perp_dot(b - a)
}

/// All cones in one mesh: there may be a thousand.
fn cones(picture: &Picture<'_>, seen: &[Touch<'_>]) {
    let mut mesh = Mesh::default();
    for touch in seen.iter().filter(|touch| touch.carries() && touch.height > SHORTEST) {
        let color = if touch.slides { picture.palette.slide } else { picture.palette.stick };
        let base = touch.at + touch.height * touch.normal;
        let half = (touch.contact.friction as f32 * touch.height).min(WIDEST) * touch.normal.rot90();
        let first = mesh.vertices.len() as u32;
        for corner in [touch.at, base + half, base - half] {
            mesh.colored_vertex(corner, color.gamma_multiply(CONE));
        }
        mesh.add_triangle(first, first + 1, first + 2);
    }
    if !mesh.is_empty() {
        picture.painter.add(Shape::mesh(mesh));
    }
}

/// Contact points: full colour where they carry an impulse, faint where the bodies do not touch.
fn points(picture: &Picture<'_>, seen: &[Touch<'_>], radius: f32) {
    let Picture { painter, palette, .. } = picture;
    for touch in seen {
        let color = match (touch.carries(), touch.slides) {
            (false, _) => palette.weak.gamma_multiply(0.6),
            (true, false) => palette.stick,
            (true, true) => palette.slide,
        };
        // Small squares take a fifth of the time of small circles and look the same.
        if radius < 0.5 * POINT {
            painter.rect_filled(Rect::from_center_size(touch.at, Vec2::splat(2.0 * radius)), 0.0, color);
        } else {
            painter.circle_filled(touch.at, radius, color);
        }
    }
}

/// The overlap of the bodies, as a line along the normal about the contact point, magnified like the joints' gaps.
fn overlap(picture: &Picture<'_>, touch: &Touch<'_>, magnification: f64) {
    let depth = picture.camera.length(-touch.contact.gap * magnification);
    if depth < VISIBLE || !depth.is_finite() {
        return;
    }
    let stroke = Stroke::new(OVERLAP, picture.palette.error);
    let half = 0.5 * depth * touch.normal;
    let bar = BAR * touch.normal.rot90();
    let (from, to) = (touch.at - half, touch.at + half);
    picture.painter.line_segment([from, to], stroke);
    for end in [from, to] {
        picture.painter.line_segment([end - bar, end + bar], stroke);
    }
}
