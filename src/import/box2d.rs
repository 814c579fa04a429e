//! What Box2D's worlds are made of (2.x), from whichever text, and its conversion.
//!
//! Units, axes, and the mixing of friction (geometric mean) and restitution (the larger) are those of scenes. The velocity of
//! a body is that of its centre of mass. A spring of f hertz and damping ratio ζ has k = m (2πf)² and d = 2 m ζ 2πf, where m
//! is the mass that resists it as placed. Sleeping, bullets and the rounding of polygons (`b2_polygonRadius`) are not parts
//! of a scene.

use super::draft::{Draft, Part};
use crate::model::joint::{Distance, DistanceForm, Hinge, JointKind, PoseMotor, Slider, Slot, Weld};
use crate::model::{
    Body, BodyId, Filter, Joint, JointBuilder, JointId, MassProperties, Motion, Placement, Shape, Softness,
    Spring,
};
use glam::DVec2;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Steps per second of a dump, which does not state them.
const STEPS_PER_SECOND: f64 = 60.0;

/// A shape of a fixture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ShapeDef {
    Circle {
        center: DVec2,
        radius: f64,
    },
    Polygon(Vec<DVec2>),
    /// A chain or an edge: segments without an inside.
    Chain(Vec<DVec2>),
}

/// `b2FixtureDef`.
#[derive(Clone, Debug)]
pub(super) struct FixtureDef {
    pub place: String,
    pub density: f64,
    pub friction: f64,
    pub restitution: f64,
    pub sensor: bool,
    pub filter: Filter,
    pub shape: Option<ShapeDef>,
}

impl FixtureDef {
    pub fn new(place: String) -> Self {
        let filter = Filter::default();
        Self { place, density: 0.0, friction: 0.2, restitution: 0.0, sensor: false, filter, shape: None }
    }
}

/// `b2BodyDef`, with its fixtures.
#[derive(Clone, Debug)]
pub(super) struct BodyDef {
    pub place: String,
    pub name: String,
    /// 0 static, 1 kinematic, 2 dynamic.
    pub kind: f64,
    pub position: DVec2,
    pub angle: f64,
    pub linear_velocity: DVec2,
    pub angular_velocity: f64,
    pub linear_damping: f64,
    pub angular_damping: f64,
    pub fixed_rotation: bool,
    pub active: bool,
    pub gravity_scale: f64,
    /// Mass, kg, centre, m, and inertia about the body's origin, kg m², where the file states them.
    pub mass: Option<(f64, DVec2, f64)>,
    pub fixtures: Vec<FixtureDef>,
}

impl BodyDef {
    pub fn new(place: String) -> Self {
        Self {
            place,
            name: String::new(),
            kind: 0.0,
            position: DVec2::ZERO,
            angle: 0.0,
            linear_velocity: DVec2::ZERO,
            angular_velocity: 0.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            fixed_rotation: false,
            active: true,
            gravity_scale: 1.0,
            mass: None,
            fixtures: Vec::new(),
        }
    }
}

/// A spring of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum SoftDef {
    /// Rigid.
    #[default]
    None,
    /// Frequency, Hz, and damping ratio (up to 2.3).
    Rate(f64, f64),
    /// k and d (from 2.4 on).
    Given(f64, f64),
}

impl SoftDef {
    /// k and d of a spring that moves this mass, kg or kg m².
    fn about(self, mass: f64) -> (f64, f64) {
        match self {
            Self::None => (0.0, 0.0),
            Self::Rate(hertz, ratio) => (mass * (TAU * hertz).powi(2), 2.0 * mass * ratio * TAU * hertz),
            Self::Given(stiffness, damping) => (stiffness, damping),
        }
    }
}

