//! A world of ours in Rapier: bodies about their centres of mass, colliders without mass.

use std::f64::consts::{PI, TAU};

use driftlab_engine::glam::DVec2;
use driftlab_engine::model::{
    BodyKind, Core, Filter, Joint, JointKind, Mix, Piece, Softness, Spring, World,
};
use rapier2d_f64::na::Unit;
use rapier2d_f64::prelude::{
    ActiveHooks, CoefficientCombineRule, ColliderBuilder, ColliderHandle, GenericJoint, Group,
    ImpulseJointHandle, IntegrationParameters, InteractionGroups, InteractionTestMode, JointAxesMask,
    JointLimits, JointMotor, MassProperties, MotorModel, PhysicsWorld, Pose, Real, RigidBodyBuilder,
    RigidBodyHandle, SpringCoefficients, Vector,
};

use super::hooks::Surface;
use crate::frames::Frames;
use crate::lacks::Lacks;
use crate::peer::{Error, Kind, Settings};

/// The damping, 1/s, of a motor that only has a speed: so large that its row is rigid to rounding.
const RIGID: Real = 1e15;
/// The places of the axes of a joint among its limits and motors.
pub const X: usize = 0;
pub const Y: usize = 1;
pub const ANGLE: usize = 2;

pub fn vector(v: DVec2) -> Vector {
    Vector::new(v.x, v.y)
}

/// What was built.
pub struct Built {
    pub bodies: Vec<RigidBodyHandle>,
    /// By joint and by spring; none of one that is broken or does nothing.
    pub joints: Vec<Option<ImpulseJointHandle>>,
    pub springs: Vec<Option<ImpulseJointHandle>>,
    pub surfaces: Vec<Surface>,
    pub hooked: bool,
}

/// The parameters of Rapier's integration.
pub fn parameters(settings: &Settings, h: f64) -> IntegrationParameters {
    let value = |key| settings.value(key);
    let mut own = IntegrationParameters { dt: h, ..IntegrationParameters::default() };
    own.num_solver_iterations = value("num_solver_iterations") as usize;
    own.num_internal_pgs_iterations = value("num_internal_pgs_iterations") as usize;
    own.num_internal_stabilization_iterations = value("num_internal_stabilization_iterations") as usize;
    own.contact_softness =
        SpringCoefficients::new(value("contact_natural_frequency"), value("contact_damping_ratio"));
    own.static_contact_softness = SpringCoefficients::new(
        value("static_contact_natural_frequency"),
        value("static_contact_damping_ratio"),
    );
    own.warmstart_coefficient = value("warmstart_coefficient");
    own.warmstart_joints = value("warmstart_joints") == 1.0;
    own.normalized_allowed_linear_error = value("normalized_allowed_linear_error");
    own.normalized_max_corrective_velocity = value("normalized_max_corrective_velocity");
    own.normalized_prediction_distance = value("normalized_prediction_distance");
    own.normalized_max_linear_velocity = value("normalized_max_linear_velocity");
    own.contact_recycling = value("contact_recycling") == 1.0;
    own.friction_in_bias_pass = value("friction_in_bias_pass") == 1.0;
    own.max_ccd_substeps = value("max_ccd_substeps") as usize;
    own
}

