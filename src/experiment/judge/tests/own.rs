//! Our own runs as recordings: momentum closes to rounding, the work is split as the run's own report splits it, and a fork
//! goes on as the run has gone on.

use super::{judged, opened};
use crate::experiment::Run;
use crate::experiment::judge::{Fork, StepFigures, StepProblem};
use crate::experiment::recording::RunRecorder;
use crate::method::{Method, Stabilizer};
use crate::report::{StepReport, Work};
use crate::scene::{Scene, catalogue};

/// Steps of a run of a shipped scene under a scheme, or its own, as a recording with the reports.
fn recorded(key: &str, scheme: Option<&str>, steps: u64) -> (Vec<u8>, Vec<StepReport>) {
    let scene = catalogue::find(key).map(|entry| entry.scene());
    let mut scene: Scene =
        scene.unwrap_or_else(|| panic!("no scene {key}")).unwrap_or_else(|_| panic!("{key}"));
    if let Some(scheme) = scheme {
        let stabilizer = Stabilizer::by_key(scheme).unwrap_or_else(|| panic!("no scheme {scheme}"));
        scene.settings.method = Method { stabilizer, ..scene.settings.method.clone() };
        scene.settings.method = scene.settings.method.at_step(scene.settings.time_step);
    }
    let mut run = Run::new(&scene, steps);
    let mut recorder = RunRecorder::new(Vec::new(), &scene, &run).unwrap_or_else(|error| panic!("{error}"));
    let mut reports = Vec::new();
    while let Some(report) = run.next() {
        let report = report.unwrap_or_else(|error| panic!("{key}: {error}"));
        // What breaks is gone from the next line on, and with it this comparison.
        recorder.add(&run).unwrap_or_else(|error| panic!("{error}"));
        reports.push(report);
    }
    (recorder.into_inner(), reports)
}

/// The parts of a report's work beside those of the judge.
fn both(report: &StepReport, step: &StepFigures) -> Vec<(&'static str, [f64; 2])> {
    let Work { gravity, springs, motors, drivers, hand, friction, impacts, drag, method, .. } = report.work;
    let own = step.work.unwrap_or_else(|| panic!("step {} is not split", step.step));
    vec![
        ("gravity", [gravity, own.gravity]),
        ("springs", [springs, own.springs]),
        ("applied", [report.applied_work, own.applied]),
        ("motors", [motors, own.motors]),
        ("drivers", [drivers, own.drivers]),
        ("hand", [hand, own.hand]),
        ("friction", [friction, own.friction]),
        ("impacts", [impacts, own.impacts]),
        ("drag", [drag, own.drag]),
        ("method", [method, own.method + own.other]),
    ]
}

/// Judges a run of a scene; its work differs from the reports' by at most `share` of what is turned over in a step.
fn agrees(key: &str, scheme: Option<&str>, steps: u64, share: f64) {
    let (text, reports) = recorded(key, scheme, steps);
    let (found, whole) = judged(text);
    assert_eq!(found.len(), reports.len());
    let roundings = whole.momentum.map(|own| own.roundings.largest);
    assert!(roundings.is_some_and(|own| own < 400.0), "{key}, {scheme:?}: {roundings:?} roundings");
    let scale = reports.iter().map(|own| own.kinetic_energy.abs()).fold(0.0, f64::max);
    for (report, step) in reports.iter().zip(&found) {
        let parts = both(report, step);
        let turned = parts.iter().flat_map(|(_, both)| both.map(f64::abs)).fold(1e-6 * scale, f64::max);
        for (name, [own, judged]) in parts {
            assert!(
                (own - judged).abs() <= share * turned,
                "{key}, {scheme:?}, step {}: {name} {own} J, judged {judged} J of {turned}",
                step.step
            );
        }
        let errors = report.joint_errors;
        let largest = step.joint_error.unwrap_or_default();
        assert!(largest >= errors.metre * (1.0 - 1e-9) - 1e-15, "{key}: {largest}, {errors:?}");
        assert!(
            largest <= 1.5 * errors.metre + 1e-15 || errors.square_metre > 0.0,
            "{key}: {largest}, {errors:?}"
        );
        if let Some(overlap) = step.penetration {
            assert!(
                (overlap - report.contact_error).abs() <= 1e-12,
                "{key}: {overlap}, {}",
                report.contact_error
            );
        }
        assert!(
            (step.potential - report.potential_energy).abs()
                <= 1e-9 * report.potential_energy.abs().max(1.0)
        );
    }
}

