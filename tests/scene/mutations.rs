//! A thousand mutated scene files cause no panic: each is loaded and stepped, or rejected with reasons.

use super::sound;
use driftlab::experiment::Run;
use driftlab::scene::{Scene, catalogue};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

/// Files small enough that a thousand of them take seconds.
const LONGEST: usize = 6_000;

fn texts() -> Vec<String> {
    let short = |text: &&str| text.len() < LONGEST;
    let texts = catalogue::entries().iter().map(|entry| entry.text).filter(short);
    let mut texts: Vec<_> = texts.map(str::to_owned).collect();
    assert!(texts.len() >= 10, "too few scenes to mutate");
    // A third of the cases are about limits, motors, contacts and recorded pointers.
    let touched = touched().to_string();
    texts.extend(std::iter::repeat_n(touched, texts.len() / 2));
    texts
}

/// The sound scene with limits, motors, contacts and a recorded pointer.
fn touched() -> Value {
    let mut scene = sound();
    scene["joints"][0]["limits"] = json!([-1, null]);
    scene["joints"][0]["limits_from"] = json!(0.25);
    scene["joints"][0]["motor"] = json!({ "speed": 3, "max_torque": 20 });
    scene["joints"][1] = json!({ "joint": "slider", "bodies": ["link", "slab"], "anchor": [1, 0],
        "axis": [1, 0], "limits": [-0.5, 0.5], "motor": { "speed": 1, "max_force": 5 } });
    scene["interaction"] = json!({ "tool": "grab", "radius": 0.1,
        "samples": [[0, 0.4, 0, true], [0.001, 0.5, 0.1, 1, 2], [0.002, 0.5, 0.2, 0]] });
    scene["state"] = json!({ "time": 0.0005, "steps": 1,
        "repulsion": { "center": [0, 1], "radius": 0.5, "strength": 10 },
        "contacts": [{ "bodies": ["floor", "link"], "pieces": [0, 0], "features": [0, 1],
            "point": [0, -2], "normal": [0, 1], "gap": 0.001, "friction": 0.3, "impulse": [1, 0.1] }] });
    scene
}

/// Values that no scene expects where they will stand.
fn odd() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1e308),
        json!(-1e308),
        json!(5e-324),
        json!(-0.0),
        json!(1e-200),
        json!(9_007_199_254_740_993_u64),
        json!(""),
        json!("wall"),
        json!("polygon"),
        json!("weld"),
        json!("kinematic"),
        json!("rattle"),
        json!([]),
        json!([1, 2]),
        json!([[0, 0], [0, 0], [0, 0]]),
        json!({}),
        json!({ "kind": "projection" }),
        json!([1, 0]),
        json!([null, null]),
        json!({ "speed": 1e300, "max_torque": 1e308 }),
        json!([[0, 0, 0, 1, 1e300]]),
        json!({ "sine": { "amplitude": [1e300, 1], "frequency": 1e300 } }),
    ]
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Applies `change` to the value that is `index`th in depth-first order.
fn at(value: &mut Value, index: &mut usize, change: &mut dyn FnMut(&mut Value)) {
    if *index == 0 {
        change(value);
    }
    *index = index.wrapping_sub(1);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| at(item, index, change)),
        Value::Object(members) => members.values_mut().for_each(|member| at(member, index, change)),
        _ => {}
    }
}

#[derive(Clone, Debug)]
enum Mutation {
    Replace(usize),
    Scale(f64),
    DropFirst,
    DropLast,
    Duplicate,
    Swap,
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        4 => (0..odd().len()).prop_map(Mutation::Replace),
        2 => prop_oneof![Just(-1.0), Just(0.0), Just(1e-12), Just(1e12), Just(1e300)].prop_map(Mutation::Scale),
        1 => Just(Mutation::DropFirst),
        1 => Just(Mutation::DropLast),
        1 => Just(Mutation::Duplicate),
        1 => Just(Mutation::Swap),
    ]
}

