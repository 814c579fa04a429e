//! The list of scenes and tours: it fits every window, and keys drive it; and the bar above the canvas.

use super::panels::{click, window};
use super::side::{SIZES, place};
use driftlab::app::keys::command;
use driftlab::app::screen::OnScreen;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::library::shelf::{Browsing, Group, Item, Shelf};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::{Event, Key, Modifiers, vec2};

fn key(harness: &mut Harness<'_, Model>, key: Key) {
    harness.press_key(key);
    harness.run_steps(2);
}

fn type_text(harness: &mut Harness<'_, Model>, text: &str) {
    harness.input_mut().events.push(Event::Text(text.to_owned()));
    harness.run_steps(3);
}

fn highlighted(harness: &Harness<'_, Model>) -> Option<Item> {
    harness.state().library.shelf.browsing.as_ref().and_then(|browsing| browsing.highlighted)
}

/// The scenes and tours of the list that can be seen whole, by name.
fn visible(harness: &Harness<'_, Model>) -> usize {
    let height = f64::from(harness.ctx.screen_rect().height());
    let model = harness.state();
    let scenes = model.library.shelf.scenes.iter().map(|listed| listed.name.clone());
    let tours =
        model.library.tours.iter().enumerate().map(|(index, tour)| format!("{}. {}", index + 1, tour.name));
    let shown = scenes.chain(tours).filter(|name| {
        // The name stands in the bar above the canvas, too.
        let nodes = harness.query_all(By::new().label(name));
        nodes.filter_map(|node| node.bounding_box()).any(|b| b.y0 > 60.0 && b.y1 < height - 120.0)
    });
    shown.count()
}

/// The list never covers the window's width, ends inside the window, and shows the present scene wherever that stands in it.
#[test]
fn the_list_fits_every_window() {
    for size in SIZES {
        for scene in ["six-link-chain", "drake-critical-damping"] {
            let mut harness = window(super::model(scene));
            harness.set_size(size);
            harness.run_steps(2);
            click(&mut harness, "▦ Scenes");
            harness.run_steps(4);
            assert_eq!(highlighted(&harness), Some(Item::Scene(scene)), "at {size}");
            let name = harness.state().run().scene.name.clone();
            let rows = harness.query_all(By::new().label(&name)).filter_map(|node| node.bounding_box());
            let row = rows.max_by(|a, b| a.y0.total_cmp(&b.y0)).expect("the present scene");
            assert!(row.y0 > 60.0 && row.y1 < f64::from(size.y) - 100.0, "{scene} at {row:?} of {size}");
            assert!(row.x1 < 0.7 * f64::from(size.x), "{row:?} of {size}");
            // As many cards beside each other as there are 200 points of the gallery, in as many rows as there are 180
            // below the header.
            let least = (0.68 * size.x.min(1600.0) / 200.0).floor() * ((size.y - 260.0) / 180.0).floor();
            assert!(visible(&harness) >= least as usize, "{} cards in {size}", visible(&harness));
        }
    }
}

/// Ctrl+K opens the list; arrows move, typing searches, Enter opens, and the present scene is where it begins.
#[test]
fn keys_drive_the_list() {
    let mut harness = window(super::model("six-link-chain"));
    let toggle = command(Key::K, Modifiers::CTRL, false).expect("a command");
    harness.state_mut().apply(toggle);
    harness.run_steps(3);
    key(&mut harness, Key::ArrowRight);
    let second = harness.state().library.shelf.neighbour("six-link-chain", 1).expect("a neighbour").key;
    assert_eq!(highlighted(&harness), Some(Item::Scene(second)));
    key(&mut harness, Key::ArrowLeft);
    assert_eq!(highlighted(&harness), Some(Item::Scene("six-link-chain")));
    key(&mut harness, Key::ArrowDown);
    let below = highlighted(&harness);
    key(&mut harness, Key::ArrowUp);
    assert_eq!(highlighted(&harness), Some(Item::Scene("six-link-chain")), "up leads back from {below:?}");
    key(&mut harness, Key::ArrowLeft);
    let tours = harness.state().library.tours.len();
    assert_eq!(highlighted(&harness), Some(Item::Tour(tours - 1)), "tours stand above the scenes");
    type_text(&mut harness, "card");
    let search = harness.state().library.shelf.browsing.as_ref().map(|browsing| browsing.search.clone());
    assert_eq!(search.as_deref(), Some("card"));
    assert_eq!(highlighted(&harness), Some(Item::Scene("card-house")));
    key(&mut harness, Key::Enter);
    assert_eq!(harness.state().files.title, "card-house");
    assert_eq!(harness.state().library.shelf.browsing, None);
}

/// After a search the first scene is highlighted whose name has the words, also where the open one is found by its description.
#[test]
fn a_search_goes_to_the_name() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::ToggleScenes);
    harness.run_steps(3);
    for text in ["pyramid", "chain"] {
        type_text(&mut harness, text);
        let Some(Item::Scene(key)) = highlighted(&harness) else { panic!("no scene for {text}") };
        let name = harness.state().library.shelf.find(key).expect("a scene").name.to_lowercase();
        assert!(name.contains(text), "'{text}' highlights '{name}'");
        harness.state_mut().apply(Intent::Browse(Some(Browsing::default())));
        harness.run_steps(2);
    }
}

