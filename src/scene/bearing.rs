//! What a joint or spring bears, read and written: the limits of ropes, softness, and the reaction at which a part breaks.

use super::coordinate::{self, Coordinate};
use super::profile;
use super::reader::{Cursor, Object};
use super::write::{number, object};
use crate::model::joint::Unit;
use crate::model::{Body, Breaking, Frame, Joint, JointKind, JointSoftness, Softness, Spring};
use glam::DVec3;
use serde_json::{Value, json};

/// Whether a joint of this kind is bounded rather than held: a rope, or a distance with limits.
pub(super) fn is_bounded(keys: &Object<'_>, kind: &str) -> bool {
    kind == "rope" || kind == "distance" && keys.others("joint").iter().any(|(key, _)| *key == "limits")
}

/// Reads the distances of a rope, `length`, by default that of its ends as placed, or of a distance with `limits`.
pub(super) fn distances(keys: &Object<'_>, kind: &str, placed: Option<f64>) -> Option<Coordinate> {
    let others = coordinate::refuse(keys, kind, &["limits_from", "motor"]);
    let limits = if kind == "rope" {
        let length = keys.maybe("length", profile::length);
        let limits = coordinate::refuse(keys, "rope, whose 'length' is its longest distance", &["limits"]);
        let length = match length? {
            Some(length) => Some(length),
            None => {
                let placed = placed?;
                if placed <= 0.0 {
                    keys.cursor().problem("the anchors coincide: expected a 'length' greater than 0");
                }
                (placed > 0.0).then_some(placed)
            }
        };
        limits.and(length).map(|length| [f64::NEG_INFINITY, length])
    } else {
        for key in ["length", "form"] {
            if let Some(cursor) = keys.others("joint").into_iter().find(|(own, _)| *own == key) {
                cursor.1.problem("expected either a length that is kept, or 'limits', found both");
                for own in [key, "limits"] {
                    keys.get(own);
                }
                return None;
            }
        }
        keys.get("limits").and_then(|cursor| shortest_and_longest(&cursor))
    };
    others?;
    Some(Coordinate { limits: Some(limits?), ..Coordinate::default() })
}

/// `[shortest, longest]`; null leaves a side open.
fn shortest_and_longest(cursor: &Cursor<'_>) -> Option<[f64; 2]> {
    let [shortest, longest] = cursor.exactly("two distances [shortest, longest]")?;
    let shortest = if shortest.is_null() { Some(f64::NEG_INFINITY) } else { shortest.not_negative() };
    let longest = if longest.is_null() { Some(f64::INFINITY) } else { longest.positive() };
    let (shortest, longest) = (shortest?, longest?);
    if shortest > longest {
        cursor.problem(format!("expected the shortest distance first, found [{shortest}, {longest}]"));
        return None;
    }
    if shortest.is_infinite() && longest.is_infinite() {
        cursor.problem("expected a shortest or a longest distance, found neither");
        return None;
    }
    Some([shortest, longest])
}

/// Reads what the joint bears into it, after its kind and limits are known; `ends` are its bodies.
pub(super) fn read(keys: &Object<'_>, joint: &mut Joint, ends: Option<[&Body; 2]>) -> Option<()> {
    let units = units(&joint.kind);
    let softness = keys.maybe("softness", |cursor| softness(cursor, units, ends));
    let breaking = keys.maybe("breaks_at", |cursor| {
        // The limits and the motor of a hinge exert a torque.
        let [pulls, turns] = units;
        breaking(cursor, joint.motor.is_some(), [pulls, turns || pulls])
    });
    let broken = keys.or("broken", false, Cursor::boolean);
    let rebounds = keys.others("joint").iter().any(|(key, _)| *key == "restitution");
    let restitution = if rebounds && !has_limits(joint) {
        keys.get("restitution")?.problem("expected 'limits', or a rope, together with it");
        None
    } else {
        keys.or("restitution", 0.0, share)
    };
    let motor_broken = match joint.motor {
        Some(_) => keys.or("motor_broken", false, Cursor::boolean),
        None => Some(false),
    };
    (joint.softness, joint.breaking) = (softness?, breaking?);
    (joint.broken, joint.motor_broken) = (broken?, motor_broken?);
    joint.restitution = restitution?;
    Some(())
}

/// Whether impacts at a bound can happen in it.
fn has_limits(joint: &Joint) -> bool {
    joint.limits.is_some() || matches!(&joint.kind, JointKind::Pulley(pulley) if pulley.slack)
}

fn share(cursor: &Cursor<'_>) -> Option<f64> {
    cursor.number_that("a number from 0 to 1", |x| (0.0..=1.0).contains(&x))
}

/// Asks for the keys of [`read`], so that they are known where the joint itself is wrong.
pub(super) fn ask(keys: &Object<'_>) {
    for key in ["softness", "breaks_at", "broken", "restitution", "motor_broken"] {
        keys.get(key);
    }
}

/// Reads what a gear bears, and whether it is broken.
pub(super) fn read_gear(keys: &Object<'_>) -> Option<(Option<Breaking>, bool)> {
    let breaking = keys.maybe("breaks_at", |cursor| breaking(cursor, false, [true; 2]));
    let broken = keys.or("broken", false, Cursor::boolean);
    Some((breaking?, broken?))
}

/// Reads what a spring bears into it.
pub(super) fn read_spring(keys: &Object<'_>, spring: &mut Spring) -> Option<()> {
    let torsional = spring.rest_angle.is_some();
    let breaking = keys.maybe("breaks_at", |cursor| breaking(cursor, false, [!torsional, torsional]));
    let broken = keys.or("broken", false, Cursor::boolean);
    (spring.breaking, spring.broken) = (breaking?, broken?);
    Some(())
}

