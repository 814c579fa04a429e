// A recorder for Rapier, included once for each precision.

use std::io;

use driftlab_probe::Probe;
use driftlab_probe::format::{Acted, Came, Contact, Header, Impulse, Impulses, Moment, Part, Step, Went};
use driftlab_probe::scene::{Body, Combination, Joint, Kind, Motor, Outline, Scene, Shape};
use engine::dynamics::{
    CoefficientCombineRule, GenericJoint, ImpulseJoint, ImpulseJointHandle, ImpulseJointSet,
    IntegrationParameters, JointAxesMask, RigidBody, RigidBodyHandle, RigidBodySet,
};
use engine::geometry::{Collider, ColliderSet, ContactManifold, NarrowPhase, TypedShape};
use engine::math::{Real, Vector};

use crate::book::{self, Book, Pose, Vec2, cross, dot, placed, sub, turned};

/// What a recorder reads of a world: the sets that a `PhysicsWorld` has, or one's own.
#[allow(missing_docs, reason = "each is the engine's own")]
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub bodies: &'a RigidBodySet,
    pub colliders: &'a ColliderSet,
    pub joints: &'a ImpulseJointSet,
    pub narrow_phase: &'a NarrowPhase,
    pub parameters: &'a IntegrationParameters,
    pub gravity: Vector,
}

/// The fixed body that has the colliders without a body.
const LOOSE: &str = "colliders without a body";

/// Writes the run of a world.
pub struct Recorder {
    probe: Probe,
    bodies: Book<RigidBodyHandle>,
    /// The number of the fixed body that has the colliders without a body.
    loose: Option<usize>,
    joints: Book<ImpulseJointHandle>,
    time: f64,
    /// Before the step, by number.
    poses: Vec<Option<Pose>>,
    came: Came,
    went: Went,
}

#[allow(clippy::useless_conversion, reason = "in double precision it is one")]
fn real(x: Real) -> f64 {
    x.into()
}

fn pair(v: Vector) -> Vec2 {
    [real(v.x), real(v.y)]
}

fn pose(pose: &engine::math::Pose) -> Pose {
    [real(pose.translation.x), real(pose.translation.y), real(pose.rotation.angle())]
}

impl Recorder {
    /// Begins a recording of a world before its first step, into a file, `-` or an address.
    pub fn begin(target: &str, world: World<'_>) -> io::Result<Self> {
        let mut scene = Scene::new(pair(world.gravity));
        let mut left_out = Vec::new();
        scene.combination = combination(world.colliders, &mut left_out);
        let mut bodies = Book::new();
        for (handle, body) in world.bodies.iter() {
            let name = format!("body{}", bodies.add(handle));
            scene.body(described(&name, body, world.colliders, &mut left_out));
        }
        let is_loose = |collider: &&Collider| collider.parent().is_none();
        let loose: Vec<_> = world.colliders.iter().map(|(_, collider)| collider).filter(is_loose).collect();
        let loose = (!loose.is_empty()).then(|| {
            let shapes = shapes(LOOSE, loose.into_iter(), &mut left_out);
            scene.body(Body { name: LOOSE.to_owned(), kind: Kind::Fixed, shapes, ..Body::default() });
            bodies.add(RigidBodyHandle::invalid())
        });
        let mut joints = Book::new();
        for (handle, joint) in world.joints.iter() {
            match linked(joint, &bodies) {
                Ok(joint_of_scene) => {
                    left_out.extend(not_told(joint));
                    joints.add(handle);
                    scene.joint(joint_of_scene);
                }
                Err(why) => left_out.push(why),
            }
        }
        let substeps = world.parameters.num_solver_iterations;
        if substeps != 1 && !world.joints.is_empty() {
            left_out.push(format!(
                "impulses of joints are those of the last of {substeps} substeps, times {substeps}"
            ));
        }
        if world.parameters.contact_recycling {
            left_out.push(
                "contact_recycling keeps the arms of contacts while a pair hardly moves, those of both bodies apart: the point \
                 of a line is that of body b"
                    .to_owned(),
            );
        }
        let mut header = scene.header(NAME, real(world.parameters.dt))?;
        header.engine.version = Some(engine_version());
        header.engine.settings = settings(world.parameters);
        let is_one = world.parameters.num_solver_iterations == 1;
        let impulses = if is_one { Impulses::Whole } else { Impulses::Estimated };
        let header =
            Header { precision: PRECISION, contacts_at: Moment::Begin, impulses, left_out, ..header };
        let mut recorder = Recorder {
            probe: Probe::open(target, &header)?,
            bodies,
            loose,
            joints,
            time: 0.0,
            poses: Vec::new(),
            came: Came::default(),
            went: Went::default(),
        };
        recorder.before_step(world);
        Ok(recorder)
    }

