//! Recorded pointers: their keys in scene files, when and on which body each sample acts, and how they are recorded.

use super::errors::rejects_edit;
use super::{edited, problems};
use driftlab::experiment::Run;
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use driftlab::scene::{Interaction, Recording, Sample, Scene, Tool, catalogue};
use glam::{DVec2, dvec2};
use serde_json::{Value, json};

pub fn sample(time: f64, at: DVec2, pressed: bool) -> Sample {
    Sample { time, at, pressed, strength: None }
}

pub fn grab(samples: &[Sample]) -> Interaction {
    Interaction {
        tool: Tool::Grab,
        strength: 1.0,
        radius: 0.0,
        samples: samples.to_vec(),
        keys: Vec::new(),
    }
}

/// Disks of the given radii at the given places.
fn disks(disks: &[(f64, DVec2)]) -> World {
    let mut world = World::new(DVec2::ZERO);
    for &(radius, at) in disks {
        let shapes = vec![Placement::centred(Shape::Circle { radius })];
        let body = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default());
        world.add_body(body.unwrap()).unwrap();
    }
    world
}

/// Uniformly accelerated motion: the shipped lander falls from H = 60 m for √(4 H/(3 g)) and brakes with 2 g for half that
/// time, as long as a recording holds its key; it then stands at the ground, at rest.
#[test]
fn keys_of_a_recording_land_the_lander() {
    let mut scene = catalogue::find("lander").unwrap().scene().unwrap();
    let (h, begin) = (scene.settings.time_step, (4.0 * 60.0 / (3.0 * 1.62_f64)).sqrt());
    let keys = vec![(begin, 1 << 2), (1.5 * begin, 0)];
    scene.interaction = Some(Interaction { keys, ..grab(&[]) });
    let mut run = Run::under(&scene, scene.settings.method.clone(), (1.5 * begin / h).round() as u64);
    assert!(run.by_ref().all(|report| report.is_ok()));
    let lander = &run.world().bodies()[2];
    let start = scene.world.bodies()[2].pose.position.y;
    let (v, height) = (lander.velocity.linear.y, lander.pose.position.y - (start - 60.0));
    // Steps of h fall g t h/2 = 0.06 m too far, so that it lands at √(2 (2 g) 0.06) = 0.6 m/s, and what is left of the burn
    // lifts it.
    assert!(v.abs() < 0.6 && height.abs() < 0.06, "{v} m/s at {height} m");
}

#[test]
fn interactions_are_checked() {
    // Protects against a recording that would be replayed differently than meant.
    let with = |key: &'static str, value: Value| {
        move |s: &mut Value| {
            s["interaction"] = json!({ "tool": "repel", "strength": 5, "radius": 0.2,
                "samples": [[0, 0, 0, true], [0.1, 1, 0, 0], [0.2, 1, 0, 1, 7]] });
            s["interaction"][key] = value;
        }
    };
    let without = |key: &'static str| {
        move |s: &mut Value| {
            with("tool", json!("repel"))(s);
            s["interaction"].as_object_mut().unwrap().remove(key);
        }
    };
    assert_eq!(problems(&edited(with("tool", json!("grab")))), Vec::<String>::new());
    assert_eq!(problems(&edited(with("samples", json!([])))), Vec::<String>::new());
    assert_eq!(problems(&edited(with("keys", json!([[0, ["Up", "W"]], [1, []]])))), Vec::<String>::new());
    rejects_edit(
        with("keys", json!([[0, ["Up"]], [0, []]])),
        "interaction.keys[1][0]: expected a time later than that of the element before, 0, found 0",
    );
    rejects_edit(
        with("keys", json!([[0, ["Upp"]]])),
        "interaction.keys[0][1][0]: expected a key: Left, Right, Up, Down, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, A, B, C, D, E, F, G, H, \
         I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z, found \"Upp\" (did you mean 'Up'?)",
    );
    rejects_edit(
        |s| s["interaction"] = json!([]),
        "interaction: expected an interaction {\"tool\": …, \"samples\": […]}, found an array of 0",
    );
    rejects_edit(without("tool"), "interaction.tool: this key is missing (expected a tool: repel, grab)");
    rejects_edit(
        with("tool", json!("push")),
        "interaction.tool: expected a tool: repel, grab, found \"push\"",
    );
    rejects_edit(
        without("strength"),
        "interaction.strength: this key is missing (expected a number of N greater than 0)",
    );
    rejects_edit(
        without("radius"),
        "interaction.radius: this key is missing (expected a number of m greater than 0)",
    );
    let positive = "expected a number greater than 0, found";
    rejects_edit(with("strength", json!(0)), &format!("interaction.strength: {positive} 0"));
    rejects_edit(with("radius", json!(-1)), &format!("interaction.radius: {positive} -1"));
    rejects_edit(
        without("samples"),
        "interaction.samples: this key is missing (expected an array of samples)",
    );
    rejects_edit(with("tols", json!(1)), "interaction.tols: unknown key (did you mean 'tool'?)");
    let samples = |list: Value| with("samples", list);
    rejects_edit(
        samples(json!([[0, 1, 2]])),
        "interaction.samples[0]: expected [t, x, y, pressed], or [t, x, y, pressed, strength], found an array \
         of 3",
    );
    rejects_edit(
        samples(json!([[-1, 0, 0, true]])),
        "interaction.samples[0][0]: expected a number, 0 or more, found -1",
    );
    rejects_edit(
        samples(json!([[0.5, 0, 0, true], [0.5, 0, 0, false]])),
        "interaction.samples[1][0]: expected a time later than that of the sample before, 0.5, found 0.5",
    );
    rejects_edit(
        samples(json!([[0, "left", 0, true]])),
        "interaction.samples[0][1]: expected a number, found \"left\"",
    );
    rejects_edit(
        samples(json!([[0, 0, 0, 2]])),
        "interaction.samples[0][3]: expected true, false, 1 or 0, found 2",
    );
    rejects_edit(
        samples(json!([[0, 0, 0, 1, 0]])),
        "interaction.samples[0][4]: expected a number greater than 0, found 0",
    );
}

