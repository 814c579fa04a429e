//! Bodies that touch.

use super::*;
use driftlab_engine::model::{Body, BodyBuilder, Filter, Shape};
use driftlab_engine::prelude::DVec2;

fn floor(shape: Shape) -> BodyBuilder {
    Body::fixed().at([0.0, -0.5]).shape(shape).friction(0.6)
}

fn of(categories: u32, mask: u32, group: i32) -> Filter {
    Filter { categories, mask, group }
}

fn slab() -> Shape {
    Shape::rectangle(40.0, 1.0)
}

/// Box2D takes boxes and balls that are thinner than its slop of 5 mm, such as the cards of its own samples: they come to rest on
/// the ground, within the slop.
#[test]
fn thin_cards_lie_on_the_ground() {
    for shape in [Shape::rectangle(0.4, 0.002), Shape::circle(0.002)] {
        let mut world = World::new([0.0, -10.0]);
        world.add_body(floor(slab())).unwrap();
        let card = world.add_body(Body::dynamic().at([0.0, 0.05]).shape(shape).friction(0.6)).unwrap();
        let world = after(&Settings::new(Kind::Box2d), world, H, 120);
        let (y, v) = (world[card].pose.position.y, world[card].velocity.linear.y);
        assert!((y - 0.0015).abs() < 0.005 && v.abs() < 1e-3, "{y} {v}");
    }
}

/// Five boxes stay on one another, on a slab and on a half plane.
#[test]
fn a_stack_stands() {
    for kind in engines() {
        for ground in [slab(), Shape::half_plane([0.0, 1.0], 0.5)] {
            let mut world = World::new([0.0, -10.0]);
            world.add_body(floor(ground)).unwrap();
            let row =
                |row: usize| Body::dynamic().at([0.0, 0.5 + row as f64]).shape(Shape::rectangle(1.0, 1.0));
            let boxes: Vec<_> = (0..5).map(|n| world.add_body(row(n).friction(0.6)).unwrap()).collect();
            let world = after(&Settings::new(kind), world, H, 300);
            for (row, id) in boxes.into_iter().enumerate() {
                let off = world[id].pose.position - DVec2::new(0.0, 0.5 + row as f64);
                assert!(
                    off.length() < 0.02 && world[id].pose.angle.abs() < 0.01,
                    "{} {row} {off}",
                    kind.name()
                );
            }
        }
    }
}

/// A box on a slope of 0.3 rad slides with g (sin β − μ cos β) if μ is smaller than tan β, and stays if it is larger.
#[test]
fn a_box_on_a_slope_slides_or_stays() {
    for kind in engines() {
        for mu in [0.1, 0.6] {
            let mut world = World::new([0.0, -9.81]);
            let down = DVec2::from_angle(-0.3);
            world
                .add_body(Body::fixed().angle(-0.3).shape(Shape::rectangle(100.0, 1.0)).friction(mu))
                .unwrap();
            let cargo =
                Body::dynamic().at(0.75 * down.perp()).angle(-0.3).shape(Shape::rectangle(0.5, 0.5));
            let cargo = world.add_body(cargo.friction(mu)).unwrap();
            let start = world[cargo].pose.position;
            let world = after(&Settings::new(kind), world, H, 120);
            let expected = 2.0 * 9.81 * (0.3_f64.sin() - mu * 0.3_f64.cos()).max(0.0);
            let speed = world[cargo].velocity.linear.dot(down);
            println!("{} μ {mu}: {speed} m/s, theory {expected}", kind.name());
            assert!(
                (speed - expected).abs() < 0.01 * expected.max(0.1),
                "{} {speed} {expected}",
                kind.name()
            );
            if mu > 0.5 {
                assert!((world[cargo].pose.position - start).length() < 0.01, "{}", kind.name());
            }
        }
    }
}

/// Belts carry to the right what lies on top, the floor's as well as the box's own the other way; speeds add.
#[test]
fn belts_carry() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        world.add_body(floor(slab()).surface_speed(1.5)).unwrap();
        let block = |x: f64| Body::dynamic().at([x, 0.25]).shape(Shape::rectangle(1.0, 0.5)).friction(0.6);
        let carried = world.add_body(block(0.0)).unwrap();
        // A belt around the box that runs clockwise drives its lower side to the left, itself to the right.
        let crawler = world.add_body(block(-8.0).surface_speed(0.5)).unwrap();
        let world = after(&Settings::new(kind), world, H, 120);
        let [one, other] = [carried, crawler].map(|id| world[id].velocity.linear.x);
        assert!((one - 1.5).abs() < 1e-3 && (other - 2.0).abs() < 1e-3, "{} {one} {other}", kind.name());
    }
}

/// A ball with e = 0.8 leaves with 0.8 of its speed, up to what the weight does within a step.
#[test]
fn balls_rebound() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(floor(slab()).restitution(0.8)).unwrap();
        let ball = world
            .add_body(Body::dynamic().at([0.0, 2.0]).velocity([0.0, -5.0]).shape(Shape::circle(0.25)))
            .unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        let up = world[ball].velocity.linear.y;
        assert!((up - 4.0).abs() < 1e-3, "{} {up}", kind.name());
    }
}

/// Filters are ours: categories and masks, groups that overrule them, bodies that do not collide, jointed bodies.
#[test]
fn filters_are_ours() {
    use driftlab_engine::model::Joint;
    for kind in engines() {
        for (rule, passes) in
            [("mask", true), ("group", false), ("always", false), ("none", true), ("joint", true)]
        {
            let mut world = World::new([0.0, -10.0]);
            let mut ground = floor(slab());
            let mut ball = Body::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.5));
            match rule {
                "mask" => ball = ball.filter(of(1, 2, 0)),
                "group" => {
                    // Different groups leave it to categories, which pass.
                    ground = ground.filter(of(1, u32::MAX, -3));
                    ball = ball.filter(of(1, u32::MAX, -4));
                }
                "always" => {
                    ground = ground.filter(of(1, u32::MAX, 3));
                    ball = ball.filter(of(1, 2, 3));
                }
                "none" => ball = ball.without_collisions(),
                _ => {}
            }
            let ground = world.add_body(ground).unwrap();
            let ball = world.add_body(ball).unwrap();
            if rule == "joint" {
                world.add_joint(Joint::slider(ground, ball, [0.0, 1.0])).unwrap();
            }
            let world = after(&Settings::new(kind), world, H, 60);
            let y = world[ball].pose.position.y;
            assert_eq!(y < 0.0, passes, "{} {rule} {y}", kind.name());
        }
    }
}
