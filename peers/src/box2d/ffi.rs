//! All calls into Box2D, and all unsafe code of this crate. Outside, a world and what is in it are safe to ask for: an id that
//! names nothing is answered with none.
//!
//! Box2D keeps its worlds and its unit of length in global variables without a lock. Whoever calls it holds the one [`Engine`].
#![allow(unsafe_code)]

pub mod live;

use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use boxdd_sys::{adapter, ffi as b2};

use super::plain::{angle, body_key, pair, told_contact, vec2};
pub use super::told::*;

static ENGINE: Mutex<()> = Mutex::new(());

/// The right to call Box2D: one thread at a time has it.
pub struct Engine {
    _held: MutexGuard<'static, ()>,
}

impl Engine {
    /// Waits until no other thread calls Box2D.
    pub fn take() -> Self {
        Self { _held: ENGINE.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// An empty world.
    pub fn world(&self, gravity: [f32; 2]) -> World<'_> {
        // SAFETY: the definition is Box2D's own default; no other thread is in Box2D.
        let id = unsafe {
            let mut definition = b2::b2DefaultWorldDef();
            definition.gravity = vec2(gravity);
            b2::b2CreateWorld(&definition)
        };
        World { id, owned: true, engine: PhantomData }
    }

    /// A world from a snapshot; none if Box2D refuses it.
    pub fn world_from(&self, image: &[u8]) -> Option<World<'_>> {
        let size = i32::try_from(image.len()).ok()?;
        // SAFETY: pointer and size are those of one slice, of which Box2D keeps nothing.
        let id = unsafe { b2::b2CreateWorldFromSnapshot(image.as_ptr(), size, 0) };
        // SAFETY: any value of an id may be asked for.
        unsafe { b2::b2World_IsValid(id) }.then_some(World { id, owned: true, engine: PhantomData })
    }

    /// A player of a recording; none if Box2D refuses it.
    pub fn player(&self, recording: &[u8]) -> Option<Player<'_>> {
        let size = i32::try_from(recording.len()).ok()?;
        // SAFETY: pointer and size are those of one slice, which Box2D copies.
        let player = unsafe { b2::b2RecPlayer_Create(recording.as_ptr().cast(), size, 0) };
        NonNull::new(player).map(|player| Player { player, engine: PhantomData })
    }

    /// Whether a snapshot's counts, references and values hold together; else the adapter's number of what is wrong.
    pub fn validate_snapshot(&self, image: &[u8]) -> Result<(), u32> {
        let limits = adapter::SnapshotLimits::default();
        let mut facts = adapter::SnapshotFacts::default();
        facts.struct_size = size_of_val(&facts) as u32;
        facts.version = adapter::SNAPSHOT_FACTS_VERSION;
        let mut validate = |entries: &mut [adapter::SnapshotEntry]| {
            let (size, count, mut required) = (image.len(), entries.len(), 0);
            let first = if count == 0 { std::ptr::null_mut() } else { entries.as_mut_ptr() };
            let image = image.as_ptr();
            // SAFETY: sizes are those of the slices; without entries it only counts them.
            let status = unsafe {
                adapter::boxddSnapshot_Validate(
                    image,
                    size,
                    &limits,
                    &mut facts,
                    first,
                    count,
                    &mut required,
                )
            };
            (status, required)
        };
        let (status, count) = validate(&mut []);
        if status != adapter::SNAPSHOT_OK && status != adapter::SNAPSHOT_BUFFER_TOO_SMALL {
            return Err(status);
        }
        let (status, _) = validate(&mut vec![adapter::SnapshotEntry::default(); count]);
        if status == adapter::SNAPSHOT_OK { Ok(()) } else { Err(status) }
    }
}

/// A recording that Box2D plays.
pub struct Player<'e> {
    player: NonNull<b2::b2RecPlayer>,
    engine: PhantomData<&'e Engine>,
}

