//! Non-holonomic constraints in scene files: valid and invalid input, and that saving keeps them.

use super::continuation::continues_to_the_same_bits;
use super::{edited, problems, same_bits};
use driftlab::method::Method;
use driftlab::model::NonholonomicKind;
use driftlab::model::nonholonomic::{PrescribedVelocity, Rolling, Surface, VelocityLaw};
use driftlab::scene::{Scene, catalogue};
use glam::DVec2;
use serde_json::{Value, json};

/// The problems of the sound scene with `joint` for its second one.
fn refused(joint: Value) -> Vec<String> {
    problems(&edited(|scene| scene["joints"][1] = joint))
}

fn accepted(joint: Value) -> Scene {
    Scene::parse(&edited(|scene| scene["joints"][1] = joint)).unwrap()
}

#[test]
fn a_saved_integral_continues_to_the_same_bits() {
    // Protects ∫e dt in saved scenes, with the present or the previous error in the integral, half way round a circle.
    for integral in [0.0, 1.0, 2.0] {
        let mut scene = catalogue::find("three-bar-nonholonomic").unwrap().scene().unwrap();
        let method = Method::by_key("baumgarte_acceleration").unwrap();
        scene.settings.method = method.with("integral", integral).unwrap();
        continues_to_the_same_bits(scene, 137, 200);
    }
}

#[test]
fn a_circle_without_a_start_is_where_its_point_is() {
    // Protects hand-written scenes with t > 0: at t = π/2 s the point has gone a quarter of the way round.
    let text = edited(|scene| {
        scene["state"] = json!({ "time": std::f64::consts::FRAC_PI_2 });
        scene["joints"][1] = json!({ "joint": "prescribed_velocity", "body": "slab", "anchor": [1.5, 0.5],
            "velocity": { "circle": { "center": [1.5, 0], "rate": 1 } } });
    });
    let scene = Scene::parse(&text).unwrap();
    let NonholonomicKind::PrescribedVelocity(PrescribedVelocity { law, .. }) =
        scene.world.nonholonomic()[0].kind
    else {
        panic!("another kind");
    };
    let VelocityLaw::Circle { start, .. } = law else { panic!("another law") };
    assert!(start.distance(DVec2::new(2.0, 0.0)) < 1e-15, "{start}");
}

#[test]
fn the_surface_is_that_of_the_shapes() {
    // Protects `rolling` without a normal: straight on a plane, round on a circle.
    let surface = |scene: &Scene| match scene.world.nonholonomic()[0].kind {
        NonholonomicKind::Rolling(Rolling { surface, .. }) => surface,
        _ => panic!("another kind"),
    };
    let plane = accepted(json!({ "joint": "rolling", "body": "slab", "on": "floor", "radius": 2 }));
    assert_eq!(surface(&plane), Surface::Straight(DVec2::Y));
    let wheel = catalogue::find("rolling-constraint").unwrap().scene().unwrap();
    let Surface::Straight(normal) = surface(&wheel) else { panic!("a round plane") };
    assert!(normal.distance(DVec2::new(0.3_f64.sin(), 0.3_f64.cos())) < 1e-12, "{normal}");
    let kinds: Vec<_> = wheel.world.nonholonomic().iter().map(|own| own.kind.clone()).collect();
    assert!(matches!(&kinds[1], NonholonomicKind::Rolling(Rolling { surface: Surface::Round(center), .. })
        if *center == DVec2::ZERO));
    let saved = Scene::parse(&wheel.to_json()).unwrap();
    assert!(same_bits(&wheel, &saved));
    assert_eq!(wheel, saved);
}

#[test]
fn what_cannot_be_held_is_refused_with_its_place() {
    // Protects against a constraint that would have no effect or another than meant.
    let blade = json!({ "joint": "knife_edge", "body": "wall", "anchor": [0, 0], "axis": [1, 0] });
    assert_eq!(refused(blade), ["joints[1].body: expected a dynamic body: forces do not move this one"]);
    let blade = json!({ "joint": "knife_edge", "body": "link", "axis": [0, 0], "motor": 1 });
    let found = refused(blade);
    assert!(
        found[0].starts_with("joints[1].anchor: this key is missing (expected a point [x, y])"),
        "{found:?}"
    );
    assert!(
        found[1].starts_with("joints[1].axis: expected a direction [x, y] that is not [0, 0]"),
        "{found:?}"
    );
    assert!(found[2].starts_with("joints[1].motor: unknown key"), "{found:?}");
    let circle = json!({ "joint": "prescribed_velocity", "body": "link", "anchor": [0, 0],
        "velocity": { "circle": { "center": [0, 0] } } });
    assert_eq!(
        refused(circle),
        ["joints[1].velocity.circle.rate: this key is missing (expected a number of rad/s)"]
    );
    let same = json!({ "joint": "rolling", "body": "link", "on": "link", "radius": 1, "normal": [0, 1] });
    assert_eq!(
        refused(same),
        ["joints[1]: expected two different bodies, found the same as 'body' and 'on'"]
    );
    let bare = json!({ "joint": "rolling", "body": "link", "on": "wall", "radius": 1 });
    assert!(refused(bare)[0].contains("expected 'normal' of a straight one or 'center' of a round one"));
    let both = json!({ "joint": "rolling", "body": "link", "on": "floor", "radius": 1, "normal": [0, 1],
        "center": [0, 0] });
    assert!(refused(both)[0].contains("found both"));
    let text = edited(|scene| scene["state"] = json!({ "integrals": [[0, 0]] }));
    assert_eq!(
        problems(&text),
        ["state.integrals: expected the integrals of 0 non-holonomic constraints, found 1"]
    );
}

#[test]
fn saved_forces_count_joints_alone() {
    // Protects `state.joint_forces` of a file whose `joints` contain both holonomic and non-holonomic constraints.
    let text = edited(|scene| {
        scene["joints"][1] =
            json!({ "joint": "knife_edge", "body": "slab", "anchor": [1.5, 0], "axis": [1, 0] });
        scene["state"] = json!({ "joint_forces": [[1, 2, 0]], "integrals": [[0.5, 0]] });
    });
    let scene = Scene::parse(&text).unwrap();
    assert_eq!(scene.world.joints()[0].force, [1.0, 2.0, 0.0]);
    assert_eq!(scene.world.nonholonomic()[0].integral, [0.5, 0.0]);
    assert_eq!(scene, Scene::parse(&scene.to_json()).unwrap());
}

#[test]
fn the_three_bars_keep_their_references() {
    // Protects the published figures in the scene file, each under its own scheme.
    let scene = catalogue::find("three-bar-nonholonomic").unwrap().scene().unwrap();
    let parts = ["hong-2a", "hong-2b"].map(Some);
    let own = scene.references.iter().filter(|reference| parts.contains(&reference.figure.as_deref()));
    assert_eq!(own.clone().count(), 4);
    for reference in own {
        let method = Method::new(reference.stabilizer.clone().unwrap());
        let mut run = driftlab::experiment::Run::under(&scene, method.clone(), 5000);
        let mut summary = driftlab::experiment::Summary::under(&scene, &method, run.initial());
        for report in &mut run {
            summary.add(&report.unwrap());
        }
        let judged = summary.references.iter().filter(|verdict| verdict.holds.is_some());
        assert!(judged.clone().count() >= 2);
        for verdict in judged {
            let measured = verdict.measured.unwrap();
            let label = &verdict.label;
            assert!((measured / verdict.expected - 1.0).abs() < 0.05, "{label}: {measured:.3e}");
        }
    }
}
