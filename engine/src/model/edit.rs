//! Adding to a world, changing what is in it, and removing from it: whatever is in a world has been checked.
//!
//! A change is made to a copy, which is checked and taken over, or refused as a whole. Of what does not exist a change
//! and a removal are refused. What remains behind a removal keeps its id, its order and its state, so that the world
//! continues to the same bits as one that never contained the removed item; the indices of bodies behind a removed one
//! decrease by one.

use super::applied_force::AppliedForce;
use super::body::{Body, Pose, Velocity};
use super::builders::{JointBuilder, SpringBuilder};
use super::constraint_id::ConstraintId;
use super::error::{ModelError, finite_vector};
use super::field::Field;
use super::forces::Forces;
use super::joint::{Curve, Joint, JointKind, Pulley, length};
use super::memory::{Memory, SchemeMemory};
use super::mouse::{Grab, Repulsion};
use super::nonholonomic::{Nonholonomic, NonholonomicKind};
use super::pulleys::placed;
use super::spring::Spring;
use super::surface::Materials;
use super::table::{BodyId, ForceLawId, JointId, NonholonomicId, SpringId};
use super::world::{ContactState, ForceLaw, World};
use glam::DVec2;
use std::sync::Arc;

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
    /// Fields that it carried.
    pub fields: Vec<Field>,
}

impl World {
    /// Adds a body, or what its builder describes.
    ///
    /// # Errors
    /// A pose, velocity or prescribed motion that is not finite, a friction below 0, a restitution that is not
    /// between 0 and 1; of a builder the errors of [`BodyBuilder::build`](super::BodyBuilder::build).
    pub fn add_body(
        &mut self,
        body: impl TryInto<Body, Error: Into<ModelError>>,
    ) -> Result<BodyId, ModelError> {
        let mut body = body.try_into().map_err(Into::into)?;
        body.check()?;
        body.place(self.time);
        Ok(self.bodies.push(body))
    }

    /// Adds a joint between two bodies at their present poses.
    ///
    /// # Errors
    /// Bodies that do not exist, the same body twice, or two bodies neither of which is dynamic; a length that is not
    /// positive; limits that are not in order; limits or a motor on a joint without a free coordinate; numbers that
    /// are not finite; a moment on a point mass.
    pub fn add_joint(&mut self, joint: JointBuilder) -> Result<JointId, ModelError> {
        let bodies = self.indices(joint.bodies)?;
        self.check_ends(bodies)?;
        let further = joint.further.map(|further| self.indices(further)).transpose()?;
        let (given, length) = (joint.given, joint.length);
        let joint = joint.resolve(bodies, bodies.map(|index| &self.bodies()[index]))?;
        let joint = Joint { further, ..joint };
        self.insert_joint(if given { joint } else { placed(self, joint, length) })
    }

    /// Adds a joint whose bodies are given by their index in [`World::bodies`], as a file names them.
    pub fn insert_joint(&mut self, mut joint: Joint) -> Result<JointId, ModelError> {
        self.check_joint(&joint)?;
        length::place(&mut joint, self.time);
        Ok(self.joints.push(joint))
    }

    /// Adds a non-holonomic constraint without accumulated error. One on a single body names it twice; a disk that
    /// rolls is body b.
    ///
    /// # Errors
    /// Bodies as for a joint; for a constraint on a single body, two, or one that is not dynamic; lengths that are not
    /// positive, numbers that are not finite, a moment on a point mass.
    pub fn add_nonholonomic(
        &mut self,
        bodies: [BodyId; 2],
        kind: NonholonomicKind,
    ) -> Result<NonholonomicId, ModelError> {
        self.insert_nonholonomic(Nonholonomic::new(self.indices(bodies)?, kind))
    }

    /// Adds a non-holonomic constraint whose bodies are given by their index in [`World::bodies`], as a file names them.
    pub fn insert_nonholonomic(&mut self, constraint: Nonholonomic) -> Result<NonholonomicId, ModelError> {
        self.check_nonholonomic(&constraint)?;
        Ok(self.nonholonomic.push(constraint))
    }