/// Escape closes the list and nothing else: a tour goes on.
#[test]
fn escape_closes_the_list_alone() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Intent::Tour { tour: 1, step: 0 });
    harness.state_mut().apply(Command::ToggleScenes);
    harness.run_steps(3);
    harness.state_mut().apply(Command::Dismiss);
    harness.run_steps(2);
    assert!(harness.state().library.shelf.browsing.is_none() && harness.state().library.progress.is_some());
    // The key as egui sees it, without the command.
    harness.state_mut().apply(Command::ToggleScenes);
    harness.run_steps(3);
    key(&mut harness, Key::Escape);
    assert!(harness.state().library.shelf.browsing.is_none() && harness.state().library.progress.is_some());
}

/// A press beside the list closes it, and does not push or pull anything.
#[test]
fn a_press_beside_closes_the_list() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::ToggleScenes);
    harness.run_steps(3);
    let at = harness.state().canvas().right_center() - vec2(40.0, 0.0);
    for pressed in [true, false] {
        super::panels::press(&mut harness, at, egui_macroquad::egui::PointerButton::Primary, pressed);
        assert_eq!(harness.state().hand.hold, driftlab::workbench::stage::pointer::Hold::Free);
    }
    harness.run_steps(2);
    assert_eq!(harness.state().library.shelf.browsing, None);
}

/// Every scene has a group by what is in it, and none is broken.
#[test]
fn scenes_are_grouped_by_what_is_in_them() {
    let shelf = Shelf::read();
    for (key, group) in [
        ("six-link-chain", Group::Drift),
        ("spring-pendulum", Group::Drift),
        ("four-bar-loop", Group::Loops),
        ("bridge", Group::Loops),
        ("newtons-cradle", Group::Contact),
        ("friction-ramp", Group::Friction),
        ("pyramid-20", Group::Many),
        ("pushed-rectangle", Group::Papers),
        ("chain-swung", Group::Papers),
    ] {
        assert_eq!(shelf.find(key).map(|listed| listed.group), Some(group), "{key}");
    }
    for group in Group::ALL {
        let count = shelf.scenes.iter().filter(|listed| listed.group == group).count();
        assert_eq!(count == 0, group == Group::Broken, "{count} in {group:?}");
    }
}

/// A tour's text stands above the canvas: it covers no body, a failure's message does not cover it, and its buttons
/// stay where they are from step to step.
#[test]
fn tours_cover_nothing_and_stay_in_place() {
    for size in SIZES {
        let mut harness = window(super::model("six-link-chain"));
        harness.set_size(size);
        for tour in 0..harness.state().library.tours.len() {
            let mut first = None;
            for step in 0..harness.state().library.tours[tour].steps.len() {
                harness.state_mut().apply(Intent::Tour { tour, step });
                harness.run_steps(2);
                let canvas = harness.state().canvas();
                let leave = place(&harness, "Leave");
                let text = place(&harness, &harness.state().library.tours[tour].steps[step].text);
                assert!(
                    leave.bottom() <= canvas.top() && text.bottom() <= canvas.top(),
                    "tour {tour} at {size}"
                );
                assert!(text.right() <= leave.left() && text.left() >= 0.0);
                assert_eq!(
                    *first.get_or_insert((leave, canvas)),
                    (leave, canvas),
                    "tour {tour}, step {step}"
                );
            }
        }
        harness.state_mut().apply(Setting::TimeStep(-1.0));
        harness.state_mut().apply(Command::StepForward);
        harness.run_steps(3);
        let failure = place(&harness, "Step failed");
        assert!(
            failure.top() >= harness.state().canvas().top(),
            "the message at {size}: {failure:?} in {:?}",
            harness.state().canvas()
        );
    }
}

/// A person's own scene files, those of a folder and recent ones, stand in the gallery by their names, each once; a
/// broken one says why.
#[test]
fn own_files_stand_in_the_gallery() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = driftlab::scene::catalogue::find("single-pendulum").expect("a scene").text;
    let place = |name: &str| folder.path().join(name);
    for (name, shown) in [("a.json", "Alpha"), ("b.driftlab.json", "Beta"), ("c.txt", "Gamma")] {
        std::fs::write(place(name), text.replacen("\"Pendulum\"", &format!("\"{shown}\""), 1))
            .expect("a file");
    }
    std::fs::write(place("d.json"), "{").expect("a file");
    let mut model = super::model("six-link-chain");
    model.library.shelf.folder = Some(folder.path().to_owned());
    model.library.shelf.recent = vec![place("b.driftlab.json"), place("gone.json")];
    model.apply(Command::ToggleScenes);
    let names: Vec<_> = model.library.shelf.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["Beta", "Alpha", "d.json"]);
    assert!(model.library.shelf.files[2].description.starts_with("Not loaded: "));
    let mut harness = window(model);
    harness.run_steps(2);
    type_text(&mut harness, "alpha");
    assert_eq!(highlighted(&harness), Some(Item::Mine(1)));
    key(&mut harness, Key::Enter);
    assert_eq!(harness.state().run().scene.name, "Alpha");
}
