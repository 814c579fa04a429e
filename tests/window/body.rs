//! The selected body: what selects it, and the forces that its card lists.

use super::panels::window;
use driftlab::app::screen::OnScreen;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::{Intent, Selected};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::force_balance::{Source, sum};
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::stage::pointer::Button;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use glam::{DVec2, DVec3};

/// Largest error by rounding, relative to the largest force on the body.
const ROUNDING: f64 = 1e-9;

/// Every force on every body of `key` adds up to m a, and its moments to I α, over several steps of every scheme.
#[track_caller]
fn forces_add_up(key: &str, prepare: impl Fn(&mut Model), sources: &[Source]) {
    let mut tried = 0;
    for (index, scheme) in TABLE.iter().enumerate() {
        let mut model = super::model(key);
        model.apply(Setting::Scheme(index));
        prepare(&mut model);
        for _ in 0..8 {
            model.apply(Command::StepForward);
            let run = model.run();
            let Some(account) = run.account() else { break };
            tried += 1;
            let mut seen = Vec::new();
            for body in (0..run.world().bodies().len()).filter(|i| run.world().bodies()[*i].is_dynamic()) {
                let forces = account.forces(run.world(), body);
                seen.extend(forces.iter().map(|force| force.source));
                let inertial = account.inertial_force(body);
                let size = forces.iter().fold(inertial.abs(), |size, force| size.max(force.value.abs()));
                let most =
                    ROUNDING * DVec3::new(size.x.max(size.y), size.x.max(size.y), size.max_element());
                let left = sum(&forces) - inertial;
                let scheme = scheme.info().name;
                assert!(
                    left.abs().cmple(most).all(),
                    "{key} under {scheme}, body {body}: {left} of {size}"
                );
                // Independent of the account: the weight is m g, and v of a body at rest does not change.
                let weight = forces.iter().find(|force| force.source == Source::Weight).expect("a weight");
                let mass = run.world().bodies()[body].mass_properties().mass;
                assert_eq!(weight.value, (mass * run.world().gravity()).extend(0.0));
            }
            for source in sources {
                assert!(seen.contains(source), "{key}: no force of {source:?} among {seen:?}");
            }
        }
    }
    assert!(tried > 8 * 8, "only {tried} steps of {key}");
}

/// The links of a chain.
#[test]
fn the_forces_on_a_link_add_up_to_its_acceleration() {
    let joints = super::model("six-link-chain").run().world().joint_ids().to_vec();
    let sources = [Source::Weight, Source::Joint(joints[0]), Source::Joint(joints[3])];
    forces_add_up("six-link-chain", |_| {}, &sources);
}

/// A box that rests on the ground: its contacts carry its weight.
#[test]
fn the_forces_on_a_box_on_the_floor_add_up() {
    // Contacts of `mujoco` bear once they overlap, in the second step.
    let begun = |model: &mut Model| model.apply(Command::StepForward);
    forces_add_up("box-at-rest", begun, &[Source::Weight, Source::Contact]);
    let mut model = super::model("box-at-rest");
    for _ in 0..20 {
        model.apply(Command::StepForward);
    }
    let world = model.run().world();
    let body = world.bodies().iter().position(|body| body.is_dynamic()).expect("a box");
    let forces = model.run().account().expect("a step").forces(world, body);
    let carried: DVec3 =
        forces.iter().filter(|force| force.source == Source::Contact).map(|force| force.value).sum();
    let weight = world.bodies()[body].mass_properties().mass * world.gravity().length();
    assert!((carried.y / weight - 1.0).abs() < 1e-6, "the floor carries {carried} of {weight}");
}

/// The mouse's push and pull are among the forces.
#[test]
fn the_mouse_is_among_the_forces() {
    let middle = |model: &Model| {
        let world = model.run().world();
        world.bodies().iter().rfind(|body| body.is_dynamic()).expect("a body").pose.position
    };
    let push = |model: &mut Model| {
        let at = middle(model);
        model.apply(Intent::Press { button: Button::ShiftLeft, at, reach: 0.0 });
        model.apply(Intent::Drag(at + DVec2::new(0.05, -0.02)));
    };
    forces_add_up("box-at-rest", push, &[Source::Push]);
    let pull = |model: &mut Model| {
        let at = middle(model);
        // A pull needs time to pass.
        model.runs.player.playing = true;
        model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
        model.apply(Intent::Drag(at + DVec2::new(0.1, 0.3)));
    };
    forces_add_up("six-link-chain", pull, &[Source::Grab]);
}

/// The forces of a recorded state come back with it; a body that is moved by hand has none until the next step.
#[test]
fn forces_belong_to_the_state() {
    let mut model = super::model("six-link-chain");
    for _ in 0..5 {
        model.apply(Command::StepForward);
    }
    let then = model.run().account().cloned().expect("forces of the fifth step");
    model.apply(Command::StepForward);
    assert_ne!(model.run().account(), Some(&then));
    model.apply(Command::StepBack);
    assert_eq!(model.run().account(), Some(&then));
    let at = model.run().world().bodies()[6].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + DVec2::new(0.0, 0.1)));
    assert_eq!(model.run().account(), None);
    model.apply(Command::Restart);
    assert_eq!(model.run().account(), None);
}

fn press(harness: &mut Harness<'_, Model>, at: Pos2, pressed: bool) {
    let events = &mut harness.input_mut().events;
    events.push(Event::PointerMoved(at));
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
    harness.step();
}

