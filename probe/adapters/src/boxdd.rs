//! Box2D 3, by its safe crate `boxdd`.
//!
//! Of contacts Box2D sums the normal impulses over its substeps; of friction and of joints it keeps those of the last substep,
//! and a line has them times the number of substeps. Points, normals and gaps of contacts are those of the beginning of the step.

use std::io;

use boxdd::{BodyId, BodyType, ContactData, Error, JointId, JointType, ShapeType, Transform, World};
use driftlab_probe::Probe;
use driftlab_probe::format::{
    Acted, Came, Contact, Header, Impulse, Impulses, Moment, Precision, Step, Went,
};
use driftlab_probe::scene::{Body, Joint, Kind, Motor, Outline, Scene, Shape, Softness};

use crate::book::{self, Book, Pose, Vec2, cross, placed, sub, turned};

/// Writes the run of a world.
pub struct Recorder {
    probe: Probe,
    bodies: Book<BodyId>,
    joints: Book<JointId>,
    /// Length of a step, s, and its number of substeps.
    pace: (f64, i32),
    time: f64,
    /// Poses and centres of mass before the step, by number.
    before: Vec<Option<State>>,
    came: Came,
    went: Went,
}

/// A body at a moment.
#[derive(Clone, Copy)]
struct State {
    pose: Pose,
    center: Vec2,
    velocity: [f64; 3],
    is_moved: bool,
}

/// What the engine refused.
fn refused(error: Error) -> io::Error {
    io::Error::other(error.to_string())
}

fn pair(v: impl Into<boxdd::Vec2>) -> Vec2 {
    let v = v.into();
    [v.x.into(), v.y.into()]
}

#[allow(clippy::useless_conversion, reason = "positions are f64 in a world of double precision")]
fn point(at: boxdd::Position) -> Vec2 {
    [at.x.into(), at.y.into()]
}

fn frame(frame: Transform) -> Pose {
    let [x, y] = pair(frame.position());
    [x, y, frame.rotation().angle().into()]
}

impl Recorder {
    /// Begins a recording of these bodies and all joints between them, before the first step, into a file, `-` or an address. The
    /// world is then stepped by `time_step`, s, in so many substeps.
    pub fn begin(
        target: &str,
        world: &mut World,
        bodies: &[BodyId],
        time_step: f32,
        substeps: i32,
    ) -> io::Result<Self> {
        let mut scene = Scene::new(pair(world.gravity().map_err(refused)?));
        let mut left_out = Vec::new();
        let mut numbers = Book::new();
        for id in bodies {
            let name = format!("body{}", numbers.add(*id));
            scene.body(described(&name, world, *id, &mut left_out).map_err(refused)?);
        }
        let mut joints = Book::new();
        for id in joints_of(world, bodies) {
            match linked(world, id, &numbers).map_err(refused)? {
                Ok(joint) => {
                    joints.add(id);
                    scene.joint(joint);
                }
                Err(why) => left_out.push(why),
            }
        }
        if substeps != 1 {
            left_out.push(format!(
                "impulses of joints and of friction are those of the last of {substeps} substeps, times {substeps}"
            ));
        }
        left_out.push(
            "contact recycling keeps the arms of contacts while a pair hardly moves, those of both bodies apart: the point of a \
             line is that of body b"
                .to_owned(),
        );
        if !joints.handles().is_empty() {
            left_out.push(
                "the impulse of a joint's relaxation acts at the anchors of the step's end, and is told at those of its begin"
                    .to_owned(),
            );
        }
        let mut header = scene.header("box2d", time_step.into())?;
        header.engine.version =
            boxdd::version().ok().map(|v| format!("{}.{}.{}", v.major, v.minor, v.revision));
        header.engine.settings.insert("substeps".to_owned(), substeps.into());
        let impulses = if substeps == 1 { Impulses::Whole } else { Impulses::Estimated };
        let header =
            Header { precision: Precision::F32, contacts_at: Moment::Begin, impulses, left_out, ..header };
        let mut recorder = Recorder {
            probe: Probe::open(target, &header)?,
            bodies: numbers,
            joints,
            pace: (time_step.into(), substeps),
            time: 0.0,
            before: Vec::new(),
            came: Came::default(),
            went: Went::default(),
        };
        recorder.before = recorder.states(world).map_err(refused)?;
        Ok(recorder)
    }