    /// Adds a spring between two bodies at their present poses.
    ///
    /// # Errors
    /// Bodies as for a joint; a stiffness, damping or rest length below zero; numbers that are not finite; a moment on
    /// a point mass.
    pub fn add_spring(&mut self, spring: SpringBuilder) -> Result<SpringId, ModelError> {
        let bodies = self.indices(spring.bodies)?;
        let spring = spring.resolve(bodies, bodies.map(|index| &self.bodies()[index]));
        self.insert_spring(spring)
    }

    /// Adds a spring whose bodies are given by their index in [`World::bodies`], as a file names them.
    pub fn insert_spring(&mut self, spring: Spring) -> Result<SpringId, ModelError> {
        self.check_spring(&spring)?;
        Ok(self.springs.push(spring))
    }

    /// Checks the derivatives of a joint of another crate at the present poses.
    pub(super) fn check_custom(&self, joint: &Joint) -> Result<(), ModelError> {
        let JointKind::Custom(own) = &joint.kind else { return Ok(()) };
        let [a, b] = joint.bodies;
        let [c, d] = joint.further.unwrap_or([a, b]);
        let at = [a, b, c, d].map(|body| self.frame(body));
        own.check_at(at.each_ref(), joint.all_bodies().count())
    }

    /// Checks a joint on the bodies of this world: no row, no limit and no motor of it may have a moment about the
    /// centre of a point mass.
    fn check_joint(&self, joint: &Joint) -> Result<(), ModelError> {
        let Joint { bodies, kind, limits, motor, friction, .. } = joint;
        self.check_ends(*bodies)?;
        joint.check()?;
        self.check_further(joint)?;
        self.check_custom(joint)?;
        let turned = match kind {
            JointKind::PoseMotor(_) => true,
            JointKind::Rope(_) | JointKind::Pulley(_) | JointKind::Bead(_) => false,
            JointKind::Slot(slot) => slot.suspension.is_some() && (motor.is_some() || *friction > 0.0),
            _ => limits.is_some() || motor.is_some() || *friction > 0.0,
        };
        let mut turns = [turned; 4];
        // At the present poses a row may happen to have no moment that it has at others.
        let [a, b] = kind.anchors().map(|anchor| anchor != DVec2::ZERO);
        let owner = match kind {
            JointKind::Slot(_) => true,
            JointKind::Bead(bead) => a || !matches!(bead.curve, Curve::Circle { .. }),
            _ => a,
        };
        if !matches!(kind, JointKind::Gear(_) | JointKind::Custom(_)) {
            turns = [turns[0] || owner, turns[1] || b, turns[2], turns[3]];
        }
        if let JointKind::Pulley(Pulley { wheels, carried, .. }) = kind {
            let [c, d] = [0, 1].map(|side| carried[side] && wheels[side] != DVec2::ZERO);
            turns = [turns[0], turns[1], c, d];
        }
        joint.equations(
            |body| self.frame(body),
            |row, [jc, jd]| {
                let levers = [row.ja, row.jb, jc, jd].map(|j| j.z != 0.0);
                turns.iter_mut().zip(levers).for_each(|(turns, own)| *turns |= own);
            },
        );
        self.check_point_masses(joint.all_bodies().zip(turns), "the joint")
    }

    /// Checks a spring on the bodies of this world; it may not turn a point mass.
    fn check_spring(&self, spring: &Spring) -> Result<(), ModelError> {
        self.check_ends(spring.bodies)?;
        spring.check()?;
        let turns = spring.anchors.map(|anchor| spring.rest_angle.is_some() || anchor != DVec2::ZERO);
        self.check_point_masses(spring.bodies.into_iter().zip(turns), "the spring")
    }

