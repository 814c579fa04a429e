//! Nonsmooth nonlinear conjugate gradients (NNCG): sweeps of projected Gauss–Seidel, accelerated; nothing is factorised.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`.
//!
//! **Iteration.** A sweep P solves the law of one contact (`contacts.rs`) or row (`single.rs`) after the other. Its change
//! takes the place of a gradient, and Fletcher's and Reeves' rule that of a line search:
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
//! **Order.** Contacts are visited by colour; two of one colour share no movable body, so that several of them are visited
//! side by side (`lanes.rs`), with the result of one after the other. The colours, and with them every bit of the result,
//! depend on the rows alone.
//!
//! **Precision.** Where a digit or two is asked for, the sweeps over contacts may be made in single precision, eight side by
//! side; the last six are made in double precision.
//!
//! **Classes**: without friction every problem with a solution; with friction there is no proof. The residual falls unevenly: in
//! piles in motion 100 sweeps take it from 0.1 of the speed to 1e-3, where as many of Gauss–Seidel leave 5e-3.
//!
//! **Failure**: none. The residual that is left has to be measured.
//!
//! Departures: the exact block of a contact in place of row by row; ‖d‖ in the unit of an energy.

pub mod contacts;
mod lanes;
pub mod single;
#[cfg(test)]
mod tests;

use crate::lcp::info::SolverInfo;
use crate::lcp::problem::mixed::MixedProblem;
use contacts::{Contacts, Units, is_contact};
use glam::DVec3;
use lanes::{Arithmetic, Lanes};
use single::Single;
use wide::{f32x8, f64x4};

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
/// Sweeps in double precision at the end of those in single precision.
const PRECISE: usize = 6;
/// Most colours, as many as a mask has bits. All further contacts share the last one.
const COLOURS: u32 = u64::BITS;

/// Buffers of the method.
#[derive(Debug, Default)]
pub(crate) struct Nncg {
    precise: Sweeps<f64x4>,
    rough: Sweeps<f32x8>,
    singles: Vec<Single>,
    v: Vec<DVec3>,
    /// The visits, each by its colour and row, and the colours taken, by body.
    visits: Vec<(u32, u32)>,
    taken: Vec<u64>,
}

/// Contacts side by side, and their bodies.
#[derive(Debug, Default)]
struct Sweeps<L: Lanes> {
    contacts: Vec<Contacts<L>>,
    /// By body, then of one that rests and that nothing touches: v as it is, as it was before the sweep, and its p.
    bodies: Vec<L::Body>,
    before: Vec<L::Body>,
    direction: Vec<L::Body>,
}

impl Nncg {
    /// Whether the method applies: all friction is Coulomb's, without compliance, and beside no impulse that rebounds.
    pub fn applies(problem: &MixedProblem) -> bool {
        let mut frictions = problem.rows.iter().enumerate().filter(|(_, row)| row.law.normal().is_some());
        frictions.all(|(i, _)| is_contact(problem, [i - 1, i]))
    }

    /// Makes `sweeps` sweeps from `lambda`, by row, which becomes their result; returns how many were made: fewer where one
    /// changes nothing.
    pub fn sweep(&mut self, problem: &MixedProblem, sweeps: usize, lambda: &mut [f64]) -> usize {
        self.order(problem);
        self.sweep_precisely(problem, sweeps, lambda)
    }

    /// Makes `sweeps` sweeps likewise, in single precision but for the last; all in double precision where a row is no contact.
    pub fn sweep_roughly(&mut self, problem: &MixedProblem, sweeps: usize, lambda: &mut [f64]) -> usize {
        self.order(problem);
        let first = sweeps.saturating_sub(PRECISE);
        let pairs = problem.rows.iter().filter(|row| row.law.normal().is_some()).count();
        let are_contacts = 2 * pairs == problem.rows.len();
        if first == 0 || !are_contacts {
            return self.sweep_precisely(problem, sweeps, lambda);
        }
        problem.velocity(lambda, &mut self.v);
        let units = Units::of(problem);
        self.rough.begin(problem, &self.visits, &self.v, lambda, units);
        let made = self.rough.iterate(first, |_, _, size| size);
        self.rough.write(lambda, units);
        made + self.sweep_precisely(problem, PRECISE, lambda)
    }