    /// Notices what came, went or was moved since the last step. It need not be called where nothing but steps changes a world.
    pub fn before_step(&mut self, world: World<'_>) {
        self.notice(world);
        self.poses = self
            .bodies
            .handles()
            .iter()
            .map(|handle| Some(pose(world.bodies.get((*handle)?)?.position())))
            .collect();
    }

    /// Writes the step that the world has just made.
    pub fn step(&mut self, world: World<'_>) {
        self.notice(world);
        let h = real(world.parameters.dt);
        self.time += h;
        let all = self.bodies.handles().iter().map(|handle| world.bodies.get((*handle)?));
        let mut after: Vec<Option<Pose>> = all.clone().map(|body| Some(pose(body?.position()))).collect();
        let moving = |body: &RigidBody| [real(body.linvel().x), real(body.linvel().y), real(body.angvel())];
        let mut v: Vec<_> = all.clone().map(|body| body.map(moving)).collect();
        if let Some(number) = self.loose {
            (after[number], v[number]) = (Some([0.0; 3]), Some([0.0; 3]));
        }
        let step = Step {
            t: self.time,
            h: Some(h),
            v: Some(v),
            acted: Some(self.acted(world, &after)),
            contacts: Some(self.contacts(world)),
            external: external(h, world, all),
            came: Some(std::mem::take(&mut self.came)).filter(|came| *came != Came::default()),
            went: Some(std::mem::take(&mut self.went)).filter(|went| *went != Went::default()),
            q: after.clone(),
            ..Step::default()
        };
        self.poses = after;
        self.probe.step(step);
    }

    /// How many lines were lost.
    pub fn lost(&self) -> u64 {
        self.probe.lost()
    }

    /// Ends the recording, as [`Probe::finish`] does.
    pub fn finish(self) -> io::Result<u64> {
        self.probe.finish()
    }

    fn notice(&mut self, world: World<'_>) {
        let mut unsaid = Vec::new();
        self.went.joints.extend(self.joints.strike(|handle| world.joints.contains(handle)));
        self.went.bodies.extend(
            self.bodies
                .strike(|handle| world.bodies.contains(handle) || handle == RigidBodyHandle::invalid()),
        );
        for (handle, body) in world.bodies.iter() {
            if self.bodies.number(handle).is_none() {
                let name = format!("body{}", self.bodies.add(handle));
                let body = described(&name, body, world.colliders, &mut unsaid);
                self.came.bodies.extend(serde_json::to_value(body));
            }
        }
        for (handle, joint) in world.joints.iter() {
            if self.joints.number(handle).is_none()
                && let Ok(joint) = linked(joint, &self.bodies)
            {
                self.joints.add(handle);
                self.came.joints.extend(serde_json::to_value(joint));
            }
        }
    }

    /// Where a body was before the step; one that has come since is taken where it is.
    fn before(&self, number: usize, body: &RigidBody) -> Pose {
        self.poses.get(number).copied().flatten().unwrap_or_else(|| pose(body.position()))
    }

