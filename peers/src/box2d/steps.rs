//! One step of a replay as a line of a recording: the step is made again on a copy of the world, once for each number of
//! substeps.

use std::collections::HashMap;

use driftlab_probe::format::{Acted, Contact as ToldContact, Impulse, Part, Step};

use super::ffi::{Engine, World};
use super::joints::Sum;
use super::names::{Named, Names, Placed};
use super::stream::{Frame, Push};
use super::told::{Contact, JointKind, Key, Moment, Reading};

/// Steps of more substeps are made once only, and their impulses are not told.
pub const MOST_SUBSTEPS: i32 = 64;

/// A copy of the world, and its state at the beginning of a step.
pub struct Copy<'e> {
    world: World<'e>,
    image: Vec<u8>,
}

/// The world after some of a step's substeps.
struct After {
    moments: Vec<Option<Moment>>,
    readings: Vec<Option<Reading>>,
    contacts: Vec<Contact>,
}

/// All moments of the bodies, by their numbers.
pub fn moments(world: &World, names: &Names) -> Vec<Option<Moment>> {
    let one = |named: &Named| if named.gone { None } else { world.moment(named.key) };
    names.bodies.iter().map(one).collect()
}

impl<'e> Copy<'e> {
    /// A copy of a world as it is now; none if Box2D cannot write or read it.
    pub fn of(engine: &'e Engine, world: &World) -> Option<Self> {
        let mut image = Vec::new();
        let written = world.snapshot(&mut image);
        written.then(|| engine.world_from(&image)).flatten().map(|world| Self { world, image })
    }

    /// Takes the state of a world anew; whether it could.
    pub fn take(&mut self, world: &World) -> bool {
        world.snapshot(&mut self.image)
    }

    /// The state that was taken, as Box2D writes it.
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// Makes the first `count` substeps of a step.
    fn run(&self, frame: &Frame, count: i32, names: &Names) -> Option<After> {
        if !self.world.restore(&self.image) {
            return None;
        }
        if count < frame.substeps {
            self.world.without_rebound();
        }
        self.world.step(length(frame.h, frame.substeps, count), count);
        let mut contacts = Vec::new();
        for named in names.bodies.iter().filter(|named| !named.gone) {
            self.world.contacts(named.key, &mut contacts);
        }
        let reading = |placed: &Placed| if placed.gone { None } else { self.world.reading(placed.key) };
        Some(After {
            moments: moments(&self.world, names),
            readings: names.joints.iter().map(reading).collect(),
            contacts,
        })
    }

    /// The contacts of a step with the sums [normal, tangential] of their points' impulses, N s.
    #[cfg(test)]
    pub fn contacts(&self, frame: &Frame, names: &Names) -> Vec<(Contact, Vec<[f64; 2]>)> {
        let parts: Vec<_> =
            (1..=frame.substeps).map(|count| self.run(frame, count, names).unwrap().contacts).collect();
        let last = parts.last().unwrap();
        let sums = |place: usize, contact: &Contact| {
            let tangent =
                |point: usize| parts.iter().map(|part| part[place].points[point].tangent).sum::<f64>();
            contact
                .points
                .iter()
                .enumerate()
                .map(|(number, point)| [point.total_normal, tangent(number)])
                .collect()
        };
        last.iter().enumerate().map(|(place, contact)| (contact.clone(), sums(place, contact))).collect()
    }

