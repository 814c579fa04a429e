//! Writes runs of Avian as driftlab recordings: a plugin that reads the world before the first step and after every step of
//! `FixedPostUpdate`.
//!
//! Impulses of joints are sums over the whole step. Avian's own sum of a contact's normal impulses, `normal_impulse`, counts what
//! the contact has so far once in each solve of each substep, with bias and without: a line has half of it, and in steps of one
//! substep the exact impulse. Of friction a line has the impulse of the last substep, times their number.

use std::io;

use avian2d::prelude::*;
use bevy::ecs::world::World;
use bevy::prelude::{App, Entity, FixedPostUpdate, IntoScheduleConfigs, Plugin, Resource, Time};
use driftlab_probe::Probe;
use driftlab_probe::format::{
    Acted, Came, Contact, Header, Impulse, Impulses, Moment, Precision, Step, Went,
};
use driftlab_probe::scene::{Body, Combination, Joint, Kind, Outline, Scene, Shape};

#[path = "../../src/book.rs"]
#[allow(dead_code, reason = "other recorders need more of it")]
mod book;

use book::{Book, Pose, Vec2, cross, placed, sub, turned};

/// Records a world from its first step on, into a file, `-` or an address.
pub struct RecordPlugin {
    /// What [`Probe::open`] takes.
    pub target: String,
}

#[derive(Resource)]
struct Target(String);

impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Target(self.target.clone()));
        // Masses and local anchors are known behind `Prepare`.
        let before = before_step.after(PhysicsSystems::Prepare).before(PhysicsSystems::StepSimulation);
        app.add_systems(FixedPostUpdate, (before, after_step.in_set(PhysicsSystems::Last)));
    }
}

/// The recording, a resource that is not sent to other threads. Whoever removes it from the world ends it and can ask for its
/// result.
pub struct Recorder {
    probe: Probe,
    bodies: Book<Entity>,
    joints: Book<Entity>,
    time: f64,
    before: Vec<Option<State>>,
    came: Came,
    went: Went,
}

/// A body at a moment: its pose, its centre of mass in its own coordinates, its velocity.
#[derive(Clone, Copy)]
struct State {
    pose: Pose,
    local_center: Vec2,
    velocity: [f64; 3],
    is_asleep: bool,
}

impl State {
    fn center(&self) -> Vec2 {
        placed(self.local_center, self.pose)
    }
}

fn pair(v: bevy::math::Vec2) -> Vec2 {
    [v.x.into(), v.y.into()]
}

fn before_step(world: &mut World) {
    let joints: Vec<Entity> = joints(world).into_iter().map(|(entity, ..)| entity).collect();
    for joint in joints {
        if world.get::<JointForces>(joint).is_none() {
            world.entity_mut(joint).insert(JointForces::new());
        }
    }
    if let Some(mut recorder) = world.remove_non_send::<Recorder>() {
        recorder.notice(world);
        recorder.before = recorder.states(world);
        world.insert_non_send(recorder);
    } else if let Some(Target(target)) = world.remove_resource::<Target>() {
        match Recorder::begin(&target, world) {
            Ok(recorder) => world.insert_non_send(recorder),
            Err(error) => bevy::log::error!("{target}: {error}"),
        }
    }
}

fn after_step(world: &mut World) {
    let Some(mut recorder) = world.remove_non_send::<Recorder>() else { return };
    let h = f64::from(world.resource::<Time<Physics>>().delta_secs());
    if h > 0.0 {
        recorder.write(world, h);
    }
    world.insert_non_send(recorder);
}