    /// Checks a non-holonomic constraint on the bodies of this world: a single body must be dynamic, of two bodies at
    /// least one. It may not turn a point mass.
    fn check_nonholonomic(&self, constraint: &Nonholonomic) -> Result<(), ModelError> {
        let Nonholonomic { bodies, kind, .. } = constraint;
        if kind.is_of_one_body() {
            if bodies[0] != bodies[1] {
                return Err(ModelError::WrongNumberOfBodies(kind.key()));
            }
            let id = self.known(bodies[1])?;
            if !self.bodies()[bodies[1]].is_dynamic() {
                return Err(ModelError::NotDynamic(id));
            }
        } else {
            self.check_ends(*bodies)?;
        }
        constraint.check()?;
        let mut turns = [false; 2];
        let [a, b] = bodies.map(|body| self.frame(body));
        kind.equations(&a, &b, |row| turns = [turns[0] | (row.ja.z != 0.0), turns[1] | (row.jb.z != 0.0)]);
        self.check_point_masses(bodies.iter().copied().zip(turns), "the velocity constraint")
    }

    /// Refuses `what`, if it turns one of its bodies that is a point mass.
    fn check_point_masses(
        &self,
        turns: impl Iterator<Item = (usize, bool)>,
        what: &'static str,
    ) -> Result<(), ModelError> {
        let mut turned = turns.filter(|(_, turns)| *turns);
        let wrong = turned.any(|(index, _)| self.bodies()[index].is_point_mass());
        if wrong { Err(ModelError::TurnsPointMass(what)) } else { Ok(()) }
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
    fn check_ends(&self, [a, b]: [usize; 2]) -> Result<(), ModelError> {
        let ids = [self.known(a)?, self.known(b)?];
        if a == b {
            return Err(ModelError::SameBody(ids[0]));
        }
        if !self.bodies()[a].is_dynamic() && !self.bodies()[b].is_dynamic() {
            return Err(ModelError::NothingToMove(ids[0], ids[1]));
        }
        Ok(())
    }

    /// Changes a body: moves it, throws it, gives it another friction, or puts another body in its place.
    ///
    /// Constraints keep their anchors relative to its centre of mass. If its shapes change, its contacts of the last
    /// step, their warm start and what a scheme remembers of them are discarded.
    ///
    /// # Errors
    /// The errors of [`World::add_body`], a body that does not exist, or a change after which a constraint acts on no
    /// dynamic body or turns a point mass. The world is then as it was.
    pub fn edit_body(&mut self, id: BodyId, edit: impl FnOnce(&mut Body)) -> Result<(), ModelError> {
        let index = self.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
        let mut edited = self.bodies()[index].clone();
        edit(&mut edited);
        edited.check()?;
        edited.place(self.time);
        let before = self.bodies.edit(|bodies| std::mem::replace(&mut bodies[index], edited));
        // What a constraint asks of its bodies; poses may be any.
        let asked = |body: &Body| (body.is_dynamic(), body.is_point_mass());
        if asked(&self.bodies()[index]) != asked(&before)
            && let Err(error) = self.check_constraints_on(index)
        {
            self.bodies.edit(|bodies| bodies[index] = before);
            return Err(error);
        }
        if self.bodies()[index].pieces() != before.pieces() {
            self.contacts.retain(|contact| !contact.id.bodies.contains(&id));
            self.memory.forget_contacts_of(id);
        }
        Ok(())
    }

    /// Checks every constraint on a body.
    fn check_constraints_on(&self, index: usize) -> Result<(), ModelError> {
        let mut joints = self.joints().iter().filter(|joint| joint.all_bodies().any(|body| body == index));
        joints.try_for_each(|joint| self.check_joint(joint))?;
        let mut springs = self.springs().iter().filter(|spring| spring.bodies.contains(&index));
        springs.try_for_each(|spring| self.check_spring(spring))?;
        let mut others = self.nonholonomic().iter().filter(|own| own.bodies.contains(&index));
        others.try_for_each(|own| self.check_nonholonomic(own))
    }

    /// Changes a joint, which stays between the same bodies; the world is as it was where [`World::add_joint`] would refuse it.
    pub fn edit_joint(&mut self, id: JointId, edit: impl FnOnce(&mut Joint)) -> Result<(), ModelError> {
        let index = self.joints.index_of(id).ok_or(ModelError::NoSuchJoint(id))?;
        let mut edited = self.joints()[index].clone();
        edit(&mut edited);
        (edited.bodies, edited.further) = (self.joints()[index].bodies, self.joints()[index].further);
        if self.gears_on(id).next().is_some() && !edited.kind.has_drive() {
            return Err(ModelError::NoFreeCoordinate(edited.kind.key()));
        }
        self.check_joint(&edited)?;
        length::place(&mut edited, self.time);
        let kind = edited.kind.clone();
        self.joints.edit(|joints| {
            joints[index] = edited;
            for joint in joints {
                let JointKind::Gear(gear) = &mut joint.kind else { continue };
                let sides =
                    gear.joints.into_iter().zip(gear.sides.iter_mut()).filter(|(own, _)| *own == id);
                sides.for_each(|(_, side)| side.clone_from(&kind));
            }
        });
        Ok(())
    }

    /// Breaks a joint as a whole with the gears that tie it, its motor, or a spring: it exerts nothing in later steps.
    pub(crate) fn break_off(&mut self, part: ConstraintId) {
        match part {
            ConstraintId::Joint(id) => {
                let parts: Vec<_> = self.gears_on(id).chain([id]).collect();
                for part in parts {
                    let Some(index) = self.joints.index_of(part) else { continue };
                    self.joints.edit(|joints| {
                        joints[index].broken = true;
                        (joints[index].force, joints[index].coordinate_force) = Default::default();
                    });
                }
            }
            ConstraintId::Motor(id) => {
                if let Some(index) = self.joints.index_of(id) {
                    self.joints.edit(|joints| {
                        joints[index].motor_broken = true;
                        joints[index].coordinate_force[0] = 0.0;
                    });
                }
            }
            ConstraintId::Spring(id) => {
                if let Some(index) = self.springs.index_of(id) {
                    self.springs.edit(|springs| springs[index].broken = true);
                }
            }
            _ => {}
        }
    }

    /// Changes a spring, which stays between the same bodies; the world is as it was where [`World::add_spring`] would refuse it.
    pub fn edit_spring(&mut self, id: SpringId, edit: impl FnOnce(&mut Spring)) -> Result<(), ModelError> {
        let index = self.springs.index_of(id).ok_or(ModelError::NoSuchSpring(id))?;
        let mut edited = self.springs()[index].clone();
        edit(&mut edited);
        edited.bodies = self.springs()[index].bodies;
        self.check_spring(&edited)?;
        self.springs.edit(|springs| springs[index] = edited);
        Ok(())
    }

    /// Changes a non-holonomic constraint, which stays on the same bodies; the world is as it was where
    /// [`World::add_nonholonomic`] would refuse it.
    pub fn edit_nonholonomic(
        &mut self,
        id: NonholonomicId,
        edit: impl FnOnce(&mut Nonholonomic),
    ) -> Result<(), ModelError> {
        let index = self.nonholonomic.index_of(id).ok_or(ModelError::NoSuchNonholonomic(id))?;
        let mut edited = self.nonholonomic()[index].clone();
        edit(&mut edited);
        edited.bodies = self.nonholonomic()[index].bodies;
        self.check_nonholonomic(&edited)?;
        self.nonholonomic.edit(|all| all[index] = edited);
        Ok(())
    }

    /// Grabs a body at the world point `at`, m, and pulls that point there with the usual strength ([`Grab`]).
    ///
    /// # Errors
    /// A body that does not exist or is not dynamic, a point that is not finite.
    pub fn grab_body(&mut self, id: BodyId, at: impl Into<DVec2>) -> Result<(), ModelError> {
        let body = self.body(id).ok_or(ModelError::NoSuchBody(id))?;
        self.set_hand(Some(Grab::new(id, body, at)), self.repulsion)
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
            let body = self.body(grab.body).ok_or(ModelError::NoSuchBody(grab.body))?;
            if !body.is_dynamic() {
                return Err(ModelError::NotDynamic(grab.body));
            }
            grab.check()?;
        }
        self.set_repulsion(repulsion)?;
        self.grab = grab;
        Ok(())
    }

