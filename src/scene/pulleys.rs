//! Pulleys, read and written.
//!
//! A wheel is given in the world at the initial poses (`wheels`), or relative to the centre of mass of the body that carries it
//! (`wheel_arms`: what the engine holds, and what a save uses where a body carries one).

use super::directory::Directory;
use super::problems::brief;
use super::profile;
use super::reader::{Cursor, Object};
use super::write::{number, pair};
use crate::model::joint::Pulley;
use crate::model::{Body, Frame, Joint, JointKind};
use glam::{DVec2, DVec3};
use serde_json::{Value, json};

/// The name of the kind.
pub(super) const PULLEY: &str = "pulley";

/// A pulley's kind, with the bodies that carry its wheels.
pub(super) type Read = (JointKind, Option<[usize; 2]>);

/// Reads the keys of a pulley between `bodies`, whose ends are held at these anchors.
pub(super) fn read(
    keys: &Object<'_>,
    directory: &Directory<'_>,
    bodies: Option<[usize; 2]>,
    anchors: Option<[DVec2; 2]>,
) -> Option<Read> {
    let carriers = match keys.get("wheels_on") {
        None => Some([None; 2]),
        Some(cursor) => carriers(&cursor, directory, bodies),
    };
    let wheels = match (keys.get("wheels"), keys.get("wheel_arms")) {
        (Some(world), None) => points(&world).zip(carriers).and_then(|(points, carriers)| {
            let placed = |side: usize| match carriers[side] {
                None => Some(points[side]),
                Some(index) => directory.body(index).map(|body| body.anchor_at(points[side])),
            };
            Some([placed(0)?, placed(1)?])
        }),
        (None, Some(own)) => points(&own),
        (Some(both), Some(_)) => {
            both.problem("expected either 'wheels' or 'wheel_arms', found both");
            None
        }
        (None, None) => keys.require("wheels", "two points [[x, y], [x, y]]").and(None),
    };
    let ratio = keys.or("ratio", 1.0, Cursor::positive);
    let length = keys.maybe("length", profile::length);
    let slack = keys.or("slack", false, Cursor::boolean);
    let soft = keys.others("joint").into_iter().find(|(key, _)| *key == "softness");
    if let (Some((_, soft)), Some(carriers)) = (soft, carriers)
        && carriers != [None; 2]
    {
        soft.problem("expected it of a pulley whose wheels are fixed in the world");
        return None;
    }
    let (carriers, wheels, ratio, length, slack) = (carriers?, wheels?, ratio?, length?, slack?);
    let (bodies, anchors) = (bodies?, anchors?);
    let carried = carriers.map(|own| own.is_some());
    let mut pulley = Pulley { anchors, wheels, carried, ratio, length: 1.0, slack };
    // Body a stands for a wheel that no body carries.
    let further = carriers.map(|own| own.unwrap_or(bodies[0]));
    pulley.length = match length {
        Some(length) => length,
        None => {
            let frame = |index: usize| Some(frame(directory.body(index)?));
            let at = [frame(bodies[0])?, frame(bodies[1])?, frame(further[0])?, frame(further[1])?];
            let [of_a, of_b] = pulley.parts(at.each_ref());
            let placed = of_a + ratio * of_b;
            if placed <= 0.0 {
                keys.cursor().problem("both ends are at their wheels: expected a 'length' greater than 0");
                return None;
            }
            placed
        }
    };
    let further = pulley.is_carried().then_some(further);
    Some((JointKind::Pulley(pulley), further))
}

fn frame(body: &Body) -> Frame {
    Frame::new(body.pose.coordinates(), DVec3::ZERO)
}

fn points(cursor: &Cursor<'_>) -> Option<[DVec2; 2]> {
    let [a, b] = cursor.exactly::<2>("two points [[x, y], [x, y]]")?.map(|point| point.vector());
    Some([a?, b?])
}

/// The bodies that carry the wheels; null is none.
fn carriers(
    cursor: &Cursor<'_>,
    directory: &Directory<'_>,
    ends: Option<[usize; 2]>,
) -> Option<[Option<usize>; 2]> {
    let items =
        cursor.exactly::<2>("two names of bodies, or null for a wheel that is fixed in the world")?;
    let mut found = [Some(None); 2];
    for (side, item) in items.iter().enumerate().filter(|(_, item)| !item.is_null()) {
        found[side] = directory.find(item).map(Some);
        if let (Some(Some(own)), Some(ends)) = (found[side], ends)
            && own == ends[side]
        {
            let name = brief(directory.names.get(own).copied().flatten().unwrap_or_default());
            item.problem(format!("expected another body than that of the rope's end, found '{name}'"));
            found[side] = None;
        }
    }
    Some([found[0]?, found[1]?])
}

/// The keys of a pulley beyond its bodies and anchors.
pub(super) fn write(joint: &Joint, pulley: &Pulley, names: &[String]) -> Vec<(&'static str, Value)> {
    let wheels = json!(pulley.wheels.map(pair));
    let mut keys = match joint.further() {
        None => vec![("wheels", wheels)],
        Some(further) => {
            let name = |side: usize| pulley.carried[side].then(|| names.get(further[side])).flatten();
            vec![("wheel_arms", wheels), ("wheels_on", json!([name(0), name(1)]))]
        }
    };
    let length = profile::written_length(pulley.length, joint.length_profile.as_ref());
    keys.extend([("ratio", number(pulley.ratio)), length]);
    keys.extend(pulley.slack.then(|| ("slack", json!(true))));
    keys
}