/// Builds the world.
///
/// # Errors
/// Everything that Rapier lacks.
pub fn build(settings: &Settings, world: &World, h: f64) -> Result<(PhysicsWorld, Built), Error> {
    let mut lacks = Lacks::of(Kind::Rapier, world);
    let mut own = PhysicsWorld {
        gravity: vector(world.gravity()),
        integration_parameters: parameters(settings, h),
        ..PhysicsWorld::default()
    };
    let (mut bodies, mut surfaces) = (Vec::new(), Vec::new());
    let skins = (0..world.bodies().len()).flat_map(|index| {
        let body = &world.bodies()[index];
        (0..body.pieces().len()).map(move |piece| (body.skin(piece as u32), body.filter(piece as u32)))
    });
    let [belts, groups] = skins.fold([false; 2], |[belts, groups], (skin, filter)| {
        [belts || skin.speed != 0.0, groups || filter.group != 0]
    });
    let mut hooks = ActiveHooks::empty();
    hooks.set(ActiveHooks::MODIFY_SOLVER_CONTACTS, belts);
    hooks.set(ActiveHooks::FILTER_CONTACT_PAIRS, groups);
    for index in 0..world.bodies().len() {
        let handle = own.insert_body(body(world, index));
        bodies.push(handle);
        let body = &world.bodies()[index];
        for (number, piece) in body.pieces().iter().enumerate().filter(|_| body.collides) {
            let (skin, filter) = (body.skin(number as u32), body.filter(number as u32));
            if skin.rolling_resistance > 0.0 {
                lacks.body(index, "has rolling resistance: the engine has none");
            }
            let Some(collider) = collider(piece) else {
                if !matches!(piece, Piece::Ellipse(_)) {
                    lacks.body(index, "has a polygon that the engine does not take for convex");
                }
                continue;
            };
            let [friction, restitution] =
                [world.materials().friction, world.materials().restitution].map(rule);
            let collider = collider
                .density(0.0)
                .friction(skin.friction)
                .restitution(skin.restitution)
                .friction_combine_rule(friction)
                .restitution_combine_rule(restitution)
                .collision_groups(if groups { InteractionGroups::all() } else { categories(filter) })
                .active_hooks(hooks)
                .user_data(surfaces.len() as u128);
            surfaces.push(Surface { filter, speed: skin.speed });
            own.insert_collider(collider, Some(handle));
        }
    }
    let softness = SpringCoefficients::new(
        settings.value("joint_natural_frequency"),
        settings.value("joint_damping_ratio"),
    );
    let mut joints = Vec::new();
    for joint in world.joints() {
        let data = if joint.broken { None } else { linked(world, joint, &mut lacks) };
        joints.push(data.map(|data| {
            let [a, b] = joint.bodies().map(|index| bodies[index]);
            let data = GenericJoint { softness, contacts_enabled: joint.collide_connected, ..data };
            own.insert_impulse_joint(a, b, data)
        }));
    }
    let mut springs = Vec::new();
    for spring in world.springs() {
        let none = spring.broken || spring.softness == Softness { stiffness: 0.0, damping: 0.0 };
        springs.push((!none).then(|| {
            let [a, b] = spring.bodies().map(|index| bodies[index]);
            own.insert_impulse_joint(a, b, GenericJoint { softness, ..sprung(spring) })
        }));
    }
    lacks.finish()?;
    let hooked = belts || groups;
    Ok((own, Built { bodies, joints, springs, surfaces, hooked }))
}

fn rule(mix: Mix) -> CoefficientCombineRule {
    match mix {
        Mix::Mean => CoefficientCombineRule::Average,
        Mix::Geometric => CoefficientCombineRule::GeometricMean,
        Mix::Min => CoefficientCombineRule::Min,
        Mix::Max => CoefficientCombineRule::Max,
        Mix::Product => CoefficientCombineRule::Multiply,
    }
}

fn categories(filter: Filter) -> InteractionGroups {
    let bits = Group::from_bits_truncate;
    InteractionGroups::new(bits(filter.categories), bits(filter.mask), InteractionTestMode::And)
}

fn body(world: &World, index: usize) -> RigidBodyBuilder {
    let body = &world.bodies()[index];
    let builder = match body.kind() {
        BodyKind::Fixed => RigidBodyBuilder::fixed(),
        BodyKind::Kinematic(_) => RigidBodyBuilder::kinematic_velocity_based(),
        BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
    };
    let (v, w) = (world.velocity_of(index), body.inverse_mass());
    let builder = builder
        .pose(pose(body.pose.position, body.pose.angle))
        .linvel(vector(v.truncate()))
        .angvel(v.z)
        .gravity_scale(body.gravity_scale)
        .linear_damping(body.damping.linear * w.x)
        .angular_damping(body.damping.angular * w.z)
        .can_sleep(false)
        .user_data(index as u128);
    if !body.is_dynamic() {
        return builder;
    }
    // A moment of inertia of 0 is one that nothing turns.
    let inertia = if w.z > 0.0 { 1.0 / w.z } else { 0.0 };
    builder.additional_mass_properties(MassProperties::new(
        Vector::ZERO,
        body.mass_properties().mass,
        inertia,
    ))
}

