//! Whether a mixed problem has other solutions than the one found, and how far they are apart.
//!
//! **Impulses.** All solutions with the same velocity v⁺, and so the same w, are a convex polyhedron of λ,
//!
//! ```text
//! W Jᵀλ = v⁺ − v* ,   equation λ free ,   w > 0: λ = l ,   w < 0: λ = u ,   w = 0: l ≤ λ ≤ u
//!                     friction w ≠ 0: λ_t = ∓μ λ_n ,   w = 0: |λ_t| ≤ μ λ_n ,   compliant rows fixed
//! ```
//!
//! whose dimension is the number of independent ways in which impulses may be exchanged without any body noticing: one of a
//! box on a floor, whose two contacts may push each other apart or together along it; three of a body welded to two walls
//! (`redundancy.rs`). Without friction and sliding rows v⁺ itself is unique, because the problem is a convex one in v.
//!
//! **Velocities.** Coulomb's law makes the problem one of a matrix that is neither symmetric nor semidefinite, and v⁺ may be
//! one of several: Painlevé's rod, about to leave the ground while it slides along it, may leave, go on sliding or jam. There is
//! no cheap test for that. So small islands are solved again in other ways, from other starts and, where they are few, in every
//! combination of states (`second.rs`). A second velocity is a proof; **not finding one proves nothing**.
//!
//! Every solution that counts, the given one included, satisfies the measure of `lcp/problem/acceptance.rs`.
//!
//! Source: [Cottle, Pang & Stone 1992, ch. 3], solution sets of semidefinite and other matrices; [Baraff 1994] and [Génot &
//! Brogliato 1999], Coulomb friction and Painlevé's rod.

mod redundancy;
mod second;
mod summary;

pub use summary::UniquenessSummary;

use crate::experiment::units::larger;
use crate::internal::{Acceptance, Delassus, InSpeeds, Islands};
use crate::lcp::{ACCEPTED, Law, MixedProblem, MixedRow};
use crate::report::StepReport;
use crate::step::SolvedProblem;
use glam::DVec3;

/// The other solutions of a problem, as far as they are known. In a problem of forces velocities are accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uniqueness {
    /// Independent directions in which λ can change while every velocity stays: 0 where λ is unique; of islands too large to be
    /// examined, at least so many.
    pub directions: usize,
    /// Largest change of a row's impulse along one such direction between the bounds that it meets, as a share of the island's
    /// largest impulse, at least: without unit; ∞ where no bound is met, as of equations alone; 0 where λ is unique.
    pub exchange: f64,
    /// Islands in which a second velocity has been found.
    pub ambiguous: usize,
    /// Largest difference of a body's velocity between two solutions, √(|Δv|² + k²Δω²) with the radius of gyration k, m/s; 0
    /// where no second velocity has been found.
    pub apart: f64,
    /// The difference `apart` as a share of the island's speed (`lcp/problem/acceptance.rs`).
    pub apart_relative: f64,
    /// Islands with friction that were searched for a second velocity.
    pub searched: usize,
    /// Islands with friction that were not searched, having more than 50 rows.
    pub unsearched: usize,
    /// Islands too large for more than a lower bound of the directions, and those not examined at all because the given λ is
    /// no solution, as after sweeps or in problems that have none.
    pub unexamined: usize,
}

impl Uniqueness {
    fn unexamined() -> Self {
        Self { unexamined: 1, ..Self::default() }
    }

    /// Also counts `dependent` equations that depend on others: nothing bounds their impulses, and no velocity depends on them.
    fn or_of_equations(self, dependent: usize) -> Self {
        let exchange = if dependent > 0 { f64::INFINITY } else { self.exchange };
        Self { directions: self.directions.max(dependent), exchange, ..self }
    }

    /// Combines two islands of a problem.
    fn beside(self, other: Self) -> Self {
        Self {
            directions: self.directions + other.directions,
            exchange: larger(self.exchange, other.exchange),
            ambiguous: self.ambiguous + other.ambiguous,
            apart: larger(self.apart, other.apart),
            apart_relative: larger(self.apart_relative, other.apart_relative),
            searched: self.searched + other.searched,
            unsearched: self.unsearched + other.unsearched,
            unexamined: self.unexamined + other.unexamined,
        }
    }
}

