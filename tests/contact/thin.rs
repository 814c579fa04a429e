//! Heaps of thin bodies, which a step's fall could close whose gap is far beyond the contact tolerance.

use super::worlds::{G, block, ground};
use crate::physics::worlds::method;
use driftlab::model::World;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// Six cards of 0.4 m × 2 mm that fall on one another.
fn cards(places: [[f64; 3]; 6]) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.7)).unwrap();
    for [x, y, angle] in places {
        world.add_body(block(DVec2::new(0.4, 0.002), DVec2::new(x, y), angle, 0.7)).unwrap();
    }
    world
}

/// A heap of cards lies still, in few microseconds a step: a correction that pushes one card opens contacts beside it,
/// and what falls through them within a step, g h² = 0.17 mm, has to be found there, or it overlaps, is pushed out and
/// opens others for ever. The contact tolerance is 0.2 μm.
#[test]
fn thin_cards_come_to_rest() {
    let heaps = [
        [
            [0.088, 0.05, 0.386],
            [-0.004, 0.17, -0.286],
            [-0.15, 0.29, 0.195],
            [-0.009, 0.41, 0.312],
            [-0.038, 0.53, 0.324],
            [-0.068, 0.65, 0.362],
        ],
        [
            [0.077, 0.05, -0.012],
            [-0.035, 0.17, -0.102],
            [-0.069, 0.29, -0.317],
            [0.007, 0.41, 0.242],
            [0.088, 0.53, -0.088],
            [0.137, 0.65, -0.43],
        ],
    ];
    for key in ["post_stabilization", "projection"] {
        for heap in heaps {
            let (mut world, mut workspace) = (cards(heap), Workspace::default());
            let method = method(key, &[]);
            let mut before: f64 = 0.0;
            for made in 0..1920 {
                let report = step(&mut world, &method, 1.0 / 240.0, &mut workspace).unwrap();
                if made >= 1680 {
                    before = before.max(report.contact_error_before.unwrap_or(f64::NAN));
                }
            }
            // In the last second.
            assert!(before < 1e-9, "{key}: {before:.3e} m are pushed out in a step");
            assert!(world.kinetic_energy() < 1e-12, "{key}: {:.3e} J", world.kinetic_energy());
        }
    }
}
