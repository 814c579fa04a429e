//! Worlds that stay between two calls, and all that a live world asks of Box2D beside what a recording does.
//!
//! All numbers are finite and in the ranges that the types state: the callers have checked them, since Box2D answers others with
//! a failed assertion.

use boxdd_sys::ffi as b2;

use super::super::plain::{body_key, vec2};
use super::super::told::{BodyKind, Key};
use super::{Engine, World};

/// Calls the setters of a joint's own kind, and none for another kind.
macro_rules! set {
    ($world:expr, $joint:expr, { $($kind:ident => $($setter:ident($value:expr)),+;)+ }) => {
        let Some(id) = $world.joint_id($joint) else { return };
        // SAFETY: the id was found valid; each setter is that of the joint's own kind.
        unsafe {
            match b2::b2Joint_GetType(id) {
                $(b2::$kind => { $(b2::$setter(id, $value);)+ })+
                _ => {}
            }
        }
    };
}

/// A world without the right to call Box2D; it is destroyed when it is dropped.
#[derive(Debug)]
pub struct Kept(b2::b2WorldId);

impl Kept {
    /// The world, for somebody who has the right.
    pub fn with<'e>(&'e self, _engine: &'e Engine) -> World<'e> {
        World { id: self.0, owned: false, engine: std::marker::PhantomData }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _engine = Engine::take();
        // SAFETY: it is destroyed once, by the thread that has the engine.
        unsafe { b2::b2DestroyWorld(self.0) }
    }
}

/// How a coefficient of two surfaces is combined.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mixed {
    /// (x + y)/2.
    Mean,
    /// √(x y).
    Geometric,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// x y.
    Product,
}

unsafe extern "C" fn mean(x: f32, _: u64, y: f32, _: u64) -> f32 {
    0.5 * (x + y)
}

unsafe extern "C" fn geometric(x: f32, _: u64, y: f32, _: u64) -> f32 {
    (x * y).sqrt()
}

unsafe extern "C" fn least(x: f32, _: u64, y: f32, _: u64) -> f32 {
    x.min(y)
}

unsafe extern "C" fn most(x: f32, _: u64, y: f32, _: u64) -> f32 {
    x.max(y)
}

unsafe extern "C" fn product(x: f32, _: u64, y: f32, _: u64) -> f32 {
    x * y
}

impl Mixed {
    fn callback(self) -> unsafe extern "C" fn(f32, u64, f32, u64) -> f32 {
        match self {
            Self::Mean => mean,
            Self::Geometric => geometric,
            Self::Min => least,
            Self::Max => most,
            Self::Product => product,
        }
    }
}

/// Settings of a world, all of them finite and not negative but for gravity.
#[derive(Clone, Copy, Debug)]
pub struct WorldDef {
    pub gravity: [f32; 2],
    pub restitution_threshold: f32,
    pub contact_hertz: f32,
    pub contact_damping_ratio: f32,
    pub contact_speed: f32,
    pub maximum_linear_speed: f32,
    pub continuous: bool,
    pub contact_softening: bool,
    pub warm_starting: bool,
    pub friction: Mixed,
    pub restitution: Mixed,
}

/// A body that never sleeps.
#[derive(Clone, Copy, Debug)]
pub struct BodyDef {
    pub kind: BodyKind,
    /// Its origin, which is its centre of mass, m.
    pub position: [f32; 2],
    /// Cosine and sine of its angle.
    pub turn: [f32; 2],
    pub velocity: [f32; 2],
    pub spin: f32,
    /// Rates, 1/s.
    pub damping: f32,
    pub angular_damping: f32,
    pub gravity_scale: f32,
    pub contact_recycling: bool,
}

/// An outline about a body's origin, m.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Circle { center: [f32; 2], radius: f32 },
    Capsule { ends: [[f32; 2]; 2], radius: f32 },
    Segment { ends: [[f32; 2]; 2] },
    Rectangle { half: [f32; 2], center: [f32; 2], turn: [f32; 2], radius: f32 },
    Polygon { corners: Vec<[f32; 2]>, radius: f32 },
}

/// The surface of a shape and whom it touches.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    pub friction: f32,
    pub restitution: f32,
    pub rolling_resistance: f32,
    pub tangent_speed: f32,
    pub categories: u64,
    pub mask: u64,
    pub group: i32,
}

