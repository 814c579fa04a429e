//! Scene files: JSON to a world and back, with every error of a file reported by its position.
//!
//! The format is described in docs/SCENES.md. [`Scene::parse`] reads a text and either gives a scene whose
//! world is ready to step, or a list of all errors in the text; no scene is loaded in part. [`Scene::to_json`] writes
//! the running world so that it loads to the same state and continues to the same bits.
//!
//! ```
//! use driftlab::scene::Scene;
//!
//! let text = r#"{
//!   "format": "driftlab-scene/1", "name": "Pendulum", "settings": { "time_step": 0.001 },
//!   "bodies": [
//!     { "name": "wall", "type": "fixed", "position": [0, 0] },
//!     { "name": "bob", "position": [1, 0], "shapes": [ { "shape": "circle", "radius": -0.1 } ] }
//!   ],
//!   "joints": [ { "joint": "hinge", "bodies": ["wall", "bop"], "anchor": [0, 0] } ]
//! }"#;
//! let problems = Scene::parse(text).unwrap_err();
//! assert_eq!(
//!     problems[0].to_string(),
//!     "bodies[1].shapes[0].radius: expected a number greater than 0, found -0.1"
//! );
//! assert_eq!(
//!     problems[1].to_string(),
//!     "joints[0].bodies[1]: no body is named 'bop' (did you mean 'bob'?)"
//! );
//! ```

mod alike;
mod bearing;
mod beginning;
mod bodies;
pub mod catalogue;
mod contacts;
mod coordinate;
mod curves;
mod directory;
mod expected;
mod grid;
mod interaction;
mod joints;
mod json;
mod keys;
mod load;
mod memory;
mod method;
mod nonholonomic;
mod parts;
mod pointer;
mod problems;
mod profile;
mod pulleys;
mod quantity;
mod reader;
mod reference;
mod schema;
mod settings;
mod shapes;
mod state;
mod surfaces;
mod synonyms;
pub mod window;
mod write;

pub use beginning::{BLOWN_UP, Beginning, BlowUp, Since};
pub use bodies::DEFAULT_FRICTION;
pub use interaction::{Interaction, Recording, Sample, Tool};
pub use keys::KEYS;
pub use method::{solver_from, stabilizer_from};
pub use nonholonomic::start_of_circle;
pub use parts::{CopiedParts, PARTS, are_parts, read_parts, write_parts};
#[cfg(feature = "import")]
pub(crate) use problems::MOST_EFFORT;
pub use problems::{Problem, is_unsafe, nearest, shown};
pub use quantity::{Quantity, Take};
pub use reference::{Bound, Reference};
pub use schema::schema;
pub use settings::{ASSEMBLY, REFERENCE, Settings, no_effort, no_integrator, no_such_level};
#[cfg(feature = "import")]
pub(crate) use shapes::{MAX_VERTICES, effort as polygon_effort};
pub use window::Window;

use crate::model::{Body, Field, Joint, JointKind, Nonholonomic, World};
use directory::Directory;
use glam::DVec2;
use json::Node;
use problems::{Log, brief};
use reader::{Cursor, Object};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What the key `format` must say.
pub const FORMAT: &str = "driftlab-scene/1";
/// The key of what a window shows.
const WINDOW: &str = "window";
/// The key of the schema.
const SCHEMA: &str = "$schema";
/// Default gravity, m/s².
pub const DEFAULT_GRAVITY: DVec2 = DVec2::new(0.0, -9.81);

/// A scene: a world, how to step it, and what to see in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The JSON Schema that the file names for editors, which the reader does not open.
    pub schema: Option<String>,
    /// Name for people.
    pub name: String,
    /// Paper or program that it comes from.
    pub source: Option<String>,
    /// What is built.
    pub description: Option<String>,
    /// What to look at.
    pub observe: Option<String>,
    /// Place in the scene browser, small numbers first; scenes without one come last.
    pub order: Option<f64>,
    /// How to step it.
    pub settings: Settings,
    /// Bodies, joints, springs and their state.
    pub world: World,
    /// Where the run began of which the world is a saved state.
    pub beginning: Option<Beginning>,
    /// A recorded pointer, which a run replays.
    pub interaction: Option<Interaction>,
    /// Published figures.
    pub references: Vec<Reference>,
    /// What a window shows of it.
    pub window: Option<Window>,
}

