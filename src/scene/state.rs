//! The state of a running world beyond its geometry and velocities: time, step count, the forces that joints carry
//! (the warm start), the integrals of non-holonomic rows, contacts, what the scheme remembers, a grab, a repulsion, and
//! where the run began. Read and written as the top-level key `state`.

use super::beginning::{self, Beginning};
use super::contacts::{self, SavedContact};
use super::directory::Directory;
use super::memory::{self, SavedMemory};
use super::reader::Cursor;
use super::write::{number, object, pair};
use crate::model::{BodyId, Grab, Joint, Repulsion, Softness, World};
use glam::DVec2;
use serde_json::{Value, json};

/// The running state as read from a file.
#[derive(Default)]
pub(super) struct State {
    pub time: f64,
    pub steps: u64,
    pub joint_forces: Option<Vec<[f64; 3]>>,
    pub coordinate_forces: Option<Vec<[f64; 3]>>,
    pub integrals: Vec<[f64; 2]>,
    pub contacts: Vec<SavedContact>,
    pub memory: Option<SavedMemory>,
    pub grab: Option<SavedGrab>,
    pub repulsion: Option<Repulsion>,
    /// The switches of the keys that are held.
    pub switches: u64,
    pub start: Option<Beginning>,
}

/// A grab of a file, its body by index.
pub(super) struct SavedGrab {
    body: usize,
    anchor: DVec2,
    target: DVec2,
    softness: Softness,
    max_force: f64,
}

impl SavedGrab {
    /// The grab in a world with the bodies `ids`.
    pub fn among(self, ids: &[BodyId]) -> Grab {
        let Self { body, anchor, target, softness, max_force } = self;
        Grab { body: ids[body], anchor, target, softness, max_force }
    }
}

/// The time alone: bodies with a prescribed motion need it before the rest can be read.
pub(super) fn time(cursor: &Cursor<'_>) -> f64 {
    // `read` reports what is wrong here.
    let quiet = super::problems::Log::default();
    let keys = cursor.quietly(&quiet).object("the state {\"time\": …}");
    keys.and_then(|keys| keys.get("time")?.not_negative()).unwrap_or_default()
}