/// The other solutions that `problem` has beside `lambda`, its solution by row.
///
/// A problem whose friction rows do not stand behind their normal rows, or with another number of multipliers, is not examined.
/// This costs about as much as solving an island some dozen times. The figures depend on the problem and λ alone, but
/// for the last digits of a singular value decomposition.
pub fn uniqueness(problem: &MixedProblem, lambda: &[f64]) -> Uniqueness {
    if lambda.len() != problem.rows.len() || !problem.is_in_order() {
        return Uniqueness::unexamined();
    }
    let (mut speeds, mut scaled) = (InSpeeds::default(), lambda.to_vec());
    let problem = if speeds.converts(problem) {
        speeds.scale(&mut scaled);
        &speeds.problem
    } else {
        problem
    };
    let mut islands = Islands::default();
    islands.split(problem);
    (0..islands.count()).fold(Uniqueness::default(), |sum, index| {
        let mut own = MixedProblem::default();
        islands.extract(problem, index, &mut own);
        let scale = islands.scale_of(index);
        let lambda = islands.rows_of(index).iter().map(|&row| scaled[row as usize] / scale).collect();
        sum.beside(Island::new(own, lambda).examine())
    })
}

/// The other solutions of the dynamics of a step of `h` seconds with this report, whose problem is `solved`; none if it
/// has no rows. Accelerations are converted to the velocities that they give within the step; in a step that was made
/// in parts, whose last one is examined, that is an upper bound.
///
/// Of equations alone, solved as one system, the factorisation has counted how many depend on others.
pub(super) fn of_step(solved: Option<SolvedProblem>, report: &StepReport, h: f64) -> Uniqueness {
    match solved {
        Some(SolvedProblem { problem, rows, .. }) if report.islands > 0 || !problem.is_linear() => {
            let lambda: Vec<f64> = rows.iter().map(|row| row.reading.lambda).collect();
            let found = uniqueness(&problem, &lambda);
            // Only velocities may come to rest.
            let duration = if problem.rests { 1.0 } else { h };
            Uniqueness { apart: duration * found.apart, ..found }
        }
        None if report.rows > 0 => Uniqueness::unexamined(),
        _ => Uniqueness::default().or_of_equations(report.dependent_rows),
    }
}

/// One island with its solution.
struct Island {
    problem: MixedProblem,
    lambda: Vec<f64>,
    /// The velocity of the solution, by body.
    v: Vec<DVec3>,
    acceptance: Acceptance,
}

impl Island {
    fn new(problem: MixedProblem, lambda: Vec<f64>) -> Self {
        let mut v = Vec::new();
        problem.velocity(&lambda, &mut v);
        Self { acceptance: Acceptance::of(&problem), problem, lambda, v }
    }

    /// Whether `lambda` with this residual is a solution.
    fn admits(&self, lambda: &[f64], residual: f64) -> bool {
        self.acceptance.admits(&self.problem, lambda, residual, ACCEPTED)
    }

    fn examine(&self) -> Uniqueness {
        let Self { problem, lambda, acceptance, .. } = self;
        if !self.admits(lambda, problem.residual(lambda)) {
            return Uniqueness::unexamined();
        }
        // Equations that the solver takes for dependent, drift included, are treated as dependent here as well.
        let equations: Vec<&MixedRow> =
            problem.rows.iter().filter(|row| row.law == Law::Equation).collect();
        let mut matrix = Delassus::default();
        let factored = matrix.factor(equations.len(), |i| equations[i], &problem.inverse_mass);
        let dependent = factored.map_or(0, |()| matrix.dependent_rows());
        let mut found = redundancy::exchange(self).or_of_equations(dependent);
        if problem.rows.iter().any(|row| row.law.normal().is_some()) {
            match second::search(self) {
                None => found.unsearched = 1,
                Some(apart) => {
                    found.searched = 1;
                    found.ambiguous = usize::from(apart > 0.0);
                    found.apart = apart;
                    found.apart_relative = if apart > 0.0 { apart / acceptance.speed() } else { 0.0 };
                }
            }
        }
        found
    }
}
