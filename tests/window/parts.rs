//! What a body is made of and hangs on: ends of rods and springs, corners, bodies joined and split, copies that hang on
//! the ground.

use super::build::{draw, empty, make, toast};
use super::drawn::lines;
use super::panels::window;
use driftlab::app::screen::OnScreen;
use driftlab::model::{BodyId, World};
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::{self, Item};
use driftlab::workbench::editor::shapes::corners;
use driftlab::workbench::editor::snap::Snap;
use driftlab::workbench::editor::{Act, EditorIntent, Handle};
use driftlab::workbench::model::{Model, Request};
use egui_macroquad::egui::Pos2;
use glam::{DVec2, dvec2};

/// Takes a handle of the selection from one point to another, without snapping.
fn take(model: &mut Model, handle: Handle, from: DVec2, to: DVec2) {
    let snap = Snap { grid: 0.0, reach: 0.01 };
    make(model, EditorIntent::Hold { handle, at: from });
    make(model, EditorIntent::Drag { to: 0.5 * (from + to), snap });
    make(model, EditorIntent::Drag { to, snap });
    make(model, EditorIntent::Release);
}

fn id(model: &Model, index: usize) -> BodyId {
    model.run().world().body_ids()[index]
}

fn moments(world: &World) -> [f64; 5] {
    let moving = || world.bodies().iter().filter(|body| body.is_dynamic());
    let mass: f64 = moving().map(|body| body.mass_properties().mass).sum();
    let first: DVec2 = moving().map(|body| body.mass_properties().mass * body.pose.position).sum();
    let second: f64 = moving()
        .map(|body| {
            let own = body.mass_properties();
            own.inertia + own.mass * body.pose.position.length_squared()
        })
        .sum();
    let linear: DVec2 = moving().map(|body| body.mass_properties().mass * body.velocity.linear).sum();
    [mass, first.x, second, linear.y, world.angular_momentum()]
}

/// The end of a rod goes to another body, or beside all of them to the ground; the rod closes there, and undoing brings
/// the first one back.
#[test]
fn the_end_of_a_rod_goes_to_another_body() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-0.2, -0.2), dvec2(0.2, 0.2));
    draw(&mut model, "box", dvec2(1.8, -0.2), dvec2(2.2, 0.2));
    draw(&mut model, "box", dvec2(-0.2, 1.8), dvec2(0.2, 2.2));
    for (tool, length) in [("distance", 2.0), ("spring", 2.0)] {
        draw(&mut model, tool, dvec2(0.0, 0.0), dvec2(2.0, 0.0));
        let [rod] = model.build.selection[..] else { panic!("{tool}: {:?}", model.build.selection) };
        assert_eq!(item::ends(model.run().world(), rod), Some([0, 1]));
        let before = model.run().world().clone();
        take(&mut model, Handle::End(1), dvec2(2.0, 0.0), dvec2(0.1, 2.0));
        let world = model.run().world();
        let [rod] = model.build.selection[..] else { panic!("{tool}: {:?}", model.build.selection) };
        assert_eq!(item::ends(world, rod), Some([0, 2]), "{tool}: {}", toast(&model));
        assert!(item::places(world, rod)[1].distance(dvec2(0.1, 2.0)) < 1e-12);
        assert!(world.joint_error() < 1e-12, "{tool}: the rod has the length between its ends");
        if let Item::Spring(id) = rod {
            assert_eq!(world.spring(id).expect("a spring").rest_length, length, "a spring is stretched");
        }
        model.apply(Command::Build(Act::Undo));
        assert_eq!(model.run().world(), &before, "{tool}: the stroke is one change");
    }
    // The end that stays decides what is possible: the same body twice is none.
    let rod = Item::Joint(model.run().world().joint_ids()[0]);
    make(&mut model, EditorIntent::Select(vec![rod]));
    take(&mut model, Handle::End(1), dvec2(2.0, 0.0), dvec2(0.1, 0.1));
    assert_eq!(item::ends(model.run().world(), rod), Some([0, 1]));
    // Beside all bodies it hangs on the one that stands still.
    draw(&mut model, "half_plane", dvec2(-2.0, -1.0), dvec2(2.0, -1.0));
    make(&mut model, EditorIntent::Select(vec![rod]));
    take(&mut model, Handle::End(1), dvec2(2.0, 0.0), dvec2(1.0, 1.0));
    let [rod] = model.build.selection[..] else { panic!("{:?}", model.build.selection) };
    assert_eq!(item::ends(model.run().world(), rod), Some([0, 3]));
}

