//! Materials, pairs and surfaces of shapes, edited in the window: what they change, undone and saved.

use super::build::{draw, empty, make, toast};
use super::panels::{click, window};
use driftlab::model::{Material, Materials, Mix, Surface, World};
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::materials::{pair_of, without};
use driftlab::workbench::editor::properties::{BODY, STATED};
use driftlab::workbench::editor::{Act, EditorIntent};
use driftlab::workbench::model::Model;
use egui_kittest::kittest::Queryable;
use glam::dvec2;

fn edit(model: &mut Model, edit: Edit) {
    make(model, EditorIntent::Edit(edit));
}

fn wood(friction: f64) -> Material {
    let surface = Surface { density: Some(600.0), friction: Some(friction), ..Surface::default() };
    Material { name: "wood".to_owned(), surface }
}

/// Three boxes of 0.2 m by 0.2 m, the first two of wood, the second with a friction of its own.
fn boxes() -> Model {
    let mut model = empty();
    for x in [0.0, 1.0, 2.0] {
        draw(&mut model, "box", dvec2(x, 0.0), dvec2(x + 0.2, 0.2));
    }
    let materials = Materials { list: vec![wood(0.5)], ..Materials::default() };
    edit(&mut model, Edit::Materials(Box::new(materials), None));
    let ids = model.run().world().body_ids().to_vec();
    edit(&mut model, Edit::MadeOf(ids[0], None, Some(0)));
    edit(&mut model, Edit::MadeOf(ids[1], None, Some(0)));
    let friction = BODY.iter().find(|own| own.parameter.key == "friction").expect("a friction").parameter;
    edit(&mut model, Edit::Set(vec![Item::Body(ids[1])], friction, 0.9));
    model
}

fn frictions(world: &World) -> Vec<f64> {
    world.bodies().iter().map(|body| body.friction).collect()
}

/// A body that is given a material has the mass and the friction that it states. A material that is changed changes what is
/// made of it as the same change of the file would, and leaves alone what a body states itself; all of it is undone.
#[test]
fn a_material_changes_what_is_made_of_it() {
    let mut model = boxes();
    let world = model.run().world();
    let masses: Vec<f64> = world.bodies().iter().map(|body| body.mass_properties().mass).collect();
    for (mass, density) in masses.into_iter().zip([600.0, 600.0, 1000.0]) {
        assert!((mass - 0.04 * density).abs() < 1e-12, "{mass}");
    }
    assert_eq!(frictions(world), [0.5, 0.9, 0.3]);
    let (before, saved) = (world.clone(), model.run().to_scene().to_json());
    assert_eq!(Scene::parse(&saved).expect("a scene").world, before);
    let changed = Materials { list: vec![wood(0.7)], ..Materials::default() };
    edit(&mut model, Edit::Materials(Box::new(changed), None));
    assert_eq!(frictions(model.run().world()), [0.7, 0.9, 0.3], "{}", toast(&model));
    // The reader is the independent judge of what a material means.
    let text = saved.replacen("\"friction\": 0.5", "\"friction\": 0.7", 1);
    assert_ne!(text, saved);
    assert_eq!(&Scene::parse(&text).expect("a scene").world, model.run().world());
    model.apply(Command::Build(Act::Undo));
    assert_eq!(model.run().world(), &before);
    model.apply(Command::Build(Act::Redo));
    assert_eq!(frictions(model.run().world()), [0.7, 0.9, 0.3]);
}

