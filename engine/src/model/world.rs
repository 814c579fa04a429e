//! The complete state of a simulation.
//!
//! A clone is a snapshot: stepping a clone gives the same bits.
//!
//! Everything in a world has been checked: `add_…` and `edit_…` refuse bodies and constraints without physical meaning, and
//! then leave the world as it was.

use super::body::{Body, BodyKind, Frame};
use super::census::JointCensus;
use super::constraint_id::ContactId;
use super::error::{ModelError, finite};
use super::field::Field;
use super::forces::Forces;
use super::joint::{Joint, length};
use super::memory::Memory;
use super::mouse::{Grab, Repulsion};
use super::nonholonomic::Nonholonomic;
use super::spring::Spring;
use super::surface::Materials;
use super::table::{BodyId, Counted, ForceLawId, JointId, NonholonomicId, SpringId, Table, Version};
use crate::math::largest;
use glam::{DVec2, DVec3};
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

/// Bodies, joints, non-holonomic constraints, springs, gravity and time.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let ball = world.add_body(Body::dynamic().at([0.0, 5.0]).shape(Shape::circle(0.1)))?;
/// let before = world.clone(); // a snapshot
/// step(&mut world, &Method::none(), 0.1, &mut Workspace::default())?;
/// assert!(world[ball].pose.position.y < before[ball].pose.position.y && world.time() == 0.1);
/// world.remove_body(ball)?;
/// assert!(world.body(ball).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// Gravity, m/s².
    pub(crate) gravity: DVec2,
    /// Velocity of the air, m/s.
    pub(crate) wind: DVec2,
    /// Fields that point to a centre.
    pub(crate) fields: Vec<Field>,
    /// The present time, s.
    pub(crate) time: f64,
    /// Steps made so far.
    pub(crate) steps: u64,
    pub(crate) repulsion: Option<Repulsion>,
    pub(crate) grab: Option<Grab>,
    /// The switches that are on, as bits.
    pub(crate) switches: u64,
    pub(super) materials: Arc<Materials>,
    pub(super) bodies: Table<BodyId, Body>,
    pub(super) joints: Table<JointId, Joint>,
    pub(super) nonholonomic: Table<NonholonomicId, Nonholonomic>,
    pub(super) springs: Table<SpringId, Spring>,
    pub(super) force_laws: Table<ForceLawId, ForceLaw>,
    pub(super) contacts: Vec<ContactState>,
    /// What the scheme of the last step remembers.
    pub(crate) memory: Memory,
}

impl World {
    /// An empty world with the given gravity, m/s².
    ///
    /// # Panics
    /// If gravity is not finite; [`World::set_gravity`] returns an error instead.
    pub fn new(gravity: impl Into<DVec2>) -> Self {
        let gravity = gravity.into();
        assert!(gravity.is_finite(), "gravity must be finite, not {gravity}");
        Self { gravity, ..Self::default() }
    }

    /// Gravity, m/s².
    pub fn gravity(&self) -> DVec2 {
        self.gravity
    }

    /// The wind: the velocity of the air, against which drag counts, m/s.
    pub fn wind(&self) -> DVec2 {
        self.wind
    }

    /// The fields that point to a centre.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Acceleration by all fields with a centre in the world at a point, m/s².
    pub(crate) fn field_at(&self, position: DVec2) -> DVec2 {
        let fields = self.fields.iter().filter(|field| field.on.is_none());
        fields.fold(DVec2::ZERO, |sum, field| sum + field.acceleration(position))
    }

    /// Potential energy of these fields per gravitational mass at a point, J/kg.
    pub(crate) fn field_potential_at(&self, position: DVec2) -> f64 {
        let fields = self.fields.iter().filter(|field| field.on.is_none());
        fields.map(|field| field.potential(position)).sum()
    }

    /// Whether a profile drives anything, so that a step depends on the time.
    pub(crate) fn is_timed(&self) -> bool {
        let (bodies, joints) = (self.bodies.census(), self.joints.census());
        bodies.driven || bodies.belts || joints.timed || joints.lengths
    }

    /// The present time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Sets the clock, s: prescribed motions and velocities depend on it.
    ///
    /// # Errors
    /// A time that is not finite. The world is then as it was.
    pub fn set_time(&mut self, time: f64) -> Result<(), ModelError> {
        finite("time", time)?;
        self.time = time;
        self.place_driven();
        Ok(())
    }

