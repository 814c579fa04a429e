//! Which number each part of a running world has in its recording, and what came and went where a person has changed the world.
//!
//! Worlds are compared as a scene tells them: a part that reads as before keeps its number, wherever it is now; one that reads
//! otherwise went, and came again under the next number.

use crate::model::World;
use crate::scene::Scene;
use driftlab_probe::format::{Came, Went};
use serde_json::{Map, Value};

/// Keys of a body that are its state.
const STATE: [&str; 4] = ["position", "angle", "velocity", "angular_velocity"];
/// Lists of a scene whose elements can come and go, and what a world's state adds to them.
const PARTS: [&str; 4] = ["bodies", "joints", "springs", "state"];

/// The numbers of a world's parts, by their places in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub bodies: Vec<usize>,
    /// None of one that has broken.
    pub joints: Vec<Option<usize>>,
    pub springs: Vec<usize>,
    pub nonholonomic: Vec<usize>,
    /// The next number of each kind.
    next: [usize; 4],
}

/// What came and went between two worlds, and the numbers in the later one.
pub(super) struct Change {
    pub came: Came,
    pub went: Went,
    pub numbers: Numbers,
    /// For each body of the later world, its place in the earlier one if it stayed.
    pub stayed: Vec<Option<usize>>,
}

impl Numbers {
    /// Those of a recording's first line.
    pub fn of(world: &World) -> Self {
        let (bodies, joints) = (world.bodies().len(), world.joints().len());
        let (springs, nonholonomic) = (world.springs().len(), world.nonholonomic().len());
        Self {
            bodies: (0..bodies).collect(),
            joints: (0..joints).map(Some).collect(),
            springs: (0..springs).collect(),
            nonholonomic: (0..nonholonomic).collect(),
            next: [bodies, joints, springs, nonholonomic],
        }
    }

    /// How many bodies the recording has had.
    pub fn all_bodies(&self) -> usize {
        self.next[0]
    }