    fn sweep_precisely(&mut self, problem: &MixedProblem, sweeps: usize, lambda: &mut [f64]) -> usize {
        let Self { precise, singles, v, visits, .. } = self;
        problem.velocity(lambda, v);
        precise.begin(problem, visits, v, lambda, Units::SI);
        singles.clear();
        let alone = visits.iter().map(|(_, row)| *row as usize).filter(|row| !has_friction(problem, *row));
        singles.extend(alone.filter_map(|row| Single::of(problem, row, lambda)));
        let made = precise.iterate(sweeps, |beta, bodies, size| {
            let visit = |single: &mut Single| single.visit(beta, bodies, &problem.inverse_mass);
            singles.iter_mut().map(visit).fold(size, |sum, own| sum + own)
        });
        precise.write(lambda, Units::SI);
        singles.iter().for_each(|single| single.write(lambda));
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
}

/// Whether the row behind a row is its friction row.
fn has_friction(problem: &MixedProblem, row: usize) -> bool {
    problem.rows.get(row + 1).is_some_and(|next| next.law.normal().is_some())
}

impl<L: Lanes> Sweeps<L> {
    /// Loads the contacts, their bodies at the velocities v, and λ.
    fn begin(
        &mut self,
        problem: &MixedProblem,
        visits: &[(u32, u32)],
        v: &[DVec3],
        lambda: &[f64],
        units: Units,
    ) {
        let Self { contacts, bodies, before, direction } = self;
        bodies.clear();
        bodies.extend(v.iter().map(|v| L::body((*v / units.speed).to_array())));
        let idle = bodies.len() as u32;
        bodies.push(L::body([0.0; 3]));
        before.clone_from(bodies);
        direction.clear();
        direction.resize(bodies.len(), L::body([0.0; 3]));
        contacts.clear();
        let mut last = COLOURS;
        for &(colour, row) in visits {
            let row = row as usize;
            if !has_friction(problem, row) {
                continue;
            }
            // Those of the last colour may share bodies.
            let is_apart = colour != last || colour == COLOURS - 1;
            if is_apart || !contacts.last().is_some_and(Contacts::has_place) {
                contacts.push(Contacts::none(idle));
            }
            last = colour;
            if let Some(contacts) = contacts.last_mut() {
                contacts.add(problem, [row, row + 1], lambda, units);
            }
        }
    }

    /// Makes sweeps over the contacts, each followed by `others`, which adds its share to ‖d‖²; returns how many were made.
    fn iterate(
        &mut self,
        sweeps: usize,
        mut others: impl FnMut(Option<f64>, &mut [L::Body], f64) -> f64,
    ) -> usize {
        let Self { contacts, bodies, before, direction } = self;
        let (mut last, mut conjugate) = (f64::INFINITY, None);
        for made in 1..=sweeps {
            before.copy_from_slice(bodies);
            let size = visit(contacts, bodies, conjugate);
            let size = others(conjugate, bodies, size); // ‖d‖²
            if size == 0.0 {
                return made;
            }
            let beta = size / last;
            last = size;
            if made + PLAIN > sweeps || beta > 1.0 {
                conjugate = None;
                direction.fill(L::Body::default());
                continue;
            }
            conjugate = Some(beta);
            for ((body, before), direction) in bodies.iter_mut().zip(&*before).zip(direction.iter_mut()) {
                let p = L::Body::splat(beta) * *direction;
                *direction = *body - *before + p;
                *body += p;
            }
        }
        sweeps
    }

    fn write(&self, lambda: &mut [f64], units: Units) {
        self.contacts.iter().for_each(|contacts| contacts.write(lambda, units));
    }
}

/// Visits all contacts once; returns ‖d‖².
#[inline(never)]
fn visit<L: Lanes>(contacts: &mut [Contacts<L>], bodies: &mut [L::Body], beta: Option<f64>) -> f64 {
    contacts.iter_mut().fold(0.0, |size, contacts| contacts.visit(beta, bodies, size))
}
