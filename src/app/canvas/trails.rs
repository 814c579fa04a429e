//! Trails: the paths of points, and the outlines of the moving bodies at regular moments of the past, as in
//! [Cline & Pai 2003, fig. 2]. Both fade with their age.

use super::super::format::round_down;
use super::super::intent::Selected;
use super::super::model::Model;
use super::super::simulation::Simulation;
use super::super::trail::Past;
use super::Picture;
use super::bodies::{Place, outlines};
use egui_macroquad::egui::{Color32, Mesh, Pos2, Shape, Stroke};
use glam::DVec2;

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
/// Most straight parts of all paths together.
const MOST_PARTS: usize = 4_000;
/// Most frames of a path, if they are of all bodies: three seconds.
const FRAMES: usize = 180;
/// Shortest straight part that is drawn, points.
const SHORTEST: f32 = 0.5;

/// What of the past is shown.
pub(super) fn paint(picture: &Picture<'_>, model: &Model, run: &Simulation) {
    if model.view.outlines {
        outlines_of_the_past(picture, model, run);
    }
    if model.view.trails {
        paths(picture, model, run);
    }
}

fn outlines_of_the_past(picture: &Picture<'_>, model: &Model, run: &Simulation) {
    let world = run.world();
    let spacing = round_down(SPACING * model.player.speed);
    // The last state before each multiple of the spacing, so that an outline stays where it was first drawn.
    let mut seen = (world.time / spacing).floor();
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
            for points in outlines(picture, body, &Place::at(body, *pose)) {
                picture.painter.line(points, stroke);
            }
        }
    }
}

fn paths(picture: &Picture<'_>, model: &Model, run: &Simulation) {
    let world = run.world();
    // The points whose paths are drawn, in the frames of their bodies.
    let clicked = model.selected.zip(model.selected_in(run));
    let points: Vec<(usize, DVec2)> = match clicked {
        Some((Selected { at, .. }, index)) => vec![(index, at)],
        None => {
            let moving = world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic());
            moving.map(|(index, body)| (index, body.mass_properties().center)).collect()
        }
    };
    let frames = if clicked.is_some() { MOST_PARTS } else { FRAMES.min(MOST_PARTS / points.len().max(1)) };
    let past: Vec<&Past> = run.trail().before(world).take(frames).collect();
    let mut mesh = Mesh::default();
    for (index, local) in points {
        let Some(body) = world.bodies().get(index) else { continue };
        let color = picture.palette.body(index);
        let mut last = Place::of(body).to_screen(picture, local);
        for (age, frame) in past.iter().enumerate() {
            let Some(pose) = frame.poses.get(index) else { break };
            let at = Place::at(body, *pose).to_screen(picture, local);
            if at.distance(last) < SHORTEST {
                continue;
            }
            let opacity = NEWEST_PATH * (1.0 - age as f32 / past.len() as f32);
            part(&mut mesh, [last, at], color.gamma_multiply(opacity));
            last = at;
        }
    }
    if !mesh.is_empty() {
        picture.painter.add(Shape::mesh(mesh));
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
