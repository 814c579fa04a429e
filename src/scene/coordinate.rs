//! Limits and motor of the coordinate that a joint leaves free, read and written.
//!
//! The coordinate is an angle for a hinge (rad, N m) and a displacement for a slider and a slot (m, N); a wheel has limits of its
//! displacement and a motor of its angle. The other kinds have none. Limits of a hinge count from the relative angle at which its
//! bodies are placed, those of a slider from where its anchors coincide; `limits_from` sets another zero.

use super::profile;
use super::reader::{Cursor, Object};
use super::write::{number, object};
use crate::model::{Body, Joint, JointKind, Motor, Profile, Servo};
use serde_json::{Value, json};

/// Limits and motor of a joint's free coordinate; see [`Joint`].
#[derive(Default)]
pub(super) struct Coordinate {
    pub limits: Option<[f64; 2]>,
    pub zero: f64,
    pub motor: Option<Motor>,
    /// Of the motor's speed and largest force.
    pub profiles: [Option<Profile>; 2],
    pub servo: Option<Servo>,
    pub friction: f64,
}

/// The keys of this file.
const KEYS: [&str; 4] = ["limits", "limits_from", "motor", "friction"];

/// How a scene states the motor of a kind of joint.
struct Drive {
    /// The kind of joint.
    kind: &'static str,
    /// Key of the bound of the motor's force or torque.
    bound: &'static str,
    /// The bound's unit.
    unit: &'static str,
}

/// The kinds with a free coordinate.
const DRIVES: [Drive; 4] = [
    Drive { kind: "hinge", bound: "max_torque", unit: "N m" },
    Drive { kind: "slider", bound: "max_force", unit: "N" },
    Drive { kind: "slot", bound: "max_force", unit: "N" },
    Drive { kind: "wheel", bound: "max_torque", unit: "N m" },
];

/// Reads `limits`, `limits_from` and `motor` of a joint of the given kind; `ends` are its bodies as placed.
pub(super) fn read(keys: &Object<'_>, kind: &str, ends: Option<[&Body; 2]>) -> Option<Coordinate> {
    let Some(drive) = DRIVES.iter().find(|drive| drive.kind == kind) else {
        return refuse(keys, kind, &KEYS);
    };
    let limits = keys.maybe("limits", limits);
    let zero = keys.maybe("limits_from", Cursor::number);
    let motor = keys.maybe("motor", |cursor| motor(cursor, drive));
    let friction = keys.or("friction", 0.0, Cursor::not_negative);
    let (limits, zero, motor, friction) = (limits?, zero?, motor?, friction?);
    let (motor, profiles, servo) = match motor {
        Some((motor, profiles, servo)) => (Some(motor), profiles, servo),
        None => (None, [None, None], None),
    };
    let counts = limits.is_some() || servo.is_some();
    if let (false, Some(cursor)) = (counts, keys.get("limits_from")) {
        cursor.problem("expected 'limits' together with it");
        return None;
    }
    let zero = match zero {
        _ if !counts => 0.0,
        Some(zero) => zero,
        None => zero_as_placed(kind, ends?),
    };
    Some(Coordinate { limits, zero, motor, profiles, servo, friction })
}

/// Reports these keys on kinds without a free coordinate.
pub(super) fn refuse(keys: &Object<'_>, kind: &str, refused: &[&'static str]) -> Option<Coordinate> {
    let mut sound = true;
    // Only keys that are present are asked for, because messages about unknown keys list those that were asked for as
    // allowed.
    let given = keys.others("joint");
    let refused = refused.iter().copied().filter(|key| given.iter().any(|(own, _)| own == key));
    for cursor in refused.filter_map(|key| keys.get(key)) {
        cursor.problem(format!("expected a hinge, a slider, a slot or a wheel, found a {kind}"));
        sound = false;
    }
    sound.then(Coordinate::default)
}

/// The zero of the limits if the file does not state one.
fn zero_as_placed(kind: &str, [a, b]: [&Body; 2]) -> f64 {
    match kind {
        "hinge" => b.pose.angle - a.pose.angle,
        _ => 0.0,
    }
}

