//! The account of the last step: every force on a body, and the acceleration that they add up to.
//!
//! ```text
//! m a = M (v⁺ − v)/h = F + Σ Jᵀλ/h
//! ```
//!
//! F is the weight, the applied force and the mouse's push, λ the impulses of joints, springs, contacts and the mouse's pull (see
//! `stages/ledger.rs`), whatever the scheme does to find them: the two sides agree to rounding. Corrections of positions
//! are not forces and are not in it.

use crate::experiment::judge::ActedStep;
use crate::experiment::{Run, name_of};
use crate::internal::Rotation;
use crate::model::{BodyId, JointId, JointKind, NonholonomicId, SpringId, World};
use crate::report::{ConstraintId, ConstraintImpulse};
use crate::workbench::stage::framing::{anchor_in_world, wheels};
use glam::{DVec2, DVec3};

/// A force below this fraction of the largest one on the body is rounding, and is left out.
const ROUNDING: f64 = 1e-12;

/// What acted in a step, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Length of the step, s.
    duration: f64,
    impulses: Vec<ConstraintImpulse>,
    /// h F of the weight, the applied force and the mouse's push by body: (N s, N s, N m s).
    external: Vec<DVec3>,
    /// M (v⁺ − v) by body: (N s, N s, N m s).
    changes: Vec<DVec3>,
    /// Whether the impulses are an engine's estimate, as those of its last substep are.
    pub is_estimated: bool,
}

/// What exerts a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Gravity.
    Weight,
    /// The mouse's push.
    Push,
    /// The mouse's pull.
    Grab,
    /// A joint, with its motor and its limits.
    Joint(JointId),
    /// A non-holonomic constraint.
    Nonholonomic(NonholonomicId),
    /// A spring.
    Spring(SpringId),
    /// A contact point.
    Contact,
}

/// A force on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// What exerts it.
    pub source: Source,
    /// In words, with the name of the other body.
    pub name: String,
    /// Where it acts in the world, m.
    pub at: DVec2,
    /// (N, N, N m about the centre of mass).
    pub value: DVec3,
}

impl Account {
    /// The account of the step that `run` has just made, of `duration` seconds.
    pub fn of(run: &Run, duration: f64) -> Self {
        Self {
            duration,
            impulses: run.impulses().copied().collect(),
            external: run.external_impulses(),
            changes: run.momentum_changes(),
            is_estimated: false,
        }
    }

    /// The account of a step of a recording, or of another engine.
    pub(crate) fn recorded(step: &ActedStep) -> Self {
        let ActedStep { duration, impulses, contacts: _, external, changes, is_estimated } = step;
        Self {
            duration: *duration,
            impulses: impulses.clone(),
            external: external.clone(),
            changes: changes.clone(),
            is_estimated: *is_estimated,
        }
    }

    /// Size in memory, bytes.
    pub fn size(&self) -> usize {
        let Self { duration: _, impulses, external, changes, is_estimated: _ } = self;
        size_of_val(impulses.as_slice())
            + size_of_val(external.as_slice())
            + size_of_val(changes.as_slice())
    }

    /// Length of the step, s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The impulses of the step.
    pub fn impulses(&self) -> &[ConstraintImpulse] {
        &self.impulses
    }

    /// m a and I α of a body: (N, N, N m).
    pub fn inertial_force(&self, body: usize) -> DVec3 {
        self.changes.get(body).copied().unwrap_or_default() / self.duration
    }

    /// Every force on a body in `world`, the state after the step: weight and push first, then in the order of the world.
    pub fn forces(&self, world: &World, body: usize) -> Vec<Force> {
        let Some(id) = world.id_of(body) else { return Vec::new() };
        let center = world[id].pose.position;
        let mut forces = self.external_forces(world, body);
        for impulse in &self.impulses {
            let sides = impulse.on_each().enumerate();
            // A constraint between a body and the world names that body twice, and acts on its second side.
            for (side, (_, on)) in sides.filter(|(_, (own, _))| *own == id) {
                forces.push(Force {
                    source: source(impulse.constraint),
                    name: name(world, impulse, side),
                    at: point(world, impulse.constraint, side).unwrap_or(center),
                    value: on / self.duration,
                });
            }
        }
        let largest = forces.iter().map(|force| force.value.abs().max_element()).fold(0.0, f64::max);
        forces.retain(|force| force.value.abs().max_element() > ROUNDING * largest);
        forces
    }

