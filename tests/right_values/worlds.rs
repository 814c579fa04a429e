//! The worlds of the table that no other test builds.

use crate::physics::worlds::GRAVITY;
use driftlab::experiment::engines::{Case, cases};
use driftlab::model::{Body, Shape, World};
use driftlab::scene::Scene;
use glam::DVec2;
use serde_json::Value;

/// Fall of the box below, m.
pub(super) const FALL: f64 = 0.05;

/// A box of 2 m by 0.4 m, turned by 3 mrad, above the edge of a table from which a slope leads down. The ground is the polyline
/// of its surface, or the solid polygon below.
pub(super) fn edge_of_a_table(is_solid: bool) -> World {
    let surface = [[-6.0, 0.0], [0.0, 0.0], [2.0, -2.0]].map(DVec2::from);
    let below = [[2.0, -9.0], [-6.0, -9.0]].map(DVec2::from);
    let solid = surface.into_iter().chain(below);
    let shape = if is_solid { Shape::polygon(solid) } else { Shape::polyline(surface) };
    let mut world = World::new(GRAVITY);
    world.add_body(Body::fixed().shape(shape).friction(0.3)).unwrap();
    let body = Body::dynamic().at([-0.5, 0.2 + FALL]).angle(0.003).shape(Shape::rectangle(2.0, 0.4));
    world.add_body(body.mass(10.0).friction(0.3)).unwrap();
    world
}

/// The world of a scene.
pub(super) fn of(scene: &Value) -> World {
    Scene::parse(&scene.to_string()).unwrap().world
}

fn case(name: &str, scheme: Option<&str>) -> Case {
    let is_wanted = |case: &Case| case.scene == name && scheme.is_none_or(|key| case.engine.scheme == key);
    cases().unwrap().into_iter().find(is_wanted).unwrap()
}

/// The world of a scene on which engines have been run.
pub(super) fn of_engines(name: &str) -> World {
    case(name, None).scene().unwrap().world
}

/// Name and first figure on that scene of the engine after which a scheme is named.
pub(super) fn engine(name: &str, scheme: &str) -> (&'static str, f64) {
    let case = case(name, Some(scheme));
    (case.engine.name, case.rows[0].theirs)
}
