//! The tables of docs/PERFORMANCE.md: what a step costs in motion and at rest, scene by scene and scheme by scheme, as Markdown.
//!
//! `cargo bench --bench scenes`, or some rows of it: `cargo bench --bench scenes -- struck`. Each scene runs
//! [`REPEATS`] times from the same state with a fresh workspace. All runs make the same steps, and of each step the
//! shortest time counts, so that other work of the machine is left out.
//!
//! In motion every step from the start on counts. At rest three cases are told apart, since they cost differently: the
//! first step, which knows nothing of an earlier one; a step beside a pendulum that swings near the pile, so that the
//! world has to be stepped and the islands of the pile are recognised; and a step of the pile alone, which ends as it
//! began and is not made again. Times are the processor time of the thread where Linux tells it, else those of a clock.
//! Compare columns of one run.

use driftlab::method::Method;
use driftlab::model::joint::Hinge;
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;
use std::time::Instant;

/// Time step of piles, s.
const FRAME: f64 = 1.0 / 60.0;
/// Time step of chains, s: four steps a frame.
const CHAIN: f64 = FRAME / 4.0;
/// Frames of a scene in motion: three seconds.
const FRAMES: usize = 180;
/// Frames in which a pile comes to rest.
const SETTLING: usize = 60;
/// Runs of each scene.
const REPEATS: usize = 3;
const PILES: [&str; 3] = ["none", "anitescu_hart", "post_stabilization"];
const CHAINS: [&str; 4] = ["none", "anitescu_hart", "projection", "rattle"];

fn main() {
    // Cargo itself passes `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));

    println!("| in motion | scheme | mean, µs | 99 % within, µs | longest, µs |\n|---|---|---:|---:|---:|");
    let piles: [(&str, World); 3] = [
        ("210 boxes, struck at 15 m/s", struck(20)),
        ("200 boxes poured", poured(200)),
        ("500 disks falling into a bin", bin(500)),
    ];
    let chains = [("chain of 6", chain(6)), ("chain of 100", chain(100)), ("chain of 1,000", chain(1_000))];
    for (name, world) in piles.iter().filter(|(name, _)| wanted(name)) {
        PILES.iter().for_each(|key| moving(name, world, key, (FRAMES, FRAME)));
    }
    for (name, world) in chains.iter().filter(|(name, _)| wanted(name)) {
        CHAINS.iter().for_each(|key| moving(name, world, key, (4 * FRAMES, CHAIN)));
    }

    println!(
        "\n| at rest | scheme | first step, µs | beside a pendulum, µs | alone, µs |\n|---|---|---:|---:|---:|"
    );
    let piles: [(&str, World); 6] = [
        ("21 disks at rest", cannonballs()),
        ("stack of 50 at rest", stack(50)),
        ("55 boxes at rest", pyramid(10)),
        ("210 boxes at rest", pyramid(20)),
        ("820 boxes at rest", pyramid(40)),
        ("5,050 boxes at rest", pyramid(100)),
    ];
    for (name, world) in piles.iter().filter(|(name, _)| wanted(name)) {
        PILES.iter().for_each(|key| resting(name, world, key));
    }

    #[cfg(feature = "parallel")]
    if wanted("side by side") {
        println!(
            "\n| side by side, time of a clock | scheme | one thread, µs | two, µs | four, µs |\n|---|---|---:|---:|---:|"
        );
        PILES.iter().for_each(|key| side_by_side(key));
    }
}

/// A row of the table of motion.
fn moving(name: &str, world: &World, key: &str, (steps, h): (usize, f64)) {
    let mut times = shortest(world, key, (steps, h), Workspace::default, now);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let most = times.len() - 1;
    let within = times[(0.99 * most as f64) as usize];
    println!("| {name} | `{key}` | {mean:.1} | {within:.1} | {:.1} |", times[most]);
}

/// A row of the table of rest.
fn resting(name: &str, world: &World, key: &str) {
    let alone = shortest(world, key, (2 * SETTLING, FRAME), Workspace::default, now);
    let beside = shortest(&with_a_pendulum(world), key, (2 * SETTLING, FRAME), Workspace::default, now);
    let settled = |times: &[f64]| {
        let mut settled = times[SETTLING..].to_vec();
        settled.sort_by(f64::total_cmp);
        settled[settled.len() / 2]
    };
    println!("| {name} | `{key}` | {:.1} | {:.2} | {:.2} |", alone[0], settled(&beside), settled(&alone));
}

