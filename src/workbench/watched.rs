//! What is recorded, step by step, of the body, the joint, the spring or the contact that a person watches.
//!
//! ```text
//! force of a joint  |Σ Jᵀλ|/h ,     of a contact  λₙ/h and λₜ/h ,     net force on a body  |M Δv|/h
//! ```
//!
//! Every kind has a table of readings; a reading's place in it is its place in [`Watched`] and in the history.

use crate::experiment::{Run, name_of};
use crate::model::joint::{Equation, Slot};
use crate::model::{BodyId, ContactState, Joint, JointId, JointKind, SpringId, World};
use crate::workbench::editor::item::{self, Item};
use crate::workbench::stage::framing::{anchor_in_world, wheels};
use glam::{DVec2, DVec3};

/// Most readings of a kind.
pub const WATCHED: usize = 12;

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watchable {
    /// A body.
    Body(BodyId),
    /// A joint with its motor and its limits.
    Joint(JointId),
    /// A spring.
    Spring(SpringId),
    /// All contact points between two bodies, the one with the smaller index first.
    Contact([BodyId; 2]),
    /// The first body as seen from the second one.
    Pair([BodyId; 2]),
}

/// A quantity that is read off what is watched.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Its name in tables.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its definition.
    pub meaning: &'static str,
}

impl Reading {
    /// Its name and unit, as a choice.
    pub fn label(&self) -> String {
        if self.unit.is_empty() { self.name.to_owned() } else { format!("{} [{}]", self.name, self.unit) }
    }

    /// Its name and unit at an axis.
    pub fn axis(&self) -> String {
        if self.unit.is_empty() { self.name.to_owned() } else { format!("{} in {}", self.name, self.unit) }
    }
}