impl Scene {
    /// Reads a scene file's text.
    ///
    /// # Errors
    /// Everything that is wrong with it, in file order.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        let whole = |message| vec![Problem { path: String::new(), message }];
        // Editors on Windows put a byte order mark in front.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root = Node::parse(text).map_err(whole)?;
        let log = Log::default();
        match read(&Cursor::root(&root, &log)) {
            Some(scene) if log.is_empty() => Ok(scene),
            _ if log.is_empty() => Err(whole("the scene could not be read".to_owned())),
            _ => Err(log.into_problems()),
        }
    }

    /// Reads the text of a key `window` for this scene.
    ///
    /// # Errors
    /// Everything that is wrong with it, in its order.
    pub fn read_window(&self, text: &str) -> Result<Window, Vec<Problem>> {
        let whole = |message| vec![Problem { path: WINDOW.to_owned(), message }];
        let node = Node::parse(text).map_err(whole)?;
        let log = Log::default();
        match window::read(&Cursor::part(WINDOW, &node, &log), &self.world, &self.settings) {
            Some(window) if log.is_empty() => Ok(window),
            _ => Err(log.into_problems()),
        }
    }

    /// The scene with its world as it is now, to be saved.
    ///
    /// # Errors
    /// Joints of other crates and force laws, which are programs: a file cannot contain them.
    pub fn saved(&self) -> Result<String, Vec<Problem>> {
        let joints = self.world.joints().iter().enumerate();
        let custom = joints.filter(|(_, joint)| matches!(joint.kind, JointKind::Custom(_)));
        let mut problems: Vec<_> = custom
            .map(|(index, joint)| Problem {
                path: format!("joints[{index}]"),
                message: format!(
                    "the joint '{}' comes from another crate, and a scene file cannot contain it (expected hinge, distance, rope, weld, slider or gear)",
                    joint.kind.key()
                ),
            })
            .collect();
        let laws = self.world.force_laws().len();
        problems.extend((laws > 0).then(|| Problem {
            path: String::new(),
            message: format!(
                "the world has {laws} force law{}, and a scene file cannot contain a program (expected applied forces and springs)",
                if laws == 1 { "" } else { "s" }
            ),
        }));
        if problems.is_empty() { Ok(self.to_json()) } else { Err(problems) }
    }

    /// Writes the scene with its world as it is now, without what [`Scene::saved`] refuses.
    pub fn to_json(&self) -> String {
        let schema = self.schema.iter().map(|schema| (SCHEMA, json!(schema)));
        let mut keys: Vec<_> = schema.collect();
        keys.extend([("format", json!(FORMAT)), ("name", json!(self.name))]);
        let texts =
            [("source", &self.source), ("description", &self.description), ("observe", &self.observe)];
        keys.extend(texts.into_iter().filter_map(|(key, text)| Some((key, json!(text.as_ref()?)))));
        keys.extend(self.order.map(|order| ("order", json!(order))));
        keys.push(("gravity", write::pair(self.world.gravity())));
        keys.extend(written_wind(&self.world));
        keys.extend(written_fields(&self.world));
        keys.push(("settings", settings::write(&self.settings)));
        keys.extend(parts::contents(&self.world));
        keys.extend(self.interaction.iter().map(|own| ("interaction", pointer::write(own))));
        if !self.references.is_empty() {
            keys.push(("reference", self.references.iter().map(reference::write).collect()));
        }
        keys.extend(
            state::write(&self.world, &unique_names(self.world.bodies()), self.beginning.as_ref())
                .map(|state| ("state", state)),
        );
        keys.extend(self.window.as_ref().map(|window| (WINDOW, window::write(window))));
        write::text(&keys)
    }
}

