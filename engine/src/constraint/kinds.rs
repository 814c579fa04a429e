//! The kinds of constraint, in one place: what each demands, of which bodies, by which rows, and what of it the world keeps.
//!
//! | kind | condition | rows |
//! |---|---|---|
//! | joint | position | g(q) = 0 |
//! | non-holonomic constraint | velocity | N(q) v = v₀(t) |
//! | spring, soft joint, grab | compliant | J v⁺ + c λ + b = 0, c and b of its [`Softness`]; the grab pulls with F_max at most |
//! | suspension of a wheel | compliant | as a spring, along its axis |
//! | motor of a joint | speed | ẋ = speed, with F_max at most; towards a position with c and b of its [`Servo`] |
//! | row of a motor joint | speed | the same, for each coordinate of the relative pose; ẋ = 0 where it holds none |
//! | friction of a joint | speed | ẋ = 0, with its largest force at most |
//! | contact | unilateral | 0 ≤ φ(q) ⊥ λ ≥ 0, with a tangential row for Coulomb's friction, and one of rolling resistance |
//! | limit of a joint | unilateral | 0 ≤ x − lo, 0 ≤ hi − x, without friction |
//!
//! Problems, sweeps and accounts list rows by their condition, in this order. They walk [`Constraint::all`], or its part
//! of one condition, so that a kind is added here: a variant, its place in the list of its condition, and what it says
//! below.

use super::row::{Clock, Row, row, row_of};
use crate::detect::Contact;
use crate::model::joint::{DRIVES, Equation, Unit, length};
use crate::model::{ConstraintId, Frame, Joint, JointKind, Nonholonomic, Servo, Softness, World};
use glam::DVec3;
use std::borrow::Borrow;

/// Most rows of a constraint.
pub(crate) const MOST_ROWS: usize = 3;

/// A constraint by its kind, and its index among the world's, or of a contact among those found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Constraint {
    Joint(usize),
    Nonholonomic(usize),
    Spring(usize),
    /// A soft joint.
    SoftJoint(usize),
    /// The suspension of a joint that is a wheel.
    Suspension(usize),
    #[default]
    Grab,
    /// The motor of a joint.
    Motor(usize),
    /// The friction of a joint.
    Friction(usize),
    /// A row of a joint that is a motor of the relative pose.
    Drive(usize, usize),
    Contact(usize),
    /// Lower limit of a joint.
    Lower(usize),
    /// Upper limit of a joint.
    Upper(usize),
}

/// What the rows of a constraint demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// g(q) = 0; corrections of positions act on it.
    Position,
    /// N v = v₀(t).
    Velocity,
    /// J v⁺ + c λ + b = 0; it is no constraint, and no correction acts on it.
    Compliant,
    /// J v⁺ = a given speed, as far as the largest force suffices.
    Speed,
    /// 0 ≤ φ(q) ⊥ λ ≥ 0.
    Unilateral,
}

