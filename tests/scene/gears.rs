//! Gears in scene files: the equation that a file states, what is saved, and what is refused.

use super::errors::{push, rejects_edit};
use driftlab::experiment::Run;
use driftlab::model::JointKind;
use driftlab::scene::{Scene, catalogue};
use serde_json::{Value, json};

/// The shipped train of three wheels has the ratios of its radii, θ₂ = −θ₁ r₁/r₂ and θ₃ = θ₁ r₁/r₃, while its motor turns the
/// first by 3 rad/s; what is saved on the way loads to the same text and continues to the same bits, also where the indices of
/// joints are no longer their numbers.
#[test]
fn a_saved_gear_train_continues_to_the_same_bits() {
    let mut scene = catalogue::find("gear-train").expect("shipped").scene().unwrap();
    let first = scene.world.joint_ids()[0];
    // A removed joint: numbers and indices differ from here on.
    let copy = scene.world.joints()[0].clone();
    let spare = scene.world.insert_joint(copy).unwrap();
    let gear = scene.world.add_gear([scene.world.joint_ids()[2], first], 1.5).unwrap();
    scene.world.remove_joint(spare).unwrap();
    scene.world.remove_joint(gear).unwrap();
    scene.world.add_gear([scene.world.joint_ids()[2], first], -2.0 / 3.0).unwrap(); // implied by the other two
    let mut run = Run::new(&scene, 2000);
    (0..1000).for_each(|_| assert!(run.next().unwrap().is_ok()));
    let text = Scene { world: run.world().clone(), ..scene }.to_json();
    let loaded = Scene::parse(&text).unwrap();
    assert_eq!(loaded.to_json(), text);
    let mut again = Run::new(&loaded, 1000);
    for _ in 0..1000 {
        assert!(run.next().unwrap().is_ok() && again.next().unwrap().is_ok());
    }
    let angles = |run: &Run| [1, 2, 3].map(|body| run.world().bodies()[body].pose.angle);
    assert_eq!(angles(&run).map(f64::to_bits), angles(&again).map(f64::to_bits));
    for (angle, exact) in angles(&run).into_iter().zip([6.0, -3.0, 4.0]) {
        assert!((angle - exact).abs() < 1e-12, "{angle} rad, expected {exact}");
    }
}

fn with_gear(gear: Value) -> impl FnOnce(&mut Value) {
    move |scene: &mut Value| {
        push(scene, "joints", json!({ "joint": "hinge", "bodies": ["wall", "slab"], "anchor": [1.5, 0] }));
        push(scene, "joints", gear);
    }
}

/// A gear reads as its equation: x₁ + ρ x₂ = c with c as placed, or as given. The words of other engines are understood.
#[test]
fn a_gear_reads_as_its_equation() {
    let read = |gear: Value| {
        let mut scene = super::sound();
        with_gear(gear)(&mut scene);
        let world = Scene::parse(&scene.to_string()).unwrap().world;
        let JointKind::Gear(gear) = &world.joints()[3].kind else { panic!() };
        assert_eq!(gear.joints(), [world.joint_ids()[0], world.joint_ids()[2]]);
        assert_eq!((world.joints()[3].bodies(), world.joints()[3].further()), ([0, 2], Some([0, 3])));
        [gear.ratio, gear.constant]
    };
    assert_eq!(read(json!({ "joint": "gear", "joints": [0, 2], "ratio": -1.5 })), [-1.5, 0.0]);
    assert_eq!(
        read(json!({ "joint": "gear", "joints": [0, 2], "ratio": 2, "constant": 0.25 })),
        [2.0, 0.25]
    );
}

/// What a gear bears, and that it is broken, is part of the file: saved and loaded it is the same.
#[test]
fn what_a_gear_bears_is_saved() {
    let mut scene = super::sound();
    let bears = json!({ "torque": 2.5 });
    let gear = json!({ "joint": "gear", "joints": [0, 2], "ratio": 2, "breaks_at": bears, "broken": true });
    with_gear(gear)(&mut scene);
    let loaded = Scene::parse(&scene.to_string()).unwrap();
    let again = Scene::parse(&loaded.to_json()).unwrap();
    for world in [&loaded.world, &again.world] {
        let gear = &world.joints()[3];
        assert_eq!((gear.breaking.and_then(|own| own.torque), gear.broken), (Some(2.5), true));
    }
}

/// Each wrong gear is answered with its place and what was expected: nothing is left out silently.
#[test]
fn wrong_gears_are_refused_with_their_place() {
    let wrong = [
        (
            json!({ "joint": "gear", "ratio": 2 }),
            "joints[3].joints: this key is missing (expected two indices of joints)",
        ),
        (
            json!({ "joint": "gear", "joints": [0, 2] }),
            "joints[3].ratio: this key is missing (expected a number other than 0)",
        ),
        (
            json!({ "joint": "gear", "joints": [0, 2], "ratio": 0 }),
            "joints[3].ratio: expected a number other than 0, found 0",
        ),
        (
            json!({ "joint": "gear", "joints": [0, 1], "ratio": 2 }),
            "joints[3].joints[1]: expected the index of a hinge, slider, slot or wheel, found 1, a distance",
        ),
        (
            json!({ "joint": "gear", "joints": [2, 2], "ratio": 2 }),
            "joints[3].joints: expected two different joints, found 2 twice",
        ),
        (
            json!({ "joint": "gear", "joints": [0, 3], "ratio": 2 }),
            "joints[3].joints[1]: expected the index of a joint before this one (an index below 3), found 3",
        ),
        (
            json!({ "joint": "gear", "joints": [0, 2], "ratio": 2, "bodies": ["wall", "link"] }),
            "joints[3].bodies: unknown key (expected breaks_at, broken, constant, joint, joints, ratio)",
        ),
    ];
    for (gear, message) in wrong {
        rejects_edit(with_gear(gear), message);
    }
}
