//! The fastest rate that a report tells, √(load / inertia), from which time steps are judged: of one bar by theory, of
//! chains from the forces of their joints.

use driftlab::experiment::Run;
use driftlab::scene::{Scene, catalogue};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// The fastest rate of a bar that hangs from a hinge at its end is √(6 g/L): the hinge carries m g at the arm L/2.
#[test]
fn the_fastest_rate_is_that_of_the_load() {
    let text = r#"{ "format": "driftlab-scene/1", "name": "Bar", "settings": { "time_step": 0.001 }, "bodies": [
        { "name": "wall", "type": "fixed", "position": [0, 0] },
        { "name": "bar", "position": [0, -0.6], "shapes": [{ "shape": "box", "size": [0.02, 1.2] }] }],
        "joints": [{ "joint": "hinge", "bodies": ["wall", "bar"], "anchor": [0, 0] }] }"#;
    let scene = Scene::parse(text).unwrap();
    let report = Run::new(&scene, 3).map(Result::unwrap).last().unwrap();
    let inertia: f64 = (1.2 * 1.2 + 0.02 * 0.02) / 12.0;
    let expected = (9.81 * 0.6 / inertia).sqrt();
    assert!(
        (report.fastest_rate - expected).abs() < 1e-12 * expected,
        "{} {expected}",
        report.fastest_rate
    );
}

/// In a swinging chain the fastest rate is √(max |Σ F·r| / I) of its links, from the joints' forces as the world keeps
/// them; of an even and of an odd number of hinges, which are measured two at a time.
#[test]
fn the_fastest_rate_of_a_chain_is_that_of_its_forces() {
    let scene = catalogue::find("six-link-chain").unwrap().scene().unwrap();
    for links in [6, 5] {
        let mut world = scene.world.clone();
        if links == 5 {
            let last = *world.body_ids().last().unwrap();
            world.remove_body(last).unwrap();
        }
        assert_eq!(world.joints().len(), links);
        let mut workspace = Workspace::default();
        for made in 0..200 {
            let report =
                step(&mut world, &scene.settings.method, scene.settings.time_step, &mut workspace).unwrap();
            let mut pulled = vec![0.0; world.bodies().len()];
            for joint in world.joints() {
                let force = DVec2::new(joint.force[0], joint.force[1]);
                for ((body, anchor), sign) in
                    joint.bodies().into_iter().zip(joint.kind.anchors()).zip([-1.0, 1.0])
                {
                    let arm = DVec2::from_angle(world.bodies()[body].pose.angle).rotate(anchor);
                    pulled[body] += sign * force.dot(arm);
                }
            }
            let bodies = world.bodies().iter().zip(&pulled).filter(|(body, _)| body.is_dynamic());
            let square = bodies
                .map(|(body, pulled)| pulled.abs() / body.mass_properties().inertia)
                .fold(0.0, f64::max);
            let expected = f64::sqrt(square);
            let apart = (report.fastest_rate - expected).abs();
            assert!(
                apart < 1e-10 * expected,
                "{links} links, step {made}: {} {expected}",
                report.fastest_rate
            );
        }
    }
}
