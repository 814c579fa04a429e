//! The feature `serde` of the engine: what is written is read again to the same bits, and what is invalid is refused
//! with its place.

use driftlab::lcp::Solver;
use driftlab::method::{Level, Method};
use driftlab::model::{Joint, World};
use driftlab::scene::catalogue;
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use serde_json::{Value, json};

/// Every shipped scene, stepped, written and read, is the same world, and continues to the same bits.
#[test]
fn a_world_survives_being_written() {
    let mut scenes = 0;
    for entry in catalogue::entries() {
        let Ok(scene) = entry.scene() else { continue };
        let (mut world, method, h) = (scene.world, scene.settings.method, scene.settings.time_step);
        if world.bodies().len() > 100 {
            continue;
        }
        let mut workspace = Workspace::default();
        for _ in 0..5 {
            step(&mut world, &method, h, &mut workspace).unwrap();
        }
        let text = serde_json::to_string(&world).unwrap();
        let mut read: World = serde_json::from_str(&text).unwrap();
        assert!(read == world, "{}", entry.key);
        step(&mut world, &method, h, &mut Workspace::default()).unwrap();
        step(&mut read, &method, h, &mut Workspace::default()).unwrap();
        assert!(read == world, "{} continues differently", entry.key);
        scenes += 1;
    }
    assert!(scenes > 30, "{scenes}");
}

/// Ids stay valid, those of removed bodies stay unused, and a side of a limit stays open.
#[test]
fn ids_and_open_limits_survive() {
    let mut world = catalogue::find("six-link-chain").unwrap().scene().unwrap().world;
    let ids = world.body_ids().to_vec();
    let hinge = world.add_joint(Joint::hinge(ids[1], ids[3]).limits(-1.0, f64::INFINITY)).unwrap();
    world.remove_body(ids[6]).unwrap();
    let mut read: World = serde_json::from_value(serde_json::to_value(&world).unwrap()).unwrap();
    assert_eq!((read.body_ids(), read[hinge].limits), (&ids[..6], Some([-1.0, f64::INFINITY])));
    let next = read.add_body(read[ids[1]].clone()).unwrap();
    assert!(!ids.contains(&next));
}

/// What is invalid does not become a world: the checks are those of building by hand, and the message has the place.
#[test]
fn an_invalid_world_is_refused_with_its_place() {
    let world = catalogue::find("six-link-chain").unwrap().scene().unwrap().world;
    let refused = |edit: &dyn Fn(&mut Value)| {
        let mut value = serde_json::to_value(&world).unwrap();
        edit(&mut value);
        serde_json::from_value::<World>(value).unwrap_err().to_string()
    };
    let friction = refused(&|value| value["bodies"]["items"][2][1]["friction"] = json!(-1.0));
    assert!(
        friction.starts_with("bodies[2]: friction must be a finite number, 0 or more, not -1"),
        "{friction}"
    );
    let lost = refused(&|value| value["joints"]["items"][1][1]["bodies"] = json!([0, 99]));
    assert!(lost.starts_with("joints[1]: body 99 does not exist"), "{lost}");
    let twice = refused(&|value| value["bodies"]["items"][2][0] = json!(1));
    assert!(twice.starts_with("bodies[2]: numbers must ascend"), "{twice}");
}

/// Every method survives; a scheme that does not exist is refused with what may be meant, and programs in a world with
/// their names.
#[test]
fn methods_survive_and_programs_are_refused() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into()).at_step(1e-2);
        let method = Method { solver: Solver::by_key("pgs").unwrap(), ..method };
        let value = serde_json::to_value(&method).unwrap();
        assert_eq!(serde_json::from_value::<Method>(value).unwrap(), method);
    }
    let mut value = serde_json::to_value(Method::rattle()).unwrap();
    value["level"] = json!("Acceleration");
    assert_eq!(
        serde_json::from_value::<Method>(value.clone()).unwrap_err().to_string(),
        "the scheme 'rattle' has no level 'acceleration'"
    );
    assert_eq!(Method::rattle().level, Level::Velocity);
    value["scheme"]["key"] = json!("ratle");
    assert!(
        serde_json::from_value::<Method>(value).unwrap_err().to_string().contains("did you mean 'rattle'?")
    );
    let mut world = catalogue::find("six-link-chain").unwrap().scene().unwrap().world;
    world.add_force_law(|_, _| {});
    assert_eq!(
        serde_json::to_value(&world).unwrap_err().to_string(),
        "a force law is a program and cannot be written"
    );
}
