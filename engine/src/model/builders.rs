//! Builders of bodies and constraints, from points and directions in the world that are resolved when the item is added.

use super::applied_force::{AppliedForce, DrivenForce};
use super::body::{Body, BodyKind};
use super::breaking::Breaking;
use super::damping::Damping;
use super::error::{ModelError, finite_vector, positive};
use super::joint::{
    Bead, Curve, Custom, CustomJoint, Distance, DistanceForm, Hinge, Joint, JointKind, JointSoftness,
    Motor, Pulley, Rope, Servo, Side, Slider, Slot, Weld,
};
use super::mass::MassSpec;
use super::motion::{Motion, PoseProfiles};
use super::profile::Profile;
use super::shape::{Placement, Shape};
use super::spring::{Softness, Spring};
use super::surface::Filter;
use super::table::BodyId;
use crate::math::Rotation;
use glam::DVec2;

/// Builder of a body. Defaults: at the origin, at rest, no shapes, density 1000 kg/m², no friction, no restitution.
/// A body of a scene file that states no friction has 0.3.
#[derive(Clone, Debug)]
#[must_use = "a builder creates no body until `build` is called"]
pub struct BodyBuilder(
    /// Its pose is that of the frame in which the shapes are placed, until it is finished.
    Body,
);

impl Body {
    /// A body that forces and constraints move.
    pub fn dynamic() -> BodyBuilder {
        BodyBuilder(Self::blank(BodyKind::Dynamic))
    }

    /// A body that stands still: a wall, a floor.
    pub fn fixed() -> BodyBuilder {
        BodyBuilder(Self::blank(BodyKind::Fixed))
    }

    /// A body with a motion that no force disturbs: a lift, a shaker.
    pub fn kinematic(motion: Motion) -> BodyBuilder {
        BodyBuilder(Self::blank(BodyKind::Kinematic(motion)))
    }
}

impl TryFrom<BodyBuilder> for Body {
    type Error = ModelError;

    fn try_from(builder: BodyBuilder) -> Result<Self, ModelError> {
        builder.build()
    }
}

impl BodyBuilder {
    /// Places the origin of the body's frame, in which its shapes are placed, at this point of the world, m.
    pub fn at(mut self, origin: impl Into<DVec2>) -> Self {
        self.0.pose.position = origin.into();
        self
    }

    /// Turns the body's frame by this angle, rad, counter-clockwise.
    pub fn angle(mut self, angle: f64) -> Self {
        self.0.pose.angle = angle;
        self
    }

    /// Velocity of the centre of mass, m/s.
    pub fn velocity(mut self, velocity: impl Into<DVec2>) -> Self {
        self.0.velocity.linear = velocity.into();
        self
    }

    /// Angular velocity, rad/s, counter-clockwise.
    pub fn angular_velocity(mut self, rate: f64) -> Self {
        self.0.velocity.angular = rate;
        self
    }

    /// Adds a shape at the origin of its frame.
    pub fn shape(self, shape: Shape) -> Self {
        self.placed(Placement::centred(shape))
    }

    /// Adds a shape that is placed in its frame.
    pub fn placed(mut self, placement: Placement) -> Self {
        self.0.shapes.push(placement);
        self
    }

    /// Mass from the shapes at a uniform density, kg/m².
    pub fn density(self, density: f64) -> Self {
        Self(Body { spec: MassSpec::Density(density), ..self.0 })
    }

    /// A given mass, kg, spread over the shapes.
    pub fn mass(self, mass: f64) -> Self {
        Self(Body { spec: MassSpec::Given { mass, inertia: None }, ..self.0 })
    }

    /// A given mass, kg, and moment of inertia about the centre of mass, kg m².
    pub fn mass_and_inertia(self, mass: f64, inertia: f64) -> Self {
        Self(Body { spec: MassSpec::Given { mass, inertia: Some(inertia) }, ..self.0 })
    }