/// Reads `state` of a scene with so many joints and non-holonomic constraints.
pub(super) fn read(cursor: &Cursor<'_>, counts: [usize; 2], directory: &Directory<'_>) -> Option<State> {
    let [joints, nonholonomic] = counts;
    let keys = cursor.object("the state {\"time\": …}")?;
    let time = keys.or("time", 0.0, Cursor::not_negative);
    let steps = keys.or("steps", 0, Cursor::count);
    let joint_forces = keys.maybe("joint_forces", |c| forces(c, joints));
    let coordinate_forces = keys.maybe("coordinate_forces", |c| forces(c, joints));
    let integrals = keys.or("integrals", Vec::new(), |c| integrals(c, nonholonomic));
    let contacts = keys.or("contacts", Vec::new(), |c| contacts::read(c, directory));
    let memory = keys.maybe("memory", memory::read);
    let grab = keys.maybe("grab", |c| grab(c, directory));
    let repulsion = keys.maybe("repulsion", repulsion);
    let switches = keys.or("keys", 0, super::keys::read_held);
    let start = keys.maybe("start", beginning::read);
    keys.finish();
    Some(State {
        time: time?,
        steps: steps?,
        joint_forces: joint_forces?,
        coordinate_forces: coordinate_forces?,
        integrals: integrals?,
        contacts: contacts?,
        memory: memory?,
        grab: grab?,
        repulsion: repulsion?,
        switches: switches?,
        start: start?,
    })
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

fn integrals(cursor: &Cursor<'_>, constraints: usize) -> Option<Vec<[f64; 2]>> {
    let items = cursor.items("an array of two integrals per non-holonomic constraint")?;
    if items.len() != constraints {
        let found = items.len();
        cursor.problem(format!(
            "expected the integrals of {constraints} non-holonomic constraints, found {found}"
        ));
        return None;
    }
    let read: Vec<_> = items
        .iter()
        .map(|item| {
            let [x, y] = item.exactly("two integrals, m")?.map(|component: Cursor<'_>| component.number());
            Some([x?, y?])
        })
        .collect();
    read.into_iter().collect()
}

fn triple(cursor: &Cursor<'_>, expected: &str) -> Option<[f64; 3]> {
    let [x, y, z] = cursor.exactly(expected)?.map(|component: Cursor<'_>| component.number());
    Some([x?, y?, z?])
}

fn grab(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<SavedGrab> {
    let keys = cursor.object("a grab {\"body\": …}")?;
    let body = keys.require("body", "the name of a body").and_then(|c| directory.find(&c));
    let anchor = keys.require("arm", "a point [x, y]").and_then(|c| c.vector());
    let target = keys.require("target", "a point [x, y]").and_then(|c| c.vector());
    let amount = |key| keys.require(key, "a number, 0 or more").and_then(|c| c.not_negative());
    let (stiffness, damping, max_force) = (amount("stiffness"), amount("damping"), amount("max_force"));
    keys.finish();
    Some(SavedGrab {
        body: body?,
        anchor: anchor?,
        target: target?,
        softness: Softness { stiffness: stiffness?, damping: damping? },
        max_force: max_force?,
    })
}

fn repulsion(cursor: &Cursor<'_>) -> Option<Repulsion> {
    let keys = cursor.object("a repulsion {\"center\": …}")?;
    let center = keys.require("center", "a point [x, y]").and_then(|c| c.vector());
    let radius = keys.require("radius", "a number greater than 0").and_then(|c| c.positive());
    let strength = keys.require("strength", "a number greater than 0").and_then(|c| c.positive());
    keys.finish();
    Some(Repulsion { center: center?, radius: radius?, strength: strength? })
}

fn sayable(grab: &Grab) -> bool {
    let Grab { body: _, anchor, target, softness, max_force } = grab;
    let numbers = [softness.stiffness, softness.damping, *max_force];
    anchor.is_finite() && target.is_finite() && numbers.into_iter().all(f64::is_finite)
}

/// Writes `state`, or nothing for a world that has not been stepped or touched.
pub(super) fn write(world: &World, names: &[String], start: Option<&Beginning>) -> Option<Value> {
    let forces = [|joint: &Joint| joint.force, |joint: &Joint| joint.coordinate_force]
        .map(|of| world.joints().iter().map(of).collect::<Vec<_>>());
    let is_idle = |forces: &[[f64; 3]]| forces.iter().flatten().all(|force| force.to_bits() == 0);
    let idle = forces.iter().all(|forces| is_idle(forces));
    let held = world.grab().is_some() || world.repulsion().is_some() || world.switches() != 0;
    let untouched = !held && world.contacts().is_empty();
    let integrals: Vec<_> = world.nonholonomic().iter().map(|own| own.integral).collect();
    let summed = integrals.iter().flatten().any(|sum| sum.to_bits() != 0);
    if world.time() == 0.0 && world.steps() == 0 && untouched && idle && !summed {
        return None;
    }
    let mut keys = vec![("time", number(world.time())), ("steps", json!(world.steps()))];
    for (key, forces) in ["joint_forces", "coordinate_forces"].into_iter().zip(forces) {
        // A run on the verge of blowing up can have forces beyond an f64; JSON cannot represent them, and as a warm start
        // they are useless.
        if !is_idle(&forces) && forces.iter().flatten().all(|force| force.is_finite()) {
            keys.push((key, json!(forces)));
        }
    }
    if summed {
        keys.push(("integrals", json!(integrals)));
    }
    let contacts = contacts::write(world, names);
    // What is remembered of contacts is told by their places among those of the file.
    let memory = memory::write(world).filter(|_| contacts.is_some() || world.contacts().is_empty());
    keys.extend(contacts.map(|contacts| ("contacts", contacts)));
    keys.extend(memory.map(|memory| ("memory", memory)));
    // Nor can JSON represent a grab beyond an f64, which a very large strength causes.
    if let Some(Grab { body, anchor, target, softness, max_force }) = world.grab().filter(sayable) {
        let grab = vec![
            ("body", json!(world.index_of(body).and_then(|index| names.get(index)))),
            ("arm", pair(anchor)),
            ("target", pair(target)),
            ("stiffness", number(softness.stiffness)),
            ("damping", number(softness.damping)),
            ("max_force", number(max_force)),
        ];
        keys.push(("grab", object(grab)));
    }
    if let Some(Repulsion { center, radius, strength }) = world.repulsion() {
        let strength = ("strength", number(strength));
        keys.push((
            "repulsion",
            object(vec![("center", pair(center)), ("radius", number(radius)), strength]),
        ));
    }
    if world.switches() != 0 {
        keys.push(("keys", super::keys::write_held(world.switches())));
    }
    keys.extend(start.map(|start| ("start", beginning::write(start))));
    Some(object(keys))
}
