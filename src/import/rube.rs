//! R.U.B.E. JSON, as b2dJson writes it: `body`, `joint`; numbers as such or as the eight hexadecimal digits of a 32-bit float,
//! a zero vector as `0`.

use super::Format;
use super::box2d::{BodyDef, FixtureDef, JointDef, ShapeDef, SoftDef, convert};
use super::draft::{Draft, Imported, Named};
use crate::model::Filter;
use crate::scene::Problem;
use glam::DVec2;
use serde_json::Value;

/// Converts the text.
///
/// # Errors
/// A text that is not JSON or has no bodies, and what a scene may not contain.
pub(super) fn read(text: &str) -> Result<Imported, Vec<Problem>> {
    let whole = |message: String| vec![Problem { path: String::new(), message }];
    let root: Value =
        serde_json::from_str(text).map_err(|error| whole(format!("expected JSON: {error}")))?;
    if !root.get("body").is_some_and(Value::is_array) {
        return Err(whole("expected the key 'body' with an array (R.U.B.E. JSON)".to_owned()));
    }
    let mut draft = Draft::new();
    let gravity = vector(root.get("gravity")).unwrap_or_default();
    if let Err(error) = draft.world.set_gravity(gravity) {
        draft.leave_out("gravity", error.to_string());
    }
    let bodies =
        items(&root, "body").enumerate().map(|(index, value)| body(&mut draft, value, index)).collect();
    let joints =
        items(&root, "joint").enumerate().map(|(index, value)| joint(&mut draft, value, index)).collect();
    convert(&mut draft, bodies, joints);
    let rate = number(root.get("stepsPerSecond")).filter(|rate| *rate > 0.0);
    if rate.is_none() {
        draft.leave_out("stepsPerSecond", "the file states no time step: it is 1/60 s here");
    }
    draft.finish(Format::Rube, Named::default(), 1.0 / rate.unwrap_or(60.0))
}

fn items<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// A number, or the bits of one.
fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(digits) if digits.len() == 8 => {
            u32::from_str_radix(digits, 16).ok().map(|bits| f64::from(f32::from_bits(bits)))
        }
        _ => None,
    }
}

fn vector(value: Option<&Value>) -> Option<DVec2> {
    let value = value?;
    if value.is_number() {
        return number(Some(value)).filter(|x| *x == 0.0).map(|_| DVec2::ZERO);
    }
    let part = |key| value.get(key).map_or(Some(0.0), |x| number(Some(x)));
    value.is_object().then_some(())?;
    Some(DVec2::new(part("x")?, part("y")?))
}

/// An object, and the keys that were expected to be something else.
struct Keys<'v, 'd> {
    value: &'v Value,
    draft: &'d mut Draft,
    place: String,
}

impl Keys<'_, '_> {
    fn number(&mut self, key: &str, default: f64) -> f64 {
        self.read(key, default, "a number", number)
    }

    fn vector(&mut self, key: &str) -> DVec2 {
        self.read(key, DVec2::ZERO, "{\"x\": …, \"y\": …}", vector)
    }

    fn is(&mut self, key: &str, default: bool) -> bool {
        self.read(key, default, "true or false", |value| value?.as_bool())
    }

    fn text(&mut self, key: &str) -> String {
        self.read(key, String::new(), "a text", |value| value?.as_str().map(str::to_owned))
    }

    fn read<T>(
        &mut self,
        key: &str,
        default: T,
        expected: &str,
        read: impl Fn(Option<&Value>) -> Option<T>,
    ) -> T {
        let Some(value) = self.value.get(key) else { return default };
        match read(Some(value)) {
            Some(read) => read,
            None => {
                self.draft.leave_out(
                    format!("{}.{key}", self.place),
                    format!("expected {expected}: its default is taken"),
                );
                default
            }
        }
    }
}

fn body(draft: &mut Draft, value: &Value, index: usize) -> BodyDef {
    let place = format!("body[{index}]");
    let mut keys = Keys { value, draft, place: place.clone() };
    let mut def = BodyDef::new(place.clone());
    def.name = keys.text("name");
    def.kind = keys.number("type", 0.0);
    def.position = keys.vector("position");
    def.angle = keys.number("angle", 0.0);
    def.linear_velocity = keys.vector("linearVelocity");
    def.angular_velocity = keys.number("angularVelocity", 0.0);
    def.linear_damping = keys.number("linearDamping", 0.0);
    def.angular_damping = keys.number("angularDamping", 0.0);
    def.fixed_rotation = keys.is("fixedRotation", false);
    def.active = keys.is("active", true);
    def.gravity_scale = keys.number("gravityScale", 1.0);
    let (mass, inertia) = (keys.number("massData-mass", 0.0), keys.number("massData-I", 0.0));
    def.mass = (mass > 0.0).then_some((mass, keys.vector("massData-center"), inertia));
    def.fixtures = items(value, "fixture")
        .enumerate()
        .map(|(index, value)| fixture(keys.draft, value, format!("{place}.fixture[{index}]")))
        .collect();
    def
}

