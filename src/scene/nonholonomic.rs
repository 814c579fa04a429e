//! Non-holonomic constraints, read and written as elements of `joints`.
//!
//! Points and directions are given in the world at the initial poses, or fixed in their body: in body coordinates, or
//! relative to the centre of mass, as a save writes them where body coordinates would round.

use super::directory::Directory;
use super::reader::{Cursor, Object};
use super::write::{number, object, pair};
use crate::detect::nearest_point;
use crate::internal::Rotation;
use crate::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use crate::model::{Body, Nonholonomic, NonholonomicKind, Shape};
use glam::DVec2;
use serde_json::{Value, json};

type Read = fn(&Object<'_>, &Directory<'_>, f64) -> Option<Nonholonomic>;
const KINDS: [(&str, Read); 3] =
    [("knife_edge", knife_edge), ("rolling", rolling), ("prescribed_velocity", prescribed_velocity)];

/// Names of the kinds.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().map(|(key, _)| key)
}

/// Whether an element of `joints` is a non-holonomic constraint.
pub(super) fn is_one(cursor: &Cursor<'_>) -> bool {
    let quiet = super::problems::Log::default();
    let kind = cursor.quietly(&quiet).object("a joint").and_then(|keys| keys.get("joint"));
    kind.is_some_and(|kind| kind.is_text() && kind.text().is_some_and(|own| keys().any(|key| key == own)))
}

/// Reads a non-holonomic constraint, in a world at the time `time`, s.
pub(super) fn read(cursor: &Cursor<'_>, directory: &Directory<'_>, time: f64) -> Option<Nonholonomic> {
    let keys = cursor.object("a joint {\"joint\": …}")?;
    let read = keys.require("joint", "the kind of joint")?.one_of("a kind of joint", &KINDS)?;
    let constraint = read(&keys, directory, time);
    keys.finish();
    constraint
}

fn knife_edge(keys: &Object<'_>, directory: &Directory<'_>, _: f64) -> Option<Nonholonomic> {
    let body = moving(keys, directory);
    let own = body.and_then(|index| directory.body(index));
    let anchor = place(keys, own, ["anchor", "anchor_body", "arm"]);
    let axis = direction(keys, own, ["axis", "axis_body"]);
    let kind = NonholonomicKind::KnifeEdge(KnifeEdge { anchor: anchor?, axis: axis? });
    Some(Nonholonomic::new([body?; 2], kind))
}

fn prescribed_velocity(keys: &Object<'_>, directory: &Directory<'_>, time: f64) -> Option<Nonholonomic> {
    let body = moving(keys, directory);
    let own = body.and_then(|index| directory.body(index));
    let anchor = place(keys, own, ["anchor", "anchor_body", "arm"]);
    let now = anchor.zip(own).map(|(arm, body)| in_world(body, arm));
    let velocity = keys.require("velocity", "[vx, vy] or {\"circle\": …}");
    let law = velocity.and_then(|cursor| {
        if cursor.is_array() {
            cursor.vector().map(VelocityLaw::Constant)
        } else {
            circle(&cursor, now, time)
        }
    });
    let kind = NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor: anchor?, law: law? });
    Some(Nonholonomic::new([body?; 2], kind))
}

/// The velocity of a point on a circle that is at `now` at `time`, unless the file states where it was at t = 0.
fn circle(cursor: &Cursor<'_>, now: Option<DVec2>, time: f64) -> Option<VelocityLaw> {
    let keys = cursor.object("[vx, vy] or {\"circle\": {\"center\": [x, y], \"rate\": …}}")?;
    let circle = keys.require("circle", "{\"center\": [x, y], \"rate\": …}");
    keys.finish();
    let circle = circle?.object("{\"center\": [x, y], \"rate\": …}")?;
    let center = circle.require("center", "a point [x, y]").and_then(|c| c.vector());
    let rate = circle.require("rate", "a number of rad/s").and_then(|c| c.number());
    let start = circle.maybe("start", Cursor::vector);
    circle.finish();
    let (center, rate, start) = (center?, rate?, start?);
    let start = match start {
        Some(start) => start,
        None => start_of_circle(center, rate, now?, time),
    };
    Some(VelocityLaw::Circle { center, start, rate })
}

/// Where a point that is at `now` at time `t` was at t = 0 on its circle about `center`, m.
pub fn start_of_circle(center: DVec2, rate: f64, now: DVec2, t: f64) -> DVec2 {
    if t == 0.0 {
        return now;
    }
    center + Rotation::from_angle(rate * t).inverse_apply(now - center)
}

fn rolling(keys: &Object<'_>, directory: &Directory<'_>, _: f64) -> Option<Nonholonomic> {
    let body = keys.require("body", "the name of a body").and_then(|c| directory.find(&c));
    let on = keys.require("on", "the name of the body that it rolls on").and_then(|c| directory.find(&c));
    let radius = keys.require("radius", "a number greater than 0").and_then(|c| c.positive());
    let ends = on.zip(body).and_then(|(on, body)| {
        let whole = keys.cursor();
        if on == body {
            whole.problem("expected two different bodies, found the same as 'body' and 'on'");
            return None;
        }
        let [on, body] = [directory.body(on)?, directory.body(body)?];
        if !on.is_dynamic() && !body.is_dynamic() {
            whole.problem("neither 'body' nor 'on' is dynamic: expected one that could roll");
            return None;
        }
        Some([on, body])
    });
    let surface = surface(keys, ends);
    let (on, body, radius) = (on?, body?, radius?);
    ends?;
    let kind = NonholonomicKind::Rolling(Rolling { radius, surface: surface? });
    Some(Nonholonomic::new([on, body], kind))
}

