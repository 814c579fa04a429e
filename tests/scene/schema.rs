//! The JSON Schema of scene files, against the reader, with a small validator of what the schema uses.

use super::sound;
use driftlab::scene::{Scene, catalogue, schema};
use serde_json::{Map, Value, json};

/// Scenes that use everything, from which the schema is made.
const EXAMPLES: [&str; 2] =
    [include_str!("../../assets/schema/kinds.json"), include_str!("../../assets/schema/states.json")];

/// Whether a value satisfies a schema, by draft 2020-12, as far as our schema uses it; a word that this does not know
/// is an error.
fn holds(root: &Value, schema: &Value, value: &Value) -> bool {
    let rules = schema.as_object().expect("a schema is an object");
    rules.iter().all(|(rule, of)| match rule.as_str() {
        "$schema" | "title" | "description" | "$defs" => true,
        "properties" => true,
        "$ref" => {
            let place = of.as_str().and_then(|place| place.strip_prefix('#')).expect("a place in it");
            holds(root, root.pointer(place).unwrap_or_else(|| panic!("{place}")), value)
        }
        "anyOf" => of.as_array().expect("schemas").iter().any(|own| holds(root, own, value)),
        "type" => match of.as_str().expect("a type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            other => panic!("type {other}"),
        },
        "enum" => of.as_array().expect("values").iter().any(|own| alike(own, value)),
        "const" => alike(of, value),
        "pattern" => {
            assert_eq!(of, "\\S");
            value.as_str().is_none_or(|text| !text.trim().is_empty())
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= limit(of)),
        "maximum" => value.as_f64().is_none_or(|number| number <= limit(of)),
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > limit(of)),
        "minItems" => value.as_array().is_none_or(|items| items.len() >= limit(of) as usize),
        "maxItems" => value.as_array().is_none_or(|items| items.len() <= limit(of) as usize),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| holds(root, of, item))),
        "required" => value.as_object().is_none_or(|keys| {
            of.as_array().expect("keys").iter().all(|key| keys.contains_key(key.as_str().expect("a key")))
        }),
        "additionalProperties" => {
            assert_eq!(of, &json!(false));
            let known = rules["properties"].as_object().expect("properties");
            value.as_object().is_none_or(|keys| {
                keys.iter().all(|(key, own)| known.get(key).is_some_and(|known| holds(root, known, own)))
            })
        }
        other => panic!("the validator does not know '{other}'"),
    })
}

/// Numbers are the same by their values.
fn alike(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a == b)
}