    /// Coulomb friction coefficient, 0 or more; a pair of bodies takes the geometric mean.
    pub fn friction(self, friction: f64) -> Self {
        Self(Body { friction, ..self.0 })
    }

    /// Coefficient of friction where nothing slips, at least that of [`BodyBuilder::friction`].
    pub fn static_friction(self, friction: f64) -> Self {
        Self(Body { static_friction: Some(friction), ..self.0 })
    }

    /// Lever of rolling resistance, m: two bodies that are pressed together by N resist turning against each other with
    /// at most this times N.
    pub fn rolling_resistance(self, lever: f64) -> Self {
        Self(Body { rolling_resistance: lever, ..self.0 })
    }

    /// Speed with which the surface runs around the shapes, clockwise, m/s: what lies on top is carried to the right.
    pub fn surface_speed(self, speed: f64) -> Self {
        Self(Body { surface_speed: speed, ..self.0 })
    }

    /// Multiplies the surface speeds of the body and its shapes by p(t).
    pub fn surface_profile(self, profile: Profile) -> Self {
        Self(Body { surface_profile: Some(profile), ..self.0 })
    }

    /// Drives coordinates of a kinematic body.
    pub fn pose_profiles(self, pose_profiles: PoseProfiles) -> Self {
        Self(Body { pose_profiles, ..self.0 })
    }

    /// Keeps the body from turning.
    pub fn fixed_rotation(self) -> Self {
        Self(Body { fixed_rotation: true, ..self.0 })
    }

    /// The categories that the body belongs to and those that it collides with, as bits, and its group: [`Filter`].
    pub fn filter(self, filter: Filter) -> Self {
        let Filter { categories, mask, group } = filter;
        Self(Body { categories, mask, group, ..self.0 })
    }

    /// Coefficient of restitution, 0 to 1; a pair of bodies takes the larger one.
    pub fn restitution(self, restitution: f64) -> Self {
        Self(Body { restitution, ..self.0 })
    }

    /// How strongly gravity acts on the body, without unit: its weight is m s g.
    pub fn gravity_scale(self, gravity_scale: f64) -> Self {
        Self(Body { gravity_scale, ..self.0 })
    }

    /// Damping of its motion and the drag of the air.
    pub fn damping(self, damping: Damping) -> Self {
        Self(Body { damping, ..self.0 })
    }

    /// Lets the body collide with nothing.
    pub fn without_collisions(self) -> Self {
        Self(Body { collides: false, ..self.0 })
    }

    /// Bodies of the same negative group never collide with each other, those of the same positive group always do.
    pub fn group(self, group: i32) -> Self {
        Self(Body { group, ..self.0 })
    }

    /// Lets a force and torque act on the body, constant in the world's axes or in its own.
    pub fn applied(self, applied: AppliedForce) -> Self {
        Self(Body { applied: Some(applied), ..self.0 })
    }

    /// Lets a force and torque act on the body that a profile drives, beside the others.
    pub fn driven(mut self, driven: DrivenForce) -> Self {
        self.0.driven.push(driven);
        self
    }

    /// Its name in scene files and messages.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self(Body { name: name.into(), ..self.0 })
    }

    /// The body.
    ///
    /// # Errors
    /// Invalid shapes, a polygon that cannot be cut into convex pieces, an unbounded shape on a dynamic body, a
    /// dynamic body without mass, a number that is not finite, a friction below 0, a restitution not between 0 and 1.
    pub fn build(self) -> Result<Body, ModelError> {
        let body = self.0.finished()?;
        body.check()?;
        Ok(body)
    }
}

/// The two points that a constraint joins.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Anchors {
    /// Points in the world as the bodies stand when the constraint is added, m.
    World([DVec2; 2]),
    /// Points in the bodies' frames, in which their shapes are placed, m.
    Body([DVec2; 2]),
}