    /// Adds a body that has been created since, before the step in which it takes part, with its joints.
    pub fn add(&mut self, world: &mut World, id: BodyId) -> io::Result<()> {
        let name = format!("body{}", self.bodies.add(id));
        let body = described(&name, world, id, &mut Vec::new()).map_err(refused)?;
        self.came.bodies.extend(serde_json::to_value(body));
        for joint in joints_of(world, &[id]) {
            if self.joints.number(joint).is_none()
                && let Ok(told) = linked(world, joint, &self.bodies).map_err(refused)?
            {
                self.joints.add(joint);
                self.came.joints.extend(serde_json::to_value(told));
            }
        }
        self.before = self.states(world).map_err(refused)?;
        Ok(())
    }

    /// Writes the step that the world has just made.
    pub fn step(&mut self, world: &mut World) -> io::Result<()> {
        self.write(world).map_err(refused)
    }

    /// How many lines were lost.
    pub fn lost(&self) -> u64 {
        self.probe.lost()
    }

    /// Ends the recording, as [`Probe::finish`] does.
    pub fn finish(self) -> io::Result<u64> {
        self.probe.finish()
    }

    fn write(&mut self, world: &mut World) -> Result<(), Error> {
        let (h, substeps) = self.pace;
        self.time += h;
        let is_there = |id: JointId| world.joint(id).is_ok();
        let gone = { strike(&mut self.joints, is_there) };
        self.went.joints.extend(gone);
        let gone = strike(&mut self.bodies, |id| world.body(id).is_ok());
        self.went.bodies.extend(gone);
        let after = self.states(world)?;
        let contacts = self.contacts(world, substeps)?;
        let acted = self.acted(world, h, substeps, &after)?;
        // A body that sleeps has no weight.
        let sleeps = after.iter().flatten().any(|state| !state.is_moved);
        let step = Step {
            t: self.time,
            h: Some(h),
            q: after.iter().map(|state| Some(state.as_ref()?.pose)).collect(),
            v: Some(after.iter().map(|state| Some(state.as_ref()?.velocity)).collect()),
            acted: Some(acted),
            contacts: Some(contacts),
            external: if sleeps { Some(self.weights(world, h)?) } else { None },
            came: Some(std::mem::take(&mut self.came)).filter(|came| *came != Came::default()),
            went: Some(std::mem::take(&mut self.went)).filter(|went| *went != Went::default()),
            ..Step::default()
        };
        self.before = after;
        self.probe.step(step);
        Ok(())
    }

    fn states(&self, world: &mut World) -> Result<Vec<Option<State>>, Error> {
        let state = |id: &Option<BodyId>| {
            let Some(id) = id else { return Ok(None) };
            let body = world.body(*id)?;
            let [x, y] = point(body.position()?);
            let [v_x, v_y] = pair(body.linear_velocity()?);
            Ok(Some(State {
                pose: [x, y, body.rotation()?.angle().into()],
                center: point(body.world_center_of_mass()?),
                velocity: [v_x, v_y, body.angular_velocity()?.into()],
                is_moved: body.body_type()? != BodyType::Dynamic || body.is_awake()?,
            }))
        };
        self.bodies.handles().iter().map(state).collect()
    }

    fn weights(&self, world: &mut World, h: f64) -> Result<Vec<Impulse>, Error> {
        let gravity = pair(world.gravity()?);
        let mut weights = Vec::new();
        for (number, id) in self.bodies.handles().iter().enumerate() {
            let Some(id) = id else { continue };
            let body = world.body(*id)?;
            if body.body_type()? == BodyType::Dynamic && body.is_awake()? {
                let [mass, scale] = [body.mass()?, body.gravity_scale()?].map(f64::from);
                weights.push(Impulse(
                    number,
                    h * mass * scale * gravity[0],
                    h * mass * scale * gravity[1],
                    0.0,
                ));
            }
        }
        Ok(weights)
    }

