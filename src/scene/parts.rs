//! Parts of a scene: some of its bodies, with the joints and springs between them, as JSON of their own, to be copied
//! from one window into another. The keys are those of a scene file, read and written by the same code:
//!
//! ```json
//! { "format": "driftlab-parts/1", "bodies": [], "joints": [], "springs": [], "hang_on": [] }
//! ```
//!
//! `hang_on` names bodies that stand still, on which the others hang ([`CopiedParts::hang_on`]).

use super::json::Node;
use super::problems::{Log, brief};
use super::reader::Cursor;
use super::{Problem, bodies, joints, nonholonomic, read_world, surfaces, unique_names, write};
use crate::model::{BodyId, World};
use serde_json::json;

/// What the key `format` of parts must say.
pub const PARTS: &str = "driftlab-parts/1";

/// Whether a text means to be parts, not a scene.
pub fn are_parts(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains(PARTS)
}

/// Some bodies of a world with what connects them.
#[derive(Clone, Debug, PartialEq)]
pub struct CopiedParts {
    /// A world that has nothing but these.
    pub world: World,
    /// The bodies that stand still and were copied only because others hang on them. In a world in which a body of such
    /// a name stands still as well, the others hang on that one.
    pub hang_on: Vec<BodyId>,
}

/// Reads parts.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_parts(text: &str) -> Result<CopiedParts, Vec<Problem>> {
    let whole = |message| vec![Problem { path: String::new(), message }];
    let root = Node::parse(text).map_err(whole)?;
    let log = Log::default();
    let read = |cursor: Cursor<'_>| {
        let keys = cursor.object("parts {\"format\": …}")?;
        let format = keys.require("format", &format!("\"{PARTS}\""));
        let format = format.and_then(|c| c.one_of("the format", &[(PARTS, ())]));
        let world = read_world(&keys).map(|(world, _)| world);
        let hang_on = keys.or("hang_on", Vec::new(), |c| still(c, world.as_ref()?));
        keys.finish();
        format?;
        Some(CopiedParts { hang_on: hang_on?, world: world? })
    };
    match read(Cursor::root(&root, &log)) {
        Some(parts) if log.is_empty() => Ok(parts),
        _ if log.is_empty() => Err(whole("the parts could not be read".to_owned())),
        _ => Err(log.into_problems()),
    }
}

/// The bodies of these names, which stand still.
fn still(cursor: &Cursor<'_>, world: &World) -> Option<Vec<BodyId>> {
    let items = cursor.items("the names of bodies that stand still")?;
    let named = |item: &Cursor<'_>| {
        let name = item.text()?;
        let index = world.bodies().iter().position(|body| body.name == name && !body.is_dynamic());
        if index.is_none() {
            item.problem(format!("expected the name of a body that stands still, found '{}'", brief(name)));
        }
        world.id_of(index?)
    };
    items.iter().map(named).collect()
}

/// Writes parts.
pub fn write_parts(parts: &CopiedParts) -> String {
    let CopiedParts { world, hang_on } = parts;
    let mut keys: Vec<_> = [("format", json!(PARTS))].into_iter().chain(contents(world)).collect();
    if !hang_on.is_empty() {
        let names = unique_names(world.bodies());
        let name = |id: &BodyId| json!(world.index_of(*id).and_then(|index| names.get(index)));
        keys.push(("hang_on", hang_on.iter().map(name).collect()));
    }
    write::text(&keys)
}

/// Bodies, joints and springs of a world, as a scene has them.
pub(super) fn contents(world: &World) -> Vec<(&'static str, serde_json::Value)> {
    let (all, names) = (world.bodies(), unique_names(world.bodies()));
    let materials = world.materials();
    let written = all.iter().zip(&names).map(|(body, name)| bodies::write(body, name, materials)).collect();
    let links =
        world.joints().iter().filter_map(|joint| joints::write(joint, world.joint_ids(), all, &names));
    let links = links.chain(world.nonholonomic().iter().map(|own| nonholonomic::write(own, &names)));
    let mut keys = surfaces::write_materials(world);
    keys.extend([("bodies", written), ("joints", links.collect())]);
    if !world.springs().is_empty() {
        let write = |spring| joints::write_spring(spring, all, &names);
        keys.push(("springs", world.springs().iter().map(write).collect()));
    }
    keys
}
