//! A world of ours in Box2D: bodies about their centres of mass, so that points of shapes and joints are the engine's own.

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::{Body, BodyKind, Core, Damping, Joint, JointKind, Mix, Piece, Spring, World};

use super::super::ffi::live::{BodyDef, Form, JointDef, Link, Mixed, Surface, WorldDef, takes_polygon};
use super::super::ffi::{BodyKind as Told, Engine, World as Box2d};
use super::super::told::Key;
use super::{Built, Ground};
use crate::frames::Frames;
use crate::lacks::Lacks;
use crate::peer::{Error, Kind, Settings};

/// `B2_LINEAR_SLOP`, m: what is not larger is merged or refused by Box2D.
pub const LINEAR_SLOP: f64 = 0.005;
/// The largest coordinate, m: Box2D fails an assertion at 10⁵ m (`B2_HUGE`).
pub const LARGEST: f64 = 5e4;
/// The largest velocity, m/s or rad/s. Box2D cuts velocities off only where it moves bodies; a world that blows up would reach
/// the end of single precision a few steps later, and fail an assertion there.
pub const FASTEST: f64 = 1e5;
/// A force or torque that nothing exceeds, N or N m, and that a step does not overflow.
const UNBOUNDED: f32 = 1e30;
/// The largest angle of a limit, rad: Box2D fails an assertion beyond 0.99 π in single precision.
const LARGEST_ANGLE: f64 = 0.99 * std::f64::consts::PI - 1e-6;
/// The largest speed of a motor or a path, m/s or rad/s, and the stiffest spring, Hz: beyond, steps tell no difference.
const SWIFTEST: f64 = 1e6;
/// `B2_MAX_POLYGON_VERTICES`.
const MOST_CORNERS: usize = 8;
/// Half of the smallest width of the box that stands for a half plane, m.
const GROUND: f64 = 128.0;

pub fn pair(v: DVec2) -> [f32; 2] {
    [v.x as f32, v.y as f32]
}

/// # Errors
/// Gravity that single precision does not bear.
pub fn check_gravity(gravity: DVec2) -> Result<(), Error> {
    let value = gravity.abs().max_element();
    let what = "gravity".to_owned();
    if is_within(value, SWIFTEST) {
        Ok(())
    } else {
        Err(Error::Number { engine: Kind::Box2d, what, value })
    }
}

/// Whether a number is at most so large; one that is none is not.
pub fn is_within(value: f64, most: f64) -> bool {
    value.abs() <= most
}

/// A velocity that Box2D takes.
pub fn velocity(v: DVec3) -> ([f32; 2], f32) {
    let most = DVec3::splat(SWIFTEST);
    let v = v.clamp(-most, most);
    (pair(v.truncate()), v.z as f32)
}

/// Cosine and sine.
pub fn turn(angle: f64) -> [f32; 2] {
    let (s, c) = angle.sin_cos();
    [c as f32, s as f32]
}

/// A body to be made.
struct PlannedBody {
    def: BodyDef,
    /// Mass, kg, and moment of inertia, kg m².
    mass: [f32; 2],
    shapes: Vec<(Form, Surface)>,
}

/// What a world becomes, checked: nothing of it makes Box2D fail an assertion.
pub struct Plan {
    def: WorldDef,
    recycling: bool,
    bodies: Vec<PlannedBody>,
    /// By joint and by spring; none of one that is broken or does nothing.
    joints: Vec<Option<([usize; 2], JointDef)>>,
    springs: Vec<Option<([usize; 2], JointDef)>>,
    grounds: Vec<Ground>,
}

