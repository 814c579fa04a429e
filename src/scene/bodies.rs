//! Bodies, read and written.

use super::keys;
use super::profile;
use super::reader::{Cursor, Object};
use super::write::{number, object, pair};
use super::{shapes, surfaces};
use crate::internal::Rotation;
use crate::model::{
    AppliedForce, Axes, Body, BodyKind, Damping, DrivenForce, Filter, MassSpec, Materials, Motion,
    Placement, PoseProfiles, Profile, Surface, Velocity,
};
use glam::DVec2;
use serde_json::{Value, json};

/// Largest number of shapes of a body: of two bodies that overlap, all pairs of shapes are tested.
const MAX_SHAPES: usize = 4096;

/// Friction of a body of a file that states none, and of one that is drawn in the window: between that of dry wood and of
/// steel on steel. A body that is built in code ([`Body::dynamic`]) is without friction unless it gets some.
pub const DEFAULT_FRICTION: f64 = 0.3;

/// The surface of a body for which neither the scene nor a material states one.
const PLAIN: Surface = Surface {
    density: None,
    friction: Some(DEFAULT_FRICTION),
    static_friction: None,
    restitution: Some(0.0),
    rolling_resistance: Some(0.0),
    surface_speed: Some(0.0),
    filter: None,
    material: None,
};

/// The surface of a body of that material for which the scene states nothing else.
fn usual(material: Option<u32>, materials: &Materials) -> Surface {
    let own = surfaces::material(material, materials).map(|own| own.surface).unwrap_or_default();
    Surface {
        friction: own.friction.or(PLAIN.friction),
        static_friction: own.static_friction,
        restitution: own.restitution.or(PLAIN.restitution),
        rolling_resistance: own.rolling_resistance.or(PLAIN.rolling_resistance),
        surface_speed: own.surface_speed.or(PLAIN.surface_speed),
        ..own
    }
}

/// A body's name and, where it could be read, the body.
pub(super) struct Named<'n> {
    pub name: Option<&'n str>,
    pub body: Option<Body>,
}

