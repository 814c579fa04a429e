//! What the canvas paints: glowing errors, arrows that leave the bodies in sight, overlays.

use super::panels::window;
use driftlab::app::screen::OnScreen;
use driftlab::model::Shape as Shapes;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::stage::pointer::Button;
use driftlab::workbench::view_state::layers::View;
use egui_kittest::Harness;
use egui_macroquad::egui::epaint::{ClippedShape, PathShape, Vertex};
use egui_macroquad::egui::{Color32, Mesh, Pos2, Shape};
use glam::DVec2;

/// Everything that the last frame painted, lists of shapes taken apart.
fn painted(harness: &Harness<'_, Model>) -> Vec<Shape> {
    fn flat(shape: &Shape, all: &mut Vec<Shape>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| flat(shape, all)),
            shape => all.push(shape.clone()),
        }
    }
    let mut all = Vec::new();
    harness.output().shapes.iter().for_each(|ClippedShape { shape, .. }| flat(shape, &mut all));
    all
}

/// Colour of the textured square about a point of the screen, within a point's breadth.
fn square_at(shapes: &[Shape], at: Pos2) -> Option<Color32> {
    let of = |mesh: &Mesh| {
        let middle = |square: &&[Vertex]| square[0].pos.lerp(square[3].pos, 0.5).distance(at) < 1.0;
        mesh.vertices.chunks_exact(4).find(middle).map(|square| square[0].color)
    };
    shapes.iter().find_map(|shape| if let Shape::Mesh(mesh) = shape { of(mesh) } else { None })
}

/// The chain with its last link moved by `gap` metres, and where the opened joint appears.
fn opened(gap: f64) -> (Harness<'static, Model>, Pos2) {
    let mut model = super::model("six-link-chain");
    let at = model.run().world().bodies()[6].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + DVec2::new(gap, 0.0)));
    model.apply(Intent::Release);
    let harness = window(model);
    let model = harness.state();
    let bodies = model.run().world().bodies();
    let joint = bodies[5].pose.position.midpoint(bodies[6].pose.position);
    let at = model.sight.camera.to_screen(model.canvas(), joint);
    (harness, at)
}

/// A gap of 0.1 mm, a hundredth of a pixel and more, glows; a closed joint and one that is open by rounding do not.
#[test]
fn a_tenth_of_a_millimetre_glows() {
    let glow = |gap: f64| {
        let (harness, at) = opened(gap);
        let shapes = painted(&harness);
        square_at(&shapes, at).map_or(0, |color| color.a())
    };
    assert_eq!([glow(0.0), glow(1e-12)], [0, 0]);
    let [small, larger] = [glow(1e-4), glow(1e-3)];
    assert!(small > 50, "0.1 mm has the opacity {small} of 255");
    assert!(larger > small, "{larger} > {small}");
}

/// Where the tips of the legend's arrows are, points from the canvas's left side.
const LEGEND: f32 = 16.0 + 28.0;

/// Filled triangles on the canvas: heads of arrows, tip first, without those of the legend.
fn heads(harness: &Harness<'_, Model>) -> Vec<Vec<Pos2>> {
    let canvas = harness.state().canvas();
    all_heads(harness).into_iter().filter(|head| (head[0].x - canvas.left() - LEGEND).abs() > 0.1).collect()
}

fn all_heads(harness: &Harness<'_, Model>) -> Vec<Vec<Pos2>> {
    let canvas = harness.state().canvas();
    let shapes = painted(harness);
    let head = |shape: &Shape| match shape {
        Shape::Path(PathShape { points, closed: true, fill, .. })
            if points.len() == 3 && fill.a() > 0 && canvas.contains(points[0]) =>
        {
            Some(points.clone())
        }
        _ => None,
    };
    shapes.iter().filter_map(head).collect()
}

/// Two hundred boxes in a pyramid touch at some seven hundred points: at most a hundred arrows are drawn, and no more
/// cones than a few.
#[test]
fn of_many_arrows_some_are_drawn() {
    let mut model = super::model("pyramid-20");
    model.apply(Command::StepForward);
    model.apply(Command::StepForward);
    let contacts = model.run().world().contacts().len();
    assert!(contacts > 400, "{contacts} contacts");
    let harness = window(model);
    let arrows = heads(&harness).len();
    assert!((30..=100).contains(&arrows), "{arrows} arrows of {contacts} contacts");
}

