//! Sequential impulses: Gauss–Seidel sweeps over the constraints of a step, the heart of today's engines.
//!
//! One block of rows after another gets the impulse that satisfies it alone, at the velocity that the blocks before it
//! have left behind:
//!
//! ```text
//! Δλ = −s_m K⁻¹(J v + b + c λ) − s_i λ ,     λ ← Π(λ + Δλ) ,     v ← v + M⁻¹JᵀΔλ ,     K = J M⁻¹Jᵀ + c
//! ```
//!
//! Π clamps to λ ≥ 0 (contact, limit), |λ| ≤ h F_max (motor, the grab as a vector), |λ_t| ≤ μ λ_n (friction). s_m
//! and s_i are the mass and impulse scales of a soft constraint, 1 and 0 for a rigid one; c and b of springs
//! are those of `model/spring.rs`. The order is joints, non-holonomic rows, springs, the grab, motors, contacts (normal, then
//! tangent), limits: what comes last is met best [Catto, Solver2D]. `ngs` and `split_impulse` have orders of their own.
//!
//! The rows of a joint are one block, two of a hinge, three of a weld (Box2D v3 solves the weld's angle apart);
//! so are those of a non-holonomic constraint, N v⁺ = v₀, rigid everywhere: it has no error of position that a soft row could spread
//! over time. Alone it is met to rounding by one visit; rows that share a body converge by turns.
//!
//! **Memory.** λ starts from the world: a joint's force and a contact's impulse of the last step (`remembered.rs`), each times the share
//! of a substep. Box2D keeps the last substep's impulse instead of the mean. Non-holonomic rows, springs, motors and limits start from 0.
//!
//! **Residual.** The largest K |Δλ|, in m/s, that another visit to a single row would bring, at the end.

use super::block::MOST;
use super::constraints::{Constraints, Demand};
use super::figures::Figures;
use super::remembered::remembered;
use super::span::Span;
use super::swept::{Law, Source, Swept, Target, coordinate};
use super::totals::Totals;
use crate::detect::Contact;
use crate::lcp::Trail;
use crate::math::largest;
use crate::model::World;
use glam::DVec3;
use std::ops::Range;

/// The scheme's own solver, in the place of the method's.
const SOLVER: &str = "gauss_seidel";

/// All constraints of a step in their order.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    pub constraints: Vec<Swept>,
    /// Which of them are the contacts between the same two pieces, where they are visited together.
    pub manifolds: Vec<Range<usize>>,
    /// The order in which they are visited, under a scheme that has one of its own.
    pub order: Vec<usize>,
    /// Pseudo-velocities, under split impulses.
    pub pseudo: Vec<DVec3>,
}

impl Sequence {
    /// g and J of everything at the pose q.
    pub fn evaluate(&mut self, world: &World, contacts: &[Contact], q: &[DVec3]) {
        for swept in &mut self.constraints {
            swept.evaluate(world, contacts, q);
        }
    }

    /// N v⁺ = v₀(`due`) in non-holonomic rows.
    pub fn pose_nonholonomic(&mut self, world: &World, due: f64) {
        for swept in &mut self.constraints {
            swept.pose_nonholonomic(world, due);
        }
    }

    /// Right-hand sides of springs, grab and motors for forces that act over `duration`.
    pub fn pose_forces(&mut self, world: &World, duration: f64) {
        for swept in &mut self.constraints {
            swept.pose_force(world, duration);
        }
    }

    /// Right-hand sides of joints, contacts and limits; `None` leaves a row out.
    pub fn pose_constraints(&mut self, target: impl Fn(&Swept) -> Option<Target>) {
        for swept in &mut self.constraints {
            let is_joint = matches!(swept.source, Source::Joint(_));
            if !is_joint && !swept.source.is_unilateral() {
                continue;
            }
            swept.law = match target(swept) {
                Some(Target { bias, scales }) => {
                    (swept.bias, swept.scales) = (bias, scales);
                    if is_joint { Law::Free } else { Law::Push }
                }
                None => Law::Idle,
            };
        }
    }

    /// Whether the next sweeps are over friction, too; what it has done so far stays.
    pub fn rub(&mut self, on: bool) {
        self.constraints.iter_mut().for_each(|swept| swept.slide.rests = !on);
    }

    /// v ← v + M⁻¹Jᵀλ of the impulses remembered.
    pub fn warm_start(&self, weight: &[DVec3], v: &mut [DVec3]) {
        for swept in &self.constraints {
            swept.block.push(&swept.lambda, weight, v);
            swept.slide.block.push(&[swept.lambda[1], 0.0, 0.0], weight, v);
        }
    }

    /// Notes where a substep begins, for [`Sequence::work`] and for the impulses on the bodies.
    pub fn note_start(&mut self, v: &[DVec3]) {
        for swept in &mut self.constraints {
            swept.accounted = [0.0; MOST];
            (swept.start_rate, swept.start_gap) = (swept.block.rates(v), swept.block.g[0]);
        }
    }

    /// Work of the substep's impulses on what they hold, with g and J evaluated after it, J.
    pub fn work(&self, v: &[DVec3]) -> f64 {
        self.constraints.iter().map(|swept| swept.work(v)).sum()
    }

    /// Visits every constraint once.
    pub fn sweep(&mut self, weight: &[DVec3], v: &mut [DVec3]) {
        for swept in &mut self.constraints {
            swept.solve(weight, v);
        }
    }

