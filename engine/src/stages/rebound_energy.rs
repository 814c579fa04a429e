//! The energy of rebounds: where the effort is bounded, an island's contacts give back no more than they take.
//!
//! **Laws of impact may gain energy.** Newton's law asks v_n⁺ = −e v_n⁻ of each contact by itself. A light body that is
//! caught between the ground and a heavy one can only rebound if the heavy one leaves at e times the *light* body's
//! speed; with friction Newton's law gains energy in single contacts, too [Kane & Levinson 1985]. Poisson's law returns
//! e times the collision's impulses, which between jammed bodies are not unique, and far too large where rows yield.
//!
//! **Work of the constraints.** With the velocities v* before the impulses and v⁺ behind them, over all bodies, those on
//! a prescribed path included,
//!
//! ```text
//! G = ½ Σ λᵢ (Jᵢ v⁺ + Jᵢ v*) = T⁺ − T* − the work of drivers and springs
//! ```
//!
//! where the sum runs over all rows but those of springs.
//!
//! **The rule.** (λ¹, v¹) is the solution with the rebounds, (λ⁰, v⁰) the one without: of the problem with the scheme's
//! own b in their rows, or by Poisson's law that of compression. Where G¹ > max(G⁰, 0), the island gets
//!
//! ```text
//! λ = λ⁰ + s (λ¹ − λ⁰) ,  v likewise ,   s the largest share with  G(s) ≤ max(G⁰, 0)
//! ```
//!
//! G is quadratic in s. Every condition w ≥ 0, every bound and every cone holds between two states in which it holds.
//! G⁰ ≤ 0, since Σ λᵢ wᵢ ≤ 0 and b ≥ 0 (`lcp/auto/dissipative.rs`): the contacts of an island that rebounds take energy
//! or keep it.
//!
//! **Where it does not hold.** An exact effort obeys the laws of impact as they are. So do islands with joints, which
//! are solved exactly, and steps in which the scheme pushes an overlap out, b < 0, which gains energy by itself.

use super::motion::SolvedBy;
use super::posed_problem::{Problem, Record};
use crate::lcp::{ACCEPTED, Effort, Law, MixedRow};
use crate::report::{StepError, StepReport};
use glam::DVec3;

/// Multipliers and velocities of a problem.
#[derive(Clone, Copy)]
struct State<'a> {
    lambda: &'a [f64],
    v: &'a [DVec3],
}

/// A problem with rebounds that has been solved.
pub(crate) struct Rebounds<'p> {
    pub problem: &'p mut Problem,
    /// v*, the velocity before the impulses.
    pub free: &'p [DVec3],
}