impl Anchors {
    /// Relative to the centres of mass, in the bodies' axes, m.
    fn resolve(self, bodies: [&Body; 2]) -> [DVec2; 2] {
        let [a, b] = bodies;
        match self {
            Self::World([on_a, on_b]) => [a.anchor_at(on_a), b.anchor_at(on_b)],
            Self::Body([on_a, on_b]) => {
                [on_a - a.mass_properties().center, on_b - b.mass_properties().center]
            }
        }
    }
}

/// Distance in the world of two anchors that are given relative to the centres of mass, m.
fn distance(anchors: [DVec2; 2], bodies: [&Body; 2]) -> f64 {
    let [a, b] = [0, 1].map(|end| {
        let Body { pose, .. } = bodies[end];
        pose.position + Rotation::from_angle(pose.angle).apply(anchors[end])
    });
    a.distance(b)
}

/// Builder of a constraint between two bodies, at the poses that they have when it is added to a world.
#[derive(Clone, Debug)]
#[must_use = "a constraint does nothing until it is added to a world"]
pub struct Between<T> {
    pub(super) bodies: [BodyId; 2],
    /// The constraint, but for its bodies and what follows from their poses.
    item: T,
    /// Whether the kind of a joint was given with its geometry. Else its anchors and angles follow from the poses, and
    /// the axis of a slider is a direction in the world.
    pub(super) given: bool,
    anchors: Option<Anchors>,
    pub(super) length: Option<f64>,
    zero: Option<f64>,
    pub(super) further: Option<[BodyId; 2]>,
}

impl<T> Between<T> {
    fn new(bodies: [BodyId; 2], item: T, given: bool) -> Self {
        Self { bodies, item, given, anchors: None, length: None, zero: None, further: None }
    }

    /// Both bodies are held at one point of the world, m.
    pub fn at(self, point: impl Into<DVec2>) -> Self {
        let point = point.into();
        self.anchors(point, point)
    }

    /// Body a is held at one point of the world and body b at another, m.
    pub fn anchors(self, on_a: impl Into<DVec2>, on_b: impl Into<DVec2>) -> Self {
        Self { anchors: Some(Anchors::World([on_a.into(), on_b.into()])), ..self }
    }

    /// Each body is held at a point of its own frame, in which its shapes are placed, m.
    pub fn anchors_in_bodies(self, on_a: impl Into<DVec2>, on_b: impl Into<DVec2>) -> Self {
        Self { anchors: Some(Anchors::Body([on_a.into(), on_b.into()])), ..self }
    }
}

/// Builder of a joint, for [`World::add_joint`].
///
/// Without anchors the joint acts at the centre of mass of body b, and a distance joint and a bead between the centres of mass
/// of both bodies. The two bodies do not collide with each other, unless [`JointBuilder::collide_connected`] allows
/// it.
///
/// [`World::add_joint`]: crate::model::World::add_joint
pub type JointBuilder = Between<Joint>;

/// Anchors that follow from the poses.
const UNKNOWN: [DVec2; 2] = [DVec2::ZERO; 2];

impl Joint {
    /// Body `a` and body `b` turn about a common point: [`Hinge`].
    pub fn hinge(a: BodyId, b: BodyId) -> JointBuilder {
        Self::of([a, b], JointKind::Hinge(Hinge { anchors: UNKNOWN }), false)
    }

    /// A point of body `a` and a point of body `b` keep their distance: [`Distance`].
    pub fn distance(a: BodyId, b: BodyId) -> JointBuilder {
        let rod = Distance { anchors: UNKNOWN, length: 0.0, form: DistanceForm::Length };
        Self::of([a, b], JointKind::Distance(rod), false)
    }

    /// A point of body `a` and a point of body `b` are at most `length` apart, m: [`Rope`].
    pub fn rope(a: BodyId, b: BodyId, length: f64) -> JointBuilder {
        let mut rope = Self::of([a, b], JointKind::Rope(Rope { anchors: UNKNOWN }), false);
        rope.item.limits = Some([f64::NEG_INFINITY, length]);
        rope
    }

