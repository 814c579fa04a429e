//! What breaks at the end of a step: see `model/breaking.rs` for the law.

use super::workspace::Workspace;
use crate::model::joint::Unit;
use crate::model::{Breaking, ConstraintId, Joint, JointId, World};
use crate::report::{Break, StepReport};
use crate::stages::accounts::StepTotals;
use glam::DVec2;

/// Breaks what bore more than its limits in the last completed step of `workspace`; lists it there and in `report`.
pub(super) fn break_overloaded(world: &mut World, workspace: &mut Workspace, report: &mut StepReport) {
    let mut breaks = std::mem::take(&mut workspace.breaks);
    breaks.clear();
    find(world, &workspace.stages.totals, &mut breaks);
    for own in &breaks {
        world.break_off(own.part);
    }
    (report.broken, report.broke) = (breaks.len(), breaks.first().map(|own| own.part));
    workspace.breaks = breaks;
}

fn find(world: &World, totals: &StepTotals, breaks: &mut Vec<Break>) {
    let mut note = |part: ConstraintId, bodies: [usize; 2], anchor: DVec2, [force, torque]: [f64; 2]| {
        let frame = world.frame(bodies[1]);
        let at = frame.position + frame.rotation.apply(anchor);
        breaks.push(Break { part, bodies: bodies.map(|body| world.body_ids()[body]), at, force, torque });
    };
    for (joint, id) in world.joints_if(|any| any.breaking).iter().zip(world.joint_ids()) {
        let Some(breaking) = joint.breaking.filter(|_| !joint.broken) else { continue };
        let [_, anchor] = joint.kind.anchors();
        let reaction @ [force, torque] = reaction(world, totals, (joint, *id));
        if breaking.is_passed(force, torque) {
            note(ConstraintId::Joint(*id), joint.bodies(), anchor, reaction);
        } else if let (Some(most), Some(motor)) = (breaking.motor, totals.done.of(ConstraintId::Motor(*id)))
        {
            let driven = (motor.multipliers[0] / totals.elapsed).abs();
            if driven > most {
                let turns = driven_unit(world, joint) == Unit::Radian;
                let [force, torque] = if turns { [0.0, driven] } else { [driven, 0.0] };
                note(ConstraintId::Motor(*id), joint.bodies(), anchor, [force, torque]);
            }
        }
    }
    for (spring, id) in world.springs().iter().zip(world.spring_ids()) {
        let Some(breaking) = spring.breaking.filter(|_| !spring.broken) else { continue };
        let Some(impulse) = totals.done.of(ConstraintId::Spring(*id)) else { continue };
        let force = impulse.on_bodies[1].truncate().length() / totals.elapsed;
        let torsional = spring.rest_angle.is_some();
        let torque = if torsional { impulse.multipliers[0].abs() / totals.elapsed } else { 0.0 };
        if Breaking::is_passed(&breaking, force, torque) {
            note(ConstraintId::Spring(*id), spring.bodies(), spring.anchors[1], [force, torque]);
        }
    }
}

/// The unit of the coordinate that a joint's motor drives.
fn driven_unit(world: &World, joint: &Joint) -> Unit {
    joint.driven(|body| world.frame(body)).map_or(Unit::Metre, |(x, _)| x.unit)
}

/// The sizes of the mean force (N) and torque (N m) of a joint with its motor and limits over the last completed step.
fn reaction(world: &World, totals: &StepTotals, (joint, id): (&Joint, JointId)) -> [f64; 2] {
    let frame = |body: usize| world.frame(body);
    let (mut force, mut torque) = (DVec2::ZERO, 0.0);
    if let Some(impulse) = totals.done.of(ConstraintId::Joint(id)) {
        force += impulse.on_bodies[1].truncate();
        let mut multipliers = impulse.multipliers.into_iter();
        joint.equations(frame, |row, _| {
            let lambda = multipliers.next().unwrap_or_default();
            torque += if row.unit == Unit::Radian { lambda * row.jb.z } else { 0.0 };
        });
    }
    if let Some((x, _)) = joint.coordinate(frame) {
        for (part, sign) in [
            (ConstraintId::Motor(id), 1.0),
            (ConstraintId::LowerLimit(id), 1.0),
            (ConstraintId::UpperLimit(id), -1.0),
        ] {
            let Some(impulse) = totals.done.of(part) else { continue };
            force += impulse.on_bodies[1].truncate();
            torque += if x.unit == Unit::Radian { sign * impulse.multipliers[0] * x.jb.z } else { 0.0 };
        }
    }
    [force.length() / totals.elapsed, f64::abs(torque) / totals.elapsed]
}
