//! What a run records, column by column: Python makes arrays of the columns without reading rows.

use crate::report::StepReport;
use crate::scene::body_names;
use driftlab::experiment::{Run, impulse_rows};
use driftlab::glam::DVec3;
use driftlab::model::World;
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Texts of which few differ: each once, and a number for each row.
#[derive(Default)]
pub struct Words {
    pub all: Vec<String>,
    pub codes: Vec<u32>,
}

impl Words {
    fn add(&mut self, word: &str) {
        let known = self.all.iter().position(|own| own == word);
        let code = known.unwrap_or_else(|| {
            self.all.push(word.to_owned());
            self.all.len() - 1
        });
        self.codes.push(code as u32);
    }

    /// As (texts, numbers).
    pub fn into_python<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok((self.all, self.codes.into_pyarray(py)).into_pyobject(py)?.into_any())
    }
}

/// Sets columns of a table of rows by the names of their fields.
macro_rules! set_columns {
    ($dict:ident, $py:ident, $rows:ident, $of:expr, $($name:ident),*) => {
        $( $dict.set_item(
            stringify!($name),
            $rows.iter().map(|row| $of(row.$name)).collect::<Vec<_>>().into_pyarray($py),
        )?; )*
    };
}

/// The states of a run from one on: a row for each.
#[derive(Default)]
pub struct Recording {
    reports: Vec<StepReport>,
    step_us: Vec<f64>,
    poses: Vec<f64>,
    velocities: Vec<f64>,
    impulses: Option<Impulses>,
}

impl Recording {
    /// Records impulses, too, if `impulses` is set.
    pub fn new(impulses: bool) -> Self {
        Self { impulses: impulses.then(Impulses::default), ..Self::default() }
    }

    /// Bytes of a row with that many bodies, without impulses: its poses and velocities, and all columns.
    pub fn row_bytes(bodies: usize) -> usize {
        48 * bodies + 256
    }

    /// Adds the present state of a run; `step_us` is the computing time of the step that led to it, µs.
    pub fn add(&mut self, run: &Run, step_us: f64) {
        self.reports.push(StepReport::from(run.report()));
        self.step_us.push(step_us);
        self.poses.extend(poses(run.world()));
        self.velocities.extend(velocities(run.world()));
        if let Some(impulses) = &mut self.impulses {
            impulses.add(run);
        }
    }

    /// As a dictionary of arrays.
    pub fn into_python<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Self { reports, step_us, poses, velocities, impulses } = self;
        let [rows, bodies] = [reports.len(), poses.len() / (3 * reports.len().max(1))];
        let dict = PyDict::new(py);
        set_columns!(dict, py, reports, |x: u64| x, step);
        set_columns!(
            dict,
            py,
            reports,
            |x: f64| x,
            time,
            joint_error,
            contact_error,
            velocity_error,
            kinetic_energy,
            potential_energy,
            correction_work,
            residual,
            nonholonomic_error,
            joint_error_m,
            joint_error_rad,
            joint_error_m2,
            limit_error_m,
            limit_error_rad,
            fastest_rate,
            applied_work,
            gravity_work,
            spring_work,
            motor_work,
            driver_work,
            hand_work,
            friction_work,
            impact_work,
            drag_work,
            method_work
        );
        set_columns!(
            dict,
            py,
            reports,
            |x: Option<f64>| x.unwrap_or(f64::NAN),
            joint_error_before,
            contact_error_before,
            relative_residual,
            correction_left,
            approximate_residual
        );
        set_columns!(
            dict,
            py,
            reports,
            |x: usize| x as u64,
            bodies,
            contacts,
            rows,
            solver_iterations,
            substeps,
            infeasible,
            damped_corrections,
            approximate
        );
        let [mut solver, mut trail] = [Words::default(), Words::default()];
        reports.iter().for_each(|row| {
            solver.add(&row.solver);
            trail.add(&row.trail);
        });
        dict.set_item("solver", solver.into_python(py)?)?;
        dict.set_item("trail", trail.into_python(py)?)?;
        dict.set_item("step_us", step_us.into_pyarray(py))?;
        dict.set_item("poses", poses.into_pyarray(py).reshape([rows, bodies, 3])?)?;
        dict.set_item("velocities", velocities.into_pyarray(py).reshape([rows, bodies, 3])?)?;
        let impulses = impulses.map(|own| own.into_python(py)).transpose()?;
        dict.set_item("impulses", impulses)?;
        Ok(dict)
    }
}

