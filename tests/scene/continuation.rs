//! A saved running world loads to the same state and steps on to the same bits.

use super::{same_bits, sound};
use driftlab::model::Grab;
use driftlab::scene::{Scene, catalogue};
use driftlab::stabilizer::{Integrator, Level, Method, Restitution, TABLE, Workspace};
use driftlab::step::step;
use glam::DVec2;

fn advance(scene: &mut Scene, steps: usize) {
    let mut workspace = Workspace::default();
    let (method, h) = (scene.settings.method.clone(), scene.settings.time_step);
    for _ in 0..steps {
        // A scheme that fails leaves the world as it was: both continuations must fail alike.
        if step(&mut scene.world, &method, h, &mut workspace).is_err() {
            break;
        }
    }
}

/// Runs, saves, loads, and runs on beside the original.
#[track_caller]
fn continues_to_the_same_bits(mut scene: Scene, before: usize, after: usize) {
    advance(&mut scene, before);
    let text = scene.to_json();
    let mut loaded = match Scene::parse(&text) {
        Ok(loaded) => loaded,
        Err(problems) => panic!("{}: {problems:?}\n{text}", scene.name),
    };
    assert!(same_bits(&scene, &loaded), "{} loads to another state", scene.name);
    assert_eq!(scene, loaded, "{} loads to another scene", scene.name);
    assert_eq!(text, loaded.to_json(), "{} saves differently", scene.name);
    advance(&mut scene, after);
    advance(&mut loaded, after);
    assert!(same_bits(&scene, &loaded), "{} continues differently", scene.name);
}

#[test]
fn every_scheme_continues_to_the_same_bits() {
    // Protects saving and loading, the warm start included, for every scheme of the table at every level.
    let keys = ["six-link-chain", "slider-crank", "two-wall-weld", "driven-pendulum", "spring-ratio"];
    for key in keys {
        let scene = catalogue::find(key).unwrap().scene().unwrap();
        for scheme in TABLE {
            for &level in scheme.info().levels {
                let method = Method::by_key(scheme.info().key).unwrap();
                let mut scene = scene.clone();
                scene.settings.method = method.at_level(level, Integrator::default()).unwrap();
                continues_to_the_same_bits(scene, 137, 200);
            }
        }
    }
}

#[test]
fn every_shipped_scene_survives_saving() {
    // Protects the writer: whatever is shipped can be saved, whatever its joints and shapes.
    for entry in catalogue::entries() {
        continues_to_the_same_bits(entry.scene().unwrap(), 3, 3);
    }
}

#[test]
fn a_centre_of_mass_beside_the_origin_keeps_its_bits() {
    // Protects bodies whose centre of mass is not their origin: position and angle alone would round.
    let mut value = sound();
    value["bodies"][2]["shapes"][1]["offset"] = serde_json::json!([0.37, 0.211]);
    value["bodies"][3]["angle"] = serde_json::json!(0.3);
    value["bodies"][3]["shapes"][0]["vertices"][2] = serde_json::json!([0.7, 0.33]);
    let scene = Scene::parse(&value.to_string()).unwrap();
    let centers = scene.world.bodies().iter().map(|body| body.mass_properties().center);
    assert!(centers.filter(|center| *center != DVec2::ZERO).count() >= 2);
    continues_to_the_same_bits(scene, 100, 200);
}

#[test]
fn a_grab_is_part_of_the_state() {
    // Protects a person's pull: saved in the middle of it, the run goes on under it.
    let mut scene = catalogue::find("six-link-chain").unwrap().scene().unwrap();
    let at = scene.world.bodies()[4].point_in_world(DVec2::new(0.02, 0.003));
    let mut grab = Grab::new(4, &scene.world.bodies()[4], at);
    grab.target = DVec2::new(0.3, 0.2);
    scene.world.grab = Some(grab);
    continues_to_the_same_bits(scene.clone(), 50, 200);
    let mut without = scene.clone();
    without.world.grab = None;
    advance(&mut scene, 50);
    advance(&mut without, 50);
    assert!(!same_bits(&scene, &without), "the grab must pull, or the test shows nothing");
}

#[test]
fn settings_and_references_survive_saving() {
    // Protects everything beside the world: method, level, integrator, rules of contact, published figures.
    let mut scene = catalogue::find("six-link-chain-paper").unwrap().scene().unwrap();
    let method = Method::by_key("baumgarte_acceleration").unwrap().with("alpha", 12.5).unwrap();
    scene.settings.method = method.at_level(Level::Acceleration, Integrator::Rk4).unwrap();
    scene.settings.method.contact.active_distance = Some(0.01);
    scene.settings.method.contact.contact_tolerance = Some(0.0);
    scene.settings.method.contact.active_travel = 1.5;
    scene.settings.method.contact.restitution = Restitution::AnitescuPotra;
    scene.settings.method.contact.restitution_threshold = Some(0.125);
    assert!(!scene.references.is_empty());
    assert_eq!(Scene::parse(&scene.to_json()).unwrap(), scene);
}