#[test]
fn a_grab_needs_neither_strength_nor_radius() {
    // Protects the defaults: the mouse's own strength and a radius of 0. 1 and 0 are read as true and false.
    let text = edited(|s| {
        s["interaction"] =
            json!({ "tool": "grab", "samples": [[0, 0.5, 0, 1], [0.5, 1, 2, 0.0], [1, 3, 4, true, 9]] });
    });
    let scene = Scene::parse(&text).unwrap();
    let mut expected = grab(&[
        sample(0.0, dvec2(0.5, 0.0), true),
        sample(0.5, dvec2(1.0, 2.0), false),
        sample(1.0, dvec2(3.0, 4.0), true),
    ]);
    expected.samples[2].strength = Some(9.0);
    assert_eq!(scene.interaction, Some(expected));
    assert_eq!(Scene::parse(&scene.to_json()).unwrap(), scene);
}

#[test]
fn a_sample_acts_from_its_time_on() {
    // Protects sample and hold: the last sample whose time has come acts, and rounding in the summed time is tolerated:
    // eight steps of 0.1 s end at 0.7999999999999999 s.
    let (a, b) = (dvec2(1.0, 0.0), dvec2(2.0, 0.0));
    let mut samples = [sample(0.1, a, true), sample(0.3, b, true), sample(0.8, b, false)];
    samples[1].strength = Some(7.0);
    let interaction = Interaction {
        tool: Tool::Repel,
        strength: 5.0,
        radius: 0.5,
        samples: samples.to_vec(),
        keys: Vec::new(),
    };
    let mut world = World::default();
    let mut time = 0.0;
    let expected = [None, Some((a, 5.0)), Some((a, 5.0))];
    let later = [Some((b, 7.0)); 5];
    for (step, expected) in expected.into_iter().chain(later).chain([None, None]).enumerate() {
        world.set_time(time).unwrap();
        interaction.apply(&mut world, 0.1);
        let stands = world.repulsion().map(|repulsion| (repulsion.center, repulsion.strength));
        assert_eq!(stands, expected, "step {step} at {time} s");
        time += 0.1;
    }
    assert!((time - 1.0).abs() < 1e-12 && world.grab().is_none());
    // A sample in the middle of a step acts from the next one on; a recording that ends pressed stays so.
    for (time, pressed) in [(0.04, false), (0.0989, false), (0.0991, true), (1e6, true)] {
        world.set_time(time).unwrap();
        Interaction { samples: samples[..2].to_vec(), ..interaction.clone() }.apply(&mut world, 0.1);
        assert_eq!(world.repulsion().is_some(), pressed, "at {time} s");
    }
}

