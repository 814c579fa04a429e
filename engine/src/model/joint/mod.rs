//! Joints: bilateral holonomic constraints g(q) = 0 between two bodies.
//!
//! Each kind stands in its own file, with g, ġ, J and the velocity-product term k = J̇ v (g̈ = J v̇ + k) derived above the code;
//! the rows that several kinds have in common are in `hinge.rs`. Anchors are held relative to the centres of mass; r_a, r_b are
//! the arms in world axes, d = p_b − p_a the vector between the anchors.

mod bead;
mod curve;
mod custom;
mod derivatives;
mod distance;
mod equation;
mod gear;
mod hinge;
pub(crate) mod length;
mod motor;
mod pose_motor;
mod pulley;
mod rope;
mod slider;
mod slot;
mod softness;
mod weld;

pub use bead::{Bead, Side};
pub use curve::{Curve, Spline};
pub use custom::{Custom, CustomJoint, MOST_ROWS};
pub use distance::{Distance, DistanceForm};
pub use equation::{Equation, Unit};
pub use gear::Gear;
pub use hinge::Hinge;
pub use motor::{Motor, Servo};
pub use pose_motor::{DRIVES, PoseMotor};
pub use pulley::Pulley;
pub use rope::Rope;
pub use slider::Slider;
pub use slot::Slot;
pub use softness::JointSoftness;
pub use weld::Weld;

use super::body::Frame;
use super::breaking::Breaking;
use super::error::{ModelError, finite, finite_vector, fitting, not_negative, positive, share};
use super::profile::Profile;
use super::spring::Softness;
use super::table::JointId;
use glam::{DVec2, DVec3};

/// A joint's kind and geometry.
///
/// ```
/// use driftlab::prelude::*;
///
/// let hinge = JointKind::Hinge(Hinge { anchors: [DVec2::ZERO, DVec2::new(-0.5, 0.0)] });
/// assert_eq!((hinge.key(), hinge.rows()), ("hinge", 2));
/// // g, J and k at any pose and velocity.
/// let [a, b] = [DVec3::ZERO, DVec3::X].map(|q| Frame::new(q, DVec3::ZERO));
/// let mut errors = Vec::new();
/// hinge.equations(&a, &b, |row| errors.push(row.g));
/// assert_eq!(errors, [0.5, 0.0]); // the points are half a metre apart along x
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointKind {
    /// Two points coincide; 2 rows.
    Hinge(Hinge),
    /// Two points keep their distance (a massless rod); 1 row.
    Distance(Distance),
    /// Two points are at most so far apart as the joint's limits say (a rope); no row, but a coordinate.
    Rope(Rope),
    /// A rope over two wheels; 1 row, none where it may go slack.
    Pulley(Pulley),
    /// Two points coincide and the bodies keep their angle; 3 rows.
    Weld(Weld),
    /// A point moves along an axis and the bodies keep their angle; 2 rows.
    Slider(Slider),
    /// The coordinates of two other joints keep a ratio; 1 row over up to four bodies.
    Gear(Gear),
    /// A point moves along an axis and may turn, sprung if it is a wheel's; 1 row.
    Slot(Slot),
    /// A point moves on a curve; 1 row, none where the curve acts from one side.
    Bead(Bead),
    /// A motor drives to a relative pose; no row.
    PoseMotor(PoseMotor),
    /// A joint of another crate; up to 3 rows.
    #[cfg_attr(feature = "serde", serde(skip))]
    Custom(Custom),
}

