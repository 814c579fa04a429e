//! What a step's mixed problem consists of, and how it is handled around its solvers: empty problems, islands,
//! equations in conflict, the memory, and the reading of a solve row by row.

use super::generators::Random;
use super::mixed::{ASKED, PLAIN, distance, share, solve};
use super::mixed_problems::{FALL, Recipe, bodies, pyramid, random, row, stack};
use driftlab::lcp::{Ending, Law, MixedError, MixedProblem, MixedRow, MixedWorkspace, PlainForm, Solver};
use glam::{DVec2, DVec3};

/// Without velocity and biases the solution is exactly zero, and an empty problem has no islands.
#[test]
fn without_data_nothing_moves() {
    let mut problem = stack(&[1.0; 5], 0.5);
    problem.free.fill(DVec3::ZERO);
    for key in ["newton", "homotopy", "interior", "lemke", "pgs", "auto"] {
        let solution = solve(key, &problem).unwrap();
        assert!(solution.v.iter().all(|v| *v == DVec3::ZERO), "{key}");
        assert!(solution.lambda.iter().all(|x| *x == 0.0), "{key}");
    }
    let empty = solve("auto", &MixedProblem::default()).unwrap();
    assert_eq!((empty.outcome.islands, empty.outcome.residual), (0, 0.0));
}

/// A workspace that solved other problems before gives the same bits as a fresh one.
#[test]
fn the_workspace_leaves_no_trace() {
    let mut numbers = Random(15);
    let mut used = MixedWorkspace::default();
    for key in ["auto", "newton", "homotopy", "interior", "lemke", "pgs"] {
        let solver = Solver::by_key(key).unwrap();
        for case in 0..30 {
            let contacts = numbers.whole(1, 20);
            let recipe =
                Recipe { bodies: contacts.max(4), contacts, friction: 0.3, repeated: 0.0, ..PLAIN };
            let problem = random(&mut numbers, recipe);
            let mut solved = [MixedWorkspace::default(), std::mem::take(&mut used)].map(|mut workspace| {
                let (mut lambda, mut v) = (vec![0.0; problem.rows.len()], Vec::new());
                let outcome = solver.solve_mixed(&problem, &mut lambda, &mut v, &mut workspace);
                (lambda, v, outcome, workspace)
            });
            used = std::mem::take(&mut solved[1].3);
            let [fresh, again] = &solved;
            assert_eq!(fresh.2, again.2, "{key}, case {case}");
            if fresh.2.is_ok() {
                assert_eq!((&fresh.0, &fresh.1), (&again.0, &again.1), "{key}, case {case}");
            }
        }
    }
}

/// A friction row stands directly behind the normal row of its contact, between the same bodies; any other order is
/// refused, not solved for other rows, and has no plain form.
#[test]
fn friction_that_does_not_follow_its_contact_is_refused() {
    let mut problem = bodies(&[DVec3::ONE; 2]);
    for b in [1, 2] {
        problem.rows.push(row(0, b, DVec2::Y, DVec2::ZERO, DVec2::ZERO, Law::Unilateral));
    }
    let with = |at: usize, b: usize, normal: usize| {
        let law = Law::Friction { normal, coefficient: 0.5 };
        let mut problem = problem.clone();
        problem.rows.insert(at, row(0, b, DVec2::X, DVec2::ZERO, DVec2::ZERO, law));
        problem
    };
    let mut of_friction = with(1, 1, 0);
    of_friction
        .rows
        .insert(2, MixedRow { law: Law::Friction { normal: 1, coefficient: 0.5 }, ..of_friction.rows[1] });
    let solver = Solver::default();
    let solve = |problem: &MixedProblem| {
        solver.solve_mixed(problem, &mut Vec::new(), &mut Vec::new(), &mut MixedWorkspace::default())
    };
    assert!(solve(&with(1, 1, 0)).is_ok());
    for refused in [with(0, 1, 1), with(2, 1, 0), with(1, 2, 0), with(1, 1, usize::MAX), of_friction] {
        let error = solve(&refused).unwrap_err();
        assert!(matches!(error, MixedError::NotApplicable { .. }), "{error}");
        assert!(PlainForm::new(refused).is_none());
    }
}

