//! A world of ours, stepped by Box2D.
//!
//! Bodies have their origin in their centre of mass, so that it, masses and anchors are ours to single precision. Half planes,
//! which Box2D lacks, are boxes of at least 256 m by 32 m, in proportion to the scene; where a body comes to their ends, the step
//! says so. Springs have k and d: their frequency is set before each step from the mass that they move then, as
//! `b2LinearStiffness` once did. A rope's ends and a rod's are never nearer than 5 mm, Box2D's slop.

mod along;
mod build;
mod line;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};

use driftlab_engine::glam::DVec2;
use driftlab_engine::model::{BodyKind, Frame, JointKind, Pose, Velocity, World};
use driftlab_engine::step::GivenForces;
use driftlab_probe::format;

use super::ffi::live::Kept;
use super::ffi::{Engine, Moment, World as Box2d};
use super::names::turn as by_turns;
use super::told::Key;
use crate::peer::{Error, Kind, Peer, Settings, Snapshot};
use along::{Points, mass_along};
use build::{FASTEST, LARGEST, LINEAR_SLOP, Plan, is_within, motor_of, pair, tuning, velocity};

/// Tells worlds apart whose snapshots are not one another's.
static BUILT: AtomicU64 = AtomicU64::new(0);

/// Builds a world in Box2D.
///
/// # Errors
/// Everything that Box2D lacks.
pub fn build(settings: &Settings, world: &World) -> Result<Box<dyn Peer>, Error> {
    let engine = Engine::take();
    let plan = Plan::of(settings, world, &engine)?;
    let built = plan.build(&engine)?;
    let state = State::of(&built, &engine, world);
    let names = line::names(&built, &engine, world, &state.now);
    drop(engine);
    let number = BUILT.fetch_add(1, Ordering::Relaxed);
    Ok(Box::new(Live { settings: settings.clone(), number, built, names, state }))
}

/// What was built.
struct Built {
    world: Kept,
    bodies: Vec<Key>,
    /// By joint and by spring; none of one that is broken or does nothing.
    joints: Vec<Option<Key>>,
    springs: Vec<Option<Key>>,
    grounds: Vec<Ground>,
}

/// The box that stands for a half plane.
#[derive(Clone, Copy, Debug)]
struct Ground {
    body: usize,
    /// In the body's axes.
    normal: DVec2,
    offset: f64,
    /// Half of its width and of its depth, m.
    half: f64,
    deep: f64,
}

/// What changes.
#[derive(Clone, Debug)]
struct State {
    /// The bodies before the last step and behind it.
    before: Vec<Moment>,
    now: Vec<Moment>,
    /// Their angles, which go on where Box2D's jump by a turn, rad.
    angles: Vec<f64>,
    /// What acted in the last step, and its length, s.
    given: GivenForces,
    gravity: DVec2,
    h: f64,
    /// The world's poses and velocities that the state is known to be.
    known: Vec<(Pose, Velocity)>,
}

struct Live {
    settings: Settings,
    number: u64,
    built: Built,
    names: super::names::Names,
    state: State,
}

fn moments(world: &Box2d, bodies: &[Key]) -> Vec<Moment> {
    bodies.iter().map(|key| world.moment(*key).unwrap_or_default()).collect()
}

fn known(world: &World) -> Vec<(Pose, Velocity)> {
    world.bodies().iter().map(|body| (body.pose, body.velocity)).collect()
}

impl State {
    fn of(built: &Built, engine: &Engine, world: &World) -> Self {
        let now = moments(&built.world.with(engine), &built.bodies);
        let angles = world.bodies().iter().map(|body| body.pose.angle);
        let none = vec![Default::default(); now.len()];
        Self {
            before: now.clone(),
            angles: follow(angles, &now),
            now,
            given: GivenForces { external: none.clone(), hand: none },
            gravity: world.gravity(),
            h: 0.0,
            known: known(world),
        }
    }

    fn frame(&self, index: usize) -> Frame {
        let ([x, y], angle) = (self.now[index].center, self.angles[index]);
        Frame::new([x, y, angle].into(), Default::default())
    }
}

/// Angles that are by less than half a turn from the former ones.
fn follow(angles: impl Iterator<Item = f64>, now: &[Moment]) -> Vec<f64> {
    angles.zip(now).map(|(angle, moment)| angle + by_turns(moment.angle() - angle)).collect()
}

/// The largest change of a velocity by a force over a step, m/s or rad/s.
const HARDEST: f64 = 1e7;

impl Live {
    fn check_bodies(&self, world: &World) -> Result<(), Error> {
        let (expected, found) = (self.built.bodies.len(), world.bodies().len());
        let others = [
            (self.built.joints.len(), world.joints().len()),
            (self.built.springs.len(), world.springs().len()),
        ];
        if expected != found || others.iter().any(|(built, now)| built != now) {
            return Err(Error::OtherWorld { expected, found });
        }
        Ok(())
    }