const fn reading(
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Reading {
    Reading { key, name, unit, meaning }
}

const ERROR: Reading = reading("error", "error", "m or rad", "Largest |g| over its rows after the step.");
const RATE_ERROR: Reading =
    reading("velocity_error", "velocity error", "m/s or rad/s", "Largest |J v| over its rows.");
const FORCE: Reading =
    reading("force", "force", "N", "Size of the force of its rows on body b, without motor and limits.");

const FORCE_X: Reading = reading("force_x", "force x", "N", "Of its rows on body b, to the right.");
const FORCE_Y: Reading = reading("force_y", "force y", "N", "Of its rows on body b, upwards.");

static BODY: [Reading; 12] = [
    reading("x", "position x", "m", "Of the centre of mass."),
    reading("y", "position y", "m", "Of the centre of mass."),
    reading("angle", "angle", "rad", "Counted on through whole turns."),
    reading("speed", "speed", "m/s", "|v| of the centre of mass."),
    reading("angular_velocity", "angular velocity", "rad/s", "ω, anticlockwise positive."),
    reading("kinetic_energy", "kinetic energy", "J", "½ m v² + ½ I ω²."),
    reading("net_force", "net force", "N", "|m a| over the step: the sum of all forces on the body."),
    reading("vx", "velocity x", "m/s", "Of the centre of mass."),
    reading("vy", "velocity y", "m/s", "Of the centre of mass."),
    reading("ax", "acceleration x", "m/s²", "Of the centre of mass: Δv/h of the step."),
    reading("ay", "acceleration y", "m/s²", "Of the centre of mass: Δv/h of the step."),
    reading("angular_acceleration", "angular acceleration", "rad/s²", "Δω/h of the step."),
];

static PAIR: [Reading; 8] = [
    reading("distance", "distance", "m", "Of the centres of mass."),
    reading("distance_rate", "rate of distance", "m/s", "Positive while they move apart."),
    reading("x", "relative x", "m", "Of its centre of mass, from the other one's, along the fixed axes."),
    reading("y", "relative y", "m", "Of its centre of mass, from the other one's, along the fixed axes."),
    reading("angle", "relative angle", "rad", "Its angle less the other one's."),
    reading("vx", "relative velocity x", "m/s", "Its velocity less the other one's."),
    reading("vy", "relative velocity y", "m/s", "Its velocity less the other one's."),
    reading("angular_velocity", "relative angular velocity", "rad/s", "ω less the other one's."),
];

static HINGE: [Reading; 9] = [
    reading("angle", "angle", "rad", "θ of body b less θ of body a, as its limits count it."),
    reading("angular_velocity", "angular velocity", "rad/s", "Rate of that angle."),
    ERROR,
    RATE_ERROR,
    FORCE,
    reading("motor", "motor torque", "N m", "Of its motor, over the step."),
    reading(
        "limit",
        "limit torque",
        "N m",
        "Of its limits, over the step; positive of the lower one, negative of the upper one.",
    ),
    FORCE_X,
    FORCE_Y,
];

static SLIDER: [Reading; 10] = SLIDER_READINGS;

const SLIDER_READINGS: [Reading; 10] = [
    reading("travel", "travel", "m", "Of body b's anchor along the axis, as its limits count it."),
    reading("rate", "rate", "m/s", "Rate of the travel."),
    ERROR,
    RATE_ERROR,
    FORCE,
    reading("motor", "motor force", "N", "Of its motor, over the step."),
    reading(
        "limit",
        "limit force",
        "N",
        "Of its limits, over the step; positive of the lower one, negative of the upper one.",
    ),
    MOMENT,
    FORCE_X,
    FORCE_Y,
];

static ROPE: [Reading; 7] = [
    reading("distance", "distance", "m", "Of its two ends."),
    reading("rate", "rate", "m/s", "Rate of the distance."),
    reading("slack", "slack", "m", "Longest distance less the distance; below zero where it is stretched."),
    reading("tension", "tension", "N", "With which it pulls its ends together, over the step."),
    FORCE,
    FORCE_X,
    FORCE_Y,
];
static PULLEY: [Reading; 9] = [
    reading("first_part", "first part", "m", "From the first wheel to its end."),
    reading("second_part", "second part", "m", "From the second wheel to its end."),
    reading("rate", "rate", "m/s", "Rate of the first part."),
    reading(
        "slack",
        "slack",
        "m",
        "Length less the two parts, the second times ρ; below zero where it is stretched.",
    ),
    reading("tension", "tension", "N", "With which it pulls the first end to its wheel, over the step."),
    RATE_ERROR,
    FORCE,
    FORCE_X,
    FORCE_Y,
];
static WHEEL: [Reading; 10] = {
    let mut own = SLIDER_READINGS;
    own[5] = reading("motor", "motor torque", "N m", "Of its motor, over the step.");
    own
};

const MOMENT: Reading =
    reading("moment", "moment", "N m", "Moment of its rows on body b about its anchor there.");

static RIGID: [Reading; 6] = [ERROR, RATE_ERROR, FORCE, MOMENT, FORCE_X, FORCE_Y];

static SPRING: [Reading; 4] = [
    reading("length", "length", "m", "Distance of its two ends."),
    reading("elongation", "elongation", "m", "Length less rest length."),
    reading("force", "force", "N", "Size of its force, with that of its damper."),
    reading("energy", "energy", "J", "½ k s² of the elongation s."),
];

static TORSION: [Reading; 4] = [
    reading("angle", "angle", "rad", "θ of body b less θ of body a."),
    reading("elongation", "elongation", "rad", "Angle less rest angle."),
    reading("torque", "torque", "N m", "On body b, with that of its damper."),
    reading("energy", "energy", "J", "½ k s² of the elongation s."),
];

static CONTACT: [Reading; 5] = [
    reading("normal_force", "normal force", "N", "Sum over the points, over the step."),
    reading(
        "friction",
        "friction",
        "N",
        "Sum over the points, over the step; positive along the normal (from a to b) turned a quarter anticlockwise.",
    ),
    reading("overlap", "overlap", "m", "Largest of its points; below zero where a gap is left."),
    reading(
        "sliding",
        "sliding speed",
        "m/s",
        "Of body b past body a along the same direction, at the first point.",
    ),
    reading("points", "contact points", "", "Their number in the step."),
];

impl Watchable {
    /// Whether the world has it; two bodies have a contact even while they do not touch.
    pub fn exists(self, world: &World) -> bool {
        match self {
            Self::Body(id) => world.body(id).is_some(),
            Self::Joint(id) => world.joint(id).is_some(),
            Self::Spring(id) => world.spring(id).is_some(),
            Self::Contact(bodies) | Self::Pair(bodies) => bodies.iter().all(|id| world.body(*id).is_some()),
        }
    }

    /// Its name for people.
    pub fn name(self, world: &World) -> String {
        match self {
            Self::Body(id) => world.body(id).map_or_else(String::new, |_| name_of(world, id)),
            Self::Joint(id) => item::name(world, Item::Joint(id)),
            Self::Spring(id) => item::name(world, Item::Spring(id)),
            Self::Contact(bodies) => {
                let [a, b] = bodies.map(|id| Self::Body(id).name(world));
                format!("contact of {a} and {b}")
            }
            Self::Pair(bodies) => {
                let [own, from] = bodies.map(|id| Self::Body(id).name(world));
                format!("{own} from {from}")
            }
        }
    }

    /// What is read off it.
    pub fn readings(self, world: &World) -> &'static [Reading] {
        match self {
            Self::Body(_) => &BODY,
            Self::Joint(id) => match world.joint(id).map(|joint| &joint.kind) {
                Some(JointKind::Hinge(_)) => &HINGE,
                Some(JointKind::Slider(_) | JointKind::Slot(Slot { suspension: None, .. })) => &SLIDER,
                Some(JointKind::Slot(_)) => &WHEEL,
                Some(JointKind::Rope(_)) => &ROPE,
                Some(JointKind::Pulley(_)) => &PULLEY,
                Some(
                    JointKind::Distance(_)
                    | JointKind::Weld(_)
                    | JointKind::Bead(_)
                    | JointKind::PoseMotor(_)
                    | JointKind::Gear(_)
                    | JointKind::Custom(_),
                )
                | None => &RIGID,
            },
            Self::Spring(id) if world.spring(id).is_some_and(|own| own.rest_angle.is_some()) => &TORSION,
            Self::Spring(_) => &SPRING,
            Self::Contact(_) => &CONTACT,
            Self::Pair(_) => &PAIR,
        }
    }

    /// Where it acts, m: the two ends of a joint or a spring, the points of a contact, the centres of a pair; none of a body.
    pub fn places(self, world: &World) -> Vec<DVec2> {
        match self {
            Self::Body(_) => Vec::new(),
            Self::Pair(bodies) => {
                bodies.iter().filter_map(|id| Some(world.body(*id)?.pose.position)).collect()
            }
            Self::Joint(id) => item::places(world, Item::Joint(id)),
            Self::Spring(id) => item::places(world, Item::Spring(id)),
            Self::Contact(_) => {
                let own = world.contacts().iter().filter(|own| Self::of_contact(own) == self);
                own.map(|contact| contact.point).collect()
            }
        }
    }

    /// Everything in a world that can be watched, contacts of bodies that touch now last.
    pub fn all(world: &World) -> Vec<Self> {
        let bodies = world.body_ids().iter().map(|id| Self::Body(*id));
        let joints = world.joint_ids().iter().map(|id| Self::Joint(*id));
        let springs = world.spring_ids().iter().map(|id| Self::Spring(*id));
        let mut contacts: Vec<Self> = Vec::new();
        for contact in world.contacts().iter().map(Self::of_contact) {
            // The points of a pair follow each other.
            if contacts.last() != Some(&contact) {
                contacts.push(contact);
            }
        }
        bodies.chain(joints).chain(springs).chain(contacts).collect()
    }

    /// What is watched of an item, if that has readings.
    pub fn of_item(item: Item) -> Option<Self> {
        match item {
            Item::Body(id) => Some(Self::Body(id)),
            Item::Joint(id) => Some(Self::Joint(id)),
            Item::Spring(id) => Some(Self::Spring(id)),
            Item::Velocity(_) => None,
        }
    }

    /// The contact that a point belongs to.
    pub fn of_contact(contact: &ContactState) -> Self {
        Self::Contact(contact.id.bodies)
    }
}