/// `auto` without one of its methods is another solver: it does not get the outcomes that the whole one has left in the
/// workspace.
#[test]
fn a_method_that_is_left_out_leaves_no_outcome_behind() {
    let problem = stack(&[1.0; 3], 0.5);
    let solve = |solver: &Solver, workspace: &mut MixedWorkspace| {
        solver.solve_mixed(&problem, &mut Vec::new(), &mut Vec::new(), workspace).unwrap()
    };
    let (_, less_newton) = Solver::automatic_without().find(|(key, _)| *key == "newton").unwrap();
    assert_ne!(less_newton, Solver::default());
    let mut used = MixedWorkspace::default();
    let whole = solve(&Solver::default(), &mut used);
    let expected = solve(&less_newton, &mut MixedWorkspace::default());
    assert_ne!(whole, expected, "newton solves it where it may");
    assert_eq!(solve(&less_newton, &mut used), expected);
}

/// Two stacks on one floor are two islands, each with the same bits as alone. Joints without contacts are solved directly by
/// `ldlt`, which refuses contacts.
#[test]
fn islands_are_solved_apart() {
    let one = stack(&[1.0; 3], 0.5);
    let mut both = one.clone();
    both.inverse_mass.extend_from_slice(&one.inverse_mass[1..]);
    both.free.extend_from_slice(&one.free[1..]);
    let count = one.rows.len();
    for row in &one.rows {
        let moved = |body: usize| if body == 0 { 0 } else { body + 3 };
        let mut row = driftlab::lcp::MixedRow { a: moved(row.a), b: moved(row.b), ..*row };
        if let Law::Friction { normal, .. } = &mut row.law {
            *normal += count;
        }
        both.rows.push(row);
    }
    let (alone, together) = (solve("newton", &one).unwrap(), solve("newton", &both).unwrap());
    assert_eq!((alone.outcome.islands, together.outcome.islands), (1, 2));
    assert_eq!(alone.lambda, together.lambda[..count]);
    assert_eq!(alone.lambda, together.lambda[count..]);

    let mut chain = bodies(&[DVec3::new(1.0, 1.0, 12.0); 4]);
    for b in 1..=4 {
        chain.free[b].y = -FALL;
        for along in [DVec2::X, DVec2::Y] {
            let (ra, rb) = (if b == 1 { 0.0 } else { 0.5 }, -0.5);
            chain.rows.push(row(b - 1, b, along, ra * DVec2::X, rb * DVec2::X, Law::Equation));
        }
    }
    let chain_solved = solve("auto", &chain).unwrap();
    assert_eq!(chain_solved.outcome.solver, "ldlt");
    assert!(chain_solved.outcome.residual < 1e-14);
    assert!(matches!(solve("ldlt", &one).map(|_| ()), Err(MixedError::NotApplicable { .. })));
    // Newton's method on the same equations: the same velocities.
    assert!(distance(&chain_solved.v, &solve("newton", &chain).unwrap().v) < 1e-13);
}

/// A workspace follows friction that comes to belong to another normal row, and splits anew where a body ceases to move
/// or begins to, although the rows join the same bodies: it comes to what a fresh one comes to.
///
/// A body falls into a corner, at 1 m/s onto the floor and at 3 m/s against the wall, and friction on its turning has
/// μ = 1/2: of the floor's impulse it gets 1/2, of the wall's 3/2. Three bodies in a row are one island while the one
/// in the middle moves, else two.
#[test]
fn a_used_workspace_follows_limits_and_bodies_that_begin_to_move() {
    let turning = |normal: usize| {
        // The second body, which nothing touches, keeps the island from being the whole, which needs no split.
        let mut problem = bodies(&[DVec3::ONE; 2]);
        problem.free[1] = DVec3::new(-3.0, -1.0, 10.0);
        for along in [DVec2::Y, DVec2::X] {
            problem.rows.push(row(0, 1, along, DVec2::ZERO, DVec2::ZERO, Law::Unilateral));
        }
        let law = Law::Friction { normal, coefficient: 0.5 };
        let mut turning = row(0, 1, DVec2::ZERO, DVec2::ZERO, DVec2::ZERO, law);
        turning.jb = DVec3::Z;
        problem.rows.insert(normal + 1, turning);
        problem
    };
    let in_a_row = |moves: f64| {
        let mut problem = bodies(&[DVec3::ONE, moves * DVec3::ONE, DVec3::ONE]);
        problem.free[1..].iter_mut().zip([2.0, 0.0, -1.0]).for_each(|(free, x)| free.x = x);
        for (a, b) in [(1, 2), (2, 3)] {
            problem.rows.push(row(a, b, DVec2::X, DVec2::ZERO, DVec2::ZERO, Law::Unilateral));
        }
        problem
    };
    let (mut used, solver) = (MixedWorkspace::default(), Solver::by_key("newton").unwrap());
    let mut solve_by = |problem: &MixedProblem, fresh: bool| {
        let (mut lambda, mut v) = (Vec::new(), Vec::new());
        let workspace = if fresh { &mut MixedWorkspace::default() } else { &mut used };
        let outcome = solver.solve_mixed(problem, &mut lambda, &mut v, workspace).unwrap();
        (lambda, v, outcome)
    };
    for normal in [0, 1, 0] {
        let found = solve_by(&turning(normal), false);
        assert_eq!(found, solve_by(&turning(normal), true), "normal {normal}");
        let mut expected = vec![1.0, 3.0];
        expected.insert(normal + 1, -0.5 * expected[normal]);
        assert!(found.0.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-9), "{:?}", found.0);
    }
    for (moves, islands) in [(1.0, 1), (0.0, 2), (1.0, 1)] {
        let found = solve_by(&in_a_row(moves), false);
        assert_eq!(found, solve_by(&in_a_row(moves), true), "the middle moves: {moves}");
        assert_eq!(found.2.islands, islands);
    }
}

