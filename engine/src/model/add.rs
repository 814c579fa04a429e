//! Adding bodies and constraints to a world, and the checks that they have to pass.

use super::body::Body;
use super::builders::{JointBuilder, NonholonomicBuilder, SpringBuilder};
use super::error::ModelError;
use super::id::{BodyId, JointId, NonholonomicId, SpringId};
use super::joint::Joint;
use super::nonholonomic::Nonholonomic;
use super::spring::Spring;
use super::world::World;
use glam::DVec2;

impl World {
    /// Adds a body.
    ///
    /// # Errors
    /// A pose, velocity or prescribed motion that is not finite, a friction below 0, a restitution that is not
    /// between 0 and 1.
    pub fn add_body(&mut self, body: Body) -> Result<BodyId, ModelError> {
        body.check()?;
        Ok(self.bodies.push(body))
    }

    /// Adds a joint between two bodies at their present poses.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::new(0.0, -9.81));
    /// let wall = world.add_body(Body::fixed().build()?)?;
    /// let rod = Body::dynamic().at([0.5, 0.0]).shape(Shape::Box { size: DVec2::new(1.0, 0.1) });
    /// let rod = world.add_body(rod.build()?)?;
    /// let hinge = world.add_joint(Joint::hinge(wall, rod).at([0.0, 0.0]).limits(-1.0, 1.0).motor(2.0, 50.0))?;
    /// assert_eq!(world[hinge].limits, Some([-1.0, 1.0]));
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Errors
    /// Bodies that do not exist, the same body twice, or two bodies neither of which is dynamic; a length that is not
    /// positive; limits that are not in order; limits or a motor on a joint without a free coordinate; numbers that
    /// are not finite.
    pub fn add_joint(&mut self, joint: JointBuilder) -> Result<JointId, ModelError> {
        let bodies = self.indices(joint.bodies())?;
        self.check_ends(bodies)?;
        let joint = joint.resolve(bodies, bodies.map(|index| &self.bodies()[index]))?;
        self.insert_joint(joint)
    }

    /// Adds a joint whose bodies are given by their index in [`World::bodies`], as a file names them.
    ///
    /// # Errors
    /// The errors of [`World::add_joint`].
    pub fn insert_joint(&mut self, joint: Joint) -> Result<JointId, ModelError> {
        self.check_ends(joint.bodies)?;
        joint.check()?;
        self.check_joint_on_point_masses(&joint)?;
        Ok(self.joints.push(joint))
    }

    /// Adds a non-holonomic constraint.
    ///
    /// # Errors
    /// Bodies as for a joint; for a constraint on a single body, one that is not dynamic; lengths that are not
    /// positive, numbers that are not finite.
    pub fn add_nonholonomic(
        &mut self,
        constraint: NonholonomicBuilder,
    ) -> Result<NonholonomicId, ModelError> {
        let bodies = self.indices(constraint.bodies())?;
        self.insert_nonholonomic(constraint.resolve(bodies))
    }

    /// Adds a non-holonomic constraint whose bodies are given by their index in [`World::bodies`], as a file names them.
    ///
    /// # Errors
    /// The errors of [`World::add_nonholonomic`].
    pub fn insert_nonholonomic(&mut self, constraint: Nonholonomic) -> Result<NonholonomicId, ModelError> {
        self.check_held(&constraint)?;
        constraint.check()?;
        let mut turns = [false; 2];
        let [a, b] = constraint.bodies.map(|body| self.frame(body));
        constraint
            .kind
            .equations(&a, &b, |row| turns = [turns[0] | (row.na.z != 0.0), turns[1] | (row.nb.z != 0.0)]);
        self.check_point_masses(constraint.bodies, turns, "the velocity constraint")?;
        Ok(self.nonholonomic.push(constraint))
    }

    /// Adds a spring between two bodies at their present poses.
    ///
    /// # Errors
    /// Bodies as for a joint; a stiffness, damping or rest length below zero; numbers that are not finite.
    pub fn add_spring(&mut self, spring: SpringBuilder) -> Result<SpringId, ModelError> {
        let bodies = self.indices(spring.bodies())?;
        let spring = spring.resolve(bodies, bodies.map(|index| &self.bodies()[index]));
        self.insert_spring(spring)
    }

    /// Adds a spring whose bodies are given by their index in [`World::bodies`], as a file names them.
    ///
    /// # Errors
    /// The errors of [`World::add_spring`].
    pub fn insert_spring(&mut self, spring: Spring) -> Result<SpringId, ModelError> {
        self.check_ends(spring.bodies)?;
        spring.check()?;
        self.check_point_masses(
            spring.bodies,
            spring.anchors.map(|anchor| spring.rest_angle.is_some() || anchor != DVec2::ZERO),
            "the spring",
        )?;
        Ok(self.springs.push(spring))
    }

    /// Checks that no row of `joint`, no limit and no motor of it has a moment about the centre of a point mass.
    fn check_joint_on_point_masses(&self, joint: &Joint) -> Result<(), ModelError> {
        let drives = joint.limits.is_some() || joint.motor.is_some();
        let mut turns = [drives; 2];
        let [a, b] = joint.bodies.map(|body| self.frame(body));
        joint
            .kind
            .equations(&a, &b, |row| turns = [turns[0] | (row.ja.z != 0.0), turns[1] | (row.jb.z != 0.0)]);
        self.check_point_masses(joint.bodies, turns, "the joint")
    }

    /// Refuses `what`, if it turns one of its bodies that is a point mass.
    fn check_point_masses(
        &self,
        bodies: [usize; 2],
        turns: [bool; 2],
        what: &'static str,
    ) -> Result<(), ModelError> {
        let wrong = |(index, turns): (usize, bool)| turns && self.bodies()[index].is_point_mass();
        if bodies.into_iter().zip(turns).any(wrong) {
            Err(ModelError::TurnsPointMass(what))
        } else {
            Ok(())
        }
    }

    /// The bodies' present indices.
    fn indices(&self, [a, b]: [BodyId; 2]) -> Result<[usize; 2], ModelError> {
        let index = |id| self.index_of(id).ok_or(ModelError::NoSuchBody(id));
        Ok([index(a)?, index(b)?])
    }

    /// The id of the body at `index`, or the error that there is no such body.
    pub(super) fn known(&self, index: usize) -> Result<BodyId, ModelError> {
        self.id_of(index).ok_or(ModelError::NoSuchIndex { index, bodies: self.bodies().len() })
    }

    /// Checks that the bodies differ and that at least one of them is dynamic.
    pub(super) fn check_ends(&self, [a, b]: [usize; 2]) -> Result<(), ModelError> {
        let ids = [self.known(a)?, self.known(b)?];
        if a == b {
            return Err(ModelError::SameBody(ids[0]));
        }
        if !self.bodies()[a].is_dynamic() && !self.bodies()[b].is_dynamic() {
            return Err(ModelError::NothingToMove(ids[0], ids[1]));
        }
        Ok(())
    }

    /// Checks the bodies of a non-holonomic constraint: a single body must be dynamic, of two bodies at least one.
    pub(super) fn check_held(&self, constraint: &Nonholonomic) -> Result<(), ModelError> {
        let [a, b] = constraint.bodies;
        if !constraint.kind.is_of_one_body() {
            return self.check_ends([a, b]);
        }
        let id = self.known(b)?;
        if self.bodies()[b].is_dynamic() { Ok(()) } else { Err(ModelError::NotDynamic(id)) }
    }
}