/// x and y of each body's origin, and its angle.
pub fn poses(world: &World) -> impl Iterator<Item = f64> + '_ {
    world.bodies().iter().flat_map(|body| {
        let origin = body.origin();
        [origin.x, origin.y, body.pose.angle]
    })
}

/// The velocity of each body's centre of mass, and its angular velocity.
pub fn velocities(world: &World) -> impl Iterator<Item = f64> + '_ {
    (0..world.bodies().len()).flat_map(|body| <[f64; 3]>::from(world.velocity_of(body)))
}

/// Impulses of steps: a row for each step and constraint.
#[derive(Default)]
pub struct Impulses {
    steps: Vec<(u64, f64)>,
    kinds: Words,
    indices: Vec<u64>,
    /// The bodies' names behind the empty one, which stands for the world.
    names: Vec<String>,
    /// Place of body a and of body b among the names.
    bodies: [Vec<u32>; 2],
    /// Point, direction, multipliers, impulse, moment, angular impulses, residuals: [`Impulses::NUMBERS`] of each row.
    numbers: Vec<f64>,
    states: Words,
}

impl Impulses {
    /// The columns of numbers, in order.
    const NUMBERS: [&str; 14] = [
        "x",
        "y",
        "nx",
        "ny",
        "lambda_1",
        "lambda_2",
        "lambda_3",
        "impulse_x",
        "impulse_y",
        "moment",
        "angular_impulse_a",
        "angular_impulse_b",
        "momentum_residual",
        "angular_momentum_residual",
    ];

    /// Adds the impulses of the last step that `run` has made.
    pub fn add(&mut self, run: &Run) {
        let world = run.world();
        if self.names.is_empty() {
            self.names.push(String::new());
            self.names.extend(body_names(world));
        }
        for row in impulse_rows(run) {
            let impulse = &row.impulse;
            self.steps.push((world.steps(), world.time()));
            self.kinds.add(row.kind);
            self.indices.push(row.index as u64);
            // Behind the empty name come those of the world's bodies.
            let [a, b] = impulse.bodies.map(|id| world.index_of(id).map_or(0, |index| index as u32 + 1));
            // A constraint between one body and the world acts on b.
            self.bodies[0].push(if a == b { 0 } else { a });
            self.bodies[1].push(b);
            let n = row.direction.map_or([f64::NAN; 2], Into::into);
            let lambda =
                [0, 1, 2].map(|i| if i < impulse.rows { impulse.multipliers[i] } else { f64::NAN });
            let [on_a, on_b]: [DVec3; 2] = impulse.on_bodies;
            self.numbers.extend([row.point.x, row.point.y]);
            self.numbers.extend(n);
            self.numbers.extend(lambda);
            self.numbers.extend([on_b.x, on_b.y, row.couple, on_a.z, on_b.z]);
            self.numbers.extend([row.momentum_residual, row.angular_momentum_residual]);
            self.states.add(row.state);
        }
    }

    /// As a dictionary of columns.
    pub fn into_python<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Self { steps, kinds, indices, names, bodies, numbers, states } = self;
        let [a, b] = bodies.map(|codes| Words { all: names.clone(), codes });
        let (steps, times): (Vec<u64>, Vec<f64>) = steps.into_iter().unzip();
        let dict = PyDict::new(py);
        dict.set_item("step", steps.into_pyarray(py))?;
        dict.set_item("time", times.into_pyarray(py))?;
        dict.set_item("kind", kinds.into_python(py)?)?;
        dict.set_item("index", indices.into_pyarray(py))?;
        dict.set_item("body_a", a.into_python(py)?)?;
        dict.set_item("body_b", b.into_python(py)?)?;
        for (place, name) in Self::NUMBERS.iter().enumerate() {
            let column = numbers.iter().skip(place).step_by(Self::NUMBERS.len()).copied();
            dict.set_item(*name, column.collect::<Vec<_>>().into_pyarray(py))?;
        }
        dict.set_item("state", states.into_python(py)?)?;
        Ok(dict)
    }
}