impl Player<'_> {
    /// Makes the next step with all calls that follow it up to the next one. Whether there was one.
    pub fn step(&mut self) -> bool {
        // SAFETY: the player lives as long as `self`; nobody borrows its world, since that borrows `self`.
        unsafe { b2::b2RecPlayer_StepFrame(self.player.as_ptr()) }
    }

    /// Keeps no states for going back.
    pub fn forward_only(&mut self) {
        // SAFETY: as above.
        unsafe { b2::b2RecPlayer_SetKeyframePolicy(self.player.as_ptr(), 1, i32::MAX) }
    }

    /// Its world as it is now.
    pub fn world(&self) -> World<'_> {
        // SAFETY: as above.
        let id = unsafe { b2::b2RecPlayer_GetWorldId(self.player.as_ptr()) };
        World { id, owned: false, engine: PhantomData }
    }

    /// All bodies so far in the order in which they came; none for one that is gone.
    pub fn bodies(&self) -> Vec<Option<Key>> {
        let player = self.player.as_ptr();
        // SAFETY: the places asked for are those that the player counts.
        let ids = unsafe {
            let count = b2::b2RecPlayer_GetBodyCount(player);
            (0..count).map(|place| b2::b2RecPlayer_GetBodyId(player, place))
        };
        ids.map(|id| (id.index1 != 0).then_some(body_key(id))).collect()
    }

    /// Whether everything read so far was well-formed.
    pub fn is_healthy(&self) -> bool {
        // SAFETY: the player lives as long as `self`.
        unsafe { adapter::boxddRecPlayer_IsHealthy(self.player.as_ptr()) }
    }

    /// The first step after which the replay's state was not the recorded one.
    pub fn diverged_at(&self) -> Option<i32> {
        let player = self.player.as_ptr();
        // SAFETY: as above.
        let (diverged, at) =
            unsafe { (b2::b2RecPlayer_HasDiverged(player), b2::b2RecPlayer_GetDivergeFrame(player)) };
        diverged.then_some(at)
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        // SAFETY: it is destroyed once.
        unsafe { b2::b2RecPlayer_Destroy(self.player.as_ptr()) }
    }
}

/// What two calls say that a body has.
macro_rules! list_of {
    ($body:ident, $id:ident, $count:ident, $list:ident) => {{
        // SAFETY: the body was found valid; the buffer has the size that the call is told, and what it wrote is counted.
        unsafe {
            let count = b2::$count($body).max(0);
            let mut ids = vec![b2::$id { index1: 0, world0: 0, generation: 0 }; count as usize];
            let written = b2::$list($body, ids.as_mut_ptr(), count);
            ids.truncate(usize::try_from(written).unwrap_or(0));
            ids
        }
    }};
}

/// A world of Box2D.
pub struct World<'e> {
    id: b2::b2WorldId,
    owned: bool,
    engine: PhantomData<&'e Engine>,
}

impl Drop for World<'_> {
    fn drop(&mut self) {
        if self.owned {
            // SAFETY: it is destroyed once, by the thread that has the engine.
            unsafe { b2::b2DestroyWorld(self.id) }
        }
    }
}

