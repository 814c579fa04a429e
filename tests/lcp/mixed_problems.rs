//! Mixed problems to solve: stacks and pyramids of boxes, random contacts, joints, bounds, conflicts.

use super::generators::Random;
use driftlab::lcp::{Law, MixedProblem, MixedRow};
use glam::{DVec2, DVec3};

/// Gravity times a time step of 1/60 s, m/s.
pub const FALL: f64 = 9.81 / 60.0;

/// A problem without rows of bodies at rest; the first is the ground.
pub fn bodies(inverse: &[DVec3]) -> MixedProblem {
    let mut problem = MixedProblem {
        inverse_mass: vec![DVec3::ZERO],
        free: vec![DVec3::ZERO],
        rows: Vec::new(),
        rounding: 0.0,
        rests: false,
    };
    problem.inverse_mass.extend(inverse);
    problem.free.resize(problem.inverse_mass.len(), DVec3::ZERO);
    problem
}

/// The row of unit vector `along` at arms `ra`, `rb` from the bodies' centres: rate of b against a.
pub fn row(a: usize, b: usize, along: DVec2, ra: DVec2, rb: DVec2, law: Law) -> MixedRow {
    MixedRow {
        a,
        b,
        ja: -DVec3::new(along.x, along.y, ra.perp_dot(along)),
        jb: DVec3::new(along.x, along.y, rb.perp_dot(along)),
        bias: 0.0,
        compliance: 0.0,
        law,
        further: None,
    }
}

/// A contact with friction μ: its normal row and its friction row.
pub fn contact(problem: &mut MixedProblem, a: usize, b: usize, n: DVec2, ra: DVec2, rb: DVec2, mu: f64) {
    let normal = problem.rows.len();
    problem.rows.push(row(a, b, n, ra, rb, Law::Unilateral));
    problem.rows.push(row(a, b, n.perp(), ra, rb, Law::Friction { normal, coefficient: mu }));
}

/// W of a box of `mass` with sides of `size`.
pub fn box_weight(mass: f64, size: DVec2) -> DVec3 {
    let turning = mass * size.length_squared() / 12.0;
    DVec3::new(1.0 / mass, 1.0 / mass, 1.0 / turning)
}

/// Boxes of 1 m and 1 kg in rows of `base`, `base` − 1 … 1, each on two below with two contacts for each pair, at the velocity
/// gained by a step of free fall.
pub fn pyramid(base: usize, mu: f64) -> MixedProblem {
    let count = base * (base + 1) / 2;
    let mut problem = bodies(&vec![box_weight(1.0, DVec2::ONE); count]);
    let mut first = 1;
    for level in 0..base {
        let width = base - level;
        for i in 0..width {
            let b = first + i;
            problem.free[b].y = -FALL;
            let below = if level == 0 {
                vec![(0, 0.0, 0.5)]
            } else {
                vec![(b - width - 1, 0.5, 0.25), (b - width, -0.5, 0.25)]
            };
            for (a, shift, half) in below {
                for side in [-half, half] {
                    // Contact point from the centre of b: the middle of the overlap, and half of it to each side.
                    let x = -0.5 * shift + side;
                    let rb = DVec2::new(x, -0.5);
                    let ra = if a == 0 { DVec2::ZERO } else { DVec2::new(x + shift, 0.5) };
                    contact(&mut problem, a, b, DVec2::Y, ra, rb, mu);
                }
            }
        }
        first += width;
    }
    problem
}

/// Boxes of 1 m on top of each other, the lowest on the ground, masses from below.
pub fn stack(masses: &[f64], mu: f64) -> MixedProblem {
    let weights: Vec<_> = masses.iter().map(|&mass| box_weight(mass, DVec2::ONE)).collect();
    let mut problem = bodies(&weights);
    for b in 1..=masses.len() {
        problem.free[b].y = -FALL;
        for x in [-0.5, 0.5] {
            let ra = if b == 1 { DVec2::ZERO } else { DVec2::new(x, 0.5) };
            contact(&mut problem, b - 1, b, DVec2::Y, ra, DVec2::new(x, -0.5), mu);
        }
    }
    problem
}

/// What a random problem is made of.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub bodies: usize,
    pub contacts: usize,
    /// Largest coefficient of friction; every contact's lies below it.
    pub friction: f64,
    pub equations: usize,
    pub bounded: usize,
    /// Share of rows that repeat one before them.
    pub repeated: f64,
    /// Share of rows with compliance.
    pub compliant: f64,
    /// Masses lie between 10^−this and 10^this.
    pub decades: f64,
}

/// Random contacts between random bodies with random velocities. The biases are chosen so that a random velocity satisfies
/// all rows (contacts w ≥ 0, equations w = 0): the problem is feasible.
pub fn random(random: &mut Random, recipe: Recipe) -> MixedProblem {
    let weights: Vec<_> = (0..recipe.bodies)
        .map(|_| box_weight(10_f64.powf(random.within(-recipe.decades, recipe.decades)), DVec2::ONE))
        .collect();
    let mut problem = bodies(&weights);
    let mut reached = vec![DVec3::ZERO];
    for free in &mut problem.free[1..] {
        *free = vector(random);
        reached.push(vector(random));
    }
    let unit = |random: &mut Random| DVec2::from_angle(random.within(0.0, std::f64::consts::TAU));
    for index in 0..recipe.contacts + recipe.equations + recipe.bounded {
        let b = random.whole(1, recipe.bodies);
        let a = random.whole(0, recipe.bodies);
        let a = if a == b { 0 } else { a };
        let (n, ra, rb) = (unit(random), 0.7 * unit(random), 0.7 * unit(random));
        let first = problem.rows.len();
        if index < recipe.contacts {
            let coefficient = random.within(0.0, recipe.friction);
            contact(&mut problem, a, b, n, ra, rb, coefficient);
            problem.rows[first].bias = random.within(0.0, 0.5) - problem.rows[first].rate(&reached);
        } else if index < recipe.contacts + recipe.equations {
            problem.rows.push(row(a, b, n, ra, rb, Law::Equation));
            problem.rows[first].bias = -problem.rows[first].rate(&reached);
        } else {
            let lower =
                if random.within(0.0, 1.0) < 0.2 { f64::NEG_INFINITY } else { random.within(-1.0, 0.2) };
            let upper = if random.within(0.0, 1.0) < 0.2 { f64::INFINITY } else { random.within(0.3, 1.0) };
            problem.rows.push(row(a, b, n, ra, rb, Law::Bounded { lower, upper }));
            let rate = problem.rows[first].rate(&reached);
            // A one-sided row is feasible as a contact is.
            problem.rows[first].bias = match (lower.is_finite(), upper.is_finite()) {
                (true, false) => random.within(0.0, 0.5) - rate,
                (false, true) => random.within(-0.5, 0.0) - rate,
                _ => -rate,
            };
        }
        if random.within(0.0, 1.0) < recipe.compliant {
            for row in &mut problem.rows[first..] {
                row.compliance = 10_f64.powf(random.within(-4.0, 1.0));
            }
        }
        if random.within(0.0, 1.0) < recipe.repeated {
            let again = problem.rows.len();
            problem.rows.extend_from_within(first..);
            if let Some(MixedRow { law: Law::Friction { normal, .. }, .. }) =
                problem.rows.get_mut(again + 1)
            {
                *normal = again;
            }
        }
    }
    problem
}

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0), random.within(-1.0, 1.0))
}