fn fixture(draft: &mut Draft, value: &Value, place: String) -> FixtureDef {
    let mut keys = Keys { value, draft, place: place.clone() };
    let mut def = FixtureDef::new(place);
    def.density = keys.number("density", 0.0);
    def.friction = keys.number("friction", 0.0);
    def.restitution = keys.number("restitution", 0.0);
    def.sensor = keys.is("sensor", false);
    let usual = Filter::default();
    def.filter = Filter {
        categories: keys.number("filter-categoryBits", f64::from(usual.categories)) as i64 as u32,
        // All may be written as -1.
        mask: keys.number("filter-maskBits", f64::from(usual.mask)) as i64 as u32,
        group: keys.number("filter-groupIndex", 0.0) as i32,
    };
    def.shape = shape(value);
    def
}

fn shape(value: &Value) -> Option<ShapeDef> {
    if let Some(circle) = value.get("circle") {
        let center = circle.get("center").map_or(Some(DVec2::ZERO), |center| vector(Some(center)));
        return Some(ShapeDef::Circle { center: center?, radius: number(circle.get("radius"))? });
    }
    if let Some(polygon) = value.get("polygon") {
        return Some(ShapeDef::Polygon(points(polygon.get("vertices")?)?));
    }
    if let Some(chain) = value.get("chain").and_then(|chain| chain.get("vertices")) {
        return Some(ShapeDef::Chain(points(chain)?));
    }
    if let Some(closed) = value.get("loop") {
        let mut points = points(closed.get("vertices").unwrap_or(closed))?;
        points.extend(points.first().copied());
        return Some(ShapeDef::Chain(points));
    }
    let edge = value.get("edge")?;
    Some(ShapeDef::Chain(vec![vector(edge.get("vertex1"))?, vector(edge.get("vertex2"))?]))
}

/// `{"x": […], "y": […]}`.
fn points(value: &Value) -> Option<Vec<DVec2>> {
    let list =
        |key| -> Option<Vec<f64>> { value.get(key)?.as_array()?.iter().map(|x| number(Some(x))).collect() };
    let (x, y) = (list("x")?, list("y")?);
    (x.len() == y.len()).then(|| x.into_iter().zip(y).map(|(x, y)| DVec2::new(x, y)).collect())
}

fn joint(draft: &mut Draft, value: &Value, index: usize) -> JointDef {
    let place = format!("joint[{index}]");
    let mut keys = Keys { value, draft, place: place.clone() };
    let kind = keys.text("type");
    let body = |key| number(value.get(key)).filter(|index| *index >= 0.0).map(|index| index as usize);
    let limited = keys.is("enableLimit", false);
    let driven = keys.is("enableMotor", false);
    let most = if kind == "prismatic" { "maxMotorForce" } else { "maxMotorTorque" };
    let wheel = if kind == "wheel" {
        ["springFrequency", "springDampingRatio"]
    } else {
        ["frequency", "dampingRatio"]
    };
    let [rate, ratio] = wheel.map(|key| keys.number(key, 0.0));
    let (stiffness, damping) = (keys.number("stiffness", 0.0), keys.number("damping", 0.0));
    let soft = match (rate > 0.0, stiffness > 0.0 || damping > 0.0) {
        (true, _) => SoftDef::Rate(rate, ratio),
        (false, true) => SoftDef::Given(stiffness, damping),
        (false, false) => SoftDef::None,
    };
    let axis = if value.get("localAxisA").is_some() { "localAxisA" } else { "localAxis1" };
    JointDef {
        bodies: [body("bodyA"), body("bodyB")],
        collide_connected: keys.is("collideConnected", false),
        anchors: [keys.vector("anchorA"), keys.vector("anchorB")],
        axis: keys.vector(axis),
        reference_angle: keys.number("refAngle", 0.0),
        limits: limited.then(|| [keys.number("lowerLimit", 0.0), keys.number("upperLimit", 0.0)]),
        motor: driven.then(|| [keys.number("motorSpeed", 0.0), keys.number(most, 0.0)]),
        length: keys.number("length", 0.0),
        longest: keys.number("maxLength", 0.0),
        lengths: value
            .get("minLength")
            .is_some()
            .then(|| [keys.number("minLength", 0.0), keys.number("maxLength", 0.0)]),
        offset: keys.vector("anchorA"),
        angular_offset: keys.number("refAngle", 0.0),
        bounds: [keys.number("maxForce", 0.0), keys.number("maxTorque", 0.0)],
        correction: keys.number("correctionFactor", 0.0),
        soft,
        place,
        kind,
        ..JointDef::default()
    }
}