    /// Velocities of bodies on a path, what motors demand, and the frequencies of springs.
    fn prepare(&self, box2d: &Box2d, world: &World, h: f64) {
        let end = world.time() + h;
        for (index, body) in world.bodies().iter().enumerate() {
            if let Some(path) = body.path() {
                let frame = self.state.frame(index);
                let v = path.mean_velocity(frame.position.extend(frame.angle), world.time(), h);
                let (v, spin) = velocity(v);
                box2d.set_velocity(self.built.bodies[index], v, spin);
            }
        }
        for (joint, key) in world.joints().iter().zip(&self.built.joints) {
            let Some(key) = *key else { continue };
            if let Some(motor) = motor_of(joint, end) {
                box2d.set_motor(key, motor);
            }
            if let (Some(_), Some(length)) = (&joint.length_profile, joint.length()) {
                let length = joint.length_profile.as_ref().map_or(length, |own| own.value(end));
                box2d.set_length(key, length.clamp(LINEAR_SLOP, LARGEST) as f32);
            }
            if let (JointKind::Slot(slot), Some(own)) = (&joint.kind, joint.suspension()) {
                let frames = joint.bodies().map(|index| self.state.frame(index));
                let mass = slot.moved_mass(
                    frames.each_ref(),
                    joint.bodies().map(|index| world.bodies()[index].inverse_mass()),
                );
                box2d.set_spring(key, tuning(mass, own.stiffness, own.damping));
            }
        }
        for (spring, key) in world.springs().iter().zip(&self.built.springs) {
            let (Some(key), None) = (*key, spring.rest_angle) else { continue };
            let frames = spring.bodies().map(|index| self.state.frame(index));
            let points = Points::of(spring.anchors, frames.each_ref());
            let w = spring.bodies().map(|index| world.bodies()[index].inverse_mass());
            let mass = mass_along(points.apart.normalize_or_zero(), points.arms, w);
            box2d.set_spring(key, tuning(mass, spring.softness.stiffness, spring.softness.damping));
        }
    }

    /// Whether all bodies are where Box2D can go on, and none has come to the end of a half plane.
    fn check_state(&self, world: &World) -> Result<(), Error> {
        for (index, moment) in self.state.now.iter().enumerate() {
            let [vx, vy] = moment.velocity;
            let numbers = [
                (moment.center[0], LARGEST),
                (moment.center[1], LARGEST),
                (vx, FASTEST),
                (vy, FASTEST),
                (moment.spin, FASTEST),
            ];
            if let Some((value, _)) = numbers.into_iter().find(|(value, most)| !is_within(*value, *most)) {
                let what = format!("a coordinate or velocity of {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Box2d, what, value });
            }
            if !world.bodies()[index].is_dynamic() {
                continue;
            }
            for ground in &self.built.grounds {
                let frame = self.state.frame(ground.body);
                let at = frame.rotation.inverse_apply(DVec2::from(moment.center) - frame.position);
                let (height, along) = (ground.normal.dot(at) - ground.offset, ground.normal.perp_dot(at));
                // Whoever is out of its reach does not touch it.
                let over = height < ground.half / 8.0 && along.abs() > 0.98 * ground.half;
                if over || height < -ground.deep {
                    let what = format!(
                        "has no half planes: {} comes to the end of the box of {} m that stands for one",
                        crate::lacks::name(world, index),
                        2.0 * ground.half
                    );
                    return Err(Error::Engine { engine: Kind::Box2d, what });
                }
            }
        }
        Ok(())
    }
}

impl Peer for Live {
    fn engine(&self) -> format::Engine {
        self.settings.engine()
    }

    fn take(&mut self, world: &World) -> Result<(), Error> {
        self.check_bodies(world)?;
        let engine = Engine::take();
        let box2d = self.built.world.with(&engine);
        for (index, body) in world.bodies().iter().enumerate() {
            let ((pose, velocity), key) = (self.state.known[index], self.built.bodies[index]);
            let (moved, thrown) = (pose != body.pose, velocity != body.velocity);
            if !moved && !thrown {
                continue;
            }
            let name = || format!("a coordinate or velocity of {}", crate::lacks::name(world, index));
            let v = world.velocity_of(index);
            let q = body.pose.coordinates();
            for (value, most) in
                [(q.x, LARGEST), (q.y, LARGEST), (v.x, FASTEST), (v.y, FASTEST), (v.z, FASTEST)]
            {
                if !is_within(value, most) {
                    return Err(Error::Number { engine: Kind::Box2d, what: name(), value });
                }
            }
            if moved {
                box2d.put(key, pair(q.truncate()), build::turn(q.z));
            }
            box2d.set_velocity(key, pair(v.truncate()), v.z as f32);
            self.state.angles[index] = q.z;
        }
        self.state.now = moments(&box2d, &self.built.bodies);
        self.state.before.clone_from(&self.state.now);
        self.state.angles = follow(std::mem::take(&mut self.state.angles).into_iter(), &self.state.now);
        self.state.known = known(world);
        self.state.h = 0.0;
        Ok(())
    }

