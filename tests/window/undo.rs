//! Undo and redo of everything that a person changes.

use driftlab::app::build::edit::Edit;
use driftlab::app::build::item::{Item, all};
use driftlab::app::build::parts::Parts;
use driftlab::app::build::snap::Snap;
use driftlab::app::build::{Act, Make};
use driftlab::app::commands::Command;
use driftlab::app::intent::Intent;
use driftlab::app::model::Model;
use driftlab::app::runs::simulation::{Setting, Simulation};
use driftlab::app::view_state::pointer::Button;
use driftlab::model::properties::{BODY, JOINT};
use driftlab::model::{Body, Shape};
use glam::{DVec2, DVec3, dvec2};

use crate::detect::Random;

/// Scenes with joints, contacts, springs, and velocity constraints.
const KEYS: [&str; 6] =
    ["six-link-chain", "box-at-rest", "four-bar-loop", "slider-crank", "spring-pendulum", "knife-edge"];

/// A run to the bit: its world as a save writes it, its start, and how it is stepped.
fn bits(run: &Simulation) -> String {
    let (method, h) = (run.method(), run.time_step());
    format!("{}{}{method:?}{:016x}", run.to_scene().to_json(), run.scene.to_json(), h.to_bits())
}

/// All runs to the bit.
fn state(model: &Model) -> Vec<String> {
    let forks = model.comparison().forks().iter().map(|fork| format!("{:?}{}", fork.id, bits(fork.run())));
    [bits(model.run())].into_iter().chain(forks).collect()
}

fn undo(model: &mut Model) {
    model.apply(Command::Build(Act::Undo));
}

fn redo(model: &mut Model) {
    model.apply(Command::Build(Act::Redo));
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> Option<T> {
    let place = (random.between(0.0, 1.0) * from.len() as f64) as usize;
    from.get(place).copied()
}

fn a_box(at: DVec2) -> Parts {
    let body = Body::dynamic().at(at).shape(Shape::Box { size: dvec2(0.1, 0.05) }).build().expect("a body");
    Parts { bodies: vec![body], ..Parts::default() }
}

/// Something that a person may do: edits of all kinds, drags, settings, runs beside, steps and jumps in time.
fn act(model: &mut Model, random: &mut Random) {
    let items: Vec<Item> = all(model.run().world()).collect();
    let item = pick(random, &items);
    let body = item.and_then(|item| item.body());
    let forks: Vec<_> = model.comparison().forks().iter().map(|fork| fork.id).collect();
    let at = dvec2(random.between(-0.3, 0.3), random.between(-0.3, 0.3));
    let edit = |model: &mut Model, edit| model.apply(Intent::Make(Make::Edit(edit)));
    match (random.between(0.0, 17.0) as u32, item) {
        (0, _) => edit(model, Edit::Add(Box::new(a_box(at)))),
        (1, Some(item)) if items.len() > 6 => edit(model, Edit::Remove(vec![item])),
        (2, Some(item)) => edit(model, Edit::Scale(vec![item], at, random.between(0.7, 1.3))),
        (3, Some(item)) => {
            let body = pick(random, &BODY.iter().map(|own| own.parameter).collect::<Vec<_>>());
            let joint = pick(random, &JOINT.iter().map(|own| own.parameter).collect::<Vec<_>>());
            let parameter = if matches!(item, Item::Body(_)) { body } else { joint };
            edit(
                model,
                Edit::Set(vec![item], parameter.expect("a number"), random.between(0.0, 1.0).round()),
            );
        }
        (4, _) => edit(model, Edit::Gravity(30.0 * at)),
        (5, _) => model.apply(Setting::Scheme(random.between(0.0, 9.0) as usize)),
        (6, _) => model.apply(Setting::TimeStep(random.between(5e-4, 2e-3))),
        (7, _) => model.apply(Intent::Beside(random.between(0.0, 5.0) as usize)),
        (8, _) => model.apply(Intent::Fork(None)),
        (9, _) => {
            if let Some(fork) = pick(random, &forks) {
                let promote = random.between(0.0, 1.0) < 0.5;
                model.apply(if promote { Intent::Promote(fork) } else { Intent::Close(fork) });
            }
        }
        (10, _) => {
            let world = model.run().world();
            let moving = world.bodies().iter().find(|body| body.is_dynamic());
            if let Some(place) = moving.map(|body| body.pose.position) {
                model.apply(Intent::Press { button: Button::Left, at: place, reach: 0.0 });
                model.apply(Intent::Drag(place + at));
                model.apply(Intent::Drag(place - at));
                model.apply(Intent::Release);
            }
        }
        (11, _) => {
            model.apply(Command::Build(Act::SelectAll));
            model.apply(Command::Build(Act::Duplicate));
        }
        (12, Some(item)) => {
            model.apply(Intent::Make(Make::Select(vec![item])));
            model.apply(Command::Build(Act::Delete));
        }
        (13, _) => model.apply(Intent::Seek(model.run().world().time() * random.between(0.0, 1.0))),
        (14, _) => edit(model, Edit::Fit),
        (15, _) => body.into_iter().for_each(|id| {
            edit(model, Edit::Shift(vec![(id, at.extend(random.between(-1.0, 1.0)))]));
        }),
        _ => model.apply(Command::Steps(random.between(1.0, 12.0) as i32)),
    }
    model.settle();
}

/// Whatever was done: undoing all of it gives the first state bit for bit, redoing all of it the last, and so on to and fro.
#[test]
fn all_undone_is_the_first_state_and_all_redone_the_last() {
    let mut kinds = 0;
    for seed in 0..24 {
        let key = KEYS[seed as usize % KEYS.len()];
        let (mut model, mut random) = (super::model(key), Random(seed + 1));
        model.apply(Command::Steps(seed as i32));
        let mut first = state(&model);
        for _ in 0..30 {
            // Time may pass before the first change.
            if model.undo.done().is_empty() {
                first = state(&model);
            }
            act(&mut model, &mut random);
        }
        let (last, changes) = (state(&model), model.undo.done().len());
        kinds += changes;
        for round in 0..2 {
            (0..changes).for_each(|_| undo(&mut model));
            assert!(model.undo.done().is_empty());
            assert!(state(&model) == first, "{key}, seed {seed}, round {round}: undone");
            (0..changes).for_each(|_| redo(&mut model));
            assert!(state(&model) == last, "{key}, seed {seed}, round {round}: redone");
        }
    }
    assert!(kinds > 200, "only {kinds} changes");
}

/// A change that is undone after the run has gone on takes it back to the state in which the change was made; redone, it goes to where
/// it had come. What was recorded before, and between, is there again.
#[test]
fn undo_goes_back_across_play() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Steps(20));
    let before = state(&model);
    let heavier = BODY.iter().find(|own| own.parameter.key == "mass").expect("a mass").parameter;
    let link = Item::Body(model.run().world().body_ids()[3]);
    model.apply(Intent::Make(Make::Edit(Edit::Set(vec![link], heavier, 7.0))));
    assert_eq!(model.run().world().bodies()[3].mass_properties().mass, 7.0);
    model.apply(Command::Steps(30));
    let after = state(&model);
    let there = model.run().world().time();

    undo(&mut model);
    assert!(state(&model) == before);
    assert_eq!(model.run().recorded_span()[0], 0.0, "the past is still recorded");
    redo(&mut model);
    assert!(state(&model) == after);
    assert_eq!(model.run().recorded_span(), [0.0, there], "and so is what came after");
    // The recorded steps between are those of the heavier link.
    model.apply(Intent::Seek(there - 0.01));
    assert_eq!(model.run().world().bodies()[3].mass_properties().mass, 7.0);
    model.apply(Intent::Seek(0.0));
    assert_ne!(model.run().world().bodies()[3].mass_properties().mass, 7.0);
}