    /// Puts the bodies whose pose profiles drive where these say at the present time, and gives driven joints their length there.
    pub(crate) fn place_driven(&mut self) {
        let time = self.time;
        if self.bodies.census().posed {
            self.bodies_mut().iter_mut().for_each(|body| body.place(time));
        }
        if self.joints.census().lengths {
            self.joints_mut().iter_mut().for_each(|joint| length::place(joint, time));
        }
    }

    /// Sets the number of steps made so far, for a state that has been saved.
    pub fn set_steps(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Its materials, and how surfaces of a pair are combined.
    pub fn materials(&self) -> &Materials {
        &self.materials
    }

    /// Whether a pair of surfaces or a limit of a joint may rebound.
    pub(crate) fn may_rebound(&self) -> bool {
        let rebounds = |body: &Body| body.collides && body.any_skin(|own| own.restitution > 0.0);
        let limit_rebounds = |joint: &Joint| joint.restitution > 0.0 && joint.rigid_limits().is_some();
        let pairs = &self.materials.pairs;
        self.bodies().iter().any(rebounds)
            || self.joints().iter().any(limit_rebounds)
            || pairs.iter().any(|pair| pair.restitution.is_some_and(|own| own > 0.0))
    }

    /// The switches that are on, as bits: what a person holds down. Driven forces may ask for one.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// The mouse's repulsion, if any.
    pub fn repulsion(&self) -> Option<Repulsion> {
        self.repulsion
    }

    /// The bodies in the order in which they were added. Joints, springs and velocity constraints refer to them by their
    /// index here, which shifts when a body before them is removed; a [`BodyId`] does not.
    pub fn bodies(&self) -> &[Body] {
        self.bodies.items()
    }

    /// The ids of [`World::bodies`], one for each, ascending.
    pub fn body_ids(&self) -> &[BodyId] {
        self.bodies.ids()
    }

    /// A body, if it has not been removed.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id)
    }

    /// The present index of a body in [`World::bodies`].
    pub fn index_of(&self, id: BodyId) -> Option<usize> {
        self.bodies.index_of(id)
    }

    /// The id of the body that is at present at `index` in [`World::bodies`].
    pub fn id_of(&self, index: usize) -> Option<BodyId> {
        self.bodies.ids().get(index).copied()
    }

    /// The revisions of the four tables, which steps do not change.
    fn revisions(&self) -> [Version; 4] {
        [
            self.bodies.revision(),
            self.joints.revision(),
            self.nonholonomic.revision(),
            self.springs.revision(),
        ]
    }

    /// Whether it has the bodies, joints and other parts of `other`, with the same properties: what steps change may
    /// differ, and so may gravity, applied forces, what motors demand, the hand and the switches.
    pub fn has_parts_of(&self, other: &Self) -> bool {
        let body = |(own, other): (&Body, &Body)| {
            let Body { pose, velocity, applied, .. } = *other;
            own == other || Body { pose, velocity, applied, ..own.clone() } == *other
        };
        let joint = |(own, other): (&Joint, &Joint)| {
            let Joint { force, coordinate_force, .. } = *other;
            let motor = if own.motor.is_some() { other.motor.or(own.motor) } else { own.motor };
            own == other || Joint { force, coordinate_force, motor, ..own.clone() } == *other
        };
        self.revisions() == other.revisions()
            || self.body_ids() == other.body_ids()
                && self.joint_ids() == other.joint_ids()
                && self.spring_ids() == other.spring_ids()
                && self.nonholonomic_ids() == other.nonholonomic_ids()
                && self.springs() == other.springs()
                && self.nonholonomic() == other.nonholonomic()
                && self.materials == other.materials
                && self.bodies().iter().zip(other.bodies()).all(body)
                && self.joints().iter().zip(other.joints()).all(joint)
    }

    /// The bodies, for a step to write poses and velocities.
    pub(crate) fn bodies_mut(&mut self) -> &mut [Body] {
        self.bodies.state_mut()
    }

    /// Identifies the poses and velocities that a step has written. Together with a [`Revision`] it
    /// identifies the poses and velocities of all bodies.
    pub(crate) fn written(&self) -> Version {
        self.bodies.state()
    }

