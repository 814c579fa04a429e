//! The scene format: every error names its place, a saved world continues to the same bits, and no file makes the program
//! panic.

mod bearing;
mod confined;
mod continuation;
mod converge;
mod damping;
mod drives;
mod errors;
mod exact;
mod fastest_rate;
mod gears;
mod impulse_records;
mod impulses;
mod interaction;
mod measures;
mod mutations;
mod nonholonomic;
mod pinned;
mod poses;
mod profiles;
mod pulleys;
mod recordings;
mod records;
mod references;
mod refusals;
mod replay;
mod scaled;
mod scales;
mod schema;
#[cfg(feature = "app")]
mod scheme_table;
mod shipped;
mod solved_rows;
mod solver_choice;
mod stable;
mod state;
mod surfaces;
mod synonyms;
mod uniqueness;
mod wires;
mod wrong_parts;

use driftlab::model::World;
use driftlab::report::StepReport;
use driftlab::scene::Scene;
use serde_json::{Value, json};

/// A small valid scene with every kind of object in it.
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

/// A report with some of its figures filled in.
pub fn reported(fill: impl FnOnce(&mut StepReport)) -> StepReport {
    let mut report = StepReport::default();
    fill(&mut report);
    report
}

/// Whether two worlds are in the same state to the bit; comparing f64s would not distinguish 0 and −0.
fn same_bits(a: &Scene, b: &Scene) -> bool {
    bits(&a.world) == bits(&b.world)
}

/// The complete state of a world as bits.
fn bits(world: &World) -> Vec<u64> {
    let mut numbers = vec![world.time()];
    for body in world.bodies() {
        numbers.extend(body.pose.coordinates().to_array());
        numbers.extend(body.velocity.coordinates().to_array());
    }
    for joint in world.joints() {
        numbers.extend(joint.force);
        numbers.extend(joint.coordinate_force);
        numbers.push(joint.zero);
        numbers.extend(joint.limits.into_iter().flatten());
        numbers.extend(joint.motor.iter().flat_map(|motor| [motor.speed, motor.max_force]));
    }
    numbers.extend(world.nonholonomic().iter().flat_map(|own| own.integral));
    for contact in world.contacts() {
        numbers.extend([contact.point.x, contact.point.y, contact.normal.x, contact.normal.y]);
        numbers.extend([contact.gap, contact.friction, contact.impulse[0], contact.impulse[1]]);
    }
    if let Some(grab) = world.grab() {
        let softness = grab.softness;
        numbers.extend([grab.anchor.x, grab.anchor.y, grab.target.x, grab.target.y]);
        numbers.extend([softness.stiffness, softness.damping, grab.max_force]);
    }
    if let Some(repulsion) = &world.repulsion() {
        numbers.extend([repulsion.center.x, repulsion.center.y, repulsion.radius, repulsion.strength]);
    }
    let ids = world.contacts().iter().map(|contact| contact.id);
    let index = |body| world.index_of(body).expect("a body of the world") as u32;
    let ids = ids.flat_map(|id| [id.bodies.map(index), id.pieces, id.features]).flatten().map(u64::from);
    numbers.into_iter().map(f64::to_bits).chain(ids).chain([world.steps()]).collect()
}

#[test]
fn the_scene_that_tests_edit_has_no_errors() {
    // Protects the tests of errors: the scene that they edit is valid.
    assert_eq!(problems(&sound().to_string()), Vec::<String>::new());
}
