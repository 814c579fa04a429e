//! What a workspace remembers of the steps before spares work and changes no bit.

use super::worlds::{block, disk, ground};
use crate::detect::Random;
use crate::physics::worlds::hinge;
use driftlab::lcp::Solver;
use driftlab::method::Method;
use driftlab::model::nonholonomic::KnifeEdge;
use driftlab::model::{
    Body, BodyId, BodyKind, Joint, MassSpec, Motion, NonholonomicKind, Placement, Repulsion, Shape, Spring,
    World,
};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const SEEDS: u64 = 60;
const STEPS: usize = 60;
const KNIFE: NonholonomicKind =
    NonholonomicKind::KnifeEdge(KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X });

/// A driven platform.
fn platform(motion: Motion) -> Body {
    let shapes = vec![Placement::centred(Shape::Box { size: DVec2::new(1.0, 0.2) })];
    Body::new(BodyKind::Kinematic(motion), DVec2::new(-6.0, 0.5), 0.0, shapes, MassSpec::default()).unwrap()
}

/// Piles that come to rest, some of them, and what may hang, swing, fly or be driven beside them; one world in four has
/// no ground.
fn build(random: &mut Random) -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let base =
        world.add_body(if random.below(4) == 0 { nothing() } else { ground(DVec2::Y, 0.6) }).unwrap();
    for pile in 0..random.below(4) {
        for layer in 0..1 + random.below(3) {
            let at = DVec2::new(2.0 * pile as f64, 0.5 + 1.001 * layer as f64);
            world.add_body(block(DVec2::ONE, at, 0.0, 0.5)).unwrap();
        }
    }
    let mut last = base;
    for link in 0..random.below(5) {
        let x = 10.0 + link as f64;
        let next = world.add_body(block(DVec2::new(1.0, 0.2), DVec2::new(x + 0.5, 6.0), 0.0, 0.5)).unwrap();
        let joint = hinge([last, next], DVec2::new(x, 6.0));
        let joint = match random.below(6) {
            0 => joint.limits(-0.2, 0.2),
            1 => joint.motor(1.0, 5.0),
            _ => joint,
        };
        world.add_joint(joint).unwrap();
        last = next;
    }
    if random.below(3) == 0 {
        let ball = world.add_body(disk(0.3, DVec2::new(-3.0, 4.0), 0.6)).unwrap();
        world.edit_body(ball, |ball| ball.restitution = random.between(0.0, 1.0)).unwrap();
        world.add_spring(Spring::between(base, ball).stiffness(20.0)).unwrap();
    }
    if random.below(5) == 0 {
        world.add_body(platform(Motion::ConstantVelocity)).unwrap();
    }
    world
}

/// A fixed body with nothing to collide with.
fn nothing() -> Body {
    Body::fixed().build().unwrap()
}

fn pick(random: &mut Random, world: &World) -> BodyId {
    world.body_ids()[random.below(world.bodies().len())]
}

/// What a person does between two steps: mostly nothing, so that a pile rests. What the world refuses leaves it as it was.
fn change(random: &mut Random, world: &mut World, method: &mut Method, h: &mut f64) {
    let body = pick(random, world);
    match random.below(60) {
        0 => drop(world.edit_body(body, |body| body.pose.position.y += 1e-3)),
        1 => drop(world.edit_body(body, |body| body.velocity.linear = DVec2::new(0.5, 1.0))),
        2 => drop(world.edit_body(body, |body| body.friction += 0.1)),
        3 => drop(world.edit_body(body, |body| body.velocity.angular = -0.0)),
        4 => drop(world.add_body(block(DVec2::ONE, random.vec2(4.0) + DVec2::new(0.0, 8.0), 0.1, 0.5))),
        5 => drop(world.remove_body(body)),
        6 => {
            let other = pick(random, world);
            drop(world.add_joint(Joint::distance(body, other)));
        }
        7 if !world.joints().is_empty() => {
            drop(world.remove_joint(world.joint_ids()[random.below(world.joints().len())]));
        }
        8 => drop(world.add_nonholonomic([body; 2], KNIFE)),
        9 => {
            let at = random.vec2(1.0);
            drop(world.grab_body(body, at));
            drop(world.edit_grab(|grab| grab.target += DVec2::new(0.1, 0.5)));
        }
        10 | 11 => world.release_grab(),
        12 => {
            let push = Repulsion { center: random.vec2(3.0), radius: 2.0, strength: 20.0 };
            world.set_repulsion(Some(push)).unwrap();
        }
        13 | 14 => world.set_repulsion(None).unwrap(),
        15 => world.set_gravity(DVec2::new(0.0, random.between(-12.0, -8.0))).unwrap(),
        16 => {
            let path = Motion::Sine { center: DVec2::new(-6.0, 0.5), amplitude: DVec2::X, frequency: 0.5 };
            drop(world.add_body(platform(path)));
        }
        17 => *h = [1e-2, 1.0 / 60.0, 1e-3][random.below(3)],
        18 => *method = Method::by_key(TABLE[random.below(TABLE.len())].info().key).unwrap(),
        19 => method.solver = Solver::by_key(["auto", "newton", "pgs"][random.below(3)]).unwrap(),
        20 => {
            let levels = method.stabilizer.info().levels;
            method.level = levels[random.below(levels.len())];
        }
        _ => {}
    }
}

/// Protects the promise that memories are economies: over random worlds with edits between the steps, a workspace that
/// is used all along, one whose caches are switched off and a fresh one come to the same bits of states, reports,
/// impulses and errors in every step. Some of the steps are known before they are made, so that there is something to tell apart.
#[test]
fn caches_on_and_off_give_the_same_bits() {
    let mut hits = 0;
    for seed in 1..=SEEDS {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut world = build(&mut random);
        let mut method = Method::by_key(TABLE[seed as usize % TABLE.len()].info().key).unwrap();
        let mut h = 1.0 / 60.0;
        let (mut used, mut uncached) = (Workspace::default(), Workspace::without_caches());
        for index in 0..STEPS {
            let what = format!("seed {seed}, step {index}, {:?}", method.stabilizer);
            let made = |workspace: &mut Workspace, world: &mut World| {
                let report = step(world, &method, h, workspace);
                let account = report.is_ok().then(|| {
                    let impulses: Vec<_> = workspace.impulses().collect();
                    format!("{impulses:?} {:?}", workspace.momentum_residuals())
                });
                // Formatted, so that −0 is told from 0.
                format!("{report:?} {account:?} {world:?}")
            };
            let (mut twin, mut other) = (world.clone(), world.clone());
            let expected = made(&mut Workspace::default(), &mut twin);
            let off = made(&mut uncached, &mut other);
            let at = off.bytes().zip(expected.bytes()).position(|(a, b)| a != b).unwrap_or_default();
            let about = |text: &str| {
                String::from_utf8_lossy(
                    &text.as_bytes()[at.saturating_sub(300)..(at + 200).min(text.len())],
                )
                .into_owned()
            };
            assert!(off == expected, "{what}: caches off\n{}\n{}", about(&off), about(&expected));
            assert!(!uncached.has_repeated(), "{what}");
            assert_eq!(made(&mut used, &mut world), expected, "{what}: caches on");
            hits += usize::from(used.has_repeated());
            change(&mut random, &mut world, &mut method, &mut h);
        }
    }
    assert!(hits > 10, "only {hits} steps at rest were known");
}
