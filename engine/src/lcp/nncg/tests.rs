//! The sweeps against the laws of the rows, and against a stack whose impulses are known.

use super::Nncg;
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use fastrand::Rng;
use glam::DVec3;

fn number(random: &mut Rng) -> f64 {
    2.0 * random.f64() - 1.0
}

/// A normal row along the axis at `angle` and its friction row, between bodies a and b at random levers.
fn contact(random: &mut Rng, rows: &mut Vec<MixedRow>, [a, b]: [usize; 2], friction: f64) {
    let angle = std::f64::consts::TAU * random.f64();
    let (x, y) = (libm::cos(angle), libm::sin(angle));
    let normal = rows.len();
    for (x, y, law) in [(x, y, Law::Unilateral), (-y, x, Law::Friction { normal, coefficient: friction })] {
        let (ja, jb) = (DVec3::new(-x, -y, number(random)), DVec3::new(x, y, number(random)));
        let bias = if normal == rows.len() { 0.1 * number(random) } else { 0.0 };
        rows.push(MixedRow { a, b, ja, jb, bias, compliance: 0.0, law, further: None });
    }
}

/// Bodies of random masses among which contacts are drawn, and the ground, body 0; equations and a limited row between some.
fn heap(random: &mut Rng, bodies: usize, contacts: usize) -> MixedProblem {
    let ground = vec![DVec3::ZERO];
    let mut problem =
        MixedProblem { inverse_mass: ground.clone(), free: ground, ..MixedProblem::default() };
    for _ in 0..bodies {
        let [mass, inertia] = [0.5 + random.f64(), 0.5 + random.f64()];
        problem.inverse_mass.push(DVec3::new(mass, mass, inertia));
        problem.free.push(DVec3::new(number(random), number(random), number(random)));
    }
    for _ in 0..contacts {
        let b = random.usize(1..=bodies);
        let a = random.usize(0..b);
        let friction = random.f64();
        contact(random, &mut problem.rows, [a, b], friction);
        if random.u8(0..5) == 0 {
            let law = if random.bool() { Law::Equation } else { Law::Bounded { lower: -0.1, upper: 0.3 } };
            let row = problem.rows[problem.rows.len() - 1];
            problem.rows.push(MixedRow { law, compliance: 0.1, ..row });
        }
    }
    problem
}

