//! Removing bodies and constraints from a world, with everything that is attached to them.
//!
//! Whatever remains keeps its id, its order and its state, so that the world continues to the same bits as one that
//! never contained the removed item. The indices of bodies behind a removed one decrease by one.

use super::body::Body;
use super::error::ModelError;
use super::id::{BodyId, JointId, NonholonomicId, SpringId};
use super::joint::Joint;
use super::nonholonomic::Nonholonomic;
use super::spring::Spring;
use super::world::World;

/// A body removed from a world, and what was attached to it. The constraints' body indices are those before the
/// removal.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RemovedBody {
    /// The body.
    pub body: Body,
    /// Joints that held it.
    pub joints: Vec<(JointId, Joint)>,
    /// Springs that pulled it.
    pub springs: Vec<(SpringId, Spring)>,
    /// Non-holonomic constraints on it.
    pub nonholonomic: Vec<(NonholonomicId, Nonholonomic)>,
}

impl World {
    /// Takes a body out of the world, with the joints, springs and non-holonomic constraints on it, its contacts, and
    /// the grab if it holds this body.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let ball = || Body::dynamic().shape(Shape::Circle { radius: 0.1 }).build();
    /// let (a, b, c) = (world.add_body(ball()?)?, world.add_body(ball()?)?, world.add_body(ball()?)?);
    /// world.add_joint(Joint::hinge(a, b))?;
    /// let last = world.add_joint(Joint::hinge(b, c))?;
    /// let removed = world.remove_body(a)?;
    /// assert_eq!(removed.joints.len(), 1);
    /// assert_eq!(world[last].bodies(), [0, 1]); // the indices have shifted, the ids have not
    /// assert!(world.body(a).is_none() && world.index_of(c) == Some(1));
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Errors
    /// A body that does not exist.
    pub fn remove_body(&mut self, id: BodyId) -> Result<RemovedBody, ModelError> {
        let gone = self.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
        let joints = self.joints.remove_all(|joint| joint.bodies.contains(&gone));
        let springs = self.springs.remove_all(|spring| spring.bodies.contains(&gone));
        let nonholonomic = self.nonholonomic.remove_all(|own| own.bodies.contains(&gone));
        self.contacts.retain(|contact| !contact.id.bodies.contains(&(gone as u32)));
        self.grab = self.grab.filter(|grab| grab.body != gone);
        let body = self.bodies.remove(id).ok_or(ModelError::NoSuchBody(id))?;
        self.close_up(gone);
        Ok(RemovedBody { body, joints, springs, nonholonomic })
    }

    /// Decreases every body index greater than `gone` by one. Nothing refers to `gone` itself any more, so that the
    /// contacts stay in order.
    fn close_up(&mut self, gone: usize) {
        let close = |index: &mut usize| *index -= usize::from(*index > gone);
        self.joints.items_mut().iter_mut().flat_map(|joint| &mut joint.bodies).for_each(close);
        self.springs.items_mut().iter_mut().flat_map(|spring| &mut spring.bodies).for_each(close);
        self.nonholonomic.items_mut().iter_mut().flat_map(|own| &mut own.bodies).for_each(close);
        self.grab.iter_mut().for_each(|grab| close(&mut grab.body));
        let contacts = self.contacts.iter_mut().flat_map(|contact| &mut contact.id.bodies);
        contacts.for_each(|index| *index -= u32::from(*index as usize > gone));
    }

    /// Takes a joint out of the world.
    ///
    /// # Errors
    /// A joint that does not exist.
    pub fn remove_joint(&mut self, id: JointId) -> Result<Joint, ModelError> {
        self.joints.remove(id).ok_or(ModelError::NoSuchJoint(id))
    }

    /// Takes a spring out of the world.
    ///
    /// # Errors
    /// A spring that does not exist.
    pub fn remove_spring(&mut self, id: SpringId) -> Result<Spring, ModelError> {
        self.springs.remove(id).ok_or(ModelError::NoSuchSpring(id))
    }

    /// Takes a non-holonomic constraint out of the world.
    ///
    /// # Errors
    /// A constraint that does not exist.
    pub fn remove_nonholonomic(&mut self, id: NonholonomicId) -> Result<Nonholonomic, ModelError> {
        self.nonholonomic.remove(id).ok_or(ModelError::NoSuchNonholonomic(id))
    }
}
