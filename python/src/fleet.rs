//! Many worlds of one scene, stepped together: what a vector environment needs.

use crate::columns::{poses, velocities};
use crate::errors::{StepError, busy, value, wrong};
use crate::queries::joint_coordinates;
use crate::scene::Scene;
use driftlab::experiment::{Run, reason};
use driftlab::glam::DVec3;
use driftlab::model::AppliedForce;
use numpy::{AllowTypeChange, IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayLike3, PyArrayMethods};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard};
use std::thread::{available_parallelism, scope};

/// The scene of the beginning, and those of all worlds as they are.
type Pickled = (Scene, Vec<Scene>);

/// Worlds that a thread is worth.
const WORLDS: usize = 8;

/// `count` worlds that begin as the scene does and are stepped together, by several threads where there are enough of
/// them. Arrays have a row for each world; the bits do not depend on the number of threads.
#[pyclass(frozen, module = "driftlab._driftlab")]
pub struct Fleet {
    start: driftlab::scene::Scene,
    runs: Mutex<Vec<Run>>,
}

impl Fleet {
    fn lock(&self) -> PyResult<MutexGuard<'_, Vec<Run>>> {
        self.runs.try_lock().map_err(|_| busy())
    }

    fn numbers(&self, of: impl Fn(&Run) -> Vec<f64>) -> PyResult<Vec<f64>> {
        Ok(self.lock()?.iter().flat_map(of).collect())
    }

    fn sizes(&self) -> PyResult<[usize; 3]> {
        let world = &self.start.world;
        Ok([self.lock()?.len(), world.bodies().len(), world.joints().len()])
    }
}

#[pymethods]
impl Fleet {
    #[new]
    fn new(scene: &Scene, count: usize) -> PyResult<Self> {
        if count == 0 {
            return Err(wrong("count")("expected at least one world".to_owned()));
        }
        let start = scene.inner.clone();
        let runs = (0..count).map(|_| Run::new(&start, 0)).collect();
        Ok(Self { start, runs: Mutex::new(runs) })
    }

    /// Starts world `index` anew from the scene's poses, its bodies at these velocities, a list of (m/s, m/s, rad/s).
    fn restart(&self, index: usize, velocities: Vec<[f64; 3]>) -> PyResult<()> {
        let mut runs = self.lock()?;
        let count = runs.len();
        let missing = || wrong("index")(format!("there is no world {index} (expected one of {count})"));
        let run = runs.get_mut(index).ok_or_else(missing)?;
        let bodies = self.start.world.body_ids().to_vec();
        if velocities.len() != bodies.len() {
            return Err(wrong("velocities")(format!(
                "expected {} rows, found {}",
                bodies.len(),
                velocities.len()
            )));
        }
        let mut fresh = Run::new(&self.start, 0);
        for (id, v) in bodies.into_iter().zip(velocities) {
            let moved = fresh.world_mut().edit_body(id, |body| body.velocity = DVec3::from(v).into());
            moved.map_err(value)?;
        }
        fresh.remeasure();
        *run = fresh;
        Ok(())
    }