impl Recorder {
    fn begin(target: &str, world: &mut World) -> io::Result<Self> {
        let mut scene = Scene::new(pair(world.resource::<Gravity>().0));
        scene.combination = Some(Combination { friction: "mean", restitution: "mean" });
        let substeps = world.resource::<SubstepCount>().0;
        let mut left_out = Vec::new();
        let mut bodies = Book::new();
        for entity in bodies_of(world) {
            let name = format!("body{}", bodies.add(entity));
            scene.body(described(&name, world, entity, &mut left_out));
        }
        let mut numbers = Book::new();
        for (entity, ends, joint) in joints(world) {
            match told(ends, joint, &bodies) {
                Ok(joint) => {
                    numbers.add(entity);
                    scene.joint(joint);
                }
                Err(why) => left_out.push(why),
            }
        }
        if substeps != 1 {
            left_out.push(format!(
                "normal impulses of contacts are half of the engine's count, friction is that of the last of {substeps} substeps, \
                 times {substeps}"
            ));
            left_out.push(
                "impulses of joints act at the anchors of each substep, and are told at those of the begin"
                    .to_owned(),
            );
        }
        let h = world.resource::<Time<bevy::prelude::Fixed>>().timestep().as_secs_f64();
        let mut header = scene.header("avian2d", h)?;
        header.engine.version = Some("0.7".to_owned());
        header.engine.settings.insert("substeps".to_owned(), substeps.into());
        let impulses = if substeps == 1 { Impulses::Whole } else { Impulses::Estimated };
        let header =
            Header { precision: Precision::F32, contacts_at: Moment::Begin, impulses, left_out, ..header };
        let mut recorder = Recorder {
            probe: Probe::open(target, &header)?,
            bodies,
            joints: numbers,
            time: 0.0,
            before: Vec::new(),
            came: Came::default(),
            went: Went::default(),
        };
        recorder.before = recorder.states(world);
        Ok(recorder)
    }

    /// How many lines were lost.
    pub fn lost(&self) -> u64 {
        self.probe.lost()
    }

    /// Ends the recording, as [`Probe::finish`] does.
    pub fn finish(self) -> io::Result<u64> {
        self.probe.finish()
    }

    fn notice(&mut self, world: &mut World) {
        let (all, links) = (bodies_of(world), joints(world));
        self.went
            .joints
            .extend(self.joints.strike(|entity| links.iter().any(|(joint, ..)| *joint == entity)));
        self.went.bodies.extend(self.bodies.strike(|entity| all.contains(&entity)));
        for entity in all {
            if self.bodies.number(entity).is_none() {
                let name = format!("body{}", self.bodies.add(entity));
                self.came.bodies.extend(serde_json::to_value(described(
                    &name,
                    world,
                    entity,
                    &mut Vec::new(),
                )));
            }
        }
        for (entity, ends, joint) in links {
            if self.joints.number(entity).is_none()
                && let Ok(joint) = told(ends, joint, &self.bodies)
            {
                self.joints.add(entity);
                self.came.joints.extend(serde_json::to_value(joint));
            }
        }
    }

    fn write(&mut self, world: &mut World, h: f64) {
        self.notice(world);
        self.time += h;
        let after = self.states(world);
        let sleeps = after.iter().flatten().any(|state| state.is_asleep);
        self.probe.step(Step {
            t: self.time,
            h: Some(h),
            q: after.iter().map(|state| Some(state.as_ref()?.pose)).collect(),
            v: Some(after.iter().map(|state| Some(state.as_ref()?.velocity)).collect()),
            acted: Some(self.acted(world, h, &after)),
            contacts: Some(self.contacts(world)),
            external: sleeps.then(|| self.weights(world, h, &after)),
            came: Some(std::mem::take(&mut self.came)).filter(|came| *came != Came::default()),
            went: Some(std::mem::take(&mut self.went)).filter(|went| *went != Went::default()),
            ..Step::default()
        });
        self.before = after;
    }

    fn states(&self, world: &World) -> Vec<Option<State>> {
        let state = |entity: Entity| {
            let [x, y] = pair(world.get::<Position>(entity)?.0);
            let angle = world.get::<Rotation>(entity)?.as_radians().into();
            let [v_x, v_y] = world.get::<LinearVelocity>(entity).map_or([0.0; 2], |v| pair(v.0));
            let omega = world.get::<AngularVelocity>(entity).map_or(0.0, |omega| omega.0.into());
            Some(State {
                pose: [x, y, angle],
                local_center: world
                    .get::<ComputedCenterOfMass>(entity)
                    .map_or([0.0; 2], |center| pair(center.0)),
                velocity: [v_x, v_y, omega],
                is_asleep: world.get::<Sleeping>(entity).is_some(),
            })
        };
        self.bodies.handles().iter().map(|entity| entity.and_then(state)).collect()
    }

