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
//! are those of `model/spring.rs`. The order is joints, velocities held, springs, the grab, motors, contacts (normal, then
//! tangent), limits: what comes last is met best [Catto, Solver2D].
//!
//! The rows of a joint are one block, two of a hinge, three of a weld (Box2D v3 solves the weld's angle apart);
//! so are those of a non-holonomic constraint, N v⁺ = v₀, rigid everywhere: it has no error of position that a soft row could spread
//! over time. Alone it is met to rounding by one visit; rows that share a body converge by turns.
//!
//! **Memory.** λ starts from the world: a joint's force and a contact's impulse of the last step, each times the share
//! of a substep. Box2D keeps the last substep's impulse instead of the mean. Velocities held, springs, motors and limits start from 0.
//!
//! **Residual.** The largest K |Δλ|, in m/s, that another visit to a single row would bring, at the end.

use super::block::MOST;
use super::gate::{Demand, GapTerm};
use super::line::{Aim, Law, Line, Source, coordinate};
use super::stage::Stage;
use super::workspace::Workspace;
use crate::detect::Contact;
use crate::lcp::Trail;
use crate::math::largest;
use crate::model::World;
use glam::DVec3;

/// The scheme's own solver, in the place of the method's.
const SOLVER: &str = "gauss_seidel";

/// All constraints of a step in their order.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    pub lines: Vec<Line>,
}

impl Sequence {
    /// g and J of everything at the pose q.
    pub fn evaluate(&mut self, world: &World, contacts: &[Contact], q: &[DVec3]) {
        for line in &mut self.lines {
            line.evaluate(world, contacts, q);
        }
    }

    /// N v⁺ = v₀(`due`) where velocities are held.
    pub fn aim_held(&mut self, world: &World, due: f64) {
        for line in &mut self.lines {
            line.aim_held(world, due);
        }
    }

    /// Right-hand sides of springs, grab and motors for forces that act over `duration`.
    pub fn aim_forces(&mut self, world: &World, duration: f64) {
        for line in &mut self.lines {
            line.aim_force(world, duration);
        }
    }

    /// Right-hand sides of joints, contacts and limits; `None` leaves a row out.
    pub fn aim_constraints(&mut self, aim: impl Fn(&Line) -> Option<Aim>) {
        for line in &mut self.lines {
            let is_joint = matches!(line.source, Source::Joint(_));
            if !is_joint && !line.source.is_unilateral() {
                continue;
            }
            line.law = match aim(line) {
                Some(Aim { bias, give }) => {
                    (line.bias, line.give) = (bias, give);
                    if is_joint { Law::Free } else { Law::Push }
                }
                None => Law::Idle,
            };
        }
    }

    /// Takes velocities held, springs, grab, motors and friction out of what follows, and starts it from λ = 0.
    pub fn keep_constraints_alone(&mut self) {
        for line in &mut self.lines {
            line.lambda = [0.0; MOST];
            line.slide.friction = 0.0;
            if !line.source.is_unilateral() && !matches!(line.source, Source::Joint(_)) {
                line.law = Law::Idle;
            }
        }
    }

    /// v ← v + M⁻¹Jᵀλ of the impulses remembered.
    pub fn warm_start(&self, weight: &[DVec3], v: &mut [DVec3]) {
        for line in &self.lines {
            line.block.push(&line.lambda, weight, v);
            line.slide.block.push(&[line.lambda[1], 0.0, 0.0], weight, v);
        }
    }

    /// Notes where a substep begins, for [`Sequence::work`] and for the impulses on the bodies.
    pub fn note_start(&mut self, v: &[DVec3]) {
        for line in &mut self.lines {
            line.accounted = [0.0; MOST];
            (line.start_rate, line.start_gap) = (line.block.rates(v), line.block.g[0]);
        }
    }

    /// Work of the substep's impulses on what they hold, with g and J evaluated after it, J.
    pub fn work(&self, v: &[DVec3]) -> f64 {
        self.lines.iter().map(|line| line.work(v)).sum()
    }