/// Reads one element of `bodies` at simulation time `time`.
pub(super) fn read<'n>(cursor: &Cursor<'n>, time: f64, materials: &Materials) -> Named<'n> {
    let Some(keys) = cursor.object("a body {\"name\": …, \"position\": …}") else {
        return Named { name: None, body: None };
    };
    let name = keys.require("name", "a text").and_then(|c| c.name());
    let kind = keys.or("type", Type::Dynamic, |c| c.one_of("a type of body", Type::ALL));
    let position = keys.require("position", "[x, y] in metres").and_then(|c| c.vector());
    let angle = keys.or("angle", 0.0, Cursor::number);
    let motion = motion(&keys, kind, position.zip(angle), time);
    let velocity = velocity(&keys, kind, motion.as_ref());
    let surface = surfaces::read(&keys, materials, DEFAULT_FRICTION);
    let filter = surfaces::read_filter(&keys, Filter::default());
    let gravity_scale = keys.or("gravity_scale", 1.0, Cursor::number);
    let collides = keys.or("collides", true, Cursor::boolean);
    let fixed_rotation = keys.or("fixed_rotation", false, Cursor::boolean);
    let shapes = shapes::OfBody {
        materials,
        filter: filter.unwrap_or_default(),
        has_mass: keys.get("mass").is_some(),
    };
    let placements = placements(&keys, kind, &shapes);
    let spec = mass(&keys, surface.as_ref().and_then(|(own, _)| own.density));
    let turns = fixed_rotation == Some(true) && velocity.is_some_and(|own| own.angular != 0.0);
    if let (true, Some(Type::Dynamic), Some(cursor)) = (turns, kind, keys.get("angular_velocity")) {
        cursor.problem("expected 0: the body has a fixed rotation");
    }
    let center = keys.maybe("center_of_mass", Cursor::vector);
    let damping = damping(&keys, kind);
    let applied = keys.maybe("applied", |c| all_applied(c, kind));
    keys.finish();
    let build = || {
        if turns && kind == Some(Type::Dynamic) {
            return None; // has been reported
        }
        let kind = match kind? {
            Type::Dynamic => BodyKind::Dynamic,
            Type::Fixed => BodyKind::Fixed,
            Type::Kinematic => BodyKind::Kinematic(motion.as_ref()?.0),
        };
        let (spec, placements) = (spec?, placements?);
        let body = Body::new(kind, position?, angle?, placements, spec);
        let mut body = body.map_err(|error| cursor.problem(error.to_string())).ok()?;
        place_center(&mut body, center?, cursor)?;
        body.velocity = velocity?;
        body.pose_profiles = motion?.1;
        if !body.pose_profiles.is_empty() {
            let now = body.pose.coordinates();
            let path = body.path()?;
            let (q, v) = (path.placed(now, time, 0.0), path.velocity(time));
            (body.pose, body.velocity) = (q.into(), v.into());
        }
        (body.applied, body.driven) = applied?.unwrap_or_default();
        body.damping = damping?;
        let mut forces = body.applied.iter().chain(body.driven.iter().map(|own| &own.applied));
        if body.is_point_mass() && forces.any(AppliedForce::turns) {
            cursor.problem("expected a force without a moment on a point mass: let it act at the centre of mass, or give an 'inertia'");
            return None;
        }
        if let BodyKind::Kinematic(motion @ Motion::Sine { .. }) = kind {
            body.velocity.linear = motion.velocity(DVec2::ZERO, time);
        }
        if !body.kinetic_energy().is_finite() {
            cursor.problem(
                "expected a kinetic energy that is finite, found one beyond the range of a 64-bit float",
            );
            return None;
        }
        let (surface, surface_profile) = surface?;
        body.surface_profile = surface_profile;
        body.friction = surface.friction.unwrap_or(DEFAULT_FRICTION);
        body.static_friction = surface.static_friction;
        body.restitution = surface.restitution.unwrap_or(0.0);
        body.rolling_resistance = surface.rolling_resistance.unwrap_or(0.0);
        body.surface_speed = surface.surface_speed.unwrap_or(0.0);
        body.material = surface.material;
        (body.gravity_scale, body.collides, body.fixed_rotation) =
            (gravity_scale?, collides?, fixed_rotation?);
        Filter { categories: body.categories, mask: body.mask, group: body.group } = filter?;
        body.name = name?.to_owned();
        Some(body)
    };
    Named { name, body: build() }
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Dynamic,
    Fixed,
    Kinematic,
}

impl Type {
    const ALL: &'static [(&'static str, Self)] =
        &[("dynamic", Self::Dynamic), ("fixed", Self::Fixed), ("kinematic", Self::Kinematic)];

    fn of(kind: BodyKind) -> Self {
        match kind {
            BodyKind::Dynamic => Self::Dynamic,
            BodyKind::Fixed => Self::Fixed,
            BodyKind::Kinematic(_) => Self::Kinematic,
        }
    }

    fn key(self) -> &'static str {
        Self::ALL.iter().find(|(_, own)| *own == self).map_or("dynamic", |(key, _)| key)
    }
}

fn placements(
    keys: &Object<'_>,
    kind: Option<Type>,
    of_body: &shapes::OfBody<'_>,
) -> Option<Vec<Placement>> {
    let Some(cursor) = keys.get("shapes") else {
        return Some(Vec::new());
    };
    let items = cursor.items("an array of shapes")?;
    if items.len() > MAX_SHAPES {
        cursor.problem(format!("expected at most {MAX_SHAPES} shapes, found {}", items.len()));
        return None;
    }
    let read = items.iter().map(|item| {
        let placed = shapes::read(item, of_body)?;
        let flat = placed.iter().find(|own| kind == Some(Type::Dynamic) && !own.shape.has_area());
        if let Some(flat) = flat {
            let key = flat.shape.key();
            item.problem(format!("a {key} belongs on a fixed or kinematic body"));
            return None;
        }
        Some(placed)
    });
    // Collected first, so that every shape is read.
    let read: Vec<_> = read.collect();
    let all = read.into_iter().collect::<Option<Vec<_>>>()?.concat();
    if all.len() > MAX_SHAPES {
        cursor.problem(format!(
            "expected at most {MAX_SHAPES} shapes, found {} with those of grids",
            all.len()
        ));
        return None;
    }
    Some(all)
}