    fn weights(&self, world: &World, h: f64, after: &[Option<State>]) -> Vec<Impulse> {
        let gravity = pair(world.resource::<Gravity>().0);
        let weight = |(number, entity): (usize, &Option<Entity>)| {
            let entity = (*entity)?;
            let is_moved = world.get::<RigidBody>(entity)?.is_dynamic() && !after[number]?.is_asleep;
            let mass = f64::from(world.get::<ComputedMass>(entity)?.value());
            let scale = world.get::<GravityScale>(entity).map_or(1.0, |scale| scale.0.into());
            let [x, y] = gravity.map(|g| h * mass * scale * g);
            is_moved.then_some(Impulse(number, x, y, 0.0))
        };
        self.bodies.handles().iter().enumerate().filter_map(weight).collect()
    }

    fn acted(&self, world: &mut World, h: f64, after: &[Option<State>]) -> Vec<Acted> {
        let mut acted = Vec::new();
        for (entity, ends, joint) in joints(world) {
            let Some(number) = self.joints.number(entity) else { continue };
            let ends = ends.map(|end| self.bodies.number(end));
            let ([Some(a), Some(b)], Some(forces)) = (ends, world.get::<JointForces>(entity)) else {
                continue;
            };
            let at = |number: usize| self.before.get(number).copied().flatten().or(after[number]);
            let ([Some(end_a), Some(end_b)], Some(anchors)) = ([at(a), at(b)], joint.anchors()) else {
                continue;
            };
            if [a, b].iter().any(|number| after[*number].is_some_and(|state| state.is_asleep)) {
                continue;
            }
            let arm = |state: State, anchor: Vec2| sub(placed(anchor, state.pose), state.center());
            let p = pair(forces.force()).map(|force| h * force);
            let torque = h * f64::from(forces.torque());
            let on = vec![
                Impulse(a, p[0], p[1], cross(arm(end_a, anchors[0]), p) + torque),
                Impulse(b, -p[0], -p[1], -cross(arm(end_b, anchors[1]), p) - torque),
            ];
            acted.push(Acted { joint: Some(number), on, ..Acted::default() });
        }
        acted
    }

    fn contacts(&self, world: &World) -> Vec<Contact> {
        let substeps = f64::from(world.resource::<SubstepCount>().0);
        let mut contacts = Vec::new();
        for pair_of in world.resource::<ContactGraph>().iter_active() {
            let ends = [pair_of.body1, pair_of.body2].map(|body| self.bodies.number(body?));
            let [Some(a), Some(b)] = ends else { continue };
            let Some(Some(state)) = self.before.get(b) else { continue };
            for manifold in &pair_of.manifolds {
                contacts.extend(manifold.points.iter().map(|point| {
                    let arm = pair(point.anchor2);
                    let center = state.center();
                    // Tangents are (n_y, −n_x), as in a recording.
                    let [last, counted] =
                        [point.warm_start_normal_impulse, point.normal_impulse].map(f64::from);
                    let normal = if substeps == 1.0 { last } else { counted / 2.0 };
                    let tangential = substeps * f64::from(point.warm_start_tangent_impulse);
                    Contact {
                        bodies: [a, b],
                        point: [center[0] + arm[0], center[1] + arm[1]],
                        point_a: None,
                        normal: pair(manifold.normal),
                        gap: Some(-f64::from(point.penetration)),
                        impulse: Some([normal, tangential, 0.0]),
                        on: Vec::new(),
                        friction: Some(manifold.friction.into()),
                    }
                }));
            }
        }
        contacts
    }
}

/// All bodies, in the order of their entities.
fn bodies_of(world: &mut World) -> Vec<Entity> {
    let mut all: Vec<Entity> =
        world.query::<(Entity, &RigidBody, &Position)>().iter(world).map(|(entity, ..)| entity).collect();
    all.sort();
    all
}

/// What a scene tells of a joint.
enum Kept {
    Hinge([JointFrame; 2], Option<AngleLimit>),
    Weld([JointFrame; 2]),
    Slider([JointFrame; 2], bevy::math::Vec2, Option<DistanceLimit>),
    Distance([JointAnchor; 2], DistanceLimit),
}