impl World<'_> {
    /// Makes a step of `h` s in `substeps` parts.
    pub fn step(&self, h: f32, substeps: i32) {
        // SAFETY: the world is valid and not in a step.
        unsafe { b2::b2World_Step(self.id, h, substeps.max(1)) }
    }

    /// Its whole state, in `image`; whether it could be written.
    pub fn snapshot(&self, image: &mut Vec<u8>) -> bool {
        // SAFETY: without a buffer the call only counts.
        let size = unsafe { b2::b2World_Snapshot(self.id, std::ptr::null_mut(), 0) };
        image.resize(usize::try_from(size).unwrap_or(0), 0);
        // SAFETY: the buffer has the size given.
        size > 0 && unsafe { b2::b2World_Snapshot(self.id, image.as_mut_ptr(), size) } == size
    }

    /// Goes back to a state; whether it could.
    pub fn restore(&self, image: &[u8]) -> bool {
        // SAFETY: pointer and size are those of one slice, of which Box2D keeps nothing.
        i32::try_from(image.len())
            .is_ok_and(|size| unsafe { b2::b2World_Restore(self.id, image.as_ptr(), size) })
    }

    /// From here on nothing rebounds.
    pub fn without_rebound(&self) {
        // SAFETY: the world is valid.
        unsafe { b2::b2World_SetRestitutionThreshold(self.id, f32::MAX) }
    }

    /// Gravity, m/s².
    pub fn gravity(&self) -> [f64; 2] {
        // SAFETY: the world is valid.
        pair(unsafe { b2::b2World_GetGravity(self.id) })
    }

    fn body_id(&self, key: Key) -> Option<b2::b2BodyId> {
        let id = b2::b2BodyId { index1: key.index, world0: self.id.index1 - 1, generation: key.generation };
        // SAFETY: any value of an id may be asked for.
        unsafe { b2::b2Body_IsValid(id) }.then_some(id)
    }

    fn joint_id(&self, key: Key) -> Option<b2::b2JointId> {
        let id =
            b2::b2JointId { index1: key.index, world0: self.id.index1 - 1, generation: key.generation };
        // SAFETY: any value of an id may be asked for.
        unsafe { b2::b2Joint_IsValid(id) }.then_some(id)
    }

    /// Where a body is and how it moves.
    pub fn moment(&self, key: Key) -> Option<Moment> {
        let id = self.body_id(key)?;
        // SAFETY: the id was found valid.
        Some(unsafe {
            let place = b2::b2Body_GetTransform(id);
            Moment {
                origin: pair(place.p),
                turn: [f64::from(place.q.c), f64::from(place.q.s)],
                center: pair(b2::b2Body_GetWorldCenter(id)),
                velocity: pair(b2::b2Body_GetLinearVelocity(id)),
                spin: f64::from(b2::b2Body_GetAngularVelocity(id)),
                awake: b2::b2Body_IsAwake(id) && b2::b2Body_IsEnabled(id),
            }
        })
    }

    /// What of a body seldom changes.
    pub fn body(&self, key: Key) -> Option<Body> {
        let id = self.body_id(key)?;
        // SAFETY: the id was found valid; the name is text of Box2D's that ends in 0, or null.
        Some(unsafe {
            let locks = b2::b2Body_GetMotionLocks(id);
            let name = b2::b2Body_GetName(id);
            Body {
                name: if name.is_null() {
                    String::new()
                } else {
                    CStr::from_ptr(name).to_string_lossy().into_owned()
                },
                kind: match b2::b2Body_GetType(id) {
                    b2::b2BodyType_b2_dynamicBody => BodyKind::Dynamic,
                    b2::b2BodyType_b2_kinematicBody => BodyKind::Kinematic,
                    _ => BodyKind::Static,
                },
                mass: f64::from(b2::b2Body_GetMass(id)),
                inertia: f64::from(b2::b2Body_GetRotationalInertia(id)),
                center: pair(b2::b2Body_GetLocalCenter(id)),
                gravity_scale: f64::from(b2::b2Body_GetGravityScale(id)),
                damping: f64::from(b2::b2Body_GetLinearDamping(id)),
                angular_damping: f64::from(b2::b2Body_GetAngularDamping(id)),
                locks: [locks.linearX, locks.linearY, locks.angularZ],
                enabled: b2::b2Body_IsEnabled(id),
            }
        })
    }

    /// The shapes of a body in the order in which they came.
    pub fn shapes(&self, key: Key) -> Vec<Shape> {
        let Some(id) = self.body_id(key) else { return Vec::new() };
        let ids = list_of!(id, b2ShapeId, b2Body_GetShapeCount, b2Body_GetShapes);
        // SAFETY: the ids come from the body itself, and each is found valid; a shape is read as what it is.
        ids.into_iter()
            .rev()
            .filter(|id| unsafe { b2::b2Shape_IsValid(*id) })
            .map(|id| unsafe { shape(id) })
            .collect()
    }

    /// The joints of a body.
    pub fn joints_of(&self, key: Key) -> Vec<Key> {
        let Some(id) = self.body_id(key) else { return Vec::new() };
        let ids = list_of!(id, b2JointId, b2Body_GetJointCount, b2Body_GetJoints);
        ids.into_iter().map(|id| Key { index: id.index1, generation: id.generation }).collect()
    }

    /// A joint as it is set up now.
    pub fn joint(&self, key: Key) -> Option<Joint> {
        let id = self.joint_id(key)?;
        // SAFETY: the id was found valid; each getter is that of the joint's own kind.
        Some(unsafe {
            let (frame_a, frame_b) = (b2::b2Joint_GetLocalFrameA(id), b2::b2Joint_GetLocalFrameB(id));
            let (mut hertz, mut damping_ratio) = (0.0, 0.0);
            b2::b2Joint_GetConstraintTuning(id, &mut hertz, &mut damping_ratio);
            Joint {
                bodies: [body_key(b2::b2Joint_GetBodyA(id)), body_key(b2::b2Joint_GetBodyB(id))],
                anchors: [pair(frame_a.p), pair(frame_b.p)],
                angles: [angle(frame_a.q), angle(frame_b.q)],
                collide: b2::b2Joint_GetCollideConnected(id),
                tuning: [hertz.into(), damping_ratio.into()],
                kind: joint_kind(id),
            }
        })
    }

    /// What a joint did in the last substep, and how far it is open.
    pub fn reading(&self, key: Key) -> Option<Reading> {
        let id = self.joint_id(key)?;
        // SAFETY: the id was found valid; each getter is that of the joint's own kind.
        Some(unsafe {
            let motor = match b2::b2Joint_GetType(id) {
                b2::b2JointType_b2_revoluteJoint => b2::b2RevoluteJoint_GetMotorTorque(id),
                b2::b2JointType_b2_prismaticJoint => b2::b2PrismaticJoint_GetMotorForce(id),
                b2::b2JointType_b2_wheelJoint => b2::b2WheelJoint_GetMotorTorque(id),
                _ => 0.0,
            };
            Reading {
                force: pair(b2::b2Joint_GetConstraintForce(id)),
                torque: b2::b2Joint_GetConstraintTorque(id).into(),
                motor: motor.into(),
                linear: b2::b2Joint_GetLinearSeparation(id).into(),
                angular: b2::b2Joint_GetAngularSeparation(id).into(),
            }
        })
    }

    /// The contacts of which a body is the first one.
    pub fn contacts(&self, key: Key, into: &mut Vec<Contact>) {
        let Some(id) = self.body_id(key) else { return };
        // SAFETY: the id was found valid; the buffer has the capacity that the call is told, and only what it wrote is taken to
        // be there. The shapes are those of a contact that exists.
        unsafe {
            let capacity = b2::b2Body_GetContactCapacity(id).max(0);
            let mut data = Vec::<b2::b2ContactData>::with_capacity(capacity as usize);
            let written = b2::b2Body_GetContactData(id, data.as_mut_ptr(), capacity);
            data.set_len(usize::try_from(written).unwrap_or(0));
            for contact in data {
                let [a, b] =
                    [contact.shapeIdA, contact.shapeIdB].map(|id| body_key(b2::b2Shape_GetBody(id)));
                if a == key {
                    into.push(told_contact(&contact, [a, b]));
                }
            }
        }
    }
}

