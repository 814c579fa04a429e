//! The stability map: dragged, it sets the parameters; it follows the run and rests when nothing changes; it says what it shows.

use super::panels::{drag, window};
use driftlab::app::map_colours::{colour, level};
use driftlab::experiment::stability::{Linear, Model as Step, Plane};
use driftlab::method::{Integrator, Method, Stabilizer};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::map::{StabilityMap, verdict};
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::view_state::layers::View;
use driftlab::workbench::view_state::side_tab::SideTab;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::{Pos2, Rect, pos2, vec2};
use std::time::Duration;

fn place_of(scheme: &str) -> usize {
    TABLE.iter().position(|own| own.info().key == scheme).expect("a scheme")
}

/// A window high enough to show the whole panel, with its whole map, under the scheme of that key.
fn under(scene: &str, scheme: &str) -> Harness<'static, Model> {
    shown(super::mapped(scene), scheme)
}

fn shown(mut model: Model, scheme: &str) -> Harness<'static, Model> {
    model.apply(Setting::Scheme(place_of(scheme)));
    let mut harness = window(model);
    harness.set_size(vec2(1280.0, 1600.0));
    harness.run_steps(3);
    harness
}

fn square(harness: &Harness<'_, Model>) -> Rect {
    let r = harness.get_by_label("stability map").bounding_box().expect("a place");
    Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32))
}

fn at(square: Rect, [x, y]: [f32; 2]) -> Pos2 {
    pos2(square.left() + x * square.width(), square.bottom() - y * square.height())
}

fn method(scheme: &str, values: &[(&str, f64)]) -> Method {
    let method = Method::by_key(scheme).expect("a scheme");
    values.iter().fold(method, |method, (key, value)| method.with(key, *value).expect("a value"))
}

/// Dragging in the square sets both parameters, to the values of the place where the drag ends; over one parameter and
/// the time step it sets these.
#[test]
fn dragging_sets_the_parameters() {
    let mut harness = under("six-link-chain", "baumgarte_acceleration");
    let area = square(&harness);
    assert!(area.width() > 190.0 && (area.width() - area.height()).abs() < 1.0, "{area:?}");
    drag(&mut harness, at(area, [0.3, 0.3]), at(area, [0.6, 0.45]));
    let run = harness.state().run();
    let plane = Plane::of(run.method(), run.time_step()).unwrap();
    let [alpha, beta] = plane.point(run.method(), run.time_step());
    for (value, axis, share) in [(alpha, plane.axes[0], 0.6), (beta, plane.axes[1], 0.45)] {
        // A point of the screen, and three digits.
        assert!((axis.share(value) - share).abs() < 0.01, "{value} at {}", axis.share(value));
    }
    let standing = harness.state().map().standing().expect("ρ at the point");
    let linear = Linear::of(run.world(), run.method()).unwrap();
    let expected = linear.spectral_radius(&Step::of(run.method(), 1e-3).unwrap(), 1e-3).unwrap();
    assert!((standing.radius.unwrap() - expected).abs() < 1e-6, "{standing:?}, {expected}");

    let mut harness = under("six-link-chain", "baumgarte_velocity");
    let area = square(&harness);
    drag(&mut harness, at(area, [0.5, 0.5]), at(area, [0.4, 0.7]));
    let run = harness.state().run();
    let h = 1e-5 * 1e4_f64.powf(0.7);
    assert!((run.time_step() / h - 1.0).abs() < 0.05, "h = {}", run.time_step());
    let alpha = run.method().stabilizer.values.get("alpha").unwrap();
    assert!((alpha / 100.0 - 1.0).abs() < 0.06, "α = {alpha}");
}

/// While nothing changes nothing is asked, nothing is computed and no frame is wanted; a change of a parameter that
/// does not change the field moves the point alone.
#[test]
fn an_unchanged_map_is_not_computed_again() {
    let mut harness = under("double-pendulum", "soft");
    harness.run_steps(60);
    let field = |harness: &Harness<'_, Model>| {
        let field = harness.state().map().field().expect("a field");
        (field.number, field.side)
    };
    let first = field(&harness);
    assert!(first.1 >= 64, "the finest field, {} points a side", first.1);
    harness.run_steps(20);
    assert_eq!(field(&harness), first);
    assert!(!harness.state().map().is_busy() && !harness.state().is_busy());
    assert!(!harness.ctx.has_requested_repaint(), "no frame is wanted");
    let stabilizer = method("soft", &[("hertz", 11.0)]).stabilizer;
    let before = harness.state().map().standing().unwrap().radius;
    harness.state_mut().apply(Setting::Stabilizer(stabilizer));
    harness.run_steps(5);
    assert_eq!(field(&harness), first, "the field is the same");
    assert_ne!(harness.state().map().standing().unwrap().radius, before);
    // Another number of substeps is another field.
    let stabilizer = method("soft", &[("substeps", 2.0)]).stabilizer;
    harness.state_mut().apply(Setting::Stabilizer(stabilizer));
    harness.run_steps(60);
    assert!(field(&harness).0 > first.0);
}