    /// The line of a step that begins at `before`, without what came and went, and the moments behind it.
    pub fn line(
        &self,
        frame: &Frame,
        names: &mut Names,
        before: &[Option<Moment>],
    ) -> Option<(Step, Vec<Option<Moment>>)> {
        let tells = frame.h > 0.0 && frame.substeps <= MOST_SUBSTEPS;
        let h = f64::from(frame.h / frame.substeps as f32);
        let mut account = Account::new(names, frame, before, h);
        let first = if tells { 1 } else { frame.substeps };
        let mut begin = before.to_vec();
        let mut last = None;
        for count in first..=frame.substeps {
            let after = self.run(frame, count, names)?;
            if tells {
                account.add(names, &begin, &after);
            }
            begin.clone_from(&after.moments);
            last = Some(after);
        }
        let last = last?;
        let mut step = Step { h: Some(f64::from(frame.h)), ..Step::default() };
        for (named, moment) in names.bodies.iter_mut().zip(&last.moments) {
            step.q.push(
                moment.as_ref().map(|moment| [moment.origin[0], moment.origin[1], named.follow(moment)]),
            );
        }
        let velocity = |moment: &Moment| [moment.velocity[0], moment.velocity[1], moment.spin];
        step.v = Some(last.moments.iter().map(|moment| moment.as_ref().map(velocity)).collect());
        if tells {
            account.finish(names, self.world.gravity(), before, &last, &mut step);
        } else {
            step.contacts = None;
        }
        Some((step, last.moments))
    }
}

/// The length of a step whose `count` parts are as long as those of `h` s in `substeps`, as near as single precision has it.
fn length(h: f32, substeps: i32, count: i32) -> f32 {
    if count == substeps {
        return h;
    }
    let part = h / substeps as f32;
    let near = part * count as f32;
    let candidates = [near, near.next_up(), near.next_down()];
    candidates.into_iter().find(|whole| whole / count as f32 == part).unwrap_or(near)
}

/// Impulses added up over the substeps of a step.
struct Account {
    h: f64,
    gravity: Vec<[f64; 3]>,
    forces: Vec<[f64; 3]>,
    external: Vec<[f64; 3]>,
    joints: Vec<Sum>,
    tangents: HashMap<(i32, u32, u16), f64>,
    rolling: HashMap<(i32, u32), f64>,
}

impl Account {
    fn new(names: &Names, frame: &Frame, before: &[Option<Moment>], h: f64) -> Self {
        let mut forces = vec![[0.0; 3]; names.bodies.len()];
        for push in &frame.pushes {
            add_push(names, push, before, &mut forces);
        }
        let none = vec![[0.0; 3]; names.bodies.len()];
        let joints = vec![Sum::default(); names.joints.len()];
        let (tangents, rolling) = (HashMap::new(), HashMap::new());
        Self { h, gravity: none.clone(), forces, external: none, joints, tangents, rolling }
    }

    fn add(&mut self, names: &Names, begin: &[Option<Moment>], after: &After) {
        let h = self.h;
        for (number, named) in names.bodies.iter().enumerate() {
            let Some(moment) = begin[number].filter(|moment| moment.awake && named.is_dynamic()) else {
                continue;
            };
            // Box2D: v ← v/(1 + h c) + h (F/m + s g), before the constraints of the substep.
            let body = &named.body;
            let loss = |rate: f64| 1.0 / (1.0 + h * rate) - 1.0;
            let kept = body.mass * loss(body.damping);
            let [fx, fy, torque] = self.forces[number];
            let sum = &mut self.external[number];
            sum[0] += h * fx + kept * moment.velocity[0];
            sum[1] += h * fy + kept * moment.velocity[1];
            sum[2] += h * torque + body.inertia * loss(body.angular_damping) * moment.spin;
            self.gravity[number][0] += h * body.mass * body.gravity_scale;
        }
        for (place, placed) in names.joints.iter().enumerate() {
            let [a, b] = placed.joint.bodies.map(|key| names.body(key).and_then(|number| begin[number]));
            if let (Some(reading), Some(a), Some(b)) = (&after.readings[place], a, b) {
                let end = names
                    .body(placed.joint.bodies[0])
                    .and_then(|number| after.moments[number])
                    .unwrap_or(a);
                self.joints[place].add(&placed.joint, reading, [&a, &b], end.angle() - a.angle(), h);
            }
        }
        for contact in &after.contacts {
            *self.rolling.entry(contact.id).or_default() += contact.rolling;
            for point in &contact.points {
                *self.tangents.entry((contact.id.0, contact.id.1, point.feature)).or_default() +=
                    point.tangent;
            }
        }
    }

