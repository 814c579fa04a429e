//! Contacts: where bodies touch, along which normal, with which force, and how far they overlap.
//!
//! The force over the last step, (λ_n n + λ_t t)/h on body b, is an arrow from the contact point. The friction cone
//! |λ_t| ≤ μ λ_n starts there with its axis along n and the height λ_n/h. A sliding contact, coloured as such by its slip
//! velocity, or on a belt by its friction, has its arrow on the cone's edge.

use super::Picture;
use super::arrows::{Scale, median_size, thinned};
use super::glow::Glows;
use super::stroke::arrow;
use crate::model::{ContactState, World};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::push::gravity;
use egui_macroquad::egui::{Color32, Mesh, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::DVec2;

/// Radius of a contact point, points.
const POINT: f32 = 2.4;
/// Largest radius of a contact point, as a share of the median body's size.
const POINT_SHARE: f32 = 0.07;
/// Contact points of a smaller radius than this, points, are drawn as squares.
const SQUARE_BELOW: f32 = 0.5 * POINT;
/// Length of a normal, points.
const NORMAL: f32 = 14.0;
/// Arrows shorter than this are left out, points.
const SHORTEST: f32 = 1.5;
/// Width of an arrow, points, and as a share of its greatest length where bodies are small.
const ARROW: f32 = 1.6;
const ARROW_SHARE: f32 = 0.06;
/// Opacity of the arrows while those on a selected body are drawn.
const BESIDE_SELECTED: f32 = 0.35;
/// Slip speed above which a contact is drawn as sliding, in units of g h: far above rounding, far below what can be seen.
const SLIDING: f64 = 1e-5;
/// Share of μ λ_n from which friction on a belt is as large as it can be.
const WHOLE: f64 = 1.0 - 1e-6;
/// Opacity of a cone.
const CONE: f32 = 0.15;
/// Largest number of cones that are all drawn; of more, those near the pointer.
const MOST_CONES: usize = 12;
/// How near, points.
const NEAR: f32 = 90.0;
/// Largest half width of a cone, in heights; with large friction it would be far wider.
const WIDEST: f32 = 3.0;
/// Overlaps shorter than this, in points, are not drawn.
const VISIBLE: f32 = 0.75;
/// Width of an overlap's line and half the length of the bars at its ends, points.
const OVERLAP: f32 = 2.0;
const BAR: f32 = 4.0;
/// Half the greatest length of the bars, as a share of the median body's size.
const BAR_SHARE: f32 = 0.15;
/// Largest radius of an overlap's glow, as a share of the median body's size.
const GLOW_SHARE: f32 = 0.5;

pub(super) fn paint(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    let (world, view) = (run.world(), &model.view);
    if world.contacts().is_empty() {
        return;
    }
    let size = picture.camera.length(median_size(world));
    let scale = scale(picture, model, run);
    let measure =
        Measure { scale, h: run.time_step(), sliding: SLIDING * gravity(world) * run.time_step() };
    let near = picture.rect.expand(scale.longest());
    let seen: Vec<Touch<'_>> = world
        .contacts()
        .iter()
        .map(|contact| Touch::new(picture, world, contact, &measure))
        .filter(|touch| near.contains(touch.at))
        .collect();
    // Each neighbourhood of overlaps shows its deepest one.
    let open: Vec<&Touch<'_>> = seen.iter().filter(|touch| touch.contact.gap < 0.0).collect();
    let depths: Vec<(Pos2, f32)> = open.iter().map(|touch| (touch.at, -touch.contact.gap as f32)).collect();
    let overlapping: Vec<&Touch<'_>> =
        thinned(picture, &depths).into_iter().map(|index| open[index]).collect();
    if view.contacts {
        let mut glows = Glows::new(picture.painter.ctx(), run.extent());
        for touch in &overlapping {
            glows.add(picture, touch.at, touch.contact.gap, GLOW_SHARE * size);
        }
        glows.paint(picture);
    }
    if view.cones {
        cones(picture, &seen, model.hand.hover.cursor.map(|at| picture.at(at)));
    }
    if view.normals {
        let stroke = Stroke::new(1.0, picture.palette.text.gamma_multiply(0.7));
        for touch in &seen {
            picture.painter.line_segment([touch.at, touch.at + NORMAL * touch.normal], stroke);
        }
    }
    if view.impulses {
        let width = (ARROW_SHARE * scale.longest()).clamp(0.8, ARROW);
        // The forces on a selected body have a scale of their own.
        let opacity = if model.selected_in(run).is_some() { BESIDE_SELECTED } else { 1.0 };
        forces(picture, &seen, width, opacity);
    }
    if view.contacts {
        points(picture, &seen, (POINT_SHARE * size).clamp(1.0, POINT));
        for touch in &overlapping {
            overlap(picture, touch, view.magnification, BAR.min(BAR_SHARE * size));
        }
    }
}

/// The scale of the contacts' arrows.
pub(super) fn scale(picture: &Picture<'_>, model: &Model, run: &LiveRun) -> Scale {
    let size = picture.camera.length(median_size(run.world()));
    Scale::new(run.typical().contacts, size, model.view.arrows)
}

/// Scales by which contacts are drawn.
struct Measure {
    scale: Scale,
    /// Length of a step, s.
    h: f64,
    /// Speed above which a contact slides, m/s.
    sliding: f64,
}

/// The arrows of forces, of that width and opacity.
fn forces(picture: &Picture<'_>, seen: &[Touch<'_>], width: f32, opacity: f32) {
    let long: Vec<&Touch<'_>> = seen.iter().filter(|touch| touch.force.length() > SHORTEST).collect();
    let lengths: Vec<(Pos2, f32)> = long.iter().map(|touch| (touch.at, touch.size)).collect();
    for touch in thinned(picture, &lengths).into_iter().map(|index| long[index]) {
        arrow(
            picture.painter,
            touch.at,
            touch.force,
            Stroke::new(width, touch.color(picture).gamma_multiply(opacity)),
        );
    }
}