    fn acted(
        &self,
        world: &mut World,
        h: f64,
        substeps: i32,
        after: &[Option<State>],
    ) -> Result<Vec<Acted>, Error> {
        let mut acted = Vec::new();
        for (number, id) in self.joints.handles().iter().enumerate() {
            let Some(id) = id else { continue };
            let joint = world.joint(*id)?;
            let [Some(a), Some(b)] =
                [self.bodies.number(joint.body_a_id()?), self.bodies.number(joint.body_b_id()?)]
            else {
                continue;
            };
            let frames = [frame(joint.local_frame_a()?), frame(joint.local_frame_b()?)];
            let (force, torque) = (pair(joint.constraint_force()?), f64::from(joint.constraint_torque()?));
            let [linear, angular] =
                [joint.linear_separation()?, joint.angular_separation()?].map(f64::from);
            let (Some(end_a), Some(end_b)) = (after[a], after[b]) else { continue };
            let is_asleep = !(end_a.is_moved && end_b.is_moved);
            // The engine pushes at its anchors, those of the first substep's beginning or, of the last one, about those at the
            // end.
            let at = |number: usize, after: State| match self.before.get(number) {
                Some(Some(before)) if substeps == 1 => *before,
                _ => after,
            };
            let arm =
                |state: State, frame: Pose| sub(placed([frame[0], frame[1]], state.pose), state.center);
            let arms = [arm(at(a, end_a), frames[0]), arm(at(b, end_b), frames[1])];
            // On a prismatic joint or a wheel the force on body a acts at the anchor of body b.
            let open = sub(
                placed([frames[1][0], frames[1][1]], at(b, end_b).pose),
                placed([frames[0][0], frames[0][1]], at(a, end_a).pose),
            );
            let is_along = matches!(joint.joint_type()?, JointType::Prismatic | JointType::Wheel);
            let arm_a = if is_along { [arms[0][0] + open[0], arms[0][1] + open[1]] } else { arms[0] };
            let p = force.map(|f| h * f);
            let on = vec![
                Impulse(a, -p[0], -p[1], -cross(arm_a, p) - h * torque),
                Impulse(b, p[0], p[1], cross(arms[1], p) + h * torque),
            ];
            let on = if is_asleep { Vec::new() } else { on };
            acted.push(Acted {
                joint: Some(number),
                on,
                linear: Some(linear),
                angular: Some(angular),
                ..Acted::default()
            });
        }
        Ok(acted)
    }

    fn contacts(&self, world: &mut World, substeps: i32) -> Result<Vec<Contact>, Error> {
        let mut contacts = Vec::new();
        for id in self.bodies.handles().iter().flatten() {
            let body = world.body(*id)?;
            // Each is told by both of its bodies.
            if body.body_type()? != BodyType::Dynamic || !body.is_awake()? {
                continue;
            }
            for data in body.contact_data()? {
                let ends =
                    [world.shape(data.shape_id_a)?.body_id()?, world.shape(data.shape_id_b)?.body_id()?];
                let numbers = ends.map(|end| self.bodies.number(end));
                let [Some(a), Some(b)] = numbers else { continue };
                let is_first = ends[0] == *id;
                let other = ends[usize::from(is_first)];
                let other = world.body(other)?;
                let told_by_a = other.body_type()? == BodyType::Dynamic && other.is_awake()?;
                if is_first || !told_by_a {
                    contacts.extend(self.touching(&data, [a, b], substeps));
                }
            }
        }
        Ok(contacts)
    }

    fn touching(&self, data: &ContactData, bodies: [usize; 2], substeps: i32) -> Vec<Contact> {
        let [Some(Some(a)), Some(Some(b))] = bodies.map(|body| self.before.get(body)) else {
            return Vec::new();
        };
        let points = data.manifold.points();
        // Rolling resistance has one impulse for all points.
        let rolling =
            f64::from(data.manifold.rolling_impulse) * f64::from(substeps) / points.len().max(1) as f64;
        let contact = |point: &boxdd::ManifoldPoint| {
            let [other, arm] = [point.anchor_a, point.anchor_b].map(pair);
            let tangential = f64::from(point.tangent_impulse) * f64::from(substeps);
            Contact {
                bodies,
                point: [b.center[0] + arm[0], b.center[1] + arm[1]],
                point_a: Some([a.center[0] + other[0], a.center[1] + other[1]]),
                normal: pair(data.manifold.normal),
                gap: Some(point.separation.into()),
                impulse: Some([point.total_normal_impulse.into(), tangential, rolling]),
                on: Vec::new(),
                friction: None,
            }
        };
        points.iter().map(contact).collect()
    }
}

/// Strikes out of a book what is gone from the world.
fn strike<H: Copy + Eq + std::hash::Hash>(
    book: &mut Book<H>,
    is_there: impl FnMut(H) -> bool,
) -> Vec<usize> {
    let is_there = std::cell::RefCell::new(is_there);
    book.strike(|handle| (is_there.borrow_mut())(handle))
}