/// The readings after a step, each at its place in the table of its kind. What is not known is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched(pub [f64; WATCHED]);

impl Default for Watched {
    fn default() -> Self {
        Self([f64::NAN; WATCHED])
    }
}

impl<const N: usize> From<[f64; N]> for Watched {
    fn from(readings: [f64; N]) -> Self {
        let mut all = Self::default();
        all.0.iter_mut().zip(readings).for_each(|(slot, value)| *slot = value);
        all
    }
}

impl Watched {
    /// In a state that no step has led to: forces are not known.
    pub fn of(world: &World, subject: Watchable) -> Self {
        Self::read(world, subject, None).unwrap_or_default()
    }

    /// After the step that `run` has just made.
    pub fn after(run: &Run, subject: Watchable) -> Self {
        Self::read(run.world(), subject, Some(run)).unwrap_or_default()
    }

    fn read(world: &World, subject: Watchable, run: Option<&Run>) -> Option<Self> {
        match subject {
            Watchable::Body(id) => body(world, world.index_of(id)?, run),
            Watchable::Joint(id) => joint(world, id, run),
            Watchable::Spring(id) => spring(world, id, run),
            Watchable::Contact(bodies) => contact(world, bodies, run),
            Watchable::Pair(bodies) => pair(world, bodies),
        }
    }
}

