//! Rigid bodies: pose and velocity of the centre of mass, mass, shapes.

use super::applied_force::{AppliedForce, DrivenForce, SWITCHES};
use super::damping::Damping;
use super::error::{ModelError, finite, finite_vector, fitting, not_negative, share};
use super::mass::{MassProperties, MassSpec};
use super::motion::{Motion, Path, PoseProfiles};
use super::piece::Piece;
use super::profile::Profile;
use super::shape::Placement;
use super::surface::{Filter, Skin, check_static};
use crate::math::Rotation;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Position of the centre of mass and orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Centre of mass, m.
    pub position: DVec2,
    /// Counter-clockwise, rad, not wrapped.
    pub angle: f64,
}

impl Pose {
    /// q = (x, y, θ).
    #[inline]
    pub fn coordinates(self) -> DVec3 {
        self.position.extend(self.angle)
    }

    pub(super) fn check(self) -> Result<(), ModelError> {
        finite_vector("position", self.position).and(finite("angle", self.angle))
    }
}

impl From<DVec3> for Pose {
    fn from(q: DVec3) -> Self {
        Self { position: q.truncate(), angle: q.z }
    }
}

/// Velocity of the centre of mass and angular velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Velocity {
    /// Velocity of the centre of mass in the world's axes, m/s.
    pub linear: DVec2,
    /// Angular velocity ω, counter-clockwise, rad/s.
    pub angular: f64,
}

impl Velocity {
    /// v = (vx, vy, ω).
    #[inline]
    pub fn coordinates(self) -> DVec3 {
        self.linear.extend(self.angular)
    }

    pub(super) fn check(self) -> Result<(), ModelError> {
        finite_vector("velocity", self.linear).and(finite("angular velocity", self.angular))
    }
}

impl From<DVec3> for Velocity {
    fn from(v: DVec3) -> Self {
        Self { linear: v.truncate(), angular: v.z }
    }
}

/// The cause of a body's motion.
///
/// ```
/// use driftlab::prelude::*;
///
/// let shaker = Motion::Sine { center: DVec2::ZERO, amplitude: DVec2::new(0.0, 0.1), frequency: 2.0 };
/// let table = Body::kinematic(shaker).shape(Shape::rectangle(2.0, 0.2)).build()?;
/// assert_eq!(table.kind(), BodyKind::Kinematic(shaker));
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// Forces and constraints.
    Dynamic,
    /// None: the body stands still.
    Fixed,
    /// A prescribed motion that no force disturbs.
    Kinematic(Motion),
}

/// A rigid body.
///
/// ```
/// use driftlab::prelude::*;
///
/// let plank = Body::dynamic().at([0.0, 2.0]).angle(0.1).shape(Shape::rectangle(2.0, 0.1)).density(600.0).friction(0.4).build()?;
/// assert_eq!(plank.mass_properties().mass, 2.0 * 0.1 * 600.0);
/// assert!(plank.is_dynamic());
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name in scene files and messages.
    pub name: String,
    /// Pose of the centre of mass.
    pub pose: Pose,
    /// Velocity of the centre of mass.
    pub velocity: Velocity,
    /// Coulomb friction coefficient; a pair takes the geometric mean, unless the world has another rule.
    pub friction: f64,
    /// Coefficient of friction where nothing slips, at least the former; the same where there is none.
    pub static_friction: Option<f64>,
    /// Coefficient of restitution; a pair takes the larger one, unless the world has another rule.
    pub restitution: f64,
    /// Lever of rolling resistance, m: two bodies that are pressed together by N resist turning against each other with
    /// at most this times N; a pair takes the larger one.
    pub rolling_resistance: f64,
    /// Speed with which the surface runs around the body's shapes, clockwise, m/s: what lies on top is carried to the right.
    pub surface_speed: f64,
    /// Multiplies the surface speeds of the body and its shapes: p(t), without unit.
    pub surface_profile: Option<Profile>,
    /// Its material, by its place among those of the world, which states pairs of them.
    pub material: Option<u32>,
    /// How strongly gravity acts on the body, without unit: m s g is its weight. 0: it floats; negative: it rises.
    pub gravity_scale: f64,
    /// Damping of its motion and the drag of the air; without effect on a body that forces do not move.
    pub damping: Damping,
    /// Whether the body collides with others at all.
    pub collides: bool,
    /// Bodies of the same negative group never collide with each other, those of the same positive group always do.
    pub group: i32,
    /// The categories of [`Filter`] that it belongs to, and those that it collides with, as bits.
    pub categories: u32,
    /// See `categories`.
    pub mask: u32,
    /// Whether it cannot turn: its inverse moment of inertia is zero.
    pub fixed_rotation: bool,
    /// A force and torque on the body, constant in the world's axes or in its own, if any; they have no effect on a
    /// body that forces do not move.
    pub applied: Option<AppliedForce>,
    /// Forces and torques that profiles drive.
    pub driven: Vec<DrivenForce>,
    /// Of a kinematic body, the coordinates that profiles drive; they have no effect on others.
    pub pose_profiles: PoseProfiles,
    pub(super) kind: BodyKind,
    pub(super) shapes: Vec<Placement>,
    pub(super) spec: MassSpec,
    /// Shared between clones, so that a snapshot does not copy the geometry.
    pub(super) pieces: Arc<[Piece]>,
    /// The shape of each piece; empty where all shapes have the surface of the body.
    pub(super) owners: Arc<[u32]>,
    pub(super) properties: MassProperties,
}

