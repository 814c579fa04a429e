use driftlab::app::history::Channel;
use driftlab::app::pointer::{Button, Hold};
use driftlab::app::simulation::Simulation;
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use glam::{DVec2, dvec2};
use std::f64::consts::FRAC_PI_2;

fn world(kind: BodyKind, shape: Shape) -> World {
    let mut world = World::new(DVec2::ZERO);
    let placed = Placement { shape, offset: dvec2(1.0, 0.0), angle: FRAC_PI_2 };
    let body = Body::new(kind, dvec2(2.0, 3.0), FRAC_PI_2, vec![placed], MassSpec::default());
    world.add_body(body.expect("a body"));
    world
}

/// Every shape can be picked where it is drawn: inside, and not just outside, of an offset and turned shape of
/// an offset and turned body. The shape stands at (2, 4), turned by 180° in all.
#[test]
fn every_shape_is_picked_where_it_is() {
    let dented = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, -0.2), (-1.0, 1.0)];
    let dented = dented.map(DVec2::from).to_vec();
    for (shape, inside, outside) in [
        (Shape::Circle { radius: 0.5 }, dvec2(0.49, 0.0), dvec2(0.37, 0.37)),
        (Shape::Box { size: dvec2(2.0, 0.2) }, dvec2(-0.99, 0.09), dvec2(0.0, 0.11)),
        (Shape::Ellipse { semi_axes: dvec2(1.0, 0.25) }, dvec2(0.9, 0.0), dvec2(0.9, 0.2)),
        (Shape::Capsule { length: 1.0, radius: 0.25 }, dvec2(0.74, 0.0), dvec2(0.7, 0.2)),
        // Turned by 180°, the dent opens downwards.
        (Shape::Polygon { vertices: dented }, dvec2(0.9, -0.5), dvec2(0.0, -0.5)),
    ] {
        let key = shape.key();
        let world = world(BodyKind::Dynamic, shape);
        let middle = dvec2(2.0, 4.0);
        assert_eq!(world.pick(middle + inside, 0.0), Some(0), "inside the {key}");
        assert_eq!(world.pick(middle + outside, 0.0), None, "outside the {key}");
    }
}

/// Walls are not picked: the mouse could not move them.
#[test]
fn what_stands_still_is_not_picked() {
    let world = world(BodyKind::Fixed, Shape::Circle { radius: 0.5 });
    assert_eq!(world.pick(dvec2(2.0, 4.0), 1.0), None);
}

/// Of bodies one above the other the one on top is picked, which is drawn last; and a body smaller than the
/// cursor is found near it.
#[test]
fn the_topmost_and_the_tiny_are_picked() {
    let mut world = World::new(DVec2::ZERO);
    for radius in [0.5, 0.3, 1e-4] {
        let shapes = vec![Placement::centred(Shape::Circle { radius })];
        let at = if radius < 0.01 { dvec2(5.0, 0.0) } else { DVec2::ZERO };
        let body = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default());
        world.add_body(body.expect("a body"));
    }
    assert_eq!(world.pick(dvec2(0.1, 0.0), 0.0), Some(1));
    assert_eq!(world.pick(dvec2(0.4, 0.0), 0.0), Some(0));
    assert_eq!(world.pick(dvec2(5.05, 0.0), 0.0), None);
    assert_eq!(world.pick(dvec2(5.05, 0.0), 0.1), Some(2));
}

/// Who owns a drag is decided when the button goes down.
#[test]
fn the_press_decides() {
    let world = world(BodyKind::Dynamic, Shape::Circle { radius: 0.5 });
    let middle = dvec2(2.0, 4.0);
    assert!(matches!(Hold::press(Button::Left, &world, middle, 0.0), Hold::Body { index: 0, .. }));
    assert_eq!(Hold::press(Button::Left, &world, DVec2::ZERO, 0.0), Hold::Push);
    assert_eq!(Hold::press(Button::ShiftLeft, &world, middle, 0.0), Hold::Push);
    assert_eq!(Hold::press(Button::Right, &world, middle, 0.0), Hold::View);
    assert_eq!(Hold::press(Button::Middle, &world, middle, 0.0), Hold::View);
}

fn held(playing: bool) -> (Simulation, Hold, DVec2) {
    let mut simulation = Simulation::new(super::scene("six-link-chain"), playing);
    let last = simulation.world.bodies().len() - 1;
    let at = simulation.world.bodies()[last].pose.position;
    let hold = Hold::press(Button::Left, &simulation.world, at, 0.0);
    hold.follow(&mut simulation, at + dvec2(0.0, 0.2));
    (simulation, hold, at)
}

/// While time passes a held body is pulled by the engine's spring, never put: its pose is the engine's.
#[test]
fn a_running_world_is_pulled() {
    let (mut simulation, mut hold, at) = held(true);
    let grab = simulation.world.grab.expect("a grab");
    assert_eq!(grab.target, at + dvec2(0.0, 0.2));
    assert_eq!(simulation.world.bodies()[grab.body].pose.position, at);
    let labels: Vec<_> = simulation.history().marks().map(|mark| mark.label.clone()).collect();
    assert_eq!(labels, ["grab"]);
    hold.release(&mut simulation);
    assert_eq!((hold, simulation.world.grab), (Hold::Free, None));
}

/// While time stands still a held body is moved, and its joints are then violated by as much.
#[test]
fn a_paused_world_is_moved() {
    let (mut simulation, mut hold, at) = held(false);
    assert_eq!(simulation.world.grab, None);
    let last = simulation.world.bodies().len() - 1;
    assert!((simulation.world.bodies()[last].pose.position - at - dvec2(0.0, 0.2)).length() < 1e-12);
    assert!((simulation.report().joint_error - 0.2).abs() < 1e-9);
    hold.release(&mut simulation);
    assert!((simulation.report().joint_error - 0.2).abs() < 1e-9);
}

/// What a person did to the constraints is seen in the plot, where it was done, as one mark for the whole drag.
#[test]
fn a_paused_drag_is_in_the_plot() {
    let (mut simulation, hold, at) = held(false);
    hold.follow(&mut simulation, at + dvec2(0.0, 0.3));
    let shown = simulation.history().decimate(Channel::JointError, [0.0, 1.0], 100);
    assert!(shown.iter().flatten().any(|column| (column.high - 0.3).abs() < 1e-9));
    let labels: Vec<_> = simulation.history().marks().map(|mark| mark.label.clone()).collect();
    assert_eq!(labels, ["moved"]);
}

/// Pausing in the middle of a drag lets go of the spring at once, and playing on takes it up again.
#[test]
fn a_drag_outlives_a_pause() {
    let (mut simulation, hold, at) = held(true);
    simulation.playing = false;
    hold.follow(&mut simulation, at);
    assert_eq!(simulation.world.grab, None);
    simulation.playing = true;
    hold.follow(&mut simulation, at);
    assert!(simulation.world.grab.is_some());
}