/// A material that is removed goes with its pairs; what was made of it keeps its values, and the others keep their names.
#[test]
fn what_was_made_of_a_removed_material_keeps_its_values() {
    let mut model = boxes();
    let id = model.run().world().body_ids()[2];
    let mut materials = model.run().world().materials().clone();
    let surface = Surface { friction: Some(0.05), restitution: Some(0.4), ..Surface::default() };
    materials.list.push(Material { name: "ice".to_owned(), surface });
    materials.pairs.push(pair_of([0, 1], &Surface { friction: Some(0.02), ..Surface::default() }));
    materials.pairs.push(pair_of([1, 1], &Surface { friction: Some(0.01), ..Surface::default() }));
    materials.friction = Mix::Min;
    edit(&mut model, Edit::Materials(Box::new(materials.clone()), None));
    edit(&mut model, Edit::MadeOf(id, Some(0), Some(1)));
    let world = model.run().world();
    assert_eq!(world.bodies()[2].shapes()[0].surface.restitution, Some(0.4));
    assert_eq!(&Scene::parse(&model.run().to_scene().to_json()).expect("a scene").world, world);
    edit(&mut model, Edit::Materials(Box::new(without(&materials, 0)), Some(0)));
    let world = model.run().world();
    assert_eq!(frictions(world), [0.5, 0.9, 0.3], "{}", toast(&model));
    assert!(world.bodies()[0].material.is_none() && world.materials().friction == Mix::Min);
    assert_eq!(world.bodies()[2].shapes()[0].surface.material, Some(0));
    let pairs: Vec<_> = world.materials().pairs.iter().map(|pair| pair.materials).collect();
    assert_eq!(pairs, [[0, 0]]);
    let saved = model.run().to_scene().to_json();
    assert_eq!(&Scene::parse(&saved).expect("a scene").world, world);
    // A pair of what does not exist is refused, and nothing changes.
    let before = world.clone();
    let wrong =
        Materials { pairs: vec![pair_of([0, 7], &Surface::default())], ..before.materials().clone() };
    edit(&mut model, Edit::Materials(Box::new(wrong), None));
    assert!(toast(&model).starts_with("Not done"), "{}", toast(&model));
    assert_eq!(model.run().world(), &before);
}

/// A shape with a density of its own weighs that times its area: m = Σ ρᵢ Aᵢ.
#[test]
fn a_shape_has_a_density_of_its_own() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(0.0, 0.0), dvec2(0.2, 0.2));
    draw(&mut model, "box", dvec2(0.2, 0.0), dvec2(0.6, 0.2));
    let ids = model.run().world().body_ids().to_vec();
    edit(&mut model, Edit::Join(ids.clone()));
    let density = STATED.iter().find(|own| own.parameter.key == "density").expect("a density");
    let mut surface = model.run().world()[ids[0]].shapes()[1].surface;
    *(density.place)(&mut surface) = Some(3000.0);
    edit(&mut model, Edit::Surface(ids[0], 1, surface));
    let body = &model.run().world()[ids[0]];
    let mass = 0.04 * 1000.0 + 0.08 * 3000.0;
    assert!((body.mass_properties().mass - mass).abs() < 1e-9, "{}", toast(&model));
    // The heavy half is nearer: its share of the distance of 0.3 m between the middles.
    let middle = (0.04 * 1000.0 * 0.1 + 0.08 * 3000.0 * 0.4) / mass;
    assert!((body.pose.position.x - middle).abs() < 1e-9);
    let saved = Scene::parse(&model.run().to_scene().to_json()).expect("a scene");
    assert_eq!(saved.world.bodies(), model.run().world().bodies());
}

/// The panel adds and removes materials and pairs, and switches a value of its own on; each click is a change that is undone.
#[test]
fn the_panel_edits_materials() {
    let mut harness = window(boxes());
    click(&mut harness, "Materials (1)");
    harness.run_steps(20);
    click(&mut harness, "Add a material");
    click(&mut harness, "Add a pair");
    harness.run_steps(4);
    let materials = harness.state().run().world().materials().clone();
    assert_eq!(materials.list.len(), 2, "{}", toast(harness.state()));
    assert_eq!(materials.pairs.iter().map(|pair| pair.materials).collect::<Vec<_>>(), [[0, 1]]);
    click(&mut harness, "material1");
    harness.run_steps(20);
    click(&mut harness, "own restitution e");
    let stated = |model: &Model| model.run().world().materials().list[1].surface.restitution;
    assert_eq!(stated(harness.state()), Some(0.0));
    harness.state_mut().apply(Command::Build(Act::Undo));
    harness.run_steps(2);
    assert_eq!(stated(harness.state()), None);
    click(&mut harness, "Remove this material");
    let world = harness.state().run().world();
    assert!(world.materials().list.len() == 1 && world.materials().pairs.is_empty());
    assert!(harness.query_by_label("Materials (1)").is_some());
}
