//! Energy from nothing: a passive, consistent scene gains no more than the discretisation allows.
//!
//! Bodies that fall by semi-implicit Euler conserve H − ½ h Σ m g·v, and an impact that is taken at the start of its
//! step, at the speed of that time, leaves this as it was (e = 1) or lowers it. So H rises above its start by h Σ m
//! g |v| at most. An impact that is missed until the bodies overlap by h |v|, and a correction of positions that lifts
//! them out again, add m g h |v| once more. A joint that turns at the rate ω leaves its circle by ½ (h ω)² of its
//! length in a step; what takes that back, at the next step's velocity or at once, is h ω of the energy in a radian:
//! the share of h ω that a run of some radians may gain.

use super::rates::rates;
use super::worlds::{G, block, disk, ground};
use crate::detect::Random;
use crate::physics::worlds::{chain, method};
use driftlab::method::{Integrator, Level, Method, Restitution};
use driftlab::model::World;
use driftlab::report::StepError;
use driftlab::scene::{Scene, Settings};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// Largest total energy of a run, J, with its start, the largest h Σ m g |v|, and the largest share h ω.
struct Found {
    start: f64,
    largest: f64,
    falling: f64,
    turning: f64,
    /// Steps in which an impact changed a body's velocity.
    impacts: usize,
}

/// A body whose velocity changes by more than the weight would in so many steps has met something.
const IMPACT_STEPS: f64 = 10.0;

fn found(scene: &Scene, steps: u64) -> Found {
    let Settings { method, time_step, .. } = &scene.settings;
    found_in(&mut scene.world.clone(), method, *time_step, steps).unwrap()
}

fn found_in(world: &mut World, method: &Method, h: f64, steps: u64) -> Result<Found, StepError> {
    let mut workspace = Workspace::default();
    let start = world.kinetic_energy() + world.potential_energy();
    let mut found = Found { start, largest: start, falling: 0.0, turning: 0.0, impacts: 0 };
    let least = IMPACT_STEPS * h * world.gravity().length();
    for _ in 0..steps {
        let before: Vec<_> = world.bodies().iter().map(|body| body.velocity.linear).collect();
        let report = step(world, method, h, &mut workspace)?;
        let mut changes = world.bodies().iter().zip(&before).map(|(body, v)| body.velocity.linear - *v);
        found.impacts += usize::from(changes.any(|change| change.length() > least));
        found.largest = found.largest.max(report.total_energy());
        let (falling, turning) = rates(world);
        found.falling = found.falling.max(h * falling);
        found.turning = found.turning.max(h * turning);
    }
    Ok(found)
}