    fn acted(&self, world: World<'_>, after: &[Option<Pose>]) -> Vec<Acted> {
        let substeps = world.parameters.num_solver_iterations;
        let mut acted = Vec::new();
        for (number, handle) in self.joints.handles().iter().enumerate() {
            let Some(joint) = handle.and_then(|handle| world.joints.get(handle)) else { continue };
            let ends = [joint.body1(), joint.body2()];
            let numbers = ends.map(|handle| self.bodies.number(handle));
            let ([Some(a), Some(b)], [Some(body_a), Some(body_b)]) =
                (numbers, ends.map(|handle| world.bodies.get(handle)))
            else {
                continue;
            };
            // A joint between bodies that sleep keeps its last impulses and exerts none.
            if !joint.data.is_enabled()
                || [body_a, body_b].iter().all(|body| body.is_sleeping() || !body.is_dynamic())
            {
                continue;
            }
            let at = |number: usize, body: &RigidBody| match after[number] {
                Some(after) if substeps != 1 => after,
                _ => self.before(number, body),
            };
            let rows = rows(joint, [body_a, body_b], [at(a, body_a), at(b, body_b)]);
            let scale = substeps as f64;
            for (part, rows) in [
                (None, &rows.equations),
                (Some(Part::Motor), &rows.motor),
                (Some(Part::UpperLimit), &rows.limit),
            ] {
                if part.is_some() && rows.iter().all(|row| row.impulse == 0.0) {
                    continue;
                }
                let sum = |f: &dyn Fn(&Row) -> f64| {
                    rows.iter().map(|row| scale * row.impulse * f(row)).sum::<f64>()
                };
                let [x, y] = [sum(&|row| row.linear[0]), sum(&|row| row.linear[1])];
                let [l_a, l_b] = [sum(&|row| row.angular[0]), sum(&|row| row.angular[1])];
                let along = part.map(|_| -sum(&|_| 1.0));
                // A limit's row is one for both sides: pushed towards larger values it is the lower one.
                let part = if part == Some(Part::UpperLimit) && along > Some(0.0) {
                    Some(Part::LowerLimit)
                } else {
                    part
                };
                let on = vec![Impulse(a, x, y, l_a), Impulse(b, -x, -y, -l_b)];
                acted.push(Acted { joint: Some(number), part, along, on, ..Acted::default() });
            }
        }
        acted
    }

    fn contacts(&self, world: World<'_>) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for pair in world.narrow_phase.contact_pairs() {
            for manifold in pair.rigid().map_or(&[][..], |rigid| rigid.solver_manifolds()) {
                let parents = [manifold.data.rigid_body1, manifold.data.rigid_body2];
                let numbers =
                    parents.map(|handle| handle.map_or(self.loose, |own| self.bodies.number(own)));
                let bodies = parents.map(|handle| world.bodies.get(handle?));
                let [Some(a), Some(b)] = numbers else { continue };
                if bodies.iter().flatten().all(|body| body.is_sleeping() || !body.is_dynamic()) {
                    continue;
                }
                let [before_a, before_b] = [(a, bodies[0]), (b, bodies[1])]
                    .map(|(number, body)| body.map_or([0.0; 3], |body| self.before(number, body)));
                contacts.extend(touching(manifold, [a, b], bodies, [before_a, before_b]));
            }
        }
        contacts
    }
}