/// A `b2JointDef` of any kind.
#[derive(Clone, Debug, Default)]
pub(super) struct JointDef {
    pub place: String,
    /// The kind: `revolute`, `prismatic`, …
    pub kind: String,
    pub bodies: [Option<usize>; 2],
    pub collide_connected: bool,
    pub anchors: [DVec2; 2],
    pub axis: DVec2,
    pub reference_angle: f64,
    pub limits: Option<[f64; 2]>,
    /// Speed and largest force or torque.
    pub motor: Option<[f64; 2]>,
    pub length: f64,
    /// Shortest and longest length (from 2.4 on).
    pub lengths: Option<[f64; 2]>,
    /// Of a rope (up to 2.3), m.
    pub longest: f64,
    pub soft: SoftDef,
    /// Its place among the joints of a dump.
    pub index: Option<usize>,
    /// The places of the two joints of a gear.
    pub geared: [Option<usize>; 2],
    /// Of a gear and a pulley.
    pub ratio: f64,
    /// The wheels of a pulley in the world, and the lengths of its two parts, m.
    pub wheels: [DVec2; 2],
    pub parts: [f64; 2],
    /// Of a motor joint: where the origin of the second body is to be in the first one's axes, m and rad.
    pub offset: DVec2,
    pub angular_offset: f64,
    /// Its largest force and torque, N and N m, and the share of the error that it removes in a step.
    pub bounds: [f64; 2],
    pub correction: f64,
}

/// Adds all bodies and joints.
pub(super) fn convert(draft: &mut Draft, bodies: Vec<BodyDef>, joints: Vec<JointDef>) {
    let made: Vec<Option<BodyId>> = bodies.iter().map(|def| body(draft, def)).collect();
    let mut ids: BTreeMap<usize, JointId> = BTreeMap::new();
    let (gears, others): (Vec<_>, Vec<_>) = joints.iter().partition(|def| def.kind == "gear");
    for def in others {
        let end = |index: Option<usize>| made.get(index?).copied().flatten();
        let before = draft.world.joints().len();
        match def.bodies.map(end) {
            [Some(a), Some(b)] => joint(draft, def, [a, b]),
            _ => draft.leave_out(
                &def.place,
                format!("the {} joint is left out: a body of it is not there", def.kind),
            ),
        }
        if let (Some(index), Some(id)) = (def.index, draft.world.joint_ids().get(before)) {
            ids.insert(index, *id);
        }
    }
    for def in gears {
        gear(draft, def, &ids);
    }
}

/// x₁ + ρ x₂ = constant of two joints, as in Box2D.
fn gear(draft: &mut Draft, def: &JointDef, ids: &BTreeMap<usize, JointId>) {
    let found = |index: Option<usize>| ids.get(&index?).copied();
    let [Some(first), Some(second)] = def.geared.map(found) else {
        return draft.leave_out(&def.place, "the gear joint is left out: a joint of it is not there");
    };
    if let Err(error) = draft.world.add_gear([first, second], def.ratio) {
        draft.leave_out(&def.place, format!("the gear joint is left out: {error}"));
    }
}

fn body(draft: &mut Draft, def: &BodyDef) -> Option<BodyId> {
    let place = &def.place;
    if !def.active {
        draft.leave_out(place, "the body is left out: it is not active");
        return None;
    }
    let dynamic = def.kind == 2.0;
    let mut builder = if dynamic {
        Body::dynamic()
    } else if def.kind == 1.0 {
        Body::kinematic(Motion::ConstantVelocity)
    } else {
        Body::fixed()
    };
    builder = builder.at(def.position).angle(def.angle).name(def.name.clone());
    if def.kind != 0.0 {
        builder = builder.velocity(def.linear_velocity).angular_velocity(def.angular_velocity);
    }
    let mut parts = Vec::new();
    for fixture in &def.fixtures {
        let Some(placement) = placement(draft, fixture, dynamic) else { continue };
        let (restitution, friction) = (fixture.restitution.clamp(0.0, 1.0), fixture.friction.max(0.0));
        let within = restitution == fixture.restitution && friction == fixture.friction;
        draft.leave_out_if(
            !within,
            &fixture.place,
            "friction is at least 0 here, and restitution between 0 and 1",
        );
        parts.push(Part {
            placement,
            density: fixture.density,
            friction,
            restitution,
            filter: fixture.filter,
        });
    }
    builder = draft.solid(place, builder, parts, def.mass, dynamic);
    if dynamic {
        builder = builder.gravity_scale(def.gravity_scale);
        if def.fixed_rotation {
            builder = builder.fixed_rotation();
        }
    }
    let body = draft.body(place, builder)?;
    if dynamic {
        // Box2D states rates, 1/s.
        let linear = def.linear_damping.max(0.0);
        let angular = def.angular_damping.max(0.0);
        draft.change(place, body, |body| {
            let MassProperties { mass, inertia, .. } = body.mass_properties();
            body.damping.linear = linear * mass;
            body.damping.angular = if body.fixed_rotation { 0.0 } else { angular * inertia };
        });
    }
    Some(body)
}