impl Plan {
    /// # Errors
    /// Everything that Box2D lacks.
    pub fn of(settings: &Settings, world: &World, engine: &Engine) -> Result<Self, Error> {
        let mut lacks = Lacks::of(Kind::Box2d, world);
        check_gravity(world.gravity())?;
        let value = |key| settings.value(key) as f32;
        let mixed = |mix| match mix {
            Mix::Mean => Mixed::Mean,
            Mix::Geometric => Mixed::Geometric,
            Mix::Min => Mixed::Min,
            Mix::Max => Mixed::Max,
            Mix::Product => Mixed::Product,
        };
        let def = WorldDef {
            gravity: pair(world.gravity()),
            restitution_threshold: value("restitution_threshold"),
            contact_hertz: value("contact_hertz"),
            contact_damping_ratio: value("contact_damping_ratio"),
            contact_speed: value("contact_speed"),
            maximum_linear_speed: value("maximum_linear_speed"),
            continuous: value("continuous") == 1.0,
            contact_softening: value("contact_softening") == 1.0,
            warm_starting: value("warm_starting") == 1.0,
            friction: mixed(world.materials().friction),
            restitution: mixed(world.materials().restitution),
        };
        let recycling = value("contact_recycling") == 1.0;
        let half = GROUND.max(8.0 * extent(world));
        let mut plan = Self {
            def,
            recycling,
            bodies: Vec::new(),
            joints: Vec::new(),
            springs: Vec::new(),
            grounds: Vec::new(),
        };
        for index in 0..world.bodies().len() {
            plan.add_body(world, index, half, engine, &mut lacks);
        }
        let tuning = [value("joint_hertz"), value("joint_damping_ratio")];
        for joint in world.joints() {
            let planned = if joint.broken { None } else { linked(world, joint, &mut lacks) };
            plan.joints.push(planned.map(|(frames, link)| {
                (joint.bodies(), joint_def(&frames, link, joint.collide_connected, tuning))
            }));
        }
        for spring in world.springs() {
            let planned = if spring.broken { None } else { sprung(world, spring, &mut lacks) };
            plan.springs.push(
                planned.map(|(frames, link)| (spring.bodies(), joint_def(&frames, link, true, tuning))),
            );
        }
        lacks.finish().map(|()| plan)
    }

    fn add_body(&mut self, world: &World, index: usize, half: f64, engine: &Engine, lacks: &mut Lacks) {
        let body = &world.bodies()[index];
        let kind = match body.kind() {
            BodyKind::Fixed => Told::Static,
            BodyKind::Kinematic(_) => Told::Kinematic,
            BodyKind::Dynamic => Told::Dynamic,
        };
        let v = world.velocity_of(index);
        if body.pose.position.abs().max_element() > LARGEST {
            lacks.body(index, "is more than 50 km from the origin: the engine ends there");
            return;
        }
        let w = body.inverse_mass();
        let inverse = |w: f64| if w > 0.0 { (1.0 / w) as f32 } else { 0.0 };
        let [mass, inertia] = [inverse(w.x), inverse(w.z)];
        let whole = |x: f32| x == 0.0 || x.is_normal();
        if !whole(mass) || !whole(inertia) || body.is_dynamic() && mass == 0.0 {
            lacks.body(index, "has a mass or moment of inertia that single precision does not hold: the engine has no other");
            return;
        }
        if !v.is_finite() || v.abs().max_element() > FASTEST {
            lacks.body(index, "is faster than 10⁵ m/s or rad/s: the engine ends there");
            return;
        }
        if !is_within(body.gravity_scale, 1e6) {
            lacks.body(index, "has a gravity scale beyond 10⁶: the engine ends there");
            return;
        }
        let Damping { linear, angular, .. } = body.damping;
        let def = BodyDef {
            kind,
            position: pair(body.pose.position),
            turn: turn(body.pose.angle),
            velocity: pair(v.truncate()),
            spin: v.z as f32,
            damping: ((linear * w.x) as f32).min(UNBOUNDED),
            angular_damping: ((angular * w.z) as f32).min(UNBOUNDED),
            gravity_scale: body.gravity_scale as f32,
            contact_recycling: self.recycling,
        };
        let mut shapes = Vec::new();
        for (number, piece) in body.pieces().iter().enumerate().filter(|_| body.collides) {
            let Some(form) = self.form(index, body, piece, half, engine, lacks) else { continue };
            let surface = surface(index, body, number as u32, &form, lacks);
            shapes.push((form, surface));
        }
        self.bodies.push(PlannedBody { def, mass: [mass, inertia], shapes });
    }

