//! The canvas: what is seen of the world, and what the mouse does there.
//!
//! It is painted through egui's painter like everything else, so that one set of coordinates serves drawing,
//! text and the mouse, and tests can drive it without a display. egui's own hit test decides at the press
//! whether a drag belongs to the canvas or to a panel above it.

mod bodies;
mod contacts;
mod drives;
mod grid;
mod joints;
mod overlay;
mod push;
mod stroke;

use super::camera::WHEEL_FACTOR;
use super::model::Model;
use super::pointer::{Button, Hold};
use egui_macroquad::egui::{self, CursorIcon, PointerButton, Rect, Sense};
use glam::DVec2;

/// Points that one notch of the wheel scrolls.
pub const NOTCH: f32 = 40.0;
/// Distance within which small bodies are picked, points.
const REACH: f64 = 8.0;

/// Draws the canvas in what the panels have left, and lets the mouse at the world.
pub fn show(ctx: &egui::Context, model: &mut Model) {
    let palette = model.view.palette();
    let frame = egui::Frame::NONE.fill(palette.background);
    egui::CentralPanel::default().frame(frame).show(ctx, |ui| {
        let rect = ui.max_rect();
        model.canvas = rect;
        if model.fit_due {
            model.fit();
        }
        let response = ui.interact(rect, ui.id().with("canvas"), Sense::drag());
        mouse(ui, model, &response, rect);
        paint(ui, model, rect);
    });
}

fn mouse(ui: &egui::Ui, model: &mut Model, response: &egui::Response, rect: Rect) {
    model.cursor = response.hover_pos().map(|at| model.camera.to_world(rect, at));
    model.aiming = response.hovered() && ui.input(|i| i.modifiers.ctrl);
    if let Some(at) = response.hover_pos().or(response.interact_pointer_pos()) {
        wheel(ui, model, rect, at);
    }
    if let Some(at) = response.interact_pointer_pos() {
        drag(ui, model, response, model.camera.to_world(rect, at));
    }
    if response.drag_stopped() {
        model.hold.release(&mut model.simulation);
    }
    let reach = REACH / model.camera.scale;
    let over_body = || model.cursor.and_then(|at| model.simulation.world.pick(at, reach)).is_some();
    match model.hold {
        Hold::View => ui.ctx().set_cursor_icon(CursorIcon::Move),
        Hold::Body { .. } => ui.ctx().set_cursor_icon(CursorIcon::PointingHand),
        Hold::Free if over_body() => ui.ctx().set_cursor_icon(CursorIcon::PointingHand),
        Hold::Free | Hold::Push | Hold::Nothing => {}
    }
}

/// The wheel zooms; while the mouse pushes it sets the strength, with Ctrl the reach.
fn wheel(ui: &egui::Ui, model: &mut Model, rect: Rect, at: egui::Pos2) {
    let push = &mut model.simulation.push;
    if model.aiming {
        push.turn_radius(notches(ui));
    } else if model.hold == Hold::Push {
        push.turn_strength(notches(ui));
    } else {
        let notches = ui.input(|i| i.smooth_scroll_delta.y) / NOTCH;
        if notches != 0.0 {
            model.camera.zoom(rect, at, WHEEL_FACTOR.powf(notches.into()));
        }
    }
}

/// Notches that the wheel has turned since the last frame: as they come, without egui's smoothing, and each
/// counts as one on every platform.
fn notches(ui: &egui::Ui) -> f64 {
    let turned = |event: &egui::Event| match event {
        egui::Event::MouseWheel { delta, .. } if delta.y != 0.0 => f64::from(delta.y.signum()),
        _ => 0.0,
    };
    ui.input(|i| i.events.iter().map(turned).sum())
}

/// A drag that began on the canvas: what it took hold of follows the world point `at`.
fn drag(ui: &egui::Ui, model: &mut Model, response: &egui::Response, at: DVec2) {
    let pressed = [
        (PointerButton::Primary, Button::Left),
        (PointerButton::Secondary, Button::Right),
        (PointerButton::Middle, Button::Middle),
    ];
    if let Some((_, button)) = pressed.into_iter().find(|(theirs, _)| response.drag_started_by(*theirs)) {
        let reach = REACH / model.camera.scale;
        let button = match button {
            Button::Left if ui.input(|i| i.modifiers.shift) => Button::ShiftLeft,
            other => other,
        };
        model.hold = Hold::press_in(button, &mut model.simulation, at, reach);
    }
    match model.hold {
        Hold::View => model.camera.pan(response.drag_delta()),
        Hold::Body { .. } | Hold::Push => model.hold.follow(&mut model.simulation, at),
        Hold::Free | Hold::Nothing => {}
    }
}

fn paint(ui: &egui::Ui, model: &Model, rect: Rect) {
    let painter = ui.painter_at(rect);
    let scene = Picture { painter: &painter, rect, camera: &model.camera, palette: model.view.palette() };
    if model.view.grid {
        grid::lines(&scene);
    }
    let world = &model.simulation.world;
    bodies::paint(&scene, world);
    if model.view.joints {
        joints::paint(&scene, world, model.view.magnification);
    }
    contacts::paint(&scene, world, &model.view, model.simulation.time_step);
    bodies::marks(&scene, world, &model.view);
    push::paint(&scene, model);
    joints::grab(&scene, world);
    if model.view.grid {
        grid::scale_bar(&scene);
    }
    overlay::paint(&scene, model);
}

/// What every part of the picture is drawn with.
struct Picture<'a> {
    painter: &'a egui::Painter,
    rect: Rect,
    camera: &'a super::camera::Camera,
    palette: &'a super::theme::Palette,
}

impl Picture<'_> {
    fn at(&self, world: DVec2) -> egui::Pos2 {
        self.camera.to_screen(self.rect, world)
    }
}
