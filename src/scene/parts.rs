//! Parts of a scene: some of its bodies, with the joints and springs between them, as JSON of their own, to be copied from one window
//! into another. The keys are those of a scene file, read and written by the same code:
//!
//! ```json
//! { "format": "driftlab-parts/1", "bodies": [], "joints": [], "springs": [] }
//! ```

use super::json::Node;
use super::problems::Log;
use super::reader::Cursor;
use super::{Problem, bodies, joints, nonholonomic, read_world, unique_names, write};
use crate::model::World;
use serde_json::json;

/// What the key `format` of parts must say.
pub const PARTS: &str = "driftlab-parts/1";

/// Whether a text means to be parts, not a scene.
pub fn are_parts(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains(PARTS)
}

/// Reads parts: a world that has nothing but these.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_parts(text: &str) -> Result<World, Vec<Problem>> {
    let whole = |message| vec![Problem { path: String::new(), message }];
    let root = Node::parse(text).map_err(whole)?;
    let log = Log::default();
    let read = |cursor: Cursor<'_>| {
        let keys = cursor.object("parts {\"format\": …}")?;
        let format = keys.require("format", &format!("\"{PARTS}\""));
        let format = format.and_then(|c| c.one_of("the format", &[(PARTS, ())]));
        let world = read_world(&keys);
        keys.finish();
        format?;
        world.map(|(world, _)| world)
    };
    match read(Cursor::root(&root, &log)) {
        Some(world) if log.is_empty() => Ok(world),
        _ if log.is_empty() => Err(whole("the parts could not be read".to_owned())),
        _ => Err(log.into_problems()),
    }
}

/// Writes everything in `world` as parts.
pub fn write_parts(world: &World) -> String {
    write::text(&[("format", json!(PARTS))].into_iter().chain(contents(world)).collect::<Vec<_>>())
}

/// Bodies, joints and springs of a world, as a scene has them.
pub(super) fn contents(world: &World) -> Vec<(&'static str, serde_json::Value)> {
    let (all, names) = (world.bodies(), unique_names(world.bodies()));
    let written = all.iter().zip(&names).map(|(body, name)| bodies::write(body, name)).collect();
    let links = world.joints().iter().filter_map(|joint| joints::write(joint, all, &names));
    let links = links.chain(world.nonholonomic().iter().map(|own| nonholonomic::write(own, &names)));
    let mut keys = vec![("bodies", written), ("joints", links.collect())];
    if !world.springs().is_empty() {
        let write = |spring| joints::write_spring(spring, all, &names);
        keys.push(("springs", world.springs().iter().map(write).collect()));
    }
    keys
}