/// The arrows of an impact, which is far stronger than the weight that gave them their scale, are no longer than one and a half
/// bodies.
#[test]
fn arrows_are_no_longer_than_a_body_and_a_half() {
    let mut model = super::model("box-at-rest");
    for _ in 0..100 {
        model.apply(Command::StepForward);
    }
    let bodies = model.run().world().bodies();
    let body = bodies.iter().rfind(|body| body.is_dynamic()).expect("a box");
    let Shapes::Box { size } = body.shapes()[0].shape else { panic!("not a box") };
    let (at, size) = (body.pose.position, 0.5 * (size.x + size.y));
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + DVec2::new(0.0, 2.0)));
    model.apply(Intent::Release);
    let strikes = |model: &Model| model.run().world().contacts().iter().any(|c| c.impulse[0] > 0.0);
    for _ in 0..500 {
        model.apply(Command::StepForward);
        if strikes(&model) {
            break;
        }
    }
    assert!(strikes(&model), "no impact");
    let harness = window(model);
    let model = harness.state();
    let heads = heads(&harness);
    assert!(!heads.is_empty(), "the impact is drawn");
    for head in heads {
        let tip = model.sight.camera.to_world(model.canvas(), head[0]);
        let contacts = model.run().world().contacts().iter();
        let nearest = contacts.map(|contact| (contact.point - tip).length()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1.5 * size, "an arrow is {nearest} m long, the bodies {size} m");
    }
}

/// The line of the legend that tells the force of a contact's arrow.
fn legend_of_contacts(harness: &Harness<'_, Model>) -> String {
    let texts = painted(harness).into_iter().filter_map(|shape| match shape {
        Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    });
    texts.into_iter().find(|text| text.contains("contact that sticks")).expect("a legend")
}

/// The contacts of a box at rest carry 3433.5 N to within rounding: the legend does not flicker between two roundings of it.
#[test]
fn the_legend_of_a_box_at_rest_stands_still() {
    let mut harness = window(super::model("box-at-rest"));
    let mut lines = std::collections::BTreeSet::new();
    for _ in 0..60 {
        harness.state_mut().apply(Command::StepForward);
        harness.step();
        lines.insert(legend_of_contacts(&harness));
    }
    assert_eq!(lines.len(), 1, "{lines:?}");
}

/// The legend says which force an arrow of its length stands for: the contacts of a box at rest carry its weight, and
/// their arrows are as long as that says.
#[test]
fn the_legend_tells_the_force_of_an_arrow() {
    let mut model = super::model("box-at-rest");
    (0..50).for_each(|_| model.apply(Command::StepForward));
    let (h, contacts) = (model.run().time_step(), model.run().world().contacts().to_vec());
    let harness = window(model);
    let line = legend_of_contacts(&harness);
    let force: f64 = line.split(' ').next().and_then(|number| number.parse().ok()).expect("a force");
    let model = harness.state();
    let heads = heads(&harness);
    assert_eq!(heads.len(), contacts.len(), "an arrow for each contact");
    for head in heads {
        let tip = model.sight.camera.to_world(model.canvas(), head[0]);
        let distance = |point: DVec2| (point - tip).length();
        let nearest = contacts.iter().min_by(|a, b| distance(a.point).total_cmp(&distance(b.point)));
        let contact = nearest.expect("contacts");
        let length = distance(contact.point) * model.sight.camera.scale;
        let expected = 28.0 * contact.impulse[0] / h / force;
        assert!((length / expected - 1.0).abs() < 0.05, "{length} points, {expected} by the legend");
    }
}

/// Every overlay adds something to the picture, and takes it away again.
#[test]
fn overlays_are_painted() {
    let mut model = super::mapped("six-link-chain");
    model.runs.player.playing = true;
    for _ in 0..40 {
        model.advance(1.0 / 60.0);
    }
    model.runs.player.playing = false;
    let mut harness = window(model);
    let plain = harness.state().view;
    let count = |harness: &Harness<'_, Model>| {
        let shapes = painted(harness);
        let vertices = |shape: &Shape| if let Shape::Mesh(mesh) = shape { mesh.vertices.len() } else { 1 };
        shapes.iter().map(vertices).sum::<usize>()
    };
    let before = count(&harness);
    type Switch = fn(&mut View) -> &mut bool;
    let overlays: [(&str, Switch); 4] = [
        ("joint forces", |view| &mut view.joint_forces),
        ("bounding boxes", |view| &mut view.boxes),
        ("trails", |view| &mut view.trails),
        ("outlines", |view| &mut view.outlines),
    ];
    for (name, switch) in overlays {
        let mut view = plain;
        *switch(&mut view) = true;
        harness.state_mut().apply(Intent::View(view));
        harness.step();
        assert!(count(&harness) > before, "{name} adds nothing");
        harness.state_mut().apply(Intent::View(plain));
        harness.step();
        assert_eq!(count(&harness), before, "{name} stays");
    }
}
