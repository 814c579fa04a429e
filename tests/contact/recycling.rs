//! Contacts that `soft` keeps from step to step as Box2D 3.2.0 does: stacks that stand by it, and what the world remembers of
//! them.

use super::worlds::{G, block, ground};
use crate::physics::worlds::{method, run};
use driftlab::model::{Body, Shape, World};
use driftlab::step::{Workspace, step};
use glam::DVec2;
use std::f64::consts::TAU;

const FRAME: f64 = 1.0 / 60.0;

/// Boxes of a metre straight above one another.
fn stack(boxes: usize) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    for index in 0..boxes {
        world.add_body(block(DVec2::ONE, DVec2::new(0.0, 0.5 + index as f64), 0.0, 0.5)).unwrap();
    }
    world
}

/// Planks of 2 m by 0.2 m on a heavy table, each beyond the one below it by `share` of what the ones above it admit.
fn overhang(planks: usize, share: f64) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    let boxed = |at: [f64; 2], mass: f64, height: f64| {
        Body::dynamic().at(at).mass(mass).friction(0.5).shape(Shape::rectangle(2.0, height))
    };
    world.add_body(boxed([-1.0, 0.5], 100.0, 1.0)).unwrap();
    let mut x = -1.0;
    for index in 0..planks {
        x += share / (planks - index) as f64;
        world.add_body(boxed([x, 1.1 + 0.2 * index as f64], 1.0, 0.2)).unwrap();
    }
    world
}

fn sink(world: &World, height: f64) -> f64 {
    height - world.bodies().last().unwrap().pose.position.y
}

/// A stack of n boxes stands, however high. Each of its contacts is two springs of stiffness ω²/K at the corners, K = 2.5/m
/// against the ground, at 60 Hz, and twice that between boxes, at 30 Hz; the one above box i carries n − i weights:
///
/// ```text
/// sink of the top = 1.25 n g/ω₆₀² + Σᵢ 2.5 (n − i) g/ω₃₀²
/// ```
///
/// which is 0.13289 m at 20 boxes, of which Box2D 3.2.0 itself has 0.13287 m after 10 s.
#[test]
fn stacks_stand_and_sink_by_their_springs() {
    for boxes in [5, 10, 15, 20, 25, 30] {
        let mut world = stack(boxes);
        run(&mut world, &method("soft", &[]), FRAME, 600);
        let n = boxes as f64;
        let [fixed, moving] = [60.0, 30.0].map(|hertz: f64| G / (TAU * hertz).powi(2));
        let right = 1.25 * n * fixed + 2.5 * (n * (n - 1.0) / 2.0) * moving;
        let sunk = sink(&world, n - 0.5);
        println!("{boxes} boxes sink by {sunk:.6} m of {right:.6} m");
        assert!((sunk / right - 1.0).abs() < 0.01, "{boxes} boxes: {sunk} m instead of {right} m");
        let aside = world.bodies().iter().map(|body| body.pose.position.x.abs()).fold(0.0, f64::max);
        assert!(aside < 0.15, "{boxes} boxes: {aside} m aside");
    }
}

/// A gap is followed within the step. A disk falls from 1 cm above the ground, less than a frame's way: each of the four
/// substeps admits an approach of φ/h′, so that the one in which it would pass the ground ends there. In the substeps that
/// remain it rests on the contact's spring: sunk by at most g/ω² = 0.07 mm at 60 Hz.
#[test]
fn a_disk_that_falls_within_a_step_ends_on_the_ground() {
    for speed in [0.7, 1.0, 2.0] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        let fallen =
            Body::dynamic().shape(Shape::circle(0.5)).mass(1.0).at([0.0, 0.51]).velocity([0.0, -speed]);
        world.add_body(fallen).unwrap();
        run(&mut world, &method("soft", &[]), FRAME, 1);
        let sunk = sink(&world, 0.5);
        assert!((-1e-12..G / (TAU * 60.0).powi(2)).contains(&sunk), "at {speed} m/s it ends {sunk} m deep");
    }
}

/// Without recycling the same rule topples an overhang of 12 planks, as Box2D 3.2.0 without it does (after 1.7 s); with it they
/// stand, as they do there.
#[test]
fn planks_fall_without_recycling_alone() {
    let fallen = |values: &[(&str, f64)]| {
        let mut world = overhang(12, 0.9);
        run(&mut world, &method("soft", values), FRAME, 600);
        sink(&world, 1.1 + 0.2 * 11.0)
    };
    let (kept, found) = (fallen(&[]), fallen(&[("recycle_distance", 0.0)]));
    println!("12 planks sink by {kept:.5} m, by {found:.5} m without recycling");
    assert!(kept < 0.25, "{kept} m");
    assert!(found > 1.0, "{found} m");
}

/// A step depends on the world alone: a clone in mid-run, with the anchors that it has kept, goes on to the same bits in a
/// workspace of its own.
#[test]
fn a_clone_keeps_the_anchors() {
    let soft = method("soft", &[]);
    let mut world = stack(12);
    let mut workspace = Workspace::default();
    for _ in 0..90 {
        step(&mut world, &soft, FRAME, &mut workspace).unwrap();
    }
    let mut other = world.clone();
    for _ in 0..90 {
        step(&mut world, &soft, FRAME, &mut workspace).unwrap();
        step(&mut other, &soft, FRAME, &mut Workspace::default()).unwrap();
    }
    assert!(world == other);
}

/// Anchors of a body that gets another shape are forgotten: a box at rest that grows by 2 cm on each side, less than the
/// recycling distance, is lifted to its new half height and does not stay in the ground.
#[test]
fn another_shape_gets_other_anchors() {
    let soft = method("soft", &[]);
    let mut world = stack(1);
    run(&mut world, &soft, FRAME, 60);
    let id = world.body_ids()[1];
    let larger = block(DVec2::splat(1.04), DVec2::ZERO, 0.0, 0.5);
    world
        .edit_body(id, |body| {
            let pose = body.pose;
            *body = larger;
            body.pose = pose;
        })
        .unwrap();
    run(&mut world, &soft, FRAME, 300);
    let height = world.bodies()[1].pose.position.y;
    assert!((height - 0.52).abs() < 1e-3, "{height} m");
}
