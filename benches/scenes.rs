//! Time per step of the scenes of docs/PERFORMANCE.md: piles at rest and swinging chains, scheme by scheme.
//!
//! `cargo bench --bench scenes`, or with a filter behind `--`: `cargo bench --bench scenes -- pyramid`. Each scene first runs until
//! it rests (chains: until they swing); then a sample is one step of 1/60 s, of chains one of 1/240 s. A world in which nothing moves
//! repeats its last step without making it (`repeated`); so that steps at rest are measured, a body on a path stands far away from each pile.
//! Times are of the wall clock: run it on an idle machine, and compare columns of one run.

use divan::Bencher;
use driftlab::model::joint::Hinge;
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Motion, Placement, Shape, World};
use driftlab::stabilizer::{Method, Workspace};
use driftlab::step::step;
use glam::DVec2;

/// s.
const FRAME: f64 = 1.0 / 60.0;
/// Steps of a chain in a frame.
const CHAIN_STEPS: f64 = 4.0;
/// Frames in which piles come to rest, the last one those of the bin of disks.
const SETTLING: usize = 30;
const POURING: usize = 720;
/// Schemes of piles and of chains.
const PILES: [&str; 3] = ["none", "anitescu_hart", "post_stabilization"];
const CHAINS: [&str; 4] = ["none", "anitescu_hart", "projection", "rattle"];

fn main() {
    divan::main();
}

fn add(world: &mut World, kind: BodyKind, shape: Shape, (at, angle): (DVec2, f64), friction: f64) {
    let shapes = vec![Placement::centred(shape)];
    let mut body = Body::new(kind, at, angle, shapes, MassSpec::default()).expect("a body");
    body.friction = friction;
    world.add_body(body).expect("a body");
}

fn block(world: &mut World, kind: BodyKind, size: [f64; 2], at: [f64; 2], angle: f64, friction: f64) {
    add(world, kind, Shape::Box { size: size.into() }, (at.into(), angle), friction);
}

fn grounded(half_width: f64, friction: f64) -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    block(&mut world, BodyKind::Fixed, [2.0 * half_width, 2.0], [0.0, -1.0], 0.0, friction);
    world
}

/// Rows of unit boxes, 0.1 m apart.
fn pyramid(base: usize) -> World {
    pyramids(1, base)
}

/// So many of them side by side.
fn pyramids(count: usize, base: usize) -> World {
    let apart = 1.1 * base as f64 + 5.0;
    let mut world = grounded(count as f64 * apart + 10.0, 0.6);
    for pile in 0..count {
        for row in 0..base {
            for place in 0..base - row {
                let x = 1.1 * (place as f64 - 0.5 * (base - row - 1) as f64) + apart * pile as f64;
                block(&mut world, BodyKind::Dynamic, [1.0; 2], [x, row as f64 + 0.5], 0.0, 0.6);
            }
        }
    }
    world
}

fn stack(count: usize) -> World {
    let mut world = grounded(20.0, 0.6);
    for place in 0..count {
        block(&mut world, BodyKind::Dynamic, [1.0; 2], [0.0, place as f64 + 0.5], 0.0, 0.6);
    }
    world
}

/// 21 disks between walls that lean outwards by 30°.
fn cannonballs() -> World {
    let mut world = grounded(20.0, 0.3);
    let tilt = 30_f64.to_radians();
    for side in [1.0, -1.0] {
        let inwards = DVec2::new(-side * tilt.cos(), tilt.sin());
        let at = DVec2::new(2.5 * side, 0.5) - inwards;
        let angle = inwards.y.atan2(inwards.x);
        block(&mut world, BodyKind::Fixed, [1.0, 16.0], at.into(), angle, 0.3);
    }
    for row in 0..6 {
        for place in 0..6 - row {
            let x = f64::from(place) - 0.5 * f64::from(5 - row);
            let at = DVec2::new(x, 0.5 + 0.5 * 3_f64.sqrt() * f64::from(row));
            add(&mut world, BodyKind::Dynamic, Shape::Circle { radius: 0.5 }, (at, 0.0), 0.3);
        }
    }
    world
}

/// Disks of radii from 0.4 to 0.6 m that fall into a bin.
fn bin(count: usize) -> World {
    let columns = (1.1 * (count as f64).sqrt()).ceil() as usize;
    let half = 0.625 * columns as f64 + 0.3;
    let mut world = grounded(half + 4.0, 0.3);
    for side in [-1.0, 1.0] {
        block(&mut world, BodyKind::Fixed, [2.0, 8.0 * half], [side * (half + 1.0), 4.0 * half], 0.0, 0.3);
    }
    let mut bits = 12345_u32;
    let mut random = || {
        // A linear congruence is random enough for radii.
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(bits >> 8) / f64::from(1_u32 << 24)
    };
    for index in 0..count {
        let (row, column) = ((index / columns) as f64, (index % columns) as f64);
        let radius = 0.4 + 0.2 * random();
        let x = 1.25 * (column - 0.5 * (columns as f64 - 1.0)) + 0.02 * (random() - 0.5);
        let at = DVec2::new(x, 0.62 + 1.25 * row);
        add(&mut world, BodyKind::Dynamic, Shape::Circle { radius }, (at, 0.0), 0.3);
    }
    world
}