/// The contacts of a manifold that the solver saw. Its arms are kept while a pair hardly moves: the point is the one that body b
/// was pushed at.
fn touching(
    manifold: &ContactManifold,
    numbers: [usize; 2],
    bodies: [Option<&RigidBody>; 2],
    before: [Pose; 2],
) -> Vec<Contact> {
    let normal = pair(manifold.data.normal);
    let dominance = manifold.data.relative_dominance;
    // Arms and anchors are about centres of mass, or in the world on a side that the solver takes for the world.
    let is_world = [dominance > 0, dominance < 0];
    let centers = [0, 1].map(|end| {
        let center = bodies[end].map_or([0.0; 2], |body| pair(body.local_center_of_mass()));
        placed(center, before[end])
    });
    let in_world = |end: usize, point: Vec2, angle: f64| {
        let [x, y] = turned(point, angle);
        if is_world[end] { point } else { [centers[end][0] + x, centers[end][1] + y] }
    };
    let contact = |solved: &engine::geometry::SolverContact| {
        let point = manifold.points.get(solved.contact_indices()[0] as usize)?;
        let anchors = [
            in_world(0, pair(solved.anchor1), before[0][2]),
            in_world(1, pair(solved.anchor2), before[1][2]),
        ];
        let arms = [pair(point.data.solver_dp1), pair(point.data.solver_dp2)];
        let end = usize::from(!is_world[1]);
        let tangential = point.data.tangent_impulse;
        Some(Contact {
            bodies: numbers,
            point: in_world(end, arms[end], 0.0),
            point_a: (!is_world[0]).then(|| in_world(0, arms[0], 0.0)),
            normal,
            gap: Some(dot(sub(anchors[1], anchors[0]), normal)),
            impulse: Some([real(point.data.impulse), -real(tangential[0]), 0.0]),
            on: Vec::new(),
            friction: Some(real(manifold.data.friction)),
        })
    };
    manifold.data.solver_contacts.iter().filter_map(contact).collect()
}

/// A row of a joint: its Jacobian, of which the first body gets the positive and the second one the negative, and its impulse.
struct Row {
    linear: Vec2,
    angular: Vec2,
    impulse: f64,
}

/// The rows as the solver has them: within each group made orthogonal, by Gram and Schmidt, to the bilateral ones before.
struct Rows {
    motor: Vec<Row>,
    equations: Vec<Row>,
    limit: Vec<Row>,
}

fn rows(joint: &ImpulseJoint, bodies: [&RigidBody; 2], poses: [Pose; 2]) -> Rows {
    let GenericJoint { local_frame1, local_frame2, locked_axes, motor_axes, limit_axes, .. } = &joint.data;
    let frames = [pose(local_frame1), pose(local_frame2)];
    let centers = [0, 1].map(|end| placed(pair(bodies[end].local_center_of_mass()), poses[end]));
    let points = [0, 1].map(|end| placed([frames[end][0], frames[end][1]], poses[end]));
    let angle = poses[0][2] + frames[0][2];
    let axes = [turned([1.0, 0.0], angle), turned([0.0, 1.0], angle)];
    // On the first body the force acts beneath the second one's point, along the free axes.
    let open = sub(points[1], points[0]);
    let mut first = points[1];
    for (i, axis) in axes.iter().enumerate() {
        if locked_axes.bits() & (1 << i) != 0 {
            first = sub(first, [axis[0] * dot(open, *axis), axis[1] * dot(open, *axis)]);
        }
    }
    let arms = [sub(first, centers[0]), sub(points[1], centers[1])];
    let row = |i: usize, impulse: Real| match i {
        2 => Row { linear: [0.0; 2], angular: [1.0, 1.0], impulse: real(impulse) },
        _ => Row { linear: axes[i], angular: arms.map(|arm| cross(arm, axes[i])), impulse: real(impulse) },
    };
    // The angle comes before the displacements.
    let of = |mask: u8, impulse: &dyn Fn(usize) -> Real| {
        [2, 0, 1]
            .into_iter()
            .filter(|i| mask & (1 << i) != 0)
            .map(|i| row(i, impulse(i)))
            .collect::<Vec<_>>()
    };
    let free = !locked_axes.bits() & !joint.data.coupled_axes.bits();
    let mut equations = of(locked_axes.bits(), &|i| joint.impulses[i]);
    if is_rope(&joint.data) {
        let length = dot(open, open).sqrt();
        let axis = if length > 0.0 { [open[0] / length, open[1] / length] } else { [0.0; 2] };
        let angular = arms.map(|arm| cross(arm, axis));
        equations.push(Row { linear: axis, angular, impulse: real(joint.data.limits[0].impulse) });
    }
    let mut limit = of(limit_axes.bits() & free, &|i| joint.data.limits[i].impulse);
    let motor = of(motor_axes.bits() & free, &|i| joint.data.motors[i].impulse);
    let inverse = bodies.map(|body| {
        let properties = &body.mass_properties();
        let inertia = real(properties.effective_world_inv_inertia);
        (pair(properties.effective_inv_mass), inertia)
    });
    let product = |a: &Row, b: &Row| {
        (0..2).map(|k| a.linear[k] * (inverse[0].0[k] + inverse[1].0[k]) * b.linear[k]).sum::<f64>()
            + (0..2).map(|end| a.angular[end] * inverse[end].1 * b.angular[end]).sum::<f64>()
    };
    let split = equations.len();
    equations.append(&mut limit);
    for j in 0..split {
        let (before, behind) = equations.split_at_mut(j + 1);
        let by = &before[j];
        for row in behind {
            let part = product(row, by) / product(by, by);
            for k in 0..2 {
                row.linear[k] -= part * by.linear[k];
                row.angular[k] -= part * by.angular[k];
            }
        }
    }
    let limit = equations.split_off(split);
    Rows { motor, equations, limit }
}