/// The lists, one for each condition.
impl Constraint {
    /// The constraints of positions.
    pub fn positions(world: &World) -> impl Iterator<Item = Self> + '_ {
        let all = !world.joint_census().loose;
        let joints = world.joints().iter().enumerate();
        joints.filter(move |(_, joint)| all || joint.is_rigid()).map(|(index, _)| Self::Joint(index))
    }

    /// The constraints of velocities.
    pub fn velocities(world: &World) -> impl Iterator<Item = Self> + use<> {
        (0..world.nonholonomic().len()).map(Self::Nonholonomic)
    }

    /// The compliant ones: springs, then soft joints, then suspensions, then the grab.
    pub fn compliant(world: &World) -> impl Iterator<Item = Self> + '_ {
        let soft = world.joints_if(|any| any.soft).iter().enumerate();
        let soft = soft.filter(|(_, joint)| joint.is_soft()).map(|(index, _)| Self::SoftJoint(index));
        let sprung = world.joints_if(|any| any.sprung).iter().enumerate();
        let sprung = sprung.filter(|(_, joint)| joint.suspension().is_some());
        let springs = (0..world.springs().len()).map(Self::Spring).chain(soft);
        springs
            .chain(sprung.map(|(index, _)| Self::Suspension(index)))
            .chain(world.held().map(|_| Self::Grab))
    }

    /// Whether a row of springs, soft joints, suspensions or motors depends on the velocity at the start of the step.
    pub fn reads_start(world: &World) -> bool {
        world.has_springs() || world.joint_census().reads_start
    }

    /// The drives of given speed.
    pub fn speeds(world: &World) -> impl Iterator<Item = Self> + '_ {
        let joints = world.joints_if(|any| any.driven).iter().enumerate();
        let motors = joints.clone().filter(|(_, joint)| joint.acting_motor().is_some());
        let movers = joints
            .clone()
            .filter(|(_, joint)| matches!(joint.kind, JointKind::PoseMotor(_)) && !joint.broken);
        let rubbing = joints.filter(|(_, joint)| joint.friction > 0.0 && !joint.broken);
        let drives = movers.flat_map(|(index, _)| (0..DRIVES).map(move |drive| Self::Drive(index, drive)));
        let rubbing = rubbing.map(|(index, _)| Self::Friction(index));
        motors.map(|(index, _)| Self::Motor(index)).chain(rubbing).chain(drives)
    }

    /// The unilateral ones without friction; of a limit the finite sides.
    pub fn limits(world: &World) -> impl Iterator<Item = Self> + '_ {
        world.joints_if(|any| any.limited).iter().enumerate().flat_map(|(index, joint)| {
            let bounds = joint.rigid_limits().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let both = bounds.into_iter().zip([Self::Lower(index), Self::Upper(index)]);
            both.filter(|(bound, _)| bound.is_finite()).map(|(_, limit)| limit)
        })
    }

    /// All of them, with this number of contacts.
    pub fn all(world: &World, contacts: usize) -> impl Iterator<Item = Self> + '_ {
        Self::positions(world)
            .chain(Self::velocities(world))
            .chain(Self::compliant(world))
            .chain(Self::speeds(world))
            .chain((0..contacts).map(Self::Contact))
            .chain(Self::limits(world))
    }
}

/// What a kind says of itself.
impl Constraint {
    /// What its rows demand.
    pub fn condition(self) -> Condition {
        match self {
            Self::Joint(_) => Condition::Position,
            Self::Nonholonomic(_) => Condition::Velocity,
            Self::Spring(_) | Self::SoftJoint(_) | Self::Suspension(_) | Self::Grab => Condition::Compliant,
            Self::Motor(_) | Self::Friction(_) | Self::Drive(..) => Condition::Speed,
            Self::Contact(_) | Self::Lower(_) | Self::Upper(_) => Condition::Unilateral,
        }
    }

    /// Its name in reports; `None` of what is not there.
    pub fn id(self, world: &World, contacts: &[Contact]) -> Option<ConstraintId> {
        let joint = |index: usize| world.joint_ids().get(index).copied();
        match self {
            Self::Joint(index) | Self::SoftJoint(index) => joint(index).map(ConstraintId::Joint),
            Self::Nonholonomic(index) => {
                world.nonholonomic_ids().get(index).copied().map(ConstraintId::Nonholonomic)
            }
            Self::Spring(index) => world.spring_ids().get(index).copied().map(ConstraintId::Spring),
            Self::Suspension(index) => joint(index).map(ConstraintId::Suspension),
            Self::Grab => Some(ConstraintId::Grab),
            Self::Motor(index) => joint(index).map(ConstraintId::Motor),
            Self::Friction(index) => joint(index).map(ConstraintId::Friction),
            Self::Drive(index, drive) => joint(index).map(|id| ConstraintId::Drive(id, drive as u8)),
            Self::Contact(index) => contacts.get(index).map(|contact| ConstraintId::Contact(contact.id)),
            Self::Lower(index) => joint(index).map(ConstraintId::LowerLimit),
            Self::Upper(index) => joint(index).map(ConstraintId::UpperLimit),
        }
    }

    /// The indices of its bodies; the same one twice where it acts between one body and the world.
    #[inline]
    pub fn bodies(self, world: &World, contacts: &[Contact]) -> [usize; 2] {
        match self {
            Self::Joint(index)
            | Self::SoftJoint(index)
            | Self::Suspension(index)
            | Self::Motor(index)
            | Self::Friction(index)
            | Self::Drive(index, _)
            | Self::Lower(index)
            | Self::Upper(index) => world.joints()[index].bodies,
            Self::Nonholonomic(index) => world.nonholonomic()[index].bodies,
            Self::Spring(index) => world.springs()[index].bodies,
            Self::Grab => world.held().map_or([0; 2], |(_, body)| [body; 2]),
            Self::Contact(index) => contacts[index].bodies(),
        }
    }