/// Gauss–Seidel converges: more sweeps never leave a larger residual, 100,000 leave at most 1e-9, and the reported residual is
/// the true one.
#[test]
fn sweeps_approach_the_solution() {
    let problem = stack(&[1.0; 5], 0.5);
    let mut residuals = Vec::new();
    for sweeps in [10.0, 100.0, 100_000.0] {
        let mut solver = Solver::by_key("pgs").unwrap();
        solver.values.set("iterations", sweeps).unwrap();
        let (mut lambda, mut v) = (vec![0.0; problem.rows.len()], Vec::new());
        let outcome =
            solver.solve_mixed(&problem, &mut lambda, &mut v, &mut MixedWorkspace::default()).unwrap();
        assert_eq!(outcome.residual, problem.residual(&lambda));
        residuals.push(outcome.residual);
    }
    assert!(
        residuals[0] >= residuals[1] && residuals[1] >= residuals[2] && residuals[2] <= ASKED,
        "{residuals:?}"
    );
}

/// Two equations that ask a body for 1 and 3 m/s along x are met by least squares, at 2 m/s, and reported as a conflict with a
/// residual of 1 m/s, while the body's contact along y is met as usual.
#[test]
fn equations_in_conflict_are_met_half_way_beside_a_contact() {
    let mut problem = bodies(&[DVec3::new(1.0, 1.0, 12.0)]);
    problem.free[1] = DVec3::new(0.0, -FALL, 0.0);
    for wanted in [1.0, 3.0] {
        let mut equation = row(0, 1, DVec2::X, DVec2::ZERO, DVec2::ZERO, Law::Equation);
        equation.bias = -wanted;
        problem.rows.push(equation);
    }
    problem.rows.push(row(0, 1, DVec2::Y, DVec2::ZERO, DVec2::ZERO, Law::Unilateral));
    for key in ["auto", "newton", "homotopy", "interior", "lemke"] {
        let solution = solve(key, &problem).unwrap();
        assert_eq!(solution.outcome.infeasible, 1, "{key}");
        assert!(
            distance(&solution.v[1..], &[DVec3::new(2.0, 0.0, 0.0)]) < 1e-12,
            "{key}: {:?}",
            solution.v
        );
        assert!((solution.outcome.residual - 1.0).abs() < 1e-12, "{key}: {:?}", solution.outcome);
    }
}

/// A solve can be read row by row: λ, w, the residual, and the island of the row with its solver. Before the first solve and
/// after a failed one there is nothing to read.
#[test]
fn a_solve_can_be_read_row_by_row() {
    let mut problem = stack(&[1.0; 2], 0.5);
    let (bodies, rows) = (problem.free.len() - 1, problem.rows.len());
    let again = problem.clone();
    problem.inverse_mass.extend_from_slice(&again.inverse_mass[1..]);
    problem.free.extend_from_slice(&again.free[1..]);
    for row in &again.rows {
        let moved = |body: usize| if body == 0 { 0 } else { body + bodies };
        let mut row = driftlab::lcp::MixedRow { a: moved(row.a), b: moved(row.b), ..*row };
        if let Law::Friction { normal, .. } = &mut row.law {
            *normal += rows;
        }
        problem.rows.push(row);
    }
    let (mut lambda, mut v, mut workspace) = (Vec::new(), Vec::new(), MixedWorkspace::default());
    assert!(workspace.read(&problem, &lambda).is_none(), "nothing has been solved");
    let solver = Solver::by_key("newton").unwrap();
    solver.solve_mixed(&problem, &mut lambda, &mut v, &mut workspace).unwrap();
    assert_eq!(workspace.islands().iter().map(|island| island.rows).collect::<Vec<_>>(), [rows, rows]);
    let reading = workspace.read(&problem, &lambda).unwrap();
    assert_eq!(reading.len(), 2 * rows);
    for (i, (row, island)) in reading.iter().enumerate() {
        assert_eq!((row.lambda, row.island), (lambda[i], Some(i / rows)), "row {i}");
        assert!((row.w - problem.rows[i].rate(&v)).abs() < 1e-15, "row {i}: {row:?}");
        assert!(row.relative_residual <= ASKED && row.residual.abs() < 1e-13, "row {i}: {row:?}");
        assert_eq!(island.unwrap().solver, "newton");
    }
    // The two lowest contacts carry the weight of both boxes.
    let pressed: f64 = reading.iter().take(4).step_by(2).map(|(row, _)| row.lambda).sum();
    assert!((pressed - 2.0 * FALL).abs() < 1e-12, "{pressed}");
    problem.free[1].y = f64::NAN;
    assert!(solver.solve_mixed(&problem, &mut lambda, &mut v, &mut workspace).is_err());
    assert!(workspace.read(&problem, &lambda).is_none());
}