    /// Visits every constraint once.
    pub fn sweep(&mut self, weight: &[DVec3], v: &mut [DVec3]) {
        for line in &mut self.lines {
            line.solve(weight, v);
        }
    }

    /// Accounts for what λ has done at the present pose, before g and J are evaluated at another.
    pub fn account(&mut self) {
        self.lines.iter_mut().for_each(Line::account);
    }

    /// Adds the substep's impulses to those of the step; J is still what it was when the last of them acted.
    pub fn bank(&mut self) {
        self.account();
        for line in &mut self.lines {
            for (total, lambda) in line.total.iter_mut().zip(line.lambda) {
                *total += lambda;
            }
        }
    }

    /// See the head of this file.
    pub fn residual(&self, weight: &[DVec3], v: &[DVec3]) -> f64 {
        largest(self.lines.iter().map(|line| line.residual(weight, v)))
    }
}

impl Stage<'_> {
    /// v⁺ of a step that corrects nothing, by so many sweeps: the velocity phase that sequential impulses share.
    pub(super) fn step_velocities_in_sequence(&mut self, sweeps: usize) {
        self.prescribe_mean_velocity();
        self.evaluate_rows();
        self.find_touches(GapTerm::Touching);
        self.begin_sequence(1);
        self.kick(self.h);
        self.aim_rigid_sequence();
        self.sweep_impulses(sweeps);
        let residual = self.sequence_residual();
        self.finish_sequence(residual);
    }

    /// Finds contacts and limits once, and makes so many equal substeps, each from its own time with its own driven and
    /// held velocities. Their impulses are summed up.
    pub(super) fn in_substeps(&mut self, substeps: usize, mut advance: impl FnMut(&mut Self)) {
        let (time, step) = (self.time, self.h);
        self.prescribe_mean_velocity();
        self.evaluate_rows();
        self.find_touches(GapTerm::Travelling);
        self.begin_sequence(substeps);
        self.h = step / substeps as f64;
        for substep in 0..substeps {
            self.time = time + substep as f64 * self.h;
            self.prescribe_mean_velocity();
            let Workspace { sequence, v, .. } = &mut *self.ws;
            sequence.aim_held(self.world, self.due);
            sequence.note_start(v);
            advance(self);
            self.ws.sequence.bank();
        }
        (self.time, self.h) = (time, step);
    }

    /// Lists the constraints, with contacts and limits as last found, and evaluates them; λ starts from the world's
    /// memory, for one of `substeps`.
    pub(super) fn begin_sequence(&mut self, substeps: usize) {
        let (world, share) = (self.world, 1.0 / substeps as f64);
        let duration = self.h * share;
        let Workspace { sequence, contacts, touches, q, .. } = &mut *self.ws;
        let lines = &mut sequence.lines;
        lines.clear();
        for (index, joint) in world.joints().iter().enumerate() {
            lines.push(Line {
                lambda: joint.force.map(|force| force * duration),
                ..Line::new(Source::Joint(index))
            });
        }
        lines.extend((0..world.nonholonomic().len()).map(|index| Line::new(Source::Held(index))));
        lines.extend((0..world.springs().len()).map(|index| Line::new(Source::Spring(index))));
        lines.extend(world.grab.map(|_| Line::new(Source::Grab)));
        let motors = world.joints().iter().enumerate().filter(|(_, joint)| joint.motor.is_some());
        lines.extend(motors.map(|(index, _)| Line::new(Source::Motor(index))));
        for (index, contact) in contacts.iter().enumerate() {
            let mut line = Line::new(Source::Contact(index));
            if let Ok(found) = world.contacts().binary_search_by_key(&contact.id, |state| state.id) {
                let [normal, tangential] = world.contacts()[found].impulse;
                line.lambda = [share * normal, share * tangential, 0.0];
            }
            lines.push(line);
        }
        for (index, joint) in world.joints().iter().enumerate() {
            let [low, high] = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            if coordinate(joint, q).is_some() {
                lines.extend(low.is_finite().then(|| Line::new(Source::Lower(index))));
                lines.extend(high.is_finite().then(|| Line::new(Source::Upper(index))));
            }
        }
        sequence.evaluate(world, contacts, q);
        let unilateral = sequence.lines.iter_mut().filter(|line| line.source.is_unilateral());
        for ((number, touch), line) in touches.all().iter().enumerate().zip(unilateral) {
            (line.touch, line.restitution, line.approach) = (number, touch.restitution, touch.approach);
            line.slide.friction = touch.tangent.map_or(0.0, |tangent| tangent.friction);
        }
    }

    /// g and J of the whole sequence at the present pose.
    pub(super) fn evaluate_sequence(&mut self) {
        let Workspace { sequence, contacts, q, .. } = &mut *self.ws;
        sequence.evaluate(self.world, contacts, q);
    }

    /// Rigid joints, J v⁺ + c = 0; contacts and limits as a scheme without a gap term has them: φ ≥ 0 may close, an
    /// overlap may not grow, impacts rebound by Newton's law. Springs, grab and motors act over the step; velocities are
    /// held at its end.
    pub(super) fn aim_rigid_sequence(&mut self) {
        let (gate, h) = (self.gate, self.h);
        let Workspace { sequence, touches, .. } = &mut *self.ws;
        sequence.aim_held(self.world, self.due);
        sequence.aim_forces(self.world, h);
        sequence.aim_constraints(|line| {
            if !line.source.is_unilateral() {
                return Some(Aim::rigid([0.0; MOST]));
            }
            let touch = touches.all().get(line.touch)?;
            let b = match gate.demand(touch, h)? {
                Demand::Scheme => 0.0,
                Demand::FreeTravel => touch.row.g / h,
                Demand::Rebound(b) => b,
            };
            Some(Aim::rigid([b; MOST]))
        });
    }

    /// Sequential impulses over the whole step: warm start, then `sweeps` sweeps, from the velocity after the kick.
    pub(super) fn sweep_impulses(&mut self, sweeps: usize) {
        let Workspace { sequence, inverse_mass, v, .. } = &mut *self.ws;
        sequence.warm_start(inverse_mass, v);
        for _ in 0..sweeps {
            sequence.sweep(inverse_mass, v);
        }
        self.outcome.iterations += sweeps;
        sequence.bank();
    }

    /// ‖r‖∞ of the sequence as it stands, at the present velocity.
    pub(super) fn sequence_residual(&self) -> f64 {
        self.ws.sequence.residual(&self.ws.inverse_mass, &self.ws.v)
    }

    /// Leaves the step's impulses where world and report look for them.
    pub(super) fn finish_sequence(&mut self, residual: f64) {
        let Workspace { sequence, ledger, contacts, .. } = &mut *self.ws;
        let lines = &mut sequence.lines;
        ledger.begin_contacts();
        // In the ledger, too, contacts stand apart and all others in this order.
        let mut place = 0;
        for line in lines.iter_mut() {
            line.account();
            match line.source {
                Source::Contact(index) => {
                    let contact = &contacts[index];
                    ledger.list_contact(contact, line.slide.friction, true);
                    ledger.add_contact(&contact.id, line.total, line.on_bodies);
                }
                _ => {
                    ledger.add_sum(place, line.total, line.on_bodies);
                    place += 1;
                }
            }
        }
        let rows = |line: &Line| line.block.size + usize::from(line.slide.friction > 0.0);
        self.outcome.rows = lines.iter().map(rows).sum();
        self.outcome.contacts = contacts.len();
        self.outcome.residual = residual;
        self.outcome.solver = SOLVER;
        self.outcome.trail = Trail::of(SOLVER, self.outcome.iterations);
    }
}