    /// Makes `steps` steps of each world whose entry of `moves` is true, under constant forces and torques on its
    /// bodies, [worlds, bodies, 3] of (N, N, N m), and returns the joint errors after the last, [worlds].
    fn step<'py>(
        &self,
        py: Python<'py>,
        steps: u64,
        forces: PyArrayLike3<'py, f64, AllowTypeChange>,
        moves: Vec<bool>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let [count, bodies, _] = self.sizes()?;
        let given = forces.as_array();
        if given.dim() != (count, bodies, 3) || moves.len() != count {
            return Err(wrong("forces")(format!("expected an array of shape ({count}, {bodies}, 3)")));
        }
        let mut runs = self.lock()?;
        for (run, forces) in runs.iter_mut().zip(given.outer_iter()) {
            let ids = run.world().body_ids().to_vec();
            for (id, row) in ids.into_iter().zip(forces.outer_iter()) {
                let applied = AppliedForce { torque: row[2], ..AppliedForce::force([row[0], row[1]]) };
                let applied = (applied != AppliedForce::default()).then_some(applied);
                let world = run.world_mut();
                if world.body(id).is_some_and(|body| body.is_dynamic() && body.applied != applied) {
                    world.set_applied_force(id, applied).map_err(value)?;
                }
            }
        }
        let runs: &mut Vec<Run> = &mut runs;
        let failure = py.detach(|| advance(runs, steps, &moves));
        if let Some(failure) = failure {
            return Err(StepError::new_err(failure));
        }
        let errors: Vec<f64> = runs.iter().map(|run| run.report().joint_error).collect();
        Ok(errors.into_pyarray(py))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let own = slf.get();
        let at = |run: &Run| Scene {
            inner: driftlab::scene::Scene { world: run.world().clone(), ..own.start.clone() },
        };
        let worlds = own.lock()?.iter().map(at).collect();
        Ok((slf.getattr("_restored")?, (Scene { inner: own.start.clone() }, worlds)))
    }

    #[staticmethod]
    fn _restored(start: &Scene, worlds: Vec<Bound<'_, Scene>>) -> Self {
        let runs = worlds.iter().map(|own| Run::new(&own.get().inner, 0)).collect();
        Self { start: start.inner.clone(), runs: Mutex::new(runs) }
    }

    /// x, y (m) of the origins and angles (rad), [worlds, bodies, 3].
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let [count, bodies, _] = self.sizes()?;
        self.numbers(|run| poses(run.world()).collect())?.into_pyarray(py).reshape([count, bodies, 3])
    }

    /// vx, vy (m/s) of the centres of mass and angular velocities (rad/s), [worlds, bodies, 3].
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let [count, bodies, _] = self.sizes()?;
        self.numbers(|run| velocities(run.world()).collect())?.into_pyarray(py).reshape([count, bodies, 3])
    }

    /// The coordinate of each hinge (rad) and slider (m), [worlds, joints]; nan for other joints.
    #[getter]
    fn joint_coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let [count, _, joints] = self.sizes()?;
        let all = self.numbers(|run| joint_coordinates(run.world(), |[own, _]| own))?;
        all.into_pyarray(py).reshape([count, joints])
    }

    /// Their rates, rad/s or m/s, [worlds, joints].
    #[getter]
    fn joint_rates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let [count, _, joints] = self.sizes()?;
        let all = self.numbers(|run| joint_coordinates(run.world(), |[_, rate]| rate))?;
        all.into_pyarray(py).reshape([count, joints])
    }
}

/// Steps the worlds that move; says why the first of them failed, if one did.
fn advance(runs: &mut [Run], steps: u64, moves: &[bool]) -> Option<String> {
    let threads = available_parallelism().map_or(1, NonZeroUsize::get).min(runs.len().div_ceil(WORLDS));
    let share = runs.len().div_ceil(threads.max(1)).max(1);
    let work = |first: usize, runs: &mut [Run]| {
        let moving = runs.iter_mut().enumerate().filter(|(index, _)| moves[first + index]);
        moving
            .filter_map(|(index, run)| {
                let failed = (0..steps).find_map(|_| run.advance().err())?;
                let (step, time) = (run.world().steps() + 1, run.world().time());
                Some(format!(
                    "world {}: step {step} after {time:.6} s: {}",
                    first + index,
                    reason(&failed, run.world())
                ))
            })
            .next()
    };
    if threads <= 1 {
        return work(0, runs);
    }
    let work = &work;
    scope(|scope| {
        let parts = runs.chunks_mut(share).enumerate();
        let parts: Vec<_> =
            parts.map(|(part, runs)| scope.spawn(move || work(part * share, runs))).collect();
        let found: Vec<_> = parts
            .into_iter()
            .map(|part| part.join().unwrap_or_else(|_| Some("a step has come to no end".to_owned())))
            .collect();
        found.into_iter().flatten().next()
    })
}
