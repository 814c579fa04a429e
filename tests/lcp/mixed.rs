//! What the solvers of a step's mixed problem promise: equations, contacts, friction and bounds met to rounding, or
//! the truth that they cannot be; the same bits whatever the workspace has seen.

use super::generators::Random;
use super::mixed_problems::{FALL, Recipe, bodies, contact, pyramid, random, row, stack};
use driftlab::lcp::{Law, MixedError, MixedOutcome, MixedProblem, MixedWorkspace, Solver};
use glam::{DVec2, DVec3};

/// What a solution's residual may be, as a share of the problem's speed.
const ASKED: f64 = 1e-9;

pub(super) struct Solution {
    pub lambda: Vec<f64>,
    pub v: Vec<DVec3>,
    pub outcome: MixedOutcome,
}

/// Solves from `warm` with the solver of that name at its defaults.
pub(super) fn solve_from(key: &str, problem: &MixedProblem, warm: &[f64]) -> Result<Solution, MixedError> {
    let (mut lambda, mut v) = (warm.to_vec(), Vec::new());
    let solver = Solver::by_key(key).unwrap();
    let outcome = solver.solve_mixed(problem, &mut lambda, &mut v, &mut MixedWorkspace::default())?;
    Ok(Solution { lambda, v, outcome })
}

pub(super) fn solve(key: &str, problem: &MixedProblem) -> Result<Solution, MixedError> {
    solve_from(key, problem, &vec![0.0; problem.rows.len()])
}

/// The residual relative to what is asked for; the reported one must be the true one. Every row is brought to m/s by
/// √(1/μ / J W Jᵀ), μ the reduced mass of its bodies.
pub(super) fn share(problem: &MixedProblem, solution: &Solution) -> f64 {
    let mut v = Vec::new();
    problem.velocity(&solution.lambda, &mut v);
    assert_eq!(problem.residual(&solution.lambda), solution.outcome.residual);
    let (mut speed, mut left) = (0.0_f64, 0.0_f64);
    for (i, row) in problem.rows.iter().enumerate() {
        let sides = [(row.ja, problem.weight[row.a]), (row.jb, problem.weight[row.b])];
        let moved = sides.iter().filter(|(j, _)| *j != DVec3::ZERO);
        let inverse_mass: f64 = moved.map(|(_, w)| w.x).sum();
        let mobility: f64 = sides.iter().map(|(j, w)| j.dot(*w * *j)).sum();
        let to_speed = if mobility > 0.0 { (inverse_mass / mobility).sqrt() } else { 1.0 };
        speed = speed.max(to_speed * (row.rate(&problem.free) + row.bias).abs());
        left = left.max(to_speed * problem.row_residual(i, &v, &solution.lambda).abs());
    }
    if left == 0.0 { 0.0 } else { left / (ASKED * speed) }
}

pub(super) fn distance(one: &[DVec3], other: &[DVec3]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f64::max)
}

const PLAIN: Recipe = Recipe {
    bodies: 8,
    contacts: 16,
    friction: 0.0,
    equations: 3,
    bounded: 3,
    repeated: 0.3,
    compliant: 0.3,
    decades: 0.5,
};

/// Without friction the problem is a convex one in v: all solvers find the same velocity, with repeated rows
/// and compliance, whatever λ they choose.
#[test]
fn without_friction_all_solvers_find_the_same_velocity() {
    let mut numbers = Random(11);
    for case in 0..200 {
        let problem = random(&mut numbers, PLAIN);
        let newton = solve("newton", &problem).unwrap();
        assert!(share(&problem, &newton) <= 1.0, "newton, case {case}");
        for key in ["lemke", "dantzig", "homotopy", "interior", "auto"] {
            let other = solve(key, &problem).unwrap_or_else(|error| panic!("{key}, case {case}: {error}"));
            assert!(share(&problem, &other) <= 1.0, "{key}, case {case}");
            let apart = distance(&newton.v, &other.v);
            assert!(apart < 1e-7, "{key}, case {case}: {apart:e}");
        }
    }
}

