//! Worlds of ours, stepped by Box2D and Rapier: against theory, against the engines' own calls, and back to a snapshot.

mod bodies;
mod contacts;
#[cfg(feature = "rapier")]
mod direct;
mod driven;
mod lacking;
mod ledger;
mod random;
mod settings;
mod snapshots;
mod springs;

use driftlab_engine::model::World;
use driftlab_peers::peer::{Kind, Peer, Settings, build};

/// The usual step of games, s.
const H: f64 = 1.0 / 60.0;

/// All engines of this build with their default settings.
fn engines() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| kind.is_built())
}

/// The settings of an engine in one part per step, so that a line has all impulses.
fn of_one_part(kind: Kind) -> Settings {
    let key = match kind {
        Kind::Box2d => "substeps",
        Kind::Rapier => "num_solver_iterations",
    };
    let mut settings = Settings::new(kind);
    settings.set(key, 1.0).unwrap();
    settings
}

/// Makes steps as the program does.
fn advance(peer: &mut dyn Peer, world: &mut World, h: f64, steps: usize) {
    for _ in 0..steps {
        peer.step(world, h).unwrap();
        peer.give(world).unwrap();
        world.set_time(world.time() + h).unwrap();
        world.set_steps(world.steps() + 1);
    }
}

/// A world after so many steps.
fn after(settings: &Settings, mut world: World, h: f64, steps: usize) -> World {
    let mut peer = build(settings, &world, h).unwrap();
    advance(&mut *peer, &mut world, h, steps);
    world
}

/// Poses and velocities, as bits.
fn bits(world: &World) -> Vec<u64> {
    let numbers = world.bodies().iter().flat_map(|body| {
        [body.pose.coordinates().to_array(), body.velocity.coordinates().to_array()].concat()
    });
    numbers.map(f64::to_bits).collect()
}