/// Of a body that forces do not move. Its centre of mass is its origin, so that a wall stays where it is put.
pub(super) const IMMOVABLE: MassProperties =
    MassProperties { mass: f64::INFINITY, inertia: f64::INFINITY, center: DVec2::ZERO };

impl Body {
    /// A body at rest. The origin of the frame in which the shapes are placed is at `origin` (m), and the
    /// frame is turned by `angle` (rad).
    ///
    /// # Errors
    /// Invalid shapes, a polygon that cannot be cut into convex pieces, an unbounded shape on a dynamic body, or a
    /// dynamic body without mass.
    pub fn new(
        kind: BodyKind,
        origin: DVec2,
        angle: f64,
        shapes: Vec<Placement>,
        spec: MassSpec,
    ) -> Result<Self, ModelError> {
        let pose = Pose { position: origin, angle };
        Self { pose, shapes, spec, ..Self::blank(kind) }.finished()
    }

    /// A body at the origin and at rest, without friction and without shapes, to be [`finished`](Self::finished).
    pub(super) fn blank(kind: BodyKind) -> Self {
        Self {
            name: String::new(),
            pose: Pose::default(),
            velocity: Velocity::default(),
            friction: 0.0,
            static_friction: None,
            restitution: 0.0,
            rolling_resistance: 0.0,
            surface_speed: 0.0,
            surface_profile: None,
            material: None,
            gravity_scale: 1.0,
            damping: Damping::default(),
            collides: true,
            group: 0,
            categories: Filter::default().categories,
            mask: Filter::default().mask,
            fixed_rotation: false,
            applied: None,
            driven: Vec::new(),
            pose_profiles: PoseProfiles::default(),
            kind,
            shapes: Vec::new(),
            spec: MassSpec::default(),
            pieces: Arc::default(),
            owners: Arc::default(),
            properties: IMMOVABLE,
        }
    }

    /// The body with what follows from its kind, shapes and mass. Its pose, so far that of the frame in which the
    /// shapes are placed, becomes that of the centre of mass.
    pub(super) fn finished(self) -> Result<Self, ModelError> {
        for placed in &self.shapes {
            placed.shape.check()?;
            placed.surface.check()?;
            placed.surface_profile.as_ref().map_or(Ok(()), Profile::check)?;
            let driven = placed.surface_profile.is_some();
            let drivable = !driven || placed.surface.surface_speed.is_some();
            fitting(drivable, "number of surface speeds of a driven shape", "1", 0.0)?;
            if self.is_dynamic() && !placed.shape.has_area() {
                return Err(ModelError::UnboundedShape(placed.shape.key()));
            }
        }
        let dynamic = self.is_dynamic();
        let properties = if dynamic { MassProperties::new(self.spec, &self.shapes)? } else { IMMOVABLE };
        let Pose { position: origin, angle } = self.pose;
        let position = origin + Rotation::from_angle(angle).apply(properties.center);
        let pieces = Piece::of(&self.shapes, properties.center)?.into();
        let plain = |placed: &Placement| placed.surface.is_plain() && placed.surface_profile.is_none();
        let plain = self.shapes.iter().all(plain);
        let owners = if plain { Arc::default() } else { Piece::owners(&self.shapes)?.into() };
        Ok(Self { pose: Pose { position, angle }, pieces, owners, properties, ..self })
    }

