//! The report of a step, as Python sees it: the columns of the command line's `--csv`.

use driftlab::report;
use pyo3::prelude::*;

/// The report of one step, measured at its end. Lengths in m, angles in rad, energies in J; docs/SCENES.md defines the errors.
#[pyclass(frozen, get_all, module = "driftlab")]
#[derive(Clone)]
pub struct StepReport {
    /// Number of the step; 0 for the initial state.
    pub step: u64,
    /// Simulation time after the step, s.
    pub time: f64,
    /// Largest |g| over the joint rows and violated limits.
    pub joint_error: f64,
    /// Largest overlap, m.
    pub contact_error: f64,
    /// Joint error before the scheme corrected positions, if it does.
    pub joint_error_before: Option<f64>,
    /// Contact error before the scheme corrected positions, if it does, m.
    pub contact_error_before: Option<f64>,
    /// Largest |J v + c| over the joint rows.
    pub velocity_error: f64,
    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy of gravity and springs, J.
    pub potential_energy: f64,
    /// Energy that the stabilization added in this step, J.
    pub correction_work: f64,
    /// Bodies in the world.
    pub bodies: usize,
    /// Contact points in the problem.
    pub contacts: usize,
    /// Scalar rows in the problem.
    pub rows: usize,
    /// Systems solved, pivots or iterations.
    pub solver_iterations: usize,
    /// Residual of the last solve.
    pub residual: f64,
    /// Largest |N v − v₀| over the non-holonomic rows, m/s.
    pub nonholonomic_error: f64,
    /// Largest |g| of the rows in m.
    pub joint_error_m: f64,
    /// Largest |g| of the rows in rad.
    pub joint_error_rad: f64,
    /// Largest |g| of the rows in m².
    pub joint_error_m2: f64,
    /// Largest violation of a slider's limit, m.
    pub limit_error_m: f64,
    /// Largest violation of a hinge's limit, rad.
    pub limit_error_rad: f64,
    /// Parts into which the step was divided; normally 1.
    pub substeps: usize,
    /// Islands whose problem has no solution; they were solved with the least violation.
    pub infeasible: usize,
    /// The solver that found the solution.
    pub solver: &'static str,
    /// The solvers that were tried, with iterations and outcome.
    pub trail: String,
    /// Largest residual as a share of its problem's speed; absent under schemes that sweep.
    pub relative_residual: Option<f64>,
    /// Position corrections that were damped.
    pub damped_corrections: usize,
    /// Largest share of its error that a correction left; absent if nothing was corrected.
    pub correction_left: Option<f64>,
    /// The highest frequency that joint forces impose on a body, rad/s.
    pub fastest_rate: f64,
    /// Islands with an approximate solution.
    pub approximate: usize,
    /// Largest residual that was left in one, as a share of its problem's speed.
    pub approximate_residual: Option<f64>,
    /// Work of the applied forces in this step, J.
    pub applied_work: f64,
    /// Work of the weights in this step, J.
    pub gravity_work: f64,
    /// Work of the springs in this step, less what their damping takes, J.
    pub spring_work: f64,
    /// Work of the motors in this step, J.
    pub motor_work: f64,
    /// Work in this step of whoever moves the bodies whose motion is prescribed, J.
    pub driver_work: f64,
    /// Work of the pointer in this step, J.
    pub hand_work: f64,
    /// Work of friction at contacts in this step, J.
    pub friction_work: f64,
    /// Work of impacts in this step, J.
    pub impact_work: f64,
    /// What nothing in the scene has done of the change of the kinetic energy, J.
    pub method_work: f64,
}

impl From<&report::StepReport> for StepReport {
    fn from(own: &report::StepReport) -> Self {
        Self {
            step: own.step,
            time: own.time,
            joint_error: own.joint_error,
            contact_error: own.contact_error,
            joint_error_before: own.joint_error_before,
            contact_error_before: own.contact_error_before,
            velocity_error: own.velocity_error,
            kinetic_energy: own.kinetic_energy,
            potential_energy: own.potential_energy,
            correction_work: own.correction_work,
            bodies: own.bodies,
            contacts: own.contacts,
            rows: own.rows,
            solver_iterations: own.solver_iterations,
            residual: own.residual,
            nonholonomic_error: own.nonholonomic_error,
            joint_error_m: own.joint_errors.metre,
            joint_error_rad: own.joint_errors.radian,
            joint_error_m2: own.joint_errors.square_metre,
            limit_error_m: own.limit_errors.metre,
            limit_error_rad: own.limit_errors.radian,
            substeps: own.substeps,
            infeasible: own.infeasible,
            solver: own.solver,
            trail: own.trail.brief(),
            relative_residual: own.relative_residual,
            damped_corrections: own.damped_corrections,
            correction_left: own.correction_left,
            fastest_rate: own.fastest_rate,
            approximate: own.approximate,
            approximate_residual: own.approximate_residual,
            applied_work: own.applied_work,
            gravity_work: own.work.gravity,
            spring_work: own.work.springs,
            motor_work: own.work.motors,
            driver_work: own.work.drivers,
            hand_work: own.work.hand,
            friction_work: own.work.friction,
            impact_work: own.work.impacts,
            method_work: own.work.method,
        }
    }
}

#[pymethods]
impl StepReport {
    /// Kinetic and potential energy together, J.
    #[getter]
    fn total_energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }

    fn __repr__(&self) -> String {
        let Self { step, time, joint_error, contact_error, .. } = self;
        format!(
            "<StepReport {step} at {time} s: joint error {joint_error:e}, contact error {contact_error:e} m>"
        )
    }
}