    /// The joints, in the order in which they were added.
    pub fn joints(&self) -> &[Joint] {
        self.joints.items()
    }

    /// What they are as a whole.
    pub(crate) fn joint_census(&self) -> &JointCensus {
        self.joints.census()
    }

    /// The joints if `any` of them is of the kind that is looked for, else none.
    pub(crate) fn joints_if(&self, any: impl Fn(&JointCensus) -> bool) -> &[Joint] {
        if any(self.joints.census()) { self.joints() } else { &[] }
    }

    /// The ids of [`World::joints`], one for each, ascending.
    pub fn joint_ids(&self) -> &[JointId] {
        self.joints.ids()
    }

    /// A joint, if it has not been removed.
    pub fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.get(id)
    }

    /// The joints, for a step to write forces.
    pub(crate) fn joints_mut(&mut self) -> &mut [Joint] {
        self.joints.state_mut()
    }

    /// The non-holonomic constraints, in the order in which they were added.
    pub fn nonholonomic(&self) -> &[Nonholonomic] {
        self.nonholonomic.items()
    }

    /// The ids of [`World::nonholonomic`], one for each, ascending.
    pub fn nonholonomic_ids(&self) -> &[NonholonomicId] {
        self.nonholonomic.ids()
    }

    /// The non-holonomic constraints, for a step to write integrals.
    pub(crate) fn nonholonomic_mut(&mut self) -> &mut [Nonholonomic] {
        self.nonholonomic.state_mut()
    }

    /// The springs, in the order in which they were added.
    pub fn springs(&self) -> &[Spring] {
        self.springs.items()
    }

    /// The ids of [`World::springs`], one for each, ascending.
    pub fn spring_ids(&self) -> &[SpringId] {
        self.springs.ids()
    }

    /// A spring, if it has not been removed.
    pub fn spring(&self, id: SpringId) -> Option<&Spring> {
        self.springs.get(id)
    }

    /// Whether a body bears a driven force.
    pub(crate) fn has_driven_forces(&self) -> bool {
        self.bodies.census().driven
    }

    /// Whether it has springs or soft joints.
    pub(crate) fn has_springs(&self) -> bool {
        !self.springs().is_empty() || self.joints.census().soft
    }

    /// The force laws, in the order in which they were added.
    pub fn force_laws(&self) -> &[ForceLaw] {
        self.force_laws.items()
    }

    /// The force and moment of all force laws on every body in the present state, (N, N, N m); empty without laws.
    ///
    /// # Errors
    /// What a law did wrong.
    pub(crate) fn forces_of_laws(&self, sums: &mut Vec<DVec3>) -> Result<(), ModelError> {
        sums.clear();
        if self.force_laws().is_empty() {
            return Ok(());
        }
        let mut forces = Forces::none(self.body_ids(), self.bodies(), sums);
        self.force_laws().iter().for_each(|ForceLaw(law)| law(self, &mut forces));
        forces.wrong().map_or(Ok(()), Err)
    }

    /// Checks the derivatives of joints of other crates in the present state.
    pub(crate) fn check_custom_joints(&self) -> Result<(), ModelError> {
        self.joints().iter().try_for_each(|joint| self.check_custom(joint))
    }

    /// The mouse's grab, if any.
    pub fn grab(&self) -> Option<Grab> {
        self.grab
    }

    /// The mouse's grab with the index of the body that it holds.
    pub(crate) fn held(&self) -> Option<(Grab, usize)> {
        let grab = self.grab?;
        Some((grab, self.index_of(grab.body)?))
    }

    /// Contact points of the last step with their impulses, in the order of their identities.
    pub fn contacts(&self) -> &[ContactState] {
        &self.contacts
    }

    /// The contacts of one body in the last step, as that body sees them.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new([0.0, -9.81]);
    /// let floor = world.add_body(Body::fixed().shape(Shape::rectangle(10.0, 1.0)))?;
    /// let cube = world.add_body(Body::dynamic().at([0.0, 1.0]).shape(Shape::rectangle(1.0, 1.0)).mass(3.0))?;
    /// step(&mut world, &Method::anitescu_hart(), 1e-2, &mut Workspace::default())?;
    /// let corners: Vec<_> = world.contacts_of(cube).collect();
    /// assert!(corners.len() == 2 && corners.iter().all(|contact| contact.other == floor));
    /// assert!(corners.iter().all(|contact| contact.normal.y == -1.0)); // towards the floor
    /// let weight: f64 = corners.iter().map(|contact| contact.impulse[0] / 1e-2).sum();
    /// assert!((weight - 3.0 * 9.81).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = BodyContact> + '_ {
        self.contacts.iter().filter_map(move |contact| {
            let [a, b] = contact.id.bodies;
            let (other, way) = match id {
                own if own == a => (b, 1.0),
                own if own == b => (a, -1.0),
                _ => return None,
            };
            let ContactState { point, normal, gap, friction, impulse, .. } = *contact;
            Some(BodyContact { other, point, normal: way * normal, gap, friction, impulse })
        })
    }

    /// A contact of the last step, if its bodies still touch there.
    pub fn contact(&self, id: ContactId) -> Option<&ContactState> {
        Some(&self.contacts[self.contacts.binary_search_by_key(&id, |contact| contact.id).ok()?])
    }

    pub(crate) fn contacts_mut(&mut self) -> &mut Vec<ContactState> {
        &mut self.contacts
    }

    /// The frame of body `index` at its present pose and velocity.
    pub fn frame(&self, index: usize) -> Frame {
        let body = &self.bodies()[index];
        Frame::new(body.pose.coordinates(), self.velocity_of(index))
    }

    /// Velocity (m/s, m/s, rad/s) of body `index`, prescribed motions evaluated at the present time.
    pub fn velocity_of(&self, index: usize) -> DVec3 {
        let body = &self.bodies()[index];
        let v = body.velocity;
        match body.kind() {
            BodyKind::Dynamic => v.coordinates(),
            BodyKind::Fixed => DVec3::ZERO,
            BodyKind::Kinematic(_) => body.path().map_or(DVec3::ZERO, |path| path.velocity(self.time)),
        }
    }

    /// The largest acceleration that gravity gives a body, m/s², with scales below 1 taken as 1.
    pub fn largest_fall(&self) -> f64 {
        self.gravity.length() * self.bodies.census().largest_scale
    }

    /// Σ ½ m v² + ½ I ω², J.
    pub fn kinetic_energy(&self) -> f64 {
        self.bodies().iter().map(Body::kinetic_energy).sum()
    }

    /// Gravity's −m s g·x, that of fields and the springs' ½ k s², J. The energy of the grab's spring is not included: the grab
    /// is an
    /// external action.
    pub fn potential_energy(&self) -> f64 {
        let mut energy = 0.0;
        for body in self.bodies().iter().filter(|body| body.is_dynamic()) {
            energy -= body.gravitational_mass() * self.gravity.dot(body.pose.position);
        }
        for body in self.bodies().iter().filter(|body| body.is_dynamic() && !self.fields.is_empty()) {
            energy += body.gravitational_mass() * self.field_potential_at(body.pose.position);
        }
        if self.has_carried_fields() {
            energy += self.energy_of_carried_fields(|index| self.bodies()[index].pose.coordinates());
        }
        self.add_spring_energy(energy, |index| self.bodies()[index].pose.coordinates())
    }

    /// Adds the energy of springs, soft joints and suspensions with the bodies at `q` to `energy`, J.
    pub(crate) fn add_spring_energy(&self, mut energy: f64, q: impl Fn(usize) -> DVec3) -> f64 {
        for joint in self.joints_if(|any| any.soft).iter().filter(|joint| joint.is_soft()) {
            let Some(softness) = joint.softness else { continue };
            let [a, b] = joint.bodies.map(|index| Frame::new(q(index), DVec3::ZERO));
            joint.soft_equations(&a, &b, |row| {
                energy += 0.5 * softness.of(row.unit).stiffness * row.g * row.g
            });
        }
        for spring in self.springs() {
            let [a, b] = spring.bodies.map(|index| Frame::new(q(index), DVec3::ZERO));
            let stiffness = spring.softness.stiffness;
            spring.equations(&a, &b, |row| energy += 0.5 * stiffness * row.g * row.g);
        }
        for joint in self.joints_if(|any| any.sprung) {
            let Some(own) = joint.suspension() else { continue };
            let [a, b] = joint.bodies.map(|index| Frame::new(q(index), DVec3::ZERO));
            let s = joint.kind.coordinate(&a, &b).map_or(0.0, |row| row.g);
            energy += 0.5 * own.stiffness * s * s;
        }
        energy
    }

    /// Largest |g| over the joint rows, in each row's own unit (m, rad or m²).
    pub fn joint_error(&self) -> f64 {
        largest(self.joints().iter().filter(|joint| joint.is_rigid()).map(|joint| {
            let mut error = 0.0;
            joint.equations(|index| self.frame(index), |row, _| error = largest([error, row.g]));
            error
        }))
    }

    /// Linear momentum Σ m v of the dynamic bodies, kg m/s.
    pub fn linear_momentum(&self) -> DVec2 {
        let dynamic = self.bodies().iter().filter(|body| body.is_dynamic());
        dynamic.map(|body| body.mass_properties().mass * body.velocity.linear).sum()
    }

    /// Angular momentum Σ m x × v + I ω of the dynamic bodies about the origin, kg m²/s.
    pub fn angular_momentum(&self) -> f64 {
        let dynamic = self.bodies().iter().filter(|body| body.is_dynamic());
        dynamic
            .map(|body| {
                let p = body.mass_properties();
                p.mass * body.pose.position.perp_dot(body.velocity.linear)
                    + p.inertia * body.velocity.angular
            })
            .sum()
    }
}