pub fn pose(position: DVec2, angle: f64) -> Pose {
    Pose::new(vector(position), angle)
}

fn collider(piece: &Piece) -> Option<ColliderBuilder> {
    match piece {
        Piece::Core(core) => convex(core),
        Piece::HalfPlane { normal, offset } => {
            let at = pose(*offset * *normal, 0.0);
            Some(ColliderBuilder::halfspace(Unit::new_unchecked(vector(normal.normalize()))).position(at))
        }
        Piece::Ellipse(_) => None,
    }
}

fn convex(core: &Core) -> Option<ColliderBuilder> {
    match &core.vertices[..] {
        [center] => Some(ColliderBuilder::ball(core.radius).position(pose(*center, 0.0))),
        [a, b] if core.radius > 0.0 => {
            Some(ColliderBuilder::capsule_from_endpoints(vector(*a), vector(*b), core.radius))
        }
        [a, b] => Some(ColliderBuilder::segment(vector(*a), vector(*b))),
        corners if core.radius > 0.0 => {
            let corners = corners.iter().map(|p| vector(*p)).collect();
            ColliderBuilder::round_convex_polyline(corners, core.radius)
        }
        corners => rectangle(corners)
            .or_else(|| ColliderBuilder::convex_polyline(corners.iter().map(|p| vector(*p)).collect())),
    }
}

/// Four corners as a cuboid, if they are a rectangle to rounding.
fn rectangle(corners: &[DVec2]) -> Option<ColliderBuilder> {
    let [p, q, r, s] = *corners else { return None };
    let (along, across) = (q - p, r - q);
    let square = along.dot(across).abs() <= 1e-12 * along.length() * across.length()
        && (p + r - q - s).length() <= 1e-12 * p.distance(r);
    square.then(|| {
        ColliderBuilder::cuboid(along.length() / 2.0, across.length() / 2.0)
            .position(pose((p + q + r + s) / 4.0, along.to_angle()))
    })
}

/// A motor that has a speed and a largest force alone.
pub fn speed_motor([speed, most]: [f64; 2]) -> JointMotor {
    JointMotor {
        target_vel: speed,
        damping: RIGID,
        max_force: most.min(Real::MAX),
        ..JointMotor::default()
    }
}

/// A spring and a damper of these constants.
pub fn spring_motor(softness: Softness, at: f64) -> JointMotor {
    JointMotor {
        target_pos: at,
        stiffness: softness.stiffness,
        damping: softness.damping,
        model: MotorModel::ForceBased,
        ..JointMotor::default()
    }
}

/// Speed and largest force of what drives a joint, a motor or friction, at the time `t`, s.
pub fn drive_of(joint: &Joint, t: f64) -> Option<[f64; 2]> {
    if joint.acting_motor().is_some() {
        let [speed, _, most] = joint.motor_at(t);
        return Some([speed, most]);
    }
    (joint.friction > 0.0).then_some([0.0, joint.friction])
}

/// The axis on which a joint's motor acts.
pub fn driven_axis(joint: &Joint) -> usize {
    match &joint.kind {
        JointKind::Slider(_) => X,
        JointKind::Slot(slot) if slot.suspension.is_none() => X,
        _ => ANGLE,
    }
}

pub fn mask(axis: usize) -> JointAxesMask {
    [JointAxesMask::LIN_X, JointAxesMask::LIN_Y, JointAxesMask::ANG_X][axis]
}

fn framed(frames: &Frames, locked: JointAxesMask) -> GenericJoint {
    let [a, b] = [0, 1].map(|side| pose(frames.points[side], frames.angles[side]));
    GenericJoint { local_frame1: a, local_frame2: b, locked_axes: locked, ..GenericJoint::default() }
}