    fn external_forces(&self, world: &World, index: usize) -> Vec<Force> {
        let Some(body) = world.bodies().get(index).filter(|body| body.is_dynamic()) else {
            return Vec::new();
        };
        let center = body.pose.position;
        let weight = (body.gravitational_mass() * world.gravity()).extend(0.0);
        let external = self.external.get(index).copied().unwrap_or_default() / self.duration;
        let rest = external - weight;
        // Without a push of the mouse, the rest is the applied force at the pose at which the step began.
        let resisted = !body.damping.is_none() || !body.driven.is_empty() || !world.fields().is_empty();
        let applied = body.applied.map(|applied| {
            (
                if world.repulsion().is_some() || resisted { applied.on(body.pose.angle) } else { rest },
                applied.at,
            )
        });
        let push = rest - applied.map_or(DVec3::ZERO, |(force, _)| force);
        // A point of the line along which it acts: r × F is its moment.
        let force = push.truncate();
        let arm = -push.z / force.length_squared() * force.perp();
        let at = if arm.is_finite() { center + arm } else { center };
        let applied = applied.map(|(value, point)| Force {
            source: Source::Push,
            name: "applied force".to_owned(),
            at: center + Rotation::from_angle(body.pose.angle).apply(point),
            value,
        });
        let pushes = match (resisted, world.repulsion().is_some()) {
            (false, _) => "push of the mouse",
            (true, false) => "drag, fields and driven forces",
            (true, true) => "drag, fields, driven forces and push of the mouse",
        };
        let mut forces = vec![
            Force { source: Source::Weight, name: "weight".to_owned(), at: center, value: weight },
            Force { source: Source::Push, name: pushes.to_owned(), at, value: push },
        ];
        forces.extend(applied);
        forces
    }
}

/// The sum of forces: (N, N, N m).
pub fn sum(forces: &[Force]) -> DVec3 {
    forces.iter().map(|force| force.value).sum()
}

fn source(constraint: ConstraintId) -> Source {
    match constraint {
        ConstraintId::Nonholonomic(id) => Source::Nonholonomic(id),
        ConstraintId::Spring(id) => Source::Spring(id),
        ConstraintId::Grab => Source::Grab,
        _ => constraint.joint().map_or(Source::Contact, Source::Joint),
    }
}

/// What a constraint is called on the body of its side `side`.
fn name(world: &World, impulse: &ConstraintImpulse, side: usize) -> String {
    let joint = |id: JointId| match world.joint(id).map(|joint| &joint.kind) {
        Some(JointKind::Hinge(_)) => "hinge",
        Some(JointKind::Distance(_)) => "rod",
        Some(JointKind::Rope(_)) => "rope",
        Some(JointKind::Weld(_)) => "weld",
        Some(JointKind::Slider(_)) => "slider",
        Some(JointKind::PoseMotor(_)) => "motor joint",
        Some(
            kind @ (JointKind::Slot(_)
            | JointKind::Pulley(_)
            | JointKind::Bead(_)
            | JointKind::Gear(_)
            | JointKind::Custom(_)),
        ) => kind.key(),
        None => "joint",
    };
    let what = match impulse.constraint {
        ConstraintId::Joint(id) => joint(id).to_owned(),
        ConstraintId::Motor(id) => format!("motor of the {}", joint(id)),
        ConstraintId::Suspension(id) => format!("spring of the {}", joint(id)),
        ConstraintId::Drive(id, _) => joint(id).to_owned(),
        ConstraintId::Friction(id) => format!("friction of the {}", joint(id)),
        ConstraintId::LowerLimit(id) => format!("lower limit of the {}", joint(id)),
        ConstraintId::UpperLimit(id) => format!("upper limit of the {}", joint(id)),
        ConstraintId::Nonholonomic(_) => "velocity constraint".to_owned(),
        ConstraintId::Spring(_) => "spring".to_owned(),
        ConstraintId::Grab => return "pull of the mouse".to_owned(),
        ConstraintId::Contact(_) => "contact".to_owned(),
    };
    let bodies: Vec<BodyId> = impulse.on_each().map(|(body, _)| body).collect();
    let [own, other] = [side, side ^ 1].map(|side| bodies[side]); // each pair is a joint's
    if own == other { what } else { format!("{what}, {}", name_of(world, other)) }
}

/// Where a constraint acts on the body of its side `side`, m.
fn point(world: &World, constraint: ConstraintId, side: usize) -> Option<DVec2> {
    if let Some(id) = constraint.joint() {
        let joint = world.joint(id)?;
        if let (JointKind::Pulley(pulley), Some(wheel)) = (&joint.kind, side.checked_sub(2)) {
            return wheels(world, joint, pulley).get(wheel).copied();
        }
        let (body, anchor) = (joint.bodies().get(side).copied(), joint.kind.anchors().get(side).copied());
        let acts = !matches!(joint.kind, JointKind::Gear(_)); // a gear turns its bodies
        return body
            .zip(anchor)
            .filter(|_| acts)
            .map(|(body, anchor)| anchor_in_world(world, body, anchor));
    }
    match constraint {
        ConstraintId::Spring(id) => {
            let spring = world.spring(id)?;
            Some(anchor_in_world(world, spring.bodies()[side], spring.anchors[side]))
        }
        ConstraintId::Grab => held_point(world),
        ConstraintId::Contact(id) => Some(world.contact(id)?.point),
        _ => None,
    }
}

/// Where the mouse holds a body, m.
pub fn held_point(world: &World) -> Option<DVec2> {
    let grab = world.grab()?;
    Some(grab.point(&world.frame(world.index_of(grab.body)?)))
}