/// # Safety
/// The id is that of a shape that exists.
unsafe fn shape(id: b2::b2ShapeId) -> Shape {
    // SAFETY: the caller vouches for the id; each geometry is read only of a shape of that type.
    unsafe {
        let geometry = match b2::b2Shape_GetType(id) {
            b2::b2ShapeType_b2_circleShape => {
                let circle = b2::b2Shape_GetCircle(id);
                Geometry::Circle { center: pair(circle.center), radius: circle.radius.into() }
            }
            b2::b2ShapeType_b2_capsuleShape => {
                let capsule = b2::b2Shape_GetCapsule(id);
                Geometry::Capsule {
                    ends: [pair(capsule.center1), pair(capsule.center2)],
                    radius: capsule.radius.into(),
                }
            }
            b2::b2ShapeType_b2_polygonShape => {
                let polygon = b2::b2Shape_GetPolygon(id);
                let count = usize::try_from(polygon.count).unwrap_or(0);
                let vertices = polygon.vertices.into_iter().take(count).map(pair).collect();
                Geometry::Polygon { vertices, radius: polygon.radius.into() }
            }
            b2::b2ShapeType_b2_chainSegmentShape => {
                let segment = b2::b2Shape_GetChainSegment(id).segment;
                let chain = b2::b2Shape_GetParentChain(id).index1;
                Geometry::Segment { ends: [pair(segment.point1), pair(segment.point2)], chain: Some(chain) }
            }
            _ => {
                let segment = b2::b2Shape_GetSegment(id);
                Geometry::Segment { ends: [pair(segment.point1), pair(segment.point2)], chain: None }
            }
        };
        let material = b2::b2Shape_GetSurfaceMaterial(id);
        let filter = b2::b2Shape_GetFilter(id);
        Shape {
            geometry,
            density: b2::b2Shape_GetDensity(id).into(),
            friction: material.friction.into(),
            restitution: material.restitution.into(),
            rolling_resistance: material.rollingResistance.into(),
            tangent_speed: material.tangentSpeed.into(),
            categories: filter.categoryBits,
            mask: filter.maskBits,
            group: filter.groupIndex,
            sensor: b2::b2Shape_IsSensor(id),
        }
    }
}

