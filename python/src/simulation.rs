//! A world in motion, stepped from Python one step at a time or recorded over many.

use crate::columns::{Impulses, Recording, poses, velocities};
use crate::errors::{StepError, busy, value, wrong};
use crate::report::StepReport;
use crate::scene::{Scene, body_index, body_names, joint_index, joint_names};
use crate::state::{Ended, State};
use crate::steps::Steps;
use crate::{queries, steps};
use driftlab::glam::{DVec2, DVec3};
use driftlab::model::{AppliedForce, Axes, Body, Motor, Rotation};
use driftlab::scene::{KEYS, nearest};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// A scene in motion, step by step. Poses are (x, y, angle) of the bodies' origins in m and rad, velocities (vx, vy,
/// omega) of their centres of mass in m/s and rad/s; rows are in the order of `bodies`. Arrays that it returns are
/// copies that cannot be written to: to change the state, set `poses` or `velocities`.
///
/// The global interpreter lock is released while steps are made. One thread at a time may use a simulation; another one
/// gets BusyError. It copies and pickles in its present state, and goes on to the same bits; the summary of a pickle
/// begins there. A copy that another engine steps begins without what that engine remembers of contacts.
#[pyclass(frozen, module = "driftlab")]
pub struct Simulation {
    state: Mutex<State>,
    /// Whether a call of `step` has not come to its end: its callbacks may read and change the state, and not step it.
    steps: AtomicBool,
}

/// Held by the one call that makes steps.
struct Turn<'s>(&'s AtomicBool);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Simulation {
    fn of(state: State) -> Self {
        Self { state: Mutex::new(state), steps: AtomicBool::new(false) }
    }