    fn finish(
        &self,
        names: &Names,
        gravity: [f64; 2],
        before: &[Option<Moment>],
        last: &After,
        step: &mut Step,
    ) {
        // What sleeps over the whole step keeps numbers of an earlier one.
        let solved = |numbers: [Option<usize>; 2]| {
            let awake = |moments: &[Option<Moment>], number: usize| {
                moments[number].is_some_and(|moment| moment.awake)
            };
            numbers.into_iter().flatten().any(|number| {
                names.bodies[number].is_dynamic() && (awake(before, number) || awake(&last.moments, number))
            })
        };
        let mut acted = Vec::new();
        for (place, placed) in names.joints.iter().enumerate() {
            let Some(reading) = &last.readings[place] else { continue };
            let numbers = placed.joint.bodies.map(|key| names.body(key));
            let sum = if solved(numbers) { self.joints[place] } else { Sum::default() };
            tell_joint(names, placed, numbers, &sum, reading, &mut acted, &mut step.hand);
        }
        step.acted = Some(acted);
        let mut contacts = Vec::new();
        for contact in &last.contacts {
            let [Some(a), Some(b)] = contact.bodies.map(|key| names.body(key)) else { continue };
            let rests = !solved([Some(a), Some(b)]);
            let mut rolling = self.rolling.get(&contact.id).copied().unwrap_or(0.0);
            for point in &contact.points {
                // Box2D keeps the arms of a contact that moves little, and those of its two bodies then meet no longer in one
                // point.
                let place = |number: usize, arm: [f64; 2]| {
                    before[number].map(|moment| [moment.center[0] + arm[0], moment.center[1] + arm[1]])
                };
                let [Some(on_a), Some(on_b)] = [place(a, point.arms[0]), place(b, point.arms[1])] else {
                    continue;
                };
                let tangent =
                    self.tangents.get(&(contact.id.0, contact.id.1, point.feature)).copied().unwrap_or(0.0);
                let impulse = [point.total_normal, tangent, std::mem::take(&mut rolling)];
                contacts.push(ToldContact {
                    bodies: [a, b],
                    point: on_b,
                    point_a: Some(on_a),
                    normal: contact.normal,
                    gap: Some(point.separation),
                    impulse: Some(if rests { [0.0; 3] } else { impulse }),
                    on: Vec::new(),
                    friction: None,
                });
            }
        }
        step.contacts = Some(contacts);
        step.external = Some(self.external(gravity));
    }

    /// Impulses of weight, forces and damping, where there are any.
    fn external(&self, gravity: [f64; 2]) -> Vec<Impulse> {
        let sum = |number: usize| {
            let ([x, y, moment], [weight, ..]) = (self.external[number], self.gravity[number]);
            Impulse(number, x + weight * gravity[0], y + weight * gravity[1], moment)
        };
        (0..self.external.len()).map(sum).filter(|p| [p.1, p.2, p.3] != [0.0; 3]).collect()
    }
}

fn add_push(names: &Names, push: &Push, before: &[Option<Moment>], forces: &mut [[f64; 3]]) {
    let Some(number) = names.body(push.body) else { return };
    let Some(moment) = before[number].filter(|moment| moment.awake && names.bodies[number].is_dynamic())
    else {
        return;
    };
    if push.clear {
        forces[number] = [0.0; 3];
        return;
    }
    let [x, y] = push.at.map_or([0.0; 2], |at| [at[0] - moment.center[0], at[1] - moment.center[1]]);
    let [fx, fy] = push.force;
    let sum = &mut forces[number];
    *sum = [sum[0] + fx, sum[1] + fy, sum[2] + push.torque + x * fy - y * fx];
}