impl JointKind {
    /// The kind's name in scene files, and in messages.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Hinge(_) => "hinge",
            Self::Distance(_) => "distance",
            Self::Rope(_) => "rope",
            Self::Pulley(_) => "pulley",
            Self::Weld(_) => "weld",
            Self::Slider(_) => "slider",
            Self::Gear(_) => "gear",
            Self::Slot(j) => ["slot", "wheel"][usize::from(j.suspension.is_some())],
            Self::Bead(_) => "bead",
            Self::PoseMotor(_) => "motor",
            Self::Custom(j) => j.0.key(),
        }
    }

    /// How many scalar equations it has.
    pub fn rows(&self) -> usize {
        match self {
            Self::Hinge(_) | Self::Slider(_) => 2,
            Self::Distance(_) | Self::Slot(_) | Self::Gear(_) => 1,
            Self::Rope(_) => 0,
            Self::Pulley(j) => usize::from(!j.slack),
            Self::Bead(j) => usize::from(j.side == Side::On),
            Self::Weld(_) => 3,
            Self::PoseMotor(_) => 0,
            Self::Custom(j) => j.0.rows(),
        }
    }

    /// The anchors in the bodies' frames, relative to their centres of mass, m.
    pub fn anchors(&self) -> [DVec2; 2] {
        match self {
            Self::Hinge(j) => j.anchors,
            Self::Distance(j) => j.anchors,
            Self::Rope(j) => j.anchors,
            Self::Pulley(j) => j.anchors,
            Self::Weld(j) => j.anchors,
            Self::Slider(j) => j.anchors,
            Self::Gear(j) => j.sides[0].anchors(),
            Self::Slot(j) => j.anchors,
            Self::Bead(j) => j.anchors,
            Self::PoseMotor(j) => j.anchors,
            Self::Custom(j) => j.0.anchors(),
        }
    }

    /// The anchors, to be changed; none where the kind keeps them to itself.
    pub fn anchors_mut(&mut self) -> Option<&mut [DVec2; 2]> {
        match self {
            Self::Hinge(j) => Some(&mut j.anchors),
            Self::Distance(j) => Some(&mut j.anchors),
            Self::Rope(j) => Some(&mut j.anchors),
            Self::Pulley(j) => Some(&mut j.anchors),
            Self::Weld(j) => Some(&mut j.anchors),
            Self::Slider(j) => Some(&mut j.anchors),
            Self::Slot(j) => Some(&mut j.anchors),
            Self::Bead(j) => Some(&mut j.anchors),
            Self::PoseMotor(j) => Some(&mut j.anchors),
            Self::Gear(_) | Self::Custom(_) => None,
        }
    }

    /// Whether it leaves a coordinate free that limits and a motor can act on.
    pub fn has_coordinate(&self) -> bool {
        let [a, b] = [DVec3::X, DVec3::ZERO].map(|q| Frame::new(q, DVec3::ZERO));
        !matches!(self, Self::Bead(_) | Self::Pulley(_)) && self.coordinate_of([&a, &b, &a, &b]).is_some()
    }

    /// Whether it leaves a coordinate free that a motor can drive and a gear can tie.
    pub fn has_drive(&self) -> bool {
        let [a, b] = [DVec3::X, DVec3::ZERO].map(|q| Frame::new(q, DVec3::ZERO));
        self.driven_of([&a, &b, &a, &b]).is_some()
    }

    /// The coordinate that the joint leaves free, where it can have limits and a motor: the angle θ_b − θ_a of
    /// a hinge (rad), the displacement of body b's anchor along the axis of a slider, a slot or a wheel (m), the distance of
    /// a rope's ends (m); of a curve that acts from one side, the distance from it (m); of a pulley that may go slack, its two
    /// parts (m). `g` is its value.
    #[inline]
    pub fn coordinate(&self, a: &Frame, b: &Frame) -> Option<Equation> {
        match self {
            Self::Hinge(j) => Some(j.coordinate(a, b)),
            Self::Slider(j) => Some(j.coordinate(a, b)),
            Self::Rope(j) => Some(j.coordinate(a, b)),
            Self::Pulley(j) => (j.slack && !j.is_carried()).then(|| j.coordinate([a, b, a, b]).0),
            Self::Slot(j) => Some(j.coordinate(a, b)),
            Self::Bead(j) => (j.side != Side::On).then(|| j.equation(a, b)),
            Self::Distance(_) | Self::Weld(_) | Self::PoseMotor(_) | Self::Gear(_) => None,
            Self::Custom(j) => j.0.coordinate_of([a, b, a, b]).map(|(x, _)| x),
        }
    }

    /// [`JointKind::coordinate`] of a joint that may have four bodies, with ∂g/∂(x, y, θ) of the third and the fourth.
    pub fn coordinate_of(&self, at: [&Frame; 4]) -> Option<(Equation, [DVec3; 2])> {
        match self {
            Self::Custom(j) => j.0.coordinate_of(at),
            Self::Pulley(j) => j.slack.then(|| j.coordinate(at)),
            _ => self.coordinate(at[0], at[1]).map(|x| (x, [DVec3::ZERO; 2])),
        }
    }

    /// The coordinate on which a motor and friction act, and which a gear ties: that of the limits, but the angle θ_b − θ_a of a
    /// wheel (rad).
    #[inline]
    pub fn driven(&self, a: &Frame, b: &Frame) -> Option<Equation> {
        match self {
            Self::Slot(j) => Some(j.driven(a, b)),
            Self::Bead(_) | Self::Rope(_) | Self::Pulley(_) | Self::PoseMotor(_) | Self::Gear(_) => None,
            Self::Hinge(_) | Self::Slider(_) | Self::Distance(_) | Self::Weld(_) | Self::Custom(_) => {
                self.coordinate(a, b)
            }
        }
    }

    /// [`JointKind::driven`] of a joint that may have four bodies, likewise.
    pub fn driven_of(&self, at: [&Frame; 4]) -> Option<(Equation, [DVec3; 2])> {
        match self {
            Self::Custom(_) => self.coordinate_of(at),
            _ => self.driven(at[0], at[1]).map(|x| (x, [DVec3::ZERO; 2])),
        }
    }

    /// The spring along the axis of a wheel.
    pub fn suspension(&self) -> Option<Softness> {
        match self {
            Self::Slot(j) => j.suspension,
            _ => None,
        }
    }

    /// The equations of a joint that may have four bodies, with ∂g/∂(x, y, θ) of the third and the fourth. Where it has two, the
    /// last two frames play no part.
    pub fn equations_of(&self, at: [&Frame; 4], mut emit: impl FnMut(Equation, [DVec3; 2])) {
        match self {
            Self::Gear(j) => j.equation(at).into_iter().for_each(|(own, further)| emit(own, further)),
            Self::Pulley(j) if !j.slack => {
                let (own, further) = j.equation(at);
                emit(own, further);
            }
            Self::Custom(j) => j.equations_of(at, emit),
            _ => self.equations(at[0], at[1], |own| emit(own, [DVec3::ZERO; 2])),
        }
    }

    /// Appends the equations at the frames' poses and velocities, of a joint between two bodies: those of a gear, and of a
    /// pulley or a custom joint of more bodies, are [`JointKind::equations_of`].
    #[inline]
    pub fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        match self {
            Self::Hinge(j) => j.equations(a, b, emit),
            Self::Distance(j) => j.equations(a, b, emit),
            Self::Rope(_) => {}
            Self::Pulley(j) if !j.slack && !j.is_carried() => emit(j.equation([a, b, a, b]).0),
            Self::Pulley(_) => {}
            Self::Weld(j) => j.equations(a, b, emit),
            Self::Slider(j) => j.equations(a, b, emit),
            Self::Slot(j) => j.equations(a, b, emit),
            Self::Bead(j) if j.side == Side::On => emit(j.equation(a, b)),
            Self::Bead(_) | Self::PoseMotor(_) | Self::Gear(_) => {}
            Self::Custom(j) => j.equations(a, b, emit),
        }
    }
}