/// Weight and forces of the user, where they are not the scene's alone: bodies that sleep have no weight.
fn external<'a>(
    h: f64,
    world: World<'_>,
    bodies: impl Iterator<Item = Option<&'a RigidBody>> + Clone,
) -> Option<Vec<Impulse>> {
    let is_other = |body: &RigidBody| {
        body.is_dynamic()
            && (body.is_sleeping() || body.user_force() != Vector::ZERO || body.user_torque() != 0.0)
    };
    bodies.clone().flatten().any(is_other).then(|| {
        let moved = bodies.enumerate().filter_map(|(number, body)| Some((number, body?)));
        let awake = moved.filter(|(_, body)| body.is_dynamic() && !body.is_sleeping());
        let force = |(number, body): (usize, &RigidBody)| {
            let weight = real(body.mass()) * real(body.gravity_scale());
            let [[x, y], force] = [pair(world.gravity), pair(body.user_force())];
            Impulse(
                number,
                h * (weight * x + force[0]),
                h * (weight * y + force[1]),
                h * real(body.user_torque()),
            )
        };
        awake.map(force).collect()
    })
}

/// A body as a scene tells it.
fn described(name: &str, body: &RigidBody, colliders: &ColliderSet, left_out: &mut Vec<String>) -> Body {
    let kind = match () {
        () if body.is_fixed() => Kind::Fixed,
        () if body.is_kinematic() => Kind::Kinematic,
        () => Kind::Dynamic,
    };
    let [x, y, angle] = pose(body.position());
    let colliders = body.colliders().iter().filter_map(|handle| colliders.get(*handle));
    let shapes = shapes(name, colliders, left_out);
    let mut told = Body { name: name.to_owned(), kind, shapes, ..Body::default() }.at(x, y, angle);
    if kind != Kind::Fixed {
        told = told.moving(real(body.linvel().x), real(body.linvel().y), real(body.angvel()));
    }
    if kind == Kind::Dynamic {
        let mass = real(body.mass());
        let inertia = real(body.mass_properties().local_mprops.principal_inertia());
        (told.mass, told.inertia) = (Some(mass), Some(inertia));
        told.fixed_rotation = body.is_rotation_locked();
        told.gravity_scale = (body.gravity_scale() != 1.0).then(|| real(body.gravity_scale()));
        told.linear_damping = (body.linear_damping() != 0.0).then(|| mass * real(body.linear_damping()));
        told.angular_damping =
            (body.angular_damping() != 0.0).then(|| inertia * real(body.angular_damping()));
        left_out.extend(book::off_center(name, pair(body.local_center_of_mass()), &told.shapes));
    }
    told
}

fn shapes<'a>(
    name: &str,
    colliders: impl Iterator<Item = &'a Collider>,
    left_out: &mut Vec<String>,
) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for collider in colliders {
        match outline(collider) {
            _ if collider.is_sensor() => {}
            Some(shape) => shapes.push(shape),
            None => left_out.push(format!("a shape of {name}: {:?}", collider.shape().shape_type())),
        }
    }
    shapes
}

