//! Promises of the scene format: every error is named by its place, a saved world steps on to the same
//! bits, and nothing that stands in a file makes the program panic.

mod continuation;
mod errors;
mod mutations;
mod records;
mod shipped;

use driftlab::scene::Scene;
use serde_json::{Value, json};

/// A small scene that is right, with every kind of thing in it.
fn sound() -> Value {
    json!({
        "format": "driftlab-scene/1",
        "name": "Sound",
        "settings": { "time_step": 0.001, "stabilizer": { "kind": "baumgarte_velocity", "alpha": 50 } },
        "bodies": [
            { "name": "wall", "type": "fixed", "position": [0, 0] },
            { "name": "floor", "type": "fixed", "position": [0, -2],
              "shapes": [{ "shape": "half_plane", "normal": [0, 1], "offset": 0 }] },
            { "name": "link", "position": [0.5, 0],
              "shapes": [{ "shape": "box", "size": [1, 0.1] }, { "shape": "circle", "radius": 0.1 }] },
            { "name": "slab", "position": [1.5, 0], "shapes": [{ "shape": "polygon",
              "vertices": [[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]] }] },
            { "name": "shaker", "type": "kinematic", "position": [3, 0],
              "motion": { "sine": { "amplitude": [0, 0.1], "frequency": 2 } } }
        ],
        "joints": [
            { "joint": "hinge", "bodies": ["wall", "link"], "anchor": [0, 0] },
            { "joint": "distance", "bodies": ["link", "slab"], "anchors": [[1, 0], [1.5, 0]] }
        ],
        "springs": [
            { "bodies": ["slab", "shaker"], "anchors": [[2, 0], [3, 0]], "stiffness": 10, "damping": 1 }
        ]
    })
}

/// The sound scene after `edit`, as text.
fn edited(edit: impl FnOnce(&mut Value)) -> String {
    let mut scene = sound();
    edit(&mut scene);
    scene.to_string()
}

/// The problems of a text, one line each.
fn problems(text: &str) -> Vec<String> {
    match Scene::parse(text) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// Two worlds in the same state to the bit: comparing f64s would let 0 and −0 pass for the same.
fn same_bits(a: &Scene, b: &Scene) -> bool {
    let state = |scene: &Scene| {
        let world = &scene.world;
        let bodies = world.bodies().iter().flat_map(|body| {
            let (q, v) = (body.pose.coordinates(), body.velocity.coordinates());
            [q.x, q.y, q.z, v.x, v.y, v.z].map(f64::to_bits)
        });
        let forces = world.joints().iter().flat_map(|joint| joint.force.map(f64::to_bits));
        bodies.chain(forces).chain([world.time.to_bits(), world.steps]).collect::<Vec<_>>()
    };
    state(a) == state(b)
}

#[test]
fn the_sound_scene_is_sound() {
    // Protects the tests of errors: what they break must be right before.
    assert_eq!(problems(&sound().to_string()), Vec::<String>::new());
}
