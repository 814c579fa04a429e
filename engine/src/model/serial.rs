//! Worlds to and from the formats of serde.
//!
//! What is read is built by the same calls as by hand, so that a world with something invalid in it is refused, with
//! the place. Ids, the numbers that they have used, contacts and warm starts are part of it: what was written continues
//! to the same bits, if the format keeps every bit of an f64 (of `serde_json` the feature `float_roundtrip`). Joints of
//! other crates and force laws are refused when written.

use super::applied_force::{AppliedForce, DrivenForce};
use super::body::{Body, BodyKind, IMMOVABLE, Pose, Velocity};
use super::damping::Damping;
use super::error::ModelError;
use super::field::Field;
use super::joint::{Joint, JointKind};
use super::mass::{MassProperties, MassSpec};
use super::memory::Memory;
use super::motion::PoseProfiles;
use super::mouse::{Grab, Repulsion};
use super::nonholonomic::Nonholonomic;
use super::piece::Piece;
use super::profile::Profile;
use super::shape::Placement;
use super::spring::Spring;
use super::surface::{Filter, Materials};
use super::table::{BodyId, Counted, Id, Table};
use super::world::{ContactState, World};
use glam::DVec2;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::convert::identity;
use std::sync::Arc;

/// Items with their numbers, and the number of the next one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Items<T> {
    items: Vec<(u64, T)>,
    next: u64,
}

impl<T> Items<T> {
    fn of<I: Id, U: Clone + Counted>(table: &Table<I, U>, saved: impl Fn(U) -> T) -> Self {
        let numbered = table.ids().iter().zip(table.items());
        Self {
            items: numbered.map(|(id, item)| (id.number(), saved(item.clone()))).collect(),
            next: table.next(),
        }
    }