fn body(world: &World, index: usize, run: Option<&Run>) -> Option<Watched> {
    let body = world.bodies().get(index)?;
    let (pose, velocity) = (body.pose.coordinates(), world.velocity_of(index));
    let mass = body.mass_properties();
    let (speed, turning) = (velocity.truncate().length(), velocity.z);
    let of_dynamic = |value: f64| if body.is_dynamic() { value } else { f64::NAN };
    let energy = 0.5 * (mass.mass * speed * speed + mass.inertia * turning * turning);
    // m a = M Δv / h, the sum of all forces.
    let change = run.and_then(|run| Some(*run.momentum_changes().get(index)? / run.time_step()));
    let change = change.filter(|_| body.is_dynamic()).unwrap_or(DVec3::NAN);
    let a = DVec3::new(change.x / mass.mass, change.y / mass.mass, change.z / mass.inertia);
    let energy = of_dynamic(energy);
    let force = change.truncate().length();
    let DVec3 { x: vx, y: vy, .. } = velocity;
    Some([pose.x, pose.y, pose.z, speed, turning, energy, force, vx, vy, a.x, a.y, a.z].into())
}

/// One body as seen from another one.
fn pair(world: &World, bodies: [BodyId; 2]) -> Option<Watched> {
    let [own, from] = [world.index_of(bodies[0])?, world.index_of(bodies[1])?];
    let pose = |index: usize| world.bodies()[index].pose.coordinates();
    let apart = pose(own) - pose(from);
    let v = world.velocity_of(own) - world.velocity_of(from);
    let distance = apart.truncate().length();
    let rate = apart.truncate().dot(v.truncate()) / distance;
    Some([distance, rate, apart.x, apart.y, apart.z, v.x, v.y, v.z].into())
}

fn joint(world: &World, id: JointId, run: Option<&Run>) -> Option<Watched> {
    let joint = world.joint(id)?;
    let [a, b] = joint.bodies().map(|index| world.frame(index));
    let rate = |row: &Equation| of_pair(world, joint.bodies(), [row.ja, row.jb]);
    let (mut error, mut rate_error) = (0.0_f64, 0.0_f64);
    let take = |row: Equation, [jc, jd]: [DVec3; 2]| {
        let beyond = joint.further().map_or(0.0, |bodies| of_pair(world, bodies, [jc, jd]));
        error = error.max(row.g.abs());
        rate_error = rate_error.max((rate(&row) + beyond).abs());
    };
    joint.equations(|index| world.frame(index), take);
    if joint.broken {
        (error, rate_error) = (f64::NAN, f64::NAN);
    }
    let impulse = run.and_then(|run| run.impulse_of(id));
    let on_b = impulse.zip(run).map_or(DVec3::NAN, |(impulse, run)| impulse.on_bodies[1] / run.time_step());
    let (force, moment) = (on_b.truncate().length(), about_anchor(world, joint, on_b));
    let of_run = |read: fn(&Run, JointId) -> Option<f64>| run.and_then(|run| read(run, id));
    let motor = of_run(Run::motor_force).unwrap_or(f64::NAN);
    let limit = of_run(Run::limit_force).unwrap_or(f64::NAN);
    if let JointKind::Pulley(pulley) = &joint.kind {
        let [c, d] = joint.further().unwrap_or(joint.bodies()).map(|index| world.frame(index));
        let [first, second] = pulley.parts([&a, &b, &c, &d]);
        let at = anchor_in_world(world, joint.bodies()[0], pulley.anchors[0]);
        let wheel = wheels(world, joint, pulley)[0];
        let along = (at - wheel).normalize_or_zero();
        let point = |index: usize, at: DVec2| {
            let (v, arm) = (world.velocity_of(index), at - world.bodies()[index].pose.position);
            v.truncate() + v.z * arm.perp()
        };
        let carried = joint.further().filter(|_| pulley.carried[0]);
        let of_wheel = carried.map_or(DVec2::ZERO, |[carrier, _]| point(carrier, wheel));
        let rate = along.dot(point(joint.bodies()[0], at) - of_wheel);
        let slack = pulley.length - first - pulley.ratio * second;
        // One that may go slack pulls by its limit, unless it is soft.
        let by_limit = pulley.slack && joint.softness.is_none();
        let on_a =
            impulse.zip(run).map_or(DVec3::NAN, |(impulse, run)| impulse.on_bodies[0] / run.time_step());
        let tension = if by_limit { limit } else { -on_a.truncate().dot(along) };
        let on_b = if by_limit {
            let side = anchor_in_world(world, joint.bodies()[1], pulley.anchors[1]);
            let towards = (wheels(world, joint, pulley)[1] - side).normalize_or_zero();
            pulley.ratio * limit * towards
        } else {
            on_b.truncate()
        };
        let error = if pulley.slack { f64::NAN } else { rate_error };
        return Some([first, second, rate, slack, tension, error, on_b.length(), on_b.x, on_b.y].into());
    }
    let coordinate = joint
        .kind
        .coordinate(&a, &b)
        .filter(|_| !matches!(joint.kind, JointKind::Custom(_) | JointKind::Bead(_)));
    let DVec3 { x, y, .. } = on_b;
    Some(match coordinate {
        Some(row) if matches!(joint.kind, JointKind::Rope(_)) => {
            let slack = joint.rope_length().map_or(f64::NAN, |longest| longest - row.g);
            // A soft rope pulls by its row, a rigid one by its limit.
            let pull = if joint.softness.is_some() { on_b } else { -limit * row.jb };
            let tension = -pull.truncate().dot(row.jb.truncate());
            let on_b = if joint.softness.is_some() { pull } else { limit * row.jb };
            let force = on_b.truncate().length();
            [row.g, rate(&row), slack, tension, force, on_b.x, on_b.y].into()
        }
        Some(row) if matches!(joint.kind, JointKind::Slider(_) | JointKind::Slot(_)) => {
            [row.g, rate(&row), error, rate_error, force, motor, limit, moment, x, y].into()
        }
        Some(row) => [row.g, rate(&row), error, rate_error, force, motor, limit, x, y].into(),
        None => [error, rate_error, force, moment, x, y].into(),
    })
}

