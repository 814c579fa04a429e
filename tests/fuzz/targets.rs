//! The fuzz targets: each takes bytes and panics if a promise is broken. libFuzzer drives them from `fuzz/`, and the driver in
//! `mod.rs` on stable Rust.

use super::source::Source;
use super::worlds;
use driftlab::experiment::sweep::{Table, merge};
use driftlab::experiment::{ProblemLine, Run, problem_line};
use driftlab::lcp::{COMPLEMENTARITY, LcpError, LcpProblem, MixedWorkspace, solvers};
use driftlab::model::World;
use driftlab::parameter::Values;
use driftlab::scene::{Scene, is_unsafe};

/// A target by its name.
pub type Target = fn(&[u8]);

/// All targets that need no window.
pub const TARGETS: [(&str, Target); 6] = [
    ("scene_text", scene_text),
    ("round_trip", round_trip),
    ("world", world),
    ("mixed", mixed),
    ("lcp_line", lcp_line),
    ("merge", merge_parts),
];

/// Bodies of a scene that is stepped at most, so that one input takes milliseconds.
const STEPPED: usize = 60;

/// A text is a scene or has errors that can be shown, each on a line of its own; a scene can be stepped.
pub fn scene_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Scene::parse(text) {
        Ok(scene) if scene.world.bodies().len() <= STEPPED => {
            let mut run = Run::new(&scene, 2);
            while let Some(Ok(_)) = run.next() {
                assert_finite(run.world());
            }
        }
        Ok(_) => {}
        Err(problems) => {
            assert!(!problems.is_empty());
            assert!(
                problems.iter().all(|problem| !problem.to_string().contains(is_unsafe)),
                "{problems:?}"
            );
        }
    }
}

/// A scene that is saved loads again, is saved to the same bytes, and continues to the same bits, also after some steps.
pub fn round_trip(data: &[u8]) {
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

/// A world under any scheme, solver and edits stays finite, is unchanged by a step that fails, and moves to the same bits twice.
pub fn world(data: &[u8]) {
    let [one, other] = [worlds::live(data), worlds::live(data)];
    assert!(one == other, "two runs of the same world differ");
}

/// Every solver of mixed problems returns finite impulses with their true residual, or an error, and the same bits with a used
/// workspace.
pub fn mixed(data: &[u8]) {
    let problem = worlds::problem(&mut Source::new(data));
    let mut used = MixedWorkspace::default();
    for solver in solvers() {
        let solve = |workspace: &mut MixedWorkspace| {
            let (mut lambda, mut v) = (vec![0.0; problem.rows.len()], Vec::new());
            let outcome = solver.solve_mixed(&problem, &mut lambda, &mut v, workspace);
            outcome.ok().map(|outcome| (lambda, v, outcome.residual))
        };
        let key = solver.info().key;
        let fresh = solve(&mut MixedWorkspace::default());
        if let Some((lambda, v, residual)) = &fresh {
            assert!(lambda.iter().all(|own| own.is_finite()), "{key}");
            assert!(v.iter().all(|own| own.is_finite()), "{key}");
            assert_eq!(*residual, problem.residual(lambda), "{key}");
        }
        assert!(fresh == solve(&mut used), "{key}: another result with a used workspace");
    }
}

/// A line is a problem or has errors; a solution solves it, and a certificate proves that there is none.
pub fn lcp_line(data: &[u8]) {
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
    /// Promised share of ‖q‖∞.
    const ASKED: f64 = 1e-9;
    let n = problem.n();
    let size = problem.q().iter().fold(0.0_f64, |most, q| most.max(q.abs()));
    for solver in COMPLEMENTARITY {
        let key = solver.info().key;
        match solver.solve(problem, &Values::defaults(solver.info().parameters)) {
            Ok(solution) => {
                let w = |i: usize| {
                    problem.q()[i] + problem.row(i).iter().zip(&solution.z).map(|(m, z)| m * z).sum::<f64>()
                };
                let residual = (0..n).map(|i| solution.z[i].min(w(i)).abs()).fold(0.0, f64::max);
                // The sum may be taken in another order than the solver's.
                let rounding = (0..n).map(|i| {
                    problem.row(i).iter().zip(&solution.z).map(|(m, z)| (m * z).abs()).sum::<f64>()
                });
                let rounding = 1e-15 * rounding.fold(0.0, f64::max) * n as f64;
                assert!(residual <= ASKED * size * 1.01 + rounding, "{key}: {residual:e} of {size:e}");
            }
            Err(LcpError::Ray { direction, infeasible: true, .. }) => {
                assert!(direction.iter().all(|y| *y >= 0.0), "{key}: {direction:?}");
                let gain: f64 = problem.q().iter().zip(&direction).map(|(q, y)| q * y).sum();
                assert!(gain < 0.0, "{key}: qᵀy = {gain:e}");
            }
            Err(_) => {}
        }
    }
}

/// A part of a sweep is read back as it was written; what is not byte for byte what was written is refused.
pub fn merge_parts(data: &[u8]) {
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