fn limit(of: &Value) -> f64 {
    of.as_f64().expect("a number")
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The scenes that are read without an error: all that are shipped, those from which the schema is made, one that a run
/// has saved with its state, contacts and warm start.
fn sound_scenes() -> Vec<(String, Value)> {
    let shipped = catalogue::entries().iter().map(|entry| (entry.key.to_owned(), json_of(entry.text)));
    let examples = EXAMPLES.iter().map(|text| ("an example".to_owned(), json_of(text)));
    let saved = ["card-house", "six-link-chain", "four-bar-loop", "knife-edge"].map(|key| {
        let mut scene = catalogue::find(key).expect("a scene").scene().expect("no errors");
        let method = scene.settings.method.clone();
        let mut workspace = driftlab::step::Workspace::default();
        for _ in 0..5 {
            let h = scene.settings.time_step;
            driftlab::step::step(&mut scene.world, &method, h, &mut workspace).expect("a step");
        }
        (format!("{key}, saved"), json_of(&scene.to_json()))
    });
    shipped.chain(examples).chain(saved).chain([("sound".to_owned(), sound())]).collect()
}

/// Every scene that the reader accepts is valid: those that are shipped, and what the program saves.
#[test]
fn sound_scenes_are_valid() {
    let schema = schema();
    for (name, scene) in sound_scenes() {
        assert!(Scene::parse(&scene.to_string()).is_ok(), "{name}: {:?}", Scene::parse(&scene.to_string()));
        assert!(holds(&schema, &schema, &scene), "{name} is not valid");
    }
}

/// The places of all values, as JSON pointers.
fn places(value: &Value, place: &str, all: &mut Vec<String>) {
    all.push(place.to_owned());
    match value {
        Value::Object(keys) => {
            keys.iter().for_each(|(key, own)| places(own, &format!("{place}/{key}"), all))
        }
        Value::Array(items) => {
            // Large scenes have many elements of one kind.
            let some = items.iter().enumerate().take(8);
            some.for_each(|(index, own)| places(own, &format!("{place}/{index}"), all));
        }
        _ => {}
    }
}

fn all_places(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    places(value, "", &mut all);
    all
}

/// A key that the reader does not know is refused by the schema, too, in whatever object it stands.
#[test]
fn unknown_keys_are_refused() {
    let schema = schema();
    let mut objects = 0;
    for (name, scene) in sound_scenes() {
        for place in all_places(&scene) {
            let mut wrong = scene.clone();
            let Some(Value::Object(keys)) = wrong.pointer_mut(&place) else { continue };
            keys.insert("fricton".to_owned(), json!(0.3));
            objects += 1;
            assert!(!holds(&schema, &schema, &wrong), "{name}: an unknown key in '{place}'");
        }
    }
    assert!(objects > 500, "{objects} objects");
}

/// The schema refuses nothing that the reader accepts, whatever value takes the place of another one or is left out;
/// and of the values of a wrong type it refuses as many as the reader.
#[test]
fn the_schema_is_no_stricter_than_the_reader() {
    let schema = schema();
    let others = [
        json!("text"),
        json!(""),
        json!(-1),
        json!(0),
        json!(0.5),
        json!(3),
        json!(true),
        json!(null),
        json!([]),
        json!([1, 2]),
        json!({}),
    ];
    let (mut refused, mut let_through) = (0, 0);
    let mut try_one = |name: &str, place: &str, wrong: &Value, typed: bool| {
        let valid = holds(&schema, &schema, wrong);
        if valid && !typed {
            return;
        }
        let read = Scene::parse(&wrong.to_string());
        assert!(
            valid || read.is_err(),
            "{name}: the schema refuses what the reader accepts at '{place}': {wrong}"
        );
        refused += usize::from(!valid);
        let_through += usize::from(valid && read.is_err());
    };
    // The examples have everything; of the others the small ones.
    let some = |(name, scene): &(String, Value)| name == "an example" || scene.to_string().len() < 1500;
    for (name, scene) in sound_scenes().into_iter().filter(some) {
        for place in all_places(&scene) {
            for other in &others {
                let mut wrong = scene.clone();
                if let Some(value) = wrong.pointer_mut(&place) {
                    let typed = std::mem::discriminant(value) != std::mem::discriminant(other);
                    *value = other.clone();
                    try_one(&name, &place, &wrong, typed);
                }
            }
            let mut wrong = scene.clone();
            let (parent, key) = place.rsplit_once('/').unwrap_or_default();
            if let Some(Value::Object(keys)) = wrong.pointer_mut(parent) {
                let _removed = keys.remove(key);
                try_one(&name, &place, &wrong, false);
            }
        }
    }
    assert!(refused > 20 * let_through, "{refused} refused, {let_through} of a wrong type let through");
}

/// Every key has a type or a list of words: the examples leave none out. Every kind of joint, shape, scheme and solver
/// has its own keys.
#[test]
fn every_key_is_described() {
    fn empty(schema: &Value, place: &str, all: &mut Vec<String>) {
        match schema {
            Value::Object(keys) if keys.is_empty() => all.push(place.to_owned()),
            Value::Object(keys) => {
                keys.iter().for_each(|(key, own)| empty(own, &format!("{place}/{key}"), all))
            }
            Value::Array(items) => items.iter().for_each(|own| empty(own, place, all)),
            _ => {}
        }
    }
    let schema = schema();
    let mut all = Vec::new();
    empty(&schema, "", &mut all);
    assert!(all.is_empty(), "nothing is known of {all:?}");
    let joint = |extra: Value| {
        let mut scene = sound();
        let mut keys: Map<String, Value> = Map::new();
        keys.extend(extra.as_object().expect("an object").clone());
        scene["joints"] = json!([keys]);
        holds(&schema, &schema, &scene)
    };
    let bodies = json!(["a", "b"]);
    assert!(joint(json!({ "joint": "weld", "bodies": bodies, "anchor": [0, 0] })));
    assert!(
        !joint(json!({ "joint": "weld", "bodies": bodies, "anchor": [0, 0], "axis": [1, 0] })),
        "a slider's key"
    );
    assert!(!joint(json!({ "joint": "hinge" })), "a hinge without bodies");
    assert!(!joint(json!({ "joint": "nail", "bodies": bodies })), "an unknown kind");
}