    /// Accounts for what λ has done at the present pose, before g and J are evaluated at another.
    pub fn account(&mut self) {
        self.constraints.iter_mut().for_each(Swept::account);
    }

    /// Adds the substep's impulses to those of the step; J is still what it was when the last of them acted.
    pub fn bank(&mut self) {
        self.account();
        for swept in &mut self.constraints {
            for (total, lambda) in swept.total.iter_mut().zip(swept.lambda) {
                *total += lambda;
            }
        }
    }

    /// See the head of this file.
    pub fn residual(&self, weight: &[DVec3], v: &[DVec3]) -> f64 {
        largest(self.constraints.iter().map(|swept| swept.residual(weight, v)))
    }
}

impl Sequence {
    /// Lists the constraints, with contacts and limits as last found, and evaluates them; λ starts from the world's
    /// memory, for one of `substeps`.
    pub fn begin(&mut self, span: &Span<'_>, constraints: &Constraints, q: &[DVec3], substeps: usize) {
        let (world, share) = (span.world, 1.0 / substeps as f64);
        let duration = span.h * share;
        let Constraints { contacts, touches, .. } = constraints;
        let swept = &mut self.constraints;
        swept.clear();
        for (index, joint) in world.joints().iter().enumerate() {
            let lambda = joint.force.map(|force| force * duration);
            swept.push(Swept { lambda, ..Swept::new(Source::Joint(index)) });
        }
        swept.extend((0..world.nonholonomic().len()).map(|index| Swept::new(Source::Nonholonomic(index))));
        swept.extend((0..world.springs().len()).map(|index| Swept::new(Source::Spring(index))));
        swept.extend(world.grab.map(|_| Swept::new(Source::Grab)));
        let motors = world.joints().iter().enumerate().filter(|(_, joint)| joint.motor.is_some());
        swept.extend(motors.map(|(index, _)| Swept::new(Source::Motor(index))));
        for index in 0..contacts.len() {
            let mut contact_row = Swept::new(Source::Contact(index));
            let [normal, tangential] = remembered(world, contacts, index, q);
            contact_row.lambda = [share * normal, share * tangential, 0.0];
            swept.push(contact_row);
        }
        for (index, joint) in world.joints().iter().enumerate() {
            let [low, high] = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            if coordinate(joint, q).is_some() {
                swept.extend(low.is_finite().then(|| Swept::new(Source::Lower(index))));
                swept.extend(high.is_finite().then(|| Swept::new(Source::Upper(index))));
            }
        }
        self.evaluate(world, contacts, q);
        let unilateral = self.constraints.iter_mut().filter(|swept| swept.source.is_unilateral());
        for ((number, touch), swept) in touches.all().iter().enumerate().zip(unilateral) {
            (swept.touch, swept.restitution) = (number, touch.restitution);
            (swept.approach, swept.threshold) = (touch.approach, touch.threshold);
            swept.slide.friction = touch.tangent.map_or(0.0, |tangent| tangent.friction);
        }
    }

    /// Rigid joints, J v⁺ + κ g = 0; contacts and limits as a scheme that takes what touches has them: J_n v⁺ + κ φ ≥ 0 within the contact
    /// tolerance and in overlap, φ > 0 beyond it may close, impacts rebound by Newton's law. κ in 1/s is `rate` of each. Springs, grab and motors act over the
    /// step; non-holonomic rows are met at its end.
    pub fn pose_rigid(&mut self, span: &Span<'_>, constraints: &Constraints, rate: impl Fn(&Swept) -> f64) {
        let Constraints { touches, active, .. } = constraints;
        let h = span.h;
        self.pose_nonholonomic(span.world, span.end());
        self.pose_forces(span.world, h);
        self.pose_constraints(|swept| {
            if !swept.source.is_unilateral() {
                return Some(Target::rigid(swept.block.g.map(|g| rate(swept) * g)));
            }
            let touch = touches.all().get(swept.touch)?;
            let b = match active.demand(touch, h)? {
                Demand::Scheme => rate(swept) * swept.block.g[0],
                Demand::FreeTravel => touch.row.g / h,
                Demand::Rebound(b) => b,
            };
            Some(Target::rigid([b; MOST]))
        });
    }

    /// Leaves the step's impulses and figures where world and report look for them.
    pub fn finish(
        &mut self,
        residual: f64,
        constraints: &Constraints,
        totals: &mut Totals,
        figures: &mut Figures,
    ) {
        let (all, contacts) = (&mut self.constraints, &constraints.contacts);
        totals.ledger.begin_contacts();
        // In the ledger, too, contacts stand apart and all others in this order.
        let mut place = 0;
        for swept in all.iter_mut() {
            swept.account();
            if let Source::Contact(index) = swept.source {
                let contact = &contacts[index];
                totals.ledger.list_contact(contact, swept.slide.friction, true);
                totals.ledger.add_contact(&contact.id, swept.total, swept.on_bodies);
            } else {
                totals.ledger.add_sum(place, swept.total, swept.on_bodies);
                place += 1;
            }
        }
        let rows = |swept: &Swept| swept.block.size + usize::from(swept.slide.friction > 0.0);
        figures.rows = all.iter().map(rows).sum();
        figures.contacts = contacts.len();
        figures.residual = residual;
        figures.solver = SOLVER;
        figures.trail = Trail::of(SOLVER, figures.iterations);
    }
}