fn mutate(value: &mut Value, mutation: &Mutation) {
    match (mutation, value) {
        (Mutation::Replace(index), value) => *value = odd()[*index].clone(),
        (Mutation::Scale(factor), Value::Number(number)) => {
            let scaled = number.as_f64().unwrap_or_default() * factor;
            *number = serde_json::Number::from_f64(scaled).unwrap_or_else(|| 0.into());
        }
        (Mutation::DropFirst, Value::Array(items)) if !items.is_empty() => drop(items.remove(0)),
        (Mutation::DropLast, Value::Array(items)) => drop(items.pop()),
        (Mutation::DropFirst, Value::Object(members)) => {
            drop_member(members, members.keys().next().cloned());
        }
        (Mutation::DropLast, Value::Object(members)) => {
            drop_member(members, members.keys().next_back().cloned());
        }
        (Mutation::Duplicate, Value::Array(items)) => items.extend(items.last().cloned()),
        (Mutation::Duplicate, Value::Object(members)) => {
            if let Some((key, value)) = members.iter().next().map(|(k, v)| (k.clone(), v.clone())) {
                members.insert(format!("{key}2"), value);
            }
        }
        (Mutation::Swap, Value::Array(items)) => items.reverse(),
        _ => {}
    }
}

fn drop_member(members: &mut serde_json::Map<String, Value>, key: Option<String>) {
    if let Some(key) = key {
        members.shift_remove(&key);
    }
}

/// Asserts what holds for any text; returns whether it loaded.
fn holds(text: &str) -> bool {
    match Scene::parse(text) {
        Err(problems) => {
            assert!(!problems.is_empty(), "rejected without a reason: {text}");
            assert!(problems.iter().all(|problem| !problem.message.is_empty()));
            false
        }
        Ok(mut scene) => {
            let again = Scene::parse(&scene.to_json());
            assert_eq!(again.as_ref(), Ok(&scene), "saves to something else: {text}");
            // A step may fail with an error; it must not panic, and what it reports must not be NaN unseen.
            let mut run = Run::new(&scene, 3);
            let _ = run.by_ref().count();
            scene.world = run.world().clone();
            let again = Scene::parse(&scene.to_json());
            assert!(again.is_ok(), "saves to what does not load: {again:?}\n{text}");
            true
        }
    }
}

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn mutated_trees_never_panic() {
    // Protects people who edit scenes by hand, and programs that write them.
    let texts = texts();
    let values: Vec<Value> = texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let edits = prop::collection::vec((any::<prop::sample::Index>(), mutation()), 1..4);
    let loaded = std::cell::Cell::new(0);
    let outcome = runner(1000).run(&(0..values.len(), edits), |(which, edits)| {
        let mut value = values[which].clone();
        for (place, mutation) in &edits {
            let mut index = place.index(count(&value));
            at(&mut value, &mut index, &mut |value| mutate(value, mutation));
        }
        loaded.set(loaded.get() + usize::from(holds(&value.to_string())));
        Ok(())
    });
    outcome.unwrap();
    // Both outcomes must have been tried, or the test shows nothing.
    assert!((100..900).contains(&loaded.get()), "{} of 1000 loaded", loaded.get());
}

#[test]
fn mutated_bytes_never_panic() {
    // Protects against files that were cut, garbled or glued together.
    let texts = texts();
    let edit = (any::<prop::sample::Index>(), 0..5_u8, "[\\x20-\\x7e]{1,3}");
    let edits = prop::collection::vec(edit, 1..4);
    let outcome = runner(1000).run(&(0..texts.len(), edits), |(which, edits)| {
        let mut text: Vec<char> = texts[which].chars().collect();
        for (place, kind, insert) in edits {
            let at = place.index(text.len().max(1)).min(text.len());
            match kind {
                0 => text.truncate(at),
                1 => drop(text.splice(at..(at + 1).min(text.len()), [])),
                2 => drop(text.splice(at..at, insert.chars())),
                3 => drop(text.splice(at..(at + 1).min(text.len()), insert.chars())),
                _ => text.extend_from_within(at..),
            }
        }
        holds(&text.into_iter().collect::<String>());
        Ok(())
    });
    outcome.unwrap();
}
