//! The complete state of a simulation.
//!
//! A clone is a snapshot: stepping a clone gives the same bits.

use super::body::{Body, BodyKind, Frame};
use super::contact::ContactState;
use super::error::{ModelError, not_negative};
use super::grab::Grab;
use super::joint::Joint;
use super::nonholonomic::Nonholonomic;
use super::repulsion::Repulsion;
use super::spring::Spring;
use crate::math::{cross, largest};
use glam::{DVec2, DVec3};

/// Bodies, joints, non-holonomic constraints, springs, gravity and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// m/s².
    pub gravity: DVec2,
    /// s.
    pub time: f64,
    /// Steps made so far.
    pub steps: u64,
    /// The mouse's grab, if any.
    pub grab: Option<Grab>,
    /// The mouse's repulsion, if any.
    pub repulsion: Option<Repulsion>,
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    nonholonomic: Vec<Nonholonomic>,
    springs: Vec<Spring>,
    contacts: Vec<ContactState>,
}

impl World {
    /// An empty world with the given gravity, m/s².
    pub fn new(gravity: DVec2) -> Self {
        Self { gravity, ..Self::default() }
    }

    /// Adds a body and returns its index.
    pub fn add_body(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// Adds a joint.
    ///
    /// # Errors
    /// Bodies that do not exist, are the same, or can neither of them move; a length that is not positive; limits that are
    /// not in order, or limits and a motor on a joint that leaves no coordinate free.
    pub fn add_joint(&mut self, joint: Joint) -> Result<(), ModelError> {
        self.check_ends(joint.bodies)?;
        joint.check()?;
        self.joints.push(joint);
        Ok(())
    }

    /// Adds a non-holonomic constraint.
    ///
    /// # Errors
    /// Bodies as for a joint, or one that is not dynamic where the velocity is one in the world; lengths that are not
    /// positive, numbers that are not finite.
    pub fn add_nonholonomic(&mut self, constraint: Nonholonomic) -> Result<(), ModelError> {
        let [a, b] = constraint.kind.bodies();
        let bodies = self.bodies.len();
        match a == b && constraint.kind.is_of_one_body() {
            true if b >= bodies => return Err(ModelError::NoSuchBody { index: b, bodies }),
            true if !self.bodies[b].is_dynamic() => return Err(ModelError::NotDynamic(b)),
            true => {}
            false => self.check_ends([a, b])?,
        }
        constraint.check()?;
        self.nonholonomic.push(constraint);
        Ok(())
    }

    /// Adds a spring.
    ///
    /// # Errors
    /// Bodies as for a joint; a stiffness, damping or rest length below zero.
    pub fn add_spring(&mut self, spring: Spring) -> Result<(), ModelError> {
        self.check_ends(spring.bodies)?;
        not_negative("stiffness", spring.softness.stiffness)?;
        not_negative("damping", spring.softness.damping)?;
        not_negative("rest_length", spring.rest_length)?;
        self.springs.push(spring);
        Ok(())
    }

    fn check_ends(&self, [a, b]: [usize; 2]) -> Result<(), ModelError> {
        let bodies = self.bodies.len();
        if let Some(index) = [a, b].into_iter().find(|i| *i >= bodies) {
            return Err(ModelError::NoSuchBody { index, bodies });
        }
        if a == b {
            return Err(ModelError::SameBody(a));
        }
        if !self.bodies[a].is_dynamic() && !self.bodies[b].is_dynamic() {
            return Err(ModelError::NothingToMove(a, b));
        }
        Ok(())
    }

    /// The bodies; joints, springs and the grab refer to them by index.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The bodies, to move or to throw them. None can be taken away: joints refer to them.
    pub fn bodies_mut(&mut self) -> &mut [Body] {
        &mut self.bodies
    }

    /// The joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The non-holonomic constraints.
    pub fn nonholonomic(&self) -> &[Nonholonomic] {
        &self.nonholonomic
    }

    pub(crate) fn nonholonomic_mut(&mut self) -> &mut [Nonholonomic] {
        &mut self.nonholonomic
    }

    /// The springs.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }

    /// Contact points of the last step with their impulses, in the order of their identities.
    pub fn contacts(&self) -> &[ContactState] {
        &self.contacts
    }

    /// For loading a saved state, and for the step itself: the contacts' warm start.
    pub fn contacts_mut(&mut self) -> &mut Vec<ContactState> {
        &mut self.contacts
    }

    /// For loading a saved state: the forces that joints carried over the last step.
    pub fn joint_forces_mut(&mut self) -> impl Iterator<Item = &mut [f64; 3]> {
        self.joints.iter_mut().map(|joint| &mut joint.force)
    }

    pub(crate) fn joints_mut(&mut self) -> &mut [Joint] {
        &mut self.joints
    }

    /// The frame of body `index` at its present pose and velocity.
    pub fn frame(&self, index: usize) -> Frame {
        let body = &self.bodies[index];
        Frame::new(body.pose.coordinates(), self.velocity_of(index))
    }

    /// Velocity (m/s, m/s, rad/s) of body `index`, prescribed motions evaluated at the present time.
    pub fn velocity_of(&self, index: usize) -> DVec3 {
        let body = &self.bodies[index];
        let v = body.velocity;
        match body.kind() {
            BodyKind::Dynamic => v.coordinates(),
            BodyKind::Fixed => DVec3::ZERO,
            BodyKind::Kinematic(motion) => motion.velocity(v.linear, self.time).extend(v.angular),
        }
    }

    /// Σ ½ m v² + ½ I ω², J.
    pub fn kinetic_energy(&self) -> f64 {
        self.bodies.iter().map(Body::kinetic_energy).sum()
    }

    /// Gravity's −m g·x and the springs' ½ k s², J. The grab is a person's, not the world's.
    pub fn potential_energy(&self) -> f64 {
        self.potential_energy_at(|index| self.bodies[index].pose.coordinates())
    }

    /// The same with body `index` at the pose `q(index)`.
    pub(crate) fn potential_energy_at(&self, q: impl Fn(usize) -> DVec3) -> f64 {
        let mut energy = 0.0;
        for (index, body) in self.bodies.iter().enumerate() {
            if body.is_dynamic() {
                energy -= body.mass_properties().mass * self.gravity.dot(q(index).truncate());
            }
        }
        for spring in &self.springs {
            let [a, b] = spring.bodies.map(|index| Frame::new(q(index), DVec3::ZERO));
            let stiffness = spring.softness.stiffness;
            spring.equations(&a, &b, |row| energy += 0.5 * stiffness * row.g * row.g);
        }
        energy
    }

    /// Largest |g| over the joint rows, in each row's own unit (m, rad or m²).
    pub fn joint_error(&self) -> f64 {
        largest(self.joints.iter().map(|joint| {
            let [a, b] = joint.bodies.map(|index| self.frame(index));
            let mut errors = [0.0; 3];
            let mut slots = errors.iter_mut();
            joint.kind.equations(&a, &b, |row| {
                if let Some(slot) = slots.next() {
                    *slot = row.g;
                }
            });
            largest(errors)
        }))
    }

    /// Linear momentum Σ m v of the dynamic bodies, kg m/s.
    pub fn linear_momentum(&self) -> DVec2 {
        let dynamic = self.bodies.iter().filter(|body| body.is_dynamic());
        dynamic.map(|body| body.mass_properties().mass * body.velocity.linear).sum()
    }

    /// Angular momentum Σ m x × v + I ω of the dynamic bodies about the origin, kg m²/s.
    pub fn angular_momentum(&self) -> f64 {
        let dynamic = self.bodies.iter().filter(|body| body.is_dynamic());
        dynamic
            .map(|body| {
                let p = body.mass_properties();
                p.mass * cross(body.pose.position, body.velocity.linear) + p.inertia * body.velocity.angular
            })
            .sum()
    }
}