    /// The indices of its third and fourth body, where it has them.
    #[inline]
    pub fn further(self, world: &World) -> Option<[usize; 2]> {
        match self {
            Self::Joint(index)
            | Self::Motor(index)
            | Self::Friction(index)
            | Self::Lower(index)
            | Self::Upper(index) => world.joints()[index].further,
            _ => None,
        }
    }

    /// Each of its rows, with the frame of every body.
    #[inline]
    pub fn each_row<F: Borrow<Frame>>(
        self,
        world: &World,
        contacts: &[Contact],
        frame: impl Fn(usize) -> F,
        mut emit: impl FnMut(Row),
    ) {
        let [a, b] = self.bodies(world, contacts);
        match self.further(world) {
            None => {
                let (at_a, at_b) = (frame(a), frame(b));
                let at = [at_a.borrow(), at_b.borrow()];
                self.equations(world, contacts, at, |own| emit(row(a, b, own)));
            }
            Some([c, d]) => {
                let bodies = [a, b, c, d];
                let frames = bodies.map(frame);
                let at = frames.each_ref().map(Borrow::borrow);
                self.equations_of(world, at, |own, further| emit(row_of(bodies, own, further)));
            }
        }
    }

    /// [`Constraint::equations`] of one with more than two bodies, with ∂g/∂q of the third and the fourth.
    fn equations_of(self, world: &World, at: [&Frame; 4], mut emit: impl FnMut(Equation, [DVec3; 2])) {
        match self {
            Self::Joint(index) => world.joints()[index].kind.equations_of(at, emit),
            Self::Motor(index) | Self::Friction(index) => {
                let joint = &world.joints()[index];
                let Some((x, further)) = joint.kind.driven_of(at) else { return };
                emit(self.along(joint, x), further);
            }
            Self::Lower(index) | Self::Upper(index) => {
                let joint = &world.joints()[index];
                let Some((x, further)) = joint.kind.coordinate_of(at) else { return };
                let sign = if matches!(self, Self::Upper(_)) { -1.0 } else { 1.0 };
                emit(self.along(joint, x), further.map(|j| sign * j));
            }
            _ => {}
        }
    }

    /// Its row along the coordinate x of its joint.
    fn along(self, joint: &Joint, x: Equation) -> Equation {
        let [low, high] = joint.rigid_limits().unwrap_or_default();
        let from_zero = x.g - joint.zero;
        match self {
            Self::Lower(_) => Equation { g: from_zero - low, ..x },
            Self::Upper(_) => Equation { g: high - from_zero, ja: -x.ja, jb: -x.jb, k: -x.k, unit: x.unit },
            Self::Motor(_) | Self::Friction(_) => {
                let held = joint.servo.map_or(0.0, |servo| servo.position);
                // The zero of a wheel's limits is a displacement, its motor's coordinate an angle.
                let zero = if joint.kind.suspension().is_some() { 0.0 } else { joint.zero };
                Equation { g: x.g - zero - held, ..x }
            }
            _ => x,
        }
    }

    /// What a driven length adds to the g, k and c of its row at that time; `None` without one.
    pub fn length_terms(self, world: &World, Clock { now, span }: Clock) -> Option<[f64; 3]> {
        match self {
            Self::Joint(index) | Self::Upper(index) => length::terms(&world.joints()[index], now, span),
            _ => None,
        }
    }

    /// The number of its multipliers: of its rows, with the tangential one of a contact.
    pub fn rows(self, world: &World) -> usize {
        match self {
            Self::Joint(index) => world.joints()[index].kind.rows(),
            Self::Nonholonomic(index) => world.nonholonomic()[index].kind.rows(),
            Self::Spring(index) => world.springs()[index].rows(),
            Self::SoftJoint(index) => world.joints()[index].soft_rows(),
            Self::Grab | Self::Contact(_) => 2,
            Self::Suspension(_)
            | Self::Motor(_)
            | Self::Friction(_)
            | Self::Drive(..)
            | Self::Lower(_)
            | Self::Upper(_) => 1,
        }
    }

