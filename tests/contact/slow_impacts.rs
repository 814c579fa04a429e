//! Slow impacts with restitution: which of them rebound, and that what rests comes to rest.

use super::worlds::{G, block, disk, ground};
use crate::physics::worlds::{WITHIN_A_STEP, id, method, run};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, Spring, World};
use glam::DVec2;

const H: f64 = 1.0 / 60.0;

/// Every scheme that meets its rows within a step, at each of its levels, at the acceleration level with each integrator.
fn methods() -> impl Iterator<Item = (String, Method)> {
    WITHIN_A_STEP.iter().map(|scheme| scheme.info()).flat_map(|info| {
        info.levels.iter().flat_map(|level| {
            let integrators =
                if *level == Level::Velocity { &Integrator::ALL[..1] } else { &Integrator::ALL };
            integrators.iter().map(|integrator| {
                let method = method(info.key, &[]).at_level(*level, *integrator).unwrap();
                (format!("{} at the {} level, {}", info.key, level.key(), integrator.key()), method)
            })
        })
    })
}

fn elastic(mut body: Body, restitution: f64) -> Body {
    body.restitution = restitution;
    body
}

/// Newton's law with e = 1: a ball that slides over frictionless ground against a wall comes back at its own speed,
/// however slow it is beside the speed that gravity gives in a step: 2 g h = 0.33 m/s here. Gravity presses it to the
/// ground and not to the wall.
#[test]
fn slow_elastic_impacts_across_gravity_rebound() {
    for speed in [0.3, 0.01] {
        for (name, method) in methods() {
            let mut world = World::new(DVec2::new(0.0, -G));
            world.add_body(ground(DVec2::Y, 0.0)).unwrap();
            world.add_body(ground(DVec2::NEG_X, 0.0)).unwrap();
            let mut ball = elastic(disk(0.2, DVec2::new(-0.2 - 10.0 * speed * H, 0.2), 0.0), 1.0);
            ball.velocity.linear.x = speed;
            world.add_body(ball).unwrap();
            run(&mut world, &method, H, 40);
            let velocity = world.bodies()[2].velocity.linear;
            assert!(
                (velocity.x + speed).abs() < 1e-9 * speed,
                "{name}: {speed} m/s come back as {velocity}"
            );
        }
    }
}

/// A ball of e = 0.5 between a wall and a spring that presses it there; a heap of disks in a bin; a stack of boxes; and
/// a heavy ball that wedges blocks against a wall, two contacts away from it.
fn pressed_worlds() -> [(&'static str, World); 4] {
    let floor = |world: &mut World| {
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    };
    let wall = |world: &mut World, x: f64, towards: f64| {
        let mut wall = ground(DVec2::new(towards, 0.0), 0.5);
        wall.pose.position.x = x;
        world.add_body(wall).unwrap();
    };
    let mut sprung = World::new(DVec2::ZERO);
    wall(&mut sprung, 0.0, 1.0);
    let mut ball = elastic(disk(0.1, DVec2::new(0.3, 0.0), 0.0), 0.5);
    ball.friction = 0.0;
    sprung.add_body(ball).unwrap();
    let ends = [id(&sprung, 0), id(&sprung, 1)];
    let spring = Spring::between(ends[0], ends[1]).anchors([0.0, 0.0], [0.3, 0.0]);
    sprung.add_spring(spring.stiffness(200.0).damping(1.0).rest_length(0.05)).unwrap();

    let mut heap = World::new(DVec2::new(0.0, -G));
    floor(&mut heap);
    wall(&mut heap, -0.5, 1.0);
    wall(&mut heap, 0.5, -1.0);
    for index in 0..20_usize {
        let place = DVec2::new(
            -0.36 + 0.18 * (index % 5) as f64 + 0.01 * (index / 5) as f64,
            0.1 + 0.2 * (index / 5) as f64,
        );
        heap.add_body(elastic(disk(0.07 + 0.01 * (index % 3) as f64, place, 0.3), 0.5)).unwrap();
    }

    let mut stack = World::new(DVec2::new(0.0, -G));
    floor(&mut stack);
    for index in 0..5_usize {
        let place = DVec2::new(0.01 * (index % 2) as f64, 0.12 + 0.25 * index as f64);
        stack.add_body(elastic(block(DVec2::new(0.3, 0.2), place, 0.0, 0.5), 0.5)).unwrap();
    }

    let mut wedge = World::new(DVec2::new(0.0, -G));
    floor(&mut wedge);
    wall(&mut wedge, -0.3, 1.0);
    wall(&mut wedge, 0.6, -1.0);
    for x in [0.15, 0.45] {
        wedge.add_body(elastic(block(DVec2::splat(0.3), DVec2::new(x, 0.15), 0.0, 0.0), 0.5)).unwrap();
    }
    // Its centre is above the first block's left edge: it drives the blocks to the right.
    wedge.add_body(elastic(disk(0.2, DVec2::new(-0.1, 0.5), 0.0), 0.5)).unwrap();
    [("a spring", sprung), ("a heap", heap), ("a stack", stack), ("a wedge", wedge)]
}

/// What presses bodies together, directly or through others, keeps them from bouncing on it for ever: with e = 0.5 the
/// kinetic energy is gone after 8 s, to rounding, under the schemes that solve the contact problem exactly.
#[test]
fn what_is_pressed_together_comes_to_rest() {
    for key in ["none", "anitescu_hart", "implicit", "post_stabilization", "projection"] {
        for (name, mut world) in pressed_worlds() {
            run(&mut world, &method(key, &[]), H, 480);
            let left = world.kinetic_energy();
            assert!(left < 1e-12, "{key}, {name}: {left:.3e} J");
        }
    }
}