/// A corner of a polygon moves alone: the other corners and what hangs on the body stay where they are, and the mass
/// follows the shape.
#[test]
fn a_corner_moves_alone() {
    let mut model = empty();
    draw(&mut model, "polygon", dvec2(0.0, 0.0), dvec2(1.0, 1.0));
    draw(&mut model, "hinge", dvec2(0.7, 0.3), dvec2(0.7, 0.3));
    let polygon = id(&model, 0);
    make(&mut model, EditorIntent::Select(vec![Item::Body(polygon)]));
    let places: Vec<_> = corners(&model.run().world()[polygon]).collect();
    let (corner, at) = places[1];
    let area = |model: &Model| model.run().world()[polygon].shapes()[0].shape.moments().area;
    let before = area(&model);
    take(&mut model, Handle::Corner(corner), at, at + dvec2(0.5, -0.5));
    let world = model.run().world();
    for ((number, was), (_, is)) in places.iter().zip(corners(&world[polygon])) {
        let by = if *number == corner { dvec2(0.5, -0.5) } else { DVec2::ZERO };
        assert!((is - *was - by).length() < 1e-12, "{number:?}: {was} to {is}");
    }
    assert!(area(&model) > 1.2 * before);
    let mass = world[polygon].mass_properties().mass;
    assert!((mass - 1000.0 * area(&model)).abs() < 1e-9 * mass);
    assert!(world.joint_error() < 1e-12, "the hinge is closed");
    let hinge = Item::Joint(world.joint_ids()[0]);
    assert!(item::places(world, hinge)[1].distance(dvec2(0.7, 0.3)) < 1e-12);
    assert_eq!(model.runs.undo.done().len(), 3);
}

/// Bodies that are joined have the mass, the centre of mass, the inertia and both momenta that they had together; their
/// joints hold on, but for those between them. Split again they are as many bodies in the same places.
#[test]
fn joined_bodies_keep_mass_and_momentum() {
    for given in [false, true] {
        let mut model = empty();
        draw(&mut model, "box", dvec2(0.0, 0.0), dvec2(1.0, 0.2));
        draw(&mut model, "circle", dvec2(1.2, 0.1), dvec2(1.4, 0.1));
        draw(&mut model, "hinge", dvec2(1.0, 0.1), dvec2(1.0, 0.1));
        draw(&mut model, "hinge", dvec2(0.05, 0.1), dvec2(0.05, 0.1));
        draw(&mut model, "throw", dvec2(1.2, 0.1), dvec2(1.2, 0.5));
        let all = [id(&model, 0), id(&model, 1)];
        make(&mut model, EditorIntent::Edit(Edit::Shift(vec![(all[1], dvec2(0.0, 0.0).extend(0.4))])));
        if given {
            let mass = driftlab::workbench::editor::properties::BODY
                .iter()
                .find(|own| own.parameter.key == "mass");
            let mass = mass.expect("a mass").parameter;
            make(&mut model, EditorIntent::Edit(Edit::Set(vec![Item::Body(all[0])], mass, 3.0)));
        }
        let (before, joints) = (moments(model.run().world()), model.run().world().joints().len());
        let parts = model.run().world().clone();
        make(&mut model, EditorIntent::Edit(Edit::Join(all.to_vec())));
        let world = model.run().world();
        assert_eq!(world.joints().len(), joints - 1, "{}", toast(&model));
        assert_eq!(world[all[0]].shapes().len(), 2);
        let now = moments(world);
        for (which, (was, is)) in before.iter().zip(now).enumerate() {
            // A scene file cannot say where the centre of mass of given masses is: it is that of the shapes.
            if !given || matches!(which, 0 | 3) {
                assert!((was - is).abs() <= 1e-12 * was.abs().max(1.0), "{which}: {was} to {is}");
            }
        }
        assert!(world.joint_error() < 1e-12);
        let still = item::places(world, Item::Joint(world.joint_ids()[0]));
        assert!(still[1].distance(dvec2(0.05, 0.1)) < 1e-12, "{still:?}");
        make(&mut model, EditorIntent::Edit(Edit::Split(all[0])));
        let world = model.run().world();
        let moving = || world.bodies().iter().filter(|body| body.is_dynamic());
        assert_eq!(moving().count(), 2);
        assert_eq!(model.build.selection.len(), 2, "both parts are selected");
        for (was, is) in parts.bodies().iter().filter(|body| body.is_dynamic()).zip(moving()) {
            assert!((was.pose.position - is.pose.position).length() < 1e-12);
        }
        assert!(world.joint_error() < 1e-12);
        (0..2).for_each(|_| model.apply(Command::Build(Act::Undo)));
        assert_eq!(model.run().world(), &parts);
    }
    // What moves and what stands still are no body together.
    let mut model = empty();
    draw(&mut model, "box", dvec2(0.0, 0.0), dvec2(1.0, 0.2));
    draw(&mut model, "half_plane", dvec2(-2.0, -1.0), dvec2(2.0, -1.0));
    let both = model.run().world().body_ids().to_vec();
    make(&mut model, EditorIntent::Edit(Edit::Join(both)));
    assert!(toast(&model).contains("no body together"), "{}", toast(&model));
}