/// A force law of a world. Clones of the world share it; two laws are equal if they are the same one.
#[derive(Clone)]
pub struct ForceLaw(pub(super) Arc<ForceFunction>);

impl Counted for ForceLaw {
    type Census = ();

    fn count(&self, (): &mut ()) {}
}

type ForceFunction = dyn Fn(&World, &mut Forces<'_>) + Send + Sync;

impl fmt::Debug for ForceLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ForceLaw")
    }
}

impl PartialEq for ForceLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// # Panics
/// If the body has been removed; [`World::body`] returns `None` instead.
impl Index<BodyId> for World {
    type Output = Body;

    fn index(&self, id: BodyId) -> &Body {
        self.body(id).unwrap_or_else(|| panic!("body {id} is not in the world"))
    }
}

/// # Panics
/// If the joint has been removed; [`World::joint`] returns `None` instead.
impl Index<JointId> for World {
    type Output = Joint;

    fn index(&self, id: JointId) -> &Joint {
        self.joint(id).unwrap_or_else(|| panic!("joint {id} is not in the world"))
    }
}

/// Identifies the content of the world that was last read, apart from the state that steps change; empty at first.
///
/// Masses, the pairs that may collide and the order of the rows change only when a body or constraint is added, edited or
/// removed. A part of the engine that stores them also stores the world's revision, and derives them anew when that has changed.
/// A clone has the revision of its original until one of them is edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Revision(Option<[Version; 4]>);