/// With friction below what jams, contacts have one solution; Newton's, Lemke's, the homotopy and the interior point agree,
/// Dantzig's where it ends.
#[test]
fn with_little_friction_solvers_agree() {
    let mut numbers = Random(12);
    let mut refused = 0;
    for case in 0..200 {
        let recipe =
            Recipe { friction: 0.1, repeated: 0.0, compliant: 0.0, equations: 0, bounded: 0, ..PLAIN };
        let problem = random(&mut numbers, recipe);
        let lemke = solve("lemke", &problem).unwrap();
        let newton = solve("newton", &problem).unwrap();
        assert!(share(&problem, &lemke) <= 1.0 && share(&problem, &newton) <= 1.0, "case {case}");
        assert!(distance(&lemke.v, &newton.v) < 1e-7, "case {case}");
        for key in ["homotopy", "interior"] {
            let other = solve(key, &problem).unwrap();
            assert!(share(&problem, &other) <= 1.0, "{key}, case {case}");
            assert!(distance(&lemke.v, &other.v) < 1e-7, "{key}, case {case}");
        }
        match solve("dantzig", &problem) {
            Ok(dantzig) => assert!(distance(&lemke.v, &dantzig.v) < 1e-7, "case {case}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused <= 1, "Dantzig's method refused {refused} of 200");
}

/// Random contacts with friction up to 1, joints, bounds, repeated rows and compliance are solved to rounding by
/// `auto`, but for the few whose equations jam the contacts, which end on a ray and not in a wrong answer.
#[test]
fn frictional_problems_are_solved_or_refused() {
    let mut numbers = Random(13);
    let mut refused = 0;
    let count = 300;
    for case in 0..count {
        let contacts = numbers.whole(1, 40);
        let recipe = Recipe { bodies: contacts.div_ceil(2).max(4), contacts, friction: 1.0, ..PLAIN };
        let problem = random(&mut numbers, recipe);
        match solve("auto", &problem) {
            Ok(solution) => {
                assert_eq!(solution.outcome.infeasible, 0, "case {case}");
                assert!(share(&problem, &solution) <= 1.0, "case {case}");
            }
            Err(MixedError::Ray { infeasible, .. }) => {
                assert!(!infeasible, "case {case} is feasible by construction");
                refused += 1;
            }
            Err(error) => panic!("case {case}: {error}"),
        }
    }
    assert!(refused * 50 <= count, "{refused} of {count} refused");
}

/// 200 contacts, for which the dense method is the oracle.
#[test]
fn two_hundred_contacts_have_one_solution() {
    let mut numbers = Random(14);
    let recipe = Recipe { bodies: 120, contacts: 200, friction: 0.2, equations: 0, bounded: 0, ..PLAIN };
    let problem = random(&mut numbers, Recipe { repeated: 0.0, compliant: 0.0, ..recipe });
    let (lemke, newton) = (solve("lemke", &problem).unwrap(), solve("newton", &problem).unwrap());
    let others = ["homotopy", "interior"].map(|key| solve(key, &problem).unwrap());
    assert!([&lemke, &newton].into_iter().chain(&others).all(|solution| share(&problem, solution) <= 1.0));
    assert!(distance(&lemke.v, &newton.v) < 1e-7);
    assert!(others.iter().all(|other| distance(&lemke.v, &other.v) < 1e-7));
}

/// Where friction jams contacts, the interior point's path turns back, and only past its folds is there a solution.
/// Dantzig's method, which shares nothing with it, says which problems have one. Without the turns a fifth of them are
/// left.
#[test]
fn the_central_path_is_followed_over_its_folds() {
    let (left, solvable) = left_of_jammed("interior");
    assert!(solvable >= 95 && left <= 4, "{left} of {solvable} left");
}

/// The same problems by paths over the pieces, which turn as well: all are solved. Without turns 8 are left.
#[test]
fn paths_are_followed_where_they_turn() {
    let (left, solvable) = left_of_jammed("homotopy");
    assert!(solvable >= 95 && left <= 1, "{left} of {solvable} left");
}

/// Of 100 problems with 40 contacts that friction jams, how many `key` leaves that Dantzig's method solves, and how many
/// that is.
fn left_of_jammed(key: &str) -> (usize, usize) {
    let mut numbers = Random(15);
    let recipe = Recipe { bodies: 16, contacts: 40, friction: 3.0, equations: 0, bounded: 0, ..PLAIN };
    let (mut solvable, mut left) = (0, 0);
    for case in 0..100 {
        let problem = random(&mut numbers, Recipe { repeated: 0.0, compliant: 0.0, ..recipe });
        let solution = solve(key, &problem);
        if let Ok(solution) = &solution {
            assert!(share(&problem, solution) <= 1.0, "case {case}");
        }
        if solve("dantzig", &problem).is_ok() {
            solvable += 1;
            left += usize::from(solution.is_err());
        }
    }
    (left, solvable)
}

/// From nothing, the interior point takes hardly more factorisations for a large pyramid than for a small one: 11, 12 and 13
/// for 15, 55 and 210 boxes. Without Mehrotra's second-order term they are 15, 17 and 20, with its sign turned 30, 41 and 52.
#[test]
fn the_interior_point_takes_as_many_steps_at_every_size() {
    for rows in [5, 10, 20] {
        let solution = solve("interior", &pyramid(rows, 0.6)).unwrap();
        assert!(solution.outcome.residual < 1e-9, "{rows}: {:e}", solution.outcome.residual);
        assert!(solution.outcome.iterations <= 14, "{rows}: {}", solution.outcome.iterations);
    }
}

/// Boxes at rest stay at rest to rounding: contacts at two points and a pyramid's statical indeterminacy leave λ
/// open, not v.
#[test]
fn boxes_at_rest_stay() {
    for (problem, what) in [
        (stack(&[1.0; 10], 0.5), "stack"),
        (pyramid(10, 0.6), "pyramid of 55"),
        (pyramid(20, 0.6), "pyramid of 210"),
    ] {
        let solution = solve("newton", &problem).unwrap();
        assert!(solution.outcome.residual < 1e-14, "{what}: {:e}", solution.outcome.residual);
        let fastest = distance(&solution.v, &vec![DVec3::ZERO; solution.v.len()]);
        assert!(fastest < 2e-14, "{what}: {fastest:e} m/s");
    }
}

/// The solution as a warm start is recognised at once and comes back bit by bit.
#[test]
fn a_solution_is_a_fixed_point() {
    let mut problem = pyramid(12, 0.6);
    problem.free[40].x = 2.0;
    let first = solve("newton", &problem).unwrap();
    let again = solve_from("newton", &problem, &first.lambda).unwrap();
    assert_eq!(again.outcome.iterations, 0);
    assert_eq!((first.lambda, first.v), (again.lambda, again.v));
}

/// A pyramid that is hit, sheared, or started cold is solved to rounding with Coulomb's law as posed.
#[test]
fn pyramids_that_are_hit_are_solved_to_rounding() {
    let rest = pyramid(20, 0.6);
    let warm = solve("newton", &rest).unwrap().lambda;
    let (mut top, mut side, mut sheared) = (rest.clone(), rest.clone(), rest.clone());
    top.free[210].x = 3.0;
    side.free[1].x = 3.0;
    sheared.free[1..].iter_mut().for_each(|v| v.x = 0.05);
    for (problem, what) in [(top, "top"), (side, "side"), (sheared, "sheared")] {
        for key in ["newton", "homotopy", "interior", "auto"] {
            let solution = solve_from(key, &problem, &warm).unwrap();
            assert!(solution.outcome.residual < 1e-13, "{key}, {what}: {:e}", solution.outcome.residual);
        }
    }
}

/// A pyramid in which speeds fall by powers from body to body, over eight decades, as after a blow: paths resolve the layers
/// one by one, 20 pyramids with 681 pieces and factorisations, where Newton's method makes 1343 factorisations.
#[test]
fn paths_resolve_speeds_that_fall_by_powers() {
    let rest = pyramid(10, 0.6);
    let count = rest.free.len() as f64;
    let warm = solve("newton", &rest).unwrap().lambda;
    let mut numbers = Random(7);
    let mut spent = [0, 0];
    for case in 0..20 {
        let mut problem = rest.clone();
        for (b, v) in (0_u32..).zip(&mut problem.free).skip(1) {
            let size = 10_f64.powf(-8.0 * f64::from(b) / count);
            v.x += size * numbers.within(-1.0, 1.0);
            v.y += size * numbers.within(-1.0, 1.0);
        }
        for (spent, key) in spent.iter_mut().zip(["newton", "homotopy"]) {
            let solution = solve_from(key, &problem, &warm).unwrap();
            assert!(share(&problem, &solution) <= 1.0, "{key}, case {case}");
            *spent += solution.outcome.iterations;
        }
    }
    assert!(spent[0] > 1000 && spent[1] < 800, "{spent:?}");
}

/// A box that slides under Coulomb friction loses μ g h, and one that would stop within the step stops.
#[test]
fn a_box_slides_and_stops_as_coulomb_says() {
    for key in ["newton", "homotopy", "interior", "lemke", "dantzig", "auto", "pgs"] {
        let mut problem = stack(&[2.0], 0.25);
        problem.free[1].x = 1.0;
        let sliding = solve(key, &problem).unwrap();
        assert!((sliding.v[1].x - (1.0 - 0.25 * FALL)).abs() < 1e-8, "{key}: {}", sliding.v[1]);
        problem.free[1].x = 0.2 * FALL;
        let stopped = solve(key, &problem).unwrap();
        assert!(stopped.v[1].length() < 1e-8, "{key}: {}", stopped.v[1]);
    }
}

/// A floor and a ceiling that close in on a box leave no velocity: the pivoting methods prove it, the others return the
/// velocity that violates least, with impulses that stay finite.
#[test]
fn a_confined_box_is_proved_to_be() {
    for n in [1_usize, 5] {
        let mut problem = stack(&vec![1.0; n], 0.5);
        for x in [-0.5, 0.5] {
            let first = problem.rows.len();
            contact(&mut problem, 0, n, -DVec2::Y, DVec2::ZERO, DVec2::new(x, 0.5), 0.5);
            problem.rows[first].bias = -0.3;
        }
        for key in ["lemke", "dantzig"] {
            let ended = solve(key, &problem).map(|solution| solution.outcome);
            assert!(matches!(ended, Err(MixedError::Ray { infeasible: true, .. })), "{key}: {ended:?}");
        }
        // The gap of 0.3 m/s, shared evenly by the n + 1 contacts on each side, whose Aᵢᵢ differ: the two at the walls
        // are 5/2, those between boxes 5, so that they give way in proportion.
        let expected = if n == 1 { 0.15 } else { 0.3 / (1.0 + 4.0 + 1.0) };
        for key in ["newton", "interior", "auto"] {
            let least = solve(key, &problem).unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_eq!(least.outcome.infeasible, 1, "{key}");
            assert!(least.outcome.residual > 0.9 * expected, "{key}: {}", least.outcome.residual);
            assert!(least.outcome.residual < 0.3, "{key}: {}", least.outcome.residual);
            assert!(least.lambda.iter().all(|x| x.abs() < 10.0), "{key}");
        }
    }
}

/// Painlevé's rod: at the acceleration level friction of fixed direction makes the normal force pull itself in, and
/// there is no solution: A_nn − μ A_nt < 0 with q < 0. Posed as the plain problem of one row, Lemke ends on a ray. As
/// an impulse with both directions of friction the same rod can be stopped, and all solvers do.
#[test]
fn painleves_rod_has_no_force_and_an_impulse() {
    let mut problem = bodies(&[DVec3::new(1.0, 1.0, 12.0)]);
    problem.free[1] = DVec3::new(3.0, -1.0, 0.0);
    contact(&mut problem, 0, 1, DVec2::Y, DVec2::ZERO, DVec2::new(0.2, -0.45), 1.5);
    let dv = |lambda: [f64; 2]| {
        let (mut v, mut still) = (Vec::new(), problem.clone());
        still.free.fill(DVec3::ZERO);
        still.velocity(&lambda, &mut v);
        problem.rows[0].rate(&v)
    };
    // Sliding to the right: its friction row, along (−1, 0), carries +μ.
    let slope = dv([1.0, 1.5]);
    assert!(slope < 0.0, "not Painlevé's case: {slope}");
    let plain = driftlab::lcp::LcpProblem::new(vec![slope], vec![-1.0]).unwrap();
    let ended = super::solve("lemke", &plain);
    assert!(matches!(ended, Err(driftlab::lcp::LcpError::Ray { infeasible: true, .. })), "{ended:?}");
    for key in ["newton", "homotopy", "interior", "lemke", "dantzig", "auto"] {
        if let Ok(solution) = solve(key, &problem) {
            assert!(share(&problem, &solution) <= 1.0, "{key}");
        }
    }
    assert!(solve("lemke", &problem).is_ok());
}

/// Light on heavy boxes, up to 10¹²: the residual stays at rounding.
#[test]
fn mass_ratios_do_not_break_newton() {
    for ratio in [1e3, 1e6, 1e9, 1e12] {
        let light_above = solve("newton", &stack(&[ratio, 1.0], 0.5)).unwrap();
        assert!(light_above.outcome.residual < 1e-14, "{ratio:e}: {:e}", light_above.outcome.residual);
        // The light box bears impulses of `ratio` · FALL: their rounding is its velocity's.
        let heavy_above = solve("newton", &stack(&[1.0, ratio], 0.5)).unwrap();
        let rounding = 10.0 * f64::EPSILON * ratio * FALL;
        assert!(heavy_above.outcome.residual < rounding, "{ratio:e}: {:e}", heavy_above.outcome.residual);
    }
}

/// Nothing that moves and nothing that pushes: the answer is zero, exactly.
#[test]
fn without_data_nothing_moves() {
    let mut problem = stack(&[1.0; 5], 0.5);
    problem.free.fill(DVec3::ZERO);
    for key in ["newton", "homotopy", "interior", "lemke", "dantzig", "pgs", "auto"] {
        let solution = solve(key, &problem).unwrap();
        assert!(solution.v.iter().all(|v| *v == DVec3::ZERO), "{key}");
        assert!(solution.lambda.iter().all(|x| *x == 0.0), "{key}");
    }
    let empty = solve("auto", &MixedProblem::default()).unwrap();
    assert_eq!((empty.outcome.islands, empty.outcome.residual), (0, 0.0));
}

/// Memory is memory only: after other problems a workspace gives the bits of a fresh one.
#[test]
fn the_workspace_leaves_no_trace() {
    let mut numbers = Random(15);
    let mut used = MixedWorkspace::default();
    for key in ["auto", "newton", "homotopy", "interior", "lemke", "dantzig", "pgs"] {
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

/// Two stacks on one floor are two islands, each solved as if alone; joints alone go to the direct solver.
#[test]
fn islands_are_solved_apart() {
    let one = stack(&[1.0; 3], 0.5);
    let mut both = one.clone();
    both.weight.extend_from_slice(&one.weight[1..]);
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

/// Gauss–Seidel's sweeps approach the exact solution, and the residual that they report is the true one.
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
        residuals[0] > residuals[1] && residuals[1] > residuals[2] && residuals[2] <= ASKED,
        "{residuals:?}"
    );
}

/// Two equations that ask one body for 1 and for 3 m/s, while another direction of it is in contact: the least squares are 2 m/s,
/// counted as a conflict with 1 m/s left, and the contact is met as if they were not there.
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
    for key in ["auto", "newton", "homotopy", "interior", "lemke", "dantzig"] {
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