/// A contact on the screen.
struct Touch<'a> {
    contact: &'a ContactState,
    at: Pos2,
    normal: Vec2,
    /// (λ_n n + λ_t t)/h, points, cut off where it is too long.
    force: Vec2,
    /// Its size, N.
    size: f32,
    /// λ_n/h, points, cut off with the force.
    height: f32,
    slides: bool,
}

impl<'a> Touch<'a> {
    fn new(picture: &Picture<'_>, world: &World, contact: &'a ContactState, measure: &Measure) -> Self {
        let [along, across] = contact.impulse.map(|impulse| impulse / measure.h);
        // The tangent is the normal turned a quarter counter-clockwise.
        let force = along * contact.normal + across * contact.normal.perp();
        let (arrow, cut) = measure.scale.arrow(force);
        Self {
            contact,
            at: picture.at(contact.point),
            normal: vec2(contact.normal.x as f32, -contact.normal.y as f32),
            force: arrow,
            size: force.length() as f32,
            height: measure.scale.length(along, cut),
            slides: if is_driven(world, contact) {
                across.abs() >= WHOLE * contact.friction * along
            } else {
                slip(world, contact).abs() > measure.sliding
            },
        }
    }

    fn carries(&self) -> bool {
        self.contact.impulse[0] > 0.0
    }

    fn color(&self, picture: &Picture<'_>) -> Color32 {
        if self.slides { picture.palette.slide } else { picture.palette.stick }
    }
}

/// Whether one of the two surfaces runs round its body: what sticks to a belt moves past the body beneath it.
fn is_driven(world: &World, contact: &ContactState) -> bool {
    let mut sides = contact.id.bodies.into_iter().zip(contact.id.pieces);
    sides.any(|(body, piece)| world.body(body).is_some_and(|body| body.skin(piece).speed != 0.0))
}

/// How fast body b's point moves past body a's along the tangent, m/s.
fn slip(world: &World, contact: &ContactState) -> f64 {
    let [a, b] = contact.id.bodies.map(|body| {
        let frame = world.index_of(body).map(|index| world.frame(index));
        frame.map_or(DVec2::ZERO, |frame| frame.velocity_at(contact.point - frame.position))
    });
    contact.normal.perp_dot(b - a)
}

/// The cones in one mesh; where there are many, those near the pointer.
fn cones(picture: &Picture<'_>, seen: &[Touch<'_>], pointer: Option<Pos2>) {
    let carrying = || seen.iter().filter(|touch| touch.carries() && touch.height > SHORTEST);
    let all = carrying().count() <= MOST_CONES;
    let is_near = |touch: &&Touch<'_>| all || pointer.is_some_and(|at| at.distance(touch.at) < NEAR);
    let mut mesh = Mesh::default();
    for touch in carrying().filter(is_near) {
        let base = touch.at + touch.height * touch.normal;
        let half = (touch.contact.friction as f32).min(WIDEST) * touch.height * touch.normal.rot90();
        let first = mesh.vertices.len() as u32;
        for corner in [touch.at, base + half, base - half] {
            mesh.colored_vertex(corner, touch.color(picture).gamma_multiply(CONE));
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
    let mut squares = Mesh::default();
    for touch in seen {
        let color = if touch.carries() { touch.color(picture) } else { palette.weak.gamma_multiply(0.6) };
        // Small squares look like small circles and have two triangles, without a smoothed edge, in place of dozens.
        if radius < SQUARE_BELOW {
            squares.add_colored_rect(Rect::from_center_size(touch.at, Vec2::splat(2.0 * radius)), color);
        } else {
            painter.circle_filled(touch.at, radius, color);
        }
    }
    if !squares.is_empty() {
        painter.add(Shape::mesh(squares));
    }
}

/// The overlap of the bodies, as a line along the normal about the contact point, magnified like the joints' gaps.
fn overlap(picture: &Picture<'_>, touch: &Touch<'_>, magnification: f64, bar: f32) {
    let depth = picture.camera.length(-touch.contact.gap * magnification);
    if depth < VISIBLE || !depth.is_finite() {
        return;
    }
    let stroke = Stroke::new(OVERLAP, picture.palette.error);
    let half = 0.5 * depth * touch.normal;
    let bar = bar * touch.normal.rot90();
    let (from, to) = (touch.at - half, touch.at + half);
    picture.painter.line_segment([from, to], stroke);
    for end in [from, to] {
        picture.painter.line_segment([end - bar, end + bar], stroke);
    }
}