    /// The change from one world to another one; none if a recording cannot tell it: other gravity, fields, wind or materials, a
    /// gear beside other joints, a velocity constraint that goes alone.
    pub fn change(&self, before: &World, now: &World, scene: &Scene) -> Option<Change> {
        let [old, new] = [before, now].map(|world| told(world, scene));
        let rest = |all: &Map<String, Value>| {
            let others = all.iter().filter(|(key, _)| !PARTS.contains(&key.as_str()));
            others.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>()
        };
        if rest(&old) != rest(&new) {
            return None;
        }
        let stayed = places(
            [before.body_ids(), now.body_ids()],
            [&list(&old, "bodies"), &list(&new, "bodies")],
            |_| true,
            is_same_body,
        );
        let stays = |body: usize| stayed.contains(&Some(body));
        let [old_links, new_links] = [list(&old, "joints"), list(&new, "joints")];
        let (old_joints, old_others) = old_links.split_at_checked(before.joints().len())?;
        let (new_joints, new_others) = new_links.split_at_checked(now.joints().len())?;
        let joints = places(
            [before.joint_ids(), now.joint_ids()],
            [old_joints, new_joints],
            |place| before.joints()[place].all_bodies().all(stays),
            |a, b| a == b,
        );
        let springs = places(
            [before.spring_ids(), now.spring_ids()],
            [&list(&old, "springs"), &list(&new, "springs")],
            |place| before.springs()[place].bodies().into_iter().all(stays),
            |a, b| a == b,
        );
        let hold = |place: usize| before.nonholonomic()[place].bodies().iter().all(|body| stays(*body));
        let others = places(
            [before.nonholonomic_ids(), now.nonholonomic_ids()],
            [old_others, new_others],
            hold,
            |a, b| a == b,
        );
        let alone = (0..old_others.len()).any(|place| hold(place) && !others.contains(&Some(place)));
        let is_gear = |joint: &Value| joint.get("joints").is_some();
        let joints_stay = joints.len() == old_joints.len() && joints.iter().all(Option::is_some);
        let has_gear = old_joints.iter().chain(new_joints).any(is_gear);
        if alone || has_gear && !joints_stay {
            return None;
        }
        let mut numbers = Self { next: self.next, ..Self::default() };
        let [bodies_next, joints_next, springs_next, others_next] = &mut numbers.next;
        let own: Vec<Option<usize>> = self.bodies.iter().copied().map(Some).collect();
        numbers.bodies = renumbered(&own, &stayed, bodies_next).into_iter().flatten().collect();
        numbers.joints = renumbered(&self.joints, &joints, joints_next);
        let own: Vec<Option<usize>> = self.springs.iter().copied().map(Some).collect();
        numbers.springs = renumbered(&own, &springs, springs_next).into_iter().flatten().collect();
        let own: Vec<Option<usize>> = self.nonholonomic.iter().copied().map(Some).collect();
        numbers.nonholonomic = renumbered(&own, &others, others_next).into_iter().flatten().collect();
        let all = |list: &[Value], stayed: &[Option<usize>]| -> Vec<Value> {
            let came = list.iter().zip(stayed).filter(|(_, stayed)| stayed.is_none());
            came.map(|(value, _)| value.clone()).collect()
        };
        let came = Came {
            bodies: all(&list(&new, "bodies"), &stayed),
            joints: [all(new_joints, &joints), all(new_others, &others)].concat(),
            springs: all(&list(&new, "springs"), &springs),
        };
        let gone = |all: &[Option<usize>], stayed: &[Option<usize>]| -> Vec<usize> {
            let gone = all.iter().enumerate().filter(|(place, _)| !stayed.contains(&Some(*place)));
            gone.filter_map(|(_, number)| *number).collect()
        };
        let some = |all: &[usize]| all.iter().copied().map(Some).collect::<Vec<_>>();
        let went = Went {
            bodies: gone(&some(&self.bodies), &stayed),
            joints: gone(&self.joints, &joints),
            springs: gone(&some(&self.springs), &springs),
        };
        Some(Change { came, went, numbers, stayed })
    }
}

/// A world as a scene tells it.
fn told(world: &World, scene: &Scene) -> Map<String, Value> {
    let own = Scene {
        world: world.clone(),
        beginning: None,
        interaction: None,
        references: Vec::new(),
        window: None,
        ..scene.clone()
    };
    match serde_json::from_str(&own.to_json()) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    }
}

fn list(keys: &Map<String, Value>, key: &str) -> Vec<Value> {
    keys.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// For each part of the later world its place in the earlier one, if it is the same one there and may stay.
fn places<I: PartialEq>(
    ids: [&[I]; 2],
    values: [&[Value]; 2],
    may_stay: impl Fn(usize) -> bool,
    is_same: impl Fn(&Value, &Value) -> bool,
) -> Vec<Option<usize>> {
    let [before, now] = ids;
    let place = |(own, id): (usize, &I)| {
        let place = before.iter().position(|other| other == id)?;
        let same = is_same(values[0].get(place)?, values[1].get(own)?);
        (same && may_stay(place)).then_some(place)
    };
    now.iter().enumerate().map(place).collect()
}

/// Whether two bodies differ in their state alone.
fn is_same_body(a: &Value, b: &Value) -> bool {
    let own = |body: &Value| {
        let mut keys = body.as_object().cloned().unwrap_or_default();
        STATE.iter().for_each(|key| _ = keys.remove(*key));
        keys
    };
    own(a) == own(b)
}

/// The numbers of what stayed, and the next ones for what came.
fn renumbered(own: &[Option<usize>], stayed: &[Option<usize>], next: &mut usize) -> Vec<Option<usize>> {
    let mut new = || {
        *next += 1;
        Some(*next - 1)
    };
    stayed
        .iter()
        .map(|place| place.map_or_else(&mut new, |place| own.get(place).copied().flatten()))
        .collect()
}
