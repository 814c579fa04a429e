//! A world in motion, stepped from Python one step at a time or recorded over many.

use crate::columns::{Impulses, Recording, poses, velocities};
use crate::errors::{StepError, value, wrong};
use crate::report::StepReport;
use crate::scene::{Scene, body_index, body_names};
use driftlab::experiment::{Gain, Run, Summary, reason};
use driftlab::glam::{DVec2, DVec3};
use driftlab::model::{AppliedForce, Axes, Body, Motor, Rotation, World};
use driftlab::report;
use numpy::{AllowTypeChange, PyReadonlyArray2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayLike2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::{Duration, Instant};

/// How long steps are made before the interpreter is asked whether the user has interrupted them.
const ATTENTIVE: Duration = Duration::from_millis(50);

/// A scene in motion, step by step. Poses are (x, y, angle) of the bodies' origins in m and rad, velocities (vx, vy, omega) of their
/// centres of mass in m/s and rad/s; rows are in the order of `bodies`.
///
/// The global interpreter lock is released while steps are made. One thread at a time may use a simulation.
#[pyclass(module = "driftlab")]
pub struct Simulation {
    scene: driftlab::scene::Scene,
    run: Run,
    summary: Summary,
    /// Whether something outside the scene has acted on it: its energy may then come from there.
    driven: bool,
}

/// Why steps ended early.
enum Ended {
    Failed(report::StepError),
    Python(PyErr),
}

impl From<PyErr> for Ended {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(scene: &Scene) -> Self {
        let scene = scene.inner.clone();
        let run = Run::new(&scene, 0);
        let summary = Summary::new(&scene, run.initial());
        Self { scene, run, summary, driven: false }
    }

    /// Makes `steps` steps and returns the report of the last. Raises StepError if one fails; the state is then that before it.
    ///
    /// force, if given, is called with this simulation before each step and returns the forces and torques on all bodies, an array
    /// [bodies, 3] of (N, N, N m) at the centres of mass; they act on top of those of the scene.
    #[pyo3(signature = (steps=1, *, force=None))]
    fn step(slf: &Bound<'_, Self>, steps: u64, force: Option<&Bound<'_, PyAny>>) -> PyResult<StepReport> {
        let made = advance(slf, steps, force, &mut |_, _| ());
        match made {
            Ok(()) => Ok(StepReport::from(slf.borrow().run.report())),
            Err(Ended::Python(error)) => Err(error),
            Err(Ended::Failed(error)) => Err(StepError::new_err(slf.borrow().told(&error))),
        }
    }

    /// Makes `steps` steps and returns columns of all states from the present one on, and why a step failed, if one did.
    #[pyo3(signature = (steps, *, impulses=false, force=None))]
    fn _record<'py>(
        slf: &Bound<'py, Self>,
        steps: u64,
        impulses: bool,
        force: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<String>)> {
        let mut recording = Recording::new(impulses);
        recording.add(&slf.borrow().run, f64::NAN);
        let made = advance(slf, steps, force, &mut |run, time| recording.add(run, time));
        let failure = match made {
            Ok(()) => None,
            Err(Ended::Python(error)) => return Err(error),
            Err(Ended::Failed(error)) => Some(slf.borrow().told(&error)),
        };
        Ok((recording.into_python(slf.py())?, failure))
    }

    /// The impulses of the last step: a structured array with a row for each constraint, its fields as the columns of the command line's
    /// `--impulses`; empty before the first step.
    fn impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut impulses = Impulses::default();
        impulses.add(&self.run);
        py.import("driftlab._result")?.call_method1("structured", (impulses.into_python(py)?,))
    }

    /// The scene in its present state: run again, it continues to the same bits.
    fn scene(&self) -> Scene {
        let (world, beginning) = (self.run.world().clone(), Some(self.summary.beginning()));
        Scene { inner: driftlab::scene::Scene { world, beginning, ..self.scene.clone() } }
    }

    /// The summary since the beginning, as the command line's `run --json` prints it. Of a simulation that forces, motors or states from
    /// outside have driven, it does not say whether energy came from nothing.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut summary = serde_json::to_value(&self.summary).map_err(value)?;
        if let Some(own) = summary.as_object_mut().filter(|_| self.driven) {
            own.remove("energy_gain");
        }
        py.import("json")?.call_method1("loads", (summary.to_string(),))
    }

    /// Why the numbers so far may not mean what they seem to, a sentence each: that the run blew up, gained energy from nothing, let
    /// bodies pass through each other, that joints are far apart or bodies deep in one another, that constraints contradict each other, or that the solver has not converged.
    fn doubts(&self) -> Vec<String> {
        let Summary { blow_up, energy_gain, passages, damped_steps, .. } = &self.summary;
        let mut doubts: Vec<String> = blow_up.iter().map(|own| own.to_string()).collect();
        doubts.extend(energy_gain.iter().filter(|_| !self.driven).map(|own| {
            let Gain { gain, unexplained, at } = own;
            let why = Gain::explanation(self.summary.method(), self.summary.touching());
            format!("at {at:.6} s the energy is {gain:.4e} J above its start, of which nothing in the scene explains {unexplained:.4e} J: {why}")
        }));
        doubts.extend(passages.iter().map(|own| {
            let [one, other] = &own.first;
            let (count, at) = (own.count, own.at);
            format!("bodies passed through each other, {count} in all, first {one} and {other} at {at:.6} s: a smaller time step helps")
        }));
        doubts.extend(self.summary.apart.iter().map(ToString::to_string));
        if *damped_steps > 0 {
            doubts.push(format!(
                "{damped_steps} steps: constraints contradict each other, corrections were damped"
            ));
        }
        doubts.extend(self.summary.unsolved());
        doubts
    }

    /// The report of the last step, or of the initial state.
    #[getter]
    fn report(&self) -> StepReport {
        StepReport::from(self.run.report())
    }

    /// Simulation time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.run.world().time()
    }

    /// Steps made.
    #[getter]
    fn steps(&self) -> u64 {
        self.run.world().steps()
    }

    /// Time step, s.
    #[getter]
    fn h(&self) -> f64 {
        self.run.time_step()
    }

    /// The names of the bodies, in the order of all arrays.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        body_names(self.run.world())
    }

    /// Mass (kg) and moment of inertia about the centre of mass (kg m²), [bodies, 2]; infinite for bodies that forces do not move.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let own = |body: &Body| [body.mass_properties().mass, body.mass_properties().inertia];
        let all: Vec<f64> = self.run.world().bodies().iter().flat_map(own).collect();
        table(py, all, 2)
    }

    /// x, y (m) of the origins and angles (rad), [bodies, 3].
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, poses(self.run.world()).collect(), 3)
    }

    /// Moves all bodies: [bodies, 3] of (m, m, rad).
    #[setter]
    fn set_poses(&mut self, poses: PyArrayLike2<'_, f64, AllowTypeChange>) -> PyResult<()> {
        self.place("poses", &poses, |body, [x, y, angle]| {
            body.pose.angle = angle;
            let centre = Rotation::from_angle(angle).apply(body.mass_properties().center);
            body.pose.position = DVec2::new(x, y) + if body.is_dynamic() { centre } else { DVec2::ZERO };
        })
    }

    /// vx, vy (m/s) of the centres of mass and angular velocities (rad/s), [bodies, 3].
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, velocities(self.run.world()).collect(), 3)
    }

    /// Sets all velocities: [bodies, 3] of (m/s, m/s, rad/s).
    #[setter]
    fn set_velocities(&mut self, velocities: PyArrayLike2<'_, f64, AllowTypeChange>) -> PyResult<()> {
        self.place("velocities", &velocities, |body, v| body.velocity = DVec3::from(v).into())
    }

    /// The angle θ_b − θ_a (rad) of each hinge and the displacement (m) of each slider, [joints]; nan for other joints.
    #[getter]
    fn joint_coordinates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.joints(py, |own, _| own.g)
    }

    /// The rates of `joint_coordinates`, rad/s or m/s, [joints].
    #[getter]
    fn joint_rates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.joints(py, |own, [va, vb]| own.ja.dot(va) + own.jb.dot(vb))
    }

    /// Puts a constant force (N) and torque (N m) on a body, in place of the one that acts on it; without arguments it removes that.
    ///
    /// body: name or index. at: the point on which the force acts, in the body's axes from its centre of mass, m.
    /// axes: 'world', or 'body' for a force that turns with the body.
    #[pyo3(signature = (body, force=[0.0, 0.0], torque=0.0, *, at=[0.0, 0.0], axes="world"))]
    fn apply(
        &mut self,
        body: &Bound<'_, PyAny>,
        force: [f64; 2],
        torque: f64,
        at: [f64; 2],
        axes: &str,
    ) -> PyResult<()> {
        let index = body_index(self.run.world(), body)?;
        let axes = match axes {
            "world" => Axes::World,
            "body" => Axes::Body,
            other => return Err(wrong("axes")(format!("expected world, body, found '{other}'"))),
        };
        let applied = AppliedForce { force: force.into(), torque, at: at.into(), axes };
        self.driven = true;
        let acts = applied != AppliedForce { at: applied.at, axes, ..AppliedForce::default() };
        edit(self.run.world_mut(), index, |body| body.applied = acts.then_some(applied))
    }

    /// Drives a hinge or slider at `speed` (rad/s or m/s) with at most `max_force` (N m or N); without them the motor is removed.
    ///
    /// joint: index in the scene's list of joints, velocity constraints left out.
    #[pyo3(signature = (joint, speed=None, max_force=None))]
    fn set_motor(&mut self, joint: usize, speed: Option<f64>, max_force: Option<f64>) -> PyResult<()> {
        self.driven = true;
        let world = self.run.world_mut();
        let count = world.joints().len();
        let missing = || wrong("joint")(format!("there is no joint {joint} (expected one of {count})"));
        let id = world.joint_ids().get(joint).copied().ok_or_else(missing)?;
        let motor = match (speed, max_force) {
            (Some(speed), Some(max_force)) => Some(Motor { speed, max_force }),
            (None, None) => None,
            _ => return Err(value("speed and max_force: expected both, or none to remove the motor")),
        };
        world.edit_joint(id, |joint| joint.motor = motor).map_err(value)
    }

    fn __repr__(&self) -> String {
        let Self { scene, .. } = self;
        format!("<Simulation of '{}': step {}, {} s>", scene.name, self.steps(), self.time())
    }
}

