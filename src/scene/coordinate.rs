//! Limits and motor of the coordinate that a joint leaves free, read and written.
//!
//! The coordinate is an angle for a hinge (rad, N m) and a displacement for a slider (m, N); the other kinds have
//! none. Limits of a hinge count from the relative angle at which its bodies are placed, those of a slider from where
//! its anchors coincide; `limits_from` sets another zero.

use super::profile;
use super::reader::{Cursor, Object};
use super::write::{number, object};
use crate::model::{Body, Joint, Motor, Profile};
use serde_json::{Value, json};

/// Limits and motor of a joint's free coordinate; see [`Joint`].
#[derive(Default)]
pub(super) struct Coordinate {
    pub limits: Option<[f64; 2]>,
    pub zero: f64,
    pub motor: Option<Motor>,
    /// Of the motor's speed and largest force.
    pub profiles: [Option<Profile>; 2],
}

/// The keys of this file.
const KEYS: [&str; 3] = ["limits", "limits_from", "motor"];

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
const DRIVES: [Drive; 2] = [
    Drive { kind: "hinge", bound: "max_torque", unit: "N m" },
    Drive { kind: "slider", bound: "max_force", unit: "N" },
];

/// Reads `limits`, `limits_from` and `motor` of a joint of the given kind; `ends` are its bodies as placed.
pub(super) fn read(keys: &Object<'_>, kind: &str, ends: Option<[&Body; 2]>) -> Option<Coordinate> {
    let Some(drive) = DRIVES.iter().find(|drive| drive.kind == kind) else {
        return refuse(keys, kind);
    };
    let limits = keys.maybe("limits", limits);
    let zero = keys.maybe("limits_from", Cursor::number);
    let motor = keys.maybe("motor", |cursor| motor(cursor, drive));
    let (limits, zero, motor) = (limits?, zero?, motor?);
    if let (None, Some(cursor)) = (limits, keys.get("limits_from")) {
        cursor.problem("expected 'limits' together with it");
        return None;
    }
    let zero = match (limits, zero) {
        (None, _) => 0.0,
        (Some(_), Some(zero)) => zero,
        (Some(_), None) => zero_as_placed(kind, ends?),
    };
    let (motor, profiles) = motor.unzip();
    Some(Coordinate { limits, zero, motor, profiles: profiles.unwrap_or_default() })
}

/// Reports these keys on kinds without a free coordinate.
fn refuse(keys: &Object<'_>, kind: &str) -> Option<Coordinate> {
    let mut sound = true;
    // Only keys that are present are asked for, because messages about unknown keys list those that were asked for as
    // allowed.
    let given = keys.others("joint");
    let refused = KEYS.into_iter().filter(|key| given.iter().any(|(own, _)| own == key));
    for cursor in refused.filter_map(|key| keys.get(key)) {
        cursor.problem(format!("expected a hinge or a slider, found a {kind}"));
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

fn motor(cursor: &Cursor<'_>, drive: &Drive) -> Option<(Motor, [Option<Profile>; 2])> {
    let Drive { kind, bound, unit } = drive;
    let keys = cursor.object(&format!("a motor {{\"speed\": …, \"{bound}\": …}}"))?;
    let speed = keys.require("speed", "a number, or a profile");
    let speed = speed.and_then(|c| profile::driven(&c, |c| c.number()));
    let other = DRIVES.iter().find(|other| other.kind != *kind).and_then(|other| keys.get(other.bound));
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
    Some((Motor { speed, max_force }, [of_speed, of_force]))
}

/// Writes the keys of a joint whose bodies are placed as `ends`.
pub(super) fn write(joint: &Joint, ends: Option<[&Body; 2]>) -> Vec<(&'static str, Value)> {
    let Joint { limits, zero, motor, kind, speed_profile, force_profile, .. } = joint;
    let mut keys = Vec::new();
    if let Some(limits) = limits {
        let bound = |x: f64| if x.is_finite() { number(x) } else { Value::Null };
        keys.push(("limits", json!(limits.map(bound))));
        let reloaded = ends.map(|ends| zero_as_placed(kind.key(), ends).to_bits());
        if reloaded != Some(zero.to_bits()) {
            keys.push(("limits_from", number(*zero)));
        }
    }
    let drive = DRIVES.iter().find(|drive| drive.kind == kind.key());
    if let (Some(Motor { speed, max_force }), Some(drive)) = (motor, drive) {
        let motor = object(vec![
            ("speed", profile::written(*speed, speed_profile.as_ref())),
            (drive.bound, profile::written(*max_force, force_profile.as_ref())),
        ]);
        keys.push(("motor", motor));
    }
    keys
}