/// The mass; `usual` is the density of the body's material.
fn mass(keys: &Object<'_>, usual: Option<f64>) -> Option<MassSpec> {
    let density = keys.maybe("density", Cursor::positive);
    let mass = keys.maybe("mass", Cursor::positive);
    let inertia = keys.maybe("inertia", Cursor::positive);
    let wrong = |key, message: &str| {
        if let Some(cursor) = keys.get(key) {
            cursor.problem(message);
        }
        None
    };
    match (density?, mass?, inertia?) {
        (Some(_), Some(_), _) => wrong("density", "expected either 'density' or 'mass', found both"),
        (_, None, Some(_)) => wrong("inertia", "expected 'mass' together with 'inertia'"),
        (Some(density), None, None) => Some(MassSpec::Density(density)),
        (None, Some(mass), inertia) => Some(MassSpec::Given { mass, inertia }),
        (None, None, None) => Some(usual.map_or_else(MassSpec::default, MassSpec::Density)),
    }
}

/// How a kinematic body moves, and the coordinates that profiles drive.
type Path = (Motion, PoseProfiles);

fn motion(keys: &Object<'_>, kind: Option<Type>, placed: Option<(DVec2, f64)>, time: f64) -> Option<Path> {
    let Some(cursor) = keys.get("motion") else {
        return Some((Motion::ConstantVelocity, PoseProfiles::default()));
    };
    if kind.is_some_and(|kind| kind != Type::Kinematic) {
        cursor.problem("expected a body of type \"kinematic\", since it has a motion");
        return None;
    }
    let motion = cursor.object("a motion {\"sine\": …} or {\"y\": {\"profile\": …}}")?;
    let driven = COORDINATES.map(|key| motion.get(key));
    if driven.iter().any(Option::is_some) {
        let [x, y, own] = driven.map(|own| own.map_or(Some(None), |c| profile::absolute(&c).map(Some)));
        if let Some(both) = motion.get("sine") {
            both.problem("expected either 'sine', or profiles of 'x', 'y' and 'angle', found both");
            motion.finish();
            return None;
        }
        motion.finish();
        let profiles = PoseProfiles { x: x?, y: y?, angle: own? };
        let (position, angle) = placed?;
        let due = |own: &Option<Profile>, given: f64| own.as_ref().map_or(given, |own| own.value(time));
        let there = DVec2::new(due(&profiles.x, position.x), due(&profiles.y, position.y));
        if !agree(there, position, there.length(), 1e-6) {
            cursor.problem(format!(
                "its profiles place the body at [{}, {}], not at its position [{}, {}]",
                there.x, there.y, position.x, position.y
            ));
            return None;
        }
        let turned = due(&profiles.angle, angle);
        if keys.get("angle").is_some() && (turned - angle).abs() > 1e-6 * (1.0 + turned.abs()) {
            cursor.problem(format!("its profile turns the body to {turned}, not to its angle {angle}"));
            return None;
        }
        return Some((Motion::ConstantVelocity, profiles));
    }
    let sine = motion.require("sine", "{\"amplitude\": [x, y], \"frequency\": …}");
    motion.finish();
    let sine_cursor = sine?;
    let sine = sine_cursor.object("{\"amplitude\": [x, y], \"frequency\": …}")?;
    let amplitude = sine.require("amplitude", "[x, y] in metres").and_then(|c| c.vector());
    let frequency = sine.require("frequency", "a number greater than 0").and_then(|c| c.positive());
    let center = sine.maybe("center", Cursor::vector);
    sine.finish();
    let (amplitude, frequency, (position, _)) = (amplitude?, frequency?, placed?);
    // At t = 0 the sine vanishes: a body placed without a centre starts in the middle of its motion.
    let center_given = center?;
    let center = center_given.unwrap_or_else(|| {
        let about_zero = Motion::Sine { center: DVec2::ZERO, amplitude, frequency };
        position - about_zero.position(position, DVec2::ZERO, time, 0.0)
    });
    if !center.is_finite() {
        sine_cursor.problem("expected an amplitude and a frequency that a 64-bit float can follow");
        return None;
    }
    let motion = Motion::Sine { center, amplitude, frequency };
    if center_given.is_some() {
        let there = motion.position(position, DVec2::ZERO, time, 0.0);
        if !agree(there, position, center.length() + amplitude.length(), 1e-6) {
            sine_cursor.problem(format!(
                "its centre places the body at [{}, {}], not at its position [{}, {}] (delete one of the two)",
                there.x, there.y, position.x, position.y
            ));
            return None;
        }
    }
    Some((motion, PoseProfiles::default()))
}

