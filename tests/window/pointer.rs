use driftlab::detect::pick;
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::history::Channel;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::{Button, Hold};
use glam::{DVec2, dvec2};
use std::f64::consts::FRAC_PI_2;

fn world(kind: BodyKind, shape: Shape) -> World {
    let mut world = World::new(DVec2::ZERO);
    let placed = Placement::at(shape, [1.0, 0.0], FRAC_PI_2);
    let body = Body::new(kind, dvec2(2.0, 3.0), FRAC_PI_2, vec![placed], MassSpec::default());
    world.add_body(body.expect("a body")).unwrap();
    world
}

/// Every shape can be picked at a point inside it and not at one just outside, with offset and rotation of both shape and body.
/// The shape is at (2, 4), turned by 180° in total.
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
        (Shape::polygon(dented), dvec2(0.9, -0.5), dvec2(0.0, -0.5)),
    ] {
        let key = shape.key();
        let world = world(BodyKind::Dynamic, shape);
        let middle = dvec2(2.0, 4.0);
        assert_eq!(pick(&world, middle + inside, 0.0), world.id_of(0), "inside the {key}");
        assert_eq!(pick(&world, middle + outside, 0.0), None, "outside the {key}");
    }
}

/// Fixed bodies are not picked, since the mouse cannot move them.
#[test]
fn what_stands_still_is_not_picked() {
    let world = world(BodyKind::Fixed, Shape::Circle { radius: 0.5 });
    assert_eq!(pick(&world, dvec2(2.0, 4.0), 1.0), None);
}

/// Of overlapping bodies the topmost, which is drawn last, is picked, and a body smaller than the cursor is picked near it.
#[test]
fn the_topmost_and_the_tiny_are_picked() {
    let mut world = World::new(DVec2::ZERO);
    for radius in [0.5, 0.3, 1e-4] {
        let shapes = vec![Placement::centred(Shape::Circle { radius })];
        let at = if radius < 0.01 { dvec2(5.0, 0.0) } else { DVec2::ZERO };
        let body = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default());
        world.add_body(body.expect("a body")).unwrap();
    }
    assert_eq!(pick(&world, [0.1, 0.0], 0.0), world.id_of(1));
    assert_eq!(pick(&world, [0.4, 0.0], 0.0), world.id_of(0));
    assert_eq!(pick(&world, [5.05, 0.0], 0.0), None);
    assert_eq!(pick(&world, [5.05, 0.0], 0.1), world.id_of(2));
}

/// Beside a thin body it is that body which is grabbed, not pushed away: at 24 points, whether near its middle or its
/// ends; of two the nearer. Farther from all that moves, and only there, the mouse pushes; what stands still is no body
/// to be grabbed.
#[test]
fn a_press_beside_a_thin_link_grabs_it() {
    let mut world = World::new(DVec2::ZERO);
    for (kind, x) in [(BodyKind::Dynamic, 0.0), (BodyKind::Dynamic, 4.0), (BodyKind::Fixed, -2.0)] {
        let shapes = vec![Placement::centred(Shape::Box { size: dvec2(2.0, 0.02) })];
        let body = Body::new(kind, dvec2(x, 0.0), 0.0, shapes, MassSpec::default());
        world.add_body(body.expect("a body")).unwrap();
    }
    let press = |x: f64, y: f64| match Hold::press(Button::Left, &world, dvec2(x, y), 0.24) {
        Hold::Body { body, .. } => world.index_of(body),
        _ => None,
    };
    assert_eq!([press(0.0, 0.1), press(0.95, -0.1), press(1.2, 0.0)], [Some(0); 3]);
    assert_eq!([press(0.0, 0.24), press(0.0, 0.26)], [Some(0), None]);
    assert_eq!([press(2.9, 0.1), press(2.0, 0.0), press(-2.0, 0.0)], [Some(1), None, None]);
}

/// The press decides what a drag does: the left button holds a body or pushes, with Shift it pushes, the others move the view.
#[test]
fn the_press_decides() {
    let world = world(BodyKind::Dynamic, Shape::Circle { radius: 0.5 });
    let middle = dvec2(2.0, 4.0);
    let at = world.bodies()[0].point_in_body(middle);
    let held = Hold::Body { body: world.body_ids()[0], at };
    assert_eq!(Hold::press(Button::Left, &world, middle, 0.0), held);
    assert_eq!(Hold::press(Button::Left, &world, DVec2::ZERO, 0.0), Hold::Push);
    assert_eq!(Hold::press(Button::ShiftLeft, &world, middle, 0.0), Hold::Push);
    assert_eq!(Hold::press(Button::Right, &world, middle, 0.0), Hold::View);
    assert_eq!(Hold::press(Button::Middle, &world, middle, 0.0), Hold::View);
}

/// The chain whose last body is held and drawn 0.2 m upwards, and where it was held.
fn held(player: Player) -> (Model, DVec2) {
    let mut model = super::model("six-link-chain");
    model.runs.player = player;
    let last = model.run().world().bodies().len() - 1;
    let at = model.run().world().bodies()[last].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + dvec2(0.0, 0.2)));
    (model, at)
}

/// While time passes a held body is pulled by the engine's spring and not moved directly.
#[test]
fn a_running_world_is_pulled() {
    let (mut model, at) = held(Player::new(true));
    let grab = model.run().world().grab().expect("a grab");
    assert_eq!(grab.target, at + dvec2(0.0, 0.2));
    assert_eq!(model.run().world()[grab.body].pose.position, at);
    let labels: Vec<_> = model.run().history().marks().map(|mark| mark.label.clone()).collect();
    assert_eq!(labels, ["grab"]);
    model.apply(Intent::Release);
    assert_eq!((model.hand.hold, model.run().world().grab()), (Hold::Free, None));
}

/// While paused a held body is moved directly, which violates its joints by the same distance.
#[test]
fn a_paused_world_is_moved() {
    let (mut model, at) = held(Player::new(false));
    let world = model.run().world();
    assert_eq!(world.grab(), None);
    let last = world.bodies().len() - 1;
    assert!((world.bodies()[last].pose.position - at - dvec2(0.0, 0.2)).length() < 1e-12);
    assert!((model.run().report().joint_error - 0.2).abs() < 1e-9);
    model.apply(Intent::Release);
    assert!((model.run().report().joint_error - 0.2).abs() < 1e-9);
}

/// Moving a body while paused shows in the plot: the joint error, and one mark for the whole drag.
#[test]
fn a_paused_drag_is_in_the_plot() {
    let (mut model, at) = held(Player::new(false));
    model.apply(Intent::Drag(at + dvec2(0.0, 0.3)));
    let shown = model.run().history().decimate(Channel::JointError, [0.0, 1.0], 100);
    assert!(shown.iter().flatten().any(|column| (column.high - 0.3).abs() < 1e-9));
    let labels: Vec<_> = model.run().history().marks().map(|mark| mark.label.clone()).collect();
    assert_eq!(labels, ["moved"]);
}

/// Pausing during a drag removes the spring at once, and playing on restores it.
#[test]
fn a_drag_outlives_a_pause() {
    let (mut model, at) = held(Player::new(true));
    model.runs.player.playing = false;
    model.apply(Intent::Drag(at));
    assert_eq!(model.run().world().grab(), None);
    model.runs.player.playing = true;
    model.apply(Intent::Drag(at));
    assert!(model.run().world().grab().is_some());
}