/// What is done in one stroke on the stage is one change, and a new change takes the place of what was undone.
#[test]
fn a_stroke_is_one_change() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::Mode(driftlab::app::build::Mode::Build)));
    let at = model.run().world().bodies()[2].pose.position;
    model.apply(Intent::Make(Make::Press {
        at: at + dvec2(0.02, 0.0),
        reach: 1e-4,
        adds: false,
        snap: Snap::default(),
    }));
    assert_eq!(model.build.selection, [Item::Body(model.run().world().body_ids()[2])]);
    for i in 1..=5 {
        let to = at + dvec2(0.02, 0.01 * f64::from(i));
        model.apply(Intent::Make(Make::Drag { to, snap: Snap::default() }));
    }
    model.apply(Intent::Make(Make::Release));
    assert_eq!(model.undo.done().len(), 1);
    assert_eq!(model.undo.done()[0].label, "moved link2");
    let moved = model.run().world().bodies()[2].pose.position - at;
    assert!((moved - dvec2(0.0, 0.05)).length() < 1e-12, "{moved}");
    undo(&mut model);
    assert_eq!(model.run().world().bodies()[2].pose.position, at);
    let id = model.run().world().body_ids()[1];
    model.apply(Intent::Make(Make::Edit(Edit::Shift(vec![(id, DVec3::X)]))));
    assert!(model.undo.undone().is_empty());
    // An edit that is refused changes nothing and is no change.
    let friction = BODY.iter().find(|own| own.parameter.key == "friction").expect("friction").parameter;
    model.apply(Intent::Make(Make::Edit(Edit::Set(vec![Item::Body(id)], friction, -1.0))));
    assert_eq!(model.undo.done().len(), 1);
    assert!(model.toast.as_ref().is_some_and(|toast| toast.text.contains("friction must be")));
}

/// Edits act on all runs that are compared: these keep the same bodies.
#[test]
fn edits_act_on_all_runs() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Steps(10));
    model.apply(Intent::Beside(7));
    model.apply(Command::Steps(10));
    model.apply(Intent::Make(Make::Edit(Edit::Add(Box::new(a_box(DVec2::ZERO))))));
    let removed = Item::Body(model.run().world().body_ids()[4]);
    model.apply(Intent::Make(Make::Edit(Edit::Remove(vec![removed]))));
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.world().body_ids(), model.run().world().body_ids());
    assert_eq!(fork.world().joints().len(), model.run().world().joints().len());
    model.apply(Command::Steps(10));
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.world().steps(), model.run().world().steps());
}
