//! Constraints on the canvas that belong to rows of the solve: which one the pointer is at, and the highlight of the one that is
//! hovered or chosen in the table.

use super::Picture;
use crate::model::World;
use crate::report::ConstraintId;
use crate::workbench::editor::item::{self, Item};
use crate::workbench::model::Model;
use crate::workbench::runs::force_balance::held_point;
use crate::workbench::stage::framing::anchor_in_world;
use crate::workbench::stage::outline;
use crate::workbench::view_state::plot_view::Tab;
use crate::workbench::view_state::solve_view::{RowKey, SolveView};
use egui_macroquad::egui::{Pos2, Shape, Stroke};
use glam::DVec2;

/// Distance within which a joint or contact is found, points.
const REACH: f64 = 9.0;
/// Radius of the ring, points.
const RING: f32 = 9.0;
/// Width of ring and outlines, points.
const LINE: f32 = 2.2;

/// The joint, spring or contact nearest to the pointer on the canvas, while the solve is open.
pub(crate) fn under_cursor(model: &Model) -> Option<ConstraintId> {
    let cursor = model.hand.hover.cursor.filter(|_| model.shown.plot.tab == Tab::Solver)?;
    let solved = model.run().solved()?;
    let reach = REACH / model.sight.camera.scale;
    let mut nearest = None;
    for row in solved.opened.rows() {
        for point in points(model.run().world(), row.constraint) {
            let distance = point.distance(cursor);
            if distance <= nearest.map_or(reach, |(least, _)| least) {
                nearest = Some((distance, row.constraint));
            }
        }
    }
    nearest.map(|(_, constraint)| constraint)
}

/// The solve after a click on the canvas: the first row of the constraint there is chosen, or no longer if it was.
pub(super) fn chosen_by_click(model: &Model) -> Option<SolveView> {
    let constraint = under_cursor(model)?;
    let solved = model.run().solved()?;
    let row = solved.opened.rows().iter().find(|row| row.constraint == constraint)?;
    let was_chosen = model.shown.solve.chosen.is_some_and(|key| key.constraint == constraint);
    let chosen = (!was_chosen).then(|| RowKey::from(row));
    Some(SolveView { chosen, ..model.shown.solve })
}

/// Where a constraint acts, m; nowhere in particular where that is not a point.
fn points(world: &World, constraint: ConstraintId) -> Vec<DVec2> {
    let ends = |bodies: [usize; 2], anchors: [DVec2; 2]| {
        [0, 1].map(|end| anchor_in_world(world, bodies[end], anchors[end])).to_vec()
    };
    if let Some(id) = constraint.joint() {
        return item::places(world, Item::Joint(id));
    }
    match constraint {
        ConstraintId::Spring(id) => {
            world.spring(id).map_or_else(Vec::new, |spring| ends(spring.bodies(), spring.anchors))
        }
        ConstraintId::Grab => held_point(world).into_iter().collect(),
        ConstraintId::Contact(id) => world.contact(id).map(|contact| contact.point).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The highlight of the hovered or chosen row's constraint: both bodies outlined, its points ringed.
pub(super) fn paint(picture: &Picture<'_>, model: &Model) {
    if model.shown.plot.tab != Tab::Solver {
        return;
    }
    let Some(solved) = model.run().solved() else { return };
    let pointed = under_cursor(model);
    let Some(linked) = pointed.or_else(|| model.shown.solve.linked()) else { return };
    let Some(row) = solved.opened.rows().iter().find(|row| row.constraint == linked) else { return };
    let world = model.run().world();
    let stroke = Stroke::new(LINE, picture.palette.accent);
    let [a, b] = row.bodies;
    let bodies = if a == b { vec![b] } else { vec![a, b] };
    for body in bodies.into_iter().filter_map(|id| world.body(id)) {
        for placed in body.shapes() {
            let screen = |points: Vec<DVec2>| -> Vec<Pos2> {
                points.into_iter().map(|point| picture.at(body.point_in_world(point))).collect()
            };
            picture.painter.add(Shape::closed_line(screen(outline::closed(placed)), stroke));
            picture.painter.add(Shape::line(screen(outline::open(placed)), stroke));
        }
    }
    let color = picture.palette.text;
    for point in points(world, linked) {
        picture.painter.circle_stroke(picture.at(point), RING, Stroke::new(LINE, color));
    }
}