/// A row of the table of threads: eight pyramids of 55 boxes, each an island of its own, struck at the same time.
#[cfg(feature = "parallel")]
fn side_by_side(key: &str) {
    let mut world = pyramids(8, 10);
    let apart = 1.1 * 10.0 + 5.0;
    (0..8).for_each(|pile| strike(&mut world, [apart * f64::from(pile) - 7.5, 2.5]));
    let mean = |threads: usize| {
        let workspace = || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            Workspace::default().on_threads_of(std::sync::Arc::new(pool))
        };
        let times = shortest(&world, key, (FRAMES, FRAME), workspace, of_a_clock);
        times.iter().sum::<f64>() / times.len() as f64
    };
    println!(
        "| eight struck pyramids of 55 boxes | `{key}` | {:.0} | {:.0} | {:.0} |",
        mean(1),
        mean(2),
        mean(4)
    );
}

/// Of each step of a run the shortest time of [`REPEATS`] runs, µs.
fn shortest(
    start: &World,
    key: &str,
    (steps, h): (usize, f64),
    workspace: impl Fn() -> Workspace,
    now: fn(Instant) -> f64,
) -> Vec<f64> {
    let mut method = Method::by_key(key).expect("a scheme");
    method.contact.active_travel = 1.0;
    let clock = Instant::now();
    let mut shortest = vec![f64::INFINITY; steps];
    for _ in 0..REPEATS {
        let (mut world, mut workspace) = (start.clone(), workspace());
        for time in &mut shortest {
            let before = now(clock);
            step(&mut world, &method, h, &mut workspace).expect("a step");
            *time = time.min(now(clock) - before);
        }
    }
    shortest
}

/// Processor time of this thread, µs since some moment.
#[cfg(target_os = "linux")]
fn now(_: Instant) -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 * 1e-3
}

#[cfg(not(target_os = "linux"))]
fn now(start: Instant) -> f64 {
    of_a_clock(start)
}

/// The time of a clock, µs.
#[cfg(any(feature = "parallel", not(target_os = "linux")))]
fn of_a_clock(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
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

/// A pyramid that a box of five times the mass of its boxes strikes at 15 m/s.
fn struck(base: usize) -> World {
    let mut world = pyramid(base);
    strike(&mut world, [-0.6 * base as f64 - 2.0, 2.5]);
    world
}

fn strike(world: &mut World, at: [f64; 2]) {
    let shapes = vec![Placement::centred(Shape::Box { size: DVec2::ONE })];
    let mass = MassSpec::Density(5_000.0);
    let mut body = Body::new(BodyKind::Dynamic, at.into(), 0.0, shapes, mass).expect("a body");
    body.friction = 0.6;
    body.velocity.linear = DVec2::new(15.0, 2.0);
    world.add_body(body).expect("a body");
}

/// Boxes of unequal size, each turned by another angle, that fall into the bin of the disks.
fn poured(count: usize) -> World {
    let disks = bin(count);
    let mut world = World::new(disks.gravity());
    for body in disks.bodies() {
        match body.shapes() {
            &[Placement { shape: Shape::Circle { radius }, .. }] => {
                let at = body.pose.position;
                let size = [1.6 * radius, radius];
                block(&mut world, BodyKind::Dynamic, size, at.into(), (7.3 * at.x + 3.1 * at.y).sin(), 0.3);
            }
            _ => {
                world.add_body(body.clone()).expect("a body");
            }
        }
    }
    world
}

/// The world with a bar of 1 m that swings from a hinge and touches nothing.
fn with_a_pendulum(world: &World) -> World {
    let mut world = world.clone();
    let right = world.bodies().iter().filter(|body| body.is_dynamic());
    let right = right.map(|body| body.pose.position.x).fold(0.0, f64::max);
    let pivot = DVec2::new(right + 2.5, 3.0);
    let wall = Body::new(BodyKind::Fixed, pivot, 0.0, vec![], MassSpec::default()).expect("a wall");
    let wall = world.add_body(wall).expect("a body");
    let bar = vec![Placement::centred(Shape::Box { size: DVec2::new(1.0, 0.1) })];
    let at = pivot + 0.5 * DVec2::X;
    let mut bar = Body::new(BodyKind::Dynamic, at, 0.0, bar, MassSpec::default()).expect("a bar");
    bar.collides = false;
    let bar = world.add_body(bar).expect("a body");
    let hinge = Hinge { anchors: [DVec2::ZERO, DVec2::new(-0.5, 0.0)] };
    world.add_joint(Joint::between([wall, bar], JointKind::Hinge(hinge))).expect("a hinge");
    world
}
