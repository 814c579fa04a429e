//! The figures of a run, step by step.

use super::Quantity;
use crate::experiment::Run;
use crate::model::{Body, World};
use crate::report::StepReport;
use glam::DVec2;

/// Length of a frame in which cost is counted, s.
const FRAME: f64 = 1.0 / 60.0;

/// The figures of a run up to its present state.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    initial: StepReport,
    last: StepReport,
    joint_error: f64,
    contact_error: f64,
    energy_error: f64,
    kinetic_energy: f64,
    /// Rows times iterations of all steps.
    cost: f64,
    /// Where the bodies were at the start, m and rad, and the largest angles by which they have turned since.
    begun: Vec<(DVec2, f64)>,
    turned: Vec<f64>,
}

impl Tally {
    pub fn new(run: &Run) -> Self {
        let initial = *run.initial();
        let begun = run.world().bodies().iter().map(place).collect::<Vec<_>>();
        Self {
            initial,
            last: initial,
            joint_error: initial.joint_errors.metre,
            contact_error: initial.contact_error,
            energy_error: 0.0,
            kinetic_energy: initial.kinetic_energy,
            cost: 0.0,
            turned: vec![0.0; begun.len()],
            begun,
        }
    }

    /// Takes in a step that has been made.
    pub fn add(&mut self, report: &StepReport, world: &World) {
        self.last = *report;
        self.joint_error = larger(self.joint_error, report.joint_errors.metre);
        self.contact_error = larger(self.contact_error, report.contact_error);
        let energy = (report.total_energy() - self.initial.total_energy()).abs();
        self.energy_error = larger(self.energy_error, energy);
        self.kinetic_energy = larger(self.kinetic_energy, report.kinetic_energy);
        self.cost += report.rows as f64 * report.solver_iterations.max(1) as f64;
        for ((turned, (_, begun)), body) in self.turned.iter_mut().zip(&self.begun).zip(world.bodies()) {
            *turned = larger(*turned, (body.pose.angle - begun).abs());
        }
    }

    /// The figure, in its unit; none for one that this run alone does not tell.
    pub fn of(&self, quantity: &Quantity, world: &World) -> Option<f64> {
        let elapsed = self.last.time - self.initial.time;
        let index = |name: &str| world.bodies().iter().position(|body| body.name == name);
        Some(match quantity {
            Quantity::JointError => self.joint_error,
            Quantity::JointErrorAtEnd => self.last.joint_errors.metre,
            Quantity::ContactError => self.contact_error,
            Quantity::ContactErrorAtEnd => self.last.contact_error,
            Quantity::EnergyError => self.energy_error,
            Quantity::KineticEnergy => self.kinetic_energy,
            Quantity::Creep { body } => {
                let index = index(body)?;
                let moved = place(world.bodies().get(index)?).0 - self.begun.get(index)?.0;
                if elapsed > 0.0 { moved.length() / elapsed } else { 0.0 }
            }
            Quantity::Turn { body } => *self.turned.get(index(body)?)?,
            Quantity::Cost => {
                if elapsed > 0.0 {
                    self.cost * FRAME / elapsed
                } else {
                    0.0
                }
            }
            Quantity::Threshold { .. } => return None,
        })
    }
}

fn place(body: &Body) -> (DVec2, f64) {
    (body.pose.position, body.pose.angle)
}

/// The larger of two; what is no number stays.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