fn linked(world: &World, joint: &Joint, lacks: &mut Lacks) -> Option<GenericJoint> {
    let frames = Frames::of(joint);
    let locked = match &joint.kind {
        JointKind::Hinge(_) => JointAxesMask::LOCKED_REVOLUTE_AXES,
        JointKind::Weld(_) => JointAxesMask::LOCKED_FIXED_AXES,
        JointKind::Slider(_) => JointAxesMask::LOCKED_PRISMATIC_AXES,
        JointKind::Slot(_) => JointAxesMask::LOCKED_PIN_SLOT_AXES,
        JointKind::Rope(_) | JointKind::PoseMotor(_) => JointAxesMask::empty(),
        JointKind::Distance(_) => {
            lacks.joint(joint, "is a rod: the engine has ropes and springs, no rods");
            return None;
        }
        JointKind::Gear(_) | JointKind::Pulley(_) | JointKind::Bead(_) | JointKind::Custom(_) => {
            return None;
        }
    };
    let mut data = framed(&frames, locked);
    let limits =
        |[lower, upper]: [f64; 2]| JointLimits::from([lower.max(-Real::MAX), upper.min(Real::MAX)]);
    match &joint.kind {
        JointKind::Hinge(_) => {
            if let Some([lower, upper]) = frames.limits {
                if upper - lower > TAU {
                    lacks.joint(joint, "has limits that are more than a turn apart, or one alone: the engine counts no turns");
                }
                data.limit_axes = JointAxesMask::ANG_X;
                data.limits[ANGLE] = limits([lower, upper]);
            }
        }
        JointKind::Rope(_) => {
            let [shortest, longest] = frames.limits.unwrap_or([0.0, f64::INFINITY]);
            if shortest > 0.0 {
                lacks.joint(
                    joint,
                    "has a shortest length: the ropes of the engine have a longest one alone",
                );
            }
            data.coupled_axes = JointAxesMask::LIN_AXES;
            data.limit_axes = JointAxesMask::LIN_X;
            data.limits[X] = limits([0.0, longest]);
        }
        JointKind::PoseMotor(mover) => {
            // m_i of each row is Rapier's own, as it is ours.
            let rate = TAU * mover.frequency;
            let drive = |most: f64| JointMotor {
                stiffness: rate * rate,
                damping: 2.0 * mover.damping_ratio * rate,
                max_force: most.min(Real::MAX),
                ..JointMotor::default()
            };
            data.motor_axes = JointAxesMask::LIN_AXES | JointAxesMask::ANG_X;
            data.motors = [drive(mover.max_force), drive(mover.max_force), drive(mover.max_torque)];
        }
        _ => {
            if let Some(own) = frames.limits {
                data.limit_axes = JointAxesMask::LIN_X;
                data.limits[X] = limits(own);
            }
        }
    }
    if let Some(suspension) = joint.suspension() {
        data.motor_axes |= JointAxesMask::LIN_X;
        data.motors[X] = spring_motor(suspension, 0.0);
    }
    if let Some(drive) = drive_of(joint, world.time()) {
        let axis = driven_axis(joint);
        let turns = joint.servo.is_some_and(|servo| axis == ANGLE && servo.position.abs() > PI);
        if joint.acting_motor().is_some() && turns {
            lacks.joint(joint, "holds an angle beyond half a turn: the engine counts no turns");
        }
        data.motor_axes |= mask(axis);
        data.motors[axis] = speed_motor(drive);
    }
    Some(data)
}

/// Springs of Rapier are motors of stiffness and damping.
fn sprung(spring: &Spring) -> GenericJoint {
    let plain = Frames { points: spring.anchors, angles: [0.0; 2], limits: None };
    let mut data = framed(&plain, JointAxesMask::empty());
    if let Some(rest) = spring.rest_angle {
        data.motor_axes = JointAxesMask::ANG_X;
        data.motors[ANGLE] = spring_motor(spring.softness, rest);
    } else if spring.rest_length > 0.0 {
        data.coupled_axes = JointAxesMask::LIN_AXES;
        data.motor_axes = JointAxesMask::LIN_X;
        data.motors[X] = spring_motor(spring.softness, spring.rest_length);
    } else {
        data.motor_axes = JointAxesMask::LIN_AXES;
        data.motors[X] = spring_motor(spring.softness, 0.0);
        data.motors[Y] = spring_motor(spring.softness, 0.0);
    }
    data
}

/// The colliders of a body.
pub fn colliders_of(own: &PhysicsWorld, body: RigidBodyHandle) -> Vec<ColliderHandle> {
    own.bodies.get(body).map_or_else(Vec::new, |body| body.colliders().to_vec())
}
