//! The fuzz targets: each takes bytes and panics if a promise is broken. libFuzzer drives them from `fuzz/`, and the driver in
//! `mod.rs` on stable Rust.

use super::dense::{self, assert_certificate, assert_solved};
use super::judge::{Judge, Tried};
use super::passive;
use super::source::Source;
use super::tally::Tally;
use super::worlds;
use driftlab::experiment::judge::{self as judging, Fork};
use driftlab::experiment::recording::{Recording, RecordingProblem};
use driftlab::experiment::sweep::{Table, merge};
use driftlab::experiment::{ProblemLine, Run, problem_line};
use driftlab::lcp::{
    ACCEPTED, COMPLEMENTARITY, LcpProblem, MixedError, MixedOutcome, MixedWorkspace, solvers,
};
use driftlab::model::World;
use driftlab::parameter::Values;
use driftlab::scene::{Scene, is_unsafe};
use glam::DVec3;
use std::io::Cursor;

/// A target by its name.
pub type Target = fn(&[u8], &mut Tally);

/// All targets that need no window.
pub const TARGETS: [(&str, Target); 8] = [
    ("scene_text", scene_text),
    ("round_trip", round_trip),
    ("world", world),
    ("mixed", mixed),
    ("lcp", dense::lcp),
    ("lcp_line", lcp_line),
    ("merge", merge_parts),
    ("recording", recording),
];

/// Bodies of a scene that is stepped at most, so that one input takes milliseconds.
const STEPPED: usize = 60;

/// A text is a scene or has errors that can be shown, each on a line of its own; a scene can be stepped.
pub fn scene_text(data: &[u8], tally: &mut Tally) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Scene::parse(text) {
        Ok(scene) if scene.world.bodies().len() <= STEPPED => {
            let mut run = Run::new(&scene, 2);
            let mut made = 0;
            while let Some(Ok(_)) = run.next() {
                assert_finite(run.world());
                made += 1;
            }
            tally.count(if made == 2 {
                "a scene that makes its steps"
            } else {
                "a scene whose step fails with an error"
            });
        }
        Ok(_) => tally.count("a scene too large to be stepped here"),
        Err(problems) => {
            tally.count("refused");
            assert!(!problems.is_empty());
            assert!(
                problems.iter().all(|problem| !problem.to_string().contains(is_unsafe)),
                "{problems:?}"
            );
        }
    }
}

/// A text is a recording whose lines are read, judged and continued, or has errors that can be shown, each on a line of its own.
pub fn recording(data: &[u8], tally: &mut Tally) {
    let shown = |problems: &[RecordingProblem]| {
        assert!(!problems.is_empty());
        assert!(problems.iter().all(|own| !own.to_string().contains(is_unsafe)), "{problems:?}");
    };
    let mut recording = match Recording::open(Box::new(Cursor::new(data.to_vec()))) {
        Ok(recording) if recording.scene().world.bodies().len() <= STEPPED => recording,
        Ok(_) => return tally.count("a recording too large to be judged here"),
        Err(problems) => {
            tally.count("refused");
            return shown(&problems);
        }
    };
    for place in 0..recording.times().len() {
        match recording.world(place) {
            Ok(world) => assert_finite(&world),
            Err(problems) => shown(&problems),
        }
        if let Ok(fork) = Fork::at(&mut recording, Some(place)) {
            // Poses and velocities beyond the range of a scene are refused where it is read.
            let saved = fork.scene.saved().expect("a scene");
            if let Err(problems) = Scene::parse(&saved) {
                tally.count("a fork that no scene can be");
                assert!(!problems.is_empty());
            }
        }
    }
    match judging::Judge::all(&mut recording) {
        Ok(judged) => {
            tally.count("judged");
            assert_eq!(judged.steps as usize, recording.times().len());
        }
        Err(problems) => {
            tally.count("judged up to a wrong line");
            shown(&problems);
        }
    }
}

/// A scene that is saved loads again, is saved to the same bytes, and continues to the same bits, also after some steps.
pub fn round_trip(data: &[u8], _: &mut Tally) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(mut scene) = Scene::parse(text) else { return };
    if scene.world.bodies().len() > STEPPED {
        return;
    }
    assert_round_trip(&scene);
    let mut run = Run::new(&scene, 3);
    while let Some(Ok(_)) = run.next() {}
    scene.world = run.world().clone();
    assert_round_trip(&scene);
}

fn assert_round_trip(scene: &Scene) {
    let saved = scene.to_json();
    let loaded = match Scene::parse(&saved) {
        Ok(loaded) => loaded,
        Err(problems) => panic!("{problems:?}\n{saved}"),
    };
    assert_eq!(loaded.to_json(), saved);
    let ends = [scene, &loaded].map(|scene| {
        let mut run = Run::new(scene, 2);
        while let Some(Ok(_)) = run.next() {}
        bits(run.world())
    });
    assert!(ends[0] == ends[1], "another motion after loading\n{saved}");
}

/// A world under any scheme, solver and edits stays finite, is unchanged by a step that fails, moves to the same bits
/// twice, and keeps its residuals within the promise or says what it has left; a passive one gains no energy.
pub fn world(data: &[u8], tally: &mut Tally) {
    let one = worlds::live(data, tally);
    let other = worlds::live(data, &mut Tally::default());
    assert!(one == other, "two runs of the same world differ");
    passive::gains_nothing(data, tally);
}

