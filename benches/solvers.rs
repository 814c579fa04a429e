//! Time of the solvers of mixed problems: pyramids of 210 and 820 boxes, small stacks by the pivoting methods.
//!
//! `cargo bench -p driftlab --no-default-features --bench solvers` prints a table. `cold` starts from λ = 0, `warm` from the
//! solution, `next` from the solution of a step before, `hit` from the solution at rest with the top box pushed.

#[allow(dead_code)]
#[path = "../tests/lcp/generators.rs"]
mod generators;
#[allow(dead_code)]
#[path = "../tests/lcp/mixed_problems.rs"]
mod mixed_problems;

use divan::Bencher;
use driftlab::lcp::{MixedProblem, MixedWorkspace, Solver};
use mixed_problems::{pyramid, stack};

/// Rows of the pyramids' base: 210 and 820 boxes.
const BASES: [usize; 2] = [20, 40];
/// Boxes of the stacks; each has two contacts.
const STACKS: [usize; 6] = [2, 5, 10, 25, 50, 100];
/// Friction of all contacts, enough for a pyramid to stand.
const FRICTION: f64 = 0.6;

fn main() {
    divan::main();
}

/// λ that `key` ends with.
fn solved(key: &str, problem: &MixedProblem, warm: &[f64]) -> Vec<f64> {
    let (mut lambda, mut v) = (warm.to_vec(), Vec::new());
    let solver = Solver::by_key(key).expect("a solver");
    solver.solve_mixed(problem, &mut lambda, &mut v, &mut MixedWorkspace::default()).expect("a solution");
    lambda
}

fn measure(bencher: Bencher, key: &str, problem: &MixedProblem, warm: &[f64]) {
    let solver = Solver::by_key(key).expect("a solver");
    let (mut lambda, mut v, mut workspace) = (Vec::new(), Vec::new(), MixedWorkspace::default());
    bencher.bench_local(|| {
        lambda.clear();
        lambda.extend_from_slice(warm);
        solver.solve_mixed(problem, &mut lambda, &mut v, &mut workspace).is_ok()
    });
}

#[divan::bench(args = ["newton", "homotopy", "interior", "pgs"], consts = BASES, sample_count = 20)]
fn pyramid_cold<const BASE: usize>(bencher: Bencher, key: &str) {
    let problem = pyramid(BASE, FRICTION);
    measure(bencher, key, &problem, &vec![0.0; problem.rows.len()]);
}

#[divan::bench(args = ["newton", "pgs"], consts = BASES, sample_count = 20)]
fn pyramid_warm<const BASE: usize>(bencher: Bencher, key: &str) {
    let problem = pyramid(BASE, FRICTION);
    let warm = solved("newton", &problem, &vec![0.0; problem.rows.len()]);
    measure(bencher, key, &problem, &warm);
}

#[divan::bench(args = ["newton", "homotopy", "interior", "auto", "pgs"], consts = BASES, sample_count = 20)]
fn pyramid_hit<const BASE: usize>(bencher: Bencher, key: &str) {
    let mut problem = pyramid(BASE, FRICTION);
    let warm = solved("newton", &problem, &vec![0.0; problem.rows.len()]);
    if let Some(top) = problem.free.last_mut() {
        top.x = 3.0;
    }
    measure(bencher, key, &problem, &warm);
}

#[divan::bench(args = ["lemke", "newton"], consts = STACKS, sample_count = 10)]
fn stack_cold<const BOXES: usize>(bencher: Bencher, key: &str) {
    let problem = stack(&[1.0; BOXES], FRICTION);
    measure(bencher, key, &problem, &vec![0.0; problem.rows.len()]);
}

#[divan::bench(args = ["lemke", "newton"], consts = STACKS, sample_count = 10)]
fn stack_warm<const BOXES: usize>(bencher: Bencher, key: &str) {
    let problem = stack(&[1.0; BOXES], FRICTION);
    let warm = solved(key, &problem, &vec![0.0; problem.rows.len()]);
    measure(bencher, key, &problem, &warm);
}

#[divan::bench(args = ["lemke", "newton"], consts = STACKS, sample_count = 10)]
fn stack_next<const BOXES: usize>(bencher: Bencher, key: &str) {
    let mut problem = stack(&[1.0; BOXES], FRICTION);
    let warm = solved(key, &problem, &vec![0.0; problem.rows.len()]);
    // A little heavier, with a little slip: the same contacts bear and stick.
    for v in problem.free.iter_mut().skip(1) {
        (v.x, v.y) = (1e-4, 1.001 * v.y);
    }
    measure(bencher, key, &problem, &warm);
}

#[divan::bench(args = ["lemke", "newton"], consts = STACKS, sample_count = 10)]
fn stack_hit<const BOXES: usize>(bencher: Bencher, key: &str) {
    let mut problem = stack(&[1.0; BOXES], FRICTION);
    let warm = solved(key, &problem, &vec![0.0; problem.rows.len()]);
    if let Some(top) = problem.free.last_mut() {
        top.x = 3.0;
    }
    measure(bencher, key, &problem, &warm);
}
