//! Surfaces, filters, materials and grids of cells in scene files: read, written to the same bits, and refused with their places.

use super::errors::{rejects, rejects_edit};
use super::{edited, sound};
use driftlab::experiment::Run;
use driftlab::model::{Filter, MassSpec, Shape};
use driftlab::scene::{Scene, catalogue};
use glam::DVec2;
use serde_json::{Value, json};

/// A scene with materials, of which bodies and shapes take some and state others.
fn full() -> Value {
    let mut scene = sound();
    scene["materials"] = json!([
        { "name": "steel", "density": 7850, "friction": 0.2, "static_friction": 0.3, "restitution": 0.5,
          "rolling_resistance": 0.001, "surface_speed": 0.25 },
        { "name": "ice", "friction": 0.02 }]);
    scene["material_pairs"] = json!([
        { "materials": ["ice", "steel"], "friction": 0.03, "static_friction": 0.04, "restitution": 0.1, "rolling_resistance": 0 }]);
    scene["combination"] = json!({ "friction": "product", "restitution": "mean" });
    scene["bodies"][1]["surface_speed"] = json!(-1.5);
    scene["bodies"][1]["mask"] = json!(6);
    scene["bodies"][2]["material"] = json!("steel");
    scene["bodies"][2]["friction"] = json!(0.4);
    scene["bodies"][2]["shapes"][0]["material"] = json!("ice");
    scene["bodies"][2]["shapes"][0]["density"] = json!(900);
    scene["bodies"][2]["shapes"][0]["mask"] = json!(2);
    scene["bodies"][2]["categories"] = json!(4);
    scene["bodies"][3]["fixed_rotation"] = json!(true);
    scene["bodies"][3]["rolling_resistance"] = json!(0.01);
    scene
}

/// Protects files: what a body or shape takes of its material and what it states itself are read as they say, and a save loads to
/// the same world.
#[test]
fn surfaces_are_read_and_written() {
    let scene = Scene::parse(&full().to_string()).unwrap();
    let (world, link) = (&scene.world, &scene.world.bodies()[2]);
    assert_eq!(world.bodies()[1].mask, 6);
    assert_eq!((link.material, link.friction, link.static_friction), (Some(0), 0.4, None));
    assert_eq!((link.restitution, link.rolling_resistance, link.surface_speed), (0.5, 0.001, 0.25));
    assert_eq!(link.mass_spec(), MassSpec::Density(7850.0));
    let [ice, plain] = [0, 1].map(|shape| link.shapes()[shape].surface);
    assert!(plain.is_plain());
    assert_eq!((ice.material, ice.friction, ice.density), (Some(1), Some(0.02), Some(900.0)));
    assert_eq!(ice.filter, Some(Filter { categories: 4, mask: 2, group: 0 }));
    assert!(world.bodies()[3].fixed_rotation);
    let again = Scene::parse(&scene.to_json()).unwrap();
    assert!(again.world == *world && again.to_json() == scene.to_json());
    let keys: Value = serde_json::from_str(&scene.to_json()).unwrap();
    assert!(keys["bodies"][2].get("restitution").is_none(), "what the material says is not said again");
}

/// Protects users: what is wrong with surfaces, filters and materials is said in one line each, with path and what was expected.
#[test]
fn wrong_surfaces_are_named() {
    let refuses = |edit: fn(&mut Value), line: &str| {
        let mut scene = full();
        edit(&mut scene);
        rejects(&scene.to_string(), &[line]);
    };
    refuses(
        |s| s["bodies"][2]["material"] = json!("steal"),
        "bodies[2].material: no material is named 'steal' (did you mean 'steel'?)",
    );
    refuses(
        |s| s["materials"][1]["friction"] = json!(-1),
        "materials[1].friction: expected a number, 0 or more, found -1",
    );
    refuses(
        |s| s["materials"][0]["static_friction"] = json!(0.1),
        "materials[0].static_friction: expected at least the friction, 0.2, found 0.1",
    );
    refuses(
        |s| s["material_pairs"][0]["materials"] = json!(["ice", "wood"]),
        "material_pairs[0].materials[1]: no material is named 'wood'",
    );
    refuses(
        |s| {
            let pair = s["material_pairs"][0].clone();
            super::errors::push(s, "material_pairs", pair);
        },
        "material_pairs[1].materials: an earlier element has the same pair (expected each pair once)",
    );
    refuses(
        |s| s["combination"]["friction"] = json!("sum"),
        "combination.friction: expected a rule of combination: mean, geometric, min, max, product, found \"sum\"",
    );
    refuses(
        |s| s["bodies"][1]["categories"] = json!(-1),
        "bodies[1].categories: expected a whole number from 0 to 4294967295, found -1",
    );
    rejects_edit(
        |s| s["bodies"][2]["rolling_resistance"] = json!(-0.1),
        "bodies[2].rolling_resistance: expected a number, 0 or more, found -0.1",
    );
    rejects_edit(
        |s| s["bodies"][1]["surface_speed"] = json!("fast"),
        "bodies[1].surface_speed: expected a number, found \"fast\"",
    );
    rejects_edit(
        |s| {
            s["bodies"][2]["fixed_rotation"] = json!(true);
            s["bodies"][2]["angular_velocity"] = json!(1);
        },
        "bodies[2].angular_velocity: expected 0: the body has a fixed rotation",
    );
    rejects_edit(
        |s| {
            s["bodies"][2]["mass"] = json!(1);
            s["bodies"][2]["shapes"][0]["density"] = json!(5);
        },
        "bodies[2].shapes[0].density: expected no density of a shape where the body's mass is given",
    );
}

