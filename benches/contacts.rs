//! Time per step of worlds in contact, and the shares of detection and of the rows.
//!
//! `cargo bench --bench contacts`. What a step costs beyond detection (made twice: before the solve and to measure the
//! result) and the evaluation of the rows is the solve and the sparse bookkeeping around it. `hit` runs through the steps
//! in which a box thrown at 30 m/s strikes the settled pyramid; its slowest sample is the slowest step.

use divan::{Bencher, black_box};
use driftlab::constraint::Touches;
use driftlab::detect::{Detector, Reach};
use driftlab::method::Method;
use driftlab::model::{Body, BodyKind, Frame, MassSpec, Placement, Shape, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const H: f64 = 1.0 / 60.0;

fn main() {
    divan::main();
}

fn body(kind: BodyKind, shape: Shape, at: DVec2) -> Body {
    let shape = vec![Placement::centred(shape)];
    let mut body = Body::new(kind, at, 0.0, shape, MassSpec::default()).expect("a body");
    body.friction = 0.6;
    body
}

fn grounded() -> World {
    let mut world = World::new(DVec2::new(0.0, -10.0));
    let plane = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    world.add_body(body(BodyKind::Fixed, plane, DVec2::ZERO)).expect("a body");
    world
}

/// Rows of unit boxes, a quarter apart; 20 rows are 210 boxes, 800 contact points.
fn pyramid(base: usize) -> World {
    let mut world = grounded();
    for row in 0..base {
        for place in 0..base - row {
            let x = 1.25 * (place as f64 - (base - 1 - row) as f64 / 2.0);
            let at = DVec2::new(x, row as f64 + 0.5);
            world.add_body(body(BodyKind::Dynamic, Shape::Box { size: DVec2::ONE }, at)).expect("a body");
        }
    }
    world
}

/// The pyramid and a heavy box about to strike it.
fn struck(base: usize) -> World {
    let mut world = pyramid(base);
    let left = -0.625 * base as f64;
    let mut thrown = body(BodyKind::Dynamic, Shape::Box { size: DVec2::ONE }, DVec2::new(left - 1.3, 3.2));
    thrown.velocity.linear = DVec2::new(30.0, 0.0);
    world.add_body(thrown).expect("a body");
    world
}

/// 21 disks of radius 3 m between slanted walls, after ten seconds.
fn disks() -> World {
    let mut world = grounded();
    for side in [-1.0, 1.0] {
        let normal = DVec2::new(-side * 1.0_f64.sin(), 1.0_f64.cos());
        let wall = Shape::HalfPlane { normal, offset: -70.0 * 1.0_f64.sin() };
        world.add_body(body(BodyKind::Fixed, wall, DVec2::ZERO)).expect("a body");
    }
    for row in 0..6 {
        for place in 0..6 - row {
            let x = 6.004 * (f64::from(place) - f64::from(5 - row) / 2.0);
            let y = 3.0 + f64::from(row) * (3.0 * 3.0_f64.sqrt() + 0.002);
            world
                .add_body(body(BodyKind::Dynamic, Shape::Circle { radius: 3.0 }, DVec2::new(x, y)))
                .expect("a body");
        }
    }
    world
}

fn method() -> Method {
    let mut method = Method::by_key("anitescu_hart").expect("a scheme");
    method.contact.active_travel = 1.0;
    method
}

fn settled(mut world: World, steps: usize) -> World {
    let mut workspace = Workspace::default();
    for _ in 0..steps {
        step(&mut world, &method(), H, &mut workspace).expect("a step");
    }
    world
}

fn bench_steps(bencher: Bencher<'_, '_>, mut world: World) {
    let (method, mut workspace) = (method(), Workspace::default());
    bencher.bench_local(|| step(&mut world, &method, H, &mut workspace).expect("a step"));
}

#[divan::bench(args = [20, 40])]
fn settled_pyramid(bencher: Bencher<'_, '_>, base: usize) {
    bench_steps(bencher, settled(pyramid(base), 30));
}

#[divan::bench(sample_count = 60, sample_size = 1)]
fn pyramid_hit_by_a_box(bencher: Bencher<'_, '_>) {
    bench_steps(bencher, struck(20));
}

#[divan::bench(sample_count = 400, sample_size = 1)]
fn disks_falling_apart(bencher: Bencher<'_, '_>) {
    bench_steps(bencher, disks());
}

fn frames(world: &World) -> Vec<Frame> {
    (0..world.bodies().len()).map(|index| world.frame(index)).collect()
}

#[divan::bench(args = [20, 40])]
fn share_of_detection(bencher: Bencher<'_, '_>, base: usize) {
    let world = settled(pyramid(base), 30);
    let (frames, mut detector, mut contacts) = (frames(&world), Detector::default(), Vec::new());
    let reach = Reach { distance: 0.01, travel: H };
    bencher.bench_local(|| detector.detect(&world, black_box(&frames), &reach, &mut contacts));
}

#[divan::bench(args = [20, 40])]
fn share_of_the_rows(bencher: Bencher<'_, '_>, base: usize) {
    let world = settled(pyramid(base), 30);
    let (frames, mut contacts, mut touches) = (frames(&world), Vec::new(), Touches::default());
    let v: Vec<_> = (0..frames.len()).map(|index| world.velocity_of(index)).collect();
    Detector::default().detect(&world, &frames, &Reach { distance: 0.01, travel: H }, &mut contacts);
    bencher.bench_local(|| touches.evaluate(&world, black_box(&frames), &contacts, &v));
}
