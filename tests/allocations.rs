//! Steps do not allocate once their workspace has grown: the promise of a hot path without allocation.
//!
//! A crate of its own, because it counts through the global allocator.

use driftlab::detect::{Detector, Reach};
use driftlab::model::joint::Hinge;
use driftlab::model::{
    Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, Softness, Spring, World,
};
use driftlab::stabilizer::{Integrator, Level, Method, TABLE, Workspace};
use driftlab::step::step;
use glam::DVec2;

/// Ten bars in a row, hinged to each other and to a wall, a spring between the wall and the last.
fn chain() -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default()).unwrap();
    let wall = world.add_body(wall);
    let mut last = wall;
    for link in 0..10 {
        let shapes = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
        let at = DVec2::new(0.1 * (f64::from(link) + 0.5), 0.0);
        let bar = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap();
        let next = world.add_body(bar);
        let anchor = if link == 0 { DVec2::ZERO } else { DVec2::new(0.05, 0.0) };
        let hinge = Hinge { anchors: [anchor, DVec2::new(-0.05, 0.0)] };
        world.add_joint(Joint::new([last, next], JointKind::Hinge(hinge))).unwrap();
        last = next;
    }
    let softness = Softness { stiffness: 10.0, damping: 1.0 };
    let spring = Spring { bodies: [wall, last], anchors: [DVec2::ZERO; 2], softness, rest_length: 0.5 };
    world.add_spring(spring).unwrap();
    world
}

/// Under every scheme, level and integrator, and both metrics.
#[test]
fn steps_do_not_allocate() {
    let mut methods: Vec<Method> = TABLE.iter().map(|scheme| Method::new((*scheme).into())).collect();
    for integrator in Integrator::ALL {
        methods.push(Method::by_key("none").unwrap().at_level(Level::Acceleration, integrator).unwrap());
    }
    methods.push(Method::by_key("post_stabilization").unwrap().with("metric", 1.0).unwrap());
    for method in methods {
        let (mut world, mut workspace) = (chain(), Workspace::default());
        let mut advance = |steps: usize| {
            for _ in 0..steps {
                step(&mut world, &method, 1e-3, &mut workspace).unwrap();
            }
        };
        advance(20);
        let counted = allocation_counter::measure(|| advance(200));
        assert_eq!(counted.count_total, 0, "{:?} at {:?}", method.stabilizer, method.level);
    }
}

/// Detection too: a pile of boxes, disks and ellipses on a plane and a line, moved a little between detections.
#[test]
fn detections_do_not_allocate() {
    let mut world = World::new(DVec2::ZERO);
    let plane = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    let line =
        Shape::Polyline { points: vec![DVec2::new(-9.0, 0.1), DVec2::new(0.0, 0.1), DVec2::new(9.0, 0.3)] };
    for shape in [plane, line] {
        let shapes = vec![Placement::centred(shape)];
        world.add_body(Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, shapes, MassSpec::default()).unwrap());
    }
    for i in 0..60 {
        let shape = match i % 3 {
            0 => Shape::Box { size: DVec2::ONE },
            1 => Shape::Circle { radius: 0.5 },
            _ => Shape::Ellipse { semi_axes: DVec2::new(0.7, 0.4) },
        };
        let at = DVec2::new(f64::from(i % 8) - 4.0, 0.5 + f64::from(i / 8));
        let shapes = vec![Placement::centred(shape)];
        world.add_body(Body::new(BodyKind::Dynamic, at, 0.1, shapes, MassSpec::default()).unwrap());
    }
    let mut frames: Vec<_> = (0..world.bodies().len()).map(|i| world.frame(i)).collect();
    let (mut detector, mut contacts) = (Detector::default(), Vec::new());
    let reach = Reach { distance: 0.1, travel: 0.0 };
    let mut advance = |steps: usize| {
        for step in 0..steps {
            for (i, frame) in frames.iter_mut().enumerate().skip(2) {
                frame.position += 1e-3 * DVec2::from_angle((i * 7 + step) as f64);
            }
            detector.detect(&world, &frames, &reach, &mut contacts);
        }
    };
    advance(200);
    let counted = allocation_counter::measure(|| advance(200));
    assert!(!contacts.is_empty());
    assert_eq!(counted.count_total, 0);
}
