//! What acted in a live step, as a line of a recording. Rapier keeps the impulses of joints of the last of its substeps, which
//! count as many times as there are substeps; those of contacts it tells as sums.

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::{Frame, Rotation, World};
use driftlab_probe::format::{Acted, Contact, Impulse, Part, Step};
use rapier2d_f64::prelude::{
    ContactManifold, GenericJoint, ImpulseJointHandle, JointAxesMask, Pose, RigidBodyHandle,
};

use super::build::{X, driven_axis, mask};
use super::{Live, Moment, State};

fn glam(v: rapier2d_f64::math::Vector) -> DVec2 {
    DVec2::new(v.x, v.y)
}

pub fn tell(live: &Live, state: &State, world: &World, step: &mut Step) {
    let mut acted = Vec::new();
    for (number, handle) in live.built.joints.iter().enumerate() {
        let Some(handle) = *handle else { continue };
        let Some(joint) = world.joints().get(number) else { continue };
        let drives = joint.acting_motor().is_some() || joint.friction > 0.0;
        let driven = drives.then(|| driven_axis(joint));
        let own = if joint.acting_motor().is_some() { Part::Motor } else { Part::Friction };
        for (part, along, on) in live.parts(state, handle, driven) {
            let part = match part {
                Some(Part::Motor) => Some(own),
                other => other,
            };
            acted.push(Acted { joint: Some(number), part, along, on, ..Acted::default() });
        }
    }
    for (number, handle) in live.built.springs.iter().enumerate() {
        let Some(handle) = *handle else { continue };
        for (_, _, on) in live.parts(state, handle, None) {
            acted.push(Acted { spring: Some(number), on, ..Acted::default() });
        }
    }
    step.acted = Some(acted);
    step.contacts = Some(live.contacts(state));
    step.external = Some(live.external(state, world));
}

/// A row of a joint: its Jacobian, of which the first body gets the positive and the second one the negative, and its impulse.
#[derive(Clone, Copy, Debug)]
struct Row {
    linear: DVec2,
    angular: [f64; 2],
    impulse: f64,
}

/// The rows as the solver has them: within each group made orthogonal, by Gram and Schmidt, to the bilateral ones before.
struct Rows {
    /// By axis.
    motors: Vec<(usize, Row)>,
    equations: Vec<Row>,
    limit: Vec<Row>,
}

type Told = (Option<Part>, Option<f64>, Vec<Impulse>);

impl Live {
    fn number(&self, handle: RigidBodyHandle) -> Option<usize> {
        let number = usize::try_from(self.own.bodies.get(handle)?.user_data).ok()?;
        (number < self.built.bodies.len()).then_some(number)
    }