/// A body that is moved takes along what is selected with it: a pendulum with its hinge stays closed, its anchor on the
/// ground moves.
#[test]
fn a_hinge_that_is_selected_moves_along() {
    let mut model = empty();
    draw(&mut model, "half_plane", dvec2(-2.0, -1.0), dvec2(2.0, -1.0));
    draw(&mut model, "box", dvec2(0.0, 0.0), dvec2(1.0, 0.2));
    draw(&mut model, "hinge", dvec2(0.0, 0.1), dvec2(0.0, 0.1));
    let hinge = Item::Joint(model.run().world().joint_ids()[0]);
    let by = dvec2(0.3, 0.4);
    let items = vec![Item::Body(id(&model, 1)), hinge];
    make(&mut model, EditorIntent::Edit(Edit::Move(items, by)));
    let world = model.run().world();
    assert!(world.joint_error() < 1e-12);
    let places = item::places(world, hinge);
    assert!(places.iter().all(|at| at.distance(dvec2(0.3, 0.5)) < 1e-12), "{places:?}");
}

/// A copy of a pendulum hangs on the ground as the first one does; pasted where there is no such ground, it brings it along.
#[test]
fn copies_hang_on_the_ground() {
    let mut model = empty();
    draw(&mut model, "half_plane", dvec2(-2.0, -1.0), dvec2(2.0, -1.0));
    draw(&mut model, "box", dvec2(0.0, 0.0), dvec2(1.0, 0.2));
    draw(&mut model, "hinge", dvec2(0.0, 0.1), dvec2(0.0, 0.1));
    draw(&mut model, "spring", dvec2(1.0, 0.1), dvec2(1.0, 2.0));
    let pendulum = id(&model, 1);
    make(&mut model, EditorIntent::Select(vec![Item::Body(pendulum)]));
    model.apply(Command::Build(Act::Duplicate));
    let world = model.run().world();
    assert_eq!((world.bodies().len(), world.joints().len(), world.springs().len()), (3, 2, 2));
    assert!(world.joint_error() < 1e-12, "{}", world.joint_error());
    let [first, copy] = [0, 1].map(|index: usize| {
        let hinge = Item::Joint(world.joint_ids()[index]);
        (item::ends(world, hinge).expect("two bodies"), item::places(world, hinge)[0])
    });
    assert_eq!((first.0, copy.0), ([0, 1], [0, 2]), "both hang on the same ground");
    let by = world.bodies()[2].pose.position - world.bodies()[1].pose.position;
    assert!((copy.1 - first.1 - by).length() < 1e-12 && by.length() > 0.1);

    make(&mut model, EditorIntent::Select(vec![Item::Body(pendulum)]));
    model.apply(Command::Build(Act::Copy));
    assert!(toast(&model).starts_with("Copied 1 bod"), "{}", toast(&model));
    let Some(Request::Copy(text)) = model.news.requests.pop() else { panic!("nothing copied") };
    assert!(text.contains("\"hang_on\""), "{text}");
    let mut other = empty();
    make(&mut other, EditorIntent::Paste(text.clone()));
    let world = other.run().world();
    assert_eq!((world.bodies().len(), world.joints().len(), world.springs().len()), (2, 1, 1));
    make(&mut other, EditorIntent::Paste(text.replace("\"hang_on\": [\"", "\"hang_on\": [\"no ")));
    let refusal = other.news.refusal.as_ref().expect("a refusal");
    assert!(
        refusal.problems.iter().any(|problem| problem.contains("stands still")),
        "{:?}",
        refusal.problems
    );
}

/// A rod is drawn from end to end, also where it hangs on bodies near their centres of mass.
#[test]
fn a_rod_between_centres_is_drawn() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-0.2, -0.2), dvec2(0.2, 0.2));
    draw(&mut model, "box", dvec2(1.8, -0.2), dvec2(2.2, 0.2));
    draw(&mut model, "distance", dvec2(0.002, 0.0), dvec2(2.0, 0.001));
    make(&mut model, EditorIntent::Select(Vec::new()));
    let mut harness = window(model);
    harness.run_steps(3);
    let model = harness.state();
    let ends =
        [dvec2(0.002, 0.0), dvec2(2.0, 0.001)].map(|at| model.sight.camera.to_screen(model.canvas(), at));
    let is_it = |line: &[Pos2; 2]| line.iter().zip(ends).all(|(one, end)| one.distance(end) < 0.5);
    assert!(lines(&harness).iter().any(is_it), "no line between {ends:?}");
}