    fn form(
        &mut self,
        index: usize,
        body: &Body,
        piece: &Piece,
        half: f64,
        engine: &Engine,
        lacks: &mut Lacks,
    ) -> Option<Form> {
        let core = match piece {
            Piece::Core(core) => core,
            Piece::HalfPlane { normal, offset } => {
                let deep = half / 8.0;
                self.grounds.push(Ground { body: index, normal: *normal, offset: *offset, half, deep });
                let center = (offset - deep) * *normal;
                let along = -normal.perp();
                return Some(Form::Rectangle {
                    half: [half as f32, deep as f32],
                    center: pair(center),
                    turn: pair(along),
                    radius: 0.0,
                });
            }
            Piece::Ellipse(_) => return None,
        };
        let far = core.vertices.iter().map(|p| p.abs().max_element()).fold(core.radius, f64::max);
        if far > LARGEST {
            lacks.body(index, "has a shape of more than 50 km: the engine ends there");
            return None;
        }
        let form = form_of(core);
        let short = matches!((&form, &core.vertices[..]), (Form::Capsule { .. } | Form::Segment { .. }, [a, b])
            if a.distance(*b) <= LINEAR_SLOP);
        if short {
            lacks.body(index, "has a line or a capsule that is not longer than 5 mm: the engine has none");
            return None;
        }
        let size = match &form {
            Form::Circle { radius, .. } => *radius,
            Form::Rectangle { half: [x, y], .. } => 2.0 * x.min(*y),
            _ => f32::INFINITY,
        };
        if size <= f32::EPSILON {
            lacks.body(index, "has a shape of 10⁻⁷ m: the engine finds no direction in such short edges");
            return None;
        }
        if let Form::Polygon { corners, .. } = &form {
            if corners.len() > MOST_CORNERS {
                let what = format!(
                    "has a polygon of {} corners: the engine has at most {MOST_CORNERS}",
                    corners.len()
                );
                lacks.body(index, &what);
                return None;
            }
            if !takes_polygon(engine, corners) {
                lacks.body(
                    index,
                    "has a polygon with corners nearer than 2 cm or nearly in line: the engine merges them",
                );
                return None;
            }
        }
        if matches!(form, Form::Segment { .. }) && body.is_dynamic() {
            lacks.body(index, "is a line that moves: those of the engine stand still");
            return None;
        }
        Some(form)
    }

    /// Builds what was planned.
    ///
    /// # Errors
    /// Box2D has as many worlds as it can have, or refuses a joint.
    pub fn build(self, engine: &Engine) -> Result<Built, Error> {
        let refuses = |what: &str| Error::Engine { engine: Kind::Box2d, what: what.to_owned() };
        let world =
            engine.live_world(&self.def).ok_or_else(|| refuses("has as many worlds as it can have"))?;
        let mut bodies = Vec::new();
        for PlannedBody { def, mass: [mass, inertia], shapes } in &self.bodies {
            let key = world.create_body(def);
            for (form, surface) in shapes {
                if !world.create_shape(key, form, surface) {
                    return Err(refuses("refuses a shape"));
                }
            }
            if def.kind == Told::Dynamic {
                world.set_mass(key, *mass, *inertia);
            }
            bodies.push(key);
        }
        let joints = create(&world, &bodies, &self.joints).ok_or_else(|| refuses("refuses a joint"))?;
        let springs = create(&world, &bodies, &self.springs).ok_or_else(|| refuses("refuses a spring"))?;
        Ok(Built { world: world.keep(), bodies, joints, springs, grounds: self.grounds })
    }
}

fn create(
    world: &Box2d,
    bodies: &[Key],
    planned: &[Option<([usize; 2], JointDef)>],
) -> Option<Vec<Option<Key>>> {
    let one = |planned: &Option<([usize; 2], JointDef)>| {
        let Some((ends, def)) = planned else { return Some(None) };
        let bodies = ends.map(|index| bodies[index]);
        world.create_joint(&JointDef { bodies, ..*def }).map(Some)
    };
    planned.iter().map(one).collect()
}

/// The largest distance of a body's parts from the origin, m, apart from half planes.
fn extent(world: &World) -> f64 {
    let of = |body: &Body| {
        let radii = body.pieces().iter().map(Piece::bounding_radius).filter(|radius| radius.is_finite());
        body.pose.position.length() + radii.fold(0.0, f64::max)
    };
    world.bodies().iter().map(of).fold(0.0, f64::max)
}

fn form_of(core: &Core) -> Form {
    let radius = core.radius as f32;
    match &core.vertices[..] {
        [center] => Form::Circle { center: pair(*center), radius },
        [a, b] if core.radius > 0.0 => Form::Capsule { ends: [pair(*a), pair(*b)], radius },
        [a, b] => Form::Segment { ends: [pair(*a), pair(*b)] },
        corners => rectangle(corners, radius).unwrap_or_else(|| Form::Polygon {
            corners: corners.iter().map(|p| pair(*p)).collect(),
            radius,
        }),
    }
}