/// The joints of these bodies, each once.
fn joints_of(world: &mut World, bodies: &[BodyId]) -> Vec<JointId> {
    let mut joints = Vec::new();
    for id in bodies {
        for joint in world.body(*id).and_then(|body| body.joints()).unwrap_or_default() {
            if !joints.contains(&joint) {
                joints.push(joint);
            }
        }
    }
    joints
}

/// A body as a scene tells it.
fn described(name: &str, world: &mut World, id: BodyId, left_out: &mut Vec<String>) -> Result<Body, Error> {
    let body = world.body(id)?;
    let kind = match body.body_type()? {
        BodyType::Static => Kind::Fixed,
        BodyType::Kinematic => Kind::Kinematic,
        BodyType::Dynamic => Kind::Dynamic,
    };
    let [x, y] = point(body.position()?);
    let mut told =
        Body { name: name.to_owned(), kind, ..Body::default() }.at(x, y, body.rotation()?.angle().into());
    if kind != Kind::Fixed {
        let [v_x, v_y] = pair(body.linear_velocity()?);
        told = told.moving(v_x, v_y, body.angular_velocity()?.into());
    }
    let center = pair(body.local_center_of_mass()?);
    if kind == Kind::Dynamic {
        let [mass, inertia] = [body.mass()?, body.rotational_inertia()?].map(f64::from);
        let [scale, linear, angular] =
            [body.gravity_scale()?, body.linear_damping()?, body.angular_damping()?].map(f64::from);
        told.mass = Some(mass);
        told.inertia = (inertia > 0.0).then_some(inertia);
        told.fixed_rotation = body.motion_locks()?.angular_z;
        told.gravity_scale = (scale != 1.0).then_some(scale);
        told.linear_damping = (linear != 0.0).then_some(mass * linear);
        told.angular_damping = (angular != 0.0).then_some(inertia * angular);
    }
    for id in body.shapes()? {
        let shape = world.shape(id)?;
        if shape.is_sensor()? {
            continue;
        }
        told.shapes.push(outline(&shape)?.surface(shape.friction()?.into(), shape.restitution()?.into()));
    }
    if kind == Kind::Dynamic {
        left_out.extend(book::off_center(name, center, &told.shapes));
    }
    Ok(told)
}

