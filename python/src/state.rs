//! What a simulation consists of, and what happens to it in a step.

use crate::attentive::ATTENTIVE;
use crate::errors::{scene_error, value, wrong};
use crate::report::StepReport;
use crate::scene::keys_text;
use driftlab::experiment::{Gain, Past, Run, Summary, reason};
use driftlab::glam::DVec3;
use driftlab::model::{AppliedForce, Body, BodyId, JointKind};
use driftlab::report;
use driftlab::scene::Scene;
use numpy::{AllowTypeChange, PyArrayLike2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Time that trials for advice may take, and the step that they are making then.
const TRIALS: Duration = Duration::from_secs(1);

/// A scene in motion.
pub struct State {
    /// The scene that it began with; its world is that of `run`.
    scene: Scene,
    pub run: Run,
    summary: Summary,
    /// States from which other methods may be tried; not kept of one that is driven.
    past: Past,
    /// Whether the last step failed.
    has_failed: bool,
    /// What was tried for a run that goes wrong, once somebody has asked.
    pub tried: Option<String>,
    /// Whether something outside the scene has acted on it: its energy may then come from there.
    pub driven: bool,
    /// Whether a table of its steps is being written, whose rows have one length.
    pub is_recorded: bool,
    /// The report and the impulses of the last step, made before this was copied.
    pub carried: Option<(StepReport, Py<PyAny>)>,
}

/// Why steps ended early.
pub enum Ended {
    Failed(report::StepError),
    Python(PyErr),
}

impl From<PyErr> for Ended {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<report::StepError> for Ended {
    fn from(error: report::StepError) -> Self {
        Self::Failed(error)
    }
}

/// The forces that acted on bodies before a callback's were added.
type Before = Vec<(BodyId, Option<AppliedForce>)>;

impl State {
    pub fn new(scene: &Scene) -> Self {
        let scene = scene.clone();
        let run = Run::new(&scene, 0);
        let (summary, past) = (Summary::new(&scene, run.initial()), Past::new(run.world()));
        Self {
            scene,
            run,
            summary,
            past,
            has_failed: false,
            tried: None,
            driven: false,
            is_recorded: false,
            carried: None,
        }
    }

    /// Another one in the same state, which has the summary so far; `impulses` are those of the last step.
    pub fn copied(&self, impulses: Py<PyAny>) -> Self {
        Self {
            summary: self.summary.clone(),
            past: self.past.clone(),
            has_failed: self.has_failed,
            tried: self.tried.clone(),
            driven: self.driven,
            carried: Some((self.report(), impulses)),
            ..Self::new(&self.scene())
        }
    }

    pub fn name(&self) -> &str {
        &self.scene.name
    }

    /// The scene in its present state.
    pub fn scene(&self) -> Scene {
        let (world, beginning) = (self.run.world().clone(), Some(self.summary.beginning()));
        Scene { world, beginning, ..self.scene.clone() }
    }

    pub fn report(&self) -> StepReport {
        let carried = self.carried.as_ref().map(|(report, _)| report.clone());
        carried.unwrap_or_else(|| StepReport::from(self.run.report()))
    }

    /// Makes steps, at most `most` and for about as long as the interpreter may wait; returns how many.
    pub fn batch(
        &mut self,
        most: u64,
        observe: &mut (dyn FnMut(&Run, f64) + Send),
    ) -> Result<u64, report::StepError> {
        let begin = Instant::now();
        let mut before = begin;
        for made in 1..=most {
            let report = self.run.advance().inspect_err(|_| self.has_failed = true)?;
            let now = Instant::now();
            self.has_failed = false;
            self.summary.add(&report);
            if !self.driven && !self.summary.is_doubtful() {
                self.past.add(self.run.world());
            }
            observe(&self.run, (now - before).as_secs_f64() * 1e6);
            before = Instant::now();
            if before - begin > ATTENTIVE {
                return Ok(made);
            }
        }
        Ok(most)
    }

    /// Lets the forces that a callback has returned act beside those of the bodies; returns these.
    pub fn push(&mut self, forces: &Bound<'_, PyAny>) -> PyResult<Before> {
        self.driven = true;
        let world = self.run.world_mut();
        let forces = forces.extract::<PyArrayLike2<'_, f64, AllowTypeChange>>();
        let forces = forces.map_err(|_| shape("force", world.bodies().len()))?;
        let mut before = Vec::new();
        for (index, [fx, fy, torque]) in
            rows("force", &forces, world.bodies().len())?.into_iter().enumerate()
        {
            let (body, id) = (&world.bodies()[index], world.body_ids()[index]);
            if !body.is_dynamic() {
                continue;
            }
            // A force of the scene's is evaluated at the start of the step, as the schemes do.
            let (own, angle) = (body.applied, body.pose.angle);
            let beside = own.map_or(DVec3::ZERO, |own| own.on(angle));
            let sum = beside + DVec3::new(fx, fy, torque);
            let applied = AppliedForce { torque: sum.z, ..AppliedForce::force(sum.truncate()) };
            let applied = (sum != DVec3::ZERO).then_some(applied);
            if own != applied {
                before.push((id, own));
                world.set_applied_force(id, applied).map_err(|error| {
                    before.drain(..).for_each(|(id, own)| drop(world.set_applied_force(id, own)));
                    wrong("force")(format!("{error}, of body {index}"))
                })?;
            }
        }
        Ok(before)
    }

    /// Puts back the forces that acted before.
    pub fn restore(&mut self, before: Before) -> PyResult<()> {
        let put = |(id, own)| self.run.world_mut().set_applied_force(id, own).map_err(value);
        before.into_iter().try_for_each(put)
    }

    /// Why a step failed: its number, the time before it, and the reason with the bodies' names.
    pub fn told(&self, error: &report::StepError) -> String {
        let world = self.run.world();
        let (step, time) = (world.steps() + 1, world.time());
        format!("{}: step {step} after {time:.6} s: {}", self.scene.name, reason(error, world))
    }

    /// The search for advice, if there is to be some and nobody has searched yet.
    pub fn trial(&self) -> Option<impl FnOnce() -> String + Send + use<>> {
        let has_failed = self.has_failed && self.run.method().solver.is_automatic();
        let wanted = !self.driven && (self.summary.is_doubtful() || has_failed) && self.tried.is_none();
        wanted.then(|| {
            let (past, method, h) = (self.past.clone(), self.run.method().clone(), self.run.time_step());
            move || {
                let start = Instant::now();
                past.search(&method, h, &|| start.elapsed() < TRIALS).to_string()
            }
        })
    }

    /// The summary as JSON.
    pub fn summary_text(&self, advice: Option<String>) -> PyResult<String> {
        let mut summary = serde_json::to_value(&self.summary).map_err(value)?;
        if let Some(own) = summary.as_object_mut() {
            if self.driven {
                own.remove("energy_gain");
            } else if let Some(advice) = advice {
                own.insert("advice".to_owned(), advice.into());
            }
        }
        Ok(summary.to_string())
    }

    pub fn doubts(&self) -> Vec<String> {
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

    /// Changes every body by its row of an array.
    pub fn place(
        &mut self,
        argument: &str,
        given: &PyReadonlyArray2<'_, f64>,
        change: impl Fn(&mut Body, [f64; 3]),
    ) -> PyResult<()> {
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
        self.has_changed();
        changed
    }

    /// Refuses to change the number of bodies while they are recorded.
    pub fn may_change_bodies(&self) -> PyResult<()> {
        let told = "the bodies of a run that is recorded are one table (expected bodies to come and go between steps of a Simulation)";
        if self.is_recorded { Err(value(told)) } else { Ok(()) }
    }

    /// Adds an item to one of the lists of the scene, read as that of a file; returns the number of joints before.
    pub fn add(&mut self, py: Python<'_>, list: &str, keys: &Bound<'_, PyDict>) -> PyResult<usize> {
        let joints = self.run.world().joints().len();
        if list == "bodies" {
            self.may_change_bodies()?;
        }
        let item: Value = serde_json::from_str(&keys_text(keys)?).map_err(value)?;
        let mut whole: Value = serde_json::from_str(&self.scene().to_json()).map_err(value)?;
        let items =
            whole.as_object_mut().map(|own| own.entry(list).or_insert_with(|| Value::Array(Vec::new())));
        items.and_then(Value::as_array_mut).ok_or_else(|| value(format!("{list}: no list")))?.push(item);
        let text = whole.to_string();
        let read = py.detach(|| Scene::parse(&text));
        let read = read.map_err(|problems| scene_error(py, None, &problems))?.world;
        let world = self.run.world_mut();
        let counts = [world.nonholonomic().len(), read.nonholonomic().len()];
        match list {
            "bodies" => read.bodies().last().map(|own| world.add_body(own.clone()).map(drop)),
            "springs" => read.springs().last().map(|own| world.insert_spring(own.clone()).map(drop)),
            _ if counts[0] < counts[1] => {
                read.nonholonomic().last().map(|own| world.insert_nonholonomic(own.clone()).map(drop))
            }
            _ => read.joints().last().map(|own| {
                let JointKind::Gear(gear) = &own.kind else {
                    return world.insert_joint(own.clone()).map(drop);
                };
                // The joints of the world that was read have other ids.
                let place = |id| read.joint_ids().binary_search(&id).unwrap_or_default();
                let tied = gear.joints().map(|id| world.joint_ids()[place(id)]);
                world.insert_joint(world.gear_like(own, tied)?).map(drop)
            }),
        }
        .transpose()
        .map_err(value)?;
        self.has_changed();
        Ok(joints)
    }

    /// Measures anew what something other than a step has changed.
    pub fn has_changed(&mut self) {
        self.carried = None;
        self.has_failed = false;
        self.run.remeasure();
        let world = self.run.world();
        (self.summary.bodies, self.summary.joints) = (world.bodies().len(), world.joints().len());
    }
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