    fn step(&mut self, world: &World, h: f64) -> Result<(), Error> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(Error::TimeStep(h));
        }
        self.check_bodies(world)?;
        self.check_state(world)?;
        let given = GivenForces::of(world, h).map_err(|error| Error::Model(error.to_string()))?;
        let mut pushes = Vec::new();
        for (index, (external, hand)) in given.external.iter().zip(&given.hand).enumerate() {
            let sum = *external + *hand;
            if sum == Default::default() {
                continue;
            }
            let change = h * (world.bodies()[index].inverse_mass() * sum).abs().max_element();
            if !is_within(change, HARDEST) || !is_within(sum.abs().max_element(), 1e30) {
                let what = format!("the force on {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Box2d, what, value: sum.abs().max_element() });
            }
            pushes.push((self.built.bodies[index], pair(sum.truncate()), sum.z as f32));
        }
        let substeps = self.settings.value("substeps") as i32;
        let gravity = world.gravity();
        build::check_gravity(gravity)?;
        let engine = Engine::take();
        let box2d = self.built.world.with(&engine);
        box2d.set_gravity(pair(gravity));
        self.prepare(&box2d, world, h);
        for (key, force, torque) in pushes {
            box2d.apply(key, force, torque);
        }
        box2d.step(h as f32, substeps);
        let now = moments(&box2d, &self.built.bodies);
        drop(box2d);
        drop(engine);
        let state = &mut self.state;
        state.before = std::mem::replace(&mut state.now, now);
        state.angles = follow(std::mem::take(&mut state.angles).into_iter(), &state.now);
        (state.given, state.gravity, state.h) = (given, gravity, h);
        // What the world will have of this state.
        let end = world.time() + h;
        state.known = (0..state.now.len()).map(|index| told(state, world, index, end)).collect();
        self.check_state(world)
    }

    fn give(&self, world: &mut World) -> Result<(), Error> {
        self.check_bodies(world)?;
        let fixed = |index: usize| matches!(world.bodies()[index].kind(), BodyKind::Fixed);
        let states: Vec<_> = (0..self.state.known.len())
            .filter(|index| !fixed(*index))
            .map(|index| (world.body_ids()[index], self.state.known[index].0, self.state.known[index].1))
            .collect();
        world.place_bodies(&states).map_err(|error| Error::Model(error.to_string()))
    }

    fn line(&self, world: &World) -> format::Step {
        line::of(self, world)
    }

    fn impulses(&self) -> format::Impulses {
        if self.settings.value("substeps") == 1.0 {
            format::Impulses::Whole
        } else {
            format::Impulses::Estimated
        }
    }

    fn snapshot(&self) -> Result<Snapshot, Error> {
        let engine = Engine::take();
        let mut image = Vec::new();
        if !self.built.world.with(&engine).snapshot(&mut image) {
            return Err(Error::Engine { engine: Kind::Box2d, what: "cannot write its state".to_owned() });
        }
        let bytes = image.len() + self.state.now.len() * 320;
        Ok(Snapshot::new(
            Kind::Box2d,
            bytes,
            Saved { number: self.number, image, state: self.state.clone() },
        ))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let refused = |why| Error::Snapshot { engine: Kind::Box2d, why };
        let saved = snapshot.state::<Saved>().ok_or(refused("it is another engine's"))?;
        if saved.number != self.number {
            return Err(refused("it is that of a world that was built at another time"));
        }
        let engine = Engine::take();
        if !self.built.world.with(&engine).restore(&saved.image) {
            return Err(refused("Box2D does not read it"));
        }
        self.state.clone_from(&saved.state);
        Ok(())
    }
}

/// Pose and velocity of a body as the world gets them at the time `end`, s; those of bodies on a path are the path's.
fn told(state: &State, world: &World, index: usize, end: f64) -> (Pose, Velocity) {
    let (body, moment) = (&world.bodies()[index], &state.now[index]);
    let pose = Pose { position: moment.center.into(), angle: state.angles[index] };
    match (body.kind(), body.path()) {
        (BodyKind::Fixed, _) => (body.pose, body.velocity),
        (_, Some(path)) => (path.placed(pose.coordinates(), end, 0.0).into(), path.velocity(end).into()),
        (_, None) => (pose, Velocity { linear: moment.velocity.into(), angular: moment.spin }),
    }
}

struct Saved {
    number: u64,
    image: Vec<u8>,
    state: State,
}
