//! Time per detection: pyramids of boxes on a plane, and ellipses in a heap.

use divan::Bencher;
use driftlab::detect::{Detector, Reach};
use driftlab::model::{Body, BodyKind, Frame, MassSpec, Placement, Shape, World};
use glam::DVec2;

fn main() {
    divan::main();
}

fn pyramid(rows: u32, shape: &Shape) -> World {
    let mut world = World::new(DVec2::ZERO);
    let body = |kind, shape: &Shape, at| {
        Body::new(kind, at, 0.0, vec![Placement::centred(shape.clone())], MassSpec::default())
            .expect("a pyramid's boxes are bodies")
    };
    world
        .add_body(body(BodyKind::Fixed, &Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }, DVec2::ZERO))
        .expect("a body");
    for row in 0..rows {
        for i in 0..rows - row {
            let at = DVec2::new(1.1 * (f64::from(i) + 0.5 * f64::from(row)), 0.5 + f64::from(row));
            world.add_body(body(BodyKind::Dynamic, shape, at)).expect("a body");
        }
    }
    world
}

fn detect(bencher: Bencher, world: &World) {
    let frames: Vec<Frame> = (0..world.bodies().len()).map(|i| world.frame(i)).collect();
    let (mut detector, mut contacts) = (Detector::default(), Vec::new());
    let reach = Reach { distance: 0.01, travel: 0.0 };
    bencher.bench_local(|| detector.detect(world, &frames, &reach, &mut contacts));
}

/// Rows: 20 are 210 boxes, 100 are 5,050.
#[divan::bench(args = [20, 100])]
fn boxes(bencher: Bencher, rows: u32) {
    detect(bencher, &pyramid(rows, &Shape::Box { size: DVec2::ONE }));
}

/// Nearly touching ellipses.
#[divan::bench(args = [20])]
fn ellipses(bencher: Bencher, rows: u32) {
    detect(bencher, &pyramid(rows, &Shape::Ellipse { semi_axes: DVec2::new(0.54, 0.5) }));
}