/// Makes steps. Without a callback they are made in a row, with one, each after its forces; `observe` is told of each with its time in µs.
fn advance(
    slf: &Bound<'_, Simulation>,
    steps: u64,
    force: Option<&Bound<'_, PyAny>>,
    observe: &mut (dyn FnMut(&Run, f64) + Send),
) -> Result<(), Ended> {
    let py = slf.py();
    let mut left = steps;
    // The bodies' own forces, which act beside those of the callback.
    let own: Vec<_> = slf.borrow().run.world().bodies().iter().map(|body| body.applied).collect();
    let mut made = Ok(());
    while left > 0 && made.is_ok() {
        made = py.check_signals().map_err(Ended::Python);
        if made.is_ok()
            && let Some(force) = force
        {
            made = force.call1((slf,)).and_then(|forces| push(slf, &own, &forces)).map_err(Ended::Python);
        }
        if made.is_ok() {
            let batch = if force.is_some() { 1 } else { left };
            let mut simulation = slf.try_borrow_mut().map_err(PyErr::from)?;
            let simulation: &mut Simulation = &mut simulation;
            let ended = py.detach(|| simulation.batch(batch, observe));
            match ended {
                Ok(count) => left -= count,
                Err(error) => made = Err(Ended::Failed(error)),
            }
        }
    }
    if force.is_some() {
        let mut simulation = slf.try_borrow_mut().map_err(PyErr::from)?;
        let world = simulation.run.world_mut();
        for (index, own) in own.into_iter().enumerate() {
            if world.bodies()[index].applied != own {
                edit(world, index, |body| body.applied = own)?;
            }
        }
    }
    made
}