    /// A rope without mass from body `a` over two wheels, points of the world (m), to body `b`: [`Pulley`].
    pub fn pulley(a: BodyId, b: BodyId, wheels: [impl Into<DVec2>; 2]) -> JointBuilder {
        let [first, second] = wheels.map(Into::into);
        let kind = JointKind::Pulley(Pulley {
            anchors: UNKNOWN,
            wheels: [first, second],
            carried: [false; 2],
            ratio: 1.0,
            length: 0.0,
            slack: false,
        });
        Self::of([a, b], kind, false)
    }

    /// Body `b` slides along `axis`, a direction in the world that turns with body `a`: [`Slider`].
    pub fn slider(a: BodyId, b: BodyId, axis: impl Into<DVec2>) -> JointBuilder {
        let slider = Slider { anchors: UNKNOWN, axis: axis.into(), reference_angle: 0.0 };
        Self::of([a, b], JointKind::Slider(slider), false)
    }

    /// A point of body `b` stays on an axis of body `a`, a direction in the world, and may turn: [`Slot`], a pin in a slot.
    pub fn slot(a: BodyId, b: BodyId, axis: impl Into<DVec2>) -> JointBuilder {
        let slot = Slot { anchors: UNKNOWN, axis: axis.into(), suspension: None };
        Self::of([a, b], JointKind::Slot(slot), false)
    }

    /// A wheel `b` of the body `a`: a [`Slot`] with a spring along its axis, N/m, and a damper, N s/m.
    pub fn wheel(
        a: BodyId,
        b: BodyId,
        axis: impl Into<DVec2>,
        stiffness: f64,
        damping: f64,
    ) -> JointBuilder {
        let suspension = Some(Softness { stiffness, damping });
        Self::of([a, b], JointKind::Slot(Slot { anchors: UNKNOWN, axis: axis.into(), suspension }), false)
    }

    /// A point of body `b` on a curve of body `a`, whose axes are the world's: [`Bead`]. Its first anchor is the curve's origin.
    pub fn bead(a: BodyId, b: BodyId, curve: Curve) -> JointBuilder {
        let bead = Bead { anchors: UNKNOWN, curve, angle: 0.0, side: Side::On };
        Self::of([a, b], JointKind::Bead(bead), false)
    }

    /// Body `a` and body `b` move as one: [`Weld`].
    pub fn weld(a: BodyId, b: BodyId) -> JointBuilder {
        let weld = Weld { anchors: UNKNOWN, reference_angle: 0.0 };
        Self::of([a, b], JointKind::Weld(weld), false)
    }

    /// A joint of another crate: [`CustomJoint`].
    pub fn custom(a: BodyId, b: BodyId, joint: impl CustomJoint + 'static) -> JointBuilder {
        Self::between([a, b], JointKind::Custom(Custom::new(joint)))
    }

    /// A joint of the given kind, whose anchors are relative to the centres of mass.
    pub fn between(bodies: [BodyId; 2], kind: JointKind) -> JointBuilder {
        Self::of(bodies, kind, true)
    }

    fn of(bodies: [BodyId; 2], kind: JointKind, given: bool) -> JointBuilder {
        Between::new(bodies, Self::new([0; 2], kind), given)
    }
}

impl JointBuilder {
    /// The distance that a distance joint keeps, or the length of a pulley, m; by default as placed when the joint is added.
    pub fn length(self, length: f64) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Gives a joint of another crate a third and a fourth body, the same one twice if it has three.
    pub fn further(self, c: BodyId, d: BodyId) -> Self {
        Self { further: Some([c, d]), ..self }
    }

    /// Carries the wheels of a pulley by bodies; without one a wheel is fixed in the world.
    pub fn wheels_on(mut self, carriers: [Option<BodyId>; 2]) -> Self {
        if let JointKind::Pulley(pulley) = &mut self.item.kind {
            pulley.carried = carriers.map(|own| own.is_some());
            let any = pulley.is_carried();
            self.further = any.then(|| carriers.map(|own| own.unwrap_or(self.bodies[0])));
        }
        self
    }

