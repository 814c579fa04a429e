//! How a constraint acts on its bodies: at which point, along which direction, with which couple. Recorded impulses
//! give this beside the multipliers.
//!
//! With Jᵢ = (dᵢ, mᵢ) the share of body b in row i (d the part of the velocity, m that of the angular velocity),
//! ```text
//! n = d₁/|d₁|                  where exactly one row has dᵢ ≠ 0: that row's multiplier pushes b along n
//! C = Σ λᵢ mᵢ  over dᵢ = 0     the couple: rows of angles, which act at no point
//! ```
//! The rows with dᵢ ≠ 0 push at the constraint's point and have no moment about it: mᵢ = r_b × dᵢ. The point and the
//! direction are those of the pose that is given; mᵢ of a row of angles is ±1 at any pose.

use crate::model::nonholonomic::NonholonomicKind;
use crate::model::{Frame, JointId, JointKind, NonholonomicId, World};
use crate::report::{ConstraintId, MOST_MULTIPLIERS};
use glam::{DVec2, DVec3};

/// Point and rows of a constraint at the world's present pose; contacts, which the world remembers itself, are not among them.
pub(crate) struct Action {
    /// Name of the kind, the one in scene files if there is one.
    pub kind: &'static str,
    /// Index in the world's list of such constraints; for a motor or a limit, the index of its joint.
    pub index: usize,
    /// Where it acts on body b, m.
    pub point: DVec2,
    /// Jᵢ on body b: d and m of each row, zero for rows that the constraint does not have.
    rows: [DVec3; MOST_MULTIPLIERS],
}

impl Action {
    /// How `constraint` acts, if it belongs to this world and is not a contact.
    pub fn of(constraint: ConstraintId, world: &World) -> Option<Self> {
        match constraint {
            ConstraintId::Joint(id) => Self::of_joint(id, world),
            ConstraintId::Nonholonomic(id) => Self::of_nonholonomic(id, world),
            ConstraintId::Spring(id) => {
                let index = world.spring_ids().binary_search(&id).ok()?;
                let spring = &world.springs()[index];
                let [a, b] = spring.bodies().map(|body| world.frame(body));
                let rows = collected(|emit| spring.equations(&a, &b, |row| emit(row.jb)));
                Some(Self { kind: "spring", index, point: on(&b, spring.anchors[1]), rows })
            }
            ConstraintId::Grab => {
                let grab = world.grab()?;
                let body = world.frame(world.index_of(grab.body)?);
                let rows = collected(|emit| grab.equations(&body, |row| emit(row.jb)));
                Some(Self { kind: "grab", index: 0, point: grab.point(&body), rows })
            }
            ConstraintId::Suspension(id) => Self::of_coordinate("suspension", 1.0, id, world),
            ConstraintId::Motor(id) => Self::of_driven("motor", id, world),
            ConstraintId::Friction(id) => Self::of_driven("friction", id, world),
            ConstraintId::Drive(id, row) => Self::of_drive(usize::from(row), id, world),
            ConstraintId::LowerLimit(id) => Self::of_coordinate("lower_limit", 1.0, id, world),
            ConstraintId::UpperLimit(id) => Self::of_coordinate("upper_limit", -1.0, id, world),
            ConstraintId::Contact(_) => None,
        }
    }

    fn of_joint(id: JointId, world: &World) -> Option<Self> {
        let index = world.joint_ids().binary_search(&id).ok()?;
        let joint = &world.joints()[index];
        let [a, b] = joint.bodies().map(|body| world.frame(body));
        let rows = collected(|emit| match joint.softness {
            Some(_) => joint.soft_equations(&a, &b, |row| emit(row.jb)),
            None => joint.equations(|body| world.frame(body), |row, _| emit(row.jb)),
        });
        Some(Self { kind: joint.kind.key(), index, point: on(&b, joint.kind.anchors()[1]), rows })
    }