impl Rebounds<'_> {
    /// Reduces the rebounds of the islands that gain energy by them. Of an exact `effort` none is reduced, nor by a scheme's own
    /// solver, which knows no islands.
    ///
    /// # Errors
    /// The problem without rebounds is not solved.
    pub fn bound(
        &mut self,
        effort: Effort,
        by: SolvedBy<'_>,
        (record, report): (&mut Record, &mut StepReport),
    ) -> Result<(), StepError> {
        let Problem { rebounds, push_outs, .. } = &*self.problem;
        let knows_islands = matches!(by, SolvedBy::Solver(_));
        if effort == Effort::Exact
            || !knows_islands
            || rebounds.is_empty() && push_outs.is_empty()
            || self.pushes()
        {
            return Ok(());
        }
        let count = self.problem.workspace.islands.count();
        let gains = |island: &usize| !self.has_joints(*island) && self.gains(*island);
        let gaining: Vec<usize> = (0..count).filter(gains).collect();
        if gaining.is_empty() {
            return Ok(());
        }
        let (with, v) = (self.problem.lambda.clone(), self.problem.v.clone());
        if self.problem.push_outs.is_empty() {
            self.swap();
            let outcome = self.problem.solve(by, record);
            self.swap();
            report.note_beside(&outcome?);
        } else {
            let Problem { mixed, lambda, v, first, .. } = &mut *self.problem;
            lambda.clone_from(first);
            v.clone_from(&mixed.free); // decompression has begun with it
        }
        let without = std::mem::replace(&mut self.problem.lambda, with);
        let plain_v = std::mem::replace(&mut self.problem.v, v);
        for island in gaining {
            let share = self.share(island, State { lambda: &without, v: &plain_v });
            let Problem { workspace, lambda, v, .. } = &mut *self.problem;
            for row in workspace.islands.rows_of(island).iter().map(|row| *row as usize) {
                lambda[row] = without[row] + share * (lambda[row] - without[row]);
            }
            for body in workspace.islands.bodies_of(island).iter().map(|body| *body as usize) {
                v[body] = plain_v[body] + share * (v[body] - plain_v[body]);
            }
        }
        Ok(())
    }

    /// Whether a contact or limit pushes an overlap out, b < 0, beside its rebound.
    fn pushes(&self) -> bool {
        let Problem { mixed, touches, rebounds, .. } = &*self.problem;
        let own = |row| rebounds.binary_search_by_key(&row, |(own, _)| *own).map(|at| rebounds[at].1);
        touches.iter().any(|&(_, row)| own(row).unwrap_or(mixed.rows[row].bias) < 0.0)
    }

    /// Whether equations hold bodies of `island`.
    fn has_joints(&self, island: usize) -> bool {
        let is_joint = |row: &MixedRow| row.law == Law::Equation && row.compliance == 0.0;
        let mut rows = self.problem.workspace.islands.rows_of(island).iter();
        rows.any(|row| is_joint(&self.problem.mixed.rows[*row as usize]))
    }

    /// Exchanges b of the rows that rebound for the one kept in `rebounds`.
    fn swap(&mut self) {
        let Problem { mixed, rebounds, .. } = &mut *self.problem;
        for (row, other) in rebounds {
            std::mem::swap(&mut mixed.rows[*row].bias, other);
        }
    }

    /// λ (J v + J v*) of each row of `island` that is not a spring's.
    fn works(&self, island: usize, State { lambda, v }: State<'_>) -> impl Iterator<Item = f64> {
        let rows = self.problem.workspace.islands.rows_of(island).iter().map(|row| *row as usize);
        let own = rows.filter(|row| self.problem.mixed.rows[*row].compliance == 0.0);
        own.map(move |row| {
            let jacobian = &self.problem.mixed.rows[row];
            lambda[row] * (jacobian.rate(v) + jacobian.rate(self.free))
        })
    }

    /// Whether G of `island` is above zero, beyond rounding.
    fn gains(&self, island: usize) -> bool {
        let state = State { lambda: &self.problem.lambda, v: &self.problem.v };
        let (mut sum, mut size) = (0.0, 0.0);
        for work in self.works(island, state) {
            sum += work;
            size += work.abs();
        }
        sum > ACCEPTED * size
    }

    /// s of `island` between the state `plain` and the present one.
    fn share(&self, island: usize, plain: State<'_>) -> f64 {
        let with = State { lambda: &self.problem.lambda, v: &self.problem.v };
        let sum = |lambda, v| self.works(island, State { lambda, v }).sum::<f64>();
        // 2 G(s) = c₀ + c₁ s + c₂ s², where c₁ + 2 c₀ is the sum of both mixed terms.
        let (start, end) = (sum(plain.lambda, plain.v), sum(with.lambda, with.v));
        let linear = sum(plain.lambda, with.v) + sum(with.lambda, plain.v) - 2.0 * start;
        let square = end - start - linear;
        let below = start.min(0.0); // c₀ less twice the bound
        if square + linear + below <= 0.0 {
            return 1.0;
        }
        let root = libm::sqrt((linear * linear - 4.0 * square * below).max(0.0));
        let share =
            if linear > 0.0 { -2.0 * below / (linear + root) } else { (root - linear) / (2.0 * square) };
        share.clamp(0.0, 1.0)
    }
}
