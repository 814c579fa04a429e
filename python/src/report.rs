//! The report of a step, as Python sees it: the columns of the command line's `--csv`.

use driftlab::report;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Declares the report once: its fields, where each comes from, and the tuple of all of them that a pickle holds.
macro_rules! step_report {
    ($own:ident, $($(#[doc = $doc:literal])* $name:ident: $kind:ty = $of:expr;)*) => {
        /// The report of one step, measured at its end. Lengths in m, angles in rad, energies in J; docs/COMMANDS.md
        /// defines the errors.
        #[pyclass(frozen, get_all, eq, module = "driftlab")]
        #[derive(Clone, PartialEq)]
        pub struct StepReport {
            $( $(#[doc = $doc])* pub $name: $kind, )*
        }

        impl From<&report::StepReport> for StepReport {
            fn from($own: &report::StepReport) -> Self {
                Self { $( $name: $of, )* }
            }
        }

        impl StepReport {
            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                let all = [ $( (&self.$name).into_pyobject(py)?.into_any(), )* ];
                PyTuple::new(py, all)
            }

            fn of_fields(fields: &Bound<'_, PyTuple>) -> PyResult<Self> {
                let mut fields = fields.iter();
                let mut next = || fields.next().ok_or_else(|| PyValueError::new_err("too few fields of a report"));
                Ok(Self { $( $name: next()?.extract()?, )* })
            }
        }
    };
}

step_report! {
    own,
    /// Number of the step; 0 for the initial state.
    step: u64 = own.step;
    /// Simulation time after the step, s.
    time: f64 = own.time;
    /// Largest |g| over the joint rows and violated limits.
    joint_error: f64 = own.joint_error;
    /// Largest overlap, m.
    contact_error: f64 = own.contact_error;
    /// Joint error before the scheme corrected positions, if it does.
    joint_error_before: Option<f64> = own.joint_error_before;
    /// Contact error before the scheme corrected positions, if it does, m.
    contact_error_before: Option<f64> = own.contact_error_before;
    /// Largest |J v + c| over the joint rows.
    velocity_error: f64 = own.velocity_error;
    /// Kinetic energy, J.
    kinetic_energy: f64 = own.kinetic_energy;
    /// Potential energy of gravity and springs, J.
    potential_energy: f64 = own.potential_energy;
    /// Energy that the stabilization added in this step, J.
    correction_work: f64 = own.correction_work;
    /// Bodies in the world.
    bodies: usize = own.bodies;
    /// Contact points in the problem.
    contacts: usize = own.contacts;
    /// Scalar rows in the problem.
    rows: usize = own.rows;
    /// Systems solved, pivots or iterations.
    solver_iterations: usize = own.solver_iterations;
    /// Residual of the last solve.
    residual: f64 = own.residual;
    /// Largest |N v − v₀| over the non-holonomic rows, m/s.
    nonholonomic_error: f64 = own.nonholonomic_error;
    /// Largest |g| of the rows in m.
    joint_error_m: f64 = own.joint_errors.metre;
    /// Largest |g| of the rows in rad.
    joint_error_rad: f64 = own.joint_errors.radian;
    /// Largest |g| of the rows in m².
    joint_error_m2: f64 = own.joint_errors.square_metre;
    /// Largest violation of a slider's limit, m.
    limit_error_m: f64 = own.limit_errors.metre;
    /// Largest violation of a hinge's limit, rad.
    limit_error_rad: f64 = own.limit_errors.radian;
    /// Parts into which the step was divided; normally 1.
    substeps: usize = own.substeps;
    /// Islands whose problem has no solution; they were solved with the least violation.
    infeasible: usize = own.infeasible;
    /// The solver that found the solution.
    solver: String = own.solver.to_owned();
    /// The solvers that were tried, with iterations and outcome.
    trail: String = own.trail.brief();
    /// Largest residual as a share of its problem's speed; absent under schemes that sweep.
    relative_residual: Option<f64> = own.relative_residual;
    /// Position corrections that were damped.
    damped_corrections: usize = own.damped_corrections;
    /// Largest share of its error that a correction left; absent if nothing was corrected.
    correction_left: Option<f64> = own.correction_left;
    /// The highest frequency that joint forces impose on a body, rad/s.
    fastest_rate: f64 = own.fastest_rate;
    /// Islands with an approximate solution.
    approximate: usize = own.approximate;
    /// Largest residual that was left in one, as a share of its problem's speed.
    approximate_residual: Option<f64> = own.approximate_residual;
    /// Work of the applied forces in this step, J.
    applied_work: f64 = own.applied_work;
    /// Work of the weights in this step, J.
    gravity_work: f64 = own.work.gravity;
    /// Work of the springs in this step, less what their damping takes, J.
    spring_work: f64 = own.work.springs;
    /// Work of the motors in this step, J.
    motor_work: f64 = own.work.motors;
    /// Work in this step of whoever moves the bodies whose motion is prescribed, J.
    driver_work: f64 = own.work.drivers;
    /// Work of the pointer in this step, J.
    hand_work: f64 = own.work.hand;
    /// Work of friction at contacts in this step, J.
    friction_work: f64 = own.work.friction;
    /// Work of impacts in this step, J.
    impact_work: f64 = own.work.impacts;
    /// Work of damping and drag in this step, J.
    drag_work: f64 = own.work.drag;
    /// What nothing in the scene has done of the change of the kinetic energy, J.
    method_work: f64 = own.work.method;
}

#[pymethods]
impl StepReport {
    /// Kinetic and potential energy together, J.
    #[getter]
    fn total_energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }

    #[staticmethod]
    fn _restored(fields: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Self::of_fields(fields)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        Ok((slf.getattr("_restored")?, (slf.get().fields(slf.py())?,)))
    }

    fn __repr__(&self) -> String {
        let Self { step, time, joint_error, contact_error, .. } = self;
        format!(
            "<StepReport {step} at {time} s: joint error {joint_error:e}, contact error {contact_error:e} m>"
        )
    }
}