fn scene(name: &str) -> Scene {
    let path = format!("{}/tests/worlds/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Scene::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Worlds that once gained energy without bound: by Poisson's law, which reflected what pushed a disk out of the ground
/// (×34) and a rod back to its length (0.027 J became 1.6e7 J); by corrections that lifted the corner of a turning body
/// off the ground, so that nothing stopped its fall (×70 and ×2, and ×120 by RATTLE's projection of the start); by
/// static friction of a push-out, which outlived it (×2).
#[test]
fn worlds_that_gained_energy_do_so_no_more() {
    for name in [
        "energy-poisson-implicit-8224",
        "energy-poisson-anitescu_hart-10438",
        "energy-post_stabilization-acceleration-10312",
        "energy-projection-7621",
        "energy-rattle-9137",
        "energy-xpbd-907",
    ] {
        let Found { start, largest, falling, turning, .. } = found(&scene(name), 2000);
        let allowed = start + 2.0 * falling + turning * start;
        assert!(largest <= allowed, "{name}: {start} J became {largest} J, {allowed} J are allowed");
    }
}

/// The pendulum above loses 96 % of its energy in 10 s, all of it to friction: Poisson's e = 1 returns the normal
/// impulse of the compression, and friction, 0.3 where the scene says nothing, takes its work in both phases. Without
/// friction decompression minimises ½ λᵀA λ over λ_n ≥ c_n and returns what compression has taken
/// (`stages/impulses.rs`), so that the energy at the end is that of the start, but for what the discretisation gives or
/// takes: h Σ m g |v| for the fall and again for an impact, and h ω of what swings.
#[test]
fn poisson_loses_energy_to_friction_alone() {
    let path =
        format!("{}/tests/worlds/energy-poisson-anitescu_hart-10438.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let smooth = text.replace("\"restitution\": 1", "\"restitution\": 1, \"friction\": 0");
    assert_ne!(text, smooth);
    let end = |text: &str| {
        let mut world = Scene::parse(text).unwrap().world;
        let scene = Scene::parse(text).unwrap();
        let found = found_in(&mut world, &scene.settings.method, scene.settings.time_step, 2857).unwrap();
        (world.kinetic_energy() + world.potential_energy(), found)
    };
    let (left, Found { start, falling, turning, .. }) = end(&smooth);
    let allowed = 2.0 * falling + turning * start;
    assert!(
        (left - start).abs() < allowed.min(0.1 * start),
        "{start} J became {left} J, ±{allowed} J are allowed"
    );
    let (left, Found { start, .. }) = end(&text);
    assert!(left < 0.05 * start, "{start} J became {left} J");
}

/// What `soft` promises of coupled constraints: no gain where the linearised substep is stable (300 Hz instead of 5990,
/// see the head of soft.rs).
#[test]
fn a_stable_soft_chain_gains_no_energy() {
    let mut scene = scene("energy-soft-5983");
    scene.settings.method = scene.settings.method.with("hertz", 300.0).unwrap();
    let Found { start, largest, falling, .. } = found(&scene, 2000);
    assert!(largest <= start + 2.0 * falling, "{start} J became {largest} J");
}

/// The schemes that solve their steps' problems, and promise that energy stays within the discretisation's bound.
fn exact() -> Vec<(String, Method)> {
    let keys = ["none", "post_stabilization", "anitescu_hart", "implicit", "projection", "rattle"];
    let mut all: Vec<_> = keys.map(|key| (key.to_owned(), method(key, &[]))).into();
    all.push(("baumgarte_velocity".to_owned(), method("baumgarte_velocity", &[])));
    let forces = Level::Acceleration;
    for (key, stabilizer) in
        [("none, forces", "none"), ("post_stabilization, forces", "post_stabilization")]
    {
        let method = method(stabilizer, &[]).at_level(forces, Integrator::SemiImplicitEuler);
        all.push((key.to_owned(), method.unwrap()));
    }
    all
}

/// Four bodies, disks and boxes, that fall onto each other and the ground.
fn pile(random: &mut Random, friction: f64, e: f64) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, friction)).unwrap();
    for level in 0..4 {
        let at = DVec2::new(random.between(-0.05, 0.05), 0.3 + 0.5 * f64::from(level));
        let mut body = if random.below(2) == 0 {
            disk(random.between(0.05, 0.2), at, friction)
        } else {
            let size = DVec2::new(random.between(0.1, 0.3), random.between(0.1, 0.3));
            block(size, at, random.between(-3.0, 3.0), friction)
        };
        body.restitution = e;
        body.velocity.linear = random.vec2(1.0);
        body.velocity.angular = random.between(-3.0, 3.0);
        world.add_body(body).unwrap();
    }
    world
}