/// Two numbers of a joint if a third call says that they count.
macro_rules! pair_if {
    ($id:ident, $on:ident, $first:ident, $second:ident) => {
        b2::$on($id).then(|| [b2::$first($id).into(), b2::$second($id).into()])
    };
}

/// The spring of a joint if there is one.
macro_rules! spring_if {
    ($id:ident, $on:ident, $hertz:ident, $ratio:ident, $target:expr) => {
        b2::$on($id).then(|| Spring {
            hertz: b2::$hertz($id).into(),
            damping_ratio: b2::$ratio($id).into(),
            target: $target.into(),
        })
    };
}

/// # Safety
/// The id is that of a joint that exists.
#[rustfmt::skip]
unsafe fn joint_kind(id: b2::b2JointId) -> JointKind {
    // SAFETY: the caller vouches for the id; each getter is that of the joint's own kind.
    unsafe {
        match b2::b2Joint_GetType(id) {
            b2::b2JointType_b2_revoluteJoint => JointKind::Revolute {
                limits: pair_if!(id, b2RevoluteJoint_IsLimitEnabled, b2RevoluteJoint_GetLowerLimit, b2RevoluteJoint_GetUpperLimit),
                motor: pair_if!(id, b2RevoluteJoint_IsMotorEnabled, b2RevoluteJoint_GetMotorSpeed, b2RevoluteJoint_GetMaxMotorTorque),
                spring: spring_if!(id, b2RevoluteJoint_IsSpringEnabled, b2RevoluteJoint_GetSpringHertz,
                    b2RevoluteJoint_GetSpringDampingRatio, b2::b2RevoluteJoint_GetTargetAngle(id)),
            },
            b2::b2JointType_b2_prismaticJoint => JointKind::Prismatic {
                limits: pair_if!(id, b2PrismaticJoint_IsLimitEnabled,
                    b2PrismaticJoint_GetLowerLimit, b2PrismaticJoint_GetUpperLimit),
                motor: pair_if!(id, b2PrismaticJoint_IsMotorEnabled,
                    b2PrismaticJoint_GetMotorSpeed, b2PrismaticJoint_GetMaxMotorForce),
                spring: spring_if!(id, b2PrismaticJoint_IsSpringEnabled, b2PrismaticJoint_GetSpringHertz,
                    b2PrismaticJoint_GetSpringDampingRatio, b2::b2PrismaticJoint_GetTargetTranslation(id)),
            },
            b2::b2JointType_b2_wheelJoint => JointKind::Wheel {
                limits: pair_if!(id, b2WheelJoint_IsLimitEnabled, b2WheelJoint_GetLowerLimit, b2WheelJoint_GetUpperLimit),
                motor: pair_if!(id, b2WheelJoint_IsMotorEnabled, b2WheelJoint_GetMotorSpeed, b2WheelJoint_GetMaxMotorTorque),
                spring: spring_if!(id, b2WheelJoint_IsSpringEnabled, b2WheelJoint_GetSpringHertz,
                    b2WheelJoint_GetSpringDampingRatio, 0.0),
            },
            b2::b2JointType_b2_distanceJoint => JointKind::Distance {
                length: b2::b2DistanceJoint_GetLength(id).into(),
                limits: pair_if!(id, b2DistanceJoint_IsLimitEnabled, b2DistanceJoint_GetMinLength, b2DistanceJoint_GetMaxLength),
                motor: b2::b2DistanceJoint_IsMotorEnabled(id),
                spring: spring_if!(id, b2DistanceJoint_IsSpringEnabled, b2DistanceJoint_GetSpringHertz,
                    b2DistanceJoint_GetSpringDampingRatio, b2::b2DistanceJoint_GetLength(id)),
            },
            b2::b2JointType_b2_weldJoint => JointKind::Weld {
                linear: [b2::b2WeldJoint_GetLinearHertz(id).into(), b2::b2WeldJoint_GetLinearDampingRatio(id).into()],
                angular: [b2::b2WeldJoint_GetAngularHertz(id).into(), b2::b2WeldJoint_GetAngularDampingRatio(id).into()],
            },
            b2::b2JointType_b2_motorJoint => JointKind::Motor,
            _ => JointKind::Filter,
        }
    }
}