pub(super) fn tell_joint(
    names: &Names,
    placed: &Placed,
    numbers: [Option<usize>; 2],
    sum: &Sum,
    reading: &Reading,
    acted: &mut Vec<Acted>,
    hand: &mut Vec<Impulse>,
) {
    let on = |impulse: [f64; 2], moments: [f64; 2]| {
        let mut both = Vec::new();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if let Some(number) = numbers[side].filter(|number| names.bodies[*number].is_dynamic()) {
                both.push(Impulse(number, sign * impulse[0], sign * impulse[1], moments[side]));
            }
        }
        both
    };
    let nothing = [sum.impulse, sum.moments] == [[0.0; 2]; 2];
    let Some(number) = placed.number else {
        let on = if nothing { Vec::new() } else { on(sum.impulse, sum.moments) };
        match placed.spring {
            Some(spring) => acted.push(Acted { spring: Some(spring), on, ..Acted::default() }),
            None => hand.extend(on),
        }
        return;
    };
    let mut whole = Acted { joint: Some(number), ..Acted::default() };
    (whole.linear, whole.angular) = (Some(reading.linear), Some(reading.angular));
    let motor = match placed.joint.kind {
        JointKind::Revolute { motor, .. }
        | JointKind::Prismatic { motor, .. }
        | JointKind::Wheel { motor, .. } => motor,
        _ => None,
    };
    let [mut impulse, mut moments] = [sum.impulse, sum.moments];
    if motor.is_some() {
        let part = Part::Motor;
        let on = on(sum.motor_impulse, sum.motor_moments);
        acted.push(Acted {
            joint: Some(number),
            part: Some(part),
            along: Some(sum.motor),
            on,
            ..Acted::default()
        });
        impulse = [0, 1].map(|axis| impulse[axis] - sum.motor_impulse[axis]);
        moments = [0, 1].map(|side| moments[side] - sum.motor_moments[side]);
    }
    if let JointKind::Revolute { limits: Some(_), .. } = placed.joint.kind
        && sum.rest != 0.0
    {
        let part = if sum.rest > 0.0 { Part::LowerLimit } else { Part::UpperLimit };
        let on = on([0.0; 2], [-sum.rest, sum.rest]);
        acted.push(Acted {
            joint: Some(number),
            part: Some(part),
            along: Some(sum.rest),
            on,
            ..Acted::default()
        });
        moments = [moments[0] + sum.rest, moments[1] - sum.rest];
    }
    if !nothing {
        whole.on = on(impulse, moments);
    }
    acted.push(whole);
}

/// What was done to bodies between two steps: velocities that jumped, as impulses.
pub fn hands(names: &Names, after: &[Option<Moment>], now: &[Option<Moment>]) -> Vec<Impulse> {
    let mut impulses = Vec::new();
    for (number, named) in names.bodies.iter().enumerate().take(after.len()) {
        if let (Some(was), Some(is)) = (after[number], now[number])
            && named.is_dynamic()
        {
            let [x, y] = [0, 1].map(|axis| named.body.mass * (is.velocity[axis] - was.velocity[axis]));
            let moment = named.body.inertia * (is.spin - was.spin);
            if [x, y, moment] != [0.0; 3] {
                impulses.push(Impulse(number, x, y, moment));
            }
        }
    }
    impulses
}

/// Whether all numbers of a line are numbers.
pub fn is_finite(step: &Step) -> bool {
    let impulse = |p: &Impulse| p.1.is_finite() && p.2.is_finite() && p.3.is_finite();
    let triple = |values: &Option<[f64; 3]>| {
        values.is_none_or(|values| values.iter().all(|value| value.is_finite()))
    };
    let acted = |acted: &Acted| {
        acted.on.iter().all(impulse)
            && [acted.along, acted.linear, acted.angular].iter().flatten().all(|value| value.is_finite())
    };
    let contact = |contact: &ToldContact| {
        let pairs = [contact.point, contact.normal];
        pairs.as_flattened().iter().all(|value| value.is_finite())
            && contact.gap.is_none_or(f64::is_finite)
            && triple(&contact.impulse)
    };
    step.q.iter().all(triple)
        && step.v.iter().flatten().all(triple)
        && step.acted.iter().flatten().all(acted)
        && step.contacts.iter().flatten().all(contact)
        && step.external.iter().flatten().chain(&step.hand).all(impulse)
}

/// The bodies and joints of a world that were not there before.
pub fn new_joints(world: &World, names: &Names) -> Vec<Key> {
    let mut keys = Vec::new();
    for named in names.bodies.iter().filter(|named| !named.gone) {
        keys.extend(world.joints_of(named.key).into_iter().filter(|key| !names.knows_joint(*key)));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}
