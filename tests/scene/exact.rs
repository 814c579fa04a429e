//! What users who cite the engine's numbers rely on, in worlds where it once failed: a step is solved or reported as without a
//! solution, corrections do not throw bodies about, and no result depends on an absolute length.

use driftlab::experiment::Run;
use driftlab::lcp::{Ending, Solver, Start};
use driftlab::method::{Method, Stabilizer};
use driftlab::report::StepReport;
use driftlab::scene::{Scene, catalogue};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;
use serde_json::Value;

/// Largest residual of a solved step, relative to the problem's speed.
const PROMISED: f64 = 1e-9;

fn world(name: &str) -> Scene {
    let path = format!("{}/tests/worlds/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Scene::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The scene under `scheme`, solved by `solver`.
fn under(scene: &Scene, scheme: &str, solver: &str) -> Method {
    let mut method = scene.settings.method.clone();
    method.stabilizer = Stabilizer::by_key(scheme).unwrap();
    method.solver = Solver::by_key(solver).unwrap();
    method
}

/// The reports of up to `steps` steps, until one fails.
fn reports(scene: &Scene, method: Method, steps: u64) -> Vec<StepReport> {
    Run::under(scene, method, steps).map_while(Result::ok).collect()
}

fn keeps_the_promise(report: &StepReport) -> bool {
    report.infeasible > 0 || report.relative_residual.is_none_or(|share| share <= PROMISED)
}

/// Every step with a welded loop in a pile is solved to the accepted residual or counted as infeasible, and the run continues,
/// although the loop drifts until its rows contradict each other by 1e-7 m/s; the tenth to twelfth step are counted as
/// infeasible.
#[test]
fn conflicts_inside_contact_islands_are_counted() {
    let scene = world("welded-loop-in-a-pile");
    let reports = reports(&scene, under(&scene, "none", "auto"), 300);
    assert_eq!(reports.len(), 300);
    assert!(reports.iter().all(keeps_the_promise));
    assert!(reports[9..12].iter().all(|report| report.infeasible > 0 && report.residual > 5e-8));
}

/// Welds and a rod that are wedged by contacts nearly contradict each other: meeting all rows takes impulses of 1e6 N s. Under
/// `auto` every step is solved to the accepted residual or counted as infeasible; a solver chosen by name may fail, but every
/// step that it makes is, too.
#[test]
fn wedged_rows_are_solved_counted_or_refused() {
    let scene = world("wedged-welds");
    let by_auto = reports(&scene, under(&scene, "none", "auto"), 50);
    assert_eq!(by_auto.len(), 50);
    assert!(by_auto.iter().all(keeps_the_promise));
    for solver in ["newton", "homotopy", "interior", "lemke"] {
        assert!(
            reports(&scene, under(&scene, "none", solver), 50).iter().all(keeps_the_promise),
            "{solver}"
        );
    }
}

/// Post-stabilization has no absolute dead zone: in a pile of grains of 30 µm the joint error ends below 1e-18 m, which a
/// tolerance of 1e-9 m would not achieve, and that of angles at some last digits of theirs.
#[test]
fn joint_errors_of_small_grains_end_at_their_own_rounding() {
    let scene = world("pile-of-grains");
    let reports = reports(&scene, under(&scene, "post_stabilization", "auto"), 500);
    let last = reports.last().unwrap();
    let errors = last.joint_errors;
    assert!(reports.len() == 500 && errors.metre < 1e-18 && errors.radian < 1e-15, "{last:?}");
    assert!(reports.iter().all(keeps_the_promise));
}

/// A box of a million times the mass on a light one makes all 400 steps under `newton`, `homotopy`, `interior` and `auto`: the
/// rounding of its impulses is not taken for a failure.
#[test]
fn rounding_at_large_mass_ratios_is_no_failure() {
    let scene = world("heavy-box-on-a-light-one");
    for solver in ["interior", "newton", "homotopy", "auto"] {
        let made = reports(&scene, under(&scene, "post_stabilization", solver), 400).len();
        assert_eq!(made, 400, "{solver}");
    }
}

/// Bodies that compression has stopped have no speed of which a residual of decompression could be a share, but its
/// rounding: 7e-18 m/s were told as 1e112 of the speed, and a solved problem as one met as far as possible.
#[test]
fn decompression_of_bodies_at_rest_is_solved() {
    let scene = world("pressed-grains");
    let reports = reports(&scene, scene.settings.method.clone(), 10);
    assert_eq!(reports.len(), 10);
    assert!(
        reports
            .iter()
            .all(|report| report.relative_residual.unwrap() <= PROMISED && report.infeasible == 0)
    );
}

/// No pose satisfies both the weld and the contact of two welded boxes that overlap by 0.28 m: the correction moves them to the
/// minimum of Σ g²/A and keeps them there, and every step reports an infeasible problem or a damped correction.
#[test]
fn a_weld_between_overlapping_boxes_is_met_half_way() {
    let scene = world("welded-overlap");
    let reports = reports(&scene, scene.settings.method.clone(), 200);
    assert_eq!(reports.len(), 200);
    assert!(reports.iter().all(|report| report.infeasible > 0 || report.damped_corrections > 0));
    let [tenth, last] = [reports[9], reports[199]];
    assert!(
        (0.05..0.2).contains(&last.joint_error) && (0.05..0.2).contains(&last.contact_error),
        "{last:?}"
    );
    assert!((last.joint_error - tenth.joint_error).abs() < 1e-6, "{tenth:?} {last:?}");
    assert!(reports.iter().all(|report| report.joint_error < 0.2));
}

/// The stored contact impulse of an impact is the change of momentum, whichever solve produced it: m v = 3.39 N s at the
/// acceleration level and 3.34 N s under projection, where the impact is one step earlier.
#[test]
fn impulses_of_impacts_are_saved() {
    let scene = world("falling-ball");
    let none = under(&scene, "none", "auto");
    let acceleration = none.at_level(driftlab::method::Level::Acceleration, Default::default()).unwrap();
    for (method, steps) in [(acceleration, 8), (under(&scene, "projection", "auto"), 7)] {
        let mut world = scene.world.clone();
        let mut workspace = Workspace::default();
        let mut before = 0.0;
        for _ in 0..steps {
            before = world.bodies()[1].velocity.linear.y;
            step(&mut world, &method, scene.settings.time_step, &mut workspace).unwrap();
        }
        // The ball of 1 kg stops: its momentum and the weight of the step.
        let expected = -before + 9.81 * scene.settings.time_step;
        let [contact] = world.contacts() else { panic!("{:?}", world.contacts()) };
        assert!((contact.impulse[0] - expected).abs() < 1e-13, "{:?}", contact.impulse);
    }
}

/// Keys of lengths, and of what is proportional to one, in a scene file.
const LENGTHS: [&str; 17] = [
    "gravity",
    "position",
    "velocity",
    "size",
    "radius",
    "semi_axes",
    "length",
    "vertices",
    "points",
    "offset",
    "anchor",
    "anchors",
    "anchor_a",
    "anchor_b",
    "active_distance",
    "contact_tolerance",
    "max_correction",
];

fn scaled(value: &mut Value, factor: f64, inside: bool) {
    match value {
        Value::Object(map) => {
            map.remove("reference");
            for (key, value) in map.iter_mut() {
                scaled(value, factor, inside || LENGTHS.contains(&key.as_str()));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| scaled(value, factor, inside)),
        Value::Number(number) if inside => *value = (number.as_f64().unwrap() * factor).into(),
        _ => {}
    }
}

/// No result depends on an absolute length: a world in which every length, speed and weight is 2⁻²⁰ times as large moves in the
/// same way to the last bit, since scaling by a power of two does not round.
#[test]
fn a_world_a_million_times_smaller_moves_alike() {
    const FACTOR: f64 = 1.0 / (1 << 20) as f64;
    let scenes = [
        "six-link-chain",
        "four-bar-loop",
        "redundant-loop",
        "double-pendulum",
        "ellipse-on-tabletop",
        "card-house",
        "disks-between-walls",
        "pyramid-10",
        "slider-crank",
        "ragdoll",
        "rolling-disk",
        "vertical-stack",
        "newtons-cradle",
    ];
    let schemes = [
        "none",
        "baumgarte_velocity",
        "baumgarte_acceleration",
        "post_stabilization",
        "anitescu_hart",
        "implicit",
        "projection",
        "rattle",
        "xpbd",
    ];
    for key in scenes {
        let text = catalogue::find(key).unwrap().text;
        let mut small: Value = serde_json::from_str(text).unwrap();
        scaled(&mut small, FACTOR, false);
        let [large, small] = [text.to_owned(), small.to_string()].map(|text| Scene::parse(&text).unwrap());
        for scheme in schemes {
            let method = under(&large, scheme, "auto");
            let own = Method { contact: small.settings.method.contact, ..method.clone() };
            let mut worlds = [large.world.clone(), small.world.clone()];
            let mut workspaces = [Workspace::default(), Workspace::default()];
            for made in 0..25 {
                let h = large.settings.time_step;
                let done = [
                    step(&mut worlds[0], &method, h, &mut workspaces[0]),
                    step(&mut worlds[1], &own, h, &mut workspaces[1]),
                ];
                assert_eq!(done[0].is_ok(), done[1].is_ok(), "{key} under {scheme}, step {made}: {done:?}");
                if done[0].is_err() {
                    break;
                }
                for (body, (one, other)) in worlds[0].bodies().iter().zip(worlds[1].bodies()).enumerate() {
                    let same = |x: DVec2, y: DVec2| x * FACTOR == y;
                    assert!(
                        same(one.pose.position, other.pose.position)
                            && same(one.velocity.linear, other.velocity.linear)
                            && one.pose.angle == other.pose.angle,
                        "{key} under {scheme}, step {made}, body {body}: {:?} {:?}",
                        one.pose,
                        other.pose
                    );
                }
            }
        }
    }
}

/// Unresolved motion and failed corrections are reported. With a ball of ten thousand times a link's mass at the end of a
/// chain, steps of 1 ms do not resolve the links' oscillation under its weight, √(12 T/(m L)) = 3400 rad/s when hanging; if
/// post-stabilization loses the chain, the share of the error that its correction left is above one half. With steps of
/// 10 µs, and for the chain without the ball, neither is reported.
#[test]
fn a_chain_that_is_lost_is_said_to_be() {
    let scene = world("heavy-end-of-a-chain");
    let reports = reports(&scene, scene.settings.method.clone(), 1500);
    let lost =
        reports.iter().filter(|report| report.correction_left.is_some_and(|left| left > 0.5)).count();
    let unresolved = reports.iter().filter(|report| 1e-3 * report.fastest_rate > 1.0).count();
    assert!(unresolved > 100, "{unresolved}");
    assert!(lost > 0 || reports.iter().all(|report| report.joint_error < 1.0), "lost without a word");

    let mut fine = scene.clone();
    fine.settings.time_step = 1e-5;
    for report in Run::new(&fine, 2000).map(Result::unwrap) {
        assert!(report.correction_left.is_none_or(|left| left < 0.1), "{report:?}");
        assert!(1e-5 * report.fastest_rate < 0.5, "{report:?}");
    }
    let light = catalogue::find("six-link-chain").unwrap().scene().unwrap();
    let method = under(&light, "post_stabilization", "auto");
    for report in Run::under(&light, method, 600).map(Result::unwrap) {
        assert!(report.correction_left.is_none_or(|left| left < 0.1), "{report:?}");
        assert!(light.settings.time_step * report.fastest_rate < 1.0, "{report:?}");
    }
}

/// The trail of a solve names the solvers that were tried, where each started and the residual that it left; with one island
/// the report's iterations are the sum over the attempts.
#[test]
fn the_trail_counts_every_attempt_with_its_residual() {
    let scene = world("wedged-welds");
    let reports = reports(&scene, under(&scene, "none", "auto"), 5);
    let trail = reports[3].trail;
    let brief = trail.brief();
    assert!(trail.attempts().len() > 1, "{trail}");
    assert!(
        trail.attempts().iter().all(|attempt| brief.contains(&format!("{}:", attempt.solver))),
        "{trail}"
    );
    assert_eq!(trail.iterations(), reports[3].solver_iterations, "{trail}");
    // The welds contradict the wedge: no solver's residual counts as solved.
    let (first, last) = (trail.attempts()[0], trail.attempts()[trail.attempts().len() - 1]);
    assert!(first.residual.is_some_and(|left| left > 1e-9), "{first:?}");
    assert!(last.residual.is_some_and(|left| left > 1e-9), "{last:?}");
    assert_eq!((first.from, last.ending), (Start::WarmStart, Ending::LeastViolation), "{trail}");
    let alone = under(&scene, "none", "lemke");
    let first = Run::under(&scene, alone, 1).map(Result::unwrap).last().unwrap();
    assert!(first.trail.brief().starts_with("lemke:"), "{}", first.trail);
}