/// The shape of a fixture; a sensor has none.
fn placement(draft: &mut Draft, fixture: &FixtureDef, dynamic: bool) -> Option<Placement> {
    let place = &fixture.place;
    if fixture.sensor {
        draft.leave_out(place, "the sensor is left out, and its mass");
        return None;
    }
    let (shape, offset) = match fixture.shape.clone() {
        Some(ShapeDef::Circle { center, radius }) => (Shape::Circle { radius }, center),
        Some(ShapeDef::Polygon(vertices)) => (Shape::Polygon { vertices, radius: 0.0 }, DVec2::ZERO),
        Some(ShapeDef::Chain(mut points)) => {
            points.dedup();
            (Shape::Polyline { points }, DVec2::ZERO)
        }
        None => {
            draft.leave_out(
                place,
                "the fixture is left out: its shape is none of circle, polygon, edge and chain",
            );
            return None;
        }
    };
    if dynamic && !shape.has_area() {
        draft.leave_out(place, "the edge or chain is left out: a body that moves has shapes with an area");
        return None;
    }
    let shape = draft.shape(place, shape)?;
    Some(Placement { offset, ..Placement::centred(shape) })
}

fn joint(draft: &mut Draft, def: &JointDef, ends: [BodyId; 2]) {
    let JointDef { place, anchors, .. } = def;
    let [on_a, on_b] = *anchors;
    const ARMS: [DVec2; 2] = [DVec2::ZERO; 2];
    let between = |kind: JointKind| {
        let joint = Joint::between(ends, kind).anchors_in_bodies(on_a, on_b);
        if def.collide_connected { joint.collide_connected() } else { joint }
    };
    let driven = |mut joint: JointBuilder| {
        if let Some([lower, upper]) = def.limits {
            joint = joint.limits(lower, upper);
        }
        match def.motor {
            Some([speed, most]) => joint.motor(speed, most),
            None => joint,
        }
    };
    match def.kind.as_str() {
        "revolute" => {
            let joint = driven(between(JointKind::Hinge(Hinge { anchors: ARMS })));
            draft.joint(place, joint.limits_from(def.reference_angle));
        }
        "prismatic" if def.axis.length() > 0.0 => {
            let (axis, reference_angle) = (def.axis.normalize(), def.reference_angle);
            draft.joint(
                place,
                driven(between(JointKind::Slider(Slider { anchors: ARMS, axis, reference_angle }))),
            );
        }
        "weld" if def.soft != SoftDef::None => {
            // The points stay together; a torsional spring turns the bodies back.
            let (stiffness, damping) = def.soft.about(turning_mass(draft, ends));
            let spring = Spring::between(ends[0], ends[1]).anchors_in_bodies(on_a, on_b);
            let spring = spring.stiffness(stiffness).damping(damping).rest_angle(def.reference_angle);
            if draft.joint(place, between(JointKind::Hinge(Hinge { anchors: ARMS }))) {
                draft.spring(place, spring);
            }
        }
        "weld" => {
            let weld = Weld { anchors: ARMS, reference_angle: def.reference_angle };
            draft.joint(place, between(JointKind::Weld(weld)));
        }
        "rope" => {
            let rope = Joint::rope(ends[0], ends[1], def.longest).anchors_in_bodies(on_a, on_b);
            draft.joint(place, if def.collide_connected { rope.collide_connected() } else { rope });
        }
        "distance" => distance(draft, def, ends, between),
        "wheel" if def.axis.length() > 0.0 => {
            let axis = def.axis.normalize();
            let (points, turned) = in_world(draft, def, ends);
            let along = turned.rotate(axis);
            let (stiffness, damping) = def.soft.about(draft.mass_along(ends, points, along));
            // Without a spring the point moves freely along the axis; the motor acts on the angle all the same.
            let suspension = Some(Softness { stiffness, damping });
            draft.joint(place, driven(between(JointKind::Slot(Slot { anchors: ARMS, axis, suspension }))));
        }
        "pulley" => {
            let [of_a, of_b] = def.parts;
            let pulley = Joint::pulley(ends[0], ends[1], def.wheels).anchors_in_bodies(on_a, on_b);
            let pulley = pulley.ratio(def.ratio).length(of_a + def.ratio * of_b);
            draft.joint(place, if def.collide_connected { pulley.collide_connected() } else { pulley });
        }
        "motor" => {
            let [max_force, max_torque] = def.bounds;
            // The share β of the error that a step of 1/60 s removes is the rate of a critically damped drive.
            let frequency = def.correction * STEPS_PER_SECOND / TAU;
            let (offset, angle) = (def.offset, def.angular_offset);
            let motor =
                PoseMotor { offset, angle, frequency, max_force, max_torque, ..PoseMotor::default() };
            let motor = Joint::between(ends, JointKind::PoseMotor(motor))
                .anchors_in_bodies(DVec2::ZERO, DVec2::ZERO);
            let motor = if def.collide_connected { motor.collide_connected() } else { motor };
            if draft.joint(place, motor) {
                let what = format!(
                    "its correction factor of {} per step becomes a critically damped drive of {frequency:.3} Hz",
                    def.correction
                );
                draft.leave_out(place, what);
            }
        }
        "friction" => {
            let [max_force, max_torque] = def.bounds;
            let friction = PoseMotor { frequency: 0.0, max_force, max_torque, ..PoseMotor::default() };
            if draft.joint(place, between(JointKind::PoseMotor(friction))) {
                draft.leave_out_if(
                    max_force > 0.0,
                    place,
                    "its largest force acts along each axis of the first body here, in Box2D on both together",
                );
            }
        }
        // Kinds that the engine has as well are converted here, beside the others.
        kind => draft.leave_out(
            place,
            format!("the joint is left out: a scene has no {kind} joint that is converted"),
        ),
    }
}

