//! Worlds that contradict themselves do not stop a run of `auto`: what has a solution is solved, what has none is met
//! with the least violation, bounded and counted; and forces without a solution are said to have none.

use driftlab::experiment::Run;
use driftlab::lcp::{MixedError, Solver};
use driftlab::method::Method;
use driftlab::report::StepError;
use driftlab::scene::{Scene, catalogue};

/// Scenes at whose named step every attempt failed, halved steps included; all minimised from random worlds.
const CONFLICTS: [(&str, u64); 4] = [
    (include_str!("conflicts/bv-pile-10667.json"), 3),
    (include_str!("conflicts/none-velocity-pile-8453.json"), 45),
    (include_str!("conflicts/ray-64.json"), 1),
    (include_str!("conflicts/ray-102.json"), 1),
];

fn scene(text: &str) -> Scene {
    Scene::parse(text).expect("a scene of this folder")
}

/// m: ten times the size of these scenes' bodies, whose overlaps are what constraints ask to remove in one step.
const FARTHEST: f64 = 10.0;

/// The step goes on, its violation is counted, and no body moves farther in it than ten times the size of the scene.
#[test]
fn a_conflict_is_met_counted_and_bounded() {
    for (text, step) in CONFLICTS {
        let scene = scene(text);
        let name = &scene.name;
        let mut run = Run::new(&scene, step);
        let last = run.by_ref().map(|step| step.unwrap_or_else(|error| panic!("{name}: {error}"))).last();
        let report = last.expect("a step");
        assert_eq!(report.step, step, "{name}");
        assert!(report.infeasible > 0, "{name}: a violation that is not counted");
        let fastest =
            run.world().bodies().iter().map(|body| body.velocity.linear.length()).fold(0.0, f64::max);
        assert!(fastest * scene.settings.time_step < FARTHEST, "{name}: {fastest} m/s");
    }
}

/// Islands that a blow-up has carried 10⁵ to 10¹² m away: levers of that length leave no digits for a method that
/// factorises, and every one gave up. Impulses need not stop a run: each step goes on with finite numbers and counts
/// what it violates.
#[test]
fn what_rounding_spoils_goes_on() {
    for text in [
        include_str!("conflicts/far-press-2475.json"),
        include_str!("conflicts/far-joint-4398.json"),
        include_str!("conflicts/far-loop-7003.json"),
    ] {
        let scene = scene(text);
        let name = &scene.name;
        let reports = Run::new(&scene, 3);
        let reports: Vec<_> = reports.map(|step| step.unwrap_or_else(|e| panic!("{name}: {e}"))).collect();
        assert!(reports[0].infeasible > 0, "{name}: a violation that is not counted");
        assert!(reports.iter().all(|report| report.kinetic_energy.is_finite()), "{name}");
    }
}

/// A problem of impulses without a solution: the paradox of sliding friction is none of it, and the velocity level is
/// where it is posed.
#[test]
fn impulses_without_a_solution_are_not_taken_for_forces() {
    let mut scene = scene(include_str!("conflicts/none-velocity-pile-8453.json"));
    scene.settings.method.solver = Solver::by_key("lemke").expect("a solver");
    let error = Run::new(&scene, 100).find_map(Result::err).expect("a problem without a solution");
    assert!(matches!(error, StepError::Contact(MixedError::Ray { .. }, Some(_))), "{error:?}");
    let text = error.to_string();
    assert!(!text.contains("Painlevé") && !text.contains("the velocity level"), "{text}");
}

/// Three bodies on a floor whose corrections once lifted a corner out of the next step's sight, until constraints
/// contradicted each other: no step stops, and none is violated.
#[test]
fn a_pile_without_a_conflict_goes_on() {
    let scene = scene(include_str!("conflicts/ps-pile-4412.json"));
    let reports = Run::new(&scene, 20).map(|step| step.expect("a step"));
    assert_eq!(reports.map(|report| report.infeasible).collect::<Vec<_>>(), [0; 20]);
}

/// A body that two hinges fix, and sliding contacts on it: in forces each of the 2² combinations of open and pressing contacts
/// contradicts a row, which is Painlevé's paradox. The message says so, and what goes on.
#[test]
fn forces_without_a_solution_are_proved_to_have_none() {
    let scene = scene(include_str!("conflicts/newton-82.json"));
    let mut run = Run::new(&scene, 10);
    let error = run.find_map(Result::err).expect("a problem without a solution");
    assert!(matches!(error, StepError::Contact(MixedError::NoSolution { .. }, _)), "{error:?}");
    assert!(error.to_string().contains("the velocity level"), "{error}");
}

/// A pyramid whose boxes overlap by millimetres, as soft constraints leave it, under schemes that ask for the gaps:
/// each of its interfaces is two contacts whose normals differ by the tilt of the boxes, 1e-7 to 1e-4, so that only one
/// of the two can stick. Its separating velocities exist (bodies that move away from a point separate), and so does a
/// solution; it is found from these starts. From others the first step is met with the least violation, and counted.
#[test]
fn a_pyramid_that_overlaps_is_solved() {
    for steps in [25, 30, 60] {
        let mut scene =
            catalogue::find("pyramid-10").expect("a shipped scene").scene().expect("it is valid");
        let method =
            Method::by_key("soft").expect("a scheme").with("contact_hertz", 15.0).expect("a parameter");
        let mut soft = Run::under(&scene, method, steps);
        soft.by_ref().for_each(|step| assert!(step.is_ok()));
        scene.world = soft.world().clone();
        for scheme in ["anitescu_hart", "baumgarte_velocity"] {
            let run = Run::under(&scene, Method::by_key(scheme).expect("a scheme"), 2);
            for report in run.map(|step| step.expect("a step")) {
                assert_eq!(report.infeasible, 0, "{scheme}");
                assert!(
                    report.relative_residual.is_some_and(|share| share <= 1e-9),
                    "{scheme}: {report:?}"
                );
            }
        }
    }
}