/// The keys of a motion that profiles drive.
const COORDINATES: [&str; 3] = ["x", "y", "angle"];

type DampingPlace = fn(&mut Damping) -> &mut f64;

/// The keys of damping and drag, each with its place.
const DAMPING: [(&str, DampingPlace); 4] = [
    ("linear_damping", |own| &mut own.linear),
    ("angular_damping", |own| &mut own.angular),
    ("linear_drag", |own| &mut own.drag),
    ("quadratic_drag", |own| &mut own.quadratic_drag),
];

/// Damping and drag, which act on dynamic bodies alone.
fn damping(keys: &Object<'_>, kind: Option<Type>) -> Option<Damping> {
    let mut damping = Some(Damping::default());
    for (key, place) in DAMPING {
        let Some(cursor) = keys.get(key) else { continue };
        let value = cursor.not_negative();
        if kind.is_some_and(|kind| kind != Type::Dynamic) {
            cursor.problem("expected a dynamic body: a force moves no other");
            damping = None;
        }
        match (&mut damping, value) {
            (Some(damping), Some(value)) => *place(damping) = value,
            _ => damping = None,
        }
    }
    damping
}

/// The constant force, and those that profiles drive.
type Forces = (Option<AppliedForce>, Vec<DrivenForce>);

/// One applied force, or an array of them: the first that is constant, and the others.
fn all_applied(cursor: &Cursor<'_>, kind: Option<Type>) -> Option<Forces> {
    let items = if cursor.is_array() { cursor.items("an array of forces")? } else { vec![cursor.clone()] };
    let read: Vec<_> = items.iter().map(|item| applied(item, kind)).collect();
    let mut forces = Forces::default();
    for own in read {
        match own? {
            (applied, None, None) if forces.0.is_none() && forces.1.is_empty() => forces.0 = Some(applied),
            (applied, profile, switch) => {
                let profile = profile.unwrap_or(Profile::Constant(1.0));
                forces.1.push(DrivenForce { applied, profile, switch });
            }
        }
    }
    Some(forces)
}

/// A force and torque, with its profile and its switch: `{"force": [x, y], "torque": …, "at": [x, y], "axes": "world" or "body",
/// "profile": …, "key": …}`.
fn applied(cursor: &Cursor<'_>, kind: Option<Type>) -> Option<(AppliedForce, Option<Profile>, Option<u8>)> {
    if kind.is_some_and(|kind| kind != Type::Dynamic) {
        cursor.problem("expected a dynamic body: a force moves no other");
        return None;
    }
    let keys = cursor.object("{\"force\": [x, y], \"torque\": …}")?;
    let force = keys.or("force", DVec2::ZERO, Cursor::vector);
    let torque = keys.or("torque", 0.0, Cursor::number);
    let at = keys.or("at", DVec2::ZERO, Cursor::vector);
    let axes = keys.or("axes", Axes::World, |c| c.one_of("axes", AXES));
    let profile = keys.maybe("profile", profile::read);
    let switch = keys.maybe("key", keys::read);
    keys.finish();
    let (applied, profile, switch) =
        (AppliedForce { force: force?, torque: torque?, at: at?, axes: axes? }, profile?, switch?);
    let Some((scale, profile)) = profile else { return Some((applied, None, switch)) };
    let (force, torque) = (scale * applied.force, scale * applied.torque);
    Some((AppliedForce { force, torque, ..applied }, Some(profile), switch))
}