/// A visit solves the law of its contact: one sweep over a single contact leaves the residual of rounding, whether it
/// opens, sticks or slides. The residual is that of the laws themselves (`problem/mixed.rs`). Friction is weak enough
/// for its slopes to stay positive, μ |A_nt| < A_nn, so that there is one solution.
#[test]
fn a_contact_alone_is_solved_by_its_visit() {
    let mut random = Rng::with_seed(1);
    let mut seen = [0; 3];
    for _ in 0..3000 {
        let mut problem = heap(&mut random, 2, 0);
        let (friction, ends) = (random.f64(), [random.usize(0..2), 2]);
        contact(&mut random, &mut problem.rows, ends, friction);
        let [nn, nt] = [0, 1].map(|row| {
            let (n, other) = (&problem.rows[0], &problem.rows[row]);
            n.ja.dot(problem.inverse_mass[n.a] * other.ja) + n.jb.dot(problem.inverse_mass[n.b] * other.jb)
        });
        if friction * nt.abs() > 0.9 * nn {
            continue;
        }
        let mut lambda = vec![random.f64(), 0.0];
        Nncg::default().sweep(&problem, 1, &mut lambda);
        let left = problem.residual(&lambda);
        assert!(left <= 1e-13, "{left}: {lambda:?} of {:?}", problem.rows);
        seen[match lambda[..] {
            [0.0, _] => 0,
            [n, t] if t.abs() < 0.999_999 * friction * n => 1,
            _ => 2,
        }] += 1;
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

/// No impulse leaves its bounds, however few sweeps are made: λ_n ≥ 0, |λ_t| ≤ μ λ_n, l ≤ λ ≤ u, but for the last digit
/// of a bound. The start lies outside of them.
#[test]
fn impulses_stay_within_their_bounds() {
    let mut random = Rng::with_seed(2);
    for sweeps in [1, 2, 3, 4, 7, 30] {
        for _ in 0..20 {
            let problem = heap(&mut random, 12, 40);
            assert!(Nncg::applies(&problem));
            let mut lambda: Vec<f64> = problem.rows.iter().map(|_| number(&mut random)).collect();
            Nncg::default().sweep(&problem, sweeps, &mut lambda);
            for (i, x) in lambda.iter().enumerate() {
                let [lower, upper] = problem.bounds(i, &lambda);
                let rounding = 4.0 * f64::EPSILON * x.abs();
                assert!(*x >= lower - rounding && *x <= upper + rounding, "{x} in [{lower}, {upper}]");
            }
        }
    }
}

/// Contacts side by side get the bits of each alone: sweeps over many that share no movable body, and over one after the other.
#[test]
fn contacts_side_by_side_are_those_alone() {
    let mut random = Rng::with_seed(5);
    let mut all = heap(&mut random, 23, 0);
    for body in 1..=23 {
        let friction = random.f64();
        contact(&mut random, &mut all.rows, [0, body], friction);
    }
    let start: Vec<f64> = all.rows.iter().map(|_| number(&mut random)).collect();
    let mut together = start.clone();
    Nncg::default().sweep(&all, 1, &mut together);
    for (place, rows) in all.rows.chunks(2).enumerate() {
        let mut alone = MixedProblem { rows: rows.to_vec(), ..all.clone() };
        if let Law::Friction { normal, .. } = &mut alone.rows[1].law {
            *normal = 0;
        }
        let mut lambda = start[2 * place..][..2].to_vec();
        Nncg::default().sweep(&alone, 1, &mut lambda);
        assert_eq!(lambda, together[2 * place..][..2], "contact {place}");
    }
}

/// Units do not matter: where masses and speeds are multiplied by powers of two, so are the impulses, to the bit, beyond the
/// range of single precision, too.
#[test]
fn rough_sweeps_have_no_units() {
    let mut random = Rng::with_seed(7);
    let mut problem = heap(&mut random, 40, 0);
    for b in 2..=40 {
        let (a, friction) = (random.usize(0..b), random.f64());
        contact(&mut random, &mut problem.rows, [a, b], friction);
    }
    let mut lambda = vec![0.0; problem.rows.len()];
    Nncg::default().sweep_roughly(&problem, 30, &mut lambda);
    for [mass, speed] in
        [[2.0, 1.0], [1.0, 2.0], [80.0, 40.0], [-90.0, -60.0]].map(|powers| powers.map(f64::exp2))
    {
        let mut scaled = problem.clone();
        scaled.inverse_mass.iter_mut().for_each(|w| *w /= mass);
        scaled.free.iter_mut().for_each(|v| *v *= speed);
        scaled.rows.iter_mut().for_each(|row| row.bias *= speed);
        let mut other = vec![0.0; lambda.len()];
        Nncg::default().sweep_roughly(&scaled, 30, &mut other);
        let expected: Vec<f64> = lambda.iter().map(|x| x * mass * speed).collect();
        assert_eq!(other, expected);
    }
}

/// Sweeps of which all but the last are made in single precision keep every bound, and leave as little as others do.
#[test]
fn rough_sweeps_keep_their_bounds_and_leave_as_little() {
    let mut random = Rng::with_seed(6);
    let (mut rough, mut precise) = (0.0, 0.0);
    for _ in 0..40 {
        let mut problem = heap(&mut random, 40, 0);
        for b in 2..=40 {
            let friction = random.f64();
            let a = random.usize(0..b);
            contact(&mut random, &mut problem.rows, [a, b], friction);
        }
        let start: Vec<f64> = problem.rows.iter().map(|_| number(&mut random)).collect();
        let mut lambda = start.clone();
        Nncg::default().sweep_roughly(&problem, 30, &mut lambda);
        for (i, x) in lambda.iter().enumerate() {
            let [lower, upper] = problem.bounds(i, &lambda);
            let rounding = 4.0 * f64::EPSILON * x.abs();
            assert!(*x >= lower - rounding && *x <= upper + rounding, "{x} in [{lower}, {upper}]");
        }
        rough += problem.residual(&lambda);
        lambda = start;
        Nncg::default().sweep(&problem, 30, &mut lambda);
        precise += problem.residual(&lambda);
    }
    assert!(rough < 1.5 * precise && precise > 0.0, "{rough} for {precise}");
}

/// A stack of n equal boxes that fall by g h in a step is stopped by the impulses (n − k) m g h below box k. Conjugate
/// directions carry the load through 30 boxes within 100 sweeps, but for the weight of less than one box; as many plain
/// sweeps leave that of more than ten, since their rate worsens with n².
#[test]
fn conjugate_directions_carry_the_load_of_a_stack() {
    const BOXES: usize = 30;
    let mut problem = heap(&mut Rng::with_seed(4), 0, 0);
    for k in 1..=BOXES {
        problem.inverse_mass.push(DVec3::ONE);
        problem.free.push(DVec3::new(0.0, -1.0, 0.0));
        let (ja, jb) = (DVec3::NEG_Y, DVec3::Y);
        let law = Law::Unilateral;
        let (bias, compliance, further) = (0.0, 0.0, None);
        problem.rows.push(MixedRow { a: k - 1, b: k, ja, jb, bias, compliance, law, further });
    }
    let error = |lambda: &[f64]| {
        let exact = (0..BOXES).map(|k| (BOXES - k) as f64);
        lambda.iter().zip(exact).map(|(x, exact)| (x - exact).abs()).fold(0.0, f64::max)
    };
    let mut lambda = vec![0.0; BOXES];
    Nncg::default().sweep(&problem, 100, &mut lambda);
    assert!(error(&lambda) < 1.0, "{}", error(&lambda));
    let (mut plain, mut v) = (vec![0.0; BOXES], problem.free.clone());
    for _ in 0..100 {
        for (row, x) in problem.rows.iter().zip(&mut plain) {
            let next = (*x - row.rate(&v) / row.diagonal(&problem.inverse_mass)).max(0.0);
            row.push(next - *x, &problem.inverse_mass, &mut v);
            *x = next;
        }
    }
    assert!(error(&plain) > 10.0, "{}", error(&plain));
}