/// A world alone, as an object.
fn world_value(world: &World) -> Value {
    let mut keys = vec![("gravity", write::pair(world.gravity()))];
    keys.extend(written_wind(world));
    keys.extend(written_fields(world));
    keys.extend(parts::contents(world));
    keys.extend(state::write(world, &unique_names(world.bodies()), None).map(|state| ("state", state)));
    write::object(keys)
}

/// The wind, if there is one.
fn written_wind(world: &World) -> Option<(&'static str, Value)> {
    (world.wind() != DVec2::ZERO).then(|| ("wind", write::pair(world.wind())))
}

/// The fields that point to a centre, if there are any.
fn written_fields(world: &World) -> Option<(&'static str, Value)> {
    let names = if world.fields().iter().any(|field| field.on.is_some()) {
        unique_names(world.bodies())
    } else {
        Vec::new()
    };
    let written = |field: &Field| {
        let carrier = field.on.and_then(|id| names.get(world.index_of(id)?));
        let mut keys: Vec<_> = carrier.map(|name| ("body", json!(name))).into_iter().collect();
        keys.extend([
            ("center", write::pair(field.center)),
            ("strength", write::number(field.strength)),
            ("exponent", write::number(field.exponent)),
        ]);
        write::object(keys)
    };
    (!world.fields().is_empty()).then(|| ("fields", world.fields().iter().map(written).collect()))
}