/// A joint between two bodies of a world.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let wall = world.add_body(Body::fixed())?;
/// let door = world.add_body(Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.05)))?;
/// let hinge = world.add_joint(Joint::hinge(wall, door).at([0.0, 0.0]).limits(0.0, 1.5).motor(1.0, 20.0))?;
/// world.edit_joint(hinge, |joint| joint.motor = None)?;
/// assert_eq!((world[hinge].limits, world[hinge].motor), (Some([0.0, 1.5]), None));
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    pub(crate) bodies: [usize; 2],
    /// The third and the fourth body, of a joint that has them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) further: Option<[usize; 2]>,
    /// Kind and geometry.
    pub kind: JointKind,
    /// Whether the two connected bodies collide with each other.
    pub collide_connected: bool,
    /// Lower and upper bound of the joint's coordinate ([`JointKind::coordinate`]) minus `zero`: unilateral rows.
    #[cfg_attr(feature = "serde", serde(with = "crate::model::open_sides"))]
    pub limits: Option<[f64; 2]>,
    /// The value of the coordinate from which limits count, rad or m.
    pub zero: f64,
    /// A motor along the joint's coordinate: a bounded row.
    pub motor: Option<Motor>,
    /// Multiplies the motor's speed: p(t), without unit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub speed_profile: Option<Profile>,
    /// Multiplies the motor's largest force, where it is positive: a brake is a motor of speed 0 that such a profile switches.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub force_profile: Option<Profile>,
    /// L(t), m, the length of a rod or a pulley, or the greatest distance of a rope's ends; the length of the joint's geometry is
    /// its value at the present time.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub length_profile: Option<Profile>,
    /// Newton's coefficient of restitution of impacts at the limits, from 0 to 1.
    #[cfg_attr(feature = "serde", serde(default))]
    pub restitution: f64,
    /// Stiffness and damping of a soft joint, whose equations are compliant rows; `None` of a rigid one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub softness: Option<JointSoftness>,
    /// The largest reaction that it bears.
    #[cfg_attr(feature = "serde", serde(default))]
    pub breaking: Option<Breaking>,
    /// Whether it is broken: it then takes no part in steps. Part of the state.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken: bool,
    /// Whether its motor is broken. Part of the state.
    #[cfg_attr(feature = "serde", serde(default))]
    pub motor_broken: bool,
    /// Where the motor holds the coordinate.
    #[cfg_attr(feature = "serde", serde(default))]
    pub servo: Option<Servo>,
    /// Largest friction along the joint's coordinate, N m or N: a bounded row of speed 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub friction: f64,
    /// Constraint force (N, N m) over the last step, one per row: what the window draws, and the warm start
    /// of iterative schemes. Part of the state.
    pub force: [f64; 3],
    /// Forces (N, N m) of the motor, the lower and the upper limit along the joint's coordinate over the last step: the
    /// warm start of sequential impulses. Part of the state.
    #[cfg_attr(feature = "serde", serde(default))]
    pub coordinate_force: [f64; 3],
}