/// Every solver of mixed problems returns finite impulses with their true residual, or an error, and the same bits with a used
/// workspace. What it calls solved is solved by a measure of this test's own, and where it gives up or proves that
/// there is no solution, theory and all combinations of states say whether it may: `auto` finds every solution that is
/// promised or can be found by trying, and no solver proves that a problem has none which has one. Equations that
/// nearly depend on each other are taken for dependent by all of them (`lcp/direct/delassus.rs`): there, what is met in
/// the least-squares sense is no wrong proof.
pub fn mixed(data: &[u8], tally: &mut Tally) {
    let problem = worlds::problem(&mut Source::new(data));
    let judge = Judge::new(&problem);
    let promised = judge.is_promised();
    let spoilt = judge.nearly_dependent();
    let class = match (promised, spoilt, judge.has_friction()) {
        (true, false, false) => "promised, no friction",
        (true, false, true) => "promised, friction",
        (_, true, _) => "equations nearly dependent",
        (false, false, false) => "not promised, no friction",
        (false, false, true) => "not promised, friction",
    };
    let mut used = MixedWorkspace::default();
    // Tried once, and only where a solver has none.
    let mut tried: Option<Tried> = None;
    for solver in solvers() {
        let solve = |workspace: &mut MixedWorkspace| {
            let (mut lambda, mut v) = (vec![0.0; problem.rows.len()], Vec::new());
            let outcome = solver.solve_mixed(&problem, &mut lambda, &mut v, workspace);
            outcome.map(|outcome| (lambda, v, outcome))
        };
        let key = solver.info().key;
        let fresh = solve(&mut MixedWorkspace::default());
        if let Ok((lambda, v, outcome)) = &fresh {
            assert!(lambda.iter().all(|own| own.is_finite()), "{key}");
            assert!(v.iter().all(|own| own.is_finite()), "{key}");
            assert_eq!(outcome.residual, problem.residual(lambda), "{key}");
        }
        let again = solve(&mut used);
        let bits = |outcome: &Result<(Vec<f64>, Vec<DVec3>, MixedOutcome), MixedError>| {
            outcome.as_ref().ok().map(|(lambda, v, outcome)| (lambda.clone(), v.clone(), outcome.residual))
        };
        assert!(bits(&fresh) == bits(&again), "{key}: another result with a used workspace");
        let (proof, error) = match fresh {
            Ok((lambda, _, outcome)) if outcome.infeasible == 0 => {
                let left = judge.left(&lambda);
                let converged = outcome.relative_residual <= ACCEPTED;
                if key != "pgs" || converged {
                    assert!(left <= judge.accepted(), "{key}: {left:e} of the speed is left");
                }
                let became =
                    if left <= judge.accepted() { "solved" } else { "left a residual, and said so" };
                tally.count(format!("{class}, {key}: {became}"));
                continue;
            }
            Ok((_, _, outcome)) => (outcome.unproved == 0, "least violation".to_owned()),
            Err(error) => {
                let proof = matches!(
                    error,
                    MixedError::NoSolution { .. } | MixedError::Ray { infeasible: true, .. }
                );
                (proof, error.to_string())
            }
        };
        let found =
            if promised { Tried::Solution } else { *tried.get_or_insert_with(|| judge.by_trying()) };
        let solvable = found == Tried::Solution;
        assert!(spoilt || !(proof && solvable), "{key} proves what is not so: {error}");
        let missed = key == "auto" && !proof && solvable;
        assert!(!missed, "{key} gives up although there is a solution: {error}");
        let became = match (proof, found) {
            (true, _) => "proved to have no solution",
            (false, Tried::Solution) => "given up, with a solution",
            (false, Tried::NoSolution) => "given up, and no combination is a solution",
            (false, Tried::TooMany) => "given up, too large to try all combinations",
        };
        tally.count(format!("{class}, {key}: {became}"));
    }
}

/// A line is a problem or has errors; a solution solves it, and a certificate proves that there is none.
pub fn lcp_line(data: &[u8], _: &mut Tally) {
    /// Rows at most, so that one input takes milliseconds.
    const ROWS: usize = 12;
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in text.lines() {
        match problem_line(line) {
            Ok(ProblemLine { problem, .. }) if (1..=ROWS).contains(&problem.n()) => solve(&problem),
            Ok(_) => {}
            Err(errors) => assert!(!errors.is_empty()),
        }
    }
}

fn solve(problem: &LcpProblem) {
    for solver in COMPLEMENTARITY {
        let key = solver.info().key;
        match solver.solve(problem, &Values::defaults(solver.info().parameters)) {
            Ok(solution) => assert_solved(key, problem, &solution.z),
            Err(error) => {
                assert_certificate(key, problem, &error);
            }
        }
    }
}

/// A part of a sweep is read back as it was written; what is not byte for byte what was written is refused.
pub fn merge_parts(data: &[u8], _: &mut Tally) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(table) = Table::parse(text) {
        let _ = merge(vec![("a".to_owned(), table.clone())]);
        assert_eq!(table.to_bytes().map(|bytes| bytes == data), Ok(true));
    }
}

/// The bits of every pose and velocity.
pub fn bits(world: &World) -> Vec<u64> {
    let numbers = world.bodies().iter().flat_map(|body| {
        let (pose, velocity) = (body.pose, body.velocity);
        [
            pose.position.x,
            pose.position.y,
            pose.angle,
            velocity.linear.x,
            velocity.linear.y,
            velocity.angular,
        ]
    });
    numbers.map(f64::to_bits).collect()
}

pub fn assert_finite(world: &World) {
    assert!(bits(world).iter().all(|bits| f64::from_bits(*bits).is_finite()), "not finite");
}