/// The axes of an applied force.
const AXES: &[(&str, Axes)] = &[("world", Axes::World), ("body", Axes::Body)];

/// The key `applied` of a body: one object where there is one constant force alone.
fn written_forces(body: &Body) -> Option<Value> {
    let constant = body.applied.iter().map(|applied| write_applied(applied, None, None));
    let driven = body.driven.iter().map(|own| write_applied(&own.applied, Some(&own.profile), own.switch));
    let mut all: Vec<Value> = constant.chain(driven).collect();
    if body.driven.is_empty() { all.pop() } else { Some(Value::Array(all)) }
}

fn write_applied(applied: &AppliedForce, profile: Option<&Profile>, switch: Option<u8>) -> Value {
    let AppliedForce { force, torque, at, axes } = *applied;
    let mut keys = Vec::new();
    if force != DVec2::ZERO {
        keys.push(("force", pair(force)));
    }
    if force != DVec2::ZERO || axes != Axes::World {
        keys.extend(AXES.iter().find(|(_, own)| *own == axes).map(|(key, _)| ("axes", json!(key))));
    }
    if torque != 0.0 {
        keys.push(("torque", number(torque)));
    }
    if at != DVec2::ZERO {
        keys.push(("at", pair(at)));
    }
    keys.extend(profile.map(|own| ("profile", profile::written(1.0, Some(own)))));
    keys.extend(switch.and_then(keys::name).map(|key| ("key", json!(key))));
    object(keys)
}

fn velocity(keys: &Object<'_>, kind: Option<Type>, motion: Option<&Path>) -> Option<Velocity> {
    let linear = keys.or("velocity", DVec2::ZERO, Cursor::vector);
    let angular = keys.or("angular_velocity", 0.0, Cursor::number);
    let velocity = Velocity { linear: linear?, angular: angular? };
    let still = |key, message: &str| {
        if let Some(cursor) = keys.get(key) {
            cursor.problem(message);
        }
        None
    };
    if kind == Some(Type::Fixed) && velocity.linear != DVec2::ZERO {
        return still("velocity", "expected [0, 0]: a fixed body does not move");
    }
    if kind == Some(Type::Fixed) && velocity.angular != 0.0 {
        return still("angular_velocity", "expected 0: a fixed body does not turn");
    }
    let profiles = motion.map(|(_, profiles)| profiles.each().map(|own| own.is_some())).unwrap_or_default();
    let given = velocity.linear.extend(velocity.angular).to_array();
    for (axis, (driven, given)) in profiles.into_iter().zip(given).enumerate() {
        if driven && given != 0.0 {
            let key = if axis == 2 { "angular_velocity" } else { "velocity" };
            let message =
                format!("expected 0 along '{}': its profile decides the velocity", COORDINATES[axis]);
            return still(key, &message);
        }
    }
    if matches!(motion, Some((Motion::Sine { .. }, _))) && velocity.linear != DVec2::ZERO {
        return still("velocity", "expected [0, 0]: the sine motion decides the velocity");
    }
    Some(velocity)
}

/// Restores the centre of mass of a saved body bit for bit; position and angle give it only up to rounding.
fn place_center(body: &mut Body, center: Option<DVec2>, cursor: &Cursor<'_>) -> Option<()> {
    let Some(center) = center else { return Some(()) };
    let placed = body.pose.position;
    if !agree(placed, center, placed.length(), 1e-9) {
        cursor.problem(format!(
            "center_of_mass disagrees with position and angle, which place it at [{}, {}] (delete \
             center_of_mass to keep those)",
            placed.x, placed.y
        ));
        return None;
    }
    body.pose.position = center;
    Some(())
}

fn agree(a: DVec2, b: DVec2, scale: f64, tolerance: f64) -> bool {
    (a - b).length() <= tolerance * (1.0 + scale)
}