/// Joints, motors, springs, drivers and damping, under schemes of each family.
#[test]
fn work_of_mechanisms_is_split_as_their_reports_split_it() {
    for scheme in ["none", "baumgarte_velocity", "post_stabilization", "rattle", "soft", "ngs", "xpbd"] {
        agrees("six-link-chain", Some(scheme), 60, 1e-7);
        agrees("ragdoll", Some(scheme), 60, 1e-3);
    }
    for key in [
        "driven-pendulum",
        "spring-pendulum",
        "four-bar-loop",
        "slider-crank",
        "sprung-car",
        "terminal-speed",
    ] {
        agrees(key, None, 60, 1e-3);
    }
}

/// Contacts with friction, rolling, belts and impacts, under schemes of each family.
#[test]
fn work_of_contacts_is_split_as_their_reports_split_it() {
    // A line states the point of the end of the step, friction acts at that of its beginning: what of an impulse is friction is
    // known to what bodies turn meanwhile.
    for (scheme, share) in [("anitescu_hart", 1e-4), ("split_impulse", 1e-4), ("ngs", 1e-4), ("soft", 1e-3)]
    {
        agrees("vertical-stack", Some(scheme), 40, share);
        agrees("block-on-incline", Some(scheme), 40, share);
    }
    for key in ["conveyor", "rolling-disk", "bouncing-ball", "rolling-resistance"] {
        agrees(key, None, 100, 1e-3);
    }
    // Boxes that fall 0.2 m in a step: friction acted half way between the surfaces, which touch in the line.
    agrees("friction-ramp", None, 100, 3e-2);
}

/// A fork of joints alone under `none` has the later poses to the bit, since nothing but the state goes on.
#[test]
fn a_fork_goes_on_as_the_run_has_gone_on() {
    for (key, tolerance) in [("six-link-chain", 0.0), ("double-pendulum", 0.0), ("vertical-stack", 1e-9)] {
        let scheme = if tolerance == 0.0 { "none" } else { "anitescu_hart" };
        let (text, _) = recorded(key, Some(scheme), 60);
        let mut recording = opened(text);
        let fork = Fork::at(&mut recording, Some(29)).unwrap_or_else(|problems| panic!("{problems:?}"));
        let scene = fork.scene.saved().unwrap_or_else(|problems| panic!("{problems:?}"));
        let scene = Scene::parse(&scene).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(scene.world.time(), recording.times()[29]);
        let mut run = Run::new(&scene, 30);
        for place in 30..60 {
            run.next().unwrap_or_else(|| panic!("ended")).unwrap_or_else(|error| panic!("{error}"));
            let (step, _) = recording.step(place).unwrap_or_else(|problems| panic!("{problems:?}"));
            for (body, q) in run.world().bodies().iter().zip(&step.q) {
                let [x, y, angle] = q.unwrap_or_default();
                let apart = [body.origin().x - x, body.origin().y - y, body.pose.angle - angle];
                assert!(apart.iter().all(|apart| apart.abs() <= tolerance), "{key}, {place}: {apart:?}");
            }
        }
    }
}

/// A soft weld at the end of a board obeys its law, in force and torque, though its force has a moment about the board's centre;
/// told a tenth too stiff in one of both, it does not, and momentum closes all the same.
#[test]
fn a_soft_joint_that_is_told_wrong_is_told_by_its_law() {
    let (text, _) = recorded("diving-board", None, 200);
    let text = String::from_utf8(text).unwrap_or_default();
    let share = |text: &str| {
        let judged = super::judged(text).1;
        assert!(judged.momentum.is_some_and(|own| own.roundings.largest < 64.0), "{:?}", judged.momentum);
        judged.spring_share.unwrap_or_else(|| panic!("the weld is not judged")).mean
    };
    assert_eq!(share(&text), 0.0);
    for (right, wrong) in [
        ("\"angular_stiffness\":1000", "\"angular_stiffness\":1100"),
        ("\"stiffness\":1000000", "\"stiffness\":1100000"),
    ] {
        let told = text.replacen(right, wrong, 1);
        assert_ne!(told, text);
        assert!(share(&told) > 1e-3, "{wrong}: {}", share(&told));
    }
}

/// The problem of one of our own steps has the recorded impulses as its solution.
#[test]
fn the_problem_of_our_own_step_is_solved_by_our_own_impulses() {
    for (key, scheme, place) in [
        ("six-link-chain", "none", 20),
        ("ragdoll", "anitescu_hart", 30),
        ("vertical-stack", "anitescu_hart", 20),
    ] {
        let (text, _) = recorded(key, Some(scheme), 40);
        let found = StepProblem::of(&mut opened(text), place, None).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(found.unmatched[0], 0, "{key}");
        let speed = found.exact.rows().len();
        assert!(speed > 0 && found.theirs.iter().any(|own| own.is_some_and(|own| own != 0.0)));
        for (row, residual) in found.residual.iter().enumerate() {
            let name = found.exact.name(&found.world, row);
            assert!(residual.abs() < 1e-7, "{key}, {name}: {residual} m/s, {:?}", found.theirs[row]);
        }
    }
}