/// A collider in its body, or one without a body in the world.
fn outline(collider: &Collider) -> Option<Shape> {
    let [x, y, angle] = pose(collider.position_wrt_parent().unwrap_or(collider.position()));
    let points = |points: &[Vector]| points.iter().map(|point| pair(*point)).collect::<Vec<_>>();
    let polygon = |vertices, radius| {
        Shape::at(Outline::Polygon { vertices, radius: real(radius) }, x, y, angle)
    };
    let shape = match collider.shape().as_typed_shape() {
        TypedShape::Ball(ball) => Shape::at(Outline::Circle { radius: real(ball.radius) }, x, y, angle),
        TypedShape::Cuboid(cuboid) => {
            let size = pair(cuboid.half_extents).map(|half| 2.0 * half);
            Shape::at(Outline::Box { size }, x, y, angle)
        }
        TypedShape::Capsule(capsule) => {
            let [a, b] = [capsule.segment.a, capsule.segment.b].map(pair);
            let [middle, along] = [[(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0], sub(b, a)];
            let [x, y] = placed(middle, [x, y, angle]);
            let outline =
                Outline::Capsule { length: dot(along, along).sqrt(), radius: real(capsule.radius) };
            Shape::at(outline, x, y, angle + along[1].atan2(along[0]))
        }
        TypedShape::RoundCuboid(round) => {
            let [w, h] = pair(round.inner_shape.half_extents);
            let vertices = vec![[-w, -h], [w, -h], [w, h], [-w, h]];
            polygon(vertices, round.border_radius)
        }
        TypedShape::Triangle(triangle) => polygon(points(&[triangle.a, triangle.b, triangle.c]), 0.0),
        TypedShape::RoundTriangle(round) => {
            let triangle = round.inner_shape;
            polygon(points(&[triangle.a, triangle.b, triangle.c]), round.border_radius)
        }
        TypedShape::ConvexPolygon(own) => polygon(points(own.points()), 0.0),
        TypedShape::RoundConvexPolygon(round) => {
            polygon(points(round.inner_shape.points()), round.border_radius)
        }
        TypedShape::HalfSpace(half) => {
            Shape::at(Outline::HalfPlane { normal: pair(half.normal) }, x, y, angle)
        }
        TypedShape::Segment(segment) => {
            Shape::at(Outline::Polyline { points: points(&[segment.a, segment.b]) }, x, y, angle)
        }
        _ => return None,
    };
    Some(shape.surface(real(collider.friction()), real(collider.restitution())))
}

/// How the engine combines surfaces, if all colliders agree.
fn combination(colliders: &ColliderSet, left_out: &mut Vec<String>) -> Option<Combination> {
    let word = |rule: CoefficientCombineRule| match rule {
        CoefficientCombineRule::Average => "mean",
        CoefficientCombineRule::Min => "min",
        CoefficientCombineRule::Multiply => "product",
        CoefficientCombineRule::Max => "max",
        _ => "geometric",
    };
    let rules = |(_, collider): (_, &Collider)| {
        (collider.friction_combine_rule(), collider.restitution_combine_rule())
    };
    let first = colliders.iter().next().map(rules)?;
    if colliders.iter().any(|collider| rules(collider) != first) {
        left_out.push("colliders with different rules by which surfaces are combined".to_owned());
    }
    Some(Combination { friction: word(first.0), restitution: word(first.1) })
}

/// Whether it only keeps two points from moving farther apart.
fn is_rope(data: &GenericJoint) -> bool {
    let is_coupled = data.coupled_axes == JointAxesMask::LIN_AXES;
    data.locked_axes.is_empty() && is_coupled && data.limit_axes.contains(JointAxesMask::LIN_X)
}

/// A joint as a scene tells it, or why it cannot.
fn linked(joint: &ImpulseJoint, bodies: &Book<RigidBodyHandle>) -> Result<Joint, String> {
    let ends = [joint.body1(), joint.body2()].map(|handle| bodies.number(handle));
    let [Some(a), Some(b)] = ends else { return Err("a joint of a body that is not there".to_owned()) };
    let names = [a, b].map(|number| format!("body{number}"));
    let data = &joint.data;
    let [[ax, ay, angle_a], [bx, by, angle_b]] = [pose(&data.local_frame1), pose(&data.local_frame2)];
    let [a, b] = [&names[0], &names[1]];
    // θ_b − θ_a where the two frames lie upon each other.
    let closed = angle_a - angle_b;
    let axis = turned([1.0, 0.0], angle_a);
    let new = |kind| Joint::new(kind, a, b, [ax, ay], [bx, by]);
    let (mut told, free) = match data.locked_axes {
        JointAxesMask::LOCKED_REVOLUTE_AXES => {
            (Joint { limits_from: Some(closed), ..new("hinge") }, Some(2))
        }
        JointAxesMask::LOCKED_FIXED_AXES => (Joint { reference_angle: Some(closed), ..new("weld") }, None),
        JointAxesMask::LOCKED_PRISMATIC_AXES => {
            (Joint { reference_angle: Some(closed), axis_a: Some(axis), ..new("slider") }, Some(0))
        }
        JointAxesMask::LOCKED_PIN_SLOT_AXES => (Joint { axis_a: Some(axis), ..new("slot") }, Some(0)),
        _ if is_rope(data) => (Joint { length: Some(real(data.limits[0].max)), ..new("rope") }, None),
        axes => return Err(format!("a joint of {a} and {b} that locks {axes:?}")),
    };
    told.collide_connected = data.contacts_enabled;
    let axis = |free: usize| [JointAxesMask::LIN_X, JointAxesMask::LIN_Y, JointAxesMask::ANG_X][free];
    match free {
        Some(free) if data.limit_axes.contains(axis(free)) => {
            let limits = &data.limits[free];
            told.limits = Some(
                [limits.min, limits.max].map(|limit| Some(real(limit)).filter(|limit| limit.abs() < 1e30)),
            );
        }
        _ => told.limits_from = None,
    }
    if let Some(free) = free.filter(|free| data.motor_axes.contains(axis(*free))) {
        let motor = &data.motors[free];
        let most = Some(real(motor.max_force)).filter(|most| *most < 1e30 && motor.stiffness == 0.0);
        let [max_torque, max_force] = if free == 2 { [most, None] } else { [None, most] };
        told.motor = most.map(|_| Motor { speed: real(motor.target_vel), max_torque, max_force });
    }
    Ok(told)
}

/// What a scene cannot tell of a joint.
fn not_told(joint: &ImpulseJoint) -> Option<String> {
    let data = &joint.data;
    let motor = data.motors.iter().enumerate().find(|(i, _)| data.motor_axes.bits() & (1 << i) != 0)?.1;
    let is_told = motor.stiffness == 0.0 && real(motor.max_force) < 1e30;
    (!is_told).then(|| {
        format!(
            "a motor of stiffness {} and damping {} ({:?})",
            motor.stiffness, motor.damping, motor.model
        )
    })
}

fn settings(parameters: &IntegrationParameters) -> serde_json::Map<String, serde_json::Value> {
    let settings = serde_json::json!({
        "num_solver_iterations": parameters.num_solver_iterations,
        "num_internal_pgs_iterations": parameters.num_internal_pgs_iterations,
        "num_internal_stabilization_iterations": parameters.num_internal_stabilization_iterations,
        "contact_natural_frequency": parameters.contact_softness.natural_frequency,
        "contact_damping_ratio": parameters.contact_softness.damping_ratio,
        "normalized_allowed_linear_error": parameters.normalized_allowed_linear_error,
        "normalized_prediction_distance": parameters.normalized_prediction_distance,
        "warmstart_coefficient": parameters.warmstart_coefficient,
        "warmstart_joints": parameters.warmstart_joints,
        "contact_recycling": parameters.contact_recycling,
    });
    match settings {
        serde_json::Value::Object(settings) => settings,
        _ => serde_json::Map::new(),
    }
}

fn engine_version() -> String {
    engine::VERSION.to_owned()
}
