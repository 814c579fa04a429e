//! Recordings of small worlds, made by Box2D itself: what the tests convert.

use super::ffi::{Engine, World};
use super::told::{BodyKind, JointKind, Key, Outline};

const H: f32 = 1.0 / 60.0;
const SUBSTEPS: i32 = 4;
const STEPS: usize = 120;
/// Density, friction, restitution.
const PLAIN: [f32; 3] = [1.0, 0.6, 0.0];
const HINGE: JointKind = JointKind::Revolute { limits: None, motor: None, spring: None };

/// Records a world.
pub type Make = fn() -> Vec<u8>;

/// All of them by name.
pub const ALL: [(&str, Make); 8] = [
    ("chain", chain),
    ("stack", stack),
    ("motor", motor),
    ("comings", comings),
    ("joints", joints),
    ("bouncing", bouncing),
    ("sleeping", sleeping),
    ("pushed", pushed),
];

fn record(build: impl FnOnce(&World), mut between: impl FnMut(&World, usize)) -> Vec<u8> {
    let engine = Engine::take();
    let world = engine.world([0.0, -10.0]);
    world.let_sleep(false);
    build(&world);
    let run = |world: &World| {
        for step in 0..STEPS {
            between(world, step);
            world.step(H, SUBSTEPS);
        }
    };
    world.record(run).unwrap_or_default()
}

fn ground(world: &World) -> Key {
    let ground = world.add_body(BodyKind::Static, [0.0, -0.5], 0.0);
    world.add_shape(ground, Outline::Box(20.0, 1.0), PLAIN);
    ground
}

fn hang(world: &World, links: usize) -> Vec<Key> {
    let wall = world.add_body(BodyKind::Static, [0.0, 5.0], 0.0);
    let mut bodies = vec![wall];
    for link in 0..links {
        let body = world.add_body(BodyKind::Dynamic, [0.5 + link as f32, 5.0], 0.0);
        world.add_shape(body, Outline::Capsule(0.8, 0.1), PLAIN);
        let from = if link == 0 { [0.0; 2] } else { [0.5, 0.0] };
        world.add_joint([bodies[link], body], [from, [-0.5, 0.0]], HINGE);
        bodies.push(body);
    }
    bodies
}

/// Six links that fall from the horizontal.
pub fn chain() -> Vec<u8> {
    record(|world| _ = hang(world, 6), |_, _| {})
}

/// Five boxes on one another.
pub fn stack() -> Vec<u8> {
    let build = |world: &World| {
        ground(world);
        for row in 0..5 {
            let body =
                world.add_body(BodyKind::Dynamic, [0.02 * row as f32, 0.55 + 1.05 * row as f32], 0.0);
            world.add_shape(body, Outline::Box(1.0, 1.0), PLAIN);
        }
    };
    record(build, |_, _| {})
}

/// A bar that a motor turns, with a second one that hangs on it between limits.
pub fn motor() -> Vec<u8> {
    let build = |world: &World| {
        let wall = world.add_body(BodyKind::Static, [0.0, 5.0], 0.0);
        let arm = world.add_body(BodyKind::Dynamic, [0.75, 5.0], 0.0);
        world.add_shape(arm, Outline::Box(1.5, 0.2), PLAIN);
        let driven = JointKind::Revolute { limits: None, motor: Some([3.0, 40.0]), spring: None };
        world.add_joint([wall, arm], [[0.0; 2], [-0.75, 0.0]], driven);
        let tip = world.add_body(BodyKind::Dynamic, [2.0, 5.0], 0.3);
        world.add_shape(tip, Outline::Capsule(0.8, 0.1), PLAIN);
        let limited = JointKind::Revolute { limits: Some([-0.5, 0.5]), motor: None, spring: None };
        world.add_joint([arm, tip], [[0.75, 0.0], [-0.5, 0.0]], limited);
        let sled = world.add_body(BodyKind::Dynamic, [0.0, 2.0], 0.0);
        world.add_shape(sled, Outline::Box(0.5, 0.5), PLAIN);
        let slider = JointKind::Prismatic { limits: None, motor: Some([1.0, 30.0]), spring: None };
        world.add_joint([wall, sled], [[0.0, -3.0], [0.0; 2]], slider);
    };
    record(build, |_, _| {})
}