/// Reads one element of `fields`, and the index of the body that carries it.
fn read_field(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<(Field, Option<usize>)> {
    let keys = cursor.object("a field {\"center\": [x, y], \"strength\": …}")?;
    let center = keys.or("center", DVec2::ZERO, Cursor::vector);
    let carrier = keys.maybe("body", |c| directory.find(c));
    let body = carrier.flatten().and_then(|index| directory.body(index));
    if body.is_some_and(Body::is_point_mass) && center.is_some_and(|center| center != DVec2::ZERO) {
        keys.get("center")
            .as_ref()
            .unwrap_or(cursor)
            .problem("expected [0, 0], since the body is a point mass, which nothing turns".to_owned());
        return None;
    }
    let strength = keys.require("strength", "a number, m^(n+1)/s²").and_then(|c| c.number());
    let exponent = keys.or("exponent", 2.0, Cursor::number);
    keys.finish();
    Some((Field { center: center?, strength: strength?, exponent: exponent?, on: None }, carrier?))
}

/// An element of `joints`.
enum Link {
    Joint(Box<Joint>),
    Gear(joints::GearOf),
    Nonholonomic(Nonholonomic),
}

/// How many elements of `joints` are joints, and how many are non-holonomic.
fn counts(keys: &Object<'_>) -> [usize; 2] {
    let quiet = Log::default();
    let links = keys.get("joints").and_then(|links| links.quietly(&quiet).items("links"));
    let links = links.unwrap_or_default();
    let nonholonomic = links.iter().filter(|link| nonholonomic::is_one(link)).count();
    [links.len() - nonholonomic, nonholonomic]
}

fn read(root: &Cursor<'_>) -> Option<Scene> {
    let keys = root.object("a scene {\"format\": …}")?;
    let format = keys.require("format", &format!("\"{FORMAT}\""));
    let format = format.and_then(|c| c.one_of("the format", &[(FORMAT, ())]));
    let name = keys.require("name", "a text").and_then(|c| c.name());
    let text = |key| keys.maybe(key, |c| c.text().map(str::to_owned));
    let (source, description, observe) = (text("source"), text("description"), text("observe"));
    let schema = text(SCHEMA);
    let order = keys.maybe("order", Cursor::number);
    let settings = keys.require("settings", "{\"time_step\": …}").and_then(|c| settings::read(&c));
    let world = read_whole(&keys);
    let h = settings.as_ref().map_or(1e-3, |settings| settings.time_step);
    let interaction = keys.maybe("interaction", pointer::read);
    let references = list(&keys, "reference", "an array of references", |c| reference::read(c, h));
    let bodies = keys.get("bodies");
    let window = match (&world, &settings) {
        (Some((world, _)), Some(settings)) => keys.maybe(WINDOW, |c| window::read(c, world, settings)),
        _ => {
            // Without the scene itself there is nothing to compare it with.
            keys.get(WINDOW);
            None
        }
    };
    keys.finish();
    format?;
    let (world, beginning) = world?;
    let settings = settings?;
    load::check_contacts(bodies.as_ref().unwrap_or(root), &world, &settings);
    Some(Scene {
        schema: schema?,
        name: name?.to_owned(),
        source: source?,
        description: description?,
        observe: observe?,
        order: order?,
        settings,
        world,
        beginning,
        interaction: interaction?,
        references: references?,
        window: window?,
    })
}

/// The world with its gravity, and where the run began of which it is a state.
fn read_whole(keys: &Object<'_>) -> Option<(World, Option<Beginning>)> {
    let gravity = keys.or("gravity", DEFAULT_GRAVITY, Cursor::vector);
    let wind = keys.or("wind", DVec2::ZERO, Cursor::vector);
    let bodies = keys.get("bodies");
    let (mut world, beginning) = read_world(keys)?;
    if let Err(error) = world.set_gravity(gravity?).and(world.set_wind(wind?)) {
        keys.cursor().problem(error.to_string());
        return None;
    }
    if !(world.kinetic_energy() + world.potential_energy()).is_finite() {
        bodies.as_ref().unwrap_or(keys.cursor()).problem(
            "expected kinetic and potential energies with a finite sum, found one beyond the range of a 64-bit float",
        );
        return None;
    }
    Some((world, beginning))
}

/// The world, and where the run began of which it is a state.
fn read_world(keys: &Object<'_>) -> Option<(World, Option<Beginning>)> {
    let state = keys.get("state");
    let time = state.as_ref().map_or(0.0, state::time);
    let (materials, materials_read) = surfaces::read_materials(keys);
    let items = keys.require("bodies", "an array of bodies");
    let items = items.and_then(|c| c.items("an array of bodies"));
    let mut directory = Directory {
        names: Vec::new(),
        places: BTreeMap::new(),
        bodies: Vec::new(),
        complete: items.is_some(),
    };
    for item in items.iter().flatten() {
        let named = bodies::read(item, time, &materials);
        if let Some(name) = named.name {
            if directory.places.contains_key(name) {
                let name = brief(name);
                item.problem(format!("an earlier body is also named '{name}' (expected a unique name)"));
            } else {
                directory.places.insert(name, directory.names.len());
            }
        }
        directory.complete &= named.name.is_some();
        directory.names.push(named.name);
        directory.bodies.push(named.body);
    }
    let fields = list(keys, "fields", "an array of fields", |c| read_field(c, &directory));
    // The joints so far, to which a gear may refer.
    let known = RefCell::new(Vec::new());
    let links = list(keys, "joints", "an array of joints", |c| {
        if nonholonomic::is_one(c) {
            return nonholonomic::read(c, &directory, time).map(Link::Nonholonomic);
        }
        let link = if joints::is_gear(c) {
            joints::read_gear(c, &known.borrow()).map(Link::Gear)
        } else {
            joints::read(c, &directory).map(Box::new).map(Link::Joint)
        };
        known.borrow_mut().push(link.as_ref().map(|link| match link {
            Link::Joint(joint) => (joint.kind.key(), joint.kind.has_drive()),
            Link::Gear(_) | Link::Nonholonomic(_) => ("gear", false),
        }));
        link
    });
    let springs = list(keys, "springs", "an array of springs", |c| joints::read_spring(c, &directory));
    load::check(keys, &directory.bodies, links.as_deref(), springs.as_deref());
    let state = match state {
        Some(cursor) => state::read(&cursor, counts(keys), &directory),
        None => Some(state::State::default()),
    };
    items?;
    let bodies: Option<Vec<Body>> = directory.bodies.into_iter().collect();
    let (bodies, links, springs, fields, mut state) = (bodies?, links?, springs?, fields?, state?);
    let mut world = World::new(DVec2::ZERO);
    if !materials_read {
        return None;
    }
    let added = world.set_materials(materials);
    // The readers have already checked all that the world checks; if the two ever disagree, the world's error is
    // reported.
    let mut forces = std::mem::take(&mut state.joint_forces).into_iter().flatten();
    let mut along = std::mem::take(&mut state.coordinate_forces).into_iter().flatten();
    let mut integrals = std::mem::take(&mut state.integrals).into_iter();
    let added = added.and_then(|()| bodies.into_iter().try_for_each(|body| world.add_body(body).map(drop)));
    let added = added.and_then(|()| {
        links.into_iter().try_for_each(|link| match link {
            Link::Joint(mut joint) => {
                joint.force = forces.next().unwrap_or(joint.force);
                joint.coordinate_force = along.next().unwrap_or(joint.coordinate_force);
                world.insert_joint(*joint).map(drop)
            }
            Link::Gear(gear) => {
                let ids = gear.joints.map(|index| world.joint_ids()[index]);
                let mut joint = world.gear(ids, gear.ratio, gear.constant)?;
                (joint.breaking, joint.broken) = (gear.breaking, gear.broken);
                joint.force = forces.next().unwrap_or(joint.force);
                along.next();
                world.insert_joint(joint).map(drop)
            }
            Link::Nonholonomic(mut constraint) => {
                constraint.integral = integrals.next().unwrap_or(constraint.integral);
                world.insert_nonholonomic(constraint).map(drop)
            }
        })
    });
    let added = added.and_then(|()| springs.into_iter().try_for_each(|s| world.insert_spring(s).map(drop)));
    let ids = world.body_ids().to_vec();
    let on_bodies = |(field, carrier): (Field, Option<usize>)| Field {
        on: carrier.and_then(|index| ids.get(index).copied()),
        ..field
    };
    let added = added.and_then(|()| world.set_fields(fields.into_iter().map(on_bodies).collect()));
    let contacts = state.contacts.into_iter().map(|contact| contact.among(&ids)).collect();
    let added = added.and_then(|()| world.restore_contacts(contacts));
    let memory = state.memory.map(|memory| memory.restore(&mut world)).unwrap_or(Ok(()));
    let added = added.and(memory);
    let added = added.and_then(|()| world.set_time(state.time));
    let grab = state.grab.map(|grab| grab.among(&ids));
    let added = added.and_then(|()| world.set_hand(grab, state.repulsion));
    if let Err(error) = added {
        keys.cursor().problem(error.to_string());
        return None;
    }
    world.set_switches(state.switches);
    world.set_steps(state.steps);
    Some((world, state.start))
}

/// All elements of an optional array.
fn list<T>(
    keys: &Object<'_>,
    key: &'static str,
    expected: &str,
    read: impl Fn(&Cursor<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(cursor) = keys.get(key) else {
        return Some(Vec::new());
    };
    let read: Vec<_> = cursor.items(expected)?.iter().map(read).collect();
    read.into_iter().collect()
}

/// The bodies' names, made unique: joints refer to bodies by name.
fn unique_names(bodies: &[Body]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let own: BTreeSet<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
    let mut name_of = |index: usize, body: &Body| {
        let name = body.name.trim();
        if !name.is_empty() && taken.insert(body.name.clone()) {
            return body.name.clone();
        }
        let stem = if name.is_empty() { "body" } else { name };
        let fresh = (index + 1..)
            .map(|number| format!("{stem}{number}"))
            .find(|candidate| !own.contains(candidate.as_str()) && !taken.contains(candidate));
        let fresh = fresh.unwrap_or_else(|| format!("{stem}{index}"));
        taken.insert(fresh.clone());
        fresh
    };
    bodies.iter().enumerate().map(|(index, body)| name_of(index, body)).collect()
}
