//! The runs that a figure is made of: every quantity and every pose of every step, each run made once.

use super::Figure;
use crate::benchmarks::yardstick::Yardstick;
use crate::document::{FigureError, method};
use driftlab::experiment::Run;
use driftlab::experiment::internal::stepped;
use driftlab::experiment::{reason, steps_for};
use driftlab::method::Stabilizer;
use driftlab::model::{BodyId, World};
use driftlab::report::StepReport;
use driftlab::scene::{Quantity, Reference, Scene, stabilizer_from};
use driftlab_engine::internal::largest;
use driftlab_engine::internal::{BETA, GAMMA};
use glam::DVec3;

/// Largest gap at which a contact counts as touching, m, for tables and bodies of the size of metres.
const TOUCHING: f64 = 1e-3;

/// One step: time, s, the quantities in the order of [`Quantity::ALL`], and the pose of every body.
#[derive(Clone, Debug)]
pub(crate) struct RecordedStep {
    pub time: f64,
    pub values: [Option<f64>; Quantity::ALL.len()],
    pub poses: Vec<DVec3>,
    /// The error so far, where the scene is a benchmark's.
    pub benchmark_error: Option<f64>,
}

impl RecordedStep {
    pub fn value(&self, quantity: Quantity) -> Option<f64> {
        if quantity == Quantity::BenchmarkError {
            return self.benchmark_error;
        }
        let index = Quantity::ALL.iter().position(|other| *other == quantity)?;
        self.values[index]
    }
}

/// A run from its initial state to its end or its failure.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub stabilizer: Stabilizer,
    pub time_step: f64,
    /// m, where it is not the scene's.
    pub contact_tolerance: Option<f64>,
    pub rows: Vec<RecordedStep>,
    /// The unit of the joint row with the largest error at the end.
    pub joint_unit: &'static str,
    pub failure: Option<String>,
}

/// A scene with the runs that have been made of it.
pub(crate) struct Runs<'s> {
    pub scene: &'s Scene,
    yardstick: Option<Yardstick>,
    made: Vec<Recording>,
}

impl<'s> Runs<'s> {
    /// No runs yet of `scene`, which is the shipped scene `key` or a change of it.
    pub fn new(key: &str, scene: &'s Scene) -> Self {
        Self { scene, yardstick: Yardstick::of_scene(key), made: Vec::new() }
    }

    /// The run under `stabilizer` by steps of `h` s, over the scene's duration.
    pub fn of(&mut self, stabilizer: &Stabilizer, h: f64) -> &Recording {
        self.within(None, stabilizer, h)
    }

    /// The run under `stabilizer` by steps of `h` s, with the given contact tolerance (m) instead of the scene's.
    pub fn within(&mut self, tolerance: Option<f64>, stabilizer: &Stabilizer, h: f64) -> &Recording {
        let same = |run: &Recording| {
            run.stabilizer == *stabilizer
                && run.time_step.to_bits() == h.to_bits()
                && run.contact_tolerance == tolerance
        };
        let index = self.made.iter().position(same).unwrap_or_else(|| {
            let run = record(&tolerant(self.scene, tolerance), stabilizer, h, self.yardstick.as_ref());
            self.made.push(Recording { contact_tolerance: tolerance, ..run });
            self.made.len() - 1
        });
        &self.made[index]
    }

    /// The contact tolerance of a figure's curve, m: that of the statements which the figure makes about it, so that both
    /// are about one run.
    pub fn tolerance(&self, figure: &Figure, scheme: &Stabilizer, quantity: Quantity) -> Option<f64> {
        let about_it = |reference: &&Reference| {
            reference.figure.as_deref() == Some(figure.id)
                && reference.quantity == quantity
                && reference.stabilizer.as_ref() == Some(scheme)
        };
        self.scene.references.iter().filter(about_it).find_map(|reference| reference.contact_tolerance)
    }

    /// A scheme as the table of figures spells it.
    pub fn scheme(&self, text: &str) -> Result<Stabilizer, FigureError> {
        stabilizer_from(text, self.scene.settings.time_step).map_err(FigureError::Table)
    }

    /// The scene's own time step, s.
    pub fn time_step(&self) -> f64 {
        self.scene.settings.time_step
    }
}

/// The scene with that contact tolerance, m, if one is given.
pub(crate) fn tolerant(scene: &Scene, tolerance: Option<f64>) -> Scene {
    let mut scene = scene.clone();
    let rules = &mut scene.settings.method.contact;
    rules.contact_tolerance = tolerance.or(rules.contact_tolerance);
    scene
}