fn outline(shape: &boxdd::Shape<'_>) -> Result<Shape, Error> {
    let line =
        |points: [boxdd::Vec2; 2]| Shape::from(Outline::Polyline { points: points.map(pair).to_vec() });
    Ok(match shape.shape_type()? {
        ShapeType::Circle => {
            let circle = shape.circle()?.into_raw();
            let [x, y] = pair([circle.center.x, circle.center.y]);
            Shape::at(Outline::Circle { radius: circle.radius.into() }, x, y, 0.0)
        }
        ShapeType::Capsule => {
            let capsule = shape.capsule()?.into_raw();
            let [a, b] = [capsule.center1, capsule.center2].map(|end| pair([end.x, end.y]));
            let [x, y] = sub(b, a);
            let outline = Outline::Capsule { length: x.hypot(y), radius: capsule.radius.into() };
            Shape::at(outline, (a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0, y.atan2(x))
        }
        ShapeType::Polygon => {
            let polygon = shape.polygon()?;
            let vertices = polygon.vertices().iter().map(|vertex| pair(*vertex)).collect();
            Shape::from(Outline::Polygon { vertices, radius: polygon.radius().into() })
        }
        ShapeType::Segment => {
            let segment = shape.segment()?.into_raw();
            line([segment.point1, segment.point2].map(|end| boxdd::Vec2::new(end.x, end.y)))
        }
        ShapeType::ChainSegment => {
            let segment = shape.chain_segment()?.into_raw().segment;
            line([segment.point1, segment.point2].map(|end| boxdd::Vec2::new(end.x, end.y)))
        }
    })
}

/// A joint as a scene tells it, or why it cannot.
fn linked(world: &mut World, id: JointId, bodies: &Book<BodyId>) -> Result<Result<Joint, String>, Error> {
    let joint = world.joint(id)?;
    let ends = [bodies.number(joint.body_a_id()?), bodies.number(joint.body_b_id()?)];
    let [Some(a), Some(b)] = ends else {
        return Ok(Err("a joint of a body that is not recorded".to_owned()));
    };
    let [a, b] = [a, b].map(|number| format!("body{number}"));
    let [[ax, ay, angle_a], [bx, by, angle_b]] =
        [frame(joint.local_frame_a()?), frame(joint.local_frame_b()?)];
    let kind = joint.joint_type()?;
    let new = |word| Joint::new(word, &a, &b, [ax, ay], [bx, by]);
    let collide_connected = joint.collide_connected()?;
    // θ_b − θ_a where the two frames lie upon each other, and the first frame's axis.
    let (closed, axis) = (angle_a - angle_b, Some(turned([1.0, 0.0], angle_a)));
    let soft = |frequency: f32, damping_ratio: f32| {
        (frequency > 0.0)
            .then(|| Softness { frequency: frequency.into(), damping_ratio: damping_ratio.into() })
    };
    let between = |low: f32, high: f32| Some([Some(f64::from(low)), Some(f64::from(high))]);
    let told = match kind {
        JointType::Revolute => {
            let joint = joint.into_revolute()?;
            if joint.spring_enabled()? {
                return Ok(Err(format!("the spring of a revolute joint of {a} and {b}")));
            }
            let limited = joint.limit_enabled()?;
            let motor = Motor {
                speed: joint.motor_speed()?.into(),
                max_torque: Some(joint.max_motor_torque()?.into()),
                max_force: None,
            };
            Joint {
                limits: if limited { between(joint.lower_limit()?, joint.upper_limit()?) } else { None },
                limits_from: limited.then_some(closed),
                motor: joint.motor_enabled()?.then_some(motor),
                ..new("hinge")
            }
        }
        JointType::Prismatic => {
            let joint = joint.into_prismatic()?;
            if joint.spring_enabled()? {
                return Ok(Err(format!("the spring of a prismatic joint of {a} and {b}")));
            }
            let motor = Motor {
                speed: joint.motor_speed()?.into(),
                max_force: Some(joint.max_motor_force()?.into()),
                max_torque: None,
            };
            Joint {
                axis_a: axis,
                reference_angle: Some(closed),
                limits: if joint.limit_enabled()? {
                    between(joint.lower_limit()?, joint.upper_limit()?)
                } else {
                    None
                },
                motor: joint.motor_enabled()?.then_some(motor),
                ..new("slider")
            }
        }
        JointType::Weld => {
            let joint = joint.into_weld()?;
            let softness = soft(joint.linear_hertz()?, joint.linear_damping_ratio()?);
            if joint.angular_hertz()? != joint.linear_hertz()? {
                return Ok(Err(format!("a weld of {a} and {b} of different softness along and about")));
            }
            Joint { reference_angle: Some(closed), softness, ..new("weld") }
        }
        JointType::Distance => {
            let joint = joint.into_distance()?;
            let length = Some(f64::from(joint.length()?));
            match (joint.spring_enabled()?, joint.limit_enabled()?) {
                (false, _) => Joint { length, ..new("distance") },
                (true, false) => {
                    let softness = soft(joint.spring_hertz()?, joint.spring_damping_ratio()?);
                    Joint { length, softness, ..new("distance") }
                }
                (true, true) if joint.spring_hertz()? == 0.0 => {
                    Joint { limits: between(joint.min_length()?, joint.max_length()?), ..new("distance") }
                }
                (true, true) => {
                    return Ok(Err(format!("a distance of {a} and {b} with a spring and limits")));
                }
            }
        }
        JointType::Wheel => {
            let joint = joint.into_wheel()?;
            let [frequency, damping] =
                [joint.spring_hertz()?, joint.spring_damping_ratio()?].map(f64::from);
            if !joint.spring_enabled()? {
                return Ok(Err(format!("a wheel of {a} and {b} without a spring")));
            }
            let motor = Motor {
                speed: joint.motor_speed()?.into(),
                max_torque: Some(joint.max_motor_torque()?.into()),
                max_force: None,
            };
            Joint {
                axis_a: axis,
                frequency: Some(frequency),
                damping_ratio: Some(damping),
                limits: if joint.limit_enabled()? {
                    between(joint.lower_limit()?, joint.upper_limit()?)
                } else {
                    None
                },
                motor: joint.motor_enabled()?.then_some(motor),
                ..new("wheel")
            }
        }
        JointType::Motor => return Ok(Err(format!("a motor joint of {a} and {b}"))),
        JointType::Filter => return Ok(Err(format!("that {a} and {b} do not collide"))),
    };
    Ok(Ok(Joint { collide_connected, ..told }))
}
