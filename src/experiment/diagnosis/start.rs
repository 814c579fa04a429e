//! Start velocities that contradict joints or velocity constraints: J v ≠ 0 of a joint, N v ≠ v₀(t) of a velocity constraint.
//!
//! c of J v + c is the velocity of a body on a prescribed path, which its joints are judged by, too: such a body takes
//! along what is joined to it where impulses act, and at the acceleration level nothing does.

use crate::constraint::{Row, Rows};
use crate::experiment::opened::constraint_in_words;
use crate::experiment::units::rate;
use crate::method::{Level, Method};
use crate::model::{BodyKind, World};
use crate::numbers::short;
use crate::report::ConstraintId;
use crate::scene::shown;
use glam::{DVec2, DVec3};
use std::fmt;

/// A row's rate contradicts it above this share of the speeds that it is about, |J_a| |v_a| + |J_b| |v_b| + |v₀|:
/// velocities written to three digits differ by that much.
const ROUNDED: f64 = 1e-3;

/// Nor does one that moves the joint by less than this share of the scene's size in a second, such as a sine's slope at its
/// summit.
const NOTHING: f64 = 1e-12;

/// Start velocities that do not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Which constraint they contradict most, and by how much.
    pub what: String,
    /// What becomes of it.
    pub becomes: &'static str,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.becomes)
    }
}

/// That the velocities with which `world` begins contradict its joints or velocity constraints, the largest |J v| and
/// whose it is, and what becomes of it under `method`; nothing where they fit, and nothing of a world that has made
/// steps: its scheme has left what it has.
pub fn contradiction(world: &World, method: &Method) -> Option<Contradiction> {
    if world.steps() > 0 {
        return None;
    }
    let q: Vec<_> = world.bodies().iter().map(|body| body.pose.coordinates()).collect();
    let v: Vec<_> = (0..q.len()).map(|body| world.velocity_of(body)).collect();
    let mut rows = Rows::default();
    rows.evaluate_joints(world, &q, &v);
    let joints = world.joint_ids().iter().zip(world.joints());
    let of_joints =
        joints.flat_map(|(&id, joint)| (0..joint.kind.rows()).map(move |_| ConstraintId::Joint(id)));
    let own = world.nonholonomic_ids().iter().zip(world.nonholonomic());
    let of_own = own.flat_map(|(&id, constraint)| {
        let asked = constraint.kind.prescribed(world.time()).into_iter().take(constraint.kind.rows());
        asked.map(move |asked| (ConstraintId::Nonholonomic(id), asked.value))
    });
    let asked = of_joints.map(|id| (id, 0.0)).chain(of_own);
    let place = |body: &DVec3| body.truncate();
    let low = q.iter().map(place).fold(DVec2::MAX, DVec2::min);
    let nothing = NOTHING * q.iter().map(|body| (place(body) - low).length()).fold(0.0, f64::max);
    let (id, row, rate_left) = rows
        .equations()
        .iter()
        .zip(asked)
        .map(|(row, (id, asked))| (id, row, (row.rate(&v) - asked).abs(), terms(row, &v) + asked.abs()))
        .filter(|(_, _, left, terms)| left.is_finite() && *left > nothing.max(ROUNDED * terms))
        .max_by(|one, other| one.2.total_cmp(&other.2))
        .map(|(id, row, left, _)| (id, row, left))?;
    let has_velocity_level = method.stabilizer.info().levels.contains(&Level::Velocity);
    let whose = constraint_in_words(world, id, [row.a, row.b].map(|body| world.body_ids()[body]));
    let becomes = match ((method.stabilizer.scheme().holds_velocities)(method.level), is_led(world, row)) {
        (true, false) => "the first step takes it away, with its energy, as an impact does",
        (true, true) => "the first step takes the body along, as an impact does",
        (false, false) if has_velocity_level => {
            "at the acceleration level no impulse takes it away, and the joint's force may add energy (try velocities that fit, or the \
             velocity level)"
        }
        (false, false) => {
            "at the acceleration level no impulse takes it away, and the joint's force may add energy (try velocities that fit, or a \
             scheme at the velocity level)"
        }
        (false, true) if has_velocity_level => {
            "at the acceleration level no impulse takes the body along, and the joint comes apart at this rate (try velocities that fit, \
             or the velocity level)"
        }
        (false, true) => {
            "at the acceleration level no impulse takes the body along, and the joint's force may add energy (try velocities that fit, \
             or a scheme at the velocity level)"
        }
    };
    let (whose, unit) = (shown(&whose), rate(row.unit));
    let what = format!("the start velocities contradict {whose}, by |J v| = {} {unit}", short(rate_left));
    Some(Contradiction { what, becomes })
}

/// The largest |J v| of such velocities in any direction.
fn terms(row: &Row, v: &[DVec3]) -> f64 {
    let of = |j: DVec3, v: DVec3| j.truncate().length() * v.truncate().length() + (j.z * v.z).abs();
    row.arms().map(|(body, j)| of(j, v[body])).sum()
}

/// Whether one of the row's bodies is on a prescribed path, or a profile drives its length.
fn is_led(world: &World, row: &Row) -> bool {
    row.c != 0.0
        || [row.a, row.b].iter().any(|&body| matches!(world.bodies()[body].kind(), BodyKind::Kinematic(_)))
}
