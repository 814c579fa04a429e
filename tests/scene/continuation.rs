//! A world saved in mid-run loads to the same state and continues to the same bits.

use super::{same_bits, sound};
use crate::physics::worlds::pull;
use driftlab::method::{Integrator, Level, Method, Restitution, Stabilizer};
use driftlab::model::{BodyKind, ContactId, ContactState, Motion, Repulsion};
use driftlab::scene::{Scene, Take, catalogue};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
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
pub fn continues_to_the_same_bits(mut scene: Scene, before: usize, after: usize) {
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
    // Protects the writer: every shipped scene can be saved and loaded, with all its joints and shapes.
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
    // Protects the mouse's grab: a run saved during a grab continues with it.
    let mut scene = catalogue::find("six-link-chain").unwrap().scene().unwrap();
    let at = scene.world.bodies()[4].point_in_world(DVec2::new(0.02, 0.003));
    pull(&mut scene.world, 4, at, DVec2::new(0.3, 0.2));
    continues_to_the_same_bits(scene.clone(), 50, 200);
    let mut without = scene.clone();
    without.world.release_grab();
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
    let reference = &mut scene.references[0];
    (reference.take, reference.within) = (Take::Growth, Some(0.125));
    (reference.from, reference.time_step) = (Some(0.1), Some(2e-3));
    reference.contact_tolerance = Some(0.25);
    reference.ratio_to = Stabilizer::by_key("implicit");
    reference.remark = Some("why".to_owned());
    assert!(reference.figure.is_some() && reference.assumption.is_some());
    assert_eq!(Scene::parse(&scene.to_json()).unwrap(), scene);
}

#[test]
fn a_driven_body_loads_where_it_is() {
    // Protects prescribed motions in a scene with t > 0: without a centre in the file, `position` is the body's present
    // position, from which the centre of its motion follows.
    let mut value = sound();
    value["state"] = serde_json::json!({ "time": 0.0625 });
    let scene = Scene::parse(&value.to_string()).unwrap();
    let shaker = scene.world.bodies()[4].clone();
    assert_eq!(shaker.pose.position, DVec2::new(3.0, 0.0));
    // 0.1 m at 2 Hz, an eighth of a cycle on: sin(π/4) of the amplitude above the middle.
    let BodyKind::Kinematic(Motion::Sine { center, .. }) = shaker.kind() else { panic!("{shaker:?}") };
    assert!((center.y + 0.1 * 0.5_f64.sqrt()).abs() < 1e-15, "{center}");
    continues_to_the_same_bits(scene, 0, 20);
}

#[test]
fn contacts_and_a_repulsion_are_part_of_the_state() {
    // Protects the warm start of the solvers: identities beyond an i32, −0 and subnormal numbers come back as
    // they were, and without contacts there is no key.
    let mut scene = Scene::parse(&sound().to_string()).unwrap();
    assert!(!scene.to_json().contains("contacts"));
    let bodies = [1, 3].map(|index: usize| scene.world.body_ids()[index]);
    let contact = |pieces, features, impulse| ContactState {
        id: ContactId { bodies, pieces, features },
        point: DVec2::new(0.1 + 0.2, -2.0),
        normal: DVec2::new(-0.0, 1.0),
        gap: -5e-324,
        friction: 0.3_f64.sqrt(),
        impulse,
    };
    let contacts = [
        contact([0, 0], [u32::MAX, 0], [1.0 / 3.0, -0.0]),
        contact([0, 1], [0, 2_147_483_648], [0.0, -1e-300]),
    ];
    scene.world.restore_contacts(contacts.to_vec()).unwrap();
    let repulsion = Repulsion { center: DVec2::new(1.0 / 7.0, -0.0), radius: 0.1, strength: 1e3 / 3.0 };
    scene.world.set_repulsion(Some(repulsion)).unwrap();
    let loaded = Scene::parse(&scene.to_json()).unwrap();
    assert!(same_bits(&scene, &loaded), "{}", scene.to_json());
    assert_eq!(scene, loaded);
    assert_eq!(scene.to_json(), loaded.to_json());
    assert_eq!(loaded.world.contacts().len(), 2);
}

#[test]
fn a_state_beyond_an_f64_still_saves() {
    // Protects a run about to diverge: JSON has no infinity, so infinite warm-start impulses and grabs are left out of the
    // file instead of making it invalid.
    let mut scene = Scene::parse(&sound().to_string()).unwrap();
    let bodies = [1, 3].map(|index: usize| scene.world.body_ids()[index]);
    let contact = ContactState {
        id: ContactId { bodies, pieces: [0; 2], features: [0; 2] },
        point: DVec2::ZERO,
        normal: DVec2::Y,
        gap: 0.0,
        friction: 0.0,
        impulse: [f64::INFINITY, f64::NAN],
    };
    scene.world.restore_contacts(vec![contact]).unwrap();
    pull(&mut scene.world, 2, DVec2::ZERO, DVec2::ZERO);
    scene.world.edit_grab(|grab| grab.max_force = f64::INFINITY).unwrap();
    let loaded = Scene::parse(&scene.to_json()).unwrap();
    assert!(loaded.world.contacts().is_empty() && loaded.world.grab().is_none());
}