/// Writes one element of `bodies` under the given unique name.
pub(super) fn write(body: &Body, name: &str, materials: &Materials) -> Value {
    let mut keys = vec![("name", json!(name))];
    let kind = Type::of(body.kind());
    if kind != Type::Dynamic {
        keys.push(("type", json!(kind.key())));
    }
    let origin = body.origin();
    let angle = body.pose.angle;
    keys.extend([("position", pair(origin)), ("angle", number(angle))]);
    let center = body.mass_properties().center;
    let reloaded = origin + Rotation::from_angle(angle).apply(center);
    if bits(reloaded) != bits(body.pose.position) {
        keys.push(("center_of_mass", pair(body.pose.position)));
    }
    match body.kind() {
        BodyKind::Fixed => {}
        BodyKind::Kinematic(Motion::Sine { center, amplitude, frequency }) => {
            let sine = object(vec![
                ("amplitude", pair(amplitude)),
                ("frequency", number(frequency)),
                ("center", pair(center)),
            ]);
            keys.push(("angular_velocity", number(body.velocity.angular)));
            keys.push(("motion", object(vec![("sine", sine)])));
        }
        BodyKind::Dynamic | BodyKind::Kinematic(Motion::ConstantVelocity) => {
            let profiles = body.pose_profiles.each();
            let driven = if kind == Type::Kinematic { profiles } else { [None; 3] };
            let own = body.velocity.linear.extend(body.velocity.angular).to_array();
            let [x, y, turn] =
                std::array::from_fn(|axis| if driven[axis].is_some() { 0.0 } else { own[axis] });
            keys.push(("velocity", pair(DVec2::new(x, y))));
            keys.push(("angular_velocity", number(turn)));
            let written = COORDINATES.into_iter().zip(driven);
            let written: Vec<_> =
                written.filter_map(|(key, own)| Some((key, profile::written(1.0, Some(own?))))).collect();
            keys.extend((!written.is_empty()).then(|| ("motion", object(written))));
        }
    }
    match body.mass_spec() {
        MassSpec::Density(density) => {
            let usual = surfaces::material(body.material, materials).and_then(|own| own.surface.density);
            keys.extend((usual != Some(density)).then(|| ("density", number(density))));
        }
        MassSpec::Given { mass, inertia } => {
            keys.push(("mass", number(mass)));
            keys.extend(inertia.map(|inertia| ("inertia", number(inertia))));
        }
    }
    let own = Surface {
        friction: Some(body.friction),
        static_friction: body.static_friction,
        restitution: Some(body.restitution),
        rolling_resistance: Some(body.rolling_resistance),
        surface_speed: Some(body.surface_speed),
        ..PLAIN
    };
    let driven = body.surface_profile.as_ref();
    if let Some(material) = surfaces::material(body.material, materials) {
        keys.push(("material", json!(material.name)));
        let usual = usual(body.material, materials);
        // Without static friction of its own beside a material that has one, it holds as well as it slides.
        let same = usual.static_friction.filter(|_| own.friction == usual.friction);
        let static_friction = own.static_friction.or(same.and(own.friction));
        keys.extend(surfaces::write(&Surface { static_friction, ..own }, &usual, driven));
    } else {
        let always = Surface { friction: None, restitution: None, ..PLAIN };
        keys.extend(surfaces::write(&own, &always, driven));
    }
    if body.gravity_scale != 1.0 {
        keys.push(("gravity_scale", number(body.gravity_scale)));
    }
    keys.push(("collides", json!(body.collides)));
    let usual = Filter::default();
    if body.categories != usual.categories {
        keys.push(("categories", json!(body.categories)));
    }
    if body.mask != usual.mask {
        keys.push(("mask", json!(body.mask)));
    }
    if body.group != usual.group {
        keys.push(("group", json!(body.group)));
    }
    for (key, place) in DAMPING {
        let value = *place(&mut body.damping.clone());
        keys.extend((value != 0.0).then(|| (key, number(value))));
    }
    if body.fixed_rotation {
        keys.push(("fixed_rotation", json!(true)));
    }
    keys.extend(written_forces(body).map(|forces| ("applied", forces)));
    if !body.shapes().is_empty() {
        keys.push((
            "shapes",
            body.shapes().iter().map(|placed| shapes::write(placed, materials)).collect(),
        ));
    }
    object(keys)
}

fn bits(v: DVec2) -> [u64; 2] {
    [v.x.to_bits(), v.y.to_bits()]
}
