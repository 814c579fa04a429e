//! The bodies of a scene by their names, for joints and springs, which refer to bodies by name.

use super::problems::{brief, nearest};
use super::reader::{Cursor, Object};
use crate::model::Body;
use std::collections::BTreeMap;

/// The bodies that a joint can name, in the order of the file.
pub(super) struct Directory<'n> {
    pub names: Vec<Option<&'n str>>,
    /// The first body of each name.
    pub places: BTreeMap<&'n str, usize>,
    pub bodies: Vec<Option<Body>>,
    /// Whether every body's name could be read: otherwise an unknown name may be one of those, and is not
    /// reported.
    pub complete: bool,
}

impl Directory<'_> {
    /// The body of that index, if it could be read.
    pub fn body(&self, index: usize) -> Option<&Body> {
        self.bodies.get(index)?.as_ref()
    }

    /// The index of the body that `cursor` names.
    pub fn find(&self, cursor: &Cursor<'_>) -> Option<usize> {
        let name = cursor.text()?;
        let found = self.places.get(name).copied();
        if found.is_none() && self.complete {
            let names = self.names.iter().copied().flatten();
            let meant = if cursor.may_suggest() { nearest(name, names) } else { None };
            let name = brief(name);
            cursor.problem(match meant {
                Some(meant) => format!("no body is named '{name}' (did you mean '{meant}'?)"),
                None => format!("no body is named '{name}'"),
            });
        }
        found
    }

    /// Reads the names of two different bodies, at least one of them dynamic.
    pub fn pair(&self, keys: &Object<'_>, what: &str) -> Option<[usize; 2]> {
        let cursor = keys.require("bodies", "the names of two bodies")?;
        let [a, b] = cursor.exactly("the names of two bodies")?;
        let (a, b) = (self.find(&a), self.find(&b));
        let (a, b) = (a?, b?);
        let name = |index: usize| brief(self.names.get(index).copied().flatten().unwrap_or_default());
        if a == b {
            cursor.problem(format!("expected two different bodies, found '{}' twice", name(a)));
            return None;
        }
        let stands = |index: usize| {
            self.bodies.get(index).and_then(Option::as_ref).is_some_and(|body| !body.is_dynamic())
        };
        if stands(a) && stands(b) {
            cursor.problem(format!(
                "neither '{}' nor '{}' is dynamic: expected a {what} on a body that it can move",
                name(a),
                name(b)
            ));
            return None;
        }
        Some([a, b])
    }

    /// Both bodies, if they could be read.
    pub fn ends(&self, [a, b]: [usize; 2]) -> Option<[&Body; 2]> {
        Some([self.body(a)?, self.body(b)?])
    }
}