/// Four corners as a rectangle, if they are one to rounding.
fn rectangle(corners: &[DVec2], radius: f32) -> Option<Form> {
    let [p, q, r, s] = *corners else { return None };
    let (along, across) = (q - p, r - q);
    let near = |x: f64, size: f64| x.abs() <= 1e-12 * size;
    let size = along.length() * across.length();
    let square = near(along.dot(across), size) && near((p + r - q - s).length(), p.distance(r));
    let half = [along.length() / 2.0, across.length() / 2.0];
    square.then(|| Form::Rectangle {
        half: half.map(|half| half as f32),
        center: pair((p + q + r + s) / 4.0),
        turn: pair(along.normalize()),
        radius,
    })
}

fn surface(index: usize, body: &Body, piece: u32, form: &Form, lacks: &mut Lacks) -> Surface {
    let (skin, filter) = (body.skin(piece), body.filter(piece));
    // Box2D multiplies its resistance by the radius of a round shape, and has none on others.
    let rolling = match form {
        Form::Circle { radius, .. }
        | Form::Capsule { radius, .. }
        | Form::Rectangle { radius, .. }
        | Form::Polygon { radius, .. }
            if *radius > 0.0 =>
        {
            skin.rolling_resistance / f64::from(*radius)
        }
        _ if skin.rolling_resistance > 0.0 => {
            lacks.body(
                index,
                "has rolling resistance without being round: the engine's is one of what has a radius",
            );
            0.0
        }
        _ => 0.0,
    };
    if !is_within(skin.speed, FASTEST) {
        lacks.body(index, "has a belt that is faster than 10⁵ m/s: the engine ends there");
    }
    Surface {
        friction: (skin.friction as f32).min(UNBOUNDED),
        restitution: skin.restitution as f32,
        rolling_resistance: (rolling as f32).min(UNBOUNDED),
        tangent_speed: skin.speed as f32,
        categories: filter.categories.into(),
        mask: filter.mask.into(),
        group: filter.group,
    }
}

fn joint_def(frames: &Frames, link: Link, collide: bool, [hertz, damping_ratio]: [f32; 2]) -> JointDef {
    let nobody = Key { index: 0, generation: 0 };
    JointDef {
        bodies: [nobody; 2],
        points: frames.points.map(pair),
        turns: frames.angles.map(turn),
        collide,
        hertz,
        damping_ratio,
        link,
    }
}

/// A motor of Box2D's that acts as ours, or as friction: [speed, largest torque or force].
pub fn motor_of(joint: &Joint, t: f64) -> Option<[f32; 2]> {
    let bounded = |most: f64| (most as f32).min(UNBOUNDED);
    if joint.acting_motor().is_some() {
        let [speed, _, most] = joint.motor_at(t);
        return Some([speed.clamp(-SWIFTEST, SWIFTEST) as f32, bounded(most)]);
    }
    (joint.friction > 0.0).then(|| [0.0, bounded(joint.friction)])
}