/// Lets the forces that a callback has returned act in the next step, beside the bodies' `own`.
fn push(
    slf: &Bound<'_, Simulation>,
    own: &[Option<AppliedForce>],
    forces: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut simulation = slf.try_borrow_mut()?;
    simulation.driven = true;
    let world = simulation.run.world_mut();
    let forces = forces.extract::<PyArrayLike2<'_, f64, AllowTypeChange>>();
    let forces = forces.map_err(|_| shape("force", world.bodies().len()))?;
    for (index, [fx, fy, torque]) in rows("force", &forces, world.bodies().len())?.into_iter().enumerate() {
        let body = &world.bodies()[index];
        if !body.is_dynamic() {
            continue;
        }
        // A force of the scene's is evaluated at the start of the step, as the schemes do.
        let beside = own[index].map_or(DVec3::ZERO, |own| own.on(body.pose.angle));
        let sum = beside + DVec3::new(fx, fy, torque);
        let applied = AppliedForce { torque: sum.z, ..AppliedForce::force(sum.truncate()) };
        let applied = (sum != DVec3::ZERO).then_some(applied);
        if body.applied != applied {
            edit(world, index, |body| body.applied = applied)?;
        }
    }
    Ok(())
}

impl Simulation {
    /// Makes steps, at most `most` and for about as long as the interpreter may wait; returns how many.
    fn batch(
        &mut self,
        most: u64,
        observe: &mut (dyn FnMut(&Run, f64) + Send),
    ) -> Result<u64, report::StepError> {
        let begin = Instant::now();
        let mut before = begin;
        for made in 1..=most {
            let report = self.run.advance()?;
            let now = Instant::now();
            self.summary.add(&report);
            observe(&self.run, (now - before).as_secs_f64() * 1e6);
            before = Instant::now();
            if before - begin > ATTENTIVE {
                return Ok(made);
            }
        }
        Ok(most)
    }