    /// What the parts of a joint did, of which one of the axes is driven by its motor or friction.
    fn parts(&self, state: &State, handle: ImpulseJointHandle, driven: Option<usize>) -> Vec<Told> {
        let Some(joint) = self.own.impulse_joints.get(handle) else { return Vec::new() };
        let ends = [joint.body1(), joint.body2()].map(|handle| self.number(handle));
        let [Some(a), Some(b)] = ends else { return Vec::new() };
        let substeps = self.own.integration_parameters.num_solver_iterations;
        // Of one substep the impulses acted at its beginning; of several, the last one's did about at the end.
        let at = if substeps == 1 { &state.before } else { &state.now };
        let inverse = [joint.body1(), joint.body2()].map(|handle| {
            self.own.bodies.get(handle).map_or(DVec3::ZERO, |body| {
                let own = body.mass_properties();
                glam(own.effective_inv_mass).extend(own.effective_world_inv_inertia)
            })
        });
        let rows = rows(&joint.data, joint.impulses.to_array(), [at[a], at[b]], inverse);
        let scale = substeps as f64;
        let dynamic = |number: usize| {
            self.own.bodies.get(self.built.bodies[number]).is_some_and(|body| body.is_dynamic())
        };
        let on = |rows: &[Row]| {
            let mut sums = [DVec3::ZERO; 2];
            for row in rows {
                let p = scale * row.impulse;
                sums[0] += p * row.linear.extend(row.angular[0]);
                sums[1] -= p * row.linear.extend(row.angular[1]);
            }
            let all = [a, b].into_iter().zip(sums).filter(|(number, _)| dynamic(*number));
            all.map(|(number, p)| Impulse(number, p.x, p.y, p.z)).collect::<Vec<_>>()
        };
        let along = |rows: &[Row]| -scale * rows.iter().map(|row| row.impulse).sum::<f64>();
        let mut told: Vec<Told> = Vec::new();
        let mut plain = rows.equations.clone();
        for (axis, row) in &rows.motors {
            let suspended = *axis == X && joint.data.locked_axes == JointAxesMask::LOCKED_PIN_SLOT_AXES;
            let part = match driven {
                Some(driven) if driven == *axis => Part::Motor,
                _ if suspended => Part::Suspension,
                _ => {
                    plain.push(*row);
                    continue;
                }
            };
            told.push((Some(part), Some(along(&[*row])), on(&[*row])));
        }
        if rows.limit.iter().any(|row| row.impulse != 0.0) {
            let along = along(&rows.limit);
            let part = if along > 0.0 { Part::LowerLimit } else { Part::UpperLimit };
            told.push((Some(part), Some(along), on(&rows.limit)));
        }
        told.push((None, None, on(&plain)));
        told
    }

    fn contacts(&self, state: &State) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for pair in self.own.narrow_phase.contact_pairs() {
            for manifold in pair.rigid().map_or(&[][..], |rigid| rigid.solver_manifolds()) {
                let parents = [manifold.data.rigid_body1, manifold.data.rigid_body2];
                let numbers = parents.map(|handle| self.number(handle?));
                if let [Some(a), Some(b)] = numbers {
                    let frames = [a, b].map(|number| {
                        let Moment { q, v } = state.before[number];
                        Frame::new(q, v)
                    });
                    touching(manifold, [a, b], &frames, &mut contacts);
                }
            }
        }
        contacts
    }

    /// Impulses of weight, forces and damping: at the end of a step v ← v/(1 + h c), which takes m h c v of the new velocity.
    fn external(&self, state: &State, world: &World) -> Vec<Impulse> {
        let h = state.h;
        let mut impulses = Vec::new();
        for (index, body) in world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
            let Some(own) = self.own.bodies.get(self.built.bodies[index]) else { continue };
            let (mass, inertia) = (body.mass_properties().mass, body.mass_properties().inertia);
            let v = state.now[index].v;
            let mut p =
                h * ((body.gravitational_mass() * state.gravity).extend(0.0) + state.given.external[index]);
            p -= (h * mass * own.linear_damping() * v.truncate()).extend(0.0);
            if own.angular_damping() > 0.0 {
                p.z -= h * inertia * own.angular_damping() * v.z;
            }
            if p != DVec3::ZERO {
                impulses.push(Impulse(index, p.x, p.y, p.z));
            }
        }
        impulses
    }
}

/// The contacts of a manifold that the solver saw. Its arms are kept while a pair hardly moves: the point is the one that body b
/// was pushed at.
fn touching(manifold: &ContactManifold, bodies: [usize; 2], frames: &[Frame; 2], into: &mut Vec<Contact>) {
    let normal = glam(manifold.data.normal);
    let dominance = manifold.data.relative_dominance;
    // Arms and anchors are about centres of mass, or in the world on a side that the solver takes for the world.
    let is_world = [dominance > 0, dominance < 0];
    let in_world = |end: usize, point: DVec2, turned: bool| {
        let arm = if turned { frames[end].rotation.apply(point) } else { point };
        if is_world[end] { point } else { frames[end].position + arm }
    };
    for solved in &manifold.data.solver_contacts {
        let Some(point) = manifold.points.get(solved.contact_indices()[0] as usize) else { continue };
        let anchors = [in_world(0, glam(solved.anchor1), true), in_world(1, glam(solved.anchor2), true)];
        let arms = [glam(point.data.solver_dp1), glam(point.data.solver_dp2)];
        let end = usize::from(!is_world[1]);
        into.push(Contact {
            bodies,
            point: in_world(end, arms[end], false).to_array(),
            point_a: (!is_world[0]).then(|| in_world(0, arms[0], false).to_array()),
            normal: normal.to_array(),
            gap: Some((anchors[1] - anchors[0]).dot(normal)),
            impulse: Some([point.data.impulse, -point.data.tangent_impulse[0], 0.0]),
            on: Vec::new(),
            friction: Some(manifold.data.friction),
        });
    }
}