    /// Turns exactly these of its switches on, given as bits.
    pub fn set_switches(&mut self, switches: u64) {
        self.switches = switches;
    }

    /// Lets go of what is grabbed.
    pub fn release_grab(&mut self) {
        self.grab = None;
    }

    /// Changes gravity, m/s².
    ///
    /// # Errors
    /// Gravity that is not finite. The world is then as it was.
    pub fn set_gravity(&mut self, gravity: impl Into<DVec2>) -> Result<(), ModelError> {
        let gravity = gravity.into();
        finite_vector("gravity", gravity)?;
        self.gravity = gravity;
        Ok(())
    }

    /// Changes the wind, m/s.
    ///
    /// # Errors
    /// A wind that is not finite. The world is then as it was.
    pub fn set_wind(&mut self, wind: impl Into<DVec2>) -> Result<(), ModelError> {
        let wind = wind.into();
        finite_vector("wind", wind)?;
        self.wind = wind;
        Ok(())
    }

    /// Replaces the materials, and the rules by which surfaces of a pair are combined. Bodies and shapes keep the values
    /// that they have.
    ///
    /// # Errors
    /// A number of a material that is out of its range, a pair of materials that do not exist, or one that is given
    /// twice. The world is then as it was.
    pub fn set_materials(&mut self, materials: Materials) -> Result<(), ModelError> {
        materials.check()?;
        self.materials = Arc::new(materials);
        self.bodies.edit(|_| {}); // what follows from them is derived anew
        Ok(())
    }