impl Kept {
    /// The anchors in the coordinates of the bodies.
    fn anchors(&self) -> Option<[Vec2; 2]> {
        let local = |anchor: JointAnchor| match anchor {
            JointAnchor::Local(anchor) => Some(pair(anchor)),
            JointAnchor::FromGlobal(_) => None,
        };
        let [a, b] = match self {
            Kept::Hinge(frames, _) | Kept::Weld(frames) | Kept::Slider(frames, ..) => {
                frames.map(|frame| frame.anchor)
            }
            Kept::Distance(anchors, _) => *anchors,
        };
        Some([local(a)?, local(b)?])
    }
}

/// All joints, in the order of their entities.
fn joints(world: &mut World) -> Vec<(Entity, [Entity; 2], Kept)> {
    let mut all = Vec::new();
    for (entity, joint) in world.query::<(Entity, &RevoluteJoint)>().iter(world) {
        all.push((
            entity,
            [joint.body1, joint.body2],
            Kept::Hinge([joint.frame1, joint.frame2], joint.angle_limit),
        ));
    }
    for (entity, joint) in world.query::<(Entity, &FixedJoint)>().iter(world) {
        all.push((entity, [joint.body1, joint.body2], Kept::Weld([joint.frame1, joint.frame2])));
    }
    for (entity, joint) in world.query::<(Entity, &PrismaticJoint)>().iter(world) {
        let frames = [joint.frame1, joint.frame2];
        all.push((
            entity,
            [joint.body1, joint.body2],
            Kept::Slider(frames, joint.slider_axis, joint.limits),
        ));
    }
    for (entity, joint) in world.query::<(Entity, &DistanceJoint)>().iter(world) {
        all.push((
            entity,
            [joint.body1, joint.body2],
            Kept::Distance([joint.anchor1, joint.anchor2], joint.limits),
        ));
    }
    all.sort_by_key(|(entity, ..)| *entity);
    all
}

/// A joint as a scene tells it, or why it cannot.
fn told(ends: [Entity; 2], joint: Kept, bodies: &Book<Entity>) -> Result<Joint, String> {
    let numbers = ends.map(|end| bodies.number(end));
    let [Some(a), Some(b)] = numbers else { return Err("a joint of a body that is not there".to_owned()) };
    let [a, b] = [a, b].map(|number| format!("body{number}"));
    let anchors =
        joint.anchors().ok_or_else(|| format!("a joint of {a} and {b} whose anchors are not yet known"))?;
    let angle = |frame: &JointFrame| match frame.basis {
        JointBasis::Local(basis) => f64::from(basis.as_radians()),
        JointBasis::FromGlobal(_) => 0.0,
    };
    let closed = |frames: &[JointFrame; 2]| angle(&frames[0]) - angle(&frames[1]);
    let between = |low: f32, high: f32| Some([Some(f64::from(low)), Some(f64::from(high))]);
    let new = |kind| Joint::new(kind, &a, &b, anchors[0], anchors[1]);
    let joint = match &joint {
        Kept::Hinge(frames, limit) => Joint {
            limits: limit.and_then(|limit| between(limit.min, limit.max)),
            limits_from: limit.map(|_| closed(frames)),
            ..new("hinge")
        },
        Kept::Weld(frames) => Joint { reference_angle: Some(closed(frames)), ..new("weld") },
        Kept::Slider(frames, axis, limit) => Joint {
            reference_angle: Some(closed(frames)),
            axis_a: Some(turned(pair(*axis), angle(&frames[0]))),
            limits: limit.and_then(|limit| between(limit.min, limit.max)),
            ..new("slider")
        },
        Kept::Distance(_, limit) if limit.min == limit.max => {
            Joint { length: Some(limit.min.into()), ..new("distance") }
        }
        Kept::Distance(_, limit) => Joint { limits: between(limit.min, limit.max), ..new("distance") },
    };
    Ok(Joint { collide_connected: true, ..joint })
}

