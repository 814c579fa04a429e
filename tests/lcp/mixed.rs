//! The solvers of a step's mixed problem meet equations, contacts, friction and bounds to rounding or return an error.

use super::generators::Random;
use super::mixed_problems::{FALL, Recipe, bodies, contact, pyramid, random, stack};
use driftlab::lcp::{MixedError, MixedOutcome, MixedProblem, MixedWorkspace, Solver};
use glam::{DVec2, DVec3};

/// Largest accepted residual of a solution, relative to the problem's speed.
pub(super) const ASKED: f64 = 1e-9;

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

/// The residual relative to the largest accepted one; asserts that the reported residual is the true one. Every row is scaled
/// to m/s by √(1/μ / J W Jᵀ), μ the reduced mass of its bodies.
pub(super) fn share(problem: &MixedProblem, solution: &Solution) -> f64 {
    let mut v = Vec::new();
    problem.velocity(&solution.lambda, &mut v);
    assert_eq!(problem.residual(&solution.lambda), solution.outcome.residual);
    let (mut speed, mut left) = (0.0_f64, 0.0_f64);
    for (i, row) in problem.rows.iter().enumerate() {
        let sides = [(row.ja, problem.inverse_mass[row.a]), (row.jb, problem.inverse_mass[row.b])];
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

pub(super) const PLAIN: Recipe = Recipe {
    bodies: 8,
    contacts: 16,
    friction: 0.0,
    equations: 3,
    bounded: 3,
    repeated: 0.3,
    compliant: 0.3,
    decades: 0.5,
};

/// Without friction the problem is convex in v: all exact solvers find the same velocity to 1e-7, also with repeated rows and
/// compliance, although λ may differ.
#[test]
fn without_friction_all_solvers_find_the_same_velocity() {
    let mut numbers = Random(11);
    for case in 0..200 {
        let problem = random(&mut numbers, PLAIN);
        let newton = solve("newton", &problem).unwrap();
        assert!(share(&problem, &newton) <= 1.0, "newton, case {case}");
        for key in ["lemke", "homotopy", "interior", "auto"] {
            let other = solve(key, &problem).unwrap_or_else(|error| panic!("{key}, case {case}: {error}"));
            assert!(share(&problem, &other) <= 1.0, "{key}, case {case}");
            let apart = distance(&newton.v, &other.v);
            assert!(apart < 1e-7, "{key}, case {case}: {apart:e}");
        }
    }
}

/// With friction up to 0.1 contacts have one solution: Newton's and Lemke's method, the homotopy and the interior point agree
/// on the velocity to 1e-7. A path of the homotopy may end before it arrives, as it says; at most one in a hundred does.
#[test]
fn with_little_friction_solvers_agree() {
    let mut numbers = Random(12);
    let mut ended = 0;
    for case in 0..200 {
        let recipe =
            Recipe { friction: 0.1, repeated: 0.0, compliant: 0.0, equations: 0, bounded: 0, ..PLAIN };
        let problem = random(&mut numbers, recipe);
        let lemke = solve("lemke", &problem).unwrap();
        let newton = solve("newton", &problem).unwrap();
        assert!(share(&problem, &lemke) <= 1.0 && share(&problem, &newton) <= 1.0, "case {case}");
        assert!(distance(&lemke.v, &newton.v) < 1e-7, "case {case}");
        for key in ["homotopy", "interior"] {
            let other = match solve(key, &problem) {
                Err(MixedError::NotConverged { solver: "homotopy", .. }) => {
                    ended += 1;
                    continue;
                }
                other => other.unwrap(),
            };
            assert!(share(&problem, &other) <= 1.0, "{key}, case {case}");
            assert!(distance(&lemke.v, &other.v) < 1e-7, "{key}, case {case}");
        }
    }
    assert!(ended <= 2, "{ended} of 200 paths ended early");
}

/// `auto` solves random contacts with friction up to 1, joints, bounds, repeated rows and compliance to the accepted residual;
/// at most 2 % end on a ray, none is called infeasible.
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

/// On a problem with 200 contacts, Newton's method, the homotopy and the interior point agree with Lemke's method on the
/// velocity to 1e-7.
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

/// Where friction jams contacts, the central path has folds, at which the interior point ends with an error: of 100
/// such problems, at least 95 of which Lemke's independent method solves, it leaves at most a quarter of those. `auto`
/// goes on from there and leaves none.
#[test]
fn auto_goes_on_where_the_central_path_folds() {
    let (left, solvable) = left_of_jammed("interior");
    assert!(solvable >= 95 && left <= 25, "{left} of {solvable} left by the interior point");
    let (left, _) = left_of_jammed("auto");
    assert_eq!(left, 0, "of {solvable} left by auto");
}

/// Where friction jams contacts, the homotopy's piecewise path turns back as well: of the problems that Lemke's method
/// solves, it fails on at most one. Without following the turns it would fail on 8.
#[test]
fn paths_are_followed_where_they_turn() {
    let (left, solvable) = left_of_jammed("homotopy");
    assert!(solvable >= 95 && left <= 1, "{left} of {solvable} left");
}

/// Of 100 problems with 40 contacts that friction jams: how many of those that Lemke's method solves `key` fails on, and how
/// many Lemke's method solves.
fn left_of_jammed(key: &str) -> (usize, usize) {
    let mut numbers = Random(15);
    let recipe = Recipe { bodies: 16, contacts: 40, friction: 3.0, equations: 0, bounded: 0, ..PLAIN };
    let (mut solvable, mut left) = (0, 0);
    for case in 0..100 {
        let problem = random(&mut numbers, Recipe { repeated: 0.0, compliant: 0.0, ..recipe });
        let solution = solve(key, &problem).ok().filter(|solution| solution.outcome.infeasible == 0);
        if let Some(solution) = &solution {
            assert!(share(&problem, solution) <= 1.0, "case {case}");
        }
        if solve("lemke", &problem).is_ok() {
            solvable += 1;
            left += usize::from(solution.is_none());
        }
    }
    (left, solvable)
}

/// From a cold start the interior point needs at most 14 factorisations for pyramids of 15, 55 and 210 boxes (11, 12 and 13).
/// Without Mehrotra's second-order term it would need 15, 17 and 20, with its sign wrong 30, 41 and 52.
#[test]
fn the_interior_point_takes_as_many_steps_at_every_size() {
    for rows in [5, 10, 20] {
        let solution = solve("interior", &pyramid(rows, 0.6)).unwrap();
        assert!(solution.outcome.residual < 1e-9, "{rows}: {:e}", solution.outcome.residual);
        assert!(solution.outcome.iterations <= 14, "{rows}: {}", solution.outcome.iterations);
    }
}

/// Under Newton's method boxes at rest stay at rest to rounding: in a pyramid, which is statically indeterminate, λ is not
/// unique but v is.
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

/// Newton's method started from its own solution returns the same bits without an iteration.
#[test]
fn a_solution_is_a_fixed_point() {
    let mut problem = pyramid(12, 0.6);
    problem.free[40].x = 2.0;
    let first = solve("newton", &problem).unwrap();
    let again = solve_from("newton", &problem, &first.lambda).unwrap();
    assert_eq!(again.outcome.iterations, 0);
    assert_eq!((first.lambda, first.v), (again.lambda, again.v));
}

/// A pyramid that is hit on top or at a side, or sheared, is solved to rounding from the warm start of the pyramid at rest.
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

/// Pyramids whose speeds fall geometrically over eight decades from body to body, as after a blow, are solved by Newton's
/// method and by the homotopy, which takes fewer than 800 pieces and factorisations for 20 of them.
#[test]
fn paths_resolve_speeds_that_fall_by_powers() {
    let rest = pyramid(10, 0.6);
    let count = rest.free.len() as f64;
    let warm = solve("newton", &rest).unwrap().lambda;
    let mut numbers = Random(7);
    let mut pieces = 0;
    for case in 0..20 {
        let mut problem = rest.clone();
        for (b, v) in (0_u32..).zip(&mut problem.free).skip(1) {
            let size = 10_f64.powf(-8.0 * f64::from(b) / count);
            v.x += size * numbers.within(-1.0, 1.0);
            v.y += size * numbers.within(-1.0, 1.0);
        }
        let newton = solve_from("newton", &problem, &warm).unwrap();
        let homotopy = solve_from("homotopy", &problem, &warm).unwrap();
        assert!(share(&problem, &newton) <= 1.0, "newton, case {case}");
        assert!(share(&problem, &homotopy) <= 1.0, "homotopy, case {case}");
        pieces += homotopy.outcome.iterations;
    }
    assert!(pieces < 800, "{pieces}");
}

/// A box that slides under Coulomb friction loses μ g h of speed in a step, and one that would stop within the step stops.
#[test]
fn a_box_slides_and_stops_as_coulomb_says() {
    for key in ["newton", "homotopy", "interior", "lemke", "auto", "pgs"] {
        let mut problem = stack(&[2.0], 0.25);
        problem.free[1].x = 1.0;
        let sliding = solve(key, &problem).unwrap();
        assert!((sliding.v[1].x - (1.0 - 0.25 * FALL)).abs() < 1e-8, "{key}: {}", sliding.v[1]);
        problem.free[1].x = 0.2 * FALL;
        let stopped = solve(key, &problem).unwrap();
        assert!(stopped.v[1].length() < 1e-8, "{key}: {}", stopped.v[1]);
    }
}

/// No velocity satisfies boxes between a floor and a ceiling that close in on them: Lemke's method returns a ray that
/// proves it, the others a velocity of least violation, marked as infeasible, with bounded impulses.
#[test]
fn a_confined_box_is_proved_to_be() {
    for n in [1_usize, 5] {
        let mut problem = stack(&vec![1.0; n], 0.5);
        for x in [-0.5, 0.5] {
            let first = problem.rows.len();
            contact(&mut problem, 0, n, -DVec2::Y, DVec2::ZERO, DVec2::new(x, 0.5), 0.5);
            problem.rows[first].bias = -0.3;
        }
        let ended = solve("lemke", &problem).map(|solution| solution.outcome);
        assert!(matches!(ended, Err(MixedError::Ray { infeasible: true, .. })), "{ended:?}");
        // The missing 0.3 m/s is shared by the n + 1 contacts on each side in proportion to their Aᵢᵢ: 5/2 for the two at
        // the walls, 5 for those between boxes.
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

/// Painlevé's rod has no contact force but an impulse. With friction in a fixed direction, as at the acceleration level,
/// A_nn − μ A_nt < 0 and q < 0, and Lemke's method ends on a ray for this problem of one row. With both directions of
/// friction and impulses all exact solvers find a solution.
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
    for key in ["newton", "homotopy", "interior", "lemke", "auto"] {
        let solution = solve(key, &problem).unwrap_or_else(|error| panic!("{key}: {error}"));
        assert!(share(&problem, &solution) <= 1.0, "{key}");
    }
}

/// With mass ratios up to 10¹², light on heavy and heavy on light, Newton's residual stays at rounding.
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