    /// Gives bodies the poses and velocities of their centres of mass in a state that was computed elsewhere; the
    /// others stay as they are. What they are made of, joints and contacts of the last step do not change.
    ///
    /// # Errors
    /// A body that does not exist, or a number that is not finite. The world is then as it was.
    pub fn place_bodies(&mut self, states: &[(BodyId, Pose, Velocity)]) -> Result<(), ModelError> {
        let checked = states.iter().map(|(id, pose, velocity)| {
            pose.check().and(velocity.check())?;
            self.index_of(*id).ok_or(ModelError::NoSuchBody(*id))
        });
        let indices: Vec<usize> = checked.collect::<Result<_, _>>()?;
        let bodies = self.bodies.state_mut();
        for (index, (_, pose, velocity)) in indices.into_iter().zip(states) {
            (bodies[index].pose, bodies[index].velocity) = (*pose, *velocity);
        }
        Ok(())
    }

    /// Pushes bodies away from a point from now on, or ends that.
    ///
    /// # Errors
    /// A centre or a strength that is not finite, a radius that is not greater than zero. The world is then as it was.
    pub fn set_repulsion(&mut self, repulsion: Option<Repulsion>) -> Result<(), ModelError> {
        repulsion.iter().try_for_each(Repulsion::check)?;
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
        bodies.try_for_each(|id| self.body(id).map(drop).ok_or(ModelError::NoSuchBody(id)))?;
        self.contacts = contacts;
        self.bodies.state_mut(); // a new revision: contacts are part of the state
        Ok(())
    }