/// Nothing is computed for a map that cannot be seen: under another tab, or without the panel.
#[test]
fn a_hidden_map_is_not_computed() {
    for hide in [Intent::Side(SideTab::Look), Intent::Command(Command::TogglePanel)] {
        let mut model = super::model("six-link-chain");
        model.apply(hide.clone());
        let mut harness = window(model);
        harness.state_mut().apply(Setting::Scheme(1));
        harness.run_steps(5);
        assert!(harness.state().map().standing().is_none() && !harness.state().map().is_busy(), "{hide:?}");
        // Shown again it is there.
        harness.state_mut().apply(match hide {
            Intent::Side(_) => Intent::Side(SideTab::Method),
            other => other,
        });
        harness.run_steps(5);
        assert!(harness.state().map().standing().is_some());
    }
}

/// In its thread the map of a chain answers the newest question, whether its field has a closed form or needs
/// eigenvalues. How long that takes is measured by the bench `window`.
#[test]
fn the_map_answers_the_newest_question() {
    for scheme in ["baumgarte_acceleration", "soft"] {
        let mut model = super::model("six-link-chain");
        model.apply(Setting::Scheme(place_of(scheme)));
        let mut map = StabilityMap::new(&Stepping::threaded());
        let key = if scheme == "soft" { "hertz" } else { "alpha" };
        for value in [5.0, 6.0, 7.0] {
            let mut stabilizer = model.run().method().stabilizer.clone();
            stabilizer.values.set(key, value).unwrap();
            model.apply(Setting::Stabilizer(stabilizer));
            let run = model.run();
            map.follow(run.world(), run.method(), run.time_step(), true, true);
        }
        while map.is_busy() || map.field().is_none_or(|field| field.number < 3) {
            std::thread::sleep(Duration::from_millis(2));
            map.collect();
        }
        assert_eq!(map.standing().unwrap().number, 3, "the newest question");
        assert!(map.standing().unwrap().radius.is_some());
    }
}

/// A scheme without a map says why in its place, and every scheme has its verdict.
#[test]
fn schemes_without_a_map_say_why() {
    for scheme in TABLE {
        let key = scheme.info().key;
        let harness = shown(super::model("six-link-chain"), key);
        let method = harness.state().run().method();
        let h = harness.state().run().time_step();
        match Plane::of(method, h) {
            Ok(_) => assert!(harness.query_by_label("stability map").is_some(), "{key}"),
            Err(reason) => {
                assert!(harness.query(By::new().label(reason)).is_some(), "{key}: {reason}");
                assert!(harness.state().map().field().is_none());
            }
        }
    }
}

/// Where the parameters lie is said in words: the examples and the limits of Hong et al.
#[test]
fn verdicts_are_words() {
    let velocity =
        |alpha: f64| verdict(&method("baumgarte_velocity", &[("alpha", alpha)]), 1e-3, None).unwrap();
    for (alpha, part, alarming) in [
        (200.0, "αh = 0.2: the error decays to 1/e in 4.5 steps", false),
        (1000.0, "gone after one step", false),
        (1500.0, "overshoots", true),
        (2000.0, "stability limit", true),
        (3000.0, "unstable for h > 667 µs", true),
        (0.0, "nothing is corrected", true),
    ] {
        let said = velocity(alpha);
        assert!(said.text.contains(part) && said.alarming == alarming, "α = {alpha}: {said:?}");
    }
    let hong = method("baumgarte_acceleration", &[("alpha", 10.0), ("beta", 10.0)]);
    let said = verdict(&hong, 0.01, None).unwrap();
    assert!(said.text.contains("critically damped") && said.text.contains("h > 82.8 ms"), "{said:?}");
    assert!(verdict(&hong, 0.0829, None).unwrap().alarming);
    // Under Runge–Kutta it is stable up to 0.2785 s.
    let level = hong.level;
    let rk4 = hong.at_level(level, Integrator::Rk4).unwrap();
    let said = verdict(&rk4, 0.0829, None).unwrap();
    assert!(!said.alarming && said.text.contains("h > 279 ms"), "{said:?}");
    let soft = Method::new(Stabilizer::by_key("soft").unwrap());
    assert!(verdict(&soft, 0.01, Some(1.2)).unwrap().text.contains("grow by 20 %"));
    for scheme in TABLE {
        let said = verdict(&Method::by_key(scheme.info().key).unwrap(), 1e-3, None);
        assert!(said.is_none_or(|said| said.text.ends_with('.')), "{}", scheme.info().key);
    }
}