    /// The same body in the same place — name, velocity, surface, applied force — of another kind, with other shapes or
    /// another mass.
    ///
    /// # Errors
    /// The errors of [`Body::new`].
    pub fn remade(
        &self,
        kind: BodyKind,
        shapes: Vec<Placement>,
        spec: MassSpec,
    ) -> Result<Self, ModelError> {
        let pose = Pose { position: self.origin(), ..self.pose };
        Self { pose, kind, shapes, spec, ..self.clone() }.finished()
    }

    /// Checks what can be changed after [`Body::new`]: every number is finite, friction is not negative, and
    /// restitution is between 0 and 1.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.pose.check().and(self.velocity.check())?;
        not_negative("friction", self.friction)?;
        share("restitution", self.restitution)?;
        not_negative("rolling resistance", self.rolling_resistance)?;
        finite("surface speed", self.surface_speed)?;
        self.static_friction.map_or(Ok(()), |own| not_negative("static friction", own))?;
        check_static(Some(self.friction), self.static_friction)?;
        if self.fixed_rotation && self.is_dynamic() && self.velocity.angular != 0.0 {
            return Err(ModelError::FixedRotation(self.velocity.angular));
        }
        finite("gravity scale", self.gravity_scale)?;
        self.damping.check()?;
        self.applied.iter().try_for_each(|applied| self.check_applied(applied))?;
        for own in &self.driven {
            self.check_applied(&own.applied)?;
            own.profile.check()?;
            let switch = own.switch.unwrap_or_default();
            fitting(switch < SWITCHES, "switch", "a number from 0 to 39", f64::from(switch))?;
        }
        let profiles = self.pose_profiles.each().into_iter().flatten();
        profiles.chain(&self.surface_profile).try_for_each(Profile::check)?;
        if let BodyKind::Kinematic(motion) = self.kind { motion.check() } else { Ok(()) }
    }

    /// The path of a kinematic body.
    pub fn path(&self) -> Option<Path<'_>> {
        let BodyKind::Kinematic(motion) = self.kind else { return None };
        Some(Path { motion, profiles: &self.pose_profiles, velocity: self.velocity.coordinates() })
    }

    /// Puts a body that profiles drive where they say at the time `t`, with the velocity that they say.
    pub(super) fn place(&mut self, t: f64) {
        if self.pose_profiles.is_empty() {
            return;
        }
        let now = self.pose.coordinates();
        let Some((q, v)) = self.path().map(|path| (path.placed(now, t, 0.0), path.velocity(t))) else {
            return;
        };
        (self.pose, self.velocity) = (q.into(), v.into());
    }

    /// What drives the surface of the piece of this number: the profile of its shape, else that of the body.
    pub(crate) fn drives_surface(&self, piece: u32) -> Option<&Profile> {
        let own = self.owner(piece).and_then(|placed| placed.surface_profile.as_ref());
        own.or(self.surface_profile.as_ref())
    }

    /// The factor of the surface speed of that piece: the mean over the `h` seconds from the time `t` on, or its value there if h
    /// is 0, and its rate there.
    pub(crate) fn surface_factor(&self, piece: u32, t: f64, h: f64) -> [f64; 2] {
        self.drives_surface(piece).map_or([1.0, 0.0], |own| {
            let factor = if h > 0.0 { own.mean(t, h) } else { own.value(t) };
            [factor, own.rate(t)]
        })
    }

    /// Checks that `applied` can act on this body.
    pub(super) fn check_applied(&self, applied: &AppliedForce) -> Result<(), ModelError> {
        applied.check()?;
        if self.is_point_mass() && applied.turns() {
            return Err(ModelError::TurnsPointMass("an applied force"));
        }
        Ok(())
    }

    /// Dynamic, fixed or kinematic.
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// The shapes, placed in the body's frame.
    pub fn shapes(&self) -> &[Placement] {
        &self.shapes
    }

    /// The convex pieces that collide, relative to the centre of mass, in the body's axes.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The pieces, which clones of the body share; two bodies whose pieces have different addresses have different pieces.
    pub(crate) fn shared_pieces(&self) -> &Arc<[Piece]> {
        &self.pieces
    }

    /// The surface of the piece of this number: what its shape states, and of all else what the body has.
    #[inline]
    pub fn skin(&self, piece: u32) -> Skin {
        let own = self.owner(piece).map(|placed| placed.surface).unwrap_or_default();
        let friction = own.friction.unwrap_or(self.friction);
        // A shape with its own friction takes its static friction from there, too.
        let of_body = if own.friction.is_some() { None } else { self.static_friction };
        Skin {
            friction,
            static_friction: own.static_friction.or(of_body).map_or(friction, |own| own.max(friction)),
            restitution: own.restitution.unwrap_or(self.restitution),
            rolling_resistance: own.rolling_resistance.unwrap_or(self.rolling_resistance),
            speed: own.surface_speed.unwrap_or(self.surface_speed),
            material: own.material.or(self.material),
        }
    }

    /// The filter of the piece of this number.
    pub fn filter(&self, piece: u32) -> Filter {
        let own = self.owner(piece).and_then(|placed| placed.surface.filter);
        own.unwrap_or(Filter { categories: self.categories, mask: self.mask, group: self.group })
    }

    /// The shape of a piece, where any shape has a surface of its own.
    #[inline]
    fn owner(&self, piece: u32) -> Option<&Placement> {
        self.shapes.get(*self.owners.get(piece as usize)? as usize)
    }

    /// Replaces the materials of the body and its shapes, places in a list of materials, by those that `renamed` gives.
    pub fn rename_materials(&mut self, renamed: impl Fn(Option<u32>) -> Option<u32>) {
        self.material = renamed(self.material);
        for placed in &mut self.shapes {
            placed.surface.material = renamed(placed.surface.material);
        }
    }

    /// Whether the body or a shape of it has this in its surface.
    pub(crate) fn any_skin(&self, has: impl Fn(&Skin) -> bool) -> bool {
        let different = if self.owners.is_empty() { self.pieces.len().min(1) } else { self.pieces.len() };
        (0..different).any(|piece| has(&self.skin(piece as u32)))
    }

    /// How the mass is specified.
    pub fn mass_spec(&self) -> MassSpec {
        self.spec
    }

    /// Mass (kg), inertia (kg m²) and centre of mass in the body's frame (m). Infinite if not dynamic.
    pub fn mass_properties(&self) -> MassProperties {
        self.properties
    }

    /// Whether it is a point mass: a mass without shapes and without a moment of inertia. Forces act on it at its centre of mass
    /// alone, so that it keeps its angular velocity.
    pub fn is_point_mass(&self) -> bool {
        let without_inertia = matches!(self.spec, MassSpec::Given { inertia: None, .. });
        self.is_dynamic() && self.shapes.is_empty() && without_inertia
    }

    /// Whether forces move it.
    pub fn is_dynamic(&self) -> bool {
        self.kind == BodyKind::Dynamic
    }

    /// The diagonal of M⁻¹: (1/m, 1/m, 1/I), zero for a body that forces do not move, with 0 in place of 1/I where its rotation
    /// is fixed.
    pub fn inverse_mass(&self) -> DVec3 {
        let MassProperties { mass, inertia, .. } = self.properties;
        let turning = if self.fixed_rotation { 0.0 } else { 1.0 / inertia };
        if self.is_dynamic() { DVec3::new(1.0 / mass, 1.0 / mass, turning) } else { DVec3::ZERO }
    }

    /// Where the body's origin is in the world, m.
    pub fn origin(&self) -> DVec2 {
        self.pose.position - Rotation::from_angle(self.pose.angle).apply(self.properties.center)
    }

    /// World position of a point given in the body's frame, m.
    pub fn point_in_world(&self, local: impl Into<DVec2>) -> DVec2 {
        let arm = Rotation::from_angle(self.pose.angle).apply(local.into() - self.properties.center);
        self.pose.position + arm
    }

    /// A world point in the body's frame, m.
    pub fn point_in_body(&self, world: impl Into<DVec2>) -> DVec2 {
        let arm = Rotation::from_angle(self.pose.angle).inverse_apply(world.into() - self.pose.position);
        self.properties.center + arm
    }

    /// A world point relative to the centre of mass, in the body's axes, m: what joints, springs and non-holonomic
    /// constraints call an anchor.
    pub fn anchor_at(&self, world: impl Into<DVec2>) -> DVec2 {
        self.point_in_body(world) - self.properties.center
    }

    /// m s with the scale s of gravity, kg: m s g is the weight.
    pub fn gravitational_mass(&self) -> f64 {
        self.gravity_scale * self.properties.mass
    }

    /// Kinetic energy ½ m v² + ½ I ω², J; zero for a body that forces do not move.
    pub fn kinetic_energy(&self) -> f64 {
        if !self.is_dynamic() {
            return 0.0;
        }
        let MassProperties { mass, inertia, .. } = self.properties;
        Self::kinetic_energy_at(mass, inertia, self.velocity)
    }

    /// ½ (m v² + I ω²), J.
    #[inline]
    pub(crate) fn kinetic_energy_at(mass: f64, inertia: f64, velocity: Velocity) -> f64 {
        let Velocity { linear, angular } = velocity;
        0.5 * (mass * linear.length_squared() + inertia * angular * angular)
    }
}