/// Most of a pile is not to be moved when a few overlaps in it are corrected: rows end with λ = 0 and w = 0. Without
/// friction the correction of least M-norm is the only one, and the interior point comes to it, whatever overlaps;
/// newton, where it ends, agrees.
#[test]
fn corrections_of_few_overlaps_in_a_pile_are_found_by_the_interior_point() {
    let mut numbers = Random(7);
    let (mut compared, mut spent) = (0, 0);
    for case in 0..60 {
        let mut problem = pyramid(20, 0.0);
        problem.free.fill(DVec3::ZERO);
        problem.rows.retain(|row| row.law == Law::Unilateral);
        for row in &mut problem.rows {
            // Gaps, m: most are closed, one in twenty overlaps, some are open by a little.
            row.bias = match numbers.within(0.0, 1.0) {
                x if x < 0.05 => -numbers.within(0.0, 1e-2),
                x if x < 0.3 => numbers.within(0.0, 1e-4),
                _ => 0.0,
            };
        }
        let solution = solve("interior", &problem).unwrap_or_else(|error| panic!("case {case}: {error}"));
        assert!(share(&problem, &solution) <= 1.0, "case {case}");
        spent += solution.outcome.iterations;
        if let Ok(newton) = solve("newton", &problem) {
            compared += 1;
            let apart = distance(&solution.v, &newton.v);
            assert!(apart < 1e-9, "case {case}: {apart:e} m");
        }
    }
    assert!(compared > 50, "newton solved only {compared}");
    // The end is extrapolated in √τ: the path itself comes there by a factor of 2.6 a step.
    assert!(spent < 60 * 30, "{spent} factorisations");
}

/// Where standing still meets all rows no proof can say that nothing does, and none is looked for, however far from a
/// solution the first attempts have ended.
#[test]
fn no_proof_is_sought_where_standing_still_is_a_way_out() {
    let mut numbers = Random(3);
    let mut far = 0;
    for case in 0..30 {
        let mut problem = pyramid(20, 0.6);
        for free in &mut problem.free[1..] {
            *free +=
                DVec3::new(numbers.within(-1.0, 1.0), numbers.within(-1.0, 1.0), numbers.within(-1.0, 1.0));
        }
        let solution = solve("auto", &problem).unwrap_or_else(|error| panic!("case {case}: {error}"));
        let attempts = solution.outcome.trail.attempts();
        assert!(
            attempts.iter().all(|attempt| attempt.ending != Ending::Unproved),
            "case {case}: {attempts:?}"
        );
        far += usize::from(attempts.len() > 3);
    }
    assert!(far > 5, "only {far} problems were hard");
}

/// Two bodies that are to part and to meet at 1 m/s each, in a pile: every velocity misses one of the two rows by 1 m/s
/// or more, also those on the central path. The proof is sought at once, and found by the interior point.
#[test]
fn a_contradiction_in_a_pile_is_proved_by_the_interior_point() {
    let mut problem = pyramid(20, 0.6);
    problem.rows[0].bias = -1.0;
    let MixedRow { ja, jb, .. } = problem.rows[0];
    let opposed = MixedRow { ja: -ja, jb: -jb, ..problem.rows[0] };
    assert_eq!(opposed.law, Law::Unilateral);
    problem.rows.push(opposed);
    let solution = solve("auto", &problem).unwrap();
    let attempts = solution.outcome.trail.attempts();
    let proved = attempts.iter().find(|attempt| attempt.ending == Ending::Infeasible);
    assert_eq!(proved.map(|attempt| attempt.solver), Some("interior"), "{attempts:?}");
    assert!(solution.outcome.infeasible > 0);
}
