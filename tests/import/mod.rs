//! Scenes of other programs: each format by small files of its own, with values from its documentation.

mod algodoo;
mod box2d;
#[cfg(feature = "app")]
mod command;
mod hostile;
mod mjcf;

use driftlab::import::{Imported, import};
use driftlab::model::{Body, Joint, World};
use driftlab::prelude::{Method, Workspace, step};

/// What became of a text.
fn converted(text: &str) -> Imported {
    import(text.as_bytes(), None).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The body of that name.
fn body<'w>(world: &'w World, name: &str) -> &'w Body {
    world.bodies().iter().find(|body| body.name == name).unwrap_or_else(|| panic!("no body '{name}'"))
}

fn joint(world: &World, index: usize) -> &Joint {
    &world.joints()[index]
}

/// Whether a line of what is left out names this place and says this.
fn says(imported: &Imported, place: &str, what: &str) -> bool {
    imported.left_out.iter().any(|line| line.path.starts_with(place) && line.message.contains(what))
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a} and not {b}");
}

/// Runs a scene for 2 s as it says, and returns its world.
fn after_two_seconds(imported: &Imported) -> World {
    let settings = &imported.scene.settings;
    let (mut world, mut workspace) = (imported.scene.world.clone(), Workspace::default());
    assert_eq!(settings.method.stabilizer, Method::post_stabilization().stabilizer);
    for _ in 0..(2.0 / settings.time_step).round() as usize {
        step(&mut world, &settings.method, settings.time_step, &mut workspace).expect("a step");
    }
    assert!(world.bodies().iter().all(|body| body.pose.position.is_finite()));
    world
}
