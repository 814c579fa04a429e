//! Whether two worlds are one world in two states: the same bodies, joints and springs under the same gravity, wherever
//! they are and however fast. Both are compared as scene files write them, key by key.

use super::parts::contents;
use super::write::{object, pair};
use crate::model::World;
use serde_json::Value;

/// Keys of a body that are its state.
const STATE: [&str; 5] = ["position", "angle", "center_of_mass", "velocity", "angular_velocity"];
/// Relative difference of two numbers that are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// The first key in which `own` is another world than `main`, as a sentence; none if they differ in their states alone.
pub(super) fn difference(main: &World, own: &World) -> Option<String> {
    let written = |world: &World| {
        let mut keys = vec![("gravity", pair(world.gravity()))];
        keys.extend(super::written_wind(world));
        keys.extend(super::written_fields(world));
        keys.extend(contents(world));
        object(keys)
    };
    let (path, main, own) = first("", &written(main), &written(own))?;
    let text = |value: Option<Value>| value.map_or("nothing".to_owned(), |value| value.to_string());
    let [expected, found] = [main, own].map(text);
    Some(format!(
        "expected the scene's own world in another state, with {path} = {expected}, found {found}"
    ))
}

type Difference = (String, Option<Value>, Option<Value>);

fn first(path: &str, main: &Value, own: &Value) -> Option<Difference> {
    match (main, own) {
        (Value::Object(main), Value::Object(own)) => {
            // A body's own keys, not those of its shapes.
            let is_state =
                |key: &str| path.starts_with("bodies[") && path.ends_with(']') && STATE.contains(&key);
            let is_body = path.matches('[').count() == 1;
            let keys = main.keys().chain(own.keys().filter(|key| !main.contains_key(*key)));
            keys.filter(|key| !(is_body && is_state(key))).find_map(|key| {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match (main.get(key), own.get(key)) {
                    (Some(main), Some(own)) => first(&inner, main, own),
                    (main, own) => Some((inner, main.cloned(), own.cloned())),
                }
            })
        }
        (Value::Array(main), Value::Array(own)) if main.len() == own.len() => {
            let pairs = main.iter().zip(own).enumerate();
            pairs.into_iter().find_map(|(i, (main, own))| first(&format!("{path}[{i}]"), main, own))
        }
        _ if is_same(main, own) => None,
        _ => Some((path.to_owned(), Some(main.clone()), Some(own.clone()))),
    }
}

fn is_same(main: &Value, own: &Value) -> bool {
    match (main.as_f64(), own.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING * a.abs().max(b.abs()),
        _ => main == own,
    }
}
