//! Contacts, limits and motors in a step: what they and the joints ask for together, in impulses, in forces and in
//! corrections.
//!
//! ```text
//! joint        J v⁺ + b = 0                         spring, grab   J v⁺ + c λ + b = 0
//! non-holonomic row  N v⁺ + b = 0 (see nonholonomic.rs)
//! contact      0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,           friction       |λ_t| ≤ μ λ_n against J_t v⁺
//! limit        as a contact without friction        motor          |λ| ≤ h F_max against J v⁺ − speed
//! ```
//!
//! [Cline & Pai 2003, eq. 8; Anitescu & Hart 2004, eq. 2.10; Trefny, eq. 10]. In forces, v⁺ = v + h a is put in and
//! the rows are divided by h. At the acceleration level a contact that sticks has, as any non-holonomic row, the rate at which its
//! row turns,
//!
//! ```text
//! |λ_t| ≤ μ λ_n  against  J_t a + J̇_t v + J_t v₀/h
//! ```
//!
//! v₀ at the start of the step: what is left of a slip is stopped within the step. Which contacts and limits are in the problem, and what they ask for, says `gate.rs`.

use super::gate::Demand;
use super::manifold::Metric;
use super::posing::Slip;
use super::rules::Restitution;
use super::stage::Stage;
use super::workspace::Workspace;
use crate::constraint::{Row, Touch};
use crate::lcp::MixedOutcome;
use crate::math::largest;
use crate::report::StepError;
use glam::DVec3;

/// Approaching faster than this share of the velocities at hand is an impact to the acceleration level: above what rounding
/// leaves.
const IMPACT_SHARE: f64 = 1e-10;

/// How springs and the grab act in a problem of forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Springs {
    /// Linearly implicitly, by compliant rows.
    InTheRows,
    /// As forces that have been added to a already.
    Explicit,
}

/// What a mixed problem is to the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acting {
    /// Its dynamics: its contacts are those of the step.
    InTheDynamics,
    /// An impact or a correction of the velocity beside it.
    Beside,
}

/// How a unilateral row begins an explicit step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// J_t v, m/s.
    slip: f64,
    /// Whether it is near enough for what the scheme asks for.
    near: bool,
}