    /// Sets the ratio ρ of a pulley.
    pub fn ratio(mut self, ratio: f64) -> Self {
        if let JointKind::Pulley(pulley) = &mut self.item.kind {
            pulley.ratio = ratio;
        }
        self
    }

    /// Lets a pulley go slack.
    pub fn may_go_slack(mut self) -> Self {
        if let JointKind::Pulley(pulley) = &mut self.item.kind {
            pulley.slack = true;
        }
        self
    }

    /// Lets the two connected bodies collide with each other.
    pub fn collide_connected(mut self) -> Self {
        self.item.collide_connected = true;
        self
    }

    /// Bounds of the angle of a hinge (rad) or of the displacement along a slider (m); either may be infinite. A
    /// hinge's angle counts from the bodies' relative angle when the joint is added, a slider's displacement from
    /// where its anchors coincide.
    pub fn limits(mut self, lower: f64, upper: f64) -> Self {
        self.item.limits = Some([lower, upper]);
        self
    }

    /// The value of θ_b − θ_a (rad) or of the displacement (m) from which limits count instead.
    pub fn limits_from(self, zero: f64) -> Self {
        Self { zero: Some(zero), ..self }
    }

    /// Multiplies the motor's speed by p(t), and its largest force by another such profile.
    pub fn motor_profiles(mut self, speed: Option<Profile>, force: Option<Profile>) -> Self {
        (self.item.speed_profile, self.item.force_profile) = (speed, force);
        self
    }

    /// Drives the length of a rod or a pulley, or the greatest distance of a rope's ends: L = p(t), m.
    pub fn length_profile(mut self, profile: Profile) -> Self {
        self.item.length_profile = Some(profile);
        self
    }

    /// Newton's coefficient of restitution of impacts at the limits, from 0 to 1.
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.item.restitution = restitution;
        self
    }

    /// Makes it a soft joint.
    pub fn soft(mut self, softness: JointSoftness) -> Self {
        self.item.softness = Some(softness);
        self
    }

    /// The largest reaction that it bears.
    pub fn breaks_at(mut self, breaking: Breaking) -> Self {
        self.item.breaking = Some(breaking);
        self
    }

    /// Drives the hinge or slider at `speed`, rad/s or m/s, with at most `max_force`, N m or N.
    pub fn motor(mut self, speed: f64, max_force: f64) -> Self {
        self.item.motor = Some(Motor { speed, max_force });
        self
    }

    /// Holds a bead on one side of its curve alone.
    pub fn on_side(mut self, side: Side) -> Self {
        if let JointKind::Bead(bead) = &mut self.item.kind {
            bead.side = side;
        }
        self
    }

    /// Makes the motor hold the coordinate at a position, as a spring and a damper do: [`Servo`].
    pub fn servo(mut self, servo: Servo) -> Self {
        self.item.servo = Some(servo);
        self
    }

    /// Friction along the coordinate of the joint, with at most `most`, N m or N.
    pub fn friction(mut self, most: f64) -> Self {
        self.item.friction = most;
        self
    }

    /// The joint between the bodies at these indices.
    pub(super) fn resolve(self, indices: [usize; 2], bodies: [&Body; 2]) -> Result<Joint, ModelError> {
        let kind = self.kind(bodies)?;
        let apart = bodies[1].pose.angle - bodies[0].pose.angle;
        let as_placed = if matches!(kind, JointKind::Hinge(_)) { apart } else { 0.0 };
        let counts = self.item.limits.is_some() || self.item.servo.is_some();
        let zero = self.zero.unwrap_or(if counts { as_placed } else { 0.0 });
        Ok(Joint { bodies: indices, kind, zero, ..self.item })
    }

    fn kind(&self, bodies: [&Body; 2]) -> Result<JointKind, ModelError> {
        let mut kind = self.item.kind.clone();
        let mut centres = bodies.map(|body| body.pose.position);
        if !matches!(
            kind,
            JointKind::Distance(_) | JointKind::Rope(_) | JointKind::Pulley(_) | JointKind::Bead(_)
        ) {
            centres[0] = centres[1];
        }
        let usual = (!self.given).then_some(Anchors::World(centres));
        if let Some(anchors) = self.anchors.or(usual) {
            let own = kind.anchors_mut().ok_or(ModelError::OwnAnchors(self.item.kind.key()))?;
            *own = anchors.resolve(bodies);
        }
        let [a, b] = bodies.map(|body| body.pose.angle);
        match &mut kind {
            _ if self.given => {}
            JointKind::Hinge(_)
            | JointKind::Rope(_)
            | JointKind::Pulley(_)
            | JointKind::PoseMotor(_)
            | JointKind::Gear(_)
            | JointKind::Custom(_) => {}
            JointKind::Weld(weld) => weld.reference_angle = b - a,
            JointKind::Slider(slider) => {
                finite_vector("axis", slider.axis)?;
                positive("length of axis", slider.axis.length())?;
                slider.axis = Rotation::from_angle(a).inverse_apply(slider.axis.normalize());
                slider.reference_angle = b - a;
            }
            JointKind::Slot(slot) => {
                finite_vector("axis", slot.axis)?;
                positive("length of axis", slot.axis.length())?;
                slot.axis = Rotation::from_angle(a).inverse_apply(slot.axis.normalize());
            }
            JointKind::Bead(bead) => bead.angle = -a,
            JointKind::Distance(rod) => {
                rod.length = self.length.unwrap_or_else(|| distance(rod.anchors, bodies));
            }
        }
        let has_length = !self.given && matches!(kind, JointKind::Distance(_) | JointKind::Pulley(_));
        if self.length.is_some() && !has_length {
            return Err(ModelError::NoLength(kind.key()));
        }
        Ok(kind)
    }
}

