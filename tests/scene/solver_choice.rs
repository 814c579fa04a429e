//! A solver that is chosen by name is the one that solves.

use driftlab::experiment::Run;
use driftlab::scene::{Scene, catalogue};
use serde_json::{Value, json};

/// A method is what it is called, whatever else is in the world: under `pgs` a chain is swept over whether a ball 50 m away falls
/// freely or rests on a plate, and moves alike to the bit. Under a method that promises solutions equations alone are factorised.
#[test]
fn a_chain_is_solved_alike_beside_an_unrelated_contact() {
    let world = |height: f64, solver: &str| {
        let text = catalogue::find("six-link-chain").unwrap().text;
        let mut scene: Value = serde_json::from_str(text).unwrap();
        scene["settings"]["stabilizer"] = json!({"kind": "none"});
        scene["settings"]["solver"] = json!({"kind": solver});
        let bodies = scene["bodies"].as_array_mut().unwrap();
        bodies.push(json!({
            "name": "plate", "type": "fixed", "position": [50, 0], "shapes": [{"shape": "box", "size": [1, 0.2]}]
        }));
        bodies.push(json!({
            "name": "ball", "position": [50, height], "shapes": [{"shape": "circle", "radius": 0.1}]
        }));
        Scene::parse(&scene.to_string()).unwrap()
    };
    for (solver, alone, beside) in [("pgs", "pgs", "pgs"), ("newton", "ldlt", "newton")] {
        let mut runs = [20.0, 0.2].map(|height| Run::new(&world(height, solver), 100));
        for _ in 0..100 {
            let reports = runs.each_mut().map(|run| run.next().unwrap().unwrap());
            assert_eq!(reports.map(|report| report.solver), [alone, beside], "{solver}");
            assert_eq!(reports.map(|report| report.contacts), [0, 1]);
            let links = runs.each_ref().map(|run| &run.world().bodies()[..7]);
            let apart =
                links[0].iter().zip(links[1]).map(|(a, b)| (a.pose.position - b.pose.position).length());
            let most = apart.fold(0.0, f64::max);
            if solver == "pgs" {
                assert_eq!(links[0], links[1]);
            } else {
                assert!(most < 1e-9, "{most}");
            }
        }
    }
}