    /// What the scheme of the last step remembers; `None` where nothing is remembered.
    pub fn remembered(&self) -> Option<SchemeMemory<'_>> {
        (!self.memory.is_empty()).then(|| self.memory.shown())
    }

    /// Restores what a scheme remembered in a saved state ([`World::remembered`]).
    ///
    /// # Errors
    /// Constraints or bodies that are not in their order, or whose numbers are not as many for each. The world is then as it was.
    pub fn restore_memory(
        &mut self,
        scheme: &str,
        of_constraints: Vec<(ConstraintId, Vec<f64>)>,
        of_bodies: Vec<(BodyId, Vec<f64>)>,
        of_world: Vec<f64>,
    ) -> Result<(), ModelError> {
        let restored = Memory::restored(scheme, of_constraints, of_bodies, of_world);
        self.memory = restored.ok_or(ModelError::MemoryOrder)?;
        self.bodies.state_mut(); // a new revision: what is remembered is part of the state
        Ok(())
    }

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
    pub fn remove_body(&mut self, id: BodyId) -> Result<RemovedBody, ModelError> {
        let gone = self.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
        let joints = self.joints.remove_all(|joint| joint.all_bodies().any(|body| body == gone));
        let springs = self.springs.remove_all(|spring| spring.bodies.contains(&gone));
        let nonholonomic = self.nonholonomic.remove_all(|own| own.bodies.contains(&gone));
        self.contacts.retain(|contact| !contact.id.bodies.contains(&id));
        self.grab = self.grab.filter(|grab| grab.body != id);
        let (fields, left) = self.fields.iter().copied().partition(|field| field.on == Some(id));
        self.fields = left;
        let body = self.bodies.remove(id).ok_or(ModelError::NoSuchBody(id))?;
        // Every greater index decreases by one; nothing refers to `gone` itself any more.
        let close = |index: &mut usize| *index -= usize::from(*index > gone);
        self.joints.edit(|joints| {
            for Joint { bodies, further, .. } in joints {
                bodies.iter_mut().chain(further.iter_mut().flatten()).for_each(close);
            }
        });
        self.springs.edit(|springs| springs.iter_mut().flat_map(|own| &mut own.bodies).for_each(close));
        self.nonholonomic.edit(|all| all.iter_mut().flat_map(|own| &mut own.bodies).for_each(close));
        Ok(RemovedBody { body, joints, springs, nonholonomic, fields })
    }

    /// Adds a force law: `law` reads the world at the start of each step and exerts forces on its bodies
    /// (`model/forces.rs`). It must depend on the world alone, so that a run can be repeated.
    pub fn add_force_law(
        &mut self,
        law: impl Fn(&World, &mut Forces<'_>) + Send + Sync + 'static,
    ) -> ForceLawId {
        self.force_laws.push(ForceLaw(Arc::new(law)))
    }

    /// Takes a force law out of the world.
    pub fn remove_force_law(&mut self, id: ForceLawId) -> Result<ForceLaw, ModelError> {
        self.force_laws.remove(id).ok_or(ModelError::NoSuchForceLaw(id))
    }

    /// Sets the constant force and torque on a body, or ends them: what a controller does between two steps. Unlike
    /// [`World::edit_body`] it keeps all that the engine has derived from the world.
    ///
    /// # Errors
    /// A body that does not exist, numbers that are not finite, a moment on a point mass. The world is then as it was.
    pub fn set_applied_force(
        &mut self,
        id: BodyId,
        applied: Option<AppliedForce>,
    ) -> Result<(), ModelError> {
        let index = self.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
        applied.iter().try_for_each(|applied| self.bodies()[index].check_applied(applied))?;
        self.bodies.state_mut()[index].applied = applied;
        Ok(())
    }

    /// Takes a joint out of the world, and with it the gears that tie it.
    pub fn remove_joint(&mut self, id: JointId) -> Result<Joint, ModelError> {
        let joint = self.joints.remove(id).ok_or(ModelError::NoSuchJoint(id))?;
        self.joints.remove_all(|gear| gear.ties(id));
        Ok(joint)
    }

    /// Takes a spring out of the world.
    pub fn remove_spring(&mut self, id: SpringId) -> Result<Spring, ModelError> {
        self.springs.remove(id).ok_or(ModelError::NoSuchSpring(id))
    }

    /// Takes a non-holonomic constraint out of the world.
    pub fn remove_nonholonomic(&mut self, id: NonholonomicId) -> Result<Nonholonomic, ModelError> {
        self.nonholonomic.remove(id).ok_or(ModelError::NoSuchNonholonomic(id))
    }
}
