//! The contacts of the last step, read and written: `state.contacts`.
//!
//! They are the warm start of the solvers. Bodies are identified by their names, pieces and features by the engine's
//! numbers.

use super::directory::Directory;
use super::reader::{Cursor, Object};
use super::write::{number, object, pair};
use crate::model::{BodyId, ContactId, ContactState, World};
use glam::DVec2;
use serde_json::{Value, json};

/// A contact of a file, its bodies by index.
pub(super) struct SavedContact {
    bodies: [usize; 2],
    pieces: [u32; 2],
    features: [u32; 2],
    point: DVec2,
    normal: DVec2,
    gap: f64,
    friction: f64,
    impulse: [f64; 2],
}

impl SavedContact {
    /// The contact in a world with the bodies `ids`.
    pub fn among(self, ids: &[BodyId]) -> ContactState {
        let Self { bodies, pieces, features, point, normal, gap, friction, impulse } = self;
        let id = ContactId { bodies: bodies.map(|body| ids[body]), pieces, features };
        ContactState { id, point, normal, gap, friction, impulse }
    }
}

/// Reads `state.contacts`.
pub(super) fn read(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<Vec<SavedContact>> {
    let items = cursor.items("an array of contacts")?;
    // Collected first, so that every contact is read.
    let read: Vec<_> = items.iter().map(|item| contact(item, directory)).collect();
    let contacts: Vec<SavedContact> = read.into_iter().collect::<Option<_>>()?;
    let key = |contact: &SavedContact| (contact.bodies, contact.pieces, contact.features);
    let unordered = contacts.windows(2).position(|pair| key(&pair[0]) > key(&pair[1]));
    if let Some(item) = unordered.and_then(|index| items.get(index + 1)) {
        item.problem("expected the contacts in the order of their bodies, pieces and features");
        return None;
    }
    Some(contacts)
}

fn contact(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<SavedContact> {
    let keys = cursor.object("a contact {\"bodies\": […], …}")?;
    let bodies = keys.require("bodies", "the names of two bodies").and_then(|c| bodies(&c, directory));
    let (pieces, features) = (numbers(&keys, "pieces"), numbers(&keys, "features"));
    let vector = |key, expected| keys.require(key, expected).and_then(|c| c.vector());
    let (point, normal) = (vector("point", "a point [x, y]"), vector("normal", "a direction [x, y]"));
    let gap = keys.require("gap", "a number").and_then(|c| c.number());
    let friction = keys.require("friction", "a number, 0 or more").and_then(|c| c.not_negative());
    let impulse = keys.require("impulse", "two numbers [normal, tangential]").and_then(|c| c.vector());
    keys.finish();
    Some(SavedContact {
        bodies: bodies?,
        pieces: pieces?,
        features: features?,
        point: point?,
        normal: normal?,
        gap: gap?,
        friction: friction?,
        impulse: impulse?.to_array(),
    })
}

fn bodies(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<[usize; 2]> {
    let [a, b] = cursor.exactly("the names of two bodies")?;
    let (a, b) = (directory.find(&a), directory.find(&b));
    let (a, b) = (a?, b?);
    if a >= b {
        cursor.problem("expected two bodies in the order of the file");
        return None;
    }
    Some([a, b])
}

fn numbers(keys: &Object<'_>, key: &'static str) -> Option<[u32; 2]> {
    let expected = "two whole numbers from 0 to 4294967295";
    let [a, b] = keys.require(key, expected)?.exactly(expected)?.map(|item: Cursor<'_>| item.unsigned());
    Some([a?, b?])
}

/// Writes `state.contacts`, or nothing where there are none.
///
/// A run on the verge of blowing up can have contacts beyond an f64; JSON cannot represent them, and as a warm start
/// they are useless.
pub(super) fn write(world: &World, names: &[String]) -> Option<Value> {
    let contacts = world.contacts();
    let sayable = contacts.iter().all(|contact| {
        let ContactState { id: _, point, normal, gap, friction, impulse } = contact;
        let rest = [*gap, *friction, impulse[0], impulse[1]];
        point.is_finite() && normal.is_finite() && rest.into_iter().all(f64::is_finite)
    });
    let written = || contacts.iter().map(|contact| write_contact(contact, world, names)).collect();
    (sayable && !contacts.is_empty()).then(written)
}

fn write_contact(contact: &ContactState, world: &World, names: &[String]) -> Value {
    let ContactState { id, point, normal, gap, friction, impulse } = contact;
    object(vec![
        ("bodies", json!(id.bodies.map(|id| world.index_of(id).and_then(|index| names.get(index))))),
        ("pieces", json!(id.pieces)),
        ("features", json!(id.features)),
        ("point", pair(*point)),
        ("normal", pair(*normal)),
        ("gap", number(*gap)),
        ("friction", number(*friction)),
        ("impulse", json!(impulse)),
    ])
}
