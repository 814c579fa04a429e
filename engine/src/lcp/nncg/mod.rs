//! Nonsmooth nonlinear conjugate gradients (NNCG): sweeps of projected Gauss–Seidel, accelerated; nothing is factorised.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`.
//!
//! **Iteration.** A sweep P solves the law of one contact or row after the other (`visit.rs`). Its change takes the place of a
//! gradient, and Fletcher's and Reeves' rule that of a line search:
//!
//! ```text
//! d_k = P(λ_k) − λ_k ,   β = ‖d_k‖² / ‖d_{k−1}‖² ,   ‖d‖² = Σ Aᵢᵢ dᵢ²
//! β ≤ 1:   λ_{k+1} = P(λ_k) + β p_{k−1} ,   p_k = d_k + β p_{k−1}
//! β > 1:   λ_{k+1} = P(λ_k) ,               p_k = 0                            directions begin anew
//! ```
//!
//! [Silcowitz-Hansen, Niebe & Erleben 2010, algorithm 1]. The last two sweeps are made without β p, so that λ is within every
//! bound, Coulomb's cones included.
//!
//! **Order.** Contacts are visited by colour; two of one colour share no movable body, and a processor can overlap their visits.
//! The colours, and with them every bit of the result, depend on the rows alone.
//!
//! **Classes**: without friction every problem with a solution; with friction there is no proof. The residual falls unevenly: in
//! piles in motion 100 sweeps take it from 0.1 of the speed to 1e-3, where as many of Gauss–Seidel leave 5e-3.
//!
//! **Failure**: none. The residual that is left has to be measured.
//!
//! Departures: the exact block of a contact in place of row by row; ‖d‖ in the unit of an energy.

#[cfg(test)]
mod tests;
pub mod visit;

use crate::lcp::info::SolverInfo;
use crate::lcp::problem::mixed::MixedProblem;
use crate::math::Pair;
use glam::DVec3;
use visit::{FrictionalContact, Moving, Single};

/// The method's entry in trails and in the policy of `auto`.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "nncg",
    name: "Nonlinear conjugate gradients",
    summary: "A given number of Gauss–Seidel sweeps along conjugate directions; approximate.",
    source: "Silcowitz-Hansen, Niebe & Erleben 2010",
    parameters: &[],
};

/// Sweeps at the end without conjugate directions.
const PLAIN: usize = 2;
/// Most colours, as many as a mask has bits. All further contacts share the last one.
const COLOURS: u32 = u64::BITS;

/// Buffers of the method.
#[derive(Debug, Default)]
pub(crate) struct Nncg {
    contacts: Vec<FrictionalContact>,
    singles: Vec<Single>,
    /// By body: as it is, as it was before the sweep, and p of its velocity.
    bodies: Vec<Moving>,
    before: Vec<Moving>,
    direction: Vec<(Pair, f64)>,
    v: Vec<DVec3>,
    /// The visits, each by its colour and row, and the colours taken, by body.
    visits: Vec<(u32, u32)>,
    taken: Vec<u64>,
}

impl Nncg {
    /// Whether the method applies: all friction is Coulomb's, without compliance, and beside no impulse that rebounds.
    pub fn applies(problem: &MixedProblem) -> bool {
        let mut frictions = problem.rows.iter().enumerate().filter(|(_, row)| row.law.normal().is_some());
        frictions.all(|(i, _)| FrictionalContact::fits(problem, [i - 1, i]))
    }

    /// Makes `sweeps` sweeps from `lambda`, by row, which becomes their result; returns how many were made: fewer where one
    /// changes nothing.
    pub fn sweep(&mut self, problem: &MixedProblem, sweeps: usize, lambda: &mut [f64]) -> usize {
        self.order(problem);
        self.begin(problem, lambda);
        let made = self.iterate(sweeps);
        self.contacts.iter().for_each(|contact| contact.write(lambda));
        self.singles.iter().for_each(|single| single.write(lambda));
        made
    }

    /// Orders the visits by colour.
    fn order(&mut self, problem: &MixedProblem) {
        let Self { visits, taken, .. } = self;
        taken.clear();
        taken.resize(problem.inverse_mass.len(), 0);
        visits.clear();
        for (i, row) in problem.rows.iter().enumerate() {
            if row.law.normal().is_some() {
                continue;
            }
            let bodies = row.arms().map(|(body, _)| body);
            let movable = bodies.filter(|&body| problem.inverse_mass[body] != DVec3::ZERO);
            let used = movable.clone().fold(0, |used, body| used | taken[body]);
            let colour = (!used).trailing_zeros().min(COLOURS - 1);
            movable.for_each(|body| taken[body] |= 1 << colour);
            visits.push((colour, i as u32));
        }
        visits.sort_unstable();
    }

    /// Loads the problem and λ.
    fn begin(&mut self, problem: &MixedProblem, lambda: &[f64]) {
        let Self { contacts, singles, bodies, before, direction, v, visits, .. } = self;
        problem.velocity(lambda, v);
        bodies.clear();
        bodies.extend(v.iter().zip(&problem.inverse_mass).map(|(v, w)| Moving::of(*v, *w)));
        before.clone_from(bodies);
        direction.clear();
        direction.resize(v.len(), (Pair::ZERO, 0.0));
        contacts.clear();
        singles.clear();
        for &(_, row) in &*visits {
            let row = row as usize;
            match problem.rows.get(row + 1).and_then(|next| next.law.normal()) {
                None => singles.extend(Single::of(problem, row, lambda)),
                Some(_) => contacts.extend(FrictionalContact::of(problem, [row, row + 1], lambda)),
            }
        }
    }

    fn iterate(&mut self, sweeps: usize) -> usize {
        let Self { contacts, singles, bodies, before, direction, .. } = self;
        let (mut last, mut conjugate) = (f64::INFINITY, None);
        for made in 1..=sweeps {
            before.copy_from_slice(bodies);
            let size = sweep(contacts, singles, bodies, conjugate); // ‖d‖²
            if size == 0.0 {
                return made;
            }
            let beta = size / last;
            last = size;
            if made + PLAIN > sweeps || beta > 1.0 {
                conjugate = None;
                direction.fill((Pair::ZERO, 0.0));
                continue;
            }
            conjugate = Some(beta);
            for ((body, before), (linear, angular)) in
                bodies.iter_mut().zip(&*before).zip(direction.iter_mut())
            {
                let p = (Pair::splat(beta) * *linear, beta * *angular);
                *linear = body.linear - before.linear + p.0;
                *angular = body.angular - before.angular + p.1;
                body.linear += p.0;
                body.angular += p.1;
            }
        }
        sweeps
    }
}

/// Visits everything once; returns ‖d‖².
#[inline(never)]
fn sweep(
    contacts: &mut [FrictionalContact],
    singles: &mut [Single],
    bodies: &mut [Moving],
    beta: Option<f64>,
) -> f64 {
    let mut size = 0.0;
    for contact in contacts {
        size += contact.visit(beta, bodies);
    }
    for single in singles {
        size += single.visit(beta, bodies);
    }
    size
}
