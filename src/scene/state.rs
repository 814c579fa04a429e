//! What a running world has that a drawn one has not: time, step count, the forces that joints carry (the
//! warm start), and a grab. Read and written as the top-level key `state`.

use super::joints::Directory;
use super::reader::Cursor;
use super::write::{number, object, pair};
use crate::model::{Grab, Softness, World};
use serde_json::{Value, json};

/// The running state as a file states it.
#[derive(Default)]
pub(super) struct State {
    pub time: f64,
    pub steps: u64,
    pub joint_forces: Option<Vec<[f64; 3]>>,
    pub grab: Option<Grab>,
}

/// The time alone: bodies with a prescribed motion need it before the rest can be read.
pub(super) fn time(cursor: &Cursor<'_>) -> f64 {
    // What is wrong here is noted by `read`.
    let quiet = super::problems::Log::default();
    let keys = cursor.quietly(&quiet).object("the state {\"time\": …}");
    keys.and_then(|keys| keys.get("time")?.not_negative()).unwrap_or_default()
}

/// Reads `state` of a scene with `joints` joints.
pub(super) fn read(cursor: &Cursor<'_>, joints: usize, directory: &Directory<'_>) -> Option<State> {
    let keys = cursor.object("the state {\"time\": …}")?;
    let time = keys.or("time", 0.0, Cursor::not_negative);
    let steps = keys.or("steps", 0, Cursor::count);
    let joint_forces = keys.maybe("joint_forces", |c| forces(c, joints));
    let grab = keys.maybe("grab", |c| grab(c, directory));
    keys.finish();
    Some(State { time: time?, steps: steps?, joint_forces: joint_forces?, grab: grab? })
}

fn forces(cursor: &Cursor<'_>, joints: usize) -> Option<Vec<[f64; 3]>> {
    let expected = "an array of three forces per joint";
    let items = cursor.items(expected)?;
    if items.len() != joints {
        cursor.problem(format!("expected the forces of {joints} joints, found {}", items.len()));
        return None;
    }
    let read: Vec<_> = items.iter().map(|item| triple(item, expected)).collect();
    read.into_iter().collect()
}

fn triple(cursor: &Cursor<'_>, expected: &str) -> Option<[f64; 3]> {
    let [x, y, z] = cursor.exactly(expected)?.map(|component: Cursor<'_>| component.number());
    Some([x?, y?, z?])
}

fn grab(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<Grab> {
    let keys = cursor.object("a grab {\"body\": …}")?;
    let body = keys.require("body", "the name of a body").and_then(|c| directory.find(&c));
    let anchor = keys.require("arm", "a point [x, y]").and_then(|c| c.vector());
    let target = keys.require("target", "a point [x, y]").and_then(|c| c.vector());
    let amount = |key| keys.require(key, "a number, 0 or more").and_then(|c| c.not_negative());
    let (stiffness, damping, max_force) = (amount("stiffness"), amount("damping"), amount("max_force"));
    keys.finish();
    Some(Grab {
        body: body?,
        anchor: anchor?,
        target: target?,
        softness: Softness { stiffness: stiffness?, damping: damping? },
        max_force: max_force?,
    })
}

/// Writes `state`, or nothing for a world that has not been stepped or touched.
pub(super) fn write(world: &World, names: &[String]) -> Option<Value> {
    let forces: Vec<_> = world.joints().iter().map(|joint| json!(joint.force)).collect();
    let all_forces = || world.joints().iter().flat_map(|joint| joint.force);
    let idle = all_forces().all(|force| force.to_bits() == 0);
    // A run on the verge of blowing up can have forces beyond an f64; JSON cannot say them, and as a warm
    // start they are worth nothing.
    let finite = all_forces().all(f64::is_finite);
    if world.time == 0.0 && world.steps == 0 && world.grab.is_none() && idle {
        return None;
    }
    let mut keys = vec![("time", number(world.time)), ("steps", json!(world.steps))];
    if !idle && finite {
        keys.push(("joint_forces", forces.into()));
    }
    if let Some(Grab { body, anchor, target, softness, max_force }) = world.grab {
        let grab = vec![
            ("body", json!(names.get(body))),
            ("arm", pair(anchor)),
            ("target", pair(target)),
            ("stiffness", number(softness.stiffness)),
            ("damping", number(softness.damping)),
            ("max_force", number(max_force)),
        ];
        keys.push(("grab", object(grab)));
    }
    Some(object(keys))
}