/// A joint's kind: limits [lower, upper], motors [speed, largest torque or force], springs [hertz, damping ratio].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    Revolute {
        limits: Option<[f32; 2]>,
        motor: Option<[f32; 2]>,
    },
    Prismatic {
        limits: Option<[f32; 2]>,
        motor: Option<[f32; 2]>,
    },
    Wheel {
        limits: Option<[f32; 2]>,
        motor: Option<[f32; 2]>,
        spring: Option<[f32; 2]>,
    },
    Rod {
        length: f32,
    },
    Rope {
        limits: [f32; 2],
    },
    Spring {
        length: f32,
        spring: [f32; 2],
    },
    Weld,
    /// Springs towards a pose, each with its largest force or torque.
    Motor {
        linear: Option<[f32; 3]>,
        angular: Option<[f32; 3]>,
    },
}

/// A joint: its frames in the bodies are points and [cosine, sine].
#[derive(Clone, Copy, Debug)]
pub struct JointDef {
    pub bodies: [Key; 2],
    pub points: [[f32; 2]; 2],
    pub turns: [[f32; 2]; 2],
    pub collide: bool,
    pub hertz: f32,
    pub damping_ratio: f32,
    pub link: Link,
}

fn rot([c, s]: [f32; 2]) -> b2::b2Rot {
    b2::b2Rot { c, s }
}

impl Engine {
    /// An empty world in which nothing sleeps; none if there are as many worlds as Box2D can have.
    pub fn live_world(&self, def: &WorldDef) -> Option<World<'_>> {
        // SAFETY: the definition is Box2D's own default with checked numbers; an id may be asked for whatever it is.
        unsafe {
            let mut definition = b2::b2DefaultWorldDef();
            definition.gravity = vec2(def.gravity);
            definition.restitutionThreshold = def.restitution_threshold;
            definition.contactHertz = def.contact_hertz;
            definition.contactDampingRatio = def.contact_damping_ratio;
            definition.contactSpeed = def.contact_speed;
            definition.maximumLinearSpeed = def.maximum_linear_speed;
            definition.enableContinuous = def.continuous;
            definition.enableContactSoftening = def.contact_softening;
            definition.enableSleep = false;
            if def.friction != Mixed::Geometric {
                definition.frictionCallback = Some(def.friction.callback());
            }
            if def.restitution != Mixed::Max {
                definition.restitutionCallback = Some(def.restitution.callback());
            }
            let id = b2::b2CreateWorld(&definition);
            if !b2::b2World_IsValid(id) {
                return None;
            }
            b2::b2World_EnableWarmStarting(id, def.warm_starting);
            Some(World { id, owned: true, engine: std::marker::PhantomData })
        }
    }
}