#[test]
fn a_stroke_holds_what_was_under_its_start() {
    // Protects replayed grabs: the topmost body under the press is held until the release, wherever the pointer and the
    // bodies go; a press beside bodies holds nothing; a click between two steps has no effect.
    let far = dvec2(9.0, 0.0);
    let touch = dvec2(0.25, 0.0);
    let mut world = disks(&[(1.0, DVec2::ZERO), (0.5, DVec2::ZERO), (1.0, far)]);
    let interaction = grab(&[
        sample(0.0, touch, true),
        sample(1.0, far, true),
        sample(2.0, far, false),
        // On nothing, and then over a body.
        sample(3.0, dvec2(5.0, 0.0), true),
        sample(4.0, far, true),
        sample(5.0, far, false),
        // Released and pressed again within a step: another stroke, on another body.
        sample(6.0, dvec2(0.75, 0.0), true),
        sample(7.2, far, false),
        sample(7.4, dvec2(9.5, 0.0), true),
        sample(7.6, dvec2(8.5, 0.0), true),
        sample(9.0, far, false),
        // A click within a step.
        sample(9.2, far, true),
        sample(9.4, far, false),
    ]);
    let held = [Some((1, touch)), Some((1, far)), None, None, None, None];
    let then = [Some((0, dvec2(0.75, 0.0))), Some((0, dvec2(0.75, 0.0))), Some((2, dvec2(8.5, 0.0)))];
    for (time, expected) in held.into_iter().chain(then).chain([None, None]).enumerate() {
        world.set_time(time as f64).unwrap();
        interaction.apply(&mut world, 1.0);
        let held = world.grab().map(|grab| (world.index_of(grab.body).unwrap(), grab.target));
        assert_eq!(held, expected, "at {time} s");
        let again = world.grab();
        interaction.apply(&mut world, 1.0);
        assert_eq!(world.grab(), again, "applied twice at {time} s");
        if time == 1 {
            assert_eq!(world.grab().map(|grab| grab.anchor), Some(touch));
        }
        if time == 8 {
            assert_eq!(
                world.grab().map(|grab| grab.anchor),
                Some(dvec2(0.5, 0.0)),
                "held where it was pressed"
            );
        }
    }
}

#[test]
fn the_radius_of_a_grab_finds_small_bodies() {
    // Protects recordings of zoomed-out views, where bodies are smaller than the pointer.
    let mut world = disks(&[(1e-3, DVec2::ZERO)]);
    let mut interaction = grab(&[sample(0.0, dvec2(0.05, 0.0), true)]);
    interaction.apply(&mut world, 1.0);
    assert_eq!(world.grab(), None);
    interaction.radius = 0.1;
    interaction.apply(&mut world, 1.0);
    assert_eq!(world.grab().map(|grab| grab.body), world.id_of(0));
}

#[test]
fn strength_scales_a_grab_at_its_damping_ratio() {
    // Protects the meaning of strength: 1 is the mouse's own grab to the bit; 4 has four times the force and stiffness and
    // stays critically damped, c = 2 √(k m).
    let mut world = disks(&[(0.5, DVec2::ZERO)]);
    let at = dvec2(0.1, 0.2);
    let mut interaction = grab(&[sample(0.0, at, true)]);
    interaction.apply(&mut world, 1.0);
    let mut by_hand = world.clone();
    by_hand.release_grab();
    by_hand.grab_body(by_hand.body_ids()[0], at).unwrap();
    let usual = by_hand.grab().unwrap();
    assert_eq!(world.grab(), Some(usual));
    interaction.samples[0].strength = Some(4.0);
    interaction.apply(&mut world, 1.0);
    let strong = world.grab().unwrap();
    assert_eq!(strong.max_force, 4.0 * usual.max_force);
    assert_eq!(strong.softness.stiffness, 4.0 * usual.softness.stiffness);
    let mass = world.bodies()[0].mass_properties().mass;
    let critical = 2.0 * (strong.softness.stiffness * mass).sqrt();
    assert!((strong.softness.damping / critical - 1.0).abs() < 1e-12);
}

#[test]
fn a_recording_keeps_what_matters() {
    // Protects recordings: they do not grow while nothing happens, and a step back removes the samples after it.
    let (a, b) = (dvec2(1.0, 0.0), dvec2(2.0, 0.0));
    let mut recording = Recording::new(Tool::Repel, 3.0, 0.5);
    let given =
        [(0.0, a, false), (0.1, a, true), (0.2, a, true), (0.3, b, true), (0.4, b, false), (0.5, a, false)];
    for (time, at, pressed) in given {
        recording.push(sample(time, at, pressed));
    }
    let times = |recording: &Recording| -> Vec<f64> {
        recording.interaction().samples.iter().map(|sample| sample.time).collect()
    };
    assert_eq!(times(&recording), [0.1, 0.3, 0.4]);
    recording.push(Sample { strength: Some(4.0), ..sample(0.3, b, true) });
    recording.push(Sample { strength: Some(4.0), ..sample(0.35, b, true) });
    recording.push(Sample { strength: Some(5.0), ..sample(0.36, b, true) });
    assert_eq!(times(&recording), [0.1, 0.3, 0.36]);
    let interaction = Interaction::from(recording);
    assert_eq!((interaction.tool, interaction.strength, interaction.radius), (Tool::Repel, 3.0, 0.5));
}