/// Whether some rows of a kind are lengths, and whether some are angles.
fn units(kind: &JointKind) -> [bool; 2] {
    let [a, b] = [DVec3::X, DVec3::ZERO].map(|q| Frame::new(q, DVec3::ZERO));
    let mut units = [matches!(kind, JointKind::Rope(_) | JointKind::Pulley(_)), false];
    kind.equations_of([&a, &b, &a, &b], |row, _| units[usize::from(row.unit == Unit::Radian)] = true);
    units
}

/// {`frequency` Hz, `damping_ratio`}, or {`stiffness`, `damping`} of lengths and {`angular_stiffness`, `angular_damping`} of
/// angles.
fn softness(cursor: &Cursor<'_>, [_, turns]: [bool; 2], ends: Option<[&Body; 2]>) -> Option<JointSoftness> {
    let keys = cursor.object(
        "a softness {\"frequency\": …, \"damping_ratio\": …} or {\"stiffness\": …, \"damping\": …}",
    )?;
    let read = match keys.get("frequency") {
        Some(frequency) => {
            let frequency = frequency.positive();
            let ratio = keys.or("damping_ratio", 0.0, Cursor::not_negative);
            let known = frequency.zip(ratio).zip(ends);
            known.map(|((frequency, ratio), ends)| JointSoftness::of_frequency(ends, frequency, ratio))
        }
        None => {
            let expected = "a stiffness in N/m, or a 'frequency' in Hz";
            let stiffness = keys.require("stiffness", expected).and_then(|c| c.not_negative());
            let damping = keys.or("damping", 0.0, Cursor::not_negative);
            let linear = stiffness.zip(damping).map(|(stiffness, damping)| Softness { stiffness, damping });
            let angular = if turns {
                let stiffness = keys.require("angular_stiffness", "a stiffness in N m/rad");
                let stiffness = stiffness.and_then(|c| c.not_negative());
                let damping = keys.or("angular_damping", 0.0, Cursor::not_negative);
                stiffness.zip(damping).map(|(stiffness, damping)| Softness { stiffness, damping })
            } else {
                Some(Softness { stiffness: 0.0, damping: 0.0 })
            };
            linear.zip(angular).map(|(linear, angular)| JointSoftness { linear, angular })
        }
    };
    keys.finish();
    read
}

/// {`force` N, `torque` N m}, and of a joint with a motor {`motor`}.
fn breaking(cursor: &Cursor<'_>, has_motor: bool, [pulls, turns]: [bool; 2]) -> Option<Breaking> {
    let keys = cursor.object("a largest reaction {\"force\": …, \"torque\": …}")?;
    let force = if pulls { keys.maybe("force", Cursor::not_negative) } else { Some(None) };
    let torque = if turns { keys.maybe("torque", Cursor::not_negative) } else { Some(None) };
    let motor = if has_motor { keys.maybe("motor", Cursor::not_negative) } else { Some(None) };
    let is_empty = keys.others("").is_empty();
    keys.finish();
    let own = Breaking { force: force?, torque: torque?, motor: motor? };
    if is_empty {
        cursor.problem("expected a 'force' or a 'torque'");
    }
    (own != Breaking::default()).then_some(own)
}

/// The keys of the distances of a rope; none of other joints.
pub(super) fn write_distances(joint: &Joint) -> Vec<(&'static str, Value)> {
    let (JointKind::Rope(_), Some([shortest, longest])) = (&joint.kind, joint.limits) else {
        return Vec::new();
    };
    if kind_key(joint) == "rope" {
        return vec![profile::written_length(longest, joint.length_profile.as_ref())];
    }
    let bound = |x: f64| if x.is_finite() { number(x) } else { Value::Null };
    vec![("limits", json!([bound(shortest), bound(longest)]))]
}

/// The kind of a joint as a file names it: a rope with a shortest distance is a distance with limits.
pub(super) fn kind_key(joint: &Joint) -> &'static str {
    let held_apart = joint.limits.is_some_and(|[shortest, _]| shortest.is_finite());
    match &joint.kind {
        JointKind::Rope(_) if held_apart || joint.rope_length().is_none() => "distance",
        kind => kind.key(),
    }
}

/// The keys of what a joint bears.
pub(super) fn write(joint: &Joint) -> Vec<(&'static str, Value)> {
    let mut keys = Vec::new();
    if joint.restitution != 0.0 && has_limits(joint) {
        keys.push(("restitution", number(joint.restitution)));
    }
    if let Some(JointSoftness { linear, angular }) = joint.softness {
        let mut own = vec![("stiffness", number(linear.stiffness)), ("damping", number(linear.damping))];
        if units(&joint.kind)[1] {
            own.push(("angular_stiffness", number(angular.stiffness)));
            own.push(("angular_damping", number(angular.damping)));
        }
        keys.push(("softness", object(own)));
    }
    keys.extend(written_breaking(joint.breaking));
    keys.extend(joint.broken.then(|| ("broken", json!(true))));
    keys.extend((joint.motor_broken && joint.motor.is_some()).then(|| ("motor_broken", json!(true))));
    keys
}

/// The keys of what a spring bears.
pub(super) fn write_spring(spring: &Spring) -> Vec<(&'static str, Value)> {
    let broken = spring.broken.then(|| ("broken", json!(true)));
    written_breaking(spring.breaking).into_iter().chain(broken).collect()
}

fn written_breaking(breaking: Option<Breaking>) -> Option<(&'static str, Value)> {
    let Breaking { force, torque, motor } = breaking?;
    let limits = [("force", force), ("torque", torque), ("motor", motor)];
    let given: Vec<_> = limits.into_iter().filter_map(|(key, limit)| Some((key, number(limit?)))).collect();
    (!given.is_empty()).then(|| ("breaks_at", object(given)))
}
