//! What is measured after a step: errors and energies on the new pose, and the impulses that led there.

use super::constraints::Constraints;
use super::errors::overlap;
use super::fast::Passages;
use super::figures::Outcome;
use super::held::Worst;
use super::workspace::Workspace;
use crate::constraint::Row;
use crate::math::largest;
use crate::model::World;
use crate::report::{ConstraintImpulse, StepReport};
use glam::DVec3;

impl Workspace {
    /// The impulses that acted in the last step that was made, of joints, non-holonomic constraints, springs, the grab, motors,
    /// limits and contacts. Constraints that did nothing are listed with zeros.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.totals.done.impulses()
    }

    /// M (v⁺ − v) − h F − Σ Jᵀλ of the last step by body: (N s, N s, N m s), rounding where every impulse is accounted for; zero
    /// for bodies that forces do not move.
    pub fn momentum_residuals(&self) -> Vec<DVec3> {
        let moved = self.motion.v.iter().zip(&self.totals.began).zip(self.totals.external_changes());
        let change = moved.map(|((v, began), external)| *v - *began - external);
        let mut left: Vec<DVec3> = change
            .zip(&self.motion.inverse_mass)
            .map(|(dv, w)| if w.x > 0.0 { dv / *w } else { DVec3::ZERO })
            .collect();
        for impulse in self.totals.done.impulses() {
            for (body, on) in impulse.bodies.into_iter().zip(impulse.on_bodies) {
                if self.motion.inverse_mass[body].x > 0.0 {
                    left[body] -= on;
                }
            }
        }
        left
    }

    /// M (v⁺ − v) of the last step that was made by body: (N s, N s, N m s); zero for bodies that forces do not move.
    pub fn momentum_changes(&self) -> Vec<DVec3> {
        let changes = self.motion.v.iter().zip(&self.totals.began).map(|(v, began)| *v - *began);
        self.times_mass(changes)
    }

    /// h F of the last step that was made, of the weight and the mouse's repulsion, by body: (N s, N s, N m s).
    pub fn external_impulses(&self) -> Vec<DVec3> {
        self.times_mass(self.totals.external_changes())
    }

    fn times_mass(&self, changes: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
        let masses = changes.zip(&self.motion.inverse_mass);
        masses.map(|(dv, w)| if w.x > 0.0 { dv / *w } else { DVec3::ZERO }).collect()
    }

    /// Measures errors and energies of a world that has made no step.
    pub(crate) fn measure_anew(&mut self, world: &World, outcome: Outcome) -> StepReport {
        self.rest_cache.forget();
        self.motion.copy_from(world);
        self.constraints.read(world);
        self.passages = Passages::default();
        self.overlap = self.constraints.evaluate_report(world, &self.motion, &mut self.held);
        let energies = self.motion.energies_of_bodies(world);
        StepReport { uniqueness: None, ..self.measure(world, Outcome { energies, ..outcome }) }
    }

    /// Measures errors and energies on the pose that a step has just given the world, where J and g have been evaluated.
    pub(crate) fn measure(&mut self, world: &World, outcome: Outcome) -> StepReport {
        let fastest_rate = self.held.fastest_rate(&self.motion.inverse_mass);
        let [errors, rates] = self.held.worst;
        let Constraints { rows, touches, .. } = &self.constraints;
        let Outcome { solves, corrections, parts, energies: [kinetic_energy, potential_energy] } = outcome;
        let mut violations = Worst::default();
        touches.limits().iter().for_each(|limit| violations.take(limit.row.unit, overlap(limit)));
        StepReport {
            step: world.steps,
            time: world.time,
            joint_error: largest([errors.of_unit.largest(), violations.of_unit.largest()]),
            joint_error_unit: if violations.size > errors.size { violations.unit } else { errors.unit },
            joint_errors: errors.of_unit,
            limit_errors: violations.of_unit,
            joint_error_before: corrections.joint_error_before,
            contact_error: self.overlap,
            contact_error_before: corrections.contact_error_before,
            passages: self.passages.count,
            passed: self.passages.first,
            nonholonomic_error: nonholonomic_error(world, rows.nonholonomic(), &self.motion.v),
            velocity_error: rates.of_unit.largest(),
            velocity_error_unit: rates.unit,
            kinetic_energy,
            potential_energy,
            correction_work: corrections.work,
            bodies: world.bodies().len(),
            contacts: solves.contacts,
            rows: solves.rows,
            dependent_rows: solves.dependent_rows,
            solver_iterations: solves.iterations,
            residual: solves.residual,
            relative_residual: solves.relative_residual,
            damped_corrections: corrections.damped,
            correction_left: corrections.left,
            fastest_rate,
            trail: solves.trail,
            substeps: parts,
            islands: solves.islands,
            infeasible: solves.infeasible,
            unproved: solves.unproved,
            solver: solves.solver,
            uniqueness: self.uniqueness(),
        }
    }
}

/// Largest |N v − v₀(t)| of `rows` at the velocity `v`, m/s.
fn nonholonomic_error(world: &World, rows: &[Row], v: &[DVec3]) -> f64 {
    let prescribed = world.nonholonomic().iter().flat_map(|constraint| {
        constraint.kind.prescribed(world.time).into_iter().take(constraint.kind.rows())
    });
    largest(rows.iter().zip(prescribed).map(|(row, prescribed)| row.rate(v) - prescribed.value))
}
