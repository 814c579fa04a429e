//! What acted in a live step, as a line of a recording. Box2D keeps the sums of normal impulses over its substeps; of friction
//! and joints it keeps those of the last one, which count as many times as there are substeps.

use driftlab_engine::model::World;
use driftlab_probe::format::{Contact, Impulse, Part, Step};

use super::super::ffi::{Engine, Moment};
use super::super::joints::Sum;
use super::super::names::{Names, Placed};
use super::super::steps::tell_joint;
use super::super::told::Key;
use super::{Built, Live, State};

/// The names of everything that was built, in the world's order.
pub fn names(built: &Built, engine: &Engine, world: &World, now: &[Moment]) -> Names {
    let box2d = built.world.with(engine);
    let mut names = Names::default();
    for ((index, key), moment) in built.bodies.iter().enumerate().zip(now) {
        if let Some(mut body) = box2d.body(*key) {
            body.name = crate::lacks::name(world, index);
            names.add_body(*key, body, moment);
        }
    }
    let mut add = |key: Option<Key>, number: Option<usize>, spring: Option<usize>| {
        if let Some((key, joint)) = key.and_then(|key| Some((key, box2d.joint(key)?))) {
            names.add_joint(Placed { key, joint, number, spring, gone: false });
        }
    };
    built.joints.iter().enumerate().for_each(|(number, key)| add(*key, Some(number), None));
    built.springs.iter().enumerate().for_each(|(number, key)| add(*key, None, Some(number)));
    names
}

pub fn tell(live: &Live, state: &State, world: &World, step: &mut Step) {
    let Live { built, names, settings, .. } = live;
    let (h, substeps) = (state.h, settings.value("substeps"));
    let engine = Engine::take();
    let box2d = built.world.with(&engine);
    // Of one substep the forces acted at its beginning; of several, the last one's did about at the end.
    let at = if substeps == 1.0 { &state.before } else { &state.now };
    let mut acted = Vec::new();
    for placed in &names.joints {
        let Some(reading) = box2d.reading(placed.key) else { continue };
        let numbers = placed.joint.bodies.map(|key| names.body(key));
        let [Some(a), Some(b)] = numbers else { continue };
        let mut sum = Sum::default();
        let turned = if substeps == 1.0 { state.now[a].angle() - state.before[a].angle() } else { 0.0 };
        sum.add(&placed.joint, &reading, [&at[a], &at[b]], turned, h);
        tell_joint(names, placed, numbers, &sum, &reading, &mut acted, &mut step.hand);
    }
    for own in &mut acted {
        let joint = own.joint.and_then(|number| world.joints().get(number));
        if own.part == Some(Part::Motor) && joint.is_some_and(|joint| joint.acting_motor().is_none()) {
            own.part = Some(Part::Friction);
        }
    }
    step.acted = Some(acted);
    let mut touching = Vec::new();
    built.bodies.iter().for_each(|key| box2d.contacts(*key, &mut touching));
    drop(box2d);
    drop(engine);
    let mut contacts = Vec::new();
    for contact in &touching {
        let [Some(a), Some(b)] = contact.bodies.map(|key| names.body(key)) else { continue };
        let mut rolling = substeps * contact.rolling;
        for point in &contact.points {
            let place = |number: usize, arm: [f64; 2]| {
                let [x, y] = state.before[number].center;
                [x + arm[0], y + arm[1]]
            };
            let impulse = [point.total_normal, substeps * point.tangent, std::mem::take(&mut rolling)];
            contacts.push(Contact {
                bodies: [a, b],
                point: place(b, point.arms[1]),
                point_a: Some(place(a, point.arms[0])),
                normal: contact.normal,
                gap: Some(point.separation),
                impulse: Some(impulse),
                on: Vec::new(),
                friction: None,
            });
        }
    }
    step.contacts = Some(contacts);
    step.external = Some(external(names, state, world, substeps));
}

/// Impulses of weight, forces and damping: v ← v/(1 + h c) + h (F/m + s g) in each substep, with the velocity of the step's
/// beginning for the loss by damping.
fn external(names: &Names, state: &State, world: &World, substeps: f64) -> Vec<Impulse> {
    let h = state.h;
    let mut impulses = Vec::new();
    for (index, named) in names.bodies.iter().enumerate().filter(|(_, named)| named.is_dynamic()) {
        let Some(body) = world.bodies().get(index) else { continue };
        let told = &named.body;
        let loss = |rate: f64| (1.0 + h / substeps * rate).powf(-substeps) - 1.0;
        let [lost, spin] = [told.mass * loss(told.damping), told.inertia * loss(told.angular_damping)];
        let before = &state.before[index];
        let weight = told.mass * body.gravity_scale * state.gravity;
        let force = state.given.external[index];
        let sum = [
            h * (weight.x + force.x) + lost * before.velocity[0],
            h * (weight.y + force.y) + lost * before.velocity[1],
            h * force.z + spin * before.spin,
        ];
        if sum != [0.0; 3] {
            impulses.push(Impulse(index, sum[0], sum[1], sum[2]));
        }
    }
    impulses
}
