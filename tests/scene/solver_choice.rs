//! A solver that is chosen by name is the one that solves.

use driftlab::experiment::Run;
use driftlab::lcp::{MixedError, Solver, solvers};
use driftlab::method::{Integrator, Level, Method, Stabilizer};
use driftlab::report::StepError;
use driftlab::scene::{Scene, catalogue};
use driftlab::schemes::{SolverNote, TABLE};
use serde_json::{Value, json};

/// A method is what it is called, whatever else is in the world: under `pgs` a chain is swept over whether a ball 50 m away falls
/// freely or rests on a plate, and moves alike to the bit. Under a method that promises solutions it moves alike to rounding.
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
    for solver in ["pgs", "newton"] {
        let mut runs = [20.0, 0.2].map(|height| Run::new(&world(height, solver), 100));
        for _ in 0..100 {
            let reports = runs.each_mut().map(|run| run.next().unwrap().unwrap());
            assert_eq!(reports.map(|report| report.contacts), [0, 1]);
            let links = runs.each_ref().map(|run| &run.world().bodies()[..7]);
            let apart =
                links[0].iter().zip(links[1]).map(|(a, b)| (a.pose.position - b.pose.position).length());
            let most = apart.fold(0.0, f64::max);
            if solver == "pgs" {
                assert_eq!(reports.map(|report| report.solver), ["pgs"; 2]);
                assert_eq!(links[0], links[1]);
            } else {
                assert!(most < 1e-9, "{most}");
            }
        }
    }
}

/// What is said before the first step comes true: for every scheme, level and solver, of a pendulum, of a disk that
/// slides on the ground with and without friction, a step fails because the solver does not take it exactly where that
/// was said, and a scheme with a solver of its own uses no other exactly where it was said that it is not used.
#[test]
fn a_solver_that_does_not_go_with_a_scheme_is_told_before_the_first_step() {
    let slider = |friction: f64| {
        let disk = json!([{"shape": "circle", "radius": 0.5}]);
        json!({
            "format": "driftlab-scene/1", "name": "slider", "gravity": [0, -9.81],
            "settings": {"time_step": 0.001},
            "bodies": [
                {"name": "ground", "type": "fixed", "position": [0, 0], "friction": friction,
                 "shapes": [{"shape": "half_plane", "normal": [0, 1], "offset": 0}]},
                {"name": "disk", "position": [0, 0.5], "velocity": [1, 0], "mass": 1, "friction": friction, "shapes": disk}
            ]
        })
    };
    let pendulum = serde_json::from_str(catalogue::find("single-pendulum").unwrap().text).unwrap();
    let mut told = [0; 3];
    for (place, world) in [pendulum, slider(0.0), slider(0.5)].into_iter().enumerate() {
        let scene = Scene::parse(&world.to_string()).unwrap();
        for (scheme, solver) in
            TABLE.iter().flat_map(|scheme| solvers().map(move |solver| (*scheme, solver)))
        {
            for &level in scheme.info().levels {
                let natural = Method::new(Stabilizer::from(scheme));
                let method = natural.at_level(level, Integrator::default()).unwrap();
                let method = Method { solver: solver.clone(), ..method };
                let case = format!("{method:?} in world {place}");
                let note = method.solver_note(&scene.world);
                let mut run = Run::under(&scene, method, 3);
                let failed = run.find_map(Result::err);
                // `direct_iterated` leaves equations alone to its factorisation.
                let own = if scheme.info().key == "direct_iterated" { "ldlt" } else { scheme.info().key };
                let by_itself = ["gauss_seidel", "block_descent", scheme.info().key, own]
                    .contains(&run.report().solver);
                match note {
                    Some(SolverNote::Unused { .. }) => {
                        told[0] += 1;
                        assert!(by_itself && failed.is_none(), "{case}");
                    }
                    Some(_) => {
                        told[if level == Level::Velocity { 1 } else { 2 }] += 1;
                        let refused =
                            matches!(failed, Some(StepError::Contact(MixedError::NotApplicable { .. }, _)));
                        assert!(refused, "{case}: {failed:?}");
                    }
                    None => assert!(
                        failed.is_none() && (!by_itself || solver.is_automatic()),
                        "{case}: {failed:?}"
                    ),
                }
            }
        }
    }
    // The schemes with a solver of their own, beside six solvers that are not `auto` in three worlds; `ldlt` meets contacts in
    // two worlds under each of the others.
    let own = TABLE.iter().filter(|scheme| !scheme.uses_solver).count();
    assert_eq!(told[0], own * 6 * 3);
    assert!(told[1] > 0 && told[2] > 0, "{told:?}");
}

/// The arch under Lemke's method by name: contacts that equations nearly hold leave more than rounding at the end of
/// its path, and the step is solved all the same.
#[test]
fn lemke_by_name_steps_the_arch() {
    let mut scene = catalogue::find("arch").unwrap().scene().unwrap();
    scene.settings.method.solver = Solver::by_key("lemke").unwrap();
    for report in Run::new(&scene, 20).map(|step| step.expect("a step")) {
        assert!(report.infeasible == 0 && report.relative_residual.is_some_and(|share| share <= 1e-9));
    }
}