fn record(scene: &Scene, stabilizer: &Stabilizer, h: f64, yardstick: Option<&Yardstick>) -> Recording {
    let scene = stepped(scene, h);
    let method = method(&scene.settings, stabilizer);
    let mut run = Run::under(&scene, method, steps_for(&scene.settings, None));
    let start = *run.initial();
    let mut joint_unit = start.joint_error_unit.symbol();
    let mut rows = vec![row(&start, None, &run, h, start.joint_error)];
    let mut failure = None;
    let mut measurement = yardstick.map(Yardstick::measurement);
    loop {
        let theta = first_equation(run.world());
        match run.next() {
            None => break,
            Some(Ok(report)) => {
                joint_unit = report.joint_error_unit.symbol();
                let mut row = row(&report, theta, &run, h, start.joint_error);
                if let Some(measurement) = &mut measurement {
                    measurement.take(run.world());
                    row.benchmark_error = measurement.error();
                }
                rows.push(row);
            }
            Some(Err(error)) => failure = Some(reason(&error, run.world())),
        }
    }
    let stabilizer = stabilizer.clone();
    Recording { stabilizer, time_step: h, contact_tolerance: None, rows, joint_unit, failure }
}

/// `theta` is g of the first joint's first equation before the step, `start` the joint error of the initial state.
fn row(report: &StepReport, theta: Option<f64>, run: &Run, h: f64, start: f64) -> RecordedStep {
    let (world, scheme) = (run.world(), &run.method().stabilizer);
    let values = Quantity::ALL.map(|quantity| match quantity {
        Quantity::ContactImpulse => Some(contact_impulse(world)),
        Quantity::BodiesOnFirst => Some(bodies_on_first(world)),
        Quantity::WidestJoint => widest_joint(world),
        Quantity::RecurrenceError => theta.and_then(|theta| recurrence_error(world, scheme, theta, h)),
        Quantity::CriticalDecay => Some(start * critical_decay(report.time, scheme)),
        Quantity::DecayError => {
            let departure = report.joint_error / start - critical_decay(report.time, scheme);
            (start > 0.0).then_some(departure.abs())
        }
        _ => quantity.of(report),
    });
    let pose = |body: &driftlab::model::Body| body.pose.coordinates();
    RecordedStep {
        time: report.time,
        values,
        poses: world.bodies().iter().map(pose).collect(),
        benchmark_error: None,
    }
}

fn contact_impulse(world: &World) -> f64 {
    largest(world.contacts().iter().map(|contact| contact.impulse[0]))
}

fn bodies_on_first(world: &World) -> f64 {
    let Some(first) = world.id_of(0) else { return 0.0 };
    let touches = |id: BodyId| {
        world.contacts_of(first).any(|contact| contact.other == id && contact.gap.abs() <= TOUCHING)
    };
    world.body_ids().iter().filter(|&&id| world[id].is_dynamic() && touches(id)).count() as f64
}

fn widest_joint(world: &World) -> Option<f64> {
    let error = |joint: &driftlab::model::joint::Joint| {
        let [a, b] = joint.bodies().map(|body| world.frame(body));
        let mut worst = 0.0;
        joint.kind.equations(&a, &b, |row| worst = largest([worst, row.g]));
        worst
    };
    let errors = world.joints().iter().map(error).enumerate();
    errors.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index as f64 + 1.0)
}

fn first_equation(world: &World) -> Option<f64> {
    let joint = world.joints().first()?;
    let [a, b] = joint.bodies().map(|body| world.frame(body));
    let mut first = None;
    joint.kind.equations(&a, &b, |row| {
        first.get_or_insert(row.g);
    });
    first
}

/// For a point mass at one end of a squared distance whose other end is fixed: with q⁺ = q + h v⁺ and
/// 2 r·v⁺ = −γ Θ/h, Θ⁺ = |r + h v⁺|² − L² = (1 − γ)Θ + h²|v⁺|² exactly [from Anitescu & Hart 2004, eq. 5.60].
fn recurrence_error(world: &World, scheme: &Stabilizer, theta: f64, h: f64) -> Option<f64> {
    let [a, b] = world.joints().first()?.bodies();
    let v = (world.velocity_of(b) - world.velocity_of(a)).truncate();
    let gamma = scheme.values.get(GAMMA.key).unwrap_or_default();
    let expected = (1.0 - gamma) * theta + h * h * v.length_squared();
    Some((first_equation(world)? - expected).abs() / (1.0 + theta.abs()))
}

/// The critically damped oscillator from rest at 1: e^(−ω₀t)(1 + ω₀t), ω₀ = β [Drake].
fn critical_decay(time: f64, scheme: &Stabilizer) -> f64 {
    let phase = scheme.values.get(BETA.key).unwrap_or_default() * time;
    (-phase).exp() * (1.0 + phase)
}
