//! Whether a contact is open, sticks or slips, whether a limit is closed, and whether a motor is at the limit of its force.
//!
//! The states follow from the sums of the step's multipliers, by Coulomb's law and the bounds. A contact that slips
//! in one stage, substep or half of a step and sticks in another has a sum inside the cone, and counts as sticking.

use crate::model::{BodyId, JointKind, World};
use crate::report::{ConstraintId, ConstraintImpulse};
use glam::DVec2;

/// Relative distance from a bound within which a multiplier counts as having reached it: the tolerance with which
/// solutions are accepted.
const AT_BOUND: f64 = 1e-9;

/// Fraction of the impulses on a body below which an impulse counts as the solvers' rounding. Solutions are accepted
/// with residuals of 1e-9 of the problem's largest speed; impulses of contacts that really press lie orders of
/// magnitude above.
const NOTHING: f64 = 1e-9;

/// What impulses on a body are measured against: its momentum, and the largest of its weight's and its constraints' impulses.
#[derive(Clone, Copy, Debug)]
struct Size {
    /// N s.
    linear: f64,
    /// N m s, about the centre of mass.
    angular: f64,
}

/// Determines the states of one step's constraints.
pub(crate) struct States<'a> {
    world: &'a World,
    /// The length of the step, s.
    h: f64,
    /// By body; infinite for those that impulses do not move.
    sizes: Vec<Size>,
}

impl<'a> States<'a> {
    /// For a step of `h` s that has led to `world` by these `impulses`.
    pub fn new<'i>(
        world: &'a World,
        h: f64,
        impulses: impl Iterator<Item = &'i ConstraintImpulse>,
    ) -> Self {
        let fall = h * world.largest_fall();
        let mut sizes: Vec<Size> = world
            .bodies()
            .iter()
            .map(|body| {
                if !body.is_dynamic() {
                    return Size { linear: f64::INFINITY, angular: f64::INFINITY };
                }
                let (own, v) = (body.mass_properties(), body.velocity);
                Size {
                    linear: own.mass * (v.linear.length() + fall),
                    angular: own.inertia * v.angular.abs(),
                }
            })
            .collect();
        for impulse in impulses {
            for (body, on) in impulse.on_each() {
                if let Some(size) = world.index_of(body).and_then(|index| sizes.get_mut(index)) {
                    size.linear = size.linear.max(on.truncate().length());
                    size.angular = size.angular.max(on.z.abs());
                }
            }
        }
        Self { world, h, sizes }
    }

    /// `open`, `slip` or `stick` of a contact with μ = `friction`. A frictionless contact that presses slips.
    pub fn of_contact(&self, impulse: &ConstraintImpulse, friction: f64) -> &'static str {
        let [normal, tangential, _] = impulse.multipliers;
        if !self.presses(impulse) {
            "open"
        } else if tangential.abs() >= friction * normal * (1.0 - AT_BOUND) {
            "slip"
        } else {
            "stick"
        }
    }

    /// `closed` or `open` for a limit, `at_limit` or `free` for a motor, `slip` or `stick` for a joint's friction; empty for
    /// constraints without states.
    pub fn of_other(&self, impulse: &ConstraintImpulse) -> &'static str {
        match impulse.constraint {
            ConstraintId::LowerLimit(_) | ConstraintId::UpperLimit(_) => {
                if self.presses(impulse) {
                    "closed"
                } else {
                    "open"
                }
            }
            ConstraintId::Motor(joint) => {
                let motor = self.world.joint(joint).and_then(|joint| joint.motor);
                let most = motor.map_or(f64::INFINITY, |motor| self.h * motor.max_force);
                if impulse.multipliers[0].abs() >= most * (1.0 - AT_BOUND) { "at_limit" } else { "free" }
            }
            ConstraintId::Drive(joint, row) => {
                let most = match self.world.joint(joint).map(|joint| &joint.kind) {
                    Some(JointKind::PoseMotor(mover)) => self.h * mover.bound(usize::from(row)),
                    _ => f64::INFINITY,
                };
                if impulse.multipliers[0].abs() >= most * (1.0 - AT_BOUND) { "at_limit" } else { "free" }
            }
            ConstraintId::Friction(joint) => {
                let most = self.world.joint(joint).map_or(f64::INFINITY, |joint| self.h * joint.friction);
                if impulse.multipliers[0].abs() >= most * (1.0 - AT_BOUND) { "slip" } else { "stick" }
            }
            _ => "",
        }
    }

    /// Whether a unilateral constraint pushes, by more than rounding for at least one of its bodies. Those that act at
    /// a point are judged by the linear impulse, limits of angles by the angular one.
    fn presses(&self, impulse: &ConstraintImpulse) -> bool {
        let counts = |(body, on): (BodyId, glam::DVec3)| {
            let Some(size) = self.world.index_of(body).and_then(|index| self.sizes.get(index)) else {
                return false;
            };
            if on.truncate() == DVec2::ZERO {
                on.z.abs() > NOTHING * size.angular
            } else {
                on.truncate().length() > NOTHING * size.linear
            }
        };
        impulse.multipliers[0] > 0.0 && impulse.bodies.into_iter().zip(impulse.on_bodies).any(counts)
    }
}
