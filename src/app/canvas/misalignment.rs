//! Errors of a joint that are no gap between its anchors: angles of welds and sliders, limits that are passed.
//!
//! An angle counts as the length by which it moves what hangs on the joint:
//!
//! ```text
//! e = |g| r ,     g in rad ,  r the largest reach of a body that moves from the joint: the lever arm
//! ```
//!
//! The plots show such errors in rad, as if the lever were 1 m.

use crate::model::joint::Unit;
use crate::model::{Joint, JointKind, Piece, World};

/// The largest such error of a joint, m.
pub(super) fn beyond_the_gap(world: &World, joint: &Joint) -> f64 {
    let frame = |body: usize| world.frame(body);
    let lever = lever(world, joint);
    let length = |error: f64, unit: Unit| match unit {
        Unit::Radian => error * lever,
        Unit::Metre => error,
        // The length of a rod is part of its gap.
        Unit::SquareMetre => 0.0,
    };
    let mut largest: f64 = 0.0;
    // Of these nothing is seen apart.
    let gear = matches!(joint.kind, JointKind::Gear(_) | JointKind::Pulley(_));
    let is_rope = matches!(joint.kind, JointKind::Rope(_)); // its excess is part of its gap
    joint.equations(frame, |equation, _| {
        if joint.is_rigid() && (equation.unit == Unit::Radian || gear) {
            largest = largest.max(length(equation.g.abs(), equation.unit));
        }
    });
    if let (Some([lower, upper]), Some((free, _))) =
        (joint.rigid_limits().filter(|_| !is_rope), joint.coordinate(frame))
    {
        let value = free.g - joint.zero;
        let passed = (lower - value).max(value - upper).max(0.0);
        largest = largest.max(length(passed, free.unit));
    }
    largest
}

/// Largest distance from a joint that a body which moves can reach, m: to its centre, or within its shapes beyond it.
fn lever(world: &World, joint: &Joint) -> f64 {
    let ends = joint.kind.anchors().into_iter().zip(joint.bodies());
    let moving = ends.filter_map(|(anchor, body)| {
        let body = world.bodies().get(body).filter(|body| body.is_dynamic())?;
        let radius = body.pieces().iter().map(Piece::bounding_radius).fold(0.0, f64::max);
        Some(anchor.length().max(radius))
    });
    moving.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::beyond_the_gap;
    use crate::model::World;
    use crate::scene::catalogue;

    fn world(key: &str) -> World {
        catalogue::find(key).and_then(|entry| entry.scene().ok()).expect("a shipped scene").world
    }

    fn turn(world: &mut World, body: usize, angle: f64) {
        let id = world.id_of(body).expect("a body");
        world.edit_body(id, |body| body.pose.angle = angle).expect("a finite angle");
    }

    fn error(world: &World, joint: usize) -> f64 {
        beyond_the_gap(world, &world.joints()[joint])
    }

    /// A beam of 1.8 m that is welded at its left end to a wall, 0.9 m from its centre, and turned by 1 mrad about that end: its
    /// anchors still coincide, and the weld's error is 1 mrad times the lever, at least the 0.9 m to the centre.
    #[test]
    fn an_angle_counts_by_its_lever() {
        let mut turned = world("two-wall-weld");
        assert!(error(&turned, 0) < 1e-12);
        let beam = turned.joints()[0].bodies()[1];
        let level = turned.bodies()[beam].pose.angle;
        turn(&mut turned, beam, level + 1e-3);
        let lever = error(&turned, 0) / 1e-3;
        // The corner of the beam is √(0.9² + 0.08²) m from its centre.
        assert!((0.9 - 1e-9..=0.82_f64.sqrt()).contains(&lever), "{lever}");
        // Hinges have no angle to keep.
        assert_eq!(error(&turned, 2), 0.0);
    }

    /// A limit glows once it is passed, by the angle beyond it.
    #[test]
    fn a_passed_limit_counts() {
        let mut bent = world("ragdoll");
        let limited = bent.joints().iter().position(|joint| joint.limits.is_some()).expect("a limit");
        let (head, upper) =
            (bent.joints()[limited].bodies()[1], bent.joints()[limited].limits.expect("one")[1]);
        let at_rest = bent.bodies()[head].pose.angle;
        turn(&mut bent, head, at_rest + upper);
        assert!(error(&bent, limited) < 1e-12);
        turn(&mut bent, head, at_rest + upper + 1e-2);
        let small = error(&bent, limited);
        turn(&mut bent, head, at_rest + upper + 2e-2);
        assert!(small > 1e-4 && (error(&bent, limited) / small - 2.0).abs() < 1e-9);
    }
}
