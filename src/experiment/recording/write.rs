//! Runs as recordings: every impulse of a step as it acted on each body. Of a run that another engine steps, the lines are what
//! that engine tells.

use super::changed::{Change, Numbers};
use crate::experiment::Run;
use crate::model::{BodyId, JointId, World};
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
    scene: Scene,
    numbers: Numbers,
    /// Joints that have broken in the last step, by their places: they are gone from the next one on.
    broken: Vec<usize>,
}

impl<W: Write> RunRecorder<W> {
    /// Writes the first line: the world of `run`, and by which method it is stepped.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(writer: W, scene: &Scene, run: &Run) -> io::Result<Self> {
        Self::leaving_out(writer, scene, run, Vec::new())
    }

    /// As [`RunRecorder::new`], with what the recording does not tell: a sentence each.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn leaving_out(mut writer: W, scene: &Scene, run: &Run, left_out: Vec<String>) -> io::Result<Self> {
        let mut own =
            Scene { world: run.world().clone(), window: None, interaction: None, ..scene.clone() };
        own.settings.method = run.method().clone();
        own.settings.time_step = run.time_step();
        let mut told: Value = serde_json::from_str(&own.to_json())?;
        let mut settings = told.get("settings").and_then(Value::as_object).cloned().unwrap_or_default();
        settings.remove("duration");
        let other = peers::engine(run.method());
        if let Some(settings) = told.get_mut("settings").and_then(Value::as_object_mut)
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
            scene: to_raw_value(&told)?,
            left_out,
        };
        line(&mut writer, &header)?;
        let numbers = Numbers::of(run.world());
        // The world is that of the run.
        let scene = Scene { world: World::default(), ..own };
        Ok(Self { writer, scene, numbers, broken: Vec::new() })
    }

    /// Whether a recording of a run of `scene` can tell that its world has been changed in this way: other bodies, joints and
    /// springs come and go, but gravity, fields, wind and materials hold for the whole recording.
    pub fn can_tell(before: &World, now: &World, scene: &Scene) -> bool {
        Numbers::of(before).change(before, now, scene).is_some()
    }

    /// Writes that a person has changed the world since the last step: who came and went, where everybody is, and by which
    /// impulse of a hand the velocity of those changed who stayed. It is a line of no length in time. Nothing is written if
    /// nothing was changed; what cannot be told ([`RunRecorder::can_tell`]) is left out.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn changed(&mut self, before: &World, run: &Run) -> io::Result<()> {
        let world = run.world();
        let Some(change) = self.numbers.change(before, world, &self.scene) else { return Ok(()) };
        let Change { came, mut went, numbers, stayed } = change;
        for joint in std::mem::take(&mut self.broken) {
            went.joints.extend(self.numbers.joints.get(joint).copied().flatten());
        }
        went.joints.sort_unstable();
        went.joints.dedup();
        self.numbers = numbers;
        let mut step = Step {
            t: world.time(),
            came: (came != Default::default()).then_some(came),
            went: (went != Went::default()).then_some(went),
            ..self.state(world)
        };
        let mut moved = step.came.is_some() || step.went.is_some();
        for (index, place) in stayed.iter().enumerate() {
            let Some(place) = *place else { continue };
            let [was, is] = [&before.bodies()[place], &world.bodies()[index]];
            let jump = world.velocity_of(index) - before.velocity_of(place);
            moved |= was.pose != is.pose || jump != DVec3::ZERO;
            if is.is_dynamic() && jump != DVec3::ZERO {
                let own = is.mass_properties();
                let turn = if is.fixed_rotation { 0.0 } else { own.inertia * jump.z };
                let number = self.numbers.bodies[index];
                step.hand.push(Impulse(number, own.mass * jump.x, own.mass * jump.y, turn));
            }
        }
        if moved { line(&mut self.writer, &step) } else { Ok(()) }
    }

    /// Poses and velocities, by number.
    fn state(&self, world: &World) -> Step {
        let mut q = vec![None; self.numbers.all_bodies()];
        let mut v = q.clone();
        for ((index, body), &number) in world.bodies().iter().enumerate().zip(&self.numbers.bodies) {
            q[number] = Some(triple(body.origin(), body.pose.angle));
            v[number] = Some(world.velocity_of(index).to_array());
        }
        Step { q, v: Some(v), ..Step::default() }
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
        let mut went = Went::default();
        for joint in std::mem::take(&mut self.broken) {
            went.joints.extend(self.numbers.joints[joint].take());
        }
        let mut step = Step {
            t: world.time(),
            h: Some(run.time_step()),
            acted: Some(Vec::new()),
            contacts: Some(Vec::new()),
            external: Some(external(run, &self.numbers)),
            went: (went != Went::default()).then_some(went),
            ..self.state(world)
        };
        for impulse in run.impulses() {
            add(&mut step, impulse, world, &self.numbers);
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
fn external(run: &Run, numbers: &Numbers) -> Vec<Impulse> {
    let all = numbers.bodies.iter().zip(run.external_impulses());
    all.filter(|(_, on)| *on != DVec3::ZERO).map(|(body, on)| Impulse(*body, on.x, on.y, on.z)).collect()
}

/// What a constraint did, at its place in the line.
fn add(step: &mut Step, impulse: &ConstraintImpulse, world: &World, numbers: &Numbers) {
    let on = impulses(impulse, world, numbers);
    let joint = |id: JointId| {
        let place = world.joint_ids().binary_search(&id).ok()?;
        numbers.joints.get(place).copied().flatten()
    };
    let part = |id, part, sign: f64| Acted {
        joint: joint(id),
        part: Some(part),
        along: Some(sign * impulse.multipliers[0]),
        ..Acted::default()
    };
    let acted = match impulse.constraint {
        ConstraintId::Contact(id) => {
            let contact = world.contact(id).map(|contact| {
                let [p_n, p_t, moment] = impulse.multipliers;
                let number = |id| world.index_of(id).and_then(|index| numbers.bodies.get(index).copied());
                let bodies = impulse.bodies.map(|id| number(id).unwrap_or_default());
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
            let place = world.spring_ids().binary_search(&id).ok();
            let spring = place.and_then(|place| numbers.springs.get(place).copied());
            Acted { spring, ..Acted::default() }
        }
        ConstraintId::Nonholonomic(id) => {
            let place = world.nonholonomic_ids().binary_search(&id).ok();
            let nonholonomic = place.and_then(|place| numbers.nonholonomic.get(place).copied());
            Acted { nonholonomic, ..Acted::default() }
        }
        ConstraintId::Joint(id) => Acted { joint: joint(id), ..Acted::default() },
        ConstraintId::Suspension(id) => part(id, Part::Suspension, 1.0),
        ConstraintId::Motor(id) | ConstraintId::Drive(id, _) => part(id, Part::Motor, 1.0),
        ConstraintId::Friction(id) => part(id, Part::Friction, 1.0),
        ConstraintId::LowerLimit(id) => part(id, Part::LowerLimit, 1.0),
        ConstraintId::UpperLimit(id) => part(id, Part::UpperLimit, -1.0),
    };
    step.acted.iter_mut().for_each(|all| all.push(Acted { on: on.clone(), ..acted.clone() }));
}

/// Σ Jᵀλ on each of its bodies that forces move.
fn impulses(impulse: &ConstraintImpulse, world: &World, numbers: &Numbers) -> Vec<Impulse> {
    let number = |(id, on): (BodyId, DVec3)| {
        let index = world.index_of(id).filter(|index| world.bodies()[*index].is_dynamic())?;
        (on != DVec3::ZERO).then_some(Impulse(*numbers.bodies.get(index)?, on.x, on.y, on.z))
    };
    impulse.on_each().filter_map(number).collect()
}