/// A grid's boxes cover its full cells and nothing else: of an L of three cells of 0.5 m, each by its middle, and the area is 3
/// · 0.25. Texts and arrays mean the same, the first row is the topmost, and the shape's origin is the lower left corner.
#[test]
fn a_grid_is_its_full_cells() {
    let with = |rows: Value| {
        let text = edited(|s| {
            s["bodies"][1]["shapes"] =
                json!([{ "shape": "grid", "cell": 0.5, "rows": rows, "offset": [2, 0] }])
        });
        Scene::parse(&text).unwrap()
    };
    let scene = with(json!(["#..", "##."]));
    let shapes = scene.world.bodies()[1].shapes();
    let covers = |x: f64, y: f64| {
        shapes.iter().any(|placed| match placed.shape {
            Shape::Box { size } => {
                let apart = (DVec2::new(x, y) - placed.offset).abs();
                apart.x < 0.5 * size.x && apart.y < 0.5 * size.y
            }
            _ => false,
        })
    };
    let cells = [(2.25, 0.25), (2.75, 0.25), (2.25, 0.75), (2.75, 0.75), (3.25, 0.25)];
    assert_eq!(cells.map(|(x, y)| covers(x, y)), [true, true, true, false, false]);
    assert_eq!(shapes.iter().map(|placed| placed.moments().area).sum::<f64>(), 0.75);
    assert!(with(json!([[1, 0, 0], [true, 1, false]])).world == scene.world);
    rejects_edit(
        |s| s["bodies"][1]["shapes"] = json!([{ "shape": "grid", "cell": 0.5, "rows": ["#x"] }]),
        "bodies[1].shapes[0].rows[0]: expected full cells '#' or '1' and empty ones '.', '0' or ' '",
    );
    rejects_edit(
        |s| s["bodies"][1]["shapes"] = json!([{ "shape": "grid", "cell": 0.5, "rows": ["..", "."] }]),
        "bodies[1].shapes[0].rows: expected a grid with a full cell",
    );
    rejects_edit(
        |s| s["bodies"][1]["shapes"] = json!([{ "shape": "grid", "cell": 0, "rows": ["#"] }]),
        "bodies[1].shapes[0].cell: expected a number greater than 0, found 0",
    );
}

/// Over the steps and holes of a grid of cells a box slides without friction as over one floor: at 7 m/s for 1 s it keeps its
/// speed to rounding, though it crosses edges between boxes of every height.
#[test]
fn nothing_trips_over_the_cells_of_a_grid() {
    let rows = [
        "################################",
        "#.##..###.#.####.##.#..###.##..#",
        "################################",
    ];
    for stabilizer in ["none", "anitescu_hart", "post_stabilization", "rattle", "ngs", "soft", "xpbd"] {
        let text = edited(|s| {
            s["settings"] = json!({ "time_step": 0.002, "stabilizer": { "kind": stabilizer } });
            s["joints"] = json!([]);
            s["bodies"] = json!([
                { "name": "level", "type": "fixed", "position": [0, -0.9], "friction": 0,
                  "shapes": [{ "shape": "grid", "cell": 0.3, "rows": rows }] },
                { "name": "box", "position": [0.5, 0.1], "velocity": [7, 0], "friction": 0,
                  "shapes": [{ "shape": "box", "size": [0.2, 0.2] }] }]);
            s.as_object_mut().unwrap().remove("springs");
        });
        let scene = Scene::parse(&text).unwrap();
        let mut run = Run::under(&scene, scene.settings.method.clone(), 500);
        run.by_ref().for_each(|report| assert!(report.is_ok(), "{stabilizer}: {report:?}"));
        let velocity = run.world().bodies()[1].velocity;
        // The contacts of these two give way, and lean with the box.
        let lean = if ["soft", "xpbd"].contains(&stabilizer) { 1e-6 } else { 1e-9 };
        assert!((velocity.linear.x - 7.0).abs() < lean, "{stabilizer}: {velocity:?}");
    }
}

/// The shipped scenes of surfaces end as their references say, by Newton and Coulomb, under every scheme that they are run with
/// here.
#[test]
fn the_scenes_of_surfaces_end_as_computed_by_hand() {
    let ramp = |friction: f64, start: f64| start + 9.81 * (0.35_f64.sin() - friction * 0.35_f64.cos());
    // Areas of 0.25 m² at 600 and 900 kg/m².
    let sliding = 0.5 * 150.0 * ramp(0.3, 1.0).powi(2) + 0.5 * 225.0 * ramp(0.03, 0.0).powi(2);
    for (key, expected) in [("conveyor", 6.5), ("rolling-resistance", 0.0), ("materials", sliding)] {
        let scene = catalogue::find(key).unwrap().scene().unwrap();
        let steps = (scene.settings.duration.unwrap() / scene.settings.time_step).round() as u64;
        let mut run = Run::new(&scene, steps);
        let last = run.by_ref().map(Result::unwrap).last().unwrap();
        let wrong = (last.kinetic_energy - expected).abs();
        assert!(wrong <= 1e-5 * expected + 1e-12, "{key}: {} J instead of {expected}", last.kinetic_energy);
        assert_eq!(scene.references.len(), 1);
    }
}
