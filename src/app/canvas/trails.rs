//! Trails: the paths of points, and the outlines of the moving bodies at regular moments of the past, as in
//! [Cline & Pai 2003, fig. 2]. Both fade with their age.

use super::Picture;
use super::bodies::{ScreenPose, outlines};
use crate::model::{Body, Frame};
use crate::workbench::intent::Selected;
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::trail::Past;
use crate::workbench::text::format::round_down;
use egui_macroquad::egui::{Color32, Mesh, Pos2, Shape, Stroke, Vec2, vec2};
use glam::{DVec2, DVec3};

/// Time between two outlines at the speed of real time, s.
const SPACING: f64 = 0.1;
/// Number of outlines of a body.
const OUTLINES: usize = 14;
/// Most bodies of which outlines are drawn.
const MOST_BODIES: usize = 120;
/// Width of an outline and of a path, points.
const OUTLINE: f32 = 1.2;
const PATH: f32 = 1.6;
/// Opacity of the newest outline and of the newest part of a path.
const NEWEST_OUTLINE: f32 = 0.55;
const NEWEST_PATH: f32 = 0.9;
/// Most frames of all paths together.
const MOST_FRAMES: usize = 4_000;
/// How far a path goes back at the speed of real time, of all bodies and of one, s.
const PATH_OF_ALL: f64 = 2.0;
const PATH_OF_ONE: f64 = 8.0;
/// Length of a straight part, points, and the largest number of them between two frames.
const PART: f32 = 4.0;
const PARTS: f32 = 8.0;
/// Shortest straight part that is drawn, points.
const SHORTEST: f32 = 0.5;

/// What of the past is shown.
pub(super) fn paint(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    if model.view.outlines {
        outlines_of_the_past(picture, model, run);
    }
    if model.view.trails {
        paths(picture, model, run);
    }
}

fn outlines_of_the_past(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    let world = run.world();
    let spacing = round_down(SPACING * model.runs.player.speed);
    // The last state before each multiple of the spacing, so that an outline stays where it was first drawn.
    let mut seen = (world.time() / spacing).floor();
    let mut moments: Vec<&Past> = Vec::new();
    for past in run.trail().before(world) {
        let number = (past.time / spacing).floor();
        if number < seen {
            moments.push(past);
            seen = number;
        }
        if moments.len() == OUTLINES {
            break;
        }
    }
    // The oldest first, so that newer ones lie above.
    for (age, past) in moments.into_iter().enumerate().rev() {
        let opacity = NEWEST_OUTLINE * (1.0 - age as f32 / OUTLINES as f32);
        let moving = world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic());
        for (index, body) in moving.take(MOST_BODIES) {
            let Some(pose) = past.poses.get(index) else { continue };
            let stroke = Stroke::new(OUTLINE, picture.palette.body(index).gamma_multiply(opacity));
            for points in outlines(picture, body, &ScreenPose::at(body, *pose)) {
                picture.painter.line(points, stroke);
            }
        }
    }
}

fn paths(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    let world = run.world();
    // The points whose paths are drawn, in the frames of their bodies.
    let clicked = model.hand.selected.zip(model.selected_in(run));
    let points: Vec<(usize, DVec2)> = match clicked {
        Some((Selected { at, .. }, index)) => vec![(index, at)],
        None => {
            let moving = world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic());
            moving.map(|(index, body)| (index, body.mass_properties().center)).collect()
        }
    };
    let lasts = model.runs.player.speed * if clicked.is_some() { PATH_OF_ONE } else { PATH_OF_ALL };
    let most = MOST_FRAMES / points.len().max(1);
    let past = run.trail().before(world).take_while(|past| world.time() - past.time < lasts).take(most);
    let past: Vec<&Past> = past.collect();
    let mut mesh = Mesh::default();
    for (index, local) in points {
        let Some(body) = world.bodies().get(index) else { continue };
        let color = picture.palette.body(index);
        let state = (body.pose.coordinates(), world.velocity_of(index), world.time());
        let mut last = PathPoint::new(picture, body, local, state);
        for frame in &past {
            let (Some(pose), Some(velocity)) = (frame.poses.get(index), frame.velocities.get(index)) else {
                break;
            };
            let before = PathPoint::new(picture, body, local, (*pose, *velocity, frame.time));
            if before.at.distance(last.at) < SHORTEST {
                continue;
            }
            let fading = |time: f64| NEWEST_PATH * (1.0 - ((world.time() - time) / lasts) as f32).max(0.0);
            let mut from = last.at;
            let parts = (before.at.distance(last.at) / PART).ceil().clamp(1.0, PARTS) as u16;
            for i in 1..=parts {
                let (at, time) = last.toward(&before, f64::from(i) / f64::from(parts));
                part(&mut mesh, [from, at], color.gamma_multiply(fading(time)));
                from = at;
            }
            last = before;
        }
    }
    if !mesh.is_empty() {
        picture.painter.add(Shape::mesh(mesh));
    }
}

/// A point of a path on the screen, with its rate (points/s) and its time, s.
struct PathPoint {
    at: Pos2,
    rate: Vec2,
    time: f64,
}

impl PathPoint {
    /// The point `local` of the body's frame at that pose, velocity and time.
    fn new(
        picture: &Picture<'_>,
        body: &Body,
        local: DVec2,
        (pose, velocity, time): (DVec3, DVec3, f64),
    ) -> Self {
        let at = ScreenPose::at(body, pose).to_screen(picture, local);
        let frame = Frame::new(pose, velocity);
        let arm = frame.rotation.apply(local - body.mass_properties().center);
        let rate = picture.camera.scale * frame.velocity_at(arm);
        Self { at, rate: vec2(rate.x as f32, -rate.y as f32), time }
    }

    /// The point at a share of the way to `other`, and its time: the cubic through both with both their rates, which frames apart
    /// by several steps would otherwise cut.
    fn toward(&self, other: &Self, share: f64) -> (Pos2, f64) {
        let span = (other.time - self.time) as f32;
        let s = share as f32;
        let (a, b) = (s * s * (3.0 - 2.0 * s), span * s * (1.0 - s));
        let at = self.at.lerp(other.at, a) + b * ((1.0 - s) * self.rate - s * other.rate);
        (at, self.time + share * (other.time - self.time))
    }
}

/// A straight part of a path, as a thin rectangle.
fn part(mesh: &mut Mesh, [from, to]: [Pos2; 2], color: Color32) {
    let side = 0.5 * PATH * (to - from).normalized().rot90();
    let first = mesh.vertices.len() as u32;
    for corner in [from + side, from - side, to - side, to + side] {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}
