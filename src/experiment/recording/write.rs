//! Runs as recordings: every impulse of a step as it acted on each body. Of a run that another engine steps, the lines are what
//! that engine tells.

use crate::experiment::Run;
use crate::model::{BodyId, World};
use crate::peers;
use crate::report::{ConstraintId, ConstraintImpulse};
use crate::scene::Scene;
use driftlab_probe::format::{Acted, Contact, Engine, FORMAT, Header, Impulse, Part, Step, Went};
use glam::{DVec2, DVec3};
use serde_json::{Value, value::to_raw_value};
use std::io::{self, Write};

/// Writes a run as a recording.
pub struct RunRecorder<W: Write> {
    writer: W,
    /// Joints that have broken in the last step: they are gone from the next one on.
    broken: Vec<usize>,
}

impl<W: Write> RunRecorder<W> {
    /// Writes the first line: the world of `run`, and by which method it is stepped.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(mut writer: W, scene: &Scene, run: &Run) -> io::Result<Self> {
        let mut own =
            Scene { world: run.world().clone(), window: None, interaction: None, ..scene.clone() };
        own.settings.method = run.method().clone();
        own.settings.time_step = run.time_step();
        let mut scene: Value = serde_json::from_str(&own.to_json())?;
        let mut settings = scene.get("settings").and_then(Value::as_object).cloned().unwrap_or_default();
        settings.remove("duration");
        let other = peers::engine(run.method());
        if let Some(settings) = scene.get_mut("settings").and_then(Value::as_object_mut)
            && other.is_some()
        {
            // A program without that engine reads the scene as well.
            settings.remove("stabilizer");
        }
        let (precision, contacts_at, impulses) = run.manner();
        let header = Header {
            format: FORMAT.to_owned(),
            engine: other.unwrap_or(Engine {
                name: "driftlab".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
                settings,
            }),
            time_step: Some(run.time_step()),
            units: Default::default(),
            precision,
            contacts_at,
            impulses,
            scene: to_raw_value(&scene)?,
            left_out: Vec::new(),
        };
        line(&mut writer, &header)?;
        Ok(Self { writer, broken: Vec::new() })
    }

    /// Writes the last step that `run` has made.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add(&mut self, run: &Run) -> io::Result<()> {
        if let Some(step) = run.line() {
            return line(&mut self.writer, &step);
        }
        let world = run.world();
        let went = Went { joints: std::mem::take(&mut self.broken), ..Went::default() };
        let mut step = Step {
            t: world.time(),
            h: Some(run.time_step()),
            q: world.bodies().iter().map(|body| Some(triple(body.origin(), body.pose.angle))).collect(),
            v: Some(
                (0..world.bodies().len()).map(|index| Some(world.velocity_of(index).to_array())).collect(),
            ),
            acted: Some(Vec::new()),
            contacts: Some(Vec::new()),
            external: Some(external(run)),
            went: (went != Went::default()).then_some(went),
            ..Step::default()
        };
        for impulse in run.impulses() {
            add(&mut step, impulse, world);
        }
        let broken = run.breaks().iter().filter_map(|own| match own.part {
            ConstraintId::Joint(id) => world.joint_ids().binary_search(&id).ok(),
            _ => None,
        });
        self.broken.extend(broken);
        line(&mut self.writer, &step)
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    /// The underlying writer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    /// The underlying writer, everything written.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

fn line(writer: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *writer, value)?;
    writer.write_all(b"\n")
}

fn triple(position: DVec2, angle: f64) -> [f64; 3] {
    position.extend(angle).to_array()
}

/// h F of everything but joints, springs and contacts; of the hand only its repulsion, since its pull is a constraint.
fn external(run: &Run) -> Vec<Impulse> {
    let all = run.external_impulses().into_iter().enumerate();
    all.filter(|(_, on)| *on != DVec3::ZERO).map(|(body, on)| Impulse(body, on.x, on.y, on.z)).collect()
}

/// What a constraint did, at its place in the line.
fn add(step: &mut Step, impulse: &ConstraintImpulse, world: &World) {
    let on = impulses(impulse, world);
    let acted = match impulse.constraint {
        ConstraintId::Contact(id) => {
            let contact = world.contact(id).map(|contact| {
                let [p_n, p_t, moment] = impulse.multipliers;
                let bodies = impulse.bodies.map(|id| world.index_of(id).unwrap_or_default());
                Contact {
                    bodies,
                    point: contact.point.to_array(),
                    point_a: None,
                    normal: contact.normal.to_array(),
                    gap: Some(contact.gap),
                    // Ours is the tangent on the other side.
                    impulse: Some([p_n, -p_t, moment]),
                    on,
                    friction: Some(contact.friction),
                }
            });
            step.contacts.iter_mut().for_each(|all| all.extend(contact.clone()));
            return;
        }
        ConstraintId::Grab => return step.hand.extend(on),
        ConstraintId::Spring(id) => {
            Acted { spring: world.spring_ids().binary_search(&id).ok(), on, ..Acted::default() }
        }
        ConstraintId::Nonholonomic(id) => {
            let nonholonomic = world.nonholonomic_ids().binary_search(&id).ok();
            Acted { nonholonomic, on, ..Acted::default() }
        }
        ConstraintId::Joint(id) => of_joint(id, None, None, on, world),
        ConstraintId::Suspension(id) => {
            of_joint(id, Some(Part::Suspension), along(impulse, 1.0), on, world)
        }
        ConstraintId::Motor(id) | ConstraintId::Drive(id, _) => {
            of_joint(id, Some(Part::Motor), along(impulse, 1.0), on, world)
        }
        ConstraintId::Friction(id) => of_joint(id, Some(Part::Friction), along(impulse, 1.0), on, world),
        ConstraintId::LowerLimit(id) => {
            of_joint(id, Some(Part::LowerLimit), along(impulse, 1.0), on, world)
        }
        ConstraintId::UpperLimit(id) => {
            of_joint(id, Some(Part::UpperLimit), along(impulse, -1.0), on, world)
        }
    };
    step.acted.iter_mut().for_each(|all| all.push(acted.clone()));
}

fn along(impulse: &ConstraintImpulse, sign: f64) -> Option<f64> {
    Some(sign * impulse.multipliers[0])
}

fn of_joint(
    id: crate::model::JointId,
    part: Option<Part>,
    along: Option<f64>,
    on: Vec<Impulse>,
    world: &World,
) -> Acted {
    Acted { joint: world.joint_ids().binary_search(&id).ok(), part, along, on, ..Acted::default() }
}

/// Σ Jᵀλ on each of its bodies that forces move.
fn impulses(impulse: &ConstraintImpulse, world: &World) -> Vec<Impulse> {
    let number = |(id, on): (BodyId, DVec3)| {
        let index = world.index_of(id).filter(|index| world.bodies()[*index].is_dynamic())?;
        (on != DVec3::ZERO).then_some(Impulse(index, on.x, on.y, on.z))
    };
    impulse.on_each().filter_map(number).collect()
}
