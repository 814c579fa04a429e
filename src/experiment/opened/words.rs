//! Constraints and their rows by name.

use super::OpenedProblem;
use crate::model::{BodyId, JointId, JointKind, World};
use crate::report::ConstraintId;

/// A constraint with its bodies: `hinge 2: link 2 – link 3`. `bodies` are those of its row.
pub fn constraint_in_words(world: &World, constraint: ConstraintId, bodies: [BodyId; 2]) -> String {
    let joint = |id: JointId| {
        let kind = world.joint(id).map_or("joint", |joint| joint.kind.key());
        format!("{kind} {}", place(world.joint_ids(), id))
    };
    let what = match constraint {
        ConstraintId::Joint(id) => joint(id),
        ConstraintId::Nonholonomic(id) => {
            format!("velocity constraint {}", place(world.nonholonomic_ids(), id))
        }
        ConstraintId::Spring(id) => format!("spring {}", place(world.spring_ids(), id)),
        ConstraintId::Grab => "mouse".to_owned(),
        ConstraintId::Motor(id) => format!("motor of {}", joint(id)),
        ConstraintId::Suspension(id) => format!("spring of {}", joint(id)),
        ConstraintId::Drive(id, row) => {
            format!("{} of {}", ["x", "y", "angle"][usize::from(row.min(2))], joint(id))
        }
        ConstraintId::Friction(id) => format!("friction of {}", joint(id)),
        ConstraintId::LowerLimit(id) => format!("lower limit of {}", joint(id)),
        ConstraintId::UpperLimit(id) => format!("upper limit of {}", joint(id)),
        ConstraintId::Contact(_) => "contact".to_owned(),
    };
    let [a, b] = bodies;
    if a == b {
        format!("{what}: {}", name_of(world, b))
    } else {
        format!("{what}: {} – {}", name_of(world, a), name_of(world, b))
    }
}

/// The place of `id` in the list of all, which is ascending; of one that is gone, the end.
fn place<I: Copy + Ord>(ids: &[I], id: I) -> usize {
    ids.binary_search(&id).unwrap_or(ids.len())
}

impl OpenedProblem {
    /// Row `i` by its constraint and which of the constraint's rows it is: `hinge 2: link 2 – link 3, x`. Where two
    /// bodies touch at several points it says which one: `contact: ground – box, point 2, normal`. `world` is that of the step.
    pub fn name(&self, world: &World, i: usize) -> String {
        let row = &self.rows[i];
        let constraint = constraint_in_words(world, row.constraint, row.bodies);
        let point = self.point(i).map_or_else(String::new, |point| format!(", point {point}"));
        match row_in_words(world, row.constraint, row.row) {
            "" => constraint + &point,
            name => format!("{constraint}{point}, {name}"),
        }
    }

    /// Row `i` as a narrow column needs it: what differs between neighbours first, and contacts, the most common rows,
    /// without their kind: `normal 2: ground – box`, `x, hinge 2: link 2 – link 3`.
    pub fn brief_name(&self, world: &World, i: usize) -> String {
        let row = &self.rows[i];
        let constraint = constraint_in_words(world, row.constraint, row.bodies);
        let point = self.point(i).map_or_else(String::new, |point| format!(" {point}"));
        match (row_in_words(world, row.constraint, row.row), constraint.strip_prefix("contact: ")) {
            (name, Some(bodies)) => format!("{name}{point}: {bodies}"),
            ("", None) => constraint,
            (name, None) => format!("{name}, {constraint}"),
        }
    }

    /// The number of a contact, from 1 in the order of the rows, if its bodies touch at several points.
    fn point(&self, i: usize) -> Option<usize> {
        let ConstraintId::Contact(own) = self.rows[i].constraint else { return None };
        let mut points = Vec::new();
        for row in &self.rows {
            if let ConstraintId::Contact(id) = row.constraint
                && id.bodies == own.bodies
                && !points.contains(&id)
            {
                points.push(id);
            }
        }
        let place = points.iter().position(|id| *id == own)?;
        (points.len() > 1).then_some(place + 1)
    }
}

/// Which row of a constraint it is; empty where there is only one.
pub fn row_in_words(world: &World, constraint: ConstraintId, row: usize) -> &'static str {
    const POINT: [&str; 3] = ["x", "y", "angle"];
    let names: &[&'static str] = match constraint {
        ConstraintId::Joint(id) => match world.joint(id).map(|joint| &joint.kind) {
            Some(JointKind::Hinge(_) | JointKind::Weld(_)) => &POINT,
            Some(JointKind::Slider(_)) => &["across", "angle"],
            Some(JointKind::Gear(_)) => &["ratio"],
            Some(JointKind::Slot(_) | JointKind::Bead(_)) => &["across"],
            Some(JointKind::Custom(_)) => &["first", "second", "third"],
            Some(
                JointKind::Distance(_)
                | JointKind::Rope(_)
                | JointKind::Pulley(_)
                | JointKind::PoseMotor(_),
            )
            | None => &["length"],
        },
        ConstraintId::Contact(_) => &["normal", "friction", "rolling resistance"],
        ConstraintId::Spring(id) if world.spring(id).is_some_and(|spring| spring.rows() > 1) => &POINT,
        ConstraintId::Spring(_) => &["length"],
        ConstraintId::Grab => &POINT,
        ConstraintId::Nonholonomic(_) => &["first", "second", "third"],
        ConstraintId::Suspension(_)
        | ConstraintId::Motor(_)
        | ConstraintId::Friction(_)
        | ConstraintId::Drive(..)
        | ConstraintId::LowerLimit(_)
        | ConstraintId::UpperLimit(_) => &[""],
    };
    names.get(row).copied().unwrap_or_default()
}

/// The name of a body, or its number where it has none.
pub(crate) fn name_of(world: &World, id: BodyId) -> String {
    match world.body(id) {
        Some(body) if !body.name.is_empty() => body.name.clone(),
        _ => format!("body {id}"),
    }
}