/// `[lower, upper]`; null leaves a side open.
fn limits(cursor: &Cursor<'_>) -> Option<[f64; 2]> {
    let [lower, upper] = cursor.exactly("two numbers [lower, upper]")?;
    let bound = |cursor: &Cursor<'_>, open| if cursor.is_null() { Some(open) } else { cursor.number() };
    let (lower, upper) = (bound(&lower, f64::NEG_INFINITY), bound(&upper, f64::INFINITY));
    let (lower, upper) = (lower?, upper?);
    if lower > upper {
        cursor.problem(format!("expected the lower limit first, found [{lower}, {upper}]"));
        return None;
    }
    Some([lower, upper])
}

/// A motor's numbers, the profiles of its speed and largest force, and where it holds a position, if it does.
type Drives = (Motor, [Option<Profile>; 2], Option<Servo>);

/// A motor that drives at a speed, or one that holds a position.
fn motor(cursor: &Cursor<'_>, drive: &Drive) -> Option<Drives> {
    let Drive { kind, bound, unit } = drive;
    let keys = cursor.object(&format!("a motor {{\"speed\": …, \"{bound}\": …}}"))?;
    let holds = keys.get("position").is_some();
    let speed = match keys.get("speed") {
        None if holds => Some((0.0, None)),
        _ => {
            let speed = keys.require("speed", "a number, or a profile");
            speed.and_then(|c| profile::driven(&c, |c| c.number()))
        }
    };
    let servo = if holds { servo(&keys).map(Some) } else { Some(None) };
    let other = DRIVES.iter().find(|other| other.bound != *bound).and_then(|other| keys.get(other.bound));
    let max_force = match other {
        Some(wrong) => {
            wrong.problem(format!("expected '{bound}' ({unit}) for the motor of a {kind}"));
            keys.get(bound).and_then(|c| c.not_negative()).map(|force| (force, None))
        }
        None => {
            let expected = format!("a number of {unit}, 0 or more, or a profile");
            keys.require(bound, &expected).and_then(|c| profile::driven(&c, |c| c.not_negative()))
        }
    };
    keys.finish();
    let ((speed, of_speed), (max_force, of_force)) = (speed?, max_force?);
    if max_force < 0.0 {
        cursor.problem("expected a 'scale' of the largest force that is 0 or more");
        return None;
    }
    Some((Motor { speed, max_force }, [of_speed, of_force], servo?))
}

/// The keys of a motor that holds a position.
fn servo(keys: &Object<'_>) -> Option<Servo> {
    let position = keys.require("position", "a number").and_then(|c| c.number());
    let frequency = keys.require("frequency", "a number of Hz, greater than 0").and_then(|c| c.positive());
    let damping_ratio = keys.or("damping_ratio", 1.0, Cursor::not_negative);
    Some(Servo { position: position?, frequency: frequency?, damping_ratio: damping_ratio? })
}

/// Writes the keys of a joint whose bodies are placed as `ends`.
pub(super) fn write(joint: &Joint, ends: Option<[&Body; 2]>) -> Vec<(&'static str, Value)> {
    let Joint { limits, zero, motor, speed_profile, force_profile, servo, friction, kind, .. } = joint;
    let mut keys = Vec::new();
    if let (Some(limits), false) = (limits, matches!(kind, JointKind::Rope(_))) {
        let bound = |x: f64| if x.is_finite() { number(x) } else { Value::Null };
        keys.push(("limits", json!(limits.map(bound))));
    }
    if limits.is_some() || servo.is_some() {
        let reloaded = ends.map(|ends| zero_as_placed(kind.key(), ends).to_bits());
        if reloaded != Some(zero.to_bits()) {
            keys.push(("limits_from", number(*zero)));
        }
    }
    let drive = DRIVES.iter().find(|drive| drive.kind == kind.key());
    if let (Some(Motor { speed, max_force }), Some(drive)) = (motor, drive) {
        let mut own = vec![
            ("speed", profile::written(*speed, speed_profile.as_ref())),
            (drive.bound, profile::written(*max_force, force_profile.as_ref())),
        ];
        if let Some(Servo { position, frequency, damping_ratio }) = servo {
            own.extend([
                ("position", number(*position)),
                ("frequency", number(*frequency)),
                ("damping_ratio", number(*damping_ratio)),
            ]);
        }
        keys.push(("motor", object(own)));
    }
    if *friction > 0.0 {
        keys.push(("friction", number(*friction)));
    }
    keys
}