    /// Why a step failed: its number, the time before it, and the reason with the bodies' names.
    fn told(&self, error: &report::StepError) -> String {
        let world = self.run.world();
        let (step, time) = (world.steps() + 1, world.time());
        format!("{}: step {step} after {time:.6} s: {}", self.scene.name, reason(error, world))
    }

    /// Changes every body by its row of an array.
    fn place(
        &mut self,
        argument: &str,
        given: &PyReadonlyArray2<'_, f64>,
        change: impl Fn(&mut Body, [f64; 3]),
    ) -> PyResult<()> {
        self.driven = true;
        let before = self.run.world().clone();
        let rows = rows(argument, given, before.bodies().len())?;
        let world = self.run.world_mut();
        let changed = rows.into_iter().enumerate().try_for_each(|(index, row)| {
            let id = world.id_of(index).ok_or_else(|| shape(argument, before.bodies().len()))?;
            world
                .edit_body(id, |body| change(body, row))
                .map_err(|error| wrong(argument)(error.to_string()))
        });
        if changed.is_err() {
            *world = before;
        }
        self.run.remeasure();
        changed
    }

    fn joints<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(driftlab::model::joint::Equation, [DVec3; 2]) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        let world = self.run.world();
        let own = |joint: &driftlab::model::Joint| {
            let [a, b] = joint.bodies().map(|body| world.frame(body));
            let coordinate = joint.kind.coordinate(&a, &b);
            coordinate.map_or(f64::NAN, |own| of(own, joint.bodies().map(|body| world.velocity_of(body))))
        };
        world.joints().iter().map(own).collect::<Vec<_>>().into_pyarray(py)
    }
}

fn edit(world: &mut World, index: usize, change: impl FnOnce(&mut Body)) -> PyResult<()> {
    let id = world.id_of(index).ok_or_else(|| value(format!("there is no body {index}")))?;
    world.edit_body(id, change).map_err(value)
}

/// The rows of an array [bodies, 3].
fn rows(argument: &str, given: &PyReadonlyArray2<'_, f64>, bodies: usize) -> PyResult<Vec<[f64; 3]>> {
    let given = given.as_array();
    if given.dim() != (bodies, 3) {
        return Err(shape(argument, bodies));
    }
    Ok(given.outer_iter().map(|row| [row[0], row[1], row[2]]).collect())
}

fn shape(argument: &str, bodies: usize) -> PyErr {
    wrong(argument)(format!("expected an array of shape ({bodies}, 3), a row for each body"))
}

fn table<'py>(py: Python<'py>, all: Vec<f64>, columns: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = all.len() / columns;
    all.into_pyarray(py).reshape([rows, columns])
}