/// The anchors in the world, and the direction of the first body's x axis.
fn in_world(draft: &Draft, def: &JointDef, ends: [BodyId; 2]) -> ([DVec2; 2], DVec2) {
    let place = |end: usize| {
        let point = def.anchors[end];
        let body = draft.world.body(ends[end]);
        body.map_or(point, |body| body.origin() + DVec2::from_angle(body.pose.angle).rotate(point))
    };
    let angle = draft.world.body(ends[0]).map_or(0.0, |body| body.pose.angle);
    ([place(0), place(1)], DVec2::from_angle(angle))
}

/// A rod, a spring, or (from 2.4 on) bounds of the length with or without a spring.
fn distance(
    draft: &mut Draft,
    def: &JointDef,
    ends: [BodyId; 2],
    between: impl Fn(JointKind) -> JointBuilder,
) {
    let JointDef { place, anchors: [on_a, on_b], length, lengths, .. } = def;
    let loose = lengths.filter(|[shortest, longest]| shortest < longest);
    let (points, _) = in_world(draft, def, ends);
    let line = (points[1] - points[0]).normalize_or(DVec2::X);
    let (stiffness, damping) = def.soft.about(draft.mass_along(ends, points, line));
    let spring = stiffness > 0.0 || damping > 0.0;
    if spring && stiffness.is_finite() {
        let spring = Spring::between(ends[0], ends[1]).anchors_in_bodies(*on_a, *on_b);
        draft.spring(place, spring.stiffness(stiffness).damping(damping).rest_length(*length));
        let apart = !def.collide_connected && loose.is_none();
        draft.leave_out_if(
            apart,
            place,
            "the bodies of a spring collide with each other here, and not there",
        );
    }
    match loose {
        Some([shortest, longest]) => {
            let rope = Joint::rope(ends[0], ends[1], longest).anchors_in_bodies(*on_a, *on_b);
            let rope = rope.limits(if shortest > 0.0 { shortest } else { f64::NEG_INFINITY }, longest);
            draft.joint(place, if def.collide_connected { rope.collide_connected() } else { rope });
        }
        None if !spring => {
            let rod = Distance { anchors: [DVec2::ZERO; 2], length: *length, form: DistanceForm::Length };
            draft.joint(place, between(JointKind::Distance(rod)));
        }
        None => {}
    }
}

/// The moment of inertia that resists a torque between two bodies, kg m².
fn turning_mass(draft: &Draft, ends: [BodyId; 2]) -> f64 {
    let compliance = |id: BodyId| {
        let body = draft.world.body(id).filter(|body| body.is_dynamic() && !body.fixed_rotation);
        body.map_or(0.0, |body| 1.0 / body.mass_properties().inertia)
    };
    let sum: f64 = ends.into_iter().map(compliance).sum();
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}
