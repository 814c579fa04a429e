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
//! Every solution that counts, the given one included, satisfies the measure of `problem/acceptance.rs`.
//!
//! Source: [Cottle, Pang & Stone 1992, ch. 3], solution sets of semidefinite and other matrices; [Baraff 1994] and [Génot &
//! Brogliato 1999], Coulomb friction and Painlevé's rod.

mod redundancy;
mod second;

use crate::lcp::direct::equations::Equations;
use crate::lcp::info::ACCEPTED;
use crate::lcp::islands::island_memory::Island;
use crate::lcp::islands::split::Islands;
use crate::lcp::problem::acceptance::{InSpeeds, larger};
use crate::lcp::problem::mixed::{Law, MixedProblem};

/// The other solutions of a problem, as far as they are known. In a problem of forces velocities are accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    /// The difference `apart` as a share of the island's speed (`problem/acceptance.rs`).
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
    /// Returns the result for equations alone, of which `dependent` depend on the others: velocities are unique.
    pub(crate) fn of_equations(dependent: usize) -> Self {
        let exchange = if dependent > 0 { f64::INFINITY } else { 0.0 };
        Self { directions: dependent, exchange, ..Self::default() }
    }

    /// Converts accelerations to the velocities that they give within `duration`, s.
    pub(crate) fn over(self, duration: f64) -> Self {
        Self { apart: duration * self.apart, ..self }
    }

    /// Combines two problems that follow each other by the worse of each figure.
    pub(crate) fn or_worse(self, other: Self) -> Self {
        Self {
            directions: self.directions.max(other.directions),
            exchange: larger(self.exchange, other.exchange),
            ambiguous: self.ambiguous.max(other.ambiguous),
            apart: larger(self.apart, other.apart),
            apart_relative: larger(self.apart_relative, other.apart_relative),
            searched: self.searched.max(other.searched),
            unsearched: self.unsearched.max(other.unsearched),
            unexamined: self.unexamined.max(other.unexamined),
        }
    }

    /// Combines two islands of a problem.
    fn beside(self, other: Self) -> Self {
        Self {
            directions: self.directions + other.directions,
            ambiguous: self.ambiguous + other.ambiguous,
            searched: self.searched + other.searched,
            unsearched: self.unsearched + other.unsearched,
            unexamined: self.unexamined + other.unexamined,
            ..self.or_worse(other)
        }
    }
}

impl MixedProblem {
    /// Returns the other solutions that the problem has beside `lambda`, its solution by row.
    ///
    /// This costs about as much as solving an island some dozen times. The figures depend on the problem and λ alone, but for
    /// the last digits of a singular value decomposition.
    pub fn uniqueness(&self, lambda: &[f64]) -> Uniqueness {
        if lambda.len() != self.rows.len() {
            return Uniqueness { unexamined: 1, ..Uniqueness::default() };
        }
        let (mut speeds, mut scaled) = (InSpeeds::default(), lambda.to_vec());
        let problem = if speeds.converts(self) {
            speeds.scale(&mut scaled);
            &speeds.problem
        } else {
            self
        };
        let (mut islands, mut own, mut island) = (Islands::default(), Self::default(), Island::default());
        islands.split(problem);
        (0..islands.len()).fold(Uniqueness::default(), |sum, index| {
            islands.extract(problem, index, &mut own);
            island.begin(&own, islands.rows_of(index), &scaled);
            sum.beside(of_island(&own, &island))
        })
    }
}

fn of_island(problem: &MixedProblem, island: &Island) -> Uniqueness {
    let Island { acceptance, lambda, .. } = island;
    let unexamined = Uniqueness { unexamined: 1, ..Uniqueness::default() };
    if !acceptance.admits(problem, lambda, problem.residual(lambda), ACCEPTED) {
        return unexamined;
    }
    let mut v = Vec::new();
    problem.velocity(lambda, &mut v);
    let mut found = redundancy::exchange(problem, island, &v);
    // Equations that the solver takes for dependent, drift included, are treated as dependent here as well.
    let mut equations = Equations::default();
    if problem.rows.iter().any(|row| row.law == Law::Equation) && equations.factor(problem).is_ok() {
        found = found.or_worse(Uniqueness::of_equations(equations.surplus().count()));
    }
    if problem.rows.iter().any(|row| row.law.normal().is_some()) {
        match second::search(problem, island, &v) {
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