    /// Adds every item to its table under its number.
    fn add<I: Id, U: Counted, E: serde::de::Error>(
        self,
        what: &str,
        world: &mut World,
        table: impl Fn(&mut World) -> &mut Table<I, U>,
        insert: impl Fn(&mut World, T) -> Result<I, ModelError>,
    ) -> Result<(), E> {
        let numbers = |index: usize| E::custom(format!("{what}[{index}]: numbers must ascend"));
        let last = self.items.len();
        for (index, (number, item)) in self.items.into_iter().enumerate() {
            if !table(world).skip_to(number) {
                return Err(numbers(index));
            }
            insert(world, item).map_err(|error| E::custom(format!("{what}[{index}]: {error}")))?;
        }
        if table(world).skip_to(self.next) { Ok(()) } else { Err(numbers(last)) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedWorld {
    gravity: DVec2,
    #[serde(default, skip_serializing_if = "is_still")]
    wind: DVec2,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field>,
    time: f64,
    steps: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    materials: Materials,
    bodies: Items<SavedBody>,
    joints: Items<Joint>,
    nonholonomic: Items<Nonholonomic>,
    springs: Items<Spring>,
    grab: Option<Grab>,
    repulsion: Option<Repulsion>,
    #[serde(default, skip_serializing_if = "is_off")]
    switches: u64,
    contacts: Vec<ContactState>,
    #[serde(default, skip_serializing_if = "Memory::is_empty")]
    memory: Memory,
}

fn is_default(materials: &Materials) -> bool {
    *materials == Materials::default()
}

/// A body without what follows from its shapes, its fields in the order of a file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Body", rename = "SavedBody", deny_unknown_fields)]
struct Fields {
    name: String,
    kind: BodyKind,
    shapes: Vec<Placement>,
    #[serde(rename = "mass")]
    spec: MassSpec,
    pose: Pose,
    velocity: Velocity,
    friction: f64,
    #[serde(default)]
    static_friction: Option<f64>,
    restitution: f64,
    #[serde(default)]
    rolling_resistance: f64,
    #[serde(default)]
    surface_speed: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    surface_profile: Option<Profile>,
    #[serde(default)]
    material: Option<u32>,
    #[serde(default = "whole")]
    gravity_scale: f64,
    #[serde(default, skip_serializing_if = "Damping::is_none")]
    damping: Damping,
    collides: bool,
    group: i32,
    #[serde(default = "first")]
    categories: u32,
    #[serde(default = "every")]
    mask: u32,
    #[serde(default)]
    fixed_rotation: bool,
    applied: Option<AppliedForce>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    driven: Vec<DrivenForce>,
    #[serde(default, skip_serializing_if = "PoseProfiles::is_empty")]
    pose_profiles: PoseProfiles,
    #[serde(skip)]
    pieces: Arc<[Piece]>,
    #[serde(skip)]
    owners: Arc<[u32]>,
    #[serde(skip, default = "immovable")]
    properties: MassProperties,
}

/// Serde asks for a reference.
fn is_off(switches: &u64) -> bool {
    *switches == 0
}

/// Serde asks for a reference.
fn is_still(wind: &DVec2) -> bool {
    *wind == DVec2::ZERO
}

fn whole() -> f64 {
    1.0
}

fn first() -> u32 {
    Filter::default().categories
}

fn every() -> u32 {
    Filter::default().mask
}

fn immovable() -> MassProperties {
    IMMOVABLE
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct SavedBody(#[serde(with = "Fields")] Body);

impl SavedBody {
    /// Adds the body with what follows from its shapes; its pose is that of the centre of mass already.
    fn add(world: &mut World, SavedBody(body): Self) -> Result<BodyId, ModelError> {
        let pose = body.pose;
        world.add_body(Body { pose, ..body.finished()? })
    }
}

impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let custom = |joint: &&Joint| matches!(joint.kind, JointKind::Custom(_));
        if let Some(joint) = self.joints().iter().find(custom) {
            let joint = format!("the joint '{}'", joint.kind.key());
            return Err(S::Error::custom(format!(
                "{joint} comes from another crate and cannot be written"
            )));
        }
        if !self.force_laws().is_empty() {
            return Err(S::Error::custom("a force law is a program and cannot be written"));
        }
        let saved = SavedWorld {
            gravity: self.gravity,
            wind: self.wind,
            fields: self.fields.clone(),
            time: self.time,
            steps: self.steps,
            materials: self.materials().clone(),
            bodies: Items::of(&self.bodies, SavedBody),
            joints: Items::of(&self.joints, identity),
            nonholonomic: Items::of(&self.nonholonomic, identity),
            springs: Items::of(&self.springs, identity),
            grab: self.grab,
            repulsion: self.repulsion,
            switches: self.switches,
            contacts: self.contacts.clone(),
            memory: self.memory.clone(),
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = SavedWorld::deserialize(deserializer)?;
        let mut world = Self::default();
        let wrong = |what: &'static str| move |error| D::Error::custom(format!("{what}: {error}"));
        world.set_gravity(saved.gravity).map_err(wrong("gravity"))?;
        world.set_wind(saved.wind).map_err(wrong("wind"))?;
        world.set_time(saved.time).map_err(wrong("time"))?;
        world.set_steps(saved.steps);
        world.set_materials(saved.materials).map_err(wrong("materials"))?;
        let SavedWorld { fields, bodies, joints, nonholonomic, springs, .. } = saved;
        let own = &mut world;
        bodies.add("bodies", own, |own| &mut own.bodies, SavedBody::add)?;
        own.set_fields(fields).map_err(wrong("fields"))?;
        joints.add("joints", own, |own| &mut own.joints, World::insert_joint)?;
        nonholonomic.add(
            "nonholonomic",
            own,
            |own| &mut own.nonholonomic,
            |own, mut constraint| {
                // Earlier versions let a constraint of one body name another one, which had no part in it.
                if constraint.kind.is_of_one_body() {
                    constraint.bodies[0] = constraint.bodies[1];
                }
                own.insert_nonholonomic(constraint)
            },
        )?;
        springs.add("springs", own, |own| &mut own.springs, World::insert_spring)?;
        world.set_hand(saved.grab, saved.repulsion).map_err(wrong("grab or repulsion"))?;
        world.set_switches(saved.switches);
        world.restore_contacts(saved.contacts).map_err(wrong("contacts"))?;
        if !saved.memory.is_sound() {
            return Err(D::Error::custom(
                "memory: expected constraints in their order, and as many numbers of each",
            ));
        }
        world.memory = saved.memory;
        Ok(world)
    }
}
