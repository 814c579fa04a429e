//! Changes to what is in a world: each is made to a copy, checked, and taken over or refused as a whole.

use super::body::Body;
use super::contact::ContactState;
use super::error::{ModelError, finite, finite_vector};
use super::grab::Grab;
use super::id::{BodyId, JointId, NonholonomicId, SpringId};
use super::joint::Joint;
use super::nonholonomic::Nonholonomic;
use super::repulsion::Repulsion;
use super::spring::Spring;
use super::world::World;
use glam::DVec2;

impl World {
    /// Changes a body: moves it, throws it, gives it another friction, or puts another body in its place.
    ///
    /// Constraints keep their anchors relative to its centre of mass. If its shapes change, its contacts of the last
    /// step, and their warm start, are discarded.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let ball = world.add_body(Body::dynamic().shape(Shape::Circle { radius: 0.1 }).build()?)?;
    /// world.edit_body(ball, |body| body.velocity.linear = DVec2::new(1.0, 0.0))?;
    /// assert!(world.edit_body(ball, |body| body.friction = -1.0).is_err());
    /// assert_eq!(world[ball].friction, 0.0);
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`World::add_body`], a body that does not exist, or a change after which a constraint acts on no
    /// dynamic body. The world is then as it was.
    pub fn edit_body(&mut self, id: BodyId, edit: impl FnOnce(&mut Body)) -> Result<(), ModelError> {
        let index = self.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
        let mut edited = self.bodies()[index].clone();
        edit(&mut edited);
        edited.check()?;
        let before = std::mem::replace(&mut self.bodies.items_mut()[index], edited);
        if let Err(error) = self.check_constraints_on(index) {
            self.bodies.items_mut()[index] = before;
            return Err(error);
        }
        if self.bodies()[index].pieces() != before.pieces() {
            self.contacts.retain(|contact| !contact.id.bodies.contains(&(index as u32)));
        }
        Ok(())
    }

    /// Checks that every constraint on a body still acts on a dynamic body.
    fn check_constraints_on(&self, index: usize) -> Result<(), ModelError> {
        let joints = self.joints().iter().map(|joint| joint.bodies);
        let springs = self.springs().iter().map(|spring| spring.bodies);
        let mut ends = joints.chain(springs).filter(|ends| ends.contains(&index));
        ends.try_for_each(|ends| self.check_ends(ends))?;
        let mut held = self.nonholonomic().iter().filter(|own| own.bodies.contains(&index));
        held.try_for_each(|own| self.check_held(own))
    }

    /// Changes a joint; it stays between the same bodies.
    ///
    /// # Errors
    /// The errors of [`World::add_joint`], or a joint that does not exist. The world is then as it was.
    pub fn edit_joint(&mut self, id: JointId, edit: impl FnOnce(&mut Joint)) -> Result<(), ModelError> {
        let index = self.joints.index_of(id).ok_or(ModelError::NoSuchJoint(id))?;
        let mut edited = self.joints()[index].clone();
        edit(&mut edited);
        edited.check()?;
        edited.bodies = self.joints()[index].bodies;
        self.joints.items_mut()[index] = edited;
        Ok(())
    }

    /// Changes a spring; it stays between the same bodies.
    ///
    /// # Errors
    /// The errors of [`World::add_spring`], or a spring that does not exist. The world is then as it was.
    pub fn edit_spring(&mut self, id: SpringId, edit: impl FnOnce(&mut Spring)) -> Result<(), ModelError> {
        let index = self.springs.index_of(id).ok_or(ModelError::NoSuchSpring(id))?;
        let mut edited = self.springs()[index].clone();
        edit(&mut edited);
        edited.check()?;
        edited.bodies = self.springs()[index].bodies;
        self.springs.items_mut()[index] = edited;
        Ok(())
    }

    /// Changes a non-holonomic constraint; it stays on the same bodies.
    ///
    /// # Errors
    /// The errors of [`World::add_nonholonomic`], or a constraint that does not exist. The world is then as it was.
    pub fn edit_nonholonomic(
        &mut self,
        id: NonholonomicId,
        edit: impl FnOnce(&mut Nonholonomic),
    ) -> Result<(), ModelError> {
        let index = self.nonholonomic.index_of(id).ok_or(ModelError::NoSuchNonholonomic(id))?;
        let before = &self.nonholonomic()[index];
        let mut edited = before.clone();
        edit(&mut edited);
        if edited.kind.is_of_one_body() != before.kind.is_of_one_body() {
            return Err(ModelError::WrongNumberOfBodies(edited.kind.key()));
        }
        edited.check()?;
        edited.bodies = before.bodies;
        self.nonholonomic.items_mut()[index] = edited;
        Ok(())
    }

    /// Grabs a body at the world point `at`, m, and pulls that point there with the usual strength ([`Grab`]).
    ///
    /// # Errors
    /// A body that does not exist or is not dynamic, a point that is not finite.
    pub fn grab_body(&mut self, id: BodyId, at: DVec2) -> Result<(), ModelError> {
        let index = self.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
        if !self.bodies()[index].is_dynamic() {
            return Err(ModelError::NotDynamic(id));
        }
        let grab = Grab::new(index, &self.bodies()[index], at);
        grab.check()?;
        self.grab = Some(grab);
        Ok(())
    }

    /// Changes the grab, if there is one: where it pulls to, how strongly. It stays on the same body.
    ///
    /// # Errors
    /// A point that is not finite, a stiffness, damping or force below zero. The world is then as it was.
    pub fn edit_grab(&mut self, edit: impl FnOnce(&mut Grab)) -> Result<(), ModelError> {
        let Some(before) = self.grab else { return Ok(()) };
        let mut edited = before;
        edit(&mut edited);
        edited.check()?;
        self.grab = Some(Grab { body: before.body, ..edited });
        Ok(())
    }

    /// Puts the grab and the repulsion of another state of this world in the place of the present ones.
    ///
    /// # Errors
    /// A grab of a body that does not exist or is not dynamic, and what [`World::edit_grab`] and [`World::set_repulsion`] refuse.
    /// The world is then as it was.
    pub fn set_hand(&mut self, grab: Option<Grab>, repulsion: Option<Repulsion>) -> Result<(), ModelError> {
        if let Some(grab) = &grab {
            let id = self.known(grab.body)?;
            if !self.bodies()[grab.body].is_dynamic() {
                return Err(ModelError::NotDynamic(id));
            }
            grab.check()?;
        }
        self.set_repulsion(repulsion)?;
        self.grab = grab;
        Ok(())
    }

    /// Lets go of what is grabbed.
    pub fn release_grab(&mut self) {
        self.grab = None;
    }

    /// Changes gravity, m/s².
    ///
    /// # Errors
    /// Gravity that is not finite. The world is then as it was.
    pub fn set_gravity(&mut self, gravity: DVec2) -> Result<(), ModelError> {
        finite_vector("gravity", gravity)?;
        self.gravity = gravity;
        Ok(())
    }

    /// Sets the clock, s: prescribed motions and velocities depend on it.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// world.set_time(2.0)?;
    /// assert!(world.set_time(f64::NAN).is_err());
    /// assert_eq!(world.time(), 2.0);
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Errors
    /// A time that is not finite. The world is then as it was.
    pub fn set_time(&mut self, time: f64) -> Result<(), ModelError> {
        self.time = finite("time", time)?;
        Ok(())
    }

    /// Sets the number of steps made so far, for a state that has been saved.
    pub fn set_steps(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Pushes bodies away from a point from now on, or ends that.
    ///
    /// # Errors
    /// A centre or a strength that is not finite, a radius that is not greater than zero. The world is then as it was.
    pub fn set_repulsion(&mut self, repulsion: Option<Repulsion>) -> Result<(), ModelError> {
        if let Some(repulsion) = &repulsion {
            repulsion.check()?;
        }
        self.repulsion = repulsion;
        Ok(())
    }

    /// Restores the contacts of a saved state. The next step warm-starts its solver from their impulses, and a window
    /// draws them until then; the step detects the contacts' geometry anew. Impulses need not be finite, since those
    /// of a run that is about to blow up may not be.
    ///
    /// # Errors
    /// Bodies that do not exist, or contacts that are not in the order of their identities. The world is then as it was.
    pub fn restore_contacts(&mut self, contacts: Vec<ContactState>) -> Result<(), ModelError> {
        let in_order = contacts.windows(2).all(|pair| pair[0].id <= pair[1].id);
        if !in_order || contacts.iter().any(|contact| contact.id.bodies[0] >= contact.id.bodies[1]) {
            return Err(ModelError::ContactOrder);
        }
        let mut bodies = contacts.iter().flat_map(|contact| contact.id.bodies);
        bodies.try_for_each(|index| self.known(index as usize).map(drop))?;
        self.contacts = contacts;
        self.bodies.state_mut(); // a new revision: contacts are part of the state
        Ok(())
    }
}