/// J v of a row of these bodies.
fn of_pair(world: &World, bodies: [usize; 2], [ja, jb]: [DVec3; 2]) -> f64 {
    let [va, vb] = bodies.map(|index| world.velocity_of(index));
    ja.dot(va) + jb.dot(vb)
}

/// The moment of a force with its moment about the centre of mass, taken about the joint's anchor on body b, N m.
fn about_anchor(world: &World, joint: &Joint, on_b: DVec3) -> f64 {
    let b = joint.bodies()[1];
    let arm = anchor_in_world(world, b, joint.kind.anchors()[1]) - world.bodies()[b].pose.position;
    on_b.z - arm.perp_dot(on_b.truncate())
}

fn spring(world: &World, id: SpringId, run: Option<&Run>) -> Option<Watched> {
    let spring = world.spring(id)?;
    let [a, b] = spring.bodies().map(|index| world.frame(index));
    let impulse = run.and_then(|run| run.impulse_of(id));
    let on_b = impulse.zip(run).map_or(DVec3::NAN, |(own, run)| own.on_bodies[1] / run.time_step());
    let energy = |s: f64| 0.5 * spring.softness.stiffness * s * s;
    if let Some(rest) = spring.rest_angle {
        let angle = b.angle - a.angle;
        return Some([angle, angle - rest, on_b.z, energy(angle - rest)].into());
    }
    let [begin, end] =
        [0, 1].map(|side| anchor_in_world(world, spring.bodies()[side], spring.anchors[side]));
    let length = begin.distance(end);
    let elongation = length - spring.rest_length;
    Some([length, elongation, on_b.truncate().length(), energy(elongation)].into())
}

fn contact(world: &World, bodies: [BodyId; 2], run: Option<&Run>) -> Option<Watched> {
    let [a, b] = bodies;
    let indices = [world.index_of(a)?, world.index_of(b)?];
    let is_own = |contact: &&ContactState| contact.id.bodies == bodies;
    let points = || world.contacts().iter().filter(is_own);
    let count = points().count() as f64;
    let overlap = points().map(|contact| -contact.gap).fold(f64::NAN, f64::max);
    let sliding = points().next().map_or(f64::NAN, |contact| {
        let tangent = contact.normal.perp();
        let [a, b] = indices.map(|index| {
            let arm = contact.point - world.bodies()[index].pose.position;
            tangent.extend(arm.perp_dot(tangent))
        });
        of_pair(world, indices, [-a, b])
    });
    let [normal, friction] = run.map_or([f64::NAN; 2], |run| {
        [0, 1].map(|row| points().map(|contact| contact.impulse[row]).sum::<f64>() / run.time_step())
    });
    // Sums of nothing are zero, and not below it.
    Some([normal + 0.0, friction + 0.0, overlap, sliding, count].into())
}
