//! Building on the stage: the mouse selects, moves, turns and scales, and what is selected is outlined, with handles.

use super::Picture;
use super::bodies::emphasize;
use crate::app::screen::OnScreen;
use crate::model::World;
use crate::workbench::editor::item::{self, Item};
use crate::workbench::editor::shapes::corners;
use crate::workbench::editor::snap::Snap;
use crate::workbench::editor::toolbox::Drawn;
use crate::workbench::editor::{EditorIntent, Handle, Stroke};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::stage::outline::boundary;
use egui_macroquad::egui::{self, CursorIcon, PointerButton, Pos2, Rect, Stroke as Pen, vec2};
use glam::DVec2;

/// Distance within which an item is picked, points.
const REACH: f64 = 18.0;
/// Distance within which a point snaps to another one, points.
const NEAR: f64 = 9.0;
/// Share of the grid's lines to which points snap.
const SHARE: f64 = 0.5;
/// Distance of the box around the selection from it, and of the turning handle from the box, points.
const AROUND: f32 = 9.0;
const ABOVE: f32 = 20.0;
/// Size of a handle, and distance within which it is taken, points.
const HANDLE: f32 = 5.0;
const TAKEN: f32 = 10.0;
/// Widths of the lines round what is selected and what is pointed at, points.
const SELECTED: f32 = 2.6;
const POINTED: f32 = 1.6;
/// Radius of a point that was clicked, points.
const POINT: f32 = 3.0;
/// Radius of the ring round the anchor of a selected joint, points.
const RING: f32 = 9.0;

/// To what points snap at the present view, unless Alt is held.
fn snap(ui: &egui::Ui, model: &Model) -> Snap {
    let snap = picture_snap(model);
    if ui.input(|i| i.modifiers.alt) { Snap { grid: 0.0, ..snap } } else { snap }
}

fn picture_snap(model: &Model) -> Snap {
    let grid = if model.build.snaps { SHARE * model.sight.camera.grid_step() } else { 0.0 };
    Snap { grid, reach: NEAR / model.sight.camera.scale }
}

/// The left button goes down, or the cursor moves while it is down; `at` is its point in the world, m.
pub(super) fn drag(
    ui: &egui::Ui,
    model: &Model,
    response: &egui::Response,
    at: DVec2,
    intents: &mut Intents,
) {
    if response.drag_started_by(PointerButton::Primary) {
        let cursor = response.interact_pointer_pos();
        let handle = cursor
            .filter(|_| model.build.tool.is_none())
            .and_then(|cursor| handle_at(model, model.pane_rect(model.sight.aim), cursor));
        intents.push(match handle {
            Some(handle) => Intent::Editor(EditorIntent::Hold { handle, at }),
            None => press(ui, model, at),
        });
    } else if response.dragged_by(PointerButton::Primary) {
        intents.push(Intent::Editor(EditorIntent::Drag { to: at, snap: snap(ui, model) }));
    }
}

/// The left button goes down at a point of the world, m.
pub(super) fn press(ui: &egui::Ui, model: &Model, at: DVec2) -> Intent {
    let adds = ui.input(|i| i.modifiers.shift || i.modifiers.ctrl);
    Intent::Editor(EditorIntent::Press {
        at,
        reach: REACH / model.sight.camera.scale,
        adds,
        snap: snap(ui, model),
    })
}