impl Revision {
    /// Becomes the revision of `world`; returns whether this has changed it. A revision identifies neither the state
    /// that a step writes nor gravity, the time, the grab, the repulsion and the contacts.
    pub fn update(&mut self, world: &World) -> bool {
        let known = self.is_of(world);
        if !known {
            self.0 = Some(world.revisions());
        }
        !known
    }

    /// Whether it is the revision of `world`.
    pub fn is_of(&self, world: &World) -> bool {
        self.0 == Some(world.revisions())
    }
}

/// A contact of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactState {
    /// Which bodies, pieces and features touch.
    pub id: ContactId,
    /// Contact point in the world, m.
    pub point: DVec2,
    /// Unit normal from body a to body b.
    pub normal: DVec2,
    /// The gap φ, negative where they overlap, m.
    pub gap: f64,
    /// Friction coefficient of the pair.
    pub friction: f64,
    /// Normal and tangential impulse over the last step, N s; the tangent is the normal turned a quarter
    /// counter-clockwise.
    pub impulse: [f64; 2],
}

/// A contact of the last step, as one of its two bodies sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BodyContact {
    /// The other body.
    pub other: BodyId,
    /// Contact point in the world, m.
    pub point: DVec2,
    /// Unit normal from this body to the other one.
    pub normal: DVec2,
    /// The gap φ, negative where they overlap, m.
    pub gap: f64,
    /// Friction coefficient of the pair.
    pub friction: f64,
    /// Impulse on the other body over the last step along the normal, and along the normal turned a quarter
    /// counter-clockwise, N s.
    pub impulse: [f64; 2],
}