/// Growth and decay are of opposite hues on both sides of ρ = 1, and faster is always brighter.
#[test]
fn colours_tell_growth_from_decay() {
    let bright = |radius: f64| {
        let [r, g, b, _] = colour(radius).to_array().map(f64::from);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    for (decays, grows) in [(0.999, 1.001), (0.9, 1.1), (0.5, 2.0), (0.0, 100.0)] {
        let ([r, _, b, _], [red, _, blue, _]) = (colour(decays).to_array(), colour(grows).to_array());
        assert!(b > r && red > blue, "ρ = {decays} and {grows}");
    }
    for radii in [[0.999, 0.99, 0.9, 0.5, 0.1], [1.001, 1.01, 1.1, 2.0, 10.0]] {
        assert!(radii.windows(2).all(|pair| bright(pair[0]) < bright(pair[1])), "{radii:?}");
    }
    assert_eq!((level(1.0), level(f64::NAN)), (Some(-0.0), None));
    assert_eq!(level(0.0), Some(-1.0));
}

/// The picture of a field is kept by its number, which no field of another scheme gets: after a scheme without a map, too.
#[test]
fn no_two_fields_have_one_number() {
    let mut harness = under("six-link-chain", "baumgarte_velocity");
    let number = |harness: &Harness<'_, Model>| harness.state().map().field().map(|field| field.number);
    let mut last = number(&harness).expect("a field");
    for scheme in ["none", "baumgarte_acceleration", "none", "anitescu_hart"] {
        harness.state_mut().apply(Setting::Scheme(place_of(scheme)));
        harness.run_steps(4);
        if let Some(number) = number(&harness) {
            assert!(number > last, "{scheme}: field {number} after field {last}");
            last = number;
        }
    }
}

/// A bob on a hinge that turns at 1500 rad/s, hω = 1.5: the closed form of α = 614, β = 756 at 1 ms decays, ρ = 0.588,
/// as its trace and determinant say; under the load of the turning the error grows, and the run blows up. Map and
/// verdict are of the loaded step, and of the closed form where that is asked for.
#[test]
fn the_map_is_that_of_the_present_load() {
    const SPUN: &str = include_str!("../worlds/spun-bob.json");
    let open = || {
        let scene = OpenScene { title: "spun bob".to_owned(), path: None, text: SPUN.to_owned() };
        Model::new(Some(scene), Player::new(false), Stepping::within_frame(None)).expect("a model")
    };
    let (alpha, beta, h): (f64, f64, f64) = (614.0, 756.0, 1e-3);
    let (trace, determinant) = (2.0 - (beta * h).powi(2) - 2.0 * alpha * h, 1.0 - 2.0 * alpha * h);
    let closed = 0.5 * (trace.abs() + (trace * trace - 4.0 * determinant).sqrt());
    let mut harness = window(open());
    harness.set_size(vec2(1280.0, 1600.0));
    harness.run_steps(60);
    let seen = |harness: &Harness<'_, Model>| {
        let model = harness.state();
        let standing = model.map().standing().expect("ρ at the point");
        let field = model.map().field().expect("a field");
        let shares = [0, 1].map(|i| field.plane.axes[i].share([alpha, beta][i]));
        (standing, field.at(shares), field.coupled)
    };
    let (standing, drawn, of_state) = seen(&harness);
    assert!(
        standing.loaded.unwrap() > 1.02 && (standing.radius.unwrap() - closed).abs() < 1e-9,
        "{standing:?}"
    );
    assert!(
        of_state && (drawn / standing.loaded.unwrap() - 1.0).abs() < 0.1,
        "{drawn} is drawn, {standing:?}"
    );
    assert!(
        harness.query_by_label_contains("At rest this decays. In the present motion it grows").is_some()
    );
    let mut model = open();
    model.runs.player.playing = true;
    for _ in 0..60 {
        model.advance(1.0 / 60.0);
        model.settle();
    }
    assert!(model.run().failure().is_some(), "it blows up");

    let view = View { unloaded: true, ..harness.state().view };
    harness.state_mut().apply(Intent::View(view));
    harness.run_steps(60);
    let (standing, drawn, of_state) = seen(&harness);
    assert!(
        standing.loaded.is_none() && !of_state && (drawn - closed).abs() < 0.02,
        "{drawn}, {standing:?}"
    );
    assert!(
        harness.query_by_label_contains("At rest this decays. In the present motion it grows").is_none()
    );
}