impl Joint {
    /// A joint that has not carried a force yet, between the bodies at the given indices, for [`World::insert_joint`].
    ///
    /// [`World::insert_joint`]: crate::model::World::insert_joint
    pub fn new(bodies: [usize; 2], kind: JointKind) -> Self {
        Self {
            bodies,
            further: None,
            kind,
            collide_connected: false,
            limits: None,
            zero: 0.0,
            motor: None,
            speed_profile: None,
            force_profile: None,
            length_profile: None,
            restitution: 0.0,
            softness: None,
            breaking: None,
            broken: false,
            motor_broken: false,
            servo: None,
            friction: 0.0,
            force: [0.0; 3],
            coordinate_force: [0.0; 3],
        }
    }

    /// The same joint between other bodies, given by their indices, and on a third and a fourth, without the force that it has
    /// carried.
    pub fn between_others(&self, bodies: [usize; 2], further: Option<[usize; 2]>) -> Self {
        Self { bodies, further, force: [0.0; 3], coordinate_force: [0.0; 3], ..self.clone() }
    }

    /// What the motor demands at the time `t`, s: its speed and the rate of that, and its largest force; zeros without a
    /// motor that acts.
    pub fn motor_at(&self, t: f64) -> [f64; 3] {
        let Some(Motor { speed, max_force }) = self.acting_motor() else { return [0.0; 3] };
        let [speed, rate] = self
            .speed_profile
            .as_ref()
            .map_or([speed, 0.0], |own| [own.value(t), own.rate(t)].map(|p| speed * p));
        let force = self.force_profile.as_ref().map_or(max_force, |own| max_force * own.value(t).max(0.0));
        [speed, rate, force]
    }

    /// The mean of the motor's speed over the `h` seconds from `t` on: what a step has to make, so that the coordinate
    /// moves by the integral of the speed.
    pub(crate) fn mean_speed(&self, t: f64, h: f64) -> f64 {
        let speed = self.acting_motor().map_or(0.0, |motor| motor.speed);
        self.speed_profile.as_ref().map_or(speed, |own| speed * own.mean(t, h))
    }

    /// Indices of body a and body b among the world's bodies.
    pub fn bodies(&self) -> [usize; 2] {
        self.bodies
    }

    /// Indices of the third and the fourth body, of a joint that has them.
    pub fn further(&self) -> Option<[usize; 2]> {
        self.further
    }