/// Worlds built here: what a recording is made of.
impl World<'_> {
    /// Adds a body without shapes.
    pub fn add_body(&self, kind: BodyKind, [x, y]: [f32; 2], angle: f32) -> Key {
        // SAFETY: the definition is Box2D's own default with finite numbers.
        body_key(unsafe {
            let mut definition = b2::b2DefaultBodyDef();
            definition.type_ = kind as b2::b2BodyType;
            definition.position = vec2([x, y]);
            definition.rotation = b2::b2Rot { c: angle.cos(), s: angle.sin() };
            b2::b2CreateBody(self.id, &definition)
        })
    }

    /// Adds a shape to a body, of a density in kg/m², with Coulomb's μ and a coefficient of restitution.
    pub fn add_shape(&self, body: Key, outline: Outline, [density, friction, restitution]: [f32; 3]) {
        let Some(body) = self.body_id(body) else { return };
        // SAFETY: the id was found valid; the definition is Box2D's own default with finite numbers.
        unsafe {
            let mut definition = b2::b2DefaultShapeDef();
            definition.density = density;
            definition.material.friction = friction;
            definition.material.restitution = restitution;
            match outline {
                Outline::Box(w, h) => {
                    b2::b2CreatePolygonShape(body, &definition, &b2::b2MakeBox(w / 2.0, h / 2.0));
                }
                Outline::Circle(radius) => {
                    let circle = b2::b2Circle { center: vec2([0.0; 2]), radius };
                    b2::b2CreateCircleShape(body, &definition, &circle);
                }
                Outline::Capsule(length, radius) => {
                    let [center1, center2] = [vec2([-length / 2.0, 0.0]), vec2([length / 2.0, 0.0])];
                    let capsule = b2::b2Capsule { center1, center2, radius };
                    b2::b2CreateCapsuleShape(body, &definition, &capsule);
                }
            }
        }
    }

    /// Adds a joint of Box2D's default values for what `kind` does not state.
    #[rustfmt::skip]
    pub fn add_joint(&self, bodies: [Key; 2], anchors: [[f32; 2]; 2], kind: JointKind) -> Option<Key> {
        let [a, b] = [self.body_id(bodies[0])?, self.body_id(bodies[1])?];
        macro_rules! make {
            ($default:ident, $create:ident, |$d:ident| $set:block) => {{
                let mut $d = b2::$default();
                $d.base.bodyIdA = a;
                $d.base.bodyIdB = b;
                $d.base.localFrameA.p = vec2(anchors[0]);
                $d.base.localFrameB.p = vec2(anchors[1]);
                $set
                b2::$create(self.id, &$d)
            }};
        }
        macro_rules! drive {
            ($d:ident, $motor:expr, $most:ident) => {
                if let Some([speed, most]) = $motor {
                    ($d.enableMotor, $d.motorSpeed, $d.$most) = (true, speed as f32, most as f32);
                }
            };
        }
        // SAFETY: both ids were found valid; the definitions are Box2D's own defaults with finite numbers.
        let id = unsafe {
            match kind {
                JointKind::Revolute { limits, motor, .. } => {
                    make!(b2DefaultRevoluteJointDef, b2CreateRevoluteJoint, |d| {
                        drive!(d, motor, maxMotorTorque);
                        if let Some([lower, upper]) = limits {
                            (d.enableLimit, d.lowerAngle, d.upperAngle) = (true, lower as f32, upper as f32);
                        }
                    })
                }
                JointKind::Prismatic { motor, .. } =>
                    make!(b2DefaultPrismaticJointDef, b2CreatePrismaticJoint, |d| { drive!(d, motor, maxMotorForce); }),
                JointKind::Wheel { motor, .. } =>
                    make!(b2DefaultWheelJointDef, b2CreateWheelJoint, |d| { drive!(d, motor, maxMotorTorque); }),
                JointKind::Distance { length, .. } =>
                    make!(b2DefaultDistanceJointDef, b2CreateDistanceJoint, |d| { d.length = length as f32; }),
                JointKind::Weld { .. } => make!(b2DefaultWeldJointDef, b2CreateWeldJoint, |d| { _ = &mut d; }),
                JointKind::Motor => make!(b2DefaultMotorJointDef, b2CreateMotorJoint, |d| {
                    (d.linearHertz, d.linearDampingRatio, d.maxSpringForce) = (4.0, 1.0, 100.0);
                }),
                JointKind::Filter => return None,
            }
        };
        Some(Key { index: id.index1, generation: id.generation })
    }

    /// Takes a body out with its shapes and joints.
    pub fn remove_body(&self, body: Key) {
        if let Some(id) = self.body_id(body) {
            // SAFETY: the id was found valid.
            unsafe { b2::b2DestroyBody(id) }
        }
    }

    /// Hits a body at its centre with an impulse, N s, and pulls it there with a force, N, over the next step.
    pub fn push(&self, body: Key, impulse: [f32; 2], force: [f32; 2]) {
        if let Some(id) = self.body_id(body) {
            // SAFETY: the id was found valid.
            unsafe {
                b2::b2Body_ApplyLinearImpulseToCenter(id, vec2(impulse), true);
                b2::b2Body_ApplyForceToCenter(id, vec2(force), true);
            }
        }
    }

    /// Whether bodies may fall asleep.
    pub fn let_sleep(&self, may: bool) {
        // SAFETY: the world is valid.
        unsafe { b2::b2World_EnableSleeping(self.id, may) }
    }

    /// Everything that is called in `run`, as Box2D records it; none if it could not.
    pub fn record(&self, run: impl FnOnce(&Self)) -> Option<Vec<u8>> {
        // SAFETY: the recording is stopped before it is read, read before it is destroyed, and destroyed once.
        unsafe {
            let recording = NonNull::new(b2::b2CreateRecording(0))?.as_ptr();
            b2::b2World_StartRecording(self.id, recording);
            run(self);
            b2::b2World_StopRecording(self.id);
            let (data, size) = (b2::b2Recording_GetData(recording), b2::b2Recording_GetSize(recording));
            let bytes = usize::try_from(size)
                .ok()
                .filter(|_| !data.is_null())
                .map(|size| std::slice::from_raw_parts(data, size).to_vec());
            b2::b2DestroyRecording(recording);
            bytes
        }
    }
}