/// The handles of the selection with their places on the screen, those at its points first; and the box around selected bodies.
fn handles(model: &Model, rect: Rect) -> (Option<Rect>, Vec<(Handle, Pos2)>) {
    if model.build.tool.is_some() {
        return (None, Vec::new());
    }
    let world = model.aimed_at().world();
    let screen = |at: DVec2| model.sight.camera.to_screen(rect, at);
    let mut handles: Vec<(Handle, Pos2)> = match model.build.selection.as_slice() {
        [Item::Body(id)] => world.body(*id).map_or_else(Vec::new, |body| {
            corners(body).map(|(corner, at)| (Handle::Corner(corner), screen(at))).collect()
        }),
        [item] => match *item::places(world, *item) {
            [a, b] if a != b => vec![(Handle::End(0), screen(a)), (Handle::End(1), screen(b))],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let around = model.selected_box().filter(|_| !model.selected_bodies().is_empty());
    let around = around.map(|[low, high]| Rect::from_two_pos(screen(low), screen(high)).expand(AROUND));
    handles.extend(around.into_iter().flat_map(|around| {
        let turn = around.center_top() - vec2(0.0, ABOVE);
        [(Handle::Turn, turn), (Handle::Grow, around.right_bottom())]
    }));
    (around, handles)
}

fn handle_at(model: &Model, rect: Rect, cursor: Pos2) -> Option<Handle> {
    let (_, handles) = handles(model, rect);
    let near = handles.into_iter().map(|(handle, place)| (handle, place.distance(cursor)));
    let near = near.filter(|(_, distance)| *distance <= TAKEN);
    near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(handle, _)| handle)
}

/// The shape of the cursor over the stage.
pub(super) fn cursor(model: &Model) -> CursorIcon {
    let over_handle = model.hand.hover.cursor.and_then(|at| {
        let rect = model.pane_rect(model.sight.aim);
        handle_at(model, rect, model.sight.camera.to_screen(rect, at))
    });
    match (model.build.stroke, over_handle) {
        (Stroke::Move { .. } | Stroke::Bend(_), _) | (_, Some(Handle::End(_) | Handle::Corner(_))) => {
            CursorIcon::Move
        }
        (Stroke::Turn { .. } | Stroke::Grow { .. }, _) | (_, Some(_)) => CursorIcon::ResizeNwSe,
        _ => CursorIcon::Crosshair,
    }
}

/// The outlines of what is selected and of what is pointed at, the handles, and the frame that is being drawn.
pub(super) fn paint(picture: &Picture<'_>, model: &Model, world: &World) {
    let palette = picture.palette;
    let idle = model.build.stroke == Stroke::None && model.build.tool.is_none();
    ghost(picture, model, world);
    let pointed = model.hand.hover.cursor.filter(|_| idle);
    let pointed = pointed.and_then(|at| item::pick(world, at, REACH / model.sight.camera.scale));
    if let Some(item) = pointed.filter(|item| !model.build.selection.contains(item)) {
        outline(picture, world, item, Pen::new(POINTED, palette.text.gamma_multiply(0.6)));
    }
    for item in &model.build.selection {
        outline(picture, world, *item, Pen::new(SELECTED, palette.accent));
    }
    let (around, handles) = handles(model, picture.rect);
    let edge = Pen::new(1.6, palette.accent);
    if let Some(around) = around {
        let line = Pen::new(1.0, palette.accent.gamma_multiply(0.7));
        let corners = [
            around.left_top(),
            around.right_top(),
            around.right_bottom(),
            around.left_bottom(),
            around.left_top(),
        ];
        picture.painter.extend(egui::Shape::dashed_line(&corners, line, 4.0, 4.0));
        picture.painter.line_segment([around.center_top(), around.center_top() - vec2(0.0, ABOVE)], line);
    }
    for (handle, at) in handles {
        match handle {
            Handle::Turn => drop(picture.painter.circle(at, HANDLE, palette.background, edge)),
            Handle::End(_) | Handle::Corner(_) => {
                picture.painter.circle(at, POINT + 1.0, palette.background, edge);
            }
            Handle::Grow => {
                let square = Rect::from_center_size(at, vec2(2.0, 2.0) * HANDLE);
                picture.painter.rect(square, 1.0, palette.background, edge, egui::StrokeKind::Middle);
            }
        }
    }
    if let Stroke::Frame { from, to, .. } = model.build.stroke {
        let frame = Rect::from_two_pos(picture.at(from), picture.at(to));
        picture.painter.rect_filled(frame, 0.0, palette.accent.gamma_multiply(0.08));
        picture.painter.rect_stroke(frame, 0.0, Pen::new(1.0, palette.accent), egui::StrokeKind::Middle);
    }
}

/// What the tool would place: at the cursor, or as it is being drawn.
fn ghost(picture: &Picture<'_>, model: &Model, world: &World) {
    let Some(tool) = model.build.placing() else { return };
    let cursor = model.hand.hover.cursor.map(|at| picture_snap(model).point(world, at, &[]));
    let points: Vec<DVec2> = match model.build.stroke {
        Stroke::Place { from, to } => vec![from, to],
        _ => model.build.points.iter().copied().chain(cursor).collect(),
    };
    let pen = Pen::new(POINTED, picture.palette.accent);
    for point in &points {
        picture.painter.circle_filled(picture.at(*point), POINT, picture.palette.accent);
    }
    if tool.drawn == Drawn::Points {
        picture.painter.line(points.iter().map(|point| picture.at(*point)).collect(), pen);
    }
    // Less than a polygon is only its points.
    let Ok(edit) = tool.edit(model.placed(&points)) else { return };
    let mut with = world.clone();
    for item in edit.carry_out(&mut with).unwrap_or_default() {
        outline(picture, &with, item, pen);
    }
}

/// A line round a body, rings round the anchors of a joint or a spring and a line between them.
fn outline(picture: &Picture<'_>, world: &World, item: Item, pen: Pen) {
    if let Some(body) = item.body() {
        let Some(body) = world.body(body) else { return };
        emphasize(picture, body, pen);
        for (point, normal) in body.shapes().iter().filter_map(boundary) {
            let [at, tip] = [point, point + normal].map(|local| picture.at(body.point_in_world(local)));
            let along = (tip - at).rot90().normalized() * picture.rect.size().length();
            picture.painter.line_segment([at - along, at + along], pen);
        }
        if body.shapes().is_empty() {
            picture.painter.circle_stroke(picture.at(body.pose.position), RING, pen);
        }
        return;
    }
    let places: Vec<Pos2> = item::places(world, item).into_iter().map(|place| picture.at(place)).collect();
    for place in &places {
        picture.painter.circle_stroke(*place, RING, pen);
    }
    if let [a, b] = places.as_slice()
        && a.distance(*b) > 2.0 * RING
    {
        picture.painter.line_segment([*a, *b], Pen::new(pen.width, pen.color.gamma_multiply(0.4)));
    }
}
