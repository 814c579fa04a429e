//! Arrows of forces: those of all joints, and every force on the selected body with the m a that they add up to.

use super::Picture;
use super::arrows::{Scale, median_size, thinned};
use super::stroke::arrow;
use crate::model::World;
use crate::report::{ConstraintId, ConstraintImpulse};
use crate::workbench::model::Model;
use crate::workbench::runs::force_balance::Account;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::framing::anchor_in_world;
use egui_macroquad::egui::{Align2, FontId, Id, Pos2, Stroke, Vec2};

/// Arrows shorter than this are left out, points.
const SHORTEST: f32 = 1.5;
/// Width of a joint's arrow, points.
const JOINT: f32 = 1.5;
/// Length of a joint's arrow in sizes of a body, for the typical force.
const LONGER: f32 = 1.5;
/// Width of the arrows on the selected body, and of m a, points.
const SELECTED: f32 = 2.0;
const SUM: f32 = 3.2;
/// Longest arrow on the selected body, points.
const LENGTH: f32 = 120.0;
/// Real seconds in which the scale of these arrows changes.
const CHANGE: f32 = 0.25;

/// The forces of the joints on their second bodies, if they are shown.
pub(super) fn of_joints(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    let Some(account) = run.account().filter(|_| model.view.joint_forces) else { return };
    let world = run.world();
    let scale = scale_of_joints(picture, model, run);
    let arrows = joint_arrows(picture, account, world, scale);
    let stroke = Stroke::new(JOINT, picture.palette.accent);
    let lengths: Vec<(Pos2, f32)> = arrows.iter().map(|(at, tip)| (*at, tip.length())).collect();
    for (at, tip) in thinned(picture, &lengths).into_iter().map(|index| arrows[index]) {
        arrow(picture.painter, at, tip, stroke);
    }
}

/// The scale of the joints' arrows.
pub(super) fn scale_of_joints(picture: &Picture<'_>, model: &Model, run: &LiveRun) -> Scale {
    let size = LONGER * picture.camera.length(median_size(run.world()));
    Scale::new(run.typical().joints, size, model.view.arrows)
}

/// Where the joints' arrows begin and how they point.
fn joint_arrows(
    picture: &Picture<'_>,
    account: &Account,
    world: &World,
    scale: Scale,
) -> Vec<(Pos2, Vec2)> {
    let of = |impulse: &ConstraintImpulse| {
        let (ConstraintId::Joint(id) | ConstraintId::LowerLimit(id) | ConstraintId::UpperLimit(id)) =
            impulse.constraint
        else {
            return None;
        };
        let joint = world.joint(id)?;
        let at = picture.at(anchor_in_world(world, joint.bodies()[1], joint.kind.anchors()[1]));
        let (tip, _) = scale.arrow(impulse.on_bodies[1].truncate() / account.duration());
        (tip.length() > SHORTEST && picture.rect.expand(scale.longest()).contains(at)).then_some((at, tip))
    };
    account.impulses().iter().filter_map(of).collect()
}

/// Every force on the selected body, and m a at its centre of mass.
pub(super) fn of_selected(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    let world = run.world();
    let Some((index, account)) = model.selected_in(run).zip(run.account()) else { return };
    let Some(body) = world.bodies().get(index) else { return };
    let text = picture.palette.text;
    let forces = account.forces(world, index);
    let moved = account.inertial_force(index).truncate();
    let sizes = forces.iter().map(|force| force.value.truncate().length()).chain([moved.length()]);
    let scale = Scale::uncut(reference(picture, sizes.fold(0.0, f64::max)), LENGTH);
    for force in &forces {
        let (tip, _) = scale.arrow(force.value.truncate());
        if tip.length() > SHORTEST {
            let stroke = Stroke::new(SELECTED, picture.palette.force(force.source));
            arrow(picture.painter, picture.at(force.at), tip, stroke);
        }
    }
    let (tip, _) = scale.arrow(moved);
    if tip.length() > SHORTEST {
        let center = picture.at(body.pose.position);
        arrow(picture.painter, center, tip, Stroke::new(SUM, text));
        let beyond = center + tip + 9.0 * tip.normalized();
        picture.painter.text(beyond, Align2::CENTER_CENTER, "m a", FontId::proportional(12.0), text);
    }
}

/// The force of the longest arrow, N: the next power of two above the largest force, so that the scale seldom changes, and then
/// smoothly.
fn reference(picture: &Picture<'_>, largest: f64) -> f64 {
    if !(largest.is_finite() && largest > 0.0) {
        return 0.0;
    }
    let power = largest.log2().ceil() as f32;
    let shown =
        picture.painter.ctx().animate_value_with_time(Id::new("force of the longest arrow"), power, CHANGE);
    f64::from(shown).exp2()
}