fn linked(world: &World, joint: &Joint, lacks: &mut Lacks) -> Option<(Frames, Link)> {
    let frames = Frames::of(joint);
    let [a, b] = joint.bodies();
    let motor = motor_of(joint, world.time());
    if joint.servo.is_some() && joint.acting_motor().is_some() {
        lacks.joint(
            joint,
            "holds a position with a bounded force: the springs in joints of the engine have no bound",
        );
    }
    let far = frames.points.iter().any(|point| point.abs().max_element() > LARGEST);
    if far {
        lacks.joint(joint, "has an anchor of more than 50 km: the engine ends there");
    }
    let along = frames.limits.map(|limits| limits.map(|limit| limit.clamp(-LARGEST, LARGEST) as f32));
    let link = match &joint.kind {
        JointKind::Hinge(_) => {
            let limits = frames.limits.map(|limits| {
                let angle = world.bodies()[b].pose.angle - world.bodies()[a].pose.angle - joint.zero;
                if limits.iter().any(|limit| limit.abs() > LARGEST_ANGLE) {
                    lacks.joint(
                        joint,
                        "has a limit beyond 0.99 π: the hinges of the engine have two of at most that",
                    );
                } else if angle.abs() > std::f64::consts::PI {
                    lacks.joint(
                        joint,
                        "is more than half a turn from where its limits count: the engine counts no turns",
                    );
                }
                limits.map(|limit| limit as f32)
            });
            Link::Revolute { limits, motor }
        }
        JointKind::Slider(_) => Link::Prismatic { limits: along, motor },
        JointKind::Slot(slot) => {
            if slot.suspension.is_none() && motor.is_some() {
                lacks.joint(
                    joint,
                    "is driven along its slot: the motor of the engine's wheel joint turns it",
                );
            }
            let undamped = slot.suspension.filter(|own| own.stiffness > 0.0 || own.damping > 0.0);
            if undamped.is_some_and(|own| own.stiffness == 0.0) {
                lacks.joint(joint, "has a damper without a spring: the engine has springs of a frequency");
            }
            // What the spring is follows from the bodies' poses, before each step.
            Link::Wheel { limits: along, motor, spring: undamped.map(|_| [1.0, 0.0]) }
        }
        JointKind::Weld(_) => Link::Weld,
        JointKind::Distance(rod) => {
            if rod.length <= LINEAR_SLOP {
                lacks.joint(joint, "is not longer than 5 mm, the slop of the engine");
            }
            if rod.length > LARGEST {
                lacks.joint(joint, "is longer than 50 km: the engine ends there");
            }
            Link::Rod { length: rod.length as f32 }
        }
        JointKind::Rope(_) => {
            let [shortest, longest] = along.unwrap_or([0.0, LARGEST as f32]);
            if f64::from(longest) <= LINEAR_SLOP {
                lacks.joint(joint, "is not longer than 5 mm, the slop of the engine");
            }
            Link::Rope { limits: [shortest.max(LINEAR_SLOP as f32), longest] }
        }
        JointKind::PoseMotor(mover) => {
            let [hertz, ratio] = [mover.frequency, mover.damping_ratio].map(|own| own as f32);
            let spring = |most: f64| Some([hertz, ratio, (most as f32).min(UNBOUNDED)]);
            Link::Motor { linear: spring(mover.max_force), angular: spring(mover.max_torque) }
        }
        JointKind::Gear(_) | JointKind::Pulley(_) | JointKind::Bead(_) | JointKind::Custom(_) => {
            return None;
        }
    };
    Some((frames, link))
}

fn sprung(world: &World, spring: &Spring, lacks: &mut Lacks) -> Option<(Frames, Link)> {
    let own = spring.softness;
    if own.stiffness == 0.0 && own.damping == 0.0 {
        return None;
    }
    if own.stiffness == 0.0 {
        lacks.spring(spring, "damps without a stiffness: the engine has springs of a frequency");
        return None;
    }
    let plain = Frames { points: spring.anchors, angles: [0.0; 2], limits: None };
    if let Some(rest) = spring.rest_angle {
        let [a, b] = spring.bodies().map(|index| world.bodies()[index].inverse_mass().z);
        if a + b == 0.0 {
            lacks.spring(spring, "turns nothing");
            return None;
        }
        let [hertz, ratio] = tuning(1.0 / (a + b), own.stiffness, own.damping);
        let frames = Frames { angles: [rest, 0.0], ..plain };
        return Some((frames, Link::Motor { linear: None, angular: Some([hertz, ratio, UNBOUNDED]) }));
    }
    if spring.rest_length > LARGEST {
        lacks.spring(spring, "is longer than 50 km: the engine ends there");
        return None;
    }
    if spring.rest_length <= LINEAR_SLOP {
        lacks.spring(spring, "has a rest length that is not larger than 5 mm, the slop of the engine");
        return None;
    }
    Some((plain, Link::Spring { length: spring.rest_length as f32, spring: [1.0, 0.0] }))
}

/// Frequency, Hz, and damping ratio with which a mass, kg, swings on a spring of stiffness k and damping d.
pub fn tuning(mass: f64, k: f64, d: f64) -> [f32; 2] {
    let omega = (k / mass).sqrt();
    [omega / std::f64::consts::TAU, d / (2.0 * mass * omega)].map(|own| own.clamp(0.0, SWIFTEST) as f32)
}