/// Builder of a spring, for [`World::add_spring`]: without anchors it acts between the centres of mass.
///
/// [`World::add_spring`]: crate::model::World::add_spring
pub type SpringBuilder = Between<Spring>;

impl Spring {
    /// A spring between body `a` and body `b`, without stiffness and damping yet, for [`World::add_spring`].
    ///
    /// [`World::add_spring`]: crate::model::World::add_spring
    pub fn between(a: BodyId, b: BodyId) -> SpringBuilder {
        let softness = Softness { stiffness: 0.0, damping: 0.0 };
        Between::new([a, b], Self::new([0; 2], UNKNOWN, softness, 0.0), false)
    }
}

impl SpringBuilder {
    /// k, N/m.
    pub fn stiffness(mut self, stiffness: f64) -> Self {
        self.item.softness.stiffness = stiffness;
        self
    }

    /// d, N s/m.
    pub fn damping(mut self, damping: f64) -> Self {
        self.item.softness.damping = damping;
        self
    }

    /// The largest force (N) or torque (N m) that it bears.
    pub fn breaks_at(mut self, breaking: Breaking) -> Self {
        self.item.breaking = Some(breaking);
        self
    }

    /// The length at which the spring carries no force, m; by default the anchors' distance when the spring is added.
    /// At length 0 it pulls equally in all directions.
    pub fn rest_length(self, length: f64) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Makes it a torsional spring, which acts on the bodies' angles and carries no torque at θ_b − θ_a = `angle`, rad;
    /// its stiffness is in N m/rad, its damping in N m s/rad.
    pub fn rest_angle(mut self, angle: f64) -> Self {
        self.item.rest_angle = Some(angle);
        self
    }

    /// The spring between the bodies at these indices.
    pub(super) fn resolve(self, indices: [usize; 2], bodies: [&Body; 2]) -> Spring {
        let usual = Anchors::World(bodies.map(|body| body.pose.position));
        let anchors = self.anchors.unwrap_or(usual).resolve(bodies);
        let rest_length = self.length.unwrap_or_else(|| distance(anchors, bodies));
        Spring { bodies: indices, anchors, rest_length, ..self.item }
    }
}