    /// Indices of all its bodies; one that a gear's two joints have in common is there twice.
    pub fn all_bodies(&self) -> impl Iterator<Item = usize> + use<> {
        self.bodies.into_iter().chain(self.further.into_iter().flatten())
    }

    /// Whether it is a gear that ties this joint.
    pub fn ties(&self, id: JointId) -> bool {
        matches!(&self.kind, JointKind::Gear(gear) if gear.joints.contains(&id))
    }

    /// Its equations, given the frame of each body by its index, with ∂g/∂(x, y, θ) of the third and the fourth body.
    pub fn equations(&self, frame: impl Fn(usize) -> Frame, emit: impl FnMut(Equation, [DVec3; 2])) {
        let [a, b] = self.bodies;
        let [c, d] = self.further.unwrap_or([a, b]);
        let at = [a, b, c, d].map(frame);
        self.kind.equations_of(at.each_ref(), emit);
    }

    /// The coordinate that it leaves free, likewise.
    pub fn coordinate(&self, frame: impl Fn(usize) -> Frame) -> Option<(Equation, [DVec3; 2])> {
        let [a, b] = self.bodies;
        let [c, d] = self.further.unwrap_or([a, b]);
        let at = [a, b, c, d].map(frame);
        self.kind.coordinate_of(at.each_ref())
    }

    /// The coordinate on which its motor and friction act, likewise.
    pub fn driven(&self, frame: impl Fn(usize) -> Frame) -> Option<(Equation, [DVec3; 2])> {
        let [a, b] = self.bodies;
        let [c, d] = self.further.unwrap_or([a, b]);
        let at = [a, b, c, d].map(frame);
        self.kind.driven_of(at.each_ref())
    }

    /// How many equations g = 0 it demands: none of a soft or a broken one.
    pub fn rows(&self) -> usize {
        if self.is_rigid() { self.kind.rows() } else { 0 }
    }

    /// Whether its equations are demands: it is neither soft nor broken.
    pub fn is_rigid(&self) -> bool {
        self.softness.is_none() && !self.broken
    }

    /// Whether it acts as a spring: it is soft and not broken.
    pub fn is_soft(&self) -> bool {
        self.softness.is_some() && !self.broken
    }

    /// The spring of a wheel that is not broken.
    pub fn suspension(&self) -> Option<Softness> {
        self.kind.suspension().filter(|_| !self.broken)
    }

    /// The limits that act as unilateral rows, or the side of a curve that acts from one side: none of a broken joint, nor of a
    /// soft rope, whose elongation is a compliant row.
    pub fn rigid_limits(&self) -> Option<[f64; 2]> {
        let limits = match &self.kind {
            JointKind::Bead(bead) => bead.bounds(),
            JointKind::Pulley(pulley) => pulley.bounds(),
            _ => self.limits,
        };
        let soft_rope =
            self.softness.is_some() && matches!(self.kind, JointKind::Rope(_) | JointKind::Pulley(_));
        limits.filter(|_| !self.broken && !soft_rope)
    }

    /// The greatest distance of a rope's ends, m; `None` of other joints, and where it has none.
    pub fn rope_length(&self) -> Option<f64> {
        let JointKind::Rope(_) = self.kind else { return None };
        self.limits.map(|[_, longest]| longest).filter(|longest| longest.is_finite())
    }

    /// The length of a rod or a pulley, or the greatest distance of a rope's ends, m: what
    /// [`length_profile`](Self::length_profile) may drive; `None` of other joints.
    pub fn length(&self) -> Option<f64> {
        match &self.kind {
            JointKind::Distance(rod) => Some(rod.length),
            JointKind::Pulley(pulley) => Some(pulley.length),
            _ => self.rope_length(),
        }
    }

    /// The motor that acts.
    pub fn acting_motor(&self) -> Option<Motor> {
        self.motor.filter(|_| !self.broken && !self.motor_broken)
    }