pub(super) fn click(harness: &mut Harness<'_, Model>, at: Pos2) {
    press(harness, at, true);
    press(harness, at, false);
    harness.run_steps(2);
}

/// Where a body appears.
fn on_screen(harness: &Harness<'_, Model>, body: usize) -> Pos2 {
    let model = harness.state();
    model.sight.camera.to_screen(model.canvas(), model.run().world().bodies()[body].pose.position)
}

/// A click selects the body and opens its card, and neither moves nor pulls it; a click beside the bodies, Escape, the card's
/// button and another scene deselect it. A drag does not select.
#[test]
fn a_click_selects_a_body() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::StepForward);
    let mut harness = window(model);
    let empty = harness.state().canvas().left_bottom() + vec2(60.0, -120.0);
    let (third, fourth) = (on_screen(&harness, 3), on_screen(&harness, 4));
    let before = harness.state().run().world().clone();
    click(&mut harness, third);
    assert_eq!(harness.state().selected_body(), Some(3));
    assert_eq!(harness.state().run().world(), &before, "a click moves nothing");
    assert!(harness.query_by_label_contains("weight: 0, −").is_some(), "the card lists the weight");
    assert!(harness.query_by_label_contains("difference: ").is_some());
    click(&mut harness, fourth);
    assert_eq!(harness.state().selected_body(), Some(4));
    click(&mut harness, empty);
    assert_eq!(harness.state().hand.selected, None);
    assert!(harness.query_by_label_contains("difference: ").is_none());

    click(&mut harness, third);
    harness.state_mut().apply(Command::Dismiss);
    assert_eq!(harness.state().hand.selected, None);
    click(&mut harness, third);
    harness.get_by_label("Close the body's card").click();
    harness.run_steps(2);
    assert_eq!(harness.state().hand.selected, None);

    press(&mut harness, third, true);
    for i in 1..6 {
        harness.input_mut().events.push(Event::PointerMoved(third + vec2(8.0 * i as f32, 0.0)));
        harness.step();
    }
    press(&mut harness, third + vec2(40.0, 0.0), false);
    assert_eq!(harness.state().hand.selected, None, "a drag does not select");
    assert_ne!(harness.state().run().world(), &before, "it moves the body");

    let body = harness.state().run().world().id_of(2).expect("an id");
    harness.state_mut().apply(Intent::Select(Some(Selected { body, at: DVec2::ZERO })));
    harness.state_mut().apply(Intent::OpenShipped("box-at-rest"));
    assert_eq!(harness.state().hand.selected, None, "another scene has other bodies");
}

/// The card lies in the corner where it covers least of the bodies, and stays there while they move.
#[test]
fn the_card_covers_few_bodies() {
    for key in ["pyramid-10", "six-link-chain", "card-house"] {
        let mut model = super::model(key);
        // With the forces of a step the card has its full height.
        model.apply(Command::Steps(2));
        let moving =
            model.run().world().bodies().iter().position(|body| body.is_dynamic()).expect("a body");
        let body = model.run().world().id_of(moving).expect("an id");
        model.apply(Intent::Select(Some(Selected { body, at: DVec2::ZERO })));
        let mut harness = window(model);
        let card = |harness: &Harness<'_, Model>| {
            let id = egui_macroquad::egui::Id::new("body card");
            harness.ctx.memory(|memory| memory.area_rect(id)).expect("the card")
        };
        harness.run_steps(2);
        let place = card(&harness);
        let model = harness.state();
        // The centres of the bodies: how many lie under the card, and under its mirror images in the canvas.
        let (centre, bodies) = (model.canvas().center(), model.run().world().bodies().iter());
        let centres: Vec<Pos2> = bodies
            .filter(|body| body.is_dynamic())
            .map(|body| model.sight.camera.to_screen(model.canvas(), body.pose.position))
            .collect();
        let under = |x: f32, y: f32| {
            let image = |at: Pos2| centre + vec2(x, y) * (at - centre);
            centres.iter().filter(|at| place.contains(image(**at))).count()
        };
        if key == "pyramid-10" {
            // Where the view was before, the card would have covered boxes; it has slid so far that no box lies under it.
            let mut fitted = harness.state().sight.camera;
            fitted.center = window(super::model(key)).state().sight.camera.center;
            let covered = |camera: &driftlab::workbench::view_state::camera::Camera| {
                let (canvas, place) = (harness.state().canvas(), card(&harness));
                let mut bodies =
                    harness.state().run().world().bodies().iter().filter(|body| body.is_dynamic());
                bodies.any(|body| place.contains(camera.to_screen(canvas, body.pose.position)))
            };
            assert!(covered(&fitted), "the card would cover boxes");
            harness.run_steps(60);
            let model = harness.state();
            let place = card(&harness);
            for body in model.run().world().bodies().iter().filter(|body| body.is_dynamic()) {
                assert!(!place.contains(model.sight.camera.to_screen(model.canvas(), body.pose.position)));
            }
            continue;
        }
        let others = [under(-1.0, 1.0), under(1.0, -1.0), under(-1.0, -1.0)];
        assert!(
            others.iter().all(|other| under(1.0, 1.0) <= *other),
            "{key}: {} {others:?}",
            under(1.0, 1.0)
        );
        for _ in 0..10 {
            harness.state_mut().apply(Command::Steps(10));
            harness.run_steps(1);
            let corners =
                |rect: egui_macroquad::egui::Rect| [rect.center().x > centre.x, rect.center().y > centre.y];
            assert_eq!(corners(card(&harness)), corners(place), "{key}");
        }
    }
}
