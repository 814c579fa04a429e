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

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::{Frame, JointKind, World};
use driftlab_probe::format::Step;

use super::ffi::live::Kept;
use super::ffi::{Engine, Moment, World as Box2d};
use super::names::{Names, turn as by_turns};
use super::told::Key;
use crate::live::{self, Held, Own};
use crate::peer::{Error, Kind, Peer, Settings};
use along::{Points, mass_along};
use build::{FASTEST, LARGEST, LINEAR_SLOP, Plan, is_within, motor_of, pair, tuning, velocity};

type State = live::State<Moment>;

/// Builds a world in Box2D.
///
/// # Errors
/// Everything that Box2D lacks.
pub fn build(settings: &Settings, world: &World) -> Result<Box<dyn Peer>, Error> {
    let engine = Engine::take();
    let plan = Plan::of(settings, world, &engine)?;
    let built = plan.build(&engine)?;
    let names = line::names(&built, &engine, world, &moments(&built.world.with(&engine), &built.bodies));
    drop(engine);
    Ok(live::peer(Live { settings: settings.clone(), built, names }, world))
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

struct Live {
    settings: Settings,
    built: Built,
    names: Names,
}

impl Held for Moment {
    fn q(&self, angle: f64) -> DVec3 {
        DVec2::from(self.center).extend(angle + by_turns(self.angle() - angle))
    }

    fn v(&self) -> DVec3 {
        DVec2::from(self.velocity).extend(self.spin)
    }
}

fn moments(world: &Box2d, bodies: &[Key]) -> Vec<Moment> {
    bodies.iter().map(|key| world.moment(*key).unwrap_or_default()).collect()
}

/// The frame of a body's centre of mass.
fn frame(state: &State, index: usize) -> Frame {
    Frame::new(state.q[index], DVec3::ZERO)
}

/// The largest change of a velocity by a force over a step, m/s or rad/s.
const HARDEST: f64 = 1e7;

impl Live {
    /// Velocities of bodies on a path, what motors demand, and the frequencies of springs.
    fn prepare(&self, state: &State, box2d: &Box2d, world: &World, h: f64) {
        let end = world.time() + h;
        for (index, body) in world.bodies().iter().enumerate() {
            if let Some(path) = body.path() {
                let v = path.mean_velocity(state.q[index], world.time(), h);
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
                let frames = joint.bodies().map(|index| frame(state, index));
                let mass = slot.moved_mass(
                    frames.each_ref(),
                    joint.bodies().map(|index| world.bodies()[index].inverse_mass()),
                );
                box2d.set_spring(key, tuning(mass, own.stiffness, own.damping));
            }
        }
        for (spring, key) in world.springs().iter().zip(&self.built.springs) {
            let (Some(key), None) = (*key, spring.rest_angle) else { continue };
            let frames = spring.bodies().map(|index| frame(state, index));
            let points = Points::of(spring.anchors, frames.each_ref());
            let w = spring.bodies().map(|index| world.bodies()[index].inverse_mass());
            let mass = mass_along(points.apart.normalize_or_zero(), points.arms, w);
            box2d.set_spring(key, tuning(mass, spring.softness.stiffness, spring.softness.damping));
        }
    }
}

impl Own for Live {
    const PARTS: &'static str = "substeps";
    type Body = Moment;
    type Image = Vec<u8>;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn counts(&self) -> [usize; 3] {
        [self.built.bodies.len(), self.built.joints.len(), self.built.springs.len()]
    }

    fn bodies(&self, _: &[f64]) -> Vec<Moment> {
        moments(&self.built.world.with(&Engine::take()), &self.built.bodies)
    }

    fn put(&mut self, world: &World, changed: &[(usize, bool)]) -> Result<(), Error> {
        for (index, _) in changed {
            let (q, v) = (world.bodies()[*index].pose.coordinates(), world.velocity_of(*index));
            let numbers = [(q.x, LARGEST), (q.y, LARGEST), (v.x, FASTEST), (v.y, FASTEST), (v.z, FASTEST)];
            if let Some((value, _)) = numbers.into_iter().find(|(value, most)| !is_within(*value, *most)) {
                let what = format!("a coordinate or velocity of {}", crate::lacks::name(world, *index));
                return Err(Error::Number { engine: Kind::Box2d, what, value });
            }
        }
        let engine = Engine::take();
        let box2d = self.built.world.with(&engine);
        for (index, moved) in changed {
            let (q, v) = (world.bodies()[*index].pose.coordinates(), world.velocity_of(*index));
            let key = self.built.bodies[*index];
            if *moved {
                box2d.put(key, pair(q.truncate()), build::turn(q.z));
            }
            box2d.set_velocity(key, pair(v.truncate()), v.z as f32);
        }
        Ok(())
    }

    /// Whether all bodies are where Box2D can go on, and none has come to the end of a half plane.
    fn check(&self, state: &State, world: &World) -> Result<(), Error> {
        for (index, moment) in state.now.iter().enumerate() {
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
                let frame = frame(state, ground.body);
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

    fn advance(&mut self, state: &State, world: &World, h: f64, forces: &[DVec3]) -> Result<(), Error> {
        let mut pushes = Vec::new();
        for (index, sum) in forces.iter().enumerate().filter(|(_, sum)| **sum != DVec3::ZERO) {
            let change = h * (world.bodies()[index].inverse_mass() * *sum).abs().max_element();
            if !is_within(change, HARDEST) || !is_within(sum.abs().max_element(), 1e30) {
                let what = format!("the force on {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Box2d, what, value: sum.abs().max_element() });
            }
            pushes.push((self.built.bodies[index], pair(sum.truncate()), sum.z as f32));
        }
        let gravity = world.gravity();
        build::check_gravity(gravity)?;
        let engine = Engine::take();
        let box2d = self.built.world.with(&engine);
        box2d.set_gravity(pair(gravity));
        self.prepare(state, &box2d, world, h);
        for (key, force, torque) in pushes {
            box2d.apply(key, force, torque);
        }
        box2d.step(h as f32, self.settings.value(Self::PARTS) as i32);
        Ok(())
    }

    fn tell(&self, state: &State, world: &World, step: &mut Step) {
        line::tell(self, state, world, step);
    }

    fn image(&self) -> Result<(Vec<u8>, usize), Error> {
        let mut image = Vec::new();
        if !self.built.world.with(&Engine::take()).snapshot(&mut image) {
            return Err(Error::Engine { engine: Kind::Box2d, what: "cannot write its state".to_owned() });
        }
        let bytes = image.len() + self.built.bodies.len() * 320;
        Ok((image, bytes))
    }

    fn restore(&mut self, image: &Vec<u8>) -> Result<(), &'static str> {
        let reads = self.built.world.with(&Engine::take()).restore(image);
        if reads { Ok(()) } else { Err("Box2D does not read it") }
    }
}
