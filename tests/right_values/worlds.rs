//! The worlds of the table that no other test builds.

use crate::physics::worlds::GRAVITY;
use driftlab::model::{Body, Shape, World};
use driftlab::scene::Scene;
use glam::DVec2;
use serde_json::Value;
use std::fs;

/// What engines have made of scenes.
const ENGINES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/evidence/engines");

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

/// The world of a scene on which engines have been run.
pub(super) fn of_engines(name: &str) -> World {
    let text = fs::read_to_string(format!("{ENGINES}/scenes/{name}.json")).unwrap();
    Scene::parse(&text).unwrap().world
}

/// Name and first figure on that scene of the engine after which a scheme is named.
pub(super) fn engine(name: &str, scheme: &str) -> (&'static str, f64) {
    let table = fs::read_to_string(format!("{ENGINES}/reference.csv")).unwrap();
    let own = format!("{scheme},{name},");
    let line = table.lines().find(|line| line.starts_with(&own)).unwrap();
    let figure = line.split(',').nth(3).unwrap().parse().unwrap();
    let engine = match scheme {
        "soft" => "Box2D 3.2.0",
        "ngs" => "Box2D 2.4.1",
        other => panic!("no engine of {other} has run {name}"),
    };
    (engine, figure)
}