fn rows(data: &GenericJoint, impulses: [f64; 3], at: [Moment; 2], inverse: [DVec3; 2]) -> Rows {
    let frames = [&data.local_frame1, &data.local_frame2];
    let placed = |end: usize| {
        let Moment { q, .. } = at[end];
        let local: &Pose = frames[end];
        let point = Rotation::from_angle(q.z).apply(glam(local.translation)) + q.truncate();
        (point, q.z + local.rotation.angle())
    };
    let [(first, angle), (second, _)] = [placed(0), placed(1)];
    let turn = Rotation::from_angle(angle);
    let axes = [turn.apply(DVec2::X), turn.apply(DVec2::Y)];
    // On the first body the force acts beneath the second one's point, along the free axes.
    let open = second - first;
    let mut beneath = second;
    for (i, axis) in axes.iter().enumerate() {
        if data.locked_axes.contains(mask(i)) {
            beneath -= axis.dot(open) * *axis;
        }
    }
    let arms = [beneath - at[0].q.truncate(), second - at[1].q.truncate()];
    let along = |axis: DVec2, impulse: f64| Row {
        linear: axis,
        angular: arms.map(|arm| arm.perp_dot(axis)),
        impulse,
    };
    let row = |i: usize, impulse: f64| match i {
        2 => Row { linear: DVec2::ZERO, angular: [1.0; 2], impulse },
        _ => along(axes[i], impulse),
    };
    // The angle comes before the displacements.
    let of = |chosen: JointAxesMask| [2, 0, 1].into_iter().filter(move |i| chosen.contains(mask(*i)));
    let free = !data.locked_axes & !data.coupled_axes;
    let mut equations: Vec<_> = of(data.locked_axes).map(|i| row(i, impulses[i])).collect();
    let mut motors: Vec<_> =
        of(data.motor_axes & free).map(|i| (i, row(i, data.motors[i].impulse))).collect();
    let mut limit: Vec<_> = of(data.limit_axes & free).map(|i| row(i, data.limits[i].impulse)).collect();
    let line = open.normalize_or_zero();
    if (data.motor_axes & data.coupled_axes).contains(JointAxesMask::LIN_X) {
        motors.push((X, along(line, data.motors[X].impulse)));
    }
    if (data.limit_axes & data.coupled_axes).contains(JointAxesMask::LIN_X) {
        limit.push(along(line, data.limits[X].impulse));
    }
    let product = |x: &Row, y: &Row| {
        let linear = inverse[0].truncate() + inverse[1].truncate();
        x.linear.dot(linear * y.linear)
            + (0..2).map(|end| x.angular[end] * inverse[end].z * y.angular[end]).sum::<f64>()
    };
    let split = equations.len();
    equations.append(&mut limit);
    for j in 0..split {
        let (before, behind) = equations.split_at_mut(j + 1);
        let by = &before[j];
        let size = product(by, by);
        for row in behind.iter_mut().filter(|_| size > 0.0) {
            let part = product(row, by) / size;
            row.linear -= part * by.linear;
            (0..2).for_each(|end| row.angular[end] -= part * by.angular[end]);
        }
    }
    let limit = equations.split_off(split);
    Rows { motors, equations, limit }
}
