//! Time per step along chains of 10 to 10,000 links, scheme by scheme: linear in the number of links.
//!
//! `cargo bench --bench chains` prints a table; the column `median` divided by the number of links is what
//! should stay constant. The reference beside it is the same step with everything but the linear solve
//! (`rows_only`), in the same run. Allocations per step are counted by divan's allocator: none after the
//! first step for the velocity-level schemes.

use divan::{AllocProfiler, Bencher};
use driftlab::constraint::Rows;
use driftlab::method::Method;
use driftlab::model::joint::Hinge;
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::{DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const LINKS: [usize; 4] = [10, 100, 1_000, 10_000];
const TIME_STEP: f64 = 1e-4;
/// Steps before measuring: the pattern is analysed, the buffers are grown, the chain swings.
const WARM_UP: usize = 20;

fn main() {
    divan::main();
}

/// A hanging chain of bars of 0.1 m, plucked sideways at the end.
fn chain(links: usize) -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![], MassSpec::default());
    let mut last = world.add_body(wall.expect("a wall")).expect("a body");
    for link in 0..links {
        let at = DVec2::new(0.0, -0.1 * (link as f64 + 0.5));
        let bar = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
        let bar = Body::new(BodyKind::Dynamic, at, -FRAC_PI_2, bar, MassSpec::default());
        let mut bar = bar.expect("a bar");
        bar.collides = false;
        let next = world.add_body(bar).expect("a body");
        let anchor = if link == 0 { DVec2::ZERO } else { DVec2::new(0.05, 0.0) };
        let hinge = Hinge { anchors: [anchor, DVec2::new(-0.05, 0.0)] };
        world.add_joint(Joint::between([last, next], JointKind::Hinge(hinge))).expect("a hinge");
        last = next;
    }
    world.edit_body(last, |body| body.velocity.linear.x = 1.0).expect("a pluck");
    world
}

fn schemes() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|scheme| scheme.info().key)
}

#[divan::bench(args = schemes(), consts = LINKS)]
fn step_chain<const N: usize>(bencher: Bencher, key: &str) {
    let method = Method::by_key(key).expect("a scheme");
    let (mut world, mut workspace) = (chain(N), Workspace::default());
    for _ in 0..WARM_UP {
        step(&mut world, &method, TIME_STEP, &mut workspace).expect("a step");
    }
    bencher
        .counter(divan::counter::ItemsCount::new(N))
        .bench_local(|| step(&mut world, &method, TIME_STEP, &mut workspace));
}

/// Evaluating g, J and J̇ v alone: the share of a step that is not linear algebra.
#[divan::bench(consts = LINKS)]
fn rows_only<const N: usize>(bencher: Bencher) {
    let world = chain(N);
    let q: Vec<DVec3> = world.bodies().iter().map(|body| body.pose.coordinates()).collect();
    let v: Vec<DVec3> = (0..q.len()).map(|index| world.velocity_of(index)).collect();
    let mut rows = Rows::default();
    bencher.counter(divan::counter::ItemsCount::new(N)).bench_local(|| rows.evaluate(&world, &q, &v));
}
