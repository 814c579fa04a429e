//! A JSON Schema of scene files, made by the reader itself: it reads scenes that use everything, and what it asks of
//! each value is noted. There is no other list of the keys, so that what the reader learns is in the schema as well.
//!
//! The keys of schemes and solvers come from their own tables. Where the keys of an object depend on the word of one of
//! them, as a joint's on its kind, the schema has an alternative for each word. It is looser than the reader in what
//! concerns several values at once, such as names that have to be those of bodies.

use super::catalogue;
use super::expected::{Expected, Place, Read, SOLVER, STABILIZER, Trace, place};
use super::json::Node;
use super::problems::Log;
use super::reader::Cursor;
use crate::lcp;
use crate::method::Language;
use crate::parameter::{Parameter, ParameterKind};
use crate::peers;
use crate::schemes;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The dialect in which it is written.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Scenes that use what no shipped scene uses.
const EXAMPLES: [&str; 2] =
    [include_str!("../../assets/schema/kinds.json"), include_str!("../../assets/schema/states.json")];
/// What the second of them watches, and what it watches in its place when it is read again: a window watches one thing.
const WATCHED: [&str; 5] =
    [r#""contact": [0, 1]"#, r#""body": 0"#, r#""joint": 0"#, r#""spring": 0"#, r#""bodies": [0, 1]"#];
/// The schema of scene files, draft 2020-12.
pub fn schema() -> Value {
    let log = Log::traced();
    let shipped = catalogue::entries().iter().map(|entry| entry.text.to_owned());
    let watching = WATCHED.map(|other| EXAMPLES[1].replace(WATCHED[0], other));
    for text in shipped.chain([EXAMPLES[0].to_owned()]).chain(watching) {
        if let Ok(root) = Node::parse(&text) {
            let _scene = super::read(&Cursor::root(&root, &log));
        }
    }
    let places = log.trace().map(Trace::take).unwrap_or_default();
    let mut schema = Schema(&places).of("");
    if let Value::Object(keys) = &mut schema {
        keys.insert("$schema".to_owned(), json!(DIALECT));
        keys.insert("title".to_owned(), json!(format!("driftlab scene, {}", super::FORMAT)));
        keys.insert("$defs".to_owned(), json!({ STABILIZER: stabilizers(), SOLVER: solvers() }));
    }
    schema
}

/// The schemas of the places.
struct Schema<'a>(&'a BTreeMap<String, Place>);