/// The surface; derived from the shapes if the file does not state it.
fn surface(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<Surface> {
    let on = ends.map(|[on, _]| on);
    let ways = ["normal", "normal_on", "center", "arm_on"].map(|key| keys.get(key).is_some());
    match ways {
        [false, false, false, false] => {
            let found = ends.and_then(|[on, body]| surface_under(on, body.pose.position));
            if found.is_none() && ends.is_some() {
                keys.cursor().problem(
                    "the shapes of 'on' have no surface under the disk: expected 'normal' of a straight one or \
                     'center' of a round one",
                );
            }
            found
        }
        [_, _, false, false] => direction(keys, on, ["normal", "normal_on"]).map(Surface::Straight),
        [false, false, true, false] => {
            let center = keys.get("center")?.vector()?;
            on.map(|on| Surface::Round(arm(on, center)))
        }
        [false, false, false, true] => keys.get("arm_on")?.vector().map(Surface::Round),
        _ => {
            keys.cursor()
                .problem("expected 'normal' of a straight surface or 'center' of a round one, found both");
            None
        }
    }
}

/// The surface of `on` that is nearest to a point outside: round if it is a circle's, else straight.
fn surface_under(on: &Body, point: DVec2) -> Option<Surface> {
    /// Two distances that agree to this relative tolerance belong to one surface.
    const SAME: f64 = 1e-9;
    let (nearest, distance) = nearest_point(on, &on.pose, point).filter(|(_, distance)| *distance > 0.0)?;
    let circles = on.shapes().iter().filter_map(|placed| match placed.shape {
        Shape::Circle { radius } => Some((placed.offset - on.mass_properties().center, radius)),
        _ => None,
    });
    for (center, radius) in circles {
        let own = in_world(on, center).distance(point) - radius;
        if (own - distance).abs() <= SAME * (radius + distance) {
            return Some(Surface::Round(center));
        }
    }
    let normal = (point - nearest) / distance;
    Some(Surface::Straight(Rotation::from_angle(on.pose.angle).inverse_apply(normal)))
}

/// The body that `body` names; it must be one that forces move.
fn moving(keys: &Object<'_>, directory: &Directory<'_>) -> Option<usize> {
    let cursor = keys.require("body", "the name of a body")?;
    let index = directory.find(&cursor)?;
    if directory.body(index).is_some_and(|body| !body.is_dynamic()) {
        cursor.problem("expected a dynamic body: forces do not move this one");
        return None;
    }
    Some(index)
}

/// A point of a body relative to its centre of mass: in the world, in the body, or as an arm.
fn place(keys: &Object<'_>, body: Option<&Body>, names: [&'static str; 3]) -> Option<DVec2> {
    let [world, local, own] = names.map(|name| keys.get(name));
    match (world, local, own) {
        (Some(world), None, None) => Some(arm(body?, world.vector()?)),
        (None, Some(local), None) => {
            let point = local.vector()?;
            Some(point - body?.mass_properties().center)
        }
        (None, None, Some(own)) => own.vector(),
        (None, None, None) => keys.require(names[0], "a point [x, y]").and(None),
        _ => {
            keys.cursor().problem(format!("expected either '{}' or '{}', found both", names[0], names[1]));
            None
        }
    }
}

/// A direction in the body's frame: given in the world, or in the body.
fn direction(keys: &Object<'_>, body: Option<&Body>, names: [&'static str; 2]) -> Option<DVec2> {
    let [world, own] = names.map(|name| keys.get(name));
    match (world, own) {
        (Some(world), None) => {
            let axis = world.direction()?;
            Some(Rotation::from_angle(body?.pose.angle).inverse_apply(axis))
        }
        (None, Some(own)) => own.direction(),
        (None, None) => keys.require(names[0], "a direction [x, y]").and(None),
        (Some(both), Some(_)) => {
            both.problem(format!("expected either '{}' or '{}', found both", names[0], names[1]));
            None
        }
    }
}

fn arm(body: &Body, world: DVec2) -> DVec2 {
    Rotation::from_angle(body.pose.angle).inverse_apply(world - body.pose.position)
}

fn in_world(body: &Body, arm: DVec2) -> DVec2 {
    body.pose.position + Rotation::from_angle(body.pose.angle).apply(arm)
}

/// Writes one element of `joints`.
pub(super) fn write(constraint: &Nonholonomic, names: &[String]) -> Value {
    let named = |index: usize| json!(names.get(index));
    let [on, body] = constraint.bodies();
    let mut keys = vec![("joint", json!(constraint.kind.key()))];
    match &constraint.kind {
        NonholonomicKind::KnifeEdge(KnifeEdge { anchor, axis }) => {
            keys.extend([("body", named(body)), ("arm", pair(*anchor)), ("axis_body", pair(*axis))]);
        }
        NonholonomicKind::Rolling(Rolling { radius, surface }) => {
            keys.extend([("body", named(body)), ("on", named(on)), ("radius", number(*radius))]);
            keys.push(match surface {
                Surface::Straight(normal) => ("normal_on", pair(*normal)),
                Surface::Round(center) => ("arm_on", pair(*center)),
            });
        }
        NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, law }) => {
            let velocity = match *law {
                VelocityLaw::Constant(velocity) => pair(velocity),
                VelocityLaw::Circle { center, start, rate } => {
                    let circle =
                        vec![("center", pair(center)), ("rate", number(rate)), ("start", pair(start))];
                    object(vec![("circle", object(circle))])
                }
            };
            keys.extend([("body", named(body)), ("arm", pair(*anchor)), ("velocity", velocity)]);
        }
    }
    object(keys)
}