/// A body as a scene tells it.
fn described(name: &str, world: &mut World, entity: Entity, left_out: &mut Vec<String>) -> Body {
    let kind = match world.get::<RigidBody>(entity) {
        Some(RigidBody::Dynamic) => Kind::Dynamic,
        Some(RigidBody::Kinematic) => Kind::Kinematic,
        _ => Kind::Fixed,
    };
    let [x, y] = world.get::<Position>(entity).map_or([0.0; 2], |position| pair(position.0));
    let angle = world.get::<Rotation>(entity).map_or(0.0, |rotation| rotation.as_radians().into());
    let mut told = Body { name: name.to_owned(), kind, ..Body::default() }.at(x, y, angle);
    if kind != Kind::Fixed {
        let [v_x, v_y] = world.get::<LinearVelocity>(entity).map_or([0.0; 2], |v| pair(v.0));
        let omega = world.get::<AngularVelocity>(entity).map_or(0.0, |omega| omega.0.into());
        told = told.moving(v_x, v_y, omega);
    }
    let colliders = world.query::<(
        &Collider,
        &ColliderOf,
        Option<&ColliderTransform>,
        Option<&Friction>,
        Option<&Restitution>,
    )>();
    let mut colliders = colliders;
    for (collider, of, place, friction, restitution) in colliders.iter(world) {
        if of.body != entity {
            continue;
        }
        let place = place.map_or([0.0; 3], |place| {
            let [x, y] = pair(place.translation);
            [x, y, place.rotation.as_radians().into()]
        });
        match outline(collider, place) {
            Some(shape) => {
                let [friction, restitution] = [
                    friction.map_or(Friction::default().dynamic_coefficient, |friction| {
                        friction.dynamic_coefficient
                    }),
                    restitution
                        .map_or(Restitution::default().coefficient, |restitution| restitution.coefficient),
                ];
                told.shapes.push(shape.surface(friction.into(), restitution.into()));
            }
            None => left_out.push(format!("a shape of {name}: {:?}", collider.shape().shape_type())),
        }
    }
    if kind == Kind::Dynamic {
        let mass = world.get::<ComputedMass>(entity).map_or(0.0, |mass| f64::from(mass.value()));
        let inertia =
            world.get::<ComputedAngularInertia>(entity).map_or(0.0, |inertia| f64::from(inertia.value()));
        let rate = |damping: Option<f32>, of: f64| {
            damping.filter(|rate| *rate != 0.0).map(|rate| of * f64::from(rate))
        };
        told.mass = Some(mass);
        told.inertia = (inertia > 0.0).then_some(inertia);
        told.gravity_scale =
            world.get::<GravityScale>(entity).map(|scale| scale.0.into()).filter(|scale| *scale != 1.0);
        told.linear_damping = rate(world.get::<LinearDamping>(entity).map(|damping| damping.0), mass);
        told.angular_damping = rate(world.get::<AngularDamping>(entity).map(|damping| damping.0), inertia);
        let center = world.get::<ComputedCenterOfMass>(entity).map_or([0.0; 2], |center| pair(center.0));
        left_out.extend(book::off_center(name, center, &told.shapes));
    }
    told
}

fn outline(collider: &Collider, [x, y, angle]: Pose) -> Option<Shape> {
    let shape = collider.shape_scaled();
    let outline = if let Some(ball) = shape.as_ball() {
        Outline::Circle { radius: ball.radius.into() }
    } else if let Some(cuboid) = shape.as_cuboid() {
        Outline::Box {
            size: [cuboid.half_extents.x, cuboid.half_extents.y].map(|half| 2.0 * f64::from(half)),
        }
    } else if let Some(polygon) = shape.as_convex_polygon() {
        let vertices = polygon.points().iter().map(|point| [point.x.into(), point.y.into()]).collect();
        Outline::Polygon { vertices, radius: 0.0 }
    } else if let Some(round) = shape.as_round_convex_polygon() {
        let points = round.inner_shape.points();
        let vertices = points.iter().map(|point| [point.x.into(), point.y.into()]).collect();
        Outline::Polygon { vertices, radius: round.border_radius.into() }
    } else if let Some(half) = shape.as_halfspace() {
        Outline::HalfPlane { normal: [half.normal.x.into(), half.normal.y.into()] }
    } else {
        let capsule = shape.as_capsule()?;
        let [a, b] = [capsule.segment.a, capsule.segment.b].map(|end| [f64::from(end.x), f64::from(end.y)]);
        let along = sub(b, a);
        let [x, y] = placed([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0], [x, y, angle]);
        let outline = Outline::Capsule { length: along[0].hypot(along[1]), radius: capsule.radius.into() };
        return Some(Shape::at(outline, x, y, angle + along[1].atan2(along[0])));
    };
    Some(Shape::at(outline, x, y, angle))
}