impl Stage<'_> {
    /// Solves the impulses of the whole problem and sets v⁺. `bias` is b of a joint's row and of a contact's own;
    /// the forces of soft rows and motors act over `duration`.
    pub(super) fn solve_touching_impulses(
        &mut self,
        duration: f64,
        bias: impl Fn(&Row) -> f64,
    ) -> Result<(), StepError> {
        let (gate, h) = (self.gate, self.h);
        let poisson = self.method.contact.restitution == Restitution::AnitescuPotra;
        let mut rebounds = false;
        let Workspace { problem, rows, touches, v, inverse_mass, held, .. } = &mut *self.ws;
        problem.begin(inverse_mass, v);
        problem.pose_joints(rows, &bias);
        problem.pose_nonholonomic(rows, held.iter().copied());
        problem.pose_soft(rows, duration, |_, b| b);
        problem.pose_drives(touches.drives(), duration, |drive| -drive.speed);
        for (index, touch) in touches.all().iter().enumerate() {
            let Some(demand) = gate.demand(touch, h) else { continue };
            let b = match demand {
                Demand::Scheme => bias(&touch.row),
                Demand::FreeTravel => touch.row.g / h,
                Demand::Rebound(_) if poisson => bias(&touch.row).min(0.0),
                Demand::Rebound(b) => b.min(bias(&touch.row)),
            };
            rebounds |= poisson && matches!(demand, Demand::Rebound(_));
            let turning = touch.tangent.map_or(0.0, |tangent| gate.lead * tangent.k);
            problem.pose_touch(index, touch, b, Slip::Free(turning));
        }
        self.warm_start(1.0);
        let Workspace { problem, touches, .. } = &mut *self.ws;
        let returned = rebounds.then_some(gate.returned(touches.all(), h));
        let outcome = problem.solve_in_phases(&self.method.solver, returned)?;
        self.ws.problem.kept.take_as_dynamics(1.0);
        self.ws.v.clone_from(&self.ws.problem.v);
        self.note_mixed(&outcome, 1.0);
        self.take_multipliers();
        Ok(())
    }

    /// Solves the forces of the whole problem and sets a. `rhs(k, g, J v)` is what stands beside J a in the row of a
    /// joint, and in a contact's own.
    pub(super) fn solve_touching_forces(
        &mut self,
        springs: Springs,
        rhs: impl Fn(f64, f64, f64) -> f64,
    ) -> Result<(), StepError> {
        let (gate, h) = (self.gate, self.h);
        let poisson = self.method.contact.restitution == Restitution::AnitescuPotra;
        let mut rebounds = false;
        let Workspace { problem, rows, touches, begun, v, a, inverse_mass, held, .. } = &mut *self.ws;
        problem.begin(inverse_mass, a);
        problem.pose_joints(rows, |row| rhs(row.k, row.g, row.rate(v)));
        problem.pose_nonholonomic(rows, held.iter().copied());
        if springs == Springs::InTheRows {
            problem.pose_soft(rows, h, |row, b| (row.rate(v) + b) / h);
        }
        problem.pose_drives(touches.drives(), 1.0, |drive| (drive.row.rate(v) - drive.speed) / h);
        for (index, touch) in touches.all().iter().enumerate() {
            let near = gate.is_near(touch) || begun.get(index).is_some_and(|begun| begun.near);
            let Some(demand) = gate.demand_at(touch, h, near) else { continue };
            let (phi, rate) = (touch.row.g, touch.row.rate(v));
            let own = rhs(touch.row.k, phi, rate);
            let overlapping = if phi < 0.0 { own } else { f64::INFINITY };
            let b = match demand {
                Demand::Scheme => own,
                Demand::FreeTravel => (phi / h + rate) / h,
                Demand::Rebound(_) if poisson => (rate / h).min(overlapping),
                Demand::Rebound(b) => ((b + rate) / h).min(overlapping),
            };
            rebounds |= poisson && matches!(demand, Demand::Rebound(_));
            let rate = tangential_rate(touch, v);
            let turning =
                if gate.is_instant() { touch.tangent.map_or(0.0, |tangent| tangent.k) } else { 0.0 };
            let slip = match rate.abs() > gate.slipping {
                true => Slip::Given(rate),
                false => Slip::Free(turning + begun.get(index).map_or(rate, |begun| begun.slip) / h),
            };
            problem.pose_touch(index, touch, b, slip);
        }
        self.warm_start(1.0 / h);
        let Workspace { problem, touches, .. } = &mut *self.ws;
        let returned = rebounds.then_some(gate.returned(touches.all(), h));
        let outcome = problem.solve_in_phases(&self.method.solver, returned)?;
        self.ws.problem.kept.take_as_dynamics(h);
        self.ws.a.clone_from(&self.ws.problem.v);
        self.note_mixed(&outcome, h);
        self.take_multipliers();
        Ok(())
    }

    /// Keeps how every unilateral row begins an explicit step: all its stages have these contacts, those that are near stay
    /// so, and the slip to be stopped within the step is that of its start, not what the stages' own velocities slip by.
    pub(super) fn note_beginnings(&mut self) {
        let gate = self.gate;
        let Workspace { touches, v, begun, .. } = &mut *self.ws;
        begun.clear();
        begun.extend(
            touches
                .all()
                .iter()
                .map(|touch| Begun { slip: tangential_rate(touch, v), near: gate.is_near(touch) }),
        );
    }

    /// A velocity-level impact where bodies touch and still approach each other, for the acceleration level, whose
    /// forces cannot stop them at once. Joints and non-holonomic rows keep
    /// their rates, J v⁺ = J v; contacts rebound; springs and motors
    /// do nothing in no time.
    pub(super) fn resolve_impacts(&mut self) -> Result<(), StepError> {
        let gate = self.gate;
        let poisson = self.method.contact.restitution == Restitution::AnitescuPotra;
        let mut rebounds = false;
        let Workspace { problem, rows, touches, v, inverse_mass, .. } = &mut *self.ws;
        let touching = |touch: &&Touch| touch.row.g <= gate.distance;
        let term = |touch: &Touch| {
            let Row { a, b, ja, jb, .. } = touch.row;
            ja.dot(v[a]).abs() + jb.dot(v[b]).abs()
        };
        let speeds = largest(touches.all().iter().map(term));
        let slow = IMPACT_SHARE * speeds.max(self.h * self.world.gravity.length());
        if !touches.all().iter().filter(touching).any(|touch| touch.row.rate(v) < -slow) {
            return Ok(());
        }
        problem.begin(inverse_mass, v);
        problem.pose_joints(rows, |row| -row.rate(v));
        problem.pose_nonholonomic(rows, rows.nonholonomic().iter().map(|row| -row.rate(v)));
        for (index, touch) in touches.all().iter().enumerate().filter(|(_, touch)| touching(touch)) {
            let rate = touch.row.rate(v);
            let impact = rate < -gate.threshold;
            let rebound = if impact && !poisson { touch.restitution * rate } else { 0.0 };
            rebounds |= impact && poisson;
            problem.pose_touch(index, touch, rebound, Slip::Free(0.0));
        }
        problem.start_cold();
        let returned = |index: usize, compression: f64| {
            let Touch { restitution, approach, .. } = touches.all()[index];
            if approach < -gate.threshold { restitution * compression } else { 0.0 }
        };
        let outcome = problem.solve_in_phases(&self.method.solver, rebounds.then_some(returned))?;
        self.note_mixed(&outcome, 1.0);
        self.write_impulses(1.0, Acting::Beside);
        let Workspace { problem, rows, touches, contacts, v, .. } = &mut *self.ws;
        v.clone_from(&problem.v);
        touches.evaluate(self.world, rows.frames(), contacts, v);
        Ok(())
    }

    /// The position correction with contacts and limits, W⁻¹dp = Jᵀλ, g + J dp = 0, 0 ≤ φ + J dp ⊥ λ ≥ 0, into the
    /// scratch vector [Cline & Pai 2003, eq. 15].
    /// With `kappa` the rows yield: g + J dp + c λ = 0, cᵢ = Aᵢᵢ/κ, a damped least-squares step [Levenberg 1944].
    pub(super) fn solve_touching_positions(
        &mut self,
        metric: Metric,
        kappa: Option<f64>,
    ) -> Result<(), StepError> {
        let rounding = self.rounded_gap();
        let Workspace { problem, rows, touches, scratch, inverse_mass, identity, q, .. } = &mut *self.ws;
        scratch.clear();
        scratch.resize(q.len(), DVec3::ZERO);
        let weight = match metric {
            Metric::Mass => inverse_mass,
            Metric::Identity => identity,
        };
        problem.begin(weight, scratch);
        problem.pose_joints(rows, |row| row.g);
        for (index, touch) in touches.all().iter().enumerate() {
            problem.pose_frictionless(index, touch, touch.row.g);
        }
        problem.round_by(rounding);
        if let Some(kappa) = kappa {
            problem.yield_by(kappa);
        }
        problem.start_cold();
        let outcome = problem.solve(&self.method.solver)?;
        scratch.clone_from(&problem.v);
        self.outcome.iterations += outcome.iterations;
        self.outcome.infeasible = self.outcome.infeasible.max(outcome.infeasible);
        Ok(())
    }

    /// The velocity projection with contacts: J v⁺ + c = 0 in joints, J v⁺ ≥ 0 where φ is at most `touching`. Impacts that
    /// rebound are left to the next step, which knows their law. Returns the energy of those that do not, as
    /// [`Stage::project_velocities`] says.
    pub(super) fn solve_touching_velocities(&mut self, touching: f64) -> Result<f64, StepError> {
        let threshold = self.gate.threshold;
        let Workspace { problem, rows, touches, v, inverse_mass, held, .. } = &mut *self.ws;
        problem.begin(inverse_mass, v);
        problem.pose_joints(rows, |_| 0.0);
        problem.pose_nonholonomic(rows, held.iter().copied());
        for (index, touch) in touches.all().iter().enumerate() {
            let rebounds = touch.restitution > 0.0 && touch.row.rate(v) < -threshold;
            if touch.row.g <= touching && !rebounds {
                problem.pose_frictionless(index, touch, 0.0);
            }
        }
        problem.start_cold();
        let outcome = problem.solve(&self.method.solver)?;
        v.clone_from(&problem.v);
        self.outcome.iterations += outcome.iterations;
        self.write_impulses(1.0, Acting::Beside);
        let Workspace { problem, touches, v, inverse_mass, .. } = &mut *self.ws;
        let energy = |(index, lambda): (usize, &mut [f64])| {
            let Touch { row, approach, .. } = &touches.all()[index];
            if *approach >= 0.0 {
                return 0.0;
            }
            // What moves as prescribed does work of its own: only the bodies' share of J v counts.
            let driven =
                |body: usize, j: DVec3| if inverse_mass[body].x > 0.0 { 0.0 } else { j.dot(v[body]) };
            lambda[0] * (0.5 * (row.rate(v) + approach) - driven(row.a, row.ja) - driven(row.b, row.jb))
        };
        Ok(problem.touch_multipliers().map(energy).sum())
    }

    /// λ from the world's memory of the last step, times `scale`.
    fn warm_start(&mut self, scale: f64) {
        let (world, h) = (self.world, self.h);
        let Workspace { problem, contacts, rows, .. } = &mut *self.ws;
        problem.start_cold();
        let forces = world.joints().iter().flat_map(|joint| &joint.force[..joint.kind.rows()]);
        for (lambda, force) in problem.lambda[..rows.joints().len()].iter_mut().zip(forces) {
            *lambda = scale * h * force;
        }
        let known = world.contacts();
        for (index, own) in problem.touch_multipliers() {
            let Some(contact) = contacts.get(index) else { break };
            if let Ok(found) = known.binary_search_by_key(&contact.id, |state| state.id) {
                for (lambda, impulse) in own.iter_mut().zip(known[found].impulse) {
                    *lambda = scale * impulse;
                }
            }
        }
    }

    /// Notes a mixed solve in the outcome; `scale` turns its residual into a velocity.
    pub(super) fn note_mixed(&mut self, outcome: &MixedOutcome, scale: f64) {
        let noted = &mut self.outcome;
        noted.rows = self.ws.problem.rows();
        noted.dependent_rows = outcome.dependent_rows;
        noted.residual = scale * outcome.residual;
        noted.iterations += outcome.iterations;
        noted.solver = outcome.solver;
        noted.islands = outcome.islands;
        noted.infeasible = noted.infeasible.max(outcome.infeasible);
        noted.contacts = self.ws.touches.contacts().len();
        noted.trail = noted.trail.longer(outcome.trail);
        self.note_relative_residual(outcome.relative_residual);
    }

    /// Leaves λ of joints and soft rows where the work of the correction and the grab look for it.
    pub(super) fn take_multipliers(&mut self) {
        let Workspace { problem, rows, lambda, .. } = &mut *self.ws;
        lambda.clear();
        lambda.extend(problem.lambda.iter().take(rows.all().len()));
    }

    /// Adds the multipliers of the last mixed problem, which acted for `duration` (1 for impulses), to the step's impulses.
    pub(super) fn write_impulses(&mut self, duration: f64, acting: Acting) {
        let Workspace { problem, touches, contacts, ledger, .. } = &mut *self.ws;
        if acting == Acting::InTheDynamics {
            ledger.begin_contacts();
        }
        for index in problem.posed_touches() {
            if let (Some(contact), Some(tangent)) = (contacts.get(index), touches.all()[index].tangent) {
                ledger.list_contact(contact, tangent.friction, acting == Acting::InTheDynamics);
            }
        }
        problem.write(ledger, contacts, duration);
    }
}

/// J_t v.
fn tangential_rate(touch: &Touch, v: &[DVec3]) -> f64 {
    let rate = |tangent: crate::constraint::Tangent| {
        tangent.ta.dot(v[touch.row.a]) + tangent.tb.dot(v[touch.row.b])
    };
    touch.tangent.map_or(0.0, rate)
}