impl World<'_> {
    /// Keeps the world beyond the right to call Box2D.
    pub fn keep(mut self) -> Kept {
        self.owned = false;
        Kept(self.id)
    }

    /// Changes gravity, m/s².
    pub fn set_gravity(&self, gravity: [f32; 2]) {
        // SAFETY: the world is valid, the numbers are finite.
        unsafe { b2::b2World_SetGravity(self.id, vec2(gravity)) }
    }

    /// Adds a body without shapes.
    pub fn create_body(&self, def: &BodyDef) -> Key {
        // SAFETY: the definition is Box2D's own default with checked numbers.
        body_key(unsafe {
            let mut definition = b2::b2DefaultBodyDef();
            definition.type_ = def.kind as b2::b2BodyType;
            definition.position = vec2(def.position);
            definition.rotation = rot(def.turn);
            definition.linearVelocity = vec2(def.velocity);
            definition.angularVelocity = def.spin;
            definition.linearDamping = def.damping;
            definition.angularDamping = def.angular_damping;
            definition.gravityScale = def.gravity_scale;
            definition.enableSleep = false;
            definition.enableContactRecycling = def.contact_recycling;
            b2::b2CreateBody(self.id, &definition)
        })
    }

    /// Adds a shape without density, after which the body has no mass; whether Box2D takes it as it is, without merging corners.
    pub fn create_shape(&self, body: Key, form: &Form, surface: &Surface) -> bool {
        let Some(body) = self.body_id(body) else { return false };
        // SAFETY: the id was found valid; the definition is Box2D's own default with checked numbers; a polygon is made of
        // corners that Box2D has found convex.
        unsafe {
            let mut definition = b2::b2DefaultShapeDef();
            definition.density = 0.0;
            definition.material.friction = surface.friction;
            definition.material.restitution = surface.restitution;
            definition.material.rollingResistance = surface.rolling_resistance;
            definition.material.tangentSpeed = surface.tangent_speed;
            definition.filter.categoryBits = surface.categories;
            definition.filter.maskBits = surface.mask;
            definition.filter.groupIndex = surface.group;
            match form {
                Form::Circle { center, radius } => {
                    let circle = b2::b2Circle { center: vec2(*center), radius: *radius };
                    b2::b2CreateCircleShape(body, &definition, &circle);
                }
                Form::Capsule { ends, radius } => {
                    let [center1, center2] = ends.map(vec2);
                    let capsule = b2::b2Capsule { center1, center2, radius: *radius };
                    b2::b2CreateCapsuleShape(body, &definition, &capsule);
                }
                Form::Segment { ends } => {
                    let [point1, point2] = ends.map(vec2);
                    b2::b2CreateSegmentShape(body, &definition, &b2::b2Segment { point1, point2 });
                }
                Form::Rectangle { half: [x, y], center, turn, radius } => {
                    let polygon = b2::b2MakeOffsetRoundedBox(*x, *y, vec2(*center), rot(*turn), *radius);
                    b2::b2CreatePolygonShape(body, &definition, &polygon);
                }
                Form::Polygon { corners, radius } => {
                    let Some(hull) = hull(corners) else { return false };
                    b2::b2CreatePolygonShape(body, &definition, &b2::b2MakePolygon(&hull, *radius));
                }
            }
        }
        true
    }

    /// Gives a body its mass, kg, and moment of inertia, kg m²; without one, 0, nothing turns it. Its centre is its origin.
    pub fn set_mass(&self, body: Key, mass: f32, inertia: f32) {
        if let Some(id) = self.body_id(body) {
            let data = b2::b2MassData { mass, center: vec2([0.0; 2]), rotationalInertia: inertia };
            // SAFETY: the id was found valid; the numbers are finite and not negative.
            unsafe { b2::b2Body_SetMassData(id, data) }
        }
    }

    /// Puts a body somewhere else; all its contacts are forgotten, and it stands still.
    pub fn put(&self, body: Key, position: [f32; 2], turn: [f32; 2]) {
        if let Some(id) = self.body_id(body) {
            // SAFETY: the id was found valid; the numbers are finite, cosine and sine those of an angle.
            unsafe {
                b2::b2Body_Disable(id);
                b2::b2Body_SetTransform(id, vec2(position), rot(turn));
                b2::b2Body_Enable(id);
            }
        }
    }

    /// Gives a body a velocity.
    pub fn set_velocity(&self, body: Key, velocity: [f32; 2], spin: f32) {
        if let Some(id) = self.body_id(body) {
            // SAFETY: the id was found valid; the numbers are finite.
            unsafe {
                b2::b2Body_SetLinearVelocity(id, vec2(velocity));
                b2::b2Body_SetAngularVelocity(id, spin);
            }
        }
    }

    /// Applies a force at the centre of a body, N, and a torque, N m, over the next step.
    pub fn apply(&self, body: Key, force: [f32; 2], torque: f32) {
        if let Some(id) = self.body_id(body) {
            // SAFETY: the id was found valid; the numbers are finite.
            unsafe {
                b2::b2Body_ApplyForceToCenter(id, vec2(force), true);
                b2::b2Body_ApplyTorque(id, torque, true);
            }
        }
    }

    /// Adds a joint.
    #[rustfmt::skip]
    pub fn create_joint(&self, def: &JointDef) -> Option<Key> {
        let [a, b] = [self.body_id(def.bodies[0])?, self.body_id(def.bodies[1])?];
        macro_rules! make {
            ($default:ident, $create:ident, |$d:ident| $set:block) => {{
                let mut $d = b2::$default();
                $d.base.bodyIdA = a;
                $d.base.bodyIdB = b;
                $d.base.localFrameA = b2::b2Transform { p: vec2(def.points[0]), q: rot(def.turns[0]) };
                $d.base.localFrameB = b2::b2Transform { p: vec2(def.points[1]), q: rot(def.turns[1]) };
                $d.base.constraintHertz = def.hertz;
                $d.base.constraintDampingRatio = def.damping_ratio;
                $d.base.collideConnected = def.collide;
                $set
                b2::$create(self.id, &$d)
            }};
        }
        macro_rules! given {
            ($d:ident, $pair:expr, $on:ident, $first:ident, $second:ident) => {
                if let Some([first, second]) = $pair {
                    ($d.$on, $d.$first, $d.$second) = (true, first, second);
                }
            };
        }
        // SAFETY: both ids were found valid and differ; the definitions are Box2D's own defaults with checked numbers.
        let id = unsafe {
            match def.link {
                Link::Revolute { limits, motor } => make!(b2DefaultRevoluteJointDef, b2CreateRevoluteJoint, |d| {
                    given!(d, limits, enableLimit, lowerAngle, upperAngle);
                    given!(d, motor, enableMotor, motorSpeed, maxMotorTorque);
                }),
                Link::Prismatic { limits, motor } => make!(b2DefaultPrismaticJointDef, b2CreatePrismaticJoint, |d| {
                    given!(d, limits, enableLimit, lowerTranslation, upperTranslation);
                    given!(d, motor, enableMotor, motorSpeed, maxMotorForce);
                }),
                Link::Wheel { limits, motor, spring } => make!(b2DefaultWheelJointDef, b2CreateWheelJoint, |d| {
                    d.enableSpring = false;
                    given!(d, limits, enableLimit, lowerTranslation, upperTranslation);
                    given!(d, motor, enableMotor, motorSpeed, maxMotorTorque);
                    given!(d, spring, enableSpring, hertz, dampingRatio);
                }),
                Link::Rod { length } => make!(b2DefaultDistanceJointDef, b2CreateDistanceJoint, |d| { d.length = length; }),
                Link::Rope { limits } => make!(b2DefaultDistanceJointDef, b2CreateDistanceJoint, |d| {
                    // Without a frequency the spring does nothing, and leaves the length free between the limits.
                    (d.length, d.enableSpring, d.hertz) = (limits[1], true, 0.0);
                    given!(d, Some(limits), enableLimit, minLength, maxLength);
                }),
                Link::Spring { length, spring } => make!(b2DefaultDistanceJointDef, b2CreateDistanceJoint, |d| {
                    d.length = length;
                    given!(d, Some(spring), enableSpring, hertz, dampingRatio);
                }),
                Link::Weld => make!(b2DefaultWeldJointDef, b2CreateWeldJoint, |d| { _ = &mut d; }),
                Link::Motor { linear, angular } => make!(b2DefaultMotorJointDef, b2CreateMotorJoint, |d| {
                    if let Some([hertz, ratio, most]) = linear {
                        (d.linearHertz, d.linearDampingRatio, d.maxSpringForce) = (hertz, ratio, most);
                    }
                    if let Some([hertz, ratio, most]) = angular {
                        (d.angularHertz, d.angularDampingRatio, d.maxSpringTorque) = (hertz, ratio, most);
                    }
                }),
            }
        };
        Some(Key { index: id.index1, generation: id.generation })
    }

    /// Changes what a motor demands: speed and largest torque or force.
    pub fn set_motor(&self, joint: Key, [speed, most]: [f32; 2]) {
        set!(self, joint, {
            b2JointType_b2_revoluteJoint => b2RevoluteJoint_SetMotorSpeed(speed), b2RevoluteJoint_SetMaxMotorTorque(most);
            b2JointType_b2_prismaticJoint => b2PrismaticJoint_SetMotorSpeed(speed), b2PrismaticJoint_SetMaxMotorForce(most);
            b2JointType_b2_wheelJoint => b2WheelJoint_SetMotorSpeed(speed), b2WheelJoint_SetMaxMotorTorque(most);
        });
    }

    /// Changes frequency, Hz, and damping ratio of a spring.
    pub fn set_spring(&self, joint: Key, [hertz, ratio]: [f32; 2]) {
        set!(self, joint, {
            b2JointType_b2_distanceJoint => b2DistanceJoint_SetSpringHertz(hertz), b2DistanceJoint_SetSpringDampingRatio(ratio);
            b2JointType_b2_wheelJoint => b2WheelJoint_SetSpringHertz(hertz), b2WheelJoint_SetSpringDampingRatio(ratio);
        });
    }

    /// Changes the length of a rod, or the longest one of a rope, m.
    pub fn set_length(&self, joint: Key, length: f32) {
        let Some(id) = self.joint_id(joint) else { return };
        // SAFETY: the id was found valid, and its kind is asked for.
        unsafe {
            if b2::b2Joint_GetType(id) == b2::b2JointType_b2_distanceJoint {
                if b2::b2DistanceJoint_IsLimitEnabled(id) {
                    let least = b2::b2DistanceJoint_GetMinLength(id);
                    b2::b2DistanceJoint_SetLengthRange(id, least, length);
                } else {
                    b2::b2DistanceJoint_SetLength(id, length);
                }
            }
        }
    }
}

/// The hull of corners that Box2D takes all of; none if it would merge some, or finds them not convex.
pub fn takes_polygon(_engine: &Engine, corners: &[[f32; 2]]) -> bool {
    hull(corners).is_some()
}

fn hull(corners: &[[f32; 2]]) -> Option<b2::b2Hull> {
    let points: Vec<_> = corners.iter().copied().map(vec2).collect();
    let count = i32::try_from(points.len()).ok()?;
    // SAFETY: pointer and count are those of one slice, of which Box2D keeps nothing.
    let hull = unsafe { b2::b2ComputeHull(points.as_ptr(), count) };
    (hull.count == count).then_some(hull)
}