    /// g, J and k = J̇ v of each row at the frames of its bodies; the tangential row of a contact has no g.
    #[inline]
    pub fn equations(
        self,
        world: &World,
        contacts: &[Contact],
        [a, b]: [&Frame; 2],
        mut emit: impl FnMut(Equation),
    ) {
        match self {
            Self::Joint(index) => world.joints()[index].kind.equations(a, b, emit),
            Self::Nonholonomic(index) => world.nonholonomic()[index].kind.equations(a, b, emit),
            Self::Spring(index) => world.springs()[index].equations(a, b, emit),
            Self::SoftJoint(index) => world.joints()[index].soft_equations(a, b, emit),
            Self::Grab => {
                if let Some((grab, _)) = world.held() {
                    grab.equations(a, emit)
                }
            }
            Self::Contact(index) => {
                let gap = contacts[index].gap(world.bodies(), a, b);
                let unit = Unit::Metre;
                emit(Equation { g: gap.phi, ja: gap.ja, jb: gap.jb, k: gap.k, unit });
                emit(Equation { g: 0.0, ja: gap.ta, jb: gap.tb, k: gap.kt, unit });
            }
            Self::Motor(index) | Self::Friction(index) => {
                let joint = &world.joints()[index];
                let Some(x) = joint.kind.driven(a, b) else { return };
                emit(self.along(joint, x));
            }
            Self::Drive(index, drive) => {
                if let JointKind::PoseMotor(mover) = &world.joints()[index].kind {
                    emit(mover.coordinate(drive, a, b));
                }
            }
            Self::Suspension(index) | Self::Lower(index) | Self::Upper(index) => {
                let joint = &world.joints()[index];
                let Some(x) = joint.kind.coordinate(a, b) else { return };
                emit(self.along(joint, x));
            }
        }
    }

    /// The joints of [`Constraint::positions`], in their order.
    pub fn joints(world: &World) -> impl Iterator<Item = &Joint> {
        Self::positions(world).filter_map(|own| match own {
            Self::Joint(index) => world.joints().get(index),
            _ => None,
        })
    }

    /// Stiffness and damping of the rows of a compliant one that have this unit.
    pub fn softness(self, world: &World, unit: Unit) -> Option<Softness> {
        match self {
            Self::Spring(index) => world.springs().get(index).map(|spring| spring.softness),
            Self::SoftJoint(index) => world.joints()[index].softness.map(|own| own.of(unit)),
            Self::Suspension(index) => world.joints()[index].suspension(),
            Self::Grab => world.grab.map(|grab| grab.softness),
            _ => None,
        }
    }

    /// Stiffness and damping with which a motor holds a position, and the mobility 1/m_e of its coordinate: of its row `x`
    /// at these frames, with the joint's own rows held. `None` of a motor that drives at a speed alone, and of a motor joint
    /// that is friction.
    pub fn servo<F: Borrow<Frame>>(
        self,
        world: &World,
        frame: impl Fn(usize) -> F,
        x: &Row,
    ) -> Option<(Softness, f64)> {
        let (Self::Motor(index) | Self::Drive(index, _)) = self else { return None };
        let joint = &world.joints()[index];
        let [frequency, damping_ratio] = match (&joint.kind, joint.servo) {
            (JointKind::PoseMotor(mover), _) if !mover.holds_pose() => return None,
            (JointKind::PoseMotor(mover), _) => [mover.frequency, mover.damping_ratio],
            (_, Some(Servo { frequency, damping_ratio, .. })) => [frequency, damping_ratio],
            _ => return None,
        };
        let product = |one: &Row, other: &Row| -> f64 {
            let arms = one.arms().zip(other.arms());
            arms.map(|((body, j), (_, other))| j.dot(world.bodies()[body].inverse_mass() * other)).sum()
        };
        // Gram–Schmidt in the metric M⁻¹: what is left of x's row across the rows of the joint.
        let mut held: [Option<Row>; MOST_ROWS] = [None; MOST_ROWS];
        let mut rows = held.iter_mut();
        Self::Joint(index).each_row(world, &[], frame, |row| {
            if let Some(slot) = rows.next() {
                *slot = Some(row);
            }
        });
        let mut left = *x;
        for at in 0..MOST_ROWS {
            let Some(row) = held[at] else { break };
            let size = product(&row, &row);
            if size <= 0.0 {
                continue;
            }
            let take = |from: &mut Row| from.subtract(product(from, &row) / size, &row);
            held.iter_mut().skip(at + 1).flatten().for_each(take);
            take(&mut left);
        }
        let mobility = product(&left, &left);
        let rate = std::f64::consts::TAU * frequency;
        let (stiffness, damping) = (rate * rate / mobility, 2.0 * damping_ratio * rate / mobility);
        (mobility > 0.0 && stiffness.is_finite()).then_some((Softness { stiffness, damping }, mobility))
    }

