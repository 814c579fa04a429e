//! The figures of a run, step by step.

use super::Quantity;
use crate::experiment::Run;
use crate::model::World;
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
    /// The angles at the start, rad, and the largest ones by which the bodies have turned since.
    begun: Vec<f64>,
    turned: Vec<f64>,
    /// The number of the step in the middle, and when and where the bodies were then, s and m.
    middle: u64,
    halfway: (f64, Vec<DVec2>),
}

impl Tally {
    /// Before the first of so many steps.
    pub fn new(run: &Run, steps: u64) -> Self {
        let initial = *run.initial();
        let begun = run.world().bodies().iter().map(|body| body.pose.angle).collect::<Vec<_>>();
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
            middle: initial.step + steps / 2,
            halfway: (initial.time, places(run.world())),
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
        if report.step == self.middle {
            self.halfway = (report.time, places(world));
        }
        for ((turned, begun), body) in self.turned.iter_mut().zip(&self.begun).zip(world.bodies()) {
            *turned = larger(*turned, (body.pose.angle - begun).abs());
        }
    }

    /// Rows times iterations of all steps.
    pub fn cost(&self) -> f64 {
        self.cost
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
                let (since, places) = &self.halfway;
                let moved = world.bodies().get(index)?.pose.position - *places.get(index)?;
                let elapsed = self.last.time - since;
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

fn places(world: &World) -> Vec<DVec2> {
    world.bodies().iter().map(|body| body.pose.position).collect()
}

/// The larger of two; what is no number stays.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
