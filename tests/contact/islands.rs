//! Islands that several threads solve have the bits of those that one thread solves.

use super::worlds::{block, disk, ground};
use crate::detect::Random;
use driftlab::method::Method;
use driftlab::model::World;
use driftlab::report::StepReport;
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;
use std::sync::Arc;

/// Pyramids of 15 or 21 boxes far apart on one floor, each with friction of its own and struck by a disk from the left.
fn struck_pyramids(random: &mut Random, count: usize) -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    for pile in 0..count {
        let (middle, friction) = (60.0 * pile as f64, random.between(0.2, 0.8));
        let base = 5 + random.below(2);
        for row in 0..base {
            for place in 0..base - row {
                let x = middle + 1.1 * (place as f64 - 0.5 * (base - row - 1) as f64);
                let at = DVec2::new(x, row as f64 + 0.5);
                world.add_body(block(DVec2::ONE, at, 0.0, friction)).unwrap();
            }
        }
        // Just left of the lowest row.
        let place = DVec2::new(middle - 0.55 * base as f64 - 0.6, random.between(0.6, 0.9));
        let mut ball = disk(0.5, place, friction);
        ball.velocity.linear = DVec2::new(random.between(5.0, 15.0), random.between(-1.0, 1.0));
        world.add_body(ball).unwrap();
    }
    world
}

/// The reports and final bits of steps, each formatted so that −0 is told from 0.
fn steps(
    world: &World,
    method: &Method,
    workspace: impl Fn() -> Workspace,
    fresh: bool,
) -> (Vec<StepReport>, String) {
    let (mut world, mut used) = (world.clone(), workspace());
    let mut reports = Vec::new();
    for _ in 0..6 {
        if fresh {
            used = workspace();
        }
        reports.push(step(&mut world, method, 1.0 / 60.0, &mut used).unwrap());
    }
    (reports, format!("{world:?}"))
}

/// Random worlds of eleven struck pyramids, under every scheme: six steps with two and with five threads, with a used
/// and with fresh workspaces, have the reports and the bits of the same steps with one thread.
#[test]
fn threads_change_no_bit() {
    let pools = [1, 2, 5]
        .map(|threads| Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));
    let on = |pool: usize| {
        let pools = pools.clone();
        move || Workspace::default().on_threads_of(pools[pool].clone())
    };
    for (seed, scheme) in (1..).zip(TABLE) {
        let mut method = Method::new((*scheme).into());
        method.contact.active_travel = 1.0;
        let world = struck_pyramids(&mut Random(seed), 11);
        let one = steps(&world, &method, on(0), false);
        let key = scheme.info().key;
        assert!(one.0.iter().any(|report| report.contacts > 480), "{key}: several large islands");
        for (threads, fresh) in [(1, false), (2, false), (2, true)] {
            let several = steps(&world, &method, on(threads), fresh);
            assert_eq!(one.0, several.0, "{key}, pool {threads}, fresh: {fresh}");
            assert_eq!(one.1, several.1, "{key}, pool {threads}, fresh: {fresh}");
        }
    }
}