impl Schema<'_> {
    fn of(&self, path: &str) -> Value {
        let own = place(path);
        if own != path {
            return json!({ "$ref": format!("#/properties/{}", own.replace('.', "/properties/")) });
        }
        let Some(place) = self.0.get(path) else { return json!({}) };
        let has_words = place.expected.iter().any(|own| matches!(own, Expected::Word(_)));
        // A word that is compared with others is read as a text first.
        let expected = place.expected.iter().filter(|own| !(has_words && **own == Expected::Text));
        let mut all: Vec<Value> = expected.map(|own| self.simple(path, own)).collect();
        if !place.objects.is_empty() {
            all.push(self.object(path, &place.objects));
        }
        let mut schema = if all.len() == 1 { all.remove(0) } else { json!({ "anyOf": all }) };
        if let (Some(said), Value::Object(keys)) = (&place.said, &mut schema) {
            keys.insert("description".to_owned(), json!(said));
        }
        schema
    }

    fn simple(&self, path: &str, expected: &Expected) -> Value {
        match expected {
            Expected::Number(range) => range.schema(),
            Expected::Text => json!({ "type": "string" }),
            Expected::Name => json!({ "type": "string", "pattern": "\\S" }),
            Expected::Word(words) => json!({ "enum": words }),
            Expected::Bool => json!({ "type": "boolean" }),
            Expected::Switch => json!({ "enum": [true, false, 1, 0] }),
            Expected::Null => json!({ "type": "null" }),
            Expected::Array(None) => json!({ "type": "array", "items": self.of(&format!("{path}[]")) }),
            Expected::Array(Some(length)) => json!({
                "type": "array",
                "items": self.of(&format!("{path}[]")),
                "minItems": length,
                "maxItems": length,
            }),
            Expected::Defined(name) => json!({ "$ref": format!("#/$defs/{name}") }),
        }
    }

    /// An object; with alternatives, where the word of one of its keys decides which others there are.
    fn object(&self, path: &str, read: &[Read]) -> Value {
        let keys = |read: &[&Read]| {
            let asked: BTreeSet<_> = read.iter().flat_map(|own| own.asked.iter().copied()).collect();
            let required =
                asked.iter().copied().filter(|key| read.iter().all(|own| own.required.contains(key)));
            let required: BTreeSet<_> = required.collect();
            (asked, required)
        };
        let all: Vec<&Read> = read.iter().collect();
        let whole = keys(&all);
        for key in &whole.1 {
            let mut groups: BTreeMap<_, Vec<&str>> = BTreeMap::new();
            for word in self.words(&child(path, key)) {
                let has = |own: &&Read| own.texts.get(*key).is_some_and(|text| text == word);
                let of_word: Vec<&Read> = read.iter().filter(has).collect();
                // No example has that word: whatever there may be otherwise.
                let own = if of_word.is_empty() { whole.clone() } else { keys(&of_word) };
                groups.entry(own).or_default().push(word);
            }
            if groups.len() > 1 {
                let alternatives = groups.into_iter().map(|(keys, words)| {
                    let mut schema = self.closed(path, &keys);
                    schema["properties"][*key] = json!({ "enum": words });
                    schema
                });
                return json!({ "anyOf": alternatives.collect::<Vec<_>>() });
            }
        }
        self.closed(path, &whole)
    }

    /// The words that a value can be.
    fn words(&self, path: &str) -> &[String] {
        let mut expected = self.0.get(path).into_iter().flat_map(|place| &place.expected);
        let words =
            expected.find_map(|own| if let Expected::Word(words) = own { Some(words) } else { None });
        words.map_or(&[], Vec::as_slice)
    }

    /// An object with these keys and no others.
    fn closed(&self, path: &str, (asked, required): &(BTreeSet<&str>, BTreeSet<&str>)) -> Value {
        let properties = asked.iter().map(|key| ((*key).to_owned(), self.of(&child(path, key))));
        closed(properties.collect(), required)
    }
}

fn child(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn closed(properties: Map<String, Value>, required: &BTreeSet<&str>) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schemes, each with its parameters: its own, some of them, or all of another parametrization.
fn stabilizers() -> Value {
    let alternatives = schemes::TABLE.iter().chain(peers::schemes()).flat_map(|scheme| {
        let info = scheme.info();
        let languages = info.languages.iter().filter(|language: &&Language| language.in_files);
        let others = languages.map(|own| of_kind(info.key, own.parameters, true));
        std::iter::once(of_kind(info.key, info.parameters, false)).chain(others)
    });
    json!({ "anyOf": alternatives.collect::<Vec<_>>() })
}

fn solvers() -> Value {
    let alternatives = lcp::solvers().map(|own| of_kind(own.info().key, own.info().parameters, false));
    json!({ "anyOf": alternatives.collect::<Vec<_>>() })
}

/// A scheme or solver with these parameters, of which all or any are given.
fn of_kind(kind: &str, parameters: &[Parameter], all: bool) -> Value {
    let mut properties = Map::new();
    properties.insert("kind".to_owned(), json!({ "const": kind }));
    properties.extend(parameters.iter().map(|own| (own.key.to_owned(), of_parameter(own))));
    let given = parameters.iter().map(|own| own.key).filter(|_| all);
    closed(properties, &std::iter::once("kind").chain(given).collect())
}

fn of_parameter(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        ParameterKind::Choice(words) => json!({ "enum": words }),
        ParameterKind::Integer => json!({ "type": "integer" }),
        _ => json!({ "type": "number" }),
    };
    if let Value::Object(keys) = &mut schema {
        if !matches!(parameter.kind, ParameterKind::Choice(_)) {
            let limits = [("minimum", parameter.minimum), ("maximum", parameter.maximum)];
            let finite = limits.into_iter().filter(|(_, limit)| limit.is_finite());
            keys.extend(finite.map(|(key, limit)| (key.to_owned(), json!(limit))));
        }
        keys.insert("description".to_owned(), json!(parameter.meaning));
    }
    schema
}