/// A chain of bars of 0.1 m that begins horizontally.
fn chain(links: usize) -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![], MassSpec::default());
    let mut last = world.add_body(wall.expect("a wall")).expect("a body");
    for link in 0..links {
        let at = DVec2::new(0.1 * (link as f64 + 0.5), 0.0);
        let bar = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
        let mut bar = Body::new(BodyKind::Dynamic, at, 0.0, bar, MassSpec::default()).expect("a bar");
        bar.collides = false;
        let next = world.add_body(bar).expect("a body");
        let anchor = if link == 0 { DVec2::ZERO } else { DVec2::new(0.05, 0.0) };
        let hinge = Hinge { anchors: [anchor, DVec2::new(-0.05, 0.0)] };
        world.add_joint(Joint::between([last, next], JointKind::Hinge(hinge))).expect("a hinge");
        last = next;
    }
    world
}

/// Steps of a pile, made also where nothing in it moves.
fn bench(bencher: Bencher<'_, '_>, world: World, key: &str, length: (usize, f64)) {
    bench_in(Workspace::default(), bencher, with_a_path(world), key, length);
}

/// It with a body on a path far away.
fn with_a_path(mut world: World) -> World {
    let path = BodyKind::Kinematic(Motion::ConstantVelocity);
    let far = Body::new(path, DVec2::new(0.0, 1e4), 0.0, vec![], MassSpec::default());
    world.add_body(far.expect("a body")).expect("a body");
    world
}

fn bench_in(
    mut workspace: Workspace,
    bencher: Bencher<'_, '_>,
    mut world: World,
    key: &str,
    (frames, h): (usize, f64),
) {
    let mut method = Method::by_key(key).expect("a scheme");
    method.contact.active_travel = 1.0;
    for _ in 0..frames {
        step(&mut world, &method, h, &mut workspace).expect("a step");
    }
    bencher.bench_local(|| step(&mut world, &method, h, &mut workspace).expect("a step"));
}

/// Bases: 10 are 55 boxes, 20 are 210, 40 are 820, 100 are 5,050, whose first second this is.
#[divan::bench(args = PILES, consts = [10, 20, 40, 100], max_time = 5)]
fn pyramid_at_rest<const BASE: usize>(bencher: Bencher<'_, '_>, key: &str) {
    bench(bencher, pyramid(BASE), key, (SETTLING, FRAME));
}

/// Eight pyramids of 55 boxes, each an island of its own, by one thread and by several; with the feature `parallel`, which the default has.
#[cfg(feature = "parallel")]
#[divan::bench(args = [1, 2, 4], consts = [0, 1])]
fn pyramids_side_by_side<const SCHEME: usize>(bencher: Bencher<'_, '_>, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let workspace = Workspace::default().on_threads_of(std::sync::Arc::new(pool));
    bench_in(workspace, bencher, with_a_path(pyramids(8, 10)), PILES[SCHEME], (SETTLING, FRAME));
}

/// A pyramid in which nothing moves, alone: its step is recognised as the one before.
#[divan::bench(args = PILES, consts = [20, 40])]
fn repeated<const BASE: usize>(bencher: Bencher<'_, '_>, key: &str) {
    bench_in(Workspace::default(), bencher, pyramid(BASE), key, (SETTLING, FRAME));
}

#[divan::bench(args = PILES)]
fn stack_of_50(bencher: Bencher<'_, '_>, key: &str) {
    bench(bencher, stack(50), key, (SETTLING, FRAME));
}

#[divan::bench(args = PILES)]
fn disks_21(bencher: Bencher<'_, '_>, key: &str) {
    bench(bencher, cannonballs(), key, (SETTLING, FRAME));
}

/// 2,000 take minutes until they have been poured.
#[divan::bench(sample_count = 60, sample_size = 1, consts = [500, 2_000])]
fn disks_in_a_bin<const DISKS: usize>(bencher: Bencher<'_, '_>) {
    bench(bencher, bin(DISKS), "anitescu_hart", (POURING, FRAME));
}

#[divan::bench(args = CHAINS, consts = [100, 1_000, 10_000])]
fn chain_swinging<const LINKS: usize>(bencher: Bencher<'_, '_>, key: &str) {
    bench_in(Workspace::default(), bencher, chain(LINKS), key, (SETTLING, FRAME / CHAIN_STEPS));
}