    /// The most that it pulls or drives with at the world's present time, N or N m; `None` without such a bound.
    pub fn most_force(self, world: &World) -> Option<f64> {
        match self {
            Self::Grab => world.grab.map(|grab| grab.max_force),
            Self::Motor(index) => {
                let joint = &world.joints()[index];
                joint.motor.map(|_| joint.motor_at(world.time())[2])
            }
            Self::Friction(index) => Some(world.joints()[index].friction),
            Self::Drive(index, drive) => match &world.joints()[index].kind {
                JointKind::PoseMotor(mover) => Some(mover.bound(drive)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Newton's coefficient of restitution of a limit.
    pub fn restitution(self, world: &World) -> f64 {
        match self {
            Self::Lower(index) | Self::Upper(index) => world.joints()[index].restitution,
            _ => 0.0,
        }
    }

    /// J v that each of its rows demands at the time `t`: v₀(t) of a velocity constraint, the speed of a motor, and zero
    /// of all others.
    pub fn speed(self, world: &World, t: f64) -> [f64; MOST_ROWS] {
        let mut speed = [0.0; MOST_ROWS];
        match self {
            Self::Nonholonomic(index) => {
                let Nonholonomic { kind, .. } = &world.nonholonomic()[index];
                let demanded = kind.prescribed(t).into_iter().map(|v0| v0.value);
                speed.iter_mut().zip(demanded).for_each(|(own, demanded)| *own = demanded);
            }
            Self::Motor(index) => {
                speed[0] = world.joints()[index].motor_at(t)[0];
            }
            _ => {}
        }
        speed
    }

    /// The force of the last step that the world keeps for the warm start, by row, N or N m; zero of what keeps none, and
    /// of contacts, whose impulses are found by their identity.
    pub fn force(self, world: &World) -> [f64; MOST_ROWS] {
        let along = |joint: usize, at: usize| [world.joints()[joint].coordinate_force[at], 0.0, 0.0];
        match self {
            Self::Joint(index) => world.joints()[index].force,
            Self::Motor(index) => along(index, 0),
            Self::Lower(index) => along(index, 1),
            Self::Upper(index) => along(index, 2),
            _ => [0.0; MOST_ROWS],
        }
    }

    /// The kept forces of all rows of positions.
    pub fn forces(world: &World) -> impl Iterator<Item = f64> + '_ {
        Self::positions(world).flat_map(|own| own.force(world).into_iter().take(own.rows(world)))
    }

    /// Keeps that force in the world's `joints`.
    #[inline]
    pub fn keep_force(self, joints: &mut [Joint], force: [f64; MOST_ROWS]) {
        match self {
            Self::Joint(index) | Self::SoftJoint(index) => {
                let joint = &mut joints[index];
                (joint.force, joint.coordinate_force) = (force, [0.0; 3]);
            }
            Self::Motor(index) => joints[index].coordinate_force[0] = force[0],
            Self::Lower(index) => joints[index].coordinate_force[1] = force[0],
            Self::Upper(index) => joints[index].coordinate_force[2] = force[0],
            _ => {}
        }
    }

    /// Which joint it belongs to, and its place among the constraints of that joint: motor, friction, limits, equations.
    pub fn place_in_joint(self) -> Option<(usize, u8)> {
        match self {
            Self::Motor(joint) => Some((joint, 0)),
            Self::Friction(joint) => Some((joint, 1)),
            Self::Drive(joint, drive) => Some((joint, 5 + drive as u8)),
            Self::Lower(joint) => Some((joint, 2)),
            Self::Upper(joint) => Some((joint, 3)),
            Self::Joint(joint) | Self::SoftJoint(joint) => Some((joint, 4)),
            _ => None,
        }
    }

    pub fn is_joint(self) -> bool {
        self.condition() == Condition::Position
    }

    pub fn is_contact(self) -> bool {
        matches!(self, Self::Contact(_))
    }

    pub fn is_limit(self) -> bool {
        self.is_unilateral() && !self.is_contact()
    }

    /// Whether it is a contact or a limit.
    pub fn is_unilateral(self) -> bool {
        self.condition() == Condition::Unilateral
    }
}