/// Bodies and joints that come and go: every twentieth step one falls in and another one vanishes.
pub fn comings() -> Vec<u8> {
    let mut fallen = Vec::new();
    let mut links = Vec::new();
    let build = |world: &World| {
        ground(world);
    };
    let between = |world: &World, step: usize| {
        if step == 0 {
            links = hang(world, 3);
        }
        if step % 20 == 10 {
            let body = world.add_body(BodyKind::Dynamic, [step as f32 / 40.0 - 2.0, 2.0], 0.2);
            world.add_shape(body, Outline::Circle(0.3), PLAIN);
            fallen.push(body);
        }
        if step % 40 == 39 && !fallen.is_empty() {
            world.remove_body(fallen.remove(0));
        }
        if step == 70 {
            world.remove_body(links[2]);
        }
    };
    record(build, between)
}

/// One joint of every kind, each between a wall and a body that swings.
pub fn joints() -> Vec<u8> {
    let build = |world: &World| {
        let wall = world.add_body(BodyKind::Static, [0.0, 5.0], 0.0);
        let kinds = [
            HINGE,
            JointKind::Prismatic { limits: None, motor: None, spring: None },
            JointKind::Wheel { limits: None, motor: Some([5.0, 3.0]), spring: None },
            JointKind::Distance { length: 0.8, limits: None, motor: false, spring: None },
            JointKind::Weld { linear: [0.0; 2], angular: [0.0; 2] },
            JointKind::Motor,
        ];
        for (place, kind) in kinds.into_iter().enumerate() {
            let x = 3.0 * place as f32;
            let body = world.add_body(BodyKind::Dynamic, [x + 0.8, 5.0], 0.1);
            world.add_shape(body, Outline::Box(0.8, 0.4), PLAIN);
            let own = if matches!(kind, JointKind::Distance { .. }) { [0.0, 0.1] } else { [-0.8, 0.0] };
            world.add_joint([wall, body], [[x, 0.0], own], kind);
            let other = world.add_body(BodyKind::Dynamic, [x + 1.6, 5.0], 0.0);
            world.add_shape(other, Outline::Circle(0.2), PLAIN);
            let from = if matches!(kind, JointKind::Distance { .. }) { [0.4, 0.0] } else { [-0.4, 0.0] };
            world.add_joint([body, other], [[0.4, 0.0], from], kind);
        }
    };
    record(build, |_, _| {})
}

/// Balls that rebound from the ground and from one another.
pub fn bouncing() -> Vec<u8> {
    let build = |world: &World| {
        ground(world);
        for ball in 0..4 {
            let body = world.add_body(BodyKind::Dynamic, [0.1 * ball as f32, 1.0 + 1.2 * ball as f32], 0.0);
            world.add_shape(body, Outline::Circle(0.3), [1.0, 0.4, 0.8]);
        }
    };
    record(build, |_, _| {})
}

/// A stack that falls asleep.
pub fn sleeping() -> Vec<u8> {
    let build = |world: &World| {
        world.let_sleep(true);
        ground(world);
        for row in 0..2 {
            let body = world.add_body(BodyKind::Dynamic, [0.0, 0.5 + row as f32], 0.0);
            world.add_shape(body, Outline::Box(1.0, 1.0), PLAIN);
        }
    };
    record(build, |_, _| {})
}

/// A box on the ground that is hit and pulled.
pub fn pushed() -> Vec<u8> {
    let mut hit = None;
    let build = |world: &World| {
        ground(world);
        let body = world.add_body(BodyKind::Dynamic, [0.0, 0.5], 0.0);
        world.add_shape(body, Outline::Box(1.0, 1.0), PLAIN);
    };
    let between = |world: &World, step: usize| {
        if step == 1 {
            let ball = world.add_body(BodyKind::Dynamic, [-3.0, 2.0], 0.0);
            world.add_shape(ball, Outline::Circle(0.3), PLAIN);
            hit = Some(ball);
        }
        if let Some(ball) = hit {
            let impulse = if step % 30 == 5 { [0.5, 0.2] } else { [0.0; 2] };
            world.push(ball, impulse, [0.3, 0.0]);
        }
    };
    record(build, between)
}