/// The pose and velocity of a body's centre of mass, from which constraints are evaluated.
///
/// ```
/// use driftlab::prelude::*;
///
/// // At (1, 0), turned by a quarter, spinning by 2 rad/s.
/// let frame = Frame::new(DVec3::new(1.0, 0.0, std::f64::consts::FRAC_PI_2), DVec3::new(0.0, 0.0, 2.0));
/// let arm = frame.rotation.apply(DVec2::X);
/// assert!(arm.distance(DVec2::Y) < 1e-15 && frame.velocity_at(arm).distance(DVec2::new(-2.0, 0.0)) < 1e-15);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Centre of mass, m.
    pub position: DVec2,
    /// Orientation, rad.
    pub angle: f64,
    /// `angle` as a rotation.
    pub rotation: Rotation,
    /// Velocity of the centre of mass in the world's axes, m/s; [`Frame::velocity_at`] is that of another point.
    pub linear: DVec2,
    /// Angular velocity ω, counter-clockwise, rad/s.
    pub angular: f64,
}

impl Frame {
    /// The frame of a body with pose q and velocity v.
    pub fn new(q: DVec3, v: DVec3) -> Self {
        Self {
            position: q.truncate(),
            angle: q.z,
            rotation: Rotation::from_angle(q.z),
            linear: v.truncate(),
            angular: v.z,
        }
    }

    /// Whether the frame has pose q and velocity v, to the bit.
    #[inline]
    pub fn is_at(&self, q: DVec3, v: DVec3) -> bool {
        let Self { position, angle, linear, angular, .. } = *self;
        let differ = |x: f64, y: f64| x.to_bits() ^ y.to_bits();
        let turned = differ(angle, q.z) | differ(angular, v.z);
        let moved = differ(position.x, q.x) | differ(position.y, q.y);
        turned | moved | differ(linear.x, v.x) | differ(linear.y, v.y) == 0
    }

    /// Moves the frame to pose q and velocity v; computes the rotation only if the angle has changed.
    #[inline]
    pub fn move_to(&mut self, q: DVec3, v: DVec3) {
        if self.angle.to_bits() != q.z.to_bits() {
            (self.angle, self.rotation) = (q.z, Rotation::from_angle(q.z));
        }
        (self.position, self.linear, self.angular) = (q.truncate(), v.truncate(), v.z);
    }

    /// Velocity of the point at the arm `r`: v + ω perp(r), m/s.
    pub fn velocity_at(&self, r: impl Into<DVec2>) -> DVec2 {
        self.linear + self.angular * DVec2::perp(r.into())
    }
}