    /// A motor or a joint's friction: one row along what the motor drives.
    fn of_driven(kind: &'static str, id: JointId, world: &World) -> Option<Self> {
        let index = world.joint_ids().binary_search(&id).ok()?;
        let joint = &world.joints()[index];
        let b = world.frame(joint.bodies()[1]);
        let (coordinate, _) = joint.driven(|body| world.frame(body))?;
        let rows = [coordinate.jb, DVec3::ZERO, DVec3::ZERO];
        Some(Self { kind, index, point: on(&b, joint.kind.anchors()[1]), rows })
    }

    /// A row of a motor joint.
    fn of_drive(drive: usize, id: JointId, world: &World) -> Option<Self> {
        let index = world.joint_ids().binary_search(&id).ok()?;
        let joint = &world.joints()[index];
        let JointKind::PoseMotor(mover) = &joint.kind else { return None };
        let [a, b] = joint.bodies().map(|body| world.frame(body));
        let rows = [mover.coordinate(drive, &a, &b).jb, DVec3::ZERO, DVec3::ZERO];
        Some(Self { kind: "motor", index, point: on(&b, mover.anchors[1]), rows })
    }

    /// A suspension or a limit: one row along the joint's coordinate, `sign` −1 where it pushes the coordinate down.
    fn of_coordinate(kind: &'static str, sign: f64, id: JointId, world: &World) -> Option<Self> {
        let index = world.joint_ids().binary_search(&id).ok()?;
        let joint = &world.joints()[index];
        let b = world.frame(joint.bodies()[1]);
        let (coordinate, _) = joint.coordinate(|body| world.frame(body))?;
        let rows = [sign * coordinate.jb, DVec3::ZERO, DVec3::ZERO];
        Some(Self { kind, index, point: on(&b, joint.kind.anchors()[1]), rows })
    }

    fn of_nonholonomic(id: NonholonomicId, world: &World) -> Option<Self> {
        let index = world.nonholonomic_ids().binary_search(&id).ok()?;
        let constraint = &world.nonholonomic()[index];
        let kind = &constraint.kind;
        let [a, b] = constraint.bodies().map(|body| world.frame(body));
        let rows = collected(|emit| kind.equations(&a, &b, |row| emit(row.jb)));
        let point = match kind {
            NonholonomicKind::KnifeEdge(own) => on(&b, own.anchor),
            NonholonomicKind::PrescribedVelocity(own) => on(&b, own.anchor),
            // t pushes at x_b − ρ n, and t is n turned a quarter clockwise: n = t^⊥.
            NonholonomicKind::Rolling(own) => b.position - own.radius * rows[0].truncate().perp(),
        };
        Some(Self { kind: kind.key(), index, point, rows })
    }

    /// n, along which its first multiplier pushes body b; none if it holds a point in both directions, or only an
    /// angle.
    pub fn direction(&self) -> Option<DVec2> {
        let mut pushing = self.rows.iter().map(|row| row.truncate()).filter(|d| *d != DVec2::ZERO);
        match (pushing.next(), pushing.next()) {
            (Some(d), None) => d.try_normalize(),
            _ => None,
        }
    }

    /// C on body b of the given multipliers.
    pub fn couple(&self, multipliers: &[f64; MOST_MULTIPLIERS]) -> f64 {
        let turning = self.rows.iter().zip(multipliers).filter(|(row, _)| row.truncate() == DVec2::ZERO);
        turning.map(|(row, lambda)| lambda * row.z).sum()
    }
}

/// The point of a body at an arm in its frame.
fn on(body: &Frame, arm: DVec2) -> DVec2 {
    body.position + body.rotation.apply(arm)
}

/// The rows that `equations` hands to its argument.
fn collected(equations: impl FnOnce(&mut dyn FnMut(DVec3))) -> [DVec3; MOST_MULTIPLIERS] {
    let mut rows = [DVec3::ZERO; MOST_MULTIPLIERS];
    let mut slots = rows.iter_mut();
    equations(&mut |row| {
        if let Some(slot) = slots.next() {
            *slot = row;
        }
    });
    rows
}