    /// The compliant rows of a soft joint: its equations; of a rope the elongation beyond its limits, without g and J between
    /// them.
    #[inline]
    pub fn soft_equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        match &self.kind {
            JointKind::Rope(rope) => emit(rope.elongation(self.limits, a, b)),
            JointKind::Pulley(pulley) if pulley.slack => emit(pulley.elongation(a, b)),
            kind => kind.equations(a, b, emit),
        }
    }

    /// How many rows [`Joint::soft_equations`] emits.
    pub fn soft_rows(&self) -> usize {
        if matches!(self.kind, JointKind::Rope(_) | JointKind::Pulley(_)) { 1 } else { self.kind.rows() }
    }

    /// Whether a motor or friction acts in it, with a force up to a limit.
    pub fn is_driven(&self) -> bool {
        let drives = self.friction > 0.0 || matches!(self.kind, JointKind::PoseMotor(_));
        self.acting_motor().is_some() || (drives && !self.broken)
    }

    /// Checks sizes, limits and motor.
    pub(in crate::model) fn check(&self) -> Result<(), ModelError> {
        self.kind.anchors().iter().try_for_each(|anchor| finite_vector("anchor of the joint", *anchor))?;
        match &self.kind {
            JointKind::Distance(rod) => positive("length", rod.length)?,
            JointKind::Slider(slider) => {
                positive("length of axis", slider.axis.length())?;
                finite("reference angle", slider.reference_angle)?;
            }
            JointKind::Weld(weld) => finite("reference angle", weld.reference_angle)?,
            JointKind::Gear(gear) => gear.check()?,
            JointKind::Pulley(pulley) => pulley.check()?,
            JointKind::Rope(_) => {
                let [shortest, longest] = self.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                let is_bounded = shortest.is_finite() || longest.is_finite();
                fitting(is_bounded, "number of limits of a rope", "a longest or a shortest distance", 0.0)?;
                fitting(longest > 0.0, "longest distance of a rope", "greater than 0", longest)?;
                fitting(
                    !(shortest < 0.0 && shortest.is_finite()),
                    "shortest distance of a rope",
                    "0 or more",
                    shortest,
                )?;
            }
            JointKind::Slot(slot) => {
                positive("length of axis", slot.axis.length())?;
                if let Some(Softness { stiffness, damping }) = slot.suspension {
                    not_negative("stiffness", stiffness)?;
                    not_negative("damping", damping)?;
                }
            }
            JointKind::PoseMotor(mover) => {
                finite_vector("offset of the motor", mover.offset)?;
                finite("angle of the motor", mover.angle)?;
                not_negative("frequency of the motor", mover.frequency)?;
                not_negative("damping ratio of the motor", mover.damping_ratio)?;
                not_negative("largest force of the motor", mover.max_force)?;
                not_negative("largest torque of the motor", mover.max_torque)?;
            }
            JointKind::Bead(bead) => {
                finite("angle of the curve", bead.angle)?;
                bead.curve.check()?;
            }
            JointKind::Hinge(_) | JointKind::Custom(_) => {}
        }
        share("restitution of the limits", self.restitution)?;
        if let Some(softness) = &self.softness {
            softness.check(self)?;
        }
        self.breaking.map_or(Ok(()), |breaking| breaking.check())?;
        not_negative("friction of the joint", self.friction)?;
        let is_driven = self.motor.is_some() || self.friction > 0.0;
        if self.limits.is_some() && !self.kind.has_coordinate() || is_driven && !self.kind.has_drive() {
            return Err(ModelError::NoFreeCoordinate(self.kind.key()));
        }
        if let Some([lower, upper]) = self.limits {
            // NaN fails the comparison. An infinite bound leaves its side open, but not a lower bound of ∞ or an
            // upper one of −∞, which no coordinate satisfies.
            if !(lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY) {
                return Err(ModelError::Limits { lower, upper });
            }
        }
        finite("zero of the limits", self.zero)?;
        let profiles = [&self.speed_profile, &self.force_profile, &self.length_profile];
        profiles.into_iter().flatten().try_for_each(Profile::check)?;
        length::check(self)?;
        if let Some(Motor { speed, max_force }) = self.motor {
            finite("speed of the motor", speed)?;
            not_negative("largest force of the motor", max_force)?;
        }
        if let Some(Servo { position, frequency, damping_ratio }) = self.servo {
            let driven = if self.motor.is_some() { 1.0 } else { 0.0 };
            fitting(self.motor.is_some(), "number of motors that hold the position", "1", driven)?;
            finite("position of the motor", position)?;
            positive("frequency of the motor", frequency)?;
            not_negative("damping ratio of the motor", damping_ratio)?;
        }
        Ok(())
    }
}