/// Random piles under every exact scheme and both laws of impact, all bodies of the same e ≤ 1, never gain more than h
/// Σ m g |v| for the fall and as much for an impact that was missed, once more for each impact if it returns all
/// (e = 1) under a scheme that finds it when it is over: those that correct positions, solve for forces, or take it at
/// the other end (RATTLE). The others have the gap in the row, or stop at the first touch. With friction Newton's law
/// itself may gain energy in an eccentric impact [Kane & Levinson 1985]: there only e = 0 is asked of it.
///
/// Why once more for each impact: a scheme that finds an impact when it is over meets it at a pose that lies up to
/// h |v_n| too deep, behind a fall of h |v_n| that has not happened, whose work m g h |v_n| is in the speed; e = 1
/// returns that speed, and the lift out of the overlap adds m g h |v_n| to the height. At e = 1 nothing takes that
/// back, so that n impacts add up to n (h m g |v| for the fall and as much for the lift), |v| the largest speed. Where
/// e < 1 the impact itself takes (1 − e²) ½ m v_n², which is more than the gain as long as 4 h g < (1 − e²) |v_n|, and
/// the gains do not add up. A row with the gap in it, φ/h, ends the approach at the surface instead, and one that stops
/// at the first touch has no fall behind it.
#[test]
fn piles_gain_no_energy() {
    let mut random = Random(11);
    let mut made = 0;
    for world in 0..12 {
        let e = [0.0, 0.5, 1.0][world % 3];
        for friction in [0.0, 0.5] {
            let pile = pile(&mut random, friction, e);
            for law in Restitution::ALL {
                if law == Restitution::Newton && friction > 0.0 && e > 0.0 {
                    continue;
                }
                for (name, method) in &mut exact() {
                    method.contact.restitution = law;
                    let Ok(found) = found_in(&mut pile.clone(), method, 2e-3, 400) else { continue };
                    made += 1;
                    let share = (found.largest - found.start) / found.falling;
                    let late = !["none", "anitescu_hart", "implicit", "baumgarte_velocity"]
                        .contains(&name.as_str());
                    let again = if late && e == 1.0 { found.impacts as f64 } else { 0.0 };
                    let allowed = 2.0 * (1.0 + again);
                    let what = format!("{name}, {law:?}, e = {e}, µ = {friction}, world {world}");
                    assert!(share < allowed, "{what}: gains {share} h Σ m g |v|, {allowed} are allowed");
                }
            }
        }
    }
    assert!(made > 300, "{made} runs reached their end");
}

/// Chains of up to four bars that swing from the wall under every exact scheme gain at most the share h ω of their
/// energy above the lowest pose, Σ m g y. Post-stabilization at the acceleration level holds J v = 0, so that the force
/// of each step is across the velocity at its start and makes it longer by ½ (ω h)²: there it is the share h ω² t.
#[test]
fn chains_gain_no_energy() {
    for links in 1..=4 {
        for (name, method) in exact() {
            let mut world = chain(links, DVec2::new(0.0, -G));
            let total: f64 = world
                .bodies()
                .iter()
                .filter(|body| body.is_dynamic())
                .map(|body| body.mass_properties().mass)
                .sum();
            let scale = total * G * 0.1 * links as f64;
            let Found { start, largest, turning, .. } = found_in(&mut world, &method, 1e-3, 1000).unwrap();
            let share = (largest - start) / scale;
            let turns = method.level == Level::Acceleration && name.starts_with("post_stabilization");
            let allowed = if turns { turning * turning / 1e-3 } else { turning };
            assert!(
                share < allowed,
                "{name}, {links} links: gains {share} of the energy, {allowed} allowed"
            );
        }
    }
}

/// What XPBD promises (the head of xpbd.rs): the rebound of a single body adds no energy. Disks and boxes that fall
/// onto the ground, turn and slide stay within h Σ m g |v| for the fall and as much for an impact that is found late,
/// of boxes with e = 1, where nothing takes that back, once more for each impact, as in the piles above. With friction
/// and e = 1 Newton's law itself gains energy at the corner of a box: there only disks are asked.
#[test]
fn a_body_under_xpbd_gains_no_energy() {
    let mut random = Random(12);
    let method = method("xpbd", &[]);
    for number in 0..720 {
        let (e, friction) = ([0.0, 0.5, 1.0][number % 3], [0.0, 0.5, 1.5][number / 3 % 3]);
        let is_box = number / 9 % 2 == 1;
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, friction)).unwrap();
        let at = DVec2::new(0.0, random.between(0.3, 0.8));
        let (size, angle) = (random.vec2(0.1), random.between(-3.0, 3.0));
        let mut body = if is_box {
            block(DVec2::splat(0.2) + size, at, angle, friction)
        } else {
            disk(random.between(0.05, 0.2), at, friction)
        };
        body.restitution = e;
        body.velocity.linear = random.vec2(2.0);
        body.velocity.angular = random.between(-10.0, 10.0);
        world.add_body(body).unwrap();
        if is_box && e == 1.0 && friction > 0.0 {
            continue;
        }
        let found = found_in(&mut world, &method, 2e-3, 400).unwrap();
        let share = (found.largest - found.start) / found.falling;
        let again = if is_box && e == 1.0 { found.impacts as f64 } else { 0.0 };
        assert!(
            share < 2.0 * (1.0 + again),
            "{number}, e = {e}, µ = {friction}: gains {share} h Σ m g |v|"
        );
    }
}