    /// The state, which nobody else has at present.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::WouldBlock) => Err(busy()),
            Err(TryLockError::Poisoned(_)) => Err(PyRuntimeError::new_err(
                "a step of this simulation has come to no end: its state is lost (expected a new simulation)",
            )),
        }
    }

    /// Makes steps. Without a callback they are made in a row, with one, each after its forces; `observe` is told of
    /// each with its time in µs.
    fn advance(
        slf: &Bound<'_, Self>,
        steps: u64,
        force: Option<&Bound<'_, PyAny>>,
        observe: &mut (dyn FnMut(&driftlab::experiment::Run, f64) + Send),
    ) -> Result<(), Ended> {
        let (py, own) = (slf.py(), slf.get());
        if own.steps.swap(true, Ordering::Acquire) {
            return Err(busy().into());
        }
        let _turn = Turn(&own.steps);
        let mut left = steps;
        while left > 0 {
            py.check_signals()?;
            let forces = force.map(|force| force.call1((slf,))).transpose()?;
            let mut state = own.lock()?;
            let state: &mut State = &mut state;
            let before = forces.map(|forces| state.push(&forces)).transpose()?;
            let batch = if before.is_some() { 1 } else { left };
            state.carried = None;
            let made = py.detach(|| state.batch(batch, observe));
            state.restore(before.unwrap_or_default())?;
            left -= made?;
        }
        Ok(())
    }

    /// Refuses to tell of constraints of ours where another engine makes the steps.
    fn are_ours(&self, what: &str) -> PyResult<()> {
        let told = "another engine makes the steps and tells its own (expected driftlab.record, which writes them)";
        if self.lock()?.run.is_elsewhere() { Err(wrong(what)(told.to_owned())) } else { Ok(()) }
    }

    /// The table of `impulses`, without rows where another engine makes the steps.
    fn last_impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut impulses = Impulses::default();
        {
            let state = self.lock()?;
            if let Some((_, carried)) = &state.carried {
                return Ok(carried.bind(py).clone());
            }
            impulses.add(&state.run);
        }
        py.import("driftlab._result")?.call_method1("structured", (impulses.into_python(py)?,))
    }

    /// Changes the state from outside.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        let mut state = self.lock()?;
        state.driven = true;
        change(&mut state)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(scene: &Scene) -> Self {
        Self::of(State::new(&scene.inner))
    }

    /// Makes `steps` steps and returns the report of the last. Raises StepError if one fails; the state is then that before it.
    ///
    /// force, if given, is called with this simulation before each step and returns the forces and torques on all
    /// bodies, an array [bodies, 3] of (N, N, N m) at the centres of mass; they act on top of those of the scene. It
    /// may read and change the simulation, but not step it.
    #[pyo3(signature = (steps=Steps(1), *, force=None), text_signature = "($self, steps=1, *, force=None)")]
    fn step(slf: &Bound<'_, Self>, steps: Steps, force: Option<&Bound<'_, PyAny>>) -> PyResult<StepReport> {
        let made = Self::advance(slf, steps.0, force, &mut |_, _| ());
        let state = slf.get().lock()?;
        match made {
            Ok(()) => Ok(state.report()),
            Err(Ended::Python(error)) => Err(error),
            Err(Ended::Failed(error)) => Err(StepError::new_err(state.told(&error))),
        }
    }

    /// Makes `steps` steps and returns columns of all states from the present one on, why a step failed, if one did,
    /// and the exception that has ended the steps, if one has.
    #[pyo3(signature = (steps, *, impulses=false, force=None))]
    fn _record<'py>(
        slf: &Bound<'py, Self>,
        steps: u64,
        impulses: bool,
        force: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<String>, Option<PyErr>)> {
        if impulses {
            slf.get().are_ours("impulses")?;
        }
        let mut recording = Recording::new(impulses);
        {
            let mut state = slf.get().lock()?;
            steps::few_enough(steps, Recording::row_bytes(state.run.world().bodies().len()))?;
            recording.add(&state.run, f64::NAN);
            state.is_recorded = true;
        }
        let made = Self::advance(slf, steps, force, &mut |run, time| recording.add(run, time));
        let mut state = slf.get().lock()?;
        state.is_recorded = false;
        let (failure, error) = match made {
            Ok(()) => (None, None),
            Err(Ended::Python(error)) => (None, Some(error)),
            Err(Ended::Failed(error)) => (Some(state.told(&error)), None),
        };
        drop(state);
        Ok((recording.into_python(slf.py())?, failure, error))
    }

    /// The impulses of the last step: a structured array with a row for each constraint, its fields as the columns of
    /// the command line's `--impulses`; empty before the first step. Those of another engine are refused: `driftlab.record`
    /// writes them.
    fn impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.are_ours("impulses")?;
        self.last_impulses(py)
    }

    /// The scene in its present state: run again, it continues to the same bits.
    fn scene(&self) -> PyResult<Scene> {
        Ok(Scene { inner: self.lock()?.scene() })
    }

    /// The summary since the beginning, as the command line's `run --json` prints it, with its `advice`. Of a
    /// simulation that forces, motors, states or bodies from outside have driven, it does not say whether energy came
    /// from nothing, and has no advice.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let trial = self.lock()?.trial();
        let advice = match trial {
            Some(search) => {
                let tried = crate::attentive::attend(py, |_| search())?;
                Some(self.lock()?.tried.insert(tried).clone())
            }
            None => self.lock()?.tried.clone(),
        };
        let text = self.lock()?.summary_text(advice)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Why the numbers so far may not mean what they seem to, a sentence each: that the run blew up, gained energy from
    /// nothing, let bodies pass through each other, that joints are far apart or bodies deep in one another, that
    /// constraints contradict each other, or that the solver has not converged.
    fn doubts(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.doubts())
    }

    /// The report of the last step, or of the initial state.
    #[getter]
    fn report(&self) -> PyResult<StepReport> {
        Ok(self.lock()?.report())
    }

    /// Simulation time, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.lock()?.run.world().time())
    }

    /// Steps made.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        Ok(self.lock()?.run.world().steps())
    }

    /// Time step, s.
    #[getter]
    fn h(&self) -> PyResult<f64> {
        Ok(self.lock()?.run.time_step())
    }

    /// The names of the bodies, in the order of all arrays.
    #[getter]
    fn bodies(&self) -> PyResult<Vec<String>> {
        Ok(body_names(self.lock()?.run.world()))
    }

    /// The names of the joints, in the order of all arrays; see `Scene.joint_names`.
    #[getter]
    fn joint_names(&self) -> PyResult<Vec<String>> {
        Ok(joint_names(self.lock()?.run.world()))
    }

    /// Mass (kg) and moment of inertia about the centre of mass (kg m²), [bodies, 2]; infinite for bodies that forces
    /// do not move.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let own = |body: &Body| [body.mass_properties().mass, body.mass_properties().inertia];
        let all: Vec<f64> = self.lock()?.run.world().bodies().iter().flat_map(own).collect();
        queries::table(py, all, 2)
    }

    /// x, y (m) of the origins and angles (rad), [bodies, 3].
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all = poses(self.lock()?.run.world()).collect();
        queries::table(py, all, 3)
    }

    /// Moves all bodies: [bodies, 3] of (m, m, rad).
    #[setter]
    fn set_poses(&self, poses: PyArrayLike2<'_, f64, AllowTypeChange>) -> PyResult<()> {
        let place = |body: &mut Body, [x, y, angle]: [f64; 3]| {
            body.pose.angle = angle;
            let centre = Rotation::from_angle(angle).apply(body.mass_properties().center);
            body.pose.position = DVec2::new(x, y) + if body.is_dynamic() { centre } else { DVec2::ZERO };
        };
        self.change(|state| state.place("poses", &poses, place))
    }

    /// vx, vy (m/s) of the centres of mass and angular velocities (rad/s), [bodies, 3].
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all = velocities(self.lock()?.run.world()).collect();
        queries::table(py, all, 3)
    }

    /// Sets all velocities: [bodies, 3] of (m/s, m/s, rad/s).
    #[setter]
    fn set_velocities(&self, velocities: PyArrayLike2<'_, f64, AllowTypeChange>) -> PyResult<()> {
        let set = |body: &mut Body, v: [f64; 3]| body.velocity = DVec3::from(v).into();
        self.change(|state| state.place("velocities", &velocities, set))
    }

    /// The angle θ_b − θ_a (rad) of each hinge and the displacement (m) of each slider, [joints]; nan for other joints.
    #[getter]
    fn joint_coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let all = queries::joint_coordinates(self.lock()?.run.world(), |[own, _]| own);
        queries::read_only(py, all)
    }

    /// The rates of `joint_coordinates`, rad/s or m/s, [joints].
    #[getter]
    fn joint_rates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let all = queries::joint_coordinates(self.lock()?.run.world(), |[_, rate]| rate);
        queries::read_only(py, all)
    }

    /// The contacts of the last step: a structured array with the fields body_a, body_b, x, y (m), nx, ny (the unit
    /// normal from a to b), gap (m, negative where they overlap), friction, normal_impulse and tangential_impulse (N s,
    /// along the normal and a quarter turn counter-clockwise from it). Those of another engine are refused: `driftlab.record`
    /// writes them.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.are_ours("contacts")?;
        let found = queries::contacts(self.lock()?.run.world());
        found.into_python(py)
    }

    /// The gaps of at most `within` m between bodies that may collide, at the present poses: a structured array with
    /// the fields body_a, body_b, x, y, nx, ny and gap of `contacts`, one or two rows for each pair of convex pieces.
    fn gaps<'py>(&self, py: Python<'py>, within: f64) -> PyResult<Bound<'py, PyAny>> {
        let found = queries::gaps(self.lock()?.run.world(), within)?;
        found.into_python(py)
    }

    /// The name of the dynamic body at a point (m), the last of several; or else that of the nearest one within `reach`
    /// m; or None.
    #[pyo3(signature = (point, reach=0.0))]
    fn pick(&self, point: [f64; 2], reach: f64) -> PyResult<Option<String>> {
        queries::pick(self.lock()?.run.world(), point, reach)
    }

    /// What a ray from one point to another (m) meets first: a RayHit of body, distance (m), point and normal; or None.
    fn ray_cast<'py>(
        &self,
        py: Python<'py>,
        start: [f64; 2],
        end: [f64; 2],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let hit = queries::ray_cast(self.lock()?.run.world(), start, end)?;
        hit.map(|hit| py.import("driftlab._result")?.call_method1("RayHit", hit)).transpose()
    }

    /// The surface nearest to a point (m): a Nearest of body, point and distance (m, negative inside of the body); None
    /// without shapes.
    fn nearest<'py>(&self, py: Python<'py>, point: [f64; 2]) -> PyResult<Option<Bound<'py, PyAny>>> {
        let nearest = queries::nearest(self.lock()?.run.world(), point)?;
        nearest.map(|own| py.import("driftlab._result")?.call_method1("Nearest", own)).transpose()
    }

    /// The names of the bodies with a convex piece whose bounding box meets the box between two corners (m).
    fn bodies_in(&self, low: [f64; 2], high: [f64; 2]) -> PyResult<Vec<String>> {
        queries::bodies_in(self.lock()?.run.world(), low, high)
    }

    /// Puts a constant force (N) and torque (N m) on a body, in place of the one that acts on it; without arguments it
    /// removes that.
    ///
    /// body: name or index. at: the point on which the force acts, in the body's axes from its centre of mass, m.
    /// axes: 'world', or 'body' for a force that turns with the body.
    #[pyo3(signature = (body, force=[0.0, 0.0], torque=0.0, *, at=[0.0, 0.0], axes="world"))]
    fn apply(
        &self,
        body: &Bound<'_, PyAny>,
        force: [f64; 2],
        torque: f64,
        at: [f64; 2],
        axes: &str,
    ) -> PyResult<()> {
        let axes = match axes {
            "world" => Axes::World,
            "body" => Axes::Body,
            other => return Err(wrong("axes")(format!("expected world, body, found '{other}'"))),
        };
        let applied = AppliedForce { force: force.into(), torque, at: at.into(), axes };
        let acts = applied != AppliedForce { at: applied.at, axes, ..AppliedForce::default() };
        self.change(|state| {
            let world = state.run.world_mut();
            let id = world.body_ids()[body_index(world, body)?];
            world.set_applied_force(id, acts.then_some(applied)).map_err(value)
        })
    }

    /// Drives a hinge or slider at `speed` (rad/s or m/s) with at most `max_force` (N m or N); without them the motor is removed.
    ///
    /// joint: its name, or its index in the scene's list of joints, velocity constraints left out.
    #[pyo3(signature = (joint, speed=None, max_force=None))]
    fn set_motor(
        &self,
        joint: &Bound<'_, PyAny>,
        speed: Option<f64>,
        max_force: Option<f64>,
    ) -> PyResult<()> {
        let motor = match (speed, max_force) {
            (Some(speed), Some(max_force)) => Some(Motor { speed, max_force }),
            (None, None) => None,
            _ => return Err(value("speed and max_force: expected both, or none to remove the motor")),
        };
        self.change(|state| {
            let world = state.run.world_mut();
            let id = world.joint_ids()[joint_index(world, joint)?];
            let change = |joint: &mut driftlab::model::Joint| {
                (joint.motor, joint.servo) = (motor, None);
                (joint.speed_profile, joint.force_profile) = (None, None);
            };
            world.edit_joint(id, change).map_err(value)
        })
    }

    /// Holds exactly these keys from now on, by their names in scene files: what has one of them for its `key` acts.
    fn hold(&self, keys: Vec<String>) -> PyResult<()> {
        let switch = |key: &String| {
            KEYS.iter().position(|own| own == key).ok_or_else(|| {
                let meant = nearest(key, KEYS.into_iter())
                    .map_or_else(String::new, |own| format!(" (did you mean '{own}'?)"));
                value(format!("keys: no key is named '{key}'{meant}"))
            })
        };
        let held = keys.iter().try_fold(0, |held, key| switch(key).map(|switch| held | 1 << switch))?;
        self.change(|state| {
            state.run.world_mut().set_switches(held);
            Ok(())
        })
    }

    /// The keys that are held.
    #[getter]
    fn held(&self) -> PyResult<Vec<&'static str>> {
        let held = self.lock()?.run.world().switches();
        Ok((0..).zip(KEYS).filter(|(switch, _)| held >> switch & 1 == 1).map(|(_, name)| name).collect())
    }

    /// Adds a body at its present time, behind the others, and returns its name. keys: those of `World.add_body`.
    #[pyo3(signature = (name, **keys))]
    fn add_body(&self, py: Python<'_>, name: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let keys = steps::keys(py, keys, &[("name", name)])?;
        if !keys.contains("position")? {
            keys.set_item("position", (0.0, 0.0))?;
        }
        self.change(|state| state.add(py, "bodies", &keys)).map(|_| name.to_owned())
    }

    /// Adds a joint between two bodies where they are, and returns its index. keys: those of `World.add_joint`.
    #[pyo3(signature = (kind, a, b, **keys))]
    fn add_joint(
        &self,
        py: Python<'_>,
        kind: &str,
        a: &str,
        b: &str,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let keys = steps::keys(py, keys, &[("joint", kind)])?;
        keys.set_item("bodies", (a, b))?;
        self.change(|state| state.add(py, "joints", &keys))
    }

    /// Ties the coordinates of two hinges or sliders, x₁ + ratio · x₂ = constant (by default as they are), and returns the
    /// gear's index.
    #[pyo3(signature = (first, second, ratio, **keys))]
    fn add_gear(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        ratio: f64,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let keys = steps::keys(py, keys, &[("joint", "gear")])?;
        keys.set_item("ratio", ratio)?;
        self.change(|state| {
            let world = state.run.world();
            keys.set_item("joints", [joint_index(world, first)?, joint_index(world, second)?])?;
            state.add(py, "joints", &keys)
        })
    }

    /// Adds a velocity constraint. keys: those of `World.add_velocity_constraint`.
    #[pyo3(signature = (kind, **keys))]
    fn add_velocity_constraint(
        &self,
        py: Python<'_>,
        kind: &str,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let keys = steps::keys(py, keys, &[("joint", kind)])?;
        self.change(|state| state.add(py, "joints", &keys)).map(drop)
    }

    /// Adds a spring between two bodies where they are. keys: those of `World.add_spring`.
    #[pyo3(signature = (a, b, **keys))]
    fn add_spring(
        &self,
        py: Python<'_>,
        a: &str,
        b: &str,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let keys = steps::keys(py, keys, &[])?;
        keys.set_item("bodies", (a, b))?;
        self.change(|state| state.add(py, "springs", &keys)).map(drop)
    }

    /// Takes a body out, with the joints, springs and velocity constraints on it; the rows of the bodies behind it move up.
    fn remove_body(&self, body: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change(|state| {
            state.may_change_bodies()?;
            let world = state.run.world_mut();
            let id = world.body_ids()[body_index(world, body)?];
            world.remove_body(id).map_err(value)?;
            state.has_changed();
            Ok(())
        })
    }

    /// Takes a joint out, by its name or index; those behind it move up.
    fn remove_joint(&self, joint: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change(|state| {
            let world = state.run.world_mut();
            let id = world.joint_ids()[joint_index(world, joint)?];
            world.remove_joint(id).map_err(value)?;
            state.has_changed();
            Ok(())
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let impulses = self.last_impulses(py)?.unbind();
        Ok(Self::of(self.lock()?.copied(impulses)))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let own = slf.get();
        let impulses = own.last_impulses(slf.py())?.unbind();
        let state = own.lock()?;
        let scene = Scene { inner: state.scene() };
        Ok((slf.getattr("_restored")?, (scene, state.report(), impulses, state.driven)))
    }

    #[staticmethod]
    fn _restored(scene: &Scene, report: &StepReport, impulses: Py<PyAny>, driven: bool) -> Self {
        let mut state = State::new(&scene.inner);
        (state.driven, state.carried) = (driven, Some((report.clone(), impulses)));
        Self::of(state)
    }

    fn __repr__(&self) -> String {
        let Ok(state) = self.lock() else { return "<Simulation that is being stepped>".to_owned() };
        let world = state.run.world();
        format!("<Simulation of '{}': step {}, {} s>", state.name(), world.steps(), world.time())
    }
}

/// What `_restored` makes a simulation of.
type Pickled = (Scene, StepReport, Py<PyAny>, bool);
